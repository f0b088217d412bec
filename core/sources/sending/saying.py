"""A tree as one source can say it: leaf by leaf, with a loss where a leaf becomes something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from core.query.dialects.base import Dialect
from core.query.tree import Group, Heading, Near, Node, Not, Range, Term
from core.query.writing.adapting import Loss, loss_of, turned
from core.query.writing.adapting_near import adapted_near
from core.query.writing.adapting_terms import adapted_term
from core.query.writing.endings import Note
from core.sources.types import SourceId

LABELS: dict[SourceId, str] = {
    "openalex": "OpenAlex",
    "pubmed": "PubMed",
    "europepmc": "Europe PMC",
    "semanticscholar": "Semantic Scholar",
    "dimensions": "Dimensions",
}

LeafSaid = tuple[Node | None, list[Note]]
SayLeaf = Callable[[Node, int], LeafSaid]
"""From a leaf and its number to what is said for it (None: it is left out), and what that costs."""


@dataclass(frozen=True, eq=False)
class Said:
    """A tree that a source can say, and how it says any part of it."""

    root: Node | None
    """None: nothing is left."""
    losses: tuple[Loss, ...]
    write: Callable[[Node], str] = repr
    """The tree, or one that is left when alternatives are taken out, as the source takes it."""


def said(root: Node, leaf: SayLeaf) -> Said:
    """Each leaf as `leaf` says it, and every NOT where something stands before it.

    No source can search for what is not there alone, so a OR NOT b is asked for as everything but (b NOT a): the same,
    if only something stands before it in the end.
    """
    sayer = _Sayer(leaf)
    made = sayer.node(root)
    return Said(made, tuple(sayer.losses[n] for n in sorted(sayer.losses)))


@dataclass(slots=True)
class _Sayer:
    leaf: SayLeaf
    next: int = 0
    losses: dict[int, Loss] = field(default_factory=dict)

    def node(self, node: Node) -> Node | None:
        number = self.next
        self.next += 1
        if isinstance(node, Not):
            inside = self.node(node.part)
            return None if inside is None else turned_round(inside)
        if isinstance(node, Group) and (years := years_in(node)) is None:
            made = [(part, each) for part in node.parts if (each := self.node(part)) is not None]
            parts: list[Node] = []
            for part, each in made:
                inline = isinstance(each, Group) and each.operator == node.operator and not isinstance(part, Group)
                parts += each.parts if inline and isinstance(each, Group) else (each,)
            return joined(node, parts)
        notes: list[Note] = []
        if isinstance(node, Group):
            assert years is not None
            self.next += len(node.parts)
            said_for, more = self.leaf(years, number)
            if said_for is not None and not is_without_gaps(node):
                notes.append(("widened", "These years are asked for as one span, with those between them."))
        else:
            said_for, more = self.leaf(node, number)
        if notes or more:
            self.losses[number] = loss_of(number, node, [*notes, *more])
        return said_for


def joined(node: Group, parts: list[Node]) -> Node | None:
    """The parts under the group's operator, with a NOT only behind something or around the whole."""
    positive = [part for part in parts if not isinstance(part, Not)]
    negative = [part.part for part in parts if isinstance(part, Not)]
    if len(parts) < 2:
        return parts[0] if parts else None
    if node.operator == "AND":
        if positive:
            return replace(node, parts=(*positive, *(Not(part) for part in negative)))
        return Not(Group("OR", tuple(negative)))
    if not negative:
        return replace(node, parts=tuple(positive))
    everything_but = negative[0] if len(negative) == 1 else Group("AND", tuple(negative))
    return Not(Group("AND", (everything_but, *(Not(part) for part in positive)))) if positive else Not(everything_but)


def turned_round(node: Node) -> Node:
    """Everything but this."""
    return node.part if isinstance(node, Not) else Not(node)


def years_in(node: Node) -> Range | None:
    """The years from the first to the last of an OR of years, if it is one."""
    if not isinstance(node, Group) or node.operator != "OR":
        return None
    ranges = [part for part in node.parts if isinstance(part, Range)]
    if len(ranges) < len(node.parts):
        return None
    lows = [part.low for part in ranges if part.low is not None]
    highs = [part.high for part in ranges if part.high is not None]
    low = min(lows) if len(lows) == len(ranges) else None
    high = max(highs) if len(highs) == len(ranges) else None
    return Range(low, high, span=node.span)


def is_without_gaps(node: Group) -> bool:
    """Whether no year is missing between the years of an OR."""
    ranges = [part for part in node.parts if isinstance(part, Range)]
    spans = sorted((-1 if r.low is None else r.low, 9999 if r.high is None else r.high) for r in ranges)
    reached = spans[0][1]
    for low, high in spans[1:]:
        if low > reached + 1:
            return False
        reached = max(reached, high)
    return True


def conjuncts(root: Node) -> Iterator[tuple[int, Node]]:
    """All that must hold, each with its number: the parts of the root's AND, and of ANDs in it.

    >>> [number for number, _ in conjuncts(Group("AND", (Term(("a",)), Group("AND", (Term(("b",)), Term(("c",)))))))]
    [1, 3, 4]
    """
    yield from _conjuncts(root, [0])


def _conjuncts(node: Node, place: list[int]) -> Iterator[tuple[int, Node]]:
    number = place[0]
    if isinstance(node, Group) and node.operator == "AND":
        place[0] += 1
        for part in node.parts:
            yield from _conjuncts(part, place)
        return
    place[0] += size_of(node)
    yield number, node


def size_of(node: Node) -> int:
    """How many numbers it takes."""
    parts = node.parts if isinstance(node, Group) else (node.part,) if isinstance(node, Not) else ()
    return 1 + sum(map(size_of, parts))


def is_negative(node: Node) -> bool:
    """Whether it can only be said as everything but something."""
    if isinstance(node, Not):
        return not is_negative(node.part)
    if isinstance(node, Group):
        return (all if node.operator == "AND" else any)(is_negative(part) for part in node.parts)
    return False


def words_said(node: Term | Near, dialect: Dialect) -> LeafSaid:
    """A term or a Near as words without a field."""
    bare = without_fields(node)
    if isinstance(bare, Term):
        return adapted_term(bare, dialect, strict=True, drop=False)
    assert isinstance(bare, Near)
    return adapted_near(bare, dialect, strict=True, drop=False)


def years_said(node: Range) -> LeafSaid:
    """Years from and to, or nothing where that means all of them."""
    if node.low is None and node.high is None:
        return None, [("widened", "Every year: left out.")]
    if node.low is not None and node.high is not None and node.low > node.high:
        return None, [("unsupported", "No year is after the later one and before the earlier one: left out.")]
    return node, []


def heading_as_term(node: Heading, fields: tuple[str, ...]) -> Term:
    """A subject heading as the phrase that a text would have: Encephalitis, Japanese is Japanese Encephalitis."""
    return Term((turned(" ".join(node.name.split())),), True, fields, span=node.span)


def without_fields(node: Node) -> Node:
    """The same words, wherever they stand."""
    return in_fields(node, ())


def in_fields(node: Node, fields: tuple[str, ...]) -> Node:
    """The same words, all looked for in these fields."""
    if isinstance(node, Term):
        return node if node.fields == fields else replace(node, fields=fields)
    if isinstance(node, Group | Near):
        return replace(node, parts=tuple(in_fields(part, fields) for part in node.parts))
    return replace(node, part=in_fields(node.part, fields)) if isinstance(node, Not) else node
