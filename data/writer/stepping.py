"""From a sheet to a step: its string, what that retrieves, and how it stands against the topic's name."""

from __future__ import annotations

from core.query.matching.matched import Bits, Semantics, count, none_of
from core.query.reading.parser import parse
from core.writer.gains import breadth_note, gain, judged
from core.writer.types import Brief, Mode, Sheet, Step, baseline_sheet, text_of
from data.writer.desk import WriterDesk

BASELINE = "the topic's name"
"""Who made the first step."""


def retrieved_by(desk: WriterDesk, sheet: Sheet, semantics: Semantics = "literal") -> Bits:
    """What the string of a sheet retrieves, read again as a version of it would be; nothing where it makes none."""
    text = text_of(sheet).text
    matched = desk.desk.match(parse(text, "plain"), semantics) if text else None
    nothing = none_of(len(desk.desk.corpus.ids))
    return nothing if matched is None or matched.root is None else matched.root


def step_of(
    desk: WriterDesk,
    sheet: Sheet,
    *,
    parent: int | None,
    made_by: str,
    semantics: Semantics = "literal",
    baseline: Bits | None = None,
    seed: int = 0,
    model: str = "",
    mode: Mode | None = None,
    round: int | None = None,
    predicted: float | None = None,
    notes: tuple[str, ...] = (),
) -> Step:
    """A step that is not kept yet (its number is -1), judged on every side.

    `baseline`: what the topic's name alone retrieves; with it the gain on the held-out half is told, the same for
    the same string. `seed`: of the recipe.
    """
    retrieved = retrieved_by(desk, sheet, semantics)
    sides = desk.sides
    broad = breadth_note(count(retrieved), len(desk.desk.corpus.ids))
    return Step(
        number=-1,
        parent=parent,
        made_by=made_by,
        sheet=sheet,
        text=text_of(sheet).text,
        judged=judged(sides, retrieved),
        gain=None if baseline is None or sides.held_out is None else gain(sides.held_out, retrieved, baseline),
        model=model,
        mode=mode,
        seed=seed,
        round=round,
        notes=(*notes, broad) if broad else notes,
        predicted=predicted,
    )


def baseline_step(desk: WriterDesk, brief: Brief) -> Step:
    """The topic's name alone: what every other step is held against."""
    return step_of(desk, baseline_sheet(brief.topic), parent=None, made_by=BASELINE, semantics=brief.semantics)
