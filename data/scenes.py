"""From the store to a scene: one query version with its vectors and its place on the landscape, in one join."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.regions.base import Scene
from core.types import CoreSet, EmbeddedSet, Ids, Projection, RetrievedSet
from data.database import as_positions
from data.store import Store
from data.vectors import Embedding, VectorCatalogue


@dataclass(frozen=True, eq=False)
class LoadedVersion:
    """A scene, and everything that the version retrieved."""

    scene: Scene
    retrieved_ids: Ids


def load_scene(
    store: Store,
    catalogue: VectorCatalogue,
    *,
    query_id: str,
    core: CoreSet,
    embedding: Embedding,
    projection_id: str | None,
) -> LoadedVersion:
    """What was retrieved in its given order, then the missed core; so the retrieved vectors are one run of rows."""
    found = store.columns(
        """
        WITH got AS (SELECT publication_id, position FROM retrieved WHERE query_id = $query),
        wanted AS (
            SELECT publication_id, TRUE AS was_retrieved, position AS place FROM got
            UNION ALL
            SELECT publication_id, FALSE, position FROM core_publications
            WHERE topic_id = $topic AND publication_id NOT IN (SELECT publication_id FROM got)
        )
        SELECT w.publication_id AS id, was_retrieved, v.file_id AS file, v.position AS position, p.x AS x, p.y AS y
        FROM wanted AS w
        LEFT JOIN vector_rows AS v ON v.publication_id = w.publication_id AND v.embedding_id = $embedding
        LEFT JOIN projection_points AS p ON p.publication_id = w.publication_id AND p.projection_id = $projection
        ORDER BY was_retrieved DESC, place
        """,
        {
            "query": query_id,
            "topic": core.topic_id,
            "embedding": embedding.embedding_id,
            "projection": projection_id,
        },
    )
    ids = found["id"]
    positions = as_positions(found["position"])
    scorable = positions >= 0
    embedded = EmbeddedSet(
        tuple(ids[scorable].tolist()),
        catalogue.read(embedding, as_positions(found["file"])[scorable], positions[scorable]),
        embedding.embedder,
    )
    projection = None
    if projection_id is not None:
        points = np.column_stack([np.ma.filled(found["x"].astype(float), np.nan), np.ma.filled(found["y"], np.nan)])
        placed = ~np.isnan(points).any(axis=1)
        projection = Projection(tuple(ids[placed].tolist()), points[placed], projection_id)
    retrieved_ids = tuple(ids[found["was_retrieved"].astype(bool)].tolist())
    return LoadedVersion(Scene.of(RetrievedSet(query_id, retrieved_ids), core, embedded, projection), retrieved_ids)
