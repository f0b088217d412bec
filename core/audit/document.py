"""A report before it becomes a file: blocks in their order. Writers turn them into HTML, DOCX, Markdown or JSON.

Texts are plain: no block holds mark-up of any format, so a title with signs of HTML or LaTeX is only a title.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from core.audit.pictures.shapes import Picture
from core.errors import InputError

Value = str | int | float | None
"""What stands in a cell; None: nothing is known or nothing can be said."""
ColumnKind = Literal["text", "code", "count", "number"]
"""code: kept sign by sign, as a search string is; count: whole; number: with a fraction."""
ReportKind = Literal["prisma-s", "press", "quality", "audit"]
"""audit: all of them in one."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of a part."""

    text: str
    level: int = 2
    """1 is the document's own title, so parts begin at 2; 4 at most."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences."""

    text: str
    is_lead: bool = False
    """What a reader in a hurry should read: the summary at the head."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Short points, one after the other."""

    items: tuple[str, ...]
    is_numbered: bool = False


@dataclass(frozen=True, slots=True)
class Strategy:
    """A search string exactly as it was sent: every sign and every line break counts."""

    text: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """What one column of a table holds."""

    title: str
    kind: ColumnKind = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """A table that stays a table in every format. `name` is also what its CSV file is called in a bundle."""

    name: str
    """Lower-case letters, digits and hyphens; unique in a document."""
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise InputError(f'table "{self.name}" has a row that is not as long as its head')


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with what it shows in words, for those who can't see it."""

    name: str
    """As of a table; the landscape of a version is `landscape-NUMBER` with the version's number."""
    caption: str
    alternative: str
    """What a reader without the picture needs to know: numbers, not "a scatter plot"."""
    picture: Picture


@dataclass(frozen=True, slots=True)
class Prompt:
    """What somebody still has to say, standing where the answer will stand."""

    text: str
    item: str = ""
    """Which question of the audit it is, such as "prisma-s:5"."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Set apart from the text: something to know, or something to beware of."""

    text: str
    is_warning: bool = False


Block = Heading | Paragraph | Listing | Strategy | Table | Figure | Prompt | Remark


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report."""

    kind: ReportKind
    title: str
    subtitle: str
    blocks: tuple[Block, ...]
    made_at: str
    """ISO 8601 in UTC."""
    made_with: str
    """Queryscape and its version."""
    made_up: bool = False
    """The topic is generated for demonstration: every format says so at its head."""

    def __post_init__(self) -> None:
        names = [block.name for block in self.blocks if isinstance(block, Table | Figure)]
        if len(set(names)) != len(names):
            raise InputError("two tables or figures of a report have the same name")

    @property
    def tables(self) -> Iterator[Table]:
        """In their order."""
        return (block for block in self.blocks if isinstance(block, Table))

    @property
    def figures(self) -> Iterator[Figure]:
        """In their order."""
        return (block for block in self.blocks if isinstance(block, Figure))
