"""Which writing the page has open, and the way from one of its views to another."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard import cache, state
from dashboard.sections.writer.opening import open_again
from dashboard.words import many, when
from data.writer.keeping import Writing, WritingRow, find_writing, list_writings

VIEW, NEXT_VIEW, LAST_VIEW = "writer", "writer_next", "writer_last"
WRITE, SORT, CANDIDATES, REFINE, ASKED = VIEWS = ("Write", "Sort", "Candidates", "Refine", "Asked")
WRITING, NEXT_WRITING = "writing", "writing_next"
MISSING = "writing_missing"
"""Whether the link asked for one in vain, until another is chosen."""
MOST_OPENED = 8
NOTE = "writer"
NEXT_FROM = "writer_from_next"
"""The string that something on the page leads to the view Refine with."""
STATES = {"planned": "not begun", "running": "interrupted", "stopped": "stopped", "done": "finished"}


def open_writing(writing_id: str, view: str = CANDIDATES) -> None:
    """Show this writing as soon as the page is drawn again."""
    state.say(MISSING, False)
    state.say(NEXT_WRITING, writing_id)
    state.say(NEXT_VIEW, view)


def open_view(view: str) -> None:
    """Show another view of what is open."""
    state.say(NEXT_VIEW, view)


def choose_view() -> str:
    """Which view the page shows: as something on it or the link asks for, else the one that was left; in the link."""
    if (wanted := state.said(NEXT_VIEW)) in VIEWS:
        state.say(VIEW, wanted)
        state.say(NEXT_VIEW, None)
    elif state.said(VIEW) is None and state.wanted_by_link(VIEW, ()) is None and state.said(LAST_VIEW) in VIEWS:
        state.say(VIEW, state.said(LAST_VIEW))
    state.settle_named(VIEW, VIEWS)
    view = str(st.segmented_control("View", VIEWS, key=VIEW, required=True, label_visibility="collapsed"))
    state.write_in_link(VIEW, [view])
    state.say(LAST_VIEW, view)
    return view


def rows_of(topic_id: str) -> Mapping[str, WritingRow]:
    """The topic's writings, the newest first."""
    return {row.writing_id: row for row in list_writings(cache.workspace().store, topic_id)}


def choose_writing(topic_id: str) -> str | None:
    """The writing that the link names, else the newest of the topic; None: there is none yet."""
    rows = rows_of(topic_id)
    _follow_link(topic_id, rows)
    if (wanted := state.said(NEXT_WRITING)) in rows:
        if wanted != state.said(WRITING):
            open_again()
        state.say(WRITING, wanted)
    state.say(NEXT_WRITING, None)
    if state.said(MISSING):
        st.warning("The writing that the link names is not here (any more).", icon=":material/link_off:")
    if not rows:
        return None
    state.settle_named(WRITING, list(rows))
    chosen = st.selectbox(
        "Writing",
        list(rows),
        key=WRITING,
        format_func=lambda each: session_label(rows[each]) if each in rows else each,
        on_change=_open_chosen,
        label_visibility="collapsed",
        persist_state="session",
        help="One time that strings were written for this topic.",
    )
    state.write_in_link(WRITING, [str(chosen)])
    return str(chosen)


def _follow_link(topic_id: str, rows: Mapping[str, WritingRow]) -> None:
    """A link may name a writing of another topic, which is then shown, or one that is not here any more."""
    wanted = state.wanted_by_link(WRITING, list(rows))
    if wanted is None or not state.is_first(f"writing-{wanted}"):
        return
    elsewhere = {row.writing_id: row for row in list_writings(cache.workspace().store)}
    if wanted in elsewhere and elsewhere[wanted].topic_id != topic_id:
        state.choose_topic_next(elsewhere[wanted].topic_id)
        state.say(NEXT_WRITING, wanted)
        st.rerun()
    state.say(MISSING, True)


def _open_chosen() -> None:
    state.say(MISSING, False)
    open_again()


def session_label(row: WritingRow) -> str:
    """A writing in a list: what for, when, and how far it came."""
    end = "" if row.state == "done" else f" · {STATES[row.state]}"
    return f"{_cut(row.topic)} · {when(row.made_at)} · {many(max(row.n_steps - 1, 0), 'string')}{end}"


def _cut(text: str, most: int = 48) -> str:
    return text if len(text) <= most else f"{text[: most - 2].rstrip()} …"


def load(writing_id: str) -> Writing:
    """A writing, read anew only where something was added to it since."""
    store, kept = cache.workspace().store, cache.kept("writer-opened", MOST_OPENED)
    said = store.rows(
        """
        SELECT state, problem, ended_at, md5(document::VARCHAR),
            (SELECT count(*) FROM writer_calls AS c WHERE c.writing_id = w.writing_id),
            (SELECT max(made_at) FROM writer_steps AS s WHERE s.writing_id = w.writing_id),
            (SELECT list(label ORDER BY number) FROM writer_steps AS s WHERE s.writing_id = w.writing_id)
        FROM writings AS w WHERE writing_id = ?
        """,
        [writing_id],
    )
    key = f"{writing_id}-{said}"
    if key not in kept:
        kept[key] = find_writing(store, writing_id)
    found: Writing = kept[key]
    return found


def opened(writing_id: str | None) -> Writing | None:
    """The writing that is open; where there is none, where to begin is said."""
    if writing_id is None:
        st.info("Nothing was written for this topic yet.")
        st.button(
            "Write", key="writer-begin", icon=":material/edit_note:", type="primary", on_click=open_view, args=(WRITE,)
        )
        return None
    return load(writing_id)
