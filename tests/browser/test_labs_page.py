"""Each lab in a browser with nothing loaded: opened by its link, moved by keyboard and by hand, opened once more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard.explore.labs import LABS
from tests.browser.servers import Server, serving
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def nothing_loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with an empty workspace."""
    root = tmp_path_factory.mktemp("labs")
    with serving(root / "workspace", root / "log") as server:
        yield server


@pytest.fixture(autouse=True)
def streamlit_looks_for_itself(visitors: Visitors) -> Iterator[None]:
    """Opened by the address of a page, Streamlit asks beneath it where its server is, and takes a 404 for a no."""
    yield
    visitors.watch.errors[:] = [error for error in visitors.watch.errors if "/labs/_stcore/" not in error]


def open_lab(visitors: Visitors, server: Server, lab: str) -> Page:
    """A new visitor opens a lab by its link, and its bench is there."""
    page = visitors.enter(server).page
    page.goto(f"{server.url}/labs?lab={lab}")
    expect(bench(page)).to_have_attribute("data-state", "shown")
    return page


def bench(page: Page) -> Locator:
    """The browser part."""
    return page.locator(".queryscape.lab")


def numbers(page: Page) -> str:
    """What the numbers beside the charts say."""
    return bench(page).locator(".lab-numbers").first.inner_text()


def wait_until_in_link(page: Page, name: str) -> None:
    """Until the address holds such a value."""
    page.wait_for_function("(name) => new URL(location).searchParams.has(name)", arg=name)


def in_address(page: Page, name: str) -> str | None:
    """What the address holds under this name."""
    found: str | None = page.evaluate("(name) => new URL(location).searchParams.get(name)", name)
    return found


def state_of(page: Page) -> str:
    """Everything that a link must bring back."""
    values = bench(page).locator(".slider-value").all_inner_texts()
    charts = [picture.get_attribute("aria-label") for picture in bench(page).locator(".chart-picture").all()]
    return json.dumps([values, charts, numbers(page)])


@pytest.mark.parametrize("lab", LABS)
def test_a_lab_follows_the_keyboard_and_its_link_brings_it_back(
    nothing_loaded: Server, visitors: Visitors, lab: str
) -> None:
    page = open_lab(visitors, nothing_loaded, lab)
    at_first, slider = numbers(page), bench(page).locator("input[type=range]").first
    is_at_its_end = slider.input_value() == slider.get_attribute("min")
    slider.focus()
    page.keyboard.press("End" if is_at_its_end else "Home")
    expect(bench(page).locator(".lab-numbers").first).not_to_have_text(at_first, use_inner_text=True)
    wait_until_in_link(page, f"at-{slider.get_attribute('data-setting')}")
    moved = state_of(page)
    page.reload()
    expect(bench(page)).to_have_attribute("data-state", "shown")
    assert state_of(page) == moved
    bench(page).get_by_role("button", name="Reset").click()
    expect(bench(page).locator(".lab-numbers").first).to_have_text(at_first, use_inner_text=True)


def test_a_core_publication_is_dragged_and_moved_by_key(nothing_loaded: Server, visitors: Visitors) -> None:
    page = open_lab(visitors, nothing_loaded, "toy")
    expect(bench(page)).to_contain_text("96 of 200 (48 %)")
    expect(bench(page)).to_contain_text("50 of 200 (25 %)")
    at_first = numbers(page)
    picture = bench(page).locator("figure[data-chart=mvee] .chart-picture")
    picture.scroll_into_view_if_needed()
    grip = picture.get_by_role("slider", name="Core publication 1", exact=True)
    box = grip.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y + 90, steps=8)
    page.mouse.up()
    expect(bench(page).locator(".lab-numbers").first).not_to_have_text(at_first, use_inner_text=True)
    dragged = grip.bounding_box()
    assert dragged is not None
    assert abs(dragged["x"] - box["x"] + 60) < 2
    assert abs(dragged["y"] - box["y"] - 90) < 2
    wait_until_in_link(page, "at-points")
    said = grip.get_attribute("aria-valuetext")
    grip.focus()
    page.keyboard.press("ArrowRight")
    expect(grip).not_to_have_attribute("aria-valuetext", said or "")
    # All before the next frame: none may be lost.
    key = "new KeyboardEvent('keydown', {key: 'ArrowUp', bubbles: true})"
    grip.evaluate(f"(grip) => {{ for (let n = 0; n < 60; n++) grip.dispatchEvent({key}); }}")
    expect(grip).to_have_attribute("aria-valuetext", re.compile(r", 1\.00"))  # as far as the axis goes
    expect(grip).to_be_focused()


def test_labs_are_switched_without_the_server_and_back_is_the_lab_before(
    nothing_loaded: Server, visitors: Visitors
) -> None:
    page = open_lab(visitors, nothing_loaded, "toy")
    n_sent = visitors.watch.n_sent
    names = bench(page).get_by_role("navigation", name="Labs")
    for lab in (*LABS, "toy"):
        names.get_by_role("link", name=LABS[lab].title.partition(":")[0], exact=True).click()
        expect(bench(page)).to_have_attribute("data-lab", lab)
        expect(bench(page)).to_have_attribute("data-state", "shown")
        assert in_address(page, "lab") == lab
    assert visitors.watch.n_sent == n_sent
    for lab in [*LABS][::-1][:2]:
        page.go_back()
        expect(bench(page)).to_have_attribute("data-lab", lab)
        assert in_address(page, "lab") == lab


def test_a_presentation_is_driven_by_keys(nothing_loaded: Server, visitors: Visitors) -> None:
    page = open_lab(visitors, nothing_loaded, "threshold")
    bench(page).get_by_role("button", name="Present", exact=True).click()
    stage = page.get_by_role("dialog", name="Similarity threshold")
    expect(stage).to_be_visible()
    assert in_address(page, "present") == "1"
    assert stage.bounding_box() == {"x": 0, "y": 0, "width": 1440, "height": 900}
    n_sent = visitors.watch.n_sent
    page.keyboard.press("ArrowRight")
    expect(bench(page)).to_have_attribute("data-lab", "projection")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("PageUp")
    expect(bench(page)).to_have_attribute("data-lab", "f_beta")
    assert visitors.watch.n_sent == n_sent
    slider = page.get_by_label("Core recall", exact=True)
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(bench(page)).to_contain_text("recall 0.61")
    expect(bench(page)).to_have_attribute("data-lab", "f_beta")
    slider.click()
    expect(bench(page).get_by_role("dialog")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(bench(page)).to_have_attribute("data-lab", "threshold")
    page.keyboard.press("Escape")
    expect(bench(page).get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", name="Labs", exact=True)).to_be_visible()
    expect(page).not_to_have_url(re.compile("present="))  # the browser closes a dialog before it says so


def test_a_line_is_dragged_in_the_chart_and_moved_by_key(nothing_loaded: Server, visitors: Visitors) -> None:
    page = open_lab(visitors, nothing_loaded, "threshold")
    at_first = numbers(page)
    line = bench(page).locator("figure[data-chart=publications]").get_by_role("slider", name="Similarity threshold")
    box = line.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 120, y, steps=6)
    page.mouse.up()
    expect(bench(page).locator(".lab-numbers").first).not_to_have_text(at_first, use_inner_text=True)
    moved = line.bounding_box()
    assert moved is not None
    assert abs(moved["x"] - box["x"] + 120) < 4
    field = page.get_by_label("Similarity threshold", exact=True)
    dragged = float(line.get_attribute("aria-valuenow") or "nan")
    assert float(field.input_value()) == pytest.approx(dragged)
    line.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(line).to_have_attribute("aria-valuetext", f"{dragged + 0.01:.3f}")
    page.wait_for_function(
        "(at) => new URL(location).searchParams.get('at-min_similarity') === at", arg=f"{dragged + 0.01:g}"
    )
    expect(line).to_be_focused()


@pytest.mark.parametrize("lab", ["toy", "f_beta", "projection"])
def test_four_charts_are_seen_without_scrolling(nothing_loaded: Server, visitors: Visitors, lab: str) -> None:
    page = open_lab(visitors, nothing_loaded, lab)
    for link in ("", "&present=1"):
        page.goto(f"{nothing_loaded.url}/labs?lab={lab}{link}")
        expect(bench(page)).to_have_attribute("data-state", "shown")
        pictures = bench(page).locator(".chart-picture")
        expect(pictures).to_have_count(4)
        for picture in pictures.all():
            box = picture.bounding_box()
            assert box is not None
            assert box["y"] > 0
            assert box["y"] + box["height"] <= 900


def test_a_lab_that_is_not_there_and_a_browser_without_a_canvas(nothing_loaded: Server, visitors: Visitors) -> None:
    page = visitors.enter(nothing_loaded, canvas=False).page
    page.goto(f"{nothing_loaded.url}/labs?lab=nonsense")
    expect(bench(page).get_by_role("alert")).to_contain_text("There is no lab “nonsense”")
    expect(bench(page)).to_have_attribute("data-state", "shown")
    bench(page).get_by_role("link", name="Clusters").click()
    expect(bench(page).get_by_role("alert")).to_have_count(0)
    figure = bench(page).locator("figure[data-chart=curve]")
    figure.hover()
    figure.get_by_role("button", name="PNG").click()
    expect(bench(page).locator(".lab-status")).to_contain_text("SVG instead")


def test_files_of_a_chart(nothing_loaded: Server, visitors: Visitors, tmp_path: Path) -> None:
    page = open_lab(visitors, nothing_loaded, "toy")
    figure = bench(page).locator("figure[data-chart=cosine]")
    figure.hover()
    with page.expect_download() as svg:
        figure.get_by_role("button", name="SVG").click()
    svg.value.save_as(tmp_path / "chart.svg")
    root = ElementTree.parse(tmp_path / "chart.svg").getroot()
    assert "96 of 200" in (root.findtext(f"{SVG}title") or "")
    assert root.findtext(f"{SVG}desc")
    assert "var(--" not in (tmp_path / "chart.svg").read_text("utf-8")
    with page.expect_download() as png:
        figure.get_by_role("button", name="PNG").click()
    png.value.save_as(tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    with page.expect_download() as table:
        bench(page).get_by_role("button", name="Save table as CSV").click()
    table.value.save_as(tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text("utf-8").splitlines()[1].startswith("Cosine,96,200,0.48")
    bench(page).locator(".lab-table summary").click()
    expect(bench(page).get_by_role("cell", name="Convex hull")).to_be_visible()


@pytest.mark.parametrize("lab", LABS)
def test_nothing_is_cut_off_on_a_phone(nothing_loaded: Server, visitors: Visitors, lab: str) -> None:
    page = visitors.enter(nothing_loaded, size={"width": 390, "height": 844}).page
    page.goto(f"{nothing_loaded.url}/labs?lab={lab}")
    expect(bench(page)).to_have_attribute("data-state", "shown")
    widths = bench(page).evaluate("(root) => [root.scrollWidth, root.clientWidth]")
    assert widths[0] <= widths[1]
