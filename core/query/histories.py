"""Find the lines of a search history, with or without numbers, with headings and counts of hits."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from core.query.dialects import foreign_tag
from core.query.exports import TextRow, laid_out, rows_of
from core.query.lexer import LONGEST, cleaned
from core.query.tree import Finding, Span

MOST_WRAPPED = 60
"""Maximum number of rows over which a bracket may stay open."""
FEWEST_NUMBERED = 0.6
"""Minimum share of rows with a number in a numbered history."""


@dataclass(frozen=True, slots=True)
class NumberedLine:
    number: int
    start: int
    """The start of its search, after the number."""
    end: int
    label: str = ""
    """The headings above the line."""
    hits: int | None = None
    """The number of hits after the search."""
    part: int = 0
    """The number of the history that it belongs to, if there are several."""


@dataclass(frozen=True, slots=True)
class SearchHistory:
    lines: tuple[NumberedLine, ...]
    names: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Places of the lines under each named heading, if lines refer to headings: 1a, 2."""
    letters: frozenset[str] = frozenset()
    """Capitals that name lines."""
    findings: tuple[Finding, ...] = ()
    is_counted: bool = False
    """The lines have no numbers: they were counted."""


# References: or/1-5, #1 AND #2, (1a or 1b) and 2a.

_NUMBER = r"(?:\#[ \t]?)?[Ss]?\d{1,4}"
_NUMBERS = rf"{_NUMBER}(?:\s*[-,]\s*{_NUMBER})*"
LIST = re.compile(
    rf"(?:(and|or)/\s*({_NUMBERS})|(?<![\w/-]){_NUMBERS}/(and|or)|\{{\s*(and|or)\s+({_NUMBERS})\s*\}})(?![\w.$*?/-])",
    re.IGNORECASE,
)
"""or/1-5,7 and 1-5/or in Ovid, and {OR #1-#5} in the Cochrane Library."""
_TOKEN = re.compile(
    rf"""
      (?P<space>\s+)
    | (?P<list>{LIST.pattern})
    | (?P<op>(?:and\s+not|and|or|not)(?![\w/]))
    | (?P<bracket>[()])
    | (?P<range>{_NUMBER}\s?-\s?{_NUMBER}(?![\w.$*?/-]))
    | (?P<line>(?:\#[ \t]?)?[Ss]?\d{{1,4}}[a-z]?(?![\w.$*?/-]))
    | (?P<letter>[A-Z](?![\w.$*?/-]))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ONE = re.compile(r"(\d+)(?:\s*-\s*(?:#\s?)?[Ss]?(\d+))?")


class ReferenceToken(NamedTuple):
    kind: Literal["lines", "op", "(", ")"]
    span: Span
    operator: str = ""
    """AND, OR or NOT; for a list, the operator that joins it. Empty for one line or a range without an operator."""
    ranges: tuple[tuple[int, int], ...] = ()
    name: str = ""
    """A reference by a name other than a number: 1a, A."""
    marked: bool = False
    """True if it can only be a reference: #1, S1, or/1-2."""


def reference_tokens(
    text: str, start: int, end: int, letters: Collection[str] = ()
) -> tuple[ReferenceToken, ...] | None:
    """Split a text that only refers to lines into tokens; None for any other text. `letters`: lines named A, B ...

    >>> [token.ranges for token in reference_tokens("3 or or/1-2", 0, 11) or ()]
    [((3, 3),), (), ((1, 2),)]
    >>> reference_tokens("3 or heat", 0, 9), reference_tokens("2010", 0, 4)
    (None, None)
    """
    tokens: list[ReferenceToken] = []
    at = start
    while at < end:
        found = _TOKEN.match(text, at, end)
        if found is None:
            return None
        at = found.end()
        kind, span = found.lastgroup, Span(found.start(), at)
        if kind == "bracket":
            tokens.append(ReferenceToken("(" if found.group() == "(" else ")", span))
        elif kind == "op":
            tokens.append(ReferenceToken("op", span, found.group().upper().split()[-1]))
        elif kind == "letter":
            if found.group() not in letters:
                return None
            tokens.append(ReferenceToken("lines", span, name=found.group()))
        elif kind != "space":
            tokens.append(_lines_token(found, span))
    joined = any(token.operator for token in tokens)
    return tuple(tokens) if joined and any(token.kind == "lines" for token in tokens) else None


def _lines_token(found: re.Match[str], span: Span) -> ReferenceToken:
    written = found.group()
    if found["list"]:
        return ReferenceToken("lines", span, *read_list(written), marked=True)
    marked = not written[0].isdigit()
    if written[-1].isdigit():
        return ReferenceToken("lines", span, "", ranges_in(written), marked=marked)
    return ReferenceToken("lines", span, name=written.lstrip("#").strip().lower(), marked=marked)


def read_list(written: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the operator of a list and the lines that it joins.

    >>> read_list("or/1-3,5"), read_list("1-2/and")
    (('OR', ((1, 3), (5, 5))), ('AND', ((1, 2),)))
    """
    operator = "AND" if re.search("and", written, re.IGNORECASE) else "OR"
    return operator, ranges_in(written)


def ranges_in(written: str) -> tuple[tuple[int, int], ...]:
    return tuple((int(low), int(high or low)) for low, high in _ONE.findall(written))


# Lines with keywords: limits, and commands that change the databases or the records shown.

LIMIT = re.compile(r"(?:limit\s+(?:#|S)?|\.\.l(?:imit)?/\s*)(\d{1,4})\s+(?:to\b)?(.*)", re.IGNORECASE | re.DOTALL)
"""limit 5 to english, and ..l/5 lg=en."""
AS_BEFORE = re.compile(
    r"(?:remove\s+duplicates\s+from\s+(?:#|S)?(\d{1,4})|(?:#|S)?(\d{1,4})\s+use\s+([\w,]+)"
    r"|from\s+(\d{1,4})\s+keep\s+(\d[\d,\s-]*))",
    re.IGNORECASE,
)


def only_number(body: str) -> int | None:
    """Return the line that is limited, or whose duplicates are removed."""
    bare = without_remarks(body)
    found = LIMIT.fullmatch(bare) or AS_BEFORE.fullmatch(bare)
    return int(next(group for group in found.groups() if group and group.isdigit())) if found else None


def without_remarks(body: str) -> str:
    """Drop Ovid's remarks in square brackets at the end; [tiab] is a field of another database, and stays."""
    end = len(body.rstrip())
    while end and body[end - 1] == "]":
        opening = body.rfind("[", 0, end)
        remark = body[opening + 1 : end - 1]
        if opening < 0 or "]" in remark or '"' in remark or foreign_tag(remark.strip()) is not None:
            break
        end = opening
        while end and body[end - 1].isspace():
            end -= 1
    return body[:end]


# The rows of a text: the stretches between two line breaks.

_ROW = re.compile(r"[^\n\r\x0b\x0c\x85\u2028\u2029]+")
_START = re.compile(
    r"(?:\((\d{1,4})\)[ \t]*(?=\S)"
    r"|(#[ \t]?|[Ss])?(\d{1,4})(?:[ \t]*([.):](?!\d)|\t|-(?=[ \t]))[ \t]*|[ \t]+(?=\S)))"
)
_OPERATOR_FIRST = re.compile(r"(?:and|or|not|use)(?=[\s(]|$)", re.IGNORECASE)
_OPERATOR_LAST = re.compile(r"(?:^|[\s)])(?:and|or|not)$", re.IGNORECASE)
_ORNAMENT = re.compile(r"[-=_*~.+|#\s]+")
_COUNT = re.compile(r"\(?\d{1,3}(?:[,. ]\d{3})+\)?|\(?\d+\)?")
_ALONE = re.compile(r"\d{1,4}\.?|\d{1,3}(?:,\d{3})+")
_ONLY_NUMBERED = re.compile(r"#?(\d{1,3})(?:[.)](?!\d)|\t|:(?=\s)|\s(?=\s*exp\s))\s*(?=\S)")
_COMMENT = re.compile(r"//|#[ \t]+(?!\d)")


def _open_brackets(text: str) -> int:
    return text.count("(") - text.count(")")


# Headings: "2. Population: low-back pain", "1a", "Search combination". They are labels, not searches.

_SYNTAX = re.compile(
    r'["*$\[\]{}=]|\.[a-z]{2}(?:,[a-z]{2})*\.?(?=\s|$)|/|\b(?:adj|near|next)\d*\b|\b(?:AND|OR|NOT)\b|^exp\s|:[a-z]{2}\b'
    r"|\w[?#]|:~"
)
_KEY = re.compile(r"\(?(\d{1,2}[a-z]?)[.):]?(?:\s+(.*))?", re.DOTALL)
_LETTER = re.compile(r"([A-Z])[.)]\s+(?=\S)")
_TITLE = re.compile(
    r"(?:(?:final|combined|complete|full|line)\s+)?(?:search(?:es)?|combinations?|combined)"
    r"(?:\s+(?:strateg(?:y|ies)|histor(?:y|ies)|strings?|combinations?|results?|lines?))?(?:\s+\([\w ,-]+\))?:?",
    re.IGNORECASE,
)
_COLUMNS = re.compile(
    r"(?:(?:#|no\.?|set|line|search(?:es)?|id#?|query|queries|results?|hits|items|found|history|type|actions?|number|limiters/expanders|last\s+run\s+via)\s*)+",
    re.IGNORECASE,
)
_FACET = re.compile(
    r"(?:populations?|patients?|participants?|problem|interventions?|index tests?|target conditions?|comparators?"
    r"|comparisons?|controls?|outcomes?|study (?:types?|designs?)|settings?|(?:in|ex)clusion(?: criteria)?|exposures?"
    r"|concepts?|blocks?|facets?|filters?|methodological filters?|limits?|databases?|hosts?|platforms?|sources?"
    r"|search(?:es)?(?: strategy| date| terms)?|date(?: of search| searched| run)?|reference standards?|context)"
    r"(?:\s+[\dA-Z])?\s*:.*",
    re.IGNORECASE | re.DOTALL,
)
_PREFIX = re.compile(r"[A-Za-z][\w ,()/-]{1,60}:\s*")
LONGEST_HEADING = 160


class _Heading(NamedTuple):
    text: str
    key: str
    """A reference for lines to use: 1a, 2; empty: none."""


def _heading_of(text: str, keys: Collection[str]) -> _Heading | None:
    """Read a row as a heading, if it is one. `keys`: numbers of rows that are certainly headings."""
    if len(text) <= LONGEST_HEADING and _COLUMNS.fullmatch(text):
        return _Heading(text, "")
    if len(text) > LONGEST_HEADING or _SYNTAX.search(text):
        return None
    found = _KEY.fullmatch(text)
    if found is not None:
        key, words = found[1], found[2] or ""
        if (not words and not key.isdigit()) or (words and key in keys):
            return _Heading(text, key)
        if not words or key not in keys:
            return None
    is_title = _TITLE.fullmatch(text) or _FACET.fullmatch(text)
    return _Heading(text, "") if is_title or text.endswith(":") else None


def _heading_keys(rows: Sequence[TextRow]) -> frozenset[str]:
    """Return the numbers of headings: those with a colon, and those that continue their order."""
    sure: set[str] = set()
    likely: dict[str, int] = {}
    for row in rows:
        found = _KEY.fullmatch(row.text) if len(row.text) <= LONGEST_HEADING else None
        words = found[2] if found else None
        if found is None or not words or _SYNTAX.search(row.text) or _OPERATOR_FIRST.match(words):
            continue
        if ":" in words and words[0].isalpha():
            sure.add(found[1])
        elif words[0].isalpha():
            likely.setdefault(found[1], len(likely))
    for key in likely:
        number = int(re.sub(r"\D", "", key))
        if str(number - 1) in sure and (str(number + 1) in sure or key != str(number)):
            sure.add(key)
    return frozenset(sure)


# Counts of hits after a line, as databases print them.

_CLOSED = re.compile(r"(?:[.)\]/\"*$}]|\]/(?:lim|py|sd)|/(?:exp|de|mj)|:[a-z]{2}(?:,[a-z]{2})*)$", re.IGNORECASE)
_UNFINISHED = re.compile(
    r"(?:^|[\s(])(?:and|or|not|to|from|use|limit|adj\d*|near(?:/?\d+)?|next(?:/?\d+)?|[nw]/?\d+)$|(?:and|or)/$|[(,=<>:#~-]$",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?:(?<=[.)\]/\"*$}])|(?<=\s))\(\d[\d,. ]*\)$|(?<=\s)\d[\d,.]*(?: \d{3})*$")
_NAMED_COUNT = re.compile(
    r"\s*\b(?:total(?:\s+(?:number|of|references?|records?|results?|hits|citations?))*|references|records|results|hits"
    r"|citations|n)\s*[=:]\s*(\d[\d,. ]*)\.?$",
    re.IGNORECASE,
)
_NAMED_END = re.compile(
    r"(?<![\w-])(?:total(?:\s+(?:number|of|references?|records?|results?|hits|citations?))*|references|records|results"
    r"|hits|citations)\s*[=:]\s*(\d[\d,. ]*)\.?\s*$",
    re.IGNORECASE,
)


_FOUND_END = re.compile(
    r"\s*\(\s*n\s*[=:]\s*(?P<n>\d[\d,. ]*)\)$"
    r"|(?:(?P<sign>\s[-:=]\s*|\s?\()|(?<=[\s)\].]))(?P<count>\d[\d,.]*)\s+(?:(?:document|search)\s+)?"
    r"(?:results?|hits|records|references|citations|documents)(?:\s+found)?\)?$",
    re.IGNORECASE,
)
"""(n = 1234), 12,345 document results."""
_LAST_LETTERS = frozenset(")tsdTSD")
_BRACKETED_END = re.compile(r"(?<=[\].)])\s+\((?!(?:1[5-9]|20|21)\d\d\))(\d{2,}|\d{1,3}(?:,\d{3})+)\)$")
_RUN_AT = re.compile(
    r"\s+(?:\d{1,2}:\d\d(?::\d\d)?|\d{4}-\d\d-\d\d"
    r"|\d{1,2}[ -](?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*[ -]\d{4})$",
    re.IGNORECASE,
)
"""The time when a search was run, after its count of hits."""


def _found_end(text: str) -> tuple[int, int] | None:
    """Find a labelled count of hits at the end; return its start and its number."""
    found = _FOUND_END.search(text, max(0, len(text) - 120)) if text[-1:] in _LAST_LETTERS else None
    if found is None:
        return None
    rest = text[: found.start()].rstrip()
    count = found["n"] or found["count"]
    is_count = found["n"] or found["sign"] or "," in count or _CLOSED.search(rest)
    return (len(rest), _count(count)) if rest and is_count and not _UNFINISHED.search(rest[-24:]) else None


def written_total(text: str) -> tuple[int, int] | None:
    """Find "Total references = 1551" at the end of a text; return its start and its number.

    >>> written_total("heat[tw]Total references = 1,551")
    (8, 1551)
    """
    text = text.rstrip()
    found = _NAMED_END.search(text, max(0, len(text) - 120)) or _BRACKETED_END.search(text, max(0, len(text) - 40))
    if found and text[: found.start()].strip():
        return found.start(), _count(found[1])
    return _found_end(text)


def _count(written: str) -> int:
    return int(re.sub(r"\D", "", written)[:15] or 0)


class _Tail(NamedTuple):
    end: int
    """Length of the text before the count."""
    hits: int
    is_sure: bool


def _tail_of(body: str) -> _Tail | None:
    """Return the count at the end of a line; unsure if it may be a word of the search."""
    if total := _found_end(body):
        return _Tail(*total, True)
    if not body or not (body[-1].isdigit() or body[-1] in ")."):
        return None
    if when := _RUN_AT.search(body, max(0, len(body) - 24)):
        tail = _tail_of(body[: when.start()])
        return tail and tail._replace(is_sure=True)
    if (found := _NAMED_COUNT.search(body, max(0, len(body) - 120))) and found.start():
        return _Tail(found.start(), _count(found[1]), True)
    window = max(0, len(body) - 24)
    at = window
    while found := _TAIL.search(body, at):
        rest = body[: found.start()].rstrip()
        if re.search(r"[A-Za-z]", rest) and not _UNFINISHED.search(rest[-24:]):
            is_list = reference_tokens(rest, 0, len(rest)) is not None
            is_apart = found.group().startswith("(") or re.search(r"\t[ \t]*$|[ \t]{2}$|\n\s*$", body[: found.start()])
            is_sure = is_list or bool(is_apart) or _CLOSED.search(rest) is not None
            return _Tail(len(rest), _count(found.group()), is_sure)
        at = found.start() + 1
    return None


_FIRST_CELL = re.compile(r"(\d[\d,.]*)[ ]*\t\s*(?=\S)")
_FIRST_WORD = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)\s+(?=\(*(?:[A-Z]{2,5}\s?=|#\s?\d|[A-Z]{5}[A-Z ]*:))")
"""A count before a search of Web of Science."""


def _with_hits(text: str, lines: Sequence[NumberedLine]) -> tuple[NumberedLine, ...]:
    """Remove the counts after the lines; a number after bare words is a count if most lines have one."""
    tails = [_tail_of(text[line.start : line.end]) for line in lines]
    n_counted = sum(tail is not None for tail in tails)
    firsts = [_FIRST_WORD.match(text, line.start, line.end) for line in lines]
    first_cell = _FIRST_WORD if len(lines) > 1 and all(firsts) and not n_counted else _FIRST_CELL
    out = []
    for line, tail in zip(lines, tails, strict=True):
        if tail is not None and (tail.is_sure or n_counted * 2 > len(lines)):
            line = replace(line, end=line.start + tail.end, hits=tail.hits)
        elif cell := first_cell.match(text, line.start, line.end):  # number, count and search in a table
            line = replace(line, start=cell.end(), hits=_count(cell[1]))
        out.append(line)
    return tuple(out)


# Lines with numbers.


class _Start(NamedTuple):
    row: int
    number: int
    body: int
    """The start of the search."""
    is_marked: bool
    """True if a sign precedes the number, or more than a space follows it."""
    part: int = 0


def numbered_lines(text: str) -> tuple[NumberedLine, ...]:
    """Return the lines of a line-by-line search; none for any other search.

    >>> [line.number for line in numbered_lines("1. heat.ti.\\n2. tree$.ti.\\n3. 1 and 2")]
    [1, 2, 3]
    >>> [line.number for line in numbered_lines("heat.ti.\\ntree$.ti.\\nor/1-2")]
    [1, 2, 3]
    """
    history = history_in(text)
    return history.lines if history else ()


@lru_cache(maxsize=8)
def history_in(text: str) -> SearchHistory | None:
    """Read a text as a history; None for a search that is not in lines."""
    if len(text) > LONGEST:
        return None
    text = cleaned(laid_out(text).text)
    rows = rows_of(text, _ROW)
    if len(rows) < 2:
        return _only_line(rows[0]) if rows else None
    return _with_numbers_apart(rows) or _with_numbers(text, rows) or _without_numbers(text, rows)


def _only_line(row: TextRow) -> SearchHistory | None:
    if LIST.fullmatch(row.text):
        return SearchHistory((NumberedLine(1, row.start, row.end),))
    if found := _ONLY_NUMBERED.match(row.text):
        return SearchHistory((NumberedLine(int(found[1]), row.start + found.end(), row.end),))
    return None


def _with_numbers_apart(rows: Sequence[TextRow]) -> SearchHistory | None:
    """Read lines whose numbers, and perhaps hit counts, are in separate rows, as copied from a table."""
    numbers = [int(row.text.rstrip(".").replace(",", "")) if _ALONE.fullmatch(row.text) else None for row in rows]
    starts: list[int] = []
    for place, number in enumerate(numbers[:-1]):
        if number == len(starts) + 1 and numbers[place + 1] is None:
            starts.append(place)
    if len(starts) < 2:
        return None
    lines: list[NumberedLine] = []
    for n, (place, end) in enumerate(pairwise((*starts, len(rows))), start=1):
        body = [other for other in range(place + 1, end) if numbers[other] is None]
        behind = numbers[body[-1] + 1 : end]
        if len(behind) > 1 or body[-1] - body[0] + 1 != len(body):
            return None
        lines.append(NumberedLine(n, rows[body[0]].start, rows[body[-1]].end, hits=behind[0] if behind else None))
    findings = [_heading_finding(Span(row.start, row.end)) for row in rows[: starts[0]]]
    return SearchHistory(tuple(lines), findings=tuple(findings))


def _start_of(place: int, row: TextRow) -> _Start | None:
    found = _START.match(row.text)
    if found is None:
        return None
    is_marked = found[1] is not None or found[4] is not None or "\t" in found.group() or bool(found[2])
    behind = row.text[found.end() :]
    is_dotted = found[4] not in (None, ")") or "\t" in found.group()
    if not is_dotted and _OPERATOR_FIRST.match(behind):
        return None
    return _Start(place, int(found[1] or found[3]), row.start + found.end(), is_marked)


def _with_numbers(text: str, rows: Sequence[TextRow]) -> SearchHistory | None:
    found = [start for place, row in enumerate(rows) if (start := _start_of(place, row))]
    if len(found) < 2:
        return None
    filled = sum(1 for row in rows if not _ORNAMENT.fullmatch(row.text) and not _COUNT.fullmatch(row.text))
    starts = _in_order(found)
    if starts is None:
        return None
    if len(starts) < filled * FEWEST_NUMBERED and not _is_wrapped(starts, rows):
        return None
    lines, findings = _lines_between(text, rows, starts)
    if len(lines) < 2:
        return None
    findings += _repeated_numbers(lines)
    return SearchHistory(_with_hits(text, lines), findings=tuple(findings))


def _in_order(starts: list[_Start]) -> list[_Start] | None:
    """Return the rows that begin a line: numbers that rise, start again at 1, or fall from first to last."""
    numbers = [start.number for start in starts]
    parts: list[list[_Start]] = [[]]
    for start in starts:
        if parts[-1] and start.number <= parts[-1][-1].number:
            parts.append([])
        parts[-1].append(start)
    if all(len(part) > 1 for part in parts) and all(part[0].number == 1 for part in parts[1:]):
        return [start._replace(part=place) for place, part in enumerate(parts) for start in part]
    if (len(numbers) > 2 or numbers == [2, 1]) and all(a > b for a, b in pairwise(numbers)):
        return starts if all(start.is_marked for start in starts) else None
    return _each_the_next(starts)


def _each_the_next(starts: list[_Start]) -> list[_Start] | None:
    """Keep only numbers that count on: other numbers at the beginning of a row belong to its words."""
    first = next((place for place, start in enumerate(starts) if start.number == 1), 0)
    chosen = [starts[first]]
    n_next = 0
    for place in range(first + 1, len(starts)):
        start, last = starts[place], chosen[-1]
        following = starts[place + 1].number if place + 1 < len(starts) else 0
        if start.number == last.number + 1:
            chosen.append(start._replace(part=last.part))
            n_next += 1
        elif start.number == 1 and following == 2 and last.number > 1:
            chosen.append(start._replace(part=last.part + 1))
        elif start.number == last.number and start.is_marked:
            chosen.append(start._replace(part=last.part))
    return chosen if n_next and n_next * 2 >= len(chosen) - 1 else None


def _is_wrapped(starts: Sequence[_Start], rows: Sequence[TextRow]) -> bool:
    """Return True if few rows have a number because lines are long: numbers count on, and lines refer to lines."""
    numbers = [start.number for start in starts]
    if len(starts) < 3 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return False
    bodies = [rows[start.row].text[start.body - rows[start.row].start :] for start in starts]
    if any(_heading_of(f"{n} {body}", {str(n)}) for n, body in zip(numbers, bodies, strict=True)):
        return False
    return any(
        _points_back(tokens, number)
        for number, body in zip(numbers, bodies, strict=True)
        if (tokens := reference_tokens(body, 0, len(body)))
    )


def _points_back(tokens: Sequence[ReferenceToken], number: int) -> bool:
    return all(
        1 <= low <= high < number and not token.name
        for token in tokens
        if token.kind == "lines"
        for low, high in token.ranges or ((0, 0),)
    )


def _lines_between(
    text: str, rows: Sequence[TextRow], starts: Sequence[_Start]
) -> tuple[list[NumberedLine], list[Finding]]:
    lines: list[NumberedLine] = []
    findings: list[Finding] = []
    labels: list[str] = []
    for row in rows[: starts[0].row]:
        if not _ORNAMENT.fullmatch(row.text):
            labels.append(row.text)
            findings.append(_before_finding(row))
    for place, start in enumerate(starts):
        after = starts[place + 1].row if place + 1 < len(starts) else len(rows)
        row = rows[start.row]
        body = text[start.body : row.end]
        if body.endswith(":") and (heading := _heading_of(body, ())):
            labels = [heading.text]
            findings.append(_heading_finding(Span(start.body, row.end)))
            continue
        last = after - 1
        below: list[TextRow] = []
        begins_again = place + 1 < len(starts) and starts[place + 1].part > start.part
        while last > start.row and (
            _ORNAMENT.fullmatch(rows[last].text) or _is_label(text, start.body, rows, last, begins_again)
        ):
            below.insert(0, rows[last])
            last -= 1
        end = rows[last].end if last > start.row else row.end
        if end > start.body:
            lines.append(NumberedLine(start.number, start.body, end, " / ".join(labels), part=start.part))
        else:
            findings.append(_nothing_finding(row, start.number))
        named = [row for row in below if not _ORNAMENT.fullmatch(row.text)]
        findings += [_heading_finding(Span(row.start, row.end)) for row in named]
        labels = [row.text for row in named] or labels
    return lines, findings


def _is_label(text: str, start: int, rows: Sequence[TextRow], place: int, begins_again: bool) -> bool:
    """Return True if a row after a line belongs to the next one. `begins_again`: another history follows."""
    row = rows[place].text
    is_name = begins_again and len(row) <= LONGEST_HEADING and not _SYNTAX.search(row)
    if not is_name and (_heading_of(row, ()) is None or _KEY.fullmatch(row)):
        return False
    return not _open_brackets(text[start : rows[place - 1].end]) and not _OPERATOR_LAST.search(rows[place - 1].text)


def _heading_finding(span: Span) -> Finding:
    return Finding("heading-line", "hint", span, "Read as a heading, not as a search.")


def _before_finding(row: TextRow) -> Finding:
    if not _SYNTAX.search(row.text) or _COLUMNS.fullmatch(row.text):
        return _heading_finding(Span(row.start, row.end))
    message = "This comes before the first numbered line, so it was not read as part of the search."
    return Finding("text-left-out", "error", Span(row.start, row.end), message)


def _nothing_finding(row: TextRow, number: int) -> Finding:
    return Finding("empty", "error", Span(row.start, row.end), f"Line {number} is empty.")


def _repeated_numbers(lines: Sequence[NumberedLine]) -> list[Finding]:
    seen: set[tuple[int, int]] = set()
    findings = []
    for line in lines:
        if (line.part, line.number) in seen:
            message = f"Two lines have the number {line.number}: references to it mean the second."
            findings.append(Finding("line-numbers", "error", Span(line.start, line.end), message))
        seen.add((line.part, line.number))
    return findings


# Lines without numbers: they are counted, because at least one of them refers to others by number.


class _Unit(NamedTuple):
    start: int
    end: int
    heading: _Heading | None = None
    key: str = ""
    """A letter or number that names it: A, 2a."""


def _without_numbers(text: str, rows: Sequence[TextRow]) -> SearchHistory | None:
    if not any(_LIKE_REFERENCE.search(row.text) for row in rows):
        return None
    letters = _letters(rows)
    units = _units(text, rows, letters)
    lines, labels = _counted_lines(text, units)
    plain = [NumberedLine(n, *span, label) for n, (span, label) in enumerate(zip(lines, labels, strict=True), start=1)]
    lines_with_hits = _with_hits(text, plain)
    tokens = [_tokens_of(text, line, letters) for line in lines_with_hits]
    if not any(tokens) and not any(_has_list(text, line) for line in lines_with_hits):
        return None
    findings = [_heading_finding(Span(unit.start, unit.end)) for unit in units if unit.heading]
    names = _names(units)
    if names and _fit_names(tokens, names):
        return SearchHistory(
            _without_prefixes(text, lines_with_hits, tokens), names, letters, tuple(findings), is_counted=True
        )
    fits = [one is None or _points_back(one, n) for n, one in enumerate(tokens, start=1)]
    if not all(fits):
        numbers = _numbers_with_headings(units)
        if len(lines) < len(units) and all(
            one is None or _points_back(one, n) for n, one in zip(numbers, tokens, strict=True)
        ):
            counted = [replace(line, number=n) for n, line in zip(numbers, lines_with_hits, strict=True)]
            message = "The lines have no numbers. Headings are counted too, because only then does every reference fit."
            findings.append(Finding("line-numbers", "warning", Span(counted[0].start, counted[0].end), message))
            return SearchHistory(
                _without_prefixes(text, counted, tokens), letters=letters, findings=tuple(findings), is_counted=True
            )
    is_history = any(one is not None and fit for one, fit in zip(tokens, fits, strict=True))
    is_marked = any(token.marked and text[token.span.start] not in "Ss" for one in tokens for token in one or ())
    if not is_history and not is_marked and not any(_has_list(text, line) for line in lines_with_hits):
        return None
    return SearchHistory(
        _without_prefixes(text, lines_with_hits, tokens), letters=letters, findings=tuple(findings), is_counted=True
    )


_LIKE_REFERENCE = re.compile(
    r"(?:^|[\s(:])(?:#[ \t]?|[Ss])?(?:\d{1,4}[a-z]?|[A-Z])\)*\s+(?:and|or|not)\b"
    r"|\b(?:and|or)/\s*[#\dSs]|\{\s*(?:and|or)\s|^limit\s+\d|^\.\.l(?:imit)?/|^remove\s+dup",
    re.IGNORECASE,
)


def _letters(rows: Sequence[TextRow]) -> frozenset[str]:
    """Return A, B, C, if rows begin with them in this order."""
    found: list[str] = []
    for row in rows:
        letter = _LETTER.match(row.text)
        if letter and letter[1] == chr(ord("A") + len(found)):
            found.append(letter[1])
    return frozenset(found) if len(found) > 1 else frozenset()


def _units(text: str, rows: Sequence[TextRow], letters: Collection[str]) -> list[_Unit]:
    """Split rows into headings and lines; rows that continue a line are joined to it."""
    keys = _heading_keys(rows)
    opened = [_open_brackets(row.text) for row in rows]
    units: list[_Unit] = []
    place = 0
    while place < len(rows):
        row = rows[place]
        last = units[-1] if units else None
        place += 1
        if _ORNAMENT.fullmatch(row.text):
            continue
        if last is not None and last.heading is None and _continues(text, last, row):
            units[-1] = last._replace(end=row.end)
            continue
        if heading := _heading_of(row.text, keys):
            units.append(_Unit(row.start, row.end, heading))
            continue
        if _COMMENT.match(row.text):
            units.append(_Unit(row.start, row.end, _Heading(row.text, "")))
            continue
        key, start = "", row.start
        if (letter := _LETTER.match(row.text)) and letter[1] in letters:
            key, start = letter[1], row.start + letter.end()
        end = _end_of_brackets(rows, opened, place - 1)
        units.append(_Unit(start, rows[end].end, None, key))
        place = end + 1
    return units


def _continues(text: str, last: _Unit, row: TextRow) -> bool:
    if _OPERATOR_FIRST.match(row.text) and not row.text.lower().startswith("use"):
        return True
    if _COUNT.fullmatch(row.text):
        return True
    return _OPERATOR_LAST.search(text[max(last.start, last.end - 6) : last.end]) is not None


def _end_of_brackets(rows: Sequence[TextRow], opened: Sequence[int], place: int) -> int:
    """Return the row that closes the brackets left open by a row; the row itself if they are never closed."""
    depth = opened[place]
    if depth <= 0:
        return place
    for end in range(place + 1, min(place + MOST_WRAPPED, len(opened))):
        depth += opened[end]
        if depth <= 0:
            between = range(place + 1, end + 1)
            has_references = any(not opened[one] and _is_reference_row(rows[one]) for one in between)
            return end if not depth and not has_references else place
    return place


def _is_reference_row(row: TextRow) -> bool:
    return reference_tokens(row.text, 0, len(row.text)) is not None


def _counted_lines(text: str, units: Sequence[_Unit]) -> tuple[list[tuple[int, int]], list[str]]:
    """Return the place of each line, and the headings above it."""
    lines: list[tuple[int, int]] = []
    labels: list[str] = []
    above: list[_Heading] = []
    was_heading = False
    for unit in units:
        if unit.heading is None:
            lines.append((unit.start, unit.end))
            labels.append(" / ".join([heading.text for heading in above] + ([unit.key] if unit.key else [])))
        elif was_heading:
            above.append(unit.heading)
        else:
            above = _headings_above(above, unit.heading)
        was_heading = unit.heading is not None
    return lines, labels


def _headings_above(above: list[_Heading], heading: _Heading) -> list[_Heading]:
    """Return the headings above the next line: 1b comes under heading 1; any other heading stays alone."""
    number = heading.key.rstrip("abcdefghijklmnopqrstuvwxyz")
    kept = [one for one in above if number and heading.key != number and one.key == number]
    return [*kept, heading]


def _names(units: Sequence[_Unit]) -> dict[str, tuple[int, ...]]:
    """Return the places of the lines under each named heading."""
    names: dict[str, list[int]] = {}
    open_keys: list[str] = []
    place = 0
    for unit in units:
        if unit.heading is not None:
            key = unit.heading.key
            number = key.rstrip("abcdefghijklmnopqrstuvwxyz")
            open_keys = [] if not key else [number, key] if key != number else [key]
            for one in open_keys:
                names.setdefault(one, [])
            continue
        for one in open_keys:
            names[one].append(place)
        if unit.key:
            names[unit.key] = [place]
        place += 1
    return {key: tuple(places) for key, places in names.items() if places}


def _fit_names(tokens: Sequence[Sequence[ReferenceToken] | None], names: Mapping[str, tuple[int, ...]]) -> bool:
    """Return True if every reference names a heading above, or one of them can only be such a name."""
    fits = True
    for place, one in enumerate(tokens):
        for token in one or ():
            if token.kind != "lines":
                continue
            if token.name:
                return True
            keys = [str(n) for low, high in token.ranges for n in range(low, min(high, low + 99) + 1)]
            fits = fits and all(key in names and max(names[key]) < place for key in keys)
    return fits


def _has_list(text: str, line: NumberedLine) -> bool:
    """Return True if the line holds a list such as or/1-2, even next to words."""
    found = LIST.search(text, line.start, line.end)
    return found is not None and (found.start() == line.start or text[found.start() - 1] in " \t(")


def _numbers_with_headings(units: Sequence[_Unit]) -> list[int]:
    return [number for number, unit in enumerate(units, start=1) if unit.heading is None]


def _tokens_of(text: str, line: NumberedLine, letters: Collection[str]) -> tuple[ReferenceToken, ...] | None:
    """Return the references of a line that holds nothing else; None for a search."""
    body = text[line.start : line.end]
    end = line.start + len(without_remarks(body))
    start = line.start
    if prefix := _PREFIX.match(body):
        start = line.start + prefix.end()
    if tokens := reference_tokens(text, start, end, letters):
        return tokens
    number = only_number(body)
    return (ReferenceToken("lines", Span(line.start, end), "", ((number, number),)),) if number else None


def _without_prefixes(
    text: str, lines: Sequence[NumberedLine], tokens: Sequence[Sequence[ReferenceToken] | None]
) -> tuple[NumberedLine, ...]:
    """Move text before a colon into the label: Final search: A or B."""
    out = []
    for line, one in zip(lines, tokens, strict=True):
        prefix = _PREFIX.match(text, line.start, line.end) if one else None
        if prefix:
            label = " / ".join(part for part in (line.label, prefix.group().strip().rstrip(":")) if part)
            line = replace(line, start=prefix.end(), label=label)
        out.append(line)
    return tuple(out)
