"""Overlap between sources, and the publications found by only one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.types import Ids


@dataclass(frozen=True, slots=True)
class Intersection:
    """Publications that exactly these sources have, and no other."""

    sources: Ids
    """In the order of the sources."""
    n: int


@dataclass(frozen=True, slots=True)
class Overlap:
    names: Ids
    n: tuple[int, ...]
    """Number of publications of each source."""
    shared: tuple[tuple[int, ...], ...]
    """Number of publications that two sources share, row by row; the diagonal is `n`."""
    unique: tuple[int, ...]
    """Number of publications that only this source has."""
    total: int
    """Number of publications of all sources together."""
    intersections: tuple[Intersection, ...]
    """Every combination of sources that occurs, largest first. The numbers add up to `total`."""


def overlap(sources: Mapping[str, Collection[str]]) -> Overlap:
    """Count the publications that sources share, given the publication ids of each source.

    >>> found = overlap({"Scopus": ["a", "b", "c"], "WoS": ["b", "c", "d"]})
    >>> found.shared, found.unique, found.total
    (((3, 2), (2, 3)), (1, 1), 4)
    >>> found.intersections[0]
    Intersection(sources=('Scopus', 'WoS'), n=2)
    """
    names = tuple(sources)
    counts = Counter(_masks(sources).values())
    positions = {mask: [i for i in range(len(names)) if mask >> i & 1] for mask in counts}
    shared = [[0] * len(names) for _ in names]
    for mask, n in counts.items():
        for one in positions[mask]:
            for other in positions[mask]:
                shared[one][other] += n
    largest_first = sorted(counts.items(), key=lambda item: (-item[1], len(positions[item[0]]), positions[item[0]]))
    return Overlap(
        names=names,
        n=tuple(shared[i][i] for i in range(len(names))),
        shared=tuple(map(tuple, shared)),
        unique=tuple(counts[1 << i] for i in range(len(names))),
        total=sum(counts.values()),
        intersections=tuple(Intersection(tuple(names[i] for i in positions[mask]), n) for mask, n in largest_first),
    )


def shared_by(sources: Mapping[str, Collection[str]], names: Collection[str], *, no_other: bool) -> Ids:
    """Return the publications that all of these sources have; `no_other`: and no other source, as in an intersection.

    >>> shared_by({"Scopus": ["a", "b", "c"], "WoS": ["b", "c"], "Embase": ["c"]}, ["Scopus", "WoS"], no_other=True)
    ('b',)
    """
    if not names:
        return ()
    first, *rest = names
    inside = [frozenset(sources[name]) for name in rest]
    outside = frozenset(i for name, ids in sources.items() if no_other and name not in names for i in ids)
    return tuple(i for i in dict.fromkeys(sources[first]) if i not in outside and all(i in ids for ids in inside))


def _masks(sources: Mapping[str, Collection[str]]) -> dict[str, int]:
    """Return the sources of each publication, one bit each."""
    masks: dict[str, int] = {}
    for i, ids in enumerate(sources.values()):
        bit = 1 << i
        for publication_id in ids:
            masks[publication_id] = masks.get(publication_id, 0) | bit
    return masks


@dataclass(frozen=True, slots=True)
class SourceYield:
    """The contribution of one source to the core publications."""

    name: str
    n: int
    n_unique: int
    """Publications that no other source has."""
    n_core: int
    n_core_unique: int
    recall: float | None
    """Share of the core publications that the source has; None: there are no core publications."""
    precision: float | None
    """Share of the source's publications that are core; None: it has none."""


def yields(sources: Mapping[str, Collection[str]], core_ids: Collection[str]) -> tuple[SourceYield, ...]:
    """Return the contribution of each source. The core publications are not a source: leave their file out.

    >>> yields({"Scopus": ["a", "b"], "WoS": ["b", "c", "d"]}, ["b", "c", "x"])[1]
    SourceYield(name='WoS', n=3, n_unique=2, n_core=2, n_core_unique=1, recall=0.6666666666666666, \
precision=0.6666666666666666)
    """
    core = frozenset(core_ids)
    n_with = Counter(publication_id for ids in sources.values() for publication_id in frozenset(ids))
    found = []
    for name, ids in sources.items():
        own = frozenset(ids)
        alone = {publication_id for publication_id in own if n_with[publication_id] == 1}
        n_core = len(own & core)
        recall, precision = (n_core / n if n else None for n in (len(core), len(own) if core else 0))
        found.append(SourceYield(name, len(own), len(alone), n_core, len(alone & core), recall, precision))
    return tuple(found)
