"""Words that stand side by side, or close to each other, found in the words of some publications.

An occurrence of a part is a run of words inside one field (inside one keyword). A term occurs where its words stand
side by side, an OR wherever one of its parts does. Two occurrences are near each other if they don't overlap and at
most `distance` other words stand between them; `ordered`: the first part's comes first. Together they are an occurrence
from the beginning of one to the end of the other. More than two parts are joined one after the other, from the left;
with `whole` the occurrences of all parts must stand apart inside one window with at most `distance` words that belong
to none of them, in any order unless `ordered`.

What can't be tested in these fields is left out of an OR; a Near without one of its parts can't be tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from core.query.matching.matched import searched_fields
from core.query.matching.patterns import Numbers
from core.query.matching.postings import Places, Postings
from core.query.matching.spans import APART, Spans, joined, near_another, together, within_one_window
from core.query.matching.texts import Texts
from core.query.tree import Group, Near, Node, Term
from core.types import Mask

Meaning = Callable[[Term], list[Numbers | None]]
"""What each word of a term stands for; None: any word."""
MOST_AT_ONCE = 4_000_000
"""Words of the publications that are looked at together."""
MOST_IN_WHOLE = 12
"""Parts of one window. The ways to place more of them are too many to try: such a Near can't be tested."""


@dataclass(frozen=True, eq=False)
class Search:
    """What a Near is looked for in. It went through `without_untestable` for these fields."""

    postings: Postings
    meaning: Meaning
    fields: frozenset[str]
    _known: dict[Term, Places] = field(default_factory=dict)

    def rows(self, near: Near) -> Mask:
        """The publications in which it holds."""
        texts = self.postings.texts
        mask = np.zeros(texts.n, dtype=np.bool_)
        for first, last in _stretches(texts):
            places = self._anywhere(near, first, last) % APART
            mask[self.postings.fields_at(places) // len(texts.fields)] = True
        return mask

    def occurrences(self, part: Node, first: int, last: int) -> Spans:
        """Where a part of a Near, or the whole of it, stands from one place to another."""
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
        """A word in every publication in which it holds."""
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


def _stretches(texts: Texts) -> Iterator[tuple[int, int]]:
    """Places from which and to which publications are looked at together, so that memory stays small."""
    ends = texts.starts[:: len(texts.fields)]
    cuts = np.flatnonzero(np.diff(ends[1:] // MOST_AT_ONCE)) + 1
    edges = [0, *ends[cuts].tolist(), int(ends[-1])]
    yield from pairwise(edges)


def without_untestable(part: Node, fields: frozenset[str]) -> Node | None:
    """A part of a Near without what can't be tested in these fields; None if nothing is left of it."""
    if isinstance(part, Term):
        return part if searched_fields(part, fields) and part.chunks else None
    if isinstance(part, Group) and part.operator == "OR":
        kept = tuple(each for p in part.parts if (each := without_untestable(p, fields)) is not None)
        return replace(part, parts=kept) if kept else None
    if isinstance(part, Near) and part.parts and not (part.whole and len(part.parts) > MOST_IN_WHOLE):
        kept = tuple(each for p in part.parts if (each := without_untestable(p, fields)) is not None)
        return replace(part, parts=kept) if len(kept) == len(part.parts) else None
    return None
