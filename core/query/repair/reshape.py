"""Which alternatives of a query to keep and which to add: a search for the best F-beta that shows over-fitting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf

import numpy as np

from core.errors import InputError
from core.query.matching.bits import Bits, count, rows_of
from core.query.repair.switches import Switches, switches
from core.query.tree import Group, Term
from core.query.weighing.asked import Asked
from core.query.weighing.stakes import Stakes, counts

BEAM = 8
MOST_STEPS = 60
MOST_TRIED = 20_000
"""Wordings that are scored at most."""
PATIENCE = 4
"""Steps without a better wording after which the search ends."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a new wording may cost."""

    min_recall: float = 0.0
    """Smallest share of the core publications found; a query that finds fewer may at least not find fewer still."""
    most_retrieved: int | None = None
    """None: as many as it likes."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Scores of one wording on some of the core publications."""

    recall: float
    f_beta: float | None


@dataclass(frozen=True, slots=True)
class Half:
    """Core publications under the wording before and after."""

    n_core: int
    before: Standing
    after: Standing


@dataclass(frozen=True, eq=False)
class Reshaped:
    """The best wording that was found."""

    left_out: tuple[int, ...]
    """Nodes of the query that it does without, besides those that were off already."""
    added: tuple[tuple[int, Term], ...]
    """Terms that it adds, each with the OR that it goes into."""
    n_before: int
    n_after: int
    """Publications retrieved."""
    everything: Half
    searched_with: Half
    """The same search once more with only half of the core publications: how well it does on that half."""
    held_out: Half | None
    """And on the other: what gets better there and worse here was fitted to chance. None: there is no other half."""
    n_tried: int

    @property
    def changes_nothing(self) -> bool:
        """No better wording was found."""
        return not self.left_out and not self.added


def slim_down(asked: Asked, limits: Limits, *, seed: int = 0) -> Reshaped:
    """Leave out alternatives of ORs as long as F-beta gains and the limits hold; what changes nothing goes too."""
    return _reshaped(asked, switches(asked, {}), limits, seed, may_leave_out=True)


def widen(
    asked: Asked, additions: Mapping[int, Iterable[Term]], limits: Limits, *, may_leave_out: bool = True, seed: int = 0
) -> Reshaped:
    """Choose among offered terms, given for the numbers of ORs, and leave out others if that pays."""
    offered = {number: tuple(terms) for number, terms in additions.items()}
    for number in offered:
        node = asked.matched.nodes[number] if 0 <= number < len(asked.matched.nodes) else None
        if not (isinstance(node, Group) and node.operator == "OR"):
            raise InputError(f"terms can only be added to an OR, and node {number} is none")
    return _reshaped(asked, switches(asked, offered), limits, seed, may_leave_out=may_leave_out)


def _reshaped(asked: Asked, board: Switches, limits: Limits, seed: int, *, may_leave_out: bool) -> Reshaped:
    search = _Search(board, asked.stakes, limits, may_leave_out)
    best = search.run()
    before, after = board.retrieved(board.start), board.retrieved(best.off)
    own, other = halves(asked.stakes, asked.matched.n, seed)
    again = _Search(board, own, limits, may_leave_out)
    by_half = board.retrieved(again.run().off) if other is not None else after
    return Reshaped(
        left_out=board.left_out(best.off),
        added=board.added(best.off),
        n_before=count(before),
        n_after=count(after),
        everything=_half(asked.stakes, before, after),
        searched_with=_half(own, before, by_half),
        held_out=None if other is None else _half(other, before, by_half),
        n_tried=search.n_tried + again.n_tried,
    )


def _half(stakes: Stakes, before: Bits, after: Bits) -> Half:
    first, second = (Standing(stakes.recall(bits), stakes.f_beta(bits)) for bits in (before, after))
    return Half(stakes.n_core, first, second)


def halves(stakes: Stakes, n: int, seed: int) -> tuple[Stakes, Stakes | None]:
    """The same stakes with half of the core publications each, the same halves for the same seed; the first has one
    more if their number is odd. None: there is only one."""
    rows = rows_of(stakes.core)
    mixed = np.random.default_rng(seed).permutation(stakes.n_core)
    cut = -(-stakes.n_core // 2)
    parts = [mixed[:cut], mixed[cut:]]
    one, other = (stakes.with_core(rows[part[part < len(rows)]], len(part), n) for part in parts)
    return one, other if other.n_core else None


@dataclass(frozen=True, slots=True)
class _State:
    off: int
    """One bit for each node that is off."""
    rank: tuple[float, float, float, int]
    """Recall missing, publications too many, minus F-beta, terms: less is better."""


@dataclass(eq=False)
class _Search:
    """Goes from wording to wording by switching one term, with the best few of each step."""

    board: Switches
    stakes: Stakes
    limits: Limits
    may_leave_out: bool
    n_tried: int = 0

    def run(self) -> _State:
        """The best wording on the way."""
        start = self.board.start
        beam = self._ranked([start], [self.board.retrieved(start)])
        if self.may_leave_out:
            tidied = self.board.tidied(start)
            beam += self._ranked([tidied], [self.board.retrieved(tidied)])
        best, stale = min(beam, key=lambda state: state.rank), 0
        seen = {state.off for state in beam}
        for _ in range(MOST_STEPS):
            found = [state for each in beam for state in self._next(each, seen)]
            beam = sorted(found, key=lambda state: (state.rank, state.off))[:BEAM]
            if not beam or self.n_tried >= MOST_TRIED:
                break
            stale = 0 if beam[0].rank < best.rank else stale + 1
            best = min(best, beam[0], key=lambda state: state.rank)
            if stale >= PATIENCE:
                break
        if not self.may_leave_out:
            return best
        tidied = self.board.tidied(best.off)
        return self._ranked([tidied], [self.board.retrieved(tidied)])[0]

    def _next(self, state: _State, seen: set[int]) -> list[_State]:
        """Every wording one switch away that was not seen yet."""
        ways = self.board.one_switch_away(state.off, may_leave_out=self.may_leave_out)
        fresh = [(off, bits) for off, bits in ways if off not in seen]
        seen.update(off for off, _ in fresh)
        return self._ranked([off for off, _ in fresh], [bits for _, bits in fresh])

    def _ranked(self, offs: list[int], sets: list[Bits]) -> list[_State]:
        if not offs:
            return []
        self.n_tried += len(offs)
        stack = np.stack(sets)
        found = counts(stack & self.stakes.core) / max(self.stakes.n_core, 1)
        missing = np.maximum(self.limits.min_recall - found, 0.0).round(12).tolist()
        most = inf if self.limits.most_retrieved is None else self.limits.most_retrieved
        too_many = np.maximum(counts(stack) - most, 0.0).tolist()
        scores = np.nan_to_num(self.stakes.f_betas(stack), nan=-1.0).round(12).tolist()
        return [
            _State(off, (missing[i], too_many[i], -scores[i], self.board.n_terms(off))) for i, off in enumerate(offs)
        ]
