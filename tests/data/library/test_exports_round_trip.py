"""What is written is read back: every format that Queryscape writes, by its own readers."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.library.records import FIELDS, Record
from data.importers.reading import read_data, read_file
from data.library.export_formats import EXPORTS, ExportRow
from data.library.export_formats import LOST as LOST_IN_PLAIN_FILES
from data.library.export_tools import TOOLS
from tests.data.library.export_records import SCREENED, clean_records

READ_AS = {
    "ris": "ris",
    "csv": "queryscape_csv",
    "bibtex": "bibtex",
    "jsonl": "queryscape_jsonl",
    "csl_json": "csl_json",
    "parquet": "queryscape_parquet",
}
FORMS = {**EXPORTS, "parquet": TOOLS["parquet"].form}
LOST = {**LOST_IN_PLAIN_FILES, "parquet": LOST_IN_PLAIN_FILES["jsonl"]}


def read_back(export_id: str, rows: Sequence[ExportRow]) -> tuple[Record, ...]:
    """What the project's reader finds in a file that was just written."""
    form = FORMS[export_id]
    file = io.BytesIO()
    assert form.write(rows, file) == len(rows)
    reading = read_data(file.getvalue(), f"selection{form.suffix}")
    assert reading.format_id == READ_AS[export_id]
    assert (reading.rejected, reading.records_in_file) == ((), len(rows))
    return reading.records


PARTLY: dict[str, Callable[[Any], bool]] = {
    "kind": lambda kind: kind is None,
    "own_id": lambda own_id: own_id is None,
    "url": lambda url: " " in (url or ""),
    "is_retracted": lambda is_retracted: is_retracted is False,
    "types": lambda types: types == ("Preprint",),
}
"""Fields that are lost in some records only: where there is nothing, or more than one address."""


IN_TABLES_ONLY = {"headings", "references", "cite_source", "cite_label", "cite_string"}


def kept(export_id: str, record: Record) -> dict[str, object]:
    """The fields that must survive."""
    lost = LOST[export_id]
    values = {name: getattr(record, name) for name in FIELDS}
    if "headings" in lost:
        values["keywords"] = record.subjects
    return {
        name: value
        for name, value in values.items()
        if name not in lost or (name in PARTLY and not PARTLY[name](value))
    }


def handed(records: Sequence[Record]) -> list[ExportRow]:
    """As a selection hands them over, with what Queryscape says of them."""
    said = {"sources": ("a.ris #1",), "found_by": ("v1",), "is_core": True, "similarity": 0.5, "embedder": "lsa"}
    return [ExportRow(record, f"q{n}", **said) for n, record in enumerate(records)]  # type: ignore[arg-type]


@pytest.mark.parametrize("export_id", FORMS)
@settings(max_examples=30)
@given(records=st.lists(clean_records(), min_size=1, max_size=4, unique_by=lambda record: record.own_id or id(record)))
def test_what_is_written_is_read_back(export_id: str, records: list[Record]) -> None:
    again = read_back(export_id, handed(records))
    for before, after in zip(records, again, strict=True):
        expected = kept(export_id, before)
        assert {name: getattr(after, name) for name in expected} == expected


@pytest.mark.parametrize("export_id", FORMS)
def test_a_full_record_is_read_back(export_id: str) -> None:
    (again,) = read_back(export_id, [SCREENED])
    expected = kept(export_id, SCREENED.record)
    assert {name: getattr(again, name) for name in expected} == expected
    assert set(FIELDS) - set(expected) <= {"query_id", "as_written", "included", *IN_TABLES_ONLY}
    assert export_id in ("ris", "bibtex") or set(expected) >= IN_TABLES_ONLY


@pytest.mark.parametrize("export_id", FORMS)
def test_of_several_addresses_the_first_is_read_back(export_id: str) -> None:
    both = "https://a.org/~x?b=1;c#d https://b.org/2"
    (again,) = read_back(export_id, handed([Record(1, title="Tea", url=both)]))
    assert again.url == (both if "url" not in LOST[export_id] else "https://a.org/~x?b=1;c#d")


@pytest.mark.parametrize("export_id", FORMS)
def test_a_second_export_of_what_was_read_is_the_same_file(export_id: str) -> None:
    row = replace(SCREENED, record=replace(SCREENED.record, included=None))
    files = []
    for _ in range(2):
        file = io.BytesIO()
        FORMS[export_id].write([row], file)
        files.append(file.getvalue())
        row = replace(row, record=read_data(file.getvalue(), "x").records[0])
    assert files[0] == files[1]


REAL = (
    "citesource_stages/Dimensions_246.ris",
    "citesource_new_benchmark/search2_278.ris",
    "formats/colrev__web_of_science_bib.bib",
    "asreview_Cohen_2006/ADHD.csv",
)


@pytest.mark.collections
@pytest.mark.parametrize("export_id", FORMS)
@pytest.mark.parametrize("name", REAL)
def test_real_records_survive(collections_dir: Path, name: str, export_id: str) -> None:
    records = read_file(collections_dir / name).records
    assert records
    again = read_back(export_id, handed(records))
    differ = [
        (before.number, field)
        for before, after in zip(records, again, strict=True)
        for field, value in kept(export_id, before).items()
        if getattr(after, field) != value
    ]
    assert differ == []
