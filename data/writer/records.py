"""What is kept of a writing: what was wanted, what was asked and answered, and every step on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.types import Ids, Publication
from core.writer.asking.reading import Merged, Removal
from core.writer.types import Brief, Budget, HeldBack, Mode, Proposal, ReadingKind, Split, Step
from data.writer.wanted import Recipe

BY_HAND = "by hand"
"""Who made a step that a person made."""
WritingState = Literal["planned", "running", "stopped", "done"]
Purpose = Literal["propose", "refine"]
CallStatus = Literal["ok", "not read", "refused", "failed", "known"]
"""ok: a list was read. not read: what came is no list. failed: the service. known: answered before, nothing sent."""


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """What was read, as it is kept: its publications by their ids alone."""

    reading_id: str
    kind: ReadingKind
    ids: Ids
    """Of a live reading: as the source names them."""
    note: str = ""
    source: str = ""
    """Of a live one: the source's id."""
    outside: tuple[Publication, ...] = ()
    """Those that came from outside the workspace, live or brought by the user, whole."""


@dataclass(frozen=True, slots=True)
class Call:
    """One question and what came of it. Never changed."""

    number: int
    """From 1, in the order in which they were answered."""
    purpose: Purpose
    reading: str
    model: str
    """Who was asked."""
    mode: Mode
    seed: int
    prompt_version: str
    system: str
    question: str
    answers: tuple[str, ...]
    """As they came; empty where nobody answered."""
    status: CallStatus
    proposals: tuple[Proposal, ...] = ()
    removals: tuple[Removal, ...] = ()
    """Of a refinement: keywords that are better left out."""
    held_back: tuple[HeldBack, ...] = ()
    problem: str | None = None
    """What is wrong with the answer, or why there is none."""
    n_prompt_tokens: int | None = None
    n_answer_tokens: int | None = None
    ms: float = 0.0
    made_at: str = ""


@dataclass(frozen=True, slots=True)
class Writing:
    """One time that strings were written for a topic, whole."""

    writing_id: str
    topic_id: str
    brief: Brief
    budget: Budget
    recipes: tuple[Recipe, ...]
    embedder: str
    live: str | None
    split: Split
    """The halves as they were when it began."""
    readings: tuple[ReadingRow, ...]
    steps: tuple[Step, ...]
    """The first is the topic's name alone; candidates, rounds of refinement and changes by hand follow."""
    calls: tuple[Call, ...]
    proposals: tuple[Merged, ...]
    """One row for each keyword, with all who proposed it."""
    held_back: tuple[HeldBack, ...]
    state: WritingState
    problem: str | None
    """Why it ended early."""
    made_at: str
    ended_at: str | None = None
    notes: tuple[str, ...] = ()
    """What has to be known of it."""
    supporting: tuple[Publication, ...] = ()
    """What the user brought as examples of what is wanted."""
    counted: Mapping[Mode, tuple[Proposal, ...]] = field(default_factory=dict)
    """Proposed by counting in the corpus, without asking anybody; by mode, that of the brief first."""
    topic_state: str = ""
    """Names the publications that it began with."""

    @property
    def baseline(self) -> Step | None:
        """The topic's name alone; None: nothing was written yet."""
        return self.steps[0] if self.steps else None

    @property
    def candidates(self) -> tuple[Step, ...]:
        """Steps that were made from proposals: neither by refining nor by hand."""
        return tuple(step for step in self.steps if step.parent == 0 and step.round is None and step.made_by != BY_HAND)

    @property
    def best(self) -> Step | None:
        """The candidate or refined step with the best F-beta on the used half, among those that reach the recall."""
        return best_of(self.steps, self.budget)


@dataclass(frozen=True, slots=True)
class WritingRow:
    """A writing as a list shows it."""

    writing_id: str
    topic_id: str
    topic: str
    """As the brief has it."""
    n_steps: int
    n_calls: int
    state: WritingState
    problem: str | None
    made_at: str
    ended_at: str | None = None


def best_of(steps: tuple[Step, ...], budget: Budget) -> Step | None:
    """The best by F-beta on the used half under the recall floor; where none reaches it, the one nearest to it.

    Whatever is above the budget's size comes last. The topic's name is none of them; None: there is no other.
    """

    def worth(step: Step) -> tuple[bool, float, float, int]:
        used = step.judged.used
        is_small = budget.most_publications is None or step.judged.n_retrieved <= budget.most_publications
        return is_small, min(used.recall, budget.min_recall), used.f_beta or 0.0, -step.number

    written = [step for step in steps if step.parent is not None and step.text]
    return max(written, key=worth, default=None)
