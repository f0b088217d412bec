"""The `graph` retriever: documents reached through the relations in a question, in the order of a text retriever.

A question names entities, and the templates that fit it lead from these to answers. The answers come first, then those
of looser readings of the same names, then the other documents of the text retriever. STaRK's questions combine text and
relations: Wu et al. (2024). A question that names no entity is answered by the text retriever alone, with a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.collections import Query, Rows
from core.knowledge.entities import Mention
from core.knowledge.proposals import TemplateProposal, propose, relaxed, says_something, without_names
from core.knowledge.templates import Template
from core.retrieval.retriever import NO_HITS, Hits, Retriever, SequentialRetriever, Timing, ranked_among, untimed
from core.text import many
from core.types import Floats

STAGE = "follow relations"
MOST_AMONG = 2_000
"""Maximum number of answers that are ranked one by one."""
DEPTH = 1_000
"""With more answers: the depth of the text ranking that orders them; answers below it follow by id."""
MOST_TIERS, MOST_TRIED = 3, 8
"""Maximum number of readings with answers, and of readings to try."""

FindMentions = Callable[[str], Sequence[Mention]]
FindAnswers = Callable[[TemplateProposal], Rows]
"""A function from a proposal to the documents that it leads to."""


@dataclass(frozen=True, eq=False)
class Graph(SequentialRetriever):
    first: Retriever
    mentions: FindMentions = field(repr=False)
    templates: Sequence[Template] = field(repr=False)
    answers: FindAnswers = field(repr=False)
    id_ranks: Rows
    say: Callable[[TemplateProposal], str] = field(default=lambda proposal: proposal.template.question, repr=False)
    """A function that puts a proposal into words."""
    first_name: str = "the text retriever"

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        if k < 1:
            return NO_HITS
        with timing("link entities"):
            tiers = relaxed(propose(query.text, self.mentions(query.text), self.templates))
        first = self.first.search(query, k, timing)
        if not tiers:
            return _alone(first, f"nothing in the question names an entity: {self._alone}")
        with timing(STAGE):
            found = self._followed(tiers)
        if not any(map(len, found)):
            text = "; ".join(map(self.say, tiers[0]))
            return _alone(first, f"no document meets the relational requirement ({text}): {self._alone}")
        ordered = self._ordered(query, tiers[0][0], found, timing)
        rows, scores = _ahead(ordered, first.rows, k)
        notes = (*first.notes, *self._notes(tiers, found))
        return Hits(rows, scores, notes, first.n_failed, first=first)

    @property
    def _alone(self) -> str:
        return f"answered by {self.first_name} alone"

    def _followed(self, tiers: Sequence[Sequence[TemplateProposal]]) -> list[Rows]:
        found: list[Rows] = []
        for tier in tiers[:MOST_TRIED]:
            found.append(self._answers(tier))
            if sum(map(bool, map(len, found))) >= MOST_TIERS:
                break
        return found

    def _answers(self, tier: Sequence[TemplateProposal]) -> Rows:
        return np.unique(np.concatenate([self.answers(proposal) for proposal in tier]))

    def _ordered(self, query: Query, best: TemplateProposal, found: Sequence[Rows], timing: Timing) -> Rows:
        n = len(self.id_ranks)
        tier_of = np.full(n, len(found), dtype=np.int64)
        for number, rows in reversed(list(enumerate(found))):
            tier_of[rows] = number
        every = np.flatnonzero(tier_of < len(found))
        text = without_names(query.text, best.mentions)
        rest = Query(query.query_id, text, query.labels) if says_something(text) else query
        place = np.full(n, n, dtype=np.int64)
        for by_text in self._by_text(rest, every, tier_of[every], timing):
            place[by_text] = np.arange(len(by_text))
        order = np.lexsort((self.id_ranks[every], place[every], tier_of[every]))
        return every[order]

    def _by_text(self, query: Query, answers: Rows, tiers: Rows, timing: Timing) -> Iterator[Rows]:
        n_up_to = np.cumsum(np.bincount(tiers))
        is_few = n_up_to[tiers] <= MOST_AMONG
        if not is_few.all():
            yield self.first.search(query, DEPTH, timing).rows
        if is_few.any():
            yield ranked_among(self.first, query, answers[is_few], timing).rows

    def _notes(self, tiers: Sequence[Sequence[TemplateProposal]], found: Sequence[Rows]) -> list[str]:
        notes: list[str] = []
        for tier, rows in zip(tiers, found, strict=False):
            text = " or ".join(dict.fromkeys(map(self.say, tier)))
            head = "read as" if not notes else "then, with fewer conditions"
            notes.append(f"{head}: {text.rstrip('?.')} ({many(len(rows), 'document')})")
        return notes


def _alone(first: Hits, note: str) -> Hits:
    return Hits(first.rows, first.scores, (*first.notes, note), first.n_failed, first=first)


def _ahead(ordered: Rows, rows: Rows, k: int) -> tuple[Rows, Floats]:
    """Put these documents first; scores fall from 2 to above 1, then from below 1, and show only the order."""
    rest = rows[~np.isin(rows, ordered)]
    n = len(ordered)
    of_answers = 1.0 + (n - np.arange(n)) / max(n, 1)
    of_rest = 1.0 / (2.0 + np.arange(len(rest)))
    scores: Floats = np.concatenate([of_answers, of_rest])[:k]
    return np.concatenate([ordered, rest])[:k], scores
