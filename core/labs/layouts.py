"""The same publications laid out in several ways, and what each layout decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from core.errors import InputError
from core.honesty import honesty
from core.projection import MIN_PUBLICATIONS, fit_projection
from core.protocols import OnProgress
from core.regions import REGIONS
from core.regions.base import Fitted, Scene
from core.settings import EvaluationSettings, ProjectionSettings
from core.types import EmbeddedSet, Mask, Points, Projection

MOST_LAID_OUT = 600
"""More publications than this are sampled: a picture in a lab can't hold more, and UMAP takes its time."""

Outlined = Literal["mvee", "hull"]
OUTLINED: tuple[Outlined, ...] = get_args(Outlined)

LAYOUTS: Mapping[str, tuple[str, ProjectionSettings]] = {
    "default": ("UMAP (as in the app)", ProjectionSettings()),
    "seed-1": ("UMAP (seed 1)", ProjectionSettings(seed=1)),
    "seed-2": ("UMAP (seed 2)", ProjectionSettings(seed=2)),
    "neighbours-5": ("UMAP (5 neighbours)", ProjectionSettings(n_neighbors=5)),
    "neighbours-50": ("UMAP (50 neighbours)", ProjectionSettings(n_neighbors=50)),
    "packed": ("UMAP (least distance 0)", ProjectionSettings(min_dist=0.0)),
    "loose": ("UMAP (least distance 0.8)", ProjectionSettings(min_dist=0.8)),
    "pca": ("PCA", ProjectionSettings(method="pca")),
}
"""Name and settings of each; the first is the one that the others are turned towards."""


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to lay the publications out, and how far it can be believed."""

    name: str
    points: Points
    """In the order of `Layouts.embedded`."""
    trustworthiness: float
    continuity: float


@dataclass(frozen=True, eq=False)
class Area:
    """An area on a layout: its outline, and what it calls relevant. None and nobody where it can't be fitted."""

    outline: Points | None
    relevant_mask: Mask


@dataclass(frozen=True, eq=False)
class Layouts:
    """All layouts of one version, or of a sample of it, with what is decided on each."""

    scene: Scene
    """Of the sample."""
    embedded: EmbeddedSet
    """The sample and the missed core publications, as they were laid out."""
    n_all: int
    """Retrieved publications before sampling."""
    layouts: Mapping[str, Layout]
    areas: Mapping[tuple[str, Outlined], Area]

    @property
    def n(self) -> int:
        """Retrieved publications that were laid out."""
        return len(self.scene.retrieved)

    def cosine_mask(self, quantile: float) -> Mask:
        """What cosine similarity calls relevant, in the embedding space; nobody where it can't be fitted."""
        fit = REGIONS["cosine"](self.scene, EvaluationSettings(cosine_mode="quantile", quantile=quantile))
        return fit.relevant_mask if isinstance(fit, Fitted) else np.zeros(self.n, dtype=np.bool_)


def sample_of(scene: Scene, *, most: int = MOST_LAID_OUT, seed: int = 0) -> Scene:
    """At most so many of the retrieved publications, with all of the found core; the seed draws the rest."""
    n = len(scene.retrieved)
    if n <= most:
        return scene
    rest = np.setdiff1d(np.arange(n), scene.found_rows)
    n_drawn = min(max(most - len(scene.found_rows), 0), len(rest))
    drawn = np.random.default_rng(seed).choice(rest, n_drawn, replace=False)
    rows = np.sort(np.concatenate([scene.found_rows, drawn]))
    ids = [scene.retrieved.ids[row] for row in rows]
    return replace(scene, retrieved=scene.retrieved.take(ids), n_retrieved=len(ids), projection=None)


def laid_out_of(scene: Scene) -> EmbeddedSet:
    """The retrieved publications, then the core publications that were missed and have a vector."""
    missed = [i for i in scene.core.ids if i not in scene.retrieved]
    vectors = np.concatenate([scene.retrieved.vectors, scene.core.take(missed).vectors])
    return EmbeddedSet((*scene.retrieved.ids, *missed), vectors, scene.retrieved.model_id)


def turned_towards(points: Points, reference: Points) -> Points:
    """The layout at unit size around its middle, turned or mirrored so that it lies as near the other as can be.

    What is inside an ellipse or a hull stays inside.
    """
    own, other = (_at_unit_size(each) for each in (points, reference))
    left, _, right = np.linalg.svd(own.T @ other)
    turned: Points = own @ (left @ right)
    return turned


def _at_unit_size(points: Points) -> Points:
    centred: Points = points - points.mean(axis=0)
    size = float(np.sqrt((centred**2).sum(axis=1).mean()))
    centred /= size or 1.0
    return centred


def fit_layouts(embedded: EmbeddedSet, on_progress: OnProgress | None = None) -> dict[str, Layout]:
    """Every layout, fitted; slow the first time, because UMAP is compiled."""
    if len(embedded) < MIN_PUBLICATIONS:
        raise InputError(f"a layout needs {MIN_PUBLICATIONS} publications with a vector, got {len(embedded)}")
    made: dict[str, Layout] = {}
    for done, (name, (_, settings)) in enumerate(LAYOUTS.items()):
        if on_progress:
            on_progress(done, len(LAYOUTS))
        projection = fit_projection(embedded, settings, projection_id=name)
        believed = honesty(embedded, projection)
        reference = made["default"].points if made else projection.points
        points = turned_towards(projection.points, reference)
        made[name] = Layout(name, points, believed.trustworthiness, believed.continuity)
    return made


def judge_layouts(scene: Scene, layouts: Mapping[str, Layout], *, n_all: int) -> Layouts:
    """What ellipsoid and hull decide on each layout. `scene` is the sample that was laid out."""
    embedded = laid_out_of(scene)
    areas = {
        (name, kind): _area(scene, embedded.ids, layout, kind) for name, layout in layouts.items() for kind in OUTLINED
    }
    return Layouts(scene, embedded, n_all, layouts, areas)


def _area(scene: Scene, ids: Sequence[str], layout: Layout, kind: Outlined) -> Area:
    there = replace(scene, projection=Projection(tuple(ids), layout.points, layout.name))
    fit = REGIONS[kind](there, EvaluationSettings())
    if not isinstance(fit, Fitted):
        return Area(None, np.zeros(len(scene.retrieved), dtype=np.bool_))
    return Area(fit.region.outline(), fit.relevant_mask)
