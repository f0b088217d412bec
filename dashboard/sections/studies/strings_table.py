"""The result table of strings over topics: each number once, its origins side by side under it."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from core.audit.whole import Column, Table
from dashboard.words import plain

SHORT = {"Core publications": "Core"}
LAST = ("Version", "Remarks")
"""What is looked at last stands last."""
MOST_WHOLE, MOST_PIXELS = 14, 560
Head = tuple[str, str]


def draw_results(table: Table, *, key: str) -> None:
    """With its caption above and its note below. Columns of which nothing is known are left out."""
    heads = [head_of(column.title) for column in table.columns]
    shown = sorted(
        (place for place in range(len(heads)) if any(row[place] is not None for row in table.rows)),
        key=lambda place: (LAST.index(heads[place][0] or heads[place][1]) + 1 if _is_last(heads[place]) else 0, place),
    )
    frame = pd.DataFrame(
        [[row[place] for place in shown] for row in table.rows],
        columns=pd.MultiIndex.from_tuples([heads[place] for place in shown]),
    )
    # By place, as heads of two lines have no one name; the first place is that of the hidden row numbers.
    config: Any = {number: _config(table.columns[place]) for number, place in enumerate(shown, start=1)}
    height: Any = "content" if len(table.rows) <= MOST_WHOLE else MOST_PIXELS
    st.caption(plain(table.caption))
    st.dataframe(frame, hide_index=True, key=key, height=height, placeholder="–", column_config=config)
    st.caption(plain(table.note))


def head_of(title: str) -> Head:
    """The number over the origin; what belongs to no origin stands alone.

    >>> head_of("Recall: baseline"), head_of("Core publications")
    (('Recall', 'Baseline'), ('', 'Core'))
    """
    number, _, origin = title.partition(": ")
    return (number, origin.capitalize()) if origin else ("", SHORT.get(number, number))


def _is_last(head: Head) -> bool:
    return (head[0] or head[1]) in LAST


def _config(column: Column) -> Any:
    if column.kind == "count":
        return st.column_config.NumberColumn(format="localized")
    if column.kind == "number":
        return st.column_config.NumberColumn(format="%.3f")
    return st.column_config.TextColumn()
