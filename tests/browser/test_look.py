"""What is painted, in which colours, on which screens."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.pages import Explore
from tests.browser.pixels import colour
from tests.browser.servers import Server
from tests.browser.truth import HEAT
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow

BACKGROUND = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
FIRST_PIXEL = "(canvas) => [...canvas.getContext('2d').getImageData(2, 2, 1, 1).data.slice(0, 3)]"
TOO_WIDE = "(element) => element.scrollWidth - element.clientWidth"
NARROW = {"width": 1024, "height": 768}


def _rgb(colour_: str) -> list[int]:
    return [int(colour_[at : at + 2], 16) for at in (1, 3, 5)]


def _is_painted_in(explore: Explore, theme: str) -> None:
    assert explore.page.evaluate(BACKGROUND) == f"rgb({', '.join(map(str, _rgb(colour('background', theme))))})"
    assert explore.points.evaluate(FIRST_PIXEL) == _rgb(colour("background", theme))
    assert explore.n_pixels("relevant", theme) > 100
    assert explore.n_pixels("not_relevant", theme) > 100


def test_a_dark_screen_gets_a_dark_landscape(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "generated", color_scheme="dark")
    _is_painted_in(explore, "dark")


def test_the_landscape_follows_the_theme_while_it_is_open(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "generated")
    _is_painted_in(explore, "light")
    numbers = explore.set_threshold(0.7)
    explore.page.emulate_media(color_scheme="dark")
    dark = f"rgb({', '.join(map(str, _rgb(colour('background', 'dark'))))})"
    explore.page.wait_for_function(f"{BACKGROUND} === '{dark}'")
    explore.expect_pixel(2, 2, _rgb(colour("background", "dark")))
    _is_painted_in(explore, "dark")
    assert explore.numbers() == numbers


def test_the_legend_hides_and_shows(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "generated")
    explore.set_threshold(0.7)
    grey_of_all = explore.n_pixels("not_relevant")
    explore.toggle("besides")
    whole = explore.fingerprint()
    grey, blue, core = (explore.n_pixels(role) for role in ("not_relevant", "relevant", "core"))
    assert min(grey, blue, core, grey_of_all - grey) > 20
    explore.toggle("retrieved")
    assert explore.n_pixels("not_relevant") < grey / 10
    assert explore.n_pixels("relevant") > blue / 2
    explore.toggle("relevant")
    assert explore.n_pixels("relevant") < blue / 10
    explore.toggle("found")
    explore.toggle("missed")
    assert explore.n_pixels("core") == 0
    for role in ("retrieved", "relevant", "found", "missed"):
        explore.toggle(role)
    assert explore.fingerprint() == whole


def test_each_colouring_is_another_picture(demo: Server, visitors: Visitors) -> None:
    explore = visitors.open(demo, HEAT, "generated")
    pictures = {"region": explore.fingerprint()}
    for how in ("decay", "year", "theme", "source"):
        explore.colour_by.select_option(how)
        explore.next_frame()
        pictures[how] = explore.fingerprint()
        expect(explore.page.locator(".legend-key")).to_be_visible()
        expect(explore.page.locator(".legend-entry[data-role=relevant]")).to_be_hidden()
    assert len(set(pictures.values())) == len(pictures)
    explore.expect_in_link("colour", "source")
    explore.colour_by.select_option("region")
    explore.next_frame()
    assert explore.fingerprint() == pictures["region"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_narrow_screen_shows_everything(demo: Server, visitors: Visitors, theme: str) -> None:
    explore = visitors.open(demo, HEAT, "review", size=NARROW, color_scheme=theme)
    explore.wait_until_computed()
    page = explore.page
    for element in (page.locator("html"), page.get_by_test_id("stMain"), page.locator(".queryscape.scores")):
        assert element.evaluate(TOO_WIDE) <= 0
    assert explore.page.locator(".cards").evaluate(TOO_WIDE) <= 0
    assert explore.readout.evaluate(TOO_WIDE) <= 0
    explore.show_all_regions()
    for part in (*page.locator(".card").all(), explore.readout, explore.overlay, explore.slider):
        box = explore.box(part)
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= NARROW["width"]
    for value in page.locator(".card .value, .readout-value:visible").all():
        assert value.evaluate(TOO_WIDE) <= 0
    assert explore.n_pixels("relevant", theme) > 100


def _without_a_canvas(demo: Server, visitors: Visitors) -> tuple[Explore, Locator]:
    """The page of a browser that can't draw, and its plain figure."""
    explore = visitors.enter(demo, {"topic": HEAT, "version": "review"}, canvas=False)
    expect(explore.page.get_by_text("This browser can't draw on a canvas.")).to_be_visible()
    explore.wait_until_computed()
    explore.page.get_by_role("button", name="Show the plain figure instead").click()
    figure = explore.page.locator(".st-key-plain-landscape .js-plotly-plot")
    expect(figure.locator(".main-svg").first).to_be_visible()
    return explore, figure


def test_a_browser_without_a_canvas_gets_the_plain_figure(demo: Server, visitors: Visitors) -> None:
    explore, figure = _without_a_canvas(demo, visitors)
    expect(figure.locator(".scatterlayer .point").first).to_be_visible()
    expect(explore.page.get_by_test_id("stDataFrame").first).to_be_visible()


def test_the_plain_figure_stays_when_the_page_is_drawn_anew(demo: Server, visitors: Visitors) -> None:
    explore, figure = _without_a_canvas(demo, visitors)
    explore.page.get_by_role("button", name="Show hints").click()
    expect(explore.hints.first).to_be_visible()
    expect(figure.locator(".main-svg").first).to_be_visible()
