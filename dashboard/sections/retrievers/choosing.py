"""Which collection the retrievers answer, which part of its queries, and what is odd about it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.ranking.check import Collection
from dashboard import cache, state
from dashboard.messages import sentence
from dashboard.sections.retrievers.adding import (
    choose_added,
    draw_adding,
    draw_deleting,
    draw_mending,
    draw_nothing_here,
    is_adding_over,
)
from dashboard.words import plain
from data.collections.bringing import OpenedCollection
from data.collections.stored import TOPIC_PREFIX, list_collections

ALL = "all"
MISSING = "missing_collection"
"""What the link asked for in vain, until another choice is made."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """A collection and a part of it."""

    name: str
    opened: OpenedCollection
    split: str | None
    state: str
    """Changes with anything in the collection."""

    @property
    def collection(self) -> Collection:
        return self.opened.collection

    @property
    def topic_id(self) -> str | None:
        """The topic of the workspace that the documents are of."""
        return self.name.removeprefix(TOPIC_PREFIX) if self.name.startswith(TOPIC_PREFIX) else None


def choose_collection() -> Chosen | None:
    """The choice at the head of the page; None while there is nothing to choose."""
    has_come = is_adding_over()  # asked first: what it added is among the names then
    names = _names()
    if not names:
        draw_nothing_here()
        return None
    if wanted := state.wanted_by_link("collection", list(names)):
        state.say(MISSING, f'The link asks for a collection "{wanted}" that is not here (any more).')
    if has_come:
        choose_added(list(names))
    which, part, more = st.columns([0.5, 0.25, 0.25], vertical_alignment="bottom")
    state.settle_named("collection", list(names))
    name = which.selectbox(
        "Collection",
        list(names),
        key="collection",
        format_func=lambda name: names.get(name, name),
        help="Documents, queries, and which documents are relevant to which query.",
        on_change=state.say,
        args=(MISSING, ""),
    )
    state.write_in_link("collection", [name])
    with more.popover("Add or delete", icon=":material/add:", width="stretch"):
        draw_adding()
        if not str(name).startswith(TOPIC_PREFIX):
            draw_deleting(str(name))
    if missing := state.said(MISSING):
        st.warning(plain(missing), icon=":material/link_off:")
    if message := state.take("collections"):
        st.success(plain(message), icon=":material/check:")
    opened = cache.collection(name)
    with part:
        split = _choose_split(opened.collection)
    chosen = Chosen(name, opened, split, cache.collection_state(name))
    _describe(chosen)
    return chosen


def _names() -> dict[str, str]:
    """What there is to choose, and what people call it: collections first, then topics with core publications."""
    workspace = cache.workspace()
    stored = {row.name: f"{row.name} ({_queries(row.n_queries)})" for row in list_collections(workspace.store)}
    topics = {
        f"{TOPIC_PREFIX}{topic.topic_id}": f"Topic {topic.topic_id}: its query versions"
        for topic in workspace.topics()
        if topic.n_core and any(row.version.text.strip() for row in topic.versions)
    }
    return stored | topics


def _choose_split(collection: Collection) -> str | None:
    """Drawn also where there is but one choice, so that nothing jumps."""
    options = [ALL, *collection.splits]
    state.settle_named("split", options)
    split = st.selectbox(
        "Queries",
        options,
        key="split",
        format_func=lambda name: (
            f"All {len(collection.queries):,}" if name == ALL else f"{name} ({len(collection.splits[name]):,})"
        ),
        disabled=len(options) == 1,
        help="Some collections name parts of their queries: to train, to choose, to test.",
    )
    state.write_in_link("split", [split] if split != ALL else [])
    return None if split == ALL else str(split)


def _describe(chosen: Chosen) -> None:
    collection = chosen.collection
    judged = {j.query_id for j in collection.judgments if j.relevance > 0} & set(collection.query_ids)
    parts = [
        f"{len(collection.documents):,} documents",
        _queries(len(collection.queries)),
        f"{len(judged):,} of them with a relevant document",
    ]
    made_up = " Made up: nothing in it is real." if collection.made_up else ""
    st.caption(plain(", ".join(parts) + "." + made_up))
    oddities = chosen.opened.oddities
    notes = chosen.opened.notes
    if not oddities and not notes:
        return
    is_trap = any(oddity.fix for oddity in oddities)
    n = len(oddities) + len(notes)
    title = f"What to know about this collection ({n})"
    with st.expander(title, icon=":material/warning:" if oddities else ":material/info:", expanded=is_trap):
        for oddity in oddities:
            examples = f" For example {', '.join(oddity.examples)}." if oddity.examples else ""
            st.markdown(f"- {plain(sentence(oddity.sentence) + examples)}")
            if oddity.fix:
                draw_mending(chosen.name, chosen.opened, oddity.fix)
        if notes:
            st.markdown("\n".join(f"- {plain(sentence(note))}" for note in notes))


def _queries(n: int) -> str:
    return f"{n:,} {'query' if n == 1 else 'queries'}"
