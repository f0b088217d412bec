"""The sorting board of a draft: its terms in lists, and the search string that the lists make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.errors import InputError
from core.query.match import Semantics
from core.query.tree import ParsedQuery
from core.writer.decomposition import take_apart
from core.writer.sheets import text_of
from dashboard.writer.board import NO_STRING, BoardState, OpenedBoard, answered, opened_state


def open_draft(parsed: ParsedQuery, topic_id: str, semantics: Semantics) -> OpenedBoard:
    """Split a draft into lists."""
    apart = take_apart(parsed)
    return OpenedBoard(
        key="draft",
        kind="version",
        sheet=apart.sheet,
        title="Draft",
        topic_id=topic_id,
        semantics=semantics,
        left=tuple((left.text, left.why) for left in apart.left),
        is_whole=apart.is_whole,
    )


def open_board(opened: OpenedBoard, parsed: ParsedQuery) -> BoardState:
    return replace(opened_state(opened), dialect=parsed.dialect)


def sort_board(board: BoardState, opened: OpenedBoard, turn: Mapping[str, Any]) -> tuple[BoardState, str | None]:
    """Return the board after a change and its new search string; None: the string is unchanged."""
    after = answered(board, opened, turn)
    if after.mistake is not None:
        raise InputError(after.mistake)
    text = text_of(after.sheet, after.dialect).text
    if not text:
        raise InputError(NO_STRING)
    return after, None if text == text_of(board.sheet, board.dialect).text else text
