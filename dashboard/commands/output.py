"""What every command shares: where results and progress go, and how a mistake ends."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Timer
from typing import Any

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from core.judging.agreement import Interval
from core.types import Ids

NONE = "–"
Report = Callable[[int, int], None]
SECONDS_BETWEEN_LINES = 5.0
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def results() -> Console:
    """Standard output. Nothing but results goes there."""
    wide = None if sys.stdout.isatty() else int(os.environ.get("COLUMNS", "") or 140)
    return Console(file=sys.stdout, highlight=False, width=wide)


def notes() -> Console:
    """Standard error: progress, warnings, hints."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(document: dict[str, Any]) -> None:
    """One JSON document on standard output; what is not a number is null."""
    only_ascii = not (sys.stdout.encoding or "").lower().startswith("utf")
    click.echo(json.dumps(_plain(document), ensure_ascii=only_ascii, indent=2, allow_nan=False))


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value


def shown(text: str, style: str = "") -> Text:
    """Text as it is, never markup; what would steer the terminal becomes a visible sign."""
    return Text(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", text), style=style)


def say(text: str, style: str = "") -> None:
    """One line on standard error."""
    notes().print(shown(text, style))


def warn(warnings: Sequence[str]) -> None:
    """Warnings stand beside the result, never inside it."""
    for warning in warnings:
        say(f"Note: {warning}.", "yellow")


def _bar(console: Console) -> Progress:
    """A bar with count, rate, time so far and time left."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True)


def _reporter(bar: Progress, what: str) -> Report:
    """A line of the bar, and what moves it."""
    task = bar.add_task(what, total=None, rate="")

    def report(done: int, total: int) -> None:
        row = next((t for t in bar.tasks if t.id == task), None)
        if row is not None and row.total is None:  # what was there before says nothing about the rate
            bar.reset(task, completed=done, total=total, rate="")
            return
        speed = row.speed if row is not None else None
        bar.update(task, completed=done, total=total, rate=f"{speed:,.1f}/s" if speed else "")

    return report


@contextmanager
def progress(what: str) -> Iterator[Report]:
    """A bar on standard error with count, rate and time left; hand the yielded function to whoever does the work."""
    console = notes()
    if not console.is_interactive:  # a bar can't be redrawn in a log file
        yield _lines(what)
        return
    with _bar(console) as bar:
        yield _reporter(bar, what)


def _lines(what: str) -> Report:
    """Progress as a line every few seconds, for logs."""
    last = time.monotonic()
    first: tuple[float, int] | None = None

    def report(done: int, total: int) -> None:
        nonlocal last, first
        now = time.monotonic()
        first = first or (now, done)  # what came before it was getting ready, and says nothing about the rate
        if now - last < SECONDS_BETWEEN_LINES or done <= first[1]:
            return
        last, rate = now, (done - first[1]) / (now - first[0])
        say(f"{what}: {done:,} of {total:,} ({rate:,.1f}/s, {(total - done) / rate:,.0f} s left)")

    return report


@contextmanager
def _late_lines(what: str) -> Iterator[Callable[[str], Report]]:
    """Stages as lines, for logs: only those that take a while."""
    timers: list[Timer] = []

    def on_stage(stage: str) -> Report:
        for timer in timers:
            timer.cancel()
        timers.append(Timer(SECONDS_BETWEEN_LINES, say, [f"{what}: {stage}"]))
        timers[-1].daemon = True
        timers[-1].start()
        return _lines(f"{what}: {stage}")

    try:
        yield on_stage
    finally:
        for timer in timers:
            timer.cancel()


@contextmanager
def waiting(what: str) -> Iterator[Callable[[str], Report]]:
    """A bar for work in stages: the yielded function names one, and gives back what moves the bar."""
    console = notes()
    if not console.is_interactive:
        with _late_lines(what) as on_stage:
            yield on_stage
        return
    with _bar(console) as bar:
        _reporter(bar, what)

        def on_stage(stage: str) -> Report:
            for task in bar.task_ids:
                bar.remove_task(task)
            return _reporter(bar, stage.capitalize())  # leaves room for the bar

        yield on_stage


def table(title: str, *columns: str, right: Sequence[int] = ()) -> Table:
    """A plain table; `right` names the columns of numbers."""
    out = Table(title=shown(title), title_justify="left", title_style="bold", box=None, pad_edge=False)
    for position, name in enumerate(columns):
        out.add_column(shown(name), justify="right" if position in right else "left", header_style="dim")
    return out


def row(out: Table, *cells: str | Text) -> None:
    """Add cells: text of a publication or a topic is never markup."""
    out.add_row(*(cell if isinstance(cell, Text) else shown(cell.replace("\n", " ")) for cell in cells))


def number(value: float | None, style: str = "") -> Text:
    """Three significant digits, or a dash."""
    if value is None:
        return Text(NONE)
    text = f"{value:.3f}" if abs(value) >= 0.1 or value == 0 else f"{value:#.3g}"
    return Text(text, style=style)


def interval(pair: Interval | None) -> str:
    """Both ends, or a dash."""
    return f"{pair.low:.3f} to {pair.high:.3f}" if pair else NONE


def few(ids: Ids, n: int = 5) -> str:
    """The first of several ids, and how many more there are."""
    more = f", and {len(ids) - n} more" if len(ids) > n else ""
    return ", ".join(ids[:n]) + more if ids else "none"
