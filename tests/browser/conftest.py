"""A server with the demo, a browser, and visitors that can't make a mistake unseen."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.servers import Server, serving

if TYPE_CHECKING:  # playwright may be missing: then the tests are skipped, or fail with a reason
    from playwright.sync_api import Browser

    from tests.browser.first_visit import FirstVisit
    from tests.browser.truth import Truth
    from tests.browser.visitors import Visitors

FAILED = pytest.StashKey[bool]()
HERE = Path(__file__).parent
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder drives a browser."""
    for item in items:
        if HERE in item.path.parents and not isinstance(item, pytest.DoctestItem):
            item.add_marker(pytest.mark.browser)


def _lacking(reason: str) -> None:
    if os.environ.get("QUERYSCAPE_REQUIRE_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's chromium, driven by playwright."""
    path = os.environ.get("QUERYSCAPE_CHROMIUM") or shutil.which("chromium")
    if find_spec("playwright") is None:
        _lacking("there is no playwright: pip install playwright")
    if not path or not Path(path).exists():
        _lacking("there is no chromium: install it, or name it in QUERYSCAPE_CHROMIUM")
    from playwright.sync_api import expect, sync_playwright

    from tests.browser.pages import PATIENCE_MS

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe_core() -> None:
    """What tests/browser/accessibility.py judges pages with."""
    from tests.browser.accessibility import AXE

    if not AXE.exists():
        _lacking("there is no axe-core: npm ci in dashboard/browser")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fixtures see whether their test has failed."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def visitors(chromium: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visitors]:
    """Opens pages, each in a browser profile of its own; at the end none of them may have seen an error."""
    from tests.browser.visitors import Visitors

    with Visitors(chromium) as opened:
        yield opened
        if request.node.stash.get(FAILED, True):
            opened.take_pictures(tmp_path)


@pytest.fixture(scope="session")
def first_visit(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FirstVisit]:
    """Someone starts the app in an empty folder and has the demo built; the server runs on for all tests."""
    from tests.browser.first_visit import build_the_demo

    root = tmp_path_factory.mktemp("demo")
    with serving(root / "workspace", root / "log") as server:
        yield build_the_demo(chromium, server)


@pytest.fixture(scope="session")
def demo(first_visit: FirstVisit) -> Server:
    """A server with the demo."""
    return first_visit.server


@pytest.fixture(scope="session")
def truth(demo: Server) -> Iterator[Truth]:
    """What a direct call says about the demo."""
    from tests.browser.truth import Truth

    with Truth(demo.data_dir) as told:
        yield told
