"""What an opened query asks of relations: in words, and what meets it but is not among the first of a run."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import QueryscapeError
from core.knowledge.templates import type_words
from core.ranking.check import Query
from core.retrieval.spec import read_spec
from dashboard import cache
from dashboard.sections.figure import Row, draw_files
from dashboard.sections.retrievers.board import Board
from dashboard.sections.retrievers.opened_query import OpenedQuery, title_of
from dashboard.sections.retrievers.rankings import cut
from dashboard.words import plain
from data.knowledge.base import KnowledgeBase
from data.knowledge.documents import Holders
from data.knowledge.templates import Met, requirement_met
from data.store import content_hash

MOST_MATCHES = 500
"""Of all that meet a requirement; so many are looked for in the rankings."""
MOST_MATCHES_SHOWN = 8


def find_met(board: Board, query: Query) -> Met | None:
    """The requirement and all that meets it; None: the query asks nothing of relations, or nobody here can tell."""
    try:
        base = _base(board)
        if base is None:
            return None
        key = content_hash(["met", board.key, query.query_id, base.about.name, base.about.key])
        found: tuple[Met | None] | None = cache.opened_queries().get(key)
        if found is None:
            with st.spinner("Reading what is asked of relations"):
                found = (requirement_met(base, cache.workspace().store, query),)
            cache.opened_queries()[key] = found
        return found[0]
    except QueryscapeError:  # the knowledge base was taken away, or is damaged
        return None


def _base(board: Board) -> KnowledgeBase | None:
    """The one that a run was made with, else the one that holds the documents."""
    workspace = cache.workspace()
    holders = Holders.of(workspace.knowledge, workspace.store, board.collection)
    specs = [read_spec(saved.spec_text) for saved in board.runs if saved.spec_text.startswith("graph")]
    named = next((spec.knowledge for spec in specs if spec.knowledge), None)
    if named is None and not holders.names():
        return None
    return holders.base(named)


def draw_requirement(met: Met) -> None:
    """In words, and how it came to be known."""
    n = len(met.rows)
    meet = f"{n:,} {type_words(met.answer_type, plural=n != 1)} {'meets' if n == 1 else 'meet'} it"
    how = "It is given with the query" if met.how == "given" else "It was read from the query's words and may be wrong"
    st.markdown(f":material/hub: **Asked of relations:** {plain(met.words)}")
    st.caption(plain(f"{how}. In the knowledge base {met.base.about.name}, {meet}."))


def draw_lacking(opened: OpenedQuery, met: Met) -> None:
    """What meets the requirement and is not among the first of each run."""
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
            rows=_match_rows(opened, every),
            picture=False,
        )


def _lacking(opened: OpenedQuery, place: int, doc_ids: Sequence[str]) -> list[str]:
    rank_of = opened.rank_of(place)
    return [doc_id for doc_id in doc_ids if rank_of.get(doc_id, opened.first + 1) > opened.first]


def _match_rows(opened: OpenedQuery, doc_ids: Sequence[str]) -> list[Row]:
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
