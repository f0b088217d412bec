"""From a sheet to a step: its string, what that retrieves, and how it stands against the topic's name."""

from __future__ import annotations

from core.query.matching.bits import Bits
from core.writer.types import Mode, Sheet, Step
from data.writer.desk import WriterDesk


def retrieved_by(desk: WriterDesk, sheet: Sheet, semantics: str = "literal") -> Bits:
    """What the string of a sheet retrieves; nothing where it makes none."""
    raise NotImplementedError


def step_of(
    desk: WriterDesk,
    sheet: Sheet,
    *,
    parent: int | None,
    made_by: str,
    semantics: str = "literal",
    baseline: Bits | None = None,
    seed: int = 0,
    model: str = "",
    mode: Mode | None = None,
    round: int | None = None,
    notes: tuple[str, ...] = (),
) -> Step:
    """A step that is not kept yet (its number is -1), judged on every side.

    `baseline`: what the topic's name alone retrieves; with it the gain on the held-out half is told.
    """
    raise NotImplementedError
