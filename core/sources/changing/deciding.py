"""What can be said of publications that a run brought, from their title, abstract, keywords and year alone.

A source looks at more than that: at subject headings, at author names, some at the full text. So a leaf of the tree
holds, does not hold, or can't be told, and so does the whole of it. That the run brought a publication tells something
too: all that its text demands is true of it there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from core.query.matching.bits import Bits, all_of, none_of
from core.query.matching.matched import Corpus, Semantics
from core.query.tree import NOWHERE, TEXT_FIELDS, Group, Heading, Leaf, Near, Node, Not, Range, Term
from core.sources.changing.narrowing import is_within
from core.sources.sending.openalex import without_gaps
from core.sources.sending.searched import as_searched
from core.sources.types import Choices, SourceId

SOME_YEAR = Range(-(2**30), None)
_USUAL = Choices()


class Told(NamedTuple):
    """Publications of which something is sure, and those of which it is sure or may be."""

    sure: Bits
    possible: Bits


def semantics_of(source: SourceId, choices: Choices) -> Semantics:
    """How a source matches words: OpenAlex and Semantic Scholar by their stems.

    >>> semantics_of("openalex", Choices(stem=False)), semantics_of("semanticscholar", Choices())
    ('literal', 'stemmed')
    """
    return "stemmed" if source == "semanticscholar" or (source == "openalex" and choices.stem) else "literal"


def as_read(node: Node, source: SourceId, choices: Choices = _USUAL) -> Node:
    """The tree with each term looked for where and as the source looks for it, as far as that is known here."""
    if source == "openalex" and choices.wildcards == "drop":
        node = without_gaps(node)
    return as_searched(node, source)


def looks_further(leaf: Node, source: SourceId, choices: Choices, *, is_native: bool) -> bool:
    """Whether the source may find a leaf where it is in none of title, abstract and keywords. `is_native`: its own
    language was typed, so that words without a field are sent without one."""
    if isinstance(leaf, Near | Group):
        return any(looks_further(part, source, choices, is_native=is_native) for part in leaf.parts)
    if not isinstance(leaf, Term):
        return False
    if set(leaf.fields) - set(TEXT_FIELDS):
        return True
    if source == "europepmc":  # its keywords are those of the authors and the subject headings together
        return choices.synonyms or "keywords" in (leaf.fields or TEXT_FIELDS)
    return source == "pubmed" and is_native and not leaf.fields


def demands_of(node: Node) -> tuple[Node, ...]:
    """The parts that must all hold.

    >>> a, b, c = (Term((letter,)) for letter in "abc")
    >>> [*demands_of(Group("AND", (a, Not(Group("OR", (b, c))))))] == [a, Not(b), Not(c)]
    True
    """
    if isinstance(node, Group) and node.operator == "AND":
        return tuple(each for part in node.parts for each in demands_of(part))
    if isinstance(node, Not) and isinstance(node.part, Not):
        return demands_of(node.part.part)
    if isinstance(node, Not) and isinstance(node.part, Group) and node.part.operator == "OR":
        return tuple(each for part in node.part.parts for each in demands_of(Not(part)))
    return (node,)


@dataclass(slots=True)
class Deciding:
    """Reads trees over the publications of a corpus."""

    corpus: Corpus
    semantics: Semantics
    further: Callable[[Leaf], bool]
    """Whether the source may find a leaf in more than is known here."""
    true_there: Node | None = None
    """Holds of every publication at the source; None: nothing is known."""
    _facts: frozenset[Node] = field(default=frozenset(), init=False)

    def __post_init__(self) -> None:
        self._facts = frozenset(demands_of(self.true_there)) if self.true_there is not None else frozenset()

    def told(self, node: Node) -> Told:
        """Where a tree holds."""
        n = len(self.corpus.ids)
        return self._all([self._demand(part) for part in demands_of(node)], n)

    def _demand(self, node: Node) -> Told:
        """A part that must hold. If the text of the run can't hold without it, it holds."""
        n = len(self.corpus.ids)
        if self._follows(node):
            return Told(all_of(n), all_of(n))
        return self._node(node)

    def _follows(self, node: Node) -> bool:
        if self.true_there is None:
            return False
        before, part = self._closed(self.true_there), self._closed(node)
        return is_within(before, part, may_stem=self.semantics == "stemmed")

    def _closed(self, node: Node) -> Node:
        """The tree with a name in place of each leaf that the source finds in its own way: nothing follows from its
        words, as a phrase may be mapped to a heading that none of them is."""
        if isinstance(node, Not):
            return replace(node, part=self._closed(node.part))
        if isinstance(node, Group):
            return replace(node, parts=tuple(map(self._closed, node.parts)))
        return Heading(repr(_bare(node))) if self.further(node) else node

    def _node(self, node: Node) -> Told:
        n = len(self.corpus.ids)
        if node in self._facts:
            return Told(all_of(n), all_of(n))
        if Not(node) in self._facts:
            return Told(none_of(n), none_of(n))
        if isinstance(node, Not):
            inside = self._node(node.part)
            return Told(all_of(n) & ~inside.possible, all_of(n) & ~inside.sure)
        if not isinstance(node, Group):
            return self._leaf(node)
        parts = [self._node(part) for part in node.parts]
        return self._all(parts, n) if node.operator == "AND" else self._any(parts, n)

    def _leaf(self, leaf: Leaf) -> Told:
        n = len(self.corpus.ids)
        found = self.corpus.look_up(leaf, self.semantics)
        if found is None:
            return Told(none_of(n), all_of(n))
        if isinstance(leaf, Range):
            known = self.corpus.look_up(SOME_YEAR, self.semantics)
            return Told(found, found if known is None else found | (all_of(n) & ~known))
        return Told(found, all_of(n) if self.further(leaf) else found)

    @staticmethod
    def _all(parts: list[Told], n: int) -> Told:
        sure, possible = all_of(n), all_of(n)
        for part in parts:
            sure, possible = sure & part.sure, possible & part.possible
        return Told(sure, possible)

    @staticmethod
    def _any(parts: list[Told], n: int) -> Told:
        sure, possible = none_of(n), none_of(n)
        for part in parts:
            sure, possible = sure | part.sure, possible | part.possible
        return Told(sure, possible)


def _bare(node: Node) -> Node:
    """The same wherever it stands in a text."""
    if isinstance(node, Group | Near):
        node = replace(node, parts=tuple(map(_bare, node.parts)))
    return replace(node, span=NOWHERE, outer=None)


def _leaves(node: Node) -> list[Leaf]:
    if isinstance(node, Group):
        return [leaf for part in node.parts for leaf in _leaves(part)]
    return _leaves(node.part) if isinstance(node, Not) else [node]


def kept_of(deciding: Deciding, before: Node, after: Node) -> tuple[Bits, Bits, Bits]:
    """Of the publications that `before` brought: those that `after` keeps, drops, and that can't be decided.

    Where our reading of `before` can't be that of the source, since it does not find the publication, `after` is not
    read either, but for what follows from the run itself. That goes for the parts of `before` that were changed; for
    all of it, where `after` asks for something that `before` did not.
    """
    n = len(deciding.corpus.ids)
    reading = Deciding(deciding.corpus, deciding.semantics, deciding.further)
    knowing = Deciding(deciding.corpus, deciding.semantics, deciding.further, before)
    blind = Deciding(_Blind(deciding.corpus), deciding.semantics, deciding.further, before)
    demands = demands_of(before)
    is_new = not set(_leaves(after)) <= set(_leaves(before))
    left = set(demands_of(after))
    odd = none_of(n)
    for part in demands:
        if is_new or part not in left:
            odd = odd | (all_of(n) & ~reading.told(part).possible)
    found, anyway = knowing.told(after), blind.told(after)
    kept = (found.sure & ~odd) | anyway.sure
    dropped = all_of(n) & ((~found.possible & ~odd) | ~anyway.possible)
    dropped = dropped & ~kept
    return kept, dropped, all_of(n) & ~kept & ~dropped


@dataclass(frozen=True, slots=True)
class _Blind:
    """A corpus of which nothing can be told."""

    corpus: Corpus

    @property
    def ids(self) -> tuple[str, ...]:
        """All publications."""
        return self.corpus.ids

    @property
    def fields(self) -> frozenset[str]:
        """None is known."""
        return frozenset()

    def look_up(self, leaf: Leaf, semantics: Semantics) -> Bits | None:
        """Never told."""
        return None
