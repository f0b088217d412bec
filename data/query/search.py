"""Run query strings over a topic's publications."""

from __future__ import annotations

import json
import shutil
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Lock
from typing import TypedDict, get_args

from core.errors import InputError, NotFoundError
from core.library.headings import HeadingIndex, carried_headings
from core.library.mesh import MeshThesaurus
from core.protocols import OnProgress
from core.query.dialects import DIALECTS
from core.query.match import Semantics, match, rows_of
from core.query.parser import parse
from core.query.tree import DialectId, ParsedQuery
from core.text import lower_first, words
from core.types import Ids, Origin, QueryVersion
from data.files import ABOUT, WorkspacePaths, file_stamp
from data.lookup import check_topic
from data.query.index import CorpusIndex
from data.query.mesh import load_mesh
from data.store import Clock, CorpusState, Store, VersionRow, content_hash, searched, utc_now

# The search indexes of a workspace's topics, each opened once.

MOST_OPEN = 3
MOST_KEPT = 60
"""Largest number of index folders on disk; the least recently opened ones are deleted."""


class Corpora:
    def __init__(self, store: Store, paths: WorkspacePaths) -> None:
        self._store = store
        self._paths = paths
        self._mesh: tuple[str, MeshThesaurus | None] | None = None
        self._open: OrderedDict[tuple[str, str], CorpusIndex] = OrderedDict()
        self._searched: dict[str, tuple[str, CorpusState]] = {}
        self._lock = Lock()

    def of(self, topic_id: str, on_progress: OnProgress | None = None) -> CorpusIndex:
        """Return the searchable publications of a topic. The first call builds the index, which takes seconds."""
        check_topic(self._store, topic_id)
        key = self._key(topic_id)
        with self._lock:
            found = self._open.get(key)
            if found is None:
                publications = self._store.load_publications(self._store.searchable_ids(topic_id))
                ids = tuple(p.publication_id for p in publications)
                found = CorpusIndex.open(
                    self._paths, publications, on_progress, lambda: load_headings(self._store, ids), self.mesh
                )
                self._open[key] = found
                self._tidy()
                while len(self._open) > MOST_OPEN:
                    self._open.popitem(last=False)
            self._open.move_to_end(key)
            return found

    def searched(self, topic_id: str) -> CorpusState:
        """Return the publications that a query of this topic would search now; read once per state of the topic."""
        state = self._store.topic_state(topic_id)
        with self._lock:
            kept = self._searched.get(topic_id)
            if kept is None or kept[0] != state:
                kept = self._searched[topic_id] = (state, searched(self._store, topic_id))
            return kept[1]

    def is_open(self, topic_id: str) -> bool:
        return self._key(topic_id) in self._open

    def mesh(self) -> MeshThesaurus | None:
        """Return the workspace's thesaurus, read once for each change of its file; None: none was loaded."""
        stamp = file_stamp(self._paths.mesh)
        kept = self._mesh
        if kept is None or kept[0] != stamp:
            kept = self._mesh = (stamp, load_mesh(self._paths))
        return kept[1]

    def state(self, topic_id: str) -> str:
        """Return a key that changes with the topic's publications and texts, and with the MeSH file."""
        return f"{self._store.topic_state(topic_id)} {file_stamp(self._paths.mesh)}".rstrip()

    def _key(self, topic_id: str) -> tuple[str, str]:
        return topic_id, self.state(topic_id)

    def _tidy(self) -> None:
        folders = [folder for folder in self._paths.indexes.glob("*") if (folder / ABOUT).is_file()]
        folders.sort(key=lambda folder: (folder / ABOUT).stat().st_mtime, reverse=True)
        for folder in folders[MOST_KEPT:]:
            with suppress(OSError):
                shutil.rmtree(folder)

    def forget(self) -> None:
        """Drop the cached indexes, because the texts of publications may have changed."""
        with self._lock:
            self._open.clear()
            self._searched.clear()


def load_headings(store: Store, ids: Ids) -> HeadingIndex:
    """Read the headings that the records of these publications carry."""
    row_of = {publication_id: row for row, publication_id in enumerate(ids)}
    carried: list[list[str]] = [[] for _ in ids]
    found = store.rows(
        """
        SELECT publication_id, document->'$.keywords', document->'$.headings' FROM records
        WHERE publication_id IN (SELECT unnest($ids::VARCHAR[]))
        """,
        {"ids": list(ids)},
    )
    for publication_id, keywords, headings in found:
        carried[row_of[publication_id]] += carried_headings(json.loads(keywords or "[]"), json.loads(headings or "[]"))
    return HeadingIndex.of([tuple(dict.fromkeys(each)) for each in carried])


# Run the text of a query over a topic's publications.

RANKED_CUT = 200
"""Number of publications that a question retrieves: the best of its ranking."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    parsed: ParsedQuery
    ids: Ids
    ranked: bool
    """True: ordered by rank and cut. False: every publication that matches, in the topic's order."""


def dialect_of(version: QueryVersion) -> DialectId | None:
    """Return the dialect that a version was read in; None: detected from the text."""
    return next((dialect for dialect in DIALECTS if dialect == version.dialect), None)


def semantics_of(version: QueryVersion) -> Semantics:
    """Return the matching mode in which a version was run."""
    return next((semantics for semantics in get_args(Semantics) if semantics == version.semantics), "literal")


def answer(corpus: CorpusIndex, parsed: ParsedQuery, semantics: Semantics) -> SearchAnswer:
    """Match a search string, or rank by a question's words."""
    if parsed.kind == "question":
        hits = corpus.rank(words(parsed.text), RANKED_CUT)
        return SearchAnswer(parsed, tuple(corpus.ids[row] for row, _ in hits), ranked=True)
    if parsed.root is None:
        raise InputError(_why_empty(parsed))
    if not corpus.ids:
        return SearchAnswer(parsed, (), ranked=False)
    matched = match(parsed.root, corpus, semantics)
    if matched.root is None:
        raise InputError(
            "no part of this query can be tested here: it uses only fields that these publications lack "
            "(subject headings, languages, ...); add words to search in title and abstract"
        )
    ids = corpus.ids
    return SearchAnswer(parsed, tuple(ids[row] for row in rows_of(matched.root)), ranked=False)


def _why_empty(parsed: ParsedQuery) -> str:
    if parsed.findings and parsed.findings[0].rule != "empty":
        message = parsed.findings[0].message.rstrip(".")
        return f"{lower_first(message)}: nothing is left to search for"
    return "the query is empty: type at least one word"


class QueryRunOptions(TypedDict, total=False):
    dialect: DialectId | None
    semantics: Semantics
    parent: str | None
    origin: Origin
    clock: Clock


def run_query(
    store: Store,
    corpora: Corpora,
    topic_id: str,
    text: str,
    *,
    dialect: DialectId | None = None,
    semantics: Semantics = "literal",
    parent: str | None = None,
    origin: Origin = "manual",
    clock: Clock = utc_now,
) -> VersionRow:
    """Create a version of the topic's query, or return the existing one if this text was already run in the same way.

    An existing version counts only if it ran over the same publications; a hidden one is shown again. `parent` is the
    label of the version that the new one was made from.
    """
    corpus, searched = corpora.of(topic_id), corpora.searched(topic_id)
    found = answer(corpus, parse(text, dialect), semantics)
    rows = store.versions(topic_id, deleted=True)
    parent_id = _id_of(parent, rows)
    alike = [row for row in rows if _is_run_so(row, text, found.parsed.dialect, semantics)]
    alike.sort(key=lambda row: (row.deleted_at is not None, row.version.label != parent, -row.version.number))
    for row in alike:
        if _is_over(row, searched, found.ids, store):
            return _shown(row, store)
    label, number = _next_name(rows)
    version = QueryVersion(
        content_hash([topic_id, label]),
        topic_id,
        label,
        number,
        text.strip(),
        origin,
        dialect=found.parsed.dialect,
        semantics=semantics,
        made_at=clock(),
        parent_id=parent_id,
    )
    with store.transaction():
        store.save_version(version, found.ids, over_corpus=True, searched=searched)
    return next(row for row in store.versions(topic_id) if row.version.query_id == version.query_id)


def _id_of(label: str | None, rows: Sequence[VersionRow]) -> str | None:
    if label is None:
        return None
    there = {row.version.label: row.version.query_id for row in rows}
    if label not in there:
        raise NotFoundError(f'there is no version "{label}" to start from')
    return there[label]


def _is_run_so(row: VersionRow, text: str, dialect: str, semantics: Semantics) -> bool:
    before = row.version
    same_way = (before.semantics or "literal") == semantics and before.dialect in (None, dialect)
    return row.over_corpus and same_way and _wording(before.text) == _wording(text)


def _is_over(row: VersionRow, searched: CorpusState, ids: Ids, store: Store) -> bool:
    """Return True if the version ran over the current corpus. Without a stored state, compare its results."""
    if row.corpus_state is not None:
        return row.corpus_state == searched.state
    return set(store.load_retrieved_ids(row.version.query_id)) == set(ids)


def _shown(row: VersionRow, store: Store) -> VersionRow:
    if row.deleted_at is None:
        return row
    with store.transaction():
        store.say_of_version(row.version.query_id, name=row.version.name, note=row.version.note, deleted_at=None)
    return replace(row, deleted_at=None)


def _next_name(rows: Sequence[VersionRow]) -> tuple[str, int]:
    number = max((row.version.number for row in rows), default=0) + 1
    labels = {row.version.label for row in rows}
    return next(name for n in range(number, number + len(labels) + 1) if (name := f"v{n}") not in labels), number


def _wording(text: str) -> str:
    """Normalise white space within lines; line breaks matter to a search in lines."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
