"""The searches of a topic in the store, and what their files brought."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from core.audit.search_drops import DropPrice, drop_price, drop_sentence, suggested_drop
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
from core.library.labels import PHASES
from core.text import many
from core.types import Ids, unique_ids
from data.access import check_allowed
from data.library.records import SourceRow, load_sources, publications_by_source
from data.lookup import check_topic, meant_or_available
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
    save_searches(store, topic_id, (search,))


def save_searches(store: Store, topic_id: str, searches: Sequence[Search]) -> None:
    """Save all of these searches or none; one without an id is added."""
    store.check_writable()
    check_topic(store, topic_id)
    known = {source.source_id for source in load_sources(store, topic_id)}
    searches = [checked_search(search) for search in searches]
    for search in searches:
        if missing := [source_id for source_id in search.source_ids if source_id not in known]:
            raise NotFoundError(f"no such file in this topic: {missing[0]}")
    with store.transaction():
        new = new_search(store, topic_id)
        for search in searches:
            if not search.search_id:
                search = replace(search, search_id=new.search_id, number=new.number)
                new = _numbered(topic_id, new.number + 1)
            keep_search(store, topic_id, search)


def keep_search(store: Store, topic_id: str, search: Search) -> None:
    """Add a search or replace it, unchecked. The caller holds the transaction."""
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
    return replace(_numbered(topic_id, number), **known)  # type: ignore[arg-type]


def _numbered(topic_id: str, number: int) -> Search:
    return Search(content_hash([topic_id, "search", str(number)]), number)


def delete_search(store: Store, topic_id: str, number: int) -> None:
    """Delete a search; its files and their records stay."""
    check_allowed("delete")
    store.check_writable()
    search = find_search(store, topic_id, number)
    with store.transaction():
        store.execute("DELETE FROM search_files WHERE search_id = ?", [search.search_id])
        store.execute("DELETE FROM searches WHERE search_id = ?", [search.search_id])


def add_search_of(store: Store, topic_id: str, source: SourceRow, origin: SearchOrigin) -> None:
    """Add the search that an imported file came from, as far as the file tells. The caller holds the transaction."""
    if not source.role.is_search:
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
    keep_search(store, topic_id, search)


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
    searches, brought = load_searches(store, topic_id), brought_by(store, topic_id)
    return search_yields(searches, brought, store.load_core_ids(topic_id), phase_ids(store, topic_id))


def unfound_ids(store: Store, topic_id: str) -> Mapping[str, Ids]:
    """Return the publications of each phase that no file of a search has."""
    found = {i for ids in publications_by_source(store, topic_id).values() for i in ids}
    return {
        phase: tuple(i for i in ids if i not in found)
        for phase, ids in phase_ids(store, topic_id).items()
        if not found.issuperset(ids)
    }


def drop_of(store: Store, topic_id: str) -> DropPrice | None:
    """Return the searches that can be dropped without losing a core or included publication; None: none can."""
    found = {search_id: records.publication_ids for search_id, records in brought_by(store, topic_id).items()}
    return suggested_drop(found, store.load_core_ids(topic_id), phase_ids(store, topic_id).get("included", ()))


def drop_prices(store: Store, topic_id: str) -> Mapping[str, DropPrice]:
    """Return what dropping each search alone would save and lose, by its id."""
    found = {search_id: records.publication_ids for search_id, records in brought_by(store, topic_id).items()}
    core, included = store.load_core_ids(topic_id), phase_ids(store, topic_id).get("included", ())
    return {search_id: drop_price(found, [search_id], core, included) for search_id in found}


def drop_words(store: Store, topic_id: str) -> str:
    """Return the suggested drop in one sentence; empty: there is none."""
    if (price := drop_of(store, topic_id)) is None:
        return ""
    names = search_names(load_searches(store, topic_id))
    has_core, has_included = bool(store.load_core_ids(topic_id)), "included" in phase_ids(store, topic_id)
    return drop_sentence(price, names, has_core=has_core, has_included=has_included)


def search_names(searches: Sequence[Search]) -> Mapping[str, str]:
    """Return a unique name for each search, by its id: its own, with its number if several have the same."""
    counts = Counter(search.name for search in searches)
    return {
        search.search_id: f"{search.name} #{search.number}" if counts[search.name] > 1 else search.name
        for search in searches
    }


def named_searches(store: Store, topic_id: str) -> dict[str, Search]:
    """Return the searches of a topic by their unique names."""
    searches = load_searches(store, topic_id)
    names = search_names(searches)
    return {names[search.search_id]: search for search in searches}


def group_searches(store: Store, topic_id: str, numbers: Sequence[int], label: str | None) -> None:
    """Give several searches the same version; None: no version."""
    found = [find_search(store, topic_id, number) for number in numbers]
    if label is not None and label not in (known := [row.version.label for row in store.versions(topic_id)]):
        raise NotFoundError(f'no version "{label[:80]}" in this topic; {meant_or_available(label, known)}')
    store.check_writable()
    with store.transaction():
        for search in found:
            keep_search(store, topic_id, replace(search, label=label))


def phase_ids(store: Store, topic_id: str) -> Mapping[str, Ids]:
    """Return the publications of each phase, "screened" and "included"; a phase without a file is missing.

    Each phase holds what its files list: an included publication is "screened" only if a file says so.
    """
    found = store.rows(
        """
        SELECT s.role, r.publication_id FROM sources AS s JOIN records AS r USING (source_id)
        WHERE s.topic_id = ? AND s.role IN ('screened', 'included') ORDER BY s.number, r.number
        """,
        [topic_id],
    )
    there = {source.role.kind for source in load_sources(store, topic_id)}
    return {phase: unique_ids(i for kind, i in found if kind == phase) for phase in PHASES if phase in there}


def problems_of(store: Store, topic_id: str, today: date) -> Ids:
    """Return a sentence for everything about the searches that can't be right or needs a look."""
    found = doubts_about(load_searches(store, topic_id), brought_by(store, topic_id), today)
    found += [
        f"{many(len(ids), f'{phase} publication')} found by no search: {_titles(store, ids)}."
        for phase, ids in unfound_ids(store, topic_id).items()
    ]
    phases = phase_ids(store, topic_id)
    if "screened" in phases and (odd := tuple(sorted(set(phases.get("included", ())) - set(phases["screened"])))):
        found.append(f"{many(len(odd), 'included publication')} not among the screened ones: {_titles(store, odd)}.")
    found += [
        f"{source.name} was imported as {source.role}, but its name says that it is a list of publications that were "
        "chosen. If it is not the result of a search, change its role."
        for source in load_sources(store, topic_id)
        if source.role.is_search and names_a_list(source.name)
    ]
    return tuple(found)


def doubts_about(searches: Sequence[Search], brought: Mapping[str, SearchRecords], today: date) -> list[str]:
    """Return a sentence for each contradiction in searches and for those that are listed twice."""
    found = [
        sentence
        for search in searches
        for sentence in contradictions(
            search, brought[search.search_id].n_records if search.search_id in brought else 0, today
        )
    ]
    again = "is listed several times for the same day. If it is one search, join them."
    return [*found, *(f"{name} {again}" for name in alike(searches))]


_CHOSEN = re.compile(r"(?<![a-z])(?:screened|included|final|benchmark|seeds?|gold)(?![a-z])", re.IGNORECASE)
"""Names of files that are seldom the result of a search."""


def names_a_list(file_name: str) -> bool:
    """Return True if a file's name says that it lists chosen publications.

    >>> names_a_list("final_24.ris"), names_a_list("finland.ris")
    (True, False)
    """
    return _CHOSEN.search(file_name) is not None


MOST_TITLES = 5


def _titles(store: Store, ids: Ids) -> str:
    titles = [p.title or p.doi or p.publication_id for p in store.load_publications(ids[:MOST_TITLES])]
    more = len(ids) - len(titles)
    return "; ".join([*titles, *([f"and {more:,} more"] if more else [])])


def without_search(store: Store, topic_id: str) -> tuple[SourceRow, ...]:
    """Return the files that belong to no search, apart from those that no search brought."""
    taken = {source_id for search in load_searches(store, topic_id) for source_id in search.source_ids}
    return tuple(
        source
        for source in load_sources(store, topic_id)
        if source.source_id not in taken and source.role.is_search and source.content_hash is not None
    )


def join_searches(store: Store, topic_id: str, kept: int, joined: Sequence[int]) -> Search:
    """Move the files of some searches to another one, and delete them."""
    into = find_search(store, topic_id, kept)
    others = [find_search(store, topic_id, number) for number in joined if number != kept]
    whole = replace(into, source_ids=tuple(dict.fromkeys(i for s in (into, *others) for i in s.source_ids)))
    store.check_writable()
    with store.transaction():
        for other in others:
            store.execute("DELETE FROM search_files WHERE search_id = ?", [other.search_id])
            store.execute("DELETE FROM searches WHERE search_id = ?", [other.search_id])
        keep_search(store, topic_id, whole)
    return whole
