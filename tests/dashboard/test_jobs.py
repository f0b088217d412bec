"""Background jobs: so many at a time, told how far they are, given up when nobody waits, and never with a traceback."""

from __future__ import annotations

import logging
from collections.abc import Callable
from random import Random
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.protocols import OnStage
from dashboard.jobs import AT_ONCE, MOST_FINISHED, Job, Jobs, Work, stop_all
from dashboard.status import how_far

PATIENCE = 30
"""Seconds until a test that hangs says so."""


class Steps:
    """Work that stops where the test wants to look, and goes on when it is told to."""

    def __init__(self) -> None:
        self.reached = Event()
        self.go_on = Event()

    def work(self, on_stage: OnStage) -> None:
        report = on_stage("counting sheep")
        report(3, 12)
        self.reached.set()
        assert self.go_on.wait(PATIENCE)
        report(12, 12)

    def wait_until_reached(self) -> None:
        assert self.reached.wait(PATIENCE)


@pytest.fixture
def jobs() -> Jobs:
    return Jobs()


def quick(on_stage: OnStage) -> None:
    """Work that is over at once."""


def failing(e: BaseException) -> Work:
    def work(on_stage: OnStage) -> None:
        raise e

    return work


def noting(notes: list[str], name: str) -> Callable[[OnStage], None]:
    return lambda on_stage: notes.append(name)


def test_a_job_says_how_far_it_is(jobs: Jobs) -> None:
    steps = Steps()
    job = jobs.start("a", "Counting", steps.work)
    steps.wait_until_reached()
    assert jobs.find("a") is job
    assert (job.stage, job.done, job.total, job.share, job.is_over) == ("counting sheep", 3, 12, 0.25, False)
    steps.go_on.set()
    jobs.wait()
    assert (job.share, job.finished, job.is_over, job.error, job.cancelled) == (1.0, True, True, None, False)


def test_one_job_runs_at_a_time_in_the_order_of_start(jobs: Jobs) -> None:
    first, notes = Steps(), list[str]()
    jobs.start("first", "First", lambda on_stage: (first.work(on_stage), notes.append("first"))[1])
    others = [jobs.start(name, name, noting(notes, name)) for name in ("b", "a", "c")]
    first.wait_until_reached()
    assert (notes, [job.is_over for job in others]) == ([], [False] * 3)
    assert {job.stage for job in others} == {""}
    first.go_on.set()
    jobs.wait()
    assert notes == ["first", "b", "a", "c"]


def test_a_long_job_does_not_hold_up_what_a_page_waits_for(jobs: Jobs) -> None:
    long = Steps()
    demo = jobs.start("demo", "Demo", long.work, lane="long")
    long.wait_until_reached()
    notes: list[str] = []
    clusters = jobs.start_latest("clusters", "0.7", "Clusters", noting(notes, "clusters"))
    second = Steps()
    jobs.start("other", "Other", second.work)
    second.wait_until_reached()
    assert (clusters.finished, notes, demo.is_over) == (True, ["clusters"], False)
    second.go_on.set()
    long.go_on.set()
    jobs.wait()
    assert demo.finished


def test_starting_twice_gives_the_same_job(jobs: Jobs) -> None:
    notes: list[str] = []
    job = jobs.start("a", "A", noting(notes, "once"))
    assert jobs.start("a", "A", noting(notes, "again")) is job
    jobs.wait()
    assert jobs.start("a", "A", noting(notes, "after")) is job
    jobs.wait()
    assert notes == ["once"]
    jobs.forget("a")
    jobs.forget("never there")
    assert jobs.find("a") is None
    assert jobs.start("a", "A", noting(notes, "forgotten")) is not job
    jobs.wait()
    assert notes == ["once", "forgotten"]


def test_a_cancelled_job_ends_at_its_next_report(jobs: Jobs) -> None:
    steps = Steps()
    job = jobs.start("a", "A", steps.work)
    steps.wait_until_reached()
    job.cancel.set()
    assert not job.is_over
    steps.go_on.set()
    jobs.wait()
    assert (job.cancelled, job.finished, job.error, job.is_over, job.done) == (True, False, None, True, 3)


def test_a_job_that_is_cancelled_before_its_turn_does_nothing(jobs: Jobs) -> None:
    steps, notes = Steps(), list[str]()
    jobs.start("a", "A", steps.work)
    job = jobs.start("b", "B", noting(notes, "b"))
    job.cancel.set()
    steps.go_on.set()
    jobs.wait()
    assert (job.cancelled, notes) == (True, [])


def test_a_cancelled_job_ends_at_its_next_stage_too(jobs: Jobs) -> None:
    steps = Steps()

    def work(on_stage: OnStage) -> None:
        steps.reached.set()
        assert steps.go_on.wait(PATIENCE)
        on_stage("another stage")
        raise AssertionError("went on")

    job = jobs.start("a", "A", work)
    steps.wait_until_reached()
    job.cancel.set()
    steps.go_on.set()
    jobs.wait()
    assert (job.cancelled, job.error) == (True, None)


def test_a_mistake_is_told_as_it_is(jobs: Jobs) -> None:
    job = jobs.start("a", "A", failing(InputError("no <word>: type one")))
    jobs.wait()
    assert job.error == "no <word>: type one"
    assert (job.is_over, job.finished, job.cancelled) == (True, False, False)


@pytest.mark.parametrize("e", [KeyError("secret path"), MemoryError(), OSError("/etc/secret")])
def test_an_unexpected_error_goes_to_the_log_and_not_to_the_page(
    jobs: Jobs, caplog: pytest.LogCaptureFixture, e: Exception
) -> None:
    with caplog.at_level(logging.ERROR, logger="queryscape"):
        job = jobs.start("a", "Laying it out", failing(e))
        jobs.wait()
    assert str(job.error).startswith("Laying it out failed")
    assert "secret" not in str(job.error)
    assert job.is_over
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[1] is e


def test_the_next_job_runs_after_one_that_failed(jobs: Jobs) -> None:
    jobs.start("a", "A", failing(InputError("no")))
    job = jobs.start("b", "B", quick)
    jobs.wait()
    assert job.finished


def test_the_latest_of_a_family_makes_the_others_give_up(jobs: Jobs) -> None:
    steps, notes = Steps(), list[str]()
    running = jobs.start_latest("clusters", "0.7", "Clusters", steps.work)
    steps.wait_until_reached()
    waiting = jobs.start_latest("clusters", "0.75", "Clusters", noting(notes, "0.75"))
    stranger = jobs.start_latest("clusters too", "0.7", "Others", noting(notes, "stranger"))
    latest = jobs.start_latest("clusters", "0.8", "Clusters", noting(notes, "0.8"))
    assert jobs.start_latest("clusters", "0.8", "Clusters", noting(notes, "twice")) is latest
    assert (running.cancel.is_set(), waiting.cancel.is_set()) == (True, True)
    assert not stranger.cancel.is_set()
    assert not latest.cancel.is_set()
    steps.go_on.set()
    jobs.wait()
    assert (running.cancelled, waiting.cancelled, stranger.finished, latest.finished) == (True, True, True, True)
    assert notes == ["stranger", "0.8"]
    jobs.start_latest("clusters", "0.9", "Clusters", quick)
    assert not latest.cancel.is_set()
    jobs.wait()


@pytest.mark.parametrize("is_over", [False, True])
def test_one_that_was_given_up_can_be_the_latest_again(jobs: Jobs, is_over: bool) -> None:
    """The hand moves a share up and back: what was given up is wanted after all."""
    steps, notes = Steps(), list[str]()
    first = jobs.start_latest("clusters", "0.7", "Clusters", steps.work)
    steps.wait_until_reached()
    between = jobs.start_latest("clusters", "0.75", "Clusters", noting(notes, "0.75"))
    if is_over:
        steps.go_on.set()
        jobs.wait()
    again = jobs.start_latest("clusters", "0.7", "Clusters", noting(notes, "0.7"))
    assert again is not first
    assert jobs.find("clusters:0.7") is again
    steps.go_on.set()
    jobs.wait()
    assert (first.cancelled, between.cancelled, again.finished) == (True, not is_over, True)
    assert notes[-1] == "0.7"


def test_jobs_that_are_over_are_forgotten_the_oldest_first(jobs: Jobs) -> None:
    for number in range(MOST_FINISHED + 5):
        jobs.start(str(number), "A", quick)
    jobs.wait()
    steps = Steps()
    running = jobs.start("running", "A", steps.work)
    assert jobs.find("4") is None
    assert jobs.find("5") is not None
    assert jobs.find("running") is running
    steps.go_on.set()
    jobs.wait()


def at(done: int, total: int) -> Job:
    return Job("a", "A", started=0.0, done=done, total=total, stage_started=100.0)


@pytest.mark.parametrize(
    ("done", "total", "now", "left"),
    [(1, 4, 110.0, 30.0), (4, 4, 110.0, 0.0), (0, 4, 110.0, None), (0, 0, 110.0, None), (1, 4, 100.9, None)],
)
def test_seconds_left_are_those_of_the_stage(done: int, total: int, now: float, left: float | None) -> None:
    assert at(done, total).seconds_left(now) == left


@given(st.integers(1, 1000), st.integers(1, 1000), st.floats(1, 1e6))
def test_more_done_is_less_left(done: int, more: int, passed: float) -> None:
    total = done + more
    sooner, later = at(done, total).seconds_left(100 + passed), at(total, total).seconds_left(100 + passed)
    assert sooner is not None
    assert later == 0 < sooner
    assert 0 < at(done, total).share < at(total, total).share == at(2 * total, total).share == 1


def test_a_new_stage_starts_from_nothing(jobs: Jobs) -> None:
    job = at(4, 4)
    job.on_stage("next")
    assert (job.stage, job.done, job.total, job.share) == ("next", 0, 0, 0.0)
    assert job.stage_started != 100.0
    assert job.seconds_left(job.stage_started + 60) is None


def test_what_was_done_before_says_nothing_of_how_fast_the_rest_goes() -> None:
    """A run that goes on begins with what came of it earlier."""
    job = Job("a", "A", started=0.0)
    report = job.on_stage("fetching")
    report(9000, 10_000)
    assert job.per_second(job.stage_started + 60) is None
    assert job.seconds_left(job.stage_started + 60) is None
    report(9100, 10_000)
    assert job.per_second(job.stage_started + 10) == 10.0
    assert job.seconds_left(job.stage_started + 10) == 90.0
    assert job.share == 0.91


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.floats(1, 1e6))
def test_rate_and_time_left_are_of_one_mind(done: int, more: int, passed: float) -> None:
    job = at(done, done + more)
    rate, left = job.per_second(100 + passed), job.seconds_left(100 + passed)
    assert rate is not None
    assert left is not None
    assert rate * left == pytest.approx(more)


@pytest.mark.parametrize(
    ("done", "total", "passed", "words"),
    [
        (1200, 17573, 5.0, "A · 1,200 of 17,573 · 240 a second · about 68 s left"),
        (1, 40, 10.0, "A · 1 of 40 · 6.0 a minute · about 6 min left"),
        (3, 40, 0.5, "A · 3 of 40"),
        (0, 0, 60.0, "A"),
    ],
)
def test_a_bar_says_how_fast_it_goes(done: int, total: int, passed: float, words: str) -> None:
    job = at(done, total)
    job.stage = "a"
    assert how_far(job, 100 + passed) == words


def test_what_is_unfinished_is_listed_by_family(jobs: Jobs) -> None:
    steps = Steps()
    running = jobs.start("bring:a", "A", steps.work)
    waits, _ = jobs.start("bring:b", "B", quick), jobs.start("bringer:c", "C", quick)
    steps.wait_until_reached()
    assert jobs.unfinished("bring") == (running, waits)
    steps.go_on.set()
    jobs.wait()
    assert jobs.unfinished("bring") == ()


def test_sources_are_asked_at_the_same_time_and_counts_wait_for_none_of_it(jobs: Jobs) -> None:
    runs = [Steps() for _ in range(AT_ONCE["source"])]
    for number, steps in enumerate(runs):
        jobs.start(f"run:{number}", "Run", steps.work, lane="source")
    for steps in runs:
        steps.wait_until_reached()  # none of them is over
    waits = jobs.start("run:more", "Run", quick, lane="source")
    counts = [Steps(), Steps()]
    for number, steps in enumerate(counts):
        jobs.start(f"count:{number}", "Count", steps.work, lane="count")
    for steps in counts:
        steps.wait_until_reached()
    assert waits.stage == ""
    for steps in (*runs, *counts):
        steps.go_on.set()
    jobs.wait()
    assert waits.finished
    assert not jobs.unfinished("run")
    assert not jobs.unfinished("count")


def test_what_is_started_anew_never_runs_twice_at_once(jobs: Jobs) -> None:
    steps, notes = Steps(), list[str]()
    first = jobs.start("a", "A", steps.work, lane="source", again=True)
    steps.wait_until_reached()
    assert jobs.start("a", "A", noting(notes, "too early"), lane="source", again=True) is first
    steps.go_on.set()
    jobs.wait()
    assert jobs.start("a", "A", noting(notes, "again"), lane="source", again=True) is not first
    jobs.wait()
    assert notes == ["again"]


def test_a_server_that_closes_waits_for_no_job_to_be_finished(jobs: Jobs) -> None:
    """Python itself waits for threads that are at work."""
    steps, notes = Steps(), list[str]()
    running = jobs.start("run:a", "A", steps.work)
    waits = jobs.start("run:b", "B", noting(notes, "b"))
    steps.wait_until_reached()
    stop_all()
    steps.go_on.set()
    jobs.wait()
    assert (running.cancelled, waits.cancelled, notes) == (True, True, [])


@given(st.lists(st.integers(3, 6), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_waiting_jobs_are_started_in_turn_of_their_visitors(counts: list[int], random: Random) -> None:
    """Of k visitors who all wait, each is among any k jobs started in a row; those of a visitor keep their order."""
    arrivals = [visitor for visitor, n in enumerate(counts) for _ in range(n)]
    random.shuffle(arrivals)
    at_work, started = Steps(), list[tuple[int, int]]()
    now = [-1]
    jobs = Jobs(visitor=lambda: str(now[0]))
    jobs.start("first", "the first job", at_work.work)
    at_work.wait_until_reached()
    n_of = [0] * len(counts)
    for visitor in arrivals:
        now[0], number = visitor, n_of[visitor]
        n_of[visitor] += 1
        jobs.start(f"{visitor}-{number}", "a job", lambda _, one=(visitor, number): started.append(one))
    at_work.go_on.set()
    jobs.wait()
    jobs.close()
    k, n_together = len(counts), len(counts) * min(counts)
    visitors = [visitor for visitor, _ in started]
    for start in range(n_together - k + 1):
        assert len(set(visitors[start : start + k])) == k
    for visitor, n in enumerate(counts):
        assert [number for who, number in started if who == visitor] == list(range(n))
