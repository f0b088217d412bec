"""Files into a topic, in three steps that stay in sight: where to, which files, and a look before they come in."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dashboard import cache, state
from dashboard.sections.library.brought import draw_brought, draw_others, is_bringing
from dashboard.sections.library.locked import why_locked
from dashboard.sections.library.preview import draw_preview
from dashboard.sections.library.waiting_files import PASTED, Waiting
from dashboard.words import plain
from data.library.tables import Role

CORPUS, VERSION, CORE = "Corpus", "Query version", "Core publications"
ROLES = {
    CORPUS: "What queries are run over: the records of a search, or of a whole database.",
    VERSION: "What one wording of a query retrieved, as it was exported.",
    CORE: "Known important publications: recall is measured against them.",
}
MOST_MB = 500
"""Of one file."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where files go, and as what."""

    topic_id: str
    role: Role
    query_text: str | None = None


def draw_import(topic_id: str | None) -> None:
    """The part of the page."""
    if locked := why_locked():
        st.info(locked, icon=":material/lock:")
        return
    if is_bringing():
        draw_brought()
        return
    draw_others()
    st.subheader("1 Where to, and as what")
    place = _choose_place(topic_id)
    st.subheader("2 Files")
    waiting = _choose_files(state.said("as") == CORE)
    st.subheader("3 Look, and bring them in")
    if not waiting:
        st.caption("What is in the files is shown here before anything comes in.")
    elif place is None:
        st.caption("Complete the first step.")
    else:
        draw_preview(waiting, place.topic_id, place.role, place.query_text)


def _choose_place(topic_id: str | None) -> Place | None:
    left, right = st.columns([0.4, 0.6], gap="large")
    with left:
        chosen = _choose_topic(topic_id)
    with right:
        kind = st.radio(
            "The files are",
            tuple(ROLES),
            key="as",
            bind="query-params",
            captions=list(ROLES.values()),
        )
    if kind == VERSION:
        role, text = _choose_version(chosen, right)
    else:
        role, text = Role("core" if kind == CORE else "corpus"), None
    return Place(chosen, role, text) if chosen and role else None


def _choose_topic(topic_id: str | None) -> str:
    topics = cache.workspace().topics()
    names = [topic.topic_id for topic in topics]
    own = [topic.topic_id for topic in topics if not topic.made_up]
    chosen = st.selectbox(
        "Topic",
        names,
        index=names.index(topic_id) if topic_id in own else None,
        accept_new_options=True,
        placeholder="Choose one, or type a new name",
        help="A field with its core publications. A name that is not in the list makes a new topic.",
        key=f"into-{topic_id}-{state.flag('import')}",
    )
    name = " ".join((chosen or "").split())
    if name and name not in names:
        st.caption("A new topic.")
    return name


def _choose_version(topic_id: str, where: st.delta_generator.DeltaGenerator) -> tuple[Role | None, str | None]:
    rows = cache.workspace().store.versions(topic_id, deleted=True) if topic_id else ()
    there = {row.version.label: row for row in rows}
    number = next(n for n in range(1, len(there) + 2) if f"v{n}" not in there)
    with where:
        typed = st.text_input("Label of the version", key="label", max_chars=80, placeholder=f"v{number}")
        label = " ".join(typed.split()) or f"v{number}"
        text = st.text_area("Its wording, if you have it", key="wording", height=68, placeholder="heat AND trees")
        if label in ("corpus", "core"):
            st.error("A version needs a label other than corpus and core.")
            return None, None
        if label in there and there[label].deleted_at is not None:
            st.error(f"{plain(label)} was deleted: bring it back on the page Versions, or choose another label.")
            return None, None
        if label in there and there[label].over_corpus:
            st.error(f"{plain(label)} was run here: give what the files retrieved another label.")
            return None, None
        if label in there:
            st.caption(f"Adds to version {plain(label)}, which is there already.")
    return Role("version", label), text.strip() or None


def _choose_files(is_core: bool) -> tuple[Waiting, ...]:
    n = state.flag("import")
    files = st.file_uploader(
        "RIS, BibTeX, PubMed, Web of Science, Scopus, Embase, EndNote, CSV, Excel and more",
        accept_multiple_files=True,
        max_upload_size=MOST_MB,
        key=f"files-{n}",
        help="What a file is, is found out from its content; its ending does not matter.",
    )
    waiting = [_uploaded(file) for file in files]
    if is_core:
        pasted = st.text_area(
            "Or paste a list: one DOI, PMID or title a line",
            key=f"pasted-{n}",
            height=120,
            placeholder="10.1000/xyz123\n28449710\nHeat, trees and sleep: a cohort study",
        )
        if pasted.strip():
            data = pasted.encode("utf-8", errors="replace")
            waiting.append(Waiting(f"pasted-{sha256(data).hexdigest()[:16]}", PASTED, lambda: data))
    return tuple(waiting)


def _uploaded(file: UploadedFile) -> Waiting:
    return Waiting(file.file_id, file.name, file.getvalue)
