"""Show the answers to a query that runs miss, and the reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from core.collections import Query
from core.errors import QueryscapeError
from core.knowledge.templates import type_words
from core.protocols import OnStage
from core.retrieval.misses import CollectionRank, DocumentRank, QueryWordMatches, why_missed
from core.retrieval.query_results import RankedDocument, answers_of
from core.retrieval.specs import Spec, read_spec
from core.text import many
from dashboard import cache
from dashboard.kit.components import Row, draw_files, draw_folded
from dashboard.retrieval.leaderboard import ScoredRuns
from dashboard.retrieval.rankings import cut
from dashboard.status import computed
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import Holders
from data.knowledge.templates import RequirementMatch, requirement_met
from data.retrieval.collections import RetrievalCorpus
from data.retrieval.retrievers import RERANKERS, RankReasons, reasons_for
from data.store import content_hash

# One query of a board with the answers of every run: the data of all parts of its view.


@dataclass(frozen=True, eq=False)
class OpenedQuery:
    board: ScoredRuns
    query: Query
    answers: Mapping[str, int]
    """Its relevant documents with their grades, the most relevant first."""
    entries: tuple[tuple[RankedDocument, ...], ...]
    """The whole answer of each run, in the board's order."""
    first: int
    """The depth to which each ranking is read."""

    def rank_of(self, place: int) -> Mapping[str, int]:
        return {entry.doc_id: entry.rank for entry in self.entries[place]}

    @property
    def key(self) -> str:
        """Key of the query and the runs, for the cache."""
        return content_hash([self.board.key, self.query.query_id])


def title_of(board: ScoredRuns, doc_id: str) -> str:
    """Return a document's title, else the beginning of its text."""
    document = board.document(doc_id)
    if document is None:
        return "not in the collection"
    return document.title.strip() or " ".join(document.text[:200].split()) or "without title and text"


def relevant_in(board: ScoredRuns) -> Mapping[str, Mapping[str, int]]:
    """Return the relevant documents of every query with their grades, the most relevant first."""
    key = content_hash(["answers", board.key])
    return cache.ranked().of(key, lambda: answers_of(board.collection.judgments))


# The relational requirement of an open query: its wording, and documents that meet it but that a run ranks too low.

MOST_MATCHES = 500
"""Maximum number of documents meeting a requirement that are looked up in the rankings."""
MOST_MATCHES_SHOWN = 8


def find_met(board: ScoredRuns, query: Query) -> RequirementMatch | None:
    """Return the requirement and all documents that meet it; None: there is none, or it can't be determined here."""
    try:
        base = _base(board)
        if base is None:
            return None
        key = content_hash(["met", board.key, query.query_id, base.about.name, base.about.key])
        make = partial(requirement_met, base, cache.workspace().store, query)
        return cache.opened_queries().of(key, make, doing="Reading the relational requirement")
    except QueryscapeError:  # the knowledge base was deleted, or is damaged
        return None


def _base(board: ScoredRuns) -> KnowledgeBase | None:
    workspace = cache.workspace()
    holders = Holders.of(workspace.knowledge, workspace.store, board.collection)
    specs = [read_spec(saved.spec_text) for saved in board.runs if saved.spec_text.startswith("graph")]
    named = next((spec.knowledge for spec in specs if spec.knowledge), None)
    if named is None and not holders.names():
        return None
    return holders.base(named)


def draw_requirement(met: RequirementMatch) -> None:
    n = len(met.rows)
    meet = f"{n:,} {type_words(met.answer_type, plural=n != 1)} {'meets' if n == 1 else 'meet'} it"
    how = "Given with the query" if met.how == "given" else "Read from the query's words; it may be wrong"
    st.markdown(f":material/hub: **Relational requirement:** {plain(met.words)}")
    st.caption(plain(f"{how}. In the knowledge base {met.base.about.name}, {meet}."))


def draw_lacking(opened: OpenedQuery, met: RequirementMatch) -> None:
    board = opened.board
    every = [doc_id for doc_id in met.answers(MOST_MATCHES) if doc_id in board.collection.row_of]
    if not every:
        return
    lacking = {name: _lacking(opened, place, every) for place, name in enumerate(board.names)}
    counts = ", ".join(f"{name} {len(doc_ids):,}" for name, doc_ids in lacking.items())
    n = f"the {len(every):,} documents" if len(met.rows) <= MOST_MATCHES else f"the first {len(every):,} documents"
    with st.expander(plain(f"Of {n} that meet it, not among the first {opened.first:,}: {counts}")):
        for name, doc_ids in lacking.items():
            shown = "; ".join(cut(title_of(board, doc_id)) for doc_id in doc_ids[:MOST_MATCHES_SHOWN])
            more = f" and {len(doc_ids) - MOST_MATCHES_SHOWN:,} more" if len(doc_ids) > MOST_MATCHES_SHOWN else ""
            st.markdown(f"- **{plain(name)}**: {plain(shown + more) if doc_ids else 'it has all of them.'}")
        draw_files(
            key="retriever-lacking",
            name=f"{board.collection.name} query {opened.query.query_id} relations",
            description="What meets the relational requirement, and where each run has it.",
            rows=document_rows(opened, every),
            picture=False,
        )


def _lacking(opened: OpenedQuery, place: int, doc_ids: Sequence[str]) -> list[str]:
    rank_of = opened.rank_of(place)
    return [doc_id for doc_id in doc_ids if rank_of.get(doc_id, opened.first + 1) > opened.first]


def document_rows(opened: OpenedQuery, doc_ids: Sequence[str]) -> list[Row]:
    """Return documents with their rank in each run."""
    ranks = {name: opened.rank_of(place) for place, name in enumerate(opened.board.names)}
    return [
        {
            "Document": doc_id,
            "Title": title_of(opened.board, doc_id),
            "Relevance": opened.answers.get(doc_id),
            **{f"Rank by {name}": rank_of.get(doc_id) for name, rank_of in ranks.items()},
        }
        for doc_id in doc_ids
    ]


# Answers to one query that runs missed, and the reasons: words, similarity, candidates, and ranks in other runs.

MOST_ANSWERS = 200
"""Answers of a query that are examined."""
MOST_SHOWN, MOST_LISTED = 4, 40
NOTHING = RankReasons({}, {}, ())


def draw_why(opened: OpenedQuery) -> None:
    missed = missed_by(opened)
    st.markdown("**Missed answers and the reasons**")
    if not opened.answers:
        st.caption("This query has no known answers, so none can be missing.")
        return
    if not missed:
        st.caption(f"Every run has every answer among its first {opened.first:,}.")
        return
    reasons = _reasons(opened, list(missed)) or NOTHING
    description = _description(opened, missed, reasons)
    _draw_answers(opened, description, reasons)
    for note in reasons.not_asked:
        st.caption(plain(note))
    draw_files(
        key="retriever-missed",
        name=f"{opened.board.collection.name} query {opened.query.query_id} missed",
        description="Answers that runs missed, and why.",
        rows=_miss_rows(opened, description, reasons),
        picture=False,
    )


def missed_by(opened: OpenedQuery) -> Mapping[str, tuple[int, ...]]:
    """Return the positions of the runs that miss each answer. Answers found by some run come first."""
    ranks = [opened.rank_of(place) for place in range(len(opened.entries))]
    missed: dict[str, tuple[int, ...]] = {}
    for doc_id in list(opened.answers)[:MOST_ANSWERS]:
        without = tuple(place for place, rank_of in enumerate(ranks) if rank_of.get(doc_id, 10**9) > opened.first)
        if without:
            missed[doc_id] = without
    return dict(sorted(missed.items(), key=lambda each: len(each[1]) == len(ranks)))


def specs_of(opened: OpenedQuery) -> list[Spec | None]:
    """Return the spec of each run; None: it is from a file, or from another version."""
    specs: list[Spec | None] = []
    for saved in opened.board.runs:
        try:
            specs.append(read_spec(saved.spec_text) if saved.spec_text else None)
        except QueryscapeError:
            specs.append(None)
    return specs


def _reasons(opened: OpenedQuery, doc_ids: Sequence[str]) -> RankReasons | None:
    key = content_hash(["why", opened.key, str(opened.first)])
    specs = [spec for spec in specs_of(opened) if spec is not None]

    def make(on_stage: OnStage) -> RankReasons:
        corpus = RetrievalCorpus.of(opened.board.collection, cache.workspace().paths)
        return reasons_for(corpus, opened.query, doc_ids, specs, on_stage)

    return computed(cache.opened_queries(), key, "Analysing missed answers", make, family="why", is_latest=True)


def _standings(opened: OpenedQuery, doc_id: str, reasons: RankReasons) -> list[DocumentRank]:
    standings = []
    for place, (name, spec) in enumerate(zip(opened.board.names, specs_of(opened), strict=True)):
        rank = opened.rank_of(place).get(doc_id)
        n_kept = len(opened.entries[place])
        if spec is None:
            standings.append(DocumentRank(name, None, rank, n_kept))
            continue
        deep = reasons.deep.get(spec.text, {}).get(doc_id, ())
        n_candidates = spec.candidates if spec.kind in RERANKERS else 0
        standings.append(DocumentRank(name, spec.kind, rank, n_kept, deep, n_candidates))
    return standings


def _description(
    opened: OpenedQuery, missed: Mapping[str, tuple[int, ...]], reasons: RankReasons
) -> Mapping[str, list[tuple[DocumentRank, str]]]:
    entries: dict[str, list[tuple[DocumentRank, str]]] = {}
    for doc_id, places in missed.items():
        standings, words = _standings(opened, doc_id, reasons), reasons.words.get(doc_id)
        there = opened.board.document(doc_id) is not None
        entries[doc_id] = [
            (
                standings[place],
                why_missed(
                    standings[place],
                    [other for at, other in enumerate(standings) if at != place],
                    first=opened.first,
                    words=words,
                    in_collection=there,
                ),
            )
            for place in places
        ]
    return entries


def _draw_answers(
    opened: OpenedQuery, entries: Mapping[str, list[tuple[DocumentRank, str]]], reasons: RankReasons
) -> None:
    board = opened.board
    counts = [
        f"{name} {sum(any(s.run == name for s, _ in each) for each in entries.values()):,}" for name in board.names
    ]
    n = min(len(opened.answers), MOST_ANSWERS)
    among = f"Of {many(n, 'answer')}" if n == len(opened.answers) else f"Of the first {n:,} answers"
    st.caption(plain(f"{among}, not among the first {opened.first:,}: {', '.join(counts)}."))
    shown = [_answer(opened, doc_id, sentences, reasons) for doc_id, sentences in list(entries.items())[:MOST_LISTED]]
    draw_folded(shown, st.markdown, most=MOST_SHOWN)
    if len(entries) > MOST_LISTED:
        st.caption(f"{len(entries) - MOST_LISTED:,} more are in the table.")


def _answer(
    opened: OpenedQuery, doc_id: str, sentences: Sequence[tuple[DocumentRank, str]], reasons: RankReasons
) -> str:
    lines = [f"- {plain(sentence)}" for _, sentence in sentences]
    words = reasons.words.get(doc_id)
    if words is not None and words.n:
        lines.append(f"- {plain(_words(words))}")
    head = f"**{plain(cut(title_of(opened.board, doc_id)))}** ({plain(doc_id)}, grade {opened.answers[doc_id]})"
    return "\n".join([head, *lines])


def _words(words: QueryWordMatches) -> str:
    held = ", ".join(f"{word} {share:.0%}".replace("%", " %") for word, share in words.shares) or "none"
    lacks = ", ".join([*words.absent, *words.unknown]) or "none"
    return f"Words matched, by their share of the BM25 score: {held}. Not matched: {lacks}."


def _miss_rows(
    opened: OpenedQuery, entries: Mapping[str, list[tuple[DocumentRank, str]]], reasons: RankReasons
) -> list[Row]:
    rows: list[Row] = []
    for doc_id, sentences in entries.items():
        words = reasons.words.get(doc_id)
        for standing, sentence in sentences:
            rows.append(
                {
                    "Answer": doc_id,
                    "Title": title_of(opened.board, doc_id),
                    "Relevance": opened.answers[doc_id],
                    "Run": standing.run,
                    "Rank": standing.rank,
                    **_depth(standing.deep),
                    "Words matched": ", ".join(f"{w} {s:.2f}" for w, s in words.shares) if words else None,
                    "Words not matched": ", ".join([*words.absent, *words.unknown]) if words else None,
                    "Why": sentence,
                }
            )
    return rows


def _depth(deep: tuple[CollectionRank, ...]) -> Row:
    entries: dict[str, str | int | float | None] = {}
    for each, which in zip(deep, ("", " by vectors"), strict=False):
        entries[f"Rank in the whole collection{which}"] = each.rank
        entries[f"Score{which}"] = each.score
        entries[f"Ranked above, %{which}"] = round(100 * (1 - each.rank / each.n), 1) if each.rank else None
    return entries
