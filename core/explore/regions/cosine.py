"""Cosine: publications close enough to the centre of the core publications."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.explore.scene import Fit, FittedRegion, Region, RegionDefinition, Rows, Scene, UndefinedRegion, needs
from core.metrics import similar_mask, sweep_min_similarity
from core.settings import PUBLISHED_MIN_SIMILARITY, PUBLISHED_MODEL, EvaluationSettings
from core.types import Floats, Mask, RegionKind, Space, Vectors
from core.vectors import cosine


@dataclass(frozen=True, eq=False)
class CosineRegion(Region):
    """Publications with a cosine similarity of at least `min_similarity` to the centroid of the core, found or not."""

    kind: ClassVar[RegionKind] = "cosine"
    space: ClassVar[Space] = "embedding"

    centroid: Vectors
    min_similarity: float
    mode: str

    def contains(self, rows: Rows) -> Mask:
        return similar_mask(cosine(rows.astype(np.float32, copy=False), self.centroid), self.min_similarity)

    def defines(self) -> Mapping[str, float | int | str]:
        return {"cosine_mode": self.mode, "min_similarity": self.min_similarity}


def leave_one_out_similarities(gram: npt.NDArray[np.float64], weights: Floats | None = None) -> Floats:
    """Compare each core publication with the centroid of the others, because the in-sample similarity is too high.

    `weights` (rows: samples, columns: core publications) count how often each one is in the core set; leaving out a
    publication removes all its copies. Works on the Gram matrix alone. NaN if no other publication remains.

    >>> leave_one_out_similarities(np.array([[1.0, 0.5], [0.5, 1.0]])).tolist()
    [[0.5, 0.5]]
    """
    w = np.ones((1, len(gram))) if weights is None else weights
    towards_all = w @ gram
    own = w * np.diag(gram)
    length_squared = np.einsum("bi,bi->b", towards_all, w)[:, None]
    others_squared = length_squared - 2 * w * towards_all + w * own
    others = np.sqrt(np.maximum(others_squared, 0.0))
    return np.where(others > 1e-9, (towards_all - own) / np.where(others > 1e-9, others, 1.0), np.nan)


def similarity_threshold(scene: Scene, settings: EvaluationSettings) -> float | UndefinedRegion:
    """Return the similarity threshold according to `settings.cosine_mode`."""
    mode = settings.cosine_mode
    if mode == "fixed":
        return settings.min_similarity
    if mode == "best":
        retrieved = scene.similarities_to_centre
        sweep = sweep_min_similarity(
            similarities=retrieved,
            core_similarities=retrieved[scene.found_rows],
            n_core=scene.n_core,
            settings=settings,
        )
        if not sweep.f_beta.any():
            return UndefinedRegion("F-beta is 0 at every threshold, so none is best")
        return float(sweep.min_similarity[sweep.best])
    if len(scene.core) < 2:
        return needs(2, "core publications with a vector")
    if mode == "least_similar_core":
        return float(cosine(scene.core.vectors, scene.centre).min())
    left_out = leave_one_out_similarities(scene.core_gram)[0]
    if np.isnan(left_out).any():
        return UndefinedRegion("the core publications cancel out: they have no centre")
    return float(np.quantile(left_out, settings.quantile if mode == "quantile" else 0.0))


def fit_cosine(scene: Scene, settings: EvaluationSettings) -> Fit:
    """Fit the centre of the core and the similarity threshold according to `settings.cosine_mode`."""
    if not len(scene.core):
        return UndefinedRegion("no core publication has a vector")
    if not scene.centre.any():
        return UndefinedRegion("the core publications cancel out: they have no centre")
    min_similarity = similarity_threshold(scene, settings)
    if isinstance(min_similarity, UndefinedRegion):
        return min_similarity
    region = CosineRegion(scene.centre, min_similarity, settings.cosine_mode or "fixed")
    mask = similar_mask(scene.similarities_to_centre, min_similarity)
    return FittedRegion(region, mask, _threshold_warnings(scene, settings))


def _threshold_warnings(scene: Scene, settings: EvaluationSettings) -> tuple[str, ...]:
    borrowed = settings.cosine_mode == "fixed" and settings.min_similarity == PUBLISHED_MIN_SIMILARITY
    if not borrowed or scene.core.model_id == PUBLISHED_MODEL:
        return ()
    return (
        f"min_similarity {PUBLISHED_MIN_SIMILARITY} was published for {PUBLISHED_MODEL}; with {scene.core.model_id} "
        "it may accept far too much or too little: use cosine mode leave_one_out",
    )


COSINE = RegionDefinition(
    region=CosineRegion,
    fit=fit_cosine,
    label="Cosine",
    accepts="Accepts publications close enough to the centre of the core, by the cosine of their vectors.",
    inside="similarity {similarity:.3f} to the core, at least {threshold:.3f}",
    outside="similarity {similarity:.3f} to the core, below {threshold:.3f}",
    outline_role="relevant",
    is_default=True,
)
