"""New search string: from a topic to a scored string by one click, a keyword moved and moved back, a version saved."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import go_to
from tests.browser.servers import Server
from tests.browser.truth import BATTERY, Truth
from tests.browser.visitors import Visitors
from tests.browser.writer_board_page import BoardPage

pytestmark = pytest.mark.slow
LONG_MS = 120_000
NUMBER = re.compile(r"^([\d,]+) publications? ·")


def view(page: Page, name: str) -> None:
    """Another view of the page."""
    page.get_by_test_id("stButtonGroup").first.get_by_text(name, exact=True).click()


def step_card(page: Page, key: str) -> tuple[str, int]:
    """The string of a card, and how many publications it is said to retrieve."""
    card = page.locator(f".st-key-writer-step-{key}")
    text = card.get_by_test_id("stCode").locator("code").inner_text().strip()
    said = card.get_by_text(NUMBER).first.inner_text()
    found = NUMBER.match(said)
    assert found is not None
    return text, int(found[1].replace(",", ""))


def test_from_a_topic_to_a_scored_string_moved_back_and_saved(demo: Server, truth: Truth, visitors: Visitors) -> None:
    explore = visitors.open(demo, BATTERY, "baseline")
    page = explore.page
    go_to(page, "New search string")
    page.get_by_role("button", name="Write with corpus statistics and the demo model").click()

    expect(page.get_by_text("is best on the held-out core.")).to_be_visible(timeout=LONG_MS)
    rows = page.locator(".qs-candidates tbody tr:not(.group)")
    expect(rows).to_have_count(6)  # four strings, the best version and the current one
    expect(rows.filter(has_text="current version").get_by_role("rowheader")).to_contain_text("baseline")
    expect(rows.first.get_by_role("rowheader")).to_contain_text("The topic's name")
    expect(page.locator(".qs-candidates").get_by_text("not a language model")).to_be_visible()
    expect(rows.filter(has_text="Best on held-out core")).to_have_count(1)
    text, n = step_card(page, "candidate")
    assert n == truth.matching(BATTERY, text)
    explore.expect_in_link("writing")

    page.get_by_role("button", name="Open in Sort").click()
    board = BoardPage(page)
    expect(board.text).to_have_text(text, use_inner_text=True)
    keyword = page.get_by_role("group", name="Keywords").get_by_role("listitem").first
    keyword.focus()
    page.keyboard.press("a")
    expect(board.text).not_to_have_text(text, use_inner_text=True)
    moved = board.shown()
    board.expect_number("Publications", f"{truth.matching(BATTERY, moved):,}")
    page.keyboard.press("Control+z")
    expect(board.text).to_have_text(text, use_inner_text=True)
    board.press("Redo")
    expect(board.text).to_have_text(moved, use_inner_text=True)
    board.press("Save as version")
    label = re.compile(r"^Version v\d+$")
    expect(page.get_by_text(label)).to_be_visible()
    name = page.get_by_text(label).inner_text().removeprefix("Version ")
    expect(page.get_by_role("combobox", name="Query version")).to_have_value(name)

    view(page, "Candidates")
    expect(page.locator(".qs-candidates").get_by_text(f"saved as {name}")).to_be_visible()
    page.get_by_role("button", name="Use in the Workbench").click()
    expect(page.get_by_test_id("search-string")).to_have_value(text)


def test_what_is_typed_stays_on_other_pages_and_every_question_can_be_read(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, BATTERY, "baseline")
    page = explore.page
    go_to(page, "New search string")
    description = page.get_by_role("textbox", name="Description (optional)")
    description.fill("Cells that age while <b>parked</b>")
    description.press("Tab")
    go_to(page, "Workbench")
    expect(page.get_by_test_id("min-similarity")).to_be_visible()
    go_to(page, "New search string")
    expect(description).to_have_value("Cells that age while <b>parked</b>")
    page.get_by_role("button", name="Dry run").click()
    expect(page.get_by_test_id("stMetric").filter(has_text="Requests")).to_be_visible(timeout=LONG_MS)
    page.get_by_role("button", name="Write", exact=True).last.click()
    expect(page.get_by_text("is best on the held-out core.")).to_be_visible(timeout=LONG_MS)
    view(page, "Asked")
    asked, answered = page.get_by_test_id("stCode").nth(0), page.get_by_test_id("stCode").nth(1)
    expect(asked).to_contain_text("Cells that age while <b>parked</b>")
    expect(answered).to_contain_text("keywords")
