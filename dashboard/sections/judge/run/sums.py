"""Tokens, dollars and minutes of a dry run, in few signs."""

from __future__ import annotations


def in_short(n: int) -> str:
    """So many.

    >>> in_short(950), in_short(12_300), in_short(4_560_000)
    ('950', '12.3 k', '4.56 M')
    """
    if n < 1_000:
        return f"{n:,}"
    return f"{n / 1e3:.3g} k" if n < 999_500 else f"{n / 1e6:,.3g} M" if n < 1e9 else f"{n / 1e6:,.0f} M"


def dollars(cost: tuple[float, float] | None) -> str:
    """As expected, of what is expected and what it is at most.

    >>> [dollars(cost) for cost in (None, (0.0, 0.0), (0.002, 0.1), (1234.5, 3e3))]
    ['–', '0', '< 0.01', '1,234.50']
    """
    if cost is None:
        return "–"
    expected = cost[0]
    return f"{expected:,.2f}" if expected >= 0.01 else "< 0.01" if expected else "0"


def how_long(minutes: float) -> str:
    """Time.

    >>> how_long(0), how_long(0.001), how_long(0.5), how_long(12.4), how_long(200)
    ('0 s', '1 s', '30 s', '12 min', '3.3 h')
    """
    if not minutes:
        return "0 s"
    if minutes < 2:
        return f"{max(round(60 * minutes), 1)} s"
    return f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.1f} h"
