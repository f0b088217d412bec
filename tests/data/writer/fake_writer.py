"""A model that proposes what a test wants, and a small topic to write for."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.protocols import Answer
from core.writer.sheets import Brief, WriterBudget
from data.explore.workspace import Workspace
from data.writer.runs import Recipe, WriterRequest, WriterSession
from data.writer.writing import write
from tests.data.workspaces import TOPIC

DAY = "2026-11-22T10:00:00+00:00"
Outcome = Answer | Exception
Script = Callable[[str, int], Outcome]
"""What comes of a question: its text, and how many were asked before it."""


def said(text: str, **change: Any) -> Answer:
    return Answer(text, **{"model": "m-2030", "n_prompt_tokens": 100, "n_answer_tokens": 10, **change})


def proposes(*keywords: str, to: str = "specific") -> Answer:
    rows = [{"keyword": keyword, "reason": "It stands there.", "list": to} for keyword in keywords]
    return said(json.dumps({"keywords": rows}))


def good(user: str, n_before: int) -> Outcome:
    return proposes("tea", "steep", "kettle")


@dataclass(eq=False)
class FakeWriter:
    """Counts what it was asked. Threads share it."""

    script: Script = good
    model_id: str = "m"
    fingerprint: str = "fake m"
    asked: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        raise AssertionError("a writer is asked for JSON")

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        with self._lock:
            n_before = len(self.asked)
            self.asked.append(user)
        outcome = self.script(user, n_before)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def wanted(*recipes: Recipe, **change: Any) -> WriterRequest:
    """A wish for the small topic."""
    brief = change.pop("brief", None) or Brief(TOPIC, **{k: change.pop(k) for k in list(change) if k in BRIEF})
    budget = change.pop("budget", None) or WriterBudget()
    return WriterRequest(TOPIC, brief, budget, recipes, **change)


BRIEF = ("depth", "negative", "mode", "seed", "hold_out", "description", "questions", "semantics")
ASKED = Recipe("m")


def written(workspace: Workspace, wish: WriterRequest, model: FakeWriter | None = None, **how: Any) -> WriterSession:
    """Written by a model that stands in for "m"."""
    return write(workspace, wish, models={"m": model or FakeWriter()}, clock=lambda: DAY, **how)
