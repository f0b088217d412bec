"""What writing needs of a topic: publications, core publications, and vectors by which strings are scored."""

from __future__ import annotations

import streamlit as st

from dashboard import cache, state
from dashboard.sections.first_steps import draw_import_button
from dashboard.sections.preparing import is_indexed, is_prepared
from dashboard.state import Selection
from dashboard.words import plain
from data.embedders import EMBEDDERS
from data.library.tables import n_publications
from data.workspace import TopicSummary


def read_embedder(topic_id: str) -> str:
    """Whose vectors score the strings: as the sidebar says, else the first that the topic has."""
    if (selection := state.read_selection()) is not None and selection.topic_id == topic_id:
        return selection.embedder
    return next(iter((*_topic(topic_id).embedders, *EMBEDDERS)))


def what_is_missing(topic_id: str) -> bool:
    """Whether nothing can be written yet; what to do about it is shown."""
    topic = _topic(topic_id)
    n = n_publications(cache.workspace().store, topic_id)
    if n <= topic.n_core:
        st.info(plain(f"{topic_id} has no publications to search in yet: strings are tried on them."))
        draw_import_button("Bring in a corpus", "Corpus")
        return True
    if not topic.n_core:
        st.info(plain(f"{topic_id} has no core publications yet: strings are scored by them."))
        draw_import_button("Bring in core publications", "Core publications")
        return True
    selection = Selection(topic_id, "", read_embedder(topic_id))
    has_vectors = selection.embedder in topic.embedders  # only the view Sort needs a landscape too
    return not ((has_vectors or is_prepared(selection)) and is_indexed(selection))


def _topic(topic_id: str) -> TopicSummary:
    return next(t for t in cache.workspace().topics() if t.topic_id == topic_id)
