"""Build a report from a topic's facts and write it to a file."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from core.audit.flow import FlowSource, flow_of
from core.audit.press import Review, edited_parts, holds_since
from core.audit.press_exchange import press_document
from core.audit.prisma_report import FOR_AUTHOR, checklist, diagram_document, diagram_of, front_of, prisma_s
from core.audit.quality_facts import QualityFacts
from core.audit.quality_report import quality_report
from core.audit.strategies import AuditFacts, FoundPublication, ReviewFacts, SearchFacts
from core.errors import InputError, NotFoundError
from core.pictures import svg
from core.protocols import OnStage, silent
from core.report import (
    MADE_UP,
    MADE_WITH,
    AnswerPrompt,
    Block,
    Figure,
    Listing,
    Paragraph,
    Remark,
    ReportDocument,
    ReportHeading,
    ReportKind,
    Strategy,
    Table,
    Value,
    final_copy,
    together,
    whole,
)
from core.settings import EvaluationSettings
from core.text import writable
from core.types import Ids
from data.audit.bundle import write_bundle
from data.audit.markdown import markdown
from data.audit.quality import gather_quality, without_scores
from data.audit.recorded import (
    TableEntry,
    core_found,
    found_by,
    found_publications,
    overlap_of,
    recorded_searches,
    table_of_searches,
)
from data.audit.reviews import reviews
from data.audit.searches import (
    answers,
    deduplication,
    file_facts,
    file_search,
    live_search,
    local_search,
    told_by_identifiers,
    unfinished_runs,
)
from data.explore.workspace import Workspace
from data.library.records import SourceRow, load_sources
from data.library.searches import named_searches, phase_ids
from data.lookup import check_topic, version_named
from data.software import software
from data.sources.runs import LiveRun, live_runs
from data.store import Clock, Store, VersionRow, utc_now

PACKAGES = ("DuckDB", "Tantivy", "NumPy", "HTTPX")
"""Packages that store, match, compute and fetch: display name and distribution name."""


def gather_audit(workspace: Workspace, topic_id: str, labels: Ids | None = None) -> AuditFacts:
    """Gather all facts about a topic's searches. None: every version that was run or imported and is not hidden."""
    store = workspace.store
    check_topic(store, topic_id)
    topic = next(t for t in store.topics() if t.topic_id == topic_id)
    rows = _rows(workspace, topic_id, labels)
    runs, sources = live_runs(store, topic_id), load_sources(store, topic_id)
    live_files = {run.file_id for run in runs if run.file_id}
    files = [source for source in sources if source.content_hash is not None and source.source_id not in live_files]
    shown = {row.version.label for row in rows}
    table = table_of_searches(store, topic_id, labels)
    reported, everything = _reported(rows, sources, table)
    over = "the files and searches that this topic's publications came from" if everything else "the reported searches"
    searches = tuple(_search(workspace, row, runs, files) for row in rows)
    found, to_screen = _found_by(store, rows, searches, table)
    phases = phase_ids(store, topic_id)
    reviewed = tuple(map(_review, reported_reviews(store, topic_id, tuple(shown), table)))
    identified = told_by_identifiers(store, topic_id) if files else {}
    return AuditFacts(
        topic_id=topic_id,
        made_up=topic.made_up,
        n_core=topic.n_core,
        searches=searches,
        files=tuple(file_facts(file, identified.get(file.source_id, "")) for file in files),
        deduplication=deduplication(workspace, topic_id, reported, over),
        answers=answers(store, topic_id),
        software=software(*PACKAGES),
        n_reviews_signed=sum(review.signed_at is not None for review in reviewed),
        reviews=reviewed,
        unfinished=unfinished_runs(runs),
        n_corpus=len(store.searchable_ids(topic_id)),
        n_found=None if found is None else len(found),
        recorded=recorded_searches(table, rows),
        overlap=overlap_of(table),
        core_found=core_found(store, topic_id, table) if table else (),
        n_to_screen=None if to_screen is None else len(to_screen),
        n_sought=len(to_screen.intersection(phases["screened"])) if to_screen and "screened" in phases else None,
        n_included=len(phases["included"]) if "included" in phases else None,
        included_found=found_by(table, phases.get("included", ())),
    )


def reported_sources(workspace: Workspace, facts: AuditFacts) -> Ids:
    """Return the sources whose records `facts.deduplication` counts."""
    store, topic_id = workspace.store, facts.topic_id
    rows = _rows(workspace, topic_id, tuple(search.version for search in facts.searches))
    numbers = {search.number for search in facts.recorded}
    table = [entry for entry in table_of_searches(store, topic_id) if entry.search.number in numbers]
    return _reported(rows, load_sources(store, topic_id), table)[0]


def _reported(
    rows: Sequence[VersionRow], sources: Sequence[SourceRow], table: Sequence[TableEntry]
) -> tuple[Ids, bool]:
    """Return the sources behind the records of the reported searches; True: these are all the topic's sources."""
    shown = {row.version.label for row in rows}
    in_table = {source_id for entry in table for source_id in entry.search.source_ids}
    over_corpus = not table and any(row.over_corpus for row in rows)  # it finds records of any file
    every = [source for source in sources if source.role.is_search]
    found = tuple(s.source_id for s in every if over_corpus or s.source_id in in_table or s.role.label in shown)
    return found, len(found) == len(every)


def reported_reviews(store: Store, topic_id: str, labels: Ids, table: Sequence[TableEntry]) -> tuple[Review, ...]:
    """Return the reviews of these versions, and of recorded searches unless theirs is not in the table."""
    numbers = {entry.search.number for entry in table}
    names = named_searches(store, topic_id)
    others = {name for name, search in names.items() if search.number not in numbers}
    return tuple(
        r for r in reviews(store, topic_id) if (r.version not in others if r.is_search else r.version in labels)
    )


def _review(review: Review) -> ReviewFacts:
    """Return a review's facts. A review that was changed after it was signed counts as unsigned."""
    signed_at, edited = holds_since(review), edited_parts(review)
    return ReviewFacts(review.version, review.reviewer.name, signed_at, review.overall or "", edited, review.is_search)


def _rows(workspace: Workspace, topic_id: str, labels: Ids | None) -> list[VersionRow]:
    if labels is None:
        return [row for row in workspace.store.versions(topic_id) if row.retrieved_hash is not None]
    found = {label: version_named(workspace.store, topic_id, label) for label in labels}
    return sorted(found.values(), key=lambda row: row.version.number)


def _search(workspace: Workspace, row: VersionRow, runs: Sequence[LiveRun], files: Sequence[SourceRow]) -> SearchFacts:
    label = row.version.label
    run = next((run for run in runs if run.state == "done" and run.label == label), None)
    if run is not None:
        return live_search(workspace.store, row, run)
    if row.over_corpus:
        return local_search(workspace, row)
    return file_search(row, [source for source in files if source.role.label == label])


def _found_by(
    store: Store, rows: Sequence[VersionRow], searches: Sequence[SearchFacts], table: Sequence[TableEntry]
) -> tuple[set[str] | None, set[str] | None]:
    """Return the publications of all reported searches, and those of databases and registers; None: none is known."""
    in_table = {entry.search.label for entry in table}
    ids = [
        row.version.query_id
        for row, search in zip(rows, searches, strict=True)
        if row.retrieved_hash is not None
        and (search.how == "live" or row.version.label not in in_table)
        and not (table and search.how == "local")
    ]
    known = [entry for entry in table if entry.records is not None]
    if not ids and not known:
        return None, None
    found = {row[0] for row in store.rows(f"SELECT DISTINCT publication_id {_FOUND}", {"ids": ids})}
    brought = [(entry.search.kind, entry.publication_ids) for entry in known]
    to_screen = found.union(*(some for kind, some in brought if kind in ("database", "register")))
    return to_screen.union(*(some for _, some in brought)), to_screen


_FOUND = "FROM retrieved WHERE query_id IN (SELECT unnest($ids::VARCHAR[]))"


def found_ids(workspace: Workspace, facts: AuditFacts, source: FlowSource | None = None) -> Ids:
    """Return the distinct publications of one source of the flow, or of all."""
    store, topic_id = workspace.store, facts.topic_id
    if source is None:
        every = (found_ids(workspace, facts, each) for each in flow_of(facts).sources)
        return tuple(sorted({publication_id for some in every for publication_id in some}))
    if source.number is not None:
        table = table_of_searches(store, topic_id)
        return next((e.publication_ids for e in table if e.search.number == source.number), ())
    ran = [version_named(store, topic_id, source.version).version.query_id]
    rows = store.rows(f"SELECT DISTINCT publication_id {_FOUND} ORDER BY 1", {"ids": ran})
    return tuple(publication_id for (publication_id,) in rows)


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """An item of the PRISMA flow for a search: a record, or a publication if no records are stored."""

    version: str
    source: str
    number: int | None
    """Number of the record in its file; None: it is a publication, or the number is unknown."""
    title: str
    publication_id: str | None
    """None: it could not be read."""
    problem: str = ""


_RECORDS = """
    SELECT s.name, r.number, coalesce(json_extract_string(r.document, '$.title'), ''), r.publication_id
    FROM records AS r JOIN sources AS s USING (source_id)
    WHERE s.source_id IN (SELECT unnest($sources::VARCHAR[])) ORDER BY s.number, r.number
"""
_PUBLICATIONS = """
    SELECT '', NULL, coalesce(p.title, ''), publication_id
    FROM retrieved LEFT JOIN publications AS p USING (publication_id) WHERE query_id = $id ORDER BY position
"""


def flow_records(workspace: Workspace, facts: AuditFacts) -> dict[str, tuple[FoundRecord, ...]]:
    """Return the records behind each recorded number of the PRISMA flow, by item."""
    found: dict[str, list[FoundRecord]] = {}
    for source in flow_of(facts).sources:
        found.setdefault(source.item, []).extend(_found(workspace, facts, source))
    screened = [one for item in ("flow:databases", "flow:registers", "flow:topic") for one in found.get(item, ())]
    readable = [record for record in screened if record.publication_id is not None]
    first = {record.publication_id: record for record in reversed(readable)}
    return {item: tuple(some) for item, some in found.items()} | {
        "flow:duplicates": tuple(record for record in readable if first[record.publication_id] is not record),
        "flow:other": tuple(record for record in screened if record.publication_id is None),
        "flow:screened": tuple(record for record in readable if first[record.publication_id] is record),
    }


def _found(workspace: Workspace, facts: AuditFacts, source: FlowSource) -> list[FoundRecord]:
    store, topic_id = workspace.store, facts.topic_id
    if source.number is not None:
        entry = next(e for e in table_of_searches(store, topic_id) if e.search.number == source.number)
        files = [file for file in load_sources(store, topic_id) if file.source_id in entry.search.source_ids]
    else:
        search = next(search for search in facts.searches if search.version == source.version)
        if search.n_records is None:
            query_id = version_named(store, topic_id, source.version).version.query_id
            rows = store.rows(_PUBLICATIONS, {"id": query_id})
            return [FoundRecord(source.version, *row) for row in rows]
        files = [file for file in load_sources(store, topic_id) if file.role.label == source.version]
    unread = [
        FoundRecord(source.version, file.name, number, "", None, why)
        for file in files
        for number, _, why in file.report.rejected
    ]
    rows = store.rows(_RECORDS, {"sources": [file.source_id for file in files]})
    return [FoundRecord(source.version, *row) for row in rows] + unread


# A report as JSON: its blocks in order, values at full precision.

JSON_FORMAT = "queryscape-report"
JSON_VERSION = 1


def document_json(document: ReportDocument) -> dict[str, Any]:
    """Convert the whole report; pictures are described in words.

    Keys: `format, version, kind, title, subtitle, made_at, made_with, made_up, blocks[]`, and `stamp` for demo data. A
    block has `block` (heading, paragraph, listing, strategy, table, figure, prompt or remark) and its own keys; a
    number that JSON can't represent, such as an infinite one, is null.
    """
    stamp = {"stamp": MADE_UP} if document.made_up else {}
    return {
        "format": JSON_FORMAT,
        "version": JSON_VERSION,
        "kind": document.kind,
        "title": writable(document.title),
        "subtitle": writable(document.subtitle),
        "made_at": writable(document.made_at),
        "made_with": writable(document.made_with),
        "made_up": document.made_up,
        "front": [{"label": label, "text": writable(text)} for label, text in document.front],
        **stamp,
        "blocks": [_block(block) for block in document.blocks],
    }


def _block(block: Block) -> dict[str, Any]:
    match block:
        case ReportHeading():
            return {"block": "heading", "text": writable(block.text), "level": block.level}
        case Paragraph():
            return {"block": "paragraph", "text": writable(block.text), "is_lead": block.is_lead}
        case Listing():
            return {
                "block": "listing",
                "items": [writable(item) for item in block.items],
                "is_numbered": block.is_numbered,
            }
        case Strategy():
            return {"block": "strategy", "text": writable(block.text), "caption": writable(block.caption)}
        case Table():
            return {"block": "table", **_table(block)}
        case Figure():
            entries = {"caption": writable(block.caption), "alternative": writable(block.alternative)}
            return {"block": "figure", "name": block.name, **entries}
        case AnswerPrompt():
            return {"block": "prompt", "text": writable(block.text), "item": block.item}
        case Remark():
            return {"block": "remark", "text": writable(block.text), "is_warning": block.is_warning}


def _table(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "caption": writable(table.caption),
        "columns": [{"title": writable(column.title), "kind": column.kind} for column in table.columns],
        "rows": [[_value(value) for value in row] for row in table.rows],
        "note": writable(table.note),
    }


def _value(value: Value) -> Value:
    if isinstance(value, str):
        return writable(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


# From a request to a report and a file: the one place where gathering facts meets building documents.

FileFormat = Literal["docx", "md", "json", "zip"]
"""Formats written here; HTML is written by `dashboard.audit.report_files`. zip: a bundle."""


@dataclass(frozen=True, slots=True)
class ReportRequest:
    kind: ReportKind
    topic_id: str
    labels: Ids | None = None
    """Labels of the versions; None: every one that was run or imported and is not hidden."""
    embedder: str | None = None
    """None: the only one."""
    settings: EvaluationSettings = field(default_factory=EvaluationSettings)
    abstracts: bool = False
    """True: include abstracts."""
    final: bool = False
    """True: leave out everything that is for the author, such as what is still to be answered."""
    reference: bytes | None = None
    """A Word document that sets the style of a .docx."""


@dataclass(frozen=True, eq=False)
class FinishedReport:
    asked: ReportRequest
    document: ReportDocument
    """The requested report as a whole."""
    parts: tuple[ReportDocument, ...]
    """The reports it consists of, in order; for a single kind, the document itself."""
    made_at: str
    audit: AuditFacts
    quality: QualityFacts | None
    """None: not requested, or impossible, see `without_quality`."""
    reviews: tuple[Review, ...]
    """The peer reviews of the versions, in the order of the documents of kind press."""
    abstracts: Mapping[str, str] | None
    """Abstract of each publication; None: not requested."""
    without_quality: str = ""
    """Reason for a missing quality report in an audit; empty: there is one, or it was not requested."""
    unscored: QualityFacts | None = None
    """What a bundle says of the topic if there is no quality report."""
    found: tuple[FoundPublication, ...] = ()
    """What the recorded searches found, for a bundle."""

    @property
    def labels(self) -> Ids:
        return tuple(dict.fromkeys(search.version for search in self.audit.searches))


def record(workspace: Workspace, asked: ReportRequest) -> AuditFacts:
    return gather_audit(workspace, asked.topic_id, _labels(workspace, asked))


def make(
    workspace: Workspace, asked: ReportRequest, *, clock: Clock = utc_now, on_stage: OnStage = silent
) -> FinishedReport:
    """Gather the facts and build the report. Nothing is written, and nothing is sent."""
    labels, made_at = _labels(workspace, asked), clock()
    on_stage("gathering the search record")
    audit = gather_audit(workspace, asked.topic_id, labels)
    quality, why_not = (
        _quality(workspace, asked, labels, on_stage) if asked.kind in ("quality", "audit") else (None, "")
    )
    abstracts = _abstracts(workspace, quality) if asked.abstracts and quality is not None else None
    reviewed = _reviews(workspace, asked, labels) if asked.kind in ("press", "audit") else ()
    on_stage("building the report")
    parts: list[ReportDocument] = []
    if asked.kind in ("prisma-s", "audit"):
        parts.append(prisma_s(audit, made_at=made_at, made_with=MADE_WITH))
    parts += [press_document(review, made_at=made_at, made_with=MADE_WITH) for review in reviewed]
    if quality is not None:
        parts.append(quality_report(quality, made_at=made_at, made_with=MADE_WITH, abstracts=abstracts))
    if asked.kind == "checklist":
        parts.append(checklist(audit, made_at=made_at, made_with=MADE_WITH))
    document = replace(_document(asked, parts, made_at, [why_not] if why_not else []), front=front_of(audit))
    if asked.final:
        document = final_copy(document, FOR_AUTHOR)
        figure = diagram_of(audit, is_final=True)
        blocks = (figure if isinstance(b, Figure) and b.name == figure.name else b for b in document.blocks)
        document = replace(document, blocks=tuple(blocks))
    unscored = without_scores(workspace, asked.topic_id) if why_not else None
    numbers = {search.number for search in audit.recorded}
    table = table_of_searches(workspace.store, asked.topic_id) if asked.kind == "audit" else ()
    found = found_publications(workspace.store, [entry for entry in table if entry.search.number in numbers])
    return FinishedReport(
        asked, document, tuple(parts), made_at, audit, quality, reviewed, abstracts, why_not, unscored, found
    )


def _document(asked: ReportRequest, parts: list[ReportDocument], made_at: str, remarks: list[str]) -> ReportDocument:
    if asked.kind == "audit":
        return whole(parts, topic=asked.topic_id, made_at=made_at, made_with=MADE_WITH, remarks=remarks)
    if asked.kind == "press":
        return together(parts, topic=asked.topic_id, made_at=made_at, made_with=MADE_WITH)
    return parts[0]


def _labels(workspace: Workspace, asked: ReportRequest) -> Ids:
    check_topic(workspace.store, asked.topic_id)
    every = [row for row in workspace.store.versions(asked.topic_id) if row.retrieved_hash is not None]
    if asked.labels is None:
        return tuple(row.version.label for row in every)
    wanted = {version_named(workspace.store, asked.topic_id, label).version.label for label in asked.labels}
    return tuple(row.version.label for row in every if row.version.label in wanted)


def _quality(
    workspace: Workspace, asked: ReportRequest, labels: Ids, on_stage: OnStage
) -> tuple[QualityFacts | None, str]:
    """Return the facts of the quality report; in a whole audit, possibly the reason why there are none.

    A quality report alone is also made without vectors: core recall, with its reasons, needs none.
    """
    why_not = ""
    if not labels:
        why_not = f'no version of "{asked.topic_id}" was run or imported, so nothing can be scored: run one first'
    elif not next(t.n_core for t in workspace.store.topics() if t.topic_id == asked.topic_id):
        why_not = f'"{asked.topic_id}" has no core publications, so nothing can be scored: import some first'
    if why_not and asked.kind == "audit":
        return None, f"The scores are left out: {why_not}."
    if why_not:
        raise NotFoundError(why_not)
    facts = gather_quality(
        workspace, asked.topic_id, labels, embedder=asked.embedder, settings=asked.settings, on_stage=on_stage
    )
    return facts, ""


def _reviews(workspace: Workspace, asked: ReportRequest, labels: Ids) -> tuple[Review, ...]:
    table = table_of_searches(workspace.store, asked.topic_id, asked.labels)
    found = list(reported_reviews(workspace.store, asked.topic_id, labels, table))
    order = {label: place for place, label in enumerate(labels)}
    found.sort(key=lambda r: (r.is_search, order.get(r.version, len(order)), r.version, r.requested_at, r.review_id))
    if not found and asked.kind == "press":
        raise NotFoundError(
            f'no peer review of "{asked.topic_id}" was started for {", ".join(labels) or "any version"}: start one '
            "with report press begin"
        )
    return tuple(found)


def _abstracts(workspace: Workspace, quality: QualityFacts) -> dict[str, str]:
    ids = dict.fromkeys(i for v in quality.versions for i in (*v.rows.ids, *v.unscored_ids))
    ids |= dict.fromkeys(core.publication_id for version in quality.versions for core in version.core)
    known = workspace.store.load_publications(tuple(ids))
    return {p.publication_id: p.abstract for p in known if p.abstract}


DiagramFormat = Literal["svg", "png", "docx"]
DIAGRAM_FORMATS: tuple[DiagramFormat, ...] = get_args(DiagramFormat)


def diagram_bytes(facts: AuditFacts, form: DiagramFormat, *, clock: Clock = utc_now) -> bytes:
    """Return the flow diagram alone as a file."""
    figure = diagram_of(facts)
    if form == "svg":
        return svg(figure.picture, alternative=figure.alternative).encode()
    if form == "png":
        from data.audit.docx import png  # python-docx and Pillow are slow to import

        return png(figure.picture)
    return document_bytes(diagram_document(facts, made_at=clock(), made_with=MADE_WITH), "docx")


def file_bytes(made: FinishedReport, form: FileFormat) -> bytes:
    """Return the report in a format of this module. A bundle needs the quality report."""
    if form == "zip":
        return _bundle(made)
    return document_bytes(made.document, form, made.asked.reference)


def document_bytes(document: ReportDocument, form: FileFormat, reference: bytes | None = None) -> bytes:
    if form == "docx":
        from data.audit.docx import write_docx  # python-docx and Pillow are slow to import

        file = io.BytesIO()
        write_docx(document, file, reference=reference)
        return file.getvalue()
    if form == "md":
        return markdown(document).encode()
    if form == "json":
        return (json.dumps(document_json(document), ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()
    raise InputError("a bundle contains more than one document: make it from a whole audit")


def _bundle(made: FinishedReport) -> bytes:
    if made.asked.kind != "audit":
        raise InputError("a bundle holds the whole audit: omit --what, or choose audit")
    quality = made.quality or made.unscored
    assert quality is not None, "an audit has one of them"
    file = io.BytesIO()
    write_bundle(
        file,
        made.audit,
        quality,
        made.parts,
        made_at=made.made_at,
        abstracts=made.abstracts,
        reviews=made.reviews,
        found=made.found,
    )
    return file.getvalue()
