"""Tables of a report as CSV, and how values are shown."""

from __future__ import annotations

import csv
import io
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.report import NONE, ColumnKind, ReportColumn, Table, Value, csv_text, moment, shown
from core.text import STARTS_A_FORMULA, harmless, unguarded, writable
from tests.data.audit_documents import NASTY, tables


def read(text: str) -> list[list[str]]:
    """The cells as Python reads them."""
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


@given(tables())
def test_any_table_is_read_back(table: Table) -> None:
    head, *rows = read(csv_text(table))
    assert [unguarded(cell) for cell in head] == [writable(column.title) for column in table.columns]
    assert len(rows) == len(table.rows)
    for row, cells in zip(table.rows, rows, strict=True):
        for value, cell in zip(row, cells, strict=True):
            if isinstance(value, str):
                assert unguarded(cell) == writable(value)
                assert cell.lstrip(" ")[:1] not in STARTS_A_FORMULA
            elif value is None or not math.isfinite(value):
                assert cell == ""
            else:
                assert float(cell) == pytest.approx(value, rel=5e-6, abs=0)
                assert isinstance(value, float) or int(cell) == value


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        *((17573, "17573"), (10**9, "1000000000"), (0.1 + 0.2, "0.3"), (1 / 3, "0.333333"), (2.0, "2"), (-0.0, "0")),
        *((-1.5, "-1.5"), (1234567.8, "1234568"), (1e6, "1000000"), (1e-9, "1e-09"), (None, ""), ("", "")),
        *(
            (-12345678.0, "-12345678"),
            (999999.5, "1000000"),
            (999999.4, "999999"),
            (1e15, "1e+15"),
            (5e14 + 1, "500000000000001"),
        ),
    ],
)
def test_numbers_have_six_significant_digits(value: Value, cell: str) -> None:
    text = csv_text(Table("t", "", (ReportColumn("a"), ReportColumn("b")), (("x", value),)))
    assert text == f"a,b\nx,{cell}\n"


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_stay_one_cell(text: str) -> None:
    ((_,), (cell,)) = read(csv_text(Table("t", "", (ReportColumn("a", "code"),), ((text,),))))
    assert cell == harmless(writable(text))


def test_lines_end_the_same_everywhere_and_an_empty_one_is_a_line() -> None:
    text = csv_text(Table("t", "", (ReportColumn("a"),), ((None,), ("b",))))
    assert text == 'a\n""\nb\n'
    assert csv_text(Table("t", "", (ReportColumn("a"), ReportColumn("b")), ())) == "a,b\n"


@given(st.one_of(st.none(), st.integers(), st.floats()), st.sampled_from(["text", "code", "count", "number"]))
def test_numbers_are_shown_near_what_they_are(value: Value, kind: ColumnKind) -> None:
    said = shown(value, kind)
    if value is None or isinstance(value, str) or not math.isfinite(value):
        assert said == NONE
        return
    back = float(said.replace(",", "").replace("−", "-"))
    assert back == pytest.approx(value, rel=6e-3, abs=0)
    assert re.fullmatch(r"−?[\d,]+(\.\d+)?(e[+-]\d+)?", said)


@pytest.mark.parametrize(
    ("value", "kind", "said"),
    [
        *((2019, "text", "2019"), (2019, "count", "2,019"), (0.9, "number", "0.900"), (1.0, "number", "1.000")),
        *((0.00123, "number", "0.00123"), (1234.5, "number", "1,234.50"), (-5, "count", "−5"), ("-5", "text", "-5")),
        *((3.0, "count", "3"), (2.5, "count", "2.500"), (0.0, "number", "0.000"), (-0.0, "number", "0.000")),
    ],
)
def test_values_as_they_are_shown(value: Value, kind: ColumnKind, said: str) -> None:
    assert shown(value, kind) == said


def test_times_are_told_in_utc() -> None:
    assert moment("2026-01-05T09:03:00Z") == "5 January 2026, 09:03 UTC"
    assert moment("2026-01-05T09:03:00") == "5 January 2026, 09:03"
    assert moment("") == ""
