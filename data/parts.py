"""Unfinished files and folders: named after the process that writes them, and removed once it has ended."""

from __future__ import annotations

import os
import platform
import re
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

ASIDE = ".part"
STALE = 24 * 3600.0
"""Age in seconds at which an unfinished file is removed whose process can't be looked up."""
_OWNER = re.compile(r"\.(?P<host>[0-9a-f]{6})-(?P<pid>\d+)-(?P<start>\d+)\.[0-9a-f]{12}\.part$")
LEAVE = frozenset({"downloads"})
"""Folders whose unfinished files the next run resumes."""
DEPTH = 3


def part_of(path: Path) -> Path:
    """Return a name next to this one for an unfinished file or folder of this process."""
    return path.with_name(f"{path.name}.{_host()}-{os.getpid()}-{start_of(os.getpid())}.{uuid.uuid4().hex[:12]}{ASIDE}")


def parts_without_owner(root: Path, depth: int = DEPTH) -> tuple[Path, ...]:
    """Return the unfinished files and folders in this folder and below it whose process has ended."""
    now = time.time()
    return tuple(path for path in _parts(root, depth) if not _has_owner(path, now))


def remove_parts(root: Path, depth: int = DEPTH) -> int:
    """Remove the unfinished files of ended processes, and return their number. What can't be removed stays."""
    found = parts_without_owner(root, depth)
    for path in found:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
    return sum(not os.path.lexists(path) for path in found)


def _parts(folder: Path, depth: int) -> Iterator[Path]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.name.endswith((ASIDE, f"{ASIDE}.wal")):
            yield Path(entry.path)
        elif depth and entry.name not in LEAVE and entry.is_dir(follow_symlinks=False):
            yield from _parts(Path(entry.path), depth - 1)


def _has_owner(path: Path, now: float) -> bool:
    found = _OWNER.search(path.name.removesuffix(".wal"))
    if found is None or found["host"] != _host():
        try:
            return now - path.lstat().st_mtime <= STALE
        except OSError:
            return True  # it was removed or renamed
    pid = int(found["pid"])
    return is_alive(pid) and found["start"] == start_of(pid)


def is_alive(pid: int) -> bool:
    """Check whether a process runs."""
    if os.name == "nt":  # os.kill would end the process
        return _is_alive_on_windows(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # another user's
        return True
    return True


def _is_alive_on_windows(pid: int) -> bool:
    import ctypes

    kernel = vars(ctypes)["windll"].kernel32
    handle = kernel.OpenProcess(0x00100000, False, pid)  # SYNCHRONIZE
    if not handle:
        return False
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == 0x102)  # WAIT_TIMEOUT: it still runs
    finally:
        kernel.CloseHandle(handle)


def start_of(pid: int) -> str:
    """Return when a process began, so that another one with its number is not taken for it; "0" if not known."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return "0"
    return text.rpartition(")")[2].split()[19]


@cache
def _host() -> str:
    return sha256(platform.node().encode()).hexdigest()[:6]
