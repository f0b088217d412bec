"""A judge beside people and beside other judges: numbers worked out by hand, slow oracles, a published collection."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, MisalignedError
from core.judge.reliability import (
    GradePair,
    RepeatedTriple,
    agreement_with_people,
    checked_scale,
    clustered_mean,
    compare_judges,
    consistency,
    kappa_range,
    majority_of,
    suggested_scale,
)
from core.stats import cohen_kappa
from tests.messages import refusal

SAME = {value: value for value in range(6)}
POINTS = st.integers(0, 5)


def pairs_of(*pairs: tuple[int, int], query: str = "q") -> list[GradePair]:
    return [GradePair(f"{query}{n % 2}", judge, human) for n, (judge, human) in enumerate(pairs)]


def test_agreement_with_people_by_hand() -> None:
    found = agreement_with_people(pairs_of((5, 3), (3, 3), (0, 1), (4, 0)), SAME, cut=3)
    assert (found.raw.value, found.within_one.value, found.n, found.n_queries) == (0.25, 0.5, 4, 2)
    assert found.gap.value == (2 + 0 - 1 + 4) / 4
    assert found.judge_rates == {0: 0.25, 3: 0.25, 4: 0.25, 5: 0.25}
    assert found.human_rates == {0: 0.25, 1: 0.25, 3: 0.5}
    assert found.table == {(0, 1): 1, (3, 3): 1, (4, 0): 1, (5, 3): 1}
    # Observed 1/4; expected 1/4 * 1/4 (zeros) + 1/4 * 1/2 (threes) = 3/16.
    assert found.kappa.value == pytest.approx((1 / 4 - 3 / 16) / (1 - 3 / 16))
    # Squares: (4 + 0 + 1 + 16) / 4 observed; over all 16 pairs, 118 / 16.
    apart = sum((a - b) ** 2 for a in (5, 3, 0, 4) for b in (3, 3, 1, 0))
    assert found.quadratic.value == pytest.approx(1 - (21 / 4) / (apart / 16))
    # At 3: yes yes no yes against yes yes no no; observed 3/4, expected 3/4 * 1/2 + 1/4 * 1/2 = 1/2.
    assert found.kappa_at_cut.value == pytest.approx(0.5)


def test_another_scale_is_read_by_a_table_and_what_is_not_in_it_is_left_out_and_counted() -> None:
    pairs = pairs_of((5, 1), (0, 0), (2, -1), (4, 9))
    found = agreement_with_people(pairs, {1: 5, 0: 0, -1: 0}, cut=3)
    assert (found.n, found.n_left_out) == (3, 1)
    assert found.raw.value == pytest.approx(2 / 3)
    nothing = agreement_with_people(pairs, {}, cut=3)
    assert (nothing.n, nothing.gap.value, nothing.kappa.value, nothing.n_left_out) == (0, None, None, 4)
    with refusal(InputError):
        checked_scale({1: 84}, range(6))


@given(st.lists(st.integers(-3, 200), max_size=8))
def test_a_proposed_scale_holds_every_value_and_keeps_their_order(values: list[int]) -> None:
    scale = suggested_scale(values, range(6))
    assert set(scale) == set(values)
    assert checked_scale(scale, range(6)) is scale
    counted = [scale[value] for value in sorted(scale)]
    assert counted == sorted(counted)


@pytest.mark.collections
def test_people_of_a_published_collection_agree_as_is_published(collections_dir: Path) -> None:
    from sklearn.metrics import cohen_kappa_score  # a second to load, for this test alone

    with (collections_dir / "csfcube" / "judgements.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    pairs = [
        GradePair(row["query_paper_id"], int(row["annotator1"]), int(row["annotator2"]))
        for row in rows
        if int(row["annotator1"]) >= 0
    ]
    found = agreement_with_people(pairs, {value: value for value in range(4)}, cut=2)
    assert (found.n, len(rows)) == (4040, 4051)
    kept = [(pair.judge, pair.human) for pair in pairs if pair.human >= 0]
    first, second = zip(*kept, strict=True)
    assert found.kappa.value == pytest.approx(0.2468, abs=5e-5)
    assert found.kappa.value == pytest.approx(cohen_kappa_score(first, second))
    assert found.quadratic.value == pytest.approx(0.4132, abs=5e-5)
    assert found.quadratic.value == pytest.approx(cohen_kappa_score(first, second, weights="quadratic"))
    assert found.gap.value == pytest.approx(np.mean(first) - np.mean(second))
    assert found.raw.value == pytest.approx(0.6319, abs=5e-5)
    assert sum(found.table.values()) == 4040


def test_a_mean_has_a_range_over_queries_and_says_why_not() -> None:
    assert clustered_mean([], []).reason.startswith("nothing")
    one = clustered_mean([1, 2], ["a", "a"])
    assert (one.value, one.interval) == (1.5, None)
    two = clustered_mean([1.0, 1.0, 4.0], ["a", "a", "b"])
    # Resamples are aa (1), bb (4) and ab (2): each end has a quarter of them.
    assert two.interval == (1.0, 4.0)
    assert two == clustered_mean([4.0, 1.0, 1.0], ["b", "a", "a"]), "their order does not matter"
    with refusal(MisalignedError):
        clustered_mean([1.0], ["a", "b"])


def test_steadiness_by_hand() -> None:
    times = [
        RepeatedTriple("a", (3, 3, 3)),
        RepeatedTriple("a", (2, 4, 2)),
        RepeatedTriple("b", (0, 1, 1)),
        RepeatedTriple("b", (5, None, 5)),
    ]
    found = consistency(times)
    assert (found.n_times, found.n_asked, found.share_same.n, found.n_incomplete) == (3, 4, 3, 1)
    assert found.share_same.value == pytest.approx(1 / 3)
    assert (found.mean_range.value, found.largest_range) == (1.0, 2)
    assert found.alpha.n == 4, "what was graded twice counts for alpha"
    once = consistency([RepeatedTriple("a", (3,))])
    assert (once.share_same.value, once.largest_range, once.n_times) == (None, None, 1)
    with refusal(MisalignedError):
        consistency([RepeatedTriple("a", (3,)), RepeatedTriple("a", (3, 3))])


GRADES = {
    "one": {"t1": 5, "t2": 0, "t3": 2},
    "two": {"t1": 5, "t2": 3, "t3": 2},
    "three": {"t1": 5, "t2": 4, "t4": 1},
}
QUERY_OF = {"t1": "q1", "t2": "q1", "t3": "q2", "t4": "q2"}


def test_judges_by_hand() -> None:
    found = compare_judges(GRADES, QUERY_OF)
    assert {(p.first, p.second): (p.raw.value, p.raw.n) for p in found.pairs} == {
        ("one", "two"): (pytest.approx(2 / 3), 3),
        ("one", "three"): (0.5, 2),
        ("two", "three"): (0.5, 2),
    }
    assert {m.triple_key: m.points for m in found.majorities} == {"t1": 5, "t2": None, "t3": 2}
    assert found.n_split == 1
    assert [(q.query_id, q.n, q.mean_spread, q.largest_spread) for q in found.queries] == [
        ("q1", 2, 2.0, 4),
        ("q2", 1, 0.0, 0),
    ]
    assert found.queries[1].means == (2.0, 2.0, None)
    # What "one" is held against: t1, where the others agree on 5; on t2 they don't.
    assert found.against_others["one"].n == 1
    assert compare_judges({"one": {}, "two": {}}, QUERY_OF).majorities == ()
    with refusal(InputError):
        compare_judges({"one": {}}, {})


@given(st.lists(POINTS, max_size=7))
def test_a_majority_is_what_more_than_half_say(points: list[int]) -> None:
    found = majority_of(points)
    over_half = [value for value in set(points) if points.count(value) > len(points) / 2]
    assert found == (over_half[0] if over_half else None)


@given(st.lists(st.tuples(POINTS, POINTS), min_size=2, max_size=12))
def test_a_judge_that_is_another_agrees_in_everything_and_order_does_not_matter(pairs: list[tuple[int, int]]) -> None:
    first = {f"t{n}": a for n, (a, _) in enumerate(pairs)}
    second = {f"t{n}": b for n, (_, b) in enumerate(pairs)}
    query_of = {key: f"q{n % 3}" for n, key in enumerate(first)}
    (twin,) = compare_judges({"a": first, "b": first}, query_of).pairs
    assert (twin.raw.value, twin.gap.value) == (1, 0)
    (one,) = compare_judges({"a": first, "b": second}, query_of).pairs
    (other,) = compare_judges({"b": second, "a": first}, dict(reversed(query_of.items()))).pairs
    assert one.quadratic == other.quadratic
    assert one.gap.value == pytest.approx(-(other.gap.value or 0.0))


def test_the_range_of_kappa_is_that_of_whole_queries_drawn_anew() -> None:
    judge, human = [0, 1, 5, 3, 2, 4, 0, 5], [1, 1, 4, 3, 5, 0, 0, 5]
    queries = ["a", "a", "b", "b", "c", "c", "d", "d"]
    found = kappa_range(judge, human, queries)
    rng, drawn = np.random.default_rng(1), []
    for _ in range(2_000):
        rows = [row for at in rng.integers(0, 4, 4) for row in (2 * at, 2 * at + 1)]
        value = cohen_kappa([judge[r] for r in rows], [human[r] for r in rows], weights="quadratic").value
        assert value is not None
        drawn.append(value)
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert found is not None
    assert [found.low, found.high] == pytest.approx([low, high], abs=0.05)
    assert kappa_range(judge, human, ["a"] * 8) is None
    assert kappa_range([3, 3], [3, 3], ["a", "b"]) is None
    with refusal(MisalignedError):
        kappa_range([3, 3], [3], ["a", "b"])
