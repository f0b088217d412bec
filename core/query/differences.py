"""Compare two versions of a query: concepts, terms, operators, limits, and text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeVar

from core.query.dialects import DIALECTS
from core.query.equivalence import MOST_EXACT, Formula, formula_of, same
from core.query.leaf_texts import in_words
from core.query.lexer import LONGEST, FindingCollector, Token, cleaned, lex
from core.query.tree import (
    TEXT_FIELDS,
    Gap,
    Group,
    Heading,
    Near,
    Node,
    Not,
    ParsedQuery,
    Range,
    Span,
    Term,
    Word,
    all_joined,
    leaves_in,
    parts_of,
    terms_in,
)
from core.text import common_ends, first_of, lower_first, many, most_pairs

Direction = Literal["widened", "narrowed", "changed"]
LONGEST_WORD = 80
MOST_GAPS = 3
"""Maximum number of wildcards; words with more, or longer words, are compared as written."""


class TermRelation(NamedTuple):
    """The change of a term, and the reason."""

    direction: Direction
    why: str


def relation(before: Node, after: Node) -> TermRelation | None:
    """Return how `after` changes the meaning of `before`; None: they are unrelated.

    >>> relation(Term(("heat",)), Term(("heat", Gap(0, None))))
    TermRelation(direction='widened', why='more endings match')
    """
    if isinstance(before, Term) and isinstance(after, Term):
        return _of_terms(before, after)
    if isinstance(before, Near) and isinstance(after, Near):
        return _of_distances(before, after)
    if isinstance(before, Heading) and isinstance(after, Heading) and before.name.lower() == after.name.lower():
        return TermRelation("changed", "the same heading, written differently")
    return None


def words_of(term: Term) -> tuple[Word, ...]:
    """Return its words in a row, adjacent or not."""
    return tuple(word for chunk in term.chunks for word in chunk)


def _of_terms(before: Term, after: Term) -> TermRelation | None:
    first, second = words_of(before), words_of(after)
    if not first or not second:
        return None
    if first == second:
        return _same_words(before, after)
    if len(first) == len(second):
        if all(map(_covers, second, first)):
            return TermRelation("widened", "more endings match" if second[-1].is_stem else "more spellings match")
        if all(map(_covers, first, second)):
            return TermRelation("narrowed", "fewer endings match" if first[-1].is_stem else "fewer spellings match")
        return None
    if _holds(second, first) and len(after.chunks) == 1:
        return TermRelation("narrowed", "a longer phrase")
    if _holds(first, second) and len(before.chunks) == 1:
        return TermRelation("widened", "a shorter phrase")
    return None


def _same_words(before: Term, after: Term) -> TermRelation:
    if len(after.chunks) > len(before.chunks):
        return TermRelation("widened", "its words may be apart")
    if len(after.chunks) < len(before.chunks):
        return TermRelation("narrowed", "its words must be together")
    here, there = set(before.fields or TEXT_FIELDS), set(after.fields or TEXT_FIELDS)
    place = in_words(after.fields)
    if here < there:
        return TermRelation("widened", f"searched in {place}")
    if here > there:
        return TermRelation("narrowed", f"searched in {place} only")
    if here != there:
        return TermRelation("changed", f"searched in {place} instead of {in_words(before.fields)}")
    return TermRelation("changed", "its endings are matched differently")


def _holds(longer: tuple[Word, ...], shorter: tuple[Word, ...]) -> bool:
    n = len(shorter)
    return n < len(longer) <= LONGEST_WORD and any(longer[i : i + n] == shorter for i in range(len(longer) - n + 1))


def _covers(pattern: Word, word: Word) -> bool:
    """Return True if every spelling of a word matches the pattern."""
    if pattern == word:
        return True
    if pattern.is_plain:
        return False
    head = word.pieces[0]
    if pattern.is_stem:
        return isinstance(head, str) and head.startswith(str(pattern.pieces[0]))
    gaps = sum(isinstance(piece, Gap) for piece in pattern.pieces)
    if not word.is_plain or gaps > MOST_GAPS or len(str(word)) > LONGEST_WORD or len(str(pattern)) > LONGEST_WORD:
        return False
    signs = "".join(re.escape(piece) if isinstance(piece, str) else _sign(piece) for piece in pattern.pieces)
    return re.fullmatch(signs, str(word)) is not None


def _sign(gap: Gap) -> str:
    return f".{{{gap.least},{'' if gap.most is None else min(gap.most, LONGEST_WORD)}}}"


def _of_distances(before: Near, after: Near) -> TermRelation | None:
    if replace(before, distance=after.distance) == after:
        wider = after.distance > before.distance
        why = f"up to {after.distance:,} words between instead of {before.distance:,}"
        return TermRelation("widened" if wider else "narrowed", why)
    if replace(before, ordered=after.ordered) == after:
        if after.ordered:
            return TermRelation("narrowed", "in this order only")
        return TermRelation("widened", "in any order")
    return None


# The concepts of a query, which are the parts that must all match, and the matching concepts of two queries.

Role = Literal["concept", "excluded", "years", "limit"]
LETTERS = 3
"""Number of letters in common that make two words pass for forms of one."""
MOST_SHARED = 8
"""Maximum number of concepts that share a term or word; one in more concepts distinguishes none."""
LONGEST_LABEL = 60
EXACT_COUNTS = 4
"""Weight of a term in common, in words that are only alike."""


@dataclass(frozen=True)
class ConceptLeaf:
    node: Node
    key: Formula
    """A key of its meaning: the same for two notations of it."""
    label: str

    @property
    def span(self) -> Span:
        return self.node.span


@dataclass(frozen=True, eq=False)
class Concept:
    """A part of a query that must match."""

    node: Node
    place: int
    role: Role
    text: str

    @cached_property
    def leaves(self) -> dict[Formula, ConceptLeaf]:
        """The leaves that it looks up, each once, in text order."""
        found: dict[Formula, ConceptLeaf] = {}
        for node in leaves_in(self.node):
            key = formula_of(node)
            found.setdefault(key, ConceptLeaf(node, key, shortened(node.span.of(self.text))))
        return found

    @cached_property
    def formula(self) -> Formula:
        return formula_of(self.node)

    @property
    def label(self) -> str:
        return shortened(self.node.extent.of(self.text))

    @property
    def name(self) -> str:
        if self.role == "excluded":
            return "What is excluded (NOT)"
        first = first_of([shortened(leaf.label, 24) for leaf in self.leaves.values()], 2)
        return f"{'Limit' if self.role == 'limit' else f'Concept {self.place}'} ({first})"


def shortened(text: str, most: int = LONGEST_LABEL) -> str:
    """Put a text on one line, and cut it if it is too long."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most and len(text) <= 4 * most else f"{line[: most - 1].rstrip()}…"


def ended(sentence: str) -> str:
    """Add a full stop, unless the sentence ends in a text that was cut."""
    return sentence if sentence.endswith("…") else f"{sentence}."


def concepts_of(parsed: ParsedQuery) -> tuple[Concept, ...]:
    """Return the parts of the topmost AND, through brackets; any other query is one concept."""
    assert parsed.root is not None
    found: list[Concept] = []
    place = 0
    for node in all_joined(parsed.root, "AND"):
        role = _role(node)
        place += role == "concept"
        found.append(Concept(node, place, role, parsed.text))
    return tuple(found)


def as_one(parsed: ParsedQuery) -> Concept:
    assert parsed.root is not None
    return Concept(parsed.root, 1, "concept", parsed.text)


def _role(node: Node) -> Role:
    if isinstance(node, Not):
        return "excluded"
    if isinstance(node, Range):
        return "years"
    terms = list(terms_in(node))
    elsewhere = terms and all(term.fields and not set(term.fields) & {*TEXT_FIELDS, "subject"} for term in terms)
    return "limit" if elsewhere else "concept"


def paired(first: Sequence[Concept], second: Sequence[Concept]) -> list[tuple[int, int]]:
    """Pair the concepts that have most in common, each at most once."""
    shared: Counter[tuple[int, int]] = Counter()
    there = _index(second)
    for sign, here in _index(first).items():
        others = there.get(sign, ())
        if len(here) <= MOST_SHARED and len(others) <= MOST_SHARED:
            for i in here:
                for j in others:
                    shared[i, j] += EXACT_COUNTS if sign[1] == "exact" else 1
    taken_first: set[int] = set()
    taken_second: set[int] = set()
    pairs = []
    for (i, j), _ in sorted(shared.items(), key=lambda item: (-item[1], abs(item[0][0] - item[0][1]), item[0])):
        if i not in taken_first and j not in taken_second:
            taken_first.add(i)
            taken_second.add(j)
            pairs.append((i, j))
    return pairs


def _index(concepts: Sequence[Concept]) -> dict[tuple[Role, str, Hashable], list[int]]:
    index: dict[tuple[Role, str, Hashable], list[int]] = defaultdict(list)
    for i, concept in enumerate(concepts):
        for sign in set(_signs(concept)):
            index[concept.role, *sign].append(i)
    return index


def _signs(concept: Concept) -> Iterator[tuple[str, Hashable]]:
    if concept.role in ("years", "excluded"):
        yield "alike", concept.role
    for key, leaf in concept.leaves.items():
        yield "exact", key
        for stem in stems(leaf.node):
            yield "alike", stem


def stems(node: Node) -> Iterator[str]:
    for term in terms_in(node):
        for word in words_of(term):
            head = word.pieces[0]
            if isinstance(head, str):
                yield head[:LETTERS]


# The changes between two queries, in sentences: concepts, terms, operators and limits.

ChangeKind = Literal[
    "operator", "new concept", "gone concept", "added", "removed", "moved", "widened", "narrowed", "changed", "limit"
]
MOST_LISTED = 6
"""Maximum number of terms named in a sentence."""
MOST_CHANGES = 300
MOST_LEAVES = 2_000
"""Maximum number of terms of two queries that are compared on combinations of their terms."""
MOST_ALIKE = 40
"""Maximum number of terms compared with one to find its successor."""


@dataclass(frozen=True, slots=True)
class QueryChange:
    """One change, as a sentence, with its place in either text."""

    kind: ChangeKind
    sentence: str
    in_first: tuple[Span, ...]
    in_second: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class TreeDifference:
    """The difference in meaning between two queries."""

    same: bool | None
    """True if both have the same meaning; None: they can only be compared word by word."""
    summary: str
    changes: tuple[QueryChange, ...] = ()


def tree_difference(a: ParsedQuery, b: ParsedQuery) -> TreeDifference:
    """Compare the first query with the second.

    >>> from core.query.parser import parse
    >>> found = tree_difference(parse("heat AND tree"), parse("(heat* OR warm) AND tree AND city"))
    >>> for change in found.changes:
    ...     print(change.sentence)
    Concept 1 (heat*, warm): heat became heat* (wider: more endings match).
    Concept 1 (heat*, warm): added warm.
    New required concept: city.
    """
    if unread := _unread(a, b):
        return TreeDifference(None, unread)
    if a.text == b.text and a.dialect == b.dialect:
        return TreeDifference(True, "Both texts are identical.")
    if _ask_the_same(a, b):
        exact = max(_n_leaves(a), _n_leaves(b)) <= MOST_EXACT
        certain = "The same query, written differently."
        return TreeDifference(
            True, certain if exact else f"{certain} No tested combination of its terms distinguishes the two."
        )
    if a.dialect != b.dialect:
        names = f"{DIALECTS[a.dialect].label} and {DIALECTS[b.dialect].label}"
        return TreeDifference(None, f"The texts are written for {names}, so only their words are compared.")
    changes = tuple(_changes(a, b))
    more = len(changes) - MOST_CHANGES
    n = many(len(changes), "change")
    rest = f"; the first {MOST_CHANGES} are listed" if more > 0 else ""
    return TreeDifference(False, f"{n} to the meaning of the query{rest}.", changes[:MOST_CHANGES])


def _unread(a: ParsedQuery, b: ParsedQuery) -> str | None:
    if "question" in (a.kind, b.kind):
        return "A plain-language question is ranked, not read term by term, so only the words are compared."
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


def _changes(a: ParsedQuery, b: ParsedQuery) -> Iterable[QueryChange]:
    first, second = concepts_of(a), concepts_of(b)
    if _was_joined_again(first, second):
        whole, other = as_one(a), as_one(b)
        now = "any part of the query is enough" if len(second) == 1 else "all parts of the query must match"
        before = "all had to match" if len(second) == 1 else "any was enough"
        yield QueryChange("operator", f"Now {now}; {before} before.", (whole.node.extent,), (other.node.extent,))
        if whole.leaves.keys() == other.leaves.keys():
            return
        changes = _Comparison((whole,), (other,)).changes()
        yield from (change for change in changes if change.kind != "operator")
        return
    yield from _Comparison(first, second).changes()


def _was_joined_again(first: Sequence[Concept], second: Sequence[Concept]) -> bool:
    """Return True if one query is an OR of parts that the other requires together."""
    for one, several in ((first, second), (second, first)):
        if len(one) == 1 and len(several) > 1 and isinstance(one[0].node, Group):
            held = one[0].leaves.keys()
            return sum(1 for concept in several if concept.leaves.keys() & held) > 1
    return False


class _Comparison:
    def __init__(self, first: Sequence[Concept], second: Sequence[Concept]) -> None:
        pairs = {j: i for i, j in paired(first, second) if _have_to_do(first[i], second[j])}
        left = set(range(len(first))) - set(pairs.values())
        self.pairs = [(first[pairs[j]] if j in pairs else None, concept) for j, concept in enumerate(second)]
        self.gone = [first[i] for i in sorted(left)]
        self.came_from = _homes([(here, there) for here, there in self.pairs] + [(c, None) for c in self.gone], 0)
        self.went_to = _homes([pair for pair in self.pairs if pair[0] is not None], 1)

    def changes(self) -> Iterable[QueryChange]:
        """Return concepts in the order of the second text, then the removed ones, and limits last."""
        found: list[tuple[bool, QueryChange]] = []
        for here, there in self.pairs:
            changes = [_new(there)] if here is None else list(self._within(here, there))
            found += [(there.role != "concept", change) for change in changes]
        found += [(concept.role != "concept", _dropped(concept)) for concept in self.gone]
        return [change for _, change in sorted(found, key=lambda pair: pair[0])]

    def _within(self, here: Concept, there: Concept) -> Iterable[QueryChange]:
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
            sentence = f"{there.name}: {leaf.label} moved here from {lower_first(origin.name)}."
            yield QueryChange("moved", sentence, (origin.leaves[leaf.key].span,), (leaf.span,))
        removed = [leaf for leaf in removed if leaf.key not in self.went_to]
        added = [leaf for leaf in added if leaf.key not in self.came_from]
        became = _became(removed, added)
        for old, new, kind, why in became:
            how = {"widened": "wider: ", "narrowed": "narrower: "}.get(kind, "")
            sentence = f"{there.name}: {old.label} became {new.label} ({how}{why})."
            yield QueryChange(kind, sentence, (old.span,), (new.span,))
        done = {id(leaf) for old, new, _, _ in became for leaf in (old, new)}
        yield from _listed("added", there, [leaf for leaf in added if id(leaf) not in done])
        yield from _listed("removed", there, [leaf for leaf in removed if id(leaf) not in done])


def _have_to_do(here: Concept, there: Concept) -> bool:
    """Return True if anything of a concept is left in another; a limit of the same kind is the same limit."""
    if here.role in ("years", "excluded") or here.leaves.keys() & there.leaves.keys():
        return True
    return bool(_became(list(here.leaves.values()), list(there.leaves.values())))


def _homes(pairs: Sequence[tuple[Concept | None, Concept | None]], side: Literal[0, 1]) -> dict[object, Concept]:
    """Map each term that its concept lacks on the other side to its concept on this side."""
    homes: dict[object, Concept] = {}
    for pair in pairs:
        own, other = pair[side], pair[1 - side]
        for key in own.leaves if own is not None else ():
            if other is None or key not in other.leaves:
                homes.setdefault(key, own)  # type: ignore[arg-type]
    return homes


def _became(
    removed: Sequence[ConceptLeaf], added: Sequence[ConceptLeaf]
) -> list[tuple[ConceptLeaf, ConceptLeaf, ChangeKind, str]]:
    """Match removed terms with the added terms that replace them."""
    by_stem: dict[str, list[ConceptLeaf]] = defaultdict(list)
    for leaf in added:
        for stem in dict.fromkeys(stems(leaf.node)):
            by_stem[stem].append(leaf)
    found: list[tuple[ConceptLeaf, ConceptLeaf, ChangeKind, str]] = []
    taken: set[int] = set()
    for old in removed:
        near = {id(leaf): leaf for stem in stems(old.node) for leaf in by_stem[stem][:MOST_ALIKE]}
        for new in list(near.values())[:MOST_ALIKE]:
            if id(new) not in taken and (how := relation(old.node, new.node)):
                taken.add(id(new))
                found.append((old, new, how.direction, how.why))
                break
    return found


def _new(concept: Concept) -> QueryChange:
    span = (concept.node.extent,)
    if concept.role == "concept":
        return QueryChange("new concept", ended(f"New required concept: {concept.label}"), (), span)
    return QueryChange("limit", ended(f"New limit: {_limit_words(concept)}"), (), span)


def _dropped(concept: Concept) -> QueryChange:
    span = (concept.node.extent,)
    if concept.role == "concept":
        return QueryChange("gone concept", ended(f"Concept no longer required: {concept.label}"), span, ())
    return QueryChange("limit", ended(f"Limit removed: {_limit_words(concept)}"), span, ())


def _limit_words(concept: Concept) -> str:
    return f"years {_year_words(concept.node)}" if isinstance(concept.node, Range) else concept.label


def _rearranged(here: Concept, there: Concept) -> QueryChange:
    spans = (here.node.extent,), (there.node.extent,)
    one, other = here.node, there.node
    if isinstance(one, Group) and isinstance(other, Group) and one.operator != other.operator:
        return QueryChange("operator", f"{there.name}: joined by {other.operator} instead of {one.operator}.", *spans)
    return QueryChange("operator", f"{there.name}: its terms are joined differently.", *spans)


def _shape(node: Node, kept: Collection[Formula]) -> Formula | None:
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


def _years(here: Range, there: Range) -> QueryChange:
    low, high = here.low is None or (there.low or 0) >= here.low, here.high is None or (there.high or 9999) <= here.high
    wider = (there.low is None or (here.low or 0) >= there.low, there.high is None or (here.high or 9999) <= there.high)
    how = " (narrower)" if low and high else " (wider)" if all(wider) else ""
    sentence = f"Years: {_year_words(here)} became {_year_words(there)}{how}."
    return QueryChange("limit", sentence, (here.extent,), (there.extent,))


def _year_words(node: Node) -> str:
    assert isinstance(node, Range)
    if node.low is None or node.high is None:
        return f"to {node.high}" if node.low is None else f"from {node.low}"
    return f"{node.low}" if node.low == node.high else f"{node.low} to {node.high}"


def _listed(
    kind: Literal["added", "removed"], concept: Concept, leaves: Sequence[ConceptLeaf]
) -> Iterable[QueryChange]:
    if not leaves:
        return
    spans = tuple(leaf.span for leaf in leaves)
    sentence = ended(f"{concept.name}: {kind} {first_of([leaf.label for leaf in leaves], MOST_LISTED)}")
    yield QueryChange(kind, sentence, *((), spans) if kind == "added" else (spans, ()))


# Matching entries of two long lists: exact if that is fast, otherwise by landmarks.

Entry = TypeVar("Entry", bound=Hashable)
Pairs = list[tuple[int, int]]

MOST_EXACT_ENTRIES = 30_000_000
"""Maximum number of pairs of entries compared one by one; a longer stretch without a landmark counts as replaced."""


def aligned(first: Sequence[Entry], second: Sequence[Entry], is_landmark: Callable[[Entry], bool]) -> Pairs:
    """Return the places of equal entries in both lists, ascending in both.

    Equal beginnings and ends are paired first, then landmarks: entries that occur once in each list, as terms of a
    query do. Between them as many entries as possible are paired.

    >>> aligned("abcd", "xbcy", str.isalpha)
    [(1, 1), (2, 2)]
    """
    head, tail = common_ends(first, second)
    ends = (len(first) - tail, len(second) - tail)
    pairs = [(i, i) for i in range(head)]
    at, to = head, head
    for i, j in [*_landmarks(first, second, (head, head), ends, is_landmark), ends]:
        pairs += [(at + x, to + y) for x, y in _between(first[at:i], second[to:j])]
        if (i, j) != ends:
            pairs.append((i, j))
        at, to = i + 1, j + 1
    return pairs + [(ends[0] + k, ends[1] + k) for k in range(tail)]


def _landmarks(
    first: Sequence[Entry],
    second: Sequence[Entry],
    start: tuple[int, int],
    end: tuple[int, int],
    is_landmark: Callable[[Entry], bool],
) -> Pairs:
    """Return entries that occur once in each stretch, in the longest run that ascends in both."""
    here, there = first[start[0] : end[0]], second[start[1] : end[1]]
    n_here, n_there = Counter(here), Counter(there)
    place = {entry: j for j, entry in enumerate(there)}
    once = [
        (start[0] + i, start[1] + place[entry])
        for i, entry in enumerate(here)
        if n_here[entry] == 1 and n_there[entry] == 1 and is_landmark(entry)
    ]
    return _longest_ascending(once)


def _longest_ascending(pairs: Pairs) -> Pairs:
    """Return the longest run of pairs whose second places ascend like the first ones (patience sorting)."""
    tops: list[int] = []
    holders: list[int] = []
    before: list[int] = []
    for at, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        before.append(holders[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [j]
        holders[pile : pile + 1] = [at]
    run: Pairs = []
    at = holders[-1] if holders else -1
    while at >= 0:
        run.append(pairs[at])
        at = before[at]
    return run[::-1]


def _between(first: Sequence[Entry], second: Sequence[Entry]) -> Pairs:
    """Return as many pairs as possible; none if that would take too long."""
    head, tail = common_ends(first, second)
    here, there = first[head : len(first) - tail], second[head : len(second) - tail]
    middle = most_pairs(here, there) if len(here) * len(there) <= MOST_EXACT_ENTRIES else []
    pairs = [(i, i) for i in range(head)] + [(head + i, head + j) for i, j in middle]
    return pairs + [(len(first) - tail + k, len(second) - tail + k) for k in range(tail)]


# Two texts as one run of pieces, each kept, gone or new, split at the tokens of a query.

Fate = Literal["kept", "gone", "new"]
Key = tuple[str, str]

_RUN = re.compile(r"\S+")
_LIGHT = {("op", "or"), ("(", "("), (")", ")")}
"""Tokens that do not connect two texts by themselves: any two lists of terms have ORs and brackets in common."""


@dataclass(frozen=True, slots=True)
class DifferencePiece:
    """A stretch of one of the texts, or of both, with the white space before it."""

    fate: Fate
    before: str
    """The text in the first version; empty for a new piece, and for blanks only at the end of the second text."""
    after: str
    """The same in the second version."""


@dataclass(frozen=True, slots=True)
class _Cut:
    text: str
    key: Key


def token_difference(a: ParsedQuery, b: ParsedQuery) -> tuple[DifferencePiece, ...]:
    """Split two texts into pieces: kept and gone ones make up the first text, kept and new ones the second.

    Case and white space make no difference, since no dialect considers them. Different pieces in the same place are
    listed as gone, then new.

    >>> from core.query.parser import parse
    >>> pieces = token_difference(parse("heat AND tree"), parse('heat and (tree* OR "shade")'))
    >>> [(piece.fate, (piece.before or piece.after).strip()) for piece in pieces][:4]
    [('kept', 'heat'), ('kept', 'AND'), ('gone', 'tree'), ('new', '(')]
    """
    first, second = _cuts(a), _cuts(b)
    keys, others = [cut.key for cut in first], [cut.key for cut in second]
    # One order for any two texts: the difference between the second and the first is then the same, mirrored.
    swapped = keys > others
    pairs = aligned(others, keys, _is_heavy) if swapped else aligned(keys, others, _is_heavy)
    kept = [(j, i) for i, j in pairs] if swapped else pairs
    return tuple(_pieces(first, second, _without_crumbs(kept, first, second)))


def _is_heavy(key: Key) -> bool:
    return key not in _LIGHT


def _pieces(first: Sequence[_Cut], second: Sequence[_Cut], kept: Sequence[tuple[int, int]]) -> list[DifferencePiece]:
    pieces: list[DifferencePiece] = []
    at, to = 0, 0
    for i, j in [*kept, (len(first), len(second))]:
        pieces += [DifferencePiece("gone", cut.text, "") for cut in first[at:i] if cut.text]
        pieces += [DifferencePiece("new", "", cut.text) for cut in second[to:j] if cut.text]
        if i < len(first) and (first[i].text or second[j].text):
            pieces.append(DifferencePiece("kept", first[i].text, second[j].text))
        at, to = i + 1, j + 1
    return pieces


def _without_crumbs(
    kept: list[tuple[int, int]], first: Sequence[_Cut], second: Sequence[_Cut]
) -> list[tuple[int, int]]:
    """Drop ORs and brackets kept between two replaced terms: people read one replaced stretch."""
    runs = _runs(kept)
    ends = [(-1, -1), *(run[-1] for run in runs)]
    starts = [*(run[0] for run in runs), (len(first), len(second))]
    replaced = [i - e > 1 and j - f > 1 for (e, f), (i, j) in zip(ends, starts, strict=True)]
    return [
        pair
        for at, run in enumerate(runs)
        if not (replaced[at] and replaced[at + 1]) or any(_is_heavy(first[i].key) for i, _ in run)
        for pair in run
    ]


def _runs(kept: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Group pairs that are consecutive in both texts."""
    runs: list[list[tuple[int, int]]] = []
    for i, j in kept:
        if runs and runs[-1][-1] == (i - 1, j - 1):
            runs[-1].append((i, j))
        else:
            runs.append([(i, j)])
    return runs


def _cuts(parsed: ParsedQuery) -> list[_Cut]:
    """Split the whole text, in order. Text that the reader skips, such as a remark, is a piece of its own."""
    text = parsed.text
    cuts: list[_Cut] = []
    at = 0
    space = 0
    for start, end, key in [*_keyed(parsed), (len(text), len(text), ("end", ""))]:
        if text[at:start].strip():
            skipped = at + len(text[at:start].rstrip())
            cuts.append(_Cut(text[space:skipped], ("skipped", _plain(text[at:skipped]))))
            space = skipped
        cuts.append(_Cut(text[space:end], key))
        at = space = end
    return cuts


def _keyed(parsed: ParsedQuery) -> list[tuple[int, int, Key]]:
    if len(parsed.text) > LONGEST or parsed.kind == "question":
        return [(m.start(), m.end(), ("word", _plain(m.group()))) for m in _RUN.finditer(parsed.text)]
    dialect = DIALECTS[parsed.dialect]
    spans = [(line.span.start, line.span.end) for line in parsed.lines] or [(0, len(parsed.text))]
    found = []
    for start, end in sorted(spans):
        for token in lex(parsed.text[start:end], dialect, FindingCollector()):
            if token.end > token.start:
                found.append((start + token.start, start + token.end, _key(token)))
    return found


def _key(token: Token) -> Key:
    return token.kind, f"{_plain(token.value)}{token.suffix}"


def _plain(text: str) -> str:
    return " ".join(cleaned(text).casefold().split())
