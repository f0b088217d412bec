"""Exports by tool: the format, fields and import steps of each screening tool and reference manager."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import duckdb

from core.errors import InputError, NotFoundError
from core.library.records import language_name
from core.text import harmless
from core.types import Ids
from data.library.export_formats import (
    END,
    EXPORTS,
    ExportFormat,
    ExportRow,
    document,
    joined,
    one_line,
    ris_tags,
    tidy,
)
from data.library.selection import SelectedPublications

Write = Callable[[Iterable[ExportRow], BinaryIO], int]


@dataclass(frozen=True, slots=True)
class ExportChoices:
    """The information that unblinds screeners: an export for screening has none of it unless asked."""

    core_in_notes: bool = False
    """Name core publications in the notes; for a blind tool also versions, similarity, regions and decisions."""
    core_as_prior: bool = False
    """Label core publications as relevant prior knowledge, for ASReview; decisions in the records stay labels."""


@dataclass(frozen=True, slots=True)
class ExportTool:
    tool_id: str
    """The value that `--tool` takes."""
    label: str
    form: ExportFormat
    """What it writes; `form.export_id` is the file format."""
    fields: str
    hint: str
    """How to import the file there."""
    address: str
    """The documentation of its import."""
    encoding: str = "UTF-8"
    takes_labels: bool = False
    """It reads decisions as prior knowledge."""
    is_blind: bool = True
    """People screen or select there: notes name the source files only, unless asked."""


def exported_rows(
    selected: SelectedPublications, tool: ExportTool | None, choices: ExportChoices
) -> Iterator[ExportRow]:
    """Yield the rows of a selection for a tool, or for a plain file (None).

    A blind tool gets them in the order of their ids: a selection lists core publications or one version first.
    """
    if tool is None:
        return (replace(row, tells_core=choices.core_in_notes) for row in selected.rows())
    if tool.is_blind and not choices.core_in_notes:
        selected = replace(selected, ids=tuple(sorted(selected.ids)))
    return prepared(selected.rows(), tool, choices)


def prepared(rows: Iterable[ExportRow], tool: ExportTool, choices: ExportChoices) -> Iterator[ExportRow]:
    """Yield the rows as the tool may show them."""
    if choices.core_as_prior and not tool.takes_labels:
        raise InputError(f"{tool.label} has no prior knowledge: leave out the labels of core publications")
    is_blind = tool.is_blind and not choices.core_in_notes
    for row in rows:
        included = row.record.included if choices.core_as_prior or not is_blind else None
        if choices.core_as_prior and row.is_core:
            included = True
        shown = blinded(row) if is_blind else replace(row, tells_core=choices.core_in_notes)
        yield replace(shown, record=replace(row.record, included=included))


def blinded(row: ExportRow) -> ExportRow:
    """Return the row without everything that unblinds screeners, except decisions in the record."""
    return replace(row, found_by=(), is_core=False, similarity=None, relevant_by=(), embedder=None, tells_core=False)


def contents(form: ExportFormat, tool: ExportTool | None, choices: ExportChoices) -> str:
    """Name the information about the topic that an export holds, in a sentence or two.

    >>> contents(TOOLS["rayyan"].form, TOOLS["rayyan"], ExportChoices())
    'The notes list only the source files of each publication. Screeners stay blind.'
    """
    if tool is not None and tool.is_blind and not choices.core_in_notes:
        labels = "Core publications and earlier decisions are labels." if choices.core_as_prior else ""
        return f"The notes list only the source files of each publication. {labels or 'Screeners stay blind.'}"
    core = "core publications, " if choices.core_in_notes or form.has_core_column else ""
    sentence = f"The export lists {core}the versions that found each publication, its similarity and its source files."
    return f"{sentence} It unblinds screeners." if tool is None or tool.is_blind else sentence


# RIS: each tool gets the tags that it reads.

Tags = Iterator[tuple[str, str]]


def _ris(tags: Callable[[ExportRow, int], Tags]) -> Write:
    def write(rows: Iterable[ExportRow], file: BinaryIO) -> int:
        n = 0
        for row in rows:
            n += 1
            lines = [f"{tag}  - {value}{END}" for tag, value in tags(row, n)]
            file.write("".join([*lines, f"ER  - {END}", END]).encode())
        return n

    return write


def _screening(row: ExportRow, number: int) -> Tags:
    """Yield the tags with the databases of the searches."""
    yield from ris_tags(row)
    if row.databases:
        yield "DB", joined(row.databases)


def _endnote(row: ExportRow, number: int) -> Tags:
    """Add a comma to the names of organisations: without it EndNote takes their last word for a family name."""
    for tag, value in _screening(row, number):
        yield tag, f"{value}," if tag == "AU" and "," not in value and " " in value else value


def _zotero(row: ExportRow, number: int) -> Tags:
    """Write PMID and PMCID to M2, its field Extra. It reads UNPB as an article, and C2 of a chapter as an author."""
    for tag, value in _screening(row, number):
        if tag != "C2" or row.record.kind != "chapter":
            yield tag, "UNPD" if (tag, value) == ("TY", "UNPB") else value
    found = tidy(row.record)
    yield from (("M2", f"{name.upper()}: {found[name]}") for name in ("pmid", "pmcid") if found[name])


def _citesource(row: ExportRow, number: int) -> Tags:
    """Yield the tags that `reimport_ris` reads: sources in DB, labels in C7, strings in C8, ids in C1 and C2."""
    yield from ((tag, value) for tag, value in ris_tags(row) if tag != "C2")
    yield "C1", str(number)
    yield "C2", str(number)
    yield from (
        (tag, ", ".join(text.replace(",", " ") for text in map(one_line, values)))
        for tag, values in zip(("DB", "C7", "C8"), _cited(row), strict=True)
        if values
    )


def _cited(row: ExportRow) -> tuple[tuple[str, ...], ...]:
    record = row.record
    return record.cite_source or row.databases, record.cite_label or ("search",), record.cite_string or row.found_by


# CSV with the columns of each tool.


def _csv(columns: tuple[str, ...], cells: Callable[[ExportRow, int], Mapping[str, Any]]) -> Write:
    def write(rows: Iterable[ExportRow], file: BinaryIO) -> int:
        file.write(b"\xef\xbb\xbf")
        n = 0
        buffer = io.StringIO(newline="")
        lines = csv.writer(buffer, lineterminator="\r\n")
        lines.writerow(columns)
        for row in rows:
            n += 1
            values = cells(row, n)
            lines.writerow([harmless(str(values.get(name) or "")) for name in columns])
            file.write(buffer.getvalue().encode())
            buffer.seek(0)
            buffer.truncate()
        if not n:
            file.write(buffer.getvalue().encode())
        return n

    return write


ASREVIEW_COLUMNS = (
    *("title", "abstract", "authors", "keywords", "year", "doi", "url", "journal", "volume", "issue", "pages"),
    *("issn", "language", "database", "publication_type", "included", "notes"),
)


def _authors(names: Ids) -> str:
    """Join names; a single "Family, Given" gets a semicolon, so that its comma does not split it into two authors."""
    text = joined(names)
    return f"{text};" if len(names) == 1 and "," in text else text


def _cells(row: ExportRow, number: int) -> dict[str, Any]:
    found = tidy(row.record)
    return {
        **{name: found[name] for name in ("title", "abstract", "year", "doi", "url", "volume", "issue", "pages")},
        "authors": _authors(found["authors"]),
        "keywords": joined(found["keywords"]),
        "journal": found["venue"],
        "issn": ", ".join(found["issn"]),
        "language": joined(map(language_name, found["language"])),
        "database": joined(row.databases),
        "publication_type": joined(found["types"]) or found["kind"],
        "included": "" if found["included"] is None else str(int(found["included"])),
        "notes": row.provenance,
    }


# Parquet, written by DuckDB.


def write_parquet(rows: Iterable[ExportRow], file: BinaryIO) -> int:
    """Write one row per publication; lists and numbers keep their types."""
    n = 0
    with tempfile.TemporaryDirectory() as folder:
        lines, table = Path(folder, "rows.jsonl"), Path(folder, "rows.parquet")
        with lines.open("w", encoding="utf-8") as out:
            for row in rows:
                n += 1
                content = {**document(row), "databases": list(row.databases), "notes": row.provenance}
                if not row.tells_core:
                    content["is_core"] = None
                out.write(json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n")
        with duckdb.connect() as connection:
            connection.execute(
                "CREATE TABLE rows AS SELECT * FROM read_json($path, format = 'newline_delimited', columns = $columns)",
                {"path": str(lines), "columns": _PARQUET},
            )
            connection.table("rows").write_parquet(str(table))
        file.write(table.read_bytes())
    return n


_TEXTS = "publication_id title abstract doi pmid own_id venue volume issue pages kind url pmcid embedder notes"
_LISTS = (
    "authors keywords author_keywords types headings language issn references cite_source cite_label cite_string"
    " sources found_by relevant_by databases"
)
_PARQUET = {
    **dict.fromkeys(_TEXTS.split(), "VARCHAR"),
    **dict.fromkeys(_LISTS.split(), "VARCHAR[]"),
    **dict.fromkeys(("year", "times_cited"), "BIGINT"),
    **dict.fromkeys(("included", "is_retracted", "is_core"), "BOOLEAN"),
    "similarity": "DOUBLE",
}


# The table of tools.

_RIS_MIME = EXPORTS["ris"].mime
_RIS_FIELDS = "title, authors, abstract, year, DOI, journal, ISSN, language, publication type, database, notes"


def _ris_form(tags: Callable[[ExportRow, int], Tags]) -> ExportFormat:
    return ExportFormat("ris", "RIS", ".ris", _RIS_MIME, _ris(tags))


_ALL = (
    ExportTool(
        "asreview",
        "ASReview",
        ExportFormat("csv", "CSV", ".csv", "text/csv", _csv(ASREVIEW_COLUMNS, _cells)),
        ", ".join(ASREVIEW_COLUMNS),
        "In ASReview LAB, create a review and add the file as its dataset. Rows with the label 1 or 0 in the column"
        " “included” are prior knowledge.",
        "https://asreview.readthedocs.io/en/latest/lab/data_format.html",
        takes_labels=True,
    ),
    ExportTool(
        "rayyan",
        "Rayyan",
        _ris_form(_screening),
        _RIS_FIELDS,
        "In Rayyan, open the review, choose “Add References”, select the file (at most 100 MB) and name the import.",
        "https://help.rayyan.ai/hc/en-us/articles/17216953358353-How-to-Import-References-into-Rayyan",
    ),
    ExportTool(
        "covidence",
        "Covidence",
        _ris_form(_screening),
        _RIS_FIELDS,
        "In Covidence, open the review, choose Import, the stage (Screen) and the file: at most 15,000 references and"
        " 50 MB at a time.",
        "https://support.covidence.org/help/how-can-i-import-grey-literature-references-into-covidence",
    ),
    ExportTool(
        "endnote",
        "EndNote",
        _ris_form(_endnote),
        f"{_RIS_FIELDS}; a comma ends the names of organisations",
        "In EndNote, choose File, Import, the file, the import option “Reference Manager (RIS)” and the text"
        " translation Unicode (UTF-8).",
        "https://docs.endnote.com/docs/endnote/2025/v1/windows/en/content/03editref/author_and_editor_names.htm",
    ),
    ExportTool(
        "zotero",
        "Zotero",
        _ris_form(_zotero),
        f"{_RIS_FIELDS}; PMID and PMCID in Extra",
        "In Zotero, choose File, Import, and the file.",
        "https://www.zotero.org/support/kb/field_mappings",
    ),
    ExportTool(
        "citesource",
        "CiteSource",
        _ris_form(_citesource),
        f"{_RIS_FIELDS}; cite_source in DB, cite_label in C7, cite_string in C8, ids in C1 and C2",
        "In R, read the file with CiteSource's reimport_ris().",
        "https://github.com/ESHackathon/CiteSource/blob/main/R/reimport.R",
        is_blind=False,
    ),
    ExportTool(
        "parquet",
        "Parquet",
        ExportFormat("parquet", "Parquet", ".parquet", "application/vnd.apache.parquet", write_parquet),
        ", ".join(_PARQUET),
        "Read the file with DuckDB, pandas, Polars or R (arrow).",
        "https://parquet.apache.org/docs/",
        encoding="binary",
        is_blind=False,
    ),
)
TOOLS: Mapping[str, ExportTool] = MappingProxyType({tool.tool_id: tool for tool in _ALL})


def tool_named(tool_id: str) -> ExportTool:
    if tool_id not in TOOLS:
        raise NotFoundError(f'unknown tool "{tool_id}": choose from {", ".join(TOOLS)}')
    return TOOLS[tool_id]
