"""axe-core finds nothing, another theme leaves tables and figures readable, and forced colours leave states visible."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from dashboard.kit.theme import THEMES, Theme
from dashboard.navigation import GROUPS
from tests.browser.accessibility import Violation, faint, settle, switch, titles, unfold, views, violations
from tests.browser.pages import go_to
from tests.browser.pixels import colour
from tests.browser.servers import Server
from tests.browser.truth import HEAT
from tests.browser.visitors import Visitors

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("axe_core")]


def _report(found: list[Violation]) -> str:
    return f"{len(found)} violations\n" + "\n".join(map(str, found))


def test_axe_finds_nothing_on_any_page_in_both_themes(demo: Server, visitors: Visitors) -> None:
    """Each view is entered in one theme, and switched to the other one while it is open."""
    page = visitors.enter(demo).page
    settle(page)
    theme: Theme = "light"
    found: list[Violation] = []
    n_measured: dict[str, int] = {"entered": 0, "switched": 0}
    for name in (entry.title for group in GROUPS for entry in group.pages):
        go_to(page, name)
        expect(page.get_by_test_id("stMain").locator("h1")).to_have_text(name)
        settle(page)
        for view in views(page):
            unfold(page)
            place = f"{name} {view}".strip()
            n, pale = faint(page, f"{place}, {theme}", theme)
            found += titles(page, place) + violations(page, f"{place}, {theme}") + pale
            n_measured["entered"] += n
            theme = THEMES[1 - THEMES.index(theme)]
            switch(page, theme)
            place = f"{place}, switched to {theme}"
            n, pale = faint(page, place, theme)
            found += violations(page, place, rules=("color-contrast",)) + pale
            n_measured["switched"] += n
    assert not found, _report(found)
    assert min(n_measured.values()) > 100, n_measured


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_dialogs_and_what_opens(demo: Server, visitors: Visitors, theme: Theme) -> None:
    explore = visitors.open(demo, HEAT, "baseline", color_scheme=theme)
    explore.wait_until_computed()
    page = explore.page
    explore.tune.click()
    expect(page.locator(".panel-sliders")).to_be_visible()
    page.locator(".tools").get_by_role("button", name="Picture").click()
    found = violations(page, "Tune")
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Publication").click()
    page.locator(".queryscape.record button").filter(has=page.locator(".core-found")).first.click()
    expect(explore.record).to_be_visible()
    found += violations(page, "Record")
    page.get_by_role("button", name="Show hints").click()
    expect(explore.hints.filter(visible=True)).to_have_count(3)  # the list of the core is hidden by the record
    found += violations(page, "Hints")
    go_to(page, "Library")
    expect(page.get_by_test_id("stMain").locator("h1")).to_have_text("Library")
    settle(page)
    unfold(page)
    page.get_by_test_id("stMain").get_by_role("button").filter(has_text="Delete …").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.mouse.move(2, 2)
    settle(page)
    found += violations(page, "Delete")
    assert not found, _report(found)


def _ground(locator: Locator) -> str:
    return str(locator.evaluate("(element) => getComputedStyle(element).backgroundColor"))


def test_forced_colours_leave_controls_states_and_regions_visible(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "generated", forced_colors="active")
    page = explore.page
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    chosen, other = explore.chip("all"), explore.chip("relevant")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    assert _ground(chosen) != _ground(other)
    other.click()
    expect(other).to_have_attribute("aria-pressed", "true")
    assert _ground(chosen) != _ground(other)
    style = "(element) => { const s = getComputedStyle(element); return s.outlineStyle + s.outlineWidth; }"
    assert explore.card("cosine").evaluate(style) != explore.card("hull").evaluate(style)
    assert all(explore.n_pixels(role) > 20 for role in ("not_relevant", "relevant", "core"))
    ring = page.locator(".queryscape.record .mark.core-missed").first
    expect(ring).to_have_css("border-top-color", "rgb({}, {}, {})".format(*bytes.fromhex(colour("core", "light")[1:])))
    assert not violations(page, "Explore, forced colours", rules=("color-contrast",))
    picture = page.locator(".tools").get_by_role("button", name="Picture")
    for control in (picture, page.get_by_role("button", name="Run", exact=True), explore.card("hull")):
        assert control.evaluate("(element) => parseFloat(getComputedStyle(element).borderTopWidth)") > 0
    go_to(page, "Judge")
    expect(page.get_by_test_id("stMain").locator("h1")).to_have_text("Judge")
    settle(page)
    choices = page.get_by_role("radiogroup", name="View", exact=True).get_by_role("radio")
    assert _ground(choices.first) != _ground(choices.last)
    assert not violations(page, "Judge, forced colours", rules=("color-contrast",))
