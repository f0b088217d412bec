"""One query of a board with the answers of every run: what the parts of its view draw from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.ranking.check import Query
from core.ranking.slices import Entry
from dashboard.sections.retrievers.board import Board
from data.store import content_hash


@dataclass(frozen=True, eq=False)
class OpenedQuery:
    """What the parts of this view draw from."""

    board: Board
    query: Query
    answers: Mapping[str, int]
    """Its relevant documents with their grades, the most relevant first."""
    entries: tuple[tuple[Entry, ...], ...]
    """The whole answer of each run, in the board's order."""
    first: int
    """How far down each ranking is looked at."""

    def rank_of(self, place: int) -> Mapping[str, int]:
        """The rank of every document that a run keeps."""
        return {entry.doc_id: entry.rank for entry in self.entries[place]}

    @property
    def key(self) -> str:
        """Names the query and the runs, for what is cached."""
        return content_hash([self.board.key, self.query.query_id])


def title_of(board: Board, doc_id: str) -> str:
    """What a document is called: its title, else how its text begins."""
    document = board.document(doc_id)
    if document is None:
        return "not in the collection"
    return document.title.strip() or " ".join(document.text[:200].split()) or "without title and text"
