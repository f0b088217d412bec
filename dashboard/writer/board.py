"""The keyword board: its lists, their undo history, and the answers to requests from the browser."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from core.errors import InputError, QueryscapeError
from core.query.contributions import Stakes
from core.query.dialects import DIALECTS
from core.query.match import Semantics, count
from core.query.parser import parse
from core.query.translation import WrittenQuery
from core.query.tree import DialectId, Term, walk, written
from core.text import listed, words
from core.types import Origin
from core.writer.gains import SplitStakes, judged
from core.writer.keyword_effects import KeywordEffect, KeywordFigures, SheetEvaluator
from core.writer.sheets import (
    LISTS,
    STATISTICS,
    CoreScores,
    HeldBackProposal,
    Joined,
    Keyword,
    KeywordProposal,
    ListName,
    Sheet,
    StringScores,
    text_of,
)
from dashboard.explore.payloads import Document
from dashboard.undo import UndoHistory

OpenedOn = Literal["step", "version", "name"]
"""step: of a session. version: split into lists. name: the topic's name alone."""


@dataclass(frozen=True, slots=True)
class BoardSource:
    id: str
    """"name", "step:3" or "version:v2"."""
    label: str
    of: str
    """Group in the selection list."""


@dataclass(frozen=True, eq=False)
class OpenedBoard:
    """Lists as they were when the board was opened."""

    key: str
    """Distinguishes the boards of one visitor: each has its own state."""
    kind: OpenedOn
    sheet: Sheet
    title: str
    """Short description of its origin."""
    topic_id: str
    semantics: Semantics = "literal"
    writing_id: str | None = None
    number: int | None = None
    """Number of the step."""
    label: str | None = None
    """The version that it was opened from, or saved as."""
    is_candidate: bool = False
    """Generated, not written by hand: a version of it has the origin "generated" until something is changed."""
    left: tuple[tuple[str, str], ...] = ()
    """Parts of a version that don't fit the lists, with reasons."""
    is_whole: bool = True
    """True if the lists retrieve the same as the version."""
    held_back: tuple[HeldBackProposal, ...] = ()
    proposals: Mapping[str, tuple[KeywordProposal, ...]] = field(default_factory=dict)
    """Proposers of each keyword and their reasons, by its key."""
    notes: tuple[str, ...] = ()
    never_run: Origin | None = None
    """Origin of a version that was never run, which a run of the same lists also gets. None: it was run."""


# Typed keywords: one, or several that were pasted.

MOST_AT_ONCE = 100
LONGEST = 200
_BETWEEN = re.compile(r"[\n\r;,]+")
_OPERATOR = re.compile(r"(?<!\S)(?:AND|OR|NOT)(?!\S)")
_QUOTES = re.compile(r"[\"“”„«»]")
_BRACKETS = re.compile(r"[()\[\]{}]")
_LONE_WILDCARD = re.compile(r"(?<!\w)[*?]+(?!\w)")


def read_typed(text: str, *, phrase: bool | None = None) -> tuple[Keyword, ...]:
    """Read keywords separated by commas, semicolons or new lines.

    `phrase`: whether the words of each keyword are adjacent; None: they are.

    >>> [keyword.text for keyword in read_typed('street tree*; "urban forest"')]
    ['street tree*', 'urban forest']
    """
    typed = [part for part in _BETWEEN.split(text) if part.strip()]
    if not typed:
        raise InputError("no keyword yet: enter a word")
    if len(typed) > MOST_AT_ONCE:
        raise InputError(f"these are {len(typed):,} keywords: add at most {MOST_AT_ONCE} at once")
    return tuple(_read_one(part, phrase is not False) for part in typed)


def _read_one(text: str, phrase: bool) -> Keyword:
    written = " ".join(_LONE_WILDCARD.sub(" ", _BRACKETS.sub(" ", _QUOTES.sub(" ", text))).split())
    shown = written if len(written) <= 40 else f"{written[:40]}…"
    if not words(written):
        raise InputError(f'"{text.strip()[:40]}" has no word to search for')
    if _OPERATOR.search(written):
        raise InputError(
            f'"{shown}" contains an operator: add each keyword separately; its list sets how they are combined'
        )
    if len(written) > LONGEST:
        raise InputError(f'"{shown}" has {len(written):,} characters: a keyword has at most {LONGEST}')
    return Keyword(written, phrase=phrase)


# Lists being edited, with undo.


@dataclass(frozen=True, slots=True)
class BoardTurn:
    sheet: Sheet
    made_by: str = ""
    """One sentence without a full stop: "Moved “shade” to General"."""


@dataclass(frozen=True, slots=True)
class BoardHistory(UndoHistory[BoardTurn]):
    """All states since the board was opened. The first is the one opened.

    >>> from core.writer.sheets import Keyword
    >>> opened = BoardHistory((BoardTurn(Sheet()),))
    >>> moved = opened.add(BoardTurn(Sheet(specific=(Keyword("shade"),)), "Added “shade” to Specific"))
    >>> moved.undo().current == opened.current, moved.undo().redo() == moved
    (True, True)
    """

    def is_new(self, turn: BoardTurn) -> bool:
        return turn.sheet != self.current.sheet


# Answers to requests from the browser: from one board to the next, without a page.

DIALECT_IDS: tuple[DialectId, ...] = get_args(DialectId)
LABELS: Mapping[ListName, str] = {
    "specific": "Specific",
    "general": "General",
    "overarching": "Overarching",
    "excluded": "Excluded",
    "aside": "Aside",
}
"""Names of the lists on screen."""
MOST_KEYWORDS = 400
MOST_NAMED = 3
NO_STRING = "no search string yet: add a keyword to Specific, or one each to General and Overarching"
GONE = "this no longer exists: check the board and try again"

BoardRequest = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class BoardState:
    history: BoardHistory
    dialect: DialectId = "plain"
    """The dialect in which the search string is shown and copied."""
    seq: int = 0
    """Number of the last request answered, for the browser."""
    mistake: str | None = None
    message: str = ""
    """The effect of the last request, as a sentence without a full stop."""
    before: Sheet | None = None
    """The lists before the last request; None: nothing was changed yet."""
    saved: Mapping[Sheet, str] = field(default_factory=dict)
    """Labels of versions that were saved from here."""

    @property
    def sheet(self) -> Sheet:
        return self.history.current.sheet

    @property
    def is_changed(self) -> bool:
        return self.sheet != self.history.first.sheet


Answer = Callable[[BoardState, OpenedBoard, BoardRequest], BoardState]


def opened_state(opened: OpenedBoard) -> BoardState:
    return BoardState(BoardHistory((BoardTurn(opened.sheet),)))


def answered(state: BoardState, opened: OpenedBoard, ask: BoardRequest) -> BoardState:
    """Return the board after a request; an invalid one changes nothing but the error message."""
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
    history = state.history.add(BoardTurn(sheet, made_by))
    if history is state.history:
        return state
    return replace(state, history=history, message=made_by, before=state.sheet)


def _list_named(name: object) -> ListName:
    return LISTS[LISTS.index(name)]  # an unknown list raises a ValueError


def _keyword(sheet: Sheet, key: str) -> Keyword:
    found = next((k for name in LISTS for k in sheet.of(name) if k.key == key), None)
    if found is None:
        raise InputError(GONE)
    return found


def _move(state: BoardState, opened: OpenedBoard, ask: BoardRequest) -> BoardState:
    key, to = str(ask["key"]), _list_named(ask["to"])
    sheet, place = state.sheet, ask.get("place")
    keyword, here = _keyword(sheet, key), sheet.list_of(key)
    if here == to and place is None:
        return state
    moved = sheet.moved(key, to, None if place is None else max(int(place), 0))
    if here == to:
        return _turned(state, moved, f"Moved “{keyword.text}” within {LABELS[to]}")
    return _turned(state, moved, f"Moved “{keyword.text}” to {LABELS[to]}")


def _add(state: BoardState, opened: OpenedBoard, ask: BoardRequest) -> BoardState:
    to, sheet = _list_named(ask["to"]), state.sheet
    added: list[Keyword] = []
    for keyword in read_typed(str(ask["text"])):
        if (there := sheet.list_of(keyword.key)) is None:
            sheet = sheet.added(keyword, to)
            added.append(keyword)
        elif len(read_typed(str(ask["text"]))) == 1:
            raise InputError(f'"{keyword.text}" is already in {LABELS[there]}: move it from there')
    if not added:
        raise InputError("all of these keywords are already in the lists")
    if _n_keywords(sheet) > MOST_KEYWORDS:
        raise InputError(f"the lists can't hold more than {MOST_KEYWORDS} keywords: delete some first")
    return _turned(state, sheet, f"Added {_named(added)} to {LABELS[to]}")


def _n_keywords(sheet: Sheet) -> int:
    return sum(len(sheet.of(name)) for name in LISTS)


def _named(keywords: list[Keyword]) -> str:
    names = [f"“{keyword.text}”" for keyword in keywords[:MOST_NAMED]]
    more = len(keywords) - MOST_NAMED
    return listed([*names, f"{more:,} more"] if more > 0 else names)


def _edit(state: BoardState, opened: OpenedBoard, ask: BoardRequest) -> BoardState:
    key, sheet = str(ask["key"]), state.sheet
    before, here = _keyword(sheet, key), sheet.list_of(key)
    assert here is not None
    typed = read_typed(str(ask["text"]), phrase=bool(ask.get("phrase", True)))
    if len(typed) > 1:
        raise InputError("these are several keywords: change this one, and add the others separately")
    after = Keyword(typed[0].text, typed[0].phrase, before.fields)
    if after.key != key and (there := sheet.list_of(after.key)) is not None:
        raise InputError(f'"{after.text}" is already in {LABELS[there]}')
    place = [keyword.key for keyword in sheet.of(here)].index(key)
    changed = sheet.without(key).added(after, here, place)
    same_words = after.text == before.text
    how = ("adjacent" if after.phrase else "anywhere") if same_words else f"“{after.text}”"
    text = f"Words of “{before.text}” are now {how}" if same_words else f"Changed “{before.text}” to {how}"
    return _turned(state, changed, text)


def _delete(state: BoardState, opened: OpenedBoard, ask: BoardRequest) -> BoardState:
    keyword = _keyword(state.sheet, str(ask["key"]))
    return _turned(state, state.sheet.without(keyword.key), f"Deleted “{keyword.text}”")


def _join(state: BoardState, opened: OpenedBoard, ask: BoardRequest) -> BoardState:
    joined: Joined = "AND" if ask["joined"] == "AND" else "OR"
    return _turned(state, replace(state.sheet, joined=joined), f"Joined overarching keywords by {joined}")


def _take(state: BoardState, opened: OpenedBoard, ask: BoardRequest) -> BoardState:
    to = _list_named(ask["to"])
    held = opened.held_back[int(ask["index"])]
    if held.keyword is None or int(ask["index"]) < 0:
        raise InputError("nothing here can be added as it is: enter the keyword you mean")
    if (there := state.sheet.list_of(held.keyword.key)) is not None:
        raise InputError(f'"{held.keyword.text}" is already in {LABELS[there]}')
    return _turned(state, state.sheet.added(held.keyword, to), f"Added “{held.keyword.text}” to {LABELS[to]}")


def _undo(state: BoardState, opened: OpenedBoard, ask: BoardRequest) -> BoardState:
    if not state.history.can_undo:
        return state
    text = f"Undone: {_lower(state.history.current.made_by)}"
    return replace(state, history=state.history.undo(), message=text, before=state.sheet)


def _redo(state: BoardState, opened: OpenedBoard, ask: BoardRequest) -> BoardState:
    if not state.history.can_redo:
        return state
    history = state.history.redo()
    return replace(state, history=history, message=f"Redone: {_lower(history.current.made_by)}", before=state.sheet)


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _dialect(state: BoardState, opened: OpenedBoard, ask: BoardRequest) -> BoardState:
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


# A board as the browser draws it.

LONGEST_SPOKEN = 600
NO_REGION = "No region could be fitted to the core publications."


@dataclass(frozen=True, eq=False)
class BoardScorer:
    sides: SplitStakes
    board: SheetEvaluator
    """The effect of each keyword on the core publications in use: those held out stay a test."""
    n: int
    """Number of publications searched."""

    def judged(self, sheet: Sheet) -> StringScores:
        return judged(self.sides, self.board.retrieved(sheet))


def board_document(
    state: BoardState, opened: OpenedBoard, scales: BoardScorer, ways: Sequence[BoardSource] = ()
) -> Document:
    """Build everything but the landscape's points, which the browser has."""
    sheet, seen = state.sheet, scales.board.seen(state.sheet)
    made = text_of(sheet, state.dialect)
    now = judged(scales.sides, seen.retrieved)
    history = state.history
    return {
        "seq": state.seq,
        "bench": opened.key,
        "topic": opened.topic_id,
        "title": opened.title,
        "kind": opened.kind,
        "way": _way(opened),
        "ways": [{"id": way.id, "label": way.label, "of": way.of} for way in ways],
        "lists": _lists(sheet, {f.key: f for f in seen.figures}, frozenset(seen.waiting), opened),
        "joined": sheet.joined,
        "text": made.text,
        "spans": spans(made.text, state),
        "dialect": state.dialect,
        "dialects": [{"id": d.id, "label": d.label} for d in DIALECTS.values()],
        "losses": _losses(made),
        "scores": _scores(now, scales),
        "first": _short(now if not state.is_changed else scales.judged(history.first.sheet)),
        "last": _last(state, now, scales),
        "history": {
            "undo": history.can_undo,
            "redo": history.can_redo,
            "label": history.current.made_by if history.can_undo else "",
        },
        "held_back": [_held(i, held, sheet) for i, held in enumerate(opened.held_back)],
        "left": [{"text": text, "why": why} for text, why in opened.left],
        "is_whole": opened.is_whole,
        "notes": list(opened.notes),
        "is_changed": state.is_changed,
        "saved": state.saved.get(sheet) or _label(state, opened),
        "retrieved": base64.b64encode(seen.retrieved.tobytes()[: -(-scales.n // 8)]).decode(),
        "message": None if state.mistake is None else {"kind": "error", "text": state.mistake},
    }


def _label(state: BoardState, opened: OpenedBoard) -> str | None:
    """Return the version with exactly these lists, if nothing was changed and nothing was lost."""
    is_it = opened.is_whole and opened.never_run is None and not state.is_changed
    return opened.label if is_it else None


def _way(opened: OpenedBoard) -> str:
    if opened.kind == "name":
        return "name"
    return f"step:{opened.number}" if opened.kind == "step" else f"version:{opened.label}"


def _lists(
    sheet: Sheet, figures: Mapping[str, KeywordFigures], waiting: frozenset[str], opened: OpenedBoard
) -> list[Document]:
    return [
        {
            "id": name,
            "label": LABELS[name],
            "rows": [
                _row(keyword, figures.get(keyword.key), keyword.key in waiting, opened) for keyword in sheet.of(name)
            ],
        }
        for name in LISTS
    ]


def _row(keyword: Keyword, figures: KeywordFigures | None, waits: bool, opened: OpenedBoard) -> Document:
    document: Document = {
        "key": keyword.key,
        "text": keyword.text,
        "phrase": keyword.phrase,
        "fields": list(keyword.fields),
        "waits": waits,
        "who": [_who(proposal) for proposal in opened.proposals.get(keyword.key, ())],
    }
    if figures is None:
        return document
    return document | {
        "n_alone": figures.n_alone,
        "core_found": figures.core_found,
        "n_unique": figures.n_unique,
        "core_unique": figures.core_unique,
        "unique_share": figures.unique_share,
        "read_per_core": figures.read_per_core,
        "without": figures.f_beta_change_if_removed,
        "flags": list(figures.flags),
        "if_moved": {name: _effect(effect) for name, effect in figures.if_moved.items()},
    }


def _effect(effect: KeywordEffect) -> Document:
    return {
        "n_retrieved": effect.n_retrieved,
        "n_found": effect.n_core_found,
        "f_beta": effect.f_beta,
        "f_beta_change": effect.f_beta_change,
    }


def _who(proposal: KeywordProposal) -> Document:
    return {"by": who_proposed(proposal.model, proposal.reading), "reason": proposal.reason}


def who_proposed(model: str, reading: str) -> str:
    """Return the model that proposed a keyword, and its source.

    >>> who_proposed("", "statistics"), who_proposed("demo", "most_cited")
    ('corpus statistics', 'demo (not a language model), most cited')
    """
    if not model or model == STATISTICS:
        return "corpus statistics"
    name = "demo (not a language model)" if model == "demo" else model
    kind, _, source = reading.partition(":")
    return ", ".join(part for part in (name, kind.replace("_", " "), source) if part)


def _held(index: int, held: HeldBackProposal, sheet: Sheet) -> Document:
    return {
        "index": index,
        "text": held.text,
        "why": held.why,
        "by": who_proposed(held.model, held.reading),
        "keyword": held.keyword.text if held.keyword else None,
        "taken": held.keyword is not None and sheet.list_of(held.keyword.key) is not None,
    }


def spans(text: str, state: BoardState) -> list[Document]:
    """Return the keyword of each part of the search string; the rest is punctuation and operators."""
    if not text:
        return []
    sheet, found = state.sheet, []
    for node in walk(root) if (root := parse(text, state.dialect).root) else ():
        if not isinstance(node, Term):
            continue
        key = " ".join(words(written(node.pieces))) or written(node.pieces).casefold()
        if (name := sheet.list_of(key)) is not None:
            found.append({"start": node.extent.start, "end": node.extent.end, "list": name, "key": key})
    return found


def _losses(made: WrittenQuery) -> list[Document]:
    """Return the losses of this dialect, each sentence once."""
    return [{"message": message} for message in dict.fromkeys(loss.message for loss in made.losses)]


def _scores(now: StringScores, scales: BoardScorer) -> Document:
    sides = {"whole": now.whole, "used": now.used, "held_out": now.held_out}
    split = scales.sides.held_out is not None
    return {
        "n_retrieved": now.n_retrieved,
        "n_corpus": scales.n,
        "beta": scales.sides.whole.settings.beta,
        "sides": {
            name: _standing(standing)
            for name, standing in sides.items()
            if standing is not None and (split or name == "whole")
        },
        "why_no_region": "" if _has_region(scales.sides.whole) else NO_REGION,
    }


def _has_region(stakes: Stakes) -> bool:
    return count(stakes.accepted) > 0


def _standing(standing: CoreScores) -> Document:
    return {
        "n_core": standing.n_core,
        "n_found": standing.n_found,
        "recall": standing.recall,
        "recall_interval": list(standing.recall_interval),
        "semantic_precision": standing.semantic_precision,
        "f_beta": standing.f_beta,
    }


def _short(standing: StringScores) -> Document:
    whole = standing.whole
    return {
        "n_retrieved": standing.n_retrieved,
        "n_found": whole.n_found,
        "semantic_precision": whole.semantic_precision,
        "f_beta": whole.f_beta,
    }


def _last(state: BoardState, now: StringScores, scales: BoardScorer) -> Document | None:
    """Return the last request and its effect on the scores; None: nothing was changed yet."""
    if state.before is None:
        return None
    before, after = _short(scales.judged(state.before)), _short(now)
    changes = {
        name: None if before[name] is None or after[name] is None else after[name] - before[name] for name in after
    }
    return {"message": state.message[:LONGEST_SPOKEN], **changes}
