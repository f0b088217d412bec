"""Zip archives and .npz files from strangers, read without trust in their sizes and names.

Every reader of a zip uses this. An archive is checked as a whole when it is opened (names, links, encryption, overlap,
count, total size); content is read in pieces and never beyond the size that the archive states.
"""

from __future__ import annotations

import math
import re
import stat
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from xml.parsers import expat

import numpy as np
import numpy.typing as npt

from core.errors import FormatError

CHUNK = 1 << 16
_LOCAL_HEADER = 30
"""Smallest size of the header before each file's content."""
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError)
"""Errors of the content of a damaged archive."""
_BROKEN_DIRECTORY = (*_BROKEN, RuntimeError, OSError, OverflowError, ValueError)
"""Errors of a damaged list of files."""
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\..*)?", re.IGNORECASE)
"""Names that are devices on Windows, in any folder and with any extension."""
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    advice: str
    """The end of each message: "save it as CSV"."""
    kind: str = "a zip archive"
    """The archive's kind in messages, with its article."""
    most_files: int = 20_000
    most_bytes: int = 1_500_000_000
    """Largest total size of all files, unpacked."""
    harmless: int = 100_000_000
    """Total size up to which any ratio is allowed."""
    most_ratio: int = 150
    """Largest ratio of total size to the archive's size; texts have about ten."""


class CheckedArchive:
    """An open archive of plain files. `name` is used in messages."""

    def __init__(self, archive: zipfile.ZipFile, n_bytes: int, name: str, limits: ArchiveLimits) -> None:
        self.name = name
        self._archive, self._limits = archive, limits
        infos = archive.infolist()
        if len(infos) > limits.most_files:
            raise self.refusal(f"contains {len(infos):,} files, more than the limit of {limits.most_files:,}")
        self._infos: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            if wrong := _wrong(info):
                raise self.refusal(f"contains the file {quoted(info.orig_filename)}, which {wrong}")
            if info.filename in self._infos:
                raise self.refusal(f"contains the file {quoted(info.filename)} twice")
            self._infos[info.filename] = info
        self._check_overlap(infos, archive.start_dir)
        total = sum(info.file_size for info in infos)
        if total > limits.most_bytes or (total > limits.harmless and total > limits.most_ratio * n_bytes):
            raise self.refusal(f"would unpack to {total:,} bytes")

    @property
    def names(self) -> tuple[str, ...]:
        """All files, without folders, in the order of the archive."""
        return tuple(name for name in self._infos if not name.endswith("/"))

    @property
    def folders(self) -> tuple[str, ...]:
        return tuple(name for name in self._infos if name.endswith("/"))

    def __contains__(self, name: str) -> bool:
        return name in self._infos

    def info(self, name: str) -> zipfile.ZipInfo:
        if name not in self._infos:
            raise self.refusal(f"has no file {quoted(name)}")
        return self._infos[name]

    def refusal(self, what: str) -> FormatError:
        return FormatError(f"{self.name} {what}: {self._limits.advice}")

    def _check_overlap(self, infos: Sequence[zipfile.ZipInfo], end: int) -> None:
        """Refuse files that share bytes: a small archive could then unpack to any size."""
        for info in sorted(infos, key=lambda info: info.header_offset, reverse=True):
            if not 0 <= info.header_offset <= end - _LOCAL_HEADER - info.compress_size:
                raise self.refusal(f"stores the file {quoted(info.filename)} inside another one")
            end = info.header_offset

    @contextmanager
    def opened(self, name: str) -> Iterator[IO[bytes]]:
        """Open a file to be read in pieces."""
        info = self.info(name)
        with self.damage(), self._archive.open(info) as stream:
            yield stream

    def chunks(self, name: str) -> Iterator[bytes]:
        """Yield the content of a file; its checksum is compared at the end."""
        with self.opened(name) as stream:
            while piece := stream.read(CHUNK):
                yield piece

    def read(self, name: str, most: int | None = None) -> bytes:
        """Return the content of a file of at most `most` bytes."""
        if most is not None and (size := self.info(name).file_size) > most:
            raise self.refusal(f"contains the file {quoted(name)} of {size:,} bytes where at most {most:,} belong")
        return b"".join(self.chunks(name))

    @contextmanager
    def damage(self) -> Iterator[None]:
        try:
            yield
        except _BROKEN as e:
            raise self.refusal(f"is damaged inside ({_reason(e)})") from e


@contextmanager
def opened_archive(file: Path | IO[bytes], name: str, limits: ArchiveLimits) -> Iterator[CheckedArchive]:
    """Open an archive after checking it. Errors on opening a path stay OSErrors."""
    if isinstance(file, Path):
        with file.open("rb") as stream, opened_archive(stream, name, limits) as found:
            yield found
        return
    try:
        n_bytes = file.seek(0, 2)
        archive = zipfile.ZipFile(file)
    except _BROKEN_DIRECTORY as e:
        raise FormatError(
            f"{name} can't be read as {limits.kind}: damaged, cut off or no such file ({_reason(e)}): {limits.advice}"
        ) from e
    with archive:
        yield CheckedArchive(archive, n_bytes, name, limits)


def check_xml(archive: CheckedArchive) -> None:
    """Refuse XML parts with a document type, which entities need, however late it begins; read all other parts once.

    Libraries that read whole parts can then trust the sizes.
    """
    for name in archive.names:
        prolog = _Prolog() if name.endswith((".xml", ".rels")) else None
        for piece in archive.chunks(name):
            if prolog is not None and prolog.has_doctype(piece):
                raise archive.refusal(f"contains the file {quoted(name)} with XML entities of its own (DOCTYPE)")


class _Prolog:
    """The part of an XML document before its first element."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._is_over = self._found = False
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._element

    def has_doctype(self, piece: bytes) -> bool:
        """Return True if a document type was found in this piece."""
        if not self._is_over:
            # A damaged part, or one in an unknown encoding, is refused where it is read.
            with suppress(expat.ExpatError, LookupError, ValueError):
                self._parser.Parse(piece)
        return self._found

    def _doctype(self, *_: object) -> None:
        self._found = self._is_over = True
        raise expat.ExpatError("stop")

    def _element(self, *_: object) -> None:
        self._is_over = True
        raise expat.ExpatError("stop")


def _wrong(info: zipfile.ZipInfo) -> str | None:
    name = info.orig_filename
    parts = name.removesuffix("/").split("/")
    if not is_plain_path(name):
        return "has a name that would lie outside the archive, or that a file can't have everywhere"
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is a link or a device"
    if info.flag_bits & 0x1:
        return "is encrypted"
    if info.compress_type not in _METHODS:
        return "uses a compression other than deflate"
    if len(parts) > 100:
        return "lies in more than 100 folders"
    return None


def is_plain_path(name: str) -> bool:
    """Return True if a member's name is a relative path that is valid on every system.

    >>> [is_plain_path(name) for name in ("xl/a.xml", "a/", "../a", "/a", "C:/a", "a\\\\b", "nul.txt", "a\\0b", "")]
    [True, True, False, False, False, False, False, False, False]
    """
    parts = name.removesuffix("/").split("/")
    odd = any(ord(sign) < 32 or sign in "\\\x7f" for sign in name) or name[1:2] == ":"
    return not odd and not any(part in ("", ".", "..") or _DEVICES.fullmatch(part) for part in parts)


def quoted(member: str) -> str:
    return repr(member if len(member) <= 80 else f"{member[:77]}...")


def _reason(e: Exception) -> str:
    return " ".join(str(e).split())[:80] or type(e).__name__


# Arrays of an .npz. Nothing is unpickled, and nothing is allocated before the sizes are known to be true.


class ArrayFile:
    """The arrays of an open .npz. They are read one at a time."""

    def __init__(self, archive: CheckedArchive) -> None:
        self._archive = archive

    @property
    def names(self) -> list[str]:
        return sorted(name.removesuffix(".npy") for name in self._archive.names if name.endswith(".npy"))

    def array(self, name: str) -> npt.NDArray[Any]:
        """Read an array whose stated shape fits its size."""
        member = f"{name}.npy"
        with self._archive.opened(member) as stream:
            shape, by_columns, dtype = self._header(stream, name)
            n_bytes = math.prod(shape) * dtype.itemsize
            rest = self._archive.info(member).file_size - stream.tell()
            if n_bytes != rest or max(shape, default=0) > max(rest, 1) or len(shape) > 8:
                raise self._archive.refusal(f"states a shape of {str(shape)[:60]} for {name}, which does not fit it")
            content = bytearray()
            while piece := stream.read(CHUNK):
                content += piece
        return np.frombuffer(content, dtype).reshape(shape, order="F" if by_columns else "C")

    def _header(self, stream: IO[bytes], name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                version = np.lib.format.read_magic(stream)
                reads = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
                shape, by_columns, dtype = reads[version](stream)
        except _BROKEN:
            raise
        # A header is evaluated as a literal: damaged ones raise errors without a common class.
        except Exception as e:
            raise self._archive.refusal(f"has no readable array {name} ({_reason(e)})") from e
        if dtype.hasobject or dtype.kind not in "biufcSU" or any(size < 0 for size in shape):
            raise self._archive.refusal(f"has an array {name} of {dtype}, but arrays are read without objects")
        return shape, by_columns, dtype


@contextmanager
def opened_arrays(path: Path, how: str) -> Iterator[ArrayFile]:
    """Open an .npz; `how`: the end of each message."""
    limits = ArchiveLimits(
        f"make it with {how}", "an .npz without objects", most_files=10_000, most_bytes=1 << 40, most_ratio=100
    )
    with opened_archive(path, str(path), limits) as archive:
        yield ArrayFile(archive)
