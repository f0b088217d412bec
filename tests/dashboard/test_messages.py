"""Text of users and publications where Streamlit reads Markdown: shown as it is, whatever is in it."""

from __future__ import annotations

import html
import logging
import re

import pytest
import streamlit as st
from hypothesis import example, given
from hypothesis import strategies as some
from markdown_it import MarkdownIt

from core.errors import InputError
from dashboard.messages import guarded
from dashboard.words import plain

# What Streamlit reads beyond this (colours, icons, formulas) begins with one of these signs; none may stand alone.
SIGNS = re.compile(r"(?<!\\)(?:\\\\)*[`*_{}\[\]()#+\-.!|~<>$:&]")
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])

PIECES = """
* ** _ ` ``` # - + 1. > | ~~ [a](b) ![a](b) <b> </b> &amp; &#35; \\ \\\\ $x$ $$ :red[a] :material/home: :smile: --- ===
%% https://a.b <!-- <a@b.cd> [^1] [ ] [x] a tea é ☕ { } " '
"""
marked = some.lists(some.sampled_from([*PIECES.split(), " ", "\n", "    ", "\t"]), max_size=14).map("".join)
JOINER = "\u2060"
"""Seen by nobody; keeps signs apart that Streamlit would make an icon, an arrow or a link of."""
texts = some.one_of(marked, some.text(some.characters(exclude_categories=["Cs", "Cc", "Cn"]), max_size=40))


def shown(markdown: str) -> str:
    """What a reader sees of it, if it is one paragraph without any markup."""
    (paragraph,) = re.findall(r"\A<p>(.*)</p>\n\Z", MARKDOWN.render(markdown), re.DOTALL) or [None]
    assert paragraph is not None, MARKDOWN.render(markdown)
    assert "<" not in paragraph, paragraph
    return html.unescape(paragraph)


@given(texts)
@example("*a* [b](c) <i>")
@example("1. item")
@example("\\*a\\*")
@example("a | b\n--|--\n1 | 2")
def test_what_is_shown_is_what_was_given(text: str) -> None:
    words = " ".join(text.split())
    if not words:
        assert plain(text) == ""
        return
    seen = words.replace(JOINER, "")
    assert shown(plain(text)).replace(JOINER, "") == seen
    assert shown(f"Publication {plain(text)}").replace(JOINER, "").endswith(seen)


@given(texts)
def test_no_sign_stands_without_its_backslash(text: str) -> None:
    escaped = plain(text)
    assert not SIGNS.search(escaped)
    assert "\n" not in escaped
    assert re.sub(r"\\(.)", r"\1", escaped).replace(JOINER, "") == " ".join(text.split()).replace(JOINER, "")


@pytest.mark.parametrize(
    "signs", [":material/lock:", "https://a.b", "www.a.b", "a@b.cd", "->", "<-", "<->", ">=", "<=", "~=", "--", "---"]
)
def test_what_streamlit_reads_in_plain_words_is_kept_apart(signs: str) -> None:
    text = re.sub(r"\\(.)", r"\1", plain(f"from {signs} on"))
    assert signs not in text
    assert text.replace(JOINER, "") == f"from {signs} on"


@pytest.mark.parametrize("text", ["tea leaves", "Müller’s 2019 “tea”", "茶 ☕", "a=b; c, d? e/f %"])
def test_plain_words_stay_as_they_are(text: str) -> None:
    assert plain(text) == text


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the page says."""
    heard: list[str] = []
    monkeypatch.setattr(st, "error", lambda text, icon=None: heard.append(text))
    return heard


def test_a_mistake_becomes_a_sentence(said: list[str]) -> None:
    with guarded():
        raise InputError("*tea: a * [here](x)")
    assert said == [plain("*tea: a * [here](x).")]
    with guarded():
        raise InputError("what now?")
    assert said[1] == "What now?"


def test_anything_else_goes_to_the_log(said: list[str], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, logger="queryscape"), guarded():
        raise KeyError("secret")
    assert len(said) == 1
    assert "secret" not in said[0]
    assert caplog.records[0].exc_info is not None
    with guarded():
        raise MemoryError
    assert "memory" in said[1]
    with pytest.raises(KeyboardInterrupt), guarded():
        raise KeyboardInterrupt
    assert len(said) == 2
