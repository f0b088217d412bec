"""What is in the files, before anything comes in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.records.cleaning import Record
from dashboard.sections.library.brought import start_bringing
from dashboard.sections.library.mapping import draw_mapping
from dashboard.sections.library.rejected import draw_rejected
from dashboard.sections.library.waiting_files import PASTED, Waiting, looked_at, reading_job
from dashboard.sections.waiting import how_it_ended, watch
from dashboard.words import many, plain
from data.importers.reading import FORMATS
from data.importers.source import FileReading
from data.library.bringing import ANYBODYS, Choices, Looked
from data.library.tables import Role

LISTS = ("identifiers", "titles")
FEW = 12
"""So many rejected records are shown at once."""
FIRST = 5


def draw_preview(waiting: Sequence[Waiting], topic_id: str, role: Role, query_text: str | None) -> None:
    """Each file, and the button that brings them in."""
    job = reading_job(waiting, role)
    if job is not None and not job.finished:
        if job.is_over:
            how_it_ended(job)
        else:
            watch(job)
        return
    looked = looked_at(waiting, role)
    ready = [(found.reading, f.choices) for f in waiting if (found := looked.get(f.file_id)) and found.reading]
    files = [(reading, choices) for reading, choices in ready if _is_complete(reading, choices, role)]
    n = sum(_n_records(reading, choices) for reading, choices in files)
    label = f"Bring {many(n, 'record')} into {plain(topic_id)}" if files else "Nothing to bring in yet"
    with st.container(horizontal=True, vertical_alignment="center"):
        wanted = st.button(label, key="bring", type="primary", disabled=not files, icon=":material/library_add:")
        if len(files) < len(waiting):
            st.markdown(f":material/warning: {many(len(waiting) - len(files), 'file')} will not come in: see below.")
    if wanted:
        start_bringing(topic_id, role, files, query_text)
        st.rerun()
    for file in waiting:
        if file.file_id in looked:
            _draw_file(file, looked[file.file_id], role)


def _is_complete(reading: FileReading, choices: Choices, role: Role) -> bool:
    queries = {record.query_id for record in reading.records if record.query_id}
    return bool(reading.records) and (len(queries) < 2 or role.kind == "corpus" or choices.query_id in queries)


def _n_records(reading: FileReading, choices: Choices) -> int:
    if choices.query_id is None:
        return len(reading.records)
    return sum(record.query_id == choices.query_id for record in reading.records)


def _draw_file(file: Waiting, looked: Looked, role: Role) -> None:
    with st.container(border=True, gap="xsmall"):
        if looked.reading is None:
            _draw_mistake(file, looked)
            return
        reading = looked.reading
        _head(file, reading)
        _ask_query(file, looked, role)
        if reading.n_included and role.kind != "core":
            st.checkbox(
                f"{many(reading.n_included, 'record')} are labelled as included: take them as core publications",
                key=f"included-{file.file_id}",
            )
        if reading.rejected:
            few = len(reading.rejected) <= FEW
            words = f"{many(len(reading.rejected), 'record')} will not come in: where and why"
            with st.expander(words, expanded=few, icon=":material/warning:", type="compact"):
                draw_rejected([(None, r.record, r.line, r.reason) for r in reading.rejected])
        with st.expander("Look inside, or choose another format", type="compact"):
            _records(reading)
            _more(file, reading)
        if looked.proposal and reading.format_id in ANYBODYS:
            with st.expander("What its columns hold", type="compact"):
                draw_mapping(file.file_id, looked.proposal)


def _draw_mistake(file: Waiting, looked: Looked) -> None:
    st.markdown(f"**{plain(file.name)}**")
    if looked.proposal:
        st.info("A table whose columns nobody knows: say what they hold.", icon=":material/table:")
        draw_mapping(file.file_id, looked.proposal)
        _more_formats(file)
        return
    message = looked.mistake[:1].upper() + looked.mistake[1:]
    st.error(plain(message.split(", or choose a format with")[0] + "."), icon=":material/block:")
    _more_formats(file)


def _more_formats(file: Waiting) -> None:
    with st.expander("Is it something else? Choose its format", type="compact"):
        _more(file, None)


def _head(file: Waiting, reading: FileReading) -> None:
    form = FORMATS[reading.format_id].label
    counts = f"{reading.records_in_file:,} in the file · {len(reading.records):,} read · "
    rejected = f"{len(reading.rejected):,} rejected"
    counts += f"**{rejected}**" if reading.rejected else rejected
    st.markdown(f"**{plain(file.name)}** · {plain(form)}, {plain(reading.encoding)} · {counts}")
    if not reading.records:
        st.warning("There is no record in it.", icon=":material/warning:")
    if reading.format_id in LISTS and file.name != PASTED:
        st.caption(":material/info: Read as a plain list, an entry a line. Is it a table? Choose its format below.")
    for note in reading.notes[:6]:
        st.caption(f":material/info: {plain(note[:1].upper() + note[1:])}")
    if len(reading.notes) > 6:
        st.caption(f"and {many(len(reading.notes) - 6, 'more note')}")


def _ask_query(file: Waiting, looked: Looked, role: Role) -> None:
    queries = looked.query_ids
    if len(queries) > 1 and role.kind != "corpus":
        st.selectbox(f"It holds {len(queries):,} queries: which one?", queries, index=None, key=f"query-{file.file_id}")


def _records(reading: FileReading) -> None:
    if reading.records:
        st.caption(f"The first {many(min(FIRST, len(reading.records)), 'record')}")
        st.dataframe([record_row(record) for record in reading.records[:FIRST]], hide_index=True)


def record_row(record: Record) -> dict[str, Any]:
    """A record as a line of a table."""
    return {
        "Title": record.title or "–",
        "Year": str(record.year or "–"),
        "First author": record.authors[0] if record.authors else "–",
        "DOI": record.doi or "–",
        "Abstract": many(len(record.abstract), "character") if record.abstract else "none",
    }


def _more(file: Waiting, reading: FileReading | None) -> None:
    if reading is not None and reading.unused:
        unused = plain(", ".join(f"{name} ({n:,})" for name, n in reading.unused.items()))
        st.caption(f"Not taken over, and in how many records: {unused}")
    st.selectbox(
        "Format",
        [None, *FORMATS],
        format_func=lambda form: FORMATS[form].label if form else "Found out from the content",
        key=f"format-{file.file_id}",
    )
