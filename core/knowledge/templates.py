"""Templates of relational questions, their wording, their JSON form, and the requirements made from them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast, get_args

from core.collections import Query
from core.errors import InputError
from core.knowledge.entities import Direction
from core.text import lower_first, plural_of
from core.types import Ids

# Templates of relational questions: given entities, and the relations that lead from them to the answers.

BLANK = re.compile(r"\{([^{}]+)\}")
"""A blank in a question: {slot}."""
_NUMBERED = re.compile(r"_\d+$")


@dataclass(frozen=True, slots=True)
class TemplateStep:
    relations: tuple[str, ...]
    """Alternative relations."""
    type: str
    """The type of the entities reached."""
    direction: Direction = "either"


@dataclass(frozen=True, slots=True)
class Leg:
    """One requirement: a path that ends at the answers."""

    steps: tuple[TemplateStep, ...]
    """From the start to the answer; the last step's type is the answer's."""
    type: str
    """The type of the entities at the start."""
    slot: str | None = None
    """The blank that the starting entity fills; None: the path starts from every entity of the type."""
    is_negated: bool = False
    """The answers are the entities that the path does not reach."""

    def __post_init__(self) -> None:
        if not self.steps:
            raise InputError("a leg of a template needs at least one relation")


@dataclass(frozen=True, slots=True)
class Template:
    """A question with blanks. Its answers meet every leg; an entity that fills a blank is never an answer itself."""

    template_id: str
    legs: tuple[Leg, ...]
    question: str
    """In words, with blanks as {slot}."""
    cues: tuple[str, ...] = ()
    """Words of a question that indicate this template."""
    reference: str = ""
    """The source of the template; empty: made by a user."""
    note: str = ""
    """A note for readers of the answers; empty: none."""

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
class RelationPath:
    leg: int
    rows: tuple[int, ...]
    """The entities on the path, the start first and the answer last."""
    relations: tuple[str, ...]
    """The relations between consecutive entities."""


def filled(question: str, words: Mapping[str, str]) -> str:
    """Fill the blanks of a question literally. Blanks without words stay.

    >>> filled("Papers by {author} at {institution}", {"author": "{A} Ito"})
    'Papers by {A} Ito at {institution}'
    """
    return BLANK.sub(lambda blank: words.get(blank[1], blank[0]), question)


def compose(templates: Sequence[Template], *, template_id: str | None = None) -> Template:
    """Combine templates into one whose answers meet them all. Blanks of the same name are numbered: color, color_2."""
    if not templates:
        raise InputError("nothing to combine: name at least one template")
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
    """Join questions into one sentence, in which their common beginning occurs once."""
    parts = [question.strip().rstrip("?").rstrip() for question in questions]
    parts = list(dict.fromkeys(each for each in parts if each))
    if len(parts) < 2:
        return questions[0] if len(questions) == 1 else f"{parts[0]}?" if parts else ""
    words = [each.split(" ") for each in parts]
    n_same = 0
    for same in zip(*(each[:-1] for each in words), strict=False):
        if len(set(same)) > 1 or "{" in same[0]:
            break
        n_same += 1
    rests = [" ".join(each[n_same:]) for each in words]
    if not n_same:
        return f"{', and '.join([rests[0], *(lower_first(rest) for rest in rests[1:])])}?"
    return f"{' '.join([*words[0][:n_same], ' and '.join(rests)])}?"


def lacking(template: Template, types: Collection[str], relations: Collection[str]) -> tuple[str, ...]:
    """List the types and relations that a template needs and a knowledge base lacks; empty: none.

    Of a step with alternative relations, one is enough.
    """
    steps = [step for leg in template.legs for step in leg.steps]
    wanted = [name for leg in template.legs for name in (leg.type, *(step.type for step in leg.steps))]
    missing = [f'the type "{name}"' for name in wanted if name not in types]
    for step in steps:
        if not any(name in relations for name in step.relations):
            missing.append("the relation " + " or ".join(f'"{name}"' for name in step.relations))
    return tuple(dict.fromkeys(missing))


# The relational requirement of a question: a template with its blanks filled. Queries store it in their labels.

TEMPLATE, GIVEN = "template", "given"
"""Names of the labels."""


@dataclass(frozen=True, slots=True)
class Requirement:
    template_id: str
    given: Mapping[str, Ids]

    @property
    def labels(self) -> tuple[tuple[str, str], ...]:
        given = {slot: list(ids) for slot, ids in self.given.items()}
        return (TEMPLATE, self.template_id), (GIVEN, json.dumps(given, ensure_ascii=False))


def requirement_of(query: Query) -> Requirement | None:
    """Parse the requirement from a query's labels; None if there is none that can be read.

    >>> made = Requirement("mag-author", {"author": ("a7",)})
    >>> requirement_of(Query("1", "papers by Ito", made.labels)) == made
    True
    """
    labels = dict(query.labels)
    if TEMPLATE not in labels or GIVEN not in labels:
        return None
    try:
        given = json.loads(labels[GIVEN])
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or not all(isinstance(ids, list) for ids in given.values()):
        return None
    return Requirement(labels[TEMPLATE], {slot: tuple(map(str, ids)) for slot, ids in given.items()})


# Wording of types, relations and questions for people.

_RELATIONS: dict[str, tuple[str, str, str]] = {
    "affiliated_with": ("affiliated with", "has as researcher", "affiliated with"),
    "writes": ("writes", "written by", "writes or is written by"),
    "cites": ("cites", "cited by", "cites or is cited by"),
    "has_topic": ("is about", "is the topic of", "is about or is the topic of"),
    "has_brand": ("made by", "makes", "made by or makes"),
    "has_category": ("in the category", "category of", "in the category or category of"),
    "has_color": ("in the colour", "colour of", "in the colour or colour of"),
    "also_buy": ("bought together with", "bought by buyers of", "bought together with"),
    "also_view": ("viewed together with", "viewed by viewers of", "viewed together with"),
    "ppi": ("interacts with the protein",) * 3,
    "parent-child": ("parent or child of",) * 3,
    "carrier": ("carrier of or carried by",) * 3,
    "enzyme": ("enzyme for or changed by",) * 3,
    "target": ("target of or targets",) * 3,
    "transporter": ("transporter of or transported by",) * 3,
    "contraindication": ("contraindication for",) * 3,
    "indication": ("indication for",) * 3,
    "off-label use": ("off-label use for",) * 3,
    "synergistic interaction": ("acts together with",) * 3,
    "phenotype absent": ("is not seen with",) * 3,
    "phenotype present": ("is seen with",) * 3,
    "side effect": ("side effect of or has the side effect",) * 3,
    "expression present": ("expressed in or expresses",) * 3,
    "expression absent": ("not expressed in or does not express",) * 3,
}
"""Followed forward, back, and either way. Relations that are published both ways have words that fit both."""
_PLACES: dict[Direction, int] = {"forward": 0, "back": 1, "either": 2}
_TYPES = {
    "color": ("colour", "colours"),
    "gene/protein": ("gene or protein", "genes or proteins"),
    "effect/phenotype": ("effect or phenotype", "effects or phenotypes"),
    "anatomy": ("part of the body", "parts of the body"),
}


def relation_words(name: str, direction: Direction) -> str:
    """Word a relation as a verb between two entities, in the direction in which it is followed.

    >>> relation_words("author___writes___paper", "back")
    'written by'
    >>> relation_words("grows_on", "forward")
    'grows on'
    """
    parts = name.split("___")
    verb = parts[1] if len(parts) == 3 and parts[1] else name
    if verb in _RELATIONS:
        return _RELATIONS[verb][_PLACES[direction]]
    return " ".join(verb.replace("_", " ").split()) or name


def type_words(name: str, *, plural: bool = False) -> str:
    """Word a type of entity for people.

    >>> type_words("field_of_study", plural=True), type_words("institution")
    ('fields of study', 'institution')
    """
    if name in _TYPES:
        return _TYPES[name][plural]
    words = name.replace("_", " ").replace("/", " or ").split()
    if not plural or not words:
        return " ".join(words) or name
    counted = words.index("of") - 1 if "of" in words[1:] else len(words) - 1
    words[counted] = plural_of(words[counted])
    return " ".join(words)


def blank_words(template: Template) -> dict[str, str]:
    """Describe the entity for each blank; the second of two equal descriptions says "another"."""
    entries: dict[str, str] = {}
    for slot, kind in template.slots.items():
        words = type_words(kind)
        entries[slot] = f"another {words}" if words in entries.values() else words
    return entries


def with_text(question: str, about: str) -> str:
    """Add a textual requirement to a question.

    >>> with_text("Which papers are written by Ito?", "night work")
    'Which papers are written by Ito, about night work?'
    """
    about, question = " ".join(about.split()), question.strip()
    if not about:
        return question
    end = question[-1:] if question.endswith(("?", ".")) else ""
    return f"{question.rstrip('?.').rstrip()}, about {about}{end}"


def question_words(template: Template, titles: Mapping[str, str]) -> str:
    """Fill the question with titles; a blank without one describes its entity in brackets."""
    wanted = {slot: f"[{words}]" for slot, words in blank_words(template).items()}
    given = {slot: title.strip() for slot, title in titles.items() if title.strip()}
    return filled(template.question, {**wanted, **given})


# Templates as plain lists and dictionaries, for files and the store, with strict parsing.
#
# A form:
#
#     {"id": "by-author", "question": "Which papers are by {author}?", "cues": ["by"], "reference": "", "note": "",
#      "legs": [{"from": "author", "slot": "author", "negated": false,
#                "steps": [{"relations": ["writes"], "direction": "forward", "type": "paper"}]}]}
#
# Only id, question and legs are required, and from, steps, relations and type of a leg and its steps. A leg
# without a slot starts from every entity of its type.

MOST_STEPS = 6
MOST_LEGS = 8
MOST_RELATIONS = 32
MOST_CUES = 100
LONGEST_NAME = 120
LONGEST_TEXT = 2_000
_TEMPLATE = {"id": True, "question": True, "legs": True, "cues": False, "reference": False, "note": False}
_LEG = {"from": True, "steps": True, "slot": False, "negated": False}
_STEP = {"relations": True, "type": True, "direction": False}


def template_form(template: Template) -> dict[str, object]:
    """Convert a template to plain values that `read_template` can read."""
    return {
        "id": template.template_id,
        "question": template.question,
        "cues": list(template.cues),
        "reference": template.reference,
        "note": template.note,
        "legs": [_leg_form(leg) for leg in template.legs],
    }


def _leg_form(leg: Leg) -> dict[str, object]:
    steps = [{"relations": list(step.relations), "direction": step.direction, "type": step.type} for step in leg.steps]
    slot = {} if leg.slot is None else {"slot": leg.slot}
    return {"from": leg.type, **slot, "negated": leg.is_negated, "steps": steps}


def read_template(form: object) -> Template:
    """Parse a template from a form. Raise an error that describes an invalid form's problem and its position."""
    given = _keys(form, _TEMPLATE, "a template")
    template_id = _name(given["id"], "the id of a template")
    where = f'template "{template_id}"'
    legs = [
        _read_leg(leg, f"{where}, leg {number}")
        for number, leg in enumerate(_list(given["legs"], f"{where}: legs", MOST_LEGS), start=1)
    ]
    if not legs:
        raise InputError(f"{where} has no legs: it needs at least one way to its answers")
    if len(ends := dict.fromkeys(leg.steps[-1].type for leg in legs)) > 1:
        raise InputError(f"{where}: its legs end at different types ({', '.join(ends)}); they must end at one")
    if all(leg.is_negated for leg in legs):
        raise InputError(f"{where}: all its legs are negated; at least one has to say where answers come from")
    question = _text(given["question"], f"{where}: question")
    _check_blanks(legs, question, where)
    return Template(
        template_id,
        tuple(legs),
        question,
        tuple(_name(cue, f"{where}: a cue") for cue in _list(given.get("cues", []), f"{where}: cues", MOST_CUES)),
        _text(given.get("reference", ""), f"{where}: reference"),
        _text(given.get("note", ""), f"{where}: note"),
    )


def _check_blanks(legs: list[Leg], question: str, where: str) -> None:
    slots: dict[str, str] = {}
    for leg in legs:
        if leg.slot is not None and slots.setdefault(leg.slot, leg.type) != leg.type:
            raise InputError(f'{where}: the blank "{leg.slot}" is used for both {slots[leg.slot]} and {leg.type}')
    if not slots:
        raise InputError(f"{where} has no blank: at least one leg needs a slot")
    asked = BLANK.findall(question)
    if unknown := [blank for blank in asked if blank not in slots]:
        raise InputError(f'{where}: the question has a blank "{unknown[0]}" that no leg starts from')
    if unused := [slot for slot in slots if slot not in asked]:
        raise InputError(f"{where}: the question lacks {{{unused[0]}}}, which a leg starts from")


def _read_leg(form: object, where: str) -> Leg:
    given = _keys(form, _LEG, where)
    steps = _list(given["steps"], f"{where}: steps", MOST_STEPS)
    if not steps:
        raise InputError(f"{where} has no steps: it needs at least one relation")
    negated = given.get("negated", False)
    if not isinstance(negated, bool):
        raise InputError(f"{where}: negated must be true or false, got {_shown(negated)}")
    slot = given.get("slot")
    if slot is not None and set("{}") & set(_name(slot, f"{where}: slot")):
        raise InputError(f"{where}: a slot can't hold braces, got {_shown(slot)}")
    return Leg(
        tuple(_read_step(step, f"{where}, step {number}") for number, step in enumerate(steps, start=1)),
        _name(given["from"], f"{where}: from"),
        None if slot is None else str(slot),
        negated,
    )


def _read_step(form: object, where: str) -> TemplateStep:
    given = _keys(form, _STEP, where)
    relations = [given["relations"]] if isinstance(given["relations"], str) else given["relations"]
    names = tuple(
        _name(each, f"{where}: a relation") for each in _list(relations, f"{where}: relations", MOST_RELATIONS)
    )
    if not names:
        raise InputError(f"{where} names no relation")
    direction = given.get("direction", "either")
    if direction not in get_args(Direction):
        raise InputError(f"{where}: direction must be {', '.join(get_args(Direction))}, got {_shown(direction)}")
    return TemplateStep(names, _name(given["type"], f"{where}: type"), cast(Direction, direction))


def _keys(form: object, known: Mapping[str, bool], where: str) -> Mapping[str, object]:
    if not isinstance(form, Mapping):
        raise InputError(f"{where} must have the keys {', '.join(known)}, got {_shown(form)}")
    if unknown := [key for key in form if key not in known]:
        raise InputError(f"{where} has an unknown key {_shown(unknown[0])}; known are {', '.join(known)}")
    if missing := [key for key, is_needed in known.items() if is_needed and key not in form]:
        raise InputError(f'{where} lacks "{missing[0]}"')
    return form


def _list(value: object, where: str, most: int) -> list[object]:
    if not isinstance(value, list | tuple):
        raise InputError(f"{where} must be a list, got {_shown(value)}")
    if len(value) > most:
        raise InputError(f"{where}: {len(value)} are more than {most}")
    return list(value)


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where} must be text, got {_shown(value)}")
    if len(value) > LONGEST_TEXT:
        raise InputError(f"{where} has {len(value):,} characters, more than {LONGEST_TEXT:,}")
    return value


def _name(value: object, where: str) -> str:
    text = _text(value, where)
    if not text.strip() or text != text.strip() or not text.isprintable() or len(text) > LONGEST_NAME:
        raise InputError(
            f"{where} must be a name on one line of at most {LONGEST_NAME} characters, with no space at its ends, "
            f"got {_shown(value)}"
        )
    return text


def _shown(value: object) -> str:
    return repr(value)[:60] if isinstance(value, str | int | float | bool | None) else f"a {type(value).__name__}"
