"""The dry run: what would be asked, what that costs and how long it takes, before anything is sent."""

from __future__ import annotations

import streamlit as st

from dashboard.messages import sentence
from dashboard.sections.judge.run.prices import draw_prices
from dashboard.sections.judge.run.sums import dollars, how_long, in_short
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.sections.writer.run.work import planned, start_plan
from dashboard.words import plain
from data.judging.demo_judge import DEMO_MODEL
from data.writer.keeping import Wanted
from data.writer.writing import Plan, PlanLine

DEMO_FREE = "The demo runs on this machine and costs nothing."


def draw_plan(wanted: Wanted, *, is_paid: bool) -> Plan | None:
    """The counts, once they were asked for; None: not yet."""
    found, job = planned(wanted)
    if found is None:
        if job is not None and not job.is_over:
            watch(job)
        elif job is not None and not job.finished:
            how_it_ended(job)
        return None
    with st.container(border=True, key="writer-plan"):
        _draw_counts(found)
        for note in found.notes:
            st.caption(plain(sentence(note)))
        if not is_paid:
            st.caption(DEMO_FREE)
        if found.lines:
            with st.expander(f"Every question ({len(found.lines):,})"):
                st.dataframe([_row(line) for line in found.lines], hide_index=True, key="writer-plan-lines")
        for recipe in {r.model: r for r in wanted.recipes if not r.is_statistics and r.model != DEMO_MODEL}.values():
            draw_prices(recipe.model)
            break
    return found


def draw_dry_run(wanted: Wanted, *, is_first: bool) -> None:
    """The button that counts."""
    st.button(
        "Dry run",
        key="writer-dry-run",
        icon=":material/calculate:",
        type="primary" if is_first else "secondary",
        help="Counts questions, tokens, dollars and minutes on this machine. Nothing is sent.",
        on_click=start_plan,
        args=(wanted,),
    )


def _draw_counts(found: Plan) -> None:
    with st.container(horizontal=True, gap="large", key="writer-counts"):
        _metric("Questions", f"{found.n_calls:,}", "To models, each about one reading by itself.")
        _metric("Known", f"{found.n_known:,}", "Answered before: nothing is sent or paid for them.")
        _metric(
            "Tokens",
            in_short(found.n_prompt_tokens + found.n_answer_tokens),
            f"{found.n_prompt_tokens:,} of questions and {found.n_answer_tokens:,} of answers.",
        )
        _metric("Dollars", dollars(found.cost), _dollars_help(found))
        _metric("Time", how_long(found.minutes), "If the service keeps its pace.")


def _metric(label: str, value: str, text: str) -> None:
    st.metric(label, value, help=text, width="content")


def _dollars_help(found: Plan) -> str:
    if found.cost is None:
        return "The price of a model is not known: give it below."
    return f"At most {found.cost[1]:,.2f}, if every answer is asked for twice and as long as it may be."


def _row(line: PlanLine) -> dict[str, str | int]:
    return {
        "Model": line.model,
        "Mode": line.mode,
        "Seed": line.seed,
        "Reading": line.reading,
        "Publications": line.n_publications,
        "Tokens": line.n_prompt_tokens + line.n_answer_tokens,
        "Answered before": "yes" if line.is_known else "no",
    }
