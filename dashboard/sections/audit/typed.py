"""What is typed on this page, kept until it is saved: through other items, other pages and a save that fails.

Streamlit breaks off a run where it reads or writes the session's state once the next click has come, even in what a
field calls when it changes; what changed then never counts as changed again. So no field calls anything. At the head
of every run, and first of all in whatever a button calls, `settle` compares what every field says with what it showed
and saves the difference. It looks at one copy of the state and writes into one object: nothing breaks it off.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from threading import RLock
from typing import Any

from core.errors import QueryscapeError
from dashboard import state
from data.store import content_hash

HELD = "audit-held"
NAME = "audit-name"
LONGEST_NAME = 120
LONGEST_TEXT = 20_000
ONE_AT_A_TIME = RLock()
"""Whoever changes a part of a review reads it, changes it and writes the whole: two at once would lose one change."""


@dataclass(slots=True)
class Field:
    """One field that was drawn."""

    shown: Any
    """What it said when that was last saved."""
    save: Callable[[Any], None]
    is_over: bool = False
    """It is to show what is kept as soon as it is drawn again, whatever it says now."""


@dataclass(slots=True)
class Held:
    """Of one visitor. It is changed in place."""

    typed: dict[str, Any] = field(default_factory=dict)
    """What was typed and not saved yet, by field."""
    fields: dict[str, Field] = field(default_factory=dict)
    mistake: str | None = None
    """What went wrong last, until it is said."""


def field_key(what: str, *about: str) -> str:
    """What the field for it is called, whatever the topic's name holds."""
    return f"audit-{what}-{content_hash(list(about))[:12]}"


def typed(key: str) -> Any:
    """What was typed and not saved yet; None: nothing."""
    return held().typed.get(key)


def lately(key: str) -> Any:
    """What the field says, drawn or not."""
    return state.snapshot().get(key, typed(key))


def name() -> str:
    """Who sits here, as far as they said."""
    return str(lately(NAME) or "").strip()


def fill_in(key: str, kept: Any, save: Callable[[Any], None] | None = None) -> None:
    """Before the field is drawn: what was typed there, else what is kept, also where another page has changed that.

    `save` is called with what the field says as soon as that changes; None: a button will save it.
    """
    held_now, now = held(), state.said(key)
    before = held_now.fields.get(key)
    if now is None or before is None or before.is_over or (save and now == before.shown and _text(now) != kept):
        filled = held_now.typed.get(key, kept)
        state.say(key, filled)
        shown = filled if save is None else kept
    else:
        shown = before.shown
    held_now.fields[key] = Field(shown, save or partial(held_now.typed.__setitem__, key))


def _text(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def settle() -> None:
    """Save whatever fields say by now. What can't be saved stays in its field, and the next run tries again."""
    with ONE_AT_A_TIME:
        now = state.snapshot()
        held_now = now.get(HELD)
        if not isinstance(held_now, Held):
            return
        for key, one in list(held_now.fields.items()):
            if one.is_over or key not in now or now[key] == one.shown:
                continue
            held_now.typed.pop(key, None)
            try:
                one.save(now[key])
            except QueryscapeError as e:
                held_now.typed[key] = now[key]
                held_now.mistake = str(e)
            else:
                one.shown = now[key]


def let_go(*keys: str) -> None:
    """It is saved, or what is kept has changed: from now on the field shows what is kept."""
    held_now = held()
    for key in keys:
        held_now.typed.pop(key, None)
        if key in held_now.fields:
            held_now.fields[key].is_over = True


def held() -> Held:
    """What this visitor has typed."""
    found = state.snapshot().get(HELD)
    if not isinstance(found, Held):
        found = Held()
        state.say(HELD, found)
    return found
