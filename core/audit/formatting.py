"""How a value is shown to a reader: in every format the same."""

from __future__ import annotations

import math

from core.audit.document import ColumnKind, Value

NONE = "–"
"""Nothing is known, or nothing can be said."""
MINUS = "−"
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


def _fraction(value: float) -> str:
    size = abs(value)
    if size == 0:
        return "0.000"
    if size < _SMALL:
        return f"{value:#.3g}"
    decimals = 3 if size < _LARGE else max(0, 5 - math.floor(math.log10(size)))
    return f"{value:,.{decimals}f}"


def _signed(text: str) -> str:
    return text.replace("-", MINUS) if text.startswith("-") else text
