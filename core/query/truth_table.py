"""Whether two trees say the same about what they look up, whatever the publications are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import numpy as np
import numpy.typing as npt

from core.query.bits import Bits, of_mask
from core.query.subheadings import code_of
from core.query.tree import TEXT_FIELDS, Gap, Group, Near, Node, Not, Range, Term, Word, written
from core.types import Mask

MOST_EXACT = 12
"""Leaves up to which every row of the table is looked at; beyond it is a sample."""
SAMPLED = 4096
"""Rows of a sample, besides those in which one leaf alone is on or off."""
MOST_ALONE = 2048
MOST_SPREAD = 64
"""Combinations that the ORs in a Near are spread out into; a Near with more is taken as it is."""

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
    return any(_same(formula_of(one, apart=a), formula_of(other, apart=a), seed) for a in (False, True))


def _same(first: Formula, second: Formula, seed: int) -> bool:
    if first == second:
        return True
    leaves = {leaf: i for i, leaf in enumerate(dict.fromkeys([*_leaves(first), *_leaves(second)]))}
    columns = _columns(len(leaves), seed)
    return bool(np.array_equal(_evaluated(first, leaves, columns), _evaluated(second, leaves, columns)))


def formula_of(node: Node, *, apart: bool = False) -> Formula:
    """A tree as a formula; ways of writing the same thing often give the same one. `apart`: a leaf for each field."""
    if isinstance(node, Group):
        parts = _years_joined(node.parts) if node.operator == "OR" else node.parts
        operator = "and" if node.operator == "AND" else "or"
        return _joined(operator, [formula_of(part, apart=apart) for part in parts])
    if isinstance(node, Not):
        inside = formula_of(node.part, apart=apart)
        return inside[1] if inside[0] == "not" else ("not", inside)
    if isinstance(node, Term):
        return _term(node, apart)
    if isinstance(node, Range):
        from_low = () if node.low is None else (("leaf", "from", node.low),)
        to_high = () if node.high is None else (("leaf", "to", node.high),)
        return _joined("and", [*from_low, *to_high])
    if isinstance(node, Near):
        return _in_fields(_near(node), 3) if apart else _near(node)
    below = frozenset(code_of(name) for name in node.subheadings)
    return ("leaf", "heading", " ".join(node.name.lower().split()), node.explode, node.major, below)


def _in_fields(formula: Formula, place: int) -> Formula:
    """A leaf once for each of its fields, which stand at a place of it; an OR of leaves too."""
    if formula[0] == "or":
        return _joined("or", [_in_fields(leaf, place) for leaf in formula[1]])
    if len(formula) <= place:
        return formula
    each = [(*formula[:place], frozenset((f,)), *formula[place + 1 :]) for f in formula[place]]
    return _joined("or", each)


def _joined(operator: str, parts: list[Formula]) -> Formula:
    flat: set[Formula] = set()
    for part in parts:
        flat |= part[1] if part[0] == operator else {part}
    return next(iter(flat)) if len(flat) == 1 else (operator, frozenset(flat))


def _term(node: Term, apart: bool) -> Formula:
    """All of its runs of words, each a leaf."""
    runs = [tuple(map(_word, chunk)) for chunk in node.chunks] or [(written(node.pieces),)]
    leaves = [("leaf", "run", run, _fields(node), node.exact) for run in runs]
    return _joined("and", [_in_fields(leaf, 3) for leaf in leaves] if apart else leaves)


def _word(word: Word) -> str:
    """With gaps that touch as one."""
    pieces: list[str | Gap] = []
    for piece in word.pieces:
        last = pieces[-1] if pieces else ""
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
        return ("leaf", "near", node)
    whole = node.whole and len(node.parts) > 2
    ways = []
    for combination in product(*map(_ways, node.parts)):
        fields = frozenset.intersection(*(fields for _, fields in combination))
        parts = tuple(key for key, _ in combination)
        if not node.ordered and (whole or len(parts) == 2):
            parts = tuple(sorted(parts, key=repr))
        ways.append(("leaf", "near", parts, fields, node.distance, node.ordered, whole))
    return _joined("or", ways)


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


def _years_joined(parts: tuple[Node, ...]) -> list[Node]:
    """The parts of an OR with years that follow each other as one range."""
    rest: list[Node] = [part for part in parts if not isinstance(part, Range)]
    ranges = sorted((p for p in parts if isinstance(p, Range)), key=lambda p: -1 if p.low is None else p.low)
    joined: list[Range] = []
    for part in ranges:
        last = joined[-1] if joined else None
        if last and (last.high is None or part.low is None or part.low <= last.high + 1):
            high = None if last.high is None or part.high is None else max(last.high, part.high)
            joined[-1] = Range(last.low, high)
        else:
            joined.append(part)
    return [*rest, *joined]


def _leaves(formula: Formula) -> Iterator[Formula]:
    stack = [formula]
    while stack:
        one = stack.pop()
        if one[0] == "leaf":
            yield one
        elif one[0] == "not":
            stack.append(one[1])
        else:
            stack.extend(sorted(one[1], key=repr))


def _columns(n: int, seed: int) -> npt.NDArray[np.uint64]:
    """For each leaf, the rows of the table in which it is on."""
    if n <= MOST_EXACT:
        rows = np.arange(2**n)
        return np.array([of_mask((rows >> i & 1).astype(np.bool_)) for i in range(n)], dtype=np.uint64)
    rng = np.random.default_rng(seed)
    # Few on finds what an OR alone decides, many on what an AND does.
    shares = rng.choice([0.5 / n, 1 / n, 3 / n, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1 - 1 / n], SAMPLED)
    alone = min(n, MOST_ALONE)
    chosen = np.sort(rng.permutation(n)[:alone])
    place = {int(leaf): row for row, leaf in enumerate(chosen)}
    return np.array([_column(rng, shares, place.get(i), alone) for i in range(n)], dtype=np.uint64)


def _column(rng: np.random.Generator, shares: npt.NDArray[np.float64], row: int | None, alone: int) -> Bits:
    on: Mask = np.zeros(alone, dtype=np.bool_)
    if row is not None:
        on[row] = True
    return of_mask(np.concatenate([rng.random(len(shares)) < shares, on, ~on]))


def _evaluated(formula: Formula, leaves: dict[Formula, int], columns: npt.NDArray[np.uint64]) -> Bits:
    if formula[0] == "leaf":
        column: Bits = columns[leaves[formula]]
        return column
    if formula[0] == "not":
        return ~_evaluated(formula[1], leaves, columns)
    width = columns.shape[1] if columns.size else 1
    everything = formula[0] == "and"
    out: Bits = np.full(width, ~np.uint64(0) if everything else np.uint64(0), dtype=np.uint64)
    for part in formula[1]:
        inside = _evaluated(part, leaves, columns)
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
