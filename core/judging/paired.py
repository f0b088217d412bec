"""Two sets of queries that were written to the same settings, one for one: what differs is only what they are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.judging.sampling import dimensions_of, value_of
from core.ranking.types import Query
from core.types import Ids

SHOWN = 3


@dataclass(frozen=True, slots=True)
class Difference:
    """A dimension in which two queries that belong together are not alike."""

    key: str
    dimension: str
    first: str
    """Empty: nothing is said."""
    second: str

    def __str__(self) -> str:
        """As a person reads it.

        >>> str(Difference("query_7", "length", "Few words", ""))
        'query_7: length is “Few words” in one and not said in the other'
        """
        first, second = (f"“{value}”" if value else "not said" for value in (self.first, self.second))
        return f"{self.key}: {self.dimension} is {first} in one and {second} in the other"


def _pairs(n: int) -> str:
    return "1 pair" if n == 1 else f"{n:,} pairs"


@dataclass(frozen=True, slots=True)
class PairedSets:
    """Which query of one set belongs to which of the other."""

    pairs: tuple[tuple[Query, Query], ...]
    """In the order of the first set."""
    keys: Ids
    """What each pair has in common: its id, without what all ids of a set begin with."""
    only_first: Ids
    """Ids of the first set that nothing in the second belongs to."""
    only_second: Ids
    differences: tuple[Difference, ...]
    """Where two that belong together were not written to the same settings."""
    dimensions: Ids
    """What is said of the queries of either set."""

    @property
    def is_paired(self) -> bool:
        """Whether every query has its partner, and all settings are the same key by key."""
        return bool(self.pairs and self.dimensions) and not (self.only_first or self.only_second or self.differences)

    @property
    def alike(self) -> tuple[tuple[Query, Query], ...]:
        """Pairs with the same settings: those that can be compared."""
        odd = {difference.key for difference in self.differences}
        return tuple(pair for key, pair in zip(self.keys, self.pairs, strict=True) if key not in odd)

    @property
    def sentence(self) -> str:
        """What it is worth, in a sentence."""
        if not self.pairs:
            return "No query of one set has the id of a query of the other: they can't be compared in pairs."
        if self.is_paired:
            return f"{_pairs(len(self.pairs))} of queries with the same settings key by key: a paired design."
        if not self.dimensions:
            return f"{_pairs(len(self.pairs))} by their ids; nothing is said of the queries that could be compared."
        parts = []
        if n := len(self.only_first) + len(self.only_second):
            parts.append(f"{n:,} without a partner are left out")
        if self.differences:
            n_odd = len(self.pairs) - len(self.alike)
            some = "; ".join(map(str, self.differences[:SHOWN]))
            parts.append(f"{n_odd:,} with other settings are left out ({some})")
        return f"{_pairs(len(self.alike))} of queries with the same settings; {', and '.join(parts)}."


def paired(first: Sequence[Query], second: Sequence[Query]) -> PairedSets:
    """Pair two sets by their ids, and see whether their settings are the same key by key.

    Where the ids of a set all begin alike up to a slash, as in a collection of several files, that is left out.
    """
    of_first, of_second = _by_key(first), _by_key(second)
    keys = tuple(key for key in of_first if key in of_second)
    dimensions = dict.fromkeys((*dimensions_of(first), *dimensions_of(second)))
    differences = [
        Difference(key, dimension, a, b)
        for key in keys
        for dimension in dimensions
        if (a := value_of(of_first[key], dimension)) != (b := value_of(of_second[key], dimension))
    ]
    return PairedSets(
        tuple((of_first[key], of_second[key]) for key in keys),
        keys,
        tuple(query.query_id for key, query in of_first.items() if key not in of_second),
        tuple(query.query_id for key, query in of_second.items() if key not in of_first),
        tuple(differences),
        tuple(dimensions),
    )


def _by_key(queries: Sequence[Query]) -> Mapping[str, Query]:
    ids = [query.query_id for query in queries]
    lowest, highest = (min(ids), max(ids)) if ids else ("", "")
    n_alike = next((n for n, (a, b) in enumerate(zip(lowest, highest, strict=False)) if a != b), len(lowest))
    begins = lowest[: lowest.rfind("/", 0, n_alike) + 1]
    found = {query.query_id.removeprefix(begins): query for query in queries}
    if len(found) != len(queries):
        raise InputError("two queries of a set have the same id: they can't be paired")
    return found
