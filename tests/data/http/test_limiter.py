"""Turns at even distances: by a clock of our own, with threads, and for every request that is really sent."""

from __future__ import annotations

import threading
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.protocols import Answer
from data.http.client import Limiter, Patience
from data.models.chat import limited, open_chat
from tests.data.judge_server import judge_server
from tests.messages import refusal


class Time:
    """A clock that moves only by sleeping, and by what is done in between."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds


def turns(per_minute: float, busy: list[float]) -> list[float]:
    """When one who asks gets its turns, working this long after each."""
    passing = Time()
    limiter = Limiter(per_minute, passing.clock, passing.sleep)
    found = []
    for seconds in busy:
        limiter.wait()
        found.append(passing.now)
        passing.now += seconds
    return found


@given(
    st.floats(1, 10_000),
    st.lists(st.floats(0, 30), min_size=2, max_size=40),
)
def test_turns_are_never_nearer_than_the_rate_allows(per_minute: float, busy: list[float]) -> None:
    found = turns(per_minute, busy)
    distance = 60 / per_minute
    assert all(later - earlier >= distance - 1e-6 for earlier, later in pairwise(found))
    for (earlier, later), seconds in zip(pairwise(found), busy, strict=False):
        assert later - earlier <= max(distance, seconds) + 1e-6, "and nobody waits longer than that"


def test_the_rate_is_met_over_a_minute_by_all_together() -> None:
    """Sixteen who ask at the same time are given turns that are spread over the minutes."""
    asked: list[float] = []
    lock = threading.Lock()

    def note(seconds: float) -> None:
        with lock:
            asked.append(seconds)

    limiter = Limiter(600, lambda: 50.0, note)
    threads = [threading.Thread(target=lambda: [limiter.wait() for _ in range(75)]) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(asked) == pytest.approx([0.1 * n for n in range(1, 1_200)]), "1,200 turns in two minutes"


def test_waiting_holds_up_nobody_who_only_wants_to_know_its_turn() -> None:
    at_sleep, go = threading.Event(), threading.Event()

    def sleep(seconds: float) -> None:
        at_sleep.set()
        go.wait(20)

    limiter = Limiter(60, lambda: 0.0, sleep)
    limiter.wait()
    sleeper = threading.Thread(target=limiter.wait)
    sleeper.start()
    assert at_sleep.wait(20)
    told: list[float] = []
    limiter.sleep = told.append
    limiter.wait()
    assert told == [2.0], "the next turn is given while somebody sleeps"
    go.set()
    sleeper.join(20)


@pytest.mark.parametrize("rate", [0, -1, float("nan"), float("inf"), 1e9])
def test_a_rate_that_is_none(rate: float) -> None:
    with refusal(SettingsError):
        Limiter(rate)


class Parrot:
    model_id, fingerprint = "parrot", "parrot-1"

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        return Answer(user, "parrot")

    def ask_json(self, system: str, user: str, **settings: Any) -> Answer:
        return Answer(f'{{"said": "{user}"}}', "parrot")


def test_any_model_can_be_held_back() -> None:
    passing = Time()
    model = limited(Parrot(), Limiter(60, passing.clock, passing.sleep))
    assert (model.model_id, model.fingerprint) == ("parrot", "parrot-1")
    assert model.ask("s", "u", max_tokens=9).text == "u"
    assert model.ask_json("s", "u", schema={}, max_tokens=9, temperature=0).text == '{"said": "u"}'
    assert passing.now == 1_001.0


def test_requests_that_are_made_again_wait_for_their_turn_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    passing = Time()
    with judge_server(lambda request: "500" if request.number < 2 else "good") as server:
        plain = open_chat("m", server.url, Patience(n_attempts=3, sleep=lambda seconds: None))
        model = limited(plain, Limiter(60, passing.clock, passing.sleep))
        model.ask_json("s", "u", schema={}, max_tokens=9, temperature=0)
        assert (len(server.asked), passing.now) == (3, 1_002.0)
        plain.ask("s", "u", max_tokens=9)
    assert passing.now == 1_002.0, "the model itself is as free as before"
    assert model.fingerprint == plain.fingerprint


@pytest.mark.slow
def test_the_rate_holds_within_two_percent_against_a_real_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    came: list[float] = []

    def script(request: object) -> str:
        came.append(time.monotonic())
        return "good"

    with judge_server(script, 0.05) as server:
        model = limited(open_chat("m", server.url), Limiter(1_200))

        def work() -> None:
            for n in range(10):
                model.ask_json("s", f"{threading.get_ident()} {n}", schema={}, max_tokens=9, temperature=0)

        threads = [threading.Thread(target=work) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    per_minute = 60 * (len(came) - 1) / (came[-1] - came[0])
    assert len(came) == 160
    assert per_minute == pytest.approx(1_200, rel=0.02)
