"""Adapt a tree to the features of a dialect, and list every loss."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations as pairs_of

from core.query.dialects.base import DATABASE_LABELS, JOURNAL_NAMES, NAME_FIELDS, Dialect, NearForm, Tag
from core.query.dialects.dates import DATE_FIELDS, since
from core.query.dialects.meanings import closed_field, thesaurus_of
from core.query.dialects.values import (
    EMBASE_LIMITS,
    TYPE_FIELDS,
    TYPES_OF_EMBASE,
    TYPES_WITH_NARROWER,
    code_of,
    spelling_of,
    value_named,
)
from core.query.equivalence import combinations
from core.query.leaf_texts import (
    Fields,
    Note,
    Status,
    Vocabulary,
    adapted,
    as_words,
    choose,
    in_words,
    is_writable,
    joined_pieces,
    sign_of,
    without_fields,
    years_tag,
)
from core.query.lexer import EARLIEST, LATEST, pieces_of
from core.query.tree import (
    ANY_ENDING,
    EVERY_FIELD,
    TEXT_FIELDS,
    UNKNOWN,
    UNKNOWN_LIMIT,
    Gap,
    Group,
    Heading,
    Near,
    Node,
    Not,
    Pieces,
    Range,
    Term,
    Thesaurus,
    Word,
    group_of,
    has_unknown,
    in_fields,
    in_order,
    leaves_in,
    parts_joined,
    terms_in,
    walk,
    written,
)
from core.text import words

# Terms as a dialect can express them.

NOT_SAYABLE = "These characters would be misread: written as words only."


def adapted_term(
    node: Term, dialect: Dialect, *, strict: bool, drop: bool, vocabulary: Vocabulary = (), opens_names: bool = False
) -> tuple[Node | None, list[Note]]:
    """Return the adapted term and its losses. `drop`: a term without a fitting field is left out."""
    if not has_words(node):
        return None, [("unsupported", "There is nothing to search for: left out.")]
    if node.fields == UNKNOWN_LIMIT:
        return None, [("unsupported", f"The limit {written(node.pieces)[:80]} is unknown: left out.")]
    if has_unknown(node.fields) and not strict:
        return node, []
    if has_unknown(node.fields):
        unknown = ", ".join(name[1:] for name in node.fields if name.startswith(UNKNOWN))
        notes: list[Note] = [("unsupported", f"The field {unknown} is unknown: left out.")]
        return (None if drop else replace(as_words(node), fields=(), tag="")), notes
    if strict and (field := closed_field(node)):
        return _written_value(node, field, dialect, drop=drop)
    if len(node.fields) == len(EVERY_FIELD):
        node = replace(node, tag=dialect.all_tag)
    choice = choose(node.fields, dialect, own=not strict)
    if strict and choice.status != "exact" and node.fields == ("journal",) and len(words_of(node)) == 1:
        both = choose(JOURNAL_NAMES, dialect)  # a name of one word is never abbreviated
        choice = both if both.status == "exact" else choice
    notes = []
    options = choice.options
    if not options:
        if drop and not set(node.fields) & set(TEXT_FIELDS):
            return None, [("unsupported", f"{choice.message}: left out.")]
        notes.append(("unsupported", f"{choice.message}: written as words without a field."))
        options = ((),)
    elif choice.status != "exact":
        notes.append((choice.status, choice.message))
    if node.exact and not may_be_exact(node, dialect):
        notes.append(("widened", f"{dialect.label} may also match other forms of these words."))
        node = replace(node, exact=False, quoted=True)
    if NAME_FIELDS.issuperset(node.fields or EVERY_FIELD):
        dialect = replace(dialect, shortest_stem=1)  # initials are short
        is_last_name = [len(chunk) for chunk in node.chunks] == [1] and not any(isinstance(p, Gap) for p in node.pieces)
        if strict and dialect.whole_names and isinstance(last := node.pieces[-1], str) and last.endswith("."):
            node = replace(node, pieces=(*node.pieces[:-1], last.rstrip(".")))
        if opens_names and is_last_name:
            node = replace(node, pieces=(*node.pieces, ANY_ENDING))
            message = f"{dialect.label} matches whole names: longer names that begin like this are also found."
            notes.append(("widened", message))
    endings = adapted(node.pieces, dialect, strict=strict, vocabulary=vocabulary)
    notes += endings.notes
    variants = [replace(node, pieces=pieces) for pieces in endings.variants]
    alternatives: list[Node] = []
    for fields in options:
        for variant in variants:
            one, more = _rewritten(replace(variant, fields=fields, span=node.span), dialect, strict=strict)
            if one is None:
                continue
            alternatives.append(one)
            notes += [note for note in more if note not in notes]
    if not alternatives:
        return None, notes or [("unsupported", "No words remain: left out.")]
    return alternatives[0] if len(alternatives) == 1 else _each_run(node, alternatives), notes


def _written_value(node: Term, field: str, dialect: Dialect, *, drop: bool) -> tuple[Node | None, list[Note]]:
    """Write a list value as the dialect spells it: another spelling would find nothing."""
    text = written(node.pieces)
    shown = " ".join(text.split())
    told, label = in_words(node.fields), dialect.label
    choice = choose(node.fields, dialect)
    notes: list[Note] = []
    if not choice.options and field in TYPE_FIELDS:
        choice = choose(tuple(name for name in TYPE_FIELDS if name != field), dialect)
        notes = _narrower_types(shown, field, label)
    has_tag = bool(choice.options) and choice.status == "exact"
    own = shown if value_named(field, text, dialect.id) else None
    spelling = (spelling_of(field, shown.lower(), dialect.id) or own) if has_tag else None
    if spelling is None and has_tag and field in DATE_FIELDS:
        spelling = spelling_of(field, since(shown), dialect.id)
        notes.append(("widened", f"{label} searches from one {told} onwards: later ones are also found."))
    if spelling is not None:
        is_limit = dialect.id == "embase" and spelling in EMBASE_LIMITS
        pieces: Pieces = (spelling,)
        quoted = " " in spelling or not spelling.isalnum()
        if field in DATE_FIELDS:
            pieces, quoted = pieces_of(spelling, dialect), False
        node = replace(node, pieces=pieces, quoted=quoted, exact=False, tag="lim" if is_limit else node.tag)
        return group_of("OR", [replace(node, fields=fields) for fields in choice.options]), notes
    if not has_tag:
        return _without_value(node, f"{label} has no field for {told}", drop=drop, shows_value=False)
    return _without_value(node, f"{label} has no {told}", drop=drop)


def _narrower_types(name: str, field: str, label: str) -> list[Note]:
    """Return the loss if a dialect includes narrower document types and the query does not, or the reverse."""
    if name.lower() not in TYPES_WITH_NARROWER:
        return []
    if field == "publication_type":
        return [("narrowed", f"{label} does not include types narrower than “{name}”: add those you need.")]
    return [("widened", f"{label} also finds types narrower than “{name}”.")]


def _without_value(node: Term, message: str, *, drop: bool, shows_value: bool = True) -> tuple[Node | None, list[Note]]:
    """Replace a value that the dialect lacks with words, or leave it out."""
    if shows_value:
        message += f" “{' '.join(written(node.pieces).split())}”"
    if drop:
        return None, [("unsupported", f"{message}: left out.")]
    bare = replace(as_words(node), fields=(), tag="")
    return bare, [("unsupported", f"{message}: written as words without a field.")]


def _each_run(node: Term, alternatives: list[Node]) -> Node:
    if not all(isinstance(one, Group) for one in alternatives):
        if len(node.chunks) == 1 or not all(isinstance(one, Term) for one in alternatives):
            return Group("OR", tuple(alternatives))
        alternatives = [Group("AND", tuple(runs_of(one))) for one in alternatives if isinstance(one, Term)]
    columns = zip(*(one.parts for one in alternatives if isinstance(one, Group)), strict=True)
    return Group("AND", tuple(group_of("OR", tuple(dict.fromkeys(column))) for column in columns))


def _rewritten(term: Term, dialect: Dialect, *, strict: bool) -> tuple[Node | None, list[Note]]:
    if not has_words(term):
        return None, []
    has_gaps = any(isinstance(piece, Gap) for piece in term.pieces)
    side_by_side = any(len(chunk) > 1 for chunk in term.chunks)
    if strict and has_gaps and side_by_side and not dialect.wildcard_in_phrase:
        if (near := _as_neighbours(term, dialect)) is not None:
            return near, []
        message = f"{dialect.label} allows no wildcard in a phrase: its words may appear anywhere."
        return group_of("AND", words_of(term)), [("widened", message)]
    if strict and has_gaps and term.quoted and not term.exact and not dialect.wildcard_in_phrase:
        term = replace(term, quoted=False)  # quotes around one word only turn * into an ordinary character
    binds_last = strict and dialect.tag_style == "codes" and bool(term.fields)  # heat wave:ti
    if len(term.chunks) > 1 and not term.quoted and (binds_last or splits_runs(dialect, term)):
        runs = runs_of(term)
        parts = [run if is_writable(run, dialect) else as_words(run) for run in runs]
        return group_of("AND", parts), [] if parts == runs else [("unsupported", NOT_SAYABLE)]
    if not is_writable(term, dialect):
        return as_words(term), [("unsupported", NOT_SAYABLE)]
    return term, []


def _as_neighbours(term: Term, dialect: Dialect) -> Node | None:
    """Turn each phrase into neighbours in this order, if no wildcard is allowed in quotes: heat NEXT wave*."""
    parts = [_neighbours(term, chunk) for chunk in term.chunks]
    if ordered_form(dialect, 0) is None or None in parts:
        return None
    known = tuple(part for part in parts if part is not None)
    words = [word for part in known for word in terms_in(part)]
    if not all(is_writable(word, dialect) for word in words):
        return None
    return group_of("AND", known)


def _neighbours(term: Term, chunk: tuple[Word, ...]) -> Term | Near | None:
    parts = tuple(replace(term, pieces=word.pieces, quoted=False) for word in chunk)
    if not all(map(has_words, parts)):
        return None
    return parts[0] if len(parts) == 1 else Near(parts, 0, ordered=True, span=term.span)


def splits_runs(dialect: Dialect, term: Term) -> bool:
    """Return True if adjacent bare words would be read as a phrase."""
    if any(tag.is_name and tag.fields == term.fields for tag in dialect.tags.values()):
        return True
    return dialect.run_is_phrase or (dialect.tagged_run_is_phrase and bool(term.fields)) or term.exact


def runs_of(term: Term) -> list[Term]:
    """Return each run of words of a bare term as a separate term."""
    out = []
    for pieces in apart(term.pieces):
        one = replace(term, pieces=pieces)
        if has_words(one):
            out.append(one)
    return out


def has_words(term: Term) -> bool:
    """Return True if there is anything to search for besides wildcards."""
    return any(isinstance(piece, str) and words(piece) for piece in term.pieces)


def may_be_exact(term: Term, dialect: Dialect) -> bool:
    """Return True if it can be in {braces}; a count of characters can't, because it has braces itself."""
    signs = [sign_of(piece, dialect) or "" for piece in term.pieces if isinstance(piece, Gap)]
    return dialect.exact_braces and not any("{" in sign for sign in signs)


def words_of(term: Term) -> list[Term]:
    each = [replace(term, pieces=word.pieces, quoted=False) for chunk in term.chunks for word in chunk]
    return [one for one in each if has_words(one)]


def apart(pieces: Pieces) -> list[Pieces]:
    out: list[list[str | Gap]] = [[]]
    for piece in pieces:
        if isinstance(piece, Gap):
            out[-1].append(piece)
            continue
        first, *rest = "".join(" " if c.isspace() else c for c in piece).split(" ")
        out[-1].append(first)
        out += [[part] for part in rest]
    return [tuple(piece for piece in chunk if piece != "") for chunk in out if any(piece != "" for piece in chunk)]


# Words that are close to each other, as a dialect can express them.

MOST_SPREAD = 48
"""Maximum number of Nears without OR that replace one with ORs."""
MOST_IN_WINDOW = 12
"""Maximum number of parts that are written in pairs."""
Adapted = tuple[Node | None, list[Note]]


def adapted_near(node: Near, dialect: Dialect, *, strict: bool, drop: bool, vocabulary: Vocabulary = ()) -> Adapted:
    def in_one_place(node: Near, fields: Fields) -> Adapted:
        return _in_one_place(node, fields, dialect, strict=strict, drop=drop, vocabulary=vocabulary)

    if len({term.fields for term in terms_in(node)}) < 2:
        first = next((term.fields for term in terms_in(node)), ())
        return in_one_place(node, first)
    ways = combinations(node, MOST_SPREAD)
    if ways is None:
        every = frozenset(f for term in terms_in(node) for f in term.fields or TEXT_FIELDS)
        made, notes = in_one_place(node, in_order(every))
        return made, [("widened", "Its words are in different fields: each is searched in all of them."), *notes]
    of_ways: dict[Near, Fields] = {way: fields for way in ways if (fields := _common(way)) is not None}
    if not of_ways:
        return None, [("unsupported", "Words in different fields are never near each other: left out.")]
    if len(of_ways) == len(ways) and len(set(of_ways.values())) == 1:
        return in_one_place(node, next(iter(of_ways.values())))
    made_ways = [in_one_place(way, fields) for way, fields in of_ways.items()]
    known = [made for made, _ in made_ways if made is not None]
    found = list(dict.fromkeys(note for _, notes in made_ways for note in notes))
    return (group_of("OR", known) if known else None), found


def _in_one_place(
    node: Near, fields: Fields, dialect: Dialect, *, strict: bool, drop: bool, vocabulary: Vocabulary
) -> Adapted:
    if strict and closed_field(Term((), fields=fields)):
        return None, [("unsupported", f"Words can't be near each other in {in_words(fields)}: left out.")]
    notes: list[Note] = []
    if strict and (phrases := _phrases(node, dialect)):
        placed = [
            replace(phrase, fields=fields, tag=phrase.tag if phrase.fields == fields else "") for phrase in phrases
        ]
        adapted = [adapted_term(p, dialect, strict=strict, drop=drop, vocabulary=vocabulary) for p in placed]
        notes = list(dict.fromkeys(note for _, more in adapted for note in more))
        kept = [made for made, _ in adapted if made is not None]
        return (group_of("OR", kept) if kept else None), notes
    choice = choose(fields, dialect, own=not strict, near=True)
    options = choice.options
    if not options:
        if drop and not set(fields) & set(TEXT_FIELDS):
            return None, [("unsupported", f"{choice.message}: left out.")]
        notes.append(("unsupported", f"{choice.message}: written as words without a field."))
        options = ((),)
    elif choice.status != "exact":
        notes.append((choice.status, choice.message))
    ready = _ready(node, dialect, strict, notes, vocabulary)
    if ready is None:
        return None, [*notes, ("unsupported", "One of the parts has nothing to search for: left out.")]
    near = _adapted_near_of_words(ready, dialect, strict, notes)
    tag = dialect.all_tag if len(fields) == len(EVERY_FIELD) else ""
    spread = [in_fields(near, option, tag) for option in options]
    return group_of("OR", spread), notes


def _common(way: Near) -> Fields | None:
    """Return the fields that all parts have: Near means in one field. Its ORs must be expanded."""
    found = [term.fields for term in terms_in(way)]
    common = frozenset.intersection(*(frozenset(fields or TEXT_FIELDS) for fields in found))
    if all(not fields or set(fields) == set(TEXT_FIELDS) for fields in found):
        return found[0]
    return in_order(common) or None


# Words


def _ready(node: Near, dialect: Dialect, strict: bool, notes: list[Note], vocabulary: Vocabulary) -> Near | None:
    """Return the Near with terms that the dialect can express; None: a part has no words."""
    parts = [_ready_part(part, dialect, strict, notes, vocabulary) for part in node.parts]
    known = [part for part in parts if part is not None]
    return replace(node, parts=tuple(known)) if len(known) == len(parts) else None


def _ready_part(node: Node, dialect: Dialect, strict: bool, notes: list[Note], vocabulary: Vocabulary) -> Node | None:
    if isinstance(node, Near) and strict and (phrases := _phrases(node, dialect)):
        return _ready_part(group_of("OR", phrases), dialect, strict, notes, vocabulary)
    if isinstance(node, Near):
        return _ready(node, dialect, strict, notes, vocabulary)
    if isinstance(node, Group):
        parts = [_ready_part(part, dialect, strict, notes, vocabulary) for part in node.parts]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            notes.append(("unsupported", "One of the alternatives has nothing to search for: left out."))
        return replace(node, parts=tuple(known)) if len(known) > 1 else known[0] if known else None
    if not isinstance(node, Term):
        return None
    if node.exact and not may_be_exact(node, dialect):
        notes.append(("widened", f"{dialect.label} may also match other forms of these words."))
        node = replace(node, exact=False, quoted=True)
    endings = adapted(node.pieces, dialect, strict=strict, vocabulary=vocabulary)
    notes += [note for note in endings.notes if note not in notes]
    variants = [_as_phrase(one) for p in endings.variants if has_words(one := replace(node, pieces=p))]
    if not variants:
        return None
    if not all(is_writable(one, dialect) for one in variants):
        notes.append(("unsupported", NOT_SAYABLE))
        variants = [as_words(one) for one in variants]
    return group_of("OR", [_without_wild_phrase(one, dialect) if strict else one for one in variants])


def _without_wild_phrase(term: Term, dialect: Dialect) -> Node:
    """Turn a phrase with a wildcard into neighbours, if no wildcard is allowed in quotes."""
    is_wild = len(term.chunks) == 1 < len(term.chunks[0]) and any(isinstance(piece, Gap) for piece in term.pieces)
    near = _neighbours(term, term.chunks[0]) if is_wild and not dialect.wildcard_in_phrase else None
    return near if near is not None and ordered_form(dialect, 0) is not None else term


def _phrases(node: Near, dialect: Dialect) -> tuple[Term, ...] | None:
    """Turn ordered neighbours into phrases, for a dialect without an ordered form; None: they are something else."""
    if not node.ordered or node.distance or ordered_form(dialect, 0) is not None:
        return None
    phrases = [_phrase(way) for way in combinations(node, MOST_SPREAD) or ()]
    known = tuple(phrase for phrase in phrases if phrase is not None)
    return known if known and len(known) == len(phrases) else None


def _phrase(way: Near) -> Term | None:
    terms = _row(way)
    if not terms or len({(term.fields, term.exact) for term in terms}) > 1 or not all(map(has_words, terms)):
        return None
    pieces = [piece for term in terms for piece in (" ", *term.pieces)][1:]
    return replace(terms[0], pieces=joined_pieces(pieces), quoted=True, span=way.span)


def _row(node: Node) -> list[Term] | None:
    """Return the adjacent terms of a node, in order; None: it is something else."""
    if isinstance(node, Term):
        return [node]
    if not isinstance(node, Near) or not node.ordered or node.distance:
        return None
    rows = [_row(part) for part in node.parts]
    return None if None in rows else [term for row in rows if row is not None for term in row]


def _as_phrase(term: Term) -> Term:
    """Turn bare words into a phrase: in a Near they are adjacent anyway."""
    return replace(term, quoted=True) if len(term.chunks) > 1 else term


# Distance and order


def _adapted_near_of_words(node: Near, dialect: Dialect, strict: bool, notes: list[Note]) -> Node:
    if not dialect.near_forms:
        return _in_window(node, dialect, notes)
    if node.whole and len(node.parts) > 2:
        if dialect.window == "tilde" and not node.ordered and (ways := _plain_ways(node)):
            return group_of("OR", ways)
        label = dialect.label
        if not node.ordered or ordered_form(dialect, node.distance) is None:
            if len(node.parts) > MOST_IN_WINDOW:
                return _all_parts(node, notes, f"{label} allows at most {MOST_IN_WINDOW} parts here: read as AND.")
            notes.append(("widened", f"{label} measures the distance between two parts only: every pair must be near."))
            pairs = tuple(_adapted_near_of_words(pair, dialect, strict, notes) for pair in _every_two(node))
            return Group("AND", pairs)
        notes.append(("widened", f"{label} measures the distance between two parts only: it applies to each pair."))
        node = replace(node, whole=False)
    elif node.whole:
        node = replace(node, whole=False)
    if not dialect.near_takes_groups and _has_group(node):
        ways = combinations(node, MOST_SPREAD)
        if ways is None:
            message = f"{dialect.label} allows no OR here, and there are too many combinations: read as AND."
            return _all_parts(node, notes, message)
        return Group("OR", tuple(_formed(way, dialect, notes) for way in ways))
    return _formed(node, dialect, notes)


def _formed(node: Near, dialect: Dialect, notes: list[Note]) -> Near:
    """Return a Near with a distance and an order that the dialect can write, for the Nears in it too."""
    parts = tuple(_formed_part(part, dialect, notes) for part in node.parts)
    node = replace(node, parts=parts, whole=False)
    form = ordered_form(dialect, node.distance) if node.ordered else None
    if node.ordered and form is None:
        notes.append(("widened", f"{dialect.label} has no operator that keeps the order: any order matches."))
        node = replace(node, ordered=False)
    form = form or dialect.near_forms[0]
    if form.most is not None and node.distance + form.more > form.most:
        notes.append(("narrowed", f"{dialect.label} allows a distance of at most {form.most}."))
        node = replace(node, distance=form.most - form.more)
    return node


def _formed_part(node: Node, dialect: Dialect, notes: list[Note]) -> Node:
    if isinstance(node, Group):
        return replace(node, parts=tuple(_formed_part(part, dialect, notes) for part in node.parts))
    if not isinstance(node, Near):
        return node
    if node.whole and len(node.parts) > 2:
        notes.append(
            ("widened", f"{dialect.label} measures the distance between two parts only: it applies to each pair.")
        )
        return _formed(replace(node, distance=_reach(node)), dialect, notes)
    return _formed(node, dialect, notes)


def ordered_form(dialect: Dialect, distance: int) -> NearForm | None:
    """Return the operator that keeps the order; Ovid's adj without a number does so for neighbours."""
    for form in dialect.near_forms:
        if form.ordered:
            return form
    return NearForm("ADJ", ordered=True) if dialect.id == "ovid" and distance == 0 else None


def _in_window(node: Near, dialect: Dialect, notes: list[Note]) -> Node:
    label = dialect.label
    ways = _plain_ways(node)
    if ways is None:
        whole = _all_parts(node, notes, f"{label} measures the distance between single words only: read as AND.")
        return whole if dialect.wildcard_in_phrase else _wild_apart(whole, label, notes)
    if node.ordered:
        notes.append(("widened", f"{label} ignores the order of words: any order matches."))
        ways = tuple(replace(way, ordered=False) for way in ways)
    if len(node.parts) > 2 and not node.whole:
        notes.append(("widened", f"{label} measures one distance over all words: it was increased."))
        ways = tuple(replace(way, whole=True, distance=_reach(way)) for way in ways)
    elif len(node.parts) == 2:
        ways = tuple(replace(way, whole=False) for way in ways)
    return group_of("OR", ways)


def _wild_apart(node: Node, label: str, notes: list[Note]) -> Node:
    """Turn phrases with wildcards into words that may be anywhere."""
    if isinstance(node, Group):
        return replace(node, parts=tuple(_wild_apart(part, label, notes) for part in node.parts))
    if not isinstance(node, Term) or not any(isinstance(piece, Gap) for piece in node.pieces):
        return node
    each = words_of(node)
    note: Note = ("widened", f"{label} allows no wildcard in a phrase: its words may appear anywhere.")
    notes += [note] * (len(each) > 1 and note not in notes)
    return group_of("AND", each)


def _plain_ways(node: Near) -> tuple[Near, ...] | None:
    ways = combinations(node, MOST_SPREAD)
    if ways is None or not all(_is_plain_word(part) for way in ways for part in way.parts):
        return None
    return ways


def _is_plain_word(node: Node) -> bool:
    if not isinstance(node, Term) or node.exact or any(isinstance(piece, Gap) for piece in node.pieces):
        return False
    return len(node.chunks) == 1 and len(node.chunks[0]) == 1


def _all_parts(node: Near, notes: list[Note], message: str) -> Node:
    notes.append(("widened", message))
    parts = [_without_near(part) for part in node.parts]
    return group_of("AND", parts)


def _without_near(node: Node) -> Node:
    if isinstance(node, Near):
        return Group("AND", tuple(_without_near(part) for part in node.parts))
    return replace(node, parts=tuple(map(_without_near, node.parts))) if isinstance(node, Group) else node


def _every_two(node: Near) -> list[Near]:
    """Pair the parts, each two with the distance that the window allows: the others may be between them."""
    sizes = [_size(part) for part in node.parts]
    return [
        Near((node.parts[i], node.parts[k]), node.distance + sum(sizes) - sizes[i] - sizes[k], node.ordered)
        for i, k in pairs_of(range(len(sizes)), 2)
    ]


def _reach(node: Near) -> int:
    """Return the number of other words allowed between the first and the last part."""
    return node.distance if node.whole else node.distance * (len(node.parts) - 1)


def _size(node: Node) -> int:
    """Return the largest number of words from its first to its last."""
    if isinstance(node, Term):
        return sum(map(len, node.chunks))
    if isinstance(node, Near):
        return sum(map(_size, node.parts)) + _reach(node)
    return max(map(_size, node.parts)) if isinstance(node, Group) else 1


def _has_group(node: Near) -> bool:
    return any(isinstance(part, Group) or (isinstance(part, Near) and _has_group(part)) for part in node.parts)


def leading_not(dialect: Dialect) -> Note:
    return (
        "unsupported",
        f"{dialect.label} needs a term before {dialect.not_word}: put it after your search terms.",
    )


# A tree as a dialect can express it: missing features are replaced by the closest ones, and every change is noted.

_NOT_IN_NAMES = re.compile(r'["“”„‟«»＂″/+*?$\[\]{}\x00-\x1f]')
THESAURI: Mapping[Thesaurus, str] = {
    "": "its own headings",
    "mesh": "MeSH",
    "emtree": "Emtree",
    "cinahl": "CINAHL Headings",
    "apa": "the APA Thesaurus",
    "ovid_other": "an Ovid thesaurus",
    "ebsco_other": "an EBSCOhost thesaurus",
    "proquest_other": "a ProQuest thesaurus",
}
_WORST: tuple[Status, ...] = ("exact", "widened", "narrowed", "unsupported")


@dataclass(frozen=True, slots=True)
class Loss:
    """A node that a dialect can't express exactly, and its replacement."""

    number: int
    """Its place in `walk`."""
    start: int
    """Characters of the text from which the tree was read."""
    end: int
    status: Status
    message: str


def loss_of(number: int, node: Node, notes: list[Note], before: Loss | None = None) -> Loss:
    """Merge all notes about a node into one loss; the worst status counts, and two that contradict are the worst."""
    told = [before.message] if before else []
    told += [message for _, message in notes if message not in told]
    statuses = {status for status, _ in notes} | ({before.status} if before else set())
    both = {"widened", "narrowed"} <= statuses  # neither: some matches are lost and others are added
    status: Status = "unsupported" if both else max(statuses, key=_WORST.index)
    return Loss(number, node.span.start, node.span.end, status, " ".join(told))


@dataclass(frozen=True, eq=False)
class AdaptedTree:
    root: Node | None
    losses: tuple[Loss, ...]
    replaced: Mapping[int, Node | None]
    """The replacement of each leaf with a loss; None: it was left out."""


def adapt(
    root: Node,
    dialect: Dialect,
    *,
    strict: bool = True,
    database: str = "",
    vocabulary: Vocabulary = (),
    opens_names: bool = False,
) -> AdaptedTree:
    """Adapt the tree to a dialect. `strict`: features that the dialect reads but does not allow are replaced too.

    `vocabulary`: the words of a corpus, used to write out stems that the dialect can't search for.
    """
    thesaurus, place = thesaurus_of(dialect, database), _place(dialect, database)
    adapter = _Adapter(dialect, strict, thesaurus, vocabulary, place, opens_names=opens_names)
    if strict and dialect.tag_covers_rest:
        adapter.mixed, adapter.years_at = _by_filters(root)
    made = adapter.node(root, drop=False)
    numbers = sorted(adapter.losses, key=lambda n: (n not in adapter.first, n))
    return AdaptedTree(made, tuple(adapter.losses[n] for n in numbers), adapter.replaced)


def _place(dialect: Dialect, database: str) -> str:
    name = database.strip().lower()
    if name not in dialect.databases or len(dialect.databases) < 2:
        return dialect.label
    return f"{'this database' if name == 'other' else DATABASE_LABELS[name]} on {dialect.label}"


@dataclass(slots=True)
class _Adapter:
    dialect: Dialect
    strict: bool
    thesaurus: Thesaurus
    vocabulary: Vocabulary
    place: str
    """The database and its platform, as shown in messages."""
    mixed: frozenset[int] = frozenset()
    """Nodes in which no field can be written, because one filter would need several."""
    opens_names: bool = False
    """A single last name was searched as a word, and this dialect compares whole names."""
    years_at: frozenset[int] | None = None
    """The only nodes in which years are possible; None: anywhere."""
    next: int = 0
    losses: dict[int, Loss] = field(default_factory=dict)
    replaced: dict[int, Node | None] = field(default_factory=dict)
    first: set[int] = field(default_factory=set)
    """Numbers of the losses that change most: they are listed first."""
    n_nots: int = 0
    """The number of NOTs around the node."""

    def node(self, node: Node, *, drop: bool = True) -> Node | None:
        """Adapt a node. `drop`: leave out leaves for which the dialect has no field."""
        if self.next not in self.mixed:
            return self.made(node, drop=drop)
        dialect, self.dialect = self.dialect, without_fields(self.dialect)
        made = self.made(node, drop=drop)
        self.dialect = dialect
        return made

    def made(self, node: Node, *, drop: bool) -> Node | None:
        number = self.next
        self.next += 1
        if isinstance(node, Group):
            return self.group(node, number, drop=drop)
        if isinstance(node, Not) and drop and _is_animal_filter(node) and not self.has_all_of(node):
            label = self.dialect.label
            self.next += sum(1 for _ in walk(node)) - 1
            self.replaced[number] = None
            self.first.add(number)
            message = f"{label} lacks these headings: the animal filter was left out. Write it with its own."
            self.note(number, node, [("unsupported", message)])
            return None
        if isinstance(node, Not):
            self.n_nots += 1
            inside = self.node(node.part, drop=drop)
            self.n_nots -= 1
            if inside is None:
                return None
            return inside.part if isinstance(inside, Not) and not self.dialect.unary_not else Not(inside)
        if isinstance(node, Range) and self.years_at is not None and number not in self.years_at:
            label = self.dialect.label
            self.replaced[number] = None
            self.note(number, node, [("unsupported", f"{label} limits years for a whole search only: left out.")])
            return None
        made, notes = self.leaf(node, drop=drop)
        if notes:
            self.replaced[number] = made
            self.note(number, node, notes)
        return made

    def note(self, number: int, node: Node, notes: list[Note]) -> None:
        self.losses[number] = loss_of(number, node, notes, self.losses.get(number))

    # Groups

    def group(self, node: Group, number: int, *, drop: bool) -> Node | None:
        parts: list[Node] = []
        n_lost = 0
        for part in node.parts:
            made = self.node(part, drop=True)
            if made is None:
                n_lost += 1
                continue
            inline = isinstance(made, Group) and made.operator == node.operator and not isinstance(part, Group)
            parts += made.parts if inline and isinstance(made, Group) else (made,)
        if n_lost and parts and drop and (message := self.why_none_of(node)):
            for inside in range(number + 1, self.next):
                if self.replaced.get(inside) is not None:  # what its words would have been no longer matters
                    del self.replaced[inside], self.losses[inside]
            self.replaced[number] = None
            self.note(number, node, [("widened", message)])
            return None
        if not parts and not drop:  # something must be left of the whole
            return self.kept(node, number)
        if node.operator == "AND":
            parts = self.with_not_behind(parts)
        elif len(parts) > len(node.parts):
            parts = _by_fields(parts)
        if not self.dialect.unary_not and self.strict:
            self.check_not(node, parts, number)
        return group_of(node.operator, parts) if parts else None

    def why_none_of(self, node: Group) -> str:
        """Explain why all of it is left out if one part is; empty: the others stay."""
        if node.operator == ("AND" if self.n_nots % 2 else "OR") and self.n_nots:
            return "All of this was left out: without the missing part, NOT would exclude more."
        if node.operator == "OR" and not self.n_nots and all(_is_limit(part) for part in node.parts):
            return "All of these were left out: with one of them missing, only the others would be found."
        return ""

    def kept(self, node: Group, number: int) -> Node | None:
        self.next = number + 1
        parts = [made for part in node.parts if (made := self.node(part, drop=False)) is not None]
        return group_of(node.operator, parts) if parts else None

    def with_not_behind(self, parts: list[Node]) -> list[Node]:
        """Move NOTs to the end: the order does not matter, but not every dialect lets a search begin with NOT."""
        loosest = self.dialect.binding[-1] == ("NOT",)
        positive = [part for part in parts if not isinstance(part, Not)]
        if self.dialect.unary_not or (parts and not isinstance(parts[0], Not) and not loosest):
            return parts
        return positive + [part for part in parts if isinstance(part, Not)]

    def check_not(self, node: Group, parts: list[Node], number: int) -> None:
        lonely = isinstance(parts[0], Not) if parts and node.operator == "AND" else False
        if lonely or (node.operator == "OR" and any(isinstance(part, Not) for part in parts)):
            self.note(number, node, [leading_not(self.dialect)])

    # Leaves

    def leaf(self, node: Node, *, drop: bool) -> tuple[Node | None, list[Note]]:
        if isinstance(node, Term):
            if self.strict and self.lacks_type(node):
                return _without_value(node, f"{self.place} has no {in_words(node.fields)}", drop=drop)
            return adapted_term(
                node,
                self.dialect,
                strict=self.strict,
                drop=drop,
                vocabulary=self.vocabulary,
                opens_names=self.opens_names,
            )
        if isinstance(node, Near):
            return adapted_near(node, self.dialect, strict=self.strict, drop=drop, vocabulary=self.vocabulary)
        if isinstance(node, Range):
            return self.range(node)
        assert isinstance(node, Heading)
        return self.heading(node)

    def lacks_type(self, node: Term) -> bool:
        """Return True for a document type of Embase in another database of Ovid."""
        is_type = closed_field(node) in TYPE_FIELDS and self.dialect.id == "ovid"
        return is_type and self.thesaurus != "emtree" and written(node.pieces).lower() in TYPES_OF_EMBASE

    def range(self, node: Range) -> tuple[Node | None, list[Note]]:
        label = self.dialect.label
        if not any(tag.kind == "years" for tag in self.dialect.tags.values()):
            return None, [("unsupported", f"{label} has no years in a search string: left out. Set them as a filter.")]
        low = None if node.low is None or node.low <= EARLIEST else node.low
        high = None if node.high is None or node.high >= LATEST else node.high
        notes: list[Note] = []
        if (low is not None and low > LATEST) or (high is not None and high < EARLIEST):
            return None, [("unsupported", f"Years before {EARLIEST} or after {LATEST} can't be written: left out.")]
        if low is not None and high is not None and low > high:
            return None, [("unsupported", "The years end before they begin: left out.")]
        if low is None and high is None:
            return None, [("widened", "This covers every year: left out.")]
        if self.dialect.id == "ovid" and (low is None or high is None):
            limit = f"{low} -Current" if high is None else f"{EARLIEST} -{high}"
            notes.append(("unsupported", f'Ovid sets these years with a limit instead: limit … to yr="{limit}".'))
        if (low, high) != (node.low, node.high):
            notes.append(("widened", f"Only the years from {EARLIEST} to {LATEST} can be written."))
        years = replace(node, low=low, high=high)
        if years.has_days and not years_tag(years, self.dialect):
            notes.append(("widened", f"{label} has whole years only: months and days are left out."))
            years = replace(years, low_day="", high_day="")
        return self.years(years), notes

    def years(self, node: Range) -> Node:
        low, high = node.low, node.high
        if low is None or high is None or low == high:
            return node
        if self.dialect.id == "scopus":
            return Group("AND", (replace(node, high=None), replace(node, low=None)))
        if self.dialect.id == "ovid" and years_tag(node, self.dialect) == "yr" and self.strict:
            return Group("OR", tuple(replace(node, low=year, high=year) for year in range(low, high + 1)))
        return node

    def has_headings(self) -> bool:
        return self.dialect.slash_headings or any(tag.kind == "heading" for tag in self.dialect.tags.values())

    def has_all_of(self, node: Node) -> bool:
        """Return True if the dialect has the thesaurus of every heading in it."""
        here = {tag.thesaurus for tag in self.dialect.tags.values() if tag.kind == "heading"} | {self.thesaurus}
        names = [leaf.thesaurus for leaf in walk(node) if isinstance(leaf, Heading)]
        return self.has_headings() and all(not name or name in here for name in names)

    def heading(self, node: Heading) -> tuple[Node | None, list[Note]]:
        label = self.dialect.label
        if not self.strict:
            return node, []
        name = " ".join(_NOT_IN_NAMES.sub(" ", node.name).split())
        if node.name.endswith("*") and self.dialect.truncates_headings:
            name += "*"
        name = name.replace("'", "") if self.dialect.id == "embase" else name
        if not words(name):
            return None, [("unsupported", "This heading has no name: left out.")]
        tags = [tag for tag in self.dialect.tags.values() if tag.kind == "heading"]
        if not self.has_headings():
            return self.as_words(name, f"{label} has no subject headings here")
        if node.thesaurus and not any(tag.thesaurus == node.thesaurus for tag in tags):
            if node.thesaurus != self.thesaurus:
                there = f"{self.place} has {THESAURI[self.thesaurus]}"
                return self.as_words(name, f"This heading is from {THESAURI[node.thesaurus]}, {there}")
            node = replace(node, thesaurus="")
        notes: list[Note] = []
        if self.dialect.id == "ebsco" and self.thesaurus == "apa":
            if node.explode:
                message = "EBSCOhost explodes headings of the APA Thesaurus only in its thesaurus window."
                notes.append(("narrowed", message))
            node = replace(node, explode=False, tag="mm" if node.major else "de")
        if node.name.endswith("*") and not name.endswith("*"):
            notes.append(("unsupported", f"{label} searches whole headings only: choose those that begin like this."))
        elif name != " ".join(node.name.split()):
            notes.append(("widened", "Special characters in this heading were left out."))
        node = self.sayable(replace(node, name=name), tags, notes)
        below = tuple(each for each in node.subheadings if words(each))
        if below and self.dialect.subheading_codes:
            below = tuple(name if self.dialect.id == "embase" and "_" in name else code_of(name) for name in below)
        if any(len(code_of(code)) != 2 for code in below) and self.dialect.subheading_codes:
            below = ()
            notes.append(("widened", f"{label} has no two-letter code for one of these subheadings: left out."))
        if below and self.strict and self.dialect.id == "proquest":
            below = ()
            notes.append(("widened", f"{label} links subheadings in its thesaurus window: choose them there."))
        node = replace(node, subheadings=below)
        if not self.strict or len(below) < 2 or self.dialect.slash_headings or self.dialect.id == "plain":
            return node, notes
        return Group("OR", tuple(replace(node, subheadings=(name,)) for name in below)), notes

    def as_words(self, name: str, reason: str) -> tuple[Node | None, list[Note]]:
        """Write a heading that the dialect lacks as words, unless it protects publications from a NOT."""
        if self.n_nots and self.n_nots % 2 == 0:
            return None, [("unsupported", f"{reason}: left out, as words would protect fewer publications from NOT.")]
        term = Term((turned(name),), True, TEXT_FIELDS)
        made, notes = adapted_term(term, self.dialect, strict=self.strict, drop=False)
        return made, [("unsupported", f"{reason}: written as words of title, abstract and keywords."), *notes]

    def sayable(self, node: Heading, tags: list[Tag], notes: list[Note]) -> Heading:
        """Return the heading with options that the dialect can express."""
        if self.dialect.slash_headings or self.dialect.tag_style == "space":
            return node
        known = [(tag.explode, tag.major) for tag in tags if tag.thesaurus == node.thesaurus]
        if (node.explode, node.major) in known:
            return node
        label = self.dialect.label
        if node.major and (node.explode, False) in known:
            notes.append(("widened", f"{label} can't search for a main topic: the heading matches anywhere."))
            return replace(node, major=False)
        if not node.explode and (True, node.major) in known:
            notes.append(("widened", f"{label} always includes narrower headings."))
            return replace(node, explode=True)
        notes.append(("narrowed", f"{label} does not include narrower headings."))
        return replace(node, explode=False, major=known[0][1] if known else False)


def _is_limit(node: Node) -> bool:
    """Return True for a document type, a language or another value of a list."""
    return isinstance(node, Term) and bool(closed_field(node))


_ANIMALS = re.compile(r"animals?|animal experiment|nonhuman|humans?", re.IGNORECASE)


def _is_animal_filter(node: Not) -> bool:
    """Return True for NOT (animals NOT humans) written with headings."""
    leaves = list(leaves_in(node.part))
    names = [leaf.name for leaf in leaves if isinstance(leaf, Heading)]
    return len(names) == len(leaves) and all(_ANIMALS.fullmatch(name.strip()) for name in names)


def _by_fields(parts: list[Node]) -> list[Node]:
    """Group alternatives that are searched in several fields by their field."""
    fields = dict.fromkeys(part.fields for part in parts if isinstance(part, Term))
    gathered = [[part for part in parts if isinstance(part, Term) and part.fields == each] for each in fields]
    if any(len(group) < 2 for group in gathered):
        return parts
    rest = [part for part in parts if not isinstance(part, Term)]
    if len(gathered) + len(rest) < 2:
        return parts
    return [*(Group("OR", tuple(group)) for group in gathered), *rest]


def _by_filters(root: Node) -> tuple[frozenset[int], frozenset[int]]:
    """Return the numbers of the filters with terms in several fields, and of those that are years."""
    filters = parts_joined(root, "AND")
    number = 0 if filters == (root,) else 1
    share = len(_fields_in(root)) < 2
    mixed, years = set(), set()
    for one in filters:
        if isinstance(one, Range):
            years.add(number)
        if not share and (isinstance(one, Not) or len(_fields_in(one)) > 1):
            mixed.add(number)
        number += sum(1 for _ in walk(one))
    return frozenset(mixed), frozenset(years)


def _fields_in(node: Node) -> set[frozenset[str]]:
    """Return each set of fields that is searched; headings become words of title, abstract and keywords."""
    found = {frozenset(term.fields or EVERY_FIELD) for term in terms_in(node)}
    found |= {frozenset(TEXT_FIELDS)} if any(isinstance(each, Heading) for each in walk(node)) else set()
    return {fields - {"keywords"} if fields == set(TEXT_FIELDS) else fields for fields in found}


def turned(name: str) -> str:
    """Write Encephalitis, Japanese in the word order of a text."""
    first, comma, second = name.partition(", ")
    return name if not comma or "," in second else f"{second} {first}"
