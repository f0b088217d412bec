"""The browser code that esbuild made of dashboard/browser. After a change there: `npm run build` in that folder."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def browser_code() -> str:
    """Return the code of every part, with its style."""
    return _built("main.js")


def report_code() -> str:
    """Return the code of a report that opens without Queryscape: the parts of a landscape, without Python to ask."""
    return _built("report.js")


def stub_code() -> str:
    """Return the short code that a part is mounted with. Streamlit sends it with every change of the part's data."""
    return _built("stub.js")


@cache
def _built(name: str) -> str:
    return files("dashboard").joinpath("browser", "dist", name).read_text(encoding="utf-8")
