"""BibTeX and BibLaTeX of any exporter. What the grammar's parser refuses is read as far as it can be told apart."""

from __future__ import annotations

import logging
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from bibtexparser.model import Entry as Parsed
from bibtexparser.model import ImplicitComment, ParsingFailedBlock
from bibtexparser.splitter import Splitter

from core.text import listed
from data.importers.source import Asked, Entry, Format, Note, Part, Rejected, Source
from data.importers.structured.bibtex_damaged import fields_of_damaged
from data.importers.structured.bibtex_fields import KIND_OF, entry_fields
from data.importers.structured.bibtex_values import resolved, runs_on

# Every block that fails is accounted for here, with its line; the parser need not print it as well.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)

_TYPES = "|".join([*KIND_OF, "misc", "unpublished", "online", "electronic", "patent", "dataset", "software"])
_START = re.compile(
    rf"^[ \t]*(?P<at>@[ \t]*(?P<type>[A-Za-z][\w-]*)\s*[{{(])|(?<=[}})])[ \t]*(?P<at_2>@(?P<type_2>{_TYPES})\s*[{{(])",
    re.MULTILINE | re.IGNORECASE,
)
_COMMENT = re.compile(r"^[ \t]*@[ \t]*comment[ \t]*\{", re.MULTILINE | re.IGNORECASE)
_BRACES = re.compile(r"(?<!\\)[{}]")
_CELL = re.compile(r"[ \t]*@\w+\([^()\n=,]*\)[\"']?[ \t]*(?:[,;\t][^\n]*)?\n")
"""A formula in the first cell of a table's row, "@SUM(1),2021": it ends in its line and holds no field."""
_NO_RECORD = frozenset({"string", "comment", "preamble"})
_LOST_FIELD = re.compile(r"\A[\s,}]*[A-Za-z][\w-]*\s*=\s*[{\"\w]")
_MOST_LISTED = 5


@dataclass(frozen=True, slots=True)
class _Start:
    """Where the raw text says that an entry begins."""

    offset: int
    line: int
    ends: int
    """Where the next block begins, of whatever kind."""


@dataclass(frozen=True, slots=True)
class _Raw:
    """An entry that could be told apart, fields still as they are written; names in lower case."""

    line: int
    entry_type: str
    key: str
    fields: Mapping[str, str]


def bibtex_likeness(source: Source) -> float:
    """A bibliography in BibTeX has an "@type{" at the head of a line and a field in it."""
    found = _START.search(source.text, 0, 200_000)
    if found is None:
        return 0.0
    if source.text[: found.start()].lstrip()[:1] in ("{", "[", "<"):
        return 0.0
    if _CELL.match(source.text, found.start()):
        return 0.0
    known = (found["type"] or found["type_2"]).lower()
    return 0.95 if known in KIND_OF or known in _NO_RECORD or known == "misc" else 0.6


def bibtex_starts(source: Source) -> list[int]:
    """Lines of "@type{", without strings, comments and preambles."""
    return [start.line for start in _starts(source.text)]


def read_bibtex(source: Source, asked: Asked) -> Iterator[Part]:
    """Entries in their order. One that is damaged is read by its lines, and a note says which those are."""
    text = source.text
    strings, parsed = _parsed(text)
    raws: list[tuple[int, _Raw, bool]] = []
    damaged: list[int] = []
    for start in _starts(text):
        if (entry := parsed.pop(start.offset, None)) is not None:
            raws.append((start.offset, _of_parsed(entry, start.line, strings), False))
        else:
            damaged.append(start.line)
            raws.append((start.offset, _of_damaged(text[start.offset : start.ends], start.line, strings), True))
    for offset, entry in parsed.items():  # in the midst of other text: no start, but an entry all the same
        raws.append((offset, _of_parsed(entry, text.count("\n", 0, offset) + 1, strings), False))
    raws.sort(key=lambda raw: raw[0])
    parents = {raw.key.lower(): raw.fields for _, raw, _ in raws}
    commented = _comments(text)
    for position, (offset, raw, is_damaged) in enumerate(raws, start=1):
        if _inside(offset, commented):
            yield Rejected(raw.line, "an entry inside @comment{...}, left out as the file says", position)
        else:
            yield _part(raw, parents, position, damaged=is_damaged)
    if damaged:
        yield _note(damaged)


def _part(raw: _Raw, parents: Mapping[str, Mapping[str, str]], position: int, *, damaged: bool) -> Part:
    parent = parents.get(raw.fields.get("crossref", "").strip().lower())
    fields, unused = entry_fields(raw.entry_type, raw.key, raw.fields, parent)
    if fields["title"] or fields["abstract"] or fields["doi"] or fields["pmid"]:
        return Entry(raw.line, fields, unused)
    named = f"@{raw.entry_type}{{{raw.key}}}"[:60]
    if damaged:
        return Rejected(raw.line, f"{named} is damaged, and neither title, abstract nor DOI can be told", position)
    return Rejected(raw.line, f"{named} has neither a title, an abstract, a DOI nor a PubMed number", position)


def _note(damaged: list[int]) -> Note:
    lines = [f"{line:,}" for line in dict.fromkeys(damaged)]
    shown = lines if len(lines) <= _MOST_LISTED else [*lines[:_MOST_LISTED], f"{len(lines) - _MOST_LISTED:,} more"]
    return Note(
        f"damaged entries, read as far as they can be told apart: {len(damaged):,} "
        f"(line{'s' if len(lines) > 1 else ''} {listed(shown)}): check their braces, commas and quotes"
    )


def _starts(text: str) -> list[_Start]:
    places: list[tuple[int, bool]] = []
    for found in _START.finditer(text):
        name = "at" if found["at"] else "at_2"
        places.append((found.start(name), (found["type"] or found["type_2"]).lower() not in _NO_RECORD))
    starts, line, counted = [], 1, 0
    for (offset, is_record), (ends, _) in pairwise([*places, (len(text), False)]):
        line += text.count("\n", counted, offset)
        counted = offset
        if is_record:
            starts.append(_Start(offset, line, ends))
    return starts


def _comments(text: str) -> list[tuple[int, int]]:
    """Where comments in braces begin and end. After one that never ends, none is looked for."""
    spans: list[tuple[int, int]] = []
    at = 0
    while found := _COMMENT.search(text, at):
        depth, ends = 0, None
        for brace in _BRACES.finditer(text, found.start()):
            depth += 1 if brace[0] == "{" else -1
            if depth <= 0:
                ends = brace.end()
                break
        if ends is None:
            break
        spans.append((found.start(), ends))
        at = ends
    return spans


def _inside(offset: int, spans: list[tuple[int, int]]) -> bool:
    position = bisect_left(spans, (offset, 0)) - 1
    return position >= 0 and offset < spans[position][1]


def _parsed(text: str) -> tuple[dict[str, str], dict[int, Parsed]]:
    """@string values by lower-case name, and the entries that the parser took whole, by their offset.

    The parser's own line numbers are not used: it takes a line that ends in a backslash for no line.
    """
    try:
        library = Splitter(text).split()
    except Exception:  # a fault in the parser; every entry is then read by its lines
        return {}, {}
    strings: dict[str, str] = {}
    for name, string in library.strings_dict.items():
        strings[name.lower()] = resolved(string.value, strings)
    entries: dict[int, Parsed] = {}
    at = 0
    blocks = library.blocks
    for position, block in enumerate(blocks, start=1):
        after = blocks[position] if position < len(blocks) else None
        raw = block.raw or ""
        offset = text.find(raw, at)
        at = max(at, offset)
        entry = block.ignore_error_block if isinstance(block, ParsingFailedBlock) else block  # a key used twice
        cut_off = isinstance(after, ImplicitComment) and _LOST_FIELD.match(after.comment)
        if isinstance(entry, Parsed) and offset >= 0 and not cut_off:
            if not any(runs_on(str(field.value)) for field in entry.fields):
                entries[offset] = entry
            at = offset + len(raw)
    return strings, entries


def _of_parsed(entry: Parsed, line: int, strings: Mapping[str, str]) -> _Raw:
    pairs = [(field.key, resolved(str(field.value), strings)) for field in entry.fields]
    return _Raw(line, entry.entry_type, entry.key, _by_name(pairs))


def _of_damaged(chunk: str, line: int, strings: Mapping[str, str]) -> _Raw:
    entry_type, key, pairs = fields_of_damaged(chunk)
    return _Raw(line, entry_type, key, _by_name([(n, strings.get(v.lower(), v)) for n, v in pairs]))


def _by_name(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """One value for each name; what stands there twice is joined if it is a list, else the first counts."""
    fields: dict[str, str] = {}
    for written, text in pairs:
        name = " ".join(written.lower().split())
        if not fields.get(name):
            fields[name] = text
        elif name in ("keywords", "keyword"):
            fields[name] = f"{fields[name]}; {text}"
        elif name == "author" and text != fields[name]:
            fields[name] = f"{fields[name]} and {text}"
    return fields


BIBTEX = Format("bibtex", "BibTeX", bibtex_likeness, bibtex_starts, read_bibtex)
