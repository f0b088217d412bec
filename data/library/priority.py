"""The order of a topic's files in which merged publications take their fields."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import InputError
from core.types import Ids, unique_ids
from data.explore.workspace import Workspace
from data.library.filing import save_publications
from data.library.records import records_of
from data.store import Store


def preferred(store: Store, topic_id: str) -> Ids:
    """Return the preferred files of a topic, the first one first; the others follow in the order of import."""
    found = store.rows(
        "SELECT source_id FROM sources WHERE topic_id = ? AND priority IS NOT NULL ORDER BY priority", [topic_id]
    )
    return tuple(source_id for (source_id,) in found)


def prefer(workspace: Workspace, topic_id: str, source_ids: Sequence[str]) -> int:
    """Take the fields of merged publications from these files first. Return the number of publications that change.

    A publication of several topics is shown alike in all of them, so the order of one applies to the others.
    """
    store = workspace.store
    known = {i for (i,) in store.rows("SELECT source_id FROM sources WHERE topic_id = ?", [topic_id])}
    order = unique_ids(source_ids)
    if strange := [i for i in order if i not in known]:
        raise InputError(f'{topic_id} has no file "{strange[0][:80]}": reload the list')
    merged = store.rows(
        """
        SELECT publication_id FROM records WHERE publication_id IN
            (SELECT publication_id FROM records JOIN sources USING (source_id) WHERE topic_id = ?)
        GROUP BY ALL HAVING count(DISTINCT source_id) > 1
        """,
        [topic_id],
    )
    with store.transaction():
        store.execute("UPDATE sources SET priority = NULL WHERE topic_id = ?", [topic_id])
        for place, source_id in enumerate(order, start=1):
            store.execute("UPDATE sources SET priority = ? WHERE source_id = ?", [place, source_id])
        n_changed = save_publications(store, records_of(store, [i for (i,) in merged]))
        workspace.corpora.forget()
    return n_changed
