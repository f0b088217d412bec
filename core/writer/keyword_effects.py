"""Effects of each keyword of a sheet, and of adding, removing, or moving one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from operator import itemgetter
from typing import Literal

import numpy as np

from core.metrics import read_per_core
from core.query.contributions import Counts, Flag, Stakes, counts
from core.query.match import Bits, Corpus, Semantics, all_of, count, none_of
from core.query.tree import Term
from core.text import listed
from core.types import Floats
from core.writer.gains import standing
from core.writer.sheet_search import KeywordLookup, best_sheet, prices, supported, to_search_by, topic_words, worths
from core.writer.sheets import (
    IN_STRING,
    LISTS,
    Brief,
    CoreScores,
    Joined,
    Keyword,
    ListName,
    Sheet,
    WriterBudget,
    term_of,
)


@dataclass(frozen=True, slots=True)
class KeywordEffect:
    n_retrieved: int
    n_core_found: int
    f_beta: float | None
    """None: it would retrieve nothing that can be scored."""
    f_beta_change: float | None
    """The change from the current string; None: one of the two has no F-beta."""


@dataclass(frozen=True, eq=False)
class KeywordFigures:
    key: str
    list: ListName
    n_alone: int
    """Publications that it matches by itself."""
    core_found: int
    """Core publications among them."""
    n_unique: int
    """Publications lost without it; for a keyword that narrows (excluded, or one of several overarching ones joined by
    AND), publications gained."""
    unique_share: float | None
    """`n_unique` as a share of the publications that it contributes or excludes; None: it contributes nothing, or is
    one of several overarching ones joined by AND."""
    read_per_core: float | None
    """Publications to read per core publication among those that it contributes, or matches if it contributes nothing
    yet; None: no core publication is among them."""
    f_beta_change_if_removed: float | None
    """Its price. None: it is not in the string, or nothing would be left to score."""
    flags: tuple[Flag, ...]
    """As for the terms of a query. subsumed: removing it changes nothing."""
    if_moved: Mapping[ListName, KeywordEffect]
    """The effect for every other list; aside: without it."""
    core_unique: int = 0
    """Core publications among `n_unique`."""


@dataclass(frozen=True, eq=False)
class SheetEvaluation:
    retrieved: Bits
    figures: tuple[KeywordFigures, ...]
    """List by list, in their order."""
    n_retrieved: int
    standing: CoreScores
    waiting: tuple[str, ...]
    """Keys of general keywords that wait for an overarching one."""


@dataclass(frozen=True, eq=False)
class _Part:
    bits: Bits | None
    """None: nothing in it can be tested here."""
    is_there: bool
    """It has keywords."""


_Parts = Mapping[ListName, _Part]


class SheetEvaluator:
    """The evaluation of sheets over one corpus, against some core publications; each keyword is looked up once."""

    def __init__(self, corpus: Corpus, semantics: Semantics, stakes: Stakes) -> None:
        self.corpus = corpus
        self.semantics = semantics
        self.stakes = stakes
        self.n = len(corpus.ids)
        self._known: dict[Term, Bits | None] = {}

    def look_up(self, keyword: Keyword) -> Bits | None:
        """Return the publications that a keyword matches by itself; None if it can't be tested here."""
        term = term_of(keyword)
        if term not in self._known:
            self._known[term] = self.corpus.look_up(term, self.semantics)
        return self._known[term]

    def retrieved(self, sheet: Sheet) -> Bits:
        """Return the publications that the string of a sheet retrieves, the same as in a run."""
        return self._string(self._parts(sheet))

    def seen(self, sheet: Sheet) -> SheetEvaluation:
        parts = self._parts(sheet)
        retrieved = self._string(parts)
        placed = [(name, keyword) for name in LISTS for keyword in sheet.of(name)]
        waits = bool(sheet.general) and not sheet.overarching
        return SheetEvaluation(
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
        """Combine the lists as `match` does: untestable parts are ignored as if they were absent."""
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
    effects: dict[ListName, KeywordEffect] = {
        to: _effect(numbers, i, place) for place, to in enumerate(LISTS) if to != name
    }
    is_idle = name == "aside" or (name == "general" and not sheet.overarching)
    n_unique, n_brought = int(numbers.n_unique[i]), int(numbers.n_brought[i])
    n_read, n_core = (numbers.n_alone[i], numbers.core_alone[i]) if is_idle else (n_brought, numbers.core_brought[i])
    narrows = name == "overarching" and sheet.joined == "AND" and len(sheet.overarching) > 1
    change = None if is_idle else effects["aside"].f_beta_change
    raised: dict[Flag, bool] = {
        "zero_hit": not numbers.n_alone[i],
        "subsumed": not is_idle and bool(numbers.n_alone[i]) and not n_unique,
        "harmful": change is not None and change > LEAST,
        "single_point_of_failure": name != "excluded" and not narrows and bool(numbers.core_unique[i]),
    }
    return KeywordFigures(
        key=keyword.key,
        list=name,
        n_alone=int(numbers.n_alone[i]),
        core_found=int(numbers.core_alone[i]),
        n_unique=n_unique,
        # Without it, a part that can't be tested here would apply, so more may change than it contributes.
        unique_share=None if is_idle or narrows or n_unique > n_brought or not n_brought else n_unique / n_brought,
        read_per_core=read_per_core(n_retrieved=int(n_read), n_found=int(n_core)),
        f_beta_change_if_removed=change,
        flags=tuple(flag for flag, is_raised in raised.items() if is_raised) if is_known else ("not_testable",),
        if_moved=effects,
        core_unique=int(numbers.core_unique[i]),
    )


def _effect(numbers: _Numbers, i: int, place: int) -> KeywordEffect:
    score = float(numbers.f_betas[i, place])
    is_defined = not math.isnan(score)
    return KeywordEffect(
        n_retrieved=int(numbers.n_retrieved[i, place]),
        n_core_found=int(numbers.core_found[i, place]),
        f_beta=score if is_defined else None,
        f_beta_change=score - numbers.f_beta if is_defined and numbers.f_beta is not None else None,
    )


def _operator(name: ListName, how: Joined) -> Joined:
    return how if name == "overarching" else "OR"


def _joined(operator: Joined, sets: Iterable[Bits | None]) -> Bits | None:
    known = [bits for bits in sets if bits is not None]
    if len(known) < 2:
        return known[0] if known else None
    together: Bits = (np.bitwise_and if operator == "AND" else np.bitwise_or).reduce(known)
    return together


def all_but_one(operator: Joined, sets: Sequence[Bits | None]) -> list[Bits | None]:
    """Combine, for each set, all the others; None: none of them is known."""
    before: list[Bits | None] = [None]
    for bits in sets[:-1]:
        before.append(_joined(operator, (before[-1], bits)))
    out: list[Bits | None] = []
    after: Bits | None = None
    for first, bits in zip(reversed(before), reversed(sets), strict=False):
        out.append(_joined(operator, (first, after)))
        after = _joined(operator, (after, bits))
    return out[::-1]


# A sheet without keywords that harm the string.


def without_harmful(sheet: Sheet, board: SheetEvaluator, budget: WriterBudget) -> Sheet:
    """Set aside keywords that harm the string, the most harmful first, until none is flagged.

    Excluded keywords stay, as the brief requires them, and so does a keyword that the budget needs: without it, recall
    would fall below its minimum, or the string would be larger than allowed.
    """
    pruned = sheet
    while (key := _most_harmful(pruned, board, budget)) is not None:
        pruned = pruned.moved(key, "aside")
    if pruned != sheet and not (pruned.general and pruned.overarching):
        for keyword in (*pruned.general, *pruned.overarching):  # neither is in the string without the other
            pruned = pruned.moved(keyword.key, "aside")
    return pruned


def _most_harmful(sheet: Sheet, board: SheetEvaluator, budget: WriterBudget) -> str | None:
    seen = board.seen(sheet)
    marked = [
        (-figures.f_beta_change_if_removed, figures.key)
        for figures in seen.figures
        if "harmful" in figures.flags
        and figures.list != "excluded"
        and figures.f_beta_change_if_removed is not None
        and _stays_within(figures.if_moved["aside"], seen, board, budget)
    ]
    return min(marked)[1] if marked else None


def _stays_within(after: KeywordEffect, before: SheetEvaluation, board: SheetEvaluator, budget: WriterBudget) -> bool:
    floor = min(budget.min_recall * board.stakes.n_core - 1e-9, before.standing.n_found)
    most = math.inf if budget.most_publications is None else max(budget.most_publications, before.n_retrieved)
    return after.n_core_found >= floor and after.n_retrieved <= most


# Single changes of a sheet: possible additions, removals and moves, and the effect of each on the string.

LEAST = 0.005
"""The minimum rise of F-beta for a change of one keyword: a smaller rise is more likely overfitting."""
MOST_NAMED = 3
ChangeKind = Literal["add", "remove", "move"]
Lists = tuple[Literal["specific"], Literal["general"]]
_OPEN: Lists = ("specific", "general")
"""The lists that a keyword can be added to."""


@dataclass(frozen=True, slots=True)
class KeywordSuggestion:
    keyword: Keyword
    reason: str
    """One sentence."""
    model: str = ""
    """The model that suggested it; empty: counted in the corpus."""


@dataclass(frozen=True, slots=True)
class SheetChange:
    kind: ChangeKind
    keyword: Keyword
    to: ListName
    """A removed keyword goes aside, and can be restored from there."""
    reason: str = ""
    model: str = ""

    @property
    def phrase(self) -> str:
        """Describe the change as the origin of a step.

        >>> SheetChange("add", Keyword("street tree*"), "general").phrase
        'adding street tree* to general'
        """
        if self.kind == "remove":
            return f"removing {self.keyword.text}"
        return f"{'adding' if self.kind == 'add' else 'moving'} {self.keyword.text} to {self.to}"

    def applied(self, sheet: Sheet) -> Sheet | None:
        """Return the sheet after the change; None: nothing is left to change."""
        key, here = self.keyword.key, sheet.list_of(self.keyword.key)
        if here == self.to or (here is None and self.kind != "add"):
            return None
        return sheet.added(self.keyword, self.to) if here is None else sheet.moved(key, self.to)


@dataclass(frozen=True, slots=True)
class PricedChange:
    change: SheetChange
    sheet: Sheet
    """After the change."""
    f_beta_change: float
    is_better: bool
    """True if it raises F-beta, stays within the budget, and is worth its keyword."""


def possible(
    sheet: Sheet, additions: Iterable[KeywordSuggestion], removals: Iterable[KeywordSuggestion] = ()
) -> tuple[SheetChange, ...]:
    """List all single changes: additions, restored keywords, removals, and moves between the two lists.

    `removals`: removals with a given reason; every other keyword of the string can be removed too.
    """
    why = {wish.keyword.key: wish for wish in removals}
    found: dict[tuple[str, ListName], SheetChange] = {}
    for change in (*_added(sheet, additions), *_removed(sheet, why), *_moved(sheet)):
        found.setdefault((change.keyword.key, change.to), change)
    return tuple(found.values())


def _added(sheet: Sheet, additions: Iterable[KeywordSuggestion]) -> Iterator[SheetChange]:
    aside = [KeywordSuggestion(keyword, "It was proposed before and set aside.") for keyword in sheet.aside]
    lists = _OPEN if sheet.overarching else _OPEN[:1]
    for wish in (*additions, *aside):
        if sheet.list_of(wish.keyword.key) in (None, "aside"):
            for to in lists:
                yield SheetChange("add", wish.keyword, to, wish.reason, wish.model)


def _removed(sheet: Sheet, why: dict[str, KeywordSuggestion]) -> Iterator[SheetChange]:
    over = sheet.overarching if len(sheet.overarching) > 1 else ()
    for keyword in (*sheet.specific, *sheet.general, *over):
        wish = why.get(keyword.key)
        reason = wish.reason if wish else "The string scores higher without it."
        yield SheetChange("remove", keyword, "aside", reason, wish.model if wish else "")


def _moved(sheet: Sheet) -> Iterator[SheetChange]:
    if sheet.overarching:
        yield from (
            SheetChange("move", k, "general", "Only together with overarching keywords.") for k in sheet.specific
        )
    yield from (SheetChange("move", k, "specific", "It retrieves enough by itself.") for k in sheet.general)


@dataclass(frozen=True, eq=False)
class SheetCriteria:
    """The criteria that strings are weighed by: core publications in use, budget, and the topic's words."""

    look_up: KeywordLookup
    stakes: Stakes
    """Of the core publications in use only."""
    budget: WriterBudget
    brief: Brief

    def weighed(self, sheets: Sequence[Sheet]) -> tuple[Weight, ...]:
        by = to_search_by(self.stakes) or self.stakes
        topic = topic_words(self.brief.topic)
        stack = np.stack([self.look_up.retrieved(sheet) for sheet in sheets])
        f_betas = np.nan_to_num(self.stakes.f_betas(stack)).tolist()
        worth = worths(by, stack) - np.array([_price_of(sheet, topic) for sheet in sheets])
        missing, too_many = self.stakes.beyond_limits(
            stack, min_recall=self.budget.min_recall, most=self.budget.most_publications
        )
        is_empty = [not bits.any() for bits in stack]
        columns = zip(is_empty, missing, too_many, worth.tolist(), f_betas, strict=True)
        return tuple(starmap(Weight, columns))


@dataclass(frozen=True, slots=True)
class Weight:
    is_empty: bool
    """It retrieves nothing, which no size limit requires."""
    missing: float
    """The shortfall of recall from its minimum."""
    too_many: float
    """Publications beyond the limit."""
    worth: float
    """As in the search: F-beta with a recall that leans on the region, less the price of its keywords."""
    f_beta: float
    """0 if undefined."""

    def is_better_than(self, other: Weight, *, least: float = LEAST) -> bool:
        """Return True if a change to this weight is made: F-beta rises and is worth it, or the budget is closer."""
        if self.is_empty:
            return False
        beyond, before = (self.missing, self.too_many), (other.missing, other.too_many)
        rises = self.f_beta >= other.f_beta + least and self.worth > other.worth
        return beyond < before or (beyond == before and rises)


def priced(changes: Sequence[SheetChange], sheet: Sheet, scale: SheetCriteria) -> tuple[PricedChange, ...]:
    """Rank changes by their effect, best first.

    A keyword supported by only one core publication is not added (`core.writer.sheet_search`).
    """
    after = [(change, new) for change in changes if (new := change.applied(sheet)) is not None]
    if not after:
        return ()
    now, *then = scale.weighed([sheet, *(new for _, new in after)])
    by = to_search_by(scale.stakes) or scale.stakes
    has_support = supported(by, np.stack([scale.look_up(change.keyword) for change, _ in after])).tolist()
    found = []
    for place, ((change, new), weight, may) in enumerate(zip(after, then, has_support, strict=True)):
        is_better = weight.is_better_than(now) and (may or change.kind != "add")
        order = (not is_better, weight.missing, weight.too_many, -weight.worth, place)
        found.append((order, PricedChange(change, new, weight.f_beta - now.f_beta, is_better)))
    return tuple(each for _, each in sorted(found, key=itemgetter(0)))


def exchanged(sheet: Sheet, additions: Iterable[KeywordSuggestion], scale: SheetCriteria) -> PricedChange | None:
    """Make several changes at once if no single one helps: find the best string of all these keywords.

    None: nothing to change. `change` is the first of several changes, see `differences`.
    """
    offered = sheet
    for wish in additions:
        if offered.list_of(wish.keyword.key) is None:
            offered = offered.added(wish.keyword, "aside")
    found = best_sheet(offered, scale.look_up, scale.stakes, budget=scale.budget, brief=scale.brief).sheet
    new = _without_untried(found, sheet)
    changes = differences(sheet, new)
    if not changes:
        return None
    now, then = scale.weighed([sheet, new])
    n_new = sum(change.kind != "remove" for change in changes)
    is_better = then.is_better_than(now, least=LEAST * max(n_new, 1))
    return PricedChange(changes[0], new, then.f_beta - now.f_beta, is_better)


def _price_of(sheet: Sheet, topic: Sequence[str]) -> float:
    return sum(prices(keyword, topic).of(name) for name in IN_STRING for keyword in sheet.of(name))


def _without_untried(found: Sheet, before: Sheet) -> Sheet:
    for keyword in found.aside:
        if before.list_of(keyword.key) is None:
            found = found.without(keyword.key)
    return found


def differences(before: Sheet, after: Sheet) -> tuple[SheetChange, ...]:
    """List the changes from one sheet to another: additions, then moves, then removals."""
    found = []
    for name in IN_STRING:
        for keyword in after.of(name):
            here = before.list_of(keyword.key)
            if here != name:
                found.append(SheetChange("add" if here in (None, "aside") else "move", keyword, name))
    for name in IN_STRING:
        for keyword in before.of(name):
            if after.list_of(keyword.key) in (None, "aside"):
                found.append(SheetChange("remove", keyword, "aside"))
    order = ("add", "move", "remove")
    return tuple(sorted(found, key=lambda change: order.index(change.kind)))


def phrase_of(changes: Sequence[SheetChange], *, most: int | None = MOST_NAMED) -> str:
    """Summarise changes in a phrase. `most`: the number of keywords shown per kind; None: all.

    >>> phrase_of([SheetChange("add", Keyword("canopy"), "specific"), SheetChange("remove", Keyword("trees"), "aside")])
    'adding canopy, removing trees'
    """
    parts = []
    for kind, verb in (("add", "adding"), ("move", "moving"), ("remove", "removing")):
        names = [change.keyword.text for change in changes if change.kind == kind]
        if names:
            parts.append(f"{verb} {listed(names, most)}")
    return ", ".join(parts)
