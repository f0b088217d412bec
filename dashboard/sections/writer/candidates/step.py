"""One string, as a card: its text, its keywords, what it is worth, and where it leads."""

from __future__ import annotations

import streamlit as st

from core.errors import QueryscapeError
from core.writer.gains import gain_sentence
from core.writer.types import LISTS, ListName, Step
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.library.locked import why_locked
from dashboard.sections.sources.opened import open_version
from dashboard.sections.writer.candidates.ranking import SCORE
from dashboard.sections.writer.opened import NEXT_FROM, NOTE, REFINE, SORT, open_view
from dashboard.sections.writer.opening import open_step
from dashboard.words import many, plain
from data.writer.candidates import save_step
from data.writer.keeping import Writing

LIST_WORDS: dict[ListName, str] = {
    "specific": "Specific",
    "general": "General",
    "overarching": "Overarching",
    "excluded": "Excluded",
    "aside": "Aside",
}
TALL = 500
"""Characters from which a string scrolls in a place of its own."""
MOST_NAMED: dict[ListName, int] = {"aside": 12}
MOST_OTHERS = 40
"""Keywords of a list that are named; all of them stand in the view Sort."""
SAVING = "writer-saving"


def draw_step(writing: Writing, step: Step, *, key: str, refine: bool = True) -> None:
    """The card. `refine`: whether it leads to the view that refines it."""
    with st.container(border=True, key=f"writer-step-{key}"):
        st.code(
            step.text or "No string yet.",
            language=None,
            wrap_lines=True,
            height=190 if len(step.text) > TALL else "content",
        )
        st.markdown(plain(worth(step)))
        st.caption(plain(gain_sentence(step)))
        for note in step.notes:
            st.caption(plain(sentence(note)))
        if message := state.take(SAVING):
            st.error(plain(sentence(message)), icon=":material/error:")
        _draw_buttons(writing, step, key, refine=refine)
        _draw_keywords(step)


def worth(step: Step) -> str:
    """Its scores against all core publications, in one line."""
    whole = step.judged.whole
    low, high = whole.recall_interval
    parts = [
        many(step.judged.n_retrieved, "publication"),
        f"{whole.n_found:,} of {whole.n_core:,} core found (recall {whole.recall:.3f}, {low:.2f} to {high:.2f})",
    ]
    if whole.semantic_precision is not None:
        parts.append(f"semantic precision {whole.semantic_precision:.3f}")
    parts.append(f"{SCORE} –" if whole.f_beta is None else f"{SCORE} {whole.f_beta:.3f}")
    return " · ".join(parts)


def _draw_keywords(step: Step) -> None:
    lines = []
    for name in LISTS:
        keywords = [keyword.text for keyword in step.sheet.of(name)]
        if not keywords:
            continue
        joined = f", joined by {step.sheet.joined}" if name == "overarching" and len(keywords) > 1 else ""
        most = MOST_NAMED.get(name, MOST_OTHERS)
        more = f" and {len(keywords) - most:,} more" if len(keywords) > most else ""
        said = plain(f"{', '.join(keywords[:most])}{more}")
        lines.append(f"**{LIST_WORDS[name]}** ({len(keywords):,}{joined}): {said}")
    st.markdown("  \n".join(lines))


def _draw_buttons(writing: Writing, step: Step, key: str, *, refine: bool) -> None:
    locked = why_locked()
    with st.container(horizontal=True, key=f"writer-step-buttons-{key}"):
        if step.label is None:
            st.button(
                "Save as version",
                key=f"writer-save-{key}",
                icon=":material/save:",
                type="primary",
                disabled=locked is not None or not step.text,
                help=locked or "A new version of the topic's query: every other page knows it then.",
                on_click=_save,
                args=(writing.writing_id, step.number),
            )
        elif st.button(
            f"Open {plain(step.label)} in Explore", key=f"writer-explore-{key}", icon=":material/travel_explore:"
        ):
            open_version(writing.topic_id, step.label)
        st.button(
            "Open in Sort",
            key=f"writer-sort-{key}",
            icon=":material/swap_horiz:",
            help="Move keywords between their lists; string and scores follow.",
            on_click=_sort,
            args=(step.number,),
        )
        if refine:
            st.button(
                "Refine",
                key=f"writer-refine-{key}",
                icon=":material/trending_up:",
                on_click=_refine,
                args=(step.number,),
            )


def _save(writing_id: str, number: int) -> None:
    """Before the page is drawn anew, so that the sidebar knows the version."""
    try:
        row = save_step(cache.workspace(), writing_id, number)
    except QueryscapeError as e:
        state.say_once(SAVING, str(e))
        return
    state.choose_version(row.version.label)
    state.say_once(NOTE, f"Saved as {row.version.label}: it retrieves {many(row.n_retrieved or 0, 'publication')}.")


def _sort(number: int) -> None:
    open_step(number)
    open_view(SORT)


def _refine(number: int) -> None:
    state.say(NEXT_FROM, number)
    open_view(REFINE)
