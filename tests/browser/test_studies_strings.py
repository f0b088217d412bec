"""The part Strings of the page Studies on the demo: results, differences, writing what is asked for, files, a phone."""

from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.servers import Server, serving
from tests.browser.test_studies_page import UNTIL_MADE_MS, drawn, open_part, saved
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow
THREE = "Baseline, review and generated"


@pytest.fixture(autouse=True)
def streamlit_looks_for_itself(visitors: Visitors) -> Iterator[None]:
    """As in the other parts: opened by a page's address, Streamlit asks beneath it where its server is."""
    yield
    visitors.watch.errors[:] = [error for error in visitors.watch.errors if "/studies/_stcore/" not in error]


@pytest.fixture
def own(demo: Server, tmp_path: Path) -> Iterator[Server]:
    """A server of its own on a copy of the demo, as writing adds versions."""
    shutil.copytree(
        demo.data_dir, tmp_path / "own", ignore=shutil.ignore_patterns("queryscape.sock", "queryscape.port")
    )
    with serving(tmp_path / "own", tmp_path / "own.log") as server:
        yield server


def open_strings(visitors: Visitors, server: Server, **more: str) -> Page:
    page = open_part(visitors, server, "Strings", **more)  # type: ignore[arg-type]
    expect(page.get_by_role("heading", name="Topic by topic")).to_be_visible(timeout=UNTIL_MADE_MS)
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_three_origins_with_results_and_differences(demo: Server, visitors: Visitors, scheme: str) -> None:
    page = open_strings(visitors, demo, compared=THREE, scheme=scheme)
    expect(drawn(page, "strings")).to_contain_text("How to read this: a line is a topic")
    expect(drawn(page, "strings-differences")).to_contain_text("a cell is Review minus Baseline")
    said = page.locator(".st-key-strings-message")
    expect(said.get_by_role("listitem")).to_have_count(3)
    expect(said).to_contain_text("Not clear: fewer than 6 topics.")
    page.get_by_role("radio", name="Generated minus review").or_(
        page.get_by_role("button", name="Generated minus review")
    ).click()
    expect(drawn(page, "strings-differences")).to_contain_text(
        "a cell is Generated minus Review", timeout=UNTIL_MADE_MS
    )
    page.wait_for_function("() => new URL(location).searchParams.get('minus') === 'Generated minus review'")
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_its_files_hold_every_number(demo: Server, visitors: Visitors, tmp_path: Path) -> None:
    page = open_strings(visitors, demo, compared=THREE)
    path = saved(page, drawn(page, "strings"), "csv", tmp_path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["Topic"] for line in lines][-1] == "Mean over 3 topics"
    assert len(lines) == 4
    assert all(0 <= float(line["Recall: generated"]) <= 1 for line in lines)
    with page.expect_download() as download:
        page.get_by_role("button", name="Everything (Markdown)").click()
    download.value.save_as(tmp_path / "strings.md")
    written = (tmp_path / "strings.md").read_text("utf-8")
    assert written.startswith("# Search strings")
    assert "Demo data" in written


def test_a_string_is_written_in_the_background(own: Server, visitors: Visitors) -> None:
    page = open_strings(visitors, own, topics="Urban heat and street trees (made up)")
    part = page.locator(".st-key-strings-missing")
    part.locator("summary").click()
    part.get_by_text("Demo (not a language model)").click()
    part.get_by_role("button", name="Write all (1)").click()
    expect(part).to_contain_text(re.compile(r"Versions from the last run: .*v\d"), timeout=UNTIL_MADE_MS)
    said = page.locator(".st-key-strings-message")
    expect(said).to_contain_text("On held-out core publications", timeout=UNTIL_MADE_MS)
    expect(said).to_contain_text("optimistic")
    expect(drawn(page, "strings")).to_be_visible()  # before its server goes
    page.close()


def test_on_a_phone_nothing_is_cut_off(demo: Server, visitors: Visitors) -> None:
    page = open_strings(visitors, demo, width=420)  # type: ignore[arg-type]
    drawn(page, "strings")
    drawn(page, "strings-differences")
    wider = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0
    main = page.get_by_test_id("stMain")
    assert main.evaluate("node => node.scrollWidth - node.clientWidth") <= 0
