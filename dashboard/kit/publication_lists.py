"""Links from a bar of a figure, or a count in a table, to the publications counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.library.overlap import Overlap, shared_by
from core.text import listed, many
from core.types import Ids
from dashboard import cache
from dashboard.kit.figures import N_COLUMN_TRACES, upset_clicked
from dashboard.words import plain
from data.library.records import retraction_statuses

ListedRow = Mapping[str, str | int | float | None]
MOST_LISTED = 1_000
HINT = "Click a count to list its publications."


@dataclass(frozen=True, slots=True)
class PublicationGroup:
    name: str
    """Description of its publications."""
    ids: Ids = ()
    rows: tuple[ListedRow, ...] = ()
    """Replaces `ids` if the library does not hold them: one for each document, judgment or record."""
    noun: str = "publication"
    n: int = 0
    """Total number, if `rows` are only the first of very many; 0: all rows are listed."""

    def __len__(self) -> int:
        return self.n or len(self.rows or self.ids)


GroupOfPoint = Callable[[Mapping[str, Any]], PublicationGroup | None]
"""Maps a point of a figure, with Plotly's `curve_number`, `x`, `y`, to its group. None: it counts no publications."""
GroupOfCell = Callable[[int, str], PublicationGroup | None]
"""Maps row and column of a table to a group."""


def group_of_point(event: Mapping[str, Any], group_of: GroupOfPoint) -> PublicationGroup | None:
    """Return the group clicked in a figure; None without a click, a group, or a figure that still has the point."""
    points = event.get("selection", {}).get("points", [])
    try:
        return group_of(points[0]) if points else None
    except IndexError:  # the click was on a previous figure with more bars
        return None


def group_of_cell(event: Mapping[str, Any], group_of: GroupOfCell, n_rows: int) -> PublicationGroup | None:
    """Return the group clicked in a table; None for a row that no longer exists."""
    cells = event.get("selection", {}).get("cells", [])
    return group_of(int(cells[0][0]), str(cells[0][1])) if cells and int(cells[0][0]) < n_rows else None


def upset_group(sources: Mapping[str, Ids], shared: Overlap, point: Mapping[str, Any]) -> PublicationGroup | None:
    """Return the group of a point of an UpSet plot: a combination of sources, or one source as a whole."""
    names = upset_clicked(shared, point)
    if not names:
        return None
    is_column = point.get("curve_number") != N_COLUMN_TRACES
    return PublicationGroup(_named(names, only=is_column), shared_by(sources, names, no_other=is_column))


def upset_row_group(sources: Mapping[str, Ids], shared: Overlap, row: int) -> PublicationGroup:
    """Return the group of a row of its table."""
    names = shared.intersections[row].sources
    return PublicationGroup(_named(names, only=True), shared_by(sources, names, no_other=True))


def _named(names: Sequence[str], *, only: bool) -> str:
    return f"{'Only in' if only else 'In'} {listed(list(names))}"


def draw_table(
    rows: Sequence[Mapping[str, Any]], group_of: GroupOfCell, *, key: str, hint: str = HINT, **more: Any
) -> None:
    """Draw a table with counts that open their publications below it."""
    event: Any = st.dataframe(
        rows, hide_index=True, key=key, on_select="rerun", selection_mode="single-cell", placeholder="–", **more
    )
    st.caption(hint)
    if (group := group_of_cell(event, group_of, len(rows))) is not None:
        draw_group(group, key=key)


def draw_group(group: PublicationGroup, *, key: str) -> None:
    with st.container(border=True, key=f"publications-of-{key}"):
        st.markdown(f"**{plain(group.name)}: {many(len(group), group.noun)}**")
        if not len(group):
            return
        rows = group.rows or publication_rows(group.ids)
        st.dataframe(
            rows[:MOST_LISTED],
            hide_index=True,
            key=f"list-{key}",
            placeholder="–",
            column_config={
                "Title": st.column_config.TextColumn(width="large"),
                "Year": st.column_config.NumberColumn(format="%d", width="small"),
                "DOI": st.column_config.LinkColumn(display_text=r"https://doi\.org/(.*)"),
            },
        )
        if len(group) > MOST_LISTED:
            st.caption(f"The first {MOST_LISTED:,} of {len(group):,} are listed.")


def publication_rows(ids: Sequence[str]) -> list[ListedRow]:
    """Return the rows, the newest first, then by title; with a status if one of them was retracted."""
    store = cache.workspace().store
    heads = store.headlines(ids)
    found = zip(ids, heads.years.tolist(), heads.titles, heads.dois, strict=True)
    ordered = sorted(((i, year, title or i, doi) for i, year, title, doi in found), key=lambda row: (-row[1], row[2]))
    statuses = retraction_statuses(store, [i for i, *_ in ordered[:MOST_LISTED]])
    return [
        {"Title": title, "Year": year or None, "DOI": f"https://doi.org/{doi}" if doi else None}
        | ({"Status": statuses[i].label if i in statuses else None} if statuses else {})
        for i, year, title, doi in ordered
    ]
