"""Tables on standard output: no trailing blanks, and one line per row if it is no terminal."""

from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.kit.output import results, row, table

WORDS = st.text(st.characters(categories=["L", "N", "P", "S"], include_characters=" "), min_size=1, max_size=60)


@given(title=WORDS, rows=st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=4))
def test_a_row_is_a_line_without_trailing_blanks(title: str, rows: list[tuple[str, str, str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        written = io.StringIO()
        patch.setattr(sys, "stdout", written)
        patch.delenv("COLUMNS", raising=False)
        grid = table(title, "First", "Second", "Third", right=(1,))
        for cells in rows:
            row(grid, *(cell * 5 for cell in cells))
        results().print(grid)
    lines = written.getvalue().splitlines()
    assert len(lines) == len(rows) + 1 + bool(title.strip())
    assert [line for line in lines if line != line.rstrip(" ")] == []
    assert lines[0].strip() == title.strip() or not title.strip()


def test_a_narrow_output_wraps(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    grid = table("Long words", "First", "Second")
    row(grid, "heat " * 20, "trees " * 20)
    results().print(grid)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 4
    assert all(len(line) <= 40 and line == line.rstrip() for line in lines)
