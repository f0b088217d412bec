"""Background requests to sources: previews, runs, updates and core lookups.

The only module of the page that opens a source. Tests replace `opened` by a stand-in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Lock

from core.errors import QueryscapeError
from core.protocols import OnStage
from core.query.parser import parse
from core.query.tree import DialectId, ParsedQuery
from core.sources.preparation import clauses
from core.sources.source_forms import MOST, PreparedSearch, SourceId, SourceOptions
from dashboard import cache, state
from dashboard.cache import ResultCache
from dashboard.jobs import Job
from dashboard.status import JobFamily
from data.sources.core_lookup import Lookup, look_up, remember_lookup, remembered_lookup, wanted_core
from data.sources.fetch import Preview, go_on, plan_prepared, preview, repeat
from data.sources.registry import open_source
from data.sources.runs import LiveRun, brought_ids, find_live_run, live_runs
from data.sources.types import LiveSource
from data.store import content_hash

_planning = Lock()
"""Ensures that a button pressed in two tabs at once starts one run."""
RUN_JOBS = JobFamily("live-run", lane="source")
"""Fetching a run. A "running" run without a job was interrupted: it is paused."""
LOOKUP_JOBS = JobFamily("live-lookup", lane="source")
PREVIEW_JOBS = JobFamily("live-preview", lane="count")
MOST_PREVIEWS, MOST_READ = 64, 16


def opened(source_id: SourceId) -> LiveSource:
    """Open the source; every request is added to the day's count."""
    return open_source(source_id, store=cache.workspace().store)


@contextmanager
def asking(source_id: SourceId) -> Iterator[LiveSource]:
    """Open the source for the calling thread, and close it afterwards."""
    source = opened(source_id)
    try:
        yield source
    finally:
        if (close := getattr(source, "close", None)) is not None:
            close()


def start_run(run_id: str) -> None:
    """Start a planned run, or resume one. The error of an earlier attempt is dropped; a running one is not affected."""
    RUN_JOBS.start(run_id, "Querying the source", partial(_fetch, run_id))


def _fetch(run_id: str, on_stage: OnStage) -> None:
    workspace = cache.workspace()
    with asking(find_live_run(workspace.store, run_id).source) as source:
        go_on(workspace, run_id, source, on_stage=on_stage)


def start_update(run_id: str) -> str:
    """Repeat a finished run; return the id of the new one."""
    workspace = cache.workspace()
    with asking(find_live_run(workspace.store, run_id).source) as source:
        later = repeat(workspace, run_id, source)
    start_run(later.run_id)
    return later.run_id


# Before a run


@dataclass(frozen=True, slots=True)
class SourceSearch:
    text: str
    dialect: DialectId | None = None
    """None: detected from the text."""
    choices: SourceOptions = field(default_factory=SourceOptions)
    most: int = MOST

    def key(self, source_id: SourceId) -> str:
        return content_hash([source_id, self.text, str(self.dialect), repr(self.choices), str(self.most)])


def read(text: str, dialect: DialectId | None = None) -> ParsedQuery:
    """Parse a string, with a cache: the page is drawn often, and parsing a long one takes a while."""
    kept, key = cache.kept("live-read", MOST_READ), content_hash([text, str(dialect)])
    return kept.of(key, lambda: parse(text, dialect))


def prepare(wish: SourceSearch, parsed: ParsedQuery, source_id: SourceId) -> PreparedSearch:
    """Translate the string for a source. Sends nothing."""
    with asking(source_id) as source:
        return source.prepare(parsed, wish.choices)


def plan(
    topic_id: str,
    wish: SourceSearch,
    source_id: SourceId,
    *,
    prepared: PreparedSearch | None = None,
    fresh: bool = False,
) -> LiveRun:
    """Plan a run that is ready to start. Sends nothing.

    Return an identical run instead if there is one: one that is running (perhaps started in another tab), or, unless
    `fresh`, one of today. `prepared`: the translated string, if known.
    """
    with asking(source_id) as source:
        prepared = prepared or source.prepare(parse(wish.text, wish.dialect), wish.choices)
        with _planning:
            at_work = _at_work(topic_id, prepared, wish.most)
            return at_work or plan_prepared(
                cache.workspace(), topic_id, source, wish.text, prepared, most=wish.most, fresh=fresh
            )


def _at_work(topic_id: str, prepared: PreparedSearch, most: int) -> LiveRun | None:
    asked = (prepared.source, prepared.forms, prepared.choices, most)
    for run in live_runs(cache.workspace().store, topic_id):
        same = (run.prepared.source, run.prepared.forms, run.prepared.choices, run.most) == asked
        if same and run.state != "done" and RUN_JOBS.is_running(run.run_id):
            return run
    return None


@dataclass(frozen=True, eq=False, slots=True)
class PreviewAnswer:
    preview: Preview | None
    problem: str = ""
    """Reason for a missing preview."""


def _answers() -> ResultCache:
    return cache.kept("live-preview", MOST_PREVIEWS)


def preview_of(wish: SourceSearch, source_id: SourceId) -> PreviewAnswer | None:
    """Return the source's answer; None: none requested, or not yet received."""
    found: PreviewAnswer | None = _answers().get(wish.key(source_id))
    return found


def preview_job(wish: SourceSearch, source_id: SourceId) -> Job | None:
    job = PREVIEW_JOBS.find(_preview_name(wish, source_id))
    return None if job is None or job.is_over or job.cancel.is_set() else job


def _preview_name(wish: SourceSearch, source_id: SourceId) -> str:
    return f"{state.visitor()}:{wish.key(source_id)}"


def start_preview(wish: SourceSearch, sources: Sequence[SourceId]) -> None:
    """Request the count from every source at once. Each answer is available as soon as it arrives.

    Earlier requests of this visitor are cancelled, and earlier answers are requested again.
    """
    stop_previews()
    for source_id in sources:
        _answers().pop(wish.key(source_id), None)
        PREVIEW_JOBS.replace(_preview_name(wish, source_id), "Getting the count", partial(_count, wish, source_id))


def stop_previews() -> None:
    for job in PREVIEW_JOBS.running(state.visitor()):
        job.cancel.set()


def _count(wish: SourceSearch, source_id: SourceId, on_stage: OnStage) -> None:
    report = on_stage("getting the count")
    try:
        with asking(source_id) as source:
            found = PreviewAnswer(
                preview(source, wish.text, dialect=wish.dialect, choices=wish.choices, most=wish.most)
            )
    except QueryscapeError as e:
        found = PreviewAnswer(None, str(e))
    except Exception:  # details are in the log
        report(0, 1)
        _answers()[wish.key(source_id)] = PreviewAnswer(
            None, "the answer could not be read; details are in the server log"
        )
        raise
    report(1, 1)  # raises if it was cancelled, so that no answer is stored
    _answers()[wish.key(source_id)] = found


# Core publications


def lookup_of(run_id: str) -> tuple[Lookup | None, Job | None]:
    """Return the results for the core publications in the run's source, and the job that looks them up."""
    workspace = cache.workspace()
    run = find_live_run(workspace.store, run_id)
    found = remembered_lookup(workspace, run.topic_id, run.prepared, run_id)
    return found, LOOKUP_JOBS.find(run_id)


def start_lookup(run_id: str, *, most_calls: int = 200) -> None:
    """Start looking up the topic's core publications in a run's source, with the reasons why its string misses some."""
    LOOKUP_JOBS.start(run_id, "Looking up core publications", partial(_look_up, run_id, most_calls))


def _look_up(run_id: str, most_calls: int, on_stage: OnStage) -> None:
    workspace = cache.workspace()
    run = find_live_run(workspace.store, run_id)
    parsed = parse(run.text, run.prepared.dialect)
    keep = partial(remember_lookup, workspace, run.topic_id, run.prepared, run_id)
    with asking(run.source) as source:
        asked = clauses(parsed, run.source, run.prepared.choices, getattr(source, "room", None))
        found = look_up(
            source,
            wanted_core(workspace, run.topic_id),
            run.prepared,
            asked,
            brought_ids(workspace, run),
            most_calls=most_calls,
            on_progress=on_stage("looking up core publications"),
            known=remembered_lookup(workspace, run.topic_id, run.prepared, run_id),
            keep=keep,
        )
    keep(found)
