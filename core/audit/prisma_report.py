"""The PRISMA-S appendix and the PRISMA 2020 flow diagram, as a report and as a picture."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.audit.prisma_items import (
    FLOW_LABELS,
    PRISMA_2020,
    PRISMA_S,
    called,
    day,
    grouped,
    named,
    number_of,
    reasons_of,
)
from core.audit.prisma_s import FilledItem, completeness, fill
from core.audit.strategies import ANSWERED, AuditAnswer, AuditFacts, ItemState, SearchFacts
from core.pictures import Box, Path, Shape, TextShape, VectorPicture
from core.report import (
    AnswerPrompt,
    Block,
    Figure,
    Listing,
    Paragraph,
    Remark,
    ReportColumn,
    ReportDocument,
    ReportHeading,
    Table,
    Value,
    columns_of,
)
from core.text import listed, lower_first, many, upper_first
from core.types import Ids, unique_ids

# The numbers of a PRISMA 2020 flow diagram: recorded values, answers, and the agreement between them.


@dataclass(frozen=True, slots=True)
class FlowNumber:
    item: str
    """The question of the audit, such as "flow:screened"; "flow:topic" can only be recorded, not answered."""
    label: str
    """The label in the diagram."""
    n: int | None
    """None: not known, and not answered yet."""
    state: ItemState
    sentence: str = ""
    """The origin of the number, or the next step."""
    recorded: int | None = None
    """The number that Queryscape recorded itself."""


@dataclass(frozen=True, slots=True)
class FlowSource:
    name: str
    kind: str
    """"database", or "topic": the topic's own publications, which are not a database."""
    version: str
    n: int | None
    """Records received, including unreadable ones; publications if the records are not stored."""
    is_cut: bool = False
    """A cap cut the search, so more records exist than were received."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The diagram for new systematic reviews that searched only databases and registers."""

    sources: tuple[FlowSource, ...]
    numbers: tuple[FlowNumber, ...]
    """In the order of the diagram."""
    reasons: tuple[tuple[str, int], ...]
    """Reasons for exclusion with the number of reports for each, as answered."""
    disagreements: Ids
    """Sums that do not add up; empty: all sums that can be checked agree."""
    notes: Ids = ()
    """Notes on the numbers."""
    warnings: Ids = ()
    """Warnings for readers: searches that a cap cut, or that are unfinished."""

    def of(self, item: str) -> FlowNumber:
        return next(number for number in self.numbers if number.item == item)

    def n(self, item: str) -> int | None:
        """Return the number of an item; None: open, or not part of this diagram."""
        return next((number.n for number in self.numbers if number.item == item), None)

    @property
    def n_identified(self) -> int | None:
        """All records; None: no source has a known number."""
        known = [n for item in ("flow:databases", "flow:registers", "flow:topic") if (n := self.n(item)) is not None]
        return sum(known) if known else None

    @property
    def n_removed(self) -> int:
        """Records removed before screening, as far as known."""
        return sum(self.n(item) or 0 for item in ("flow:duplicates", "flow:automation", "flow:other"))


_ASK = {
    "flow:databases": "Enter the number of records from databases.",
    "flow:registers": "Enter the number of records from study registers; 0 if none was searched.",
    "flow:duplicates": "Enter the number of duplicate records removed.",
    "flow:automation": "Enter the number of records that automation tools marked as ineligible; 0 if none.",
    "flow:other": "Enter the number of records removed for other reasons; 0 if none.",
    "flow:screened": "Enter the number of records screened by title and abstract.",
    "flow:excluded": "Enter the number of records excluded by title and abstract.",
    "flow:sought": "Enter the number of full texts sought.",
    "flow:not-retrieved": "Enter the number of full texts that could not be obtained.",
    "flow:assessed": "Enter the number of full texts assessed.",
    "flow:reports-excluded": "Enter the number excluded, one line for each reason, such as “Wrong population: 12”.",
    "flow:studies": "Enter the number of included studies.",
    "flow:reports": "Enter the number of reports of these studies.",
}


def flow_of(facts: AuditFacts) -> Flow:
    sources = tuple(map(_source, facts.searches))
    recorded = _recorded(facts, sources)
    numbers = [_number(facts, item, recorded.get(item)) for item in FLOW_LABELS]
    if (n_topic := _sum(sources, "topic")) is not None:
        sentence = "Found among the topic's own publications, which are not a database."
        numbers.insert(
            2, FlowNumber("flow:topic", "This topic's publications (no database)", *_known(n_topic, sentence))
        )
    answer = facts.answers.get("flow:reports-excluded")
    flow = Flow(
        sources,
        tuple(numbers),
        reasons_of(answer.text) if answer else (),
        (),
        tuple(_notes(facts)),
        tuple(_warnings(facts)),
    )
    flow = _with_screened(flow, facts.answers.get("flow:screened"))
    return replace(flow, disagreements=tuple(_disagreements(flow)))


def _known(n: int, sentence: str) -> tuple[int, ItemState, str, int]:
    return n, "known", sentence, n


def _source(search: SearchFacts) -> FlowSource:
    if search.how == "local":
        return FlowSource(search.source, "topic", search.version, search.n_publications)
    name = search.source or "a source that is not recorded"
    n = search.n_publications if search.n_records is None else search.n_records + search.n_aside
    return FlowSource(name, "database", search.version, n, search.is_cut)


def _sum(sources: Sequence[FlowSource], kind: str) -> int | None:
    known = [source.n for source in sources if source.kind == kind and source.n is not None]
    return sum(known) if known else None


def _recorded(facts: AuditFacts, sources: Sequence[FlowSource]) -> dict[str, tuple[int, str]]:
    out: dict[str, tuple[int, str]] = {}
    n_databases = _sum(sources, "database")
    if n_databases is not None:
        names = unique_ids(source.name for source in sources if source.kind == "database" and source.n is not None)
        out["flow:databases"] = n_databases, f"All records from {listed(names)}."
    no_registers = facts.answers.get("prisma-s:3")
    if no_registers is not None and no_registers.state == "not done":
        out["flow:registers"] = 0, "Item 3 says that no register was searched."
    known = [source.n for source in sources if source.n is not None]
    n_aside = sum(search.n_aside for search in facts.searches)
    if known and facts.n_found is not None:
        n = sum(known) - n_aside - facts.n_found
        if n >= 0:
            out["flow:duplicates"] = n, "Further records of publications that another record already covers."
    if n_aside:
        out["flow:other"] = n_aside, "Records that could not be read."
    return out


def _number(facts: AuditFacts, item: str, recorded: tuple[int, str] | None) -> FlowNumber:
    label, answer = FLOW_LABELS[item], facts.answers.get(item)
    ours, sentence = recorded if recorded is not None else (None, _ASK[item])
    if answer is None:
        return FlowNumber(item, label, ours, "open" if ours is None else "known", sentence, ours)
    reasons = reasons_of(answer.text) if item == "flow:reports-excluded" else ()
    total = sum(n for _, n in reasons) if reasons else number_of(answer.text)
    if total is None:
        return FlowNumber(item, label, ours, "open", f"“{answer.text[:40]}” is not a whole number. {_ASK[item]}", ours)
    by = f"Answered by {answer.said_by or 'an unnamed person'}."
    if answer.state == "confirmed" and ours is not None and total != ours:
        changed = f"{total:,} was confirmed, but {ours:,} is recorded now: confirm it again, or enter another number."
        return FlowNumber(item, label, ours, "changed", changed, ours)
    return FlowNumber(item, label, total, ANSWERED, by, ours)


def _with_screened(flow: Flow, answer: AuditAnswer | None) -> Flow:
    """Derive the number of screened records: likely until answered, changed if another number was confirmed."""
    number = flow.of("flow:screened")
    left = None if flow.n_identified is None else flow.n_identified - flow.n_removed
    if left is None or left < 0:
        return flow
    if number.n is None:
        sentence = "Confirm that all remaining records were screened, or enter another number."
        number = replace(number, n=left, state="likely", sentence=sentence)
    elif answer is not None and answer.state == "confirmed" and number.n != left:
        sentence = f"{number.n:,} was confirmed, but {left:,} are left now: confirm it again, or enter another number."
        number = replace(number, n=left, state="changed", sentence=sentence)
    number = replace(number, recorded=left)
    return replace(flow, numbers=tuple(number if each.item == number.item else each for each in flow.numbers))


def _notes(facts: AuditFacts) -> Iterator[str]:
    for name, labels in grouped(facts.searches):
        if len(labels) > 1:
            yield (
                f"{called(labels)} searched {name or 'the same source'}: a record that several of them found counts "
                "several times and is removed as a duplicate. Report only the versions that the review uses."
            )
    for search in facts.searches:
        if search.n_publications is None:
            yield f"{called([search.version])} was not run, so it is not counted."
    if any(search.how == "local" for search in facts.searches):
        yield "Runs over the topic's own publications are counted in publications, not in records of a database."


def _warnings(facts: AuditFacts) -> Iterator[str]:
    for search in facts.searches:
        if search.is_cut:
            yield f"The search of {named([search.version])} was cut by its cap, so the source has more records."
    for run in facts.unfinished:
        so_far = many(run.n_records, "record")
        yield f"A search in {run.source} is unfinished and not counted ({so_far} so far)."


def _disagreements(flow: Flow) -> Iterator[str]:
    for number in flow.numbers:
        if number.item == "flow:screened":  # its sum is checked below
            continue
        if number.state == ANSWERED and number.recorded is not None and number.n != number.recorded:
            yield f"{number.label}: {number.n:,} was answered, but {number.recorded:,} is recorded."
    identified = flow.n_identified
    if identified is not None:
        yield from _differs(
            "records identified",
            identified,
            "records removed before screening",
            flow.n_removed,
            flow.of("flow:screened"),
        )
    for whole, part, rest in (
        ("flow:screened", "flow:excluded", "flow:sought"),
        ("flow:sought", "flow:not-retrieved", "flow:assessed"),
        ("flow:assessed", "flow:reports-excluded", "flow:reports"),
    ):
        a, b = flow.of(whole), flow.of(part)
        if a.n is not None and b.n is not None:
            yield from _differs(lower_first(a.label), a.n, lower_first(b.label), b.n, flow.of(rest))
    studies, reports = flow.n("flow:studies"), flow.n("flow:reports")
    if studies is not None and reports is not None and studies > reports:
        yield f"{many(studies, 'study')} can't have only {many(reports, 'report')}."


def _differs(a: str, n_a: int, b: str, n_b: int, rest: FlowNumber) -> Iterator[str]:
    left = n_a - n_b
    if left < 0:
        yield f"The number of {b} ({n_b:,}) is higher than that of {a} ({n_a:,})."
    elif rest.n is not None and rest.n != left:
        yield f"Of {a} ({n_a:,}), {left:,} are left without {b} ({n_b:,}), but {lower_first(rest.label)}: {rest.n:,}."


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
FLOW_STATES = {
    "known": "recorded",
    "likely": "to be confirmed",
    "open": "not answered yet",
    ANSWERED: "answered",
    "changed": "the record has changed",
}


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


def flow_tables(flow: Flow) -> tuple[Table, ...]:
    """Tabulate all numbers with their origin, and the records of each source."""
    rows: list[tuple[Value, ...]] = [
        (number.label, number.n, FLOW_STATES[number.state], number.sentence or None) for number in flow.numbers
    ]
    columns = (ReportColumn("Number of"), ReportColumn("n", "count"), *columns_of("State", "Origin, or next step"))
    tables = [Table("prisma-flow-numbers", "Numbers of the flow diagram", columns, tuple(rows))]
    if flow.sources:
        kinds = {"database": "database or its file", "topic": "publications of this topic"}
        found = tuple(
            (source.name, source.version, kinds[source.kind], source.n, "yes" if source.is_cut else "no")
            for source in flow.sources
        )
        heads = (*columns_of("Source", "Version", "Kind"), ReportColumn("n", "count"), ReportColumn("Cut by a cap"))
        note = "Records, including unreadable ones; publications where the records were not counted."
        tables.append(Table("prisma-flow-sources", "Records identified from each source", heads, found, note))
    if flow.reasons:
        by_reason = (ReportColumn("Reason"), ReportColumn("n", "count"))
        tables.append(Table("prisma-flow-reasons", "Reports excluded, by reason", by_reason, flow.reasons))
    return tuple(tables)


# The PRISMA-S appendix and the PRISMA 2020 numbers as one report.

ITEM_STATES = {
    "known": "recorded",
    "likely": "prefilled, not confirmed",
    "open": "open",
    ANSWERED: "answered",
    "changed": "confirmed, but the record has changed",
}


def prisma_s(facts: AuditFacts, *, made_at: str, made_with: str) -> ReportDocument:
    """Compose the report: the sixteen items, then the flow diagram with its numbers."""
    filled = fill(facts)
    blocks = [
        *_head(facts, filled),
        *_items(filled),
        *_flow(facts),
        ReportHeading("References"),
        Listing((PRISMA_S, PRISMA_2020)),
    ]
    return ReportDocument(
        "prisma-s",
        f"PRISMA-S appendix: {facts.topic_id}",
        "The search, item by item",
        tuple(blocks),
        made_at,
        made_with,
        facts.made_up,
    )


def _head(facts: AuditFacts, filled: Sequence[FilledItem]) -> Iterator[Block]:
    n = len(facts.searches)
    labels = ", ".join(f"“{search.version}”" for search in facts.searches)
    what = f"It covers {many(n, 'version')} of the search: {labels}." if n else "No search was run or imported yet."
    yield Paragraph(f"{completeness(filled).sentence} {what}", is_lead=True)
    warnings = [warning for one in filled for warning in one.warnings]
    yield from (Remark(warning, is_warning=True) for warning in dict.fromkeys(warnings))
    rows = tuple((one.item.number, one.item.title, one.item.part, state_in_words(one)) for one in filled)
    columns = (ReportColumn("Item", "count"), *columns_of("Title", "Part", "State"))
    yield Table(
        "prisma-s-items",
        "The sixteen items and their state",
        columns,
        rows,
        "Recorded: stored by Queryscape. Prefilled: likely, to be confirmed. Answered: by a person.",
    )


def state_in_words(one: FilledItem) -> str:
    if one.answer is None or one.state not in (ANSWERED, "changed"):
        return ITEM_STATES[one.state]
    word = {"confirmed": "confirmed", "own": "answered", "not done": "answered as not done"}[one.answer.state]
    by = one.answer.said_by or "an unnamed person"
    text = f"{word} by {by} on {day(one.answer.said_at)}"
    return f"{text}; the record has changed since" if one.state == "changed" else text


def _items(filled: Sequence[FilledItem]) -> Iterator[Block]:
    part = ""
    for one in filled:
        if one.item.part != part:
            part = one.item.part
            yield ReportHeading(part)
        yield ReportHeading(f"{one.item.number} {one.item.title}", 3)
        yield from _item(one)


def _item(one: FilledItem) -> Iterator[Block]:
    lines = [line for line in one.text.split("\n") if line.strip()]
    if len(lines) > 3:
        yield Listing(tuple(lines))
    else:
        yield from (Paragraph(line) for line in lines)
    if one.answer is not None and one.state in (ANSWERED, "changed"):
        yield Remark(f"{upper_first(state_in_words(one))}.")
    if one.set_aside:
        yield Paragraph("Recorded by Queryscape:")
        yield Listing(one.set_aside)
    if one.change:
        yield Remark(one.change, is_warning=True)
    yield from (Remark(warning, is_warning=True) for warning in one.warnings)
    if one.state == "likely" and one.evidence:
        yield Remark(f"Why this is prefilled: {one.evidence}")
    if one.next_step:
        yield AnswerPrompt(one.next_step, one.item.item)
    yield from one.blocks


def _flow(facts: AuditFacts) -> Iterator[Block]:
    flow = flow_of(facts)
    yield ReportHeading("PRISMA 2020: from records to studies")
    yield Paragraph(
        "The diagram is for new systematic reviews that search only databases and registers. A question mark stands "
        "for a number that is not answered yet."
    )
    yield from (Remark(text, is_warning=True) for text in (*flow.disagreements, *flow.warnings))
    yield from (Remark(text) for text in flow.notes)
    yield Figure("prisma-flow", "PRISMA 2020 flow diagram", flow_alternative(flow), flow_picture(flow))
    yield from flow_tables(flow)
    left = [number.label.lower() for number in flow.numbers if number.state == "open"]
    unsure = [number.label.lower() for number in flow.numbers if number.state in ("likely", "changed")]
    if left:
        yield AnswerPrompt(f"Enter the numbers of: {listed(left)}.", "flow")
    if unsure:
        yield AnswerPrompt(f"Confirm the numbers of: {listed(unsure)}.", "flow")
