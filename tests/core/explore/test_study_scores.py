"""Scores of many topics: values, differences, correlations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.explore.studies import (
    FEWEST_TOPICS,
    STUDY_METRICS,
    RegionNumbers,
    TopicScoreColumn,
    TopicScores,
    change,
    columns_of,
    correlate,
    correlation,
)

few = st.lists(st.integers(-5, 5).map(float), min_size=2, max_size=12)


def scores(topic: str, found: int, f_beta: float | None, *, degenerate: str | None = None) -> TopicScores:
    numbers = RegionNumbers("ok", 5, 0.5, 0.9, f_beta, degenerate) if f_beta is not None else RegionNumbers("no area")
    return TopicScores(topic, "v", 10, 100, found, 90, {"hull": numbers})


@given(few, st.data())
def test_pearson_and_spearman_are_scipys(x, data):
    y = data.draw(st.lists(st.integers(-5, 5).map(float), min_size=len(x), max_size=len(x)))
    a, b = np.array(x), np.array(y)
    if a.min() == a.max() or b.min() == b.max():
        assert np.isnan(correlation(a, b))
        return
    assert correlation(a, b) == pytest.approx(stats.pearsonr(a, b).statistic, abs=1e-12)
    assert correlation(stats.rankdata(a), stats.rankdata(b)) == pytest.approx(
        stats.spearmanr(a, b).statistic, abs=1e-12
    )


@given(few.filter(lambda x: min(x) < max(x)), st.floats(0.1, 1e6), st.floats(-1e6, 1e6))
def test_a_correlation_knows_no_scale(x, factor, shift):
    a = np.array(x)
    assert correlation(a, a * factor + shift) == pytest.approx(1.0)
    assert correlation(a, -a * factor) == pytest.approx(-1.0)


def test_few_topics_and_degenerate_numbers_leave_a_cell_blank():
    rows = [scores(f"t{i}", i, i / 10 if i else None, degenerate="whole list" if i == 5 else None) for i in range(6)]
    f_beta = TopicScoreColumn("f_beta", "hull")
    found = correlate(rows, [TopicScoreColumn("recall"), f_beta])
    assert found.n.tolist() == [[6, 4], [4, 4]]
    assert found.spearman[0, 1] == pytest.approx(1.0)
    few_rows = correlate(rows[: FEWEST_TOPICS - 1], [TopicScoreColumn("recall")])
    assert np.isnan(few_rows.pearson).all()
    assert few_rows.n.tolist() == [[3]]
    assert correlate([], [f_beta]).n.tolist() == [[0]]


def test_a_difference_says_why_it_is_none_or_worth_nothing():
    whole, none, one_cluster = scores("t", 3, 0.4), scores("t", 3, None), scores("t", 3, 0.5, degenerate="whole list")
    f_beta = TopicScoreColumn("f_beta", "hull")
    assert change(whole, none, f_beta).value is None
    assert change(whole, none, f_beta).why == "v: no area"
    moved = change(whole, one_cluster, f_beta)
    assert moved.value == pytest.approx(0.1)
    assert moved.degenerate
    assert change(whole, one_cluster, TopicScoreColumn("recall")).value == 0.0
    assert not change(whole, whole, f_beta).degenerate


def test_without_vectors_recall_and_sizes_remain():
    bare = TopicScores("t", "v", 4, 9, 1)
    values = {(c.metric, c.region): bare.value(c) for c in columns_of(STUDY_METRICS, ["cosine"])}
    assert values == {
        ("recall", None): 0.25,
        ("n_retrieved", None): 9.0,
        **{(metric, "cosine"): None for metric in ("semantic_precision", "f_beta", "decay", "n_relevant")},
    }
    assert bare.reason(TopicScoreColumn("f_beta", "cosine")) == "needs vectors"
