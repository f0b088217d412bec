"""The Library page, with the lists of topics and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.library.overlap import SourceYield, overlap, shared_by
from core.text import many, upper_first
from core.types import Ids
from dashboard import cache, state
from dashboard.kit.components import choose_view, current_theme, draw_figure, draw_page
from dashboard.kit.figures import upset_figure, upset_rows, upset_words
from dashboard.kit.publication_lists import PublicationGroup, draw_table, upset_group, upset_row_group
from dashboard.library.duplicates import draw_duplicates
from dashboard.library.embeddings import draw_vectors
from dashboard.library.export import draw_hand_off
from dashboard.library.headings import draw_headings
from dashboard.library.imports import draw_import, draw_rejected, draw_undecided
from dashboard.library.retractions import draw_retracted, draw_retraction_watch
from dashboard.library.roles import draw_role, draw_role_change
from dashboard.library.searches import draw_searches
from dashboard.messages import is_deleted
from dashboard.status import why_locked
from dashboard.welcome import draw_demo_button, draw_litqeval_form, open_loaded
from dashboard.words import plain
from data.demo.loading import n_missing_demo_topics
from data.importers.reading import FORMATS
from data.library.filing import delete_source, delete_topic, delete_version
from data.library.records import (
    SourceRow,
    load_sources,
    n_only_here,
    n_only_in_source,
    publications_by_source,
    source_names,
    source_publications,
    source_yields,
    topic_sizes,
)
from data.lookup import TopicSummary
from data.store import VersionRow

# Confirmation before deleting, which shows exactly what will be deleted.


def ask_before_deleting(topic_id: str, label: str | None) -> None:
    if label is None:
        _topic_dialog(topic_id)
    else:
        _version_dialog(topic_id, label)


@st.dialog("Delete this topic?")
def _topic_dialog(topic_id: str) -> None:
    workspace = cache.workspace()
    n_files = topic_sizes(workspace.store)[topic_id].n_files
    n_versions = len(workspace.store.versions(topic_id, deleted=True))
    st.markdown(f"This deletes **{plain(topic_id)}** and:")
    st.markdown(
        f"- {many(n_only_here(workspace.store, topic_id), 'publication')} that no other topic has\n"
        f"- {many(n_versions, 'query version')} and {'its' if n_versions == 1 else 'their'} results\n"
        f"- {many(n_files, 'file')} with all records, the topic's own vectors and its landscapes"
    )
    _confirm(lambda: delete_topic(workspace, topic_id), f"{topic_id} deleted.")


@st.dialog("Delete this version?")
def _version_dialog(topic_id: str, label: str) -> None:
    workspace = cache.workspace()
    row = next(row for row in workspace.store.versions(topic_id, deleted=True) if row.version.label == label)
    files = [s for s in load_sources(workspace.store, topic_id) if s.role.label == label and s.content_hash]
    st.markdown(f"This deletes **{plain(label)}** of {plain(topic_id)} and:")
    lines = [f"- its search string and results ({many(row.n_retrieved or 0, 'publication')})"]
    lines += [f"- {many(len(files), 'file')} that it was imported from, and publications found only in them"] * bool(
        files
    )
    st.markdown("\n".join(lines))
    _confirm(lambda: delete_version(workspace, topic_id, label), f"Version {label} deleted.")


@st.dialog("Delete this file?")
def ask_before_deleting_file(topic_id: str, source: SourceRow) -> None:
    workspace = cache.workspace()
    st.markdown(f"This deletes **{plain(source.name)}** ({plain(str(source.role))}) from {plain(topic_id)} and:")
    n_alone = n_only_in_source(workspace.store, topic_id, source.source_id)
    st.markdown(
        f"- {many(source.n_records, 'record')}\n- {many(n_alone, 'publication')} that no other file of this topic has"
    )
    st.caption("Publications that are also in other files stay, as those files describe them.")
    _confirm(lambda: delete_source(workspace, topic_id, source.source_id), f"{source.name} deleted.")


def _confirm(delete: Callable[[], None], done: str) -> None:
    if is_deleted(delete):
        _look_elsewhere()
        state.say_once("library", done)
        st.rerun()


def _look_elsewhere() -> None:
    selection = state.read_selection()
    topics = {topic.topic_id: topic for topic in cache.workspace().topics()}
    if topics and state.read_topic() not in topics:
        state.choose_topic_next(next(iter(topics)))
    elif selection is not None and selection.topic_id in topics:
        run = [row.version.label for row in topics[selection.topic_id].versions if row.n_retrieved is not None]
        if run and selection.label not in run:
            state.choose_version_next(run[0])


# The files of a topic: their records, their overlap, and deletion.


def draw_files(topic_id: str) -> None:
    store = cache.workspace().store
    sources = load_sources(store, topic_id)
    if not sources:
        st.info("No files were imported into this topic. Its publications come from elsewhere.")
        st.button("Import files", icon=":material/upload_file:", on_click=state.open_part, args=("Import",))
        return
    names = source_names(store, topic_id)
    by_source = publications_by_source(store, topic_id)
    draw_role_change(topic_id)
    _draw_table(topic_id, sources, names, by_source)
    _draw_rejected(sources, names)
    draw_retracted(topic_id)
    draw_retraction_watch()
    draw_undecided(topic_id, sources)
    _draw_one(topic_id, sources, names)
    if len(by_source) > 1:
        _draw_overlap(by_source)


def _draw_table(
    topic_id: str, sources: Sequence[SourceRow], names: dict[str, str], by_source: Mapping[str, Ids]
) -> None:
    store = cache.workspace().store
    found, core_ids = source_yields(store, topic_id), store.load_core_ids(topic_id)
    yield_of = {each.name: each for each in found}
    rows: list[dict[str, Any]] = [
        {
            "File": names[s.source_id],
            "Role": str(s.role),
            "Format": _format(s),
            "Encoding": s.encoding or "–",
            "In the file": s.n_in_file,
            "Rejected": s.n_rejected,
            "Publications": s.n_publications,
            **_yield_cells(yield_of.get(names[s.source_id])),
        }
        for s in sources
    ]
    count = st.column_config.NumberColumn(format="localized")
    shares = {
        name: st.column_config.NumberColumn(format="%.1f %%", help=meaning)
        for name, meaning in (("Recall", "Share of the core publications in the file."), ("Precision", PRECISION))
    }
    counts = dict.fromkeys(
        ("In the file", "Rejected", "Publications", "Only here", "Core found", "Core only here"), count
    )

    def group_of(row: int, column: str) -> PublicationGroup | None:
        source = sources[row]
        if not source.role.is_search and column == "Publications":
            ids: Ids | None = source_publications(store, topic_id)[source.source_id]
        else:
            ids = counted_in(by_source, names[source.source_id], column, core_ids)
        return None if ids is None else PublicationGroup(f"{names[source.source_id]}, {column.lower()}", ids)

    draw_table(rows, group_of, key=f"files-{topic_id}", column_config={**counts, **shares})
    if found and not all(s.role.is_search for s in sources):
        st.caption("Lists of core, screened and included publications are not search results: they are not compared.")


def counted_in(by_source: Mapping[str, Ids], name: str, column: str, core_ids: Ids) -> Ids | None:
    """Return the publications counted by a cell of the table; None: it counts none, or those of the core file."""
    if name not in by_source:
        return None
    core = frozenset(core_ids)
    alone = shared_by(by_source, [name], no_other=True)
    return {
        "Publications": by_source[name],
        "Only here": alone,
        "Core found": tuple(i for i in by_source[name] if i in core),
        "Core only here": tuple(i for i in alone if i in core),
    }.get(column)


PRECISION = "Share of its publications that are core publications."


def _yield_cells(found: SourceYield | None) -> dict[str, float | None]:
    """Return the cells of a file's yield; empty for the file of the core publications."""
    if found is None:
        return {}
    return {
        "Only here": found.n_unique,
        "Core found": found.n_core,
        "Core only here": found.n_core_unique,
        "Recall": None if found.recall is None else 100 * found.recall,
        "Precision": None if found.precision is None else 100 * found.precision,
    }


def _format(source: SourceRow) -> str:
    return FORMATS[source.format_id].label if source.format_id in FORMATS else source.format_id or "–"


def _draw_rejected(sources: Sequence[SourceRow], names: dict[str, str]) -> None:
    n = sum(s.n_rejected for s in sources)
    listed = [(names[s.source_id], *place) for s in sources for place in s.report.rejected]
    if not n:
        return
    n_files = sum(s.n_rejected > 0 for s in sources)
    words = f"{many(n, 'record')} of {many(n_files, 'file')} rejected: lines and reasons"
    with st.expander(words, icon=":material/warning:"):
        draw_rejected(listed)


def _draw_one(topic_id: str, sources: Sequence[SourceRow], names: dict[str, str]) -> None:
    by_number = {s.number: s for s in sources}  # the id depends on the role
    locked = why_locked()
    with st.expander("File details, role and deletion"):
        chosen = st.selectbox(
            "File",
            list(by_number),
            format_func=lambda number: names[by_number[number].source_id],
            key=f"one-file-{topic_id}",
        )
        source = by_number[chosen]
        report = source.report
        for note in report.notes:
            st.caption(f":material/info: {plain(upper_first(note))}")
        if report.unused:
            st.markdown("**Not imported**, because Queryscape has no field for it")
            rows = [{"Tag or column": name, "Records": n} for name, n in report.unused]
            st.dataframe(rows, hide_index=True)
        if source.n_rejected:
            st.caption(f":material/warning: {many(source.n_rejected, 'record')} rejected: listed above.")
        elif not (report.notes or report.unused):
            st.caption("Everything was imported without assumptions.")
        help_ = locked or "Shows what else will be deleted and asks for confirmation."
        if source.content_hash is not None:
            draw_role(topic_id, source, _look_elsewhere)
        if st.button(
            "Delete this file …", key="delete-file", disabled=bool(locked), help=help_, icon=":material/delete:"
        ):
            ask_before_deleting_file(topic_id, source)


def _draw_overlap(by_source: Mapping[str, Ids]) -> None:
    shared = overlap(by_source)
    st.header("Overlap of the files")
    draw_figure(
        upset_figure(shared, theme=current_theme()),
        key="upset",
        name="Overlap of the files",
        reading=f"{upset_words(shared).reading[:1].lower()}{upset_words(shared).reading[1:]}.",
        rows=upset_rows(shared),
        group_of=lambda point: upset_group(by_source, shared, point),
        group_of_row=lambda row, _: upset_row_group(by_source, shared, row),
    )
    with st.expander("Pairs of files"):
        st.caption("Publications in both files; on the diagonal, all publications of the file.")
        columns = [f"{n} {name}" for n, name in enumerate(shared.names, start=1)]
        rows = [
            {"File": name, **dict(zip(columns, row, strict=True))}
            for name, row in zip(columns, shared.shared, strict=True)
        ]

        def group_of(row: int, column: str) -> PublicationGroup | None:
            if column not in columns:
                return None
            both = dict.fromkeys((shared.names[row], shared.names[columns.index(column)]))
            return PublicationGroup(" and ".join(both), shared_by(by_source, tuple(both), no_other=False))

        draw_table(rows, group_of, key="shared-files")


# All topics: their contents, deletion, and importing ready-made topics.

WHOLE = "The whole topic"


def draw_topics(topics: Sequence[TopicSummary]) -> None:
    if topics:
        _topics_draw_table(topics)
        _draw_deleting(topics)
    else:
        st.info("This workspace is empty. Import your own files, build the demo or load LitQEval to start.")
        st.button("Import files", icon=":material/upload_file:", on_click=state.open_part, args=("Import",))
    litqeval, demo = st.columns(2, gap="large")
    with litqeval:
        st.header("LitQEval")
        st.write("21 research fields with their core publications and queries.")
        draw_litqeval_form()
    if n_missing_demo_topics(cache.workspace()):
        with demo:
            st.header("Demo data")
            st.write("Three topics with four query versions each.")
            draw_demo_button("Add the demo data", is_first=not topics)


def _topics_draw_table(topics: Sequence[TopicSummary]) -> None:
    sizes = topic_sizes(cache.workspace().store)
    any_made_up = any(topic.made_up for topic in topics)
    topics = [topic for topic in topics if topic.topic_id in sizes]
    rows = [
        {
            "Topic": topic.topic_id,
            "Publications": sizes[topic.topic_id].n_publications,
            "Core": topic.n_core,
            "Query versions (retrieved)": ", ".join(f"{label} ({n:,})" for label, n in _retrieved(topic)) or "–",
            "Files": sizes[topic.topic_id].n_files,
            "Embedders": ", ".join(topic.embedders) or "–",
        }
        | ({"Demo data": "yes" if topic.made_up else "no"} if any_made_up else {})
        for topic in topics
    ]
    count = st.column_config.NumberColumn(format="localized")
    draw_table(
        rows,
        lambda row, column: topic_group(topics[row].topic_id, column),
        key="all-topics",
        hint="Click a count to list its publications. Query versions are below.",
        column_config=dict.fromkeys(("Publications", "Core", "Files"), count),
    )
    versions = [
        {"Topic": topic.topic_id, "Version": label, RETRIEVED: n} for topic in topics for label, n in _retrieved(topic)
    ]
    if not versions:
        return
    with st.expander("Query versions"):

        def group_of(row: int, column: str) -> PublicationGroup | None:
            topic_id, label = str(versions[row]["Topic"]), str(versions[row]["Version"])
            return version_group(topic_id, label) if column == RETRIEVED else None

        draw_table(versions, group_of, key="topic-versions", column_config={RETRIEVED: count})


RETRIEVED = "Retrieved"


def topic_group(topic_id: str, column: str) -> PublicationGroup | None:
    """Return the publications counted by a cell of the table of topics; None: it counts none."""
    load = {
        "Publications": cache.workspace().store.topic_publication_ids,
        "Core": cache.workspace().store.load_core_ids,
    }.get(column)
    return None if load is None else PublicationGroup(f"{topic_id}, {column.lower()}", load(topic_id))


def version_group(topic_id: str, label: str) -> PublicationGroup:
    query_id = cache.workspace().version(topic_id, label).version.query_id
    ids = cache.workspace().store.load_retrieved_ids(query_id)
    return PublicationGroup(f"{topic_id}, retrieved by version {label}", ids)


def _retrieved(topic: TopicSummary) -> list[tuple[str, int]]:
    """Return the number of publications that each version retrieved, of those that were run."""
    return [(v.version.label, v.n_retrieved) for v in topic.versions if v.n_retrieved is not None]


def _called(row: VersionRow) -> str:
    return f"Version {row.version.label}" + (" (deleted, can be restored)" if row.deleted_at is not None else "")


def _draw_deleting(topics: Sequence[TopicSummary]) -> None:
    by_id = {topic.topic_id: topic for topic in topics}
    locked = why_locked()
    with st.expander("Delete a topic or a version"), st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = state.read_topic()
        names = list(by_id)
        place = names.index(chosen) if chosen in by_id else 0
        topic_id = st.selectbox("Topic to delete from", names, index=place)
        rows = cache.workspace().store.versions(topic_id, deleted=True)
        labels = [row.version.label for row in rows]
        place = st.selectbox(
            "What to delete",
            range(len(labels) + 1),
            format_func=lambda i: _called(rows[i - 1]) if i else WHOLE,
            help="Deletion is permanent. A version deleted on the page Versions can be restored there, under History.",
            key=f"delete-what-{topic_id}",
        )
        if st.button("Delete …", key="delete", disabled=bool(locked), help=locked, icon=":material/delete:"):
            ask_before_deleting(topic_id, labels[place - 1] if place else None)


# Library: the contents of the workspace, import and export.

# Parts that need a topic.
PARTS: dict[str, Callable[[str], None]] = {
    "Files": draw_files,
    "Searches": draw_searches,
    "Duplicates": draw_duplicates,
    "Headings": draw_headings,
    "Vectors": draw_vectors,
    "Export": draw_hand_off,
}
NAMES = ("Topics", "Import", *PARTS)


def render() -> None:
    draw_page("Library", _draw, notes="library")


def _draw() -> None:
    open_loaded()
    part, topic_id = choose_view(NAMES, "part", "Part of the library"), state.read_topic()
    if part == "Topics":
        draw_topics(cache.workspace().topics())
    elif part == "Import":
        draw_import(topic_id)
    elif topic_id is None:
        st.info("This workspace is empty. Import your own files under Import, or build the demo under Topics.")
        st.button("Import files", icon=":material/upload_file:", on_click=state.open_part, args=("Import",))
    else:
        PARTS[part](topic_id)


if __name__ == "__main__":
    render()
