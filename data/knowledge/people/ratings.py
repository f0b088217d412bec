"""How people rate the queries of a collection."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError, NotFoundError
from core.knowledge.people.ratings import POINTS, QUALITIES, Rating
from core.ranking.check import Query
from core.text import harmless, listed
from data.clock import Clock, utc_now
from data.collections.stored import is_stored, not_found
from data.knowledge.people.persons import check_is_kept, checked_person
from data.store import Store

RATING_COLUMNS = ("collection", "query_id", "query_text", "rater", "quality", "points", "made_at", "counts")


@dataclass(frozen=True, slots=True)
class KeptRating:
    """A rating as it is kept."""

    rating: Rating
    query_text: str
    """As it was when it was rated."""
    made_at: str
    counts: bool
    """The collection still has the query, in these words."""


def queries_to_rate(store: Store, collection: str) -> tuple[Query, ...]:
    """The queries of a collection, without loading its documents."""
    if not is_stored(store, collection):
        raise not_found(store, collection)
    found = store.rows(
        "SELECT query_id, text FROM collection_queries WHERE collection = ? ORDER BY position", [collection]
    )
    return tuple(Query(*row) for row in found)


def rate(store: Store, collection: str, rating: Rating, *, clock: Clock = utc_now) -> None:
    """Keep a rating with the words that were rated; one that this person gave before is replaced."""
    check_is_kept(store, "ratings are kept")
    rater = checked_person(rating.rater)
    if rating.quality not in QUALITIES:
        raise InputError(f'queries are rated for {listed(list(QUALITIES))}, not for "{rating.quality[:80]}"')
    if rating.points not in POINTS:
        raise InputError(f"a rating has 1 to 5 points, got {rating.points}")
    with store.transaction():
        text = _text(store, collection, rating.query_id)
        store.execute(
            "INSERT OR REPLACE INTO query_ratings VALUES (?, ?, ?, ?, ?, ?, ?)",
            [collection, rating.query_id, text, rater, rating.quality, rating.points, clock()],
        )


def _text(store: Store, collection: str, query_id: str) -> str:
    found = store.rows(
        "SELECT text FROM collection_queries WHERE collection = ? AND query_id = ?", [collection, query_id]
    )
    if found:
        return str(found[0][0])
    if not is_stored(store, collection):
        raise not_found(store, collection)
    raise NotFoundError(f'collection "{collection}" does not have this query any more: reload the page')


def ratings_of(store: Store, collection: str) -> tuple[KeptRating, ...]:
    """Everything that was rated of a collection; what was rated in other words, or is gone, is marked."""
    found = store.rows(
        """
        SELECT r.query_id, r.rater, r.quality, r.points, r.query_text, r.made_at, q.query_id IS NOT NULL
        FROM query_ratings AS r
        LEFT JOIN collection_queries AS q
            ON q.collection = r.collection AND q.query_id = r.query_id AND q.text = r.query_text
        WHERE r.collection = ? ORDER BY r.query_id, r.rater, r.quality
        """,
        [collection],
    )
    return tuple(KeptRating(Rating(*row[:4]), *row[4:]) for row in found)


def ratings_csv(collection: str, ratings: Sequence[KeptRating]) -> bytes:
    """Every rating as a line of a table, in a form that a spreadsheet opens and does not run."""
    file = io.StringIO(newline="")
    lines = csv.writer(file, lineterminator="\r\n")
    lines.writerow(RATING_COLUMNS)
    for kept in ratings:
        one = kept.rating
        texts = map(harmless, (collection, one.query_id, kept.query_text, one.rater))
        lines.writerow([*texts, one.quality, one.points, kept.made_at, "yes" if kept.counts else "no"])
    return file.getvalue().encode("utf-8-sig")
