"""The publications of one version row by row, as a quality report draws and lists them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.audit.quality.summary import Rows, Similarities
from core.evaluate import Evaluation
from core.projection import NO_GROUP, Groups, Landscape, name_groups
from core.regions.base import Scene
from core.regions.nearest_core import N_NEAREST, mean_of_nearest
from core.types import Points, RegionKind
from core.vectors import BLOCK_ROWS, similarities
from data.store import Store


def rows_of(
    store: Store,
    scene: Scene,
    landscape: Landscape,
    evaluation: Evaluation,
    outlines: Mapping[RegionKind, Points],
) -> Rows:
    """What was retrieved and can be scored, then the missed core, in the order of the landscape."""
    shown = store.headlines(landscape.ids)
    groups = Groups((), (), np.full(len(landscape), NO_GROUP, dtype=np.uint8))
    if landscape.points is not None and len(landscape):
        groups = name_groups(landscape.points, shown.titles)
    return Rows(
        ids=landscape.ids,
        n_retrieved=landscape.n_retrieved,
        similarities=landscape.similarities,
        nearest=_nearest(scene, landscape),
        points=landscape.points,
        core_mask=landscape.core_mask,
        titles=shown.titles,
        years=shown.years,
        dois=shown.dois,
        masks={
            kind: landscape.in_order(scores.relevant_mask)
            for kind, scores in evaluation.regions.items()
            if scores.relevant_mask is not None
        },
        outlines=outlines,
        groups=groups,
    )


def _nearest(scene: Scene, landscape: Landscape) -> Similarities | None:
    """Mean similarity of each row to the core publications that it is nearest to."""
    if len(scene.core) < N_NEAREST:
        return None
    missed = landscape.ids[landscape.n_retrieved :]
    out = np.empty(len(landscape), dtype=np.float32)
    retrieved = scene.retrieved.vectors[landscape.order]
    for start in range(0, len(retrieved), BLOCK_ROWS):
        block = retrieved[start : start + BLOCK_ROWS]
        out[start : start + len(block)] = mean_of_nearest(similarities(block, scene.core.vectors))
    if missed:
        out[landscape.n_retrieved :] = mean_of_nearest(
            similarities(scene.core.take(missed).vectors, scene.core.vectors)
        )
    return out
