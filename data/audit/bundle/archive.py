"""The zip itself: written the same every time, and read as if somebody meant harm."""

from __future__ import annotations

import hashlib
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from typing import BinaryIO

from core.errors import FileError, FormatError
from data.audit.bundle.decoding import Decoder, parsed_json
from data.audit.bundle.encoding import json_bytes
from data.audit.bundle.layout import (
    FORMAT,
    HARMLESS,
    LARGEST_BUNDLE,
    LARGEST_FILE,
    LARGEST_MANIFEST,
    LARGEST_RATIO,
    LARGEST_ZIP,
    MANIFEST,
    MOST_FILES,
    VERSION,
    FileEntry,
    NewerBundleError,
    is_safe_name,
)

_CHUNK = 1 << 16
_NEVER = (1980, 1, 1, 0, 0, 0)
"""The first time that a zip can write: the same content has the same bytes whenever it is written."""
_MANY = 5
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""What the reading of a broken zip may end in."""
_AGAIN = "ask for the bundle again"


def manifest(files: Mapping[str, bytes]) -> bytes:
    """Every file with its size and its sum."""
    entries = [
        {"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in sorted(files.items())
    ]
    return json_bytes({"format": FORMAT, "version": VERSION, "files": entries})


def write_archive(file: BinaryIO, files: Mapping[str, bytes]) -> None:
    """The manifest first, then every file by its name."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in [(MANIFEST, manifest(files)), *sorted(files.items())]:
            info = zipfile.ZipInfo(name, _NEVER)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # else the bytes would tell on which system it was written
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, content, compresslevel=6)


def read_archive(file: BinaryIO, name: str) -> dict[str, bytes]:
    """Every file but the manifest, each the one that the manifest tells of; `name` is what messages call the bundle."""
    size = _size(file, name)
    try:
        with zipfile.ZipFile(file) as archive:
            infos = _checked(archive.infolist(), name)
            if MANIFEST not in infos:
                raise FormatError(f"{name} is no bundle of Queryscape: it has no {MANIFEST}")
            entries = _entries(_unpacked(archive, infos.pop(MANIFEST), LARGEST_MANIFEST, name), name)
            _same_names(entries, infos, name)
            _not_too_much(entries, size, name)
            return _contents(archive, infos, entries, name)
    except _BROKEN as e:
        raise FormatError(f"{name} is a broken zip ({str(e)[:80] or type(e).__name__}): {_AGAIN}") from e


def _size(file: BinaryIO, name: str) -> int:
    try:
        size = file.seek(0, 2)
        file.seek(0)
        begins = file.read(4)
        file.seek(0)
    except OSError as e:
        raise FileError(f"{name} can't be read ({e.strerror or e})") from e
    if not size:
        raise FormatError(f"{name} is empty: {_AGAIN}")
    if not begins.startswith(b"PK"):
        raise FormatError(f"{name} is no bundle: it is not a zip")
    if size > LARGEST_ZIP:
        raise FormatError(f"{name} is larger than a bundle may be ({LARGEST_ZIP:,} bytes)")
    return size


def _checked(infos: Sequence[zipfile.ZipInfo], name: str) -> dict[str, zipfile.ZipInfo]:
    """The members by their names; one that is no plain file within the bundle is refused."""
    if len(infos) > MOST_FILES:
        raise FormatError(f"{name} holds {len(infos):,} files, more than a bundle has")
    found: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        member = info.orig_filename
        if wrong := _wrong(info):
            raise FormatError(f"{name}: the file {_quoted(member)} {wrong}: this is no bundle of Queryscape")
        if member.casefold() in found:
            raise FormatError(f"{name}: the file {_quoted(member)} is there twice: this is no bundle of Queryscape")
        found[member.casefold()] = info
    return {info.orig_filename: info for info in found.values()}


def _wrong(info: zipfile.ZipInfo) -> str | None:
    mode = info.external_attr >> 16
    if not is_safe_name(info.orig_filename) or info.filename != info.orig_filename:
        return "would lie outside of the bundle, or has a name that no file of a bundle has"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "is a link or a folder"
    if info.flag_bits & 0x1:
        return "is encrypted"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is packed in a way that no bundle is"
    if info.file_size > LARGEST_FILE:
        return f"says to be larger than {LARGEST_FILE:,} bytes"
    return None


def _quoted(member: str) -> str:
    """A name from outside: on one line, and not at length."""
    return repr(member if len(member) <= 80 else f"{member[:77]}...")


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int, name: str) -> bytes:
    """The content, piece by piece, and no more of it than there should be."""
    pieces, n = [], 0
    with archive.open(info) as member:
        while piece := member.read(_CHUNK):
            n += len(piece)
            if n > most:
                raise FormatError(f"{name}: the file {_quoted(info.filename)} is larger than it should be: {_AGAIN}")
            pieces.append(piece)
    return b"".join(pieces)


def _entries(content: bytes, name: str) -> dict[str, FileEntry]:
    """What the manifest says."""
    told = parsed_json(content, MANIFEST)
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise FormatError(f"{name} is no bundle of Queryscape: its {MANIFEST} does not say so")
    version = told.get("version")
    if type(version) is not int or version < 1:
        raise FormatError(f"{MANIFEST}: version must be a whole number from 1, got {str(version)[:20]}")
    if version > VERSION:
        raise NewerBundleError(
            f"{name} was written by a later Queryscape (bundle version {str(version)[:20]}, "
            f"this one reads up to {VERSION}): update Queryscape to open it"
        )
    if set(told) != {"format", "version", "files"}:
        raise FormatError(f"{MANIFEST} must hold format, version and files, and nothing else")
    entries = Decoder(MANIFEST, {}).decode_list(told["files"], FileEntry)
    found = {entry.name: entry for entry in entries}
    if len(found) != len(entries):
        raise FormatError(f"{MANIFEST} names a file twice")
    if odd := [entry for entry in entries if entry.size < 0 or not is_safe_name(entry.name)]:
        raise FormatError(f"{MANIFEST} names a file that no bundle has: {_quoted(odd[0].name)}")
    return found


def _same_names(entries: Mapping[str, FileEntry], infos: Mapping[str, zipfile.ZipInfo], name: str) -> None:
    wrong = []
    if missing := sorted(set(entries) - set(infos)):
        wrong.append(f"missing: {_some(missing)}")
    if extra := sorted(set(infos) - set(entries)):
        wrong.append(f"not in its {MANIFEST}: {_some(extra)}")
    if wrong:
        raise FormatError(f"{name} was changed after it was written ({'; '.join(wrong)}): {_AGAIN}")


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MANY:,} more" if len(names) > _MANY else ""
    return ", ".join(names[:_MANY]) + more


def _not_too_much(entries: Mapping[str, FileEntry], size: int, name: str) -> None:
    total = sum(entry.size for entry in entries.values())
    if total > min(LARGEST_BUNDLE, max(HARMLESS, LARGEST_RATIO * size)):
        raise FormatError(f"{name} would unpack to {total:,} bytes, more than a bundle of its size does")


def _contents(
    archive: zipfile.ZipFile, infos: Mapping[str, zipfile.ZipInfo], entries: Mapping[str, FileEntry], name: str
) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    edited = []
    for member, info in infos.items():
        entry = entries[member]
        try:
            content = _unpacked(archive, info, entry.size, name)
        except (*_BROKEN, FormatError):
            edited.append(member)
            continue
        if len(content) != entry.size or hashlib.sha256(content).hexdigest() != entry.sha256:
            edited.append(member)
        files[member] = content
    if edited:
        raise FormatError(f"{name} was changed after it was written: {_some(edited)} is not what was written: {_AGAIN}")
    return files
