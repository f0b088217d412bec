"""Connect to a live source at its pace, retry, interpret its answers, hide keys, and read pages of records."""

from __future__ import annotations

import html
import json
import json as json_text
import re
import socket
import ssl
import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Any, ClassVar, NamedTuple
from urllib.parse import quote, urlencode, urljoin, urlsplit

import httpx

from core.errors import (
    BudgetSpentError,
    EndsAllError,
    FormatChangedError,
    InputError,
    OutOfReachError,
    QueryscapeError,
    RefusedRequestError,
    ServiceError,
)
from core.library.records import RawFields, cleaned
from data.http.client import (
    AGAIN,
    FASTEST,
    BrokenBodyError,
    EndlessError,
    Expected,
    GaveUpError,
    KeyPlace,
    KeyTransport,
    Limiter,
    Patience,
    bounded,
    check_online,
    checked_address,
    checked_key,
    is_web_page,
    json_in,
    object_in,
    proxy_for,
    quieten,
    retry_after,
    transport_for,
    unpacked,
    user_agent,
    words_of,
)
from data.sources.types import FetchedRecord, LookupResult, LookupTarget, OddRecord, SentRequest, SourceInfo, locate
from data.store import Clock, utc_now

CONNECT_SECONDS = 10.0
LONG_WAIT = 3600.0
"""Seconds: a service that asks for a longer wait means a daily limit rather than its speed."""
PROXY = "a proxy or a sign-in page intercepts the connection"
_SPENT = re.compile(r"\b(daily|per day|budget|credits?|quota)\b", re.IGNORECASE)
_LEFT = "x-ratelimit-remaining-usd"
SPENT = "today's limit is used up"
_OWN_PAGES = frozenset({400, 404, 405, 406, 410, 413, 414, 415, 422, 431})
"""Errors about a request, which servers often present as web pages of their own."""


@dataclass(frozen=True, slots=True)
class RetryableFailure:
    """A failure after which the same request may succeed later."""

    words: str
    """Completes "PubMed ..."."""
    wait: float | None = None
    """Seconds that the service asks for."""


@dataclass(frozen=True, slots=True)
class ConnectionFailure(RetryableFailure):
    """A failed connection: nothing was sent."""

    is_final: bool = False
    """An immediate retry is useless."""


Judged = RetryableFailure | QueryscapeError | None
"""None: nothing unusual."""
Judge = Callable[[int, Mapping[str, str], bytes], Judged]
"""A function that interprets status, headers (lower-case names) and body where a source differs from others."""


@dataclass(frozen=True, slots=True)
class SourceRequest:
    label: str
    key_variable: str
    has_key: bool
    address_variable: str
    expects: Expected
    price: float = 0.0
    """Dollars, by the source's price list."""


def in_words(seconds: float, now: float) -> str:
    """Format the time after so many seconds, by the local clock, for a message.

    >>> in_words(90, 0), in_words(1e15, 0)
    ('at 1970-01-01 00:01 UTC', 'much later')
    """
    try:
        then = datetime.fromtimestamp(now, UTC) + timedelta(seconds=seconds)
    except (OverflowError, ValueError, OSError):
        return "much later"
    return f"at {then:%Y-%m-%d %H:%M} UTC"


def judged(asked: SourceRequest, status: int, headers: Mapping[str, str], body: bytes, now: float) -> Judged:
    """Interpret an answer; None: it is what was requested."""
    is_page = is_web_page(body)
    if status == 407:
        return OutOfReachError(f"{asked.label} can't be reached: the proxy requires a sign-in (407)")
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
        return RetryableFailure(f"answered {status}{what}", retry_after(headers, now))
    if is_page and status not in _OWN_PAGES:
        return _a_page(asked, status)
    words = words_of(body) or "no reason given"
    return RefusedRequestError(f"{asked.label} rejected this request ({status}: {words})", status, words)


def _a_page(asked: SourceRequest, status: int) -> OutOfReachError:
    return OutOfReachError(f"{asked.label} can't be reached: it answered with a web page ({status}): {PROXY}")


def _sent_on(asked: SourceRequest, status: int, headers: Mapping[str, str]) -> OutOfReachError:
    """Report a redirect: the key and the text are never sent to a host that the user did not choose."""
    host = ""
    with suppress(ValueError):
        host = urlsplit(headers.get("location", "")).hostname or ""
    host = host if re.fullmatch(r"[a-z0-9.:-]{1,80}", host) else "another address"
    check = f", or {asked.address_variable} is wrong" if asked.address_variable else ""
    return OutOfReachError(f"{asked.label} can't be reached: it redirects to {host} ({status}): {PROXY}{check}")


def is_spent(headers: Mapping[str, str], body: bytes, price: float = 0.0) -> bool:
    """Return True if the day's budget is spent, or lower than the price of a request."""
    left = _number(headers.get(_LEFT, ""))
    if left is not None:
        return left <= 0 or left < price
    return _SPENT.search(words_of(body)) is not None and not is_web_page(body)


def _spent(
    asked: SourceRequest, status: int, headers: Mapping[str, str], body: bytes, now: float
) -> BudgetSpentError | None:
    asks = retry_after(headers, now)
    is_long = status != 403 and asks is not None and asks >= LONG_WAIT
    if not (status == 402 or is_long or is_spent(headers, body, asked.price)):
        return None
    left = _number(headers.get(_LEFT, "")) or 0.0
    what = (
        (f"${left:.4f} of today's budget is left, and a request costs ${asked.price:.4f}")
        if 0 < left < asked.price
        else SPENT
    )
    reset = _number(headers.get("x-ratelimit-reset", ""))
    seconds = asks if asks is not None else reset if reset is not None and 0 <= reset <= 86_400 else None
    when = f"try again {in_words(seconds, now)}" if seconds is not None else "try again tomorrow (UTC)"
    key = "" if asked.has_key or not asked.key_variable else f", or sooner with a key in {asked.key_variable}"
    return BudgetSpentError(f"{asked.label} reports that {what} ({status}): {when}{key}")


def _about_key(asked: SourceRequest, status: int, body: bytes) -> ServiceError:
    """Return an error about the key; with a key, the service's own message is omitted, as it may quote the key."""
    name = asked.key_variable
    if name and asked.has_key:
        return EndsAllError(f"{asked.label} rejected the key ({status}): check the variable {name}")
    if name:
        return EndsAllError(f"{asked.label} needs a key for this ({status}): set the variable {name}")
    return EndsAllError(f"{asked.label} refused access ({status}: {words_of(body) or 'no reason given'})")


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number == number else None


def unreached(e: BaseException, *, through: bool) -> ConnectionFailure:
    """Return the reason for a failed connection; `through`: a proxy is used."""
    causes = [e]
    while (under := causes[-1].__cause__ or causes[-1].__context__) is not None and len(causes) < 12:
        causes.append(under)
    if any(isinstance(each, socket.gaierror) for each in causes):
        name = "the name of the proxy" if through else "its name"
        return ConnectionFailure(f"{name} can't be resolved: check your internet connection", is_final=True)
    if any(isinstance(each, ssl.SSLCertVerificationError) for each in causes):
        why = "its certificate is not trusted: if you use a proxy, set SSL_CERT_FILE to its certificate"
        return ConnectionFailure(why, is_final=True)
    if any(isinstance(each, ssl.SSLError) for each in causes):
        return ConnectionFailure("no secure connection is possible (TLS)")
    if isinstance(e, httpx.ProxyError):
        return ConnectionFailure("the proxy refuses the connection")
    if isinstance(e, httpx.TimeoutException):
        return ConnectionFailure(f"no connection within {CONNECT_SECONDS:g} s")
    if isinstance(e, httpx.UnsupportedProtocol):
        return ConnectionFailure("its address is not a web address", is_final=True)
    return ConnectionFailure(
        "the proxy accepts no connection" if through else ("no connection is possible: check your internet connection")
    )


# Secrets, hidden in everything that a service sends back, both as they are and in all usual quotings.

SHORTEST = 8
"""Minimum characters; a shorter text may occur in an answer for other reasons."""
INSTEAD = "…"
_PLAIN = re.compile(r"[A-Za-z0-9]+")


@dataclass(frozen=True, eq=False)
class Secret:
    hint: str
    """A part of it that no quoting changes; a text without it is not searched."""
    in_text: re.Pattern[str]
    in_bytes: re.Pattern[bytes]

    @classmethod
    def of(cls, text: str) -> Secret:
        """Build from printable ASCII, as keys are."""
        pattern = "".join(map(_written, text))
        hint = max(_PLAIN.findall(text), key=len, default="").lower()
        return cls(hint, re.compile(pattern, re.IGNORECASE), re.compile(pattern.encode(), re.IGNORECASE))


def _written(sign: str) -> str:
    """Return a pattern for one character in URLs (also encoded twice), JSON (also nested) and HTML."""
    if _PLAIN.fullmatch(sign):
        return sign
    code = ord(sign)
    named = html.escape(sign)
    ways = [
        rf"\\{{0,8}}{re.escape(sign)}",
        f"%(?:25){{0,4}}{code:02x}",
        rf"\\{{1,8}}u00{code:02x}",
        f"&#0{{0,6}}{code};",
        f"&#x0{{0,6}}{code:x};",
        *([re.escape(named)] if named != sign else []),
    ]
    return f"(?:{'|'.join(ways)})"


class Secrets:
    def __init__(self) -> None:
        self._all: list[Secret] = []

    def add(self, text: str) -> None:
        """Hide this from now on, unless it is too short to be distinguished from other texts."""
        if len(text) >= SHORTEST:
            self._all.append(Secret.of(text))

    def without(self, text: str) -> str:
        for secret in self._all:
            if secret.hint in text.lower():
                text = secret.in_text.sub(INSTEAD, text)
        return text

    def without_bytes(self, content: bytes) -> bytes:
        low = content.lower() if self._all else b""
        for secret in self._all:
            if secret.hint.encode() in low:
                content = secret.in_bytes.sub(b"...", content)
        return content


# One connection to a live source: rate limits, retries as long as they may help, and distinct errors.
#
#     reply = connection.get("/works", {"filter": "title_and_abstract.search:tea", "per_page": "100"})
#     document = object_of(reply, "OpenAlex, works")
#
# The key is added to a request at the last moment (`client.Keyed`): no address, error, log, repr or stored body
# contains it, even if the service sends it back.

PATIENCE = Patience(n_attempts=5, first_wait=1.0, timeout=60.0)
MOST_BYTES = 100_000_000
"""Maximum bytes of one answer: far more than any page has."""
N_UNREACHED = 3
"""Maximum attempts if no connection can be made."""
N_REDIRECTS = 3
Params = Mapping[str, str | int]
OnSent = Callable[[SentRequest, float | None], None]
"""A function that receives every request sent, and the dollars left for the day according to the source."""


@dataclass(frozen=True, slots=True)
class Reply:
    content: bytes
    """Decompressed, without the key."""
    headers: Mapping[str, str]
    """With lower-case names."""
    sent: SentRequest


@dataclass(frozen=True, slots=True)
class RequestCost:
    dollars: float = 0.0
    left_dollars: float | None = None
    """Left for the day."""


Prices = Callable[[str], float]
"""A function from the address of a request to its price in dollars, by the source's price list."""
Costs = Callable[[SentRequest, Mapping[str, str]], RequestCost]
"""A function from a request and the headers received to its cost."""


def encoded(text: str) -> str:
    """Encode a text for a URL; every byte except letters, digits and -._~ takes three bytes.

    >>> encoded("tea OR (té)")
    'tea%20OR%20%28t%C3%A9%29'
    """
    try:
        return quote(text, safe="")
    except UnicodeEncodeError as e:
        raise InputError("the text contains an incomplete character that can't be sent: type it again") from e


def json_of(reply: Reply, where: str) -> Any:
    """Parse a reply as JSON; `where` begins the error: "OpenAlex, works"."""
    return json_in(reply.content, where)


def object_of(reply: Reply, where: str) -> dict[str, Any]:
    return object_in(reply.content, where)


@dataclass(eq=False)
class Connection:
    """A persistent connection to one service. Threads must not share one. It closes when it is no longer referenced."""

    label: str
    """The service's name in messages."""
    address: str
    """Its base address; paths are appended to it."""
    key: str = field(default="", repr=False)
    key_place: KeyPlace = ("none", "")
    key_variable: str = ""
    """The variable named in messages."""
    address_variable: str = "the address"
    params: Params = field(default_factory=dict)
    """Sent with every request, before its own."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Sent with every request."""
    per_second: float = 3.0
    patience: Patience = PATIENCE
    clock: Clock = utc_now
    sleep: Callable[[float], None] | None = None
    """Used between requests and attempts; None: the `sleep` of `patience`."""
    ticks: Callable[[], float] = time.monotonic
    judge: Judge | None = None
    """Interprets answers that differ from other services; called first."""
    costs: Costs | None = None
    prices: Prices | None = None
    on_sent: OnSent | None = None
    most_bytes: int = MOST_BYTES
    most_seconds: float | None = None
    """From the first byte of an answer to its last; None: twice the timeout of `patience`."""
    _secrets: Secrets = field(default_factory=Secrets, repr=False)
    _carried: dict[str, str] = field(default_factory=dict, repr=False)
    _client: httpx.Client | None = field(default=None, repr=False)
    _limiter: Limiter | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.address = checked_address(self.address, self.address_variable)
        self.key = checked_key(self.key, self.key_variable)
        if self.sleep is not None:
            self.patience = replace(self.patience, sleep=self.sleep)
        self._limiter = _pace(self.address, self.per_second, self.patience.sleep)
        self.hide(self.key)

    @property
    def has_key(self) -> bool:
        return bool(self.key)

    def get(self, path: str, params: Params | None = None, *, expects: Expected = "json") -> Reply:
        """Return the answer to a GET request. Empty parameters are sent as they are."""
        return self._ask("GET", path, params or {}, "", "", expects)

    def post(
        self,
        path: str,
        data: Params | None = None,
        *,
        params: Params | None = None,
        json: Any = None,
        text: str | None = None,
        expects: Expected = "json",
    ) -> Reply:
        """Return the answer to a form (`data`), to JSON, or to plain text."""
        if text is not None:
            return self._ask("POST", path, params or {}, text, "text/plain; charset=utf-8", expects)
        if json is not None:
            body = json_text.dumps(json, ensure_ascii=False)
            return self._ask("POST", path, params or {}, body, "application/json", expects)
        body = _form({**self.params, **(data or {})})
        return self._ask("POST", path, params or {}, body, "application/x-www-form-urlencoded", expects)

    def n_bytes(self, path: str, params: Params) -> int:
        """Return the length of the address of this GET request, including the key."""
        kind, name = self.key_place
        key = f"&{name}={encoded(self.key)}" if self.key and kind == "query" else ""
        return len(self._url(path, params, with_own=True)) + len(key)

    def hide(self, secret: str) -> None:
        """Hide this text like the key in everything shown and stored; for example, a token from signing in."""
        self._secrets.add(secret)

    def carry(self, name: str, value: str) -> None:
        """Send this header from now on, and hide its value."""
        self.hide(value)
        self._carried[name] = value

    def close(self) -> None:
        """Close the open connections; the next request opens them again."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def without_key(self, text: str) -> str:
        return self._secrets.without(text)

    def _ask(self, method: Any, path: str, params: Params, body: str, kind: str, expects: Expected) -> Reply:
        url = self._url(path, params, with_own=method == "GET")
        price = self.prices(url) if self.prices else 0.0
        asked = SourceRequest(self.label, self.key_variable, self.has_key, self.address_variable, expects, price)
        problem, n_redirects, attempt = RetryableFailure(""), 0, 0
        while attempt < self.patience.n_attempts:
            answer = self._try(method, url, body, kind, asked)
            if isinstance(answer, Reply):
                return answer
            if isinstance(answer, str):  # the same host, at another path
                url, n_redirects = answer, n_redirects + 1
                if n_redirects > N_REDIRECTS:
                    raise OutOfReachError(f"{self.label} can't be reached: it redirects in a circle")
                continue
            problem, attempt = answer, attempt + 1
            if isinstance(answer, ConnectionFailure) and (answer.is_final or attempt >= N_UNREACHED):
                raise OutOfReachError(f"{self.label} can't be reached: {answer.words}")
            if attempt < self.patience.n_attempts:
                self._wait(answer, attempt - 1)
        if isinstance(problem, ConnectionFailure):
            raise OutOfReachError(f"{self.label} can't be reached: {problem.words}")
        times = f", {attempt} times" if attempt > 1 else ""
        raise GaveUpError(f"{self.label} {problem.words}{times}: resume later, fetched records are kept")

    def _wait(self, answer: RetryableFailure, attempt: int) -> None:
        """Sleep as long as the service asks; raise GaveUpError with the time if that exceeds the limit."""
        asked = answer.wait
        if asked is not None and asked > self.patience.longest_wait:
            when = in_words(asked, self.patience.clock())
            raise GaveUpError(f"{self.label} {answer.words} and asks to wait: resume {when}")
        self.patience.pause(attempt, asked)

    def _try(self, method: Any, url: str, body: str, kind: str, asked: SourceRequest) -> Reply | RetryableFailure | str:
        """Make one attempt. Errors of the HTTP library contain what was sent, so they are never chained to ours."""
        check_online(self.label)
        assert self._limiter is not None
        self._limiter.wait()
        at, begun = self.clock(), self.ticks()
        status, headers, content, problem = self._exchange(method, url, body, kind)
        if isinstance(problem, ConnectionFailure):
            return problem
        ms = round((self.ticks() - begun) * 1000, 3)
        sent = SentRequest(method, self.without_key(url), self.without_key(body), at, ms, status, len(content))
        sent = self._noted(sent, headers)
        if problem is not None:
            return problem
        if status in (301, 302, 303, 307, 308) and method == "GET" and (there := self._same_host(url, headers)):
            return there
        verdict = self.judge(status, headers, content) if self.judge else None
        verdict = verdict or judged(asked, status, headers, content, self.patience.clock())
        if isinstance(verdict, RetryableFailure):
            return replace(verdict, words=self.without_key(verdict.words))
        if verdict is not None:
            raise self._hidden(verdict)
        return Reply(content, headers, sent)

    def _exchange(
        self, method: str, url: str, body: str, kind: str
    ) -> tuple[int, dict[str, str], bytes, RetryableFailure | None]:
        """Return status, headers and body of an answer, as far as received, and the problem."""
        status, headers, content = 0, dict[str, str](), b""
        seconds = 2 * self.patience.timeout if self.most_seconds is None else self.most_seconds
        problem: RetryableFailure | None = None
        typed = {"Content-Type": kind} if kind else {}
        try:
            with self._opened().stream(
                method, url, content=body.encode() if kind else None, headers=typed | self._carried
            ) as response:
                status = response.status_code
                headers = {name.lower(): self.without_key(value) for name, value in response.headers.items()}
                pieces = unpacked(response.iter_raw(), headers.get("content-encoding", ""))
                content = b"".join(bounded(pieces, most_bytes=self.most_bytes, most_seconds=seconds, clock=self.ticks))
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError, httpx.UnsupportedProtocol) as e:
            problem = unreached(e, through=proxy_for(self.address) is not None)
        except httpx.TimeoutException:
            problem = RetryableFailure(f"did not answer within {self.patience.timeout:g} s")
        except EndlessError:
            problem = RetryableFailure("sent an endless answer")
        except BrokenBodyError as e:
            problem = RetryableFailure(f"sent an unreadable answer ({e})")
        except (httpx.TransportError, httpx.DecodingError) as e:
            problem = RetryableFailure(f"broke off in the middle of its answer ({type(e).__name__})")
        except httpx.InvalidURL:
            problem = _TOO_LONG
        if problem is _TOO_LONG:
            raise RefusedRequestError(f"the request is too long for {self.label}: shorten the text", 414)
        return status, headers, self._secrets.without_bytes(content), problem

    def _noted(self, sent: SentRequest, headers: Mapping[str, str]) -> SentRequest:
        cost = self.costs(sent, headers) if self.costs else RequestCost()
        sent = replace(sent, dollars=cost.dollars)
        if self.on_sent is not None:
            self.on_sent(sent, cost.left_dollars)
        return sent

    def _hidden(self, error: Exception) -> Exception:
        error.args = tuple(self.without_key(each) if isinstance(each, str) else each for each in error.args)
        if isinstance(error, RefusedRequestError):
            error.words = self.without_key(error.words)
        return error

    def _same_host(self, url: str, headers: Mapping[str, str]) -> str:
        """Return the target of a redirect within the same service, else an empty string; the key goes nowhere else."""
        try:
            there = urljoin(url, headers.get("location", ""))
            old, new = urlsplit(url), urlsplit(there)
            is_same = (old.scheme, old.netloc) == (new.scheme, new.netloc)
        except ValueError:
            return ""
        return there if is_same and headers.get("location") else ""

    def _url(self, path: str, params: Params, *, with_own: bool) -> str:
        query = _form({**(self.params if with_own else {}), **params})
        joined = f"{self.address}/{path.lstrip('/')}" if path else self.address
        return f"{joined}?{query}" if query else joined

    def _opened(self) -> httpx.Client:
        if self._client is None:
            quieten()
            seconds = self.patience.timeout
            fixed = {"User-Agent": user_agent(), "Accept-Encoding": "gzip", **self.headers}
            self._client = httpx.Client(
                transport=KeyTransport(transport_for(self.address), self.address, self.key, self.key_place),
                headers=fixed,
                timeout=httpx.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds)),
                follow_redirects=False,
                trust_env=False,  # a .netrc may hold a password for this host, which must not be sent unasked
            )
            weakref.finalize(self, self._client.close)
        return self._client


_TOO_LONG = RetryableFailure("")
_PACES: dict[tuple[str, float], Limiter] = {}
_PACES_LOCK = Lock()


def _pace(address: str, per_second: float, sleep: Callable[[float], None]) -> Limiter:
    """Return the limiter shared by all connections of this process to one service, unless `sleep` is replaced."""
    per_minute = min(per_second * 60, FASTEST)
    if sleep is not time.sleep:
        return Limiter(per_minute, sleep=sleep)
    with _PACES_LOCK:
        return _PACES.setdefault((address, per_minute), Limiter(per_minute))


def _form(params: Params) -> str:
    try:
        return urlencode({name: str(value) for name, value in params.items()}, quote_via=quote, safe="")
    except UnicodeEncodeError as e:
        raise InputError("the text contains an incomplete character that can't be sent: type it again") from e


# The adapters of live sources.


class SourceAdapter:
    """An adapter of a live source over one connection, which looks up identifiers first, then titles."""

    describes: ClassVar[SourceInfo]

    def __init__(self, connection: Connection, *, has_key: bool = False) -> None:
        self._connection, self.has_key = connection, has_key

    @property
    def about(self) -> SourceInfo:
        return self.describes

    def find(self, wanted: Sequence[LookupTarget]) -> tuple[LookupResult, ...]:
        return locate(wanted, self._by_name, self._by_title)

    def _by_name(self, wanted: Sequence[LookupTarget]) -> Sequence[FetchedRecord]:
        raise NotImplementedError

    def _by_title(self, wanted: Sequence[LookupTarget]) -> Sequence[FetchedRecord] | None:
        raise NotImplementedError


# Pages of any source: reading records one by one, setting odd ones aside, and noticing a changed format.

MOST_ODD = 0.5
"""Share of odd records on a page above which the source has changed its format."""

TOO_DEEP = "it is nested too deeply"
NO_TEXT = "it has neither title nor abstract"


class OddRecordError(Exception):
    """A record in an unexpected form; the message completes "a record was put aside: ...". Stays in data/."""


class PageRecords(NamedTuple):
    fetched: tuple[FetchedRecord, ...]
    aside: tuple[OddRecord, ...]


def fetched_of(key: str, found: RawFields) -> FetchedRecord:
    """Return a cleaned record; it is numbered when the pages are collected."""
    return FetchedRecord(key, cleaned(1, None, found))


def gathered(
    values: Iterable[Any],
    read: Callable[[Any], FetchedRecord],
    *,
    label: str,
    raw: bytes,
    written: Callable[[Any], str] = lambda value: json.dumps(value, ensure_ascii=False),
    by_name: bool = False,
) -> PageRecords:
    """Read each record of a page; `read` raises OddRecordError. FormatChangedError: most records are odd.

    A record with neither title nor abstract is odd too. `by_name`: the records were looked up by identifier, so they
    need neither, but the only record of a page must not be odd.
    """
    fetched: list[FetchedRecord] = []
    aside: list[OddRecord] = []
    for value in values:
        try:
            each = read(value)
            if not (by_name or each.record.title or each.record.abstract):
                raise OddRecordError(NO_TEXT)
            fetched.append(each)
        except OddRecordError as e:
            aside.append(_aside(value, written, str(e)))
        except RecursionError:
            aside.append(_aside(value, written, TOO_DEEP))
    n = len(fetched) + len(aside)
    if len(aside) > max(n * MOST_ODD, 0 if by_name else 1):
        why = f"{len(aside)} of the {n} records of a page can't be read, one of them because {aside[0].reason}"
        raise changed(label, why, raw)
    return PageRecords(tuple(fetched), tuple(aside))


def _aside(value: Any, written: Callable[[Any], str], reason: str) -> OddRecord:
    try:
        return OddRecord(written(value), reason)
    except RecursionError:  # the page with it is stored
        return OddRecord("", TOO_DEEP)


def changed(label: str, why: str, raw: bytes) -> FormatChangedError:
    return FormatChangedError(f"the answer of {label} does not have the documented form: {why}", raw)


def object_from(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise OddRecordError("it is not an object")
    return value


def list_at(document: dict[str, Any], name: str, label: str, raw: bytes) -> list[Any]:
    """Return the list under this name; FormatChangedError: there is none."""
    values = document.get(name)
    if not isinstance(values, list):
        raise changed(label, f'it has no list called "{name}"', raw)
    return values


def count_at(document: Any, name: str, label: str, raw: bytes) -> int:
    """Return the number under this name; FormatChangedError: there is none."""
    value = document.get(name) if isinstance(document, dict) else None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**15:
        raise changed(label, f'it has no number called "{name}"', raw)
    return value


def place_at(document: dict[str, Any], name: str, here: str, label: str, raw: bytes) -> str | None:
    """Return the start of the next page; None: there is none. `here`: the start of this page, to detect a loop."""
    place = document.get(name)
    if place is None or place == "":
        return None
    if not isinstance(place, str) or place == here:
        why = "the next page has the same address as this one" if place == here else f'"{name}" is not text'
        raise changed(label, why, raw)
    return place


def sent_by(replies: Sequence[Reply]) -> tuple[SentRequest, ...]:
    return tuple(reply.sent for reply in replies)
