"""The command `knowledge ratings`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.errors import InputError
from core.knowledge.query_quality import (
    COMMON,
    POINTS,
    PUBLISHED,
    QUALITIES,
    SHARES,
    Rating,
    counts,
    overall_agreement,
    pair_agreements,
    share_of,
    to_rate,
)
from core.text import listed, many
from dashboard.kit import options
from dashboard.kit.output import interval, number, print_json, results, row, say, table, tell, warn
from data.changes import author
from data.explore.workspace import Workspace
from data.files import written_aside
from data.importers.source import read_bytes
from data.knowledge.people import (
    SavedRating,
    checked_person,
    import_ratings,
    queries_to_rate,
    rate,
    ratings_csv,
    ratings_of,
)


@click.command("ratings")
@click.argument("collection")
@click.option(
    "--rate",
    "given",
    nargs=3,
    multiple=True,
    metavar="QUERY QUALITY POINTS",
    help=f"Rate a query for {listed(list(QUALITIES))}, {POINTS[0]} to {POINTS[-1]} points; repeatable. Needs --by.",
)
@click.option("--by", "person", default=None, help="Your name or initials.")
@click.option(
    "--next", "n_next", type=click.IntRange(min=1), default=None, help="Also list this many queries for you to rate."
)
@click.option(
    "--import",
    "imported",
    type=click.Path(path_type=Path),
    default=None,
    help="Import ratings from a CSV written by --out.",
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=None, help="Write every rating as CSV.")
@options.output
def ratings(
    collection: str,
    given: tuple[tuple[str, str, str], ...],
    person: str | None,
    n_next: int | None,
    imported: Path | None,
    out: Path | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """List, add, import and export people's ratings of the queries of a collection.

    Shows shares of good ratings with intervals, by quality and rater, agreement between raters, and published shares.
    """
    person = person or author() or None
    if (given or n_next) and person is None:
        raise InputError("enter your name: add --by NAME")
    rated = [Rating(q, checked_person(person or ""), quality, _points(points)) for q, quality, points in given]
    n, problems = 0, tuple[str, ...]()
    with Workspace.open(data_dir) as workspace:
        store = workspace.store
        queries = {query.query_id: query.text for query in queries_to_rate(store, collection)}
        for rating in rated:
            rate(store, collection, rating)
        if imported is not None:
            n, problems = import_ratings(store, collection, read_bytes(imported), imported.name)
        kept = ratings_of(store, collection)
    mine = (
        ()
        if not n_next
        else to_rate(list(queries), rater=checked_person(person or ""), n=n_next, common=COMMON, seed=collection)
    )
    if out is not None:
        with written_aside(out) as file:
            file.write(ratings_csv(collection, kept))
    if as_json:
        more: dict[str, Any] = {} if imported is None else {"n_imported": n, "rejected": list(problems)}
        more |= {"next": [{"query_id": one, "query": queries[one]} for one in mine]} if n_next else {}
        print_json(ratings_document(collection, kept) | more)
        return
    _print(collection, kept)
    for one in mine:
        tell(f"To rate: {one}  {queries[one]}")
    if imported is not None:
        say(f"New or changed by {imported.name}: {many(n, 'rating')}.")
    warn(problems)
    if out is not None:
        say(f"Written to {out}.")


def _points(text: str) -> int:
    if not text.isdecimal():
        raise InputError(f'a rating has {POINTS[0]} to {POINTS[-1]} points, got "{text[:80]}"')
    return int(text)


ByQuality = Mapping[str, Sequence[Rating]]


def _by_quality(kept: Sequence[SavedRating], rater: str | None = None) -> ByQuality:
    """Return the ratings that count."""
    return {
        quality: [
            one.rating
            for one in kept
            if one.counts and one.rating.quality == quality and rater in (None, one.rating.rater)
        ]
        for quality in QUALITIES
    }


def _raters(kept: Sequence[SavedRating]) -> list[str]:
    return sorted({one.rating.rater for one in kept if one.counts})


def ratings_document(collection: str, kept: Sequence[SavedRating]) -> dict[str, Any]:
    """Build the document of `knowledge ratings --json`.

    `ratings`: `counts` is false if the query has been reworded or deleted since. `qualities`, each with its `shares`,
    the number of ratings with 1 to 5 points, `agreement` (Krippendorff's alpha), `pairs` of raters, `by_rater`, and
    `published` shares (positive, non-negative).
    """
    return {
        "collection": collection,
        "n_left_out": sum(not one.counts for one in kept),
        "qualities": {quality: _quality_document(quality, kept) for quality in QUALITIES},
        "ratings": [
            asdict(one.rating) | {"query_text": one.query_text, "made_at": one.made_at, "counts": one.counts}
            for one in kept
        ],
    }


def _quality_document(quality: str, kept: Sequence[SavedRating]) -> dict[str, Any]:
    given = _by_quality(kept)[quality]
    return {
        "shares": _shares(given),
        "counts": list(counts(given)),
        "agreement": asdict(overall_agreement(given)),
        "pairs": [asdict(pair) for pair in pair_agreements(given)],
        "by_rater": {rater: _shares(_by_quality(kept, rater)[quality]) for rater in _raters(kept)},
        "published": {name: list(shares[quality]) for name, shares in PUBLISHED.items()},
    }


def _shares(given: Sequence[Rating]) -> dict[str, Any]:
    return {name: asdict(share) | {"interval": share.interval} for name in SHARES for share in [share_of(given, name)]}


def _print(collection: str, kept: Sequence[SavedRating]) -> None:
    if not any(one.counts for one in kept):
        say(f"No ratings of {collection} yet.")
        return
    columns = ("Quality", "Rater", "Ratings", *(part for m in SHARES.values() for part in (m.label, "95 %")), "Note")
    grid = table(f"Ratings of {collection}", *columns, right=(2, 3, 5))
    raters = _raters(kept)
    for quality, about in QUALITIES.items():
        for rater in (None, *(raters if len(raters) > 1 else ())):
            given = _by_quality(kept, rater)[quality]
            shares = [share_of(given, name) for name in SHARES]
            cells = [cell for share in shares for cell in (number(share.value), interval(share.interval))]
            row(grid, "" if rater else about.label, rater or "All", str(len(given)), *cells, shares[0].warning)
    results().print(grid)
    for quality, given in _by_quality(kept).items():
        agreed = overall_agreement(given)
        if agreed.value is not None:
            tell(f"{QUALITIES[quality].label}: Krippendorff's alpha {agreed.value:.2f} over {agreed.n:,} queries.")
    if n_old := sum(not one.counts for one in kept):
        tell(f"Left out: {n_old:,}, as the query has changed since, or was deleted.")
