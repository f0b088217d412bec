"""A store of the baseline opens and is upgraded without a loss; every other one is refused and left as it was."""

from __future__ import annotations

import lzma
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from core.errors import (
    CorruptStoreError,
    DiskFullError,
    NewerStoreError,
    OlderStoreError,
    ReadOnlyError,
    StoreError,
    StoreInUseError,
)
from core.settings import ProjectionSettings
from core.types import Publication
from data import database
from data.database import BASELINE, BASELINE_COMMIT, SCHEMA_VERSION, UPGRADES
from data.explore.workspace import Workspace
from data.files import READ_ONLY
from data.sharing import opening
from data.store import Store, content_hash
from tests.data.children import TOP, child, killed_child
from tests.data.workspaces import CORE, MODEL, TOPIC, Version, ids_of, same_fields, toy_vectors, write_npz
from tests.messages import refusal

pytestmark = pytest.mark.usefixtures("making_stores")

LAYOUT_11 = Path(__file__).with_name("layout_11.duckdb.xz")
"""A store of the baseline with a row in every table, made with the schema at commit 0efb80e."""
NEXT = SCHEMA_VERSION + 1
STEP = {
    **UPGRADES,
    SCHEMA_VERSION: """
    ALTER TABLE topics ADD COLUMN colour VARCHAR DEFAULT 'green';
    CREATE TABLE cups (cup_id VARCHAR PRIMARY KEY);
    INSERT INTO cups SELECT publication_id FROM publications;
    """,
}
"""A made-up next layout."""


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    """A store of the baseline, alone in its folder."""
    path = tmp_path / "ws" / "queryscape.duckdb"
    path.parent.mkdir()
    path.write_bytes(lzma.decompress(LAYOUT_11.read_bytes()))
    return path


@pytest.fixture
def today(baseline: Path) -> Path:
    """A store of the newest layout, alone in its folder."""
    Store.open(baseline).close()
    for copy in baseline.parent.glob("*.layout-*"):
        copy.unlink()
    return baseline


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


def layout_of(path: Path) -> int:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute("SELECT schema_version FROM store_info").fetchall()[0][0]


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def set_layout(path: Path, layout: int) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE store_info SET schema_version = ?", [layout])


def test_there_is_an_upgrade_from_every_layout_since_the_baseline() -> None:
    assert sorted(UPGRADES) == list(range(BASELINE, SCHEMA_VERSION))


def test_the_fixture_is_whole(baseline: Path) -> None:
    assert layout_of(baseline) == BASELINE == 11
    assert all(everything(baseline).values())


def test_a_store_of_the_baseline_comes_to_the_tables_of_a_new_one(baseline: Path, tmp_path: Path) -> None:
    Store.open(baseline).close()
    Store.open(tmp_path / "new.duckdb").close()
    with duckdb.connect(str(baseline)) as upgraded, duckdb.connect(str(tmp_path / "new.duckdb")) as new:
        assert columns(upgraded) == columns(new)
        assert shape(upgraded) == shape(new)
        assert upgraded.execute("SELECT * FROM store_info").fetchall() == [(SCHEMA_VERSION,)]


def shape(connection: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    """Everything that is said of the columns, and what must not be there twice."""
    return connection.execute("""
        SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
        UNION ALL SELECT table_name, constraint_column_names::VARCHAR, '', '' FROM duckdb_constraints()
        WHERE constraint_type = 'PRIMARY KEY' ORDER BY ALL
    """).fetchall()


def test_a_store_of_the_baseline_works(baseline: Path) -> None:
    with Store.open(baseline) as store:
        assert store.load_publications(["b", "a"]) == (
            Publication("b", "Leaf ☕"),
            Publication("a", "Tea", "Steep it.", 2001, "10.1/a", 5, ("Leaf",)),
        )
        rows = store.versions("t")
        assert {(row.version.dialect, row.version.semantics) for row in rows} == {(None, None)}
        assert [(row.version.label, row.n_retrieved, row.retrieved_hash, row.over_corpus) for row in rows] == [
            ("base", 2, "r1", False),
            ("not run", None, None, False),
        ]
        # A name that changes makes everything be embedded again: the core, each version's list, the texts.
        assert store.topic_state("t") == content_hash(["h1", "r1", ""])
    with Workspace.open(baseline.parent) as workspace:
        assert workspace.run_query("t", "NOT tea").n_retrieved == 1
        assert [t.topic_id for t in workspace.topics()] == ["made up", "t"]
        with workspace.store.transaction():
            workspace.save_topic("t", ("c",), [Version("base", 1, ("c",))])
        assert workspace.store.topic_publication_ids("t") == ("c", "b")


def test_an_upgrade_loses_nothing_and_leaves_a_copy(today: Path) -> None:
    with duckdb.connect(str(today)) as connection:
        layout = columns(connection)
    layout.pop("store_info")
    before, whole = everything(today, layout), today.read_bytes()
    for _ in range(2):
        with Store.open(today, upgrades=STEP) as store:
            assert store.rows("SELECT DISTINCT colour FROM topics") == [("green",)]
            assert sorted(store.rows("SELECT * FROM cups")) == [("a",), ("b",)]
        assert layout_of(today) == NEXT
        assert everything(today, layout) == before
        assert names_in(today.parent) == {today.name, f"{today.name}.layout-{SCHEMA_VERSION}"}
    copy = today.with_name(f"{today.name}.layout-{SCHEMA_VERSION}")
    assert copy.read_bytes() == whole
    with refusal(NewerStoreError):
        Store.open(today)
    copy.replace(today)
    Store.open(today).close()
    assert everything(today, layout) == before


def test_two_upgrades_in_a_row_leave_one_copy(today: Path) -> None:
    Store.open(today, upgrades={**STEP, NEXT: "ALTER TABLE cups ADD COLUMN size INTEGER;"}).close()
    assert layout_of(today) == NEXT + 1
    assert names_in(today.parent) == {today.name, f"{today.name}.layout-{SCHEMA_VERSION}"}


def test_what_is_only_in_the_log_is_in_the_copy_too(today: Path) -> None:
    leave_log(today, "INSERT INTO kept_apart VALUES ('t', 'in the', 'log')")
    Store.open(today, upgrades=STEP).close()
    for path in (today, today.with_name(f"{today.name}.layout-{SCHEMA_VERSION}")):
        assert ("t", "in the", "log") in everything(path)["kept_apart"]


def leave_log(path: Path, sql: str) -> None:
    """Change the store in a process that is killed: the change is in DuckDB's log, and not in the file yet."""
    code = "import duckdb, os, sys; c = duckdb.connect(sys.argv[1]); c.execute(sys.argv[2]); os._exit(9)"
    assert child(code, path, sql).returncode == 9
    assert path.with_name(f"{path.name}.wal").exists()


def test_an_upgrade_that_fails_leaves_the_store_as_it_was(today: Path) -> None:
    Store.open(today).close()
    before = everything(today)
    with pytest.raises(StoreError, match="no_such_table"):
        Store.open(today, upgrades={SCHEMA_VERSION: STEP[SCHEMA_VERSION] + "SELECT * FROM no_such_table;"})
    assert everything(today) == before
    Store.open(today).close()
    Store.open(today, upgrades=STEP).close()


KILLED = """
import os, signal, sys
from pathlib import Path
from data import database, files
from data.store import Store
from tests.data.test_layouts import STEP

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

real = Store.execute
def execute(store, sql, parameters=None):
    if sql.startswith("UPDATE store_info"):
        die()
    real(store, sql, parameters)

where = sys.argv[2]
if where == "half-written copy":
    database.shutil.copyfileobj = lambda source, target: (target.write(source.read(5000)), target.flush(), die())
elif where == "unnamed copy":
    files.os.replace = die
elif where == "between copy and upgrade":
    Store._upgrade = die
else:
    Store.execute = execute
Store.open(Path(sys.argv[1]), upgrades=STEP)
"""


@pytest.mark.parametrize("where", ["half-written copy", "unnamed copy", "between copy and upgrade", "in the upgrade"])
def test_an_upgrade_that_is_killed_leaves_the_store_usable(today: Path, where: str) -> None:
    Store.open(today).close()
    before = everything(today)
    killed_child(KILLED, today, where)
    copy = today.with_name(f"{today.name}.layout-{SCHEMA_VERSION}")
    assert copy.exists() == (where not in ("half-written copy", "unnamed copy"))
    with Store.open(today) as store:  # by the Queryscape of before
        assert len(store.topics()) == 2
    assert everything(today) == before
    Store.open(today, upgrades=STEP).close()
    assert layout_of(today) == NEXT
    assert everything(copy) == before
    assert names_in(today.parent) == {today.name, copy.name}


def test_without_room_for_a_copy_the_store_stays_as_it_was(today: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    Store.open(today).close()
    before = today.read_bytes()
    monkeypatch.setattr(database.shutil, "copyfileobj", full)
    with refusal(DiskFullError):
        Store.open(today, upgrades=STEP)
    assert today.read_bytes() == before
    assert names_in(today.parent) == {today.name}


def test_a_store_that_another_process_changed_meanwhile_is_not_upgraded(
    today: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = shutil.copyfileobj

    def copied(*files: object) -> None:
        real(*files)  # type: ignore[arg-type]
        with duckdb.connect(str(today)) as other:
            other.execute("INSERT INTO kept_apart VALUES ('t', 'by', 'another')")

    monkeypatch.setattr(database.shutil, "copyfileobj", copied)
    with pytest.raises(StoreInUseError, match="another Queryscape"):
        Store.open(today, upgrades=STEP)
    monkeypatch.undo()
    assert names_in(today.parent) == {today.name}
    Store.open(today, upgrades=STEP).close()
    assert ("t", "by", "another") in everything(today)["kept_apart"]


@pytest.mark.parametrize(
    ("found", "error", "more"),
    [
        (1, OlderStoreError, f".*commit {BASELINE_COMMIT}"),
        (BASELINE - 1, OlderStoreError, f".*commit {BASELINE_COMMIT}"),
        (0, CorruptStoreError, ""),
        (-3, CorruptStoreError, ""),
        (99, NewerStoreError, ""),
        (NEXT, NewerStoreError, ""),
    ],
)
def test_a_store_of_another_layout_is_left_alone(
    baseline: Path, found: int, error: type[StoreError], more: str
) -> None:
    set_layout(baseline, found)
    leave_log(baseline, "INSERT INTO kept_apart VALUES ('t', 'in the', 'log')")
    before = files(baseline.parent)
    for _ in range(2):
        with pytest.raises(error, match=f"layout {found}\\b{more}") as refused:
            Store.open(baseline)
        assert str(baseline) in str(refused.value)
        assert "\n" not in str(refused.value)
    assert files(baseline.parent) == before


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
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=TOP) as holder:
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


def test_a_store_that_can_only_be_read_is_looked_at_as_a_copy(
    filled: Path, tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "ws"
    shutil.copytree(filled, root)
    with Workspace.open(root) as original:
        topics, paths = original.topics(), original.paths
        assert not original.store.is_read_only
        scores = original.evaluate(TOPIC, "baseline", regions=["cosine", "mvee"])
    monkeypatch.setattr(opening, "PATIENCE_SECONDS", 0.1)
    with held(paths.store):
        with refusal(StoreInUseError):
            Workspace.open(root)
        monkeypatch.setenv(READ_ONLY, "1")
        with refusal(StoreInUseError):
            Workspace.open(root)
        assert list(temporary.iterdir()) == []
    before = files(root)
    with Workspace.open(root) as copy:
        assert copy.store.is_read_only
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
        with refusal(ReadOnlyError):
            copy.add_vectors(more, "another model")
        with refusal(ReadOnlyError):
            copy.add_vectors(more, MODEL)
    assert list(temporary.iterdir()) == []
    assert files(root) == before
    monkeypatch.delenv(READ_ONLY)
    with Workspace.open(root) as original:
        assert not original.store.is_read_only
        assert original.topics() == topics
        assert original.store.load_retrieved_ids("another") == ()


def files(root: Path) -> dict[str, bytes]:
    """Every file of a workspace and what is in it."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_copies_do_not_see_each_other(baseline: Path, temporary: Path) -> None:
    Store.open(baseline).close()
    first, second = Store.open_copy(baseline), Store.open_copy(baseline)
    assert len(list(temporary.iterdir())) == 2
    first.save_publications([Publication("mine", "x")])
    assert second.load_publications(["mine"]) == ()
    first.close()
    assert len(list(temporary.iterdir())) == 1
    second.close()
    assert list(temporary.iterdir()) == []
    with Store.open(baseline) as store:
        assert store.load_publications(["mine"]) == ()


def test_a_copy_to_look_at_is_upgraded_and_the_original_is_not(today: Path, temporary: Path) -> None:
    before = everything(today)
    with Store.open_copy(today, upgrades=STEP) as copy:
        assert copy.rows("SELECT * FROM store_info") == [(NEXT,)]
        copy.save_corpus("t", ["a"])
    assert everything(today) == before
    assert names_in(today.parent) == {today.name}
    assert list(temporary.iterdir()) == []


def test_a_copy_that_can_not_be_opened_leaves_no_folder(baseline: Path, temporary: Path) -> None:
    with duckdb.connect(str(baseline)) as connection:
        connection.execute("UPDATE store_info SET schema_version = 99")
    with pytest.raises(NewerStoreError, match="update Queryscape") as newer:
        Store.open_copy(baseline)
    assert list(temporary.iterdir()) == []
    assert str(baseline) in str(newer.value)
    for damaged in (b"", b"nonsense", bytes(50_000)):
        baseline.write_bytes(damaged)
        with pytest.raises(CorruptStoreError, match="restore a backup") as corrupt:
            Store.open_copy(baseline)
        assert str(baseline) in str(corrupt.value)
        assert list(temporary.iterdir()) == []
