"""How wide the columns of a table are: by what stands in them, so that words stay whole and numbers on one line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.audit.whole import Column, Table, shown

MOST_WORD = 16
"""Letters of a word for which a column is kept wide enough; a longer one may be broken."""
MOST_LINE = 70
"""Letters of a line beyond which a column gets no wider."""
LETTER = 112
"""Twentieths of a point that a letter of a table takes: enough also for the wider fonts that stand in for Word's."""
_PADDING = 2.0
"""Letters that the space at both sides of a cell takes."""
_CODE = 1.25
"""Signs of code are wider than those of text."""
_BOLD = 1.1
"""So are those of a head, and a short one needs a little more."""
WIDE_FROM = 8
"""A table of so many columns may ask for a page on its side."""
MOST_LINES_UPRIGHT = 45
"""Lines that such a table may take on an upright page, which is about one page."""
_ROWS_LOOKED_AT = 500
MOST_LINES_TIGHT = 12
"""The same for one whose longest words have to be broken there."""
_BREAKS = re.compile(r"[\s\-/]+")


def widths(table: Table, room: int) -> list[int]:
    """The width of each column; together they are `room`."""
    rows = table.rows[:_ROWS_LOOKED_AT]
    pairs = [_needs(column, [shown(row[at], column.kind) for row in rows]) for at, column in enumerate(table.columns)]
    letters = room / LETTER
    if sum(wished for _, wished in pairs) <= letters:
        taken = [wished for _, wished in pairs]
    elif sum(least for least, _ in pairs) <= letters:
        taken = _levelled(pairs, letters)
    else:
        taken = _levelled([(0, least) for least, _ in pairs], letters)
    parts = [max(letter, 0.5) for letter in taken]
    whole = [int(part / sum(parts) * room) for part in parts]
    whole[-1] += room - sum(whole)
    return whole


def _levelled(pairs: Sequence[tuple[float, float]], letters: float) -> list[float]:
    """Room for each between its least and its most, so that what needs little has it and the others share evenly."""
    low, high = 0.0, max(most for _, most in pairs)
    for _ in range(40):
        level = (low + high) / 2
        fits = sum(min(max(level, least), most) for least, most in pairs) <= letters
        low, high = (level, high) if fits else (low, level)
    return [min(max(low, least), most) for least, most in pairs]


def is_wide(table: Table, upright: int) -> bool:
    """Whether a table is better read on a page on its side than on an upright one of this width.

    One that is short and fits stays where the text is: a page for itself would tear the text apart.
    """
    if len(table.columns) < WIDE_FROM:
        return False
    rows = [[shown(value, column.kind) for value, column in zip(row, table.columns, strict=True)] for row in table.rows]
    least = sum(_needs(column, [row[at] for row in rows])[0] for at, column in enumerate(table.columns))
    wide = widths(table, upright)
    n = sum(n_lines(row, wide) for row in rows)
    return n > MOST_LINES_UPRIGHT or (least * LETTER > upright and n > MOST_LINES_TIGHT)


def _needs(column: Column, cells: Sequence[str]) -> tuple[float, float]:
    """The least and the most letters that a column has use for."""
    head = _longest_word([column.title]) * _BOLD + 0.8
    wider = _CODE if column.kind == "code" else 1.0
    lines = [line for cell in cells for line in cell[:2000].split("\n")]
    longest = max([len(line) * wider for line in lines] + [len(column.title) * _BOLD])
    if column.kind in ("count", "number"):
        numbers = max([len(line) for line in lines], default=1)
        least = max(numbers, head)
        return least + _PADDING, max(least, min(longest, 14)) + _PADDING
    least = max(_longest_word(lines) * wider, head)
    return min(least, MOST_WORD) + _PADDING, min(max(longest, least), MOST_LINE) + _PADDING


def _longest_word(lines: Sequence[str]) -> int:
    return min(max((len(word) for line in lines for word in _BREAKS.split(line)), default=1), MOST_WORD)


def n_lines(cells: Sequence[str], wide: Sequence[int]) -> int:
    """About how many lines the longest cell of a row takes."""
    return max(
        (
            sum(1 + len(line) * LETTER // max(width, 1) for line in cell.split("\n"))
            for cell, width in zip(cells, wide, strict=True)
        ),
        default=1,
    )
