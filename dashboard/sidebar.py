"""The sidebar: choose the topic, the query version and the embedding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.query.parser import parse
from dashboard import cache, state
from dashboard.explore.versions import called
from dashboard.messages import guarded
from dashboard.sources.origin import run_of, where_and_when
from dashboard.state import Selection
from dashboard.words import plain
from data.explore.versions import deleted_versions
from data.lookup import TopicSummary
from data.models.embedders import EMBEDDERS
from data.query.search import RANKED_CUT, dialect_of
from data.store import VersionRow


def draw_sidebar() -> None:
    state.keep_selection(None)
    state.keep_topic(None)
    state.take_next_version()
    with st.sidebar, guarded():
        workspace = cache.workspace()
        topics = workspace.topics()
        if workspace.store.is_copy:
            st.warning(
                "Another Queryscape has this workspace open, so this is a copy to look at. What you do here is not "
                "kept; close the other one to work here.",
                icon=":material/lock:",
            )
        if topics:
            state.keep_selection(_choose(topics))


def _choose(topics: Sequence[TopicSummary]) -> Selection | None:
    by_id = {topic.topic_id: topic for topic in topics}
    state.take_next_topic(by_id)
    _note_missing("topic", list(by_id))
    topic = by_id[_select("Topic", list(by_id), "topic", "A field with its core publications.")]
    state.keep_topic(topic.topic_id)
    if topic.made_up:
        st.caption(":material/science: Made up: nothing in this topic is real.")
    run = {row.version.label: row for row in topic.versions if row.n_retrieved is not None}
    if not run:
        st.caption("No version of this topic's query has been run yet.")
        return None
    label = _choose_version(topic.topic_id, run)
    st.caption(
        plain(f"{_came_from(topic.topic_id, run[label])}, {run[label].n_retrieved:,} retrieved{_read_as(run[label])}")
    )
    embedders = [*topic.embedders, *(name for name in EMBEDDERS if name not in topic.embedders)]
    _note_missing("embedder", embedders)
    text = (
        "Whose vectors decide what is similar. lsa is made on this machine, from the topic's own texts; other models "
        "are run with the embed command, because they take time or money."
    )
    embedder = _select("Embedder", embedders, "embedder", text)
    if message := state.take("missing"):
        st.warning(plain(message), icon=":material/link_off:")
    return Selection(topic.topic_id, label, embedder)


def _choose_version(topic_id: str, run: Mapping[str, VersionRow]) -> str:
    """By name as well as by label; the link holds the label alone."""
    if state.said("version") is None:  # else it is of the topic before
        _note_missing("version", list(run), lambda label: _why_missing(topic_id, label))
    state.settle_named("version", list(run))
    help_ = "One wording of the query; a change makes a new one."
    chosen = st.selectbox("Query version", list(run), key="version", format_func=lambda i: called(run[i]), help=help_)
    label = chosen if chosen in run else next(iter(run))
    state.write_in_link("version", [label])
    return label


def _came_from(topic_id: str, row: VersionRow) -> str:
    live = run_of(topic_id, row.version.label)
    return row.version.origin.capitalize() if live is None else where_and_when(live)


def _why_missing(topic_id: str, label: str) -> str | None:
    if label in {row.version.label for row in deleted_versions(cache.workspace(), topic_id)}:
        return f'Version "{label}" was deleted. It can be brought back on the page Versions, under History.'
    return None


def _read_as(row: VersionRow) -> str:
    version = row.version
    if version.semantics is None:
        return ""
    if parse(version.text, dialect_of(version)).kind == "question":
        return f", the best {RANKED_CUT:,} of a ranking"
    return ", words matched by their stems" if version.semantics == "stemmed" else ", words matched as written"


def _select(label: str, options: list[str], key: str, text: str) -> str:
    """A choice that always stands in the link: without a default, Streamlit never leaves it out."""
    state.settle(key, options)
    chosen = st.selectbox(label, options, index=None, key=key, bind="query-params", help=text)
    return chosen if chosen in options else options[0]


def _note_missing(name: str, options: list[str], why: Callable[[str], str | None] = lambda wanted: None) -> None:
    if wanted := state.wanted_by_link(name, options):
        otherwise = f'The link asks for {name} "{wanted}", which is not here (any more). Choose another.'
        state.say_once("missing", why(wanted) or otherwise)
