"""Strings of several origins over many topics: means over the same topics, who wins, intervals that keep their word."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explore.studies import RegionNumbers, TopicScoreColumn, TopicScores
from core.stats import Interval, randomization_p
from core.types import Origin
from core.writer.sheets import Gain
from core.writer.string_study import (
    FEWEST,
    TopicStrings,
    by_topic,
    gain_sentence,
    mean_gain,
    mean_interval,
    mean_of,
    paired,
    paired_over,
    result_table,
    sentence_of,
)

RECALL, F_BETA = TopicScoreColumn("recall"), TopicScoreColumn("f_beta", "cosine")
EVEN = st.lists(st.integers(-100, 100).map(lambda n: n / 100), min_size=FEWEST, max_size=10)


def scored(topic: str, label: str, n_found: int, f_beta: float | None, degenerate: str | None = None) -> TopicScores:
    numbers = RegionNumbers("ok", 5, 0.5, 0.9, f_beta, degenerate)
    return TopicScores(topic, label, 10, 100, n_found, 90, {"cosine": numbers})


def three() -> tuple[TopicStrings, ...]:
    """Two topics with both, one whose second number says nothing."""
    one: list[tuple[Origin, TopicScores]] = [
        ("baseline", scored("Tea", "baseline", 2, 0.2)),
        ("generated", scored("Tea", "v4", 6, 0.5)),
        ("generated", scored("Nets", "v2", 5, 0.3)),
        ("baseline", scored("Nets", "baseline", 5, 0.4)),
        ("baseline", scored("Zero", "baseline", 0, 0.1)),
        ("generated", scored("Zero", "v2", 1, 0.9, "the whole list")),
    ]
    return by_topic(one, {"Tea": Gain(0.2, Interval(0.1, 0.3)), "Nets": Gain(None, None)})


def test_topics_stand_by_name_with_the_scores_of_each_origin() -> None:
    rows = three()
    assert [row.topic_id for row in rows] == ["Nets", "Tea", "Zero"]
    assert rows[1].scores["generated"].label == "v4"
    assert rows[1].gain == Gain(0.2, Interval(0.1, 0.3))
    assert rows[2].gain is None


def test_means_are_over_topics_in_which_every_origin_says_something() -> None:
    found = mean_of(three(), ("baseline", "generated"), F_BETA)
    assert found.n_topics == 2
    assert found.values == pytest.approx({"baseline": 0.3, "generated": 0.4})
    assert mean_of(three(), ("baseline", "generated"), RECALL).n_topics == 3
    assert mean_of(three(), ("baseline", "review"), RECALL).values == {}


def test_wins_losses_and_ties_add_up_and_few_topics_are_never_clear() -> None:
    found = paired_over(three(), "baseline", "generated", F_BETA)
    assert (found.wins, found.losses, found.ties, found.n_left_out) == (1, 1, 0, 1)
    assert found.mean == pytest.approx(0.1)
    assert found.interval is None
    said = sentence_of(found)
    assert said.startswith(
        "F2 (with decay), cosine: generated is higher than baseline in 1 of 2 topics and lower in 1;"
    )
    for fact in ("F2 (with decay), cosine: ", "+0.100", "Not clear", "fewer than 6 topics", "1 more topic"):
        assert fact in said
    assert paired("a", "b", RECALL, {"Tea": (0.5, 0.5001)}).ties == 1


def test_what_nobody_has_is_said() -> None:
    found = paired_over(three(), "review", "generated", RECALL)
    assert found.n_topics == 0
    said = sentence_of(found)
    assert said.startswith("Core recall: no topic ")
    assert said.endswith("both review and generated.")


@pytest.mark.parametrize(("n", "clear"), [(5, False), (6, True), (21, True)])
def test_the_same_rise_everywhere_is_clear_from_six_topics_on(n: int, clear: bool) -> None:
    found = paired("baseline", "generated", RECALL, {f"t{i}": (0.1, 0.3) for i in range(n)})
    assert found.is_clear is clear
    assert ("which is clear." in sentence_of(found)) is clear


@given(EVEN)
def test_an_interval_leaves_out_what_the_sign_flip_test_refuses(differences: list[float]) -> None:
    values = np.array(differences)
    found = mean_interval(values)
    assert found is not None
    assert found.low - 1e-9 <= values.mean() <= found.high + 1e-9
    assert values.min() - 1e-9 <= found.low
    assert found.high <= values.max() + 1e-9
    p = float(randomization_p(np.column_stack([np.zeros(len(values)), values]), [(0, 1)])[0])
    if found.low > 0 or found.high < 0:
        assert p <= 0.05 + 1e-12
    elif found.low < 0 < found.high:
        assert p > 0.05 - 1e-12


@given(EVEN, st.integers(-3, 3), st.randoms(use_true_random=False))
def test_an_interval_moves_with_what_it_is_of_and_knows_no_order(values: list[float], by: int, chance: object) -> None:
    low, high = mean_interval(np.array(values)) or (0, 0)
    mixed = sorted(values, key=lambda _: chance.random())  # type: ignore[attr-defined]
    assert mean_interval(np.array(mixed)) == pytest.approx((low, high), abs=1e-9)
    assert mean_interval(np.array(values) + by) == pytest.approx((low + by, high + by), abs=1e-9)
    assert mean_interval(-np.array(values)) == pytest.approx((-high, -low), abs=1e-9)


def test_an_interval_holds_the_true_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    drawn = [mean_interval(rng.normal(0.1, 0.2, size=9)) for _ in range(400)]
    held = np.mean([interval is not None and interval.low <= 0.1 <= interval.high for interval in drawn])
    assert 0.92 <= held <= 0.985


def test_the_gain_on_held_out_core_publications_claims_no_more_than_it_shows() -> None:
    assert mean_gain(three()) == (Gain(0.2, None), 1)
    table = result_table(three(), ("baseline", "generated"), ("cosine",), beta=1.0)
    assert str(table.rows[-1][-1]).endswith("held-out gain over 1 topic only")
    assert "Held-out gain: F2 (cosine)" in table.note  # what writes judges by F2, whatever is compared by
    said = gain_sentence(three())
    assert said is not None
    assert "+0.200" in said
    assert "clearly better in 1 of 1" in said
    assert "not clear" in said
    assert gain_sentence(()) is None
    many = tuple(TopicStrings(f"t{i}", {}, Gain(0.1, None)) for i in range(8))
    assert mean_gain(many)[0].is_clear
    assert "clearly better in 0 of 8" in (gain_sentence(many) or "")
