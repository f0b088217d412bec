"""The landscape of publications: projection to two dimensions, place names, and distortion."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from math import log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.explore.regions import REGIONS
from core.explore.scene import Scene, UndefinedRegion
from core.metrics import SimilaritySweep, curve
from core.protocols import OnProgress, Reducer
from core.settings import EvaluationSettings, ProjectionMethod, ProjectionSettings
from core.stats import Interval
from core.text import NUMBER_WORDS, tokens
from core.types import EmbeddedSet, Floats, Ids, Mask, Points, Projection, RegionKind, Vectors
from core.vectors import BLOCK_ROWS, cosine

# The landscape: vectors projected to two dimensions.
#
# A landscape is fitted once and then stored. Later publications are placed among their existing neighbours, so no point
# ever moves.

N_SEEDS = 6
EXACT_UP_TO = 30_000
"""Up to this many publications neighbours are computed exactly; beyond, UMAP's approximation is faster."""


def principal_axes(vectors: Vectors, n_dimensions: int) -> Floats:
    """Return the directions that keep most of the vectors, shape (d, n_dimensions); not centred, so cosines survive."""
    d = vectors.shape[1]
    moments = np.zeros((d, d))
    for start in range(0, len(vectors), BLOCK_ROWS):
        block = vectors[start : start + BLOCK_ROWS]
        moments += block.T @ block
    _, axes = np.linalg.eigh(moments)
    kept: Floats = axes[:, ::-1][:, :n_dimensions].copy()
    # An eigenvector's sign is arbitrary; fixing it gives the same picture for the same vectors everywhere.
    largest = np.abs(kept).argmax(axis=0)
    kept *= np.sign(kept[largest, np.arange(kept.shape[1])])
    return kept


class _Epochs:
    """A text stream for UMAP's progress bar; only the numbers are read from it."""

    def __init__(self, on_step: OnProgress) -> None:
        self._on_step = on_step

    def write(self, text: str) -> None:
        found = re.search(r"(\d+)/(\d+)", text)
        if found and int(found[1]):  # the first epoch is compiled, which says nothing about the rest
            self._on_step(int(found[1]), int(found[2]))

    def flush(self) -> None:
        """Do nothing: no output is buffered."""


def nearest_neighbours(vectors: npt.NDArray[np.float32], k: int) -> tuple[npt.NDArray[np.int32], Vectors]:
    """Return the rows of the k nearest by cosine distance, starting with itself, and these distances; exact."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths > 0, lengths, 1)
    rows = np.empty((len(unit), k), dtype=np.int32)
    distances = np.empty((len(unit), k), dtype=np.float32)
    for start in range(0, len(unit), BLOCK_ROWS // 4):
        block = slice(start, start + BLOCK_ROWS // 4)
        apart = np.maximum(1 - unit[block] @ unit.T, 0)
        itself = np.arange(len(apart))
        apart[itself, start + itself] = -1  # before its duplicates
        near = np.argpartition(apart, k - 1, axis=1)[:, :k]
        found = np.take_along_axis(apart, near, axis=1)
        order = np.argsort(found, axis=1, kind="stable")
        rows[block] = np.take_along_axis(near, order, axis=1)
        distances[block] = np.maximum(np.take_along_axis(found, order, axis=1), 0)
    return rows, distances


def _umap(settings: ProjectionSettings) -> Reducer:
    def reduce(vectors: npt.NDArray[np.float32], on_step: OnProgress | None = None) -> Points:
        n_neighbors = min(settings.n_neighbors, len(vectors) - 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of tensorflow, numba and small sets; not useful to the user
            import umap  # takes seconds to import

            # UMAP would first compile its own neighbour search, for 10 to 20 s.
            is_known = len(vectors) <= EXACT_UP_TO
            known = (*nearest_neighbours(vectors, n_neighbors), None) if is_known else (None, None, None)
            model = umap.UMAP(
                metric="cosine",
                n_neighbors=n_neighbors,
                min_dist=settings.min_dist,
                random_state=settings.seed,
                n_jobs=1,
                tqdm_kwds={"disable": False, "file": _Epochs(on_step), "bar_format": "{n}/{total}"}
                if on_step
                else None,
                precomputed_knn=known,
                force_approximation_algorithm=is_known,  # otherwise ignored for small sets
                init="spectral" if len(vectors) > 10 * n_neighbors else "pca",
            )
            return np.asarray(model.fit_transform(vectors), dtype=np.float64)

    return reduce


def _pca(settings: ProjectionSettings) -> Reducer:
    def reduce(vectors: npt.NDArray[np.float32], on_step: OnProgress | None = None) -> Points:
        centred = vectors - vectors.mean(axis=0)
        return np.asarray(centred @ principal_axes(centred, 2), dtype=np.float64)

    return reduce


REDUCERS: dict[ProjectionMethod, Callable[[ProjectionSettings], Reducer]] = {"umap": _umap, "pca": _pca}
MIN_PUBLICATIONS = 5


def fit_projection(
    embedded: EmbeddedSet, settings: ProjectionSettings, *, projection_id: str, on_step: OnProgress | None = None
) -> Projection:
    """Project publications from scratch. The same vectors and settings give the same points."""
    if len(embedded) < MIN_PUBLICATIONS:
        raise InputError(f"a landscape needs {MIN_PUBLICATIONS} publications with a vector, got {len(embedded)}")
    vectors = embedded.vectors
    if settings.method == "umap" and vectors.shape[1] > settings.n_dimensions_before:
        axes = principal_axes(vectors, settings.n_dimensions_before).astype(np.float32)
        vectors = vectors @ axes
    return Projection(embedded.ids, REDUCERS[settings.method](settings)(vectors, on_step), projection_id)


def place(later: EmbeddedSet, *, among: EmbeddedSet, projection: Projection, n_neighbors: int = 15) -> Projection:
    """Place later publications between their nearest neighbours on the landscape; nearer neighbours weigh more.

    Weights fall as exp(-(distance - nearest) / scale), with the mean of the differences as scale: close to the starting
    point of UMAP's `transform`, without the random walk that follows there, and without storing a fitted model. A
    publication with the same vector as an existing one lands on it.
    """
    there = projection.take(among.ids).points
    k = min(n_neighbors, len(among))
    points = np.empty((len(later), 2))
    for start in range(0, len(later), BLOCK_ROWS // 4):
        rows = slice(start, start + BLOCK_ROWS // 4)
        distances = 1.0 - later.vectors[rows] @ among.vectors.T
        nearest = np.argpartition(distances, k - 1, axis=1)[:, :k]
        d = np.maximum(np.take_along_axis(distances, nearest, axis=1).astype(np.float64), 0.0)
        d[d < 1e-6] = 0.0
        beyond = d - d.min(axis=1, keepdims=True)
        scale = np.maximum(beyond.mean(axis=1, keepdims=True), 1e-12)
        twin = d == 0.0
        weights = np.where(twin.any(axis=1, keepdims=True), twin, np.exp(-beyond / scale))
        points[rows] = np.einsum("ij,ijk->ik", weights, there[nearest]) / weights.sum(axis=1, keepdims=True)
    return Projection(later.ids, points, projection.projection_id)


def over_seeds(
    embedded: EmbeddedSet,
    settings: ProjectionSettings,
    on_progress: OnProgress | None = None,
    fit: Callable[..., Projection] = fit_projection,
) -> Iterator[Projection]:
    """Yield the landscape for its own seed and five others, to show how much of a score depends on the layout."""
    for done in range(N_SEEDS):
        seed = (settings.seed + done) % 2**32
        if on_progress:
            on_progress(done, N_SEEDS)
        yield fit(embedded, replace(settings, seed=seed), projection_id=f"seed-{seed}")


# Data of a picture of one query version: its publications row by row, the least similar first.
#
# In this order a similarity threshold is a split: every row from some position on is relevant. So a whole curve takes
# one pass, and a live view needs only a number.

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Landscape:
    """Retrieved publications with a vector, by ascending similarity to the core; then the missed core publications."""

    ids: Ids
    n_retrieved: int
    """Number of leading rows that were retrieved; the others are missed core publications with a vector."""
    n_core: int
    """Number of core publications of the topic, with or without a vector."""
    order: Rows
    """Row i of the retrieved is publication `order[i]` of the scene, to bring masks into this order."""
    similarities: npt.NDArray[np.float32]
    """Cosine to the core centroid; 0 if the core has no centre."""
    points: Points | None
    """Position of each row; None without a landscape."""
    core_mask: Mask

    def __repr__(self) -> str:
        return f"Landscape({len(self.ids):,} publications, {self.n_retrieved:,} of them retrieved)"

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def row_of(self) -> dict[str, int]:
        return {publication_id: row for row, publication_id in enumerate(self.ids)}

    def in_order(self, mask: Mask) -> Mask:
        """Return a region's mask over the scene's retrieved publications in the order of these rows."""
        return mask[self.order]


def lay_out(scene: Scene) -> Landscape:
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
    """Compute the scores of every split. Entry i: exactly rows i and later are relevant; the last entry has none."""
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


# Names for places on a landscape: dense groups of publications, and the distinctive words of their titles.

GRID = 96
LEVELS = (7.0, 3.5, 1.8)
"""Blur of the density in grid cells: a wide blur finds few large groups, a narrow one many small ones."""
MOST_GROUPS = (10, 24, 60)
COLOURED_LEVEL = 0
"""The level whose groups are coloured."""
NO_GROUP = 255
FEWEST = 8
"""Smaller groups get no name."""
MOST_READ = 20_000
"""Maximum number of titles read; names do not change with more."""
WORDS_IN_NAME = 2
_SMALL_WORDS = frozenset(
    """
    a about across after against all among an analysis and approach approaches are as at based be before below
    beneath between beyond by can case data different do does during effect effects evidence first for from has
    have high how if in into is it its low made method methods model models more most new not of on one or over
    results review role some study survey systematic than that the their them there these they this through to
    toward towards two under up use used using via was were what when where which who why with within without
    """.split()  # noqa: SIM905
)
_UNITS = frozenset(
    """
    several per cent percent percentage rate
    year years yr yrs month months week weeks day days hour hours minute minutes seconds old aged
    mm cm km nm um mg kg ml dl mmol mol ppm ppb hz khz mhz ghz kw mw gw kwh mpa kpa wt vol
    """.split()  # noqa: SIM905
)
"""Words of measurement, which are not used in names, and neither are numbers."""
_PASSED_OVER = _SMALL_WORDS | NUMBER_WORDS | _UNITS


@dataclass(frozen=True, slots=True)
class LandscapeGroup:
    name: str
    x: float
    y: float
    n: int
    level: int
    """0: visible from afar; higher levels appear when zooming in."""


@dataclass(frozen=True, eq=False)
class LandscapeGroups:
    named: tuple[LandscapeGroup, ...]
    coloured: tuple[str, ...]
    """Names of the groups that publications are coloured by, largest first."""
    group_of: npt.NDArray[np.uint8]
    """Index into `coloured`, per row; 255: none."""

    @classmethod
    def none(cls, n_rows: int) -> LandscapeGroups:
        return cls((), (), np.full(n_rows, NO_GROUP, dtype=np.uint8))

    def take(self, rows: Rows) -> LandscapeGroups:
        """Return the same groups for a selection of rows."""
        return replace(self, group_of=self.group_of[rows])


class TitleWords(NamedTuple):
    """Pairs of title and word; each pair occurs once."""

    title: Rows
    word: Rows
    vocabulary: tuple[str, ...]
    """In alphabetical order."""
    n_titles: int

    @classmethod
    def read(cls, titles: Sequence[str]) -> TitleWords:
        number: dict[str, int] = {}
        found = [[number.setdefault(word, len(number)) for word in set(tokens(title))] for title in titles]
        known = np.array([*number])
        order = np.argsort(known)
        is_telling = np.array([_is_telling(word) for word in number], dtype=np.bool_)[order]
        place = np.full(len(known), -1)
        place[order[is_telling]] = np.arange(is_telling.sum())
        words = place[np.fromiter(chain.from_iterable(found), dtype=np.intp)] if len(known) else np.array([], np.intp)
        rows = np.repeat(np.arange(len(found)), [len(each) for each in found])
        return cls(rows[words >= 0], words[words >= 0], tuple(known[order[is_telling]].tolist()), len(titles))

    def count_in(self, group: Rows, n_groups: int) -> npt.NDArray[np.intp]:
        """Count the titles of each group that contain each word. `group`: the group of each title."""
        n = len(self.vocabulary)
        return np.bincount(group[self.title] * n + self.word, minlength=n_groups * n).reshape(n_groups, n)


def _is_telling(word: str) -> bool:
    return len(word) > 2 and not word[0].isdigit() and word not in _PASSED_OVER


def name_groups(points: Points, titles: Sequence[str]) -> LandscapeGroups:
    """Find dense groups of publications at three scales, and name each group."""
    n = len(points)
    if n < FEWEST:
        return LandscapeGroups.none(n)
    group_of = np.full(n, NO_GROUP, dtype=np.uint8)
    low, extent = points.min(axis=0), np.maximum(np.ptp(points, axis=0), 1e-12)
    cells = np.minimum(((points - low) / extent * GRID).astype(int), GRID - 1)
    density = np.zeros((GRID, GRID))
    np.add.at(density, (cells[:, 0], cells[:, 1]), 1.0)
    step = max(1, n // MOST_READ)
    words = TitleWords.read(titles[::step])
    named: list[LandscapeGroup] = []
    coloured: tuple[str, ...] = ()
    for level, (blur, most) in enumerate(zip(LEVELS, MOST_GROUPS, strict=True)):
        nearest = _nearest_peak(cells, density, blur, most)
        groups = _named(points, words, step, nearest, level)
        named += [group for _, group in groups]
        if level == COLOURED_LEVEL:
            coloured = tuple(group.name for _, group in groups)
            for index, (peak, _) in enumerate(groups):
                group_of[nearest == peak] = index
    return LandscapeGroups(tuple(named), coloured, group_of)


def _nearest_peak(
    cells: npt.NDArray[np.int_], density: npt.NDArray[np.float64], blur: float, most: int
) -> npt.NDArray[np.intp]:
    from scipy.ndimage import gaussian_filter, maximum_filter
    from scipy.spatial import cKDTree

    smooth = gaussian_filter(density, blur)
    is_peak = (smooth == maximum_filter(smooth, size=max(3, int(2 * blur) | 1))) & (smooth > 0.02 * smooth.max())
    peaks = np.argwhere(is_peak)
    peaks = peaks[np.argsort(-smooth[tuple(peaks.T)], kind="stable")][:most]
    _, nearest = cKDTree(peaks).query(cells)
    return np.asarray(nearest, dtype=np.intp)


def _named(
    points: Points, words: TitleWords, step: int, nearest: npt.NDArray[np.intp], level: int
) -> list[tuple[int, LandscapeGroup]]:
    """Return the named groups of one level, largest first; each name is used once."""
    sizes = np.bincount(nearest)
    n_read = np.bincount(nearest[::step], minlength=len(sizes))
    within = words.count_in(nearest[::step], len(sizes))
    overall = within.sum(axis=0)
    found: list[tuple[int, LandscapeGroup]] = []
    taken: set[str] = set()
    for peak in np.argsort(-sizes, kind="stable"):
        if sizes[peak] < FEWEST:
            break
        name = _name(words, within[peak], max(1, int(n_read[peak])), overall)
        if not name or name in taken:
            continue
        taken.add(name)
        middle = np.median(points[nearest == peak], axis=0)
        found.append((int(peak), LandscapeGroup(name, float(middle[0]), float(middle[1]), int(sizes[peak]), level)))
    return found


def _name(words: TitleWords, within: npt.NDArray[np.intp], n_read: int, overall: npt.NDArray[np.intp]) -> str:
    """Return words that are common in the group and rare elsewhere."""

    def set_apart(word: int) -> float:
        here, everywhere = int(within[word]) / n_read, int(overall[word]) / words.n_titles
        return here * log(1 + here / everywhere)

    common = np.flatnonzero(within >= max(2, 0.04 * n_read)).tolist()
    best = sorted(common, key=lambda word: (-set_apart(word), word))
    chosen: list[str] = []
    for word in (words.vocabulary[each] for each in best):
        if not any(word.startswith(other[:5]) or other.startswith(word[:5]) for other in chosen):
            chosen.append(word)
        if len(chosen) == WORDS_IN_NAME:
            break
    return " · ".join(chosen)


# Reliability of the landscape: neighbours it separates, strangers it joins, and results that depend on its seed.

N_HONESTY_NEIGHBORS = 15
MAX_HONESTY_ROWS = 2000
"""Trustworthiness and continuity are averaged over at most this many publications, sampled with the seed."""
TWINS: tuple[tuple[RegionKind, RegionKind], ...] = (
    ("mvee", "mvee_embedding"),
    ("hull", "hull_embedding"),
    ("cluster_projection", "cluster"),
)
"""The same kind of region on the landscape and in the embedding space."""


@dataclass(frozen=True, slots=True)
class Honesty:
    trustworthiness: float
    """1: neighbours on the landscape are neighbours in the embedding; 0.5: by chance."""
    continuity: float
    """1: neighbours in the embedding are neighbours on the landscape."""
    variance_explained: float
    """Share of the vectors' variance that is linear in the two coordinates. By its nature it ranks PCA above UMAP."""
    n_rows: int
    """Number of publications in the average of the first two."""


def _rank_penalty(seen: Floats, true: Floats, rows: npt.NDArray[np.intp], k: int) -> float:
    """Sum (true rank - k) over the k nearest on display that are not among the k nearest in truth."""
    own = np.arange(len(rows))
    seen[own, rows] = true[own, rows] = np.inf
    nearest = np.argpartition(seen, k - 1, axis=1)[:, :k]
    distances = np.take_along_axis(true, nearest, axis=1)
    penalty = 0
    for column in distances.T:
        ranks = np.count_nonzero(true < column[:, None], axis=1) + 1
        penalty += int(np.maximum(ranks - k, 0).sum())
    return float(penalty)


def honesty(embedded: EmbeddedSet, projection: Projection, *, seed: int = 0) -> Honesty:
    """Compute trustworthiness and continuity (k = 15, cosine distance), and the variance explained.

    Reference: Venna and Kaski (2001). With more than 2,000 publications, an average over a sample of 2,000, each ranked
    against all. The variance explained is LitQEval's PLS figure: for two components on a two-dimensional map it equals
    the R² of least squares.
    """
    points = projection.take(embedded.ids).points
    n = len(embedded)
    k = min(N_HONESTY_NEIGHBORS, (n - 1) // 2)
    if k < 1:
        raise InputError(f"honesty figures need 3 publications, got {n}")
    drawn = np.arange(n)
    if n > MAX_HONESTY_ROWS:
        drawn = np.sort(np.random.default_rng(seed).choice(n, MAX_HONESTY_ROWS, replace=False))
    falsely_near = torn_apart = 0.0
    lengths = np.einsum("ij,ij->i", points, points)
    for start in range(0, len(drawn), 256):
        rows = drawn[start : start + 256]
        true = 1.0 - (embedded.vectors[rows] @ embedded.vectors.T).astype(np.float64)
        seen = lengths[rows, None] + lengths - 2 * points[rows] @ points.T
        falsely_near += _rank_penalty(seen, true, rows, k)
        torn_apart += _rank_penalty(true, seen, rows, k)
    scale = 2.0 / (len(drawn) * k * (2 * n - 3 * k - 1))
    return Honesty(
        trustworthiness=1 - scale * falsely_near,
        continuity=1 - scale * torn_apart,
        variance_explained=variance_explained(embedded.vectors, points),
        n_rows=len(drawn),
    )


def variance_explained(vectors: Vectors, points: Points) -> float:
    """Compute R² of least squares from the two coordinates to the vectors; 0 if all vectors are equal."""
    basis, spread, _ = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    basis = basis[:, spread > 1e-9 * max(spread[0], 1e-300)]
    mean = vectors.mean(axis=0, dtype=np.float64)
    total = float(np.einsum("ij,ij->", vectors, vectors, dtype=np.float64)) - len(vectors) * float(mean @ mean)
    # The basis is orthogonal to the constant, so the vectors need not be centred.
    explained = float(((basis.T.astype(np.float32) @ vectors).astype(np.float64) ** 2).sum())
    return explained / total if total > 1e-12 else 0.0


def seed_ranges(
    scene: Scene, landscapes: Iterable[Projection], settings: EvaluationSettings
) -> Mapping[RegionKind, Interval]:
    """Return the lowest and highest share of retrieved publications in each landscape region, over six seeds.

    A landscape on which a region does not exist is ignored; a region that exists on none has no range.
    """
    shares: dict[RegionKind, list[float]] = {"mvee": [], "hull": [], "cluster_projection": []}
    for projection in landscapes:
        seen = replace(scene, projection=projection)
        for kind, found in shares.items():
            fit = REGIONS[kind].fit(seen, settings)
            if not isinstance(fit, UndefinedRegion) and len(fit.relevant_mask):
                found.append(float(fit.relevant_mask.mean()))
    return {kind: Interval(min(found), max(found)) for kind, found in shares.items() if found}


def changed_decisions(
    scene: Scene, settings: EvaluationSettings, twins: Sequence[tuple[RegionKind, RegionKind]] = TWINS
) -> dict[RegionKind, int]:
    """Count the publications that each landscape region decides differently from its twin in the embedding space."""
    changed: dict[RegionKind, int] = {}
    for on_landscape, in_embedding in twins:
        seen, true = (REGIONS[kind].fit(scene, settings) for kind in (on_landscape, in_embedding))
        if not isinstance(seen, UndefinedRegion) and not isinstance(true, UndefinedRegion):
            changed[on_landscape] = int(np.count_nonzero(seen.relevant_mask != true.relevant_mask))
    return changed
