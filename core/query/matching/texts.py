"""The words of a whole corpus as numbers, in the order in which they stand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Texts:
    """Every word of every publication; words are numbers into a sorted vocabulary."""

    vocabulary: tuple[str, ...]
    """All words, as `core.text.words` cuts them, in ascending order."""
    stems: npt.NDArray[np.int32]
    """One number per word; words with the same stem share it."""
    tokens: npt.NDArray[np.int32]
    """Numbers of words: publication after publication, in each field after field."""
    starts: npt.NDArray[np.int64]
    """Field f of publication r is tokens[starts[k] : starts[k + 1]] with k = r * len(fields) + f."""
    fields: tuple[str, ...]
    """Order of the fields inside a publication."""
    breaks: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Where, inside a field, another keyword begins: places in `tokens`, ascending. No phrase goes across."""

    @property
    def n(self) -> int:
        """Publications."""
        return (len(self.starts) - 1) // len(self.fields)

    @cached_property
    def number_of(self) -> dict[str, int]:
        """A word's number."""
        return {word: i for i, word in enumerate(self.vocabulary)}

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Words in each field of each publication, shape (n, fields)."""
        return np.diff(self.starts).reshape(-1, len(self.fields))

    def words_of(self, row: int, field: str) -> tuple[str, ...]:
        """The words of one field of one publication."""
        return tuple(self.vocabulary[i] for i in self.tokens_of(row, field))

    def tokens_of(self, row: int, field: str) -> npt.NDArray[np.int32]:
        """The same, as numbers."""
        k = row * len(self.fields) + self.fields.index(field)
        return self.tokens[self.starts[k] : self.starts[k + 1]]

    def with_beginning(self, beginning: str) -> range:
        """Numbers of the words that begin so.

        >>> Texts(("net", "nets", "new"), np.zeros(3, np.int32), np.zeros(0, np.int32), np.zeros(2, np.int64),
        ...       ("title",)).with_beginning("net")
        range(0, 2)
        """
        return range(bisect_left(self.vocabulary, beginning), bisect_right(self.vocabulary, beginning + "\U0010ffff"))

    def of_stem(self, stem: int) -> npt.NDArray[np.int32]:
        """Numbers of all words with this stem."""
        order, bounds = self._by_stem
        return order[bounds[stem] : bounds[stem + 1]]

    @cached_property
    def _by_stem(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
        order = np.argsort(self.stems, kind="stable").astype(np.int32)
        n_stems = int(self.stems.max(initial=-1)) + 1
        return order, np.searchsorted(self.stems[order], np.arange(n_stems + 1))

    def __iter__(self) -> Iterator[dict[str, tuple[str, ...]]]:
        """Publication after publication: the words of each field."""
        for row in range(self.n):
            yield {field: self.words_of(row, field) for field in self.fields}
