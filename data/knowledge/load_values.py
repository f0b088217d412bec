"""Files, values and rejections shared by all loaders of knowledge bases."""

from __future__ import annotations

import io
import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

from core.errors import FileError, FormatError
from core.types import Ids
from data.archives import ArchiveLimits, CheckedArchive, opened_archive
from data.files import read_errors
from data.importers.collection_parts import MOST_NAMED, RejectedLine, clean_text
from data.importers.source import plain_name

DEEPEST_FOLDER = 5
"""Depth of nested folders to search."""
MOST_FILES = 20_000
MOST_PACKED = 100
"""Largest ratio of unpacked to packed size of an archive; texts have about ten."""
MOST_UNPACKED = 1 << 43
"""Largest total size in bytes."""
SMALL = 100_000_000
"""Size in bytes up to which any ratio is allowed."""
MOST_IN_MEMORY = 8_000_000_000
"""Largest size in bytes of a file that must be unpacked as a whole."""


class Shelf(Protocol):
    where: Path

    def names(self) -> Ids:
        """Return all names, those in outer folders first."""
        ...

    def opened(self, name: str, *, whole: bool = False) -> AbstractContextManager[tuple[IO[bytes], int]]:
        """Open a file and return it with its length. `whole`: for random access, not only from the beginning."""
        ...


def shelf_at(path: Path) -> Shelf:
    if path.is_dir():
        return FolderShelf(path)
    if is_zip(path):
        return ZipShelf(path)
    raise FormatError(f"{path.name} is neither a folder nor a zip archive")


def is_zip(path: Path) -> bool:
    """Return True if a file begins like an archive, complete or damaged."""
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PK\x03\x04"
    except OSError:
        return False


class FolderShelf:
    def __init__(self, where: Path) -> None:
        self.where = where

    def names(self) -> Ids:
        found: list[str] = []
        for folder, folders, files in os.walk(self.where):
            inside = Path(folder).relative_to(self.where)
            found += [(inside / name).as_posix() for name in files]
            folders[:] = sorted(folders) if len(inside.parts) < DEEPEST_FOLDER else []
            if len(found) > MOST_FILES:
                raise FileError(
                    f"{self.where} holds more than {MOST_FILES:,} files: name the folder that contains them"
                )
        return _outer_first(found)

    @contextmanager
    def opened(self, name: str, *, whole: bool = False) -> Iterator[tuple[IO[bytes], int]]:
        path = self.where / name
        with read_errors(path), path.open("rb") as stream:
            yield stream, path.stat().st_size


class ZipShelf:
    def __init__(self, where: Path) -> None:
        self.where = where
        with self._archive() as archive:
            self._names = _outer_first(archive.names)

    @contextmanager
    def _archive(self) -> Iterator[CheckedArchive]:
        limits = ArchiveLimits(
            "unpack it and name the folder, or download it again",
            "a complete zip archive",
            *(MOST_FILES, MOST_UNPACKED, SMALL, MOST_PACKED),
        )
        with read_errors(self.where), opened_archive(self.where, self.where.name, limits) as archive:
            yield archive

    def names(self) -> Ids:
        return self._names

    @contextmanager
    def opened(self, name: str, *, whole: bool = False) -> Iterator[tuple[IO[bytes], int]]:
        with self._archive() as archive:
            size = archive.info(name).file_size
            if whole and size > MOST_IN_MEMORY:
                raise FormatError(f"{name} takes {size / 1e9:,.0f} GB: unpack {self.where.name} and name the folder")
            if whole:
                yield io.BytesIO(archive.read(name)), size
                return
            with archive.opened(name) as stream:
                yield stream, size


def _outer_first(names: Iterable[str]) -> Ids:
    plain = (name for name in names if not any(part.startswith((".", "__MACOSX")) for part in name.split("/")))
    return tuple(sorted(plain, key=lambda name: (name.count("/"), plain_name(name))))


# Items that a loader leaves out, with their position. Nothing is lost silently.

SHOWN = 3


class LoaderOmissions:
    def __init__(self, notes: list[str]) -> None:
        self.lines: list[RejectedLine] = []
        self.n = 0
        self._notes = notes
        self._counted: dict[str, tuple[int, list[str]]] = {}

    def reject(self, file: str, line: int | None, reason: str) -> None:
        self.n += 1
        if len(self.lines) < MOST_NAMED:
            self.lines.append(RejectedLine(file, line, reason))

    def count(self, what: str, example: str, line: int | None = None) -> None:
        """Count an item that is imported or handled differently, for a note to the user."""
        n, examples = self._counted.setdefault(what, (0, []))
        if len(examples) < SHOWN:
            named = f'"{example[:60]}"'
            examples.append(named if line is None else f"{named} in line {line:,}")
        self._counted[what] = n + 1, examples

    def say(self) -> None:
        """Add the counts to the notes, once."""
        for what, (n, examples) in self._counted.items():
            self._notes.append(f"{what}: {n:,} ({', '.join(examples)}{', ...' if n > len(examples) else ''})")
        self._counted.clear()
        if self.n > len(self.lines):
            self._notes.append(f"{self.n:,} parts of files were left out; the first {len(self.lines):,} are listed")


# Values of a source as text; markers for missing values are left out.

MISSING = frozenset({"", "-1", "nan", "none", "null", "-1.0"})
DEEPEST_VALUE = 4
MOST_VALUES = 5_000
"""Largest number of nested values to read: a few shared ones could expand to more than fits on any disk."""
MOST_CHARACTERS = 20_000_000
"""Largest length of one value, including repeated texts."""
_encoded = json.JSONEncoder(ensure_ascii=False).encode


def value_text(value: Any) -> str:
    """Return a value as text; empty if it is missing.

    >>> [value_text(value) for value in ("-1", float("nan"), 2015.0, ["red", None, "blue"], {"size": {"w": 3}})]
    ['', '', '2015', 'red; blue', 'size: w: 3']
    """
    if type(value) is str:
        if len(value) < 5 and value.strip().lower() in MISSING:
            return ""
        return clean_text(value)
    if type(value) is int:
        return "" if value == -1 else _number(value)
    if value is None:
        return ""
    if type(value) is bool:
        return "yes" if value else "no"
    if type(value) is float:
        return _float(value)
    return clean_text("".join(_inside(value, [MOST_VALUES, MOST_CHARACTERS], 0)))


def _number(value: int) -> str:
    return str(value) if value.bit_length() < 200 else "a huge number"


def _float(value: float) -> str:
    if not math.isfinite(value) or value == -1:
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _inside(value: Any, left: list[int], depth: int) -> Iterable[str]:
    if isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    elif isinstance(value, Mapping | list | tuple | set) and depth < DEEPEST_VALUE:
        pairs = value.items() if isinstance(value, Mapping) else ((None, part) for part in value)
        between = ""
        for key, part in pairs:
            left[0] -= 1
            if left[0] < 0 or left[1] < 0:
                return
            text = "".join(_inside(part, left, depth + 1)) if _holds(part) else value_text(part)
            left[1] -= len(text) if not _holds(part) else 0
            if text:
                yield f"{between}{key}: {text}" if type(key) is str else f"{between}{text}"
                between = "; "


def _holds(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple | set)


def attributes_of(info: Mapping[Any, Any], left_out: frozenset[str]) -> str:
    pairs = [
        [key, text]
        for key, value in info.items()
        if type(key) is str and key not in left_out and (text := value_text(value))
    ]
    return _encoded(pairs) if pairs else ""


def encoded(pairs: Iterable[tuple[str, str]]) -> str:
    listed = [[name, value] for name, value in pairs if value]
    return _encoded(listed) if listed else ""


def first_filled(info: Mapping[Any, Any], *keys: str) -> str:
    return next((text for key in keys if (text := value_text(info.get(key)))), "")


def in_lines(pairs: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"{name}: {text}" if name else text for name, text in pairs if text)


Described = tuple[str, str, str]
"""Title, text and attributes."""
Describe = Callable[[Mapping[Any, Any]], Described]
