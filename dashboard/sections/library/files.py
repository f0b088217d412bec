"""The files of a topic: what came in from each, what they share, and how one goes again."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.records.overlap import Overlap, overlap
from dashboard import cache, state
from dashboard.components.mount import current_theme
from dashboard.figures.upset import upset_figure, upset_rows, upset_words
from dashboard.sections.figure import draw_figure
from dashboard.sections.library.deleting import ask_before_deleting_file
from dashboard.sections.library.locked import why_locked
from dashboard.sections.library.rejected import draw_rejected
from dashboard.sections.library.undecided import draw_undecided
from dashboard.words import many, plain
from data.importers.reading import FORMATS
from data.library.tables import SourceRow, load_sources, publications_by_source, source_names


def draw_files(topic_id: str) -> None:
    """The part of the page."""
    store = cache.workspace().store
    sources = load_sources(store, topic_id)
    if not sources:
        st.info("No file was brought into this topic: what it has came in another way.")
        st.button("Bring in files", icon=":material/upload_file:", on_click=state.open_part, args=("Import",))
        return
    names = source_names(store, topic_id)
    shared = overlap(publications_by_source(store, topic_id))
    _draw_table(sources, names, shared)
    _draw_rejected(sources, names)
    draw_undecided(topic_id, sources)
    _draw_one(topic_id, sources, names)
    if len(sources) > 1:
        _draw_overlap(shared)


def _draw_table(sources: Sequence[SourceRow], names: dict[str, str], shared: Overlap) -> None:
    alone = dict(zip(shared.names, shared.unique, strict=True))
    rows = [
        {
            "File": names[s.source_id],
            "Taken as": str(s.role),
            "Format": _format(s),
            "Encoding": s.encoding or "–",
            "In the file": s.n_in_file,
            "Rejected": s.n_rejected,
            "Publications": s.n_publications,
            "Only here": 100 * alone[names[s.source_id]] / s.n_publications if s.n_publications else None,
        }
        for s in sources
    ]
    share = st.column_config.NumberColumn(format="%.0f %%", help="Share of its publications that no other file has.")
    count = st.column_config.NumberColumn(format="localized")
    counted = dict.fromkeys(("In the file", "Rejected", "Publications"), count)
    st.dataframe(rows, hide_index=True, column_config={"Only here": share, **counted})


def _format(source: SourceRow) -> str:
    return FORMATS[source.format_id].label if source.format_id in FORMATS else source.format_id or "–"


def _draw_rejected(sources: Sequence[SourceRow], names: dict[str, str]) -> None:
    n = sum(s.n_rejected for s in sources)
    listed = [(names[s.source_id], *place) for s in sources for place in s.report.rejected]
    if not n:
        return
    n_files = sum(s.n_rejected > 0 for s in sources)
    words = f"{many(n, 'record')} of {many(n_files, 'file')} rejected: where and why"
    with st.expander(words, icon=":material/warning:"):
        draw_rejected(listed)


def _draw_one(topic_id: str, sources: Sequence[SourceRow], names: dict[str, str]) -> None:
    by_id = {s.source_id: s for s in sources}
    locked = why_locked()
    with st.expander("One file: what was left out or assumed, and deleting it"):
        chosen = st.selectbox("File", list(by_id), format_func=lambda i: names[i], key=f"one-file-{topic_id}")
        source = by_id[chosen]
        report = source.report
        for note in report.notes:
            st.caption(f":material/info: {plain(note[:1].upper() + note[1:])}")
        if report.unused:
            st.markdown("**Not taken over**, because Queryscape has no field for it")
            rows = [{"Tag or column": name, "Records that have it": n} for name, n in report.unused]
            st.dataframe(rows, hide_index=True)
        if source.n_rejected:
            st.caption(f":material/warning: {many(source.n_rejected, 'record')} rejected: listed above.")
        elif not (report.notes or report.unused):
            st.caption("Everything came in, and nothing had to be assumed.")
        help_ = locked or "Asks once more, and says what goes with it."
        if st.button(
            "Delete this file …", key="delete-file", disabled=bool(locked), help=help_, icon=":material/delete:"
        ):
            ask_before_deleting_file(topic_id, source)


def _draw_overlap(shared: Overlap) -> None:
    st.subheader("What the files share")
    draw_figure(
        upset_figure(shared, theme=current_theme()),
        key="upset",
        name="What the files share",
        reading=f"{upset_words(shared).reading[:1].lower()}{upset_words(shared).reading[1:]}.",
        rows=upset_rows(shared),
    )
    with st.expander("Every two files"):
        st.caption("Publications that two files have both; on the diagonal, those of the file.")
        columns = [f"{n} {name}" for n, name in enumerate(shared.names, start=1)]
        rows = [
            {"File": name, **dict(zip(columns, row, strict=True))}
            for name, row in zip(columns, shared.shared, strict=True)
        ]
        st.dataframe(rows, hide_index=True)
