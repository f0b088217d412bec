"""Plain forms of templates are read strictly."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.knowledge.templates import Leg, Template, TemplateStep, read_template, template_form
from tests.messages import refusal

FORM: dict[str, Any] = {
    "id": "mine",
    "question": "Which papers are by {author} and not of {field_of_study}?",
    "cues": ["by"],
    "legs": [
        {
            "from": "author",
            "slot": "author",
            "steps": [{"relations": "writes", "direction": "forward", "type": "paper"}],
        },
        {
            "from": "field_of_study",
            "slot": "field_of_study",
            "negated": True,
            "steps": [{"relations": ["has topic", "about"], "type": "paper"}],
        },
    ],
}
TEMPLATE = Template(
    "mine",
    (
        Leg((TemplateStep(("writes",), "paper", "forward"),), "author", "author"),
        Leg((TemplateStep(("has topic", "about"), "paper", "either"),), "field_of_study", "field_of_study", True),
    ),
    FORM["question"],
    ("by",),
)


def changed(path: str, value: object) -> dict[str, Any]:
    """The form with another value at a place; a value of `...` takes the key away."""
    form = deepcopy(FORM)
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    place: Any = form
    for part in way:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return form


def test_a_form_is_read() -> None:
    assert read_template(FORM) == TEMPLATE


def test_a_template_comes_back_from_its_form() -> None:
    anywhere = Leg((TemplateStep(("r",), "b", "back"), TemplateStep(("q",), "paper")), "a", None)
    template = Template("t", (*TEMPLATE.legs, anywhere), TEMPLATE.question, ("one", "two"), "Somebody (2024)", "a note")
    assert read_template(json.loads(json.dumps(template_form(template)))) == template


STEP = {"relations": "r", "type": "paper"}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("id", ..., 'a template lacks "id"'),
        ("id", "", "the id of a template must be a name"),
        ("id", "two\nlines", "on one line"),
        ("id", "x" * 121, "at most 120 characters"),
        ("id", 7, "the id of a template must be text, got 7"),
        ("extra", 1, r"unknown key 'extra'; known are id, question"),
        ("legs", [], "has no legs"),
        ("legs", {}, "legs must be a list, got a dict"),
        ("legs", [FORM["legs"][0]] * 9, "9 are more than 8"),
        ("legs.0", "author", "leg 1 must have the keys from, steps"),
        ("legs.0.to", "x", "leg 1 has an unknown key 'to'"),
        ("legs.0.steps", [], "leg 1 has no steps"),
        ("legs.0.steps", [STEP] * 7, "leg 1: steps: 7 are more than 6"),
        ("legs.0.steps.0.relations", [], "leg 1, step 1 names no relation"),
        ("legs.0.steps.0.relations", 3, "relations must be a list, got 3"),
        ("legs.0.steps.0.relations", [3], "a relation must be text"),
        ("legs.0.steps.0.direction", "up", "direction must be forward, back, either, got 'up'"),
        ("legs.0.steps.0.direction", ["back"], "got a list"),
        ("legs.0.steps.0.type", ..., 'leg 1, step 1 lacks "type"'),
        ("legs.0.steps.0.type", "film", r"end at different types \(film, paper\)"),
        ("legs.0.negated", True, "all its legs are negated"),
        ("legs.0.negated", "no", "negated must be true or false, got 'no'"),
        ("legs.0.slot", "{author}", "can't hold braces"),
        ("legs.0.slot", "writer", 'a blank "author" that no leg starts from'),
        ("legs.0.slot", "field_of_study", 'blank "field_of_study" is used for both author and field_of_study'),
        ("question", "Which papers are by {author}?", r"lacks \{field_of_study\}"),
        ("question", "x" * 2001, "2,001 characters"),
        ("cues", "by", "cues must be a list"),
        ("cues", [""], "a cue must be a name"),
        ("note", None, "note must be text, got None"),
    ],
)
def test_what_is_wrong_is_said(path: str, value: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_template(changed(path, value))


def test_a_template_without_a_blank_is_refused() -> None:
    anywhere = {"from": "author", "steps": [STEP]}
    with refusal(InputError):
        read_template({"id": "x", "question": "All papers with an author", "legs": [anywhere]})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "legs", "from", "x"]), inner),
    max_leaves=8,
)


@given(JSON, st.sampled_from(["id", "legs", "legs.0", "legs.0.steps", "legs.0.steps.0", "legs.0.slot", "question"]))
def test_anything_is_read_or_refused(value: object, path: str) -> None:
    for form in (value, changed(path, value)):
        try:
            template = read_template(form)
        except InputError as e:
            said = str(e)
        else:
            said = ""
            assert read_template(template_form(template)) == template
        assert len(said) < 1_000
