"""Read the headings, table cells and limits that a platform adds around a search when it prints or exports one.

A table or a printed history is converted to plain numbered lines. Every change keeps the length of the text, so that
later findings point at the text as pasted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from core.query.tree import DialectId, Finding, Span

# Limiters, dates and publication types after a search.

_EBSCO = r"(?:Limiters|Expanders|Narrow\s+by(?:\s+[\w /-]{1,40})?|Search\s+modes|Search\s+Screen|Interface)\s+-\s"
_COCHRANE = (
    r"with\s+(?:Cochrane\s+Library\s+)?(?:publication\s+(?:date|year)|year\s+first\s+published)\b"
    r"|(?:Publication\s+(?:Year|Date)\s+)?from\s+\d{4}\s+to\s+\d{4}\W*$"
    r"|\(?in\s+(?:Cochrane\s+Reviews|Cochrane\s+Protocols|Trials|Clinical\s+Answers|Editorials)\b"
)
_WOS = r"Refined\s+by:|(?:Indexes|Databases)\s?=\s?[A-Z]|Time\s?span\s?[=:]|Date\s+Run:|Editions?\s?[=:]"
_PUBMED = r"Filters(?:\s+applied)?:\s|Sort(?:ed)?\s+by:\s"
_PROQUEST = r"Additional\s+limits\s+-\s|Limits\s+applied\b|Narrowed\s+by:|Databases?:\s"
_OVID_CODE = (
    r"(?:acp|agris|amed|biob|caba|cagh|cctr|cdsr|clcmr|clhta|cleed|coch|dare|econ|eed|emcz[a-z]?|emed[a-z]?|eme[fxz][a-z]?"
    r"|eric|fsta|hmic|hta|ipab|ipsyh|jbi|med[a-z0-9]{0,4}|mes[zx]|nhs|oeme[a-z]{2}|pmez|ppezv?|prem|prmz|psy[a-z]{1,2})"
)
_OVID = rf"(?<=[.)/\]])\s+use\s+{_OVID_CODE}(?:\s*,\s*{_OVID_CODE})*\s*$"
"""Databases that a line is limited to: asthma.ti. use ppez."""
_RESTRICTIONS: dict[DialectId, re.Pattern[str]] = {
    "ebsco": re.compile(rf"(?<![^\s;|]){_EBSCO}"),
    "cochrane": re.compile(rf"(?<![^\s,])(?:{_COCHRANE})", re.IGNORECASE),
    "ovid": re.compile(_OVID, re.IGNORECASE),
    "wos": re.compile(rf"(?<!\S)(?:{_WOS})", re.IGNORECASE),
    "pubmed": re.compile(rf"(?<!\S)(?:{_PUBMED})"),
    "proquest": re.compile(rf"(?<!\S)(?:{_PROQUEST})"),
}
_SETTINGS = (
    r"(?:(?:Expanders|Search\s+modes|Interface|Search\s+Screen|Database)\s+-\s|Date\s+Run:|Sort(?:ed)?\s+by:"
    r"|Databases?:\s|\(Word\s+variations\b)"
)
_SILENT = re.compile(rf"\s*{_SETTINGS}")
"""Settings of the platform, which limit nothing."""


class Restriction(NamedTuple):
    search_end: int
    """The end of the search before it."""
    start: int
    text: str
    """The limits in it; empty if it only names settings of the platform."""


def restriction_in(text: str, dialect_id: DialectId) -> Restriction | None:
    """Find the restriction at the end of a search; None if there is none, or it is inside quotes or brackets.

    >>> restriction_in("S1 AND S2 Limiters - Peer Reviewed", "ebsco")
    Restriction(search_end=9, start=10, text='Limiters - Peer Reviewed')
    """
    pattern = _RESTRICTIONS.get(dialect_id)
    for found in pattern.finditer(text) if pattern else ():
        before = text[: found.start()]
        if not before.strip() or before.count('"') % 2 or before.count("(") > before.count(")"):
            continue
        search_end = len(before.rstrip(" \t\r\n,;|").removesuffix(" -").rstrip())
        shown = text[found.start() :]
        limits = "" if _SILENT.match(shown) else re.split(rf"[\s;]+{_SETTINGS}", shown)[0]
        start = found.end() - len(found.group().lstrip())
        return Restriction(search_end, start, " ".join(limits.split()))
    return None


def left_out(restriction: Restriction, span: Span) -> Finding:
    message = f"Left out: {restriction.text[:120].rstrip('.')}. Set this limit again where you run the search."
    return Finding("limit-left-out", "warning", span, message)


# Exports and printed histories.

MOST_ABOVE = 40
"""Maximum number of rows searched for the names of the columns."""


class ExportLayout(NamedTuple):
    text: str
    """As long as the pasted text."""
    findings: tuple[Finding, ...] = ()
    databases: tuple[str, ...] = ()
    """Rows and cells that name the platform or the database."""


@lru_cache(maxsize=8)
def laid_out(text: str) -> ExportLayout:
    """Blank the text that a platform prints around its searches.

    >>> laid_out("Line 1: exp Stroke/").text
    '     1: exp Stroke/'
    >>> laid_out('Search,Query,Items found,Time\\n#1,"Search heat",12,10:15:20').text.split()
    ['#1', 'heat', '12']
    """
    if not _EXPORTED.search(text) and not ("<" in text and _SINCE.search(text)):
        return ExportLayout(text)
    page = _Page(text)
    page.read_table()
    page.blank_headings()
    page.join_rows()
    page.blank_prefixes()
    return ExportLayout("".join(page.letters), tuple(page.findings), tuple(page.databases))


# Text that a platform prints above the searches.

_DATABASE = (
    r"Ovid|MEDLINE|Embase(?:\.com|[ ]Classic)?|APA|(?:APA[ ])?PsycINFO|CINAHL|EBSCO(?:host)?|Cochrane|CENTRAL|PubMed"
    r"|Scopus|ProQuest|Web[ ]of[ ]Science|Emtree|Health[ ]Technology[ ]Assessment|ERIC|AMED|Global[ ]Health|HMIC"
)
_BESIDE = r"All|Library|Plus|Complete|Ultimate|Core[ ]Collection|Daily|Update|with[ ]Full[ ]Text|via|in|on|and|\d{4}|to"
PLATFORM = re.compile(
    rf"[ \t(]*(?:{_DATABASE})(?![a-z])(?:[ \t]*(?:\(R\)|[®(),.:;/&<>+-]|(?:{_DATABASE}|{_BESIDE})(?![a-z])))*[ \t]*",
    re.IGNORECASE,
)
"""Names of platforms and databases, and nothing else: Embase (Ovid), MEDLINE®."""
_SINCE = re.compile(r"<\s?(?:1[89]|20)\d\d\s+to\s[^<>\n\r]*>", re.IGNORECASE)
_PERIOD = re.compile(rf"[^\n\r]*{_SINCE.pattern}[^\n\r]*", re.IGNORECASE)
"""Embase <1974 to 2020 March 12>"""
_NAMED = re.compile(
    r"(?:Search\s+Name|Last\s+Saved|Date\s+Run|Comments?|Description|Saved\s+searches|Database(?:s|\(s\))?|Platform|Host"
    r"|Interface|Date\s+of\s+search|Search\s+date|Date\s+searched)\s*:[^\n\r]*"
    r"|(?:Search\s+Strategy|Search\s+History|Print\s+Search\s+History|Searches)\s*:?"
    r"|Web\s+of\s+Science\s+Search\s+Strategy[^\n\r]*"
    r"|\#\s*(?:Entitlements|Searches|Databases?)\s*:[^\n\r]*|-?[ \t]*[A-Z]{2,8}(?:\.[A-Z-]+)?\s*:\s*\d{4}\s+to\s+\d{4}",
    re.IGNORECASE,
)
_COLUMN = (
    r"\#|No\.?|ID\#?|Set\#?|Lines?|Searches|Search\s+(?:number|ID\#?|terms?|options|details|strategy|string|query)"
    r"|Searched\s+for|Search|Quer(?:y|ies)|Terms?|Results?|Hits|Items\s+found|Number\s+of\s+results|Result\s+count|Records"
    r"|Filters|Limiters/Expanders|Limiters|Sort\s+By|Databases?|Last\s+Run\s+Via|Time|Date(?:\s+Run)?|Actions?|Details"
    r"|Add(?:\s+to\s+builder)?|Type|Annotations|Most\s+Recent"
)
_COLUMNS = re.compile(rf"(?:(?:{_COLUMN})[\s,\"|]*){{3,}}", re.IGNORECASE)
"""The names of three columns or more, with any separator."""
_NUMBER = re.compile(
    r"[\"\s]*(?:\(\d{1,4}\)|(?:\#[ \t]?|S)?\d{1,4}(?!\d|[/-]|,\d{3}\b))[\".:)]*(?=[\s,])", re.IGNORECASE
)
"""The beginning of a row with a number of its own."""
_OPERATOR = re.compile(r"(?:and|or|not)\b", re.IGNORECASE)

# Text that a platform prints below a search, in separate rows.

_BELOW = re.compile(
    r"(?:Limiters|Expanders|Narrow\s+by[\w /-]{0,40}|Search\s+modes|Search\s+Screen|Interface|Database)\s+-\s"
    r"|(?:Indexes|Databases|Editions)\s?=\s?[A-Z]|Time\s?span\s?[=:]|Refined\s+by:|Date\s+Run:|Results:\s*\d|Databases?:"
    r"|Searched\s+for:|Additional\s+limits\s+-|Limits\s+applied|Sort(?:ed)?\s+by:|Editions?:"
    r"|View\s+Results|View\s+Details|(?-i:Rerun|Edit)$",
    re.IGNORECASE,
)
_BUTTONS = re.compile(
    r"View\s+Results(?=\s*\()|(?<=\))(?:\s*(?:View\s+Details|Rerun|(?:Edit|Revise)(?:\s+Search)?))+(?=\s|$)"
)
_ALONE = re.compile(r"(?:\#[ \t]?|S)\d{1,4}[.:]?", re.IGNORECASE)
"""A number alone in a row."""

# Text that a platform prints before a search.

_PREFIX = re.compile(
    rf"(?:You\s+searched\s+for|Search\s+(?:strategy|string|query|terms?|details)|Search|Query|{_DATABASE})\s*:(?=\s+\S)",
    re.IGNORECASE,
)
_LINE = re.compile(
    r"(?:Line|Set\#?:?|Search)\s*(?=(?:\#|S)?\d{1,4}\s*[:.]\s)|Set\#:\s*(?=S?\d{1,4}(?:\s|$))", re.IGNORECASE
)
_OWN_PREFIX = re.compile(r"(?:Search(?:ed\s+for)?|Query):\s+(?=\S)", re.IGNORECASE)
_SEARCH = re.compile(r"Search\s+(?=\S)")
_LATE = re.compile(r"Searched\s+for:", re.IGNORECASE)

_EXPORTED = re.compile(
    rf"^[ \t\"#]*(?:{_PREFIX.pattern}|{_LINE.pattern}|{_NAMED.pattern}|{_BELOW.pattern}|{_DATABASE}"
    rf"|(?:{_COLUMN})[ ,|\t\"]+(?:{_COLUMN})|(?:#[ \t]?|S)?\d{{1,4}}[^\w\n]+(?:Search|Query)\b)",
    re.IGNORECASE | re.MULTILINE,
)
"""Any of the patterns above: most texts match none of them and stay as they are."""

# Tables with a row of column names.

_Role = Literal["number", "search", "hits", "limits", "other"]
_NUMBERS = frozenset({"#", "no", "no.", "id", "id#", "set", "set#", "search number", "search id", "search id#", "line"})
_SEARCHES = ("query", "searched for", "search terms", "search query", "search string", "search strategy", "queries")
_SEARCHES_TOO = ("searches", "search", "terms")
_HITS = frozenset({"results", "result", "hits", "items found", "number of results", "result count", "records"})
_LIMITS = frozenset({"filters", "limiters/expanders", "limiters", "search options"})
_CELL = re.compile(r'[ ]*"(?:[^"]|"")*"[ ]*|[^,\n\r]*')
_COUNT = re.compile(r"[\d.,\s]*\d")


class _Cell(NamedTuple):
    start: int
    end: int


_ROW = re.compile(r"[^\n\r]+")


class TextRow(NamedTuple):
    start: int
    end: int
    text: str


def rows_of(text: str, row: re.Pattern[str]) -> list[TextRow]:
    """Find the rows that are not empty, without the space around them. `row`: matches all between two line ends."""
    rows = []
    for found in row.finditer(text):
        if stripped := found.group().strip():
            start = found.start() + len(found.group()) - len(found.group().lstrip())
            rows.append(TextRow(start, start + len(stripped), stripped))
    return rows


class _Page:
    def __init__(self, text: str) -> None:
        self.text = text
        self.letters = list(text)
        self.findings: list[Finding] = []
        self.databases: list[str] = []

    def rows(self) -> list[TextRow]:
        return rows_of("".join(self.letters), _ROW)

    def blank(self, start: int, end: int) -> None:
        self.letters[start:end] = " " * (end - start)

    def heading(self, start: int, end: int) -> None:
        self.blank(start, end)
        self.findings.append(Finding("heading-line", "hint", Span(start, end), "Read as a heading, not as a search."))

    def named(self, text: str) -> None:
        if re.search(_DATABASE, text, re.IGNORECASE):
            self.databases.append(text)

    # Tables

    def read_table(self) -> None:
        rows = self.rows()
        found = (
            (place, roles, separator)
            for place, row in enumerate(rows[:MOST_ABOVE])
            if (separator := "\t" if "\t" in row.text else ",") and (roles := _roles(row.text, separator))
        )
        place, roles, separator = next(found, (0, (), ""))
        if not roles:
            return
        row, behind = rows[place], rows[place + 1 :]
        starts = [n for n, row in enumerate(behind) if _NUMBER.match(row.text)]
        if not starts:
            return
        self.heading(row.start, row.end)
        for first, after in pairwise((*starts, len(behind))):
            self.read_record(behind[first].start, behind[after - 1].end, roles, separator)

    def read_record(self, start: int, end: int, roles: Sequence[_Role], separator: str) -> None:
        """Keep the number, the search and the hits of one search, and blank its other cells."""
        cells = list(_cells(self.text, start, end, separator))
        if len(cells) > len(roles) or len(cells) < 2:
            return
        kept: list[_Cell] = []
        for role in ("number", "search", "hits"):
            places = [n for n, one in enumerate(roles[: len(cells)]) if one == role]
            filled = [cells[n] for n in places if role != "hits" or _COUNT.fullmatch(self.cell_text(cells[n]))]
            kept += filled[:1]
        if len(kept) < 2:
            return
        for cell, role in zip(cells, roles, strict=False):
            shown = " ".join(self.cell_text(cell).split())
            if role == "limits" and shown and cell not in kept:
                if _BELOW.match(shown):
                    kept.append(cell)  # Limiters - Peer Reviewed
                    self.named(shown)
                else:
                    restriction = Restriction(start, cell.start, f"Filters: {shown}")
                    self.findings.append(left_out(restriction, Span(cell.start, cell.end)))
            elif role == "other":
                self.named(shown)
        kept.sort()
        at = start
        for cell in kept:
            self.blank(at, cell.start)
            if cell.start > start:
                self.letters[cell.start - 1] = "\t"
            self.keep(cell)
            at = cell.end
        self.blank(at, end)

    def cell_text(self, cell: _Cell) -> str:
        return self.text[cell.start : cell.end].strip().strip('"').rstrip("*°").strip()

    def keep(self, cell: _Cell) -> None:
        """Keep a cell, in one row and without its own quotes."""
        written = re.sub(r"[\n\r]", " ", self.text[cell.start : cell.end])
        bare = written.strip()
        if len(bare) > 1 and bare[0] == bare[-1] == '"' and bare.count('"') % 2 == 0 and _is_quoted(bare):
            at = written.index('"')
            inside = written[at + 1 : at + len(bare) - 1]
            written = f"{written[:at]} {_with_single_quotes(inside)} {written[at + len(bare) :]}"
        if _COUNT.fullmatch(written.strip().rstrip("*°")):
            written = written.replace("*", " ").replace("°", " ")
        self.letters[cell.start : cell.end] = written

    # Rows

    def blank_headings(self) -> None:
        """Blank the headings above the first search."""
        rows = self.rows()
        for place, row in enumerate(rows):
            follows = rows[place + 1].text if place + 1 < len(rows) else ""
            if re.fullmatch(r"[-=_*~\s]+", row.text):
                continue
            if not follows or _OPERATOR.match(follows) or not _is_heading(row.text):
                if _COLUMNS.fullmatch(row.text) and follows:
                    self.heading(row.start, row.end)
                    continue
                break
            self.named(row.text)
            self.heading(row.start, row.end)

    def join_rows(self) -> None:
        """Join rows that continue the cells of the search above them."""
        above: TextRow | None = None
        for row in self.rows():
            if above is not None and _BELOW.match(row.text):
                self.blank(above.end, row.start)
                self.named(row.text)
                if late := _LATE.match(row.text):
                    self.blank(row.start, row.start + late.end())
            elif above is not None and (
                (_COUNT.fullmatch(row.text) and _BELOW.search(above.text))
                or (_ALONE.fullmatch(above.text) and not _ALONE.fullmatch(row.text))
            ):
                self.blank(above.end, row.start)
            above = row
        text = "".join(self.letters)
        for found in _BUTTONS.finditer(text) if "View Results" in text else ():
            self.blank(found.start(), found.end())

    def blank_prefixes(self) -> None:
        rows = self.rows()
        numbers = [_NUMBER.match(row.text) for row in rows]
        bodies = [row.text[found.end() :].lstrip() for row, found in zip(rows, numbers, strict=True) if found]
        are_searches = len(bodies) > (0 if "Items found" in self.text else 1) and all(
            _SEARCH.match(body) for body in bodies
        )
        are_searches = are_searches and all("#" in found.group() for found in numbers if found)
        for place, (row, number) in enumerate(zip(rows, numbers, strict=True)):
            if found := _LINE.match(row.text):
                self.blank(row.start, row.start + found.end())
                continue
            start = row.end - len(row.text[number.end() :].lstrip()) if number else row.start
            body = self.text[start : row.end]
            prefix = _OWN_PREFIX.match(body) if number else _PREFIX.match(body) if not place else None
            if prefix is None and number and are_searches:
                prefix = _SEARCH.match(body)
            if prefix:
                self.named(prefix.group())
                blanked = self.blank if number else self.heading
                blanked(start, start + len(prefix.group().rstrip()))
            if number:
                self.blank_names(row)

    def blank_names(self, row: TextRow) -> None:
        """Blank cells after the search that only name databases."""
        for found in re.finditer(r"(?<=\t)[^\t\n\r]+", self.text[row.start : row.end]):
            cell = found.group().strip()
            if "\t" not in self.text[row.start : row.start + found.start() - 1].strip():
                continue
            if PLATFORM.fullmatch(cell):
                self.named(cell)
                self.blank(row.start + found.start(), row.start + found.end())


def _is_heading(text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern in (_NAMED, _PERIOD, PLATFORM, _COLUMNS))


def _roles(row: str, separator: str) -> tuple[_Role, ...] | None:
    """Return the roles of the columns, if the row names three or more and one of them holds the searches."""
    names = [" ".join(name.strip(' "\ufeff').lower().split()) for name in row.split(separator)]
    if len(names) < 3 or not all(re.fullmatch(_COLUMN, name, re.IGNORECASE) for name in names if name):
        return None
    column = next((name for name in (*_SEARCHES, *_SEARCHES_TOO) if name in names), None)
    if column is None or names.index(column) == 0:
        return None
    roles: list[_Role] = []
    for place, name in enumerate(names):
        if place == names.index(column):
            roles.append("search")
        elif place == 0:
            roles.append("number")
        elif name in _HITS:
            roles.append("hits")
        else:
            roles.append("limits" if name in _LIMITS else "other")
    return tuple(roles)


def _cells(text: str, start: int, end: int, separator: str) -> Iterator[_Cell]:
    at = start
    while at <= end:
        found = _CELL.match(text, at, end) if separator == "," else None
        stop = found.end() if found else text.find(separator, at, end)
        if stop < 0 or (separator == "," and stop >= end):
            yield _Cell(at, end)
            return
        if text[stop] != separator:
            yield _Cell(at, end)
            return
        yield _Cell(at, stop)
        at = stop + 1


def _is_quoted(bare: str) -> bool:
    """Return True for a cell in quotes, but not for two phrases: "heart attack" OR "stroke"."""
    return '"' not in bare[1:-1].replace('""', "")


def _with_single_quotes(text: str) -> str:
    """Replace each doubled quote with one, and a blank outside the phrase."""
    signs = iter(range(len(text)))
    return re.sub('""', lambda _: ' "' if next(signs) % 2 == 0 else '" ', text)
