"""Someone comes for the first time."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.first_visit import FirstVisit
from tests.browser.servers import Server
from tests.browser.truth import HEAT
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow

STEPS = ["The query", "The landscape", "The similarity threshold", "The core that was missed"]


def test_an_empty_workspace_offers_the_demo_and_builds_it(first_visit: FirstVisit) -> None:
    assert "Build the demo" in first_visit.offered
    assert any("topic 3 of 3" in words for words in map(str.lower, first_visit.progress)), first_visit.progress
    assert first_visit.painted


def test_the_tour_is_walked_through_once(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review", first_time=True)
    seen = []
    for number in range(1, len(STEPS) + 1):
        expect(explore.tour).to_contain_text(f"{number} of {len(STEPS)}")
        seen.append(explore.tour.get_by_role("heading").inner_text())
        explore.tour.get_by_role("button", name="Done" if number == len(STEPS) else "Next").click()
    assert seen == STEPS
    expect(explore.tour).to_have_count(0)

    explore.page.reload()
    explore.wait_until_painted(HEAT, "review")
    explore.wait_until_computed()
    expect(explore.tour).to_have_count(0)
    explore.page.get_by_role("button", name="Show me around").click()
    expect(explore.tour).to_contain_text(STEPS[0])
    explore.page.keyboard.press("Escape")
    expect(explore.tour).to_have_count(0)


def test_nothing_is_asked_of_another_machine(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review")
    page = explore.page
    for name, last in (("Library", "LitQEval"), ("About the numbers", "Where the method comes from")):
        page.get_by_test_id("stSidebarNav").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
        expect(page.get_by_role("heading", name=last)).to_be_visible()
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Explore").click()
    explore.wait_until_painted(HEAT, "review")
    assert visitors.watch.outside == []
    assert visitors.watch.errors == []
    sources = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert sources
    assert [address for address in sources if not address.startswith((demo.url, "data:", "blob:"))] == []
