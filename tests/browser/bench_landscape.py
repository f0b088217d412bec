"""How fast the landscape follows the hand, in headless Chromium; prints the table of tests/benchmarks/RESULTS.md.

    python -m tests.browser.bench_landscape --folder FOLDER [--sizes 17573 50000 100000 200000] [--steady] [--plain]

FOLDER keeps the topics, which take a while to build the first time. Run it on an otherwise idle machine.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.benchmarks.workspace import EMBEDDER, TOPIC
from tests.browser.bench_plain import plain_seconds
from tests.browser.bench_topics import LABEL, remembered_topic
from tests.browser.pages import Explore
from tests.browser.servers import Server, serving
from tests.browser.visitors import HINTS_CLOSED

SIZES = (17_573, 50_000, 100_000, 200_000)
N_MOVES, N_RELEASES, N_SWITCHES, N_LASSOS, N_STEADY = 240, 16, 12, 6, 500
MOVE_MS = 30
CHROMIUM = shutil.which("chromium")
SCRIPT = (Path(__file__).parent / "bench_landscape.js").read_text("utf-8")
QUIET_MS = 1_000
"""Charts and ranges of the last release are over after this."""


class Traffic:
    """Bytes over the page's websocket, both ways."""

    def __init__(self, page: Page) -> None:
        self.n_bytes = 0
        page.on("websocket", lambda socket: [socket.on(name, self._count) for name in ("framesent", "framereceived")])

    def _count(self, frame: str | bytes) -> None:
        self.n_bytes += len(frame)


@contextmanager
def visit(browser: Browser, server: Server) -> Iterator[tuple[Page, Traffic]]:
    """A new visitor opens the large topic."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(120_000)
    context.add_init_script(HINTS_CLOSED)
    context.add_init_script(SCRIPT)
    page = context.new_page()
    traffic = Traffic(page)
    link = urlencode({"topic": TOPIC, "version": LABEL, "embedder": EMBEDDER})
    page.goto(f"{server.url}/?{link}", wait_until="commit")
    page.wait_for_function("globalThis.measured?.firstPicture")
    yield page, traffic
    context.close()


def first_picture_ms(page: Page) -> float:
    """From the start of the page's loading to its first landscape."""
    return float(page.evaluate("measured.firstPicture"))


def settle(page: Page) -> None:
    """Until the page has been quiet for a while."""
    page.evaluate(f"measured.quiet({QUIET_MS})")


def drag(page: Page, session: CDPSession, traffic: Traffic) -> tuple[list[list[float]], int]:
    """Move the threshold to and fro without letting go: ms to pixels and to the end of their frame, and bytes."""
    box = page.get_by_test_id("min-similarity").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2

    def at(share: float) -> dict[str, float]:
        return {"x": box["x"] + box["width"] * share, "y": middle}

    mouse(session, "mouseMoved", at(0.3))
    mouse(session, "mousePressed", at(0.3))
    settle(page)
    page.evaluate("measured.startDrag()")
    before = traffic.n_bytes
    for i in range(N_MOVES):
        along = (i % 80) / 80
        mouse(session, "mouseMoved", at(0.2 + 0.6 * (along if (i // 80) % 2 == 0 else 1 - along)))
        page.wait_for_timeout(MOVE_MS)
    moved = traffic.n_bytes - before
    samples = page.evaluate("measured.endDrag()")
    mouse(session, "mouseReleased", at(0.5))
    settle(page)
    return samples, moved


def mouse(session: CDPSession, kind: str, place: dict[str, float]) -> None:
    """One event of a mouse whose left button is down, but when it only gets there."""
    session.send(
        "Input.dispatchMouseEvent",
        {"type": kind, **place, "button": "left", "buttons": 0 if kind == "mouseReleased" else 1, "clickCount": 1},
    )


def releases(page: Page, session: CDPSession, traffic: Traffic, n: int) -> tuple[list[float], list[tuple[int, int]]]:
    """Let go at one threshold after the other: ms until the server's scores are shown; bytes until then, and in all."""
    box = page.get_by_test_id("min-similarity").bounding_box()
    assert box is not None
    times, sizes = [], []
    for i in range(n):
        place = {"x": box["x"] + box["width"] * (0.25 + 0.5 * ((i * 7) % n) / n), "y": box["y"] + box["height"] / 2}
        settle(page)
        before = traffic.n_bytes
        page.evaluate("measured.awaitScores()")
        mouse(session, "mousePressed", place)
        mouse(session, "mouseReleased", place)
        times.append(float(page.evaluate("measured.scores")))
        first = traffic.n_bytes - before
        settle(page)
        sizes.append((first, traffic.n_bytes - before))
    return times, sizes


def switches(page: Page) -> tuple[list[float], list[float]]:
    """Choose one region after the other: ms to pixels, and ms until the server has answered."""
    pixels, answers = [], []
    Explore(page).show_all_regions()
    for i in range(N_SWITCHES):
        kind = ("hull", "mvee", "nearest_core", "cosine")[i % 4]
        settle(page)
        page.evaluate("measured.awaitScores('click')")
        page.get_by_test_id(f"region-{kind}").click()
        answers.append(float(page.evaluate("measured.scores")))
        pixels.append(float(page.evaluate("measured.pixels")))
    return pixels, answers


def lassos(page: Page) -> list[float]:
    """Draw around a quarter of the picture: ms from letting go until the table shows what is inside."""
    box = page.get_by_test_id("landscape-overlay").bounding_box()
    assert box is not None
    times = []
    for i in range(N_LASSOS):
        settle(page)
        page.get_by_role("button", name="Lasso").click()
        reach = 0.12 + 0.02 * i
        corners = [(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach), (-reach, -reach + 0.02)]
        places = [(box["x"] + box["width"] * (0.5 + x), box["y"] + box["height"] * (0.5 + y)) for x, y in corners]
        page.mouse.move(*places[0])
        page.mouse.down()
        for place in places[1:]:
            page.mouse.move(*place, steps=6)
        page.evaluate("measured.awaitTable()")
        page.mouse.up()
        times.append(float(page.evaluate("measured.table")))
    page.keyboard.press("Escape")
    return times


def heap_mb(session: CDPSession) -> tuple[float, float]:
    """What the page's script holds after a collection: objects, and with them the arrays behind them."""
    session.send("HeapProfiler.collectGarbage")
    usage: dict[str, Any] = session.send("Runtime.getHeapUsage")
    objects = usage["usedSize"] / 1e6
    return objects, objects + usage.get("backingStorageSize", 0.0) / 1e6


def server_mb(server: Server) -> float:
    """Resident memory of the server."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1e3


def p95(values: list[float]) -> float:
    """The 95th percentile."""
    return quantiles(values, n=20)[-1]


def measure(browser: Browser, folder: Path, n: int, *, steady: bool) -> list[str]:
    """One row of the table."""
    workspace = remembered_topic(folder, n)
    with serving(workspace, folder / f"log-{n}") as server:
        with visit(browser, server) as (page, _):
            cold = first_picture_ms(page)
        with visit(browser, server) as (page, traffic):
            warm = first_picture_ms(page)
            session = page.context.new_cdp_session(page)
            settle(page)
            moves, dragged = drag(page, session, traffic)
            times, sizes = releases(page, session, traffic, N_RELEASES)
            pixels, answers = switches(page)
            picked = lassos(page)
            objects, heap = heap_mb(session)
            if steady:
                print_memory(page, session, server)
    pixels_at, frame_at = zip(*moves, strict=True)
    return [
        f"{n:,}",
        f"{median(pixels_at):.1f} / {p95(pixels_at):.1f}",
        f"{median(frame_at):.1f} / {p95(frame_at):.1f}",
        f"{median(times):.0f} / {p95(times):.0f}",
        f"{median(pixels):.0f}, {median(answers):.0f}",
        f"{dragged / 1e3:.1f} / {median(a for a, _ in sizes) / 1e3:.0f}, {median(b for _, b in sizes) / 1e3:.0f}",
        f"{cold / 1e3:.2f}, {warm / 1e3:.2f}",
        f"{objects:.0f}, {heap:.0f}",
        f"{median(picked):.0f}",
    ]


def print_memory(page: Page, session: CDPSession, server: Server) -> None:
    """The server's memory over many moves, each of which it scores."""
    seen = [server_mb(server)]
    box = page.get_by_test_id("min-similarity").bounding_box()
    assert box is not None
    for i in range(N_STEADY):
        share = 0.2 + 0.6 * ((i * 37) % N_STEADY) / N_STEADY
        place = {"x": box["x"] + box["width"] * share, "y": box["y"] + box["height"] / 2}
        page.evaluate("measured.awaitScores()")
        mouse(session, "mousePressed", place)
        mouse(session, "mouseReleased", place)
        page.evaluate("measured.scores")
        if (i + 1) % 100 == 0:
            seen.append(server_mb(server))
    print(f"server memory over {N_STEADY} moves, MB every 100: " + ", ".join(f"{mb:.0f}" for mb in seen), flush=True)


COLUMNS = (
    "points",
    "drag: input to pixels, median / p95 ms",
    "to the end of that frame, median / p95 ms",
    "release to the server's scores, median / p95 ms",
    "region switch: pixels, server ms",
    "kB while dragging / per release until the scores, in all",
    "first picture s: fresh server, again",
    "heap MB: objects, with arrays",
    "lasso to table ms",
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--plain", action="store_true", help="measure the plain Plotly way, too")
    parser.add_argument("--steady", action="store_true", help="watch the server's memory over many moves, too")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    head = " | ".join(COLUMNS)
    print(f"| {head} |\n|{'---|' * (head.count('|') + 1)}", flush=True)
    for n in options.sizes:
        # A new browser for each size: what an earlier page held does not count.
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            print(f"| {' | '.join(measure(browser, options.folder, n, steady=options.steady))} |", flush=True)
            if options.plain:
                seconds = plain_seconds(browser, options.folder, n)
                print(f"plain Plotly, {n:,} points: {seconds:.2f} s from key to picture", flush=True)
            browser.close()


if __name__ == "__main__":
    main()
