"""Collections in the store: they come back as they were, whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from core.collections import Collection, Document, Judgment, Query
from core.errors import InputError, NotFoundError, StoreError
from data import collections as stored
from data.collections import (
    checked_name,
    delete_collection,
    find_collection,
    list_collections,
    list_runs,
    load_collection,
    load_documents,
    run_key,
    save_collection,
    save_run,
)
from data.store import Store
from tests.data.benchmarks import SOUP, collections, same_collection, saved_run
from tests.data.children import killed_child
from tests.messages import refusal

TABLES = ("collections", "collection_documents", "collection_queries", "collection_judgments", "runs", "run_documents")


def counts(store: Store) -> dict[str, int]:
    return {table: store.rows(f"SELECT count(*) FROM {table}")[0][0] for table in TABLES}


@settings(max_examples=15)
@given(collections())
def test_what_is_loaded_is_what_was_saved(shared: Store, collection: Collection) -> None:
    row = save_collection(shared, collection, origin="drawn", replace=True)
    loaded = load_collection(shared, "drawn")
    assert same_collection(loaded, collection)
    assert run_key(loaded) == run_key(collection) == row.key
    known = {query.query_id for query in collection.queries}
    assert (row.n_documents, row.n_queries) == (len(collection.documents), len(collection.queries))
    assert row.n_judgments == len(collection.judgments)
    assert row.n_judged_queries == len({j.query_id for j in collection.judgments if j.relevance > 0} & known)
    assert row.splits == tuple(collection.splits)
    assert set(row.labels) == {name for query in collection.queries for name, _ in query.labels}
    assert list_collections(shared) == (row,)


def test_a_row_tells_what_there_is(store: Store) -> None:
    row = save_collection(store, SOUP, origin="a kitchen", notes=["one line is gone"])
    assert row == find_collection(store, "soup")
    assert (row.n_documents, row.n_queries, row.n_judgments, row.n_judged_queries) == (3, 3, 4, 1)
    assert (row.splits, row.labels) == (("tune", "test"), ("by", "kind"))
    assert (row.origin, row.notes, row.made_up) == ("a kitchen", ("one line is gone",), False)
    save_collection(store, replace(SOUP, name="a second", made_up=True, documents=()), origin="")
    assert [(row.name, row.made_up, row.n_documents) for row in list_collections(store)] == [
        ("a second", True, 0),
        ("soup", False, 3),
    ]
    assert load_documents(store, "soup") == SOUP.documents
    assert load_documents(store, "a second") == ()


def test_more_rows_than_one_statement_takes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "AT_ONCE", 2)
    many = replace(SOUP, documents=tuple(Document(f"d{n}", str(n), "") for n in range(7)))
    save_collection(store, many, origin="")
    assert same_collection(load_collection(store, "soup"), many)


def test_one_of_the_same_name_is_replaced_only_when_told(store: Store) -> None:
    save_collection(store, SOUP, origin="first")
    other = replace(SOUP, queries=(Query("q1", "another"),), judgments=(), splits={})
    with refusal(InputError):
        save_collection(store, other, origin="second")
    assert find_collection(store, "soup").origin == "first"
    save_collection(store, other, origin="second", replace=True)
    assert same_collection(load_collection(store, "soup"), other)
    assert counts(store)["collection_documents"] == 3


def test_runs_outlive_a_change_of_judgments_and_nothing_else(store: Store) -> None:
    save_collection(store, SOUP, origin="")
    save_run(store, saved_run())
    save_collection(store, replace(SOUP, judgments=(Judgment("q1", "d2", 1),)), origin="", replace=True)
    assert len(list_runs(store, "soup", None)) == 1
    save_collection(store, replace(SOUP, documents=SOUP.documents[:2]), origin="", replace=True)
    assert list_runs(store, "soup", None) == ()
    assert counts(store)["run_documents"] == 0


@pytest.mark.parametrize(
    "change",
    [
        {"documents": SOUP.documents[::-1]},
        {"documents": (*SOUP.documents[:2], Document("d3", "Stew!", ""))},
        {"queries": SOUP.queries[:2]},
        {"queries": (Query("q1", "leek"), *SOUP.queries[1:])},
    ],
)
def test_the_key_changes_with_documents_and_queries(change: dict[str, object]) -> None:
    assert run_key(replace(SOUP, **change)) != run_key(SOUP)  # type: ignore[arg-type]
    assert run_key(replace(SOUP, judgments=(), splits={}, name="x", made_up=True)) == run_key(SOUP)


def test_deleting_leaves_nothing_and_touches_no_other(store: Store) -> None:
    save_collection(store, SOUP, origin="")
    before = counts(store)
    save_collection(store, replace(SOUP, name="other"), origin="")
    save_run(store, saved_run())
    save_run(store, replace(saved_run("r2"), collection="other"))
    delete_collection(store, "other")
    assert [row.name for row in list_collections(store)] == ["soup"]
    assert [row.run_id for row in list_runs(store, "soup", None)] == ["r1"]
    assert list_runs(store, "other", None) == ()
    delete_collection(store, "soup")
    assert set(before.values()) != {0}
    assert set(counts(store).values()) == {0}
    with pytest.raises(NotFoundError, match="none yet"):
        delete_collection(store, "soup")


@pytest.mark.parametrize(
    "name",
    ["", "  ", "a/b", "a\\b", "a\nb", "a\x00b", "\u202ereversed", "x" * 81, "..", "topic:Tea", "\ud800", "a\u200bb"],
)
def test_names_that_are_refused(store: Store, name: str) -> None:
    with refusal(InputError) as refused:
        save_collection(store, replace(SOUP, name=name), origin="")
    assert str(refused.value).isprintable()
    assert set(counts(store).values()) == {0}


@pytest.mark.parametrize(
    "name", ["'; DROP TABLE runs; --", "[bold]x", "x" * 80, "☕ Soup 汤", "$name", "demo", "a  b", "-x", "%"]
)
def test_names_that_are_odd_and_fine(store: Store, name: str) -> None:
    save_collection(store, replace(SOUP, name=f" {name} "), origin="")
    assert [row.name for row in list_collections(store)] == [name]
    assert load_collection(store, name).documents == SOUP.documents
    assert checked_name(name) == name
    delete_collection(store, name)
    assert set(counts(store).values()) == {0}


def test_a_name_that_is_not_there_says_what_is(store: Store) -> None:
    save_collection(store, SOUP, origin="")
    for ask in (load_collection, find_collection, delete_collection):
        with refusal(NotFoundError):
            ask(store, "stew")


def test_half_a_character_does_not_stop_a_collection(store: Store) -> None:
    odd = Collection(
        "odd",
        (Document("d\ud83d", "half \udc00", "whole ☕ \ud83d\ude00"),),
        (Query("q", "\ud800", (("\ud800", "x"),)),),
        (Judgment("q", "d\ud83d", 1),),
        {"s\ud800": ("q",)},
    )
    save_collection(store, odd, origin="")
    loaded = load_collection(store, "odd")
    assert loaded.documents == (Document("d\ufffd", "half \ufffd", "whole ☕ 😀"),)
    assert loaded.judgments == (Judgment("q", "d\ufffd", 1),)
    assert loaded.queries[0].text == "\ufffd"


def test_a_relevance_that_no_column_holds(store: Store) -> None:
    with refusal(InputError):
        save_collection(store, replace(SOUP, judgments=(Judgment("q1", "d1", 10**30),)), origin="")
    assert set(counts(store).values()) == {0}


@pytest.mark.parametrize("at", range(1, 9))
def test_a_save_that_fails_half_way_leaves_all_as_it_was(
    store: Store, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    save_collection(store, SOUP, origin="first")
    save_run(store, saved_run())
    before, execute, n = counts(store), Store.execute, 0

    def failing(self: Store, sql: str, parameters: object = None) -> None:
        nonlocal n
        if sql.lstrip().startswith(("INSERT", "DELETE")):
            n += 1
            if n == at:
                raise StoreError("the disk is full")
        execute(self, sql, parameters)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "execute", failing)
    changed = replace(SOUP, documents=SOUP.documents[:1], judgments=())
    with refusal(StoreError):
        save_collection(store, changed, origin="second", replace=True)
    monkeypatch.undo()
    assert counts(store) == before
    assert same_collection(load_collection(store, "soup"), SOUP)


KILLED = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path
from data.collections import save_collection
from data.database import Database
from data.store import Store
from tests.data.benchmarks import SOUP

run = Database._run

def counted(self, sql, parameters, fetch):
    if "INSERT INTO collection_judgments" in sql:
        os.kill(os.getpid(), signal.SIGKILL)
    return run(self, sql, parameters, fetch)

with Store.open(Path(sys.argv[1])) as store:
    save_collection(store, SOUP, origin="first")
    Database._run = counted
    save_collection(store, replace(SOUP, documents=()), origin="second", replace=True)
"""


@pytest.mark.slow
def test_a_save_that_is_killed_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    killed_child(KILLED, path)
    with Store.open(path) as store:
        assert find_collection(store, "soup").origin == "first"
        assert same_collection(load_collection(store, "soup"), SOUP)
        save_collection(store, replace(SOUP, documents=()), origin="second", replace=True)
        assert load_documents(store, "soup") == ()
