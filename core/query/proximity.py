"""Words that stand side by side, or close to each other, found in the words of some publications.

An occurrence of a part is a run of words inside one field (inside one keyword). A term occurs where its words stand
side by side, an OR wherever one of its parts does. Two occurrences are near each other if they don't overlap and at
most `distance` other words stand between them; `ordered`: the first part's comes first. Together they are an occurrence
from the beginning of one to the end of the other. More than two parts are joined one after the other, from the left;
with `whole` the occurrences of all parts must stand apart inside one window with at most `distance` words that belong
to none of them, in any order unless `ordered`.

What can't be tested in these fields is left out of an OR; a Near without one of its parts can't be tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.query.matching import searched_fields
from core.query.patterns import Numbers
from core.query.spans import APART, Spans, joined, near_another, together, within_one_window
from core.query.texts import Texts
from core.query.tree import Group, Near, Node, Term, Word
from core.types import Mask

Rows = npt.NDArray[np.intp]
Meaning = Callable[[Word, bool], Numbers | None]
"""The words that a word stands for, and whether its term is exact; None: any."""
MOST_AT_ONCE = 300_000
"""Words of the publications that are looked at together."""
MOST_IN_WHOLE = 12
"""Parts of one window. The ways to place more of them are too many to try: such a Near can't be tested."""


@dataclass(frozen=True, eq=False)
class Batch:
    """The words of some publications, one after the other."""

    rows: Rows
    tokens: npt.NDArray[np.int32]
    of_row: npt.NDArray[np.int64]
    """For each word: which of `rows` it stands in."""
    of_field: npt.NDArray[np.int8]
    segments: npt.NDArray[np.int64]
    """For each word: a number that changes with the publication, the field and the keyword."""
    fields: tuple[str, ...]
    n_vocabulary: int

    @cached_property
    def places(self) -> npt.NDArray[np.int64]:
        """For each word a number; neighbours differ by 1, words of different segments by more than any distance."""
        return np.arange(len(self.tokens), dtype=np.int64) + self.segments * APART

    def are(self, numbers: Numbers | None) -> Mask:
        """Which words are among these."""
        if numbers is None:
            return np.ones(len(self.tokens), dtype=np.bool_)
        if len(numbers) == 1:
            return np.asarray(self.tokens == numbers[0], dtype=np.bool_)
        among = np.zeros(self.n_vocabulary, dtype=np.bool_)
        among[numbers] = True
        found: Mask = among[self.tokens]
        return found

    def phrase(self, words: list[Numbers | None], fields: tuple[str, ...]) -> Spans:
        """Where such words stand side by side in one of the fields."""
        n = len(self.tokens) - len(words) + 1
        if n <= 0 or not words:
            return Spans.none()
        last = len(words) - 1
        mask = self.segments[:n] == self.segments[last:]
        searched = np.array([field in fields for field in self.fields])
        if not searched.all():
            mask &= searched[self.of_field[:n]]
        for i, numbers in enumerate(words):
            mask &= self.are(numbers)[i : i + n]
        starts = self.places[:n][mask]
        return Spans(starts, starts + len(words))

    def rows_with(self, spans: Spans) -> Rows:
        """The publications in which one of the occurrences stands."""
        return self.rows[np.unique(self.of_row[spans.starts % APART])]


def gather(texts: Texts, rows: Rows) -> Batch:
    """The words of these publications."""
    n_fields = len(texts.fields)
    lengths = texts.lengths[rows]
    begins, n_words = texts.starts[rows * n_fields], lengths.sum(axis=1)
    offsets = np.concatenate(([0], np.cumsum(n_words)))
    tokens = texts.tokens[np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], n_words)]
    first_of_segment = np.zeros(len(tokens) + 1, dtype=np.bool_)
    first_of_segment[np.concatenate(([0], np.cumsum(lengths)))] = True
    first_of_segment[_breaks(texts, begins, n_words, offsets)] = True
    return Batch(
        rows=rows,
        tokens=tokens,
        of_row=np.repeat(np.arange(len(rows)), n_words),
        of_field=np.repeat(np.tile(np.arange(n_fields, dtype=np.int8), len(rows)), lengths.ravel()),
        segments=np.cumsum(first_of_segment[:-1]),
        fields=texts.fields,
        n_vocabulary=len(texts.vocabulary),
    )


def _breaks(
    texts: Texts, begins: npt.NDArray[np.int64], n_words: npt.NDArray[np.int64], offsets: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Where keywords begin, counted in the gathered words."""
    low = np.searchsorted(texts.breaks, begins)
    counts = np.searchsorted(texts.breaks, begins + n_words) - low
    before = np.cumsum(counts) - counts
    numbers = np.arange(counts.sum()) + np.repeat(low - before, counts)
    return np.asarray(texts.breaks[numbers] + np.repeat(offsets[:-1] - begins, counts), dtype=np.int64)


def batches(texts: Texts, rows: Rows) -> Iterator[Batch]:
    """The publications in parts, so that memory stays small."""
    if not len(rows):
        return
    parts = np.cumsum(texts.lengths[rows].sum(axis=1)) // MOST_AT_ONCE
    for part in np.split(rows, np.flatnonzero(np.diff(parts)) + 1):
        yield gather(texts, part)


def rows_with_phrase(texts: Texts, rows: Rows, words: list[Numbers | None], fields: tuple[str, ...]) -> Rows:
    """Those of the rows where such words stand side by side in one of the fields; None stands for any word."""
    return _together(batch.rows_with(batch.phrase(words, fields)) for batch in batches(texts, rows))


def rows_near(texts: Texts, rows: Rows, near: Near, meaning: Meaning, fields: frozenset[str]) -> Rows:
    """Those of the rows where a Near holds. It went through `without_untestable` for these fields."""
    known: dict[tuple[Word, bool], Numbers | None] = {}

    def remembered(word: Word, exact: bool) -> Numbers | None:
        if (word, exact) not in known:
            known[word, exact] = meaning(word, exact)
        return known[word, exact]

    return _together(batch.rows_with(_anywhere(near, batch, remembered, fields)) for batch in batches(texts, rows))


def _anywhere(near: Near, batch: Batch, meaning: Meaning, fields: frozenset[str]) -> Spans:
    """Something in every publication in which a Near holds."""
    if near.whole or len(near.parts) < 2:
        return occurrences(near, batch, meaning, fields)
    most, last = (replace(near, parts=near.parts[:-1]), near.parts[-1])
    a, b = (occurrences(part, batch, meaning, fields) for part in (most, last))
    return near_another(a, b, near.distance, ordered=near.ordered)


def _together(found: Iterator[Rows]) -> Rows:
    return np.concatenate([np.zeros(0, dtype=np.intp), *found])


def occurrences(part: Node, batch: Batch, meaning: Meaning, fields: frozenset[str]) -> Spans:
    """Where a part of a Near, or the whole of it, stands."""
    if isinstance(part, Term):
        words = [meaning(word, part.exact) for chunk in part.chunks for word in chunk]
        if any(numbers is not None and not len(numbers) for numbers in words):
            return Spans.none()
        return batch.phrase(words, searched_fields(part, fields))
    if isinstance(part, Group):
        return together([occurrences(each, batch, meaning, fields) for each in part.parts])
    assert isinstance(part, Near)
    found = [occurrences(each, batch, meaning, fields) for each in part.parts]
    if part.whole:
        return within_one_window(found, part.distance, ordered=part.ordered)
    first, *others = found
    for other in others:
        first = joined(first, other, part.distance, ordered=part.ordered)
    return first


def without_untestable(part: Node, fields: frozenset[str]) -> Node | None:
    """A part of a Near without what can't be tested in these fields; None if nothing is left of it."""
    if isinstance(part, Term):
        return part if searched_fields(part, fields) and part.chunks else None
    if isinstance(part, Group) and part.operator == "OR":
        kept = tuple(each for p in part.parts if (each := without_untestable(p, fields)) is not None)
        return replace(part, parts=kept) if kept else None
    if isinstance(part, Near) and part.parts and not (part.whole and len(part.parts) > MOST_IN_WHOLE):
        kept = tuple(each for p in part.parts if (each := without_untestable(p, fields)) is not None)
        return replace(part, parts=kept) if len(kept) == len(part.parts) else None
    return None
