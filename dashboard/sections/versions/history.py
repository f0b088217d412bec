"""Every version of the topic, newest first: what it is called, where it comes from, what it found, and what to do."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from dashboard import cache
from dashboard.sections.library.locked import why_locked
from dashboard.sections.versions.changing import draw_changing, draw_deleted, draw_undo, is_open, open_version
from dashboard.sections.versions.chosen import Chosen
from dashboard.words import many, plain
from data.versions.comparing import HistoryEntry, history

MOST_LISTED = 40
SHORT = 150
"""Letters of a text that stand in the list."""


def draw_history(chosen: Chosen) -> None:
    """The list, with the one that is picked laid open."""
    topic_id = chosen.topic_id
    draw_undo(topic_id)
    if locked := why_locked():
        st.info(locked, icon=":material/lock:")
    with st.spinner("Looking at what the topic holds", show_time=False):
        entries = history(cache.workspace(), topic_id)[::-1]
    every = len(entries) <= MOST_LISTED or st.toggle(f"All {len(entries):,} versions", key="history-all")
    for entry in entries if every else entries[:MOST_LISTED]:
        _draw_entry(topic_id, entry)
    draw_deleted(topic_id)


def _draw_entry(topic_id: str, entry: HistoryEntry) -> None:
    version = entry.row.version
    label, opened = version.label, is_open(topic_id, version.label)
    with st.container(border=True, key=f"version-{version.query_id}"):
        with st.container(horizontal=True, vertical_alignment="top", wrap=False):
            with st.container(gap="xxsmall", width="stretch"):
                _draw_words(entry, with_text=not opened)
            st.button(
                "Close" if opened else "Open",
                key=f"open-{version.query_id}",
                type="tertiary",
                icon=":material/expand_less:" if opened else ":material/expand_more:",
                on_click=open_version,
                args=(topic_id, None if opened else label),
                width="content",
            )
        if opened:
            st.code(version.text or "Its wording is not known.", language=None, wrap_lines=True)
            draw_changing(topic_id, entry.row)


def _draw_words(entry: HistoryEntry, *, with_text: bool) -> None:
    version = entry.row.version
    st.markdown(_head(entry))
    st.caption(_facts(entry))
    if version.note:
        st.markdown(f":material/sticky_note_2: {plain(version.note)}")
    if with_text and version.text:
        st.caption(plain(_short(version.text)))


def _head(entry: HistoryEntry) -> str:
    """What it is called, and what it found."""
    row = entry.row
    name = f" {plain(row.version.name)}" if row.version.name else ""
    if row.n_retrieved is None:
        return f"**{plain(row.version.label)}**{name} · not run"
    core = f"{entry.n_core_found:,} of {entry.n_core:,} core found"
    return f"**{plain(row.version.label)}**{name} · {row.n_retrieved:,} retrieved · {core}"


def _facts(entry: HistoryEntry) -> str:
    """Where it comes from, when, from which, and over what."""
    row, version = entry.row, entry.row.version
    parts = [version.origin.capitalize()]
    if version.made_at:
        parts.append(when(version.made_at))
    if entry.made_from:
        parts.append(f"made from {plain(entry.made_from)}")
    if version.semantics:
        parts.append("words matched by their stems" if version.semantics == "stemmed" else "words matched as written")
    if not row.over_corpus:
        parts.append("not run here" if row.n_retrieved is None else "brought in with its list")
    elif entry.is_current is None:
        parts.append("run over a corpus that was not kept in mind")
    else:
        now = "as they are today" if entry.is_current else "**which have changed since**"
        parts.append(f"run over {many(row.n_searched or 0, 'publication')}, {now}")
    return " · ".join(parts)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= SHORT else f"{flat[:SHORT].rstrip()} …"


def when(moment: str) -> str:
    """A moment for a person.

    >>> when("2031-05-06T12:00:09+00:00")
    '6 May 2031, 12:00 UTC'
    """
    at = datetime.fromisoformat(moment)
    return f"{at.day} {at:%b %Y, %H:%M} UTC"
