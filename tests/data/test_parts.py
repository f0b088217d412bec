"""Unfinished files: those of ended processes go when the workspace is opened, those of living ones stay."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from data import parts
from data.explore.workspace import Workspace
from data.parts import STALE, part_of, parts_without_owner, remove_parts
from tests.data.children import TOP, child

LEAVE = "from pathlib import Path; from data.parts import part_of; import sys; part_of(Path(sys.argv[1])).{}"


def test_leftovers_of_ended_processes_go_when_the_workspace_is_opened(tmp_path: Path) -> None:
    (tmp_path / "vectors" / "toy").mkdir(parents=True)
    child(LEAVE.format("mkdir()"), tmp_path / "index")
    child(LEAVE.format("write_bytes(b'x')"), tmp_path / "vectors" / "toy" / "a.npy")
    own = part_of(tmp_path / "mesh.json")
    own.write_bytes(b"x")
    download = tmp_path / "downloads" / "beir" / "corpus.jsonl.part"  # the next run resumes it
    download.parent.mkdir(parents=True)
    download.write_bytes(b"x")
    os.utime(download, (0, 0))
    assert len(parts_without_owner(tmp_path)) == 2
    with Workspace.open(tmp_path):
        assert set(tmp_path.rglob("*.part")) == {own, download}


def test_those_of_a_living_process_stay(tmp_path: Path) -> None:
    code = f"{LEAVE.format('mkdir()')}; print('made', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code, str(tmp_path / "index")]
    with subprocess.Popen(command, cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as living:
        assert living.stdout is not None
        assert living.stdin is not None
        living.stdout.readline()
        assert remove_parts(tmp_path) == 0
        living.stdin.close()
        living.wait()
    assert remove_parts(tmp_path) == 1


def test_a_later_process_with_the_same_number_is_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(parts, "start_of", lambda pid: "1")
        part_of(tmp_path / "a").write_bytes(b"x")
    assert remove_parts(tmp_path) == 1


def test_those_of_another_machine_stay_for_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(parts, "_host", lambda: "abcdef")
        new, old = part_of(tmp_path / "a"), part_of(tmp_path / "b")
    for path in (new, old, tmp_path / "nameless.part"):
        path.write_bytes(b"x")
    long_ago = new.stat().st_mtime - 2 * STALE
    os.utime(old, (long_ago, long_ago))
    assert parts_without_owner(tmp_path) == (old,)
