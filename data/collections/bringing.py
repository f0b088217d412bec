"""Brings a collection into the workspace, from files on disk or from a web address that they lie under."""

from __future__ import annotations

import os.path
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

from core.errors import DownloadError, FormatError, InputError
from core.protocols import OnStage, silent
from core.ranking.check import Collection, Document, Oddity, check, renumbered
from core.types import Ids
from data.collections.opening import named_path, open_collection
from data.collections.parts import RejectedLine
from data.collections.reading import read_collection, read_documents
from data.collections.stored import CollectionRow, checked_name, is_stored, save_collection
from data.download import OnProgress, mirror
from data.knowledge.documents import knowledge_documents
from data.store import content_hash
from data.transfer import shown
from data.workspace import Workspace

KNOWLEDGE, RELATIONS = "knowledge:", "+relations"
RENUMBERED = "the queries were numbered from 1 in their order, as the judgments number them"


@dataclass(frozen=True, slots=True)
class Shape:
    """A public collection and the names that its files have under a web address."""

    label: str
    sentence: str
    variants: tuple[Ids, ...]
    """Names that lie together. The first variant of which the first file is there is fetched, and nothing else."""


SPLIT_NAMES = ("train", "val", "test", "test-0.1", "human_generated_eval")
LANTERN = ("computer_science_ai_search_queries.json", "computer_science_non_ai_search_queries.json")
SHAPES: dict[str, Shape] = {
    "cranfield": Shape(
        "Cranfield",
        "1,400 abstracts on aeronautics, 225 questions. TREC or SMART files.",
        (
            ("cran.all.1400.xml", "cran.qry.xml", "cranqrel.trec.txt"),
            ("cran.all.1400", "cran.qry", "cranqrel"),
        ),
    ),
    "medline": Shape(
        "Medline",
        "1,033 medical abstracts, 30 questions. SMART files.",
        (("MED.ALL", "MED.QRY", "MED.REL"),),
    ),
    "beir": Shape(
        "BEIR",
        "A collection in BEIR's layout. Files corpus.jsonl, queries.jsonl and qrels/.",
        (("corpus.jsonl", "queries.jsonl", *(f"qrels/{split}.tsv" for split in ("train", "dev", "test"))),),
    ),
    "stark": Shape(
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
    "paperlantern": Shape(
        "Paper Lantern",
        "Search queries without judgments. Documents come with --documents.",
        (LANTERN,),
    ),
}


@dataclass(frozen=True, eq=False)
class Brought:
    """A collection that is in the workspace now, and what was seen on the way."""

    row: CollectionRow
    where: Path
    """The folder or file that was read."""
    collection: Collection
    notes: tuple[str, ...]
    rejected: tuple[RejectedLine, ...]
    oddities: tuple[Oddity, ...]
    """What the checker says of it as it was read."""
    oddities_after: tuple[Oddity, ...] | None
    """What it says of it renumbered; None: it was not."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a collection is to be kept."""

    name: str | None = None
    """None: what its folder is called."""
    renumber: bool = False
    """Number the queries as the judgments do, where the checker proposes that."""
    documents: str | None = None
    """A collection, `topic:NAME`, folder, or `knowledge:NAME`, whose documents are joined with it.

    `knowledge:NAME+relations`: the entities of a knowledge base with their relations in words."""
    replace: bool = False
    """In the place of one of the same name."""


def bring_collection(
    workspace: Workspace,
    where: str,
    wanted: Wanted,
    *,
    shape_id: str | None = None,
    on_stage: OnStage = silent,
    on_download: OnProgress | None = None,
) -> Brought:
    """Read, check and keep a collection; all of it or nothing. A web address needs a shape that names its files."""
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
    return Brought(row, folder, collection, notes, tuple(read.rejected), oddities, after)


def _origin(where: str) -> str:
    return shown(where) if "://" in where else str(Path(os.path.expanduser(where)).absolute())


def _joined(workspace: Workspace, collection: Collection, documents: str) -> tuple[Collection, str]:
    """With the documents of another one; those of its own come first, and stay as they are."""
    other, name, made_up = documents_of(workspace, documents)
    more = tuple(document for document in other if document.doc_id not in collection.row_of)
    joined = replace(
        collection,
        documents=(*collection.documents, *more),
        made_up=collection.made_up or (made_up and bool(more)),
    )
    return joined, f'{len(more):,} documents were taken from "{name}"'


def documents_of(workspace: Workspace, name_or_folder: str) -> tuple[tuple[Document, ...], str, bool]:
    """Documents, what they are called, and whether they are made up. A folder need not hold queries."""
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
    said = " with their relations in words" if with_relations else ""
    called = f"{base.about.name}{said}"
    return tuple(knowledge_documents(base, with_relations=with_relations)), called, base.about.made_up


def _download(workspace: Workspace, where: str, shape_id: str | None, on_download: OnProgress | None) -> Path:
    """Fetch the files that a shape names. One folder per address: what is whole is not asked for again."""
    if shape_id is None:
        raise InputError(
            f"from a web address only collections with known file names can be fetched ({', '.join(SHAPES)}): name one "
            "of these in the place of collection, or download the files and give their folder"
        )
    shape = SHAPES[shape_id]
    into = workspace.paths.downloads(f"{shape_id}-{content_hash([where])[:8]}")
    fetch = partial(mirror, where, (), into, on_progress=on_download)
    for names in shape.variants:
        if not fetch(optional=names[:1]).missing:
            fetch(optional=names[1:])
            return into
    tried = " nor ".join(names[0] for names in shape.variants)
    raise DownloadError(f"there is no {tried} at {shown(where)}: give the address under which the files themselves lie")


def _forget(folder: Path, shape: Shape) -> None:
    """Files that can't be read: the next run asks for them again, where it would keep what is whole."""
    for name in chain.from_iterable(shape.variants):
        (folder / name).unlink(missing_ok=True)
