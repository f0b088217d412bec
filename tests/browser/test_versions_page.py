"""A comparison on the demo, by its link: the sentence and numbers of a direct call, every view, files, and undo."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, expect

from core.explore.compare import Comparison, verdict
from core.settings import EvaluationSettings
from data.explore.versions import compare_in_full, load_changes
from tests.browser.pages import Explore, go_to
from tests.browser.servers import Server
from tests.browser.truth import BATTERY, HEAT, Truth, says
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow
SVG = "{http://www.w3.org/2000/svg}"
PAIR = ("baseline", "review")
VIEWS = ("Scores", "Text", "Publications", "Landscape", "Sensitivity", "History")
UNTIL_COMPUTED_MS = 300_000
"""Ranges and clusters of a first comparison, where others use the machine too."""
QUERY = "lithium AND (ageing OR aging) AND NOT zeppelin"


@pytest.fixture(autouse=True)
def streamlit_looks_for_itself(visitors: Visitors) -> Iterator[None]:
    """Opened by the address of a page, Streamlit asks beneath it where its server is, and takes a 404 for a no."""
    yield
    visitors.watch.errors[:] = [error for error in visitors.watch.errors if "/versions/_stcore/" not in error]


@pytest.fixture
def direct(truth: Truth) -> Comparison:
    """The comparison, as a call gives it."""
    return compare_in_full(truth.workspace, HEAT, PAIR, embedder=truth.embedder, settings=EvaluationSettings())


def open_versions(visitors: Visitors, server: Server, view: str, *, width: int = 1440) -> Page:
    """A new visitor compares two versions by a link."""
    page = visitors.enter(server, size={"width": width, "height": 900}).page
    link = [("topic", HEAT), *(("versions", label) for label in PAIR), ("versions_view", view)]
    page.goto(f"{server.url}/versions?{urlencode(link)}")
    expect(page.get_by_role("heading", level=1, name="Versions")).to_be_visible()
    expect(page.get_by_role("radio", name=view)).to_be_checked()
    return page


def show(page: Page, view: str) -> None:
    """Choose a view by hand."""
    page.get_by_role("radio", name=view, exact=True).click()
    page.wait_for_function("(view) => new URL(location).searchParams.get('versions_view') === view", arg=view)


def landmark(page: Page, truth: Truth, view: str) -> Locator:
    """What only this view has."""
    if view == "Publications":
        found = load_changes(truth.workspace, HEAT, PAIR)
        n = int((found.parts()["Gained"] & found.core_mask).sum())
        assert n
        return page.get_by_text(f"Core gained ({n})")
    rows = truth.workspace.store.versions(HEAT)
    query_id = next(row.version.query_id for row in rows if row.version.label == "review")
    return {
        "Scores": page.get_by_role("rowheader", name="Core recall"),
        "Text": page.locator(".queryscape.versions_text pre:visible").first,
        "Landscape": page.get_by_test_id("overlay-canvas"),
        "Sensitivity": page.locator(".st-key-figure-versions-spans .gtitle").first,
        "History": page.locator(f".st-key-version-{query_id}"),
    }[view]


def saved(page: Page, figure: Locator, kind: str, folder: Path) -> Path:
    """The file behind one of a figure's buttons."""
    with page.expect_download() as download:
        figure.locator(f"button[data-file={kind}]").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_the_sentence_and_the_numbers_are_those_of_a_direct_call(
    demo: Server, truth: Truth, direct: Comparison, visitors: Visitors
) -> None:
    page = open_versions(visitors, demo, "Scores")
    said = page.get_by_test_id("stHeading").filter(has_text="core publications")
    expect(said).to_have_text(verdict(direct, *PAIR, region="cosine").sentence, timeout=UNTIL_COMPUTED_MS)
    recall = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Core recall"))
    cosine = page.get_by_role("rowgroup").get_by_role("row").filter(has_text="F2 (with decay)").first
    for n, label in enumerate(PAIR):
        told = truth.evaluate(HEAT, label)
        shown = [row.get_by_role("cell").nth(n).locator("span").first.inner_text() for row in (recall, cosine)]
        assert says(shown[0].split()[0], told.recall)
        assert says(shown[1].split()[0], told.regions["cosine"].f_beta)


def test_every_view_shows_what_it_is_for(demo: Server, truth: Truth, visitors: Visitors) -> None:
    page = open_versions(visitors, demo, "Scores")
    for view in (*VIEWS[1:], VIEWS[0]):
        show(page, view)
        expect(landmark(page, truth, view)).to_be_visible(timeout=UNTIL_COMPUTED_MS)
        expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(landmark(page, truth, "History")).to_have_count(0)


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_cut_off_on_a_phone(demo: Server, truth: Truth, visitors: Visitors, view: str) -> None:
    page = open_versions(visitors, demo, view, width=390)
    expect(landmark(page, truth, view)).to_be_visible(timeout=UNTIL_COMPUTED_MS)
    main = page.get_by_test_id("stMain")
    page.wait_for_function("(main) => main.scrollWidth <= main.clientWidth", arg=main.element_handle())


def test_files_of_the_differences(demo: Server, direct: Comparison, visitors: Visitors, tmp_path: Path) -> None:
    page = open_versions(visitors, demo, "Scores")
    figure = page.locator(".st-key-figure-versions-differences")
    expect(figure.locator(".gtitle").first).to_contain_text("differences are clear", timeout=UNTIL_COMPUTED_MS)
    root = ElementTree.parse(saved(page, figure, "svg", tmp_path)).getroot()
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}desc")
    assert "Core recall" in "".join(root.itertext())
    picture = saved(page, figure, "png", tmp_path).read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(picture) > 5_000
    with saved(page, figure, "csv", tmp_path).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    differences = [d for d in direct.differences if (d.a, d.b) == PAIR]
    assert [row["In words"] for row in rows] == [d.sentence for d in differences]
    for row, d in zip(rows, differences, strict=True):
        assert (float(row["Difference"]) if row["Difference"] else None) == pytest.approx(d.difference)


def test_a_version_is_deleted_and_brought_back(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, BATTERY, "manual")
    label = _run(explore)
    explore.wait_until_computed()
    page = explore.page
    go_to(page, "Versions")
    expect(page.get_by_role("heading", level=1, name="Versions")).to_be_visible()
    show(page, "History")
    entry = page.locator("[class*=st-key-version-]").filter(has=page.get_by_text(label, exact=True))
    expect(entry).to_have_count(1)
    entry.get_by_role("button", name="Open").click()
    expect(entry.get_by_test_id("stCode")).to_contain_text(QUERY)
    entry.get_by_role("button", name="Delete").click()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    expect(entry).to_have_count(0)
    undo.click()
    expect(entry).to_have_count(1)
    expect(undo).to_have_count(0)
    entry.get_by_role("button", name="Delete").click()  # the demo is as it was
    expect(undo).to_be_visible()
    expect(entry).to_have_count(0)


def _run(explore: Explore) -> str:
    """A version of the test's own; gives back its label."""
    explore.run(QUERY)
    expect(explore.version).to_have_value(re.compile(r"v\d+"))
    return explore.version.input_value()
