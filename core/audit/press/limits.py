"""Evidence on the sixth domain: limits and filters of the string and of the source, and what each takes away."""

from __future__ import annotations

from collections.abc import Iterator

from core.audit.press.grounds import Counted, Grounds, with_core
from core.audit.press.types import Evidence
from core.audit.reporting.limits import limits_in
from core.query.tree import Group, Node

MOST_LIMITS = 60


def evidence(grounds: Grounds) -> Iterator[Evidence]:
    """Each limit with what would be found without it."""
    if grounds.parsed.root is None:
        return
    costly: list[str] = []
    ors = (each for each in grounds.parsed.nodes if isinstance(each, Group) and each.operator == "OR")
    in_an_or = {id(part) for each in ors for part in each.parts}

    def fate(start: int, end: int, node: Node | None) -> str:
        if id(node) in in_an_or:
            return "one choice of an OR, so it takes nothing away"
        said, core = _removes(grounds.counted, node)
        if core:
            costly.append(said)
        return said

    found = limits_in(grounds.parsed, fate)
    if not found:
        yield Evidence(
            "The string names no years, languages or kinds of publication. A filter that is made of words, as for "
            "kinds of studies, is not told from a concept here."
        )
    for each in found[:MOST_LIMITS]:
        yield Evidence(f"{each[:1].upper()}{each[1:]}.", look=each.endswith(tuple(costly)))
    if len(found) > MOST_LIMITS:
        yield Evidence(f"There are {len(found) - MOST_LIMITS:,} more limits.", look=True)
    search = grounds.search
    if search is None:
        return
    for each in search.limits[:MOST_LIMITS]:
        yield Evidence(f"In {search.source}: {each}.")
    if search.choices:
        yield Evidence(f"How {search.source} was asked: {search.choices}")
    if search.is_cut and search.advice:
        yield Evidence(search.advice, look=True)
    for loss in search.losses[:MOST_LIMITS]:
        yield Evidence(f"Sent to {search.source}: {loss}")


def _removes(counted: Counted | None, node: Node | None) -> tuple[str, int]:
    """What a limit takes away, in words, and how many core publications."""
    kept_out = counted.kept_out(node) if counted is not None and node is not None else None
    if counted is None or kept_out is None:
        return "what it takes away can't be counted here", 0
    n, core = counted.n_and_core(kept_out)
    return f"without it {with_core(n, core)}, would be found as well" if n else "it takes nothing away here", core
