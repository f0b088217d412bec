"""Runs in live sources: the store, the pages on disk, and the resulting publications and version."""

from __future__ import annotations

import gzip
import json
import shutil
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from core.audit.searches import Search
from core.documents import decoded
from core.errors import CorruptStoreError, FormatError, InputError, NotFoundError, StoreInUseError
from core.library.records import Record
from core.sources.runs import SearchMethodsFacts, SourceRunChanges, changed_fields, choices_in_words
from core.sources.source_forms import PreparedSearch, SourceId
from core.types import Ids, unique_ids
from data.access import check_allowed
from data.changes import author
from data.explore.workspace import Workspace
from data.files import disk_errors, written_aside
from data.library.searches import add_search_of, keep_search, new_search, without_search
from data.sources.registry import ABOUT
from data.sources.types import FetchedRecord, OddRecord, SentRequest, SourcePage
from data.store import Store, VersionRow

# Runs in live sources, in the store: the requests, the answers, and the result. Every page received is a row.

RunState = Literal["planned", "running", "paused", "failed", "done"]


@dataclass(frozen=True, slots=True)
class LiveRun:
    run_id: str
    topic_id: str
    """The topic that receives its publications."""
    source: SourceId
    text: str
    """As typed."""
    prepared: PreparedSearch
    most: int
    """Maximum number of publications to fetch."""
    state: RunState
    """running: also after a crash; such a run is resumed like a paused one."""
    label: str | None
    """The label of the resulting version; None until the run is done."""
    file_id: str | None
    """The library's source with its records; None until the run is done."""
    earlier_id: str | None
    """The run that this one repeats."""
    total_first: int | None
    """The source's own total on each form's first page; with several forms, the sum. None: it gave none."""
    total_last: int | None
    """The same on the last page."""
    n_records: int
    """Distinct records."""
    n_repeated: int
    """Records that were received again."""
    n_aside: int
    """Records in an unexpected form."""
    problem: str | None
    """The reason for its failure."""
    made_at: str
    ended_at: str | None
    """The time when it became a version."""
    address: str
    """The address of the source."""
    notes: Ids = ()
    """Notes on the results."""
    label_wanted: str | None = None
    """The label requested for the version, if it is still free then; None: source and day."""
    n_pages: int = 0
    n_calls: int = 0
    dollars: float = 0.0

    @property
    def is_capped(self) -> bool:
        """True if the run stopped at its cap; also assumed if it is unknown whether there was more."""
        is_all = len(self.prepared.forms) == 1 and self.total_last is not None and self.total_last <= self.n_records
        return self.n_records >= self.most and not is_all


@dataclass(frozen=True, slots=True)
class LivePage:
    number: int
    """From 1, in the order received."""
    form: int
    """The number of the form that was sent."""
    next: str | None
    """The start of the page after it; None: it was the last of its form."""
    total: int | None
    """The source's total for the form at the time."""
    n_records: int
    """Records on the page."""
    n_new: int
    """New records, up to the cap."""
    name: str
    """The name of the gzipped file in the run's folder."""
    sha256: str
    """The hash of the answer before gzip."""
    requests: tuple[SentRequest, ...]
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
    """Return the runs of one topic, or of all, newest first."""
    return tuple(_run(row) for row in store.rows(_RUNS, {"run": None, "topic": topic_id}))


def find_live_run(store: Store, run_id: str) -> LiveRun:
    found = store.rows(_RUNS, {"run": run_id, "topic": None})
    if not found:
        raise NotFoundError(f'no run "{run_id[:80]}": reload the list')
    return _run(found[0])


def live_pages(store: Store, run_id: str) -> tuple[LivePage, ...]:
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
    sent = tuple(SentRequest(**each) for each in json.loads(requests))
    return LivePage(
        *(number, form, following, total, n_records, n_new, name, digest, sent, tuple(json.loads(notes)), came_at)
    )


def _run(row: tuple[Any, ...]) -> LiveRun:
    run_id, topic_id, source, text, document, *rest = row
    try:
        stored = json.loads(document)
        prepared = decoded(stored["prepared"], PreparedSearch)
        notes, address, wanted = tuple(stored["notes"]), stored["address"], stored["label"]
    except (ValueError, KeyError, TypeError, FormatError) as e:
        raise CorruptStoreError(
            f"the requests of run {run_id} can't be read: delete it, or restore a copy of the store"
        ) from e
    *rest, n_pages, n_calls, dollars = rest
    return LiveRun(
        *(run_id, topic_id, source, text, prepared, *rest, address, notes, wanted, n_pages, n_calls, dollars)
    )


def document_of(run: LiveRun) -> str:
    """Return the data of a run that the store has no columns for."""
    prepared = asdict(run.prepared)
    return json.dumps(
        {"prepared": prepared, "address": run.address, "label": run.label_wanted, "notes": list(run.notes)}
    )


def save_new_run(store: Store, run: LiveRun) -> None:
    store.execute(
        "INSERT INTO live_runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            *(run.run_id, run.topic_id, run.source, run.text, document_of(run), run.most, run.state, run.label),
            *(run.file_id, run.earlier_id, run.total_first, run.total_last, run.n_records, run.n_repeated),
            *(run.n_aside, run.problem, run.made_at, run.ended_at, author() or None),
        ],
    )


def keep_state(store: Store, run_id: str, state: RunState, problem: str | None = None) -> None:
    store.execute("UPDATE live_runs SET state = ?, problem = ? WHERE run_id = ?", [state, problem, run_id])


def delete_live_run(workspace: Workspace, run_id: str) -> None:
    """Delete a run and its pages. The resulting version stays, with its records."""
    check_allowed("delete")
    store = workspace.store
    store.check_writable()
    if is_under_way(store, run_id):
        raise InputError("the run is in progress: pause it first")
    with alone(store, run_id):
        run = find_live_run(store, run_id)
        with store.transaction():
            store.execute("DELETE FROM live_pages WHERE run_id = ?", [run.run_id])
            store.execute("DELETE FROM live_runs WHERE run_id = ?", [run.run_id])
        folder = workspace.paths.pages(run.run_id)
        with disk_errors(folder):
            shutil.rmtree(folder, ignore_errors=True)


def is_under_way(store: Store, run_id: str) -> bool:
    """Return True if a process is working on the run."""
    return store.is_locked(f"run {run_id}")


@contextmanager
def alone(store: Store, run_id: str) -> Iterator[None]:
    """Hold a run exclusively; InputError: it is already in use."""
    with ExitStack() as held:
        try:
            held.enter_context(store.lock(f"run {run_id}", waits=False))
        except StoreInUseError as e:
            raise InputError("the run is already in progress: wait for it, or pause it") from e
        yield


# The pages of a run: a page is first a file and then a row, and only the row counts.
#
#     page-00001.gz           the answer as received
#     page-00001.records.gz   a line with the keys of the new records, then each of these, cleaned
#     aside.jsonl             records in an unexpected form
#     changed-001.bin         an answer in a changed format
#
# A crash between the two leaves files without a row; the page is then requested again and replaces them.

LEVEL = 1
"""The gzip level: saving a page must not take longer than receiving it."""
ASIDE = "aside.jsonl"


class LiveRunJournal:
    """The pages of one run so far, and the addition of more. Only the keys of the records are held in memory."""

    def __init__(self, store: Store, folder: Path, run: LiveRun) -> None:
        self.store, self.folder, self.run = store, folder, run
        self.keys: set[str] = set()
        """The keys of all records received."""
        self.n_pages = 0
        self.n_repeated, self.n_aside = run.n_repeated, run.n_aside
        self.firsts: dict[int, int] = {}
        self.lasts: dict[int, int] = {}
        """By form: the source's own total on its first and its last page."""
        self._form = 0
        self._next: str | None = None
        self._is_begun = False
        self._aside: set[bytes] = set()
        self._read()

    # The pages received

    @property
    def n_records(self) -> int:
        """The number of distinct records."""
        return len(self.keys)

    @property
    def place(self) -> tuple[int, str | None] | None:
        """The form and the start of its next page; None: everything was fetched, or as much as the cap allows."""
        if self.n_records >= self.run.most:
            return None
        if self._is_begun and self._next is None:
            return (self._form + 1, None) if self._form + 1 < len(self.run.prepared.forms) else None
        return self._form, self._next

    @property
    def totals(self) -> tuple[int | None, int | None]:
        """The source's own totals on the first and the last pages; with several forms, their sums."""
        return _sum(self.firsts), _sum(self.lasts)

    @property
    def expected(self) -> int:
        """The number of records to expect, as far as known; 0 before the first answer."""
        total = self.totals[1]
        if not self._is_begun:
            return 0
        return self.run.most if total is None else min(self.run.most, max(total, self.n_records))

    def _read(self) -> None:
        found = self.store.rows(
            "SELECT number, form, next, total, n_new, name FROM live_pages WHERE run_id = ? ORDER BY number",
            [self.run.run_id],
        )
        for number, form, following, total, n_new, name in found:
            keys = keys_of(self.folder / name)
            if len(keys) != n_new:
                raise _damaged(self.folder / name)
            self.keys.update(keys)
            self._went_on(number, form, following, total)
        self._clear()

    def _clear(self) -> None:
        """Remove the remains of a crash: partial files, and lines of a page without a row."""
        if not self.folder.exists():
            return
        with disk_errors(self.folder):
            for left in self.folder.glob("*.part"):
                left.unlink(missing_ok=True)
            path = self.folder / ASIDE
            lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
            kept = [line for line in lines if line.endswith(b"\n") and self._page_of(line) <= self.n_pages]
            if len(kept) != len(lines):
                with written_aside(path) as file:
                    file.writelines(kept)
        self._aside = {_digest(json.loads(line)["raw"]) for line in kept}

    def _page_of(self, line: bytes) -> int:
        try:
            document = json.loads(line)
            _digest(document["raw"])
            return int(document["page"])
        except (ValueError, KeyError, TypeError, AttributeError) as e:
            raise CorruptStoreError(
                f"{self.folder / ASIDE} is damaged: restore a copy, or delete the run and start it again"
            ) from e

    def _went_on(self, number: int, form: int, following: str | None, total: int | None) -> None:
        self.n_pages, self._form, self._next, self._is_begun = number, form, following, True
        if total is not None:
            self.firsts.setdefault(form, total)
            self.lasts[form] = total

    # Adding pages

    def is_news(self, page: SourcePage) -> bool:
        return any(each.key not in self.keys for each in page.fetched) or any(
            _digest(each.raw) not in self._aside for each in page.aside
        )

    def keep(self, form: int, page: SourcePage, came_at: str) -> int:
        """Save a page: files first, then one transaction. Return the number of new records."""
        number = self.n_pages + 1
        name = f"page-{number:05d}.gz"
        new, n_repeated = self._new(page)
        aside = [each for each in page.aside if _digest(each.raw) not in self._aside]
        self._write(name, page, new)
        self._write_aside(number, aside)
        earlier = self.firsts.copy(), self.lasts.copy()
        if page.total is not None:
            self.firsts.setdefault(form, page.total)
            self.lasts[form] = page.total
        try:
            self._insert(number, form, name, page, (len(new), n_repeated, len(aside)), came_at)
        except BaseException:
            self.firsts, self.lasts = earlier
            raise
        self.keys.update(each.key for each in new)
        self._aside.update(_digest(each.raw) for each in aside)
        self.n_repeated += n_repeated
        self.n_aside += len(aside)
        self._went_on(number, form, page.next, page.total)
        return len(new)

    def _new(self, page: SourcePage) -> tuple[list[FetchedRecord], int]:
        """Return the new records of a page, up to the cap, and the number of repeated ones."""
        new: dict[str, FetchedRecord] = {}
        n_repeated = 0
        for each in page.fetched:
            if each.key in self.keys or each.key in new:
                n_repeated += 1
            elif self.n_records + len(new) < self.run.most:
                new[each.key] = each
        return list(new.values()), n_repeated

    def _write(self, name: str, page: SourcePage, new: list[FetchedRecord]) -> None:
        lines = [json.dumps([each.key for each in new])]
        lines += [json.dumps(each.record.document(), ensure_ascii=False) for each in new]
        with written_aside(records_file(self.folder / name)) as file:
            file.write(_gzipped("\n".join(lines).encode(errors="surrogatepass")))
        with written_aside(self.folder / name) as file:
            file.write(_gzipped(page.raw))

    def _write_aside(self, number: int, aside: list[OddRecord]) -> None:
        if not aside:
            return
        path = self.folder / ASIDE
        lines = [json.dumps({"page": number, "reason": each.reason, "raw": each.raw}) + "\n" for each in aside]
        with disk_errors(path), path.open("ab") as file:
            file.write("".join(lines).encode())

    def _insert(
        self, number: int, form: int, name: str, page: SourcePage, counts: tuple[int, int, int], came_at: str
    ) -> None:
        n_new, n_repeated, n_aside = counts
        requests = json.dumps([asdict(sent) for sent in page.sent])
        first, last = self.totals
        with self.store.transaction():
            self.store.execute(
                "INSERT INTO live_pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    *(self.run.run_id, number, form, page.next, page.total, len(page.fetched), n_new, name),
                    *(sha256(page.raw).hexdigest(), requests, json.dumps(page.notes), came_at),
                ],
            )
            self.store.execute(
                """
                UPDATE live_runs SET n_records = ?, n_repeated = ?, n_aside = ?, total_first = ?, total_last = ?
                WHERE run_id = ?
                """,
                [
                    *(self.n_records + n_new, self.n_repeated + n_repeated, self.n_aside + n_aside),
                    *(first, last, self.run.run_id),
                ],
            )

    def keep_changed(self, raw: bytes) -> Path:
        number = 1 + len(list(self.folder.glob("changed-*.bin")))
        path = self.folder / f"changed-{number:03d}.bin"
        with written_aside(path) as file:
            file.write(raw)
        return path

    # Reading the records

    def batches(self, at_least: int) -> Iterator[list[Record]]:
        """Yield every record, numbered from 1, in batches."""
        some: list[Record] = []
        number = 0
        for page in range(1, self.n_pages + 1):
            path = self.folder / f"page-{page:05d}.gz"
            for document in documents_of(path):
                number += 1
                with _readable(path):
                    some.append(Record.from_document(json.loads(document), number))
            if len(some) >= at_least:
                yield some
                some = []
        if some:
            yield some

    def reasons(self, most: int) -> list[str]:
        """Return the reasons why records were set aside, in the order received."""
        path = self.folder / ASIDE
        if not path.exists():
            return []
        with disk_errors(path), path.open("rb") as file:
            return [json.loads(line)["reason"] for line, _ in zip(file, range(most), strict=False)]


def _sum(totals: dict[int, int]) -> int | None:
    return sum(totals.values()) if totals else None


def _digest(raw: str) -> bytes:
    return sha256(raw.encode(errors="surrogatepass")).digest()


def _gzipped(data: bytes) -> bytes:
    return gzip.compress(data, LEVEL, mtime=0)


def records_file(page: Path) -> Path:
    return page.with_name(f"{page.stem}.records.gz")


def keys_of(page: Path) -> Ids:
    """Return the keys of the new records of a page, without reading any record."""
    with _readable(page), gzip.open(records_file(page), "rb") as file:
        return tuple(json.loads(file.readline()))


def documents_of(page: Path) -> Iterator[bytes]:
    """Yield the new records of a page, each as JSON."""
    with _readable(page):
        lines = gzip.decompress(records_file(page).read_bytes()).split(b"\n")
        if len(lines) - 1 != len(json.loads(lines[0])):
            raise ValueError("a record for each key")
    yield from lines[1:]


def fetched_of(page: Path) -> Iterator[tuple[str, Record]]:
    for key, document in zip(keys_of(page), documents_of(page), strict=True):
        yield key, Record.from_document(json.loads(document))


@contextmanager
def _readable(page: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, ValueError, TypeError, zlib.error) as e:
        raise _damaged(page) from e


def _damaged(page: Path) -> CorruptStoreError:
    return CorruptStoreError(
        f"{records_file(page)} is missing or damaged: restore a copy, or delete the run and start it again"
    )


# A run in the methods section of a review.


def searched_of(run: LiveRun, pages: Sequence[LivePage], *, repeats: str = "") -> SearchMethodsFacts:
    """Return the facts for the methods sentence. The start and the address are those of the first request."""
    first = next((sent for page in pages for sent in page.requests), None)
    return SearchMethodsFacts(
        source=ABOUT[run.source].label,
        address=run.address if first is None else first.address.partition("?")[0],
        began=run.made_at if first is None else first.at,
        ended=run.ended_at,
        forms=tuple(form.text for form in run.prepared.forms),
        total_first=run.total_first,
        total_last=run.total_last,
        n_fetched=run.n_records,
        n_aside=run.n_aside,
        most=run.most,
        n_repeated=run.n_repeated,
        n_begun=len({page.form for page in pages}) if run.state == "done" else None,
        choices=choices_of(run),
        repeats=repeats,
    )


def search_of_run(store: Store, run: LiveRun, file_id: str, label: str) -> Search:
    """Return the search that a finished run is, not saved yet: the string as it was sent, its time and its hits."""
    facts = searched_of(run, live_pages(store, run.run_id))
    forms = run.prepared.forms
    times = unique_ids(_minute(at) for at in (facts.began, facts.ended) if at)
    sent = f", sent in {len(forms)} parts" if len(forms) > 1 else ""
    return new_search(
        store,
        run.topic_id,
        database=facts.source,
        platform=facts.source,
        searched_on=facts.began[:10],
        text=forms[0].text if len(forms) == 1 else run.prepared.text,
        limits=facts.choices,
        n_hits=run.total_first if run.total_last is None else run.total_last,
        label=label,
        note=f"Live search, {' to '.join(times)} UTC{sent}",
        source_ids=(file_id,),
    )


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")


def add_missing_searches(store: Store, topic_id: str) -> int:
    """Add a search for each file that belongs to none. Return their number."""
    runs = {run.file_id: run for run in live_runs(store, topic_id) if run.state == "done"}
    files = without_search(store, topic_id)
    store.check_writable()
    with store.transaction():
        for source in files:
            if (run := runs.get(source.source_id)) is not None and source.role.label is not None:
                keep_search(store, topic_id, search_of_run(store, run, source.source_id, source.role.label))
            else:
                add_search_of(store, topic_id, source, source.report.origin)
    return len(files)


def choices_of(run: LiveRun) -> str:
    return choices_in_words(run.source, run.prepared.choices, has_wildcards=any(sign in run.text for sign in "*?$"))


def repeated_at(store: Store, run: LiveRun) -> str:
    """Return the time when the repeated run was planned; empty: it repeats none, or that one was deleted."""
    if run.earlier_id is None:
        return ""
    try:
        return find_live_run(store, run.earlier_id).made_at
    except NotFoundError:
        return ""


# The publications of the records of a finished run, and the number that are new to the topic.


def publications_of(workspace: Workspace, run: LiveRun) -> Mapping[str, str]:
    """Map the source's own key of each record to its current publication. Empty until the run is done."""
    if run.file_id is None:
        return {}
    found = workspace.store.rows("SELECT number, publication_id FROM records WHERE source_id = ?", [run.file_id])
    by_number = dict(found)
    folder = workspace.paths.pages(run.run_id)
    keys = (key for page in live_pages(workspace.store, run.run_id) for key in keys_of(folder / page.name))
    return {key: by_number[number] for number, key in enumerate(keys, start=1) if number in by_number}


def n_new_of(store: Store, run: LiveRun) -> int | None:
    """Count the publications that this run was the first to add; None: it is not done."""
    if run.file_id is None:
        return None
    ((n,),) = store.rows("SELECT count(*) FROM records WHERE source_id = ? AND rule IS NULL", [run.file_id])
    return int(n)


# The version that resulted from a run, while it exists; after deletion its label may be used for another.


def version_of(workspace: Workspace, run: LiveRun) -> VersionRow | None:
    """Return the version, even if it is hidden (`deleted_at`); None: the run is not done, or its version is gone."""
    store = workspace.store
    if run.label is None or not store.rows("SELECT 1 FROM sources WHERE source_id = ?", [run.file_id]):
        return None
    rows = store.versions(run.topic_id, deleted=True)
    return next((row for row in rows if row.version.label == run.label), None)


def brought_ids(workspace: Workspace, run: LiveRun) -> frozenset[str] | None:
    """Return the publications that a run fetched; None: it is not done, or its version is gone."""
    row = version_of(workspace, run)
    return None if row is None else frozenset(workspace.store.load_retrieved_ids(row.version.query_id))


# The files of a run for inspection: records set aside, and changes from one run to another.

Fate = Literal["new", "gone", "changed"]


@dataclass(frozen=True, slots=True)
class RunOddRecord:
    page: int
    reason: str
    """Completes "a record was put aside: ..."."""
    raw: str


@dataclass(frozen=True, slots=True)
class ChangedRecord:
    """A record that only one of two runs fetched, or whose content differs in the later one."""

    key: str
    """The source's own key for it."""
    fate: Fate
    record: Record
    """As in the later run; if it is gone, as in the earlier run."""
    fields: Ids = ()
    """The changed fields."""


def records_of(workspace: Workspace, run_id: str, page: int | None = None) -> tuple[tuple[str, Record], ...]:
    """Return the distinct records of a run with their keys, or the new ones of one page, in the order received."""
    folder = workspace.paths.pages(run_id)
    pages = (each for each in live_pages(workspace.store, run_id) if page in (None, each.number))
    return tuple(found for each in pages for found in fetched_of(folder / each.name))


def put_aside(workspace: Workspace, run_id: str) -> tuple[RunOddRecord, ...]:
    """Return the records of a run that were set aside, in the order received."""
    path = workspace.paths.pages(run_id) / ASIDE
    with disk_errors(path):
        lines = path.read_bytes().splitlines() if path.exists() else []
    n_pages = len(live_pages(workspace.store, run_id))
    found = []
    for line in lines:
        try:
            document = json.loads(line)
            found.append(RunOddRecord(int(document["page"]), str(document["reason"]), str(document["raw"])))
        except (ValueError, KeyError, TypeError) as e:
            raise CorruptStoreError(f"{path} is damaged: restore a copy, or delete the run") from e
    return tuple(each for each in found if each.page <= n_pages)  # a crash may have left lines of a page without a row


def unread_answers(workspace: Workspace, run_id: str) -> tuple[Path, ...]:
    """Return the files with answers in an undocumented format."""
    return tuple(sorted(workspace.paths.pages(run_id).glob("changed-*.bin")))


def changed_records(
    workspace: Workspace, earlier_id: str, later_id: str, found: SourceRunChanges
) -> tuple[ChangedRecord, ...]:
    """Return new, then gone, then changed records; only these are read."""
    before = dict(_records(workspace, earlier_id, {*found.gone, *found.changed}))
    after = dict(_records(workspace, later_id, {*found.new, *found.changed}))
    return (
        *(ChangedRecord(key, "new", after[key]) for key in found.new),
        *(ChangedRecord(key, "gone", before[key]) for key in found.gone),
        *_changed(before, after, found.changed),
    )


def _changed(before: Mapping[str, Record], after: Mapping[str, Record], keys: Ids) -> Iterator[ChangedRecord]:
    for key in keys:
        yield ChangedRecord(key, "changed", after[key], changed_fields(before[key], after[key]))


def _records(workspace: Workspace, run_id: str, wanted: Collection[str]) -> Iterator[tuple[str, Record]]:
    if not wanted:
        return
    folder = workspace.paths.pages(run_id)
    for page in live_pages(workspace.store, run_id):
        keys = keys_of(folder / page.name)
        if any(key in wanted for key in keys):
            for key, document in zip(keys, documents_of(folder / page.name), strict=True):
                if key in wanted:
                    yield key, Record.from_document(json.loads(document))
