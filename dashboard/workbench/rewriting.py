"""Changes of the tree put into the text, one edit after the other, each read again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable

from core.errors import InputError
from core.query.reading.parse import parse
from core.query.repair.candidates import leaves_of_alternatives
from core.query.repair.edits import add_alternative, leave_out
from core.query.tree import DialectId, Node, ParsedQuery, Term, apply_edits
from core.query.weighing.asked import Asked
from dashboard.workbench.work import Work
from data.desk import ask


def carried_over(before: ParsedQuery, numbers: Collection[int], text: str, dialect: DialectId | None) -> frozenset[int]:
    """The numbers that nodes have in another text, as far as they are still written there."""
    if not numbers:
        return frozenset()
    return same_nodes(before, numbers, parse(text, dialect))


def same_nodes(before: ParsedQuery, numbers: Collection[int], after: ParsedQuery) -> frozenset[int]:
    """Equal nodes are told apart by which of them comes first."""
    there: defaultdict[Node, list[int]] = defaultdict(list)
    for number, node in enumerate(after.nodes):
        there[node].append(number)
    seen: Counter[Node] = Counter()
    found: set[int] = set()
    for number, node in enumerate(before.nodes):
        if number in numbers and seen[node] < len(there.get(node, ())):
            found.add(there[node][seen[node]])
        seen[node] += 1
    return frozenset(found)


def without_switched_off(work: Work) -> str:
    """The text without the nodes that are switched off."""
    return _left_out(work, work.parsed, work.draft.off)


def added_and_left_out(work: Work, added: Iterable[tuple[int, Term]], left_out: Collection[int]) -> str:
    """The text with terms added to ORs, and without some nodes."""
    parsed = work.parsed
    before = parsed
    for number, term in sorted(added, key=lambda each: each[0], reverse=True):
        asked = _asked(work, parsed)
        leaves = leaves_of_alternatives(asked.matched, number, 1)
        beside = leaves[0] if leaves else None
        edit = add_alternative(asked.matched, number, term, beside, parsed.text, asked.writer)
        if edit is None:
            raise InputError(f'"{term.pieces[0]}" can\'t be written in this dialect: add it by hand')
        parsed = parse(apply_edits(parsed.text, (edit,)), work.draft.dialect or parsed.dialect)
    return _left_out(work, parsed, same_nodes(before, left_out, parsed))


def _left_out(work: Work, parsed: ParsedQuery, numbers: Collection[int]) -> str:
    """From the last to the first, so that those before keep their numbers; a part of what goes is gone with it."""
    numbers = set(numbers)
    while numbers:
        number = min(numbers)
        asked = _asked(work, parsed)
        edit = leave_out(asked.matched, number, parsed.text, asked.writer)
        if edit is None:
            raise InputError("what is switched off can't be cut out of this text by itself: take it out by hand")
        after = parse(apply_edits(parsed.text, (edit,)), work.draft.dialect or parsed.dialect)
        numbers = set(same_nodes(parsed, numbers - {number} - _inside(asked, number), after))
        parsed = after
    return parsed.text


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
