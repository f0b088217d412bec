"""Asking no more often than a service allows, however many ask."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from core.errors import SettingsError
from core.protocols import Answer, JsonModel
from data.chat import ServiceModel

FASTEST = 1_000_000.0
"""Requests a minute, above which a limit is none."""


@dataclass(eq=False)
class Limiter:
    """Lets requests go at even distances. One is shared by all who ask; time that nobody used is not made up for."""

    per_minute: float
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _next: float = field(default=float("-inf"), repr=False)
    """When the next request may go."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        if not 0 < self.per_minute <= FASTEST:
            raise SettingsError(
                f"requests per minute must be above 0 and at most {FASTEST:,.0f}, got {self.per_minute:g}"
            )

    def wait(self) -> None:
        """Come back when it is one's turn. Turns are given in the order in which they are asked for."""
        with self._lock:
            now = self.clock()
            turn = max(now, self._next)
            self._next = turn + 60.0 / self.per_minute
        if turn > now:
            self.sleep(turn - now)


@dataclass(frozen=True, eq=False)
class LimitedModel:
    """A model that waits for its turn before every question."""

    model: JsonModel
    limiter: Limiter

    @property
    def model_id(self) -> str:
        """The model's name."""
        return self.model.model_id

    @property
    def fingerprint(self) -> str:
        """The model's: how fast it is asked changes no answer."""
        return self.model.fingerprint

    def ask(self, system: str, user: str, *, max_tokens: int, temperature: float = 0.0) -> Answer:
        """One question, in its turn."""
        self.limiter.wait()
        return self.model.ask(system, user, max_tokens=max_tokens, temperature=temperature)

    def ask_json(
        self, system: str, user: str, *, schema: Mapping[str, Any], max_tokens: int, temperature: float
    ) -> Answer:
        """One question, in its turn."""
        self.limiter.wait()
        return self.model.ask_json(system, user, schema=schema, max_tokens=max_tokens, temperature=temperature)


def limited(model: JsonModel, limiter: Limiter) -> JsonModel:
    """The same model, asked no faster. Behind a service each request counts, those that are made again too."""
    return model.limited_by(limiter) if isinstance(model, ServiceModel) else LimitedModel(model, limiter)
