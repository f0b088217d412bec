"""What every test of a command starts from."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner import script_runner

from dashboard.kit import output
from tests.dashboard.apps import serving
from tests.dashboard.runs import Runner
from tests.dashboard.schemas import check_printed


@pytest.fixture
def run(filled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    shutil.copytree(filled, tmp_path / "ws")
    return Runner(tmp_path / "ws", capsys)


@pytest.fixture(scope="session")
def node() -> str:
    """Node, which runs the browser's code: the system's, or the one that playwright brings along."""
    spec = find_spec("playwright")
    places = [Path(spec.origin).parent / "driver" / "node"] if spec and spec.origin else []
    found = shutil.which("node") or next((str(place) for place in places if place.exists()), None)
    if found:
        return found
    reason = "there is no node: install it, or pip install playwright, which brings one"
    if os.environ.get("QUERYSCAPE_REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(autouse=True, scope="session")
def _scan_once() -> Iterator[None]:
    """Look once for components among the installed packages; Streamlit reads all their metadata for every AppTest."""
    with pytest.MonkeyPatch.context() as patch:
        scan = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


@pytest.fixture(autouse=True, scope="session")
def _path_stays() -> Iterator[None]:
    """Leave `sys.path` alone, as the server does: it adds the app's folder once.

    Without this an AppTest adds and removes it with every run, and a thread that looks through the path in this moment
    skips an entry: it does not find an installed package.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(script_runner, "modified_sys_path", contextlib.nullcontext)
        yield


@pytest.fixture(autouse=True)
def _documents_fit_their_schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test has a command print with --json is held against the command's schema."""
    text_of = output.json_text
    monkeypatch.setattr(output, "json_text", lambda document: check_printed(text_of(document)))


@pytest.fixture(autouse=True)
def _few_resamples(few_resamples: None) -> None: ...


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """The folder of the workspace that the app opens."""
    with serving(tmp_path / "workspace") as folder:
        yield folder
