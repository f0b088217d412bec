"""A picture as a list of shapes: drawn the same as SVG and as pixels, and the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Place = tuple[float, float]
"""Right and down from the upper left corner."""


@dataclass(frozen=True, slots=True)
class Dots:
    """Many small circles that look alike."""

    places: tuple[Place, ...]
    radius: float
    fill: str
    """#rrggbb."""
    line: str | None = None
    """The colour of a rim; None: no rim."""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Path:
    """A line through places; closed: an area."""

    places: tuple[Place, ...]
    line: str | None
    width: float = 1.0
    fill: str | None = None
    is_closed: bool = False
    dash: float | None = None
    """Length of the dashes; None: a whole line."""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle along the axes."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None
    line: str | None = None
    line_width: float = 1.0
    round: float = 0.0
    """Radius of its corners."""


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; `y` is its baseline."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    anchor: Literal["start", "middle", "end"] = "start"
    is_bold: bool = False


Shape = Dots | Path | Box | Words


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes on a ground, the first ones beneath the later ones."""

    width: float
    height: float
    shapes: Sequence[Shape]
    ground: str = "#ffffff"
