"""How a value is shown to a reader: in every format the same."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from core.audit.document import ColumnKind, Document, Value

NONE = "–"
"""Nothing is known, or nothing can be said."""
MINUS = "−"
MADE_UP = "Made up for demonstration: no publication, search or number in this report is real."
"""Stands at the head of a report of a made-up topic, and on each of its pages."""
TO_ANSWER = "✎ Still to be answered"
"""Marks what somebody has to say, by a sign and in words."""
NOTE = "Note"
BEWARE = "⚠ Beware"
NO_ROWS = "There is nothing to list."
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_SMALL = 0.1
"""A smaller number has three significant digits, a larger one three decimals."""
_LARGE = 1000
"""From here on six significant digits are fewer decimals."""


def shown(value: Value, kind: ColumnKind) -> str:
    """What a cell shows: thousands apart, at most three decimals, a dash where there is nothing.

    A whole number in a column of text stands as it is, as it may be a year.

    >>> shown(17573, "count"), shown(0.7341, "number"), shown(-0.012345, "number"), shown(2019, "text")
    ('17,573', '0.734', '−0.0123', '2019')
    >>> shown(None, "number"), shown(float("nan"), "number"), shown(123456.78, "number"), shown("", "text")
    ('–', '–', '123,457', '')
    """
    if value is None:
        return NONE
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        return NONE
    if isinstance(value, int):
        return _signed(str(value) if kind in ("text", "code") else f"{value:,}")
    if kind == "count":
        return _signed(f"{value:,.0f}" if value.is_integer() else _fraction(value))
    return _signed(_fraction(value))


def moment(written: str) -> str:
    """A time as a reader reads it, always in UTC; what is no time stays as it is.

    >>> moment("2026-11-22T20:05:29.123+00:00"), moment("2026-11-22T20:05:00+02:00"), moment("yesterday")
    ('22 November 2026, 20:05 UTC', '22 November 2026, 18:05 UTC', 'yesterday')
    """
    try:
        read = datetime.fromisoformat(written)
    except ValueError:
        return written
    when = read.astimezone(UTC) if read.tzinfo else read
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}, {when:%H:%M}{' UTC' if read.tzinfo else ''}"


def made(document: Document) -> str:
    """When and with what a report was made, as a sentence."""
    return f"Made on {moment(document.made_at)} with {document.made_with}."


def _fraction(value: float) -> str:
    size = abs(value)
    if size == 0:
        return "0.000"
    if size < _SMALL:
        return f"{value:#.3g}"
    decimals = 3 if size < _LARGE else max(0, 5 - math.floor(math.log10(size)))
    return f"{value:,.{decimals}f}"


def _signed(text: str) -> str:
    return MINUS + text[1:] if text.startswith("-") else text
