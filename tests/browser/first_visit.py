"""The first visit of all: an empty folder, a click, and a landscape."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Browser, expect

from tests.browser.servers import Server
from tests.browser.visitors import Visitors

DEMO_MS = 600_000
"""The demo takes about a minute on two cores, and longer where others use them too."""


@dataclass(frozen=True)
class FirstVisit:
    """What a first visitor saw."""

    server: Server
    offered: tuple[str, ...]
    """The buttons of an empty workspace."""
    progress: tuple[str, ...]
    """What the bar said, in its order."""
    painted: bool
    """Whether a landscape came at the end, without a reload."""


WATCH_PROGRESS = """() => {
  globalThis.progressSaid = [];
  const look = () => {
    const bar = document.querySelector('[data-testid="stProgress"]');
    const words = bar?.checkVisibility() ? bar.innerText.trim() : "";
    if (words && globalThis.progressSaid.at(-1) !== words) globalThis.progressSaid.push(words);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def build_the_demo(browser: Browser, server: Server) -> FirstVisit:
    """Click "Build the demo" and wait for the landscape."""
    with Visitors(browser) as visitors:
        explore = visitors.enter(server)
        page = explore.page
        button = page.get_by_role("button", name="Build the demo")
        expect(button).to_be_visible()
        offered = tuple(page.get_by_test_id("stMain").get_by_role("button").all_inner_texts())
        page.evaluate(WATCH_PROGRESS)
        button.click()
        expect(page.get_by_test_id("stProgress")).to_be_visible()
        explore.wait_until_painted(timeout=DEMO_MS)
        progress = tuple(page.evaluate("globalThis.progressSaid"))
        painted = explore.n_pixels("relevant") > 0
    return FirstVisit(server, offered, progress, painted)
