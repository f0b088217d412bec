"""Contributions of each part of a query, and the value of alternative wordings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.metrics import decay, f_beta, read_per_core, recall, semantic_precision
from core.query.evidence import CarriedHeadings, EvidenceSearch
from core.query.histories import reference_tokens
from core.query.match import (
    Bits,
    Corpus,
    CorpusTexts,
    MatchedTree,
    Semantics,
    combined,
    count,
    none_of,
    of_rows,
    rows_of,
)
from core.query.translation import Writer
from core.query.tree import Group, Leaf, Node, Not, Span
from core.settings import EvaluationSettings
from core.text import many
from core.types import Floats, Ids

Counts = npt.NDArray[np.int64]


def counts(stack: Bits) -> Counts:
    n: Counts = np.bitwise_count(stack).sum(axis=-1, dtype=np.int64)
    return n


@dataclass(frozen=True, slots=True)
class WordingPrice:
    n_added: int
    """The number of publications newly retrieved."""
    n_removed: int
    semantic_precision_added: float | None
    """Semantic precision of the publications newly retrieved; None: none of them can be scored."""
    core_gained: tuple[int, ...]
    """Rows of core publications newly retrieved."""
    core_lost: tuple[int, ...]
    f_beta_change: float | None
    """None: one of the two sets has no F-beta."""


@dataclass(frozen=True, eq=False)
class Stakes:
    """The data that determine the scores of any retrieved set of one corpus under the cosine region.

    The region accepts the same publications whatever is retrieved, so every score is a count of bits.
    """

    core: Bits
    """Core publications in the corpus."""
    n_core: int
    """The number of core publications, including those not in the corpus."""
    scorable: Bits
    """Publications with a vector."""
    accepted: Bits
    """Publications that the cosine region accepts."""
    settings: EvaluationSettings
    """The source of decay and beta."""

    def recall(self, retrieved: Bits) -> float:
        """Return the share of the core publications that are in the set."""
        return recall(n_found=count(self.core & retrieved), n_core=self.n_core)

    def semantic_precision(self, bits: Bits) -> float | None:
        """Return the share of the set's scorable publications that the region accepts; None: none can be scored."""
        scorable = self.scorable & bits
        return semantic_precision(n_relevant=count(self.accepted & scorable), n_scorable=count(scorable))

    def f_beta(self, retrieved: Bits) -> float | None:
        """Return F-beta of the cosine region; None: nothing in the set can be scored."""
        score = float(self.f_betas(retrieved[None])[0])
        return None if np.isnan(score) else score

    def f_betas(self, stack: Bits) -> Floats:
        """Return F-beta for many sets at once, one per row; NaN where it is undefined."""
        scorable = counts(stack & self.scorable)
        relevant = stack & (self.accepted & self.scorable)
        n_relevant, n_accepted_core = counts(relevant), counts(relevant & self.core)
        share = n_relevant / np.maximum(scorable, 1) * decay(n_relevant, **self.settings.decay_curve)
        found = n_accepted_core / max(self.n_core, 1)
        return np.where(scorable > 0, f_beta(share, found, beta=self.settings.beta), np.nan)

    def beyond_limits(self, stack: Bits, *, min_recall: float, most: int | None) -> tuple[list[float], list[float]]:
        """Return the recall that each set lacks, and its number of publications above a maximum; None: no maximum."""
        found = counts(stack & self.core) / max(self.n_core, 1)
        too_many = np.maximum(counts(stack) - (np.inf if most is None else most), 0.0)
        return np.maximum(min_recall - found, 0.0).round(12).tolist(), too_many.tolist()

    def price(self, before: Bits, after: Bits) -> WordingPrice:
        added, removed = after & ~before, before & ~after
        old, new = self.f_betas(np.stack([before, after])).tolist()
        change = new - old
        return WordingPrice(
            n_added=count(added),
            n_removed=count(removed),
            semantic_precision_added=self.semantic_precision(added),
            core_gained=tuple(rows_of(added & self.core).tolist()),
            core_lost=tuple(rows_of(removed & self.core).tolist()),
            f_beta_change=None if np.isnan(change) else change,
        )

    def with_core(self, rows: npt.NDArray[np.integer], n_core: int, n: int) -> Stakes:
        """Return the same region with only some of the core publications as truth. `n`: publications in the corpus."""
        return replace(self, core=of_rows(rows, n), n_core=n_core)


# The contribution of every node of a query: the losses, gains and score without it.

Flag = Literal[
    "zero_hit", "subsumed", "harmful", "single_point_of_failure", "not_testable", "off"
]  # the order in which they are shown
NOTHING = 0.0005
"""Changes of F-beta up to this are too small to notice."""


@dataclass(frozen=True, slots=True)
class Contribution:
    number: int
    """Its place in `walk`."""
    span: Span
    n_alone: int
    """The number of publications that it matches by itself; for a NOT, those that it passes."""
    n_in_context: int
    """The number of retrieved publications that it matches; for a NOT, and inside one, those that it excludes."""
    n_lost: int
    """The number of retrieved publications lost without it."""
    n_gained: int
    """The number of publications added without it."""
    core: int
    """The number of core publications among `n_alone`."""
    core_in_context: int
    core_unique: int
    """The number of core publications lost without it."""
    core_gained: int
    """The number of core publications added without it."""
    semantic_precision_unique: float | None
    """Semantic precision of the publications lost; None: none of them can be scored."""
    read_per_core: float | None
    """Publications to read per core publication among `n_in_context`; None: it has no core publication."""
    f_beta_change_if_removed: float | None
    """None: the query would retrieve nothing that can be scored, or the node is already left out."""
    flags: tuple[Flag, ...]
    by: int | None = None
    """For a subsumed part: the one sibling that has all of its publications; None: only several together do."""

    @property
    def n_unique(self) -> int:
        """The number of retrieved publications that no other part of the query finds."""
        return self.n_lost


@dataclass(frozen=True, eq=False)
class NodeSets:
    """The publications of each node: those it matches, and those it adds."""

    root: Bits
    """The retrieved publications."""
    alone: Bits
    context: Bits
    without: Bits
    """The publications retrieved without the node."""

    @classmethod
    def of(cls, matched: MatchedTree, stored: Bits | None = None) -> NodeSets:
        """Compute the sets of every node. `stored`: the publications of a version, if its list decides.

        Publications in the version that the query does not match, or the reverse, are then neither lost nor gained
        without any node.
        """
        empty = none_of(matched.n)
        root = empty if matched.root is None else matched.root
        known = np.array([context is not None for context in matched.contexts])
        alone = np.stack([empty if bits is None else bits for bits in matched.sets])
        without = np.stack([empty if c is None or c.without is None else c.without for c in matched.contexts])
        without[~known] = root
        if stored is not None:
            root, without = stored, settled(without, root, stored)
        return cls(root, alone, _in_context(matched, alone, without, root), without)

    @property
    def lost(self) -> Bits:
        return self.root & ~self.without

    @property
    def gained(self) -> Bits:
        return self.without & ~self.root

    def counted(self, count: NodeCount, core: Bits) -> Bits:
        """Return, per node, the publications behind one of its counts."""
        counted: dict[NodeCount, Bits] = {
            "n_alone": self.alone,
            "n_in_context": self.context,
            "n_unique": self.lost,
            "core": self.alone & core,
            "core_unique": self.lost & core,
        }
        return counted[count]


NodeCount = Literal["n_alone", "n_in_context", "n_unique", "core", "core_unique"]
"""Counts of a contribution, by their names there."""


@dataclass(frozen=True, eq=False)
class _Columns:
    n_alone: Counts
    n_in_context: Counts
    n_lost: Counts
    n_gained: Counts
    core: Counts
    core_in_context: Counts
    core_unique: Counts
    core_gained: Counts
    lost_scorable: Counts
    lost_accepted: Counts


def contributions(matched: MatchedTree, stakes: Stakes, stored: Bits | None = None) -> tuple[Contribution, ...]:
    """Compute the contribution of every node, in the order of `walk`. `stored`: as in `NodeSets.of`."""
    if not matched.nodes:
        return ()
    sets = NodeSets.of(matched, stored)
    changes = stakes.f_betas(sets.without) - stakes.f_betas(sets.root[None])[0]
    changes[[context is None for context in matched.contexts]] = np.nan
    columns, covers = _columns(sets, stakes), _covers(matched)
    return tuple(
        _contribution(matched, columns, i, None if np.isnan(change) else change, covers)
        for i, change in enumerate(changes.tolist())
    )


def _columns(sets: NodeSets, stakes: Stakes) -> _Columns:
    lost, gained = sets.lost, sets.gained
    return _Columns(
        n_alone=counts(sets.alone),
        n_in_context=counts(sets.context),
        n_lost=counts(lost),
        n_gained=counts(gained),
        core=counts(sets.alone & stakes.core),
        core_in_context=counts(sets.context & stakes.core),
        core_unique=counts(lost & stakes.core),
        core_gained=counts(gained & stakes.core),
        lost_scorable=counts(lost & stakes.scorable),
        lost_accepted=counts(lost & stakes.scorable & stakes.accepted),
    )


def _in_context(matched: MatchedTree, alone: Bits, without: Bits, root: Bits) -> Bits:
    """Return, per node, its matches in the retrieved set; for a NOT and inside one, in the set that it excludes."""
    out = np.zeros_like(alone)
    kept_out: dict[int, Bits] = {}
    for i, (node, context) in enumerate(zip(matched.nodes, matched.contexts, strict=True)):
        if context is None:
            continue
        if isinstance(node, Not):
            out[i] = kept_out[i] = without[i] & ~root
            continue
        above = matched.parents[i]
        if above in kept_out:
            kept_out[i] = kept_out[above]
        out[i] = alone[i] & (kept_out[i] if context.negated and i in kept_out else root)
    return out


def _covers(matched: MatchedTree) -> dict[int, int | None]:
    """Return parts of ORs that the other parts together cover, and one sibling that does so alone, if there is one."""
    out: dict[int, int | None] = {}
    for i, node in enumerate(matched.nodes):
        if not (isinstance(node, Group) and node.operator == "OR"):
            continue
        known = [c for c in matched.children[i] if matched.sets[c] is not None]
        if len(known) < 2:
            continue
        stack = np.stack([bits for c in known if (bits := matched.sets[c]) is not None])
        once, twice = np.zeros_like(stack[0]), np.zeros_like(stack[0])
        for bits in stack:
            twice |= once & bits
            once |= bits
        covered = ~(stack & ~twice).any(axis=1) & stack.any(axis=1)
        for place in np.flatnonzero(covered).tolist():
            sibling = _sibling_with_all(stack, place)
            out[known[place]] = None if sibling is None else known[sibling]
    return out


def _sibling_with_all(stack: Bits, place: int) -> int | None:
    """Return the first other set that holds everything in this one."""
    bits = stack[place]
    row = int(rows_of(bits)[0])
    with_row = np.flatnonzero((stack[:, row // 64] >> np.uint64(row % 64)) & np.uint64(1))
    words = np.flatnonzero(bits)
    likely = with_row[with_row != place]
    holds_all = ~(bits[words] & ~stack[np.ix_(likely, words)]).any(axis=1)
    return int(likely[np.argmax(holds_all)]) if holds_all.any() else None


def _contribution(
    matched: MatchedTree, columns: _Columns, i: int, change: float | None, covers: dict[int, int | None]
) -> Contribution:
    n_context, core_context = int(columns.n_in_context[i]), int(columns.core_in_context[i])
    return Contribution(
        number=i,
        span=matched.nodes[i].span,
        n_alone=int(columns.n_alone[i]),
        n_in_context=n_context,
        n_lost=int(columns.n_lost[i]),
        n_gained=int(columns.n_gained[i]),
        core=int(columns.core[i]),
        core_in_context=core_context,
        core_unique=int(columns.core_unique[i]),
        core_gained=int(columns.core_gained[i]),
        semantic_precision_unique=semantic_precision(
            n_relevant=int(columns.lost_accepted[i]), n_scorable=int(columns.lost_scorable[i])
        ),
        read_per_core=read_per_core(n_retrieved=n_context, n_found=core_context),
        f_beta_change_if_removed=change,
        flags=_flags(matched, columns, i, change, i in covers),
        by=covers.get(i),
    )


def _flags(matched: MatchedTree, columns: _Columns, i: int, change: float | None, covered: bool) -> tuple[Flag, ...]:
    if matched.contexts[i] is None:
        return ("off",) if _is_off(matched, i) else ("not_testable",)
    above = matched.nodes[matched.parents[i]] if i else None
    in_or = isinstance(above, Group) and above.operator == "OR"
    raised: dict[Flag, bool] = {
        "zero_hit": not columns.n_alone[i] and not isinstance(matched.nodes[i], Not),
        "subsumed": covered,
        "harmful": change is not None and change > NOTHING,
        "single_point_of_failure": in_or and bool(columns.core_unique[i]),
    }
    return tuple(flag for flag, is_raised in raised.items() if is_raised)


def _is_off(matched: MatchedTree, i: int) -> bool:
    """Return True if the node, a node above it or a node in it was switched off."""
    return bool(matched.off & _line(matched, i)) or any(i in _line(matched, number) for number in matched.off)


def _line(matched: MatchedTree, number: int) -> set[int]:
    """Return a node and every node above it."""
    line = set()
    while number >= 0:
        line.add(number)
        number = matched.parents[number]
    return line


# The publications of a version. Its list decides, even if its string is read differently here than in the database.

NOT_MATCHED = "in the version, but not matched by the search string as read here"
NOT_IN_VERSION = "matched by the search string as read here, but not in the version"


def settled(after: Bits, matches: Bits, stored: Bits) -> Bits:
    """Return the publications of a version after a change of its string.

    Where the version and its string disagree, a change of the string has no effect: the version decides.

    `after`: the matches of the string after the change, or a stack of such sets; `matches`: its matches before it.
    """
    decided: Bits = (after & ~(matches ^ stored)) | (stored & ~matches)
    return decided


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A publication that is in a version but not matched by its string, or the reverse."""

    publication_id: str
    is_core: bool
    in_version: bool

    @property
    def message(self) -> str:
        return NOT_MATCHED if self.in_version else NOT_IN_VERSION


@dataclass(frozen=True, eq=False)
class StoredResult:
    """The publications of a version."""

    ids: frozenset[str]
    bits: Bits
    """Those that are in the corpus."""

    @classmethod
    def of(cls, ids: Iterable[str], corpus_ids: Ids) -> StoredResult:
        held = frozenset(ids)
        rows = [row for row, publication_id in enumerate(corpus_ids) if publication_id in held]
        return cls(held, of_rows(rows, len(corpus_ids)))

    def disagreements(self, matches: Bits, corpus_ids: Ids, core_ids: Collection[str]) -> tuple[Disagreement, ...]:
        """Return the disagreements with a string that matches these rows: core first, then those in the version."""
        core = frozenset(core_ids)
        matched = {corpus_ids[row] for row in rows_of(matches).tolist()}
        places = {publication_id: row for row, publication_id in enumerate(corpus_ids)}
        found = [Disagreement(i, i in core, i in self.ids) for i in matched ^ self.ids]
        end = len(places)
        found.sort(key=lambda d: (not d.is_core, not d.in_version, places.get(d.publication_id, end), d.publication_id))
        return tuple(found)


def disagreement_note(disagreements: Sequence[Disagreement]) -> str:
    """Count both kinds in one sentence; empty: the version and its string agree."""
    parts = []
    for message in (NOT_MATCHED, NOT_IN_VERSION):
        of_kind = [each for each in disagreements if each.message == message]
        n_core = sum(each.is_core for each in of_kind)
        if of_kind:
            parts.append(f"{many(len(of_kind), 'publication')} {message} ({n_core:,} core)")
    return f"{'; '.join(parts)}." if parts else ""


LONGEST_NAME = 40
MOST_NAMED = 4
"""Maximum number of parts of a node that are named."""


@dataclass(frozen=True, eq=False)
class MatchedQuery:
    """A matched query, with the data to evaluate other wordings."""

    text: str
    matched: MatchedTree
    corpus: Corpus
    texts: CorpusTexts
    semantics: Semantics
    stakes: Stakes
    writer: Writer
    read_before: EvidenceSearch | None = None
    """The search used for other wordings: if given, the publications need not be read again."""
    read_again: Callable[[str], Bits] | None = None
    """Returns the publications that another text retrieves. Given for texts with errors, where an edit may join other
    parts than it seems to: suggestions there are read again first."""
    stored: StoredResult | None = None
    """The publications of this text's version, which decide. None: the text alone decides."""
    read_headings: Callable[[], CarriedHeadings | None] | None = None
    """Reads the headings of the corpus when they are needed; None: the query takes none."""
    _sets: dict[Leaf, Bits | None] = field(default_factory=dict)

    @cached_property
    def headings(self) -> CarriedHeadings | None:
        """The headings that records carry; None: they carry none, or the query takes none."""
        return None if self.read_headings is None else self.read_headings()

    @cached_property
    def evidence(self) -> EvidenceSearch:
        return self.read_before or EvidenceSearch(self.texts, self.semantics)

    @cached_property
    def matches(self) -> Bits:
        """The publications that the text matches as read here."""
        return none_of(self.matched.n) if self.matched.root is None else self.matched.root

    @property
    def retrieved(self) -> Bits:
        """The publications of the version; without one, the matches of the text."""
        return self.matches if self.stored is None else self.stored.bits

    @property
    def n_retrieved(self) -> int:
        return count(self.matches) if self.stored is None else len(self.stored.ids)

    @cached_property
    def undisputed_core(self) -> Bits:
        """Core publications on which the version and the text agree."""
        return self.stakes.core if self.stored is None else self.stakes.core & ~(self.matches ^ self.stored.bits)

    @cached_property
    def contributions(self) -> tuple[Contribution, ...]:
        """The contribution of every node."""
        return contributions(self.matched, self.stakes, None if self.stored is None else self.stored.bits)

    def counted(self, number: int, count: NodeCount) -> Ids:
        """Return the publications behind a count of a node's contribution."""
        sets = NodeSets.of(self.matched, None if self.stored is None else self.stored.bits)
        rows = rows_of(sets.counted(count, self.stakes.core)[number])
        return tuple(self.corpus.ids[row] for row in rows.tolist())

    def settled(self, after: Bits) -> Bits:
        """Return the publications retrieved after a change that makes the text match these."""
        return after if self.stored is None else settled(after, self.matches, self.stored.bits)

    def found(self, publication_ids: Iterable[str]) -> Ids:
        """Return those of the publications that are retrieved, in their order."""
        if self.stored is not None:
            return tuple(i for i in publication_ids if i in self.stored.ids)
        matched = {self.corpus.ids[row] for row in rows_of(self.matches).tolist()}
        return tuple(i for i in publication_ids if i in matched)

    def disagreements(self, core_ids: Collection[str]) -> tuple[Disagreement, ...]:
        """Return the publications on which the version and its text, as read here, disagree."""
        return () if self.stored is None else self.stored.disagreements(self.matches, self.corpus.ids, core_ids)

    @cached_property
    def occurrences(self) -> Counts:
        return np.bincount(self.texts.tokens, minlength=len(self.texts.vocabulary)).astype(np.int64)

    def look_up(self, node: Node) -> Bits | None:
        """Return the set of a leaf, or of combined leaves, looked up once."""
        if isinstance(node, Group):
            return combined(node, [self.look_up(part) for part in node.parts], self.matched.n)
        if isinstance(node, Not):
            return combined(node, [self.look_up(node.part)], self.matched.n)
        if node not in self._sets:
            self._sets[node] = self.corpus.look_up(node, self.semantics)
        return self._sets[node]

    def name_of(self, number: int) -> str:
        """Return the text of a node, shortened if it is long; for references to lines, the text of these lines."""
        node = self.matched.nodes[number]
        text = " ".join(node.span.of(self.text).split())
        if isinstance(node, Group) and reference_tokens(text, 0, len(text)):
            text = f" {node.operator} ".join(self.name_of(part) for part in self.matched.children[number][:MOST_NAMED])
        return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"


def retrieved_with(matched: MatchedTree, new: dict[int, Bits | None]) -> Bits | None:
    """Return the set retrieved with other sets in place of some nodes'; None: nothing is left of the query."""
    if len(new) == 1:
        ((number, bits),) = new.items()
        return matched.put(number, bits)
    sets = {**dict(enumerate(matched.sets)), **new}
    above: set[int] = set()
    for number in new:
        while (number := matched.parents[number]) >= 0:
            above.add(number)
    for number in sorted(above, reverse=True):
        if number not in matched.off and number not in matched.unjudged:
            parts = [sets[c] for c in matched.children[number]]
            sets[number] = combined(matched.nodes[number], parts, matched.n)
    return sets[0]
