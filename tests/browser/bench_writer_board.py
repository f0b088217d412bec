"""How soon string, scores and landscape follow a move on the board, at 17,573 publications, in headless Chromium.

    python -m tests.browser.bench_writer_board --folder FOLDER

FOLDER keeps the topic, which takes a minute to build the first time. Run it on an otherwise idle machine.
"""

from __future__ import annotations

import argparse
import random
import shutil
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import Page, expect, sync_playwright

from core.query.match import rows_of
from core.settings import ProjectionSettings
from core.writer.keyword_effects import SheetEvaluator
from core.writer.sheets import Sheet, text_of
from data.explore.desk import set_up
from data.explore.workspace import Workspace
from tests.benchmarks.bench_query_matching import publications
from tests.benchmarks.bench_writer import N_CORE, N_KEYWORDS, N, keywords, sheet_of
from tests.benchmarks.clustered import clustered_unit_vectors
from tests.benchmarks.workspace import EMBEDDER, TOPIC
from tests.browser.pages import PATIENCE_MS, Explore
from tests.browser.servers import Server, serving
from tests.browser.visitors import HINTS_CLOSED
from tests.browser.writer_board_page import BoardPage

WIDTH = 64
N_MOVES = 24
CHROMIUM = shutil.which("chromium")
UNTIL_SHOWN = """([board, row, key]) => new Promise((done, fail) => {
  setTimeout(() => fail(new Error("nothing changed")), 20000);
  const parts = [".board-string", ".board-scores", ".map-legend"];
  const looks = () => parts.map((part) => board.querySelector(part).textContent);
  row.focus();
  const [start, before] = [performance.now(), looks()];
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const ms = performance.now() - start;
      done({ ms, changed: looks().filter((look, at) => look !== before[at]).length });
    }));
  }).observe(board, { attributes: true, attributeFilter: ["data-seq"] });
  row.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
})"""


def all_in_string() -> Sheet:
    """Sixty keywords, none of them aside."""
    sheet = sheet_of(keywords(N_KEYWORDS))
    return replace(sheet, specific=(*sheet.specific, *sheet.aside), aside=())


def topic(folder: Path) -> Path:
    """A workspace with the topic, made once."""
    root = folder / "writer-17573"
    if (root / "ready").exists():
        return root
    corpus, sheet = publications()[:N], all_in_string()
    ids = tuple(p.publication_id for p in corpus)
    with Workspace.open(root) as workspace:
        with workspace.store.transaction():
            workspace.store.save_publications(corpus)
            workspace.save_topic(TOPIC, ids[:1], [], corpus_ids=ids)
        np.savez(folder / "vectors.npz", ids=np.array(ids), vectors=clustered_unit_vectors(N, WIDTH))
        workspace.add_vectors(folder / "vectors.npz", EMBEDDER)
        (folder / "vectors.npz").unlink()
        desk = set_up(workspace, TOPIC, EMBEDDER)
        found = [ids[row] for row in rows_of(SheetEvaluator(desk.corpus, "literal", desk.stakes).retrieved(sheet))]
        rng, half = random.Random(3), N_CORE // 2
        core = (*rng.sample(found, half), *rng.sample(sorted(set(ids) - set(found)), N_CORE - half))
        with workspace.store.transaction():
            workspace.save_topic(TOPIC, core, [], corpus_ids=ids)
        workspace.project(TOPIC, EMBEDDER, settings=ProjectionSettings(method="pca"))
        made = workspace.run_query(TOPIC, text_of(sheet).text, dialect="plain", origin="review")
        (root / "label").write_text(made.version.label)
    (root / "ready").touch()
    return root


def measure(page: Page, server: Server) -> None:
    """Prints one line per figure."""
    label = (server.data_dir / "label").read_text()
    page.goto(f"{server.url}/?{urlencode({'topic': TOPIC, 'version': label, 'embedder': EMBEDDER})}")
    board = BoardPage.of(Explore(page))
    board.take_apart(label)
    rows = page.locator(".kw")
    expect(rows).to_have_count(N_KEYWORDS, timeout=PATIENCE_MS)
    root = page.locator(".queryscape.writer_board").element_handle()
    moved: list[float] = []
    n_changed = 0
    for place in range(N_MOVES):
        row = page.locator(".kw[data-list=specific]").nth(place % 8)
        key = "gax"[place % 3]
        said = page.evaluate(UNTIL_SHOWN, [root, row.element_handle(), key])
        moved.append(float(said["ms"]))
        n_changed += said["changed"] == 3
        page.wait_for_timeout(250)
        board.press("Undo")
        expect(board.status).to_contain_text("Undone")
        page.wait_for_timeout(250)
    nines = quantiles(moved, n=20)[18]
    print(f"{len(moved)} moves ({n_changed} of which changed string, scores and landscape), on screen:")
    print(f"median {median(moved):.0f} ms, 95 % within {nines:.0f} ms (aim 300)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with serving(topic(folder), folder / "server.log") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(HINTS_CLOSED)
        measure(context.new_page(), server)
        browser.close()


if __name__ == "__main__":
    main()
