"""The landscape of several versions, put together from the workspace."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dashboard.components.overlays import Overlay, overlay_of, overlay_payload
from data.store import content_hash
from data.workspace import Workspace


@dataclass(frozen=True, eq=False)
class MadeOverlay:
    """Who has what, and the same for the browser."""

    overlay: Overlay
    payload: bytes
    payload_id: str


def overlay_state(workspace: Workspace, topic_id: str, labels: tuple[str, ...], embedder: str) -> str:
    """Changes with anything that the landscape of these versions shows."""
    return content_hash([workspace.view_state(topic_id, label, embedder) for label in labels])


def make_overlay(
    workspace: Workspace, topic_id: str, labels: tuple[str, ...], embedder: str, *, payload_id: str, scape: str
) -> MadeOverlay:
    """Load places, members and titles. The landscape is the topic's one, whatever was chosen."""
    store = workspace.store
    embedding = workspace.embedding(topic_id, embedder)
    projection_id = workspace.landscapes.current_id(topic_id, embedding)
    placed: tuple[str, ...] = ()
    points = np.zeros((0, 2))
    if projection_id is not None:
        projection = workspace.landscapes.load(projection_id)
        known = set(store.topic_publication_ids(topic_id))
        here = np.array([i in known for i in projection.ids], dtype=np.bool_)
        placed = tuple(i for i in projection.ids if i in known)
        points = projection.points[here]
    versions = [
        (label, store.load_retrieved_ids(workspace.version(topic_id, label).version.query_id)) for label in labels
    ]
    overlay = overlay_of(placed, points, store.load_core(topic_id).ids, versions)
    payload = overlay_payload(
        overlay,
        store.headlines(overlay.ids),
        payload_id=payload_id,
        scape=scape,
        topic=topic_id,
        embedder=embedding.embedder,
        made_up=any(row.topic_id == topic_id and row.made_up for row in store.topics()),
    )
    return MadeOverlay(overlay, payload, payload_id)
