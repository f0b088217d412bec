"""Inspect a query: the rankings of every run, missed answers, and the landscape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.collections import Query
from core.knowledge.templates import GIVEN
from core.protocols import OnStage
from core.retrieval.graph import STAGE as FOLLOWED
from core.retrieval.metrics import read_metric
from core.retrieval.query_results import entries
from core.text import many
from core.types import Ids
from dashboard import cache, state
from dashboard.kit.components import current_theme, draw_figure, draw_files
from dashboard.kit.figures import short
from dashboard.kit.link_controls import choose_one
from dashboard.kit.publication_lists import PublicationGroup, draw_table
from dashboard.messages import guarded
from dashboard.retrieval.comparison import choose_two, pairs_of
from dashboard.retrieval.figures import DocumentSpot, plane_figure, plane_rows
from dashboard.retrieval.leaderboard import ScoredRuns
from dashboard.retrieval.misses import (
    OpenedQuery,
    document_rows,
    draw_lacking,
    draw_requirement,
    draw_why,
    find_met,
    relevant_in,
    specs_of,
    title_of,
)
from dashboard.retrieval.rankings import RankingColumn, RankingLine, ranking_rows, rankings_html
from dashboard.status import computed
from dashboard.words import plain
from data.knowledge.templates import RequirementMatch
from data.retrieval.collections import RetrievalCorpus
from data.retrieval.plane import Plane, open_plane
from data.retrieval.retrievers import DEFAULT_EMBEDDER, is_service, needs, settled
from data.store import content_hash

# The open query on the landscape of its collection.

MOST_OTHERS = 2_000
"""Maximum number of documents drawn that are neither ranked nor answers; they are a sample."""


@dataclass(frozen=True, eq=False)
class QueryPlane:
    plane: Plane
    query: tuple[float, float] | None


def draw_landscape(opened: OpenedQuery) -> None:
    """Draw the figure; the first time it is computed in the background."""
    st.markdown("**On the landscape**")
    embedder = embedder_of(opened)
    laid = _laid(opened, embedder)
    if laid is None:
        return
    spots, n_unseen = spots_of(opened, laid.plane)
    n_others, n_documents = sum(not (s.grade or s.is_found) for s in spots), len(opened.board.collection.documents)
    notes = [
        f"Vectors: {embedder}, projected by PCA. The two directions keep {100 * laid.plane.kept_share:.0f} % of the "
        "variance, so neighbours here may be far apart.",
    ]
    if n_others < n_documents - len(spots) + n_others - n_unseen:
        notes.append(f"Grey: a sample of {n_others:,} of {n_documents:,} documents.")
    if n_unseen:
        notes.append(f"{n_unseen:,} of the answers and ranked documents have no vector, or are not in the collection.")
    if laid.query is None:
        notes.append("The query is not shown: the embedder knows none of its words.")
    draw_figure(
        plane_figure(spots, names=opened.board.names, query=laid.query, first=opened.first, theme=current_theme()),
        key="retriever-plane",
        name=f"{opened.board.collection.name} query {opened.query.query_id} on the landscape",
        reading="filled: an answer in the top ranks of a run; hollow: an answer that all runs miss. A ring around "
        "grey: a top-ranked document that is not a known answer. The cross is the query.",
        rows=plane_rows(spots, opened.board.names),
        notes=notes,
    )


def embedder_of(opened: OpenedQuery) -> str:
    """Return the embedder of a run, if its vectors are available and free; else the default embedder."""
    for spec in specs_of(opened):
        if spec is None or spec.kind not in ("dense", "hybrid"):
            continue
        spec = settled(spec)
        if spec.embedder and not is_service(spec.embedder) and needs(spec) is None:
            return spec.embedder
    return DEFAULT_EMBEDDER


def _laid(opened: OpenedQuery, embedder: str) -> QueryPlane | None:
    """Return the projection; None while it is computed, with the progress drawn."""
    key = content_hash(["plane", opened.board.collection_key, embedder])
    at = content_hash([key, opened.query.text])
    kept = cache.opened_queries()

    def open_it(on_stage: OnStage) -> Plane:
        corpus = RetrievalCorpus.of(opened.board.collection, cache.workspace().paths)
        return open_plane(corpus, embedder, on_stage)

    def make(on_stage: OnStage) -> QueryPlane:
        plane = kept.of(key, lambda: open_it(on_stage))
        return QueryPlane(plane, plane.place(opened.query.text))

    return computed(kept, at, "Projecting the collection", make, family="plane", is_latest=True)


def spots_of(opened: OpenedQuery, plane: Plane) -> tuple[list[DocumentSpot], int]:
    """Return answers, first documents, and a sample of the rest; count answers and first documents without a place."""
    board = opened.board
    ranks = [{entry.doc_id: entry.rank for entry in found[: opened.first]} for found in opened.entries]
    chosen = list(dict.fromkeys([*opened.answers, *(doc_id for rank_of in ranks for doc_id in rank_of)]))
    row_of = board.collection.row_of
    spots: list[DocumentSpot] = []
    n_unseen = 0
    for doc_id in chosen:
        row = row_of.get(doc_id)
        if row is None or np.isnan(plane.points[row]).any():
            n_unseen += 1
            continue
        spots.append(_spot(opened, plane, doc_id, row, tuple(rank_of.get(doc_id) for rank_of in ranks)))
    nowhere = (None,) * len(ranks)
    taken = set(chosen)
    for row in sample_rows(plane, MOST_OTHERS):
        doc_id = board.collection.doc_ids[row]
        if doc_id not in taken:
            spots.append(_spot(opened, plane, doc_id, row, nowhere))
    return spots, n_unseen


def sample_rows(plane: Plane, most: int) -> list[int]:
    """Return at most `most` rows with a place, drawn evenly and always the same."""
    placed = np.flatnonzero(~np.isnan(plane.points).any(axis=1))
    if len(placed) <= most:
        return [int(row) for row in placed]
    return sorted(int(row) for row in np.random.default_rng(0).choice(placed, most, replace=False))


def _spot(opened: OpenedQuery, plane: Plane, doc_id: str, row: int, ranks: tuple[int | None, ...]) -> DocumentSpot:
    x, y = plane.points[row]
    grade = opened.answers.get(doc_id, 0)
    return DocumentSpot(doc_id, title_of(opened.board, doc_id), float(x), float(y), grade, ranks)


# One open query: the answer of each run, missed answers and the reasons, and all of it on the landscape.

FIRST = ("10", "20", "50")
DIFFERENCE, WORST, ORDER = "Largest difference", "Worst on average", "As in the collection"
MOST_OFFERED = 300
"""Maximum number of queries in a menu."""
LONGEST_QUERY = 110


def draw_opened(board: ScoredRuns) -> None:
    query = _choose_query(board)
    if query is None:
        return
    answers = relevant_in(board).get(query.query_id, {})
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


def _choose_query(board: ScoredRuns) -> Query | None:
    orders = (DIFFERENCE, WORST, ORDER) if len(board.names) > 1 else (WORST, ORDER)
    by, find = st.columns([0.5, 0.5], vertical_alignment="bottom")
    order = choose_one(by.selectbox, "Queries in order of", orders, "queries_by")
    wanted = find.text_input("Find a query", key="find-query", placeholder="Words or id", icon=":material/search:")
    pair = choose_two(board) if order == DIFFERENCE else None
    offered = [row for row in _ordered(board, order, pair) if _fits(row[0], wanted)]
    if not offered:
        st.info("No query contains these words." if wanted.strip() else "There are no queries.")
        return None
    shown = {query.query_id: _label(query, count) for query, count in offered[:MOST_OFFERED]}
    asked = state.value("opened") or next(iter(state.asked_for("opened")), None)
    if asked and asked in board.query_of and asked not in shown and not wanted.strip():
        shown = {asked: _label(board.query_of[asked], "")} | shown
    query_id = choose_one(st.selectbox, "Query", list(shown), "opened", names=shown)
    if len(offered) > MOST_OFFERED:
        st.caption(
            f"The first {MOST_OFFERED:,} of {len(offered):,} queries are listed. Search for others by their words."
        )
    return board.query_of[query_id]


def _fits(query: Query, wanted: str) -> bool:
    """Return True if every word of the filter is in the query's id or its text."""
    if not (words := wanted.casefold().split()):
        return True
    within = f"{query.query_id} {query.text}".casefold()
    return all(word in within for word in words)


def _ordered(board: ScoredRuns, order: str, pair: tuple[str, str] | None) -> list[tuple[Query, str]]:
    """Sort the queries, each with its label in the menu. Unscored queries are last."""
    scored = dict.fromkeys(board.leaderboard.query_ids)
    rest = [(query, "no known answer") for query in board.query_of.values() if query.query_id not in scored]
    if pair is not None:
        pairs = sorted(pairs_of(board, *pair), key=lambda each: -abs(each.b - each.a))
        return [(board.query_of[each.query_id], f"{each.a:.2f} to {each.b:.2f}") for each in pairs] + rest
    values = [scores.per_query[board.metric] for scores in board.leaderboard.scores]
    means = dict(zip(scored, np.mean(values, axis=0).tolist(), strict=True))
    ids = sorted(means, key=means.__getitem__) if order == WORST else list(means)
    return [(board.query_of[each], f"{means[each]:.2f}") for each in ids] + rest


def _label(query: Query, text: str) -> str:
    words = f"{query.query_id}: {short(query.text, LONGEST_QUERY)}"
    return f"{words} ({text})" if text else words


def _draw_query(board: ScoredRuns, query: Query, answers: Mapping[str, int]) -> None:
    st.markdown(f"**{plain(query.text) or '–'}**")
    parts = [f"{name}: {value}" for name, value in query.labels if name != GIVEN]
    n_outside = sum(board.document(doc_id) is None for doc_id in answers)
    parts.append(many(len(answers), "answer") if answers else "no known answer")
    if n_outside:
        parts.append(f"{n_outside:,} of them not in the collection")
    st.caption(plain(" · ".join(parts)))


def _choose_first() -> int:
    return int(choose_one(st.segmented_control, "Ranks to show", FIRST, "first", required=True))


def _draw_rankings(opened: OpenedQuery, met: RequirementMatch | None) -> None:
    board = opened.board
    columns = [
        _column(opened, place, name, _value(board, place, opened.query.query_id), met)
        for place, name in enumerate(board.names)
    ]
    st.html(rankings_html(columns, current_theme(), all_names=board.names))
    diamond = "" if met is None else " A diamond marks those that meet the relational requirement."
    st.caption(f"How to read this: a filled mark and the word answer mark known relevant documents.{diamond}")
    draw_files(
        key="retriever-rankings",
        name=f"{board.collection.name} query {opened.query.query_id} rankings",
        description="The rankings of one query side by side.",
        rows=ranking_rows(columns, has_met=met is not None),
        picture=False,
    )
    _draw_counts(opened)


RANKED, FOUND, MISSED = "Ranked", "Relevant and found", "Relevant and missed"
COUNTS = (RANKED, FOUND, MISSED)


def documents_in(opened: OpenedQuery, place: int, column: str) -> Ids:
    """Return a run's first documents, by the columns of the table of counts."""
    shown = tuple(entry.doc_id for entry in opened.entries[place][: opened.first])
    if column == RANKED:
        return shown
    return tuple(doc_id for doc_id in opened.answers if (doc_id in shown) == (column == FOUND))


def _draw_counts(opened: OpenedQuery) -> None:
    names = opened.board.names
    rows = [
        {"Run": name, **{column: len(documents_in(opened, place, column)) for column in COUNTS}}
        for place, name in enumerate(names)
    ]

    def group_of(row: int, column: str) -> PublicationGroup | None:
        if column not in COUNTS:
            return None
        listed = document_rows(opened, documents_in(opened, row, column))
        name = f"{names[row]}, first {opened.first}, {column.lower()}"
        return PublicationGroup(name, rows=tuple(listed), noun="document")

    draw_table(rows, group_of, key="retriever-counts", hint="Click a count to list its documents.")


def _column(opened: OpenedQuery, place: int, name: str, value: str, met: RequirementMatch | None) -> RankingColumn:
    board, answers, shown = opened.board, opened.answers, opened.entries[place][: opened.first]
    doc_ids = [entry.doc_id for entry in shown]
    meeting = frozenset() if met is None else frozenset(met.among(doc_ids))
    lines = tuple(
        RankingLine(
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
    remarks = ["A Boolean result has no order."] if saved.spec_text.startswith("boolean") else []
    if saved.spec_text.startswith("graph") and not saved.has_stage(FOLLOWED, opened.query.query_id):
        remarks.append("No relation was found in the query, so only the text retriever answers.")
    if met is not None and shown:
        remarks.append(met.sentence(doc_ids))
    return RankingColumn(name, lines, len(answers), value, " ".join(remarks))


def _value(board: ScoredRuns, place: int, query_id: str) -> str:
    label = read_metric(board.metric).label
    if query_id not in board.leaderboard.query_ids:
        return f"{label} –"
    at = board.leaderboard.query_ids.index(query_id)
    return f"{label} {board.leaderboard.scores[place].per_query[board.metric][at]:.3f}"
