"""Queries that people bring themselves become a collection, in whatever form they come; what is none is named."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collections import Query
from core.errors import FormatError
from data.importers.collection_files import MOST_KINDS, pasted_queries, read_collection

TIN, SALT = "tin lakes of the north", "salt, or no salt?"
KINDS = (("query type", "How To"), ("length", "Few words"))
SETTINGS = {"query_type": "How To", "length": "Few words"}
ITEMS = [{"id": "a", "query": TIN, **SETTINGS}, {"id": "b", "query": SALT, **SETTINGS}]
WANTED = (Query("a", TIN, KINDS), Query("b", SALT, KINDS))
FORMS = {
    "list.json": json.dumps(ITEMS),
    "lines.jsonl": "\n".join(json.dumps(item) for item in ITEMS),
    "pretty.json": json.dumps({"queries": ITEMS}, indent=2),
    "lantern.json": json.dumps({item["id"]: {"settings": SETTINGS, "search_query": item["query"]} for item in ITEMS}),
    "other_lantern.json": json.dumps({item["id"]: {"query": item["query"], "settings": SETTINGS} for item in ITEMS}),
    "table.csv": f'id,query,Query Type,length\na,{TIN},How To,Few words\nb,"{SALT}",How To,Few words\n',
    "table.tsv": f"query\tid\tquery-type\tlength\n{TIN}\ta\tHow To\tFew words\n{SALT}\tb\tHow To\tFew words\n",
    "semicolons.csv": f"\ufeffid;query;query_type;length\r\na;{TIN};How To;Few words\r\nb;{SALT};How To;Few words\r\n",
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_same_queries_with_their_kinds(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(FORMS[name].encode())
    for where in (path, tmp_path):
        read = read_collection(where)
        if name == "lines.jsonl":
            assert [(query.query_id, query.text) for query in read.collection.queries] == [("a", TIN), ("b", SALT)]
        else:
            assert read.collection.queries == WANTED
        assert (read.collection.documents, read.collection.judgments, read.rejected) == ((), (), ())
    assert [(q.query_id, q.text, dict(q.labels)) for q in pasted_queries(FORMS[name]).queries] == [
        (q.query_id, q.text, dict(q.labels)) for q in WANTED
    ]


@pytest.mark.parametrize(
    "text",
    [json.dumps([TIN, SALT]), f"query\n{TIN}\n{SALT}\n", json.dumps([{"query": TIN}, {"query": SALT}])],
)
def test_queries_without_an_id_are_numbered(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine"
    path.write_text(text, "utf-8")
    assert read_collection(path).collection.queries == (Query("q1", TIN), Query("q2", SALT))


def test_of_several_files_each_is_a_split_as_they_number_theirs_alike(tmp_path: Path) -> None:
    (tmp_path / "first.csv").write_text(f"query,kind\n{TIN},x\n", "utf-8")
    (tmp_path / "second.json").write_text(json.dumps([{"query": TIN, "kind": "y"}]), "utf-8")
    found = read_collection(tmp_path).collection
    assert found.query_ids == ("first/q1", "second/q1")
    assert found.splits == {"first": ("first/q1",), "second": ("second/q1",)}


def test_what_is_no_query_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(f"query,kind\n{TIN},x\n,y\n{SALT},z\ntin,x,1\n", "utf-8")
    read = read_collection(path)
    assert read.collection.queries == (Query("q1", TIN, (("kind", "x"),)),)
    assert [(each.line, "without a text" in each.reason) for each in read.rejected] == [
        (3, True),
        (4, False),
        (5, False),
    ]
    assert ["3 cells but 2 columns" in each.reason for each in read.rejected] == [False, True, True]


def test_a_long_text_about_a_query_is_no_kind_of_query_and_a_note_says_so(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(
        json.dumps([{"query": TIN, "kind": "x", "history": "long " * 50, "year": 2020, "new": True}]), "utf-8"
    )
    read = read_collection(path)
    assert read.collection.queries[0].labels == (("kind", "x"), ("year", "2020"), ("new", "True"))
    assert any("“history”" in note for note in read.notes)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"name": "a benchmark", "version": "1"}),
        json.dumps(["1", "2"]),
        json.dumps([{"query": TIN, "title": "Tin", "rank": 1}]),
        "engine,query,rank,title\nx,y,1,z\n",
        "name,kind\nx,y\n",
        "Some words on query files.\n",
    ],
)
def test_what_lies_beside_a_collection_is_not_taken_for_queries(tmp_path: Path, text: str) -> None:
    (tmp_path / "aside").write_text(text, "utf-8")
    with pytest.raises(FormatError):
        read_collection(tmp_path)


def test_lines_are_queries_where_nothing_else_is_said() -> None:
    found = pasted_queries(f"{TIN}\r\n\n  {SALT} \n")
    assert found.queries == (Query("q1", TIN), Query("q2", SALT))
    assert pasted_queries("query AND engine, title\nx").queries[0].text == "query AND engine, title"


def test_an_id_that_stands_there_again_is_rejected() -> None:
    found = pasted_queries('[{"id": 1, "query": "tin"}, {"id": "1", "query": "salt"}, 7, {"id": 2}]')
    assert [query.text for query in found.queries] == ["tin"]
    assert len(found.rejected) == 3


@pytest.mark.parametrize("text", ["", " \n ", "[", "[]", "{}", '["', "query,kind\n", "[" * 100_000, '{"a": ' * 50_000])
def test_a_text_without_a_query_is_an_error_in_words(text: str) -> None:
    with pytest.raises(FormatError):
        pasted_queries(text)


@pytest.mark.parametrize(
    "text", ["query" + "," * 900 + "\nx", "query,kind\n" + '"' * 200_000, "query,kind\n" + '"a,b\n' * 200]
)
def test_a_table_that_is_none_takes_no_time_and_no_other_error(text: str) -> None:
    with suppress(FormatError):
        assert pasted_queries(text).queries


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = pasted_queries(text)
    except FormatError:
        return
    assert len({query.query_id for query in found.queries}) == len(found.queries) > 0
    assert all(query.text.strip() for query in found.queries)


@settings(max_examples=40)
@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8), min_size=1, max_size=5))
def test_a_list_of_texts_comes_back(words: list[str]) -> None:
    assert [query.text for query in pasted_queries(json.dumps(words)).queries] == words


def test_kinds_without_end_are_left_out_and_a_note_says_so() -> None:
    items = [{"query": f"tin {n}", "type": "a", f"key {n}": "b"} for n in range(MOST_KINDS + 20)]
    found = pasted_queries(json.dumps(items))
    assert len(found.queries) == len(items)
    assert {name for query in found.queries for name, _ in query.labels} == {
        "type",
        *(f"key {n}" for n in range(MOST_KINDS - 1)),
    }
    assert all(("type", "a") in query.labels for query in found.queries)
    assert "and 18 more" in found.notes[0]


def test_a_number_that_is_an_id_of_another_query_is_not_given_again() -> None:
    found = pasted_queries("query_id,query\nq2,tin\n,salt\n,tea\n")
    assert [(query.query_id, query.text) for query in found.queries] == [
        ("q2", "tin"),
        ("q2 (line 3)", "salt"),
        ("q3", "tea"),
    ]
    assert found.rejected == ()
