"""A leaderboard in words: which run is best on one metric, and from which others it can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.ranking.report import Leaderboard, RunComparison, RunScores
from core.ranking.significance import Interval

ALPHA = 0.05
"""A difference is clear below this, corrected for how many pairs were compared."""
MOST_NAMES = 4
Mark = Literal["better", "worse"]


def comparison(leaderboard: Leaderboard, metric: str, a: str, b: str) -> RunComparison | None:
    """Run `b` against run `a`, whichever way round the pair was compared; None: it was not."""
    for found in leaderboard.comparisons:
        if found.metric == metric and {found.a, found.b} == {a, b} and a != b:
            return found if found.a == a else _turned(found)
    return None


def _turned(c: RunComparison) -> RunComparison:
    return RunComparison(c.b, c.a, c.metric, -c.difference, Interval(-c.interval.high, -c.interval.low), c.p, c.p_holm)


def best_runs(leaderboard: Leaderboard, metric: str) -> tuple[RunScores, ...]:
    """Those with a value, the best first; equal ones in the order of the leaderboard."""
    scored = [run for run in leaderboard.scores if run.values.get(metric) is not None]
    return tuple(sorted(scored, key=lambda run: -float(run.values[metric] or 0.0)))


def highest(leaderboard: Leaderboard, metric: str) -> frozenset[str]:
    """The runs with the highest value; none where all have it."""
    order = best_runs(leaderboard, metric)
    top = frozenset(run.name for run in order if run.values[metric] == order[0].values[metric])
    return top if len(top) < len(order) else frozenset()


def marks(leaderboard: Leaderboard, metric: str, *, against: str | None = None) -> Mapping[str, Mark]:
    """Which runs are clearly better or worse than one of them: `against`, else the best on this metric."""
    order = best_runs(leaderboard, metric)
    if not order:
        return {}
    base = against or order[0].name
    found: dict[str, Mark] = {}
    for run in order:
        pair = comparison(leaderboard, metric, base, run.name)
        if pair is not None and pair.p_holm < ALPHA and pair.difference:
            found[run.name] = "better" if pair.difference > 0 else "worse"
    return found


@dataclass(frozen=True, slots=True)
class Verdict:
    """One metric of a leaderboard, for the head of a page."""

    sentence: str
    is_clear: bool | None
    """Whether the best run is clearly better than every other; None: there is nothing to tell it from."""


def verdict(leaderboard: Leaderboard, metric: str, label: str) -> Verdict:
    """What can be said of the best run. `label` is what people call the metric."""
    order = best_runs(leaderboard, metric)
    if not order:
        return Verdict("No query of these has a positive judgment, so nothing can be scored.", None)
    best, *others = order
    if not others:
        return Verdict(_alone(leaderboard, best, metric, label), None)
    worse = marks(leaderboard, metric)
    alike = [run for run in others if run.name not in worse]
    if not alike:
        return Verdict(_clear(leaderboard, order, metric, label), True)
    return Verdict(_not_clear(leaderboard, order, alike, metric, label), False)


def _alone(leaderboard: Leaderboard, run: RunScores, metric: str, label: str) -> str:
    interval = run.intervals.get(metric)
    ends = f" ({interval.low:.3f} to {interval.high:.3f})" if interval else ""
    n = len(leaderboard.query_ids)
    return f"{run.name} reaches {label} {run.values[metric]:.3f}{ends} over {n:,} {'query' if n == 1 else 'queries'}."


def _clear(leaderboard: Leaderboard, order: tuple[RunScores, ...], metric: str, label: str) -> str:
    best, second = order[0], order[1]
    pair = comparison(leaderboard, metric, second.name, best.name)
    by = f" by {_difference(pair)}" if pair else ""
    if len(order) == 2:
        return f"{best.name} is clearly better than {second.name} on {label}{by}."
    return f"{best.name} is clearly better than every other run on {label}; than {second.name}{by}."


def _not_clear(
    leaderboard: Leaderboard, order: tuple[RunScores, ...], alike: list[RunScores], metric: str, label: str
) -> str:
    best = order[0]
    if len(alike) == 1:
        pair = comparison(leaderboard, metric, alike[0].name, best.name)
        equal = best.values[metric] == alike[0].values[metric]
        how = "on average they are equal" if equal else f"the difference is {_difference(pair)}" if pair else ""
        said = f"{best.name} and {alike[0].name} can't be told apart on {label}" + (f": {how}" if how else "")
    else:
        said = f"{best.name} has the highest {label}, but can't be told from {_named(alike)}"
    worse = [run for run in order[1:] if run not in alike]
    if not worse:
        return f"{said}."
    return f"{said}; {_named(worse)} {'is' if len(worse) == 1 else 'are'} clearly worse than {best.name}."


def _difference(pair: RunComparison) -> str:
    low, high = pair.interval
    ends = f"{low:.3f} to {high:.3f}".replace("-", "−")
    return f"{pair.difference:.3f} ({ends})".replace("-", "−")


def _named(runs: list[RunScores]) -> str:
    names = [run.name for run in runs]
    if len(names) > MOST_NAMES:
        names = [*names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1:,} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
