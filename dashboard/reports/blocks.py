"""The blocks of a report as HTML: real headings, lists and tables, and nothing that a text could break out of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set

from core.audit.pictures.svg import svg
from core.audit.whole import (
    BEWARE,
    NO_ROWS,
    NOTE,
    TO_ANSWER,
    Block,
    Column,
    Document,
    Figure,
    Heading,
    Listing,
    Paragraph,
    Prompt,
    Remark,
    Strategy,
    Table,
    Value,
    shown,
)
from dashboard.reports.style import in_role_colours
from dashboard.reports.text import linked, said

LONG = 20
"""A table of more rows scrolls inside its own box on screen."""
SHORT = 8
"""A table of at most so many rows stays on one sheet of paper, so that no head is left alone at the foot of one."""
WIDE = 7
"""A table of more columns is set smaller in print."""
IN_CONTENTS = (2, 3)
"""The levels of headings that the list of contents has."""
_NUMBERS = frozenset({"count", "number"})


def heading_ids(document: Document) -> dict[int, str]:
    """The address of every heading within the page, by its place among the blocks; readable, and never twice."""
    taken: dict[str, int] = {}
    ids: dict[int, str] = {}
    for place, block in enumerate(document.blocks):
        if isinstance(block, Heading):
            plain = re.sub(r"[^a-z0-9]+", "-", block.text.lower()).strip("-")[:60] or "part"
            taken[plain] = taken.get(plain, 0) + 1
            ids[place] = f"part-{plain}" if taken[plain] == 1 else f"part-{plain}-{taken[plain]}"
    return ids


def contents(document: Document, ids: Mapping[int, str]) -> str:
    """The list of contents: parts, and what is within them. Empty where there is nothing to find one's way in."""
    listed = [
        (block, ids[place])
        for place, block in enumerate(document.blocks)
        if isinstance(block, Heading) and block.level in IN_CONTENTS
    ]
    if len(listed) < 2:
        return ""
    entries = "".join(
        f'<li class="level-{block.level}"><a href="#{anchor}">{said(block.text)}</a></li>' for block, anchor in listed
    )
    return f'<nav class="contents" aria-labelledby="contents"><h2 id="contents">Contents</h2><ul>{entries}</ul></nav>'


def body(document: Document, ids: Mapping[int, str], live: Set[str]) -> Iterator[str]:
    """Every block in its order. `live`: names of the figures that the browser draws anew."""
    for place, block in enumerate(document.blocks):
        yield _block(block, ids.get(place, ""), live)


def _block(block: Block, anchor: str, live: Set[str]) -> str:
    match block:
        case Heading():
            level = min(max(block.level, 2), 4)
            return f'<h{level} id="{anchor}">{said(block.text)}</h{level}>'
        case Paragraph():
            look = ' class="lead"' if block.is_lead else ""
            return f"<p{look}>{said(block.text)}</p>"
        case Listing():
            tag = "ol" if block.is_numbered else "ul"
            return f"<{tag}>{''.join(f'<li>{said(item)}</li>' for item in block.items)}</{tag}>"
        case Strategy():
            return _strategy(block)
        case Table():
            return _table(block)
        case Figure():
            return _figure(block, is_live=block.name in live)
        case Prompt():
            return f'<div class="prompt" role="note"><b>{TO_ANSWER}</b><p>{said(block.text)}</p></div>'
        case Remark():
            word, look = (BEWARE, "remark warning") if block.is_warning else (NOTE, "remark")
            return f'<div class="{look}" role="note"><b>{word}</b><p>{said(block.text)}</p></div>'


def _strategy(strategy: Strategy) -> str:
    caption = f"<figcaption>{said(strategy.caption)}</figcaption>" if strategy.caption else ""
    # A parser takes away the first line break of a <pre>, so one is given that it may have.
    return f'<figure class="strategy">{caption}<pre>\n<code>{said(strategy.text)}</code></pre></figure>'


def _figure(figure: Figure, *, is_live: bool) -> str:
    picture = svg(figure.picture, alternative=figure.alternative).strip()
    live = f' data-live="{said(figure.name)}"' if is_live else ""
    caption = f"<figcaption>{said(figure.caption)}</figcaption>"
    name = said(figure.name)
    look = "still roles" if in_role_colours(figure.picture) else "still"
    return f'<figure class="picture" id="{name}"{live}>{caption}<div class="{look}">{picture}</div></figure>'


def _table(table: Table) -> str:
    n_rows, is_wide = len(table.rows), len(table.columns) > WIDE
    length = ["long"] if n_rows > LONG else ["short"] if n_rows <= SHORT else []
    looks = ["table", *length, *(["wide"] if is_wide else [])]
    # Only what scrolls has to be reached by keyboard.
    scrolls = n_rows > LONG or is_wide
    reach = f' tabindex="0" role="region" aria-label="{said(table.caption)}"' if scrolls else ""
    head = "".join(f'<th scope="col"{_look(column)}>{said(column.title)}</th>' for column in table.columns)
    rows = "".join(f"<tr>{''.join(_cells(table.columns, row))}</tr>" for row in table.rows)
    if not table.rows:
        rows = f'<tr><td class="none" colspan="{max(len(table.columns), 1)}">{NO_ROWS}</td></tr>'
    note = f'<p class="note">{said(table.note)}</p>' if table.note else ""
    return (
        f'<div class="{" ".join(looks)}" id="table-{said(table.name)}"><div class="scroll"{reach}><table>'
        f"<caption><span>{said(table.caption)}</span></caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
        f"</table></div>{note}</div>"
    )


def _cells(columns: Iterable[Column], row: tuple[Value, ...]) -> Iterator[str]:
    """The first cell names its row where it is words."""
    for place, (column, value) in enumerate(zip(columns, row, strict=True)):
        text = shown(value, column.kind)
        written = said(text) if column.kind in _NUMBERS else linked(text)
        if column.kind == "code":
            written = f"<code>{written}</code>"
        is_head = place == 0 and column.kind == "text"
        tag, scope = ("th", ' scope="row"') if is_head else ("td", "")
        yield f"<{tag}{scope}{_look(column)}>{written}</{tag}>"


def _look(column: Column) -> str:
    return ' class="n"' if column.kind in _NUMBERS else ' class="c"' if column.kind == "code" else ""
