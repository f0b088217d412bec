"""What pictures with axes have in common: scales, round ticks, and labels that keep clear of each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.audit.pictures.colours import BACKGROUND, FAINT, GRID
from core.audit.pictures.shapes import Box, Path, Shape, Words

SMALL, PLAIN = 11.0, 12.0
"""Sizes of text."""
WIDTH_OF_SIGN = 0.56
"""Of the size: a little more than most signs take."""
HALO = ((-1.2, 0.0), (1.2, 0.0), (0.0, -1.2), (0.0, 1.2), (-0.9, -0.9), (0.9, -0.9), (-0.9, 0.9), (0.9, 0.9))


@dataclass(frozen=True, slots=True)
class Scale:
    """From a number to a place."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + share * (self.end - self.start), 2)


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle that something takes up."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Area) -> bool:
        """Whether two of them have a place in common."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


def width_of(text: str, size: float) -> float:
    """About how wide a text is drawn.

    >>> width_of("heat", 10.0)
    22.4
    """
    return round(len(text) * size * WIDTH_OF_SIGN, 2)


def ticks(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """Round numbers between two ends.

    >>> ticks(0.0, 1.0), ticks(0.31, 0.42, 4)
    ((0.0, 0.2, 0.4, 0.6, 0.8, 1.0), (0.35, 0.4))
    """
    if not high > low:
        return (low,)
    size = 10 ** math.floor(math.log10((high - low) / most))
    step = next(size * m for m in (1, 2, 5, 10, 20) if (high - low) / (size * m) <= most + 0.5)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(round(i * step, 10) for i in range(first, last + 1))


def tick_text(value: float, all_ticks: Sequence[float]) -> str:
    """With as many decimals as tell the ticks apart.

    >>> tick_text(0.4, (0.2, 0.4)), tick_text(0.25, (0.2, 0.25)), tick_text(-0.5, (-0.5, 0.0))
    ('0.4', '0.25', '−0.5')
    """
    decimals = max((len(f"{tick:.6f}".rstrip("0").partition(".")[2]) for tick in all_ticks), default=0)
    return f"{value:.{decimals}f}".replace("-", "−")


def bottom_axis(scale: Scale, top: float, bottom: float, title: str) -> list[Shape]:
    """Thin lines up from round numbers, the numbers and the title under them."""
    shapes: list[Shape] = []
    marks = ticks(scale.low, scale.high)
    for mark in marks:
        x = scale(mark)
        shapes.append(Path(((x, top), (x, bottom)), GRID))
        shapes.append(Words(x, bottom + 16, tick_text(mark, marks), SMALL, FAINT, "middle"))
    shapes.append(Words((scale.start + scale.end) / 2, bottom + 34, title, PLAIN, FAINT, "middle"))
    return shapes


def left_axis(scale: Scale, left: float, right: float, title: str) -> list[Shape]:
    """Thin lines across from round numbers; the title stands over them, where it can be read without turning."""
    shapes: list[Shape] = []
    marks = ticks(scale.low, scale.high, 5)
    for mark in marks:
        y = scale(mark)
        shapes.append(Path(((left, y), (right, y)), GRID))
        shapes.append(Words(left - 8, y + 4, tick_text(mark, marks), SMALL, FAINT, "end"))
    shapes.append(Words(left - 34, min(scale.start, scale.end) - 12, title, PLAIN, FAINT))
    return shapes


def with_halo(words: Words, ground: str = BACKGROUND) -> list[Shape]:
    """A text that can be read over dots."""
    around: list[Shape] = [
        Words(words.x + dx, words.y + dy, words.text, words.size, ground, words.anchor, words.is_bold)
        for dx, dy in HALO
    ]
    return [*around, words]


def area_of(words: Words) -> Area:
    """What a text takes up."""
    width = width_of(words.text, words.size)
    x = words.x - {"start": 0.0, "middle": width / 2, "end": width}[words.anchor]
    return Area(x - 3, words.y - words.size, width + 6, words.size * 1.35)


def frame(area: Area) -> Box:
    """A thin line around a picture's ground."""
    return Box(area.x, area.y, area.width, area.height, None, GRID)
