"""Paths of a workspace, files and folders written completely or not at all, and SHA-256 checksums."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from platformdirs import user_data_path

from core.errors import DiskFullError, FileError, QueryscapeError, StoreError
from data.parts import part_of, remove_parts

VARIABLE = "QUERYSCAPE_DATA_DIR"
READ_ONLY = "QUERYSCAPE_READ_ONLY"
IN_CHECKOUT = Path(__file__).parent / "local"
DEFAULT_DIR = IN_CHECKOUT if (IN_CHECKOUT / "README.md").is_file() else user_data_path("queryscape", appauthor=False)
"""data/local in a checkout, else the platform's folder for the data of applications."""


@dataclass(frozen=True, slots=True)
class WorkspacePaths:
    root: Path
    scratch: Path | None = None
    """For a workspace that can only be read: a folder for what is built from it, deleted when it is closed."""

    @classmethod
    def of(cls, data_dir: Path | None = None) -> WorkspacePaths:
        """Use the given folder, else QUERYSCAPE_DATA_DIR, else the default folder."""
        root = (data_dir or Path(os.environ.get(VARIABLE) or DEFAULT_DIR)).expanduser().resolve()
        try:
            str(root).encode()
        except UnicodeEncodeError as e:
            raise FileError(f"the folder's name {str(root)!r} has an unknown encoding: choose another folder") from e
        return cls(root)

    @property
    def is_read_only(self) -> bool:
        """Return True if there is a workspace that can't be written to, or shouldn't be (QUERYSCAPE_READ_ONLY=1)."""
        if not self.store.is_file():
            return False
        if os.environ.get(READ_ONLY) == "1":
            return True
        return not (os.access(self.root, os.W_OK | os.X_OK) and os.access(self.store, os.W_OK))

    def make_root(self) -> None:
        if self.is_read_only:
            return
        with disk_errors(self.root):
            if self.root.exists() and not self.root.is_dir():
                raise FileError(f"{self.root} is not a folder: choose another one with --data-dir")
            try:
                self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as e:
                if e.errno in _NO_ROOM:
                    raise
                reason = e.strerror or e
                raise StoreError(
                    f"can't create the folder {self.root} ({reason}): choose one that you may write to with --data-dir"
                ) from e
            if not os.access(self.root, os.W_OK | os.X_OK):
                raise StoreError(f"can't write to {self.root}: choose a folder that you may write to with --data-dir")

    @property
    def store(self) -> Path:
        return self.root / "queryscape.duckdb"

    @property
    def vectors(self) -> Path:
        return self.root / "vectors"

    @property
    def models(self) -> Path:
        return self.root / "models"

    def _made(self, kind: str, key: str) -> Path:
        """Return the folder of an index. A read-only workspace has new ones in its scratch folder."""
        folder = self.root / kind / key
        return folder if self.scratch is None or folder.exists() else self.scratch / kind / key

    @property
    def indexes(self) -> Path:
        return (self.scratch or self.root) / "index"

    def index(self, key: str) -> Path:
        return self._made("index", key)

    @property
    def mesh(self) -> Path:
        """The MeSH file of the workspace, in Queryscape's own form."""
        return self.root / "mesh.json"

    @property
    def retractions(self) -> Path:
        """The notices of Retraction Watch, in Queryscape's own form."""
        return self.root / "retractions.json.gz"

    def retrieval(self, key: str) -> Path:
        return self._made("retrieval", key)

    @property
    def knowledge(self) -> Path:
        """The folder of knowledge bases, each in a folder of its name."""
        return self.root / "knowledge"

    def answers(self, judge_key: str) -> Path:
        """Return the path for a judge's answers that are not yet in the store."""
        return self.root / "judging" / f"{judge_key}.jsonl"

    def pages(self, run_id: str) -> Path:
        """Return the folder for the unchanged responses of a live source."""
        return self.root / "sources" / run_id

    def downloads(self, collection: str) -> Path:
        return self.root / "downloads" / collection


# Writing without partial files, and helpful messages for disk errors.

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def disk_full(where: Path) -> DiskFullError:
    return DiskFullError(f"no room left to write {where}: free some space and run the same command again")


@contextmanager
def disk_errors(where: Path, otherwise: type[QueryscapeError] = StoreError) -> Iterator[None]:
    """Convert disk errors to our own, with the path they occurred at."""
    try:
        yield
    except OSError as e:
        # For an incomplete write, numpy says "10 requested and 4 written" and gives no error number.
        if e.errno in _NO_ROOM or (e.errno is None and str(e).endswith(" written")):
            raise disk_full(where) from e
        place = e.filename if e.filename and not str(e.filename).endswith(".part") else where
        raise otherwise(
            f"can't write {place} ({e.strerror or e}): check that the folder exists and that you may write to it"
        ) from e


@contextmanager
def read_errors(where: Path, kinds: type[Exception] | tuple[type[Exception], ...] = OSError) -> Iterator[None]:
    """Convert errors on reading a file or folder to our own. An impossible name raises ValueError."""
    try:
        yield
    except kinds as e:
        raise FileError(f"can't read {where} ({getattr(e, 'strerror', None) or e}): check its permissions") from e


@contextmanager
def written_aside(path: Path) -> Iterator[BinaryIO]:
    """Open a file that appears completely or not at all: written to a temporary file, flushed, renamed."""
    aside = part_of(path)
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with aside.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            replace_file(aside, path)
        finally:
            aside.unlink(missing_ok=True)


MAPPED_FILES_STAY = os.name == "nt"
"""True where a file that a process has mapped can be renamed, but neither deleted nor replaced."""
PAUSES = (0.05, 0.2, 0.5)
"""Seconds before the attempts to replace a file that may be open for a moment, as by a virus scanner."""


def replace_file(aside: Path, path: Path) -> None:
    """Rename a file to a name that may exist. A mapped file is moved out of the way, and removed later."""
    for pause in (*PAUSES, None):
        try:
            os.replace(aside, path)
        except PermissionError:
            if not MAPPED_FILES_STAY:
                raise
            if pause is None:
                break
            time.sleep(pause)
        else:
            return
    away = part_of(path)
    os.rename(path, away)
    os.replace(aside, path)
    with suppress(OSError):
        away.unlink()


def file_stamp(path: Path) -> str:
    """Return a key that changes when the file is replaced; empty: there is none."""
    try:
        about = path.stat()
    except OSError:
        return ""
    return f"{about.st_mtime_ns}-{about.st_size}"


# Folders built under a temporary name and renamed, so that they are complete or absent.


def put_in_place(aside: Path, folder: Path, is_usable: Callable[[], bool]) -> None:
    """Rename the new folder. If another process was faster, keep its folder, unless that one is unusable."""
    with suppress(OSError):
        os.rename(aside, folder)
        return
    if is_usable():
        return
    away = part_of(folder)
    os.rename(folder, away)
    try:
        os.rename(aside, folder)
    except OSError:
        os.rename(away, folder)
        raise
    if away.is_dir() and not away.is_symlink():
        shutil.rmtree(away, ignore_errors=True)
    else:
        away.unlink(missing_ok=True)


# SHA256SUMS files, in the form that `sha256sum --check` reads.

SUMS_NAME = "SHA256SUMS"
_LINE = re.compile(r"^([0-9a-fA-F]{64}) [ *](?:\./)?(.+?)\r?$", re.MULTILINE)


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def parse_sums(text: str) -> dict[str, str]:
    """Parse names and sums. Lines of any other form are skipped, so an error page has no sums.

    >>> parse_sums("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 *./empty.csv")["empty.csv"][:6]
    'e3b0c4'
    >>> parse_sums("<html>Not found</html>")
    {}
    """
    return {name: digest.lower() for digest, name in _LINE.findall(text)}


def recorded_sums(folder: Path) -> dict[str, str]:
    """Read the folder's own SHA256SUMS; empty if it has none."""
    path = folder / SUMS_NAME
    return parse_sums(path.read_text("utf-8", errors="replace")) if path.is_file() else {}


def record_sum(folder: Path, name: str, digest: str) -> None:
    """Add or change one line. The file is replaced as a whole, so the record is always complete."""
    sums = recorded_sums(folder)
    if sums.get(name) == digest:
        return
    lines = [f"{known}  {file_name}\n" for file_name, known in sorted((sums | {name: digest}).items())]
    with written_aside(folder / SUMS_NAME) as file:
        file.write("".join(lines).encode())


# Results that are built once from documents and opened often: a folder that is complete or absent.
#
# It is built under a temporary name and renamed. A damaged one, or one built from something else, is rebuilt. The build
# time is stored with it.

ABOUT = "about.json"
Make = Callable[[Path], Mapping[str, Any]]
"""Fills a folder and returns further facts about it that JSON can hold."""


@dataclass(frozen=True, slots=True)
class CachedFolder:
    folder: Path
    facts: Mapping[str, Any]
    """The facts that the `Make` function returned."""
    seconds: float
    """The build time."""
    n_bytes: int


def open_or_make(folder: Path, made_of: str, make: Make) -> CachedFolder:
    """Open the folder; build it if it is missing or incomplete. `made_of` identifies all that it depends on."""
    if there := _open(folder, made_of):
        return there
    aside = part_of(folder)
    with disk_errors(folder):
        remove_parts(folder.parent, depth=0)
        try:
            _make(aside, made_of, make)
            put_in_place(aside, folder, lambda: _open(folder, made_of) is not None)
        except ValueError as e:
            raise StoreError(f"the index in {folder} can't be created ({e}): check the free disk space") from e
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    if there := _open(folder, made_of):
        return there
    raise StoreError(f"the index in {folder} can't be read back: check the disk and its free space")


def _make(aside: Path, made_of: str, make: Make) -> None:
    start = time.perf_counter()
    aside.mkdir(parents=True)
    facts = make(aside)
    seconds = time.perf_counter() - start
    files = {str(path.relative_to(aside)): crc32_of(path) for path in sorted(aside.rglob("*")) if _counts(path)}
    about = {"made_of": made_of, "facts": dict(facts), "seconds": seconds, "files": files}
    (aside / ABOUT).write_text(json.dumps(about | {"sum": _sum_of(about)}), encoding="ascii")


def _sum_of(about: Mapping[str, Any]) -> int:
    """Return a checksum of everything else in `about.json`."""
    return zlib.crc32(json.dumps(about, sort_keys=True).encode())


def _open(folder: Path, made_of: str) -> CachedFolder | None:
    """Open a folder after comparing its files with their checksums, so that no damaged file is read."""
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="ascii"))
        checksum = about.pop("sum", None)  # none in folders of earlier versions
        if about["made_of"] != made_of or checksum not in (None, _sum_of(about)):
            return None
        paths = {folder / name: checksum for name, checksum in about["files"].items()}
        if any(crc32_of(path) != checksum for path, checksum in paths.items()):
            return None
        n_bytes = sum(path.stat().st_size for path in paths)
        return CachedFolder(folder, dict(about["facts"]), float(about["seconds"]), n_bytes)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def is_sound(folder: Path) -> bool:
    """Return True if the files of such a folder are as they were built."""
    try:
        made_of = json.loads((folder / ABOUT).read_text(encoding="ascii"))["made_of"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False
    return _open(folder, made_of) is not None


def _counts(path: Path) -> bool:
    return path.is_file() and path.suffix != ".lock"


def crc32_of(path: Path) -> int:
    value = 0
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            value = zlib.crc32(part, value)
    return value
