"""Stores of an earlier layout are brought up to date without a loss; one that is held is looked at as a copy."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from core.errors import CorruptStoreError, NewerStoreError, StoreInUseError
from core.settings import ProjectionSettings
from core.types import Publication
from data import database
from data.collections.runs import save_run
from data.collections.stored import load_collection, save_collection
from data.sources.connecting.meter import Meter
from data.sources.fetching.running import go_on, plan_run
from data.sources.fetching.runs import live_pages
from data.store import Store, content_hash
from data.upgrades import SCHEMA_VERSION, UPGRADES
from data.workspace import Workspace
from tests.data.benchmarks import SOUP, same_collection, saved_run
from tests.data.listed_source import ListedSource, numbered
from tests.data.workspaces import CORE, MODEL, TOPIC, Version, ids_of, same_fields, toy_vectors, write_npz

LAYOUT_1 = Path(__file__).with_name("layout_1.sql")
"""The schema as stores of layout 1 were made with."""
ROWS_1 = """
INSERT INTO store_info VALUES (1);
INSERT INTO publications VALUES ('a', 'Tea', 'Steep it.', 2001, '10.1/a', 5), ('b', 'Leaf ☕', NULL, NULL, NULL, NULL);
INSERT INTO topics VALUES ('t', false, 'h1'), ('made up', true, 'h2');
INSERT INTO core_publications VALUES ('t', 0, 'b', 's'), ('t', 1, 'a', NULL), ('made up', 0, 'a', NULL);
INSERT INTO query_versions VALUES
    ('t/base', 't', 'base', 1, 'tea OR leaf', 'baseline', 2, 'r1'),
    ('t/not run', 't', 'not run', 2, 'x', 'review', NULL, NULL);
INSERT INTO retrieved VALUES ('t/base', 0, 'b'), ('t/base', 1, 'a');
INSERT INTO embeddings VALUES ('e', 'toy', NULL, 3, 2, 1, NULL);
INSERT INTO vector_files VALUES (1, 'e', 'e/x.npy', 2);
INSERT INTO vector_rows VALUES ('e', 'a', 1, 0, 'm'), ('e', 'b', NULL, NULL, NULL);
INSERT INTO projections VALUES ('p', 't', 'e', 1, 0, '{"method": "pca"}', 'c');
INSERT INTO projection_points VALUES ('p', 'a', true, 1.5, -2);
INSERT INTO remembered VALUES ('k', 'kind', '{"a": 1}', 'abc'::BLOB);
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A store of layout 1."""
    path = tmp_path / "queryscape.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(LAYOUT_1.read_text(encoding="utf-8"))
        connection.execute(ROWS_1)
    return path


def everything(path: Path, columns_of: dict[str, list[str]] | None = None) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, in these columns or in all."""
    with duckdb.connect(str(path), read_only=True) as connection:
        layout = columns_of or columns(connection)
        return {
            table: sorted(connection.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall(), key=repr)
            for table, names in layout.items()
        }


def columns(connection: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for table, name in connection.execute(
        "SELECT table_name, column_name FROM information_schema.columns ORDER BY table_name, ordinal_position"
    ).fetchall():
        found.setdefault(table, []).append(name)
    return found


def test_there_is_an_upgrade_from_every_earlier_layout() -> None:
    assert sorted(UPGRADES) == list(range(1, SCHEMA_VERSION))


def test_an_upgraded_store_has_the_tables_and_columns_of_a_new_one(old: Path, tmp_path: Path) -> None:
    Store.open(old).close()
    Store.open(tmp_path / "new.duckdb").close()
    with duckdb.connect(str(old)) as upgraded, duckdb.connect(str(tmp_path / "new.duckdb")) as new:
        assert columns(upgraded) == columns(new)
        assert upgraded.execute("SELECT * FROM store_info").fetchall() == [(SCHEMA_VERSION,)]


def test_nothing_is_lost_by_an_upgrade(old: Path) -> None:
    with duckdb.connect(str(old)) as connection:
        layout = columns(connection)
    layout.pop("store_info")
    before = everything(old, layout)
    assert all(before.values())
    Store.open(old).close()
    assert everything(old, layout) == before
    after = everything(old)
    Store.open(old).close()
    assert everything(old) == after


SIX = ("collections", "collection_documents", "collection_queries", "collection_judgments", "runs", "run_documents")


def test_layout_6_brings_tables_and_touches_none(old: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(old)) as connection:
        for layout in range(1, 5):
            connection.execute(UPGRADES[layout])
        connection.execute("UPDATE store_info SET schema_version = 5")
        connection.execute("INSERT INTO kept_apart VALUES ('t', 'a', 'b')")
        layout_5 = columns(connection)
    assert set(SIX).isdisjoint(layout_5)
    layout_5.pop("store_info")
    before = everything(old, layout_5)
    with Store.open(old) as store:
        save_collection(store, SOUP, origin="")
        save_run(store, saved_run())
        assert same_collection(load_collection(store, "soup"), SOUP)
    assert everything(old, layout_5) == before
    Store.open(tmp_path / "new.duckdb").close()
    with duckdb.connect(str(old)) as upgraded, duckdb.connect(str(tmp_path / "new.duckdb")) as new:
        assert types(upgraded) == types(new)


NINE = ("live_runs", "live_pages", "live_calls")


def test_layout_9_brings_tables_and_touches_none(old: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(old)) as connection:
        for layout in range(1, 8):
            connection.execute(UPGRADES[layout])
        connection.execute("UPDATE store_info SET schema_version = 8")
        connection.execute("INSERT INTO judge_prices VALUES ('m', 0.5, 1.5, NULL)")
        layout_8 = columns(connection)
    assert set(NINE).isdisjoint(layout_8)
    layout_8.pop("store_info")
    before = everything(old, layout_8)
    with Store.open(old):
        pass
    assert everything(old, layout_8) == before
    source = ListedSource([numbered(3)])
    with Workspace.open(old.parent) as workspace:
        run = go_on(workspace, plan_run(workspace, "t", source, "tea", label="live").run_id, source)
        Meter(workspace.store).note("pubmed", live_pages(workspace.store, run.run_id)[0].requests[0], 0.5)
        assert (run.n_records, run.n_pages, workspace.version("t", "live").n_retrieved) == (3, 1, 3)
        assert workspace.store.load_retrieved_ids("t/base") == ("b", "a")
    Store.open(tmp_path / "new.duckdb").close()
    with duckdb.connect(str(old)) as upgraded, duckdb.connect(str(tmp_path / "new.duckdb")) as new:
        assert types(upgraded, NINE) == types(new, NINE)
        assert keys(upgraded, NINE) == keys(new, NINE)
        assert len(keys(new, NINE)) == 3


def keys(connection: duckdb.DuckDBPyConnection, tables: Sequence[str]) -> list[tuple[object, ...]]:
    """What must not be there twice."""
    return connection.execute(
        """
        SELECT table_name, constraint_column_names FROM duckdb_constraints()
        WHERE constraint_type = 'PRIMARY KEY' AND table_name IN (SELECT unnest(?::VARCHAR[])) ORDER BY ALL
        """,
        [list(tables)],
    ).fetchall()


def types(connection: duckdb.DuckDBPyConnection, tables: Sequence[str] = SIX) -> list[tuple[object, ...]]:
    """Everything that is said of the columns of these tables."""
    return connection.execute(
        """
        SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
        WHERE table_name IN (SELECT unnest(?::VARCHAR[])) ORDER BY ALL
        """,
        [list(tables)],
    ).fetchall()


def test_an_upgraded_store_works(old: Path) -> None:
    with Store.open(old) as store:
        assert store.load_publications(["b", "a"]) == (
            Publication("b", "Leaf ☕"),
            Publication("a", "Tea", "Steep it.", 2001, "10.1/a", 5),
        )
        rows = store.versions("t")
        assert {(row.version.dialect, row.version.semantics) for row in rows} == {(None, None)}
        assert [(row.version.label, row.n_retrieved, row.retrieved_hash, row.over_corpus) for row in rows] == [
            ("base", 2, "r1", False),
            ("not run", None, None, False),
        ]
        assert store.topic_publication_ids("t") == ("b", "a")
        assert store.recall("k") == ('{"a": 1}', b"abc")
        state = store.topic_state("t")
        with store.transaction():
            cup, leaf = Publication("c", "Cup", keywords=("China",)), Publication("b", "", keywords=("Leaf",))
            store.save_publications([cup, leaf])
            store.save_corpus("t", ["a", "c"])
        assert store.topic_state("t") != state
        assert store.topic_publication_ids("t") == ("b", "a", "c")
        assert [p.keywords for p in store.load_publications(["a", "b", "c"])] == [(), ("Leaf",), ("China",)]
    with Workspace.open(old.parent) as workspace:
        assert workspace.run_query("t", "NOT tea").n_retrieved == 2
        assert [t.topic_id for t in workspace.topics()] == ["made up", "t"]
        with workspace.store.transaction():
            workspace.save_topic("t", ("c",), [Version("base", 1, ("c",))])
        assert workspace.store.topic_publication_ids("t") == ("c", "b", "a")


def test_the_state_of_a_topic_is_the_same_after_an_upgrade(old: Path) -> None:
    """So that what covered the topic still does, and nothing is embedded again."""
    with Store.open(old) as store:
        upgraded = store.topic_state("t")
        store.execute("UPDATE topics SET corpus_hash = NULL")
        assert store.topic_state("t") == upgraded
    assert upgraded == content_hash(["h1", "r1", ""])  # as layout 1 named it: the core, then each version's list


def test_an_upgrade_that_fails_leaves_the_store_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(old)
    monkeypatch.setitem(database.UPGRADES, 1, UPGRADES[1] + "SELECT * FROM no_such_table;")
    with pytest.raises(Exception, match="no_such_table"):
        Store.open(old)
    assert everything(old) == before
    monkeypatch.undo()
    Store.open(old).close()


@pytest.mark.parametrize("found", [0, -3])
def test_a_layout_that_nobody_wrote(old: Path, found: int) -> None:
    with duckdb.connect(str(old)) as connection:
        connection.execute("UPDATE store_info SET schema_version = ?", [found])
    before = everything(old)
    with pytest.raises(CorruptStoreError, match=f"layout {found}, which no Queryscape wrote"):
        Store.open(old)
    assert everything(old) == before


HOLD = """
import sys
from pathlib import Path
from data.store import Store
with Store.open(Path(sys.argv[1])) as store:
    store.execute("UPDATE publications SET times_cited = 77 WHERE publication_id = 'p0'")
    print("open", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Another process has the store open, and has changed something that is not in the file but in its log yet."""
    command = [sys.executable, "-c", HOLD, str(path)]
    top = Path(__file__).parents[2]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=top) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        try:
            yield
        finally:
            holder.communicate(b"")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Temporary folders are made here, where nobody else makes any."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_store_that_is_held_is_looked_at_as_a_copy(filled: Path, tmp_path: Path, temporary: Path) -> None:
    root = tmp_path / "ws"
    shutil.copytree(filled, root)
    with Workspace.open(root) as original:
        topics, paths = original.topics(), original.paths
        assert not original.store.is_copy
        scores = original.evaluate(TOPIC, "baseline", regions=["cosine", "mvee"])
    with held(paths.store):
        with pytest.raises(StoreInUseError, match="close that one"):
            Workspace.open(root)
        before = files(root)
        with Workspace.open(root, or_copy=True) as copy:
            assert copy.store.is_copy
            assert len(list(temporary.iterdir())) == 1
            assert copy.topics() == topics
            assert copy.publications(["p0"])[0].times_cited == 77
            same_fields(copy.evaluate(TOPIC, "baseline", regions=["cosine", "mvee"]), scores)
            assert copy.evaluate(TOPIC, "review", regions=["cosine", "mvee"]).n_retrieved == 40
            seen = copy.view(TOPIC, "review", MODEL)
            copy.fit_clusters(seen, scores.settings)
            assert copy.run_query(TOPIC, "tea").version.label == "v4"
            with copy.store.transaction():
                copy.save_topic("another", CORE, ())
            copy.project(TOPIC, MODEL, settings=ProjectionSettings(method="pca", seed=5), refit=True)
            more = write_npz(tmp_path / "more.npz", ids_of(0, 40), toy_vectors(ids_of(0, 40), seed=9))
            with pytest.raises(StoreInUseError, match="vectors can only be added there"):
                copy.add_vectors(more, "another model")
            with pytest.raises(StoreInUseError, match="vectors can only be added there"):
                copy.add_vectors(more, MODEL)
        assert list(temporary.iterdir()) == []
        assert files(root) == before
    with Workspace.open(root, or_copy=True) as original:
        assert not original.store.is_copy
        assert original.topics() == topics
        assert original.store.load_retrieved_ids("another") == ()


def files(root: Path) -> dict[str, bytes]:
    """Every file of a workspace and what is in it."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_copies_do_not_see_each_other(old: Path, temporary: Path) -> None:
    Store.open(old).close()
    first, second = Store.open_copy(old), Store.open_copy(old)
    assert len(list(temporary.iterdir())) == 2
    first.save_publications([Publication("mine", "x")])
    assert second.load_publications(["mine"]) == ()
    first.close()
    assert len(list(temporary.iterdir())) == 1
    second.close()
    assert list(temporary.iterdir()) == []
    with Store.open(old) as store:
        assert store.load_publications(["mine"]) == ()


def test_a_copy_of_an_earlier_layout_is_brought_up_to_date_and_the_original_is_not(old: Path, temporary: Path) -> None:
    before = everything(old)
    with Store.open_copy(old) as copy:
        assert copy.rows("SELECT * FROM store_info") == [(SCHEMA_VERSION,)]
        copy.save_corpus("t", ["a"])
    assert everything(old) == before
    assert list(temporary.iterdir()) == []


def test_a_copy_that_can_not_be_opened_leaves_no_folder(old: Path, temporary: Path) -> None:
    with duckdb.connect(str(old)) as connection:
        connection.execute("UPDATE store_info SET schema_version = 99")
    with pytest.raises(NewerStoreError, match="update Queryscape") as newer:
        Store.open_copy(old)
    assert list(temporary.iterdir()) == []
    assert str(old) in str(newer.value)
    for damaged in (b"", b"nonsense", bytes(50_000)):
        old.write_bytes(damaged)
        with pytest.raises(CorruptStoreError, match="can't be read as a store") as corrupt:
            Store.open_copy(old)
        assert str(old) in str(corrupt.value)
        assert list(temporary.iterdir()) == []
