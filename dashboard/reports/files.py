"""A report as a file: which formats there are, and how each comes about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from core.audit.quality.summary import QualityFacts
from core.audit.whole import Document
from core.errors import InputError
from dashboard.reports.html import html
from dashboard.reports.landscape import live_landscape
from data.audit.reports import FileFormat, Made, document_bytes, file_bytes


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """What a report can be written as."""

    ending: str
    """Without its dot."""
    label: str
    mime: str
    form: FileFormat | None
    """Who writes it; None: it is written here."""


REPORT_FORMATS: dict[str, ReportFormat] = {
    one.ending: one
    for one in (
        ReportFormat("html", "HTML", "text/html", None),
        ReportFormat(
            "docx", "Word (DOCX)", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"
        ),
        ReportFormat("md", "Markdown", "text/markdown", "md"),
        ReportFormat("json", "JSON", "application/json", "json"),
        ReportFormat("zip", "Bundle (ZIP)", "application/zip", "zip"),
    )
}
"""By the ending of the file."""


def format_of(name: str) -> ReportFormat:
    """The format that the file's ending asks for."""
    ending = PurePath(name).suffix.lower().lstrip(".")
    if ending == "htm":
        ending = "html"
    if ending in REPORT_FORMATS:
        return REPORT_FORMATS[ending]
    there = ", ".join(f".{known}" for known in REPORT_FORMATS)
    if ending == "pdf":
        raise InputError("a PDF is printed: write the report as .html, open it in a browser and print it to a file")
    if ending == "doc":
        raise InputError(f".doc is not written here: choose .docx (there are {there})")
    what = f'"{name}" ends in .{ending}' if ending else f'"{name}" has no ending'
    raise InputError(f"{what}, which is no format of a report: choose one of {there}")


def report_file(made: Made, form: ReportFormat) -> bytes:
    """A report that was made, in one of the formats."""
    if form.form is None:
        return _html(made.document, made.quality)
    return file_bytes(made, form.form)


def document_file(document: Document, form: ReportFormat, quality: QualityFacts | None = None) -> bytes:
    """A document by itself. `quality`: the facts of the landscapes that it shows, which are live in HTML."""
    if form.form is None:
        return _html(document, quality)
    return document_bytes(document, form.form)


def _html(document: Document, quality: QualityFacts | None) -> bytes:
    """With a live landscape in the place of each picture of one, where there is something to count in it."""
    if quality is None:
        return html(document)
    pictures = {figure.name for figure in document.figures}
    shown = [version for version in quality.versions if f"landscape-{version.number}" in pictures]
    counted = [version for version in shown if version.rows.n_retrieved]
    return html(document, live=tuple(live_landscape(version, quality) for version in counted))
