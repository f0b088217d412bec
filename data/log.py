"""The write-ahead log of the store: tell a damaged one from one that a kill cut off.

DuckDB replays a log up to the first entry that is incomplete, and ignores one whose head it can't read. That is right
after a kill. If a byte of a head or of a length was changed, committed changes would be lost silently.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from threading import RLock

import numpy as np
import numpy.typing as npt

from core.errors import CorruptStoreError

_HEAD = re.compile(
    rb"d\x00be\x00\x02(?:f\x00\x10(?:[\x00-\x7f]|[\x80-\xff]\x01){16}g\x00[\x80-\xff]{0,9}[\x00-\x7f])?\xff\xff"
)
"""The first entry, of the log's second version: its type, the version, the identity of the store, the checkpoint."""
_FIELD = 8
_CHECKPOINT = b"d\x00c"
"""How the entry begins after which the log's changes are in the store's file."""
_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_WORD = 0xFFFF_FFFF_FFFF_FFFF
_HEADERS = (4096, 8192)
"""Where a DuckDB file has its two headers, each with a checksum and the number of its checkpoint."""


@dataclass(frozen=True, slots=True)
class LogDamage:
    at: int
    """The first byte that can't be replayed; what is before it can."""
    n_bytes: int
    """Length of the log."""


opening = RLock()
"""Held while a store is checked and opened: reading its file would release the lock of one that is open here."""
_opened: Counter[Path] = Counter()
"""The stores that this process has open."""


def opened(store: Path) -> None:
    """Record that this process has opened a store; `closed` ends it."""
    _opened[store] += 1


def closed(store: Path) -> None:
    _opened[store] -= 1


def is_open_here(store: Path) -> bool:
    return _opened[store] > 0


def _is_held(store: Path) -> bool:
    """Return True if another process has the store open: its log is then in motion."""
    try:
        import fcntl

        with store.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        return False  # on Windows a file that another process has open can't be read
    except OSError:
        return True
    return False


def log_of(store: Path) -> Path:
    return store.with_name(f"{store.name}.wal")


def check_log(store: Path) -> None:
    """Raise an error if the log of a closed store is damaged."""
    if is_open_here(store):
        return  # reading the file would release DuckDB's lock on it
    damage = log_damage(store)
    if damage is not None and not _is_held(store):
        raise CorruptStoreError(
            f"{log_of(store)} is damaged at byte {damage.at:,} of {damage.n_bytes:,}, so the last changes can't be "
            "read: run queryscape workspace repair, which opens the store without them"
        )


def log_damage(store: Path) -> LogDamage | None:
    """Find where the log of a closed store is damaged. None: it is sound, was cut off by a kill, or is empty."""
    try:
        log = log_of(store).read_bytes()
    except OSError:
        return None
    head = _HEAD.match(log)
    if head is None:
        # A kill leaves no complete entry after half a head.
        return LogDamage(0, len(log)) if _has_entry(log, 1) else None
    at, is_checkpoint = head.end(), False
    while (end := _end_of(log, at)) is not None:
        is_checkpoint = is_checkpoint or log.startswith(_CHECKPOINT, at + 2 * _FIELD)
        at = end
    is_complete = at + 2 * _FIELD + _number(log, at) <= len(log)
    if at < len(log) and (is_complete or _has_other_length(log, at) or _has_entry(log, at + 1)):
        return LogDamage(at, len(log))
    if at == head.end():
        return None
    return None if is_checkpoint or _belongs(store, head[0]) else LogDamage(0, len(log))


def _end_of(log: bytes, at: int) -> int | None:
    """Return the end of the complete and sound entry that begins here; None: there is none."""
    start = at + 2 * _FIELD
    n_bytes, checksum = _number(log, at), _number(log, at + _FIELD)
    if start + n_bytes > len(log) or not n_bytes or log_checksum(log[start : start + n_bytes]) != checksum:
        return None
    return start + n_bytes


def _has_other_length(log: bytes, at: int) -> bool:
    """Return True if the entry that begins here would be sound with a length that differs in one byte."""
    n_bytes, checksum, start = _number(log, at), _number(log, at + _FIELD), at + 2 * _FIELD
    lengths = {n_bytes & ~(0xFF << 8 * i) | value << 8 * i for i in range(_FIELD) for value in range(256)}
    return any(
        0 < length <= len(log) - start and log_checksum(log[start : start + length]) == checksum for length in lengths
    )


def _has_entry(log: bytes, first: int) -> bool:
    """Return True if a sound entry begins anywhere from this byte on."""
    if len(log) < first + 2 * _FIELD + 1:
        return False
    content = np.frombuffer(log, dtype=np.uint8)[first:]
    windows = np.lib.stride_tricks.sliding_window_view(content, _FIELD)
    lengths = np.ascontiguousarray(windows).view("<u8")[:, 0]
    places = np.flatnonzero((lengths > 0) & (lengths <= np.uint64(len(content))))
    return any(_end_of(log, first + int(place)) is not None for place in places)


def _belongs(store: Path, head: bytes) -> bool:
    """Return False if the log's checkpoint is not the store's: DuckDB would skip the log."""
    if b"g\x00" not in head:
        return True
    checkpoint = 0
    for place, byte in enumerate(head[head.rindex(b"g\x00") + 2 : -2]):
        checkpoint |= (byte & 0x7F) << 7 * place
    try:
        with store.open("rb") as file:
            content = file.read(_HEADERS[-1] + 2 * _FIELD)
    except OSError:
        return True
    numbers = [
        _number(content, at + _FIELD) for at in _HEADERS if len(content) >= at + 2 * _FIELD and _number(content, at)
    ]
    return not numbers or checkpoint == max(numbers)


def log_checksum(content: bytes) -> int:
    """Return DuckDB's checksum: of each 8 bytes, and of the rest."""
    n_words, n_rest = divmod(len(content), _FIELD)
    words: npt.NDArray[np.uint64] = np.frombuffer(content, dtype="<u8", count=n_words)
    found = 5381 ^ int(np.bitwise_xor.reduce(words * _FACTOR, initial=np.uint64(0)))
    return found ^ _checksum_of_rest(content[n_words * _FIELD :]) if n_rest else found


def _checksum_of_rest(content: bytes) -> int:
    factor = 0xC6A4A7935BD1E995
    found = (0xE17A1465 ^ len(content) * factor) & _WORD
    found = (found ^ int.from_bytes(content, "little")) * factor & _WORD
    found ^= found >> 47
    found = found * factor & _WORD
    return found ^ found >> 47


def _number(content: bytes, at: int) -> int:
    return int.from_bytes(content[at : at + _FIELD], "little") if at + _FIELD <= len(content) else _WORD
