"""How soon an empty workspace shows a landscape, in headless Chromium; prints rows of tests/benchmarks/RESULTS.md.

    python -m tests.browser.bench_first_minute --folder FOLDER [--button "See an example"] [--rounds 3]

Each round starts a fresh server on an empty workspace. FOLDER takes the workspaces and the logs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import Browser, sync_playwright

from tests.browser.pages import Explore
from tests.browser.servers import Server, serving

PATIENCE_MS = 120_000


@dataclass(frozen=True)
class FirstMinute:
    landscape: float
    """Seconds from the click until the landscape is painted."""
    landscape_cpu: float
    page: float
    """Seconds until the Library is drawn, opened right after that."""
    whole: float
    """Seconds from the click until every demo topic is there."""
    whole_cpu: float


def cpu_seconds(server: Server) -> float:
    """User and system time of the server so far."""
    fields = Path(f"/proc/{server.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def first_minute(browser: Browser, server: Server, button: str) -> FirstMinute:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    links = page.locator(".st-key-navigation a")
    page.goto(server.url)
    clickable = page.get_by_role("button", name=button)
    clickable.wait_for()
    page.wait_for_timeout(1_000)
    before, start = cpu_seconds(server), perf_counter()
    clickable.click()
    Explore(page).wait_until_painted(timeout=PATIENCE_MS)
    landscape, landscape_cpu = perf_counter() - start, cpu_seconds(server) - before
    left = perf_counter()
    links.filter(has_text="Library").click()
    page.get_by_role("heading", level=1, name="Library").wait_for()
    opened = perf_counter() - left
    links.first.click()
    Explore(page).wait_until_painted(timeout=PATIENCE_MS)
    page.locator(".st-key-demo-progress").wait_for(state="detached")
    whole, whole_cpu = perf_counter() - start, cpu_seconds(server) - before
    context.close()
    return FirstMinute(landscape, landscape_cpu, opened, whole, whole_cpu)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--button", default="See an example")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    found = []
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(given.rounds):
            folder = Path(tempfile.mkdtemp(dir=given.folder))
            with serving(folder / "empty", folder / "server.log") as server:
                found.append(first_minute(browser, server, given.button))
        browser.close()
    for name in FirstMinute.__dataclass_fields__:
        print(f"| {name} | {median(getattr(one, name) for one in found):.1f} |")


if __name__ == "__main__":
    main()
