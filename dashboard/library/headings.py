"""The Library's view Headings: the subject headings of the core set, as a grid with shared ones first."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.library.headings import HeadingGrid, HeadingIndex
from core.library.mesh import MeshThesaurus, heading_key
from core.protocols import OnProgress
from core.query.match import of_rows
from core.query.parser import parse
from core.query.suggestions import suggest_headings
from core.text import cut_to, listed, many
from core.types import Ids
from dashboard import cache
from dashboard.library.reference_files import ReferenceFile, ReferenceImport, draw_reference_upload
from dashboard.query.mesh import import_lines
from dashboard.words import plain
from data.files import WorkspacePaths
from data.query.index import CorpusIndex
from data.query.mesh import bring_mesh, core_grid
from data.query.search import dialect_of, semantics_of

MOST_COLUMNS = 40
"""Headings in the grid; the list below it has all."""
LONGEST_TITLE = 90
MARKS = {"": "", "yes": "•", "major": "★"}
NO_FILE = (
    "No MeSH file is loaded, so headings match by name, without narrower ones. Load NLM's file once, here or with "
    "`queryscape get mesh --from FILE`."
)


def _bring(paths: WorkspacePaths, file: Path, may_replace: bool, on_progress: OnProgress) -> ReferenceImport:
    brought = bring_mesh(paths, str(file), replace=may_replace, how_to_replace="tick Replace", on_progress=on_progress)
    return ReferenceImport(" ".join(import_lines(brought)), brought.notes)


MESH_FILE = ReferenceFile(
    "mesh",
    "Load a MeSH file",
    "MeSH file of NLM",
    "Choose NLM's descriptor file of a year: desc2025.gz (about 20 MB; unpacked it is desc2025.xml with 300 MB) or "
    "d2025.bin. The tree file mtrees2025.bin has no entry terms or years. Files of the same year add to each other.",
    _bring,
    replace="Replace a file of another year, and allow one that is cut off",
)


def draw_headings(topic_id: str) -> None:
    workspace = cache.workspace()
    with st.spinner("Indexing the publications"):
        corpus = workspace.corpora.of(topic_id)
        carried, mesh = corpus.headings, corpus.mesh
    core_ids = workspace.store.load_core(topic_id).ids
    st.caption(NO_FILE if mesh is None else _about(mesh))
    draw_reference_upload(MESH_FILE)
    if carried is None or not carried.n_publications:
        st.info(
            "No record of this topic carries subject headings. Import records from PubMed (nbib or XML) or from Ovid "
            "(RIS with subject headings)."
        )
        return
    if not core_ids:
        st.info("This topic has no core publications. Import them under Import, as the core.")
        return
    grid = core_grid(corpus, core_ids)
    if not grid.rows:
        st.info("No core publication carries subject headings.")
        return
    titles = {p.publication_id: p.title for p in workspace.publications(core_ids)}
    st.subheader("Headings of the core publications")
    st.caption("★ major topic, • other heading. Headings that most core publications share come first.")
    _draw_grid(grid, titles)
    if grid.without:
        st.caption(f"{many(len(grid.without), 'core publication')} without headings are not shown.")
    st.subheader("All headings of the core set")
    _draw_list(grid, carried, mesh)
    if mesh is not None:
        _draw_suggestions(topic_id, corpus, mesh, core_ids)


def _about(mesh: MeshThesaurus) -> str:
    terms = (
        "" if mesh.has_entry_terms else " It has no entry terms or years: load the descriptor file of the same year."
    )
    return f"{mesh.label}: {many(len(mesh.headings), 'heading')}, from {plain(listed(mesh.sources))}.{terms}"


def _draw_grid(grid: HeadingGrid, titles: dict[str, str]) -> None:
    columns = grid.columns[:MOST_COLUMNS]
    rows = [
        {
            "Publication": cut_to(titles.get(publication_id) or publication_id, LONGEST_TITLE),
            **{column.name: MARKS[cell] for column, cell in zip(columns, cells, strict=False)},
        }
        for publication_id, cells in grid.rows
    ]
    st.dataframe(
        rows, hide_index=True, column_config={"Publication": st.column_config.Column(pinned=True, width="large")}
    )


def _draw_list(grid: HeadingGrid, carried: HeadingIndex, mesh: MeshThesaurus | None) -> None:
    rows = []
    for column in grid.columns:
        known = mesh.find(column.name) if mesh else None
        exploded = mesh.exploded(column.name) if mesh else {heading_key(column.name)}
        rows.append(
            {
                "Heading": column.name,
                "Core": column.n_publications,
                "Core, as major topic": column.n_major,
                "All publications": len(set(carried.rows({heading_key(column.name)}).tolist())),
                **({"Exploded": len(set(carried.rows(exploded).tolist()))} if mesh else {}),
                **({"Places": "; ".join(known.places) if known else "not in this file"} if mesh else {}),
            }
        )
    st.dataframe(rows, hide_index=True)


def _draw_suggestions(topic_id: str, corpus: CorpusIndex, mesh: MeshThesaurus, core_ids: Ids) -> None:
    """Suggest entry terms and headings for a version's search string."""
    versions = {row.version.label: row.version for row in cache.workspace().store.versions(topic_id)}
    written = {label: version for label, version in versions.items() if version.text.strip()}
    if not written:
        return
    st.subheader("Suggestions for a search string")
    label = st.selectbox("Query version", list(written), key=f"headings-version-{topic_id}")
    version = written[label]
    core_rows = of_rows(corpus.rows_of_ids(core_ids), len(corpus.ids))
    parsed = parse(version.text, dialect_of(version))
    found = suggest_headings(parsed, mesh, corpus, semantics_of(version), core_rows)
    if not found:
        st.caption("No entry terms or headings to add.")
        return
    st.caption("Entry terms to search as text words, and headings for the text words of the search string.")
    rows = [{"Add": s.text, "As": s.kind, "For": s.reason, "Publications": s.n_hits, "Core": s.n_core} for s in found]
    st.dataframe(rows, hide_index=True)
