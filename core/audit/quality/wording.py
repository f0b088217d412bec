"""Numbers and names as the sentences of the quality report say them; numbers look as they do in its tables."""

from __future__ import annotations

from core.audit.formatting import shown
from core.ranking.significance import Interval


def score(value: float | None) -> str:
    """A score, as a table shows it."""
    return shown(value, "number")


def signed(value: float) -> str:
    """A change, with its direction.

    >>> signed(0.25), signed(-0.25), signed(0.0)
    ('+0.250', '−0.250', '0.000')
    """
    return f"+{shown(value, 'number')}" if value > 0 else shown(value, "number")


def ends(interval: Interval) -> str:
    """From where to where.

    >>> ends(Interval(0.25, 0.5))
    '0.250 to 0.500'
    """
    return f"{score(interval.low)} to {score(interval.high)}"


def many(n: int, what: str) -> str:
    """How many of what.

    >>> many(1, "version"), many(1200, "publication")
    ('1 version', '1,200 publications')
    """
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def score_name(beta: float) -> str:
    """F-beta with its weight.

    >>> score_name(2.0)
    'F2'
    """
    return f"F{beta:g}"


def sentence(text: str) -> str:
    """With a capital and a full stop.

    >>> sentence("nothing was retrieved")
    'Nothing was retrieved.'
    """
    said = text.strip()
    return f"{said[:1].upper()}{said[1:]}{'' if said.endswith(('.', '!', '?')) else '.'}"
