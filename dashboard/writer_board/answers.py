"""What is asked in the browser, answered: from one board to the next, without a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from core.errors import InputError, QueryscapeError
from core.query.tree import DialectId
from core.text import listed
from core.writer.types import LISTS, Joined, Keyword, ListName, Sheet
from dashboard.writer_board.history import History, Turn
from dashboard.writer_board.opened import Opened
from dashboard.writer_board.typed import read_typed

DIALECT_IDS: tuple[DialectId, ...] = get_args(DialectId)
LABELS: Mapping[ListName, str] = {
    "specific": "Specific",
    "general": "General",
    "overarching": "Overarching",
    "excluded": "Excluded",
    "aside": "Aside",
}
"""Lists as they are called on screen."""
MOST_KEYWORDS = 400
MOST_NAMED = 3
GONE = "that is not there any more: look again and repeat it"

BoardRequest = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class BoardState:
    """One visitor's work on what was opened."""

    history: History
    dialect: DialectId = "plain"
    """In which the string is shown and copied."""
    seq: int = 0
    """Number of the last ask that was answered, for the browser."""
    mistake: str | None = None
    said: str = ""
    """What the last ask did, as a sentence without a full stop."""
    before: Sheet | None = None
    """What the last ask made of this one; None: nothing was changed yet."""
    saved: Mapping[Sheet, str] = field(default_factory=dict)
    """Labels of versions that were saved from here."""

    @property
    def sheet(self) -> Sheet:
        """The lists as they are."""
        return self.history.current.sheet

    @property
    def is_changed(self) -> bool:
        """Whether they are others than those that were opened."""
        return self.sheet != self.history.first.sheet


Answer = Callable[[BoardState, Opened, BoardRequest], BoardState]


def opened_state(opened: Opened) -> BoardState:
    """Nothing was done yet."""
    return BoardState(History((Turn(opened.sheet),)))


def answered(state: BoardState, opened: Opened, ask: BoardRequest) -> BoardState:
    """The board after an ask; one that makes no sense changes nothing and says so."""
    state = replace(state, mistake=None)
    answer = ANSWERS.get(str(ask.get("kind")))
    if answer is None:
        return state
    try:
        return answer(state, opened, ask)
    except QueryscapeError as e:
        return replace(state, mistake=str(e))
    except (KeyError, IndexError, TypeError, ValueError, OverflowError):
        return replace(state, mistake=GONE)


def _turned(state: BoardState, sheet: Sheet, made_by: str) -> BoardState:
    history = state.history.add(Turn(sheet, made_by))
    if history is state.history:
        return state
    return replace(state, history=history, said=made_by, before=state.sheet)


def _list_named(name: object) -> ListName:
    return LISTS[LISTS.index(name)]  # what is no list is a ValueError


def _keyword(sheet: Sheet, key: str) -> Keyword:
    found = next((k for name in LISTS for k in sheet.of(name) if k.key == key), None)
    if found is None:
        raise InputError(GONE)
    return found


def _move(state: BoardState, opened: Opened, ask: BoardRequest) -> BoardState:
    key, to = str(ask["key"]), _list_named(ask["to"])
    sheet, place = state.sheet, ask.get("place")
    keyword, here = _keyword(sheet, key), sheet.list_of(key)
    if here == to and place is None:
        return state
    moved = sheet.moved(key, to, None if place is None else max(int(place), 0))
    if here == to:
        return _turned(state, moved, f"Moved “{keyword.text}” within {LABELS[to]}")
    return _turned(state, moved, f"Moved “{keyword.text}” to {LABELS[to]}")


def _add(state: BoardState, opened: Opened, ask: BoardRequest) -> BoardState:
    to, sheet = _list_named(ask["to"]), state.sheet
    added: list[Keyword] = []
    for keyword in read_typed(str(ask["text"])):
        if (there := sheet.list_of(keyword.key)) is None:
            sheet = sheet.added(keyword, to)
            added.append(keyword)
        elif len(read_typed(str(ask["text"]))) == 1:
            raise InputError(f'"{keyword.text}" stands in {LABELS[there]} already: move it from there')
    if not added:
        raise InputError("all of these keywords stand in the lists already")
    if _n_keywords(sheet) > MOST_KEYWORDS:
        raise InputError(f"the lists would hold more than {MOST_KEYWORDS} keywords: delete some first")
    return _turned(state, sheet, f"Added {_named(added)} to {LABELS[to]}")


def _n_keywords(sheet: Sheet) -> int:
    return sum(len(sheet.of(name)) for name in LISTS)


def _named(keywords: list[Keyword]) -> str:
    names = [f"“{keyword.text}”" for keyword in keywords[:MOST_NAMED]]
    more = len(keywords) - MOST_NAMED
    return listed([*names, f"{more:,} more"] if more > 0 else names)


def _edit(state: BoardState, opened: Opened, ask: BoardRequest) -> BoardState:
    """Another wording in the same place; its fields stay."""
    key, sheet = str(ask["key"]), state.sheet
    before, here = _keyword(sheet, key), sheet.list_of(key)
    assert here is not None
    typed = read_typed(str(ask["text"]), phrase=bool(ask.get("phrase", True)))
    if len(typed) > 1:
        raise InputError("these are several keywords: change this one, and add the others by themselves")
    after = Keyword(typed[0].text, typed[0].phrase, before.fields)
    if after.key != key and (there := sheet.list_of(after.key)) is not None:
        raise InputError(f'"{after.text}" stands in {LABELS[there]} already')
    place = [keyword.key for keyword in sheet.of(here)].index(key)
    changed = sheet.without(key).added(after, here, place)
    same_words = after.text == before.text
    how = ("side by side" if after.phrase else "anywhere") if same_words else f"“{after.text}”"
    said = f"Words of “{before.text}” now stand {how}" if same_words else f"Changed “{before.text}” to {how}"
    return _turned(state, changed, said)


def _delete(state: BoardState, opened: Opened, ask: BoardRequest) -> BoardState:
    keyword = _keyword(state.sheet, str(ask["key"]))
    return _turned(state, state.sheet.without(keyword.key), f"Deleted “{keyword.text}”")


def _join(state: BoardState, opened: Opened, ask: BoardRequest) -> BoardState:
    joined: Joined = "AND" if ask["joined"] == "AND" else "OR"
    return _turned(state, replace(state.sheet, joined=joined), f"Joined what is overarching by {joined}")


def _take(state: BoardState, opened: Opened, ask: BoardRequest) -> BoardState:
    """Something that was held back: a person asks for it."""
    to = _list_named(ask["to"])
    held = opened.held_back[int(ask["index"])]
    if held.keyword is None or int(ask["index"]) < 0:
        raise InputError("nothing of this can be taken: type the keyword that you mean")
    if (there := state.sheet.list_of(held.keyword.key)) is not None:
        raise InputError(f'"{held.keyword.text}" stands in {LABELS[there]} already')
    return _turned(state, state.sheet.added(held.keyword, to), f"Took “{held.keyword.text}” into {LABELS[to]}")


def _undo(state: BoardState, opened: Opened, ask: BoardRequest) -> BoardState:
    if not state.history.can_undo:
        return state
    said = f"Undone: {_lower(state.history.current.made_by)}"
    return replace(state, history=state.history.undo(), said=said, before=state.sheet)


def _redo(state: BoardState, opened: Opened, ask: BoardRequest) -> BoardState:
    if not state.history.can_redo:
        return state
    history = state.history.redo()
    return replace(state, history=history, said=f"Redone: {_lower(history.current.made_by)}", before=state.sheet)


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _dialect(state: BoardState, opened: Opened, ask: BoardRequest) -> BoardState:
    return replace(state, dialect=DIALECT_IDS[DIALECT_IDS.index(ask["dialect"])])


ANSWERS: dict[str, Answer] = {
    "move": _move,
    "add": _add,
    "edit": _edit,
    "delete": _delete,
    "join": _join,
    "take": _take,
    "undo": _undo,
    "redo": _redo,
    "dialect": _dialect,
}
