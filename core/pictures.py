"""Print pictures as lists of shapes, with axes and colours, and their SVG form."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.errors import InputError
from core.text import for_xml

# A picture as a list of shapes: drawn the same as SVG and as pixels, and the same on every machine.

Place = tuple[float, float]
"""Distance to the right and downwards from the upper left corner."""


@dataclass(frozen=True, slots=True)
class Dots:
    places: tuple[Place, ...]
    radius: float
    fill: str
    """#rrggbb."""
    line: str | None = None
    """The colour of the outline; None: no outline."""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Path:
    """A line through points; an area if closed."""

    places: tuple[Place, ...]
    line: str | None
    width: float = 1.0
    fill: str | None = None
    is_closed: bool = False
    dash: float | None = None
    """Length of the dashes; None: a solid line."""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    fill: str | None
    line: str | None = None
    line_width: float = 1.0
    round: float = 0.0
    """Radius of the corners."""


@dataclass(frozen=True, slots=True)
class TextShape:
    """One line of text; `y` is its baseline."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    anchor: Literal["start", "middle", "end"] = "start"
    is_bold: bool = False


Shape = Dots | Path | Box | TextShape


@dataclass(frozen=True, slots=True)
class VectorPicture:
    """Shapes on a background; later shapes are drawn over earlier ones."""

    width: float
    height: float
    shapes: Sequence[Shape]
    ground: str = "#ffffff"


# The few colours of a printed picture: the app's light theme, by role.

BACKGROUND = "#ffffff"
TEXT = "#1b1f24"
FAINT = "#59626d"
GRID = "#e3e6ea"
ACCENT = "#1f4e79"
NOT_RELEVANT = "#98a1ad"
RELEVANT = "#0068b8"
CORE = "#d55e00"
CORE_EDGE = "#3a1500"
ELLIPSOID = "#5b3fb5"
HULL = "#00756a"


# Shared parts of pictures with axes: scales, round ticks, and labels that don't overlap.

SMALL, PLAIN = 11.0, 12.0
"""Font sizes."""
WIDTH_OF_SIGN = 0.56
"""Width of a character as a share of the font size: a little more than most characters need."""
HALO = ((-1.2, 0.0), (1.2, 0.0), (0.0, -1.2), (0.0, 1.2), (-0.9, -0.9), (0.9, -0.9), (-0.9, 0.9), (0.9, 0.9))


@dataclass(frozen=True, slots=True)
class AxisScale:
    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + share * (self.end - self.start), 2)


@dataclass(frozen=True, slots=True)
class Area:
    x: float
    y: float
    width: float
    height: float

    def meets(self, other: Area) -> bool:
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


def width_of(text: str, size: float) -> float:
    """Estimate the drawn width of a text.

    >>> width_of("heat", 10.0)
    22.4
    """
    return round(len(text) * size * WIDTH_OF_SIGN, 2)


def ticks(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """Return round numbers between two ends.

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
    """Format a tick with enough decimals to distinguish all ticks.

    >>> tick_text(0.4, (0.2, 0.4)), tick_text(0.25, (0.2, 0.25)), tick_text(-0.5, (-0.5, 0.0))
    ('0.4', '0.25', '−0.5')
    """
    decimals = max((len(f"{tick:.6f}".rstrip("0").partition(".")[2]) for tick in all_ticks), default=0)
    return f"{value:.{decimals}f}".replace("-", "−")


def bottom_axis(scale: AxisScale, top: float, bottom: float, title: str) -> list[Shape]:
    """Draw thin vertical lines at round numbers, with the numbers and the title below."""
    shapes: list[Shape] = []
    marks = ticks(scale.low, scale.high)
    for mark in marks:
        x = scale(mark)
        shapes.append(Path(((x, top), (x, bottom)), GRID))
        shapes.append(TextShape(x, bottom + 16, tick_text(mark, marks), SMALL, FAINT, "middle"))
    shapes.append(TextShape((scale.start + scale.end) / 2, bottom + 34, title, PLAIN, FAINT, "middle"))
    return shapes


def left_axis(scale: AxisScale, left: float, right: float, title: str) -> list[Shape]:
    """Draw thin horizontal lines at round numbers, with the title above, where it needs no rotation."""
    shapes: list[Shape] = []
    marks = ticks(scale.low, scale.high, 5)
    for mark in marks:
        y = scale(mark)
        shapes.append(Path(((left, y), (right, y)), GRID))
        shapes.append(TextShape(left - 8, y + 4, tick_text(mark, marks), SMALL, FAINT, "end"))
    shapes.append(TextShape(left - 34, min(scale.start, scale.end) - 12, title, PLAIN, FAINT))
    return shapes


def with_halo(words: TextShape) -> list[Shape]:
    around: list[Shape] = [
        TextShape(words.x + dx, words.y + dy, words.text, words.size, BACKGROUND, words.anchor, words.is_bold)
        for dx, dy in HALO
    ]
    return [*around, words]


def area_of(words: TextShape) -> Area:
    width = width_of(words.text, words.size)
    x = words.x - {"start": 0.0, "middle": width / 2, "end": width}[words.anchor]
    return Area(x - 3, words.y - words.size, width + 6, words.size * 1.35)


def frame(area: Area) -> Box:
    return Box(area.x, area.y, area.width, area.height, None, GRID)


# A picture as SVG: the same text on every machine.

FONT = "'Source Sans 3', 'Source Sans Pro', 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', Arial, sans-serif"
_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": " ", "\n": " "}
_ESCAPED = str.maketrans(_SIGNS)


def svg(picture: VectorPicture, *, alternative: str = "") -> str:
    """Return the picture as one `<svg>` element, which scales with the available space.

    alternative: a description in words for readers who can't see it. Without it the picture is decoration.
    """
    size = f'width="{_n(picture.width)}" height="{_n(picture.height)}"'
    text = _text(alternative)
    role = f'role="img" aria-label="{text}"' if text.strip() else 'aria-hidden="true"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(picture.width)} {_n(picture.height)}" {size} {role} '
        f'font-family="{_text(FONT)}">'
    )
    lines = [head]
    # not as <title>: a browser would show that on hover anywhere
    lines += [f"<desc>{text}</desc>"] if text.strip() else []
    lines.append(f'<rect {size} fill="{_colour(picture.ground)}"/>')
    lines += [drawn for shape in picture.shapes if (drawn := _shape(shape))]
    return "\n".join([*lines, "</svg>\n"])


def _shape(shape: Shape) -> str:
    match shape:
        case Dots():
            return _dots(shape)
        case Path():
            return _path(shape)
        case Box():
            return _box(shape)
        case TextShape():
            return _words(shape)


def _dots(dots: Dots) -> str:
    """Draw dots as one group with their shared attributes, so that thousands of them stay small.

    A dot without an outline is a line of zero length with round ends, which needs half as many characters as a circle.
    """
    if not dots.places:
        return ""
    fill, diameter = _colour(dots.fill), _n(2 * dots.radius)
    if dots.line:
        opacity = f' fill-opacity="{_n(dots.opacity)}" stroke-opacity="{_n(dots.opacity)}"' if dots.opacity < 1 else ""
        circles = (f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(dots.radius)}"/>' for x, y in dots.places)
        return f'<g fill="{fill}" stroke="{_colour(dots.line)}"{opacity}>{"".join(circles)}</g>'
    look = f'fill="none" stroke="{fill}" stroke-width="{diameter}" stroke-linecap="round"'
    spots = [f"M{_n(x)} {_n(y)}h0" for x, y in dots.places]
    if dots.opacity >= 1:
        return f'<path {look} d="{"".join(spots)}"/>'
    # one path per dot, so that overlapping dots look darker
    lines = "".join(f'<path d="{spot}"/>' for spot in spots)
    return f'<g {look} stroke-opacity="{_n(dots.opacity)}">{lines}</g>'


def _path(path: Path) -> str:
    if not path.places:
        return ""
    fill = _colour(path.fill) if path.fill else "none"
    line = f' stroke="{_colour(path.line)}" stroke-width="{_n(path.width)}"' if path.line else ""
    dash = f' stroke-dasharray="{_n(path.dash)}"' if path.dash and path.line else ""
    way = "M" + "L".join(_place(place) for place in path.places) + ("Z" if path.is_closed else "")
    joins = ' stroke-linejoin="round" stroke-linecap="round"' if path.line and not dash else ""
    return f'<path d="{way}" fill="{fill}"{line}{dash}{joins}{_opacity(path.opacity)}/>'


def _place(place: Place) -> str:
    return f"{_n(place[0])} {_n(place[1])}"


def _box(box: Box) -> str:
    fill = _colour(box.fill) if box.fill else "none"
    line = f' stroke="{_colour(box.line)}" stroke-width="{_n(box.line_width)}"' if box.line else ""
    corner = f' rx="{_n(box.round)}"' if box.round else ""
    where = f'x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(max(box.width, 0))}" height="{_n(max(box.height, 0))}"'
    return f'<rect {where}{corner} fill="{fill}"{line}/>'


def _words(words: TextShape) -> str:
    look = f'font-size="{_n(words.size)}" fill="{_colour(words.colour)}"'
    look += f' text-anchor="{words.anchor}"' if words.anchor != "start" else ""
    look += ' font-weight="600"' if words.is_bold else ""
    return f'<text x="{_n(words.x)}" y="{_n(words.y)}" {look}>{_text(words.text)}</text>'


def _opacity(opacity: float) -> str:
    return f' opacity="{_n(opacity)}"' if opacity < 1 else ""


def _n(value: float) -> str:
    """Format a number with at most two decimals and no trailing zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _colour(colour: str) -> str:
    if not _COLOUR.fullmatch(colour):
        raise InputError(f'"{colour[:20]}" is no colour: write #rrggbb')
    return colour


def _text(text: str) -> str:
    return for_xml(text).translate(_ESCAPED)
