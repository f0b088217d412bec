"""The parts of the Studies page on the demo: each figure is drawn, its files open, and a phone cuts nothing off."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from tests.browser.servers import Server
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow
SVG = "{http://www.w3.org/2000/svg}"
UNTIL_MADE_MS = 300_000
"""Some of it is worked out when it is first looked at."""
FIGURES = {
    "Core publications": ("core-counts", "core-citations", "core-years", "core-histogram"),
    "Together": ("together", "confusion", "purity"),
    "Scores": ("score-bars", "score-differences"),
    "Thresholds": ("thresholds-source", "costs"),
}


@pytest.fixture(autouse=True)
def streamlit_looks_for_itself(visitors: Visitors) -> Iterator[None]:
    """Opened by the address of a page, Streamlit asks beneath it where its server is, and takes a 404 for a no."""
    yield
    visitors.watch.errors[:] = [error for error in visitors.watch.errors if "/studies/_stcore/" not in error]


def open_part(visitors: Visitors, server: Server, part: str, *, width: int = 1440, **more: str) -> Page:
    """A new visitor opens a part of the page by its link."""
    look = {"color_scheme": more.pop("scheme")} if "scheme" in more else {}
    page = visitors.enter(server, size={"width": width, "height": 900}, **look).page
    page.goto(f"{server.url}/studies?{urlencode({'study': part, **more})}")
    expect(page.get_by_role("heading", name="Studies", exact=True)).to_be_visible(timeout=UNTIL_MADE_MS)
    return page


def drawn(page: Page, key: str) -> Locator:
    """A figure, once there is something in it."""
    figure = page.locator(f".st-key-figure-{key}")
    expect(figure.locator(".js-plotly-plot")).to_have_count(1, timeout=UNTIL_MADE_MS)  # none is left of what was before
    expect(figure.locator(".js-plotly-plot .gtitle")).not_to_have_text("", timeout=UNTIL_MADE_MS)
    expect(figure.locator(".js-plotly-plot .trace, .js-plotly-plot .hm").first).to_be_attached()
    return figure


def saved(page: Page, figure: Locator, kind: str, folder: Path) -> Path:
    """The file behind one of a figure's buttons."""
    with page.expect_download() as download:
        figure.locator(f"button[data-file={kind}]").click()
    value: Download = download.value
    path = folder / value.suggested_filename
    value.save_as(path)
    return path


@pytest.mark.parametrize("part", FIGURES)
def test_every_figure_of_a_part_is_drawn(demo: Server, visitors: Visitors, part: str) -> None:
    page = open_part(visitors, demo, part)
    for key in FIGURES[part]:
        expect(drawn(page, key)).to_contain_text("How to read this:")
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_parts_that_draw_nothing_say_what_to_do(demo: Server, visitors: Visitors) -> None:
    page = open_part(visitors, demo, "Published")
    expect(page.get_by_text("No published numbers are loaded.")).to_be_visible()
    page.get_by_role("radio", name="Find surveys").or_(page.get_by_role("button", name="Find surveys")).click()
    expect(page.get_by_text("Enter a field above")).to_be_visible()
    page.get_by_role("textbox", name="Words or a search string").fill("soft robot*")
    page.keyboard.press("Enter")
    expect(page.get_by_text("soft robot*").first).to_be_visible()
    page.wait_for_function("() => new URL(location).searchParams.get('field') === 'soft robot*'")


def test_a_link_chooses_topics_and_unknown_ones_are_passed_over(demo: Server, visitors: Visitors) -> None:
    page = open_part(visitors, demo, "Core publications", topics="No such topic")
    expect(drawn(page, "core-counts").locator(".gtitle").first).not_to_contain_text("0 topics")
    expect(page.get_by_text("No such topic")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_files_of_a_figure_open(demo: Server, visitors: Visitors, tmp_path: Path, scheme: str) -> None:
    page = open_part(visitors, demo, "Core publications", scheme=scheme)
    figure = drawn(page, "core-counts")
    root = ElementTree.parse(saved(page, figure, "svg", tmp_path)).getroot()
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}desc")
    assert "Core publications" in "".join(root.itertext())
    assert saved(page, figure, "png", tmp_path).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    with saved(page, figure, "csv", tmp_path).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(int(row["Core publications"]) for row in rows) > len(rows) > 1


def test_a_table_of_colours_is_saved_with_its_colours(demo: Server, visitors: Visitors, tmp_path: Path) -> None:
    page = open_part(visitors, demo, "Scores")
    figure = drawn(page, "score-differences")
    text = saved(page, figure, "svg", tmp_path).read_text("utf-8")
    assert "data:image/png" in text  # a heat map's cells are a picture inside the picture
    assert "blob:" not in text


def test_nothing_is_cut_off_on_a_phone(demo: Server, visitors: Visitors) -> None:
    page = open_part(visitors, demo, "Core publications", width=390)
    for key in FIGURES["Core publications"]:
        drawn(page, key)
        box = page.locator(f".st-key-figure-{key} .js-plotly-plot").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390


def test_a_table_of_colours_is_scrolled_where_there_is_little_room(demo: Server, visitors: Visitors) -> None:
    page = open_part(visitors, demo, "Scores", width=390)
    drawn(page, "score-differences")
    room = page.locator(".st-key-wide-score-differences")
    page.wait_for_function("(room) => room.scrollWidth > room.clientWidth + 300", arg=room.element_handle())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
