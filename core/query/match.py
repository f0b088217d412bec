"""Match a query tree against the words of a corpus: wildcards, phrases, and proximity."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from core.query.dialects.values import NAMES, NARROWER_SUBHEADINGS, SUBHEADING_FIELDS, code_of
from core.query.tree import (
    TEXT_FIELDS,
    Gap,
    Group,
    Leaf,
    Near,
    Node,
    Not,
    Pieces,
    Term,
    Word,
    parts_of,
    walk,
    written,
)
from core.text import words
from core.types import Ids, Mask

# Sets of publications as bits, one per row of a corpus, so that combining and counting them takes microseconds.

Bits = npt.NDArray[np.uint64]
"""Row r is bit r % 64 of word r // 64; bits beyond the last row are 0."""


def n_words(n: int) -> int:
    """Return the number of 64-bit words that hold n rows."""
    return -(-n // 64)


def none_of(n: int) -> Bits:
    return np.zeros(n_words(n), dtype=np.uint64)


def all_of(n: int) -> Bits:
    return of_mask(np.ones(n, dtype=np.bool_))


def of_mask(mask: Mask) -> Bits:
    """Return the set of rows where the mask is True.

    >>> rows_of(of_mask(np.array([True, False, True]))).tolist()
    [0, 2]
    """
    packed = np.zeros(n_words(len(mask)) * 8, dtype=np.uint8)
    packed[: -(-len(mask) // 8)] = np.packbits(mask, bitorder="little")
    return packed.view(np.uint64)


def of_rows(rows: Iterable[int] | npt.NDArray[np.integer], n: int) -> Bits:
    mask = np.zeros(n, dtype=np.bool_)
    mask[np.fromiter(rows, dtype=np.intp) if not isinstance(rows, np.ndarray) else rows] = True
    return of_mask(mask)


def mask_of(bits: Bits, n: int) -> Mask:
    return np.unpackbits(bits.view(np.uint8), count=n, bitorder="little").astype(np.bool_)


def rows_of(bits: Bits) -> npt.NDArray[np.intp]:
    """Return the rows in the set, ascending."""
    return np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little"))


def count(bits: Bits) -> int:
    return int(np.bitwise_count(bits).sum(dtype=np.int64))


def holds(bits: Bits, row: int) -> bool:
    return bool((int(bits[row // 64]) >> (row % 64)) & 1)


# The words of a whole corpus as numbers, in text order.


@dataclass(frozen=True, eq=False)
class CorpusTexts:
    """Every word of every publication, as numbers into a sorted vocabulary."""

    vocabulary: tuple[str, ...]
    """All words, as `core.text.words` splits them, in ascending order."""
    stems: npt.NDArray[np.int32]
    """One number per word; words with the same stem share it."""
    tokens: npt.NDArray[np.int32]
    """Word numbers, publication by publication and, within each, field by field."""
    starts: npt.NDArray[np.int64]
    """Field f of publication r is tokens[starts[k] : starts[k + 1]] with k = r * len(fields) + f."""
    fields: tuple[str, ...]
    """Order of the fields in a publication."""
    breaks: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Places in `tokens` where a further keyword begins inside a field, ascending. No phrase crosses one."""
    pauses: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Places in `tokens` of words that follow punctuation or begin a keyword inside a field, ascending. Phrases match
    across them, as in databases, but a phrase that crosses one is not worth suggesting."""

    @property
    def n(self) -> int:
        return (len(self.starts) - 1) // len(self.fields)

    @cached_property
    def number_of(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.vocabulary)}

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The number of words in each field of each publication, shape (n, fields)."""
        return np.diff(self.starts).reshape(-1, len(self.fields))

    def words_of(self, row: int, field: str) -> tuple[str, ...]:
        return tuple(self.vocabulary[i] for i in self.tokens_of(row, field))

    def tokens_of(self, row: int, field: str) -> npt.NDArray[np.int32]:
        k = row * len(self.fields) + self.fields.index(field)
        return self.tokens[self.starts[k] : self.starts[k + 1]]

    def pauses_of(self, row: int, field: str) -> frozenset[int]:
        """Return the places in a field of words that follow punctuation or begin a keyword."""
        return self._within(self.pauses, row, field)

    def breaks_of(self, row: int, field: str) -> frozenset[int]:
        """Return the places in a field of words that begin a keyword, except the first."""
        return self._within(self.breaks, row, field)

    def _within(self, places: npt.NDArray[np.int64], row: int, field: str) -> frozenset[int]:
        k = row * len(self.fields) + self.fields.index(field)
        start, end = self.starts[k], self.starts[k + 1]
        low, high = np.searchsorted(places, [start, end])
        return frozenset((places[low:high] - start).tolist())

    def with_beginning(self, beginning: str) -> range:
        """Return the numbers of the words with this beginning.

        >>> CorpusTexts(("net", "nets", "new"), np.zeros(3, np.int32), np.zeros(0, np.int32), np.zeros(2, np.int64),
        ...       ("title",)).with_beginning("net")
        range(0, 2)
        """
        return range(bisect_left(self.vocabulary, beginning), bisect_right(self.vocabulary, beginning + "\U0010ffff"))

    def of_stem(self, stem: int) -> npt.NDArray[np.int32]:
        order, bounds = self._by_stem
        return order[bounds[stem] : bounds[stem + 1]]

    @cached_property
    def _by_stem(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
        order = np.argsort(self.stems, kind="stable").astype(np.int32)
        n_stems = int(self.stems.max(initial=-1)) + 1
        return order, np.searchsorted(self.stems[order], np.arange(n_stems + 1))

    def __iter__(self) -> Iterator[dict[str, tuple[str, ...]]]:
        """Yield the words of each field, publication by publication."""
        for row in range(self.n):
            yield {field: self.words_of(row, field) for field in self.fields}


# The words of a vocabulary that a word of a query matches.
#
# Wildcards are matched from left to right over all places at once, so that the time grows with the length of the
# pattern and never explodes.

Numbers = npt.NDArray[np.int32]
"""Word numbers in a vocabulary, ascending."""
NO_WORDS: Numbers = np.zeros(0, dtype=np.int32)


def matches(pieces: Pieces, word: str) -> bool:
    """Return True if a word fits the pattern, from its first letter to its last.

    >>> [matches(("colo", Gap(0, 1), "r", Gap(0, None)), word) for word in ("color", "colours", "colouur")]
    [True, True, False]
    """
    places = 1  # bit i: the pieces read so far can end before letter i
    for piece in pieces:
        places = _after_gap(piece, places, len(word)) if isinstance(piece, Gap) else _after(piece, places, word)
        if not places:
            return False
    return bool(places >> len(word) & 1)


def _after(letters: str, places: int, word: str) -> int:
    found, at = 0, word.find(letters)
    while at >= 0:
        found |= 1 << at
        at = word.find(letters, at + 1)
    return (places & found) << len(letters)


def _after_gap(gap: Gap, places: int, length: int) -> int:
    if gap.least > length:
        return 0
    whole = (1 << length + 1) - 1
    reached = places << gap.least & whole
    more = length if gap.most is None else min(gap.most - gap.least, length)
    if more < 0:
        return 0
    step = 1
    while more > 0:  # doubling: 1, 2, 4 … more letters
        step = min(step, more)
        reached |= reached << step & whole
        more -= step
        step *= 2
    return reached


def numbers_of(word: Word, texts: CorpusTexts) -> Numbers | None:
    """Return the words of the texts that a word matches literally. None: any, because it is all wildcards."""
    pieces = word.pieces
    letters = [piece for piece in pieces if isinstance(piece, str)]
    if not letters:
        return None
    if word.is_plain:
        number = texts.number_of.get("".join(letters))
        return NO_WORDS if number is None else np.array([number], dtype=np.int32)
    candidates = texts.with_beginning(letters[0]) if isinstance(pieces[0], str) else range(len(texts.vocabulary))
    if word.is_stem:
        return np.arange(candidates.start, candidates.stop, dtype=np.int32)
    return np.fromiter(_fitting(pieces, letters, texts.vocabulary, candidates), dtype=np.int32)


def _fitting(pieces: Pieces, letters: list[str], vocabulary: tuple[str, ...], candidates: range) -> Iterable[int]:
    longest, last = max(letters, key=len), pieces[-1]
    end = last if isinstance(last, str) else ""
    for i in candidates:
        word = vocabulary[i]
        if longest in word and word.endswith(end) and matches(pieces, word):
            yield i


@dataclass(frozen=True, eq=False)
class StemLexicon:
    texts: CorpusTexts
    stem_number: Callable[[str], int]
    """The number of a word's stem in the texts; -1: none of their words has it."""

    def numbers(self, word: Word, *, stemmed: bool) -> Numbers | None:
        """Return the words with the same stem, or those that fit the wildcards. None: any word."""
        if not (stemmed and word.is_plain):
            return numbers_of(word, self.texts)
        stem = self.stem_number(str(word))
        return np.sort(self.texts.of_stem(stem)) if stem >= 0 else NO_WORDS


# The places of every word, so that words, phrases and patterns are found without reading the texts.

Places = npt.NDArray[np.int64]
"""Places in the tokens of the texts, ascending."""


@dataclass(frozen=True, eq=False)
class Postings:
    """The places of all words: word by word, each ascending."""

    texts: CorpusTexts
    places: npt.NDArray[np.int32]
    fields: npt.NDArray[np.int32]
    """For each place: row * number of fields + field."""

    @classmethod
    def of(cls, texts: CorpusTexts) -> Postings:
        """Sort the places by word. This is the slow step, and is done once."""
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
        """Count the occurrences of these words; None: any word."""
        if numbers is None:
            return len(self.texts.tokens)
        return int((self._bounds[numbers + 1] - self._bounds[numbers]).sum())

    def places_of(self, numbers: Numbers | None) -> Places:
        if numbers is None:
            return np.arange(len(self.texts.tokens), dtype=np.int64)
        found = _joined([self.places[part] for part in self._slices(numbers)], self.places)
        return (found if len(numbers) == 1 else np.sort(found)).astype(np.int64)

    def holding(self, numbers: Numbers | None) -> Mask:
        """Return a mask of the fields that hold one of these words, shape (n, fields)."""
        mask = self._no_field()
        if numbers is None:
            return self.texts.lengths > 0
        for part in self._slices(numbers):
            mask[self.fields[part]] = True
        return mask.reshape(-1, len(self.texts.fields))

    def side_by_side(self, words: Sequence[Numbers | None]) -> Places:
        """Return the places of the first word where these words are adjacent in this order.

        The rarest word is looked up, and its neighbours are compared with the other words.
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
        """Return a mask of the fields that hold one of these places, shape (n, fields)."""
        mask = self._no_field()
        mask[self.fields_at(places)] = True
        return mask.reshape(-1, len(self.texts.fields))

    def fields_at(self, places: Places) -> npt.NDArray[np.intp]:
        """Return row * number of fields + field of each place."""
        return np.searchsorted(self.texts.starts, places, side="right") - 1

    def segments_at(self, places: Places) -> npt.NDArray[np.intp]:
        """Return numbers that increase with the publication, the field and the keyword of each place."""
        fields = self.fields_at(places)
        return fields + np.searchsorted(self.texts.breaks, places, side="right") if len(self.texts.breaks) else fields

    def _slices(self, numbers: Numbers) -> list[slice]:
        """Return the slices of the words; neighbours in the vocabulary, as from a final wildcard, share one."""
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


# Runs of words, as the place of the first word and the place after the last; different fields are far apart.

APART = 2**31
"""Distance between the places of two fields: more than any other distance."""
FARTHEST = 2**30
"""The longest distance; longer ones are reduced to it."""
MOST_PAIRS = 2_000_000
"""Maximum number of pairs built at once."""


@dataclass(frozen=True, eq=False)
class Spans:
    """Runs of words, sorted by their first word."""

    starts: Places
    ends: Places

    @classmethod
    def none(cls) -> Spans:
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.starts)


def together(found: list[Spans]) -> Spans:
    """Merge the runs without duplicates, sorted by place."""
    starts = np.concatenate([spans.starts for spans in found])
    ends = np.concatenate([spans.ends for spans in found])
    order = np.lexsort((ends, starts))
    starts, ends = starts[order], ends[order]
    new = np.ones(len(starts), dtype=np.bool_)
    new[1:] = (starts[1:] != starts[:-1]) | (ends[1:] != ends[:-1])
    return Spans(starts[new], ends[new])


def joined(a: Spans, b: Spans, distance: int, *, ordered: bool) -> Spans:
    """Join each pair of near runs, from the beginning of one to the end of the other."""
    found = _followed(a, b, distance)
    return found if ordered else together([found, _followed(b, a, distance)])


def near_another(a: Spans, b: Spans, distance: int, *, ordered: bool) -> Places:
    """Return the start of the first run in each near pair. Faster than `joined`, because not all pairs are built."""
    first = _with_follower(a, b, distance)
    return first if ordered else np.concatenate([first, _with_follower(b, a, distance)])


def _with_follower(a: Spans, b: Spans, distance: int) -> Places:
    starts = np.append(b.starts, np.iinfo(np.int64).max)
    return a.starts[starts[np.searchsorted(starts, a.ends)] - a.ends <= min(distance, FARTHEST)]


def _followed(a: Spans, b: Spans, distance: int) -> Spans:
    """Join each run of a to the runs of b that follow after at most `distance` other words."""
    low = np.searchsorted(b.starts, a.ends)
    high = np.searchsorted(b.starts, a.ends + min(distance, FARTHEST), side="right")
    counts = np.maximum(high - low, 0)
    found = [Spans.none()]
    parts = np.cumsum(counts) // MOST_PAIRS
    cuts = np.flatnonzero(np.diff(parts)) + 1
    for which in np.split(np.arange(len(a)), cuts):
        n = counts[which]
        before = np.cumsum(n) - n
        pairs = np.arange(n.sum()) + np.repeat(low[which] - before, n)
        found.append(together([Spans(np.repeat(a.starts[which], n), b.ends[pairs])]))
    return found[1] if len(found) == 2 else together(found)


def within_one_window(found: list[Spans], distance: int, *, ordered: bool) -> Spans:
    """Find windows with one occurrence of each part, none overlapping, and at most `distance` other words between."""
    if any(not len(spans) for spans in found):
        return Spans.none()
    distance = min(distance, FARTHEST)
    reach = min(distance + sum(int((spans.ends - spans.starts).max()) for spans in found), FARTHEST)
    starts = np.concatenate([spans.starts for spans in found])
    ends = np.concatenate([spans.ends for spans in found])
    of_part = np.repeat(np.arange(len(found)), [len(spans) for spans in found])
    order = np.lexsort((of_part, ends, starts))
    starts, ends, of_part = starts[order], ends[order], of_part[order]
    windows: set[tuple[int, int]] = set()
    past = np.searchsorted(starts, starts + reach, side="right")
    full = np.ones(len(starts), dtype=np.bool_)
    for part in range(len(found)):  # skip windows that lack one of the parts
        seen = np.concatenate(([0], np.cumsum(of_part == part)))
        full &= seen[past] > seen[:-1]
    if ordered:
        full &= of_part == 0
    for i in np.flatnonzero(full).tolist():
        inside = slice(i, int(past[i]))
        windows |= _windows(
            list(zip(starts[inside].tolist(), ends[inside].tolist(), of_part[inside].tolist(), strict=True)),
            len(found),
            distance,
            ordered=ordered,
        )
    places = np.array(sorted(windows), dtype=np.int64).reshape(-1, 2)
    return Spans(places[:, 0], places[:, 1])


def _windows(
    occurrences: list[tuple[int, int, int]], n_parts: int, distance: int, *, ordered: bool
) -> set[tuple[int, int]]:
    """Return the windows that begin with the first of the occurrences (start, end, part), which are sorted by start.

    The parts placed so far are the bits of a number. For each such number and each end of its last part, only the
    largest number of words that the parts took is needed.
    """
    start, end, part = occurrences[0]
    reached: dict[int, dict[int, int]] = {1 << part: {end: end - start}}
    everything = (1 << n_parts) - 1
    windows = {(start, end)} if 1 << part == everything else set()
    for s, e, p in occurrences[1:]:
        for placed, ends in list(reached.items()):
            if placed >> p & 1 or (ordered and placed != (1 << p) - 1):
                continue
            taken = max((words for before, words in ends.items() if before <= s), default=0)
            if not taken or e - start - taken - (e - s) > distance:
                continue
            now = placed | 1 << p
            here = reached.setdefault(now, {})
            here[e] = max(here.get(e, 0), taken + e - s)
            if now == everything:
                windows.add((start, e))
    return windows


# The publications that every node of a query matches, and the effect of each node on the whole query.
#
# A leaf is looked up once, as a set of bits; everything else combines sets. A leaf that can't be tested in this
# corpus, or is switched off, is left out as if it were not written: an OR or AND works without it. A node without any
# parts left is left out too.

Semantics = Literal["literal", "stemmed"]
"""literal: words as written. stemmed: words with the same stem; wildcards and exact terms stay literal."""


class Corpus(Protocol):
    """Publications that can be searched; row r of every set is `ids[r]`."""

    @property
    def ids(self) -> Ids: ...

    @property
    def fields(self) -> frozenset[str]: ...

    def look_up(self, leaf: Leaf, semantics: Semantics) -> Bits | None:
        """Return the set that a leaf matches; None if it can't be tested here."""
        ...


class NodeContext(NamedTuple):
    """The effect of a node on the whole query: root = (x & passes) | anyway, where x is the node's set or, if
    `negated`, its complement. Without the node, root = `without`."""

    passes: Bits
    anyway: Bits
    negated: bool
    without: Bits | None
    """None: nothing would be left of the query."""


@dataclass(frozen=True, eq=False)
class MatchedTree:
    """A tree with the set of each of its nodes, in the order of `walk`."""

    nodes: tuple[Node, ...]
    parents: tuple[int, ...]
    """The number of the parent node; -1 for the root."""
    children: tuple[tuple[int, ...], ...]
    sets: tuple[Bits | None, ...]
    """None: left out, because it can't be tested or is switched off."""
    untestable: frozenset[int]
    """Leaves that can't be tested in this corpus."""
    off: frozenset[int]
    n: int
    """The number of publications in the corpus."""
    unjudged: frozenset[int] = frozenset()
    """ANDs inside a NOT with a part that can't be tested: without it they would exclude more, so they are left out."""

    @property
    def root(self) -> Bits | None:
        """The set that the query retrieves; None if none of it can be tested."""
        return self.sets[0] if self.sets else None

    def put(self, number: int, bits: Bits | None) -> Bits | None:
        """Return the query's result with another set in place of a node's; None: with the node left out."""
        context = self.contexts[number]
        if context is None:
            return self.root
        if bits is None:
            return context.without
        inside = ~bits & all_of(self.n) if context.negated else bits
        return (inside & context.passes) | context.anyway

    @cached_property
    def contexts(self) -> tuple[NodeContext | None, ...]:
        """The effect of each node on the whole query. None for a node that is left out."""
        return _contexts(self)


def match(root: Node, corpus: Corpus, semantics: Semantics, off: Collection[int] = ()) -> MatchedTree:
    """Look up the leaves and combine them. `off`: numbers of nodes to leave out."""
    nodes = tuple(walk(root))
    leaf_sets = {
        i: corpus.look_up(node, semantics) for i, node in enumerate(nodes) if not isinstance(node, Group | Not)
    }
    return combine(nodes, leaf_sets, len(corpus.ids), off)


def combine(
    nodes: tuple[Node, ...], leaf_sets: dict[int, Bits | None], n: int, off: Collection[int] = ()
) -> MatchedTree:
    """Combine the leaf sets. Nodes that can't be tested are left out, and so are ANDs inside a NOT that hold one."""
    parents, children = _family(nodes)
    sets: list[Bits | None] = [None] * len(nodes)
    excluded, lost = [False] * len(nodes), [False] * len(nodes)
    unjudged: set[int] = set()
    for i, node in enumerate(nodes):
        for c in children[i]:
            excluded[c] = excluded[i] is not isinstance(node, Not)
    for i in range(len(nodes) - 1, -1, -1):  # parts come after the node that holds them
        if i in off:
            continue
        node, below = nodes[i], children[i]
        if _is_leaf(node):
            sets[i], lost[i] = leaf_sets[i], leaf_sets[i] is None
            continue
        lost[i] = any(lost[c] and sets[c] is None for c in below)
        if lost[i] and excluded[i] and isinstance(node, Group) and node.operator == "AND":
            unjudged.add(i)
        else:
            sets[i] = combined(node, (sets[c] for c in below), n)
    untestable = frozenset(i for i, bits in leaf_sets.items() if bits is None)
    return MatchedTree(nodes, parents, children, tuple(sets), untestable, frozenset(off), n, frozenset(unjudged))


def _is_leaf(node: Node) -> bool:
    return not isinstance(node, Group | Not)


def _family(nodes: tuple[Node, ...]) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    parents = [-1] * len(nodes)
    children: list[list[int]] = [[] for _ in nodes]
    open_nodes: list[tuple[int, int]] = []  # a node, and the number of its parts still to come
    for i, node in enumerate(nodes):
        if open_nodes:
            above, left = open_nodes.pop()
            parents[i] = above
            children[above].append(i)
            if left > 1:
                open_nodes.append((above, left - 1))
        if n_parts := len(parts_of(node)):
            open_nodes.append((i, n_parts))
    return tuple(parents), tuple(map(tuple, children))


def combined(node: Node, parts: Iterable[Bits | None], n: int) -> Bits | None:
    """Combine the sets of a node's parts; None: all of them are left out."""
    known = [bits for bits in parts if bits is not None]
    if not known:
        return None
    if isinstance(node, Not):
        return all_of(n) & ~known[0]
    together = np.bitwise_and if isinstance(node, Group) and node.operator == "AND" else np.bitwise_or
    return known[0] if len(known) == 1 else together.reduce(known)


def _contexts(matched: MatchedTree) -> tuple[NodeContext | None, ...]:
    n, sets = matched.n, matched.sets
    out: list[NodeContext | None] = [None] * len(sets)
    if matched.root is None:
        return tuple(out)
    everything, nothing = all_of(n), none_of(n)
    out[0] = NodeContext(everything, nothing, negated=False, without=None)
    for i, node in enumerate(matched.nodes):
        above = out[i]
        if above is None:
            continue
        known = [c for c in matched.children[i] if sets[c] is not None]
        if isinstance(node, Not):
            out[known[0]] = NodeContext(above.passes, above.anyway, not above.negated, above.without)
        elif isinstance(node, Group):
            for c, rest in zip(known, _all_but_one(node, [_set(sets[c]) for c in known]), strict=True):
                out[c] = _inside(node, above, rest, everything)
    return tuple(out)


def _inside(node: Group, above: NodeContext, rest: Bits | None, everything: Bits) -> NodeContext:
    if rest is None:
        return above
    seen = everything & ~rest if above.negated else rest
    without = (seen & above.passes) | above.anyway
    # Under a NOT, an AND passes what an OR would: not (x and rest) = not x or not rest.
    if (node.operator == "AND") is not above.negated:
        return NodeContext(above.passes & seen, above.anyway, above.negated, without)
    return NodeContext(above.passes, above.anyway | (above.passes & seen), above.negated, without)


def _all_but_one(node: Group, parts: list[Bits]) -> list[Bits | None]:
    together = np.bitwise_and if node.operator == "AND" else np.bitwise_or
    before: list[Bits | None] = [None]
    for part in parts[:-1]:
        last = before[-1]
        before.append(part if last is None else together(last, part))
    after: Bits | None = None
    out: list[Bits | None] = [None] * len(parts)
    for i in range(len(parts) - 1, -1, -1):
        first = before[i]
        out[i] = after if first is None else first if after is None else together(first, after)
        after = parts[i] if after is None else together(parts[i], after)
    return out


def _set(bits: Bits | None) -> Bits:
    assert bits is not None
    return bits


def searched_fields(term: Term, fields: frozenset[str]) -> tuple[str, ...]:
    """Return the fields of a corpus in which a term is searched; empty: it can't be tested there."""
    return tuple(f for f in (term.fields or TEXT_FIELDS) if f in fields and f in TEXT_FIELDS)


# Terms that are searched in the subject headings of records: in their words, or among their qualifiers.

HEADING_FIELDS = SUBHEADING_FIELDS | {"subject", "major_subject", "subheading_words"}
"""Fields that are tested in the subject headings of records, if there are any."""


def searched_in_headings(term: Term) -> tuple[str, ...]:
    """Return the fields of a term that are tested in subject headings.

    Empty for wide fields with further parts, such as all words of a record: they are tested in the text fields alone.
    """
    found = tuple(f for f in term.fields if f in HEADING_FIELDS)
    return found if len(found) == len([f for f in term.fields if f not in TEXT_FIELDS]) else ()


RunTest = Callable[[Sequence[str]], bool]
"""Returns True if some words hold a run of words."""


def run_test(run: Sequence[Word], stem: Callable[[str], str] | None) -> RunTest:
    """Return a test for these words, adjacent and in this order. `stem`: plain words match by their stem.

    >>> is_there = run_test(Term(("air pollut", Gap(0, None)), quoted=True).chunks[0], None)
    >>> is_there(("indoor", "air", "pollution")), is_there(("pollution", "air"))
    (True, False)
    """
    tests = [_word_test(word, stem) for word in run]

    def is_there(words: Sequence[str]) -> bool:
        starts = range(len(words) - len(tests) + 1)
        return any(all(test(words[start + i]) for i, test in enumerate(tests)) for start in starts)

    return is_there


def _word_test(word: Word, stem: Callable[[str], str] | None) -> Callable[[str], bool]:
    if not word.is_plain:
        return lambda there: matches(word.pieces, there)
    if stem is None:
        return str(word).__eq__
    wanted = stem(str(word))
    return lambda there: stem(there) == wanted


def qualifier_test(term: Term, *, with_narrower: bool) -> Callable[[str], bool]:
    """Return a test for the name or two-letter code of a qualifier, or of one grouped below it if requested.

    >>> is_meant = qualifier_test(Term(("therapy",)), with_narrower=True)
    >>> is_meant("drug therapy"), is_meant("dt"), is_meant("diagnosis")
    (True, True, False)
    """
    pieces = tuple(piece.lower() if isinstance(piece, str) else piece for piece in term.pieces)
    is_plain = all(isinstance(piece, str) for piece in pieces)
    meant = {code_of(written(pieces))} if is_plain else {code for code, name in NAMES.items() if matches(pieces, name)}
    if with_narrower:
        meant = meant.union(*(NARROWER_SUBHEADINGS.get(code, ()) for code in meant))
    return lambda name: code_of(name) in meant or (not is_plain and matches(pieces, name))


def qualifier_words(name: str) -> tuple[str, ...]:
    """Return the words of a qualifier's name; it may be given by its code."""
    return tuple(words(NAMES.get(code_of(name), name)))


# Words that are adjacent, or close to each other, found among the words of some publications.
#
# An occurrence of a part is a run of words inside one field (inside one keyword). A term occurs where its words are
# adjacent, an OR where any of its parts occurs. Two occurrences are near each other if they don't overlap and at most
# `distance` other words are between them; `ordered`: the first part's comes first. Together they are an occurrence
# from the beginning of one to the end of the other. More than two parts are joined one after the other, from the left;
# with `whole` the occurrences of all parts must fit without overlap into one window with at most `distance` words that
# belong to none of them, in any order unless `ordered`.
#
# Parts that can't be tested in these fields are left out of an OR; a Near that lacks a part can't be tested.

Meaning = Callable[[Term], list[Numbers | None]]
"""The words that each word of a term matches; None: any word."""
MOST_AT_ONCE = 4_000_000
"""Approximate number of words of the publications that are searched together."""
MOST_IN_WHOLE = 12
"""Maximum number of parts in one window. More can be placed in too many ways: such a Near can't be tested."""


@dataclass(frozen=True, eq=False)
class NearSearch:
    """A search for Nears that went through `without_untestable` for these fields."""

    postings: Postings
    meaning: Meaning
    fields: frozenset[str]
    _known: dict[Term, Places] = field(default_factory=dict)

    def rows(self, near: Near) -> Mask:
        texts = self.postings.texts
        mask = np.zeros(texts.n, dtype=np.bool_)
        for first, last in _stretches(texts):
            places = self._anywhere(near, first, last) % APART
            mask[self.postings.fields_at(places) // len(texts.fields)] = True
        return mask

    def occurrences(self, part: Node, first: int, last: int) -> Spans:
        if isinstance(part, Term):
            return self._term(part, first, last)
        assert isinstance(part, Group | Near)
        found = [self.occurrences(each, first, last) for each in part.parts]
        if isinstance(part, Group):
            return together(found)
        if part.whole:
            return within_one_window(found, part.distance, ordered=part.ordered)
        before, *others = found
        for other in others:
            before = joined(before, other, part.distance, ordered=part.ordered)
        return before

    def _anywhere(self, near: Near, first: int, last: int) -> Places:
        if near.whole or len(near.parts) < 2:
            return self.occurrences(near, first, last).starts
        but_one = near.parts[0] if len(near.parts) == 2 else replace(near, parts=near.parts[:-1])
        a, b = (self.occurrences(part, first, last) for part in (but_one, near.parts[-1]))
        return near_another(a, b, near.distance, ordered=near.ordered)

    def _term(self, term: Term, first: int, last: int) -> Spans:
        if term not in self._known:
            self._known[term] = self._places(term)
        known = self._known[term]
        low, high = np.searchsorted(known, (first, last))
        places = known[low:high]
        starts = places + self.postings.segments_at(places) * APART
        return Spans(starts, starts + sum(map(len, term.chunks)))

    def _places(self, term: Term) -> Places:
        places = self.postings.side_by_side(self.meaning(term))
        order, searched = self.postings.texts.fields, searched_fields(term, self.fields)
        allowed = np.array([each in searched for each in order])
        return places if allowed.all() else places[allowed[self.postings.fields_at(places) % len(order)]]


def _stretches(texts: CorpusTexts) -> Iterator[tuple[int, int]]:
    """Yield ranges of places whose publications are searched together, so that memory use stays small."""
    ends = texts.starts[:: len(texts.fields)]
    cuts = np.flatnonzero(np.diff(ends[1:] // MOST_AT_ONCE)) + 1
    edges = [0, *ends[cuts].tolist(), int(ends[-1])]
    yield from pairwise(edges)


def without_untestable(part: Node, fields: frozenset[str]) -> Node | None:
    """Return a part of a Near without the terms that can't be tested in these fields; None if nothing is left."""
    if isinstance(part, Term):
        return part if searched_fields(part, fields) and part.chunks else None
    if isinstance(part, Group) and part.operator == "OR":
        kept = tuple(each for p in part.parts if (each := without_untestable(p, fields)) is not None)
        return replace(part, parts=kept) if kept else None
    if isinstance(part, Near) and part.parts and not (part.whole and len(part.parts) > MOST_IN_WHOLE):
        kept = tuple(each for p in part.parts if (each := without_untestable(p, fields)) is not None)
        return replace(part, parts=kept) if len(kept) == len(part.parts) else None
    return None
