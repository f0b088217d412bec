"""ProQuest's text export: documents between lines of underscores, one labelled value per paragraph."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.library.kinds import kind_of
from core.library.records import RawFields, doi_of
from data.importers.source import Format, ImportEntry, ImportFile, Part, ReadOptions
from data.importers.tagged import line_numbers

_RULE = re.compile(r"^_{20,}[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^Document (\d{1,6}) of \d{1,6}[ \t]*$", re.MULTILINE)
_NUMBER = re.compile(r"^ProQuest document ID: *\d+", re.MULTILINE | re.IGNORECASE)
_ALL = """
abstract, accession number, alternate title, author, author affiliation, author e-mail address, author/artist,
broad subject, business indexing term, cited by, classification, committee member, company / organization,
contributor, copyright, correspondence author, country of publication, database, dataset, date, degree,
degree date, department, digital object identifier, dissertation/thesis number, document feature,
document title, document type, document url, doi, e-issn, edition, editor, eissn, entry date, first page,
full text, genre, identifier, identifier / keyword, identifiers, industry, isbn, issn, issue, journal subject,
journal title, keyword, keywords, language, language of publication, last page, last updated, links,
literature indexing term, location, medium, milestone dates, name, narrow subject, number of pages,
number of references, online publication date, original title, pages, people, person, place of publication,
pmid, product name, proquest document id, publication date, publication history, publication info,
publication note, publication subject, publication title, publication year, publisher, pubmed id, references,
school, section, source, source attribution, source type, sponsor, subject, subjects, subtitle,
summary language, supplement, title, unit, university location, university/institution, url, volume, year
"""


def _set(text: str) -> frozenset[str]:
    return frozenset(" ".join(label.split()) for label in text.split(","))


LABELS = _set(_ALL)
_IN_TEXTS = _set(
    "subjects, source, section, unit location, date, location, people, person, medium, school, references, issue"
)
"""Labels that also occur in structured abstracts and full texts: inside one, they are part of the text."""
_TEXTS = frozenset({"abstract", "full text"})
_LABELLED = re.compile(r"([A-Z][A-Za-z/ -]{2,40}?):(?:[ \t]+(.*)|[ \t]*)")
_USED = """
abstract, author, degree date, digital object identifier, document title, document type, document url, doi,
first page, identifier, identifier / keyword, identifiers, issue, journal title, keyword, keywords, name,
pages, pmid, proquest document id, publication date, publication title, publication year, pubmed id, source,
source type, subject, subjects, title, volume, year
"""
_TAKEN = _set(_USED)
_AFFILIATIONS = re.compile(r"\s{2,}(?=\d)")
_MARKS = re.compile(r"(?:\s*\d{1,2}(?:,\s?\d{1,2})*)?\s*$")
_MAIL = re.compile(r"\s*\(?\S+@\S+\)?")


@dataclass(slots=True)
class _Document:
    line: int
    values: dict[str, list[str]] = field(default_factory=dict)
    """The lines of each value, by label in lower case."""

    def text(self, *labels: str) -> str:
        return next((text for label in labels if (text := " ".join(self.values.get(label, ())).strip())), "")


def _likeness(source: ImportFile) -> float:
    head = source.head
    if not _RULE.search(head) or not (_HEADING.search(source.text, 0, 200_000) or _NUMBER.search(source.text)):
        return 0.0
    return 0.97 if "ProQuest" in source.text[:200_000] else 0.0


def _starts(source: ImportFile) -> Sequence[int]:
    """Return the lines of "Document 1 of 9"; without them, the first line of each part with a ProQuest number."""
    text = source.text
    headings = [found.start() for found in _HEADING.finditer(text)]
    if headings:
        return list(line_numbers(text, headings))
    rules = [0, *(found.end() for found in _RULE.finditer(text)), len(text)]
    begins = []
    for begin, end in itertools.pairwise(rules):
        if _NUMBER.search(text, begin, end):
            begins.append(begin + len(text[begin:end]) - len(text[begin:end].lstrip()))
    return list(line_numbers(text, begins))


def _read(source: ImportFile, asked: ReadOptions) -> Iterator[Part]:
    begins = set(_starts(source))
    document: _Document | None = None
    label, blank = "", True
    for number, line in enumerate(source.lines, start=1):
        if number in begins or _RULE.fullmatch(line):
            if document is not None:
                yield _entry(document)
            document = _Document(number) if number in begins else None
            label, blank = "name", True
            if document is None or _HEADING.fullmatch(line):
                continue
        if not line.strip():
            blank = True
        elif document is not None:
            found = _LABELLED.fullmatch(line.strip()) if blank or label not in _TEXTS else None
            if found and _is_label(found[1].lower(), label, document):
                label = found[1].lower()
                document.values[label] = [found[2] or ""]
            elif label != "name" or "name" not in document.values:
                document.values.setdefault(label, []).append(line.strip())
            blank = False
    if document is not None:
        yield _entry(document)


def _is_label(name: str, inside: str, document: _Document) -> bool:
    return name in LABELS and name not in document.values and not (inside in _TEXTS and name in _IN_TEXTS)


def _entry(document: _Document) -> ImportEntry:
    url = document.text("document url")
    subjects = ("subject", "subjects", "identifier / keyword", "identifier", "identifiers", "keyword", "keywords")
    fields: RawFields = {
        "title": document.text("title", "document title", "name"),
        "abstract": document.text("abstract"),
        "year": document.text("publication year", "year", "publication date", "degree date"),
        "doi": document.text("doi", "digital object identifier") or (url if doi_of(url) else ""),
        "pmid": document.text("pubmed id", "pmid"),
        "own_id": document.text("proquest document id"),
        "authors": authors_in(document.text("author")),
        "venue": document.text("publication title", "journal title", "source").partition(";")[0],
        "volume": document.text("volume"),
        "issue": document.text("issue"),
        "pages": document.text("pages", "first page"),
        "kind": kind_of(document.text("document type")) or kind_of(document.text("source type")),
        "keywords": [word for label in subjects for word in document.text(label).split(";")],
        "url": url,
    }
    return ImportEntry(document.line, fields, [label for label in document.values if label not in _TAKEN])


def authors_in(text: str) -> list[str]:
    """Return the names before the numbers of affiliations, without the addresses that follow.

    >>> authors_in("Kho, Lena 1 ; Ames, Rob 1,2   1 Institute of Broth, Leeds 2 Stock School (a@b.org)")
    ['Kho, Lena', 'Ames, Rob']
    """
    names = _AFFILIATIONS.split(text, maxsplit=1)[0].split(";")
    return [name for part in names if (name := _MARKS.sub("", _MAIL.sub("", part)).strip(" ,"))]


PROQUEST = Format("proquest_text", "ProQuest (text)", _likeness, _starts, _read)
