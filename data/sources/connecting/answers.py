"""What an answer of a live source means: fine, worth asking again, or one of our errors."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx

from core.errors import (
    BudgetSpentError,
    EndsAllError,
    OutOfReachError,
    QueryscapeError,
    RefusedRequestError,
    ServiceError,
)
from data.embedders.retrying import AGAIN, retry_after
from data.sources.connecting.bodies import Expected, is_web_page, words_of

CONNECT_SECONDS = 10.0
LONG_WAIT = 3600.0
"""Seconds: who asks to wait for longer speaks of a day's allowance and not of speed."""
PROXY = "a proxy or a sign-in page stands in between"
_SPENT = re.compile(r"\b(daily|per day|budget|credits?|quota)\b", re.IGNORECASE)
_LEFT = "x-ratelimit-remaining-usd"
_OWN_PAGES = frozenset({400, 404, 405, 406, 410, 413, 414, 415, 422, 431})
"""Errors about a request, which servers like to dress as pages of their own."""


@dataclass(frozen=True, slots=True)
class Again:
    """The same request may succeed later."""

    words: str
    """Completes "PubMed ..."."""
    wait: float | None = None
    """Seconds that the service asks for."""


@dataclass(frozen=True, slots=True)
class Unreached(Again):
    """Nothing was sent: there was no connection."""

    is_final: bool = False
    """Asking again at once is no use."""


Judged = Again | QueryscapeError | None
"""None: as usual."""
Judge = Callable[[int, Mapping[str, str], bytes], Judged]
"""What a source makes of status, headers (names in small letters) and body, where it differs from the usual."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What messages say of the one who was asked."""

    label: str
    key_variable: str
    has_key: bool
    address_variable: str
    expects: Expected


def wait_asked(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that a service asks to wait. A date counts from the service's own clock, where it tells it.

    >>> wait_asked({"retry-after": "Thu, 01 Jan 1970 01:00:09 GMT", "date": "Thu, 01 Jan 1970 01:00:00 GMT"}, 4.0)
    9.0
    """
    with suppress(KeyError, TypeError, ValueError, IndexError, OverflowError, OSError):
        now = parsedate_to_datetime(headers["date"]).timestamp()
    return retry_after(headers, now)


def in_words(seconds: float, now: float) -> str:
    """When that is by our own clock, for a message.

    >>> in_words(90, 0), in_words(1e15, 0)
    ('at 1970-01-01 00:01 UTC', 'in a long time')
    """
    try:
        then = datetime.fromtimestamp(now, UTC) + timedelta(seconds=seconds)
    except (OverflowError, ValueError, OSError):
        return "in a long time"
    return f"at {then:%Y-%m-%d %H:%M} UTC"


def judged(asked: Asked, status: int, headers: Mapping[str, str], body: bytes, now: float) -> Judged:
    """What an answer means; None: it is what was asked for."""
    is_page = is_web_page(body)
    if status == 407:
        return OutOfReachError(f"{asked.label} is out of reach: the proxy in between wants a sign-in (407)")
    if status == 511 or (is_page and status in (401, 403, 451)):
        return _a_page(asked, status)
    if 200 <= status < 300:
        return _a_page(asked, status) if is_page and asked.expects != "any" else None
    if 300 <= status < 400:
        return _sent_on(asked, status, headers)
    if status in (402, 403, 429) and (spent := _spent(asked, status, headers, body, now)):
        return spent
    if status in (401, 403):
        return _about_key(asked, status, body)
    if status in AGAIN or status >= 500:
        what = " with a web page" if is_page else ""
        return Again(f"answered {status}{what}", wait_asked(headers, now))
    if is_page and status not in _OWN_PAGES:
        return _a_page(asked, status)
    words = words_of(body) or "no reason given"
    return RefusedRequestError(f"{asked.label} does not take this request ({status}: {words})", status, words)


def _a_page(asked: Asked, status: int) -> OutOfReachError:
    return OutOfReachError(f"{asked.label} is out of reach: it answered with a web page ({status}): {PROXY}")


def _sent_on(asked: Asked, status: int, headers: Mapping[str, str]) -> OutOfReachError:
    """The key and the text go to no host that nobody named."""
    host = ""
    with suppress(ValueError):
        host = urlsplit(headers.get("location", "")).hostname or ""
    host = host if re.fullmatch(r"[a-z0-9.:-]{1,80}", host) else "another address"
    check = f", or {asked.address_variable} is to be mended" if asked.address_variable else ""
    return OutOfReachError(f"{asked.label} is out of reach: we are sent on to {host} ({status}): {PROXY}{check}")


def is_spent(headers: Mapping[str, str], body: bytes) -> bool:
    """Whether a refusal says that nothing is left of the day."""
    left = _number(headers.get(_LEFT, ""))
    if left is not None:
        return left <= 0
    return _SPENT.search(words_of(body)) is not None and not is_web_page(body)


def _spent(asked: Asked, status: int, headers: Mapping[str, str], body: bytes, now: float) -> BudgetSpentError | None:
    """Whether nothing is left to pay with today, rather than that we were too fast."""
    asks = wait_asked(headers, now)
    is_long = status != 403 and asks is not None and asks >= LONG_WAIT
    if not (status == 402 or is_long or is_spent(headers, body)):
        return None
    reset = _number(headers.get("x-ratelimit-reset", ""))
    seconds = asks if asks is not None else reset if reset is not None and 0 <= reset <= 86_400 else None
    when = f"it answers again {in_words(seconds, now)}" if seconds is not None else "it answers again tomorrow (UTC)"
    key = "" if asked.has_key or not asked.key_variable else f", or sooner with a key in {asked.key_variable}"
    return BudgetSpentError(f"{asked.label} says that what may be asked today is used up ({status}): {when}{key}")


def _about_key(asked: Asked, status: int, body: bytes) -> ServiceError:
    """What it says may quote the key, so it is left out where there was one."""
    name = asked.key_variable
    if name and asked.has_key:
        return EndsAllError(f"{asked.label} does not accept the key ({status}): check the variable {name}")
    if name:
        return EndsAllError(f"{asked.label} needs a key for this ({status}): put yours in the variable {name}")
    return EndsAllError(f"{asked.label} does not let us in ({status}: {words_of(body) or 'no reason given'})")


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number == number else None


def unreached(e: BaseException, *, through: bool) -> Unreached:
    """Why there was no connection; `through`: a proxy."""
    causes = [e]
    while (under := causes[-1].__cause__ or causes[-1].__context__) is not None and len(causes) < 12:
        causes.append(under)
    if any(isinstance(each, socket.gaierror) for each in causes):
        name = "the name of the proxy" if through else "its name"
        return Unreached(f"{name} is not known here: is there internet?", is_final=True)
    if any(isinstance(each, ssl.SSLCertVerificationError) for each in causes):
        why = "its certificate is not trusted: a proxy may stand in between, whose certificate SSL_CERT_FILE can name"
        return Unreached(why, is_final=True)
    if any(isinstance(each, ssl.SSLError) for each in causes):
        return Unreached("no secure connection comes about (TLS)")
    if isinstance(e, httpx.ProxyError):
        return Unreached("the proxy in between does not let us through")
    if isinstance(e, httpx.TimeoutException):
        return Unreached(f"no connection within {CONNECT_SECONDS:g} s")
    if isinstance(e, httpx.UnsupportedProtocol):
        return Unreached("its address is none for the web", is_final=True)
    return Unreached(
        "the proxy in between takes no connection" if through else "no connection comes about: is there internet?"
    )
