"""Subject headings that records carry, as sets of publications: by name, major topic and qualifier."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from core.library.mesh import heading_key
from core.library.records import SubjectHeading
from core.text import words
from core.types import Ids

_OVID_QUALIFIER = re.compile(r"/\*?([a-z]{2}) \[[^\]]*\]")
"""A qualifier as Ovid exports it: Air Pollutants/ae [Adverse Effects]."""


def carried_headings(keywords: Iterable[str], headings: Iterable[str]) -> tuple[str, ...]:
    """Return the headings of one record: its own field, else its keywords if some have stars or qualifiers as in Ovid.

    >>> carried_headings(["Humans", "*Fires", "Ozone/ae [Adverse Effects]"], [])
    ('Humans', '*Fires', 'Ozone/ae')
    >>> carried_headings(["Humans", "fires"], [])
    ()
    """
    if own := tuple(headings):
        return own
    listed = tuple(keywords)
    is_indexed = any(text.startswith("*") or _OVID_QUALIFIER.search(text) for text in listed)
    return tuple(map(_plain, listed)) if is_indexed else ()


def _plain(keyword: str) -> str:
    """Write an Ovid keyword in MEDLINE's form; its star means the heading with the qualifier."""
    if not _OVID_QUALIFIER.search(keyword):
        return keyword
    is_major = keyword.startswith("*")
    text = _OVID_QUALIFIER.sub(r"/\1", keyword)
    return re.sub("/", "/*", text[1:]) if is_major else text


@dataclass(frozen=True, eq=False)
class HeadingIndex:
    """Headings of a corpus: one entry for a heading, and one for each of its qualifiers."""

    n: int
    names: Ids
    """Each heading once, as first written."""
    name_of: npt.NDArray[np.int32]
    row_of: npt.NDArray[np.int32]
    qualifier_of: npt.NDArray[np.int32]
    """-1: the heading itself."""
    major: npt.NDArray[np.bool_]
    qualifiers: Ids
    """As written, in lower case."""

    @classmethod
    def of(cls, rows: Sequence[Iterable[str]]) -> HeadingIndex:
        """Build the index from the headings of each publication, in MEDLINE's form."""
        names: dict[str, tuple[int, str]] = {}
        qualifiers: dict[str, int] = {}
        entries = chain.from_iterable(_entries(rows, names, qualifiers))
        columns = np.ascontiguousarray(np.fromiter(entries, dtype=np.int32).reshape(-1, 4).T)
        written = tuple(name for _, name in names.values())
        return cls(len(rows), written, columns[0], columns[1], columns[2], columns[3] == 1, (*qualifiers,))

    @cached_property
    def n_publications(self) -> int:
        """The number of publications with headings."""
        return len(np.unique(self.row_of))

    @cached_property
    def _number_of(self) -> dict[str, int]:
        return {heading_key(name): i for i, name in enumerate(self.names)}

    @cached_property
    def _pairs(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Each heading of each publication once: its number, and the row."""
        pairs = np.unique(self.name_of.astype(np.int64) * self.n + self.row_of)
        return pairs // max(self.n, 1), pairs % max(self.n, 1)

    @cached_property
    def _n_with(self) -> npt.NDArray[np.int64]:
        return np.bincount(self._pairs[0], minlength=len(self.names)).astype(np.int64)

    def n_publications_with(self, among: npt.NDArray[np.integer] | None = None) -> npt.NDArray[np.int64]:
        """Count the publications with each heading, by its number; `among`: only these rows."""
        if among is None:
            return self._n_with
        is_meant = np.zeros(self.n, dtype=np.bool_)
        is_meant[among] = True
        numbers, rows = self._pairs
        return np.bincount(numbers[is_meant[rows]], minlength=len(self.names)).astype(np.int64)

    def n_with(self, name: str) -> int:
        number = self._number_of.get(heading_key(name))
        return 0 if number is None else int(self._n_with[number])

    def find(self, name: str) -> str | None:
        """Return the heading of this name, as written in the records."""
        number = self._number_of.get(heading_key(name))
        return None if number is None else self.names[number]

    def rows(
        self, keys: Iterable[str], *, major: bool = False, is_qualifier: Callable[[str], bool] | None = None
    ) -> npt.NDArray[np.int32]:
        """Return the publications with a heading of these keys, as a major topic or with a qualifier if requested."""
        is_meant = np.zeros(len(self.names), dtype=np.bool_)
        is_meant[[self._number_of[key] for key in keys if key in self._number_of]] = True
        mask = is_meant[self.name_of]
        if major:
            mask &= self.major
        if is_qualifier is not None:
            mask &= np.isin(self.qualifier_of, [i for i, name in enumerate(self.qualifiers) if is_qualifier(name)])
        return self.row_of[mask]

    def rows_named(self, is_meant: Callable[[tuple[str, ...]], bool], *, major: bool = False) -> npt.NDArray[np.int32]:
        """Return the publications with a heading that has these words, as a major topic if requested."""
        return self.row_of[self._mask(self.name_of, map(is_meant, self._words), len(self.names), major=major)]

    def rows_qualified(self, is_meant: Callable[[str], bool]) -> npt.NDArray[np.int32]:
        """Return the publications with a heading that has such a qualifier."""
        # -1, the heading itself, is the last place of the mask
        return self.row_of[self._mask(self.qualifier_of, map(is_meant, self.qualifiers), len(self.qualifiers) + 1)]

    @cached_property
    def _words(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(words(name)) for name in self.names)

    def _mask(
        self, numbers: npt.NDArray[np.int32], meant: Iterable[bool], n: int, *, major: bool = False
    ) -> npt.NDArray[np.bool_]:
        is_meant = np.zeros(n, dtype=np.bool_)
        is_meant[[i for i, is_one in enumerate(meant) if is_one]] = True
        mask = is_meant[numbers]
        return mask & self.major if major else mask

    def of_row(self, row: int) -> dict[str, bool]:
        """Return the headings of a publication; True: a major topic."""
        found: dict[str, bool] = {}
        for i in np.flatnonzero(self.row_of == row).tolist():
            name = self.names[self.name_of[i]]
            found[name] = found.get(name, False) or bool(self.major[i])
        return found


def _entries(
    rows: Sequence[Iterable[str]], names: dict[str, tuple[int, str]], qualifiers: dict[str, int]
) -> Iterator[tuple[int, int, int, int]]:
    known: dict[str, tuple[tuple[int, int, int], ...]] = {}  # the same headings recur in many records
    for row, texts in enumerate(rows):
        for text in texts:
            if text not in known:
                known[text] = tuple(_parts(SubjectHeading.of(text), names, qualifiers))
            for number, qualifier, is_major in known[text]:
                yield number, row, qualifier, is_major


def _parts(
    heading: SubjectHeading, names: dict[str, tuple[int, str]], qualifiers: dict[str, int]
) -> Iterator[tuple[int, int, int]]:
    if not heading.name:
        return
    number, _ = names.setdefault(heading_key(heading.name), (len(names), heading.name))
    yield number, -1, int(heading.is_starred)
    for qualifier, is_major in heading.qualifiers:
        yield number, qualifiers.setdefault(qualifier.lower(), len(qualifiers)), int(is_major)


@dataclass(frozen=True, slots=True)
class GridColumn:
    name: str
    n_publications: int
    n_major: int


@dataclass(frozen=True, slots=True)
class HeadingGrid:
    """Publications by headings; cells are "", "yes" or "major"."""

    columns: tuple[GridColumn, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """Publication ids with their cells."""
    without: Ids
    """Publications without headings."""


def heading_grid(publications: Sequence[tuple[str, dict[str, bool]]]) -> HeadingGrid:
    """Arrange publications and their headings, headings shared by most publications first.

    >>> grid = heading_grid([("a", {"Sleep": True, "Mice": False}), ("b", {"Sleep": False}), ("c", {})])
    >>> [column.name for column in grid.columns], grid.rows[1], grid.without
    (['Sleep', 'Mice'], ('b', ('yes', '')), ('c',))
    """
    counts: dict[str, list[int]] = {}
    for _, headings in publications:
        for name, is_major in headings.items():
            count = counts.setdefault(name, [0, 0])
            count[0] += 1
            count[1] += is_major
    columns = sorted((GridColumn(name, *found) for name, found in counts.items()), key=_shared_first)
    cell = {None: "", False: "yes", True: "major"}
    rows = tuple((i, tuple(cell[found.get(c.name)] for c in columns)) for i, found in publications if found)
    return HeadingGrid(tuple(columns), rows, tuple(i for i, found in publications if not found))


def _shared_first(column: GridColumn) -> tuple[int, int, str]:
    return -column.n_publications, -column.n_major, column.name
