"""How soon a switched term shows on the Query page, with 50,000 publications and a hundred terms, in headless Chromium.

    python -m tests.browser.bench_query_page --folder FOLDER

FOLDER keeps the topic, which takes a minute to build the first time. Run it on an otherwise idle machine.
"""

from __future__ import annotations

import argparse
import random
import shutil
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import Page, sync_playwright

from core.query.match import match, rows_of
from core.query.translation import write
from core.settings import ProjectionSettings
from data.explore.workspace import Workspace
from tests.benchmarks.bench_query_matching import N, publications, search
from tests.benchmarks.clustered import clustered_unit_vectors
from tests.benchmarks.workspace import EMBEDDER, TOPIC, Version
from tests.browser.pages import PATIENCE_MS, Explore
from tests.browser.query_page import QueryPage
from tests.browser.servers import Server, serving
from tests.browser.visitors import HINTS_CLOSED

LABEL = "review"
WIDTH = 64
N_CORE, N_FOUND, N_SWITCHES = 60, 25, 16
CHROMIUM = shutil.which("chromium")
UNTIL_SHOWN = """([shown, button]) => new Promise((done, fail) => {
  setTimeout(() => fail(new Error("nothing changed")), 20000);
  const start = performance.now();
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
  }).observe(shown, { childList: true, characterData: true, subtree: true });
  button.click();
})"""


def topic(folder: Path) -> Path:
    """A workspace with the topic, made once."""
    root = folder / "query-50000"
    if (root / "ready").exists():
        return root
    corpus, text = publications(), write(search(), "plain").text
    ids = tuple(p.publication_id for p in corpus)
    with Workspace.open(root) as workspace:
        with workspace.store.transaction():
            workspace.store.save_publications(corpus)
            workspace.save_topic(TOPIC, ids[:1], [], corpus_ids=ids)
        matched = match(search(), workspace.corpora.of(TOPIC), "literal")
        assert matched.root is not None
        order = workspace.corpora.of(TOPIC).ids
        found = [order[row] for row in rows_of(matched.root)]
        rng, rest = random.Random(3), sorted(set(ids) - set(found))
        core = (*rng.sample(found, N_FOUND), *rng.sample(rest, N_CORE - N_FOUND))
        with workspace.store.transaction():
            version = Version(LABEL, 1, text, "review", tuple(found))
            workspace.save_topic(TOPIC, core, [version], corpus_ids=ids)
        np.savez(folder / "vectors.npz", ids=np.array(ids), vectors=clustered_unit_vectors(N, WIDTH))
        workspace.add_vectors(folder / "vectors.npz", EMBEDDER)
        (folder / "vectors.npz").unlink()
        workspace.project(TOPIC, EMBEDDER, settings=ProjectionSettings(method="pca"))
    (root / "ready").touch()
    return root


def measure(page: Page, server: Server) -> None:
    """Prints one line per figure."""
    link = urlencode({"topic": TOPIC, "version": LABEL, "embedder": EMBEDDER})
    page.goto(f"{server.url}/?{link}")
    query = QueryPage.of(Explore(page))
    query.expect_number("Retrieved", "20,")
    shown = query.summary.locator("dd").first.element_handle()
    rows = [row for row in query.page.get_by_role("row").all() if row.get_by_role("switch").count()]
    telling = [row for row in rows if row.get_by_role("gridcell").nth(4).inner_text().strip() not in ("0", "–")]
    seconds: list[float] = []
    for row in telling[1 : N_SWITCHES + 1]:
        for _ in range(2):  # off and on again
            switch = row.get_by_role("switch").element_handle()
            seconds.append(float(page.evaluate(UNTIL_SHOWN, [shown, switch])))
            page.wait_for_timeout(300)
    nines = quantiles(seconds, n=20)[18]
    print(f"{len(seconds)} switches, on screen: median {median(seconds):.0f} ms, 95 % within {nines:.0f} ms (aim 250)")


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
