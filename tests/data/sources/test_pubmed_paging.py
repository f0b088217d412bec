"""PubMed page after page: its ceiling, its days, its memory; nothing comes twice and nothing gets lost."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import LostPlaceError, ServiceError
from core.sources.source_forms import Form, SourceOptions
from data.sources.pubmed import CEILING, FIRST_DAY, LAST_DAY, PubMed, PubMedCursor, PubMedRange, connect
from data.sources.types import SourcePage
from tests.data.sources.fake_sources.corpus import Corpus, made_up
from tests.data.sources.fake_sources.pubmed import FakePubMed, in_pubmed
from tests.data.sources.fake_sources.server import FakeSources, Script, from_request, nothing, on, serving
from tests.messages import refusal

USUAL = SourceOptions()
EVERYTHING = Form(0, "everything")
NOW = "2026-11-22T10:00:00+00:00"
ALL = 1_000_000
FOR_10_100 = 13_000
"""Works of which so many have a number in PubMed: more than its ceiling."""
FOR_12_000 = 15_500
FOR_25_000 = 32_100


@contextmanager
def played(corpus: Corpus, script: Script = nothing, **fake: Any) -> Iterator[tuple[FakePubMed, FakeSources]]:
    service = FakePubMed(corpus, **fake)
    with serving({"pubmed": service}, script) as server:
        yield service, server


@contextmanager
def opened(server: FakeSources, now: str = NOW) -> Iterator[PubMed]:
    connection = connect(server.address("pubmed"), sleep=lambda seconds: None, clock=lambda: now)
    yield PubMed(connection)
    connection.close()


def pages(source: PubMed, at: str | None = None, most: int = ALL) -> Iterator[SourcePage]:
    while True:
        yield (page := source.page(EVERYTHING, USUAL, at, most))
        if (at := page.next) is None:
            return


def keys(came: list[SourcePage]) -> list[str]:
    return [each.key for page in came for each in page.fetched]


def notes(came: list[SourcePage]) -> str:
    return "; ".join(note for page in came for note in page.notes)


# Complete, and once


@pytest.mark.slow
@pytest.mark.parametrize(("n", "least"), [(FOR_12_000, 12_000), (FOR_25_000, 25_000)])
def test_a_search_beyond_the_ceiling_comes_whole_and_once(n: int, least: int) -> None:
    corpus = made_up(n)
    with played(corpus) as (_, server), opened(server) as source:
        came = list(pages(source))
    assert len(in_pubmed(corpus)) >= least
    assert Counter(keys(came)) == Counter(in_pubmed(corpus))
    assert {page.total for page in came} == {len(in_pubmed(corpus))}
    assert "split by" in came[0].notes[-1]
    assert notes(came[1:]) == ""
    assert sum("esearch" in asked.path for asked in server.asked) <= 12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("now", "told", "most"),
    [
        ("1666-01-01T00:00:00", "", 60),
        ("2999-12-31T00:00:00", "", 60),
        ("1666-01-01T00:00:00", "Sun, 22 Nov 2026 10:00:00 GMT", 6),
    ],
)
def test_a_clock_that_is_wrong_costs_no_record(now: str, told: str, most: int) -> None:
    """PubMed's own day is taken, where it says it."""
    corpus = made_up(FOR_10_100)
    with played(corpus, now=told) as (_, server), opened(server, now) as source:
        came = list(pages(source))
    assert Counter(keys(came)) == Counter(in_pubmed(corpus))
    assert sum("esearch" in asked.path for asked in server.asked) <= most


def test_without_a_need_the_search_is_not_divided() -> None:
    corpus = made_up(700)
    with played(corpus) as (_, server), opened(server) as source:
        came = list(pages(source))
    assert Counter(keys(came)) == Counter(in_pubmed(corpus))
    assert [asked.path for asked in server.asked] == ["/esearch.fcgi", "/efetch.fcgi", "/efetch.fcgi"]


def test_a_search_that_finds_nothing_ends_at_once() -> None:
    with played(made_up(50)) as (_, server), opened(server) as source:
        page = source.page(Form(0, "zzyx"), USUAL, None, ALL)
    assert (page.fetched, page.total, page.next) == ((), 0, None)
    assert [asked.path for asked in server.asked] == ["/esearch.fcgi"]


def test_no_more_comes_than_is_wanted() -> None:
    with played(made_up(700)) as (_, server), opened(server) as source:
        first = source.page(EVERYTHING, USUAL, None, 7)
        second = source.page(EVERYTHING, USUAL, first.next, 3)
    assert (len(first.fetched), len(second.fetched)) == (7, 3)
    assert [asked.form["retmax"] for asked in server.asked if "efetch" in asked.path] == ["7", "3"]
    assert not set(keys([first])) & set(keys([second]))


@pytest.mark.slow
def test_who_first_wants_few_and_then_all_gets_all() -> None:
    corpus = made_up(FOR_10_100)
    with played(corpus) as (_, server), opened(server) as source:
        first = source.page(EVERYTHING, USUAL, None, CEILING)
        came = [first, *pages(source, first.next)]
    assert set(keys(came)) == set(in_pubmed(corpus))
    assert first.notes[1:] == ()
    assert "read again, by days" in notes(came)


def test_what_one_day_has_too_much_of_is_counted_as_missing() -> None:
    corpus = made_up(FOR_10_100)
    n = len(in_pubmed(corpus))
    with played(corpus, day_of=lambda work: date(2000, 1, 1)) as (_, server), opened(server) as source:
        page = source.page(EVERYTHING, USUAL, None, ALL)
        at = PubMedCursor.of(page.next or "")
    assert f"{n - CEILING:,} publications are missing: PubMed added {n:,} on 2000-01-01" in page.notes[-1]
    assert (at.low, at.high, at.last) == ("2000-01-01", "2000-01-01", CEILING)


# Going on elsewhere


@pytest.mark.slow
def test_from_every_place_a_new_adapter_goes_on_to_the_same_union() -> None:
    corpus = made_up(FOR_10_100)
    with played(corpus) as (_, server):
        with opened(server) as source:
            came = list(pages(source))
        for number in range(0, len(came) - 1, 7):
            with opened(server, "2031-01-01T00:00:00+00:00") as another:
                rest = list(pages(another, came[number].next))
            assert Counter(keys([*came[: number + 1], *rest])) == Counter(in_pubmed(corpus))


@pytest.mark.parametrize(
    "at", ["", "5", "null", "{}[", '{"start": "x"}', '{"unknown": 1}', '{"low": "2000-99-01"}', "[" * 9999]
)
def test_a_place_of_another_kind_is_lost(at: str) -> None:
    with played(made_up(50)) as (_, server), opened(server) as source, pytest.raises(LostPlaceError):
        source.page(EVERYTHING, USUAL, at, ALL)
    assert not server.asked


# What PubMed forgets


@pytest.mark.parametrize("status", ["200", "400"])
def test_a_search_that_was_forgotten_is_made_again_unseen(status: str) -> None:
    corpus = made_up(1500)
    with played(corpus, forgets=status) as (fake, server), opened(server) as source:
        came = []
        for page in pages(source):
            came.append(page)
            fake.forget()
    assert Counter(keys(came)) == Counter(in_pubmed(corpus))
    assert [note.partition(": ")[2] for page in came for note in page.notes] == ["everything"]


def test_fewer_records_than_were_counted_is_no_forgotten_search() -> None:
    corpus = made_up(400)
    n = len(in_pubmed(corpus))
    with played(corpus, on({("pubmed", 1): "total"})) as (fake, server), opened(server) as source:
        first = source.page(EVERYTHING, USUAL, None, n)
        last = source.page(EVERYTHING, USUAL, first.next, n)
    assert sorted(keys([first, last])) == sorted(in_pubmed(corpus))
    assert (last.fetched, last.next) == ((), None)
    assert "17 of 17 records" in notes([last])
    assert len(fake.terms) == 1, "the search is not made again"


def test_far_fewer_records_than_were_counted_are_not_taken_for_the_end() -> None:
    corpus = made_up(400)
    n = len(in_pubmed(corpus))
    with played(corpus) as (fake, server), opened(server) as source:
        first = source.page(EVERYTHING, USUAL, None, n // 2)
        (kept,) = fake._kept
        fake._kept[kept] = fake._kept[kept][: n // 2]
        with pytest.raises(ServiceError, match="resume later"):
            source.page(EVERYTHING, USUAL, first.next, n)
    assert len(fake.terms) == 1


@pytest.mark.slow
def test_days_that_were_forgotten_in_the_middle_are_searched_again() -> None:
    corpus = made_up(FOR_10_100)
    with played(corpus) as (fake, server), opened(server) as source:
        came = []
        for number, page in enumerate(pages(source)):
            came.append(page)
            if number % 7 == 3:
                fake.forget()
    assert Counter(keys(came)) == Counter(in_pubmed(corpus))


def test_what_changed_while_it_was_forgotten_is_read_from_its_beginning() -> None:
    corpus = made_up(1500)
    with played(corpus, n_new=-5) as (fake, server), opened(server) as source:
        first = source.page(EVERYTHING, USUAL, None, ALL)
        fake.forget()
        fake.n_new = 0
        came = [first, *pages(source, first.next)]
    n = len(in_pubmed(corpus))
    assert set(keys(came)) == set(in_pubmed(corpus))
    assert len(keys(came)) == n + 500
    assert f"finds {n:,} instead of {n - 5:,}" in notes(came)
    assert came[-1].total == n


def test_a_search_that_changes_each_time_is_given_up() -> None:
    with played(made_up(1500), n_new=-50) as (fake, server), opened(server) as source:
        at = source.page(EVERYTHING, USUAL, None, ALL).next
        for change in range(3):
            fake.forget()
            fake.n_new = -40 + change
            at = source.page(EVERYTHING, USUAL, at, ALL).next
        fake.forget()
        fake.n_new = 0
        with refusal(LostPlaceError):
            source.page(EVERYTHING, USUAL, at, ALL)


def test_a_search_that_is_forgotten_at_once_loses_its_place() -> None:
    with played(made_up(700), from_request("pubmed", 3, "lost")) as (_, server), opened(server) as source:
        at = source.page(EVERYTHING, USUAL, None, 10).next
        with refusal(LostPlaceError):
            source.page(EVERYTHING, USUAL, at, 10)
        assert server.n_of["pubmed"] == 5


def test_an_odd_count_is_said_where_the_parts_do_not_make_the_whole() -> None:
    with played(made_up(FOR_10_100), on({("pubmed", 1): "total"})) as (_, server), opened(server) as source:
        first = source.page(EVERYTHING, USUAL, None, ALL)
        place = PubMedCursor.of(first.next or "")
        last = PubMedCursor(
            place.total, "nothing", "1", place.n, place.n, FIRST_DAY.isoformat(), "1990-01-01", place.total - 17
        )
        (note,) = source.page(EVERYTHING, USUAL, last.text(), ALL).notes
    assert f"{place.total:,} at first, and {place.total - 17 + place.n:,}" in note


# The law of dividing


days = st.integers(min_value=(date(1781, 1, 1) - FIRST_DAY).days, max_value=(date(2030, 1, 1) - FIRST_DAY).days)


@given(
    st.dictionaries(days, st.integers(1, 40_000), max_size=30),
    st.dates(min_value=date(1601, 1, 1), max_value=date(3500, 1, 1)),
)
def test_ranges_cover_every_day_once_and_hold_few_enough(held: dict[int, int], today: date) -> None:
    """Whatever the clock says, and however the records are spread."""
    counts = {FIRST_DAY + timedelta(days=day): n for day, n in held.items()}

    def count(range_: PubMedRange) -> int:
        return sum(n for day, n in counts.items() if range_.low <= day <= range_.high)

    place: PubMedCursor | None = PubMedCursor(sum(counts.values())).divided()
    ranges: list[PubMedRange] = []
    n_searches = 0
    while place is not None:
        assert place.is_between
        assert all(
            n == count(PubMedRange(date.fromisoformat(low), date.fromisoformat(place.low) - timedelta(days=1)))
            for low, n in place.known
        )
        range_, n_searches = place.next_range(today), n_searches + 1
        while (n := count(range_)) > CEILING and not range_.is_day:
            smaller = range_.halved(today)
            assert range_.low < smaller.low <= smaller.high == range_.high
            place = place.knowing(range_, n)
            range_, n_searches = smaller, n_searches + 1
        ranges.append(range_)
        place = PubMedCursor.of(place.inside(range_, "kept", "1", n, today).text())
        assert place.start == 0
        place = place.after(place.last)
    assert ranges[0].high == LAST_DAY
    assert ranges[-1].low == FIRST_DAY
    assert all(newer.low - older.high == timedelta(days=1) for newer, older in itertools.pairwise(ranges))
    assert all(count(range_) <= CEILING or range_.is_day for range_ in ranges)
    n_crowded = sum(n > CEILING for n in counts.values()) + sum(counts.values()) // CEILING
    assert n_searches <= 24 * (n_crowded + 2)
