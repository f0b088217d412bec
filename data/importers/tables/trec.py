"""Files of retrieval experiments: runs, judgments and collections of documents, as TREC writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.records.cleaning import Fields
from data.importers.source import Asked, Entry, Format, Part, Rejected, Source
from data.importers.tables.cells import authors_of

_RUN = re.compile(r"(\S+)\s+(?:[Qq]?0)\s+(\S+)\s+\d+\s+[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:\s+\S+)?")
_JUDGMENT = re.compile(r"(\S+)\s+\S+\s+(\S+)\s+(-?\d+)")
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


def _lines_like(source: Source, pattern: re.Pattern[str]) -> float:
    lines = [line.strip() for line in source.head.split("\n")[:_LOOKED_AT]]
    if len(source.text) > len(source.head):
        lines = lines[:-1]
    lines = [line for line in lines if line]
    n_like = sum(len(line) < 500 and pattern.fullmatch(line) is not None for line in lines)
    return 0.9 if lines and n_like >= 0.95 * len(lines) else 0.0


def _of_document(document_id: str, query_id: str) -> Fields:
    fields = Fields(own_id=document_id, query_id=query_id)
    if document_id.isascii() and document_id.isdigit() and 6 <= len(document_id) <= 8:
        fields["pmid"] = document_id
    return fields


def _filled_lines(source: Source) -> Sequence[int]:
    return [number for number, line in enumerate(source.lines, start=1) if line and not line.isspace()]


def _read_run(source: Source, asked: Asked) -> Iterator[Part]:
    for number, line in enumerate(source.lines, start=1):
        found = _RUN.fullmatch(line.strip()) if len(line) < 2_000 else None
        if found:
            yield Entry(number, _of_document(found[2], found[1]))
        elif line.strip():
            yield Rejected(number, "not a line of a run: query, Q0, document, rank, score, name of the run")


def _read_judgments(source: Source, asked: Asked) -> Iterator[Part]:
    for number, line in enumerate(source.lines, start=1):
        found = _JUDGMENT.fullmatch(line.strip()) if len(line) < 2_000 else None
        if found:
            fields = _of_document(found[2], found[1])
            fields["included"] = int(found[3][:9]) > 0
            yield Entry(number, fields)
        elif line.strip():
            yield Rejected(number, "not a line of judgments: query, 0, document, relevance")


def _likeness_of_documents(source: Source) -> float:
    head = source.head[:5_000].lower()
    return 0.9 if _DOCUMENT.search(head) and "<docno>" in head else 0.0


def _documents(source: Source) -> Sequence[int]:
    """Lines with <doc>, each as often as it stands there."""
    found = []
    for number, line in enumerate(source.lines, start=1):
        if "<" in line:
            found += [number] * len(_DOCUMENT.findall(line))
    return found


def _read_documents(source: Source, asked: Asked) -> Iterator[Part]:
    places = [(found.start(), found.end()) for found in _DOCUMENT.finditer(source.text)]
    ends = [start for start, _ in places[1:]] + [len(source.text)]
    line, counted = 1, 0
    for (start, begin), end in zip(places, ends, strict=True):
        line += source.text.count("\n", counted, start)
        counted = start
        yield _document(line, source.text[begin:end])


def _document(line: int, body: str) -> Entry | Rejected:
    """One document, by its tags."""
    found: dict[str, list[str]] = {}
    unused: list[str] = []
    for tag, text in tagged_texts(body):
        if text is None:
            return Rejected(line, f"its <{tag}> is never closed")
        if tag in _TAGS and text:
            found.setdefault(_TAGS[tag], []).append(text)
        elif text:
            unused.append(tag)
    return Entry(line, _fields(found), tuple(dict.fromkeys(unused)))


def tagged_texts(body: str) -> Iterator[tuple[str, str | None]]:
    """What stands in a document's tags, up to its end; None ends it, with the tag that is never closed.

    Such a file is no single XML document and may hold bare < and &.
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


def _fields(found: dict[str, list[str]]) -> Fields:
    fields = Fields()
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
    lambda source: _lines_like(source, _JUDGMENT),
    _filled_lines,
    _read_judgments,
)
DOCUMENTS_FORMAT = Format("trec_documents", "TREC documents", _likeness_of_documents, _documents, _read_documents)
