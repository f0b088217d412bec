"""One round of refinement: what a string finds and misses, what that suggests, and the changes that it is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.query.matching.matched import Bits, rows_of
from core.query.repair.suggest import Suggestion, suggest
from core.types import Floats, Publication
from core.writer.figures import Change, Priced, Wish, differences, exchanged, phrase_of, possible, priced
from core.writer.types import Keyword, Sheet, Step, tree_of
from data.workspace import Workspace
from data.writer.asking import Asking
from data.writer.candidates import Bench
from data.writer.nearness import looked_at, nearest
from data.writer.opening import Opened
from data.writer.refine_questions import asked_about, wishes_of
from data.writer.stepping import step_of

Rows = npt.NDArray[np.intp]
MOST_PER_ROUND = 3
"""Changes of one round; after them it is read anew."""
MOST_SUGGESTED = 40
"""Terms that are taken from what is relevant, and as many from what was missed."""
MOST_READ = 60
"""Publications that a question may take its own from."""


@dataclass(frozen=True, eq=False)
class Refiner:
    """All that the rounds of one refinement share."""

    workspace: Workspace
    bench: Bench
    asking: Asking
    opened: Sequence[Opened]
    near: Floats
    baseline: Bits
    keep: Callable[[Step], Step]
    """Keeps a step as a version, and gives it its number."""

    def round(self, step: Step, number: int) -> Step:
        """The last step of a round that begins with this one; the same step: no change was worth it.

        What is expected of a change is what it would do by itself; after others it may do less, and is looked at anew.
        """
        add, remove = self._wishes(step)
        changed = self._one_by_one(step, add, remove, number)
        return self._exchanged(step, add, number) if changed is step else changed

    def _one_by_one(self, step: Step, add: Sequence[Wish], remove: Sequence[Wish], number: int) -> Step:
        done: set[str] = set()
        for each in self._priced(possible(step.sheet, add, remove), step.sheet):
            key = each.change.keyword.key
            if not each.is_better or len(done) == MOST_PER_ROUND:
                break
            now = next(iter(self._priced((each.change,), step.sheet)), None) if done else each
            if key in done or now is None or not now.is_better:
                continue
            done.add(key)
            step = self.keep(self._step(step, now.sheet, each, number))
        return step

    def _exchanged(self, step: Step, add: Sequence[Wish], number: int) -> Step:
        """Several keywords for others, where no single change helps."""
        found = exchanged(step.sheet, add, self.bench.scale)
        if found is None or not found.is_better:
            return step
        changes = differences(step.sheet, found.sheet)
        made = self._step(step, found.sheet, found, number)
        told = f"No single change helped: {phrase_of(changes, most=None)}."
        return self.keep(replace(made, made_by=phrase_of(changes), model="", notes=(told,)))

    def _priced(self, changes: Sequence[Change], sheet: Sheet) -> tuple[Priced, ...]:
        return priced(changes, sheet, self.bench.scale)

    def _step(self, before: Step, sheet: Sheet, made: Priced, number: int) -> Step:
        return step_of(
            self.bench.desk,
            sheet,
            parent=before.number,
            made_by=made.change.phrase,
            semantics=self.bench.brief.semantics,
            baseline=self.baseline,
            seed=before.seed or 0,
            model=made.change.model,
            round=number,
            predicted=made.f_beta_change,
            notes=(made.change.reason,) if made.change.reason else (),
        )

    def _wishes(self, step: Step) -> tuple[list[Wish], list[Wish]]:
        """What is to be added and removed, by the words of the corpus, and by models if any are asked."""
        desk, look_up = self.bench.desk, self.bench.look_up
        ids = desk.desk.corpus.ids
        retrieved = look_up.retrieved(step.sheet)
        wanted = desk.sides.used.core | desk.sides.used.accepted
        found = rows_of(looked_at(self.workspace, desk, retrieved, self.near) & wanted)
        lacking = rows_of(wanted & ~retrieved & ~look_up.any_of(step.sheet.excluded))
        missed = nearest(lacking, self.near, ids)
        add = [*self._suggested(step.sheet, missed, "missed"), *self._suggested(step.sheet, found, "found")]
        if not self.opened:
            return add, []
        relevant = nearest(found, self.near, ids)
        tasks = asked_about(
            self.opened,
            self.bench.brief,
            step.sheet,
            step.text,
            relevant=self._publications(relevant),
            missed=self._publications(missed),
            vocabulary=self.bench.vocabulary,
        )
        self.asking.ask(tasks)
        said_to_add, remove = wishes_of([call for task in tasks if (call := self.asking.last(task))], step.sheet)
        return [*said_to_add, *add], remove

    def _suggested(self, sheet: Sheet, rows: Sequence[int] | Rows, what: str) -> list[Wish]:
        """Terms that set some rows apart from the corpus and that the sheet has not."""
        texts, semantics = self.bench.desk.desk.corpus.texts, self.bench.brief.semantics
        target = np.asarray(rows, dtype=np.intp)
        found = suggest(texts, target, query=tree_of(sheet), semantics=semantics, most=MOST_SUGGESTED)
        return [Wish(Keyword(each.text), _reason(each, len(target), texts.n, what)) for each in found]

    def _publications(self, rows: Sequence[int]) -> tuple[Publication, ...]:
        ids = self.bench.desk.desk.corpus.ids
        return self.workspace.publications([ids[row] for row in rows[:MOST_READ]])


def _reason(each: Suggestion, n_target: int, n: int, what: str) -> str:
    return (
        f"In {each.n_target:,} of {n_target:,} relevant publications that it {what}, and in {each.n_corpus:,} of {n:,}."
    )
