"""The cluster story: one list split into 1, 2, 3, ... clusters, and where the core falls apart. On a made-up plane.

What is decided is decided by core/regions/cluster.py; here it is only told step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core import kmeans
from core.regions.cluster import holds_too_few, last_whole, most_core, whole_list
from core.types import Floats, Mask, Points

N_THEMES = 5
PER_THEME = 36
N_CORE = 15
LAST_K = 8
THEME_PLACES: Points = np.array([[0.22, 0.72], [0.5, 0.82], [0.78, 0.66], [0.34, 0.3], [0.7, 0.26]])
SPREAD = 0.065


@dataclass(frozen=True, eq=False)
class Themes:
    """A list of publications around a few places, some of them core."""

    points: Points
    core_mask: Mask
    solutions: tuple[kmeans.Clustering, ...]
    """k-means for k = 2, 3, ..., which does not ask what is core."""

    @property
    def core_rows(self) -> npt.NDArray[np.intp]:
        """Which rows are core publications."""
        return np.flatnonzero(self.core_mask)


@dataclass(frozen=True, eq=False)
class Split:
    """The list split into k clusters."""

    k: int
    labels: npt.NDArray[np.int32]
    centers: Floats
    core_counts: tuple[int, ...]
    """Core publications in each cluster."""
    best: int
    """The cluster with most of them."""
    falls_apart: bool
    """Whether even the best one holds too few."""

    @property
    def n_best(self) -> int:
        """Core publications in the best cluster."""
        return self.core_counts[self.best]


@dataclass(frozen=True)
class Story:
    """The splits up to the last that is looked at, and where the rule stops."""

    splits: tuple[Split, ...]
    kept_k: int
    """The k whose best cluster is the region."""
    stopped_at: int | None
    """The first k that takes the core apart; None: none does."""


def scatter_themes(core_per_theme: Sequence[int], *, seed: int) -> Themes:
    """Publications in five themes, with so many core publications in each.

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
    """The core spread over so many themes, most of it in the first.

    >>> core_by_theme(1), core_by_theme(3)
    ((15, 0, 0, 0, 0), (9, 3, 3, 0, 0))
    """
    others = n_themes - 1
    each = round(N_CORE * 0.4 / others) if others else 0
    return (N_CORE - each * others, *([each] * others), *([0] * (N_THEMES - n_themes)))


def tell(themes: Themes, min_core_share: float) -> Story:
    """Every split up to k = 8, with the rule's verdict on each and where it stops."""
    rows, found = themes.points, themes.core_rows
    whole = whole_list(rows)
    splits = tuple(_split(each, found, min_core_share) for each in (whole, *themes.solutions))
    kept = last_whole(themes.solutions, whole, found, (min_core_share,))[min_core_share]
    stopped_at = next((split.k for split in splits if split.falls_apart), None)
    return Story(splits, kept.k, stopped_at)


def _split(clustering: kmeans.Clustering, found: npt.NDArray[np.intp], min_core_share: float) -> Split:
    best, n_best = most_core(clustering, found)
    counts = np.bincount(clustering.labels[found], minlength=clustering.k).tolist()
    falls_apart = holds_too_few(n_best, len(found), min_core_share)
    return Split(clustering.k, clustering.labels, clustering.centers, tuple(counts), best, falls_apart)
