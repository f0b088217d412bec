"""The opened query on the landscape of its collection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.protocols import OnStage
from dashboard import cache
from dashboard.components.mount import current_theme
from dashboard.figures.retrievers.plane import DocumentSpot, plane_figure, plane_rows
from dashboard.sections.figure import draw_figure
from dashboard.sections.retrievers.opened_query import OpenedQuery, title_of
from dashboard.sections.retrievers.why import specs_of
from dashboard.sections.waiting import how_it_ended, watch
from data.collections.bringing import Corpus
from data.retrieval.opening import DEFAULT_EMBEDDER, is_service, needs, settled
from data.retrieval.plane import Plane, open_plane
from data.store import content_hash

MOST_OTHERS = 2_000
"""Documents that no run ranks and that are no answer: a sample of them is drawn."""


@dataclass(frozen=True, eq=False)
class Laid:
    """A plane, and where this query lies on it."""

    plane: Plane
    query: tuple[float, float] | None


def draw_landscape(opened: OpenedQuery) -> None:
    """The figure; the first time it is worked out in the background."""
    st.markdown("**On the landscape**")
    embedder = embedder_of(opened)
    laid = _laid(opened, embedder)
    if laid is None:
        return
    spots, n_unseen = spots_of(opened, laid.plane)
    n_others, n_documents = sum(not (s.grade or s.is_found) for s in spots), len(opened.board.collection.documents)
    notes = [
        f"Vectors: {embedder}, laid out by PCA. The two directions keep {laid.plane.kept_share:.0%} of the differences "
        "between documents, so that neighbours here may be far apart.".replace("%", " %"),
    ]
    if n_others < n_documents - len(spots) + n_others - n_unseen:
        notes.append(f"Grey: a sample of {n_others:,} of {n_documents:,} documents.")
    if n_unseen:
        notes.append(f"{n_unseen:,} of the answers and ranked documents have no vector, or are not in the collection.")
    if laid.query is None:
        notes.append("The query has no place here: it has no words that the vectors know.")
    draw_figure(
        plane_figure(spots, names=opened.board.names, query=laid.query, first=opened.first, theme=current_theme()),
        key="retriever-plane",
        name=f"{opened.board.collection.name} query {opened.query.query_id} on the landscape",
        reading="filled: an answer that a run has among its first; hollow: one that all runs miss. A ring around grey "
        "is a document that a run puts first though it is no known answer. The cross is the query.",
        rows=plane_rows(spots, opened.board.names),
        notes=notes,
    )


def embedder_of(opened: OpenedQuery) -> str:
    """The vectors that a run compares, if they are here and cost nothing to ask; else those that are made here."""
    for spec in specs_of(opened):
        if spec is None or spec.kind not in ("dense", "hybrid"):
            continue
        spec = settled(spec)
        if spec.embedder and not is_service(spec.embedder) and needs(spec) is None:
            return spec.embedder
    return DEFAULT_EMBEDDER


def _laid(opened: OpenedQuery, embedder: str) -> Laid | None:
    """None while it is being worked out, which is drawn."""
    key = content_hash(["plane", opened.board.collection_key, embedder])
    at = content_hash([key, opened.query.text])
    plane: Plane | None = cache.opened_queries().get(key)
    if plane is not None and at in cache.opened_queries():
        return Laid(plane, cache.opened_queries()[at])

    def work(on_stage: OnStage) -> None:
        found: Plane | None = cache.opened_queries().get(key)
        if found is None:
            corpus = Corpus.of(opened.board.collection, cache.workspace().paths)
            found = open_plane(corpus, embedder, on_stage)
        cache.opened_queries()[at] = found.place(opened.query.text)
        cache.opened_queries()[key] = found

    name = f"plane:{at}"
    if (before := cache.jobs().find(name)) is not None and before.finished:
        cache.jobs().forget(name)  # what it made was let go of since
    job = cache.jobs().start_latest("plane", at, "Laying the collection out", work)
    if job.is_over and not job.finished:
        how_it_ended(job)
    else:
        watch(job)
    return None


def spots_of(opened: OpenedQuery, plane: Plane) -> tuple[list[DocumentSpot], int]:
    """Answers, what any run has among its first, and a sample of the rest; how many of the first two have no place."""
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
    """Rows that have a place, at most so many, evenly drawn and always the same."""
    placed = np.flatnonzero(~np.isnan(plane.points).any(axis=1))
    if len(placed) <= most:
        return [int(row) for row in placed]
    return sorted(int(row) for row in np.random.default_rng(0).choice(placed, most, replace=False))


def _spot(opened: OpenedQuery, plane: Plane, doc_id: str, row: int, ranks: tuple[int | None, ...]) -> DocumentSpot:
    x, y = plane.points[row]
    grade = opened.answers.get(doc_id, 0)
    return DocumentSpot(doc_id, title_of(opened.board, doc_id), float(x), float(y), grade, ranks)
