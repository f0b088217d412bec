"""The Run view: the form, the dry run with its cost, and a demo run in one click."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import streamlit as st

from core.errors import QueryscapeError
from core.judge.judgments import JudgeField, JudgeSettings
from core.protocols import OnStage
from dashboard import cache, state
from dashboard.jobs import Job
from dashboard.judge.items import JudgeItems, choose_file, choose_own, choose_retrieved, choose_versions
from dashboard.judge.model import BY_SERVICE, DEMO_SENTENCE, LOCAL, SERVICES, JudgeChoice, choose_judge
from dashboard.judge.runs import (
    FIELD_JOBS,
    FIRST_JOBS,
    JUDGING_JOBS,
    NEXT_VIEW,
    RUN,
    STARTED,
    draw_runs,
    open_results,
    start_judging,
)
from dashboard.kit.components import choose_view
from dashboard.kit.pricing import dollars, draw_prices, how_long, in_short
from dashboard.messages import guarded, sentence
from dashboard.status import draw_job, how_it_ended, watch, why_locked
from dashboard.words import plain
from data.collections import is_stored
from data.demo.loading import bring_benchmark
from data.demo.publications import DEMO_COLLECTION
from data.judge.demo_judge import DEMO_MODEL
from data.judge.fields import retriever_field
from data.judge.plan import MOST_UNASKED, JudgePlan, plan
from data.judge.rubric import DEFAULT_RUBRIC
from data.judge.runner import make_judge
from data.judge.runs import LONGEST_NAME, Judge, find_judge_run, keep_choice, list_judge_runs, save_run
from data.judge.services import open_judge_model
from data.models.prices import find_price, load_prices
from data.store import content_hash

# The dry run: the requests, their cost and duration, before anything is sent.

BEGUN = "judge-begun-"
TWICE = "The same result of several engines for a query is judged once."
MOST_PLANS = 16
DEMO_SECONDS = 0.001
"""Duration of one answer of the demo judge."""


def draw_plan(what: JudgeItems, who: JudgeChoice, followed: Collection[str] = ()) -> tuple[str, ...]:
    """Draw the dry run, then a start button; return the run whose progress is shown here.

    `followed`: runs whose progress is shown elsewhere on the page.
    """
    job = FIELD_JOBS.find(what.key)  # before its result: it may finish in between
    field: JudgeField | None = FIELD_JOBS.results.get(what.key)
    if st.button(
        "Dry run",
        key="judge-dry-run",
        icon=":material/calculate:",
        type="secondary" if field is not None else "primary",
        help="Collects the items on this machine and counts calls, tokens, dollars and minutes. Nothing is sent "
        "to the judge.",
    ):
        if field is None:
            FIELD_JOBS.make(what.key, "Collecting the items", what.make)
        st.rerun()
    if field is not None:
        return _draw_planned(what, who, field, followed)
    if job is not None and job.finished:  # dropped since
        FIELD_JOBS.forget(what.key)
    elif job is not None:
        draw_job(job)
    return ()


def _draw_planned(what: JudgeItems, who: JudgeChoice, field: JudgeField, followed: Collection[str]) -> tuple[str, ...]:
    store = cache.workspace().store
    model = open_judge_model(who.settings.model, preset=who.preset, base_url=who.base_url, only_plan=True)
    judge = make_judge(store, who.settings, model)
    found = _plan(what, who, field, judge)
    with st.container(border=True):
        _draw_counts(found, who)
        _draw_notes(field)
        if not who.is_demo:
            draw_prices(who.settings.model, is_local=who.preset in LOCAL)
        if problem := _problem(who):
            st.error(plain(sentence(problem)), icon=":material/key:")
        begun = BEGUN + content_hash([what.key, judge.judge_key])
        run_id = str(state.value(begun, ""))
        if (job := JUDGING_JOBS.find(run_id)) is not None and not job.is_over:
            if run_id not in followed:
                watch(job, "Pause")
            return (run_id,)
        _draw_start(what, who, field, judge, found, begun=begun, is_able=not problem)
    return ()


def _plan(what: JudgeItems, who: JudgeChoice, field: JudgeField, judge: Judge) -> JudgePlan:
    """Plan the run; counted again only if something relevant has changed."""
    store, kept = cache.workspace().store, cache.kept("judge-plan", MOST_PLANS)
    price = find_price(who.settings.model, load_prices(store))
    answered = store.rows("SELECT count(*) FROM judge_answers WHERE judge_key = ?", [judge.judge_key])
    key = content_hash([what.key, judge.judge_key, repr(who.pace), repr(price), repr(answered)])
    if key not in kept:
        with st.spinner("Counting"):
            kept[key] = plan(
                store,
                judge,
                field,
                price=price,
                per_minute=who.pace.per_minute,
                n_workers=1 if who.is_demo else who.pace.n_workers,
                seconds_per_call=DEMO_SECONDS if who.is_demo else None,
            )
    return kept[key]  # type: ignore[no-any-return]


def _problem(who: JudgeChoice) -> str:
    """Return the reason why the judge can't be used; empty: it can."""
    try:
        open_judge_model(who.settings.model, preset=who.preset, base_url=who.base_url)
    except QueryscapeError as e:
        return str(e)
    return ""


def _draw_counts(found: JudgePlan, who: JudgeChoice) -> None:
    with st.container(horizontal=True, key="judge-counts"):
        _metric("To grade", f"{found.n_candidates:,}", "Results of all engines and queries.")
        _metric("Distinct", f"{found.n_triples:,}", TWICE)
        _metric("Cached", f"{found.n_known:,}", "Already answered by this judge; they cost nothing.")
        _metric(
            "Calls", f"{found.n_calls:,}", f"At most {found.most_calls:,}: unreadable answers are requested again once."
        )
        _metric("Tokens", in_short(found.n_prompt_tokens + found.n_answer_tokens), _tokens(found))
        _metric("Dollars", dollars(found.cost), _dollars_help(found))
        _metric("Time", how_long(found.minutes), "At the service's usual speed.")
    if found.n_without_abstract:
        become = "not judged" if found.n_skipped else "graded by the title alone, counted separately"
        st.caption(f"Without an abstract: {found.n_without_abstract:,}, {become}.")
    if not found.n_calls:
        st.caption("This judge has already graded all of it: no requests needed.")
    else:
        st.caption(
            plain("Nothing was sent yet." if who.is_demo else f"The dry run sends nothing. {_cost(found)}{found.how}")
        )


def _metric(label: str, value: str, text: str) -> None:
    st.metric(label, value, help=text, width="content")


def _tokens(found: JudgePlan) -> str:
    return (
        f"{found.n_prompt_tokens:,} of prompts and {found.n_answer_tokens:,} of answers; at most "
        f"{found.most_prompt_tokens:,} and {found.most_answer_tokens:,}."
    )


def _cost(found: JudgePlan) -> str:
    if found.cost is None:
        return "The model's price is unknown. "
    return f"About ${found.cost[0]:,.2f}, at most ${found.cost[1]:,.2f}. "


def _dollars_help(found: JudgePlan) -> str:
    if found.cost is None:
        return "The model's price is unknown: enter it below."
    return f"At most {found.cost[1]:,.2f}, if every answer is requested twice and has the maximum length."


def _draw_notes(field: JudgeField) -> None:
    if field.notes:
        with st.expander(f"Notes ({len(field.notes)})", icon=":material/info:"):
            st.markdown("\n".join(f"- {plain(sentence(note))}" for note in field.notes))


def _draw_start(
    what: JudgeItems, who: JudgeChoice, field: JudgeField, judge: Judge, found: JudgePlan, *, begun: str, is_able: bool
) -> None:
    name_at, button_at = st.columns([0.7, 0.3], vertical_alignment="bottom")
    name = name_at.text_input(
        "Name of the run", field.name[:LONGEST_NAME], key=f"judge-name-{begun}", max_chars=LONGEST_NAME
    )
    is_sure = not found.is_large or _confirm(found, begun)
    label = f"Judge {found.n_calls:,}" if found.n_calls else "Open the results"
    if button_at.button(
        label,
        key="judge-start",
        type="primary",
        icon=":material/gavel:" if found.n_calls else ":material/bar_chart:",
        disabled=not is_able or not is_sure,
        width="stretch",
    ):
        run_id = _start(what, who, field, judge, name.strip() or field.name)
        if found.n_calls:
            state.set_value(begun, run_id)
        else:
            open_results(run_id)
        st.rerun()


def _confirm(found: JudgePlan, key: str) -> bool:
    cost = "at an unknown price" if found.cost is None else f"about ${found.cost[0]:,.2f}"
    st.warning(
        plain(f"These are {found.n_calls:,} calls, {cost}. More than {MOST_UNASKED:,} calls need your confirmation."),
        icon=":material/warning:",
    )
    return bool(st.checkbox(f"Yes, make {found.n_calls:,} calls", key=f"judge-sure-{key}-{found.n_calls}"))


def _start(what: JudgeItems, who: JudgeChoice, field: JudgeField, judge: Judge, name: str) -> str:
    """Save the run and start it; an existing run is resumed, at the rate chosen now."""
    store, document = cache.workspace().store, {**what.document, **who.document}
    with st.spinner("Saving the items"):
        run_id = save_run(store, name, judge, field, document)
        keep_choice(store, run_id, document)
    start_judging(find_judge_run(store, run_id))
    return run_id


# The first visit: one click judges the demo collection with the demo judge, offline.

RETRIEVERS = ("bm25", "dense:lsa")
K = 10


def draw_first() -> tuple[str, ...]:
    """Draw a card with one button, or the progress, then the results; return the run that it follows."""
    if not _is_wanted():
        return ()
    gathering = FIRST_JOBS.find()
    run_id = gathering.outcome[0] if gathering is not None and gathering.outcome else None
    with st.container(border=True, key="judge-first"):
        st.header(":material/science: See how it works", anchor=False)
        st.write(
            "A judge grades search results: how relevant is this publication to this query, from 0 to 100? With "
            "grades you can compare engines when no relevance judgments exist. Check the judge "
            "itself first."
        )
        _draw_button(gathering, run_id)
        st.caption(f"Keyword search against semantic search, offline and without a key. {DEMO_SENTENCE}")
    return () if run_id is None else (run_id,)


def _is_wanted() -> bool:
    return bool(state.value(STARTED)) or not list_judge_runs(cache.workspace().store)


def _draw_button(gathering: Job | None, run_id: str | None) -> None:
    if gathering is None:
        st.button(
            "Judge the demo collection",
            key="judge-demo",
            type="primary",
            icon=":material/gavel:",
            on_click=start_first,
        )
        return
    job = gathering if run_id is None or not gathering.finished else JUDGING_JOBS.find(run_id) or gathering
    if not job.is_over:
        watch(job, "Cancel" if job is gathering else "Pause")
    elif not job.finished:
        state.set_value(STARTED, False)
        how_it_ended(job)
    else:
        FIRST_JOBS.forget()
        state.set_value(STARTED, False)
        state.set_value(NEXT_VIEW, "Results")
        if run_id is not None:
            JUDGING_JOBS.forget(run_id)
            state.set_value(RUN, run_id)
        st.rerun()


def start_first() -> None:
    """Start the demo run in the background, from collecting items to grades."""
    state.set_value(STARTED, True)
    FIRST_JOBS.start("", "Collecting the items", begin_demo)


def begin_demo(on_stage: OnStage) -> tuple[str]:
    """Run the demo judge on two retrievers over the demo collection and return its run; existing parts are reused."""
    workspace = cache.workspace()
    if not is_stored(workspace.store, DEMO_COLLECTION):
        on_stage("writing the demo collection")
        bring_benchmark(workspace)
        cache.collections_changed()
    field = retriever_field(workspace, DEMO_COLLECTION, RETRIEVERS, k=K, on_stage=on_stage)
    judge = make_judge(workspace.store, JudgeSettings(DEMO_MODEL, DEFAULT_RUBRIC), open_judge_model(DEMO_MODEL))
    document = {"source": "retrievers", "collection": DEMO_COLLECTION, "retrievers": list(RETRIEVERS), "k": K}
    run_id = save_run(workspace.store, field.name, judge, field, document)
    start_judging(find_judge_run(workspace.store, run_id))
    return (run_id,)


# The view "Run": the items, the judge, the dry run, and existing runs.

SOURCES: Mapping[str, Callable[[], JudgeItems | None]] = {
    "Retrievers": choose_retrieved,
    "Query versions": choose_versions,
    "Own queries": choose_own,
    "A file of results": choose_file,
}
SOURCE_WORDS = {
    "Retrievers": "Retrievers answer the queries of a collection.",
    "Query versions": "Publications retrieved by a topic's query versions are graded against a research question.",
    "Own queries": "Retrievers answer your own queries.",
    "A file of results": "A table of results from any search engine.",
}
FORM_KEYS = (
    *("judge_source", "collection", "split", "retrievers", "by_model", "judge_k", "judge_n", "judge_by", "judge_seed"),
    *("judge_documents", "judge_topics", "judge_versions", "judge_take", "judge-pasted", "judge_service"),
    *("judge_rubric", "judge_order", "judge_without", "judge_repeat", "judge_workers", "judge_rate"),
    *(f"{what}{service}" for service in SERVICES for what in BY_SERVICE),
)


def keep_choices() -> None:
    """Keep the form's values while another view is open."""
    for key in FORM_KEYS:
        state.hold(key)


def draw_run() -> None:
    if locked := why_locked():
        st.info(locked, icon=":material/lock:")
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
    st.header("Items to judge", anchor=False)
    source = choose_view(SOURCES, key="judge_source", label="Items to judge")
    st.caption(SOURCE_WORDS[source])
    what = SOURCES[source]()
    st.header("Judge model", anchor=False)
    who = choose_judge()
    if what is not None and who is not None:
        return draw_plan(what, who, followed)
    return ()
