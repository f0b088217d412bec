"""Runs in the store: every score comes back exactly, and a run grows under its id."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core.collections import Run
from core.errors import CorruptStoreError, MisalignedError, StoreError
from data.collections import SavedRun, delete_run, list_runs, load_run, save_run
from data.store import Store
from tests.data.benchmarks import any_text, same_run, saved_run
from tests.messages import refusal


def loaded(store: Store, run_id: str) -> SavedRun:
    found = load_run(store, run_id)
    assert found is not None
    return found


scores = st.one_of(
    hnp.arrays(np.float64, st.integers(0, 6)),
    hnp.arrays(np.float32, st.integers(0, 6)).map(lambda narrow: narrow.astype(np.float64)),
)


@settings(max_examples=20)
@given(st.lists(st.tuples(any_text, scores), unique_by=lambda entry: entry[0], max_size=4), st.data())
def test_what_is_loaded_is_what_was_saved(
    shared: Store, answers: list[tuple[str, np.ndarray]], data: st.DataObject
) -> None:
    doc_ids = data.draw(st.lists(any_text, min_size=6, max_size=8, unique=True))
    drawn = [(query_id, np.arange(len(given))[::-1], given) for query_id, given in answers]
    times = data.draw(st.dictionaries(any_text, hnp.arrays(np.float64, len(drawn)), max_size=3))
    run = replace(saved_run(), run=Run.of("drawn", doc_ids, drawn), n_queries=9, stages_ms=times)
    save_run(shared, run)
    same_run(loaded(shared, "r1"), run)
    (row,) = list_runs(shared, "soup", None)
    assert (row.n_done, row.is_complete) == (len(drawn), False)


def test_numbers_that_need_all_their_bits(store: Store) -> None:
    save_run(store, saved_run(n_done=3))
    same_run(loaded(store, "r1"), saved_run(n_done=3))
    narrow = saved_run()
    narrow = replace(
        narrow, run=Run.of("x", narrow.run.doc_ids, [("q1", np.array([0]), np.array([0.5]))]), stages_ms={}
    )
    save_run(store, narrow)
    assert loaded(store, "r1").run.scores.tolist() == [0.5]


def test_a_run_grows_under_its_id(store: Store) -> None:
    for n_done in range(4):
        save_run(store, saved_run(n_done=n_done))
        same_run(loaded(store, "r1"), saved_run(n_done=n_done))
        (row,) = list_runs(store, "soup", None)
        assert (row.n_done, row.n_queries, row.is_complete) == (n_done, 3, n_done == 3)
    assert loaded(store, "r1").is_complete
    assert store.rows("SELECT count(*) FROM run_documents") == [(1,)]


def test_a_list_tells_without_the_rankings(store: Store) -> None:
    later = replace(saved_run("a"), made_at="2026-01-02T00:00:00+00:00")
    for run in (later, saved_run("b"), replace(saved_run("c"), split="test"), replace(saved_run("d"), collection="x")):
        save_run(store, run)
    assert [row.run_id for row in list_runs(store, "soup", None)] == ["b", "a"]
    assert [row.run_id for row in list_runs(store, "soup", "test")] == ["c"]
    assert list_runs(store, "soup", "'; DROP TABLE runs; --") == ()
    row = list_runs(store, "soup", None)[0]
    assert (row.spec_text, row.label, row.split) == ("bm25:k1=0.9", "BM25, tuned", None)
    assert (row.index_seconds, row.index_bytes, row.n_failed) == (0.5, 2**40, 3)
    assert (row.notes, row.made_at) == (saved_run().notes, "2026-01-01T00:00:00+00:00")


def test_ids_of_documents_are_kept_once_and_as_long_as_a_run_names_them(store: Store) -> None:
    save_run(store, saved_run("a"))
    save_run(store, saved_run("b"))
    save_run(store, saved_run("c", doc_ids=("x", "y", "z")))
    assert store.rows("SELECT count(*) FROM run_documents") == [(2,)]
    delete_run(store, "a")
    same_run(loaded(store, "b"), saved_run("b"))
    delete_run(store, "b")
    delete_run(store, "no such run")
    assert store.rows("SELECT count(*) FROM run_documents") == [(1,)]
    same_run(loaded(store, "c"), saved_run("c", doc_ids=("x", "y", "z")))
    assert load_run(store, "a") is None


def test_runs_share_the_ids_that_are_at_hand(store: Store) -> None:
    save_run(store, saved_run())
    same, other = ("d2", "d1", "d3"), ("d1", "d2", "d3")
    shared = load_run(store, "r1", same)
    assert shared is not None
    assert shared.run.doc_ids is same
    apart = load_run(store, "r1", other)  # of another order: its rows would name other documents
    assert apart is not None
    assert apart.run.doc_ids == same


def test_times_must_be_of_the_queries_that_are_done(store: Store) -> None:
    with refusal(MisalignedError):
        save_run(store, replace(saved_run(), stages_ms={"all": np.zeros(1)}))


def test_ids_that_are_gone_are_told(store: Store) -> None:
    save_run(store, saved_run())
    store.execute("DELETE FROM run_documents")
    with refusal(CorruptStoreError):
        load_run(store, "r1")
    found = load_run(store, "r1", saved_run().run.doc_ids)
    assert found is not None


def test_a_save_that_fails_leaves_the_run_as_it_was(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    save_run(store, saved_run(n_done=1))
    execute = Store.execute

    def failing(self: Store, sql: str, parameters: object = None) -> None:
        if "INTO runs" in sql:
            raise StoreError("the disk is full")
        execute(self, sql, parameters)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "execute", failing)
    with refusal(StoreError):
        save_run(store, saved_run(n_done=3, doc_ids=("x", "y", "z")))
    monkeypatch.undo()
    same_run(loaded(store, "r1"), saved_run(n_done=1))
    assert store.rows("SELECT count(*) FROM run_documents") == [(1,)]


def test_a_run_that_was_cancelled_does_not_take_the_place_of_a_whole_one(store: Store) -> None:
    for n_done in (2, 3, 1):
        save_run(store, saved_run(n_done=n_done), unless_longer=True)
    assert loaded(store, "r1").is_complete
    again = replace(saved_run(n_done=3), n_failed=0)
    save_run(store, again, unless_longer=True)
    same_run(loaded(store, "r1"), again)
