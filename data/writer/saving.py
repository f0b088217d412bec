"""A step becomes a version of the topic's query, with the version that it comes from as its parent."""

from __future__ import annotations

from dataclasses import replace

from core.errors import InputError, NotFoundError
from core.types import Origin
from core.writer.types import Step
from data.clock import Clock, utc_now
from data.store import Store, VersionRow
from data.workspace import Workspace
from data.writer.keeping import find_writing, say_label
from data.writer.records import BY_HAND, Writing
from data.writer.stepping import BASELINE


def save_step(
    workspace: Workspace,
    writing_id: str,
    number: int,
    *,
    origin: Origin | None = None,
    clock: Clock = utc_now,
) -> VersionRow:
    """Save a step as a version. One that was saved before, or a text that was run before, is that version again.

    `origin`: None: "baseline" for the topic's name, "manual" for what a person made, else "generated".
    """
    store = workspace.store
    writing = find_writing(store, writing_id)
    step = step_named(writing, number)
    if not step.text:
        raise InputError(
            f"step {number} makes no string yet: put a keyword under specific, or one under general and one under "
            "overarching"
        )
    row = workspace.run_query(
        writing.topic_id,
        step.text,
        dialect="plain",
        semantics=writing.brief.semantics,
        parent=_saved_ancestor(store, writing, step),
        origin=origin or _origin(step),
        clock=clock,
    )
    if row.version.note is None:
        row = _with_note(store, row, _note(writing, step))
    say_label(store, writing_id, number, row.version.label)
    return row


def step_named(writing: Writing, number: int) -> Step:
    """One step of a writing by its number."""
    for step in writing.steps:
        if step.number == number:
            return step
    last = writing.steps[-1].number if writing.steps else None
    there = "it has none yet" if last is None else f"they go from 0 to {last}"
    raise NotFoundError(f"the writing has no step {number}: {there}")


def _origin(step: Step) -> Origin:
    if step.made_by == BASELINE:
        return "baseline"
    return "manual" if step.made_by == BY_HAND else "generated"


def _saved_ancestor(store: Store, writing: Writing, step: Step) -> str | None:
    """The version that the nearest earlier step was saved as; None: none of them was."""
    there = {row.version.label for row in store.versions(writing.topic_id, deleted=True)}
    parents = {each.number: each for each in writing.steps}
    above = step
    while above.parent is not None:
        above = parents[above.parent]
        if above.label in there:
            return above.label
    return None


def _note(writing: Writing, step: Step) -> str:
    what = "by hand" if step.made_by == BY_HAND else f"by the query writer: {step.made_by}"
    return f"Written {what}, for “{writing.brief.topic}”."


def _with_note(store: Store, row: VersionRow, note: str) -> VersionRow:
    version = row.version
    with store.transaction():
        store.say_of_version(version.query_id, name=version.name, note=note, deleted_at=row.deleted_at)
    return replace(row, version=replace(version, note=note))
