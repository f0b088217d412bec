"""A figure as every page shows it: picture, how to read it, files (PNG, SVG, CSV), and a table of what is in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
import streamlit as st

from dashboard.components.mount import mount_part
from dashboard.words import plain

Row = Mapping[str, str | int | float | None]
MOST_IN_TABLE = 2_000


def draw_figure(
    figure: go.Figure,
    *,
    key: str,
    name: str,
    reading: str,
    rows: Sequence[Row],
    notes: Sequence[str] = (),
) -> None:
    """Draw it. The page must have called `mount_code`.

    `name` is what its files are called, `reading` one line on how to read it, `rows` everything that is drawn, one
    mapping of column to value each. The figure carries its alternative text as `layout.meta["description"]`; it must
    not use WebGL, which can't be saved as vectors. With `layout.meta["is_wide"]` it keeps the room that its cells need,
    and is scrolled sideways where there is less.
    """
    meta = figure.layout.meta or {}
    description = str(meta.get("description", reading))
    with st.container(key=f"figure-{key}"):
        picture = st.container(key=f"wide-{key}") if meta.get("is_wide") else st.container()
        picture.plotly_chart(figure, key=f"chart-{key}", theme=None, alt=description, config={"displayModeBar": False})
        st.caption(plain(f"How to read this: {reading}"))
        for note in notes:
            st.caption(plain(note))
        draw_files(key=key, name=name, description=description, rows=rows)


def draw_files_of_lines(*, key: str, name: str, description: str) -> None:
    """The same for a chart of lines that follows the hand: the browser reads rows and table off the chart itself.

    The chart must stand in a container with the key `figure-KEY`, and so must this.
    """
    document = {"target": f"figure-{key}", "name": name, "description": description, "columns": None, "rows": None}
    mount_part("figure_files", document, key=f"files-{key}")


def draw_files(*, key: str, name: str, description: str, rows: Sequence[Row], picture: bool = True) -> None:
    """The files of a figure, and its table. `picture`: false where the part draws and saves itself."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    document = {
        "target": f"figure-{key}" if picture else None,
        "name": name,
        "description": description,
        "columns": columns,
        "rows": [[row.get(column) for column in columns] for row in rows],
    }
    mount_part("figure_files", document, key=f"files-{key}")
    with st.expander(f"Table ({len(rows):,} {'row' if len(rows) == 1 else 'rows'})"):
        st.dataframe(
            [{column: row.get(column) for column in columns} for row in rows[:MOST_IN_TABLE]],
            hide_index=True,
            key=f"table-{key}",
        )
        if len(rows) > MOST_IN_TABLE:
            st.caption(f"The first {MOST_IN_TABLE:,} of {len(rows):,} are listed; the CSV holds all.")
