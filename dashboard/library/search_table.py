"""Fill in the searches of a topic from a table: pasted from a spreadsheet or a document, or uploaded."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import streamlit as st

from core.audit.search_table import COLUMNS, SearchChange, SearchTable
from core.errors import QueryscapeError
from core.text import listed, many
from dashboard import cache, state
from dashboard.messages import draw_problem
from dashboard.status import why_locked
from dashboard.words import plain
from data.library.search_table import apply_search_table, new_doubts, read_search_table

SHOWN: Mapping[str, str] = {
    "database": "Database",
    "platform": "Platform",
    "searched_on": "Date",
    "searched_by": "By",
    "n_hits": "Hits",
    "text": "String",
    "limits": "Limits",
    "label": "Version",
    "kind": "Kind",
    "note": "Note",
}
HELP = (
    "The first row names the columns: Database or File, and any of Platform, Date, By, Hits, Search string, Limits, "
    "Version, Kind, Note. A row changes the search of its file or database, or adds one; empty cells change nothing."
)
assert set(SHOWN) <= set(COLUMNS)


def draw_search_table(topic_id: str, flag: str) -> None:
    """Draw the fields for a table and the changes that it makes. `flag`: counts what was saved in this view."""
    n = state.flag(flag)
    is_begun = bool(state.value(f"search-table-{topic_id}-{n}"))
    head = "Fill in strings, dates and hits from a table"
    with st.expander(head, icon=":material/table_view:", expanded=is_begun):
        st.caption(HELP)
        pasted = st.text_area(
            "Paste from a spreadsheet or document",
            key=f"search-table-{topic_id}-{n}",
            height=120,
            placeholder="Database\tDate\tHits\tSearch string",
        )
        file = st.file_uploader("Or upload it (CSV, TSV or Excel)", key=f"search-table-file-{topic_id}-{n}")
        data, name = (
            (file.getvalue(), file.name) if file is not None else (pasted.encode("utf-8", "replace"), "the table")
        )
        if not data.strip():
            return
        try:
            table = read_search_table(cache.workspace().store, topic_id, data, name)
        except QueryscapeError as e:
            draw_problem(str(e))
            return
        _draw_changes(table)
        for doubt in new_doubts(cache.workspace().store, topic_id, table, date.today()):
            st.warning(plain(doubt), icon=":material/warning:")
        locked = why_locked()
        if table.changes and st.button(
            f"Apply {many(len(table.changes), 'change')}",
            key="apply-search-table",
            type="primary",
            icon=":material/check:",
            disabled=bool(locked),
            help=locked,
        ):
            _apply(topic_id, table, flag)


def _draw_changes(table: SearchTable) -> None:
    for problem in table.problems:
        st.warning(plain(problem), icon=":material/warning:")
    if table.unknown:
        st.caption(plain(f"Columns that are not used: {listed(table.unknown)}."))
    if table.n_same:
        st.caption(f"Already known: {many(table.n_same, 'row')}.")
    if table.changes:
        st.dataframe(list(map(change_row, table.changes)), hide_index=True, placeholder="–")


def change_row(change: SearchChange) -> dict[str, str | int | None]:
    """Return what a row changes; a cell that stays as it is is empty."""
    search, before = change.search, change.before
    row: dict[str, str | int | None] = {"Search": "New" if before is None else before.name}
    for field, title in SHOWN.items():
        value = getattr(search, field)
        row[title] = value if value != getattr(before, field, None) and value not in ("", None) else None
    return row


def _apply(topic_id: str, table: SearchTable, flag: str) -> None:
    try:
        apply_search_table(cache.workspace().store, topic_id, table)
    except QueryscapeError as e:
        draw_problem(str(e))
        return
    state.raise_flag(flag)
    state.say_once(flag, f"{many(len(table.changes), 'search')} changed.")
    st.rerun()
