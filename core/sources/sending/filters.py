"""Where each word is looked for, if a source has one field for a whole part of a search and not for each word."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from core.query.tree import (
    TEXT_FIELDS,
    Group,
    Heading,
    Near,
    Node,
    ParsedQuery,
    Range,
    Term,
    in_order,
    terms_in,
    walk,
)
from core.query.writing.adapting import Loss
from core.query.writing.choosing import Fields, Status, in_words
from core.query.writing.endings import Note
from core.sources.sending.saying import conjuncts, is_negative

TITLE: Fields = ("title",)
ABSTRACT: Fields = ("abstract",)
BOTH: Fields = ("title", "abstract")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a leaf is looked for."""

    fields: Fields
    """Those of the filter that it stands in."""
    wanted: Fields
    """Those that it asks for itself, as near as the source has them."""
    excluded: bool
    """The filter leaves out what it finds."""
    is_alone: bool
    """Nothing else stands in this filter but alternatives to it with the same field."""

    def note(self, label: str) -> Note | None:
        """What it means that these differ."""
        if self.fields == self.wanted:
            return None
        here, there = in_words(self.fields), in_words(self.wanted)
        wider = set(self.fields) >= set(self.wanted)
        if self.excluded:
            status: Status = "narrowed" if wider else "widened"
            return status, f"{label} leaves out only where it searches as well: left out by {here}, not by {there}."
        status = "widened" if wider else "unsupported"
        return status, f"{label} can't search {there} alone here: looked for in {here}."


def near_field(term: Term, known: Collection[Fields]) -> Fields:
    """The field of a source that comes closest; one that it does not know if there is none.

    >>> near_field(Term(("heat",), fields=("title", "keywords")), [BOTH, TITLE])
    ('title',)
    """
    if term.fields in known:
        return term.fields
    asked = set(term.fields or TEXT_FIELDS)
    if asked >= set(BOTH):
        return BOTH
    inside = in_order(asked & set(BOTH))
    if inside:
        return inside if inside in known else BOTH
    return next((each for each in known if set(each) <= asked), term.fields)


def places(root: Node, known: Collection[Fields], *, whole: bool = False) -> dict[int, Place]:
    """For each term and Near, with its number, the filter it gets. `known`: filters that are searched for words.

    `whole`: there is one filter only.
    """
    filters = [(0, root)] if whole else [(number, part) for number, part in conjuncts(root)]
    wanted = {number: _wanted(part, known) for number, part in filters}
    first = {number: _field_of(found) for number, found in wanted.items()}
    positive = [first[n] for n, part in filters if not is_negative(part) and wanted[n]]
    out: dict[int, Place] = {}
    for number, part in filters:
        fields, excluded = first[number], not whole and is_negative(part)
        if excluded and positive and fields not in positive:
            fields = BOTH if BOTH in positive else positive[0]
        alone = len(_all_wanted(part, known)) == 1 and _is_list(part)
        for i, node in enumerate(walk(part)):
            if isinstance(node, Term | Near):
                fitting = {near_field(term, (*known, TITLE, ABSTRACT)) for term in terms_in(node)} or {BOTH}
                own = next(iter(fitting)) if len(fitting) == 1 else BOTH
                out[number + i] = Place(fields, own, excluded, alone)
    return out


def _wanted(node: Node, known: Collection[Fields]) -> set[Fields]:
    return {each for each in _all_wanted(node, known) if each in known}


def _all_wanted(node: Node, known: Collection[Fields]) -> set[Fields]:
    found = {near_field(term, known) for term in terms_in(node)}
    return found | ({BOTH} if any(isinstance(each, Heading) for each in walk(node)) else set())


def _field_of(wanted: set[Fields]) -> Fields:
    return next(iter(wanted)) if len(wanted) == 1 else BOTH


def _is_list(node: Node) -> bool:
    """One term, or one of several."""
    if isinstance(node, Group) and node.operator == "OR":
        return all(isinstance(part, Term) for part in node.parts)
    return isinstance(node, Term)


def years_beside(root: Node) -> frozenset[int]:
    """Numbers of the years that hold for the whole search."""
    years = set()
    for number, part in conjuncts(root):
        alternatives = part.parts if isinstance(part, Group) and part.operator == "OR" else (part,)
        if all(isinstance(each, Range) for each in alternatives):
            years.add(number)
    return frozenset(years)


def unsearched(parsed: ParsedQuery, root: Node, label: str, searched: Fields = BOTH) -> Loss | None:
    """Fields that are asked for beside those that are searched, said once for the whole."""
    others: set[str] = set()
    for term in terms_in(root):
        fields = set(term.fields or TEXT_FIELDS)
        if fields & set(searched):
            others |= fields - set(searched)
    if not others:
        return None
    missing = in_words(in_order(others - {"other"}) or ("other",))
    message = f"{label} looks for words in {in_words(searched)} only: not in {missing}."
    return whole_loss(parsed, root, "narrowed", message)


def whole_loss(parsed: ParsedQuery, root: Node, status: Status, message: str) -> Loss:
    """A loss of the whole search."""
    return Loss(0, root.span.start, root.span.end or len(parsed.text), status, message)


def by_number(losses: list[Loss]) -> tuple[Loss, ...]:
    """Losses in the order of their nodes."""
    return tuple(sorted(losses, key=lambda loss: loss.number))
