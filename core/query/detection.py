"""Detect the dialect of a text, and whether it is a search string or a question in plain words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from core.query.dialects import DIALECTS
from core.query.exports import laid_out
from core.query.histories import numbered_lines
from core.query.lexer import cleaned
from core.query.tree import DialectId, Line, Span

LOOKED_AT = 50_000
"""Maximum number of characters examined: signs of a dialect come early."""
MOST_COUNTED = 4
"""Maximum count of one sign: a fifth adds nothing."""

_S_LINES = re.compile(r"\bS\d+\s+(AND|OR|NOT)\s+S\d+\b", re.I)
"""References to lines in EBSCOhost and ProQuest."""
_CALLS = re.compile(r"\b(?<![.$-])(?:ti|ab|su|noft)\([\"(a-zA-Z]")
"""ProQuest fields in lower case: ti(heat)."""
_UPPER_CALLS = re.compile(r"\b(TI|AB|SU|IF|LA|AU|PUB)\(")
_SIGNS: dict[DialectId, tuple[tuple[re.Pattern[str], float], ...]] = {
    "pubmed": (
        (
            re.compile(r"\[(?!mh\s)(ti|tiab|tw|mesh|mh|majr|pt|sh|nm|la|dp|ot|all fields|title/abstract)[\]: ]", re.I),
            3,
        ),
        (re.compile(r"\[(?!mh\s)[A-Za-z /:~0-9-]{2,30}\](?!/)(?<!descriptor: )"), 1),
    ),
    "ovid": (
        (re.compile(r"[\w*$?\")]\.(ti|ab|tw|mp|kf|kw|sh|pt|af|hw|yr)(,\w\w)*\.?(?=[\s)]|$)", re.I), 3),
        (re.compile(r"[\w*$?\")]\.(?:\w\w,)*[ \t]+(?:ti|ab|tw|mp|kf|kw)(?:,[ \t]*\w\w)*\.(?=[\s)]|$)", re.I), 3),
        (re.compile(r"\bexp\s+[^\n]{2,60}/", re.I), 3),
        (re.compile(r"\badj\d+\b", re.I), 2),
        (re.compile(r"^\W*(?:\d+\W+)?limit\s+\d+\s+to\b|^\W*(?:\d+\W+)?\.\.l/", re.I | re.M), 3),
        (re.compile(r"^[^\n/]{3,60}/(\w\w)?\s*$", re.M), 1),
        (re.compile(r"^[^\w\n]*(?:\d+[^\w\n]+)?(and|or)/\d", re.I | re.M), 3),
        (re.compile(r"\w\$\d?(?!\w)"), 0.5),
    ),
    "wos": (
        (re.compile(r"\b(TS|TI|AB|AK|KP|AU|SO|PY|WC|DT|LA|ALL)\s*=", re.I), 3),
        (
            re.compile(
                r"\b(?:TOPIC|TITLE|ABSTRACT|AUTHOR|DOCUMENT TYPES?|LANGUAGES?|PUBLICATION NAME|YEAR PUBLISHED):\s*\("
            ),
            3,
        ),
        (
            re.compile(r" \((?:Topic|Title|Abstract|All Fields|Document Types|Languages)\)|\b(?:Topic|Title)=\("),
            3,
        ),
        (re.compile(r"\bRefined by:", re.I), 3),
        (re.compile(r"\bNEAR/\d+\b", re.I), 2),
    ),
    "scopus": (
        (re.compile(r"\b(TITLE|ABS|KEY|AUTHKEY|TITLE-ABS|TITLE-ABS-KEY|INDEXTERMS|SRCTITLE)\s*\(", re.I), 3),
        (re.compile(r"\bPUBYEAR\b|\bLIMIT-TO\b|\bDOCTYPE\s*\(", re.I), 3),
        (re.compile(r"\b(W|PRE)/\d+\b", re.I), 2),
        (re.compile(r"\{[^{}\d,][^{}]*\}"), 1),
        (re.compile(r"\bAND\s+NOT\b"), 0.5),
    ),
    "ebsco": (
        (re.compile(r"\((MH|MM|DE)\s+\""), 3),
        (re.compile(r"(?:^|[\s(])(TI|AB|SU|KW|TX|MW|MJ)\s+[(\"\w]"), 2),
        (re.compile(r"\b[NW]\d+\b"), 1),
        (_S_LINES, 3),
    ),
    "cochrane": (
        (re.compile(r"\[mh\s+[\"^\w]|^[#\d \t.]*MeSH descriptor\b", re.I | re.M), 5),
        (re.compile(r"[\w*\"')]:ti,ab,kw(?=[\s)]|$)|\(Word variations have been searched\)", re.I), 4),
        (re.compile(r" in (?:Title Abstract Keyword|Record Title|All Text)\b"), 4),
        (re.compile(r"[\w*\"')]:(ti|ab|kw|pt|so)(,\w\w)*(?=[\s)]|$)", re.I), 1.5),
        (re.compile(r"\bNEXT\b|\bNEAR/\d"), 0.5),
    ),
    "embase": (
        (re.compile(r"'/(exp|de|mj)\b|\w/(exp|de)\b|\]/(lim|py|sd)\b", re.I), 8),
        (re.compile(r"'[^'\n]+':(ti|ab|kw|de|tn|jt|it)\b", re.I), 4),
        (re.compile(r"[\w*\"')]:(ti|ab|kw|tn|de|jt|it)(,\w\w)*(?=[\s)]|$)", re.I), 2),
    ),
    "proquest": (
        (re.compile(r"\b(MESH|EMB|MAINSUBJECT|MJMESH|MJEMB|MJSUB|SU)\.EXACT\b", re.I), 5),
        (re.compile(r"\b(TI,\s?AB|TI,\s?AB,\s?IF|NOFT|AB,\s?TI)\s?\(", re.I), 3),
        (re.compile(r"\b(DTYPE|STYPE|PD|YR)\s?\(", re.I), 1.5),
        (_UPPER_CALLS, 1),
        (_CALLS, 3),
        (_S_LINES, 3),
        (re.compile(r"\b(N|P|PRE)/\d"), 0.5),
    ),
    "dimensions": ((re.compile(r"\bsearch\s+publications\b", re.I), 9),),
    "openalex": (
        (
            re.compile(r"\b(title_and_abstract|title|abstract|default|fulltext)\.search(\.exact|\.no_stem)?:", re.I),
            5,
        ),
        (re.compile(r"\bpublication_year:", re.I), 5),
    ),
    "plain": ((re.compile(r"\b(title|abstract|keywords|subject|year|topic|tiab)\s*:\s*[\w(\"]", re.I), 2),),
}
_EXPORT_SIGNS: dict[DialectId, re.Pattern[str]] = {
    "pubmed": re.compile(r"^Search(?: number)?[,\t]Query[,\t]|\bItems found\b|^PubMed\b", re.M),
    "ovid": re.compile(r"^[^\n]*\bOvid\b|^Database: [^\n]*<\d{4} to ", re.M),
    "wos": re.compile(r"^# (?:Entitlements|Searches):|^Web of Science\b", re.M),
    "ebsco": re.compile(r"^Search Screen - |\bSearch modes - |\bInterface - EBSCO", re.M),
    "proquest": re.compile(r"\bSearched for:?\s|\bProQuest\b"),
    "cochrane": re.compile(r"^Search Name:|^Cochrane Library\b", re.M),
    "embase": re.compile(r"^No\.\s+Query\s+Results|^Embase\.com\b", re.M),
}
"""Text that a platform prints around its searches."""
_OPERATOR = re.compile(r"\b(AND|OR|NOT)\b|[\"“”()\[\]*]|\b(NEAR|ADJ|PRE|W|N)/?\d")
_ASKING = re.compile(
    r"^\W*(what|how|why|which|when|where|who|whether|does|do|did|is|are|was|were|can|could|should|would|will|has|have|"
    r"find|show|list|give|i am|i'm|i want|i need|we)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"\b(is|are|does|do|how|what|which|that|this|these|we|i|my|our|can|should|when|than|why)\b", re.I
)
FEWEST_ASKED = 4
LONG_SENTENCE = 9


class DialectDetection(NamedTuple):
    dialect: DialectId
    confidence: float
    question: bool


def detect(text: str) -> DialectDetection:
    """Detect the dialect from signs in a text; without any sign, it is plain.

    >>> detect("heat[tiab] AND trees[mesh]").dialect, detect("How do trees cool a city?").question
    ('pubmed', True)
    """
    seen = text[:LOOKED_AT]
    counts = _counts(seen)
    weights: dict[DialectId, float] = {
        dialect: sum(weight * n for (_, weight), n in zip(signs, counts[dialect], strict=True))
        for dialect, signs in _SIGNS.items()
    }
    if laid_out(text).text != text:
        for dialect, pattern in _EXPORT_SIGNS.items():
            weights[dialect] += 3 if pattern.search(seen) else 0
    is_proquest = weights["proquest"] > weights["ebsco"] and not _UPPER_CALLS.search(seen)
    weights["ebsco" if is_proquest else "proquest"] -= 3 * _count(seen, _S_LINES)
    if len(numbered_lines(text)) > 1 and not any(weights[d] for d in ("pubmed", "wos", "scopus")) and not is_proquest:
        weights["ebsco" if weights["ebsco"] > weights["ovid"] else "ovid"] += 2
    best = max(weights, key=lambda dialect: weights[dialect])
    total = sum(weights.values())
    if not total:
        question = is_question(text)
        return DialectDetection("plain", 0.9 if question or not _OPERATOR.search(seen) else 0.6, question)
    sure = weights[best] / total * (1 - 0.5 ** (weights[best] / 2))
    return DialectDetection(best, round(sure, 2), question=False)


STRONG_SIGN = 2
"""Weight of a sign that no other dialect shows by chance."""
MOST_SHOWN = 8


class DialectMixture(NamedTuple):
    span: Span
    message: str


def mixed_lines(text: str, lines: Sequence[Line], dialect: DialectId) -> DialectMixture | None:
    """Find the lines of a history that were written for another dialect, if other lines show signs of this one.

    >>> from core.query.parser import parse
    >>> [f.rule for f in parse("1. heat.ti.\\n2. exp Cold/\\n3. rain[tiab]\\n4. or/1-3").findings]
    ['mixed-dialects', 'unknown-field']
    """
    seen = cleaned(text)[:LOOKED_AT]
    counts = _counts(seen)
    others = [
        (other, pattern)
        for other, signs in _SIGNS.items()
        if other != dialect
        for (pattern, weight), n in zip(signs, counts[other], strict=True)
        if weight >= STRONG_SIGN and n
    ]
    if not others:
        return None
    foreign: dict[DialectId, list[Line]] = {}
    n_own = 0
    for line in lines:
        body = line.span.of(seen)
        if any(pattern.search(body) for pattern, _ in _SIGNS[dialect]):
            n_own += 1
        elif other := next((other for other, pattern in others if pattern.search(body)), None):
            foreign.setdefault(other, []).append(line)
    if not foreign or not n_own:
        return None
    shown = "; ".join(f"{_line_numbers(found)} like {DIALECTS[other].label}" for other, found in foreign.items())
    message = f"All lines were read as {DIALECTS[dialect].label}, but some are written for another database: {shown}."
    return DialectMixture(next(iter(foreign.values()))[0].span, message)


def _line_numbers(lines: Sequence[Line]) -> str:
    shown = ", ".join(str(line.number) for line in lines[:MOST_SHOWN])
    more = " and more" if len(lines) > MOST_SHOWN else ""
    return f"line{'' if len(lines) == 1 else 's'} {shown}{more}"


@lru_cache(maxsize=4)  # detection and the check for mixed lines read the same text
def _counts(text: str) -> Mapping[DialectId, tuple[int, ...]]:
    """Count each sign in a text, up to MOST_COUNTED times."""
    return {dialect: tuple(_count(text, pattern) for pattern, _ in signs) for dialect, signs in _SIGNS.items()}


def _count(text: str, pattern: re.Pattern[str]) -> int:
    return sum(1 for _ in islice(pattern.finditer(text), MOST_COUNTED))


def is_question(text: str) -> bool:
    """Return True for a question in plain words, which a ranking answers better than a Boolean search.

    >>> is_question("Internet of Things in Healthcare"), is_question("what limits the life of a battery")
    (False, True)
    """
    words = text.split()
    if len(words) < FEWEST_ASKED or _OPERATOR.search(text):
        return False
    if text.rstrip().endswith("?") or _ASKING.match(text):
        return True
    return len(words) >= LONG_SENTENCE and bool(_SENTENCE.search(text))
