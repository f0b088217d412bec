"""The alternatives of a query as switches: what it retrieves with some of them off and others, offered to it, on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from core.query.matching.bits import Bits, count, none_of
from core.query.matching.matched import Matched, combine
from core.query.tree import Group, Node, Not, Term, walk
from core.query.weighing.asked import Asked, combined
from core.query.weighing.failing import is_inside_not


@dataclass(frozen=True, eq=False)
class Switches:
    """The query with every offered term in it. A wording is a number with one bit for each node that is off."""

    nodes: tuple[Node, ...]
    sets: dict[int, Bits | None]
    n: int
    original: dict[int, int]
    """From a number here to the number in the query; offered terms are not in it."""
    group_of: dict[int, int]
    """The OR of every leaf that may be switched."""
    start: int
    """The query as it is."""

    def matched(self, off: int) -> Matched:
        """The query with some nodes off."""
        everything = self._with_all
        sets: list[Bits | None] = [None if off >> i & 1 else bits for i, bits in enumerate(everything.sets)]
        for i in self._inner:
            if not off >> i & 1:
                sets[i] = combined(self.nodes[i], [sets[c] for c in everything.children[i]], self.n)
        off_here = frozenset(i for i in range(len(sets)) if off >> i & 1)
        return replace(everything, sets=tuple(sets), off=off_here)

    def retrieved(self, off: int) -> Bits:
        """What a wording retrieves."""
        root = self.matched(off).root
        return none_of(self.n) if root is None else root

    def n_terms(self, off: int) -> int:
        """How many leaves a wording has."""
        return (self._leaves & ~off).bit_count()

    def left_out(self, off: int) -> tuple[int, ...]:
        """Nodes of the query that a wording does without and the query has."""
        gone = off & ~self.start
        return tuple(number for i, number in self.original.items() if gone >> i & 1)

    def added(self, off: int) -> tuple[tuple[int, Term], ...]:
        """Offered terms that a wording has, each with the OR that it goes into."""
        here = self.start & ~off
        return tuple(
            (self.original[group], node)
            for i, group in self.group_of.items()
            if here >> i & 1 and isinstance(node := self.nodes[i], Term)
        )

    def one_switch_away(self, off: int, *, may_leave_out: bool) -> list[tuple[int, Bits]]:
        """Every wording with one more or one fewer term, and what it retrieves. An OR keeps at least one part."""
        matched = self.matched(off)
        n_parts = {group: _n_parts(matched, group) for group in set(self.group_of.values())}
        out: list[tuple[int, Bits]] = []
        for i, group in self.group_of.items():
            bits, before = self.sets[i], matched.sets[group]
            if bits is None or before is None or matched.contexts[group] is None:
                continue
            if off >> i & 1:
                after = matched.put(group, before | bits)
            elif may_leave_out and n_parts[group] > 1:
                after = matched.put(i, None)
            else:
                continue
            if after is not None:
                out.append((off ^ 1 << i, after))
        return out

    def tidied(self, off: int) -> int:
        """Without the terms that change nothing, those that match least first."""
        sizes = {i: count(bits) for i in self.group_of if (bits := self.sets[i]) is not None}
        matched = self.matched(off)
        for i in sorted(sizes, key=lambda i: (sizes[i], -i)):
            if off >> i & 1:
                continue
            if matched.contexts[i] is None or _n_parts(matched, self.group_of[i]) < 2:
                continue
            without, root = matched.put(i, None), matched.root
            if without is not None and root is not None and not (without ^ root).any():
                off |= 1 << i
                matched = self.matched(off)
        return off

    @cached_property
    def _with_all(self) -> Matched:
        return combine(self.nodes, self.sets, self.n)

    @cached_property
    def _inner(self) -> tuple[int, ...]:
        """What combines others, parts before wholes."""
        return tuple(i for i in range(len(self.nodes) - 1, -1, -1) if isinstance(self.nodes[i], Group | Not))

    @cached_property
    def _leaves(self) -> int:
        return sum(1 << i for i in self.sets)


def _n_parts(matched: Matched, group: int) -> int:
    return sum(matched.sets[c] is not None for c in matched.children[group])


def switches(asked: Asked, offered: Mapping[int, tuple[Term, ...]]) -> Switches:
    """The alternatives of all ORs that no NOT stands above, and offered terms, which are off at first.

    What is off in the query stays off.
    """
    nodes, original, offered_at = _with_offered(asked.matched, offered)
    number_here = {number: i for i, number in original.items()}
    sets = {i: asked.look_up(node) for i, node in enumerate(nodes) if not isinstance(node, Group | Not)}
    matched = combine(nodes, sets, asked.matched.n)
    always_off = {number_here[number] for number in asked.matched.off}
    group_of = {
        i: group
        for i, bits in sets.items()
        if bits is not None
        and i not in always_off
        and (group := matched.parents[i]) >= 0
        and _is_or(nodes[group])
        and not is_inside_not(matched, i)
    }
    start = sum(1 << i for i in always_off | offered_at)
    return Switches(nodes, sets, asked.matched.n, original, group_of, start)


def _is_or(node: Node) -> bool:
    return isinstance(node, Group) and node.operator == "OR"


def _with_offered(
    matched: Matched, offered: Mapping[int, tuple[Term, ...]]
) -> tuple[tuple[Node, ...], dict[int, int], set[int]]:
    """All nodes, which of them are those of the query, and which are new."""
    built = list(matched.nodes)
    new: dict[int, Term] = {}
    for i in range(len(built) - 1, -1, -1):
        node, parts = built[i], tuple(built[c] for c in matched.children[i])
        if isinstance(node, Group):
            copies = tuple(replace(term) for term in offered.get(i, ()))
            new.update((id(term), term) for term in copies)
            built[i] = replace(node, parts=(*parts, *copies))
        elif isinstance(node, Not):
            built[i] = replace(node, part=parts[0])
    nodes = tuple(walk(built[0])) if built else ()
    offered_at = {i for i, node in enumerate(nodes) if id(node) in new}
    kept = (i for i in range(len(nodes)) if i not in offered_at)
    return nodes, dict(zip(kept, range(len(matched.nodes)), strict=True)), offered_at
