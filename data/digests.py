"""Digests of the blocks of a file, written next to it, and compared when a block is first used."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from core.errors import CorruptStoreError
from data.files import written_aside

# NAME.digests lists one digest for each MiB of the file NAME. A file from before digests has none, and can be read.

BLOCK = 1 << 20
ALGORITHM = "sha256 of each MiB"
"""sha256 is the fastest secure digest of hashlib where the processor has instructions for it: 1.1 GB/s and more."""
SUFFIX = ".digests"
WAY_OUT = "run queryscape workspace repair, or embed the topic, or load the vectors, again"
LEAST_EQUAL = 56
"""Equal characters, of 64, from which a recorded digest is itself the damaged one: other contents share about four."""
MOST_REMEMBERED = 10_000


@dataclass(slots=True)
class _CheckedFile:
    stamp: tuple[int, ...]
    digests: tuple[str, ...] | None
    sound: set[int] = field(default_factory=set)
    """The blocks that were compared in this process."""


_files: dict[Path, _CheckedFile] = {}
_lock = Lock()


def digests_of(path: Path) -> Path:
    """Return where the digests of this file are."""
    return path.with_name(path.name + SUFFIX)


def record_digests(path: Path) -> None:
    """Write the digests of a file next to it."""
    with path.open("rb") as file:
        digests = []
        while block := file.read(BLOCK):
            digests.append(hashlib.sha256(block).hexdigest())
    with written_aside(digests_of(path)) as out:
        out.write(json.dumps({"algorithm": ALGORITHM, "digests": digests}).encode())


@contextmanager
def written_with_digests(path: Path) -> Iterator[BinaryIO]:
    """Open a file that appears completely or not at all, and gets digests. In between it has none, never old ones."""
    with written_aside(path) as file:
        yield file
        digests_of(path).unlink(missing_ok=True)
    record_digests(path)


def read_digests(path: Path) -> tuple[str, ...] | None:
    """Read the digests of a file; None if there are none, or none that can be read."""
    try:
        found = json.loads(digests_of(path).read_bytes())
        digests = tuple(map(str, found["digests"]))
        fits = found["algorithm"] == ALGORITHM and len(digests) == -(-path.stat().st_size // BLOCK)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return digests if fits else None


def damaged_blocks(path: Path) -> tuple[int, ...] | None:
    """Compare the whole file with its digests; None if it has none."""
    if (digests := read_digests(path)) is None:
        return None
    with path.open("rb") as file:
        return tuple(number for number, digest in enumerate(digests) if not _is_same(digest, file.read(BLOCK)))


def check_bytes(path: Path, start: int = 0, stop: int | None = None, *, way_out: str = WAY_OUT) -> None:
    """Raise an error if these bytes of the file are damaged. A block is read once in a process."""
    checked = _checked(path)
    if checked is None or checked.digests is None:
        return
    last = len(checked.digests) if stop is None else min(-(-stop // BLOCK), len(checked.digests))
    _check(path, checked, range(start // BLOCK, last), way_out)


def check_rows(path: Path, first_byte: int, row_bytes: int, rows: Iterable[int]) -> None:
    """Raise an error if any of these rows of equal length is damaged."""
    checked = _checked(path)
    if checked is None or checked.digests is None:
        return
    starts = {(first_byte + row * row_bytes) // BLOCK for row in rows}
    more = (row_bytes + BLOCK - 2) // BLOCK
    _check(path, checked, sorted({number + i for number in starts for i in range(more + 1)}), WAY_OUT)


def _checked(path: Path) -> _CheckedFile | None:
    """Return the state of the comparison; it begins again if the file or its digests were replaced."""
    try:
        stamp = _stamp(path)
    except OSError:
        return None  # who reads the file reports that it is missing
    with suppress(OSError):
        stamp += _stamp(digests_of(path))
    with _lock:
        known = _files.get(path)
        if known is None or known.stamp != stamp:
            if len(_files) >= MOST_REMEMBERED:
                _files.clear()
            known = _files[path] = _CheckedFile(stamp, read_digests(path))
        return known


def _stamp(path: Path) -> tuple[int, ...]:
    about = os.stat(path)
    return about.st_mtime_ns, about.st_size, about.st_ino


def _check(path: Path, checked: _CheckedFile, blocks: Iterable[int], way_out: str) -> None:
    digests = checked.digests or ()
    missing = [number for number in blocks if number not in checked.sound and number < len(digests)]
    if not missing:
        return
    try:
        with path.open("rb") as file:
            for number in missing:
                file.seek(number * BLOCK)
                block = file.read(BLOCK)
                if not _is_same(digests[number], block):
                    start = number * BLOCK
                    raise CorruptStoreError(
                        f"{path} is damaged between bytes {start:,} and {start + len(block):,}: {way_out}"
                    )
                checked.sound.add(number)
    except OSError as e:
        raise CorruptStoreError(f"{path} can't be read ({e.strerror or e}): {way_out}") from e


def _is_same(recorded: str, block: bytes) -> bool:
    digest = hashlib.sha256(block).hexdigest()
    if recorded == digest:
        return True
    return len(recorded) == len(digest) and sum(map(str.__eq__, recorded, digest)) >= LEAST_EQUAL
