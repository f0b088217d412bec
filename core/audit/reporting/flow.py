"""The PRISMA 2020 flow diagram as a picture, in words and as tables.

Boxes and their wording: Page MJ et al., BMJ 2021;372:n71, doi 10.1136/bmj.n71, the diagram for new systematic reviews
which included searches of databases and registers only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.audit.document import Column, Table, Value
from core.audit.pictures.shapes import Box, Path, Picture, Shape, Words
from core.audit.reporting.numbers import Flow, FlowNumber, FlowSource
from core.audit.reporting.wrapping import wrapped

INK, LINE, FAINT, BAND = "#1f2937", "#4b5563", "#f8fafc", "#dbe7f3"
SIZE, LEADING, PAD = 13.0, 18.0, 12.0
WIDTH, LEFT, RIGHT, BOX = 760.0, 116.0, 456.0, 296.0
GAP, TOP = 26.0, 52.0
MOST_SOURCES = 12
"""Rows of sources in the first box, and of reasons."""
LONGEST = 120
"""Signs of a reason or of a source's name."""
STATES = {
    "known": "recorded",
    "likely": "to be confirmed",
    "open": "nobody has said yet",
    "said": "said",
    "changed": "the record has changed",
}


@dataclass(frozen=True, slots=True)
class _Cell:
    """A box before it has a place."""

    lines: tuple[tuple[str, bool], ...]
    """Text, and whether it is bold."""
    is_whole: bool
    """All its numbers are known or were said."""

    @property
    def height(self) -> float:
        """As much as its lines need."""
        return len(self.lines) * LEADING + 2 * PAD - 4


def flow_picture(flow: Flow) -> Picture:
    """The diagram with its boxes; what nobody said stands as n = ?, in a box with a dashed line."""
    shapes: list[Shape] = [Box(LEFT, 10, WIDTH - LEFT - 8, 28, BAND, round=4)]
    head = "Identification of studies via databases and registers"
    shapes.append(Words((LEFT + WIDTH - 8) / 2, 29, head, SIZE + 1, INK, "middle", is_bold=True))
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
        shapes.append(Words(56, (top + bottom) / 2 + 4, name, SIZE - 1, INK, "middle", is_bold=True))
    foot = "n = ?: nobody has said yet. Dashed: not complete, or to be confirmed."
    if any(number.state in ("open", "likely", "changed") for number in flow.numbers):
        shapes.append(Words(LEFT, y + 2, foot, SIZE - 1, LINE))
        y += 18
    return Picture(WIDTH, y, tuple(shapes))


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


def _n(said: str) -> str:
    """A number as the diagram writes it, never broken behind its n."""
    return f"(n\u00a0=\u00a0{said})"


def _is_whole(numbers: Sequence[FlowNumber]) -> bool:
    return all(number.state in ("known", "said") for number in numbers)


def _lines(text: str, *, is_bold: bool = False, indent: str = "") -> list[tuple[str, bool]]:
    room = BOX - 2 * PAD - (14 if indent else 0)
    return [(f"{indent}{line}", is_bold) for line in wrapped(text, room, SIZE)]


def _cell(flow: Flow, *items: str) -> _Cell:
    numbers = [flow.of(item) for item in items]
    return _Cell(tuple(line for number in numbers for line in _lines(_shown(number))), _is_whole(numbers))


def _identified(flow: Flow) -> _Cell:
    """Databases with each of them, registers, and what is neither."""
    lines = _lines("Records identified from:", is_bold=True)
    numbers = [number for number in flow.numbers if number.item in ("flow:databases", "flow:registers", "flow:topic")]
    for number in numbers:
        lines += _lines(_shown(number))
        kind = {"flow:databases": "database", "flow:topic": "topic"}.get(number.item, "")
        for text in _listed([source for source in flow.sources if source.kind == kind]):
            lines += _lines(text, indent="   ")
    return _Cell(tuple(lines), _is_whole(numbers))


def _listed(sources: Sequence[FlowSource]) -> Iterator[str]:
    """Each source, or each version where one source was searched several times."""
    for source in sources[:MOST_SOURCES]:
        told = source.kind == "topic" or source.version.startswith(source.name)
        name = f"version “{source.version}”" if told else f"{source.name}, “{source.version}”"
        cut = ", cut by its cap" if source.is_cut else ""
        yield f"{_short(name)} {_n('?' if source.n is None else f'{source.n:,}{cut}')}"
    if left := sources[MOST_SOURCES:]:
        n = sum(source.n or 0 for source in left)
        yield f"and {len(left)} more {_n(f'{n:,}')}"


def _short(text: str) -> str:
    """As much as a box holds; the tables have all of it."""
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
    """A whole line around what is complete, a dashed one around the rest."""
    corners = ((x, y), (x + BOX, y), (x + BOX, y + height), (x, y + height))
    dash = None if cell.is_whole else 5.0
    shapes: list[Shape] = [Path(corners, LINE, 1.2, FAINT if cell.is_whole else "#ffffff", is_closed=True, dash=dash)]
    start = y + (height - len(cell.lines) * LEADING) / 2 + LEADING - 5
    for place, (text, is_bold) in enumerate(cell.lines):
        indent = 14.0 if text.startswith("   ") else 0.0
        shapes.append(Words(x + PAD + indent, start + place * LEADING, text.strip(), SIZE, INK, is_bold=is_bold))
    return shapes


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> list[Shape]:
    """Right or down."""
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
    """The same in words."""
    said = [_shown(number).replace("\u00a0", " ").replace("n = ?", "nobody has said yet") for number in flow.numbers]
    sources = [
        f"{source.name}, version {source.version}: {_or_unknown(source.n)}{', cut by its cap' if source.is_cut else ''}"
        for source in flow.sources
    ]
    reasons = [f"{reason}: {n:,}" for reason, n in flow.reasons]
    parts = [f"PRISMA 2020 flow diagram. {'; '.join(said)}."]
    if sources:
        parts.append(f"Sources: {'; '.join(sources)}.")
    if reasons:
        parts.append(f"Reasons for excluding reports: {'; '.join(reasons)}.")
    return " ".join(parts)


def _or_unknown(n: int | None) -> str:
    return "not known" if n is None else f"{n:,}"


def flow_tables(flow: Flow) -> tuple[Table, ...]:
    """Every number with where it comes from, and the records of every source."""
    rows: list[tuple[Value, ...]] = [
        (number.label, number.n, STATES[number.state], number.sentence or None) for number in flow.numbers
    ]
    columns = (Column("Number of"), Column("n", "count"), Column("State"), Column("Where from, or what to do"))
    tables = [Table("prisma-flow-numbers", "The numbers of the flow diagram", columns, tuple(rows))]
    if flow.sources:
        kinds = {"database": "database or its file", "topic": "publications of this topic"}
        found = tuple(
            (source.name, source.version, kinds[source.kind], source.n, "yes" if source.is_cut else "no")
            for source in flow.sources
        )
        heads = (Column("Source"), Column("Version"), Column("Kind"), Column("n", "count"), Column("Cut by a cap"))
        note = "Records, those that could not be read among them; publications where the records were not counted."
        tables.append(Table("prisma-flow-sources", "Identified from each source", heads, found, note))
    if flow.reasons:
        by_reason = (Column("Reason"), Column("n", "count"))
        tables.append(Table("prisma-flow-reasons", "Reports excluded, by reason", by_reason, flow.reasons))
    return tuple(tables)
