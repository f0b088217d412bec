"""Ratings are kept with the words that were rated."""

from __future__ import annotations

import csv
import io

import pytest

from core.collections import Collection, Document, Query
from core.errors import InputError, NotFoundError, ReadOnlyError
from core.knowledge.query_quality import Rating
from data.collections import delete_collection, save_collection
from data.knowledge.people import queries_to_rate, rate, ratings_csv, ratings_of
from data.store import Store
from tests.messages import refusal


def _save(store: Store, *texts: str) -> None:
    queries = tuple(Query(str(n), text) for n, text in enumerate(texts))
    made = Collection("mine", (Document("d", "A title", ""),), queries, ())
    save_collection(store, made, origin="by hand", replace=True)


@pytest.fixture
def store(store: Store) -> Store:
    """With two queries to rate."""
    _save(store, "first", "second")
    return store


def test_a_rating_is_kept_and_changed(store: Store) -> None:
    rate(store, "mine", Rating("0", " Ada ", "diversity", 2))
    rate(store, "mine", Rating("0", "Ada", "diversity", 5))
    rate(store, "mine", Rating("1", "Bo", "diversity", 1))
    assert [kept.rating for kept in ratings_of(store, "mine")] == [
        Rating("0", "Ada", "diversity", 5),
        Rating("1", "Bo", "diversity", 1),
    ]
    assert {kept.rating.rater for kept in ratings_of(store, "mine")} == {"Ada", "Bo"}
    assert [query.text for query in queries_to_rate(store, "mine")] == ["first", "second"]


def test_what_is_no_rating_is_refused(store: Store) -> None:
    for rating, why in (
        (Rating("0", "Ada", "beauty", 3), "rated for naturalness, diversity and practicality"),
        (Rating("0", "Ada", "diversity", 6), "1 to 5 points, got 6"),
        (Rating("0", "x" * 10_000, "diversity", 3), "this one has 10,000"),
    ):
        with pytest.raises(InputError, match=why):
            rate(store, "mine", rating)
    assert ratings_of(store, "mine") == ()


def test_old_words_are_not_counted_with_new_ones(store: Store) -> None:
    for query_id in ("0", "1"):
        rate(store, "mine", Rating(query_id, "Ada", "diversity", 4))
    _save(store, "first", "second, mended")
    assert [(kept.rating.query_id, kept.counts) for kept in ratings_of(store, "mine")] == [("0", True), ("1", False)]
    rate(store, "mine", Rating("1", "Ada", "diversity", 3))
    assert [(kept.query_text, kept.counts) for kept in ratings_of(store, "mine")][1] == ("second, mended", True)


def test_a_collection_that_goes_while_it_is_rated_is_named(store: Store) -> None:
    rate(store, "mine", Rating("1", "Ada", "diversity", 4))
    _save(store, "first")
    with refusal(NotFoundError):
        rate(store, "mine", Rating("1", "Ada", "diversity", 4))
    delete_collection(store, "mine")
    with refusal(NotFoundError):
        rate(store, "mine", Rating("0", "Ada", "diversity", 4))
    with refusal(NotFoundError):
        queries_to_rate(store, "mine")
    assert [kept.counts for kept in ratings_of(store, "mine")] == [False], "kept, but not counted"


def test_ratings_as_a_table(store: Store) -> None:
    _save(store, "=1+1", "second")
    rate(store, "mine", Rating("0", "<b>Ada</b>", "diversity", 4), clock=lambda: "2026-01-01T00:00:00+00:00")
    text = ratings_csv("mine", ratings_of(store, "mine")).decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(text))
    assert row == {
        "collection": "mine",
        "query_id": "0",
        "query_text": "'=1+1",
        "rater": "<b>Ada</b>",
        "quality": "diversity",
        "points": "4",
        "made_at": "2026-01-01T00:00:00+00:00",
        "counts": "yes",
    }


def test_in_a_copy_nothing_is_rated(store: Store) -> None:
    store.execute("CHECKPOINT")
    with Store.open_copy(store.path) as copy, refusal(ReadOnlyError):
        rate(copy, "mine", Rating("0", "Ada", "diversity", 4))
