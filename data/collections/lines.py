"""Text files of any size, line by line: one block is in memory at a time, decoded as every import is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from core.errors import FileError, FormatError
from data.importers.decoding import MOST_BYTES, no_text, opened, plain_name
from data.importers.source import Source

BLOCK = 4_000_000
LONGEST_LINE = 50_000_000
"""Bytes. What has no line end for longer is no file of lines."""
HEAD = 256_000
"""Bytes that are looked at to see what a file is."""
_BY_BLOCK = ("utf-8", "cp1252", "latin-1")
"""Encodings in which a line end is one byte, so that a file can be cut there."""


@dataclass(frozen=True, eq=False)
class TextFile:
    """A file and what people call it."""

    path: Path
    name: str
    """With the folders between it and the collection's own."""
    notes: list[str] = field(default_factory=list)
    """What was assumed while it was read."""

    @classmethod
    def at(cls, path: Path, root: Path | None = None) -> TextFile:
        """A file, named from a folder on."""
        return cls(path, plain_name(path.relative_to(root).as_posix() if root else path.name))

    @property
    def n_bytes(self) -> int:
        with _readable(self.path):
            return self.path.stat().st_size

    def head(self) -> str:
        """Enough to see what it is. A file that is no text is an error."""
        with _readable(self.path), self.path.open("rb") as opened_file:
            data = opened_file.read(HEAD)
        if len(data) == HEAD and b"\n" in data and b"\0" not in data:
            data = data[: data.rfind(b"\n") + 1]
        return _decoded(data, self.name).text

    def blocks(self) -> Iterator[tuple[int, str]]:
        """Whole lines, many at once, with the number of the first."""
        number = 1
        for data in self._raw():
            if number == 1:
                source = _decoded(data, self.name)
                text = source.text
                if source.encoding not in _BY_BLOCK:
                    yield 1, self.whole()
                    return
            else:
                # Only a file's beginning can say what it is; a line end before it keeps a block from looking like one.
                source = _decoded(b"\n" + data, self.name)
                text = source.text[1:]
            self._note(source, number)
            yield number, text
            number += text.count("\n")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Every line with its number, from 1."""
        for first, text in self.blocks():
            lines = text.split("\n")
            if not lines[-1]:
                lines.pop()
            yield from enumerate(lines, start=first)

    def whole(self, most: int = MOST_BYTES) -> str:
        """All of it, for what can't be read in pieces."""
        if self.n_bytes > most:
            raise FileError(f"{self.name} has {self.n_bytes / 1e6:,.0f} MB; up to {most / 1e6:,.0f} MB can be read")
        with _readable(self.path):
            data = self.path.read_bytes()
        source = _decoded(data, self.name)
        self._note(source, 1)
        return source.text

    def _raw(self) -> Iterator[bytes]:
        rest = b""
        with _readable(self.path), self.path.open("rb") as opened_file:
            while data := opened_file.read(BLOCK):
                cut = data.rfind(b"\n") + 1
                if cut:
                    yield rest + data[:cut]
                    rest = data[cut:]
                    continue
                rest += data
                if len(rest) > LONGEST_LINE:
                    raise FormatError(f"{self.name} has a line of more than {LONGEST_LINE / 1e6:.0f} MB: it is no text")
        if rest:
            yield rest

    def _note(self, source: Source, number: int) -> None:
        """What was assumed, once."""
        if source.notes and not self.notes:
            where = f", from line {number:,} on" if number > 1 else ""
            self.notes.append(f"{self.name}{where}: {'; '.join(source.notes)}")


class _readable:
    """Foreign errors in our words."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> Literal[False]:
        if isinstance(error, OSError | ValueError):
            reason = getattr(error, "strerror", None) or error
            raise FileError(f"can't read {self._path} ({reason}): check that it is yours") from error
        return False


def _decoded(data: bytes, name: str) -> Source:
    if what := no_text(data):
        raise FormatError(f"{name} is {what}")
    try:
        source = opened(data, name)
    except FormatError as e:
        what = "a zip archive: unpack it first" if data.startswith(b"PK") else "not a text file"
        raise FormatError(f"{name} is {what}") from e
    if source.data:
        raise FormatError(f"{name} is a workbook: save it as text")
    return source
