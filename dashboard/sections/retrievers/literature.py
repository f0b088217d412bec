"""Retrievers of the literature: what each is, what it needs here, and what was published of it."""

from __future__ import annotations

import streamlit as st

from core.ranking.metrics import read_metric
from core.ranking.report import (
    CITATION,
    KNOWLEDGE_BASES,
    PUBLISHED_METRICS,
    QUERY_PARTS,
    KnowledgeBase,
    QueryPart,
    published,
    published_for,
)
from core.retrieval.spec import PRESETS, Preset
from dashboard import state
from dashboard.components.mount import mount_part
from dashboard.sections.figure import Row
from dashboard.words import plain
from data.retrieval.opening import needs

MOST_COMPLETE: QueryPart = "synthesized, 10 %"
PUBLISHED = ", published"
SECONDS = f"Seconds per query{PUBLISHED}"
NOTE = "Published by others, on their machines and their copy of the data; nothing in these columns was measured here."


def draw_literature(collection: str, split: str | None) -> None:
    """Every name that people know, as one table."""
    base, part = _choose(collection, split)
    st.caption(plain(f"{NOTE} {CITATION}."))
    rows = [_row(preset, base, part) for preset in PRESETS]
    shown = [{**row, **{column: _digits(row[column], column) for column in _numbers(row)}} for row in rows]
    right = dict.fromkeys(_numbers(rows[0]), st.column_config.TextColumn(alignment="right"))
    right["Retriever"] = st.column_config.TextColumn(width=150, pinned=True)
    st.dataframe(shown, hide_index=True, key="literature", height="content", column_config=right)
    document = {
        "target": None,
        "name": f"retrievers {base} {part}",
        "description": NOTE,
        "columns": list(rows[0]),
        "rows": [list(row.values()) for row in rows],
    }
    mount_part("figure_files", document, key="files-literature")
    for name in [preset.name for preset in PRESETS if (row := published(preset.name, base, part)) and row.oddity]:
        row = published(name, base, part)
        st.caption(plain(f"{name}: {row.oddity if row else ''}."))


def _choose(collection: str, split: str | None) -> tuple[KnowledgeBase, QueryPart]:
    near = published_for(collection, split)
    # The part of which most was published comes first.
    parts = sorted(QUERY_PARTS, key=lambda part: part != MOST_COMPLETE)
    bases = list(KNOWLEDGE_BASES)
    if near:
        bases = [near[0].knowledge_base, *(base for base in bases if base != near[0].knowledge_base)]
        parts = [near[0].part, *(part for part in parts if part != near[0].part)]
    left, right = st.columns(2)
    state.settle_named("published_on", bases)
    base = left.selectbox("Published on", bases, key="published_on")
    state.settle_named("published_part", parts)
    part = right.selectbox("Queries, published", parts, key="published_part", format_func=str.capitalize)
    state.write_in_link("published_on", [str(base)])
    state.write_in_link("published_part", [str(part)])
    return base, part


def _numbers(row: Row) -> list[str]:
    """The columns of what was published."""
    return [column for column in row if column.endswith(PUBLISHED)]


def _digits(value: object, column: str) -> str:
    """As many digits in every row; a dash where nothing was published."""
    if not isinstance(value, int | float):
        return "–"
    return f"{value:.2f}" if column == SECONDS else f"{value:.4f}"


def _row(preset: Preset, base: KnowledgeBase, part: QueryPart) -> Row:
    found = published(preset.name, base, part)
    lacks = preset.needs if preset.spec is None or needs(preset.spec) else None
    return {
        "Retriever": preset.name,
        **{f"{read_metric(m).label}{PUBLISHED}": found.share(m) if found else None for m in PUBLISHED_METRICS},
        SECONDS: found.seconds if found else None,
        "Here": "can be run" if lacks is None else f"needs {lacks}",
        "What it is": preset.sentence,
        "Model": preset.model or "–",
        "Reference": preset.reference,
    }
