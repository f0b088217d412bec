"""A whole curve over a setting at once, instead of one evaluation per value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from core.metrics import decay, f_beta
from core.settings import EvaluationSettings
from core.types import Floats, Mask

SIMILARITY_TOLERANCE = 1e-6
"""Two similarities that round apart still count as equal. The browser applies the same rule."""

Counts = npt.NDArray[np.int64]
FormulaSetting = Literal["decay_limit", "decay_onset", "decay_steepness", "beta"]


def similar_mask(similarities: npt.NDArray[np.float32], min_similarity: float) -> Mask:
    """Which similarities reach the threshold. Compared in float64, so that every face decides alike."""
    return similarities.astype(np.float64) >= min_similarity - SIMILARITY_TOLERANCE


@dataclass(frozen=True, eq=False)
class SimilaritySweep:
    """Scores at every distinct similarity of the retrieved publications, thresholds rising."""

    min_similarity: Floats
    n_relevant: Counts
    n_accepted_core: Counts
    semantic_precision: Floats
    recall: Floats
    decay: Floats
    f_beta: Floats
    f_beta_inverse: Floats
    """The variant that the source maximised: retrieved / relevant in place of precision, and no decay."""

    def __len__(self) -> int:
        return len(self.min_similarity)

    @property
    def best(self) -> int:
        """Position of the highest F-beta; of several, the strictest threshold."""
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
    """Scores at the given thresholds.

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
    """Scores at every threshold that makes a difference: each distinct similarity. One sort, no loop."""
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
    """Scores from counts, for any setting that is varied."""
    precision = n_relevant / max(n_scorable, 1)
    recall = n_accepted_core / n_core
    price = decay(n_relevant, **settings.decay_curve)
    inverse = n_scorable / np.maximum(n_relevant, 1)
    return SimilaritySweep(
        min_similarity=thresholds,
        n_relevant=n_relevant,
        n_accepted_core=n_accepted_core,
        semantic_precision=precision,
        recall=recall,
        decay=price,
        f_beta=f_beta(precision * price, recall, beta=settings.beta),
        f_beta_inverse=np.where(n_relevant > 0, f_beta(inverse, recall, beta=settings.beta), 0.0),
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
    """F-beta over a setting that changes the formula but not what is relevant.

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
