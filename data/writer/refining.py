"""Rounds of refinement: run, read what is relevant and what was missed, change one thing, and judge it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from core.errors import InputError, StoreError
from core.protocols import JsonModel, OnStage, silent
from core.writer.types import Budget, Step
from data.clock import Clock, utc_now
from data.store import Store
from data.workspace import Workspace
from data.writer.asking import PAID, Asking
from data.writer.candidates import TOGETHER, Bench
from data.writer.keeping import find_writing, keep_state, keep_step, note
from data.writer.nearness import nearness
from data.writer.opening import open_models
from data.writer.records import Writing, WritingState
from data.writer.rounds import Refiner
from data.writer.saving import save_step, step_named
from data.writer.stepping import retrieved_by
from data.writer.wanted import Recipe
from data.writer.writing import alone, changed_since, check_store, desk_of

NONE_BETTER = "no change that was tried is worth it by the core publications in use"


def refine(
    workspace: Workspace,
    writing_id: str,
    number: int,
    *,
    budget: Budget | None = None,
    models: Mapping[str, JsonModel] | None = None,
    clock: Clock = utc_now,
    on_stage: OnStage = silent,
) -> Writing:
    """Refine one step until F-beta on the used half stops rising or the budget is spent.

    Every change that is made is a step, and a version made from the one before. Whoever proposed the step's keywords
    is asked for changes once a round, within the calls of the budget. `budget`: None: the writing's, with what is left
    of its calls. Why it ended is the last of the writing's notes.
    """
    store = workspace.store
    check_store(store)
    writing = find_writing(store, writing_id)
    allowed = budget or writing.budget
    start = step_named(writing, number)
    if not start.text:
        raise InputError(f"step {number} makes no string yet: there is nothing to refine")
    opened = open_models(_recipes(writing, start), models) if allowed.most_calls and allowed.most_rounds else ()
    on_stage("reading the topic")(0, 0)
    desk = desk_of(workspace, writing)
    with alone(store, writing_id, on_stage), _running(store, writing, clock):
        # Another one may have gone on with it while this one waited.
        writing = find_writing(store, writing_id)
        n_paid = sum(call.status in PAID for call in writing.calls) if budget else 0
        asking = Asking(store, writing_id, list(writing.calls), n_paid + allowed.most_calls, clock, on_stage)
        refiner = Refiner(
            workspace,
            Bench(desk, writing.brief, allowed),
            asking,
            opened,
            nearness(workspace, desk),
            retrieved_by(desk, writing.steps[0].sheet, writing.brief.semantics),
            keep=_Keeper(workspace, writing_id, clock),
        )
        why = _rounds(refiner, start, allowed.most_rounds, on_stage)
        _tell(store, writing, start, [why, *asking.problems.values()])
    return find_writing(store, writing_id)


def _rounds(refiner: Refiner, start: Step, most: int, on_stage: OnStage) -> str:
    """Refine; why it ended, in words that end a sentence."""
    if not most:
        return "0 rounds: the budget allows none"
    report, step = on_stage("refining"), start
    for number in range(1, most + 1):
        report(number - 1, most)
        after = refiner.round(step, number)
        if after is step:
            n = number - 1
            return f"{n} round{'' if n == 1 else 's'}: {NONE_BETTER}"
        step = after
    report(most, most)
    return f"{most} round{'' if most == 1 else 's'}: the budget allows no more"


@dataclass(frozen=True, eq=False)
class _Keeper:
    """Keeps each change as a step and a version; one that was made before is that step again."""

    workspace: Workspace
    writing_id: str
    clock: Clock

    def __call__(self, step: Step) -> Step:
        store = self.workspace.store
        writing = find_writing(store, self.writing_id)
        parent = next(each for each in writing.steps if each.number == step.parent)
        if parent.label is None and parent.round is None:
            self._save(parent)
        same = (s for s in writing.steps if (s.parent, s.sheet, s.round) == (step.parent, step.sheet, step.round))
        kept = next(same, None) or keep_step(store, self.writing_id, step, clock=self.clock)
        return kept if kept.label else replace(kept, label=self._save(kept))

    def _save(self, step: Step) -> str:
        return save_step(self.workspace, self.writing_id, step.number, clock=self.clock).version.label


@contextmanager
def _running(store: Store, writing: Writing, clock: Clock) -> Iterator[None]:
    """The writing is at work, and then as it was before."""
    keep_state(store, writing.writing_id, "running", clock=clock)
    state: WritingState = "done" if writing.state == "done" else "stopped"
    try:
        yield
    finally:
        with suppress(StoreError):  # what ended it may be a store that takes nothing any more
            keep_state(store, writing.writing_id, state, writing.problem, clock=clock)


def _tell(store: Store, writing: Writing, start: Step, said: Sequence[str]) -> None:
    begins = f"Refining step {start.number} ended after "
    sentence = begins + "; ".join(each.rstrip(".") for each in said) + "."
    kept = [each for each in writing.notes if not each.startswith(begins)]
    note(store, writing.writing_id, [*kept, *changed_since(store, writing), sentence])


def _recipes(writing: Writing, step: Step) -> tuple[Recipe, ...]:
    """Who made a step's keywords: one recipe, or all where they were put together. Statistics ask nobody."""
    of_number = {each.number: each for each in writing.steps}
    while step.round is not None and step.parent is not None:
        step = of_number[step.parent]
    asking = tuple(recipe for recipe in writing.recipes if not recipe.is_statistics)
    if step.made_by == TOGETHER:
        return asking
    return tuple(r for r in asking if (r.model, r.mode, r.seed) == (step.model, step.mode, step.seed))
