"""Single publications: found, pointed at, picked, and read."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.pages import Explore
from tests.browser.places import Places, Rows
from tests.browser.servers import Server
from tests.browser.truth import HEAT, Truth, says
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow

VERSION = "generated"
ON_THE_LINE_PX = 2.0
"""So near to the lasso a dot may be on either side of it."""


@pytest.fixture
def explore(demo: Server, visitors: Visitors) -> Explore:
    return visitors.open(demo, HEAT, VERSION)


@pytest.fixture
def places(explore: Explore, truth: Truth) -> Places:
    points = truth.view(HEAT, VERSION).landscape.points
    assert points is not None
    return Places(explore, points, truth.titles(HEAT, VERSION))


def test_a_click_on_a_dot_opens_its_record(explore: Explore, places: Places, truth: Truth) -> None:
    view = truth.view(HEAT, VERSION)
    row = places.lonely_row()
    explore.page.mouse.click(*places.on_page(*places.pixels[row]))
    explore.expect_record(places.titles[row])

    near = view.nearest(view.landscape.ids[row])
    known = truth.workspace.publications([n.publication_id for n in near])
    lines = explore.record.locator(".nearest li")
    expect(lines).to_have_count(10)
    assert [line.inner_text() for line in lines.locator(".near-title").all()] == [p.title for p in known]
    shown = [line.inner_text() for line in lines.locator(".near-similarity").all()]
    assert all(says(text, n.similarity) for text, n in zip(shown, near, strict=True))

    lines.get_by_role("button").first.click()
    explore.expect_record(known[0].title)
    explore.record.get_by_role("button", name="Close the record").click()
    expect(explore.page.get_by_test_id("core-list")).to_be_visible()


def test_a_lasso_picks_what_is_inside(explore: Explore, places: Places, tmp_path: Path) -> None:
    polygon = _hexagon(places)
    explore.page.get_by_role("button", name="Lasso").click()
    explore.draw([places.on_page(*corner) for corner in polygon])
    expect(explore.picked_note).to_be_visible()
    surely, perhaps = (places.rows_inside(polygon, margin) for margin in (-ON_THE_LINE_PX, ON_THE_LINE_PX))
    assert len(surely) > 5

    counted = re.match(r"([\d,]+) picked", explore.picked_note.inner_text())
    assert counted
    n = int(counted[1].replace(",", ""))
    explore.expect_chip("picked", n)
    expect(explore.chip("picked")).to_have_attribute("aria-pressed", "true")
    path = explore.saved(explore.page.get_by_role("button", name="Download CSV"), tmp_path)
    rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    assert len(rows) == n
    listed = sorted(row["Title"] for row in rows)
    assert len(surely) <= n <= len(perhaps)
    for row in surely:
        assert places.titles[row] in listed
    assert set(listed) <= {places.titles[row] for row in perhaps}

    in_sight = explore.table_titles()
    assert set(in_sight) <= set(listed)
    explore.table.locator(".line:visible .cell.title").first.click()
    explore.expect_record(in_sight[0])
    explore.next_frame()
    focused = [row for row in perhaps if places.titles[row] == in_sight[0]]
    assert any(places.crosshair_is_at(row) for row in focused)

    explore.page.get_by_role("button", name="Clear the picked publications").click()
    expect(explore.picked_note).to_be_hidden()
    expect(explore.chip("all")).to_have_attribute("aria-pressed", "true")
    explore.expect_chip("picked", 0)


def _hexagon(places: Places) -> Rows:
    middle = np.median(places.pixels, axis=0)
    angles = np.arange(6) * np.pi / 3 + 0.2
    return middle + 90 * np.column_stack([np.cos(angles), np.sin(angles)])


def test_numbers_of_the_scores_list_what_they_count(explore: Explore) -> None:
    explore.show_all_regions()
    recall = explore.page.get_by_test_id("recall-card").locator("[data-filter]")
    recall.click()
    expect(explore.chip("core")).to_have_attribute("aria-pressed", "true")
    explore.expect_chip("core", int(recall.inner_text().split()[0]))
    relevant = explore.card("nearest_core").locator("[data-filter]")
    relevant.click()
    expect(explore.card("nearest_core")).to_have_attribute("aria-checked", "true")
    expect(explore.chip("relevant")).to_have_attribute("aria-pressed", "true")
    explore.expect_chip("relevant", int(relevant.inner_text().split()[0].replace(",", "")))
    assert explore.table_titles()


def test_finding_a_word_counts_and_marks_titles(explore: Explore, truth: Truth) -> None:
    titles = truth.titles(HEAT, VERSION)
    before = explore.fingerprint()
    n = truth.view(HEAT, VERSION).landscape.n_retrieved
    for word in ("shade", "HEAT", "zeppelin"):
        explore.find.fill(word)
        hits = [row for row, title in enumerate(titles) if word.lower() in title.lower()]
        split = truth.split(HEAT, VERSION, explore.numbers().min_similarity)
        relevant = sum(split <= row < n for row in hits)
        said = f"{len(hits):,} titles, {relevant:,} of them relevant" if hits else "No title"
        expect(explore.find_note).to_have_text(said)
        assert (explore.fingerprint() != before) == bool(hits)
    explore.find.press("Escape")
    expect(explore.find_note).to_be_hidden()
    assert explore.find.input_value() == ""
    assert explore.fingerprint() == before
