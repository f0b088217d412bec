"""A parsed query prepared for checks: parents, equal parts, covered terms, and parts that can be cut out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from core.query.dialects import DIALECTS
from core.query.lexer import FindingCollector, cleaned
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
    Span,
    Term,
    Word,
    parts_of,
    terms_in,
    walk,
    written,
)
from core.text import on_one_line

# The tree with every parent, and the parts that can be cut out of the text.

SHOWN = 50
"""Maximum number of characters of a term quoted in a message."""


class GroupMember(NamedTuple):
    """A part of an AND or OR, found through brackets of the same operator."""

    node: Node
    above: Group


class QueryOutline:
    """Every node of every line, once."""

    def __init__(self, parsed: ParsedQuery) -> None:
        self.text = parsed.text
        self.clean = cleaned(parsed.text)
        self.dialect = DIALECTS[parsed.dialect]
        self.lines = parsed.lines
        self.root = parsed.root
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
        """Return the node that holds this one; None for a root."""
        return self._above.get(id(node))

    def alike(self, node: Node) -> int:
        """Return a number that is the same for two nodes with the same meaning."""
        return self._alike[id(node)]

    def groups(self) -> Iterator[tuple[Group, list[GroupMember]]]:
        """Yield each AND and OR that is not part of one with the same operator, with all parts that it combines."""
        for node in self.nodes:
            above = self.above(node)
            if isinstance(node, Group) and not (isinstance(above, Group) and above.operator == node.operator):
                yield node, _members(node)

    def taken_out(self, member: GroupMember, label: str) -> Fix | None:
        """Return a fix that cuts a part and its operator; None if that is not safe."""
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
        for node in reversed(list(self.nodes)):  # parts come after the node that holds them
            for part in parts_of(node):
                if id(part) not in alike:  # a line used before it is walked
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
    """Return a key for a leaf that ignores case and spaces."""
    if isinstance(node, Term):
        text = " ".join(written(node.pieces).casefold().split())
        return "term", text, node.quoted and " " in text, node.fields, node.exact
    if isinstance(node, Heading):
        below = frozenset(name.casefold() for name in node.subheadings)
        return "heading", node.name.casefold(), node.explode, node.major, below
    return ("years", node.low, node.high) if isinstance(node, Range) else ("other",)


def near_key(node: Node) -> Hashable:
    if isinstance(node, Near):
        parts = tuple(near_key(part) for part in node.parts)
        return node.distance, node.ordered, node.whole, parts if node.ordered else frozenset(parts)
    return frozenset(near_key(part) for part in node.parts) if isinstance(node, Group) else leaf_key(node)


def _members(group: Group) -> list[GroupMember]:
    found: list[GroupMember] = []
    stack = [GroupMember(part, group) for part in reversed(group.parts)]
    while stack:
        member = stack.pop()
        if isinstance(member.node, Group) and member.node.operator == group.operator:
            stack.extend(GroupMember(part, member.node) for part in reversed(member.node.parts))
        else:
            found.append(member)
    return found


def collected(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Collect each finding once per place, in text order, with a maximum per rule."""
    report = FindingCollector()
    for each in {(f.rule, f.span): f for f in found}.values():
        report.add(each.rule, each.severity, each.span, each.message, each.fix)
    return report.in_order()


def searched_in(term: Term) -> frozenset[str]:
    """Return the fields of a term; without any, the text fields."""
    return frozenset(term.fields or TEXT_FIELDS)


def terms_of(outline: QueryOutline) -> Iterator[Term]:
    for node in outline.nodes:
        if isinstance(node, Term):
            yield node
        elif isinstance(node, Near):
            yield from terms_in(node)


def quoted(outline: QueryOutline, span: Span) -> str:
    return on_one_line(span.of(outline.text), SHOWN)


# Terms that can only match where another one matches, judged by their spelling alone.

Run = tuple[Word, ...]
LONGEST_RUN = 8
"""Maximum number of words of a phrase that are compared."""
MOST_TRIED = 20
"""Maximum number of terms with the same beginning that are compared."""


class TermCoverage:
    """Terms, by the words that another term must hold to be covered by them."""

    def __init__(self, terms: Iterable[Term]) -> None:
        terms = list(terms)
        often = Counter(run for term in terms for run in term.chunks)
        self._plain: dict[tuple[tuple[str, ...], str], list[Term]] = defaultdict(list)
        self._stems: dict[tuple[str, ...], dict[str, list[Term]]] = defaultdict(lambda: defaultdict(list))
        for term in terms:
            run = min(term.chunks, key=lambda r: often[r], default=())
            if not run or not all(word.is_plain for word in run[:-1]):
                continue
            head, last = tuple(map(str, run[:-1])), run[-1]
            if last.is_plain:
                self._plain[head, str(last)].append(term)
            elif last.is_stem:
                self._stems[head][str(last.pieces[0])].append(term)

    def broader(self, term: Term) -> Iterator[Term]:
        """Yield the terms that match wherever this one does, itself included."""
        for other in self._candidates(term):
            if covers(other, term):
                yield other

    def _candidates(self, term: Term) -> Iterator[Term]:
        for run in term.chunks:
            names = [str(word) for word in run[:LONGEST_RUN]]
            for start in range(len(names)):
                for last in range(start, len(names)):
                    head = tuple(names[start:last])
                    yield from islice(self._plain.get((head, names[last]), ()), MOST_TRIED)
                    if head in self._stems:
                        yield from self._stemmed(head, run[last])

    def _stemmed(self, head: tuple[str, ...], last: Word) -> Iterator[Term]:
        letters = last.pieces[0]
        if isinstance(letters, str):
            stems = self._stems[head]
            for n in range(1, len(letters) + 1):
                yield from islice(stems.get(letters[:n], ()), MOST_TRIED)


def covers(broad: Term, narrow: Term) -> bool:
    """Return True if the first matches wherever the second does.

    >>> covers(Term(("heat",)), Term(("heat wave",), quoted=True, fields=("title",)))
    True
    """
    if broad.fields and not (narrow.fields and set(narrow.fields) <= set(broad.fields)):
        return False
    if broad.fields != narrow.fields and not searched_in(narrow) & set(TEXT_FIELDS):
        return False  # the words of an author or a journal: only the same field finds them
    return all(any(_inside(run, longer) for longer in narrow.chunks) for run in broad.chunks)


def _inside(run: Run, longer: Run) -> bool:
    last_start = min(len(longer), LONGEST_RUN) - len(run)
    return any(
        all(_word_covers(word, longer[start + i]) for i, word in enumerate(run)) for start in range(last_start + 1)
    )


def _word_covers(broad: Word, narrow: Word) -> bool:
    letters, first = broad.pieces[0], narrow.pieces[0]
    if broad.is_stem and isinstance(letters, str) and isinstance(first, str):
        return first.startswith(letters)
    return broad == narrow
