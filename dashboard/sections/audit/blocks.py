"""Blocks of a report as the page shows them. Every text of a user or a source stays a text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

from core.audit.pictures.svg import svg
from core.audit.whole import Block, Column, Figure, Heading, Listing, Paragraph, Prompt, Remark, Strategy, Table
from dashboard.words import plain

MOST_ROWS = 500
MOST_WHOLE, MOST_PIXELS = 10, 360
"""Rows of a table that is shown whole, and how high any other is."""


def draw_blocks(blocks: Iterable[Block], *, key: str) -> None:
    """In their order, but for headings, which the page has itself."""
    for place, block in enumerate(blocks):
        draw_block(block, key=f"{key}-{place}")


def draw_block(block: Block, *, key: str) -> None:
    """One of them."""
    match block:
        case Heading():
            st.markdown(f"**{plain(block.text)}**")
        case Paragraph():
            draw_lines(block.text)
        case Listing():
            sign = "1." if block.is_numbered else "-"
            st.markdown("\n".join(f"{sign} {plain(item)}" for item in block.items))
        case Strategy():
            if block.caption:
                st.caption(plain(block.caption))
            st.code(block.text, language=None, wrap_lines=True)
        case Table():
            draw_table(block, key=key)
        case Figure():
            draw_picture(block)
        case Prompt():
            st.caption(f":material/edit: {plain(block.text)}")
        case Remark():
            st.warning(plain(block.text), icon=":material/warning:") if block.is_warning else st.caption(
                plain(block.text)
            )


def draw_lines(text: str) -> None:
    """Each line is a paragraph."""
    lines = [plain(line) for line in text.splitlines() if line.strip()]
    if lines:
        st.markdown("\n\n".join(lines))


def draw_table(table: Table, *, key: str) -> None:
    """With its caption above and its note below."""
    if table.caption:
        st.caption(plain(table.caption))
    if not table.rows:
        st.caption("It has no rows.")
    else:
        titles = unique(column.title for column in table.columns)
        rows = [dict(zip(titles, row, strict=True)) for row in table.rows[:MOST_ROWS]]
        height: Any = "content" if len(rows) <= MOST_WHOLE else MOST_PIXELS
        config: Any = dict(zip(titles, map(_config, table.columns), strict=True))
        st.dataframe(rows, hide_index=True, key=key, height=height, placeholder="–", column_config=config)
    if len(table.rows) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS:,} of {len(table.rows):,} rows are shown; the report holds all.")
    if table.note:
        st.caption(plain(table.note))


def _config(column: Column) -> Any:
    if column.kind == "count":
        return st.column_config.NumberColumn(format="localized", width="small")
    if column.kind == "number":
        return st.column_config.NumberColumn(format="%.3f", width="small")
    return st.column_config.TextColumn()


def unique(titles: Iterable[str]) -> list[str]:
    """Names of columns, told apart where two are called the same.

    >>> unique(["n", "of", "n"])
    ['n', 'of', 'n (2)']
    """
    found: list[str] = []
    for title in titles:
        n = 1
        while (shown := title if n == 1 else f"{title} ({n})") in found:
            n += 1
        found.append(shown)
    return found


def draw_picture(figure: Figure) -> None:
    """As an image, so that nothing in it is ever read as a page. It keeps its white ground in the dark theme."""
    st.image(svg(figure.picture, alternative=figure.alternative), width="stretch", alt=figure.alternative)
    if figure.caption:
        st.caption(plain(figure.caption))
