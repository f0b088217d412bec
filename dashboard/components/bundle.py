"""The browser modules as one string: Streamlit takes a component's code inline, and there is no build step."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

BROWSER = Path(__file__).parents[1] / "browser"
ENTRY = "main.js"
REPORT_ENTRY = "report.js"
REPORT_STYLES = ("landscape/landscape.css", "landscape/parts.css", "report.css")
"""The rules of those parts that a report has."""
_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[\w./-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)

STUB = """export default (part) => {
  if (globalThis.queryscape) return globalThis.queryscape.mount(part);
  let leave, left = false;
  (globalThis.queryscapeReady ??= []).push(() => { if (!left) leave = globalThis.queryscape.mount(part); });
  return () => { left = true; leave?.(); };
};
"""
"""What a part is mounted with. Streamlit sends a component's code with every change of its data, so it is short."""


@cache
def browser_code() -> str:
    """What the app is sent: every module of its own once, those that others need first, without imports and exports."""
    return _bundle(ENTRY, sorted(str(path) for path in BROWSER.glob("*/*.css")))


@cache
def report_code() -> str:
    """The same for a report that opens without Queryscape: what a landscape needs, and a way in that asks nobody."""
    return _bundle(REPORT_ENTRY, REPORT_STYLES)


def _bundle(entry: str, styles: Iterable[str]) -> str:
    written: dict[Path, str] = {}
    _add(BROWSER / entry, written)
    style = "\n".join((BROWSER / name).read_text(encoding="utf-8") for name in styles)
    return f"const STYLE = {_literal(style)};\n" + "\n".join(written.values())


def _add(path: Path, written: dict[Path, str]) -> None:
    if path in written:
        return
    source = path.read_text(encoding="utf-8")
    for needed in _IMPORT.findall(source):
        _add((path.parent / needed).resolve(), written)
    written[path] = _EXPORT.sub("", _IMPORT.sub("", source))


def _literal(text: str) -> str:
    """A JavaScript string of many lines."""
    return "`" + text.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${") + "`"
