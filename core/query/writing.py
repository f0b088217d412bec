"""How edits are put into the text of a query, where a dialect says how its terms are written."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from core.query.matching import Matched
from core.query.tree import Edit, Group, Near, Node, Not, Span, Term, written


class Writer(Protocol):
    """Writes the smallest parts of a query in one dialect."""

    def term(self, term: Term) -> str | None:
        """A term with its fields, quotes and wildcards; None: the dialect can't say it."""
        ...

    def near(self, near: Near) -> str | None:
        """Parts that stand close to each other, without brackets around them; None: the dialect can't say it."""
        ...

    def alternative(self, text: str, span: Span, added: str, *, in_or: bool) -> Edit:
        """Adds an alternative to what stands in the span. `in_or`: OR already stands in it, or around it."""
        ...

    def left_out(self, text: str, span: Span, before: Span | None, after: Span | None) -> Edit:
        """Takes a part out of a group, with its operator. `before`, `after`: the parts beside it, at least one."""
        ...


class PlainWriter:
    """Words bare, phrases in "quotes", * for any ending, OR between alternatives; fields in [brackets] after a term."""

    def term(self, term: Term) -> str | None:
        """A word or a phrase."""
        text = written(term.pieces)
        return (f'"{text}"' if term.quoted else text) + (f"[{','.join(term.fields)}]" if term.fields else "")

    def near(self, near: Near) -> str | None:
        """a NEAR/5 b; PRE instead of NEAR keeps the order."""
        parts = [part_text(part, self) for part in near.parts]
        if None in parts:
            return None
        operator = f" {'PRE' if near.ordered else 'NEAR'}/{near.distance} "
        return operator.join(map(str, parts))

    def alternative(self, text: str, span: Span, added: str, *, in_or: bool) -> Edit:
        """Behind the last alternative; where there is none yet, brackets go around both."""
        if in_or:
            return Edit(span.end, span.end, f" OR {added}")
        return Edit(span.start, span.end, f"({span.of(text)} OR {added})")

    def left_out(self, text: str, span: Span, before: Span | None, after: Span | None) -> Edit:
        """With the operator in front of it; of the first part, with the operator behind it."""
        own = bracketed(text, span)
        if before is not None:
            return Edit(bracketed(text, before).end, own.end, "")
        return Edit(own.start, own.end if after is None else bracketed(text, after).start, "")


def part_text(node: Node, writer: Writer) -> str | None:
    """A node as a part of something else: in brackets unless it is a term. None: the dialect can't say it."""
    if isinstance(node, Term):
        return writer.term(node)
    if isinstance(node, Near):
        text = writer.near(node)
        return None if text is None else f"({text})"
    if isinstance(node, Group):
        parts = [part_text(part, writer) for part in node.parts]
        return None if None in parts else f"({f' {node.operator} '.join(map(str, parts))})"
    return None


def bracketed(text: str, span: Span) -> Span:
    """The span with all the brackets that close around it.

    >>> bracketed("a AND ((b OR c))", Span(8, 14))
    Span(start=6, end=16)
    """
    start, end = span.start, span.end
    while True:
        left, right = start - 1, end
        while left >= 0 and text[left].isspace():
            left -= 1
        while right < len(text) and text[right].isspace():
            right += 1
        if left < 0 or right >= len(text) or text[left] != "(" or text[right] != ")":
            return Span(start, end)
        start, end = left, right + 1


def leave_out(matched: Matched, number: int, text: str, writer: Writer) -> Edit | None:
    """The edit that takes a node out of the text; None: nothing would be left, or it is written somewhere else."""
    above = matched.parents[number]
    while above >= 0 and isinstance(matched.nodes[above], Not):
        number, above = above, matched.parents[above]
    if above < 0:
        return None
    spans = sorted((matched.nodes[c].span for c in matched.children[above]), key=lambda span: span.start)
    outside, own = matched.nodes[above].span, matched.nodes[number].span
    ends = [outside.start, *(end for span in spans for end in (span.start, span.end)), outside.end]
    if ends != sorted(ends):
        return None
    place = spans.index(own)
    before = spans[place - 1] if place else None
    after = spans[place + 1] if place + 1 < len(spans) else None
    return writer.left_out(text, own, before, after)


def put_in_place(matched: Matched, number: int, node: Node, text: str, writer: Writer) -> Edit | None:
    """The edit that writes something else in place of a leaf; None: the dialect can't say it."""
    leaf = matched.nodes[number]
    node = _as_written(node, leaf, text, writer)
    new = writer.near(node) if isinstance(node, Near) else part_text(node, writer)
    if new is not None and isinstance(node, Near) and not isinstance(leaf, Near) and number:
        new = f"({new})"
    return None if new is None else Edit(leaf.span.start, leaf.span.end, new)


def add_alternative(matched: Matched, number: int, added: Node, beside: Node, text: str, writer: Writer) -> Edit | None:
    """The edit that puts an alternative beside a node, its fields written as those of a leaf that stands there."""
    node = matched.nodes[number]
    above = matched.nodes[matched.parents[number]] if number else None
    new = part_text(_as_written(added, beside, text, writer), writer)
    if new is None:
        return None
    in_or = any(isinstance(each, Group) and each.operator == "OR" for each in (node, above))
    return writer.alternative(text, node.span, new, in_or=in_or)


def _as_written(node: Node, beside: Node, text: str, writer: Writer) -> Node:
    """Without its fields, where the leaf beside it has the same ones from a bracket around both."""
    if not (isinstance(node, Term) and isinstance(beside, Term) and node.fields and node.fields == beside.fields):
        return node
    bare = writer.term(replace(beside, fields=()))
    takes_over = bare is not None and bare.casefold() == beside.span.of(text).casefold()
    return replace(node, fields=()) if takes_over else node
