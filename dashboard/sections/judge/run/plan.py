"""The dry run: what would be asked, what that costs and how long it takes, before anything is sent."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from core.errors import QueryscapeError
from core.judging.types import Field
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.judge.run.listed import open_results
from dashboard.sections.judge.run.prices import draw_prices
from dashboard.sections.judge.run.sums import dollars, how_long, in_short
from dashboard.sections.judge.run.what import What
from dashboard.sections.judge.run.who import LOCAL, Who
from dashboard.sections.judge.run.work import find_field, gather, job_of, start_judging
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.words import plain
from data.judging.demo_judge import open_judge_model
from data.judging.keeping.runs import LONGEST_NAME, Judge, find_judge_run, keep_choice, save_run
from data.judging.planning import MOST_UNASKED, Plan, plan
from data.judging.prices import load_prices
from data.judging.running.asking import make_judge
from data.store import content_hash

BEGUN = "judge-begun-"
TWICE = "What two engines found for the same query is asked once."
MOST_PLANS = 16
DEMO_SECONDS = 0.001
"""Of one answer of the demo judge."""


def draw_plan(what: What, who: Who, followed: Collection[str] = ()) -> tuple[str, ...]:
    """First the dry run, then a button that begins; the run whose progress is shown here.

    `followed`: those whose progress is shown elsewhere on the page.
    """
    field, job = find_field(what)
    if st.button(
        "Dry run",
        key="judge-dry-run",
        icon=":material/calculate:",
        type="secondary" if field is not None else "primary",
        help="Gathers what is to be judged on this machine and counts calls, tokens, dollars and minutes. The judge is "
        "asked nothing.",
    ):
        gather(what)
        st.rerun()
    if field is not None:
        return _draw_planned(what, who, field, followed)
    if job is not None and job.finished:  # let go of since
        cache.jobs().forget(job.key)
    elif job is not None and job.is_over:
        how_it_ended(job)
    elif job is not None:
        watch(job)
    return ()


def _draw_planned(what: What, who: Who, field: Field, followed: Collection[str]) -> tuple[str, ...]:
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
        run_id = str(state.said(begun, ""))
        if (job := job_of(run_id)) is not None and not job.is_over:
            if run_id not in followed:
                watch(job, "Pause")
            return (run_id,)
        _draw_start(what, who, field, judge, found, begun=begun, is_able=not problem)
    return ()


def _plan(what: What, who: Who, field: Field, judge: Judge) -> Plan:
    """Counted anew only where something that counts has changed."""
    store, kept = cache.workspace().store, cache.kept("judge-plan", MOST_PLANS)
    price = load_prices(store).get(who.settings.model)
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


def _problem(who: Who) -> str:
    """Why the judge can't be asked; empty: it can."""
    try:
        open_judge_model(who.settings.model, preset=who.preset, base_url=who.base_url)
    except QueryscapeError as e:
        return str(e)
    return ""


def _draw_counts(found: Plan, who: Who) -> None:
    with st.container(horizontal=True, key="judge-counts"):
        _metric("To grade", f"{found.n_candidates:,}", "Results of all engines and queries.")
        _metric("Different", f"{found.n_triples:,}", TWICE)
        _metric("Known", f"{found.n_known:,}", "Answered by this very judge before; nothing is paid for them.")
        _metric("Calls", f"{found.n_calls:,}", f"At most {found.most_calls:,}: what can't be read is asked again once.")
        _metric("Tokens", in_short(found.n_prompt_tokens + found.n_answer_tokens), _tokens(found))
        _metric("Dollars", dollars(found.cost), _dollars_help(found))
        _metric("Time", how_long(found.minutes), "If the service keeps its pace.")
    if found.n_without_abstract:
        become = "not asked about" if found.n_skipped else "graded by the title alone, and counted apart"
        st.caption(f"Without an abstract: {found.n_without_abstract:,}, {become}.")
    if not found.n_calls:
        st.caption("This judge has answered all of it before: nothing is asked.")
    else:
        st.caption(
            plain("Nothing was asked yet." if who.is_demo else f"The dry run sends nothing. {_cost(found)}{found.how}")
        )


def _metric(label: str, value: str, text: str) -> None:
    st.metric(label, value, help=text, width="content")


def _tokens(found: Plan) -> str:
    return (
        f"{found.n_prompt_tokens:,} of prompts and {found.n_answer_tokens:,} of answers; at most "
        f"{found.most_prompt_tokens:,} and {found.most_answer_tokens:,}."
    )


def _cost(found: Plan) -> str:
    if found.cost is None:
        return "The model's price is not known. "
    return f"About ${found.cost[0]:,.2f}, at most ${found.cost[1]:,.2f}. "


def _dollars_help(found: Plan) -> str:
    if found.cost is None:
        return "The model's price is not known: give it below."
    return f"At most {found.cost[1]:,.2f}, if every answer is asked for twice and as long as it may be."


def _draw_notes(field: Field) -> None:
    if field.notes:
        with st.expander(f"What to know about it ({len(field.notes)})", icon=":material/info:"):
            st.markdown("\n".join(f"- {plain(sentence(note))}" for note in field.notes))


def _draw_start(what: What, who: Who, field: Field, judge: Judge, found: Plan, *, begun: str, is_able: bool) -> None:
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
            state.say(begun, run_id)
        else:
            open_results(run_id)
        st.rerun()


def _confirm(found: Plan, key: str) -> bool:
    """More calls than anybody means by mistake are confirmed once more."""
    cost = "at a price that is not known" if found.cost is None else f"about ${found.cost[0]:,.2f}"
    st.warning(
        plain(f"These are {found.n_calls:,} calls, {cost}. More than {MOST_UNASKED:,} are only made if you say so."),
        icon=":material/warning:",
    )
    return bool(st.checkbox(f"Yes, make {found.n_calls:,} calls", key=f"judge-sure-{key}-{found.n_calls}"))


def _start(what: What, who: Who, field: Field, judge: Judge, name: str) -> str:
    """The run as it is kept, at work: one that was there goes on, as fast as is chosen now."""
    store, document = cache.workspace().store, {**what.document, **who.document}
    with st.spinner("Keeping what is to be judged"):
        run_id = save_run(store, name, judge, field, document)
        keep_choice(store, run_id, document)
    start_judging(find_judge_run(store, run_id))
    return run_id
