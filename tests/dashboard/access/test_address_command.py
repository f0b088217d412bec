"""`queryscape address`, and the file that it reads: only its owner can."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dashboard.access.gate import AccessGate, set_gate
from dashboard.access.opening import app_address
from data.access import AppAddress, running_apps, write_address
from data.files import WorkspacePaths
from data.parts import start_of
from tests.dashboard.runs import Runner
from tests.dashboard.schemas import mistakes


@pytest.fixture
def paths(tmp_path: Path) -> WorkspacePaths:
    paths = WorkspacePaths(tmp_path / "workspace")
    paths.make_root()
    return paths


@pytest.fixture
def run(paths: WorkspacePaths, capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(paths.root, capsys)


def test_it_prints_the_addresses_of_the_running_app(paths: WorkspacePaths, run: Runner) -> None:
    gate = AccessGate(public_address="https://team.example.org/")
    set_gate(gate)
    write_address(paths, 8501, app_address("0.0.0.0", 8501))
    assert run("address").out.strip() == f"https://team.example.org/?token={gate.token}"
    visitor = run("address", "--visitor").out.strip()
    assert visitor == f"https://team.example.org/?token={gate.token_of('visitor')}"
    document = run("address", "--json").document
    assert mistakes("address", document) == []
    assert document["apps"][0]["owner"].endswith(gate.token)
    assert document["apps"][0]["visitor"] == visitor


def test_an_app_that_was_killed_is_not_named(paths: WorkspacePaths, run: Runner) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    write_address(paths, 8501, AppAddress("b", "o", "v", ended.pid, "0"))
    write_address(paths, 8502, AppAddress("b", "o", "v", os.getpid(), start_of(os.getpid()) + "1"))
    (paths.root / "address-9.json").write_text("[]", "utf-8")
    (paths.root / "address-8.json").write_text('{"a": 1}', "utf-8")
    assert running_apps(paths) == []
    answer = run("address")
    assert answer.status == 2
    assert "no app runs" in answer.err


def test_only_the_owner_can_read_the_files(paths: WorkspacePaths) -> None:
    before = os.umask(0)
    try:
        file = write_address(paths, 8501, app_address("localhost", 8501))
        fresh = WorkspacePaths(paths.root.parent / "fresh")
        fresh.make_root()
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(fresh.root.stat().st_mode) == 0o700
    assert json.loads(file.read_text("utf-8"))["base"] == "http://localhost:8501"


AS_ANOTHER = """
import os, sys
os.setgid(65534); os.setuid(65534)
for path in sys.argv[1:]:
    try:
        os.listdir(path) if path.endswith("/") else open(path).close()
    except PermissionError:
        print("refused")
"""


def test_another_user_of_the_machine_reads_neither_token_nor_workspace(tmp_path: Path) -> None:
    if os.name == "nt" or os.geteuid() != 0:
        return  # only root can become another user; the modes are tested above
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == 0 and folder.name.startswith(("pytest", "test_")):
            folder.chmod(0o755)
    paths = WorkspacePaths(tmp_path / "workspace")
    paths.make_root()
    file = write_address(paths, 8501, app_address("localhost", 8501))
    open_folder = tmp_path / "open"
    open_folder.mkdir(mode=0o755)
    elsewhere = write_address(WorkspacePaths(open_folder), 8501, app_address("localhost", 8501))
    command = [sys.executable, "-S", "-c", AS_ANOTHER, f"{paths.root}/", str(file), str(elsewhere)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
    assert answer.stdout.split() == ["refused"] * 3
