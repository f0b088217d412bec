"""The concepts of a query, the parts that must all match, and which of two queries' concepts belong together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from core.query.differences.relations import words_of
from core.query.tree import TEXT_FIELDS, Group, Node, Not, ParsedQuery, Range, Span, parts_of, terms_in, walk
from core.query.writing.truth_table import Formula, formula_of

Role = Literal["concept", "excluded", "years", "limit"]
LETTERS = 3
"""So many letters in common let two words pass for forms of one."""
MOST_SHARED = 8
"""What more concepts than this have in common tells none of them from another."""
LONGEST_LABEL = 60
EXACT_COUNTS = 4
"""A term in common weighs as much as this many words that are only alike."""


@dataclass(frozen=True)
class Leaf:
    """Something that is looked up."""

    node: Node
    key: Formula
    """What it asks for: the same for two ways of writing it."""
    label: str

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.node.span


@dataclass(frozen=True, eq=False)
class Concept:
    """A part of a query that must match."""

    node: Node
    place: int
    role: Role
    text: str

    @cached_property
    def leaves(self) -> dict[Formula, Leaf]:
        """What it looks up, each once, in the order of the text."""
        found: dict[Formula, Leaf] = {}
        for node in walk(self.node):
            if not parts_of(node):
                key = formula_of(node)
                found.setdefault(key, Leaf(node, key, shortened(node.span.of(self.text))))
        return found

    @cached_property
    def formula(self) -> Formula:
        """What it asks for as a whole."""
        return formula_of(self.node)

    @property
    def label(self) -> str:
        """As it stands in the text, cut short."""
        return shortened(self.node.extent.of(self.text))

    @property
    def name(self) -> str:
        """What to call it in a sentence."""
        if self.role == "excluded":
            return "What is excluded (NOT)"
        labels = [leaf.label for leaf in self.leaves.values()]
        first = ", ".join(shortened(label, 24) for label in labels[:2])
        more = f" and {len(labels) - 2:,} more" if len(labels) > 2 else ""
        return f"{'Limit' if self.role == 'limit' else f'Concept {self.place}'} ({first}{more})"


def shortened(text: str, most: int = LONGEST_LABEL) -> str:
    """One line, cut where it gets too long."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most and len(text) <= 4 * most else f"{line[: most - 1].rstrip()}…"


def ended(sentence: str) -> str:
    """With its full stop, unless it ends in what was cut short."""
    return sentence if sentence.endswith("…") else f"{sentence}."


def concepts_of(parsed: ParsedQuery) -> tuple[Concept, ...]:
    """The parts of the topmost AND, through brackets; another query is one concept."""
    assert parsed.root is not None
    found: list[Concept] = []
    stack, place = [parsed.root], 0
    while stack:
        node = stack.pop()
        if isinstance(node, Group) and node.operator == "AND":
            stack.extend(reversed(node.parts))
            continue
        role = _role(node)
        place += role == "concept"
        found.append(Concept(node, place, role, parsed.text))
    return tuple(found)


def as_one(parsed: ParsedQuery) -> Concept:
    """The whole query as one concept."""
    assert parsed.root is not None
    return Concept(parsed.root, 1, "concept", parsed.text)


def _role(node: Node) -> Role:
    if isinstance(node, Not):
        return "excluded"
    if isinstance(node, Range):
        return "years"
    terms = list(terms_in(node))
    elsewhere = terms and all(term.fields and not set(term.fields) & {*TEXT_FIELDS, "subject"} for term in terms)
    return "limit" if elsewhere else "concept"


def paired(first: Sequence[Concept], second: Sequence[Concept]) -> list[tuple[int, int]]:
    """Concepts that have most in common, each at most once."""
    shared: Counter[tuple[int, int]] = Counter()
    there = _index(second)
    for sign, here in _index(first).items():
        others = there.get(sign, ())
        if len(here) <= MOST_SHARED and len(others) <= MOST_SHARED:
            for i in here:
                for j in others:
                    shared[i, j] += EXACT_COUNTS if sign[1] == "exact" else 1
    taken_first: set[int] = set()
    taken_second: set[int] = set()
    pairs = []
    for (i, j), _ in sorted(shared.items(), key=lambda item: (-item[1], abs(item[0][0] - item[0][1]), item[0])):
        if i not in taken_first and j not in taken_second:
            taken_first.add(i)
            taken_second.add(j)
            pairs.append((i, j))
    return pairs


def _index(concepts: Sequence[Concept]) -> dict[tuple[Role, str, Hashable], list[int]]:
    index: dict[tuple[Role, str, Hashable], list[int]] = defaultdict(list)
    for i, concept in enumerate(concepts):
        for sign in set(_signs(concept)):
            index[concept.role, *sign].append(i)
    return index


def _signs(concept: Concept) -> Iterator[tuple[str, Hashable]]:
    if concept.role in ("years", "excluded"):
        yield "alike", concept.role
    for key, leaf in concept.leaves.items():
        yield "exact", key
        for stem in stems(leaf.node):
            yield "alike", stem


def stems(node: Node) -> Iterator[str]:
    """The first letters of the words that are looked for."""
    for term in terms_in(node):
        for word in words_of(term):
            head = word.pieces[0]
            if isinstance(head, str):
                yield head[:LETTERS]
