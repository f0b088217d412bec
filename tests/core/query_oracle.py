"""What a query retrieves, found out slowly: each publication by itself, each word with a regular expression.

Nothing here knows of vocabularies, postings or arrays. A publication is what its fields hold: one text each for title
and abstract, one text per keyword.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, permutations, product

from core.query.match import Semantics, searched_fields
from core.query.tree import Group, Near, Node, Not, Range, Term, Word, walk
from core.text import folded as folded_slowly

Fields = dict[str, list[str]]
"""Texts of each field. A year is one text of digits."""
Stem = Callable[[str], str]
Place = tuple[str, int, int, int]
"""Field, number of the text, first word, past the last word."""

WORD = re.compile(r"[^\W_]+")
folded = lru_cache(maxsize=10_000)(folded_slowly)


def fields_of(publications: Sequence[Fields]) -> frozenset[str]:
    """The fields that hold a word in at least one of the publications."""
    return frozenset(
        field for p in publications for field, texts in p.items() if any(WORD.search(folded(text)) for text in texts)
    )


def holds(
    node: Node,
    publication: Fields,
    semantics: Semantics,
    stem: Stem,
    fields: frozenset[str] | None = None,
    *,
    excluded: bool = False,
) -> bool | None:
    """Whether a publication matches; None: that can't be tested. `fields`: those of the corpus, else its own.

    `excluded`: the node stands in a NOT, where an AND can't be tested if one of its parts can't.
    """
    known = fields_of([publication]) if fields is None else fields
    if isinstance(node, Group):
        parts = [holds(part, publication, semantics, stem, known, excluded=excluded) for part in node.parts]
        if excluded and node.operator == "AND" and None in parts:
            return None
        told = [part for part in parts if part is not None]
        return None if not told else all(told) if node.operator == "AND" else any(told)
    if isinstance(node, Not):
        part = holds(node.part, publication, semantics, stem, known, excluded=not excluded)
        return None if part is None else not part
    if isinstance(node, Range):
        return _in_years(node, publication) if "year" in known else None
    if isinstance(node, Term):
        searched = searched_fields(node, known)
        if not searched or not node.chunks:
            return None
        stemmed = semantics == "stemmed" and not node.exact
        return all(
            any(_found(chunk, text, stemmed, stem) for field in searched for text in publication.get(field, []))
            for chunk in node.chunks
        )
    if isinstance(node, Near):
        places = _places(node, publication, semantics, stem, known)
        return None if places is None else bool(places)
    return None


def _in_years(node: Range, publication: Fields) -> bool:
    years = [int(text) for text in publication.get("year", [])]
    return any((node.low is None or node.low <= y) and (node.high is None or y <= node.high) for y in years)


@lru_cache(maxsize=10_000)
def pattern(word: Word) -> str:
    """A regular expression for a word as it is written."""
    if not any(isinstance(piece, str) for piece in word.pieces):
        return r"[^\W_]+"
    return "".join(
        re.escape(piece)
        if isinstance(piece, str)
        else rf"[^\W_]{{{piece.least},{'' if piece.most is None else piece.most}}}"
        for piece in word.pieces
    )


@lru_cache(maxsize=10_000)
def _side_by_side(chunk: tuple[Word, ...]) -> re.Pattern[str]:
    joined = r"[\W_]+".join(pattern(word) for word in chunk)
    return re.compile(rf"(?<![^\W_]){joined}(?![^\W_])")


@lru_cache(maxsize=10_000)
def _words_of(text: str) -> list[str]:
    return WORD.findall(folded(text))


def _found(chunk: tuple[Word, ...], text: str, stemmed: bool, stem: Stem) -> bool:
    """Whether words stand side by side in a text."""
    if not stemmed:
        return _side_by_side(chunk).search(folded(text)) is not None
    return bool(_runs(chunk, text, stemmed, stem))


def _runs(chunk: Sequence[Word], text: str, stemmed: bool, stem: Stem) -> list[tuple[int, int]]:
    words = _words_of(text)
    first, *others = [_fitting(word, stemmed, stem) for word in chunk]
    return [
        (i, i + len(chunk))
        for i, found in enumerate(words[: max(len(words) - len(others), 0)])
        if first(found) and all(fits(words[i + k]) for k, fits in enumerate(others, 1))
    ]


def _fitting(word: Word, stemmed: bool, stem: Stem) -> Callable[[str], object]:
    if not (stemmed and word.is_plain):
        return _matcher(word)
    wanted = stem(str(word))
    return lambda found: stem(found) == wanted


@lru_cache(maxsize=10_000)
def _matcher(word: Word) -> Callable[[str], object]:
    return re.compile(pattern(word)).fullmatch


def _places(
    node: Node, publication: Fields, semantics: Semantics, stem: Stem, known: frozenset[str]
) -> set[Place] | None:
    """Where a part of a Near stands; None: that can't be tested."""
    if isinstance(node, Term):
        searched = searched_fields(node, known)
        words = [word for chunk in node.chunks for word in chunk]
        if not searched or not words:
            return None
        return {
            (field, number, start, end)
            for field in searched
            for number, text in enumerate(publication.get(field, []))
            for start, end in _runs(words, text, semantics == "stemmed" and not node.exact, stem)
        }
    if not isinstance(node, Near | Group) or (isinstance(node, Group) and node.operator == "AND"):
        return None
    parts = [_places(part, publication, semantics, stem, known) for part in node.parts]
    if isinstance(node, Group):
        told = [part for part in parts if part is not None]
        return set().union(*told) if told else None
    if any(part is None for part in parts):
        return None
    found = [part for part in parts if part is not None]
    return _windows(found, node) if node.whole else _folded(found, node)


def _folded(parts: list[set[Place]], node: Near) -> set[Place]:
    first, *others = parts
    for other in others:
        first = _windows([first, other], node)
    return first


def _windows(parts: list[set[Place]], node: Near) -> set[Place]:
    """One occurrence of each, apart, in one text, with at most so many words that belong to none of them."""
    found = set()
    for places in product(*parts):
        if len({place[:2] for place in places}) > 1:
            continue
        orders = [places] if node.ordered else permutations(places)
        if not any(all(a[3] <= b[2] for a, b in pairwise(o)) for o in orders):
            continue
        start, end = min(p[2] for p in places), max(p[3] for p in places)
        if end - start - sum(p[3] - p[2] for p in places) <= node.distance:
            found.add((*places[0][:2], start, end))
    return found


def without(root: Node, off: Collection[int]) -> Node | None:
    """The tree without some of its nodes, which are named by their number in `walk`; None: nothing is left."""
    off_now, numbers = frozenset(off), iter(range(sum(1 for _ in walk(root))))

    def kept(node: Node) -> Node | None:
        is_off = next(numbers) in off_now
        if isinstance(node, Not):
            inside = kept(node.part)
            return None if is_off or inside is None else replace(node, part=inside)
        if isinstance(node, Group):
            parts = tuple(part for each in node.parts if (part := kept(each)) is not None)
            return None if is_off or not parts else parts[0] if len(parts) == 1 else replace(node, parts=parts)
        return None if is_off else node

    return kept(root)
