"""The view "Sort": keywords in their lists, the string that they make and what it is worth.

The browser asks, the board answers, the document goes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from core.errors import InputError, QueryscapeError
from dashboard import cache, state
from dashboard.components.mount import mount_part, mount_payload
from dashboard.messages import guarded, sentence
from dashboard.sections.preparing import is_indexed, is_prepared
from dashboard.sections.writer import boards
from dashboard.sections.writer.opened import load
from dashboard.sections.writer.opening import open_step, open_version_apart, what_is_open
from dashboard.state import Selection
from dashboard.words import plain
from dashboard.writer_board.answers import BoardState, answered, opened_state
from dashboard.writer_board.document import board_document
from dashboard.writer_board.opened import Opened, Way
from data.desk import Desk
from data.lookup import version_with_text
from data.writer.keeping import Writing

PART = "writer_board"


def draw_sort(writing_id: str | None) -> None:
    """The whole view. `writing_id`: the writing that is open; None: none is, and the topic's name alone is sorted."""
    with guarded():
        writing = None if writing_id is None else load(writing_id)
        topic_id = writing.topic_id if writing else state.read_topic()
        if topic_id is None:
            st.caption("Choose a topic at the left: what is sorted here is looked for among its publications.")
            return
        selection = Selection(topic_id, "", writing.embedder if writing else _embedder(topic_id))
        if not (is_prepared(selection) and is_indexed(selection)):
            return
        desk = cache.desk(topic_id, selection.embedder)
        with st.container(key="payloads-corpus"):
            mount_payload(cache.corpus_points(desk), key="corpus")
        opened = _opened(topic_id, writing)
        _draw(opened, boards.ways(topic_id, writing), desk, writing)


def _embedder(topic_id: str) -> str:
    selection = state.read_selection()
    topic = next(t for t in cache.workspace().topics() if t.topic_id == topic_id)
    if selection is not None and selection.topic_id == topic_id:
        return selection.embedder
    return topic.embedders[0] if topic.embedders else "lsa"


def _opened(topic_id: str, writing: Writing | None) -> Opened:
    """What was chosen here or by the link; else the best of the writing, else the topic's name."""
    number, apart = what_is_open()
    if apart is not None:
        try:
            return boards.opened_version(version_with_text(cache.workspace().store, topic_id, apart), writing)
        except QueryscapeError as e:
            st.warning(plain(sentence(str(e))), icon=":material/info:")
    step = boards.step_of_writing(writing, number) if writing else None
    return boards.opened_name(topic_id) if writing is None or step is None else boards.opened_step(writing, step)


@st.fragment
def _draw(opened: Opened, ways: tuple[Way, ...], desk: Desk, writing: Writing | None) -> None:
    with guarded():
        at = boards.writer_desk(desk, writing)
        board = _answer(_read(opened), opened, desk, writing)
        _keep(opened, board)
        document = board_document(board, opened, boards.scales_of(at, opened.semantics), ways)
        document |= {"corpus_id": desk.state, "has_writing": writing is not None}
        mount_part(PART, document, PART, states=("ask",))
    if note := state.take("board"):
        st.toast(plain(note))


def _read(opened: Opened) -> BoardState:
    """The visitor's work on it, unless what was opened is another one by now."""
    kept: BoardState | None = state.said(f"board-{opened.key}")
    if kept is None or kept.history.first.sheet != opened.sheet:
        return opened_state(opened)
    return kept


def _keep(opened: Opened, board: BoardState) -> None:
    state.say(f"board-{opened.key}", board)


def _answer(board: BoardState, opened: Opened, desk: Desk, writing: Writing | None) -> BoardState:
    """What the browser asked since the last time."""
    ask = state.take_ask(PART)
    board = replace(board, seq=state.last_ask(PART))
    if ask is None or ask.get("bench") != opened.key:  # meant for a board left since
        return board
    if ask.get("kind") not in ("save", "query", "open"):
        return answered(board, opened, ask)
    try:
        if ask["kind"] == "open":
            _open(str(ask.get("way", "")))
        else:
            board = _save(board, opened, desk, writing, ask)
    except QueryscapeError as e:
        return replace(board, mistake=str(e))
    _keep(opened, board)
    return st.rerun()


def _open(way: str) -> None:
    kind, _, name = way.partition(":")
    if kind == "version" and name:
        open_version_apart(name)
    elif kind == "step" and name.isdecimal():
        open_step(int(name))
    elif kind == "name":
        open_step(0)
    else:
        raise InputError("this is not there any more: choose another")


def _save(board: BoardState, opened: Opened, desk: Desk, writing: Writing | None, ask: Mapping[str, Any]) -> BoardState:
    """Save the lists as a version, once; on the way to the page Query, if that was asked for."""
    said = None
    if (label := board.saved.get(board.sheet)) is None or not _is_there(opened.topic_id, label):
        row = boards.save(opened, board, boards.writer_desk(desk, writing))
        label = row.version.label
        said = f"Version {label} retrieves {row.n_retrieved or 0:,} publications."
    state.choose_version_next(label)
    if ask["kind"] == "query":
        state.choose_topic_next(opened.topic_id)
        _keep(opened, replace(board, mistake=None, saved={**board.saved, board.sheet: label}))
        st.switch_page("app_pages/query.py", query_params={})
    if said is not None:
        state.say_once("board", said)
    return replace(board, mistake=None, saved={**board.saved, board.sheet: label})


def _is_there(topic_id: str, label: str) -> bool:
    return any(row.version.label == label for row in cache.workspace().store.versions(topic_id))
