"""What every node of a query brings and costs: what would be lost, gained and worth without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.metrics import read_per_core, semantic_precision
from core.query.matching.bits import Bits, none_of, rows_of
from core.query.matching.matched import Matched
from core.query.tree import Group, Not, Span
from core.query.weighing.stakes import Counts, Stakes, counts

Flag = Literal[
    "zero_hit", "subsumed", "harmful", "single_point_of_failure", "not_testable", "off"
]  # in this order wherever they are shown
NOTHING = 0.0005
"""A change of F-beta up to this is nothing that anybody would see."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """One node of a query against everything else in it."""

    number: int
    """Its place in `walk`."""
    span: Span
    n_alone: int
    """Publications that it matches by itself; for a NOT, those that it lets pass."""
    n_in_context: int
    """Retrieved publications that it matches; for a NOT, and inside one, those that it keeps out."""
    n_lost: int
    """Retrieved publications that would be lost without it."""
    n_gained: int
    """Publications that would be added without it."""
    core: int
    """Core publications among `n_alone`."""
    core_in_context: int
    core_unique: int
    """Core publications that would be lost without it."""
    core_gained: int
    """Core publications that would be added without it."""
    semantic_precision_unique: float | None
    """Of what would be lost; None: nothing of it can be scored."""
    read_per_core: float | None
    """Publications to read per core publication among `n_in_context`; None: it has no core publication."""
    f_beta_change_if_removed: float | None
    """None: the query would retrieve nothing that can be scored, or the node is left out already."""
    flags: tuple[Flag, ...]
    by: int | None = None
    """Of a subsumed part: the sibling that has all of its publications alone; None: several together have them."""

    @property
    def n_unique(self) -> int:
        """Retrieved publications that nothing else in the query brings."""
        return self.n_lost


@dataclass(frozen=True, eq=False)
class _Columns:
    """One number per node."""

    n_alone: Counts
    n_in_context: Counts
    n_lost: Counts
    n_gained: Counts
    core: Counts
    core_in_context: Counts
    core_unique: Counts
    core_gained: Counts
    lost_scorable: Counts
    lost_accepted: Counts


def contributions(matched: Matched, stakes: Stakes) -> tuple[Contribution, ...]:
    """One for every node, in the order of `walk`."""
    if not matched.nodes:
        return ()
    empty = none_of(matched.n)
    root = empty if matched.root is None else matched.root
    known = np.array([context is not None for context in matched.contexts])
    alone = np.stack([empty if bits is None else bits for bits in matched.sets])
    without = np.stack([empty if c is None or c.without is None else c.without for c in matched.contexts])
    without[~known] = root
    columns = _columns(alone, without, _in_context(matched, alone, without, root), root, stakes)
    changes = stakes.f_betas(without) - stakes.f_betas(root[None])[0]
    changes[~known] = np.nan
    covers = _covers(matched)
    return tuple(
        _contribution(matched, columns, i, None if np.isnan(change) else change, covers)
        for i, change in enumerate(changes.tolist())
    )


def _columns(alone: Bits, without: Bits, context: Bits, root: Bits, stakes: Stakes) -> _Columns:
    lost, gained = root & ~without, without & ~root
    return _Columns(
        n_alone=counts(alone),
        n_in_context=counts(context),
        n_lost=counts(lost),
        n_gained=counts(gained),
        core=counts(alone & stakes.core),
        core_in_context=counts(context & stakes.core),
        core_unique=counts(lost & stakes.core),
        core_gained=counts(gained & stakes.core),
        lost_scorable=counts(lost & stakes.scorable),
        lost_accepted=counts(lost & stakes.scorable & stakes.accepted),
    )


def _in_context(matched: Matched, alone: Bits, without: Bits, root: Bits) -> Bits:
    """Per node, what it matches of the retrieved set; for a NOT and inside one, of what that keeps out."""
    out = np.zeros_like(alone)
    kept_out: dict[int, Bits] = {}
    for i, (node, context) in enumerate(zip(matched.nodes, matched.contexts, strict=True)):
        if context is None:
            continue
        if isinstance(node, Not):
            out[i] = kept_out[i] = without[i] & ~root
            continue
        above = matched.parents[i]
        if above in kept_out:
            kept_out[i] = kept_out[above]
        out[i] = alone[i] & (kept_out[i] if context.negated and i in kept_out else root)
    return out


def _covers(matched: Matched) -> dict[int, int | None]:
    """Parts of ORs that the other parts together cover, and one sibling that does so alone, if there is one."""
    out: dict[int, int | None] = {}
    for i, node in enumerate(matched.nodes):
        if not (isinstance(node, Group) and node.operator == "OR"):
            continue
        known = [c for c in matched.children[i] if matched.sets[c] is not None]
        if len(known) < 2:
            continue
        stack = np.stack([bits for c in known if (bits := matched.sets[c]) is not None])
        once, twice = np.zeros_like(stack[0]), np.zeros_like(stack[0])
        for bits in stack:
            twice |= once & bits
            once |= bits
        covered = ~(stack & ~twice).any(axis=1) & stack.any(axis=1)
        for place in np.flatnonzero(covered).tolist():
            sibling = _sibling_with_all(stack, place)
            out[known[place]] = None if sibling is None else known[sibling]
    return out


def _sibling_with_all(stack: Bits, place: int) -> int | None:
    """The first other set that holds everything that this one holds."""
    bits = stack[place]
    row = int(rows_of(bits)[0])
    with_row = np.flatnonzero((stack[:, row // 64] >> np.uint64(row % 64)) & np.uint64(1))
    words = np.flatnonzero(bits)
    likely = with_row[with_row != place]
    holds_all = ~(bits[words] & ~stack[np.ix_(likely, words)]).any(axis=1)
    return int(likely[np.argmax(holds_all)]) if holds_all.any() else None


def _contribution(
    matched: Matched, columns: _Columns, i: int, change: float | None, covers: dict[int, int | None]
) -> Contribution:
    n_context, core_context = int(columns.n_in_context[i]), int(columns.core_in_context[i])
    return Contribution(
        number=i,
        span=matched.nodes[i].span,
        n_alone=int(columns.n_alone[i]),
        n_in_context=n_context,
        n_lost=int(columns.n_lost[i]),
        n_gained=int(columns.n_gained[i]),
        core=int(columns.core[i]),
        core_in_context=core_context,
        core_unique=int(columns.core_unique[i]),
        core_gained=int(columns.core_gained[i]),
        semantic_precision_unique=semantic_precision(
            n_relevant=int(columns.lost_accepted[i]), n_scorable=int(columns.lost_scorable[i])
        ),
        read_per_core=read_per_core(n_retrieved=n_context, n_found=core_context),
        f_beta_change_if_removed=change,
        flags=_flags(matched, columns, i, change, i in covers),
        by=covers.get(i),
    )


def _flags(matched: Matched, columns: _Columns, i: int, change: float | None, covered: bool) -> tuple[Flag, ...]:
    if matched.contexts[i] is None:
        return ("off",) if _is_off(matched, i) else ("not_testable",)
    above = matched.nodes[matched.parents[i]] if i else None
    in_or = isinstance(above, Group) and above.operator == "OR"
    raised: dict[Flag, bool] = {
        "zero_hit": not columns.n_alone[i] and not isinstance(matched.nodes[i], Not),
        "subsumed": covered,
        "harmful": change is not None and change > NOTHING,
        "single_point_of_failure": in_or and bool(columns.core_unique[i]),
    }
    return tuple(flag for flag, is_raised in raised.items() if is_raised)


def _is_off(matched: Matched, i: int) -> bool:
    """Whether the node, something above it or something in it was switched off."""
    return bool(matched.off & _line(matched, i)) or any(i in _line(matched, number) for number in matched.off)


def _line(matched: Matched, number: int) -> set[int]:
    """A node and everything above it."""
    line = set()
    while number >= 0:
        line.add(number)
        number = matched.parents[number]
    return line
