"""The lines of a search strategy: those it is written in, else the parts that its ANDs and NOTs combine."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.audit.types import StrategyLine
from core.query.tree import Group, Node, Not, ParsedQuery

_HITS = re.compile(r"^[ \t]*\(?(\d{1,3}(?:[,. ]\d{3})+|\d+)\)?[ \t]*$")
MOST_LINES = 200
"""A string with more parts than that is shown as one line."""


@dataclass(frozen=True, slots=True)
class LinePart:
    """One line, before anybody counted."""

    number: int
    text: str
    root: Node | None
    """None: nothing of it is looked for by itself."""
    is_whole: bool = False
    """It stands for the whole strategy."""
    n_written: int | None = None
    """The hits that are written behind it in the strategy, as databases print it."""


def parts_in(parsed: ParsedQuery) -> tuple[LinePart, ...]:
    """Every line once; the last one is the whole strategy.

    >>> from core.query.reading.parse import parse
    >>> [part.text for part in parts_in(parse("(heat OR warmth) AND tree* NOT indoor"))]
    ['(heat OR warmth)', 'tree*', 'indoor', '1 AND 2 NOT 3']
    """
    if parsed.lines:
        return _numbered(parsed)
    whole = parsed.text.strip()
    clauses = _clauses(parsed.root) if parsed.root is not None else []
    if not 1 < len(clauses) <= MOST_LINES:
        return (LinePart(1, whole, parsed.root, is_whole=True),) if whole else ()
    found: list[LinePart] = []
    said = ""
    for number, (node, is_excluded) in enumerate(clauses, start=1):
        found.append(LinePart(number, node.extent.of(parsed.text), node))
        joint = "" if not said and not is_excluded else "NOT " if not said else " NOT " if is_excluded else " AND "
        said += f"{joint}{number}"
    return (*found, LinePart(len(found) + 1, said, parsed.root, is_whole=True))


def _numbered(parsed: ParsedQuery) -> tuple[LinePart, ...]:
    last = max((line.number for line in parsed.lines if line.root is not None), default=0)
    out = []
    for place, line in enumerate(parsed.lines):
        after = parsed.lines[place + 1].span.start if place + 1 < len(parsed.lines) else len(parsed.text)
        behind = parsed.text[line.span.end : after].split("\n", 1)[0]
        hits = _HITS.match(behind)
        n = int(re.sub(r"\D", "", hits[1])) if hits else None
        out.append(
            LinePart(line.number, line.span.of(parsed.text), line.root, is_whole=line.number == last, n_written=n)
        )
    return tuple(out)


def _clauses(node: Node) -> list[tuple[Node, bool]]:
    """What must hold, and what must not (True), in the order of the text."""
    if isinstance(node, Group) and node.operator == "AND":
        return [clause for part in node.parts for clause in _clauses(part)]
    return [(node.part, True)] if isinstance(node, Not) else [(node, False)]


def counted_lines(
    parsed: ParsedQuery,
    *,
    count: Callable[[Node], int | None] | None,
    counted_in: str,
    n_whole: int | None,
    whole_in: str,
) -> tuple[StrategyLine, ...]:
    """The lines with what they find. `count`: of a part alone; None: nobody can count. `n_whole`: of the whole."""
    lines = []
    for part in parts_in(parsed):
        n, where = None, ""
        if part.is_whole and n_whole is not None:
            n, where = n_whole, whole_in
        elif part.n_written is not None and count is None:
            n, where = part.n_written, "as written in the strategy"
        elif count is not None and part.root is not None:
            n = count(part.root)
            where = counted_in if n is not None else ""
        lines.append(StrategyLine(part.number, part.text, n, where))
    return tuple(lines)
