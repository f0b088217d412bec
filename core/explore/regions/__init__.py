"""Regions decide which retrieved publications are relevant; one file each, and their lookup REGIONS."""

from __future__ import annotations

from core.explore.regions.cluster import CLUSTER, CLUSTER_PROJECTION
from core.explore.regions.cosine import COSINE
from core.explore.regions.embedding_forms import HULL_EMBEDDING, MVEE_EMBEDDING
from core.explore.regions.hull import HULL
from core.explore.regions.mvee import MVEE
from core.explore.regions.nearest_core import NEAREST_CORE
from core.explore.scene import RegionDefinition
from core.types import RegionKind

REGIONS: dict[RegionKind, RegionDefinition] = {
    each.region.kind: each
    for each in (COSINE, NEAREST_CORE, MVEE, HULL, CLUSTER, MVEE_EMBEDDING, HULL_EMBEDDING, CLUSTER_PROJECTION)
}
REGION_LABELS: dict[RegionKind, str] = {kind: each.label for kind, each in REGIONS.items()}
DEFAULT_REGIONS: tuple[RegionKind, ...] = tuple(kind for kind, each in REGIONS.items() if each.is_default)
PROJECTION_REGIONS: frozenset[RegionKind] = frozenset(
    kind for kind, each in REGIONS.items() if each.region.space == "projection"
)
"""Regions that need a landscape."""
