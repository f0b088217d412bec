"""What a picture of one query version shows: its publications row by row, the least similar first.

Sorted like this, a similarity threshold is a split: everything from some row on is relevant. So a whole curve is one
pass, and whoever draws needs no more than a number to follow the hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.regions.base import Scene
from core.settings import EvaluationSettings
from core.sweep import SimilaritySweep, curve
from core.types import Ids, Mask, Points
from core.vectors import cosine

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Landscape:
    """Retrieved publications with a vector, by rising similarity to the core; then the core that was missed."""

    ids: Ids
    n_retrieved: int
    """The first so many rows were retrieved; the others are missed core publications with a vector."""
    n_core: int
    """Every core publication of the topic, with or without a vector."""
    order: Rows
    """Row i of the retrieved is publication `order[i]` of the scene, so that masks can be brought into this order."""
    similarities: npt.NDArray[np.float32]
    """Cosine to the core centroid; 0 where the core has no centre."""
    points: Points | None
    """Where each row lies; None without a landscape."""
    core_mask: Mask

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Row by publication id."""
        return {publication_id: row for row, publication_id in enumerate(self.ids)}

    def in_order(self, mask: Mask) -> Mask:
        """A region's mask over the scene's retrieved publications, in the order of these rows."""
        return mask[self.order]


def lay_out(scene: Scene) -> Landscape:
    """Bring a scene into the order of its similarities."""
    similarities = scene.similarities_to_centre
    order = np.argsort(similarities, kind="stable")
    found = set(scene.found_ids)
    missed = [row for row, publication_id in enumerate(scene.core.ids) if publication_id not in found]
    if scene.projection is not None:
        missed = [row for row in missed if scene.core.ids[row] in scene.projection]
    ids = (*(scene.retrieved.ids[row] for row in order), *(scene.core.ids[row] for row in missed))
    core_mask = np.zeros(len(ids), dtype=np.bool_)
    core_mask[len(order) :] = True
    is_core = np.zeros(len(order), dtype=np.bool_)
    is_core[scene.found_rows] = True
    core_mask[: len(order)] = is_core[order]
    return Landscape(
        ids=ids,
        n_retrieved=len(order),
        n_core=scene.n_core,
        order=order,
        similarities=np.concatenate([similarities[order], cosine(scene.core.vectors[missed], scene.centre)]),
        points=scene.projection.take(ids).points if scene.projection is not None else None,
        core_mask=core_mask,
    )


def split_curve(landscape: Landscape, settings: EvaluationSettings) -> SimilaritySweep:
    """Scores of every split: entry i is the score if exactly the rows from i on are relevant; the last has none."""
    n = landscape.n_retrieved
    is_core = landscape.core_mask[:n].astype(np.int64)
    n_accepted = np.concatenate([np.cumsum(is_core[::-1])[::-1], [0]])
    return curve(
        np.append(landscape.similarities[:n].astype(np.float64), np.inf),
        n_relevant=n - np.arange(n + 1),
        n_accepted_core=n_accepted,
        n_scorable=n,
        n_core=landscape.n_core,
        settings=settings,
    )
