"""The Retrievers page: compare retrievers on a collection of queries with known answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.retrieval.metrics import Compat
from dashboard.kit.components import choose_view, draw_page
from dashboard.messages import guarded
from dashboard.retrieval.collection import CollectionChoice, choose_collection
from dashboard.retrieval.comparison import draw_figures, draw_latency, draw_slices
from dashboard.retrieval.leaderboard import (
    ScoredRuns,
    choose_baseline,
    choose_metric,
    draw_leaderboard,
    draw_verdict,
    make_board,
)
from dashboard.retrieval.queries import draw_opened
from dashboard.retrieval.retrievers import choose_retrievers, draw_literature, draw_more
from dashboard.retrieval.runs import NamedRun, ask, choose_others, draw_button, draw_progress

VIEWS: dict[str, Callable[[ScoredRuns], None]] = {
    "Leaderboard": draw_leaderboard,
    "By k and query": draw_figures,
    "By kind of query": draw_slices,
    "Speed": draw_latency,
    "One query": draw_opened,
}
LITERATURE = "Literature"


def render() -> None:
    draw_page("Retrievers", _draw, notes="retrievers")


def _draw() -> None:
    chosen = choose_collection()
    if chosen is None:
        return
    texts, wishes = choose_retrievers(chosen.opened.holders)
    with st.container(horizontal=True, key="run-row"):
        button = st.container(width="content")
        depth, compat = draw_more(texts)
        others: tuple[NamedRun, ...] = ()
        with guarded():
            others = choose_others(chosen, [wish.name for wish in wishes])
    with guarded():
        asked = ask(chosen, wishes, depth)
        with button:
            draw_button(asked)
        draw_progress(asked)
        names = [*(wish.name for wish in wishes), *(named.name for named in others)]
        _draw_views(chosen, (*asked.complete, *others), names, compat)


def _draw_views(
    chosen: CollectionChoice, runs: Sequence[NamedRun], names: Sequence[str], compat: Compat | None
) -> None:
    """Draw the views. `names`: all chosen retrievers, run or not."""
    head = st.container()
    view, metric, against = _choose_view(names)
    with guarded():
        if view == LITERATURE:
            draw_literature(chosen.name, chosen.split)
            return
        board = make_board(chosen, runs, compat=compat, metric=metric, against=against)
        if board is not None:
            with head:
                draw_verdict(board)
            VIEWS[view](board)
        elif not runs:
            st.info("There is nothing to compare yet: run the retrievers, or add a run from a file.")


def _choose_view(names: Sequence[str]) -> tuple[str, str, str | None]:
    left, middle, right = st.columns([0.56, 0.22, 0.22], vertical_alignment="bottom")
    with right:
        metric = choose_metric()
    with middle:
        against = choose_baseline(names)
    with left:
        return choose_view([*VIEWS, LITERATURE], "ranking"), metric, against


if __name__ == "__main__":
    render()
