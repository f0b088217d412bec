"""Suggest terms to add to a query and alternatives to remove or keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.library.mesh import MeshHeading, MeshThesaurus, heading_key
from core.query.checks.headings import is_mesh
from core.query.contributions import MatchedQuery, Stakes
from core.query.evidence import added_heading, headings_in, is_literally
from core.query.explanations import (
    FEWEST,
    MOST_LEAVES,
    Rescue,
    Rescuer,
    fewest_with_term,
    is_inside_not,
    leaves_of_alternatives,
    phrase,
    says_something,
    shared_fields,
)
from core.query.match import (
    Bits,
    Corpus,
    CorpusTexts,
    MatchedTree,
    Semantics,
    combine,
    combined,
    count,
    none_of,
    rows_of,
)
from core.query.tree import Group, Heading, Leaf, Node, Not, ParsedQuery, Span, Term, Word, terms_in, walk, written
from core.text import PUBLISHER_WORDS, words
from core.types import Floats, Mask, unique_ids

# Words and short phrases as numbers, counted by publication over a whole corpus at once.

Numbers = npt.NDArray[np.int64]
BITS_PER_WORD = 21
"""Three words fit into one number if the vocabulary has at most two million words."""
LONGEST = 3
ROWS_AT_ONCE = 250
"""At most as many as a byte can count."""


@dataclass(frozen=True, eq=False)
class Runs:
    """Runs of n words inside one field, by the places where they begin."""

    n: int
    starts: Numbers
    """Places in `Texts.tokens`."""
    rows: Numbers
    """The publication of each run."""


def packed(texts: CorpusTexts, starts: Numbers, n: int) -> Numbers:
    """Pack the n words from each place on into one number."""
    out = texts.tokens[starts].astype(np.int64)
    for i in range(1, n):
        out = (out << BITS_PER_WORD) | texts.tokens[starts + i]
    return out


def unpacked(number: int, n: int) -> tuple[int, ...]:
    """Unpack the numbers of the words.

    >>> unpacked((5 << BITS_PER_WORD) | 7, 2)
    (5, 7)
    """
    mask = (1 << BITS_PER_WORD) - 1
    return tuple((number >> (BITS_PER_WORD * i)) & mask for i in range(n - 1, -1, -1))


def runs_in(texts: CorpusTexts, rows: npt.NDArray[np.integer], n: int, fields: tuple[str, ...] | None = None) -> Runs:
    """Find all runs of n words in some fields of some publications; None: in every field."""
    chosen = [texts.fields.index(f) for f in (texts.fields if fields is None else fields) if f in texts.fields]
    parts = (rows.astype(np.int64)[:, None] * len(texts.fields) + np.array(chosen, dtype=np.int64)).ravel()
    first, lengths = texts.starts[parts], np.maximum(np.diff(texts.starts)[parts] - (n - 1), 0)
    before = np.cumsum(lengths) - lengths
    starts = np.arange(int(lengths.sum()), dtype=np.int64) + np.repeat(first - before, lengths)
    whole = _unbroken(texts, starts, n)
    return Runs(n, starts[whole], np.repeat(parts // len(texts.fields), lengths)[whole])


def _unbroken(texts: CorpusTexts, starts: Numbers, n: int) -> npt.NDArray[np.bool_]:
    """Return a mask of the runs that do not cross punctuation or the end of a keyword."""
    bounds = texts.pauses if len(texts.pauses) else texts.breaks
    if n == 1 or not len(bounds):
        return np.ones(len(starts), dtype=np.bool_)
    first, last = (np.searchsorted(bounds, starts + i, side="right") for i in (0, n - 1))
    return np.equal(first, last)


def counted(runs: Numbers, rows: Numbers) -> tuple[Numbers, Numbers]:
    """Return distinct runs, ascending, and the number of publications with each."""
    order = np.lexsort((rows, runs))
    runs, rows = runs[order], rows[order]
    new_run = np.concatenate(([True], runs[1:] != runs[:-1]))[: len(runs)]
    new_pair = new_run | np.concatenate(([True], rows[1:] != rows[:-1]))[: len(runs)]
    at = np.flatnonzero(new_run)
    n_publications = np.add.reduceat(new_pair.astype(np.int64), at) if len(at) else np.zeros(0, dtype=np.int64)
    return runs[at], n_publications


@dataclass(frozen=True, eq=False)
class Stretches:
    """Runs of words that no phrase crosses: a field, or one of several keywords."""

    of_token: npt.NDArray[np.int32]
    """The stretch of every word of the corpus."""
    rows: npt.NDArray[np.int32]
    """The publication of every stretch."""

    @classmethod
    def of(cls, texts: CorpusTexts) -> Stretches:
        bounds = np.sort(np.concatenate([texts.starts, texts.breaks]))
        rows = (np.searchsorted(texts.starts, bounds[:-1], side="right") - 1) // len(texts.fields)
        of_token = np.repeat(np.arange(len(bounds) - 1, dtype=np.int32), np.diff(bounds))
        return cls(of_token, rows.astype(np.int32))


def n_publications_with(texts: CorpusTexts, stretches: Stretches, wanted: Numbers, n: int) -> Numbers:
    """Count the publications of the corpus with each of these runs of n words; no run is listed twice."""
    if not len(wanted):
        return np.zeros(0, dtype=np.int64)
    starts, place = _found(texts, wanted, n)
    stretch = stretches.of_token[starts]
    if n > 1:
        whole = stretch == stretches.of_token[starts + (n - 1)]
        stretch, place = stretch[whole], place[whole]
    return _n_rows_with(stretches.rows[stretch], place, len(wanted))


def _found(texts: CorpusTexts, wanted: Numbers, n: int) -> tuple[Numbers, npt.NDArray[np.int32]]:
    starts = np.zeros(0, dtype=np.int64)
    ids = np.zeros(0, dtype=np.int32)
    of_wanted = np.zeros(len(wanted), dtype=np.int64)
    for i in range(n):
        words = (wanted >> (BITS_PER_WORD * (n - 1 - i))) & ((1 << BITS_PER_WORD) - 1)
        different = np.array(sorted(set(words.tolist())), dtype=np.int64)
        column_of = np.full(len(texts.vocabulary), len(different), dtype=np.int32)
        column_of[different] = np.arange(len(different), dtype=np.int32)
        begun = of_wanted * len(different) + column_of[words]
        known = np.array(sorted(set(begun.tolist())), dtype=np.int64)
        next_id = np.full((int(of_wanted.max()) + 1, len(different) + 1), -1, dtype=np.int32)
        next_id[known // len(different), known % len(different)] = np.arange(len(known), dtype=np.int32)
        if i:
            ids = next_id[ids, column_of[texts.tokens[starts + i]]]
            starts, ids = starts[ids >= 0], ids[ids >= 0]
        else:
            columns = column_of[texts.tokens[: max(len(texts.tokens) - (n - 1), 0)]]
            starts = np.flatnonzero(columns < len(different)).astype(np.int64)
            ids = columns[starts]
        of_wanted = np.searchsorted(known, begun)
    place_of = np.zeros(len(wanted), dtype=np.int32)
    place_of[of_wanted] = np.arange(len(wanted), dtype=np.int32)
    return starts, place_of[ids]


def _n_rows_with(rows: npt.NDArray[np.int32], place: npt.NDArray[np.int32], n_places: int) -> Numbers:
    """Count the rows with each place; rows ascend. A table covers some rows at a time."""
    total = np.zeros(n_places, dtype=np.int64)
    table = np.zeros((ROWS_AT_ONCE, n_places), dtype=np.uint8)
    last = int(rows[-1]) if len(rows) else -1
    cuts = np.searchsorted(rows, np.arange(0, last + 1 + ROWS_AT_ONCE, ROWS_AT_ONCE))
    for low, high in pairwise(cuts.tolist()):
        table[:] = 0
        table[rows[low:high] % ROWS_AT_ONCE, place[low:high]] = 1
        total += table.sum(axis=0, dtype=np.uint8)
    return total


# Publishers' copyright notices in abstracts, such as "© 2019 Elsevier Ltd. All rights reserved.".

TAIL = 60
"""Words at the end of an abstract among which a copyright sentence may begin."""
LONGEST_SENTENCE = 14
"""Maximum number of words of a notice between two punctuation marks."""
_EARLIEST, _LATEST = 1950, 2100
_OTHER_OWNERS = """
    the c by author authors blackwell sage taylor oxford bmj plos dove
"""
_OWNERS = PUBLISHER_WORDS | frozenset(_OTHER_OWNERS.split())
"""Words that follow a year or the word copyright in a notice."""
_FORMS = frozenset({"ltd", "inc", "llc", "gmbh", "bv"})


def boilerplate_mask(texts: CorpusTexts, rows: npt.NDArray[np.integer]) -> Mask:
    """Return a mask of the words of these publications that belong to a copyright notice."""
    found = np.zeros(len(texts.tokens), dtype=np.bool_)
    if "abstract" not in texts.fields:
        return found
    place = texts.fields.index("abstract")
    for row in rows.tolist():
        k = row * len(texts.fields) + place
        start, end = int(texts.starts[k]), int(texts.starts[k + 1])
        for first, last in _notices(texts, start, end):
            found[first:last] = True
    return found


def _notices(texts: CorpusTexts, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the places of a notice in a field. From its first part on, all short parts up to the end belong to it."""
    tail = max(start, end - TAIL)
    low, high = np.searchsorted(texts.pauses, [tail, end], side="right")
    bounds = [tail, *texts.pauses[low:high].tolist(), end]
    parts = [[texts.vocabulary[i] for i in texts.tokens[a:b].tolist()] for a, b in pairwise(bounds)]
    is_begun = False
    for number, part in enumerate(parts):
        behind = parts[number + 1] if number + 1 < len(parts) else []
        begins = 0 if part == ["copyright"] and _continues(behind) else _notice_begins(part)
        if begins is not None and len(part) - begins <= LONGEST_SENTENCE:
            yield bounds[number] + begins, bounds[number + 1]
            is_begun = True
        elif is_begun and len(part) <= LONGEST_SENTENCE:
            yield bounds[number], bounds[number + 1]


def _continues(part: Sequence[str]) -> bool:
    """Return True for what follows "Copyright" in "Copyright (c) 2019", where brackets separate the parts."""
    return part == ["c"] or (len(part) > 0 and _is_year(part[0]))


def _notice_begins(part: Sequence[str]) -> int | None:
    """Return the place in a part where a notice begins; None: it is none.

    >>> _notice_begins("2019 elsevier ltd".split()), _notice_begins("we published by hand".split())
    (0, None)
    """
    if not part:
        return None
    if _is_year(part[0]) and (set(part[1:2]) & _OWNERS or set(part) & (PUBLISHER_WORDS | _FORMS)):
        return 0
    for i, word in enumerate(part):
        behind = part[i + 1] if i + 1 < len(part) else ""
        if word == "rights" and behind == "reserved":
            return max(0, i - 1)
        if word == "copyright" and (_is_year(behind) or behind in _OWNERS):
            return i
        if word == "published" and behind == "by" and set(part[i + 2 :]) & {*_OWNERS, *_FORMS, "press"} - {"the"}:
            return i
    return None


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and _EARLIEST <= int(word) <= _LATEST


# Words and phrases that distinguish some publications from the corpus, as additions to a query.

SuggestionKind = Literal["word", "phrase", "keyword", "heading"]
MOST_COUNTED = 4000
"""Maximum number of terms of one length counted over the corpus: those with the most publications of the target."""
MOST_SUGGESTED = 30
PRIOR = 10.0
"""Weight, in publications, of the prior that a term is as frequent in the target as in the corpus."""
WIDTH = 8


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A term that is more frequent in the target than the corpus leads one to expect."""

    text: str
    kind: SuggestionKind
    """keyword: at least two publications of the target have it among their keywords. heading: a subject heading."""
    z: float
    """Log-odds against the corpus in standard errors: 2 or more is rarely chance."""
    n_target: int
    n_corpus: int
    if_added: Rescue | None = None
    """Its gain and cost as an alternative to a block; None: not requested, or it can't be tested."""


@dataclass(frozen=True, slots=True)
class Snippet:
    before: str
    words: str
    after: str


def worth_a_look(asked: MatchedQuery) -> Bits:
    """Return missed core publications, and accepted publications that are not retrieved.

    Publications that the text matches but its version does not hold are excluded: no term would add them.
    """
    return (asked.stakes.core | asked.stakes.accepted) & ~(asked.retrieved | asked.matches)


def log_odds(*, n_target_with: Numbers, n_target: int, n_corpus_with: Numbers, n_corpus: int) -> Floats:
    """Compute how much more often a term is in the target than in the corpus, in standard errors.

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
    texts: CorpusTexts,
    target: npt.NDArray[np.integer],
    *,
    query: Node | None = None,
    semantics: Semantics = "literal",
    most: int = MOST_SUGGESTED,
) -> tuple[Suggestion, ...]:
    """Suggest words, phrases of two and three words and keywords that distinguish the target rows, clearest first.

    Terms that the query already has are excluded, and so are publishers' copyright notices.
    """
    target = np.unique(target)
    if not len(target):
        return ()
    says = np.array([says_something(word) for word in texts.vocabulary], dtype=np.bool_)
    stretches, boilerplate = Stretches.of(texts), boilerplate_mask(texts, target)
    found: list[tuple[float, str, int, int, tuple[int, ...]]] = []
    for n in range(1, (LONGEST if len(texts.vocabulary) < 2**BITS_PER_WORD else 1) + 1):
        found += _over_represented(texts, stretches, target, n, says, boilerplate)
    found.sort(key=lambda each: (-each[0], each[1]))
    asked = _Asked.of(query, texts, semantics)
    fresh = (each for each in found if not asked.has(each[4]))
    keywords = _keywords(texts, target)
    return tuple(
        Suggestion(text, _kind(words, keywords), z, n_target, n_corpus)
        for (z, text, n_target, n_corpus, words), _ in zip(fresh, range(most), strict=False)
    )


def priced(suggestions: tuple[Suggestion, ...], rescuer: Rescuer, block: int) -> tuple[Suggestion, ...]:
    matched = rescuer.asked.matched
    fields = shared_fields(matched.nodes[i] for i in leaves_of_alternatives(matched, block, MOST_LEAVES))
    return tuple(replace(each, if_added=rescuer.with_alternative(_leaf(each, fields), block)) for each in suggestions)


def _leaf(suggestion: Suggestion, fields: tuple[str, ...]) -> Term | Heading:
    if suggestion.kind == "heading":
        return added_heading(suggestion.text)
    return phrase(tuple(suggestion.text.split()), fields)


def _over_represented(
    texts: CorpusTexts, stretches: Stretches, target: npt.NDArray[np.integer], n: int, says: Mask, boilerplate: Mask
) -> Iterator[tuple[float, str, int, int, tuple[int, ...]]]:
    """Yield runs of n words: z, text, number of publications in the target and in the corpus, numbers of the words.

    `says`: mask of the words that may begin or end a run; `boilerplate`: mask of the places that are not counted.
    """
    runs = runs_in(texts, target, n)
    kept = says[texts.tokens[runs.starts]] & says[texts.tokens[runs.starts + n - 1]]
    kept &= ~(boilerplate[runs.starts] | boilerplate[runs.starts + n - 1])
    numbers, n_target = counted(packed(texts, runs.starts[kept], n), runs.rows[kept])
    often = np.flatnonzero(n_target >= fewest_with_term(texts.n))
    often = np.sort(often[np.argsort(-n_target[often], kind="stable")][:MOST_COUNTED])
    n_corpus = n_publications_with(texts, stretches, numbers[often], n)
    some = n_corpus < texts.n
    often, n_corpus = often[some], n_corpus[some]
    scores = log_odds(n_target_with=n_target[often], n_target=len(target), n_corpus_with=n_corpus, n_corpus=texts.n)
    for i, z, n_all in zip(often.tolist(), scores.tolist(), n_corpus.tolist(), strict=True):
        if z > 0:
            words = unpacked(int(numbers[i]), n)
            yield z, " ".join(texts.vocabulary[w] for w in words), int(n_target[i]), n_all, words


def _keywords(texts: CorpusTexts, target: npt.NDArray[np.integer]) -> frozenset[tuple[int, ...]]:
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
    texts: CorpusTexts
    runs: dict[int, tuple[tuple[Word, ...], ...]]
    stemmed: bool

    @classmethod
    def of(cls, query: Node | None, texts: CorpusTexts, semantics: Semantics) -> _Asked:
        chunks = [chunk for term in (() if query is None else terms_in(query)) for chunk in term.chunks]
        lengths = {len(chunk) for chunk in chunks}
        runs = {n: tuple(chunk for chunk in chunks if len(chunk) == n) for n in lengths}
        return cls(texts, runs, semantics == "stemmed")

    def has(self, words: tuple[int, ...]) -> bool:
        return any(all(map(self._is, run, words)) for run in self.runs.get(len(words), ()))

    def _is(self, word: Word, number: int) -> bool:
        if is_literally(word, self.texts.vocabulary[number]):
            return True
        asked = self.texts.number_of.get(str(word)) if self.stemmed and word.is_plain else None
        return asked is not None and bool(self.texts.stems[asked] == self.texts.stems[number])


def first_place(texts: CorpusTexts, row: int, term: Term) -> tuple[str, int, int] | None:
    """Find the first place of a word or phrase in a publication: field, first and last word; None: there is none."""
    if len(term.chunks) != 1:
        return None
    (chunk,) = term.chunks
    for name in texts.fields:
        words = texts.words_of(row, name)
        for first in range(len(words) - len(chunk) + 1):
            if all(is_literally(word, words[first + i]) for i, word in enumerate(chunk)):
                return name, first, first + len(chunk) - 1
    return None


def in_context(texts: CorpusTexts, row: int, field: str, first: int, last: int, width: int = WIDTH) -> Snippet:
    """Return some words of a field with `width` words before and after them; … where more follow."""
    words = texts.words_of(row, field)
    low, high = max(first - width, 0), min(last + 1 + width, len(words))
    return Snippet(
        ("… " if low else "") + " ".join(words[low:first]),
        " ".join(words[first : last + 1]),
        " ".join(words[last + 1 : high]) + (" …" if high < len(words) else ""),
    )


# The alternatives of a query as switches: its result with some of them off, and with offered ones on.


@dataclass(frozen=True, eq=False)
class Switches:
    """The query with every offered term in it. A wording is a number with one bit for each node that is off."""

    nodes: tuple[Node, ...]
    sets: dict[int, Bits | None]
    n: int
    original: dict[int, int]
    """Numbers here and in the query; offered terms are missing."""
    group_of: dict[int, int]
    """The OR of every leaf that can be switched."""
    start: int
    """The wording of the query as it is."""
    settled: Callable[[Bits], Bits]
    """Returns the publications retrieved by a wording that matches these."""

    def matched(self, off: int) -> MatchedTree:
        everything = self._with_all
        sets: list[Bits | None] = [None if off >> i & 1 else bits for i, bits in enumerate(everything.sets)]
        for i in self._inner:
            if i in self._unjudged:
                sets[i] = None
            elif not off >> i & 1:
                sets[i] = combined(self.nodes[i], [sets[c] for c in everything.children[i]], self.n)
        off_here = frozenset(i for i in range(len(sets)) if off >> i & 1)
        return replace(everything, sets=tuple(sets), off=off_here)

    def retrieved(self, off: int) -> Bits:
        root = self.matched(off).root
        return self.settled(none_of(self.n) if root is None else root)

    def n_terms(self, off: int) -> int:
        return (self._leaves & ~off).bit_count()

    def left_out(self, off: int) -> tuple[int, ...]:
        gone = off & ~self.start
        return tuple(number for i, number in self.original.items() if gone >> i & 1)

    def added(self, off: int) -> tuple[tuple[int, Term], ...]:
        here = self.start & ~off
        return tuple(
            (self.original[group], node)
            for i, group in self.group_of.items()
            if here >> i & 1 and isinstance(node := self.nodes[i], Term)
        )

    def one_switch_away(self, off: int, *, may_leave_out: bool) -> list[tuple[int, Bits]]:
        """Return every wording with one term more or fewer, and its result. An OR keeps at least one part."""
        matched = self.matched(off)
        n_parts = {group: _n_parts(matched, group) for group in set(self.group_of.values())}
        out: list[tuple[int, Bits]] = []
        for i, group in self.group_of.items():
            bits, before = self.sets[i], matched.sets[group]
            if bits is None or before is None or matched.contexts[group] is None:
                continue
            if off >> i & 1:
                after = matched.put(group, before | bits)
            elif may_leave_out and n_parts[group] > 1:
                after = matched.put(i, None)
            else:
                continue
            if after is not None:
                out.append((off ^ 1 << i, self.settled(after)))
        return out

    def tidied(self, off: int) -> int:
        """Switch off the terms that change nothing, those with the fewest matches first."""
        sizes = {i: count(bits) for i in self.group_of if (bits := self.sets[i]) is not None}
        matched = self.matched(off)
        for i in sorted(sizes, key=lambda i: (sizes[i], -i)):
            if off >> i & 1:
                continue
            if matched.contexts[i] is None or _n_parts(matched, self.group_of[i]) < 2:
                continue
            without, root = matched.put(i, None), matched.root
            if without is not None and root is not None and not (without ^ root).any():
                off |= 1 << i
                matched = self.matched(off)
        return off

    @cached_property
    def _with_all(self) -> MatchedTree:
        return combine(self.nodes, self.sets, self.n)

    @cached_property
    def _unjudged(self) -> frozenset[int]:
        """ANDs inside a NOT that can't be tested: nothing in them can be switched."""
        off = [i for i in range(len(self.nodes)) if self.start >> i & 1]
        return combine(self.nodes, self.sets, self.n, off).unjudged

    @cached_property
    def _inner(self) -> tuple[int, ...]:
        return tuple(i for i in range(len(self.nodes) - 1, -1, -1) if isinstance(self.nodes[i], Group | Not))

    @cached_property
    def _leaves(self) -> int:
        return sum(1 << i for i in self.sets)


def _n_parts(matched: MatchedTree, group: int) -> int:
    return sum(matched.sets[c] is not None for c in matched.children[group])


def switches(asked: MatchedQuery, offered: Mapping[int, tuple[Term, ...]]) -> Switches:
    """Make switches of the alternatives of all ORs outside NOTs, and of offered terms, which are off at first.

    Nodes that are off in the query stay off.
    """
    nodes, original, offered_at = _with_offered(asked.matched, offered)
    number_here = {number: i for i, number in original.items()}
    sets = {i: asked.look_up(node) for i, node in enumerate(nodes) if not isinstance(node, Group | Not)}
    matched = combine(nodes, sets, asked.matched.n)
    always_off = {number_here[number] for number in asked.matched.off}
    group_of = {
        i: group
        for i, bits in sets.items()
        if bits is not None
        and i not in always_off
        and (group := matched.parents[i]) >= 0
        and _is_or(nodes[group])
        and not is_inside_not(matched, i)
    }
    start = sum(1 << i for i in always_off | offered_at)
    return Switches(nodes, sets, asked.matched.n, original, group_of, start, asked.settled)


def _is_or(node: Node) -> bool:
    return isinstance(node, Group) and node.operator == "OR"


def _with_offered(
    matched: MatchedTree, offered: Mapping[int, tuple[Term, ...]]
) -> tuple[tuple[Node, ...], dict[int, int], set[int]]:
    built = list(matched.nodes)
    new: dict[int, Term] = {}
    for i in range(len(built) - 1, -1, -1):
        node, parts = built[i], tuple(built[c] for c in matched.children[i])
        if isinstance(node, Group):
            copies = tuple(replace(term) for term in offered.get(i, ()))
            new.update((id(term), term) for term in copies)
            built[i] = replace(node, parts=(*parts, *copies))
        elif isinstance(node, Not):
            built[i] = replace(node, part=parts[0])
    nodes = tuple(walk(built[0])) if built else ()
    offered_at = {i for i, node in enumerate(nodes) if id(node) in new}
    kept = (i for i in range(len(nodes)) if i not in offered_at)
    return nodes, dict(zip(kept, range(len(matched.nodes)), strict=True)), offered_at


# Searches the alternatives to keep and to add for the best F-beta, and shows overfitting.

BEAM = 8
MOST_STEPS = 60
MOST_TRIED = 20_000
"""Maximum number of wordings that are scored."""
PATIENCE = 4
"""Number of steps without a better wording after which the search ends."""


@dataclass(frozen=True, slots=True)
class Limits:
    min_recall: float = 0.0
    """Minimum share of the core publications found; a query that finds fewer must at least not lose more."""
    most_retrieved: int | None = None
    """None: no maximum."""


@dataclass(frozen=True, slots=True)
class WordingScores:
    recall: float
    f_beta: float | None


@dataclass(frozen=True, slots=True)
class ReshapingScores:
    n_core: int
    before: WordingScores
    after: WordingScores


@dataclass(frozen=True, eq=False)
class QueryReshaping:
    left_out: tuple[int, ...]
    """Nodes of the query that are left out, besides those already off."""
    added: tuple[tuple[int, Term], ...]
    """Added terms, each with the OR that it goes into."""
    n_before: int
    n_after: int
    """The number of publications retrieved, before and after."""
    everything: ReshapingScores
    searched_with: ReshapingScores
    """The same search with only half of the core publications, scored on that half."""
    held_out: ReshapingScores | None
    """The same, scored on the other half: a gain on the first and a loss here is overfitting. None: no other half."""
    n_tried: int

    @property
    def changes_nothing(self) -> bool:
        return not self.left_out and not self.added


def slim_down(asked: MatchedQuery, limits: Limits, *, seed: int = 0) -> QueryReshaping:
    """Leave out alternatives of ORs while F-beta improves and the limits hold; those that change nothing go too."""
    return _reshaped(asked, switches(asked, {}), limits, seed, may_leave_out=True)


def widen(
    asked: MatchedQuery,
    additions: Mapping[int, Iterable[Term]],
    limits: Limits,
    *,
    may_leave_out: bool = True,
    seed: int = 0,
) -> QueryReshaping:
    """Choose among offered terms, given by the number of an OR, and leave out others if that pays off."""
    offered = {number: tuple(terms) for number, terms in additions.items()}
    for number in offered:
        node = asked.matched.nodes[number] if 0 <= number < len(asked.matched.nodes) else None
        if not (isinstance(node, Group) and node.operator == "OR"):
            raise InputError(f"terms can only be added to an OR, and node {number} is none")
    return _reshaped(asked, switches(asked, offered), limits, seed, may_leave_out=may_leave_out)


def _reshaped(
    asked: MatchedQuery, board: Switches, limits: Limits, seed: int, *, may_leave_out: bool
) -> QueryReshaping:
    search = _Search(board, asked.stakes, limits, may_leave_out)
    best = search.run()
    before, after = board.retrieved(board.start), board.retrieved(best.off)
    own, other = halves(asked.stakes, asked.matched.n, seed)
    again = _Search(board, own, limits, may_leave_out)
    by_half = board.retrieved(again.run().off) if other is not None else after
    return QueryReshaping(
        left_out=board.left_out(best.off),
        added=board.added(best.off),
        n_before=count(before),
        n_after=count(after),
        everything=_half(asked.stakes, before, after),
        searched_with=_half(own, before, by_half),
        held_out=None if other is None else _half(other, before, by_half),
        n_tried=search.n_tried + again.n_tried,
    )


def _half(stakes: Stakes, before: Bits, after: Bits) -> ReshapingScores:
    first, second = (WordingScores(stakes.recall(bits), stakes.f_beta(bits)) for bits in (before, after))
    return ReshapingScores(stakes.n_core, first, second)


def halves(stakes: Stakes, n: int, seed: int) -> tuple[Stakes, Stakes | None]:
    """Split the core publications of the stakes in halves, the same for the same seed; the first has one more if their
    number is odd. None: there is only one half."""
    rows = rows_of(stakes.core)
    mixed = np.random.default_rng(seed).permutation(stakes.n_core)
    cut = -(-stakes.n_core // 2)
    parts = [mixed[:cut], mixed[cut:]]
    one, other = (stakes.with_core(rows[part[part < len(rows)]], len(part), n) for part in parts)
    return one, other if other.n_core else None


@dataclass(frozen=True, slots=True)
class _State:
    off: int
    """One bit for each node that is off."""
    rank: tuple[float, float, float, int]
    """Missing recall, excess publications, minus F-beta, terms: less is better."""


@dataclass(eq=False)
class _Search:
    board: Switches
    stakes: Stakes
    limits: Limits
    may_leave_out: bool
    n_tried: int = 0

    def run(self) -> _State:
        start = self.board.start
        beam = self._ranked([start], [self.board.retrieved(start)])
        if self.may_leave_out:
            tidied = self.board.tidied(start)
            beam += self._ranked([tidied], [self.board.retrieved(tidied)])
        best, stale = min(beam, key=lambda state: state.rank), 0
        seen = {state.off for state in beam}
        for _ in range(MOST_STEPS):
            found = [state for each in beam for state in self._next(each, seen)]
            beam = sorted(found, key=lambda state: (state.rank, state.off))[:BEAM]
            if not beam or self.n_tried >= MOST_TRIED:
                break
            stale = 0 if beam[0].rank < best.rank else stale + 1
            best = min(best, beam[0], key=lambda state: state.rank)
            if stale >= PATIENCE:
                break
        if not self.may_leave_out:
            return best
        tidied = self.board.tidied(best.off)
        return self._ranked([tidied], [self.board.retrieved(tidied)])[0]

    def _next(self, state: _State, seen: set[int]) -> list[_State]:
        ways = self.board.one_switch_away(state.off, may_leave_out=self.may_leave_out)
        fresh = [(off, bits) for off, bits in ways if off not in seen]
        seen.update(off for off, _ in fresh)
        return self._ranked([off for off, _ in fresh], [bits for _, bits in fresh])

    def _ranked(self, offs: list[int], sets: list[Bits]) -> list[_State]:
        if not offs:
            return []
        self.n_tried += len(offs)
        stack = np.stack(sets)
        missing, too_many = self.stakes.beyond_limits(
            stack, min_recall=self.limits.min_recall, most=self.limits.most_retrieved
        )
        scores = np.nan_to_num(self.stakes.f_betas(stack), nan=-1.0).round(12).tolist()
        return [
            _State(off, (missing[i], too_many[i], -scores[i], self.board.n_terms(off))) for i, off in enumerate(offs)
        ]


# Headings that distinguish the publications that a query misses.

MOST_LOOKED_UP = 40
MOST_HEADINGS = 10


def suggest_carried(asked: MatchedQuery, number: int, most: int = MOST_HEADINGS) -> tuple[Suggestion, ...]:
    """Suggest headings to add to a node: those typical of what the query misses, and those that its terms name.

    Numbers count narrower headings too, because a heading is added with them. Empty: no record carries headings, or
    the query takes none.
    """
    carried, target = asked.headings, worth_a_look(asked)
    rows = rows_of(target)
    if carried is None or not len(rows):
        return ()
    n, n_target = asked.matched.n, len(rows)
    is_shared, n_with = carried.shared(rows, FEWEST)
    places = np.flatnonzero(is_shared)
    z = _z(n_with[places], n_target, carried.index.n_publications_with()[places], n)
    typical = [carried.index.names[places[i]] for i in np.argsort(-z, kind="stable")[:MOST_LOOKED_UP] if z[i] > 0]
    named = set(carried.meant(asked.matched.nodes[number]))
    there = headings_in(asked.matched.nodes[0])
    found = []
    for name in unique_ids((*typical, *sorted(named))):
        bits = None if heading_key(name) in there else asked.look_up(added_heading(name))
        if bits is None:
            continue
        n_found, n_all = count(bits & target), count(bits)
        if n_found < (1 if name in named else FEWEST):
            continue
        clear = float(_z(np.array([n_found]), n_target, np.array([n_all]), n)[0])
        if clear > 0:
            found.append(Suggestion(name, "heading", clear, n_found, n_all))
    return tuple(sorted(found, key=lambda s: (-s.z, s.text))[:most])


def _z(n_with: npt.NDArray[np.int64], n_target: int, n_all: npt.NDArray[np.int64], n: int) -> Floats:
    """Return log-odds; 0 for what every publication of the corpus has."""
    z = np.zeros(len(n_with))
    some = n_all < n
    z[some] = log_odds(n_target_with=n_with[some], n_target=n_target, n_corpus_with=n_all[some], n_corpus=n)
    return z


# Entry terms of MeSH headings as text words, and headings for text words.


@dataclass(frozen=True, slots=True)
class HeadingSuggestion:
    kind: Literal["text word", "heading"]
    text: str
    reason: str
    """The heading or the text word that it belongs to."""
    span: Span
    """The place of that one in the search string."""
    n_hits: int | None
    """None: it can't be tested here."""
    n_core: int | None


def suggest_headings(
    parsed: ParsedQuery, mesh: MeshThesaurus, corpus: Corpus, semantics: Semantics, core_rows: Bits
) -> tuple[HeadingSuggestion, ...]:
    """Return suggestions with hits and core publications, those with most core first; each text once."""
    found: dict[tuple[str, str], HeadingSuggestion] = {}
    for kind, text, reason, span, leaf in _candidates(parsed, mesh):
        if (kind, heading_key(text)) in found:
            continue
        bits = corpus.look_up(leaf, semantics)
        n_hits, n_core = (None, None) if bits is None else (count(bits), count(bits & core_rows))
        found[kind, heading_key(text)] = HeadingSuggestion(kind, text, reason, span, n_hits, n_core)
    return tuple(sorted(found.values(), key=lambda s: (-(s.n_core or 0), -(s.n_hits or 0), s.text.casefold())))


_Candidate = tuple[Literal["text word", "heading"], str, str, Span, Leaf]


def _candidates(parsed: ParsedQuery, mesh: MeshThesaurus) -> Iterator[_Candidate]:
    if parsed.root is None:
        return
    headings = [node for node in walk(parsed.root) if isinstance(node, Heading) and is_mesh(node, parsed)]
    terms = [(heading_key(written(term.pieces)), term) for term in terms_in(parsed.root)]
    has_term = {key for key, _ in terms}
    has_heading = {heading_key(node.name) for node in headings}
    for node in headings:
        if (known := mesh.find(node.name)) is None:
            continue
        for text in (known.name, *known.entry_terms):
            term = Term((text,), quoted=True)
            if heading_key(text) not in has_term and term.chunks and not _is_inverted(text, known):
                yield "text word", text, known.name, node.span, term
    for _, term in terms:
        for heading in _meant(mesh, written(term.pieces)):
            if heading_key(heading.name) not in has_heading:
                yield "heading", heading.name, written(term.pieces), term.span, Heading(heading.name, thesaurus="mesh")


def _meant(mesh: MeshThesaurus, text: str) -> tuple[MeshHeading, ...]:
    known = mesh.find(text)
    return (known,) if known else mesh.replacements(text)


def _is_inverted(text: str, heading: MeshHeading) -> bool:
    """Return True for "Deprivation, Sleep" beside "Sleep Deprivation": it does not occur in texts."""
    if "," not in text:
        return False
    turned = sorted(words(text))
    return any("," not in name and sorted(words(name)) == turned for name in (heading.name, *heading.entry_terms))
