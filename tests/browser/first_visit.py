"""The first visit of all: an empty folder, a click, and a landscape."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Browser, expect

from tests.browser.servers import Server
from tests.browser.visitors import Visitors

DEMO_MS = 600_000
"""The demo takes some seconds on two cores, and longer where others use them too."""


@dataclass(frozen=True)
class FirstVisit:
    """What a first visitor saw."""

    server: Server
    offered: tuple[str, ...]
    """The buttons of an empty workspace."""
    shown: str
    """The topic whose landscape came first, without a reload."""
    painted: bool
    shown_again: str
    """The topic after a reload in the middle of the build."""
    topics: tuple[str, ...]
    """What the choice of topics offers once the rest has come."""


def build_the_demo(browser: Browser, server: Server) -> FirstVisit:
    """Click "See an example", and wait for the landscape and for the other topics."""
    with Visitors(browser) as visitors:
        explore = visitors.enter(server)
        page = explore.page
        button = page.get_by_role("button", name="See an example")
        expect(button).to_be_visible()
        offered = tuple(page.get_by_test_id("stMain").get_by_role("button").all_inner_texts())
        button.click()
        explore.wait_until_painted(timeout=DEMO_MS)
        topic = page.get_by_role("combobox", name="Topic", exact=True)
        shown, painted = topic.input_value(), explore.n_pixels("relevant") > 0
        page.reload()  # in the middle of the build of the other topics
        explore.wait_until_painted(timeout=DEMO_MS)
        shown_again = topic.input_value()
        expect(page.get_by_role("button", name="Show hints")).to_be_visible()
        expect(page.locator(".st-key-demo-progress")).to_have_count(0, timeout=DEMO_MS)
        topic.click()
        options = page.get_by_role("option")
        expect(options.first).to_be_visible()
        topics = tuple(options.all_inner_texts())
    return FirstVisit(server, offered, shown, painted, shown_again, topics)
