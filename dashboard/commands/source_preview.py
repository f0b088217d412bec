"""`source preview`: what each source would be sent, what gets lost, what it counts, and what a run would take."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.errors import InputError, OutOfReachError, QueryscapeError, ServiceError, StoreError
from core.sources.reporting import in_dollars, in_time
from core.sources.sending.saying import SourceId
from dashboard.commands import options
from dashboard.commands.output import NONE, print_json, results, row, say, shown, table, waiting
from dashboard.commands.source_what import (
    choices_options,
    file_option,
    most_option,
    read_choices,
    read_sources,
    read_text,
    version_option,
)
from data.sources.connecting.bodies import check_online
from data.sources.fetching.running import Preview, preview
from data.sources.opening import ABOUT, SourceStanding, open_source, standing_of
from data.workspace import Workspace

LONGEST_FORM = 2_000
"""Characters of a text that is sent which a table shows; --json has all."""


@click.command("preview")
@click.argument("more", nargs=-1, metavar="[TEXT]")
@file_option
@version_option
@click.option("--topic", default=None, help="Of --version.")
@click.option(
    "--sources", "first", default=None, help="Which to ask: --sources pubmed openalex ... [default: those open to all]"
)
@most_option
@choices_options
@options.data_dir
@options.as_json
def preview_command(
    more: tuple[str, ...],
    file: Path | None,
    label: str | None,
    topic: str | None,
    first: str | None,
    most: int,
    data_dir: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """What sources would be sent, what they count, and what a run would take. No publication is fetched."""
    sources, text = read_sources(first, more)
    choices = read_choices(given)
    check_online("every source")
    found: dict[SourceId, Preview] = {}
    problems: dict[SourceId, QueryscapeError] = {}
    with Workspace.open(data_dir) as workspace, waiting("Asking") as on_stage:
        asked = read_text(workspace, text, file, label, topic, given["dialect"])
        for source_id in sources:
            try:
                on_stage(f"asking {ABOUT[source_id].label}")
                source = open_source(source_id, store=workspace.store)
                found[source_id] = preview(source, asked.text, dialect=asked.dialect, choices=choices, most=most)
            except StoreError:
                raise
            except QueryscapeError as e:  # the others may still answer
                problems[source_id] = e
        if not found:
            raise _all_failed(list(problems.values()))
        standings = {source_id: standing_of(workspace.store, source_id) for source_id in found}
    if as_json:
        print_json(
            {
                "text": asked.text,
                "dialect": next(iter(found.values())).prepared.dialect,
                "sources": [
                    source_document(found[each], standings[each])
                    if each in found
                    else {"source": each, "problem": str(problems[each])}
                    for each in sources
                ],
            }
        )
        return
    _print_preview(found, standings)
    for source_id, problem in problems.items():
        say(f"{ABOUT[source_id].label}: {problem}", "yellow")


def _all_failed(problems: list[QueryscapeError]) -> QueryscapeError:
    """As one line; what is said of one and the same text is said once."""
    if len(problems) == 1 or all(str(each) == str(problems[0]) for each in problems):
        return problems[0]
    said = "; ".join(str(each) for each in problems)
    for kind in (InputError, OutOfReachError):
        if all(isinstance(each, kind) for each in problems):
            return kind(said)
    return ServiceError(said)


def source_document(found: Preview, standing: SourceStanding) -> dict[str, Any]:
    """One source's part of `preview --json`."""
    prepared, estimate, cap = found.prepared, found.estimate, found.cap
    return {
        "source": prepared.source,
        "text": prepared.text,
        "forms": [
            {"text": form.text, "total": count.total, "requests": [asdict(sent) for sent in count.sent]}
            for form, count in zip(prepared.forms, found.counts, strict=True)
        ],
        "is_unchanged": prepared.is_unchanged,
        "losses": [
            {"start": loss.start, "end": loss.end, "status": loss.status, "message": loss.message}
            for loss in prepared.losses
        ],
        "total": found.least if found.least == found.most_found else None,
        "total_least": found.least,
        "total_most": found.most_found,
        "notes": list(found.notes),
        "estimate": {"n_calls": estimate.n_calls, "seconds": estimate.seconds, "dollars": estimate.dollars},
        "cap": {
            "most": found.most,
            "is_capped": cap.is_capped,
            "share_least": cap.share_least,
            "share_most": cap.share_most,
            "sentence": cap.sentence,
        },
        "budget": budget_document(standing),
    }


def budget_document(standing: SourceStanding) -> dict[str, Any]:
    """What a source was asked today, what that cost, and what is left."""
    return {"n_calls": standing.day.n_calls, "dollars": standing.day.dollars, "left_dollars": left_of(standing)}


def left_of(standing: SourceStanding) -> float | None:
    """Dollars that may still be spent today without paying; None: it costs nothing, or it does not say."""
    return None if standing.allowed is None else max(standing.allowed - standing.day.dollars, 0.0)


def _print_preview(found: dict[SourceId, Preview], standings: dict[SourceId, SourceStanding]) -> None:
    out = results()
    grid = table(
        "", "Source", "It counts", "Requests", "Time", "Price", "Asked today", "Left today", right=(1, 2, 5, 6)
    )
    for source_id, each in found.items():
        standing, estimate = standings[source_id], each.estimate
        left = left_of(standing)
        row(
            grid,
            standing.about.label,
            f"{each.least:,}" if each.least == each.most_found else f"{each.least:,} to {each.most_found:,}",
            f"{estimate.n_calls:,}",
            in_time(estimate.seconds),
            in_dollars(estimate.dollars),
            f"{standing.day.n_calls:,}",
            NONE if left is None else f"${left:.2f}",
        )
    out.print(grid)
    for source_id, each in found.items():
        out.print()
        _print_one(standings[source_id].about.label, each)


def _print_one(label: str, found: Preview) -> None:
    out = results()
    prepared = found.prepared
    how = "unchanged" if prepared.is_unchanged else "translated"
    parts = f" in {len(prepared.forms)} parts, whose results are united" if len(prepared.forms) > 1 else ""
    out.print(shown(f"{label}: sent {how}{parts}", "bold"))
    for form in prepared.forms:
        cut = form.text if len(form.text) <= LONGEST_FORM else f"{form.text[:LONGEST_FORM]}…"
        out.print(shown(f"  {cut}"), soft_wrap=True)
    for loss in prepared.losses:
        out.print(shown(f"  {loss.start}-{loss.end} {loss.status}: {loss.message}"), soft_wrap=True)
    for line in (found.cap.sentence, *found.notes):
        out.print(shown(f"  {line}"), soft_wrap=True)
