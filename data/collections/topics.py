"""A topic of the workspace as a collection: its versions are the queries, its core publications the judgments."""

from __future__ import annotations

from core.errors import NotFoundError
from core.ranking.check import Collection, Document, Judgment, Query
from data.collections.stored import TOPIC_PREFIX
from data.workspace import Workspace


def topic_collection(workspace: Workspace, topic_id: str) -> Collection:
    """What the topic's queries search, its versions, and for each of them the core publications as relevant.

    What else is relevant is not known, so it counts as not relevant. The hidden truth of a made-up topic is not used.
    """
    store = workspace.store
    topic = next((row for row in store.topics() if row.topic_id == topic_id), None)
    if topic is None:
        there = ", ".join(row.topic_id for row in store.topics()) or "none"
        raise NotFoundError(f'no topic "{topic_id}"; there is {there}')
    publications = store.load_publications(store.searchable_ids(topic_id))
    versions = [row.version for row in store.versions(topic_id)]
    core_ids = store.load_core(topic_id).ids if topic.n_core else ()
    return Collection(
        f"{TOPIC_PREFIX}{topic_id}",
        tuple(Document(p.publication_id, p.title, p.abstract or "") for p in publications),
        tuple(Query(v.label, v.text, (("origin", v.origin),)) for v in versions if v.text.strip()),
        tuple(Judgment(v.label, core_id, 1) for v in versions if v.text.strip() for core_id in core_ids),
        made_up=topic.made_up,
    )
