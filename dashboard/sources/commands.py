"""The `source` commands: preview, run, update, runs and core."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

import click

from core.errors import InputError, NotFoundError, OutOfReachError, QueryscapeError, ServiceError, StoreError
from core.query.parser import parse
from core.query.tree import DialectId, Span
from core.sources.core_lookup import VERDICTS
from core.sources.preparation import clauses, prepare
from core.sources.runs import (
    Drift,
    DriftPoint,
    SourceRunChanges,
    change_words,
    dollar_amount,
    drift,
    in_dollars,
    in_time,
)
from core.sources.source_forms import MOST, SOURCE_IDS, PreparedSearch, SourceId, SourceOptions
from dashboard.kit import options
from dashboard.kit.lazy_commands import LazyGroup
from dashboard.kit.output import NONE, print_json, results, row, say, table, tell, warn
from dashboard.kit.progress import waiting
from dashboard.kit.search_strings import read_query, warn_of_errors
from dashboard.sources.update_commands import feed_command, new_command, run_due, schedule_command
from data.explore.workspace import Workspace
from data.lookup import check_topic, text_named
from data.query.search import dialect_of
from data.sources.core_lookup import MOST_CALLS, Lookup, look_up, remember_lookup, remembered_lookup, wanted_core
from data.sources.fetch import (
    Preview,
    changes_between,
    go_on,
    history,
    plan_run,
    preview,
    repeat,
    repeat_estimate,
    same_run,
)
from data.sources.registry import ABOUT, SourceStanding, check_source, open_source, standing_of
from data.sources.runs import (
    ChangedRecord,
    LivePage,
    LiveRun,
    brought_ids,
    changed_records,
    find_live_run,
    live_pages,
    live_runs,
    n_new_of,
    publications_of,
)
from data.sources.types import LiveSource
from data.store import Store

OPEN_TO_ALL: tuple[SourceId, ...] = ("pubmed", "openalex", "europepmc")
_SOURCES = ", ".join(SOURCE_IDS)
file_option = click.option(
    "--file",
    "file",
    type=click.Path(path_type=Path),
    default=None,
    help=("Read the search string from a file; - reads standard input."),
)
version_option = click.option(
    "--version", "label", default=None, help=("Use the search string of this version of the topic.")
)
source_option = click.option("--source", "source_id", default=None, help=f"Source to search: one of {_SOURCES}.")
most_option = click.option(
    "--most", type=click.IntRange(1), default=MOST, show_default=True, help="Maximum number of publications to fetch."
)
choices_options = options.together(
    click.option(
        "--dialect",
        type=click.Choice(get_args(DialectId)),
        default=None,
        help="Query language of the search string. [default: detected]",
    ),
    click.option("--no-stem", is_flag=True, help="OpenAlex: match words exactly as written."),
    click.option("--send-wildcards", is_flag=True, help="OpenAlex: send * and ?, which are left out by default."),
    click.option("--synonyms", is_flag=True, help="Europe PMC: add synonyms of MeSH headings."),
)


def read_choices(given: dict[str, Any]) -> SourceOptions:
    """Remove these flags from `given` and return them as choices."""
    return SourceOptions(
        stem=not given.pop("no_stem"),
        wildcards="send" if given.pop("send_wildcards") else "drop",
        synonyms=given.pop("synonyms"),
    )


@dataclass(frozen=True, slots=True)
class SearchText:
    text: str
    dialect: DialectId | None
    """None: detected from the text."""


def read_text(
    workspace: Workspace,
    text: str | None,
    file: Path | None,
    label: str | None,
    topic: str | None,
    dialect: DialectId | None,
) -> SearchText:
    """Read the text from an argument, a file, or a version of a topic."""
    if label is None:
        parsed = read_query(text, file, dialect)
        return SearchText(parsed.text, dialect or (parsed.dialect if file is not None else None))
    if text is not None or file is not None:
        raise InputError("--version already has a search string: leave out the text and --file")
    if topic is None:
        raise InputError("--version needs a topic: add --topic T")
    there = text_named(workspace.store, topic, label)
    version = next(row.version for row in workspace.store.versions(topic) if row.version.label == label)
    return SearchText(there, dialect or dialect_of(version))


def read_sources(first: str | None, more: Sequence[str]) -> tuple[tuple[SourceId, ...], str | None]:
    """Return the named sources, separated by commas or not, and the remaining argument as the text."""
    named = [name.strip() for name in (first or "").split(",") if name.strip()]
    texts = [each for each in more if each.strip(", ") not in SOURCE_IDS]
    named += [each.strip(", ") for each in more if each not in texts]
    if len(texts) > 1:
        raise InputError(f"there is more than one text: quote the search string, and choose from {_SOURCES}")
    found = tuple(check_source(name) for name in dict.fromkeys(named)) or OPEN_TO_ALL
    return found, texts[0] if texts else None


def one_source(name: str | None) -> SourceId:
    if name is None:
        raise InputError(f"choose a source: --source with one of {_SOURCES}")
    return check_source(name)


# `source preview`: the string sent to each source, its losses, hit counts, and the effort of a run.

LONGEST_FORM = 2_000
"""Characters of a sent text shown in a table; --json has all."""


@click.command("preview")
@click.argument("more", nargs=-1, metavar="[TEXT]")
@file_option
@version_option
@click.option("--topic", default=None, help="Topic of --version.")
@click.option(
    "--sources",
    "first",
    default=None,
    help=("Sources to preview: --sources pubmed openalex ... [default: those open to all]"),
)
@most_option
@choices_options
@options.output
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
    """Preview a search: the string each source would get, its hit counts, and what a run would take.

    No publication is fetched. Offline, or if a source does not answer, the preview has the translation and its losses,
    but no counts.
    """
    sources, text = read_sources(first, more)
    choices = read_choices(given)
    found: dict[SourceId, Preview] = {}
    sent: dict[SourceId, PreparedSearch] = {}
    problems: dict[SourceId, QueryscapeError] = {}
    with Workspace.open(data_dir) as workspace, waiting("Querying") as on_stage:
        asked = read_text(workspace, text, file, label, topic, given["dialect"])
        for source_id in sources:
            try:
                on_stage(f"querying {ABOUT[source_id].label}")
                source = open_source(source_id, store=workspace.store)
                found[source_id] = preview(source, asked.text, dialect=asked.dialect, choices=choices, most=most)
            except StoreError:
                raise
            except QueryscapeError as e:  # others may still answer
                problems[source_id] = e
                with suppress(QueryscapeError):  # nothing can be sent, as the problem reports
                    sent[source_id] = prepare(parse(asked.text, asked.dialect), source_id, choices)
        if not found and (not sent or all(_has_failed(each) for each in problems.values())):
            raise _all_failed(list(problems.values()))
        standings = {source_id: standing_of(workspace.store, source_id) for source_id in (*found, *sent)}
    if as_json:
        documents = []
        for each in sources:
            if each in found:
                documents.append(source_document(found[each], standings[each]))
            elif each in sent:
                documents.append(uncounted_document(sent[each], standings[each], str(problems[each])))
            else:
                documents.append({"source": each, "problem": str(problems[each])})
        prepared = [*(each.prepared for each in found.values()), *sent.values()]
        print_json({"text": asked.text, "dialect": prepared[0].dialect, "sources": documents})
        return
    _print_preview([each for each in sources if each in standings], found, sent, standings)
    for source_id, problem in problems.items():
        say(f"{ABOUT[source_id].label}: no count: {problem}", "yellow")


def _has_failed(problem: QueryscapeError) -> bool:
    """Return True if the source was reached and answered with an error: not offline, and not without a key."""
    return isinstance(problem, ServiceError) and not isinstance(problem, OutOfReachError)


def _all_failed(problems: list[QueryscapeError]) -> QueryscapeError:
    if len(problems) == 1 or all(str(each) == str(problems[0]) for each in problems):
        return problems[0]
    text = "; ".join(str(each) for each in problems)
    for kind in (InputError, OutOfReachError):
        if all(isinstance(each, kind) for each in problems):
            return kind(text)
    return ServiceError(text)


def source_document(found: Preview, standing: SourceStanding) -> dict[str, Any]:
    prepared, estimate, cap = found.prepared, found.estimate, found.cap
    return {
        "source": prepared.source,
        "text": prepared.text,
        "forms": [
            {"text": form.text, "total": count.total, "requests": [asdict(sent) for sent in count.sent]}
            for form, count in zip(prepared.forms, found.counts, strict=True)
        ],
        "is_unchanged": prepared.is_unchanged,
        "losses": _losses(prepared),
        "total": found.least if found.least == found.most_found else None,
        "total_least": found.least,
        "total_most": found.most_found,
        "notes": list(found.notes),
        "estimate": {"n_calls": estimate.n_calls, "seconds": estimate.seconds, "dollars": estimate.dollars},
        "shortfall": standing.shortfall(estimate.dollars),
        "cap": {
            "most": found.most,
            "is_capped": cap.is_capped,
            "share_least": cap.share_least,
            "share_most": cap.share_most,
            "sentence": cap.sentence,
        },
        "budget": budget_document(standing),
    }


def _losses(prepared: PreparedSearch) -> list[dict[str, Any]]:
    return [
        {"start": loss.start, "end": loss.end, "status": loss.status, "message": loss.message}
        for loss in prepared.losses
    ]


def uncounted_document(prepared: PreparedSearch, standing: SourceStanding, problem: str) -> dict[str, Any]:
    """Return the same keys for a source without a count; `problem` states the reason."""
    return {
        "source": prepared.source,
        "text": prepared.text,
        "forms": [{"text": form.text, "total": None, "requests": []} for form in prepared.forms],
        "is_unchanged": prepared.is_unchanged,
        "losses": _losses(prepared),
        "total": None,
        "total_least": None,
        "total_most": None,
        "notes": [],
        "estimate": None,
        "shortfall": "",
        "cap": None,
        "budget": budget_document(standing),
        "problem": problem,
    }


def budget_document(standing: SourceStanding) -> dict[str, Any]:
    """Return today's number of calls to a source, their cost, and the rest of the budget."""
    return {"n_calls": standing.day.n_calls, "dollars": standing.day.dollars, "left_dollars": standing.left}


def _print_preview(
    sources: Sequence[SourceId],
    found: dict[SourceId, Preview],
    sent: dict[SourceId, PreparedSearch],
    standings: dict[SourceId, SourceStanding],
) -> None:
    grid = table(
        "", "Source", "Counted as", "Requests", "Time", "Price", "Calls today", "Left today", right=(1, 2, 5, 6)
    )
    for source_id in sources:
        standing, counts = standings[source_id], (NONE,) * 4
        left = standing.left
        if (each := found.get(source_id)) is not None:
            counts = (
                f"{each.least:,}" if each.least == each.most_found else f"{each.least:,} to {each.most_found:,}",
                f"{each.estimate.n_calls:,}",
                in_time(each.estimate.seconds),
                in_dollars(each.estimate.dollars),
            )
        asked = (f"{standing.day.n_calls:,}", NONE if left is None else dollar_amount(left))
        row(grid, standing.about.label, *counts, *asked)
    results().print(grid)
    for source_id in sources:
        results().print()
        each = found.get(source_id)
        prepared = sent[source_id] if each is None else each.prepared
        more = () if each is None else (each.cap.sentence, *each.notes)
        if each is not None and (short := standings[source_id].shortfall(each.estimate.dollars)):
            more = (*more, short)
        _print_one(standings[source_id].about.label, prepared, more)


def _print_one(label: str, prepared: PreparedSearch, more: Sequence[str]) -> None:
    how = "unchanged" if prepared.is_unchanged else "translated"
    parts = f" in {len(prepared.forms)} parts, with combined results" if len(prepared.forms) > 1 else ""
    tell(f"{label}: sent {how}{parts}", "bold")
    for form in prepared.forms:
        cut = form.text if len(form.text) <= LONGEST_FORM else f"{form.text[:LONGEST_FORM]}…"
        tell(f"  {cut}", soft_wrap=True)
    for loss in prepared.losses:
        tell(f"  {loss.start}-{loss.end} {loss.status}: {loss.message}", soft_wrap=True)
    for line in more:
        tell(f"  {line}", soft_wrap=True)


# `source run`: a search in one source, fetched page by page and saved as a version.


@click.command("run")
@click.argument("text", required=False)
@file_option
@version_option
@click.option("--topic", default=None, help="Topic for the publications; a new name creates a new topic.")
@source_option
@most_option
@click.option(
    "--as", "label_wanted", default=None, metavar="LABEL", help=("Label of the version. [default: source and day]")
)
@click.option("--fresh", is_flag=True, help="Search again, even if the same search was run today or is unfinished.")
@click.option("--resume", default=None, metavar="RUN", help="Resume this run.")
@choices_options
@options.output
def run_command(resume: str | None, data_dir: Path | None, as_json: bool, **given: Any) -> None:
    """Search a source: publications are fetched, saved as they arrive, and become a version of the topic at the end.
    Ctrl-C pauses; the same command resumes the run, even after a crash.
    """
    with Workspace.open(data_dir) as workspace, waiting("Searching") as on_stage:
        if resume is not None:
            if given["text"] or given["file"] or given["label"] or given["source_id"]:
                raise InputError("--resume uses the run's own text and source: leave them out")
            run = find_live_run(workspace.store, resume)
            source = open_source(run.source, store=workspace.store)
        else:
            on_stage("getting the count")
            run, source = _planned(workspace, given)
        done = fetched(workspace, run, source, on_stage)
        n_new = n_new_of(workspace.store, done)
    if as_json:
        print_json(run_document(done, n_new))
    else:
        print_run(done, n_new)
    warn([note.rstrip(".") for note in done.notes])


def _planned(workspace: Workspace, given: dict[str, Any]) -> tuple[LiveRun, LiveSource]:
    """Return the run meant by the command: one finished today, an unfinished one, or a new one."""
    topic, source_id = given["topic"], one_source(given["source_id"])
    if topic is None:
        raise InputError("choose a topic for the publications: --topic NAME (a new name creates a new topic)")
    choices = read_choices(given)
    text = read_text(workspace, given["text"], given["file"], given["label"], topic, given["dialect"])
    source = open_source(source_id, store=workspace.store)
    prepared = source.prepare(parse(text.text, text.dialect), choices)
    most, fresh = given["most"], given["fresh"]
    if not fresh and (there := same_run(workspace, topic, prepared, most=most)):
        say(f'This search was already run today: it is version "{there.label}" of {topic} (--fresh runs it again).')
        return there, source
    for run in live_runs(workspace.store, topic):
        asked = (run.prepared.source, run.prepared.forms, run.prepared.choices, run.most)
        if not fresh and run.state != "done" and asked == (source_id, prepared.forms, choices, most):
            say(f"Resuming run {run.run_id}, started {run.made_at}: {run.n_records:,} publications fetched so far.")
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


def _say_what_it_takes(store: Store, source: LiveSource, text: SearchText, choices: SourceOptions, most: int) -> None:
    errors = {error.span for error in warn_of_errors(parse(text.text, text.dialect))}
    found = preview(source, text.text, dialect=text.dialect, choices=choices, most=most)
    say(f"{source.about.label}: {found.sentence} {found.estimate.sentence}")
    if found.cap.is_capped:
        say(found.cap.sentence, "yellow")
    for loss in found.prepared.losses:
        if Span(loss.start, loss.end) not in errors:
            say(f"Note: {loss.status}: {loss.message}", "yellow")
    if short := standing_of(store, source.about.id).shortfall(found.estimate.dollars):
        say(f"Note: {short}", "yellow")


def fetched(workspace: Workspace, run: LiveRun, source: LiveSource, on_stage: Any) -> LiveRun:
    """Return the finished run. If it ends early, what was fetched is kept, and the way to resume it is printed."""
    again = f"source run --resume {run.run_id}"
    try:
        return go_on(workspace, run.run_id, source, on_stage=on_stage)
    except KeyboardInterrupt:
        say(f"Paused. Resume with: {again}")
        raise
    except StoreError:
        raise
    except ServiceError as e:
        raise ServiceError(f"{str(e).rstrip('.')} (resume with {again})") from e
    except QueryscapeError as e:
        raise InputError(f"{str(e).rstrip('.')} (resume with {again})") from e


def run_document(run: LiveRun, n_new: int | None) -> dict[str, Any]:
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
    tell(f"{run.topic_id}: {run.label or run.state}", "bold")
    grid = table("", "", "", right=(1,))
    row(grid, "Hits in source", "–" if run.total_last is None else f"{run.total_last:,}")
    row(grid, "Publications fetched", f"{run.n_records:,}")
    if n_new is not None:
        row(grid, "New in the topic", f"{n_new:,}")
    row(grid, "Duplicates", f"{run.n_repeated:,}")
    row(grid, "Set aside", f"{run.n_aside:,}")
    row(grid, "Requests", f"{run.n_calls:,}")
    row(grid, "Price", f"${run.dollars:.4f}")
    results().print(grid)
    tell(f"Run {run.run_id}: source runs {run.run_id} --requests lists every request.")


# `source update`: a repeated search, and the changes since.

MOST_CHANGES = 20
"""Publications of each kind listed in a table; --json has all."""


@click.command("update")
@click.argument("run_id", required=False, metavar="[RUN]")
@click.option("--version", "label", default=None, help="Use the run that became this version of the topic.")
@click.option("--topic", default=None, help="Topic of --version.")
@click.option(
    "--most", type=click.IntRange(1), default=None, help=("Maximum number of publications. [default: as before]")
)
@click.option(
    "--as", "label_wanted", default=None, metavar="LABEL", help="Label of the new version. [default: source and day]"
)
@click.option("--due", "is_due", is_flag=True, help="Repeat every scheduled search that is due, as a job of cron.")
@options.output
def update_command(
    run_id: str | None,
    label: str | None,
    topic: str | None,
    most: int | None,
    label_wanted: str | None,
    is_due: bool,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Repeat a search in a source, and list new, removed and changed publications."""
    if is_due:
        if any(given is not None for given in (run_id, label, topic, most, label_wanted)):
            raise InputError("--due repeats the scheduled searches: drop RUN and the other options")
        run_due(data_dir, as_json=as_json)
        return
    with Workspace.open(data_dir) as workspace, waiting("Searching") as on_stage:
        earlier = run_named(workspace.store, run_id, label, topic)
        source = open_source(earlier.source, store=workspace.store)
        later = _unfinished(workspace.store, earlier, most)
        if later is None:
            dollars = repeat_estimate(earlier).dollars
            if short := standing_of(workspace.store, earlier.source).shortfall(dollars):
                say(f"Note: {short}", "yellow")
            later = repeat(workspace, earlier.run_id, source, most=most, label=label_wanted)
        else:
            say(f"Resuming run {later.run_id}, started {later.made_at}.")
        later = fetched(workspace, later, source, on_stage)
        found = changes_between(workspace, earlier.run_id, later.run_id)
        records = changed_records(workspace, earlier.run_id, later.run_id, found)
        names = {**publications_of(workspace, earlier), **publications_of(workspace, later)}
        drifted = drift([DriftPoint(run.made_at, run.total_last) for run in _finished(workspace, later)])
        n_new = n_new_of(workspace.store, later)
    if as_json:
        print_json(update_document(earlier, later, found, records, names, drifted, n_new))
        return
    _print_update(earlier, later, found, records, drifted)


def run_named(store: Store, run_id: str | None, label: str | None, topic: str | None) -> LiveRun:
    """Find a run by its id, or by the version made from it."""
    if (run_id is None) == (label is None):
        raise InputError("choose a run: its ID (source runs lists them), or --version V --topic T")
    if run_id is not None:
        return find_live_run(store, run_id)
    if topic is None:
        raise InputError("--version needs a topic: add --topic T")
    found = next((run for run in live_runs(store, topic) if run.label == label), None)
    if found is None:
        raise NotFoundError(f'no run of "{topic}" became version "{label}": source runs --topic lists the runs')
    return found


def _unfinished(store: Store, earlier: LiveRun, most: int | None) -> LiveRun | None:
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
    found: SourceRunChanges,
    records: tuple[ChangedRecord, ...],
    names: dict[str, str],
    drifted: Drift,
    n_new: int | None,
) -> dict[str, Any]:
    """Return `update --json`. `publication_id` is null if a run was not finished."""

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
    earlier: LiveRun, later: LiveRun, found: SourceRunChanges, records: tuple[ChangedRecord, ...], drifted: Drift
) -> None:
    tell(f"{earlier.made_at[:10]} to {later.made_at[:10]}: {found.sentence}", "bold")
    tell(f"Drift: {drifted.sentence}")
    for fate, title in (("new", "New"), ("gone", "Gone"), ("changed", "Changed")):
        of_fate = [each for each in records if each.fate == fate]
        if not of_fate:
            continue
        grid = table(f"{title}: {len(of_fate):,}", "Publication", "Year", "Title", "What changed", right=(1,))
        for each in of_fate[:MOST_CHANGES]:
            year = "–" if each.record.year is None else str(each.record.year)
            row(grid, each.key, year, each.record.title or "–", change_words(each.fields))
        results().print(grid)
        if len(of_fate) > MOST_CHANGES:
            tell(f"and {len(of_fate) - MOST_CHANGES:,} more; --json lists them all")
    warn([note.rstrip(".") for note in (*found.cautions, drifted.warning, *later.notes) if note])


# `source runs`: searches in sources, and all requests of one exactly as sent.


@click.command("runs")
@click.argument("run_id", required=False, metavar="[RUN]")
@click.option("--topic", default=None, help="List only the runs of this topic.")
@click.option("--requests", "with_requests", is_flag=True, help="List every request of RUN.")
@options.output
def runs_command(
    run_id: str | None, topic: str | None, with_requests: bool, data_dir: Path | None, as_json: bool
) -> None:
    """List the searches in sources; with RUN, its requests and results."""
    if with_requests and run_id is None:
        raise InputError("--requests needs a run: add its ID (source runs lists them)")
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
        say("No searches yet. Start one with: source run TEXT --topic T --source pubmed.")
        return
    names = (
        "Run",
        "Started",
        "Source",
        "Topic",
        "Version",
        "State",
        "Publications",
        "Publications",
        ("Hits in source"),
        "Price",
    )
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
    print_run(run, n_new)
    tell(f"{ABOUT[run.source].label} at {run.address}, started {run.made_at}, {run.state}.")
    for form in run.prepared.forms:
        tell(f"Sent: {form.text}", soft_wrap=True)
    if with_requests:
        for page in pages:
            for sent in page.requests:
                tell(
                    f"{sent.at} {sent.method} {sent.status} {sent.ms:.0f} ms {sent.n_bytes:,} bytes ${sent.dollars:.4f}"
                )
                tell(f"  {sent.address}", soft_wrap=True)
                if sent.body:
                    tell(f"  {sent.body}", soft_wrap=True)
    warn([note.rstrip(".") for note in (*run.notes, *([run.problem] if run.problem else []))])


# `source core`: whether a source has each core publication, and if so, why the string misses it.


@click.command("core")
@click.argument("text", required=False, metavar="[RUN|TEXT]")
@file_option
@version_option
@click.option("--topic", default=None, help="Topic with the core publications, if no RUN is given.")
@source_option
@click.option(
    "--most-calls",
    type=click.IntRange(0),
    default=MOST_CALLS,
    show_default=True,
    help=("Maximum number of count requests."),
)
@choices_options
@options.output
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
    """Look up the core publications in the source: not indexed there, or indexed and missed by the string.
    With the ID of a run, uses its source, text and results. Otherwise give --topic, --source and a text.
    """
    choices = read_choices(given)
    with Workspace.open(data_dir) as workspace, waiting("Looking up core publications") as on_stage:
        run = None
        if source_id is None and topic is None:
            run = _run(workspace, text, file, label)
            topic, asked_of = run.topic_id, run.source
            source = open_source(asked_of, store=workspace.store)
            prepared, whole, dialect, choices = run.prepared, run.text, run.prepared.dialect, run.prepared.choices
        else:
            asked_of = one_source(source_id)
            if topic is None:
                raise InputError("choose the topic with the core publications: --topic T")
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
            on_progress=on_stage(f"querying {ABOUT[asked_of].label}"),
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
        raise InputError("give the ID of a run (source runs lists them), or --topic T --source S and a text")
    return find_live_run(workspace.store, text)


def _parts(text: str, dialect: DialectId, source_id: SourceId, choices: SourceOptions, source: Any) -> Any:
    return clauses(parse(text, dialect), source_id, choices, getattr(source, "room", None))


def _document(topic: str, prepared: PreparedSearch, found: Lookup, run: LiveRun | None) -> dict[str, Any]:
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
    label = ABOUT[source_id].label
    grid = table(f"{topic}: core publications in {label}", "Publication", "Verdict", "Title", "Why")
    for item in sorted(found.items, key=lambda item: VERDICTS.index(item.verdict)):
        row(grid, item.wanted.publication_id, item.verdict, item.wanted.title or "–", item.sentence)
    results().print(grid)
    counts = ", ".join(f"{found.n(verdict):,} {verdict}" for verdict in VERDICTS if found.n(verdict))
    tell(f"{len(found.items):,} core publications: {counts or 'none'}. {found.n_calls:,} count requests.")
    if found.is_cut:
        why = found.problem or "the limit of count requests was reached (--most-calls raises it)"
        warn([f"{why.rstrip('.')}; run the same command to look up the rest"])


# `source`: searches in live sources.


@click.group(cls=LazyGroup)
def source() -> None:
    """Search PubMed, OpenAlex, Europe PMC and others: run the string in the actual database.
    Keys come from the environment. With QUERYSCAPE_OFFLINE set, nothing is sent.
    """


for command in (
    *(preview_command, run_command, update_command, runs_command, core_command),
    *(schedule_command, new_command, feed_command),
):
    source.add_command(command)
