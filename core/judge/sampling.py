"""Draw representative samples of queries, and pair two query sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from math import exp, lgamma

from core.collections import Query
from core.errors import InputError, NotFoundError
from core.text import many
from core.types import Ids

# Samples of queries that represent the whole, and the kinds of queries.
#
# Files of queries are often sorted by kind, so their first n queries are not a sample.

MOST_VALUES = 20
"""A dimension with more values is excluded, because it has too many combinations to review."""
HARDLY = 0.01
"""Combinations less probable than this are unlikely to be missing by chance."""


def dimensions_of(queries: Sequence[Query]) -> Ids:
    return tuple(dict.fromkeys(name for query in queries for name, _ in query.labels))


def value_of(query: Query, dimension: str) -> str:
    """Return a query's value of a dimension; empty if it has none, and several values joined by "and".

    >>> value_of(Query("q1", "tin", (("length", "Few words"),)), "length")
    'Few words'
    """
    return " and ".join(dict.fromkeys(value for name, value in query.labels if name == dimension))


def dimension_counts(queries: Sequence[Query]) -> dict[str, dict[str, int]]:
    """Count the queries with each value of each dimension, most frequent first; queries without one are ignored.

    >>> dimension_counts([Query("q1", "tin", (("length", "Few words"),)), Query("q2", "salt")])
    {'length': {'Few words': 1}}
    """
    found = {}
    for dimension in dimensions_of(queries):
        counts = Counter(value for query in queries if (value := value_of(query, dimension)))
        found[dimension] = dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))
    return found


@dataclass(frozen=True, slots=True)
class Combination:
    first: tuple[str, str]
    """Dimension and value."""
    second: tuple[str, str]
    expected: float
    """Expected number of queries with both values if the dimensions were independent."""
    chance: float
    """Probability that no query has both values if they are assigned at random."""

    @property
    def is_telling(self) -> bool:
        """True if chance is an unlikely explanation: the combination was probably left out."""
        return self.chance < HARDLY

    def __str__(self) -> str:
        """Return the combination as readable text.

        >>> str(Combination(("length", "Few words"), ("type", "How To"), 2.5, 0.08))
        'length “Few words” with type “How To”'
        """
        return f"{self.first[0]} “{self.first[1]}” with {self.second[0]} “{self.second[1]}”"


def missing_combinations(queries: Sequence[Query]) -> tuple[Combination, ...]:
    """Return every two values of two dimensions that occur, but never in the same query.

    The one least likely by chance comes first. Dimensions with many values are left out, because most of their
    combinations are missing for that reason alone.
    """
    counts = {name: values for name, values in dimension_counts(queries).items() if len(values) <= MOST_VALUES}
    found = []
    for first, second in combinations(counts, 2):
        together = {(value_of(query, first), value_of(query, second)) for query in queries}
        for a, n_a in counts[first].items():
            for b, n_b in counts[second].items():
                if (a, b) not in together:
                    chance = _none_of_both(n_a, n_b, len(queries))
                    found.append(Combination((first, a), (second, b), n_a * n_b / len(queries), chance))
    return tuple(sorted(found, key=lambda each: (each.chance, each.first, each.second)))


def _none_of_both(n_a: int, n_b: int, n: int) -> float:
    """Return the hypergeometric probability that n_b draws of n contain none of n_a.

    >>> round(_none_of_both(1, 2, 4), 3)
    0.5
    """
    if n_a + n_b > n:
        return 0.0
    return exp(lgamma(n - n_a + 1) - lgamma(n - n_a - n_b + 1) - lgamma(n + 1) + lgamma(n - n_b + 1))


def sample_queries(
    queries: Sequence[Query], n: int, *, by: str | Sequence[str] | None = None, seed: int = 0
) -> tuple[Query, ...]:
    """Return n queries in their original order, with every kind in proportion. The same seed gives the same sample.

    `by`: a dimension, several, or None for all, crossed: n is divided among the values of the first by largest
    remainder, each part among those of the second, and so on, so that every single dimension stays near its proportions
    too. The seed breaks ties. Without dimensions it is a plain random sample.
    """
    if n < 1:
        raise InputError(f"a sample needs at least 1 query, got {n}")
    names = dimensions_of(queries)
    chosen = names if by is None else (by,) if isinstance(by, str) else tuple(by)
    if missing := [name for name in chosen if name not in names]:
        raise NotFoundError(
            f'no dimension "{missing[0][:60]}" for these queries; available: {", ".join(names) or "none"}'
        )
    if n >= len(queries):
        return tuple(queries)
    taken = set(_Sharing(queries, n, chosen, seed).places(range(len(queries)), n, chosen))
    return tuple(query for place, query in enumerate(queries) if place in taken)


class _Sharing:
    """A division of n among ever smaller cells. Remainders are decided over all cells together: the extra one goes to
    the value that has received the least of its due share so far."""

    def __init__(self, queries: Sequence[Query], n: int, by: Ids, seed: int) -> None:
        self.queries, self.seed = queries, seed
        self.due = {
            dimension: {value: n * size for value, size in _sizes(queries, dimension).items()} for dimension in by
        }
        """Times the number of queries, so that nothing is rounded."""

    def places(self, cell: Sequence[int], n: int, by: Ids, path: Ids = ()) -> Iterator[int]:
        if not by:
            yield from sorted(cell, key=lambda place: _lot(self.seed, self.queries[place].query_id, str(place)))[:n]
            return
        parts: dict[str, list[int]] = {}
        for place in cell:
            parts.setdefault(value_of(self.queries[place], by[0]), []).append(place)
        for value, share in self._shares(by[0], parts, n, path).items():
            if share:
                yield from self.places(parts[value], share, by[1:], (*path, value))

    def _shares(self, dimension: str, parts: Mapping[str, Sequence[int]], n: int, path: Ids) -> dict[str, int]:
        """Give each value its whole share; then at most one more to values with a fractional share."""
        total, due = sum(map(len, parts.values())), self.due[dimension]
        shares = {value: n * len(part) // total for value, part in parts.items()}
        for value, share in shares.items():
            due[value] -= share * len(self.queries)
        odd = [value for value, part in parts.items() if n * len(part) % total]
        odd.sort(key=lambda value: (-due[value], _lot(self.seed, *path, value)))
        for value in odd[: n - sum(shares.values())]:
            shares[value] += 1
            due[value] -= len(self.queries)
        return shares


def _sizes(queries: Sequence[Query], dimension: str) -> Counter[str]:
    return Counter(value_of(query, dimension) for query in queries)


def _lot(seed: int, *names: str) -> str:
    """Return a random draw that depends only on the seed and the names."""
    return sha256("\0".join((str(seed), *names)).encode(errors="surrogatepass")).hexdigest()


# Two sets of queries with the same settings, one for one: they differ only in their subjects.

SHOWN = 3


@dataclass(frozen=True, slots=True)
class DimensionDifference:
    """A dimension in which two paired queries differ."""

    key: str
    dimension: str
    first: str
    """Empty: the query has no value."""
    second: str

    def __str__(self) -> str:
        """Return the difference as readable text.

        >>> str(DimensionDifference("query_7", "length", "Few words", ""))
        'query_7: length is “Few words” in one and no value in the other'
        """
        first, second = (f"“{value}”" if value else "no value" for value in (self.first, self.second))
        return f"{self.key}: {self.dimension} is {first} in one and {second} in the other"


@dataclass(frozen=True, slots=True)
class PairedSets:
    pairs: tuple[tuple[Query, Query], ...]
    """In the order of the first set."""
    keys: Ids
    """The common key of each pair: its id, without the prefix common to all ids of a set."""
    only_first: Ids
    """Ids of the first set without a partner in the second."""
    only_second: Ids
    differences: tuple[DimensionDifference, ...]
    """Pairs with different settings, and the dimension in which they differ."""
    dimensions: Ids
    """Dimensions of the queries of either set."""

    @property
    def is_paired(self) -> bool:
        """True if every query has its partner, and all settings are the same key by key."""
        return bool(self.pairs and self.dimensions) and not (self.only_first or self.only_second or self.differences)

    @property
    def alike(self) -> tuple[tuple[Query, Query], ...]:
        """Pairs with the same settings, which can be compared."""
        odd = {difference.key for difference in self.differences}
        return tuple(pair for key, pair in zip(self.keys, self.pairs, strict=True) if key not in odd)

    @property
    def sentence(self) -> str:
        if not self.pairs:
            return "The two sets have no query IDs in common, so they can't be compared in pairs."
        if self.is_paired:
            return f"{many(len(self.pairs), 'pair')} of queries with the same settings: a paired design."
        if not self.dimensions:
            return f"{many(len(self.pairs), 'pair')} by their ids; the queries have no dimensions to compare."
        parts = []
        if n := len(self.only_first) + len(self.only_second):
            parts.append(f"{n:,} without a partner are left out")
        if self.differences:
            n_odd = len(self.pairs) - len(self.alike)
            some = "; ".join(map(str, self.differences[:SHOWN]))
            parts.append(f"{n_odd:,} with other settings are left out ({some})")
        return f"{many(len(self.alike), 'pair')} of queries with the same settings; {', and '.join(parts)}."


def paired(first: Sequence[Query], second: Sequence[Query]) -> PairedSets:
    """Pair two sets by their ids, and check that their settings are the same key by key.

    If all ids of a set share a prefix up to a slash, as in a collection of several files, the prefix is ignored.
    """
    of_first, of_second = _by_key(first), _by_key(second)
    keys = tuple(key for key in of_first if key in of_second)
    dimensions = dict.fromkeys((*dimensions_of(first), *dimensions_of(second)))
    differences = [
        DimensionDifference(key, dimension, a, b)
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
        raise InputError("two queries of a set have the same id: give each query its own id")
    return found
