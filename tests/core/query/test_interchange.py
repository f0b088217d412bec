"""Searches as documents that other programs read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.query.dialects import DIALECTS
from core.query.parser import parse
from core.query.translation import as_json, document_of, read_document, read_documents
from core.query.tree import TEXT_FIELDS, DialectId, Group, Term

FULL: dict[str, object] = {
    "search_string": "heat AND tree*",
    "platform": "wos",
    "database": ["SCI-EXPANDED", "ESCI"],
    "field": "TI",
    "date": {"data_entry": "2024-05-01", "search_conducted": "2024-04-30"},
    "version": "2",
    "authors": [{"name": "A. Author", "ORCID": "0000-0000-0000-0001"}],
    "record_info": {"source": "manual"},
    "title": "Heat and trees",
    "keywords": "shade, canopy",
}


def test_a_full_document_comes_back_as_it_was() -> None:
    assert read_document(FULL).as_dict() == FULL
    assert json.loads(as_json(read_document(FULL))) == FULL


def test_the_general_field_holds_for_terms_without_one() -> None:
    root = read_document(FULL).parsed().root
    assert isinstance(root, Group)
    assert [term.fields for term in root.parts if isinstance(term, Term)] == [("title",), ("title",)]
    own = read_document({**FULL, "search_string": "TS=heat AND tree*"}).parsed().root
    assert isinstance(own, Group)
    assert [term.fields for term in own.parts if isinstance(term, Term)] == [TEXT_FIELDS, ("title",)]


def test_a_field_that_the_platform_does_not_have_changes_nothing() -> None:
    found = read_document({**FULL, "field": "No such field"})
    assert found.parsed().root == parse("heat AND tree*", "wos").root


@pytest.mark.parametrize("dialect_id", DIALECTS)
def test_a_query_travels_as_a_document_and_back(dialect_id: DialectId) -> None:
    query = parse('(heat OR "urban trees") AND cool*', dialect_id)
    back = read_document(document_of(query, title="T", date="2026-01-31", authors=("A",)).as_dict())
    assert back.parsed().dialect == dialect_id
    assert back.parsed().root == query.root
    assert back.date == {"data_entry": "2026-01-31"}


def test_an_unknown_platform_is_found_out_from_the_text() -> None:
    document = read_document({"search_string": "heat[tiab] AND trees[mesh]", "platform": "My library"})
    assert document.dialect is None
    assert document.parsed().dialect == "pubmed"
    assert document.as_dict()["platform"] == "My library"


def test_a_plain_date_and_one_database_are_taken_too() -> None:
    found = read_document({"search_string": "heat", "platform": "scopus", "date": "2024", "database": "Scopus"})
    assert found.date == {"data_entry": "2024"}
    assert found.database == ("Scopus",)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"search_string": 3}, '"search_string" must be a text, got a number'),
        ({"search_string": " "}, '"search_string" is missing'),
        ({"platform": ["wos"]}, '"platform" must be a text, got a list'),
        ({"database": {"a": 1}}, '"database" must be a list of texts, got an object'),
        ({"database": [1]}, '"database" must be a list of texts, got a number'),
        ({"date": 2024}, '"date" must be a text or an object with "data_entry", got a number'),
        ({"authors": ["A"]}, '"authors" must be a list of objects with a name, got a text'),
        ({"authors": [{"name": True}]}, '"authors" must be a list of objects with a name, got an object'),
        ({"record_info": []}, '"record_info" must be an object, got a list'),
        ({"version": True}, '"version" must be a text, got true or false'),
    ],
)
def test_a_wrong_type_is_refused_with_what_is_expected(change: dict[str, object], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        read_document({**FULL, **change})


def test_a_file_may_hold_several_searches() -> None:
    assert [d.search_string for d in read_documents(json.dumps([FULL, {**FULL, "search_string": "heat"}]))] == [
        "heat AND tree*",
        "heat",
    ]
    with pytest.raises(InputError, match="not JSON"):
        read_documents("{")
    with pytest.raises(InputError, match="one object"):
        read_documents('"heat"')


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(list(FULL)), JSON), st.dictionaries(st.text(max_size=5), JSON, max_size=3))
def test_any_document_is_read_or_refused_and_nothing_unknown_gets_lost(
    change: dict[str, object], other: dict[str, object]
) -> None:
    document = {**FULL, **change, **{f"x-{name}": value for name, value in other.items()}}
    try:
        found = read_document(document)
    except InputError:
        return
    out = found.as_dict()
    assert all(out[f"x-{name}"] == value for name, value in other.items())
    assert read_document(out).as_dict() == out
