"""Dates on which records were added or changed, as each dialect writes them."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from typing import NamedTuple

DATE_FIELDS = frozenset({"entry_date", "create_date", "electronic_date", "revision_date"})
"""Date fields that more than one dialect has."""
_TODAY = "3000"
"""PubMed's notation for a range without an end."""
_SLASHED = re.compile(r"(\d{4})(?:/(\d{1,2})(?:/(\d{1,2}))?)?")
_COMPACT = re.compile(r"(\d{4})(?:(\d\d)(\d\d)?)?")
_DAY_FIRST = re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4})")


class DateSpan(NamedTuple):
    first: date
    last: date | None
    """None: until today."""


def date_named(text: str, dialect_id: str) -> str | None:
    """Return a dialect's date in the notation of PubMed; None: it can't be read.

    >>> date_named("201503*", "ovid"), date_named("15-3-2015", "embase"), date_named("last week", "pubmed")
    ('2015/03', '2015/03/15:3000', None)
    """
    span = _span(text.strip(), dialect_id)
    return None if span is None else _slashed(span)


def date_written(value: str, dialect_id: str) -> str | None:
    """Return a date, given in the notation of PubMed, as a dialect writes it; None: it can't.

    >>> date_written("2015/03/15", "ovid"), date_written("2015/03", "ebsco"), date_written("2015:3000", "embase")
    ('20150315', '20150301-20150331', '01-01-2015')
    """
    span = _span(value, "plain")
    if span is None:
        return None
    if dialect_id in ("pubmed", "plain"):
        return _slashed(span)
    first = f"{span.first:%Y%m%d}"
    if dialect_id == "embase":
        return f"{span.first:%d-%m-%Y}" if span.last is None else None
    if dialect_id == "ebsco":
        last = "" if span.last is None else f"{span.last:%Y%m%d}"
        return first if first == last else f"{first}-{last}"
    shown = _slashed(span)
    if dialect_id != "ovid" or ":" in shown:
        return None
    return first if shown.count("/") == 2 else f"{shown.replace('/', '')}*"


def since(value: str) -> str:
    """Return the span from its first date until today."""
    span = _span(value, "plain")
    return value if span is None else _slashed(DateSpan(span.first, None))


def _span(text: str, dialect_id: str) -> DateSpan | None:
    try:
        return _read(text, dialect_id)
    except ValueError:  # no such day
        return None


def _read(text: str, dialect_id: str) -> DateSpan | None:
    if dialect_id == "embase":  # a date means itself and all later ones
        found = _DAY_FIRST.fullmatch(text)
        return DateSpan(date(int(found[3]), int(found[2]), int(found[1])), None) if found else None
    if dialect_id == "ovid":
        found = _COMPACT.fullmatch(text.removesuffix("*"))
        return _dates(found) if found and bool(found[3]) != text.endswith("*") else None
    if dialect_id == "ebsco":
        first, dash, last = text.partition("-")
        return _joined(_COMPACT.fullmatch(first), _COMPACT.fullmatch(last), has_end=bool(last) or not dash)
    first, _, last = text.partition(":")
    return _joined(_SLASHED.fullmatch(first), _SLASHED.fullmatch(last), has_end=last != _TODAY)


def _joined(first: re.Match[str] | None, last: re.Match[str] | None, *, has_end: bool) -> DateSpan | None:
    """Return the span from the first date to the last; without a last one, the first date alone."""
    if first is None:
        return None
    start = _dates(first)
    end = (start if last is None else _dates(last)) if has_end else DateSpan(start.first, None)
    return DateSpan(start.first, end.last) if end.last is None or start.first <= end.last else None


def _dates(found: re.Match[str]) -> DateSpan:
    """Return the span of a year, a month or a day."""
    year, month, day = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    if day:
        return DateSpan(date(year, month, day), date(year, month, day))
    first, last = (month, month) if found[2] else (1, 12)
    return DateSpan(date(year, first, 1), date(year, last, monthrange(year, last)[1]))


def _slashed(span: DateSpan) -> str:
    """Write a span in PubMed's shortest notation."""
    first, last = span
    form = "%Y/%m/%d"
    if first.day == 1 and (last is None or last.day == monthrange(last.year, last.month)[1]):
        form = "%Y" if first.month == 1 and (last is None or last.month == 12) else "%Y/%m"
    start, end = f"{first:{form}}", _TODAY if last is None else f"{last:{form}}"
    return start if start == end else f"{start}:{end}"
