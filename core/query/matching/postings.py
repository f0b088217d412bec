"""Where every word stands, so that words, phrases and patterns are found without reading the texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.query.matching.patterns import Numbers
from core.query.matching.texts import Texts
from core.types import Mask

Places = npt.NDArray[np.int64]
"""Places in the tokens of the texts, ascending."""


@dataclass(frozen=True, eq=False)
class Postings:
    """The places of all words: word after word, each ascending."""

    texts: Texts
    places: npt.NDArray[np.int32]
    fields: npt.NDArray[np.int32]
    """For each place: row * number of fields + field."""

    @classmethod
    def of(cls, texts: Texts) -> Postings:
        """Sorted once; that is what takes time."""
        places = np.argsort(texts.tokens, kind="stable").astype(np.int32)
        n_words = np.diff(texts.starts)
        of_field = np.repeat(np.arange(len(n_words), dtype=np.int32), n_words)
        return cls(texts, places, of_field[places])

    @cached_property
    def _bounds(self) -> npt.NDArray[np.int64]:
        """Word w has the places from bounds[w] to bounds[w + 1]."""
        counts = np.bincount(self.texts.tokens, minlength=len(self.texts.vocabulary))
        return np.concatenate(([0], np.cumsum(counts)))

    def n_of(self, numbers: Numbers | None) -> int:
        """How often such words occur; None: any word."""
        if numbers is None:
            return len(self.texts.tokens)
        return int((self._bounds[numbers + 1] - self._bounds[numbers]).sum())

    def places_of(self, numbers: Numbers | None) -> Places:
        """Where such words stand."""
        if numbers is None:
            return np.arange(len(self.texts.tokens), dtype=np.int64)
        found = _joined([self.places[part] for part in self._slices(numbers)], self.places)
        return (found if len(numbers) == 1 else np.sort(found)).astype(np.int64)

    def holding(self, numbers: Numbers | None) -> Mask:
        """Which fields hold one of these words, shape (n, fields)."""
        mask = self._no_field()
        if numbers is None:
            return self.texts.lengths > 0
        for part in self._slices(numbers):
            mask[self.fields[part]] = True
        return mask.reshape(-1, len(self.texts.fields))

    def side_by_side(self, words: Sequence[Numbers | None]) -> Places:
        """Where such words stand side by side in this order: the places of the first.

        The rarest is looked up, and the others are compared with what stands beside it.
        """
        anchor = min(range(len(words)), key=lambda i: self.n_of(words[i]))
        starts = self.places_of(words[anchor]) - anchor
        last = len(words) - 1
        starts = starts[(starts >= 0) & (starts + last < len(self.texts.tokens))]
        for i, numbers in enumerate(words):
            if i != anchor and numbers is not None:
                starts = starts[self._are(self.texts.tokens[starts + i], numbers)]
        return starts[self.segments_at(starts) == self.segments_at(starts + last)] if last else starts

    def with_any_of(self, places: Places) -> Mask:
        """Which fields hold one of these places, shape (n, fields)."""
        mask = self._no_field()
        mask[self.fields_at(places)] = True
        return mask.reshape(-1, len(self.texts.fields))

    def fields_at(self, places: Places) -> npt.NDArray[np.intp]:
        """Row * number of fields + field of each place."""
        return np.searchsorted(self.texts.starts, places, side="right") - 1

    def segments_at(self, places: Places) -> npt.NDArray[np.intp]:
        """A number that rises with the publication, the field and the keyword that a place is in."""
        fields = self.fields_at(places)
        return fields + np.searchsorted(self.texts.breaks, places, side="right") if len(self.texts.breaks) else fields

    def _slices(self, numbers: Numbers) -> list[slice]:
        """Neighbours in the vocabulary, as a wildcard at the end gives them, are one run."""
        if not len(numbers):
            return []
        cuts = np.flatnonzero(np.diff(numbers) != 1)
        firsts = self._bounds[numbers[np.concatenate(([0], cuts + 1))]].tolist()
        lasts = self._bounds[numbers[np.concatenate((cuts, [len(numbers) - 1]))] + 1].tolist()
        return [slice(first, last) for first, last in zip(firsts, lasts, strict=True)]

    def _are(self, tokens: npt.NDArray[np.int32], numbers: Numbers) -> Mask:
        if len(numbers) == 1:
            return np.asarray(tokens == numbers[0], dtype=np.bool_)
        among = np.zeros(len(self.texts.vocabulary), dtype=np.bool_)
        among[numbers] = True
        return np.asarray(among[tokens], dtype=np.bool_)

    def _no_field(self) -> Mask:
        return np.zeros(len(self.texts.starts) - 1, dtype=np.bool_)


def _joined(parts: list[npt.NDArray[np.int32]], like: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    return parts[0] if len(parts) == 1 else np.concatenate([like[:0], *parts])
