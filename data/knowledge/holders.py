"""Which knowledge base of a workspace holds a collection's documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.errors import InputError, NotFoundError, QueryscapeError
from core.knowledge.spans import Rows
from core.ranking.check import Collection, Document
from core.text import listed, words
from core.types import Ids
from data.knowledge.base import KnowledgeBase
from data.store import Store

if TYPE_CHECKING:
    from data.knowledge.catalogue import KnowledgeBases


LEAST_HELD = 0.5
"""Share of the documents that a base has to hold to be taken unasked."""
COMPARED = 50
"""Documents that are looked at to tell."""
WORDS_COMPARED = 8


@dataclass(frozen=True, eq=False)
class Holder:
    """A knowledge base, and the documents that are entities of it."""

    base: KnowledgeBase
    rows: Rows
    """For each document the row of its entity; -1: the base does not hold it."""

    @property
    def n_held(self) -> int:
        return int(np.count_nonzero(self.rows >= 0))

    @cached_property
    def _place_of(self) -> Rows:
        """The document of each entity; -1: it is none."""
        places = np.full(self.base.about.n_entities, -1, dtype=np.int64)
        held = np.flatnonzero(self.rows >= 0)
        places[self.rows[held]] = held
        return places

    def places(self, rows: Rows) -> Rows:
        """The documents that are these entities; entities that are no document are left out."""
        found = self._place_of[rows]
        return found[found >= 0]


@dataclass(frozen=True, eq=False)
class Holders:
    """The knowledge bases of a workspace as one collection sees them. It looks anew whenever it is asked."""

    bases: KnowledgeBases
    documents: tuple[Document, ...]
    store: Store | None = None
    """Where a user's own templates are."""
    _shares: dict[str, float] = field(default_factory=dict, init=False, repr=False)
    """By the key of a base."""

    @classmethod
    def of(cls, bases: KnowledgeBases, store: Store, collection: Collection) -> Holders:
        """Return the bases as this collection sees them."""
        return cls(bases, collection.documents, store)

    def names(self) -> Ids:
        """Of the bases that may be taken unasked, those that hold most of the documents first."""
        shares = {base.about.name: self._share(base) for base in self._open()}
        return tuple(sorted((name for name in shares if shares[name] >= LEAST_HELD), key=lambda name: -shares[name]))

    def base(self, name: str | None = None) -> KnowledgeBase:
        """The base of this name, if it holds any of the documents; without a name the one that holds most of them.

        What it raises says what is needed.
        """
        there = f" (there is {listed(self.bases.names())})" if self.bases.names() else ""
        if name is not None:
            if name not in self.bases.names():
                raise NotFoundError(f'the knowledge base "{name[:80]}", which is not here{there}')
            base = self.bases.open(name)
            if not self._share(base) and not base.rows_of([document.doc_id for document in self.documents]):
                raise InputError(f'another knowledge base than "{name[:80]}": it holds none of these documents')
            return base
        names = self.names()
        if not names:
            raise NotFoundError(
                f"a knowledge base that holds these documents{there}: python -m dashboard get knowledge --from FOLDER"
            )
        shares = [self._share(self.bases.open(each)) for each in names]
        if shares.count(shares[0]) > 1:
            same = names[: shares.count(shares[0])]
            raise InputError(f"the name of one of {listed(same)}, which all hold these documents: graph:{same[0]}")
        return self.bases.open(names[0])

    def find(self, name: str | None = None) -> Holder:
        """The same with all documents looked up."""
        base = self.base(name)
        row_of = base.rows_of([document.doc_id for document in self.documents])
        return Holder(base, np.fromiter((row_of.get(d.doc_id, -1) for d in self.documents), np.int64))

    def _open(self) -> Iterator[KnowledgeBase]:
        for name in self.bases.names():
            with suppress(QueryscapeError):  # damaged, or just taken away
                yield self.bases.open(name)

    def _share(self, base: KnowledgeBase) -> float:
        """Of some documents, how many are entities that are called alike: two collections may number theirs alike."""
        key = base.about.key
        if key not in self._shares:
            self._shares[key] = _share_held(base, self.documents)
        return self._shares[key]


def _share_held(base: KnowledgeBase, documents: Sequence[Document]) -> float:
    places = np.unique(np.linspace(0, len(documents) - 1, min(COMPARED, len(documents))).astype(np.int64))
    some = [documents[place] for place in places.tolist()]
    row_of = base.rows_of([document.doc_id for document in some])
    held = [document for document in some if document.doc_id in row_of]
    entities = base.entities([row_of[document.doc_id] for document in held])
    alike = sum(_begins_alike(entity.title, d.whole[:1_000]) for entity, d in zip(entities, held, strict=True))
    return alike / len(some) if some else 0.0


def _begins_alike(title: str, text: str) -> bool:
    """Whether a title stands at the head of a text; some layouts put a word before it."""
    wanted = words(title[:1_000])[:WORDS_COMPARED]
    return not wanted or f" {' '.join(wanted)} " in f" {' '.join(words(text))} "
