"""What can be said of an item, checked before it is kept."""

from __future__ import annotations

import re
import unicodedata

from core.audit.reporting.items import ITEMS
from core.audit.types import AnswerState
from core.errors import InputError, NotFoundError

LONGEST = 10_000
"""Characters of an answer."""
LONGEST_CONFIRMED = 500_000
"""Of a text that was recorded: a hundred searches need more than a person writes."""
LONGEST_NAME = 200
LARGEST = 10**9
FLOW_LABELS: dict[str, str] = {
    "flow:databases": "Databases",
    "flow:registers": "Registers",
    "flow:duplicates": "Duplicate records removed",
    "flow:automation": "Records marked as ineligible by automation tools",
    "flow:other": "Records removed for other reasons",
    "flow:screened": "Records screened",
    "flow:excluded": "Records excluded",
    "flow:sought": "Reports sought for retrieval",
    "flow:not-retrieved": "Reports not retrieved",
    "flow:assessed": "Reports assessed for eligibility",
    "flow:reports-excluded": "Reports excluded",
    "flow:studies": "Studies included in review",
    "flow:reports": "Reports of included studies",
}
"""The numbers that can be said of the diagram, by their items, as the PRISMA 2020 template calls them."""
_BETWEEN = ",. '’\u00a0\u2009\u202f"
"""Signs between thousands."""
_NUMBER = re.compile(rf"\d{{1,3}}(?:[{_BETWEEN}]\d{{3}})+|\d+")
_REASON = re.compile(rf"^(?P<reason>.*?\S)\s*[:=(]\s*(?:n\s*=\s*)?(?P<n>\d[\d{_BETWEEN}]*?)\s*\)?\s*$")
_TURNS = frozenset("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
"""Signs that show what follows in another order than it is written."""
_LINE_ENDS = re.compile("\r\n|[\r\u2028\u2029]")
MOST_DIGITS = 15
"""More than any number here has."""


def checked_text(item: str, state: AnswerState, text: str) -> str:
    """The text as it is kept; an error says what is wrong with it."""
    kept = _LINE_ENDS.sub("\n", text).strip()
    longest = LONGEST_CONFIRMED if state == "confirmed" else LONGEST
    if len(kept) > longest:
        raise InputError(f"an answer has up to {longest:,} characters, got {len(kept):,}")
    if any(map(_is_control, kept)):
        raise InputError("an answer is plain text: take out its control characters")
    if item in FLOW_LABELS:
        return _checked_number(item, state, kept)
    found = next((one for one in ITEMS if one.item == item), None)
    if found is None:
        raise NotFoundError(
            f'there is no item "{item[:80]}": they are prisma-s:1 to prisma-s:16, {", ".join(FLOW_LABELS)}'
        )
    if state == "not done" and not found.may_be_left:
        raise InputError(f'"{found.title}" is part of every search: say it in your own words instead of "not done"')
    if state != "not done" and not kept:
        raise InputError(f'the answer to "{found.title}" is empty: write it, or say "not done"')
    return kept


def _is_control(sign: str) -> bool:
    """One that no text has; spaces and hyphens of word processors and marks of scripts are text."""
    return sign not in "\n\t" and (unicodedata.category(sign) in ("Cc", "Cs") or sign in _TURNS)


def _checked_number(item: str, state: AnswerState, text: str) -> str:
    label = FLOW_LABELS[item]
    if state == "not done":
        raise InputError(f'"{label}" is a number: say 0 instead of "not done"')
    if item == "flow:reports-excluded" and (reasons := reasons_of(text)):
        number_checked(label, str(sum(n for _, n in reasons)))
        return text
    number_checked(label, text)
    return text


def number_checked(label: str, text: str) -> int:
    """A whole number, or an error that says so."""
    n = number_of(text)
    if n is None or n > LARGEST:
        raise InputError(f'"{label}" is a whole number such as 1,234, got "{text[:40]}"')
    return n


def number_of(text: str) -> int | None:
    """A whole number with or without signs between its thousands; None: it is none.

    >>> number_of("1,234"), number_of(" 17 "), number_of("about 5"), number_of("-3")
    (1234, 17, None, None)
    """
    found = _NUMBER.fullmatch(text.strip())
    digits = re.sub(r"\D", "", found[0]).lstrip("0") if found else ""
    if not found or not digits.isascii() or len(digits) > MOST_DIGITS:
        return None
    return int(digits or "0")


def reasons_of(text: str) -> tuple[tuple[str, int], ...]:
    """Reasons and numbers, one to a line; none if a line is anything else.

    >>> reasons_of("Wrong population: 12\\nNo outcome (n = 3)")
    (('Wrong population', 12), ('No outcome', 3))
    >>> reasons_of("12")
    ()
    """
    out = []
    for line in text.splitlines():
        if not line.strip():
            continue
        found = _REASON.match(line.strip())
        n = number_of(found["n"]) if found else None
        if found is None or n is None:
            return ()
        out.append((found["reason"], n))
    return tuple(out)
