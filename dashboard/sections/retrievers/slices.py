"""Runs on parts of the queries: short and long ones, few and many answers, any label that they carry."""

from __future__ import annotations

import streamlit as st

from core.ranking.metrics import read_metric
from core.ranking.slices import Group, group_scores, groupings
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.retrievers.slices import Group as Drawn
from dashboard.figures.retrievers.slices import slice_rows, slices_figure
from dashboard.sections.figure import draw_figure
from dashboard.sections.retrievers.board import Board
from data.store import content_hash


def draw_slices(board: Board) -> None:
    """Choose by what, then the figure."""
    options = dict(groupings(board.collection))
    state.settle_named("group_by", list(options))
    by = str(st.selectbox("Queries by", list(options), key="group_by", format_func=lambda key: options.get(key, key)))
    state.write_in_link("group_by", [by])
    groups = [Drawn(group.name, group.n, group.values, group.intervals) for group in _groups(board, by)]
    metric = read_metric(board.metric).label
    draw_figure(
        slices_figure(groups, board.names, metric=metric, by=options[by].lower(), theme=current_theme()),
        key="retriever-slices",
        name=f"{board.collection.name} {metric} by {options[by]}",
        reading="a sign is the mean of a run over a group of queries, its line the 95 % interval.",
        rows=slice_rows(groups, board.names),
        notes=["Differences between groups were looked for after the fact: take them for questions, not for answers."],
    )


def _groups(board: Board, by: str) -> tuple[Group, ...]:
    key = content_hash(["groups", board.key, by, board.metric])
    found: tuple[Group, ...] | None = cache.ranked().get(key)
    if found is None:
        with st.spinner("Grouping the queries"):
            found = group_scores(board.leaderboard, board.collection, by=by, metric=board.metric)
        cache.keep_ranked(key, found)
    return found
