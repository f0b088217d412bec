"""Confidence intervals, and the sensitivity of scores to the choice of core publications."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from core.errors import SettingsError
from core.explore.regions.cosine import leave_one_out_similarities
from core.explore.regions.hull import hull_around, lies_on_a_line
from core.explore.regions.mvee import ellipsoid_around
from core.explore.regions.nearest_core import N_NEAREST, leave_one_out_nearest
from core.explore.scene import Region, Scene
from core.metrics import SIMILARITY_TOLERANCE, decay, f_beta, sweep_min_similarity
from core.settings import CosineMode, EvaluationSettings
from core.stats import Interval, percentile_range
from core.types import Floats, Ids, Points, RegionKind

# The publications that regions accept under resampled core sets. RESAMPLERS: kind -> counts for many weightings at
# once.
#
# A weighting is a row of non-negative counts, one per core publication of the topic: its multiplicity in that core set.
# Cosine and nearest core need only the similarities to the core, computed once; ellipsoid and hull are fitted again.

BLOCK_SAMPLES = 256
DEEPEST = 10
"""Nearest core: depth of the search in a publication's ranking of the core before all of the core is searched."""


@dataclass(frozen=True, eq=False)
class ResampledCounts:
    """Numbers of publications that each core set accepts."""

    n_relevant: npt.NDArray[np.int64]
    """-1 if the region does not exist."""
    core_counted: Floats
    """Core publications in F-beta's recall, with their multiplicity."""


def columns(scene: Scene, ids: Ids) -> npt.NDArray[np.intp]:
    """Return the positions of these core publications among all core publications."""
    column_of = {publication_id: column for column, publication_id in enumerate(scene.core_ids)}
    return np.array([column_of[i] for i in ids], dtype=np.intp)


def cosine_cuts(gram: Floats, weights: Floats, settings: EvaluationSettings) -> Floats:
    """Return the similarity threshold of every core set; NaN if it has none."""
    if settings.cosine_mode == "fixed":
        return np.full(len(weights), settings.min_similarity)
    if settings.cosine_mode == "least_similar_core":
        towards = weights @ gram
        length = np.sqrt(np.einsum("bi,bi->b", towards, weights))
        values = towards / np.where(length > 0, length, np.nan)[:, None]
    else:
        values = leave_one_out_similarities(gram, weights)
    members = weights > 0
    # A single publication can't be compared with others, nor can several whose others cancel out.
    defined = (members.sum(axis=1) >= 2) & ~(members & np.isnan(values)).any(axis=1)
    if settings.cosine_mode != "quantile":
        return np.where(defined, np.where(members, values, np.inf).min(axis=1), np.nan)
    cuts = np.full(len(weights), np.nan)
    for b in np.flatnonzero(defined):
        cuts[b] = np.quantile(np.repeat(values[b], weights[b].astype(int)), settings.quantile)
    return cuts


def _best_cuts(
    to_centre: npt.NDArray[np.float32], scene: Scene, weights: Floats, found: Floats, settings: EvaluationSettings
) -> Floats:
    """Return for each core set the threshold with its highest F-beta."""
    cuts = np.empty(to_centre.shape[1])
    for b, values in enumerate(to_centre.T):
        column = np.ascontiguousarray(values)
        sweep = sweep_min_similarity(
            similarities=column,
            core_similarities=np.repeat(column[scene.found_rows], found[b].astype(int)),
            n_core=max(int(weights[b].sum()), 1),
            settings=settings,
        )
        cuts[b] = sweep.min_similarity[sweep.best] if sweep.f_beta.any() else np.nan
    return cuts


def resample_cosine(scene: Scene, weights: Floats, settings: EvaluationSettings) -> ResampledCounts:
    """Compute new centroids and thresholds from the similarities to the core; the vectors are not needed again."""
    of_core = weights[:, columns(scene, scene.core.ids)]
    found = weights[:, columns(scene, scene.found_ids)]
    n_relevant = np.full(len(weights), -1, dtype=np.int64)
    counted = np.zeros(len(weights))
    for start in range(0, len(weights), BLOCK_SAMPLES):
        block = slice(start, start + BLOCK_SAMPLES)
        w = of_core[block]
        length = np.sqrt(np.maximum(np.einsum("bi,ij,bj->b", w, scene.core_gram, w, optimize=True), 0.0))
        defined = length > 1e-9
        unit = (w / np.where(defined, length, 1.0)[:, None]).astype(np.float32)
        to_centre = scene.similarities_to_core @ unit.T
        if settings.cosine_mode == "best":
            cuts = _best_cuts(to_centre, scene, weights[block], found[block], settings)
        else:
            cuts = cosine_cuts(scene.core_gram, w, settings)
        defined &= ~np.isnan(cuts)
        accepted = to_centre >= np.where(defined, cuts - SIMILARITY_TOLERANCE, np.inf).astype(np.float32)
        n_relevant[block] = np.where(defined, np.count_nonzero(accepted, axis=0), -1)
        counted[block] = (accepted[scene.found_rows].T * found[block]).sum(axis=1)
    return ResampledCounts(n_relevant, counted)


def resample_nearest_core(scene: Scene, weights: Floats, settings: EvaluationSettings) -> ResampledCounts:
    """Find each core set's own nearest three by walking down every publication's ranking of the core."""
    in_set = weights[:, columns(scene, scene.core.ids)] > 0
    found = weights[:, columns(scene, scene.found_ids)]
    to_core = scene.similarities_to_core
    order = np.argsort(-to_core, axis=1)[:, :DEEPEST]
    ranked = np.take_along_axis(to_core, order, axis=1)
    n_relevant = np.full(len(weights), -1, dtype=np.int64)
    counted = np.zeros(len(weights))
    for b, members in enumerate(in_set):
        kept = np.flatnonzero(members)
        if len(kept) < N_NEAREST + 1:
            continue
        cut = leave_one_out_nearest(scene.core_gram[np.ix_(kept, kept)]).min() - SIMILARITY_TOLERANCE
        accepted = _nearest_three(ranked, members[order], to_core, kept) >= cut
        n_relevant[b] = np.count_nonzero(accepted)
        counted[b] = float(accepted[scene.found_rows] @ found[b])
    return ResampledCounts(n_relevant, counted)


def _nearest_three(
    ranked: npt.NDArray[np.float32],
    present: npt.NDArray[np.bool_],
    to_core: npt.NDArray[np.float32],
    kept: npt.NDArray[np.intp],
) -> npt.NDArray[np.float32]:
    """Return the mean of the first three members in every ranking; the few rankings with fewer are searched in full."""
    place = np.cumsum(present, axis=1, dtype=np.int8)
    mean: npt.NDArray[np.float32] = (ranked * (present & (place <= N_NEAREST))).sum(axis=1) / np.float32(N_NEAREST)
    short = np.flatnonzero(place[:, -1] < N_NEAREST)
    if len(short):
        mean[short] = np.sort(to_core[np.ix_(short, kept)], axis=1)[:, -N_NEAREST:].mean(axis=1)
    return mean


def resample_area(
    scene: Scene, weights: Floats, around: Callable[[Points], Region], fitted_to: Points, drawn_as: Floats
) -> ResampledCounts:
    """Fit an area around the points that each core set draws; `drawn_as` counts them, one column per point.

    Core sets that draw the same points, which is common for small ones, have the same area.
    """
    areas: dict[bytes, int] = {}
    n_relevant = np.full(len(weights), -1, dtype=np.int64)
    for b, is_drawn in enumerate(drawn_as > 0):
        key = is_drawn.tobytes()
        if key not in areas:
            drawn = fitted_to[is_drawn]
            is_flat = lies_on_a_line(drawn)
            areas[key] = -1 if is_flat else int(np.count_nonzero(around(drawn).contains(scene.points)))
        n_relevant[b] = areas[key]
    return ResampledCounts(n_relevant, weights[:, columns(scene, scene.all_found_ids)].sum(axis=1))


def _resample_found(
    around: Callable[[Points], Region], scene: Scene, weights: Floats, settings: EvaluationSettings
) -> ResampledCounts:
    """Fit a new area around each core set's found publications."""
    drawn_as = weights[:, columns(scene, scene.found_ids)]
    return resample_area(scene, weights, around, scene.found_points, drawn_as)


RESAMPLERS: dict[RegionKind, Callable[[Scene, Floats, EvaluationSettings], ResampledCounts]] = {
    "cosine": resample_cosine,
    "nearest_core": resample_nearest_core,
    "mvee": partial(_resample_found, ellipsoid_around),
    "hull": partial(_resample_found, hull_around),
}


# Reliability of a number: intervals, sensitivity to the core set, paired differences.
#
# A Wilson interval on recall is a confidence interval. The range from resampling the core set is not: a resample is
# more compact than the set it comes from, so the range can even miss the point value. It is shown as sensitivity.

N_RESAMPLES: dict[RegionKind, int] = {"cosine": 2000, "nearest_core": 2000, "mvee": 200, "hull": 200}
"""Regions that can be fitted to a resampled core set in reasonable time, with the number of resamples."""
N_RESAMPLES_BEST = 200
"""For cosine mode `best`, which sweeps every resample."""
COVERAGE: dict[CosineMode, float] = {
    "leave_one_out": 0.69,
    "least_similar_core": 0.64,
    "quantile": 0.97,
    "fixed": 0.94,
    "best": 1.0,
}
"""The share of simulated core sets whose resampled range held the true score, by threshold mode.

300 core sets of 30 from a known population; the truth is the mean score over all of them. A minimum over the core set
can't be resampled honestly: a resample repeats members of the set. The best threshold jumps, and so does its range.
"""
N_SIMULATED, N_CORE_SIMULATED = 300, 30


def coverage_sentence(mode: CosineMode | None) -> str:
    """Describe how often a range of the cosine region holds the truth, for every explanation of a range.

    >>> coverage_sentence("fixed")[:64]
    'Of 300 simulated core sets of 30, the range contained the true s'
    """
    meant = "it shows how far a score moves with the core set, and is no confidence interval"
    if mode not in COVERAGE:
        return f"How often such a range contains the true score was not simulated for this threshold: {meant}."
    return (
        f"Of {N_SIMULATED} simulated core sets of {N_CORE_SIMULATED}, the range contained the true score in "
        f"{100 * COVERAGE[mode]:.0f} % (Cosine, threshold {mode.replace('_', ' ')}): {meant}."
    )


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Sensitivity of a region's scores to the choice of the core set."""

    semantic_precision_range: Interval | None
    """95 % of the resamples; None if the region seldom exists in them."""
    f_beta_range: Interval | None
    semantic_precision_leave_one_out: Interval | None
    """Lowest and highest with one core publication left out."""
    f_beta_leave_one_out: Interval | None
    most_influential_core_id: str | None
    """The core publication whose absence changes F-beta most; None if none changes it."""
    n_resamples: int
    share_defined: float
    """The share of resamples in which the region exists."""


def resample_weights(n_core: int, n_resamples: int, *, seed: int) -> Floats:
    """Draw the multiplicity of each core publication in each resample; a row sums to `n_core`."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(n_core, np.full(n_core, 1 / n_core), size=n_resamples).astype(np.float64)


def left_out_weights(n_core: int) -> Floats:
    """Return every core set with one publication left out."""
    return 1.0 - np.eye(n_core)


@dataclass(frozen=True, eq=False)
class ScoreSamples:
    """Scores of one version under many core sets; NaN if the region does not exist."""

    semantic_precision: Floats
    f_beta: Floats


def sample_scores(scene: Scene, counts: ResampledCounts, weights: Floats, settings: EvaluationSettings) -> ScoreSamples:
    """Compute the scores from the counts of each core set."""
    if not len(scene.retrieved):
        nothing = np.full(len(weights), np.nan)
        return ScoreSamples(nothing, nothing)
    defined = counts.n_relevant >= 0
    precision = counts.n_relevant / len(scene.retrieved)
    price = decay(np.maximum(counts.n_relevant, 0), **settings.decay_curve)
    n_core = np.maximum(weights.sum(axis=1), 1)  # without its only publication, the core is empty
    score = f_beta(precision * price, counts.core_counted / n_core, beta=settings.beta)
    return ScoreSamples(np.where(defined, precision, np.nan), np.where(defined, score, np.nan))


def _extremes(values: Floats) -> Interval | None:
    defined = values[~np.isnan(values)]
    return Interval(float(defined.min()), float(defined.max())) if len(defined) else None


def _most_influential(scores: Floats, full: float, core_ids: Sequence[str]) -> str | None:
    moves = np.abs(scores - full)
    # If there is no region without a publication, this publication has the largest effect.
    moves = np.where(np.isnan(moves), 0.0 if np.isnan(full) else np.inf, moves)
    return core_ids[int(moves.argmax())] if moves.any() else None


def n_resamples_for(kind: RegionKind, settings: EvaluationSettings) -> int:
    """Return the number of resamples for this region; 0: it is not resampled."""
    if kind == "cosine" and settings.cosine_mode == "best":
        return N_RESAMPLES_BEST
    return N_RESAMPLES.get(kind, 0)


def sensitivity(
    scene: Scene, kinds: Sequence[RegionKind], settings: EvaluationSettings
) -> Mapping[RegionKind, Sensitivity]:
    """Resample the core set and leave out single publications, for every region that allows it."""
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
