"""Regions decide which retrieved publications are relevant; one file each, and their lookup REGIONS."""

from __future__ import annotations

from collections.abc import Callable

from core.explore.regions.cluster import fit_cluster, fit_cluster_projection
from core.explore.regions.cosine import fit_cosine
from core.explore.regions.embedding_forms import fit_hull_embedding, fit_mvee_embedding
from core.explore.regions.hull import fit_hull
from core.explore.regions.mvee import fit_mvee
from core.explore.regions.nearest_core import fit_nearest_core
from core.explore.scene import Fit, Scene
from core.settings import EvaluationSettings
from core.types import RegionKind

RegionFit = Callable[[Scene, EvaluationSettings], Fit]

REGIONS: dict[RegionKind, RegionFit] = {
    "cosine": fit_cosine,
    "nearest_core": fit_nearest_core,
    "mvee": fit_mvee,
    "hull": fit_hull,
    "cluster": fit_cluster,
    "mvee_embedding": fit_mvee_embedding,
    "hull_embedding": fit_hull_embedding,
    "cluster_projection": fit_cluster_projection,
}
DEFAULT_REGIONS: tuple[RegionKind, ...] = ("cosine", "nearest_core", "mvee", "hull", "cluster")
PROJECTION_REGIONS: frozenset[RegionKind] = frozenset({"mvee", "hull", "cluster_projection"})
"""Regions that need a landscape."""
