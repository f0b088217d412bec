"""How edits are put into the text of a query, where a dialect says how its terms are written."""

from __future__ import annotations

from typing import Protocol

from core.query.matching import Matched
from core.query.tree import Edit, Group, Near, Node, Not, Span, Term, written


class Writer(Protocol):
    """Writes the smallest parts of a query in one dialect."""

    def term(self, term: Term) -> str | None:
        """A term with its fields, quotes and wildcards; None: the dialect can't say it."""
        ...

    def near(self, near: Near) -> str | None:
        """Parts that stand close to each other, ready to be a part of anything; None: the dialect can't say it."""
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
        """(a NEAR/5 b); PRE instead of NEAR keeps the order."""
        parts = [self._part(part) for part in near.parts]
        if None in parts:
            return None
        operator = f" {'PRE' if near.ordered else 'NEAR'}/{near.distance} "
        return f"({operator.join(map(str, parts))})"

    def _part(self, node: Node) -> str | None:
        if isinstance(node, Term):
            return self.term(node)
        if isinstance(node, Near):
            return self.near(node)
        if isinstance(node, Group):
            parts = [self._part(part) for part in node.parts]
            return None if None in parts else f"({f' {node.operator} '.join(map(str, parts))})"
        return None

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
    """The edit that takes a node out of the text; None: nothing of the query would be left."""
    above = matched.parents[number]
    while above >= 0 and isinstance(matched.nodes[above], Not):
        number, above = above, matched.parents[above]
    if above < 0:
        return None
    parts = sorted(matched.children[above], key=lambda c: matched.nodes[c].span.start)
    place = parts.index(number)
    before = matched.nodes[parts[place - 1]].span if place else None
    after = matched.nodes[parts[place + 1]].span if place + 1 < len(parts) else None
    return writer.left_out(text, matched.nodes[number].span, before, after)


def add_alternative(matched: Matched, number: int, added: str, text: str, writer: Writer) -> Edit:
    """The edit that puts an alternative beside a node."""
    node = matched.nodes[number]
    above = matched.nodes[matched.parents[number]] if number else None
    in_or = any(isinstance(each, Group) and each.operator == "OR" for each in (node, above))
    return writer.alternative(text, node.span, added, in_or=in_or)
