"""Stores that tests of data/ share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

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
