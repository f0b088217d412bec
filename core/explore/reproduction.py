"""Check LitQEval's published numbers: equal to ours, possibly equal, or different for a stated reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from core.explore.labs import cosine_area, cosines_to, ellipsoid_area, published_decay, scatter
from core.explore.regions import REGION_LABELS
from core.explore.scene import UndefinedRegion
from core.explore.studies import ThresholdCurve, study_thresholds
from core.metrics import decay, f_beta
from core.settings import PUBLISHED_MIN_SIMILARITY, EvaluationSettings
from core.types import Floats

# The numbers that LitQEval's authors published. Nothing here is computed.

PublishedRegion = Literal["cosine", "cluster", "mvee", "hull"]
PUBLISHED_REGIONS: tuple[PublishedRegion, ...] = get_args(PublishedRegion)
BESIDE_REVIEW = "baseline_beside_review"
"""Label of a baseline that was scored together with the review's search, on another landscape, so its ellipsoid and
hull differ from those of the same baseline scored together with the generated search."""


@dataclass(frozen=True, slots=True)
class PublishedScore:
    topic_id: str
    label: str
    """The label of the version here, or `BESIDE_REVIEW`."""
    text: str
    recall: float
    """Core publications inside the cosine region / all core: not the recall that is computed here."""
    region: PublishedRegion
    semantic_precision: float
    n_relevant: int
    f_beta: float


@dataclass(frozen=True, eq=False)
class PublishedCurve:
    curve: ThresholdCurve
    scores: Floats
    """The authors' own score; NaN where there is none."""


# A published number next to ours.

ReproductionResult = Literal["equal", "possible", "different", "not measured here"]
REPRODUCTION_RESULTS: Mapping[ReproductionResult, str] = {
    "equal": "ours, rounded as printed, is the published number",
    "possible": "it rests on a count that was not published, and a possible count gives the published number",
    "different": "ours is another number; the note says why",
    "not measured here": "the note names what it needs",
}


@dataclass(frozen=True, slots=True)
class ReproducedNumber:
    group: str
    subject: str
    """A topic, a knowledge base or a formula."""
    part: str
    """A version, a set of queries or a parameter value of a formula."""
    region: str
    """Empty: the number does not belong to a region."""
    number: str
    published: float
    decimals: int
    """Number of printed decimals."""
    ours: float | None
    """Never fitted to the published number; None: the necessary data are unknown."""
    result: ReproductionResult
    note: str

    @property
    def region_label(self) -> str:
        return next((label for kind, label in REGION_LABELS.items() if kind == self.region), self.region)

    @property
    def published_text(self) -> str:
        return f"{self.published:,.{self.decimals}f}"

    @property
    def ours_text(self) -> str:
        """Our number with two more decimals than published, as nothing is rounded here; a count has none."""
        return "–" if self.ours is None else f"{self.ours:,.{self.decimals + 2 if self.decimals else 0}f}"


def compare_number(
    group: str,
    subject: str,
    number: str,
    *,
    published: float,
    decimals: int,
    ours: float | None,
    part: str = "",
    region: str = "",
    basis: str = "",
    reason: str = "",
) -> ReproducedNumber:
    """Compare a published number with ours. `basis`: the source of ours; `reason`: why it differs or is missing.

    >>> compare_number("Decay", "Decay", "at 5,000", published=0.725, decimals=3, ours=0.72518).result
    'equal'
    """
    result: ReproductionResult = "equal" if ours is not None and round(ours, decimals) == published else "different"
    if ours is None:
        result = "not measured here"
    note = "; ".join(filter(None, (basis, "" if result == "equal" else reason)))
    return ReproducedNumber(group, subject, part, region, number, published, decimals, ours, result, note)


def count_results(numbers: Iterable[ReproducedNumber]) -> dict[str, Counter[ReproductionResult]]:
    """Count the results of each group, with the groups in order."""
    found: dict[str, Counter[ReproductionResult]] = {}
    for number in numbers:
        found.setdefault(number.group, Counter())[number.result] += 1
    return found


# LitQEval's tables. Their vectors (text-embedding-3-small) were not published: ours are computed from the published
# counts, the threshold curves and the result lists, as far as these are known.

SETTINGS = EvaluationSettings()
MOST_UNSEEN = 200
"""Number of publications below the lowest threshold of a curve to try: the curves lack up to 33."""


@dataclass(frozen=True, slots=True)
class ListCounts:
    """The known sizes of a version's result list."""

    n_retrieved: int
    n_found: int
    """Core publications in the list."""


@dataclass(frozen=True, slots=True)
class _Table:
    file: str
    decimals: int
    recall_decimals: int


_RESULTS = _Table("results.xlsx", 3, 3)
_REVIEWS = _Table("slr_results.xlsx", 2, 2)
_F2_DECIMALS = 2


@dataclass(frozen=True, eq=False)
class PublishedTopic:
    """All known data of one topic, and the counts that follow from it without using a score."""

    topic_id: str
    scores: Mapping[str, Mapping[PublishedRegion, PublishedScore]]
    """By label."""
    curve: ThresholdCurve | None
    lists: Mapping[str, ListCounts] = field(default_factory=dict)
    """By label."""

    @property
    def n_core(self) -> int | None:
        return None if self.curve is None else self.curve.n_core

    @cached_property
    def n_unseen(self) -> int | None:
        """Publications of the generated search below the curve's lowest threshold; None: no list is known."""
        if self.curve is None or "baseline" not in self.lists:
            return None
        seen = int(self.curve.n_relevant[0]) + self.lists["baseline"].n_retrieved
        return max(self.curve.n_retrieved - seen, 0)

    def n_retrieved(self, label: str, n_unseen: int | None = None) -> int | None:
        """Return the size from the list, else from the curve; None if neither is known."""
        name = "baseline" if label == BESIDE_REVIEW else label
        if name in self.lists:
            return self.lists[name].n_retrieved
        if self.curve is None or name not in ("baseline", "predicted"):
            return None
        below = next((n for n in (n_unseen, self.n_unseen) if n is not None), 0)
        generated = int(self.curve.n_relevant[0]) + below
        return generated if name == "predicted" else self.curve.n_retrieved - generated

    def possible_sizes(self, label: str) -> Sequence[int]:
        """Return the possible numbers of retrieved publications: the known one, else all that fit its precisions."""
        known = self.n_retrieved(label)
        if known is not None:
            return (known,)
        scores = list(self.scores[label].values())
        decimals = _table_of(label).decimals
        highest = max(scores, key=lambda score: score.semantic_precision)
        slack = 0.5 * 10**-decimals
        if highest.semantic_precision <= slack:
            return ()
        first = int(highest.n_relevant / (highest.semantic_precision + slack))
        last = int(highest.n_relevant / (highest.semantic_precision - slack)) + 1
        every = np.arange(max(first, 1), last + 1)
        fits = [np.isclose(np.round(s.n_relevant / every, decimals), s.semantic_precision) for s in scores]
        return [int(n) for n in every[np.logical_and.reduce(fits)]]

    def n_accepted(self, label: str) -> int | None:
        """Return the core count in the cosine region, from the recall column; None unless exactly one count fits."""
        recall = next(iter(self.scores[label].values())).recall
        decimals = _table_of(label).recall_decimals
        n_core = self.n_core or 0
        fitting = [m for m in range(n_core + 1) if n_core and round(m / n_core, decimals) == recall]
        return fitting[0] if len(fitting) == 1 else None

    def n_found(self, label: str) -> int | None:
        """Return the number of core publications in the list, if it is known without the score."""
        name = "baseline" if label == BESIDE_REVIEW else label
        if name in self.lists:
            return self.lists[name].n_found
        if self.curve is None:
            return None
        on_curve = int(self.curve.n_accepted_core[0])
        if name == "predicted":
            return on_curve
        # If the core inside the region equals the core that a wider search finds there, there is only one possible
        # count.
        if name == "baseline" and self._is_part_of_the_generated_search(label) and self.n_accepted(label) == on_curve:
            return on_curve
        return None

    def _is_part_of_the_generated_search(self, label: str) -> bool:
        generated = next(iter(self.scores.get("predicted", {}).values()), None)
        text = next(iter(self.scores[label].values())).text.lower()
        return generated is not None and f"({text})" in generated.text

    def core_count(self, score: PublishedScore) -> int | None:
        """Return the number of core publications in this region's F2, or None if it was not published.

        For a cluster it never was. For an ellipsoid or hull it is the core found: any number fits if nothing is inside.
        """
        if score.region == "cosine":
            return self.n_accepted(score.label)
        if score.region == "cluster":
            return None
        found = self.n_found(score.label)
        return 0 if found is None and score.n_relevant == 0 else found

    def possible_core_counts(self, score: PublishedScore) -> Sequence[int]:
        """Return all possible core counts. Ellipsoid and hull share one, no smaller than the cosine region's."""
        if self.n_core is None:
            return ()
        if score.region not in ("mvee", "hull"):
            return range(self.n_core + 1)
        of_label, sizes = self.scores[score.label], self.possible_sizes(score.label)
        counts = range(self.n_accepted(score.label) or 0, self.n_core + 1)
        both = [of_label[region] for region in _SHARE_THEIR_CORE if region in of_label]
        fitting = [{m for _, m in _fitting(s, sizes, counts, self.n_core)} for s in both]
        return sorted(set.intersection(*fitting))


_SHARE_THEIR_CORE: tuple[PublishedRegion, ...] = ("mvee", "hull")


def _table_of(label: str) -> _Table:
    return _REVIEWS if label in ("slr", BESIDE_REVIEW) else _RESULTS


def _precision_fits(score: PublishedScore, n_retrieved: int, decimals: int) -> bool:
    return n_retrieved > 0 and round(score.n_relevant / n_retrieved, decimals) == score.semantic_precision


def _f2(n_relevant: int, n_retrieved: Floats, n_counted: Floats, n_core: int) -> Floats:
    """Compute F2 for every pair of a retrieved and a core count, one row per retrieved count."""
    precision = n_relevant / n_retrieved[:, None] * decay(n_relevant, **SETTINGS.decay_curve)
    return f_beta(precision, n_counted[None, :] / n_core, beta=SETTINGS.beta)


def _fitting(score: PublishedScore, sizes: Sequence[int], counts: Sequence[int], n_core: int) -> list[tuple[int, int]]:
    """Return the retrieved and core counts with which the formula gives the published F2."""
    sizes = [n for n in sizes if n > 0]
    if not sizes or not counts:
        return []
    of_pairs = _f2(score.n_relevant, np.array(sizes, dtype=np.float64), np.array(counts, dtype=np.float64), n_core)
    rows, columns = np.nonzero(np.isclose(np.round(of_pairs, _F2_DECIMALS), score.f_beta))
    return [(sizes[row], counts[column]) for row, column in zip(rows.tolist(), columns.tolist(), strict=True)]


NEEDS_CURVE = "needs the topic's curve in published_threshold_curves.csv"
NEEDS_LIST = "needs the result list of this search"
NO_COUNT = "no count gives the published number"


def litqeval_numbers(
    scores: Sequence[PublishedScore],
    curves: Sequence[PublishedCurve],
    lists: Mapping[tuple[str, str], ListCounts],
) -> tuple[ReproducedNumber, ...]:
    """Compare every number that LitQEval published with ours. `lists`: the known lists, by topic and label."""
    curve_of = {published.curve.topic_id: published.curve for published in curves}
    topics = [
        PublishedTopic(
            topic_id,
            {
                label: {s.region: s for s in scores if (s.topic_id, s.label) == (topic_id, label)}
                for label in dict.fromkeys(s.label for s in scores if s.topic_id == topic_id)
            },
            curve_of.get(topic_id),
            {label: counts for (topic, label), counts in lists.items() if topic == topic_id},
        )
        for topic_id in dict.fromkeys(score.topic_id for score in scores)
    ]
    found: list[ReproducedNumber] = []
    for table in (_RESULTS, _REVIEWS):
        of_table = [(t, label) for t in topics for label in t.scores if _table_of(label) == table]
        found += [number for topic, label in of_table for number in _f2_numbers(topic, label)]
        found += [number for topic, label in of_table for number in _precision_numbers(topic, label)]
        found += [_recall_number(topic, label) for topic, label in of_table]
    return (*found, *_curve_numbers(curves), *_toy_numbers(), *_decay_numbers())


def _f2_numbers(topic: PublishedTopic, label: str) -> Iterator[ReproducedNumber]:
    n_retrieved, sizes, n_core = topic.n_retrieved(label), topic.possible_sizes(label), topic.n_core
    for region, score in topic.scores[label].items():
        count = topic.core_count(score)
        ours, basis, reason = None, "", NEEDS_CURVE
        result: ReproductionResult | None = None
        if n_core is not None and n_retrieved and count is not None:
            ours = float(_f2(score.n_relevant, np.array([n_retrieved]), np.array([count]), n_core)[0, 0])
            basis = f"{score.n_relevant:,} relevant of {n_retrieved:,} retrieved"
            basis += f", {count} of {n_core} core" if score.n_relevant else ""
            fitting = _fitting(score, sizes, range(n_core + 1), n_core)
            reason = f"the published number needs {_admitted(fitting, sizes, n_core)}" if fitting else NO_COUNT
        elif n_core is not None:
            counts = topic.possible_core_counts(score) if count is None else (count,)
            fitting = _fitting(score, sizes, counts, n_core)
            result = "possible" if fitting else "different"
            reason = f"equal with {_admitted(fitting, sizes, n_core)}" if fitting else NO_COUNT
        number = compare_number(
            f"F2 ({_table_of(label).file})",
            topic.topic_id,
            "F2",
            published=score.f_beta,
            decimals=_F2_DECIMALS,
            ours=ours,
            part=label,
            region=region,
            basis=basis,
            reason=reason,
        )
        yield number if result is None else replace(number, result=result)


def _admitted(fitting: Sequence[tuple[int, int]], sizes: Sequence[int], n_core: int) -> str:
    """Describe the possible counts in words.

    >>> _admitted([(90, 3), (90, 4)], [90], 12)
    '3 to 4 of 12 core (not published)'
    """
    cores, retrieved = [m for _, m in fitting], [n for n, _ in fitting]
    text = f"{_span(min(cores), max(cores))} of {n_core} core"
    if len(sizes) > 1:
        text += f" and {_span(min(retrieved), max(retrieved))} retrieved"
    return f"{text} (not published)"


def _span(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _precision_numbers(topic: PublishedTopic, label: str) -> Iterator[ReproducedNumber]:
    table, n_retrieved, sizes = _table_of(label), topic.n_retrieved(label), topic.possible_sizes(label)
    unseen = _fitting_unseen(topic)
    for region, score in topic.scores[label].items():
        ours, basis, reason = None, "", NEEDS_CURVE if topic.curve is None else NEEDS_LIST
        result: ReproductionResult | None = None
        if n_retrieved:
            ours = score.n_relevant / n_retrieved
            basis = f"{score.n_relevant:,} relevant of {n_retrieved:,} retrieved"
            reason = "no other count of retrieved publications fits all regions of this topic"
            other = topic.n_retrieved(label, unseen)
            if unseen and not _precision_fits(score, n_retrieved, table.decimals) and other is not None:
                result = "possible"
                reason = (
                    f"equal with {other:,}: which search found those below 0.15, where the curve begins, is not known"
                )
        elif sizes and n_retrieved is None:
            result = "possible"
            reason = f"equal with {_span(sizes[0], sizes[-1])} retrieved (not published)"
        number = compare_number(
            f"Semantic precision ({table.file})",
            topic.topic_id,
            "Semantic precision",
            published=score.semantic_precision,
            decimals=table.decimals,
            ours=ours,
            part=label,
            region=region,
            basis=basis,
            reason=reason,
        )
        yield number if result is None else replace(number, result=result)


def _fitting_unseen(topic: PublishedTopic) -> int | None:
    """Return the fewest publications below the curve with which all precisions of results.xlsx fit, or None."""
    if topic.curve is None or topic.n_unseen is not None:
        return None
    rows = [(label, s) for label, of in topic.scores.items() if _table_of(label) == _RESULTS for s in of.values()]
    for n_unseen in range(MOST_UNSEEN + 1):
        if all(_precision_fits(s, topic.n_retrieved(label, n_unseen) or 0, _RESULTS.decimals) for label, s in rows):
            return n_unseen
    return None


def _recall_number(topic: PublishedTopic, label: str) -> ReproducedNumber:
    table, n_core = _table_of(label), topic.n_core
    published = next(iter(topic.scores[label].values())).recall
    ours, basis, reason = None, "", NEEDS_CURVE if n_core is None else NEEDS_LIST
    name = "baseline" if label == BESIDE_REVIEW else label
    if n_core and topic.curve is not None and label == "predicted":
        nearest = int(np.abs(topic.curve.min_similarity - PUBLISHED_MIN_SIMILARITY).argmin())
        n_accepted = int(topic.curve.n_accepted_core[nearest])
        ours, basis = n_accepted / n_core, f"{n_accepted} of {n_core} core inside the cosine region, from the curve"
    elif n_core and name in topic.lists:
        n_found, n_accepted_there = topic.lists[name].n_found, topic.n_accepted(label)
        ours, basis = n_found / n_core, f"{n_found} of {n_core} core found"
        reason = f"the published recall counts the core inside the cosine region ({n_accepted_there})"
    return compare_number(
        f"Recall ({table.file})",
        topic.topic_id,
        "Recall",
        published=published,
        decimals=table.recall_decimals,
        ours=ours,
        part=label,
        basis=basis,
        reason=reason,
    )


# Curves, the resulting threshold, and the numbers that need no collection.

CURVE_TOLERANCE = 1e-12


def _curve_numbers(curves: Sequence[PublishedCurve]) -> Iterator[ReproducedNumber]:
    if not curves:
        return
    study = study_thresholds([published.curve for published in curves], score="source", settings=SETTINGS)
    for ours, theirs in zip(study.topics, curves, strict=True):
        defined = np.isfinite(theirs.scores)
        apart = np.abs(ours.scores - theirs.scores)
        n_equal = int((apart[defined] <= CURVE_TOLERANCE).sum())
        n_undefined = int((np.isfinite(ours.scores) != defined).sum())
        largest = float(np.nanmax(apart[defined], initial=0.0))
        yield compare_number(
            "Threshold curves (published_threshold_curves.csv)",
            ours.topic_id,
            "Scores equal to 1e-12",
            published=int(defined.sum()),
            decimals=0,
            ours=n_equal - n_undefined,
            basis=f"largest difference {largest:.1g}",
            reason=f"{n_undefined} points are undefined on one side only"
            if n_undefined
            else "another formula or scale",
        )
    mean, with_decay = study.mean_of_best, _mean_of_best_with_decay(curves)
    yield compare_number(
        "Similarity threshold",
        f"{len(study.counted)} topics",
        "Mean of the topics' best thresholds",
        published=PUBLISHED_MIN_SIMILARITY,
        decimals=2,
        ours=mean,
        basis="" if mean is None else f"{mean:.5f} by the source's score; {with_decay:.3f} by F2 with decay",
        reason="of these topics only" if len(study.counted) < N_TOPICS else "",
    )


N_TOPICS = 21
"""Number of topics in LitQEval."""


def _mean_of_best_with_decay(curves: Sequence[PublishedCurve]) -> float:
    study = study_thresholds([published.curve for published in curves], score="ours", settings=SETTINGS)
    return float("nan") if study.mean_of_best is None else study.mean_of_best


TOY_THRESHOLD, TOY_SIMILAR, TOY_INSIDE = 0.946089, 96, 50


def _toy_numbers() -> Iterator[ReproducedNumber]:
    group, toy = "Toy of the first figures", scatter(0)
    least = float(cosines_to(toy.core.mean(axis=0), toy.core).min())
    areas = cosine_area(toy, toy.core), ellipsoid_area(toy, toy.core)
    n_similar, n_inside = (None if isinstance(a, UndefinedRegion) else int(a.relevant_mask.sum()) for a in areas)
    raw = "raw coordinates, as published; rows of unit length give 95"
    yield compare_number(
        group, "Toy", "Similarity threshold", published=TOY_THRESHOLD, decimals=6, ours=least, region="cosine"
    )
    rows = (("cosine", TOY_SIMILAR, n_similar, raw), ("mvee", TOY_INSIDE, n_inside, ""))
    for region, published, ours, basis in rows:
        yield compare_number(
            group, "Toy", "Relevant of 200", published=published, decimals=0, ours=ours, region=region, basis=basis
        )


PUBLISHED_DECAY: Mapping[int, float] = {
    1_000: 0.972073,
    5_000: 0.725180,
    10_000: 0.391807,
    17_573: 0.096667,
    20_000: 0.054114,
    30_000: 0.001930,
}
"""The published formula's decay, by number of relevant publications."""
BEYOND_LIMIT, PUBLISHED_BEYOND = 100_000, 417.6


def _decay_numbers() -> Iterator[ReproducedNumber]:
    group = "Decay"
    for n, published in PUBLISHED_DECAY.items():
        yield compare_number(
            group,
            "Decay",
            "Decay",
            published=published,
            decimals=6,
            ours=decay(n, **SETTINGS.decay_curve),
            part=f"{n:,} relevant",
            basis="published: what the printed formula gives",
        )
    formula = published_decay(BEYOND_LIMIT, **SETTINGS.decay_curve)
    yield compare_number(
        group,
        "Decay",
        "Decay",
        published=PUBLISHED_BEYOND,
        decimals=1,
        ours=decay(BEYOND_LIMIT, **SETTINGS.decay_curve),
        part=f"{BEYOND_LIMIT:,} relevant",
        reason=f"the published formula rises again beyond the limit ({formula:.1f}); here it stays 0",
    )
