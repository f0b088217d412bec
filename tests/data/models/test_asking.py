"""Many questions at once: in order, bounded, given up where the service is dead or nobody waits any longer."""

from __future__ import annotations

import threading

import pytest

from core.errors import ServiceError
from core.protocols import Answer as Said
from data.http.client import GaveUpError
from data.models.chat import Breaker, NotAskedError, Question, RefusedError, ask_all


class Scripted:
    """A chat model that does what it is told for each question."""

    model_id = fingerprint = "scripted"

    def __init__(self, script: dict[str, Exception]) -> None:
        self.script, self.asked = script, list[str]()
        self.at_once, self.most_at_once, self.lock = 0, 0, threading.Lock()
        self.together = threading.Barrier(4)

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Said:
        with self.lock:
            self.asked.append(user)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if system == "together":
                self.together.wait(20)
            if user in self.script:
                raise self.script[user]
            return Said(f"said {user}", "scripted")
        finally:
            with self.lock:
                self.at_once -= 1


def questions(n: int, system: str = "") -> list[Question]:
    return [Question(system, str(i), 7) for i in range(n)]


def texts(outcomes: list[Said | ServiceError]) -> list[str]:
    return [outcome.text if isinstance(outcome, Said) else type(outcome).__name__ for outcome in outcomes]


def test_some_are_asked_at_once_and_answers_come_in_order() -> None:
    model = Scripted({"5": ServiceError("no"), "6": RefusedError("no")})
    heard: dict[int, str] = {}
    outcomes = ask_all(
        model, questions(12, "together"), heard=lambda place, outcome: heard.update({place: texts([outcome])[0]})
    )
    expected = [f"said {i}" for i in range(12)]
    expected[5:7] = ["ServiceError", "RefusedError"]
    assert texts(outcomes) == expected == [heard[place] for place in range(12)]
    assert model.most_at_once == 4, "no fewer, or the barrier would break, and no more"
    assert ask_all(model, []) == []


def test_after_some_failures_in_a_row_nobody_waits_for_the_rest() -> None:
    gone = GaveUpError("gone")
    model = Scripted({str(i): gone for i in range(3, 30)})
    breaker = Breaker()
    outcomes = ask_all(model, questions(30), n_threads=1, breaker=breaker)
    assert texts(outcomes) == ["said 0", "said 1", "said 2"] + ["GaveUpError"] * 5 + ["NotAskedError"] * 22
    assert len(model.asked) == 8
    assert isinstance(outcomes[-1], NotAskedError)
    assert "5 failures" in str(outcomes[-1])
    dead = ask_all(model, questions(30)[10:], n_threads=1, breaker=breaker)
    assert texts(dead) == ["GaveUpError"] + ["NotAskedError"] * 19, "it gets one more chance each time"
    alive = ask_all(model, questions(3), n_threads=1, breaker=breaker)
    assert (texts(alive), breaker.n_in_a_row) == (["said 0", "said 1", "said 2"], 0)


def test_single_failures_and_refused_questions_are_not_the_end() -> None:
    script: dict[str, Exception] = {str(i): GaveUpError("gone") for i in range(40) if i % 5}
    script |= {str(i): RefusedError("no") for i in range(40) if i % 10 == 5}
    model = Scripted(script)
    assert "NotAskedError" not in texts(ask_all(model, questions(40), n_threads=1))
    assert len(model.asked) == 40


def test_a_key_that_was_never_accepted_is_the_end_at_once() -> None:
    refused = ServiceError("does not accept the key")
    model = Scripted({str(i): refused for i in range(20)})
    outcomes = ask_all(model, questions(20), n_threads=1)
    assert texts(outcomes) == ["ServiceError"] + ["NotAskedError"] * 19
    later = Scripted({"1": refused})
    assert texts(ask_all(later, questions(4), n_threads=1))[1:] == ["ServiceError", "said 2", "said 3"]


class CancelledError(Exception):
    pass


def test_who_no_longer_waits_gets_no_more_answers() -> None:
    first, go = threading.Event(), threading.Event()

    class Waits(Scripted):
        def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Said:
            first.set()
            go.wait(20)
            return super().ask(system, user, max_tokens=max_tokens)

    def heed() -> None:
        if first.wait(20):
            raise CancelledError

    model = Waits({})
    before = set(threading.enumerate())
    with pytest.raises(CancelledError):
        ask_all(model, questions(20), n_threads=2, heed=heed)
    mine = [thread for thread in threading.enumerate() if thread not in before]
    assert all(thread.daemon for thread in mine), "they don't hold up the end of the program"
    go.set()
    for thread in mine:
        thread.join(20)
    assert len(model.asked) <= 2, "only what was under way"


def test_a_mistake_of_ours_is_not_taken_for_the_services() -> None:
    with pytest.raises(KeyError):
        ask_all(Scripted({"3": KeyError("x")}), questions(8))
