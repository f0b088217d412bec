"""Searches beside each other: their overlap in each phase of the review, and those that could be dropped."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.library.overlap import overlap, shared_by
from core.types import Ids
from dashboard import cache
from dashboard.kit.components import current_theme, draw_figure
from dashboard.kit.figures import WordsOf, upset_figure, upset_rows, upset_words
from dashboard.kit.publication_lists import PublicationGroup, draw_group, draw_table, upset_group, upset_row_group
from dashboard.library.figures import OVERLAP_READING, overlap_heat_figure, overlap_heat_rows
from dashboard.words import plain
from data.library.searches import (
    brought_by,
    drop_prices,
    drop_words,
    load_searches,
    phase_ids,
    search_names,
    unfound_ids,
)

SEARCHED = "Searched"
OF_SEARCHES = WordsOf("search", "found", "come from one search only")


def publications_by_search(topic_id: str, phase: str = SEARCHED) -> Mapping[str, Ids]:
    """Return the publications of each search by its unique name, of all or of those that reached a phase."""
    store = cache.workspace().store
    names = search_names(load_searches(store, topic_id))
    found = {names[search_id]: records.publication_ids for search_id, records in brought_by(store, topic_id).items()}
    if phase == SEARCHED:
        return found
    reached = frozenset(phase_ids(store, topic_id).get(phase.lower(), ()))
    return {name: tuple(i for i in ids if i in reached) for name, ids in found.items()}


def draw_search_overlap(topic_id: str) -> None:
    store = cache.workspace().store
    phases = phase_ids(store, topic_id)
    if len(brought_by(store, topic_id)) < 2:
        return
    st.header("Overlap of the searches")
    views = (SEARCHED, *(phase.capitalize() for phase in phases))
    phase = SEARCHED
    if len(views) > 1:
        phase = st.radio("Phase", views, horizontal=True, key=f"phase-{topic_id}")
    by_search = publications_by_search(topic_id, phase)
    shared = overlap(by_search)
    reading = upset_words(shared, OF_SEARCHES).reading
    draw_figure(
        upset_figure(shared, theme=current_theme(), words_of=OF_SEARCHES),
        key="search-upset",
        name=f"Overlap of the searches, {phase.lower()}",
        reading=f"{reading[:1].lower()}{reading[1:]}.",
        rows=upset_rows(shared, OF_SEARCHES),
        group_of=lambda point: upset_group(by_search, shared, point),
        group_of_row=lambda row, _: upset_row_group(by_search, shared, row),
    )
    rows = overlap_heat_rows(shared)

    def both(row: int, _: str) -> PublicationGroup:
        one, other = str(rows[row]["Search"]), str(rows[row]["Also found by"])
        return PublicationGroup(f"{one} and {other}", shared_by(by_search, (one, other), no_other=False))

    draw_figure(
        overlap_heat_figure(shared, theme=current_theme()),
        key="search-heat",
        name=f"Shares that other searches also found, {phase.lower()}",
        reading=f"{OVERLAP_READING}.",
        rows=rows,
        group_of_row=both,
    )


def draw_drops(topic_id: str) -> None:
    """Draw what dropping each search would save and lose."""
    store = cache.workspace().store
    prices = list(drop_prices(store, topic_id).items())
    if len(prices) < 2:
        return
    st.header("Searches that could be dropped")
    has_included, n_core = "included" in phase_ids(store, topic_id), len(store.load_core_ids(topic_id))
    if not (has_included or n_core):
        st.info("Import core publications or a file of included publications to see what dropping a search would lose.")
        return
    if words := drop_words(store, topic_id):
        st.markdown(f"**{plain(words)}**")
    else:
        st.markdown("Each search is needed: without it, a core or included publication would be lost.")
    names = search_names(load_searches(store, topic_id))
    rows = [
        {"Without": names[search_id], "Fewer to screen": price.n_saved}
        | ({"Core lost": len(price.lost_core)} if n_core else {})
        | ({"Included lost": len(price.lost_included)} if has_included else {})
        for search_id, price in prices
    ]

    def group_of(row: int, column: str) -> PublicationGroup | None:
        name, price = names[prices[row][0]], prices[row][1]
        ids = {"Core lost": price.lost_core, "Included lost": price.lost_included}.get(column)
        if column == "Fewer to screen":
            ids = shared_by(publications_by_search(topic_id), [name], no_other=True)
        return None if ids is None else PublicationGroup(f"Without {name}, {column.lower()}", ids)

    count = st.column_config.NumberColumn(format="localized")
    config = dict.fromkeys(("Fewer to screen", "Core lost", "Included lost"), count)
    draw_table(rows, group_of, key=f"search-drops-{topic_id}", column_config=config)


def draw_unfound(topic_id: str) -> None:
    """List the screened and included publications that no search found."""
    for phase, ids in unfound_ids(cache.workspace().store, topic_id).items():
        with st.expander(f"{len(ids):,} {phase} that no search found", icon=":material/search_off:"):
            draw_group(PublicationGroup(f"{phase.capitalize()}, found by no search", ids), key=f"unfound-{phase}")
