"""Exports by tool: what each gets is read back, and screeners stay blind unless asked."""

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
from data.explore.workspace import Workspace
from data.importers.reading import read_data
from data.library.export_formats import ExportRow
from data.library.export_tools import TOOLS, ExportChoices, contents, exported_rows, prepared, tool_named
from data.library.selection import Among, ExportSelection, select
from tests.data.library.export_records import SCREENED, any_records, clean_records, hand_offs
from tests.data.workspaces import CORE, TOPIC, VERSIONS, N, Version, fill, ids_of

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


BLIND = [tool_id for tool_id, tool in TOOLS.items() if tool.is_blind]


@pytest.mark.parametrize("tool_id", BLIND)
@settings(max_examples=50)
@given(row=hand_offs(any_records()), databases=st.lists(st.sampled_from(["MEDLINE", "Scopus"])).map(tuple))
def test_a_blind_tool_gets_the_same_bytes_whatever_is_known(
    tool_id: str, row: ExportRow, databases: tuple[str, ...]
) -> None:
    """No byte depends on core, versions, similarity, regions, lists or decisions."""
    known = replace(row, databases=databases, of_searches=("scopus.ris #12",))
    record = replace(row.record, included=None, cite_source=(), cite_label=(), cite_string=())
    unknown = ExportRow(record, row.publication_id, ("scopus.ris #12",), databases=databases)
    assert written(tool_id, [known]) == written(tool_id, [unknown])


@pytest.mark.parametrize("among", ["retrieved", "everything"])
def test_the_order_tells_neither_core_nor_version(tmp_path: Path, among: Among) -> None:
    """Two workspaces with the same publications, another core and versions the other way round: the same bytes."""
    turned = [Version("other", 1, ids_of(10, N)), Version("last", 2, ids_of(0, 20))]
    files = []
    for name, core_ids, versions in (("one", CORE, VERSIONS), ("two", ids_of(20, 30), turned)):
        fill(tmp_path / name, core_ids=core_ids, versions=versions, landscape=False)
        with Workspace.open(tmp_path / name) as workspace:
            selected = select(workspace, TOPIC, ExportSelection(among=among), regions=())
            file = io.BytesIO()
            tool = TOOLS["rayyan"]
            assert tool.form.write(exported_rows(selected, tool, ExportChoices()), file) == N
            files.append(file.getvalue())
    assert files[0] == files[1]


@pytest.mark.parametrize("tool_id", sorted(set(TOOLS) - set(BLIND) - {"parquet"}))
@settings(max_examples=25)
@given(row=hand_offs(any_records()))
def test_other_tools_get_the_same_bytes_for_core_publications(tool_id: str, row: ExportRow) -> None:
    assert written(tool_id, [replace(row, is_core=True)]) == written(tool_id, [replace(row, is_core=False)])


@pytest.mark.parametrize("tool_id", READ_BACK)
def test_notes_tell_everything_if_asked(tool_id: str) -> None:
    told = written(tool_id, [UNSEEN], ExportChoices(core_in_notes=True)).decode("utf-8-sig")
    for fact in ("core publication", "baseline", "0.734", "cosine", "scopus.ris #12"):
        assert fact in told


@pytest.mark.parametrize("tool_id", BLIND)
def test_source_files_are_always_in_the_notes(tool_id: str) -> None:
    assert b"scopus.ris #12" in written(tool_id, [UNSEEN])


@pytest.mark.parametrize("tool_id", TOOLS)
@pytest.mark.parametrize("in_notes", [False, True])
def test_the_contents_are_those_of_the_file(tool_id: str, in_notes: bool) -> None:
    tool, choices = TOOLS[tool_id], ExportChoices(core_in_notes=in_notes)
    sentence, file = contents(tool.form, tool, choices), written(tool_id, [UNSEEN], choices)
    if tool_id != "parquet":
        assert ("core publications" in sentence) == (b"core publication" in file)
        assert ("similarity" in sentence) == (b"0.734" in file)


def test_earlier_decisions_are_labels_only_if_asked() -> None:
    row = replace(UNSEEN, record=replace(UNSEEN.record, included=False), is_core=False)

    def label(choices: ExportChoices) -> str:
        text = written("asreview", [row], choices).decode("utf-8-sig")
        return next(csv.DictReader(io.StringIO(text, newline="")))["included"]

    assert label(ExportChoices()) == ""
    assert label(ExportChoices(core_as_prior=True)) == label(ExportChoices(core_in_notes=True)) == "0"


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


def test_endnote_gets_organisations_with_a_comma() -> None:
    lines = written("endnote", [UNSEEN]).decode().splitlines()
    assert [line for line in lines if line.startswith("AU")] == ["AU  - Müller, Ana", "AU  - World Tea Organization,"]


def test_zotero_gets_identifiers_in_extra_and_reads_no_preprint_as_an_article() -> None:
    lines = written("zotero", [replace(UNSEEN, record=replace(UNSEEN.record, kind="preprint"))]).decode().splitlines()
    assert lines[0] == "TY  - UNPD"
    assert [line for line in lines if line.startswith("M2")] == ["M2  - PMID: 35957633", "M2  - PMCID: PMC77"]
    chapter = written("zotero", [replace(UNSEEN, record=replace(UNSEEN.record, kind="chapter"))]).decode()
    assert "C2  - " not in chapter
    assert "PMC77" in chapter


def test_a_tool_without_prior_knowledge_takes_no_labels() -> None:
    with pytest.raises(InputError):
        written("covidence", [UNSEEN], ExportChoices(core_as_prior=True))


def test_an_unknown_tool_is_refused() -> None:
    with pytest.raises(NotFoundError):
        tool_named("none")
