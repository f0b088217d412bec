"""Computations for the labs: decay, thresholds, projections, parameter sensitivity, and synthetic planes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from core import kmeans
from core.errors import InputError
from core.explore.landscape import MIN_PUBLICATIONS, fit_projection, honesty
from core.explore.regions import REGIONS
from core.explore.regions.cluster import holds_too_few, last_whole, most_core, whole_list
from core.explore.regions.cosine import leave_one_out_similarities
from core.explore.regions.hull import hull_around, needs_an_area
from core.explore.regions.mvee import ellipsoid_around
from core.explore.scene import FittedRegion, Scene, UndefinedRegion, needs
from core.metrics import SIMILARITY_TOLERANCE, Counts, SimilaritySweep, curve, decay, f_beta
from core.protocols import OnProgress
from core.settings import EvaluationSettings, ProjectionSettings
from core.stats import Interval
from core.types import CoreSet, EmbeddedSet, Floats, Mask, Points, Projection, RetrievedSet
from core.vectors import embedded_set

# A topic as the labs use it, and a synthetic one so that labs work without any data.

MADE_UP = "A synthetic topic"
N_MADE_UP = 400
N_DIMENSIONS = 16
THEMES: tuple[tuple[int, int, float], ...] = ((90, 12, 1.3), (60, 6, 1.2), (80, 2, 1.3), (70, 0, 1.2), (100, 0, 1.8))
"""Size, number of core publications and spread of each theme. The last theme is everything else."""
N_MISSED = 2
"""Core publications that the synthetic query does not retrieve."""


@dataclass(frozen=True, eq=False)
class LabTopic:
    """One version of one topic, with its publications by ascending similarity to the core."""

    name: str
    scene: Scene
    similarities: npt.NDArray[np.float32]
    """Similarities of the retrieved publications with a vector, ascending."""
    core_mask: Mask
    """The core publications among them."""
    made_up: bool = False

    @classmethod
    def of(cls, name: str, scene: Scene, *, made_up: bool = False) -> LabTopic:
        similarities = scene.similarities_to_centre
        order = np.argsort(similarities, kind="stable")
        is_core = np.zeros(len(order), dtype=np.bool_)
        is_core[scene.found_rows] = True
        return cls(name, scene, similarities[order], is_core[order], made_up)

    @property
    def n(self) -> int:
        """Number of retrieved publications with a vector."""
        return len(self.similarities)

    @property
    def n_core(self) -> int:
        """Number of all core publications, found or not."""
        return self.scene.n_core

    @cached_property
    def ascending(self) -> Floats:
        return self.similarities.astype(np.float64)

    @cached_property
    def core_ascending(self) -> Floats:
        return self.ascending[self.core_mask]

    @cached_property
    def span(self) -> tuple[float, float]:
        """Lowest and highest similarity; the full range if nothing was retrieved."""
        return (float(self.ascending[0]), float(self.ascending[-1])) if self.n else (-1.0, 1.0)

    @cached_property
    def left_out(self) -> float | None:
        """The default similarity threshold for most embedders; None with fewer than 2 core vectors."""
        if len(self.scene.core) < 2:
            return None
        lowest = float(leave_one_out_similarities(self.scene.core_gram)[0].min())
        return lowest if np.isfinite(lowest) else None

    def n_relevant(self, thresholds: Floats) -> Counts:
        return _at_least(self.ascending, thresholds)

    def n_accepted(self, thresholds: Floats) -> Counts:
        return _at_least(self.core_ascending, thresholds)

    def scores(self, thresholds: Floats, settings: EvaluationSettings, *, times: int = 1) -> SimilaritySweep:
        """Return the scores at these similarity thresholds. The counts are looked up; nothing is sorted again.

        `times`: the number of identical publications that each one represents, so that the decay shows on a short list.
        """
        return curve(
            thresholds,
            n_relevant=self.n_relevant(thresholds) * times,
            n_accepted_core=self.n_accepted(thresholds),
            n_scorable=self.n * times,
            n_core=self.n_core,
            settings=settings,
        )

    def best(self, settings: EvaluationSettings, *, times: int = 1) -> float | None:
        """Return the strictest similarity threshold with the highest F-beta, or None if F-beta is 0 everywhere."""
        if not self.n:
            return None
        sweep = self.scores(self.ascending, settings, times=times)
        return float(self.ascending[sweep.best]) if sweep.f_beta.any() else None


def _at_least(ascending: Floats, thresholds: Floats) -> Counts:
    return len(ascending) - np.searchsorted(ascending, thresholds - SIMILARITY_TOLERANCE, side="left").astype(np.int64)


def made_up_scene(seed: int = 0) -> Scene:
    """Simulate a query on a synthetic corpus: five themes in 16 dimensions, core in three of them, two core missed."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(len(THEMES), N_DIMENSIONS))
    centres[1] += 1.1 * centres[0]  # the themes of the core are close to each other
    centres[2] += 0.7 * centres[0]
    rows, core = [], []
    for (n, n_core, spread), centre in zip(THEMES, centres, strict=True):
        # Core publications are typical of their theme.
        spreads = np.concatenate([np.full(n_core, 0.75 * spread), np.full(n - n_core, spread)])
        rows.append(centre + rng.normal(size=(n, N_DIMENSIONS)) * spreads[:, None])
        core.append(np.arange(n) < n_core)
    ids = tuple(f"m{number:03}" for number in range(N_MADE_UP))
    order = rng.permutation(N_MADE_UP)
    embedded, _ = embedded_set(ids, np.concatenate(rows)[order], "made-up")
    core_ids = tuple(i for i, is_core in zip(ids, np.concatenate(core)[order], strict=True) if is_core)
    retrieved = RetrievedSet.of("made-up", (i for i in ids if i not in core_ids[:N_MISSED]))
    return Scene.of(retrieved, CoreSet(MADE_UP, core_ids), embedded)


def made_up_topic(seed: int = 0) -> LabTopic:
    """Return the synthetic query, ready for a lab. The same seed gives the same topic."""
    return LabTopic.of(MADE_UP, made_up_scene(seed), made_up=True)


# Additional functions for the decay lab.

REFERENCE_SIZES = (1_000, 5_000, 10_000, 17_573, 20_000, 30_000)
"""Sizes with a documented decay under the default settings, to check any implementation against."""


def half_size(*, limit: float, onset: float, steepness: float) -> float:
    """Return the number of relevant publications at which the decay is 0.5.

    >>> round(half_size(limit=50_000, onset=1.5, steepness=10), 1)
    8245.4
    """
    return float(limit * (-math.expm1(math.log(0.5) / steepness)) ** (1 / onset))


def published_decay(n_relevant: float, *, limit: float, onset: float, steepness: float) -> float | None:
    """Return the decay as LitQEval prints it, without a floor at 0, so that it rises again beyond the limit.

    Undefined, None: a negative number to a fractional power, or a value too large for a float.

    >>> round(published_decay(100_000, limit=50_000, onset=1.5, steepness=10), 1)
    417.6
    >>> published_decay(100_000, limit=50_000, onset=1.5, steepness=2.5) is None
    True
    """
    try:
        base = 1 - (n_relevant / limit) ** onset
        return float(base**steepness) if base >= 0 or float(steepness).is_integer() else None
    except OverflowError:
        return None


def saturated_f_beta(n_relevant: Counts, *, n_retrieved: int, settings: EvaluationSettings) -> Floats:
    """Return F-beta by number of relevant publications, once every core publication is accepted.

    Recall is then 1 and precision is relevant / retrieved. 0 if more would be relevant than were retrieved.

    >>> saturated_f_beta(np.array([0, 10, 30]), n_retrieved=20, settings=EvaluationSettings()).round(3).tolist()
    [0.0, 0.833, 0.0]
    """
    precision = np.where(n_relevant <= n_retrieved, n_relevant / n_retrieved, 0.0)
    price = decay(n_relevant, **settings.decay_curve)
    return f_beta(precision * price, np.ones_like(precision), beta=settings.beta)


# F-beta over any two parameters at once, and over each one alone.

Parameter = Literal["min_similarity", "decay_limit", "decay_onset", "decay_steepness", "beta"]
PARAMETERS: tuple[Parameter, ...] = get_args(Parameter)


def f_beta_grid(
    topic: LabTopic, settings: EvaluationSettings, varied: Mapping[Parameter, Floats], *, times: int = 1
) -> Floats:
    """Compute F-beta for these values of the parameters, which broadcast against each other; the others stay as set.

    The formula is that of `core.metrics`, evaluated once per distinct onset and beta: the relevant publications depend
    on the threshold alone, the limit only scales the size, and the steepness is a power of the rest.
    """
    values = {name: np.asarray(varied.get(name, getattr(settings, name)), dtype=np.float64) for name in PARAMETERS}
    shape = np.broadcast_shapes(*(of.shape for of in values.values()))
    thresholds, limit, onset, steepness, beta = (values[name] for name in PARAMETERS)
    n_relevant = topic.n_relevant(thresholds)
    recall = np.broadcast_to(topic.n_accepted(thresholds) / topic.n_core, shape)
    share = np.broadcast_to(n_relevant * times / limit, shape)
    price = np.empty(shape)
    for one in np.unique(onset):
        here = np.broadcast_to(onset == one, shape)
        price[here] = decay(share[here], limit=1.0, onset=float(one), steepness=1.0)
    precision = n_relevant / max(topic.n, 1) * price**steepness
    out = np.empty(shape)
    for one in np.unique(beta):
        here = np.broadcast_to(beta == one, shape)
        out[here] = f_beta(precision[here], recall[here], beta=float(one))
    return out


def f_beta_map(
    topic: LabTopic,
    settings: EvaluationSettings,
    *,
    x: tuple[Parameter, Floats],
    y: tuple[Parameter, Floats],
    times: int = 1,
) -> Floats:
    """Compute F-beta over two parameters, shape (values of y, values of x)."""
    varied: dict[Parameter, Floats] = {x[0]: x[1][None, :], y[0]: y[1][:, None]}
    return f_beta_grid(topic, settings, varied, times=times)


def reach(
    topic: LabTopic, settings: EvaluationSettings, name: Parameter, values: Floats, *, times: int = 1
) -> Interval:
    """Return the range of F-beta if this parameter alone takes each of these values."""
    scores = f_beta_grid(topic, settings, {name: values}, times=times)
    return Interval(float(scores.min()), float(scores.max()))


# The same publications in several layouts, and the decisions of regions on each.

MOST_LAID_OUT = 600
"""Above this number, publications are sampled: a lab's picture can't show more, and UMAP is slow."""

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
"""Name and settings of each layout; the others are rotated towards the first."""


@dataclass(frozen=True, slots=True)
class LabLayout:
    name: str
    points: Points
    """In the order of `Layouts.embedded`."""
    trustworthiness: float
    continuity: float


@dataclass(frozen=True, eq=False)
class LayoutArea:
    """An area on a layout: outline and relevant publications. None and an empty mask if it can't be fitted."""

    outline: Points | None
    relevant_mask: Mask


@dataclass(frozen=True, eq=False)
class Layouts:
    scene: Scene
    """The scene of the sample."""
    embedded: EmbeddedSet
    """The sample and the missed core publications, in layout order."""
    n_all: int
    """Number of retrieved publications before sampling."""
    layouts: Mapping[str, LabLayout]
    areas: Mapping[tuple[str, Outlined], LayoutArea]

    @property
    def n(self) -> int:
        return len(self.scene.retrieved)

    def cosine_mask(self, quantile: float) -> Mask:
        """Return the mask of cosine similarity in the embedding space; all False if the region can't be fitted."""
        fit = REGIONS["cosine"].fit(self.scene, EvaluationSettings(cosine_mode="quantile", quantile=quantile))
        return fit.relevant_mask if isinstance(fit, FittedRegion) else np.zeros(self.n, dtype=np.bool_)


def sample_of(scene: Scene, *, most: int = MOST_LAID_OUT, seed: int = 0) -> Scene:
    """Sample at most `most` retrieved publications, including all of the found core; the seed draws the rest."""
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
    """Return the retrieved publications, then the missed core publications that have a vector."""
    missed = [i for i in scene.core.ids if i not in scene.retrieved]
    vectors = np.concatenate([scene.retrieved.vectors, scene.core.take(missed).vectors])
    return EmbeddedSet((*scene.retrieved.ids, *missed), vectors, scene.retrieved.model_id)


def turned_towards(points: Points, reference: Points) -> Points:
    """Scale a layout to unit size around its centre, then rotate or mirror it to best match the reference.

    Points inside an ellipse or a hull stay inside.
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


def fit_layouts(embedded: EmbeddedSet, on_progress: OnProgress | None = None) -> dict[str, LabLayout]:
    """Fit every layout; slow the first time, because UMAP is compiled."""
    if len(embedded) < MIN_PUBLICATIONS:
        raise InputError(f"a layout needs {MIN_PUBLICATIONS} publications with a vector, got {len(embedded)}")
    made: dict[str, LabLayout] = {}
    for done, (name, (_, settings)) in enumerate(LAYOUTS.items()):
        if on_progress:
            on_progress(done, len(LAYOUTS))
        projection = fit_projection(embedded, settings, projection_id=name)
        believed = honesty(embedded, projection)
        reference = made["default"].points if made else projection.points
        points = turned_towards(projection.points, reference)
        made[name] = LabLayout(name, points, believed.trustworthiness, believed.continuity)
    return made


def judge_layouts(scene: Scene, layouts: Mapping[str, LabLayout], *, n_all: int) -> Layouts:
    """Fit ellipsoid and hull on each layout. `scene` is the sample in the layouts."""
    embedded = laid_out_of(scene)
    areas = {
        (name, kind): _area(scene, embedded.ids, layout, kind) for name, layout in layouts.items() for kind in OUTLINED
    }
    return Layouts(scene, embedded, n_all, layouts, areas)


def _area(scene: Scene, ids: Sequence[str], layout: LabLayout, kind: Outlined) -> LayoutArea:
    there = replace(scene, projection=Projection(tuple(ids), layout.points, layout.name))
    fit = REGIONS[kind].fit(there, EvaluationSettings())
    if not isinstance(fit, FittedRegion):
        return LayoutArea(None, np.zeros(len(scene.retrieved), dtype=np.bool_))
    return LayoutArea(fit.region.outline(), fit.relevant_mask)


# The toy: publications on a plane, and the decisions of each kind of region. A vector here is a position on the plane.
#
# LitQEval's first figures show it, with raw coordinates: embedding and projection are one and the same plane, and the
# vectors keep their lengths until cosine divides by them.

N_PUBLICATIONS = 200
N_TOY_CORE = 10
MAX_K = 12
"""The plane holds no more groups than this, and dragging must not wait for them."""
UNIT_SQUARE: Points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class Toy:
    publications: Points
    core: Points


@dataclass(frozen=True, eq=False)
class ToyArea:
    outline: Points
    """Corners of the area, clipped to the unit square if it extends beyond."""
    relevant_mask: Mask
    """Over the publications."""
    accepted_core_mask: Mask
    """Over the found core publications."""
    says: str
    """The number that defines the region."""
    degenerate: str | None = None


def scatter(seed: int) -> Toy:
    """Draw 200 publications anywhere and 10 core publications at the upper right. Seed 0 gives LitQEval's own points.

    >>> scatter(0).core.round(3)[0].tolist()
    [0.621, 0.911]
    """
    random = np.random.RandomState(seed)
    return Toy(random.rand(N_PUBLICATIONS, 2), random.rand(N_TOY_CORE, 2) * 0.55 + 0.4)


def cosines_to(direction: Floats, points: Points) -> Floats:
    """Return the cosine of each point's angle to a direction, seen from the origin; NaN at the origin itself."""
    lengths = np.linalg.norm(points, axis=1) * np.linalg.norm(direction)
    cosines: Floats = np.divide(points @ direction, lengths, out=np.full(len(points), np.nan), where=lengths > 1e-12)
    return cosines


def cosine_area(toy: Toy, found: Points) -> ToyArea | UndefinedRegion:
    """Return the wedge around the core's centre, seen from the origin, out to the least similar core publication."""
    centre = toy.core.mean(axis=0)
    core = cosines_to(centre, toy.core)
    if np.isnan(core).any():
        return UndefinedRegion("a core publication lies at the origin and has no direction")
    least = float(core.min())
    return ToyArea(
        outline=_wedge(centre, float(np.arccos(min(least, 1.0)))),
        relevant_mask=cosines_to(centre, toy.publications) >= least - SIMILARITY_TOLERANCE,
        accepted_core_mask=cosines_to(centre, found) >= least - SIMILARITY_TOLERANCE,
        says=f"similarity threshold {least:.6f}",
    )


def ellipsoid_area(toy: Toy, found: Points) -> ToyArea | UndefinedRegion:
    """Return the smallest ellipse around the found core publications."""
    if reason := needs_an_area(found):
        return reason
    region = ellipsoid_around(found)
    outline = region.outline()
    assert outline is not None  # on a plane there always is one
    says = f"area {region.defines()['area']:.3f}"
    return ToyArea(outline, region.contains(toy.publications), region.contains(found), says)


def hull_area(toy: Toy, found: Points) -> ToyArea | UndefinedRegion:
    if reason := needs_an_area(found):
        return reason
    region = hull_around(found)
    says = f"{len(region.corners)} corners"
    return ToyArea(region.corners, region.contains(toy.publications), region.contains(found), says)


def cluster_area(toy: Toy, found: Points, *, min_core_share: float) -> ToyArea | UndefinedRegion:
    """Return the last k-means cluster that still holds most of the found core publications."""
    if len(found) < 2:
        return needs(2, "found core publications")
    rows = np.vstack([toy.publications, found])
    found_rows = np.arange(len(toy.publications), len(rows))
    solutions = kmeans.solutions(rows, max_k=MAX_K)
    kept = last_whole(solutions, whole_list(rows), found_rows, (min_core_share,))[min_core_share]
    chosen, _ = most_core(kept, found_rows)
    inside: Mask = kept.labels == chosen
    return ToyArea(
        outline=cell_of(kept.centers, chosen),
        relevant_mask=inside[: len(toy.publications)],
        accepted_core_mask=inside[found_rows],
        says=f"k = {kept.k}",
        degenerate="the first split already takes the core apart: the cluster is the whole list"
        if kept.k == 1
        else None,
    )


def cell_of(centers: Floats, chosen: int) -> Points:
    """Return the part of the unit square that is nearer to the chosen centre than to any other."""
    cell = UNIT_SQUARE
    own = centers[chosen]
    for other in np.delete(centers, chosen, axis=0):
        if (other != own).any():
            cell = cut_by_line(cell, other - own, float((other @ other - own @ own) / 2))
    return cell


def cut_by_line(corners: Points, normal: Floats, offset: float) -> Points:
    """Return the part of a convex area where `normal @ p <= offset`; its corners are in order.

    >>> cut_by_line(UNIT_SQUARE, np.array([1.0, 0.0]), 0.5).tolist()
    [[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.0, 1.0]]
    """
    kept: list[Floats] = []
    beyond = corners @ normal - offset
    for at in range(len(corners)):
        here, there = beyond[at], beyond[(at + 1) % len(corners)]
        if here <= 0:
            kept.append(corners[at])
        if (here < 0 < there) or (there < 0 < here):
            kept.append(corners[at] + (corners[(at + 1) % len(corners)] - corners[at]) * (here / (here - there)))
    return np.array(kept).reshape(-1, 2)


def _wedge(direction: Floats, angle: float) -> Points:
    """Return the area within an angle of at most 90 degrees around a direction, seen from the origin."""
    towards = float(np.arctan2(direction[1], direction[0]))
    upper, lower = towards + angle, towards - angle
    below = cut_by_line(UNIT_SQUARE, np.array([-np.sin(upper), np.cos(upper)]), 0.0)
    return cut_by_line(below, np.array([np.sin(lower), -np.cos(lower)]), 0.0) if len(below) else below


# The cluster story: one list split into 1, 2, 3, ... clusters, up to the split that divides the core. On a synthetic
# plane.
#
# core/explore/regions/cluster.py makes the decisions; here they are only shown step by step.

N_THEMES = 5
PER_THEME = 36
N_STORY_CORE = 15
LAST_K = 8
THEME_PLACES: Points = np.array([[0.22, 0.72], [0.5, 0.82], [0.78, 0.66], [0.34, 0.3], [0.7, 0.26]])
SPREAD = 0.065


@dataclass(frozen=True, eq=False)
class Themes:
    points: Points
    core_mask: Mask
    solutions: tuple[kmeans.Clustering, ...]
    """k-means for k = 2, 3, ..., which does not use the core."""

    @property
    def core_rows(self) -> npt.NDArray[np.intp]:
        return np.flatnonzero(self.core_mask)


@dataclass(frozen=True, eq=False)
class ClusterSplit:
    k: int
    labels: npt.NDArray[np.int32]
    centers: Floats
    core_counts: tuple[int, ...]
    """Core publications in each cluster."""
    best: int
    """The cluster with the most core publications."""
    falls_apart: bool
    """True if even the best cluster holds too few."""

    @property
    def n_best(self) -> int:
        return self.core_counts[self.best]


@dataclass(frozen=True)
class Story:
    """The splits up to the last k, and the point at which the rule stops."""

    splits: tuple[ClusterSplit, ...]
    kept_k: int
    """The k whose best cluster is the region."""
    stopped_at: int | None
    """The first k that divides the core; None: none does."""


def scatter_themes(core_per_theme: Sequence[int], *, seed: int) -> Themes:
    """Draw publications in five themes, with the given number of core publications in each.

    >>> themes = scatter_themes((2, 1, 0, 0, 0), seed=0)
    >>> themes.points.shape, int(themes.core_mask.sum())
    ((180, 2), 3)
    """
    points, solutions = _clustered(seed)
    core_mask = np.zeros(len(points), dtype=np.bool_)
    for theme, n in enumerate(core_per_theme):
        core_mask[theme * PER_THEME : theme * PER_THEME + n] = True
    return Themes(points, core_mask, solutions)


@lru_cache(maxsize=16)
def _clustered(seed: int) -> tuple[Points, tuple[kmeans.Clustering, ...]]:
    random = np.random.default_rng(seed)
    places = [place + random.normal(scale=SPREAD, size=(PER_THEME, 2)) for place in THEME_PLACES]
    points = np.vstack(places).clip(0.0, 1.0)
    return points, tuple(kmeans.solutions(points, max_k=LAST_K))


def core_by_theme(n_themes: int) -> tuple[int, ...]:
    """Distribute the core over the first `n_themes` themes, most of it in the first.

    >>> core_by_theme(1), core_by_theme(3)
    ((15, 0, 0, 0, 0), (9, 3, 3, 0, 0))
    """
    others = n_themes - 1
    each = round(N_STORY_CORE * 0.4 / others) if others else 0
    return (N_STORY_CORE - each * others, *([each] * others), *([0] * (N_THEMES - n_themes)))


def tell(themes: Themes, min_core_share: float) -> Story:
    """Return every split up to k = 8, with the rule's verdict on each and the point at which it stops."""
    rows, found = themes.points, themes.core_rows
    whole = whole_list(rows)
    splits = tuple(_split(each, found, min_core_share) for each in (whole, *themes.solutions))
    kept = last_whole(themes.solutions, whole, found, (min_core_share,))[min_core_share]
    stopped_at = next((split.k for split in splits if split.falls_apart), None)
    return Story(splits, kept.k, stopped_at)


def _split(clustering: kmeans.Clustering, found: npt.NDArray[np.intp], min_core_share: float) -> ClusterSplit:
    best, n_best = most_core(clustering, found)
    counts = np.bincount(clustering.labels[found], minlength=clustering.k).tolist()
    falls_apart = holds_too_few(n_best, len(found), min_core_share)
    return ClusterSplit(clustering.k, clustering.labels, clustering.centers, tuple(counts), best, falls_apart)
