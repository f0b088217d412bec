"""Studies over many topics: scores, similarity thresholds, core sets, and the template that finds surveys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from operator import itemgetter
from statistics import median
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from core.errors import InputError, MisalignedError
from core.explore.evaluate import Evaluation
from core.explore.regions import REGION_LABELS
from core.kmeans import Clustering, Rows, n_distinct_rows, solutions
from core.metrics import METRICS, Counts, decay, f_beta
from core.protocols import OnProgress
from core.query.dialects import DIALECTS
from core.query.lexer import with_tag
from core.query.parser import parse
from core.query.translation import write
from core.query.tree import Group, Node, Not, Range, Term, group_of, parts_joined, parts_of, terms_in
from core.settings import EvaluationSettings
from core.text import STOP_WORDS, words
from core.types import Floats, Ids, Origin, RegionKind

# The scores of many topics side by side: values by metric and region, differences, and correlations of metrics.

FEWEST_TOPICS = 4
"""A correlation over fewer topics is meaningless: three points are always nearly on a line."""
FEW_TOPICS = 8
"""With fewer topics, every correlation carries a warning."""
REGION_METRICS = ("semantic_precision", "f_beta", "decay", "n_relevant")
STUDY_METRICS = ("recall", "semantic_precision", "f_beta", "decay", "n_relevant", "n_retrieved")
"""Metrics that can be compared over topics, most requested first."""
SIZES = {"n_relevant": "Relevant publications", "n_retrieved": "Retrieved publications"}
ORIGIN_LABELS: dict[Origin, str] = {
    "baseline": "Baseline",
    "generated": "Generated",
    "manual": "Manual",
    "review": "Review",
}


@dataclass(frozen=True, slots=True)
class RegionNumbers:
    """The scores of one region for a version, without its decisions. Undefined numbers are None."""

    status: str
    """"ok", or the reason why there is no region."""
    n_relevant: int | None = None
    semantic_precision: float | None = None
    decay: float | None = None
    f_beta: float | None = None
    degenerate: str | None = None
    """The reason why the scores are meaningless although they exist."""


@dataclass(frozen=True, slots=True)
class TopicScores:
    topic_id: str
    label: str
    n_core: int
    n_retrieved: int
    n_found: int
    n_scorable: int | None = None
    """None: there are no vectors, so there is no region."""
    regions: Mapping[RegionKind, RegionNumbers] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def recall(self) -> float:
        """Found core / all core; the core is never empty."""
        return self.n_found / self.n_core

    @classmethod
    def of(cls, evaluation: Evaluation, label: str) -> TopicScores:
        names = RegionNumbers.__dataclass_fields__
        return cls(
            topic_id=evaluation.topic_id,
            label=label,
            n_core=len(evaluation.core_ids),
            n_retrieved=evaluation.n_retrieved,
            n_found=len(evaluation.found_core_ids),
            n_scorable=evaluation.n_scorable,
            regions={
                kind: RegionNumbers(**{name: getattr(scores, name) for name in names})
                for kind, scores in evaluation.regions.items()
            },
            warnings=evaluation.warnings,
        )

    def value(self, what: TopicScoreColumn) -> float | None:
        """Return one number, or None if it is undefined."""
        if what.region is None:
            return float(getattr(self, what.metric))
        region = self.regions.get(what.region)
        number = None if region is None else getattr(region, what.metric)
        return None if number is None else float(number)

    def reason(self, what: TopicScoreColumn) -> str | None:
        """Return the reason why a number is undefined, or None if it is defined."""
        if self.value(what) is not None:
            return None
        region = None if what.region is None else self.regions.get(what.region)
        return "needs vectors" if region is None else region.status

    def degenerate(self, what: TopicScoreColumn) -> str | None:
        """Return the reason why an existing number is meaningless, or None if it is not."""
        region = None if what.region is None else self.regions.get(what.region)
        return None if region is None else region.degenerate


@dataclass(frozen=True, slots=True)
class TopicScoreColumn:
    """One number of every version: a metric, and its region."""

    metric: str
    region: RegionKind | None = None


def columns_of(metrics: Sequence[str], regions: Sequence[RegionKind]) -> tuple[TopicScoreColumn, ...]:
    """Return each metric in each region; recall and list sizes only once.

    >>> [(c.metric, c.region) for c in columns_of(["recall", "decay"], ["cosine", "hull"])]
    [('recall', None), ('decay', 'cosine'), ('decay', 'hull')]
    """
    return tuple(
        TopicScoreColumn(metric, region)
        for metric in metrics
        for region in (regions if metric in REGION_METRICS else (None,))
    )


def metric_label(metric: str, beta: float = 2.0) -> str:
    """Return the name of a metric in figures and tables.

    >>> metric_label("f_beta"), metric_label("n_retrieved")
    ('F2 (with decay)', 'Retrieved publications')
    """
    return f"F{beta:g} (with decay)" if metric == "f_beta" else SIZES.get(metric) or METRICS[metric].label


def column_label(column: TopicScoreColumn, beta: float = 2.0) -> str:
    name = metric_label(column.metric, beta)
    return name if column.region is None else f"{name}, {REGION_LABELS[column.region].lower()}"


@dataclass(frozen=True, slots=True)
class TopicScoreChange:
    """B minus A of one number for one topic."""

    value: float | None
    why: str | None = None
    """The reason why the change is undefined or meaningless."""

    @property
    def degenerate(self) -> bool:
        """True if the change exists, but one of its two numbers is meaningless."""
        return self.value is not None and self.why is not None


def change(a: TopicScores, b: TopicScores, what: TopicScoreColumn) -> TopicScoreChange:
    """Return the second topic's value minus the first's."""
    values = a.value(what), b.value(what)
    if values[0] is None or values[1] is None:
        return TopicScoreChange(None, "; ".join(f"{s.label}: {why}" for s in (a, b) if (why := s.reason(what))))
    why = "; ".join(f"{s.label}: {why}" for s in (a, b) if (why := s.degenerate(what)))
    return TopicScoreChange(values[1] - values[0], why or None)


@dataclass(frozen=True, eq=False)
class Correlations:
    """Correlations of numbers over topics. NaN if too few topics have both, or one of them does not vary."""

    columns: tuple[TopicScoreColumn, ...]
    pearson: Floats
    spearman: Floats
    n: npt.NDArray[np.int64]
    """Number of topics that have both numbers."""


def correlate(scores: Sequence[TopicScores], columns: Sequence[TopicScoreColumn]) -> Correlations:
    """Correlate every pair of numbers over the topics that have both. Degenerate numbers are ignored."""
    from scipy.stats import rankdata  # takes half a second to import

    table = np.array(
        [[np.nan if s.degenerate(c) or (v := s.value(c)) is None else v for c in columns] for s in scores],
        dtype=np.float64,
    ).reshape(len(scores), len(columns))
    size = len(columns)
    pearson, spearman = np.full((size, size), np.nan), np.full((size, size), np.nan)
    n = np.zeros((size, size), dtype=np.int64)
    for i in range(size):
        for j in range(i, size):
            both = np.isfinite(table[:, i]) & np.isfinite(table[:, j])
            n[i, j] = n[j, i] = int(both.sum())
            if n[i, j] >= FEWEST_TOPICS:
                x, y = table[both, i], table[both, j]
                pearson[i, j] = pearson[j, i] = correlation(x, y)
                spearman[i, j] = spearman[j, i] = correlation(rankdata(x), rankdata(y))
    return Correlations(tuple(columns), pearson, spearman, n)


def correlation(x: Floats, y: Floats) -> float:
    """Return Pearson's correlation, between -1 and 1. NaN if one of the two does not vary.

    >>> correlation(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    1.0
    """
    if not len(x) or x.min() == x.max() or y.min() == y.max():
        return float("nan")
    a, b = (values - values.mean() for values in (x, y))
    a, b = a / np.abs(a).max(), b / np.abs(b).max()
    return float(np.clip((a @ b) / np.sqrt((a @ a) * (b @ b)), -1.0, 1.0))


# One similarity threshold for many topics: the best of each topic, the best for all, and its cost for each topic.
#
# Every topic has a curve: the publications accepted at each threshold. All curves are scored alike, in one of two ways.

StudyScore = Literal["source", "ours"]
"""`source`: LitQEval's objective, F-beta of inverse precision, scaled to [0, 1] over all points of all topics.
`ours`: F-beta with decay."""


@dataclass(frozen=True, eq=False)
class ThresholdCurve:
    topic_id: str
    min_similarity: Floats
    """Thresholds, ascending."""
    n_relevant: Counts
    n_accepted_core: Counts
    n_retrieved: int
    """The denominator of inverse precision."""
    n_scorable: int
    """The denominator of semantic precision."""
    n_core: int
    """Number of core publications of the topic."""

    def __post_init__(self) -> None:
        n = len(self.min_similarity)
        if not n or len(self.n_relevant) != n or len(self.n_accepted_core) != n:
            raise InputError(
                f'the curve of "{self.topic_id}" needs as many counts as thresholds, and one at least: {n} thresholds, '
                f"{len(self.n_relevant)} counts of relevant publications, {len(self.n_accepted_core)} of core ones"
            )
        if not np.isfinite(self.min_similarity).all() or (np.diff(self.min_similarity) <= 0).any():
            raise InputError(f'the thresholds of the curve of "{self.topic_id}" must rise')
        if self.n_core < 1 or min(self.n_relevant.min(), self.n_accepted_core.min()) < 0:
            raise InputError(f'the curve of "{self.topic_id}" needs a core publication and counts of 0 or more')


@dataclass(frozen=True, eq=False)
class ScoredCurve:
    curve: ThresholdCurve
    scores: Floats
    """NaN if nothing is accepted and the score is undefined."""

    @property
    def topic_id(self) -> str:
        return self.curve.topic_id

    @cached_property
    def best(self) -> int | None:
        """Position of the highest score, in a tie the loosest threshold; None if no threshold accepts any core."""
        if not (self.curve.n_accepted_core > 0).any() or not np.isfinite(self.scores).any():
            return None
        return int(np.nanargmax(self.scores))

    @property
    def best_threshold(self) -> float | None:
        return None if self.best is None else float(self.curve.min_similarity[self.best])

    @property
    def best_score(self) -> float | None:
        return None if self.best is None else float(self.scores[self.best])

    def scores_at(self, thresholds: Floats) -> Floats:
        """Return scores at any thresholds: those of the next stricter one on the curve; 0 if nothing is accepted."""
        with_none = np.append(np.nan_to_num(self.scores, nan=0.0), 0.0)
        return with_none[np.searchsorted(self.curve.min_similarity, thresholds, side="left")]


@dataclass(frozen=True, slots=True)
class ThresholdCost:
    topic_id: str
    best_threshold: float
    best_score: float
    score: float
    """At the single threshold."""

    @property
    def cost(self) -> float:
        """The score there minus the topic's best: 0 or less."""
        return self.score - self.best_score


@dataclass(frozen=True, eq=False)
class ThresholdStudy:
    """Curves of several topics under one score. A topic without a best threshold is not counted."""

    score: StudyScore
    topics: tuple[ScoredCurve, ...]
    thresholds: Floats
    """Every threshold of any topic, ascending."""
    mean_scores: Floats
    """Mean over the topics at each threshold."""

    @property
    def counted(self) -> tuple[ScoredCurve, ...]:
        """The topics with a best threshold."""
        return tuple(topic for topic in self.topics if topic.best is not None)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The topics without any accepted core publication at any threshold."""
        return tuple(topic.topic_id for topic in self.topics if topic.best is None)

    @property
    def mean_of_best(self) -> float | None:
        """Mean of the topics' best thresholds, which is the origin of LitQEval's 0.69. None without any."""
        best = [topic.best_threshold for topic in self.counted]
        return float(np.mean([b for b in best if b is not None])) if best else None

    @property
    def single(self) -> float | None:
        """The threshold with the highest mean score, in a tie the loosest. None without any."""
        return float(self.thresholds[int(np.argmax(self.mean_scores))]) if len(self.thresholds) else None

    def mean_score_at(self, threshold: float) -> float | None:
        found = [float(topic.scores_at(np.array([threshold]))[0]) for topic in self.counted]
        return float(np.mean(found)) if found else None

    def costs(self, threshold: float) -> tuple[ThresholdCost, ...]:
        """Return the cost of this threshold for each topic, highest first."""
        found = [
            ThresholdCost(topic.topic_id, topic.best_threshold, topic.best_score, float(score))
            for topic in self.counted
            for score in topic.scores_at(np.array([threshold]))
            if topic.best_threshold is not None and topic.best_score is not None
        ]
        return tuple(sorted(found, key=lambda one: (one.cost, one.topic_id)))


def study_thresholds(
    curves: Sequence[ThresholdCurve], *, score: StudyScore, settings: EvaluationSettings
) -> ThresholdStudy:
    """Score every curve, and find one threshold for all of them.

    >>> grid = np.array([0.2, 0.4, 0.6])
    >>> curves = [
    ...     ThresholdCurve("a", grid, np.array([90, 20, 4]), np.array([4, 4, 2]), 100, 100, 4),
    ...     ThresholdCurve("b", grid, np.array([90, 60, 30]), np.array([5, 5, 5]), 100, 100, 5),
    ... ]
    >>> study = study_thresholds(curves, score="source", settings=EvaluationSettings())
    >>> study.mean_of_best, study.single
    (0.5, 0.4)
    """
    if len({curve.topic_id for curve in curves}) != len(curves):
        raise InputError("a topic has two curves: pass one for each topic")
    scores = scores_of_source(curves, settings) if score == "source" else [our_scores(c, settings) for c in curves]
    topics = tuple(ScoredCurve(curve, of_topic) for curve, of_topic in zip(curves, scores, strict=True))
    counted = [topic for topic in topics if topic.best is not None]
    if not counted:
        return ThresholdStudy(score, topics, np.empty(0), np.empty(0))
    thresholds = np.unique(np.concatenate([topic.curve.min_similarity for topic in counted]))
    total = np.zeros(len(thresholds))
    for topic in counted:
        total += topic.scores_at(thresholds)
    return ThresholdStudy(score, topics, thresholds, total / len(counted))


def our_scores(curve: ThresholdCurve, settings: EvaluationSettings) -> Floats:
    """Return F-beta with decay at every threshold; 0 if nothing is accepted."""
    precision = curve.n_relevant / max(curve.n_scorable, 1)
    return f_beta(
        precision * decay(curve.n_relevant, **settings.decay_curve),
        curve.n_accepted_core / curve.n_core,
        beta=settings.beta,
    )


def scores_of_source(curves: Sequence[ThresholdCurve], settings: EvaluationSettings) -> list[Floats]:
    """Return F-beta of inverse precision, scaled so that the lowest finite point of all curves is 0 and the highest 1.

    NaN if nothing is accepted, because the inverse precision is then infinite.
    """
    raw = []
    for curve in curves:
        inverse = curve.n_retrieved / np.maximum(curve.n_relevant, 1)
        of_curve = f_beta(inverse, curve.n_accepted_core / curve.n_core, beta=settings.beta)
        raw.append(np.where(curve.n_relevant > 0, of_curve, np.nan))
    every = np.concatenate([*raw, np.empty(0)])
    finite = every[np.isfinite(every)]
    if not len(finite):
        return raw
    low, high = float(finite.min()), float(finite.max())
    return [(of_curve - low) / ((high - low) or 1.0) for of_curve in raw]


# Core publications of many topics: a profile of them, and the agreement of their clusters with the topics.

SurveyKind = Literal["bibliometric", "systematic review"]
SURVEY_KINDS: tuple[SurveyKind, ...] = get_args(SurveyKind)


@dataclass(frozen=True, slots=True)
class CorePublication:
    publication_id: str
    title: str
    year: int | None
    times_cited: int | None
    has_abstract: bool

    @property
    def has_metadata(self) -> bool:
        """True if the source gave a year or a citation count."""
        return self.year is not None or self.times_cited is not None


@dataclass(frozen=True, slots=True)
class TopicCore:
    topic_id: str
    made_up: bool
    survey_kind: SurveyKind | None
    """None: unknown."""
    survey_id: str | None
    survey_title: str
    """Empty: unknown."""
    survey_year: int | None
    publications: tuple[CorePublication, ...]

    def __len__(self) -> int:
        return len(self.publications)

    @property
    def core_ids(self) -> Ids:
        return tuple(p.publication_id for p in self.publications)

    @property
    def years(self) -> tuple[int | None, ...]:
        return tuple(p.year for p in self.publications)

    @property
    def times_cited(self) -> tuple[int | None, ...]:
        """Citation count of each publication; None: unknown, which is not 0."""
        return tuple(p.times_cited for p in self.publications)

    @property
    def years_before_survey(self) -> tuple[int | None, ...]:
        """Age of each publication when the survey appeared; negative: younger than the survey."""
        at = self.survey_year
        return tuple(None if at is None or year is None else at - year for year in self.years)

    @property
    def n_without_abstract(self) -> int:
        return sum(not p.has_abstract for p in self.publications)

    @property
    def n_without_metadata(self) -> int:
        """Number of publications with neither year nor citations."""
        return sum(not p.has_metadata for p in self.publications)


@dataclass(frozen=True, slots=True)
class CoreSetFacts:
    """Summary numbers of several core sets. A publication in several topics is one publication."""

    n_topics: int
    n_entries: int
    """Core publications, counted once for each topic that contains them."""
    n_publications: int
    """The same publications, each counted once."""
    n_in_several: int
    n_without_abstract: int
    n_without_metadata: int
    n_without_citations: int
    n_never_cited: int
    median_times_cited: float | None
    """None: unknown for every publication."""
    median_years_before_survey: float | None
    """Over the entries, because a publication can be in two surveys."""


CoreCount = Literal[
    "entries", "publications", "in_several", "without_abstract", "without_metadata", "without_citations", "never_cited"
]


def counted_core(topics: Sequence[TopicCore]) -> dict[CoreCount, tuple[CorePublication, ...]]:
    """Return the core publications behind each count in `CoreSetFacts`."""
    entries = tuple(chain.from_iterable(topic.publications for topic in topics))
    each = tuple({p.publication_id: p for p in entries}.values())
    n_topics_of = Counter(p.publication_id for p in entries)
    return {
        "entries": entries,
        "publications": each,
        "in_several": tuple(p for p in each if n_topics_of[p.publication_id] > 1),
        "without_abstract": tuple(p for p in each if not p.has_abstract),
        "without_metadata": tuple(p for p in each if not p.has_metadata),
        "without_citations": tuple(p for p in each if p.times_cited is None),
        "never_cited": tuple(p for p in each if p.times_cited == 0),
    }


def facts_of(topics: Sequence[TopicCore]) -> CoreSetFacts:
    counted = counted_core(topics)
    n = {name: len(some) for name, some in counted.items()}
    cited = [p.times_cited for p in counted["publications"] if p.times_cited is not None]
    ages = [age for topic in topics for age in topic.years_before_survey if age is not None]
    return CoreSetFacts(
        n_topics=len(topics),
        n_entries=n["entries"],
        n_publications=n["publications"],
        n_in_several=n["in_several"],
        n_without_abstract=n["without_abstract"],
        n_without_metadata=n["without_metadata"],
        n_without_citations=n["without_citations"],
        n_never_cited=n["never_cited"],
        median_times_cited=float(median(cited)) if cited else None,
        median_years_before_survey=float(median(ages)) if ages else None,
    )


def facts_by_kind(topics: Sequence[TopicCore]) -> dict[SurveyKind | None, CoreSetFacts]:
    """Return the facts for each kind of survey that occurs; None: the kind is unknown."""
    kinds = [kind for kind in (*SURVEY_KINDS, None) if any(topic.survey_kind == kind for topic in topics)]
    return {kind: facts_of([topic for topic in topics if topic.survey_kind == kind]) for kind in kinds}


def in_several(topics: Iterable[TopicCore]) -> dict[str, Ids]:
    """Return the publications that are core in more than one topic, with these topics in order."""
    homes: dict[str, list[str]] = {}
    for topic in topics:
        for publication_id in topic.core_ids:
            homes.setdefault(publication_id, []).append(topic.topic_id)
    return {publication_id: tuple(of) for publication_id, of in homes.items() if len(of) > 1}


@dataclass(frozen=True, slots=True)
class ClusterMix:
    label: int
    n: int
    majority: str
    """The topic with the most publications in the cluster; in a tie the first by name."""
    n_majority: int

    @property
    def purity(self) -> float:
        return self.n_majority / self.n


@dataclass(frozen=True, eq=False)
class Purity:
    topics: Ids
    """Sorted; the rows of `counts`."""
    clusters: tuple[ClusterMix, ...]
    """By majority topic, largest first; the columns of `counts`."""
    counts: npt.NDArray[np.int64]
    """Publications of each topic in each cluster."""

    @property
    def number_of(self) -> Mapping[int, int]:
        """The number of each label: its position among `clusters`, from 1, because labels themselves are arbitrary."""
        return {cluster.label: number for number, cluster in enumerate(self.clusters, 1)}

    @property
    def overall(self) -> float:
        """The share of publications in a cluster whose majority is their own topic.

        1: every cluster holds one topic only. The minimum is the share of the largest topic. Purity rises with the
        number of clusters, so compare it only at the same number.
        """
        return sum(cluster.n_majority for cluster in self.clusters) / int(self.counts.sum())

    @property
    def of_topic(self) -> Mapping[str, float]:
        """The same share for each topic. 0: the topic has the majority of no cluster."""
        own = np.array([[cluster.majority == topic for cluster in self.clusters] for topic in self.topics])
        shares = (self.counts * own).sum(axis=1) / self.counts.sum(axis=1)
        return dict(zip(self.topics, shares.tolist(), strict=True))

    @property
    def largest_share(self) -> Mapping[str, float]:
        """The largest share of each topic's publications in one cluster, regardless of its majority.

        Higher than the topic's purity if another topic has the majority of that cluster: the two lie together.
        """
        shares = self.counts.max(axis=1) / self.counts.sum(axis=1)
        return dict(zip(self.topics, shares.tolist(), strict=True))

    @property
    def joined_to(self) -> Mapping[str, str]:
        """Topics without a cluster of their own that lie mostly in one, each with that cluster's majority topic."""
        together = {}
        for row, topic in enumerate(self.topics):
            fullest = int(self.counts[row].argmax())
            if not self.of_topic[topic] and self.largest_share[topic] > 0.5:
                together[topic] = self.clusters[fullest].majority
        return together

    # From the table of counts, without labels. scikit-learn's values differ in their last digits.

    @property
    def adjusted_rand(self) -> float:
        """The adjusted Rand index: agreement of clusters and topics on pairs of publications (together or separate).

        1: always. About 0: as often as by chance; slightly below is possible. 1 if neither splits anything.
        Reference: Hubert and Arabie 1985.
        """
        pairs = [float((n * (n - 1.0) / 2).sum()) for n in (self.counts, self.counts.sum(axis=1), self.counts.sum(0))]
        n = int(self.counts.sum())
        by_chance = pairs[1] * pairs[2] / (n * (n - 1) / 2) if n > 1 else 0.0
        most = (pairs[1] + pairs[2]) / 2
        return 1.0 if most == by_chance else (pairs[0] - by_chance) / (most - by_chance)

    @property
    def mutual_information(self) -> float:
        """The normalised mutual information: the information that clusters and topics give about each other.

        `2 I(topic; cluster) / (H(topic) + H(cluster))`. 1: complete. 0: none; also 0 if only one of the two is a single
        group, and 1 if both are. Not adjusted for chance: it grows with the number of clusters.
        """
        shares = self.counts / self.counts.sum()
        alone = _entropy(shares.sum(axis=1)), _entropy(shares.sum(axis=0))
        if sum(alone) == 0:
            return 1.0
        told = max(sum(alone) - _entropy(shares.ravel()), 0.0)
        return 2 * told / sum(alone)


def _entropy(shares: Floats) -> float:
    held = shares[shares > 0]
    return float(-(held * np.log(held)).sum())


def purity(labels: Sequence[int], topics: Sequence[str]) -> Purity:
    """Compare clusters with topics: the cluster and the topic of each publication, in the same order.

    >>> found = purity([0, 0, 0, 1, 1], ["tea", "tea", "nets", "nets", "nets"])
    >>> found.overall, dict(found.of_topic)["tea"]
    (0.8, 1.0)
    """
    if len(labels) != len(topics):
        raise MisalignedError(f"{len(labels)} clusters but {len(topics)} topics")
    if not len(labels):
        raise InputError("there are no publications to compare clusters and topics")
    names, rows = np.unique(np.asarray(topics, dtype=np.str_), return_inverse=True)
    kept, columns = np.unique(np.asarray(labels, dtype=np.int64), return_inverse=True)
    counts = np.zeros((len(names), len(kept)), dtype=np.int64)
    np.add.at(counts, (rows, columns), 1)
    order = sorted(range(len(kept)), key=lambda i: (int(counts[:, i].argmax()), -int(counts[:, i].sum())))
    clusters = tuple(
        ClusterMix(int(label), int(column.sum()), str(names[column.argmax()]), int(column.max()))
        for label, column in zip(kept[order], counts.T[order], strict=True)
    )
    return Purity(tuple(map(str, names)), clusters, counts[:, order])


def best_clusters(rows: Rows, k: int, *, n_seeds: int, on_progress: OnProgress | None = None) -> Clustering:
    """Return the k-means solution with k clusters and the least squared distances, over seeds 0, 1, ...

    >>> best_clusters(np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 9.0]]), 2, n_seeds=2).labels.tolist()
    [0, 0, 1]
    """
    if k < 2 or n_seeds < 1:
        raise InputError(f"clusters need k and a seed: k must be 2 or more, got {k}; n_seeds 1 or more, got {n_seeds}")
    if (n := n_distinct_rows(rows, at_most=k)) < k:
        raise InputError(
            f"{k} clusters need {k} different publications, there are {n}: choose more topics or fewer clusters"
        )
    return min((_clusters(rows, k, seed, n_seeds, on_progress) for seed in range(n_seeds)), key=itemgetter(0))[1]


def _clusters(rows: Rows, k: int, seed: int, n_seeds: int, on_progress: OnProgress | None) -> tuple[float, Clustering]:
    for found in solutions(rows, max_k=k, seed=seed):
        if on_progress:
            on_progress(seed * k + found.k, n_seeds * k)
    return float(((rows - found.centers[found.labels]) ** 2).sum()), found


# The query template that finds surveys of a field: surveys are the source of core publications.
#
# It is written in this project's own dialect, and translated from there.

LONGEST_FIELD = 4_000
"""Characters. A field is named in a few words; this is longer than any of them needs."""

SurveyTemplate = Literal["published", "bibliometric", "systematic review"]
SURVEY_TEMPLATES: tuple[SurveyTemplate, ...] = get_args(SurveyTemplate)
SURVEY_WORDS: Mapping[SurveyTemplate, str] = MappingProxyType(
    {
        "published": (
            '"Bibliometric" OR "Scientometric" OR "Systematic literature" OR "Most Influential" OR "Most Cited" OR '
            '"Scientific Landscape" OR "Literature Landscape" OR "Core Literature"'
        ),
        "bibliometric": (
            'bibliometric* OR scientometric* OR informetric* OR "science mapping" OR "citation analysis" OR '
            '"co-citation" OR "bibliographic coupling" OR "most cited" OR "most influential" OR '
            '"influential publications" OR "scientific landscape" OR "research landscape"'
        ),
        "systematic review": (
            '"systematic review" OR "systematic literature review" OR "systematic mapping" OR "mapping study" OR '
            '"scoping review" OR "literature review" OR "state of the art review" OR "meta-analysis"'
        ),
    }
)
"""Words with which such surveys name themselves in their titles. published: the words of LitQEval's authors."""

USABLE = (
    "It lists its core publications individually. Counts and clusters alone are not enough.",
    (
        "It explains how it chose them (citations, or criteria and people), and did not use the query that you want to "
        "test."
    ),
    "Each can be identified: a DOI, or title, year and first author.",
    "There are enough: below 10 every number is uncertain, 20 to 50 are usual.",
    "Its year is known. It can't list later publications: search up to that year, or recall is measured unfairly.",
    "Its field matches your query, not a broader or neighbouring field.",
)
"""Criteria for a survey as a source of core publications."""


def survey_words(template: SurveyTemplate) -> Node:
    """Return the half of the template that is the same for every field."""
    root = parse(f"title:({SURVEY_WORDS[template]})", "plain").root
    if root is None:
        raise InputError(f'the template "{template}" is empty')
    return root


def survey_query(field: str, template: SurveyTemplate) -> str:
    """Fill the template with a field, in this project's own dialect.

    The field is a few words, or a search string of any dialect. It is parsed and written again, so that nothing in it
    can escape its half.

    >>> survey_query('soft robot* OR "soft actuator"', "systematic review")[-42:]
    'AND topic:(soft robot* OR "soft actuator")'
    """
    written = write(Group("AND", (survey_words(template), *parts_joined(field_of(field), "AND"))), "plain")
    if written.losses or not written.text:
        why = written.losses[0].message if written.losses else "it is too involved"
        raise InputError(f"this field can't be put into the template: {why}")
    return written.text


def field_of(text: str) -> Node:
    """Parse a field into a tree, searched in title, abstract and keywords unless it states otherwise."""
    if not text.strip():
        raise InputError("enter a field: some words, or a search string")
    if len(text) > LONGEST_FIELD:
        raise InputError(f"a field has at most {LONGEST_FIELD:,} letters here, this has {len(text):,}: shorten it")
    parsed = parse(text)
    root = parsed.root
    if parsed.kind == "question":
        asked = dict.fromkeys(word for word in words(text) if word not in STOP_WORDS)
        terms = tuple(Term((word,)) for word in asked)
        root = group_of("AND", terms) if terms else None
    if root is None:
        raise InputError("this field has no word to search for: enter some words")
    if all(isinstance(part, Range) for part in _wanted(root)):
        raise InputError("this only excludes terms or limits dates: add words for the field itself")
    return with_tag(root, DIALECTS["plain"].tags["topic"])


def _wanted(root: Node) -> list[Node]:
    """Return the leaves that must match, so that nothing inside a NOT counts."""
    found: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Group):
            stack.extend(parts_of(node))
        elif not isinstance(node, Not):
            found.append(node)
    return found


def needles(root: Node) -> tuple[str, ...]:
    """Return the longest piece of a word of each term: a text without any of them can't match an OR of these terms.

    >>> needles(survey_words("bibliometric"))[:3]
    ('bibliometric', 'scientometric', 'informetric')
    """
    found = []
    for term in terms_in(root):
        pieces = [p for chunk in term.chunks for word in chunk for p in word.pieces if isinstance(p, str)]
        found.append(max(pieces, key=len, default=""))
    return tuple(dict.fromkeys(found))
