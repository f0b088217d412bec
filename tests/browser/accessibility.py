"""What axe-core and a few checks of our own say of a page as it is shown now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from dashboard.kit.theme import COLOURS, Theme
from tests.browser.servers import TOP

AXE = TOP / "dashboard" / "browser" / "node_modules" / "axe-core" / "axe.min.js"
"""Of `npm ci` in dashboard/browser."""
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
NOT_OURS = (
    '[data-testid="stFileUploaderDropzone"]',  # Streamlit gives it the role presentation, and a name and a tab stop
    '[data-testid="stCode"] pre',  # scrolls where it has a height; Streamlit leaves it to browsers to give it the focus
)
VIEWS = ("View", "Study", "Part of the library")
"""How the choice between the views of a page is called."""
LEAST_CONTRAST = 4.5
IDLE_LOOKS = 2
LOOK_MS = 60

IS_IDLE = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  const busy = "[data-testid=stSkeleton], [data-testid=stSpinner], [data-stale=true]";
  return app?.dataset.testScriptState === "notRunning" && !document.querySelector(busy)
    && [...document.querySelectorAll("[data-testid=stMain] h1")].length > 0;
}"""
RUN_AXE = """async ([tags, rules, exclude]) => {
  const runOnly = rules.length ? { type: "rule", values: rules } : { type: "tag", values: tags };
  const context = { exclude: exclude.map((selector) => [selector]) };
  const { violations } = await axe.run(context, { runOnly, resultTypes: ["violations"] });
  const seen = (id) => (node) => [id, node.target.flat().join(" "), node.html.slice(0, 120)];
  return violations.flatMap(({ id, nodes }) => nodes.map(seen(id)));
}"""
TITLES = """() => {
  const titles = document.querySelectorAll("[data-testid=stMain] h1");
  return [...titles].filter((title) => title.checkVisibility()).length;
}"""
FAINT = """([ground, least]) => {
  const channels = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((c) => c / 255);
  const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const [r, g, b] = channels(colour).map(linear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const measured = [];
  for (const label of document.querySelectorAll(".js-plotly-plot :is(.xtick, .ytick, .infolayer) text")) {
    if (!label.checkVisibility()) continue;
    measured.push(["label", label.textContent, contrast(getComputedStyle(label).fill, ground)]);
  }
  for (const canvas of document.querySelectorAll("[data-testid=data-grid-canvas]")) {
    if (!canvas.checkVisibility() || !canvas.width || !canvas.height) continue;
    const counts = new Map();
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, Math.min(canvas.height, 120));
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] < 255) continue;
      const colour = `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`;
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    if (!counts.size) continue;
    const [paper] = [...counts].sort((a, b) => b[1] - a[1])[0];
    const ink = Math.max(...[...counts.keys()].map((colour) => contrast(colour, paper)));
    measured.push(["table", `cells on ${paper}`, contrast(paper, ground) < 1.5 ? ink : 0]);
  }
  return [measured.length, measured.filter(([, , said]) => said < least)];
}"""


@dataclass(frozen=True)
class Violation:
    rule: str
    place: str
    """Page, view and theme."""
    selector: str
    html: str

    def __str__(self) -> str:
        return f"{self.rule} on {self.place}: {self.selector}  {self.html}"


def settle(page: Page) -> None:
    """Until Streamlit has drawn all of the page."""
    calm = 0
    while calm < IDLE_LOOKS:
        page.wait_for_function(IS_IDLE)
        page.wait_for_timeout(LOOK_MS)
        calm = calm + 1 if page.evaluate(IS_IDLE) else 0


def violations(page: Page, place: str, *, rules: tuple[str, ...] = ()) -> list[Violation]:
    """What axe-core finds on the page as it is now: by all rules, or by these alone."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate(RUN_AXE, [list(TAGS), list(rules), list(NOT_OURS)])
    return [Violation(rule, place, selector, html) for rule, selector, html in found]


def titles(page: Page, place: str) -> list[Violation]:
    """A page has one heading of the first level."""
    n: int = page.evaluate(TITLES)
    return [] if n == 1 else [Violation("one-h1", place, "h1", f"{n} headings of the first level")]


def faint(page: Page, place: str, theme: Theme) -> tuple[int, list[Violation]]:
    """Labels of figures and tables on a canvas, which axe-core doesn't read: how many, and the faint ones."""
    n, found = page.evaluate(FAINT, [_ground(theme), LEAST_CONTRAST])
    return n, [Violation("contrast", place, what, f"{name}: {said:.2f}") for what, name, said in found]


def switch(page: Page, theme: Theme) -> None:
    """The system changes between light and dark while the page is open, and Python has drawn it in the other theme."""
    page.emulate_media(color_scheme=theme)
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", _ground(theme))
    expect(page.locator("body")).to_have_css("color-scheme", theme)
    settle(page)


def _ground(theme: Theme) -> str:
    red, green, blue = bytes.fromhex(COLOURS[theme]["background"][1:])
    return f"rgb({red}, {green}, {blue})"


def views(page: Page) -> Iterator[str]:
    """Choose one view of the page after the other; a page without views is one."""
    choices = _choices(page)
    if not choices:
        yield ""
        return
    for choice in choices:
        name = choice.inner_text()
        choice.click()
        page.mouse.move(2, 2)
        settle(page)
        yield name


def unfold(page: Page) -> None:
    """Open everything that is folded."""
    folded = page.get_by_test_id("stMain").locator("details:not([open]) > summary")
    folded.evaluate_all("(lines) => lines.forEach((line) => line.click())")
    settle(page)


def _choices(page: Page) -> list[Locator]:
    main = page.get_by_test_id("stMain")
    for label in VIEWS:
        group = main.get_by_role("radiogroup", name=label, exact=True)
        if group.count():
            return group.first.get_by_role("radio").all()
    labs = main.get_by_role("navigation", name="Labs", exact=True).get_by_role("link")
    if page.url.split("?")[0].endswith("/labs"):
        expect(labs).not_to_have_count(0)
    return labs.all()
