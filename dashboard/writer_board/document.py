"""A board as the browser draws it."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.query.dialects import DIALECTS
from core.query.matching.matched import count
from core.query.reading.parser import parse
from core.query.tree import Term, walk, written
from core.query.weighing.contributions import Stakes
from core.query.writing.printing import Written
from core.text import words
from core.writer.figures import Board, Effect, KeywordFigures
from core.writer.gains import Sides, judged
from core.writer.types import LISTS, STATISTICS, HeldBack, Judged, Keyword, Proposal, Sheet, Standing, text_of
from dashboard.components.documents import Document
from dashboard.writer_board.answers import LABELS, BoardState
from dashboard.writer_board.opened import Opened, Way

LONGEST_SPOKEN = 600
NO_REGION = "No region could be fitted to the core publications."


@dataclass(frozen=True, eq=False)
class Scales:
    """What sheets of one topic are weighed on."""

    sides: Sides
    board: Board
    """What each keyword brings, by the core publications in use alone: those held out stay a test."""
    n: int
    """Publications that are searched."""

    def judged(self, sheet: Sheet) -> Judged:
        """How the string of a sheet stands."""
        return judged(self.sides, self.board.retrieved(sheet))


def board_document(state: BoardState, opened: Opened, scales: Scales, ways: Sequence[Way] = ()) -> Document:
    """Everything but the landscape's points, which the browser keeps."""
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


def _label(state: BoardState, opened: Opened) -> str | None:
    """The version that these lists are, if nothing was changed and nothing was lost."""
    is_it = opened.is_whole and opened.never_run is None and not state.is_changed
    return opened.label if is_it else None


def _way(opened: Opened) -> str:
    """What is open, as the choice has it."""
    if opened.kind == "name":
        return "name"
    return f"step:{opened.number}" if opened.kind == "step" else f"version:{opened.label}"


def _lists(
    sheet: Sheet, figures: Mapping[str, KeywordFigures], waiting: frozenset[str], opened: Opened
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


def _row(keyword: Keyword, figures: KeywordFigures | None, waits: bool, opened: Opened) -> Document:
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


def _effect(effect: Effect) -> Document:
    return {
        "n_retrieved": effect.n_retrieved,
        "n_found": effect.n_core_found,
        "f_beta": effect.f_beta,
        "f_beta_change": effect.f_beta_change,
    }


def _who(proposal: Proposal) -> Document:
    return {"by": who_proposed(proposal.model, proposal.reading), "reason": proposal.reason}


def who_proposed(model: str, reading: str) -> str:
    """Who, and from what it read.

    >>> who_proposed("", "statistics"), who_proposed("demo", "most_cited")
    ('corpus statistics', 'demo (not a language model), most cited')
    """
    if not model or model == STATISTICS:
        return "corpus statistics"
    name = "demo (not a language model)" if model == "demo" else model
    kind, _, source = reading.partition(":")
    return ", ".join(part for part in (name, kind.replace("_", " "), source) if part)


def _held(index: int, held: HeldBack, sheet: Sheet) -> Document:
    return {
        "index": index,
        "text": held.text,
        "why": held.why,
        "by": who_proposed(held.model, held.reading),
        "keyword": held.keyword.text if held.keyword else None,
        "taken": held.keyword is not None and sheet.list_of(held.keyword.key) is not None,
    }


def spans(text: str, state: BoardState) -> list[Document]:
    """Which keyword each part of the string is; the rest is signs and operators."""
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


def _losses(made: Written) -> list[Document]:
    """What this dialect can't say exactly, each sentence once."""
    return [{"message": message} for message in dict.fromkeys(loss.message for loss in made.losses)]


def _scores(now: Judged, scales: Scales) -> Document:
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


def _standing(standing: Standing) -> Document:
    return {
        "n_core": standing.n_core,
        "n_found": standing.n_found,
        "recall": standing.recall,
        "recall_interval": list(standing.recall_interval),
        "semantic_precision": standing.semantic_precision,
        "f_beta": standing.f_beta,
    }


def _short(standing: Judged) -> Document:
    whole = standing.whole
    return {
        "n_retrieved": standing.n_retrieved,
        "n_found": whole.n_found,
        "semantic_precision": whole.semantic_precision,
        "f_beta": whole.f_beta,
    }


def _last(state: BoardState, now: Judged, scales: Scales) -> Document | None:
    """What the last ask did and what it changed; None: nothing was done yet."""
    if state.before is None:
        return None
    before, after = _short(scales.judged(state.before)), _short(now)
    changes = {
        name: None if before[name] is None or after[name] is None else after[name] - before[name] for name in after
    }
    return {"said": state.said[:LONGEST_SPOKEN], **changes}
