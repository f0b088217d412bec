"""What tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler.loadscope import LoadScopeScheduling

from data.explore.scoring import View
from data.explore.workspace import Workspace
from tests.data.workspaces import MODEL, TOPIC, fill

# CI asks the same questions every time; new ones are for the desk, where an answer can be looked into. How long an
# answer takes hangs on what else the machine does.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")


BROWSER = "tests/browser/"
os.environ.pop("COLUMNS", None)  # of the terminal that the tests were started in: tables must not hang on it


class InTwoProcesses(LoadScopeScheduling):
    """A file stays in one process, and so do all that look at the one server in a browser."""

    def _split_scope(self, nodeid: str) -> str:
        name = nodeid.split("::", 1)[0]
        return BROWSER if name.startswith(BROWSER) else name


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> InTwoProcesses:
    """How the tests are shared out."""
    return InTwoProcesses(config, log)


@pytest.fixture
def collections_dir() -> Path:
    """The folder of the real collections."""
    root = os.environ.get("QUERYSCAPE_TEST_DATA")
    if root:
        return Path(root)
    reason = "QUERYSCAPE_TEST_DATA does not name the folder of the real collections"
    if os.environ.get("QUERYSCAPE_REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one small topic; tests that change it work on a copy."""
    root = tmp_path_factory.mktemp("filled")
    fill(root)
    return root


@pytest.fixture
def workspace(filled: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A copy of it, opened."""
    shutil.copytree(filled, tmp_path / "ws")
    with Workspace.open(tmp_path / "ws") as opened:
        yield opened


@pytest.fixture
def view(workspace: Workspace) -> View:
    """Its first version."""
    return workspace.view(TOPIC, "baseline", MODEL)
