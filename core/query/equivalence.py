"""Decide whether two trees ask for the same publications."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from math import prod
from typing import Any

import numpy as np

from core.query.dialects.values import code_of
from core.query.match import Bits, all_of, of_mask
from core.query.tree import TEXT_FIELDS, Gap, Group, Near, Node, Not, Pieces, Range, Term, Word, written
from core.types import Mask

# Compares the logic of two trees, whatever the publications are.

MOST_EXACT = 12
"""Maximum number of leaves for which every row of the table is examined; more are sampled."""
SAMPLED = 4096
"""Rows of a sample, besides those with a single leaf on or off."""
MOST_ALONE = 2048
NO_YEAR = -(2**31)
MOST_YEARS = 16
"""Maximum number of spans of years for which a table is exact."""
MOST_SPREAD = 64
"""Maximum number of combinations into which the ORs of a Near are expanded; a Near with more stays unchanged."""
MOST_SPELLED = 8
"""Maximum number of spellings into which words with optional letters are expanded; with more they stay unchanged."""
MAYBE_ONE = Gap(0, 1)
Run = tuple[str, ...]
"""Adjacent words."""

_IN_FIELDS = {("leaf", "run"), ("leaf", "near")}
_EVERY_ROW: tuple[str, ...] = ("leaf", "every row")
_FIELDS = 3
"""The index of the fields in such a leaf."""

Formula = tuple[Any, ...]
"""("leaf", its content), ("not", formula), or ("and" / "or", set of formulas); no parts: always true or never."""


def same(one: Node, other: Node, *, seed: int = 0) -> bool:
    """Return True if two trees match the same publications in any corpus.

    Exact for up to MOST_EXACT different leaves; beyond that a seeded sample of assignments, in which only `False` is
    certain.

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
    """Check whether `other` holds in every row of the table in which `one` does; None: too many rows to tell.

    `implied`: True if the first leaf can't be on without the second; rows that contradict this are left out.
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
    """Return True if a table of these leaves has every row."""
    years = {leaf[2] + (leaf[1] == "to") for leaf in leaves if leaf[1] in ("from", "to")}
    n_others = sum(leaf[1] not in ("from", "to") for leaf in leaves)
    return n_others <= MOST_EXACT and len(years) + 2 <= MOST_YEARS


def formula_of(node: Node) -> Formula:
    """Convert a tree to a formula; different notations of the same query often give the same one."""
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
    below = [frozenset({code_of(name)}) for name in node.subheadings] or [frozenset[str]()]
    key = ("leaf", "heading", " ".join(node.name.lower().split()), node.explode, node.major)
    return _joined("or", [(*key, one) for one in below])  # any of its subheadings is enough


def _joined(operator: str, parts: list[Formula]) -> Formula:
    flat: set[Formula] = set()
    for part in parts:
        flat |= part[1] if part[0] == operator else {part}
    if operator == "or":
        flat = _fields_joined(flat)
    return next(iter(flat)) if len(flat) == 1 else (operator, frozenset(flat))


def _fields_joined(parts: set[Formula]) -> set[Formula]:
    """Merge the same words in the title or in the abstract into these words in title and abstract."""
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
    runs = [_runs(chunk) for chunk in node.chunks] or [[(written(node.pieces),)]]
    fields = _fields(node)
    return _joined("and", [_joined("or", [("leaf", "run", run, fields, node.exact) for run in ways]) for ways in runs])


def _runs(words: Sequence[Word]) -> list[Run]:
    """Return the adjacent words with and without each optional letter: behavior, and behavio?r."""
    plain = [_joined_gaps(word) for word in words]
    choices = [_spelled_out(pieces) for pieces in plain]
    if prod(map(len, choices)) > MOST_SPELLED:
        choices = [[pieces] for pieces in plain]
    return [tuple(map(written, way)) for way in product(*choices)]


def _spelled_out(pieces: Pieces) -> list[Pieces]:
    at = next((i for i, piece in enumerate(pieces) if piece == MAYBE_ONE), None)
    if at is None or not any(isinstance(piece, str) for piece in pieces):
        return [pieces]
    before, behind = pieces[:at], pieces[at + 1 :]
    if before and behind and isinstance(before[-1], str) and isinstance(behind[0], str):
        without = (*before[:-1], before[-1] + behind[0], *behind[1:])
    else:
        without = (*before, *behind)
    return [*_spelled_out(without), *_spelled_out((*before, Gap(1, 1), *behind))]


def _joined_gaps(word: Word) -> Pieces:
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
    return tuple(pieces)


def _fields(node: Term) -> frozenset[str]:
    return frozenset(node.fields or TEXT_FIELDS)


def _near(node: Near) -> Formula:
    """Convert a Near to an OR of Nears without OR; its fields are those of all parts, as these must be in one field."""
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
        if fields and (phrase := _phrase(node, parts)):
            ways.append((*phrase[:3], fields, phrase[3]))
            continue
        if not node.ordered and (whole or len(parts) == 2):
            parts = tuple(sorted(parts, key=repr))
        ways.append(("leaf", "near", parts, fields, node.distance, node.ordered, whole))
    return _joined("or", ways)


def _phrase(node: Near, parts: tuple[Formula, ...]) -> Formula | None:
    """Return a Near of adjacent words in this order as one run; None: it is something else."""
    is_run = node.ordered and node.distance == 0 and all(part[0] == "run" for part in parts)
    if not is_run or len({part[2] for part in parts}) > 1:
        return None
    return ("leaf", "run", tuple(word for part in parts for word in part[1]), parts[0][2])


def _as_it_is(node: Node) -> Formula:
    """Convert a part of a Near that has too many alternatives to expand."""
    if isinstance(node, Group):
        return _joined("or", [_as_it_is(part) for part in node.parts])
    if isinstance(node, Near):
        parts = tuple(map(_as_it_is, node.parts))
        if (phrase := _phrase(node, parts)) and len({part[3] for part in parts}) == 1:
            return ("run", *phrase[2:], parts[0][3])
        return ("near", parts, node.distance, node.ordered, node.whole)
    if isinstance(node, Term):
        runs = _runs([word for chunk in node.chunks for word in chunk])
        return _joined("or", [("run", run, node.exact, _fields(node)) for run in runs])
    return ("other", formula_of(node))


def _n_ways(node: Node) -> int:
    if isinstance(node, Group):
        return sum(map(_n_ways, node.parts))
    if isinstance(node, Term):
        return len(_runs([word for chunk in node.chunks for word in chunk]))
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
            yield (leaf[1:3] if leaf[1] == "run" else leaf[:3]) + leaf[4:], leaf[3]
    elif isinstance(node, Term):
        for run in _runs([word for chunk in node.chunks for word in chunk]):
            yield ("run", run, node.exact), _fields(node)
    else:
        yield ("other", formula_of(node)), frozenset(TEXT_FIELDS)


def leaves_of(formula: Formula) -> Iterator[Formula]:
    """Yield every leaf, as often as it occurs."""
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
    """Return, for each leaf, the rows of the table in which it is on. A row has one year or none, so years fit."""
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
    """Sample rows with few leaves on, which show the effect of an OR alone, and with many, for an AND."""
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
    """Return the Near with each combination of its alternatives; None: there are more than `most`."""
    if _n_alternatives(node) > most:
        return None
    choices = [list(_alternatives(part)) for part in node.parts]
    return tuple(
        Near(parts, node.distance, node.ordered, node.whole, span=node.span)
        for parts in islice(product(*choices), most)
    )


def _n_alternatives(node: Node) -> int:
    if isinstance(node, Group):
        return sum(map(_n_alternatives, node.parts))
    return prod(map(_n_alternatives, node.parts)) if isinstance(node, Near) else 1


def _alternatives(node: Node) -> Iterator[Node]:
    if isinstance(node, Group):
        for part in node.parts:
            yield from _alternatives(part)
    elif isinstance(node, Near):
        yield from combinations(node, MOST_SPREAD) or ()
    else:
        yield node
