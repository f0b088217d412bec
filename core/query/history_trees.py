"""Read the lines of a search history into trees; the last line is the result."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.query.dialects.base import Dialect, Tag
from core.query.dialects.values import value_named
from core.query.exports import Restriction, left_out, restriction_in
from core.query.histories import (
    AS_BEFORE,
    LIMIT,
    LIST,
    NumberedLine,
    ReferenceToken,
    SearchHistory,
    only_number,
    read_list,
    reference_tokens,
    without_remarks,
)
from core.query.lexer import MOST_OF_A_KIND, FindingCollector, Token, cleaned, with_tag, years_of
from core.query.operators import Joiner, Joint, Notice, Operand, add_operand, cut
from core.query.reader import read
from core.query.tree import (
    DEEPEST,
    UNKNOWN_LIMIT,
    Edit,
    Finding,
    Fix,
    Group,
    Line,
    Near,
    Node,
    Not,
    Operator,
    Range,
    Span,
    Term,
    group_of,
    parts_of,
)
from core.text import listed, upper_first

MOST_NODES = 20_000
"""Maximum number of nodes in a line. Lines that repeat lines grow without end; this is enough for any search."""
MOST_FOLLOWED = 20
"""Maximum number of references followed to see whether they lead back to a line."""
MOST_COMPARED = 500
"""Maximum number of lines among which the start of a second history is searched."""
MOST_ENDS = 20
"""Maximum number of lines tested as the end of the first history."""
MOST_REFERENCES = 200_000
"""Maximum number of references to lines, over all lines of a history."""
MISSING = Term(("\0missing",))
"""Placeholder for a line that does not exist, until the tree that refers to it is complete."""


# Builds a line from the lines it refers to, by the operator precedence of the dialect.

_Resolve = Callable[[ReferenceToken], list[Node]]
"""The lines that a token refers to; MISSING for those that do not exist."""


@dataclass(slots=True)
class _Frame:
    opened: int
    items: list[Operand | Joint]


class _Combiner:
    def __init__(
        self, text: str, dialect: Dialect, report: FindingCollector, resolve: _Resolve, *, has_names: bool = False
    ) -> None:
        """Set up. `has_names`: the lines refer to headings, which no database reads, so lower case is no mistake."""
        self.text = text
        self.dialect = dialect
        self.report = report
        self.resolve = resolve
        self.has_names = has_names
        self.joiner = Joiner(text, dialect, report)
        self.notice = Notice(text, dialect, report)

    def combine(self, tokens: Sequence[ReferenceToken], end: int) -> Node | None:
        """Build the tree of a line that only refers to others, with MISSING for lines that do not exist."""
        frames = [_Frame(tokens[0].span.start, [])]
        for place, token in enumerate(tokens):
            if token.kind == "(":
                frames.append(_Frame(token.span.start, []))
            elif token.kind == ")":
                if len(frames) > 1:
                    self.close(frames, token.span.end)
                else:
                    fix = Fix("Remove the bracket", (cut(token.span),))
                    self.report.add("unbalanced-bracket", "error", token.span, "This bracket was never opened.", fix)
            elif token.kind == "op":
                if not self.has_names:
                    self.notice.capitals(Token("op", token.span.start, token.span.end, token.operator))
                frames[-1].items.append(Joint(token.operator, token.span))
            else:
                self.put(frames[-1], Operand(self.lines(token, tokens, place), token.span))
        while len(frames) > 1:
            self.notice.unclosed(frames[-1].opened, end)
            self.close(frames, end)
        operand = self.joiner.join(frames[0].items)
        return operand.node if operand else None

    def close(self, frames: list[_Frame], end: int) -> None:
        frame = frames.pop()
        span = Span(frame.opened, end)
        operand = self.joiner.join(frame.items)
        if operand is None:
            if not frame.items:
                fix = Fix("Remove the brackets", (cut(span),))
                self.report.add("empty-brackets", "warning", span, "There is nothing between these brackets.", fix)
            return
        is_new = any(isinstance(item, Joint) for item in frame.items)
        node = replace(operand.node, outer=span) if is_new else operand.node
        self.put(frames[-1], Operand(node, span, operand.depth))

    def put(self, frame: _Frame, operand: Operand) -> None:
        add_operand(frame.items, operand, self.report, what="these lines")

    def lines(self, token: ReferenceToken, tokens: Sequence[ReferenceToken], place: int) -> Node:
        roots = self.resolve(token)
        if len(roots) == 1:
            return roots[0]
        beside = [*reversed(tokens[:place]), *tokens[place + 1 :]]
        operator = token.operator or next((one.operator for one in beside if one.operator in ("AND", "OR")), "OR")
        return list_of("AND" if operator == "AND" else "OR", roots, token.span)


def list_of(operator: Operator, roots: Iterable[Node], span: Span) -> Node:
    parts = tuple(root for root in roots if root is not MISSING)
    if len(parts) < 2:
        return parts[0] if parts else MISSING
    return Group(operator, parts, span=span)


def without_missing(node: Node, known: Collection[int]) -> Node | None:
    """Return a new tree without the lines that do not exist. `known`: ids of nodes that stay unchanged.

    Without line 9, nothing is left of 9 NOT 4, rather than everything but line 4.
    """
    if node is MISSING:
        return None
    if id(node) in known:
        return node
    if isinstance(node, Not):
        part = without_missing(node.part, known)
        return None if part is None else node if part is node.part else replace(node, part=part)
    if not isinstance(node, Group):
        return node
    parts = tuple(part for each in node.parts if (part := without_missing(each, known)) is not None)
    if len(parts) == len(node.parts) and all(a is b for a, b in zip(parts, node.parts, strict=True)):
        return node
    had_positive = not all(isinstance(part, Not) for part in node.parts)
    if not parts or (node.operator == "AND" and had_positive and all(isinstance(part, Not) for part in parts)):
        return None
    return replace(node, parts=parts) if len(parts) > 1 else parts[0]


def shown_numbers(numbers: Iterable[tuple[int, int]]) -> str:
    """Write line numbers in words.

    >>> shown_numbers([(1, 1), (2, 2), (3, 3), (7, 7)]), shown_numbers([(4, 4)])
    ('lines 1 to 3 and 7', 'line 4')
    """
    merged: list[tuple[int, int]] = []
    for low, high in sorted(set(numbers)):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(high, merged[-1][1])
        else:
            merged.append((low, high))
    shown = [str(low) if low == high else f"{low} to {high}" for low, high in merged[:6]]
    if len(merged) > 6:
        shown.append("more")
    several = len(merged) > 1 or merged[0][0] != merged[0][1]
    text = listed(shown)
    return f"line{'s' if several else ''} {text}"


# Read every line; the last one is the result.


def read_lines(
    text: str, history: SearchHistory, dialect: Dialect
) -> tuple[Node | None, FindingCollector, tuple[Line, ...]]:
    """Read every line, and return the last one as the result."""
    reading = _Reading(text, history, dialect)
    for place in _reading_order(history.lines):
        reading.read_line(place)
    return reading.result()


def _reading_order(lines: Sequence[NumberedLine]) -> list[int]:
    """Return the places of the lines in reading order; a history listed from last to first is read from the first."""
    return sorted(range(len(lines)), key=lambda place: (lines[place].part, lines[place].number, place))


class _Part:
    """The state of one history while its lines are read."""

    def __init__(self, lines: Sequence[NumberedLine], part: int) -> None:
        self.places = {line.number: place for place, line in enumerate(lines) if line.part == part}
        self.first = min(self.places)
        self.last = max(self.places)
        self.read: list[int] = []
        """Numbers of lines with a tree, in order."""


class _Reading:
    """A pasted text whose lines are read one after the other."""

    def __init__(self, text: str, history: SearchHistory, dialect: Dialect) -> None:
        self.text = text
        self.clean = cleaned(text)
        self.history = history
        self.lines = history.lines
        self.dialect = dialect
        self.report = FindingCollector()
        self.roots: list[Node | None] = [None] * len(self.lines)
        self.used: set[int] = set()
        self.measured: dict[int, tuple[int, int]] = {}
        self.parts = {part: _Part(self.lines, part) for part in {line.part for line in self.lines}}
        self.n_references = 0
        self.n_unknown = 0
        self.place = 0
        self.missing: list[tuple[int, int]] = []
        self.missing_names: list[str] = []
        self.asked: list[list[tuple[int, int]]] = [[] for _ in self.lines]
        for finding in history.findings:
            self.add(finding)

    def add(self, finding: Finding) -> None:
        self.report.add(finding.rule, finding.severity, finding.span, finding.message, finding.fix)

    @property
    def line(self) -> NumberedLine:
        return self.lines[self.place]

    @property
    def span(self) -> Span:
        return Span(self.line.start, self.line.end)

    def read_line(self, place: int) -> None:
        self.place = place
        self.missing, self.missing_names = [], []
        n_before = self.n_references
        root = self.root_of_line()
        self.report_missing(n_before)
        if root is not None:
            root = without_missing(root, self.measured)
        if root is None:
            return
        size, depth = _measured(root, self.measured)
        if size > MOST_NODES or depth > DEEPEST:
            message = "These lines repeat each other without end: this line was left out."
            self.report.add("too-deep", "error", self.span, message)
            return
        self.roots[place] = root
        self.measured[id(root)] = size, depth
        read_numbers = self.parts[self.line.part].read
        if not read_numbers or read_numbers[-1] != self.line.number:
            insort(read_numbers, self.line.number)

    def root_of_line(self) -> Node | None:
        line = self.line
        body = self.clean[line.start : line.end]
        bare = without_remarks(body) if self.dialect.slash_headings else body
        if restriction := restriction_in(bare, self.dialect.id):
            self.notice_restriction(restriction, len(bare))
            bare = bare[: restriction.search_end]
        if found := LIMIT.fullmatch(bare):
            return self.limited(int(found[1]), found[2])
        if found := AS_BEFORE.fullmatch(bare):
            return self.as_before(int(found[1] or found[2] or found[4]), found[3], found[5])
        tokens = reference_tokens(self.clean, line.start, line.start + len(bare), self.history.letters)
        if tokens and self.are_references(tokens):
            has_names = bool(self.history.names)
            combiner = _Combiner(self.text, self.dialect, self.report, self.resolve, has_names=has_names)
            return combiner.combine(tokens, line.end)
        return self.searched(bare)

    def notice_restriction(self, restriction: Restriction, end: int) -> None:
        """Report limits after a search: S1 AND S2 Limiters - Peer Reviewed."""
        if restriction.text:
            span = Span(self.line.start + restriction.start, self.line.start + end)
            self.add(left_out(restriction, span))

    def are_references(self, tokens: Sequence[ReferenceToken]) -> bool:
        """Return True if the tokens refer to lines; 2010 OR 2011 does not if references are written #1."""
        if not self.dialect.line_mark or any(token.marked or token.name for token in tokens):
            return True
        known = self.parts[self.line.part].places
        return any(low in known and low < self.line.number for token in tokens for low, _ in token.ranges) or bool(
            self.history.names
        )

    def resolve(self, token: ReferenceToken) -> list[Node]:
        if self.history.names:
            return self.named(token)
        if token.name:
            self.missing_names.append(token.name)
            return [MISSING]
        return [root for low, high in token.ranges for root in self.numbered(low, high)]

    def named(self, token: ReferenceToken) -> list[Node]:
        """Return the lines under the headings that a token refers to."""
        found: list[Node] = []
        keys = [token.name] if token.name else [str(n) for low, high in token.ranges for n in range(low, high + 1)][:99]
        for key in keys:
            places = self.history.names.get(key, ())
            self.n_references += len(places)
            if self.n_references > MOST_REFERENCES:
                places = places[:1]
            roots = [root for place in places if place < self.place and (root := self.roots[place]) is not None]
            if not roots:
                self.missing_names.append(key)
                found.append(MISSING)
                continue
            self.used.update(place for place in places if place < self.place)
            if len(roots) > 1:
                message = f"Heading {key} has {len(roots)} lines. They are joined by OR here."
                self.report.add("joined-lines", "warning", token.span, message)
            found.append(list_of("OR", roots, token.span))
        return found

    def numbered(self, low: int, high: int) -> list[Node]:
        """Return the lines from one number to another, and record those that do not exist."""
        part = self.parts[self.line.part]
        if low > high:
            low, high = high, low
        self.asked[self.place].append((low, high))
        top = min(high, self.line.number - 1)
        numbers = part.read[bisect_left(part.read, low) : bisect_right(part.read, top)]
        self.n_references += len(numbers)
        if self.n_references > MOST_REFERENCES:
            numbers = numbers[:1]
        expected = low
        found: list[Node] = []
        for number in numbers:
            if number > expected:
                self.missing.append((expected, number - 1))
            expected = number + 1
            place = part.places[number]
            self.used.add(place)
            root = self.roots[place]
            found.append(MISSING if root is None else root)
        if expected <= high:
            self.missing.append((expected, high))
        return found or [MISSING]

    # Kinds of lines

    def limited(self, number: int, written: str) -> Node | None:
        """Read limit 5 to yr="2010 -Current"."""
        (node,) = self.one(number)
        years = _YEARS.search(written)
        limit: Range | None = years_of(years[1], self.span) if years else None
        rest = _limited_to(written) if limit or not years else " ".join(written.split())
        limits: list[Node] = [] if limit is None else [limit]
        unknown = []
        for part in _joined_limits(rest):
            if values := self.listed_values(part.strip('"() ')):
                limits.append(values)
            elif part:
                unknown.append(part)
        if rest := " and ".join(unknown):
            names = [part.strip().strip('"')[:80] for part in unknown]
            limits += [Term((name,), True, UNKNOWN_LIMIT, span=self.span) for name in names]
            self.report.add(
                "limit-left-out", "warning", self.span, f"Not testable here, so left out: the limit to {rest[:80]}."
            )
        return node if node is MISSING or not limits else Group("AND", (node, *limits), span=self.span)

    def listed_values(self, written: str) -> Node | None:
        """Read languages or document types, if all are known: english language, (english or german), case reports."""
        values = [value.strip() for value in re.split(r"\s+or\s+", written.lower())]
        values = [value.removesuffix(" language") for value in values]
        for field, tag in (("language", "lg"), ("publication_type_only", "pt")):
            if all(value_named(field, value, self.dialect.id) for value in values):
                terms = [Term((value,), True, (field,), span=self.span, tag=tag) for value in values]
                return group_of("OR", terms, span=self.span)
        return None

    def as_before(self, number: int, databases: str | None, records: str | None) -> Node | None:
        """Return line 4 for remove duplicates from 4, 4 use ppez, or from 4 keep 1-10."""
        (node,) = self.one(number)
        if node is not MISSING and records:
            message = (
                f"Left out: the selection of records {records.strip()[:80]}. So this is the same as line {number}."
            )
            self.report.add("limit-left-out", "warning", self.span, message)
        elif node is not MISSING and databases:
            message = f"Left out: the limit to the database {databases}. So this is the same as line {number}."
            self.report.add("limit-left-out", "warning", self.span, message)
        elif node is not MISSING:
            message = f"This does nothing here, so it is the same as line {number}."
            self.report.add("limit-left-out", "hint", self.span, message)
        return node

    def one(self, number: int) -> list[Node]:
        return self.resolve(ReferenceToken("lines", self.span, "", ((number, number),)))[:1]

    def searched(self, bare: str) -> Node | None:
        """Read a line with its own words, and perhaps with references among them."""
        start = self.line.start
        body, lists = _with_list_numbers(bare, self.dialect)
        numbers = _mixed_references(body, self.dialect)
        parsed = read(body, self.dialect, lines={n: Term((f"\0{n}",)) for n in numbers})
        for finding in parsed.findings:
            self.add(_moved(finding, start))
        if parsed.root is None:
            return None
        return self.put_in_place(parsed.root, start, lists)

    def put_in_place(self, node: Node, offset: int, lists: Mapping[int, re.Match[str]]) -> Node:
        """Return the tree with its places in the whole text, and with lines in place of references."""
        span = Span(node.span.start + offset, node.span.end + offset)
        outer = node.outer and Span(node.outer.start + offset, node.outer.end + offset)
        if isinstance(node, Term):
            first = node.pieces[0]
            if not isinstance(first, str) or not first.startswith("\0"):
                return replace(node, span=span, outer=outer)
            root = self.referred(int(first[1:]), span, lists)
            return with_tag(root, Tag(fields=node.fields)) if node.fields and root is not MISSING else root
        if isinstance(node, Group):
            parts = tuple(self.put_in_place(part, offset, lists) for part in node.parts)
            return replace(node, parts=parts, span=span, outer=outer)
        if isinstance(node, Not):
            return replace(node, part=self.put_in_place(node.part, offset, lists), span=span, outer=outer)
        if isinstance(node, Near):
            has_lines = any(_is_reference(part) for part in _inside(node))
            parts = tuple(self.put_in_place(part, offset, lists) for part in node.parts)
            if has_lines:
                message = "A proximity operator can't join lines: this was read as AND."
                self.report.add("near-group", "error", span, message)
                return Group("AND", parts, span=span, outer=outer)
            return replace(node, parts=parts, span=span, outer=outer)
        return replace(node, span=span, outer=outer)

    def referred(self, number: int, span: Span, lists: Mapping[int, re.Match[str]]) -> Node:
        if number not in lists:
            return self.resolve(ReferenceToken("lines", span, "", ((number, number),)))[0]
        operator, ranges = read_list(lists[number].group())
        roots = self.resolve(ReferenceToken("lines", span, operator, ranges))
        return list_of("AND" if operator == "AND" else "OR", roots, span)

    # Findings

    def report_missing(self, n_before: int) -> None:
        """Report lines that do not exist, and too many references. `n_before`: references followed before this line."""
        if self.missing_names:
            names = ", ".join(dict.fromkeys(self.missing_names))
            message = f"There is no line or heading {names[:80]} above this one."
            self.report.add("unknown-line", "error", self.span, message)
        if self.missing:
            self.n_unknown += 1
            message = "It refers to lines that are not above it."
            if self.n_unknown < MOST_OF_A_KIND:
                message = " ".join(self.missing_sentences())
            self.report.add("unknown-line", "error", self.span, message)
        if self.n_references > MOST_REFERENCES and self.n_references != n_before:
            message = f"The lines refer to each other more than {MOST_REFERENCES:,} times: not all were followed."
            self.report.add("too-deep", "error", self.span, message)

    def missing_sentences(self) -> Iterator[str]:
        part, own = self.parts[self.line.part], self.line.number
        asked = sorted(set(self.missing))
        absent, forward, unread, is_own = _sorted_missing(asked, part, own)
        if is_own:
            yield f"Line {own} refers to itself."
        if forward:
            circle = [n for n in forward[:MOST_FOLLOWED] if self.refers_back(n, own)]
            if circle:
                yield f"{upper_first(shown_numbers([(n, n) for n in (own, *circle)]))} refer to each other in a circle."
            rest = [(n, n) for n in forward if n not in circle]
            if rest:
                verb = "is" if len(rest) == 1 else "are"
                lines = upper_first(shown_numbers(rest))
                yield f"{lines} {verb} below this one: a line can only refer to lines above it."
        if unread:
            yield f"{upper_first(shown_numbers([(n, n) for n in unread]))} could not be read."
        if absent:
            verb = "is" if len(absent) == 1 and absent[0][0] == absent[0][1] else "are"
            begins = f": the history begins at line {part.first}" if absent[0][0] < part.first else ""
            yield f"There {verb} no {shown_numbers(absent)} above this one{begins}."

    def refers_back(self, number: int, own: int) -> bool:
        """Return True if a later line leads back to this one."""
        part = self.parts[self.line.part]
        seen: set[int] = set()
        stack = [number]
        while stack and len(seen) < MOST_FOLLOWED:
            one = stack.pop()
            if one == own:
                return True
            if one in seen or one not in part.places or one < own:
                continue
            seen.add(one)
            line = self.lines[part.places[one]]
            body = self.clean[line.start : line.end]
            tokens = reference_tokens(body, 0, len(body)) or ()
            ranges = [span for token in tokens for span in token.ranges]
            stack.extend(n for low, high in ranges for n in range(low, min(high, low + MOST_FOLLOWED) + 1))
            stack.extend(() if tokens else _mixed_references(body, self.dialect))
        return False

    def result(self) -> tuple[Node | None, FindingCollector, tuple[Line, ...]]:
        order = _reading_order(self.lines)
        final = next((place for place in reversed(order) if self.roots[place] is not None), None)
        if final is not None:
            self.used.add(final)
        if final is not None and final != order[-1]:
            message = f"The last line could not be read, so line {self.lines[final].number} is the result."
            last = self.lines[order[-1]]
            self.report.add("empty", "error", Span(last.start, last.end), message)
        self.report_parts()
        lines = tuple(
            Line(
                line.number,
                Span(line.start, line.end),
                self.roots[place],
                place in self.used,
                line.label,
                line.hits,
            )
            for place, line in enumerate(self.lines)
        )
        results = {part.places[part.last] for part in self.parts.values()}
        self.report_second_history(lines)
        for place, line in enumerate(lines):
            if not line.used and place not in results:
                self.report.add("unused-line", "warning", line.span, f"Line {line.number} is never used.")
        return (None if final is None else self.roots[final]), self.report, lines

    def report_second_history(self, lines: Sequence[Line]) -> None:
        """Report two histories without numbers: all lines are used only if counting restarts at 1 at some line."""
        n_unused = sum(not line.used for line in lines[:-1])
        if not self.history.is_counted or n_unused < 2 or len(lines) > MOST_COMPARED:
            return
        ends = [place for place, asked in enumerate(self.asked[:-2]) if asked]
        for end in ends[:MOST_ENDS]:
            if self.all_used(0, end) and self.all_used(end + 1, len(lines) - 1):
                message = (
                    f"Lines {end + 2} to {len(lines)} look like a second history but were read as part of the first. "
                    f"Paste them separately, or number the lines."
                )
                self.report.add("several-histories", "error", lines[end + 1].span, message)
                return

    def all_used(self, first: int, last: int) -> bool:
        """Return True if each line is used by a later one, and the last by none, counting from 1 at the first."""
        used: set[int] = set()
        for place in range(first, last + 1):
            for low, high in self.asked[place]:
                if low < 1 or high + first > place:
                    return False
                used.update(range(low - 1 + first, high + first))
        return len(used) == last - first

    def report_parts(self) -> None:
        """Report several histories in one paste."""
        if len(self.parts) < 2:
            return
        last = max(self.parts)
        ranges = [f"lines {part.first} to {part.last}" for _, part in sorted(self.parts.items())]
        message = (
            f"The numbering restarts, so these are {len(ranges)} search histories: {', then '.join(ranges)}. "
            f"The result is the last line of the last one; the others change nothing."
        )
        part = self.parts[last]
        line = self.lines[part.places[part.first]]
        self.report.add("several-histories", "error", Span(line.start, line.end), message)


_YEARS = re.compile(r"yr\s*=\s*\"?([^\")]+)\"?", re.IGNORECASE)


_LIMITS_JOINED = re.compile(r'\s+and\s+(?=(?:[^"]*"[^"]*")*[^"]*$)', re.IGNORECASE)


def _joined_limits(written: str) -> list[str]:
    """Split the limits that one line joins with AND.

    >>> _joined_limits('humans and "all aged (65 and over)" and (english or german)')
    ['humans', '"all aged (65 and over)"', '(english or german)']
    """
    parts = _LIMITS_JOINED.split(written)
    return parts if all(part.count("(") == part.count(")") for part in parts) else [written]


def _limited_to(written: str) -> str:
    """Return the limit without its years."""
    rest = " ".join(_YEARS.sub("", written).split())
    while rest.startswith("(") and rest.endswith(")"):
        rest = rest[1:-1].strip()
    rest = re.sub(r"^(?:and|or)\b\s*|\s*\b(?:and|or)$", "", rest.strip(), flags=re.IGNORECASE)
    return rest[1:-1] if rest.count('"') == 2 and rest[0] == rest[-1] == '"' else rest


def _sorted_missing(
    asked: Sequence[tuple[int, int]], part: _Part, own: int
) -> tuple[list[tuple[int, int]], list[int], list[int], bool]:
    """Return ranges without a line, lines below, lines without a tree, and True if the line refers to itself."""
    absent: list[tuple[int, int]] = []
    forward: list[int] = []
    unread: list[int] = []
    is_own = False
    for low, high in asked:
        if high - low > 2_000:
            absent.append((low, high))
            continue
        for number in range(low, high + 1):
            if number == own:
                is_own = True
            elif number not in part.places:
                absent.append((number, number))
            else:
                (forward if number > own else unread).append(number)
    return absent, forward, unread, is_own


def _moved(finding: Finding, offset: int) -> Finding:
    span = Span(finding.span.start + offset, finding.span.end + offset)
    fix = finding.fix and Fix(
        finding.fix.label, tuple(Edit(e.start + offset, e.end + offset, e.text) for e in finding.fix.edits)
    )
    return replace(finding, span=span, fix=fix)


def _inside(near: Near) -> Iterator[Node]:
    stack: list[Node] = list(near.parts)
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.parts if isinstance(node, Near) else parts_of(node))


def _is_reference(node: Node) -> bool:
    return isinstance(node, Term) and isinstance(node.pieces[0], str) and node.pieces[0].startswith("\0")


_PIECE = re.compile(r'"[^"]*"|[()]|[^\s()"]+')
_TAGGED = re.compile(r"\s*(?:\.\s*[a-z]{2}\b|\[|:[a-z]{2}\b)", re.IGNORECASE)


def _mixed_references(body: str, dialect: Dialect) -> set[int]:
    """Return numbers that mean lines among words: alone between operators, not in brackets with a field after them."""
    number = re.compile(rf"{dialect.line_mark}#?(\d{{1,9}})", re.IGNORECASE)
    if not re.search(r"(?<![\w.$*?-])[#Ss]?\d", body):
        return set()
    pieces = list(_PIECE.finditer(body))
    words = [piece.group() for piece in pieces]
    opened: list[int] = []
    tagged: set[int] = set()
    candidates: list[tuple[int, tuple[int, ...]]] = []
    for place, word in enumerate(words):
        if word == "(":
            opened.append(place)
        elif word == ")":
            if opened and _TAGGED.match(body, pieces[place].end()):
                tagged.add(opened[-1])
            if opened:
                opened.pop()
        elif found := number.fullmatch(word):
            before = words[place - 1] if place else "("
            behind = words[place + 1] if place + 1 < len(words) else ")"
            if _joins(before, "(") and _joins(behind, ")"):
                candidates.append((int(found[1]), tuple(opened)))
    return {n for n, brackets in candidates if not tagged.intersection(brackets)}


def refers_to_lines(text: str, dialect: Dialect) -> bool:
    """Return True if a search string of one line refers to lines, which don't exist: heat.ti. and or/1-2.

    >>> from core.query.dialects import DIALECTS
    >>> refers_to_lines("heat.ti. and 2", DIALECTS["ovid"]), refers_to_lines("heat.ti. and 2010", DIALECTS["ovid"])
    (True, False)
    """
    if dialect.slash_headings and only_number(cleaned(text)) is not None:
        return True
    body, lists = _with_list_numbers(cleaned(text), dialect)
    return bool(lists) or any(n < 1_000 for n in _mixed_references(body, dialect))


def _joins(word: str, bracket: str) -> bool:
    return word == bracket or word.lower() in ("and", "or", "not")


def _with_list_numbers(body: str, dialect: Dialect) -> tuple[str, dict[int, re.Match[str]]]:
    """Replace each list with a number of the same length, so that the reader takes or/1-5 for one word."""
    lists: dict[int, re.Match[str]] = {}
    out, last = [], 0
    for found in LIST.finditer(body):
        width = found.end() - found.start() - len(dialect.line_mark)
        if not re.search(r"(?:^|[\s(])$", body[: found.start()]) or len(lists) >= 9:
            continue
        number = int(f"9{len(lists)}".ljust(min(width, 9), "9"))
        lists[number] = found
        out += [body[last : found.start()], dialect.line_mark, str(number).ljust(width)]
        last = found.end()
    return ("".join([*out, body[last:]]), lists) if lists else (body, lists)


def _measured(node: Node, known: Mapping[int, tuple[int, int]]) -> tuple[int, int]:
    """Count nodes and levels; lines above this one are not counted again."""
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
