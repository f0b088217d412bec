"""Why a publication is missed: the fewest parts of a query that would have to change for it to be retrieved."""

from __future__ import annotations

from dataclasses import dataclass

from core.query.matching.bits import holds
from core.query.matching.matched import Matched
from core.query.tree import Group, Not


@dataclass(frozen=True, slots=True)
class Failing:
    """What stands between a publication and the retrieved set."""

    numbers: tuple[int, ...]
    """Nodes of which each would have to match; empty: it is retrieved, or nothing of the query can be tested."""
    n_changes: int
    """Fewest terms and NOTs that would have to change."""


def failing(matched: Matched, row: int) -> Failing:
    """The fewest nodes that must change, named by the highest that their writer would recognise.

    A term that fails counts 1, and a NOT that keeps the publication out; an AND counts all of its parts, an OR the
    cheapest, of several the first. What is left out of the query counts as matched.
    """
    if matched.root is None or holds(matched.root, row):
        return Failing((), 0)
    costs = _costs(matched, row)
    return Failing(_highest(matched, costs), costs[0])


def _costs(matched: Matched, row: int) -> list[int]:
    """Per node, the fewest changes under which it matches."""
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


def _highest(matched: Matched, costs: list[int]) -> tuple[int, ...]:
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


def _and_that_matches_in_part(matched: Matched, costs: list[int], i: int) -> int | None:
    """The cheapest way through an OR, if that is an AND of which something matches."""
    while isinstance(node := matched.nodes[i], Group):
        known = _known(matched, i)
        if node.operator == "AND":
            return i if any(not costs[c] for c in known) else None
        i = min(known, key=costs.__getitem__)
    return None


def _known(matched: Matched, i: int) -> list[int]:
    return [c for c in matched.children[i] if matched.sets[c] is not None]


def block_of(matched: Matched, number: int) -> int | None:
    """Which part of an AND at the root a node belongs to, from 1; None: there is no such AND, or it is the root."""
    root = matched.nodes[0]
    if number == 0 or not (isinstance(root, Group) and root.operator == "AND"):
        return None
    while matched.parents[number] != 0:
        number = matched.parents[number]
    return matched.children[0].index(number) + 1


def n_blocks(matched: Matched) -> int:
    """Parts of an AND at the root; 1 if there is none."""
    root = matched.nodes[0]
    return len(root.parts) if isinstance(root, Group) and root.operator == "AND" else 1


def is_inside_not(matched: Matched, number: int) -> bool:
    """Whether a NOT stands anywhere above a node."""
    while (number := matched.parents[number]) >= 0:
        if isinstance(matched.nodes[number], Not):
            return True
    return False
