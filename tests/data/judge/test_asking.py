"""What comes of asking about one triple, whatever a service does: a grade only where one was given."""

from __future__ import annotations

import json
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EndsAllError, ServiceError
from core.judge.judgments import STATUSES, Triple
from core.protocols import Answer
from data.http.client import GaveUpError
from data.judge.runner import (
    MOST_OF_ANSWER,
    MOST_OF_MODEL,
    MOST_OF_REASON,
    Examiner,
    Gate,
    JudgeOutcome,
    Pause,
    not_asked,
)
from data.models.chat import Breaker, NotAskedError, RefusedError
from tests.data.judge.fake_judges import FakeJudge, Outcome, grade, judge_of, said

JUDGE = judge_of()
EXAMINER = Examiner(JUDGE)
TRIPLE = Triple("tin lakes", "Title 1", "Lakes with tin.")


def asked(*script: Outcome, triple: Triple = TRIPLE, breaker: Breaker | None = None) -> JudgeOutcome:
    never = Event()
    model = FakeJudge(lambda title, time: script[time - 1])
    return EXAMINER.examine(triple, Gate(model, breaker or Breaker(), Pause(never), never, never))


odd = st.sampled_from(
    [
        said("Quite relevant."),
        said(""),
        said("<html>"),
        said('{"score": 3', finish="length"),
        said('{"score": 3, "confidence": 1, "reason": "Cut."}', finish="length"),
        said('{"score": 3, "confidence": 1, "reason": "Held."}', finish="content_filter"),
        said("", refusal="No."),
        said('{"score": 3, "confidence": 1, "reason": "Or not."}', refusal="No."),
        GaveUpError("away"),
        RefusedError("too long"),
        ServiceError("no such model"),
    ]
)
grades = st.one_of(st.integers(-3, 120), st.sampled_from([4.5, "4", True, None, [3], {}, float("nan")])).map(grade)
outcomes = st.one_of(odd, grades)


def graded(outcome: Outcome) -> int | None:
    """The points of an answer, by the simplest way of reading it; None: there are none."""
    if isinstance(outcome, Exception) or outcome.finish or outcome.refusal or not outcome.text.startswith('{"score"'):
        return None
    score = json.loads(outcome.text)["score"]
    return score if type(score) is int and 0 <= score <= 5 else None


@given(outcomes, outcomes)
def test_points_are_there_exactly_where_an_answer_gives_them(first: Outcome, second: Outcome) -> None:
    came = asked(first, second)
    last = (first, second)[came.n_calls - 1]
    assert came.verdict.points == graded(last)
    assert came.verdict.status in STATUSES
    assert came.verdict.status == ("repaired" if came.n_calls == 2 else "ok") or not came.verdict.is_valid
    assert list(came.answers) == [o for o in (first, second)[: came.n_calls] if isinstance(o, Answer)]
    unread = isinstance(first, Answer) and not (first.finish or first.refusal) and graded(first) is None
    assert came.n_calls == (2 if unread else 1)


def test_half_an_answer_is_none_even_where_it_looks_like_a_whole_one() -> None:
    assert asked(said('{"score": 3, "confidence": 9, "reason": "x"}', finish="length")).verdict.status == "truncated"
    assert asked(grade(3), said("x")).verdict.status == "ok"


def test_what_ends_everything_is_no_verdict_unless_something_is_paid_for() -> None:
    with pytest.raises(EndsAllError):
        asked(EndsAllError("no credit left"))
    came = asked(grade(84), EndsAllError("no credit left"))
    assert (came.verdict.status, came.n_calls, len(came.answers)) == ("http_error", 2, 1)
    assert "no credit left" in came.verdict.reason


def test_a_service_that_refuses_everything_is_dead_and_one_that_refuses_some_is_not() -> None:
    breaker = Breaker(2)
    asked(RefusedError("no"), breaker=breaker)
    asked(RefusedError("no"), breaker=breaker)
    assert breaker.is_open
    alive = Breaker(2)
    for outcome in (grade(3), RefusedError("no"), RefusedError("no"), RefusedError("no")):
        asked(outcome, breaker=alive)
    assert not alive.is_open


def test_nobody_is_asked_once_it_is_stopped_but_what_is_begun_is_ended() -> None:
    stopped, over = Event(), Event()
    stopped.set()
    model = FakeJudge(lambda title, time: grade(3))
    with pytest.raises(NotAskedError):
        EXAMINER.examine(TRIPLE, Gate(model, Breaker(), Pause(stopped), stopped, over))
    assert not model.asked
    between = Event()

    def script(title: str, time: int) -> Outcome:
        between.set()
        return grade(84) if time == 1 else grade(2)

    came = EXAMINER.examine(TRIPLE, Gate(FakeJudge(script), Breaker(), Pause(between), between, over))
    assert (came.verdict.status, came.verdict.points) == ("repaired", 2)
    given_up = Event()
    last = FakeJudge(lambda title, time: given_up.set() or grade(84))  # type: ignore[func-returns-value]
    came = EXAMINER.examine(TRIPLE, Gate(last, Breaker(), Pause(given_up), given_up, given_up))
    assert (came.verdict.status, came.n_calls, len(came.answers)) == ("http_error", 1, 1)


def test_without_an_abstract() -> None:
    bare = Triple("tin lakes", "Title 1", " \n")
    came = asked(grade(84), grade(4), triple=bare)
    assert (came.verdict.status, came.verdict.points, came.n_calls) == ("no_abstract", 4, 2)
    assert asked(grade(84), grade(84), triple=bare).verdict.status == "invalid_scale"
    grades_it, skips_it = JUDGE.settings, judge_of(without_abstract="skip").settings
    assert [bool(not_asked(bare, each)) for each in (grades_it, skips_it)] == [False, True]
    assert not_asked(Triple("tin", " ", ""), grades_it)
    assert not any(not_asked(Triple("tin", "", "Lakes."), each) for each in (grades_it, skips_it))


def test_what_is_kept_counts_the_tokens_of_every_answer() -> None:
    came = asked(said("No.", n_prompt_tokens=None), grade(3, reason="long " * 500))
    kept = came.kept("key", 2, "2026-01-01", "m")
    assert (kept.n_prompt_tokens, kept.n_answer_tokens, kept.model) == (100, 20, "m-2030")
    assert len(kept.verdict.reason) <= MOST_OF_REASON
    assert len(kept.answers) == 2
    nothing = asked(GaveUpError("away")).kept("key", 1, "2026-01-01", "m")
    assert (nothing.n_prompt_tokens, nothing.model, nothing.answers) == (None, "m", ())


def test_an_answer_without_end_is_read_whole_and_kept_in_part() -> None:
    text = json.dumps({"score": 4, "confidence": 7, "reason": "r" * (MOST_OF_ANSWER + 10)})
    kept = asked(said(text, model="m" * 10_000)).kept("key", 1, "2026-01-01", "m")
    assert kept.verdict.points == 4
    assert kept.answers == (f"{text[:MOST_OF_ANSWER]} […]",)
    assert len(kept.model) == MOST_OF_MODEL
