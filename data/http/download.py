"""Download files over HTTP, resume partial downloads, and mirror sets of files."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal, TypeVar
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import httpx

from core.errors import DownloadError, FileError, InputError
from core.types import Ids
from data.files import SUMS_NAME, disk_errors, file_sha256, parse_sums, record_sum, recorded_sums
from data.http.client import USER_AGENT, check_online, growing_wait, retry_after, trusted_certificates

# One file over HTTP: attempts with pauses in between, and a partial file that is not fetched twice.
#
# A file arrives as `<name>.part`, with the server's ETag or date next to it in `<name>.part.tag`. The rest is requested
# only on the condition (If-Range) that the server's copy is still the same.

_LONGEST_WAIT = 120.0
"""Seconds. If a server asks for a longer wait, the download stops and reports that."""
_TEMPORARY = frozenset({408, 425, 429, 500, 502, 503, 504})
_GONE = frozenset({404, 410})

Report = Callable[[int, int | None], None]
"""A function that receives the bytes downloaded so far and the total, if the server gives it."""
T = TypeVar("T")


class MissingFileError(Exception):
    """The server does not have the file. Never leaves data/."""


class _TryAgain(Exception):
    """This attempt failed, but another may succeed, after `wait` seconds if the server asked for that."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class DownloadSource:
    client: httpx.Client
    base_url: str
    n_attempts: int
    sleep: Callable[[float], None]

    def url(self, name: str) -> str:
        parts = urlsplit(self.base_url)
        return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{quote(name)}", fragment=""))


@dataclass(frozen=True, slots=True)
class PartialFile:
    """A partial download, and the condition under which the server's copy still matches it."""

    path: Path
    tag: Path
    url: str

    @classmethod
    def of(cls, target: Path, url: str) -> PartialFile:
        return cls(target.with_name(target.name + ".part"), target.with_name(target.name + ".part.tag"), url)

    def n_bytes(self) -> int:
        return self.path.stat().st_size if self.path.is_file() else 0

    def headers(self) -> dict[str, str]:
        """Return headers that request the rest, or empty ones for the whole file if there is no reliable beginning."""
        saved = self.tag.read_text("utf-8", errors="replace").split("\n") if self.tag.is_file() else []
        if self.n_bytes() == 0 or len(saved) != 2 or saved[0] != shown(self.url):
            return {}
        return {"Range": f"bytes={self.n_bytes()}-", "If-Range": saved[1]} if _is_plain(saved[1]) else {}

    def begin(self, response: httpx.Response) -> None:
        """Create an empty file, and only then its tag, so that old content never gets a new tag."""
        self.discard()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        etag = response.headers.get("ETag", "")
        # a weak ETag does not guarantee the same bytes, so If-Range must not contain it
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
    """Remove the user name, password and query from an address, as they may contain a key.

    >>> shown("https://me:secret@example.org:8443/a.csv?key=1")
    'https://example.org:8443/a.csv'
    """
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment=""))


def fetch_text(source: DownloadSource, name: str) -> str | None:
    """Return a small text file, or None if the server does not have it or refuses it."""

    def ask() -> str | None:
        response = source.client.get(source.url(name))
        refused = 400 <= response.status_code < 500 and response.status_code not in _TEMPORARY
        if not refused:
            _check_status(response)
        return None if refused else response.text

    return _attempts(source, name, ask)


def fetch_file(source: DownloadSource, name: str, part: PartialFile, report: Report) -> None:
    """Download the whole file into `part`. Bytes received before a cut are kept for the next attempt or run."""
    _attempts(source, name, lambda: _fetch_once(source, part, report))


def _fetch_once(source: DownloadSource, part: PartialFile, report: Report) -> None:
    with source.client.stream("GET", part.url, headers=part.headers()) as response:
        if response.status_code == 416:
            part.discard()
            raise _TryAgain("the partial file does not match the server's", wait=0)
        _check_status(response)
        done = part.n_bytes() if response.status_code == 206 else 0
        if done and not response.headers.get("Content-Range", "").startswith(f"bytes {done}-"):
            part.discard()
            raise _TryAgain("the server sent a different range than requested", wait=0)
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
        raise MissingFileError(status)
    if response.status_code in _TEMPORARY:
        raise _TryAgain(status, wait=retry_after(response.headers, time.time()))
    if response.status_code not in (200, 206):
        raise DownloadError(f"can't fetch {shown(str(response.url))}: {status}")


def _attempts(source: DownloadSource, name: str, once: Callable[[], T]) -> T:
    for attempt in range(1, source.n_attempts + 1):
        try:
            return once()
        except (httpx.UnsupportedProtocol, httpx.TooManyRedirects, httpx.DecodingError) as e:
            raise _failed(source, name, e, attempt) from e
        except (httpx.TransportError, _TryAgain) as e:
            asked = e.wait if isinstance(e, _TryAgain) else None
            wait = growing_wait(0.5, attempt - 1) if asked is None else asked
            if attempt == source.n_attempts or wait > _LONGEST_WAIT:
                raise _failed(source, name, e, attempt) from e
        source.sleep(wait)
    raise DownloadError(f"can't fetch {name}: n_attempts must be at least 1, got {source.n_attempts}")


def _failed(source: DownloadSource, name: str, e: Exception, attempt: int) -> DownloadError:
    reason = " ".join(str(e).split()) or type(e).__name__
    if isinstance(e, httpx.ConnectError):
        return DownloadError(f"can't reach {shown(source.base_url)} ({reason}): check the address and the network")
    asked = f"; it asks to wait {e.wait:g} s" if isinstance(e, _TryAgain) and e.wait else ""
    return DownloadError(f"can't fetch {shown(source.url(name))}: {reason}{asked} (attempt {attempt}): try again later")


def _is_plain(tag: str) -> bool:
    return bool(tag) and tag.isascii() and tag.isprintable()


def _is_encoded(response: httpx.Response) -> bool:
    return bool(response.headers.get("Content-Encoding", "identity").lower() != "identity")


# Mirroring of a set of files from a web address into a folder; a later run fetches only what is not intact.
#
# A file gets its name once it is complete; until then it is a `.part` that the next run resumes. `SHA256SUMS` in the
# folder records every finished file: those that still match are left alone, the others are fetched again.

_Outcome = Literal["fetched", "kept", "missing"]


@dataclass(frozen=True, slots=True)
class DownloadProgress:
    """The progress of one file. An optional file that the server does not have shows 0 of 0 bytes."""

    name: str
    done_bytes: int
    total_bytes: int | None
    """None: the server does not say."""
    file_number: int
    """From 1, in this call of `mirror`."""
    n_files: int


OnProgress = Callable[[DownloadProgress], None]


@dataclass(frozen=True, slots=True)
class MirrorResult:
    """The outcome for the requested files: each name is in one of the three lists."""

    folder: Path
    fetched: Ids
    kept: Ids
    """Already present, and unchanged since they were fetched."""
    missing: Ids
    """Optional files that the server does not have."""


def is_safe_name(name: str) -> bool:
    """Return True if a relative path stays inside the folder that it is joined to.

    >>> is_safe_name("text/Soft_Robotics/slr_pubs.csv"), is_safe_name("text/../../x"), is_safe_name("/x")
    (True, False, False)
    """
    plain = not re.search(r"[\x00-\x1f\\]|^\w:", name)
    return plain and not any(part in ("", ".", "..") for part in name.split("/"))


def mirror(
    base_url: str,
    required: Iterable[str],
    folder: Path,
    *,
    optional: Iterable[str] = (),
    on_progress: OnProgress | None = None,
    n_attempts: int = 5,
    timeout_seconds: float = 30.0,
    sleep: Callable[[float], None] = time.sleep,
) -> MirrorResult:
    """Download files from under `base_url` into `folder`, under the same relative names.

    Unchanged local files are kept without a request, so a folder belongs to one base. If the base has a `SHA256SUMS`,
    its sums decide which files are intact and up to date. A file that the server does not have is an error if required,
    and is listed as missing if optional. `sleep` waits between attempts.
    """
    _check_url(base_url)
    check_online(shown(base_url))
    needed = tuple(required)
    names = tuple(dict.fromkeys((*needed, *optional)))
    targets = {name: _target(folder, name) for name in names}
    outcome: dict[str, _Outcome] = {}
    headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity"}
    with (
        disk_errors(folder, FileError),
        httpx.Client(
            headers=headers, timeout=timeout_seconds, follow_redirects=True, verify=trusted_certificates()
        ) as client,
    ):
        source = DownloadSource(client, base_url, n_attempts, sleep)
        folder.mkdir(parents=True, exist_ok=True)
        published = parse_sums(fetch_text(source, SUMS_NAME) or "") if names else {}
        for number, name in enumerate(names, 1):
            report = _reporter(on_progress, name, number, len(names))
            outcome[name] = _bring(source, folder, name, targets[name], published.get(name), report)
            if outcome[name] == "missing" and name in needed:
                raise DownloadError(f"{shown(source.url(name))} does not exist: check the address")
    fetched, kept, missing = (
        tuple(name for name in names if outcome[name] == what) for what in ("fetched", "kept", "missing")
    )
    return MirrorResult(folder, fetched, kept, missing)


@contextmanager
def file_at(where: str, folder: Path, wanted: str) -> Iterator[Path]:
    """Yield the file at a path, or a copy of the file at a web address, which is deleted after use.

    An address stays the same when its file changes, so a copy is never used again. A partial download is kept, and
    resumed the next time.
    """
    if not re.match(r"https?://", where):
        path = Path(where).expanduser()
        if not path.is_file():
            raise InputError(f"{where} is not a file: give the path or web address of {wanted}")
        yield path
        return
    parts = urlsplit(where)
    parent, _, name = parts.path.rpartition("/")
    name = unquote(name)
    if not name:
        raise InputError(f"{where} names no file: give the address of {wanted}")
    base = urlunsplit((parts.scheme, parts.netloc, parent, parts.query, ""))
    try:
        yield mirror(base, (name,), folder).folder / name
    finally:
        if (folder / name).exists():
            shutil.rmtree(folder, ignore_errors=True)


def _bring(
    source: DownloadSource, folder: Path, name: str, target: Path, published: str | None, report: Report
) -> _Outcome:
    known = published or recorded_sums(folder).get(name)
    if known is not None and target.is_file() and file_sha256(target) == known:
        record_sum(folder, name, known)
        report(target.stat().st_size, target.stat().st_size)
        return "kept"
    part = PartialFile.of(target, source.url(name))
    try:
        fetch_file(source, name, part, report)
    except MissingFileError:
        report(0, 0)
        return "missing"
    actual = file_sha256(part.path)
    if published is not None and actual != published:
        part.discard()
        raise DownloadError(
            f"{name} arrived damaged and was removed (sha256 {actual[:12]}…, expected {published[:12]}…): run it again"
        )
    part.finish(target)
    record_sum(folder, name, actual)
    return "fetched"


def _check_url(base_url: str) -> None:
    try:
        fits = urlsplit(base_url).scheme in ("http", "https") and bool(httpx.URL(base_url).host)
    except (ValueError, httpx.InvalidURL) as e:
        raise InputError(f"{base_url!r} is not a web address: {e}") from e
    if not fits:
        raise InputError(
            f"{shown(base_url)!r} is not a web address: it must start with http:// or https:// and name a host"
        )


def _target(folder: Path, name: str) -> Path:
    target = folder / name
    reserved = PurePosixPath(name).name == SUMS_NAME or name.endswith((".part", ".part.tag"))
    # resolved as well, because a link inside the folder may lead out of it
    if not is_safe_name(name) or reserved or not target.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"refusing to write {name!r}: it is not a name for a file inside {folder}")
    return target


def _reporter(on_progress: OnProgress | None, name: str, number: int, n_files: int) -> Report:
    def report(done: int, total: int | None) -> None:
        if on_progress is not None:
            on_progress(DownloadProgress(name, done, total, number, n_files))

    return report
