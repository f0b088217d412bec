"""Estimates and caps: examples, edge values, and laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.sources.runs import cap_effect, estimate, in_dollars, in_time
from tests.messages import refusal


def test_calls_are_a_count_and_the_pages() -> None:
    found = estimate(10_000, per_page=100, per_second=10, dollars_per_call=0.001, n_forms=1)
    assert (found.n_calls, found.seconds, found.dollars) == (101, pytest.approx(10.1), pytest.approx(0.101))
    assert "10,000 records in 101 requests, about 10 seconds, $0.10." in found.sentence


def test_each_form_is_counted_and_has_a_last_page_of_its_own() -> None:
    """101 records in 3 forms are at worst 1 + 1 + 99: three pages, beside three counts; 2 + 1 + 1 pages are more."""
    assert estimate(101, per_page=100, per_second=1, dollars_per_call=0, n_forms=3).n_calls == 3 + 4


def test_where_nothing_is_found_one_page_says_so() -> None:
    found = estimate(0, per_page=100, per_second=2, dollars_per_call=None, n_forms=1)
    assert (found.n_calls, found.seconds, found.dollars) == (2, 1.0, None)
    assert "0 records in 2 requests, about 1 second, " in found.sentence
    assert "unknown price" in found.sentence


def test_a_slow_answer_counts_and_a_quick_one_does_not_beat_the_limit() -> None:
    slow = estimate(300, per_page=100, per_second=3, dollars_per_call=0, n_forms=1, ms_per_call=2000)
    quick = estimate(300, per_page=100, per_second=3, dollars_per_call=0, n_forms=1, ms_per_call=1)
    assert (slow.seconds, quick.seconds) == (8.0, pytest.approx(4 / 3))


def test_as_document_holds_the_numbers_and_the_sentence() -> None:
    found = estimate(1, per_page=100, per_second=1, dollars_per_call=0, n_forms=1)
    document = found.as_document()
    assert (document["n_calls"], document["sentence"]) == (2, found.sentence)
    assert "1 record in 2 requests, about 2 seconds, free" in found.sentence


@pytest.mark.parametrize(
    "wrong", [{"per_page": 0}, {"per_second": 0}, {"n_forms": 0}, {"n": -1}], ids=lambda wrong: next(iter(wrong))
)
def test_what_makes_no_sense_is_refused(wrong) -> None:
    asked = {"n": 1, "per_page": 1, "per_second": 1.0, "n_forms": 1, "dollars_per_call": None} | wrong
    with refusal(InputError):
        estimate(**asked)


@given(
    st.lists(st.integers(0, 5000), min_size=1, max_size=6),
    st.integers(1, 500),
    st.floats(0.5, 100),
    st.floats(0, 0.1),
)
def test_no_run_takes_more_than_was_said(totals, per_page, per_second, price) -> None:
    found = estimate(sum(totals), per_page=per_page, per_second=per_second, dollars_per_call=price, n_forms=len(totals))
    n_pages = sum(max(-(-total // per_page), 1) for total in totals)
    assert found.n_calls >= n_pages + len(totals)
    assert found.dollars == pytest.approx(found.n_calls * price)
    assert found.seconds >= found.n_calls / per_second * 0.999


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "less than a second"),
        (1.2, "about 1 second"),
        (89.4, "about 89 seconds"),
        (90, "about 2 minutes"),
        (5399, "about 90 minutes"),
        (5400, "about 1.5 hours"),
    ],
)
def test_time_in_words(seconds, words) -> None:
    assert in_time(seconds) == words


def test_small_prices_are_not_rounded_to_nothing() -> None:
    assert in_dollars(0.00005) == "less than $0.0001"
    assert in_dollars(0.0123) == "$0.01"
    assert in_dollars(12) == "$12.00"


# The cap


def test_what_a_cap_does_to_recall() -> None:
    found = cap_effect(37_112, 37_112, 10_000)
    assert found.is_capped
    assert found.share_least == found.share_most == pytest.approx(10_000 / 37_112)
    assert "Of 37,112 publications at most 10,000 are fetched: 27 %." in found.sentence
    assert "lower bound" in found.sentence
    assert "37,112" in found.advice


def test_a_cap_that_is_not_reached_says_nothing_of_recall() -> None:
    found = cap_effect(800, 800, 800)
    assert (found.is_capped, found.share_least, found.share_most, found.advice) == (False, 1.0, 1.0, "")
    for n, beginning in ((0, "No publications found"), (1, "The one publication"), (800, "All of the 800")):
        assert cap_effect(n, n, 800).sentence.startswith(beginning)


def test_several_forms_may_find_less_than_the_cap_together() -> None:
    found = cap_effect(8_000, 16_000, 10_000)
    assert (found.is_capped, found.share_least, found.share_most) == (True, 0.625, 1.0)
    assert "8,000 to 16,000 publications" in found.sentence
    assert "perhaps all, at least 62 %" in found.sentence


def test_several_forms_that_are_cut_for_certain() -> None:
    assert "at most 10,000 are fetched: 12 % to 25 %." in cap_effect(40_000, 80_000, 10_000).sentence


def test_no_share_is_rounded_to_nothing_or_to_all() -> None:
    assert "less than 1 %" in cap_effect(10_000_000, 10_000_000, 10_000).sentence
    assert "99 %" in cap_effect(10_001, 10_001, 10_000).sentence


@pytest.mark.parametrize("wrong", [(5, 4, 10), (-1, 4, 10), (1, 4, 0)])
def test_totals_that_contradict_each_other_are_refused(wrong) -> None:
    with refusal(InputError):
        cap_effect(*wrong)


@given(st.integers(0, 10**7), st.integers(0, 10**7), st.integers(1, 10**6))
def test_the_shares_hold_whatever_the_union_is(least, more, most) -> None:
    total_most = least + more
    found = cap_effect(least, total_most, most)
    assert 0 < found.share_least <= found.share_most <= 1
    for union in {least, (least + total_most) // 2, total_most} - {0}:
        share = min(union, most) / union
        assert found.share_least - 1e-9 <= share <= found.share_most + 1e-9
    assert found.is_capped == (total_most > most)
    assert bool(found.advice) == found.is_capped
