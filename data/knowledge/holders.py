"""Which knowledge base of a workspace holds a collection's documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.errors import InputError, NotFoundError, QueryscapeError
from core.knowledge.types import Rows
from core.ranking.types import Collection, Document
from core.text import listed, words
from core.types import Ids
from data.knowledge.base import KnowledgeBase
from data.store import Store

if TYPE_CHECKING:
    from data.knowledge.catalogue import KnowledgeBases
    from data.workspace import Workspace

LEAST_HELD = 0.5
"""Share of the documents that a base has to hold to be taken unasked."""
COMPARED = 50
"""Documents whose titles are compared: the ids of two collections may be the same numbers."""
LEAST_ALIKE = 0.5
"""Share of these whose title is the entity's."""
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
    _known: dict[str, Holder | None] = field(default_factory=dict, repr=False)
    """By the key of a base; None: it is no holder of these."""

    @classmethod
    def of(cls, workspace: Workspace, collection: Collection) -> Holders:
        """Those of this workspace."""
        return cls(workspace.knowledge, collection.documents, workspace.store)

    def find(self, name: str | None = None) -> Holder:
        """The base of this name, if it holds any of the documents; without a name the one that holds most of them."""
        if name is not None:
            holder = self._holder(self.bases.open(name))
            if not holder.n_held:
                raise InputError(f'another knowledge base than "{name[:80]}": it holds none of these documents')
            return holder
        found = list(self._holding())
        if not found:
            there = f" (there is {listed(self.bases.names())})" if self.bases.names() else ""
            raise NotFoundError(
                f"a knowledge base that holds these documents{there}: python -m dashboard get knowledge --from FOLDER"
            )
        most = max(holder.n_held for holder in found)
        best = [holder for holder in found if holder.n_held == most]
        if len(best) > 1:
            names = [holder.base.about.name for holder in best]
            raise InputError(f"the name of one of {listed(names)}, which all hold these documents: graph:{names[0]}")
        return best[0]

    def names(self) -> Ids:
        """Of the bases that may be taken unasked."""
        return tuple(holder.base.about.name for holder in self._holding())

    def _holding(self) -> Iterator[Holder]:
        for name in self.bases.names():
            try:
                holder = self._holder(self.bases.open(name))
            except QueryscapeError:
                continue  # damaged, or just taken away
            if holder.n_held >= max(1, LEAST_HELD * len(self.documents)) and _is_alike(holder, self.documents):
                yield holder

    def _holder(self, base: KnowledgeBase) -> Holder:
        key = base.about.key
        known = self._known.get(key)
        if known is None or known.base is not base:
            row_of = base.rows_of([document.doc_id for document in self.documents])
            rows = np.fromiter((row_of.get(d.doc_id, -1) for d in self.documents), np.int64, len(self.documents))
            self._known[key] = known = Holder(base, rows)
        return known


def _is_alike(holder: Holder, documents: Sequence[Document]) -> bool:
    """Whether entities are called like the documents of their id, by some of them."""
    held = np.flatnonzero(holder.rows >= 0)
    some = held[np.linspace(0, len(held) - 1, min(COMPARED, len(held))).astype(np.int64)]
    entities = holder.base.entities(holder.rows[some])
    alike = sum(
        _begins_alike(entity.title, documents[place].whole[:1_000])
        for entity, place in zip(entities, some.tolist(), strict=True)
    )
    return alike >= LEAST_ALIKE * len(some)


def _begins_alike(title: str, text: str) -> bool:
    """Whether a text begins with a title, or nearly so: some layouts put a word before it."""
    wanted = words(title[:1_000])[:WORDS_COMPARED]
    return not wanted or f" {' '.join(wanted)} " in f" {' '.join(words(text))} "
