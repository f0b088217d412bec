"""Published numbers compared with ours on the page Studies, with explanations of differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

import streamlit as st

from core.explore.reproduction import (
    REPRODUCTION_RESULTS,
    ReproducedNumber,
    ReproductionResult,
    count_results,
)
from dashboard import cache
from dashboard.explore.study_scores import draw_how_to_load
from dashboard.kit.components import Row, mount_part
from dashboard.kit.link_controls import choose_segment
from dashboard.words import plain
from data.explore.workspace import Workspace
from data.knowledge.stark_tables import reproduce_stark
from data.library.reproduction import reproduce_workspace


def _litqeval(workspace: Workspace) -> tuple[ReproducedNumber, ...]:
    return reproduce_workspace(workspace.store).numbers


def _stark(workspace: Workspace) -> tuple[ReproducedNumber, ...]:
    return reproduce_stark(workspace.knowledge, workspace.store)


SOURCES: dict[str, Callable[[Workspace], tuple[ReproducedNumber, ...]]] = {"LitQEval": _litqeval, "STaRK": _stark}
HOW: dict[str, str] = {
    "LitQEval": "The vectors behind LitQEval's tables were not published. Ours are computed from the published counts, "
    "the threshold curves and the result lists that are in this workspace.",
    "STaRK": "STaRK's Tables 2, 3 and 5 as printed (Wu et al., 2024). Ours are measured on the knowledge bases and "
    "collections of this workspace that are named mag, amazon or prime.",
}
EVERY = "Every number"
MOST_KEPT = 4
MOST_WHOLE, MOST_PIXELS = 14, 560


def draw_reproduced() -> None:
    which, what = st.columns(2, gap="large")
    source = choose_segment(which, "Numbers of", SOURCES, key="reproduced")
    shown = [EVERY, *(name.capitalize() for name in get_args(ReproductionResult))]
    result = choose_segment(what, "Results", shown, key="outcome")
    st.caption(plain(HOW[source]))
    numbers = _numbers(source)
    if source == "LitQEval" and not any("results.xlsx" in number.group for number in numbers):
        draw_how_to_load()
    _draw_counts(numbers)
    listed = [number for number in numbers if result in (EVERY, number.result.capitalize())]
    if not listed:
        st.info(f"No number is {result.lower()}.")
        return
    _draw_numbers(source, listed)


def _numbers(source: str) -> tuple[ReproducedNumber, ...]:
    workspace = cache.workspace()
    bases = ", ".join(workspace.knowledge.names())
    kept, key = cache.kept("reproduced", MOST_KEPT), f"{source}:{workspace.store.n_changes}:{bases}"
    if key not in kept:
        kept[key] = SOURCES[source](workspace)
    found: tuple[ReproducedNumber, ...] = kept[key]
    return found


def _draw_counts(numbers: Sequence[ReproducedNumber]) -> None:
    names = get_args(ReproductionResult)
    rows = [
        {"Group": group, "Numbers": counts.total(), **{name.capitalize(): counts[name] for name in names}}
        for group, counts in count_results(numbers).items()
    ]
    helped = {
        name.capitalize(): st.column_config.NumberColumn(help=f"{REPRODUCTION_RESULTS[name].capitalize()}.")
        for name in names
    }
    st.dataframe(rows, hide_index=True, key="reproduced-counts", height="content", column_config=helped)
    meanings = (f"{name.capitalize()}: {meaning}." for name, meaning in REPRODUCTION_RESULTS.items())
    st.caption(plain(" ".join(meanings)))


def _draw_numbers(source: str, numbers: Sequence[ReproducedNumber]) -> None:
    rows: list[Row] = [
        {
            "Group": number.group,
            "Topic or base": number.subject,
            "Search or set": number.part.replace("_", " ") or None,
            "Region": number.region_label or None,
            "Number": number.number,
            "Published": number.published_text,
            "Ours": None if number.ours is None else number.ours_text,
            "Result": number.result,
            "Note": number.note or None,
        }
        for number in numbers
    ]
    filled = [column for column in rows[0] if column == "Ours" or any(row[column] for row in rows)]
    rows = [{column: row[column] for column in filled} for row in rows]
    right = {name: st.column_config.TextColumn(alignment="right") for name in ("Published", "Ours")}
    st.dataframe(
        rows,
        hide_index=True,
        key=f"reproduced-{source}",
        height="content" if len(rows) <= MOST_WHOLE else MOST_PIXELS,
        placeholder="–",
        column_config=right,
    )
    document = {
        "target": None,
        "name": f"{source.lower()}-reproduced",
        "description": f"Numbers published by {source}, compared with ours.",
        "columns": filled,
        "rows": [[row[column] for column in filled] for row in rows],
    }
    mount_part("figure_files", document, key=f"files-reproduced-{source}")
