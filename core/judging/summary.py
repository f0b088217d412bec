"""A judged run in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from core.judging.comparing import JudgeComparison, number
from core.judging.scores import EngineScores, JudgeScores
from core.text import listed

MOST_NAMES = 3


def best_engines(scores: JudgeScores) -> tuple[EngineScores, ...]:
    """Those with a mean, the highest first; equal ones in their order."""
    graded = [each for each in scores.engines if each.mean.value is not None]
    return tuple(sorted(graded, key=lambda each: -(each.mean.value or 0.0)))


def comparison_of(scores: JudgeScores, first: str, second: str) -> JudgeComparison | None:
    """The pair, whichever way round it was compared."""
    return next((each for each in scores.comparisons if {each.a, each.b} == {first, second}), None)


def judge_verdict(scores: JudgeScores) -> str:
    """What can be said of the highest mean, for the head of a page."""
    order = best_engines(scores)
    if not order:
        return "Nothing has a valid grade yet, so nothing can be said."
    best, *others = order
    if not others:
        return _alone(scores, best)
    alike = [each for each in others if not _is_clear(scores, best, each)]
    if not alike:
        second = others[0]
        pair = comparison_of(scores, best.engine, second.engine)
        by = f" by {number(abs(pair.difference), scores.rubric.shown_max)}" if pair and pair.difference else ""
        if len(others) == 1:
            return f"{best.engine} is graded higher than {second.engine}{by}."
        return f"{best.engine} is graded higher than every other engine; than {second.engine}{by}."
    if _on_one_query(scores, order):
        return f"{best.engine} has the highest mean grade on the one query; of other queries nothing can be said."
    worse = [each for each in others if each not in alike]
    said = f"{best.engine} has the highest mean grade, but can't be told from {_named(alike)}"
    if worse:
        said += f"; {_named(worse)} {'is' if len(worse) == 1 else 'are'} graded lower"
    return f"{said}."


def _is_clear(scores: JudgeScores, best: EngineScores, other: EngineScores) -> bool:
    pair = comparison_of(scores, best.engine, other.engine)
    return pair is not None and pair.is_clear and (pair.difference or 0.0) * (1 if pair.b == best.engine else -1) > 0


def _on_one_query(scores: JudgeScores, order: Sequence[EngineScores]) -> bool:
    return all(each.mean.n == 1 for each in order)


def _alone(scores: JudgeScores, only: EngineScores) -> str:
    mean, shown_max = only.mean, scores.rubric.shown_max
    ends = "" if mean.interval is None else f" ({' to '.join(number(end, shown_max) for end in mean.interval)})"
    n = f"{mean.n:,} {'query' if mean.n == 1 else 'queries'}"
    return f"{only.engine} is graded {number(mean.value or 0.0, shown_max)} of {shown_max} on average{ends} over {n}."


def _named(engines: Sequence[EngineScores]) -> str:
    names = [each.engine for each in engines]
    if len(names) > MOST_NAMES:
        names = [*names[: MOST_NAMES - 1], f"{len(names) - MOST_NAMES + 1:,} more"]
    return listed(names)
