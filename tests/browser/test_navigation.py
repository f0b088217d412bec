"""Every address opens its page, and what is selected is at the top of the pages that act on it."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from dashboard.navigation import GROUPS
from tests.browser.accessibility import settle
from tests.browser.pages import go_to
from tests.browser.servers import Server, serving
from tests.browser.truth import BATTERY, EMBEDDER, HEAT
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow

SELECTED = {"topic": HEAT, "version": "review", "embedder": EMBEDDER}
ALL = ("Topic", "Query version", "Embedder")
ADDRESSES: dict[str, tuple[dict[str, str], str, tuple[str, ...]]] = {
    "": ({"region": "hull"}, "Workbench", ALL),
    "explore": ({"region": "hull"}, "Workbench", ALL),
    "workbench": ({"region": "hull"}, "Workbench", ALL),
    "query": ({}, "Workbench", ALL),
    "writer": ({"writer": "Sort"}, "New search string", ALL),
    "sources": ({"sources": "Runs"}, "Sources", ("Topic", "Query version")),
    "versions": ({"versions_view": "History"}, "Versions", ("Topic", "Embedder")),
    "studies": ({"study": "Strings"}, "Studies", ()),
    "retrievers": ({}, "Retrievers", ()),
    "knowledge": ({}, "Knowledge", ()),
    "judge": ({"judge": "Rubric"}, "Judge", ()),
    "audit": ({"audit": "Report"}, "Audit", ALL),
    "labs": ({}, "Labs", ()),
    "library": ({"part": "Duplicates"}, "Library", ("Topic",)),
    "guide": ({"guide": "dialects", "constructs": "Wildcards", "construct": "Any beginning"}, "Guide", ()),
    "about": ({}, "About the numbers", ()),
}
"""Of each name in the address: more of the link, the heading, and what is selected at the top."""


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_address_opens_its_page_with_what_it_says(demo: Server, visitors: Visitors, name: str) -> None:
    more, heading, choices = ADDRESSES[name]
    explore = visitors.enter(demo, {**SELECTED, **more}, path=name)
    page = explore.page
    expect(page.get_by_test_id("stMain").locator("h1")).to_have_text(heading)
    settle(page)
    expect(page.get_by_role("dialog", name="Page not found")).to_have_count(0)
    head = page.locator(".st-key-page-head").get_by_role("combobox")
    expect(head).to_have_count(len(choices))
    for label in choices:
        expect(head.and_(page.get_by_role("combobox", name=label))).to_be_visible()
    for key, value in {**SELECTED, **more}.items():
        explore.expect_in_link(key, value)
    assert urlsplit(explore.address()).path == f"/{name}"
    # Streamlit looks there first for what it finds at the root
    visitors.watch.errors[:] = [error for error in visitors.watch.errors if f"/{name}/_stcore/" not in error]


def test_every_page_is_reached_through_five_groups_and_keeps_what_is_selected(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review")
    page = explore.page
    groups = page.locator(".st-key-navigation").get_by_role("link")
    expect(groups).to_contain_text([group.title for group in GROUPS])
    assert len(GROUPS) == 5
    for title in ("Audit", "Labs", "Library", "Studies"):
        go_to(page, title)
        expect(page.get_by_test_id("stMain").locator("h1")).to_have_text(title)
    for key, value in SELECTED.items():
        explore.expect_in_link(key, value)
    go_to(page, "Workbench")
    explore.wait_until_painted(HEAT, "review")


def test_back_and_forward_return_to_each_choice(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review")
    page = explore.page
    explore.choose("Query version", "generated")
    explore.wait_until_painted(HEAT, "generated")
    explore.set_threshold(0.7)
    explore.expect_in_link("similarity")
    threshold = explore.numbers().min_similarity
    go_to(page, "Versions")
    heading = page.get_by_test_id("stMain").locator("h1")
    expect(heading).to_have_text("Versions")
    settle(page)
    page.get_by_role("radio", name="History", exact=True).click()
    explore.expect_in_link("versions_view", "History")
    settle(page)

    page.go_back()
    expect(page.get_by_role("radio", name="Scores", exact=True)).to_be_checked()
    page.go_back()
    explore.wait_until_painted(HEAT, "generated")
    explore.expect_in_link("version", "generated")
    assert explore.numbers().min_similarity == threshold
    settle(page)
    page.go_back()
    explore.wait_until_painted(HEAT, "review")
    explore.expect_in_link("version", "review")
    settle(page)
    page.go_forward()
    explore.wait_until_painted(HEAT, "generated")
    page.reload()
    explore.wait_until_painted(HEAT, "generated")
    settle(page)
    page.go_forward()
    expect(heading).to_have_text("Versions")


def test_without_a_topic_only_what_needs_none_is_offered(visitors: Visitors, tmp_path: Path) -> None:
    with serving(tmp_path / "workspace", tmp_path / "log") as server:
        explore = visitors.enter(server)
        page = explore.page
        expect(page.get_by_role("button", name="See an example")).to_be_visible()
        expect(page.locator(".st-key-navigation").get_by_role("link")).to_contain_text(["Library", "Evaluate", "Learn"])
        expect(page.locator(".st-key-page-head")).to_have_count(0)
        explore.leave()


def test_a_topic_is_chosen_on_a_phone(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review", size={"width": 390, "height": 844})
    page = explore.page
    explore.choose("Query version", "baseline")
    explore.wait_until_painted(HEAT, "baseline")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_test_id("stExpandSidebarButton").click()
    page.locator(".st-key-navigation").get_by_role("link", name="Learn", exact=True).click()
    expect(page.get_by_test_id("stMain").locator("h1")).to_have_text("Labs")


def test_the_palette_goes_to_pages_topics_and_versions_by_keyboard(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review")
    page = explore.page
    page.get_by_role("button", name="Go to …").press("Enter")
    palette = page.get_by_role("dialog", name="Go to")
    field = palette.get_by_role("combobox", name="Go to")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(palette).to_be_hidden()
    assert explore.focused() == "BUTTON"
    page.keyboard.press("Control+k")
    page.keyboard.type("gener")
    option = palette.get_by_role("option", name="generated Version")
    expect(option).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    explore.wait_until_painted(HEAT, "generated")
    explore.expect_in_link("version", "generated")
    explore.query.fill("heat OR trees")
    page.keyboard.press("Control+k")
    page.keyboard.type("run the")
    page.keyboard.press("Enter")
    expect(explore.version).to_have_value(re.compile(r"^v\d+$"))
    explore.choose("Query version", "generated")
    explore.wait_until_painted(HEAT, "generated")
    page.keyboard.press("Control+k")
    page.keyboard.type("about")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stMain").locator("h1")).to_have_text("About the numbers")
    expect(page.locator(".st-key-navigation [aria-current]")).to_have_text(re.compile("Learn$"))
    explore.expect_in_link("version", "generated")
    settle(page)
    page.keyboard.press("Control+k")
    page.keyboard.type("Battery")
    page.keyboard.press("Enter")
    explore.wait_until_painted(BATTERY)
    settle(page)
    page.go_back()
    expect(page.get_by_test_id("stMain").locator("h1")).to_have_text("About the numbers")
    page.go_back()
    explore.wait_until_painted(HEAT, "generated")


def test_the_keyboard_reaches_the_search_string_and_run_at_once(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review")
    page = explore.page
    page.reload()
    explore.wait_until_painted(HEAT, "review")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(explore.query).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_focused()


def test_links_of_the_guide_lead_on_in_the_same_tab(demo: Server, visitors: Visitors) -> None:
    explore = visitors.enter(demo, {**SELECTED, "guide": "commands"}, path="guide")
    page = explore.page
    title = page.get_by_test_id("stMain").locator("h2").first
    expect(title).to_have_text("Commands")
    settle(page)
    page.get_by_role("link", name="Options of every command").click()
    expect(title).to_have_text("Options of every command")
    explore.expect_in_link("guide", "options")
    settle(page)
    page.get_by_role("link", name="a config file", exact=True).click()
    expect(title).to_have_text("Installing")
    heading = page.get_by_role("heading", name="Defaults in a config file")
    expect(heading).to_be_in_viewport()
    expect(title).not_to_be_in_viewport()
    settle(page)
    page.go_back()
    expect(title).to_have_text("Options of every command")
    settle(page)
    page.go_back()
    expect(title).to_have_text("Commands")
    assert len(page.context.pages) == 1
    # Streamlit looks there first for what it finds at the root
    visitors.watch.errors[:] = [error for error in visitors.watch.errors if "/guide/_stcore/" not in error]
