"""A workspace in one zip file: saved as a consistent state, and loaded as untrusted input into an empty folder."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import duckdb

from core.errors import FileError, FormatError, InputError
from core.protocols import OnStage, silent
from data.copies import copy_store, is_readable
from data.digests import SUFFIX, check_bytes
from data.explore.workspace import Workspace
from data.files import WorkspacePaths, disk_errors, disk_full, written_aside
from data.parts import ASIDE, part_of
from data.software import software

FORMAT, VERSION = "queryscape-workspace", 1
MANIFEST = "workspace.json"
SAVED = ("knowledge", "sources", "judging", "mesh.json", "mesh.json" + SUFFIX, "retractions.json.gz")
"""Files and folders that are saved next to the store, its vectors and its models. Indexes can be built again."""
EMBEDDED = re.compile(r"retrieval/[^/]+/(vectors|tokens)-[^/]+/[^/]+$")
"""Vectors of collections: they can be built again, too, but by a model that may be slow or cost money."""
LARGEST_MANIFEST = 256 << 20
MOST_FILES = 1_000_000
LONGEST_NAME = 400
LARGEST_RATIO = 200
"""Largest size of a file per byte in the zip: real stores stay below 60."""
HARMLESS = 64 << 20
CHUNK = 1 << 20
ATTEMPTS = 3
_NEVER = (1980, 1, 1, 0, 0, 0)
_DEVICE = re.compile(r"(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)", re.IGNORECASE)
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""Errors that reading a broken zip may raise."""


@dataclass(frozen=True, slots=True)
class SavedWorkspace:
    path: Path
    n_files: int
    n_bytes: int
    """Size of the zip, or of the loaded files."""


class _Moved(Exception):
    """A file that the copied store lists was replaced meanwhile."""


# Save


def save_workspace(
    workspace: Workspace, target: Path, *, force: bool = False, on_stage: OnStage = silent
) -> SavedWorkspace:
    """Save the workspace as one zip, completely or not at all. Others may read and write meanwhile."""
    if target.exists() and not force:
        raise FileError(f"{target} already exists: choose another name, or overwrite it with --force")
    if not target.parent.is_dir():
        raise FileError(f"there is no folder {target.parent}: create it or choose another place")
    copy = part_of(workspace.paths.store)
    on_stage("copying the store")
    try:
        for attempt in range(ATTEMPTS):
            copy_store(workspace.store, copy)
            try:
                return _saved(workspace.paths, copy, target, on_stage)
            except _Moved as e:
                if attempt == ATTEMPTS - 1:
                    raise FileError(
                        f"{workspace.paths.root} changes too often to be saved ({e}): save it when nothing runs"
                    ) from e
    finally:
        copy.unlink(missing_ok=True)
    raise AssertionError("unreachable")


def _saved(paths: WorkspacePaths, copy: Path, target: Path, on_stage: OnStage) -> SavedWorkspace:
    members = {paths.store.name: copy}
    members |= {path.relative_to(paths.root).as_posix(): path for path in _beside(paths, copy)}
    report = on_stage("writing the zip")
    entries = []
    with (
        disk_errors(target, FileError),
        written_aside(target) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        for number, (name, path) in enumerate(sorted(members.items())):
            report(number, len(members))
            entries.append({"name": name, **_add(archive, name, path)})
        manifest = {"format": FORMAT, "version": VERSION, "software": dict(software()), "files": entries}
        archive.writestr(_info(MANIFEST), json.dumps(manifest))
    return SavedWorkspace(target, len(entries), target.stat().st_size)


def _beside(paths: WorkspacePaths, copy: Path) -> Iterator[Path]:
    with duckdb.connect(str(copy), read_only=True) as connection:
        vectors = connection.execute("SELECT name FROM vector_files").fetchall()
        models = connection.execute("SELECT embedding_id FROM embeddings").fetchall()
    for (name,) in vectors:
        yield from _with_digests(paths.vectors / name, is_needed=True)
    for (name,) in models:
        yield from _with_digests(paths.models / f"{name}.npz", is_needed=False)
    for saved in SAVED:
        place = paths.root / saved
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file() and not path.is_symlink() and ASIDE not in path.relative_to(paths.root).as_posix():
                yield path
    for path in sorted(paths.retrieval("").glob("*/*/*")):
        if path.is_file() and EMBEDDED.search(path.relative_to(paths.root).as_posix()):
            yield path


def _with_digests(path: Path, *, is_needed: bool) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif is_needed:
        raise _Moved(path.name)
    if (beside := path.with_name(path.name + SUFFIX)).is_file():
        yield beside


def _add(archive: zipfile.ZipFile, name: str, path: Path) -> dict[str, Any]:
    digest, size = hashlib.sha256(), 0
    try:
        check_bytes(path)
        source = path.open("rb")
    except FileNotFoundError as e:
        raise _Moved(name) from e
    with source, archive.open(_info(name), "w", force_zip64=True) as out:
        while part := source.read(CHUNK):
            out.write(part)
            digest.update(part)
            size += len(part)
    return {"size": size, "sha256": digest.hexdigest()}


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _NEVER)
    info.compress_type, info.create_system = zipfile.ZIP_DEFLATED, 3
    info.external_attr = (stat.S_IFREG | 0o644) << 16
    return info


# Load


def load_workspace(source: Path, folder: Path, *, on_stage: OnStage = silent) -> SavedWorkspace:
    """Unpack a saved workspace into a new or empty folder, completely or not at all. Nothing is overwritten."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not empty: choose a new folder with --data-dir, so that nothing is overwritten")
    aside = part_of(folder)
    try:
        with source.open("rb") as file, disk_errors(folder, FileError):
            aside.mkdir(parents=True)
            found = _unpacked(file, source, aside, on_stage)
            on_stage("checking the store")
            if not is_readable(WorkspacePaths(aside).store):
                raise FormatError(f"{source} holds a store that can't be read: use another copy of the file")
            if folder.exists():
                folder.rmdir()  # it is empty
            os.replace(aside, folder)
    except FileNotFoundError as e:
        raise FileError(
            f"there is no file {source}: give the path of a file that queryscape workspace save wrote"
        ) from e
    except (IsADirectoryError, PermissionError) as e:
        raise FileError(f"can't read {source} ({e.strerror}): check its path and permissions") from e
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return SavedWorkspace(folder, found.n_files, found.n_bytes)


def _unpacked(file: BinaryIO, source: Path, aside: Path, on_stage: OnStage) -> SavedWorkspace:
    try:
        with zipfile.ZipFile(file) as archive:
            infos = _checked(archive.infolist(), source)
            entries = _entries(archive, infos, source)
            total = sum(size for size, _ in entries.values())
            if total > shutil.disk_usage(aside).free:
                raise disk_full(aside)
            report = on_stage("unpacking")
            for number, (name, (size, digest)) in enumerate(entries.items()):
                report(number, len(entries))
                target = aside.joinpath(*name.split("/"))
                target.parent.mkdir(parents=True, exist_ok=True)
                _unpack(archive, infos[name], target, size, digest, source)
            return SavedWorkspace(source, len(entries), total)
    except _BROKEN as e:
        raise _damaged(source, str(e)[:80] or type(e).__name__) from e
    except OSError as e:
        if e.errno != errno.EINVAL:
            raise
        raise _damaged(source, "a place before its beginning") from e


def _damaged(source: Path, reason: str) -> FormatError:
    return FormatError(f"{source} is no whole saved workspace ({reason}): use another copy of the file")


def _checked(infos: Sequence[zipfile.ZipInfo], source: Path) -> dict[str, zipfile.ZipInfo]:
    """Return the members by name; raise an error if one is not a plain file inside the workspace."""
    if len(infos) > MOST_FILES:
        raise _damaged(source, f"{len(infos):,} files")
    names: set[str] = set()
    for info in infos:
        name = info.orig_filename
        if reason := _refused(info):
            raise _damaged(source, f"the file {name[:60]!r} {reason}")
        folded = unicodedata.normalize("NFC", name).casefold()
        if folded in names:
            raise _damaged(source, f"the file {name[:60]!r} appears twice")
        names.add(folded)
    return {info.orig_filename: info for info in infos}


def _refused(info: zipfile.ZipInfo) -> str | None:
    """Return why a member is refused, if it is."""
    name = info.orig_filename
    parts = name.split("/")
    if not name or len(name) > LONGEST_NAME or any(ord(c) < 32 or c in '\\:*?"<>|\x7f' for c in name):
        return "has a name that is not allowed"
    if any(part in ("", ".", "..") or part != part.strip(" .") or _DEVICE.match(part) for part in parts):
        return "has a path that leaves the workspace or is not allowed"
    mode = info.external_attr >> 16
    if mode and not stat.S_ISREG(mode):
        return "is not a plain file"
    if info.flag_bits & 1:
        return "is encrypted"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is compressed in an unknown way"
    if info.file_size > HARMLESS and info.file_size > LARGEST_RATIO * max(info.compress_size, 1):
        return "would grow too much"
    return None


def _entries(
    archive: zipfile.ZipFile, infos: Mapping[str, zipfile.ZipInfo], source: Path
) -> dict[str, tuple[int, str]]:
    """Read the manifest; raise an error if it does not list exactly the members."""
    info = infos.get(MANIFEST)
    if info is None:
        raise _damaged(source, f"it has no {MANIFEST}")
    if info.file_size > LARGEST_MANIFEST:
        raise _damaged(source, f"its {MANIFEST} is too large")
    with archive.open(info) as file:
        content = file.read(LARGEST_MANIFEST + 1)
    try:
        document = json.loads(content)
        if document["format"] != FORMAT:
            raise _damaged(source, "another format")
        if int(document["version"]) > VERSION:
            raise FormatError(f"{source} was saved by a newer Queryscape: update Queryscape to load it")
        entries = {str(each["name"]): (int(each["size"]), str(each["sha256"])) for each in document["files"]}
    except (ValueError, KeyError, TypeError, RecursionError) as e:
        raise _damaged(source, f"its {MANIFEST} can't be read") from e
    if entries.keys() != infos.keys() - {MANIFEST}:
        raise _damaged(source, "it has other files than it lists")
    for name, (size, _) in entries.items():
        if infos[name].file_size != size:
            raise _damaged(source, f"the file {name[:60]!r} has another size than is listed")
    return entries


def _unpack(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, size: int, digest: str, source: Path
) -> None:
    found, n = hashlib.sha256(), 0
    with archive.open(info) as member, target.open("xb") as out:
        while part := member.read(CHUNK):
            n += len(part)
            if n > size:
                break
            out.write(part)
            found.update(part)
    if n != size or found.hexdigest() != digest:
        raise _damaged(source, f"the file {info.orig_filename[:60]!r} has other content than is listed")
