"""The searches of a topic: where, when and by whom each was run, what the database showed, and what it brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import streamlit as st

from core.audit.searches import SEARCH_KINDS, Search, SearchYield, grouped_searches, hits_of
from core.errors import QueryscapeError
from core.text import many
from core.types import Ids
from dashboard import cache, state
from dashboard.kit.publication_lists import PublicationGroup, draw_table
from dashboard.library.overlap import draw_drops, draw_search_overlap, draw_unfound
from dashboard.library.search_table import draw_search_table
from dashboard.messages import draw_problem
from dashboard.status import why_locked
from dashboard.words import plain
from data.library.records import source_names
from data.library.searches import (
    brought_by,
    delete_search,
    group_searches,
    join_searches,
    load_searches,
    new_search,
    phase_ids,
    problems_of,
    save_search,
    search_names,
    without_search,
    yields_of,
)
from data.sources.runs import add_missing_searches

FLAG = "searches"
LONGEST_TEXT = 100_000
FIELDS = ("Database", "Platform", "Date", "By", "Hits", "Version", "Kind")


def draw_searches(topic_id: str) -> None:
    searches = load_searches(cache.workspace().store, topic_id)
    if message := state.take(FLAG):
        st.success(plain(message), icon=":material/check:")
    _draw_without(topic_id)
    if not searches:
        st.info("No searches yet. Each imported file becomes one; searches without a file can be added here.")
        draw_search_table(topic_id, FLAG)
        _draw_adding(topic_id)
        return
    for problem in problems_of(cache.workspace().store, topic_id, date.today()):
        st.warning(plain(problem), icon=":material/warning:")
    draw_unfound(topic_id)
    _draw_fields(topic_id, searches)
    _draw_choosing(topic_id, searches)
    draw_search_table(topic_id, FLAG)
    if st.button("Open the record (PRISMA-S)", key="searches-to-record", icon=":material/fact_check:"):
        st.switch_page("audit/page.py", query_params={})
    _draw_yields(topic_id, searches, yields_of(cache.workspace().store, topic_id))
    draw_drops(topic_id)
    draw_search_overlap(topic_id)
    _draw_one(topic_id, searches)
    _draw_adding(topic_id)


# The fields of all searches in one table.


def _draw_fields(topic_id: str, searches: Sequence[Search]) -> None:
    names = source_names(cache.workspace().store, topic_id)
    locked = why_locked()
    rows = [_row(search, names) for search in searches]
    with st.form(f"searches-{topic_id}", border=False):
        edited = st.data_editor(
            rows,
            key=f"edit-searches-{topic_id}-{state.flag(FLAG)}",
            hide_index=True,
            placeholder="–",
            disabled=["Search", "Files"] if not locked else True,
            column_config={
                "Search": st.column_config.NumberColumn(width="small"),
                "Database": st.column_config.TextColumn(max_chars=200),
                "Platform": st.column_config.TextColumn(max_chars=200),
                "Date": st.column_config.DateColumn(help="The day of the search.", format="YYYY-MM-DD"),
                "By": st.column_config.TextColumn(help="Who searched.", max_chars=200),
                "Hits": st.column_config.NumberColumn(
                    help="The number that the database showed. Empty: the last line of the history, if it has one.",
                    min_value=0,
                    step=1,
                    format="localized",
                ),
                "Version": st.column_config.SelectboxColumn(
                    help="The version of the query that this search belongs to.",
                    options=[row.version.label for row in cache.workspace().store.versions(topic_id)],
                ),
                "Kind": st.column_config.SelectboxColumn(options=list(SEARCH_KINDS), required=True),
            },
        )
        saved = st.form_submit_button(
            "Save", key="save-searches", icon=":material/check:", type="primary", disabled=bool(locked), help=locked
        )
    if saved:
        _save(topic_id, searches, rows, edited)


def _row(search: Search, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "Search": search.number,
        "Database": search.database,
        "Platform": search.platform,
        "Date": date.fromisoformat(search.searched_on) if search.searched_on else None,
        "By": search.searched_by,
        "Hits": hits_of(search),
        "Version": search.label,
        "Kind": search.kind,
        "Files": ", ".join(names[i] for i in search.source_ids if i in names) or "–",
    }


def _save(
    topic_id: str, searches: Sequence[Search], before: Sequence[Mapping[str, Any]], edited: Sequence[Mapping[str, Any]]
) -> None:
    """Save the rows that were changed; a mistake in one is shown, and nothing is lost."""
    changed = [
        (search, new)
        for search, old, new in zip(searches, before, edited, strict=True)
        if any(old[name] != new[name] for name in FIELDS)
    ]
    try:
        for search, row in changed:
            save_search(cache.workspace().store, topic_id, _with(search, row))
    except QueryscapeError as e:
        draw_problem(str(e))
        return
    state.raise_flag(FLAG)
    state.say_once(FLAG, f"{many(len(changed), 'search')} saved." if changed else "Nothing was changed.")
    st.rerun()


def _with(search: Search, row: Mapping[str, Any]) -> Search:
    """Return the search with the values of its row. Hits that are those of its history stay there."""
    day, hits = row["Date"], row["Hits"]
    given = None if hits is None else int(hits)
    return replace(
        search,
        database=_text(row["Database"]),
        platform=_text(row["Platform"]),
        searched_on="" if day is None else str(day)[:10],
        searched_by=_text(row["By"]),
        n_hits=given if search.n_hits is not None or given != hits_of(search) else None,
        label=row["Version"] or None,
        kind=row["Kind"],
    )


def _text(value: object) -> str:
    return " ".join(str(value or "").split())


def _draw_choosing(topic_id: str, searches: Sequence[Search]) -> None:
    """Draw a form that gives several searches the same version."""
    labels = [row.version.label for row in cache.workspace().store.versions(topic_id)]
    if len(searches) < 2 or not labels or why_locked():
        return
    names = search_names(searches)
    by_number = {search.number: search for search in searches}
    with (
        st.form(f"group-searches-{topic_id}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        chosen = st.multiselect(
            "Searches of one strategy",
            list(by_number),
            format_func=lambda n: names[by_number[n].search_id],
            key=f"grouped-{topic_id}",
            placeholder="Choose searches",
            width=420,
        )
        label = st.selectbox("Version", [None, *labels], format_func=lambda each: each or "No version", width=200)
        is_wanted = st.form_submit_button("Set the version", key="group-searches", icon=":material/layers:")
    if is_wanted and chosen:
        store = cache.workspace().store
        _attempt(lambda: group_searches(store, topic_id, chosen, label), f"{many(len(chosen), 'search')} saved.")


# What each search brought.


def _draw_yields(topic_id: str, searches: Sequence[Search], every: Sequence[SearchYield]) -> None:
    """Draw a table for each version, with a line that names it."""
    if not every:
        return
    st.header("What each search brought")
    by_id = {each.search_id: each for each in every}
    groups = grouped_searches(searches)
    for number, group in enumerate(groups):
        found = [by_id[search.search_id] for search in group.searches if search.search_id in by_id]
        if len(groups) > 1 or group.label is not None:
            st.markdown(f"**{plain(group.name)}**")
        if found:
            _draw_group_yields(topic_id, found, number)
        else:
            st.caption("These searches have no files yet.")
    on = every[0].measured_on
    st.caption(
        f"Precision and publications to read for one are measured on the {on} publications"
        + ("." if on == "included" else ", because no file says which publications are included.")
    )


def _draw_group_yields(topic_id: str, found: Sequence[SearchYield], number: int) -> None:
    store = cache.workspace().store
    brought, core, phases = brought_by(store, topic_id), store.load_core_ids(topic_id), phase_ids(store, topic_id)
    screened, included = phases.get("screened"), phases.get("included")
    hides_core = included is not None and not core  # its columns would be empty
    rows = [
        {
            "Search": each.name,
            "Hits": each.n_hits,
            "Records": each.n_records,
            "Publications": each.n_publications,
            "Duplicates": each.n_duplicates,
            "Only here": each.n_unique,
            **({} if hides_core else {"Core found": each.n_core, "Core only here": each.n_core_unique}),
            **({} if screened is None else {"Screened": each.n_screened}),
            **({} if included is None else {"Included": each.n_included, "Included only here": each.n_included_unique}),
            **({} if hides_core else {"Recall": None if each.recall is None else 100 * each.recall}),
            "Precision": None if each.precision is None else 100 * each.precision,
            "To read": each.n_to_read,
        }
        for each in found
    ]

    def group_of(row: int, column: str) -> PublicationGroup | None:
        by_id = {i: each.publication_ids for i, each in brought.items()}
        ids = counted_in_search(found[row].search_id, column, by_id, {"core": core, **phases})
        return None if ids is None else PublicationGroup(f"{found[row].name}, {column.lower()}", ids)

    count = st.column_config.NumberColumn(format="localized")
    share = st.column_config.NumberColumn(format="%.1f %%")
    config: dict[str, Any] = dict.fromkeys(("Hits", "Records", "Publications", "Duplicates", *COUNTED), count)
    config |= {"Recall": share, "Precision": share}
    config["To read"] = st.column_config.NumberColumn(
        help=f"Publications to read for one {found[0].measured_on} publication.", format="%.1f"
    )
    draw_table(rows, group_of, key=f"search-yields-{topic_id}-{number}", column_config=config)


COUNTED = {
    "Only here": ("", True),
    "Core found": ("core", False),
    "Core only here": ("core", True),
    "Screened": ("screened", False),
    "Included": ("included", False),
    "Included only here": ("included", True),
}
"""Columns of counts: the list that a publication must be in, and whether no other search may have it."""


def counted_in_search(search_id: str, column: str, brought: Mapping[str, Ids], lists: Mapping[str, Ids]) -> Ids | None:
    """Return the publications that a cell counts; None: it counts none."""
    own = brought[search_id]
    if column == "Publications":
        return own
    if column not in COUNTED:
        return None
    name, is_alone = COUNTED[column]
    others = {i for other, ids in brought.items() if other != search_id for i in ids} if is_alone else frozenset()
    inside = frozenset(lists.get(name, ())) if name else frozenset(own)
    return tuple(i for i in own if i in inside and i not in others)


# One search: its string or history, limits and note; joining and deleting.


def _draw_one(topic_id: str, searches: Sequence[Search]) -> None:
    st.header("Search string and history")
    by_number = {search.number: search for search in searches}
    number = st.selectbox(
        "Search", list(by_number), format_func=lambda n: f"{n}: {by_number[n].name}", key=f"one-search-{topic_id}"
    )
    search, locked = by_number[number], why_locked()
    with st.form(f"search-{search.search_id}", border=False):
        text = st.text_area(
            "Search string, or its lines with their hits",
            search.text,
            max_chars=LONGEST_TEXT,
            height=160,
            placeholder="1. exp Asthma/ (12345)\n2. wheez*.ti,ab. (2000)\n3. 1 or 2 (13000)",
        )
        limits = st.text_input("Limits", search.limits, max_chars=1_000, placeholder="English; 2010 to 2026")
        note = st.text_input("Note", search.note, max_chars=1_000)
        saved = st.form_submit_button("Save", key="save-search", icon=":material/check:", disabled=bool(locked))
    if saved:
        changed = replace(search, text=text.strip(), limits=_text(limits), note=_text(note))
        _attempt(lambda: save_search(cache.workspace().store, topic_id, changed), f"{search.name} saved.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        others = [n for n in by_number if n != number]
        joined = st.multiselect(
            "Join other searches with this one",
            others,
            format_func=lambda n: f"{n}: {by_number[n].name}",
            key=f"join-{search.search_id}",
            placeholder="None",
            width=420,
        )
        if st.button("Join", key="join-searches", disabled=bool(locked) or not joined):
            _attempt(lambda: join_searches(cache.workspace().store, topic_id, number, joined), "Joined.")
        if st.button("Delete this search", key="delete-search", icon=":material/delete:", disabled=bool(locked)):
            _attempt(
                lambda: delete_search(cache.workspace().store, topic_id, number),
                f"{search.name} deleted. Its files stay.",
            )


def _draw_adding(topic_id: str) -> None:
    locked = why_locked()
    if st.button(
        "Add a search without a file",
        key="add-search",
        icon=":material/add:",
        disabled=bool(locked),
        help=locked or "For registers, websites and searches that found nothing.",
    ):
        store = cache.workspace().store
        _attempt(lambda: save_search(store, topic_id, new_search(store, topic_id)), "Added. Fill in its row.")


def _draw_without(topic_id: str) -> None:
    store = cache.workspace().store
    files = without_search(store, topic_id)
    if not files or why_locked():
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        belongs = "belongs" if len(files) == 1 else "belong"
        st.markdown(f"{many(len(files), 'file')} {belongs} to no search.")
        if st.button("Add a search for each", key="add-searches"):
            _attempt(lambda: add_missing_searches(store, topic_id), "Added.")


def _attempt(change: Any, done: str) -> None:
    try:
        change()
    except QueryscapeError as e:
        draw_problem(str(e))
        return
    state.raise_flag(FLAG)
    state.say_once(FLAG, done)
    st.rerun()
