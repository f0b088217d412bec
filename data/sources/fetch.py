"""Preview a search in a live source, run it page by page, update it, and replay it without the source."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from typing import Any, ParamSpec, TypeVar

from core.errors import (
    BudgetSpentError,
    FormatChangedError,
    InputError,
    LostPlaceError,
    NotFoundError,
    QueryscapeError,
    ServiceError,
    StoreError,
)
from core.protocols import OnProgress, OnStage, silent
from core.query.match import Bits, Semantics, mask_of, match
from core.query.parser import parse
from core.query.tree import DialectId, Leaf, Node, ParsedQuery
from core.sources.narrowing import (
    LocalMatcher,
    NarrowingVerdict,
    as_read,
    kept_of,
    looks_further,
    semantics_of,
    standing,
)
from core.sources.runs import CapEffect, SourceRunChanges, SourceRunEstimate, cap_effect, changes, estimate, fingerprint
from core.sources.source_forms import MOST, Form, PreparedSearch, SourceId, SourceOptions
from core.text import many
from core.types import Ids, unique_ids
from data.explore.workspace import Workspace
from data.library.imports import BatchOrigin, BatchReport, bring_batches, check_name
from data.library.records import SourceReport, SourceRole, load_sources
from data.library.searches import keep_search
from data.query.index import CorpusIndex
from data.sources.registry import ABOUT, Meter, address_of
from data.sources.runs import (
    LivePage,
    LiveRun,
    LiveRunJournal,
    alone,
    document_of,
    fetched_of,
    find_live_run,
    keep_state,
    live_pages,
    live_runs,
    save_new_run,
    search_of_run,
)
from data.sources.types import LiveSource, SourceCount, SourceInfo, SourcePage
from data.store import Clock, Store, utc_now

_USUAL = SourceOptions()


@dataclass(frozen=True, slots=True)
class Preview:
    parsed: ParsedQuery
    prepared: PreparedSearch
    counts: tuple[SourceCount, ...]
    """One per form, in their order."""
    least: int
    """The smallest possible number of publications: that of the largest form."""
    most_found: int
    """The largest possible number: the sum of all forms, as if they did not overlap."""
    most: int
    """The cap."""
    estimate: SourceRunEstimate
    cap: CapEffect
    notes: tuple[str, ...]
    """The source's remarks on the text, each once, and notes on the numbers."""

    @property
    def sentence(self) -> str:
        if self.least == self.most_found:
            return f"It finds {many(self.least, 'publication')}, by the source's own count."
        n = len(self.counts)
        return (
            f"It finds {self.least:,} to {self.most_found:,} publications: the search is sent in {n} parts, and "
            "their overlap is known only after a run."
        )

    def as_document(self) -> dict[str, Any]:
        """Return the request, the losses, the counts and the estimate for JSON."""
        return {
            "source": self.prepared.source,
            "dialect": self.prepared.dialect,
            "text": self.parsed.text,
            "sent": self.prepared.text,
            "is_unchanged": self.prepared.is_unchanged,
            "choices": asdict(self.prepared.choices),
            "losses": [asdict(loss) for loss in self.prepared.losses],
            "forms": [
                {"text": form.text, "total": count.total, "requests": [asdict(sent) for sent in count.sent]}
                for form, count in zip(self.prepared.forms, self.counts, strict=True)
            ],
            "least": self.least,
            "most_found": self.most_found,
            "sentence": self.sentence,
            "most": self.most,
            "estimate": self.estimate.as_document(),
            "cap": self.cap.as_document(),
            "notes": list(self.notes),
        }


def preview(
    source: LiveSource,
    text: str,
    *,
    dialect: DialectId | None = None,
    choices: SourceOptions = _USUAL,
    most: int = MOST,
) -> Preview:
    """Parse the text, write it in the source's language, and count the publications that each form finds.

    InputError: no part of it can be sent. Errors of the connection are passed on.
    """
    parsed = parse(text, dialect)
    prepared = source.prepare(parsed, choices)
    counts = tuple(source.count(form, choices) for form in prepared.forms)
    totals = [count.total for count in counts]
    least, most_found = max(totals), sum(totals)
    about = source.about
    come = [total if about.ceiling is None else min(total, about.ceiling) for total in totals]
    cap = cap_effect(least, most_found, min(most, max(sum(come), 1)))
    if cap.is_capped and sum(come) < most:  # a higher cap would fetch no more, and the notes say why
        cap = replace(cap, advice="")
    took = [sent.ms for count in counts for sent in count.sent]
    return Preview(
        parsed=parsed,
        prepared=prepared,
        counts=counts,
        least=least,
        most_found=most_found,
        most=most,
        # A form by itself repeats nothing, so at most the cap is read from any of them.
        estimate=estimate(
            sum(min(total, most) for total in come),
            per_page=about.per_page,
            per_second=about.per_second,
            dollars_per_call=about.dollars_per_call,
            n_forms=len(prepared.forms),
            per_search=about.per_search,
            ms_per_call=sum(took) / len(took) if took else None,
        ),
        cap=cap,
        notes=unique_ids(note for count in counts for note in count.notes),
    )


# From the pages of a run to a query version: all of its records are added to the library, or none.

AT_ONCE = 2_000
"""Records in memory at once."""
MOST_REASONS = 1_000
"""Maximum number of records set aside whose reason the library stores; the run's folder has all of them."""


def freeze(
    workspace: Workspace,
    journal: LiveRunJournal,
    about: SourceInfo,
    *,
    on_stage: OnStage = silent,
    clock: Clock = utc_now,
) -> LiveRun:
    """Turn a run's records into a version of its topic. A crash leaves all of it or nothing, and it can be repeated."""
    store, run = workspace.store, journal.run
    _check_topic(store, run)
    pages = live_pages(store, run.run_id)
    now = clock()
    notes = unique_ids([*run.notes, *about_totals(run, pages, about.label)])
    run = replace(run, notes=notes)

    def role() -> SourceRole:
        """Check inside the transaction: before it, another thread may take the name or delete the topic."""
        _check_topic(store, run)
        return SourceRole("version", free_label(store, run.topic_id, run.label_wanted or f"{about.label} {now[:10]}"))

    def settle(brought: BatchReport) -> None:
        label = str(brought.role)
        store.set_version_text(run.topic_id, label, run.text)
        store.execute(
            """
            UPDATE live_runs SET state = 'done', problem = NULL, label = ?, file_id = ?, ended_at = ?, document = ?
            WHERE run_id = ?
            """,
            [label, brought.source_id, now, document_of(run), run.run_id],
        )
        ended = replace(run, ended_at=now)
        keep_search(store, run.topic_id, search_of_run(store, ended, brought.source_id, label))

    on_record = on_stage("recognising publications")
    origin = _origin(run, journal, pages, f"{about.label}, {now[:10]}")
    bring_batches(workspace, run.topic_id, role, origin, journal.batches(AT_ONCE), on_record=on_record, and_then=settle)
    return find_live_run(store, run.run_id)


def _check_topic(store: Store, run: LiveRun) -> None:
    if all(topic.topic_id != run.topic_id for topic in store.topics()):
        raise NotFoundError(
            f'topic "{run.topic_id}" no longer exists: create a topic of that name and resume the run, or delete '
            "the run"
        )


def _origin(run: LiveRun, journal: LiveRunJournal, pages: Sequence[LivePage], name: str) -> BatchOrigin:
    digest = sha256("\0".join((run.run_id, *(page.sha256 for page in pages))).encode()).hexdigest()
    terms = unique_ids([*run.notes, *(note for page in pages for note in page.notes)])
    rejected = tuple((None, None, reason) for reason in journal.reasons(MOST_REASONS))
    return BatchOrigin(
        name,
        digest,
        run.source,
        journal.n_records + journal.n_aside,
        journal.n_aside,
        SourceReport(rejected, terms),
    )


def free_label(store: Store, topic_id: str, wanted: str) -> str:
    """Return this name for a version, or a similar one that no version or file has."""
    taken = {row.version.label for row in store.versions(topic_id, deleted=True)}
    taken |= {source.role.label for source in load_sources(store, topic_id) if source.role.label}
    label, number = wanted, 1
    while label in taken:
        number += 1
        label = f"{wanted} ({number})"
    return label


def moved_note(before: int, after: int) -> str:
    return f"while pages were fetched, the hits in the source changed from {before:,} to {after:,}"


def about_totals(run: LiveRun, pages: Sequence[LivePage], source: str) -> list[str]:
    """Compare the records fetched with the source's own total, and note any difference."""
    last = {page.form: page.total for page in pages if page.total is not None}
    first = {page.form: page.total for page in reversed(pages) if page.total is not None}
    notes = []
    if run.is_capped:
        there = f"; {source} counts {sum(last.values()):,}" if last and len(run.prepared.forms) == 1 else ""
        n_forms = len(run.prepared.forms)
        n_left = n_forms - len({page.form for page in pages})
        left = f"; {n_left} of its {n_forms} searches were not started" if n_left else ""
        return [f"it stopped at its limit of {run.most:,}{there}{left}"]
    if first != last:
        before, after = sum(first.values()), sum(last.values())
        notes.append(moved_note(before, after))
    if not last:
        return notes
    came = run.n_records + run.n_aside
    if not max(last.values()) <= came <= sum(last.values()):
        text = f"{sum(last.values()):,}" if len(last) == 1 else f"up to {sum(last.values()):,}"
        notes.append(f"the source reported {text} but returned {came:,} different records")
    return notes


# A run in a live source: each page is stored as soon as it is received; at the end the run becomes a version.
#
#     plan_run -> go_on: page -> files -> one row of live_pages -> ... -> the version
#
# If it ends early, even by a crash, every page with a row remains, and `go_on` continues after the last of them.

P = ParamSpec("P")
T = TypeVar("T")
MOST_OF_ALL = 1_000_000
"""Maximum number of publications that a run may request."""
MOST_EMPTY = 50
"""Maximum pages in a row that are empty or repeat earlier records although more are announced."""
USUAL = SourceOptions()


def plan_run(
    workspace: Workspace,
    topic_id: str,
    source: LiveSource,
    text: str,
    *,
    dialect: DialectId | None = None,
    choices: SourceOptions = USUAL,
    most: int = MOST,
    label: str | None = None,
    earlier: str | None = None,
    fresh: bool = False,
    clock: Clock = utc_now,
) -> LiveRun:
    """Plan a run without sending anything; a missing topic is created.

    `label`: the label of the future version; None: source and day. `earlier`: the run that it repeats. An identical run
    of today is returned instead, already done, unless `fresh` is set.
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
    prepared: PreparedSearch,
    *,
    most: int = MOST,
    label: str | None = None,
    earlier: str | None = None,
    fresh: bool = False,
    clock: Clock = utc_now,
) -> LiveRun:
    """Plan a run for a text with prepared forms, which are sent exactly as they are."""
    store = workspace.store
    store.check_writable()
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
        raise InputError("the text contains an incomplete character that can't be sent: type it again") from e


def _label(wanted: str | None) -> str | None:
    name = " ".join((wanted or "").split())
    if not name.isprintable() or len(name) > 200 or name.casefold() in ("corpus", "core"):
        raise InputError('a version needs a label of up to 200 characters, other than "corpus" and "core"')
    return name or None


def same_run(
    workspace: Workspace, topic_id: str, prepared: PreparedSearch, *, most: int = MOST, clock: Clock = utc_now
) -> LiveRun | None:
    """Return the newest run of today (UTC) that sent the same and is done, if its version still exists."""
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
    """Fetch the rest of a run and turn it into a version; a run that is done is returned unchanged.

    An exception from `on_stage` or its progress pauses the run; an error of the source or the store fails it, with the
    reason in `problem`. Both are passed on, and the run can be resumed afterwards.
    """
    store = workspace.store
    store.check_writable()
    with alone(store, run_id):
        run = find_live_run(store, run_id)  # only now: another thread may have finished or deleted it until now
        if run.source != source.about.id:
            raise InputError(f"this run searches {run.source}, but {source.about.label} was opened")
        if run.state == "done":
            return run
        with _kept_state(store, run_id) as pausable:
            return _Work(workspace, run, source, pausable(on_stage), clock).do()


@contextmanager
def _kept_state(store: Store, run_id: str) -> Iterator[Callable[[OnStage], OnStage]]:
    paused: list[BaseException] = []

    def pausable(on_stage: OnStage) -> OnStage:
        return lambda stage: _noting(_noting(on_stage, paused)(stage), paused)

    keep_state(store, run_id, "running")
    try:
        yield pausable
    except BaseException as e:
        is_pause = any(e is each for each in paused) or not isinstance(e, Exception)
        problem = str(e) if isinstance(e, QueryscapeError) else f"an error in Queryscape ({type(e).__name__})"
        with suppress(StoreError):  # the cause may be a store that can't be written any more
            keep_state(store, run_id, *(("paused", None) if is_pause else ("failed", problem)))
        raise


def _noting(told: Callable[P, T], raised: list[BaseException]) -> Callable[P, T]:
    def noted(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return told(*args, **kwargs)
        except BaseException as e:
            raised.append(e)
            raise

    return noted


@dataclass
class _Work:
    workspace: Workspace
    run: LiveRun
    source: LiveSource
    on_stage: OnStage
    clock: Clock
    journal: LiveRunJournal = field(init=False)
    _lost: dict[int, int] = field(default_factory=dict)
    """Form -> number of records received when its position was lost."""
    _restarts: bool = False
    """The form is to be read from its beginning."""
    _n_calls: int = 0
    _n_empty: int = 0
    _since: set[str] = field(default_factory=set)
    """Keys received since the last new record, or since the form began."""

    def do(self) -> LiveRun:
        store = self.workspace.store
        self.journal = LiveRunJournal(store, self.workspace.paths.pages(self.run.run_id), self.run)
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

    def _page(self, form: Form, at: str | None) -> SourcePage | None:
        """Fetch a page; None: the position was lost, and the form must be read from the start."""
        self._check_budget()
        self._n_calls += 1
        try:
            return self.source.page(form, self.run.prepared.choices, at, self._wanted(form))
        except LostPlaceError as e:
            n = self.journal.n_records
            if at is None or self._lost.get(form.number) == n:
                raise ServiceError(f"{e}, and reading from the beginning returned nothing new: resume later") from e
            self._lost[form.number] = n
            self._restarts = True
            return None
        except FormatChangedError as e:
            path = self.journal.keep_changed(e.raw)
            raise FormatChangedError(f"{e} (the answer is in {path})", e.raw) from e

    def _wanted(self, form: Form) -> int:
        """Return the number of records to request: a whole page if some may repeat, as the rest may all be known."""
        if form.number or form.number in self._lost or self.journal.n_repeated:
            return max(self.run.most, self.source.about.per_page)
        return self.run.most - self.journal.n_records

    def _check_empty(self, page: SourcePage) -> None:
        """Stop a source that loops forever. Restarting a form repeats known records too, but each only once."""
        keys = {each.key for each in page.fetched}
        if is_news := self.journal.is_news(page):
            self._since.clear()
        is_barren = not is_news and keys <= self._since and page.next is not None
        self._n_empty = self._n_empty + 1 if is_barren else 0
        self._since |= keys
        if self._n_empty >= MOST_EMPTY:
            what = "pages of duplicates" if keys or page.aside else "empty pages"
            raise ServiceError(
                f"{self.source.about.label} sent {MOST_EMPTY} {what} and reports more to come: resume later"
            )

    def _check_budget(self) -> None:
        """Check the budget before paying for a page. A reported rest may be of another key, so it is tried once."""
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
                f"the daily budget of {about.label} is used up (${day.dollars:.4f} today): resume after midnight UTC"
            )


# Repeating a search later, and the changes in its publications.


def repeat(
    workspace: Workspace,
    run_id: str,
    source: LiveSource,
    *,
    most: int | None = None,
    label: str | None = None,
    clock: Clock = utc_now,
) -> LiveRun:
    """Plan a run that repeats a search, without sending anything. `most`: None: the same cap."""
    earlier = find_live_run(workspace.store, run_id)
    if earlier.source != source.about.id:
        raise InputError(f"this run searches {earlier.source}, but {source.about.label} was opened")
    return plan_prepared(
        workspace,
        earlier.topic_id,
        source,
        earlier.text,
        earlier.prepared,
        most=earlier.most if most is None else most,
        label=label,
        earlier=earlier.run_id,
        fresh=True,
        clock=clock,
    )


def repeat_estimate(run: LiveRun, *, ms_per_call: float | None = None) -> SourceRunEstimate:
    """Estimate a repeat with an unchanged total. `ms_per_call`: the response time of the earlier run."""
    about, n_forms = ABOUT[run.source], len(run.prepared.forms)
    total = run.n_records + run.n_repeated if run.total_last is None else run.total_last
    return estimate(
        min(total, run.most * n_forms),
        per_page=about.per_page,
        per_second=about.per_second,
        dollars_per_call=about.dollars_per_call,
        n_forms=n_forms,
        per_search=about.per_search,
        ms_per_call=ms_per_call,
    )


def changes_between(workspace: Workspace, earlier_id: str, later_id: str) -> SourceRunChanges:
    """Compare the records of two runs by the source's own keys; duplicates found by the library don't matter.

    Both runs may be unfinished; the result then has a caution.
    """
    before, after = (find_live_run(workspace.store, run_id) for run_id in (earlier_id, later_id))
    if before.source != after.source:
        raise InputError(f"a search in {before.source} can't be compared with one in {after.source}")
    return changes(
        fingerprints(workspace, before.run_id),
        fingerprints(workspace, after.run_id),
        total_before=before.total_last,
        total_after=after.total_last,
        is_cut_before=before.is_capped,
        is_cut_after=after.is_capped,
        is_whole_before=before.state == "done",
        is_whole_after=after.state == "done",
    )


def fingerprints(workspace: Workspace, run_id: str) -> Mapping[str, str]:
    """Return the key of every record that a run fetched, with a hash of its content."""
    folder = workspace.paths.pages(run_id)
    return {
        key: fingerprint(record)
        for page in live_pages(workspace.store, run_id)
        for key, record in fetched_of(folder / page.name)
    }


def history(workspace: Workspace, run_id: str) -> tuple[LiveRun, ...]:
    """Return a run with those that it repeats and those that repeat it, oldest first."""
    there = {run.run_id: run for run in reversed(live_runs(workspace.store))}
    first = find_live_run(workspace.store, run_id)
    seen = {first.run_id}
    while first.earlier_id in there and first.earlier_id not in seen:
        first = there[first.earlier_id]
        seen.add(first.run_id)
    chain, n = {first.run_id: first}, 0
    while n < len(chain):  # after a clock was set back, a repeat looks older than the run it repeats
        n = len(chain)
        for run in there.values():
            if run.earlier_id in chain:
                chain.setdefault(run.run_id, run)
    return tuple(chain.values())


# A run's own text matched locally with its publications, and the part that a narrower text keeps, without a request.


@dataclass(frozen=True, slots=True)
class Replay:
    """The extent to which a run can be narrowed without a request, and the part that a changed text keeps."""

    n: int
    """Publications that the run fetched."""
    n_agree: int
    """Publications that the run's own text also matches here.

    The others were found by subject headings, other word forms or full text, not by title, abstract and keywords.
    """
    semantics: Semantics
    """The rule for matching words."""
    standing: NarrowingVerdict | None = None
    """The relation of the changed text to the one that was run; None: nothing was changed."""
    kept: Ids = ()
    """Publications of the run that the changed text keeps."""
    dropped: Ids = ()
    """Publications that it drops."""
    unknown: Ids = ()
    """Publications that title, abstract, keywords and year can't decide."""
    is_capped: bool = False
    """The run stopped at its cap, so the changed text may find more beyond it."""

    @property
    def n_unknown(self) -> int:
        return len(self.unknown)

    @property
    def is_exact(self) -> bool:
        """True if `kept` is everything that the changed text would find."""
        decided = self.standing is not None and not self.standing.needs_run and not self.unknown
        return decided and not self.is_capped

    @property
    def sentence(self) -> str:
        share = f"{self.n_agree / self.n:.0%}".replace("%", " %") if self.n else "–"
        again = (
            f"The same text finds {self.n_agree:,} of the run's {self.n:,} publications here too ({share}). The "
            "others matched on something other than title, abstract and keywords."
            if self.n_agree < self.n
            else f"The same text finds all of the run's {self.n:,} publications here too."
        )
        if self.standing is None:
            return again
        found = f"It keeps {len(self.kept):,} and drops {len(self.dropped):,}"
        if self.unknown:
            found += f"; {self.n_unknown:,} can't be decided without querying the source"
        more = " Finding publications beyond the run needs a new run." if self.standing.needs_run else ""
        if self.is_capped:
            more += " The run stopped at its cap, so the source may find more."
        return f"{found}.{more} {again}"

    def as_document(self) -> dict[str, Any]:
        return asdict(self) | {"n_unknown": self.n_unknown, "is_exact": self.is_exact, "sentence": self.sentence}


def replay(
    workspace: Workspace,
    topic_id: str,
    ids: Sequence[str],
    text: str,
    changed: str | None = None,
    *,
    source: SourceId,
    dialect: DialectId | None = None,
    changed_dialect: DialectId | None = None,
    choices: SourceOptions = _USUAL,
) -> Replay:
    """Match the text of a run with the publications that it fetched, and a changed text, if there is one.

    `changed_dialect`: the dialect of the changed text; None: the same. The first call for a topic builds its index,
    which takes seconds. InputError: one of the texts has nothing to search for.
    """
    parsed = parse(text, dialect)
    if parsed.root is None:
        raise InputError("the text of this run has nothing to search for, so it can't be rerun locally")
    after = parse(changed, changed_dialect or parsed.dialect).root if changed is not None else None
    if changed is not None and after is None:
        raise InputError("nothing is left to search for: leave at least one term")
    return replay_trees(
        workspace.corpora.of(topic_id),
        ids,
        parsed.root,
        after,
        source=source,
        choices=choices,
        is_native=parsed.dialect == source,
    )


def replay_trees(
    corpus: CorpusIndex,
    ids: Sequence[str],
    before: Node,
    after: Node | None,
    *,
    source: SourceId,
    choices: SourceOptions = _USUAL,
    is_native: bool = False,
) -> Replay:
    """Replay parsed texts, such as a tree with terms switched off, over a corpus with the run's publications.

    `is_native`: the text was typed in the source's own language.
    """
    how = semantics_of(source, choices)
    first = as_read(before, source, choices)
    rows = _rows(corpus, ids)

    def chosen(found: Bits) -> Ids:
        mask = mask_of(found, len(corpus.ids))
        return tuple(i for i, row in rows.items() if mask[row])

    again = match(first, corpus, how).root
    n_agree = 0 if again is None else len(chosen(again))
    if after is None:
        return Replay(len(ids), n_agree, how)
    second = as_read(after, source, choices)

    def further(leaf: Leaf) -> bool:
        return looks_further(leaf, source, choices, is_native=is_native)

    deciding = LocalMatcher(corpus, how, further)
    found = standing(first, second, may_stem=how == "stemmed")
    kept, dropped, unknown = map(chosen, kept_of(deciding, first, second))
    unread = tuple(i for i in ids if i not in rows)
    return Replay(len(ids), n_agree, how, found, kept, dropped, unknown + unread)


def _rows(corpus: CorpusIndex, ids: Sequence[str]) -> dict[str, int]:
    """Return the row of each publication; those outside the corpus are left out."""
    there = set(corpus.ids)
    known = [i for i in ids if i in there]
    return dict(zip(known, corpus.rows_of_ids(known).tolist(), strict=True))


def replay_run(
    workspace: Workspace, run: LiveRun, changed: str | None = None, *, dialect: DialectId | None = None
) -> Replay:
    """Replay a finished run. `dialect`: the dialect of the changed text. InputError: it has no publications yet."""
    if run.label is None:
        raise InputError("this run is not finished: only fetched publications can be searched")
    rows = {row.version.label: row.version.query_id for row in workspace.store.versions(run.topic_id, deleted=True)}
    ids = workspace.store.load_retrieved_ids(rows[run.label]) if run.label in rows else ()
    found = replay(
        workspace,
        run.topic_id,
        ids,
        run.text,
        changed,
        source=run.source,
        dialect=run.prepared.dialect,
        changed_dialect=dialect,
        choices=run.prepared.choices,
    )
    return replace(found, is_capped=run.is_capped)
