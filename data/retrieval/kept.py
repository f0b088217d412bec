"""What is made of documents once and opened many times: a folder that is whole or not there.

It is made aside and renamed. One that is damaged, or was made of something else, is made again. How long that took is
kept with it.
"""

from __future__ import annotations

import json
import shutil
import time
import uuid
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import StoreError
from data.files import disk_errors
from data.folders import put_in_place, take_stale_away

ABOUT = "about.json"
Make = Callable[[Path], Mapping[str, Any]]
"""Fills a folder, and gives what else has to be known of it, as JSON can hold it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A folder that is whole."""

    folder: Path
    facts: Mapping[str, Any]
    """What its maker said of it."""
    seconds: float
    """How long making it took."""
    n_bytes: int


def open_or_make(folder: Path, made_of: str, make: Make) -> Kept:
    """The folder as it is kept, made if it is not there or not whole. `made_of` names all that it depends on."""
    if there := _open(folder, made_of):
        return there
    aside = folder.with_name(f"{folder.name}.{uuid.uuid4().hex}.part")
    with disk_errors(folder):
        take_stale_away(folder)
        try:
            _make(aside, made_of, make)
            put_in_place(aside, folder, lambda: _open(folder, made_of) is not None)
        except ValueError as e:
            raise StoreError(f"the index in {folder} can't be made ({e}): check that there is room") from e
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    if there := _open(folder, made_of):
        return there
    raise StoreError(f"the index in {folder} can't be read back: check that its disk works and is not full")


def _make(aside: Path, made_of: str, make: Make) -> None:
    start = time.perf_counter()
    aside.mkdir(parents=True)
    facts = make(aside)
    seconds = time.perf_counter() - start
    files = {str(path.relative_to(aside)): _checksum(path) for path in sorted(aside.rglob("*")) if _counts(path)}
    about = {"made_of": made_of, "facts": dict(facts), "seconds": seconds, "files": files}
    (aside / ABOUT).write_text(json.dumps(about), encoding="ascii")


def _open(folder: Path, made_of: str) -> Kept | None:
    """Its files are compared with what they were, so that no damaged one is ever read."""
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="ascii"))
        if about["made_of"] != made_of:
            return None
        paths = {folder / name: checksum for name, checksum in about["files"].items()}
        if any(_checksum(path) != checksum for path, checksum in paths.items()):
            return None
        n_bytes = sum(path.stat().st_size for path in paths)
        return Kept(folder, dict(about["facts"]), float(about["seconds"]), n_bytes)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _counts(path: Path) -> bool:
    return path.is_file() and path.suffix != ".lock"


def _checksum(path: Path) -> int:
    value = 0
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            value = zlib.crc32(part, value)
    return value
