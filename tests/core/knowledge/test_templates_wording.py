"""Words for types, relations and questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.knowledge.entities import Direction
from core.knowledge.templates import Leg, Template, TemplateStep, question_words, relation_words, type_words


@pytest.mark.parametrize(
    ("name", "direction", "words"),
    [
        ("author___writes___paper", "forward", "writes"),
        ("author___writes___paper", "back", "written by"),
        ("author___affiliated_with___institution", "forward", "affiliated with"),
        ("writes", "back", "written by"),
        ("ppi", "either", "interacts with the protein"),
        ("linked to", "back", "linked to"),
        ("grows_on", "forward", "grows on"),
        ("a___", "forward", "a"),
        ("___", "forward", "___"),
        ("", "either", ""),
    ],
)
def test_relations_in_words(name: str, direction: Direction, words: str) -> None:
    assert relation_words(name, direction) == words


@pytest.mark.parametrize(
    ("name", "one", "many"),
    [
        ("paper", "paper", "papers"),
        ("field_of_study", "field of study", "fields of study"),
        ("gene/protein", "gene or protein", "genes or proteins"),
        ("effect/phenotype", "effect or phenotype", "effects or phenotypes"),
        ("category", "category", "categories"),
        ("color", "colour", "colours"),
        ("biological_process", "biological process", "biological processes"),
        ("pathway", "pathway", "pathways"),
        ("of", "of", "ofs"),
        ("", "", ""),
    ],
)
def test_types_in_words(name: str, one: str, many: str) -> None:
    assert type_words(name) == one
    assert type_words(name, plural=True) == many


PART = type_words("anatomy")
STEP = TemplateStep(("r",), "gene/protein")
TEMPLATE = Template(
    "t",
    (Leg((STEP,), "anatomy", "anatomy"), Leg((STEP,), "anatomy", "anatomy_2"), Leg((STEP,), "drug", "drug")),
    "Genes in {anatomy}, not in {anatomy_2}, of {drug}?",
)


def test_questions_with_and_without_titles() -> None:
    assert question_words(TEMPLATE, {}) == f"Genes in [{PART}], not in [another {PART}], of [drug]?"
    assert question_words(TEMPLATE, {"drug": " "}) == question_words(TEMPLATE, {})
    assert question_words(TEMPLATE, {"anatomy": " liver ", "drug": "{anatomy_2}"}) == (
        f"Genes in liver, not in [another {PART}], of {{anatomy_2}}?"
    )


@given(st.text(max_size=40), st.sampled_from(["forward", "back", "either"]))
def test_any_name_has_words(name: str, direction: Direction) -> None:
    assert bool(relation_words(name, direction)) == bool(name)
    assert bool(type_words(name)) == bool(name)
    assert isinstance(type_words(name, plural=True), str)
