"""Entries of core lists that could be several publications: a person says which one is meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from core.errors import QueryscapeError
from core.types import unique_ids
from dashboard import cache, state
from dashboard.sections.library.locked import why_locked
from dashboard.words import plain
from data.library.bringing import choose_core
from data.library.tables import SourceRow

MOST_LISTED = 50


def draw_undecided(topic_id: str, sources: Iterable[SourceRow]) -> None:
    """What still waits for a decision; nothing where nothing does."""
    waiting = [(source, wanted, ids) for source in sources for wanted, ids in source.report.ambiguous]
    if not waiting:
        return
    shown = waiting[:MOST_LISTED]
    told = headlines([i for _, _, ids in shown for i in ids])
    st.markdown(f"**{len(waiting):,} could be several publications.** Choose the one that is meant:")
    for n, (source, wanted, ids) in enumerate(shown):
        with st.container(border=True, gap="xsmall"):
            st.markdown(f"{plain(wanted)}  \n:small[:gray[{plain(source.name)}]]")
            _draw_choices(topic_id, source.source_id, wanted, ids, told, n)
    if len(waiting) > MOST_LISTED:
        st.caption(f"and {len(waiting) - MOST_LISTED:,} more, once these are decided")


def _draw_choices(
    topic_id: str, source_id: str, wanted: str, ids: Sequence[str], told: dict[str, str], place: int
) -> None:
    locked = why_locked()
    for candidate in ids:
        if st.button(
            plain(told[candidate]),
            key=f"choose-{place}-{source_id}-{candidate}",
            icon=":material/flag:",
            disabled=bool(locked),
            help=locked,
        ):
            _choose(topic_id, source_id, wanted, candidate)


def headlines(publication_ids: Iterable[str]) -> dict[str, str]:
    """Title, year and DOI in one line: two of one title are told apart."""
    ids = unique_ids(publication_ids)
    told = cache.workspace().store.headlines(ids)
    return {
        i: f"{title or 'Without a title'} ({int(year) or 'no year'}) · {doi or i}"
        for i, title, year, doi in zip(ids, told.titles, told.years, told.dois, strict=True)
    }


def _choose(topic_id: str, source_id: str, wanted: str, publication_id: str) -> None:
    try:
        choose_core(cache.workspace(), topic_id, source_id, wanted, publication_id)
    except QueryscapeError as e:
        st.error(plain(str(e)))
        return
    state.say_once("library", "It is a core publication now.")
    st.rerun()
