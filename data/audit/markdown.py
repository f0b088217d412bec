"""Write a report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.report import (
    BEWARE,
    MADE_UP,
    NO_ROWS,
    NOTE,
    TO_ANSWER,
    AnswerPrompt,
    Block,
    Figure,
    Listing,
    Paragraph,
    Remark,
    ReportDocument,
    ReportHeading,
    Strategy,
    Table,
    made,
    shown,
)
from core.text import writable

# Text in Markdown: markup characters are escaped, and code is preserved exactly.

_ANYWHERE = re.compile(r"[\\`*_\[\]<>#|~$]|&(?=[#\w])|!(?=\[)|:(?=//|\w+:)|(?<=\bwww)\.|@")
"""Markup for emphasis, code, links, tags, tables, formulas and addresses, anywhere in a line."""
_AT_THE_START = re.compile(r"^(=|\+(?=\s|$)|-(?=[\s-]|$)|\d{1,9}(?=[.)](?:\s|$)))")
"""Markup for lists, rules and headings, which only counts at the start of a line."""
_LINE_ENDS = re.compile(r"\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")
_RUN = re.compile("`+")
_MARKS = re.compile(r"[!-/:-@\[-`{-~]")
"""All characters that could be markup inside an HTML element."""


def escaped(text: str) -> str:
    r"""Escape a text: line breaks are kept, and an empty line starts a new paragraph.

    >>> escaped("1. <b>*Tea*</b> | $x$\n- not a list")
    '1\\. \\<b\\>\\*Tea\\*\\</b\\> \\| \\$x\\$\\\n\\- not a list'
    """
    lines = [_line(line) for line in _LINE_ENDS.split(text)]
    paragraphs = re.split(r"\n{2,}", "\n".join(lines).strip("\n"))
    return "\n\n".join(paragraph.replace("\n", "\\\n") for paragraph in paragraphs)


def escaped_line(text: str, *, keep_lines: bool = False) -> str:
    lines = (_line(line) for line in _LINE_ENDS.split(text))
    return ("\n" if keep_lines else " ").join(lines).strip()


def _line(text: str) -> str:
    """Escape a line without its surrounding white space, which would mean code or a line break."""
    marked = _ANYWHERE.sub(lambda found: f"\\{found[0]}", text.strip().replace("\x00", "\ufffd"))
    return _AT_THE_START.sub(_start, marked)


def _start(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0][0].isdigit() else f"\\{found[0]}"


def code(text: str) -> str:
    r"""Format code in a cell. Characters that end a cell, a line or a span become HTML character references.

    >>> code("tea AND (milk)"), code("a|b\nc")
    ('`tea AND (milk)`', '<code>a&#124;b</code><br><code>c</code>')
    """
    if not text:
        return ""
    if not re.search(r"[|\\`\r\n\x00\x0b\x0c\x85\u2028\u2029]|^\s|\s$", text):
        return f"`{text}`"
    return "<br>".join(f"<code>{_referred(line)}</code>" for line in _LINE_ENDS.split(text))


def _referred(line: str) -> str:
    plain = line.replace("\x00", "\ufffd")
    return _MARKS.sub(lambda found: f"&#{ord(found[0])};", plain)


def fenced(text: str) -> str:
    """Return a code block whose fence is longer than any in the text."""
    longest = max((len(run) for run in _RUN.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


# A report as Markdown (CommonMark with GitHub tables): all text in it stays text.


def markdown(document: ReportDocument, *, figures: str | None = None) -> str:
    """Return the whole report.

    figures: the folder with its pictures as `NAME.svg`, relative to the file, such as "../figures/". Without it,
    pictures are only described in words.
    """
    parts = [f"# {escaped_line(document.title)}", escaped(document.subtitle), escaped_line(made(document))]
    parts += [f"**{label}:** {escaped_line(text)}" for label, text in document.front]
    parts += [_set_apart(BEWARE, MADE_UP)] if document.made_up else []
    n_tables = n_figures = 0
    before: Block | None = None
    for block in document.blocks:
        # keeps two lists in a row from merging
        parts += ["<!-- -->"] if isinstance(block, Listing) and isinstance(before, Listing) else []
        before = block
        n_tables += isinstance(block, Table)
        n_figures += isinstance(block, Figure)
        parts += _block(block, n_figures if isinstance(block, Figure) else n_tables, figures)
    return writable("\n\n".join(part for part in parts if part) + "\n")


def _block(block: Block, number: int, figures: str | None) -> Iterator[str]:
    match block:
        case ReportHeading():
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
        case AnswerPrompt():
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
        yield f"Description: {escaped_line(figure.alternative)}"
