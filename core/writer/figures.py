"""What every keyword of a sheet brings and costs, and what it would in another list."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.metrics import read_per_core
from core.query.matching.bits import Bits, all_of, count, none_of
from core.query.matching.matched import Corpus, Semantics
from core.query.tree import Term
from core.query.weighing.contributions import NOTHING, Flag
from core.query.weighing.stakes import Counts, Stakes, counts
from core.types import Floats
from core.writer.judging import standing
from core.writer.strings import term_of
from core.writer.types import LISTS, Joined, Keyword, ListName, Sheet, Standing


@dataclass(frozen=True, slots=True)
class Effect:
    """What the string would retrieve with one keyword in another list."""

    n_retrieved: int
    n_core_found: int
    f_beta: float | None
    """None: it would retrieve nothing that can be scored."""
    f_beta_change: float | None
    """Against the string as it is; None: one of the two has no F-beta."""


@dataclass(frozen=True, eq=False)
class KeywordFigures:
    """One keyword of a sheet against everything else in it."""

    key: str
    list: ListName
    n_alone: int
    """Publications that it matches by itself."""
    core_found: int
    """Core publications among them."""
    n_unique: int
    """Publications that would go without it; for what narrows (an excluded keyword, or one of several overarching ones
    that are joined by AND), those that would come."""
    unique_share: float | None
    """`n_unique` as a share of what it brings, or keeps out; None: it brings nothing, or is one of several overarching
    ones that are joined by AND."""
    read_per_core: float | None
    """Publications to read per core publication among what it brings, or matches if it brings nothing yet; None: no
    core publication is among them."""
    f_beta_change_if_removed: float | None
    """Its price. None: it is not in the string, or there would be nothing to score."""
    flags: tuple[Flag, ...]
    """As of the terms of a query. subsumed: leaving it out changes nothing."""
    if_moved: Mapping[ListName, Effect]
    """For every other list; aside: without it."""
    core_unique: int = 0
    """Core publications among `n_unique`."""


@dataclass(frozen=True, eq=False)
class Seen:
    """A sheet with its numbers."""

    retrieved: Bits
    figures: tuple[KeywordFigures, ...]
    """List by list, in their order."""
    n_retrieved: int
    standing: Standing
    waiting: tuple[str, ...]
    """Keys of general keywords that wait for something overarching."""


@dataclass(frozen=True, eq=False)
class _Part:
    """One list as the string has it."""

    bits: Bits | None
    """None: nothing of it can be tested here."""
    is_there: bool
    """It has keywords."""


_Parts = Mapping[ListName, _Part]


class Board:
    """Sheets over one corpus, judged by some core publications; each keyword is looked up once."""

    def __init__(self, corpus: Corpus, semantics: Semantics, stakes: Stakes) -> None:
        self.corpus = corpus
        self.semantics = semantics
        self.stakes = stakes
        self.n = len(corpus.ids)
        self._known: dict[Term, Bits | None] = {}

    def look_up(self, keyword: Keyword) -> Bits | None:
        """What a keyword matches by itself; None if that can't be tested here."""
        term = term_of(keyword)
        if term not in self._known:
            self._known[term] = self.corpus.look_up(term, self.semantics)
        return self._known[term]

    def retrieved(self, sheet: Sheet) -> Bits:
        """What the string of a sheet retrieves: the same as running it."""
        return self._string(self._parts(sheet))

    def seen(self, sheet: Sheet) -> Seen:
        """A sheet with all of its numbers: what follows every move."""
        parts = self._parts(sheet)
        retrieved = self._string(parts)
        placed = [(name, keyword) for name in LISTS for keyword in sheet.of(name)]
        waits = bool(sheet.general) and not sheet.overarching
        return Seen(
            retrieved=retrieved,
            figures=self._figures(sheet, parts, retrieved, placed) if placed else (),
            n_retrieved=count(retrieved),
            standing=standing(self.stakes, retrieved),
            waiting=tuple(keyword.key for keyword in sheet.general) if waits else (),
        )

    def _parts(self, sheet: Sheet) -> dict[ListName, _Part]:
        return {
            name: _Part(_joined(_operator(name, sheet.joined), map(self.look_up, sheet.of(name))), bool(sheet.of(name)))
            for name in LISTS
        }

    def _string(self, parts: _Parts) -> Bits:
        """As `match` combines it: what can't be tested is left out as if it were not written."""
        general, over = parts["general"], parts["overarching"]
        has_group = general.is_there and over.is_there
        if not parts["specific"].is_there and not has_group:
            return none_of(self.n)
        group = _joined("AND", (general.bits, over.bits)) if has_group else None
        wanted, kept_out = _joined("OR", (parts["specific"].bits, group)), parts["excluded"].bits
        if kept_out is None:
            return none_of(self.n) if wanted is None else wanted
        return (all_of(self.n) if wanted is None else wanted) & ~kept_out

    def _figures(
        self, sheet: Sheet, parts: _Parts, retrieved: Bits, placed: list[tuple[ListName, Keyword]]
    ) -> tuple[KeywordFigures, ...]:
        nothing = none_of(self.n)
        known = [self.look_up(keyword) for _, keyword in placed]
        alone = np.stack([nothing if bits is None else bits for bits in known])
        moved = np.stack(self._moved(sheet, parts, retrieved))
        numbers = _Numbers(
            n_alone=counts(alone),
            core_alone=counts(alone & self.stakes.core),
            n_retrieved=counts(moved),
            core_found=counts(moved & self.stakes.core),
            f_betas=self.stakes.f_betas(moved),
            f_beta=self.stakes.f_beta(retrieved),
            **self._brought(parts, retrieved, placed, alone, moved[:, LISTS.index("aside")]),
        )
        return tuple(
            _one(numbers, i, keyword, name, sheet, is_known=known[i] is not None)
            for i, (name, keyword) in enumerate(placed)
        )

    def _moved(self, sheet: Sheet, parts: _Parts, retrieved: Bits) -> list[list[Bits]]:
        """For every keyword, what the string retrieves with it in each of the lists."""
        out: list[list[Bits]] = []
        for name in LISTS:
            sets = [self.look_up(keyword) for keyword in sheet.of(name)]
            rests = all_but_one(_operator(name, sheet.joined), sets)
            for bits, rest in zip(sets, rests, strict=True):
                without = {**parts, name: _Part(rest, len(sets) > 1)}
                out.append([retrieved if to == name else self._with(without, to, bits, sheet.joined) for to in LISTS])
        return out

    def _with(self, parts: _Parts, to: ListName, bits: Bits | None, how: Joined) -> Bits:
        if to == "aside":
            return self._string(parts)
        there = _joined(_operator(to, how), (parts[to].bits, bits))
        return self._string({**parts, to: _Part(there, True)})

    def _brought(
        self, parts: _Parts, retrieved: Bits, placed: list[tuple[ListName, Keyword]], alone: Bits, without: Bits
    ) -> dict[str, Counts]:
        """What each brings, or keeps out, and what of that nothing else does."""
        is_excluded = np.array([name == "excluded" for name, _ in placed])[:, None]
        is_outside = np.array([name == "aside" for name, _ in placed])[:, None]
        wanted = self._string({**parts, "excluded": _Part(None, False)})
        brought = np.where(is_outside, alone, alone & np.where(is_excluded, wanted, retrieved))
        unique = retrieved ^ without
        return {
            "n_brought": counts(brought),
            "core_brought": counts(brought & self.stakes.core),
            "n_unique": counts(unique),
            "core_unique": counts(unique & self.stakes.core),
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class _Numbers:
    """One for each keyword; those of `moved` one for each keyword and list."""

    n_alone: Counts
    core_alone: Counts
    n_brought: Counts
    core_brought: Counts
    n_unique: Counts
    core_unique: Counts
    n_retrieved: Counts
    core_found: Counts
    f_betas: Floats
    f_beta: float | None


def _one(
    numbers: _Numbers, i: int, keyword: Keyword, name: ListName, sheet: Sheet, *, is_known: bool
) -> KeywordFigures:
    effects: dict[ListName, Effect] = {to: _effect(numbers, i, place) for place, to in enumerate(LISTS) if to != name}
    is_idle = name == "aside" or (name == "general" and not sheet.overarching)
    n_unique, n_brought = int(numbers.n_unique[i]), int(numbers.n_brought[i])
    n_read, n_core = (numbers.n_alone[i], numbers.core_alone[i]) if is_idle else (n_brought, numbers.core_brought[i])
    narrows = name == "overarching" and sheet.joined == "AND" and len(sheet.overarching) > 1
    change = None if is_idle else effects["aside"].f_beta_change
    raised: dict[Flag, bool] = {
        "zero_hit": not numbers.n_alone[i],
        "subsumed": not is_idle and bool(numbers.n_alone[i]) and not n_unique,
        "harmful": change is not None and change > NOTHING,
        "single_point_of_failure": name != "excluded" and not narrows and bool(numbers.core_unique[i]),
    }
    return KeywordFigures(
        key=keyword.key,
        list=name,
        n_alone=int(numbers.n_alone[i]),
        core_found=int(numbers.core_alone[i]),
        n_unique=n_unique,
        unique_share=None if is_idle or narrows or not n_brought else n_unique / n_brought,
        read_per_core=read_per_core(n_retrieved=int(n_read), n_found=int(n_core)),
        f_beta_change_if_removed=change,
        flags=tuple(flag for flag, is_raised in raised.items() if is_raised) if is_known else ("not_testable",),
        if_moved=effects,
        core_unique=int(numbers.core_unique[i]),
    )


def _effect(numbers: _Numbers, i: int, place: int) -> Effect:
    score = float(numbers.f_betas[i, place])
    is_defined = not math.isnan(score)
    return Effect(
        n_retrieved=int(numbers.n_retrieved[i, place]),
        n_core_found=int(numbers.core_found[i, place]),
        f_beta=score if is_defined else None,
        f_beta_change=score - numbers.f_beta if is_defined and numbers.f_beta is not None else None,
    )


def _operator(name: ListName, how: Joined) -> Joined:
    return how if name == "overarching" else "OR"


def _joined(operator: Joined, sets: Iterable[Bits | None]) -> Bits | None:
    """Those that can be tested, together."""
    known = [bits for bits in sets if bits is not None]
    if len(known) < 2:
        return known[0] if known else None
    together: Bits = (np.bitwise_and if operator == "AND" else np.bitwise_or).reduce(known)
    return together


def all_but_one(operator: Joined, sets: Sequence[Bits | None]) -> list[Bits | None]:
    """For each set, all the others together; None: none of them is known."""
    before: list[Bits | None] = [None]
    for bits in sets[:-1]:
        before.append(_joined(operator, (before[-1], bits)))
    out: list[Bits | None] = []
    after: Bits | None = None
    for first, bits in zip(reversed(before), reversed(sets), strict=False):
        out.append(_joined(operator, (first, after)))
        after = _joined(operator, (after, bits))
    return out[::-1]
