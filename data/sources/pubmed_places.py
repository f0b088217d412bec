"""Where a page of PubMed begins, and how a search that is too large is divided by days.

PubMed gives the first 9,999 records of a search and refuses to go beyond. A larger one is asked again for the records
of certain days only (the day on which PubMed took a record in), from the newest day to the oldest, so that a run that
is capped has the newest. Ranges of days touch without overlapping. The newest range is open towards the future: where
it begins hangs on what day it is, but what all of them cover does not, so a clock that is wrong costs some searches and
no record. What every search told of a range is used until the range is read, so that nothing is asked twice.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, timedelta

from core.errors import LostPlaceError

CEILING = 9_999
"""Records that one search gives."""
FIRST_DAY = date(1700, 1, 1)
"""Older than anything in PubMed, where some records carry the day of their publication."""
LAST_DAY = date(3000, 12, 31)
"""PubMed's own way of leaving a range open."""
_USUAL_SPAN = 40 * 365
"""Days over which the publications of a field are expected to lie. A guess: what is wrong with it costs searches."""
_FULL_ENOUGH = 0.8
"""What share of the ceiling a range is to fill."""
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Range:
    """Days, both included."""

    low: date
    high: date

    @property
    def is_day(self) -> bool:
        """It can't be divided."""
        return self.low == self.high

    def halved(self, today: date) -> Range:
        """The newer half of it; of a range that is open towards the future, of what lies before today."""
        top = min(self.high, today) if self.low < today else self.high
        return Range(self.low + (top - self.low) // 2 + _DAY if self.low < top else top, self.high)


@dataclass(frozen=True, slots=True)
class Place:
    """All that it takes to go on, in this process or in another one."""

    total: int = 0
    """Of the whole search."""
    environment: str = ""
    """PubMed's name for what it keeps for us; empty: the search of the next range is still to be made."""
    query_key: str = ""
    start: int = 0
    """Of what it keeps: the record that comes next, from 0."""
    n: int = 0
    """Records in it."""
    low: str = ""
    """The oldest day that is being read or was read; empty: the search is not divided."""
    high: str = ""
    n_before: int = 0
    """Records in the ranges that are done."""
    days: int = 0
    """How many days the next range is to cover."""
    known: tuple[tuple[str, int], ...] = ()
    """Days with the number of records from there to the next range: the oldest day first, the fewest records last."""
    n_changes: int = 0
    """How often a search that was made again found another number."""

    @property
    def is_divided(self) -> bool:
        """It reads ranges of days."""
        return bool(self.low)

    @property
    def is_between(self) -> bool:
        """The search of the next range is still to be made."""
        return self.is_divided and not self.environment

    @property
    def last(self) -> int:
        """How far the records of this range can be read."""
        return min(self.n, CEILING)

    @property
    def days_read(self) -> Range | None:
        """The range that this place is in; None: the whole search."""
        return Range(date.fromisoformat(self.low), date.fromisoformat(self.high)) if self.low else None

    def after(self, n: int) -> Place | None:
        """The place so many records later; None: there is nothing more."""
        start = self.start + n
        if start < self.last:
            return replace(self, start=start)
        if not self.is_divided:
            return None if self.n <= CEILING else self.divided()
        return None if self.low <= FIRST_DAY.isoformat() else self.ended()

    def ended(self) -> Place:
        """Between this range and the next."""
        n_before = self.n_before + self.n
        return replace(self, environment="", query_key="", start=0, n=0, n_before=n_before, n_changes=0)

    def before(self, days: Range, n: int) -> Place:
        """Before these days, which were found to hold more than they did and are to be divided anew."""
        beyond = (days.high + _DAY).isoformat()
        known = tuple((low, held + n) for low, held in self.known)
        known = (*known, (days.low.isoformat(), n))
        return replace(self, environment="", query_key="", start=0, n=0, low=beyond, high=beyond, known=known)

    def divided(self) -> Place:
        """Before the first range."""
        beyond = (LAST_DAY + _DAY).isoformat()
        days = max(int(_USUAL_SPAN * _FULL_ENOUGH * CEILING / max(self.total, 1)), 1)
        known = ((FIRST_DAY.isoformat(), self.total),)
        return Place(self.total, low=beyond, high=beyond, days=days, known=known)

    def next_range(self, today: date) -> Range:
        """The days to ask for next: as far back as is known to hold few enough, else as is likely to."""
        high = date.fromisoformat(self.low) - _DAY
        for low, n in self.known:
            if n <= CEILING:
                return Range(date.fromisoformat(low), high)
        too_many = Range(date.fromisoformat(self.known[-1][0]), high) if self.known else Range(FIRST_DAY, high)
        newest = min(high, today) if too_many.low < today else high
        span = min(self.days, (newest - too_many.low).days)
        if newest - timedelta(days=span) > too_many.low:
            return Range(newest - timedelta(days=span), high)
        return too_many if too_many.is_day else too_many.halved(today)

    def knowing(self, days: Range, n: int) -> Place:
        """The same, after these days were found to hold too many."""
        return replace(self, known=(*self.known, (days.low.isoformat(), n)))

    def inside(self, days: Range, environment: str, query_key: str, n: int, today: date) -> Place:
        """At the first record of a range that was searched."""
        span = (min(days.high, today) - days.low).days + 1 if days.low <= today else (days.high - days.low).days + 1
        share = _FULL_ENOUGH * CEILING / max(n, CEILING // 8)
        low = days.low.isoformat()
        return replace(
            self,
            environment=environment,
            query_key=query_key,
            start=0,
            n=n,
            low=low,
            high=days.high.isoformat(),
            days=max(int(span * share), 1),
            known=tuple((oldest, held - n) for oldest, held in self.known if oldest < low),
        )

    def text(self) -> str:
        """As a cursor."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def of(cls, text: str) -> Place:
        """From a cursor; LostPlaceError: it is none of ours."""
        try:
            document = json.loads(text)
            known = tuple((date.fromisoformat(low).isoformat(), int(n)) for low, n in document["known"])
            place = cls(**{**document, "known": known})
            for each in fields(cls):
                if type(getattr(place, each.name)) is not type(each.default):
                    raise TypeError(each.name)
            if place.low:
                Range(date.fromisoformat(place.low), date.fromisoformat(place.high))
        except (ValueError, TypeError, KeyError, RecursionError) as e:
            raise LostPlaceError("PubMed: where this page begins can't be read") from e
        return place
