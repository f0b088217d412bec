"""How far a number can be trusted: intervals, sensitivity to the core set, paired differences.

A Wilson interval on recall is a confidence interval. What resampling the core set gives is not: a resample is more
compact than the set it comes from, so the range can even miss the point value. It is shown as sensitivity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import SettingsError
from core.metrics import decay, f_beta
from core.ranking.significance import Interval, percentile_range
from core.regions.base import Scene
from core.resampling import RESAMPLERS, Counts
from core.settings import CosineMode, EvaluationSettings
from core.types import Floats, RegionKind

N_RESAMPLES: dict[RegionKind, int] = {"cosine": 2000, "nearest_core": 2000, "mvee": 200, "hull": 200}
"""Regions that a resampled core set can be fitted to in reasonable time, and how often."""
N_RESAMPLES_BEST = 200
"""For cosine mode `best`, which sweeps every resample."""
COVERAGE: dict[CosineMode, float] = {
    "leave_one_out": 0.69,
    "least_similar_core": 0.64,
    "quantile": 0.97,
    "fixed": 0.94,
    "best": 1.0,
}
"""In what share of simulated core sets the resampled range held the true score, by the way the threshold is found.

300 core sets of 30 from a known population; the truth is the mean score over all of them. A minimum over the core set
can't be resampled honestly: a resample repeats what the set holds. The best threshold jumps, and its range with it.
"""
N_SIMULATED, N_CORE_SIMULATED = 300, 30


def coverage_sentence(mode: CosineMode | None) -> str:
    """How often a range of the cosine region holds the truth, wherever a range is explained.

    >>> coverage_sentence("fixed")[:64]
    'Of 300 simulated core sets of 30, the range held the true score '
    """
    meant = "it says how far a score moves with the core set, and is no confidence interval"
    if mode not in COVERAGE:
        return f"How often such a range holds the true score was not simulated for this threshold: {meant}."
    return (
        f"Of {N_SIMULATED} simulated core sets of {N_CORE_SIMULATED}, the range held the true score in "
        f"{100 * COVERAGE[mode]:.0f} % (Cosine, threshold {mode.replace('_', ' ')}): {meant}."
    )


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How far a region's scores move when the core set is another one of the same kind."""

    semantic_precision_range: Interval | None
    """95 % of the resamples; None if the region seldom exists in them."""
    f_beta_range: Interval | None
    semantic_precision_leave_one_out: Interval | None
    """Lowest and highest with one core publication left out."""
    f_beta_leave_one_out: Interval | None
    most_influential_core_id: str | None
    """The core publication whose absence moves F-beta most; None if none moves it."""
    n_resamples: int
    share_defined: float
    """In how many of the resamples the region exists."""


def resample_weights(n_core: int, n_resamples: int, *, seed: int) -> Floats:
    """How often each core publication is drawn in each resample; a row sums to `n_core`."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(n_core, np.full(n_core, 1 / n_core), size=n_resamples).astype(np.float64)


def left_out_weights(n_core: int) -> Floats:
    """Every core set with one publication left out."""
    return 1.0 - np.eye(n_core)


@dataclass(frozen=True, eq=False)
class Samples:
    """Scores of one version under many core sets; NaN where the region does not exist."""

    semantic_precision: Floats
    f_beta: Floats


def sample_scores(scene: Scene, counts: Counts, weights: Floats, settings: EvaluationSettings) -> Samples:
    """Scores from what each core set accepts."""
    if not len(scene.retrieved):
        nothing = np.full(len(weights), np.nan)
        return Samples(nothing, nothing)
    defined = counts.n_relevant >= 0
    precision = counts.n_relevant / len(scene.retrieved)
    price = decay(np.maximum(counts.n_relevant, 0), **settings.decay_curve)
    n_core = np.maximum(weights.sum(axis=1), 1)  # the only core publication left out leaves none
    score = f_beta(precision * price, counts.core_counted / n_core, beta=settings.beta)
    return Samples(np.where(defined, precision, np.nan), np.where(defined, score, np.nan))


def _extremes(values: Floats) -> Interval | None:
    defined = values[~np.isnan(values)]
    return Interval(float(defined.min()), float(defined.max())) if len(defined) else None


def _most_influential(scores: Floats, full: float, core_ids: Sequence[str]) -> str | None:
    moves = np.abs(scores - full)
    # Where there is no region without a publication, nothing moves the score more.
    moves = np.where(np.isnan(moves), 0.0 if np.isnan(full) else np.inf, moves)
    return core_ids[int(moves.argmax())] if moves.any() else None


def n_resamples_for(kind: RegionKind, settings: EvaluationSettings) -> int:
    """How often this region's core set is resampled; 0: not at all."""
    if kind == "cosine" and settings.cosine_mode == "best":
        return N_RESAMPLES_BEST
    return N_RESAMPLES.get(kind, 0)


def sensitivity(
    scene: Scene, kinds: Sequence[RegionKind], settings: EvaluationSettings
) -> Mapping[RegionKind, Sensitivity]:
    """Resampling and leave-one-out of the core set, for every region that allows it."""
    settings = settings.resolved(scene.retrieved.model_id)
    if settings.compat:
        raise SettingsError("compat reproduces published scores, which have no ranges: leave out --intervals")
    out: dict[RegionKind, Sensitivity] = {}
    for kind in kinds:
        n = n_resamples_for(kind, settings)
        if not n or not len(scene.retrieved) or (kind in ("mvee", "hull") and scene.projection is None):
            continue
        weights = resample_weights(scene.n_core, n, seed=settings.seed)
        drawn = sample_scores(scene, RESAMPLERS[kind](scene, weights, settings), weights, settings)
        left = left_out_weights(scene.n_core)
        whole = np.vstack([left, np.ones((1, scene.n_core))])
        one_out = sample_scores(scene, RESAMPLERS[kind](scene, whole, settings), whole, settings)
        out[kind] = Sensitivity(
            semantic_precision_range=percentile_range(drawn.semantic_precision),
            f_beta_range=percentile_range(drawn.f_beta),
            semantic_precision_leave_one_out=_extremes(one_out.semantic_precision[:-1]),
            f_beta_leave_one_out=_extremes(one_out.f_beta[:-1]),
            most_influential_core_id=_most_influential(one_out.f_beta[:-1], float(one_out.f_beta[-1]), scene.core_ids),
            n_resamples=n,
            share_defined=float(np.mean(~np.isnan(drawn.f_beta))),
        )
    return out
