"""Which small edits would rescue a missed publication, and what each of them costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from math import inf

from core.query.matching.bits import Bits, count, holds
from core.query.matching.matched import Matched
from core.query.repair.candidates import (
    Candidate,
    added,
    from_evidence,
    from_title,
    leaves_of_alternatives,
    phrase,
    shared_fields,
)
from core.query.repair.edits import add_alternative, leave_out, put_in_place
from core.query.tree import NOWHERE, Edit, Group, Node, Not, Term, apply_edits
from core.query.weighing.asked import Asked, retrieved_with
from core.query.weighing.evidence import CLOSENESS
from core.query.weighing.failing import block_of, failing
from core.types import Ids

MOST_RESCUES = 5
MOST_LEAVES = 60
"""Leaves of one failing block for which evidence is looked for."""
MOST_BY_EVIDENCE = 16
MOST_BY_TITLE = 6
"""Words, and as many phrases."""
LARGEST_SHARE = 0.1
"""A term that more of the corpus has is too common to be offered."""
FEWEST = 2
"""A term that only the missed publication has would be a search for that publication."""
MOST_PER_BLOCK = 4
"""Edits of one block that are combined with those of other blocks."""
MOST_REPEATED = 2
"""Edits of several blocks in which the same part may stand."""
HARDLY = 0.005
"""F-betas that differ by less are as good as one another."""
MOST_BLOCKS = 4
"""Where more blocks fail, only the smallest edit of each is tried."""


@dataclass(frozen=True, slots=True)
class Change:
    """Another node in place of one of the tree's; None: it is left out."""

    number: int
    node: Node | None


@dataclass(frozen=True, slots=True)
class Rescue:
    """Edits after which a missed publication is retrieved, and their price."""

    label: str
    """What is done, as a button says it."""
    edits: tuple[Edit, ...]
    changes: tuple[Change, ...]
    """The same, on the tree."""
    n_added: int
    """Publications newly retrieved."""
    semantic_precision_added: float | None
    """Of those; None: none of them can be scored."""
    core_gained: Ids
    f_beta: float | None
    """After the edits. None: undefined."""
    f_beta_change: float | None
    """None: F-beta is undefined before or after."""


@dataclass(frozen=True, eq=False)
class Option:
    """One way to make a node match."""

    candidate: Candidate
    numbers: tuple[int, ...]
    """The node; of a line that is used several times, the node in every use."""
    edit: Edit
    node: Node | None
    bits: Bits | None
    """What each of the nodes would match; None: they are left out."""
    growth: int
    """Publications that the node would match and does not match now."""

    @property
    def is_far(self) -> bool:
        """A guess, or a part of the query given up: not a small change of what is asked for."""
        return self.candidate.guessed or self.candidate.mode == "leave_out"

    @property
    def node_added(self) -> Node | None:
        """The alternative that it puts beside a node."""
        return self.candidate.node if self.candidate.mode == "add" else None


Found = tuple[tuple[Option, ...], Rescue]
"""Options that are taken together, and what they do."""


@dataclass(frozen=True, eq=False)
class Rescuer:
    """Finds edits that rescue publications of one query; what was priced for one is remembered for the others."""

    asked: Asked
    _options: dict[Candidate, Option | None] = field(default_factory=dict)
    _tried: dict[tuple[Candidate, ...], tuple[Bits, Rescue] | None] = field(default_factory=dict)

    def rescues(self, row: int, most: int = MOST_RESCUES) -> tuple[Rescue, ...]:
        """The best small edits after which a publication is retrieved.

        What gives up no part of the query comes first; then the highest F-beta; where that hardly differs, what stays
        close to the query.

        Empty: it is retrieved already, or nothing of the query can be tested.
        """
        ways = [list(self._ways(number, row)) for number in failing(self.asked.matched, row).numbers]
        if not ways:
            return ()
        if len(ways) > 1:
            n_each = MOST_PER_BLOCK if len(ways) <= MOST_BLOCKS else 1
            ways = [_few(way, n_each) for way in ways]
        tried = ((way, self._try(way)) for way in product(*ways) if not _says_twice(way))
        found = {each[1].label: (way, each[1]) for way, each in tried if each is not None and holds(each[0], row)}
        return _best(sorted(found.values(), key=_rank), most)

    def with_alternative(self, term: Term, number: int) -> Rescue | None:
        """What a term would bring as an alternative to a node.

        None: it can't be tested or written, or publications would be lost.
        """
        block = block_of(self.asked.matched, number)
        option = self._option(added(term, number, "" if block is None else f"block {block}"))
        tried = None if option is None else self._try((option,))
        return None if tried is None else tried[1]

    def _option(self, candidate: Candidate) -> Option | None:
        if candidate not in self._options:
            self._options[candidate] = _option(self.asked, candidate)
        return self._options[candidate]

    def _ways(self, number: int, row: int) -> Iterator[Option]:
        """Ways to make a failing node match a publication."""
        is_not = isinstance(self.asked.matched.nodes[number], Not)
        for candidate in (_letting_in if is_not else _candidates)(self.asked, number, row):
            option = self._option(candidate)
            if option is not None and (option.bits is None or holds(option.bits, row)):
                yield option

    def _try(self, way: tuple[Option, ...]) -> tuple[Bits, Rescue] | None:
        """What is retrieved after the edits; None: they get in each other's way, or lose something."""
        asked, key = self.asked, tuple(option.candidate for option in way)
        if key not in self._tried:
            after = retrieved_with(asked.matched, {i: option.bits for option in way for i in option.numbers})
            fits = after is not None and _lie_apart(way) and not (asked.retrieved & ~after).any()
            if fits and after is not None and asked.read_again:
                text = apply_edits(asked.text, tuple(option.edit for option in way))
                fits = not (asked.read_again(text) ^ after).any()
            self._tried[key] = (after, _rescue(asked, way, after)) if fits and after is not None else None
        return self._tried[key]


def _rank(found: Found) -> tuple[int, float, int, int, int]:
    way, rescue = found
    f_beta = inf if rescue.f_beta is None else -round(rescue.f_beta / HARDLY)
    n_guessed = sum(option.candidate.guessed for option in way)
    return _n_left_out(way), f_beta, n_guessed, -len(rescue.core_gained), rescue.n_added


def _n_left_out(way: tuple[Option, ...]) -> int:
    """How much of what was asked for is given up."""
    return sum(option.candidate.mode == "leave_out" for option in way)


def _few(way: list[Option], most: int) -> list[Option]:
    """What is closest to the query first; leaving out is always one of them."""
    best = sorted(way, key=lambda option: (option.is_far, option.growth))
    last_resort = [option for option in best if option.candidate.mode == "leave_out"][:1]
    others = [option for option in best if option not in last_resort]
    return [*others[: most - len(last_resort)], *last_resort] if most > 1 else best[:1]


def _says_twice(way: tuple[Option, ...]) -> bool:
    """The same term in two blocks would make them one."""
    terms = [option.node_added for option in way if option.node_added is not None]
    return len(set(terms)) < len(terms)


def _best(found: list[Found], most: int) -> tuple[Rescue, ...]:
    """The first ones, but no part of an edit again and again, and at the end one that gives something up."""
    used: Counter[Candidate] = Counter()
    chosen: list[Found] = []
    for way, rescue in found:
        if len(way) > 1 and any(used[option.candidate] >= MOST_REPEATED for option in way):
            continue
        used.update(option.candidate for option in way)
        chosen.append((way, rescue))
        if len(chosen) == most:
            break
    giving_up = next((each for each in found if _n_left_out(each[0])), None)
    if giving_up and len(chosen) == most and not any(_n_left_out(way) for way, _ in chosen):
        chosen[-1] = giving_up
    return tuple(rescue for _, rescue in chosen)


def _lie_apart(way: tuple[Option, ...]) -> bool:
    edits = sorted((option.edit for option in way), key=lambda edit: (edit.start, edit.end))
    return all(one.end <= other.start for one, other in pairwise(edits))


def _rescue(asked: Asked, way: tuple[Option, ...], after: Bits) -> Rescue:
    price = asked.stakes.price(asked.retrieved, after)
    return Rescue(
        label=", and ".join(option.candidate.label for option in way),
        edits=tuple(option.edit for option in way),
        changes=tuple(Change(number, option.node) for option in way for number in option.numbers),
        n_added=price.n_added,
        semantic_precision_added=price.semantic_precision_added,
        core_gained=tuple(asked.corpus.ids[r] for r in price.core_gained),
        f_beta=asked.stakes.f_beta(after),
        f_beta_change=price.f_beta_change,
    )


def _candidates(asked: Asked, number: int, row: int) -> Iterator[Candidate]:
    matched = asked.matched
    block = block_of(matched, number)
    where = "" if block is None else f"block {block}"
    leaves = leaves_of_alternatives(matched, number, MOST_LEAVES)
    nodes = [matched.nodes[i] for i in leaves]
    near_by = [(e, i) for i in leaves for e in asked.evidence.evidence(matched.nodes[i], row)]
    near_by.sort(key=lambda pair: (CLOSENESS[pair[0].kind], pair[0].between))
    for found, i in near_by[:MOST_BY_EVIDENCE]:
        yield from from_evidence(matched.nodes[i], i, number, where, [found])
    title = asked.texts.words_of(row, "title") if "title" in asked.texts.fields else ()
    seen = [int(asked.occurrences[asked.texts.number_of[word]]) for word in title]
    for run in from_title(title, seen, MOST_BY_TITLE):
        term = phrase(run, shared_fields(nodes))
        bits = asked.look_up(term)
        if bits is not None and FEWEST <= count(bits) <= max(LARGEST_SHARE * matched.n, FEWEST):
            yield replace(added(term, number, where), guessed=True)
    yield Candidate("leave_out", number, None, f"leave out {where or asked.name_of(number)}")


def _letting_in(asked: Asked, number: int, row: int) -> Iterator[Candidate]:
    """Ways to let a publication pass a NOT: without the one part that keeps it out, or without all of it."""
    matched = asked.matched
    (part,) = matched.children[number]
    node = matched.nodes[part]
    if isinstance(node, Group) and node.operator == "OR":
        known = [(i, bits) for i in matched.children[part] if (bits := matched.sets[i]) is not None]
        against = [i for i, bits in known if holds(bits, row)]
        if len(against) == 1 and len(known) > 1:
            yield Candidate("leave_out", against[0], None, f"drop {asked.name_of(against[0])} from the NOT")
    yield Candidate("leave_out", number, None, f"drop NOT {asked.name_of(part)}")


def _option(asked: Asked, candidate: Candidate) -> Option | None:
    """The candidate with its edit and its set; None: it can't be written, or not be tested."""
    matched, number, node = asked.matched, candidate.number, candidate.node
    if node is None:
        edit = leave_out(matched, number, asked.text, asked.writer)
        return None if edit is None else Option(candidate, _uses(matched, number), edit, None, None, matched.n + 1)
    old, new = matched.sets[number], asked.look_up(node)
    if old is None or new is None:
        return None
    if candidate.mode == "add":
        leaves = leaves_of_alternatives(matched, number, MOST_LEAVES)
        beside = leaves[0] if leaves else None
        edit = add_alternative(matched, number, node, beside, asked.text, asked.writer)
        new, node = old | new, _with_alternative(matched.nodes[number], node)
    else:
        edit = put_in_place(matched, number, node, asked.text, asked.writer)
    return None if edit is None else Option(candidate, _uses(matched, number), edit, node, new, count(new & ~old))


def _with_alternative(node: Node, added: Node) -> Group:
    parts = node.parts if isinstance(node, Group) and node.operator == "OR" else (node,)
    return Group("OR", (*parts, added))


def _uses(matched: Matched, number: int) -> tuple[int, ...]:
    """The node, and the same text used elsewhere in the query."""
    node = matched.nodes[number]
    return tuple(
        i
        for i, other in enumerate(matched.nodes)
        if i == number
        or (other.span == node.span != NOWHERE and matched.sets[i] is not None and type(other) is type(node))
    )
