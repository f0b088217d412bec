"""A report as Markdown (CommonMark with the tables of GitHub): what stands in it stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.audit.whole import (
    BEWARE,
    MADE_UP,
    NO_ROWS,
    NOTE,
    TO_ANSWER,
    Block,
    Document,
    Figure,
    Heading,
    Listing,
    Paragraph,
    Prompt,
    Remark,
    Strategy,
    Table,
    made,
    shown,
)
from core.text import writable
from data.audit.writing.markdown_signs import code, escaped, escaped_line, fenced


def markdown(document: Document, *, figures: str | None = None) -> str:
    """The whole report.

    figures: the folder in which its pictures stand as `NAME.svg`, seen from the file, such as "../figures/". Without
    it a picture is given in words only.
    """
    parts = [f"# {escaped_line(document.title)}", escaped(document.subtitle), escaped_line(made(document))]
    parts += [_set_apart(BEWARE, MADE_UP)] if document.made_up else []
    n_tables = n_figures = 0
    before: Block | None = None
    for block in document.blocks:
        # two lists in a row would be one
        parts += ["<!-- -->"] if isinstance(block, Listing) and isinstance(before, Listing) else []
        before = block
        n_tables += isinstance(block, Table)
        n_figures += isinstance(block, Figure)
        parts += _block(block, n_figures if isinstance(block, Figure) else n_tables, figures)
    return writable("\n\n".join(part for part in parts if part) + "\n")


def _block(block: Block, number: int, figures: str | None) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * min(max(block.level, 2), 6)} {escaped_line(block.text)}"
        case Paragraph():
            yield escaped(block.text)
        case Listing():
            yield "\n".join(_items(block))
        case Strategy():
            yield f"**{escaped_line(block.caption)}**" if block.caption.strip() else ""
            yield fenced(block.text)
        case Table():
            yield from _table(block, number)
        case Figure():
            yield from _figure(block, number, figures)
        case Prompt():
            yield _set_apart(TO_ANSWER, block.text)
        case Remark():
            yield _set_apart(BEWARE if block.is_warning else NOTE, block.text)


def _items(listing: Listing) -> Iterator[str]:
    for number, item in enumerate(listing.items, start=1):
        mark = f"{number}. " if listing.is_numbered else "- "
        yield mark + escaped(item).replace("\n", "\n" + " " * len(mark))


def _set_apart(mark: str, text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in f"**{mark}:** {escaped(text)}".split("\n"))


def _table(table: Table, number: int) -> Iterator[str]:
    yield f"**Table {number}.** {escaped_line(table.caption)}"
    if table.columns:
        head = [escaped_line(column.title) for column in table.columns]
        ends = ["--:" if column.kind in ("count", "number") else "---" for column in table.columns]
        kinds = [column.kind for column in table.columns]
        cells = [
            [_cell(shown(value, kind), kind) for value, kind in zip(row, kinds, strict=True)] for row in table.rows
        ]
        yield "\n".join(f"| {' | '.join(row)} |" for row in (head, ends, *cells))
    yield NO_ROWS if not table.rows else ""
    yield escaped(table.note)


def _cell(text: str, kind: str) -> str:
    if kind == "code":
        return code(text)
    return re.sub(r" *\n *", "<br>", escaped_line(text, keep_lines=True))


def _figure(figure: Figure, number: int, figures: str | None) -> Iterator[str]:
    if figures is not None:
        yield f"![{escaped_line(figure.alternative)}]({figures}{figure.name}.svg)"
    yield f"**Figure {number}.** {escaped_line(figure.caption)}"
    if figures is None:
        yield f"What it shows: {escaped_line(figure.alternative)}"
