"""What is judged: the first answers of retrievers, in one field. Also the way to fields of all other kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

import numpy as np

from core.errors import InputError, NotFoundError
from core.judging.types import USUAL_K, Candidate, Field, checked_k
from core.protocols import OnStage, silent
from core.ranking.check import Collection, Document, Query, Run
from core.retrieval.base import id_ranks
from core.retrieval.spec import Spec, read_spec
from core.text import listed
from data.benchmarking import DEPTH, known_run, run_retriever
from data.collections.bringing import KNOWLEDGE, documents_of
from data.collections.opening import OpenedCollection, named_path, open_collection
from data.collections.runs import list_runs, load_run
from data.collections.stored import is_stored, run_key
from data.knowledge.holders import Holders
from data.retrieval.opening import settled
from data.retrieval.saved_run import SavedRun
from data.store import content_hash
from data.workspace import Workspace

RUN_PREFIX = "run:"
SPLIT = "judged"
"""Begins the name under which a run is kept that answers other queries than those of a split."""


def queries_of(workspace: Workspace, collection: str, split: str | None = None) -> tuple[Query, ...]:
    """The queries of a collection, a topic (`topic:NAME`), or a folder or file; it need have no documents."""
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
) -> Field:
    """The first k of every retriever's answer to every query. Runs that are saved are taken, others are made and saved.

    `retrievers`: as they are written elsewhere, or `run:NAME` for a run over the collection that came from a file.
    `queries`: these are asked, in the place of the collection's own; they may come from anywhere. `documents`: whose
    documents are searched, where the collection has none: a collection, `topic:NAME`, a folder or `knowledge:NAME`.
    """
    checked_k(k)
    wanted = {engine.label: engine for engine in map(_engine, retrievers)}
    if not wanted:
        raise InputError("name at least one retriever, such as bm25")
    asked = _asked(workspace, collection, documents, queries, split)
    whole = tuple(query for query in asked.queries if query.text.strip())
    if not whole:
        raise InputError(f'there is no query to ask in "{collection[:80]}": choose others')
    gathered = _Gathered(asked.opened.collection, whole, k)
    for label, engine in wanted.items():
        if engine.spec is None:
            gathered.take(label, _from_file(workspace, asked, label))
        else:
            gathered.take(label, _run(workspace, asked, engine.spec, max(k, DEPTH), on_stage))
    return gathered.field(collection, documents, _notes_on_queries(asked, len(whole)))


@dataclass(frozen=True, slots=True)
class _Engine:
    """Whoever answers."""

    label: str
    spec: Spec | None
    """None: a run from a file."""


def _engine(text: str) -> _Engine:
    if text.strip().startswith(RUN_PREFIX):
        return _Engine(text.strip().removeprefix(RUN_PREFIX).strip(), None)
    spec = settled(read_spec(text))
    return _Engine(spec.label, spec)


def _notes_on_queries(asked: _Asked, n_whole: int) -> Iterator[str]:
    if asked.own is not None and asked.some:
        n_all = len(asked.own.collection.queries)
        yield f'{len(asked.queries):,} of the {n_all:,} queries of "{asked.own.collection.name}" were asked'
    if n := len(asked.queries) - n_whole:
        yield "1 query has no text and was left out" if n == 1 else f"{n:,} queries have no text and were left out"


# Retrievers


@dataclass(frozen=True, eq=False)
class _Asked:
    """Which queries are asked of which documents."""

    opened: OpenedCollection
    queries: tuple[Query, ...]
    split: str | None
    own: OpenedCollection | None
    """The collection whose own queries they are; None: they come from elsewhere."""
    some: bool = False
    """They are some of its queries, and no split of it."""


def _asked(
    workspace: Workspace, collection: str, documents: str | None, queries: Sequence[Query] | None, split: str | None
) -> _Asked:
    if documents is not None and documents.strip() != collection.strip():
        given = queries_of(workspace, collection, split) if queries is None else tuple(queries)
        return _of_others(_searched(workspace, documents), given)
    opened = _searched(workspace, collection) if queries is not None else open_collection(workspace, collection)
    if not opened.collection.documents:
        raise InputError(
            f'"{opened.collection.name}" has queries but no documents: say whose documents they search, a collection, '
            "topic:NAME, a folder or knowledge:NAME"
        )
    asks_split = queries is None or split is None or split in opened.collection.splits
    own = opened.collection.of_split(split) if asks_split else ()
    if queries is None or tuple(queries) == own:
        return _Asked(opened, own, split, opened)
    return _of_others(opened, tuple(queries))


def _searched(workspace: Workspace, name: str) -> OpenedCollection:
    """What is searched; it need not hold queries."""
    in_knowledge = name.strip().startswith(KNOWLEDGE) and not is_stored(workspace.store, name.strip())
    if not in_knowledge and named_path(workspace, name) is None:
        return open_collection(workspace, name)
    documents, called, made_up = documents_of(workspace, name)
    made = Collection(called, documents, (), (), made_up=made_up)
    return OpenedCollection(
        made, (), (), run_key(made), stored=False, holders=Holders.of(workspace.knowledge, workspace.store, made)
    )


def _of_others(opened: OpenedCollection, queries: tuple[Query, ...]) -> _Asked:
    """Queries that are no split of the collection: a run over them is kept beside its own."""
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
    """The run over the whole collection if it has answered these queries, else one over these alone."""
    if asked.own is not None and asked.some:
        known = known_run(workspace, asked.own, spec, depth=depth)
        if known is not None and {query.query_id for query in asked.queries} <= set(known.run.query_ids):
            return known
    return run_retriever(workspace, asked.opened, spec, asked.split, depth=depth, on_stage=on_stage)


def _from_file(workspace: Workspace, asked: _Asked, label: str) -> SavedRun:
    """A run that somebody brought. Its queries are the collection's own, so it has no answer to others."""
    collection = asked.opened.collection
    rows = list_runs(workspace.store, collection.name, None) if asked.own is not None else ()
    there = {row.label: row.run_id for row in rows if not row.spec_text}
    saved = load_run(workspace.store, there[label], collection.doc_ids) if label in there else None
    if saved is None:
        has = f"there is {', '.join(there)}" if there else "there is none for these queries and documents"
        raise NotFoundError(f'no run "{label[:80]}" from a file; {has}')
    return saved


class _Gathered:
    """Candidates of one retriever after the other."""

    def __init__(self, collection: Collection, queries: tuple[Query, ...], k: int) -> None:
        self.collection, self.queries, self.k = collection, queries, k
        self.ranks = id_ranks(collection.doc_ids)
        self.candidates: list[Candidate] = []
        self.notes: list[str] = []
        self.labels: list[str] = []

    def take(self, label: str, saved: SavedRun) -> None:
        """The first k of each answer, ordered as metrics order them: score descending, then id ascending."""
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
                    Candidate(label, query.query_id, rank, document.doc_id, document.title, document.text)
                )
        self.notes += _notes_of(label, saved, n_without, n_nothing, self.k)

    def _top(self, run: Run, query_id: str) -> list[Document]:
        rows, scores = run.answer(query_id)
        if run.doc_ids is not self.collection.doc_ids and run.doc_ids != self.collection.doc_ids:
            raise InputError(
                f'the run "{run.name}" is over other documents than "{self.collection.name}": run it again'
            )
        order = np.lexsort((self.ranks[rows], -scores))[: self.k]
        return [self.collection.documents[row] for row in rows[order].tolist()]

    def field(self, collection: str, documents: str | None, notes: Iterable[str]) -> Field:
        """What was gathered. Without a candidate there is nothing to judge."""
        if not self.candidates:
            raise InputError(f"{listed(self.labels)} found nothing for any of these queries: there is nothing to judge")
        over = self.collection.name
        if documents is not None and documents.strip() != collection.strip():
            asked = PurePath(collection).name[:80]
            notes = (*notes, f'the queries of "{asked}" were asked of the documents of "{over}"')
        if self.collection.made_up:
            notes = (*notes, f'the documents of "{over}" are made up')
        return Field(
            f"{listed(self.labels)} over {over}, top {self.k}",
            self.queries,
            tuple(self.candidates),
            tuple(dict.fromkeys((*notes, *self.notes))),
        )


def _notes_of(label: str, saved: SavedRun, n_without: int, n_nothing: int, k: int) -> Iterator[str]:
    if saved.spec_text.startswith("boolean"):
        yield f"{label} gives its matches no order: the first {k} by id were taken, and ranks mean nothing"
    if n_without:
        yield f"{label} found nothing for {n_without:,} {'query' if n_without == 1 else 'queries'}"
    if n_nothing:
        yield f"{label}: {n_nothing:,} without title and text were left out"
    if saved.n_failed:
        yield f"{label}: {saved.n_failed:,} candidates could not be scored when it was run"
