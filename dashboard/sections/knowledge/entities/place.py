"""Where a visitor is in a knowledge base: the entity that is open, how it was come to, and the walk from it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args

from core.knowledge.spans import Direction
from core.knowledge.templates import MOST_STEPS
from core.types import Ids
from dashboard import state
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import Move

MOST_TRAIL = 12
"""Entities that a visitor can go back to."""
KEY, WRITTEN = "place", "place-in-link"
LINK = ("entity", "trail", "walk")


@dataclass(frozen=True, slots=True)
class Place:
    """One visitor's place in one knowledge base."""

    base: str
    entity_id: str | None = None
    trail: Ids = ()
    """Entities that were open before, the oldest first."""
    moves: tuple[Move, ...] = ()
    """The walk from the entity."""

    def at(self, entity_id: str) -> Place:
        """With another entity open; one that was open before is gone back to."""
        if entity_id == self.entity_id:
            return self
        if entity_id in self.trail:
            return replace(self, entity_id=entity_id, trail=self.trail[: self.trail.index(entity_id)], moves=())
        trail = (*self.trail, self.entity_id) if self.entity_id is not None else self.trail
        return Place(self.base, entity_id, trail[-MOST_TRAIL:])


def read_place(base: KnowledgeBase) -> Place:
    """What this visitor chose, else what the link says. Another knowledge base starts anew."""
    there = state.said(KEY)
    if isinstance(there, Place) and not _went_back():
        return there if there.base == base.about.name else Place(base.about.name)
    entity_id = next(iter(state.asked_for("entity")), None)
    trail = state.asked_for("trail")[-MOST_TRAIL:]
    moves = tuple(move for text in state.asked_for("walk")[:MOST_STEPS] if (move := move_of(text)) is not None)
    return Place(base.about.name, entity_id, trail if entity_id else (), moves if entity_id else ())


def _went_back() -> bool:
    """Whether the browser's Back or Forward changed the link. One without an entity is that of a page just opened."""
    in_link = {key: tuple(state.asked_for(key)) for key in LINK}
    return bool(in_link["entity"]) and state.said(WRITTEN, in_link) != in_link


def keep_place(place: Place) -> None:
    """For the next run, and in the link."""
    said = {
        "entity": (place.entity_id,) if place.entity_id is not None else (),
        "trail": tuple(place.trail),
        "walk": tuple(text_of(move) for move in place.moves),
    }
    state.say(KEY, place)
    state.say(WRITTEN, said)
    state.write_all_in_link(said)


def visit(base_name: str, entity_id: str) -> None:
    """Open an entity the next time that the view is drawn; for buttons, wherever they are."""
    there = state.said(KEY)
    place = there if isinstance(there, Place) and there.base == base_name else Place(base_name)
    state.say(KEY, place.at(entity_id))
    state.say("find-entity", "")
    state.say("kb", "Entities")


def walk_on(place: Place, moves: Sequence[Move]) -> None:
    """Walk these steps from the entity that is open."""
    state.say(KEY, replace(place, moves=tuple(moves)))


def text_of(move: Move) -> str:
    """A step as the link holds it."""
    return json.dumps([move.relation, move.direction, move.type], ensure_ascii=False, separators=(",", ":"))


def move_of(text: str) -> Move | None:
    """A step from a link; None: it is none.

    >>> move_of(text_of(Move("writes", "back", "author")))
    Move(relation='writes', direction='back', type='author')
    >>> move_of('["writes"]') is None, move_of("[" * 9999) is None
    (True, True)
    """
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, list) or len(said) != 3 or not all(isinstance(part, str) for part in said):
        return None
    relation, direction, kind = said
    return Move(relation, cast(Direction, direction), kind) if direction in get_args(Direction) else None
