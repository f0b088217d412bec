"""The Judge page: a dry run, a run by the demo judge, a query opened, a grade overruled, and the files of all that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from data.demo.loading import bring_benchmark
from data.demo.publications import DEMO_COLLECTION
from data.explore.workspace import Workspace
from tests.browser.servers import Server, serving
from tests.browser.visitors import Visitors
from tests.data.judged_files import read_csv, read_jsonl

pytestmark = pytest.mark.slow
LONG_MS = 240_000
"""For what fits vectors to the collection."""
TRIES, SOON_MS = 6, 5_000
N_QUERIES, K = 4, 3
SAMPLE = {"collection": DEMO_COLLECTION, "judge_n": N_QUERIES, "judge_k": K}
NAME = "a sample"
MEAN = re.compile(r"bm25 (\d+\.\d)")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the made-up collection."""
    root = tmp_path_factory.mktemp("judge")
    with Workspace.open(root / "workspace") as workspace:
        bring_benchmark(workspace)
    with serving(root / "workspace", root / "log") as server:
        yield server


@pytest.fixture(autouse=True)
def streamlit_looks_for_itself(visitors: Visitors) -> Iterator[None]:
    """Opened by the address of a page, Streamlit asks beneath it where its server is, and takes a 404 for a no."""
    yield
    visitors.watch.errors[:] = [error for error in visitors.watch.errors if "/judge/_stcore/" not in error]


def open_page(visitors: Visitors, server: Server, *, width: int = 1440, **link: object) -> Page:
    """A new visitor opens the page by its link."""
    page = visitors.enter(server, size={"width": width, "height": 900}).page
    page.goto(f"{server.url}/judge?{urlencode(link, doseq=True)}")
    expect(page.get_by_role("heading", name="Judge", exact=True)).to_be_visible()
    return page


def view(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).or_(
        page.get_by_role("button", name=name, exact=True)
    ).first.click()


def number_of(page: Page, label: str) -> int:
    """What a counter of the dry run says."""
    metric = page.get_by_test_id("stMetric").filter(has_text=label)
    return int(metric.get_by_test_id("stMetricValue").inner_text().replace(",", ""))


def judge_a_sample(page: Page) -> int:
    """From the dry run to the end of the run; how many triples it was."""
    page.get_by_role("button", name="Dry run").click()
    expect(page.get_by_text("Nothing was sent yet.")).to_be_visible(timeout=LONG_MS)
    assert number_of(page, "To grade") == 2 * N_QUERIES * K
    n = number_of(page, "Calls")
    assert n == number_of(page, "Distinct") - number_of(page, "Cached")
    name = page.get_by_role("textbox", name="Name of the run")
    name.fill(NAME)
    name.press("Tab")
    page.get_by_role("button", name=f"Judge {n}", exact=True).click()
    expect(page.get_by_text(re.compile(rf"Finished · {n} of {n} graded"))).to_be_visible()
    return n


def means(page: Page) -> float:
    """The mean grade of BM25 over the run, as the view Queries says it."""
    found = MEAN.search(page.locator(".st-key-judged-means").inner_text())
    assert found is not None
    return float(found[1])


def first_of_bm25(page: Page) -> Locator:
    return page.get_by_role("list", name=re.compile("Judgments of bm25")).get_by_role("listitem").first


def choose(page: Page, label: str, option: str | re.Pattern[str]) -> None:
    box, wanted = page.get_by_role("combobox", name=label), page.get_by_role("option", name=option).first
    for _ in range(TRIES):  # a list that opens while the page still moves into place is closed again
        box.click()
        try:
            wanted.click(timeout=SOON_MS)
            return
        except PlaywrightTimeoutError:
            continue
    pytest.fail(f"the list of {label} does not stay open")


def saved(page: Page, label: str, folder: Path) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=label, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path.read_bytes()


def test_from_the_dry_run_to_files(server: Server, visitors: Visitors, tmp_path: Path) -> None:
    page = open_page(visitors, server, **SAMPLE)
    n = judge_a_sample(page)

    view(page, "Queries")
    before = means(page)
    grade = first_of_bm25(page).locator(".grade b")
    was = float(grade.inner_text())
    wanted = "0 · no relevance" if was else "100 · direct correspondence"
    choose(page, "Grade", wanted)
    page.get_by_role("textbox", name="Your name").fill("Ada")
    page.get_by_role("textbox", name="Reason").fill("=1+1 is no reason")
    page.get_by_role("button", name="Overrule").click()
    expect(page.get_by_text(re.compile(r"Overruled; mean grade of bm25"))).to_be_visible()
    given = 0.0 if was else 100.0
    expect(grade).to_have_text(f"{given:g}")
    expect(first_of_bm25(page)).to_contain_text(f"by Ada; the judge: {was:g}")
    moved = (given - was) / K / N_QUERIES
    assert means(page) == pytest.approx(before + moved, abs=0.11)

    page.get_by_text("Export judgments").click()
    text = saved(page, "CSV", tmp_path)
    _, judged = read_csv(text)
    assert b"'=1+1 is no reason" in text
    assert len(judged) == 2 * N_QUERIES * K
    by_people = {each.triple_key for each in judged if each.overruled is not None}
    assert len(by_people) == 1
    run = read_jsonl(saved(page, "JSON Lines", tmp_path))
    assert run.judged == judged
    assert len(run.answers) == n
    assert [each.why for several in run.overrules.values() for each in several] == ["=1+1 is no reason"]
    lines = saved(page, "Qrels (TREC)", tmp_path).decode().splitlines()
    assert len(lines) == n
    first = next(each for each in judged if each.overruled is not None)
    points = 0 if was else 5
    assert f"{first.candidate.query_id} 0 {first.candidate.doc_id} {points}" in lines


def test_the_same_judge_is_not_asked_again_and_the_link_opens_what_was_seen(server: Server, visitors: Visitors) -> None:
    page = open_page(visitors, server, **SAMPLE)
    page.get_by_role("button", name="Dry run").click()
    expect(page.get_by_text("no requests needed").first).to_be_visible()
    assert number_of(page, "Cached") == number_of(page, "Distinct")
    view(page, "Queries")
    choose(page, "In order of", "Engines furthest apart")
    expect(page.get_by_text("1 grade is from a person")).to_be_visible()
    page.wait_for_function("() => new URL(location).searchParams.get('judged_by') !== null")
    page.wait_for_function("() => new URL(location).searchParams.get('judged_triple') !== null")
    shown = first_of_bm25(page).inner_text()
    other = visitors.enter(server).page
    other.goto(str(page.evaluate("location.href")))
    expect(first_of_bm25(other)).to_have_text(re.compile(re.escape(shown.split("\n")[2][:40])))
    expect(other.get_by_role("list", name=re.compile("Judgments of"))).to_have_count(2)


@pytest.mark.parametrize("name", ["Run", "Results", "Queries", "Trust", "Rubric"])
def test_every_view_fits_a_phone(server: Server, visitors: Visitors, name: str) -> None:
    page = open_page(visitors, server, width=390, judge=name, **SAMPLE)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)
