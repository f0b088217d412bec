"""What PubMed's answers say: records, how it understood a search, and its errors.

Records: the DTD of PubMed, https://dtd.nlm.nih.gov/ncbi/pubmed/. Of a page that is damaged everything is read that
stands in whole records.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from core.errors import RefusedRequestError
from core.records.cleaning import Fields, pmid_of
from core.text import listed
from data.importers.source import Rejected, Source
from data.importers.structured.json_values import at, texts_in
from data.importers.structured.pubmed_xml import article_fields, book_fields
from data.importers.structured.xml_pieces import Piece, find_texts, opening, parsed, pieces, text_of
from data.sources.connecting.bodies import whole_signs
from data.sources.reading import Gathered, OddRecordError, changed, count_at, fetched_of, gathered
from data.sources.types import Fetched

WHERE = "PubMed"
_RECORDS = opening(["PubmedArticle", "PubmedBookArticle"])
_DATA_ENDS = b"</PubmedData>"
_NOTHING_THERE = "No items found."


@dataclass(frozen=True, slots=True)
class Found:
    """What a search says of itself."""

    total: int
    notes: tuple[str, ...] = ()
    """How PubMed understood it."""
    environment: str = ""
    """Its name for what it keeps."""
    query_key: str = ""
    ids: tuple[str, ...] = ()
    """As many as were asked for."""


def read_records(content: bytes) -> Gathered:
    """Every record of an answer of efetch; RefusedRequestError with PubMed's words where it is an error instead."""
    if b"<!ENTITY" in content:
        raise changed(WHERE, "it declares XML entities, which are not read", content)
    try:
        root = ElementTree.fromstring(_without_references(content))
    except ElementTree.ParseError:
        return _read_pieces(content)
    if root.tag == "eFetchResult" or (root.tag != "PubmedArticleSet" and root.find(".//ERROR") is not None):
        words = "; ".join(find_texts(root, ".//ERROR")) or text_of(root) or "no reason given"
        raise RefusedRequestError(f"PubMed does not give these records ({words[:300]})", 200, words)
    if root.tag != "PubmedArticleSet":
        raise changed(WHERE, f"it is a {str(root.tag)[:60]} and no PubmedArticleSet", content)
    return gathered(root, _read, label=WHERE, raw=content, written=_written)


def _without_references(content: bytes) -> bytes:
    """Without what the works cite, which may be most of a page, and of which nothing is taken over.

    It stands last in a record's PubmedData, as lists that may hold lists.

    >>> _without_references(b"<PubmedData>1<ReferenceList><Reference/></ReferenceList></PubmedData>")
    b'<PubmedData>1</PubmedData>'
    """
    kept, place = list[bytes](), 0
    while (start := content.find(b"<ReferenceList>", place)) >= 0 and (end := content.find(_DATA_ENDS, start)) >= 0:
        kept.append(content[place:start])
        place = end
    return b"".join((*kept, content[place:])) if kept else content


def _read_pieces(content: bytes) -> Gathered:
    """Record by record: one that is damaged costs itself."""
    text = content.decode("utf-8", errors="replace")
    if not (cut := list(pieces(Source("the answer", text, "utf-8"), _RECORDS))):
        raise changed(WHERE, "it is no XML", content)
    return gathered(cut, _read_piece, label=WHERE, raw=content, written=lambda piece: piece.text)


def _read_piece(piece: Piece) -> Fetched:
    root = parsed(piece)
    if isinstance(root, Rejected):
        raise OddRecordError(f"it is {root.reason}")
    return _read(root)


def _read(element: Element) -> Fetched:
    if element.tag == "PubmedBookArticle" and (book := element.find("BookDocument")) is not None:
        return _record(book_fields(book))
    citation = element.find("MedlineCitation")
    if element.tag != "PubmedArticle" or citation is None or citation.find("Article") is None:
        raise OddRecordError(f"it is a {str(element.tag)[:40]} without what an article has")
    return _record(article_fields(element, citation))


def _record(found: Fields) -> Fetched:
    pmid = pmid_of(found.get("pmid", ""))
    if pmid is None:
        raise OddRecordError("it has no PubMed number")
    if not found.get("title") and not found.get("abstract"):
        raise OddRecordError("it has neither title nor abstract")
    return fetched_of(pmid, found)


def _written(element: Element) -> str:
    return ElementTree.tostring(element, encoding="unicode")


def read_search(content: bytes, *, keeps: bool = False) -> Found:
    """What an answer of esearch says; RefusedRequestError with PubMed's words where it is an error.

    `keeps`: PubMed was asked to keep what it found, and says under which name.
    """
    try:
        # Of an error the text may hold line ends as they are, which JSON does not allow.
        document = whole_signs(json.loads(content, strict=False), content)
    except (ValueError, RecursionError) as e:
        raise changed(WHERE, "it is no JSON", content) from e
    result = document.get("esearchresult") if isinstance(document, dict) else None
    words = _said(document, "ERROR") or _said(document, "error") or _said(result, "ERROR")
    if words:
        raise RefusedRequestError(f"PubMed does not take this search ({words[:300]})", 200, words)
    total = count_at(result, "count", WHERE, content)
    environment, query_key = _said(result, "webenv"), _said(result, "querykey")
    if keeps and total and not (environment and query_key):
        raise changed(WHERE, "it does not say under which name it keeps the search", content)
    return Found(total, _notes(result), environment or "nothing", query_key, tuple(_texts(result, "idlist")))


def _said(document: Any, name: str) -> str:
    value = document.get(name) if isinstance(document, dict) else None
    return " ".join(str(value).split()) if isinstance(value, str | int) else ""


def _texts(document: Any, name: str) -> list[str]:
    return [text.strip() for text in texts_in(document.get(name))] if isinstance(document, dict) else []


def _notes(result: Any) -> tuple[str, ...]:
    """What it says of the text, in plain words."""
    wrong, warned = at(result, "errorlist"), at(result, "warninglist")
    understood = _said(result, "querytranslation")
    notes = [f"PubMed understood it as: {understood}"] if understood else []
    for place, name, words in (
        (wrong, "phrasesnotfound", "PubMed finds nothing by"),
        (wrong, "fieldsnotfound", "PubMed knows no such field"),
        (warned, "phrasesignored", "PubMed ignored"),
        (warned, "quotedphrasesnotfound", "PubMed's index has no such phrase"),
    ):
        if texts := _texts(place, name):
            notes.append(f"{words}: {listed(texts)}")
    messages = _texts(warned, "outputmessages")
    return (*notes, *(f"PubMed says: {message}" for message in messages if message != _NOTHING_THERE))
