"""Asking a service again: when, how often, and how long to wait in between."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from core.errors import ServiceError

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Answers after which the same request may well succeed."""
LONGEST_WAIT = 60.0
_IN_WORDS = re.compile(r"try (?:again )?in ([0-9]{1,6}(?:[.][0-9]{1,9})?)(ms|s)\b")


class GaveUpError(ServiceError):
    """A service was asked as often as patience allows and gave nothing that can be used."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The service took the request and does not want it."""

    status: int
    words: str
    """Its own, without the key; what was sent may stand in them."""
    code: str = ""
    """Its name for the reason."""


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that a service asks to wait, from either form of the header; None if it says nothing that can be read.

    >>> retry_after({"retry-after": "7"}, 0), retry_after({"retry-after": "Thu, 01 Jan 1970 00:00:09 GMT"}, 4.0)
    (7.0, 5.0)
    >>> retry_after({"retry-after": "soon"}, 0) is None, retry_after({"retry-after-ms": "250"}, 0)
    (True, 0.25)
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if text.replace(".", "", 1).isdecimal() and text.isascii():
            return float(text) / unit
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max((date - datetime.fromtimestamp(now, UTC)).total_seconds(), 0.0)


def wait_in_words(words: str) -> str | None:
    """Seconds that a service asks for in the text of its error, as some do instead of the header.

    >>> wait_in_words("Too many requests. Please retry in 36.5s."), wait_in_words("Please try again in 250ms.")
    ('36.5', '0.25')
    >>> wait_in_words("Please try again") is None
    True
    """
    found = _IN_WORDS.search(words)
    return None if found is None else f"{float(found[1]) / (1000 if found[2] == 'ms' else 1):g}"


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a request is made, and how long to wait before it is made again."""

    n_attempts: int = 6
    first_wait: float = 1.0
    longest_wait: float = LONGEST_WAIT
    timeout: float = 60.0
    """Seconds without a sign of life after which an attempt is given up."""
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.time

    def wait(self, attempt: int, headers: Mapping[str, str]) -> None:
        """As long as the service asks for, else twice as long each time; never longer than the limit."""
        asked = retry_after(headers, self.clock())
        usual = self.first_wait * 2**attempt
        self.sleep(min(usual if asked is None else asked, self.longest_wait))
