"""Forms of a search string for live sources, and the shared steps of writing them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from core.query.adaptation import Loss, adapted_near, adapted_term, has_words, loss_of, runs_of, turned
from core.query.dialects.base import Dialect
from core.query.leaf_texts import Fields, Note, Status, in_words
from core.query.tree import (
    TEXT_FIELDS,
    DialectId,
    Group,
    Heading,
    Near,
    Node,
    Not,
    ParsedQuery,
    Pieces,
    Range,
    Term,
    in_order,
    terms_in,
    walk,
)

# A search string on its way to a live source.

SourceId = Literal["openalex", "pubmed", "europepmc", "semanticscholar", "dimensions"]
SOURCE_IDS: tuple[SourceId, ...] = get_args(SourceId)
MOST = 10_000
"""Publications that a run fetches at most, unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Where a source can be asked in more than one way. Each source looks at what is its own."""

    stem: bool = True
    """OpenAlex: other forms of a word count as well; else only what is written."""
    wildcards: Literal["drop", "send"] = "drop"
    """OpenAlex: whether * and ? are left out, which its filters that stem do not take, or sent to those that do."""
    synonyms: bool = False
    """Europe PMC: it looks for synonyms of MeSH too."""


@dataclass(frozen=True, slots=True)
class Form:
    """One text that is sent. What several forms of one search find is united."""

    number: int
    """From 0."""
    text: str
    """In the source's language; how it is packed into a request is the adapter's business."""


@dataclass(frozen=True, slots=True)
class Prepared:
    source: SourceId
    dialect: DialectId
    """How the text was read."""
    text: str
    """The whole of it in the source's language, before it was split."""
    forms: tuple[Form, ...]
    """One, or several where one would be too long; never none."""
    losses: tuple[Loss, ...] = ()
    """What means something else there, or was left out."""
    is_unchanged: bool = False
    """It is sent as it was typed, letter for letter."""
    choices: Choices = Choices()


# Signs that mean something to a source, taken out of what is looked for.
#
# The words stay the same, and so does which of them stand side by side, so this changes nothing of what is found:
# sources cut a text into words at these signs too.

_SIGNS = re.compile(r"""[,|!:;\\/^~<>=#@(){}\[\]*?+"“”„\x00-\x1f]|&&|(?<!\w)-|-(?!\w)""")

_SPACES = re.compile(r"\s+")


def is_plain(term: Term) -> bool:
    return not any(isinstance(piece, str) and _SIGNS.search(piece) for piece in term.pieces)


def with_plain_signs(node: Node) -> Node:
    """The tree with spaces where such signs stood.

    >>> with_plain_signs(Term(("1,25-dihydroxy",))).pieces
    ('1 25-dihydroxy',)
    """
    if isinstance(node, Group | Near):
        return replace(node, parts=tuple(with_plain_signs(part) for part in node.parts))
    if isinstance(node, Not):
        return replace(node, part=with_plain_signs(node.part))
    return _plain_term(node) if isinstance(node, Term) and not is_plain(node) else node


def _plain_term(term: Term) -> Node:
    plain = replace(term, pieces=_spaced(term.pieces))
    if not has_words(plain):
        return term
    if plain.quoted or plain.chunks == term.chunks:
        return plain
    if len(term.chunks) == 1:
        return replace(plain, quoted=True)
    return Group("AND", tuple(_plain_term(run) for run in runs_of(term)), span=term.span)


def _spaced(pieces: Pieces) -> Pieces:
    out = [_SPACES.sub(" ", _SIGNS.sub(" ", piece)) if isinstance(piece, str) else piece for piece in pieces]
    if isinstance(out[0], str):
        out[0] = out[0].lstrip()
    if isinstance(out[-1], str):
        out[-1] = out[-1].rstrip()
    return tuple(piece for piece in out if piece != "")


# A tree as one source can say it: leaf by leaf, with a loss where a leaf becomes something else.

LABELS: dict[SourceId, str] = {
    "openalex": "OpenAlex",
    "pubmed": "PubMed",
    "europepmc": "Europe PMC",
    "semanticscholar": "Semantic Scholar",
    "dimensions": "Dimensions",
}

LeafSaid = tuple[Node | None, list[Note]]
SayLeaf = Callable[[Node, int], LeafSaid]
"""From a leaf and its number to what is said for it (None: it is left out), and what that costs."""


@dataclass(frozen=True, eq=False)
class Said:
    root: Node | None
    """None: nothing is left."""
    losses: tuple[Loss, ...]
    write: Callable[[Node], str] = repr
    """The tree, or one that is left when alternatives are taken out, as the source takes it."""


def said(root: Node, leaf: SayLeaf) -> Said:
    """Each leaf as `leaf` says it, and every NOT where something stands before it.

    No source can search for what is not there alone, so a OR NOT b is asked for as everything but (b NOT a): the same,
    if only something stands before it in the end.
    """
    sayer = _Sayer(leaf)
    made = sayer.node(root)
    return Said(made, tuple(sayer.losses[n] for n in sorted(sayer.losses)))


@dataclass(slots=True)
class _Sayer:
    leaf: SayLeaf
    next: int = 0
    losses: dict[int, Loss] = field(default_factory=dict)

    def node(self, node: Node) -> Node | None:
        number = self.next
        self.next += 1
        if isinstance(node, Not):
            inside = self.node(node.part)
            return None if inside is None else turned_round(inside)
        if isinstance(node, Group) and (years := years_in(node)) is None:
            made = [(part, each) for part in node.parts if (each := self.node(part)) is not None]
            parts: list[Node] = []
            for part, each in made:
                inline = isinstance(each, Group) and each.operator == node.operator and not isinstance(part, Group)
                parts += each.parts if inline and isinstance(each, Group) else (each,)
            return joined(node, parts)
        notes: list[Note] = []
        if isinstance(node, Group):
            assert years is not None
            self.next += len(node.parts)
            said_for, more = self.leaf(years, number)
            if said_for is not None and not is_without_gaps(node):
                notes.append(("widened", "These years are asked for as one span, with those between them."))
        else:
            said_for, more = self.leaf(node, number)
        if notes or more:
            self.losses[number] = loss_of(number, node, [*notes, *more])
        return said_for


def joined(node: Group, parts: list[Node]) -> Node | None:
    """The parts under the group's operator, with a NOT only behind something or around the whole."""
    positive = [part for part in parts if not isinstance(part, Not)]
    negative = [part.part for part in parts if isinstance(part, Not)]
    if len(parts) < 2:
        return parts[0] if parts else None
    if node.operator == "AND":
        if positive:
            return replace(node, parts=(*positive, *(Not(part) for part in negative)))
        return Not(Group("OR", tuple(negative)))
    if not negative:
        return replace(node, parts=tuple(positive))
    everything_but = negative[0] if len(negative) == 1 else Group("AND", tuple(negative))
    return Not(Group("AND", (everything_but, *(Not(part) for part in positive)))) if positive else Not(everything_but)


def turned_round(node: Node) -> Node:
    return node.part if isinstance(node, Not) else Not(node)


def years_in(node: Node) -> Range | None:
    """The years from the first to the last of an OR of years, if it is one."""
    if not isinstance(node, Group) or node.operator != "OR":
        return None
    ranges = [part for part in node.parts if isinstance(part, Range)]
    if len(ranges) < len(node.parts):
        return None
    lows = [part.low for part in ranges if part.low is not None]
    highs = [part.high for part in ranges if part.high is not None]
    low = min(lows) if len(lows) == len(ranges) else None
    high = max(highs) if len(highs) == len(ranges) else None
    return Range(low, high, span=node.span)


def is_without_gaps(node: Group) -> bool:
    """Whether no year is missing between the years of an OR."""
    ranges = [part for part in node.parts if isinstance(part, Range)]
    spans = sorted((-1 if r.low is None else r.low, 9999 if r.high is None else r.high) for r in ranges)
    reached = spans[0][1]
    for low, high in spans[1:]:
        if low > reached + 1:
            return False
        reached = max(reached, high)
    return True


def conjuncts(root: Node) -> Iterator[tuple[int, Node]]:
    """All that must hold, each with its number: the parts of the root's AND, and of ANDs in it.

    >>> [number for number, _ in conjuncts(Group("AND", (Term(("a",)), Group("AND", (Term(("b",)), Term(("c",)))))))]
    [1, 3, 4]
    """
    yield from _conjuncts(root, [0])


def _conjuncts(node: Node, place: list[int]) -> Iterator[tuple[int, Node]]:
    number = place[0]
    if isinstance(node, Group) and node.operator == "AND":
        place[0] += 1
        for part in node.parts:
            yield from _conjuncts(part, place)
        return
    place[0] += size_of(node)
    yield number, node


def size_of(node: Node) -> int:
    parts = node.parts if isinstance(node, Group) else (node.part,) if isinstance(node, Not) else ()
    return 1 + sum(map(size_of, parts))


def is_negative(node: Node) -> bool:
    if isinstance(node, Not):
        return not is_negative(node.part)
    if isinstance(node, Group):
        return (all if node.operator == "AND" else any)(is_negative(part) for part in node.parts)
    return False


def words_said(node: Term | Near, dialect: Dialect) -> LeafSaid:
    bare = without_fields(node)
    if isinstance(bare, Term):
        return adapted_term(bare, dialect, strict=True, drop=False)
    assert isinstance(bare, Near)
    return adapted_near(bare, dialect, strict=True, drop=False)


def years_said(node: Range) -> LeafSaid:
    """Years from and to, or nothing where that means all of them."""
    if node.low is None and node.high is None:
        return None, [("widened", "Every year: left out.")]
    if node.low is not None and node.high is not None and node.low > node.high:
        return None, [("unsupported", "No year is after the later one and before the earlier one: left out.")]
    return node, []


def heading_as_term(node: Heading, fields: tuple[str, ...]) -> Term:
    """A subject heading as the phrase that a text would have: Encephalitis, Japanese is Japanese Encephalitis."""
    return Term((turned(" ".join(node.name.split())),), True, fields, span=node.span)


def without_fields(node: Node) -> Node:
    return in_fields(node, ())


def in_fields(node: Node, fields: tuple[str, ...]) -> Node:
    if isinstance(node, Term):
        return node if node.fields == fields else replace(node, fields=fields)
    if isinstance(node, Group | Near):
        return replace(node, parts=tuple(in_fields(part, fields) for part in node.parts))
    return replace(node, part=in_fields(node.part, fields)) if isinstance(node, Not) else node


# Where each word is looked for, if a source has one field for a whole part of a search and not for each word.

TITLE: Fields = ("title",)
ABSTRACT: Fields = ("abstract",)
BOTH: Fields = ("title", "abstract")


@dataclass(frozen=True, slots=True)
class Place:
    fields: Fields
    """Those of the filter that it stands in."""
    wanted: Fields
    """Those that it asks for itself, as near as the source has them."""
    excluded: bool
    """The filter leaves out what it finds."""
    is_alone: bool
    """Nothing else stands in this filter but alternatives to it with the same field."""

    def note(self, label: str) -> Note | None:
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
    return Loss(0, root.span.start, root.span.end or len(parsed.text), status, message)


def by_number(losses: list[Loss]) -> tuple[Loss, ...]:
    return tuple(sorted(losses, key=lambda loss: loss.number))
