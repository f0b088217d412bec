"""The view "Refine": a string is changed one keyword at a time, and every change is judged on both halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import streamlit as st

from core.writer.types import Budget, Step
from dashboard import state
from dashboard.components.mount import current_theme
from dashboard.figures.writer.rounds import round_rows, rounds_figure
from dashboard.jobs import Job
from dashboard.messages import sentence
from dashboard.sections.figure import draw_figure
from dashboard.sections.library.locked import why_locked
from dashboard.sections.versions.score_table import signed
from dashboard.sections.waiting import watch
from dashboard.sections.writer.brief.texts import fill
from dashboard.sections.writer.candidates.ranking import SCORE, TOLD, grouped, in_words, names
from dashboard.sections.writer.candidates.step import draw_step
from dashboard.sections.writer.opened import NEXT_FROM, opened
from dashboard.sections.writer.run.work import forget, is_at_work, job_of, refining_of, start_refining
from dashboard.words import many, plain
from data.writer.keeping import Writing

ABOUT_IT = (
    "The string is run; what it finds and what it misses is read; additions and removals are proposed and tried. The "
    f"best change is kept, as long as {SCORE} on the core publications in use rises. Each change is a version with its "
    "parent."
)
FROM, ROUNDS, CALLS, LAST = "writer_from", "writer-refine-rounds", "writer-refine-calls", "writer_refined"
MOST_ROUNDS, MOST_CALLS = 50, 1_000


def draw_refine(writing_id: str | None) -> None:
    """From which string, within which budget; then what every round changed."""
    writing = opened(writing_id)
    if writing is None:
        return
    steps = [step for _, members in grouped(writing) for step in members if step.text]
    if not steps:
        st.info("This writing has no string to refine yet. Go on with it in the view Write.")
        return
    st.caption(ABOUT_IT)
    step = _draw_start(writing, steps)
    if told := how_it_ended(writing):
        st.info(plain(told), icon=":material/flag:")
    if chains := chains_of(writing):
        _draw_chain(writing, chains)
    else:
        draw_step(writing, step, key="to-refine", refine=False)


def how_it_ended(writing: Writing) -> str:
    """What the last refinement says, with the string by its name; empty: nothing was refined."""
    told = next((note for note in reversed(writing.notes) if TOLD.match(note)), "")
    return in_words(told, names(writing.steps))


def _draw_start(writing: Writing, steps: Sequence[Step]) -> Step:
    """The string that would be refined."""
    job = refining_of(writing.writing_id)
    from_at, rounds_at, calls_at, button_at = st.columns([0.46, 0.16, 0.16, 0.22], vertical_alignment="bottom")
    step = _choose_from(from_at, writing, steps)
    fill(ROUNDS, max(writing.budget.most_rounds, 1))
    fill(CALLS, writing.budget.most_calls)
    rounds = rounds_at.number_input("Rounds", 1, MOST_ROUNDS, key=ROUNDS, help="At most.", persist_state="session")
    calls = calls_at.number_input(
        "Questions",
        0,
        MOST_CALLS,
        key=CALLS,
        persist_state="session",
        help="To the models of this writing, at most. 0: corpus statistics alone propose what to change.",
    )
    budget = replace(writing.budget, most_rounds=int(rounds), most_calls=int(calls))
    button_at.button(
        "Refine",
        key="writer-refine",
        icon=":material/trending_up:",
        type="primary",
        disabled=why_locked() is not None or is_at_work(job) or is_at_work(job_of(writing.topic_id)),
        help=why_locked() or limits(budget),
        on_click=start_refining,
        args=(writing.writing_id, step.number, budget),
        width="stretch",
    )
    _draw_job(job)
    return step


def limits(budget: Budget) -> str:
    """What a refined string has to keep."""
    said = [f"at least {budget.min_recall:.0%} of the core publications in use"] if budget.min_recall else []
    if budget.most_publications is not None:
        said.append(f"at most {budget.most_publications:,} publications")
    return f"Keeps {' and '.join(said)}." if said else "No least recall and no largest size were asked for."


def _choose_from(where: st.delta_generator.DeltaGenerator, writing: Writing, steps: Sequence[Step]) -> Step:
    named, best = names(steps), writing.best
    if (wanted := state.said(NEXT_FROM)) in named:
        state.say(FROM, wanted)
    state.say(NEXT_FROM, None)
    if state.said(FROM) not in named:
        state.say(FROM, best.number if best is not None else next(iter(named)))
    number = where.selectbox(
        "From the string", list(named), key=FROM, format_func=lambda each: named.get(each, str(each))
    )
    return next(step for step in steps if step.number == number)


def _draw_job(job: Job | None) -> None:
    if job is None or job.finished:
        return
    if not job.is_over:
        watch(job, "Stop")
        return
    if job.error:
        st.error(plain(sentence(job.error)), icon=":material/error:")
    else:
        st.info("Stopped. The rounds that were finished are kept.", icon=":material/stop_circle:")
    st.button("Close", key="writer-refine-ended", type="tertiary", on_click=forget, args=(job,))


def chains_of(writing: Writing) -> list[list[Step]]:
    """Each refinement from the string that it began with, the latest first."""
    by_number = {step.number: step for step in writing.steps}
    refined = [step for step in writing.steps if step.round is not None]
    followed = {step.parent for step in refined}
    chains = []
    for last in refined:
        if last.number in followed:
            continue
        chain = [last]
        while chain[-1].round is not None and chain[-1].parent in by_number:
            chain.append(by_number[chain[-1].parent])
        chains.append(chain[::-1])
    return chains[::-1]


def _draw_chain(writing: Writing, chains: Sequence[list[Step]]) -> None:
    named = {str(chain[-1].number): chain for chain in chains}
    words = names([step for chain in chains for step in chain])
    key = next(iter(named))
    if len(chains) > 1:
        state.settle_named(LAST, list(named))
        key = str(
            st.selectbox(
                "Refinement",
                list(named),
                key=LAST,
                format_func=lambda each: f"From {words[named[each][0].number]}: {many(len(named[each]) - 1, 'change')}",
            )
        )
    chain = named[key]
    left, right = st.columns([0.54, 0.46], gap="large")
    with right:
        draw_figure(
            rounds_figure(chain, score=SCORE, theme=current_theme()),
            key="writer-rounds",
            name=f"{writing.topic_id} refinement",
            reading="where the held-out line stays behind, the string was fitted to the core publications in use.",
            rows=round_rows(chain),
        )
    with left:
        st.caption(f"What became of {SCORE}, change by change: as predicted on the used half, and as it came.")
        st.dataframe(change_rows(chain), hide_index=True, key="writer-changes")
        draw_step(writing, chain[-1], key="refined", refine=False)


def change_rows(chain: Sequence[Step]) -> list[dict[str, str | int | float | None]]:
    """What each round changed: as predicted, and as it came."""
    rows: list[dict[str, str | int | float | None]] = []
    for before, step in pairwise(chain):
        rows.append(
            {
                "Round": step.round,
                "Change": step.made_by,
                "Predicted": "–" if step.predicted is None else signed(step.predicted),
                "Used": _change(before.judged.used.f_beta, step.judged.used.f_beta),
                "Held out": _change(
                    None if before.judged.held_out is None else before.judged.held_out.f_beta,
                    None if step.judged.held_out is None else step.judged.held_out.f_beta,
                ),
                "Publications": step.judged.n_retrieved,
                "Version": step.label or "–",
            }
        )
    return rows


def _change(before: float | None, after: float | None) -> str:
    return "–" if before is None or after is None else signed(after - before)
