"""Check and repair: what is damaged is listed with a way out, and what can be built again is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.errors import CorruptStoreError, NotFoundError
from data.copies import copies, copy_store, is_readable
from data.explore.workspace import Workspace
from data.files import WorkspacePaths
from data.log import log_of
from data.parts import part_of
from data.store import Store
from data.upkeep import AREAS, check_workspace, repair_workspace
from tests.data.children import killed_child
from tests.data.test_digests import flip
from tests.data.test_log import WRITE
from tests.data.workspaces import TOPIC, fill
from tests.messages import refusal


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a topic, vectors, a landscape, cached scores and an index."""
    folder = tmp_path_factory.mktemp("built") / "ws"
    fill(folder)
    with Workspace.open(folder) as workspace:
        workspace.evaluate(TOPIC, "review", embedder="lsa", regions=("cosine",))
        workspace.run_query(TOPIC, "tea")
    return folder


@pytest.fixture
def root(built: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(built, tmp_path / "ws"))


def scores(root: Path) -> object:
    with Workspace.open(root) as workspace:
        workspace.store.execute("DELETE FROM remembered")
        return workspace.evaluate(TOPIC, "review", embedder="lsa", regions=("cosine",)).regions["cosine"].f_beta


def places(root: Path) -> set[str]:
    return {problem.place for problem in check_workspace(root).problems}


def lsa_file(root: Path) -> Path:
    (path,) = (root / "vectors").glob("lsa*/*.npy")
    return path


def test_a_sound_workspace_has_no_problems(root: Path) -> None:
    found = check_workspace(root)
    assert found.problems == ()
    assert tuple(found.n_checked) == AREAS
    assert all(found.n_checked[area] for area in ("store", "cached results", "vectors", "models", "indexes", "orphans"))
    assert repair_workspace(root).repaired == ()


def test_no_workspace_is_made_by_a_check(tmp_path: Path) -> None:
    with refusal(NotFoundError):
        check_workspace(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_damaged_vectors_are_embedded_again(root: Path) -> None:
    expected, path = scores(root), lsa_file(root)
    flip(path, path.stat().st_size - 9)
    with pytest.raises(CorruptStoreError):
        scores(root)
    assert places(root) == {path.relative_to(root).as_posix()}
    done = repair_workspace(root)
    assert (len(done.repaired), done.problems) == (1, ())
    assert scores(root) == expected
    assert not path.exists()


@pytest.mark.slow
def test_a_damaged_model_is_fitted_again(root: Path) -> None:
    expected = scores(root)
    (model,) = (root / "models").glob("*.npz")
    flip(model, model.stat().st_size // 2)
    assert places(root) == {model.relative_to(root).as_posix()}
    assert repair_workspace(root).problems == ()
    assert scores(root) == expected


def test_leftovers_and_damaged_indexes_go(root: Path) -> None:
    with Workspace.open(root) as workspace:
        workspace.store.remember("key", "kind", "{}", b"PK\x03\x04 no zip")
    orphans = [lsa_file(root).with_name("0123.npy"), root / "models" / "gone.npz", root / "sources" / "no such run"]
    for path in orphans[:2]:
        path.write_bytes(b"x")
    orphans[2].mkdir(parents=True)
    (index,) = (root / "index").iterdir()
    flip(next(index.glob("*.npy")), 200)
    bad = {path.relative_to(root).as_posix() for path in (*orphans, index)} | {"key"}
    assert places(root) == bad
    assert len(repair_workspace(root).repaired) == len(bad)
    assert places(root) == set()
    assert not any(path.exists() for path in (*orphans, index))


@pytest.mark.slow
def test_vectors_from_before_digests_get_them(root: Path) -> None:
    path = lsa_file(root)
    beside = path.with_name(f"{path.name}.digests")
    beside.unlink()
    found = check_workspace(root)
    assert (found.problems, len(found.notes)) == ((), 1)
    assert beside.is_file()
    beside.write_bytes(b"{")
    assert places(root) == {beside.relative_to(root).as_posix()}
    repair_workspace(root)
    assert places(root) == set()


@pytest.mark.slow
def test_a_damaged_log_is_set_aside_and_its_beginning_is_kept(tmp_path: Path) -> None:
    store = tmp_path / "queryscape.duckdb"
    Store.open(store).close()
    killed_child(WRITE, store)
    log = log_of(store)
    flip(log, log.stat().st_size // 2)
    (problem,) = check_workspace(tmp_path).problems
    assert (problem.area, problem.place) == ("store", store.name)
    done = repair_workspace(tmp_path)
    assert (len(done.repaired), done.problems) == (1, ())
    with Store.open(store) as opened:
        assert 3 <= len(opened.topics()) <= 7
    assert log.with_name(f"{log.name}.damaged").is_file()


@pytest.mark.slow
def test_a_store_that_can_not_be_read_comes_back_from_the_newest_good_copy(root: Path) -> None:
    store, expected = root / "queryscape.duckdb", scores(root)
    with Workspace.open(root) as workspace:
        for day in ("2026-01-01", "2026-01-02"):
            copy_store(workspace.store, root / "copies" / f"queryscape-{day}.duckdb")
    newest, older = copies(WorkspacePaths.of(root))
    flip(newest, 4096 + 9)
    flip(newest, 8192 + 9)
    content = bytearray(store.read_bytes())
    content[4096:12288] = bytes(8192)
    store.write_bytes(content)
    assert not is_readable(newest)
    assert places(root) == {store.name, newest.relative_to(root).as_posix()}
    assert {problem.place for problem in repair_workspace(root).problems} == {store.name}
    assert store.read_bytes() == bytes(content)
    assert not newest.exists()
    done = repair_workspace(root, from_copy=True)
    assert done.problems == ()
    assert older.name in done.repaired[0]
    assert store.with_name(f"{store.name}.damaged").read_bytes() == bytes(content)
    assert scores(root) == expected


def test_unfinished_files_of_ended_processes_are_noted(root: Path) -> None:
    killed_child(
        "import os, signal, sys; from pathlib import Path; from data.parts import part_of; "
        "part_of(Path(sys.argv[1])).mkdir(); os.kill(os.getpid(), signal.SIGKILL)",
        root / "index" / "x",
    )
    part_of(root / "index" / "mine").mkdir()
    assert len(check_workspace(root).notes) == 1
    assert [path.name.split(".")[0] for path in (root / "index").glob("*.part")] == ["mine"]
