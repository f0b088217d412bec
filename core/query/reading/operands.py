"""Terms, headings and ranges: from written words and a tag to a leaf."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.query.dialects.base import Dialect, Tag
from core.query.tree import ANY_ENDING, Gap, Group, Heading, Near, Node, Not, Pieces, Range, Span, Term
from core.text import words

_BRACED = r"\{(\d{0,4}),(\d{0,4})\}"
_YEARS = re.compile(r"(?<!\d)(1[5-9]\d\d|2[01]\d\d|3000)(?=(?:[01]\d[0-3]\d)?(?!\d))")
_OPEN_END = re.compile(r"[-–:/]\s*(current|present|3000)?\W*$", re.IGNORECASE)
_WINDOW = re.compile(r"(.*):~(\d{1,6})$", re.DOTALL)
EARLIEST, LATEST = 1500, 2199


@dataclass(frozen=True, slots=True)
class Written:
    """What stands in the text for one leaf, before a tag has said what it means."""

    text: str
    span: Span
    quoted: bool
    suffix: str = ""
    exact: bool = False


def pieces_of(text: str, dialect: Dialect) -> Pieces:
    """Letters and gaps; a wildcard that the dialect does not have stays a letter.

    >>> from core.query.dialects import DIALECTS
    >>> pieces_of("behavio?r*", DIALECTS["ovid"])
    ('behavio', Gap(least=0, most=1), 'r', Gap(least=0, most=None))
    """
    signs = "".join(map(re.escape, dialect.wildcards))
    counted = r"(\d{1,3})?" if dialect.counted_wildcards else "()"
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


def leaf_of(written: Written, tag: Tag | None, dialect: Dialect, *, window: int | None = None) -> Node | None:
    """The leaf that is meant; None if there is no word in it."""
    if tag is not None and tag.kind == "heading":
        return heading_of(written.text, written.span, tag)
    if tag is not None and tag.kind == "years":
        return years_of(written.text, written.span)
    quoted = written.quoted
    pieces = pieces_of(written.text, dialect) + ((ANY_ENDING,) if written.suffix == "*" else ())
    if not any(isinstance(piece, str) and words(piece) for piece in pieces):
        return None
    fields = tag.fields if tag else ()
    term = Term(pieces, quoted, fields, written.exact, span=written.span)
    if written.suffix.startswith("~"):
        window = int(written.suffix[1:])
    if window is None:
        return term
    return _within(term, window)


def _within(term: Term, distance: int) -> Node:
    """A phrase whose words may stand apart, in any order."""
    parts = tuple(Term(word.pieces, False, term.fields, span=term.span) for run in term.chunks for word in run)
    if len(parts) < 2:
        return term
    return Near(parts, distance, ordered=False, whole=len(parts) > 2, span=term.span)


def heading_of(text: str, span: Span, tag: Tag) -> Heading | None:
    """A subject heading: "Masks/adverse effects", *Stress, Malaria+ as EBSCO writes it."""
    name = " ".join(text.split())
    major = tag.major or name.startswith("*")
    explode = tag.explode
    name = name.strip("* ")
    if name.endswith("+"):
        name, explode = name.rstrip("+ "), True
    name, _, subheadings = name.partition("/")
    if name.endswith("+"):
        name, explode = name.rstrip("+ "), True
    if not words(name):
        return None
    below = tuple(part.strip() for part in subheadings.split(",") if part.strip())
    return Heading(name.strip(), explode, major, below, span=span)


def years_of(text: str, span: Span) -> Range | None:
    """2010-2020, 2010:3000, "2015 -Current", >2010."""
    years = [int(year) for year in _YEARS.findall(text)]
    stripped = text.strip()
    if not years:
        return None
    low: int | None = years[0]
    high: int | None = years[-1]
    if len(years) == 1:
        if _OPEN_END.search(stripped) or stripped.upper().startswith((">", "AFT")):
            high = None
            low = years[0] + 1 if stripped.upper().startswith(("AFT", ">")) and ">=" not in stripped else years[0]
        elif re.match(r"(?:0001|1000)?[-–:]|0001/|<|BEF", stripped, re.IGNORECASE):
            low = None
            high = years[0] - 1 if stripped.upper().startswith(("BEF", "<")) and "<=" not in stripped else years[0]
    if low is not None and high is not None and low > high:
        low, high = high, low
    if len(years) > 1 and high is not None and high >= LATEST:  # 3000: PubMed's way of saying until today
        high = None
    if len(years) > 1 and low == EARLIEST and high is not None:
        low = None
    return Range(low, high, span=span)


def with_tag(node: Node, tag: Tag) -> Node:
    """The node with the tag on every term that has no field of its own."""
    if isinstance(node, Group):
        return replace(node, parts=tuple(with_tag(part, tag) for part in node.parts))
    if isinstance(node, Near):
        return replace(node, parts=tuple(with_tag(part, tag) for part in node.parts)) if tag.kind == "text" else node
    if isinstance(node, Not):
        return replace(node, part=with_tag(node.part, tag))
    if not isinstance(node, Term) or node.fields:
        return node
    if tag.kind == "text":
        return replace(node, fields=tag.fields)
    text = "".join(piece if isinstance(piece, str) else "*" for piece in node.pieces)
    made = heading_of(text, node.span, tag) if tag.kind == "heading" else years_of(text, node.span)
    return made or node


def limit_of(text: str, span: Span, dialect: Dialect) -> Node | None:
    """What stands in LIMIT-TO(...): a field, a comma and a value."""
    name, _, value = text.partition(",")
    value = value.strip().strip('"')
    tag = dialect.tags.get(name.strip().lower(), Tag(fields=("other",)))
    if tag.kind == "text":
        return leaf_of(Written(value, span, quoted=True), tag, dialect)
    return leaf_of(Written(value, span, quoted=False), tag, dialect)


def slashed(written: Written) -> Heading | None:
    """A heading as Ovid writes it: exp Stress/, *Malaria/dt."""
    name, slash, below = written.text.strip().replace('"', "").rpartition("/")
    if not slash or not words(name) or any(len(code.strip()) != 2 for code in below.split(",") if below):
        return None
    explode = name.lower().startswith("exp ")
    name = name[4:] if explode else name
    return heading_of(f"{name.strip()}/{below}", written.span, Tag("heading", explode=explode))


def tag_and_window(name: str) -> tuple[str, int | None]:
    """A PubMed tag and the distance in it.

    >>> tag_and_window("Title/Abstract:~3")
    ('title/abstract', 3)
    """
    found = _WINDOW.match(name.strip())
    if found:
        return " ".join(found.group(1).lower().split()), int(found.group(2))
    return " ".join(name.lower().split()), None
