"""Keywords as sets, and every string that is one move of a keyword away from another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.query.matching.bits import Bits
from core.types import Floats, Mask
from core.writer.looking import LookUp
from core.writer.types import Keyword, ListName, Sheet
from core.writer.worth import prices

Places = npt.NDArray[np.int8]
"""Where each keyword stands, as a place in `PLACES`."""
PLACES: tuple[ListName, ...] = ("aside", "specific", "general", "overarching")
ASIDE, SPECIFIC, GENERAL, OVERARCHING = range(4)


class Arranged(NamedTuple):
    """Several strings of the same keywords."""

    places: Places
    """Shape (strings, keywords)."""
    is_and: Mask
    """How several overarching keywords are joined, one for each string."""
    retrieved: Bits


@dataclass(frozen=True, eq=False)
class Layout:
    """The keywords that may stand in a string, without what is excluded."""

    keywords: tuple[Keyword, ...]
    bits: Bits
    """One row for each keyword."""
    prices: Floats
    """What each has to bring, by place; shape (keywords, places)."""

    @classmethod
    def of(cls, keywords: Sequence[Keyword], bits: Bits, topic: Sequence[str]) -> Layout:
        """These keywords; `topic`: the words of the topic's name."""
        costs = [[prices(keyword, topic).of(name) for name in PLACES] for keyword in keywords]
        return cls(tuple(keywords), bits, np.array(costs, dtype=np.float64).reshape(len(keywords), len(PLACES)))

    def places_in(self, sheet: Sheet) -> Places:
        """Where they stand in a sheet."""
        found = [PLACES.index(name) if (name := sheet.list_of(k.key)) in PLACES else ASIDE for k in self.keywords]
        return np.array(found, dtype=np.int8)

    def sheet(self, places: Places, is_and: bool, like: Sheet) -> Sheet:
        """A sheet with the keywords so; all others that are not excluded stand aside."""
        lists: dict[str, list[Keyword]] = {name: [] for name in PLACES}
        for keyword, place in zip(self.keywords, places.tolist(), strict=True):
            lists[PLACES[place]].append(keyword)
        here = {keyword.key for keyword in self.keywords}
        lists["aside"] += [k for name in PLACES for k in like.of(name) if k.key not in here]
        moved = {name: tuple(found) for name, found in lists.items()}
        return Sheet(**moved, excluded=like.excluded, joined="AND" if is_and else "OR")

    def price_of(self, places: Places) -> Floats:
        """What all keywords of each string have to bring."""
        total: Floats = self.prices[np.arange(len(self.keywords)), places].sum(axis=-1)
        return total

    def arranged(self, places: Places, is_and: Mask) -> Arranged:
        """Strings and what they retrieve."""
        found = [_Parts.of(self.bits, p, a) for p, a in zip(places, is_and.tolist(), strict=True)]
        return Arranged(places, is_and, np.stack([part.specific | (part.general & part.over) for part in found]))

    def moves(self, places: Places, is_and: bool, likely: npt.NDArray[np.intp]) -> Iterator[Arranged]:
        """Every string one move away.

        One keyword goes to another list; where several are overarching they are joined the other way; and where
        nothing is ANDed yet, two go there together, both among the `likely` ones.
        """
        parts = _Parts.of(self.bits, places, is_and)
        for to, retrieved in parts.moved(self.bits, is_and):
            rows = np.flatnonzero(places != to)
            moved = np.repeat(places[None], len(rows), axis=0)
            moved[np.arange(len(rows)), rows] = to
            yield Arranged(moved, np.full(len(rows), is_and), retrieved[rows])
        n_over = int((places == OVERARCHING).sum())
        if n_over > 1:
            yield self.arranged(places[None], np.array([not is_and]))
        if not n_over and not (places == GENERAL).any():
            yield self._pairs(places, parts.specific, likely[places[likely] == ASIDE])

    def _pairs(self, places: Places, specific: Bits, free: npt.NDArray[np.intp]) -> Arranged:
        one, other = (part.ravel() for part in np.meshgrid(free, free))
        one, other = one[one != other], other[one != other]
        moved = np.repeat(places[None], len(one), axis=0)
        at = np.arange(len(one))
        moved[at, one], moved[at, other] = GENERAL, OVERARCHING
        return Arranged(moved, np.zeros(len(one), dtype=np.bool_), specific | (self.bits[one] & self.bits[other]))


@dataclass(frozen=True, eq=False)
class _Parts:
    """A string taken to pieces: each list together and, for every keyword, each list without it."""

    specific: Bits
    general: Bits
    over: Bits
    specific_without: Bits
    general_without: Bits
    over_without: Bits
    has_over_without: Mask

    @classmethod
    def of(cls, bits: Bits, places: Places, is_and: bool) -> _Parts:
        here = places == OVERARCHING
        specific, specific_without = _together(bits, places == SPECIFIC, np.bitwise_or)
        general, general_without = _together(bits, places == GENERAL, np.bitwise_or)
        over, over_without = _together(bits, here, np.bitwise_and if is_and else np.bitwise_or)
        has_over = int(here.sum()) - here > 0
        return cls(specific, general, over, specific_without, general_without, over_without, has_over)

    def moved(self, bits: Bits, is_and: bool) -> tuple[tuple[int, Bits], ...]:
        """For each list: what is retrieved with a keyword there, one row for each keyword."""
        rest, general, over = self.specific_without, self.general_without, self.over_without
        wider = np.where(self.has_over_without[:, None], over & bits if is_and else over | bits, bits)
        return (
            (ASIDE, rest | (general & over)),
            (SPECIFIC, rest | bits | (general & over)),
            (GENERAL, rest | ((general | bits) & over)),
            (OVERARCHING, rest | (general & wider)),
        )


def _together(bits: Bits, here: Mask, combine: np.ufunc) -> tuple[Bits, Bits]:
    """The sets of a list combined, and for every keyword the same without it; nothing where no other is left."""
    rows = np.flatnonzero(here)
    if not len(rows):
        return np.zeros(bits.shape[1], dtype=np.uint64), np.zeros_like(bits)
    before = combine.accumulate(bits[rows], axis=0)
    after = combine.accumulate(bits[rows[::-1]], axis=0)[::-1]
    without = np.repeat(before[-1:], len(bits), axis=0)
    without[rows] = 0
    without[rows[1:]] = before[:-1]
    without[rows[1:-1]] = combine(without[rows[1:-1]], after[2:])
    if len(rows) > 1:
        without[rows[0]] = after[1]
    return before[-1], without


def layout(sheet: Sheet, look_up: LookUp, topic: Sequence[str]) -> Layout:
    """All keywords of a sheet but those that are excluded."""
    keywords = [keyword for name in PLACES for keyword in sheet.of(name)]
    kept = ~look_up.any_of(sheet.excluded)
    bits = np.stack([look_up(k) & kept for k in keywords]) if keywords else np.zeros((0, len(kept)), dtype=np.uint64)
    return Layout.of(keywords, bits, topic)
