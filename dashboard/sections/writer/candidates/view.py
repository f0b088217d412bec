"""The view "Candidates": how every string stands, recall against size, and one string looked at."""

from __future__ import annotations

import streamlit as st

from core.writer.gains import gain_sentence, gains_sentence
from core.writer.types import Step
from dashboard import state
from dashboard.components.mount import current_theme, mount_part
from dashboard.figures.writer.pareto import pareto_of_steps, pareto_step_rows
from dashboard.sections.figure import draw_figure
from dashboard.sections.writer.candidates.ranking import SCORE, called, grouped, in_words, names
from dashboard.sections.writer.candidates.step import draw_step
from dashboard.sections.writer.candidates.table import table_html, table_rows
from dashboard.sections.writer.opened import opened
from dashboard.words import plain
from data.writer.keeping import Writing

CHOSEN = "writer_candidate"
RANKED_BY = (
    f"Strings are ranked by {SCORE} on the core publications in use, which whoever wrote them has seen. Those held out "
    "they were not told of: a string that is much worse there was fitted to the others."
)


def draw_candidates(writing_id: str | None) -> None:
    """Table, picture, and the string that is looked at."""
    writing = opened(writing_id)
    if writing is None:
        return
    steps = [step for _, members in grouped(writing) for step in members]
    if not steps:
        st.info("This writing has no string yet. Go on with it in the view Write.")
        return
    first, rest = verdict(writing)
    st.markdown(f"**{plain(first)}** {plain(rest)}")
    place = st.empty()
    for note in writing.notes:
        if note not in rest:
            st.caption(plain(in_words(note, names(steps))))
    if any(step.judged.held_out for step in steps):
        st.caption(RANKED_BY)
    _draw_file(writing, steps)
    left, right = st.columns([0.54, 0.46], gap="large")
    with left:
        step = _choose(writing, steps)
        draw_step(writing, step, key="candidate")
    place.html(table_html(writing, current_theme(), chosen=step.number))
    with right:
        _draw_pareto(writing, steps, step)


def verdict(writing: Writing) -> tuple[str, str]:
    """Which string is best, and what the held-out half lets one say of it and of all of them."""
    best = writing.best
    if best is None:
        if len(writing.steps) < 2:
            return "There is no string beside the topic's name yet.", ""
        return (
            "No string came of it.",
            "All keywords that were proposed stand aside: take what is right in the view Sort.",
        )
    halved = best.judged.held_out is not None
    others = gains_sentence(writing.steps) if halved and len(writing.steps) > 2 else ""
    return f"{called(best)} is best on the core publications in use.", f"{gain_sentence(best)} {others}".strip()


def _choose(writing: Writing, steps: list[Step]) -> Step:
    """Which string is looked at: the best at first; in the link."""
    named = {str(number): name for number, name in names(steps).items()}
    best = writing.best
    if best is not None and not state.is_chosen(CHOSEN):
        state.say(CHOSEN, str(best.number))
    state.settle_named(CHOSEN, list(named))
    chosen = str(st.selectbox("String", list(named), key=CHOSEN, format_func=lambda each: named.get(each, each)))
    state.write_in_link(CHOSEN, [chosen])
    return next(step for step in steps if str(step.number) == chosen)


def _draw_pareto(writing: Writing, steps: list[Step], chosen: Step) -> None:
    nothing = [called(step) for step in steps if not step.judged.n_retrieved]
    draw_figure(
        pareto_of_steps(steps, names(steps), writing.budget, chosen=chosen.number, theme=current_theme()),
        key="writer-pareto",
        name=f"{writing.topic_id} strings, recall against size",
        reading="no string lies above and to the left of the stair; whiskers are 95 % confidence intervals of recall.",
        rows=pareto_step_rows(steps, names(steps)),
        notes=[f"Not drawn, because nothing was retrieved: {', '.join(nothing)}."] if nothing else [],
    )


def _draw_file(writing: Writing, steps: list[Step]) -> None:
    rows = table_rows(steps)
    columns = list(rows[0])
    document = {
        "target": None,
        "name": f"{writing.topic_id} candidates",
        "description": "All strings of one writing with their scores.",
        "columns": columns,
        "rows": [[row[column] for column in columns] for row in rows],
    }
    mount_part("figure_files", document, key="files-writer-candidates")
