"""Templates are put together, and filled with what a user wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.knowledge.templates import BLANK, Leg, Template, TemplateStep, compose, filled, lacking
from tests.messages import refusal


def leg(*way: str, slot: str | None = None, is_negated: bool = False) -> Leg:
    """Types and relations in turn."""
    steps = tuple(TemplateStep((way[place],), way[place + 1]) for place in range(1, len(way), 2))
    return Leg(steps, way[0], slot, is_negated)


COLOR = Template(
    "color", (leg("color", "has", "item", slot="color"),), "Which items come in {color}?", ("in",), "A", "x"
)
BRAND = Template(
    "brand", (leg("brand", "made", "item", slot="brand"),), "Which items are by {brand}?", ("by",), "A", "y"
)
EXPRESSED = Template(
    "expressed",
    (leg("anatomy", "in", "gene", slot="anatomy"), leg("anatomy", "not in", "gene", slot="anatomy_2")),
    "Genes of {anatomy} but not {anatomy_2}",
)


def test_composed_legs_stand_together() -> None:
    both = compose([COLOR, BRAND])
    assert both.template_id == "color+brand"
    assert both.legs == (*COLOR.legs, *BRAND.legs)
    assert both.question == "Which items come in {color} and are by {brand}?"
    assert both.cues == ("in", "by")
    assert (both.reference, both.note) == ("A", "x y")
    assert both.answer_type == "item"
    assert compose([COLOR, BRAND], template_id="mine").template_id == "mine"


def test_one_alone_stays_as_it_is() -> None:
    assert compose([EXPRESSED]) == EXPRESSED


def test_blanks_of_one_name_are_told_apart() -> None:
    thrice = compose([COLOR, COLOR, COLOR])
    assert thrice.slots == {"color": "color", "color_2": "color", "color_3": "color"}
    assert thrice.question == "Which items come in {color} and {color_2} and {color_3}?"
    twice = compose([EXPRESSED, EXPRESSED])
    assert list(twice.slots) == ["anatomy", "anatomy_2", "anatomy_3", "anatomy_4"]
    assert twice.question == "Genes of {anatomy} but not {anatomy_2} and {anatomy_3} but not {anatomy_4}?"


def test_legs_that_share_a_blank_still_do() -> None:
    shared = Template("s", (leg("a", "r", "b", slot="a"), leg("a", "q", "b", slot="a")), "{a}")
    assert [each.slot for each in compose([shared, shared]).legs] == ["a", "a", "a_2", "a_2"]


def test_what_is_negated_or_starts_anywhere_is_kept() -> None:
    lacks = Template("l", (leg("a", "r", "item", slot="a"), leg("b", "q", "item", is_negated=True)), "Items of {a}")
    assert compose([COLOR, lacks]).legs[1:] == lacks.legs
    assert compose([COLOR, lacks]).question == "Which items come in {color}, and items of {a}?"


def test_what_does_not_fit_together_is_refused() -> None:
    with refusal(InputError):
        compose([])
    with refusal(InputError):
        compose([COLOR, EXPRESSED])


@given(st.lists(st.sampled_from([COLOR, BRAND]), min_size=1, max_size=6))
def test_every_blank_of_a_composed_question_is_a_slot(templates: list[Template]) -> None:
    both = compose(templates)
    assert len(both.slots) == len(both.legs) == len(templates)
    assert sorted(BLANK.findall(both.question)) == sorted(both.slots)


@given(st.text(max_size=30))
def test_what_a_user_wrote_is_taken_as_it_is(title: str) -> None:
    assert filled("by {gene/protein}, {other}", {"gene/protein": title}) == f"by {title}, {{other}}"


@pytest.mark.parametrize("title", ["{0.__class__}", "{color}", "\\1 \\g<0>", "%s {", "}{"])
def test_braces_in_a_title_mean_nothing(title: str) -> None:
    assert filled(COLOR.question, {"color": title}) == f"Which items come in {title}?"


def test_what_a_knowledge_base_lacks() -> None:
    assert lacking(COLOR, {"color", "item"}, {"has"}) == ()
    assert lacking(COLOR, {"item"}, {"made"}) == ('the type "color"', 'the relation "has"')
    either = Template("e", (Leg((TemplateStep(("has", "had"), "item"),), "color", "color"),), "")
    assert lacking(either, {"color", "item"}, {"had"}) == ()
    assert lacking(either, {"color", "item"}, set()) == ('the relation "has" or "had"',)
