"""One connection to a live source: asked at its pace, asked again while that may help, and told apart when it fails.

    reply = connection.get("/works", {"filter": "title_and_abstract.search:tea", "per_page": "100"})
    document = object_of(reply, "OpenAlex, works")

The key goes into a request at the last moment (`routes.Keyed`): no address, error, log, repr or kept body has it, not
even where the service sends it back.
"""

from __future__ import annotations

import json as json_text
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any
from urllib.parse import quote, urlencode, urljoin, urlsplit

import httpx

from core.errors import InputError, OutOfReachError, RefusedRequestError
from data.clock import Clock, utc_now
from data.embedders.retrying import GaveUpError, Patience
from data.limiter import FASTEST, Limiter
from data.offline import check_online
from data.sources.connecting.answers import CONNECT_SECONDS, Again, Asked, Judge, Unreached, in_words, judged, unreached
from data.sources.connecting.bodies import (
    BrokenBodyError,
    EndlessError,
    Expected,
    bounded,
    json_in,
    object_in,
    unpacked,
)
from data.sources.connecting.hiding import Secrets
from data.sources.connecting.routes import (
    Keyed,
    KeyPlace,
    checked_address,
    checked_key,
    proxy_for,
    quieten,
    transport_for,
    user_agent,
)
from data.sources.types import Sent

PATIENCE = Patience(n_attempts=5, first_wait=1.0, timeout=60.0)
MOST_BYTES = 100_000_000
"""Of one answer: far more than any page has."""
N_UNREACHED = 3
"""Attempts at most where not even a connection comes about."""
N_REDIRECTS = 3
Params = Mapping[str, str | int]
OnSent = Callable[[Sent, float | None], None]
"""Takes every request that went out, and the dollars that the source says are left of the day."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that is fine."""

    content: bytes
    """Unpacked, without the key."""
    headers: Mapping[str, str]
    """With names in small letters."""
    sent: Sent


@dataclass(frozen=True, slots=True)
class Cost:
    """What a request cost, as far as the source says it."""

    dollars: float = 0.0
    left_dollars: float | None = None
    """Of the day."""


Costs = Callable[[Sent, Mapping[str, str]], Cost]
"""What one request cost, by what was sent and the headers that came."""


def encoded(text: str) -> str:
    """As a text stands in an address; every sign that is not a letter, digit or one of -._~ takes three bytes each.

    >>> encoded("tea OR (té)")
    'tea%20OR%20%28t%C3%A9%29'
    """
    try:
        return quote(text, safe="")
    except UnicodeEncodeError as e:
        raise InputError("the text holds half of a sign, which can't be sent: type it again") from e


def json_of(reply: Reply, where: str) -> Any:
    """What a reply says as JSON; `where` begins the error: "OpenAlex, works"."""
    return json_in(reply.content, where)


def object_of(reply: Reply, where: str) -> dict[str, Any]:
    """The same, where it must be an object."""
    return object_in(reply.content, where)


@dataclass(eq=False)
class Connection:
    """A way to one service, kept open. Threads don't share one. It closes when nobody holds it any more."""

    label: str
    """As messages name the service."""
    address: str
    """Where it is; paths are put after it."""
    key: str = field(default="", repr=False)
    key_place: KeyPlace = ("none", "")
    key_variable: str = ""
    """The variable that messages name."""
    address_variable: str = "the address"
    params: Params = field(default_factory=dict)
    """Of every request, before its own."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Of every request."""
    per_second: float = 3.0
    patience: Patience = PATIENCE
    clock: Clock = utc_now
    sleep: Callable[[float], None] | None = None
    """Between requests and attempts; None: as patience sleeps."""
    ticks: Callable[[], float] = time.monotonic
    judge: Judge | None = None
    """Where the service's answers mean something else than usual; looks first."""
    costs: Costs | None = None
    on_sent: OnSent | None = None
    most_bytes: int = MOST_BYTES
    most_seconds: float | None = None
    """From the first byte of an answer to its last; None: twice what patience waits for a sign of life."""
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
        """Whether requests carry one."""
        return bool(self.key)

    def get(self, path: str, params: Params | None = None, *, expects: Expected = "json") -> Reply:
        """What is there. Params whose value is empty are sent as they are."""
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
        """The answer to a form (`data`), to JSON, or to plain text."""
        if text is not None:
            return self._ask("POST", path, params or {}, text, "text/plain; charset=utf-8", expects)
        if json is not None:
            body = json_text.dumps(json, ensure_ascii=False)
            return self._ask("POST", path, params or {}, body, "application/json", expects)
        body = _form({**self.params, **(data or {})})
        return self._ask("POST", path, params or {}, body, "application/x-www-form-urlencoded", expects)

    def n_bytes(self, path: str, params: Params) -> int:
        """How long the address of this GET is, with the key in it."""
        kind, name = self.key_place
        key = f"&{name}={encoded(self.key)}" if self.key and kind == "query" else ""
        return len(self._url(path, params, with_own=True)) + len(key)

    def hide(self, secret: str) -> None:
        """Keep this out of whatever is shown and kept, as the key is: what signing in brought, for one."""
        self._secrets.add(secret)

    def carry(self, name: str, value: str) -> None:
        """Send this header from now on; its value is nobody else's business."""
        self.hide(value)
        self._carried[name] = value

    def close(self) -> None:
        """The connections that are open; the next request opens them anew."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def without_key(self, text: str) -> str:
        """A text that may quote what was sent."""
        return self._secrets.without(text)

    def _ask(self, method: Any, path: str, params: Params, body: str, kind: str, expects: Expected) -> Reply:
        url = self._url(path, params, with_own=method == "GET")
        asked = Asked(self.label, self.key_variable, self.has_key, self.address_variable, expects)
        problem, n_redirects, attempt = Again(""), 0, 0
        while attempt < self.patience.n_attempts:
            answer = self._try(method, url, body, kind, asked)
            if isinstance(answer, Reply):
                return answer
            if isinstance(answer, str):  # the same host, by another path
                url, n_redirects = answer, n_redirects + 1
                if n_redirects > N_REDIRECTS:
                    raise OutOfReachError(f"{self.label} is out of reach: it sends us around in a circle")
                continue
            problem, attempt = answer, attempt + 1
            if isinstance(answer, Unreached) and (answer.is_final or attempt >= N_UNREACHED):
                raise OutOfReachError(f"{self.label} is out of reach: {answer.words}")
            if attempt < self.patience.n_attempts:
                self._wait(answer, attempt - 1)
        if isinstance(problem, Unreached):
            raise OutOfReachError(f"{self.label} is out of reach: {problem.words}")
        times = f", {attempt} times" if attempt > 1 else ""
        raise GaveUpError(f"{self.label} {problem.words}{times}: go on later, what came is kept")

    def _wait(self, answer: Again, attempt: int) -> None:
        """As long as it asks for; for longer than we wait, whoever asked is told when."""
        asked = answer.wait
        if asked is not None and asked > self.patience.longest_wait:
            when = in_words(asked, self.patience.clock())
            raise GaveUpError(f"{self.label} {answer.words} and wants to be asked again {when}: go on then")
        usual = min(self.patience.first_wait * 2**attempt, self.patience.longest_wait)
        self.patience.sleep(usual if asked is None else asked)

    def _try(self, method: Any, url: str, body: str, kind: str, asked: Asked) -> Reply | Again | str:
        """One attempt. Errors of the library below are never chained to ours: they hold what was sent."""
        check_online(self.label)
        assert self._limiter is not None
        self._limiter.wait()
        at, begun = self.clock(), self.ticks()
        status, headers, content, problem = self._exchange(method, url, body, kind)
        if isinstance(problem, Unreached):
            return problem
        ms = round((self.ticks() - begun) * 1000, 3)
        sent = Sent(method, self.without_key(url), self.without_key(body), at, ms, status, len(content))
        sent = self._noted(sent, headers)
        if problem is not None:
            return problem
        if status in (301, 302, 303, 307, 308) and method == "GET" and (there := self._same_host(url, headers)):
            return there
        verdict = self.judge(status, headers, content) if self.judge else None
        verdict = verdict or judged(asked, status, headers, content, self.patience.clock())
        if isinstance(verdict, Again):
            return replace(verdict, words=self.without_key(verdict.words))
        if verdict is not None:
            raise self._hidden(verdict)
        return Reply(content, headers, sent)

    def _exchange(self, method: str, url: str, body: str, kind: str) -> tuple[int, dict[str, str], bytes, Again | None]:
        """Status, headers and body of an answer, as far as they came, and what went wrong."""
        status, headers, content = 0, dict[str, str](), b""
        seconds = 2 * self.patience.timeout if self.most_seconds is None else self.most_seconds
        problem: Again | None = None
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
            problem = Again(f"did not answer within {self.patience.timeout:g} s")
        except EndlessError:
            problem = Again("sent an answer that does not end")
        except BrokenBodyError as e:
            problem = Again(f"sent an answer that can't be read ({e})")
        except (httpx.TransportError, httpx.DecodingError) as e:
            problem = Again(f"broke off in the middle of its answer ({type(e).__name__})")
        except httpx.InvalidURL:
            problem = _TOO_LONG
        if problem is _TOO_LONG:
            raise RefusedRequestError(f"the request is too long for {self.label}: shorten the text", 414)
        return status, headers, self._secrets.without_bytes(content), problem

    def _noted(self, sent: Sent, headers: Mapping[str, str]) -> Sent:
        cost = self.costs(sent, headers) if self.costs else Cost()
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
        """Where a redirect leads, if that is the same service; the key goes nowhere else."""
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
                transport=Keyed(transport_for(self.address), self.key, self.key_place),
                headers=fixed,
                timeout=httpx.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds)),
                follow_redirects=False,
                trust_env=False,  # a .netrc may hold a password for this host, and nobody asked for it to be sent
            )
            weakref.finalize(self, self._client.close)
        return self._client


_TOO_LONG = Again("")
_PACES: dict[tuple[str, float], Limiter] = {}
_PACES_LOCK = Lock()


def _pace(address: str, per_second: float, sleep: Callable[[float], None]) -> Limiter:
    """One for all connections of this process to one service, unless time is handed in."""
    per_minute = min(per_second * 60, FASTEST)
    if sleep is not time.sleep:
        return Limiter(per_minute, sleep=sleep)
    with _PACES_LOCK:
        return _PACES.setdefault((address, per_minute), Limiter(per_minute))


def _form(params: Params) -> str:
    """As a query or a posted form carries it."""
    try:
        return urlencode({name: str(value) for name, value in params.items()}, quote_via=quote, safe="")
    except UnicodeEncodeError as e:
        raise InputError("the text holds half of a sign, which can't be sent: type it again") from e
