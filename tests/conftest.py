"""What tests share."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import is_hypothesis_test, settings
from xdist.scheduler.loadscope import LoadScopeScheduling

from core.explore.uncertainty import N_RESAMPLES
from data import database
from data.explore.scoring import VersionView
from data.explore.workspace import Workspace
from data.files import disk_errors
from tests.data.workspaces import MODEL, TOPIC, fill

# CI asks the same questions every time; new ones are for the desk, where an answer can be looked into. How long an
# answer takes hangs on what else the machine does.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")


FEW = 5
"""The fast tests try one of so many examples of a law; with QUERYSCAPE_ALL_EXAMPLES=1, as in .ci/run, all are tried."""
FEWEST = 10
BROWSER = "tests/browser/"
make_store = database._make
os.environ["QUERYSCAPE_CONFIG"] = ""  # the defaults of whoever runs the tests are not theirs
os.environ.pop("COLUMNS", None)  # of the terminal that the tests were started in: tables must not hang on it

# Rewriting the asserts of all tests takes each process 13 seconds: they are kept for the next run, also where
# PYTHONDONTWRITEBYTECODE is set, as it is in many containers.
sys.dont_write_bytecode = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the files at the top: few and long, they would leave one of two processes without work at the end."""
    items.sort(key=lambda item: item.nodeid.split("::", 1)[0].count("/") > 1)
    if os.environ.get("QUERYSCAPE_ALL_EXAMPLES") != "1":
        laws = {item.obj for item in items if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj)}
        for law in laws:
            asked = law._hypothesis_internal_use_settings  # a test's settings can't be decorated twice
            n = min(asked.max_examples, max(FEWEST, asked.max_examples // FEW))
            law._hypothesis_internal_use_settings = settings(asked, max_examples=n)


def pytest_collection_finish() -> None:
    """Leave modules and tests out of garbage collection: Streamlit collects all garbage after each run of a page."""
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)


class InTwoProcesses(LoadScopeScheduling):
    """A file stays in one process, and so do all that look at the one server in a browser."""

    def _split_scope(self, nodeid: str) -> str:
        name = nodeid.split("::", 1)[0]
        return BROWSER if name.startswith(BROWSER) else name


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> InTwoProcesses:
    """How the tests are shared out."""
    return InTwoProcesses(config, log)


@pytest.fixture(autouse=True, scope="session")
def _new_stores_are_copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make the tables of a new store once; hundreds of tests begin with one. `making_stores` makes them each time."""
    empty = tmp_path_factory.mktemp("empty") / "store"
    make_store(empty)

    def copy(path: Path) -> None:
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(empty, aside := path.with_name(f"{path.name}.{uuid4().hex}.part"))
            aside.rename(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_make", copy)
        yield


@pytest.fixture
def making_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores are made from the schema, as users' stores are."""
    monkeypatch.setattr(database, "_make", make_store)


@pytest.fixture(scope="session")
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
def view(workspace: Workspace) -> VersionView:
    """Its first version."""
    return workspace.view(TOPIC, "baseline", MODEL)


@pytest.fixture
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resample the core a tenth as often, for tests of what is done with the ranges, not of the ranges."""
    for kind, n in N_RESAMPLES.items():
        monkeypatch.setitem(N_RESAMPLES, kind, n // 10)
