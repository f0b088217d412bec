"""What tests of the query writer share."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.explore.workspace import Workspace
from tests.data.workspaces import TOPIC, fill


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one small topic, indexed already; tests work on a copy."""
    root = tmp_path_factory.mktemp("filled")
    fill(root, landscape=False)
    with Workspace.open(root) as workspace:
        workspace.corpora.of(TOPIC)
    return root
