"""Writes strings for a topic: readings go to whoever proposes, proposals are sorted, every string is judged."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from threading import Lock

from core.errors import InputError, StoreError, StoreInUseError
from core.protocols import JsonModel, OnStage, silent
from core.writer.asking.reading import VERSION as PROMPTS
from core.writer.types import Proposal, Reading, brief_document, budget_document
from data.asking import BEAT
from data.clock import Clock, utc_now
from data.store import Store, content_hash
from data.workspace import Workspace
from data.writer.asking import ANSWERED, Asking, proposing
from data.writer.candidates import Bench, keep_candidates, made_from
from data.writer.desk import WriterDesk, set_up_writer
from data.writer.excluding import removed_core
from data.writer.keeping import begin, find_writing, has_writing, in_reading_order, keep_state, keep_step, note
from data.writer.opening import Opened, open_models
from data.writer.readings import held_out_among, readings
from data.writer.records import Call, ReadingRow, Writing
from data.writer.stepping import baseline_step
from data.writer.wanted import Recipe, Wanted

VERSION = "writing-2"
"""Rises with any change of how keywords are counted, sorted, searched or judged: a writing from before is another."""

NOTHING_OF = " proposed nothing that a string could be made of: "


def write(
    workspace: Workspace,
    wanted: Wanted,
    *,
    models: Mapping[str, JsonModel] | None = None,
    clock: Clock = utc_now,
    on_stage: OnStage = silent,
) -> Writing:
    """Write. What ends it early leaves what was answered, and a second time goes on from there.

    `models`: by name, in the place of those that the recipes name. A service that fails is told in the writing's
    `problem`; the strings that can be made without it are made. The same wish over the same topic is one writing.
    """
    check_store(workspace.store)
    opened = open_models(wanted.recipes, models)
    on_stage("reading the topic")(0, 0)
    desk = _desk(workspace, wanted)
    writing_id = writing_id_of(workspace, wanted, desk)
    with alone(workspace.store, writing_id, on_stage):
        if not has_writing(workspace.store, writing_id):
            _begin(workspace, writing_id, wanted, desk, clock)
        return _written(workspace, writing_id, desk, opened, clock, on_stage)


def resume(
    workspace: Workspace,
    writing_id: str,
    *,
    models: Mapping[str, JsonModel] | None = None,
    clock: Clock = utc_now,
    on_stage: OnStage = silent,
) -> Writing:
    """Go on with a writing that ended early; nothing that was answered is asked again."""
    check_store(workspace.store)
    writing = find_writing(workspace.store, writing_id)
    opened = open_models(writing.recipes, models)
    on_stage("reading the topic")(0, 0)
    desk = desk_of(workspace, writing)
    with alone(workspace.store, writing_id, on_stage):
        return _written(workspace, writing_id, desk, opened, clock, on_stage)


def desk_of(workspace: Workspace, writing: Writing) -> WriterDesk:
    """The desk that a writing stands on, with the halves that it began with.

    An error if its topic has other core publications by now: what was held out would no longer be.
    """
    brief = writing.brief
    desk = set_up_writer(workspace, writing.topic_id, writing.embedder, seed=brief.seed, hold_out=brief.hold_out)
    if (set(desk.split.used), set(desk.split.held_out)) != (set(writing.split.used), set(writing.split.held_out)):
        raise InputError(
            "the topic has other core publications than when this was written, so other ones would be held out: "
            "write anew"
        )
    return desk


def changed_since(store: Store, writing: Writing) -> tuple[str, ...]:
    """What has to be known where the topic has other publications than when it was written."""
    if writing.topic_state == store.topic_state(writing.topic_id):
        return ()
    return ("The topic has other publications or texts than when this began: later steps are scored on these.",)


def writing_id_of(workspace: Workspace, wanted: Wanted, desk: WriterDesk) -> str:
    """The same for the same wish over the same publications and vectors."""
    embedding = workspace.embedding(wanted.topic_id, desk.desk.embedder)
    return content_hash(
        [
            *(VERSION, PROMPTS),
            wanted.topic_id,
            json.dumps(brief_document(wanted.brief), sort_keys=True),
            json.dumps(budget_document(wanted.budget), sort_keys=True),
            json.dumps([asdict(recipe) for recipe in wanted.recipes]),
            json.dumps([asdict(publication) for publication in wanted.supporting]),
            wanted.live or "",
            *(embedding.embedder, embedding.fingerprint),
            workspace.store.topic_state(wanted.topic_id),
        ]
    )


def _desk(workspace: Workspace, wanted: Wanted) -> WriterDesk:
    brief = wanted.brief
    return set_up_writer(workspace, wanted.topic_id, wanted.embedder, seed=brief.seed, hold_out=brief.hold_out)


def _begin(workspace: Workspace, writing_id: str, wanted: Wanted, desk: WriterDesk, clock: Clock) -> None:
    """A new writing with its readings, the topic's name and what statistics propose: nothing is asked yet."""
    store, brief = workspace.store, wanted.brief
    notes = [each.sentence + "." for each in removed_core(desk.desk, brief)]
    if not desk.split.held_out:
        notes.append("No core publications are held out: nothing tells what was fitted to them.")
    found = readings(workspace, desk, brief, live=wanted.live, supporting=wanted.supporting)
    if told := held_out_among(desk, found):
        notes.append(told)
    bench = Bench(desk, brief, wanted.budget)
    modes = dict.fromkeys([brief.mode, *(recipe.mode for recipe in wanted.recipes if recipe.is_statistics)])
    begin(
        store,
        writing_id,
        wanted,
        embedder=desk.desk.embedder,
        split=desk.split,
        readings=[reading_row(reading) for reading in found],
        counted={mode: bench.counted(mode, wanted.supporting) for mode in modes},
        notes=notes,
        clock=clock,
    )
    keep_step(store, writing_id, baseline_step(desk, brief), clock=clock)


def reading_row(reading: Reading) -> ReadingRow:
    """A reading as it is kept."""
    ids = tuple(p.publication_id for p in reading.publications)
    outside = reading.publications if reading.kind in ("live", "supporting") else ()
    return ReadingRow(reading.reading_id, reading.kind, ids, reading.note, reading.source, outside)


def read_again(workspace: Workspace, rows: Sequence[ReadingRow]) -> tuple[Reading, ...]:
    """Readings as they were: the same publications in the same order, so that the same is asked."""
    return tuple(
        Reading(row.kind, row.outside or workspace.publications(row.ids), row.source, row.note) for row in rows
    )


def _written(
    workspace: Workspace,
    writing_id: str,
    desk: WriterDesk,
    opened: Sequence[Opened],
    clock: Clock,
    on_stage: OnStage,
) -> Writing:
    """Whatever is still to be done of a writing, done."""
    store = workspace.store
    writing = find_writing(store, writing_id)
    if writing.state == "done":
        return writing
    keep_state(store, writing_id, "running", clock=clock)
    asking = Asking(store, writing_id, list(writing.calls), writing.budget.most_calls, clock, on_stage)
    problem: str | None = "stopped before it was done: go on with it, nothing that was answered is asked again"
    try:
        bench = Bench(desk, writing.brief, writing.budget)
        _make(store, writing, bench, (), on_stage)
        if writing.budget.most_calls:
            asking.ask(proposing(opened, read_again(workspace, writing.readings), writing.brief, bench.vocabulary))
        _make(store, find_writing(store, writing_id), bench, _proposed(opened, asking, writing), on_stage)
        problem = "; ".join(asking.problems.values()) or None
        said = [each for each in writing.notes if NOTHING_OF not in each]
        note(store, writing_id, [*said, *changed_since(store, writing), *_notes(writing, asking)])
    finally:
        with suppress(StoreError):  # what ended it may be a store that takes nothing any more
            keep_state(store, writing_id, "stopped" if problem else "done", problem, clock=clock)
    return find_writing(store, writing_id)


def _make(
    store: Store,
    writing: Writing,
    bench: Bench,
    asked: Sequence[tuple[Recipe, Sequence[Proposal]]],
    on_stage: OnStage,
) -> None:
    made = made_from(writing.counted, asked)
    keep_candidates(store, writing.writing_id, bench, made, writing.steps, on_stage("sorting keywords"))


def _proposed(opened: Sequence[Opened], asking: Asking, writing: Writing) -> list[tuple[Recipe, Sequence[Proposal]]]:
    """What each recipe proposed, reading after reading: who answers first must not change a string."""
    calls = in_reading_order(asking.calls, writing.readings)
    found: list[tuple[Recipe, Sequence[Proposal]]] = []
    for each in opened:
        recipe = each.recipe
        own = (c for c in calls if (c.model, c.mode, c.seed) == (recipe.model, recipe.mode, recipe.seed))
        found.append((recipe, [proposal for c in own if c.purpose == "propose" for proposal in c.proposals]))
    return found


def _notes(writing: Writing, asking: Asking) -> list[str]:
    n = asking.n_left_out
    if not writing.budget.most_calls and any(not recipe.is_statistics for recipe in writing.recipes):
        return ["The budget allows no calls, so no model was asked: the keywords come from the corpus."]
    found = _gave_nothing(writing, asking.calls)
    if not n:
        return found
    left = "1 question was" if n == 1 else f"{n} questions were"
    return [*found, f"{left} not asked: the budget allows {writing.budget.most_calls} calls."]


def _gave_nothing(writing: Writing, calls: Sequence[Call]) -> list[str]:
    """Recipes that were answered and still have no string, and why."""
    found = []
    for recipe in writing.recipes:
        own = [c for c in calls if c.purpose == "propose" and (c.model, c.mode, c.seed) == recipe.key]
        heard = [c for c in own if c.status in ANSWERED]
        if not heard or any(call.proposals for call in heard):
            continue
        n = sum(len(call.held_back) for call in heard)
        why = f"{n} of its keywords are held back" if n else heard[-1].problem or "its lists are empty"
        found.append(f"{recipe.name}{NOTHING_OF}{why.rstrip('.')}.")
    return found


def check_store(store: Store) -> None:
    """An error if nothing that is written would be kept."""
    if store.is_copy:  # said before anything is paid for
        raise StoreInUseError(f"{store.path} is open in another Queryscape: close that one to write")


_locks: dict[tuple[str, str], Lock] = {}
_locks_lock = Lock()


@contextmanager
def alone(store: Store, writing_id: str, on_stage: OnStage) -> Iterator[None]:
    """One at a time for one writing: two would both pay for the same questions."""
    with _locks_lock:
        lock = _locks.setdefault((str(store.path.resolve()), writing_id), Lock())
    if not lock.acquire(blocking=False):
        report = on_stage("waiting for the same writing to be done")
        while not lock.acquire(timeout=BEAT):
            report(0, 0)
    try:
        yield
    finally:
        lock.release()
