"""Arrivals: when searches in live sources first brought each publication of a topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from core.errors import InputError
from core.sources.feed import FeedEntry, atom_feed
from core.types import Publication
from data.lookup import check_topic
from data.store import Store, utc_now

BEFORE = ""
"""The arrival of a publication that the topic had without any search in a live source."""


@dataclass(frozen=True, slots=True)
class Arrival:
    publication: Publication
    at: str
    """When the run ended that brought it first."""


def checked_since(text: str) -> str:
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        raise InputError(f'"{text[:40]}" is no date: write it as 2026-01-31') from None


def arrival_times(store: Store, topic_id: str) -> Mapping[str, str]:
    """Return when each publication arrived. One that a file or a list has, too, was there before."""
    check_topic(store, topic_id)
    came = dict(
        store.rows(
            """
            SELECT publication_id, min(coalesce(ended_at, '')) FROM records JOIN sources USING (source_id)
            LEFT JOIN live_runs ON live_runs.file_id = records.source_id
            WHERE sources.topic_id = ? GROUP BY publication_id
            """,
            [topic_id],
        )
    )
    return {
        publication_id: came.get(publication_id, BEFORE) for publication_id in store.topic_publication_ids(topic_id)
    }


def new_ids(store: Store, topic_id: str, since: str) -> frozenset[str]:
    """Return the publications that arrived on this day (UTC) or later."""
    day = checked_since(since)
    return frozenset(each for each, at in arrival_times(store, topic_id).items() if at != BEFORE and at[:10] >= day)


def arrivals(store: Store, topic_id: str, since: str | None = None) -> tuple[Arrival, ...]:
    """Return the publications that searches brought, on or after `since` if it is given, newest first."""
    day = "" if since is None else checked_since(since)
    times = {each: at for each, at in arrival_times(store, topic_id).items() if at != BEFORE and at[:10] >= day}
    found = store.load_publications(tuple(times))
    return tuple(
        sorted((Arrival(each, times[each.publication_id]) for each in found), key=lambda one: one.at, reverse=True)
    )


def feed_of(topic_id: str, found: Sequence[Arrival]) -> bytes:
    """Write the publications as an Atom feed."""
    entries = [
        FeedEntry(
            each.publication.publication_id,
            each.publication.title,
            each.at,
            each.publication.abstract or "",
            f"https://doi.org/{each.publication.doi}" if each.publication.doi else "",
        )
        for each in found
    ]
    return atom_feed(topic_id, f"{topic_id}: new publications", entries, made_at=utc_now())
