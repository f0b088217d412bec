"""The parts of a search, each asked for alone."""

from __future__ import annotations

import pytest

from core.query.parser import parse
from core.query.tree import DialectId
from core.sources.preparation import Clause, clauses
from core.sources.source_forms import SourceId, SourceOptions


def parts(text: str, source: SourceId, dialect: DialectId | None = None) -> list[tuple[str, bool, list[str]]]:
    made = clauses(parse(text, dialect), source, SourceOptions())
    return [(clause.text, clause.is_excluded, [form.text for form in clause.forms]) for clause in made]


def test_parts_for_pubmed_stand_as_they_were_typed() -> None:
    text = "(heat[tiab]  or Sun[ti]) AND (tree*[tiab]) NOT (animals[mh] NOT humans[mh])"
    assert parts(text, "pubmed") == [
        ("(heat[tiab]  or Sun[ti])", False, ["(heat[tiab]  or Sun[ti])"]),
        ("(tree*[tiab])", False, ["(tree*[tiab])"]),
        ("(animals[mh] NOT humans[mh])", True, ["(animals[mh] NOT humans[mh])"]),
    ]


def test_what_is_read_from_left_to_right_gets_its_brackets() -> None:
    assert parts("heat[ti] OR sun[ti] AND tree[ti]", "pubmed", "pubmed")[0][2] == ["heat[ti] OR sun[ti]"]


def test_a_part_takes_the_field_that_stands_outside() -> None:
    (first, second) = parts("TI=(heat AND (sun OR shade))", "openalex")
    assert first == ("heat", False, ["title.search:(heat)"])
    assert second == ("(sun OR shade)", False, ["title.search:(sun OR shade)"])


def test_brackets_around_an_and_are_opened() -> None:
    assert [text for text, _, _ in parts("heat AND (sun AND shade)", "europepmc")] == ["heat", "sun", "shade"]


def test_one_part_where_there_is_no_and() -> None:
    text = "heat OR (sun AND shade)"
    ((whole, is_excluded, forms),) = parts(text, "semanticscholar")
    assert (whole, is_excluded, forms) == (text, False, ["heat | (sun + shade)"])


def test_what_can_not_be_asked_has_no_form() -> None:
    assert parts("TS=heat AND AU=smith", "openalex")[1] == ("AU=smith", False, [])
    assert parts("TS=heat NOT PY=2010", "openalex")[1] == ("PY=2010", True, [])
    assert parts("TS=heat AND PY=2010", "semanticscholar")[1] == ("PY=2010", False, [])


def test_a_long_part_is_split() -> None:
    words = " OR ".join(f"word{i:03}" for i in range(40))
    made: tuple[Clause, ...] = clauses(parse(f"heat AND ({words})"), "openalex", SourceOptions(), 300)
    assert [len(clause.forms) for clause in made] == [1, 3]


def test_nothing_has_no_parts() -> None:
    assert clauses(parse(""), "openalex", SourceOptions()) == ()


@pytest.mark.parametrize(
    ("source", "text", "n", "sent"),
    [
        ("dimensions", "TI=heat AND TS=shade", 0, 'search publications in title_abstract_only for "heat"'),
        ("openalex", "TS=heat NOT TI=tree", 1, "title_and_abstract.search:(tree)"),
        ("openalex", "TI=heat AND TS=shade", 0, "title.search:(heat)"),
    ],
)
def test_a_part_is_looked_for_where_the_whole_looks_for_it(source: SourceId, text: str, n: int, sent: str) -> None:
    made = clauses(parse(text), source, SourceOptions())
    assert [form.text for form in made[n].forms] == [sent]
