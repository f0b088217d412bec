"""The dry run: what would be asked, what that costs and how long it takes. Nothing is sent."""

from __future__ import annotations

from dataclasses import dataclass

from core.writer.types import Mode
from data.workspace import Workspace
from data.writer.wanted import Wanted


@dataclass(frozen=True, slots=True)
class PlanLine:
    """One question that would be asked."""

    model: str
    mode: Mode
    seed: int
    reading: str
    n_publications: int
    is_known: bool
    """Answered before: nothing is sent."""
    n_prompt_tokens: int = 0
    n_answer_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What a writing would ask."""

    n_calls: int
    """Still to be asked."""
    n_known: int
    """Answered before."""
    n_prompt_tokens: int
    n_answer_tokens: int
    cost: tuple[float, float] | None
    """Dollars, as expected and at most; None: the price of a model is not known."""
    minutes: float
    lines: tuple[PlanLine, ...]
    notes: tuple[str, ...] = ()
    """How all of this was counted, and what would be left out."""


def plan(workspace: Workspace, wanted: Wanted) -> Plan:
    """Count what a writing would still ask."""
    raise NotImplementedError
