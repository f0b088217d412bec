"""The Rubric view: the meaning of each grade, the judge's instructions, and custom rubrics."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import streamlit as st

from core.errors import InputError, QueryscapeError
from core.judge.judgments import HIGHEST_CONFIDENCE, ORDERS, Grade, Order, Rubric
from core.judge.prompts import VERSION, prompt_text
from core.judge.rubric import LONGEST_NAME
from dashboard import cache, state
from dashboard.judge.model import ORDER_WORDS
from dashboard.kit.components import current_theme
from dashboard.kit.link_controls import choose_named, choose_one
from dashboard.kit.theme import COLOURS, Theme
from dashboard.messages import guarded
from dashboard.words import plain
from data.judge.export import prompt_hash
from data.judge.rubric import (
    LONGEST_FILE,
    delete_rubric,
    is_ours,
    load_rubrics,
    read_rubric,
    rubric_text,
    save_rubric,
)

# The levels of a rubric as a ladder, the highest at the top.


def levels_html(rubric: Rubric, theme: Theme) -> str:
    rows = "".join(_row(rubric, grade) for grade in reversed(rubric.grades))
    label = escape(f"Grades of {rubric.name}", quote=True)
    head = '<tr><th scope="col">Score</th><th scope="col">Points</th><th scope="col">Grade</th></tr>'
    return f'{_style(theme)}<table class="qs-levels" aria-label="{label}"><thead>{head}</thead>{rows}</table>'


def _row(rubric: Rubric, grade: Grade) -> str:
    low, high = rubric.points[0], rubric.points[-1]
    share = 100 * (grade.points - low) / (high - low)
    return (
        f'<tr><td class="score"><b>{rubric.shown(grade.points):g}</b>'
        f'<i aria-hidden="true"><i style="width:{share:.0f}%"></i></i></td>'
        f'<td class="points">{grade.points}</td>'
        f"<td><b>{escape(grade.name)}</b><span>{escape(grade.text)}</span></td></tr>"
    )


def _style(theme: Theme) -> str:
    """Return static rules; they never contain user text."""
    c = COLOURS[theme]
    return f"""<style>
.qs-levels {{ border-collapse: collapse; width: 100%; max-width: 62rem; font-size: 0.92rem; }}
.qs-levels th {{ text-align: left; font-weight: 400; font-size: 0.8rem; color: {c["faint"]}; padding: 2px 10px 4px 0; }}
.qs-levels td {{
  border-top: 1px solid {c["grid"]}; padding: 7px 10px 7px 0; vertical-align: top; overflow-wrap: anywhere;
}}
.qs-levels .score {{ width: 4.2em; font-variant-numeric: tabular-nums; }}
.qs-levels .score > b {{ font-size: 1.05rem; }}
.qs-levels .score > i {{ display: block; height: 4px; background: {c["grid"]}; margin-top: 3px; }}
.qs-levels .score > i > i {{ display: block; height: 4px; background: {c["relevant"]}; }}
.qs-levels .points {{ width: 3.4em; color: {c["faint"]}; font-variant-numeric: tabular-nums; }}
.qs-levels td > span {{ display: block; color: {c["faint"]}; line-height: 1.35; }}
</style>"""


# Custom rubrics: added from a file or a text, and deleted.

CHOSEN = "rubric"
NEXT = "rubric-next"
"""The rubric to choose the next time the view is drawn."""
MINE = ", my own"
"""Suffix of a copy's name."""
MOST_MB = 1
ADDED = "rubric-added"
DELETED = "rubric-deleted"
FORM = (
    "A rubric has a rubric_id, a name, a task, and grades with points, name and text; points rise by one. "
    "Rules to weigh and a shown_factor are optional. It is easiest to edit the rubric shown here."
)


def draw_adding(shown: Rubric) -> None:
    """Draw the upload of a file or a text; an invalid one is reported and not stored."""
    n = state.flag(ADDED)
    with st.popover("Add a rubric", icon=":material/add:", width="stretch", key=f"rubric-adding-{n}"):
        st.caption(plain(FORM))
        file = st.file_uploader("A rubric file (TOML or JSON)", key=f"rubric-upload-{n}", max_upload_size=MOST_MB)
        key = f"rubric-text-{n}"
        st.button(
            "Start from the current rubric",
            key="rubric-begin",
            icon=":material/content_copy:",
            type="tertiary",
            on_click=_begin,
            args=(key, shown),
        )
        typed = st.text_area("Or as text", key=key, height=260, max_chars=LONGEST_FILE)
        place = st.container()
        if st.button("Check and add", key="rubric-add", type="primary", disabled=file is None and not typed.strip()):
            with place, guarded():
                text = typed if file is None else _text_of(file.getvalue())
                _add(text)


def _begin(key: str, shown: Rubric) -> None:
    there = load_rubrics(cache.workspace().store)
    stem = shown.rubric_id.removeprefix("my-")[:50]
    ids = (f"my-{stem}" if n == 1 else f"my-{stem}-{n}" for n in range(1, len(there) + 2))
    rubric_id = next(each for each in ids if each not in there)
    name = f"{shown.name.removesuffix(MINE)[: LONGEST_NAME - len(MINE)]}{MINE}"
    state.set_value(key, rubric_text(replace(shown, rubric_id=rubric_id, name=name)))


def _text_of(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise InputError("the rubric file is not UTF-8 text: save it as UTF-8 and add it again") from e


def _add(text: str) -> None:
    rubric = save_rubric(cache.workspace().store, read_rubric(text))
    state.raise_flag(ADDED)
    state.set_value(NEXT, rubric.rubric_id)
    state.say_once("judge", f'Rubric "{rubric.name}" was added. You can choose it in the view Run.')
    st.rerun()


def draw_deleting(rubric: Rubric) -> None:
    """Draw the delete button of rubrics that users added."""
    if not is_ours(rubric.rubric_id):
        st.button(
            "Delete",
            key="rubric-delete",
            icon=":material/delete:",
            type="tertiary",
            help="Existing judgments are kept together with the rubric.",
            on_click=_delete,
            args=(rubric,),
        )


def _delete(rubric: Rubric) -> None:
    try:
        delete_rubric(cache.workspace().store, rubric.rubric_id)
    except QueryscapeError as e:
        state.say_once("judge", str(e))
    else:
        state.set_value(DELETED, rubric)


def draw_undo() -> None:
    """Draw the undo of a deletion, until the next change."""
    deleted = state.value(DELETED)
    if not isinstance(deleted, Rubric):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(plain(f"{deleted.name} was deleted."), width="content")
        st.button("Undo", key="rubric-undo", icon=":material/undo:", type="tertiary", on_click=_undo, args=(deleted,))


def _undo(deleted: Rubric) -> None:
    state.set_value(DELETED, None)
    try:
        kept = save_rubric(cache.workspace().store, deleted)
    except QueryscapeError as e:
        state.say_once("judge", str(e))
    else:
        state.set_value(NEXT, kept.rubric_id)


# The view Rubric: the meaning of grades, the judge's instructions, and custom rubrics.

ORDER = "rubric_order"
HOW_READ = (
    "Only a whole number that is one of the grades counts. It is read from one JSON object, bare or "
    'fenced. Answers such as 84, 4.5, "4" in quotes, two grades or prose are not grades: the judge is '
    "asked once more with a description of the problem. If that fails too, there is no grade. Nothing is "
    "divided, rounded or guessed, and no failure counts as 0. A confidence outside 0 to "
    f"{HIGHEST_CONFIDENCE} is ignored; the grade counts."
)
HOW_FENCED = (
    "Query, title and abstract are enclosed in marks with a code. The code is computed from these texts "
    "and occurs in none of them, so no text can end its own part. Invisible characters, and control "
    "marks of chat servers, are made harmless."
)


def draw_rubric() -> None:
    rubrics = load_rubrics(cache.workspace().store)
    if (wanted := state.value(NEXT)) in rubrics:
        state.set_value(CHOSEN, wanted)
        state.set_value(NEXT, None)
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
        st.markdown("**Rules for the judge**")
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
            "Download rubric",
            rubric_text(rubric),
            file_name=f"{rubric.rubric_id}.toml",
            mime="application/toml",
            key="rubric-file",
            icon=":material/download:",
            on_click="ignore",
            help="Edit the file and add it as your own rubric.",
        )
        draw_deleting(rubric)


def _use(rubric_id: str) -> None:
    state.set_value("judge_rubric", rubric_id)
    state.set_value("judge", "Run")


def _scale_words(rubric: Rubric) -> str:
    low, high = rubric.points[0], rubric.points[-1]
    factor = f" × {rubric.shown_factor}" if rubric.shown_factor > 1 else ""
    shown = f"{rubric.shown(low):g} to {rubric.shown_max:g}"
    return f"The judge gives whole grades from {low} to {high}. Scores show the grade{factor}: {shown}."


def _draw_prompt(rubric: Rubric) -> None:
    with st.expander("Full prompt", icon=":material/description:", key="rubric-prompt"):
        control, usual = st.segmented_control, ORDERS[0]
        chosen = choose_one(control, "Answer order", ORDERS, key=ORDER, usual=usual, names=ORDER_WORDS, required=True)
        order: Order = "reason_first" if chosen == "reason_first" else "score_first"
        text = prompt_text(rubric, order)
        st.caption(
            plain(
                f"Version {VERSION}, hash {prompt_hash(text)}. Answers are stored under this hash: a changed "
                "prompt counts as another judge and doesn't reuse earlier answers."
            )
        )
        st.code(text, language=None, wrap_lines=True, height=420)
        st.download_button(
            "Download prompt",
            text,
            file_name=f"{VERSION}.{rubric.rubric_id}.{order}.txt",
            mime="text/plain",
            key="rubric-prompt-file",
            icon=":material/download:",
            on_click="ignore",
        )
