"""Which publications were gained, lost and kept."""

from __future__ import annotations

import re

import numpy as np
import streamlit as st

from core.comparing.compare import Changes
from core.records.overlap import overlap
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.upset import OF_VERSIONS, upset_figure, upset_rows
from dashboard.sections.figure import draw_figure
from dashboard.sections.versions.chosen import Chosen
from dashboard.words import many, plain
from data.store import Headlines, VersionRow, content_hash
from data.versions.comparing import changes_csv

ALL = "All"
MOST_LISTED = 1_000
MOST_NAMED = 40
"""Core publications that are listed by title at once."""
CHANGE = {1: "lost", 2: "gained", 3: "kept"}
"""By the bits of two versions."""
Rows = list[int]


def draw_publications(chosen: Chosen) -> None:
    """Counts, the core by title, and the table."""
    found = cache.changes(chosen.topic_id, chosen.labels, _state(chosen))
    heads = cache.changes_headlines(chosen.topic_id, chosen.labels, _state(chosen))
    _draw_remarks(chosen, found)
    if len(chosen.rows) == 2:
        _draw_counts(chosen, found)
    else:
        _draw_overlap(chosen, found)
    if not found.are_same:
        _draw_core(found, heads)
    _draw_table(found, heads)


def _state(chosen: Chosen) -> str:
    """Changes with what they retrieve, with the core, and with the texts."""
    store = cache.workspace().store
    parts = [store.core_hash(chosen.topic_id), store.topic_state(chosen.topic_id), str(cache.workspace().paths.root)]
    return content_hash([*parts, *(row.retrieved_hash or "" for row in chosen.rows)])


def _draw_remarks(chosen: Chosen, found: Changes) -> None:
    """What has to be known before anything is read from the counts."""
    for group in found.same_as():
        n = len(cache.workspace().store.load_retrieved_ids(_row(chosen, group[0]).version.query_id))
        words = " and ".join([", ".join(group[:-1]), group[-1]])
        same = f"the same {many(n, 'publication')}" if n else "nothing"
        st.caption(f":material/equal: {plain(words)} retrieve {same}.")
    known = [row for row in chosen.rows if row.corpus_state is not None]
    if len({row.corpus_state for row in known}) > 1:
        over = ", ".join(f"{plain(row.version.label)} over {row.n_searched or 0:,}" for row in known)
        st.caption(
            f":material/history: These were not run over the same publications: {over}. What one of them lacks may not "
            "have been there when it was run."
        )


def _row(chosen: Chosen, label: str) -> VersionRow:
    return next(row for row in chosen.rows if row.version.label == label)


def _draw_counts(chosen: Chosen, found: Changes) -> None:
    first, second = (plain(label) for label in chosen.labels)
    helps = {
        "Kept": f"Retrieved by {first} and by {second}.",
        "Gained": f"Retrieved by {second}, not by {first}.",
        "Lost": f"Retrieved by {first}, not by {second}.",
    }
    parts = found.parts()
    with st.container(horizontal=True, key="changes-counts"):
        for name, words in helps.items():
            n_core = int((parts[name] & found.core_mask).sum())
            st.metric(name, f"{int(parts[name].sum()):,}", f"{n_core:,} core", "off", help=words, delta_arrow="off")


def _draw_overlap(chosen: Chosen, found: Changes) -> None:
    held = {label: np.flatnonzero(found.bits >> i & 1).tolist() for i, label in enumerate(found.labels)}
    shared = overlap({label: [found.ids[row] for row in rows] for label, rows in held.items()})
    draw_figure(
        upset_figure(shared, theme=current_theme(), words_of=OF_VERSIONS),
        key="changes",
        name=f"{_file_name(chosen.topic_id)}-shared-publications",
        reading="a dark column is what several versions share, an outlined one what no other version retrieves",
        rows=upset_rows(shared, words_of=OF_VERSIONS),
    )


def _draw_core(found: Changes, heads: Headlines) -> None:
    """What a change of wording is judged by, so it stands by title above the table."""
    parts = found.parts()
    if len(found.labels) == 2:
        gained, lost = st.columns(2, gap="large")
        with gained:
            _draw_titles("Core gained", found, heads, _core_rows(found, parts["Gained"]))
        with lost:
            _draw_titles("Core lost", found, heads, _core_rows(found, parts["Lost"]))
    else:
        rows = _core_rows(found, parts["In some"])
        _draw_titles("Core that some find and others miss", found, heads, rows, with_labels=True)


def _core_rows(found: Changes, mask: np.ndarray) -> Rows:
    return [int(row) for row in np.flatnonzero(mask & found.core_mask)]


def _draw_titles(head: str, found: Changes, heads: Headlines, rows: Rows, *, with_labels: bool = False) -> None:
    st.markdown(f"**{head} ({len(rows):,})**")
    lines = []
    for row in rows[:MOST_NAMED]:
        year = f" ({heads.years[row]})" if heads.years[row] else ""
        by = f", by {', '.join(found.retrieved_by(row))}" if with_labels else ""
        lines.append(f"- {plain(_title(found, heads, row) + year + by)}")
    if len(rows) > MOST_NAMED:
        lines.append(f"- and {len(rows) - MOST_NAMED:,} more, in the table")
    st.markdown("\n".join(lines) or "None.")


def _title(found: Changes, heads: Headlines, row: int) -> str:
    return heads.titles[row] or found.ids[row]


def _draw_table(found: Changes, heads: Headlines) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="changes-filter"):
        part = _choose_part(found)
        only_core = st.toggle("Core only", key="core_only", bind="query-params")
        wanted = st.text_input(
            "Search", key="changes-search", placeholder="Title or DOI", icon=":material/search:", width=260
        )
    rows = _filtered(found, heads, part, only_core, wanted)
    n = f"{len(rows):,} of {many(len(found.ids), 'publication')}"
    st.caption(f"{n}; the first {MOST_LISTED:,} are listed, the CSV holds all." if len(rows) > MOST_LISTED else n)
    st.dataframe(
        [_line(found, heads, row) for row in rows[:MOST_LISTED]],
        hide_index=True,
        key="changes-table",
        column_config={
            "Title": st.column_config.TextColumn(width="large"),
            "Year": st.column_config.NumberColumn(format="%d", width="small"),
            "DOI": st.column_config.LinkColumn(display_text=r"https://doi\.org/(.*)"),
            "Core": st.column_config.TextColumn(width="small"),
            "Change": st.column_config.TextColumn(width="small"),
        },
    )
    st.download_button(
        "CSV",
        lambda: changes_csv(found, heads, rows),
        file_name=f"{_file_name(' '.join((*found.labels, part)))}.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        key="changes-csv",
        disabled=not rows,
    )


def _choose_part(found: Changes) -> str:
    options = [ALL, *found.parts()]
    state.settle("change", options)
    chosen = st.segmented_control("Show", options, key="change", required=True, bind="query-params")
    return chosen if chosen in options else ALL


def _filtered(found: Changes, heads: Headlines, part: str, only_core: bool, wanted: str) -> Rows:
    """Core first, then what changed, then what stayed."""
    mask = found.parts().get(part, np.ones(len(found.ids), dtype=np.bool_))
    if only_core:
        mask = mask & found.core_mask
    rows = np.flatnonzero(mask)
    stayed = found.bits[rows] == found.every
    rows = rows[np.lexsort((found.bits[rows], stayed, ~found.core_mask[rows]))]
    parts = wanted.casefold().split()
    if not parts:
        return [int(row) for row in rows]
    return [
        int(row)
        for row in rows
        if all(p in text for text in [f"{heads.titles[row]} {heads.dois[row]}".casefold()] for p in parts)
    ]


def _line(found: Changes, heads: Headlines, row: int) -> dict[str, str | int | None]:
    doi, is_pair = heads.dois[row], len(found.labels) == 2
    change = {"Change": CHANGE[int(found.bits[row])]} if is_pair else {}
    return {
        "Title": _title(found, heads, row),
        "Year": int(heads.years[row]) or None,
        "Core": "core" if found.core_mask[row] else "",
        **change,
        "Retrieved by": ", ".join(found.retrieved_by(row)),
        "DOI": f"https://doi.org/{doi}" if doi else None,
    }


def _file_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:60] or "publications"
