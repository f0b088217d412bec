"""What a board was opened on, and what is known of its keywords."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.query.matching.matched import Semantics
from core.types import Origin
from core.writer.types import HeldBack, Proposal, Sheet

OpenedOn = Literal["step", "version", "name"]
"""step: of a writing. version: taken apart. name: the topic's name alone."""


@dataclass(frozen=True, slots=True)
class Way:
    """Something else that may be opened instead."""

    id: str
    """"name", "step:3" or "version:v2"."""
    label: str
    of: str
    """What it stands under in the choice."""


@dataclass(frozen=True, eq=False)
class Opened:
    """Lists as they were when the board was opened."""

    key: str
    """Tells boards of one visitor apart: each keeps its own work."""
    kind: OpenedOn
    sheet: Sheet
    title: str
    """What made it, in a few words."""
    topic_id: str
    semantics: Semantics = "literal"
    writing_id: str | None = None
    number: int | None = None
    """Of the step."""
    label: str | None = None
    """The version that it was taken from, or saved as."""
    is_candidate: bool = False
    """Made by whoever wrote, not by hand: a version of it is a generated one as long as nothing was changed."""
    left: tuple[tuple[str, str], ...] = ()
    """Of a version taken apart: what has no place in the lists, and why."""
    is_whole: bool = True
    """Whether the lists ask for the same as what was taken apart."""
    held_back: tuple[HeldBack, ...] = ()
    proposals: Mapping[str, tuple[Proposal, ...]] = field(default_factory=dict)
    """Who proposed a keyword and why, by its key."""
    notes: tuple[str, ...] = ()
    never_run: Origin | None = None
    """Of a version whose text was never run: its origin, which a run of the same lists has too. None: it was run."""
