"""A tree as a dialect can say it: what it lacks is replaced by what comes closest, and every such place is noted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.query.dialects.base import Dialect
from core.query.reading.operands import EARLIEST, LATEST
from core.query.tree import TEXT_FIELDS, Group, Heading, Near, Node, Not, Range, Term, parts_of, terms_in, walk
from core.query.writing.adapting_near import adapted_near
from core.query.writing.adapting_terms import adapted_term
from core.query.writing.choosing import Status, without_fields
from core.query.writing.endings import Note
from core.query.writing.subheadings import code_of
from core.text import words

_NOT_IN_NAMES = re.compile(r'["“”„‟«»＂″/+*\[\]{}\x00-\x1f]')
_WORST: tuple[Status, ...] = ("exact", "widened", "narrowed", "unsupported")


@dataclass(frozen=True, slots=True)
class Loss:
    """A node that a dialect can't say exactly, and what was written instead."""

    number: int
    """Its place in `walk`."""
    start: int
    """Characters of the text that the tree was read from."""
    end: int
    status: Status
    message: str


def loss_of(number: int, node: Node, notes: list[Note], before: Loss | None = None) -> Loss:
    """All notes about a node as one loss; the worst status counts, and two that contradict are the worst."""
    told = [before.message] if before else []
    told += [message for _, message in notes if message not in told]
    statuses = {status for status, _ in notes} | ({before.status} if before else set())
    both = {"widened", "narrowed"} <= statuses  # neither: some matches are lost and others come in
    status: Status = "unsupported" if both else max(statuses, key=_WORST.index)
    return Loss(number, node.span.start, node.span.end, status, " ".join(told))


@dataclass(frozen=True, eq=False)
class Adapted:
    """A tree that the dialect can say."""

    root: Node | None
    losses: tuple[Loss, ...]
    replaced: Mapping[int, Node | None]
    """What a leaf with a loss became; None: it was left out."""


def adapt(root: Node, dialect: Dialect, *, strict: bool = True) -> Adapted:
    """The tree for a dialect. `strict`: also what the dialect reads, but does not allow, is replaced."""
    adapter = _Adapter(dialect, strict)
    if strict and dialect.tag_covers_rest:
        adapter.mixed, adapter.years_at = _by_filters(root)
    made = adapter.node(root, drop=False)
    return Adapted(made, tuple(adapter.losses[n] for n in sorted(adapter.losses)), adapter.replaced)


@dataclass(slots=True)
class _Adapter:
    dialect: Dialect
    strict: bool
    mixed: frozenset[int] = frozenset()
    """Nodes in which no field can be written, because one filter would need several."""
    years_at: frozenset[int] | None = None
    """The only nodes where years can stand; None: anywhere."""
    next: int = 0
    losses: dict[int, Loss] = field(default_factory=dict)
    replaced: dict[int, Node | None] = field(default_factory=dict)

    def node(self, node: Node, *, drop: bool = True) -> Node | None:
        """`drop`: what the dialect has no field for is left out."""
        if self.next not in self.mixed:
            return self.made(node, drop=drop)
        dialect, self.dialect = self.dialect, without_fields(self.dialect)
        made = self.made(node, drop=drop)
        self.dialect = dialect
        return made

    def made(self, node: Node, *, drop: bool) -> Node | None:
        number = self.next
        self.next += 1
        if isinstance(node, Group):
            return self.group(node, number, drop=drop)
        if isinstance(node, Not):
            inside = self.node(node.part, drop=drop)
            if inside is None:
                return None
            return inside.part if isinstance(inside, Not) and not self.dialect.unary_not else Not(inside)
        if isinstance(node, Range) and self.years_at is not None and number not in self.years_at:
            label = self.dialect.label
            self.replaced[number] = None
            self.note(number, node, [("unsupported", f"{label} has years for a whole search only: left out.")])
            return None
        made, notes = self.leaf(node, drop=drop)
        if notes:
            self.replaced[number] = made
            self.note(number, node, notes)
        return made

    def note(self, number: int, node: Node, notes: list[Note]) -> None:
        self.losses[number] = loss_of(number, node, notes, self.losses.get(number))

    # What combines

    def group(self, node: Group, number: int, *, drop: bool) -> Node | None:
        parts: list[Node] = []
        numbers: list[int] = []
        for part in node.parts:
            at = self.next
            made = self.node(part, drop=True)
            if made is None:
                continue
            inline = isinstance(made, Group) and made.operator == node.operator and not isinstance(part, Group)
            new = made.parts if inline and isinstance(made, Group) else (made,)
            parts += new
            numbers += [at] * len(new)
        if not parts and not drop:  # something must be left of the whole
            return self.kept(node, number)
        if node.operator == "AND":
            parts = self.with_not_behind(parts)
        elif len(parts) > len(node.parts):
            parts = _by_fields(parts)
        if not self.dialect.unary_not and self.strict:
            self.check_not(node, parts, number)
        if len(parts) < 2:
            return parts[0] if parts else None
        return Group(node.operator, tuple(parts))

    def kept(self, node: Group, number: int) -> Node | None:
        self.next = number + 1
        parts = [made for part in node.parts if (made := self.node(part, drop=False)) is not None]
        return Group(node.operator, tuple(parts)) if len(parts) > 1 else parts[0] if parts else None

    def with_not_behind(self, parts: list[Node]) -> list[Node]:
        """A NOT B means the same in any order, but not every dialect lets a search begin with NOT."""
        loosest = self.dialect.binding[-1] == ("NOT",)
        positive = [part for part in parts if not isinstance(part, Not)]
        if self.dialect.unary_not or (parts and not isinstance(parts[0], Not) and not loosest):
            return parts
        return positive + [part for part in parts if isinstance(part, Not)]

    def check_not(self, node: Group, parts: list[Node], number: int) -> None:
        lonely = isinstance(parts[0], Not) if parts and node.operator == "AND" else False
        if lonely or (node.operator == "OR" and any(isinstance(part, Not) for part in parts)):
            self.note(number, node, [self.leading_not()])

    def leading_not(self) -> Note:
        return "unsupported", f"{self.dialect.label} needs something before NOT: put it behind what you search for."

    # Leaves

    def leaf(self, node: Node, *, drop: bool) -> tuple[Node | None, list[Note]]:
        if isinstance(node, Term):
            return adapted_term(node, self.dialect, strict=self.strict, drop=drop)
        if isinstance(node, Near):
            return adapted_near(node, self.dialect, strict=self.strict, drop=drop)
        if isinstance(node, Range):
            return self.range(node)
        assert isinstance(node, Heading)
        return self.heading(node)

    def range(self, node: Range) -> tuple[Node | None, list[Note]]:
        label = self.dialect.label
        if not any(tag.kind == "years" for tag in self.dialect.tags.values()):
            return None, [("unsupported", f"{label} has no years in a search: left out. Choose them beside it.")]
        low = None if node.low is None or node.low <= EARLIEST else node.low
        high = None if node.high is None or node.high >= LATEST else node.high
        notes: list[Note] = []
        if (low is not None and low > LATEST) or (high is not None and high < EARLIEST):
            return None, [("unsupported", f"Years before {EARLIEST} or after {LATEST} can't be written: left out.")]
        if low is not None and high is not None and low > high:
            return None, [("unsupported", "No year is after the later one and before the earlier one: left out.")]
        if low is None and high is None:
            return None, [("widened", "Every year: left out.")]
        if self.dialect.id == "ovid" and (low is None or high is None):
            limit = f"{low} -Current" if high is None else f"{EARLIEST} -{high}"
            notes.append(("unsupported", f'Ovid sets these years with a limit instead: limit … to yr="{limit}".'))
        if (low, high) != (node.low, node.high):
            notes.append(("widened", f"Years are written from {EARLIEST} to {LATEST}."))
        return self.years(low, high), notes

    def years(self, low: int | None, high: int | None) -> Node:
        if low is None or high is None or low == high:
            return Range(low, high)
        if self.dialect.tag_style == "call":
            return Group("AND", (Range(low, None), Range(None, high)))
        if self.dialect.id == "ovid":
            return Group("OR", tuple(Range(year, year) for year in range(low, high + 1)))
        return Range(low, high)

    def heading(self, node: Heading) -> tuple[Node | None, list[Note]]:
        label = self.dialect.label
        name = " ".join(_NOT_IN_NAMES.sub(" ", node.name).split())
        if not words(name):
            return None, [("unsupported", "This heading has no name: left out.")]
        tags = [tag for tag in self.dialect.tags.values() if tag.kind == "heading"]
        if not tags and not self.dialect.slash_headings:
            term = Term((turned(name),), True, TEXT_FIELDS)
            made, notes = adapted_term(term, self.dialect, strict=self.strict, drop=False)
            message = f"{label} has no subject headings here: written as words of title, abstract and keywords."
            return made, [("unsupported", message), *notes]
        notes = []
        if name != " ".join(node.name.split()):
            notes.append(("widened", "Signs in this heading were left out."))
        below = tuple(each for each in node.subheadings if words(each))
        if below and self.dialect.slash_headings:
            below = tuple(code_of(name) for name in below)
        if any(len(code) != 2 for code in below) and self.dialect.slash_headings:
            below, notes = (), [("widened", f"{label} has no two letters for a subheading of this: left out.")]
        return replace(node, name=name, subheadings=below), notes


def _by_fields(parts: list[Node]) -> list[Node]:
    """Alternatives that are looked for in several fields each, gathered by the field."""
    fields = dict.fromkeys(part.fields for part in parts if isinstance(part, Term))
    gathered = [[part for part in parts if isinstance(part, Term) and part.fields == each] for each in fields]
    if any(len(group) < 2 for group in gathered):
        return parts
    rest = [part for part in parts if not isinstance(part, Term)]
    if len(gathered) + len(rest) < 2:
        return parts
    return [*(Group("OR", tuple(group)) for group in gathered), *rest]


def filters_of(root: Node) -> tuple[Node, ...]:
    """What may stand in filters of their own, all of which must hold: the parts of an AND."""
    is_and = isinstance(root, Group) and root.operator == "AND"
    return parts_of(root) if is_and else (root,)


def _by_filters(root: Node) -> tuple[frozenset[int], frozenset[int]]:
    """Numbers of the filters that hold terms in several fields, and of those that are years."""
    filters = filters_of(root)
    number = 0 if filters == (root,) else 1
    share = len(_fields_in(root)) < 2
    mixed, years = set(), set()
    for one in filters:
        if isinstance(one, Range):
            years.add(number)
        if not share and (isinstance(one, Not) or len(_fields_in(one)) > 1):
            mixed.add(number)
        number += sum(1 for _ in walk(one))
    return frozenset(mixed), frozenset(years)


def _fields_in(node: Node) -> set[frozenset[str]]:
    """Each of the fields that something is looked for in; headings become words of title, abstract and keywords."""
    heading = {frozenset(TEXT_FIELDS)} if any(isinstance(each, Heading) for each in walk(node)) else set()
    return heading | {frozenset(term.fields or TEXT_FIELDS) for term in terms_in(node)}


def turned(name: str) -> str:
    """Encephalitis, Japanese as it stands in a text."""
    first, comma, second = name.partition(", ")
    return name if not comma or "," in second else f"{second} {first}"
