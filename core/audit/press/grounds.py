"""What evidence is taken from: one string, what the checks noticed, and what its parts find in a topic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from core.audit.types import SearchFacts
from core.query.differences.concepts import Concept, concepts_of, shortened
from core.query.lint import lint
from core.query.lint.in_corpus import lint_in_corpus
from core.query.matching.bits import Bits, count, rows_of
from core.query.matching.matched import Matched
from core.query.matching.texts import Texts
from core.query.tree import Finding, Node, ParsedQuery, Term, terms_in
from core.query.weighing.asked import Asked
from core.query.weighing.contributions import Contribution, contributions

LONGEST_PLACE = 80
"""Characters of the string that a sentence repeats."""
MOST_TITLES = 3
"""Titles that a sentence names."""
_IN_QUOTES = re.compile(r'["“”][^"“”]+["“”](?:\s*\[[^\]"“”]*\]|\.[a-z,]+\.?)?')
"""A phrase, perhaps with its field behind it."""


@dataclass(frozen=True, eq=False)
class Counted:
    """A string before the publications of a topic."""

    asked: Asked
    core_titles: Mapping[int, str]
    """By row, for core publications that are there."""
    n_core: int
    """All core publications, also those that are not there."""

    @property
    def matched(self) -> Matched:
        """What each node finds."""
        return self.asked.matched

    @property
    def texts(self) -> Texts:
        """The words of the publications."""
        return self.asked.texts

    @property
    def core(self) -> Bits:
        """Core publications that are there."""
        return self.asked.stakes.core

    @cached_property
    def number_of(self) -> dict[int, int]:
        """A node's number, by its identity."""
        return {id(node): i for i, node in enumerate(self.matched.nodes)}

    @cached_property
    def contributions(self) -> tuple[Contribution, ...]:
        """Of every node."""
        return contributions(self.matched, self.asked.stakes)

    @cached_property
    def missed(self) -> tuple[int, ...]:
        """Rows of core publications that the string does not find."""
        return tuple(rows_of(self.core & ~self.asked.retrieved).tolist())

    def set_of(self, node: Node) -> Bits | None:
        """What a node finds alone; None: that can't be told here."""
        number = self.number_of.get(id(node))
        return self.asked.look_up(node) if number is None else self.matched.sets[number]

    def kept_out(self, node: Node) -> Bits | None:
        """What would be found as well without a node; None: it is not counted."""
        number = self.number_of.get(id(node))
        if number is None or self.matched.sets[number] is None:
            return None
        without = self.matched.put(number, None)
        return None if without is None else without & ~self.asked.retrieved

    def n_untested(self, within: Node | None = None) -> int:
        """Parts, or those of one node, that can't be tested here; each place of the text once."""
        nodes = [self.matched.nodes[number] for number in self.matched.untestable]
        here = within.span if within is not None else None
        places = {(node.span.start, node.span.end) for node in nodes}
        return sum(here is None or (here.start <= start and end <= here.end) for start, end in places)

    def brought(self, node: Node) -> Bits | None:
        """What is found, and would not be without a node; None: it is not counted."""
        number = self.number_of.get(id(node))
        if number is None or self.matched.sets[number] is None:
            return None
        without = self.matched.put(number, None)
        return None if without is None else self.asked.retrieved & ~without

    def n_and_core(self, bits: Bits) -> tuple[int, int]:
        """Publications, and core publications among them."""
        return count(bits), count(bits & self.core)

    def titles(self, bits: Bits) -> str:
        """The titles of some core publications, as a sentence lists them."""
        rows = rows_of(bits & self.core).tolist()
        names = "; ".join(f"“{shortened(self.core_titles.get(row, ''), 90)}”" for row in rows[:MOST_TITLES])
        more = f" and {len(rows) - MOST_TITLES:,} more" if len(rows) > MOST_TITLES else ""
        return f"{names}{more}"


@dataclass(frozen=True, eq=False)
class Grounds:
    """One string with everything that its evidence is taken from."""

    parsed: ParsedQuery
    dialect_was_named: bool
    """The dialect was kept with the version; else it was found out from the text."""
    counted: Counted | None
    """None: the string has no tree."""
    counted_in: str
    """As "the 3,000 publications of this topic"."""
    search: SearchFacts | None = None
    """How a live source ran it; None: none did."""

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What the checks noticed, with a corpus and without."""
        found = list(lint(self.parsed))
        if self.counted is not None:
            asked = self.counted.asked
            found += lint_in_corpus(self.parsed, asked.matched, asked.texts, asked.stakes.core)
        return tuple(found)

    @cached_property
    def concepts(self) -> tuple[Concept, ...]:
        """The parts of the topmost AND."""
        return concepts_of(self.parsed) if self.parsed.root is not None else ()

    def place(self, node: Node) -> str:
        """The words of a node, as a sentence repeats them."""
        return quoted(node.extent.of(self.parsed.text))

    def nodes(self, kind: type[Node]) -> Iterator[Node]:
        """Nodes of this kind, each place of the text once."""
        once = {(node.span.start, node.span.end): node for node in self.parsed.nodes if isinstance(node, kind)}
        yield from once.values()

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Every term, each place of the text once; also those in a proximity."""
        if self.parsed.root is None:
            return ()
        once = {(term.span.start, term.span.end): term for term in terms_in(self.parsed.root)}
        return tuple(once.values())


def quoted(text: str, most: int = LONGEST_PLACE) -> str:
    """Words of the string in a sentence; a phrase in quotes has its own, with its field.

    >>> quoted("(heat OR  warmth)"), quoted('"heat wave"'), quoted("“heat wave”[tiab]")
    ('“(heat OR warmth)”', '"heat wave"', '“heat wave”[tiab]')
    """
    short = shortened(text, most)
    return short if _IN_QUOTES.fullmatch(short) else f"“{short}”"


def publications(n: int) -> str:
    """A number of publications in words.

    >>> publications(1), publications(1200)
    ('1 publication', '1,200 publications')
    """
    return f"{n:,} publication{'' if n == 1 else 's'}"


def with_core(n: int, n_core: int) -> str:
    """The same with the core among them.

    >>> with_core(40, 2), with_core(40, 0), with_core(0, 0)
    ('40 publications, 2 of them core', '40 publications, none of them core', 'no publication')
    """
    if not n:
        return "no publication"
    return f"{publications(n)}, {f'{n_core:,}' if n_core else 'none'} of them core"
