"""Rough use from outside: killed at birth, interrupted, odd outputs, odd folders. Never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import DiskFullError
from data.database import StoreFile
from data.explore.workspace import Workspace
from data.store import Store
from tests.dashboard.runs import Runner
from tests.data.collections import write_litqeval
from tests.data.workspaces import TOPIC, fill

TOP = Path(__file__).parents[2]
DASHBOARD = [sys.executable, "-m", "dashboard"]


def run_outside(root: Path, *arguments: str, **kw: object) -> subprocess.CompletedProcess[str]:
    command = [*DASHBOARD, *arguments, "--data-dir", str(root)]
    return subprocess.run(command, cwd=TOP, stderr=subprocess.PIPE, text=True, timeout=60, **kw)  # type: ignore[call-overload]


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: ")
    return line


def test_a_store_that_was_killed_while_it_was_made_is_made_again(tmp_path: Path) -> None:
    maker = "import os, signal, data.database as d; from pathlib import Path; "
    maker += "d.os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL); d.Database.open(Path('STORE'))"
    path = tmp_path / "queryscape.duckdb"
    killed = subprocess.run([sys.executable, "-c", maker.replace("STORE", str(path))], cwd=TOP, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not path.exists()
    with Store.open(path) as store:
        assert store.topics() == ()


def test_ctrl_c_in_a_query_stops_quietly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted:
        def execute(self, *_: object) -> None:
            raise RuntimeError("Query interrupted")

    with Store.open(tmp_path / "s.duckdb") as store:
        engine = store.engine
        assert isinstance(engine, StoreFile)
        with monkeypatch.context() as patch:
            patch.setattr(engine, "_connection", Interrupted())
            with pytest.raises(KeyboardInterrupt):
                store.rows("SELECT 1")
        assert store.rows("SELECT 1") == [(1,)]


def test_a_full_output_is_one_line(tmp_path: Path) -> None:
    fill(tmp_path)
    with Path("/dev/full").open("w") as full:
        assert "No space left" in one_line(run_outside(tmp_path, "topics", stdout=full))


def test_an_output_that_lacks_characters_gets_signs_for_them(tmp_path: Path) -> None:
    fill(tmp_path)
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    arguments = ("evaluate", "--topic", TOPIC, "--version", "review", "--regions", "cosine")
    done = run_outside(tmp_path, *arguments, stdout=subprocess.PIPE, env=environment)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, f"{TOPIC} ? review ? toy")


@pytest.mark.parametrize("name", ["x" * 300, "file/below"])
def test_a_folder_that_can_not_be(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert str(tmp_path) in Runner(tmp_path / name, capsys)("topics").mistake


def test_a_name_does_not_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path, topic_id="\x1b[31mred\x07")
    out = Runner(tmp_path, capsys)("topics").out
    assert "red" in out
    assert "\x1b" not in out
    assert "\x07" not in out


def test_a_topic_whose_name_is_too_long_for_a_file_still_loads(tmp_path: Path) -> None:
    from data.library.litqeval import load_litqeval
    from tests.data.collections import write_workbook

    folder = write_litqeval(tmp_path)
    write_workbook(
        folder / "core_publications.xlsx", [["Topic", "Survey", "Pub_id", "Title"], ["T" * 400, "s", "p1", "x"]]
    )
    write_workbook(folder / "metadata.xlsx", [["id", "title", "abstract", "year"], ["p1", "x", "y", 99999999999]])
    collection = load_litqeval(folder)
    assert "T" * 400 in [t.topic_id for t in collection.topics]
    assert {p.year for p in collection.publications if p.publication_id == "p1"} == {None}


def test_scores_are_shown_although_they_can_not_be_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise DiskFullError("no room left")

    fill(tmp_path)
    with Workspace.open(tmp_path) as workspace:
        monkeypatch.setattr(workspace.store, "remember", full)
        evaluation = workspace.evaluate(TOPIC, "review", regions=("cosine", "cluster"))
    assert evaluation.regions["cosine"].f_beta
    assert any("no disk space" in warning for warning in evaluation.warnings)
