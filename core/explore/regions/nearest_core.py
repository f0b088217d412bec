"""Nearest core: publications close to some core publications, regardless of the other themes of the core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.explore.scene import Fit, Region, RegionDefinition, Rows, Scene, fitted, needs
from core.metrics import similar_mask
from core.settings import EvaluationSettings
from core.types import Floats, Mask, RegionKind, Space, Vectors
from core.vectors import BLOCK_ROWS, similarities

N_NEAREST = 3


@dataclass(frozen=True, eq=False)
class NearestCoreRegion(Region):
    """Publications with a mean similarity of at least `min_similarity` to the three nearest core publications."""

    kind: ClassVar[RegionKind] = "nearest_core"
    space: ClassVar[Space] = "embedding"

    core_vectors: Vectors
    min_similarity: float

    def contains(self, rows: Rows) -> Mask:
        masks = [
            similar_mask(
                mean_of_nearest(similarities(rows[start : start + BLOCK_ROWS], self.core_vectors)), self.min_similarity
            )
            for start in range(0, len(rows), BLOCK_ROWS)
        ]
        return np.concatenate(masks) if masks else np.zeros(0, dtype=np.bool_)

    def defines(self) -> Mapping[str, float | int | str]:
        return {"min_similarity": self.min_similarity, "n_nearest": N_NEAREST}


def mean_of_nearest(to_core: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the mean of the three highest similarities in every row."""
    nearest = np.partition(to_core, to_core.shape[1] - N_NEAREST, axis=1)[:, -N_NEAREST:]
    mean: npt.NDArray[np.float32] = nearest.mean(axis=1)
    return mean


def leave_one_out_nearest(gram: npt.NDArray[np.float64]) -> Floats:
    """Return each core publication's mean similarity to the three nearest of the others."""
    others = gram.copy()
    np.fill_diagonal(others, -np.inf)
    mean: Floats = np.sort(others, axis=1)[:, -N_NEAREST:].mean(axis=1)
    return mean


def fit_nearest_core(scene: Scene, settings: EvaluationSettings) -> Fit:
    """Fit a threshold at which even the core publication furthest from its neighbours is accepted."""
    if len(scene.core) < N_NEAREST + 1:
        return needs(N_NEAREST + 1, "core publications with a vector")
    cut = float(leave_one_out_nearest(scene.core_gram).min())
    return fitted(NearestCoreRegion(scene.core.vectors, cut), scene)


NEAREST_CORE = RegionDefinition(
    region=NearestCoreRegion,
    fit=fit_nearest_core,
    label="Nearest core",
    accepts="Accepts publications close to some of the core: the mean similarity to the nearest three counts.",
    inside="mean of the three nearest core is at least {threshold:.3f}",
    outside="mean of the three nearest core is below {threshold:.3f}",
    outline_role="relevant",
    is_default=True,
)
