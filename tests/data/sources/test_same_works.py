"""The same ten works from every source: they say the same, or the difference is the source's own and listed here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from core.library.records import Record, SubjectHeading, doi_of, title_key
from core.sources.source_forms import SOURCE_IDS, Form
from data.importers.reading import read_data
from data.sources.crossref import Crossref
from data.sources.crossref import connect as connect_to_crossref
from data.sources.pubmed import read_records
from data.sources.registry import ABOUT
from tests.data.sources.fake_sources.playing import CHOICES
from tests.data.sources.fake_sources.registry import STANDS
from tests.data.sources.fake_sources.server import Says, serving
from tests.data.sources.same_works import ANSWERS, WORKS, SameWork

FIELDS = ("title", "year", "kind", "abstract", "doi", "pmid")
ALL = "every work"
DIFFERENCES: Mapping[tuple[str, str, str], Any] = {
    # Crossref has no PubMed numbers, and neither has Europe PMC for preprints.
    ("crossref", ALL, "pmid"): None,
    ("europepmc", "preprint", "pmid"): None,
    # What a publisher left open stays open: on the day of deposit nothing appeared.
    ("crossref", "conference", "year"): None,
    # Publishers put a word before the titles of what they retract; PubMed, Europe PMC and others don't take it over.
    ("crossref", "retracted", "title"): "RETRACTED: Cold soup cures insomnia",
    ("openalex", "retracted", "title"): "RETRACTED: Cold soup cures insomnia",
    # OpenAlex has an abstract as words in a row: nothing tells a heading or a label from the text.
    ("openalex", "structured", "abstract"): (
        "Abstract Objective This study counts dreams. Results There were many dreams."
    ),
}


@cache
def answered(source: str) -> Mapping[str, Record]:
    """What an adapter makes of the source's answer, by the name of the work."""
    said = ANSWERS[source](WORKS)
    if source == "pubmed":
        records = [each.record for each in read_records(said).fetched]
    elif source == "crossref":
        with serving({source: Says(said)}) as server:
            connection = connect_to_crossref(server.address(source), "")
            found = Crossref(connection).resolve([work.doi for work in WORKS])
            records = [record for record in found.values() if record is not None]
            connection.close()
    else:
        stand = next(stand for stand in STANDS if stand.source == source)
        with serving({source: Says(said)}) as server:
            connection = stand.connect(server)
            page = stand.opened(connection).page(Form(0, "everything"), CHOICES, None, 100)
            assert not page.aside
            records = [each.record for each in page.fetched]
            connection.close()
    by_doi = {record.doi: record for record in records}
    return {work.name: by_doi[work.doi] for work in WORKS}


def normal(field: str, value: Any) -> Any:
    if field == "title":
        return title_key(value)
    return value.casefold() if isinstance(value, str) else value


def expected(source: str, work: SameWork, field: str) -> Any:
    for name in (work.name, ALL):
        if (source, name, field) in DIFFERENCES:
            return DIFFERENCES[source, name, field]
    return getattr(work, field)


def test_every_source_answers() -> None:
    assert set(ANSWERS) == {*SOURCE_IDS, "crossref"} == {*ABOUT, "crossref"}


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.name)
@pytest.mark.parametrize("source", ANSWERS)
def test_a_work_is_the_same_from_every_source(source: str, work: SameWork) -> None:
    record = answered(source)[work.name]
    found = {field: normal(field, getattr(record, field)) for field in FIELDS}
    assert found == {field: normal(field, expected(source, work, field)) for field in FIELDS}


@pytest.mark.parametrize(
    ("source", "format_id"),
    [("crossref", "crossref_json"), ("openalex", "openalex_json"), ("pubmed", "pubmed_xml")],
)
def test_a_saved_answer_is_read_as_the_source_itself(source: str, format_id: str) -> None:
    said = ANSWERS[source](WORKS)
    reading = read_data(said if isinstance(said, bytes) else json.dumps(said).encode(), "answer")
    assert (reading.format_id, reading.rejected) == (format_id, ())
    assert [record.document() for record in reading.records] == [r.document() for r in answered(source).values()]


# What a record came with beyond that


HEADINGS = ("Sleep/*drug effects/physiology", "*Soups")


@pytest.mark.parametrize("source", ["pubmed", "europepmc", "openalex"])
def test_headings_have_qualifiers_and_are_no_keywords(source: str) -> None:
    record = answered(source)["article"]
    assert (record.headings, record.keywords) == (HEADINGS, ("broth",))
    assert record.publication("x").keywords == ("broth", "Sleep", "Soups")
    sleep = SubjectHeading.of(record.headings[0])
    assert (sleep.is_major, sleep.qualifiers) == (True, (("drug effects", True), ("physiology", False)))


def test_dimensions_has_headings_without_qualifiers() -> None:
    assert answered("dimensions")["article"].headings == ("Sleep", "Soups")


def test_retractions_are_known() -> None:
    known = {source: answered(source)["retracted"].is_retracted for source in ANSWERS}
    assert {source for source, value in known.items() if value} == {"pubmed", "europepmc", "crossref", "openalex"}
    others = {(source, answered(source)["article"].is_retracted) for source in ANSWERS}
    assert others == {(source, False if source == "openalex" else None) for source in ANSWERS}


@pytest.mark.parametrize(
    ("source", "language", "pmcid", "issn", "references"),
    [
        ("pubmed", ("en",), "PMC7001", ("1234-567X",), ("pmid:123456", "doi:10.5555/cited")),
        ("europepmc", ("en",), "PMC7001", ("1234-567X",), ()),
        ("semanticscholar", (), "PMC7001", (), ()),
        ("crossref", (), None, ("1234-567X",), ("doi:10.5555/cited",)),
        ("openalex", ("en",), "PMC7001", ("1234-567X",), ("openalex:W77",)),
        ("dimensions", (), "PMC7001", ("1234-567X",), ("dimensions:pub.77",)),
    ],
)
def test_language_numbers_and_references(
    source: str, language: tuple[str, ...], pmcid: str | None, issn: tuple[str, ...], references: tuple[str, ...]
) -> None:
    record = answered(source)["article"]
    assert (record.language, record.pmcid, record.issn, record.references) == (language, pmcid, issn, references)
    document = record.document()
    assert Record.from_document(json.loads(json.dumps(document))) == Record.from_document(document)


def test_all_types_are_kept_beside_the_kind() -> None:
    assert answered("pubmed")["trial"].types == ("Journal Article", "Randomized Controlled Trial")
    assert answered("europepmc")["retracted"].types == ("retracted publication", "Journal Article")
    assert answered("semanticscholar")["conference"].types == ("JournalArticle", "Conference")
    assert answered("crossref")["preprint"].types == ("posted-content", "preprint")
    assert answered("openalex")["review"].types == ("review",)
    assert answered("dimensions")["conference"].types == ("proceeding",)


@pytest.mark.parametrize("date", [None, {}, {"date-parts": [[]]}, {"date-parts": [[None]]}])
def test_the_day_of_deposit_is_no_year(date: object) -> None:
    work = {"DOI": "10.5555/x", "title": ["Soup"], "issued": date, "created": {"date-parts": [[2003, 1, 1]]}}
    (record,) = read_data(json.dumps(work).encode(), "x.json").records
    assert record.year is None
    assert doi_of("10.5555/x") == record.doi
