"""What every test of the page Sources starts from."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.explore.workspace import Workspace
from tests.dashboard.sources.search_pages import TOPIC, Services, play


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> Services:
    return play(monkeypatch)


@pytest.fixture
def topic(root: Path) -> str:
    """A topic without a version."""
    with Workspace.open(root) as workspace:
        workspace.store.save_topic(TOPIC, ())
    return TOPIC


@pytest.fixture
def nobody_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether real sources can be reached is not asked here."""
    monkeypatch.delenv("QUERYSCAPE_OFFLINE", raising=False)
