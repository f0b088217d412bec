"""Find the restrictions that a database prints behind a search: limiters, dates, publication types."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.query.tree import DialectId, Finding, Span

_EBSCO = r"(?:Limiters|Expanders|Narrow\s+by(?:\s+[\w /-]{1,40})?|Search\s+modes|Interface)\s+-\s"
_COCHRANE = (
    r"with\s+(?:Cochrane\s+Library\s+)?(?:publication\s+(?:date|year)|year\s+first\s+published)\b"
    r"|\(?in\s+(?:Cochrane\s+Reviews|Cochrane\s+Protocols|Trials|Clinical\s+Answers|Editorials)\b"
)
_WOS = r"Refined\s+by:|(?:Indexes|Databases)\s?=\s?[A-Z]|Time\s?span\s?[=:]"
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
}
_SILENT = re.compile(r"\s*(?:Expanders|Search\s+modes|Interface)\s+-\s")
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
        search_end = len(before.rstrip(" \t\r\n,;|"))
        shown = text[found.start() :]
        limits = (
            "" if _SILENT.match(shown) else re.split(r"[\s;]+(?:Expanders|Search\s+modes|Interface)\s+-\s", shown)[0]
        )
        start = found.end() - len(found.group().lstrip())
        return Restriction(search_end, start, " ".join(limits.split()))
    return None


def left_out(restriction: Restriction, span: Span) -> Finding:
    message = f"Left out: {restriction.text[:120].rstrip('.')}. Set this limit again where you run the search."
    return Finding("limit-left-out", "warning", span, message)
