"""A judge beside people: how far its grades are theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.judging.agreement import Agreed, base_rates, cohen_kappa, raw_agreement
from core.judging.trust.resampling import Estimate, clustered_mean, kappa_range
from core.ranking.significance import Interval

Scale = Mapping[int, int]
"""What each value of another scale counts as on the rubric's. Whatever is not in it can't be compared."""


@dataclass(frozen=True, slots=True)
class GradedTwice:
    """One triple that a judge and a person graded."""

    query_id: str
    judge: int
    human: int
    """On the person's own scale."""


@dataclass(frozen=True, eq=False)
class GradeAgreement:
    """How far a judge agrees with people, in points of the rubric."""

    scale: Scale
    """How the people's values were read."""
    cut: int
    """From this grade on a publication counts as relevant."""
    raw: Agreed
    within_one: Agreed
    kappa: Agreed
    quadratic: Agreed
    quadratic_range: Interval | None
    """Over resampled queries; None: all of it comes from one."""
    kappa_at_cut: Agreed
    """Of "relevant" against "not relevant"."""
    gap: Estimate
    judge_rates: Mapping[int, float]
    """Share of each grade among the judge's."""
    human_rates: Mapping[int, float]
    """The same among the people's, after the scale."""
    table: Mapping[tuple[int, int], int]
    """How often (judge, human) came together."""
    n_left_out: int
    """Pairs whose human value the scale leaves out."""
    n_queries: int

    @property
    def n(self) -> int:
        """What was compared."""
        return self.raw.n


def suggested_scale(values: Iterable[int], points: Sequence[int]) -> dict[int, int]:
    """A first proposal: a scale with the same highest grade is taken as it is, another one is stretched evenly from 0.

    Values below 0 mean "not relevant" in many collections, so they count as the lowest grade. To be shown and changed:
    nobody but the user knows what another scale means.

    >>> suggested_scale([0, 3, 5], range(6))
    {0: 0, 3: 3, 5: 5}
    >>> suggested_scale([0, 1, 2, 3], range(6))
    {0: 0, 1: 2, 2: 3, 3: 5}
    """
    there = sorted(set(values))
    if not there or (there[-1] == points[-1] and set(there) <= set(points)):
        return {value: value for value in there}
    high, steps = max(there[-1], 1), len(points) - 1
    # Half a step is rounded up.
    return {value: points[(2 * max(value, 0) * steps + high) // (2 * high)] for value in there}


def checked_scale(scale: Scale, points: Sequence[int]) -> Scale:
    """The same, if everything in it is a grade of the rubric."""
    for value, counted in scale.items():
        if counted not in points:
            raise InputError(
                f"the value {value} is to count as {counted}, but a grade of this rubric is from {points[0]} to "
                f"{points[-1]}"
            )
    return scale


def agreement_with_people(pairs: Sequence[GradedTwice], scale: Scale, *, cut: int, seed: int = 0) -> GradeAgreement:
    """Every number of a judge beside people. Values that the scale leaves out are counted and not compared."""
    kept = [pair for pair in pairs if pair.human in scale]
    judge = [pair.judge for pair in kept]
    human = [scale[pair.human] for pair in kept]
    queries = [pair.query_id for pair in kept]
    differences = [float(a - b) for a, b in zip(judge, human, strict=True)]
    return GradeAgreement(
        scale=dict(scale),
        cut=cut,
        raw=raw_agreement(judge, human),
        within_one=raw_agreement(judge, human, within=1),
        kappa=cohen_kappa(judge, human, weights="none"),
        quadratic=cohen_kappa(judge, human, weights="quadratic"),
        quadratic_range=kappa_range(judge, human, queries, seed=seed),
        kappa_at_cut=kappa_at(judge, human, cut),
        gap=clustered_mean(differences, queries, seed=seed),
        judge_rates=base_rates(judge),
        human_rates=base_rates(human),
        table=dict(sorted(Counter(zip(judge, human, strict=True)).items())),
        n_left_out=len(pairs) - len(kept),
        n_queries=len(set(queries)),
    )


def kappa_at(first: Sequence[int], second: Sequence[int], cut: int) -> Agreed:
    """Cohen's kappa of "at least `cut`" against "less".

    >>> kappa_at([0, 2, 3, 5], [1, 0, 4, 4], 3).value
    1.0
    """
    return cohen_kappa([int(a >= cut) for a in first], [int(b >= cut) for b in second], weights="none")
