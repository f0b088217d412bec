"""A step becomes a version of the topic's query, with the version that it comes from as its parent."""

from __future__ import annotations

from core.types import Origin
from data.clock import Clock, utc_now
from data.store import VersionRow
from data.workspace import Workspace


def save_step(
    workspace: Workspace, writing_id: str, number: int, *, origin: Origin = "generated", clock: Clock = utc_now
) -> VersionRow:
    """Save a step as a version. One that was saved before is that version again."""
    raise NotImplementedError
