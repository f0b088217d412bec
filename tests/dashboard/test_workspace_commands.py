"""The commands `workspace check`, `repair`, `save` and `load`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.dashboard.runs import Runner
from tests.data.test_digests import flip
from tests.data.workspaces import fill


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    fill(tmp_path / "ws")
    return Runner(tmp_path / "ws", capsys)


def test_a_sound_workspace_ends_with_status_0(run: Runner) -> None:
    document = run("workspace", "check", "--json").document
    assert document["folder"] == str(run.root)
    assert document["problems"] == []
    assert {area["area"]: area["n_problems"] for area in document["areas"]}["vectors"] == 0
    assert "No problems" in run("workspace", "check").out
    assert run("workspace", "repair", "--json").document["repaired"] == []


def test_problems_are_listed_and_end_with_status_1(run: Runner) -> None:
    path = next((run.root / "vectors").rglob("*.npy"))
    flip(path, 300)
    stray = path.with_name("0123.npy")
    stray.write_bytes(b"x")
    checked = run("workspace", "check", "--json")
    assert (checked.status, checked.err) == (1, "")
    problems = json.loads(checked.out)["problems"]
    assert {problem["area"] for problem in problems} == {"vectors", "orphans"}
    assert str(path.relative_to(run.root).as_posix()) in run("workspace", "check").out
    repaired = run("workspace", "repair", "--json")
    document = json.loads(repaired.out)
    assert repaired.status == 1, "imported vectors can't be made again"
    assert len(document["repaired"]) == 1
    assert {problem["area"] for problem in document["problems"]} == {"vectors"}
    assert not stray.exists()


def test_no_workspace_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Runner(tmp_path / "empty", capsys)
    run.root.mkdir()
    for name in ("check", "repair"):
        assert str(run.root) in run("workspace", name).mistake
    assert list(run.root.iterdir()) == []


def test_a_workspace_is_saved_and_loaded(run: Runner, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.zip"
    saved = run("workspace", "save", str(file), "--json").document
    assert saved["n_bytes"] == file.stat().st_size
    assert str(file) in run("workspace", "save", str(file)).mistake
    other = Runner(tmp_path / "other", capsys)
    assert other("workspace", "load", str(file), "--json").document["n_files"] == saved["n_files"]
    assert other("topics", "--json").document == run("topics", "--json").document
    assert str(other.root) in other("workspace", "load", str(file)).mistake
    assert other("workspace", "check").status == 0
