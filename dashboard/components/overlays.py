"""One landscape for several versions: which publication has which of them, for the browser and in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.types import Ids, Mask, Points
from dashboard.components.payload import lines, pack
from dashboard.figures.theme import browser_colours
from data.store import Headlines

MOST_VERSIONS = 3
"""Versions that a landscape tells apart by colour."""


@dataclass(frozen=True, eq=False)
class Overlay:
    """Publications of a topic, those with a place on the landscape first."""

    ids: Ids
    points: Points
    """Of the first rows; the others have no place."""
    members: npt.NDArray[np.uint8]
    """Bit k: version k retrieves it."""
    core_mask: Mask
    labels: tuple[str, ...]

    @property
    def n_placed(self) -> int:
        """Rows with a place."""
        return len(self.points)


@dataclass(frozen=True, slots=True)
class GroupCount:
    """How many publications a group of versions has."""

    name: str
    n: int
    n_core: int
    n_unplaced: int
    """Of the publications: those without a place on the landscape."""


def overlay_of(
    placed_ids: Sequence[str], points: Points, core_ids: Sequence[str], versions: Sequence[tuple[str, Sequence[str]]]
) -> Overlay:
    """Everything that has a place, is core or is retrieved by one of the versions (label and ids each)."""
    ids = tuple(dict.fromkeys([*placed_ids, *core_ids, *(i for _, retrieved in versions for i in retrieved)]))
    row_of = {publication_id: row for row, publication_id in enumerate(ids)}
    members = np.zeros(len(ids), dtype=np.uint8)
    for bit, (_, retrieved) in enumerate(versions[:MOST_VERSIONS]):
        members[[row_of[i] for i in dict.fromkeys(retrieved)]] |= np.uint8(1 << bit)
    core_mask = np.zeros(len(ids), dtype=np.bool_)
    core_mask[[row_of[i] for i in core_ids]] = True
    return Overlay(ids, points, members, core_mask, tuple(label for label, _ in versions[:MOST_VERSIONS]))


def group_of(members: npt.NDArray[np.uint8], n_versions: int) -> npt.NDArray[np.uint8]:
    """0: none of the versions, k: version k alone, one more than there are versions: several of them.

    >>> group_of(np.array([0, 1, 2, 3], dtype=np.uint8), 2).tolist()
    [0, 1, 2, 3]
    >>> group_of(np.array([4, 5, 7], dtype=np.uint8), 3).tolist()
    [3, 4, 4]
    """
    alone = np.full(1 << n_versions, n_versions + 1, dtype=np.uint8)
    alone[0] = 0
    for bit in range(n_versions):
        alone[1 << bit] = bit + 1
    return alone[members]


def group_names(labels: Sequence[str]) -> list[str]:
    """What the groups are called, in the order of `group_of`."""
    several = "Both" if len(labels) == 2 else "Several"
    none = "Neither" if len(labels) == 2 else "None"
    return [none, *(f"Only {label}" for label in labels), several]


def group_counts(overlay: Overlay) -> list[GroupCount]:
    """Every group with its publications and core publications."""
    groups = group_of(overlay.members, len(overlay.labels))
    unplaced = np.arange(len(groups)) >= overlay.n_placed
    return [
        GroupCount(
            name,
            int(np.count_nonzero(groups == code)),
            int(np.count_nonzero((groups == code) & overlay.core_mask)),
            int(np.count_nonzero((groups == code) & unplaced)),
        )
        for code, name in enumerate(group_names(overlay.labels))
    ]


def overlay_payload(
    overlay: Overlay, headlines: Headlines, *, payload_id: str, scape: str, topic: str, embedder: str, made_up: bool
) -> bytes:
    """All that the browser draws, counts and saves."""
    points = overlay.points
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(2), np.ones(2))
    header: dict[str, Any] = {
        "kind": "overlay",
        "id": payload_id,
        "scape": scape,
        "n": len(overlay.ids),
        "n_placed": overlay.n_placed,
        "labels": list(overlay.labels),
        "groups": group_names(overlay.labels),
        "topic": topic,
        "embedder": embedder,
        "made_up": made_up,
        "bounds": [*low.tolist(), *high.tolist()],
        **browser_colours(),
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        "x": points[:, 0].astype(np.float32),
        "y": points[:, 1].astype(np.float32),
        "members": overlay.members,
        "core": overlay.core_mask.astype(np.uint8),
        "year": headlines.years,
        "titles": lines(list(headlines.titles)),
        "ids": lines(list(overlay.ids)),
    }
    return pack(header, arrays)
