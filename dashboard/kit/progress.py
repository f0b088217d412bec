"""Progress of a command on standard error: a bar on a terminal, lines in a log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

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

from dashboard.kit.output import notes, say

Report = Callable[[int, int], None]
SECONDS_BETWEEN_LINES = 5.0


def _bar(console: Console) -> Progress:
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
    task = bar.add_task(what, total=None, rate="")

    def report(done: int, total: int) -> None:
        row = next((t for t in bar.tasks if t.id == task), None)
        if row is not None and row.total is None:  # what was done before does not count for the rate
            bar.reset(task, completed=done, total=total, rate="")
            return
        speed = row.speed if row is not None else None
        bar.update(task, completed=done, total=total, rate=f"{speed:,.1f}/s" if speed else "")

    return report


@contextmanager
def progress(what: str) -> Iterator[Report]:
    """Show a bar on standard error with count, rate and time left; pass the yielded function to the work."""
    console = notes()
    if not console.is_interactive:  # a bar can't be redrawn in a log file
        yield _lines(what)
        return
    with _bar(console) as bar:
        yield _reporter(bar, what)


def _lines(what: str) -> Report:
    last = time.monotonic()
    first: tuple[float, int] | None = None

    def report(done: int, total: int) -> None:
        nonlocal last, first
        now = time.monotonic()
        first = first or (now, done)  # the first report ends the preparation, which does not count for the rate
        if now - last < SECONDS_BETWEEN_LINES or done <= first[1]:
            return
        last, rate = now, (done - first[1]) / (now - first[0])
        say(f"{what}: {done:,} of {total:,} ({rate:,.1f}/s, {(total - done) / rate:,.0f} s left)")

    return report


@contextmanager
def _late_lines(what: str) -> Iterator[Callable[[str], Report]]:
    """Print stages as lines, for logs: only those that take a while."""
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
    """Show a bar for work in stages: the yielded function starts a stage and returns its progress callback."""
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
