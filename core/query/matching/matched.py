"""Which publications every node of a query matches, and what a node does for the whole.

A leaf is looked up once, as a set of bits; everything else is combining sets. A leaf that can't be tested in this
corpus, or is switched off, is left out as if it were not written: an OR or AND goes on without it. If that leaves a
node with nothing, it is left out too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

import numpy as np

from core.query.matching.bits import Bits, all_of, none_of
from core.query.tree import TEXT_FIELDS, Group, Leaf, Node, Not, Term, parts_of, walk
from core.types import Ids

Semantics = Literal["literal", "stemmed"]
"""literal: words as they are written. stemmed: words with the same stem; wildcards and exact terms stay literal."""


class Corpus(Protocol):
    """Publications that can be searched; row r of every set is `ids[r]`."""

    @property
    def ids(self) -> Ids:
        """All publications."""
        ...

    @property
    def fields(self) -> frozenset[str]:
        """The fields that hold something."""
        ...

    def look_up(self, leaf: Leaf, semantics: Semantics) -> Bits | None:
        """Where a leaf matches; None if that can't be tested here."""
        ...


class Context(NamedTuple):
    """What a node does for the whole: root = (x & passes) | anyway, where x is the node's set or, if `negated`,
    everything else. With no node in place of it, root = `without`."""

    passes: Bits
    anyway: Bits
    negated: bool
    without: Bits | None
    """None: nothing of the query would be left."""


@dataclass(frozen=True, eq=False)
class Matched:
    """A tree with the set of each of its nodes, in the order of `walk`."""

    nodes: tuple[Node, ...]
    parents: tuple[int, ...]
    """Number of the node above; -1 for the root."""
    children: tuple[tuple[int, ...], ...]
    sets: tuple[Bits | None, ...]
    """None: left out, because it can't be tested or is switched off."""
    untestable: frozenset[int]
    """Leaves that can't be tested in this corpus."""
    off: frozenset[int]
    n: int
    """Publications in the corpus."""

    @property
    def root(self) -> Bits | None:
        """What the query retrieves; None if nothing of it can be tested."""
        return self.sets[0] if self.sets else None

    def put(self, number: int, bits: Bits | None) -> Bits | None:
        """What the query would retrieve with another set in place of a node's; None: with the node left out."""
        context = self.contexts[number]
        if context is None:
            return self.root
        if bits is None:
            return context.without
        inside = ~bits & all_of(self.n) if context.negated else bits
        return (inside & context.passes) | context.anyway

    @cached_property
    def contexts(self) -> tuple[Context | None, ...]:
        """For every node that counts: what it does for the whole. None for one that is left out."""
        return _contexts(self)


def match(root: Node, corpus: Corpus, semantics: Semantics, off: Collection[int] = ()) -> Matched:
    """Look up the leaves and combine them. `off`: numbers of nodes that are left out."""
    nodes = tuple(walk(root))
    leaf_sets = {
        i: corpus.look_up(node, semantics) for i, node in enumerate(nodes) if not isinstance(node, Group | Not)
    }
    return combine(nodes, leaf_sets, len(corpus.ids), off)


def combine(nodes: tuple[Node, ...], leaf_sets: dict[int, Bits | None], n: int, off: Collection[int] = ()) -> Matched:
    """The same, where the sets of the leaves are known: what a switch costs."""
    parents, children = _family(nodes)
    sets: list[Bits | None] = [None] * len(nodes)
    everything = all_of(n)
    for i in range(len(nodes) - 1, -1, -1):  # parts come after what they are part of
        if i in off:
            continue
        sets[i] = (
            leaf_sets[i] if _is_leaf(nodes[i]) else _combined(nodes[i], (sets[c] for c in children[i]), everything)
        )
    untestable = frozenset(i for i, bits in leaf_sets.items() if bits is None)
    return Matched(nodes, parents, children, tuple(sets), untestable, frozenset(off), n)


def _is_leaf(node: Node) -> bool:
    return not isinstance(node, Group | Not)


def _family(nodes: tuple[Node, ...]) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    parents = [-1] * len(nodes)
    children: list[list[int]] = [[] for _ in nodes]
    open_nodes: list[tuple[int, int]] = []  # a node, and how many of its parts are still to come
    for i, node in enumerate(nodes):
        if open_nodes:
            above, left = open_nodes.pop()
            parents[i] = above
            children[above].append(i)
            if left > 1:
                open_nodes.append((above, left - 1))
        if n_parts := len(parts_of(node)):
            open_nodes.append((i, n_parts))
    return tuple(parents), tuple(map(tuple, children))


def _combined(node: Node, parts: Iterable[Bits | None], everything: Bits) -> Bits | None:
    known = [bits for bits in parts if bits is not None]
    if not known:
        return None
    if isinstance(node, Not):
        return everything & ~known[0]
    together = np.bitwise_and if isinstance(node, Group) and node.operator == "AND" else np.bitwise_or
    return known[0] if len(known) == 1 else together.reduce(known)


def _contexts(matched: Matched) -> tuple[Context | None, ...]:
    n, sets = matched.n, matched.sets
    out: list[Context | None] = [None] * len(sets)
    if matched.root is None:
        return tuple(out)
    everything, nothing = all_of(n), none_of(n)
    out[0] = Context(everything, nothing, negated=False, without=None)
    for i, node in enumerate(matched.nodes):
        above = out[i]
        if above is None:
            continue
        known = [c for c in matched.children[i] if sets[c] is not None]
        if isinstance(node, Not):
            out[known[0]] = Context(above.passes, above.anyway, not above.negated, above.without)
        elif isinstance(node, Group):
            for c, rest in zip(known, _all_but_one(node, [_set(sets[c]) for c in known]), strict=True):
                out[c] = _inside(node, above, rest, everything)
    return tuple(out)


def _inside(node: Group, above: Context, rest: Bits | None, everything: Bits) -> Context:
    """From what a group does for the whole to what one part does, the other parts together being `rest`."""
    if rest is None:
        return above
    seen = everything & ~rest if above.negated else rest
    without = (seen & above.passes) | above.anyway
    # Under a NOT an AND lets pass what an OR would: not (x and rest) = not x or not rest.
    if (node.operator == "AND") is not above.negated:
        return Context(above.passes & seen, above.anyway, above.negated, without)
    return Context(above.passes, above.anyway | (above.passes & seen), above.negated, without)


def _all_but_one(node: Group, parts: list[Bits]) -> list[Bits | None]:
    """For each part, all the others together."""
    together = np.bitwise_and if node.operator == "AND" else np.bitwise_or
    before: list[Bits | None] = [None]
    for part in parts[:-1]:
        last = before[-1]
        before.append(part if last is None else together(last, part))
    after: Bits | None = None
    out: list[Bits | None] = [None] * len(parts)
    for i in range(len(parts) - 1, -1, -1):
        first = before[i]
        out[i] = after if first is None else first if after is None else together(first, after)
        after = parts[i] if after is None else together(parts[i], after)
    return out


def _set(bits: Bits | None) -> Bits:
    assert bits is not None
    return bits


def searched_fields(term: Term, fields: frozenset[str]) -> tuple[str, ...]:
    """Where a term is looked for in a corpus with these fields; none: it can't be tested there."""
    return tuple(f for f in (term.fields or TEXT_FIELDS) if f in fields and f in TEXT_FIELDS)
