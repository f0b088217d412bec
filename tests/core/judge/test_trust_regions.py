"""Grades beside regions, core and similarity, against slow oracles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from core.errors import MisalignedError
from core.judge.reliability import core_agreement, rank_correlation, region_agreement
from tests.messages import refusal

POINTS = st.integers(0, 5)


def test_region_by_hand() -> None:
    found = region_agreement([0, 0, 3, 5, 5], [False, True, True, True, False], cut=3)
    assert [(each.points, each.n, each.n_accepted) for each in found.by_grade] == [(0, 2, 1), (3, 1, 1), (5, 2, 1)]
    assert (found.share_accepted, found.share_relevant, found.by_grade[0].share) == (0.6, 0.6, 0.5)
    # Observed 3/5; expected 9/25 + 4/25.
    assert found.kappa.value == pytest.approx((3 / 5 - 13 / 25) / (1 - 13 / 25))
    nothing = region_agreement([], [], cut=3)
    assert (nothing.n, nothing.share_accepted, nothing.kappa.value) == (0, None, None)
    with refusal(MisalignedError):
        region_agreement([1], [True, False], cut=3)


@given(st.lists(st.tuples(POINTS, st.booleans()), min_size=1, max_size=14))
def test_core_above_is_what_all_pairs_say(graded: list[tuple[int, bool]]) -> None:
    points, is_core = [p for p, _ in graded], [c for _, c in graded]
    found = core_agreement(points, is_core)
    core, others = [p for p, c in graded if c], [p for p, c in graded if not c]
    assert (found.n_core, found.n_others) == (len(core), len(others))
    if not core or not others:
        assert found.core_above is None
        assert "among the graded" in found.reason
        return
    above = sum((a > b) + (a == b) / 2 for a in core for b in others)
    assert found.core_above == pytest.approx(above / (len(core) * len(others)))
    assert found.difference == pytest.approx(np.mean(core) - np.mean(others))
    assert (found.interval is None) == (min(len(core), len(others)) < 2)


def test_the_range_of_a_difference_holds_it() -> None:
    found = core_agreement([5, 4, 3, 1, 0, 2], [True, True, True, False, False, False])
    assert found.difference == 3
    assert found.interval is not None
    assert found.interval.low < 3 < found.interval.high


@settings(max_examples=25)
@given(st.lists(st.tuples(POINTS, st.sampled_from([0.1, 0.2, 0.3, 0.4])), min_size=3, max_size=15))
def test_rank_correlation_is_that_of_scipy(pairs: list[tuple[int, float]]) -> None:
    first, second = [float(a) for a, _ in pairs], [b for _, b in pairs]
    found = rank_correlation(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found.value is None
        assert "the same" in found.reason
        return
    assert found.value == pytest.approx(spearmanr(first, second).statistic)


def test_rank_correlation_says_why_it_is_undefined() -> None:
    assert rank_correlation([1, 2], [1, 2]).reason == "needs 3 publications"
    with refusal(MisalignedError):
        rank_correlation([1], [1, 2])
