"""XML formats: PubMed and EndNote, split into records before parsing."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from core.errors import FormatError
from core.library.kinds import known_kind_of
from core.library.records import Kind, RawFields, SubjectHeading, doi_of
from data.importers.source import Format, ImportEntry, ImportFile, ImportRejection, Part
from data.importers.tagged import line_numbers

# XML split into its records before parsing: a damaged record costs only that record.

LARGEST_PIECE = 20_000_000
_BARE_AMPERSAND = re.compile(r"&(?!(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});)")
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{0,31});")
_NUMBERED = re.compile(r"&#(?:(\d{1,7})|x([0-9a-fA-F]{1,6}));")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_PREFIX = re.compile(r"(</?)[A-Za-z_][\w.-]*:")
_PREFIXED_ATTRIBUTE = re.compile(r"(\s)[A-Za-z_][\w.-]*:([A-Za-z_][\w.-]*\s*=)")
_XML_KNOWS = frozenset({"amp", "lt", "gt", "quot", "apos"})


@dataclass(frozen=True, slots=True)
class XmlFragment:
    line: int
    position: int
    """The record's number in the file, from 1."""
    text: str
    closed: bool
    """True: its end was found before the next one begins."""


def opening(names: Sequence[str]) -> re.Pattern[str]:
    """Match the beginning of a record, with or without a namespace before its name."""
    return re.compile(rf"<(?:[A-Za-z_][\w.-]*:)?({'|'.join(names)})(?=[\s>/])")


def pieces(source: ImportFile, begins: re.Pattern[str]) -> Iterator[XmlFragment]:
    """Yield the records one after another. A document that declares entities is rejected as a whole.

    Entities can expand without end or refer to other files; no bibliography needs them.
    """
    text = source.text
    if "<!ENTITY" in text:
        raise FormatError(f"{source.name} declares XML entities (<!ENTITY), which are not read: remove them")
    line, counted, position = 1, 0, 0
    here = begins.search(text)
    while here:
        after = begins.search(text, here.end())
        limit = after.start() if after else len(text)
        ends = re.compile(rf"</(?:[A-Za-z_][\w.-]*:)?{here[1]}\s*+>").search(text, here.end(), limit)
        line += text.count("\n", counted, here.start())
        counted = here.start()
        position += 1
        yield XmlFragment(line, position, text[here.start() : ends.end() if ends else limit], ends is not None)
        here = after


def parsed(piece: XmlFragment) -> Element | ImportRejection:
    """Parse a record's elements, with names without namespaces; return a rejection if that fails."""
    if not piece.closed:
        return ImportRejection(
            piece.line, "a record without an end: the file is cut off or damaged here", piece.position
        )
    if len(piece.text) > LARGEST_PIECE:
        return ImportRejection(piece.line, "a record of more than 20 million characters", piece.position)
    root = _element(piece.text)
    if root is None:
        root = _element(_repaired(piece.text))
    if root is None:
        return ImportRejection(piece.line, "a record that is not well-formed XML", piece.position)
    for element in root.iter():
        if isinstance(element.tag, str) and "}" in element.tag:
            element.tag = element.tag.rpartition("}")[2]
    return root


def _element(text: str) -> Element | None:
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError):
        return None


def _repaired(text: str) -> str:
    """Repair common export errors: HTML entities, a bare "&", control characters, prefixes declared elsewhere."""
    text = _CONTROL.sub("", text)
    text = _BARE_AMPERSAND.sub("&amp;", text)
    text = _NAMED.sub(_known_entity, text)
    text = _NUMBERED.sub(_legal, text)
    return _PREFIXED_ATTRIBUTE.sub(r"\1\2", _PREFIX.sub(r"\1", text))


def _known_entity(found: re.Match[str]) -> str:
    if found[1] in _XML_KNOWS:
        return found[0]
    sign = html.unescape(found[0])
    return f"&amp;{found[1]};" if sign == found[0] else sign


def _legal(found: re.Match[str]) -> str:
    number = int(found[1]) if found[1] else int(found[2], 16)
    legal = (
        number in (9, 10, 13) or 0x20 <= number < 0xD800 or 0xE000 <= number < 0xFFFE or 0x10000 <= number <= 0x10FFFF
    )
    return found[0] if legal else ""


def _starts(source: ImportFile, begins: re.Pattern[str]) -> list[int]:
    """Return the lines of records; some files have all of them on one line."""
    return list(line_numbers(source.text, (found.start() for found in begins.finditer(source.text))))


def _read(
    source: ImportFile, begins: re.Pattern[str], fields_of: Callable[[Element], tuple[RawFields, Sequence[str]]]
) -> Iterator[Part]:
    """Read every record. `fields_of` returns its fields, and the names of the filled elements that it doesn't use."""
    for piece in pieces(source, begins):
        root = parsed(piece)
        yield root if isinstance(root, ImportRejection) else ImportEntry(piece.line, *fields_of(root))


def text_of(element: Element | None) -> str:
    """Return all text in an element, without the markup inside it and with single spaces.

    >>> text_of(ElementTree.fromstring("<t>CO<sub>2</sub> in\\n  <i>E. coli</i></t>"))
    'CO2 in E. coli'
    """
    if element is None:
        return ""
    if not len(element):  # most elements hold only text
        return " ".join(element.text.split()) if element.text else ""
    return " ".join("".join(_texts_in(element)).split())


_FORMULAS = frozenset({"annotation", "annotation-xml"})


def _texts_in(element: Element) -> Iterator[str]:
    """Return all text of an element, without repetitions of a formula in another notation."""
    names = [_local(part) for part in element.iter()]
    return _once(element) if "math" in names else element.itertext()


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _once(element: Element) -> Iterator[str]:
    if element.text and isinstance(element.tag, str):
        yield element.text
    names = {_local(child) for child in element}
    for child in element:
        if _local(child) not in _FORMULAS and not (_local(child) == "tex-math" and "math" in names):
            yield from _once(child)
        if child.tail:
            yield child.tail


def find_text(element: Element | None, path: str) -> str:
    if element is None or (first := element.find(path)) is None:
        return ""
    return text_of(first) or next((text for found in element.iterfind(path) if (text := text_of(found))), "")


def find_texts(element: Element | None, path: str) -> list[str]:
    return [] if element is None else [text for found in element.iterfind(path) if (text := text_of(found))]


# EndNote's XML, which Bookends, Zotero, Mendeley and Rayyan also write.

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


def endnote_xml_likeness(source: ImportFile) -> float:
    """Score a source: records in XML, with one of the elements that only EndNote has."""
    head = source.head
    if "<" not in head or not _RECORD.search(source.text, 0, 200_000):
        return 0.0
    return 0.95 if _MARKS.search(source.text, 0, 200_000) else 0.0


def _endnote_fields(record: Element) -> tuple[RawFields, Sequence[str]]:
    urls = [text for text in find_texts(record, ".//urls//url") if text.startswith(("http", "www."))]
    number = find_text(record, "accession-num")
    in_pubmed = re.fullmatch(r"\d{5,8}", number) and "pubmed" in _provider(record, urls)
    fields: RawFields = {
        "title": find_text(record, "titles/title"),
        "abstract": find_text(record, "abstract"),
        "year": find_text(record, "dates/year") or find_text(record, "dates/pub-dates/date"),
        "doi": _endnote_doi(record, urls),
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
    unused = [child.tag for child in record if child.tag not in _TAKEN and "".join(child.itertext()).strip()]
    return fields, list(dict.fromkeys(unused))


def _kind(record: Element) -> Kind:
    found = record.find("ref-type")
    if found is None:
        return "other"
    by_name = KIND_OF.get(found.get("name", "").lower().strip())
    return by_name or _KIND_OF_NUMBER.get("".join(found.itertext()).strip(), "other")


def _endnote_doi(record: Element, urls: list[str]) -> str:
    if doi := find_text(record, "electronic-resource-num"):
        return doi
    return next((url for url in urls if "doi" in url.lower() and doi_of(url)), "")


def _provider(record: Element, urls: list[str]) -> str:
    named = (find_text(record, name) for name in ("remote-database-name", "remote-database-provider", "database"))
    return " ".join([*named, *urls]).lower().replace("nlm", "pubmed").replace("medline", "pubmed")


ENDNOTE_XML = Format(
    "endnote_xml",
    "EndNote (XML)",
    endnote_xml_likeness,
    lambda source: _starts(source, _RECORD),
    lambda source, asked: _read(source, _RECORD, _endnote_fields),
)


# PubMed's XML: articles and books, with or without a root around them, and MEDLINE's older citations.

_RECORDS = opening(["PubmedArticle", "PubmedBookArticle"])
_CITATIONS = opening(["MedlineCitation"])
_NOT_TAKEN = {
    "Affiliation": "Article/AuthorList/Author/AffiliationInfo/Affiliation",
    "Grant": "Article/GrantList/Grant",
    "Chemical": "ChemicalList/Chemical",
    "Databank": "Article/DataBankList/DataBank",
    "OtherAbstract": "OtherAbstract",
    "CommentsCorrections": "CommentsCorrectionsList/CommentsCorrections",
    "CopyrightInformation": "Article/Abstract/CopyrightInformation",
}


def pubmed_xml_likeness(source: ImportFile) -> float:
    if "<" not in source.head:
        return 0.0
    return 0.98 if _begins(source.head).search(source.text, 0, 500_000) else 0.0


def _begins(text: str) -> re.Pattern[str]:
    return _RECORDS if _RECORDS.search(text) else _CITATIONS


def _pubmed_fields(root: Element) -> tuple[RawFields, Sequence[str]]:
    if (book := root.find("BookDocument")) is not None:
        return book_fields(book), ["Section"] if book.find("Sections") is not None else []
    citation = root if root.tag == "MedlineCitation" else root.find("MedlineCitation")
    return article_fields(root, citation), _unused(citation)


def _unused(citation: Element | None) -> list[str]:
    return [] if citation is None else [name for name, path in _NOT_TAKEN.items() if citation.find(path) is not None]


def article_fields(root: Element, citation: Element | None) -> RawFields:
    """Return the fields of a PubmedArticle. `citation`: its MedlineCitation, which older files have on its own."""
    article = citation.find("Article") if citation is not None else None
    data = root.find("PubmedData")
    issue = article.find("Journal/JournalIssue") if article is not None else None
    types = find_texts(article, "PublicationTypeList/PublicationType")
    return {
        "title": _title(article),
        "abstract": _abstract(article) or _abstract(citation, "OtherAbstract"),
        "year": _year(issue, article),
        "doi": find_text(data, "ArticleIdList/ArticleId[@IdType='doi']") or _location(article),
        "pmid": find_text(citation, "PMID") or find_text(data, "ArticleIdList/ArticleId[@IdType='pubmed']"),
        "authors": _authors(article),
        "venue": find_text(article, "Journal/Title") or find_text(citation, "MedlineJournalInfo/MedlineTA"),
        "volume": find_text(issue, "Volume"),
        "issue": find_text(issue, "Issue"),
        "pages": _pages(article),
        "kind": known_kind_of(types) or "article",
        "keywords": find_texts(citation, "KeywordList/Keyword"),
        "types": types,
        "headings": _headings(citation),
        "language": find_texts(article, "Language"),
        "pmcid": find_text(data, "ArticleIdList/ArticleId[@IdType='pmc']"),
        "issn": [
            *find_texts(article, "Journal/ISSN"),
            *find_texts(citation, "MedlineJournalInfo/ISSNLinking"),
        ],
        "references": _references(data),
        "is_retracted": True if citation is not None and citation.find(_RETRACTION) is not None else None,
    }


_RETRACTION = "CommentsCorrectionsList/CommentsCorrections[@RefType='RetractionIn']"


def _headings(citation: Element | None) -> list[str]:
    headings = [] if citation is None else citation.findall("MeshHeadingList/MeshHeading")
    return [
        SubjectHeading(
            text_of(name),
            tuple((text_of(part), part.get("MajorTopicYN") == "Y") for part in heading.iterfind("QualifierName")),
            name.get("MajorTopicYN") == "Y",
        ).text
        for heading in headings
        if (name := heading.find("DescriptorName")) is not None and text_of(name)
    ]


def _references(data: Element | None) -> list[str]:
    """Return the PubMed number or DOI of each work in its reference lists, which may be nested."""
    found = []
    for reference in data.iter("Reference") if data is not None else ():
        ids = {part.get("IdType"): text_of(part) for part in reference.iterfind("ArticleIdList/ArticleId")}
        if ids.get("pubmed"):
            found.append(f"pmid:{ids['pubmed']}")
        elif ids.get("doi"):
            found.append(f"doi:{ids['doi']}")
    return found


def book_fields(book: Element) -> RawFields:
    """Return the fields of a BookDocument: a chapter if it has a title of its own, else the book."""
    inside = find_text(book, "ArticleTitle")
    around = find_text(book, "Book/BookTitle")
    return {
        "title": inside or around,
        "abstract": _abstract(book),
        "year": (find_text(book, "ContributionDate/Year") if inside else "")
        or find_text(book, "Book/PubDate/Year")
        or find_text(book, "Book/PubDate/MedlineDate"),
        "doi": find_text(book, "ArticleIdList/ArticleId[@IdType='doi']") or _location(book, "Book/"),
        "pmid": find_text(book, "PMID"),
        "own_id": find_text(book, "ArticleIdList/ArticleId[@IdType='bookaccession']"),
        "authors": _authors(book) or _authors(book.find("Book")),
        "venue": around if inside else find_text(book, "Book/CollectionTitle"),
        "volume": find_text(book, "Book/Volume"),
        "pages": _pages(book),
        "kind": "chapter" if inside else "book",
        "keywords": find_texts(book, "KeywordList/Keyword"),
        "types": find_texts(book, "PublicationType"),
        "language": find_texts(book, "Language"),
        "pmcid": find_text(book, "ArticleIdList/ArticleId[@IdType='pmc']"),
    }


def _title(article: Element | None) -> str:
    title, vernacular = find_text(article, "ArticleTitle"), find_text(article, "VernacularTitle")
    placeholder = title.strip("[]. ").lower() in ("", "not available", "in process citation")
    return vernacular if placeholder and vernacular else title


def _abstract(parent: Element | None, name: str = "Abstract") -> str:
    """Return the abstract; parts of a structured abstract keep their labels."""
    if parent is None:
        return ""
    return " ".join(_part(part) for part in parent.iterfind(f"{name}/AbstractText")).strip()


def _part(part: Element) -> str:
    label, text = part.get("Label", ""), text_of(part)
    return f"{label.rstrip(': ')}: {text}" if text and label and label.upper() != "UNLABELLED" else text


def _year(issue: Element | None, article: Element | None) -> str:
    in_issue = find_text(issue, "PubDate/Year") or find_text(issue, "PubDate/MedlineDate")
    return in_issue or find_text(article, "ArticleDate/Year")


def _location(parent: Element | None, before: str = "") -> str:
    if parent is None:
        return ""
    found = [e for e in parent.iterfind(f"{before}ELocationID[@EIdType='doi']") if e.get("ValidYN", "Y") == "Y"]
    return text_of(found[0]) if found else ""


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


PUBMED_XML = Format(
    "pubmed_xml",
    "PubMed (XML)",
    pubmed_xml_likeness,
    lambda source: _starts(source, _begins(source.text)),
    lambda source, asked: _read(source, _begins(source.text), _pubmed_fields),
)
