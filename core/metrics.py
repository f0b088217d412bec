"""Recall, semantic precision, decay, and F-beta: definitions, values, and curves over a setting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from core.errors import NoCoreError, SettingsError
from core.settings import EvaluationSettings
from core.types import Floats, Mask

# Recall, semantic precision, decay and F-beta: the functions, then their definitions.

LITQEVAL = "LitQEval (Saknini et al., 2024), github.com/Mohammadsaknini/LitQEval"


def recall(*, n_found: int, n_core: int) -> float:
    """Return the share of the core publications that the query retrieved.

    0: none of them, 1: all of them. Formula: |F| / |C|, over all core publications, including those without a vector.
    Undefined, an error: a topic without core publications. Reference: LitQEval.

    >>> recall(n_found=18, n_core=20)
    0.9
    """
    if n_core <= 0:
        raise NoCoreError("recall needs at least one core publication")
    return n_found / n_core


def attainable_recall(*, n_found_with_vectors: int, n_core_with_vectors: int) -> float | None:
    """Return the recall over the core publications that have a vector: a region can reach at most 1.

    Formula: |F with vectors| / |C with vectors|. Undefined, None: no core publication has a vector.

    >>> attainable_recall(n_found_with_vectors=0, n_core_with_vectors=0) is None
    True
    """
    return n_found_with_vectors / n_core_with_vectors if n_core_with_vectors else None


def core_accepted(*, n_accepted: int, n_core: int) -> float:
    """Return the share of the core publications that the query retrieved and the region accepts.

    0: none of them, 1: all of them; at most core recall. Formula: |F in S| / |C|, over all core publications.
    Undefined, an error: a topic without core publications. Reference: LitQEval.

    >>> core_accepted(n_accepted=13, n_core=26)
    0.5
    """
    return recall(n_found=n_accepted, n_core=n_core)


def read_per_core(*, n_retrieved: int, n_found: int) -> float | None:
    """Return the number of retrieved publications to read per core publication found.

    1: only core publications were retrieved; larger is more work. Formula: |R| / |F|. Undefined, None: no core
    publication was found.

    >>> read_per_core(n_retrieved=224, n_found=22)
    10.181818181818182
    """
    return n_retrieved / n_found if n_found else None


def semantic_precision(*, n_relevant: int, n_scorable: int) -> float | None:
    """Return the share of the retrieved publications that a region calls relevant.

    0: none, 1: all of them. Formula: n_relevant / n_scorable. Undefined, None: no retrieved publication could be
    scored. Reference: LitQEval.

    >>> round(semantic_precision(n_relevant=1904, n_scorable=2151), 4)
    0.8852
    """
    return n_relevant / n_scorable if n_scorable else None


def true_precision(*, n_relevant: int, n_scorable: int) -> float | None:
    """Return the share of the retrieved publications that are truly relevant, where the truth is known.

    0: none, 1: all of them. Formula: |S with truth| / |S| over the retrieved publications with a vector, so that it is
    comparable with semantic precision. Undefined, None: no retrieved publication could be scored.

    >>> true_precision(n_relevant=3, n_scorable=4)
    0.75
    """
    return n_relevant / n_scorable if n_scorable else None


def true_recall(*, n_found: int, n_relevant: int) -> float | None:
    """Return the share of all truly relevant publications that the query retrieved, where the truth is known.

    0: none, 1: all of them. Formula: |R with truth| / |truth|. Undefined, None: nothing is truly relevant.

    >>> true_recall(n_found=1, n_relevant=4)
    0.25
    """
    return n_found / n_relevant if n_relevant else None


@overload
def decay(n_relevant: int, *, limit: float, onset: float, steepness: float) -> float: ...
@overload
def decay(n_relevant: npt.NDArray[np.int64] | Floats, *, limit: float, onset: float, steepness: float) -> Floats: ...
def decay(
    n_relevant: int | npt.NDArray[np.int64] | Floats, *, limit: float, onset: float, steepness: float
) -> float | Floats:
    """Return the factor by which the size of a result reduces semantic precision.

    1: nothing to read, 0: at or beyond the limit. Formula: max(0, 1 - (n / limit)^onset)^steepness. An error: a
    parameter that is not above 0. Reference: LitQEval. Its formula rises again beyond the limit; here it stays 0.

    >>> round(decay(5000, limit=50_000, onset=1.5, steepness=10), 6)
    0.72518
    >>> decay(100_000, limit=50_000, onset=1.5, steepness=10)
    0.0
    """
    for name, value in (("decay_limit", limit), ("decay_onset", onset), ("decay_steepness", steepness)):
        if not value > 0:
            raise SettingsError(f"{name} must be a number above 0, got {value:g}")
    with np.errstate(over="ignore"):  # a tiny limit
        share = np.minimum(np.asarray(n_relevant) / limit, 1.0)  # far beyond the limit the power would overflow
    kept = (1.0 - share**onset) ** steepness
    return float(kept) if np.ndim(kept) == 0 else kept


def best_size(*, limit: float, onset: float, steepness: float) -> float:
    """Return the number of relevant publications at which F-beta peaks once recall is saturated, for any topic.

    >>> round(best_size(limit=50_000, onset=1.5, steepness=10), 1)
    7874.5
    """
    return float(limit * (1 + onset * steepness) ** (-1 / onset))


@overload
def f_beta(precision: float, recall: float, *, beta: float) -> float: ...
@overload
def f_beta(precision: Floats, recall: Floats, *, beta: float) -> Floats: ...
def f_beta(precision: float | Floats, recall: float | Floats, *, beta: float) -> float | Floats:
    """Return the weighted harmonic mean of (decayed) precision and recall.

    0: one of them is 0, 1: both are 1. Formula: (1 + b²)·P·R / (b²·P + R); b = 2 weighs recall higher. Not rounded
    internally. Reference: van Rijsbergen (1979); with decay, LitQEval.

    >>> price = decay(1904, limit=50_000, onset=1.5, steepness=10)
    >>> round(f_beta(1904 / 2151 * price, 45 / 47, beta=2), 6)
    0.926786
    """
    p, r = np.asarray(precision, dtype=np.float64), np.asarray(recall, dtype=np.float64)
    weight = beta * beta
    both = (p > 0) & (r > 0)
    score = np.where(both, (1 + weight) * p * r / np.where(both, weight * p + r, 1.0), 0.0)
    return float(score) if score.ndim == 0 else score


@dataclass(frozen=True, slots=True)
class Metric:
    """The definition of a number, in the wording of the tooltips, tables and About page."""

    metric_id: str
    label: str
    sentence: str
    formula: str
    undefined: str
    reference: str
    range: str = "0 to 1"
    higher_is_better: bool | None = True
    """None: neither end is better."""


METRICS: dict[str, Metric] = {
    metric.metric_id: metric
    for metric in (
        Metric(
            "recall",
            "Core recall",
            "Share of the core publications that the query retrieved.",
            "found core / all core",
            "An error if the topic has no core publications.",
            LITQEVAL,
        ),
        Metric(
            "attainable_recall",
            "Attainable recall",
            "Core recall over the core publications that have a vector.",
            "found core with a vector / core with a vector",
            "– if no core publication has a vector.",
            "Queryscape",
        ),
        Metric(
            "core_accepted",
            "Core accepted",
            "Share of the core publications that the query retrieved and the region accepts.",
            "found core inside the region / all core",
            "– if the region is undefined.",
            LITQEVAL,
        ),
        Metric(
            "read_per_core",
            "To read per core found",
            "Retrieved publications to read for each core publication found.",
            "retrieved / found core",
            "– if no core publication was found.",
            "Queryscape; also known as the number needed to read",
            range="1 or more",
            higher_is_better=False,
        ),
        Metric(
            "semantic_precision",
            "Semantic precision",
            "Share of the retrieved publications that a region around the core calls relevant.",
            "relevant / retrieved with a vector",
            "– if nothing that could be scored was retrieved, or the region is undefined.",
            LITQEVAL,
        ),
        Metric(
            "decay",
            "Decay",
            "The cost of the result's size: 1 for a short list, 0 at the decay limit.",
            "max(0, 1 - (relevant / limit)^onset)^steepness",
            "– if the region is undefined.",
            LITQEVAL,
        ),
        Metric(
            "f_beta",
            "F-beta",
            "Core accepted and decayed semantic precision in one number; beta 2 weighs core accepted higher.",
            "(1 + b²)·P·R / (b²·P + R), with P = semantic precision · decay",
            "– if the region is undefined.",
            LITQEVAL,
        ),
        Metric(
            "true_precision",
            "True precision",
            "Share of the retrieved publications that are truly relevant, where the truth is known.",
            "truly relevant / retrieved with a vector",
            "– if nothing that could be scored was retrieved.",
            "Textbook precision",
        ),
        Metric(
            "true_recall",
            "True recall",
            "Share of all truly relevant publications that the query retrieved, where the truth is known.",
            "truly relevant and retrieved / truly relevant",
            "– if nothing is truly relevant.",
            "Textbook recall",
        ),
    )
}


# Curves over a setting, computed at once instead of one evaluation per value.

SIMILARITY_TOLERANCE = 1e-6
"""Two similarities that differ only by rounding still count as equal. The browser applies the same rule."""

Counts = npt.NDArray[np.int64]
FormulaSetting = Literal["decay_limit", "decay_onset", "decay_steepness", "beta"]


def similar_mask(similarities: npt.NDArray[np.float32], min_similarity: float) -> Mask:
    """Return True for each similarity that reaches the threshold, in float64 so that all interfaces decide alike."""
    return similarities.astype(np.float64) >= min_similarity - SIMILARITY_TOLERANCE


@dataclass(frozen=True, eq=False)
class SimilaritySweep:
    """Scores at every distinct similarity of the retrieved publications, by ascending threshold."""

    min_similarity: Floats
    n_relevant: Counts
    n_accepted_core: Counts
    semantic_precision: Floats
    core_accepted: Floats
    decay: Floats
    f_beta: Floats
    f_beta_inverse: Floats
    """The variant that LitQEval maximised: retrieved / relevant instead of precision, and no decay."""

    def __len__(self) -> int:
        return len(self.min_similarity)

    @property
    def best(self) -> int:
        """The position of the highest F-beta; in a tie, the strictest threshold."""
        return len(self) - 1 - int(np.argmax(self.f_beta[::-1]))


def _counts_at_least(ascending: npt.NDArray[np.float32], thresholds: Floats) -> Counts:
    cutoffs = thresholds - SIMILARITY_TOLERANCE
    return len(ascending) - np.searchsorted(ascending.astype(np.float64), cutoffs, side="left").astype(np.int64)


def sweep_at(
    thresholds: Floats,
    *,
    similarities: npt.NDArray[np.float32],
    core_similarities: npt.NDArray[np.float32],
    n_core: int,
    settings: EvaluationSettings,
) -> SimilaritySweep:
    """Compute the scores at the given thresholds.

    `similarities` are those of the retrieved publications, `core_similarities` those of the core among them.
    """
    return curve(
        thresholds,
        n_relevant=_counts_at_least(np.sort(similarities), thresholds),
        n_accepted_core=_counts_at_least(np.sort(core_similarities), thresholds),
        n_scorable=len(similarities),
        n_core=n_core,
        settings=settings,
    )


def sweep_min_similarity(
    *,
    similarities: npt.NDArray[np.float32],
    core_similarities: npt.NDArray[np.float32],
    n_core: int,
    settings: EvaluationSettings,
) -> SimilaritySweep:
    """Compute the scores at each distinct similarity: every threshold that makes a difference. One sort, no loop."""
    ascending = np.sort(similarities)
    distinct = np.concatenate(([True], ascending[1:] != ascending[:-1]))[: len(ascending)]
    thresholds = ascending[distinct].astype(np.float64)
    return curve(
        thresholds,
        n_relevant=_counts_at_least(ascending, thresholds),
        n_accepted_core=_counts_at_least(np.sort(core_similarities), thresholds),
        n_scorable=len(similarities),
        n_core=n_core,
        settings=settings,
    )


def curve(
    thresholds: Floats,
    *,
    n_relevant: Counts,
    n_accepted_core: Counts,
    n_scorable: int,
    n_core: int,
    settings: EvaluationSettings,
) -> SimilaritySweep:
    """Compute the scores from counts, for any setting that is varied."""
    precision = n_relevant / max(n_scorable, 1)
    accepted = n_accepted_core / n_core
    price = decay(n_relevant, **settings.decay_curve)
    inverse = n_scorable / np.maximum(n_relevant, 1)
    return SimilaritySweep(
        min_similarity=thresholds,
        n_relevant=n_relevant,
        n_accepted_core=n_accepted_core,
        semantic_precision=precision,
        core_accepted=accepted,
        decay=price,
        f_beta=f_beta(precision * price, accepted, beta=settings.beta),
        f_beta_inverse=np.where(n_relevant > 0, f_beta(inverse, accepted, beta=settings.beta), 0.0),
    )


def sweep_formula(
    name: FormulaSetting,
    values: Floats,
    *,
    n_relevant: int,
    precision: float,
    recall: float,
    settings: EvaluationSettings,
) -> Floats:
    """Compute F-beta over a setting that changes the formula but not the relevant publications.

    >>> sweep_formula("beta", np.array([0.5, 2.0]), n_relevant=100, precision=0.5, recall=1.0,
    ...               settings=EvaluationSettings()).round(3).tolist()
    [0.555, 0.833]
    """
    scores = []
    for value in values:
        change: dict[str, Any] = {name: float(value)}
        varied = replace(settings, **change)
        price = decay(n_relevant, **varied.decay_curve)
        scores.append(f_beta(precision * price, recall, beta=varied.beta))
    return np.array(scores)
