"""The Knowledge page: an entity found, neighbours visited by keyboard, a question asked, and all of it on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from data.demo.knowledge import DEMO_BASE, build_demo_knowledge
from data.explore.workspace import Workspace
from data.knowledge.base import SHOWN, KnowledgeBase
from tests.browser.servers import Server, serving
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow
INSTITUTION_QUESTION = "mag-institution"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the made-up knowledge base."""
    root = tmp_path_factory.mktemp("knowledge")
    with Workspace.open(root / "workspace") as workspace:
        workspace.knowledge.save(DEMO_BASE, build_demo_knowledge(), origin="made up")
    with serving(root / "workspace", root / "log") as server:
        yield server


@pytest.fixture(scope="module")
def base(server: Server) -> Iterator[KnowledgeBase]:
    """The same, read directly."""
    with KnowledgeBase.open(server.data_dir / "knowledge" / DEMO_BASE) as base:
        yield base


@pytest.fixture(autouse=True)
def streamlit_looks_for_itself(visitors: Visitors) -> Iterator[None]:
    """Opened by the address of a page, Streamlit asks beneath it where its server is, and takes a 404 for a no."""
    yield
    visitors.watch.errors[:] = [error for error in visitors.watch.errors if "/knowledge/_stcore/" not in error]


def open_page(visitors: Visitors, server: Server, *, width: int = 1440, **link: str | list[str]) -> Page:
    """A new visitor opens the page by its link."""
    page = visitors.enter(server, size={"width": width, "height": 900}).page
    page.goto(f"{server.url}/knowledge?{urlencode(link, doseq=True)}")
    expect(page.get_by_role("heading", name="Knowledge", exact=True)).to_be_visible()
    return page


def an_author(base: KnowledgeBase) -> tuple[str, str, int]:
    """Id, name and number of publications of one with some of them."""
    for entity in base.entities(base.types["author"].rows[:50]):
        for count in base.neighbour_counts(entity.row):
            if count.type == "paper" and count.n >= 3:
                return entity.entity_id, entity.title, count.n
    raise AssertionError("nobody writes")


def test_from_a_search_to_a_neighbour_and_back_by_keyboard(
    server: Server, base: KnowledgeBase, visitors: Visitors
) -> None:
    entity_id, name, n = an_author(base)
    page = open_page(visitors, server)
    search = page.get_by_role("textbox", name="Find an entity")
    search.fill(name)
    search.press("Enter")
    found = page.get_by_role("button", name=re.compile(f"{re.escape(name)}.*author")).first
    found.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.wait_for_function("(id) => new URL(location).searchParams.get('entity') === id", arg=entity_id)
    page.get_by_text(re.compile(f"writes: {n:,} papers")).click()
    listed = page.locator(".st-key-entities-neighbour button")
    expect(listed).to_have_count(min(n, SHOWN))
    first = listed.first
    title = first.inner_text()
    first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    page.wait_for_function("(id) => new URL(location).searchParams.getAll('trail').join() === id", arg=entity_id)
    page.get_by_role("button", name="Back").press("Enter")
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def test_a_link_shows_a_walk_with_its_counts(server: Server, base: KnowledgeBase, visitors: Visitors) -> None:
    entity_id, _, n = an_author(base)
    move = json.dumps(["author___writes___paper", "forward", "paper"], separators=(",", ":"))
    page = open_page(visitors, server, entity=entity_id, look="Walk", walk=[move])
    expect(page.get_by_text(f"1. writes {n:,} papers")).to_be_visible()
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.get_by_text(re.compile(r"^2\. "))).to_be_visible()
    page.wait_for_function("() => new URL(location).searchParams.getAll('walk').length === 2")


def test_a_question_is_asked_of_retrievers_side_by_side(
    server: Server, base: KnowledgeBase, visitors: Visitors
) -> None:
    institution = base.entities(base.types["institution"].rows[:1])[0]
    given = json.dumps(["institution", institution.entity_id])
    page = open_page(visitors, server, kb="Questions", template=INSTITUTION_QUESTION, given=given)
    expect(page.get_by_text(re.compile("papers? answers? it"))).to_be_visible()
    expect(page.get_by_text("Paths to").first).to_be_visible()
    page.get_by_text("Make this a query").click()
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator(".qs-tried section")).to_have_count(3, timeout=240_000)
    expect(page.locator(".qs-tried")).to_contain_text(re.compile(r"met by \d+ of these"))


def test_everything_fits_a_phone(server: Server, base: KnowledgeBase, visitors: Visitors) -> None:
    entity_id, name, _ = an_author(base)
    page = open_page(visitors, server, width=390, entity=entity_id)
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    picture = page.locator(".st-key-figure-neighbourhood .js-plotly-plot")
    expect(picture).to_be_visible()
    overlaps = picture.evaluate(
        """(plot) => {
          const boxes = [...plot.querySelectorAll(".textpoint text")].map((text) => text.getBoundingClientRect());
          const edge = plot.getBoundingClientRect().right;
          const crossing = boxes.filter((a, i) => boxes.slice(i + 1).some((b) =>
            a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom));
          const outside = boxes.filter((box) => box.right > edge + 1);
          return { n: boxes.length, crossing: crossing.length, outside: outside.length };
        }"""
    )
    assert overlaps["n"] > 2
    assert (overlaps["crossing"], overlaps["outside"]) == (0, 0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
