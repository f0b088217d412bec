"""What the sections below the leaderboard draw from: one collection, and the runs that stand on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from core.ranking.check import Collection, Document, Query
from core.ranking.report import Leaderboard
from data.collections.stored import SavedRun


@dataclass(frozen=True, eq=False)
class Board:
    """Runs that are complete, scored on the same queries. Nothing on the page changes what is in it."""

    collection: Collection
    collection_key: str
    """Changes with anything in the collection."""
    split: str | None
    """None: all queries."""
    leaderboard: Leaderboard
    runs: tuple[SavedRun, ...]
    """In the order of the leaderboard's `scores`, where each goes by its `run.name`: no two have the same."""
    compat: str | None
    """"stark-2024", or None for the definitions as they are told."""
    metric: str
    """The one that is chosen: "ndcg@10"."""
    key: str
    """Names all of this but `metric`, for what is cached."""
    against: str | None = None
    """The run that all others are held to; None: on each metric the best one."""
    topic_id: str | None = None
    """The topic of the workspace that the documents are of, if they are: its landscape can show them."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the runs are called, in their order."""
        return tuple(scores.name for scores in self.leaderboard.scores)

    @cached_property
    def query_of(self) -> Mapping[str, Query]:
        """The queries of the split, by id, in the collection's order."""
        return {query.query_id: query for query in self.collection.of_split(self.split)}

    def document(self, doc_id: str) -> Document | None:
        """Title and text; None: the collection does not hold it."""
        row = self.collection.row_of.get(doc_id)
        return None if row is None else self.collection.documents[row]
