"""The scores of many topics side by side: values by metric and region, differences, and how metrics go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.comparing.compare import REGION_LABELS
from core.evaluate import Evaluation
from core.metrics import METRICS
from core.types import Floats, Origin, RegionKind

FEWEST_TOPICS = 4
"""A correlation over fewer topics says nothing: three points are always nearly on a line."""
FEW_TOPICS = 8
"""Below this many topics every correlation carries a warning."""
REGION_METRICS = ("semantic_precision", "f_beta", "decay", "n_relevant")
STUDY_METRICS = ("recall", "semantic_precision", "f_beta", "decay", "n_relevant", "n_retrieved")
"""What can be laid side by side over topics, the most asked for first."""
SIZES = {"n_relevant": "Relevant publications", "n_retrieved": "Retrieved publications"}
ORIGIN_LABELS: dict[Origin, str] = {
    "baseline": "Baseline",
    "generated": "Generated",
    "manual": "Manual",
    "review": "Review",
}


@dataclass(frozen=True, slots=True)
class RegionNumbers:
    """What one region says about a version, without its decisions. Undefined numbers are None."""

    status: str
    """"ok", or the reason why there is none."""
    n_relevant: int | None = None
    semantic_precision: float | None = None
    decay: float | None = None
    f_beta: float | None = None
    degenerate: str | None = None
    """Why the region says nothing although it has scores."""


@dataclass(frozen=True, slots=True)
class TopicScores:
    """One version of one topic, without its decisions."""

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
        """Found core / all core; there is at least one."""
        return self.n_found / self.n_core

    @classmethod
    def of(cls, evaluation: Evaluation, label: str) -> TopicScores:
        """What is left of an evaluation."""
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

    def value(self, what: Column) -> float | None:
        """One number; None where it is undefined."""
        if what.region is None:
            return float(getattr(self, what.metric))
        region = self.regions.get(what.region)
        number = None if region is None else getattr(region, what.metric)
        return None if number is None else float(number)

    def reason(self, what: Column) -> str | None:
        """Why a number is undefined; None where it is not."""
        if self.value(what) is not None:
            return None
        region = None if what.region is None else self.regions.get(what.region)
        return "needs vectors" if region is None else region.status

    def degenerate(self, what: Column) -> str | None:
        """Why a number that is there says nothing; None where it does."""
        region = None if what.region is None else self.regions.get(what.region)
        return None if region is None else region.degenerate


@dataclass(frozen=True, slots=True)
class Column:
    """One number that every version has: a metric, and the region it belongs to."""

    metric: str
    region: RegionKind | None = None


def columns_of(metrics: Sequence[str], regions: Sequence[RegionKind]) -> tuple[Column, ...]:
    """Each metric in each region; recall and sizes of lists once.

    >>> [(c.metric, c.region) for c in columns_of(["recall", "decay"], ["cosine", "hull"])]
    [('recall', None), ('decay', 'cosine'), ('decay', 'hull')]
    """
    return tuple(
        Column(metric, region) for metric in metrics for region in (regions if metric in REGION_METRICS else (None,))
    )


def metric_label(metric: str, beta: float = 2.0) -> str:
    """As figures and tables call it.

    >>> metric_label("f_beta"), metric_label("n_retrieved")
    ('F2 (with decay)', 'Retrieved publications')
    """
    return f"F{beta:g} (with decay)" if metric == "f_beta" else SIZES.get(metric) or METRICS[metric].label


def column_label(column: Column, beta: float = 2.0) -> str:
    """A metric with the region it belongs to."""
    name = metric_label(column.metric, beta)
    return name if column.region is None else f"{name}, {REGION_LABELS[column.region].lower()}"


@dataclass(frozen=True, slots=True)
class Change:
    """B minus A of one number of one topic."""

    value: float | None
    why: str | None = None
    """Why it is undefined, or why it says nothing."""

    @property
    def degenerate(self) -> bool:
        """It is there, but one of the two says nothing."""
        return self.value is not None and self.why is not None


def change(a: TopicScores, b: TopicScores, what: Column) -> Change:
    """What the second has more than the first."""
    values = a.value(what), b.value(what)
    if values[0] is None or values[1] is None:
        return Change(None, "; ".join(f"{s.label}: {why}" for s in (a, b) if (why := s.reason(what))))
    why = "; ".join(f"{s.label}: {why}" for s in (a, b) if (why := s.degenerate(what)))
    return Change(values[1] - values[0], why or None)


@dataclass(frozen=True, eq=False)
class Correlations:
    """How numbers go together over topics. NaN where too few topics have both, or one of them does not vary."""

    columns: tuple[Column, ...]
    pearson: Floats
    spearman: Floats
    n: npt.NDArray[np.int64]
    """Topics that have both numbers."""


def correlate(scores: Sequence[TopicScores], columns: Sequence[Column]) -> Correlations:
    """Every pair of numbers over the topics that have both. What is degenerate does not count."""
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
                spearman[i, j] = spearman[j, i] = correlation(ranks(x), ranks(y))
    return Correlations(tuple(columns), pearson, spearman, n)


def correlation(x: Floats, y: Floats) -> float:
    """Pearson's, between -1 and 1. NaN where one of them does not vary.

    >>> correlation(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    1.0
    """
    if not len(x) or x.min() == x.max() or y.min() == y.max():
        return float("nan")
    a, b = (values - values.mean() for values in (x, y))
    a, b = a / np.abs(a).max(), b / np.abs(b).max()
    return float(np.clip((a @ b) / np.sqrt((a @ a) * (b @ b)), -1.0, 1.0))


def ranks(values: Floats) -> Floats:
    """Ranks from 1; equal values share the mean of theirs.

    >>> ranks(np.array([0.2, 0.9, 0.2])).tolist()
    [1.5, 3.0, 1.5]
    """
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    shared: Floats = (last - (counts - 1) / 2)[which]
    return shared
