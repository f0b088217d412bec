"""Limits of a search: those that a database prints behind it, and the years that its search string lets through."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from core.query.tree import DialectId, Finding, Group, Node, Not, ParsedQuery, Range, Span, walk

# Restrictions behind a search: limiters, dates, publication types.

_EBSCO = r"(?:Limiters|Expanders|Narrow\s+by(?:\s+[\w /-]{1,40})?|Search\s+modes|Search\s+Screen|Interface)\s+-\s"
_COCHRANE = (
    r"with\s+(?:Cochrane\s+Library\s+)?(?:publication\s+(?:date|year)|year\s+first\s+published)\b"
    r"|(?:Publication\s+(?:Year|Date)\s+)?from\s+\d{4}\s+to\s+\d{4}\W*$"
    r"|\(?in\s+(?:Cochrane\s+Reviews|Cochrane\s+Protocols|Trials|Clinical\s+Answers|Editorials)\b"
)
_WOS = r"Refined\s+by:|(?:Indexes|Databases)\s?=\s?[A-Z]|Time\s?span\s?[=:]|Date\s+Run:|Editions?\s?[=:]"
_PUBMED = r"Filters(?:\s+applied)?:\s|Sort(?:ed)?\s+by:\s"
_PROQUEST = r"Additional\s+limits\s+-\s|Limits\s+applied\b|Narrowed\s+by:|Databases?:\s"
_OVID_CODE = (
    r"(?:acp|agris|amed|biob|caba|cagh|cctr|cdsr|clcmr|clhta|cleed|coch|dare|econ|eed|emcz[a-z]?|emed[a-z]?|eme[fxz][a-z]?"
    r"|eric|fsta|hmic|hta|ipab|ipsyh|jbi|med[a-z0-9]{0,4}|mes[zx]|nhs|oeme[a-z]{2}|pmez|ppezv?|prem|prmz|psy[a-z]{1,2})"
)
_OVID = rf"(?<=[.)/\]])\s+use\s+{_OVID_CODE}(?:\s*,\s*{_OVID_CODE})*\s*$"
"""Databases that a line is limited to: asthma.ti. use ppez."""
_RESTRICTIONS: dict[DialectId, re.Pattern[str]] = {
    "ebsco": re.compile(rf"(?<![^\s;|]){_EBSCO}"),
    "cochrane": re.compile(rf"(?<![^\s,])(?:{_COCHRANE})", re.IGNORECASE),
    "ovid": re.compile(_OVID, re.IGNORECASE),
    "wos": re.compile(rf"(?<!\S)(?:{_WOS})", re.IGNORECASE),
    "pubmed": re.compile(rf"(?<!\S)(?:{_PUBMED})"),
    "proquest": re.compile(rf"(?<!\S)(?:{_PROQUEST})"),
}
_SETTINGS = (
    r"(?:(?:Expanders|Search\s+modes|Interface|Search\s+Screen|Database)\s+-\s|Date\s+Run:|Sort(?:ed)?\s+by:"
    r"|Databases?:\s|\(Word\s+variations\b)"
)
_SILENT = re.compile(rf"\s*{_SETTINGS}")
"""What names no limit: how the platform was set up."""


class Restriction(NamedTuple):
    search_end: int
    """Where the search before it ends."""
    start: int
    text: str
    """The limits in it; empty if it only names settings of the platform."""


def restriction_in(text: str, dialect_id: DialectId) -> Restriction | None:
    """The restriction at the end of a search; None if there is none, or one stands inside quotes.

    >>> restriction_in("S1 AND S2 Limiters - Peer Reviewed", "ebsco")
    Restriction(search_end=9, start=10, text='Limiters - Peer Reviewed')
    """
    pattern = _RESTRICTIONS.get(dialect_id)
    for found in pattern.finditer(text) if pattern else ():
        before = text[: found.start()]
        if not before.strip() or before.count('"') % 2 or before.count("(") > before.count(")"):
            continue
        search_end = len(before.rstrip(" \t\r\n,;|").removesuffix(" -").rstrip())
        shown = text[found.start() :]
        limits = "" if _SILENT.match(shown) else re.split(rf"[\s;]+{_SETTINGS}", shown)[0]
        start = found.end() - len(found.group().lstrip())
        return Restriction(search_end, start, " ".join(limits.split()))
    return None


def left_out(restriction: Restriction, span: Span) -> Finding:
    message = f"Left out: {restriction.text[:120].rstrip('.')}. Set this limit again where you run the search."
    return Finding("limit-left-out", "warning", span, message)


# Years that a search string lets through, whatever its words are.

_FIRST, _LAST = -(10**6), 10**6
"""Stand for an open end."""


@dataclass(frozen=True, slots=True)
class YearLimits:
    """Spans of years, rising, with a gap between any two."""

    spans: tuple[tuple[int | None, int | None], ...]
    """First and last year of each, both included; None: open. Without a span no year is let through."""

    def admits(self, year: int) -> bool:
        return any((low is None or low <= year) and (high is None or year <= high) for low, high in self.spans)

    def __str__(self) -> str:
        return ", ".join(map(_span_words, self.spans)) or "no year"


def _span_words(span: tuple[int | None, int | None]) -> str:
    low, high = span
    if low is None:
        return f"up to {high}"
    return f"{low} or later" if high is None else str(low) if low == high else f"{low}–{high}"


def year_limits(root: Node | None) -> YearLimits | None:
    """The years in which a publication can match, if its words are right. None: any year.

    A year is excluded only if no words could make up for it. Of a first or last year that is not whole, all is let
    through.

    >>> from core.query.parser import parse
    >>> str(year_limits(parse("trees AND year:2010-2020", "plain").root))
    '2010–2020'
    >>> year_limits(parse("trees OR year:2010-2020", "plain").root) is None
    True
    """
    if root is None:
        return None
    ranges = [node for node in walk(root) if isinstance(node, Range)]
    edges = {_FIRST, *(year for r in ranges if r.low is not None for year in (r.low, r.low + 1))}
    edges |= {year for r in ranges if r.high is not None for year in (r.high, r.high + 1)}
    starts = sorted(edges)
    spans: list[tuple[int, int]] = []
    for start, after in zip(starts, [*starts[1:], _LAST], strict=True):
        if _can_match(root, start) is False:
            continue
        if spans and spans[-1][1] == start - 1:
            spans[-1] = (spans[-1][0], after - 1)
        else:
            spans.append((start, after - 1))
    if spans == [(_FIRST, _LAST - 1)]:
        return None
    return YearLimits(
        tuple((None if low == _FIRST else low, None if high == _LAST - 1 else high) for low, high in spans)
    )


def limits_of(parsed: ParsedQuery) -> YearLimits | None:
    """The same of a text: one that is no search string has no limits."""
    return year_limits(parsed.root) if parsed.kind == "boolean" else None


def _can_match(node: Node, year: int) -> bool | None:
    """Whether a publication of this year matches. None: that depends on its words or its day."""
    if isinstance(node, Range):
        return _in_range(node, year)
    if isinstance(node, Not):
        inside = _can_match(node.part, year)
        return None if inside is None else not inside
    if isinstance(node, Group):
        decides = node.operator == "OR"
        found = [_can_match(part, year) for part in node.parts]
        if decides in found:
            return decides
        return None if None in found else not decides
    return None


def _in_range(node: Range, year: int) -> bool | None:
    if (node.low is not None and year < node.low) or (node.high is not None and year > node.high):
        return False
    is_partial = (year == node.low and bool(node.low_day)) or (year == node.high and bool(node.high_day))
    return None if is_partial else True
