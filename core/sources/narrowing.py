"""Decide whether a changed search string only narrows a run, and which of its publications remain."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from core.query.equivalence import Formula, follows, formula_of
from core.query.match import Bits, Corpus, Semantics, all_of, matches, none_of
from core.query.tree import (
    NOWHERE,
    TEXT_FIELDS,
    Gap,
    Group,
    Heading,
    Leaf,
    Near,
    Node,
    Not,
    Operator,
    Pieces,
    Range,
    Term,
    Word,
    leaves_in,
)
from core.sources.openalex import without_gaps
from core.sources.preparation import as_searched
from core.sources.source_forms import SourceId, SourceOptions

_SIGN = re.compile(r"\*|\?|\{(\d+),(\d*)\}")
_SIGNS = {"*": Gap(0, None), "?": Gap(1, 1)}


def implies(one: Formula, other: Formula, *, may_stem: bool) -> bool:
    """Return True if leaf `one` can only hold where leaf `other` holds. `may_stem`: words may match by their stems.

    False if it can't be decided. With stems, heat is not within heat*: generic and generous share a stem.
    """
    if one == other:
        return True
    first, second = one[1], other[1]
    if first != second:
        return first == "near" and second == "run" and _part_of_near(one, other, may_stem)
    if first == "run":
        (run, fields, exact), (wanted, where, is_exact) = one[2:], other[2:]
        return fields <= where and _holds(run, wanted, exact, is_exact, may_stem)
    if first == "near":
        return len(one) == len(other) == 7 and _near(one, other)
    if first == "heading":
        return _heading(one, other)
    return bool(one[2] >= other[2] if first == "from" else one[2] <= other[2])


def excludes(one: Formula, other: Formula) -> bool:
    """Return True if no publication can satisfy both: two spans of years that don't overlap."""
    if {one[1], other[1]} != {"from", "to"}:
        return False
    low, high = (one, other) if one[1] == "from" else (other, one)
    return bool(low[2] > high[2])


def _holds(run: tuple[str, ...], wanted: tuple[str, ...], exact: bool, is_exact: bool, may_stem: bool) -> bool:
    n = len(wanted)
    return any(
        all(_covered(run[at + i], wanted[i], exact, is_exact, may_stem) for i in range(n))
        for at in range(len(run) - n + 1)
    )


def _covered(word: str, by: str, exact: bool, by_exact: bool, may_stem: bool) -> bool:
    one, other = _word(word), _word(by)
    if one == other:
        return not (one.is_plain and may_stem and by_exact and not exact)
    if other.is_plain:
        return False
    if one.is_plain:
        return (exact or not may_stem) and matches(other.pieces, str(one))
    head, start = one.pieces[0], other.pieces[0]
    return other.is_stem and isinstance(head, str) and isinstance(start, str) and head.startswith(start)


@lru_cache(maxsize=4096)
def _word(text: str) -> Word:
    pieces: list[str | Gap] = []
    at = 0
    for sign in _SIGN.finditer(text):
        if sign.start() > at:
            pieces.append(text[at : sign.start()])
        counted = Gap(int(sign[1]), int(sign[2]) if sign[2] else None) if sign[1] else None
        pieces.append(counted or _SIGNS[sign[0]])
        at = sign.end()
    if at < len(text):
        pieces.append(text[at:])
    made: Pieces = tuple(pieces)
    return Word(made)


def _near(one: Formula, other: Formula) -> bool:
    parts, fields, distance, ordered, whole = one[2:]
    others, where, most, is_ordered, is_whole = other[2:]
    if whole != is_whole or not fields <= where or distance > most or (is_ordered and not ordered):
        return False
    in_any_order = not is_ordered and (whole or len(others) == 2)
    return bool(tuple(sorted(parts, key=repr)) == others if in_any_order else parts == others)


def _part_of_near(one: Formula, other: Formula, may_stem: bool) -> bool:
    if len(one) != 7:
        return False
    wanted, where, is_exact = other[2:]
    return one[3] <= where and any(
        part[0] == "run" and _holds(part[1], wanted, part[2], is_exact, may_stem) for part in one[2]
    )


def _heading(one: Formula, other: Formula) -> bool:
    """Return True if one heading is within the other.

    A heading alone is within the exploded one, a main heading within any, and one with a subheading within one without.
    """
    name, explode, major, below = one[2:]
    wanted, is_exploded, is_major, is_below = other[2:]
    if name != wanted or (explode and not is_exploded) or (is_major and not major):
        return False
    return bool(below == is_below or not is_below)


# Comparison of a changed search string with the one that was run. If it can only find less, the fetched publications
# already answer it.
#
# "narrower" means that nothing new is found in any corpus with titles, abstracts, keywords and years. This includes
# corpora without subject headings, authors and similar data, where such parts are left out. The decision is
# conservative: a string that is in fact narrower may be called "both".

Kind = Literal["same", "narrower", "wider", "both"]
MOST_STEPS = 300_000
"""Maximum pairs of parts to compare; longer strings are called "both"."""
_SENTENCES: dict[Kind, str] = {
    "same": "It has the same meaning: the run answers it.",
    "narrower": "It is narrower: the run already fetched everything it finds.",
    "wider": "It is wider: it may find publications that the run never fetched.",
    "both": "It may find publications that the run never fetched, and leave out others.",
}
_NOT_KNOWN_HERE = (
    "It finds no more than the run, but the exact set depends on data that is not known here, such as subject headings."
)


@dataclass(frozen=True, slots=True)
class NarrowingVerdict:
    """The relation of a changed search string to the one that was run."""

    kind: Kind
    """both: neither narrower nor wider can be shown, so the search string has to be run."""
    sentence: str

    @property
    def needs_run(self) -> bool:
        return self.kind in ("wider", "both")


def standing(before: Node, after: Node, *, may_stem: bool = True) -> NarrowingVerdict:
    """Compare `after` with `before`. `may_stem`: other forms of a word may match; then heat is not within heat*.

    >>> heat, tree = Term(("heat",)), Term(("tree",))
    >>> standing(Group("OR", (heat, tree)), heat).kind, standing(Group("AND", (heat, tree)), heat).kind
    ('narrower', 'wider')
    >>> standing(Group("AND", (heat, Not(tree))), heat).kind, standing(heat, tree).kind
    ('wider', 'both')
    """
    if before == after:
        return NarrowingVerdict("same", _SENTENCES["same"])
    first, second = _asking(before), _asking(after)
    if first is None or second is None:
        return NarrowingVerdict("both", _SENTENCES["both"])
    here, there = _asking(before, here=True), _asking(after, here=True)
    is_less, is_more = _within(second, first, may_stem), _within(first, second, may_stem)
    less_here = is_less and there is not None and here is not None and _within(there, here, may_stem)
    more_here = is_more and (there is None or here is None or _within(here, there, may_stem))
    if is_less and not less_here:
        return NarrowingVerdict("both", _NOT_KNOWN_HERE)
    if less_here:
        kind: Kind = "same" if more_here else "narrower"
    else:
        kind = "wider" if more_here else "both"
    return NarrowingVerdict(kind, _SENTENCES[kind])


def is_within(one: Node, other: Node, *, may_stem: bool = True) -> bool:
    """Return True if the second finds everything at a source that the first finds; False if it can't be decided."""
    first, second = _asking(one), _asking(other)
    return first is not None and second is not None and _within(first, second, may_stem)


# The formula of a tree


def _asking(node: Node, *, here: bool = False) -> Formula | None:
    """Convert the tree to a formula without parts that no corpus can answer, or, with `here`, that need absent data."""
    kept = _testable(node, here)
    return None if kept is None else _pushed(formula_of(kept), negated=False)


def _testable(node: Node, here: bool, *, excluded: bool = False) -> Node | None:
    """Return the testable part of a tree; as in a search, an AND within a NOT is dropped if any of its parts is."""
    if isinstance(node, Not):
        inside = _testable(node.part, here, excluded=not excluded)
        return None if inside is None else replace(node, part=inside)
    if isinstance(node, Group):
        parts = tuple(part for each in node.parts if (part := _testable(each, here, excluded=excluded)) is not None)
        if excluded and node.operator == "AND" and len(parts) < len(node.parts):
            return None
        return replace(node, parts=parts) if len(parts) > 1 else parts[0] if parts else None
    if isinstance(node, Range):  # a range without ends still requires a year, but neither end would express that
        return node if node.low is not None or node.high is not None else Range(-(2**30), None)
    return node if _holds_something(node, here) else None


def _holds_something(node: Node, here: bool) -> bool:
    if isinstance(node, Term):
        return bool(node.chunks) and not (here and node.fields and not set(node.fields) & set(TEXT_FIELDS))
    if isinstance(node, Heading):
        return not here
    if isinstance(node, Near):
        return bool(node.parts) and all(_holds_something(part, here) for part in node.parts)
    if isinstance(node, Group):  # inside a Near, an OR continues with its remaining alternatives
        return any(_holds_something(part, here) for part in node.parts)
    return True


def _pushed(formula: Formula, *, negated: bool) -> Formula:
    if formula[0] == "leaf":
        return ("not", formula) if negated else formula
    if formula[0] == "not":
        return _pushed(formula[1], negated=not negated)
    parts = [_pushed(part, negated=negated) for part in formula[1]]
    operator = {"and": "or", "or": "and"}[formula[0]] if negated else formula[0]
    flat: set[Formula] = set()
    for part in parts:
        flat |= part[1] if part[0] == operator else {part}
    return next(iter(flat)) if len(flat) == 1 else (operator, frozenset(flat))


# Proof that one formula is within another


def _within(one: Formula, other: Formula, may_stem: bool) -> bool:
    if _Proof(may_stem).within(one, other):
        return True
    return follows(one, other, lambda first, second: implies(first, second, may_stem=may_stem)) is True


@dataclass(slots=True)
class _Proof:
    """A proof search that is sound but not complete: it may miss a relation that holds."""

    may_stem: bool
    known: dict[tuple[Formula, Formula], bool] = field(default_factory=dict)
    n_steps: int = 0

    def within(self, one: Formula, other: Formula) -> bool:
        """Return True if `other` is shown to hold wherever `one` does."""
        if one == other:
            return True
        key = (one, other)
        if key not in self.known:
            self.n_steps += 1
            self.known[key] = self.n_steps <= MOST_STEPS and self.looked_into(one, other)
        return self.known[key]

    def looked_into(self, one: Formula, other: Formula) -> bool:
        if one[0] == "or":
            return all(self.within(part, other) for part in one[1])
        if other[0] == "and":
            return all(self.within(one, part) for part in other[1])
        if other[0] == "or" and (one in other[1] or any(self.within(one, part) for part in other[1])):
            return True
        if one[0] == "and":
            return other in one[1] or any(self.within(part, other) for part in one[1])
        if other[0] == "or":
            return False
        if one[0] == "leaf":
            if other[0] == "leaf":
                return implies(one, other, may_stem=self.may_stem)
            return excludes(one, other[1])
        return other[0] == "not" and implies(other[1], one[1], may_stem=self.may_stem)


# Decisions about fetched publications, from their title, abstract, keywords and year alone.
#
# A source also searches subject headings, author names and sometimes the full text. So each leaf, and the whole tree,
# holds, does not hold or is undecided. The fact that a run fetched a publication is evidence too: every demand of its
# search string is true of it in the source.

SOME_YEAR = Range(-(2**30), None)
_USUAL = SourceOptions()


class MatchBounds(NamedTuple):
    """The publications that certainly satisfy a node, and those that certainly or possibly do."""

    sure: Bits
    possible: Bits


def semantics_of(source: SourceId, choices: SourceOptions) -> Semantics:
    """Return the matching rule of a source: OpenAlex and Semantic Scholar match words by their stems.

    >>> semantics_of("openalex", SourceOptions(stem=False)), semantics_of("semanticscholar", SourceOptions())
    ('literal', 'stemmed')
    """
    return "stemmed" if source == "semanticscholar" or (source == "openalex" and choices.stem) else "literal"


def as_read(node: Node, source: SourceId, choices: SourceOptions = _USUAL) -> Node:
    """Return the tree with each term searched in the way and in the fields of the source, as far as both are known."""
    if source == "openalex" and choices.wildcards == "drop":
        node = without_gaps(node)
    return as_searched(node, source)


def looks_further(leaf: Node, source: SourceId, choices: SourceOptions, *, is_native: bool) -> bool:
    """Return True if the source may find a leaf outside title, abstract and keywords.

    `is_native`: the string was typed in the source's own language, so words without a field are sent without one.
    """
    if isinstance(leaf, Near | Group):
        return any(looks_further(part, source, choices, is_native=is_native) for part in leaf.parts)
    if not isinstance(leaf, Term):
        return False
    if set(leaf.fields) - set(TEXT_FIELDS):
        return True
    if source == "europepmc":  # its keywords combine those of the authors and the subject headings
        return choices.synonyms or "keywords" in (leaf.fields or TEXT_FIELDS)
    return source == "pubmed" and is_native and not leaf.fields


def demands_of(node: Node) -> tuple[Node, ...]:
    """Return the parts that must all hold.

    >>> a, b, c = (Term((letter,)) for letter in "abc")
    >>> [*demands_of(Group("AND", (a, Not(Group("OR", (b, c))))))] == [a, Not(b), Not(c)]
    True
    """
    if isinstance(node, Group) and node.operator == "AND":
        return tuple(each for part in node.parts for each in demands_of(part))
    if isinstance(node, Not) and isinstance(node.part, Not):
        return demands_of(node.part.part)
    if isinstance(node, Not) and isinstance(node.part, Group) and node.part.operator == "OR":
        return tuple(each for part in node.part.parts for each in demands_of(Not(part)))
    return (node,)


@dataclass(slots=True)
class LocalMatcher:
    corpus: Corpus
    semantics: Semantics
    further: Callable[[Leaf], bool]
    """A check whether the source may find a leaf in fields that are unknown here."""
    true_there: Node | None = None
    """True of every publication at the source; None: nothing is known."""
    _facts: frozenset[Node] = field(default=frozenset(), init=False)

    def __post_init__(self) -> None:
        self._facts = frozenset(demands_of(self.true_there)) if self.true_there is not None else frozenset()

    def told(self, node: Node) -> MatchBounds:
        return _joined("AND", [self._demand(part) for part in demands_of(node)])

    def _demand(self, node: Node) -> MatchBounds:
        n = len(self.corpus.ids)
        if self._follows(node):
            return MatchBounds(all_of(n), all_of(n))
        return self._node(node)

    def _follows(self, node: Node) -> bool:
        if self.true_there is None:
            return False
        before, part = self._closed(self.true_there), self._closed(node)
        return is_within(before, part, may_stem=self.semantics == "stemmed")

    def _closed(self, node: Node) -> Node:
        """Replace each leaf that the source matches in its own way by a heading that names it.

        Its words imply nothing, as a phrase may be mapped to a heading that contains none of them.
        """
        if isinstance(node, Not):
            return replace(node, part=self._closed(node.part))
        if isinstance(node, Group):
            return replace(node, parts=tuple(map(self._closed, node.parts)))
        return Heading(repr(_bare(node))) if self.further(node) else node

    def _node(self, node: Node) -> MatchBounds:
        n = len(self.corpus.ids)
        if node in self._facts:
            return MatchBounds(all_of(n), all_of(n))
        if Not(node) in self._facts:
            return MatchBounds(none_of(n), none_of(n))
        if isinstance(node, Not):
            inside = self._node(node.part)
            return MatchBounds(all_of(n) & ~inside.possible, all_of(n) & ~inside.sure)
        if not isinstance(node, Group):
            return self._leaf(node)
        return _joined(node.operator, [self._node(part) for part in node.parts])

    def _leaf(self, leaf: Leaf) -> MatchBounds:
        n = len(self.corpus.ids)
        found = self.corpus.look_up(leaf, self.semantics)
        if found is None:
            return MatchBounds(none_of(n), all_of(n))
        if isinstance(leaf, Range):
            known = self.corpus.look_up(SOME_YEAR, self.semantics)
            return MatchBounds(found, found if known is None else found | (all_of(n) & ~known))
        return MatchBounds(found, all_of(n) if self.further(leaf) else found)


def _joined(operator: Operator, parts: list[MatchBounds]) -> MatchBounds:
    together = np.bitwise_and if operator == "AND" else np.bitwise_or
    return MatchBounds(together.reduce([p.sure for p in parts]), together.reduce([p.possible for p in parts]))


def _bare(node: Node) -> Node:
    if isinstance(node, Group | Near):
        node = replace(node, parts=tuple(map(_bare, node.parts)))
    return replace(node, span=NOWHERE, outer=None)


def kept_of(deciding: LocalMatcher, before: Node, after: Node) -> tuple[Bits, Bits, Bits]:
    """Split the publications that `before` found into those that `after` keeps, drops, and those left undecided.

    If the local reading of `before` can't be the source's, since it does not match the publication, `after` is not read
    either, except for consequences of the run itself. This applies to the changed parts of `before`, or to all of it if
    `after` has a leaf that `before` did not.
    """
    n = len(deciding.corpus.ids)
    reading = LocalMatcher(deciding.corpus, deciding.semantics, deciding.further)
    knowing = LocalMatcher(deciding.corpus, deciding.semantics, deciding.further, before)
    blind = LocalMatcher(_Blind(deciding.corpus), deciding.semantics, deciding.further, before)
    demands = demands_of(before)
    is_new = not set(leaves_in(after)) <= set(leaves_in(before))
    left = set(demands_of(after))
    odd = none_of(n)
    for part in demands:
        if is_new or part not in left:
            odd = odd | (all_of(n) & ~reading.told(part).possible)
    found, anyway = knowing.told(after), blind.told(after)
    kept = (found.sure & ~odd) | anyway.sure
    dropped = all_of(n) & ((~found.possible & ~odd) | ~anyway.possible)
    dropped = dropped & ~kept
    return kept, dropped, all_of(n) & ~kept & ~dropped


@dataclass(frozen=True, slots=True)
class _Blind:
    corpus: Corpus

    @property
    def ids(self) -> tuple[str, ...]:
        return self.corpus.ids

    @property
    def fields(self) -> frozenset[str]:
        return frozenset()

    def look_up(self, leaf: Leaf, semantics: Semantics) -> Bits | None:
        return None
