"""Templates as plain lists and dictionaries, as files and the store keep them, and read strictly.

A form:

    {"id": "by-author", "question": "Which papers are by {author}?", "cues": ["by"], "reference": "", "note": "",
     "legs": [{"from": "author", "slot": "author", "negated": false,
               "steps": [{"relations": ["writes"], "direction": "forward", "type": "paper"}]}]}

Only id, question and legs are needed, and of a leg and its steps only from, steps, relations and type. A leg without a
slot starts from every entity of its type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast, get_args

from core.errors import InputError
from core.knowledge.templates import BLANK, Leg, Step, Template
from core.knowledge.types import Direction

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
    """As plain values; `read_template` gives the same template again."""
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
    """The template that a form describes; a form that does not is refused with a word on what is wrong where."""
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
            raise InputError(f'{where}: the blank "{leg.slot}" stands for {slots[leg.slot]} and for {leg.type}')
    if not slots:
        raise InputError(f"{where} has no blank: at least one leg needs a slot")
    asked = BLANK.findall(question)
    if unknown := [blank for blank in asked if blank not in slots]:
        raise InputError(f'{where}: the question has a blank "{unknown[0]}" that no leg starts from')
    if unused := [slot for slot in slots if slot not in asked]:
        raise InputError(f"{where}: the question does not say {{{unused[0]}}}, which a leg starts from")


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


def _read_step(form: object, where: str) -> Step:
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
    return Step(names, _name(given["type"], f"{where}: type"), cast(Direction, direction))


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
