"""One file over HTTP: attempts with pauses between them, and a beginning that is not fetched twice.

A file arrives as `<name>.part`, with the server's ETag or date beside it in `<name>.part.tag`. The rest is asked for
only on condition (If-Range) that the server's copy is still the same one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote, urlsplit, urlunsplit

import httpx

from core.errors import DownloadError

USER_AGENT = "queryscape/0.1"
_LONGEST_WAIT = 120.0
"""Seconds. A server that asks for more is taken at its word: the download stops and says so."""
_TEMPORARY = frozenset({408, 425, 429, 500, 502, 503, 504})
_GONE = frozenset({404, 410})

Report = Callable[[int, int | None], None]
"""Takes the bytes that are here and, when the server says, how many there will be."""
T = TypeVar("T")


class NotThere(Exception):
    """The server does not have the file. Never leaves data/."""


class _TryAgain(Exception):
    """This attempt failed; the next one, after `wait` seconds if the server asked for that, may not."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Source:
    """Where files come from, and how patiently."""

    client: httpx.Client
    base_url: str
    n_attempts: int
    sleep: Callable[[float], None]

    def url(self, name: str) -> str:
        parts = urlsplit(self.base_url)
        return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{quote(name)}", fragment=""))


@dataclass(frozen=True, slots=True)
class PartialFile:
    """A file on its way, and what must still be true of the server's copy for the rest to fit."""

    path: Path
    tag: Path
    url: str

    @classmethod
    def of(cls, target: Path, url: str) -> PartialFile:
        return cls(target.with_name(target.name + ".part"), target.with_name(target.name + ".part.tag"), url)

    def n_bytes(self) -> int:
        return self.path.stat().st_size if self.path.is_file() else 0

    def headers(self) -> dict[str, str]:
        """Ask for the rest if there is a beginning that can be trusted, else for everything."""
        saved = self.tag.read_text("utf-8", errors="replace").split("\n") if self.tag.is_file() else []
        if self.n_bytes() == 0 or len(saved) != 2 or saved[0] != shown(self.url):
            return {}
        return {"Range": f"bytes={self.n_bytes()}-", "If-Range": saved[1]} if _is_plain(saved[1]) else {}

    def begin(self, response: httpx.Response) -> None:
        """An empty file, and its tag only after it: an old beginning never gets a new tag."""
        self.discard()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        etag = response.headers.get("ETag", "")
        # a weak ETag does not promise the same bytes, so If-Range may not carry it
        tag = etag if etag.startswith('"') else response.headers.get("Last-Modified", "")
        if _is_plain(tag) and not _is_encoded(response):
            self.tag.write_text(f"{shown(self.url)}\n{tag}", "utf-8")

    def discard(self) -> None:
        self.path.unlink(missing_ok=True)
        self.tag.unlink(missing_ok=True)

    def finish(self, target: Path) -> None:
        self.path.replace(target)
        self.tag.unlink(missing_ok=True)


def shown(url: str) -> str:
    """The address without user name, password and query, which may hold a key.

    >>> shown("https://me:secret@example.org:8443/a.csv?key=1")
    'https://example.org:8443/a.csv'
    """
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment=""))


def fetch_text(source: Source, name: str) -> str | None:
    """A small text file, or None if the server does not have it or does not give it to us."""

    def ask() -> str | None:
        response = source.client.get(source.url(name))
        refused = 400 <= response.status_code < 500 and response.status_code not in _TEMPORARY
        if not refused:
            _check_status(response)
        return None if refused else response.text

    return _attempts(source, name, ask)


def fetch_file(source: Source, name: str, part: PartialFile, report: Report) -> None:
    """Leave the whole file in `part`. What arrived before a cut is kept for the next attempt, or the next run."""
    _attempts(source, name, lambda: _fetch_once(source, part, report))


def _fetch_once(source: Source, part: PartialFile, report: Report) -> None:
    with source.client.stream("GET", part.url, headers=part.headers()) as response:
        if response.status_code == 416:
            part.discard()
            raise _TryAgain("the partial file does not fit the server's", wait=0)
        _check_status(response)
        done = part.n_bytes() if response.status_code == 206 else 0
        if done and not response.headers.get("Content-Range", "").startswith(f"bytes {done}-"):
            part.discard()
            raise _TryAgain("the server sent another range than the one asked for", wait=0)
        if not done:
            part.begin(response)
        length = None if _is_encoded(response) else response.headers.get("Content-Length")
        total = None if length is None else done + int(length)
        report(done, total)
        with part.path.open("ab") as file:
            for chunk in response.iter_bytes():
                file.write(chunk)
                done += len(chunk)
                report(done, total)
    if total is not None and done != total:
        raise _TryAgain(f"{done} of {total} bytes arrived")


def _check_status(response: httpx.Response) -> None:
    status = f"the server answered {response.status_code} {response.reason_phrase}".strip()
    if response.status_code in _GONE:
        raise NotThere(status)
    if response.status_code in _TEMPORARY:
        raise _TryAgain(status, wait=_asked_wait(response.headers))
    if response.status_code not in (200, 206):
        raise DownloadError(f"can't fetch {shown(str(response.url))}: {status}")


def _asked_wait(headers: httpx.Headers) -> float | None:
    """Seconds in Retry-After; a date there counts from the server's own clock. None if it says nothing usable."""
    asked = headers.get("Retry-After", "").strip()
    if asked.isascii() and asked.isdigit():
        return float(asked)
    try:
        wait = parsedate_to_datetime(asked) - parsedate_to_datetime(headers.get("Date", ""))
    except (TypeError, ValueError):
        return None
    return max(0.0, wait.total_seconds())


def _attempts(source: Source, name: str, once: Callable[[], T]) -> T:
    for attempt in range(1, source.n_attempts + 1):
        try:
            return once()
        except (httpx.UnsupportedProtocol, httpx.TooManyRedirects, httpx.DecodingError) as e:
            raise _failed(source, name, e, attempt) from e
        except (httpx.TransportError, _TryAgain) as e:
            asked = e.wait if isinstance(e, _TryAgain) else None
            wait = 0.5 * 2 ** (attempt - 1) if asked is None else asked
            if attempt == source.n_attempts or wait > _LONGEST_WAIT:
                raise _failed(source, name, e, attempt) from e
        source.sleep(wait)
    raise DownloadError(f"can't fetch {name}: n_attempts must be at least 1, got {source.n_attempts}")


def _failed(source: Source, name: str, e: Exception, attempt: int) -> DownloadError:
    reason = " ".join(str(e).split()) or type(e).__name__
    if isinstance(e, httpx.ConnectError):
        return DownloadError(f"can't reach {shown(source.base_url)} ({reason}): check the address and the network")
    asked = f"; it asks to wait {e.wait:g} s" if isinstance(e, _TryAgain) and e.wait else ""
    return DownloadError(f"can't fetch {shown(source.url(name))}: {reason}{asked} (attempt {attempt}): try again later")


def _is_plain(tag: str) -> bool:
    """Fit to be sent in a header."""
    return bool(tag) and tag.isascii() and tag.isprintable()


def _is_encoded(response: httpx.Response) -> bool:
    return bool(response.headers.get("Content-Encoding", "identity").lower() != "identity")
