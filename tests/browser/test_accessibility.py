"""axe-core finds nothing, forced colours leave states visible, and another theme leaves every table readable."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from dashboard.kit.theme import THEMES, Theme
from tests.browser.accessibility import Violation, faint, settle, switch, titles, views, violations
from tests.browser.servers import Server
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow


def _other(theme: Theme) -> Theme:
    return THEMES[1 - THEMES.index(theme)]


def _report(found: list[Violation]) -> str:
    return f"{len(found)} violations\n" + "\n".join(map(str, found))


def test_axe_finds_nothing_on_any_page_in_both_themes(demo: Server, visitors: Visitors) -> None:
    """Each view is entered in one theme and switched to the other one while it is open."""
    page = visitors.enter(demo).page
    settle(page)
    theme: Theme = "light"
    found: list[Violation] = []
    for link in page.get_by_test_id("stSidebarNavLink").all():
        name = link.inner_text().split("\n")[-1]
        link.click()
        expect(page.get_by_test_id("stMain").locator("h1")).to_have_text(name)
        settle(page)
        for view in views(page):
            place = f"{name} {view}".strip()
            found += titles(page, place) + violations(page, f"{place}, {theme}") + faint(page, place, theme)
            theme = _other(theme)
            switch(page, theme)
            dark = f"{place}, switched to {theme}"
            found += violations(page, dark, rules=("color-contrast",)) + faint(page, dark, theme)
    assert not found, _report(found)
