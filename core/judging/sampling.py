"""Samples of queries that look like the whole, and what kinds of queries there are.

Files of queries are often ordered by kind, so that their first n are no sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from math import exp, lgamma

from core.errors import InputError, NotFoundError
from core.ranking.types import Query
from core.types import Ids

MOST_VALUES = 20
"""A dimension with more values is none whose combinations can be looked through."""
HARDLY = 0.01
"""Chance that is no explanation."""


def dimensions_of(queries: Sequence[Query]) -> Ids:
    """What is said of them, in the order in which it is said."""
    return tuple(dict.fromkeys(name for query in queries for name, _ in query.labels))


def value_of(query: Query, dimension: str) -> str:
    """What a query is in a dimension; empty where nothing is said, and all of it where several things are.

    >>> value_of(Query("q1", "tin", (("length", "Few words"),)), "length")
    'Few words'
    """
    return " and ".join(dict.fromkeys(value for name, value in query.labels if name == dimension))


def dimension_counts(queries: Sequence[Query]) -> dict[str, dict[str, int]]:
    """How many queries have each value of each dimension, the most frequent first; queries without one are not counted.

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
    """Two values of two dimensions."""

    first: tuple[str, str]
    """Dimension and value."""
    second: tuple[str, str]
    expected: float
    """Queries that would have both if the dimensions had nothing to do with each other."""
    chance: float
    """How likely it is that none has both if they are dealt out at random."""

    @property
    def is_telling(self) -> bool:
        """Whether chance hardly explains it: somebody left it out."""
        return self.chance < HARDLY

    def __str__(self) -> str:
        """As a person reads it.

        >>> str(Combination(("length", "Few words"), ("type", "How To"), 2.5, 0.08))
        'length “Few words” with type “How To”'
        """
        return f"{self.first[0]} “{self.first[1]}” with {self.second[0]} “{self.second[1]}”"


def missing_combinations(queries: Sequence[Query]) -> tuple[Combination, ...]:
    """Every two values of two dimensions that no query has together, though queries have each of them.

    The one that chance explains least comes first. Dimensions with many values are left out: most of their
    combinations are missing for no other reason than that.
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
    """Hypergeometric: n_b of n drawn, and none of them among n_a.

    >>> round(_none_of_both(1, 2, 4), 3)
    0.5
    """
    if n_a + n_b > n:
        return 0.0
    return exp(lgamma(n - n_a + 1) - lgamma(n - n_a - n_b + 1) - lgamma(n + 1) + lgamma(n - n_b + 1))


def sample_queries(
    queries: Sequence[Query], n: int, *, by: str | Sequence[str] | None = None, seed: int = 0
) -> tuple[Query, ...]:
    """n queries in the order of the whole, with every kind in proportion. The same seed gives the same sample.

    `by`: a dimension, several, or None for all, crossed: n is shared out among the values of the first by largest
    remainder, each part among those of the second, and so on, so that every dimension by itself comes near its
    proportions too. What is equal the seed decides. Without dimensions it is a plain random sample.
    """
    if n < 1:
        raise InputError(f"a sample needs at least 1 query, got {n}")
    names = dimensions_of(queries)
    chosen = names if by is None else (by,) if isinstance(by, str) else tuple(by)
    if missing := [name for name in chosen if name not in names]:
        raise NotFoundError(
            f'nothing is said of these queries under "{missing[0][:60]}"; there is {", ".join(names) or "none"}'
        )
    if n >= len(queries):
        return tuple(queries)
    taken = set(_Sharing(queries, n, chosen, seed).places(range(len(queries)), n, chosen))
    return tuple(query for place, query in enumerate(queries) if place in taken)


class _Sharing:
    """Shares n out among ever smaller cells. What a cell can't say by its size, all cells together decide: who gets the
    odd one is the value that has the least of what is due to it so far."""

    def __init__(self, queries: Sequence[Query], n: int, by: Ids, seed: int) -> None:
        self.queries, self.seed = queries, seed
        self.due = {
            dimension: {value: n * size for value, size in _sizes(queries, dimension).items()} for dimension in by
        }
        """Times the number of queries, so that nothing is rounded."""

    def places(self, cell: Sequence[int], n: int, by: Ids, path: Ids = ()) -> Iterator[int]:
        """The places of n queries of a cell."""
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
        """Whole shares first; then one each, at most, to those whose share is no whole number."""
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
    """A place in a draw that hangs on nothing but the seed and the name."""
    return sha256("\0".join((str(seed), *names)).encode(errors="surrogatepass")).hexdigest()
