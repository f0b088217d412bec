"""Takes the pictures of the start page, of the README and of the guide from the running app.

    python -m tests.browser.pictures

Run it again after a change of how pages look. The live sources are stand-ins that hold the demo's publications.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import queryscape as qs
from dashboard import welcome
from data.demo.knowledge import DEMO_BASE
from data.demo.loading import bring_demo, first_topic
from data.demo.publications import DEMO_COLLECTION
from data.explore.workspace import Workspace
from tests.browser.played_sources import played
from tests.browser.servers import Server, serving
from tests.browser.truth import BATTERY
from tests.browser.visitors import Visitors

SIZE = {"width": 1280, "height": 860}
GUIDE_SIZE = {"width": 1440, "height": 1000}
VERSION = "review"
QUALITY = 80
FIRST = "batter* AND (ageing OR degradation)"
BETTER = '(batter* OR "lithium ion") AND (ageing OR aging OR degradation OR "capacity fade")'
GUIDE: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "versions.webp": ("versions", {"topic": BATTERY, "versions": ["v5", "v6"]}),
    "retrievers.webp": ("retrievers", {}),
    "knowledge.webp": ("knowledge", {"knowledge": DEMO_BASE}),
    "audit.webp": ("audit", {"topic": BATTERY, "version": "v6"}),
    "judge.webp": ("judge", {"judge": "Queries"}),
    "sources.webp": ("sources", {"topic": BATTERY}),
    "writer.webp": ("writer", {"topic": BATTERY}),
}
"""The address of each page, and what its link says."""
TYPED = {"sources.webp": ("Search string", BETTER)}
"""A field of the page, and what is typed into it."""
OPENED = {
    "knowledge.webp": ("Rain gardens as green infrastructure",),
    "sources.webp": ("Preview",),
    "writer.webp": ("Write with corpus statistics and the demo model", "Open in Sort"),
}
"""What is clicked, one after another, before a picture is taken."""
LONG_MS = 120_000
SETTLED_MS = 15_000
N_MADE_UP, ANSWER_SECONDS = 1_500, 0.1
PICTURES = Path(welcome.__file__).parent / "guide" / "pictures"
DRAG = (0.3, 0.37, 0.44, 0.51, 0.58, 0.65, 0.72, 0.65, 0.51, 0.37)
"""Places of the pointer on the slider, one for each frame of the animation."""
FRAME_MS = 800
FRAME_SIZE = (1080, 750)
NOTEBOOK_SIZE = {"width": 1000, "height": 850}


def webp(page: Page) -> bytes:
    """What is visible of the page, without the sidebar, as a small file."""
    box = page.get_by_test_id("stMainBlockContainer").bounding_box()
    assert box is not None
    return _captured(page, {**box, "y": 0, "height": SIZE["height"], "scale": 1})


def _captured(page: Page, clip: Mapping[str, float]) -> bytes:
    session = page.context.new_cdp_session(page)
    told = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY, "clip": dict(clip)})
    return b64decode(told["data"])


def _fill(data_dir: Path) -> None:
    with Workspace.open(data_dir) as workspace:
        bring_demo(workspace)
        workspace.run_query(BATTERY, FIRST, parent="baseline")
        workspace.run_query(BATTERY, BETTER, parent="v5")
    both = ["--collection", DEMO_COLLECTION, "--retrievers", "bm25", "dense:lsa"]
    for command in (["benchmark", *both], ["judge", *both, "--model", "demo", "--k", "5"]):
        environment = {**os.environ, "QUERYSCAPE_DATA_DIR": str(data_dir)}
        subprocess.run([sys.executable, "-m", "dashboard", *command], check=True, env=environment)


def _take_start(server: Server, visitors: Visitors) -> None:
    for theme, name in welcome.PICTURES.items():
        explore = visitors.open(server, first_topic().topic_id, VERSION, color_scheme=theme, size=SIZE)
        explore.page.wait_for_timeout(SETTLED_MS)
        Path(welcome.__file__).with_name(name).write_bytes(webp(explore.page))


def _take_guide(server: Server, visitors: Visitors) -> None:
    for name, (address, link) in GUIDE.items():
        page = visitors.enter(server, path=address, size=GUIDE_SIZE, link=link, color_scheme="light").page
        page.wait_for_timeout(SETTLED_MS)
        if name in TYPED:
            field, text = TYPED[name]
            page.get_by_role("textbox", name=field).fill(text)
        for opened in OPENED.get(name, ()):
            page.get_by_text(opened).first.click(timeout=LONG_MS)
            page.wait_for_timeout(SETTLED_MS)
        (PICTURES / name).write_bytes(_captured(page, {"x": 0, "y": 0, **GUIDE_SIZE, "scale": 1}))
    _forgive(visitors)


def _take_threshold(server: Server, visitors: Visitors) -> None:
    """Drag the threshold on the Workbench, and write each step as a frame of one animation."""
    explore = visitors.open(server, BATTERY, "v6", color_scheme="light", size=GUIDE_SIZE)
    explore.page.wait_for_timeout(SETTLED_MS)
    mouse, frames = explore.page.mouse, []
    mouse.move(*explore.grip(DRAG[0]))
    mouse.down()
    for along in DRAG:
        mouse.move(*explore.grip(along), steps=5)
        explore.page.wait_for_timeout(FRAME_MS)
        shot = _captured(explore.page, {"x": 0, "y": 0, **GUIDE_SIZE, "scale": 1})
        frames.append(Image.open(io.BytesIO(shot)).convert("RGB").resize(FRAME_SIZE, Image.Resampling.LANCZOS))
    mouse.up()
    first, *others = frames
    first.save(
        PICTURES / "threshold.webp", save_all=True, append_images=others, duration=700, loop=0, quality=60, method=6
    )
    _forgive(visitors)


def _take_notebook(browser: Browser, folder: Path) -> None:
    """What the README's example shows in a notebook: the table of scores, and the landscape."""
    with qs.open(folder) as workspace:
        result = workspace.topics()[0].evaluate(VERSION, embedder="lsa", intervals=True)
        landscape = result.landscape().to_html(include_plotlyjs=True, full_html=False)
        page = browser.new_page(viewport=NOTEBOOK_SIZE, color_scheme="light")
        page.set_content(f"<body style='font-family:sans-serif'>{result._repr_html_()}{landscape}</body>")
    page.wait_for_timeout(FRAME_MS)
    (PICTURES / "notebook.webp").write_bytes(_captured(page, {"x": 0, "y": 0, **NOTEBOOK_SIZE, "scale": 1}))
    page.close()


def _forgive(visitors: Visitors) -> None:
    # Opened by the address of a page, Streamlit asks beneath it where its server is, and takes a 404 for a no.
    visitors.watch.errors[:] = [error for error in visitors.watch.errors if "/_stcore/" not in error]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        data_dir = Path(folder) / "workspace"
        _fill(data_dir)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        with (
            played(data_dir, n=N_MADE_UP, seconds=ANSWER_SECONDS) as environment,
            serving(data_dir, Path(folder) / "log", {**environment, "QUERYSCAPE_OFFLINE": ""}) as server,
            Visitors(browser) as visitors,
        ):
            _take_threshold(server, visitors)
            _take_guide(server, visitors)
            _take_start(server, visitors)
        _take_notebook(browser, data_dir)
        browser.close()


if __name__ == "__main__":
    main()
