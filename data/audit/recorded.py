"""The table of searches as the audit reports it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.audit.searches import Search, SearchRecords, hits_of
from core.audit.strategies import CoreFound, FoundPublication, RecordedSearch, counted_lines, limits_in
from core.query.parser import parse
from core.query.tree import Node
from core.types import Ids
from data.library.records import SourceRow, load_sources
from data.library.searches import brought_by, load_searches
from data.query.search import dialect_of
from data.sources.runs import live_runs
from data.store import Store, VersionRow


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A search of the table with its files and what they brought."""

    search: Search
    files: tuple[SourceRow, ...]
    records: SearchRecords | None
    """None: it has no files."""

    @property
    def publication_ids(self) -> Ids:
        return () if self.records is None else self.records.publication_ids


def table_of_searches(store: Store, topic_id: str, labels: Ids | None = None) -> tuple[TableEntry, ...]:
    """Return the searches that belong to these versions, or to none that was run; None: all.

    Those whose records came from a live run are left out: the run itself says more about them.
    """
    return tuple(_entries(store, topic_id, labels))


def _entries(store: Store, topic_id: str, labels: Ids | None) -> Iterator[TableEntry]:
    live = {run.file_id for run in live_runs(store, topic_id) if run.file_id}
    ran = {row.version.label for row in store.versions(topic_id) if row.retrieved_hash is not None}
    others = ran - set(labels) if labels is not None else set()
    files, brought = load_sources(store, topic_id), brought_by(store, topic_id)
    for search in load_searches(store, topic_id):
        own = tuple(file for file in files if file.source_id in search.source_ids)
        if search.label in others or (own and live.issuperset(file.source_id for file in own)):
            continue
        yield TableEntry(search, own, (brought.get(search.search_id) or SearchRecords(0, ())) if own else None)


def recorded_searches(table: Sequence[TableEntry], rows: Sequence[VersionRow]) -> tuple[RecordedSearch, ...]:
    times = Counter(publication_id for entry in table for publication_id in entry.publication_ids)
    return tuple(
        replace(
            _recorded(entry, rows),
            n_unique=None if entry.records is None else sum(times[one] == 1 for one in entry.publication_ids),
        )
        for entry in table
    )


def overlap_of(table: Sequence[TableEntry]) -> tuple[tuple[int, ...], ...]:
    found = [set(entry.publication_ids) for entry in table]
    return tuple(tuple(len(one & other) for other in found) for one in found)


def found_by(table: Sequence[TableEntry], ids: Iterable[str]) -> tuple[tuple[int, ...], ...]:
    """Return, for each publication, the numbers of the searches that found it."""
    found = [(entry.search.number, set(entry.publication_ids)) for entry in table]
    return tuple(tuple(number for number, some in found if one in some) for one in ids)


def found_publications(store: Store, table: Sequence[TableEntry]) -> tuple[FoundPublication, ...]:
    ids = tuple(dict.fromkeys(one for entry in table for one in entry.publication_ids))
    told = store.headlines(ids)
    years = (int(year) or None for year in told.years)
    return tuple(map(FoundPublication, ids, told.titles, years, told.dois, found_by(table, ids)))


def core_found(store: Store, topic_id: str, table: Sequence[TableEntry]) -> tuple[CoreFound, ...]:
    ids = store.load_core_ids(topic_id)
    return tuple(map(CoreFound, ids, store.headlines(ids).titles, found_by(table, ids)))


def _recorded(entry: TableEntry, rows: Sequence[VersionRow]) -> RecordedSearch:
    """Return the facts of a search. Without a string of its own, it has that of its version."""
    search = entry.search
    version = next((row.version for row in rows if row.version.label == search.label), None)
    borrowed = version.text if version is not None and not search.text.strip() else ""
    text = borrowed or search.text
    parsed = parse(text, dialect_of(version) if version is not None and borrowed else None)

    def fate(start: int, end: int, node: Node | None) -> str:
        return "part of the string"

    n_aside = sum(file.n_rejected for file in entry.files)
    return RecordedSearch(
        number=search.number,
        name=search.name,
        kind=search.kind,
        database=search.database,
        platform=search.platform,
        day=search.searched_on,
        by=search.searched_by,
        version=search.label,
        text=text,
        is_text_of_version=bool(borrowed.strip()),
        lines=counted_lines(parsed, count=None, counted_in="", n_whole=hits_of(search), whole_in="the database")
        if parsed.lines
        else (),
        limits=(*filter(None, [" ".join(search.limits.split())]), *(limits_in(parsed, fate) if text.strip() else ())),
        n_hits=hits_of(search),
        n_records=None if entry.records is None else entry.records.n_records + n_aside,
        n_aside=n_aside,
        n_publications=None if entry.records is None else len(entry.records.publication_ids),
        note=" ".join(search.note.split()),
        files=tuple(file.name for file in entry.files),
    )
