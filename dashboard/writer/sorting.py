"""The Sort view: arrange keywords in lists, and score the resulting search string."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from core.errors import InputError, QueryscapeError
from core.query.match import Semantics
from core.query.parser import parse
from core.settings import EvaluationSettings
from core.types import Origin
from core.writer.decomposition import take_apart
from core.writer.keyword_effects import SheetEvaluator
from core.writer.sheets import KeywordProposal, SheetStep, baseline_sheet, text_of
from dashboard import cache, state
from dashboard.explore.versions import called
from dashboard.kit.components import mount_part, mount_payload
from dashboard.messages import guarded, sentence
from dashboard.state import Selection
from dashboard.welcome import is_indexed, is_prepared
from dashboard.words import plain
from dashboard.writer.board import (
    NO_STRING,
    BoardScorer,
    BoardSource,
    BoardState,
    OpenedBoard,
    answered,
    board_document,
    opened_state,
)
from dashboard.writer.candidates import made_by
from dashboard.writer.sessions import load, open_step, open_version_apart, what_is_open, writer_desk
from data.explore.desk import Desk
from data.lookup import version_with_text
from data.query.search import dialect_of
from data.store import VersionRow, content_hash
from data.writer.desk import WriterDesk
from data.writer.runs import BY_HAND, WriterSession, keep_step
from data.writer.steps import save_step, step_of

MOST_SCALES = 4
SCORE = f"F{EvaluationSettings().beta:g}"
DEMO = "demo"
MADE_UP = "(made up)"


def topic_in_words(topic_id: str) -> str:
    """Return the topic's name without the note that it is demo data.

    >>> topic_in_words("Sleep and shift work (made up)")
    'Sleep and shift work'
    """
    return topic_id.removesuffix(MADE_UP).strip() or topic_id


def step_of_writing(writing: WriterSession, number: str | None) -> SheetStep | None:
    """Return the requested step, else the best; if no string was made, the last, which has the proposals."""
    asked = next((step for step in writing.steps if str(step.number) == number), None)
    return asked or writing.best or next(reversed(writing.steps), None)


def opened_step(writing: WriterSession, step: SheetStep) -> OpenedBoard:
    proposals: dict[str, tuple[KeywordProposal, ...]] = {row.keyword.key: row.proposals for row in writing.proposals}
    return OpenedBoard(
        key=f"step:{writing.writing_id}:{step.number}",
        kind="step",
        sheet=step.sheet,
        title=step_words(step),
        topic_id=writing.topic_id,
        semantics=writing.brief.semantics,
        writing_id=writing.writing_id,
        number=step.number,
        label=step.label,
        is_candidate=step.number != 0 and step.made_by != BY_HAND,
        held_back=writing.held_back,
        proposals=proposals,
        notes=step.notes,
    )


def opened_version(row: VersionRow, writing: WriterSession | None) -> OpenedBoard:
    version = row.version
    parsed = parse(version.text, dialect_of(version))
    if parsed.kind != "boolean":
        raise InputError(
            f'version "{called(row)}" is a plain-language question without lists: choose a search string'
            if parsed.kind == "question"
            else f'version "{called(row)}" has no search string to split: choose another'
        )
    apart = take_apart(parsed)
    return OpenedBoard(
        key=f"version:{version.query_id}:{writing.writing_id if writing else ''}",
        kind="version",
        sheet=apart.sheet,
        title=f"Version {called(row)}, split",
        topic_id=version.topic_id,
        semantics=_semantics(version.semantics),
        writing_id=writing.writing_id if writing else None,
        label=version.label,
        left=tuple((left.text, left.why) for left in apart.left),
        is_whole=apart.is_whole,
        held_back=writing.held_back if writing else (),
        proposals={row.keyword.key: row.proposals for row in writing.proposals} if writing else {},
        never_run=version.origin if row.retrieved_hash is None else None,
    )


def opened_name(topic_id: str) -> OpenedBoard:
    words = topic_in_words(topic_id)
    return OpenedBoard(f"name:{topic_id}", "name", baseline_sheet(words), "The topic’s name alone", topic_id)


def _semantics(name: str | None) -> Semantics:
    return "stemmed" if name == "stemmed" else "literal"


def step_words(step: SheetStep) -> str:
    made = made_by(step)
    if step.model == DEMO:
        made = made.replace("Demo (", "Demo (not a language model, ", 1)
    return f"Step {step.number}: {made}" if step.number else made


def ways(topic_id: str, writing: WriterSession | None) -> tuple[BoardSource, ...]:
    """Return everything that can be opened: steps of the session, versions of the topic, the topic's name."""
    steps = writing.steps if writing else ()
    rows = cache.workspace().store.versions(topic_id)
    return (
        *(BoardSource(f"step:{step.number}", _step_label(step), "This session") for step in steps),
        *(() if steps else (BoardSource("name", "The topic’s name alone", "Start"),)),
        *(
            BoardSource(f"version:{row.version.label}", called(row), "Split a version")
            for row in rows
            if row.version.text
        ),
    )


def _step_label(step: SheetStep) -> str:
    score = step.judged.used.f_beta
    return step_words(step) if score is None else f"{step_words(step)} ({SCORE} {score:.3f} in use)"


def scales_of(at: WriterDesk, semantics: Semantics) -> BoardScorer:
    """Return the board that scores the lists; it is cached with the keywords already looked up."""
    kept = cache.kept("writer_scales", MOST_SCALES)
    key = content_hash([at.desk.state, semantics, *at.split.used])

    def make() -> BoardScorer:
        board = SheetEvaluator(at.desk.corpus, semantics, at.sides.used)
        return BoardScorer(at.sides, board, len(at.desk.corpus.ids))

    return kept.of(key, make)


def save(opened: OpenedBoard, state: BoardState, at: WriterDesk) -> VersionRow:
    """Save the lists as a version; those of a session become a step of it first, unless they are one."""
    workspace, text = cache.workspace(), text_of(state.sheet).text
    if not text:
        raise InputError(NO_STRING)
    is_same = opened.is_whole and not state.is_changed
    if opened.writing_id is None or (is_same and opened.never_run is not None):
        as_it_was: Origin = "baseline" if opened.kind == "name" else opened.never_run or "manual"
        return workspace.run_query(
            opened.topic_id,
            text,
            dialect="plain",
            semantics=opened.semantics,
            parent=opened.label,
            origin=as_it_was if is_same else "manual",
        )
    if opened.number is not None and not state.is_changed:
        as_written = "generated" if opened.is_candidate else "manual"
        return save_step(
            workspace,
            opened.writing_id,
            opened.number,
            origin="baseline" if opened.number == 0 else "generated" if as_written == "generated" else "manual",
        )
    step = step_of(at, state.sheet, parent=opened.number, made_by=BY_HAND, semantics=opened.semantics)
    kept = keep_step(workspace.store, opened.writing_id, step)
    return save_step(workspace, opened.writing_id, kept.number, origin="manual")


# The view "Sort": keywords in their lists, the string that they make and its scores.
#
# The browser sends a request, the board answers, the document goes back.

PART = "writer_board"


def draw_sort(writing_id: str | None) -> None:
    """Draw the whole view. `writing_id`: the open session; None: none, and the topic's name alone is sorted."""
    with guarded():
        writing = None if writing_id is None else load(writing_id)
        topic_id = writing.topic_id if writing else state.read_topic()
        if topic_id is None:
            st.caption("Choose a topic at the top: the board counts keywords in its publications.")
            return
        selection = Selection(topic_id, "", writing.embedder if writing else _embedder(topic_id))
        if not (is_prepared(selection) and is_indexed(selection)):
            return
        desk = cache.desk(topic_id, selection.embedder)
        with st.container(key="payloads-corpus"):
            mount_payload(cache.corpus_points(desk), key="corpus")
        opened = _opened(topic_id, writing)
        _draw(opened, ways(topic_id, writing), desk, writing)


def _embedder(topic_id: str) -> str:
    selection = state.read_selection()
    topic = next(t for t in cache.workspace().topics() if t.topic_id == topic_id)
    if selection is not None and selection.topic_id == topic_id:
        return selection.embedder
    return topic.embedders[0] if topic.embedders else "lsa"


def _opened(topic_id: str, writing: WriterSession | None) -> OpenedBoard:
    number, apart = what_is_open()
    if apart is not None:
        try:
            return opened_version(version_with_text(cache.workspace().store, topic_id, apart), writing)
        except QueryscapeError as e:
            st.warning(plain(sentence(str(e))), icon=":material/info:")
    step = step_of_writing(writing, number) if writing else None
    return opened_name(topic_id) if writing is None or step is None else opened_step(writing, step)


@st.fragment
def _draw(opened: OpenedBoard, ways: tuple[BoardSource, ...], desk: Desk, writing: WriterSession | None) -> None:
    with guarded():
        at = writer_desk(desk, writing)
        board = _answer(_read(opened), opened, desk, writing)
        _keep(opened, board)
        document = board_document(board, opened, scales_of(at, opened.semantics), ways)
        document |= {"corpus_id": desk.untuned_state, "has_writing": writing is not None}
        mount_part(PART, document, PART, states=("ask",))
    if note := state.take("board"):
        st.toast(plain(note))


def _read(opened: OpenedBoard) -> BoardState:
    kept: BoardState | None = state.value(f"board-{opened.key}")
    if kept is None or kept.history.first.sheet != opened.sheet:
        return opened_state(opened)
    return kept


def _keep(opened: OpenedBoard, board: BoardState) -> None:
    state.set_value(f"board-{opened.key}", board)


def _answer(board: BoardState, opened: OpenedBoard, desk: Desk, writing: WriterSession | None) -> BoardState:
    ask = state.take_ask(PART)
    board = replace(board, seq=state.last_ask(PART))
    if ask is None or ask.get("bench") != opened.key:  # meant for a board that was left since
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
        raise InputError("this no longer exists: choose another")


def _save(
    board: BoardState, opened: OpenedBoard, desk: Desk, writing: WriterSession | None, ask: Mapping[str, Any]
) -> BoardState:
    text = None
    if (label := board.saved.get(board.sheet)) is None or not _is_there(opened.topic_id, label):
        row = save(opened, board, writer_desk(desk, writing))
        label = row.version.label
        text = f"Version {label} retrieves {row.n_retrieved or 0:,} publications."
    state.choose_version_next(label)
    if ask["kind"] == "query":
        state.choose_topic_next(opened.topic_id)
        _keep(opened, replace(board, mistake=None, saved={**board.saved, board.sheet: label}))
        st.switch_page("workbench/page.py", query_params={})
    if text is not None:
        state.say_once("board", text)
    return replace(board, mistake=None, saved={**board.saved, board.sheet: label})


def _is_there(topic_id: str, label: str) -> bool:
    return any(row.version.label == label for row in cache.workspace().store.versions(topic_id))
