"""The template that finds surveys: whatever the field is, it stays in its half."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.explore.studies import (
    LONGEST_FIELD,
    SURVEY_TEMPLATES,
    SurveyTemplate,
    field_of,
    needles,
    survey_query,
    survey_words,
)
from core.query.dialects import DIALECTS
from core.query.match import match, rows_of
from core.query.parser import parse
from core.query.translation import translate
from core.query.tree import DialectId, Group, Term
from tests.core.query_scenes import FakeCorpus, texts_of

NASTY = ['") OR title:(tea', "a) OR (b", '"unclosed phrase', "x AND NOT y", "TI=(tea) AND TS=nets", "tea\nOR\nnets"]


def parts(text: str) -> tuple[object, ...]:
    root = parse(text, "plain").root
    assert isinstance(root, Group)
    assert root.operator == "AND"
    return root.parts


@pytest.mark.parametrize("kind", SURVEY_TEMPLATES)
@pytest.mark.parametrize("field", ["Green Warehousing", "nano* OR micro*", '"soft robot" AND grip*', *NASTY])
def test_the_words_of_surveys_stand_untouched_before_the_field(field: str, kind: SurveyTemplate) -> None:
    assert parts(survey_query(field, kind))[0] == survey_words(kind)


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_any_text_is_a_field_or_a_message(field: str) -> None:
    try:
        text = survey_query(field, "bibliometric")
    except InputError:
        return
    assert parts(text)[0] == survey_words("bibliometric")


def test_what_is_read_again_is_the_field() -> None:
    root = field_of('soft robot* OR "soft actuator"')
    assert parts(survey_query('soft robot* OR "soft actuator"', "bibliometric"))[1] == root
    assert isinstance(root, Group)
    assert {part.fields for part in root.parts if isinstance(part, Term)} == {("title", "abstract", "keywords")}


def test_a_question_is_asked_by_its_words() -> None:
    text = survey_query("what limits the age of a turbine", "bibliometric")
    assert text.endswith("AND topic:limits AND topic:age AND topic:turbine")


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("", "enter a field"),
        (" \n", "enter a field"),
        ("AND", "no word"),
        ("(((", "no word"),
        ("*", "no word"),
        ("NOT tea", "only excludes"),
        ("year:2019", "only excludes"),
        ("tea " * LONGEST_FIELD, "has at most"),
    ],
)
def test_what_is_no_field_says_so(field: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        survey_query(field, "bibliometric")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_has_a_text(dialect: DialectId) -> None:
    found = translate(parse(survey_query("Green Warehousing", "bibliometric"), "plain"), dialect)
    assert "bibliometric" in found.text
    assert parse(found.text, dialect).root is not None
    if dialect == "dimensions":
        assert any("title alone" in loss.message for loss in found.losses)


@pytest.mark.parametrize("kind", SURVEY_TEMPLATES)
def test_every_term_leaves_a_piece_to_look_for(kind: SurveyTemplate) -> None:
    assert all(len(piece) >= 4 for piece in needles(survey_words(kind)))


PUBLISHED_TITLES = [
    "Research in Tea: A Bibliometric Analysis",
    "Scientometric review of tea",
    "Tea in cities: a systematic literature review",
    "The 50 most influential articles on tea",
    "The 100 most cited articles on tea",
    "The scientific landscape of tea",
    "A literature landscape of tea",
    "The core literature of tea",
]


def test_the_published_template_finds_each_of_its_own_words() -> None:
    root = survey_words("published")
    corpus = FakeCorpus(texts_of([{"title": title} for title in [*PUBLISHED_TITLES, "Tea and its leaves"]]))
    found = match(root, corpus, "literal").root
    assert found is not None
    assert rows_of(found).tolist() == list(range(len(PUBLISHED_TITLES)))
