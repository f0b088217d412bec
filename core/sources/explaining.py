"""In words: why a source has not brought a core publication, part of the string by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.query.reading.parse import parse
from core.query.tree import DialectId, Group, Range
from core.text import listed

LONGEST = 60
"""Characters of a part of a string that a sentence repeats."""
MOST_PARTS = 3


class FailingPart(NamedTuple):
    """A part of the string that a publication does not pass."""

    text: str
    """As it stands in the string."""
    is_excluded: bool
    """It stands behind a NOT, and holds."""


def shortened(text: str, most: int = LONGEST) -> str:
    """A part of a string, cut between two alternatives where it is long.

    >>> shortened("(heat OR warmth)"), shortened("(heat OR warmth OR temperature)", 20)
    ('(heat OR warmth)', '(heat OR warmth OR …)')
    """
    flat = " ".join(text.split())
    if len(flat) <= most:
        return flat
    head = flat[:most]
    cut = head.upper().rfind(" OR ")
    if cut > 0:
        return _closed(f"{head[:cut]} OR …")
    cut = head.rfind(" ")
    return _closed(f"{head[: cut if cut > most // 2 else most].rstrip()} …")


def _closed(text: str) -> str:
    """With the brackets closed that the cut left open; one for all of them is enough to be read."""
    return f"{text})" if text.count("(") > text.count(")") else text


def why_missed(parts: Sequence[FailingPart], dialect: DialectId) -> str:
    """The parts that fail, as a sentence goes on after a colon.

    >>> why_missed([FailingPart("(heat OR warmth)", False), FailingPart("review[pt]", True)], "pubmed")
    'nothing of (heat OR warmth) is in it; review[pt] is in it, and NOT leaves that out'
    """
    said = [_why(part, dialect) for part in parts[:MOST_PARTS]]
    more = len(parts) - MOST_PARTS
    return "; ".join([*said, f"and {more} more part{'s fail' if more > 1 else ' fails'}"] if more > 0 else said)


def _why(part: FailingPart, dialect: DialectId) -> str:
    short = shortened(part.text)
    if part.is_excluded:
        return f"{short} is in it, and NOT leaves that out"
    root = parse(part.text, dialect).root
    if isinstance(root, Range):
        return f"its year is not within {short}"
    if isinstance(root, Group) and root.operator == "OR":
        return f"nothing of {short} is in it"
    return f"{short} is not in it"


def finds_less(texts: Sequence[str]) -> str:
    """Of parts that miss a publication, what in them means less to the source than it says.

    >>> finds_less(["heat*", "heat*"]), finds_less([])
    (' (there heat* finds less than it says)', '')
    """
    said = [shortened(text) for text in dict.fromkeys(texts)]
    if not said:
        return ""
    named = listed(said[:MOST_PARTS]) if len(said) <= MOST_PARTS else f"{said[0]} and more"
    return f" (there {named} {'finds less than it says' if len(said) == 1 else 'find less than they say'})"


def looked_for_by(*, doi: bool, pmid: bool, title: bool) -> str:
    """What a publication was looked for by.

    >>> looked_for_by(doi=True, pmid=False, title=True)
    'looked for by DOI and title'
    """
    names = [name for name, there in (("DOI", doi), ("PMID", pmid), ("title", title)) if there]
    return f"looked for by {listed(names)}" if names else "there is nothing to look for it by"
