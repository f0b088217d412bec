"""How soon a lab follows the hand: its bench computed here, a move until it is shown in Chromium, and a switch.

    python -m tests.browser.bench_labs --folder FOLDER

FOLDER takes the server's log. Run it on an otherwise idle machine.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from playwright.sync_api import Page, sync_playwright

from core.protocols import silent
from dashboard import cache
from dashboard.explore.labs import LABS
from dashboard.explore.labs.bench import Lab, LabChoice, Slider, lab_document, read_values
from tests.browser.pages import PATIENCE_MS
from tests.browser.servers import Server, serving
from tests.browser.visitors import HINTS_CLOSED

N_STEPS = 12
N_MOVES = 24
PAUSE_MS = 300
UNTIL_SHOWN = """([root, slider]) => new Promise((done, fail) => {
  setTimeout(() => fail(new Error("nothing changed")), 20000);
  const step = Number(slider.step) || (slider.max - slider.min) / 50;
  const back = Number(slider.value) + step > Number(slider.max) || slider.dataset.back;
  if (Number(slider.value) - step < Number(slider.min)) delete slider.dataset.back;
  else if (back) slider.dataset.back = "1";
  const start = performance.now();
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  }).observe(root, { attributes: true, attributeFilter: ["data-echo"] });
  slider.value = Number(slider.value) + (slider.dataset.back ? -step : step);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})"""


SWITCH = """async ([root, lab]) => {
  const link = [...root.querySelectorAll(".lab-names a")].find(({ search }) => search === `?lab=${lab}`);
  const start = performance.now();
  link.click();
  const drawn = performance.now() - start;
  if (root.dataset.lab !== lab) throw new Error(`${lab} is not drawn`);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return drawn;
}"""


def compute_ms(lab: Lab, material: Any) -> list[float]:
    """Milliseconds from where the controls stand to the text that is sent: every control over its whole range."""
    controls = lab.controls(material)
    times: list[float] = []
    for control in controls:
        for value in _range_of(control):
            start = perf_counter()
            values = read_values(controls, {control.name: value})
            document = lab_document(lab, controls, values, lab.bench(material, values), [])
            json.dumps(document)
            times.append((perf_counter() - start) * 1e3)
    return times


def _range_of(control: Slider | LabChoice) -> Sequence[float | str]:
    if isinstance(control, LabChoice):
        return [value for value, _ in control.options]
    return [control.min + (control.max - control.min) * step / N_STEPS for step in range(N_STEPS + 1)]


def shown_ms(page: Page, server: Server, lab_id: str) -> list[float]:
    """Milliseconds from a move of the first slider until its answer is on screen."""
    page.goto(f"{server.url}/labs?lab={lab_id}")
    root = page.locator(".queryscape.lab[data-state=shown]")
    root.wait_for()
    slider = root.locator("input[type=range]").first.element_handle()
    times = []
    for _ in range(N_MOVES):
        page.wait_for_timeout(PAUSE_MS)
        times.append(float(page.evaluate(UNTIL_SHOWN, [root.element_handle(), slider])))
    return times


def switched_ms(page: Page, server: Server) -> dict[str, list[float]]:
    """Milliseconds that drawing another lab takes in the browser, by lab; the next frame shows it."""
    page.goto(f"{server.url}/labs")
    root = page.locator(".queryscape.lab[data-state=shown]")
    root.wait_for()
    times: dict[str, list[float]] = {lab: [] for lab in LABS}
    for _ in range(N_MOVES):
        for lab in (*LABS, next(iter(LABS)))[1:]:
            times[lab].append(float(page.evaluate(SWITCH, [root.element_handle(), lab])))
    return times


def _words(times: Sequence[float]) -> str:
    return f"{median(times):.0f} | {quantiles(times, n=20)[18]:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    columns = ("computed, ms: median", "95 %", "shown, ms: median", "95 %", "switched to, ms: median", "95 %")
    print(f"| lab | {' | '.join(columns)} |\n|{'---|' * (1 + len(columns))}")
    with serving(folder / "empty", folder / "server.log") as server, sync_playwright() as playwright:
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.set_default_timeout(5 * PATIENCE_MS)
        context.add_init_script(HINTS_CLOSED)
        page = context.new_page()
        switched = switched_ms(page, server)
        for lab_id, lab in LABS.items():
            shown = shown_ms(page, server, lab_id)
            make = lab.material
            material = make(cache.workspace(), lambda key, title, work: work(silent)) if make else None
            parts = (compute_ms(lab, material), shown, switched[lab_id])
            print(f"| {lab_id} | {' | '.join(map(_words, parts))} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
