"""The view "Run": what is judged, by whom, the dry run, and the runs that there are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import streamlit as st

from dashboard import cache, state
from dashboard.messages import guarded
from dashboard.sections.judge.run.first import draw_first
from dashboard.sections.judge.run.listed import draw_runs
from dashboard.sections.judge.run.own import choose_file, choose_own
from dashboard.sections.judge.run.plan import draw_plan
from dashboard.sections.judge.run.versions import choose_versions
from dashboard.sections.judge.run.what import What, choose_retrieved
from dashboard.sections.judge.run.who import BY_SERVICE, SERVICES, choose_judge

SOURCES: Mapping[str, Callable[[], What | None]] = {
    "Retrievers": choose_retrieved,
    "Query versions": choose_versions,
    "Own queries": choose_own,
    "A file of results": choose_file,
}
SOURCE_WORDS = {
    "Retrievers": "Retrievers answer the queries of a collection.",
    "Query versions": "Publications that versions of a topic's query retrieve are graded against a research question.",
    "Own queries": "Retrievers answer queries that you bring.",
    "A file of results": "What search engines gave, wherever they run, as a table.",
}
FORM_KEYS = (
    *("judge_source", "collection", "split", "retrievers", "by_model", "judge_k", "judge_n", "judge_by", "judge_seed"),
    *("judge_documents", "judge_topics", "judge_versions", "judge_take", "judge-pasted", "judge_service"),
    *("judge_rubric", "judge_order", "judge_without", "judge_repeat", "judge_workers", "judge_rate"),
    *(f"{what}{service}" for service in SERVICES for what in BY_SERVICE),
)


def keep_choices() -> None:
    """What the form says stays while another view is looked at."""
    for key in FORM_KEYS:
        state.hold(key)


def draw_run() -> None:
    """A form from top to bottom, then the list."""
    if cache.workspace().store.is_copy:
        st.info("This is a copy to look at: judging is done where the workspace is open.")
        draw_runs()
        return
    followed: set[str] = set()
    with guarded():
        followed.update(draw_first())
    with guarded():
        followed.update(_draw_form(followed))
    with guarded():
        draw_runs(followed)


def _draw_form(followed: Collection[str]) -> Collection[str]:
    """The runs whose progress is shown with it, where `followed` are shown already."""
    st.subheader("What is judged", anchor=False)
    state.settle("judge_source", list(SOURCES))
    source = str(
        st.segmented_control(
            "What is judged",
            list(SOURCES),
            key="judge_source",
            required=True,
            label_visibility="collapsed",
            bind="query-params",
        )
    )
    st.caption(SOURCE_WORDS[source])
    what = SOURCES[source]()
    st.subheader("Who judges", anchor=False)
    who = choose_judge()
    if what is not None and who is not None:
        return draw_plan(what, who, followed)
    return ()
