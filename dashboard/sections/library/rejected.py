"""What did not come in: from which file, where in it, and why."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

MOST_REJECTED = 500

Rejected = tuple[str | None, int | None, int | None, str]
"""The file, where there are several; the number of the record, its line, and the reason."""


def draw_rejected(rejected: Sequence[Rejected]) -> None:
    """A line for each."""
    rows: list[dict[str, str | int | None]] = [
        {"File": name, "Line": line, "Record": record, "Reason": why[:1].upper() + why[1:]}
        for name, record, line, why in rejected[:MOST_REJECTED]
    ]
    columns = ("File", "Line", "Record", "Reason") if rejected and rejected[0][0] else ("Line", "Record", "Reason")
    number = st.column_config.NumberColumn(format="localized", width="small")
    config = {"Line": number, "Record": number, "Reason": st.column_config.Column(width="large")}
    st.dataframe(rows, hide_index=True, column_config=config, column_order=columns)
    if len(rejected) > MOST_REJECTED:
        st.caption(f"and {len(rejected) - MOST_REJECTED:,} more")
