"""Parquet: the same records as from the same table in CSV; lists, structures and damaged files."""

from __future__ import annotations

import base64
import csv
import io
from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import FormatError, QueryscapeError
from data.importers import parquet
from data.importers.reading import read_data
from data.importers.source import FileReading, ReadOptions, opened
from data.importers.table_formats import proposed_columns
from tests.messages import refusal


def parquet_file(table: pa.Table | dict[str, Any], **options: Any) -> bytes:
    file = io.BytesIO()
    pq.write_table(table if isinstance(table, pa.Table) else pa.table(table), file, **options)
    return file.getvalue()


def csv_file(columns: list[str], rows: list[list[str]]) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_ALL).writerows([columns, *rows])
    return file.getvalue().encode()


def reading(data: bytes, **columns: str) -> FileReading:
    found = read_data(data, "list.dat", asked=ReadOptions(columns or None))
    assert len(found.records) + len(found.rejected) == found.records_in_file
    return found


_TEXTS = st.text("aZé9 ;,.'\"|&-/", max_size=12)
_COLUMNS = ["Title", "Authors", "Publication Year", "DOI", "Keywords", "Journal", "Type", "Label", "My notes"]
_ROWS = st.lists(
    st.tuples(_TEXTS.map("Tea {}".format), _TEXTS, st.sampled_from(["", "2019", "c2004", "x"]), *[_TEXTS] * 6).map(
        list
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=40)
@given(rows=_ROWS, n_columns=st.integers(3, len(_COLUMNS)))
def test_a_table_reads_like_the_same_table_in_csv(rows: list[list[str]], n_columns: int) -> None:
    columns, rows = _COLUMNS[:n_columns], [row[:n_columns] for row in rows]
    arrays = [pa.array([row[place] or None for row in rows]) for place in range(n_columns)]
    of_parquet = reading(parquet_file(pa.table(arrays, names=columns)))
    of_csv = reading(csv_file(columns, rows))
    assert (of_parquet.format_id, of_parquet.encoding) == ("parquet", "parquet")
    assert [record.document() for record in of_parquet.records] == [record.document() for record in of_csv.records]
    assert of_parquet.unused == of_csv.unused
    assert [record.line for record in of_parquet.records] == [*range(1, len(rows) + 1)]


@pytest.mark.parametrize(
    "row",
    [
        {
            "EID": "2-s2.0-1",
            "Source title": "J",
            "Title": "Soup",
            "Authors": "Kho L. (12345678)",
            "Link": "https://a.org",
        },
        {"Publication ID": "pub.1234", "PubYear": "2019", "Title": "Soup", "Authors": "Kho, Lena; Ames, Rob"},
        {"Title": "Soup", "Abstract": "Hot.", "included": "1", "Authors": "Kho, Lena"},
    ],
)
def test_providers_are_known_by_their_columns(row: dict[str, str]) -> None:
    of_csv = reading(csv_file([*row], [[*row.values()]]))
    of_parquet = reading(parquet_file({name: [text] for name, text in row.items()}))
    assert of_parquet.records[0].document() == of_csv.records[0].document()


def test_numbers_dates_and_empty_values() -> None:
    table = {
        "id": pa.array([1, None, 2**64 - 1], pa.uint64()),
        "title": ["Soup", None, "Broth"],
        "year": pa.array([2019.0, float("nan"), None]),
        "date": [date(2018, 1, 2), None, date(2020, 5, 1)],
        "times cited": pa.array([Decimal("7.00"), None, Decimal("9" * 30)], pa.decimal128(38, 2)),
        "included": [True, None, False],
        "pmid": pa.array([b"12345678", None, b"\xff"], pa.binary()),
    }
    found = reading(parquet_file(table))
    assert [(r.line, r.own_id, r.year, r.times_cited, r.included, r.pmid) for r in found.records] == [
        (1, "1", 2019, 7, True, "12345678"),
        (3, str(2**64 - 1), 2020, None, False, None),
    ]
    assert found.records_in_file == 2


def test_lists_and_structures_become_several_values() -> None:
    name = pa.struct([("family", pa.string()), ("given", pa.string())])
    table = {
        "title": pa.array([["Soup", "Suppe"]]),
        "abstract": pa.array([["Hot.", "Good."]]),
        "authors": pa.array(
            [[{"family": "Kho", "given": "L."}, None, {"family": "Ames", "given": None}]], pa.list_(name)
        ),
        "keywords": pa.array([["Beverages, Hot", 'a; "b"', "c|d"]]),
        "journal": pa.array([{"name": "J", "issn": "1234-567X"}]),
        "issued": pa.array([{"year": 2019, "month": 1}]),
        "doi": pa.array([["10.1000/x"]]),
        "language": pa.array([["en", "fr"]]),
        "issn": pa.array([["1234-567X", "8765-4321"]]),
        "urls": pa.array([["https://a.org", "https://b.org"]]),
        "tags": pa.array([[]], pa.list_(pa.string())),
        "map": pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64())),
        "seen": [datetime(2019, 3, 1, 12, tzinfo=UTC)],
    }
    found = reading(parquet_file(table))
    (record,) = found.records
    assert (record.title, record.abstract, record.authors) == ("Soup", "Hot. Good.", ("Kho, L.", "Ames"))
    assert (record.keywords, record.venue, record.year) == (("Beverages, Hot", 'a; "b"', "c|d"), "J", 2019)
    assert (record.doi, record.language, record.issn) == ("10.1000/x", ("en", "fr"), ("1234-567X", "8765-4321"))
    assert record.url == "https://a.org https://b.org"
    assert set(found.unused) == {"map", "seen"}


def test_a_text_in_brackets_is_no_list() -> None:
    titles = ["[Tea in 'autumn'].", '["Tea" in autumn]', '["Tea", 1]', "[]"]
    assert [record.title for record in reading(parquet_file({"title": titles, "year": [2019] * 4})).records] == titles


def test_unknown_and_repeated_columns_can_be_mapped() -> None:
    data = parquet_file(pa.Table.from_arrays([pa.array(["Soup"]), pa.array(["Broth"])], names=["what", "what"]))
    with refusal(FormatError):
        reading(data)
    assert reading(data, title="what (2)").records[0].title == "Broth"
    proposal = proposed_columns(opened(data, "x"))
    assert (proposal.columns, proposal.sample) == (("what", "what (2)"), (("Soup", "Broth"),))


def test_a_table_without_rows_has_no_records() -> None:
    assert reading(parquet_file({"title": pa.array([], pa.string())})).records_in_file == 0
    assert reading(parquet_file({"title": pa.array([None], pa.string())})).records_in_file == 0


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "brotli", "lz4", "zstd"])
def test_every_usual_compression_is_read(compression: str) -> None:
    data = parquet_file({"title": ["Soup"] * 3_000, "id": [*range(3_000)]}, compression=compression)
    assert [int(record.own_id or "") for record in reading(data).records] == [*range(3_000)]


class _Keys(pe.KmsClient):
    def __init__(self, _: pe.KmsConnectionConfig) -> None:
        super().__init__()

    def wrap_key(self, key_bytes: bytes, master_key_identifier: str) -> bytes:
        return base64.b64encode(key_bytes)


def encrypted(*, plain_footer: bool) -> bytes:
    settings = pe.EncryptionConfiguration("footer", column_keys={"c": ["title"]}, plaintext_footer=plain_footer)
    properties = pe.CryptoFactory(_Keys).file_encryption_properties(pe.KmsConnectionConfig(), settings)
    return parquet_file({"title": ["Soup"], "year": [2019]}, encryption_properties=properties)


def not_utf_8() -> bytes:
    buffers = pa.array([b"Soup \xff"], pa.binary()).buffers()
    return parquet_file({"title": pa.Array.from_buffers(pa.string(), 1, buffers)})


SOUND = parquet_file({"title": ["Soup", "Broth"], "year": [2019, 2020]})
UNREADABLE = {
    "cut off": SOUND[: len(SOUND) // 2],
    "the middle is missing": SOUND[:40] + SOUND[-20:],
    "only its marks": b"PAR1PAR1",
    "encrypted": encrypted(plain_footer=False),
    "encrypted columns": encrypted(plain_footer=True),
    "no columns": parquet_file({}),
    "not UTF-8": not_utf_8(),
}


@pytest.mark.parametrize("damage", UNREADABLE)
def test_what_is_no_sound_parquet_is_one_sentence(damage: str) -> None:
    with refusal(FormatError):
        reading(UNREADABLE[damage])


@settings(max_examples=40)
@given(place=st.integers(4, len(SOUND) - 5), with_=st.binary(min_size=1, max_size=8))
def test_a_damaged_file_is_read_or_refused(place: int, with_: bytes) -> None:
    with suppress(QueryscapeError):
        reading(SOUND[:place] + with_ + SOUND[place + len(with_) :])


def test_more_rows_than_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "MOST_ROWS", 1)
    with pytest.raises(FormatError, match="2 rows"):
        reading(SOUND)


def test_a_file_that_unpacks_to_more_than_memory_holds_is_refused() -> None:
    data = parquet_file({"title": pa.DictionaryArray.from_arrays([0] * 200, ["Soup " * 1_000_000])})
    assert len(data) < 10_000_000
    with pytest.raises(FormatError, match=r"1\.0 GB"):
        reading(data)


def test_a_text_can_begin_with_the_same_letters() -> None:
    assert reading(b"PAR1 study,Title\n1,Soup\n").records[0].title == "Soup"


def test_only_parquet_is_read_as_parquet_of_ours() -> None:
    with refusal(FormatError):
        read_data(b"Title,Year\nSoup,2019\n", "x.csv", format_id="queryscape_parquet")
