"""Results on standard output, notes on standard error: text, tables, numbers and JSON documents."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from core.stats import Interval
from core.types import Ids
from dashboard.kit.options import QUIET_VARIABLE

NONE = "–"
_TRAILING = re.compile(r"(?: |\x1b\[[0-9;]*m)+$", re.MULTILINE)
"""Blanks at the end of a line, and the styles around them."""
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


UNLIMITED = 100_000
"""Columns of an output that is no terminal, where lines are not wrapped."""


class ResultConsole(Console):
    """A console without trailing blanks; the title of a table may be longer than its rows."""

    def print(self, *objects: Any, **options: Any) -> None:
        with self.capture() as printed:
            for each in objects:
                if isinstance(each, Table) and each.title:
                    super().print(each.title, style=each.title_style, **options)
                    each.title = None
            super().print(*objects, **options)
        self.file.write(_TRAILING.sub(lambda found: found[0].replace(" ", ""), printed.get()))


def results() -> Console:
    """Return standard output. Only results go there."""
    wide = None if sys.stdout.isatty() else int(os.environ.get("COLUMNS", "") or UNLIMITED)
    return ResultConsole(file=sys.stdout, highlight=False, width=wide)


def notes(*, always: bool = False) -> Console:
    """Return standard error: progress, warnings, hints."""
    quiet = bool(os.environ.get(QUIET_VARIABLE)) and not always
    return Console(stderr=True, highlight=False, soft_wrap=True, quiet=quiet)


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON document on standard output; NaN and infinity become null."""
    click.echo(json_text(document))


def json_text(document: dict[str, Any]) -> str:
    only_ascii = not (sys.stdout.encoding or "").lower().startswith("utf")
    return json.dumps(plain_json(document), ensure_ascii=only_ascii, indent=2, allow_nan=False)


def plain_json(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(k): plain_json(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(v) for v in value]
    return value


def shown(text: str, style: str = "") -> Text:
    """Return text without reading markup; control characters become a visible sign."""
    return Text(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", text), style=style)


def say(text: str, style: str = "", *, always: bool = False) -> None:
    """Print one line on standard error; with --quiet only what is printed always."""
    notes(always=always).print(shown(text, style))


def tell(text: str = "", style: str = "", *, soft_wrap: bool = False) -> None:
    """Print a line of the result on standard output. `soft_wrap`: leave long lines to the terminal."""
    results().print(shown(text, style), soft_wrap=soft_wrap)


def warn(warnings: Sequence[str]) -> None:
    """Print warnings on standard error, never within the result."""
    for warning in warnings:
        say(f"Note: {warning}.", "yellow", always=True)


def table(title: str, *columns: str, right: Sequence[int] = ()) -> Table:
    """Create a plain table; `right` lists the columns of numbers."""
    out = Table(title=shown(title), title_justify="left", title_style="bold", box=None, pad_edge=False)
    for position, name in enumerate(columns):
        out.add_column(shown(name), justify="right" if position in right else "left", header_style="dim")
    return out


def row(out: Table, *cells: str | Text) -> None:
    """Add a row: text of a publication or a topic is never markup."""
    out.add_row(*(cell if isinstance(cell, Text) else shown(cell.replace("\n", " ")) for cell in cells))


def number(value: float | None, style: str = "") -> Text:
    """Format a number with three significant digits, or a dash."""
    if value is None:
        return Text(NONE)
    text = f"{value:.3f}" if abs(value) >= 0.1 or value == 0 else f"{value:#.3g}"
    return Text(text, style=style)


def interval(pair: Interval | None) -> str:
    """Format both ends, or a dash."""
    return f"{pair.low:.3f} to {pair.high:.3f}" if pair else NONE


def few(ids: Ids, n: int = 5) -> str:
    """List the first ids, and count the rest."""
    more = f", and {len(ids) - n} more" if len(ids) > n else ""
    return ", ".join(ids[:n]) + more if ids else "none"
