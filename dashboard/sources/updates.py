"""Repeat a search, and show new, removed and changed publications and the drift of its total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.sources.runs import SOURCE_METRICS, DriftPoint, SourceRunChanges, change_words, drift
from dashboard import cache, state
from dashboard.kit.components import current_theme, draw_figure
from dashboard.kit.link_controls import choose_one
from dashboard.kit.publication_lists import PublicationGroup
from dashboard.messages import guarded
from dashboard.sources.availability import why_not
from dashboard.sources.figures import FETCHED, Moment, counts_fetched, drift_figure, drift_rows
from dashboard.sources.jobs import RUN_JOBS, start_update
from dashboard.sources.labels import csv_bytes, draw_files, file_stem, json_bytes, run_name, source_label
from dashboard.sources.navigation import open_run
from dashboard.sources.run_list import NOTE, came_group
from dashboard.status import why_locked
from dashboard.words import plain, when
from data.sources.fetch import changes_between, history, repeat_estimate
from data.sources.registry import standing_of
from data.sources.runs import ChangedRecord, LiveRun, changed_records, live_pages

# Two runs of one search: new, removed and changed publications.

MOST_SHOWN = 1_000
MOST_KEPT = 8
FATE = "live_fate"
FATES = {"new": "New", "gone": "Gone", "changed": "Changed"}


def draw_changes(earlier: LiveRun, later: LiveRun) -> None:
    found, records = _changes(earlier, later)
    st.markdown(plain(f"From {when(earlier.made_at)} to {when(later.made_at)}: {found.sentence}"))
    for caution in found.cautions:
        st.warning(plain(caution), icon=":material/warning:")
    if not records:
        return
    names = {fate: f"{FATES[fate]} ({sum(each.fate == fate for each in records):,})" for fate in FATES}
    fate = choose_one(st.segmented_control, "List", list(names), FATE, usual="new", names=names, required=True)
    shown = change_rows([each for each in records if each.fate == fate])
    if not shown:
        st.caption(f"No publications are {FATES[fate].lower()}.")
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
        st.caption(f"The first {MOST_SHOWN:,} of {len(shown):,} are listed; the files contain all.")
    rows = change_rows(records)
    draw_files(
        file_stem(later, "changes"),
        {"CSV": lambda: csv_bytes(rows), "JSON": lambda: json_bytes(rows)},
        key="live-changes",
    )


def _changes(earlier: LiveRun, later: LiveRun) -> tuple[SourceRunChanges, tuple[ChangedRecord, ...]]:
    """Return the changes, with a cache by the state of both runs."""
    kept = cache.kept("live-changes", MOST_KEPT)
    key = "-".join(f"{run.run_id}:{run.n_pages}:{run.state}" for run in (earlier, later))

    def make() -> tuple[SourceRunChanges, tuple[ChangedRecord, ...]]:
        workspace = cache.workspace()
        found = changes_between(workspace, earlier.run_id, later.run_id)
        return found, changed_records(workspace, earlier.run_id, later.run_id, found)

    return kept.of(key, make, doing="Comparing the two runs")


def change_rows(records: Sequence[ChangedRecord]) -> list[dict[str, str | int | None]]:
    with_fields = any(each.fields for each in records)
    return [
        {
            "Fate": each.fate,
            "Title": each.record.title,
            "Year": each.record.year,
            "DOI": each.record.doi,
            "ID in source": each.key,
            **({"What changed": change_words(each.fields)} if with_fields else {}),
        }
        for each in records
    ]


# The later history of a search: repeating it, new, removed and changed publications, and the drift of its total.

AGAINST = "live_against"


def draw_again(run: LiveRun) -> None:
    chain = history(cache.workspace(), run.run_id)
    _draw_button(run, chain)
    others = [each for each in chain if each.run_id != run.run_id and each.n_pages]
    if not others:
        st.info("Not repeated yet. Repeat the run to list new, removed and changed publications here.")
    elif not run.n_pages:
        st.info("Nothing received yet. New, removed and changed publications will be listed here.")
    else:
        with guarded():
            draw_changes(*_in_order(run, _choose(run, others)))
    with guarded():
        _draw_drift(run, chain)


def _draw_button(run: LiveRun, chain: Sequence[LiveRun]) -> None:
    later = next((each for each in reversed(chain) if each.earlier_id and each.state != "done"), None)
    if later is not None and later.run_id != run.run_id:
        st.info(plain(f"The repeat of {when(later.made_at)} is not finished."))
        st.button("Open", key="live-open-later", on_click=open_run, args=(later.run_id,))
        return
    if run.state != "done":
        if not RUN_JOBS.is_running(run.run_id):
            st.caption("Only a finished run can be repeated: resume this one first.")
        return
    reason = why_locked() or why_not(run.source)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Repeat now",
            key="live-again",
            icon=":material/replay:",
            type="primary",
            disabled=bool(reason),
            help=reason or "Sends exactly the same requests and creates a new version. This run is kept unchanged.",
            on_click=_again,
            args=(run.run_id,),
        )
        pages = live_pages(cache.workspace().store, run.run_id)
        took = [sent.ms for page in pages for sent in page.requests]
        takes = repeat_estimate(run, ms_per_call=sum(took) / len(took) if took else None)
        st.caption(plain(takes.sentence))
    if short := standing_of(cache.workspace().store, run.source).shortfall(takes.dollars):
        st.warning(plain(short), icon=":material/money_off:")


def _again(run_id: str) -> None:
    with state.noting(NOTE):
        open_run(start_update(run_id))


def _choose(run: LiveRun, others: Sequence[LiveRun]) -> LiveRun:
    """Choose the run to compare with: by default the one it repeats, else the last of its repeats."""
    by_id = {each.run_id: each for each in reversed(others)}
    if run.earlier_id in by_id:
        by_id = {run.earlier_id: by_id[run.earlier_id], **by_id}
    names = {run_id: run_name(each) for run_id, each in by_id.items()}
    return by_id[choose_one(st.selectbox, "Compared with", list(by_id), AGAINST, names=names)]


def _in_order(a: LiveRun, b: LiveRun) -> tuple[LiveRun, LiveRun]:
    return (a, b) if a.made_at <= b.made_at else (b, a)


def _draw_drift(run: LiveRun, chain: Sequence[LiveRun]) -> None:
    shown = sorted((each for each in chain if each.n_pages), key=lambda each: each.made_at)
    if len(shown) < 2:
        return
    points = [DriftPoint(each.made_at, each.total_last) for each in shown if each.total_last is not None]
    found = drift(points)
    st.markdown("**Change of the total**")
    st.markdown(plain(found.sentence))
    if found.warning:
        st.warning(plain(found.warning), icon=":material/warning:")
    moments = moments_of(shown)

    def of_sign(point: Mapping[str, Any]) -> PublicationGroup | None:
        return came_group(shown[point["point_index"]]) if counts_fetched(moments, point) else None

    words = SOURCE_METRICS["drift"]
    draw_figure(
        drift_figure(moments, source=source_label(run.source), theme=current_theme()),
        key="live-drift",
        name=f"{run.topic_id} {run.source} drift",
        reading=(
            "each marker is a run of the same string. The solid line shows the hits in the source, the dashed line "
            "the publications fetched. The lines diverge where the cap cut the search."
        ),
        rows=drift_rows(moments),
        notes=[f"{words.label}: {words.sentence}"],
        group_of=of_sign,
        group_of_row=lambda row, column: came_group(shown[row]) if column == FETCHED else None,
        click="Click a marker on the dashed line to list the fetched publications.",
    )


def moments_of(runs: Sequence[LiveRun]) -> list[Moment]:
    """Convert runs for the figure, oldest first."""
    return [
        Moment(each.label or "not finished", each.made_at, each.total_last, each.n_records, each.state == "done")
        for each in sorted(runs, key=lambda each: each.made_at)
    ]
