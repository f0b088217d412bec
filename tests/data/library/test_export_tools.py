"""Exports by tool: what each gets is read back, and core publications stay hidden unless asked."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError, NotFoundError
from core.library.records import Record
from data.importers.reading import read_data
from data.library.export_formats import ExportRow
from data.library.export_tools import TOOLS, ExportChoices, prepared, tool_named
from tests.data.library.export_records import SCREENED, clean_records

_RECORD = replace(SCREENED.record, included=None, cite_source=(), cite_label=(), cite_string=())
UNSEEN = replace(SCREENED, record=_RECORD, databases=("MEDLINE", "Scopus"))
READ_BACK = [tool_id for tool_id in TOOLS if tool_id != "parquet"]


def written(tool_id: str, rows: list[ExportRow], choices: ExportChoices = ExportChoices()) -> bytes:  # noqa: B008
    tool, file = TOOLS[tool_id], io.BytesIO()
    assert tool.form.write(prepared(rows, tool, choices), file) == len(rows)
    return file.getvalue()


@pytest.mark.parametrize("tool_id", READ_BACK)
@settings(max_examples=25)
@given(records=st.lists(clean_records(), min_size=1, max_size=4, unique_by=lambda record: record.own_id or id(record)))
def test_what_a_tool_gets_is_read_back(tool_id: str, records: list[Record]) -> None:
    rows = [ExportRow(record, f"q{n}", databases=("MEDLINE",)) for n, record in enumerate(records)]
    again = read_data(written(tool_id, rows), f"selection{TOOLS[tool_id].form.suffix}").records
    for before, after in zip(records, again, strict=True):
        assert (after.title, after.doi, after.year) == (before.title, before.doi, before.year)
        if not any(" and " in name for name in before.authors):  # read as two names where a table has one cell for all
            assert after.authors == before.authors


def test_parquet_keeps_lists_and_numbers(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    file.write_bytes(written("parquet", [UNSEEN]))
    found = duckdb.sql(f"SELECT title, doi, year, authors, databases, issn, is_core FROM '{file}'").fetchall()
    record = UNSEEN.record
    expected = (record.title, record.doi, record.year, list(record.authors), ["MEDLINE", "Scopus"], list(record.issn))
    assert found == [(*expected, None)]


@pytest.mark.parametrize("tool_id", READ_BACK)
def test_the_fields_that_tools_need_are_there(tool_id: str) -> None:
    text = written(tool_id, [UNSEEN]).decode("utf-8-sig")
    for word in ("1234-567X", "English", "MEDLINE", "Journal Article"):
        assert word in text


@pytest.mark.parametrize("tool_id", READ_BACK)
def test_core_publications_are_named_only_if_asked(tool_id: str) -> None:
    assert b"core publication" not in written(tool_id, [UNSEEN])
    assert b"core publication" in written(tool_id, [UNSEEN], ExportChoices(core_in_notes=True))


def test_asreview_gets_labels_only_if_asked() -> None:
    other = replace(UNSEEN, is_core=False, publication_id="p2")

    def labels(choices: ExportChoices) -> list[str]:
        text = written("asreview", [UNSEEN, other], choices).decode("utf-8-sig")
        return [line["included"] for line in csv.DictReader(io.StringIO(text, newline=""))]

    assert labels(ExportChoices()) == ["", ""]
    assert labels(ExportChoices(core_as_prior=True)) == ["1", ""]


def test_citesource_reads_its_own_tags() -> None:
    record = read_data(written("citesource", [UNSEEN]), "a.ris").records[0]
    assert (record.cite_source, record.cite_label, record.cite_string) == (
        ("MEDLINE", "Scopus"),
        ("search",),
        ("baseline",),
    )


def test_a_tool_without_prior_knowledge_takes_no_labels() -> None:
    with pytest.raises(InputError):
        written("covidence", [UNSEEN], ExportChoices(core_as_prior=True))


def test_an_unknown_tool_is_refused() -> None:
    with pytest.raises(NotFoundError):
        tool_named("none")
