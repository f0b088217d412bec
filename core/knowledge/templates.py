"""Templates of relational questions: which entities are reached from given ones by given relations."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import InputError
from core.knowledge.types import Direction

BLANK = re.compile(r"\{([^{}]+)\}")
"""A blank in a question: {slot}."""
_NUMBERED = re.compile(r"_\d+$")


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
    note: str = ""
    """What a reader of its answers has to know; empty: nothing."""

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


def filled(question: str, words: Mapping[str, str]) -> str:
    """A question with other words in its blanks. Blanks without words stay, and the words are taken as they are.

    >>> filled("Papers by {author} at {institution}", {"author": "{A} Ito"})
    'Papers by {A} Ito at {institution}'
    """
    return BLANK.sub(lambda blank: words.get(blank[1], blank[0]), question)


def compose(templates: Sequence[Template], *, template_id: str | None = None) -> Template:
    """One template whose answers meet all of these. Blanks of one name are told apart: color, color_2."""
    if not templates:
        raise InputError("nothing to put together: name at least one template")
    ids = [template.template_id for template in templates]
    if len({template.answer_type for template in templates}) > 1:
        asked = ", ".join(f"{template.template_id} for {template.answer_type}" for template in templates)
        raise InputError(
            f"these templates ask for different types of entity ({asked}), so no answer could meet them all"
        )
    taken: set[str] = set()
    legs: list[Leg] = []
    questions = []
    for template in templates:
        names = _renamed(template, taken)
        taken |= set(names.values())
        legs += [leg if leg.slot is None else replace(leg, slot=names[leg.slot]) for leg in template.legs]
        questions.append(filled(template.question, {slot: f"{{{name}}}" for slot, name in names.items()}))
    return Template(
        template_id or "+".join(ids),
        tuple(legs),
        _joined_questions(questions),
        tuple(dict.fromkeys(cue for template in templates for cue in template.cues)),
        "; ".join(dict.fromkeys(template.reference for template in templates if template.reference)),
        " ".join(dict.fromkeys(template.note for template in templates if template.note)),
    )


def _renamed(template: Template, taken: Collection[str]) -> dict[str, str]:
    """A name for each of its blanks that is not taken."""
    names: dict[str, str] = {}
    for slot in template.slots:
        used = {*taken, *names.values(), *(template.slots.keys() - {slot})}
        stem, name, number = _NUMBERED.sub("", slot), slot, 2
        while name in used:
            name = f"{stem}_{number}"
            number += 1
        names[slot] = name
    return names


def _joined_questions(questions: Sequence[str]) -> str:
    """As one sentence: the words that all begin with are said once."""
    said = [question.strip().rstrip("?").rstrip() for question in questions]
    said = list(dict.fromkeys(each for each in said if each))
    if len(said) < 2:
        return questions[0] if len(questions) == 1 else f"{said[0]}?" if said else ""
    words = [each.split(" ") for each in said]
    n_same = 0
    for same in zip(*(each[:-1] for each in words), strict=False):
        if len(set(same)) > 1 or "{" in same[0]:
            break
        n_same += 1
    rests = [" ".join(each[n_same:]) for each in words]
    if not n_same:
        return f"{', and '.join([rests[0], *(rest[:1].lower() + rest[1:] for rest in rests[1:])])}?"
    return f"{' '.join([*words[0][:n_same], ' and '.join(rests)])}?"


def lacking(template: Template, types: Collection[str], relations: Collection[str]) -> tuple[str, ...]:
    """What a knowledge base with these types and relations would need for it, in words; empty: nothing.

    Of a step that may go by several relations, one is enough.
    """
    steps = [step for leg in template.legs for step in leg.steps]
    wanted = [name for leg in template.legs for name in (leg.type, *(step.type for step in leg.steps))]
    missing = [f'the type "{name}"' for name in wanted if name not in types]
    for step in steps:
        if not any(name in relations for name in step.relations):
            missing.append("the relation " + " or ".join(f'"{name}"' for name in step.relations))
    return tuple(dict.fromkeys(missing))
