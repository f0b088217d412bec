"""What every test of a command starts from."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.dashboard.runs import Runner


@pytest.fixture
def run(filled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    shutil.copytree(filled, tmp_path / "ws")
    return Runner(tmp_path / "ws", capsys)
