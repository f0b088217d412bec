"""Library: what the workspace holds, how more gets in, and how it gets out."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import cache, state
from dashboard.components.mount import mount_code
from dashboard.messages import guarded
from dashboard.sections.library.duplicates import draw_duplicates
from dashboard.sections.library.files import draw_files
from dashboard.sections.library.hand_off import draw_hand_off
from dashboard.sections.library.importing import draw_import
from dashboard.sections.library.topics import draw_topics
from dashboard.sections.library.vectors import draw_vectors
from dashboard.words import plain

# Those that need a topic.
PARTS: dict[str, Callable[[str], None]] = {
    "Files": draw_files,
    "Duplicates": draw_duplicates,
    "Vectors": draw_vectors,
    "Hand-off": draw_hand_off,
}
NAMES = ("Topics", "Import", *PARTS)


def render() -> None:
    """The page."""
    st.title("Library")
    mount_code()
    with guarded():
        part = _choose_part()
        _draw(part)
    if note := state.take("library"):
        st.toast(plain(note))


def _choose_part() -> str:
    state.settle("part", NAMES)
    chosen = st.segmented_control(
        "Part of the library", NAMES, key="part", required=True, label_visibility="collapsed", bind="query-params"
    )
    return chosen if chosen in NAMES else NAMES[0]


def _draw(part: str) -> None:
    topic_id = state.read_topic()
    if part == "Topics":
        draw_topics(cache.workspace().topics())
    elif part == "Import":
        draw_import(topic_id)
    elif topic_id is None:
        st.info("This workspace is empty. Bring in files of your own under Import, or build the demo under Topics.")
        st.button("Bring in files", icon=":material/upload_file:", on_click=state.open_part, args=("Import",))
    else:
        PARTS[part](topic_id)


if __name__ == "__main__":
    render()
