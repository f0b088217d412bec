"""A search as the methods section of a review reports it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Searched:
    """What a reader needs to judge a search, and to repeat it."""

    source: str
    """What the source is called."""
    address: str
    """Where it was asked."""
    began: str
    """ISO 8601."""
    ended: str | None
    """None: it has not come to its end."""
    forms: tuple[str, ...]
    """Exactly as they were sent."""
    total_first: int | None
    """The source's own total as the search began; of several forms, their sum. None: the source gave none."""
    total_last: int | None
    """And as it ended."""
    n_fetched: int
    """Different records that were kept."""
    n_aside: int
    most: int
    """The cap."""


def methods_sentence(searched: Searched) -> str:
    """Source, date and time, exact string, total, what was fetched, and the cap; nothing that is not known.

    >>> print(methods_sentence(Searched("PubMed", "https://eutils.example", "2031-05-06T12:00:00+00:00",
    ...     "2031-05-06T12:03:00+00:00", ("heat[tiab]",), 812, 812, 812, 0, 10_000)))
    PubMed (https://eutils.example) was searched on 6 May 2031 at 12:00 UTC with the string heat[tiab]. By its own \
count it found 812 records. All 812 were fetched; the cap was 10,000.
    """
    began = _moment(searched.began)
    when = f"{began.day} {began:%B %Y} at {began:%H:%M} UTC"
    return " ".join(
        (
            f"{searched.source} ({searched.address}) was searched on {when} with {_with(searched)}.",
            _found(searched),
            _fetched(searched),
        )
    )


def _with(searched: Searched) -> str:
    if len(searched.forms) == 1:
        return f"the string {searched.forms[0]}"
    listed = "; ".join(f"({number}) {form}" for number, form in enumerate(searched.forms, start=1))
    return f"one string in {len(searched.forms)} parts, whose results were united: {listed}"


def _found(searched: Searched) -> str:
    first, last = searched.total_first, searched.total_last
    if first is None:
        return "It gives no count of its own."
    counted = "By its own count it found" if len(searched.forms) == 1 else "By its own counts the parts together found"
    twice = "" if len(searched.forms) == 1 else ", those that several parts find counted several times"
    text = f"{counted} {_records(first)}{twice}"
    return f"{text}; the count was {last:,} as the search ended." if last not in (None, first) else f"{text}."


def _fetched(searched: Searched) -> str:
    n, total = searched.n_fetched, searched.total_last if searched.total_last is not None else searched.total_first
    all_came = total is not None and n == total and len(searched.forms) == 1
    head = f"All {n:,} were fetched" if all_came and n > 1 else f"{n:,} {'was' if n == 1 else 'were'} fetched"
    parts = [f"{head}; the cap was {searched.most:,}."]
    if searched.ended is None:
        parts.append("The search has not come to its end.")
    elif n >= searched.most and (total is None or total > n):
        parts.append("So the cap cut the search, and the source's order decided what came.")
    if searched.n_aside:
        was = "was" if searched.n_aside == 1 else "were"
        parts.append(f"{_records(searched.n_aside)} that could not be read {was} put aside.")
    return " ".join(parts)


def _records(n: int) -> str:
    return f"{n:,} record{'' if n == 1 else 's'}"


def _moment(at: str) -> datetime:
    found = datetime.fromisoformat(at)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
