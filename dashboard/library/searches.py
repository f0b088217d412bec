"""The searches of a topic: where, when and by whom each was run, what the database showed, and what it brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import streamlit as st

from core.audit.searches import SEARCH_KINDS, Search, SearchYield, hits_of
from core.errors import QueryscapeError
from core.text import many
from core.types import Ids
from dashboard import cache, state
from dashboard.kit.publication_lists import PublicationGroup, draw_table
from dashboard.messages import draw_problem
from dashboard.status import why_locked
from dashboard.words import plain
from data.library.records import source_names
from data.library.searches import (
    brought_by,
    delete_search,
    join_searches,
    load_searches,
    new_search,
    problems_of,
    save_search,
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
        _draw_adding(topic_id)
        return
    for problem in problems_of(cache.workspace().store, topic_id, date.today()):
        st.warning(plain(problem), icon=":material/warning:")
    _draw_fields(topic_id, searches)
    _draw_yields(topic_id, yields_of(cache.workspace().store, topic_id))
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


# What each search brought.


def _draw_yields(topic_id: str, found: Sequence[SearchYield]) -> None:
    if not found:
        return
    st.header("What each search brought")
    store = cache.workspace().store
    brought, core = brought_by(store, topic_id), frozenset(store.load_core_ids(topic_id))
    rows = [
        {
            "Search": each.name,
            "Hits": each.n_hits,
            "Records": each.n_records,
            "Publications": each.n_publications,
            "Only here": each.n_unique,
            "Core found": each.n_core,
            "Core found only here": each.n_core_unique,
            "Recall": None if each.recall is None else 100 * each.recall,
            "Precision": None if each.precision is None else 100 * each.precision,
            "To read for one": each.n_to_read,
        }
        for each in found
    ]

    def group_of(row: int, column: str) -> PublicationGroup | None:
        ids = _counted(found[row].search_id, column, {i: each.publication_ids for i, each in brought.items()}, core)
        return None if ids is None else PublicationGroup(f"{found[row].name}, {column.lower()}", ids)

    count = st.column_config.NumberColumn(format="localized")
    share = st.column_config.NumberColumn(format="%.1f %%")
    config: dict[str, Any] = dict.fromkeys(("Hits", "Records", "Publications", *COUNTED), count)
    config |= {"Recall": share, "Precision": share}
    config["To read for one"] = st.column_config.NumberColumn(
        help="Publications to read for one core publication.", format="%.1f"
    )
    draw_table(rows, group_of, key=f"search-yields-{topic_id}", column_config=config, placeholder="–")


COUNTED = ("Only here", "Core found", "Core found only here")


def _counted(search_id: str, column: str, brought: Mapping[str, Ids], core: frozenset[str]) -> Ids | None:
    """Return the publications that a cell counts; None: it counts none."""
    others = {i for other, ids in brought.items() if other != search_id for i in ids}
    own = brought[search_id]
    return {
        "Publications": own,
        "Only here": tuple(i for i in own if i not in others),
        "Core found": tuple(i for i in own if i in core),
        "Core found only here": tuple(i for i in own if i in core and i not in others),
    }.get(column)


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
