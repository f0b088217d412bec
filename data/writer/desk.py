"""A topic as the query writer has it: all that can be searched, and which core publications count on which side."""

from __future__ import annotations

from dataclasses import dataclass

from core.settings import EvaluationSettings
from core.types import CoreSet
from core.writer.gains import Sides, split
from core.writer.types import Split
from data.desk import Desk, set_up, stakes_of
from data.workspace import Workspace


@dataclass(frozen=True, eq=False)
class WriterDesk:
    """One topic as one embedder sees it, with its core publications in two halves."""

    desk: Desk
    split: Split
    sides: Sides


def set_up_writer(
    workspace: Workspace,
    topic_id: str,
    embedder: str | None = None,
    *,
    seed: int = 0,
    hold_out: bool = True,
    settings: EvaluationSettings | None = None,
) -> WriterDesk:
    """The desk of the topic with the same halves for the same seed; each side has a region fitted to it alone."""
    return with_split(workspace, set_up(workspace, topic_id, embedder, settings), seed=seed, hold_out=hold_out)


def with_split(workspace: Workspace, desk: Desk, *, seed: int = 0, hold_out: bool = True) -> WriterDesk:
    """The same for a desk that is there already."""
    halves = split(desk.core_ids, seed=seed, hold_out=hold_out)
    if not halves.held_out:
        return WriterDesk(desk, halves, Sides(desk.stakes, None, desk.stakes))
    embedding = workspace.embedding(desk.topic_id, desk.embedder)
    used, held_out = (
        stakes_of(workspace, desk.corpus.ids, CoreSet(desk.topic_id, ids), embedding, desk.stakes.settings)[0]
        for ids in (halves.used, halves.held_out)
    )
    return WriterDesk(desk, halves, Sides(used, held_out, desk.stakes))
