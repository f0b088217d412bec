"""The frame around every page: the navigation, and the selected topic, query version and embedder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.query.parser import parse
from core.text import upper_first
from dashboard import cache, state
from dashboard.explore.versions import called, made_by
from dashboard.kit import overtaken_requests
from dashboard.kit.components import draw_palette_button, mount_navigation
from dashboard.messages import guarded
from dashboard.navigation import (
    EMBEDDER,
    SELECTED,
    START,
    STEPS,
    TOPIC,
    VERSION,
    PageEntry,
    Pages,
    draw_groups,
    draw_views,
    group_of,
    list_places,
)
from dashboard.sources.origin import run_of, where_and_when
from dashboard.state import Selection
from dashboard.status import why_locked
from dashboard.visitors.names import draw_name
from dashboard.visitors.presence import draw_others
from dashboard.words import plain, when
from data.explore.versions import deleted_versions
from data.lookup import TopicSummary
from data.models.embedders import EMBEDDERS
from data.query.search import RANKED_CUT, dialect_of
from data.store import VersionRow


def draw_frame(pages: Pages, entry: PageEntry) -> None:
    """Draw the list of pages on the left, and the page's group and the selection at the top."""
    before = state.read_selection()
    state.keep_selection(None)
    state.keep_topic(None)
    state.take_next_version()
    with guarded():
        workspace = cache.workspace()
        topics = workspace.topics()
        options = _settle(topics, before) if topics else {}
        link = {name: str(state.value(name)) for name in options}
        with st.sidebar:
            draw_palette_button()
            draw_groups(pages, group_of(entry), link, has_topic=bool(topics))
            draw_name()
            if locked := why_locked():
                st.warning(locked, icon=":material/lock:")
        places = list_places([topic.topic_id for topic in topics], options.get(VERSION, {}), entry)
        mount_navigation({"steps": list(STEPS), "group": group_of(entry).title, "page": entry.title, "places": places})
        if not topics and group_of(entry).needs_topic:
            return
        with st.container(key="page-head", horizontal=True, vertical_alignment="center", gap="small"):
            draw_views(pages, group_of(entry), link)
            for name in options:
                _draw_choice(name, options[name], is_shown=name in entry.selects)
            if note := _note(topics, entry):
                st.caption(plain(note), width="content")
            draw_others(state.read_topic() if entry.selects else None)
        if message := state.take("missing"):
            st.warning(plain(message), icon=":material/link_off:")


def _settle(topics: Sequence[TopicSummary], before: Selection | None) -> dict[str, Mapping[str, str]]:
    """Select a topic, a version and an embedder that exist; return the options of each, with their names.

    `before`: the previous selection.
    """
    by_id = {topic.topic_id: topic for topic in topics}
    state.take_next_topic(by_id)
    options: dict[str, Mapping[str, str]] = {TOPIC: {topic_id: topic_id for topic_id in by_id}}
    _note_missing(TOPIC, list(by_id))
    state.settle_named(TOPIC, list(by_id))
    topic = by_id[str(state.value(TOPIC))]
    state.keep_topic(topic.topic_id)
    if run := _versions(topic):
        if state.value(VERSION) is None:  # else it is a version of the previous topic
            _note_missing(VERSION, list(run), lambda label: _why_missing(topic.topic_id, label))
        elif before and state.value(VERSION) == before.label not in run and before.topic_id == topic.topic_id:
            gone = f'Version "{before.label}" no longer exists.'
            state.say_once("missing", _why_missing(topic.topic_id, before.label) or gone)
        embedders = [*topic.embedders, *(name for name in EMBEDDERS if name not in topic.embedders)]
        _note_missing(EMBEDDER, embedders)
        state.settle_named(VERSION, list(run))
        state.settle_named(EMBEDDER, embedders)
        options |= {VERSION: {label: called(row) for label, row in run.items()}, EMBEDDER: {e: e for e in embedders}}
        state.keep_selection(Selection(topic.topic_id, str(state.value(VERSION)), str(state.value(EMBEDDER))))
    state.write_all_in_link({name: [str(state.value(name))] if name in options else [] for name in SELECTED})
    return options


def _versions(topic: TopicSummary) -> dict[str, VersionRow]:
    return {row.version.label: row for row in topic.versions if row.n_retrieved is not None}


LABELS = {TOPIC: "Topic", VERSION: "Query version", EMBEDDER: "Embedder"}
HELP = {
    TOPIC: "A research question with its core publications.",
    VERSION: "One wording of the query. A change creates a new version.",
    EMBEDDER: "The model that measures similarity. LSA runs locally on the topic's own texts. Start other "
    "models under Library, Vectors: they take time or money.",
}
WIDTHS = {TOPIC: 270, VERSION: 165, EMBEDDER: 105}


def _draw_choice(name: str, options: Mapping[str, str], *, is_shown: bool) -> None:
    """Draw one choice, or keep its value for the pages that show it."""
    if not is_shown:
        state.hold(name)
        return
    if not overtaken_requests.is_shown(name):
        state.show_again(name)
    st.selectbox(
        LABELS[name],
        list(options),
        index=list(options).index(str(state.value(name))),  # the fallback of a browser that misses a change made here
        key=name,
        format_func=lambda option: options.get(option, option),
        label_visibility="collapsed",
        help=HELP[name],
        width=WIDTHS[name],
    )


def _note(topics: Sequence[TopicSummary], entry: PageEntry) -> str:
    """Return the notes on the selected topic and version."""
    topic = next((topic for topic in topics if topic.topic_id == state.read_topic()), None)
    if topic is None or not entry.selects:
        return ""
    notes = ["Demo data"] if topic.made_up else []
    selection = state.read_selection()
    if selection is None:
        notes.append("no query version run yet")
    elif VERSION in entry.selects:
        row = _versions(topic)[selection.label]
        origin = _came_from(topic.topic_id, row)
        # The Workbench shows the number with its scores, and the word matching next to the search string.
        notes.append(origin if entry is START else f"{origin}, {row.n_retrieved:,} retrieved{_read_as(row)}")
    note = " · ".join(notes)
    return upper_first(note)


def _came_from(topic_id: str, row: VersionRow) -> str:
    live = run_of(topic_id, row.version.label)
    if live is not None:
        return where_and_when(live)
    return ", ".join((made_by(row), *([when(row.version.made_at)] if row.made_by and row.version.made_at else ())))


def _why_missing(topic_id: str, label: str) -> str | None:
    if label in {row.version.label for row in deleted_versions(cache.workspace(), topic_id)}:
        return f'Version "{label}" was deleted. Restore it on the page Versions, under History.'
    return None


def _read_as(row: VersionRow) -> str:
    version = row.version
    if version.semantics is None:
        return ""
    if parse(version.text, dialect_of(version)).kind == "question":
        return f", top {RANKED_CUT:,} of a ranking"
    return ", stemmed words" if version.semantics == "stemmed" else ", exact words"


def _note_missing(name: str, options: list[str], why: Callable[[str], str | None] = lambda wanted: None) -> None:
    if wanted := state.wanted_by_link(name, options):
        otherwise = f'Unknown {name} in the link: "{wanted}". It may have been deleted. Choose another.'
        state.say_once("missing", why(wanted) or otherwise)
