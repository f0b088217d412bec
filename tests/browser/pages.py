"""The Explore page as a visitor sees and uses it. What can be had through roles, labels and test ids is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, expect

from dashboard.navigation import GROUPS
from tests.browser.pixels import COUNT_PIXELS, Ink, colour

PATIENCE_MS = 60_000
FRAMES = 600
"""How often to look whether something has been drawn."""
READ_NUMBERS = """(line) => {
  const roots = [...document.querySelectorAll("*")].map(({ shadowRoot }) => shadowRoot).filter(Boolean);
  const find = (selector) => roots.map((root) => root.querySelector(selector)).find(Boolean);
  const strip = find("[data-testid=strip]");
  const [kept, relevant] = [...line.querySelectorAll(".readout-value")].map((part) => part.textContent);
  const decay = find(".panel .readout-value").textContent;
  const cells = [...strip.querySelectorAll(".number-cell")].slice(-2);
  const [semantic_precision, f_beta] = cells.map((cell) => cell.querySelector(".value").textContent);
  const f_beta_name = cells[1].querySelector("dt").textContent;
  const { min_similarity } = globalThis.queryscapeDrawn;
  return { relevant, kept, semantic_precision, decay, f_beta, f_beta_name, min_similarity };
}"""
DRAWN = "() => (globalThis.queryscapeDrawn?.draws ?? 0) > 0"
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
IN_LINK = """([name, value]) => {
  const said = new URL(location).searchParams.get(name);
  return value === "" ? said !== null : said === value;
}"""
PIXEL_IS = """([canvas, x, y, rgb]) => {
  const { data } = canvas.getContext("2d").getImageData(x, y, 1, 1);
  return rgb.every((channel, i) => channel === data[i]);
}"""
DEEPEST_FOCUS = """() => {
  let focus = document.activeElement;
  while (focus?.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
  return focus?.dataset?.testid ?? focus?.getAttribute?.("aria-label") ?? focus?.tagName ?? "";
}"""


@dataclass(frozen=True)
class Numbers:
    """The strip of scores, the sentence over the landscape, and the similarity threshold they were drawn for."""

    relevant: str
    """"17 of 224"."""
    kept: str
    """Of the core that was found, how many the threshold keeps."""
    semantic_precision: str
    decay: str
    f_beta: str
    f_beta_name: str
    min_similarity: float

    @property
    def n_relevant(self) -> int:
        """The first number of "17 of 224"."""
        return int(self.relevant.split()[0].replace(",", ""))


def go_to(page: Page, title: str) -> None:
    """To another page, as a visitor goes: a group at the left, then one of its pages above the page."""
    group = next(group for group in GROUPS if title in [entry.title for entry in group.pages])
    link = page.locator(".st-key-navigation").get_by_role("link", name=group.title, exact=True)
    if link.get_attribute("aria-current") is None:  # links of the page that is left may still be there
        link.click()
        expect(link).to_have_attribute("aria-current", "true")
        if group.pages[0].title == title:
            return
    page.locator(".st-key-views").get_by_role("link", name=title, exact=True).click()


class Explore:
    """One page of one visitor."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.slider = page.get_by_test_id("min-similarity")
        self.readout = page.get_by_test_id("readout")
        self.points = page.get_by_test_id("landscape-points")
        self.overlay = page.get_by_test_id("landscape-overlay")
        self.find = page.get_by_test_id("find")
        self.find_note = page.locator(".find-box .note[role=status]").first
        self.picked_note = page.locator(".find-box .note.picked")
        self.hover_card = page.locator(".hover-card")
        self.tune = page.get_by_role("tab", name="Tune", exact=True)
        self.record = page.get_by_test_id("record")
        self.table = page.get_by_test_id("retrieved-table")
        self.hints = page.locator(".hint-note")
        self.messages = page.get_by_test_id("stAlert").or_(page.locator(".queryscape .message:visible"))
        self.query = page.get_by_role("textbox", name="Search string")
        self.measured_by = page.get_by_test_id("measured-by")
        self.version = page.get_by_role("combobox", name="Query version")
        self.colour_by = page.get_by_role("combobox", name="Colour by")

    # What is there

    def wait_until_painted(self, topic: str = "", version: str = "", timeout: float = PATIENCE_MS) -> None:
        """Until the landscape of this version is drawn and says so."""
        name = f"Landscape of {re.escape(topic)}.*, {re.escape(version)}.*: .*relevant"
        expect(self.overlay).to_have_attribute("aria-label", re.compile(name), timeout=timeout)
        self.page.wait_for_function(DRAWN, timeout=timeout)

    def wait_until_computed(self) -> None:
        """Until nothing runs in the background any more: clusters, ranges, and how honest the landscape is."""
        expect(self.page.get_by_test_id("stMetric").first).to_be_visible()
        expect(self.page.locator(".card .waiting:visible")).to_have_count(0, timeout=2 * PATIENCE_MS)
        expect(self.page.get_by_test_id("strip").locator(".whisker .range:visible")).to_have_count(3)
        expect(self.page.locator(".queryscape.later")).to_have_count(0, timeout=2 * PATIENCE_MS)

    def next_frame(self) -> None:
        """Until the browser has drawn what was asked for so far."""
        self.page.evaluate(TWO_FRAMES)

    def numbers(self) -> Numbers:
        """What the strip of scores and the sentence over the landscape say, read at one moment."""
        expect(self.readout).to_have_count(1)
        return Numbers(**self.readout.evaluate(READ_NUMBERS))

    def n_pixels(self, role: str, theme: str = "light") -> int:
        """How many pixels of the points are of this role's colour, more or less covered."""
        return int(self.points.evaluate(COUNT_PIXELS, Ink(colour(role, theme), colour("background", theme)).asked()))

    def fingerprint(self) -> str:
        """The pixels of the points as one text; another picture has another one."""
        return str(self.points.evaluate("(canvas) => canvas.toDataURL()"))

    def expect_pixel(self, x: int, y: int, rgb: list[int]) -> None:
        """Until this pixel of the points has this colour."""
        self.page.wait_for_function(PIXEL_IS, arg=[self.points.element_handle(), x, y, rgb], timeout=PATIENCE_MS)

    def expect_numbers(self, fits: Callable[[Numbers], bool]) -> Numbers:
        """The numbers, once they are such."""
        for _ in range(FRAMES):
            numbers = self.numbers()
            if fits(numbers):
                return numbers
            self.next_frame()
        raise AssertionError(f"the numbers stay at {numbers}")

    def expect_another_picture(self, before: str) -> None:
        """Until the points are painted otherwise than in this fingerprint."""
        for _ in range(FRAMES):
            if self.fingerprint() != before:
                return
            self.next_frame()
        raise AssertionError("the picture stays as it was")

    def expect_record(self, title: str) -> None:
        """Until the record of this publication is shown, with all that the server knows of it."""
        expect(self.page.locator(".queryscape.record")).to_have_attribute("data-state", "shown")
        expect(self.record.locator(".title")).to_have_text(title)
        expect(self.page.locator(".queryscape.record")).to_have_attribute("data-state", "shown")

    def expect_in_link(self, name: str, value: str | None = "") -> None:
        """Until the address holds this name with this value (empty: any; None: not at all)."""
        self.page.wait_for_function(IN_LINK, arg=[name, value], timeout=PATIENCE_MS)

    def address(self) -> str:
        """What stands in the address bar; the browser's driver hears of it a little later."""
        return str(self.page.evaluate("location.href"))

    def card(self, kind: str) -> Locator:
        """The card of a region."""
        return self.page.get_by_test_id(f"region-{kind}")

    def show_all_regions(self) -> None:
        """One click away: a card for each."""
        self.page.get_by_role("button", name="All regions").click()
        expect(self.card("cosine")).to_be_visible()

    def focused(self) -> str:
        """Test id, label or tag of what has the keyboard."""
        return str(self.page.evaluate(DEEPEST_FOCUS))

    def box(self, locator: Locator) -> FloatRect:
        """Where it is on the page."""
        locator.scroll_into_view_if_needed()
        box = locator.bounding_box()
        assert box is not None
        return box

    # What a hand does

    def grip(self, along: float) -> tuple[float, float]:
        """A place on the track of the similarity threshold."""
        box = self.box(self.slider)
        return box["x"] + box["width"] * along, box["y"] + box["height"] / 2

    def set_threshold(self, along: float) -> Numbers:
        """Click on the track: 0 is its left end, 1 its right one."""
        self.page.mouse.click(*self.grip(along))
        self.next_frame()
        return self.numbers()

    def choose_region(self, kind: str) -> None:
        """Measure by it."""
        self.measured_by.select_option(kind)
        expect(self.card(kind)).to_have_attribute("aria-checked", "true")

    def move_slider(self, label: str, along: float) -> None:
        """A slider under "Tune"."""
        if not self.page.get_by_label(label, exact=True).is_visible():
            self.tune.click()
        box = self.box(self.page.get_by_label(label, exact=True))
        self.page.mouse.click(box["x"] + box["width"] * along, box["y"] + box["height"] / 2)

    def choose(self, label: str, option: str) -> None:
        """A choice at the top of the page."""
        self.page.locator(".st-key-page-head").get_by_role("combobox", name=label).click()
        self.page.get_by_role("option", name=option).click()

    def draw(self, path: list[tuple[float, float]]) -> None:
        """Press, move along a closed path, and let go."""
        mouse = self.page.mouse
        mouse.move(*path[0])
        mouse.down()
        for x, y in (*path[1:], path[0]):
            mouse.move(x, y, steps=6)
        mouse.up()

    def tab_to(self, wanted: str, *, backwards: bool = False, most: int = 80) -> None:
        """Press Tab until it has the keyboard."""
        for _ in range(most):
            self.page.keyboard.press("Shift+Tab" if backwards else "Tab")
            if self.focused() == wanted:
                return
        raise AssertionError(f"Tab does not lead to {wanted}")

    def save_picture(self, kind: str, folder: Path) -> Path:
        """Save the landscape as PNG or SVG."""
        self.page.locator(".tools").get_by_role("button", name="Picture", exact=True).click()
        return self.saved(self.page.get_by_role("button", name=f"Save as {kind}", exact=True), folder)

    def toggle(self, role: str) -> None:
        """Show or hide marks by their entry in the legend."""
        self.page.locator(f".legend-entry[data-role={role}]").click()
        self.next_frame()

    def run(self, text: str) -> None:
        """Type a query and run it."""
        self.query.fill(text)
        self.page.get_by_role("button", name="Run", exact=True).click()

    def leave(self) -> None:
        """Close the browser."""
        self.page.context.close()

    def chip(self, name: str) -> Locator:
        """One of the chips over the table."""
        return self.page.locator(f".chip[data-filter={name}]")

    def chip_number(self, name: str) -> int:
        """What a chip over the table counts."""
        return int(self.chip(name).locator(".number").inner_text().replace(",", ""))

    def expect_chip(self, name: str, n: int) -> None:
        """Until a chip over the table counts this many."""
        expect(self.chip(name).locator(".number")).to_have_text(f"{n:,}")

    def table_titles(self) -> list[str]:
        """Titles of the rows in sight, in their order."""
        lines = self.table.locator(".line:visible")
        by_place = sorted(lines.all(), key=lambda line: int(line.get_attribute("aria-rowindex") or 0))
        return [line.locator(".cell.title").inner_text() for line in by_place]

    def saved(self, button: Locator, into: Path) -> Path:
        """The file that a button saves."""
        with self.page.expect_download() as download:
            button.click()
        path = into / download.value.suggested_filename
        download.value.save_as(path)
        return path

    def expect_message(self, text: str | re.Pattern[str]) -> Locator:
        """A message that says this."""
        message: Any = self.messages.filter(has_text=text)
        expect(message.first).to_be_visible()
        found: Locator = message.first
        return found
