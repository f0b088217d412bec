"""Small changes of one block that may let a missed publication in: from its own words, the closest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from core.query.matching.matched import Matched
from core.query.tree import ANY_ENDING, TEXT_FIELDS, Group, Near, Node, Term, Word, terms_in, written
from core.query.weighing.evidence import Evidence
from core.text import STOP_WORDS, listed

Mode = Literal["add", "replace", "leave_out"]
SHORTEST_WORD = 3
SHORTEST_BEGINNING = 5
"""Letters that a truncated word keeps at least, where the query did not have it so."""
WIDEST = 15
"""Words between the parts of a Near up to which a wider one is offered."""
LONGEST_PHRASE = 3


@dataclass(frozen=True)
class Candidate:
    """One change of one node; whether it helps is found out by looking it up."""

    mode: Mode
    """add: beside the node. replace: in place of it."""
    number: int
    node: Node | None
    """None: nothing in place of it."""
    label: str
    guessed: bool = field(default=False, compare=False)
    """From a title, not from something close to what the query asks for."""


def from_evidence(leaf: Node, number: int, target: int, where: str, found: Iterable[Evidence]) -> Iterator[Candidate]:
    """What the evidence for a leaf suggests.

    `target` is the failing node that alternatives go beside, `where` its name.
    """
    for each in found:
        if isinstance(leaf, Near):
            yield from _from_near(leaf, number, each)
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
    """A word, or several that stand side by side."""
    return Term((" ".join(words),), quoted=len(words) > 1, fields=fields)


def added(term: Term, target: int, where: str) -> Candidate:
    """A term as an alternative to what stands there already."""
    return Candidate("add", target, term, f"add {named(term)}{f' to {where}' if where else ''}")


def named(term: Term) -> str:
    """A term as labels show it, without its fields."""
    text = written(term.pieces)
    return f'"{text}"' if term.quoted else text


def _from_near(near: Near, number: int, found: Evidence) -> Iterator[Candidate]:
    if found.kind == "too_far" and found.between <= WIDEST:
        wider = replace(near, distance=found.between)
        yield Candidate("replace", number, wider, f"widen NEAR/{near.distance} to NEAR/{found.between}")
    if found.kind == "order":
        yield Candidate("replace", number, replace(near, ordered=False), "allow any order")


def _in_more_fields(term: Term, number: int, name: str) -> Iterator[Candidate]:
    """In one more field, and in all: some dialects can say only one of the two."""
    more = tuple(f for f in TEXT_FIELDS if f in term.fields or f == name)
    instead = listed(tuple(f for f in term.fields if f in TEXT_FIELDS))
    for fields in dict.fromkeys((more, TEXT_FIELDS)):
        label = f"search {named(term)} in {listed(fields)} instead of {instead}"
        yield Candidate("replace", number, replace(term, fields=fields), label)


def _from_apart(term: Term, number: int, found: Evidence) -> Iterator[Candidate]:
    if len(term.chunks) != 1:
        return
    parts = tuple(Term(word.pieces, fields=term.fields, exact=term.exact) for word in term.chunks[0])
    if found.between <= WIDEST:
        near = Near(parts, max(found.between, 1), whole=len(parts) > 2)
        yield Candidate("replace", number, near, f"search the words of {named(term)} at most {near.distance} apart")
    yield Candidate("replace", number, Group("AND", parts), f"search the words of {named(term)} anywhere")


def _from_form(term: Term, number: int, target: int, where: str, found: Evidence) -> Iterator[Candidate]:
    """Any ending behind the last word, or behind what both forms begin with."""
    *fronts, last = term.chunks[0]
    if len(found.words) != len(term.chunks[0]):
        return
    letters, there = str(last.pieces[0]), found.words[-1]
    if not all(_is(word, w) for word, w in zip(fronts, found.words, strict=False)):
        return
    front = "".join(f"{word} " for word in found.words[:-1])
    if last.is_plain and there.startswith(letters):
        longer = Term((front + letters, ANY_ENDING), quoted=term.quoted, fields=term.fields)
        yield Candidate("replace", number, longer, f"truncate {named(term)} to {named(longer)}")
        return
    shared = _shared_beginning(letters, there)
    if len(shared) >= SHORTEST_BEGINNING:
        yield added(Term((front + shared, ANY_ENDING), quoted=bool(front), fields=term.fields), target, where)


def _is(word: Word, there: str) -> bool:
    return word.is_plain and str(word) == there


def _shared_beginning(one: str, other: str) -> str:
    n = 0
    while n < min(len(one), len(other)) and one[n] == other[n]:
        n += 1
    return one[:n]


def from_title(title: tuple[str, ...], occurrences: Sequence[int], most: int) -> tuple[tuple[str, ...], ...]:
    """Words and phrases of a title, at most so many of each, those of rare words first.

    `occurrences`: how often the corpus has each word of the title.
    """
    words, phrases = dict[tuple[str, ...], int](), dict[tuple[str, ...], int]()
    for n in range(1, LONGEST_PHRASE + 1):
        for start in range(len(title) - n + 1):
            run = title[start : start + n]
            if all(map(says_something, run)):
                (words if n == 1 else phrases)[run] = min(occurrences[start : start + n])
    return tuple(run for found in (words, phrases) for run in sorted(found, key=lambda r: (found[r], r))[:most])


def says_something(word: str) -> bool:
    """Whether a word may begin or end a phrase: no stop word, no number, no stray letter."""
    return len(word) >= SHORTEST_WORD and word not in STOP_WORDS and not word.isdigit()


def leaves_of_alternatives(matched: Matched, number: int, most: int) -> tuple[int, ...]:
    """Leaves of which each alone would make the node match: it, or the alternatives in it."""
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
    """The fields that all terms are asked in; none: they differ, or any field will do."""
    asked = {term.fields for node in nodes for term in terms_in(node)}
    return asked.pop() if len(asked) == 1 else ()
