"""Changes of the tree put into the text, one edit after the other, each read again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable

from core.errors import InputError
from core.query.reading.parser import parse
from core.query.repair.rescue import leaves_of_alternatives
from core.query.tree import DialectId, Edit, Group, Node, Not, ParsedQuery, Span, Term, apply_edits
from core.query.weighing.contributions import Asked
from core.query.writing.printing import add_alternative, leave_out
from dashboard.workbench.work import Work
from data.desk import ask


def carried_over(
    before: ParsedQuery,
    numbers: Collection[int],
    text: str,
    dialect: DialectId | None,
    edits: tuple[Edit, ...] | None = None,
) -> frozenset[int]:
    """The numbers that nodes have in another text, as far as they are still written there. `edits` made it of the
    text before; None: whatever differs was written anew."""
    if not numbers:
        return frozenset()
    return same_nodes(
        before, numbers, parse(text, dialect), (difference(before.text, text),) if edits is None else edits
    )


def difference(before: str, after: str) -> Edit:
    """One edit between what two texts begin with and what they end with."""
    most = min(len(before), len(after))
    start = next((i for i in range(most) if before[i] != after[i]), most)
    most -= start
    kept = next((i for i in range(most) if before[-1 - i] != after[-1 - i]), most)
    return Edit(start, len(before) - kept, after[start : len(after) - kept])


def same_nodes(
    before: ParsedQuery, numbers: Collection[int], after: ParsedQuery, edits: tuple[Edit, ...]
) -> frozenset[int]:
    """A node is where its place in the text went, also if something in it changed; else an equal one is taken."""
    places: defaultdict[tuple[str, Span], list[int]] = defaultdict(list)
    equal: defaultdict[Node, list[int]] = defaultdict(list)
    for number, node in enumerate(after.nodes):
        places[_kind(node), node.span].append(number)
        equal[node].append(number)
    seen: Counter[tuple[str, Span]] = Counter()
    found: dict[int, int] = {}
    for number, node in enumerate(before.nodes):
        place = _kind(node), node.span
        ways = (places.get((place[0], span), [])[seen[place] :] for span in _moved(node.span, edits))
        there = next((way[0] for way in ways if way), None)
        seen[place] += 1
        if there is not None:
            found[number] = there
    left = set(range(len(after.nodes))) - set(found.values())
    for number in sorted(set(numbers) - set(found)):
        node = before.nodes[number]
        other = next((i for i in equal.get(node, ()) if i in left), None) if _written(node, edits) else None
        if other is not None:
            found[number] = other
            left.discard(other)
    return frozenset(found[number] for number in numbers if number in found)


def _kind(node: Node) -> str:
    if isinstance(node, Group):
        return node.operator
    return "NOT" if isinstance(node, Not) else "leaf"


def _written(node: Node, edits: tuple[Edit, ...]) -> bool:
    """Whether it may stand in what the edits write; else it was cut out with nothing in its place."""
    return any(edit.text and edit.start <= node.span.start and node.span.end <= edit.end for edit in edits)


def _moved(span: Span, edits: tuple[Edit, ...]) -> list[Span]:
    """Where a span may be after the edits: what is put in just before or behind it may belong to it or not."""
    return [Span(start, end) for end in _places(span.end, edits) for start in _places(span.start, edits) if start < end]


def _places(at: int, edits: tuple[Edit, ...]) -> list[int]:
    if any(edit.start < at < edit.end for edit in edits):
        return []
    moved = at + sum(len(e.text) - (e.end - e.start) for e in edits if e.end <= at and e.start < at)
    added = sum(len(e.text) for e in edits if e.start == e.end == at)
    return [moved, moved + added] if added else [moved]


def without_switched_off(work: Work) -> str:
    """The text without the nodes that are switched off."""
    return _left_out(work, work.parsed, work.draft.off, ())[0].text


def added_and_left_out(
    work: Work, added: Iterable[tuple[int, Term]], left_out: Collection[int]
) -> tuple[str, frozenset[int]]:
    """The text with terms added to ORs, and without some nodes; and what is switched off in it."""
    parsed = work.parsed
    gone, off = frozenset(left_out), work.draft.off
    for number, term in sorted(added, key=lambda each: each[0], reverse=True):
        asked = _asked(work, parsed)
        leaves = leaves_of_alternatives(asked.matched, number, 1)
        beside = leaves[0] if leaves else None
        edit = add_alternative(asked.matched, number, term, beside, parsed.text, asked.writer)
        if edit is None:
            raise InputError(f'"{term.pieces[0]}" can\'t be written in this dialect: add it by hand')
        after = _edited(work, parsed, edit)
        gone, off = (same_nodes(parsed, each, after, (edit,)) for each in (gone, off))
        parsed = after
    parsed, off = _left_out(work, parsed, gone, off)
    return parsed.text, off


def _left_out(
    work: Work, parsed: ParsedQuery, numbers: Collection[int], off: Collection[int]
) -> tuple[ParsedQuery, frozenset[int]]:
    """From the first to the last, as a cut changes the numbers behind it; a part of what goes is gone with it."""
    left, off = frozenset(numbers), frozenset(off)
    while left:
        number = min(left)
        asked = _asked(work, parsed)
        edit = leave_out(asked.matched, number, parsed.text, asked.writer)
        if edit is None:
            raise InputError("what is switched off can't be cut out of this text by itself: take it out by hand")
        after = _edited(work, parsed, edit)
        cut = {number} | _inside(asked, number)
        left, off = (same_nodes(parsed, each - cut, after, (edit,)) for each in (left, off))
        parsed = after
    return parsed, off


def _edited(work: Work, parsed: ParsedQuery, edit: Edit) -> ParsedQuery:
    return parse(apply_edits(parsed.text, (edit,)), work.draft.dialect or parsed.dialect)


def _inside(asked: Asked, number: int) -> set[int]:
    inside: set[int] = set()
    for i, above in enumerate(asked.matched.parents):
        if above == number or above in inside:
            inside.add(i)
    return inside


def _asked(work: Work, parsed: ParsedQuery) -> Asked:
    asked = ask(work.desk, parsed, work.draft.semantics)
    if asked is None:
        raise InputError("nothing would be left of this query")
    return asked
