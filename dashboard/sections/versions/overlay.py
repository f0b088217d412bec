"""Both versions on one landscape; nothing moves."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard import cache
from dashboard.components.mount import current_theme, mount_part, mount_payload
from dashboard.components.overlays import MOST_VERSIONS, GroupCount, Overlay, group_counts
from dashboard.sections.versions.chosen import Chosen
from dashboard.words import plain

HEIGHT = 620
NUMBERS = ("Publications", "Core publications", "Without a place")


def draw_overlay(chosen: Chosen) -> None:
    """Who has what, on the topic's one landscape."""
    rows = chosen.rows[:MOST_VERSIONS]
    if len(chosen.rows) > MOST_VERSIONS:
        left_out = ", ".join(chosen.labels[MOST_VERSIONS:])
        st.caption(plain(f"A landscape tells {MOST_VERSIONS} versions apart; without {left_out}."))
    made = cache.overlay(chosen.topic_id, chosen.embedder, tuple(row.version.label for row in rows))
    overlay = made.overlay
    if not overlay.n_placed:
        st.info("A landscape needs five publications with a vector. The numbers below hold without it.")
    else:
        _draw_part(overlay, made.payload, made.payload_id)
    counts = group_counts(overlay)
    for note in _notes(overlay, counts):
        st.caption(plain(note))
    numbers = {name: st.column_config.NumberColumn(format="localized") for name in NUMBERS}
    st.dataframe([_row(c) for c in counts], hide_index=True, key="overlay-numbers", column_config=numbers)


def _draw_part(overlay: Overlay, payload: bytes, payload_id: str) -> None:
    with st.container(key="payloads-overlay"):
        mount_payload(payload, key="overlay-points")
    document: dict[str, Any] = {"overlay": payload_id, "height": HEIGHT}
    mount_part("overlay", document, key="overlay")
    both = "both" if len(overlay.labels) == 2 else "several"
    dark_or_light = "white" if current_theme() == "dark" else "black"
    st.caption(
        "How to read this: dots that are close are about the same. Patches of one colour are what only that version "
        f"brings; {dark_or_light} dots are in {both}. A core publication found by one alone is filled in part."
    )


def _notes(overlay: Overlay, counts: list[GroupCount]) -> list[str]:
    notes = []
    if len(overlay.labels) > 1 and not any(count.n for count in counts[1:-1]):
        same = "Both versions" if len(overlay.labels) == 2 else "All of them or none: the versions"
        notes.append(f"{same} retrieve the same publications.")
    unplaced = sum(count.n_unplaced for count in counts)
    if unplaced and overlay.n_placed:
        verb = "publication has" if unplaced == 1 else "publications have"
        notes.append(f"{unplaced:,} {verb} no vector and so no place on the landscape; they are counted below.")
    return notes


def _row(count: GroupCount) -> dict[str, str | int]:
    return {
        "Retrieved by": count.name,
        **dict(zip(NUMBERS, (count.n, count.n_core, count.n_unplaced), strict=True)),
    }
