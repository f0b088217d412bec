"""The Sources page: a string is previewed, run, paused and explored; core publications are looked for; and offline."""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from data.demo.loading import DEMO_LANDSCAPE
from data.demo.publications import build_topic, load_topics
from data.explore.workspace import Workspace
from tests.browser.pages import Explore
from tests.browser.played_sources import played
from tests.browser.servers import Server, serving
from tests.browser.truth import EMBEDDER, HEAT
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow
LONG_MS = 240_000
"""For a run, a lookup, and vectors of what came."""
SOON_MS, TRIES = 5_000, 6
N_MADE_UP, ANSWER_SECONDS = 1_500, 0.4
FIRST, SECOND = "(heat* OR street* OR tree*)", "(temperature* OR cool* OR shad*)"
TEXT = f"{FIRST} AND {SECOND}"
COUNTED = re.compile(
    r"Of (\d+) core publications OpenAlex indexes (\d+); the string finds (\d+) of them, so recall within OpenAlex is "
    r"(0\.\d{3})\. (\d+) can't be found there by any string, so no string can reach more than (0\.\d{3})\."
)
PROGRESS = re.compile(r"Fetching from OpenAlex · [\d,]+ of [\d,]+")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one made-up topic."""
    root = tmp_path_factory.mktemp("sources") / "workspace"
    (words,) = (each for each in load_topics() if each.topic_id == HEAT)
    topic = build_topic(words)
    with Workspace.open(root) as workspace:
        workspace.store.save_publications(topic.publications)
        corpus_ids = tuple(publication.publication_id for publication in topic.publications)
        workspace.save_topic(HEAT, topic.core_ids, topic.versions[:1], made_up=True, corpus_ids=corpus_ids)
        workspace.embed(HEAT, EMBEDDER)
        workspace.landscapes.fit(HEAT, workspace.embedding(HEAT, EMBEDDER), DEMO_LANDSCAPE)
    return root


@pytest.fixture(scope="module")
def server(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app over a copy of it, and sources that are played."""
    root = tmp_path_factory.mktemp("online")
    shutil.copytree(filled, root / "workspace")
    with (
        played(root / "workspace", n=N_MADE_UP, seconds=ANSWER_SECONDS) as environment,
        serving(root / "workspace", root / "log", {**environment, "QUERYSCAPE_OFFLINE": ""}) as server,
    ):
        yield server


@pytest.fixture(scope="module")
def offline(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app over another copy, where it is to make no connection. It runs on until every page of it is closed."""
    root = tmp_path_factory.mktemp("offline")
    shutil.copytree(filled, root / "workspace")
    with serving(root / "workspace", root / "log", {"QUERYSCAPE_OFFLINE": "1"}) as server:
        yield server


@pytest.fixture(autouse=True)
def streamlit_looks_for_itself(visitors: Visitors) -> Iterator[None]:
    """Opened by the address of a page, Streamlit asks beneath it where its server is, and takes a 404 for a no."""
    yield
    visitors.watch.errors[:] = [error for error in visitors.watch.errors if "/sources/_stcore/" not in error]


def open_page(visitors: Visitors, server: Server, **link: object) -> Page:
    """A new visitor opens the page by its link."""
    page = visitors.enter(server).page
    page.goto(f"{server.url}/sources?{urlencode({'topic': HEAT, **link}, doseq=True)}")
    expect(page.get_by_role("heading", name="Sources", exact=True)).to_be_visible()
    return page


def card(page: Page, source: str) -> Locator:
    return page.locator(f".st-key-live-card-{source}")


def type_string(page: Page, text: str) -> None:
    """The page may be drawn anew while one begins to type: then one types again."""
    box = page.get_by_role("textbox", name="Search string")
    for _ in range(TRIES):
        box.fill(text)
        box.press("Control+Enter")
        try:
            expect(card(page, "pubmed")).to_contain_text("shad*[tiab]", timeout=SOON_MS)
            return
        except AssertionError:
            continue
    pytest.fail("the string does not stay in its field")


def view(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).or_(
        page.get_by_role("button", name=name, exact=True)
    ).first.click()


def button(page: Page, key: str) -> Locator:
    """A button by how its key begins: others have its words, too."""
    return page.locator(f"[class*='st-key-{key}']").get_by_role("button").first


def total_of(page: Page, source: str) -> int:
    """The source's own total, once it has said it."""
    value = card(page, source).get_by_test_id("stMetricValue")
    expect(value).to_have_text(re.compile(r"^[\d,]+$"), timeout=LONG_MS)
    return int(value.inner_text().replace(",", ""))


def run_with_a_pause(page: Page) -> int:
    """From a string to a run that is paused, then finished in another view; how many publications came."""
    type_string(page, TEXT)
    expect(card(page, "openalex")).to_contain_text("OpenAlex allows no *")
    page.get_by_role("button", name="Preview").click()
    n = total_of(page, "openalex")
    card(page, "openalex").get_by_role("button", name="Run in OpenAlex").click()
    expect(card(page, "openalex").get_by_text(PROGRESS)).to_be_visible()
    card(page, "openalex").get_by_role("button", name="Pause").click()
    expect(card(page, "openalex").get_by_role("button", name="Resume")).to_be_visible()
    view(page, "Runs")
    paused = page.get_by_text(re.compile(rf"paused · [\d,]+ of {n:,} publications"))
    expect(paused).to_be_visible()
    assert int(paused.inner_text().split("·")[2].split()[0].replace(",", "")) < n
    button(page, "live-go-on-").click()
    expect(page.get_by_text(f"finished · {n:,} of {n:,} publications")).to_be_visible(timeout=LONG_MS)
    return n


def saved(page: Page, key: str, folder: Path) -> bytes:
    with page.expect_download() as download:
        button(page, key).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path.read_bytes()


def test_a_string_is_previewed_run_paused_and_explored_and_its_core_looked_for(
    server: Server, visitors: Visitors, tmp_path: Path
) -> None:
    page = open_page(visitors, server)
    n = run_with_a_pause(page)

    button(page, "live-open-").click()
    expect(page.get_by_text(re.compile("OpenAlex was searched through its API .* UTC with the string"))).to_be_visible()
    view(page, "Requests")
    expect(page.get_by_text("Keys are never stored or shown.")).to_be_visible()
    text = saved(page, "live-requests-CSV", tmp_path).decode("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(text)))
    assert sum(int(line["New"]) for line in lines if line["New"]) == n
    assert all("cursor=" in line["Address"] for line in lines)
    assert "made-up-key" not in text

    button(page, "live-to-core").click()
    look_for_the_core(page)

    view(page, "Runs")
    button(page, "live-to-workbench").click()
    Explore(page).wait_until_painted(HEAT, "OpenAlex ", timeout=LONG_MS)
    expect(page.get_by_text(re.compile(f"came from OpenAlex on .*{n:,}"))).to_be_visible()


def look_for_the_core(page: Page) -> None:
    """In the source; what it lacks is told from what the string misses."""
    ask = page.get_by_role("button", name=re.compile(r"Look up 30 core publications in OpenAlex: at most \d+ counts"))
    ask.click()
    told = page.get_by_text(COUNTED)
    expect(told).to_be_visible(timeout=LONG_MS)
    found = COUNTED.search(told.inner_text())
    assert found is not None
    n_core, n_indexed, n_found, n_lacking = (int(found[place]) for place in (1, 2, 3, 5))
    assert (n_core, n_indexed, n_lacking) == (30, 25, 5)
    assert 0 < n_found < n_indexed
    assert found[4] == f"{n_found / n_indexed:.3f}"
    assert found[6] == f"{n_indexed / n_core:.3f}"
    marks = page.locator(".qs-marked mark")
    expect(marks.first).to_be_visible()
    assert marks.count() >= n_indexed - n_found
    assert {text.partition(" (")[0] for text in marks.all_inner_texts()} <= {
        part.partition(" (")[0] for part in (FIRST, SECOND)
    }
    view(page, f"Not indexed ({n_lacking})")
    expect(marks).to_have_count(0)
    page.reload()
    expect(page.get_by_text(COUNTED)).to_be_visible()
    expect(page.get_by_text(re.compile(r"Looked up .* UTC, with \d+ counts?\."))).to_be_visible()


def test_offline_the_page_says_so_and_everything_local_works(offline: Server, visitors: Visitors) -> None:
    page = open_page(visitors, offline)
    expect(page.get_by_text("no data leaves this machine. Everything local works.")).to_be_visible()
    type_string(page, TEXT)
    expect(card(page, "openalex")).to_contain_text("OpenAlex allows no *")
    expect(card(page, "openalex").get_by_role("button", name="Run in OpenAlex")).to_be_disabled()
    expect(page.get_by_role("button", name="Preview")).to_be_disabled()
    view(page, "Runs")
    expect(page.get_by_text("No runs yet. Start one in the view Search.")).to_be_visible()
    explore = visitors.open(offline, HEAT, "baseline")
    assert explore.n_pixels("relevant") > 0
