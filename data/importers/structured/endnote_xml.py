"""EndNote's XML, which Bookends, Zotero, Mendeley and Rayyan write as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from core.records.cleaning import Fields, Kind, doi_of
from data.importers.source import Asked, Entry, Format, Part, Rejected, Source
from data.importers.structured.xml_pieces import (
    find_text,
    find_texts,
    opening,
    parsed,
    pieces,
    record_lines,
    refuse_entities,
)

_RECORD = opening(["record"])
_MARKS = re.compile(r"<(?:ref-type|rec-number|source-app|titles|contributors|foreign-keys)\b")
KIND_OF: dict[str, Kind] = {
    "journal article": "article",
    "electronic article": "article",
    "newspaper article": "article",
    "magazine article": "article",
    "article": "article",
    "conference paper": "conference",
    "conference proceedings": "conference",
    "conference proceeding": "conference",
    "book": "book",
    "edited book": "book",
    "electronic book": "book",
    "book section": "chapter",
    "book chapter": "chapter",
    "electronic book section": "chapter",
    "encyclopedia": "chapter",
    "thesis": "thesis",
    "report": "report",
    "government document": "report",
    "preprint": "preprint",
    "unpublished work": "other",
}
_KIND_OF_NUMBER: dict[str, Kind] = {
    "17": "article", "43": "article", "10": "conference", "47": "conference", "3": "conference", "6": "book",
    "28": "book", "44": "book", "5": "chapter", "32": "thesis", "27": "report", "46": "report",
}  # fmt: skip
_TAKEN = frozenset(
    [
        "ref-type",
        "titles",
        "contributors",
        "abstract",
        "dates",
        "volume",
        "number",
        "pages",
        "keywords",
        "urls",
        "accession-num",
        "periodical",
        "electronic-resource-num",
        "rec-number",
        "database",
        "source-app",
        "foreign-keys",
    ]
)


def endnote_xml_likeness(source: Source) -> float:
    """Records in XML, with one of the elements that only EndNote has."""
    head = source.head
    if "<" not in head or not _RECORD.search(source.text, 0, 200_000):
        return 0.0
    return 0.95 if _MARKS.search(source.text, 0, 200_000) else 0.0


def endnote_xml_starts(source: Source) -> list[int]:
    """Lines of records; in EndNote's own files all of them stand in one line."""
    return record_lines(source.text, _RECORD)


def read_endnote_xml(source: Source, asked: Asked) -> Iterator[Part]:
    """Each record by itself."""
    refuse_entities(source)
    for piece in pieces(source, _RECORD):
        root = parsed(piece)
        if isinstance(root, Rejected):
            yield root
            continue
        unused = [child.tag for child in root if child.tag not in _TAKEN and "".join(child.itertext()).strip()]
        yield Entry(piece.line, _fields(root), list(dict.fromkeys(unused)))


def _fields(record: Element) -> Fields:
    urls = [text for text in find_texts(record, ".//urls//url") if text.startswith(("http", "www."))]
    number = find_text(record, "accession-num")
    in_pubmed = re.fullmatch(r"\d{5,8}", number) and "pubmed" in _provider(record, urls)
    return {
        "title": find_text(record, "titles/title"),
        "abstract": find_text(record, "abstract"),
        "year": find_text(record, "dates/year") or find_text(record, "dates/pub-dates/date"),
        "doi": _doi(record, urls),
        "pmid": number if in_pubmed else "",
        "own_id": "" if in_pubmed else number,
        "authors": find_texts(record, "contributors/authors/author")
        or find_texts(record, "contributors/secondary-authors/author"),
        "venue": find_text(record, "titles/secondary-title")
        or find_text(record, "periodical/full-title")
        or find_text(record, "periodical/abbr-1"),
        "volume": find_text(record, "volume"),
        "issue": find_text(record, "number"),
        "pages": find_text(record, "pages"),
        "kind": _kind(record),
        "keywords": find_texts(record, "keywords/keyword"),
        "url": urls[0] if urls else "",
    }


def _kind(record: Element) -> Kind:
    found = record.find("ref-type")
    if found is None:
        return "other"
    by_name = KIND_OF.get(found.get("name", "").lower().strip())
    return by_name or _KIND_OF_NUMBER.get("".join(found.itertext()).strip(), "other")


def _doi(record: Element, urls: list[str]) -> str:
    if doi := find_text(record, "electronic-resource-num"):
        return doi
    return next((url for url in urls if "doi" in url.lower() and doi_of(url)), "")


def _provider(record: Element, urls: list[str]) -> str:
    named = (find_text(record, name) for name in ("remote-database-name", "remote-database-provider", "database"))
    return " ".join([*named, *urls]).lower().replace("nlm", "pubmed").replace("medline", "pubmed")


ENDNOTE_XML = Format("endnote_xml", "EndNote (XML)", endnote_xml_likeness, endnote_xml_starts, read_endnote_xml)
