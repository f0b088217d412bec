"""Stores and workspaces that tests of data/ share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from data.demo.loading import bring_litqeval
from data.explore.workspace import Workspace
from data.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new store."""
    with Store.open(tmp_path / "queryscape.duckdb") as opened:
        yield opened


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One store for tests and drawn examples that have nothing to do with each other."""
    with Store.open(tmp_path_factory.mktemp("shared") / "queryscape.duckdb") as opened:
        yield opened


@pytest.fixture(scope="module")
def litqeval(collections_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """LitQEval as it was published, with its lists."""
    with Workspace.open(tmp_path_factory.mktemp("litqeval")) as workspace:
        bring_litqeval(workspace, str(collections_dir / "litqeval"))
        yield workspace
