"""The store: what goes in comes out, all or nothing, and damage is one line."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pytest

from core.errors import (
    CorruptStoreError,
    InputError,
    NewerStoreError,
    NoCoreError,
    QueryscapeError,
    StoreError,
    StoreInUseError,
)
from core.types import CoreSet, Publication, QueryVersion
from data.database import SCHEMA_VERSION
from data.store import Store
from tests.messages import refusal

pytestmark = pytest.mark.usefixtures("making_stores")

HOSTILE = [
    *("'; DROP TABLE publications; --", "☕ 🫖 tëa\u202e", "two\nlines\ttab", "$ids"),
    *("?", '"quoted"', "%s %(x)s", " "),
]


def version(label: str = "baseline", number: int = 1, text: str = "tea") -> QueryVersion:
    return QueryVersion(f"t/{label}", "t", label, number, text, "manual")


def test_a_new_store_is_empty_and_knows_its_layout(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "s.duckdb"
    for _ in range(2):
        with Store.open(path) as store:
            assert (store.topics(), store.versions(), store.load_publications(["p"])) == ((), (), ())
            assert store.rows("SELECT schema_version FROM store_info") == [(SCHEMA_VERSION,)]


def test_publications_come_back_as_they_were_in_the_order_asked(tmp_path: Path) -> None:
    saved = [Publication(i, f"Title {i}", f"{i}\0end" * 50, 1900 + n, f"10.1/{i}", n) for n, i in enumerate(HOSTILE)]
    with Store.open(tmp_path / "s.duckdb") as store:
        store.save_publications([*saved, Publication("bare", "")])
        store.save_publications([])
    with Store.open(tmp_path / "s.duckdb") as store:
        wanted = ["bare", "not there", *reversed(HOSTILE)]
        assert store.load_publications(wanted) == (Publication("bare", ""), *reversed(saved))


def test_what_is_known_is_not_lost_to_a_source_without_it(store: Store) -> None:
    store.save_publications([Publication("p", "Tea", "Steep it.", 2001, "10.1/p", 0)])
    store.save_publications([Publication("p", "", None)])
    assert store.load_publications(["p"]) == (Publication("p", "Tea", "Steep it.", 2001, "10.1/p", 0),)
    store.save_publications([Publication("p", "Green tea", "Pour it.", 2002, "10.1/q", 5)])
    assert store.load_publications(["p"]) == (Publication("p", "Green tea", "Pour it.", 2002, "10.1/q", 5),)


def test_keywords_are_kept_as_written_and_not_lost_to_a_source_without_them(store: Store) -> None:
    store.save_publications([Publication("p", "Tea", keywords=("Green tea", *HOSTILE, "")), Publication("q", "Leaf")])
    store.save_publications([Publication("p", "", year=2001)])
    assert store.load_publications(["p", "q"]) == (
        Publication("p", "Tea", year=2001, keywords=("Green tea", *HOSTILE, "")),
        Publication("q", "Leaf"),
    )
    store.save_publications([Publication("p", "", keywords=("Cup",))])
    assert store.load_publications(["p"])[0].keywords == ("Cup",)


def test_a_version_says_how_its_text_was_read(store: Store) -> None:
    run = replace(version(), dialect="pubmed", semantics="stemmed")
    store.save_version(run, ["p"], over_corpus=True)
    store.save_version(version("elsewhere", 2), ["q"])
    assert [row.version for row in store.versions("t")] == [run, version("elsewhere", 2)]


def test_core_publications_keep_their_order_and_are_replaced(store: Store) -> None:
    store.save_topic("t", ("b", *HOSTILE, "a"), survey_id="s1")
    store.save_topic("made up", (), made_up=True)
    assert store.load_core("t") == CoreSet("t", ("b", *HOSTILE, "a"))
    assert [(t.topic_id, t.made_up, t.n_core) for t in store.topics()] == [
        ("made up", True, 0),
        ("t", False, 2 + len(HOSTILE)),
    ]
    before = store.core_hash("t")
    store.save_topic("t", ("a", "b"))
    assert store.load_core("t").ids == ("a", "b")
    assert store.core_hash("t") != before
    with refusal(NoCoreError):
        store.load_core("made up")
    with pytest.raises(InputError, match="twice"):
        store.save_topic("t", ("a", "a"))


def test_versions_keep_their_order_and_a_label_is_replaced(store: Store) -> None:
    with store.transaction():
        store.save_version(version("second", 2), ["p2", *HOSTILE, "p1", "p2"])
        store.save_version(version("not run", 3, text="☕ 'tea'"), None)
        store.save_version(version("first", 1), [])
        store.save_version(QueryVersion("u/first", "u", "first", 1, "", "review"), ["p9"])
    rows = store.versions("t")
    assert [(r.version.label, r.n_retrieved) for r in rows] == [
        ("first", 0),
        ("second", 2 + len(HOSTILE)),
        ("not run", None),
    ]
    assert rows[2].version == version("not run", 3, text="☕ 'tea'")
    assert rows[2].retrieved_hash is None
    assert store.load_retrieved_ids("t/second") == ("p2", *HOSTILE, "p1")
    with store.transaction():
        store.save_version(version("second", 2, text="changed"), ["p3"])
        store.save_version(version("second", 2, text="changed again"), ["p4", "p2"])
    changed = store.versions("t")[1]
    assert (changed.version.text, changed.n_retrieved) == ("changed again", 2)
    assert changed.retrieved_hash != rows[1].retrieved_hash
    assert store.load_retrieved_ids("t/second") == ("p4", "p2")
    assert len(store.versions()) == 4


def test_a_topic_is_its_core_and_then_what_versions_retrieved(store: Store) -> None:
    store.save_topic("t", ("c2", "c1"))
    store.save_version(version("b", 2), ["x", "c1", "a"])
    store.save_version(version("a", 1), ["z", "a"])
    store.save_version(QueryVersion("u/a", "u", "a", 1, "", "manual"), ["other"])
    assert store.topic_publication_ids("t") == ("c2", "c1", "z", "a", "x")


def test_headlines_come_in_the_order_asked_and_what_is_not_known_is_empty(store: Store) -> None:
    saved = [Publication(i, f"Title\n{i}", "x" * 5000, 1990 + n, f"10.1/{i}") for n, i in enumerate(HOSTILE)]
    odd_years = [Publication("bc", "Old", year=-50), Publication("later", "New", year=2**31 - 1)]
    store.save_publications([*saved, *odd_years, Publication("bare", "")])
    got = store.headlines(["bare", "not there", *reversed(HOSTILE), "bc", "later", "bare"])
    assert got.titles == ("", "", *(p.title for p in reversed(saved)), "Old", "New", "")
    assert got.dois == ("", "", *(f"10.1/{i}" for i in reversed(HOSTILE)), "", "", "")
    assert got.years.tolist() == [0, 0, *(p.year for p in reversed(saved)), 0, 9999, 0]
    assert got.years.dtype == np.int16
    nothing = store.headlines([])
    assert (nothing.titles, nothing.dois, nothing.years.tolist()) == ((), (), [])


def test_found_by_has_a_bit_for_each_of_the_first_eight_versions_that_were_run(store: Store) -> None:
    lists = {f"v{number}": [f"p{number}", "all", *HOSTILE[: number % 3]] for number in range(1, 11)}
    for number, (label, ids) in enumerate(lists.items(), start=1):
        store.save_version(version(label, number), None if label == "v2" else ids)
    store.save_version(QueryVersion("u/v1", "u", "v1", 1, "", "manual"), ["p2"])
    asked = ["all", "nobody", *(f"p{number}" for number in range(1, 11)), *HOSTILE[:2], "all"]
    labels, bits = store.found_by("t", asked)
    assert labels == ("v1", "v3", "v4", "v5", "v6", "v7", "v8", "v9")
    assert bits.dtype == np.uint8
    by_hand = [[i for i, label in enumerate(labels) if publication in lists[label]] for publication in asked]
    assert bits.tolist() == [sum(2**i for i in of_one) for of_one in by_hand]
    assert bits[0] == 255
    assert store.found_by("t", [])[1].tolist() == []
    assert store.found_by("nowhere", ["all"])[0] == ()


def test_a_corpus_follows_what_versions_retrieved_and_is_replaced(store: Store) -> None:
    store.save_topic("t", ("c2", "c1"))
    store.save_version(version("b", 2), ["x", "c1"])
    assert store.topic_publication_ids("t") == ("c2", "c1", "x")
    states = [store.topic_state("t")]
    for corpus, expected in (
        (["q2", "x", *HOSTILE, "q1", "q2", "c2"], ("c2", "c1", "x", "q2", *HOSTILE, "q1")),
        (["q1"], ("c2", "c1", "x", "q1")),
        ([], ("c2", "c1", "x")),
    ):
        store.save_corpus("t", corpus)
        assert store.topic_publication_ids("t") == expected
        assert store.topic_publication_ids("u") == ()
        states.append(store.topic_state("t"))
    assert len(set(states)) == len(states)
    store.save_corpus("t", ["q1"])
    assert store.topic_state("t") == states[2]


def test_what_is_truly_relevant_is_kept_by_topic(store: Store) -> None:
    store.save_topic("t", ("c1",))
    before = store.topic_state("t")
    store.save_true_relevance("t", ["c1", *HOSTILE, "c1"])
    assert store.true_relevance("t") == {"c1", *HOSTILE}
    assert store.true_relevance("u") == frozenset()
    assert store.topic_state("t") == before  # no score depends on it
    store.save_true_relevance("t", [])
    assert store.true_relevance("t") == frozenset()


def test_a_corpus_outlives_a_new_core_set(store: Store) -> None:
    store.save_topic("t", ("c1",))
    store.save_corpus("t", ["q1"])
    store.save_topic("t", ("c2",), made_up=True)
    assert store.topic_publication_ids("t") == ("c2", "q1")
    store.save_topic("u", ("c1",))
    assert store.topic_publication_ids("u") == ("c1",)


def test_only_a_version_that_was_run_here_leaves_the_state_of_its_topic(store: Store) -> None:
    store.save_topic("t", ("c1",))
    store.save_corpus("t", ["q1"])
    state = store.topic_state("t")
    store.save_version(version("here", 1), ["q1"], over_corpus=True)
    assert store.topic_state("t") == state
    assert [row.over_corpus for row in store.versions("t")] == [True]
    store.save_version(version("from a file", 2), ["q2"])
    assert store.topic_state("t") != state


def test_a_transaction_that_fails_leaves_nothing(store: Store) -> None:
    store.save_topic("t", ("a",))

    def half() -> None:
        with store.transaction():
            store.save_publications([Publication("p", "Tea")])
            store.save_topic("t", ("b", "c"))
            store.save_version(version(), ["p"])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half()
    assert (store.load_publications(["p"]), store.versions(), store.load_core("t").ids) == ((), (), ("a",))

    def mistaken() -> None:
        with store.transaction():
            store.save_publications([Publication("p", "Tea")])
            store.execute("SELECT * FROM no_such_table")

    with pytest.raises(StoreError, match="no_such"):
        mistaken()
    assert store.load_publications(["p"]) == ()
    with store.transaction():
        store.save_version(version(), ["p"])
    assert len(store.versions()) == 1


def test_results_are_remembered_under_their_key(tmp_path: Path) -> None:
    arrays = bytes(range(256))
    with Store.open(tmp_path / "s.duckdb") as store:
        assert store.recall("k") is None
        store.remember("k", "kind", '{"a": "☕"}', None)
        store.remember("k", "kind", '{"a": [1.5, null]}', arrays)
    with Store.open(tmp_path / "s.duckdb") as store:
        assert store.recall("k") == ('{"a": [1.5, null]}', arrays)


def one_line(path: Path, error: type[StoreError], match: str) -> None:
    with pytest.raises(error, match=match) as caught:
        Store.open(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("folder", ["plain", "blockchain"])  # DuckDB's message holds the path, and so "lock"
@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", bytes(50_000), bytes(range(256)) * 200])
def test_a_file_that_is_no_store(tmp_path: Path, content: bytes, folder: str) -> None:
    path = tmp_path / folder / "s.duckdb"
    path.parent.mkdir()
    path.write_bytes(content)
    one_line(path, CorruptStoreError, "can't be read")
    assert path.read_bytes() == content


def _read_everything(path: Path) -> int:
    with Store.open(path) as store:
        return len(store.load_publications([f"p{i}" for i in range(3000)]))


def test_a_damaged_store_says_so_wherever_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    with Store.open(path) as store:
        store.save_publications([Publication(f"p{i}", f"Title {i}" * 5, f"{i} words " * 30) for i in range(3000)])
    whole = path.read_bytes()
    refusals = []
    for at in (100, 5000, 9000, *range(20_000, len(whole), 60_000)):
        noise = random.Random(at).randbytes(300)[: len(whole) - at]
        for damaged in (whole[:at], whole[:at] + noise + whole[at + len(noise) :]):
            path.write_bytes(damaged)
            try:
                assert _read_everything(path) == 3000
            except CorruptStoreError as e:
                refusals.append(str(e))
    assert len(refusals) > 10
    assert [r for r in refusals if str(path) not in r or "backup" not in r or "\n" in r] == []


def test_a_store_of_a_later_queryscape(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    with Store.open(path) as store:
        store.execute("UPDATE store_info SET schema_version = 99")
    one_line(path, NewerStoreError, r"layout 99; .* up to \d+.*update Queryscape")


@pytest.mark.parametrize(
    ("sql", "match"),
    [
        ("CREATE TABLE flights (number INTEGER)", "of another program"),
        ("CREATE TABLE store_info (schema_version INTEGER)", "no layout number"),
        ("CREATE TABLE store_info (number INTEGER)", "no layout number"),
    ],
)
def test_a_duckdb_file_of_something_else_is_left_alone(tmp_path: Path, sql: str, match: str) -> None:
    path = tmp_path / "s.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(sql)
    before = path.read_bytes()
    one_line(path, CorruptStoreError, match)
    assert path.read_bytes() == before


HOLD = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


def test_a_store_that_another_process_has_open(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    Store.open(path).close()
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        one_line(path, StoreInUseError, "close it .* --data-dir")
        holder.communicate(b"")
    Store.open(path).close()


def test_a_folder_in_the_files_place_and_a_file_in_the_folders(tmp_path: Path) -> None:
    (tmp_path / "s.duckdb").mkdir()
    one_line(tmp_path / "s.duckdb", CorruptStoreError, "directory")
    (tmp_path / "taken").write_text("x")
    with pytest.raises(QueryscapeError, match="taken"):
        Store.open(tmp_path / "taken" / "s.duckdb")


def test_nothing_but_results_goes_to_standard_output(tmp_path: Path) -> None:
    """DuckDB draws a bar there under statements of more than two seconds, unless it is told not to."""
    with Store.open(tmp_path / "store.duckdb") as store:
        assert store.rows("SELECT current_setting('enable_progress_bar')") == [(False,)]
