"""The PRISMA 2020 flow diagram as a picture, and in words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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


# The PRISMA 2020 flow diagram as a picture, as alternative text, and as tables.
#
# Boxes and their wording: Page MJ et al., BMJ 2021;372:n71, doi 10.1136/bmj.n71, the diagram for new systematic
# reviews which included searches of databases and registers only.

INK, LINE, FAINT, BAND = "#1f2937", "#4b5563", "#f8fafc", "#dbe7f3"
SIZE, LEADING, PAD = 13.0, 18.0, 12.0
WIDTH, LEFT, RIGHT, BOX = 760.0, 116.0, 456.0, 296.0
GAP, TOP = 26.0, 52.0
MOST_SOURCES = 12
"""Sources, and reasons, that a box lists."""
LONGEST = 120
"""Characters of a reason or of a source's name."""


@dataclass(frozen=True, slots=True)
class _Cell:
    lines: tuple[tuple[str, bool], ...]
    """Text, and True if it is bold."""
    is_whole: bool
    """All its numbers are recorded or answered."""

    @property
    def height(self) -> float:
        return len(self.lines) * LEADING + 2 * PAD - 4


def flow_picture(flow: Flow) -> VectorPicture:
    """Draw the diagram; a number without an answer is shown as n = ?, in a box with a dashed outline."""
    shapes: list[Shape] = [Box(LEFT, 10, WIDTH - LEFT - 8, 28, BAND, round=4)]
    head = "Identification of studies via databases and registers"
    shapes.append(TextShape((LEFT + WIDTH - 8) / 2, 29, head, SIZE + 1, INK, "middle", is_bold=True))
    rows, y = list(_rows(flow)), TOP
    places: list[tuple[float, float]] = []
    for left, right in rows:
        height = max(left.height, right.height if right else 0.0)
        places.append((y, height))
        shapes += _boxed(left, LEFT, y, height)
        if right is not None:
            shapes += _boxed(right, RIGHT, y, height)
            middle = y + height / 2
            shapes += _arrow((LEFT + BOX, middle), (RIGHT, middle))
        y += height + GAP
    for (above, height), (below, _) in pairwise(places):
        shapes += _arrow((LEFT + BOX / 2, above + height), (LEFT + BOX / 2, below))
    bands = (("Identification", 0, 0), ("Screening", 1, 3), ("Included", 4, 4))
    for name, first, last in bands:
        top, bottom = places[first][0], places[last][0] + places[last][1]
        shapes.append(Box(8, top, 96, bottom - top, BAND, round=4))
        shapes.append(TextShape(56, (top + bottom) / 2 + 4, name, SIZE - 1, INK, "middle", is_bold=True))
    foot = "n = ?: not answered yet. Dashed: incomplete, or to be confirmed."
    if any(number.state in ("open", "likely", "changed") for number in flow.numbers):
        shapes.append(TextShape(LEFT, y + 2, foot, SIZE - 1, LINE))
        y += 18
    return VectorPicture(WIDTH, y, tuple(shapes))


def _rows(flow: Flow) -> Iterator[tuple[_Cell, _Cell | None]]:
    yield _identified(flow), _removed(flow)
    yield _cell(flow, "flow:screened"), _cell(flow, "flow:excluded")
    yield _cell(flow, "flow:sought"), _cell(flow, "flow:not-retrieved")
    yield _cell(flow, "flow:assessed"), _excluded(flow)
    yield _cell(flow, "flow:studies", "flow:reports"), None


def _shown(number: FlowNumber) -> str:
    if number.n is None:
        return f"{number.label} {_n('?')}"
    unsure = ", to be confirmed" if number.state in ("likely", "changed") else ""
    return f"{number.label} {_n(f'{number.n:,}{unsure}')}"


def _n(text: str) -> str:
    """Format a number as in the diagram, with no line break after n."""
    return f"(n\u00a0=\u00a0{text})"


def _is_whole(numbers: Sequence[FlowNumber]) -> bool:
    return all(number.state in ("known", ANSWERED) for number in numbers)


def _lines(text: str, *, is_bold: bool = False, indent: str = "") -> list[tuple[str, bool]]:
    room = BOX - 2 * PAD - (14 if indent else 0)
    return [(f"{indent}{line}", is_bold) for line in wrapped(text, room, SIZE)]


def _cell(flow: Flow, *items: str) -> _Cell:
    numbers = [flow.of(item) for item in items]
    return _Cell(tuple(line for number in numbers for line in _lines(_shown(number))), _is_whole(numbers))


def _identified(flow: Flow) -> _Cell:
    lines = _lines("Records identified from:", is_bold=True)
    numbers = [number for number in flow.numbers if number.item in ("flow:databases", "flow:registers", "flow:topic")]
    for number in numbers:
        lines += _lines(_shown(number))
        kind = {"flow:databases": "database", "flow:topic": "topic"}.get(number.item, "")
        for text in _listed([source for source in flow.sources if source.kind == kind]):
            lines += _lines(text, indent="   ")
    return _Cell(tuple(lines), _is_whole(numbers))


def _listed(sources: Sequence[FlowSource]) -> Iterator[str]:
    for source in sources[:MOST_SOURCES]:
        told = source.kind == "topic" or source.version.startswith(source.name)
        name = f"version “{source.version}”" if told else f"{source.name}, “{source.version}”"
        cut = ", cut by its cap" if source.is_cut else ""
        yield f"{_short(name)} {_n('?' if source.n is None else f'{source.n:,}{cut}')}"
    if left := sources[MOST_SOURCES:]:
        n = sum(source.n or 0 for source in left)
        yield f"and {len(left)} more {_n(f'{n:,}')}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST else f"{flat[: LONGEST - 1].rstrip()}…"


def _removed(flow: Flow) -> _Cell:
    numbers = [flow.of(item) for item in ("flow:duplicates", "flow:automation", "flow:other")]
    lines = _lines("Records removed before screening:", is_bold=True)
    for number in numbers:
        lines += _lines(_shown(number))
    return _Cell(tuple(lines), _is_whole(numbers))


def _excluded(flow: Flow) -> _Cell:
    number = flow.of("flow:reports-excluded")
    lines = _lines(_shown(number))
    for reason, n in flow.reasons[:MOST_SOURCES]:
        lines += _lines(f"{_short(reason)} {_n(f'{n:,}')}", indent="   ")
    if left := flow.reasons[MOST_SOURCES:]:
        lines += _lines(f"and {len(left)} more reasons {_n(f'{sum(n for _, n in left):,}')}", indent="   ")
    return _Cell(tuple(lines), _is_whole([number]))


def _boxed(cell: _Cell, x: float, y: float, height: float) -> list[Shape]:
    """Draw a box with its text: a solid outline if it is complete, otherwise a dashed one."""
    corners = ((x, y), (x + BOX, y), (x + BOX, y + height), (x, y + height))
    dash = None if cell.is_whole else 5.0
    shapes: list[Shape] = [Path(corners, LINE, 1.2, FAINT if cell.is_whole else "#ffffff", is_closed=True, dash=dash)]
    start = y + (height - len(cell.lines) * LEADING) / 2 + LEADING - 5
    for place, (text, is_bold) in enumerate(cell.lines):
        indent = 14.0 if text.startswith("   ") else 0.0
        shapes.append(TextShape(x + PAD + indent, start + place * LEADING, text.strip(), SIZE, INK, is_bold=is_bold))
    return shapes


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> list[Shape]:
    """Draw an arrow to the right or downwards."""
    (x, y), (to_x, to_y) = start, end
    down = to_x == x
    tip = (
        ((to_x, to_y), (to_x - 4, to_y - 8), (to_x + 4, to_y - 8))
        if down
        else ((to_x, to_y), (to_x - 8, to_y - 4), (to_x - 8, to_y + 4))
    )
    stop = (to_x, to_y - 7) if down else (to_x - 7, to_y)
    return [Path(((x, y), stop), LINE, 1.2), Path(tip, None, fill=LINE, is_closed=True)]


def flow_alternative(flow: Flow) -> str:
    texts = [_shown(number).replace("\u00a0", " ").replace("n = ?", "not answered yet") for number in flow.numbers]
    sources = [
        f"{source.name}, version {source.version}: {_or_unknown(source.n)}{', cut by its cap' if source.is_cut else ''}"
        for source in flow.sources
    ]
    reasons = [f"{reason}: {n:,}" for reason, n in flow.reasons]
    parts = [f"PRISMA 2020 flow diagram. {'; '.join(texts)}."]
    if sources:
        parts.append(f"Sources: {'; '.join(sources)}.")
    if reasons:
        parts.append(f"Reasons for excluding reports: {'; '.join(reasons)}.")
    return " ".join(parts)


def _or_unknown(n: int | None) -> str:
    return "not known" if n is None else f"{n:,}"
