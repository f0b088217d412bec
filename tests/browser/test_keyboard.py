"""Without a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.places import Places
from tests.browser.servers import Server
from tests.browser.truth import HEAT, Truth
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow

PRESSES = 12


def test_threshold_regions_and_find_by_keyboard(demo: Server, truth: Truth, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "generated")
    explore.wait_until_computed()
    keyboard = explore.page.keyboard
    explore.show_all_regions()
    at = explore.numbers().min_similarity

    explore.tab_to("region-cosine")
    keyboard.press("ArrowRight")
    expect(explore.card("nearest_core")).to_have_attribute("aria-checked", "true")
    explore.expect_in_link("region", "nearest_core")
    keyboard.press("ArrowLeft")
    keyboard.press("Enter")
    expect(explore.card("cosine")).to_have_attribute("aria-checked", "true")
    assert explore.focused() == "region-cosine"
    explore.expect_in_link("region", None)

    explore.tab_to("min-similarity")
    for _ in range(PRESSES):
        keyboard.press("ArrowRight")
    explore.next_frame()
    numbers = explore.numbers()
    assert abs(numbers.min_similarity - at - PRESSES * 0.001) < 0.001
    truth.check_threshold(numbers, HEAT, "generated")
    explore.expect_in_link("similarity", str(numbers.min_similarity))
    assert explore.numbers() == numbers
    assert explore.focused() == "min-similarity"

    explore.wait_until_computed()
    explore.tab_to("find")
    n_sent = visitors.watch.n_sent
    keyboard.type("rc car")
    expect(explore.find_note).to_have_text("No title")
    assert explore.find.input_value() == "rc car"
    expect(explore.page.get_by_test_id("stDialog")).to_have_count(0)
    assert visitors.watch.n_sent == n_sent, "Streamlit's own shortcuts rest"


def test_the_landscape_by_keyboard(demo: Server, truth: Truth, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "generated")
    points = truth.view(HEAT, "generated").landscape.points
    assert points is not None
    places = Places(explore, points, truth.titles(HEAT, "generated"))
    explore.page.mouse.move(2, 2)
    keyboard = explore.page.keyboard
    explore.page.locator(".tools").get_by_role("button", name="Picture").focus()
    explore.tab_to("landscape-overlay", backwards=True)
    home = explore.fingerprint()
    closer = None
    for key in ("+", "-", "ArrowRight"):
        before = explore.fingerprint()
        keyboard.press(key)
        explore.expect_another_picture(before)
        closer = closer or explore.fingerprint()
    assert closer != home
    keyboard.press("0")
    explore.next_frame()
    assert explore.fingerprint() == home

    keyboard.press("Enter")
    explore.expect_record(places.titles[places.nearest_row(places.box["width"] / 2, places.box["height"] / 2)])

    explore.tab_to("Retrieved publications")
    keyboard.press("ArrowDown")
    keyboard.press("Space")
    expect(explore.picked_note).to_contain_text("1 picked")
    explore.tab_to("landscape-overlay", backwards=True)
    keyboard.press("Escape")
    expect(explore.picked_note).to_be_hidden()
