"""PubMed: what is sent, what it says of it, what becomes of its records, and looking publications up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.errors import FormatChangedError, RefusedRequestError, ServiceError
from core.query.parser import parse
from core.sources.source_forms import Form, SourceOptions
from data.sources.pubmed import PubMed, connect, read_records, read_search
from data.sources.types import LookupTarget
from tests.data.sources.fake_sources.corpus import Corpus, made_up
from tests.data.sources.fake_sources.pubmed import KEY, FakePubMed, in_pubmed
from tests.data.sources.fake_sources.pubmed_records import EVERY_BOOK, article_set
from tests.data.sources.fake_sources.server import FakeSources, Script, as_json, nothing, on, serving
from tests.messages import refusal

USUAL = SourceOptions()
EVERYTHING = Form(0, "everything")


@contextmanager
def played(
    corpus: Corpus, script: Script = nothing, key: str = "", **fake: Any
) -> Iterator[tuple[PubMed, FakePubMed, FakeSources]]:
    """The adapter before its stand-in; nobody waits."""
    service = FakePubMed(corpus, **fake)
    with serving({"pubmed": service}, script) as server:
        connection = connect(server.address("pubmed"), key, sleep=lambda seconds: None)
        yield PubMed(connection, has_key=connection.has_key), service, server
        connection.close()


# What is sent


@pytest.mark.collections
def test_every_published_string_arrives_letter_for_letter(collections_dir: Path) -> None:
    lines = (collections_dir / "ielab_seed/topics.jsonl").read_text(encoding="utf-8").splitlines()
    strings = [json.loads(line)["query"] for line in lines]
    with played(made_up(200)) as (source, fake, _):
        for text in strings:
            prepared = source.prepare(parse(text, "pubmed"), USUAL)
            assert prepared.is_unchanged
            source.count(prepared.forms[0], USUAL)
            source.page(prepared.forms[0], USUAL, None, 10)
    assert len(strings) == 20
    assert set(fake.terms) == set(strings)


def test_everything_is_posted_and_says_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYSCAPE_MAIL", "me@example.org")
    with played(made_up(200)) as (source, _, server):
        page = source.page(Form(0, "street trees[ti] OR " + "naps[ti] OR " * 3000 + "parks"), USUAL, None, 10)
    assert [(asked.method, asked.path) for asked in server.asked] == [
        ("POST", "/esearch.fcgi"),
        ("POST", "/efetch.fcgi"),
    ]
    assert all(asked.form["tool"] == "queryscape" and asked.form["email"] == "me@example.org" for asked in server.asked)
    assert all(not asked.query for asked in server.asked)
    assert [sent.body.split("&")[-1].split("=")[0] for sent in page.sent] == ["usehistory", "retmax"]


def test_a_key_goes_with_every_request_and_allows_more() -> None:
    with played(made_up(200), key=KEY) as (source, _, server):
        source.page(EVERYTHING, USUAL, None, 10)
        assert source.about.per_second == 10
    assert [asked.form["api_key"] for asked in server.asked] == [KEY, KEY]


def test_a_search_that_failed_on_their_side_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [b'{"esearchresult":{"ERROR":"Search Backend failed: Database is not supported: pubmed"}}']
    with played(made_up(30)) as (source, fake, server):
        usual = fake.answer
        monkeypatch.setattr(fake, "answer", lambda asked, fault: as_json(said.pop()) if said else usual(asked, fault))
        assert source.count(EVERYTHING, USUAL).total > 0
    assert len(server.asked) == 2


def test_who_is_too_fast_or_asks_for_too_much_at_once_asks_again() -> None:
    faults = on({("pubmed", 1): "too often", ("pubmed", 3): "slow"})
    with played(made_up(200), faults) as (source, _, server):
        assert len(source.page(EVERYTHING, USUAL, None, 10).fetched) == 10
        assert server.n_of["pubmed"] == 4


# What it says of the text


def test_what_pubmed_did_with_the_text_is_told_in_plain_words() -> None:
    with played(made_up(200)) as (source, _, _):
        count = source.count(Form(0, 'trees[ti] OR zzyx[tiab] OR "qqu qqv"[ti]'), USUAL)
    assert count.total > 0
    assert count.notes[0].endswith('translated it as: trees[ti] OR zzyx[tiab] OR "qqu qqv"[ti]')
    assert count.notes[1].endswith("nothing by: zzyx")
    assert count.notes[2:] == ("PubMed's index has no such phrase: qqu qqv",)


def test_all_that_a_search_may_say() -> None:
    result = {
        "count": "7",
        "errorlist": {"phrasesnotfound": [], "fieldsnotfound": ["[tx]"]},
        "warninglist": {"phrasesignored": ["of", "the"], "outputmessages": ["No items found.", "Only 600 variations."]},
    }
    field, *others = read_search(json.dumps({"esearchresult": result}).encode()).notes
    assert field.endswith("such field: [tx]")
    assert others == ["PubMed ignored: of and the", "PubMed says: Only 600 variations."]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b'{"ERROR": "Invalid db name"}', "Invalid db name"),
        (b'{"esearchresult": {"ERROR": "Search Backend failed:\n too large"}}', "Search Backend failed: too large"),
        (b'{"error": "Empty term"}', "Empty term"),
    ],
)
def test_an_error_of_a_search_is_told_in_its_own_words(said: bytes, words: str) -> None:
    with pytest.raises(RefusedRequestError) as error:
        read_search(said)
    assert error.value.words == words
    assert words in str(error.value)


@pytest.mark.parametrize(
    "said",
    [
        b"[]",
        b"{}",
        b'{"esearchresult": []}',
        b'{"esearchresult": {"count": "many"}}',
        b"<html>",
        b'{"esearchresult": 3}',
    ],
)
def test_a_search_in_another_form_fails_loudly_with_what_came(said: bytes) -> None:
    with pytest.raises(FormatChangedError) as error:
        read_search(said)
    assert error.value.raw == said


def test_a_search_that_is_not_kept_is_another_form() -> None:
    with pytest.raises(FormatChangedError):
        read_search(b'{"esearchresult": {"count": "7"}}', keeps=True)
    assert read_search(b'{"esearchresult": {"count": "0"}}', keeps=True).total == 0


# Records


def test_records_are_read_as_an_import_reads_them() -> None:
    corpus = made_up(400)
    works = [work for work in corpus.works if work.pmid]
    found = read_records(article_set(works).encode())
    assert [each.key for each in found.fetched] == in_pubmed(corpus)
    assert not found.aside
    for work, each in zip(works, found.fetched, strict=True):
        record, is_book = each.record, work.number % EVERY_BOOK == 0
        assert (record.pmid, record.doi, record.year) == (work.pmid, work.doi, work.year)
        assert record.authors == tuple(dict.fromkeys(f"{family}, {given}" for family, given in work.authors))
        assert bool(record.abstract) == bool(work.abstract)
        assert "<" not in record.title
        assert record.kind == ("book" if is_book else record.kind)
        assert record.own_id == (f"NBK{work.number}" if is_book else None)
        assert is_book or {"Humans", *work.keywords} <= set(record.subjects)
    labelled = next(each for work, each in zip(works, found.fetched, strict=True) if work.number % 3 == 0)
    assert (labelled.record.abstract or "").startswith("BACKGROUND: ")


def test_records_that_are_not_as_they_should_be_are_kept_as_they_came() -> None:
    with played(made_up(200), on({("pubmed", 2): "odd"})) as (source, _, _):
        page = source.page(EVERYTHING, USUAL, None, 20)
    assert (len(page.fetched), len(page.aside)) == (18, 2)
    assert "no PubMed number" in page.aside[0].reason
    assert "PubmedArticle without" in page.aside[1].reason
    assert "<ArticleTitle>No number</ArticleTitle>" in page.aside[0].raw


def test_one_damaged_record_costs_itself() -> None:
    with played(made_up(200), on({("pubmed", 2): "damaged"})) as (source, _, _):
        page = source.page(EVERYTHING, USUAL, None, 20)
    assert (len(page.fetched), len(page.aside)) == (19, 1)
    assert "not well-formed XML" in page.aside[0].reason
    assert page.aside[0].raw.startswith("<Pubmed")


@pytest.mark.parametrize(
    "said",
    [
        b"<nothing/>",
        b"no XML at all",
        b"<PubmedArticleSet><PubmedArticle>",
        b'<!DOCTYPE a [<!ENTITY b "c">]><PubmedArticleSet/>',
    ],
)
def test_what_is_no_page_of_records_is_not_read(said: bytes) -> None:
    with pytest.raises(FormatChangedError) as error:
        read_records(said)
    assert error.value.raw == said


def test_records_that_were_deleted_are_counted_and_no_reason_to_stop() -> None:
    corpus = made_up(200)
    gone = set(in_pubmed(corpus)[-3:])
    with played(corpus, gone=gone) as (source, _, _):
        page = source.page(EVERYTHING, USUAL, None, 500)
    assert {each.key for each in page.fetched} == set(in_pubmed(corpus)) - gone
    assert page.notes[-1].startswith(f"3 of {len(in_pubmed(corpus))} records are missing")
    assert page.next is None


def test_a_page_of_nothing_where_many_are_due_is_no_page() -> None:
    with (
        played(made_up(200), on({("pubmed", 2): "none"})) as (source, _, _),
        refusal(ServiceError),
    ):
        source.page(EVERYTHING, USUAL, None, 50)


# Looking publications up


def test_whether_a_string_finds_one_record_is_asked_with_brackets() -> None:
    corpus = made_up(400)
    with played(corpus) as (source, fake, _):
        form = Form(2, "naps[ti] OR trees[ti] NOT roofs[ti]")
        found = {each.key for each in source.page(form, USUAL, None, 500).fetched}
        assert 0 < len(found) < len(in_pubmed(corpus))
        for key in in_pubmed(corpus)[:60]:
            only = source.restricted(form, key)
            assert only is not None
            assert only.number == 2
            assert source.count(only, USUAL).total == (key in found)
    assert fake.terms[-1].startswith("(naps[ti] OR trees[ti] NOT roofs[ti]) AND ")


@pytest.mark.parametrize("text", ['"trees', "trees) OR (parks", "(trees"])
def test_a_text_that_brackets_do_not_hold_together_is_not_asked_with_more(text: str) -> None:
    with played(made_up(50)) as (source, _, _):
        assert source.restricted(Form(0, text), "90000001") is None
        assert source.restricted(Form(0, "trees"), "1 OR 2") is None


def test_publications_are_found_by_number_doi_and_title_in_a_few_requests() -> None:
    corpus = made_up(3000)
    works = [work for work in corpus.works if work.pmid and work.doi][:150]
    wanted = [
        *(LookupTarget(f"p{work.number}", "", pmid=work.pmid) for work in works[:50]),
        *(LookupTarget(f"d{work.number}", "", doi=f"https://doi.org/{work.doi}".upper()) for work in works[50:120]),
        *(LookupTarget(f"t{work.number}", work.title.upper(), work.year) for work in works[120:]),
    ]
    with played(corpus) as (source, _, server):
        found = source.find(wanted)
    assert [each.publication_id for each in found] == [each.publication_id for each in wanted]
    assert [each.key for each in found] == [work.pmid for work in works]
    assert [each.by for each in found] == ["pmid"] * 50 + ["doi"] * 70 + ["title"] * 30
    assert all(each.record is not None for each in found)
    assert server.n_of["pubmed"] <= 2 * 2 + 2 * 3


def test_what_pubmed_does_not_have_is_told_apart_from_what_can_not_be_said() -> None:
    corpus = made_up(400)
    work = next(work for work in corpus.works if work.pmid and work.doi and "<" not in work.title)
    absent = next(work for work in corpus.works if not work.pmid and work.doi)
    wanted = [
        LookupTarget("absent", absent.title.title() + " and more", absent.year, doi=absent.doi),
        LookupTarget("unknown", "", pmid="12"),
        LookupTarget("nameless", ""),
        LookupTarget("other doi", work.title, work.year, doi="10.5555/another"),
        LookupTarget("other year", work.title, (work.year or 2000) + 5),
        LookupTarget("next year", work.title, (work.year or 2000) + 1),
    ]
    with played(corpus) as (source, _, _):
        found = source.find(wanted)
    assert [each.status for each in found] == [
        "not indexed",
        "not indexed",
        "unsure",
        "unsure",
        "unsure",
        "indexed",
    ]
    assert "another DOI" in found[3].why
    assert "is from" in found[4].why
    assert found[5].key == work.pmid
