"""What a landscape shows: which publications in which role, in which order, and in which words.

Every picture of a landscape is drawn from here, so that the figure, the SVG and the PNG tell the same story.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.comparing.compare import REGION_LABELS
from core.errors import MisalignedError
from core.projection import Landscape
from core.types import Mask, Points, RegionKind
from dashboard.figures.theme import OUTLINE_ROLES, Role

Rows = npt.NDArray[np.intp]

NOT_COSINES = "Distances here are not cosines."
CORE_DIAMETER = 9.0
EDGE_WIDTH = 1.6
LONGEST_NAME = 48
"""Longer names of topics and versions are cut, so that the line under the title fits."""


@dataclass(frozen=True, eq=False)
class Layer:
    """Publications that look alike."""

    role: str
    """A short name, for grouping in exports."""
    label: str
    """What the legend says."""
    rows: Rows
    """Rows of the landscape."""
    fill: Role | None
    """None is hollow."""
    edge: Role | None
    diameter: float
    """In pixels."""
    opacity: float = 1.0

    @property
    def is_core(self) -> bool:
        """Core publications lie above everything else, outlines too."""
        return self.role.startswith("core")


@dataclass(frozen=True, eq=False)
class Outline:
    """A region's boundary on the landscape."""

    label: str
    role: Role
    corners: Points
    """Closed: the first corner is also the last."""
    is_current: bool
    """Whether this region decides what is relevant in the picture."""


@dataclass(frozen=True, eq=False)
class Picture:
    """A landscape that is ready to be drawn."""

    title: tuple[str, str]
    subtitle: str
    points: Points
    layers: tuple[Layer, ...]
    outlines: tuple[Outline, ...]
    empty: str | None
    """Why there is nothing to draw."""

    @property
    def parts(self) -> tuple[Layer | Outline, ...]:
        """Layers and outlines, back to front."""
        crowd = [layer for layer in self.layers if not layer.is_core]
        return (*crowd, *self.outlines, *(layer for layer in self.layers if layer.is_core))

    @property
    def description(self) -> str:
        """The picture in words, for who can't see it."""
        shown = [layer.label for layer in self.layers if layer.is_core]
        bounds = [f"outline of the {outline.label}" for outline in self.outlines]
        return ". ".join([" ".join(self.title), self.empty or ", ".join(shown + bounds), self.subtitle])


def compose(
    landscape: Landscape,
    relevant_mask: Mask | None,
    *,
    outlines: Mapping[RegionKind, Points],
    kind: RegionKind,
    made_up: bool,
    topic: str,
    version: str,
    n_found: int | None = None,
    no_landscape: str | None = None,
) -> Picture:
    """Sort publications into layers and put the picture into words.

    `relevant_mask` runs along the landscape's retrieved rows (`Landscape.in_order`); None where the region is
    undefined. `n_found` counts found core publications without a vector as well. `no_landscape` says why there is none.
    """
    n = landscape.n_retrieved
    if relevant_mask is not None and len(relevant_mask) != n:
        raise MisalignedError(f"{n} retrieved publications but {len(relevant_mask)} decisions")
    empty = None
    if landscape.points is None:
        empty = no_landscape or "There is no landscape: too few of these publications have a vector."
    elif not len(landscape):
        empty = "There is nothing to show: no publication has a vector."
    found = int(landscape.core_mask[:n].sum()) if n_found is None else n_found
    return Picture(
        title=_title(landscape, relevant_mask, kind, found),
        subtitle=_subtitle(topic, version, made_up=made_up),
        points=landscape.points if landscape.points is not None else np.zeros((0, 2)),
        layers=() if empty else _layers(landscape, relevant_mask, n_missed=landscape.n_core - found),
        outlines=() if empty else _outlines(outlines, kind),
        empty=empty,
    )


def _title(landscape: Landscape, relevant_mask: Mask | None, kind: RegionKind, n_found: int) -> tuple[str, str]:
    region = REGION_LABELS[kind].partition(" (")[0].lower()
    of_core = f"{n_found:,} of {landscape.n_core:,} core publications found"
    if relevant_mask is None:
        return f"{landscape.n_retrieved:,} retrieved; the {region} region is undefined;", of_core
    n_relevant = int(relevant_mask.sum())
    return f"{n_relevant:,} of {landscape.n_retrieved:,} retrieved are relevant ({region});", of_core


def _subtitle(topic: str, version: str, *, made_up: bool) -> str:
    names = [_cut(topic), _cut(version), *(["made-up publications"] if made_up else [])]
    return " · ".join([*(name for name in names if name), NOT_COSINES])


def _cut(name: str) -> str:
    """Short, on one line, and without what can't be shown.

    >>> _cut("Heat\\nin cities ")
    'Heat in cities'
    """
    name = "".join(letter for letter in " ".join(name.split()) if letter.isprintable())
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1].rstrip() + "…"


def _layers(landscape: Landscape, relevant_mask: Mask | None, *, n_missed: int) -> tuple[Layer, ...]:
    n = landscape.n_retrieved
    relevant = np.zeros(n, dtype=np.bool_) if relevant_mask is None else relevant_mask
    others, left_out = ("Retrieved", "") if relevant_mask is None else ("Not relevant", ", not accepted")
    core = landscape.core_mask[:n]
    crowd = 3.0 if n > 10_000 else 4.0 if n > 2_000 else 5.0
    missed = np.arange(n, len(landscape))
    placed = f"{len(missed):,}" if len(missed) >= n_missed else f"{len(missed):,} of {n_missed:,} have a place"
    found, accepted = np.flatnonzero(core & ~relevant), np.flatnonzero(core & relevant)
    candidates = (
        Layer("not_relevant", others, np.flatnonzero(~core & ~relevant), "not_relevant", None, crowd, 0.6),
        Layer("relevant", "Relevant", np.flatnonzero(~core & relevant), "relevant", None, crowd, 0.8),
        Layer("core_missed", f"Core missed ({placed})", missed, None, "core", CORE_DIAMETER),
        Layer("core_found", f"Core found{left_out} ({len(found):,})", found, "core", None, CORE_DIAMETER),
        Layer("core_accepted", f"Core accepted ({len(accepted):,})", accepted, "core", "core_edge", CORE_DIAMETER),
    )
    return tuple(layer for layer in candidates if len(layer.rows))


def _outlines(outlines: Mapping[RegionKind, Points], kind: RegionKind) -> tuple[Outline, ...]:
    return tuple(
        Outline(
            label=REGION_LABELS[of],
            role=OUTLINE_ROLES[of],
            corners=np.vstack([corners, corners[:1]]),
            is_current=of == kind,
        )
        for of, corners in outlines.items()
        if len(corners)
    )
