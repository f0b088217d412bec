"""What opening a page costs the server, in headless Chromium; prints the tables of tests/benchmarks/RESULTS.md.

    python -m tests.browser.bench_pages --workspace FOLDER [--rounds 3]

FOLDER is a workspace with the demo; it is copied. Each page is opened from the one before it in the navigation; the
first round is not counted. Then a second visitor opens the start page, before and while the first has strings written.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import Browser, Page, sync_playwright

from dashboard.navigation import ENTRIES, START
from tests.browser.bench_first_minute import cpu_seconds
from tests.browser.bench_landscape import CHROMIUM
from tests.browser.pages import Explore, go_to
from tests.browser.servers import Server, serving
from tests.browser.visitors import HINTS_CLOSED

PATIENCE_MS = 120_000
QUIET_MS = 700
IDLE_CPU = 0.015
"""Server CPU seconds within QUIET_MS below which nothing runs."""
N_RERUNS = 5
N_VISITORS = 3
RERUN = f"{START.title}, rerun with nothing changed"


PAINTS = ("first paint", "first words", "first landscape", "Library from there")
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


@dataclass(frozen=True)
class Cost:
    cpu: float
    """Seconds of the server, with what the page computes after its first paint."""
    paint: float
    """Milliseconds from the click to the page's heading; for the start page, to its landscape."""


def settle(page: Page, server: Server) -> float:
    """Wait until no script runs and the server is idle; return its CPU seconds so far."""
    seen = cpu_seconds(server)
    while True:
        page.wait_for_timeout(QUIET_MS)
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        now = cpu_seconds(server)
        if now - seen < IDLE_CPU:
            return now
        seen = now


def open_page(page: Page, server: Server, title: str) -> Cost:
    before, start = settle(page, server), perf_counter()
    go_to(page, title)
    page.locator("h1:visible, .st-key-unseen-title h1").filter(has_text=title).wait_for(state="attached")
    if title == START.title:
        Explore(page).wait_until_painted()
    painted = perf_counter()
    return Cost(settle(page, server) - before, 1e3 * (painted - start))


def rerun(page: Page, server: Server) -> float:
    """Return the server's CPU seconds of one run of the whole page, asked for by Streamlit's key."""
    before = settle(page, server)
    page.evaluate("document.activeElement?.blur()")
    for _ in range(N_RERUNS):
        page.keyboard.press("r")
        page.wait_for_timeout(QUIET_MS)
    return (settle(page, server) - before) / N_RERUNS


def measure(page: Page, server: Server, n_rounds: int) -> dict[str, list[Cost]]:
    page.goto(server.url)
    Explore(page).wait_until_painted(timeout=PATIENCE_MS)
    costs = defaultdict(list)
    for i in range(n_rounds + 1):
        for entry in (*ENTRIES[1:], START):
            cost = open_page(page, server, entry.title)
            if i:
                costs[entry.title].append(cost)
        if i:
            costs[RERUN].append(Cost(rerun(page, server), 0.0))
    return costs


def visit(browser: Browser) -> Page:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(HINTS_CLOSED)
    return context.new_page()


def second_paints(browser: Browser, server: Server) -> tuple[float, ...]:
    """Return milliseconds until a new visitor sees something, words of the page, its landscape, and another page."""
    page, start = visit(browser), perf_counter()
    page.goto(server.url)
    page.get_by_test_id("stMain").get_by_role("combobox").first.wait_for()
    words = perf_counter()
    Explore(page).wait_until_painted(timeout=PATIENCE_MS)
    painted = perf_counter()
    first = float(page.evaluate(FIRST_PAINT))
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    left = perf_counter()
    go_to(page, "Library")
    page.locator("h1:visible").filter(has_text="Library").wait_for()
    other = perf_counter() - left
    page.context.close()
    return first, 1e3 * (words - start), 1e3 * (painted - start), 1e3 * other


def medians(paints: list[tuple[float, ...]]) -> list[float]:
    return [median(each) for each in zip(*paints, strict=True)]


def while_writing(browser: Browser, page: Page, server: Server) -> tuple[list[float], list[float]]:
    """Return a second visitor's paints in ms: on an idle server, and while strings are written for the first."""
    idle = medians([second_paints(browser, server) for _ in range(N_VISITORS)])
    open_page(page, server, "New search string")
    page.get_by_role("button", name="Write with corpus statistics and the demo model").click()
    page.get_by_test_id("stProgress").wait_for()
    return idle, medians([second_paints(browser, server) for _ in range(N_VISITORS)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workspace", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        no_socket = shutil.ignore_patterns("queryscape.sock", "queryscape.port")
        workspace = shutil.copytree(given.workspace, Path(folder) / "workspace", ignore=no_socket)
        with serving(workspace, Path(folder) / "server.log") as server:
            page = visit(browser)
            costs = measure(page, server, given.rounds)
            idle, busy = while_writing(browser, page, server)
        browser.close()
    print("| page | server CPU, s | first paint, ms |\n|---|---|---|")
    for title, found in costs.items():
        paint = f"{median(cost.paint for cost in found):.0f}" if title != RERUN else ""
        print(f"| {title} | {median(cost.cpu for cost in found):.2f} | {paint} |", flush=True)

    for name, alone, beside in zip(PAINTS, idle, busy, strict=True):
        print(
            f"second visitor, {name}: {alone:.0f} ms, while strings are written {beside:.0f} ms ({beside / alone:.1f})"
        )


if __name__ == "__main__":
    main()
