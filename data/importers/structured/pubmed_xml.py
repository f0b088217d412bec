"""PubMed's XML: articles and books, with or without a root around them, and MEDLINE's older citations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from core.records.cleaning import Fields, Kind
from data.importers.source import Asked, Entry, Format, Part, Rejected, Source
from data.importers.structured.xml_pieces import (
    find_text,
    find_texts,
    opening,
    parsed,
    pieces,
    record_lines,
    refuse_entities,
    text_of,
)

_RECORDS = opening(["PubmedArticle", "PubmedBookArticle"])
_CITATIONS = opening(["MedlineCitation"])
_KINDS: tuple[tuple[str, Kind], ...] = (
    ("Preprint", "preprint"),
    ("Congress", "conference"),
    ("Technical Report", "report"),
    ("Academic Dissertation", "thesis"),
    ("Journal Article", "article"),
    ("Review", "article"),
    ("Letter", "article"),
    ("Editorial", "article"),
)
_NOT_TAKEN = {
    "Language": "Article/Language",
    "Affiliation": "Article/AuthorList/Author/AffiliationInfo/Affiliation",
    "Grant": "Article/GrantList/Grant",
    "Chemical": "ChemicalList/Chemical",
    "Databank": "Article/DataBankList/DataBank",
    "OtherAbstract": "OtherAbstract",
    "CommentsCorrections": "CommentsCorrectionsList/CommentsCorrections",
    "CopyrightInformation": "Article/Abstract/CopyrightInformation",
}


def pubmed_xml_likeness(source: Source) -> float:
    """The names of PubMed's elements are no one else's."""
    if "<" not in source.head:
        return 0.0
    return 0.98 if _begins(source.head).search(source.text, 0, 500_000) else 0.0


def pubmed_xml_starts(source: Source) -> list[int]:
    """Lines of articles and books."""
    return record_lines(source.text, _begins(source.text))


def _begins(text: str) -> re.Pattern[str]:
    return _RECORDS if _RECORDS.search(text) else _CITATIONS


def read_pubmed_xml(source: Source, asked: Asked) -> Iterator[Part]:
    """Each article or book by itself."""
    refuse_entities(source)
    for piece in pieces(source, _begins(source.text)):
        root = parsed(piece)
        if isinstance(root, Rejected):
            yield root
        elif (book := root.find("BookDocument")) is not None:
            yield Entry(piece.line, book_fields(book), ["Section"] if book.find("Sections") is not None else [])
        else:
            citation = root if root.tag == "MedlineCitation" else root.find("MedlineCitation")
            yield Entry(piece.line, article_fields(root, citation), _unused(citation))


def _unused(citation: Element | None) -> list[str]:
    return [] if citation is None else [name for name, path in _NOT_TAKEN.items() if citation.find(path) is not None]


def article_fields(root: Element, citation: Element | None) -> Fields:
    """What a PubmedArticle says. `citation`: its MedlineCitation, which in older files stands alone."""
    article = citation.find("Article") if citation is not None else None
    data = root.find("PubmedData")
    issue = article.find("Journal/JournalIssue") if article is not None else None
    return {
        "title": _title(article),
        "abstract": _abstract(article) or _other_abstract(citation),
        "year": _year(issue, article),
        "doi": _doi(article, data),
        "pmid": find_text(citation, "PMID") or find_text(data, "ArticleIdList/ArticleId[@IdType='pubmed']"),
        "authors": _authors(article),
        "venue": find_text(article, "Journal/Title") or find_text(citation, "MedlineJournalInfo/MedlineTA"),
        "volume": find_text(issue, "Volume"),
        "issue": find_text(issue, "Issue"),
        "pages": _pages(article),
        "kind": _kind(find_texts(article, "PublicationTypeList/PublicationType")),
        "keywords": [
            *find_texts(citation, "KeywordList/Keyword"),
            *find_texts(citation, "MeshHeadingList/MeshHeading/DescriptorName"),
        ],
    }


def book_fields(book: Element) -> Fields:
    """What a BookDocument says: a chapter where it has a title of its own, else the book."""
    inside = find_text(book, "ArticleTitle")
    around = find_text(book, "Book/BookTitle")
    return {
        "title": inside or around,
        "abstract": _abstract(book),
        "year": find_text(book, "Book/PubDate/Year") or find_text(book, "Book/PubDate/MedlineDate"),
        "doi": find_text(book, "ArticleIdList/ArticleId[@IdType='doi']") or _location(book, "Book/"),
        "pmid": find_text(book, "PMID"),
        "own_id": find_text(book, "ArticleIdList/ArticleId[@IdType='bookaccession']"),
        "authors": _authors(book) or _authors(book.find("Book")),
        "venue": around if inside else find_text(book, "Book/CollectionTitle"),
        "volume": find_text(book, "Book/Volume"),
        "pages": _pages(book),
        "kind": "chapter" if inside else "book",
        "keywords": find_texts(book, "KeywordList/Keyword"),
    }


def _title(article: Element | None) -> str:
    title, vernacular = find_text(article, "ArticleTitle"), find_text(article, "VernacularTitle")
    placeholder = title.strip("[]. ").lower() in ("", "not available", "in process citation")
    return vernacular if placeholder and vernacular else title


def _abstract(parent: Element | None) -> str:
    """Labelled parts of a structured abstract keep their labels."""
    if parent is None:
        return ""
    return " ".join(_part(part) for part in parent.iterfind("Abstract/AbstractText")).strip()


def _other_abstract(citation: Element | None) -> str:
    if citation is None:
        return ""
    return " ".join(_part(part) for part in citation.iterfind("OtherAbstract/AbstractText")).strip()


def _part(part: Element) -> str:
    label, text = part.get("Label", ""), text_of(part)
    return f"{label}: {text}" if text and label and label.upper() != "UNLABELLED" else text


def _year(issue: Element | None, article: Element | None) -> str:
    ways = (find_text(issue, "PubDate/Year"), find_text(issue, "PubDate/MedlineDate"))
    return next((text for text in ways if text), "") or find_text(article, "ArticleDate/Year")


def _location(parent: Element | None, before: str = "") -> str:
    if parent is None:
        return ""
    found = [e for e in parent.iterfind(f"{before}ELocationID[@EIdType='doi']") if e.get("ValidYN", "Y") == "Y"]
    return text_of(found[0]) if found else ""


def _doi(article: Element | None, data: Element | None) -> str:
    return find_text(data, "ArticleIdList/ArticleId[@IdType='doi']") or _location(article)


def _authors(parent: Element | None) -> list[str]:
    if parent is None:
        return []
    names = []
    for author in parent.iterfind("AuthorList/Author"):
        family = find_text(author, "LastName")
        given = find_text(author, "ForeName") or find_text(author, "Initials")
        suffix = find_text(author, "Suffix")
        name = ", ".join(part for part in (family, given, suffix) if part)
        names.append(name or find_text(author, "CollectiveName"))
    return [name for name in names if name]


def _pages(parent: Element | None) -> str:
    if pages := find_text(parent, "Pagination/MedlinePgn"):
        return pages
    first, last = find_text(parent, "Pagination/StartPage"), find_text(parent, "Pagination/EndPage")
    if first:
        return f"{first}-{last}" if last and last != first else first
    found = parent.find("ELocationID[@EIdType='pii']") if parent is not None else None
    pii = text_of(found)
    return pii if re.fullmatch(r"e?\d{1,7}", pii) else ""


def _kind(types: list[str]) -> Kind:
    return next((kind for name, kind in _KINDS if name in types), "other" if types else "article")


PUBMED_XML = Format("pubmed_xml", "PubMed (XML)", pubmed_xml_likeness, pubmed_xml_starts, read_pubmed_xml)
