"""The view Rubric: what grades mean, what the judge is told, and rubrics of one's own."""

from __future__ import annotations

import streamlit as st

from core.judging.reading import VERSION, prompt_text
from core.judging.types import HIGHEST_CONFIDENCE, ORDERS, Order, Rubric
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.sections.judge.rubric.levels import levels_html
from dashboard.sections.judge.rubric.own import CHOSEN, NEXT, draw_adding, draw_deleting, draw_undo
from dashboard.sections.judge.run.who import ORDER_WORDS
from dashboard.sections.judge.run.widgets import choose_named
from dashboard.words import plain
from data.judging.export.qrels import prompt_hash
from data.judging.rubrics import load_rubrics, rubric_text

ORDER = "rubric_order"
HOW_READ = f"""\
Only a whole number that stands among the grades counts. It is read from one JSON object, bare or fenced. 84, 4.5, "4" \
in quotes, two grades in one answer or prose are no grade: the judge is asked once more and told what was wrong, and \
if that fails too, there is none. Nothing is divided, rounded or guessed, and no failure counts as 0. A confidence \
outside 0 to {HIGHEST_CONFIDENCE} is left out, and the grade stays."""
HOW_FENCED = """\
Query, title and abstract stand between marks with a code that is made of these very texts and stands in none of them, \
so no text can end its own part. Signs that nobody sees, and marks that chat servers take for their own, are defused."""


def draw_rubric() -> None:
    """One rubric whole, and the way to others."""
    rubrics = load_rubrics(cache.workspace().store)
    if (wanted := state.said(NEXT)) in rubrics:
        state.say(CHOSEN, wanted)
        state.say(NEXT, None)
    chosen_at, own_at = st.columns([0.62, 0.38], vertical_alignment="bottom")
    names = {rubric_id: rubric.name for rubric_id, rubric in rubrics.items()}
    rubric = rubrics[choose_named(chosen_at, "Rubric", names, CHOSEN)]
    with own_at:
        draw_adding(rubric)
    draw_undo()
    _draw_head(rubric)
    st.html(levels_html(rubric, current_theme()))
    st.caption(_scale_words(rubric))
    if rubric.weigh:
        st.markdown("**What the judge is to weigh**")
        st.markdown("\n".join(f"- {plain(rule)}" for rule in rubric.weigh))
    _draw_prompt(rubric)
    with st.expander("How answers are read", icon=":material/fact_check:"):
        st.markdown(plain(HOW_READ))
        st.markdown(plain(HOW_FENCED))


def _draw_head(rubric: Rubric) -> None:
    st.markdown(plain(rubric.task))
    with st.container(horizontal=True):
        st.button(
            "Judge with it",
            key="rubric-use",
            icon=":material/gavel:",
            help="Opens the view Run with this rubric chosen.",
            on_click=_use,
            args=(rubric.rubric_id,),
        )
        st.download_button(
            "Rubric file",
            rubric_text(rubric),
            file_name=f"{rubric.rubric_id}.toml",
            mime="application/toml",
            key="rubric-file",
            icon=":material/download:",
            on_click="ignore",
            help="To change it and add it as one of your own.",
        )
        draw_deleting(rubric)


def _use(rubric_id: str) -> None:
    state.say("judge_rubric", rubric_id)
    state.say("judge", "Run")


def _scale_words(rubric: Rubric) -> str:
    low, high = rubric.points[0], rubric.points[-1]
    factor = f" × {rubric.shown_factor}" if rubric.shown_factor > 1 else ""
    shown = f"{rubric.shown(low):g} to {rubric.shown_max:g}"
    return f"The judge gives {low} to {high} and nothing between. Shown is the grade{factor}: {shown}."


def _draw_prompt(rubric: Rubric) -> None:
    with st.expander("The whole prompt", icon=":material/description:", key="rubric-prompt"):
        state.settle_named(ORDER, ORDERS)
        chosen = st.segmented_control(
            "Answers with", ORDERS, key=ORDER, format_func=ORDER_WORDS.__getitem__, required=True
        )
        state.write_in_link(ORDER, [str(chosen)] if chosen != ORDERS[0] else [])
        order: Order = "reason_first" if chosen == "reason_first" else "score_first"
        text = prompt_text(rubric, order)
        st.caption(
            plain(
                f"Version {VERSION}, hash {prompt_hash(text)}. Answers are kept under this hash: another word in it is "
                "another judge, and nothing that it was told before counts for it."
            )
        )
        st.code(text, language=None, wrap_lines=True, height=420)
        st.download_button(
            "Prompt file",
            text,
            file_name=f"{VERSION}.{rubric.rubric_id}.{order}.txt",
            mime="text/plain",
            key="rubric-prompt-file",
            icon=":material/download:",
            on_click="ignore",
        )
