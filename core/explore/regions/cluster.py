"""Cluster: the k-means cluster that still holds most of the found core publications.

k-means draws its first seeds by position, so the same list in another order can be split differently. The given order
is preserved, as in the published code, and no range is shown; read the cluster together with the other regions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core import kmeans
from core.explore.scene import Fit, FittedRegion, Region, RegionDefinition, Rows, Scene, UndefinedRegion, needs
from core.settings import EvaluationSettings
from core.types import Mask, RegionKind, Space
from core.vectors import BLOCK_ROWS


@dataclass(frozen=True, eq=False)
class ClusterRegion(Region):
    """The area nearer to one cluster's centre than to any other."""

    kind: ClassVar[RegionKind] = "cluster"
    space: ClassVar[Space] = "embedding"

    centers: npt.NDArray[np.float64]
    """One row per cluster; a single row is the whole list."""
    chosen: int
    min_core_share: float

    def contains(self, rows: Rows) -> Mask:
        offsets = np.einsum("ij,ij->i", self.centers, self.centers)
        mask = np.zeros(len(rows), dtype=np.bool_)
        for start in range(0, len(rows), BLOCK_ROWS):
            block = rows[start : start + BLOCK_ROWS].astype(np.float64)
            nearest = (offsets - 2 * block @ self.centers.T).argmin(axis=1)
            mask[start : start + BLOCK_ROWS] = nearest == self.chosen
        return mask

    def defines(self) -> Mapping[str, float | int | str]:
        return {"k": len(self.centers), "min_core_share": self.min_core_share}

    @property
    def degenerate(self) -> str | None:
        if len(self.centers) > 1:
            return None
        return "the first split already takes the core apart: the cluster is the whole list"


@dataclass(frozen=True, eq=False)
class ClusterProjectionRegion(ClusterRegion):
    """The same region on the landscape (experimental)."""

    kind: ClassVar[RegionKind] = "cluster_projection"
    space: ClassVar[Space] = "projection"


def most_core(clustering: kmeans.Clustering, found_rows: npt.NDArray[np.intp]) -> tuple[int, int]:
    """Return the cluster with the most found core publications, and their number; ties: smaller, then lower label."""
    n_core = np.bincount(clustering.labels[found_rows], minlength=clustering.k)
    sizes = np.bincount(clustering.labels, minlength=clustering.k)
    chosen = min(range(clustering.k), key=lambda label: (-n_core[label], sizes[label], label))
    return chosen, int(n_core[chosen])


def holds_too_few(n_core: int, n_found: int, min_core_share: float) -> bool:
    """Return True if a cluster holds no more than the share. Exact: 0.7 of 30 is 21.

    >>> holds_too_few(21, 30, 0.7), holds_too_few(22, 30, 0.7)
    (True, False)
    """
    return n_core <= Fraction(repr(float(min_core_share))) * n_found


def last_whole(
    solutions: Iterable[kmeans.Clustering],
    whole: kmeans.Clustering,
    found_rows: npt.NDArray[np.intp],
    shares: Sequence[float],
) -> dict[float, kmeans.Clustering]:
    """Return for each share the last clustering before the core is divided, or the last one if it never is.

    One pass serves every share: a higher share only stops earlier.
    """
    kept = dict.fromkeys(shares, whole)
    undecided = set(shares)
    for clustering in solutions:
        _, n_core = most_core(clustering, found_rows)
        undecided -= {share for share in undecided if holds_too_few(n_core, len(found_rows), share)}
        if not undecided:
            break
        kept |= dict.fromkeys(undecided, clustering)
    return kept


def watched_solutions(scene: Scene, rows: Rows, *, max_k: int, seed: int) -> Iterator[kmeans.Clustering]:
    """Yield the k-means solutions and report progress to the scene; the core is usually divided early."""
    for clustering in kmeans.solutions(rows, max_k=max_k, seed=seed):
        if scene.on_step:
            scene.on_step(clustering.k, max_k)
        yield clustering


def whole_list(rows: Rows) -> kmeans.Clustering:
    """Return one cluster that holds all rows."""
    return kmeans.Clustering(1, np.zeros(len(rows), dtype=np.int32), rows.mean(axis=0, dtype=np.float64)[None, :])


def cluster_curve(scene: Scene, settings: EvaluationSettings, shares: Sequence[float]) -> dict[float, FittedRegion]:
    """Fit the cluster for each of several core shares in one k-means sweep. Needs 2 found core publications."""
    rows = scene.retrieved.vectors
    solutions = watched_solutions(scene, rows, max_k=settings.max_k, seed=settings.seed)
    kept = last_whole(solutions, whole_list(rows), scene.found_rows, shares)
    return {share: _fitted(ClusterRegion, clustering, scene, share) for share, clustering in kept.items()}


def fit_cluster(scene: Scene, settings: EvaluationSettings) -> Fit:
    """Fit k-means to the vectors, with the largest k that keeps the core together."""
    if len(scene.found_ids) < 2:
        return needs(2, "found core publications")
    return cluster_curve(scene, settings, (settings.min_core_share,))[settings.min_core_share]


def fit_cluster_projection(scene: Scene, settings: EvaluationSettings) -> Fit:
    """Fit k-means to the landscape, with the largest k that keeps the core together."""
    if len(scene.found_ids) < 2:
        return needs(2, "found core publications")
    if scene.projection is None:
        return UndefinedRegion("needs a projection")
    share = settings.min_core_share
    solutions = watched_solutions(scene, scene.points, max_k=settings.max_k, seed=settings.seed)
    clustering = last_whole(solutions, whole_list(scene.points), scene.found_rows, (share,))[share]
    return _fitted(ClusterProjectionRegion, clustering, scene, share)


def _fitted(kind: type[ClusterRegion], clustering: kmeans.Clustering, scene: Scene, share: float) -> FittedRegion:
    chosen, _ = most_core(clustering, scene.found_rows)
    region = kind(clustering.centers, chosen, share)
    n_found = len(scene.found_ids)
    warnings: tuple[str, ...] = ()
    if holds_too_few(n_found - 1, n_found, share):
        warnings = (
            f"with {n_found} found core publications, losing a single one ends the cluster search at core share "
            f"{share:g}: read the cluster scores with care",
        )
    return FittedRegion(region, clustering.labels == chosen, warnings)


CLUSTER = RegionDefinition(
    region=ClusterRegion,
    fit=fit_cluster,
    label="Cluster",
    accepts="Accepts the k-means cluster that still holds most of the found core publications together.",
    inside="in the cluster that holds most of the found core",
    outside="not in the cluster that holds most of the found core",
    outline_role="cluster",
    is_default=True,
)
CLUSTER_PROJECTION = RegionDefinition(
    region=ClusterProjectionRegion,
    fit=fit_cluster_projection,
    label="Cluster on the landscape",
    head="Landscape cluster",
    accepts="Accepts the cluster on the landscape that still holds most of the found core publications.",
    inside="in the cluster on the landscape that holds most of the found core",
    outside="not in the cluster on the landscape that holds most of the found core",
    outline_role="cluster",
)
