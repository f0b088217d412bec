"""What a search engine gave is read from a file row by row; what can't be judged is counted with its reason."""

from __future__ import annotations

import csv
import io
import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collections import Query
from core.errors import FormatError, QueryscapeError
from core.judge.judgments import JudgeCandidate
from data.judge.fields import read_results, results_field
from tests.data.notes import assert_notes

NAMES = ("engine", "rank", "title", "abstract", "doc_id", "year")
ROWS: list[dict[str, object]] = [
    {"query_id": "q1", "query": "tin lakes", "kind": "Few words", **dict(zip(NAMES, row, strict=True))}
    for row in (
        ("a", 2, "Salt", "", "d2", 2022),
        ("a", 1, "Tin", "Lakes, two.", "d1", 2021),
        ("b", 1, "Tin", "Lakes, two.", "x", 2021),
    )
]
WANTED = (
    JudgeCandidate("a", "q1", 1, "d1", "Tin", "Lakes, two."),
    JudgeCandidate("a", "q1", 2, "d2", "Salt", ""),
    JudgeCandidate("b", "q1", 1, "x", "Tin", "Lakes, two."),
)


def as_csv(rows: list[dict[str, object]], delimiter: str = ",") -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(dict.fromkeys(name for row in rows for name in row)), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_lines(rows: list[dict[str, object]]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


@pytest.mark.parametrize(
    "data",
    [
        as_csv(ROWS),
        as_csv(ROWS, "\t"),
        as_csv(ROWS, ";"),
        as_lines(ROWS),
        json.dumps(ROWS).encode(),
        b"\xef\xbb\xbf" + as_csv(ROWS),
    ],
)
def test_the_same_results_in_every_form(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "mine.dat"
    path.write_bytes(data)
    field = results_field(path)
    assert (field.name, field.candidates, field.notes) == ("mine", WANTED, ())
    assert field.queries == (Query("q1", "tin lakes", (("kind", "Few words"),)),)


def test_without_ids_engine_and_ranks_the_file_the_texts_and_the_order_speak() -> None:
    found = read_results(b"query,title\ntin,A\nsalt,B\ntin,C\n", "scholar.csv")
    assert [(c.engine, c.query_id, c.rank, c.title) for c in found.field.candidates] == [
        ("scholar", "tin", 1, "A"),
        ("scholar", "tin", 2, "C"),
        ("scholar", "salt", 1, "B"),
    ]
    assert len({c.doc_id for c in found.field.candidates}) == 3
    assert_notes(found.field.notes, ("scholar.csv: ", "without a rank"))


def test_a_long_query_without_an_id_has_one_that_tells_it_from_others() -> None:
    same = "tin lakes " * 20
    found = read_results(as_csv([{"query": f"{same}{n}", "title": "A"} for n in (1, 2)]), "mine.csv")
    ids = [query.query_id for query in found.field.queries]
    assert len(set(ids)) == 2
    assert max(map(len, ids)) <= 80


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"engine": ""}, "no engine"),
        ({"query": "", "query_id": ""}, "no query"),
        ({"query": "", "query_id": "q7"}, "query q7 has no text"),
        ({"query": "another"}, "query q1 already"),
        ({"title": "", "abstract": " "}, "neither a title"),
        ({"rank": "first"}, "rank “first”"),
        ({"rank": 0}, "rank “0”"),
        ({"rank": -1}, "rank “-1”"),
        ({"rank": 1.5}, "rank “1.5”"),
        ({"rank": 1}, "rank 1 is repeated"),
        ({"doc_id": "d1"}, "d1 is repeated"),
    ],
)
def test_a_row_that_cant_be_judged_is_rejected_with_its_line_and_the_rest_stays(
    change: dict[str, object], reason: str
) -> None:
    bad = {**ROWS[0], "rank": 3, "doc_id": "d3", **change}
    found = read_results(as_csv([*ROWS, bad]), "mine.csv")
    assert found.field.candidates == WANTED
    assert_notes(found.rejected, ("mine.csv, line 5: ", reason))
    assert (found.n_rows, found.n_rejected) == (4, 1)
    assert "1 of 4 rows were rejected" in found.field.notes[0]
    assert "(1, first in line 5)" in found.field.notes[0]


def test_a_text_is_filled_in_from_another_row_of_the_same_query() -> None:
    rows = [{**ROWS[0], "query": ""}, *ROWS[1:]]
    assert read_results(as_csv(rows), "mine.csv").field.candidates == WANTED


def test_what_differs_within_a_query_or_is_long_is_no_kind_of_query() -> None:
    rows = [{**row, "note": f"row {n}", "summary": "long " * 20} for n, row in enumerate(ROWS)]
    field = read_results(as_csv(rows), "mine.csv").field
    assert field.queries[0].labels == (("kind", "Few words"),)
    assert_notes(field.notes, ("mine.csv: not used", "kinds of query", ": note, summary"))


def test_rows_that_each_say_something_else_of_their_query_are_read_once() -> None:
    rows = [{"query": f"tin {n}", "title": "T", f"key {n}": "x"} for n in range(3_000)]
    found = read_results(as_lines(rows), "mine.jsonl")
    assert len(found.field.candidates) == 3_000
    assert found.field.queries[0].labels == (("key 0", "x"),)


def test_an_abstract_that_only_says_that_there_is_none_is_none() -> None:
    rows = [{**ROWS[0], "abstract": "[No abstract available]"}, *ROWS[1:]]
    assert read_results(as_csv(rows), "mine.csv").field.candidates == WANTED
    bare = {**ROWS[0], "title": "", "abstract": "N/A", "rank": 7}
    assert_notes(read_results(as_csv([*ROWS, bare]), "mine.csv").rejected, ("line 5", "neither a title"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"a,b\n1,2\n",
        b"query,title\n",
        b"query,title\n,x\n",
        b"[]",
        b"[1]",
        b"{",
        b"%PDF-1.7",
        b"PK\x03\x04xl/",
        b"\x00" * 900,
    ],
)
def test_a_file_without_results_is_an_error_in_words(data: bytes) -> None:
    with pytest.raises(FormatError):
        read_results(data, "mine.csv")


@settings(max_examples=50)
@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        found = read_results(b"query,rank,title\n" + data, "mine.csv")
    except QueryscapeError:
        return
    assert len(found.field.candidates) + found.n_rejected == found.n_rows


cells = st.sampled_from(["", "1", "2", "x"])


@settings(max_examples=40)
@given(
    st.lists(
        st.fixed_dictionaries(dict.fromkeys(("engine", "query_id", "query", "rank", "title", "doc_id"), cells)),
        min_size=1,
    )
)
def test_every_row_is_taken_or_counted_and_ranks_rise_within_an_answer(rows: list[dict[str, str]]) -> None:
    try:
        found = read_results(as_lines(list(rows)), "mine.jsonl")
    except FormatError:
        return
    candidates = found.field.candidates
    assert len(candidates) + found.n_rejected == found.n_rows == len(rows)
    places = [(c.engine, c.query_id, c.rank) for c in candidates]
    assert len(set(places)) == len(places)
    for before, after in pairwise(candidates):
        assert (before.engine, before.query_id) != (after.engine, after.query_id) or before.rank < after.rank
