"""Single changes of a sheet: what could be added, removed or moved, and what each would do for the string."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import starmap
from operator import itemgetter
from typing import Literal

import numpy as np

from core.query.weighing.stakes import Stakes, counts
from core.text import listed
from core.writer.looking import LookUp
from core.writer.searching import best_sheet
from core.writer.types import IN_STRING, Brief, Budget, Keyword, ListName, Sheet
from core.writer.worth import prices, supported, to_search_by, topic_words, worths

LEAST = 0.005
"""What F-beta has to rise for a change of one keyword: what rises by less is more likely fitted than better."""
MOST_NAMED = 3
ChangeKind = Literal["add", "remove", "move"]
Lists = tuple[Literal["specific"], Literal["general"]]
_OPEN: Lists = ("specific", "general")
"""Where a keyword may be added."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A keyword that somebody would add or remove."""

    keyword: Keyword
    reason: str
    """One sentence."""
    model: str = ""
    """Who said so; empty: counted in the corpus."""


@dataclass(frozen=True, slots=True)
class Change:
    """One keyword that goes to another list."""

    kind: ChangeKind
    keyword: Keyword
    to: ListName
    """A keyword that is removed goes aside, from where it can be taken back."""
    reason: str = ""
    model: str = ""

    @property
    def phrase(self) -> str:
        """Who made a step that was made by it.

        >>> Change("add", Keyword("street tree*"), "general").phrase
        'adding street tree* to general'
        """
        if self.kind == "remove":
            return f"removing {self.keyword.text}"
        return f"{'adding' if self.kind == 'add' else 'moving'} {self.keyword.text} to {self.to}"

    def applied(self, sheet: Sheet) -> Sheet | None:
        """The sheet after it; None: there is nothing to change any more."""
        key, here = self.keyword.key, sheet.list_of(self.keyword.key)
        if here == self.to or (here is None and self.kind != "add"):
            return None
        return sheet.added(self.keyword, self.to) if here is None else sheet.moved(key, self.to)


@dataclass(frozen=True, slots=True)
class Priced:
    """A change with what it would do on the core publications in use."""

    change: Change
    sheet: Sheet
    """After it."""
    f_beta_change: float
    is_better: bool
    """Whether it raises F-beta, keeps to the budget, and is worth its keyword."""


def possible(sheet: Sheet, additions: Iterable[Wish], removals: Iterable[Wish] = ()) -> tuple[Change, ...]:
    """Every single change: additions, what stands aside taken back, removals, and moves between the two lists.

    `removals`: with a reason of somebody's; every other keyword of the string may be removed too.
    """
    why = {wish.keyword.key: wish for wish in removals}
    found: dict[tuple[str, ListName], Change] = {}
    for change in (*_added(sheet, additions), *_removed(sheet, why), *_moved(sheet)):
        found.setdefault((change.keyword.key, change.to), change)
    return tuple(found.values())


def _added(sheet: Sheet, additions: Iterable[Wish]) -> Iterator[Change]:
    aside = [Wish(keyword, "It was proposed before and stood aside.") for keyword in sheet.aside]
    lists = _OPEN if sheet.overarching else _OPEN[:1]
    for wish in (*additions, *aside):
        if sheet.list_of(wish.keyword.key) in (None, "aside"):
            for to in lists:
                yield Change("add", wish.keyword, to, wish.reason, wish.model)


def _removed(sheet: Sheet, why: dict[str, Wish]) -> Iterator[Change]:
    over = sheet.overarching if len(sheet.overarching) > 1 else ()
    for keyword in (*sheet.specific, *sheet.general, *over):
        wish = why.get(keyword.key)
        reason = wish.reason if wish else "The string does better without it."
        yield Change("remove", keyword, "aside", reason, wish.model if wish else "")


def _moved(sheet: Sheet) -> Iterator[Change]:
    if sheet.overarching:
        yield from (Change("move", k, "general", "Only together with what is overarching.") for k in sheet.specific)
    yield from (Change("move", k, "specific", "It retrieves enough by itself.") for k in sheet.general)


@dataclass(frozen=True, eq=False)
class Scale:
    """What strings are weighed by: the core publications in use, what the budget asks for, and the topic's words."""

    look_up: LookUp
    stakes: Stakes
    """Of the core publications in use, and of no others."""
    budget: Budget
    brief: Brief

    def weighed(self, sheets: Sequence[Sheet]) -> tuple[Weight, ...]:
        """Each sheet's string."""
        by = to_search_by(self.stakes) or self.stakes
        topic = topic_words(self.brief.topic)
        stack = np.stack([self.look_up.retrieved(sheet) for sheet in sheets])
        f_betas = np.nan_to_num(self.stakes.f_betas(stack)).tolist()
        worth = worths(by, stack) - np.array([_price_of(sheet, topic) for sheet in sheets])
        found = counts(stack & self.stakes.core) / max(self.stakes.n_core, 1)
        missing = np.maximum(self.budget.min_recall - found, 0.0).round(12).tolist()
        most = np.inf if self.budget.most_publications is None else self.budget.most_publications
        too_many = np.maximum(counts(stack) - most, 0.0).tolist()
        is_empty = [not bits.any() for bits in stack]
        columns = zip(is_empty, missing, too_many, worth.tolist(), f_betas, strict=True)
        return tuple(starmap(Weight, columns))


@dataclass(frozen=True, slots=True)
class Weight:
    """How one string stands to others."""

    is_empty: bool
    """It retrieves nothing, which no limit of size asks for."""
    missing: float
    """Recall below the floor."""
    too_many: float
    """Publications beyond the limit."""
    worth: float
    """As the search takes it: a recall that leans on the region, less what its keywords have to bring."""
    f_beta: float
    """0 where it is undefined."""

    def is_better_than(self, other: Weight, *, least: float = LEAST) -> bool:
        """Whether a change to it is made: it raises F-beta and is worth its keywords, or is nearer to the budget."""
        if self.is_empty:
            return False
        beyond, before = (self.missing, self.too_many), (other.missing, other.too_many)
        rises = self.f_beta >= other.f_beta + least and self.worth > other.worth
        return beyond < before or (beyond == before and rises)


def priced(changes: Sequence[Change], sheet: Sheet, scale: Scale) -> tuple[Priced, ...]:
    """What each change would do, the best first.

    A keyword that has but one core publication behind it is not added (`core.writer.worth`).
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
        found.append((order, Priced(change, new, weight.f_beta - now.f_beta, is_better)))
    return tuple(each for _, each in sorted(found, key=itemgetter(0)))


def exchanged(sheet: Sheet, additions: Iterable[Wish], scale: Scale) -> Priced | None:
    """Several changes at once, where no single one helps: the best string of all these keywords.

    None: there is nothing to change. The `change` is the first of several, see `differences`.
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
    return Priced(changes[0], new, then.f_beta - now.f_beta, is_better)


def _price_of(sheet: Sheet, topic: Sequence[str]) -> float:
    return sum(prices(keyword, topic).of(name) for name in IN_STRING for keyword in sheet.of(name))


def _without_untried(found: Sheet, before: Sheet) -> Sheet:
    """What was only offered, and not taken, stands nowhere: a sheet holds what somebody proposed for it."""
    for keyword in found.aside:
        if before.list_of(keyword.key) is None:
            found = found.without(keyword.key)
    return found


def differences(before: Sheet, after: Sheet) -> tuple[Change, ...]:
    """The changes that lead from one sheet to the other: added first, then moved, then removed."""
    found = []
    for name in IN_STRING:
        for keyword in after.of(name):
            here = before.list_of(keyword.key)
            if here != name:
                found.append(Change("add" if here in (None, "aside") else "move", keyword, name))
    for name in IN_STRING:
        for keyword in before.of(name):
            if after.list_of(keyword.key) in (None, "aside"):
                found.append(Change("remove", keyword, "aside"))
    order = ("add", "move", "remove")
    return tuple(sorted(found, key=lambda change: order.index(change.kind)))


def phrase_of(changes: Sequence[Change], *, most: int | None = MOST_NAMED) -> str:
    """Several changes in a phrase. `most`: of each kind that are named; None: all.

    >>> phrase_of([Change("add", Keyword("canopy"), "specific"), Change("remove", Keyword("trees"), "aside")])
    'adding canopy, removing trees'
    """
    said = []
    for kind, verb in (("add", "adding"), ("move", "moving"), ("remove", "removing")):
        names = [change.keyword.text for change in changes if change.kind == kind]
        if names:
            shown = names[:most]
            more = [f"{len(names) - len(shown)} more"] if len(names) > len(shown) else []
            said.append(f"{verb} {listed([*shown, *more])}")
    return ", ".join(said)
