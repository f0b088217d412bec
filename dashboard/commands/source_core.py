"""`source core`: whether a source has each core publication, and if it has, why the string misses it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from core.errors import InputError
from core.query.reading.parser import parse
from core.query.tree import DialectId
from core.sources.core_counts import VERDICTS
from core.sources.sending.saying import Choices, Prepared, SourceId
from core.sources.sending.splitting import clauses
from dashboard.commands import options
from dashboard.commands.output import print_json, results, row, shown, table, waiting, warn
from dashboard.commands.source_what import (
    choices_options,
    file_option,
    one_source,
    read_choices,
    read_text,
    source_option,
    version_option,
)
from data.sources.fetching.journal import LiveRun, brought_ids, find_live_run
from data.sources.looking.core_lookup import (
    MOST_CALLS,
    Lookup,
    look_up,
    remember_lookup,
    remembered_lookup,
    wanted_core,
)
from data.sources.opening import ABOUT, open_source
from data.workspace import Workspace


@click.command("core")
@click.argument("text", required=False, metavar="[RUN|TEXT]")
@file_option
@version_option
@click.option("--topic", default=None, help="Whose core publications; without RUN.")
@source_option
@click.option(
    "--most-calls", type=click.IntRange(0), default=MOST_CALLS, show_default=True, help="Counts to ask for at most."
)
@choices_options
@options.data_dir
@options.as_json
def core_command(
    text: str | None,
    file: Path | None,
    label: str | None,
    topic: str | None,
    source_id: str | None,
    most_calls: int,
    data_dir: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Look for the core publications in the source itself: not indexed there, or indexed and missed by the string.

    With the id of a run: its source, its text and what it brought. Else --topic, --source and a text.
    """
    choices = read_choices(given)
    with Workspace.open(data_dir) as workspace, waiting("Looking for core publications") as on_stage:
        run = None
        if source_id is None and topic is None:
            run = _run(workspace, text, file, label)
            topic, asked_of = run.topic_id, run.source
            source = open_source(asked_of, store=workspace.store)
            prepared, whole, dialect, choices = run.prepared, run.text, run.prepared.dialect, run.prepared.choices
        else:
            asked_of = one_source(source_id)
            if topic is None:
                raise InputError("say whose core publications: --topic T")
            read = read_text(workspace, text, file, label, topic, given["dialect"])
            source = open_source(asked_of, store=workspace.store)
            prepared = source.prepare(parse(read.text, read.dialect), choices)
            whole, dialect = read.text, prepared.dialect
        wanted, run_id = wanted_core(workspace, topic), None if run is None else run.run_id
        keep = partial(remember_lookup, workspace, topic, prepared, run_id)
        found = look_up(
            source,
            wanted,
            prepared,
            _parts(whole, dialect, asked_of, choices, source),
            None if run is None else brought_ids(workspace, run),
            most_calls=most_calls,
            on_progress=on_stage(f"asking {ABOUT[asked_of].label}"),
            known=remembered_lookup(workspace, topic, prepared, run_id),
            keep=keep,
        )
        keep(found)
    if as_json:
        print_json(_document(topic, prepared, found, run))
    else:
        _print_core(topic, asked_of, found)


def _run(workspace: Workspace, text: str | None, file: Path | None, label: str | None) -> LiveRun:
    if text is None or file is not None or label is not None:
        raise InputError("give the id of a run (source runs lists them), or --topic T --source S and a text")
    return find_live_run(workspace.store, text)


def _parts(text: str, dialect: DialectId, source_id: SourceId, choices: Choices, source: Any) -> Any:
    """No part is longer than the source takes."""
    return clauses(parse(text, dialect), source_id, choices, getattr(source, "room", None))


def _document(topic: str, prepared: Prepared, found: Lookup, run: LiveRun | None) -> dict[str, Any]:
    return {
        "topic": topic,
        "source": prepared.source,
        "run_id": None if run is None else run.run_id,
        "text": prepared.text,
        "n": len(found.items),
        "verdicts": {verdict: found.n(verdict) for verdict in VERDICTS},
        **found.as_document(),
    }


def _print_core(topic: str, source_id: SourceId, found: Lookup) -> None:
    out = results()
    label = ABOUT[source_id].label
    grid = table(f"{topic}: core publications in {label}", "Publication", "Verdict", "Title", "Why")
    for item in sorted(found.items, key=lambda item: VERDICTS.index(item.verdict)):
        row(grid, item.wanted.publication_id, item.verdict, item.wanted.title or "–", item.sentence)
    out.print(grid)
    counts = ", ".join(f"{found.n(verdict):,} {verdict}" for verdict in VERDICTS if found.n(verdict))
    out.print(
        shown(f"{len(found.items):,} core publications: {counts or 'none'}. {found.n_calls:,} counts were asked.")
    )
    if found.is_cut:
        why = found.problem or "not everything was asked (--most-calls allows more)"
        warn([f"{why.rstrip('.')}; the same command goes on with the rest"])
