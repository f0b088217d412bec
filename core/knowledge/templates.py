"""Templates of relational questions: which entities are reached from given ones by given relations."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import InputError
from core.knowledge.types import Direction


@dataclass(frozen=True, slots=True)
class Step:
    """One relation walked."""

    relations: tuple[str, ...]
    """Any of these."""
    type: str
    """Of the entities arrived at."""
    direction: Direction = "either"


@dataclass(frozen=True, slots=True)
class Leg:
    """One requirement: a way that ends at the answers."""

    steps: tuple[Step, ...]
    """From the start to the answer; the last step's type is the answer's."""
    type: str
    """Of the entities that it starts from."""
    slot: str | None = None
    """The blank that the starting entity fills; None: it starts from every entity of the type."""
    is_negated: bool = False
    """The answers are those that the way does not reach."""

    def __post_init__(self) -> None:
        if not self.steps:
            raise InputError("a leg of a template needs at least one relation")


@dataclass(frozen=True, slots=True)
class Template:
    """A question with blanks. Its answers meet every leg; what fills a blank is never an answer itself."""

    template_id: str
    legs: tuple[Leg, ...]
    question: str
    """In words, with blanks as {slot}."""
    cues: tuple[str, ...] = ()
    """Words of a question that speak for this template."""
    reference: str = ""
    """Where it comes from; empty: made by a user."""

    def __post_init__(self) -> None:
        if all(leg.is_negated for leg in self.legs):
            raise InputError(f'template "{self.template_id}" needs a leg that is not negated')
        if len({leg.steps[-1].type for leg in self.legs}) != 1:
            raise InputError(f'the legs of template "{self.template_id}" end at different types')

    @property
    def answer_type(self) -> str:
        return self.legs[0].steps[-1].type

    @property
    def slots(self) -> dict[str, str]:
        """The type of entity for every blank, in the order of the legs; two legs may share a blank."""
        return {leg.slot: leg.type for leg in self.legs if leg.slot is not None}


@dataclass(frozen=True, slots=True)
class Way:
    """How one leg led to one answer."""

    leg: int
    rows: tuple[int, ...]
    """The entities on the way, the start first and the answer last."""
    relations: tuple[str, ...]
    """The relation between each two of them."""
