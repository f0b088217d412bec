"""Layouts without UMAP: the made-up topic by PCA, and the same points bent a little more each time."""

from __future__ import annotations

from functools import cache

import numpy as np

from core.explore.labs import (
    LAYOUTS,
    LabLayout,
    LabTopic,
    Layouts,
    judge_layouts,
    laid_out_of,
    made_up_topic,
    sample_of,
)
from core.explore.landscape import fit_projection, honesty
from core.settings import ProjectionSettings
from core.types import EmbeddedSet, Projection


def quick_layouts(embedded: EmbeddedSet, on_progress: object = None) -> dict[str, LabLayout]:
    """One for every name, in milliseconds."""
    flat = fit_projection(embedded, ProjectionSettings(method="pca"), projection_id="pca")
    made = {}
    for number, name in enumerate(LAYOUTS):
        points = flat.points + 0.1 * number * np.sin(3 * flat.points[:, ::-1])
        found = honesty(embedded, Projection(flat.ids, points, name))
        made[name] = LabLayout(name, points, found.trustworthiness, found.continuity)
    return made


@cache
def layouts_of_made_up(most: int = 600) -> Layouts:
    """Those of the made-up topic, or of a sample of it."""
    scene = sample_of(made_up_topic().scene, most=most)
    return judge_layouts(scene, quick_layouts(laid_out_of(scene)), n_all=made_up_topic().n)


class MadeUpLayouts:
    """What the lab is given where no workspace is."""

    def __init__(self, layouts: Layouts | None) -> None:
        self._layouts = layouts

    def options(self) -> tuple[tuple[str, str], ...]:
        return ()

    def topic(self, value: str) -> LabTopic | None:
        return None

    def layouts(self, topic: LabTopic) -> Layouts | None:
        return self._layouts
