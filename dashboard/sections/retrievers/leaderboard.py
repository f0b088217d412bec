"""The leaderboard: the result in words, every metric with its interval, which differences are clear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.ranking.metrics import DEFAULT_METRICS, read_metric
from core.ranking.report import ALPHA, CITATION, published_for, verdict
from dashboard import state
from dashboard.components.mount import current_theme
from dashboard.messages import sentence
from dashboard.sections.retrievers.board import Board
from dashboard.sections.retrievers.board_table import table_html, table_of
from dashboard.sections.retrievers.exporting import draw_exports
from dashboard.words import plain
from data.exports.leaderboard import SIGNS

FIRST_METRIC = "ndcg@10"
BEST = ""
LABELS: Mapping[str, str] = {metric: read_metric(metric).label for metric in DEFAULT_METRICS}


def choose_metric() -> str:
    """What runs are ranked by, here and in every figure."""
    options = [FIRST_METRIC, *(metric for metric in DEFAULT_METRICS if metric != FIRST_METRIC)]
    state.settle_named("rank_by", options)
    metric = str(
        st.selectbox(
            "Ranked by",
            options,
            key="rank_by",
            format_func=lambda metric: LABELS.get(metric, metric),
            help="The metric of the sentence, the order of the runs, and the figures.",
        )
    )
    state.write_in_link("rank_by", [metric])
    return metric


def choose_baseline(names: Sequence[str]) -> str | None:
    """The run that all others are held to; None: on each metric the best one."""
    options = [BEST, *names]
    state.settle_named("baseline", options)
    against = st.selectbox(
        "Signs compare with",
        options,
        key="baseline",
        format_func=lambda name: name or "the best of each column",
        disabled=len(names) < 2,
    )
    state.write_in_link("baseline", [against] if against else [])
    return against or None


def draw_verdict(board: Board) -> None:
    """The result in words."""
    said = verdict(board.leaderboard, board.metric, LABELS[board.metric])
    st.subheader(plain(said.sentence), anchor=False)


def draw_leaderboard(board: Board) -> None:
    """Table, what its signs mean, what to know, files."""
    against = board.against
    published = published_for(board.collection.name, board.split)
    table = table_of(board.leaderboard, board.metric, against=against, published=published)
    st.html(table_html(table, current_theme(), caption=f"Leaderboard of {board.collection.name}"))
    st.caption(plain(_reading(board, against)))
    if published:
        st.caption(plain(f"Published: {CITATION}."))
    for warning in board.leaderboard.warnings:
        st.warning(plain(sentence(warning)), icon=":material/warning:")
    _draw_notes(board)
    draw_exports(board, against, LABELS)


def _reading(board: Board, against: str | None) -> str:
    """What the signs, whiskers and numbers mean, and on how many queries they rest."""
    found = board.leaderboard
    n, out = len(found.query_ids), found.n_without_judgments
    parts = [f"{n:,} {'query' if n == 1 else 'queries'} scored" + (f", {out:,} left out" if out else "")]
    parts.append("bold: the highest of a column; whiskers: 95 % bootstrap intervals, on one scale within a column")
    if len(found.scores) > 1:
        clearly = f"clearly worse than {against or 'the best of the column'}"
        better = f"{SIGNS['better']} clearly better, " if against else ""
        parts.append(
            f"{better}{SIGNS['worse']} {clearly}: paired randomization test, p < {ALPHA:g} after Holm's correction for "
            "all pairs. No sign: they can't be told apart"
        )
    return ". ".join(sentence(part).rstrip(".") for part in parts) + "."


def _draw_notes(board: Board) -> None:
    lines = [
        f"- **{plain(name)}**: {plain('; '.join(part.rstrip('.') for part in parts))}."
        for name, saved in zip(board.names, board.runs, strict=True)
        if (parts := [*saved.notes, *([f"{saved.n_failed:,} candidates could not be scored"] * bool(saved.n_failed))])
    ]
    with st.expander("What the metrics and runs are"):
        for metric in board.leaderboard.scores[0].values:
            words = read_metric(metric)
            st.markdown(f"- **{plain(words.label)}**: {plain(words.sentence)} {plain(words.formula)}.")
        if lines:
            st.markdown("\n".join(lines))
