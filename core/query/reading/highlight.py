"""What each stretch of a query's text is, for an editor that shows it in colour."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from core.query.dialects import DIALECTS
from core.query.reading.lexer import LONGEST, Token, lex
from core.query.reading.report import Report
from core.query.tree import Heading, Near, Node, ParsedQuery, Range, Term, parts_of

PartKind = Literal[
    "term",
    "phrase",
    "heading",
    "range",
    "near",
    "operator",
    "field",
    "bracket",
    "comment",
    "off",
    "untestable",
]


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the text."""

    start: int
    end: int
    kind: PartKind
    number: int | None
    """Of the leaf that it belongs to, if one does."""


def highlight(parsed: ParsedQuery, off: Collection[int] = (), untestable: Collection[int] = ()) -> tuple[Part, ...]:
    """Every part of the text that means something, in order; none overlap.

    >>> from core.query.reading.parse import parse
    >>> [(part.kind, part.start, part.end) for part in highlight(parse('heat AND "tall trees"'))]
    [('term', 0, 4), ('operator', 5, 8), ('phrase', 9, 21)]
    """
    if len(parsed.text) > LONGEST or parsed.root is None:
        return ()
    left_out = _below(parsed, off)
    leaves = sorted(
        (node.span.start, node.span.end, number)
        for number, node in enumerate(parsed.nodes)
        if not parts_of(node) and node.span.end > node.span.start
    )
    starts = [start for start, _, _ in leaves]
    parts: list[Part] = []
    for token in _tokens(parsed):
        place = bisect_right(starts, token.start) - 1
        number = leaves[place][2] if place >= 0 and token.start < leaves[place][1] else None
        kind = _kind(token, None if number is None else parsed.nodes[number])
        if number is not None and kind not in ("operator", "bracket"):
            kind = "off" if number in left_out else "untestable" if number in untestable else kind
        parts.append(Part(token.start, token.end, kind, number))
    return tuple(parts)


def _tokens(parsed: ParsedQuery) -> list[Token]:
    dialect = DIALECTS[parsed.dialect]
    if not parsed.lines:
        return lex(parsed.text, dialect, Report())
    spans = [line.span for line in parsed.lines]
    return [token for span in spans for token in lex(parsed.text, dialect, Report(), span.start, span.end)]


def _below(parsed: ParsedQuery, off: Collection[int]) -> set[int]:
    """The nodes that are switched off, and everything in them."""
    found: set[int] = set()
    open_parts: list[int] = []  # of what is switched off: how many parts are still to come
    for number, node in enumerate(parsed.nodes):
        while open_parts and not open_parts[-1]:
            open_parts.pop()
        if open_parts:
            open_parts[-1] -= 1
        if not open_parts and number not in off:
            continue
        found.add(number)
        if parts_of(node):
            open_parts.append(len(parts_of(node)))
    return found


def _kind(token: Token, node: Node | None) -> PartKind:
    if token.kind in ("op", "near"):
        return "operator"
    if token.kind in ("(", ")"):
        return "bracket"
    if token.kind == "tag":
        return "field"
    if isinstance(node, Term):
        return "phrase" if node.quoted else "term"
    if isinstance(node, Heading):
        return "heading"
    if isinstance(node, Range):
        return "range"
    return "near" if isinstance(node, Near) else "field"
