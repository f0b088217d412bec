"""How long the runs took, what better rankings cost in time, and what the indexes take."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.ranking.metrics import read_metric
from core.ranking.report import LATENCY_SOURCE, published_for
from core.types import Floats
from dashboard.components.mount import current_theme
from dashboard.figures.retrievers.latency import Stage, Times, latency_figure, latency_rows
from dashboard.figures.retrievers.quality import QualitySpot, quality_figure, quality_rows
from dashboard.figures.retrievers.shared import milliseconds
from dashboard.sections.figure import Row, draw_figure, draw_files
from dashboard.sections.retrievers.board import Board
from dashboard.words import plain
from data.collections.stored import WHOLE, SavedRun, latency

ON_THIS_MACHINE = (
    "Times were taken on the machine that ran the queries, one query after the other; what other programs did at that "
    "time is in them."
)


def draw_latency(board: Board) -> None:
    """Time for a query by stage, a metric against it, and the indexes."""
    times = [_times(name, saved) for name, saved in zip(board.names, board.runs, strict=True)]
    untimed = [run.name for run in times if run.whole is None]
    notes = [ON_THIS_MACHINE]
    if untimed:
        notes.append(f"Without times: {', '.join(untimed)}. A run that is read from a file brings none.")
    draw_figure(
        latency_figure(times, theme=current_theme()),
        key="retriever-latency",
        name=f"{board.collection.name} time for a query",
        reading="bold is the whole answer, its stages stand beneath. Half of the queries are faster than the sign, 19 "
        "of 20 faster than the end of the line. Stages need not add up: each has a middle of its own.",
        rows=latency_rows(times),
        notes=notes,
    )
    _draw_quality(board, times)
    _draw_indexes(board)


def _times(name: str, saved: SavedRun) -> Times:
    timed = {stage: stage_of(stage, ms) for stage, ms in saved.stages_ms.items()}
    whole = timed.pop(WHOLE, None)
    n = int(np.count_nonzero(np.isfinite(saved.stages_ms[WHOLE]))) if whole else 0
    return Times(name, whole, tuple(stage for stage in timed.values() if stage is not None), n)


def stage_of(name: str, ms: Floats) -> Stage | None:
    """The middle and the slow end of what was timed; None: nothing was."""
    took = latency(ms)
    return Stage("whole answer" if name == WHOLE else name, took.p50, took.p95) if took else None


def _draw_quality(board: Board, times: list[Times]) -> None:
    spots = []
    for run, scores in zip(times, board.leaderboard.scores, strict=True):
        value = scores.values.get(board.metric)
        if run.whole is not None and value is not None:
            interval = scores.intervals.get(board.metric)
            spots.append(QualitySpot(run.name, value, interval, run.whole.p50, run.whole.p95))
    published = _published_times(board)
    label = read_metric(board.metric).label
    draw_figure(
        quality_figure([*spots, *published], names=board.names, metric=label, theme=current_theme()),
        key="retriever-quality",
        name=f"{board.collection.name} {label} against time",
        reading="up is better, left is faster. Whiskers: the 95 % interval upwards, p95 to the right. The dotted stair "
        "goes through the runs that no other one beats in both.",
        rows=quality_rows([*spots, *published]),
        notes=[f"Hollow: published, {LATENCY_SOURCE}; not measured here."] if published else [],
    )


def _published_times(board: Board) -> list[QualitySpot]:
    return [
        QualitySpot(row.retriever, value, None, 1_000 * row.seconds, None, f"{row.source}; {LATENCY_SOURCE}")
        for row in published_for(board.collection.name, board.split)
        if row.seconds is not None and (value := row.share(board.metric)) is not None
    ]


def _draw_indexes(board: Board) -> None:
    """A table; runs without an index show a dash, with the reason beneath."""
    st.markdown("**Indexes**")
    rows: list[Row] = [
        {
            "Run": name,
            "Index made in": "–" if saved.index_seconds is None else milliseconds(1_000 * saved.index_seconds),
            "On disk": "–" if saved.index_bytes is None else size(saved.index_bytes),
            "Bytes per document": None
            if saved.index_bytes is None
            else round(saved.index_bytes / max(len(board.collection.documents), 1)),
            "Notes": "; ".join(saved.notes),
        }
        for name, saved in zip(board.names, board.runs, strict=True)
    ]
    st.dataframe(rows, hide_index=True, key="retriever-indexes-table")
    if any(saved.index_bytes is None for saved in board.runs):
        st.caption(plain("–: it has no index, or it is a run from a file."))
    draw_files(
        key="retriever-indexes",
        name=f"{board.collection.name} indexes",
        description="Index time and size of each run.",
        rows=[
            {"Run": name, "Index seconds": saved.index_seconds, "Index bytes": saved.index_bytes}
            for name, saved in zip(board.names, board.runs, strict=True)
        ],
        picture=False,
    )


def size(n_bytes: int) -> str:
    """Bytes as people read them.

    >>> size(512), size(3_500_000)
    ('512 B', '3.5 MB')
    """
    value, unit = float(n_bytes), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 1_000:
            break
        value, unit = value / 1_000, larger
    return f"{value:,.0f} {unit}" if unit == "B" or value >= 100 else f"{value:,.1f} {unit}"
