"""Rounds of refinement: run, read what is relevant and what was missed, change one thing, and judge it again."""

from __future__ import annotations

from collections.abc import Mapping

from core.protocols import JsonModel
from core.writer.types import Budget
from data.cases import OnStage, silent
from data.clock import Clock, utc_now
from data.workspace import Workspace
from data.writer.keeping import Writing


def refine(
    workspace: Workspace,
    writing_id: str,
    number: int,
    *,
    budget: Budget | None = None,
    models: Mapping[str, JsonModel] | None = None,
    clock: Clock = utc_now,
    on_stage: OnStage = silent,
) -> Writing:
    """Refine one step until F-beta on the used half stops rising or the budget is spent.

    Every change that is accepted is a step, and a version made from the one before. `budget`: None: the writing's.
    """
    raise NotImplementedError
