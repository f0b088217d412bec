"""The plain way, to compare with: a Plotly scatter that is sent anew whenever Streamlit's slider moves."""

from __future__ import annotations

import shutil
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from tests.browser.servers import serving_script

N_MOVES = 5
HERE = Path(__file__).parent
# Plotly draws in its own time: the picture is there when the chart that names this threshold has been plotted.
AWAIT = """
() => {
  const title = () => document.querySelector(".js-plotly-plot .gtitle")?.textContent ?? "";
  const before = title();
  let from = 0;
  document.addEventListener("keydown", (event) => (from = event.timeStamp), { capture: true, once: true });
  globalThis.moved = (async () => {
    while (title() === before) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - from;
  })();
}
"""


def plain_seconds(browser: Browser, folder: Path, n: int) -> float:
    """Median time from a key on the slider to the new picture."""
    script = folder / "plain_page.py"
    shutil.copy(HERE / "plain_page.py", script)
    with serving_script(script, folder / "log-plain", {"N_POINTS": str(n)}) as url:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        page.goto(url)
        page.locator(".js-plotly-plot .gtitle").wait_for()
        page.get_by_role("slider").focus()
        seconds = []
        for _ in range(N_MOVES):
            page.wait_for_timeout(3_000)
            page.evaluate(AWAIT)
            page.keyboard.press("ArrowRight")
            seconds.append(float(page.evaluate("moved")) / 1e3)
        page.close()
    return median(seconds)
