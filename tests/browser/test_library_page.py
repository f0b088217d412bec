"""Someone brings files of their own: two exports, a pasted core list, a first query, and scores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.pages import go_to
from tests.browser.servers import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow

TOPIC = "Towns & <b>gardens</b> *bold* :material/lock:"
LAYOUT_MS = 300_000
"""A first landscape of all takes long where others use the machine too."""
WORDS = "heat trees shade sleep night river soil winter".split()  # noqa: SIM905
TITLES = [f"The {a} of {b} in towns and gardens" for a in WORDS for b in WORDS if a != b]
HOSTILE = "<img src=x onerror=document.title=1> *bold* $x$ :material/lock: and trees"


def _ris(*titles: str) -> str:
    return "".join(f"TY  - JOUR\nTI  - {title}\nAU  - Kim, A\nPY  - 2019\nER  - \n" for title in titles)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Server]:
    """A server without any topic."""
    with serving(tmp_path / "workspace", tmp_path / "log") as server:
        yield server


def _main(page: Page) -> Locator:
    return page.get_by_test_id("stMain")


def _show(page: Page, part: str) -> None:
    _main(page).get_by_test_id("stButtonGroup").get_by_text(part, exact=True).first.click()


def _upload(page: Page, folder: Path, **files: str) -> None:
    paths = []
    for name, text in files.items():
        paths.append(folder / f"{name}.ris")
        paths[-1].write_text(text, "utf-8")
    page.locator("[class*=st-key-files-] input[type=file]").set_input_files(paths)


def _name_topic(page: Page, name: str) -> None:
    box = _main(page).get_by_role("combobox", name=re.compile("Topic")).first
    box.click()
    box.fill(name)
    box.press("Enter")


def test_from_two_files_to_scores(empty: Server, visitors: Visitors, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    explore = visitors.enter(empty)
    page = explore.page
    page.get_by_role("button", name="Import your own files").click()
    explore.expect_in_link("part", "Import")
    _name_topic(page, TOPIC)
    _upload(page, tmp_path, first=_ris(*TITLES[:30], HOSTILE), second=_ris(*TITLES[20:50]), paper="%PDF-1.4")
    expect(_main(page)).to_contain_text("This file is a PDF")
    page.get_by_role("button", name="Import 61 records").click()
    expect(_main(page)).to_contain_text("51 new publications")
    expect(_main(page)).to_contain_text("Towns & <b>gardens</b> *bold*")
    page.get_by_role("button", name="Import core publications").click()
    pasted = page.get_by_role("textbox", name=re.compile("paste a list"))
    pasted.fill("\n".join([*TITLES[:6], "A title that no file has brought so far"]))
    pasted.press("Control+Enter")
    page.get_by_role("button", name="Import 7 records").click()
    expect(_main(page)).to_contain_text("6 of 7 core publications")
    page.get_by_role("button", name="Type a query").click()
    explore.run("heat OR trees")
    explore.wait_until_painted("", "v1", timeout=LAYOUT_MS)
    assert explore.numbers().kept == "6 of 6"


def test_the_address_opens_the_same_part(demo: Server, visitors: Visitors) -> None:
    from playwright.sync_api import expect

    page = visitors.enter(demo).page
    go_to(page, "Library")
    for part, said in (("Export", "Export for"), ("Vectors", "Add vectors"), ("Import", "Destination")):
        _show(page, part)
        expect(_main(page)).to_contain_text(said)
        page.wait_for_function("(part) => new URL(location).searchParams.get('part') === part", arg=part)
    go_to(page, "Workbench")
    go_to(page, "Library")
    expect(page.get_by_role("heading", level=1, name="Library")).to_be_visible()
