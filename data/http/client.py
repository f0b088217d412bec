"""Reach services over HTTP: offline mode, proxies and keys, rate limits, retries, and safe reading of replies."""

from __future__ import annotations

import json
import logging
import math
import os
import re
import socket
import ssl
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import cache
from queue import Empty, SimpleQueue
from random import random
from threading import Lock, Thread
from typing import Any, Literal
from urllib.parse import quote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from core.errors import FormatChangedError, InputError, OutOfReachError, QueryscapeError, ServiceError, SettingsError
from core.text import on_one_line
from core.version import VERSION
from data.http.keys import origin_of
from data.public_demo import is_public_demo, switched_off

# Offline mode: with QUERYSCAPE_OFFLINE set, every function that would open a connection raises an error instead.

VARIABLE = "QUERYSCAPE_OFFLINE"
_NO = ("", "0", "false", "no")


def is_offline() -> bool:
    """Check whether the user has switched the network off."""
    return is_public_demo() or os.environ.get(VARIABLE, "").strip().lower() not in _NO


def offline_words(what: str) -> str:
    """Explain that something is offline and how to undo it. `what` begins the sentence: "PubMed"."""
    if is_public_demo():
        return switched_off(what)
    return f"{what} is offline: {VARIABLE} is set, so nothing is sent; unset it to go online"


def check_online(what: str) -> None:
    """Raise OutOfReachError in offline mode; everything that connects calls this first."""
    if is_offline():
        raise OutOfReachError(offline_words(what))


# The way to a service: the proxy, and the key, which is added to the request where nothing else sees it.

MAIL = "QUERYSCAPE_MAIL"
KeyPlace = tuple[Literal["query", "header", "none"], str]
"""The position of a key in a request, and its name there. In a posted form, "query" is the form.

"none": not added automatically; the source uses it to sign in.
"""
_FORM = "application/x-www-form-urlencoded"
_MAIL = re.compile(r"[^@\s()<>,;:\"]+@[^@\s()<>,;:\"]+")


def own_mail() -> str:
    """Return the user's contact address for services; empty: none was given."""
    mail = os.environ.get(MAIL, "").strip()
    if mail and not (mail.isascii() and mail.isprintable() and _MAIL.fullmatch(mail)):
        raise InputError(f"the variable {MAIL} has no e-mail address: set one such as me@example.org, or unset it")
    return mail


USER_AGENT = f"queryscape/{VERSION}"


def user_agent() -> str:
    """Return the User-Agent header, with a contact address if there is one."""
    mail = own_mail()
    return f"{USER_AGENT} (mailto:{mail})" if mail else USER_AGENT


def checked_address(address: str, variable: str) -> str:
    """Validate an address for requests, and strip the slash at its end."""
    text = address.strip().rstrip("/")
    try:
        parts = urlsplit(text)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or not (text.isascii() and text.isprintable()):
        raise InputError(f"{variable} must be an address such as http://localhost:8080/works")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(f"{variable} must not contain a name, password or query: put the key in a variable of its own")
    return text


def checked_key(key: str, variable: str) -> str:
    text = key.strip()
    if not (text.isascii() and text.isprintable() and " " not in text):
        raise InputError(f"the variable {variable or 'with the key'} has characters that no key has: check it")
    return text


def proxy_for(address: str) -> str | None:
    """Return the proxy that the environment sets for this address; None: there is none."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(f"{host}:{parts.port}" if parts.port else host):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def trusted_certificates() -> ssl.SSLContext:
    """Return the certificates that every connection trusts; they are loaded once, since that takes 30 ms."""
    return _certificates_of(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache
def _certificates_of(file: str | None, folder: str | None) -> ssl.SSLContext:
    return httpx.create_ssl_context()  # reads the same variables


def transport_for(address: str) -> httpx.BaseTransport:
    try:
        return httpx.HTTPTransport(verify=trusted_certificates(), proxy=proxy_for(address))
    except (ValueError, TypeError, ImportError, httpx.InvalidURL):  # they quote the address, which may hold a password
        pass
    raise InputError("the proxy in HTTP_PROXY, HTTPS_PROXY or ALL_PROXY can't be used: fix it, or unset it")


@dataclass(eq=False)
class KeyTransport(httpx.BaseTransport):
    """A transport that adds the key to a request at the last moment; logged, shown and stored requests lack it.

    Only a request to the host of `address` gets it.
    """

    inner: httpx.BaseTransport
    address: str
    key: str = field(repr=False)
    place: KeyPlace = ("none", "")

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self.inner.handle_request(self._with_key(request))

    def close(self) -> None:
        self.inner.close()

    def _with_key(self, request: httpx.Request) -> httpx.Request:
        kind, name = self.place
        if not self.key or kind == "none" or origin_of(str(request.url)) != origin_of(self.address):
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
    """Limit the log of httpcore to warnings: it records every header, and a service may echo what it was sent."""
    logging.getLogger("httpcore").setLevel(logging.WARNING)


# Reachability of a source, tested without a request: its name is looked up and a connection is opened.

SECONDS = 2.0
"""Time limit for the lookup of the name and the connection together."""
_PORTS = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080, "socks4": 1080}


@dataclass(frozen=True, slots=True)
class ServiceReach:
    state: Literal["reachable", "out of reach", "offline"]
    """offline: by the user's choice, so nothing was tried."""
    why: str = ""
    """Completes "PubMed is out of reach: ..."; if reachable, the route."""


def reach(address: str, *, seconds: float = SECONDS) -> ServiceReach:
    """Test whether an address can be reached. Blocks for up to `seconds`, so call it in a background thread.

    No request is sent. With a proxy, the connection is opened to the proxy; anything behind it shows only with the
    first request.
    """
    if is_offline():
        return ServiceReach("offline", f"{VARIABLE} is set, so nothing is sent; unset it to go online")
    found: SimpleQueue[ServiceReach] = SimpleQueue()
    # A name lookup has no time limit, so its thread is abandoned if it takes too long.
    Thread(target=lambda: found.put(_tried(address, seconds)), daemon=True).start()
    try:
        return found.get(timeout=seconds)
    except Empty:
        return ServiceReach("out of reach", f"no answer within {seconds:g} s")


def _tried(address: str, seconds: float) -> ServiceReach:
    try:
        proxy = proxy_for(address)
        parts = urlsplit(proxy or address)
        host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 80)
    except (ValueError, QueryscapeError):
        return ServiceReach("out of reach", "its address, or the proxy's, can't be read")
    who = "the proxy" if proxy else "it"
    try:
        with socket.create_connection((host, port), timeout=seconds):
            return ServiceReach("reachable", "through a proxy" if proxy else "")
    except socket.gaierror:
        name = "the proxy's name" if proxy else "its name"
        return ServiceReach("out of reach", f"{name} can't be found: check the internet connection")
    except TimeoutError:
        return ServiceReach("out of reach", f"{who} does not answer within {seconds:g} s")
    except (OSError, UnicodeError):
        return ServiceReach("out of reach", f"{who} refuses the connection: check the internet connection")


# The bytes that a service sends: decompressed, limited, distinguished from a web page, and parsed as JSON.

Expected = Literal["json", "xml", "any"]
LONGEST_WORDS = 300
"""Maximum characters of a service's own message that are quoted."""
_TITLE = re.compile(r"<title[^>]*>\s*([^<]{1,200})", re.IGNORECASE)
_PAGE = re.compile(
    rb"\s*(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html)\b"
)
_SAYS = ("message", "error", "ERROR", "error_description", "detail", "details", "errMsg", "errors", "reason", "code")


class EndlessError(Exception):
    """A body that does not end: too many bytes, or too many seconds. Never leaves data/."""


class BrokenBodyError(Exception):
    """A compressed body that can't be decompressed, or ends too early. Never leaves data/."""


def bounded(
    pieces: Iterable[bytes],
    *,
    most_bytes: int,
    most_seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[bytes]:
    """Yield the same pieces, but raise EndlessError past a total limit: a client's timeout covers only each piece."""
    end, left = clock() + most_seconds, most_bytes
    for piece in pieces:
        left -= len(piece)
        if left < 0 or clock() > end:
            raise EndlessError
        yield piece


def unpacked(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Decompress the pieces. Unlike in most libraries, a body that ends in the middle is an error."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        yield from pieces
        return
    if name not in ("gzip", "x-gzip"):
        raise BrokenBodyError(f"compressed as {name[:20]}, which was not requested")
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
            raise BrokenBodyError("compressed in an unreadable way") from e
    if is_begun and not unpacker.eof:
        raise BrokenBodyError("compressed, and cut off")


def is_web_page(body: bytes) -> bool:
    """Return True if a body is HTML, with or without a preamble.

    >>> is_web_page(b" <!DOCTYPE html><html>"), is_web_page(b'<?xml version="1.0"?><PubmedArticleSet>')
    (True, False)
    """
    return _PAGE.match(body[:4000].lower()) is not None


def words_of(body: bytes) -> str:
    """Return a one-line reason from the body of an error: the message of JSON, or the title of a page.

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
            text = _message_in(whole_signs(json.loads(body), body)) or text
    return on_one_line(text, LONGEST_WORDS)


def _message_in(value: Any, depth: int = 0) -> str:
    if isinstance(value, str):
        return value
    if depth > 4:
        return ""
    if isinstance(value, Mapping):
        return next((answer for name in _SAYS if (answer := _message_in(value.get(name), depth + 1))), "")
    if isinstance(value, list):
        return next((answer for each in value[:5] if (answer := _message_in(each, depth + 1))), "")
    return ""


def json_in(content: bytes, where: str) -> Any:
    """Parse a JSON body. `where` begins the sentence of the error: "OpenAlex, /works"."""
    try:
        return whole_signs(json.loads(content), content)
    except (ValueError, RecursionError) as e:
        raise FormatChangedError(f"{where} answered with something other than JSON ({_why(e)})", content) from e


def whole_signs(value: Any, content: bytes) -> Any:
    """Replace lone surrogates in parsed JSON: escapes can write them, but no file, store or screen accepts them.

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
        raise FormatChangedError(f"{where} answered with JSON that is not an object", content)
    return value


def _why(e: Exception) -> str:
    return "nested too deeply" if isinstance(e, RecursionError) else " ".join(str(e).split())[:80]


# Retries: the conditions, the number, and the waits in between.

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Status codes after which the same request may succeed."""
LONGEST_WAIT = 60.0
_IN_WORDS = re.compile(r"try (?:again )?in ([0-9]{1,6}(?:[.][0-9]{1,9})?)(ms|s)\b")


class GaveUpError(ServiceError):
    """A service gave no usable answer in all attempts."""


@dataclass(frozen=True, slots=True)
class ServiceRefusal:
    status: int
    words: str
    """The service's own message, without the key; it may quote what was sent."""
    code: str = ""
    """The service's code for the reason."""


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the wait in seconds that a service asks for; None if it can't be read.

    A date counts from the service's own clock if it sends its time, otherwise from `now`.

    >>> retry_after({"retry-after": "7"}, 0), retry_after({"retry-after": "Thu, 01 Jan 1970 00:00:09 GMT"}, 4.0)
    (7.0, 5.0)
    >>> retry_after({"retry-after": "Thu, 01 Jan 1970 01:00:09 GMT", "date": "Thu, 01 Jan 1970 01:00:00 GMT"}, 4.0)
    9.0
    >>> retry_after({"retry-after": "soon"}, 0) is None, retry_after({"retry-after-ms": "250"}, 0)
    (True, 0.25)
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if text.replace(".", "", 1).isdecimal() and text.isascii():
            return float(text) / unit
    date, sent = _time_in(headers, "retry-after"), _time_in(headers, "date")
    return None if date is None else max(date - (now if sent is None else sent), 0.0)


def _time_in(headers: Mapping[str, str], name: str) -> float | None:
    try:
        date = parsedate_to_datetime(headers.get(name, ""))
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return None


def growing_wait(first: float, attempt: int, longest: float = math.inf) -> float:
    """Return the wait in seconds after this attempt, counted from 0: twice as long each time, up to the longest.

    A random part of up to half is taken off, so that many callers who failed together don't return together.
    """
    return min(first * 2.0**attempt, longest) * (1 - random() / 2)


def wait_in_words(words: str) -> str | None:
    """Return the wait in seconds from the text of an error, where some services put it instead of the header.

    >>> wait_in_words("Too many requests. Please retry in 36.5s."), wait_in_words("Please try again in 250ms.")
    ('36.5', '0.25')
    >>> wait_in_words("Please try again") is None
    True
    """
    found = _IN_WORDS.search(words)
    return None if found is None else f"{float(found[1]) / (1000 if found[2] == 'ms' else 1):g}"


@dataclass(frozen=True, slots=True)
class Patience:
    """The number of attempts at a request, and the waits between them."""

    n_attempts: int = 6
    first_wait: float = 1.0
    longest_wait: float = LONGEST_WAIT
    timeout: float = 60.0
    """Seconds without any data after which an attempt is abandoned."""
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.time

    def wait(self, attempt: int, headers: Mapping[str, str]) -> None:
        """Sleep as long as the service asks, otherwise longer each time; never longer than the limit."""
        self.pause(attempt, retry_after(headers, self.clock()))

    def pause(self, attempt: int, asked: float | None) -> None:
        """Sleep as long as `asked`; None: longer each time."""
        usual = growing_wait(self.first_wait, attempt, self.longest_wait)
        self.sleep(usual if asked is None else min(asked, self.longest_wait))


# The rate limit of a service, shared by all of its callers.

FASTEST = 1_000_000.0
"""Requests per minute, above which there is no limit."""


@dataclass(eq=False)
class Limiter:
    """A limiter that spaces requests evenly. All callers share one; unused time is not made up for."""

    per_minute: float
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _next: float = field(default=float("-inf"), repr=False)
    """The time at which the next request may go."""
    _lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        if not 0 < self.per_minute <= FASTEST:
            raise SettingsError(
                f"requests per minute must be above 0 and at most {FASTEST:,.0f}, got {self.per_minute:g}"
            )

    def wait(self) -> None:
        """Sleep until it is the caller's turn. Turns are given in the order of the calls."""
        with self._lock:
            now = self.clock()
            turn = max(now, self._next)
            self._next = turn + 60.0 / self.per_minute
        if turn > now:
            self.sleep(turn - now)
