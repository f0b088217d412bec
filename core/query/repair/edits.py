"""How edits are put into the text of a query, where a dialect says how its terms are written."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from typing import Protocol

from core.query.matching.matched import Matched
from core.query.reading.lexer import cleaned
from core.query.tree import Edit, Group, Near, Node, Not, Span, Term, terms_in, written


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


def leave_out(matched: Matched, number: int, text: str, writer: Writer) -> Edit | None:
    """The edit that takes a node out of the text; None: nothing would be left, it is written somewhere else, or a
    bracket in it has no partner."""
    above = matched.parents[number]
    while above >= 0 and isinstance(matched.nodes[above], Not):
        number, above = above, matched.parents[above]
    if above < 0:
        return None
    node, own = matched.nodes[above], matched.nodes[number]
    others = [matched.nodes[c] for c in matched.children[above] if c != number]
    if isinstance(node, Group) and node.operator == "AND" and all(isinstance(other, Not) for other in others):
        return None
    extents = sorted((part.extent for part in (own, *others)), key=lambda span: span.start)
    ends = [node.span.start, *(end for span in extents for end in (span.start, span.end)), node.span.end]
    if ends != sorted(ends) or not _is_balanced(text, own.extent):
        return None
    place = extents.index(own.extent)
    if place:
        return _apart(text, Edit(extents[place - 1].end, own.extent.end, ""))
    return _apart(text, Edit(own.extent.start, extents[1].start, ""))


def put_in_place(matched: Matched, number: int, node: Node, text: str, writer: Writer) -> Edit | None:
    """The edit that writes something else in place of a leaf; None: the dialect can't say it there."""
    leaf = matched.nodes[number]
    span = leaf.span
    if isinstance(leaf, Term) and _is_bare(leaf, text, writer):
        if isinstance(node, Term) and node.fields != leaf.fields:
            if leaf.fields and not _has_own_field(leaf, text):
                return None
            span = leaf.extent
        else:
            node = _bare(node)
    if isinstance(node, Near) and (isinstance(leaf, Near) or not number):
        new = writer.near(node)
    else:
        new = part_text(node, writer)
    return None if new is None else Edit(span.start, span.end, new)


def add_alternative(
    matched: Matched, number: int, added: Node, beside: int | None, text: str, writer: Writer
) -> Edit | None:
    """The edit that puts an alternative beside a node; None: the dialect can't say it, or a bracket there has no
    partner.

    Its fields are written as those of the leaf `beside`: not at all, if they stand around both.
    """
    node = matched.nodes[number]
    above = matched.nodes[matched.parents[number]] if number else None
    is_or, in_or = (isinstance(each, Group) and each.operator == "OR" for each in (node, above))
    up_to = number if is_or else matched.parents[number]
    if not _is_balanced(text, node.span if is_or else node.extent):
        return None
    if beside is not None and _fields_from_outside(matched, beside, up_to, added, text, writer):
        added = _bare(added)
    elif _is_inside_field(matched, up_to, text):
        return None
    new = part_text(added, writer)
    if new is None:
        return None
    return _apart(text, writer.alternative(text, node.span if is_or else node.extent, new, in_or=is_or or in_or))


def _apart(text: str, edit: Edit) -> Edit:
    """With a space, where two words would grow together."""
    before, behind = text[: edit.start][-1:] + edit.text, text[edit.end : edit.end + 1]
    together = before[-1:].isalnum() and behind.isalnum()
    return replace(edit, text=f"{edit.text} ") if together else edit


_STEPS = {"(": 1, ")": -1}


@lru_cache(maxsize=4_096)
def _is_balanced(text: str, span: Span) -> bool:
    """Whether every bracket and quote in the span has its partner there: else what is put around it, or behind it,
    would come into what is still open."""
    parts = cleaned(span.of(text)).split('"')
    levels = list(accumulate(_STEPS.get(sign, 0) for part in parts[::2] for sign in part))
    return len(parts) % 2 == 1 and (not levels or (min(levels) >= 0 and levels[-1] == 0))


def _is_inside_field(matched: Matched, number: int, text: str) -> bool:
    """Whether brackets with a field close around a node; what stands in them is looked for only there."""
    while number >= 0:
        if isinstance(matched.nodes[number], Group) and _has_own_field(matched.nodes[number], text):
            return True
        number = matched.parents[number]
    return False


def _fields_from_outside(matched: Matched, number: int, up_to: int, added: Node, text: str, writer: Writer) -> bool:
    """Whether the fields of a leaf are those of what is added, and stand outside of all below the node `up_to`."""
    term = next(terms_in(matched.nodes[number]), None)
    if term is None or not isinstance(added, Term) or term.fields != added.fields or not _is_bare(term, text, writer):
        return False
    between: list[Node] = [term]
    while number not in (up_to, -1):
        between.append(matched.nodes[number])
        number = matched.parents[number]
    return not any(_has_own_field(each, text) for each in between)


def _is_bare(term: Term, text: str, writer: Writer) -> bool:
    """Whether its fields, if it has any, do not stand in its span."""
    bare = writer.term(replace(term, fields=()))
    return bare is not None and bare.casefold() == term.span.of(text).casefold()


def _has_own_field(node: Node, text: str) -> bool:
    """Whether a field stands beside it, and not only brackets."""
    outer = node.extent
    beside = text[outer.start : node.span.start] + text[node.span.end : outer.end]
    return bool(beside.strip("() \t\r\n"))


def _bare(node: Node) -> Node:
    """Without fields, which stand around it already."""
    if isinstance(node, Term):
        return replace(node, fields=())
    if isinstance(node, Near | Group):
        return replace(node, parts=tuple(_bare(part) for part in node.parts))
    return node
