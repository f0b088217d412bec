"""A query that was matched, with what is needed to say what another wording would retrieve and be worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from core.query.matching.bits import Bits, all_of, none_of
from core.query.matching.matched import Corpus, Matched, Semantics
from core.query.matching.texts import Texts
from core.query.repair.edits import Writer
from core.query.tree import Group, Leaf, Node, Not
from core.query.weighing.evidence import EvidenceSearch
from core.query.weighing.stakes import Counts, Stakes

LONGEST_NAME = 40


@dataclass(frozen=True, eq=False)
class Asked:
    """A query as it was matched, with all that is needed to say what another wording would do."""

    text: str
    matched: Matched
    corpus: Corpus
    texts: Texts
    semantics: Semantics
    stakes: Stakes
    writer: Writer
    read_before: EvidenceSearch | None = None
    """What was looked for in the publications for other wordings: handed on, it need not be read again."""
    read_again: Callable[[str], Bits] | None = None
    """What another text retrieves. Given for texts that are not in order, where an edit may join other things than it
    seems to: what is offered there is read again first."""
    _sets: dict[Leaf, Bits | None] = field(default_factory=dict)

    @cached_property
    def evidence(self) -> EvidenceSearch:
        """Looks into the words of the publications."""
        return self.read_before or EvidenceSearch(self.texts, self.semantics)

    @cached_property
    def retrieved(self) -> Bits:
        """What the query retrieves now."""
        return none_of(self.matched.n) if self.matched.root is None else self.matched.root

    @cached_property
    def occurrences(self) -> Counts:
        """How often the corpus has each word."""
        return np.bincount(self.texts.tokens, minlength=len(self.texts.vocabulary)).astype(np.int64)

    def look_up(self, node: Node) -> Bits | None:
        """The set of a leaf, or of leaves together, looked up once."""
        if isinstance(node, Group):
            return combined(node, [self.look_up(part) for part in node.parts], self.matched.n)
        if isinstance(node, Not):
            return combined(node, [self.look_up(node.part)], self.matched.n)
        if node not in self._sets:
            self._sets[node] = self.corpus.look_up(node, self.semantics)
        return self._sets[node]

    def name_of(self, number: int) -> str:
        """A node as its writer wrote it, cut if it is long."""
        text = " ".join(self.matched.nodes[number].span.of(self.text).split())
        return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"


def retrieved_with(matched: Matched, new: dict[int, Bits | None]) -> Bits | None:
    """What the query retrieves with other sets in place of some nodes'; None: nothing of it is left."""
    if len(new) == 1:
        ((number, bits),) = new.items()
        return matched.put(number, bits)
    sets = {**dict(enumerate(matched.sets)), **new}
    above: set[int] = set()
    for number in new:
        while (number := matched.parents[number]) >= 0:
            above.add(number)
    for number in sorted(above, reverse=True):
        if number not in matched.off:
            parts = [sets[c] for c in matched.children[number]]
            sets[number] = combined(matched.nodes[number], parts, matched.n)
    return sets[0]


def combined(node: Node, parts: list[Bits | None], n: int) -> Bits | None:
    """The set of a node from those of its parts; None: all of them are left out."""
    known = [bits for bits in parts if bits is not None]
    if not known:
        return None
    if isinstance(node, Not):
        return all_of(n) & ~known[0]
    together = np.bitwise_and if isinstance(node, Group) and node.operator == "AND" else np.bitwise_or
    return known[0] if len(known) == 1 else together.reduce(known)
