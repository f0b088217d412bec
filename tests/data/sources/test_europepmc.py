"""Europe PMC: how it is asked, how its pages end, what becomes of its records."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, LostPlaceError, RefusedRequestError
from core.query.parser import parse
from core.sources.source_forms import Form, SourceOptions
from data.sources.connection import OddRecordError
from data.sources.europepmc import EuropePmc, _record, connect
from data.sources.types import FetchedRecord, LookupTarget, SourcePage
from tests.data.sources.fake_sources.corpus import Corpus, made_up
from tests.data.sources.fake_sources.europepmc import FakeEuropePmc, document, name_of
from tests.data.sources.fake_sources.server import FakeSources, Says, Script, nothing, on, serving

USUAL = SourceOptions()
EVERYTHING = Form(0, "everything")


@contextmanager
def played(
    corpus: Corpus, script: Script = nothing, **fake: Any
) -> Iterator[tuple[EuropePmc, FakeEuropePmc, FakeSources]]:
    """The adapter before its stand-in; nobody waits."""
    service = FakeEuropePmc(corpus, **fake)
    with serving({"europepmc": service}, script) as server:
        connection = connect(server.address("europepmc"), sleep=lambda seconds: None)
        yield EuropePmc(connection), service, server
        connection.close()


def pages(source: EuropePmc, most: int, form: Form = EVERYTHING) -> list[SourcePage]:
    came = [source.page(form, USUAL, None, most)]
    while (at := came[-1].next) is not None:
        came.append(source.page(form, USUAL, at, most))
    return came


def read_from(*records: dict[str, Any]) -> tuple[FetchedRecord, ...]:
    said = {"hitCount": len(records), "resultList": {"result": list(records)}}
    with serving({"europepmc": Says(said)}) as server:
        connection = connect(server.address("europepmc"))
        page = EuropePmc(connection).page(EVERYTHING, USUAL, None, 10)
        connection.close()
    assert not page.aside
    return page.fetched


# How it is asked


def test_a_short_query_is_an_address_and_a_long_one_is_posted() -> None:
    long = Form(0, " OR ".join(f'TITLE_ABS:"street trees {number}"' for number in range(400)))
    with played(made_up(100)) as (source, fake, server):
        short = source.page(EVERYTHING, USUAL, None, 10)
        source.count(long, USUAL)
        source.page(long, USUAL, None, 10)
    assert [(asked.method, asked.path) for asked in server.asked] == [
        ("GET", "/search"),
        ("POST", "/searchPOST"),
        ("POST", "/searchPOST"),
    ]
    assert fake.queries == [EVERYTHING.text, long.text, long.text]
    assert short.sent[0].address.endswith("resultType=core&format=json&pageSize=10&synonym=false&cursorMark=%2A")


def test_the_longest_address_is_within_the_limit() -> None:
    with played(made_up(50)) as (source, _, server):
        for n in range(1700, 2100, 7):
            source.count(Form(0, "TITLE:" + "ü" * (n // 6)), USUAL)
    lengths = [asked.n_bytes_of_url for asked in server.asked if asked.method == "GET"]
    assert 1900 < max(lengths) <= 2000
    assert any(asked.method == "POST" for asked in server.asked)


def test_synonyms_are_looked_for_where_that_is_chosen() -> None:
    with played(made_up(50)) as (source, _, server):
        source.page(EVERYTHING, SourceOptions(synonyms=True), None, 5)
        source.count(EVERYTHING, SourceOptions(synonyms=True))
        source.count(EVERYTHING, USUAL)
    assert [asked.params["synonym"] for asked in server.asked] == ["true", "true", "false"]


def test_who_asks_is_said_where_an_address_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYSCAPE_MAIL", "me@example.org")
    with played(made_up(50)) as (source, _, server):
        source.count(EVERYTHING, USUAL)
        source.count(Form(0, "TITLE:naps OR " * 300 + "TITLE:naps"), USUAL)
    assert server.asked[0].params["email"] == server.asked[1].form["email"] == "me@example.org"


def test_what_is_asked_otherwise_than_it_was_sent_is_told_once() -> None:
    faults = {("europepmc", number): "echo" for number in (1, 2, 3)}
    with played(made_up(50), on(faults)) as (source, _, _):
        told = ("Europe PMC translated it as: everything (not all of it)",)
        assert source.count(EVERYTHING, USUAL).notes == told
        first = source.page(EVERYTHING, USUAL, None, 5)
        assert first.notes == told
        assert source.page(EVERYTHING, USUAL, first.next, 5).notes == ()
        assert source.count(EVERYTHING, USUAL).notes == ()


def test_an_error_that_comes_as_a_good_answer_is_an_error() -> None:
    with (
        played(made_up(50), on({("europepmc", 1): "said"})) as (source, _, _),
        pytest.raises(RefusedRequestError, match="not available"),
    ):
        source.count(EVERYTHING, USUAL)


def test_what_a_search_is_not_about_is_nothing_to_search_for() -> None:
    with played(made_up(50)) as (source, _, server), pytest.raises(InputError):
        source.prepare(parse("NOT trees", "dimensions"), USUAL)
    assert not server.asked


# How its pages end


@pytest.mark.parametrize("ends", ["absent", "unchanged", "empty"])
@pytest.mark.parametrize("size", [7, 20, 500])
def test_pages_end_in_every_documented_way(ends: Any, size: int) -> None:
    corpus = made_up(140)
    with played(corpus, ends=ends) as (source, _, server):
        came = pages(source, size)
    keys = [each.key for page in came for each in page.fetched]
    assert Counter(keys) == Counter(":".join(name_of(work)) for work in corpus.works)
    assert server.n_of["europepmc"] == -(-140 // size) + (ends == "empty")
    assert {page.total for page in came} == {140}


def test_a_place_that_it_no_longer_knows_is_lost() -> None:
    with played(made_up(50), on({("europepmc", 2): "lost"})) as (source, _, _):
        first = source.page(EVERYTHING, USUAL, None, 5)
        with pytest.raises(LostPlaceError, match="cursorMark"):
            source.page(EVERYTHING, USUAL, first.next, 5)


@pytest.mark.slow
def test_twelve_thousand_come_whole_and_once() -> None:
    corpus = made_up(12_000)
    with played(corpus) as (source, _, server):
        keys = [each.key for page in pages(source, 10**6) for each in page.fetched]
    assert len(keys) == len(set(keys)) == 12_000
    assert server.n_of["europepmc"] == 24


# Records


def test_a_record_has_all_that_europe_pmc_says() -> None:
    raw = {
        "id": "35957633",
        "source": "MED",
        "pmid": "35957633",
        "pmcid": "PMC9359172",
        "doi": "10.5555/ABC.1",
        "title": "CO<sub>2</sub> and <i>E. coli</i> &amp; more.",
        "authorString": "Ba C, Cooks Group.",
        "authorList": {
            "author": [
                {"fullName": "Ba C", "firstName": "Cy", "lastName": "Ba", "initials": "C"},
                {"collectiveName": "Cooks Group"},
                {"fullName": "Solo"},
            ]
        },
        "journalInfo": {"volume": "3", "issue": "2", "yearOfPublication": 2021, "journal": {"title": "Soup"}},
        "pubYear": "2022",
        "pageInfo": "7-9",
        "abstractText": "<h4>Background</h4>We cook at p &lt; 0.05.<h4>Results</h4>It is <b>hot</b>.",
        "pubTypeList": {"pubType": ["Case Reports", "Journal Article"]},
        "keywordList": {"keyword": ["pot", "lid"]},
        "meshHeadingList": {"meshHeading": [{"descriptorName": "Heat"}, {"descriptorName": "pot"}]},
        "citedByCount": 12,
    }
    (found,) = read_from(raw)
    record = found.record
    assert found.key == "MED:35957633"
    assert record.title == "CO2 and E. coli & more."
    assert record.abstract == "Background: We cook at p < 0.05. Results: It is hot."
    assert (record.year, record.doi, record.pmid, record.own_id) == (2022, "10.5555/abc.1", "35957633", "PMC9359172")
    assert record.authors == ("Ba, Cy", "Cooks Group", "Solo")
    assert (record.venue, record.volume, record.issue, record.pages) == ("Soup", "3", "2", "7-9")
    assert (record.kind, record.keywords, record.times_cited) == ("article", ("pot", "lid"), 12)
    assert (record.headings, record.subjects) == (("Heat", "pot"), ("pot", "lid", "Heat"))
    assert record.url == "https://europepmc.org/article/MED/35957633"


def test_a_preprint_that_says_little_is_one() -> None:
    raw = {
        "id": "PPR12",
        "source": "PPR",
        "title": "Early soup",
        "authorString": "Ba C, Do E.",
        "firstPublicationDate": "2020-05-01",
        "bookOrReportDetails": {"publisher": "bioRxiv"},
    }
    (found,) = read_from(raw)
    record = found.record
    assert (found.key, record.pmid, record.own_id, record.doi) == ("PPR:PPR12", None, "PPR12", None)
    assert (record.kind, record.year, record.venue) == ("preprint", 2020, "bioRxiv")
    assert (record.authors, record.abstract) == (("Ba C", "Do E"), None)


@pytest.mark.parametrize(
    ("types", "kind"),
    [
        (["Preprint"], "preprint"),
        (["Congress", "Journal Article"], "conference"),
        (["Technical Report"], "report"),
        (["Book Review"], "article"),
        (["Book"], "book"),
        (["Chapter"], "chapter"),
        (["review-article"], "article"),
        (["Systematic Review"], "article"),
        (["Retraction of Publication"], "other"),
        ([], None),
    ],
)
def test_kinds_are_told_by_its_own_words(types: list[str], kind: str | None) -> None:
    (found,) = read_from({"id": "1", "source": "MED", "title": "Soup", "pubTypeList": {"pubType": types}})
    assert found.record.kind == kind


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["author", "keyword", "title", "journal"]), inner, max_size=3)
        ),
        max_leaves=6,
    ),
    st.sampled_from(sorted(document(made_up(50).works[0]))),
)
def test_no_value_of_another_type_breaks_the_reading(value: Any, name: str) -> None:
    whole = json.loads(json.dumps(document(made_up(50).works[0]) | {name: value}))
    with suppress(OddRecordError):
        assert _record(whole).key.count(":") == 1


# Looking publications up


def test_one_record_is_asked_for_by_number_and_where_it_is_from() -> None:
    corpus = made_up(300)
    form = Form(1, 'TITLE:(trees OR naps) NOT TITLE:"street trees"')
    with played(corpus) as (source, _, _):
        found = {each.key for page in pages(source, 500, form) for each in page.fetched}
        assert 0 < len(found) < 300
        for work in corpus.works[:60]:
            key = ":".join(name_of(work))
            only = source.restricted(form, key)
            assert only is not None
            assert only.number == 1
            assert source.count(only, USUAL).total == (key in found)
        assert source.restricted(Form(0, 'TITLE:"trees'), "MED:1") is None
        assert source.restricted(form, "MED:1 OR 2") is None
        assert source.restricted(form, "1") is None


def test_of_several_records_of_one_doi_that_of_pubmed_is_taken() -> None:
    works = made_up(300).works
    first = next(work for work in works if work.pmid and work.doi)
    preprint = next(work for work in works if not work.pmid)
    corpus = Corpus([replace(preprint, doi=first.doi), *(work for work in works if work is not preprint)])
    with played(corpus) as (source, _, _):
        (found,) = source.find([LookupTarget("x", "Something else", doi=first.doi)])
    assert (found.key, found.by) == (f"MED:{first.pmid}", "doi")


def test_what_many_names_together_do_not_find_is_asked_for_alone() -> None:
    works = [work for work in made_up(100).works if work.pmid][:6]
    hidden = str(works[2].pmid)
    with played(Corpus(works)) as (source, fake, server):
        fake.alone = frozenset([hidden])
        found = source.find([LookupTarget(str(work.number), "", pmid=work.pmid) for work in works])
        assert source.find([LookupTarget("x", "", pmid="12")])[0].status == "not indexed"
    assert [each.key for each in found] == [f"MED:{work.pmid}" for work in works]
    assert server.n_of["europepmc"] == 2 + 1, "one more for the one that was missing; what is alone is asked for once"


def test_a_preprint_is_not_taken_for_what_became_of_it() -> None:
    works = made_up(300).works
    preprint = next(work for work in works if not work.pmid and work.doi and work.kind == "preprint")
    with played(Corpus(works)) as (source, _, _):
        (found,) = source.find([LookupTarget("x", preprint.title, preprint.year, doi="10.5555/the-article")])
    assert found.status == "unsure"
    assert f"another DOI ({preprint.doi})" in found.why


def test_titles_that_too_many_share_are_asked_for_one_by_one() -> None:
    works = made_up(1500).works
    same = [replace(work, title="Street trees and heat") for work in works]
    told = next(work for work in works if work.pmid and work.year)
    corpus = Corpus([*same, replace(told, number=5001)])
    with played(corpus) as (source, _, server):
        found = source.find(
            [LookupTarget("many", "Street trees and heat", 2001), LookupTarget("one", told.title, told.year)]
        )
    assert [each.status for each in found] == ["unsure", "indexed"]
    assert "too many publications" in found[0].why
    assert server.n_of["europepmc"] == 3
