"""`source update`: a search once more, and what became of its publications since."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.errors import InputError, NotFoundError
from core.sources.reporting import Changes, Counted, Drift, change_words, drift
from dashboard.commands import options
from dashboard.commands.output import print_json, results, row, say, shown, table, waiting, warn
from dashboard.commands.source_run import fetched, run_document
from data.sources.fetching.journal import (
    ChangedRecord,
    LiveRun,
    changed_records,
    find_live_run,
    live_runs,
    n_new_of,
    publications_of,
)
from data.sources.fetching.running import changes_between, history, repeat
from data.sources.opening import open_source
from data.store import Store
from data.workspace import Workspace

MOST_CHANGES = 20
"""Publications of each kind that a table lists; --json has all."""


@click.command("update")
@click.argument("run_id", required=False, metavar="[RUN]")
@click.option("--version", "label", default=None, help="The run that became this version of the topic.")
@click.option("--topic", default=None, help="Of --version.")
@click.option("--most", type=click.IntRange(1), default=None, help="Publications at most. [default: as many as before]")
@click.option(
    "--as", "label_wanted", default=None, metavar="LABEL", help="The new version's. [default: source and day]"
)
@options.data_dir
@options.as_json
def update_command(
    run_id: str | None,
    label: str | None,
    topic: str | None,
    most: int | None,
    label_wanted: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Ask a source the same again, and say what is new, gone or described in another way."""
    with Workspace.open(data_dir) as workspace, waiting("Searching") as on_stage:
        earlier = run_named(workspace.store, run_id, label, topic)
        source = open_source(earlier.source, store=workspace.store)
        later = _unfinished(workspace.store, earlier, most)
        if later is None:
            later = repeat(workspace, earlier.run_id, source, most=most, label=label_wanted)
        else:
            say(f"Going on with run {later.run_id}, begun {later.made_at}.")
        later = fetched(workspace, later, source, on_stage)
        found = changes_between(workspace, earlier.run_id, later.run_id)
        records = changed_records(workspace, earlier.run_id, later.run_id, found)
        names = {**publications_of(workspace, earlier), **publications_of(workspace, later)}
        drifted = drift([Counted(run.made_at, run.total_last) for run in _finished(workspace, later)])
        n_new = n_new_of(workspace.store, later)
    if as_json:
        print_json(update_document(earlier, later, found, records, names, drifted, n_new))
        return
    _print_update(earlier, later, found, records, drifted)


def run_named(store: Store, run_id: str | None, label: str | None, topic: str | None) -> LiveRun:
    """A run by its id, or by the version that it became."""
    if (run_id is None) == (label is None):
        raise InputError("say which run: its id (source runs lists them), or --version V --topic T")
    if run_id is not None:
        return find_live_run(store, run_id)
    if topic is None:
        raise InputError("--version is one of a topic: name it with --topic T")
    found = next((run for run in live_runs(store, topic) if run.label == label), None)
    if found is None:
        raise NotFoundError(f'no run of "{topic}" became a version "{label}": source runs --topic lists them')
    return found


def _unfinished(store: Store, earlier: LiveRun, most: int | None) -> LiveRun | None:
    """The newest repeat of a run that is not done."""
    wanted = earlier.most if most is None else most
    for run in live_runs(store, earlier.topic_id):
        if run.earlier_id == earlier.run_id and run.state != "done" and run.most == wanted:
            return run
    return None


def _finished(workspace: Workspace, run: LiveRun) -> list[Any]:
    return [each for each in history(workspace, run.run_id) if each.state == "done" and each.total_last is not None]


def update_document(
    earlier: LiveRun,
    later: LiveRun,
    found: Changes,
    records: tuple[ChangedRecord, ...],
    names: dict[str, str],
    drifted: Drift,
    n_new: int | None,
) -> dict[str, Any]:
    """`update --json`. `publication_id` is null where a run was not finished."""

    def told(fate: str) -> list[dict[str, Any]]:
        return [
            {"publication_id": names.get(each.key), "key": each.key, "title": each.record.title}
            | ({"fields": list(each.fields)} if fate == "changed" else {})
            for each in records
            if each.fate == fate
        ]

    return {
        "run_id": later.run_id,
        "earlier": earlier.run_id,
        "new": told("new"),
        "gone": told("gone"),
        "changed": told("changed"),
        "n_same": found.n_same,
        "totals": {"before": found.total_before, "after": found.total_after},
        "drift": {
            "points": [point._asdict() for point in drifted.points],
            **{name: value for name, value in asdict(drifted).items() if name != "points"},
        },
        "sentence": found.sentence,
        "cautions": list(found.cautions),
        "run": run_document(later, n_new),
    }


def _print_update(
    earlier: LiveRun, later: LiveRun, found: Changes, records: tuple[ChangedRecord, ...], drifted: Drift
) -> None:
    out = results()
    out.print(shown(f"{earlier.made_at[:10]} to {later.made_at[:10]}: {found.sentence}", "bold"))
    out.print(shown(f"Drift: {drifted.sentence}"))
    for fate, title in (("new", "New"), ("gone", "Gone"), ("changed", "Changed")):
        of_fate = [each for each in records if each.fate == fate]
        if not of_fate:
            continue
        grid = table(f"{title}: {len(of_fate):,}", "Publication", "Year", "Title", "What changed", right=(1,))
        for each in of_fate[:MOST_CHANGES]:
            year = "–" if each.record.year is None else str(each.record.year)
            row(grid, each.key, year, each.record.title or "–", change_words(each.fields))
        out.print(grid)
        if len(of_fate) > MOST_CHANGES:
            out.print(shown(f"and {len(of_fate) - MOST_CHANGES:,} more; --json lists them all"))
    warn([note.rstrip(".") for note in (*found.cautions, drifted.warning, *later.notes) if note])
