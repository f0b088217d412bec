"""Which record of a source is the publication that is looked for, and when that can't be told."""

from __future__ import annotations

from core.library.records import Record
from data.sources.types import FetchedRecord, LookupResult, LookupTarget, locate

TITLE = "Heat waves and the mortality of street trees in large cities"


def found(wanted: LookupTarget, *records: Record) -> LookupResult:
    there = [FetchedRecord(str(number), record) for number, record in enumerate(records)]
    (one,) = locate([wanted], lambda several: there, lambda several: there)
    return one


def record(title: str = TITLE, year: int | None = 2015, doi: str | None = None, pmid: str | None = None) -> Record:
    return Record(1, title=title, year=year, doi=doi, pmid=pmid)


def test_a_title_without_words_that_can_be_searched_is_not_called_missing() -> None:
    for title in ("热浪与城市树木的死亡率", "🔥", "To be or not to be"):
        told = found(LookupTarget("a", title, 2015))
        assert told.status == "unsure", title
        assert told.why
    assert found(LookupTarget("a", "热浪与城市树木的死亡率", 2015, "10.1000/a")).status == "not indexed"


def test_the_same_title_years_apart_may_be_the_same_publication() -> None:
    told = found(LookupTarget("a", TITLE, 2015), record(year=2019))
    assert (told.status, told.key) == ("unsure", None)
    assert told.why.endswith("is from 2019")
    assert found(LookupTarget("a", TITLE, 2015), record(year=2016)).status == "indexed"
    assert found(LookupTarget("a", TITLE, 2015), record(year=None)).status == "indexed"


def test_another_name_and_another_year_is_another_publication() -> None:
    assert (
        found(LookupTarget("a", TITLE, 2015, "10.1000/a"), record(year=2019, doi="10.1000/b")).status == "not indexed"
    )
    assert found(LookupTarget("a", TITLE, 2015, None, "11"), record(year=2019, pmid="12")).status == "not indexed"
    assert found(LookupTarget("a", TITLE, 2015, "10.1000/a"), record(year=2019)).status == "unsure"


def test_another_name_in_the_same_year_is_told() -> None:
    told = found(LookupTarget("a", TITLE, 2015, None, "11"), record(pmid="12"))
    assert told.status == "unsure"
    assert told.why.endswith("another PubMed number (12)")
    assert found(LookupTarget("a", TITLE, 2015, "10.1000/a"), record(doi="10.1000/b")).status == "unsure"


def test_names_count_whatever_their_case_and_whatever_the_title_says() -> None:
    told = found(LookupTarget("a", "Other words", 1990, "https://doi.org/10.1000/AbC"), record(doi="10.1000/abc"))
    assert (told.status, told.by) == ("indexed", "doi")
    assert found(LookupTarget("a", "", pmid="PMID: 11"), record(pmid="11")).by == "pmid"
