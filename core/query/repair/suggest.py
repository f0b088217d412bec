"""Words and phrases that set some publications apart from the corpus, as additions to a query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.query.matching.bits import Bits
from core.query.matching.matched import Semantics
from core.query.matching.texts import Texts
from core.query.repair.candidates import leaves_of_alternatives, phrase, says_something, shared_fields
from core.query.repair.ngrams import (
    BITS_PER_WORD,
    LONGEST,
    Numbers,
    Stretches,
    counted,
    n_publications_with,
    packed,
    runs_in,
    unpacked,
)
from core.query.repair.rescue import MOST_LEAVES, Rescue, Rescuer
from core.query.tree import Node, Term, Word, terms_in
from core.query.weighing.likeness import is_literally
from core.query.weighing.stakes import Stakes
from core.types import Floats, Mask

SuggestionKind = Literal["word", "phrase", "keyword"]
FEWEST = 2
"""Publications of the target that must have a term."""
MOST_COUNTED = 4000
"""Terms of one length that are counted over the whole corpus: those with the most publications of the target."""
MOST_SUGGESTED = 30
PRIOR = 10.0
"""Publications' worth of belief that a term is as frequent in the target as in the corpus."""
WIDTH = 8


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A term that the target has more often than the corpus leads one to expect."""

    text: str
    kind: SuggestionKind
    """keyword: at least two publications of the target have it among their keywords."""
    z: float
    """Log-odds against the corpus in standard errors: 2 and more is hardly chance."""
    n_target: int
    n_corpus: int
    if_added: Rescue | None = None
    """What it would bring and cost as an alternative to a block; None: not asked, or it can't be tested."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """Words in their context."""

    before: str
    words: str
    after: str


def worth_a_look(stakes: Stakes, retrieved: Bits) -> Bits:
    """Missed core publications, and what is not retrieved though the region accepts it."""
    return (stakes.core | stakes.accepted) & ~retrieved


def log_odds(*, n_target_with: Numbers, n_target: int, n_corpus_with: Numbers, n_corpus: int) -> Floats:
    """How much more often a term is in the target than in the corpus, in standard errors.

    0: as often; negative: less often. Formula: the difference of the log-odds of having the term, each with a prior of
    10 publications that have it as often as the corpus does, over its standard deviation. No term may be in every
    publication of the corpus. Reference: Monroe, Colaresi and Quinn (2008), "Fightin' Words".

    >>> log_odds(n_target_with=np.array([5, 1]), n_target=10, n_corpus_with=np.array([10, 10]), n_corpus=100).round(2)
    array([2.66, 0.  ])
    """
    expected = PRIOR * n_corpus_with / n_corpus
    have, all_have = n_target_with + expected, n_corpus_with + expected
    odds = np.log(have) - np.log(n_target + PRIOR - have)
    all_odds = np.log(all_have) - np.log(n_corpus + PRIOR - all_have)
    z: Floats = (odds - all_odds) / np.sqrt(1 / have + 1 / all_have)
    return z


def suggest(
    texts: Texts,
    target: npt.NDArray[np.integer],
    *,
    query: Node | None = None,
    semantics: Semantics = "literal",
    most: int = MOST_SUGGESTED,
) -> tuple[Suggestion, ...]:
    """Words, phrases of two and three words and keywords that set the rows of the target apart, the clearest first.

    What the query has already is left out.
    """
    target = np.unique(target)
    if not len(target):
        return ()
    says = np.array([says_something(word) for word in texts.vocabulary], dtype=np.bool_)
    stretches = Stretches.of(texts)
    found: list[tuple[float, str, int, int, tuple[int, ...]]] = []
    for n in range(1, (LONGEST if len(texts.vocabulary) < 2**BITS_PER_WORD else 1) + 1):
        found += _over_represented(texts, stretches, target, n, says)
    found.sort(key=lambda each: (-each[0], each[1]))
    asked = _Asked.of(query, texts, semantics)
    fresh = (each for each in found if not asked.has(each[4]))
    keywords = _keywords(texts, target)
    return tuple(
        Suggestion(text, _kind(words, keywords), z, n_target, n_corpus)
        for (z, text, n_target, n_corpus, words), _ in zip(fresh, range(most), strict=False)
    )


def priced(suggestions: tuple[Suggestion, ...], rescuer: Rescuer, block: int) -> tuple[Suggestion, ...]:
    """The same, each with what it would bring and cost as an alternative to a node."""
    matched = rescuer.asked.matched
    fields = shared_fields(matched.nodes[i] for i in leaves_of_alternatives(matched, block, MOST_LEAVES))
    return tuple(
        replace(each, if_added=rescuer.with_alternative(phrase(tuple(each.text.split()), fields), block))
        for each in suggestions
    )


def _over_represented(
    texts: Texts, stretches: Stretches, target: npt.NDArray[np.integer], n: int, says: Mask
) -> Iterator[tuple[float, str, int, int, tuple[int, ...]]]:
    """Runs of n words: z, text, how many publications of the target and the corpus, numbers of the words.

    `says`: which words may begin or end a run.
    """
    runs = runs_in(texts, target, n)
    kept = says[texts.tokens[runs.starts]] & says[texts.tokens[runs.starts + n - 1]]
    numbers, n_target = counted(packed(texts, runs.starts[kept], n), runs.rows[kept])
    often = np.flatnonzero(n_target >= FEWEST)
    often = np.sort(often[np.argsort(-n_target[often], kind="stable")][:MOST_COUNTED])
    n_corpus = n_publications_with(texts, stretches, numbers[often], n)
    some = n_corpus < texts.n
    often, n_corpus = often[some], n_corpus[some]
    scores = log_odds(n_target_with=n_target[often], n_target=len(target), n_corpus_with=n_corpus, n_corpus=texts.n)
    for i, z, n_all in zip(often.tolist(), scores.tolist(), n_corpus.tolist(), strict=True):
        if z > 0:
            words = unpacked(int(numbers[i]), n)
            yield z, " ".join(texts.vocabulary[w] for w in words), int(n_target[i]), n_all, words


def _keywords(texts: Texts, target: npt.NDArray[np.integer]) -> frozenset[tuple[int, ...]]:
    """Runs of words that several publications of the target have among their keywords."""
    found: set[tuple[int, ...]] = set()
    for n in range(1, LONGEST + 1):
        runs = runs_in(texts, target, n, ("keywords",))
        numbers, n_publications = counted(packed(texts, runs.starts, n), runs.rows)
        found |= {unpacked(int(number), n) for number in numbers[n_publications >= FEWEST]}
    return frozenset(found)


def _kind(words: tuple[int, ...], keywords: frozenset[tuple[int, ...]]) -> SuggestionKind:
    if words in keywords:
        return "keyword"
    return "word" if len(words) == 1 else "phrase"


@dataclass(frozen=True, eq=False)
class _Asked:
    """What a query asks for already, by number of words."""

    texts: Texts
    runs: dict[int, tuple[tuple[Word, ...], ...]]
    stemmed: bool

    @classmethod
    def of(cls, query: Node | None, texts: Texts, semantics: Semantics) -> _Asked:
        chunks = [chunk for term in (() if query is None else terms_in(query)) for chunk in term.chunks]
        lengths = {len(chunk) for chunk in chunks}
        runs = {n: tuple(chunk for chunk in chunks if len(chunk) == n) for n in lengths}
        return cls(texts, runs, semantics == "stemmed")

    def has(self, words: tuple[int, ...]) -> bool:
        """Whether a term of the query, or one of its words if they may stand apart, is this run."""
        return any(all(map(self._is, run, words)) for run in self.runs.get(len(words), ()))

    def _is(self, word: Word, number: int) -> bool:
        if is_literally(word, self.texts.vocabulary[number]):
            return True
        asked = self.texts.number_of.get(str(word)) if self.stemmed and word.is_plain else None
        return asked is not None and bool(self.texts.stems[asked] == self.texts.stems[number])


def first_place(texts: Texts, row: int, term: Term) -> tuple[str, int, int] | None:
    """Field, first and last word where a publication has a word or phrase; None: it does not."""
    if len(term.chunks) != 1:
        return None
    (chunk,) = term.chunks
    for name in texts.fields:
        words = texts.words_of(row, name)
        for first in range(len(words) - len(chunk) + 1):
            if all(is_literally(word, words[first + i]) for i, word in enumerate(chunk)):
                return name, first, first + len(chunk) - 1
    return None


def in_context(texts: Texts, row: int, field: str, first: int, last: int, width: int = WIDTH) -> Snippet:
    """Some words of a field with so many before and after them; … where more follow."""
    words = texts.words_of(row, field)
    low, high = max(first - width, 0), min(last + 1 + width, len(words))
    return Snippet(
        ("… " if low else "") + " ".join(words[low:first]),
        " ".join(words[first : last + 1]),
        " ".join(words[last + 1 : high]) + (" …" if high < len(words) else ""),
    )
