"""TREC files: documents, topics, judgments and runs."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from html import unescape
from itertools import pairwise

from core.collections import Document, Judgment, Query
from core.errors import FormatError
from core.library.records import RawFields
from data.importers.collection_parts import CollectionFileKind, CollectionPart, Role, TextFile, clean_text, relevance_of
from data.importers.source import Format, ImportEntry, ImportFile, ImportRejection, Part, ReadOptions
from data.importers.table_formats import authors_of

# Files of retrieval experiments: runs, judgments and collections of documents, as TREC writes them.

_RUN = re.compile(r"(\S+)\s+(?:[Qq]?0)\s+(\S+)\s+\d+\s+[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:\s+\S+)?")
_JUDGMENT = re.compile(r"(\S+)\s+\S+\s+(\S+)\s+(-?\d+)")
_SMART_JUDGMENT = re.compile(r"(\S+)\s+(\S+)\s+0+(?:\.0*)?\s+0+(?:\.0*)?")
"""SMART's own format: query, document and two zeros, as in "     1     28\t0\t0.000000". All of them are relevant."""
_LOOKED_AT = 200
_DOCUMENT = re.compile(r"<doc(?:\s[^<>]*)?>", re.IGNORECASE)
_OPENS = re.compile(r"<([a-z][a-z0-9_-]{0,30})>")
_TAGS = {
    "docno": "own_id",
    "docid": "own_id",
    "title": "title",
    "headline": "title",
    "ti": "title",
    "bib": "venue",
    "journal": "venue",
    "source": "venue",
    "text": "abstract",
    "abstract": "abstract",
    "body": "abstract",
    "year": "year",
    "date": "year",
    "doi": "doi",
    "pmid": "pmid",
    "url": "url",
    "author": "authors",
    "authors": "authors",
}


def _lines_like(source: ImportFile, pattern: re.Pattern[str]) -> float:
    lines = [line.strip() for line in source.head.split("\n")[:_LOOKED_AT]]
    if len(source.text) > len(source.head):
        lines = lines[:-1]
    lines = [line for line in lines if line]
    n_like = sum(len(line) < 500 and pattern.fullmatch(line) is not None for line in lines)
    return 0.9 if lines and n_like >= 0.95 * len(lines) else 0.0


def _of_document(document_id: str, query_id: str) -> RawFields:
    fields = RawFields(own_id=document_id, query_id=query_id)
    if document_id.isascii() and document_id.isdigit() and 6 <= len(document_id) <= 8:
        fields["pmid"] = document_id
    return fields


def _filled_lines(source: ImportFile) -> Sequence[int]:
    return [number for number, line in enumerate(source.lines, start=1) if line and not line.isspace()]


def _read_run(source: ImportFile, asked: ReadOptions) -> Iterator[Part]:
    for number, line in enumerate(source.lines, start=1):
        found = _RUN.fullmatch(line.strip()) if len(line) < 2_000 else None
        if found:
            yield ImportEntry(number, _of_document(found[2], found[1]))
        elif line.strip():
            yield ImportRejection(number, "not a line of a run: query, Q0, document, rank, score, name of the run")


def _read_judged(source: ImportFile, asked: ReadOptions) -> Iterator[Part]:
    smart = _lines_like(source, _SMART_JUDGMENT) > 0
    pattern = _SMART_JUDGMENT if smart else _JUDGMENT
    for number, line in enumerate(source.lines, start=1):
        found = pattern.fullmatch(line.strip()) if len(line) < 2_000 else None
        if found:
            fields = _of_document(found[2], found[1])
            fields["included"] = smart or int(found[3][:9]) > 0
            yield ImportEntry(number, fields)
        elif line.strip():
            yield ImportRejection(number, "not a line of judgments: query, 0, document, relevance")


def _likeness_of_documents(source: ImportFile) -> float:
    head = source.head[:5_000].lower()
    return 0.9 if _DOCUMENT.search(head) and "<docno>" in head else 0.0


def _documents(source: ImportFile) -> Sequence[int]:
    found = []
    for number, line in enumerate(source.lines, start=1):
        if "<" in line:
            found += [number] * len(_DOCUMENT.findall(line))
    return found


def _read_publications(source: ImportFile, asked: ReadOptions) -> Iterator[Part]:
    places = [(found.start(), found.end()) for found in _DOCUMENT.finditer(source.text)]
    ends = [start for start, _ in places[1:]] + [len(source.text)]
    line, counted = 1, 0
    for (start, begin), end in zip(places, ends, strict=True):
        line += source.text.count("\n", counted, start)
        counted = start
        yield _document(line, source.text[begin:end])


def _document(line: int, body: str) -> ImportEntry | ImportRejection:
    found: dict[str, list[str]] = {}
    unused: list[str] = []
    for tag, text in tagged_texts(body):
        if text is None:
            return ImportRejection(line, f"its <{tag}> is never closed")
        if tag in _TAGS and text:
            found.setdefault(_TAGS[tag], []).append(text)
        elif text:
            unused.append(tag)
    return ImportEntry(line, _fields(found), tuple(dict.fromkeys(unused)))


def tagged_texts(body: str) -> Iterator[tuple[str, str | None]]:
    """Yield the text of each tag of a document, up to its end; None for a tag that is never closed, which ends it.

    Such a file is not a single XML document and may contain bare < and &.
    """
    lower = body.lower() if len(body.lower()) == len(body) else body
    end = lower.find("</doc>")
    place = 0
    while opens := _OPENS.search(lower, place, end if end >= 0 else len(body)):
        closes = lower.find(f"</{opens[1]}>", opens.end())
        if closes < 0:
            yield opens[1], None
            return
        yield opens[1], body[opens.end() : closes].strip()
        place = closes


def _fields(found: dict[str, list[str]]) -> RawFields:
    fields = RawFields()
    if "venue" in found:
        fields["year"] = found["venue"][0]
    for field, texts in found.items():
        if field == "authors":
            fields["authors"] = [name for text in texts for name in authors_of(text)]
        else:
            joined = "\n".join(texts) if field == "abstract" else texts[0]
            fields[field] = joined  # type: ignore[literal-required]
    return fields


RUN_FORMAT = Format("trec_run", "TREC run", lambda source: _lines_like(source, _RUN), _filled_lines, _read_run)
JUDGMENTS_FORMAT = Format(
    "trec_qrels",
    "TREC judgments (qrels)",
    lambda source: max(_lines_like(source, _JUDGMENT), _lines_like(source, _SMART_JUDGMENT)),
    _filled_lines,
    _read_judged,
)
DOCUMENTS_FORMAT = Format("trec_documents", "TREC documents", _likeness_of_documents, _documents, _read_publications)


# TREC files: documents in <doc>, topics in <top>, judgments in columns, queries as number, tab and text.

LONGEST_DOCUMENT = 50_000_000
MOST_TOPICS = 100_000_000
"""Largest file of topics in bytes: it is read at once."""
_IDS = ("docno", "docid")
_TITLES = ("title", "headline", "ti")
_TEXTS = ("text", "abstract", "body")
_WHOLE_DOCUMENT = re.compile(r"<doc(?:\s[^<>]{0,500})?>", re.IGNORECASE)
_TOPIC = re.compile(r"<top(?:ic)?(?:\s[^<>]{0,500})?>", re.IGNORECASE)
_NUMBER = re.compile(r"\bnumber\s*=\s*[\"']([^\"'<>]{1,200})[\"']", re.IGNORECASE)
_MARKUP = re.compile(r"</?[a-z][a-z0-9]{0,15}>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z]", re.IGNORECASE)
_HEADER = re.compile(r"\s*(?:query|q|topic|doc|corpus|document|p|passage)?[-_ ]?(?:id|no|num)\s*\t", re.IGNORECASE)
_GRADES = ("score", "relevance", "rel", "grade")
_RELEVANCE = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+|nan|inf(?:inity)?)", re.IGNORECASE)
_MIXED = re.compile(r"\S+[ \t]+\S+[ \t]+0+(?:\.0*)?[ \t]+0+(?:\.0*)?|\S+[ \t]+(?:[Qq]?0)[ \t]+\S+[ \t]+-?\d+")
LIKE = 0.6
"""Smallest share of lines that must match a file's kind; the others count as damaged."""


def _lines_of(head: str) -> list[str]:
    return [line for line in head.split("\n")[:300] if line.strip()]


def _share(head: str, fits: Callable[[str], bool]) -> bool:
    lines = _lines_of(head)
    return bool(lines) and sum(map(fits, lines)) >= LIKE * len(lines)


def _parts_between(file: TextFile, begins: re.Pattern[str]) -> Iterator[tuple[int, str, str]]:
    """Yield line, opening tag and the text up to the next opening tag; text before the first one is skipped."""
    held, line, seen = "", 1, False
    for _, block in file.blocks():
        held += block
        places = list(begins.finditer(held))
        if not seen and "<!ENTITY" in (held[: places[0].start()] if places else held):
            raise FormatError(f"{file.name} declares entities (<!ENTITY): remove them")
        seen = seen or bool(places)
        start = 0
        for this, after in pairwise(places):
            line += held.count("\n", start, this.start())
            yield line, this[0], held[this.end() : after.start()]
            start = this.start()
        last = places[-1].start() if places else len(held)
        line += held.count("\n", start, last)
        held = held[last:]
        if len(held) > LONGEST_DOCUMENT:
            raise FormatError(f"{file.name}: the document in line {line:,} has over {LONGEST_DOCUMENT / 1e6:.0f} MB")
    if found := begins.match(held):
        yield line, found[0], held[found.end() :]


def _plain(text: str) -> str:
    if "<" in text:
        text = _MARKUP.sub(" ", text)
    if "&" in text and ";" in text:
        with suppress(ValueError):  # a number with thousands of digits
            text = unescape(text)
    return clean_text(text)


def _read_documents(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    for line, _, body in _parts_between(file, _WHOLE_DOCUMENT):
        texts: dict[str, list[str]] = {}
        damaged = None
        for tag, text in tagged_texts(body):
            if text is None:
                damaged = f"its <{tag}> is never closed"
            else:
                texts.setdefault(tag, []).append(text)
        doc_id = next((texts[tag][0] for tag in _IDS if tag in texts), "")
        if damaged or not doc_id:
            yield line, damaged or "a document without <docno>"
            continue
        title = next((_plain(texts[tag][0]) for tag in _TITLES if tag in texts), "")
        text = "\n".join(_plain(part) for tag in _TEXTS for part in texts.get(tag, ()) if part)
        yield line, Document(clean_text(doc_id), " ".join(title.split()), text)


def _field(body: str, lower: str, tag: str) -> str | None:
    """Return the text after a tag, up to the next one: topics of TREC don't close their tags."""
    at = lower.find(f"<{tag}>")
    if at < 0:
        return None
    at += len(tag) + 2
    ends = _TAG.search(body, at)
    return body[at : ends.start() if ends else len(body)]


def _read_topics(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    if file.n_bytes > MOST_TOPICS:
        raise FormatError(f"{file.name} has over {MOST_TOPICS / 1e6:.0f} MB of topics")
    for line, opening, body in _parts_between(file, _TOPIC):
        lower = body.lower() if len(body.lower()) == len(body) else body
        number = _NUMBER.search(opening)
        own_id = number[1] if number else _field(body, lower, "num") or ""
        own_id = " ".join(clean_text(re.sub(r"^\s*number\s*:", "", own_id, flags=re.IGNORECASE)).split())
        text = next((found for tag in ("title", "query") if (found := _field(body, lower, tag)) is not None), None)
        if not own_id:
            yield line, "a topic without a number (<num>)"
        elif text is None:
            yield line, f"topic “{own_id}” has no <title>"
        else:
            text = re.sub(r"^\s*topic\s*:", "", text, flags=re.IGNORECASE)
            yield line, Query(own_id, " ".join(_plain(text).split()))


def _cells(line: str) -> list[str]:
    """Split a line at tabs, else at white space; at both if a tab-separated cell holds two columns of TREC or SMART."""
    by_tabs = line.split("\t")
    if len(by_tabs) < 3:
        return line.split()
    by_blanks = line.split()
    mixed = len(by_tabs) == 3 and len(by_blanks) == 4 and _MIXED.fullmatch(line.strip()) is not None
    return by_blanks if mixed else by_tabs


def _by_tabs(line: str) -> list[str]:
    """Split a line of three columns at tabs. Quotes protect tabs and quotes in a cell, as in BEIR's files."""
    cells = line.split("\t")
    if '"' in line:
        with suppress(csv.Error):  # too long
            quoted = next(csv.reader([line], delimiter="\t"), [])
            cells = quoted if len(quoted) == 3 else cells
    return cells if len(cells) == 3 else line.split()


def _is_header(line: str) -> bool:
    return _HEADER.match(line) is not None or line.split()[:1] in (["query-id"], ["query_id"])


def _is_headed(head: str) -> bool:
    """Return True for judgments with the header of BEIR's files, whose ids may contain spaces."""
    cells = head.lstrip().partition("\n")[0].split("\t")
    return len(cells) == 3 and _is_header("\t".join(cells)) and cells[2].strip().lower() in _GRADES


def _is_judgment(line: str) -> bool:
    cells = _cells(line)
    if len(cells) == 3 and _is_header(line):
        return True
    return len(cells) in (3, 4) and _RELEVANCE.fullmatch(cells[-1].strip()) is not None


def judged_columns(head: str) -> tuple[int, int, int, int]:
    """Return the columns of query, document and relevance, and the number of columns; relevance is -1 for SMART.

    SMART's own lists have query, document and two zeros; all are relevant.
    """
    lines = [_cells(line) for line in _lines_of(head)]
    if _is_headed(head):
        return 0, 1, 2, 3
    widths = [len(cells) for cells in lines if len(cells) in (3, 4)]
    if not widths or max(set(widths), key=widths.count) == 3:
        return 0, 1, 2, 3
    of_four = [cells for cells in lines if len(cells) == 4]
    if all(re.fullmatch(r"\s*0+(\.0*)?\s*", cells[2] + cells[3]) for cells in of_four):
        return 0, 1, -1, 4
    return 0, 2, 3, 4


def _read_judgments(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    query, document, relevance, width = judged_columns(file.head())
    grade_of, clean = cache(relevance_of), cache(clean_text)  # the same few values, a million times
    for number, line in file.lines():
        if not line.strip():
            continue
        cells = _by_tabs(line) if width == 3 and line.count("\t") >= 2 else line.split()
        if number == 1 and _is_header(line):
            continue
        if len(cells) != width:
            missing = len(cells) == width - 1
            yield number, "its relevance is missing" if missing else f"{len(cells)} columns, {width} expected"
            continue
        query_id, doc_id = cells[query].strip(), cells[document].strip()
        grade = 1 if relevance < 0 else grade_of(cells[relevance])
        if isinstance(grade, str) or not query_id or not doc_id:
            yield number, grade if isinstance(grade, str) else "an id is missing"
        else:
            yield number, Judgment(clean(query_id), clean(doc_id), grade)


def _read_columns(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    for number, line in file.lines():
        if not line.strip() or (number == 1 and _is_header(line)):
            continue
        own_id, tab, text = line.partition("\t")
        own_id = clean_text(own_id)
        if not tab or not own_id:
            yield number, "no id, tab and text"
        elif role == "documents":
            title, more, rest = text.partition("\t")
            yield number, Document(own_id, *((clean_text(title), clean_text(rest)) if more else ("", clean_text(text))))
        else:
            yield number, Query(own_id, clean_text(text))


def _is_run_line(line: str) -> bool:
    cells = line.split()
    return len(cells) in (5, 6) and cells[1] in ("Q0", "q0", "0") and _RELEVANCE.fullmatch(cells[4]) is not None


def no_parts(file: TextFile, role: Role) -> Iterator[CollectionPart]:
    """Read nothing: the kind of the file is all that counts."""
    return iter(())


DOCUMENTS = CollectionFileKind(
    "trec_documents",
    "TREC documents",
    "documents",
    lambda head: _WHOLE_DOCUMENT.search(head) is not None and any(f"<{tag}>" in head.lower() for tag in _IDS),
    _read_documents,
)
TOPICS = CollectionFileKind(
    "trec_topics",
    "TREC topics",
    "queries",
    lambda head: (
        (found := _TOPIC.search(head)) is not None and ("<num>" in head.lower() or _NUMBER.search(found[0]) is not None)
    ),
    _read_topics,
)
JUDGMENTS = CollectionFileKind(
    "judgments", "judgments", "judgments", lambda head: _is_headed(head) or _share(head, _is_judgment), _read_judgments
)
COLUMNS = CollectionFileKind(
    "columns",
    "id, tab and text",
    "either",
    lambda head: _share(head, lambda line: line.count("\t") in (1, 2) and len(line.split("\t")[0].split()) == 1),
    _read_columns,
)
RUN = CollectionFileKind(
    "run", "a run", "judgments", lambda head: not _is_headed(head) and _share(head, _is_run_line), no_parts
)
"""Recognised so that it is not read as judgments; a run is not part of a collection."""
