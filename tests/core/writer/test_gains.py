"""Gains against counting resamples one by one, and where they are undefined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.explore.uncertainty import resample_weights
from core.metrics import decay, f_beta
from core.query.match import of_rows
from core.writer.gains import FEWEST_CORE, N_RESAMPLES, gain, resampled
from core.writer.sheets import Gain
from tests.core.writer.writer_sets import SETTINGS, stakes_on

N = 30
rows = st.sets(st.integers(0, N - 1))


def slow_f_beta(retrieved, drawn, core, accepted, scorable):
    """Of one resample: core publications as often as they were drawn, one after the other."""
    seen = [row for row in retrieved if row in scorable]
    relevant = [row for row in seen if row in accepted]
    found = sum(times for row, times in zip(sorted(core), drawn, strict=False) if row in relevant)
    precision = len(relevant) / len(seen) * decay(len(relevant), **SETTINGS.decay_curve)
    return f_beta(precision, found / sum(drawn), beta=2.0)


@settings(max_examples=30, deadline=None)
@given(rows.filter(bool), rows, rows.filter(bool), rows, st.integers(0, 2), st.integers(0, 9))
def test_a_resample_scores_what_counting_its_publications_one_by_one_gives(
    found, core, scorable, accepted, n_more, seed
):
    n_core = len(core) + n_more + 1
    weights = resample_weights(n_core, 8, seed=seed)
    retrieved = found | set(list(scorable)[:1])
    fast = resampled(
        stakes_on(N, core, accepted, n_core=n_core, scorable=scorable), of_rows(sorted(retrieved), N), weights
    )
    slow = [slow_f_beta(retrieved, drawn, core, accepted, scorable) for drawn in weights.tolist()]
    assert fast.tolist() == pytest.approx(slow)


def test_the_interval_is_the_middle_of_the_paired_differences():
    stakes = stakes_on(N, range(9), range(20))
    one, other = of_rows(range(7), N), of_rows(range(5, 25), N)
    found, drawn = gain(stakes, one, other, seed=3), resample_weights(11, N_RESAMPLES // 2, seed=3)
    weights = np.vstack([drawn, drawn[:, [*range(9), 10, 9]]])
    differences = resampled(stakes, one, weights, (1, 0)) - resampled(stakes, other, weights, (0, 1))
    assert found.value == pytest.approx(stakes.f_beta(one) - stakes.f_beta(other))
    assert tuple(found.interval) == pytest.approx(tuple(np.quantile(differences, (0.025, 0.975))))
    assert found.interval.low < found.value < found.interval.high


@pytest.mark.parametrize(("one", "other"), [((), range(5)), (range(5), ()), ((29,), range(5))])
def test_without_anything_to_score_there_is_no_gain(one, other):
    stakes = stakes_on(N, range(9), range(20), scorable=range(25))
    assert gain(stakes, of_rows(one, N), of_rows(other, N)) == Gain(None, None)


@settings(max_examples=30, deadline=None)
@given(rows, rows)
def test_turned_round_a_gain_is_a_loss(one, other):
    stakes = stakes_on(N, range(8), range(20))
    there, back = (gain(stakes, of_rows(sorted(a), N), of_rows(sorted(b), N)) for a, b in ((one, other), (other, one)))
    if there.value is None:
        assert back.value is None
    else:
        assert (back.value, -back.interval.high) == pytest.approx((-there.value, there.interval.low))


def test_a_string_against_itself_gains_nothing():
    same = of_rows(range(10), N)
    assert gain(stakes_on(N, range(8), range(20)), same, same) == Gain(0.0, (0.0, 0.0))


def test_all_of_the_core_against_none_of_it_is_clear_and_half_of_it_against_the_other_half_is_not():
    stakes = stakes_on(N, range(16), range(16))
    first, second = of_rows(range(8), N), of_rows(range(8, 16), N)
    assert gain(stakes, first | second, of_rows(range(20, 30), N)).is_clear
    assert not gain(stakes, first, second).is_clear


def test_a_hair_of_precision_is_not_clear_where_both_find_the_same_core_publications():
    stakes = stakes_on(N, range(8), range(20))
    found = gain(stakes, of_rows(range(20), N), of_rows(range(21), N))
    assert found.value > 0
    assert not found.is_clear


def test_four_core_publications_of_fifteen_are_no_clear_gain_and_eight_are():
    """A sign test has 2 / 2^4 and 2 / 2^8 for these."""
    stakes = stakes_on(N, range(15), range(25))
    few, many, none = (of_rows([*range(n), *range(20, 25)], N) for n in (4, 8, 0))
    assert not gain(stakes, few, none).is_clear
    assert gain(stakes, many, none).is_clear


def test_with_a_few_core_publications_there_is_a_value_and_no_interval():
    stakes = stakes_on(N, range(FEWEST_CORE - 1), range(20))
    found = gain(stakes, of_rows(range(5), N), of_rows(range(20, 25), N))
    assert found.value > 0
    assert found.interval is None


def test_where_nothing_is_held_out_there_is_no_gain():
    assert gain(None, of_rows((), N), of_rows((), N)) == Gain(None, None)
