"""The guide to the dialects says what their tables say now."""

from __future__ import annotations

import re

import pytest

from core.query.dialects import DIALECTS
from core.query.parser import parse
from dashboard.guide.dialects import CONSTRUCTS, MARKS, PAGE, DialectConstruct, cell, page

ROWS = [construct for group in CONSTRUCTS.values() for construct in group]


def test_the_page_is_current() -> None:
    is_current = PAGE.read_text("utf-8") == page()
    assert is_current, "the tables of the dialects have changed: run python -m dashboard.guide.dialects"


def test_the_table_has_every_construct_and_every_dialect() -> None:
    rows = re.findall(rf"^\| \d+\. [^|]+ \| ((?:[{''.join(MARKS.values())}] \| ?)+)$", PAGE.read_text("utf-8"), re.M)
    assert len(rows) == len(ROWS) >= 60
    assert {row.count("|") for row in rows} == {len(DIALECTS)} == {11}


def test_a_construct_has_a_name_of_its_own() -> None:
    assert len({construct.name for construct in ROWS}) == len({construct.text for construct in ROWS}) == len(ROWS)


@pytest.mark.parametrize("construct", ROWS, ids=lambda construct: construct.name)
def test_a_construct_is_exact_where_it_comes_from(construct: DialectConstruct) -> None:
    findings = parse("\n".join(construct.text.split("; ")), construct.dialect).findings
    assert [finding.message for finding in findings if finding.severity == "error"] == []
    assert cell(construct, construct.dialect).mark == "exact"


def test_cells_are_exact_converted_or_lost() -> None:
    stem = DialectConstruct("Any ending", "pubmed", "adapt*[ti]")
    assert cell(stem, "ovid") == ("exact", "adapt*.ti.", "")
    assert cell(stem, "proquest") == ("converted", "TI(adapt*)", "narrower")
    assert cell(DialectConstruct("Last author", "pubmed", "smith[lastau]"), "wos") == ("lost", "", "")


def test_nothing_in_a_cell_breaks_the_table() -> None:
    for construct in ROWS:
        for text in (construct.text, *(cell(construct, to).code for to in DIALECTS)):
            assert not set("|`\n") & set(text), construct.name
