"""A judge that does what it is told for each question, and a run for it."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.collections import Query
from core.judge.judgments import Grade, JudgeCandidate, JudgedCandidate, JudgeField, JudgeSettings, Rubric
from core.judge.prompts import prompt_text
from core.protocols import Answer
from data.judge.runs import Judge, find_judge_run, load_field, load_judged
from data.store import Store

RUBRIC = Rubric(
    "six", "Six levels", "Grade.", ("Meaning.",), tuple(Grade(n, f"level {n}", f"when it is {n}") for n in range(6)), 20
)
TINY = Rubric("tiny", "Tiny", "Grade.", ("Meaning.",), tuple(Grade(n, f"level {n}", "when") for n in range(3)), 50)
Outcome = Answer | Exception
Script = Callable[[str, int], Outcome]
"""What comes of a question (the title it is about) the n-th time that it is asked, from 1."""


def said(text: str, **change: Any) -> Answer:
    return Answer(text, **{"model": "m-2030", "n_prompt_tokens": 100, "n_answer_tokens": 10, **change})


def grade(points: object, confidence: object = 7, reason: str = "It fits.") -> Answer:
    return said(json.dumps({"score": points, "confidence": confidence, "reason": reason}))


def points_of(title: str) -> int:
    """What a good judge says of a made-up title, which ends in a number."""
    return int(title.rpartition(" ")[2]) % 6


def good(title: str, time: int) -> Outcome:
    return grade(points_of(title))


@dataclass(eq=False)
class FakeJudge:
    """Counts what it was asked. Threads share it."""

    script: Script = good
    model_id: str = "m"
    fingerprint: str = "fake m"
    asked: Counter[str] = field(default_factory=Counter)
    most_at_once: int = 0
    before: Callable[[], None] = lambda: None
    _at_once: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        raise AssertionError("a judge is asked for JSON")

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        title = next(line for line in user.splitlines() if line.startswith("Title "))
        with self._lock:
            self.asked[title] += 1
            time = self.asked[title]
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            self.before()
            outcome = self.script(title, time)
        finally:
            with self._lock:
                self._at_once -= 1
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def judge_of(**settings: Any) -> Judge:
    made = JudgeSettings(**{"model": "m", "rubric_id": "six", **settings})
    return Judge(made, RUBRIC, prompt_text(RUBRIC, made.order), "fake m")


def numbered(n: int, engine: str = "a", start: int = 0) -> JudgeField:
    """A query and so many publications, of which no two are alike."""
    return JudgeField(
        f"{n} publications",
        (Query("q1", "tin lakes"),),
        tuple(
            JudgeCandidate(engine, "q1", i + 1, f"d{i}", f"Title {i}", f"Text {i}.") for i in range(start, start + n)
        ),
    )


def judged(store: Store, name: str = "mine") -> tuple[JudgedCandidate, ...]:
    """What is known of a run's candidates."""
    row = find_judge_run(store, name)
    return load_judged(store, row, load_field(store, row))


def state(store: Store, name: str = "mine") -> str:
    return find_judge_run(store, name).state
