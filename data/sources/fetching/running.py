"""A run in a live source: page after page, each kept as soon as it came; at the end a version.

    plan_run -> go_on: page -> files -> one row of live_pages -> ... -> the version

Whatever ends it, a kill too, leaves every page that has its row, and `go_on` continues after the last of these.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from core.errors import (
    BudgetSpentError,
    FormatChangedError,
    InputError,
    LostPlaceError,
    QueryscapeError,
    ServiceError,
    StoreError,
    StoreInUseError,
)
from core.protocols import OnProgress, OnStage, silent
from core.query.reading.parser import parse
from core.query.tree import DialectId
from core.sources.sending.saying import MOST, Choices, Form, Prepared
from data.clock import Clock, utc_now
from data.library.bringing import check_name
from data.sources.connecting.meter import Meter
from data.sources.fetching.filing import freeze
from data.sources.fetching.journal import Journal
from data.sources.fetching.runs import (
    LiveRun,
    alone,
    find_live_run,
    keep_state,
    live_runs,
    save_new_run,
)
from data.sources.opening import address_of
from data.sources.types import LiveSource, Page
from data.store import Store
from data.workspace import Workspace

P = ParamSpec("P")
T = TypeVar("T")
MOST_OF_ALL = 1_000_000
"""Publications that a run may ask for."""
MOST_EMPTY = 50
"""Pages in a row that bring nothing, though more are to come: nothing stands on them, or what stood there before."""
USUAL = Choices()


def plan_run(
    workspace: Workspace,
    topic_id: str,
    source: LiveSource,
    text: str,
    *,
    dialect: DialectId | None = None,
    choices: Choices = USUAL,
    most: int = MOST,
    label: str | None = None,
    earlier: str | None = None,
    fresh: bool = False,
    clock: Clock = utc_now,
) -> LiveRun:
    """A run that is ready to begin; the topic is made if there is none of that name. Sends nothing.

    `label`: of the version to come; None: by source and day. `earlier`: the run that it repeats. A run of today that
    asked the very same is given back instead, done as it is, unless it is to be `fresh`.
    """
    prepared = source.prepare(parse(text, dialect), choices)
    return plan_prepared(
        workspace, topic_id, source, text, prepared, most=most, label=label, earlier=earlier, fresh=fresh, clock=clock
    )


def plan_prepared(
    workspace: Workspace,
    topic_id: str,
    source: LiveSource,
    text: str,
    prepared: Prepared,
    *,
    most: int = MOST,
    label: str | None = None,
    earlier: str | None = None,
    fresh: bool = False,
    clock: Clock = utc_now,
) -> LiveRun:
    """The same for a text whose forms are there: exactly these are sent."""
    store = workspace.store
    if store.is_copy:
        raise StoreInUseError(f"{store.path} is open in another Queryscape: close that one to search in sources")
    if not 1 <= most <= MOST_OF_ALL:
        raise InputError(f"a run can fetch from 1 to {MOST_OF_ALL:,} publications, not {most:,}")
    check_name(store, topic_id)
    _check_text(text)
    wanted = _label(label)
    if not fresh and (there := same_run(workspace, topic_id, prepared, most=most, clock=clock)):
        return there
    run = LiveRun(
        run_id=uuid.uuid4().hex[:16],
        topic_id=topic_id,
        source=source.about.id,
        text=text,
        prepared=prepared,
        most=most,
        state="planned",
        label=None,
        file_id=None,
        earlier_id=earlier,
        total_first=None,
        total_last=None,
        n_records=0,
        n_repeated=0,
        n_aside=0,
        problem=None,
        made_at=clock(),
        ended_at=None,
        address=address_of(source.about),
        label_wanted=wanted,
    )
    with store.transaction():
        if all(topic.topic_id != topic_id for topic in store.topics()):
            store.save_topic(topic_id, ())
        save_new_run(store, run)
    return run


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as e:
        raise InputError("the text holds half of a sign, which can't be sent: type it again") from e


def _label(wanted: str | None) -> str | None:
    name = " ".join((wanted or "").split())
    if not name.isprintable() or len(name) > 200 or name.casefold() in ("corpus", "core"):
        raise InputError('a version needs a label of up to 200 characters, other than "corpus" and "core"')
    return name or None


def same_run(
    workspace: Workspace, topic_id: str, prepared: Prepared, *, most: int = MOST, clock: Clock = utc_now
) -> LiveRun | None:
    """The newest run of today (UTC) that sent the same and is done, while its version is there."""
    today = clock()[:10]
    labels = {row.version.label for row in workspace.store.versions(topic_id)}
    for run in live_runs(workspace.store, topic_id):
        of_today = run.made_at[:10] == today == (run.ended_at or "")[:10]
        asked = (run.prepared.source, run.prepared.forms, run.prepared.choices, run.most)
        wanted = (prepared.source, prepared.forms, prepared.choices, most)
        if run.state == "done" and of_today and asked == wanted and run.label in labels:
            return run
    return None


def go_on(
    workspace: Workspace,
    run_id: str,
    source: LiveSource,
    *,
    on_stage: OnStage = silent,
    clock: Clock = utc_now,
) -> LiveRun:
    """Fetch what a run still lacks and make it a version; one that is done is given back as it is.

    What `on_stage` or its progress raises pauses the run and goes on to the caller. An error of the source or of the
    store fails it, `problem` says why, and it goes on to the caller too. Either way, this goes on later.
    """
    store = workspace.store
    if store.is_copy:
        raise StoreInUseError(f"{store.path} is open in another Queryscape: close that one to search in sources")
    with alone(store, run_id):
        run = find_live_run(store, run_id)  # only now: whoever was at it until now may have ended or deleted it
        if run.source != source.about.id:
            raise InputError(f"this run is a search in {run.source}, and {source.about.label} was opened")
        if run.state == "done":
            return run
        with _kept_state(store, run_id) as pausable:
            return _Work(workspace, run, source, pausable(on_stage), clock).do()


@contextmanager
def _kept_state(store: Store, run_id: str) -> Iterator[Callable[[OnStage], OnStage]]:
    """What lists say of the run while it is under way and when it ended early."""
    paused: list[BaseException] = []

    def pausable(on_stage: OnStage) -> OnStage:
        return lambda stage: _noting(_noting(on_stage, paused)(stage), paused)

    keep_state(store, run_id, "running")
    try:
        yield pausable
    except BaseException as e:
        is_pause = any(e is each for each in paused) or not isinstance(e, Exception)
        problem = str(e) if isinstance(e, QueryscapeError) else f"a mistake in Queryscape ({type(e).__name__})"
        with suppress(StoreError):  # what ended it may be a store that takes nothing any more
            keep_state(store, run_id, *(("paused", None) if is_pause else ("failed", problem)))
        raise


def _noting(told: Callable[P, T], raised: list[BaseException]) -> Callable[P, T]:
    """The same, remembering what it raises."""

    def noted(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return told(*args, **kwargs)
        except BaseException as e:
            raised.append(e)
            raise

    return noted


@dataclass
class _Work:
    """What one process does for a run."""

    workspace: Workspace
    run: LiveRun
    source: LiveSource
    on_stage: OnStage
    clock: Clock
    journal: Journal = field(init=False)
    _lost: dict[int, int] = field(default_factory=dict)
    """Form -> how many records had come when its place was lost."""
    _restarts: bool = False
    """The form is to be read from its beginning."""
    _n_calls: int = 0
    _n_empty: int = 0
    _since: set[str] = field(default_factory=set)
    """Keys that came since anything was new, or a form began."""

    def do(self) -> LiveRun:
        """All of it."""
        store = self.workspace.store
        self.journal = Journal(store, self.workspace.paths.pages(self.run.run_id), self.run)
        self._fetch(self.on_stage(f"fetching from {self.source.about.label}"))
        self.journal.run = find_live_run(store, self.run.run_id)
        return freeze(self.workspace, self.journal, self.source.about, on_stage=self.on_stage, clock=self.clock)

    def _fetch(self, report: OnProgress) -> None:
        journal = self.journal
        while (place := journal.place) is not None:
            report(journal.n_records, journal.expected)
            form, at = place
            page = self._page(self.run.prepared.forms[form], begin := None if self._restarts else at)
            if page is None:
                continue
            if begin is None:
                self._since.clear()
            self._restarts = False
            self._check_empty(page)
            journal.keep(form, page, self.clock())
        report(journal.n_records, journal.n_records)

    def _page(self, form: Form, at: str | None) -> Page | None:
        """What came; None: the place was lost, and the form is to be read anew."""
        self._check_budget()
        self._n_calls += 1
        try:
            return self.source.page(form, self.run.prepared.choices, at, self._wanted(form))
        except LostPlaceError as e:
            n = self.journal.n_records
            if at is None or self._lost.get(form.number) == n:
                raise ServiceError(f"{e}, and reading from the beginning brought nothing new: go on later") from e
            self._lost[form.number] = n
            self._restarts = True
            return None
        except FormatChangedError as e:
            path = self.journal.keep_changed(e.raw)
            raise FormatChangedError(f"{e} (what it said is in {path})", e.raw) from e

    def _wanted(self, form: Form) -> int:
        """Of a page. Where records may come again, a whole one: as many as are left could all be known."""
        if form.number or form.number in self._lost or self.journal.n_repeated:
            return max(self.run.most, self.source.about.per_page)
        return self.run.most - self.journal.n_records

    def _check_empty(self, page: Page) -> None:
        """A source may go in a circle for ever. Reading a form anew brings what is known too, but each record once."""
        keys = {each.key for each in page.fetched}
        if is_news := self.journal.is_news(page):
            self._since.clear()
        is_barren = not is_news and keys <= self._since and page.next is not None
        self._n_empty = self._n_empty + 1 if is_barren else 0
        self._since |= keys
        if self._n_empty >= MOST_EMPTY:
            what = "pages of what came before" if keys or page.aside else "empty pages"
            raise ServiceError(
                f"{self.source.about.label} sent {MOST_EMPTY} {what} and says that more are to come: go on later"
            )

    def _check_budget(self) -> None:
        """Before a page is paid for. What a source said is left may be of another key: it is asked once."""
        about = self.source.about
        price = about.dollars_per_call
        if not price:
            return
        day = Meter(self.workspace.store, self.clock).today(about.id)
        own = None if about.dollars_per_day is None else about.dollars_per_day - day.dollars
        left = own if day.left_dollars is None else day.left_dollars
        is_tried = self._n_calls == 0 and day.left_dollars is not None and own is not None and own >= price
        if left is not None and left < price and not is_tried:
            raise BudgetSpentError(
                f"what {about.label} gives in a day is spent (${day.dollars:.4f} today): go on after midnight UTC"
            )
