"""An empty library for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from data.explore.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path) as opened:
        yield opened
