"""A full disk, played by a limit on the size of files: one line, nothing lost, and the same command works later."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from data.explore.workspace import Workspace
from tests.data.children import child
from tests.data.workspaces import TOPIC, fill, ids_of, toy_vectors, write_npz

LIMITED = """
import json, resource, signal, sys
from sklearn.decomposition import TruncatedSVD
from dashboard.cli import main

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
codes = []
for limit, arguments in json.loads(sys.argv[1]):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        main(arguments)
        codes.append(0)
    except SystemExit as e:
        codes.append(e.code)
print("codes", codes)
"""


def run(*commands: tuple[int, list[str]]) -> tuple[list[int], list[str]]:
    """Exit statuses, and what was written on standard error."""
    ended = child(LIMITED, json.dumps(commands))
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout.splitlines()[-1].removeprefix("codes")), ended.stderr.splitlines()


def everything(root: Path) -> dict[str, object]:
    with Workspace.open(root) as workspace:
        ids = ids_of(0, 40)
        found = {e: workspace.catalogue.find(e, TOPIC) for e in ("lsa", "wide")}
        return {
            "publications": workspace.store.load_publications(ids),
            "versions": workspace.store.versions(),
            **{e: workspace.catalogue.load(f, ids).vectors.tobytes() for e, f in found.items() if f},
        }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    fill(tmp_path / "ws", models=(), landscape=False)
    return tmp_path / "ws"


@pytest.mark.slow
def test_embedding_on_a_full_disk(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root, tmp_path / "other")
    before = everything(root)
    command = ["embed", "--topic", TOPIC, "--embedder", "lsa", "--data-dir", str(root)]
    codes, lines = run(*((limit, command) for limit in (0, 500, 1500)))
    assert codes == [2, 2, 2]
    assert len(lines) == 3
    assert all(line.startswith("Error: no room left") and "free some space" in line for line in lines)
    assert everything(root) == before
    with Workspace.open(root) as workspace, Workspace.open(tmp_path / "other") as other:
        assert workspace.embed(TOPIC, "lsa").n_with_vectors == other.embed(TOPIC, "lsa").n_with_vectors == 40
    assert everything(root) == everything(tmp_path / "other")
    assert [path for path in root.rglob("*") if ".part" in path.name or path.name == "parts"] == []


@pytest.mark.slow
def test_bringing_vectors_on_a_full_disk(root: Path) -> None:
    rows = toy_vectors(ids_of(0, 40), width=20_000)
    file = write_npz(root / "wide.npz", ids_of(0, 40), rows)
    before = everything(root)
    codes, lines = run((1_500_000, ["vectors", str(file), "--model", "wide", "--data-dir", str(root)]))
    assert codes == [2]
    assert len(lines) == 1
    assert lines[0].startswith("Error: no room left")
    assert everything(root) == before
    assert list((root / "vectors").rglob("*.npy*")) == []
    with Workspace.open(root) as workspace:
        assert workspace.add_vectors(file, "wide").topics == (TOPIC,)
    assert len(everything(root)["wide"]) == 40 * 20_000 * 4


@pytest.mark.slow
def test_a_full_disk_when_a_collection_is_stored(root: Path, tmp_path: Path) -> None:
    """DuckDB's own message is put into ours, and the store is whole afterwards."""
    before = everything(root)
    codes, lines = run(*((limit, ["demo", "--data-dir", str(root)]) for limit in (0, 20_000, 200_000)))
    assert codes == [2, 2, 2]
    said = [line for line in lines if not line.startswith("Building the demo")]  # said where it takes long
    assert [line[:19] for line in said] == ["Error: no room left"] * 3
    assert everything(root) == before
    with Workspace.open(root) as workspace:
        assert [t.topic_id for t in workspace.topics() if not t.made_up] == [TOPIC]
