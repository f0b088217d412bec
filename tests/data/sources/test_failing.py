"""Runs that fail: what is said, what is kept, and how they go on."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.errors import (
    BudgetSpentError,
    DiskFullError,
    FormatChangedError,
    InputError,
    NotFoundError,
    OutOfReachError,
    QueryscapeError,
    ServiceError,
)
from data.database import Database
from data.explore.workspace import Workspace
from data.library.filing import delete_topic, delete_version
from data.library.records import SourceRole, load_sources
from data.sources import runs as journal
from data.sources.fetch import go_on
from data.sources.registry import Meter
from data.sources.runs import LiveRun, find_live_run, live_pages
from data.sources.types import OddRecord, SentRequest
from tests.data.listed_source import ABOUT, ListedSource, fetched, numbered, paying
from tests.data.sources.live_runs import TOPIC, clock, done, gone_on, planned, raising
from tests.messages import refusal


def failed(workspace: Workspace, source: ListedSource, run: LiveRun, kind: type[Exception]) -> LiveRun:
    with pytest.raises(kind) as raised:
        gone_on(workspace, run, source)
    run = find_live_run(workspace.store, run.run_id)
    assert run.state == "failed"
    if issubclass(kind, QueryscapeError):
        assert run.problem == str(raised.value)
    return run


def went_on(workspace: Workspace, source: ListedSource, run: LiveRun) -> LiveRun:
    source.before = lambda form, begin: None
    run = gone_on(workspace, run, source)
    assert (run.state, run.problem) == ("done", None)
    return run


def keys(workspace: Workspace, run: LiveRun) -> list[int]:
    found = workspace.store.rows("SELECT pmid FROM records WHERE source_id = ? ORDER BY number", [run.file_id])
    return [int(number) for (number,) in found]


@pytest.mark.parametrize("kind", [OutOfReachError, ServiceError, BudgetSpentError])
def test_what_a_source_says_ends_the_run_and_it_goes_on_later(workspace: Workspace, kind: type[ServiceError]) -> None:
    source = ListedSource([numbered(45)], before=raising(kind("the source said no: ask later"), 20))
    run = failed(workspace, source, planned(workspace, source), kind)
    assert (run.n_records, run.n_pages, run.problem) == (20, 2, "the source said no: ask later")
    assert keys(workspace, went_on(workspace, source, run)) == list(range(1, 46))


def test_a_mistake_of_ours_is_no_pause(workspace: Workspace) -> None:
    source = ListedSource([numbered(5)], before=raising(ZeroDivisionError("secret")))
    run = failed(workspace, source, planned(workspace, source), ZeroDivisionError)
    assert "ZeroDivisionError" in str(run.problem)
    assert "secret" not in str(run.problem)
    assert keys(workspace, went_on(workspace, source, run)) == [1, 2, 3, 4, 5]


# A place that is lost


def test_after_a_lost_place_the_form_is_read_again_and_nothing_doubles(workspace: Workspace) -> None:
    def before(form: int, begin: int) -> None:
        if begin == 20 and form == 1:
            source.session = "later"

    source = ListedSource([numbered(5), numbered(45, 100)], before=before)
    run = done(workspace, source)
    assert keys(workspace, run) == [*range(1, 6), *range(100, 145)]
    assert (run.n_repeated, run.n_records, run.n_pages, run.total_last) == (20, 50, 8, 50)
    assert [form for form, at, _ in source.asked if at is None] == [0, 1, 1]
    assert run.notes == ()


def test_a_place_that_is_lost_again_and_again_ends_the_run(workspace: Workspace) -> None:
    def before(form: int, begin: int) -> None:
        source.session += "x"

    source = ListedSource([numbered(45)], before=before, session="a")
    run = failed(workspace, source, planned(workspace, source), ServiceError)
    assert "nothing new" in str(run.problem)
    assert run.n_records == 0
    source.before = lambda form, begin: None
    source.session = "b"
    assert keys(workspace, went_on(workspace, source, run)) == list(range(1, 46))


def test_a_place_may_be_lost_often_while_more_comes(workspace: Workspace) -> None:
    served: set[int] = set()

    def before(form: int, begin: int) -> None:
        if begin and begin not in served:
            served.add(begin)
            source.session += "x"

    source = ListedSource([numbered(45)], before=before)
    run = done(workspace, source)
    assert keys(workspace, run) == list(range(1, 46))
    assert len(served) == 4


# Answers that are not as they should be


def test_a_changed_form_is_kept_whole(workspace: Workspace) -> None:
    changed = FormatChangedError("PubMed, efetch: no list of articles", b"\x00<new/>")
    source = ListedSource([numbered(15)], before=raising(changed, 10))
    run = failed(workspace, source, planned(workspace, source), FormatChangedError)
    folder = workspace.paths.pages(run.run_id)
    assert (folder / "changed-001.bin").read_bytes() == b"\x00<new/>"
    assert str(folder / "changed-001.bin") in str(run.problem)
    run = failed(workspace, source, run, FormatChangedError)
    assert sorted(path.name for path in folder.glob("changed-*")) == ["changed-001.bin", "changed-002.bin"]
    assert keys(workspace, went_on(workspace, source, run)) == list(range(1, 16))


def test_records_put_aside_are_kept_and_counted_once(workspace: Workspace) -> None:
    lost = []

    def before(form: int, begin: int) -> None:
        if begin == 20 and not lost:
            lost.append(begin)
            source.session = "later"

    bad = {0: OddRecord('{"id": 7}', "no title"), 10: OddRecord("<half", "ends too early")}
    source = ListedSource([numbered(25)], before=before, aside=bad, total=lambda form, begin: 27)
    run = done(workspace, source)
    assert lost
    assert (run.n_aside, run.n_records, run.notes) == (2, 25, ())
    lines = (workspace.paths.pages(run.run_id) / "aside.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"page": 1, "reason": "no title", "raw": '{"id": 7}'},
        {"page": 2, "reason": "ends too early", "raw": "<half"},
    ]
    (row,) = load_sources(workspace.store, TOPIC)
    assert (row.n_in_file, row.n_rejected, row.n_records) == (27, 2, 25)
    assert [reason for _, _, reason in row.report.rejected] == ["no title", "ends too early"]


def test_pages_without_end_and_without_records(workspace: Workspace) -> None:
    class Empty(ListedSource):
        def page(self, *args: object) -> object:  # type: ignore[override]
            self.asked.append((0, None, 0))
            return journal.SourcePage((), (), 9, f"{len(self.asked)}", b"")

    source = Empty([numbered(1)])
    run = failed(workspace, source, planned(workspace, source), ServiceError)
    assert "50 empty pages" in str(run.problem)
    assert len(source.asked) == 50


# Money


def test_nothing_is_asked_when_the_day_s_money_is_spent(workspace: Workspace) -> None:
    meter = Meter(workspace.store, clock)
    sent = SentRequest("GET", "https://x", "", clock(), 1.0, 200, 1, 0.999)
    meter.note(ABOUT.id, sent)
    source = paying(ListedSource([numbered(45)]), dollars_per_call=0.01, dollars_per_day=1.0)
    run = failed(workspace, source, planned(workspace, source), BudgetSpentError)
    assert source.asked == []
    assert "PubMed is used up ($0.9990 today): " in str(run.problem)
    tomorrow = "2026-11-23T00:00:01+00:00"
    assert go_on(workspace, run.run_id, source, clock=lambda: tomorrow).label == "PubMed 2026-11-23"


def test_what_the_source_says_is_left_counts_from_the_first_answer_on(workspace: Workspace) -> None:
    """What was noted before may be of another key: the source is asked once."""
    meter = Meter(workspace.store, clock)
    meter.note(ABOUT.id, SentRequest("GET", "https://x", "", clock(), 1.0, 200, 1, 0.1), 0.0)
    source = paying(ListedSource([numbered(45)]), dollars_per_call=0.01, dollars_per_day=1.0)
    run = failed(workspace, source, planned(workspace, source), BudgetSpentError)
    assert (run.n_records, len(source.asked)) == (10, 1)

    def before(form: int, begin: int) -> None:
        meter.note(ABOUT.id, SentRequest("GET", "https://x", "", clock(), 1.0, 200, 1, 0.01), 0.8)

    source.before = before
    assert gone_on(workspace, run, source).n_records == 45


def test_whoever_paid_for_more_than_is_free_gets_it(workspace: Workspace) -> None:
    meter = Meter(workspace.store, clock)
    meter.note(ABOUT.id, SentRequest("GET", "https://x", "", clock(), 1.0, 200, 1, 5.0), 0.02)
    source = paying(ListedSource([numbered(25)]), dollars_per_call=0.01, dollars_per_day=1.0)
    run = planned(workspace, source)
    assert gone_on(workspace, run, source).n_records == 25
    meter.note(ABOUT.id, SentRequest("GET", "https://x", "", clock(), 1.0, 200, 1, 0.01), 0.009)
    n = len(source.asked)
    failed(workspace, source, planned(workspace, source), BudgetSpentError)
    assert len(source.asked) == n


# Becoming a version


def test_a_topic_that_was_deleted_meanwhile(workspace: Workspace) -> None:
    source = ListedSource([numbered(15)])
    run = planned(workspace, source)
    delete_topic(workspace, TOPIC)
    run = failed(workspace, source, run, NotFoundError)
    assert f'topic "{TOPIC}" no longer exists' in str(run.problem)
    assert run.n_records == 15
    workspace.store.save_topic(TOPIC, ())
    assert keys(workspace, went_on(workspace, source, run)) == list(range(1, 16))
    assert len(source.asked) == 2  # everything had come


def test_a_label_that_is_taken_gets_a_number(workspace: Workspace) -> None:
    source = ListedSource([numbered(3)])
    runs = [planned(workspace, source, label=label) for label in ("Mine", "Mine", None, None, "  Mine ")]
    labels = [gone_on(workspace, run, source).label for run in runs]
    assert labels == ["Mine", "Mine (2)", "PubMed 2026-11-22", "PubMed 2026-11-22 (2)", "Mine (3)"]
    hidden = workspace.version(TOPIC, "Mine (2)").version.query_id
    workspace.store.say_of_version(hidden, name=None, note=None, deleted_at=clock())
    run = planned(workspace, source, label="Mine (2)")
    assert gone_on(workspace, run, source).label == "Mine (2) (2)"
    with refusal(InputError):
        planned(workspace, source, label="Core")


def test_a_version_that_was_deleted_leaves_what_was_sent(workspace: Workspace) -> None:
    source = ListedSource([numbered(15)])
    run = done(workspace, source)
    delete_version(workspace, TOPIC, str(run.label))
    assert find_live_run(workspace.store, run.run_id) == run
    assert len(live_pages(workspace.store, run.run_id)) == 2
    assert gone_on(workspace, run, source) == run


@pytest.mark.parametrize("statement", ["INSERT INTO records", "INSERT INTO retrieved", "SET state = 'done'"])
def test_a_run_becomes_a_version_or_nothing_at_all(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    source = ListedSource([numbered(15)])
    run = planned(workspace, source)
    tables = ("publications", "sources", "records", "query_versions", "retrieved")
    before = {table: workspace.store.rows(f"SELECT * FROM {table}") for table in tables}
    unbroken = Database._run

    def broken(self: Database, sql: str, *rest: object) -> object:
        if statement in sql:
            raise DiskFullError("no room left")
        return unbroken(self, sql, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Database, "_run", broken)
    run = failed(workspace, source, run, DiskFullError)
    monkeypatch.undo()
    assert {table: workspace.store.rows(f"SELECT * FROM {table}") for table in tables} == before
    assert (run.n_records, run.label, run.file_id) == (15, None, None)
    assert keys(workspace, went_on(workspace, source, run)) == list(range(1, 16))
    assert len(source.asked) == 2


def test_records_meet_what_the_topic_has(workspace: Workspace) -> None:
    """Also where another topic without files knows a publication: what it knew is not lost to the run."""
    first = ListedSource([[fetched(1), fetched(2, abstract=""), fetched(3, title="A cup")]])
    done(workspace, first)
    store = workspace.store
    (known,) = store.load_publications(["pmid:3"])
    with store.transaction():
        store.save_publications([replace(known, publication_id="pmid:9", title="Known elsewhere")])
        store.save_topic("Other", ("pmid:9",))
    second = ListedSource([[fetched(2), fetched(3), fetched(9)]])
    run = done(workspace, second)
    said = store.load_publications(["pmid:2", "pmid:3", "pmid:9"])
    assert [p.title for p in said] == ["Study number 2 of many cups of tea", "A cup", "Known elsewhere"]
    assert said[0].abstract == "Steeped for three minutes."
    assert workspace.version(TOPIC, str(run.label)).n_retrieved == 3
    assert [row.role for row in load_sources(store, "Other")] == [SourceRole("core")]
