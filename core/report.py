"""Reports as documents of headings, paragraphs, tables, and figures, independent of the file format."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from core.errors import InputError
from core.pictures import VectorPicture
from core.text import harmless, writable
from core.version import VERSION

MADE_WITH = f"Queryscape {VERSION}"


# A report before it becomes a file: blocks in order. Writers turn them into HTML, DOCX, Markdown or JSON.
#
# Texts are plain: no block holds mark-up, so a title with characters of HTML or LaTeX is only a title.

Value = str | int | float | None
"""The value of a cell; None: unknown or undefined."""
ColumnKind = Literal["text", "code", "count", "number"]
"""code: verbatim, such as a search string; count: a whole number; number: with a fraction."""
ReportKind = Literal["prisma-s", "press", "quality", "checklist", "audit"]
"""audit: all of the others in one."""


@dataclass(frozen=True, slots=True)
class ReportHeading:
    text: str
    level: int = 2
    """1 is the document's own title, so sections begin at 2; 4 at most."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    is_lead: bool = False
    """True for the summary at the head, which a reader in a hurry should read."""


@dataclass(frozen=True, slots=True)
class Listing:
    items: tuple[str, ...]
    is_numbered: bool = False


@dataclass(frozen=True, slots=True)
class Strategy:
    """A search string exactly as it was sent: every character and every line break counts."""

    text: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class ReportColumn:
    title: str
    kind: ColumnKind = "text"


def columns_of(*titles: str, kind: ColumnKind = "text") -> tuple[ReportColumn, ...]:
    return tuple(ReportColumn(title, kind) for title in titles)


@dataclass(frozen=True, slots=True)
class Table:
    """A table that stays a table in every format. `name` is also the name of its CSV file in a bundle."""

    name: str
    """Lower-case letters, digits and hyphens; unique in a document."""
    caption: str
    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise InputError(f'table "{self.name}" has a row of a different length than its header')


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    """Same form as a table's name; the landscape of a version is `landscape-NUMBER` with the version's number."""
    caption: str
    alternative: str
    """The content for a reader without the picture: numbers, not "a scatter plot"."""
    picture: VectorPicture


@dataclass(frozen=True, slots=True)
class AnswerPrompt:
    text: str
    item: str = ""
    """The audit question, such as "prisma-s:5"."""


@dataclass(frozen=True, slots=True)
class Remark:
    text: str
    is_warning: bool = False
    for_author: bool = False
    """It helps to finish the report, and is left out of a final copy."""


Block = ReportHeading | Paragraph | Listing | Strategy | Table | Figure | AnswerPrompt | Remark


@dataclass(frozen=True, slots=True)
class ReportDocument:
    kind: ReportKind
    title: str
    subtitle: str
    blocks: tuple[Block, ...]
    made_at: str
    """ISO 8601 in UTC."""
    made_with: str
    """Queryscape and its version."""
    made_up: bool = False
    """True if the topic is synthetic demo data: every format says so at its head."""
    front: tuple[tuple[str, str], ...] = ()
    """What the title page says of the review: labels and texts."""

    def __post_init__(self) -> None:
        names = [block.name for block in self.blocks if isinstance(block, Table | Figure)]
        if len(set(names)) != len(names):
            raise InputError("two tables or figures of a report have the same name")

    @property
    def tables(self) -> Iterator[Table]:
        return (block for block in self.blocks if isinstance(block, Table))

    @property
    def figures(self) -> Iterator[Figure]:
        return (block for block in self.blocks if isinstance(block, Figure))


# Display of values, the same in every format.

NONE = "–"
"""Unknown or undefined."""
MINUS = "−"
MADE_UP = "Demo data: no publication, search or number in this report is real."
"""Shown at the head of a report on a synthetic topic, and on each of its pages."""
TO_ANSWER = "✎ Still to be answered"
"""Marks a question that still needs an answer, by a symbol and in words."""
NOTE = "Note"
BEWARE = "⚠ Warning"
NO_ROWS = "Nothing to list."
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_SMALL = 0.1
"""Smaller numbers have three significant digits, larger ones three decimals."""
_LARGE = 1000
"""Numbers from here on have six significant digits, which leaves fewer decimals."""


def shown(value: Value, kind: ColumnKind) -> str:
    """Format the value of a cell: thousands separators, at most three decimals, a dash for a missing value.

    A whole number in a column of text is not changed, because it may be a year.

    >>> shown(17573, "count"), shown(0.7341, "number"), shown(-0.012345, "number"), shown(2019, "text")
    ('17,573', '0.734', '−0.0123', '2019')
    >>> shown(None, "number"), shown(float("nan"), "number"), shown(123456.78, "number"), shown("", "text")
    ('–', '–', '123,457', '')
    """
    if value is None:
        return NONE
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        return NONE
    if isinstance(value, int):
        return _signed(str(value) if kind in ("text", "code") else f"{value:,}")
    if kind == "count":
        return _signed(f"{value:,.0f}" if value.is_integer() else _fraction(value))
    return _signed(_fraction(value))


def moment(written: str) -> str:
    """Format a time for readers, always in UTC; text that is not a time is returned unchanged.

    >>> moment("2026-11-22T20:05:29.123+00:00"), moment("2026-11-22T20:05:00+02:00"), moment("yesterday")
    ('22 November 2026, 20:05 UTC', '22 November 2026, 18:05 UTC', 'yesterday')
    """
    try:
        read = datetime.fromisoformat(written)
    except ValueError:
        return written
    when = read.astimezone(UTC) if read.tzinfo else read
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}, {when:%H:%M}{' UTC' if read.tzinfo else ''}"


def utc(moment: str) -> datetime:
    """Convert a moment to UTC; one without a time zone is taken as UTC."""
    found = datetime.fromisoformat(moment)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


def made(document: ReportDocument) -> str:
    """Return a sentence with the date and the software version of a report."""
    return f"Made on {moment(document.made_at)} with {document.made_with}."


def _fraction(value: float) -> str:
    size = abs(value)
    if size == 0:
        return "0.000"
    if size < _SMALL:
        return f"{value:#.3g}"
    decimals = 3 if size < _LARGE else max(0, 5 - math.floor(math.log10(size)))
    return f"{value:,.{decimals}f}"


def _signed(text: str) -> str:
    return MINUS + text[1:] if text.startswith("-") else text


# A table of a report as CSV (RFC 4180): the form that is compared byte by byte.

_QUOTED = re.compile(r'[",\r\n]|^\s|\s$')


def csv_text(table: Table) -> str:
    r"""Return a header line, then one line for each row; each line ends with a line feed.

    Numbers have at least six significant digits; whole numbers and those from a million on have no decimals. Unknown
    values are empty. Text that a spreadsheet would run as a formula is preceded by an apostrophe.

    >>> columns = (ReportColumn("Line", "code"), ReportColumn("Score", "number"))
    >>> csv_text(Table("t", "", columns, (("=1, 2", 1 / 3), ("tea", None))))
    'Line,Score\n"\'=1, 2",0.333333\ntea,\n'
    """
    lines = [[_text(column.title) for column in table.columns]]
    lines += [[_cell(value) for value in row] for row in table.rows]
    return "".join(_line(cells) for cells in lines)


def _line(cells: list[str]) -> str:
    # an entirely empty line would not be a row
    return (",".join(cells) if cells != [""] else '""') + "\n"


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return str(int(value))
    return _number(value)


_WITHOUT_DECIMALS = 999_999.5
_WITH_EXPONENT = 1e15
"""Above it a float no longer has all the digits of a whole number."""


def _number(value: float) -> str:
    if not math.isfinite(value):
        return ""
    if (value.is_integer() or abs(value) >= _WITHOUT_DECIMALS) and abs(value) < _WITH_EXPONENT:
        return f"{value:.0f}" if value else "0"
    return f"{value:.6g}"


def _text(text: str) -> str:
    safe = harmless(writable(text))
    return '"' + safe.replace('"', '""') + '"' if _QUOTED.search(safe) else safe


# Several reports as one document: unique names, headings one level down, the summaries on the title page.

_LOWEST = 4
_PARTS: dict[ReportKind, str] = {
    "prisma-s": "Record of the search (PRISMA-S)",
    "press": "Peer review of the search strategy (PRESS)",
    "quality": "Quality of the search",
    "checklist": "PRISMA-S checklist",
    "audit": "Audit of the search",
}

_SUMMARIES: dict[ReportKind, str] = {
    "prisma-s": "The record",
    "press": "The peer review",
    "quality": "The scores",
    "checklist": "The checklist",
    "audit": "The audit",
}


def whole(
    parts: Sequence[ReportDocument], *, topic: str, made_at: str, made_with: str, remarks: Sequence[str] = ()
) -> ReportDocument:
    """Build the audit: a title page with the summaries, then the parts. `remarks`: what is missing and why.

    The lead paragraphs of a part move to the title page and are not repeated in the part.
    """
    head: list[Block] = [Remark(text, for_author=True) for text in remarks]
    for part in parts:
        if leads := [part.blocks[place] for place in _led(part.blocks)]:
            head += [ReportHeading(_name(part, parts, _SUMMARIES), 3), *leads]
    if head:
        head.insert(0, ReportHeading("Summary"))
    slim = [replace(part, blocks=tuple(_without_leads(part.blocks))) for part in parts]
    return _joined(slim, "audit", f"{_PARTS['audit']}: {topic}", head, made_at, made_with)


def together(reviews: Sequence[ReportDocument], *, topic: str, made_at: str, made_with: str) -> ReportDocument:
    """Join several peer reviews into one document; a single review is returned unchanged."""
    if len(reviews) == 1:
        return reviews[0]
    return _joined(reviews, "press", f"{_PARTS['press']}: {topic}", [], made_at, made_with)


def _joined(
    parts: Sequence[ReportDocument], kind: ReportKind, title: str, head: Sequence[Block], made_at: str, made_with: str
) -> ReportDocument:
    if not parts:
        raise InputError("a report needs at least one part")
    names: set[str] = set()
    blocks = list(head)
    for part in parts:
        blocks.append(ReportHeading(name := _name(part, parts, _PARTS)))
        if part.subtitle and part.subtitle not in name:
            blocks.append(Paragraph(part.subtitle))
        blocks += [_fitted(block, part.kind, names) for block in part.blocks]
    subtitle = " · ".join(dict.fromkeys(_PARTS[part.kind] for part in parts))
    made_up = any(part.made_up for part in parts)
    front = next((part.front for part in parts if part.front), ())
    return ReportDocument(kind, title, subtitle, tuple(blocks), made_at, made_with, made_up, front)


NOT_REPORTED = "Not reported."


def final_copy(document: ReportDocument, without: Collection[str] = ()) -> ReportDocument:
    """Return the report without anything that is for its author: prompts, hints, and the tables of these names."""
    return replace(document, blocks=tuple(_final(document.blocks, without)))


def _final(blocks: Sequence[Block], without: Collection[str]) -> Iterator[Block]:
    """Yield what stays. An item of which nothing is said says that it is not reported."""
    last: Block | None = None
    for block in blocks:
        if isinstance(block, AnswerPrompt):
            if not isinstance(last, ReportHeading):
                continue
            block = Paragraph(NOT_REPORTED)
        elif (isinstance(block, Remark) and block.for_author) or (isinstance(block, Table) and block.name in without):
            continue
        yield block
        last = block


def _name(part: ReportDocument, parts: Sequence[ReportDocument], names: Mapping[ReportKind, str]) -> str:
    alone = sum(other.kind == part.kind for other in parts) == 1
    return names[part.kind] if alone else _told_apart(part, parts)


def _told_apart(part: ReportDocument, parts: Sequence[ReportDocument]) -> str:
    alone = sum(other.title == part.title for other in parts) == 1
    return part.title if alone or not part.subtitle else f"{part.title}: {part.subtitle}"


def _led(blocks: Sequence[Block]) -> tuple[int, ...]:
    places: list[int] = []
    for place, block in enumerate(blocks):
        is_point = isinstance(block, Listing) and place - 1 in places
        if is_point or (isinstance(block, Paragraph) and block.is_lead):
            places.append(place)
        elif not isinstance(block, ReportHeading | Remark):
            break
    return tuple(places)


def _without_leads(blocks: Sequence[Block]) -> Iterator[Block]:
    led = frozenset(_led(blocks))
    for place, block in enumerate(blocks):
        if place in led:
            continue
        under = place + 1
        while under in led:
            under += 1
        after = blocks[under] if under < len(blocks) else None
        emptied = under > place + 1 and (
            after is None
            or (isinstance(after, ReportHeading) and isinstance(block, ReportHeading) and after.level <= block.level)
        )
        if not (isinstance(block, ReportHeading) and emptied):
            yield block


def _fitted(block: Block, kind: ReportKind, names: set[str]) -> Block:
    if isinstance(block, ReportHeading):
        return replace(block, level=min(block.level + 1, _LOWEST))
    if not isinstance(block, Table | Figure):
        return block
    name, n = block.name, 1
    while name in names:
        n += 1
        name = f"{kind}-{block.name}" if n == 2 else f"{kind}-{n - 1}-{block.name}"
    names.add(name)
    return replace(block, name=name)
