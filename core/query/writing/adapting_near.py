"""Words that stand close to each other, as a dialect can say it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations as pairs_of

from core.query.dialects.base import Dialect, NearForm
from core.query.tree import TEXT_FIELDS, Gap, Group, Near, Node, Term, in_order, terms_in
from core.query.writing.adapting_terms import NOT_SAYABLE, all_of, has_words, may_be_exact, words_of
from core.query.writing.choosing import Fields, choose
from core.query.writing.endings import Note, adapted
from core.query.writing.leaf_texts import as_words, can_be_said
from core.query.writing.truth_table import combinations

MOST_SPREAD = 24
"""Nears without OR that one with ORs is written as."""
MOST_IN_WINDOW = 12
"""Parts of which every two are written."""
Said = tuple[Node | None, list[Note]]


def adapted_near(node: Near, dialect: Dialect, *, strict: bool, drop: bool) -> Said:
    """What the Near becomes, and what that costs."""
    if len({term.fields for term in terms_in_near(node)}) < 2:
        first = next((term.fields for term in terms_in_near(node)), ())
        return _in_one_place(node, first, dialect, strict=strict, drop=drop)
    ways = combinations(node, MOST_SPREAD)
    if ways is None:
        every = frozenset(f for term in terms_in_near(node) for f in term.fields or TEXT_FIELDS)
        made, notes = _in_one_place(node, in_order(every), dialect, strict=strict, drop=drop)
        return made, [("widened", "Its words are in different fields: all are looked for in all of them."), *notes]
    of_ways: dict[Near, Fields] = {way: fields for way in ways if (fields := _common(way)) is not None}
    if not of_ways:
        return None, [("unsupported", "Words in different fields are never close: left out.")]
    if len(of_ways) == len(ways) and len(set(of_ways.values())) == 1:
        return _in_one_place(node, next(iter(of_ways.values())), dialect, strict=strict, drop=drop)
    made_ways = [_in_one_place(way, fields, dialect, strict=strict, drop=drop) for way, fields in of_ways.items()]
    known = [made for made, _ in made_ways if made is not None]
    found = list(dict.fromkeys(note for _, notes in made_ways for note in notes))
    return (known[0] if len(known) == 1 else Group("OR", tuple(known)) if known else None), found


def _in_one_place(node: Near, fields: Fields, dialect: Dialect, *, strict: bool, drop: bool) -> Said:
    """A Near whose words are all looked for in these fields."""
    notes: list[Note] = []
    choice = choose(fields, dialect, own=not strict, near=True)
    options = choice.options
    if not options:
        if drop and not set(fields) & set(TEXT_FIELDS):
            return None, [("unsupported", f"{choice.message}: left out.")]
        notes.append(("unsupported", f"{choice.message}: written as words without a field."))
        options = ((),)
    elif choice.status != "exact":
        notes.append((choice.status, choice.message))
    ready = _ready(node, dialect, strict, notes)
    if ready is None:
        return None, [*notes, ("unsupported", "One of the parts has no word to look for: left out.")]
    said = _said(ready, dialect, strict, notes)
    spread = [_in_fields(said, option) for option in options]
    return (spread[0] if len(spread) == 1 else Group("OR", tuple(spread))), notes


def _common(way: Near) -> Fields | None:
    """Near means in one field, so without alternatives only the fields that all parts may be in count."""
    found = [term.fields for term in terms_in_near(way)]
    common = frozenset.intersection(*(frozenset(fields or TEXT_FIELDS) for fields in found))
    if all(not fields or set(fields) == set(TEXT_FIELDS) for fields in found):
        return found[0]
    return in_order(common) or None


def terms_in_near(node: Node) -> Iterator[Term]:
    """Every term of its parts."""
    if isinstance(node, Term):
        yield node
    elif isinstance(node, Near | Group):
        for part in node.parts:
            yield from terms_in_near(part)
    else:
        yield from terms_in(node)


def _in_fields(node: Node, fields: Fields) -> Node:
    if isinstance(node, Term):
        return replace(node, fields=fields)
    if isinstance(node, Near | Group):
        return replace(node, parts=tuple(_in_fields(part, fields) for part in node.parts))
    return node


# Words


def _ready(node: Near, dialect: Dialect, strict: bool, notes: list[Note]) -> Near | None:
    """The same with terms that the dialect can say; None: a part is without words."""
    parts = [_ready_part(part, dialect, strict, notes) for part in node.parts]
    known = [part for part in parts if part is not None]
    return replace(node, parts=tuple(known)) if len(known) == len(parts) else None


def _ready_part(node: Node, dialect: Dialect, strict: bool, notes: list[Note]) -> Node | None:
    if isinstance(node, Near):
        return _ready(node, dialect, strict, notes)
    if isinstance(node, Group):
        parts = [_ready_part(part, dialect, strict, notes) for part in node.parts]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            notes.append(("unsupported", "One of the alternatives has no word to look for: left out."))
        return replace(node, parts=tuple(known)) if len(known) > 1 else known[0] if known else None
    if not isinstance(node, Term):
        return None
    if node.exact and not may_be_exact(node, dialect):
        notes.append(("widened", f"{dialect.label} may look for other forms of these words too."))
        node = replace(node, exact=False, quoted=True)
    endings = adapted(node.pieces, dialect, strict=strict)
    notes += [note for note in endings.notes if note not in notes]
    variants = [_as_phrase(one) for p in endings.variants if has_words(one := replace(node, pieces=p))]
    if not variants:
        return None
    if not all(can_be_said(one, dialect) for one in variants):
        notes.append(("unsupported", NOT_SAYABLE))
        variants = [as_words(one) for one in variants]
    return variants[0] if len(variants) == 1 else Group("OR", tuple(variants))


def _as_phrase(term: Term) -> Term:
    """In a Near, bare words stand side by side anyway."""
    return replace(term, quoted=True) if len(term.chunks) > 1 else term


# Distance and order


def _said(node: Near, dialect: Dialect, strict: bool, notes: list[Note]) -> Node:
    if not dialect.near_forms:
        return _in_window(node, dialect, notes)
    if node.whole and len(node.parts) > 2:
        if dialect.window == "tilde" and not node.ordered and (ways := _plain_ways(node)):
            return ways[0] if len(ways) == 1 else Group("OR", ways)
        label = dialect.label
        if not node.ordered or ordered_form(dialect, node.distance) is None:
            if len(node.parts) > MOST_IN_WINDOW:
                return _all_parts(node, notes, f"{label} takes no more than {MOST_IN_WINDOW} parts here: read as AND.")
            notes.append(("widened", f"{label} counts between two parts only: every two of them stand near."))
            pairs = tuple(_said(pair, dialect, strict, notes) for pair in _every_two(node))
            return Group("AND", pairs)
        notes.append(("widened", f"{label} counts between two parts only: the distance holds for each two."))
        node = replace(node, whole=False)
    elif node.whole:
        node = replace(node, whole=False)
    if not dialect.near_takes_groups and _has_group(node):
        ways = combinations(node, MOST_SPREAD)
        if ways is None:
            message = f"{dialect.label} takes no OR here, and there are too many combinations: read as AND."
            return _all_parts(node, notes, message)
        return Group("OR", tuple(_formed(way, dialect, notes) for way in ways))
    return _formed(node, dialect, notes)


def _formed(node: Near, dialect: Dialect, notes: list[Note]) -> Near:
    """With a distance and an order that the dialect can write, for closer groups inside it too."""
    parts = tuple(_formed_part(part, dialect, notes) for part in node.parts)
    node = replace(node, parts=parts, whole=False)
    form = ordered_form(dialect, node.distance) if node.ordered else None
    if node.ordered and form is None:
        notes.append(("widened", f"{dialect.label} has no operator that keeps the order: any order counts."))
        node = replace(node, ordered=False)
    form = form or dialect.near_forms[0]
    if form.most is not None and node.distance + form.more > form.most:
        notes.append(("narrowed", f"{dialect.label} allows {form.most} at most."))
        node = replace(node, distance=form.most - form.more)
    return node


def _formed_part(node: Node, dialect: Dialect, notes: list[Note]) -> Node:
    if isinstance(node, Group):
        return replace(node, parts=tuple(_formed_part(part, dialect, notes) for part in node.parts))
    if not isinstance(node, Near):
        return node
    if node.whole and len(node.parts) > 2:
        notes.append(("widened", f"{dialect.label} counts between two parts only: the distance holds for each two."))
        return _formed(replace(node, distance=_reach(node)), dialect, notes)
    return _formed(node, dialect, notes)


def ordered_form(dialect: Dialect, distance: int) -> NearForm | None:
    """The operator that keeps the order; Ovid's adj without a number does so for neighbours."""
    for form in dialect.near_forms:
        if form.ordered:
            return form
    return NearForm("ADJ", ordered=True) if dialect.id == "ovid" and distance == 0 else None


def _in_window(node: Near, dialect: Dialect, notes: list[Note]) -> Node:
    """Dialects that count a distance over several words in quotes."""
    label = dialect.label
    ways = _plain_ways(node)
    if ways is None:
        whole = _all_parts(node, notes, f"{label} counts a distance between single words only: read as AND.")
        return whole if dialect.wildcard_in_phrase else _wild_apart(whole, label, notes)
    if node.ordered:
        notes.append(("widened", f"{label} does not keep the order of words: any order counts."))
        ways = tuple(replace(way, ordered=False) for way in ways)
    if len(node.parts) > 2 and not node.whole:
        notes.append(("widened", f"{label} counts a distance over all words together: it was made larger."))
        ways = tuple(replace(way, whole=True, distance=_reach(way)) for way in ways)
    elif len(node.parts) == 2:
        ways = tuple(replace(way, whole=False) for way in ways)
    return ways[0] if len(ways) == 1 else Group("OR", ways)


def _wild_apart(node: Node, label: str, notes: list[Note]) -> Node:
    """Phrases with wildcards as words that may stand anywhere."""
    if isinstance(node, Group):
        return replace(node, parts=tuple(_wild_apart(part, label, notes) for part in node.parts))
    if not isinstance(node, Term) or not any(isinstance(piece, Gap) for piece in node.pieces):
        return node
    each = words_of(node)
    note: Note = ("widened", f"{label} allows no wildcard in a phrase: its words may stand anywhere.")
    notes += [note] * (len(each) > 1 and note not in notes)
    return all_of(each)


def _plain_ways(node: Near) -> tuple[Near, ...] | None:
    """The Near as Nears of single words without wildcards, if it can be written so."""
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
    return Group("AND", tuple(parts)) if len(parts) > 1 else parts[0]


def _without_near(node: Node) -> Node:
    if isinstance(node, Near):
        return Group("AND", tuple(_without_near(part) for part in node.parts))
    return replace(node, parts=tuple(map(_without_near, node.parts))) if isinstance(node, Group) else node


def _every_two(node: Near) -> list[Near]:
    """Every two parts with the distance that they may have in the window: the others may stand between them."""
    sizes = [_size(part) for part in node.parts]
    return [
        Near((node.parts[i], node.parts[k]), node.distance + sum(sizes) - sizes[i] - sizes[k], node.ordered)
        for i, k in pairs_of(range(len(sizes)), 2)
    ]


def _reach(node: Near) -> int:
    """Other words that may stand between the first and the last part."""
    return node.distance if node.whole else node.distance * (len(node.parts) - 1)


def _size(node: Node) -> int:
    """Words from its first to its last, at most."""
    if isinstance(node, Term):
        return sum(map(len, node.chunks))
    if isinstance(node, Near):
        return sum(map(_size, node.parts)) + _reach(node)
    return max(map(_size, node.parts)) if isinstance(node, Group) else 1


def _has_group(node: Near) -> bool:
    return any(isinstance(part, Group) or (isinstance(part, Near) and _has_group(part)) for part in node.parts)
