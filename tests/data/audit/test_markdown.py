"""Reports as Markdown: read back with a parser, every text is the text that was given and nothing more."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.report import (
    MADE_UP,
    NO_ROWS,
    TO_ANSWER,
    AnswerPrompt,
    Listing,
    Paragraph,
    Remark,
    ReportColumn,
    ReportDocument,
    ReportHeading,
    Strategy,
    Table,
    shown,
)
from data.audit.markdown import markdown
from tests.data.audit_documents import NASTY, STRATEGY, document, tables, texts, whole

HEAD = 3
"""Blocks before those of the report: its title, what it is about, and when it was made."""


def parsed(report: ReportDocument) -> list[Token]:
    """What a reader of Markdown makes of it."""
    return MarkdownIt("gfm-like", {"linkify": False}).parse(markdown(report))


def read(token: Token) -> str:
    """What stands there for a reader, on one line."""
    parts = []
    for child in token.children or ():
        is_tag = child.type == "html_inline" and re.fullmatch(r"</?code>|<br>", child.content) is not None
        assert child.type in ("text", "code_inline", "hardbreak", "softbreak") or is_tag, child
        parts.append(child.content if child.type in ("text", "code_inline") else " ")
    return flat("".join(parts))


def flat(text: str) -> str:
    """Without what Markdown can't keep outside of code: white space, and signs that no file holds."""
    return re.sub(r"\s+", "", re.sub("[\x00\ud800-\udfff]", "\ufffd", text))


@given(texts)
def test_any_paragraph_stays_what_it_is(text: str) -> None:
    tokens = parsed(document(Paragraph(text), ReportHeading("End")))
    assert {token.type for token in tokens} <= {
        *("heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline")
    }
    inlines = [token for token in tokens if token.type == "inline"]
    assert "".join(read(token) for token in inlines[HEAD:-1]) == flat(text)


@given(texts, st.sampled_from([2, 3, 4]))
def test_any_heading_stays_one_heading(text: str, level: int) -> None:
    tokens = parsed(document(ReportHeading(text, level)))
    (opening,) = [token for token in tokens if token.type == "heading_open"][1:]
    assert opening.tag == f"h{level}"
    assert read(tokens[tokens.index(opening) + 1]) == flat(text)
    assert [token.type for token in tokens].count("inline") == HEAD + 1


@given(st.lists(texts, min_size=1, max_size=3), st.booleans())
def test_any_point_stays_one_point(items: list[str], is_numbered: bool) -> None:
    tokens = parsed(document(Listing(tuple(items), is_numbered)))
    assert sum(token.type == "list_item_open" for token in tokens) == len(items)
    inlines = [token for token in tokens if token.type == "inline"][HEAD:]
    assert "".join(map(read, inlines)) == "".join(map(flat, items))


@given(tables())
def test_any_table_keeps_its_cells(table: Table) -> None:
    tokens = parsed(document(table))
    kinds = [token.type for token in tokens]
    assert kinds.count("table_open") == 1
    assert kinds.count("th_open") == len(table.columns)
    assert kinds.count("td_open") == len(table.columns) * len(table.rows)
    cells = [read(tokens[at + 1]) for at, kind in enumerate(kinds) if kind == "td_open"]
    given_cells = [
        flat(shown(value, column.kind)) for row in table.rows for value, column in zip(row, table.columns, strict=True)
    ]
    assert cells == given_cells


@given(st.one_of(texts, st.just(STRATEGY)))
def test_any_strategy_stays_sign_by_sign(text: str) -> None:
    (block,) = [token for token in parsed(document(Strategy(text))) if token.type == "fence"]
    assert block.content == f"{as_kept(text)}\n"


def as_kept(text: str) -> str:
    """Line ends of any system are one sign in Markdown."""
    return re.sub("[\x00\ud800-\udfff]", "\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


@pytest.mark.parametrize("text", NASTY)
def test_code_in_a_cell_is_kept_with_its_spaces(text: str) -> None:
    table = Table("t", "", (ReportColumn("Line", "code"),), ((text,),))
    tokens = parsed(document(table))
    at = [token.type for token in tokens].index("td_open")
    parts = [child.content for child in tokens[at + 1].children or () if child.type in ("text", "code_inline")]
    kept = re.sub("[\n\u2028]", "", as_kept(text))
    assert "".join(parts) == kept


def test_what_is_set_apart_is_marked_in_words() -> None:
    written = markdown(document(AnswerPrompt("Say who."), Remark("So.\nAnd so."), made_up=True))
    assert f"> **{TO_ANSWER}:** Say who." in written
    assert "> **Note:** So.\\\n> And so." in written
    assert MADE_UP in written.split("Say who.")[0]
    assert MADE_UP not in markdown(document(AnswerPrompt("Say who.")))


def test_tables_and_figures_are_numbered_and_empty_ones_say_so() -> None:
    written = markdown(whole())
    assert [f"**Table {n}.**" in written for n in range(1, 6)] == [True, True, True, True, False]
    assert "**Figure 1.** The landscape of version 1" in written
    assert written.endswith(f"{NO_ROWS}\n")
    assert "Description: Three dots" in written
    assert "| Change of F2 | −0.0123 | 1.000 | 0 |" in written


def test_two_lists_in_a_row_stay_two() -> None:
    tokens = parsed(document(Listing(("a",)), Listing(("b",))))
    assert [token.type for token in tokens].count("bullet_list_open") == 2


def test_pictures_are_linked_where_they_stand_beside() -> None:
    written = markdown(whole(), figures="../figures/")
    assert '![Three dots, one "ring" & \\<nothing\\> else.](../figures/landscape-1.svg)' in written
    tokens = MarkdownIt("commonmark").parse(written)
    images = [child for token in tokens for child in token.children or () if child.type == "image"]
    assert [html.unescape(str(image.attrs["src"])) for image in images] == ["../figures/landscape-1.svg"]
    assert images[0].content.startswith("Three dots, one")
