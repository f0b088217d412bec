"""Whether a changed search string can only find less than before: then what was fetched already answers it.

What is called "narrower" finds nothing new in any corpus that has titles, abstracts, keywords and years, also where
nothing is known of subject headings, authors and the like, so that these are left out there. The saying is careful: a
string that is narrower in fact may be called "both".
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from core.query.tree import TEXT_FIELDS, Group, Heading, Near, Node, Not, Range, Term
from core.query.writing.truth_table import Formula, follows, formula_of
from core.sources.changing.implying import excludes, implies

Kind = Literal["same", "narrower", "wider", "both"]
MOST_STEPS = 300_000
"""Pairs of parts that are compared; strings with more are called "both"."""
_SENTENCES: dict[Kind, str] = {
    "same": "It asks for the same: the run answers it.",
    "narrower": "It is narrower: all that it finds is among what the run brought.",
    "wider": "It is wider: it may find publications that the run never brought.",
    "both": "It may find publications that the run never brought, and leave out others.",
}
_NOT_KNOWN_HERE = (
    "It finds no more than the run, but which publications hangs on what is not known of them here, such as subject "
    "headings."
)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a changed string stands to the one that was run."""

    kind: Kind
    """both: it can't be said to be narrower or wider, so it has to be run."""
    sentence: str

    @property
    def needs_run(self) -> bool:
        """Whether the source has to be asked."""
        return self.kind in ("wider", "both")


def standing(before: Node, after: Node, *, may_stem: bool = True) -> Standing:
    """How `after` stands to `before`. `may_stem`: other forms of a word may count; then heat is not within heat*.

    >>> heat, tree = Term(("heat",)), Term(("tree",))
    >>> standing(Group("OR", (heat, tree)), heat).kind, standing(Group("AND", (heat, tree)), heat).kind
    ('narrower', 'wider')
    >>> standing(Group("AND", (heat, Not(tree))), heat).kind, standing(heat, tree).kind
    ('wider', 'both')
    """
    if before == after:
        return Standing("same", _SENTENCES["same"])
    first, second = _asking(before), _asking(after)
    if first is None or second is None:
        return Standing("both", _SENTENCES["both"])
    here, there = _asking(before, here=True), _asking(after, here=True)
    is_less, is_more = _within(second, first, may_stem), _within(first, second, may_stem)
    less_here = is_less and there is not None and here is not None and _within(there, here, may_stem)
    more_here = is_more and (there is None or here is None or _within(here, there, may_stem))
    if is_less and not less_here:
        return Standing("both", _NOT_KNOWN_HERE)
    if less_here:
        kind: Kind = "same" if more_here else "narrower"
    else:
        kind = "wider" if more_here else "both"
    return Standing(kind, _SENTENCES[kind])


def is_within(one: Node, other: Node, *, may_stem: bool = True) -> bool:
    """Whether all that the first finds at a source is found by the second as well; False where it can't be said."""
    first, second = _asking(one), _asking(other)
    return first is not None and second is not None and _within(first, second, may_stem)


# What a tree asks for


def _asking(node: Node, *, here: bool = False) -> Formula | None:
    """The tree as a formula without what no corpus can be asked for. `here`: nor what publications don't hold here."""
    kept = _testable(node, here)
    return None if kept is None else _pushed(formula_of(kept), negated=False)


def _testable(node: Node, here: bool) -> Node | None:
    if isinstance(node, Not):
        inside = _testable(node.part, here)
        return None if inside is None else replace(node, part=inside)
    if isinstance(node, Group):
        parts = tuple(part for each in node.parts if (part := _testable(each, here)) is not None)
        return replace(node, parts=parts) if len(parts) > 1 else parts[0] if parts else None
    if isinstance(node, Range):  # no year at all is asked for by none of its ends, but it is asked for
        return node if node.low is not None or node.high is not None else Range(-(2**30), None)
    return node if _holds_something(node, here) else None


def _holds_something(node: Node, here: bool) -> bool:
    if isinstance(node, Term):
        return bool(node.chunks) and not (here and node.fields and not set(node.fields) & set(TEXT_FIELDS))
    if isinstance(node, Heading):
        return not here
    if isinstance(node, Near):
        return bool(node.parts) and all(_holds_something(part, here) for part in node.parts)
    if isinstance(node, Group):  # inside a Near: an OR goes on with what is left of it
        return any(_holds_something(part, here) for part in node.parts)
    return True


def _pushed(formula: Formula, *, negated: bool) -> Formula:
    """The same with NOT in front of leaves only."""
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


# Whether one is within the other


def _within(one: Formula, other: Formula, may_stem: bool) -> bool:
    """Proved part by part, else by the whole table where it is small enough."""
    if _Proof(may_stem).within(one, other):
        return True
    return follows(one, other, lambda first, second: implies(first, second, may_stem=may_stem)) is True


@dataclass(slots=True)
class _Proof:
    """Sound, but not complete: what it does not find may hold all the same."""

    may_stem: bool
    known: dict[tuple[Formula, Formula], bool] = field(default_factory=dict)
    n_steps: int = 0

    def within(self, one: Formula, other: Formula) -> bool:
        """Whether `other` holds wherever `one` does."""
        if one == other:
            return True
        key = (one, other)
        if key not in self.known:
            self.n_steps += 1
            self.known[key] = self.n_steps <= MOST_STEPS and self.looked_into(one, other)
        return self.known[key]

    def looked_into(self, one: Formula, other: Formula) -> bool:
        """The same, by their parts."""
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
