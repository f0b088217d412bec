"""A parsed query, ready to be looked through: who is part of what, what asks for the same, what can be cut out."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from core.query.dialects import DIALECTS
from core.query.reading.lexer import cleaned
from core.query.reading.report import Report
from core.query.tree import (
    TEXT_FIELDS,
    Edit,
    Finding,
    Fix,
    Group,
    Heading,
    Near,
    Node,
    Not,
    ParsedQuery,
    Range,
    Term,
    parts_of,
    walk,
    written,
)


class Member(NamedTuple):
    """What an AND or OR combines, through brackets of the same operator."""

    node: Node
    above: Group


class Outline:
    """Every node of every line once."""

    def __init__(self, parsed: ParsedQuery) -> None:
        self.text = parsed.text
        self.clean = cleaned(parsed.text)
        self.dialect = DIALECTS[parsed.dialect]
        roots = [parsed.root, *(line.root for line in parsed.lines if not line.used)]
        once = {id(node): node for root in roots if root is not None for node in walk(root)}
        self.nodes = tuple(once.values())
        self._above: dict[int, Node] = {}
        self._place: dict[tuple[int, int], int] = {}
        for node in self.nodes:
            for i, part in enumerate(parts_of(node)):
                self._above.setdefault(id(part), node)
                self._place[id(node), id(part)] = i
        self._alike = self._numbered()

    def above(self, node: Node) -> Node | None:
        """What a node is part of; None for a root."""
        return self._above.get(id(node))

    def alike(self, node: Node) -> int:
        """The same number for two nodes that ask for the same."""
        return self._alike[id(node)]

    def groups(self) -> Iterator[tuple[Group, list[Member]]]:
        """Every AND and OR that is not just a part of the same, with all that it combines."""
        for node in self.nodes:
            above = self.above(node)
            if isinstance(node, Group) and not (isinstance(above, Group) and above.operator == node.operator):
                yield node, _members(node)

    def taken_out(self, member: Member, label: str) -> Fix | None:
        """Cuts a part with its operator; None where that is not safe."""
        node, above = member
        place = self._place[id(above), id(node)]
        joint = "" if isinstance(node, Not) else above.operator
        if place:
            before = above.parts[place - 1].extent.end
            if self._between(before, node.extent.start) == joint:
                return Fix(label, (Edit(before, node.extent.end, ""),))
            return None
        after = above.parts[1].extent.start
        if not isinstance(above.parts[1], Not) and self._between(node.extent.end, after) == above.operator:
            return Fix(label, (Edit(node.extent.start, after, ""),))
        return None

    def _between(self, start: int, end: int) -> str | None:
        return self.clean[start:end].strip().upper() if start <= end else None

    def _numbered(self) -> dict[int, int]:
        numbers: dict[Hashable, int] = {}
        alike: dict[int, int] = {}
        for node in reversed(list(self.nodes)):  # parts come after what they are part of
            for part in parts_of(node):
                if id(part) not in alike:  # a line that is used before it is walked through
                    self._number_below(part, numbers, alike)
            alike[id(node)] = _number(node, numbers, alike)
        return alike

    def _number_below(self, root: Node, numbers: dict[Hashable, int], alike: dict[int, int]) -> None:
        for node in reversed(list(walk(root))):
            alike[id(node)] = _number(node, numbers, alike)


def _number(node: Node, numbers: dict[Hashable, int], alike: dict[int, int]) -> int:
    key: Hashable = ("near", near_key(node)) if isinstance(node, Near) else leaf_key(node)
    if isinstance(node, Group):
        key = (node.operator, frozenset(alike[id(part)] for part in node.parts))
    elif isinstance(node, Not):
        key = ("NOT", alike[id(node.part)])
    return numbers.setdefault(key, len(numbers))


def leaf_key(node: Node) -> Hashable:
    """What a leaf asks for, whatever its case and spaces."""
    if isinstance(node, Term):
        text = " ".join(written(node.pieces).casefold().split())
        return "term", text, node.quoted and " " in text, node.fields, node.exact
    if isinstance(node, Heading):
        below = frozenset(name.casefold() for name in node.subheadings)
        return "heading", node.name.casefold(), node.explode, node.major, below
    return ("years", node.low, node.high) if isinstance(node, Range) else ("other",)


def near_key(node: Node) -> Hashable:
    """The same for parts that stand close; as deep as a tree may be."""
    if isinstance(node, Near):
        parts = tuple(near_key(part) for part in node.parts)
        return node.distance, node.ordered, node.whole, parts if node.ordered else frozenset(parts)
    return frozenset(near_key(part) for part in node.parts) if isinstance(node, Group) else leaf_key(node)


def _members(group: Group) -> list[Member]:
    found: list[Member] = []
    stack = [Member(part, group) for part in reversed(group.parts)]
    while stack:
        member = stack.pop()
        if isinstance(member.node, Group) and member.node.operator == group.operator:
            stack.extend(Member(part, member.node) for part in reversed(member.node.parts))
        else:
            found.append(member)
    return found


def collected(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once for its place, in the order of the text; not too many of one kind."""
    report = Report()
    for each in {(f.rule, f.span): f for f in found}.values():
        report.add(each.rule, each.severity, each.span, each.message, each.fix)
    return report.in_order()


def searched_in(term: Term) -> frozenset[str]:
    """The fields of a term among those of texts; without any it is looked for everywhere."""
    return frozenset(term.fields or TEXT_FIELDS)
