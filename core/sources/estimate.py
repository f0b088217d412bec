"""What a run will take, before it is begun: requests, time and price."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from core.errors import InputError


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run takes at most."""

    n_records: int
    """Records that are read. One that several forms find is read for each of them."""
    n_calls: int
    """Requests: one count for each form, and the pages."""
    seconds: float
    """By the limit of requests a second; by the time that an answer takes, where that is longer."""
    dollars: float | None
    """0: it costs nothing; None: the price is not known."""
    n_forms: int = 1

    @property
    def sentence(self) -> str:
        """In words.

        >>> estimate(10_000, per_page=100, per_second=10, dollars_per_call=0.001, n_forms=1).sentence
        'At most 10,000 records in 101 requests, about 10 seconds, $0.10.'
        """
        records = f"{self.n_records:,} record{'' if self.n_records == 1 else 's'}"
        requests = f"{self.n_calls:,} request{'' if self.n_calls == 1 else 's'}"
        return f"At most {records} in {requests}, {in_time(self.seconds)}, {in_dollars(self.dollars)}."

    def as_document(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self) | {"sentence": self.sentence}


def estimate(
    n: int,
    *,
    per_page: int,
    per_second: float,
    dollars_per_call: float | None,
    n_forms: int,
    per_search: int | None = None,
    ms_per_call: float | None = None,
) -> Estimate:
    """What reading n records takes, spread over so many forms, each of which is counted first.

    A form begins with a page of its own, also one that finds nothing, and ends with one that may not be full:
    ceil(n / per_page) pages, at least one, and one more for each further form. `per_search`: the records are read from
    a search that is made before, and beyond so many from several, of which some find too many and are divided again.
    `ms_per_call`: how long an answer took.

    >>> estimate(0, per_page=100, per_second=10, dollars_per_call=None, n_forms=1).n_calls
    2
    >>> estimate(40_000, per_page=500, per_second=3, dollars_per_call=0, n_forms=1, per_search=9_999).n_calls
    89
    """
    if per_page < 1 or n_forms < 1 or n < 0 or per_second <= 0:
        raise InputError(
            f"an estimate needs a page of at least 1 record, 1 form, 0 records and some requests a second; got "
            f"{per_page}, {n_forms}, {n} and {per_second}"
        )
    n_pages = max(math.ceil(n / per_page), 1) + n_forms - 1
    n_calls = n_forms + n_pages + _n_searches(n, n_forms, per_search)
    each = max(1 / per_second, (ms_per_call or 0.0) / 1000)
    dollars = None if dollars_per_call is None else n_calls * dollars_per_call
    return Estimate(n, n_calls, n_calls * each, dollars, n_forms)


SEARCHES_TO_DIVIDE = 3
"""That find too many and are made in vain, where what is found is spread over time as usual: 1 to 2 were needed."""


def _n_searches(n: int, n_forms: int, per_search: int | None) -> int:
    if per_search is None:
        return 0
    return n_forms if n <= per_search else math.ceil(n / per_search) + SEARCHES_TO_DIVIDE + n_forms - 1


def in_time(seconds: float) -> str:
    """A duration as people say it.

    >>> in_time(0.4), in_time(35.2), in_time(150), in_time(9000)
    ('less than a second', 'about 35 seconds', 'about 3 minutes', 'about 2.5 hours')
    """
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        whole = round(seconds)
        return f"about {whole} second{'' if whole == 1 else 's'}"
    if seconds < 5400:
        return f"about {math.ceil(seconds / 60)} minutes"
    return f"about {seconds / 3600:.1f} hours"


def in_dollars(dollars: float | None) -> str:
    """A price as people say it.

    >>> in_dollars(0.0), in_dollars(None), in_dollars(0.104), in_dollars(0.002)
    ('free of charge', 'at a price that is not known', '$0.10', '$0.002')
    """
    if dollars is None:
        return "at a price that is not known"
    if dollars == 0:
        return "free of charge"
    return f"${dollars:.2f}" if dollars >= 0.01 else f"${dollars:.1g}" if dollars >= 0.0001 else "less than $0.0001"
