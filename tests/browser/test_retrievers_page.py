"""The Retrievers page: from nothing to a leaderboard, a query opened, and files; numbers are those of a direct call."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from core.retrieval.leaderboard import Leaderboard, score_runs
from core.retrieval.specs import read_spec
from data.explore.workspace import Workspace
from data.retrieval.collections import open_collection
from data.retrieval.runs import known_run, read_run
from tests.browser.servers import Server, serving
from tests.browser.visitors import Visitors

pytestmark = pytest.mark.slow
UNTIL_RUN_MS = 240_000
NAMES = {"BM25": "bm25", "Dense (lsa)": "dense:lsa"}


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with an empty workspace."""
    root = tmp_path_factory.mktemp("retrievers")
    with serving(root / "workspace", root / "log") as server:
        yield server


@pytest.fixture(autouse=True)
def streamlit_looks_for_itself(visitors: Visitors) -> Iterator[None]:
    """Opened by the address of a page, Streamlit asks beneath it where its server is, and takes a 404 for a no."""
    yield
    visitors.watch.errors[:] = [error for error in visitors.watch.errors if "/retrievers/_stcore/" not in error]


def open_page(visitors: Visitors, server: Server, *, width: int = 1440, **link: str) -> Page:
    """A new visitor opens the page by its link."""
    page = visitors.enter(server, size={"width": width, "height": 900}).page
    page.goto(f"{server.url}/retrievers?{urlencode(link)}")
    expect(page.get_by_role("heading", name="Retrievers", exact=True)).to_be_visible(timeout=UNTIL_RUN_MS)
    return page


def board(page: Page) -> Locator:
    """The leaderboard, once it is there."""
    table = page.locator(".qs-board table")
    expect(table).to_be_visible(timeout=UNTIL_RUN_MS)
    return table


def run_all(page: Page) -> None:
    """Have the made-up collection written, if it is not there, and everything that is chosen run."""
    add = page.get_by_role("button", name="Add the demo collection", exact=True)
    run = page.locator(".st-key-run-retrievers button")
    expect(add.or_(run).first).to_be_visible(timeout=UNTIL_RUN_MS)
    if add.is_visible():
        add.click()
    expect(run).to_be_visible(timeout=UNTIL_RUN_MS)
    if run.is_enabled():
        run.click()
    expect(run).to_contain_text("All complete", timeout=UNTIL_RUN_MS)


def truth(server: Server) -> Leaderboard:
    """What a direct call makes of the runs that the page has saved."""
    with Workspace.open(server.data_dir) as workspace:
        opened = open_collection(workspace, "demo")
        runs = []
        for name, text in NAMES.items():
            saved = known_run(workspace, opened, read_spec(text))
            assert saved is not None
            assert saved.is_complete
            runs.append(replace(saved.run, name=name))
        return score_runs(runs, opened.collection)


def saved_file(page: Page, button: Locator, folder: Path) -> Path:
    with page.expect_download() as download:
        button.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_bm25_against_dense_on_the_made_up_collection(empty: Server, visitors: Visitors, tmp_path: Path) -> None:
    page = open_page(visitors, empty)
    run_all(page)
    table = board(page)
    expect(table.locator("tbody tr")).to_have_count(2)
    found = truth(empty)
    for scores in found.scores:
        row = table.locator("tbody tr").filter(has=page.get_by_role("rowheader", name=f"{scores.name} answers"))
        values = [re.search(r"\d\.\d{3}", text) for text in row.locator("td .value").all_inner_texts()]
        assert [float(value[0]) for value in values if value] == [
            pytest.approx(value, abs=5.1e-4) for value in scores.values.values()
        ]
    with saved_file(page, page.get_by_role("button", name="CSV", exact=True), tmp_path).open(
        encoding="utf-8-sig", newline=""
    ) as file:
        lines = {line["run"]: line for line in csv.DictReader(file)}
    for scores in found.scores:
        for metric, value in scores.values.items():
            assert float(lines[scores.name][metric]) == value
    page.wait_for_function("() => new URL(location).searchParams.getAll('retrievers').join() === 'bm25,dense'")


def test_a_query_is_opened_and_stands_in_the_link(empty: Server, visitors: Visitors) -> None:
    page = open_page(visitors, empty)
    run_all(page)
    page.get_by_role("radio", name="One query").or_(page.get_by_role("button", name="One query")).click()
    expect(page.get_by_role("combobox", name=re.compile("^(Selected .*)?Query$|Query$")).first).to_be_visible()
    for name in NAMES:
        expect(page.get_by_text(name, exact=True).first).to_be_visible()
    expect(page.get_by_text("Missed answers and the reasons")).to_be_visible()
    page.wait_for_function("() => new URL(location).searchParams.has('opened')")
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_files_of_leaderboard_and_run_are_whole(empty: Server, visitors: Visitors, tmp_path: Path) -> None:
    page = open_page(visitors, empty)
    run_all(page)
    board(page)
    latex = saved_file(page, page.get_by_role("button", name="LaTeX", exact=True), tmp_path).read_text("utf-8")
    assert r"\begin{tabular}{lrrrrrrrr}" in latex
    assert "demo data." in latex
    html = saved_file(page, page.get_by_role("button", name="HTML", exact=True), tmp_path).read_text("utf-8")
    assert html.count('<th scope="row">') == len(NAMES)
    assert "demo data." in html
    path = saved_file(page, page.get_by_role("button", name="Run (TREC)"), tmp_path)
    with Workspace.open(empty.data_dir) as workspace:
        opened = open_collection(workspace, "demo")
        saved = known_run(workspace, opened, read_spec("bm25"))
        assert saved is not None
        run, _ = read_run(path, opened.collection)
        assert run.query_ids == tuple(i for i in saved.run.query_ids if len(saved.run.answer(i)[0]))
        assert all(run.ranking(i).doc_ids == saved.run.ranking(i).doc_ids for i in run.query_ids)


def test_others_runs_stand_beside(empty: Server, visitors: Visitors, tmp_path: Path) -> None:
    page = open_page(visitors, empty)
    run_all(page)
    board(page)
    path = saved_file(page, page.get_by_role("button", name="Run (TREC)"), tmp_path)
    theirs = tmp_path / "theirs.run"
    theirs.write_text(re.sub(r"\S+$", "theirs", path.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    page.get_by_role("button", name="Runs from files").click()
    page.locator("[class*=st-key-run-file-] input[type=file]").set_input_files(theirs)
    page.get_by_role("button", name="Add this run").click()
    row = page.locator(".qs-board tbody tr").filter(has=page.get_by_role("rowheader", name="theirs answers"))
    expect(row).to_have_count(1)
    expect(
        page.get_by_text("is not clearly better than").or_(page.get_by_text("don't differ clearly")).first
    ).to_be_visible()


def test_everything_can_be_reached_on_a_phone(empty: Server, visitors: Visitors) -> None:
    page = open_page(visitors, empty, width=390)
    run_all(page)
    room = page.locator(".qs-board")
    expect(room).to_be_visible()
    assert room.evaluate("room => room.scrollWidth > room.clientWidth")
    room.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("room => room.scrollLeft > 0", arg=room.element_handle())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
