"""How large a report is, how long it takes to open, and how the threshold follows the hand.

Run as `python -m tests.benchmarks.bench_audit [html]`; it needs chromium and playwright.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np
from playwright.sync_api import Page, sync_playwright

from core.audit.quality_facts import QualityFacts, VersionFacts
from core.explore.landscape import name_groups
from dashboard.audit.report_files import html, live_landscape
from tests.audit_cases import document, quality_facts
from tests.benchmarks.made_up import frequencies, vocabulary

N = 17_573
N_WORDS = 13
"""Words of a title: about 90 signs."""
N_MOVES = 120
ROUNDS = 5
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--no-first-run")
DRAWN = "() => (globalThis.queryscapeDrawn?.draws ?? 0) > 0"


def titles(n: int) -> tuple[str, ...]:
    """Titles of words as often as in texts."""
    rng, known = np.random.default_rng(0), vocabulary()
    chosen = rng.choice(len(known), size=(n, N_WORDS), p=frequencies())
    return tuple(" ".join(row).capitalize() for row in known[chosen].tolist())


def large(n: int = N) -> QualityFacts:
    """A topic of one version with as many publications, each with a title and a DOI."""
    facts = quality_facts(n, ranges=False)
    [version] = facts.versions
    rows, rng = version.rows, np.random.default_rng(1)
    named = titles(len(rows.ids))
    numbers = rng.integers(10**6, 10**9, len(rows.ids))
    dois = tuple(f"10.{1000 + number % 37}/j.made.{2000 + number % 26}.{number}" for number in numbers)
    groups = rows.groups if rows.points is None else name_groups(rows.points, named)
    return replace(facts, versions=(replace(version, rows=replace(rows, titles=named, dois=dois, groups=groups)),))


def opened_ms(page: Page, file: Path) -> float:
    """From the start of loading to the landscape drawn."""
    page.goto(file.as_uri())
    page.locator("[data-live]").scroll_into_view_if_needed()
    page.wait_for_function(DRAWN)
    return float(page.evaluate("queryscapeDrawn.at"))


def move_ms(page: Page) -> list[float]:
    """Milliseconds that each move of the threshold takes, to the end of drawing."""
    slider = page.get_by_test_id("min-similarity")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.2 * box["width"], middle)
    page.mouse.down()
    taken = []
    for i in range(N_MOVES):
        page.mouse.move(box["x"] + (0.2 + 0.6 * (i % 40) / 40) * box["width"], middle)
        taken.append(float(page.evaluate("queryscapeDrawn.ms")))
    page.mouse.up()
    return taken


def report(name: str, value: str) -> None:
    sys.stdout.write(f"{name:<44} {value}\n")


def bench_html() -> None:
    """The part "html"."""
    facts = large()
    version: VersionFacts = facts.versions[0]
    report("publications", f"{len(version.rows.ids):,}")
    report("signs of a title, mean", f"{np.mean([len(title) for title in version.rows.titles]):.0f}")
    started = time.perf_counter()
    live = live_landscape(version, facts)
    still = html(document(facts))
    written = html(document(facts), live=[live])
    report("building and writing, s", f"{time.perf_counter() - started:.2f}")
    report("size, MB", f"{len(written) / 1e6:.2f}")
    report("of it without the live landscape, MB", f"{len(still) / 1e6:.2f}")
    path = os.environ.get("QUERYSCAPE_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "report.html"
        file.write_bytes(written)
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        times = []
        for _ in range(ROUNDS):
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            times.append(opened_ms(page, file))
            moves = move_ms(page)
            page.close()
        browser.close()
    report("until the landscape is drawn, median ms", f"{median(times):.0f} (most {max(times):.0f})")
    report("a move of the threshold, median / p95 ms", f"{median(moves):.1f} / {np.quantile(moves, 0.95):.1f}")


PARTS = {"html": bench_html}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
