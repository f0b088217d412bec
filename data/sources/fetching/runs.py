"""Runs in live sources, in the store: what was sent, what came, and what it became. Every page that came is a row."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from threading import Lock
from typing import Any, Literal, cast

from core.errors import CorruptStoreError, InputError, NotFoundError, StoreInUseError
from core.query.writing.adapting_near import Loss
from core.sources.sending.saying import Choices, Form, Prepared, SourceId
from core.types import Ids
from data.files import disk_errors
from data.sources.types import Sent
from data.store import Store
from data.workspace import Workspace

RunState = Literal["planned", "running", "paused", "failed", "done"]


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A search in a live source, planned, under way or over."""

    run_id: str
    topic_id: str
    """Where its publications go."""
    source: SourceId
    text: str
    """As it was typed."""
    prepared: Prepared
    most: int
    """Publications that are fetched at most."""
    state: RunState
    """running: also when whoever was at it was killed; it goes on like one that was paused."""
    label: str | None
    """Of the version that it became; None until it is done."""
    file_id: str | None
    """Of the library's source that holds its records; None until it is done."""
    earlier_id: str | None
    """The run that this one repeats."""
    total_first: int | None
    """The source's own total when each form's first page came; of several forms the sum. None: it said none."""
    total_last: int | None
    """The same when the last page came."""
    n_records: int
    """Different ones."""
    n_repeated: int
    """Records that came again."""
    n_aside: int
    """Records that were not as they should be."""
    problem: str | None
    """Why it failed."""
    made_at: str
    ended_at: str | None
    """When it was frozen as a version."""
    address: str
    """Where the source was."""
    notes: Ids = ()
    """What has to be known of what came."""
    label_wanted: str | None = None
    """What the version is to be called, if that is free then; None: by source and day."""
    n_pages: int = 0
    n_calls: int = 0
    dollars: float = 0.0

    @property
    def is_capped(self) -> bool:
        """Whether it stopped because enough came. Where it can't be told whether there was more, it did."""
        is_all = len(self.prepared.forms) == 1 and self.total_last is not None and self.total_last <= self.n_records
        return self.n_records >= self.most and not is_all


@dataclass(frozen=True, slots=True)
class LivePage:
    """One page that came."""

    number: int
    """From 1, in the order in which they came."""
    form: int
    """Which of the texts that were sent."""
    next: str | None
    """Where the page after it begins; None: it was the last of its form."""
    total: int | None
    """Of the form, as the source counted it then."""
    n_records: int
    """On the page."""
    n_new: int
    """Those that had not come before, as far as they were wanted."""
    name: str
    """Of the file in the run's folder, gzipped."""
    sha256: str
    """Of what came, before it was gzipped."""
    requests: tuple[Sent, ...]
    notes: Ids
    came_at: str


_RUNS = """
    SELECT run_id, topic_id, source, text, document::VARCHAR, most, state, label, file_id, earlier_id, total_first,
           total_last, n_records, n_repeated, n_aside, problem, made_at, ended_at,
           coalesce(n_pages, 0), coalesce(n_calls, 0), coalesce(dollars, 0)
    FROM live_runs LEFT JOIN (
        SELECT run_id, count(*) AS n_pages, sum(json_array_length(requests))::BIGINT AS n_calls,
               sum(list_sum(CAST(requests->'$[*].dollars' AS DOUBLE[]))) AS dollars
        FROM live_pages WHERE $run IS NULL OR run_id = $run GROUP BY run_id
    ) USING (run_id)
    WHERE ($run IS NULL OR run_id = $run) AND ($topic IS NULL OR topic_id = $topic)
    ORDER BY made_at DESC, live_runs.rowid DESC
"""


def live_runs(store: Store, topic_id: str | None = None) -> tuple[LiveRun, ...]:
    """The runs of one topic, or of all, the newest first."""
    return tuple(_run(row) for row in store.rows(_RUNS, {"run": None, "topic": topic_id}))


def find_live_run(store: Store, run_id: str) -> LiveRun:
    """One run."""
    found = store.rows(_RUNS, {"run": run_id, "topic": None})
    if not found:
        raise NotFoundError(f'there is no run "{run_id[:80]}": reload the list')
    return _run(found[0])


def live_pages(store: Store, run_id: str) -> tuple[LivePage, ...]:
    """What came, page after page."""
    found = store.rows(
        """
        SELECT number, form, next, total, n_records, n_new, name, sha256, requests::VARCHAR, notes::VARCHAR, came_at
        FROM live_pages WHERE run_id = ? ORDER BY number
        """,
        [run_id],
    )
    return tuple(map(_page, found))


def _page(row: tuple[Any, ...]) -> LivePage:
    number, form, following, total, n_records, n_new, name, digest, requests, notes, came_at = row
    sent = tuple(Sent(**each) for each in json.loads(requests))
    return LivePage(
        *(number, form, following, total, n_records, n_new, name, digest, sent, tuple(json.loads(notes)), came_at)
    )


def _run(row: tuple[Any, ...]) -> LiveRun:
    run_id, topic_id, source, text, document, *rest = row
    try:
        said = json.loads(document)
        prepared = prepared_of(said["prepared"])
        notes, address, wanted = tuple(said["notes"]), said["address"], said["label"]
    except (ValueError, KeyError, TypeError) as e:
        raise CorruptStoreError(
            f"what run {run_id} sent can't be read: delete it, or put a copy of the store back"
        ) from e
    *rest, n_pages, n_calls, dollars = rest
    return LiveRun(
        *(run_id, topic_id, source, text, prepared, *rest, address, notes, wanted, n_pages, n_calls, dollars)
    )


def document_of(run: LiveRun) -> str:
    """What the store keeps of a run beyond its columns."""
    prepared = asdict(run.prepared)
    return json.dumps(
        {"prepared": prepared, "address": run.address, "label": run.label_wanted, "notes": list(run.notes)}
    )


def prepared_of(document: Mapping[str, Any]) -> Prepared:
    """What `asdict` made of it, read back."""
    return Prepared(
        cast(SourceId, document["source"]),
        document["dialect"],
        document["text"],
        tuple(Form(**form) for form in document["forms"]),
        tuple(Loss(**loss) for loss in document["losses"]),
        document["is_unchanged"],
        Choices(**document["choices"]),
    )


def save_new_run(store: Store, run: LiveRun) -> None:
    """List a run of which nothing came yet."""
    store.execute(
        "INSERT INTO live_runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            *(run.run_id, run.topic_id, run.source, run.text, document_of(run), run.most, run.state, run.label),
            *(run.file_id, run.earlier_id, run.total_first, run.total_last, run.n_records, run.n_repeated),
            *(run.n_aside, run.problem, run.made_at, run.ended_at),
        ],
    )


def keep_state(store: Store, run_id: str, state: RunState, problem: str | None = None) -> None:
    """How a run stands now."""
    store.execute("UPDATE live_runs SET state = ?, problem = ? WHERE run_id = ?", [state, problem, run_id])


def delete_live_run(workspace: Workspace, run_id: str) -> None:
    """A run with the pages that came. The version that it became stays, with its records."""
    store = workspace.store
    if store.is_copy:
        raise StoreInUseError(f"{store.path} is open in another Queryscape: close that one to delete runs")
    if is_under_way(store, run_id):
        raise InputError("the run is under way: pause it first")
    with alone(store, run_id):
        run = find_live_run(store, run_id)
        with store.transaction():
            store.execute("DELETE FROM live_pages WHERE run_id = ?", [run.run_id])
            store.execute("DELETE FROM live_runs WHERE run_id = ?", [run.run_id])
        folder = workspace.paths.pages(run.run_id)
        with disk_errors(folder):
            shutil.rmtree(folder, ignore_errors=True)


_under_way: set[tuple[str, str]] = set()
_lock = Lock()


def is_under_way(store: Store, run_id: str) -> bool:
    """Whether somebody in this process is at it; nobody else can be, while this one has the store."""
    with _lock:
        return (str(store.path.resolve()), run_id) in _under_way


@contextmanager
def alone(store: Store, run_id: str) -> Iterator[None]:
    """Nobody else is at it meanwhile; an error if somebody is already."""
    key = (str(store.path.resolve()), run_id)
    with _lock:
        if key in _under_way:
            raise InputError("the run is under way already: wait for it, or pause it")
        _under_way.add(key)
    try:
        yield
    finally:
        with _lock:
            _under_way.discard(key)
