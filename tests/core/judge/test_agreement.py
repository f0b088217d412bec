"""Agreement against values worked out by hand, a slow oracle, and published figures."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import MisalignedError, SettingsError
from core.stats import LEVELS, Level, Weights, base_rates, cohen_kappa, krippendorff_alpha, raw_agreement
from tests.messages import refusal

POINTS = st.integers(1, 5)
PAIRS = st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=20)
UNITS = st.lists(st.lists(POINTS, max_size=4), min_size=1, max_size=8)
KRIPPENDORFF = """
1 1 . 1|2 2 3 2|3 3 3 3|3 3 3 3|2 2 2 2|1 2 3 4|4 4 4 4|1 1 2 1|2 2 2 2|. 5 5 5|. . 1 1|. . 3 .
"""
"""Twelve units and four observers, from "Computing Krippendorff's alpha-reliability" (2011), section C."""


def test_kappa_by_hand() -> None:
    first, second = [1, 1, 2, 2], [1, 2, 2, 2]
    # Observed 3/4; expected 1/2 * 1/4 + 1/2 * 3/4 = 1/2.
    assert cohen_kappa(first, second, weights="none").value == pytest.approx(0.5)
    assert raw_agreement(first, second).value == 0.75
    # Squared differences: 1/4 observed; over all 16 pairs 8 differ by one: 1/2.
    assert cohen_kappa(first, second, weights="quadratic").value == pytest.approx(0.5)
    assert cohen_kappa([1, 5, 1, 5], [5, 1, 5, 1], weights="quadratic").value == -1
    assert base_rates(second) == {1: 0.25, 2: 0.75}


@pytest.mark.parametrize("weights", ["none", "quadratic"])
def test_kappa_is_undefined_without_a_pair_or_a_difference(weights: Weights) -> None:
    empty, same = cohen_kappa([], [], weights=weights), cohen_kappa([3, 3], [3, 3], weights=weights)
    assert (empty.value, empty.n, same.value, same.n) == (None, 0, None, 2)
    assert "by both" in empty.reason
    assert "same points" in same.reason
    assert cohen_kappa([3, 3], [4, 4], weights=weights).value == 0, "they differ, and chance explains all of it"
    with refusal(MisalignedError):
        cohen_kappa([1], [1, 2], weights=weights)


@given(PAIRS)
def test_quadratic_kappa_is_what_all_pairs_say(pairs: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    n = len(pairs)
    observed = Fraction(sum((a - b) ** 2 for a, b in pairs), n)
    expected = Fraction(sum((a - b) ** 2 for a in first for b in second), n * n)
    found = cohen_kappa(first, second, weights="quadratic")
    assert found.value == (pytest.approx(float(1 - observed / expected)) if expected else None)
    assert cohen_kappa(second, first, weights="quadratic") == found


@given(PAIRS)
def test_agreement_within_more_points_is_never_less(pairs: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    shares = [raw_agreement(first, second, within=within).value for within in range(5)]
    assert all(a is not None and b is not None and a <= b for a, b in pairwise(shares))
    assert shares[-1] == 1


@pytest.mark.parametrize(("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_is_what_its_author_publishes(level: Level, value: float) -> None:
    units = [[int(one) for one in unit.split() if one != "."] for unit in KRIPPENDORFF.strip().split("|")]
    found = krippendorff_alpha(units, level=level)
    assert found.value == pytest.approx(value, abs=6e-4)
    assert found.n == 11, "what only one observer judged is left out"


def _slow_alpha(units: list[list[int]], level: str) -> float | None:
    """From every two ratings there are."""
    kept = [unit for unit in units if len(unit) > 1]
    values = [value for unit in kept for value in unit]

    def distance(a: int, b: int) -> float:
        low, high = sorted((a, b))
        if level == "ordinal":
            between = sum(low <= value <= high for value in values)
            return (between - (values.count(low) + values.count(high)) / 2) ** 2 if a != b else 0
        return (a - b) ** 2 if level == "interval" else float(a != b)

    observed = sum(distance(a, b) / (len(unit) - 1) for unit in kept for a, b in permutations(unit, 2))
    expected = sum(distance(a, b) for a, b in permutations(values, 2))
    n = len(values)
    return 1 - (observed / n) / (expected / (n * (n - 1))) if expected else None


@pytest.mark.parametrize("level", LEVELS)
@given(units=UNITS)
def test_alpha_is_what_all_pairs_say(level: Level, units: list[list[int]]) -> None:
    found, slow = krippendorff_alpha(units, level=level).value, _slow_alpha(units, level)
    assert found == (None if slow is None else pytest.approx(slow, abs=1e-9))


def test_alpha_says_why_it_is_undefined() -> None:
    assert "by two" in krippendorff_alpha([[1], [2], []], level="ordinal").reason
    same = krippendorff_alpha([[3, 3], [3, 3, 3]], level="ordinal")
    assert (same.value, same.n) == (None, 2)
    assert "the same" in same.reason
    with refusal(SettingsError):
        krippendorff_alpha([[1, 2]], level="ratio")  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="weights"):
        cohen_kappa([1], [2], weights="linear")  # type: ignore[arg-type]
