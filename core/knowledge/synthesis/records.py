"""What a synthesis keeps of each query: what it is made from, what was asked, what was answered, what it came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from core.knowledge.requirement import Requirement
from core.types import Ids

Step = Literal["extract", "fuse", "rewrite", "filter"]
STEPS: tuple[Step, ...] = get_args(Step)
State = Literal["waiting", "failed", "gold refused", "complete"]


@dataclass(frozen=True, slots=True)
class Sampled:
    """What one query is made from."""

    item: int
    """Its number, from 0."""
    template_id: str
    given: Mapping[str, Ids]
    """Ids of the entities that fill the blanks."""
    titles: Mapping[str, str]
    """Their titles, by blank."""
    relation: str
    """The requirement in words."""
    gold_id: str
    gold_title: str
    others: Ids
    """Further answers of the requirement that are to be checked."""
    n_answers: int
    """Of the requirement, in all."""
    role: str
    passed_over: Ids = ()
    """Templates that should have come before, and of which nothing new was found."""

    @property
    def requirement(self) -> Requirement:
        return Requirement(self.template_id, self.given)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a chat model is asked."""

    system: str
    user: str
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Read:
    """What was read out of an answer: properties, a query, or a verdict; or why nothing was."""

    texts: Ids = ()
    refused: str = ""

    @property
    def text(self) -> str:
        """The only one; empty where it was refused."""
        return self.texts[0] if self.texts else ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a synthesis a question stands. The same place is asked once."""

    item: int
    step: Step
    number: int
    """The attempt, from 0; in the step filter the answer that is checked: 0 is the gold answer."""
    model: str


Reads = Mapping[Place, Read]
"""What was read, for one query."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question that is still to be asked."""

    place: Place
    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Call:
    """A question that was asked, its answer and what was read out of it."""

    place: Place
    prompt: Prompt
    fingerprint: str
    """Of the model."""
    answer: str
    read: Read
    n_prompt_tokens: int | None = None
    """None: the service does not say."""
    n_answer_tokens: int | None = None
    made_at: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one query."""

    state: State
    reason: str = ""
    """Why it failed."""
    properties: Ids = ()
    query: str = ""
    verdicts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By answer and model: yes, no, unsure, or unreadable."""
    accepted: Ids = ()
    """Answers that the models accept, the gold answer first if it is among them."""
    missing_names: Ids = ()
    """Titles of given entities that the query does not hold: a retriever can't know them."""
    notes: Ids = ()


@dataclass(frozen=True, slots=True)
class Made:
    """One query with what it is made from."""

    sampled: Sampled
    outcome: Outcome
