"""Read search histories: searches in numbered lines that refer to each other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.query.dialects.base import Dialect
from core.query.lexer import (
    LONGEST,
    Report,
    years_of,
)
from core.query.reader import Read, read
from core.query.tree import (
    DEEPEST,
    Group,
    Line,
    Node,
    Operator,
    Range,
    Span,
    parts_of,
)

_NUMBERED = re.compile(r"^[ \t]*(?:#|S|s)?(\d{1,4})[ \t]*(?:[.):\t]|[ \t](?=\S))[ \t]*", re.MULTILINE)
_HITS = re.compile(r"[ \t]+\(?\d[\d,.]*(?: \d{3})*\)?[ \t]*$|[ \t]*\(\d[\d,. ]*\)[ \t]*$")
_LIST = re.compile(r"^\s*(and|or)/\s*(\d+(?:\s*[-,]\s*\d+)*)\s*$", re.IGNORECASE)
_LIMIT = re.compile(r"^\s*limit\s+(\d+)\s+to\b(.*)$", re.IGNORECASE | re.DOTALL)
_ENDS_IN_LINES = re.compile(
    r"\b(and|or|not|duplicates\s+from)\s+#?S?\d+$|\b(and|or)/\s*\d+(\s*[-,]\s*\d+)*$|\d{4}\s*-\s*\d{4}$", re.IGNORECASE
)
_AS_BEFORE = re.compile(r"^\s*(?:remove\s+duplicates\s+from\s+(\d+)|(\d+)\s+use\s+[\w,]+)\s*$", re.IGNORECASE)
"""What changes the databases that are searched, or what is shown of them, but not the search."""
_REMARK = re.compile(r"\s*\[[^\[\]\n]*\]\s*$")
_YEARS = re.compile(r"yr\s*=\s*\"?([^\")]+)", re.IGNORECASE)
MOST_NODES = 20_000
"""Lines that repeat lines that repeat lines grow without end: this is enough for any search."""


@dataclass(frozen=True, slots=True)
class NumberedLine:
    number: int
    start: int
    """Where its search begins, behind the number."""
    end: int


def numbered_lines(text: str) -> tuple[NumberedLine, ...]:
    """The lines of a search in lines; none if it is in one piece.

    >>> [line.number for line in numbered_lines("1. heat.ti.\\n2. tree$.ti.\\n3. 1 and 2")]
    [1, 2, 3]
    """
    if len(text) > LONGEST or "\n" not in text.strip():
        return ()
    starts = list(_NUMBERED.finditer(text))
    filled = sum(1 for line in text.splitlines() if line.strip())
    numbers = [int(found.group(1)) for found in starts]
    if len(starts) < 2 or len(starts) < filled * 0.6 or numbers != sorted(set(numbers)):
        return ()
    ends = [found.start() for found in starts[1:]] + [len(text)]
    return tuple(_line(text, found, end) for found, end in zip(starts, ends, strict=True))


def _line(text: str, found: re.Match[str], end: int) -> NumberedLine:
    start = found.end()
    body = text[start:end].rstrip()
    hits = _HITS.search(body)
    if hits and hits.start() and re.search(r"[A-Za-z]", body[: hits.start()]) and not _is_list(body):
        body = body[: hits.start()].rstrip()
    return NumberedLine(int(found.group(1)), start, start + len(body))


def _is_list(body: str) -> bool:
    """Numbers at the end are lines, not hits: 1 and 2, or/1-3."""
    return _ENDS_IN_LINES.search(body) is not None


def read_lines(
    text: str, lines: tuple[NumberedLine, ...], dialect: Dialect
) -> tuple[Node | None, Report, tuple[Line, ...]]:
    """Every line, and the last one as the result."""
    report = Report()
    roots: dict[int, Node] = {}
    measured: dict[int, tuple[int, int]] = {}
    used: set[int] = set()
    for line in lines:
        found = _read_line(text, line, dialect, roots, report)
        body = text[line.start : line.end]
        used |= {n for n in _numbers_in(body, dialect) if n in roots}
        if found is None:
            continue
        size, depth = _measured(found, measured)
        if size > MOST_NODES or depth > DEEPEST:
            message = "These lines repeat each other until the search has no bounds: this line was left out."
            report.add("too-deep", "error", Span(line.start, line.end), message)
            continue
        roots[line.number] = found
        measured[id(found)] = size, depth
    last = max(roots, default=0)
    as_lines = tuple(
        Line(n.number, Span(n.start, n.end), roots.get(n.number), n.number in used or n.number == last) for n in lines
    )
    for each in as_lines:
        if not each.used:
            report.add("unused-line", "warning", each.span, f"Line {each.number} is never used.")
    return roots.get(last), report, as_lines


def _read_line(text: str, line: NumberedLine, dialect: Dialect, roots: dict[int, Node], report: Report) -> Node | None:
    body = text[line.start : line.end]
    span = Span(line.start, line.end)
    bare = _without_remark(body, dialect)
    if found := _LIST.match(bare):
        return _listed(found, roots, span, report)
    if found := _LIMIT.match(bare):
        return _limited(found, roots, span, report)
    if found := _AS_BEFORE.match(bare):
        return _as_before(int(found.group(1) or found.group(2)), roots, span, report)
    _report_unknown(body, dialect, roots, span, report)
    parsed: Read = read(text, dialect, start=line.start, end=line.end, lines=roots)
    report.findings.extend(parsed.findings)
    return parsed.root


def _without_remark(body: str, dialect: Dialect) -> str:
    """Ovid takes what stands in square brackets for a remark."""
    return _REMARK.sub("", body) if dialect.slash_headings else body


def _as_before(number: int, roots: dict[int, Node], span: Span, report: Report) -> Node | None:
    """remove duplicates from 4, or 4 use ppez: the publications of line 4."""
    if number not in roots:
        report.add("unknown-line", "error", span, f"There is no line {number} above this one.")
        return None
    report.add("limit-left-out", "warning", span, f"Nothing to do here, so this is the same as line {number}.")
    return roots[number]


def _listed(found: re.Match[str], roots: dict[int, Node], span: Span, report: Report) -> Node | None:
    """or/1-5, and/3,6."""
    numbers = _range(found.group(2))
    missing = [n for n in numbers if n not in roots]
    if missing:
        report.add("unknown-line", "error", span, f"There is no line {missing[0]} above this one.")
    parts = tuple(roots[n] for n in numbers if n in roots)
    if len(parts) < 2:
        return parts[0] if parts else None
    operator: Operator = "AND" if found.group(1).upper() == "AND" else "OR"
    return Group(operator, parts, span=span)


def _limited(found: re.Match[str], roots: dict[int, Node], span: Span, report: Report) -> Node | None:
    """limit 5 to yr="2010 -Current"."""
    node = roots.get(int(found.group(1)))
    if node is None:
        report.add("unknown-line", "error", span, f"There is no line {found.group(1)} above this one.")
        return None
    years = _YEARS.search(found.group(2))
    limit: Range | None = years_of(years.group(1), span) if years else None
    rest = _YEARS.sub("", found.group(2)).strip(" ()\"'")
    if rest.replace("and", "").strip():
        message = f"Not testable here, so left out: the limit to {rest[:60]}."
        report.add("limit-left-out", "warning", span, message)
    return Group("AND", (node, limit), span=span) if limit else node


def _range(written: str) -> list[int]:
    numbers: list[int] = []
    for part in written.split(","):
        low, dash, high = part.partition("-")
        first = int(low)
        last = int(high) if dash else first
        numbers += range(first, min(last, first + 999) + 1)
    return numbers


def _numbers_in(body: str, dialect: Dialect) -> set[int]:
    bare = _without_remark(body, dialect)
    if found := _LIST.match(bare):
        return set(_range(found.group(2)))
    if found := _LIMIT.match(bare):
        return {int(found.group(1))}
    if found := _AS_BEFORE.match(bare):
        return {int(found.group(1) or found.group(2))}
    mark = re.escape(dialect.line_mark)
    return {int(n) for n in re.findall(rf"(?<![\w.$*?#]){mark}#?(\d{{1,4}})(?![\w.$*?])", body, re.IGNORECASE)}


def _report_unknown(body: str, dialect: Dialect, roots: dict[int, Node], span: Span, report: Report) -> None:
    only_references = re.fullmatch(r"[\s()#Ss\d]*((and|or|not)[\s()#Ss\d]+)+", body, re.IGNORECASE)
    if only_references:
        for number in sorted(_numbers_in(body, dialect) - set(roots)):
            report.add("unknown-line", "error", span, f"There is no line {number} above this one.")


def _measured(node: Node, known: Mapping[int, tuple[int, int]]) -> tuple[int, int]:
    """Nodes and levels; lines above this one are not counted again."""
    size, deepest, stack = 0, 0, [(node, 1)]
    while stack:
        one, depth = stack.pop()
        below = known.get(id(one))
        n, levels = below or (1, 1)
        size += n
        deepest = max(deepest, depth + levels - 1)
        if below is None:
            stack.extend((part, depth + 1) for part in parts_of(one))
    return size, deepest
