"""Results to judge: from retrievers, query versions, or a results file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, Literal

import numpy as np

from core.collections import Collection, Document, Query, Run
from core.errors import FormatError, InputError, NotFoundError, QueryscapeError
from core.judge.judgments import USUAL_K, JudgeCandidate, JudgeField, checked_k
from core.library.records import abstract_text
from core.protocols import OnStage, silent
from core.query.parser import parse
from core.retrieval.retriever import id_ranks
from core.retrieval.specs import Spec, preset_named, spec_named
from core.text import listed, many
from core.types import Ids, unique_ids
from data.collections import SavedRun, is_stored, list_runs, load_run, run_key
from data.explore.workspace import Workspace
from data.importers.collection_parts import LONGEST_LABEL, MOST_LABELS, Cells, NamedRow, RejectedLine, named_rows
from data.importers.source import no_text, opened, plain_name, read_bytes
from data.knowledge.bases import Holders
from data.lookup import check_topic
from data.retrieval.collections import KNOWLEDGE, OpenedCollection, documents_of, named_path, open_collection
from data.retrieval.retrievers import settled
from data.retrieval.runs import DEPTH, NEEDS, known_run, run_each, run_retriever
from data.store import Store, VersionRow, content_hash

Take = Literal["top", "sample"]
TAKES: tuple[Take, ...] = ("top", "sample")
NO_ORDER = (
    "a Boolean search has no ranking: of {what} the first {k} in the topic's own order were used, and their "
    "ranks mean nothing; a sample would be fairer"
)
AS_IN_FILE = "{what}: in the order of the imported list; it is unknown whether that is a ranking"
DRAWN = (
    "{k} publications of each version were sampled with seed {seed}; ranks are the order of sampling. All "
    "versions share one sample, so a publication that two of them retrieved is likely sampled for "
    "both"
)
BY_NAME = "no research question was given for {what}: the topic's name is used"
NO_VERSION = '{what}: there is no version "{label}"'
NOT_RUN = "{label} has not been run yet for {what}"
NOTHING = "{label} retrieved nothing for {what}"
LEFT_OUT = "nothing to judge for {what}"
MOST_VERSIONS_NAMED = 3


def version_field(
    workspace: Workspace,
    topics: Sequence[str],
    labels: Sequence[str] = (),
    *,
    k: int = USUAL_K,
    question: Mapping[str, str] | None = None,
    take: Take = "top",
    seed: int = 0,
) -> JudgeField:
    """Return up to k publications retrieved by each version of these topics. No label: all versions.

    `question`: the query put to the judge, by topic; the topic's name is the default. `take`: the first k, or a sample
    drawn with the seed.
    """
    checked_k(k)
    if take not in TAKES:
        raise InputError(f'take must be "top" or "sample", got "{take}"')
    wanted, asked = unique_ids(topics), question or {}
    _check_topics(workspace.store, wanted)
    queries = tuple(Query(topic, (asked.get(topic) or "").strip() or topic) for topic in wanted)
    gathered = _Gathered(workspace.store, k, take, seed)
    for topic in wanted:
        gathered.take_topic(topic, labels)
    return gathered.field(queries, labels)


def _check_topics(store: Store, wanted: Ids) -> None:
    if not wanted:
        raise InputError("choose at least one topic")
    for topic in wanted:
        check_topic(store, topic)


def drawn(ids: Sequence[str], k: int, *, seed: int, of: str) -> Ids:
    """Draw k of the ids with equal probability. An id in two lists tends to be drawn for both or for neither.

    >>> drawn(("a", "b", "c"), 2, seed=0, of="x") == drawn(("c", "b", "a"), 2, seed=0, of="x")
    True
    """
    return tuple(sorted(ids, key=lambda own_id: content_hash([str(seed), of, own_id]))[:k])


class _Gathered:
    def __init__(self, store: Store, k: int, take: Take, seed: int) -> None:
        self.store, self.k, self.how, self.seed = store, k, take, seed
        self.candidates: dict[str, list[JudgeCandidate]] = {}
        self.notes: dict[str, None] = {}
        self.notes_of: dict[tuple[str, str], dict[str, None]] = {}
        self.was_run: set[tuple[str, str]] = set()
        """Labels and topics that were run: a version can be without an answer only there."""

    def note(self, text: str) -> None:
        self.notes[text] = None

    def note_of(self, text: str, what: str, label: str = "") -> None:
        self.notes_of.setdefault((text, label), {})[what] = None

    def take_topic(self, topic: str, labels: Sequence[str]) -> None:
        rows = {row.version.label: row for row in self.store.versions(topic)}
        for label in unique_ids(labels) or tuple(rows):
            row = rows.get(label)
            if row is None:
                self.note_of(NO_VERSION, topic, label)
            elif row.n_retrieved is None:
                self.note_of(NOT_RUN, topic, label)
            else:
                self.was_run.add((label, topic))
                if row.n_retrieved:
                    self._take(topic, row)
                else:
                    self.note_of(NOTHING, topic, label)

    def _take(self, topic: str, row: VersionRow) -> None:
        label, found = row.version.label, self.store.load_retrieved_ids(row.version.query_id)
        if self.how == "sample":
            chosen = drawn(found, self.k, seed=self.seed, of=topic)
        else:
            chosen = found[: self.k]
            self._note_order(row)
        known = {each.publication_id: each for each in self.store.load_publications(chosen)}
        n_nothing = 0
        for rank, own_id in enumerate(chosen, start=1):
            each = known.get(own_id)
            if each is None or not (each.title.strip() or (each.abstract or "").strip()):
                n_nothing += 1
                continue
            candidate = JudgeCandidate(label, topic, rank, own_id, each.title, each.abstract or "")
            self.candidates.setdefault(label, []).append(candidate)
        if n_nothing:
            self.note(f"{label} of {topic}: {n_nothing:,} without title and abstract were left out")

    def _note_order(self, row: VersionRow) -> None:
        if row.n_retrieved is not None and row.n_retrieved <= self.k:
            return
        label = row.version.label
        if not row.over_corpus:
            self.note_of(AS_IN_FILE, label)
        elif parse(row.version.text).kind != "question":
            self.note_of(NO_ORDER, label)

    def _note_texts(self) -> list[str]:
        return [
            text.format(what=listed(list(what), MOST_VERSIONS_NAMED), label=label, k=self.k)
            for (text, label), what in self.notes_of.items()
        ]

    def field(self, queries: tuple[Query, ...], labels: Sequence[str]) -> JudgeField:
        if not self.candidates:
            text = "; ".join(self._note_texts()[:MOST_VERSIONS_NAMED])
            raise InputError(f"these versions have nothing to judge{f': {text}' if text else ''}")
        judged = {each.query_id for some in self.candidates.values() for each in some}
        # A version that was run and found nothing counts as a query without an answer.
        judged |= {topic for label, topic in self.was_run if label in self.candidates}
        for query in queries:
            if query.query_id not in judged:
                self.note_of(LEFT_OUT, query.query_id)
            elif query.text == query.query_id:
                self.note_of(BY_NAME, query.query_id)
        queries = tuple(query for query in queries if query.query_id in judged)
        for text in self._note_texts():
            self.note(text)
        if self.how == "sample":
            self.note(DRAWN.format(k=self.k, seed=self.seed))
        order = [label for label in unique_ids(labels) if label in self.candidates] or list(self.candidates)
        how = f"top {self.k}" if self.how == "top" else f"{self.k} sampled"
        asked = [query.query_id for query in queries]
        name = f"{listed(order, MOST_VERSIONS_NAMED)} of {listed(asked, MOST_VERSIONS_NAMED)}, {how}"
        not_asked = {
            label: left_out
            for label in order
            if (left_out := tuple(q.query_id for q in queries if (label, q.query_id) not in self.was_run))
        }
        found = tuple(each for label in order for each in self.candidates[label])
        return JudgeField(name, queries, found, (*self.notes,), not_asked)


# The first answers of retrievers as a field to judge; also the entry to all other kinds of fields.

RUN_PREFIX = "run:"
SPLIT = "judged"
"""Prefix of the name of a saved run over queries that are not those of a split."""


def queries_of(workspace: Workspace, collection: str, split: str | None = None) -> tuple[Query, ...]:
    """Return the queries of a collection, a topic (`topic:NAME`), or a folder or file; documents are optional."""
    return open_collection(workspace, collection).collection.of_split(split)


def retriever_field(
    workspace: Workspace,
    collection: str,
    retrievers: Sequence[str],
    *,
    k: int = USUAL_K,
    queries: Sequence[Query] | None = None,
    split: str | None = None,
    documents: str | None = None,
    on_stage: OnStage = silent,
) -> JudgeField:
    """Return the first k of every retriever's answer to every query. Saved runs are reused, others are run and saved.

    `retrievers`: names of retrievers, or `run:NAME` for an imported run over the collection. One that can't run is left
    out and noted, with its requirements.
    `queries`: used instead of the collection's own; they may come from anywhere. `documents`: the documents to search
    if the collection has none: a collection, `topic:NAME`, a folder or `knowledge:NAME`.
    """
    checked_k(k)
    if not retrievers:
        raise InputError("choose at least one retriever, such as bm25")
    presets = [preset for each in retrievers if (preset := preset_named(each)) is not None and preset.spec is None]
    not_run = {preset.name: f"{NEEDS}{preset.needs}" for preset in presets}
    wanted = {engine.label: engine for each in retrievers if (engine := _engine(each)) is not None}
    asked = _asked(workspace, collection, documents, queries, split)
    whole = tuple(query for query in asked.queries if query.text.strip())
    if not whole:
        raise InputError(f'"{collection[:80]}" has no queries to judge: choose others')
    gathered = _GatheredEngines(asked.opened.collection, whole, k)
    saved = {label: _from_file(workspace, asked, label) for label, engine in wanted.items() if engine.spec is None}
    specs = {label: engine.spec for label, engine in wanted.items() if engine.spec is not None}

    def run(spec: Spec) -> SavedRun:
        return _run(workspace, asked, spec, max(k, DEPTH), on_stage)

    saved |= run_each(specs, run, asked.opened.holders, not_run, any_file=bool(saved))
    for label in wanted:
        if label in saved:
            gathered.take(label, saved[label])
    notes = [*_notes_on_queries(asked, len(whole)), *(f"{label} was not run: {why}" for label, why in not_run.items())]
    return replace(gathered.field(collection, documents, notes), not_run=not_run)


@dataclass(frozen=True, slots=True)
class _Engine:
    label: str
    spec: Spec | None
    """None: a run from a file."""


def _engine(text: str) -> _Engine | None:
    """Resolve the name of a retriever; None for one from the literature with published results only."""
    if (preset := preset_named(text)) is not None and preset.spec is None:
        return None
    if text.strip().startswith(RUN_PREFIX):
        return _Engine(text.strip().removeprefix(RUN_PREFIX).strip(), None)
    spec = settled(spec_named(text))
    return _Engine(spec.label, spec)


def _notes_on_queries(asked: _Asked, n_whole: int) -> Iterator[str]:
    if asked.own is not None and asked.some:
        n_all = len(asked.own.collection.queries)
        yield f'only {len(asked.queries):,} of the {n_all:,} queries of "{asked.own.collection.name}" were used'
    if n := len(asked.queries) - n_whole:
        yield "1 query has no text and was left out" if n == 1 else f"{n:,} queries have no text and were left out"


@dataclass(frozen=True, eq=False)
class _Asked:
    opened: OpenedCollection
    queries: tuple[Query, ...]
    split: str | None
    own: OpenedCollection | None
    """Collection that the queries belong to; None: they come from elsewhere."""
    some: bool = False
    """True: the queries are a subset of the collection's, but not a split."""


def _asked(
    workspace: Workspace, collection: str, documents: str | None, queries: Sequence[Query] | None, split: str | None
) -> _Asked:
    if documents is not None and documents.strip() != collection.strip():
        given = queries_of(workspace, collection, split) if queries is None else tuple(queries)
        return _of_others(_searched(workspace, documents), given)
    opened = _searched(workspace, collection) if queries is not None else open_collection(workspace, collection)
    if not opened.collection.documents:
        raise InputError(
            f'"{opened.collection.name}" has queries but no documents: choose the documents to search, a '
            "collection, topic:NAME, a folder or knowledge:NAME"
        )
    asks_split = queries is None or split is None or split in opened.collection.splits
    own = opened.collection.of_split(split) if asks_split else ()
    if queries is None or tuple(queries) == own:
        return _Asked(opened, own, split, opened)
    return _of_others(opened, tuple(queries))


def _searched(workspace: Workspace, name: str) -> OpenedCollection:
    in_knowledge = name.strip().startswith(KNOWLEDGE) and not is_stored(workspace.store, name.strip())
    if not in_knowledge and named_path(workspace, name) is None:
        return open_collection(workspace, name)
    documents, called, made_up = documents_of(workspace, name)
    made = Collection(called, documents, (), (), made_up=made_up)
    return OpenedCollection(
        made, (), (), run_key(made), stored=False, holders=Holders.of(workspace.knowledge, workspace.store, made)
    )


def _of_others(opened: OpenedCollection, queries: tuple[Query, ...]) -> _Asked:
    """Ask queries that are no split of the collection; a run over them is saved next to the collection's own runs."""
    if len({query.query_id for query in queries}) != len(queries):
        raise InputError("two of the queries have the same id: give each its own")
    texts = [part for query in queries for part in (query.query_id, query.text)]
    key = content_hash([opened.key, *texts])
    split = f"{SPLIT} {key}"
    asked = replace(
        opened.collection,
        queries=queries,
        judgments=(),
        splits={split: tuple(query.query_id for query in queries if query.text.strip())},
    )
    own = opened if set(queries) <= set(opened.collection.queries) else None
    return _Asked(replace(opened, collection=asked, key=key), queries, split, own, some=own is not None)


def _run(workspace: Workspace, asked: _Asked, spec: Spec, depth: int, on_stage: OnStage) -> SavedRun:
    """Return the run over the whole collection if it answers these queries, or run these queries alone."""
    if asked.own is not None and asked.some:
        known = known_run(workspace, asked.own, spec, depth=depth)
        if known is not None and {query.query_id for query in asked.queries} <= set(known.run.query_ids):
            return known
    return run_retriever(workspace, asked.opened, spec, asked.split, depth=depth, on_stage=on_stage)


def known_answers(workspace: Workspace, document: Mapping[str, Any], field: JudgeField) -> dict[str, SavedRun]:
    """Return the saved runs behind a field of retrievers, by engine; none if one of them is gone.

    `document`: the settings stored with a judged run.
    """
    if document.get("source") != "retrievers" or not document.get("collection"):
        return {}
    collection, found = str(document["collection"]), {}
    chosen = {query.query_id for query in field.queries}
    try:
        own = queries_of(workspace, collection, document.get("split"))
        whole = {query.query_id for query in own if query.text.strip()} <= chosen
        queries = None if whole else tuple(query for query in own if query.query_id in chosen)
        asked = _asked(workspace, collection, document.get("documents"), queries, document.get("split"))
        depth = max(int(document.get("k", USUAL_K)), DEPTH)
        for engine in map(_engine, document.get("retrievers", ())):
            if engine is None or engine.label in field.not_run:
                continue
            saved = _from_file(workspace, asked, engine.label) if engine.spec is None else None
            for opened, split in ((asked.own, None), (asked.opened, asked.split)):
                if engine.spec is not None and saved is None and opened is not None:
                    saved = known_run(workspace, opened, engine.spec, split, depth=depth)
            if saved is None or not chosen <= set(saved.run.query_ids):
                return {}
            found[engine.label] = saved
    except QueryscapeError:  # the collection, a file or a model no longer exists
        return {}
    return found


def _from_file(workspace: Workspace, asked: _Asked, label: str) -> SavedRun:
    """Return an imported run. Its queries are the collection's own, so it answers no others."""
    collection = asked.opened.collection
    rows = list_runs(workspace.store, collection.name, None) if asked.own is not None else ()
    there = {row.label: row.run_id for row in rows if not row.spec_text}
    saved = load_run(workspace.store, there[label], collection.doc_ids) if label in there else None
    if saved is None:
        has = f"available: {', '.join(there)}" if there else "none exists for these queries and documents"
        raise NotFoundError(f'no run "{label[:80]}" from a file; {has}')
    return saved


class _GatheredEngines:
    def __init__(self, collection: Collection, queries: tuple[Query, ...], k: int) -> None:
        self.collection, self.queries, self.k = collection, queries, k
        self.ranks = id_ranks(collection.doc_ids)
        self.candidates: list[JudgeCandidate] = []
        self.notes: list[str] = []
        self.labels: list[str] = []

    def take(self, label: str, saved: SavedRun) -> None:
        """Take the first k of each answer in the order used by metrics: score descending, then id ascending."""
        n_without = n_nothing = 0
        self.labels.append(label)
        for query in self.queries:
            top = self._top(saved.run, query.query_id)
            n_without += not top
            for rank, document in enumerate(top, start=1):
                if not document.whole.strip():
                    n_nothing += 1
                    continue
                self.candidates.append(
                    JudgeCandidate(label, query.query_id, rank, document.doc_id, document.title, document.text)
                )
        self.notes += _notes_of(label, saved, n_without, n_nothing, self.k)

    def _top(self, run: Run, query_id: str) -> list[Document]:
        rows, scores = run.answer(query_id)
        if run.doc_ids is not self.collection.doc_ids and run.doc_ids != self.collection.doc_ids:
            raise InputError(f'the run "{run.name}" used other documents than "{self.collection.name}": run it again')
        order = np.lexsort((self.ranks[rows], -scores))[: self.k]
        return [self.collection.documents[row] for row in rows[order].tolist()]

    def field(self, collection: str, documents: str | None, notes: Iterable[str]) -> JudgeField:
        if not self.candidates:
            raise InputError(f"{listed(self.labels)} found nothing for any of these queries: there is nothing to judge")
        over = self.collection.name
        if documents is not None and documents.strip() != collection.strip():
            asked = PurePath(collection).name[:80]
            notes = (*notes, f'the queries of "{asked}" searched the documents of "{over}"')
        if self.collection.made_up:
            notes = (*notes, f'the documents of "{over}" are synthetic')
        return JudgeField(
            f"{listed(self.labels)} over {over}, top {self.k}",
            self.queries,
            tuple(self.candidates),
            tuple(dict.fromkeys((*notes, *self.notes))),
        )


def _notes_of(label: str, saved: SavedRun, n_without: int, n_nothing: int, k: int) -> Iterator[str]:
    if saved.spec_text.startswith("boolean"):
        yield f"{label} does not rank its matches: the first {k} by id were used, and ranks mean nothing"
    if n_without:
        yield f"{label} found nothing for {many(n_without, 'query')}"
    if n_nothing:
        yield f"{label}: {n_nothing:,} without title and text were left out"
    if saved.n_failed:
        yield f"{label}: {saved.n_failed:,} candidates could not be scored in its run"


# Results of a search engine in a file: a table or JSON lines, one answer per row.

MOST_BYTES = 200_000_000
MOST_LINES_NAMED = 1_000
"""Rejected rows stored individually; further ones are only counted."""
SHOWN = 3
NAMES: Mapping[str, tuple[str, ...]] = {
    "engine": ("engine", "search_engine", "system", "retriever"),
    "query_id": ("query_id", "qid"),
    "query": ("query", "query_text", "search_query", "question"),
    "rank": ("rank", "position"),
    "title": ("title",),
    "abstract": ("abstract", "text", "snippet"),
    "doc_id": ("doc_id", "docid", "docno", "document_id", "publication_id", "id"),
}
"""Fields of a row, with the accepted column names of each."""
OF_DOCUMENTS = frozenset({"year", "date", "doi", "url", "link", "author", "authors", "journal", "venue", "score"}) | {
    *("pmid", "keywords", "citations", "times_cited", "source", "type"),
}
"""Columns that describe a publication and not a query."""
WANTED = frozenset(NAMES["query"]) | frozenset(NAMES["query_id"])
LONGEST_ID = 80
LONGEST_NONE = 60
"""Longest text, in characters, that can be a note about a missing abstract."""


@dataclass(frozen=True, eq=False)
class ResultsFile:
    field: JudgeField
    rejected: tuple[RejectedLine, ...]
    """The first thousand."""
    n_rejected: int
    n_rows: int


def results_field(path: Path) -> JudgeField:
    """Read a results file; the field's notes count the rejected rows, with reasons."""
    return read_results(read_bytes(path), path.name).field


def read_results(data: bytes, name: str) -> ResultsFile:
    name = plain_name(name)
    if len(data) > MOST_BYTES:
        raise FormatError(f"{name} has {len(data) / 1e6:,.0f} MB; the limit for results is {MOST_BYTES / 1e6:,.0f} MB")
    if what := no_text(data):
        raise FormatError(f"{name} is {what}: save it as CSV or JSON lines")
    source = opened(data, name)
    if source.data:
        raise FormatError(f"{name} is a workbook: save it as CSV")
    reading = _Reading(name)
    for row in named_rows(source.text, name, WANTED):
        reading.take(row)
    return reading.finished(source.notes)


@dataclass(frozen=True, slots=True)
class _Answer:
    line: int | None
    place: int
    """Number of the row, from 0."""
    candidate: JudgeCandidate
    """Rank 0: none is given."""
    cells: Cells


@dataclass(eq=False)
class _Reading:
    name: str
    answers: list[_Answer] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    """First text given for each query."""
    rejected: list[RejectedLine] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    first_line: dict[str, int | None] = field(default_factory=dict)
    """First line with each reason."""
    n_rows: int = 0

    def reject(self, line: int | None, reason: str, kind: str | None = None) -> None:
        """Record a rejected row. `kind`: the reason without the details that differ between rows."""
        self.reasons[kind or reason] += 1
        self.first_line.setdefault(kind or reason, line)
        if len(self.rejected) < MOST_LINES_NAMED:
            self.rejected.append(RejectedLine(self.name, line, reason))

    def take(self, row: NamedRow) -> None:
        self.n_rows += 1
        if isinstance(row.cells, str):
            self.reject(row.line, row.cells)
            return
        entries = {
            what: next((row.cells[name] for name in names if name in row.cells), "") for what, names in NAMES.items()
        }
        if len(entries["abstract"]) <= LONGEST_NONE and abstract_text(entries["abstract"]) is None:
            entries["abstract"] = ""
        rank = _rank(entries["rank"])
        query_id = entries["query_id"] or _id_of(entries["query"])
        if not query_id:
            self.reject(row.line, "no query")
        elif not (entries["title"] or entries["abstract"]):
            self.reject(row.line, "neither a title nor an abstract")
        elif rank is None:
            self.reject(row.line, f"its rank “{entries['rank'][:30]}” is not a whole number from 1", "an invalid rank")
        elif entries["query"] and self.texts.setdefault(query_id, entries["query"]) != entries["query"]:
            self.reject(row.line, f"query {query_id[:60]} already has another text", "different texts for a query")
        else:
            doc_id = entries["doc_id"] or content_hash([entries["title"], entries["abstract"]])
            candidate = JudgeCandidate(entries["engine"], query_id, rank, doc_id, entries["title"], entries["abstract"])
            self.answers.append(_Answer(row.line, self.n_rows, candidate, row.cells))

    def finished(self, notes: Iterable[str]) -> ResultsFile:
        kept = self._checked()
        if not kept:
            why = f"{self.rejected[0]}" if self.rejected else "it is empty"
            raise FormatError(
                f"{self.name} has no results that can be judged ({why}): it needs the columns query and title or "
                "abstract. Optional columns are engine, query_id, rank, doc_id and kinds of query"
            )
        labels, dropped = _dimensions(kept)
        used = dict.fromkeys(answer.candidate.query_id for answer in kept)
        queries = tuple(Query(own_id, self.texts[own_id], labels[own_id]) for own_id in used)
        made = JudgeField(
            PurePath(self.name).stem or self.name,
            queries,
            _ranked(kept, list(used)),
            (*notes, *self._notes(kept, dropped)),
        )
        return ResultsFile(made, tuple(self.rejected), self.reasons.total(), self.n_rows)

    def _checked(self) -> list[_Answer]:
        """Return the answers with an engine and a query text, each rank and each publication once."""
        names_engines = any(answer.candidate.engine for answer in self.answers)
        seen: set[tuple[str, str, str]] = set()
        ranks: set[tuple[str, str, int]] = set()
        kept: list[_Answer] = []
        for answer in self.answers:
            each = answer.candidate
            if not names_engines:
                each = replace(each, engine=PurePath(self.name).stem or self.name)
            place = each.engine, each.query_id
            if not each.engine:
                self.reject(answer.line, "no engine")
            elif each.query_id not in self.texts:
                self.reject(answer.line, f"query {each.query_id[:60]} has no text", "a query without a text")
            elif (*place, each.doc_id) in seen:
                self.reject(answer.line, f"{each.doc_id[:60]} is repeated for this query", "a repeated publication")
            elif each.rank and (*place, each.rank) in ranks:
                self.reject(answer.line, f"rank {each.rank} is repeated for this query", "a repeated rank")
            else:
                seen.add((*place, each.doc_id))
                ranks.add((*place, each.rank))
                kept.append(replace(answer, candidate=each))
        return kept

    def _notes(self, kept: Sequence[_Answer], dropped: Sequence[str]) -> Iterator[str]:
        if n := self.reasons.total():
            why = ", ".join(map(self._counted_text, self.reasons.most_common(SHOWN)))
            more = ", ..." if len(self.reasons) > SHOWN else ""
            yield f"{self.name}: {n:,} of {self.n_rows:,} rows were rejected: {why}{more}"
        if any(not answer.candidate.rank for answer in kept):
            yield f"{self.name}: rows without a rank are ranked by their order"
        if dropped:
            yield (
                f"{self.name}: not used as kinds of query, as they differ within a query or are long: "
                f"{', '.join(dropped[:8])}"
            )

    def _counted_text(self, counted: tuple[str, int]) -> str:
        reason, n = counted
        line = self.first_line[reason]
        return f"{reason} ({n:,}{'' if line is None else f', first in line {line:,}'})"


def _rank(text: str) -> int | None:
    """Parse a rank; 0 if the cell is empty, None if it is not a rank.

    >>> _rank("3"), _rank("3.0"), _rank(""), _rank("0"), _rank("third")
    (3, 3, 0, None, None)
    """
    if not text:
        return 0
    digits = text.strip().removesuffix(".0")
    rank = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 7 else 0
    return rank or None


def _id_of(text: str) -> str:
    """Return an id for a query without one: its text, shortened and with a hash if it is long."""
    return text if len(text) <= LONGEST_ID else f"{text[: LONGEST_ID - 10].rstrip()} {content_hash([text])[:8]}"


def _dimensions(kept: Sequence[_Answer]) -> tuple[dict[str, tuple[tuple[str, str], ...]], list[str]]:
    """Return the labels that all rows of a query share, and the columns with differing values."""
    known = {name for names in NAMES.values() for name in names} | OF_DOCUMENTS
    values: dict[str, dict[str, str]] = {}
    dropped: dict[str, None] = {}
    for answer in kept:
        for column, value in answer.cells.items():
            if not value or column in known:
                continue
            of_query = values.setdefault(column, {}).setdefault(answer.candidate.query_id, value)
            if of_query != value or len(value) > LONGEST_LABEL or len(column) > LONGEST_LABEL:
                dropped[column] = None
    used = [column for column in values if column not in dropped][:MOST_LABELS]
    labels = {
        query_id: tuple(
            (column.replace("_", " "), values[column][query_id]) for column in used if query_id in values[column]
        )
        for query_id in {answer.candidate.query_id for answer in kept}
    }
    return labels, [column for column in values if column in dropped]


def _ranked(kept: Sequence[_Answer], queries: Sequence[str]) -> tuple[JudgeCandidate, ...]:
    """Sort by engine, query and rank; rows without a rank come last, in file order."""
    engines = {name: n for n, name in enumerate(dict.fromkeys(answer.candidate.engine for answer in kept))}
    place_of = {query_id: n for n, query_id in enumerate(queries)}
    ordered = sorted(
        kept,
        key=lambda answer: (
            engines[answer.candidate.engine],
            place_of[answer.candidate.query_id],
            not answer.candidate.rank,
            answer.candidate.rank,
            answer.place,
        ),
    )
    found: list[JudgeCandidate] = []
    for answer in ordered:
        each, last = answer.candidate, found[-1] if found else None
        follows = last is not None and (last.engine, last.query_id) == (each.engine, each.query_id)
        after = last.rank + 1 if last is not None and follows else 1
        found.append(each if each.rank else replace(each, rank=after))
    return tuple(found)
