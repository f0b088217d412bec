"""Options, search string input and output shared by all commands."""

from __future__ import annotations

import codecs
import json
import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any, TypeVar, get_args

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

from core.errors import FileError, InputError, SettingsError
from core.explore.regions import DEFAULT_REGIONS, REGIONS
from core.query.parser import parse
from core.query.translation import SearchDocument, looks_like_document, read_documents
from core.query.tree import DialectId, ParsedQuery
from core.settings import Compat, CosineMode, EvaluationSettings
from core.stats import Interval
from core.types import Ids, RegionKind
from data.lookup import version_with_text
from data.query.search import dialect_of
from data.store import Store

# Options that several commands share. Settings are flags named like their fields.

Command = TypeVar("Command", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
data_dir = click.option(
    "--data-dir",
    type=click.Path(path_type=Path),
    default=None,
    help="Folder of the workspace. [default: QUERYSCAPE_DATA_DIR, else data/local]",
)
topic = click.option("--topic", required=True, help="The topic's name.")
embedder = click.option("--embedder", default=None, help="Whose vectors to use. [default: the only one there is]")
regions = click.option(
    "--regions",
    default=",".join(DEFAULT_REGIONS),
    show_default=True,
    help=f"Which regions, separated by commas: {', '.join(REGIONS)}.",
)

_SETTINGS = (
    click.option(
        "--cosine-mode", type=click.Choice(get_args(CosineMode)), help="How the similarity threshold is found."
    ),
    click.option("--min-similarity", type=float, help="Similarity threshold; implies --cosine-mode fixed."),
    click.option("--quantile", type=float, help="Share of the core that may fall outside; implies mode quantile."),
    click.option("--min-core-share", type=float, help="Share of the found core that a cluster must hold more than."),
    click.option("--max-k", type=int, help="Most clusters that are tried."),
    click.option("--decay-limit", type=float, help="Number of relevant publications at which the decay is 0."),
    click.option("--decay-onset", type=float, help="How late the decay sets in."),
    click.option("--decay-steepness", type=float, help="How fast it falls."),
    click.option("--beta", type=float, help="Weight of recall in F-beta."),
    click.option("--seed", type=int, help="Every random choice comes from here."),
    click.option("--compat", type=click.Choice(get_args(Compat)), help="The published code's choices, to reproduce."),
)


def settings(command: Command) -> Command:
    """Every evaluation setting as a flag."""
    for option in reversed(_SETTINGS):
        command = option(command)
    return command


def read_settings(flags: dict[str, Any]) -> EvaluationSettings:
    """Settings from flags; a threshold that is given says which mode it belongs to."""
    given = {name: value for name, value in flags.items() if value is not None}
    for name, mode in (("min_similarity", "fixed"), ("quantile", "quantile")):
        if name in given and given.setdefault("cosine_mode", mode) != mode:
            flag = name.replace("_", "-")
            raise SettingsError(f"--{flag} belongs to --cosine-mode {mode}, not {given['cosine_mode']}")
    return EvaluationSettings(**given)


def read_regions(text: str) -> tuple[RegionKind, ...]:
    """Region kinds from a list with commas, each once."""
    kinds = dict.fromkeys(part.strip() for part in text.split(",") if part.strip())
    known: dict[str, RegionKind] = {kind: kind for kind in REGIONS}
    if unknown := [kind for kind in kinds if kind not in known]:
        raise SettingsError(f"no region {', '.join(unknown)}; there are {', '.join(known)}")
    if not kinds:
        raise SettingsError(f"--regions needs at least one of {', '.join(known)}")
    return tuple(known[kind] for kind in kinds)


# What every command shares: where results and progress go, and how a mistake ends.

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


# Where a search string comes from: an argument, a text file, or a search file as other programs write it.

LARGEST_FILE = 2_000_000
"""Bytes."""


def read_query(text: str | None, file: Path | None, dialect: DialectId | None) -> ParsedQuery:
    """The query, from one of the two places. A search file is read in the dialect of its platform, unless another
    one is named."""
    if (text is None) == (file is None):
        raise InputError("give the search string as an argument, or with --file FILE")
    if file is not None:
        text = file_text(file)
    assert text is not None
    document = _document_in(text)
    if document is None:
        return parse(text, dialect)
    if document.platform and document.dialect is None and dialect is None:
        say(f'Note: the platform "{document.platform}" is not known here, so the dialect is found out from the text.')
    return document.parsed(dialect)


def version_query(store: Store, topic: str, label: str, dialect: DialectId | None) -> ParsedQuery:
    """The query of a version, read in the dialect in which it was run unless another one is named."""
    version = version_with_text(store, topic, label).version
    return parse(version.text, dialect or dialect_of(version))


def file_text(file: Path) -> str:
    """What stands in a file, whatever it is encoded in; - is the input."""
    try:
        if str(file) == "-":
            content = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with file.open("rb") as opened:
                content = opened.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as e:
        raise FileError(f"{file} can't be read ({getattr(e, 'strerror', None) or e}): check the path") from e
    if len(content) > LARGEST_FILE:
        raise FileError(f"{file} has more than {LARGEST_FILE:,} bytes: is it a search string?")
    return _decoded(content, str(file))


def _decoded(content: bytes, name: str) -> str:
    """UTF-8 as a rule; else what an editor or a spreadsheet of old writes."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace")
    if b"\x00" in content:
        raise FileError(f"{name} is no text: save the search string as a text file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _document_in(text: str) -> SearchDocument | None:
    """The first search of a JSON document; None: the text is the search itself."""
    if not looks_like_document(text):
        return None
    documents = read_documents(text)
    if len(documents) > 1:
        say(f"Note: this file holds {len(documents)} searches; this is the first.")
    return documents[0]
