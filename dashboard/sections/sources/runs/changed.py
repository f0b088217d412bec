"""Two runs of one search: publications that are new, gone, or described in another way."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.sources.reporting import Changes, change_words
from dashboard import cache, state
from dashboard.sections.sources.runs.handing import csv_bytes, draw_files, file_stem, json_bytes
from dashboard.words import plain, when
from data.sources.fetching.journal import ChangedRecord, LiveRun, changed_records
from data.sources.fetching.running import changes_between

MOST_SHOWN = 1_000
MOST_KEPT = 8
FATE = "live_fate"
FATES = {"new": "New", "gone": "Gone", "changed": "Changed"}


def draw_changes(earlier: LiveRun, later: LiveRun) -> None:
    """A sentence, why to be careful, and the lists."""
    found, records = _changes(earlier, later)
    st.markdown(plain(f"From {when(earlier.made_at)} to {when(later.made_at)}: {found.sentence}"))
    for caution in found.cautions:
        st.warning(plain(caution), icon=":material/warning:")
    if not records:
        return
    names = {fate: f"{FATES[fate]} ({sum(each.fate == fate for each in records):,})" for fate in FATES}
    state.settle_named(FATE, list(names))
    fate = str(
        st.segmented_control(
            "List", list(names), key=FATE, required=True, format_func=lambda each: names.get(each, each)
        )
    )
    state.write_in_link(FATE, [fate] if fate != "new" else [])
    shown = change_rows([each for each in records if each.fate == fate])
    if not shown:
        st.caption(f"None is {FATES[fate].lower()}.")
    else:
        st.dataframe(
            [{**row, "DOI": row["DOI"] or "–"} for row in shown[:MOST_SHOWN]],
            column_order=[name for name in shown[0] if name != "Fate"],
            hide_index=True,
            key=f"live-changes-{fate}",
            column_config={
                "Title": st.column_config.Column(width="large"),
                "Year": st.column_config.NumberColumn(format="%d", width="small"),
                "What changed": st.column_config.Column(width="medium"),
            },
        )
    if len(shown) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN:,} of {len(shown):,} are listed; the files hold all.")
    rows = change_rows(records)
    draw_files(
        file_stem(later, "changes"),
        {"CSV": lambda: csv_bytes(rows), "JSON": lambda: json_bytes(rows)},
        key="live-changes",
    )


def _changes(earlier: LiveRun, later: LiveRun) -> tuple[Changes, tuple[ChangedRecord, ...]]:
    """Read once for each state of the two runs."""
    kept = cache.kept("live-changes", MOST_KEPT)
    key = "-".join(f"{run.run_id}:{run.n_pages}:{run.state}" for run in (earlier, later))
    if key not in kept:
        workspace = cache.workspace()
        with st.spinner("Comparing the two runs"):
            found = changes_between(workspace, earlier.run_id, later.run_id)
            kept[key] = found, changed_records(workspace, earlier.run_id, later.run_id, found)
    result: tuple[Changes, tuple[ChangedRecord, ...]] = kept[key]
    return result


def change_rows(records: Sequence[ChangedRecord]) -> list[dict[str, str | int | None]]:
    """A line for each."""
    with_fields = any(each.fields for each in records)
    return [
        {
            "Fate": each.fate,
            "Title": each.record.title,
            "Year": each.record.year,
            "DOI": each.record.doi,
            "Its name there": each.key,
            **({"What changed": change_words(each.fields)} if with_fields else {}),
        }
        for each in records
    ]
