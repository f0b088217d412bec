"""Where keywords and whole sheets match in a corpus, each keyword looked up once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from core.query.matching.bits import Bits, none_of
from core.query.matching.matched import Corpus, Semantics
from core.writer.strings import term_of
from core.writer.types import Joined, Keyword, Sheet


@dataclass(frozen=True, eq=False)
class LookUp:
    """Answers where a keyword matches. A keyword that can't be tested in this corpus matches nothing."""

    corpus: Corpus
    semantics: Semantics
    _known: dict[Keyword, Bits] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Publications in the corpus."""
        return len(self.corpus.ids)

    def __call__(self, keyword: Keyword) -> Bits:
        """The publications that have it."""
        if keyword not in self._known:
            found = self.corpus.look_up(term_of(keyword), self.semantics)
            self._known[keyword] = none_of(self.n) if found is None else found
        return self._known[keyword]

    def any_of(self, keywords: Iterable[Keyword], joined: Joined = "OR") -> Bits:
        """The publications that have one of them, or all; none where there is no keyword."""
        sets = [self(keyword) for keyword in keywords]
        if not sets:
            return none_of(self.n)
        together: Bits = (np.bitwise_or if joined == "OR" else np.bitwise_and).reduce(sets)
        return together

    def retrieved(self, sheet: Sheet) -> Bits:
        """What the string of a sheet retrieves."""
        general = self.any_of(sheet.general) & self.any_of(sheet.overarching, sheet.joined)
        return (self.any_of(sheet.specific) | general) & ~self.any_of(sheet.excluded)
