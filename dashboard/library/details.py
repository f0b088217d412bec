"""All details of a publication, as names and values to display."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.library.preprints import WorkVersions
from core.library.records import Kind, Record, SubjectHeading, language_name
from core.library.retractions import RetractionNotice
from core.text import many

KIND_LABELS: Mapping[Kind, str] = {
    "article": "Article",
    "conference": "Conference paper",
    "preprint": "Preprint",
    "book": "Book",
    "chapter": "Chapter",
    "thesis": "Thesis",
    "report": "Report",
    "other": "Other",
}
RETRACTED = "Retracted"
MOST_AUTHORS = 6


@dataclass(frozen=True, slots=True)
class Fact:
    name: str
    value: str
    address: str | None = None
    """Link to a page about it."""


def kind_label(record: Record) -> str | None:
    return KIND_LABELS[record.kind] if record.kind else None


def kind_and_status(record: Record) -> str:
    """Return the kind as one cell of a list, prefixed by a retraction.

    >>> kind_and_status(Record(1, kind="article", is_retracted=True)), kind_and_status(Record(1))
    ('Retracted · Article', '')
    """
    return " · ".join(filter(None, (RETRACTED if record.is_retracted else None, kind_label(record))))


def kind_and_notice(record: Record, notice: RetractionNotice | None) -> str | None:
    """Return the kind, prefixed by an expression of concern; a retraction has a place of its own.

    >>> kind_and_notice(Record(1, kind="article"), RetractionNotice(None, "1", "expression of concern"))
    'Expression of concern · Article'
    """
    concern = notice.label if notice and notice.nature == "expression of concern" else None
    return " · ".join(filter(None, (concern, kind_label(record)))) or None


def facts_of(
    record: Record, versions: WorkVersions | None = None, notice: RetractionNotice | None = None
) -> tuple[Fact, ...]:
    """Return all known details except title, abstract, year, DOI and headings.

    `versions`: preprint and published version. `notice`: the publication's notice of Retraction Watch.

    >>> [(fact.name, fact.value) for fact in facts_of(Record(1, language=("en",), references=("pmid:1", "pmid:2")))]
    [('Language', 'English'), ('References', '2 with an ID')]
    """
    facts = (
        Fact("Retraction Watch", notice.text if notice else ""),
        Fact("Published version and preprint", versions.text if versions else ""),
        Fact("Authors", _authors(record)),
        Fact("Published in", _place(record)),
        Fact("Types", _types(record)),
        Fact("Language", ", ".join(map(language_name, record.language))),
        Fact("ISSN", ", ".join(record.issn)),
        Fact("PMID", record.pmid or "", f"https://pubmed.ncbi.nlm.nih.gov/{record.pmid}/"),
        Fact("PMCID", record.pmcid or "", f"https://pmc.ncbi.nlm.nih.gov/articles/{record.pmcid}/"),
        Fact("References", f"{len(record.references):,} with an ID" if record.references else ""),
        Fact("Keywords", ", ".join(record.keywords)),
        Fact("Sources (CiteSource)", ", ".join(record.cite_source)),
        Fact("Labels (CiteSource)", ", ".join(record.cite_label)),
        Fact("Strings (CiteSource)", "; ".join(record.cite_string)),
    )
    return tuple(fact for fact in facts if fact.value)


def headings_of(record: Record) -> tuple[tuple[str, bool], ...]:
    """Return each subject heading with its qualifiers; True: it is a major one.

    >>> headings_of(Record(1, headings=("Sleep/*drug effects", "Soups")))
    (('Sleep / drug effects', True), ('Soups', False))
    """
    headings = map(SubjectHeading.of, record.headings)
    return tuple((" / ".join((h.name, *(name for name, _ in h.qualifiers))), h.is_major) for h in headings)


def _authors(record: Record) -> str:
    shown = "; ".join(record.authors[:MOST_AUTHORS])
    n_more = len(record.authors) - MOST_AUTHORS
    return f"{shown} and {many(n_more, 'more author')}" if n_more > 0 else shown


def _place(record: Record) -> str:
    """Format the place of publication as in citations: "Journal of Soup 12(3), 7-19"."""
    number = f"{record.volume or ''}{f'({record.issue})' if record.issue else ''}"
    place = " ".join(filter(None, (record.venue, number)))
    return ", ".join(filter(None, (place, record.pages)))


def _types(record: Record) -> str:
    """Return the source's own types, except those that only repeat the kind."""
    label = (kind_label(record) or "").casefold()
    types = [text for text in record.types if text.casefold() not in (label, record.kind)]
    return ", ".join(types)
