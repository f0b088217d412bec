"""NLM's thesaurus (MeSH): headings, their places in the tree, entry terms, years and former names."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.text import words
from core.types import Ids, unique_ids

SHORTEST_PROPOSED = 5
"""Minimum number of letters of a name that may be a misspelling."""
LONG = 8
"""From this length two changed letters still propose a heading; below it, one."""


def heading_key(name: str) -> str:
    """Return the form in which names are compared: words in lower case, and a prime at the end.

    >>> heading_key("Genitalia,  Female") == heading_key("genitalia, female")
    True
    >>> heading_key("Cytochromes c'") == heading_key("Cytochromes c")
    False
    """
    prime = "'" if name.rstrip().endswith("'") else ""
    return (" ".join(words(name)) or " ".join(name.casefold().split())) + prime


@dataclass(frozen=True, slots=True)
class MeshHeading:
    name: str
    places: Ids = ()
    """Tree numbers: C10.886.425.175."""
    entry_terms: Ids = ()
    former_names: Ids = ()
    """Names of the heading in earlier years."""
    introduced: int | None = None
    """Year since which indexers use the heading; None: not in the file."""

    def merged(self, other: MeshHeading) -> MeshHeading:
        return MeshHeading(
            self.name,
            unique_ids((*self.places, *other.places)),
            unique_ids((*self.entry_terms, *other.entry_terms)),
            unique_ids((*self.former_names, *other.former_names)),
            self.introduced or other.introduced,
        )


def merged_headings(headings: Iterable[MeshHeading]) -> tuple[MeshHeading, ...]:
    """Merge headings of the same name, as a tree file lists a heading once for each place."""
    found: dict[str, MeshHeading] = {}
    for heading in headings:
        key = heading_key(heading.name)
        found[key] = found[key].merged(heading) if key in found else heading
    return tuple(found.values())


@dataclass(frozen=True, eq=False)
class MeshThesaurus:
    headings: tuple[MeshHeading, ...]
    """Each name once."""
    year: int | None = None
    """The edition; None: neither the file nor its name shows it."""
    sources: Ids = ()
    """Names of the files."""
    notes: Ids = ()
    """Damage found in the files, with its place."""

    @property
    def label(self) -> str:
        return f"MeSH {self.year}" if self.year else "MeSH"

    @cached_property
    def _by_key(self) -> dict[str, MeshHeading]:
        return {heading_key(heading.name): heading for heading in self.headings}

    @cached_property
    def _places(self) -> tuple[list[str], list[str]]:
        """All tree numbers, ascending, and the key of the heading at each."""
        pairs = sorted((place, key) for key, heading in self._by_key.items() for place in heading.places)
        return [place for place, _ in pairs], [key for _, key in pairs]

    @cached_property
    def _other_names(self) -> dict[str, tuple[MeshHeading, ...]]:
        found: dict[str, tuple[MeshHeading, ...]] = {}
        for heading in self.headings:
            for name in (*heading.entry_terms, *heading.former_names):
                key = heading_key(name)
                if key not in self._by_key and heading not in found.get(key, ()):
                    found[key] = (*found.get(key, ()), heading)
        return found

    @cached_property
    def has_entry_terms(self) -> bool:
        return any(heading.entry_terms for heading in self.headings)

    def find(self, name: str) -> MeshHeading | None:
        return self._by_key.get(heading_key(name))

    def replacements(self, name: str) -> tuple[MeshHeading, ...]:
        """Return the headings that have this name as an entry term or a former name."""
        return self._other_names.get(heading_key(name), ())

    def exploded(self, name: str) -> frozenset[str]:
        """Return the keys of a heading and of all narrower ones; of an unknown name, its own key alone."""
        key = heading_key(name)
        heading = self._by_key.get(key)
        found = {key}
        for place in heading.places if heading else ():
            found.update(self._below(place))
        return frozenset(found)

    def narrower(self, name: str) -> tuple[MeshHeading, ...]:
        """Return the headings one level below, by name."""
        heading = self.find(name)
        order, keys = self._places
        found: set[str] = set()
        for place in heading.places if heading else ():
            level = place.count(".") + 1
            low, high = bisect_left(order, f"{place}."), bisect_left(order, f"{place}/")
            found.update(keys[i] for i in range(low, high) if order[i].count(".") == level)
        return tuple(sorted((self._by_key[key] for key in found), key=lambda h: h.name))

    def _below(self, place: str) -> Sequence[str]:
        order, keys = self._places
        return keys[bisect_left(order, f"{place}.") : bisect_left(order, f"{place}/")]  # / follows . in ASCII

    @cached_property
    def _spelled(self) -> list[str]:
        return [*self._by_key, *self._other_names]

    def proposal(self, name: str) -> MeshHeading | None:
        """Return the one heading that an unknown name is a misspelling of; None: none, or several come as close."""
        key = heading_key(name)
        if len(key) < SHORTEST_PROPOSED or key in self._by_key or key in self._other_names:
            return None
        most = 2 if len(key) >= LONG else 1
        near = process.extract(key, self._spelled, scorer=OSA.distance, score_cutoff=most, limit=None)
        least = min((distance for _, distance, _ in near), default=0)
        found: dict[str, MeshHeading] = {}
        for other, distance, _ in near:
            if distance == least:
                meant = (self._by_key[other],) if other in self._by_key else self._other_names[other]
                found.update((heading.name, heading) for heading in meant)
        return next(iter(found.values())) if len(found) == 1 else None
