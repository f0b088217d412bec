"""A search line by line with its hits, as librarians write it down: as it was typed, or one line for each block."""

from __future__ import annotations

from dataclasses import dataclass

from core.query.matching.matched import Bits, count
from core.query.tree import Group, Not, Span
from core.query.weighing.contributions import Asked
from dashboard.workbench.work import Work


@dataclass(frozen=True, slots=True)
class SearchLine:
    """One line."""

    number: int
    span: Span
    text: str
    hits: int | None
    """None: it can't be tested here, or there is nothing in it."""
    used: bool = True


def search_lines(work: Work) -> tuple[SearchLine, ...]:
    """None for a search of a single block."""
    if work.asked is None:
        return ()
    if not work.parsed.lines:
        return _by_block(work.asked)
    return tuple(
        SearchLine(
            line.number,
            line.span,
            line.span.of(work.draft.text),
            None if line.root is None else _hits(work.asked.look_up(line.root)),
            line.used,
        )
        for line in work.parsed.lines
    )


def _by_block(asked: Asked) -> tuple[SearchLine, ...]:
    """A line for each part of the outermost AND or OR, and one that joins them: 1 AND 2 NOT 3."""
    matched = asked.matched
    root = matched.nodes[0]
    if not isinstance(root, Group):
        return ()
    lines: list[SearchLine] = []
    joined = ""
    for number, child in enumerate(matched.children[0], start=1):
        node = matched.nodes[child]
        negated = isinstance(node, Not)
        inside = matched.children[child][0] if negated else child
        span = matched.nodes[inside].span
        lines.append(SearchLine(number, span, _one_line(span.of(asked.text)), _hits(matched.sets[inside])))
        operator = "NOT" if negated else root.operator
        joined = f"{joined} {operator} {number}" if joined else f"{'NOT ' if negated else ''}{number}"
    return (*lines, SearchLine(len(lines) + 1, root.span, joined, _hits(matched.root)))


def _hits(bits: Bits | None) -> int | None:
    return None if bits is None else count(bits)


def _one_line(text: str) -> str:
    return " ".join(text.split())
