"""Evidence on the second domain: how the string is nested, what a NOT takes away, what a proximity leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from core.audit.document import Column, Table, Value
from core.audit.press.grounds import Counted, Grounds, with_core
from core.audit.press.types import Evidence
from core.query.dialects import DIALECTS
from core.query.differences.concepts import shortened
from core.query.matching.bits import Bits, count, none_of
from core.query.tree import Group, Near, Node, Not, parts_of

MOST_NOTS = 20
MOST_NEARS = 60


def evidence(grounds: Grounds) -> Iterator[Evidence]:
    """What a reviewer of operators wants to see."""
    root = grounds.parsed.root
    if root is None:
        return
    yield Evidence(_shape(grounds, root))
    has_both = {node.operator for node in grounds.parsed.nodes if isinstance(node, Group)} == {"AND", "OR"}
    if has_both and not any(each.rule == "mixed-operators" for each in grounds.findings):
        yield Evidence("AND and OR never stand side by side without brackets, so every database combines them alike.")
    nots = [cast(Not, node) for node in grounds.nodes(Not)]
    if not nots:
        yield Evidence("There is no NOT, so nothing is taken away.")
    for node in nots[:MOST_NOTS]:
        yield _taken_away(grounds, node)
    if len(nots) > MOST_NOTS:
        yield Evidence(f"There are {len(nots) - MOST_NOTS:,} more NOTs.", look=True)
    yield from _proximity(grounds)


def _shape(grounds: Grounds, root: Node) -> str:
    nodes = grounds.parsed.nodes
    joints = {"AND": 0, "OR": 0}
    for node in nodes:
        if isinstance(node, Group):
            joints[node.operator] += len(node.parts) - 1
    n_not = sum(isinstance(node, Not) for node in nodes)
    n_near = sum(isinstance(node, Near) for node in nodes)
    parts = [_times(joints["AND"], "AND"), _times(joints["OR"], "OR"), _times(n_not, "NOT")]
    near = "1 proximity" if n_near == 1 else f"{n_near:,} proximities"
    phrases = sum(term.quoted for term in grounds.terms)
    quoted = "1 term in quotes" if phrases == 1 else f"{phrases:,} terms in quotes"
    depth = _depth(root)
    levels = "1 level" if depth == 1 else f"{depth:,} levels"
    return f"The string has {', '.join(parts)}, {near} and {quoted}, on {levels} of AND and OR."


def _times(n: int, word: str) -> str:
    return f"{n:,} {word}"


def _depth(root: Node) -> int:
    """How many ANDs and ORs stand in each other at most."""
    deepest, stack = 0, [(root, 0)]
    while stack:
        node, depth = stack.pop()
        depth += isinstance(node, Group)
        deepest = max(deepest, depth)
        stack.extend((part, depth) for part in parts_of(node))
    return deepest


def _taken_away(grounds: Grounds, node: Not) -> Evidence:
    what = grounds.place(node.part)
    counted = grounds.counted
    kept_out = counted.kept_out(node) if counted is not None else None
    if counted is None or kept_out is None:
        return Evidence(f"NOT {what}: what it takes away can't be counted here.", look=True)
    n, core = counted.n_and_core(kept_out)
    if not n and (brought := counted.n_and_core(_or_none(counted, node)))[0]:
        return Evidence(f"NOT {what} brings {with_core(*brought)}: without it the string does not find them.")
    if not n:
        if counted.n_untested(node.part):
            return Evidence(f"NOT {what} takes nothing away here, but parts of it can't be tested here.", look=True)
        return Evidence(f"NOT {what} takes nothing away here: without it the string finds the same.")
    named = f": {counted.titles(kept_out)}" if core else ""
    rule = "not-removes-core" if core else ""
    return Evidence(f"NOT {what} takes away {with_core(n, core)}{named}.", bool(core), rule)


def _or_none(counted: Counted, node: Not) -> Bits:
    """What a NOT in another NOT, or in an OR, lets in."""
    brought = counted.brought(node)
    return none_of(counted.matched.n) if brought is None else brought


def _proximity(grounds: Grounds) -> Iterator[Evidence]:
    nears = [cast(Near, node) for node in grounds.nodes(Near)]
    if not nears:
        forms = DIALECTS[grounds.parsed.dialect].near_forms
        if forms and len(grounds.concepts) > 1 and grounds.parsed.dialect != "plain":
            label = DIALECTS[grounds.parsed.dialect].label
            yield Evidence(f"No proximity is used, though {label} has one: {forms[0].word}n.")
        return
    distances = sorted({near.distance for near in nears})
    which = " and ".join(map(str, (distances[0], distances[-1]) if len(distances) > 1 else distances))
    how = f"between {which}" if len(distances) > 1 else which
    yield Evidence(f"Proximities allow {how} other {'word' if distances == [1] else 'words'} between their parts.")


def tables(grounds: Grounds) -> Iterator[Table]:
    """The proximities, beside what an AND of the same words would find."""
    nears = [cast(Near, node) for node in grounds.nodes(Near)]
    if not nears:
        return
    yield Table(
        "press-2-proximity",
        "The proximities, beside the same words anywhere in a publication",
        (
            Column("Proximity", "code"),
            Column("Words between", "count"),
            Column("In order"),
            Column("Publications", "count"),
            Column("With AND instead", "count"),
            Column("Core with AND only", "count"),
        ),
        tuple(_near_row(grounds, near) for near in nears[:MOST_NEARS]),
        note=_left(len(nears)),
    )


def _left(n: int) -> str:
    return f"{n - MOST_NEARS:,} more are not listed." if n > MOST_NEARS else ""


def _near_row(grounds: Grounds, near: Near) -> tuple[Value, ...]:
    head: tuple[Value, ...] = (
        shortened(near.extent.of(grounds.parsed.text), 120),
        near.distance,
        "yes" if near.ordered else "no",
    )
    return (*head, *_near_counts(grounds.counted, near))


def _near_counts(counted: Counted | None, near: Near) -> tuple[Value, ...]:
    if counted is None:
        return (None, None, None)
    close, anywhere = counted.set_of(near), counted.asked.look_up(Group("AND", near.parts))
    if close is None or anywhere is None:
        return (None, None, None)
    return count(close), count(anywhere), count(anywhere & ~close & counted.core)
