"""A report opened from the disk: it draws its landscape, follows the threshold, and asks nobody for anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.audit.quality_facts import QualityFacts, VersionFacts
from core.metrics import decay, f_beta
from dashboard.audit.report_files import html, live_landscape
from tests.audit_cases import HOSTILE, document, quality_facts
from tests.browser.truth import SLACK, says

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

pytestmark = pytest.mark.slow
READ = """root => Object.fromEntries([...root.querySelectorAll(".readout-item")].map((item) =>
    [item.querySelector(".readout-name").textContent, item.querySelector(".readout-value").textContent]))"""


@dataclass
class Reader:
    """Somebody who opens files, and what their browser asked for and complained about."""

    browser: Browser
    folder: Path
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, written: bytes, **look: object) -> Page:
        """The file in a browser that lets no request out; whatever is asked for is written down."""
        file = self.folder / "report.html"
        file.write_bytes(written)
        page = self.browser.new_page(**{"viewport": {"width": 1280, "height": 900}, **look})  # type: ignore[arg-type]
        page.route("**/*", lambda route: self._refuse(route, file))
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(file.as_uri())
        return page

    @staticmethod
    def _refuse(route: Route, file: Path) -> None:
        if route.request.url == file.as_uri():
            route.continue_()
        else:
            route.abort()


@pytest.fixture
def reader(chromium: Browser, tmp_path: Path) -> Iterator[Reader]:
    """At the end only the file itself may have been asked for, and nothing may have gone wrong."""
    reader = Reader(chromium, tmp_path)
    yield reader
    for context in chromium.contexts:
        context.close()
    assert set(reader.asked) == {(tmp_path / "report.html").as_uri()}
    assert reader.complaints == []


@pytest.fixture(scope="module")
def facts() -> QualityFacts:
    return quality_facts(500, 2)


def written(facts: QualityFacts) -> bytes:
    return html(document(facts), live=[live_landscape(version, facts) for version in facts.versions])


def landscape_of(page: Page, number: int) -> Locator:
    """The figure of a version, once it is drawn."""
    figure = page.locator(f"#landscape-{number}")
    figure.scroll_into_view_if_needed()
    figure.get_by_test_id("landscape-points").wait_for()
    figure.locator(".queryscape.landscape.ready").wait_for()
    return figure


def check(figure: Locator, version: VersionFacts, threshold: float | None = None) -> float:
    """The numbers are those of the threshold, counted here from the similarities; None: where the slider is."""
    slider = figure.get_by_role("slider", name="Similarity threshold")
    threshold = float(slider.input_value()) if threshold is None else threshold
    rows, evaluation = version.rows, version.evaluation
    settings, n = evaluation.settings, version.rows.n_retrieved
    inside = rows.similarities[:n].astype(np.float64) >= threshold - SLACK
    n_relevant, n_accepted = int(inside.sum()), int(rows.core_mask[:n][inside].sum())
    price = decay(n_relevant, **settings.decay_curve)
    recall = n_accepted / len(evaluation.core_ids)
    numbers = figure.get_by_test_id("readout").evaluate(READ)
    assert numbers["relevant"] == f"{n_relevant:,} of {n:,}"
    accepted, _, share = numbers["core accepted"].partition(" (")
    assert accepted == f"{n_accepted} of {len(evaluation.core_ids)}"
    assert says(share.removesuffix(")"), recall)
    assert says(numbers["semantic precision"], n_relevant / n)
    assert says(numbers["decay"], price)
    assert says(numbers["F2"], f_beta(n_relevant / n * price, recall, beta=settings.beta))
    return threshold


def test_the_threshold_is_dragged_and_every_number_follows(reader: Reader, facts: QualityFacts) -> None:
    page = reader.open(written(facts))
    for version in facts.versions:
        figure = landscape_of(page, version.number)
        reported = check(figure, version, float(version.evaluation.regions["cosine"].defines["min_similarity"]))
        slider = figure.get_by_role("slider", name="Similarity threshold")
        assert float(slider.input_value()) == pytest.approx(reported, abs=6e-4)
        slider.scroll_into_view_if_needed()
        seen = [check(figure, version) for _ in drag(page, slider, reported, (0.7, 0.4, 0.55, 0.9))]
        assert len(set(seen)) == 4
        slider.focus()
        page.keyboard.press("ArrowLeft")
        assert check(figure, version) < seen[-1]
        figure.get_by_role("button", name="Reset").click()
        check(figure, version, reported)


def drag(page: Page, slider: Locator, start: float, shares: Sequence[float]) -> Iterator[float]:
    """Take hold of the slider where it is, and move to these shares of its length."""
    box = slider.bounding_box()
    assert box is not None
    low, high = (float(slider.get_attribute(end) or "nan") for end in ("min", "max"))
    first = (start - low) / (high - low)
    for share in (first, *shares):
        page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2)
        if share == first:
            page.mouse.down()
        else:
            yield share
    page.mouse.up()


def test_another_region_is_chosen_and_a_publication_opened(reader: Reader, facts: QualityFacts) -> None:
    page = reader.open(written(facts))
    [version, _] = facts.versions
    figure = landscape_of(page, 1)
    figure.get_by_test_id("region-hull").click()
    hull = version.evaluation.regions["hull"]
    numbers = figure.get_by_test_id("readout").evaluate(READ)
    assert numbers["relevant"] == f"{hull.n_relevant} of {version.rows.n_retrieved}"
    assert says(numbers["F2"], hull.f_beta)
    assert figure.get_by_role("slider").count() == 0  # nothing here that only Python could answer
    assert figure.get_by_role("button", name="More").count() == 0
    find = figure.get_by_test_id("find")
    find.fill("document.title")
    find.press("Enter")
    card = figure.get_by_test_id("opened")
    assert HOSTILE[0] in card.inner_text()
    assert "Convex hull" in card.inner_text()
    card.get_by_role("button").click()
    assert card.is_hidden()
    assert not page.title().startswith("broken")
    assert page.locator("main script, main img, main b:text('bold')").count() == 0


def test_paper_has_the_still_picture_and_whole_tables(reader: Reader, facts: QualityFacts) -> None:
    page = reader.open(written(facts), color_scheme="dark")
    figure = landscape_of(page, 1)
    assert figure.locator(".still").is_hidden()
    printed = page.pdf(prefer_css_page_size=True)
    assert printed.startswith(b"%PDF")
    page.emulate_media(media="print", color_scheme="dark")
    assert figure.locator(".still svg").is_visible()
    assert figure.locator("canvas").first.is_hidden()
    box = page.locator(".long .scroll").first
    assert box.evaluate("box => box.scrollHeight <= box.clientHeight + 1")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"


def test_without_a_script_the_picture_stays(reader: Reader, facts: QualityFacts) -> None:
    page = reader.open(written(facts), java_script_enabled=False)
    assert page.locator("#landscape-1 .still svg").is_visible()
    assert page.locator("canvas").count() == 0


@pytest.mark.parametrize("width", [420, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_page(reader: Reader, facts: QualityFacts, width: int, scheme: str) -> None:
    page = reader.open(written(facts), viewport={"width": width, "height": 900}, color_scheme=scheme)
    landscape_of(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
