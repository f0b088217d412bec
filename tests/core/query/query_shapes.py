"""A tree as one line of text that a reader can check at a glance."""

from __future__ import annotations

from core.query.tree import TEXT_FIELDS, Group, Heading, Near, Node, Not, Range, Term, written


def shape(node: Node | None) -> str:
    """(a & !b | ...): & and |, ! for NOT, near3(...) and pre3(...), <Heading>, 2010..2020; word@title for a field."""
    if node is None:
        return "nothing"
    if isinstance(node, Group):
        sign = " & " if node.operator == "AND" else " | "
        return f"({sign.join(map(shape, node.parts))})"
    if isinstance(node, Not):
        return f"!{shape(node.part)}"
    if isinstance(node, Near):
        name = "pre" if node.ordered else "within" if node.whole else "near"
        return f"{name}{node.distance}({', '.join(map(shape, node.parts))})"
    if isinstance(node, Range):
        return f"{node.low or ''}..{node.high or ''}"
    if isinstance(node, Heading):
        marks = ("" if node.explode else "=") + ("*" if node.major else "")
        return f"<{marks}{node.name}{''.join(f'/{below}' for below in node.subheadings)}>"
    return _term(node)


def _term(term: Term) -> str:
    text = written(term.pieces)
    text = f"{{{text}}}" if term.exact else f'"{text}"' if term.quoted else text
    fields = "topic" if term.fields == TEXT_FIELDS else ",".join(term.fields)
    return f"{text}@{fields}" if fields else text
