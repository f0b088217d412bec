"""Someone comes for the first time."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.first_visit import FirstVisit
from tests.browser.pages import go_to
from tests.browser.servers import Server
from tests.browser.truth import HEAT
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow


def test_an_empty_workspace_offers_an_example_and_shows_its_smallest_topic(first_visit: FirstVisit) -> None:
    assert first_visit.offered[0] == "See an example"
    assert first_visit.shown == first_visit.shown_again == HEAT
    assert first_visit.painted
    assert len(first_visit.topics) == 3


def test_a_hint_stays_away_once_it_is_closed_until_hints_are_asked_for(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review", first_time=True)
    page = explore.page
    expect(explore.hints).to_have_count(4)
    explore.wait_until_computed()
    for hint in explore.hints.all():
        box, picture = explore.box(hint), explore.overlay.bounding_box()  # after the page has scrolled there
        assert picture is not None
        assert (
            box["y"] + box["height"] <= picture["y"]
            or box["y"] >= picture["y"] + picture["height"]
            or box["x"] >= picture["x"] + picture["width"]
        )
    explore.hints.first.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(explore.hints).to_have_count(3)
    expect(explore.hints.first.get_by_role("button")).to_be_focused()

    page.reload()
    explore.wait_until_painted(HEAT, "review")
    expect(explore.hints).to_have_count(3)
    page.get_by_role("button", name="Show hints").click()
    expect(explore.hints).to_have_count(4)


def test_nothing_is_asked_of_another_machine(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review")
    page = explore.page
    for name, last in (("Library", "LitQEval"), ("About the numbers", "Origin of the method")):
        go_to(page, name)
        expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
        expect(page.get_by_role("heading", name=last)).to_be_visible()
    go_to(page, "Workbench")
    explore.wait_until_painted(HEAT, "review")
    assert visitors.watch.outside == []
    assert visitors.watch.errors == []
    sources = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert sources
    assert [address for address in sources if not address.startswith((demo.url, "data:", "blob:"))] == []
