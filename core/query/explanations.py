"""Explain why core publications are found or missed, and find small edits that would retrieve them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, pairwise, product
from math import inf
from typing import Literal

from core.library.mesh import heading_key
from core.query.contributions import NOT_IN_VERSION, NOT_MATCHED, MatchedQuery, retrieved_with
from core.query.evidence import CLOSENESS, EvidenceKind, TermEvidence, added_heading, headings_in, is_literally
from core.query.match import Bits, CorpusTexts, MatchedTree, count, holds, numbers_of, searched_fields
from core.query.translation import add_alternative, leave_out, put_in_place
from core.query.tree import (
    ANY_ENDING,
    NOWHERE,
    TEXT_FIELDS,
    Edit,
    Group,
    Heading,
    Near,
    Node,
    Not,
    Span,
    Term,
    Word,
    apply_edits,
    parts_joined,
    terms_in,
    written,
)
from core.text import (
    NUMBER_WORDS,
    PUBLISHER_WORDS,
    SCHOLARLY_WORDS,
    STOP_WORDS,
    common_ends,
    listed,
    upper_first,
    words,
)
from core.types import Ids


@dataclass(frozen=True, slots=True)
class MatchFailure:
    numbers: tuple[int, ...]
    """Nodes that would each have to match; empty: it is retrieved, or nothing of the query can be tested."""
    n_changes: int
    """The fewest terms and NOTs that would have to change."""


def failing(matched: MatchedTree, row: int) -> MatchFailure:
    """Find the fewest nodes that must change, named by the highest ones that the author would recognise.

    A failing term counts 1, and so does a NOT that excludes the publication; an AND counts all of its parts, an OR the
    cheapest one, or the first of several. Nodes that are left out of the query count as matched.
    """
    if matched.root is None or holds(matched.root, row):
        return MatchFailure((), 0)
    costs = _costs(matched, row)
    return MatchFailure(_highest(matched, costs), costs[0])


def _costs(matched: MatchedTree, row: int) -> list[int]:
    """Return, per node, the fewest changes after which it matches."""
    costs = [0] * len(matched.nodes)
    for i in range(len(costs) - 1, -1, -1):
        bits, node = matched.sets[i], matched.nodes[i]
        if bits is None or holds(bits, row):
            continue
        known = (costs[c] for c in _known(matched, i))
        if not isinstance(node, Group):
            costs[i] = 1
        else:
            costs[i] = sum(known) if node.operator == "AND" else min(known)
    return costs


def _highest(matched: MatchedTree, costs: list[int]) -> tuple[int, ...]:
    found: list[int] = []
    stack = [0]
    while stack:
        i = stack.pop()
        node = matched.nodes[i]
        if not isinstance(node, Group):
            found.append(i)
        elif node.operator == "AND":
            stack.extend(c for c in reversed(_known(matched, i)) if costs[c])
        else:
            into = _and_that_matches_in_part(matched, costs, i)
            if into is None:
                found.append(i)
            else:
                stack.append(into)
    return tuple(found)


def _and_that_matches_in_part(matched: MatchedTree, costs: list[int], i: int) -> int | None:
    """Return the cheapest way through an OR, if it is an AND with a part that matches."""
    while isinstance(node := matched.nodes[i], Group):
        known = _known(matched, i)
        if node.operator == "AND":
            return i if any(not costs[c] for c in known) else None
        i = min(known, key=costs.__getitem__)
    return None


def _known(matched: MatchedTree, i: int) -> list[int]:
    return [c for c in matched.children[i] if matched.sets[c] is not None]


def block_of(matched: MatchedTree, number: int) -> int | None:
    """Return the part of the AND at the root that holds a node, from 1; None: there is no such AND or part."""
    root = matched.nodes[0]
    if number == 0 or not (isinstance(root, Group) and root.operator == "AND"):
        return None
    while matched.parents[number] != 0:
        number = matched.parents[number]
    return matched.children[0].index(number) + 1


def n_blocks(matched: MatchedTree) -> int:
    """Count the parts of an AND at the root; 1 if there is none."""
    return len(parts_joined(matched.nodes[0], "AND"))


def is_inside_not(matched: MatchedTree, number: int) -> bool:
    """Return True if there is a NOT above a node."""
    while (number := matched.parents[number]) >= 0:
        if isinstance(matched.nodes[number], Not):
            return True
    return False


# Small changes of one block that may retrieve a missed publication: from its own words, closest first.

Mode = Literal["add", "replace", "leave_out"]
SHORTEST_WORD = 3
SHORTEST_BEGINNING = 5
"""Minimum number of letters before a new truncation."""
WIDEST = 15
"""Maximum number of words between the parts of a suggested wider Near."""
LONGEST_PHRASE = 3
_SAYS_NOTHING = STOP_WORDS | SCHOLARLY_WORDS | NUMBER_WORDS | PUBLISHER_WORDS


@dataclass(frozen=True)
class EditCandidate:
    """One change of one node; its effect is only known after a look-up."""

    mode: Mode
    """add: next to the node. replace: in its place."""
    number: int
    node: Node | None
    """None: the node is left out."""
    label: str
    guessed: bool = field(default=False, compare=False)
    """True if it comes from a title or a minor heading, not from something close to the query or a major topic."""


def from_evidence(
    leaf: Node, number: int, target: int, where: str, found: Iterable[TermEvidence]
) -> Iterator[EditCandidate]:
    """Yield the changes that the evidence for a leaf suggests.

    `target` is the failing node that gets the alternatives, `where` its name.
    """
    for each in found:
        if isinstance(leaf, Near):
            yield from _from_near(leaf, number, each)
        elif isinstance(leaf, Term) and each.kind == "other_field" and not set(leaf.fields).intersection(TEXT_FIELDS):
            yield added(replace(leaf, fields=TEXT_FIELDS, tag=""), target, where)  # searched in headings alone
        elif isinstance(leaf, Term) and each.kind == "other_field":
            yield from _in_more_fields(leaf, number, each.field)
        elif isinstance(leaf, Term) and each.kind == "apart":
            yield from _from_apart(leaf, number, each)
        elif isinstance(leaf, Term):
            if each.kind == "form" and len(leaf.chunks) == 1:
                yield from _from_form(leaf, number, target, where, each)
            if len(leaf.chunks) == 1:
                yield added(phrase(each.words, leaf.fields), target, where)


def phrase(words: tuple[str, ...], fields: tuple[str, ...]) -> Term:
    return Term((" ".join(words),), quoted=len(words) > 1, fields=fields)


def added(leaf: Term | Heading, target: int, where: str) -> EditCandidate:
    """Return the change that adds a term or a heading as an alternative to a node."""
    return EditCandidate("add", target, leaf, f"add {named(leaf)}{f' to {where}' if where else ''}")


def named(term: Term | Heading) -> str:
    """Return a term as shown in labels, without its fields."""
    if isinstance(term, Heading):
        return f"the heading “{term.name}”{' and narrower ones' if term.explode else ''}"
    text = written(term.pieces)
    return f'"{text}"' if term.quoted else text


def _from_near(near: Near, number: int, found: TermEvidence) -> Iterator[EditCandidate]:
    if found.kind == "too_far" and found.between <= WIDEST:
        wider = replace(near, distance=found.between)
        yield EditCandidate("replace", number, wider, f"widen NEAR/{near.distance} to NEAR/{found.between}")
    if found.kind == "order":
        yield EditCandidate("replace", number, replace(near, ordered=False), "allow any order")


def _wider_headings(leaf: Node, number: int) -> Iterator[EditCandidate]:
    """Yield a heading with narrower ones, as any topic, without its qualifiers, and with all of these."""
    if not isinstance(leaf, Heading):
        return
    wider = (
        (replace(leaf, explode=True), f"include the narrower headings of “{leaf.name}”"),
        (replace(leaf, major=False), f"search “{leaf.name}” not only as a major topic"),
        (replace(leaf, subheadings=()), f"search “{leaf.name}” without its qualifiers"),
        (replace(leaf, explode=True, major=False, subheadings=()), f"search “{leaf.name}” as widely as possible"),
    )
    seen: set[Heading] = {leaf}
    for heading, label in wider:
        if heading not in seen:
            seen.add(heading)
            yield EditCandidate("replace", number, replace(heading, tag=""), label)


def _in_more_fields(term: Term, number: int, name: str) -> Iterator[EditCandidate]:
    """Search in one more field, and in all: some dialects can express only one of the two."""
    more = tuple(f for f in TEXT_FIELDS if f in term.fields or f == name)
    instead = listed(tuple(f for f in term.fields if f in TEXT_FIELDS))
    for fields in dict.fromkeys((more, TEXT_FIELDS)):
        label = f"search {named(term)} in {listed(fields)} instead of {instead}"
        yield EditCandidate("replace", number, replace(term, fields=fields), label)


def _from_apart(term: Term, number: int, found: TermEvidence) -> Iterator[EditCandidate]:
    if len(term.chunks) != 1:
        return
    parts = tuple(Term(word.pieces, fields=term.fields, exact=term.exact) for word in term.chunks[0])
    if found.between <= WIDEST:
        near = Near(parts, max(found.between, 1), whole=len(parts) > 2)
        yield EditCandidate("replace", number, near, f"search the words of {named(term)} at most {near.distance} apart")
    yield EditCandidate("replace", number, Group("AND", parts), f"search the words of {named(term)} anywhere")


def _from_form(term: Term, number: int, target: int, where: str, found: TermEvidence) -> Iterator[EditCandidate]:
    *fronts, last = term.chunks[0]
    if len(found.words) != len(term.chunks[0]):
        return
    letters, there = str(last.pieces[0]), found.words[-1]
    if not all(_is(word, w) for word, w in zip(fronts, found.words, strict=False)):
        return
    front = "".join(f"{word} " for word in found.words[:-1])
    if last.is_plain and there.startswith(letters):
        longer = Term((front + letters, ANY_ENDING), quoted=term.quoted, fields=term.fields)
        yield EditCandidate("replace", number, longer, f"truncate {named(term)} to {named(longer)}")
        return
    shared = letters[: common_ends(letters, there)[0]]
    if len(shared) >= SHORTEST_BEGINNING:
        yield added(Term((front + shared, ANY_ENDING), quoted=bool(front), fields=term.fields), target, where)


def _is(word: Word, there: str) -> bool:
    return word.is_plain and str(word) == there


def from_title(
    title: tuple[str, ...], occurrences: Sequence[int], most: int, pauses: Collection[int] = ()
) -> tuple[tuple[str, ...], ...]:
    """Return words and phrases of a title, at most `most` of each, those with rare words first.

    `occurrences`: the number of occurrences in the corpus of each word of the title. `pauses`: words that follow
    punctuation, which no phrase crosses.
    """
    words, phrases = dict[tuple[str, ...], int](), dict[tuple[str, ...], int]()
    for n in range(1, LONGEST_PHRASE + 1):
        for start in range(len(title) - n + 1):
            run = title[start : start + n]
            if all(map(says_something, run)) and not any(start < pause < start + n for pause in pauses):
                (words if n == 1 else phrases)[run] = min(occurrences[start : start + n])
    return tuple(run for found in (words, phrases) for run in sorted(found, key=lambda r: (found[r], r))[:most])


def says_something(word: str) -> bool:
    """Return True if a word is worth suggesting: no stop word, scholarly filler, publisher, number, or short word."""
    return len(word) >= SHORTEST_WORD and not word.isdigit() and word not in _SAYS_NOTHING


def leaves_of_alternatives(matched: MatchedTree, number: int, most: int) -> tuple[int, ...]:
    """Return leaves that would each make the node match: the node itself, or its alternatives."""
    found: list[int] = []
    stack = [number]
    while stack and len(found) < most:
        i = stack.pop()
        node = matched.nodes[i]
        if matched.sets[i] is None:
            continue
        if isinstance(node, Group) and node.operator == "OR":
            stack.extend(reversed(matched.children[i]))
        elif not matched.children[i]:
            found.append(i)
    return tuple(found)


def shared_fields(nodes: Iterable[Node]) -> tuple[str, ...]:
    """Return the fields shared by all terms; empty: they differ, or any field counts."""
    asked = {term.fields for node in nodes for term in terms_in(node)}
    return asked.pop() if len(asked) == 1 else ()


# The small edits that would rescue a missed publication, and the cost of each.

MOST_RESCUES = 5
MOST_LEAVES = 60
"""Maximum number of leaves of one failing block that are searched for evidence."""
MOST_BY_EVIDENCE = 16
MOST_BY_TITLE = 6
"""Maximum number of words, and of phrases."""
MOST_BY_HEADING = 6
"""Maximum number of headings of the publication that no term names."""
LARGEST_SHARE = 0.1
"""Largest share of the corpus that may have a suggested term; others are too common."""
FEWEST, SMALL = 2, 50
"""Minimum number of publications with a suggested term; with one, it would be a search for that publication. In a
corpus of fewer than 50 publications, hardly a word is in two, so one is enough."""
MOST_PER_BLOCK = 4
"""Maximum number of edits of one block that are combined with those of other blocks."""
MOST_REPEATED = 2
"""Maximum number of combined edits that share a part."""
HARDLY = 0.005
"""F-betas that differ by less count as equal."""
SIDE_BY_SIDE: tuple[EvidenceKind, ...] = ("spelling", "variant", "form")
"""Kinds that are suggested as a phrase."""
MOST_BLOCKS = 4
"""Maximum number of failing blocks with several edits each; with more, only the smallest edit of each is tried."""


@dataclass(frozen=True, slots=True)
class NodeReplacement:
    """A replacement for a node of the tree; None: it is left out."""

    number: int
    node: Node | None


@dataclass(frozen=True, slots=True)
class Rescue:
    """Edits after which a missed publication is retrieved, and their price."""

    label: str
    """The action, as written on a button."""
    edits: tuple[Edit, ...]
    changes: tuple[NodeReplacement, ...]
    """The same changes, in the tree."""
    n_added: int
    """The number of publications newly retrieved."""
    semantic_precision_added: float | None
    """Semantic precision of the publications newly retrieved; None: none of them can be scored."""
    core_gained: Ids
    n_missed: int
    """The number of core publications missed without the edits."""
    f_beta: float | None
    """F-beta after the edits. None: undefined."""
    f_beta_change: float | None
    """None: F-beta is undefined before or after."""

    @property
    def gives_up(self) -> bool:
        """Return True if a part of the query, such as a concept, is left out."""
        return any(change.node is None for change in self.changes)

    @property
    def reach(self) -> str:
        """The number of missed core publications that it rescues, in words."""
        n = len(self.core_gained)
        return "rescues only this publication" if n == 1 else f"rescues {n:,} of the {self.n_missed:,} missed"


@dataclass(frozen=True, eq=False)
class EditOption:
    candidate: EditCandidate
    numbers: tuple[int, ...]
    """The node; for a line that is used several times, the node in every use."""
    edit: Edit
    node: Node | None
    bits: Bits | None
    """The set that each of the nodes would match; None: they are left out."""
    growth: int
    """The number of publications that the node would match and does not match now."""

    @property
    def is_far(self) -> bool:
        """True for a guess, or if a part of the query is given up: not a small change of the query."""
        return self.candidate.guessed or self.candidate.mode == "leave_out"

    @property
    def node_added(self) -> Node | None:
        return self.candidate.node if self.candidate.mode == "add" else None


Found = tuple[tuple[EditOption, ...], Rescue]
"""Options that are taken together, and their effect."""


@dataclass(frozen=True, eq=False)
class Rescuer:
    """A search for edits that rescue publications of one query, which remembers the price of each edit."""

    asked: MatchedQuery
    _options: dict[EditCandidate, EditOption | None] = field(default_factory=dict)
    _tried: dict[tuple[EditCandidate, ...], tuple[Bits, Rescue] | None] = field(default_factory=dict)
    _stems_of: dict[EditCandidate, frozenset[int]] = field(default_factory=dict)

    def rescues(self, row: int, most: int = MOST_RESCUES) -> tuple[Rescue, ...]:
        """Return the best small edits after which a publication is retrieved.

        Edits that give up no part of the query come first; then those that gain the most of all missed core
        publications, then those with the highest F-beta; if that hardly differs, those that stay close to the query.
        Of nearly equal edits only the best is included.

        Empty: it is already retrieved, or nothing of the query can be tested.
        """
        return _best(self.working_edits(row), most, self._are_alike)

    def working_edits(self, row: int) -> list[Found]:
        """Return all tried edits after which a publication is retrieved, best first."""
        ways = [list(self._ways(number, row)) for number in failing(self.asked.matched, row).numbers]
        if not ways:
            return []
        if len(ways) > 1:
            n_each = MOST_PER_BLOCK if len(ways) <= MOST_BLOCKS else 1
            ways = [_few(way, n_each) for way in ways]
        tried = ((way, self._try(way)) for way in product(*ways) if not _says_twice(way))
        found = {each[1].label: (way, each[1]) for way, each in tried if each is not None and holds(each[0], row)}
        return sorted(found.values(), key=_rank)

    def with_alternative(self, term: Term | Heading, number: int) -> Rescue | None:
        """Return the effect of a term or a heading as an alternative to a node.

        None: it can't be tested or written, or publications would be lost.
        """
        block = block_of(self.asked.matched, number)
        option = self._option(added(term, number, "" if block is None else f"block {block}"))
        tried = None if option is None else self._try((option,))
        return None if tried is None else tried[1]

    def _are_alike(self, one: Found, other: Found) -> bool:
        """Return True if two rescues have the same result, or gain the same core by terms that share a word."""
        if one[1].core_gained != other[1].core_gained:
            return False
        first, second = self._try(one[0]), self._try(other[0])
        if first is not None and second is not None and not (first[0] ^ second[0]).any():
            return True
        return all(
            a.candidate == b.candidate or self._share_a_word(a.candidate, b.candidate)
            for a, b in zip(one[0], other[0], strict=True)
        )

    def _share_a_word(self, one: EditCandidate, other: EditCandidate) -> bool:
        if one.mode != "add" or other.mode != "add" or one.number != other.number:
            return False
        return bool(self._stems(one) & self._stems(other))

    def _stems(self, candidate: EditCandidate) -> frozenset[int]:
        """Return the stems of all words that a term stands for."""
        texts = self.asked.texts
        if candidate not in self._stems_of:
            terms = () if candidate.node is None else terms_in(candidate.node)
            words = (word for term in terms for run in term.chunks for word in run)
            numbers = (found for word in words if (found := numbers_of(word, texts)) is not None)
            self._stems_of[candidate] = frozenset(stem for found in numbers for stem in texts.stems[found].tolist())
        return self._stems_of[candidate]

    def _option(self, candidate: EditCandidate) -> EditOption | None:
        if candidate not in self._options:
            self._options[candidate] = _option(self.asked, candidate)
        return self._options[candidate]

    def _ways(self, number: int, row: int) -> Iterator[EditOption]:
        is_not = isinstance(self.asked.matched.nodes[number], Not)
        for candidate in (_letting_in if is_not else _candidates)(self.asked, number, row):
            option = self._option(candidate)
            if option is not None and (option.bits is None or holds(option.bits, row)):
                yield option

    def _try(self, way: tuple[EditOption, ...]) -> tuple[Bits, Rescue] | None:
        """Return the result of the edits and its price; None: they interfere with each other, or lose something."""
        asked, key = self.asked, tuple(option.candidate for option in way)
        if key not in self._tried:
            matches = retrieved_with(asked.matched, {i: option.bits for option in way for i in option.numbers})
            after = None if matches is None else asked.settled(matches)
            fits = after is not None and _lie_apart(way) and not (asked.retrieved & ~after).any()
            if fits and matches is not None and asked.read_again:
                text = apply_edits(asked.text, tuple(option.edit for option in way))
                fits = not (asked.read_again(text) ^ matches).any()
            self._tried[key] = (after, _rescue(asked, way, after)) if fits and after is not None else None
        return self._tried[key]


def _rank(found: Found) -> tuple[int, int, float, int, int]:
    way, rescue = found
    f_beta = inf if rescue.f_beta is None else -round(rescue.f_beta / HARDLY)
    n_guessed = sum(option.candidate.guessed for option in way)
    return _n_left_out(way), -len(rescue.core_gained), f_beta, n_guessed, rescue.n_added


def _n_left_out(way: tuple[EditOption, ...]) -> int:
    return sum(option.candidate.mode == "leave_out" for option in way)


def _few(way: list[EditOption], most: int) -> list[EditOption]:
    """Return the options closest to the query; if there is room for several, one of them leaves the node out."""
    best = sorted(way, key=lambda option: (option.is_far, option.growth))
    last_resort = [option for option in best if option.candidate.mode == "leave_out"][:1]
    others = [option for option in best if option not in last_resort]
    return [*others[: most - len(last_resort)], *last_resort] if most > 1 else best[:1]


def _says_twice(way: tuple[EditOption, ...]) -> bool:
    """Return True if a term, or a phrase with it, is added to two blocks, which would make them one."""
    words = [set(_words_added(node)) for option in way if (node := option.node_added)]
    return any(one <= other or other <= one for one, other in combinations(words, 2))


def _words_added(node: Node) -> Iterator[Word]:
    terms = (Term((node.name,), quoted=True),) if isinstance(node, Heading) else terms_in(node)
    return (word for term in terms for word in chain(*term.chunks))


def _best(found: list[Found], most: int, are_alike: Callable[[Found, Found], bool]) -> tuple[Rescue, ...]:
    """Return the first ones, but none like another, no part of an edit again and again, and one that gives up a part of
    the query."""
    used: Counter[EditCandidate] = Counter()
    chosen: list[Found] = []
    for way, rescue in found:
        if len(way) > 1 and any(used[option.candidate] >= MOST_REPEATED for option in way):
            continue
        if any(are_alike((way, rescue), other) for other in chosen):
            continue
        used.update(option.candidate for option in way)
        chosen.append((way, rescue))
        if len(chosen) == most:
            break
    if len(chosen) == most and not any(_n_left_out(way) for way, _ in chosen):
        others = chosen[:-1]
        giving_up = (each for each in found if _n_left_out(each[0]) and not any(are_alike(each, o) for o in others))
        chosen[-1] = next(giving_up, chosen[-1])
    return tuple(rescue for _, rescue in chosen)


def _lie_apart(way: tuple[EditOption, ...]) -> bool:
    edits = sorted((option.edit for option in way), key=lambda edit: (edit.start, edit.end))
    return all(one.end <= other.start for one, other in pairwise(edits))


def _rescue(asked: MatchedQuery, way: tuple[EditOption, ...], after: Bits) -> Rescue:
    price = asked.stakes.price(asked.retrieved, after)
    return Rescue(
        label=", and ".join(option.candidate.label for option in way),
        edits=tuple(option.edit for option in way),
        changes=tuple(NodeReplacement(number, option.node) for option in way for number in option.numbers),
        n_added=price.n_added,
        semantic_precision_added=price.semantic_precision_added,
        core_gained=tuple(asked.corpus.ids[r] for r in price.core_gained),
        n_missed=asked.stakes.n_core - count(asked.stakes.core & asked.retrieved),
        f_beta=asked.stakes.f_beta(after),
        f_beta_change=price.f_beta_change,
    )


def _candidates(asked: MatchedQuery, number: int, row: int) -> Iterator[EditCandidate]:
    matched = asked.matched
    block = block_of(matched, number)
    where = "" if block is None else f"block {block}"
    leaves = leaves_of_alternatives(matched, number, MOST_LEAVES)
    nodes = [matched.nodes[i] for i in leaves]
    near_by = [(e, i) for i in leaves for e in asked.evidence.evidence(matched.nodes[i], row)]
    near_by.sort(key=lambda pair: (CLOSENESS[pair[0].kind], pair[0].between))
    for found, i in near_by[:MOST_BY_EVIDENCE]:
        if found.kind in SIDE_BY_SIDE and _goes_across(asked.texts, row, found):
            continue
        yield from from_evidence(matched.nodes[i], i, number, where, [found])
    for i in leaves:
        yield from _wider_headings(matched.nodes[i], i)
    yield from _carried_headings(asked, number, row, where)
    title = asked.texts.words_of(row, "title") if "title" in asked.texts.fields else ()
    seen = [int(asked.occurrences[asked.texts.number_of[word]]) for word in title]
    pauses = asked.texts.pauses_of(row, "title") if title else ()
    in_other_blocks = _words_of_other_blocks(matched, block)
    known = frozenset(chain.from_iterable(_pieces(str(word)) for word in _words_in(nodes)))
    guesses = from_title(title, seen, MOST_BY_TITLE, pauses)
    for run in sorted(guesses, key=lambda run: known.isdisjoint(chain.from_iterable(map(_pieces, run)))):
        if all(any(is_literally(word, each) for word in in_other_blocks) for each in run):
            continue  # it would make the two blocks one
        term = phrase(run, shared_fields(nodes))
        if _is_worth_adding(asked, term):
            yield replace(added(term, number, where), guessed=True)
    yield EditCandidate("leave_out", number, None, f"leave out {where or asked.name_of(number)}")


def _carried_headings(asked: MatchedQuery, number: int, row: int, where: str) -> Iterator[EditCandidate]:
    """Yield the headings that the node's terms name, then others of the publication that are not too common."""
    if asked.headings is None:
        return
    matched, node, block = asked.matched, asked.matched.nodes[number], block_of(asked.matched, number)
    named_here = [added_heading(name) for name in asked.headings.meant(node)]
    others = () if block is None else (c for c in matched.children[0] if block_of(matched, c) != block)
    elsewhere = frozenset(chain.from_iterable(headings_in(matched.nodes[other]) for other in others))
    words_elsewhere = _words_of_other_blocks(matched, block)
    n_guessed = 0
    carried = asked.headings.of_row(row)
    for heading in dict.fromkeys((*named_here, *carried)):
        key = heading_key(heading.name)
        if key in elsewhere or all(any(is_literally(w, each) for w in words_elsewhere) for each in words(heading.name)):
            continue  # it would make the two blocks one
        if heading in named_here:
            yield added(heading, number, where)
        elif n_guessed < MOST_BY_HEADING and _is_worth_adding(asked, heading):
            n_guessed += 1
            yield replace(added(heading, number, where), guessed=not carried[heading])


def _pieces(word: str) -> frozenset[str]:
    """Return the runs of four letters: of words with the same effect, one that shares a piece is suggested first.

    >>> sorted(_pieces("bushfire") & _pieces("wildfire*"))
    ['fire']
    """
    return frozenset(word[i : i + 4] for i in range(len(word) - 3))


def fewest_with_term(n_corpus: int) -> int:
    return 1 if n_corpus < SMALL else FEWEST


def _is_worth_adding(asked: MatchedQuery, leaf: Term | Heading) -> bool:
    """Return True if a leaf is neither too rare nor too common."""
    bits = asked.look_up(leaf)
    return bits is not None and fewest_with_term(asked.matched.n) <= count(bits) <= max(
        LARGEST_SHARE * asked.matched.n, FEWEST
    )


def _words_of_other_blocks(matched: MatchedTree, block: int | None) -> list[Word]:
    if block is None:
        return []
    others = (matched.nodes[child] for child in matched.children[0] if block_of(matched, child) != block)
    return list(_words_in(others))


def _words_in(nodes: Iterable[Node]) -> Iterator[Word]:
    return (word for node in nodes for term in terms_in(node) for chunk in term.chunks for word in chunk)


def _goes_across(texts: CorpusTexts, row: int, found: TermEvidence) -> bool:
    """Return True if there is punctuation between the words."""
    return any(found.first < pause <= found.last for pause in texts.pauses_of(row, found.field))


def _letting_in(asked: MatchedQuery, number: int, row: int) -> Iterator[EditCandidate]:
    """Yield changes that let a publication pass a NOT: without the one part that excludes it, or without all of it."""
    matched = asked.matched
    (part,) = matched.children[number]
    node = matched.nodes[part]
    if isinstance(node, Group) and node.operator == "OR":
        known = [(i, bits) for i in matched.children[part] if (bits := matched.sets[i]) is not None]
        against = [i for i, bits in known if holds(bits, row)]
        if len(against) == 1 and len(known) > 1:
            yield EditCandidate("leave_out", against[0], None, f"drop {asked.name_of(against[0])} from the NOT")
    yield EditCandidate("leave_out", number, None, f"drop NOT {asked.name_of(part)}")


def _option(asked: MatchedQuery, candidate: EditCandidate) -> EditOption | None:
    """Return the change with its edit and its set; None: it can't be written, or can't be tested."""
    matched, number, node = asked.matched, candidate.number, candidate.node
    if node is None:
        edit = leave_out(matched, number, asked.text, asked.writer)
        return None if edit is None else EditOption(candidate, _uses(matched, number), edit, None, None, matched.n + 1)
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
    return None if edit is None else EditOption(candidate, _uses(matched, number), edit, node, new, count(new & ~old))


def _with_alternative(node: Node, added: Node) -> Group:
    return Group("OR", (*parts_joined(node, "OR"), added))


def _uses(matched: MatchedTree, number: int) -> tuple[int, ...]:
    """Return the node, and other uses of the same text in the query."""
    node = matched.nodes[number]
    return tuple(
        i
        for i, other in enumerate(matched.nodes)
        if i == number
        or (other.span == node.span != NOWHERE and matched.sets[i] is not None and type(other) is type(node))
    )


# The reason why each core publication is found or missed: one verdict and one plain sentence each.

Verdict = Literal[
    "found", "not_in_corpus", "not_in_version", "no_abstract", "removed_by_not", "near_miss", "fails_block"
]
MOST_EVIDENCE = 5


@dataclass(frozen=True, slots=True)
class FailingNode:
    number: int
    """Its place in `walk`."""
    span: Span
    block: int | None
    """The part of the AND at the root that it belongs to, from 1; None: there is no such AND."""


@dataclass(frozen=True, slots=True)
class CoreExplanation:
    publication_id: str
    verdict: Verdict
    failing: tuple[FailingNode, ...]
    """The fewest parts that would have to match."""
    evidence: tuple[TermEvidence, ...]
    """Its words in their place, closest first."""
    sentence: str
    rescues: tuple[Rescue, ...] = ()
    """Only if requested."""


@dataclass(frozen=True, slots=True)
class MissedReason:
    """Core publications that are missed for the same reason: the same parts of the query exclude them."""

    verdict: Verdict
    publication_ids: Ids


def missed_reasons(explained: Iterable[CoreExplanation]) -> tuple[MissedReason, ...]:
    """Group missed publications by reason, most frequent first. A near miss also fails a part of the query."""
    ids: defaultdict[tuple[Verdict, tuple[int, ...]], list[str]] = defaultdict(list)
    for each in explained:
        if each.verdict != "found":
            verdict: Verdict = "fails_block" if each.verdict == "near_miss" else each.verdict
            ids[verdict, tuple(node.number for node in each.failing)].append(each.publication_id)
    reasons = [MissedReason(verdict, tuple(several)) for (verdict, _), several in ids.items()]
    return tuple(sorted(reasons, key=lambda reason: -len(reason.publication_ids)))


def explain(
    asked: MatchedQuery,
    core_ids: Sequence[str],
    *,
    rows: Mapping[str, int] | None = None,
    with_rescues: Collection[str] = (),
    rescuer: Rescuer | None = None,
) -> tuple[CoreExplanation, ...]:
    """Explain each core publication, in the order given. Publications of the stored version count as found.

    `rows`: rows of the core publications in the corpus, if known. `with_rescues`: ids of those for which rescues are
    computed, which takes longer. `rescuer`: one that was used for this query before and remembers its attempts.
    """
    row_of = rows
    if row_of is None:
        row_of = {publication_id: row for row, publication_id in enumerate(asked.corpus.ids)}
    rescuer = rescuer or Rescuer(asked)
    return tuple(
        _explained(
            asked, publication_id, row_of.get(publication_id), rescuer if publication_id in with_rescues else None
        )
        for publication_id in core_ids
    )


def _explained(asked: MatchedQuery, publication_id: str, row: int | None, rescuer: Rescuer | None) -> CoreExplanation:
    is_found = _is_found(asked, publication_id, row)
    if row is None:
        if is_found:
            return CoreExplanation(
                publication_id, "found", (), (), f"Found: {NOT_MATCHED}, because it is not in the corpus."
            )
        return CoreExplanation(
            publication_id, "not_in_corpus", (), (), "It is not in the corpus, so no query can find it here."
        )
    if holds(asked.matches, row):
        if is_found:
            return CoreExplanation(publication_id, "found", (), (), "Found.")
        sentence = f"{upper_first(NOT_IN_VERSION)}."
        return CoreExplanation(publication_id, "not_in_version", (), (), sentence)
    numbers = failing(asked.matched, row).numbers
    evidence = _evidence(asked, numbers, row)
    verdict = _verdict(asked, numbers, evidence, row)
    sentence = _sentence(asked, verdict, numbers, evidence)
    if is_found:
        return CoreExplanation(publication_id, "found", (), (), f"Found: {NOT_MATCHED}. {sentence}")
    nodes = tuple(FailingNode(i, asked.matched.nodes[i].span, block_of(asked.matched, i)) for i in numbers)
    return CoreExplanation(
        publication_id, verdict, nodes, evidence, sentence, rescuer.rescues(row) if rescuer is not None else ()
    )


def _is_found(asked: MatchedQuery, publication_id: str, row: int | None) -> bool:
    if asked.stored is not None:
        return publication_id in asked.stored.ids
    return row is not None and holds(asked.matches, row)


def _evidence(asked: MatchedQuery, numbers: tuple[int, ...], row: int) -> tuple[TermEvidence, ...]:
    leaves = chain.from_iterable(leaves_of_alternatives(asked.matched, i, MOST_LEAVES) for i in numbers)
    found = (e for i in leaves for e in asked.evidence.evidence(asked.matched.nodes[i], row))
    best: dict[tuple[str, int, int], TermEvidence] = {}
    for each in sorted(found, key=lambda e: (CLOSENESS[e.kind], e.between)):
        best.setdefault((each.field, each.first, each.last), each)
    return tuple(best.values())[:MOST_EVIDENCE]


def _verdict(asked: MatchedQuery, numbers: tuple[int, ...], evidence: tuple[TermEvidence, ...], row: int) -> Verdict:
    matched = asked.matched
    if numbers and all(isinstance(matched.nodes[i], Not) for i in numbers):
        return "removed_by_not"
    if _lacks_abstract(asked.texts, row) and any(_looks_beyond_the_title(matched, asked.texts, i) for i in numbers):
        return "no_abstract"
    if len(numbers) == 1 and any(each.is_close for each in evidence):
        return "near_miss"
    return "fails_block"


def _lacks_abstract(texts: CorpusTexts, row: int) -> bool:
    return "abstract" not in texts.fields or not len(texts.tokens_of(row, "abstract"))


def _looks_beyond_the_title(matched: MatchedTree, texts: CorpusTexts, number: int) -> bool:
    node, fields = matched.nodes[number], frozenset(texts.fields) | {"abstract"}
    return not isinstance(node, Not) and any("abstract" in searched_fields(term, fields) for term in terms_in(node))


def _sentence(
    asked: MatchedQuery, verdict: Verdict, numbers: tuple[int, ...], evidence: tuple[TermEvidence, ...]
) -> str:
    if not numbers:
        return "No part of this query can be tested in this corpus."
    if verdict == "removed_by_not":
        names = " and ".join(_without_not(asked, i) for i in numbers)
        return f"Everything else matches, but NOT {names} excludes it."
    start = "It has no abstract, and fails" if verdict == "no_abstract" else "Fails"
    blocks = [block for i in numbers if (block := block_of(asked.matched, i)) is not None]
    nodes = asked.matched.nodes
    parts = [f"no match for {asked.name_of(i)}" for i in numbers if not isinstance(nodes[i], Not)]
    parts += [f"NOT {_without_not(asked, i)} excludes it" for i in numbers if isinstance(nodes[i], Not)]
    if blocks:
        several = "s" if len(set(blocks)) > 1 else ""
        names = listed([str(block) for block in sorted(set(blocks))])
        where = f"{start} block{several} {names} of {n_blocks(asked.matched)}"
    else:
        where = f"{start} the query"
    has = f"; {evidence[0].message[0].lower()}{evidence[0].message[1:]}" if evidence else "."
    return f"{where}: {' and '.join(parts)}{has}"


def _without_not(asked: MatchedQuery, number: int) -> str:
    (part,) = asked.matched.children[number]
    return asked.name_of(part)
