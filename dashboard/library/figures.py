"""Figures of the Library: the overlap of searches as a heat map."""

from __future__ import annotations

import plotly.graph_objects as go

from core.library.overlap import Overlap
from core.text import many
from dashboard.kit.figures import HeatCell, HeatGroup, HeatWords, heat_figure, room_for, short
from dashboard.kit.theme import Theme

LONGEST_IN_TITLE, CELL = 24, 44
"""Characters of a name in a title, and pixels of a cell that its number needs."""
OVERLAP_READING = "each cell: the share of the row's publications that the column's search also found"


def overlap_heat_figure(shared: Overlap, *, theme: Theme) -> go.Figure:
    """Draw the share of the publications of each row that each column also has."""
    names = shared.names
    cells = [[_overlap_cell(shared, row, column) for column in range(len(names))] for row in range(len(names))]
    pairs = [
        (cells[row][column].value or 0.0, row, column)
        for row in range(len(names))
        for column in range(len(names))
        if row != column
    ]
    most = max(pairs, default=None)
    title = "Overlap of two searches each"
    if most is not None and most[0] > 0:
        one, other = (short(names[place], LONGEST_IN_TITLE) for place in most[1:])
        title = f"{other} also found {100 * most[0]:.0f} % of {one}"
    words = HeatWords(
        title,
        "The columns have the numbers of the rows",
        f"Table of the overlap of {many(len(names), 'search')}. "
        + " ".join(cell.hover + "." for line in cells for cell in line if cell.value is not None),
    )
    rows = [f"{n} {name}" for n, name in enumerate(names, start=1)]
    groups = [HeatGroup("also found by", tuple(str(n) for n in range(1, len(names) + 1)))]
    figure = heat_figure(words, rows, groups, cells, scale="amount", end=1.0, theme=theme)
    figure.update_layout(meta={**figure.layout.meta, "is_wide": False, **room_for(len(names), CELL)})
    return figure


def _overlap_cell(shared: Overlap, row: int, column: int) -> HeatCell:
    one, other, n = shared.names[row], shared.names[column], shared.n[row]
    if not n:
        return HeatCell(None, "–", f"{one} has no publications")
    both = shared.shared[row][column]
    if row == column:
        return HeatCell(None, f"{n:,}", f"{one}: {many(n, 'publication')}")
    return HeatCell(both / n, f"{100 * both / n:.0f} %", f"{other} also found {both:,} of {n:,} of {one}")


def overlap_heat_rows(shared: Overlap) -> list[dict[str, str | int | float | None]]:
    """Return the cells as rows of a table: each pair of searches once in each direction."""
    return [
        {
            "Search": one,
            "Publications": shared.n[row],
            "Also found by": other,
            "Both": shared.shared[row][column],
            "Share (%)": 100 * shared.shared[row][column] / shared.n[row] if shared.n[row] else None,
        }
        for row, one in enumerate(shared.names)
        for column, other in enumerate(shared.names)
        if row != column
    ]
