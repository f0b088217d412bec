"""Which judged run is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.judging.types import Field, Judged
from dashboard import cache, state
from data.judging.keeping import Judge, JudgeRunRow, list_judge_runs, load_field, load_judge, load_judged


@dataclass(frozen=True, eq=False)
class Opened:
    """A run, and what is known of it now."""

    row: JudgeRunRow
    judge: Judge
    field: Field
    judged: tuple[Judged, ...]
    """Every candidate, in the field's order."""


def choose_run() -> Opened | None:
    """The run that the link names, else the newest; None: there is none yet."""
    store = cache.workspace().store
    rows = {row.run_id: row for row in list_judge_runs(store)}
    if not rows:
        return None
    names = {run_id: _named(row, list(rows.values())) for run_id, row in rows.items()}
    state.settle_named("judged", list(rows))
    run_id = str(st.selectbox("Run", list(rows), key="judged", format_func=lambda each: names.get(each, each)))
    state.write_in_link("judged", [run_id])
    row = rows[run_id]
    field = load_field(store, row)
    return Opened(row, load_judge(store, row.judge_key), field, load_judged(store, row, field))


def _named(row: JudgeRunRow, rows: Sequence[JudgeRunRow]) -> str:
    """Its name, with what tells it from others of the same name."""
    if sum(other.name == row.name for other in rows) == 1:
        return row.name
    return f"{row.name} ({row.settings.model}, {row.made_at[:16].replace('T', ' ')})"
