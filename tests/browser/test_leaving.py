"""Going to another page while the hand's last move is not yet on its way to a server that is busy."""

from __future__ import annotations

import os
import signal

import pytest
from playwright.sync_api import expect

from tests.browser.servers import Server
from tests.browser.truth import BATTERY
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow
RESTED_MS = 600
"""Longer than the hand has to rest until its move is sent."""


def test_a_move_before_leaving_does_not_empty_the_page_that_comes(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, BATTERY, "baseline")
    explore.wait_until_computed()
    page = explore.page
    os.kill(demo.pid, signal.SIGSTOP)
    try:
        explore.slider.press("ArrowRight")
        page.locator(".st-key-navigation").get_by_role("link", name="Compare", exact=True).click()
        clicked = page.evaluate("() => performance.now()")
        page.wait_for_function("(until) => performance.now() > until", arg=clicked + RESTED_MS)
    finally:
        os.kill(demo.pid, signal.SIGCONT)
    expect(page.get_by_role("heading", level=1, name="Versions")).to_be_visible()
    page.get_by_role("radio", name="History", exact=True).click()
    expect(page.locator("[class*=st-key-version-]").first).to_be_visible()
    expect(page.get_by_role("heading", level=1, name="Versions")).to_be_visible()
