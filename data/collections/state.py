"""One word for everything in a collection, to be asked for before it is loaded."""

from __future__ import annotations

from data.collections.stored import TOPIC_PREFIX, find_collection
from data.store import content_hash
from data.workspace import Workspace


def collection_state(workspace: Workspace, name: str) -> str:
    """Changes with the documents, queries, judgments and splits of a collection by name, or of `topic:NAME`.

    A collection that is replaced twice within a second by one with as many judgments is taken for the one before.
    """
    store = workspace.store
    if not name.startswith(TOPIC_PREFIX):
        row = find_collection(store, name)
        said = store.rows("SELECT splits::VARCHAR, saved_at FROM collections WHERE name = ?", [name])[0]
        return content_hash([name, row.key, str(row.n_judgments), str(row.n_judged_queries), *map(str, said)])
    topic_id = name.removeprefix(TOPIC_PREFIX)
    versions = (part for row in store.versions(topic_id) for part in (row.version.label, row.version.text))
    return content_hash([name, store.topic_state(topic_id), store.core_hash(topic_id), *versions])
