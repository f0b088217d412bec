"""`source runs`: searches in sources, and every request of one exactly as it was sent."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.errors import InputError
from dashboard.commands import options
from dashboard.commands.output import NONE, print_json, results, row, say, shown, table, warn
from dashboard.commands.source_run import print_run, run_document
from data.lookup import check_topic
from data.sources.fetching.journal import LivePage, LiveRun, find_live_run, live_pages, live_runs, n_new_of
from data.sources.opening import ABOUT
from data.workspace import Workspace


@click.command("runs")
@click.argument("run_id", required=False, metavar="[RUN]")
@click.option("--topic", default=None, help="Only the runs of this topic.")
@click.option("--requests", "with_requests", is_flag=True, help="Every request of RUN, as it was sent.")
@options.data_dir
@options.as_json
def runs_command(
    run_id: str | None, topic: str | None, with_requests: bool, data_dir: Path | None, as_json: bool
) -> None:
    """List the searches in sources; with RUN what was sent and what came."""
    if with_requests and run_id is None:
        raise InputError("--requests are those of one run: name it (source runs lists them)")
    with Workspace.open(data_dir) as workspace:
        store = workspace.store
        if run_id is not None:
            run = find_live_run(store, run_id)
            pages = live_pages(store, run_id)
            n_new = n_new_of(store, run)
        else:
            if topic is not None:
                check_topic(store, topic)
            listed = [(run, n_new_of(store, run)) for run in live_runs(store, topic)]
    if run_id is None:
        _list(listed, as_json=as_json)
    elif as_json:
        print_json(run_document(run, n_new) | {"pages": [_page_document(page, with_requests) for page in pages]})
    else:
        _show(run, n_new, pages, with_requests=with_requests)


def _list(listed: list[tuple[LiveRun, int | None]], *, as_json: bool) -> None:
    if as_json:
        print_json({"runs": [run_document(run, n_new) for run, n_new in listed]})
        return
    if not listed:
        say("No search in a source yet. Begin one with: source run TEXT --topic T --source pubmed.")
        return
    names = ("Run", "Begun", "Source", "Topic", "Version", "State", "Publications", "Own total", "Requests", "Price")
    grid = table("Searches in sources", *names, right=(6, 7, 8, 9))
    for run, _ in listed:
        row(
            grid,
            run.run_id,
            run.made_at[:16].replace("T", " "),
            ABOUT[run.source].label,
            run.topic_id,
            run.label or NONE,
            run.state,
            f"{run.n_records:,}",
            NONE if run.total_last is None else f"{run.total_last:,}",
            f"{run.n_calls:,}",
            f"${run.dollars:.4f}",
        )
    results().print(grid)


def _page_document(page: LivePage, with_requests: bool) -> dict[str, Any]:
    document = {
        "number": page.number,
        "form": page.form,
        "total": page.total,
        "n_records": page.n_records,
        "n_new": page.n_new,
        "came_at": page.came_at,
        "sha256": page.sha256,
        "notes": list(page.notes),
    }
    return document | ({"requests": [asdict(sent) for sent in page.requests]} if with_requests else {})


def _show(run: LiveRun, n_new: int | None, pages: tuple[LivePage, ...], *, with_requests: bool) -> None:
    out = results()
    print_run(run, n_new)
    out.print(shown(f"{ABOUT[run.source].label}, asked at {run.address}, begun {run.made_at}, {run.state}."))
    for form in run.prepared.forms:
        out.print(shown(f"Sent: {form.text}"), soft_wrap=True)
    if with_requests:
        for page in pages:
            for sent in page.requests:
                out.print(
                    shown(
                        f"{sent.at} {sent.method} {sent.status} {sent.ms:.0f} ms {sent.n_bytes:,} bytes "
                        f"${sent.dollars:.4f}"
                    )
                )
                out.print(shown(f"  {sent.address}"), soft_wrap=True)
                if sent.body:
                    out.print(shown(f"  {sent.body}"), soft_wrap=True)
    warn([note.rstrip(".") for note in (*run.notes, *([run.problem] if run.problem else []))])
