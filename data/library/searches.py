"""The searches of a topic in the store, and what their files brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from core.audit.searches import (
    Search,
    SearchOrigin,
    SearchRecords,
    SearchYield,
    alike,
    checked_search,
    contradictions,
    search_yields,
)
from core.errors import NotFoundError
from core.types import Ids
from data.library.records import SourceRow, load_sources
from data.lookup import check_topic
from data.store import Store, content_hash

WAY_OUT = "change the searches there"


def load_searches(store: Store, topic_id: str) -> tuple[Search, ...]:
    files: dict[str, list[str]] = {}
    rows = store.rows(
        """
        SELECT f.search_id, f.source_id FROM search_files AS f JOIN sources AS s USING (source_id)
        WHERE s.topic_id = ? ORDER BY s.number
        """,
        [topic_id],
    )
    for search_id, source_id in rows:
        files.setdefault(search_id, []).append(source_id)
    found = store.rows(
        """
        SELECT search_id, number, kind, database, platform, searched_on, searched_by, text, limits, n_hits, label, note
        FROM searches WHERE topic_id = ? ORDER BY number
        """,
        [topic_id],
    )
    return tuple(replace(Search(*row), source_ids=tuple(files.get(row[0], ()))) for row in found)


def find_search(store: Store, topic_id: str, number: int) -> Search:
    for search in load_searches(store, topic_id):
        if search.number == number:
            return search
    raise NotFoundError(f"no search {number} in this topic: list them with `searches`")


def save_search(store: Store, topic_id: str, search: Search) -> None:
    """Add a search or replace it, with its files; a file that belonged to another search leaves it."""
    store.check_writable(WAY_OUT)
    check_topic(store, topic_id)
    checked_search(search)
    known = {source.source_id for source in load_sources(store, topic_id)}
    if missing := [source_id for source_id in search.source_ids if source_id not in known]:
        raise NotFoundError(f"no such file in this topic: {missing[0]}")
    with store.transaction():
        _write(store, topic_id, search)


def _write(store: Store, topic_id: str, search: Search) -> None:
    values = [
        *(search.search_id, topic_id, search.number, search.kind, search.database, search.platform),
        *(search.searched_on, search.searched_by, search.text, search.limits, search.n_hits, search.label, search.note),
    ]
    store.execute(f"INSERT OR REPLACE INTO searches VALUES ({', '.join('?' * len(values))})", values)
    store.execute("DELETE FROM search_files WHERE search_id = ?", [search.search_id])
    for source_id in search.source_ids:
        store.execute("INSERT OR REPLACE INTO search_files VALUES (?, ?)", [search.search_id, source_id])


def new_search(store: Store, topic_id: str, **known: object) -> Search:
    """Return a search with the next number, which is not saved yet."""
    number = int(store.rows("SELECT coalesce(max(number), 0) + 1 FROM searches WHERE topic_id = ?", [topic_id])[0][0])
    return replace(Search(content_hash([topic_id, "search", str(number)]), number), **known)  # type: ignore[arg-type]


def delete_search(store: Store, topic_id: str, number: int) -> None:
    """Delete a search; its files and their records stay."""
    store.check_writable(WAY_OUT)
    search = find_search(store, topic_id, number)
    with store.transaction():
        store.execute("DELETE FROM search_files WHERE search_id = ?", [search.search_id])
        store.execute("DELETE FROM searches WHERE search_id = ?", [search.search_id])


def add_search_of(store: Store, topic_id: str, source: SourceRow, origin: SearchOrigin) -> None:
    """Add the search that an imported file came from, as far as the file tells. The caller holds the transaction."""
    if source.role.kind == "core":
        return
    search = new_search(
        store,
        topic_id,
        database=origin.database,
        platform=origin.platform,
        searched_on=origin.day,
        label=source.role.label,
        source_ids=(source.source_id,),
    )
    _write(store, topic_id, search)


def drop_file(store: Store, source_id: str) -> None:
    """Remove a deleted file from its search; a search that has nothing else goes with it."""
    store.execute(
        """
        DELETE FROM searches WHERE text = '' AND n_hits IS NULL AND note = '' AND search_id IN (
            SELECT search_id FROM search_files GROUP BY search_id HAVING count(*) = 1 AND any_value(source_id) = $source
        )
        """,
        {"source": source_id},
    )
    store.execute("DELETE FROM search_files WHERE source_id = $source", {"source": source_id})


# What the searches brought.

_BROUGHT = """
    SELECT f.search_id, r.publication_id, count(*) FROM search_files AS f
    JOIN records AS r USING (source_id) JOIN sources AS s USING (source_id)
    WHERE s.topic_id = ? GROUP BY ALL ORDER BY min((s.number, r.number))
"""


def brought_by(store: Store, topic_id: str) -> Mapping[str, SearchRecords]:
    """Return what each search brought, by its id."""
    ids: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    for search_id, publication_id, n in store.rows(_BROUGHT, [topic_id]):
        ids.setdefault(search_id, []).append(publication_id)
        counts[search_id] = counts.get(search_id, 0) + n
    return {search_id: SearchRecords(counts[search_id], tuple(found)) for search_id, found in ids.items()}


def databases_of(store: Store, topic_id: str) -> Mapping[str, Ids]:
    """Return the databases of the searches that brought each publication, in the order of the searches."""
    brought = brought_by(store, topic_id)
    found: dict[str, dict[str, None]] = {}
    for search in load_searches(store, topic_id):
        if search.database and search.search_id in brought:
            for publication_id in brought[search.search_id].publication_ids:
                found.setdefault(publication_id, {})[search.database] = None
    return {publication_id: tuple(names) for publication_id, names in found.items()}


def yields_of(store: Store, topic_id: str) -> tuple[SearchYield, ...]:
    return search_yields(load_searches(store, topic_id), brought_by(store, topic_id), store.load_core_ids(topic_id))


def problems_of(store: Store, topic_id: str, today: date) -> Ids:
    """Return a sentence for everything about the searches that can't be right or needs a look."""
    searches, brought = load_searches(store, topic_id), brought_by(store, topic_id)
    found = [
        sentence
        for search in searches
        for sentence in contradictions(
            search, brought[search.search_id].n_records if search.search_id in brought else 0, today
        )
    ]
    again = "is listed several times for the same day. If it is one search, join them."
    found += [f"{name} {again}" for name in alike(searches)]
    return tuple(found)


def without_search(store: Store, topic_id: str) -> tuple[SourceRow, ...]:
    """Return the files that belong to no search, apart from core lists."""
    taken = {source_id for search in load_searches(store, topic_id) for source_id in search.source_ids}
    return tuple(
        source
        for source in load_sources(store, topic_id)
        if source.source_id not in taken and source.role.kind != "core" and source.content_hash is not None
    )


def join_searches(store: Store, topic_id: str, kept: int, joined: Sequence[int]) -> Search:
    """Move the files of some searches to another one, and delete them."""
    into = find_search(store, topic_id, kept)
    others = [find_search(store, topic_id, number) for number in joined if number != kept]
    whole = replace(into, source_ids=tuple(dict.fromkeys(i for s in (into, *others) for i in s.source_ids)))
    store.check_writable(WAY_OUT)
    with store.transaction():
        for other in others:
            store.execute("DELETE FROM search_files WHERE search_id = ?", [other.search_id])
            store.execute("DELETE FROM searches WHERE search_id = ?", [other.search_id])
        _write(store, topic_id, whole)
    return whole
