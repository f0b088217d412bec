"""What tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from data.views import View
from data.workspace import Workspace
from tests.data.workspaces import MODEL, TOPIC, fill

# CI asks the same questions every time; new ones are for the desk, where an answer can be looked into.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


HERE = Path(__file__).parent
os.environ.pop("COLUMNS", None)  # of the terminal that the tests were started in: tables must not hang on it


@pytest.hookimpl(tryfirst=True)  # what runs the processes reads the groups in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Two processes share the tests: a file stays in one, and so do all that look at the one server."""
    for item in items:
        in_browser = HERE / "browser" in item.path.parents
        item.add_marker(pytest.mark.xdist_group("browser" if in_browser else str(item.path)))


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
