"""Keywords counted in the corpus: the way that needs no model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest
from zlib import crc32

import numpy as np
import numpy.typing as npt

from core.query.matching.texts import Texts
from core.query.repair.candidates import says_something
from core.query.repair.ngrams import BITS_PER_WORD, Numbers, packed, runs_in
from core.query.repair.suggest import Suggestion, suggest
from core.text import STOP_WORDS, words
from core.writer.types import STATISTICS, Brief, Keyword, Mode, Proposal

Rows = npt.NDArray[np.integer]
Counted = tuple[Suggestion, str, int]
"""A term, what it was counted in, and how many publications that are."""
MOST_PROPOSED = 60
COUNTED = 4
"""So many times as many terms are counted as are wanted, since many of them say the same."""
LARGEST_SHARE = 0.5
"""A word that more than this share of the corpus has tells nothing apart, unless the topic's name has it."""
FEWEST_CORE: dict[Mode, int] = {"strict": 3, "moderate": 2, "creative": 2}
"""Core publications in use that must have a term, by mode."""
FROM_CORE: dict[Mode, int] = {"strict": 1, "moderate": 2, "creative": 1}
FROM_NEAR: dict[Mode, int] = {"strict": 0, "moderate": 1, "creative": 1}
"""In turn so many terms of the core publications and of what is close to them."""
MOST_ALIKE = 2
MOST_STANDING_IN = 50
"""Publications with the topic's words that stand in for core publications."""
_SAY_LITTLE = frozenset(
    words("""
    abstract aim aims article articles author authors chapter conclude conclusion conclusions discuss discussed
    discusses finding findings introduce introduced investigate investigated literature objective objectives paper
    papers present presented presents propose proposed proposes publication publications published purpose recent
    recently research researchers result results show showed shown shows studied studies study suggest suggests work
    works
    become becomes besides certain considered consists current currently despite due followed following general given
    however includes including interest known last main mainly many necessary need needed needs new novel often one
    part possible provide provided provides related respectively several significant therefore thereby three two
    various well whereas yet
    """)
)
"""They say that something was written, or join what was written, and not what about."""


def proposals_from_corpus(
    texts: Texts, rows: Rows, *, brief: Brief, near: Rows | None = None, most: int = MOST_PROPOSED
) -> tuple[Proposal, ...]:
    """Words and phrases that set the core publications in use apart, and what is close to them, the clearest first.

    `rows`: those publications in the corpus; where there are none, what has the topic's words stands in for them.
    `near`: publications that the region of the core publications in use accepts. Core publications that are held out
    may be among them, but nothing here says which.
    """
    if len(rows):
        target, name = np.unique(rows), "core publications in use"
    else:
        target, name = _with_topic_words(texts, brief), "publications with the topic's words"
    least = FEWEST_CORE[brief.mode] if len(rows) else 0
    own = (
        (each, name, len(target)) for each in _clear(texts, target, brief, most, by_rows=True) if each.n_target >= least
    )
    close: Iterable[Counted] = ()
    if near is not None and len(near) and FROM_NEAR[brief.mode]:
        around = np.unique(near)
        close = (
            (each, "publications close to them", len(around))
            for each in _clear(texts, around, brief, most, by_rows=False)
        )
    found: dict[str, Proposal] = {}
    for each, what, n in _in_turn(own, close, brief.mode):
        keyword = Keyword(each.text)
        found.setdefault(keyword.key, Proposal(keyword, _reason(each, what, n, texts.n), reading=STATISTICS))
        if len(found) == most:
            break
    return tuple(found.values())


def _in_turn(own: Iterable[Counted], close: Iterable[Counted], mode: Mode) -> Iterator[Counted]:
    """Some of the one, some of the other, until there is no more of either."""
    turns = zip_longest(_by(own, FROM_CORE[mode]), _by(close, FROM_NEAR[mode]), fillvalue=())
    return (each for pair in turns for each in chain(*pair))


def _by(found: Iterable[Counted], n: int) -> Iterator[tuple[Counted, ...]]:
    """So many at a time."""
    left = iter(found)
    while n and (some := tuple(islice(left, n))):
        yield some


def _reason(each: Suggestion, what: str, n: int, n_all: int) -> str:
    return f"In {each.n_target:,} of {n:,} {what} and in {each.n_corpus:,} of {n_all:,} publications."


def _clear(texts: Texts, target: Rows, brief: Brief, most: int, *, by_rows: bool) -> Iterator[Suggestion]:
    """What sets a target apart, without what says nothing or the same as another.

    `by_rows`: terms that the same publications of the target have are taken to say the same too.
    """
    topic, negative = set(words(brief.topic)), [_spaced(words(text)) for text in brief.negative]
    found = [
        each
        for each in suggest(texts, target, semantics=brief.semantics, most=COUNTED * most)
        if _tells(each, texts.n, topic) and not any(text in _spaced(each.text.split()) for text in negative)
    ]
    found = list(_without_fragments(found))
    return _once_each(texts, target, found) if by_rows else iter(found)


def _tells(each: Suggestion, n: int, topic: set[str]) -> bool:
    parts = each.text.split()
    if parts[0] in _SAY_LITTLE or parts[-1] in _SAY_LITTLE:
        return False
    return each.n_corpus <= LARGEST_SHARE * n or bool(topic & set(parts))


def _without_fragments(found: list[Suggestion]) -> Iterator[Suggestion]:
    """Of a phrase and a part of it that occurs nowhere else only the shorter is kept; but of two words that occur only
    side by side, the phrase."""
    n_of = {each.text: each.n_corpus for each in found}
    pairs = {
        each.text: tuple(each.text.split())
        for each in found
        if each.text.count(" ") == 1 and all(n_of.get(word) == each.n_corpus for word in each.text.split())
    }
    halves = {word for pair in pairs.values() for word in pair}
    by_size: dict[int, list[str]] = {}
    for each in found:
        if each.text not in halves:
            by_size.setdefault(each.n_corpus, []).append(each.text)
    for each in found:
        shorter = (text for text in by_size.get(each.n_corpus, ()) if len(text) < len(each.text))
        if each.text not in halves and not any(_spaced(s.split()) in _spaced(each.text.split()) for s in shorter):
            yield each


def _spaced(parts: list[str]) -> str:
    return f" {' '.join(parts)} "


def _once_each(texts: Texts, target: Rows, found: list[Suggestion]) -> Iterator[Suggestion]:
    """Two at most of the terms that stand in the same publications of the target and in as many of the corpus: they
    tend to come from one sentence."""
    runs = {n: runs_in(texts, target, n) for n in {len(each.text.split()) for each in found}}
    numbers = {n: packed(texts, run.starts, n) for n, run in runs.items()}
    n_alike: Counter[tuple[int, bytes]] = Counter()
    for each in found:
        parts = each.text.split()
        here = numbers[len(parts)] == _number(texts, parts)
        sign = each.n_corpus, np.unique(runs[len(parts)].rows[here]).tobytes()
        n_alike[sign] += 1
        if n_alike[sign] <= MOST_ALIKE:
            yield each


def _number(texts: Texts, parts: list[str]) -> int:
    number = 0
    for part in parts:
        number = number << BITS_PER_WORD | texts.number_of[part]
    return number


def _with_topic_words(texts: Texts, brief: Brief) -> Numbers:
    """The publications that have most of the topic's words; none has not a single one.

    Ties go by what they say, not by rows: core publications have the first rows of a corpus, those held out too.
    """
    wanted = [word for word in dict.fromkeys(words(brief.topic)) if word not in STOP_WORDS and says_something(word)]
    has = np.zeros(texts.n, dtype=np.int64)
    row_of = np.repeat(np.arange(texts.n), texts.lengths.sum(axis=1))
    for word in wanted:
        if (number := texts.number_of.get(word)) is not None:
            has[np.unique(row_of[texts.tokens == number])] += 1
    best = sorted(np.flatnonzero(has).tolist(), key=lambda row: (-int(has[row]), _sign(texts, row)))
    return np.sort(np.array(best[:MOST_STANDING_IN], dtype=np.intp))


def _sign(texts: Texts, row: int) -> int:
    """The same for the same words, and in no order that means anything."""
    said = (texts.tokens_of(row, field) for field in texts.fields)
    return crc32(b"|".join(each.astype(np.int64).tobytes() for each in said))
