"""What changed between two queries, in sentences: concepts, terms, operators and limits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from core.query.dialects import DIALECTS
from core.query.differences.concepts import Concept, Leaf, as_one, concepts_of, ended, paired, stems
from core.query.differences.relations import relation
from core.query.tree import Group, Node, Not, ParsedQuery, Range, Span, parts_of
from core.query.writing.truth_table import MOST_EXACT, Formula, formula_of, same

ChangeKind = Literal[
    "operator", "new concept", "gone concept", "added", "removed", "moved", "widened", "narrowed", "changed", "limit"
]
MOST_LISTED = 6
"""Terms that a sentence names."""
MOST_CHANGES = 300
MOST_LEAVES = 2_000
"""Queries with more terms are not tried against each other on combinations of their terms."""
MOST_ALIKE = 40
"""Terms that one is held against to find what became of it."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change, as a sentence, and where it shows in either text."""

    kind: ChangeKind
    sentence: str
    in_first: tuple[Span, ...]
    in_second: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class TreeDifference:
    """What a query asks for that another does not."""

    same: bool | None
    """Whether both ask for the same; None: they can't be compared but word by word."""
    summary: str
    changes: tuple[Change, ...] = ()


def tree_difference(a: ParsedQuery, b: ParsedQuery) -> TreeDifference:
    """From the first query to the second.

    >>> from core.query.reading.parse import parse
    >>> found = tree_difference(parse("heat AND tree"), parse("(heat* OR warm) AND tree AND city"))
    >>> for change in found.changes:
    ...     print(change.sentence)
    Concept 1 (heat*, warm): heat became heat* (wider: more endings count).
    Concept 1 (heat*, warm): added warm.
    New concept, which must match as well: city.
    """
    if unread := _unread(a, b):
        return TreeDifference(None, unread)
    if a.text == b.text and a.dialect == b.dialect:
        return TreeDifference(True, "Both texts are equal, letter for letter.")
    if _ask_the_same(a, b):
        exact = max(_n_leaves(a), _n_leaves(b)) <= MOST_EXACT
        certain = "The same query, written differently."
        return TreeDifference(
            True, certain if exact else f"{certain} No combination of its terms that was tried tells the two apart."
        )
    if a.dialect != b.dialect:
        names = f"{DIALECTS[a.dialect].label} and {DIALECTS[b.dialect].label}"
        return TreeDifference(None, f"The texts are written for {names}, so only their words are compared.")
    changes = tuple(_changes(a, b))
    more = len(changes) - MOST_CHANGES
    n = f"{len(changes):,} {'change' if len(changes) == 1 else 'changes'}"
    rest = f"; the first {MOST_CHANGES} are listed" if more > 0 else ""
    return TreeDifference(False, f"{n} in what the query asks for{rest}.", changes[:MOST_CHANGES])


def _unread(a: ParsedQuery, b: ParsedQuery) -> str | None:
    if "question" in (a.kind, b.kind):
        return "A question in plain words is ranked, not read term by term, so only the words are compared."
    if a.root is None or b.root is None:
        which = "Neither text" if a.root is b.root else "The first text" if a.root is None else "The second text"
        verb = "could be" if which == "Neither text" else "could not be"
        return f"{which} {verb} read as a search string, so only the words are compared."
    return None


def _n_leaves(parsed: ParsedQuery) -> int:
    return sum(1 for node in parsed.nodes if not isinstance(node, Group))


def _ask_the_same(a: ParsedQuery, b: ParsedQuery) -> bool:
    assert a.root is not None
    assert b.root is not None
    if a.root == b.root:
        return True
    return _n_leaves(a) + _n_leaves(b) <= MOST_LEAVES and same(a.root, b.root)


def _changes(a: ParsedQuery, b: ParsedQuery) -> Iterable[Change]:
    first, second = concepts_of(a), concepts_of(b)
    if _was_joined_anew(first, second):
        whole, other = as_one(a), as_one(b)
        now = "any part of the query is enough" if len(second) == 1 else "all parts of the query must match"
        before = "all had to match" if len(second) == 1 else "any was enough"
        yield Change("operator", f"Now {now}; {before} before.", (whole.node.extent,), (other.node.extent,))
        if whole.leaves.keys() == other.leaves.keys():
            return
        changes = _Comparison((whole,), (other,)).changes()
        yield from (change for change in changes if change.kind != "operator")
        return
    yield from _Comparison(first, second).changes()


def _was_joined_anew(first: Sequence[Concept], second: Sequence[Concept]) -> bool:
    """Whether one query is an OR of what the other requires together."""
    for one, many in ((first, second), (second, first)):
        if len(one) == 1 and len(many) > 1 and isinstance(one[0].node, Group):
            held = one[0].leaves.keys()
            return sum(1 for concept in many if concept.leaves.keys() & held) > 1
    return False


class _Comparison:
    """Concepts of two queries, those that belong together paired."""

    def __init__(self, first: Sequence[Concept], second: Sequence[Concept]) -> None:
        pairs = {j: i for i, j in paired(first, second) if _have_to_do(first[i], second[j])}
        left = set(range(len(first))) - set(pairs.values())
        self.pairs = [(first[pairs[j]] if j in pairs else None, concept) for j, concept in enumerate(second)]
        self.gone = [first[i] for i in sorted(left)]
        self.came_from = _homes([(here, there) for here, there in self.pairs] + [(c, None) for c in self.gone], 0)
        self.went_to = _homes([pair for pair in self.pairs if pair[0] is not None], 1)

    def changes(self) -> Iterable[Change]:
        """Concepts in the order of the second text, those that are gone behind them, limits last."""
        found: list[tuple[bool, Change]] = []
        for here, there in self.pairs:
            changes = [_new(there)] if here is None else list(self._within(here, there))
            found += [(there.role != "concept", change) for change in changes]
        found += [(concept.role != "concept", _dropped(concept)) for concept in self.gone]
        return [change for _, change in sorted(found, key=lambda pair: pair[0])]

    def _within(self, here: Concept, there: Concept) -> Iterable[Change]:
        if here.formula == there.formula:
            return
        if isinstance(here.node, Range) and isinstance(there.node, Range):
            yield _years(here.node, there.node)
            return
        removed = [leaf for key, leaf in here.leaves.items() if key not in there.leaves]
        added = [leaf for key, leaf in there.leaves.items() if key not in here.leaves]
        common = here.leaves.keys() & there.leaves.keys()
        if _shape(here.node, common) != _shape(there.node, common):
            yield _rearranged(here, there)
        moved = [leaf for leaf in added if leaf.key in self.came_from]
        for leaf in moved:
            origin = self.came_from[leaf.key]
            sentence = f"{there.name}: {leaf.label} moved here from {_lower(origin.name)}."
            yield Change("moved", sentence, (origin.leaves[leaf.key].span,), (leaf.span,))
        removed = [leaf for leaf in removed if leaf.key not in self.went_to]
        added = [leaf for leaf in added if leaf.key not in self.came_from]
        became = _became(removed, added)
        for old, new, kind, why in became:
            how = {"widened": "wider: ", "narrowed": "narrower: "}.get(kind, "")
            sentence = f"{there.name}: {old.label} became {new.label} ({how}{why})."
            yield Change(kind, sentence, (old.span,), (new.span,))
        done = {id(leaf) for old, new, _, _ in became for leaf in (old, new)}
        yield from _listed("added", there, [leaf for leaf in added if id(leaf) not in done])
        yield from _listed("removed", there, [leaf for leaf in removed if id(leaf) not in done])


def _have_to_do(here: Concept, there: Concept) -> bool:
    """Whether anything of a concept is left in another; a limit of the same kind is the same limit."""
    if here.role in ("years", "excluded") or here.leaves.keys() & there.leaves.keys():
        return True
    return bool(_became(list(here.leaves.values()), list(there.leaves.values())))


def _homes(pairs: Sequence[tuple[Concept | None, Concept | None]], side: Literal[0, 1]) -> dict[object, Concept]:
    """For each term that its own concept has not on the other side: where it stands on this one."""
    homes: dict[object, Concept] = {}
    for pair in pairs:
        own, other = pair[side], pair[1 - side]
        for key in own.leaves if own is not None else ():
            if other is None or key not in other.leaves:
                homes.setdefault(key, own)  # type: ignore[arg-type]
    return homes


def _became(removed: Sequence[Leaf], added: Sequence[Leaf]) -> list[tuple[Leaf, Leaf, ChangeKind, str]]:
    """Which removed term lives on in which added one."""
    by_stem: dict[str, list[Leaf]] = defaultdict(list)
    for leaf in added:
        for stem in dict.fromkeys(stems(leaf.node)):
            by_stem[stem].append(leaf)
    found: list[tuple[Leaf, Leaf, ChangeKind, str]] = []
    taken: set[int] = set()
    for old in removed:
        near = {id(leaf): leaf for stem in stems(old.node) for leaf in by_stem[stem][:MOST_ALIKE]}
        for new in list(near.values())[:MOST_ALIKE]:
            if id(new) not in taken and (how := relation(old.node, new.node)):
                taken.add(id(new))
                found.append((old, new, how.direction, how.why))
                break
    return found


def _new(concept: Concept) -> Change:
    span = (concept.node.extent,)
    if concept.role == "concept":
        return Change("new concept", ended(f"New concept, which must match as well: {concept.label}"), (), span)
    return Change("limit", ended(f"New limit: {_limit_words(concept)}"), (), span)


def _dropped(concept: Concept) -> Change:
    span = (concept.node.extent,)
    if concept.role == "concept":
        return Change("gone concept", ended(f"Concept that no longer has to match: {concept.label}"), span, ())
    return Change("limit", ended(f"Limit taken away: {_limit_words(concept)}"), span, ())


def _limit_words(concept: Concept) -> str:
    return f"years {_year_words(concept.node)}" if isinstance(concept.node, Range) else concept.label


def _rearranged(here: Concept, there: Concept) -> Change:
    spans = (here.node.extent,), (there.node.extent,)
    one, other = here.node, there.node
    if isinstance(one, Group) and isinstance(other, Group) and one.operator != other.operator:
        return Change("operator", f"{there.name}: joined by {other.operator} instead of {one.operator}.", *spans)
    return Change("operator", f"{there.name}: its terms are joined in another way.", *spans)


def _shape(node: Node, kept: Collection[Formula]) -> Formula | None:
    """What a concept asks for, as if it held these terms only."""
    if not parts_of(node):
        key = formula_of(node)
        return key if key in kept else None
    parts = [shape for part in parts_of(node) if (shape := _shape(part, kept)) is not None]
    if isinstance(node, Not) or not parts:
        return ("not", parts[0]) if parts else None
    operator = node.operator if isinstance(node, Group) else ""
    flat: set[Formula] = set()
    for shape in parts:
        flat |= shape[1] if shape[0] == operator else {shape}
    return next(iter(flat)) if len(flat) == 1 else (operator, frozenset(flat))


def _years(here: Range, there: Range) -> Change:
    low, high = here.low is None or (there.low or 0) >= here.low, here.high is None or (there.high or 9999) <= here.high
    wider = (there.low is None or (here.low or 0) >= there.low, there.high is None or (here.high or 9999) <= there.high)
    how = " (narrower)" if low and high else " (wider)" if all(wider) else ""
    sentence = f"Years: {_year_words(here)} became {_year_words(there)}{how}."
    return Change("limit", sentence, (here.extent,), (there.extent,))


def _year_words(node: Node) -> str:
    assert isinstance(node, Range)
    if node.low is None or node.high is None:
        return f"to {node.high}" if node.low is None else f"from {node.low}"
    return f"{node.low}" if node.low == node.high else f"{node.low} to {node.high}"


def _listed(kind: Literal["added", "removed"], concept: Concept, leaves: Sequence[Leaf]) -> Iterable[Change]:
    if not leaves:
        return
    spans = tuple(leaf.span for leaf in leaves)
    labels = [leaf.label for leaf in leaves[:MOST_LISTED]]
    rest = len(leaves) - len(labels)
    listed = ", ".join(labels) + (f" and {rest:,} more" if rest else "")
    sentence = ended(f"{concept.name}: {kind} {listed}")
    yield Change(kind, sentence, *((), spans) if kind == "added" else (spans, ()))


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]
