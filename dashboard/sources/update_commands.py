"""`source schedule`, `source update --due`, `source new` and `source feed`: repeated searches and their news."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from core.errors import FileError
from core.text import many
from dashboard.kit import options
from dashboard.kit.output import print_json, results, row, say, table, tell, warn
from dashboard.kit.progress import waiting
from data.explore.workspace import Workspace
from data.files import written_aside
from data.library.arrivals import Arrival, arrivals, feed_of
from data.sources.registry import open_source
from data.sources.schedule import (
    EVERY,
    NEVER,
    ScheduledSearch,
    ScheduledUpdate,
    scheduled_searches,
    set_schedule,
    update_due,
)

MOST_ENTRIES = 500
"""Entries of a feed."""
MOST_LISTED = 50


@click.command("schedule")
@click.argument("run_id", required=False, metavar="[RUN]")
@click.option("--every", type=click.Choice([*EVERY, NEVER]), default=None, help="Interval between the repeats of RUN.")
@options.output
def schedule_command(run_id: str | None, every: str | None, data_dir: Path | None, as_json: bool) -> None:
    """Repeat a search on a schedule, or list the scheduled searches.

    The app runs what is due while it is open; without the app, cron can call "source update --due".
    """
    if (run_id is None) != (every is None):
        raise click.UsageError("give both RUN and --every, or neither to list the scheduled searches")
    with Workspace.open(data_dir) as workspace:
        if run_id is not None and every is not None:
            set_schedule(workspace, run_id, None if every == NEVER else every)  # type: ignore[arg-type]
        found = scheduled_searches(workspace)
    if as_json:
        print_json({"scheduled": list(map(schedule_document, found))})
        return
    if not found:
        tell("No search is scheduled. Schedule one with: source schedule RUN --every weekly")
        return
    grid = table("Scheduled searches", "Search", "Topic", "Every", "Due")
    for each in found:
        row(grid, each.first_id, each.latest.topic_id, each.every, each.due_words)
    results().print(grid)


def schedule_document(search: ScheduledSearch) -> dict[str, Any]:
    latest = search.latest
    return {
        "run_id": search.first_id,
        "topic": latest.topic_id,
        "source": latest.source,
        "text": latest.text,
        "every": search.every,
        "latest_run": latest.run_id,
        "state": latest.state,
        "due": search.due_at or None,
    }


def run_due(data_dir: Path | None, *, as_json: bool) -> None:
    """Repeat every search that is due."""
    with Workspace.open(data_dir) as workspace, waiting("Searching") as on_stage:
        done = update_due(workspace, lambda source: open_source(source, store=workspace.store), on_stage=on_stage)
    if as_json:
        print_json({"updates": list(map(_update_document, done))})
        return
    for each in done:
        name = f"{each.search.latest.topic_id}, {each.search.latest.source}"
        if each.run is not None:
            tell(f"{name}: {many(each.run.n_records, 'record')} (run {each.run.run_id})")
        else:
            warn([f"{name}: {each.problem}"])
    if not done:
        say("No update is due.")


def _update_document(done: ScheduledUpdate) -> dict[str, Any]:
    return {
        "run_id": done.search.first_id,
        "topic": done.search.latest.topic_id,
        "source": done.search.latest.source,
        "later_run": None if done.run is None else done.run.run_id,
        "n_records": None if done.run is None else done.run.n_records,
        "problem": done.problem or None,
    }


since_option = click.option("--since", default=None, metavar="DATE", help="First day (UTC), such as 2026-01-31.")


@click.command("new")
@options.topic
@since_option
@options.output
def new_command(topic: str, since: str | None, data_dir: Path | None, as_json: bool) -> None:
    """List the publications that searches in sources brought to a topic, newest first.

    A publication that a file or a list has, too, is not new.
    """
    with Workspace.open(data_dir) as workspace:
        found = arrivals(workspace.store, topic, since)
    if as_json:
        print_json({"topic": topic, "since": since, "n_new": len(found), "new": list(map(_new_document, found))})
        return
    if not found:
        tell("No new publications.")
        return
    grid = table(many(len(found), "new publication"), "Arrived", "Publication", "Year", "Title", right=(2,))
    for each in found[:MOST_LISTED]:
        year = "–" if each.publication.year is None else str(each.publication.year)
        row(grid, each.at[:10], each.publication.publication_id, year, each.publication.title)
    results().print(grid)
    if len(found) > MOST_LISTED:
        tell(f"and {len(found) - MOST_LISTED:,} more; --json lists them all")


def _new_document(arrival: Arrival) -> dict[str, Any]:
    publication = arrival.publication
    return {
        "publication_id": publication.publication_id,
        "arrived": arrival.at,
        "title": publication.title,
        "year": publication.year,
        "doi": publication.doi,
    }


@click.command("feed")
@options.topic
@since_option
@click.option("--out", required=True, type=click.Path(path_type=Path), help="File to write, such as tea.atom.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@options.output
def feed_command(topic: str, since: str | None, out: Path, force: bool, data_dir: Path | None, as_json: bool) -> None:
    """Write an Atom feed of the publications that searches in sources brought to a topic.

    The newest 500 are in it. Put the file on a web server to subscribe to it in a feed reader.
    """
    if out.exists() and not force:
        raise FileError(f"{out} exists: choose another name, or add --force")
    with Workspace.open(data_dir) as workspace:
        found = arrivals(workspace.store, topic, since)[:MOST_ENTRIES]
    with written_aside(out) as target:
        target.write(feed_of(topic, found))
    if as_json:
        print_json({"topic": topic, "since": since, "file": str(out), "n_entries": len(found)})
    else:
        tell(f"{many(len(found), 'publication')} written to {out}.")
