"""The documents that retrievers are made for, and where their indexes are kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from core.ranking.check import Collection, Document, Rows
from core.retrieval.base import Retriever, id_ranks
from core.types import Ids
from data.collections.stored import documents_key
from data.knowledge.holders import Holders
from data.paths import WorkspacePaths


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents with a folder of their own on disk."""

    documents: tuple[Document, ...]
    key: str
    """Changes with any text, id or the order of documents."""
    folder: Path
    """What is made of them is kept in folders below; nothing else writes there."""
    holders: Holders | None = None
    """The knowledge bases that may hold them; None: whoever asks knows of none."""

    @classmethod
    def of(cls, collection: Collection, paths: WorkspacePaths, holders: Holders | None = None) -> Corpus:
        """The documents of a collection; two collections with the same documents share what is made of them."""
        key = documents_key(collection.documents)
        return cls(collection.documents, key, paths.retrieval(key), holders)

    @cached_property
    def doc_ids(self) -> Ids:
        return tuple(document.doc_id for document in self.documents)

    @cached_property
    def id_ranks(self) -> Rows:
        """The place of each document when ids are sorted: how ties are broken."""
        return id_ranks(self.doc_ids)


@dataclass(frozen=True, eq=False)
class Opened:
    """A retriever that is ready, and what that took."""

    retriever: Retriever
    index_seconds: float | None = None
    """How long its index took when it was made, whether now or before (kept beside it); None: it has none."""
    index_bytes: int | None = None
    """What it takes on disk; None: it has none."""
    notes: tuple[str, ...] = field(default=())
    """What a reader of its results has to know: stop words and stems, texts that were cut, a model that is none."""
