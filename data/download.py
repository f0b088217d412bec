"""Bring a set of files from a web address into a folder, and again later only what is no longer whole.

A file gets its name when it is whole; until then it is a `.part` that the next run goes on with. `SHA256SUMS` in the
folder records every finished file: what still matches is left alone, what does not is fetched again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import urlsplit

import httpx

from core.errors import DownloadError, FileError, InputError
from core.types import Ids
from data.checksums import SUMS_NAME, file_sha256, parse_sums, record_sum, recorded_sums
from data.files import disk_errors
from data.offline import check_online
from data.transfer import USER_AGENT, NotThere, PartialFile, Report, Source, fetch_file, fetch_text, shown

_Outcome = Literal["fetched", "kept", "missing"]


@dataclass(frozen=True, slots=True)
class DownloadProgress:
    """How far one file is. An optional file that the server does not have shows 0 of 0 bytes."""

    name: str
    done_bytes: int
    total_bytes: int | None
    """None when the server does not say."""
    file_number: int
    """From 1, in this call of `mirror`."""
    n_files: int


OnProgress = Callable[[DownloadProgress], None]


@dataclass(frozen=True, slots=True)
class MirrorResult:
    """What happened to the files that were asked for: each name is in one of the three lists."""

    folder: Path
    fetched: Ids
    kept: Ids
    """Already here, and unchanged since they were fetched."""
    missing: Ids
    """Optional files that the server does not have."""


def is_safe_name(name: str) -> bool:
    """Whether a relative path stays inside the folder that it is joined to.

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
    """Bring files from under `base_url` into `folder`, under the same relative names.

    What is here and unchanged is kept without asking again, so a folder belongs to one base. If the base has a
    `SHA256SUMS`, its sums decide what is whole and up to date. A file that the server does not have is an error when
    required and listed as missing when optional. `sleep` waits between attempts.
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
        httpx.Client(headers=headers, timeout=timeout_seconds, follow_redirects=True) as client,
    ):
        source = Source(client, base_url, n_attempts, sleep)
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


def _bring(source: Source, folder: Path, name: str, target: Path, published: str | None, report: Report) -> _Outcome:
    known = published or recorded_sums(folder).get(name)
    if known is not None and target.is_file() and file_sha256(target) == known:
        record_sum(folder, name, known)
        report(target.stat().st_size, target.stat().st_size)
        return "kept"
    part = PartialFile.of(target, source.url(name))
    try:
        fetch_file(source, name, part, report)
    except NotThere:
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
