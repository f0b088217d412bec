"""What PubMed's answers say: records, how it understood a search, and its errors.

Records: the DTD of PubMed, https://dtd.nlm.nih.gov/ncbi/pubmed/. Of a page that is damaged everything is read that
stands in whole records.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from core.errors import FormatChangedError, RefusedRequestError
from core.records.cleaning import Fields, cleaned
from core.text import listed
from data.importers.source import Rejected, Source
from data.importers.structured.pubmed_xml import article_fields, book_fields
from data.importers.structured.xml_pieces import find_texts, opening, parsed, pieces, text_of
from data.sources.types import Aside, Fetched

ENOUGH_TO_TELL = 3
"""Records of a page that say nothing, from where on the format is taken to have changed."""
_RECORDS = opening(["PubmedArticle", "PubmedBookArticle"])
_NOTHING_THERE = "No items found."


@dataclass(frozen=True, slots=True)
class Reading:
    """A page of records."""

    fetched: tuple[Fetched, ...]
    aside: tuple[Aside, ...]

    @property
    def n(self) -> int:
        """All that came."""
        return len(self.fetched) + len(self.aside)


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


def read_records(content: bytes) -> Reading:
    """Every record of an answer of efetch; RefusedRequestError with PubMed's words where it is an error instead."""
    if b"<!ENTITY" in content:
        raise FormatChangedError("PubMed, efetch: the answer declares XML entities, which are not read", content)
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError:
        return _read_pieces(content)
    if root.tag == "eFetchResult" or (root.tag != "PubmedArticleSet" and root.find(".//ERROR") is not None):
        words = "; ".join(find_texts(root, ".//ERROR")) or text_of(root) or "no reason given"
        raise RefusedRequestError(f"PubMed does not give these records ({words[:300]})", 200, words)
    if root.tag != "PubmedArticleSet":
        raise FormatChangedError(f"PubMed, efetch: the answer is a {str(root.tag)[:60]}, no PubmedArticleSet", content)
    return _checked((_read(number, element) for number, element in enumerate(root, 1)), content)


def _read_pieces(content: bytes) -> Reading:
    """Record by record: one that is damaged costs itself."""
    text = content.decode("utf-8", errors="replace")
    read: list[Fetched | Aside] = []
    for piece in pieces(Source("the answer", text, "utf-8"), _RECORDS):
        root = parsed(piece)
        is_damaged = isinstance(root, Rejected)
        read.append(Aside(piece.text, root.reason) if is_damaged else _read(piece.position, root))  # type: ignore[union-attr, arg-type]
    if not any(isinstance(each, Fetched) for each in read):
        raise FormatChangedError("PubMed, efetch: the answer is no XML that can be read", content)
    return _checked(read, content)


def _read(number: int, element: Element) -> Fetched | Aside:
    if element.tag == "PubmedBookArticle":
        book = element.find("BookDocument")
        return _record(number, element, {} if book is None else book_fields(book))
    citation = element.find("MedlineCitation")
    if element.tag != "PubmedArticle" or citation is None or citation.find("Article") is None:
        return _put_aside(element, f"it is a {element.tag} without what an article has")
    return _record(number, element, article_fields(element, citation))


def _record(number: int, element: Element, fields: Fields) -> Fetched | Aside:
    record = cleaned(number, None, fields)
    if record.pmid is None:
        return _put_aside(element, "it has no PubMed number")
    if not record.title and not record.abstract:
        return _put_aside(element, "it has neither title nor abstract")
    return Fetched(record.pmid, record)


def _put_aside(element: Element, reason: str) -> Aside:
    return Aside(ElementTree.tostring(element, encoding="unicode"), reason)


def _checked(read: Iterable[Fetched | Aside], content: bytes) -> Reading:
    fetched: list[Fetched] = []
    aside: list[Aside] = []
    for each in read:
        if isinstance(each, Fetched):
            fetched.append(each)
        else:
            aside.append(each)
    if len(aside) >= ENOUGH_TO_TELL and not fetched:
        raise FormatChangedError(f"PubMed, efetch: no record can be read: {aside[0].reason}", content)
    return Reading(tuple(fetched), tuple(aside))


def read_search(content: bytes, *, keeps: bool = False) -> Found:
    """What an answer of esearch says; RefusedRequestError with PubMed's words where it is an error.

    `keeps`: PubMed was asked to keep what it found, and says under which name.
    """
    try:
        # Of an error the text may hold line ends as they are, which JSON does not allow.
        document = json.loads(content, strict=False)
        result = document.get("esearchresult", {})
        words = _said(document, "ERROR") or _said(document, "error") or _said(result, "ERROR")
        if words:
            raise RefusedRequestError(f"PubMed does not take this search ({words[:300]})", 200, words)
        total = int(result["count"])
        kept = (str(result["webenv"]), str(result["querykey"])) if keeps and total else ("nothing", "")
        return Found(total, _notes(result), *kept, tuple(map(str, result.get("idlist") or ())))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as e:
        raise FormatChangedError("PubMed, esearch: the answer is not the documented JSON", content) from e


def _said(document: dict[str, Any], name: str) -> str:
    value = document.get(name)
    return " ".join(str(value).split()) if isinstance(value, str | int) else ""


def _notes(result: dict[str, Any]) -> tuple[str, ...]:
    """What it says of the text, in plain words."""
    wrong, warned = result.get("errorlist") or {}, result.get("warninglist") or {}
    understood = _said(result, "querytranslation")
    notes = [f"PubMed understood it as: {understood}"] if understood else []
    for place, name, words in (
        (wrong, "phrasesnotfound", "PubMed finds nothing by"),
        (wrong, "fieldsnotfound", "PubMed knows no such field"),
        (warned, "phrasesignored", "PubMed ignored"),
        (warned, "quotedphrasesnotfound", "PubMed's index has no such phrase"),
    ):
        if texts := [str(each).strip() for each in place.get(name) or ()]:
            notes.append(f"{words}: {listed(texts)}")
    messages = (str(each).strip() for each in warned.get("outputmessages") or ())
    return (*notes, *(f"PubMed says: {message}" for message in messages if message != _NOTHING_THERE))
