"""The picture of a total that drifts: what is drawn is what was counted, and it says what to see."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sources.runs import SearchMethodsFacts, methods_sentence
from dashboard.kit.theme import THEMES, Theme
from dashboard.sources.figures import FETCHED, TOTAL, Moment, drift_figure, drift_rows
from tests.dashboard.figures import NASTY, assert_fits
from tests.messages import assert_message

CHAIN = [
    Moment(NASTY, "2031-01-05T09:30:00+00:00", 12_000, 10_000),
    Moment("second", "2031-03-05T23:30:00-02:00", None, 400, is_whole=False),
    Moment("third", "2031-06-05T09:30:00+00:00", 13_450, 10_000),
]
BEGIN = datetime(2031, 1, 1, tzinfo=UTC)
counts = st.integers(0, 3_000_000)
chains = st.lists(st.tuples(st.integers(0, 4_000), st.none() | counts, counts, st.booleans()), max_size=12)


@pytest.mark.parametrize("theme", THEMES)
def test_it_fits_a_phone_and_is_told_in_words(theme: Theme) -> None:
    figure = drift_figure(CHAIN, source=NASTY, theme=theme)
    assert_fits(figure)
    assert figure.layout.title.text.replace("<br>", " ") == "1,450 more since 5 Jan 2031: 13,450 now"
    told = figure.layout.meta["description"]
    assert "6 Mar 2031: total not given, 400 fetched, not finished." in told
    hovered = [text for trace in figure.data for text in trace.hovertext]
    assert not any("<b>" in text for text in hovered)
    assert {trace.name for trace in figure.data} == {TOTAL, FETCHED}


@pytest.mark.parametrize(
    ("totals", "said"),
    [
        ((100, 100), "100 as before"),
        ((100, 40), "60 fewer since 1 Jan 2031: 40 now"),
        ((None, 100), "The total in PubMed, run by run"),
    ],
)
def test_the_title_says_which_way_it_moved(totals: tuple[int | None, int | None], said: str) -> None:
    chain = [Moment(str(n), (BEGIN + timedelta(days=40 * n)).isoformat(), total, 10) for n, total in enumerate(totals)]
    figure = drift_figure(chain, source="PubMed", theme="light")
    assert figure.layout.title.text.replace("<br>", " ").startswith(said)


def test_one_run_is_no_line() -> None:
    figure = drift_figure(CHAIN[:1], source="PubMed", theme="light")
    assert not figure.data
    assert "One run" in figure.layout.annotations[0].text


def test_the_table_has_every_run_and_what_moved_where_it_is_known() -> None:
    rows = drift_rows(CHAIN)
    assert [list(row.values())[3] for row in rows] == [None, None, None]
    assert rows[1]["When (UTC)"] == "2031-03-06 01:30"
    both = drift_rows([CHAIN[0], CHAIN[2]])
    assert list(both[1].values())[3] == 1_450


@given(chains)
def test_every_number_lies_within_the_picture(chain: list[tuple[int, int | None, int, bool]]) -> None:
    moments = [
        Moment(f"run {n}", (BEGIN + timedelta(days=day)).isoformat(), total, fetched, whole)
        for n, (day, total, fetched, whole) in enumerate(sorted(chain, key=lambda each: each[0]))
    ]
    figure = drift_figure(moments, source="PubMed", theme="dark")
    if len(moments) < 2:
        assert not figure.data
        return
    low, high = figure.layout.yaxis.range
    drawn = [y for trace in figure.data for y in trace.y if y is not None]
    assert low <= min(drawn) <= max(drawn) <= high
    first, last = figure.layout.xaxis.range
    assert all(first < x < last for x in figure.data[0].x)
    assert len(drift_rows(moments)) == len(moments)


def searched(**more: object) -> SearchMethodsFacts:
    known = {
        "source": "OpenAlex",
        "address": "https://api.example",
        "began": "2031-05-06T14:00:00+02:00",
        "ended": "2031-05-06T12:05:00+00:00",
        "forms": ("a OR b",),
        "total_first": 900,
        "total_last": 900,
        "n_fetched": 900,
        "n_aside": 0,
        "most": 10_000,
    }
    return SearchMethodsFacts(**(known | more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"n_fetched": 500, "most": 500},
        {"total_last": 903},
        {"ended": None, "n_fetched": 1},
        {"total_first": None, "total_last": None},
        {"forms": ("a", "b")},
        {"forms": ("a", "b", "c"), "n_begun": 1, "n_fetched": 300, "total_first": 300, "total_last": 300, "most": 300},
        {"n_fetched": 897, "n_repeated": 3},
        {"choices": "Synonyms did not count."},
        {"repeats": "2030-12-31T23:00:00-05:00"},
        {"ended": "2031-05-08T01:00:00+00:00"},
        {"n_aside": 2},
    ],
    ids=lambda more: ", ".join(more) or "all fetched",
)
def test_a_methods_section_is_told_what_happened_and_no_more(more: dict[str, object]) -> None:
    assert_message(methods_sentence(searched(**more)))
