"""How the count of one search moves over the runs of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from core.errors import InputError

DAYS_PER_MONTH = 365.25 / 12
SHORTEST = 7.0
"""Days below which no rate for a month is said: a difference of hours would be blown up to one."""
JUMP = 0.2
"""Share of the count by which two runs may differ before it is remarked on."""
LEAST_JUMP = 20
"""Publications below which a difference is no jump, whatever its share."""


class Counted(NamedTuple):
    """The source's own total at one time."""

    at: str
    """ISO 8601."""
    total: int


@dataclass(frozen=True, slots=True)
class Drift:
    """What became of a count."""

    points: tuple[Counted, ...]
    """Oldest first."""
    days: float
    """From the first to the last; 0: there is only one."""
    per_month: float | None
    """Publications more (or fewer) in a month; None: too few points, or too short a time."""
    jumps: tuple[int, ...]
    """Places of the points that differ from the one before by more than a search drifts."""
    sentence: str
    warning: str = ""
    """What a jump may mean; empty: there is none."""

    def as_document(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def drift(points: Sequence[Counted], *, jump: float = JUMP) -> Drift:
    """The rate from the first to the last point, and where the count jumps by more than a share of it."""
    if not jump > 0:
        raise InputError(f"a jump must be a share above 0, got {jump:g}")
    in_time = sorted(((_moment(point.at), point) for point in points), key=lambda pair: pair[0])
    ordered = tuple(point for _, point in in_time)
    days = (in_time[-1][0] - in_time[0][0]).total_seconds() / 86_400 if ordered else 0.0
    per_month = (ordered[-1].total - ordered[0].total) / days * DAYS_PER_MONTH if days >= SHORTEST else None
    jumps = tuple(i for i in range(1, len(ordered)) if _jumps(ordered[i - 1].total, ordered[i].total, jump))
    return Drift(ordered, days, per_month, jumps, _sentence(ordered, days, per_month), _warning(ordered, jumps))


def _moment(at: str) -> datetime:
    try:
        found = datetime.fromisoformat(at)
    except ValueError as e:
        raise InputError(f'"{at}" is no time: it should look like 2026-05-01T12:00:00+00:00') from e
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _jumps(before: int, after: int, jump: float) -> bool:
    return abs(after - before) >= LEAST_JUMP and abs(after - before) > jump * min(before, after)


def _sentence(points: tuple[Counted, ...], days: float, per_month: float | None) -> str:
    if not points:
        return "No count yet."
    first, last = points[0], points[-1]
    if len(points) == 1:
        return f"{first.total:,} on {first.at[:10]}: repeat the run to see how the count drifts."
    text = f"{first.total:,} on {first.at[:10]}, {last.total:,} on {last.at[:10]}"
    if per_month is None:
        return f"{text}: {_signed(last.total - first.total)}, over too short a time for a rate."
    if first.total == last.total:
        return f"{text}: no drift in {days:,.0f} days."
    size = f"{per_month:+,.0f}" if abs(per_month) >= 10 else f"{per_month:+,.1f}"
    share = f" ({per_month / first.total:+.1%})".replace("%", " %") if first.total else ""
    return f"{text}: {size} a month{share}."


def _warning(points: tuple[Counted, ...], jumps: tuple[int, ...]) -> str:
    if not jumps:
        return ""
    worst = max(jumps, key=lambda i: abs(points[i].total - points[i - 1].total))
    before, after = points[worst - 1], points[worst]
    more = f" ({len(jumps)} jumps in all)" if len(jumps) > 1 else ""
    return (
        f"The count jumped from {before.total:,} on {before.at[:10]} to {after.total:,} on {after.at[:10]}{more}: more "
        "than literature grows. Did the source change how it searches, or what it holds? Look at what is new and gone."
    )


def _signed(n: int) -> str:
    return f"{n:+,}" if n else "no change"
