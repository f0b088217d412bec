"""Text that goes into a cell of a spreadsheet: never run as a formula, and read back as it was."""

from __future__ import annotations

STARTS_A_FORMULA = frozenset("=+-@＝＋－＠\t\r\n")


def harmless(text: str) -> str:
    """Text that no spreadsheet runs: an apostrophe before what would begin a formula, also after spaces.

    >>> harmless("=1+1"), harmless("- a title"), harmless("tea")
    ("'=1+1", "'- a title", 'tea')
    """
    return f"'{text}" if _begins_a_formula(text) else text


def unguarded(text: str) -> str:
    """What `harmless` was given.

    >>> unguarded(harmless("=1+1")), unguarded("'Tis a title")
    ('=1+1', "'Tis a title")
    """
    return text[1:] if text[:1] == "'" and _begins_a_formula(text[1:]) else text


def _begins_a_formula(text: str) -> bool:
    """Also behind apostrophes, so that those of the text itself are told from the one that is put before it."""
    return text.lstrip(" '")[:1] in STARTS_A_FORMULA
