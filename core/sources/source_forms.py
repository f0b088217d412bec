"""Forms of a search string for live sources, and the steps that all sources share in writing them."""

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
    group_of,
    in_fields,
    in_order,
    parts_joined,
    terms_in,
    walk,
    with_leaves,
)

# The data of a search string on its way to a live source.

SourceId = Literal["openalex", "pubmed", "europepmc", "semanticscholar", "dimensions"]
SOURCE_IDS: tuple[SourceId, ...] = get_args(SourceId)
MOST = 10_000
"""Maximum number of publications that a run fetches by default."""


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Options for sources that can be queried in more than one way; each source reads only its own."""

    stem: bool = True
    """OpenAlex: match other forms of a word too; otherwise only the exact words."""
    wildcards: Literal["drop", "send"] = "drop"
    """OpenAlex: drop * and ?, which its stemming filters don't accept, or send them to the filters that do."""
    synonyms: bool = False
    """Europe PMC: search synonyms from MeSH too."""


@dataclass(frozen=True, slots=True)
class Form:
    """One text to send; the results of all forms of one search are united."""

    number: int
    """Counts from 0."""
    text: str
    """Written in the source's language; the adapter packs it into a request."""


@dataclass(frozen=True, slots=True)
class PreparedSearch:
    source: SourceId
    dialect: DialectId
    """The dialect that the text was read in."""
    text: str
    """The whole search in the source's language, before splitting."""
    forms: tuple[Form, ...]
    """One form, or several if one would be too long; never empty."""
    losses: tuple[Loss, ...] = ()
    """Parts that were left out, or that mean something else in the source."""
    is_unchanged: bool = False
    """The text is sent exactly as typed."""
    choices: SourceOptions = SourceOptions()


# Characters that mean something to a source are removed from the search terms.
#
# The words and their adjacency stay the same, so the results do not change: sources split a text into words at these
# characters too.

_SIGNS = re.compile(r"""[,|!:;\\/^~<>=#@(){}\[\]*?+"“”„\x00-\x1f]|&&|(?<!\w)-|-(?!\w)""")

_SPACES = re.compile(r"\s+")


def is_plain(term: Term) -> bool:
    return not any(isinstance(piece, str) and _SIGNS.search(piece) for piece in term.pieces)


def with_plain_signs(node: Node) -> Node:
    """Replace such characters in the tree by spaces.

    >>> with_plain_signs(Term(("1,25-dihydroxy",))).pieces
    ('1 25-dihydroxy',)
    """
    return with_leaves(node, lambda leaf: _plain_term(leaf) if isinstance(leaf, Term) and not is_plain(leaf) else leaf)


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


# A tree in the terms of one source: converted leaf by leaf, with a loss for each leaf that changes its meaning.

LABELS: dict[SourceId, str] = {
    "openalex": "OpenAlex",
    "pubmed": "PubMed",
    "europepmc": "Europe PMC",
    "semanticscholar": "Semantic Scholar",
    "dimensions": "Dimensions",
}

WrittenLeaf = tuple[Node | None, list[Note]]
SayLeaf = Callable[[Node, int], WrittenLeaf]
"""A function from a leaf and its number to its replacement (None: left out) and the losses."""


@dataclass(frozen=True, eq=False)
class SourceTree:
    root: Node | None
    """None: nothing is left."""
    losses: tuple[Loss, ...]
    write: Callable[[Node], str] = repr
    """A function that writes a tree, or one with fewer alternatives, in the source's syntax."""


def source_tree(root: Node, leaf: SayLeaf) -> SourceTree:
    """Convert each leaf with `leaf`, and move every NOT behind a positive part.

    No source can search for the absence of something alone, so a OR NOT b becomes everything but (b NOT a). This is
    equivalent, provided that a positive part precedes it in the end.
    """
    sayer = _Sayer(leaf)
    made = sayer.node(root)
    return SourceTree(made, tuple(sayer.losses[n] for n in sorted(sayer.losses)))


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
            written, more = self.leaf(years, number)
            if written is not None and not is_without_gaps(node):
                notes.append(("widened", "These years are searched as one span, including those between them."))
        else:
            written, more = self.leaf(node, number)
        if notes or more:
            self.losses[number] = loss_of(number, node, [*notes, *more])
        return written


def joined(node: Group, parts: list[Node]) -> Node | None:
    """Join the parts with the group's operator; a NOT comes only after a positive part or around the whole."""
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
    everything_but = group_of("AND", negative)
    return Not(Group("AND", (everything_but, *(Not(part) for part in positive)))) if positive else Not(everything_but)


def turned_round(node: Node) -> Node:
    return node.part if isinstance(node, Not) else Not(node)


def years_in(node: Node) -> Range | None:
    """Return the span from the first to the last year if the node is an OR of years, else None."""
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
    """Return True if no year is missing between the years of an OR."""
    ranges = [part for part in node.parts if isinstance(part, Range)]
    spans = sorted((-1 if r.low is None else r.low, 9999 if r.high is None else r.high) for r in ranges)
    reached = spans[0][1]
    for low, high in spans[1:]:
        if low > reached + 1:
            return False
        reached = max(reached, high)
    return True


def conjuncts(root: Node) -> Iterator[tuple[int, Node]]:
    """Yield each part that must hold, with its number: the parts of the root's AND, and of nested ANDs.

    >>> [number for number, _ in conjuncts(Group("AND", (Term(("a",)), Group("AND", (Term(("b",)), Term(("c",)))))))]
    [1, 3, 4]
    """
    end = 0
    for number, node in enumerate(walk(root)):
        if number >= end and not (isinstance(node, Group) and node.operator == "AND"):
            end = number + sum(1 for _ in walk(node))
            yield number, node


def is_negative(node: Node) -> bool:
    if isinstance(node, Not):
        return not is_negative(node.part)
    if isinstance(node, Group):
        return (all if node.operator == "AND" else any)(is_negative(part) for part in node.parts)
    return False


def write_words(node: Term | Near, dialect: Dialect) -> WrittenLeaf:
    bare = in_fields(node, ())
    if isinstance(bare, Term):
        return adapted_term(bare, dialect, strict=True, drop=False)
    assert isinstance(bare, Near)
    return adapted_near(bare, dialect, strict=True, drop=False)


def write_years(node: Range) -> WrittenLeaf:
    """Return the range of years, or None with a note if it covers every year or no year."""
    if node.low is None and node.high is None:
        return None, [("widened", "Every year: left out.")]
    if node.low is not None and node.high is not None and node.low > node.high:
        return None, [("unsupported", "No year is after the later one and before the earlier one: left out.")]
    return node, []


def heading_as_term(node: Heading, fields: tuple[str, ...]) -> Term:
    """Return a subject heading as the phrase used in texts: Encephalitis, Japanese becomes Japanese Encephalitis."""
    return Term((turned(" ".join(node.name.split())),), True, fields, span=node.span)


# The field in which each word is searched, if a source has one field for a whole part of a search.

TITLE: Fields = ("title",)
ABSTRACT: Fields = ("abstract",)
BOTH: Fields = ("title", "abstract")


@dataclass(frozen=True, slots=True)
class FieldPlacement:
    fields: Fields
    """The fields of the filter that contains it."""
    wanted: Fields
    """The fields it asks for itself, as near as the source has them."""
    excluded: bool
    """The filter excludes its matches."""
    is_alone: bool
    """The filter contains nothing else except alternatives with the same field."""

    def note(self, label: str) -> Note | None:
        if self.fields == self.wanted:
            return None
        here, there = in_words(self.fields), in_words(self.wanted)
        wider = set(self.fields) >= set(self.wanted)
        if self.excluded:
            status: Status = "narrowed" if wider else "widened"
            return status, f"{label} leaves out only where it searches as well: left out by {here}, not by {there}."
        status = "widened" if wider else "unsupported"
        return status, f"{label} can't search {there} alone here: searched in {here}."


def write_leaf(
    node: Node, place: FieldPlacement | None, label: str, dialect: Dialect, *, here: str = ""
) -> WrittenLeaf:
    """Write a heading, a term or a Near for a source that searches a whole string in one field.

    `here`: added to what the source lacks only in such a string.
    """
    if isinstance(node, Heading):
        made, notes = write_words(heading_as_term(node, ()), dialect)
        message = f"{label} has no subject headings{here}: searched as words of title and abstract."
        return (None if made is None else in_fields(made, BOTH)), [("unsupported", message), *notes]
    assert isinstance(node, Term | Near)
    assert place is not None
    if not set(place.wanted) & set(TEXT_FIELDS):
        return None, [("unsupported", f"{label} has no field for {in_words(place.wanted)}{here}: left out.")]
    made, notes = write_words(node, dialect)
    if note := place.note(label):
        notes = [note, *notes]
    return (None if made is None else in_fields(made, place.fields)), notes


def near_field(term: Term, known: Collection[Fields]) -> Fields:
    """Return the source's closest field, or a field that it does not know if none is close.

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


def places(root: Node, known: Collection[Fields], *, whole: bool = False) -> dict[int, FieldPlacement]:
    """Map the number of each term and Near to the filter it goes into. `known`: filters that are searched for words.

    `whole`: there is only one filter.
    """
    filters = [(0, root)] if whole else [(number, part) for number, part in conjuncts(root)]
    wanted = {number: _wanted(part, known) for number, part in filters}
    first = {number: _field_of(found) for number, found in wanted.items()}
    positive = [first[n] for n, part in filters if not is_negative(part) and wanted[n]]
    out: dict[int, FieldPlacement] = {}
    for number, part in filters:
        fields, excluded = first[number], not whole and is_negative(part)
        if excluded and positive and fields not in positive:
            fields = BOTH if BOTH in positive else positive[0]
        alone = len(_all_wanted(part, known)) == 1 and _is_list(part)
        for i, node in enumerate(walk(part)):
            if isinstance(node, Term | Near):
                fitting = {near_field(term, (*known, TITLE, ABSTRACT)) for term in terms_in(node)} or {BOTH}
                own = next(iter(fitting)) if len(fitting) == 1 else BOTH
                out[number + i] = FieldPlacement(fields, own, excluded, alone)
    return out


def _wanted(node: Node, known: Collection[Fields]) -> set[Fields]:
    return {each for each in _all_wanted(node, known) if each in known}


def _all_wanted(node: Node, known: Collection[Fields]) -> set[Fields]:
    found = {near_field(term, known) for term in terms_in(node)}
    return found | ({BOTH} if any(isinstance(each, Heading) for each in walk(node)) else set())


def _field_of(wanted: set[Fields]) -> Fields:
    return next(iter(wanted)) if len(wanted) == 1 else BOTH


def _is_list(node: Node) -> bool:
    return all(isinstance(part, Term) for part in parts_joined(node, "OR"))


def years_beside(root: Node) -> frozenset[int]:
    """Return the numbers of the year limits that hold for the whole search."""
    years = set()
    for number, part in conjuncts(root):
        if all(isinstance(each, Range) for each in parts_joined(part, "OR")):
            years.add(number)
    return frozenset(years)


def unsearched(parsed: ParsedQuery, root: Node, label: str, searched: Fields = BOTH) -> Loss | None:
    """Return one loss for the whole search if it asks for fields outside the searched ones."""
    others: set[str] = set()
    for term in terms_in(root):
        fields = set(term.fields or TEXT_FIELDS)
        if fields & set(searched):
            others |= fields - set(searched)
    if not others:
        return None
    missing = in_words(in_order(others - {"other"}) or ("other",))
    message = f"{label} searches words in {in_words(searched)} only: not in {missing}."
    return whole_loss(parsed, root, "narrowed", message)


def whole_loss(parsed: ParsedQuery, root: Node, status: Status, message: str) -> Loss:
    return Loss(0, root.span.start, root.span.end or len(parsed.text), status, message)


def by_number(losses: list[Loss]) -> tuple[Loss, ...]:
    return tuple(sorted(losses, key=lambda loss: loss.number))
