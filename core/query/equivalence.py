"""Decide whether two trees ask for the same publications."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any

import numpy as np

from core.query.dialects.values import code_of
from core.query.match import Bits, all_of, of_mask
from core.query.tree import TEXT_FIELDS, Gap, Group, Near, Node, Not, Range, Term, Word, written
from core.types import Mask

# Whether two trees say the same about what they look up, whatever the publications are.

MOST_EXACT = 12
"""Leaves up to which every row of the table is looked at; beyond it is a sample."""
SAMPLED = 4096
"""Rows of a sample, besides those in which one leaf alone is on or off."""
MOST_ALONE = 2048
NO_YEAR = -(2**31)
MOST_YEARS = 16
"""Spans of years that a table is exact for."""
MOST_SPREAD = 64
"""Combinations that the ORs in a Near are spread out into; a Near with more is taken as it is."""

_IN_FIELDS = {("leaf", "run"), ("leaf", "near")}
_EVERY_ROW: tuple[str, ...] = ("leaf", "every row")
_FIELDS = 3
"""Where the fields stand in such a leaf."""

Formula = tuple[Any, ...]
"""("leaf", what it asks for), ("not", formula), or ("and" / "or", set of formulas); no parts: always or never."""


def same(one: Node, other: Node, *, seed: int = 0) -> bool:
    """Whether two trees match the same publications, in any corpus.

    Exact for up to MOST_EXACT different leaves, a seeded sample of assignments beyond: then `False` is certain.

    >>> heat, tree = Term(("heat",)), Term(("tree",))
    >>> both = Group("AND", (heat, tree))
    >>> same(Not(both), Group("OR", (Not(heat), Not(tree)))), same(both, heat)
    (True, False)
    """
    first, second = formula_of(one), formula_of(other)
    if first == second:
        return True
    columns = _columns(list(dict.fromkeys([*leaves_of(first), *leaves_of(second)])), seed)
    differ = (_evaluated(first, columns) ^ _evaluated(second, columns)) & columns[_EVERY_ROW]
    return not differ.any()


def follows(one: Formula, other: Formula, implied: Callable[[Formula, Formula], bool]) -> bool | None:
    """Whether `other` holds in every row of the table in which `one` does; None: there are too many rows to tell.

    `implied`: whether the first leaf can't be on without the second; rows that go against that are left out.
    """
    leaves = list(dict.fromkeys([*leaves_of(one), *leaves_of(other)]))
    if not _is_exact(leaves):
        return None
    columns = _columns(leaves, seed=0)
    wrong = _evaluated(one, columns) & ~_evaluated(other, columns) & columns[_EVERY_ROW]
    for first in leaves:
        for second in leaves:
            if first != second and wrong.any() and implied(first, second):
                wrong &= ~(columns[first] & ~columns[second])
    return not wrong.any()


def _is_exact(leaves: list[Formula]) -> bool:
    """Whether a table of these leaves has every row."""
    years = {leaf[2] + (leaf[1] == "to") for leaf in leaves if leaf[1] in ("from", "to")}
    n_others = sum(leaf[1] not in ("from", "to") for leaf in leaves)
    return n_others <= MOST_EXACT and len(years) + 2 <= MOST_YEARS


def formula_of(node: Node) -> Formula:
    """A tree as a formula; ways of writing the same thing often give the same one."""
    if isinstance(node, Group):
        operator = "and" if node.operator == "AND" else "or"
        return _joined(operator, [formula_of(part) for part in node.parts])
    if isinstance(node, Not):
        inside = formula_of(node.part)
        return inside[1] if inside[0] == "not" else ("not", inside)
    if isinstance(node, Term):
        return _term(node)
    if isinstance(node, Range):
        from_low = () if node.low is None else (("leaf", "from", node.low),)
        to_high = () if node.high is None else (("leaf", "to", node.high),)
        return _joined("and", [*from_low, *to_high])
    if isinstance(node, Near):
        return _near(node)
    below = frozenset(code_of(name) for name in node.subheadings)
    return ("leaf", "heading", " ".join(node.name.lower().split()), node.explode, node.major, below)


def _joined(operator: str, parts: list[Formula]) -> Formula:
    flat: set[Formula] = set()
    for part in parts:
        flat |= part[1] if part[0] == operator else {part}
    if operator == "or":
        flat = _fields_joined(flat)
    return next(iter(flat)) if len(flat) == 1 else (operator, frozenset(flat))


def _fields_joined(parts: set[Formula]) -> set[Formula]:
    """The same words in the title or in the abstract: these words in title and abstract."""
    fields: dict[Formula, frozenset[str]] = {}
    out: set[Formula] = set()
    for part in parts:
        if part[:2] in _IN_FIELDS and len(part) > _FIELDS:
            key = part[:_FIELDS] + part[_FIELDS + 1 :]
            fields[key] = fields.get(key, frozenset()) | part[_FIELDS]
        else:
            out.add(part)
    return out | {(*key[:_FIELDS], found, *key[_FIELDS:]) for key, found in fields.items()}


def _term(node: Term) -> Formula:
    runs = [tuple(map(_word, chunk)) for chunk in node.chunks] or [(written(node.pieces),)]
    leaves = [("leaf", "run", run, _fields(node), node.exact) for run in runs]
    return _joined("and", leaves)


def _word(word: Word) -> str:
    pieces: list[str | Gap] = []
    for piece in word.pieces:
        last = pieces[-1] if pieces else ""
        if piece == Gap(0, 0):
            continue
        if isinstance(piece, Gap) and isinstance(last, Gap):
            most = None if piece.most is None or last.most is None else piece.most + last.most
            pieces[-1] = Gap(last.least + piece.least, most)
        else:
            pieces.append(piece)
    return written(tuple(pieces))


def _fields(node: Term) -> frozenset[str]:
    return frozenset(node.fields or TEXT_FIELDS)


def _near(node: Near) -> Formula:
    """An OR of Nears without OR; the fields of the parts are those that all have, as they stand in one field."""
    n_ways = 1
    for part in node.parts:
        n_ways *= _n_ways(part)
    if n_ways > MOST_SPREAD:
        return ("leaf", "near", _as_it_is(node))
    whole = node.whole and len(node.parts) > 2
    ways = []
    for combination in product(*map(_ways, node.parts)):
        fields = frozenset.intersection(*(fields for _, fields in combination))
        parts = tuple(key for key, _ in combination)
        if not node.ordered and (whole or len(parts) == 2):
            parts = tuple(sorted(parts, key=repr))
        ways.append(("leaf", "near", parts, fields, node.distance, node.ordered, whole))
    return _joined("or", ways)


def _as_it_is(node: Node) -> Formula:
    """A part of a Near that has too many alternatives to spread them out."""
    if isinstance(node, Group):
        return ("or", frozenset(map(_as_it_is, node.parts)))
    if isinstance(node, Near):
        return ("near", tuple(map(_as_it_is, node.parts)), node.distance, node.ordered, node.whole)
    if isinstance(node, Term):
        run = tuple(_word(word) for chunk in node.chunks for word in chunk)
        return ("run", run, node.exact, _fields(node))
    return ("other", formula_of(node))


def _n_ways(node: Node) -> int:
    if isinstance(node, Group):
        return sum(map(_n_ways, node.parts))
    n = 1
    for part in node.parts if isinstance(node, Near) else ():
        n *= _n_ways(part)
    return n


def _ways(node: Node) -> Iterator[tuple[Formula, frozenset[str]]]:
    if isinstance(node, Group):
        for part in node.parts:
            yield from _ways(part)
    elif isinstance(node, Near):
        inside = _near(node)
        for leaf in sorted(inside[1], key=repr) if inside[0] == "or" else [inside]:
            yield (*leaf[:3], *leaf[4:]), leaf[3]
    elif isinstance(node, Term):
        run = tuple(_word(word) for chunk in node.chunks for word in chunk)
        yield ("run", run, node.exact), _fields(node)
    else:
        yield ("other", formula_of(node)), frozenset(TEXT_FIELDS)


def leaves_of(formula: Formula) -> Iterator[Formula]:
    """Every leaf, as often as it stands there."""
    stack = [formula]
    while stack:
        one = stack.pop()
        if one[0] == "leaf":
            yield one
        elif one[0] == "not":
            stack.append(one[1])
        else:
            stack.extend(sorted(one[1], key=repr))


def _columns(leaves: list[Formula], seed: int) -> dict[Formula, Bits]:
    """For each leaf, the rows of the table in which it is on. A row has one year or none, so years fit each other."""
    years = [leaf for leaf in leaves if leaf[1] in ("from", "to")]
    others = [leaf for leaf in leaves if leaf[1] not in ("from", "to")]
    edges = sorted({leaf[2] + (leaf[1] == "to") for leaf in years})
    kinds = np.array([NO_YEAR, edges[0] - 1, *edges] if edges else [NO_YEAR])
    rng = np.random.default_rng(seed)
    if len(others) <= MOST_EXACT and len(kinds) <= MOST_YEARS:
        rows = np.arange(2 ** len(others) * len(kinds))
        on = [(rows >> i & 1).astype(np.bool_) for i in range(len(others))]
        year = kinds[rows >> len(others)]
    else:
        on = _sampled(len(others), rng)
        year = rng.choice(kinds, len(on[0]) if on else SAMPLED)
    columns = {leaf: of_mask(column) for leaf, column in zip(others, on, strict=True)}
    for leaf in years:
        columns[leaf] = of_mask((year >= leaf[2] if leaf[1] == "from" else year <= leaf[2]) & (year != NO_YEAR))
    columns[_EVERY_ROW] = all_of(len(year))
    return columns


def _sampled(n: int, rng: np.random.Generator) -> list[Mask]:
    """Rows with few leaves on, which find what an OR alone decides, and with many, for an AND."""
    if not n:
        return []
    shares = rng.choice([0.5 / n, 1 / n, 3 / n, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1 - 1 / n], SAMPLED)
    alone = min(n, MOST_ALONE)
    chosen = rng.permutation(n)[:alone]
    place = {int(leaf): row for row, leaf in enumerate(chosen)}
    out = []
    for i in range(n):
        on: Mask = np.zeros(alone, dtype=np.bool_)
        if i in place:
            on[place[i]] = True
        out.append(np.concatenate([rng.random(SAMPLED) < shares, on, ~on]))
    return out


def _evaluated(formula: Formula, columns: dict[Formula, Bits]) -> Bits:
    if formula[0] == "leaf":
        return columns[formula]
    if formula[0] == "not":
        return ~_evaluated(formula[1], columns)
    everything = formula[0] == "and"
    every_row = columns[_EVERY_ROW]
    out: Bits = every_row if everything else np.zeros_like(every_row)
    for part in formula[1]:
        inside = _evaluated(part, columns)
        out = out & inside if everything else out | inside
    return out


def combinations(node: Near, most: int) -> tuple[Near, ...] | None:
    """The Near with each combination of the alternatives in it; None: there are more than that."""
    n_ways = 1
    for part in node.parts:
        n_ways *= _n_ways(part)
    if n_ways > most:
        return None
    choices = [list(_alternatives(part)) for part in node.parts]
    return tuple(
        Near(parts, node.distance, node.ordered, node.whole, span=node.span)
        for parts in islice(product(*choices), most)
    )


def _alternatives(node: Node) -> Iterator[Node]:
    if isinstance(node, Group):
        for part in node.parts:
            yield from _alternatives(part)
    elif isinstance(node, Near):
        yield from combinations(node, MOST_SPREAD) or ()
    else:
        yield node
