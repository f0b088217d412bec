"""Which list every keyword stands in: a beam search for the string that is worth most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.query.weighing.stakes import Stakes, counts
from core.writer.looking import LookUp
from core.writer.placing import PLACES, Arranged, Layout, Places, layout
from core.writer.types import Brief, Budget, Sheet
from core.writer.worth import supported, to_search_by, topic_words, worths

OnStep = Callable[[int], None]
"""Called with how many strings were scored so far; whoever wants to stop the search raises."""
BEAM = 8
MOST_STEPS = 60
MOST_TRIED = 60_000
"""Strings after which no further step is begun."""
PATIENCE = 4
"""Steps without a better string after which the search ends."""
MOST_IN_PAIRS = 48
"""Keywords that are tried with each other as the first general and the first overarching one."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best sheet on the way."""

    sheet: Sheet
    """With every keyword of the one that was handed in; what the string does without stands aside."""
    n_tried: int
    """Strings that were scored; 0: there was nothing to score them by, and the sheet is as it was."""
    keeps_recall: bool
    """Whether it finds as much of the core publications in use as the budget asks for."""
    keeps_size: bool
    """Whether it retrieves no more than the budget allows."""


def best_sheet(
    sheet: Sheet,
    look_up: LookUp,
    stakes: Stakes,
    *,
    budget: Budget,
    brief: Brief | None = None,
    on_step: OnStep | None = None,
) -> Found:
    """The best string of a sheet's keywords, wherever they stand now; what is excluded stays excluded.

    First what keeps the floor of recall, then the limit of size, then what is worth most (`core.writer.worth`), then
    the fewest keywords. `stakes`: of the core publications in use, and of no others. `brief`: words of its topic may
    stand anywhere, other words have to bring more.
    """
    by = to_search_by(stakes)
    board = layout(sheet, look_up, topic_words(brief.topic) if brief else ())
    if by is not None:
        board = _only(board, supported(by, board.bits))
    if by is None or not board.keywords:
        kept = _standings(sheet, look_up, stakes, budget)
        return Found(sheet, 0, *kept)
    search = _Search(board, by, budget, on_step)
    best = search.run(board.places_in(sheet), sheet.joined == "AND")
    found = board.sheet(best.places, best.is_and, sheet)
    return Found(found, search.n_tried, *_standings(found, look_up, stakes, budget))


def _only(board: Layout, kept: npt.NDArray[np.bool_]) -> Layout:
    keywords = tuple(k for k, is_kept in zip(board.keywords, kept.tolist(), strict=True) if is_kept)
    return Layout(keywords, board.bits[kept], board.prices[kept])


def _standings(sheet: Sheet, look_up: LookUp, stakes: Stakes, budget: Budget) -> tuple[bool, bool]:
    retrieved = look_up.retrieved(sheet)
    most = budget.most_publications
    size = int(counts(retrieved))
    return stakes.recall(retrieved) >= budget.min_recall - 1e-12, most is None or size <= most


class Rank(NamedTuple):
    """What decides between two strings: less is better, the first difference counts."""

    is_empty: bool
    missing: float
    """Recall below the floor."""
    too_many: float
    """Publications beyond the limit."""
    worth: float
    """Turned round."""
    n_keywords: int


@dataclass(frozen=True, eq=False)
class _State:
    places: Places
    is_and: bool
    rank: Rank

    @property
    def order(self) -> tuple[Rank, bytes, bool]:
        """Never the same for two strings."""
        return self.rank, self.places.tobytes(), self.is_and


def ranks(board: Layout, stakes: Stakes, budget: Budget, strings: Arranged) -> list[Rank]:
    """How strings stand to each other."""
    found = counts(strings.retrieved & stakes.core) / max(stakes.n_core, 1)
    missing = np.maximum(budget.min_recall - found, 0.0).round(12).tolist()
    most = inf if budget.most_publications is None else budget.most_publications
    too_many = np.maximum(counts(strings.retrieved) - most, 0.0).tolist()
    n = (strings.places != PLACES.index("aside")).sum(axis=1).tolist()
    worth = (worths(stakes, strings.retrieved) - board.price_of(strings.places)).round(12).tolist()
    is_empty = (counts(strings.retrieved) == 0).tolist()
    return [Rank(*each) for each in zip(is_empty, missing, too_many, [-w for w in worth], n, strict=True)]


@dataclass(eq=False)
class _Search:
    """Goes from string to string by moving one keyword, with the best few of each step."""

    board: Layout
    stakes: Stakes
    budget: Budget
    on_step: OnStep | None
    n_tried: int = 0
    seen: set[bytes] = field(default_factory=set)

    def run(self, start: Places, is_and: bool) -> _State:
        """The best string on the way, from nothing and from the sheet as it is."""
        alone = np.argsort(-worths(self.stakes, self.board.bits), kind="stable")[:MOST_IN_PAIRS]
        beam = self._fresh(self.board.arranged(np.stack([np.zeros_like(start), start]), np.array([False, is_and])))
        best, stale = min(beam, key=lambda state: state.order), 0
        for _ in range(MOST_STEPS):
            moves = (each for state in beam for each in self.board.moves(state.places, state.is_and, alone))
            beam = sorted((state for each in moves for state in self._fresh(each)), key=lambda s: s.order)[:BEAM]
            if self.on_step is not None:
                self.on_step(self.n_tried)
            if not beam:
                break
            stale = 0 if beam[0].rank < best.rank else stale + 1
            best = min(best, beam[0], key=lambda state: state.order)
            if stale >= PATIENCE or self.n_tried >= MOST_TRIED:
                break
        return best

    def _fresh(self, strings: Arranged) -> list[_State]:
        """Those that were not seen yet, with how they stand."""
        keys = [p.tobytes() + bytes([a]) for p, a in zip(strings.places, strings.is_and.tolist(), strict=True)]
        new = [i for i, key in enumerate(keys) if key not in self.seen]
        self.seen.update(keys)
        self.n_tried += len(new)
        if not new:
            return []
        fresh = Arranged(strings.places[new], strings.is_and[new], strings.retrieved[new])
        standing = ranks(self.board, self.stakes, self.budget, fresh)
        return [_State(fresh.places[i], bool(fresh.is_and[i]), standing[i]) for i in range(len(new))]
