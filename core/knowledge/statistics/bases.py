"""A knowledge base in numbers: entities and relations by type, degrees, words of text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.knowledge.statistics.definitions import STARK
from core.knowledge.statistics.spread import Bin, Counts, Spread, doubling_bins, spread_of
from core.knowledge.types import EntityType

MOST_HUBS = 5
DEGREE = (
    "The degree of an entity is the number of its relations. Each relation is counted at both of its ends, once as "
    "the source's and once as the target's: average degree = 2 · relations / entities."
)


@dataclass(frozen=True, slots=True)
class Hub:
    """An entity with many relations."""

    row: int
    degree: int


@dataclass(frozen=True, slots=True)
class TypeStatistics:
    """The entities of one type."""

    name: str
    n: int
    degrees: Spread | None
    """None: there is no entity."""
    degree_bins: tuple[Bin, ...]
    hubs: tuple[Hub, ...]
    """Those with the most relations, and at least one."""
    n_with_text: int
    """Entities with more than a title."""
    words: Spread | None
    """Of title and text together."""

    @property
    def text_share(self) -> float | None:
        return self.n_with_text / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class BaseStatistics:
    """All types."""

    types: tuple[TypeStatistics, ...]

    @property
    def n_words(self) -> int:
        """Tokens: words of every title and text."""
        return sum(kind.words.total for kind in self.types if kind.words)


@dataclass(frozen=True, slots=True)
class BaseRow:
    """A knowledge base as STaRK's table of them has it; None: not known."""

    name: str
    n_entity_types: int
    n_relation_types: int
    average_degree: float | None
    n_entities: int
    n_relations: int
    n_tokens: int | None
    note: str = ""


PUBLISHED_BASES = (
    BaseRow("Amazon, published", 4, 5, None, 1_000_000, 9_400_000, None, "entities and relations rounded"),
    BaseRow("MAG, published", 4, 4, None, 1_872_968, 39_800_000, None, "relations rounded, both ways counted"),
    BaseRow("Prime, published", 10, 18, None, 129_375, 8_100_000, None, "relations rounded, each given both ways"),
)
PUBLISHED_NOTE = (
    f"Published: {STARK}, to lay beside; nothing in these rows was measured here. STaRK counts MAG's relations both "
    "ways, 39.8 M where 19.85 M are on disk."
)


def average_degree(n_entities: int, n_relations: int) -> float | None:
    """How many relations an entity has on average.

    0: there are no relations. Formula: 2 · relations / entities, since each relation has two ends. Undefined, None:
    there is no entity.

    >>> average_degree(4, 6)
    3.0
    """
    return 2 * n_relations / n_entities if n_entities else None


def type_statistics(kind: EntityType, degrees: Counts, n_words: Counts, n_with_text: int) -> TypeStatistics:
    """The entities of a type from the degree and the words of each, by row."""
    if not len(degrees) == len(n_words) == kind.n:
        raise ValueError(f"{kind.n} entities but {len(degrees)} degrees and {len(n_words)} texts")
    return TypeStatistics(
        kind.name,
        kind.n,
        spread_of(degrees),
        doubling_bins(degrees),
        tuple(Hub(kind.first + int(place), int(degrees[place])) for place in _largest(degrees)),
        n_with_text,
        spread_of(n_words),
    )


def _largest(degrees: Counts) -> Counts:
    """Places of the largest, the largest first; equal ones by row."""
    if not len(degrees):
        return np.zeros(0, dtype=np.int64)
    least = np.partition(degrees, -min(MOST_HUBS, len(degrees)))[-min(MOST_HUBS, len(degrees))]
    places = np.flatnonzero(degrees >= max(least, 1))
    return places[np.argsort(-degrees[places], kind="stable")][:MOST_HUBS]
