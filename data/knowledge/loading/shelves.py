"""Where files lie: in a folder, or in a zip archive that is read without unpacking it."""

from __future__ import annotations

import io
import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Protocol

from core.errors import FileError, FormatError
from core.types import Ids
from data.importers.decoding import plain_name

DEEPEST_FOLDER = 5
"""Folders inside one another that are looked through."""
MOST_FILES = 20_000
MOST_PACKED = 100
"""Times that a file of an archive may be larger than it is packed: texts are some ten times."""
SMALL = 100_000_000
"""Bytes that may be packed as they like."""
MOST_IN_MEMORY = 8_000_000_000
"""Bytes of a file that has to be taken out of an archive as a whole."""


class Shelf(Protocol):
    """Files by their names, with / between folders."""

    where: Path

    def names(self) -> Ids:
        """All of them, those of outer folders first."""
        ...

    def opened(self, name: str, *, whole: bool = False) -> AbstractContextManager[tuple[IO[bytes], int]]:
        """One, with its length. `whole`: it will be read from any place, not from the beginning on."""
        ...


def shelf_at(path: Path) -> Shelf:
    """The folder or archive."""
    if path.is_dir():
        return FolderShelf(path)
    if is_zip(path):
        return ZipShelf(path)
    raise FormatError(f"{path.name} is neither a folder nor a zip archive")


def is_zip(path: Path) -> bool:
    """Whether a file begins as an archive does, be it whole or not."""
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PK\x03\x04"
    except OSError:
        return False


class FolderShelf:
    """A folder on disk."""

    def __init__(self, where: Path) -> None:
        self.where = where

    def names(self) -> Ids:
        found: list[str] = []
        for folder, folders, files in os.walk(self.where):
            inside = Path(folder).relative_to(self.where)
            found += [(inside / name).as_posix() for name in files]
            folders[:] = sorted(folders) if len(inside.parts) < DEEPEST_FOLDER else []
            if len(found) > MOST_FILES:
                raise FileError(f"{self.where} holds more than {MOST_FILES:,} files: name the folder they lie in")
        return _outer_first(found)

    @contextmanager
    def opened(self, name: str, *, whole: bool = False) -> Iterator[tuple[IO[bytes], int]]:
        path = self.where / name
        try:
            with path.open("rb") as stream:
                yield stream, path.stat().st_size
        except OSError as e:
            raise FileError(f"can't read {path} ({e.strerror or e}): check that it is yours") from e


class ZipShelf:
    """A zip archive on disk."""

    def __init__(self, where: Path) -> None:
        self.where = where
        with self._archive() as archive:
            self._names = _outer_first(entry for entry in archive.namelist() if not entry.endswith("/"))

    @contextmanager
    def _archive(self) -> Iterator[zipfile.ZipFile]:
        try:
            with zipfile.ZipFile(self.where) as archive:
                yield archive
        except zipfile.BadZipFile as e:
            raise FormatError(
                f"{self.where.name} is cut off or damaged, perhaps a download that was broken off: download it again"
            ) from e
        except (EOFError, zlib.error, lzma.LZMAError, struct.error) as e:
            raise FormatError(f"{self.where.name} is damaged inside: download it again") from e
        except (NotImplementedError, RuntimeError) as e:
            raise FormatError(f"{self.where.name} can't be unpacked here ({e}): unpack it and name the folder") from e
        except OSError as e:
            raise FileError(f"can't read {self.where} ({e.strerror or e}): check that it is yours") from e

    def names(self) -> Ids:
        return self._names

    @contextmanager
    def opened(self, name: str, *, whole: bool = False) -> Iterator[tuple[IO[bytes], int]]:
        with self._archive() as archive, archive.open(name) as stream:
            info = archive.getinfo(name)
            size = info.file_size
            if size > max(SMALL, MOST_PACKED * info.compress_size):
                raise FormatError(
                    f"{name} in {self.where.name} unpacks to {size / 1e9:,.1f} GB from next to nothing: it was not read"
                )
            if not whole:
                yield stream, size
                return
            if size > MOST_IN_MEMORY:
                raise FormatError(f"{name} takes {size / 1e9:,.0f} GB: unpack {self.where.name} and name the folder")
            yield io.BytesIO(stream.read()), size


def _outer_first(names: Iterator[str] | list[str]) -> Ids:
    plain = (name for name in names if not any(part.startswith((".", "__MACOSX")) for part in name.split("/")))
    return tuple(sorted(plain, key=lambda name: (name.count("/"), plain_name(name))))
