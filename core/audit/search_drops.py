"""Searches that can be dropped: what each costs to read, and what would be lost without it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.text import listed, many
from core.types import Ids

MOST_EXACT = 12
"""Searches up to which all subsets are compared; the smallest set for more is found greedily."""


@dataclass(frozen=True, slots=True)
class DropPrice:
    """The effect of dropping some searches."""

    search_ids: Ids
    n_saved: int
    """Publications fewer to screen: those that no search left has."""
    lost_core: Ids
    lost_included: Ids

    @property
    def loses_nothing(self) -> bool:
        return not (self.lost_core or self.lost_included)


def drop_price(
    found: Mapping[str, Collection[str]],
    dropped: Collection[str],
    core_ids: Collection[str],
    included_ids: Collection[str] = (),
) -> DropPrice:
    """Return the effect of dropping these searches. `found`: the publications of each search by its id.

    >>> drop_price({"a": ["1", "2"], "b": ["2", "3"]}, ["b"], core_ids=["3"])
    DropPrice(search_ids=('b',), n_saved=1, lost_core=('3',), lost_included=())
    """
    left = {i for search_id, ids in found.items() if search_id not in dropped for i in ids}
    saved = {i for search_id in dropped for i in found[search_id]} - left
    return DropPrice(
        tuple(search_id for search_id in found if search_id in dropped),
        len(saved),
        tuple(i for i in dict.fromkeys(core_ids) if i in saved),
        tuple(i for i in dict.fromkeys(included_ids) if i in saved),
    )


def smallest_set(found: Mapping[str, Collection[str]], wanted: Collection[str]) -> Ids:
    """Return the smallest set of searches that has every wanted publication that any search has.

    Of several smallest sets, the one with the fewest publications to screen. Exact for up to 12 searches.

    >>> smallest_set({"a": ["1", "2"], "b": ["2", "3", "4"], "c": ["1", "3"]}, ["1", "3"])
    ('c',)
    """
    sets = {search_id: frozenset(ids) for search_id, ids in found.items()}
    reachable = frozenset(wanted) & _union(sets, tuple(sets))
    has = {search_id: ids & reachable for search_id, ids in sets.items()}
    kept = _exact(sets, has, reachable) if len(sets) <= MOST_EXACT else _greedy(sets, has, reachable)
    return tuple(search_id for search_id in found if search_id in kept)


_Sets = Mapping[str, frozenset[str]]


def _exact(sets: _Sets, has: _Sets, reachable: frozenset[str]) -> Collection[str]:
    useful = [search_id for search_id in sets if has[search_id]]
    for n in range(len(useful) + 1):
        covering = [some for some in combinations(useful, n) if _union(has, some) == reachable]
        if covering:
            return min(covering, key=lambda some: len(_union(sets, some)))
    return useful


def _greedy(sets: _Sets, has: _Sets, reachable: frozenset[str]) -> Collection[str]:
    """Add the search with the most that is missing, until nothing is; then drop what the others have too."""
    kept: list[str] = []
    missing = set(reachable)
    while missing:
        best = max(sets, key=lambda search_id: (len(has[search_id] & missing), -len(sets[search_id])))
        kept.append(best)
        missing -= has[best]
    for search_id in sorted(kept, key=lambda i: -len(sets[i])):
        others = [other for other in kept if other != search_id]
        if _union(has, others) == reachable:
            kept = others
    return kept


def _union(sets: _Sets, names: Sequence[str]) -> frozenset[str]:
    return frozenset(i for name in names for i in sets[name])


def suggested_drop(
    found: Mapping[str, Collection[str]], core_ids: Collection[str], included_ids: Collection[str] = ()
) -> DropPrice | None:
    """Return the most searches that can be dropped without losing a core or included publication.

    None: every search is needed, or nothing is known to be relevant, so that nothing could be lost.
    """
    wanted = {*core_ids, *included_ids}
    kept = smallest_set(found, wanted)
    if not kept or len(kept) == len(found):
        return None
    return drop_price(found, [search_id for search_id in found if search_id not in kept], core_ids, included_ids)


def drop_sentence(price: DropPrice, names: Mapping[str, str], *, has_core: bool, has_included: bool) -> str:
    """Return the effect in one sentence.

    >>> price = DropPrice(("a", "b"), 430, (), ())
    >>> drop_sentence(price, {"a": "EconLit", "b": "GreenFILE"}, has_core=True, has_included=False)
    'Without EconLit and GreenFILE: 430 publications fewer to screen, no core lost.'
    """
    lost = [f"{len(price.lost_core) or 'no'} core lost"] if has_core else []
    lost += [f"{len(price.lost_included) or 'no'} included lost"] if has_included else []
    if has_core and has_included and price.loses_nothing:
        lost = ["no core and no included publication lost"]
    parts = [f"{many(price.n_saved, 'publication')} fewer to screen", *lost]
    return f"Without {listed([names[i] for i in price.search_ids])}: {', '.join(parts)}."
