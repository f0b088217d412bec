"""The PRISMA 2020 flow diagram as a picture, and in words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from core.audit.flow import Flow, FlowNumber, FlowSource
from core.audit.strategies import ANSWERED
from core.pictures import Box, Path, Shape, TextShape, VectorPicture

# Break text into lines that fit a box, using the widths of characters in a common sans-serif font.

_BREAKS = re.compile(r"[ \t\r\n]+")
"""No-break spaces are excluded: the words that they join stay on one line."""
_NARROW = frozenset("iIjlftr.,:;'’‘!|()[] ")
_WIDE = frozenset("mwMW%@—")


def width_of(text: str, size: float) -> float:
    """Estimate the width of a text, rather too wide than too narrow."""
    return size * sum(_share(sign) for sign in text)


def _share(sign: str) -> float:
    """Return the width of a character relative to the font size."""
    if sign in _NARROW:
        return 0.36
    if sign in _WIDE:
        return 0.95
    if unicodedata.combining(sign):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.05
    return 0.72 if sign.isupper() else 0.6


def wrapped(text: str, room: float, size: float) -> tuple[str, ...]:
    """Wrap text to lines no wider than `room`, between words, or within a word that is wider than a line.

    >>> wrapped("Records removed before screening", 120, 13)
    ('Records removed', 'before screening')
    >>> wrapped("", 120, 13)
    ('',)
    """
    lines, line = [], ""
    parts = (part for part in _BREAKS.split(text) if part)
    for word in (piece for part in parts for piece in _pieces(part, room, size)):
        longer = f"{line} {word}" if line else word
        if line and width_of(longer, size) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return (*lines, line)


def _pieces(word: str, room: float, size: float) -> Iterator[str]:
    piece = ""
    for sign in word:
        if piece and width_of(piece + sign, size) > room:
            yield piece
            piece = ""
        piece += sign
    yield piece


# The diagram as a picture: boxes in columns and rows, joined by arrows.
#
# Boxes and their wording: Page MJ et al., BMJ 2021;372:n71, doi 10.1136/bmj.n71, the four diagrams for new and updated
# systematic reviews, with databases and registers only or with other methods too.

INK, LINE, FAINT, BAND = "#1f2937", "#4b5563", "#f8fafc", "#dbe7f3"
SIZE, LEADING, PAD = 13.0, 18.0, 12.0
SIDE, MARGIN = 116.0, 8.0
"""The left edge of the first column, beside the names of the phases; the free space at the right."""
WIDE, NARROW = 296.0, 236.0
BETWEEN, GAP, TOP = 44.0, 26.0, 52.0
MOST_SOURCES = 12
"""Sources, and reasons, that a box lists."""
LONGEST = 120
"""Characters of a reason or of a source's name."""
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    x: float
    width: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class _Cell:
    """A box of the diagram."""

    column: str
    row: int
    lines: tuple[tuple[str, bool], ...]
    """Text, and True if it is bold."""
    is_whole: bool
    """All its numbers are recorded or answered."""

    @property
    def height(self) -> float:
        return len(self.lines) * LEADING + 2 * PAD - 4


WIDTHS = {"earlier": NARROW, "found": WIDE, "out": WIDE, "other": NARROW, "other-out": NARROW}
"""The columns from left to right: the earlier review, databases, what leaves them, other methods, what leaves these."""


def flow_picture(flow: Flow) -> VectorPicture:
    """Draw the diagram; a number without an answer is shown as n = ?, in a box with a dashed outline."""
    cells = list(_cells(flow))
    columns = _columns({cell.column for cell in cells})
    places = _places(cells)
    shapes = [*_heads(flow, columns), *_phases(places)]
    for cell in cells:
        column, (y, height) = columns[cell.column], places[cell.row]
        shapes += _boxed(cell, column, y, height)
    shapes += _arrows(columns, places, {(cell.column, cell.row) for cell in cells})
    y = places[-1][0] + places[-1][1] + GAP
    foot = "n = ?: not known. Dashed: incomplete, or to be confirmed."
    if any(number.state in ("open", "likely", "changed") for number in flow.numbers):
        shapes.append(TextShape(SIDE, y + 2, foot, SIZE - 1, LINE))
        y += 18
    return VectorPicture(max(column.x + column.width for column in columns.values()) + MARGIN, y, tuple(shapes))


def _columns(used: set[str]) -> dict[str, _Column]:
    found, x = {}, SIDE
    for name, width in WIDTHS.items():
        if name in used:
            found[name] = _Column(name, x, width)
            x += width + BETWEEN
    return found


def _places(cells: Sequence[_Cell]) -> list[tuple[float, float]]:
    """Return the top and the height of each row."""
    found: list[tuple[float, float]] = []
    y = TOP
    for row in range(max(cell.row for cell in cells) + 1):
        height = max(cell.height for cell in cells if cell.row == row)
        found.append((y, height))
        y += height + GAP
    return found


def _heads(flow: Flow, columns: Mapping[str, _Column]) -> Iterator[Shape]:
    new = "new " if flow.is_update else ""
    heads = (
        ("earlier", "earlier", "Previous studies"),
        ("found", "out", f"Identification of {new}studies via databases and registers"),
        ("other", "other-out", f"Identification of {new}studies via other methods"),
    )
    for first, last, text in heads:
        if first in columns:
            left, right = columns[first].x, columns[last].x + columns[last].width
            yield Box(left, 10, right - left, 28, BAND, round=4)
            yield TextShape((left + right) / 2, 29, text, SIZE + 1, INK, "middle", is_bold=True)


def _phases(places: Sequence[tuple[float, float]]) -> Iterator[Shape]:
    for name, first, last in (("Identification", 0, 0), ("Screening", 1, 3), ("Included", 4, len(places) - 1)):
        top, bottom = places[first][0], places[last][0] + places[last][1]
        yield Box(8, top, 96, bottom - top, BAND, round=4)
        yield TextShape(56, (top + bottom) / 2 + 4, name, SIZE - 1, INK, "middle", is_bold=True)


def _arrows(
    columns: Mapping[str, _Column], places: Sequence[tuple[float, float]], cells: set[tuple[str, int]]
) -> Iterator[Shape]:
    for first, last in (("found", "out"), ("other", "other-out")):
        rows = sorted(row for column, row in cells if column == first)
        for row in rows:
            if (last, row) in cells:
                y = places[row][0] + places[row][1] / 2
                yield from _arrow((columns[first].x + columns[first].width, y), (columns[last].x, y))
        for above, below in pairwise(rows):
            x = columns[first].middle
            yield from _arrow((x, places[above][0] + places[above][1]), (x, places[below][0]))
    into = columns["found"]
    if other := columns.get("other"):
        top, height = places[4]
        y = top + height / 2
        start = (other.middle, places[3][0] + places[3][1])
        yield from _arrow(start, (other.middle, y), (into.x + into.width, y))
    if earlier := columns.get("earlier"):
        top, height = places[5]
        y = top + height / 2
        yield from _arrow((earlier.middle, places[0][0] + places[0][1]), (earlier.middle, y), (into.x, y))


def _cells(flow: Flow) -> Iterator[_Cell]:
    make = partial(_cell, flow)
    yield _identified(flow)
    yield make("out", 0, ("flow:duplicates", "flow:automation", "flow:other"), "Records removed before screening:")
    yield make("found", 1, ("flow:screened",))
    yield make("out", 1, ("flow:excluded",))
    yield make("found", 2, ("flow:sought",))
    yield make("out", 2, ("flow:not-retrieved",))
    yield make("found", 3, ("flow:assessed",))
    yield make("out", 3, ("flow:reports-excluded",), reasons=flow.reasons)
    yield make("found", 4, ("flow:studies", "flow:reports"))
    if flow.is_update:
        yield make("earlier", 0, ("flow:previous-studies", "flow:previous-reports"))
        yield make("found", 5, ("flow:total-studies", "flow:total-reports"))
    if flow.has_other_methods:
        sources = ("flow:websites", "flow:organisations", "flow:citations")
        yield make("other", 0, sources, "Records identified from:")
        yield make("other", 2, ("flow:other-sought",))
        yield make("other-out", 2, ("flow:other-not-retrieved",))
        yield make("other", 3, ("flow:other-assessed",))
        yield make("other-out", 3, ("flow:other-excluded",), reasons=flow.other_reasons)


def _shown(number: FlowNumber, label: str = "") -> str:
    label = label or number.label
    if number.n is None:
        return f"{label} {_n('?')}"
    unsure = ", to be confirmed" if number.state in ("likely", "changed") else ""
    return f"{label} {_n(f'{number.n:,}{unsure}')}"


def _label(flow: Flow, number: FlowNumber) -> str:
    """Return the label as it is in the box, whose column says the rest."""
    if flow.is_update and number.item in ("flow:studies", "flow:reports"):
        return {"flow:studies": "New studies included in review", "flow:reports": "Reports of new included studies"}[
            number.item
        ]
    return number.label.removesuffix(" (other methods)")


def _n(text: str) -> str:
    """Format a number as in the diagram, with no line break after n."""
    return f"(n\u00a0=\u00a0{text})"


def _lines(text: str, width: float, *, is_bold: bool = False, indent: str = "") -> list[tuple[str, bool]]:
    room = width - 2 * PAD - (14 if indent else 0)
    return [(f"{indent}{line}", is_bold) for line in wrapped(text, room, SIZE)]


def _cell(
    flow: Flow,
    column: str,
    row: int,
    items: Sequence[str],
    head: str = "",
    *,
    reasons: Sequence[tuple[str, int]] = (),
) -> _Cell:
    width, numbers = WIDTHS[column], [flow.of(item) for item in items]
    lines = _lines(head, width, is_bold=True) if head else []
    for number in numbers:
        lines += _lines(_shown(number, _label(flow, number)), width)
        if column == "other":
            lines += _listed(flow, number, width)
    for reason, n in reasons[:MOST_SOURCES]:
        lines += _lines(f"{_short(reason)} {_n(f'{n:,}')}", width, indent="   ")
    if left := reasons[MOST_SOURCES:]:
        text = f"and {len(left)} more reasons {_n(f'{sum(n for _, n in left):,}')}"
        lines += _lines(text, width, indent="   ")
    return _Cell(column, row, tuple(lines), all(number.state in ("known", ANSWERED) for number in numbers))


def _identified(flow: Flow) -> _Cell:
    numbers = [number for number in flow.numbers if number.item in ("flow:databases", "flow:registers", "flow:topic")]
    lines = _lines("Records identified from:", WIDE, is_bold=True)
    for number in numbers:
        lines += _lines(_shown(number), WIDE)
        lines += _listed(flow, number, WIDE)
    return _Cell("found", 0, tuple(lines), all(number.state in ("known", ANSWERED) for number in numbers))


def _listed(flow: Flow, number: FlowNumber, width: float) -> Iterator[tuple[str, bool]]:
    sources = [source for source in flow.sources if source.item == number.item]
    for source in sources[:MOST_SOURCES]:
        cut = ", cut by its cap" if source.is_cut else ""
        text = f"{_short(_name(source))} {_n('?' if source.n is None else f'{source.n:,}{cut}')}"
        yield from _lines(text, width, indent="   ")
    if left := sources[MOST_SOURCES:]:
        n = sum(source.n or 0 for source in left)
        yield from _lines(f"and {len(left)} more {_n(f'{n:,}')}", width, indent="   ")


def _name(source: FlowSource) -> str:
    if source.number is not None or not source.version:
        return source.name
    told = source.kind == "topic" or source.version.startswith(source.name)
    return f"version “{source.version}”" if told else f"{source.name}, “{source.version}”"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST else f"{flat[: LONGEST - 1].rstrip()}…"


def _boxed(cell: _Cell, column: _Column, y: float, height: float) -> list[Shape]:
    """Draw a box with its text: a solid outline if it is complete, otherwise a dashed one."""
    x, right = column.x, column.x + column.width
    corners = ((x, y), (right, y), (right, y + height), (x, y + height))
    dash = None if cell.is_whole else 5.0
    shapes: list[Shape] = [Path(corners, LINE, 1.2, FAINT if cell.is_whole else "#ffffff", is_closed=True, dash=dash)]
    start = y + (height - len(cell.lines) * LEADING) / 2 + LEADING - 5
    for place, (text, is_bold) in enumerate(cell.lines):
        indent = 14.0 if text.startswith("   ") else 0.0
        shapes.append(TextShape(x + PAD + indent, start + place * LEADING, text.strip(), SIZE, INK, is_bold=is_bold))
    return shapes


def _arrow(*points: Point) -> list[Shape]:
    """Draw an arrow along some points; its last part goes right, left or down."""
    (x, _), (to_x, to_y) = points[-2:]
    across = (to_x > x) - (to_x < x)
    down = 0 if across else 1
    back = (to_x - 8 * across, to_y - 8 * down)
    tip = ((to_x, to_y), (back[0] - 4 * down, back[1] - 4 * across), (back[0] + 4 * down, back[1] + 4 * across))
    stop = (to_x - 7 * across, to_y - 7 * down)
    return [Path((*points[:-1], stop), LINE, 1.2), Path(tip, None, fill=LINE, is_closed=True)]


def flow_alternative(flow: Flow) -> str:
    texts = [_shown(number).replace("\u00a0", " ").replace("n = ?", "not answered yet") for number in flow.numbers]
    sources = []
    for source in flow.sources:
        version = f", version {source.version}" if source.version else ""
        cut = ", cut by its cap" if source.is_cut else ""
        sources.append(f"{source.name}{version}: {_or_unknown(source.n)}{cut}")
    reasons = [f"{reason}: {n:,}" for reason, n in (*flow.reasons, *flow.other_reasons)]
    parts = [f"PRISMA 2020 flow diagram. {'; '.join(texts)}."]
    if sources:
        parts.append(f"Sources: {'; '.join(sources)}.")
    if reasons:
        parts.append(f"Reasons for excluding reports: {'; '.join(reasons)}.")
    return " ".join(parts)


def _or_unknown(n: int | None) -> str:
    return "not known" if n is None else f"{n:,}"
