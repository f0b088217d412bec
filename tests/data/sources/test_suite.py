"""What holds for every live source: each adapter over its stand-in, the same tests for all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import (
    EndsAllError,
    FormatChangedError,
    InputError,
    LostPlaceError,
    OutOfReachError,
    QueryscapeError,
    RefusedRequestError,
)
from core.library.records import plain_text, title_key
from core.query.parser import parse
from core.sources.source_forms import Form
from data.http.client import GaveUpError
from data.sources.connection import NO_TEXT
from data.sources.registry import ABOUT
from data.sources.types import LookupTarget
from tests.data.sources.fake_sources import playing
from tests.data.sources.fake_sources.corpus import Corpus, made_up
from tests.data.sources.fake_sources.playing import CHOICES, Played, played
from tests.data.sources.fake_sources.registry import STANDS, Stand
from tests.messages import refusal

every_source = pytest.mark.parametrize("stand", STANDS, ids=lambda stand: stand.source)
TEXTS = (
    "(insomnia OR vigilance) AND nurses",
    '"street trees" AND temperature',
    "batteries NOT charging",
    '(recall OR precision) AND ("search strings" OR screening)',
)
WRONG_KEY = "some-other-made-up-key-98765"


def test_every_source_is_played() -> None:
    played_by = {stand.source: (stand.variable, stand.key_variable) for stand in STANDS}
    assert played_by == {source: (about.address_variable, about.key_variable) for source, about in ABOUT.items()}


# Paging


@every_source
def test_all_pages_together_hold_every_record_once(stand: Stand) -> None:
    with played(stand) as it:
        pages = it.pages()
    keys = [each.key for page in pages for each in page.fetched]
    assert len(pages) > 2
    assert sorted(keys) == sorted(it.keys)
    assert {page.total for page in pages} == {len(it.keys)}
    assert not [aside for page in pages for aside in page.aside]
    assert all(page.sent and page.raw for page in pages if page.fetched)


@every_source
def test_paging_goes_on_in_another_process(stand: Stand) -> None:
    with played(stand) as it:
        first = it.page()
        again = it.stand.connect(it.server)
        other = Played(stand, it.corpus, it.service, it.server, again, stand.opened(again), [], [])
        rest = other.pages(first.next)
        again.close()
    keys = [each.key for page in (first, *rest) for each in page.fetched]
    assert sorted(keys) == sorted(it.keys)


@every_source
def test_no_more_records_come_than_are_wanted(stand: Stand) -> None:
    with played(stand) as it:
        assert 0 < len(it.page().fetched) <= (it.most if stand.chooses else it.source.about.per_page)
        assert len(it.source.page(it.everything, CHOICES, None, 10**6).fetched) <= it.source.about.per_page


@every_source
def test_a_search_that_finds_nothing_has_one_empty_page(stand: Stand) -> None:
    with played(stand) as it:
        form = it.source.prepare(parse("xylophones"), CHOICES).forms[0]
        page = it.source.page(form, CHOICES, None, 100)
        assert (page.fetched, page.aside, page.total or 0, page.next) == ((), (), 0, None)
        assert it.source.count(form, CHOICES).total == 0


@every_source
@pytest.mark.parametrize("text", TEXTS)
def test_the_count_is_what_comes(stand: Stand, text: str) -> None:
    with played(stand) as it:
        prepared = it.source.prepare(parse(text), CHOICES)
        for form in prepared.forms:
            count = it.source.count(form, CHOICES)
            n_asked = len(it.asked)
            keys = [each.key for page in it.pages(form=form) for each in page.fetched]
            assert count.total == len(set(keys)) == len(keys)
            assert count.sent
            assert n_asked <= 2, "signing in, and one request"
        assert 0 < len(keys) < len(it.keys)


@every_source
def test_nothing_is_sent_where_there_is_nothing_to_search_for(stand: Stand) -> None:
    with played(stand) as it:
        for text in ("", "   ", "Which trees cool a street in summer?"):
            with pytest.raises(InputError):
                it.source.prepare(parse(text), CHOICES)
        assert it.asked == []


# Records


@every_source
def test_records_say_what_the_source_knows(stand: Stand) -> None:
    with played(stand) as it:
        records = {each.key: each.record for page in it.pages() for each in page.fetched}
    by_key = {stand.key_of(work): work for work in it.corpus.works}
    for key, record in records.items():
        work = by_key[key]
        assert title_key(record.title) == title_key(plain_text(work.title))
        assert (record.year, record.doi, record.pmid) == (work.year, work.doi, work.pmid)
        assert (record.abstract is None) == (work.abstract is None)
        assert "<" not in record.title + (record.abstract or "")
        assert len(record.authors) == len(set(work.authors))
        assert record.venue in (work.journal, None if record.kind == "book" else work.journal)
        assert key.rpartition(":")[2] in (record.own_id, record.pmid)
    assert any(record.abstract is None for record in records.values())


@every_source
def test_the_key_is_sent_and_never_shown(stand: Stand) -> None:
    with played(stand) as it:
        it.source.count(it.everything, CHOICES)
        page = it.page()
        found = it.source.find([LookupTarget("a", "No such title anywhere at all")])
    shown = repr([it.sent, page.sent, page.notes, found, it.connection, it.source]) + page.raw.decode()
    told = "".join(f"{a.target} {a.body.decode()} {sorted(a.headers.items())}" for a in it.asked)
    if stand.key:
        assert stand.key in told
        assert stand.key not in shown
        assert stand.key[-8:] not in shown
    assert "queryscape/" in it.asked[0].headers["user-agent"]


# What goes wrong on the way


@every_source
@pytest.mark.parametrize(
    ("fault", "waits"),
    [
        ("429", 2.0),
        ("429 date", 7.0),
        ("429 silent", 1.0),
        ("500", 1.0),
        ("503", 1.0),
        ("html 502", 1.0),
        ("reset", 1.0),
        ("cut", 1.0),
        ("broken gzip", 1.0),
        ("cut gzip", 1.0),
    ],
)
def test_it_asks_again(stand: Stand, fault: str, waits: float) -> None:
    with played(stand, {2: fault}) as it:
        keys = [each.key for page in it.pages() for each in page.fetched]
    assert sorted(keys) == sorted(it.keys)
    assert [seconds for seconds in it.slept if seconds >= 0.5] == [pytest.approx(waits)]


@every_source
def test_what_is_packed_is_unpacked(stand: Stand) -> None:
    with played(stand, {1: "gzip"}) as it:
        packed = it.page()
        assert packed.raw == it.page().raw


@every_source
def test_a_slow_drip_is_given_up(stand: Stand) -> None:
    with played(stand, {1: "silence", 2: "silence"}, timeout=0.15, n_attempts=2) as it:
        with pytest.raises(GaveUpError, match="within 0"):
            it.page()
        assert it.page().fetched, "and all is well afterwards"


@every_source
def test_patience_ends(stand: Stand) -> None:
    with played(stand, dict.fromkeys(range(1, 5), "500")) as it:
        with pytest.raises(GaveUpError, match="4 times"):
            it.page()
        assert it.page().fetched


@every_source
@pytest.mark.parametrize("fault", ["html", "html 403", "redirect"])
def test_a_page_of_a_proxy_is_no_answer(stand: Stand, fault: str) -> None:
    with played(stand, {2: fault}) as it:
        first = it.page()
        with refusal(OutOfReachError):
            it.page(first.next)
        assert it.page(first.next).fetched, "the place is not lost"


@every_source
def test_offline_nothing_is_sent(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    with played(stand) as it:
        for ask in (
            it.page,
            lambda: it.source.count(it.everything, CHOICES),
            lambda: it.source.find([LookupTarget("a", "A title of some length", doi="10.5555/made.up.1")]),
        ):
            with pytest.raises(OutOfReachError, match="QUERYSCAPE_OFFLINE"):
                ask()
        assert it.asked == []


# What the source says


@every_source
@pytest.mark.parametrize("fault", ["format", "mostly odd"])
def test_a_changed_format_is_loud_and_kept(stand: Stand, fault: str) -> None:
    with played(stand, {2: fault}) as it:
        first = it.page()
        with pytest.raises(FormatChangedError, match="form") as e:
            it.page(first.next)
        assert len(e.value.raw) > 100
        assert stand.key == "" or stand.key not in f"{e.value} {e.value.raw!r}"


@every_source
def test_what_is_no_answer_at_all_is_kept_too(stand: Stand) -> None:
    with (
        played(stand, dict.fromkeys(range(1, 5), "not json")) as it,
        pytest.raises((FormatChangedError, GaveUpError)) as e,
    ):
        it.page()
    assert not isinstance(e.value, FormatChangedError) or e.value.raw


@every_source
def test_odd_records_are_put_aside_as_they_came(stand: Stand) -> None:
    with played(stand, {1: "odd"}) as it:
        page = it.page()
    assert len(page.aside) == 2
    assert len(page.fetched) >= 30
    for aside in page.aside:
        assert aside.raw
        assert aside.reason
        assert aside.reason[-1] != "."


@every_source
@pytest.mark.parametrize("n", [1, 30])
def test_a_record_without_title_and_abstract_is_put_aside_by_all_and_found_by_its_name(
    stand: Stand, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it is the only one of a page: no format has changed."""
    works = [work for work in made_up(49).works if stand.key_of(work) and work.doi][:n]
    corpus = Corpus([replace(works[0], title="", sentences=()), *works[1:]])
    monkeypatch.setattr(playing, "made_up", lambda n: corpus)
    with played(stand) as it:
        pages = it.pages()
        (found,) = it.source.find([LookupTarget("a", "", doi=works[0].doi)])
    assert [aside.reason for page in pages for aside in page.aside] == [NO_TEXT]
    assert len({each.key for page in pages for each in page.fetched}) == len(works) - 1
    assert (found.status, found.by) == ("indexed", "doi")


@every_source
def test_a_total_that_changes_is_told(stand: Stand) -> None:
    with played(stand, {2: "total"}) as it:
        pages = it.pages()
    n = len(it.keys)
    assert len({each.key for page in pages for each in page.fetched}) == n
    counts_once = stand.source == "pubmed"  # when it searches, and not when it hands out records
    assert {page.total for page in pages} == ({n} if counts_once else {n, n + 17})


@every_source
def test_a_record_that_comes_twice_has_the_same_key(stand: Stand) -> None:
    with played(stand, {2: "overlap"}) as it:
        keys = [each.key for page in it.pages() for each in page.fetched]
    assert len(keys) == len(set(keys)) + 1
    assert set(keys) <= set(it.keys)
    assert len(set(keys)) >= len(it.keys) - 1, "what a source never sent can't be known"


@pytest.mark.parametrize("stand", [s for s in STANDS if s.forgets], ids=lambda stand: stand.source)
def test_a_lost_place_is_told_or_found_again(stand: Stand) -> None:
    with played(stand, {2: "lost"}) as it:
        pages = [it.page()]
        try:
            pages += it.pages(pages[0].next)
        except LostPlaceError:
            pages = it.pages()
        keys = [each.key for page in pages for each in page.fetched]
    assert sorted(keys) == sorted(it.keys)


@every_source
def test_a_refused_request_has_the_words_of_the_source(stand: Stand) -> None:
    with played(stand, {1: "400"}) as it, pytest.raises(RefusedRequestError, match="400") as e:
        it.page()
    assert stand.key == "" or stand.key not in str(e.value)


@pytest.mark.parametrize("stand", [s for s in STANDS if s.key], ids=lambda stand: stand.source)
def test_a_wrong_key_ends_all(stand: Stand) -> None:
    with played(stand, key=WRONG_KEY) as it, pytest.raises(EndsAllError, match=stand.key_variable) as e:
        it.page()
    assert WRONG_KEY not in str(e.value)
    assert len(it.asked) == 1, "asking on is no use"


@every_source
def test_without_a_key(stand: Stand) -> None:
    with played(stand, key="") as it:
        if stand.insists:
            for ask in (it.page, lambda: it.source.count(it.everything, CHOICES)):
                with pytest.raises(EndsAllError, match=stand.key_variable):
                    ask()
            assert it.asked == []
        else:
            assert it.page().fetched


# Looking for certain publications


@every_source
def test_publications_are_found_by_their_names_and_titles(stand: Stand) -> None:
    with played(stand, n=60) as it:
        works = [work for work in it.corpus.works if stand.key_of(work) and work.number < 49]
        by_doi = next(work for work in works if work.doi)
        by_pmid = next(work for work in works if work.pmid and work is not by_doi)
        by_title = next(work for work in works if work.year and work is not by_doi and "<" in work.title)
        wanted = [
            LookupTarget("title", plain_text(by_title.title).upper() + ".", by_title.year),
            LookupTarget("doi", "Another title here", doi=f"https://doi.org/{by_doi.doi}".upper()),
            LookupTarget("pmid", "", pmid=by_pmid.pmid),
            LookupTarget("gone", "Nobody ever wrote about this", 2001, "10.5555/gone(1);2-x", "99999999"),
            LookupTarget("nothing", ""),
            LookupTarget("comma", "", doi="10.5555/with,comma|and-more"),
        ]
        found = it.source.find(wanted)
    assert [each.publication_id for each in found] == [each.publication_id for each in wanted]
    told = {each.publication_id: (each.status, each.key, each.by) for each in found}
    assert told == {
        "title": ("indexed", stand.key_of(by_title), "title"),
        "doi": ("indexed", stand.key_of(by_doi), "doi"),
        "pmid": ("indexed", stand.key_of(by_pmid), "pmid"),
        "gone": ("not indexed", None, None),
        "nothing": ("unsure", None, None),
        "comma": ("not indexed", None, None),
    }
    assert all(bool(each.why) == (each.status == "unsure") for each in found)
    assert found[1].record is not None
    assert found[1].record.doi == by_doi.doi


@every_source
def test_many_are_looked_for_at_once(stand: Stand) -> None:
    with played(stand) as it:
        works = [work for work in it.corpus.works if stand.key_of(work) and work.doi and work.number % 50]
        found = it.source.find([LookupTarget(str(work.number), "", doi=work.doi) for work in works])
    assert {each.status for each in found} == {"indexed"}
    assert len(it.asked) <= 1 + len(works) / 20
    assert it.source.find([]) == ()


@every_source
def test_a_form_is_asked_about_one_record(stand: Stand) -> None:
    with played(stand) as it:
        form = it.source.prepare(parse(TEXTS[0]), CHOICES).forms[0]
        finds = {each.key for page in it.pages(form=form) for each in page.fetched}
        one, other = min(finds), min(set(it.keys) - finds)
        narrowed = it.source.restricted(form, one)
        assert (narrowed is None) == (not it.source.about.can_explain)
        if narrowed is not None:
            assert it.source.count(narrowed, CHOICES).total == 1
            nothing = it.source.restricted(form, other)
            assert nothing is not None
            assert it.source.count(nothing, CHOICES).total == 0


@every_source
def test_errors_are_of_our_own_kind_whatever_comes(stand: Stand) -> None:
    for fault in ("empty", "404", "401", "403", "429 at once"):
        with played(stand, dict.fromkeys(range(1, 9), fault)) as it, pytest.raises(QueryscapeError) as e:
            it.source.page(Form(0, stand.everything), CHOICES, None, 10)
        assert "\n" not in str(e.value)
