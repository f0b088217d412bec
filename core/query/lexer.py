"""Split a search string into tokens, and read terms, headings, and year ranges from them."""

from __future__ import annotations

import re
from bisect import bisect_right
from calendar import monthrange
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple

from core.query.dialects import DIALECTS, tag_named, unknown_tag
from core.query.dialects.base import DAYS, Dialect, NearForm, Tag
from core.query.dialects.dimensions import unwrapped
from core.query.dialects.values import value_named
from core.query.tree import (
    ANY_ENDING,
    OTHER_FIELDS,
    TEXT_FIELDS,
    DialectId,
    Edit,
    Finding,
    Fix,
    Gap,
    Group,
    Heading,
    Near,
    Node,
    Not,
    ParsedQuery,
    Pieces,
    Range,
    Severity,
    Span,
    Term,
    Thesaurus,
    group_of,
    parts_of,
)
from core.text import words

# Collects the findings made while a text is read.

MOST_OF_A_KIND = 50
"""Maximum number of findings listed per rule."""


class FindingCollector:
    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._n_found: Counter[str] = Counter()

    def has(self, rule: str) -> bool:
        return rule in self._n_found

    def add(self, rule: str, severity: Severity, span: Span, message: str, fix: Fix | None = None) -> None:
        """Add a finding; at most MOST_OF_A_KIND are listed per rule."""
        self._n_found[rule] += 1
        if self._n_found[rule] < MOST_OF_A_KIND:
            self.findings.append(Finding(rule, severity, span, message, fix))
        elif self._n_found[rule] == MOST_OF_A_KIND:
            self.findings.append(Finding(rule, severity, span, f"{message} There are more of this kind."))

    def in_order(self) -> tuple[Finding, ...]:
        """Return the findings in text order."""
        return tuple(sorted(self.findings, key=lambda f: (f.span.start, f.span.end)))


# Terms, headings and ranges: from words and a tag to a leaf.

_BRACED = r"\{(\d{0,4}),(\d{0,4})\}"
_LIMITED = re.compile(r"(?:\[\*|(?<=\w)\$)(\d{1,2})\]?")
"""Limited truncation in ProQuest: adapt[*3] or adapt$3."""
_COLON = re.compile(r"(?<=\w):(?=\s|$)")
_DATE = re.compile(
    r"(?<!\d)(?P<year>1[5-9]\d\d|2[01]\d\d|3000)"
    r"(?:(?P<sign>[/-])(?P<month>\d{1,2})(?:(?P=sign)(?P<day>\d{1,2}))?(?!\d)"
    r"|(?P<month2>[01]\d)(?P<day2>[0-3]\d)?(?!\d)|(?!\d))"
)
_DECADE = re.compile(r"(?<!\d)(1[5-9]|20|21)(\d)[*$](?!\w)|(?<!\d)(1[5-9]\d\d|2[01]\d\d)[*$](?!\w)")
"""200* and 2012*: the years that begin with these digits."""
_OPEN_END = re.compile(r"[-–:/]\s*(current|present|3000)?\W*$", re.IGNORECASE)
_WINDOW = re.compile(r"(.*):~(\d{1,6})$", re.DOTALL)
EARLIEST, LATEST = 1500, 2199


@dataclass(frozen=True, slots=True)
class LeafText:
    """The text of one leaf, before a tag gives it a meaning."""

    text: str
    span: Span
    quoted: bool
    suffix: str = ""
    exact: bool = False


def pieces_of(text: str, dialect: Dialect) -> Pieces:
    """Split a text into letters and gaps; a wildcard that the dialect lacks stays a letter.

    >>> from core.query.dialects import DIALECTS
    >>> pieces_of("behavio?r*", DIALECTS["ovid"])
    ('behavio', Gap(least=0, most=1), 'r', Gap(least=0, most=None))
    """
    signs = "".join(map(re.escape, dialect.wildcards))
    counted = r"(\d{1,3})?" if dialect.counted_wildcards else "()"
    if dialect.colon_truncates:
        text = _COLON.sub("*", text)
    if dialect.limited_wildcards:
        text = _LIMITED.sub(r"{0,\1}", text)
    pieces: list[str | Gap] = []
    last = 0
    for found in re.finditer(rf"([{signs}]){counted}|{_BRACED}", text):
        if found.start() > last:
            pieces.append(text[last : found.start()])
        last = found.end()
        gap = _gap(found, dialect)
        if gap == ANY_ENDING and pieces and pieces[-1] == ANY_ENDING:
            continue
        pieces.append(gap)
    if last < len(text):
        pieces.append(text[last:])
    return tuple(pieces)


def _gap(found: re.Match[str], dialect: Dialect) -> Gap:
    sign, number, least, most = found.groups()
    if sign is None:
        return Gap(int(least or 0), int(most) if most else None)
    gap = dialect.wildcards[sign]
    return Gap(0, int(number)) if number and gap == ANY_ENDING else gap


def leaf_of(written: LeafText, tag: Tag | None, dialect: Dialect, *, window: int | None = None) -> Node | None:
    """Build the leaf; None if it holds no word."""
    if tag is not None and tag.kind == "heading":
        return heading_of(written.text, written.span, tag)
    if tag is not None and tag.kind == "years":
        return years_of(written.text, written.span, tag)
    quoted = written.quoted
    pieces = pieces_of(written.text, dialect) + ((ANY_ENDING,) if written.suffix == "*" else ())
    if not any(isinstance(piece, str) and words(piece) for piece in pieces):
        return None
    fields, name = (tag.fields, tag.name) if tag else ((), "")
    term = Term(pieces, quoted, fields, written.exact, span=written.span, tag=name)
    if written.suffix.startswith("~"):
        window = int(written.suffix[1:])
    if window is None:
        return term
    return _within(term, window)


def _within(term: Term, distance: int) -> Node:
    """Allow other words between the words of a phrase, and any order."""
    parts = tuple(
        Term(word.pieces, False, term.fields, span=term.span, tag=term.tag) for run in term.chunks for word in run
    )
    if len(parts) < 2:
        return term
    return Near(parts, distance, ordered=False, whole=len(parts) > 2, span=term.span)


def heading_of(text: str, span: Span, tag: Tag) -> Heading | None:
    """Read a subject heading: "Masks/adverse effects", *Stress, Malaria+ as in EBSCO."""
    name = " ".join(text.split())
    major = tag.major or name.startswith("*")
    explode = tag.explode
    name = name.lstrip("* ")
    if name.endswith("+"):
        name, explode = name.rstrip("+ "), True
    name, _, subheadings = name.replace(" -- ", "/", 1).partition("/")
    if name.endswith("+"):
        name, explode = name.rstrip("+ "), True
    if not words(name):
        return None
    parts = [part.strip() for part in re.split("[,/]", subheadings)]
    below = tuple(part.lower() if len(part) == 2 else part for part in parts if part)
    return Heading(name.strip(), explode, major, below, span=span, thesaurus=tag.thesaurus, tag=tag.name)


def years_of(text: str, span: Span, tag: Tag = DAYS) -> Range | None:
    """Read 2010-2020, 2010:3000, "2015 -Current", >2010 or 200*, and months and days where a tag has them.

    >>> years_of("2010/03:2015/12/31", Span(0, 0))
    Range(span=Span(start=0, end=0), outer=None, low=2010, high=2015, low_day='03', high_day='', tag='')
    """
    decades = list(_DECADE.finditer(text))
    if decades:
        first, last = (_years_like(found) for found in (decades[0], decades[-1]))
        return Range(min(first[0], last[0]), max(first[1], last[1]), span=span, tag=tag.name)
    dates = [_date(found) for found in _DATE.finditer(text)]
    stripped = text.strip()
    if not dates:
        return None
    (low, low_day), (high, high_day) = dates[0], dates[-1]
    start, end = low, high
    if len(dates) == 1:
        begins = stripped.upper()
        if tag.name.startswith("from_") or _OPEN_END.search(stripped) or begins.startswith((">", "AFT")):
            is_later = begins.startswith(("AFT", ">")) and ">=" not in stripped
            if is_later and tag.days and low_day:
                low, low_day = _beside(low, low_day, 1)
            elif is_later:
                low += 1
            return Range(low, None, span=span, tag=tag.name, low_day=_first(low_day, tag))
        if tag.name.startswith("to_") or re.match(r"(?:0001|1000)?[-–:]|0001/|<|BEF", stripped, re.IGNORECASE):
            is_earlier = begins.startswith(("BEF", "<")) and "<=" not in stripped
            if is_earlier and tag.days and high_day:
                high, high_day = _beside(high, high_day, -1)
            elif is_earlier:
                high -= 1
            return Range(None, high, span=span, tag=tag.name, high_day=_last(high, high_day, tag))
    if (low, low_day) > (high, high_day):
        (start, low_day), (end, high_day) = (high, high_day), (low, low_day)
    until: int | None = end
    since: int | None = start
    if len(dates) > 1 and end >= LATEST:  # PubMed writes 3000 for "until today"
        until, high_day = None, ""
    if len(dates) > 1 and start == EARLIEST and until is not None:
        since, low_day = None, ""
    if len(dates) > 1 and stripped.startswith("<"):  # [<1966-2020]/py
        since, low_day = None, ""
    return Range(
        since, until, span=span, tag=tag.name, low_day=_first(low_day, tag), high_day=_last(end, high_day, tag)
    )


def _beside(year: int, day: str, days: int) -> tuple[int, str]:
    """Shift a date by a number of days; a date without a day, or without a valid one, stays the same."""
    month, _, number = day.partition("/")
    try:
        found = date(year, int(month), int(number)) + timedelta(days=days)
    except (ValueError, OverflowError):
        return year, day
    return found.year, f"{found:%m/%d}"


def _years_like(found: re.Match[str]) -> tuple[int, int]:
    century, decade, year = found.groups()
    return (int(year), int(year)) if year else (int(century + decade) * 10, int(century + decade) * 10 + 9)


def _date(found: re.Match[str]) -> tuple[int, str]:
    """Return the year, and the month and day: 03/15."""
    month = int(found["month"] or found["month2"] or 0)
    day = int(found["day"] or found["day2"] or 0)
    if not 1 <= month <= 12 or day > 31:
        return int(found["year"]), ""
    return int(found["year"]), f"{month:02}/{day:02}" if day else f"{month:02}"


def _first(day: str, tag: Tag) -> str:
    """Return the first day of a range; empty for the start of the year."""
    day = day.removesuffix("/01")
    return day if tag.days and day != "01" else ""


def _last(year: int, day: str, tag: Tag) -> str:
    """Return the last day of a range; empty for the end of the year."""
    month, _, rest = day.partition("/")
    if rest and int(rest) >= monthrange(year, int(month))[1]:
        day = month
    return day if tag.days and day != "12" else ""


def with_tag(node: Node, tag: Tag) -> Node:
    """Set the tag on every term that has no field of its own."""
    if isinstance(node, Group):
        return replace(node, parts=tuple(with_tag(part, tag) for part in node.parts))
    if isinstance(node, Near):
        return replace(node, parts=tuple(with_tag(part, tag) for part in node.parts)) if tag.kind == "text" else node
    if isinstance(node, Not):
        return replace(node, part=with_tag(node.part, tag))
    if not isinstance(node, Term) or node.fields:
        return node
    if tag.kind == "text":
        return replace(node, fields=tag.fields, tag=tag.name)
    text = "".join(piece if isinstance(piece, str) else "?" if piece.most == 1 else "*" for piece in node.pieces)
    made = heading_of(text, node.span, tag) if tag.kind == "heading" else years_of(text, node.span, tag)
    if made is None and tag.kind == "years":
        return replace(node, fields=unknown_tag(tag.name).fields, tag=tag.name)
    return made or node


def limit_of(text: str, span: Span, dialect: Dialect) -> Node | None:
    """Read the content of LIMIT-TO(...): a field, a comma and a value."""
    name, _, value = text.partition(",")
    value = value.strip().strip('"')
    tag = tag_named(name, dialect.id) or unknown_tag(f"limit-to {name}")
    return leaf_of(LeafText(value, span, quoted=tag.kind == "text"), tag, dialect)


def slashed(written: LeafText) -> Heading | None:
    """Read a heading in Ovid's syntax: exp Stress/, *Malaria/dt."""
    name, slash, below = written.text.strip().replace('"', "").rpartition("/")
    if not slash or not words(name) or any(len(code.strip()) != 2 for code in below.split(",") if below):
        return None
    explode = name.lower().startswith("exp ")
    name = name[4:] if explode else name
    return heading_of(f"{name.strip()}/{below}", written.span, Tag("heading", explode=explode))


def tag_and_window(name: str) -> tuple[str, int | None]:
    """Split a PubMed tag into its name and the distance in it.

    >>> tag_and_window("Title/Abstract:~3")
    ('title/abstract', 3)
    """
    found = _WINDOW.match(name.strip())
    if found:
        return " ".join(found.group(1).lower().split()), int(found.group(2))
    return " ".join(name.lower().split()), None


# The syntax of the Cochrane Library and Embase.com, read with its own meaning in every dialect but Ovid's.
#
# asthma:ti,ab,kw, [mh ^"Asthma"], MeSH descriptor: [Asthma] explode all trees, 'asthma'/exp, [english]/lim.

_CODES = {
    "ti": ("title",),
    "tt": ("title",),
    "ab": ("abstract",),
    "kw": ("keywords",),
    "de": ("subject",),
    "tn": ("substance",),
    "rn": ("substance",),
    "pt": ("publication_type_only",),
    "la": ("language",),
    "au": ("author",),
}
_AFTER = r"(?:/(?:exp|de|mj|br|d[mdv]_\w\w(?:,d[mdv]_\w\w)*)){1,4}(?![\w/])"
_CODE_LIST = r"[a-z]{2}(?:,\s*[a-z]{2})*"
_SOME_TREES = r"explode\s+(?:tree|trees)\s+\d(?:[\d,\s]|and)*(?<=\d)(?!\d)|\d+\s+tree\(s\)\s+exploded"
_EXTENT = rf"(?:this\s+term\s+only|explode\s+all\s+trees|{_SOME_TREES})"
"""The extent of a heading in the Cochrane Library."""
LEAF = re.compile(
    rf"""
      \[mh\s*/\s*(?P<floating>{_CODE_LIST})\s*\]
    | \[mh(?:\s*(?P<only>\^)\s*|\s+)"?(?P<mesh>[^\[\]"\n]{{1,200}})"?\s*(?P<major>\[mj\]\s*)?
      (?:/(?P<inside>{_CODE_LIST})\s*)?\]
      (?:/(?P<below>{_CODE_LIST})(?!\w))?
    | MeSH\s+descriptor:\s*\[(?P<descriptor>[^\[\]\n]{{1,200}})\]
      (?P<how>(?:\s+(?:{_EXTENT}|in\s+all\s+MeSH\s+products)){{0,3}})
      (?:\s+(?:and\s+)?with\s+qualifiers?(?:\(s\))?:\s*\[(?P<qualifiers>[^\[\]\n]{{1,400}})\])?
    | MeSH\s+descriptor\s+(?P<older>[^\[\]()"\n:]{{1,200}}?)(?P<older_how>,?\s+{_EXTENT})
      (?:\s+with\s+qualifiers?:\s*(?P<older_below>{_CODE_LIST})(?!\w))?
    | '(?P<emtree>[^'"\[\]\n]{{1,200}})'(?P<after>{_AFTER})
    | (?P<bare>[^\W_][\w-]{{0,100}})(?P<after_bare>{_AFTER})
    | \[(?P<limit>[^\[\]"\n]{{1,200}})\]/(?P<kind>lim|py|sd)(?!\w)
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""A complete subject heading or limit."""
BEGINS = "[mM'"
"""The characters that a heading or limit can begin with, unless it is one bare word."""
PHRASE = re.compile(rf"'([^'\"()\[\]\n]{{1,200}})'(?=:(?:{'|'.join(_CODES)})\b)", re.IGNORECASE)
"""Single quotes followed by a field."""
_QUOTED = re.compile(r"'([^'\"\n]{1,400})'(?!\w)")
"""Single quotes in Embase.com, where they are the usual ones."""


def leaf_named(text: str, span: Span, dialect: Dialect) -> Node | None:
    found = LEAF.fullmatch(text)
    if found is None:
        return None
    mesh: Thesaurus = "" if dialect.thesaurus == "mesh" else "mesh"
    emtree: Thesaurus = "" if dialect.thesaurus == "emtree" else "emtree"
    if codes := found["floating"]:
        terms = [
            Term((code,), False, ("subheading",), span=span, tag="fs") for code in re.findall(r"\w\w", codes.lower())
        ]
        return group_of("OR", terms, span=span)
    if name := found["mesh"]:
        tag = Tag("heading", explode=not found["only"], major=bool(found["major"]), thesaurus=mesh)
        return heading_of(f"{name}/{found['inside'] or found['below'] or ''}", span, tag)
    if name := found["descriptor"] or found["older"]:
        only = "only" in (found["how"] or found["older_how"] or "").lower()
        below = found["older_below"] or ",".join(
            re.findall(r"(?:- |^|, ?)([A-Z]{2})\b(?=\s*,|\s*$)", found["qualifiers"] or "")
        )
        return heading_of(f"{name}/{below}", span, Tag("heading", explode=not only, thesaurus=mesh))
    if name := found["emtree"] or found["bare"]:
        after = (found["after"] or found["after_bare"]).lower()
        below = ",".join(code.removeprefix("dm_") for code in re.findall(r"d[mdv]_\w\w", after))
        explode = "/exp" in after or "/br" in after
        tag = Tag("heading", explode=explode, major="/mj" in after, thesaurus=emtree)
        return heading_of(f"{name}/{below}", span, tag)
    if not words(found["limit"]):
        return None
    kind, value = found["kind"].lower(), found["limit"].strip()
    if kind == "py" and (years := years_of(value, span)):
        return years
    return Term((value,), True, (_limit_field(value, kind),), span=span, tag=kind)


def explodes_some_trees(text: str) -> bool:
    """Return True if a heading is exploded in only some of its places in MeSH."""
    return re.search(_SOME_TREES, text, re.IGNORECASE) is not None


def is_broad(text: str) -> bool:
    """Return True if Embase.com also searches the words of the heading: 'heart attack'/br."""
    return text.lower().endswith("/br")


def _limit_field(value: str, kind: str) -> str:
    """Return the field that [english]/lim limits."""
    if kind == "sd":
        return "entry_date"
    if value_named("language", value, "embase"):
        return "language"
    return "publication_type" if value_named("publication_type", value, "embase") else "embase_limit"


def colon_suffix_of(value: str) -> tuple[int, Tag] | None:
    """Find the suffix :ti,ab in a word; return its position and its tag.

    >>> at, tag = colon_suffix_of("asthma*:ti,ab")
    >>> at, tag.fields
    (7, ('title', 'abstract'))
    """
    at = value.rfind(":")
    codes = value[at + 1 :].lower().split(",")
    if at < 0 or any(code not in _CODES for code in codes):
        return None
    fields = {field for code in codes for field in _CODES[code]}
    return at, Tag(fields=tuple(f for f in (*TEXT_FIELDS, *OTHER_FIELDS) if f in fields))


# Splits a text into tokens for the parser: brackets, quoted phrases, tags, operators and words, each with its span.

TokenKind = Literal["(", ")", "quoted", "braces", "tag", "word", "heading", "op", "near", "stray"]

LONGEST = 100_000
"""Maximum number of characters: a longer text is a mistake, not a query."""
WIDEST = 1_000_000
"""The largest distance; larger ones are reduced to it."""

_QUOTES = "“”„‟«»＂″"
_APOSTROPHES = "‘’‚‛"
_SPACES = "\x00\u00a0\u2002\u2003\u2009\u202f\u3000\u200b\ufeff"
_DIRECTIONS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_TYPED = str.maketrans(
    dict.fromkeys(_QUOTES, '"')
    | dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_SPACES + _DIRECTIONS, " ")
    | dict.fromkeys("‐‑‒–—−", "-")
    | {"（": "(", "）": ")", "＊": "*", "？": "?"}
)
_TOKENS = r"""
      (?P<space>\s+)
    | (?P<quoted>"[^"]*"(?:\*|~\d+)?)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<tag>\[(?:mp=[^\[\]\n]{0,600}|[^\[\]\n"]{0,80})\])
    | (?P<braces>\{[^{}\n]*\})
    | (?P<word>(?:[^\s()"\[\]{}]+|\{\d{0,4},\d{0,4}\})+)
    | (?P<stray>.)
    """
_TOKEN = re.compile(_TOKENS, re.VERBOSE | re.DOTALL)
_LIMITED_TOKEN = re.compile(
    _TOKENS.replace("(?P<word>(?:", r"(?P<word>(?:(?<=\w)\[\*\d{1,2}\]|"), re.VERBOSE | re.DOTALL
)
_SLASHED = re.compile(r'(?:exp\s+)?\*?"[^"\n]{1,200}"/(?:\w\w(?:,[ ]?\w\w)*(?![\w,]))?', re.IGNORECASE)
"""A subject heading in Ovid's syntax that holds an operator or a bracket: exp "Wounds and Injuries"/."""
_COMMENT = re.compile(
    r"(?:(?<=\s)-\s+)?\(Word variations have been searched\)|(?<![^\s(])/\*.*?\*/|^[ \t]*(?://|\#[ \t])[^\n]*",
    re.MULTILINE | re.DOTALL,
)
_APART = re.compile(
    r"""(?P<before>[)"])(?P<space>[ \t]*)\.(?P<inside>[ \t]+)(?P<tag>[a-z][a-z0-9](?:,[a-z][a-z0-9])*\.?)(?=[\s)]|$)
    | (?P<word>[\w*$?\#)"])(?P<gap>[ \t]+)(?P<dotted>\.[a-z][a-z0-9](?:,[a-z][a-z0-9])*\.)(?=[\s)]|$)
    | (?<=[\w*$?\#)"])(?P<listed>\.(?:[a-z][a-z0-9](?:,[a-z][a-z0-9])*,[ \t]+[a-z][a-z0-9]
      |[ \t]+(?:ti|ab|tw|mp|kf|kw|hw|sh|pt|af))(?:,[ \t]*[a-z][a-z0-9])*\.)(?=[\s)]|$)
    | (?<=\.)[ \t]+(?P<often>/freq=\d{1,3})(?=[\s)]|$)""",
    re.IGNORECASE | re.VERBOSE,
)
"""An Ovid field tag with a space inside or before it: (heat or cold). tw, heat.ti, ab."""
_OPENING = re.compile(r"(?<![^\s(])/\*")
_NEXT_FIELD = re.compile(r",(?=[a-z_.]{2,40}:)")
_OPERATOR = re.compile(r"and|or|not", re.IGNORECASE)
_NEAR = re.compile(r"(NEAR/|NEXT/|PRE/|P/|W/|N/|ADJ|NEAR|NEXT|PRE|N|W)(\d{0,7})", re.IGNORECASE)
_FOREIGN = {
    "NEAR/": NearForm("NEAR/"),
    "PRE/": NearForm("PRE/", ordered=True),
    "W/": NearForm("W/"),
    "N/": NearForm("N/"),
    "ADJ": NearForm("ADJ", more=1),
    "NEAR": NearForm("NEAR"),
    "NEXT": NearForm("NEXT", ordered=True, more=1),
    "NEXT/": NearForm("NEXT/", ordered=True, more=1),
}


class NearValue(NamedTuple):
    distance: int
    ordered: bool
    foreign: bool
    """True if it is the syntax of another dialect."""


class Token(NamedTuple):
    kind: TokenKind
    start: int
    end: int
    value: str
    """Quoted: the text inside the quotes. Operator: AND, OR or NOT. Otherwise the text itself. All cleaned."""
    near: NearValue | None = None
    suffix: str = ""
    """The characters after a closing quote: * or ~3."""


def cleaned(text: str) -> str:
    """Return the text with plain quotes, brackets, hyphens and spaces, character for character.

    >>> cleaned("“heat\\u00a0wave”")
    '"heat wave"'
    """
    return text.translate(_TYPED)


def lex(text: str, dialect: Dialect, report: FindingCollector, start: int = 0, end: int | None = None) -> list[Token]:
    """Split a text, or part of it, into tokens. Nothing is rejected; problems are reported."""
    end = len(text) if end is None else end
    clean, stray_quote = _close_quotes(text[:start] + cleaned(text[start:end]), start)
    if stray_quote is not None:
        _report_quote(stray_quote, clean, report)
    clean = _without_comments(clean, start)
    if dialect.labels:
        clean = clean[:start] + _labels(dialect.id).sub(lambda found: _tag_for(found, dialect), clean[start:])
        clean = clean[:start] + _SPACED_TAG.sub(lambda found: _without_space(found, dialect), clean[start:])
    if dialect.tag_style == "suffix":
        clean = clean[:start] + _APART.sub(lambda found: _joined(found, start, report), clean[start:])
    if dialect.tag_covers_rest:
        clean = _NEXT_FIELD.sub(" ", clean)
    tokens: list[Token] = []
    at = start
    while at < end:
        found = _SLASHED.match(clean, at, end) if dialect.slash_headings and clean[at] in 'eE*"' else None
        if found is not None:
            at = found.end()
            tokens.append(Token("word", found.start(), at, found.group()))
            continue
        if not dialect.slash_headings and clean[at] in BEGINS and (foreign := _foreign(clean, at, end, dialect)):
            tokens.append(foreign)
            at = foreign.end
            continue
        found = (_LIMITED_TOKEN if dialect.limited_wildcards else _TOKEN).match(clean, at, end)
        assert found is not None  # the last alternative matches any character
        kind, at = found.lastgroup, found.end()
        if kind == "word":
            tokens.append(_word(found.group(), found.start(), dialect))
        elif kind == "quoted":
            tokens.append(_quoted(found.group(), found.start()))
        elif kind == "open" or kind == "close":
            tokens.append(Token("(" if kind == "open" else ")", found.start(), at, found.group()))
        elif kind == "tag" or kind == "braces":
            tokens.append(Token("tag" if kind == "tag" else "braces", found.start(), at, found.group()[1:-1].strip()))
        elif kind == "stray":
            message = f"{found.group()} stands alone: close or remove it"
            fix = Fix("Remove it", (Edit(found.start(), at, ""),))
            report.add("unbalanced-bracket", "error", Span(found.start(), at), message, fix)
    if labels := _LABELS_BEHIND.get(dialect.id):
        tokens = _with_labels_behind(tokens, list(labels.finditer(clean, start, end)), dialect)
    return _join_and_not(tokens)


# Field labels in a list of results, after the words they apply to: stroke OR CVA (Topic) AND aphasia (Title).

_LABELS_BEHIND: dict[DialectId, re.Pattern[str]] = {
    "wos": re.compile(r"\((?P<not>Exclude\s+-\s+)?(?P<name>[A-Z][A-Za-z]+(?:[ /-][A-Z][A-Za-z]+)*)(?:\s?®)?\)"),
    "cochrane": re.compile(
        r"\bin\s+(?P<not>(?!))?(?P<name>Title\s+Abstract\s+Keyword|Record\s+Title|Abstract|Keyword|Author|Source"
        r"|Publication\s+Type|DOI|Accession\s+Number|All\s+Text)\b"
    ),
}
_COCHRANE_LABELS = {
    "Title Abstract Keyword": ":ti,ab,kw",
    "Record Title": ":ti",
    "Abstract": ":ab",
    "Keyword": ":kw",
    "Author": ":au",
    "Source": ":so",
    "Publication Type": ":pt",
    "DOI": ":doi",
    "Accession Number": ":an",
}


def _with_labels_behind(tokens: list[Token], labels: list[re.Match[str]], dialect: Dialect) -> list[Token]:
    """Add brackets around the tokens that a label applies to, and its tag; the brackets have no width."""
    at_start = {found.start(): found for found in labels if _label_tag(found, dialect) is not None}
    if not at_start:
        return tokens
    out: list[Token] = []
    begins = [0]
    """The start of the words that a label would apply to, at each depth of brackets."""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        found = at_start.get(token.start)
        if found is None or len(out) <= begins[-1] or out[-1].kind in ("op", "near", "("):
            out.append(token)
            place += 1
            if token.kind == "(":
                begins.append(len(out))
            elif token.kind == ")" and len(begins) > 1:
                begins.pop()
            continue
        first = begins[-1]
        if out[first].kind == "op":
            first += 1
        opened = out[first].start
        tag = _label_tag(found, dialect) or ""
        before = Token("word", opened, opened, tag), Token("(", opened, opened, "(")
        out[first:first] = before if tag.endswith("=") else before[1:]
        if found["not"] and first and out[first - 1].kind == "op":
            out[first - 1] = out[first - 1]._replace(value="NOT")
        if tag.startswith(":"):
            out += [Token(")", found.start(), found.start(), ")"), Token("word", found.start(), found.end(), tag)]
        else:
            out.append(Token(")", found.start(), found.end(), ")"))
        begins[-1] = len(out)
        while place < len(tokens) and tokens[place].start < found.end():
            place += 1
    return out


def _label_tag(found: re.Match[str], dialect: Dialect) -> str | None:
    """Return TS= or :ti,ab,kw; empty: any field. None: not a label."""
    name = " ".join(found["name"].split())
    if dialect.id == "cochrane":
        return _COCHRANE_LABELS.get(name, "")
    code = dialect.labels.get(name.upper())
    return code and f"{code}="


def _foreign(clean: str, at: int, end: int, dialect: Dialect) -> Token | None:
    """Read a heading, or a phrase in single quotes, in the syntax of the Cochrane Library or Embase.com."""
    if at and (clean[at - 1].isalnum() or clean[at - 1] == "_"):
        return None
    if found := LEAF.match(clean, at, end):
        return Token("heading", at, found.end(), found.group())
    if found := (_QUOTED if dialect.id == "embase" else PHRASE).match(clean, at, end):
        return Token("quoted", at, found.end(), found.group(1))
    return None


def _without_comments(clean: str, start: int) -> str:
    """Replace /* comments */, and lines that begin with // or with # and a space, with blanks."""
    if "/*" not in clean and "//" not in clean and "# " not in clean and "(Word v" not in clean:
        return clean
    closed = clean.rfind("*/", start) + 2 if "*/" in clean[start:] else start
    text = clean[start:closed] + _OPENING.sub("  ", clean[closed:])  # after the last */ no comment is closed
    return clean[:start] + _COMMENT.sub(_blanks, text)


def _joined(found: re.Match[str], start: int, report: FindingCollector) -> str:
    """Remove the spaces from a tag and add them after it, so that nothing else moves."""
    tag = "".join((found["tag"] or found["dotted"] or found["listed"] or found["often"]).split())
    if not found["often"] and tag_named(tag.strip("."), "ovid") is None:
        return found.group()
    span = Span(start + found.start(), start + found.end())
    label = DIALECTS["ovid"].label
    fix = Fix("Remove the space", (Edit(span.start, span.end, "".join(found.group().split())),))
    report.add("spaced-field", "hint", span, f"There is a space in this field tag: {label} may read it as a word.", fix)
    return "".join(found.group().split()).ljust(len(found.group()))


@lru_cache
def _labels(dialect_id: DialectId) -> re.Pattern[str]:
    names = sorted(DIALECTS[dialect_id].labels, key=len, reverse=True)
    return re.compile(
        rf"\b(?:({'|'.join(map(re.escape, names))})\s?[:=]|({'|'.join(re.escape(name.title()) for name in names)})=)"
        r"(?=\s*[(\"])"
    )


def _tag_for(found: re.Match[str], dialect: Dialect) -> str:
    """Return TS= in place of TOPIC:, padded to the same length."""
    return f"{dialect.labels[found[1] or found[2].upper()]}=".ljust(len(found.group()))


_SPACED_TAG = re.compile(r"\b([A-Z]{2,4})[ \t]+=(?=\s*[\w(\"])")


def _without_space(found: re.Match[str], dialect: Dialect) -> str:
    """Return TS= in place of TS =, padded to the same length."""
    return f"{found[1]}=".ljust(len(found.group())) if tag_named(found[1], dialect.id) else found.group()


def _blanks(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _word(value: str, start: int, dialect: Dialect) -> Token:
    end = start + len(value)
    if _OPERATOR.fullmatch(value):
        return Token("op", start, end, value.upper())
    if value == "SAME" and dialect.id == "wos":  # outside addresses it means AND
        return Token("op", start, end, "AND")
    if (found := _NEAR.fullmatch(value)) and (near := _near(found, dialect)):
        return Token("near", start, end, value, near)
    if not dialect.slash_headings and "/" in value and LEAF.fullmatch(value):
        return Token("heading", start, end, value)
    return Token("word", start, end, value)


def _near(found: re.Match[str], dialect: Dialect) -> NearValue | None:
    word, number = found.group(1).upper(), found.group(2)
    own = {form.word: form for form in dialect.near_forms}
    bare = {form.word.rstrip("/"): form for form in dialect.near_forms if len(form.word.rstrip("/")) > 2}
    form = own.get(word) if number else bare.get(word)
    if form is None and number and dialect.id in ("ebsco", "cochrane"):  # N/3, NEXT/3
        form = own.get(word.rstrip("/")) or own.get(f"{word}/")
    foreign = form is None
    if form is None:
        form = _FOREIGN.get(word)
        if form is None or (not number and not (found.group(1).isupper() and word in ("NEAR", "ADJ"))):
            return None
    if number:
        return NearValue(min(max(int(number) - form.more, 0), WIDEST), form.ordered, foreign)
    if word == "ADJ":  # without a number: adjacent and in this order
        return NearValue(0, True, foreign)
    if word in ("NEAR", "PRE"):
        return NearValue((15 if foreign else dialect.near_default) - form.more, form.ordered, foreign)
    return NearValue(0, form.ordered, foreign)


def _quoted(value: str, start: int) -> Token:
    closing = value.rindex('"')
    return Token("quoted", start, start + len(value), value[1:closing], suffix=value[closing + 1 :])


def _join_and_not(tokens: list[Token]) -> list[Token]:
    """Join AND NOT into one operator."""
    out: list[Token] = []
    for token in tokens:
        last = out[-1] if out else None
        if token.kind == "op" and token.value == "NOT" and last and last.kind == "op" and last.value == "AND":
            out[-1] = Token("op", last.start, token.end, "NOT")
        else:
            out.append(token)
    return out


_SPLIT = re.compile(r"\s+(?:AND|OR|NOT)\b|[()\[\]]|\n")


def _close_quotes(clean: str, start: int) -> tuple[str, int | None]:
    """Blank the unclosed one of an odd number of quotes: the first whose phrase holds an operator, else the last."""
    places = [found.start() for found in re.finditer('"', clean[start:])]
    if len(places) % 2 == 0:
        return clean, None
    places = [start + place for place in places]
    stray = places[-1]
    for opening, closing in zip(places[::2], places[1::2], strict=False):
        if _SPLIT.search(clean, opening, closing):
            stray = opening
            break
    return clean[:stray] + " " + clean[stray + 1 :], stray


def _report_quote(at: int, clean: str, report: FindingCollector) -> None:
    found = _SPLIT.search(clean, at)
    end = found.start() if found else len(clean.rstrip())
    end = max(end, at + 1)
    fix = Fix("Close the quote", (Edit(end, end, '"'),)) if end > at + 1 else None
    report.add("unbalanced-quote", "error", Span(at, end), "This quote is not closed, so it was left out.", fix)


# The kind of each part of a query's text, for an editor with syntax colours.

PartKind = Literal[
    "term",
    "phrase",
    "heading",
    "range",
    "near",
    "operator",
    "field",
    "bracket",
    "comment",
    "off",
    "untestable",
]


@dataclass(frozen=True, slots=True)
class HighlightPart:
    start: int
    end: int
    kind: PartKind
    number: int | None
    """The number of the leaf that it belongs to, if any."""


def highlight(
    parsed: ParsedQuery, off: Collection[int] = (), untestable: Collection[int] = ()
) -> tuple[HighlightPart, ...]:
    """Return every meaningful part of the text, in order and without overlaps.

    >>> from core.query.parser import parse
    >>> [(part.kind, part.start, part.end) for part in highlight(parse('heat AND "tall trees"'))]
    [('term', 0, 4), ('operator', 5, 8), ('phrase', 9, 21)]
    """
    if len(parsed.text) > LONGEST or parsed.root is None:
        return ()
    left_out = _below(parsed, off)
    leaves = sorted(
        (node.span.start, node.span.end, number)
        for number, node in enumerate(parsed.nodes)
        if not parts_of(node) and node.span.end > node.span.start
    )
    starts = [start for start, _, _ in leaves]
    parts: list[HighlightPart] = []
    for token in _tokens(parsed):
        if token.start == token.end:
            continue
        place = bisect_right(starts, token.start) - 1
        number = leaves[place][2] if place >= 0 and token.start < leaves[place][1] else None
        kind = _kind(token, None if number is None else parsed.nodes[number])
        if number is not None and kind not in ("operator", "bracket"):
            kind = "off" if number in left_out else "untestable" if number in untestable else kind
        parts.append(HighlightPart(token.start, token.end, kind, number))
    return tuple(parts)


def _tokens(parsed: ParsedQuery) -> list[Token]:
    dialect = DIALECTS[parsed.dialect]
    if parsed.dialect == "dimensions" and (search := unwrapped(parsed.text)):
        return lex(search.text, dialect, FindingCollector(), search.start, search.end)
    if not parsed.lines:
        return lex(parsed.text, dialect, FindingCollector())
    spans = [line.span for line in parsed.lines]
    return [token for span in spans for token in lex(parsed.text, dialect, FindingCollector(), span.start, span.end)]


def _below(parsed: ParsedQuery, off: Collection[int]) -> set[int]:
    """Return the nodes that are switched off, and all nodes in them."""
    found: set[int] = set()
    open_parts: list[int] = []  # for each node that is switched off: number of parts still to come
    for number, node in enumerate(parsed.nodes):
        while open_parts and not open_parts[-1]:
            open_parts.pop()
        if open_parts:
            open_parts[-1] -= 1
        if not open_parts and number not in off:
            continue
        found.add(number)
        if parts_of(node):
            open_parts.append(len(parts_of(node)))
    return found


def _kind(token: Token, node: Node | None) -> PartKind:
    if token.kind in ("op", "near"):
        return "operator"
    if token.kind in ("(", ")"):
        return "bracket"
    if token.kind == "tag":
        return "field"
    if isinstance(node, Term):
        return "phrase" if node.quoted else "term"
    if isinstance(node, Heading):
        return "heading"
    if isinstance(node, Range):
        return "range"
    return "near" if isinstance(node, Near) else "field"
