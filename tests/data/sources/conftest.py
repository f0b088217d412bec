"""An empty workspace to run searches in, and a server that plays a source."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from data.explore.workspace import Workspace
from tests.data.sources.source_bench import VARIABLES, Bench


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path / "ws") as opened:
        yield opened


@pytest.fixture
def bench(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Bench:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    return Bench(httpserver)
