"""Which dialect a text is in, and whether it is a search string or a question."""

from __future__ import annotations

import pytest

from core.query.detection import detect, is_question
from core.query.parser import parse

DIALECTS = {
    "heat[tiab] AND trees[mesh]": "pubmed",
    '"heat wave"[Title/Abstract:~3]': "pubmed",
    "(heat OR cold).ti,ab.": "ovid",
    "exp Stress/ and heat adj3 wave": "ovid",
    "1. heat.mp.\n2. 1 and cold$.tw.": "ovid",
    "TS=(heat AND trees) NOT PY=2010": "wos",
    "TI=heat NEAR/3 wave": "wos",
    "TITLE-ABS-KEY(heat AND trees) AND PUBYEAR > 2010": "scopus",
    "KEY(mouse AND NOT cat OR dog)": "scopus",
    'TI heat AND (MH "Stress+")': "ebsco",
    'AB "heat wave" OR TI cold N3 wave': "ebsco",
    "S1 TI heat\nS2 AB cold\nS3 S1 AND S2": "ebsco",
    "title_and_abstract.search:heat AND trees": "openalex",
    "title:heat AND abstract:cold": "plain",
    "heat AND (trees OR shade)": "plain",
    "heat": "plain",
    "": "plain",
}


@pytest.mark.parametrize(("text", "dialect"), DIALECTS.items())
def test_a_dialect_is_told_by_its_signs(text, dialect):
    assert detect(text).dialect == dialect
    assert parse(text).dialect == dialect


def test_one_sign_is_less_sure_than_many():
    few = detect("heat[tiab]").confidence
    many = detect("heat[tiab] OR cold[tiab] OR trees[mesh] OR shade[ti]").confidence
    mixed = detect("heat[tiab] OR TS=cold").confidence
    assert 0 < mixed < few < many <= 1


QUESTIONS = [
    "what limits the life of a battery",
    "How do trees cool a city?",
    "Which trees cool a street in summer?",
    "find papers on the stability of perovskite solar cells",
    "I am looking for work that links tourism and growth in small states",
]
STRINGS = [
    "Internet of Things in Healthcare",
    "Resilience in Business and management",
    "Is it",
    "how AND why AND when",
    '"how do trees cool a city"',
    "heat wave",
    "what* OR which trees cool cities",
    "",
]


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_is_kept_as_one(text):
    parsed = parse(text)
    assert (parsed.kind, parsed.root, parsed.findings) == ("question", None, ())
    assert is_question(text)


@pytest.mark.parametrize("text", STRINGS)
def test_a_search_string_is_not_a_question(text):
    assert not is_question(text)
    assert parse(text).kind != "question"


def test_a_dialect_that_is_named_is_taken_and_a_database_has_no_questions():
    assert parse("How do parks cool towns?").kind == "question"
    assert parse("How do parks cool towns?", "pubmed").kind == "boolean"
    assert parse("heat[tiab]", "wos").dialect == "wos"
    assert parse("heat[tiab]", "wos").confidence == 1
    assert parse("heat[tiab]").confidence < 1
