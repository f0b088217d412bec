"""Open a collection by name, topic or folder, import it into the workspace, and store indexes of its documents."""

from __future__ import annotations

import os.path
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path

import numpy as np

from core.collections import Collection, Document, Judgment, Oddity, Query, Rows, Run, check, renumbered
from core.errors import DownloadError, FormatError, InputError
from core.knowledge.statistics import QuerySet
from core.protocols import OnStage, silent
from core.query.parser import parse
from core.retrieval.retriever import Retriever, id_ranks
from core.types import Ids
from data.access import check_allowed
from data.collections import (
    TOPIC_PREFIX,
    CollectionRow,
    checked_name,
    documents_key,
    find_collection,
    is_stored,
    load_collection,
    load_report,
    not_found,
    run_key,
    save_collection,
)
from data.explore.workspace import Workspace
from data.files import WorkspacePaths
from data.http.download import OnProgress, mirror, shown
from data.importers.collection_files import read_collection, read_documents
from data.importers.collection_parts import RejectedLine
from data.knowledge.bases import Holders, knowledge_documents
from data.knowledge.statistics import Queries, splits_of, stored_set
from data.lookup import check_topic, slug
from data.query.search import dialect_of
from data.store import content_hash

# The documents of a retriever, and the folder of their indexes.


@dataclass(frozen=True, eq=False)
class RetrievalCorpus:
    documents: tuple[Document, ...]
    key: str
    """Changes with any text, any id or the order of documents."""
    folder: Path
    """The root of the folders with derived data; nothing else writes there."""
    holders: Holders | None = None
    """The knowledge bases that may hold them; None: the caller knows of none."""

    @classmethod
    def of(cls, collection: Collection, paths: WorkspacePaths, holders: Holders | None = None) -> RetrievalCorpus:
        """Build from a collection; two collections with the same documents share their derived data."""
        key = documents_key(collection.documents)
        return cls(collection.documents, key, paths.retrieval(key), holders)

    @cached_property
    def doc_ids(self) -> Ids:
        return tuple(document.doc_id for document in self.documents)

    @cached_property
    def id_ranks(self) -> Rows:
        """The position of each document in sorted id order, for breaking ties."""
        return id_ranks(self.doc_ids)


@dataclass(frozen=True, eq=False)
class OpenedRetriever:
    retriever: Retriever
    index_seconds: float | None = None
    """The time to build its index, now or earlier (stored with it); None: it has none."""
    index_bytes: int | None = None
    """The size of its index on disk; None: it has none."""
    notes: tuple[str, ...] = field(default=())
    """Notes for readers of its results: stop words and stems, truncated texts, a scripted model."""


# One value for everything in a collection, available before it is loaded.


def collection_state(workspace: Workspace, name: str) -> str:
    """Return a hash of the documents, queries, judgments and splits of a collection, or of `topic:NAME`.

    If a collection is replaced twice within a second by one with as many judgments, the hash does not change.
    """
    store = workspace.store
    if not name.startswith(TOPIC_PREFIX):
        row = find_collection(store, name)
        rows = store.rows("SELECT splits::VARCHAR, saved_at FROM collections WHERE name = ?", [name])[0]
        return content_hash([name, row.key, str(row.n_judgments), str(row.n_judged_queries), *map(str, rows)])
    topic_id = name.removeprefix(TOPIC_PREFIX)
    versions = (part for row in store.versions(topic_id) for part in (row.version.label, row.version.text))
    return content_hash([name, store.topic_state(topic_id), store.core_hash(topic_id), *versions])


# A topic of the workspace as a collection: its versions are the queries, its core publications the judgments.


def topic_collection(workspace: Workspace, topic_id: str) -> Collection:
    """Return the publications of a topic, its versions as queries, and the core publications as relevant to each.

    Other relevant publications are unknown, so they count as not relevant. The hidden truth of a synthetic topic is
    unused.
    """
    store = workspace.store
    check_topic(store, topic_id)
    topic = next(row for row in store.topics() if row.topic_id == topic_id)
    publications = store.load_publications(store.searchable_ids(topic_id))
    versions = [row.version for row in store.versions(topic_id)]
    core_ids = store.load_core_ids(topic_id)
    return Collection(
        f"{TOPIC_PREFIX}{topic_id}",
        tuple(Document(p.publication_id, p.title, p.abstract or "") for p in publications),
        tuple(Query(v.label, v.text, (("origin", v.origin),)) for v in versions if v.text.strip()),
        tuple(Judgment(v.label, core_id, 1) for v in versions if v.text.strip() for core_id in core_ids),
        made_up=topic.made_up,
    )


def topic_as_query(workspace: Workspace, topic_id: str) -> Collection:
    """Return a topic as one query, its name, as a judge reads it: the core publications are relevant to it.

    The query's id is the topic's slug, so that files with columns can hold it.
    """
    whole = topic_collection(workspace, topic_id)
    query = Query(slug(topic_id) or topic_id, topic_id)
    core = tuple(Judgment(query.query_id, core_id, 1) for core_id in workspace.store.load_core_ids(topic_id))
    return replace(whole, name=topic_id, queries=(query,), judgments=core)


def version_run(workspace: Workspace, topic_id: str, label: str) -> tuple[Run, bool]:
    """Return the results of a version as the answer to `topic_as_query`, and whether they are ranked.

    Only a question that was run here has a ranking: its first result scores highest, its last one 1. In all others each
    publication scores 1, as those of a Boolean search do, because the order of the store begins with the core.
    """
    row = workspace.version(topic_id, label)
    ids = workspace.store.load_retrieved_ids(row.version.query_id)
    is_ranked = row.over_corpus and parse(row.version.text, dialect_of(row.version)).kind == "question"
    scores = np.arange(len(ids), 0, -1, dtype=np.float64) if is_ranked else np.ones(len(ids))
    query_id = slug(topic_id) or topic_id
    return Run.of(label, ids, [(query_id, np.arange(len(ids)), scores)]), is_ranked


# Opening a collection by the user's name for it: a name, a topic, or a folder on disk.


@dataclass(frozen=True, eq=False)
class OpenedCollection:
    collection: Collection
    oddities: tuple[Oddity, ...]
    """The results of the checker."""
    notes: tuple[str, ...]
    """Notes from reading it."""
    key: str
    """Changes with everything that a run depends on: documents and queries, but not judgments."""
    stored: bool
    """It is stored in the workspace under its name."""
    holders: Holders | None = None
    """The knowledge bases that may hold its documents."""


def open_collection(workspace: Workspace, name_or_folder: str) -> OpenedCollection:
    """Open a name in the workspace, `topic:NAME`, or a folder or file, whichever exists first."""
    name = name_or_folder.strip()
    if is_stored(workspace.store, name):
        report = load_report(workspace.store, name)
        collection = load_collection(workspace.store, name)
        holders = Holders.of(workspace.knowledge, workspace.store, collection)
        return OpenedCollection(collection, report.oddities, report.notes, report.key, stored=True, holders=holders)
    if name.startswith(TOPIC_PREFIX):
        collection = topic_collection(workspace, name.removeprefix(TOPIC_PREFIX).strip())
        return _opened(workspace, collection, TOPIC_NOTES)
    where = named_path(workspace, name_or_folder)
    if where is None:
        raise not_found(workspace.store, name)
    read = read_collection(where)
    return _opened(workspace, read.collection, read.notes)


def named_path(workspace: Workspace, name_or_folder: str) -> Path | None:
    """Return the folder or file, unless the workspace has a collection or a topic of this name."""
    name = name_or_folder.strip()
    if not name or name.startswith(TOPIC_PREFIX) or is_stored(workspace.store, name):
        return None
    check_allowed("server")
    where = Path(os.path.expanduser(name_or_folder))
    return where if _is_there(where) else None


TOPIC_NOTES = (
    "only the topic's core publications count as relevant; other relevant publications are unknown, so precision "
    "is a lower bound",
)


def _is_there(where: Path) -> bool:
    try:
        return where.exists()
    except (OSError, ValueError):  # too long, or a NUL in it
        return False


def _opened(workspace: Workspace, collection: Collection, notes: tuple[str, ...]) -> OpenedCollection:
    key, holders = run_key(collection), Holders.of(workspace.knowledge, workspace.store, collection)
    return OpenedCollection(collection, check(collection), tuple(notes), key, stored=False, holders=holders)


def load_queries(workspace: Workspace, collection: str) -> Queries:
    """Return the queries of a stored collection, or else of one that is opened by folder or topic."""
    name = collection.strip()
    if is_stored(workspace.store, name):
        return Queries(name, stored_set(workspace.store, name), splits_of(workspace.store, name))
    found = open_collection(workspace, collection).collection
    return Queries(found.name, QuerySet.of(found), found.splits)


# Importing a collection into the workspace, from files on disk or from a web address.

KNOWLEDGE, RELATIONS = "knowledge:", "+relations"
RENUMBERED = "the queries were numbered from 1 in their order, as the judgments number them"


@dataclass(frozen=True, slots=True)
class PublicCollection:
    """A public collection, and the names of its files under a web address."""

    label: str
    sentence: str
    variants: tuple[Ids, ...]
    """Groups of names. The first variant whose first file exists is downloaded, and no other."""


SPLIT_NAMES = ("train", "val", "test", "test-0.1", "human_generated_eval")
LANTERN = ("computer_science_ai_search_queries.json", "computer_science_non_ai_search_queries.json")
SHAPES: dict[str, PublicCollection] = {
    "cranfield": PublicCollection(
        "Cranfield",
        "1,400 abstracts on aeronautics, 225 questions. TREC or SMART files.",
        (
            ("cran.all.1400.xml", "cran.qry.xml", "cranqrel.trec.txt"),
            ("cran.all.1400", "cran.qry", "cranqrel"),
        ),
    ),
    "medline": PublicCollection(
        "Medline",
        "1,033 medical abstracts, 30 questions. SMART files.",
        (("MED.ALL", "MED.QRY", "MED.REL"),),
    ),
    "beir": PublicCollection(
        "BEIR",
        "A collection in BEIR's layout. Files corpus.jsonl, queries.jsonl and qrels/.",
        (("corpus.jsonl", "queries.jsonl", *(f"qrels/{split}.tsv" for split in ("train", "dev", "test"))),),
    ),
    "stark": PublicCollection(
        "STaRK",
        "Questions with answers and splits. Documents come with --documents.",
        tuple(
            (
                f"{folder}stark_qa.csv",
                f"{folder}stark_qa_human_generated_eval.csv",
                *(f"{splits}{name}.index" for name in SPLIT_NAMES),
            )
            for folder, splits in (("stark_qa/", "split/"), ("", "split/"))
        ),
    ),
    "paperlantern": PublicCollection(
        "Paper Lantern",
        "Search queries without judgments. Documents come with --documents.",
        (LANTERN,),
    ),
}


@dataclass(frozen=True, eq=False)
class CollectionImport:
    row: CollectionRow
    where: Path
    """The folder or file that was read."""
    collection: Collection
    notes: tuple[str, ...]
    rejected: tuple[RejectedLine, ...]
    oddities: tuple[Oddity, ...]
    """The results of the checker for the collection as it was read."""
    oddities_after: tuple[Oddity, ...] | None
    """The results after renumbering; None: it was not renumbered."""


@dataclass(frozen=True, slots=True)
class CollectionImportOptions:
    name: str | None = None
    """None: the name of its folder."""
    renumber: bool = False
    """Renumber the queries to match the judgments if the checker proposes that."""
    documents: str | None = None
    """A collection, `topic:NAME`, folder, or `knowledge:NAME`, whose documents are added.

    `knowledge:NAME+relations`: the entities of a knowledge base with their relations in words.
    """
    replace: bool = False
    """Overwrite a collection of the same name."""


def bring_collection(
    workspace: Workspace,
    where: str,
    wanted: CollectionImportOptions,
    *,
    shape_id: str | None = None,
    on_stage: OnStage = silent,
    on_download: OnProgress | None = None,
) -> CollectionImport:
    """Read, check and store a collection, all of it or nothing. A web address needs a shape with the file names."""
    check_allowed("server")
    if wanted.name is not None:
        checked_name(wanted.name)
    folder = Path(os.path.expanduser(where))
    if "://" in where:
        folder = _download(workspace, where, shape_id, on_download)
    on_stage("reading the collection")
    try:
        read = read_collection(folder, name=wanted.name or shape_id)
    except FormatError:
        if "://" in where and shape_id is not None:
            _forget(folder, SHAPES[shape_id])
        raise
    collection, notes = read.collection, tuple(read.notes)
    if wanted.documents is not None:
        on_stage("reading the documents")
        collection, note = _joined(workspace, collection, wanted.documents)
        notes = (*notes, note)
    on_stage("checking the collection")
    oddities, after = check(collection), None
    if wanted.renumber:
        collection = renumbered(collection)
        after = check(collection)
        notes = (*notes, RENUMBERED)
    on_stage("saving the collection")
    kept = oddities if after is None else after
    row = save_collection(
        workspace.store, collection, origin=_origin(where), notes=notes, oddities=kept, replace=wanted.replace
    )
    return CollectionImport(row, folder, collection, notes, tuple(read.rejected), oddities, after)


def _origin(where: str) -> str:
    return shown(where) if "://" in where else str(Path(os.path.expanduser(where)).absolute())


def _joined(workspace: Workspace, collection: Collection, documents: str) -> tuple[Collection, str]:
    """Add the documents of another collection; its own come first and stay unchanged."""
    other, name, made_up = documents_of(workspace, documents)
    more = tuple(document for document in other if document.doc_id not in collection.row_of)
    joined = replace(
        collection,
        documents=(*collection.documents, *more),
        made_up=collection.made_up or (made_up and bool(more)),
    )
    return joined, f'{len(more):,} documents were taken from "{name}"'


def documents_of(workspace: Workspace, name_or_folder: str) -> tuple[tuple[Document, ...], str, bool]:
    """Return documents, their display name, and whether they are synthetic. A folder need not contain queries."""
    name = name_or_folder.strip()
    if name.startswith(KNOWLEDGE) and not is_stored(workspace.store, name):
        return _documents_of_base(workspace, name.removeprefix(KNOWLEDGE).strip())
    where = named_path(workspace, name_or_folder)
    if where is not None:
        return read_documents(where), where.name, False
    other = open_collection(workspace, name_or_folder).collection
    return other.documents, other.name, other.made_up


def _documents_of_base(workspace: Workspace, name: str) -> tuple[tuple[Document, ...], str, bool]:
    with_relations = name.endswith(RELATIONS) and name not in workspace.knowledge.names()
    base = workspace.knowledge.open(name.removesuffix(RELATIONS).strip() if with_relations else name)
    text = " with their relations in words" if with_relations else ""
    called = f"{base.about.name}{text}"
    return tuple(knowledge_documents(base, with_relations=with_relations)), called, base.about.made_up


def _download(workspace: Workspace, where: str, shape_id: str | None, on_download: OnProgress | None) -> Path:
    """Download the files of a shape. Each address has its own folder; intact files are not requested again."""
    if shape_id is None:
        raise InputError(
            f"only collections with known file names can be loaded from a web address ({', '.join(SHAPES)}): use "
            f"one of these in place of collection, or download the files and give their folder"
        )
    shape = SHAPES[shape_id]
    into = workspace.paths.downloads(f"{shape_id}-{content_hash([where])[:8]}")
    fetch = partial(mirror, where, (), into, on_progress=on_download)
    for names in shape.variants:
        if not fetch(optional=names[:1]).missing:
            fetch(optional=names[1:])
            return into
    tried = " nor ".join(names[0] for names in shape.variants)
    raise DownloadError(f"there is no {tried} at {shown(where)}: give the address of the files themselves")


def _forget(folder: Path, shape: PublicCollection) -> None:
    """Delete files that can't be read, so that the next run downloads them again."""
    for name in chain.from_iterable(shape.variants):
        (folder / name).unlink(missing_ok=True)
