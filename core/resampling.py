"""What regions accept when the core set is resampled. RESAMPLERS: kind -> counts under many weightings at once.

A weighting is a row of non-negative counts, one per core publication of the topic: how often it is in that core set.
Cosine and nearest core need only the similarities to the core, computed once; ellipsoid and hull are fitted anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.regions.base import Region, Scene
from core.regions.cosine import leave_one_out_similarities
from core.regions.hull import hull_around, lies_on_a_line
from core.regions.mvee import ellipsoid_around
from core.regions.nearest_core import N_NEAREST, leave_one_out_nearest
from core.settings import EvaluationSettings
from core.sweep import SIMILARITY_TOLERANCE, sweep_min_similarity
from core.types import Floats, Ids, Points, RegionKind

BLOCK_SAMPLES = 256
DEEPEST = 10
"""Nearest core: how far down a publication's ranking of the core is looked before looking everywhere."""


@dataclass(frozen=True, eq=False)
class Counts:
    """What each core set accepts."""

    n_relevant: npt.NDArray[np.int64]
    """-1 where the region does not exist."""
    core_counted: Floats
    """Core publications that F-beta's recall counts, with their multiplicity."""


def columns(scene: Scene, ids: Ids) -> npt.NDArray[np.intp]:
    """Where these core publications stand among all core publications."""
    column_of = {publication_id: column for column, publication_id in enumerate(scene.core_ids)}
    return np.array([column_of[i] for i in ids], dtype=np.intp)


def cosine_cuts(gram: Floats, weights: Floats, settings: EvaluationSettings) -> Floats:
    """The similarity threshold of every core set; NaN where it has none."""
    if settings.cosine_mode == "fixed":
        return np.full(len(weights), settings.min_similarity)
    if settings.cosine_mode == "least_similar_core":
        towards = weights @ gram
        length = np.sqrt(np.einsum("bi,bi->b", towards, weights))
        values = towards / np.where(length > 0, length, np.nan)[:, None]
    else:
        values = leave_one_out_similarities(gram, weights)
    members = weights > 0
    # One publication has no others to be compared with, nor have several whose others cancel out.
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
    """For each core set, the threshold at which its own F-beta is highest."""
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


def resample_cosine(scene: Scene, weights: Floats, settings: EvaluationSettings) -> Counts:
    """New centroids and thresholds from the similarities to the core; the vectors are not touched again."""
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
    return Counts(n_relevant, counted)


def resample_nearest_core(scene: Scene, weights: Floats, settings: EvaluationSettings) -> Counts:
    """Each core set's own nearest three, found by walking down every publication's ranking of the core."""
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
    return Counts(n_relevant, counted)


def _nearest_three(
    ranked: npt.NDArray[np.float32],
    present: npt.NDArray[np.bool_],
    to_core: npt.NDArray[np.float32],
    kept: npt.NDArray[np.intp],
) -> npt.NDArray[np.float32]:
    """Mean of the first three members in every ranking; the few that hold fewer are looked up in full."""
    place = np.cumsum(present, axis=1, dtype=np.int8)
    mean: npt.NDArray[np.float32] = (ranked * (present & (place <= N_NEAREST))).sum(axis=1) / np.float32(N_NEAREST)
    short = np.flatnonzero(place[:, -1] < N_NEAREST)
    if len(short):
        mean[short] = np.sort(to_core[np.ix_(short, kept)], axis=1)[:, -N_NEAREST:].mean(axis=1)
    return mean


def resample_area(
    scene: Scene, weights: Floats, around: Callable[[Points], Region], fitted_to: Points, drawn_as: Floats
) -> Counts:
    """A new area around the points that each core set draws; `drawn_as` counts them, one column per point."""
    n_relevant = np.full(len(weights), -1, dtype=np.int64)
    for b, w in enumerate(drawn_as):
        drawn = fitted_to[w > 0]
        if not lies_on_a_line(drawn):
            n_relevant[b] = np.count_nonzero(around(drawn).contains(scene.points))
    return Counts(n_relevant, weights[:, columns(scene, scene.all_found_ids)].sum(axis=1))


def resample_mvee(scene: Scene, weights: Floats, settings: EvaluationSettings) -> Counts:
    """A new ellipse around each core set's found publications."""
    drawn_as = weights[:, columns(scene, scene.found_ids)]
    return resample_area(scene, weights, ellipsoid_around, scene.found_points, drawn_as)


def resample_hull(scene: Scene, weights: Floats, settings: EvaluationSettings) -> Counts:
    """A new hull around each core set's found publications."""
    drawn_as = weights[:, columns(scene, scene.found_ids)]
    return resample_area(scene, weights, hull_around, scene.found_points, drawn_as)


RESAMPLERS: dict[RegionKind, Callable[[Scene, Floats, EvaluationSettings], Counts]] = {
    "cosine": resample_cosine,
    "nearest_core": resample_nearest_core,
    "mvee": resample_mvee,
    "hull": resample_hull,
}
