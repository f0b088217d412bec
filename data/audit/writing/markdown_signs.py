"""Text within Markdown: what would be a mark there is escaped, what is code stays sign by sign."""

from __future__ import annotations

import re

_ANYWHERE = re.compile(r"[\\`*_\[\]<>#|~$]|&(?=[#\w])|!(?=\[)|:(?=//|\w+:)|(?<=\bwww)\.|@")
"""Marks of emphasis, code, links, tags, tables, formulas and addresses, wherever they stand."""
_AT_THE_START = re.compile(r"^(=|\+(?=\s|$)|-(?=[\s-]|$)|\d{1,9}(?=[.)](?:\s|$)))")
"""Marks of lists, rules and headings, which mean something at the start of a line only."""
_LINE_ENDS = re.compile(r"\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")
_RUN = re.compile("`+")
_MARKS = re.compile(r"[!-/:-@\[-`{-~]")
"""Whatever could be a mark inside an element of HTML."""


def escaped(text: str) -> str:
    r"""Sentences: line breaks stay line breaks, and an empty line begins a new paragraph.

    >>> escaped("1. <b>*Tea*</b> | $x$\n- not a list")
    '1\\. \\<b\\>\\*Tea\\*\\</b\\> \\| \\$x\\$\\\n\\- not a list'
    """
    lines = [_line(line) for line in _LINE_ENDS.split(text)]
    paragraphs = re.split(r"\n{2,}", "\n".join(lines).strip("\n"))
    return "\n\n".join(paragraph.replace("\n", "\\\n") for paragraph in paragraphs)


def escaped_line(text: str, *, keep_lines: bool = False) -> str:
    """What has to stay on one line: a heading, a caption, a cell."""
    lines = (_line(line) for line in _LINE_ENDS.split(text))
    return ("\n" if keep_lines else " ").join(lines).strip()


def _line(text: str) -> str:
    """White space at both ends would mean code or a line break, so it goes."""
    marked = _ANYWHERE.sub(lambda found: f"\\{found[0]}", text.strip().replace("\x00", "\ufffd"))
    return _AT_THE_START.sub(_start, marked)


def _start(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0][0].isdigit() else f"\\{found[0]}"


def code(text: str) -> str:
    r"""Code in a cell. Signs that end a cell, a line or a span are written as HTML's references to them.

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
    """A block of code whose fence is longer than any in the text."""
    longest = max((len(run) for run in _RUN.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"
