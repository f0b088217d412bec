"""Import files into a topic: destination, files, preview, column mapping and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import QueryscapeError
from core.library.duplicates import CoreMatch, Status
from core.library.labels import PHASES, label_words
from core.library.records import Record
from core.protocols import OnStage
from core.text import listed, many, upper_first
from core.types import Ids, unique_ids
from dashboard import cache, state
from dashboard.cache import ImportDesk
from dashboard.jobs import Job
from dashboard.kit.publication_lists import PublicationGroup, draw_table
from dashboard.library.details import kind_and_status
from dashboard.status import JobFamily, how_it_ended, watch, why_locked
from dashboard.visits import upload_limit
from dashboard.words import plain
from data.importers.reading import FORMATS
from data.importers.source import FileReading, ReadOptions
from data.importers.table_formats import ColumnProposal
from data.library.imports import (
    ANYBODYS,
    FileUpload,
    ImportChoices,
    ImportPreview,
    ImportReport,
    asked_for,
    bring_prepared,
    choose_core,
    look_at,
)
from data.library.records import RESERVED, RoleKind, SourceRole, SourceRow, load_sources, n_publications
from data.library.searches import load_searches, names_a_list
from data.store import content_hash

MOST_REJECTED = 500

Rejected = tuple[str | None, int | None, int | None, str]
"""File name if there are several files, number of the record, its line, and the reason."""


def draw_rejected(rejected: Sequence[Rejected]) -> None:
    rows: list[dict[str, str | int | None]] = [
        {"File": name, "Line": line, "Record": record, "Reason": upper_first(why)}
        for name, record, line, why in rejected[:MOST_REJECTED]
    ]
    columns = ("File", "Line", "Record", "Reason") if rejected and rejected[0][0] else ("Line", "Record", "Reason")
    number = st.column_config.NumberColumn(format="localized", width="small")
    config = {"Line": number, "Record": number, "Reason": st.column_config.Column(width="large")}
    st.dataframe(rows, hide_index=True, column_config=config, column_order=columns)
    if len(rejected) > MOST_REJECTED:
        st.caption(f"and {len(rejected) - MOST_REJECTED:,} more")


# Ambiguous entries of core lists, for which a person chooses the publication.

MOST_LISTED = 50


def draw_undecided(topic_id: str, sources: Iterable[SourceRow]) -> None:
    waiting = [(source, wanted, ids) for source in sources for wanted, ids in source.report.ambiguous]
    if not waiting:
        return
    shown = waiting[:MOST_LISTED]
    told = headlines([i for _, _, ids in shown for i in ids])
    st.markdown(f"**Entries that match several publications: {len(waiting):,}.** Choose the right one:")
    for n, (source, wanted, ids) in enumerate(shown):
        with st.container(border=True, gap="xsmall"):
            st.markdown(f"{plain(wanted)}  \n:small[:gray[{plain(source.name)}]]")
            _draw_choices(topic_id, source.source_id, wanted, ids, told, n)
    if len(waiting) > MOST_LISTED:
        st.caption(f"and {len(waiting) - MOST_LISTED:,} more after these")


def _draw_choices(
    topic_id: str, source_id: str, wanted: str, ids: Sequence[str], told: dict[str, str], place: int
) -> None:
    locked = why_locked()
    for candidate in ids:
        if st.button(
            plain(told[candidate]),
            key=f"choose-{place}-{source_id}-{candidate}",
            icon=":material/flag:",
            disabled=bool(locked),
            help=locked,
        ):
            _choose(topic_id, source_id, wanted, candidate)


def headlines(publication_ids: Iterable[str]) -> dict[str, str]:
    """Return title, year and DOI in one line, which distinguishes identical titles."""
    ids = unique_ids(publication_ids)
    told = cache.workspace().store.headlines(ids)
    return {
        i: f"{title or 'No title'} ({int(year) or 'no year'}) · {doi or i}"
        for i, title, year, doi in zip(ids, told.titles, told.years, told.dois, strict=True)
    }


def _choose(topic_id: str, source_id: str, wanted: str, publication_id: str) -> None:
    try:
        choose_core(cache.workspace(), topic_id, source_id, wanted, publication_id)
    except QueryscapeError as e:
        st.error(plain(str(e)))
        return
    state.say_once("library", "Added as a core publication.")
    st.rerun()


# The next step for a topic, in one line with a link.


def draw_next(topic_id: str) -> None:
    topic = next((t for t in cache.workspace().topics() if t.topic_id == topic_id), None)
    if topic is None:
        return
    has_run = any(row.n_retrieved is not None for row in topic.versions)
    with st.container(horizontal=True, vertical_alignment="center"):
        if not topic.n_core:
            st.markdown("Next: import core publications, so that recall can be measured.")
            _button("Import core publications", "Core publications")
        elif n_publications(cache.workspace().store, topic_id) <= topic.n_core and not has_run:
            st.markdown("Next: import a corpus to search.")
            _button("Import a corpus", "Corpus")
        elif has_run:
            st.markdown("Next: see what the query finds.")
            if st.button("Open the Workbench", key="next-workbench", type="primary", icon=":material/travel_explore:"):
                st.switch_page("workbench/page.py", query_params={})
        else:
            st.markdown("Next: type a first query.")
            if st.button("Type a query", key="next-query", type="primary", icon=":material/manage_search:"):
                st.switch_page("workbench/page.py", query_params={})
        if lacking := [search for search in load_searches(cache.workspace().store, topic_id) if not search.text]:
            st.button(
                "Complete the searches",
                key="next-searches",
                icon=":material/manage_search:",
                help=f"For the record of a review: {many(len(lacking), 'search')} without a search string.",
                on_click=state.open_part,
                args=("Searches",),
            )


def _button(label: str, role: str) -> None:
    st.button(label, key=f"next-{role}", type="primary", icon=":material/upload_file:", on_click=_again, args=(role,))


def _again(role: str) -> None:
    state.raise_flag("import")
    state.open_part("Import", role)


# Mapping of a table's columns, if they are not recognised.

FIELDS = {
    "title": "Title",
    "abstract": "Abstract",
    "year": "Year",
    "doi": "DOI",
    "pmid": "PMID",
    "authors": "Authors",
    "venue": "Journal",
    "keywords": "Keywords",
    "own_id": "ID in the source",
    "included": "Included or not",
}
NONE = "–"


def draw_mapping(file_id: str, proposal: ColumnProposal) -> None:
    before = state.read_columns(file_id) or proposal.mapping
    options = [NONE, *dict.fromkeys(proposal.columns)]
    with st.form(f"columns-form-{file_id}", border=False):
        st.caption("Map the columns. A title, DOI or PMID is required.")
        places = st.columns(2)
        chosen = {}
        for n, (field, label) in enumerate(FIELDS.items()):
            column = before.get(field, NONE)
            with places[n % 2]:
                chosen[field] = st.selectbox(
                    label,
                    options,
                    index=options.index(column) if column in options else 0,
                    key=f"column-{field}-{file_id}",
                )
        rows = [dict(zip(proposal.columns, row, strict=True)) for row in proposal.sample]
        if rows:
            st.dataframe(rows, hide_index=True)
        if st.form_submit_button("Apply"):
            state.keep_columns(file_id, {field: name for field, name in chosen.items() if name not in (None, NONE)})
            st.rerun()


# Files to import: their settings, and reading them once in the background.

PASTED = "Pasted list"


@dataclass(frozen=True, eq=False)
class PendingUpload:
    file_id: str
    """Id of the upload; uploading again gives a new id."""
    name: str
    load: Callable[[], bytes]

    @property
    def choices(self) -> ImportChoices:
        return ImportChoices(
            format_id=state.value(f"format-{self.file_id}"),
            asked=ReadOptions(state.read_columns(self.file_id)),
            query_id=state.value(f"query-{self.file_id}"),
            included_as_core=bool(state.value(f"included-{self.file_id}", False)),
            labels_as=tuple(state.value(f"labels-{self.file_id}", None) or ()),
        )

    def hold(self) -> None:
        """Keep the file's settings while it is read again and their controls are not drawn."""
        for name in ("format", "query", "included", "labels"):
            state.hold(f"{name}-{self.file_id}")

    def key(self, role: SourceRole) -> str:
        """Return a key for the file and all settings that affect reading it."""
        choices = self.choices
        columns = [f"{name}={column}" for name, column in sorted((choices.asked.columns or {}).items())]
        return content_hash([self.file_id, choices.format_id or "", str(not role.is_search), *columns])


def desk() -> ImportDesk:
    return cache.import_desk(state.visitor())


READING_JOBS = JobFamily("read", lane="long")


def reading_job(waiting: Sequence[PendingUpload], role: SourceRole) -> Job | None:
    """Start reading files that were not read yet; None: all were."""
    here = desk()
    for file in waiting:
        file.hold()
    keys = {file.key(role): file for file in waiting}
    here.keep_only(set(keys))
    left = {key: (file, file.choices) for key, file in keys.items() if here.find(key) is None}
    if not left:
        return None

    def work(on_stage: OnStage) -> None:
        for key, (file, choices) in left.items():
            here.keep(key, look_at(FileUpload(file.name, file.load()), role, choices, on_stage))

    return READING_JOBS.start_once(f"{state.visitor()}:{content_hash(sorted(left))}", "Reading the files", work)


def looked_at(waiting: Sequence[PendingUpload], role: SourceRole) -> dict[str, ImportPreview]:
    """Return the files already read, by id."""
    here = desk()
    found = {file.file_id: here.find(file.key(role)) for file in waiting}
    return {file_id: looked for file_id, looked in found.items() if looked is not None}


# Importing files in the background, and the results.

BY = {"doi": "DOI", "pmid": "PMID", "own_id": "ID in the source", "title": "title"}
COUNT = st.column_config.NumberColumn(format="localized")
COUNTED = ("In the file", "Read", "Rejected", "New", "Known")
SEEN = "bringing-seen"
LEFT_OUT = "bringing-left-out"
"""With the name of an import: the chosen files that could not be imported."""
IMPORT_JOBS = JobFamily("import", lane="long")


def _key() -> str:
    """Return the name of this visitor's next import, or of the one whose results are shown."""
    return f"{state.visitor()}:{state.flag('import')}"


def is_bringing() -> bool:
    """Return True if an import is running or its results are still shown."""
    return IMPORT_JOBS.find(_key()) is not None


def start_bringing(
    topic_id: str, role: SourceRole, files: Sequence[tuple[FileReading, ImportChoices]], query_text: str | None
) -> None:
    """Start importing the files. Each is imported completely or not at all."""
    key, here = _key(), desk()

    def work(on_stage: OnStage) -> None:
        done = bring_prepared(cache.workspace(), topic_id, role, files, query_text=query_text, on_stage=on_stage)
        here.keep_report(key, done)
        here.keep_only(set())

    IMPORT_JOBS.start(key, f"Importing files into {topic_id}", work)
    state.choose_topic_next(topic_id)


def draw_others() -> None:
    running = IMPORT_JOBS.running()
    if running:
        state.set_value(SEEN, IMPORT_JOBS.of(running[0]))
        st.info(f"{plain(running[0].title)}: started in another window or before a reload.")
        watch(running[0])
        return
    seen = IMPORT_JOBS.find(state.value(SEEN, ""))
    if seen is None:
        return
    if seen.finished:
        st.success(f"{plain(seen.title)}: done.", icon=":material/check:")
        st.button("See the files", key="to-files", icon=":material/folder_open:", on_click=_open, args=("Files",))
    else:
        reason = seen.error or "stopped"
        st.error(f"{plain(seen.title)}: {plain(reason)}.", icon=":material/error:")


def _open(part: str) -> None:
    state.set_value(SEEN, "")
    state.open_part(part)


def draw_brought() -> None:
    job = IMPORT_JOBS.find(_key())
    report = desk().report(_key())
    if job is not None and not job.is_over:
        st.header("Importing files")
        watch(job)
        return
    if job is not None and job.error:
        st.error(plain(upper_first(job.error) + "."), icon=":material/error:")
        if st.button("Back", key="bring-back", icon=":material/arrow_back:"):
            IMPORT_JOBS.forget(_key())
            st.rerun()
        return
    if report is None:
        st.info("Stopped. Finished files are imported; nothing of the others is.", icon=":material/stop_circle:")
    else:
        _draw_report(report)
    if st.button("Import more", key="bring-more", icon=":material/upload_file:"):
        state.raise_flag("import")
        st.rerun()


def _draw_report(report: ImportReport) -> None:
    st.header("Imported")
    key, left_out = state.value(LEFT_OUT) or ("", [])
    if left_out and key == _key():
        st.warning(plain(f"Not imported: {listed(left_out)}."), icon=":material/warning:")
    if report.files and all(file.was_here for file in report.files):
        st.markdown("These files were already imported. Nothing changed.")
    st.markdown(
        f"{many(report.n_new, 'new publication')}, {many(report.n_merged, 'record')} of known publications. "
        f"**{plain(report.topic_id)}** now has {many(report.n_publications, 'publication')}."
    )
    any_here = any(file.was_here for file in report.files)
    rows = [
        {
            "File": file.name,
            "Format": FORMATS[file.format_id].label if file.format_id in FORMATS else "–",
            "In the file": file.records_in_file,
            "Read": file.parsed,
            "Rejected": len(file.rejected),
            "New": None if file.was_here else file.n_new,
            "Known": None if file.was_here else file.n_merged,
        }
        | ({"Note": "already imported" if file.was_here else ""} if any_here else {})
        for file in report.files
    ]
    st.dataframe(rows, hide_index=True, column_config=dict.fromkeys(COUNTED, COUNT))
    _draw_rejected(report)
    if unfound := [(file.name, *entry) for file in report.files for entry in file.unfound]:
        words = f"{many(len(unfound), 'publication')} that no search found"
        with st.expander(words, icon=":material/search_off:", expanded=True):
            rows = [
                {"File": name, "Line": line, "Record": number, "Title": title} for name, number, line, title in unfound
            ]
            st.dataframe(rows[:MOST_REJECTED], hide_index=True, placeholder="–")
            if len(rows) > MOST_REJECTED:
                st.caption(f"and {len(rows) - MOST_REJECTED:,} more")
    if report.role.kind == "core":
        _draw_matches(report)
    draw_next(report.topic_id)


def _draw_rejected(report: ImportReport) -> None:
    rejected = [(file.name, place) for file in report.files for place in file.rejected]
    if rejected:
        with st.expander(f"{many(len(rejected), 'record')} rejected: lines and reasons", icon=":material/warning:"):
            draw_rejected([(name, r.record, r.line, r.reason) for name, r in rejected])


def _draw_matches(report: ImportReport) -> None:
    matches = report.matches
    matched = [match for match in matches if match.status == "matched"]
    by = Counter(BY.get(match.by or "", match.by or "") for match in matched)
    how = ", ".join(f"{n:,} by {name}" for name, n in by.items())
    st.markdown(
        f"**{len(matched):,} of {many(len(matches), 'core publication')}** "
        f"{'is' if len(matches) == 1 else 'are'} in the corpus{f' ({how})' if how else ''}."
    )
    groups = entries_by_fate(matches)
    rows = [{"Core publications": fate, "Entries": len(some)} for fate, some in groups.items()]
    draw_table(
        rows,
        lambda row, column: entry_group(list(groups)[row], groups) if column == "Entries" else None,
        key="import-core",
        hint="Click a count to list its entries.",
    )
    absent = [match for match in matches if match.status == "not_in_corpus"]
    if absent:
        with st.expander(f"{len(absent):,} not in the corpus", expanded=len(absent) <= 10):
            _draw_absent(absent)
    mine = {file.source_id for file in report.files}
    sources = load_sources(cache.workspace().store, report.topic_id)
    draw_undecided(report.topic_id, [source for source in sources if source.source_id in mine])


FATES: dict[Status, str] = {
    "matched": "Found",
    "ambiguous": "Matches several publications",
    "not_in_corpus": "Not in the corpus",
}


def entries_by_fate(matches: Sequence[CoreMatch]) -> dict[str, list[CoreMatch]]:
    """Group the entries of a core list by result."""
    return {fate: [match for match in matches if match.status == status] for status, fate in FATES.items()}


def entry_group(fate: str, groups: Mapping[str, Sequence[CoreMatch]]) -> PublicationGroup:
    entries = groups[fate]
    told = headlines(i for match in entries for i in _meant(match))
    rows = tuple(
        {
            "Title": asked_for(match.record),
            "Year": match.record.year,
            "DOI": f"https://doi.org/{match.record.doi}" if match.record.doi else None,
            "In the library": "; ".join(told[i] for i in _meant(match)) or None,
        }
        for match in entries
    )
    return PublicationGroup(fate, rows=rows, noun="core publication")


def _meant(match: CoreMatch) -> Ids:
    """Return the matched publication, or all candidates."""
    if match.publication_id is not None:
        return (match.publication_id,)
    return match.candidates if match.status == "ambiguous" else ()


def _draw_absent(absent: Sequence[CoreMatch]) -> None:
    st.caption("These count as missed until a file with them is imported.")
    told = headlines(i for match in absent[:MOST_LISTED] for i in match.candidates[:3])
    lines = []
    for match in absent[:MOST_LISTED]:
        lines.append(f"- {plain(asked_for(match.record))}")
        lines += [f"  - :small[Did you mean: {plain(told[i])}]" for i in match.candidates[:3]]
    st.markdown("\n".join(lines))
    if told:
        st.button(
            "Decide under Duplicates", key="to-duplicates", icon=":material/join:", on_click=_open, args=("Duplicates",)
        )
    if len(absent) > MOST_LISTED:
        st.caption(f"and {len(absent) - MOST_LISTED:,} more")


# Preview of the files before they are imported.

LISTS = ("identifiers", "titles")
FEW = 12
"""Rejected records shown at once."""
FIRST = 5


def draw_preview(waiting: Sequence[PendingUpload], topic_id: str, role: SourceRole, query_text: str | None) -> None:
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
    label = f"Import {many(n, 'record')} into {plain(topic_id)}" if files else "Nothing to import yet"
    with st.container(horizontal=True, vertical_alignment="center"):
        wanted = st.button(label, key="bring", type="primary", disabled=not files, icon=":material/library_add:")
        if len(files) < len(waiting):
            st.markdown(
                f":material/warning: {many(len(waiting) - len(files), 'file')} can't be imported yet: see below."
            )
    if wanted:
        start_bringing(topic_id, role, files, query_text)
        taken = {id(reading) for reading, _ in files}
        readings = {f.name: looked[f.file_id].reading if f.file_id in looked else None for f in waiting}
        state.set_value(LEFT_OUT, (_key(), [name for name, reading in readings.items() if id(reading) not in taken]))
        st.rerun()
    for file in waiting:
        if file.file_id in looked:
            _draw_file(file, looked[file.file_id], role)


def _is_complete(reading: FileReading, choices: ImportChoices, role: SourceRole) -> bool:
    queries = {record.query_id for record in reading.records if record.query_id}
    return bool(reading.records) and (len(queries) < 2 or role.kind == "corpus" or choices.query_id in queries)


def _n_records(reading: FileReading, choices: ImportChoices) -> int:
    if choices.query_id is None:
        return len(reading.records)
    return sum(record.query_id == choices.query_id for record in reading.records)


def _draw_file(file: PendingUpload, looked: ImportPreview, role: SourceRole) -> None:
    with st.container(border=True, gap="xsmall"):
        if looked.reading is None:
            _draw_mistake(file, looked)
            return
        reading = looked.reading
        _head(file, reading)
        if role.is_search and names_a_list(file.name):
            st.warning(
                "By its name, this file lists chosen publications. If so, choose its role above: core, screened or "
                "included.",
                icon=":material/help:",
            )
        _ask_query(file, looked, role)
        if reading.n_included and role.is_search:
            st.checkbox(
                f"{many(reading.n_included, 'record')} labelled as included: add to the core publications",
                key=f"included-{file.file_id}",
            )
        if role.is_search and (words := label_words(reading.records, reading.format_id)):
            st.pills(
                f"{plain(words)}. Use them as:",
                PHASES,
                selection_mode="multi",
                format_func=str.capitalize,
                key=f"labels-{file.file_id}",
            )
        if reading.rejected:
            few = len(reading.rejected) <= FEW
            words = f"{many(len(reading.rejected), 'record')} can't be imported: lines and reasons"
            with st.expander(words, expanded=few, icon=":material/warning:", type="compact"):
                draw_rejected([(None, r.record, r.line, r.reason) for r in reading.rejected])
        with st.expander("Preview and format", type="compact"):
            _records(reading)
            _more(file, reading)
        if looked.proposal and reading.format_id in ANYBODYS:
            with st.expander("Columns", type="compact"):
                draw_mapping(file.file_id, looked.proposal)


def _draw_mistake(file: PendingUpload, looked: ImportPreview) -> None:
    st.markdown(f"**{plain(file.name)}**")
    if looked.proposal:
        st.info("The columns of this table were not recognised. Map them below.", icon=":material/table:")
        draw_mapping(file.file_id, looked.proposal)
        _more_formats(file)
        return
    message = upper_first(looked.mistake)
    st.error(plain(message.split(", or choose a format with")[0] + "."), icon=":material/block:")
    _more_formats(file)


def _more_formats(file: PendingUpload) -> None:
    with st.expander("Wrong format? Choose another", type="compact"):
        _more(file, None)


def _head(file: PendingUpload, reading: FileReading) -> None:
    form = FORMATS[reading.format_id].label
    counts = f"{reading.records_in_file:,} in the file · {len(reading.records):,} read · "
    rejected = f"{len(reading.rejected):,} rejected"
    counts += f"**{rejected}**" if reading.rejected else rejected
    st.markdown(f"**{plain(file.name)}** · {plain(form)}, {plain(reading.encoding)} · {counts}")
    if not reading.records:
        st.warning("The file has no records.", icon=":material/warning:")
    if reading.format_id in LISTS and file.name != PASTED:
        st.caption(":material/info: Read as a list, one entry per line. If it is a table, choose its format below.")
    for note in reading.notes[:6]:
        st.caption(f":material/info: {plain(upper_first(note))}")
    if len(reading.notes) > 6:
        st.caption(f"and {many(len(reading.notes) - 6, 'more note')}")


def _ask_query(file: PendingUpload, looked: ImportPreview, role: SourceRole) -> None:
    queries = looked.query_ids
    if len(queries) > 1 and role.kind != "corpus":
        st.selectbox(f"Query ({len(queries):,} in the file)", queries, index=None, key=f"query-{file.file_id}")


def _records(reading: FileReading) -> None:
    if reading.records:
        st.caption(f"The first {many(min(FIRST, len(reading.records)), 'record')}")
        st.dataframe([record_row(record) for record in reading.records[:FIRST]], hide_index=True)


def record_row(record: Record) -> dict[str, Any]:
    return {
        "Title": record.title or "–",
        "Year": str(record.year or "–"),
        "Type": kind_and_status(record) or "–",
        "First author": record.authors[0] if record.authors else "–",
        "DOI": record.doi or "–",
        "Abstract": many(len(record.abstract), "character") if record.abstract else "none",
    }


def _more(file: PendingUpload, reading: FileReading | None) -> None:
    if reading is not None and reading.unused:
        unused = plain(", ".join(f"{name} ({n:,})" for name, n in reading.unused.items()))
        st.caption(f"Fields not imported (records): {unused}")
    st.selectbox(
        "Format",
        [None, *FORMATS],
        format_func=lambda form: FORMATS[form].label if form else "Detected automatically",
        key=f"format-{file.file_id}",
    )


# Importing files into a topic, in three visible steps: destination, files, and preview.

CORPUS, VERSION, CORE = "Corpus", "Query version", "Core publications"
SCREENED, INCLUDED = "Screened", "Included"
ROLES = {
    CORPUS: "The exports of a review's searches, or a broad set of records to search.",
    VERSION: "The exported results of one query version.",
    CORE: "Publications known to be relevant. Recall is measured against them.",
    SCREENED: "Publications that passed the screening of titles and abstracts.",
    INCLUDED: "Publications that the review includes.",
}
_KINDS: Mapping[str, RoleKind] = {CORPUS: "corpus", CORE: "core", SCREENED: "screened", INCLUDED: "included"}
MOST_MB = 500
"""Size limit of one file."""


@dataclass(frozen=True, slots=True)
class ImportDestination:
    topic_id: str
    role: SourceRole
    query_text: str | None = None


def draw_import(topic_id: str | None) -> None:
    if locked := why_locked():
        st.info(locked, icon=":material/lock:")
        return
    if is_bringing():
        draw_brought()
        return
    draw_others()
    st.header("1 Destination and role")
    place = _choose_place(topic_id)
    st.header("2 Files")
    waiting = _choose_files(state.value("as") in (CORE, SCREENED, INCLUDED))
    st.header("3 Review and import")
    if not waiting:
        st.caption("A preview appears here before anything is imported.")
    elif place is None:
        st.caption("Complete the first step.")
    else:
        draw_preview(waiting, place.topic_id, place.role, place.query_text)


def _choose_place(topic_id: str | None) -> ImportDestination | None:
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
        role, text = SourceRole(_KINDS[kind]), None
    return ImportDestination(chosen, role, text) if chosen and role else None


def _choose_topic(topic_id: str | None) -> str:
    topics = cache.workspace().topics()
    names = [topic.topic_id for topic in topics]
    own = [topic.topic_id for topic in topics if not topic.made_up]
    chosen = st.selectbox(
        "Topic",
        names,
        index=names.index(topic_id) if topic_id in own else None,
        accept_new_options=True,
        placeholder="Choose a topic or type a new name",
        help="A research question with its core publications. A new name creates a topic.",
        key=f"into-{topic_id}-{state.flag('import')}",
    )
    name = " ".join((chosen or "").split())
    if name and name not in names:
        st.caption("New topic.")
    return name


def _choose_version(topic_id: str, where: st.delta_generator.DeltaGenerator) -> tuple[SourceRole | None, str | None]:
    rows = cache.workspace().store.versions(topic_id, deleted=True) if topic_id else ()
    there = {row.version.label: row for row in rows}
    number = next(n for n in range(1, len(there) + 2) if f"v{n}" not in there)
    with where:
        typed = st.text_input("Version label", key="label", max_chars=80, placeholder=f"v{number}")
        label = " ".join(typed.split()) or f"v{number}"
        text = st.text_area("Search string (optional)", key="wording", height=68, placeholder="heat AND trees")
        if label.casefold() in RESERVED:
            st.error(f"These labels are reserved: {', '.join(RESERVED)}. Choose another.")
            return None, None
        if label in there and there[label].deleted_at is not None:
            st.error(f"{plain(label)} was deleted. Restore it on the page Versions or choose another label.")
            return None, None
        if label in there and there[label].over_corpus:
            st.error(f"{plain(label)} was run in Queryscape. Choose another label for these files.")
            return None, None
        if label in there:
            st.caption(f"Adds to the existing version {plain(label)}.")
    return SourceRole("version", label), text.strip() or None


def _choose_files(is_list: bool) -> tuple[PendingUpload, ...]:
    n = state.flag("import")
    files = st.file_uploader(
        "RIS, BibTeX, PubMed, Web of Science, Scopus, Embase, EndNote, CSV, Excel, Parquet and more",
        accept_multiple_files=True,
        max_upload_size=upload_limit(MOST_MB),
        key=f"files-{n}",
        help="The format is detected from the content, not from the file extension.",
    )
    waiting = [_uploaded(file) for file in files]
    if is_list:
        pasted = st.text_area(
            "Or paste a list: one DOI, PMID or title per line",
            key=f"pasted-{n}",
            height=120,
            placeholder="10.1000/xyz123\n28449710\nHeat, trees and sleep: a cohort study",
        )
        if pasted.strip():
            data = pasted.encode("utf-8", errors="replace")
            waiting.append(PendingUpload(f"pasted-{sha256(data).hexdigest()[:16]}", PASTED, lambda: data))
    return tuple(waiting)


def _uploaded(file: UploadedFile) -> PendingUpload:
    return PendingUpload(file.file_id, file.name, file.getvalue)
