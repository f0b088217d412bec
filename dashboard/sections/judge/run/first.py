"""The first visit: one click judges the made-up collection with the demo judge, offline."""

from __future__ import annotations

import streamlit as st

from core.judging.types import JudgeSettings
from core.protocols import OnStage
from dashboard import cache, state
from dashboard.sections.judge.run.listed import NEXT_VIEW, RUN, STARTED
from dashboard.sections.judge.run.who import DEMO_SENTENCE
from dashboard.sections.judge.run.work import FIRST, forget, job_of, start_judging
from dashboard.sections.waiting import how_it_ended, watch
from data.collections.stored import is_stored
from data.demo.writing import DEMO_COLLECTION
from data.intake import bring_benchmark
from data.judging.demo_judge import DEMO_MODEL, open_judge_model
from data.judging.fields.results_files import retriever_field
from data.judging.keeping.runs import find_judge_run, list_judge_runs, save_run
from data.judging.rubrics import DEFAULT_RUBRIC
from data.judging.running.asking import make_judge

RETRIEVERS = ("bm25", "dense:lsa")
K = 10


def draw_first() -> tuple[str, ...]:
    """A card with one button, or how far that is; the run that it follows. Once that is over, its results are shown."""
    if not _is_wanted():
        return ()
    run_id = cache.run_failures().get(FIRST, {}).get("run")
    with st.container(border=True, key="judge-first"):
        st.subheader(":material/science: See how it works", anchor=False)
        st.write(
            "A judge grades what search engines found: how relevant is this publication to this query, from 0 to 100? "
            "So engines can be compared where nobody knows the truth, once the judge itself was examined."
        )
        _draw_button(run_id)
        st.caption(f"Keyword search against meaning, without a key and without the network. {DEMO_SENTENCE}")
    return () if run_id is None else (run_id,)


def _is_wanted() -> bool:
    """Where nothing was judged yet, and while the one who asked waits for it."""
    return bool(state.said(STARTED)) or not list_judge_runs(cache.workspace().store)


def _draw_button(run_id: str | None) -> None:
    gathering = cache.jobs().find(FIRST)
    if gathering is None:
        st.button(
            "Judge the made-up collection",
            key="judge-demo",
            type="primary",
            icon=":material/gavel:",
            on_click=start_first,
        )
        return
    job = gathering if run_id is None or not gathering.finished else job_of(run_id) or gathering
    if not job.is_over:
        watch(job, "Cancel" if job is gathering else "Pause")
    elif not job.finished:
        state.say(STARTED, False)
        how_it_ended(job)
    else:
        cache.jobs().forget(FIRST)
        state.say(STARTED, False)
        state.say(NEXT_VIEW, "Results")
        if run_id is not None:
            forget(run_id)
            state.say(RUN, run_id)
        st.rerun()


def start_first() -> None:
    """In the background, from nothing to grades."""
    state.say(STARTED, True)
    cache.run_failures().pop(FIRST, None)
    cache.jobs().start(FIRST, "Gathering what is to be judged", begin_demo, lane="long")


def begin_demo(on_stage: OnStage) -> None:
    """The made-up collection, two retrievers, and the demo judge. What is there already is taken."""
    workspace = cache.workspace()
    if not is_stored(workspace.store, DEMO_COLLECTION):
        on_stage("writing the made-up collection")
        bring_benchmark(workspace)
        cache.collections_changed()
    field = retriever_field(workspace, DEMO_COLLECTION, RETRIEVERS, k=K, on_stage=on_stage)
    judge = make_judge(workspace.store, JudgeSettings(DEMO_MODEL, DEFAULT_RUBRIC), open_judge_model(DEMO_MODEL))
    document = {"source": "retrievers", "collection": DEMO_COLLECTION, "retrievers": list(RETRIEVERS), "k": K}
    run_id = save_run(workspace.store, field.name, judge, field, document)
    start_judging(find_judge_run(workspace.store, run_id))
    cache.run_failures()[FIRST] = {"run": run_id}
