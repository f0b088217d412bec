"""`source run`: a search in one source, fetched page by page and kept as a version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from core.errors import InputError, QueryscapeError, ServiceError, StoreError
from core.query.reading.parser import parse
from core.sources.sending.saying import Choices
from dashboard.commands import options
from dashboard.commands.output import print_json, results, row, say, shown, table, waiting, warn
from dashboard.commands.source_preview import left_of
from dashboard.commands.source_what import (
    Text,
    choices_options,
    file_option,
    most_option,
    one_source,
    read_choices,
    read_text,
    source_option,
    version_option,
)
from data.sources.fetching.journal import LiveRun, find_live_run, live_runs, n_new_of
from data.sources.fetching.running import go_on, plan_run, preview, same_run
from data.sources.opening import open_source, standing_of
from data.sources.types import LiveSource
from data.store import Store
from data.workspace import Workspace


@click.command("run")
@click.argument("text", required=False)
@file_option
@version_option
@click.option("--topic", default=None, help="Where the publications go; a new name makes a new topic.")
@source_option
@most_option
@click.option("--as", "label_wanted", default=None, metavar="LABEL", help="The version's. [default: source and day]")
@click.option("--fresh", is_flag=True, help="Ask again, though the same was asked today, or is not finished yet.")
@click.option("--resume", default=None, metavar="RUN", help="Go on with this run.")
@choices_options
@options.data_dir
@options.as_json
def run_command(resume: str | None, data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """Search in a source: every publication is fetched, kept at once, and at the end they are a version of the topic.

    Ctrl-C pauses; the same command goes on, after a crash too.
    """
    with Workspace.open(data_dir) as workspace, waiting("Searching") as on_stage:
        if resume is not None:
            if given["text"] or given["file"] or given["label"] or given["source_id"]:
                raise InputError("--resume goes on with a run as it was begun: leave out its text and source")
            run = find_live_run(workspace.store, resume)
            source = open_source(run.source, store=workspace.store)
        else:
            on_stage("asking for the count")
            run, source = _planned(workspace, given)
        done = fetched(workspace, run, source, on_stage)
        n_new = n_new_of(workspace.store, done)
    if as_json:
        print_json(run_document(done, n_new))
    else:
        print_run(done, n_new)
    warn([note.rstrip(".") for note in done.notes])


def _planned(workspace: Workspace, given: dict[str, Any]) -> tuple[LiveRun, LiveSource]:
    """The run that the command means: a finished one of today, an unfinished one, or a new one."""
    topic, source_id = given["topic"], one_source(given["source_id"])
    if topic is None:
        raise InputError("say where the publications go: --topic NAME (a new name makes a new topic)")
    choices = read_choices(given)
    text = read_text(workspace, given["text"], given["file"], given["label"], topic, given["dialect"])
    source = open_source(source_id, store=workspace.store)
    prepared = source.prepare(parse(text.text, text.dialect), choices)
    most, fresh = given["most"], given["fresh"]
    if not fresh and (there := same_run(workspace, topic, prepared, most=most)):
        say(f'The same was asked today: this is version "{there.label}" of {topic} (--fresh asks again).')
        return there, source
    for run in live_runs(workspace.store, topic):
        asked = (run.prepared.source, run.prepared.forms, run.prepared.choices, run.most)
        if not fresh and run.state != "done" and asked == (source_id, prepared.forms, choices, most):
            say(f"Going on with run {run.run_id}, begun {run.made_at}: {run.n_records:,} publications are here.")
            return run, source
    _say_what_it_takes(workspace.store, source, text, choices, most)
    wanted = given["label_wanted"]
    run = plan_run(
        workspace,
        topic,
        source,
        text.text,
        dialect=text.dialect,
        choices=choices,
        most=most,
        label=wanted,
        fresh=fresh,
    )
    return run, source


def _say_what_it_takes(store: Store, source: LiveSource, text: Text, choices: Choices, most: int) -> None:
    """Before anything is fetched: the count, requests, time, price, what the cap cuts, what is left of the day."""
    found = preview(source, text.text, dialect=text.dialect, choices=choices, most=most)
    say(f"{source.about.label}: {found.sentence} {found.estimate.sentence}")
    if found.cap.is_capped:
        say(found.cap.sentence, "yellow")
    for loss in found.prepared.losses:
        say(f"Note: {loss.status}: {loss.message}", "yellow")
    left = left_of(standing_of(store, source.about.id))
    dollars = found.estimate.dollars
    if left is not None and dollars is not None and dollars > left:
        say(
            f"Note: ${left:.2f} are left of the day: the run will stop before its end and can go on tomorrow.", "yellow"
        )


def fetched(workspace: Workspace, run: LiveRun, source: LiveSource, on_stage: Any) -> LiveRun:
    """The run at its end. What ends it early leaves what came, and says how to go on."""
    again = f"source run --resume {run.run_id}"
    try:
        return go_on(workspace, run.run_id, source, on_stage=on_stage)
    except KeyboardInterrupt:
        say(f"Paused. Go on with: {again}")
        raise
    except StoreError:
        raise
    except ServiceError as e:
        raise ServiceError(f"{str(e).rstrip('.')} ({again} goes on)") from e
    except QueryscapeError as e:
        raise InputError(f"{str(e).rstrip('.')} ({again} goes on)") from e


def run_document(run: LiveRun, n_new: int | None) -> dict[str, Any]:
    """A run as programs read it."""
    return {
        "run_id": run.run_id,
        "source": run.source,
        "topic": run.topic_id,
        "version": run.label,
        "state": run.state,
        "total": run.total_last,
        "total_first": run.total_first,
        "n_records": run.n_records,
        "n_new": n_new,
        "n_repeated": run.n_repeated,
        "n_aside": run.n_aside,
        "most": run.most,
        "is_capped": run.is_capped,
        "n_calls": run.n_calls,
        "dollars": run.dollars,
        "text": run.text,
        "is_unchanged": run.prepared.is_unchanged,
        "forms": [form.text for form in run.prepared.forms],
        "address": run.address,
        "earlier": run.earlier_id,
        "started": run.made_at,
        "ended": run.ended_at,
        "problem": run.problem,
        "notes": list(run.notes),
    }


def print_run(run: LiveRun, n_new: int | None) -> None:
    """A run for people."""
    out = results()
    out.print(shown(f"{run.topic_id}: {run.label or run.state}", "bold"))
    grid = table("", "", "", right=(1,))
    row(grid, "The source's own total", "–" if run.total_last is None else f"{run.total_last:,}")
    row(grid, "Publications fetched", f"{run.n_records:,}")
    if n_new is not None:
        row(grid, "New in the topic", f"{n_new:,}")
    row(grid, "Came again", f"{run.n_repeated:,}")
    row(grid, "Put aside", f"{run.n_aside:,}")
    row(grid, "Requests", f"{run.n_calls:,}")
    row(grid, "Price", f"${run.dollars:.4f}")
    out.print(grid)
    out.print(shown(f"Run {run.run_id}: source runs {run.run_id} --requests shows every request as it was sent."))
