"""Writes strings for a topic: readings go to whoever proposes, proposals are sorted, every string is judged."""

from __future__ import annotations

from collections.abc import Mapping

from core.protocols import JsonModel
from data.cases import OnStage, silent
from data.clock import Clock, utc_now
from data.workspace import Workspace
from data.writer.keeping import Writing
from data.writer.wanted import Recipe as Recipe
from data.writer.wanted import Wanted as Wanted


def write(
    workspace: Workspace,
    wanted: Wanted,
    *,
    models: Mapping[str, JsonModel] | None = None,
    clock: Clock = utc_now,
    on_stage: OnStage = silent,
) -> Writing:
    """Write. What ends it early leaves what was answered, and a second time goes on from there.

    `models`: by name, in the place of those that the recipes name. A service that fails is told in the writing's
    `problem`; the strings that can be made without it are made.
    """
    raise NotImplementedError


def resume(
    workspace: Workspace,
    writing_id: str,
    *,
    models: Mapping[str, JsonModel] | None = None,
    clock: Clock = utc_now,
    on_stage: OnStage = silent,
) -> Writing:
    """Go on with a writing that ended early; nothing that was answered is asked again."""
    raise NotImplementedError
