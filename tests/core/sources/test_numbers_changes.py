"""What changed between two runs, and how a count drifts: examples, the traps, and laws."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.library.records import Record
from core.sources.runs import DriftPoint, change_words, changed_fields, changes, drift, fingerprint
from tests.messages import refusal

BEFORE = {"1": "a", "2": "b", "3": "c"}
AFTER = {"2": "b", "3": "C", "4": "d", "5": "e"}


def test_new_gone_and_changed() -> None:
    found = changes(BEFORE, AFTER, total_before=3, total_after=4)
    assert (found.new, found.gone, found.changed, found.n_same) == (("4", "5"), ("1",), ("3",), 1)
    assert not found.cautions
    assert found.sentence.startswith("2 new, 1 gone, 1 changed, 1 unchanged. ")
    assert "from 3 to 4" in found.sentence


def test_nothing_changed() -> None:
    found = changes(BEFORE, dict(BEFORE), total_before=3, total_after=3)
    assert found.sentence == "Nothing changed: 3 unchanged."
    assert found.as_document()["sentence"] == found.sentence


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        ({"is_cut_after": True}, ("later run stopped at its cap", "gone")),
        ({"is_cut_before": True}, ("earlier run stopped at its cap", "new")),
        ({"is_whole_after": False}, ("later run is unfinished", "gone")),
        ({"is_whole_before": False}, ("earlier run is unfinished", "new")),
    ],
)
def test_gone_behind_a_cap_is_not_gone_from_the_source(flag, words) -> None:
    found = changes(BEFORE, AFTER, **flag)
    assert found.cautions
    (caution,) = found.cautions
    assert all(word in caution for word in words)


def test_all_cautions_are_said() -> None:
    found = changes(BEFORE, AFTER, is_cut_before=True, is_cut_after=True, is_whole_before=False, is_whole_after=False)
    assert len(found.cautions) == 4


RECORD = Record(1, title="Heat", abstract="Trees.", year=2019, doi="10.1/x", authors=("Li, A",), times_cited=3)


def test_a_fingerprint_is_of_what_a_record_says_and_of_nothing_else() -> None:
    assert fingerprint(replace(RECORD, number=9, line=4, times_cited=99, url="https://x.y")) == fingerprint(RECORD)
    for changed in (
        replace(RECORD, title="Heat."),
        replace(RECORD, abstract=None),
        replace(RECORD, year=2020),
        replace(RECORD, doi=None),
        replace(RECORD, authors=()),
        replace(RECORD, venue="Cities"),
    ):
        assert fingerprint(changed) != fingerprint(RECORD)


def test_which_fields_changed() -> None:
    assert changed_fields(RECORD, RECORD) == ()
    found = changed_fields(RECORD, replace(RECORD, abstract=None, doi="10.1/y", venue="Cities", times_cited=0))
    assert found == ("abstract", "doi", "venue")
    assert change_words(found) == "abstract, DOI and journal"
    assert change_words(()) == ""


_RUNS = st.dictionaries(st.text("abcdef", min_size=1, max_size=2), st.text("xy", max_size=1))


@given(_RUNS, _RUNS)
def test_every_key_is_in_one_place(before, after) -> None:
    found = changes(before, after)
    assert {*found.gone, *found.changed} <= set(before)
    assert len(found.gone) + len(found.changed) + found.n_same == len(before)
    assert len(found.new) + len(found.changed) + found.n_same == len(after)
    back = changes(after, before)
    assert (set(back.new), set(back.gone), set(back.changed)) == (
        set(found.gone),
        set(found.new),
        set(found.changed),
    )


@given(st.builds(Record, st.just(1), title=st.text(max_size=5), year=st.one_of(st.none(), st.integers(1900, 2030))))
def test_the_fingerprint_changes_with_the_fields(record) -> None:
    assert (fingerprint(record) == fingerprint(RECORD)) == (changed_fields(record, RECORD) == ())


# Drift


def test_the_rate_of_a_month() -> None:
    found = drift([DriftPoint("2026-01-01T00:00:00+00:00", 1000), DriftPoint("2026-07-02T00:00:00+00:00", 1120)])
    assert found.per_month == pytest.approx(120 / 182 * 365.25 / 12)
    assert found.sentence == "1,000 on 2026-01-01, 1,120 on 2026-07-02: +20 a month (+2.0 %)."
    assert (found.jumps, found.warning) == ((), "")


def test_runs_come_in_any_order() -> None:
    points = [DriftPoint("2026-03-01", 30), DriftPoint("2026-01-01", 10), DriftPoint("2026-02-01", 20)]
    assert drift(points) == drift(sorted(points))
    assert [point.total for point in drift(points).points] == [10, 20, 30]


def test_too_little_for_a_rate() -> None:
    assert drift([]).sentence == "No count yet."
    assert drift([DriftPoint("2026-01-01", 10)]).per_month is None
    hours = drift([DriftPoint("2026-01-01T08:00:00Z", 10), DriftPoint("2026-01-01T20:00:00Z", 12)])
    assert hours.per_month is None
    assert "10 on 2026-01-01, 12 on 2026-01-01: +2, over" in hours.sentence


def test_no_drift() -> None:
    found = drift([DriftPoint("2026-01-01", 10), DriftPoint("2026-03-02", 10)])
    assert (found.per_month, found.sentence) == (0.0, "10 on 2026-01-01, 10 on 2026-03-02: no drift in 60 days.")


def test_a_jump_is_remarked_on_in_both_directions() -> None:
    up = drift([DriftPoint("2026-01-01", 1000), DriftPoint("2026-02-01", 1010), DriftPoint("2026-03-01", 1600)])
    assert up.jumps == (2,)
    assert "from 1,010 on 2026-02-01 to 1,600 on 2026-03-01" in up.warning
    down = drift([DriftPoint("2026-01-01", 1600), DriftPoint("2026-02-01", 1000), DriftPoint("2026-03-01", 1600)])
    assert down.jumps == (1, 2)
    assert "2 jumps in all" in down.warning
    assert drift(up.points, jump=0.7).jumps == ()


def test_a_few_publications_are_no_jump() -> None:
    assert drift([DriftPoint("2026-01-01", 2), DriftPoint("2026-02-01", 9)]).warning == ""
    assert drift([DriftPoint("2026-01-01", 0), DriftPoint("2026-02-01", 20)]).jumps == (1,)


def test_a_count_that_begins_at_nothing_has_a_rate_without_a_share() -> None:
    found = drift([DriftPoint("2026-01-01", 0), DriftPoint("2026-03-02", 12)])
    assert found.sentence == "0 on 2026-01-01, 12 on 2026-03-02: +6.1 a month."


def test_what_is_no_time_is_refused() -> None:
    with refusal(InputError):
        drift([DriftPoint("yesterday", 1)])
    with pytest.raises(InputError, match="above 0"):
        drift([], jump=0)


@given(st.lists(st.integers(0, 10_000), min_size=2, max_size=6), st.integers(7, 400))
def test_the_rate_is_the_way_from_first_to_last(totals, days) -> None:
    first = date(2020, 1, 1)
    points = [DriftPoint((first + timedelta(days=days * i)).isoformat(), total) for i, total in enumerate(totals)]
    found = drift(points)
    assert found.per_month is not None
    assert found.per_month * found.days / (365.25 / 12) == pytest.approx(totals[-1] - totals[0])
    assert all(0 < i < len(points) for i in found.jumps)
