"""Landscapes on disk: fitted once per topic and embedding; later publications are placed on them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from core.explore.landscape import LandscapeGroups, name_groups, place
from core.protocols import OnProgress
from core.settings import ProjectionSettings
from core.types import Ids, Points, Projection
from data.explore.layout_process import lay_out
from data.store import Store, content_hash
from data.vectors import Embedding, VectorCatalogue


@dataclass(frozen=True, eq=False)
class TopicLandscape:
    """All publications of a topic with a position, and the themes they form; every version is shown on it."""

    projection: Projection
    groups: LandscapeGroups

    def groups_of(self, ids: Sequence[str]) -> LandscapeGroups:
        """Return the topic's themes, and the theme of each of these publications."""
        return self.groups.take(self.projection.rows_of(ids))

    def points_besides(self, ids: Sequence[str]) -> Points:
        """Return the points of all other publications."""
        is_besides = np.ones(len(self.projection), dtype=np.bool_)
        is_besides[self.projection.rows_of(ids)] = False
        return self.projection.points[is_besides]


class Landscapes:
    def __init__(self, store: Store, catalogue: VectorCatalogue) -> None:
        self._store = store
        self._catalogue = catalogue

    def current_id(self, topic_id: str, embedding: Embedding) -> str | None:
        found = self._store.rows(
            """
            SELECT projection_id FROM projections WHERE topic_id = ? AND embedding_id = ? AND generation = ?
            ORDER BY number DESC LIMIT 1
            """,
            [topic_id, embedding.embedding_id, embedding.generation],
        )
        return found[0][0] if found else None

    def covers(self, projection_id: str) -> str:
        return str(self._store.rows("SELECT covers FROM projections WHERE projection_id = ?", [projection_id])[0][0])

    def settings(self, projection_id: str) -> ProjectionSettings:
        found = self._store.rows("SELECT settings::VARCHAR FROM projections WHERE projection_id = ?", [projection_id])
        return ProjectionSettings(**json.loads(found[0][0]))

    def load(self, projection_id: str, *, fitted_only: bool = False) -> Projection:
        found = self._store.columns(
            """
            SELECT publication_id AS id, x, y FROM projection_points
            WHERE projection_id = $id AND (fitted OR NOT $fitted_only)
            """,
            {"id": projection_id, "fitted_only": fitted_only},
        )
        points = np.column_stack([found["x"], found["y"]]).astype(np.float64)
        return Projection(tuple(found["id"].tolist()), points, projection_id)

    def of_topic(self, topic_id: str, projection_id: str) -> TopicLandscape:
        """Return the landscape shared by all versions of a topic, without publications that have left the topic."""
        projection = self.load(projection_id)
        projection = projection.take([i for i in self._store.topic_publication_ids(topic_id) if i in projection])
        titles = self._store.headlines(projection.ids).titles
        return TopicLandscape(projection, name_groups(projection.points, titles))

    def fit(
        self,
        topic_id: str,
        embedding: Embedding,
        settings: ProjectionSettings,
        on_step: OnProgress | None = None,
        *,
        known: Callable[[Ids, ProjectionSettings], Points | None] = lambda ids, settings: None,
    ) -> str:
        """Lay the topic out from scratch; the result becomes the current landscape.

        `known`: returns the points that fitting would give, if they were computed before.
        """
        number = len(
            self._store.rows(
                "SELECT 1 FROM projections WHERE topic_id = ? AND embedding_id = ?", [topic_id, embedding.embedding_id]
            )
        )
        covers = self._state(topic_id, embedding)
        embedded = self._catalogue.load(embedding, self._store.topic_publication_ids(topic_id))
        text = json.dumps(asdict(settings), sort_keys=True)
        name = content_hash([topic_id, embedding.fingerprint, text, str(number), *embedded.ids])
        projection_id = f"{settings.method}-{name}"
        points = known(embedded.ids, settings)
        if points is None:
            projection = lay_out(embedded, settings, projection_id=projection_id, on_step=on_step)
        else:
            projection = Projection(embedded.ids, points, projection_id)
        with self._store.transaction():
            self._store.execute(
                "INSERT INTO projections VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    projection.projection_id,
                    topic_id,
                    embedding.embedding_id,
                    embedding.generation,
                    number,
                    text,
                    covers,
                ],
            )
            self._save_points(projection, fitted=True)
        return projection.projection_id

    def _state(self, topic_id: str, embedding: Embedding) -> str:
        """Return a hash that changes whenever the topic may have gained a publication or a vector."""
        return content_hash([embedding.fingerprint, self._store.topic_state(topic_id)])

    def is_up_to_date(self, projection_id: str, topic_id: str, embedding: Embedding) -> bool:
        """Return True if no publication was added to the topic since its landscape was last updated."""
        return self.covers(projection_id) == self._state(topic_id, embedding)

    def keep_up(self, projection_id: str, topic_id: str, embedding: Embedding) -> None:
        """Place later publications among those that shaped the landscape; existing points don't move."""
        if self.is_up_to_date(projection_id, topic_id, embedding):
            return
        covers = self._state(topic_id, embedding)
        there = self.load(projection_id)
        ids = self._store.topic_publication_ids(topic_id)
        later = self._catalogue.load(embedding, [i for i in ids if i not in there])
        with self._store.transaction():
            if len(later):
                shaped_by = self.load(projection_id, fitted_only=True)
                among = self._catalogue.load(embedding, shaped_by.ids)
                n_neighbors = self.settings(projection_id).n_neighbors
                placed = place(later, among=among, projection=shaped_by, n_neighbors=n_neighbors)
                self._save_points(placed, fitted=False)
            self._store.execute("UPDATE projections SET covers = ? WHERE projection_id = ?", [covers, projection_id])

    def _save_points(self, projection: Projection, *, fitted: bool) -> None:
        self._store.execute(
            """
            INSERT INTO projection_points
            SELECT $projection, unnest($ids::VARCHAR[]), $fitted, unnest($x::DOUBLE[]), unnest($y::DOUBLE[])
            """,
            {
                "projection": projection.projection_id,
                "ids": list(projection.ids),
                "fitted": fitted,
                "x": projection.points[:, 0].tolist(),
                "y": projection.points[:, 1].tolist(),
            },
        )
