"""One query opened: what each run answers to it, which answers it missed and why, and all of it on the landscape."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from core.knowledge.templates import GIVEN
from core.ranking.check import Query
from core.ranking.metrics import read_metric
from core.ranking.slices import answers_of, entries
from core.retrieval.graph import STAGE as FOLLOWED
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.upset import short
from dashboard.messages import guarded
from dashboard.sections.figure import draw_files
from dashboard.sections.retrievers.board import Board
from dashboard.sections.retrievers.figures import choose_two, pairs_of
from dashboard.sections.retrievers.landscape import draw_landscape
from dashboard.sections.retrievers.opened_query import OpenedQuery, title_of
from dashboard.sections.retrievers.rankings import Column, Line, ranking_rows, rankings_html
from dashboard.sections.retrievers.requirement import draw_lacking, draw_requirement, find_met
from dashboard.sections.retrievers.why import draw_why
from dashboard.words import plain
from data.knowledge.templates import Met
from data.store import content_hash

FIRST = ("10", "20", "50")
DIFFERENCE, WORST, ORDER = "Largest difference", "Worst on average", "As in the collection"
MOST_OFFERED = 300
"""Queries that a menu can hold."""
LONGEST_QUERY = 110


def draw_opened(board: Board) -> None:
    """Choose a query; then its rankings, what they missed, and the landscape."""
    query = _choose_query(board)
    if query is None:
        return
    answers = _answers(board).get(query.query_id, {})
    _draw_query(board, query, answers)
    met = find_met(board, query)
    if met is not None:
        draw_requirement(met)
    first = _choose_first()
    opened = OpenedQuery(board, query, answers, tuple(entries(s.run, query.query_id) for s in board.runs), first)
    _draw_rankings(opened, met)
    if met is not None:
        draw_lacking(opened, met)
    missed, landscape = st.columns(2, gap="large")
    with missed, guarded():
        draw_why(opened)
    with landscape, guarded():
        draw_landscape(opened)


def _answers(board: Board) -> Mapping[str, Mapping[str, int]]:
    key = content_hash(["answers", board.key])
    found: Mapping[str, Mapping[str, int]] | None = cache.ranked().get(key)
    if found is None:
        found = answers_of(board.collection.judgments)
        cache.keep_ranked(key, found)
    return found


def _choose_query(board: Board) -> Query | None:
    orders = (DIFFERENCE, WORST, ORDER) if len(board.names) > 1 else (WORST, ORDER)
    by, find = st.columns([0.5, 0.5], vertical_alignment="bottom")
    state.settle_named("queries_by", orders)
    order = str(by.selectbox("Queries in order of", orders, key="queries_by"))
    wanted = find.text_input("Find a query", key="find-query", placeholder="Words or id", icon=":material/search:")
    state.write_in_link("queries_by", [order])
    pair = choose_two(board) if order == DIFFERENCE else None
    offered = [row for row in _ordered(board, order, pair) if _fits(row[0], wanted)]
    if not offered:
        st.info("No query holds these words." if wanted.strip() else "There is no query.")
        return None
    shown = {query.query_id: _label(query, said) for query, said in offered[:MOST_OFFERED]}
    asked = state.said("opened") or next(iter(state.asked_for("opened")), None)
    if asked and asked in board.query_of and asked not in shown and not wanted.strip():
        shown = {asked: _label(board.query_of[asked], "")} | shown
    state.settle_named("opened", list(shown))
    query_id = str(st.selectbox("Query", list(shown), key="opened", format_func=lambda each: shown.get(each, each)))
    state.write_in_link("opened", [query_id])
    if len(offered) > MOST_OFFERED:
        st.caption(f"The first {MOST_OFFERED:,} of {len(offered):,} queries are offered: find others by their words.")
    return board.query_of[query_id]


def _fits(query: Query, wanted: str) -> bool:
    """Every word of what is looked for stands in its id or its text."""
    if not (words := wanted.casefold().split()):
        return True
    within = f"{query.query_id} {query.text}".casefold()
    return all(word in within for word in words)


def _ordered(board: Board, order: str, pair: tuple[str, str] | None) -> list[tuple[Query, str]]:
    """Queries with what a menu says of each. Those that are not scored come last."""
    scored = dict.fromkeys(board.leaderboard.query_ids)
    rest = [(query, "no known answer") for query in board.query_of.values() if query.query_id not in scored]
    if pair is not None:
        pairs = sorted(pairs_of(board, *pair), key=lambda each: -abs(each.b - each.a))
        return [(board.query_of[each.query_id], f"{each.a:.2f} to {each.b:.2f}") for each in pairs] + rest
    values = [scores.per_query[board.metric] for scores in board.leaderboard.scores]
    means = dict(zip(scored, np.mean(values, axis=0).tolist(), strict=True))
    ids = sorted(means, key=means.__getitem__) if order == WORST else list(means)
    return [(board.query_of[each], f"{means[each]:.2f}") for each in ids] + rest


def _label(query: Query, said: str) -> str:
    words = f"{query.query_id}: {short(query.text, LONGEST_QUERY)}"
    return f"{words} ({said})" if said else words


def _draw_query(board: Board, query: Query, answers: Mapping[str, int]) -> None:
    st.markdown(f"**{plain(query.text) or '–'}**")
    said = [f"{name}: {value}" for name, value in query.labels if name != GIVEN]
    n_outside = sum(board.document(doc_id) is None for doc_id in answers)
    said.append(f"{len(answers):,} {'answer' if len(answers) == 1 else 'answers'}" if answers else "no known answer")
    if n_outside:
        said.append(f"{n_outside:,} of them not in the collection")
    st.caption(plain(" · ".join(said)))


def _choose_first() -> int:
    state.settle_named("first", FIRST)
    first = st.segmented_control("Look at the first", FIRST, key="first", required=True)
    state.write_in_link("first", [str(first)])
    return int(first or FIRST[0])


def _draw_rankings(opened: OpenedQuery, met: Met | None) -> None:
    board = opened.board
    columns = [
        _column(opened, place, name, _value(board, place, opened.query.query_id), met)
        for place, name in enumerate(board.names)
    ]
    st.html(rankings_html(columns, current_theme(), all_names=board.names))
    diamond = "" if met is None else " A diamond tells those that meet what the query asks of relations."
    st.caption(
        "How to read this: a filled mark and the word answer tell the documents that are known to be relevant."
        f"{diamond}"
    )
    draw_files(
        key="retriever-rankings",
        name=f"{board.collection.name} query {opened.query.query_id} rankings",
        description="The rankings of one query side by side.",
        rows=ranking_rows(columns, has_met=met is not None),
        picture=False,
    )


def _column(opened: OpenedQuery, place: int, name: str, value: str, met: Met | None) -> Column:
    board, answers, shown = opened.board, opened.answers, opened.entries[place][: opened.first]
    doc_ids = [entry.doc_id for entry in shown]
    meeting = frozenset() if met is None else frozenset(met.among(doc_ids))
    lines = tuple(
        Line(
            entry.rank,
            entry.doc_id,
            title_of(board, entry.doc_id),
            entry.score,
            answers.get(entry.doc_id, 0),
            entry.doc_id in meeting,
        )
        for entry in shown
    )
    saved = board.runs[place]
    remarks = ["A Boolean answer has no order."] if saved.spec_text.startswith("boolean") else []
    if saved.spec_text.startswith("graph") and not saved.has_stage(FOLLOWED, opened.query.query_id):
        remarks.append("No relation was read from the query: this is answered by text alone.")
    if met is not None and shown:
        remarks.append(met.sentence(doc_ids))
    return Column(name, lines, len(answers), value, " ".join(remarks))


def _value(board: Board, place: int, query_id: str) -> str:
    label = read_metric(board.metric).label
    if query_id not in board.leaderboard.query_ids:
        return f"{label} –"
    at = board.leaderboard.query_ids.index(query_id)
    return f"{label} {board.leaderboard.scores[place].per_query[board.metric][at]:.3f}"
