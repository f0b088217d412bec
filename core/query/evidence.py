"""Find near matches of a term in a missed publication (other forms, spellings, or fields), and headings that it has."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from core.library.headings import HeadingIndex
from core.library.mesh import MeshThesaurus, heading_key
from core.query.checks.headings import is_mesh
from core.query.match import CorpusTexts, Semantics, searched_fields
from core.query.spelling import american
from core.query.tree import DialectId, Group, Heading, Near, Node, ParsedQuery, Term, Word, terms_in, walk, written
from core.types import Mask

# The words of one publication, and those that a word of a query might mean.

SHORTEST = 4
"""Minimum number of letters of a meaningful beginning."""
LONGEST_ENDING = 5
LONGEST_LOST_ENDING = 3
LITERAL, VARIANT, FORM = range(3)
"""Closeness of a word to a word of the query: the same, British or American spelling, the same stem."""


@dataclass(frozen=True, eq=False)
class PublicationWords:
    fields: dict[str, tuple[str, ...]]
    places: dict[str, dict[str, list[int]]]
    """The places of each word, by field and word."""
    by_stem: dict[int, list[str]]
    by_spelling: dict[str, list[str]]
    distinct: list[str]
    pairs: dict[str, list[tuple[str, int]]]
    """Two neighbours written as one word, and their places."""
    breaks: dict[str, frozenset[int]]
    """By field: the words at which another keyword begins."""

    def is_broken(self, name: str, first: int, last: int) -> bool:
        """Return True if words of a field belong to more than one keyword."""
        breaks = self.breaks[name]
        return bool(breaks) and any(i in breaks for i in range(first + 1, last + 1))


def read(texts: CorpusTexts, row: int) -> PublicationWords:
    fields = {name: texts.words_of(row, name) for name in texts.fields}
    breaks = {name: texts.breaks_of(row, name) for name in fields}
    places: dict[str, dict[str, list[int]]] = {name: defaultdict(list) for name in fields}
    pairs: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for name, words in fields.items():
        for i, word in enumerate(words):
            places[name][word].append(i)
            if i and i not in breaks[name]:
                pairs[words[i - 1] + word].append((name, i - 1))
    distinct = sorted({word for words in fields.values() for word in words})
    by_stem: dict[int, list[str]] = defaultdict(list)
    by_spelling: dict[str, list[str]] = defaultdict(list)
    for word in distinct:
        by_stem[int(texts.stems[texts.number_of[word]])].append(word)
        by_spelling[american(word)].append(word)
    return PublicationWords(fields, places, by_stem, by_spelling, distinct, pairs, breaks)


def alike(word: Word, page: PublicationWords, stems: frozenset[int], *, stemmed: bool) -> dict[str, int]:
    """Return words of the publication that this one might mean, with their closeness.

    `stems`: those of the word. `stemmed`: words with the same stem count as literal.
    """
    levels: dict[str, int] = {}
    for there in _of_stems(stems, page):
        levels[there] = LITERAL if stemmed else FORM
    for there in (*_longer(word, page), *(() if stems else _shorter(word, page))):
        levels.setdefault(there, FORM)
    for there in _spelled_alike(word, page):
        levels[there] = min(VARIANT, levels.get(there, FORM))
    for there in _literal(word, page):
        levels[there] = LITERAL
    return levels


def stems_of(word: Word, texts: CorpusTexts) -> frozenset[int]:
    """Return the stem of a word, or the stems of all words with this beginning."""
    letters = str(word.pieces[0])
    if word.is_plain:
        number = texts.number_of.get(letters)
        return frozenset() if number is None else frozenset({int(texts.stems[number])})
    if word.is_stem and len(letters) >= SHORTEST:
        numbers = texts.with_beginning(letters)
        return frozenset(texts.stems[numbers.start : numbers.stop].tolist())
    return frozenset()


def _of_stems(stems: frozenset[int], page: PublicationWords) -> Iterator[str]:
    few, many = sorted((stems, page.by_stem.keys()), key=len)
    for stem in few:
        if stem in many:
            yield from page.by_stem[stem]


def beginning_with(letters: str, page: PublicationWords) -> Iterator[str]:
    for i in range(bisect_left(page.distinct, letters), len(page.distinct)):
        if not page.distinct[i].startswith(letters):
            return
        yield page.distinct[i]


def _literal(word: Word, page: PublicationWords) -> Iterator[str]:
    if word.is_plain or word.is_stem:
        letters = str(word.pieces[0])
        yield from (w for w in beginning_with(letters, page) if word.is_stem or w == letters)
    else:
        yield from (w for w in page.distinct if is_literally(word, w))


def is_literally(word: Word, there: str) -> bool:
    """Return True if a word of a text matches a word of a query, wildcards included.

    >>> from core.query.tree import Gap
    >>> is_literally(Word(("colo", Gap(0, 1), "r")), "colour")
    True
    """
    if word.is_plain or word.is_stem:
        letters = str(word.pieces[0])
        return there.startswith(letters) if word.is_stem else there == letters
    return _pattern(word).fullmatch(there) is not None


@lru_cache(maxsize=512)
def _pattern(word: Word) -> re.Pattern[str]:
    parts = (
        re.escape(piece)
        if isinstance(piece, str)
        else rf"[^\W_]{{{piece.least},{'' if piece.most is None else piece.most}}}"
        for piece in word.pieces
    )
    return re.compile("".join(parts))


def _longer(word: Word, page: PublicationWords) -> Iterator[str]:
    letters = str(word.pieces[0])
    if word.is_plain and len(letters) >= SHORTEST:
        yield from (w for w in beginning_with(letters, page) if len(w) - len(letters) <= LONGEST_ENDING)


def _shorter(word: Word, page: PublicationWords) -> Iterator[str]:
    """Yield the word without its ending, for words that the corpus lacks and whose stem is therefore unknown."""
    letters = str(word.pieces[0])
    for n in range(1, LONGEST_LOST_ENDING + 1):
        at = bisect_left(page.distinct, letters[:-n])
        if word.is_plain and len(letters) - n >= SHORTEST and page.distinct[at : at + 1] == [letters[:-n]]:
            yield page.distinct[at]


def _spelled_alike(word: Word, page: PublicationWords) -> Iterator[str]:
    letters = str(word.pieces[0])
    if len(letters) <= SHORTEST or not (word.is_plain or word.is_stem):
        return
    spelling = american(letters)
    if word.is_plain:
        yield from page.by_spelling.get(spelling, ())
    else:
        yield from (w for key, all_words in page.by_spelling.items() if key.startswith(spelling) for w in all_words)


# A missed publication's words in place of a term: another form, another spelling, the words apart, another field.

EvidenceKind = Literal["other_field", "spelling", "variant", "form", "order", "too_far", "apart"]
"""Closest first. spelling: joined or separated; variant: British or American; form: the same stem."""
CLOSENESS: dict[EvidenceKind, int] = {kind: i for i, kind in enumerate(get_args(EvidenceKind))}
CLOSE = 10
"""Maximum number of words between parts that still seem to belong together."""
MOST_KNOWN = 200_000
"""Maximum number of cached answers."""
MOST_PLACES = 60
"""Maximum number of places of one part of a Near that are tried."""
_LEVEL_KINDS: dict[int, EvidenceKind] = {VARIANT: "variant", FORM: "form"}

Place = tuple[int, int]
"""The first and last word, as places in a field."""


@dataclass(frozen=True, slots=True)
class TermEvidence:
    """Words of a publication that come close to a part of the query."""

    kind: EvidenceKind
    field: str
    first: int
    """Place of its first word in the field."""
    last: int
    words: tuple[str, ...]
    """The words at this place."""
    message: str
    """One plain sentence."""
    between: int = 0
    """The number of other words between the parts."""
    chunk: int = 0
    """The number of the run of the term's words."""

    @property
    def is_close(self) -> bool:
        """True if it probably means the same as the query."""
        return self.between <= CLOSE


@dataclass(frozen=True, eq=False)
class EvidenceSearch:
    """A search for evidence in the publications of one corpus, which remembers those it has read."""

    texts: CorpusTexts
    semantics: Semantics = "literal"
    _pages: dict[int, PublicationWords] = field(default_factory=dict)
    _stems: dict[Word, frozenset[int]] = field(default_factory=dict)
    _known: dict[tuple[Node, int], tuple[TermEvidence, ...]] = field(default_factory=dict)

    @cached_property
    def fields(self) -> frozenset[str]:
        return frozenset(self.texts.fields)

    def evidence(self, leaf: Node, row: int) -> tuple[TermEvidence, ...]:
        """Find evidence for a leaf that fails for a publication, closest kind first. Empty: nothing comes close."""
        key = (leaf, row)
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._look(leaf, row)
        return self._known[key]

    def _look(self, leaf: Node, row: int) -> tuple[TermEvidence, ...]:
        page = self._page(row)
        if isinstance(leaf, Term):
            found = list(self._for_term(leaf, page))
        elif isinstance(leaf, Near):
            found = list(self._for_near(leaf, page))
        else:
            found = []
        rank = {name: i for i, name in enumerate(self.texts.fields)}
        return tuple(sorted(found, key=lambda e: (CLOSENESS[e.kind], e.between, rank[e.field], e.first)))

    def _page(self, row: int) -> PublicationWords:
        if row not in self._pages:
            self._pages[row] = read(self.texts, row)
        return self._pages[row]

    def _for_term(self, term: Term, page: PublicationWords) -> Iterator[TermEvidence]:
        asked = searched_fields(term, self.fields)
        for number, chunk in enumerate(term.chunks):
            levels = [self._alike(word, page, term.exact) for word in chunk]
            runs = {name: _runs(levels, page, name) for name in self.texts.fields}
            if any(level == LITERAL for name in asked for level, _ in runs[name]):
                continue
            text = " ".join(map(str, chunk))
            for name in self.texts.fields:
                here = sorted(runs[name])
                if name not in asked:
                    if here and here[0][0] == LITERAL:
                        yield _found("other_field", page, name, _span(here[0][1], chunk), text, number)
                    continue
                if here:
                    yield _found(_LEVEL_KINDS[here[0][0]], page, name, _span(here[0][1], chunk), text, number)
                for place in _spelled(chunk, page, name):
                    yield _found("spelling", page, name, place, text, number)
                if len(chunk) > 1 and not here:
                    yield from _apart(levels, page, name, text, number)

    def _alike(self, word: Word, page: PublicationWords, exact: bool) -> dict[str, int]:
        if word not in self._stems:
            self._stems[word] = stems_of(word, self.texts)
        stemmed = self.semantics == "stemmed" and word.is_plain and not exact
        return alike(word, page, self._stems[word], stemmed=stemmed)

    def _for_near(self, near: Near, page: PublicationWords) -> Iterator[TermEvidence]:
        for name in self.texts.fields:
            places = [self._places(part, page, name) for part in near.parts]
            if not all(places):
                continue
            for ordered in dict.fromkeys((near.ordered, False)):
                chain = _closest(places, ordered=ordered, whole=near.whole)
                if chain is not None and (near.ordered or chain[0] > near.distance):
                    yield _near_found(near, page, name, *chain, in_order=ordered or not near.ordered)
                    break
        for part in near.parts:
            if not any(self._places(part, page, name) for name in self.texts.fields):
                for term in terms_in(part):
                    yield from self._for_term(term, page)

    def _places(self, node: Node, page: PublicationWords, name: str) -> list[Place]:
        if isinstance(node, Term):
            if name not in searched_fields(node, self.fields) or len(node.chunks) != 1:
                return []
            levels = [self._alike(word, page, node.exact) for word in node.chunks[0]]
            runs = [first for level, first in _runs(levels, page, name) if level == LITERAL]
            return [_span(first, node.chunks[0]) for first in runs[:MOST_PLACES]]
        if isinstance(node, Group):
            found = {place for part in node.parts for place in self._places(part, page, name)}
            return sorted(found)[:MOST_PLACES]
        if isinstance(node, Near):
            chain = _closest(
                [self._places(part, page, name) for part in node.parts], ordered=node.ordered, whole=node.whole
            )
            return [chain[1]] if chain is not None and chain[0] <= node.distance else []
        return []


def evidence(leaf: Node, texts: CorpusTexts, row: int, semantics: Semantics = "literal") -> tuple[TermEvidence, ...]:
    """Find words of a publication in place of a leaf that fails for it, closest kind first."""
    return EvidenceSearch(texts, semantics).evidence(leaf, row)


def _runs(alike: list[dict[str, int]], page: PublicationWords, name: str) -> list[tuple[int, int]]:
    """Find runs of all words in a field; return the worst closeness and the first word of each."""
    places = page.places[name]
    found = []
    n_words = len(page.fields[name])
    for word, level in alike[0].items():
        for first in places.get(word, ()):
            if first + len(alike) > n_words or page.is_broken(name, first, first + len(alike) - 1):
                continue
            levels = [one.get(page.fields[name][first + i + 1]) for i, one in enumerate(alike[1:])]
            if None not in levels:
                found.append((max([level, *(x for x in levels if x is not None)]), first))
    return found


def _span(first: int, chunk: tuple[Word, ...]) -> Place:
    return first, first + len(chunk) - 1


def _spelled(chunk: tuple[Word, ...], page: PublicationWords, name: str) -> Iterator[Place]:
    """Yield places with several words written as one, or one word written as two."""
    *fronts, last = chunk
    if not all(word.is_plain for word in fronts) or not (last.is_plain or last.is_stem):
        return
    letters = "".join(str(word.pieces[0]) for word in chunk)
    if len(chunk) > 1:
        joined = beginning_with(letters, page)
        for word in (w for w in joined if last.is_stem or w == letters):
            yield from ((at, at) for at in page.places[name].get(word, ())[:1])
    elif len(letters) > SHORTEST:
        keys = [key for key in page.pairs if key.startswith(letters)] if last.is_stem else [letters]
        for key in keys:
            places = [at for there, at in page.pairs.get(key, ()) if there == name]
            # Both halves count only if the query word extends into the second.
            yield from ((at, at + 1) for at in places[:1] if len(page.fields[name][at]) < len(letters))


def _apart(
    alike: list[dict[str, int]], page: PublicationWords, name: str, text: str, number: int
) -> Iterator[TermEvidence]:
    places = [
        sorted({(at, at) for word in one for at in page.places[name].get(word, ())})[:MOST_PLACES] for one in alike
    ]
    if not all(places):
        return
    nearest, in_turn = (_closest(places, ordered=ordered, whole=True) for ordered in (False, True))
    if nearest is None:
        return
    in_order = in_turn is not None and in_turn[0] <= nearest[0]
    between, place = in_turn if in_order and in_turn is not None else nearest
    yield _found("apart", page, name, place, text, number, between=between, in_order=in_order)


def _closest(places: list[list[Place]], *, ordered: bool, whole: bool) -> tuple[int, Place] | None:
    """Return the chain of places, one for each part, with the fewest other words between; None: there is none.

    With `whole` the words between are added up; otherwise the widest gap counts.
    """
    if not all(places):
        return None
    best: dict[Place, tuple[int, Place]] = {place: (0, place) for place in places[0]}
    for part in places[1:]:
        reached: dict[Place, tuple[int, Place]] = {}
        for place in part:
            ways = [
                ((cost + gap) if whole else max(cost, gap), (min(so_far[0], place[0]), max(so_far[1], place[1])))
                for before, (cost, so_far) in best.items()
                if (gap := _gap(before, place, ordered)) is not None
            ]
            if ways:
                reached[place] = min(ways)
        best = reached
    return min(best.values(), default=None)


def _gap(one: Place, other: Place, ordered: bool) -> int | None:
    """Return the number of words between two places; None: they overlap, or are in the wrong order."""
    if other[0] > one[1]:
        return other[0] - one[1] - 1
    return one[0] - other[1] - 1 if one[0] > other[1] and not ordered else None


def _near_found(
    near: Near, page: PublicationWords, name: str, between: int, place: Place, *, in_order: bool
) -> TermEvidence:
    kind: EvidenceKind = "too_far" if between > near.distance else "order"
    text = " and ".join(_name_of(part) for part in near.parts)
    order = "" if in_order else ", in another order"
    message = f"{_its(name)} {text} {_n_words(between)} apart; at most {near.distance} allowed{order}."
    if kind == "order":
        message = f"{_its(name)} {text} in another order."
    return TermEvidence(kind, name, *place, page.fields[name][place[0] : place[1] + 1], message, between)


def _name_of(node: Node) -> str:
    terms = [written(term.pieces) for term in terms_in(node)]
    return terms[0] if len(terms) == 1 else f"{terms[0]} …" if terms else "…"


def _n_words(n: int) -> str:
    return "1 word" if n == 1 else f"{n} words"


def _found(
    kind: EvidenceKind,
    page: PublicationWords,
    name: str,
    place: Place,
    asked: str,
    chunk: int,
    *,
    between: int = 0,
    in_order: bool = True,
) -> TermEvidence:
    words = page.fields[name][place[0] : place[1] + 1]
    there = " ".join(words)
    endings: dict[EvidenceKind, str] = {
        "other_field": f"{there}, but this field is not searched",
        "spelling": f"{there}, which is {asked} written differently",
        "variant": f"{there}, another spelling of {asked}",
        "form": f"{there}, another form of {asked}",
        "apart": f"the words of {asked} {_how_apart(between, in_order)}",
    }
    return TermEvidence(kind, name, *place, words, f"{_its(name)} {endings[kind]}.", between, chunk)


def _its(name: str) -> str:
    return f"Its {name} {'have' if name == 'keywords' else 'has'}"


def _how_apart(between: int, in_order: bool) -> str:
    if not between:
        return "in two keywords" if in_order else "in another order"
    return f"{_n_words(between)} apart" + ("" if in_order else ", in another order")


# Subject headings that records carry, as alternatives to the terms of a query.

HEADING_DIALECTS: frozenset[DialectId] = frozenset({"pubmed", "ovid", "cochrane"})
"""Dialects of databases with MeSH; in others, a search string has to use MeSH headings already."""
_CHECK_TAGS = """
humans|animals|male|female|pregnancy|infant|infant, newborn|child, preschool|child|adolescent|young adult|adult
middle aged|aged|aged, 80 and over|mice|rats|united states
"""
CHECK_TAGS = frozenset(heading_key(name) for name in _CHECK_TAGS.replace("\n", "|").split("|") if name)
"""Headings that indexers assign to almost every publication that they fit: never worth adding to a concept."""


def takes_headings(parsed: ParsedQuery) -> bool:
    """Return True if MeSH headings fit into the search string."""
    return parsed.dialect in HEADING_DIALECTS or any(
        isinstance(node, Heading) and is_mesh(node, parsed) for node in parsed.nodes
    )


def added_heading(name: str) -> Heading:
    """Return a heading as it is added to a query: with all narrower ones, as databases search it by default."""
    return Heading(name, thesaurus="mesh")


@dataclass(frozen=True, eq=False)
class CarriedHeadings:
    """The headings of a corpus, for a query that takes headings."""

    index: HeadingIndex
    mesh: MeshThesaurus | None = None
    """None: no thesaurus is loaded, so headings are known by name alone."""

    def of_row(self, row: int) -> dict[Heading, bool]:
        """Return the headings of a publication without check tags: major topics (True) first, then the rarest."""
        found = self.index.of_row(row)
        names = [name for name in found if heading_key(name) not in CHECK_TAGS]
        names.sort(key=lambda name: (not found[name], self.index.n_with(name), name))
        return {added_heading(name): found[name] for name in names}

    def meant(self, node: Node) -> Iterator[str]:
        """Yield the headings that are named by the terms of a node, or have one as an entry term."""
        for term in terms_in(node):
            text = written(term.pieces)
            if self.mesh is None:
                found = self.index.find(text)
                yield from () if found is None else (found,)
            elif known := self.mesh.find(text):
                yield known.name
            else:
                yield from (heading.name for heading in self.mesh.replacements(text))

    def shared(self, rows: npt.NDArray[np.integer], least: int) -> tuple[Mask, npt.NDArray[np.int64]]:
        """Return a mask of the headings that at least so many of the rows carry, and the number of them that do."""
        n = self.index.n_publications_with(rows)
        is_shared = n >= least
        for i in np.flatnonzero(is_shared).tolist():
            is_shared[i] = heading_key(self.index.names[i]) not in CHECK_TAGS
        return is_shared, n


def headings_in(node: Node) -> frozenset[str]:
    """Return the keys of the headings in a tree."""
    return frozenset(heading_key(leaf.name) for leaf in walk(node) if isinstance(leaf, Heading))
