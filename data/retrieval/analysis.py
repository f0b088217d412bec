"""From a text to the terms that BM25 counts: the same for tantivy's index, for our own, and for queries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from sys import intern
from typing import Literal

import tantivy

from core.text import STOP_WORDS, words

AnalysisId = Literal["english", "words"]
LONGEST = 255
"""Letters of a word that are kept."""
MOST_KEPT = 500_000
"""Words whose terms are remembered."""
_PLAIN = "".join(chr(i).lower() if chr(i).isalnum() else " " for i in range(128))
"""Lower case, and whatever is no letter and no digit separates words."""


class _Terms(dict[str, str]):
    """The term of each word that was asked for; empty for one that is left out."""

    def __init__(self, term_of: Callable[[str], str]) -> None:
        self._term_of = term_of

    def __missing__(self, word: str) -> str:
        if len(self) >= MOST_KEPT:
            self.clear()
        self[word] = term = self._term_of(word[:LONGEST])
        return term


def _english() -> Callable[[str], str]:
    """The stem of a word; nothing for a stop word."""
    cutter = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    analyzer = cutter.filter(tantivy.Filter.stemmer("english")).build()

    def term_of(word: str) -> str:
        # Words with the same stem share it, which is half the memory to go through.
        return "" if word in STOP_WORDS else intern(str((analyzer.analyze(word) or [word])[0]))

    return term_of


@dataclass(frozen=True, slots=True)
class AnalysisInfo:
    """One way from words to terms."""

    sentence: str
    """For whoever reads the results."""
    terms: Callable[[], Callable[[str], str]]
    """Makes what gives the term of a word, or nothing for one that is left out."""


ANALYSES: dict[AnalysisId, AnalysisInfo] = {
    "english": AnalysisInfo(
        f"Words in lower case and without accents, {len(STOP_WORDS)} English stop words left out, "
        "English stems (Snowball).",
        _english,
    ),
    "words": AnalysisInfo(
        "Words in lower case and without accents; no stop words are left out, no stems are taken.",
        lambda: lambda word: word,
    ),
}


class Analysis:
    """Cuts texts into terms: the words of `core.text.words`, each with its stem in place of it or left out.

    >>> Analysis("english").cut("The naïve warehouses")
    ['naiv', 'warehous']
    >>> Analysis("words").cut("The naïve warehouses")
    ['the', 'naive', 'warehouses']
    """

    def __init__(self, analysis_id: AnalysisId) -> None:
        self.analysis_id = analysis_id
        self.sentence = ANALYSES[analysis_id].sentence
        self._terms = _Terms(ANALYSES[analysis_id].terms())

    def cut(self, text: str) -> list[str]:
        """The terms of a text, in its order."""
        return self.joined(text).split()

    def joined(self, text: str) -> str:
        """The same with spaces between them, for an index that cuts there."""
        # ASCII, which most texts are, takes a third of the time without a regular expression.
        found = text.translate(_PLAIN).split() if text.isascii() else words(text)
        return " ".join(filter(None, map(self._terms.__getitem__, found)))
