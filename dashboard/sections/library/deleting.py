"""Before something goes: what exactly, and a second click."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.errors import QueryscapeError
from dashboard import cache, state
from dashboard.words import many, plain
from data.library.filing import delete_source, delete_topic, delete_version
from data.library.tables import SourceRow, load_sources, n_only_here, n_only_in_source, topic_sizes


def ask_before_deleting(topic_id: str, label: str | None) -> None:
    """A topic, or one version of its query."""
    if label is None:
        _topic_dialog(topic_id)
    else:
        _version_dialog(topic_id, label)


@st.dialog("Delete this topic?")
def _topic_dialog(topic_id: str) -> None:
    workspace = cache.workspace()
    n_files = topic_sizes(workspace.store)[topic_id].n_files
    n_versions = len(workspace.store.versions(topic_id, deleted=True))
    st.markdown(f"**{plain(topic_id)}** goes, with")
    st.markdown(
        f"- {many(n_only_here(workspace.store, topic_id), 'publication')} that no other topic has\n"
        f"- {many(n_versions, 'query version')} with what {'it' if n_versions == 1 else 'they'} retrieved\n"
        f"- {many(n_files, 'file')} with all records, the vectors fitted to the topic, and its landscapes"
    )
    _confirm(lambda: delete_topic(workspace, topic_id), f"{topic_id} is deleted.")


@st.dialog("Delete this version?")
def _version_dialog(topic_id: str, label: str) -> None:
    workspace = cache.workspace()
    row = next(row for row in workspace.store.versions(topic_id, deleted=True) if row.version.label == label)
    files = [s for s in load_sources(workspace.store, topic_id) if s.role.label == label and s.content_hash]
    st.markdown(f"**{plain(label)}** of {plain(topic_id)} goes, with")
    lines = [f"- its text and what it retrieved ({many(row.n_retrieved or 0, 'publication')})"]
    lines += [f"- {many(len(files), 'file')} that it came from, and publications that only these have"] * bool(files)
    st.markdown("\n".join(lines))
    _confirm(lambda: delete_version(workspace, topic_id, label), f"Version {label} is deleted.")


@st.dialog("Delete this file?")
def ask_before_deleting_file(topic_id: str, source: SourceRow) -> None:
    """A file of a topic, with its records."""
    workspace = cache.workspace()
    st.markdown(f"**{plain(source.name)}** ({plain(str(source.role))}) goes from {plain(topic_id)}, with")
    n_alone = n_only_in_source(workspace.store, topic_id, source.source_id)
    st.markdown(
        f"- {many(source.n_records, 'record')}\n- {many(n_alone, 'publication')} that no other file of this topic has"
    )
    st.caption("Publications that other files have stay, as those files describe them.")
    _confirm(lambda: delete_source(workspace, topic_id, source.source_id), f"{source.name} is deleted.")


def _confirm(delete: Callable[[], None], done: str) -> None:
    with st.container(horizontal=True):
        wanted = st.button("Delete", type="primary", key="delete-now", icon=":material/delete:")
        if st.button("Keep", key="delete-not"):
            st.rerun()
    if not wanted:
        return
    try:
        delete()
    except QueryscapeError as e:
        st.error(plain(str(e)))
        return
    _look_elsewhere()
    state.say_once("library", done)
    st.rerun()


def _look_elsewhere() -> None:
    """If what the sidebar shows is gone, it shows the next one."""
    selection = state.read_selection()
    topics = {topic.topic_id: topic for topic in cache.workspace().topics()}
    if topics and state.read_topic() not in topics:
        state.choose_topic_next(next(iter(topics)))
    elif selection is not None and selection.topic_id in topics:
        run = [row.version.label for row in topics[selection.topic_id].versions if row.n_retrieved is not None]
        if run and selection.label not in run:
            state.choose_version_next(run[0])
