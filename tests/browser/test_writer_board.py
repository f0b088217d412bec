"""Sort keywords: the string, its scores and the landscape follow every move; back and forth; save as a version."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.servers import Server
from tests.browser.truth import HEAT, Truth
from tests.browser.visitors import Visitors
from tests.browser.writer_board_page import BoardPage

pytestmark = pytest.mark.slow

NARROW = {"width": 420, "height": 900}


def expect_true(board: BoardPage, truth: Truth) -> None:
    """What is shown is what the string retrieves."""
    board.expect_number("Publications", f"{truth.matching(HEAT, board.shown()):,}")


def test_a_keyword_is_moved_and_moved_back_and_the_lists_become_a_version(
    demo: Server, truth: Truth, visitors: Visitors
) -> None:
    board = BoardPage.of(visitors.open(demo, HEAT, "review"))
    board.take_apart("review")
    row = board.keyword("street trees")
    expect(row).to_have_count(1)
    expect_true(board, truth)
    before, picture = board.shown(), board.landscape.get_attribute("aria-label")
    row.focus()
    board.page.keyboard.press("x")
    expect(board.keyword("street trees", "Excluded")).to_be_visible()
    expect(board.status).to_contain_text("Moved “street trees” to Excluded.")
    expect(board.text).to_contain_text("NOT")
    expect_true(board, truth)
    expect(board.landscape).not_to_have_attribute("aria-label", str(picture))
    after = board.shown()
    board.page.keyboard.press("Control+z")
    expect(board.text).to_have_text(before)
    expect(board.landscape).to_have_attribute("aria-label", str(picture))
    board.page.keyboard.press("Control+Shift+Z")
    expect(board.text).to_have_text(after)
    board.press("Undo")
    expect(board.text).to_have_text(before)
    board.drag("street trees", "Specific")
    expect(board.keyword("street trees", "Specific")).to_be_visible()
    expect(board.status).to_contain_text("Moved “street trees” to Specific.")
    expect_true(board, truth)
    saved = board.shown()
    board.press("Save as version")
    label = re.compile(r"^Version v\d+$")
    expect(board.page.get_by_text(label)).to_be_visible()
    name = board.page.get_by_text(label).inner_text().removeprefix("Version ")
    expect(board.page.get_by_role("combobox", name="Query version")).to_have_value(name)
    expect(board.text).to_have_text(saved)
    board.press("Open in the Workbench")
    expect(board.text).to_have_count(0)
    expect(board.page.get_by_role("textbox", name="Search string")).to_have_value(saved)


def test_keywords_are_added_changed_deleted_and_told_apart_by_keys_alone(
    demo: Server, truth: Truth, visitors: Visitors
) -> None:
    board = BoardPage.of(visitors.open(demo, HEAT, "review"))
    board.take_apart("review")
    expect(board.keyword("street trees")).to_have_count(1)
    field = board.page.get_by_role("textbox", name="Add a keyword to Specific")
    field.fill("leaf <b>area</b>, canopy OR")
    field.press("Enter")
    expect(board.page.get_by_role("alert").filter(has_text="contains an operator")).to_be_visible()
    expect(field).to_have_value("leaf <b>area</b>, canopy OR")
    field.fill("leaf area; canopy*")
    field.press("Enter")
    expect(board.keyword("canopy*", "Specific")).to_be_visible()
    expect_true(board, truth)
    board.keyword("leaf area").focus()
    board.page.keyboard.press("ArrowDown")
    expect(board.keyword("canopy*")).to_be_focused()
    board.page.keyboard.press("Enter")
    board.page.keyboard.type("crown*")
    board.page.keyboard.press("Enter")
    expect(board.keyword("crown*", "Specific")).to_be_focused()
    expect_true(board, truth)
    board.page.keyboard.press("Delete")
    expect(board.keyword("crown*")).to_have_count(0)
    expect(board.keyword("leaf area")).to_be_focused()
    expect(board.status).to_contain_text("Deleted “crown*”.")
    expect_true(board, truth)


def test_a_narrow_page_has_the_lists_below_each_other(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "review")
    board = BoardPage.of(explore)
    board.take_apart("review")
    expect(board.keyword("street trees")).to_have_count(1)
    board.page.set_viewport_size(NARROW)
    expect(board.list("General")).to_be_visible()
    boxes = [board.list(name).bounding_box() for name in ("Specific", "General", "Overarching", "Excluded", "Aside")]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops)
    assert len(tops) == 5
    wide = board.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= NARROW["width"]
