"""Reach services over HTTP: offline mode, proxies and keys, rate limits, retries, and safe reading of replies."""

from __future__ import annotations

import json
import logging
import os
import re
import socket
import ssl
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Literal
from urllib.parse import quote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from core.errors import FormatChangedError, InputError, OutOfReachError, QueryscapeError, ServiceError, SettingsError

# Offline by choice: with QUERYSCAPE_OFFLINE set, whatever would open a connection says so instead.

VARIABLE = "QUERYSCAPE_OFFLINE"
_NO = ("", "0", "false", "no")


def is_offline() -> bool:
    """Whether nothing may be sent anywhere, by the user's own choice."""
    return os.environ.get(VARIABLE, "").strip().lower() not in _NO


def offline_words(what: str) -> str:
    """Why something is out of reach, and how to undo it. `what` begins the sentence: "PubMed"."""
    return f"{what} is out of reach: {VARIABLE} is set, so nothing is sent anywhere; unset it to go online"


def check_online(what: str) -> None:
    """OutOfReachError where we are offline by choice; called by all that makes connections, before they are made."""
    if is_offline():
        raise OutOfReachError(offline_words(what))


# The way to a service: through which proxy, and how the key gets into a request that nobody else sees with it.

MAIL = "QUERYSCAPE_MAIL"
KeyPlace = tuple[Literal["query", "header", "none"], str]
"""Where a key stands in a request, and its name there. In a form that is posted, "query" is the form.
"none": nowhere by itself; the source signs in with it."""
_FORM = "application/x-www-form-urlencoded"
_MAIL = re.compile(r"[^@\s()<>,;:\"]+@[^@\s()<>,;:\"]+")


def own_mail() -> str:
    """The address that the user wants to be reached at by a service; empty: none was given."""
    mail = os.environ.get(MAIL, "").strip()
    if mail and not (mail.isascii() and mail.isprintable() and _MAIL.fullmatch(mail)):
        raise InputError(f"the variable {MAIL} holds no mail address: one such as me@example.org, or unset it")
    return mail


def user_agent() -> str:
    """How services may know us, and whom to write to if we are a nuisance."""
    mail = own_mail()
    return f"queryscape/0.1 (mailto:{mail})" if mail else "queryscape/0.1"


def checked_address(address: str, variable: str) -> str:
    """An address that requests may be sent to, without the slash at its end."""
    said = address.strip().rstrip("/")
    try:
        parts = urlsplit(said)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or not (said.isascii() and said.isprintable()):
        raise InputError(f"{variable} must be an address such as http://localhost:8080/works")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(f"{variable} takes no name, password or query: a key goes into a variable of its own")
    return said


def checked_key(key: str, variable: str) -> str:
    said = key.strip()
    if not (said.isascii() and said.isprintable() and " " not in said):
        raise InputError(f"the variable {variable or 'with the key'} holds signs that no key has")
    return said


def proxy_for(address: str) -> str | None:
    """The proxy that the environment names for this address; None: there is none."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(f"{host}:{parts.port}" if parts.port else host):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def trusted_certificates() -> ssl.SSLContext:
    """The certificates that every connection trusts, read once: that takes 30 ms."""
    return _certificates_of(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache
def _certificates_of(file: str | None, folder: str | None) -> ssl.SSLContext:
    return httpx.create_ssl_context()  # reads the same variables


def transport_for(address: str) -> httpx.BaseTransport:
    try:
        return httpx.HTTPTransport(verify=trusted_certificates(), proxy=proxy_for(address))
    except (ValueError, TypeError, ImportError, httpx.InvalidURL):  # they quote the address, which may hold a password
        pass
    raise InputError("the proxy that HTTP_PROXY, HTTPS_PROXY or ALL_PROXY names can't be used: mend it, or unset it")


@dataclass(eq=False)
class Keyed(httpx.BaseTransport):
    """Puts the key into a request at the last moment: what is logged, shown and kept is the request without it."""

    inner: httpx.BaseTransport
    key: str = field(repr=False)
    place: KeyPlace = ("none", "")

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self.inner.handle_request(self._with_key(request))

    def close(self) -> None:
        self.inner.close()

    def _with_key(self, request: httpx.Request) -> httpx.Request:
        kind, name = self.place
        if not self.key or kind == "none":
            return request
        url, headers, content = request.url, request.headers.copy(), request.read()
        if kind == "header":
            headers[name] = self.key
        else:
            pair = f"{quote(name, safe='')}={quote(self.key, safe='')}".encode()
            if headers.get("content-type", "").startswith(_FORM):
                content = content + b"&" + pair if content else pair
                headers["content-length"] = str(len(content))
            else:
                url = url.copy_with(query=url.query + b"&" + pair if url.query else pair)
        return httpx.Request(request.method, url, headers=headers, content=content, extensions=request.extensions)


def quieten() -> None:
    """The library below tells its log every header that comes, and a service may send back what it was sent."""
    logging.getLogger("httpcore").setLevel(logging.WARNING)


# Whether a source can be reached, found out without asking it anything: its name is looked up and a line opened.

SECONDS = 2.0
"""That looking up the name and opening a line may take together."""
_PORTS = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080, "socks4": 1080}


@dataclass(frozen=True, slots=True)
class Reach:
    state: Literal["reachable", "out of reach", "offline"]
    """offline: by choice, so nothing was tried."""
    why: str = ""
    """Completes "PubMed is out of reach: ..."; where it is reachable, by what way."""


def reach(address: str, *, seconds: float = SECONDS) -> Reach:
    """Blocks for up to `seconds`: for a thread in the background. No request is sent.

    Through a proxy the line is opened to the proxy; what lies behind it shows with the first request.
    """
    if is_offline():
        return Reach("offline", f"{VARIABLE} is set, so nothing is sent anywhere; unset it to go online")
    found: SimpleQueue[Reach] = SimpleQueue()
    # Looking up a name knows no limit of time, so it is left behind where it takes too long.
    Thread(target=lambda: found.put(_tried(address, seconds)), daemon=True).start()
    try:
        return found.get(timeout=seconds)
    except Empty:
        return Reach("out of reach", f"no answer within {seconds:g} s")


def _tried(address: str, seconds: float) -> Reach:
    try:
        proxy = proxy_for(address)
        parts = urlsplit(proxy or address)
        host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 80)
    except (ValueError, QueryscapeError):
        return Reach("out of reach", "its address, or that of the proxy, can't be read")
    who = "the proxy" if proxy else "it"
    try:
        with socket.create_connection((host, port), timeout=seconds):
            return Reach("reachable", "by way of a proxy" if proxy else "")
    except socket.gaierror:
        name = "the name of the proxy" if proxy else "its name"
        return Reach("out of reach", f"{name} is not known here: is there internet?")
    except TimeoutError:
        return Reach("out of reach", f"{who} does not answer within {seconds:g} s")
    except (OSError, UnicodeError):
        return Reach("out of reach", f"{who} takes no connection: is there internet?")


# What a service sends, byte by byte: unpacked, bounded, told from a web page, and read as JSON.

Expected = Literal["json", "xml", "any"]
LONGEST_WORDS = 300
"""Characters of a service's own words in a message."""
_TITLE = re.compile(r"<title[^>]*>\s*([^<]{1,200})", re.IGNORECASE)
_PAGE = re.compile(
    rb"\s*(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html)\b"
)
_SAYS = ("message", "error", "ERROR", "error_description", "detail", "details", "errMsg", "errors", "reason", "code")


class EndlessError(Exception):
    """A body that does not end: too many bytes, or too many seconds. Never leaves data/."""


class BrokenBodyError(Exception):
    """A packed body that can't be unpacked, or ends too early. Never leaves data/."""


def bounded(
    pieces: Iterable[bytes],
    *,
    most_bytes: int,
    most_seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[bytes]:
    """The same pieces, given up where they do not end: the limit of a client is for each piece alone."""
    end, left = clock() + most_seconds, most_bytes
    for piece in pieces:
        left -= len(piece)
        if left < 0 or clock() > end:
            raise EndlessError
        yield piece


def unpacked(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """The pieces without their packing. What ends in the middle is an error here, unlike in most libraries."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        yield from pieces
        return
    if name not in ("gzip", "x-gzip"):
        raise BrokenBodyError(f"packed as {name[:20]}, which nobody asked for")
    unpacker = zlib.decompressobj(31)
    is_begun = False
    for piece in pieces:
        is_begun = is_begun or bool(piece)
        try:
            yield unpacker.decompress(piece)
            while unpacker.eof and unpacker.unused_data:
                rest, unpacker = unpacker.unused_data, zlib.decompressobj(31)
                yield unpacker.decompress(rest)
        except zlib.error as e:
            raise BrokenBodyError("packed in a way that can't be unpacked") from e
    if is_begun and not unpacker.eof:
        raise BrokenBodyError("packed, and it ends too early")


def is_web_page(body: bytes) -> bool:
    """Whether this is for people: HTML, with or without what may stand before it.

    >>> is_web_page(b" <!DOCTYPE html><html>"), is_web_page(b'<?xml version="1.0"?><PubmedArticleSet>')
    (True, False)
    """
    return _PAGE.match(body[:4000].lower()) is not None


def words_of(body: bytes) -> str:
    """What an error says of itself, on one short line: of JSON the message, of a page its title.

    >>> words_of(b'{"error": "Invalid query", "message": "no field  named x"}')
    'no field named x'
    >>> words_of(b"<html><title>404 Not Found</title>..."), words_of(b"slow  down")
    ('404 Not Found', 'slow down')
    """
    text = body[:20_000].decode("utf-8", errors="replace")
    if is_web_page(body):
        found = _TITLE.search(text)
        text = found[1] if found else "a web page"
    else:
        with suppress(ValueError, RecursionError):
            text = _said(whole_signs(json.loads(body), body)) or text
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_WORDS else line[: LONGEST_WORDS - 1] + "…"


def _said(value: Any, depth: int = 0) -> str:
    if isinstance(value, str):
        return value
    if depth > 4:
        return ""
    if isinstance(value, Mapping):
        return next((said for name in _SAYS if (said := _said(value.get(name), depth + 1))), "")
    if isinstance(value, list):
        return next((said for each in value[:5] if (said := _said(each, depth + 1))), "")
    return ""


def json_in(content: bytes, where: str) -> Any:
    """What a JSON body says. `where` begins the sentence of the error: "OpenAlex, /works"."""
    try:
        return whole_signs(json.loads(content), content)
    except (ValueError, RecursionError) as e:
        raise FormatChangedError(f"{where} answered with something other than JSON ({_why(e)})", content) from e


def whole_signs(value: Any, content: bytes) -> Any:
    """What JSON says, without halves of signs: escapes can write them, and no file, store or screen takes them.

    >>> whole_signs(["\\ud83c", "tea"], rb'["\\ud83c", "tea"]')
    ['?', 'tea']
    """
    if b"\\ud" not in content and b"\\uD" not in content and b"\xed" not in content:
        return value
    text = json.dumps(value, ensure_ascii=False)
    return value if text.isascii() else json.loads(text.encode("utf-8", "replace"))


def object_in(content: bytes, where: str) -> dict[str, Any]:
    value = json_in(content, where)
    if not isinstance(value, dict):
        raise FormatChangedError(f"{where} answered with JSON that is no object", content)
    return value


def _why(e: Exception) -> str:
    return "nested too deeply" if isinstance(e, RecursionError) else " ".join(str(e).split())[:80]


# Asking a service again: when, how often, and how long to wait in between.

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Answers after which the same request may well succeed."""
LONGEST_WAIT = 60.0
_IN_WORDS = re.compile(r"try (?:again )?in ([0-9]{1,6}(?:[.][0-9]{1,9})?)(ms|s)\b")


class GaveUpError(ServiceError):
    """A service was asked as often as patience allows and gave nothing that can be used."""


@dataclass(frozen=True, slots=True)
class Refused:
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


# Asking no more often than a service allows, however many ask.

FASTEST = 1_000_000.0
"""Requests a minute, above which a limit is none."""


@dataclass(eq=False)
class Limiter:
    """Lets requests go at even distances. One is shared by all who ask; time that nobody used is not made up for."""

    per_minute: float
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _next: float = field(default=float("-inf"), repr=False)
    """When the next request may go."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        if not 0 < self.per_minute <= FASTEST:
            raise SettingsError(
                f"requests per minute must be above 0 and at most {FASTEST:,.0f}, got {self.per_minute:g}"
            )

    def wait(self) -> None:
        """Come back when it is one's turn. Turns are given in the order in which they are asked for."""
        with self._lock:
            now = self.clock()
            turn = max(now, self._next)
            self._next = turn + 60.0 / self.per_minute
        if turn > now:
            self.sleep(turn - now)
