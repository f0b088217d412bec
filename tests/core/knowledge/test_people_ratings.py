"""Shares, their intervals and agreement, against values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.knowledge.query_quality import (
    BY_QUERIES,
    BY_RATINGS,
    PUBLISHED,
    QUALITIES,
    SHARES,
    Rating,
    counts,
    overall_agreement,
    pair_agreements,
    share_of,
)

LISTS = st.lists(
    st.tuples(st.sampled_from("abcdefghijkl"), st.sampled_from(["Ada", "Bo", "Cy"]), st.integers(1, 5)),
    min_size=1,
    max_size=40,
    unique_by=lambda one: one[:2],
)


def rated(*given: tuple[str, str, int]) -> list[Rating]:
    return [Rating(query_id, rater, "naturalness", points) for query_id, rater, points in given]


def test_shares_by_hand() -> None:
    ratings = rated(*((str(n), "Ada", points) for n, points in enumerate([5, 4, 4, 3, 3, 2, 1, 5, 5, 4])))
    positive, non_negative = (share_of(ratings, which) for which in ("positive", "non_negative"))
    assert (positive.value, non_negative.value) == (0.6, 0.8)
    # Wilson for 6 of 10: centre (0.6 + 3.8415/20) / 1.38415, half-width 1.96 * sqrt(0.24/10 + 3.8415/400) / 1.38415.
    assert positive.by_ratings == pytest.approx((0.3127, 0.8318), abs=1e-4)
    assert positive.shown == BY_RATINGS, "each query was rated once"
    assert positive.warning == ""
    assert counts(ratings) == (1, 1, 2, 3, 3)


def test_few_ratings_are_warned_of() -> None:
    share = share_of(rated(("1", "Ada", 5)), "positive")
    assert (share.value, share.by_queries) == (1, None)
    assert share.warning.startswith("only 1 rating:")
    nothing = share_of([], "positive")
    assert (nothing.value, nothing.interval, nothing.n) == (None, None, 0)


def test_ratings_of_one_query_hang_together() -> None:
    """Twelve queries that three raters agree on: thirty-six ratings say no more than twelve."""
    ratings = rated(*((str(n), rater, 5 if n % 2 else 2) for n in range(12) for rater in ("Ada", "Bo", "Cy")))
    share = share_of(ratings, "positive")
    assert share.shown == BY_QUERIES
    assert share.interval == share.by_queries
    assert share.by_queries is not None
    assert share.by_ratings is not None
    assert share.by_queries.high - share.by_queries.low > share.by_ratings.high - share.by_ratings.low
    # Half of twelve queries drawn anew: between 3/12 and 9/12 in 95 % (binomial).
    assert share.by_queries == pytest.approx((0.25, 0.75), abs=0.02)
    few = share_of([rating for rating in ratings if int(rating.query_id) < 6], "positive")
    assert (few.shown, few.n) == (BY_RATINGS, 18)
    assert few.warning.startswith("only 6 queries")
    flat = share_of(rated(*((str(n), rater, 5) for n in range(12) for rater in ("Ada", "Bo"))), "positive")
    assert flat.shown == BY_RATINGS, "an interval without a width says nothing"
    assert "independent" in flat.warning


@given(LISTS)
def test_shares_keep_their_laws(given: list[tuple[str, str, int]]) -> None:
    ratings = rated(*given)
    positive, non_negative = (share_of(ratings, which) for which in SHARES)
    assert positive.value is not None
    assert non_negative.value is not None
    assert 0 <= positive.value <= non_negative.value <= 1
    assert positive.by_ratings is not None
    assert positive.by_ratings.low <= positive.value <= positive.by_ratings.high
    assert share_of(ratings[::-1], "positive") == positive, "drawn the same again, in whatever order"
    assert sum(counts(ratings)) == len(ratings)


def test_agreement_of_pairs_and_of_all() -> None:
    ratings = rated(
        *((query, "Ada", points) for query, points in zip("abcd", (1, 2, 3, 4), strict=True)),
        *((query, "Bo", points) for query, points in zip("abcx", (1, 2, 5, 4), strict=True)),
        ("z", "Cy", 3),
    )
    pairs = {(pair.first, pair.second): pair for pair in pair_agreements(ratings)}
    both = pairs["Ada", "Bo"]
    assert both.within_one.value == pytest.approx(2 / 3)
    # Squared differences 0, 0, 4: 4/3; over all nine pairs 0 1 16 / 1 0 9 / 4 1 4: 36/9.
    assert both.kappa.value == pytest.approx(1 - (4 / 3) / 4)
    assert both.kappa.n == 3
    assert pairs["Ada", "Cy"].kappa.value is None
    assert "by both" in pairs["Ada", "Cy"].kappa.reason
    assert overall_agreement(ratings).n == 3
    assert overall_agreement(rated(("a", "Ada", 3))).reason.endswith("only one rater")
    assert overall_agreement([]).value is None


def test_every_quality_describes_itself() -> None:
    for quality in QUALITIES.values():
        assert quality.question.endswith("?")
    assert all(set(published) == set(QUALITIES) for published in PUBLISHED.values())
    assert all(low <= high <= 1 for published in PUBLISHED.values() for low, high in published.values())
