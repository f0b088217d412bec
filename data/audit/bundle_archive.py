"""The layout of a bundle, its JSON and arrays, and a reproducible, safely read zip file."""

from __future__ import annotations

import hashlib
import json
import math
import re
import stat
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, BinaryIO, NoReturn, TypeVar, cast, get_args, get_origin

import numpy as np
import numpy.typing as npt

from core.audit.press import Review
from core.audit.quality_facts import QualityFacts
from core.audit.strategies import AuditFacts, FoundPublication
from core.documents import DocumentReader, without_alias
from core.errors import FileError, FormatError, InputError
from core.report import ReportKind
from core.text import first_of
from data.archives import ArchiveLimits, CheckedArchive, opened_archive, quoted

FORMAT = "queryscape-bundle"
VERSION = 1
MANIFEST = "manifest.json"
LOCK = "lock.json"
README = "README.txt"
ABSTRACTS_TABLE = "abstracts.csv"
MAKING = "facts/making.json"
AUDIT = "facts/audit.json"
QUALITY = "facts/quality.json"
REVIEWS = "facts/reviews.json"
ABSTRACTS = "facts/abstracts.json"
LARGEST_MANIFEST = 4 * 1024 * 1024
LARGEST_ZIP = 256 * 1024 * 1024
LARGEST_FILE = 256 * 1024 * 1024
LARGEST_BUNDLE = 512 * 1024 * 1024
"""Total size of all unpacked files."""
LARGEST_RATIO = 200
"""Largest ratio of unpacked to zipped size, except for bundles up to `HARMLESS`."""
HARMLESS = 32 * 1024 * 1024
MOST_FILES = 5_000
LONGEST_NAME = 200
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)", re.IGNORECASE)
"""Reserved device names on Windows, with any extension."""
_SLUG = re.compile(r"[^a-z0-9]+")


class NewerBundleError(FormatError):
    """The error for a bundle written by a later Queryscape."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """A report in a bundle: enough to rebuild it from the facts."""

    name: str
    """Unique in the bundle: its kind, with a number from the second of a kind."""
    kind: ReportKind
    title: str
    made_at: str
    made_with: str


@dataclass(frozen=True, slots=True)
class BundleProvenance:
    made_at: str
    """ISO 8601 in UTC."""
    made_with: str
    """Queryscape and its version; empty: not stated in any report."""
    python: str
    platform: str
    software: tuple[tuple[str, str], ...]
    """Packages that computed and drew the numbers, each with its version."""
    reports: tuple[ReportEntry, ...]


@dataclass(frozen=True, slots=True)
class BundleSummary:
    n_files: int
    n_bytes: int
    """Size of the zip."""
    sha256: str
    """Checksum of the zip: the same facts give the same one."""
    has_abstracts: bool


@dataclass(frozen=True, eq=False)
class Bundle:
    """A bundle as read: all files are present and match the manifest."""

    name: str
    """File name."""
    making: BundleProvenance
    files: Mapping[str, bytes]
    """Every file by its name, without the manifest."""
    lock: Mapping[str, object]
    audit: AuditFacts
    quality: QualityFacts
    reviews: tuple[Review, ...] = ()
    """The peer reviews, in the order of the reports of kind press."""
    abstracts: Mapping[str, str] | None = None
    """Abstract of each publication; None: not included."""
    found: tuple[FoundPublication, ...] = ()
    """What the recorded searches found; empty: there are none."""

    @property
    def made_at(self) -> str:
        """ISO 8601 in UTC."""
        return self.making.made_at

    @property
    def made_with(self) -> str:
        return self.making.made_with

    @property
    def reports(self) -> tuple[ReportEntry, ...]:
        return self.making.reports


def is_safe_name(name: str) -> bool:
    r"""Return True if a file of this name stays within the bundle on every system.

    >>> is_safe_name("tables/quality/scores.csv")
    True
    >>> is_safe_name("../secret"), is_safe_name("C:\\x"), is_safe_name("/etc")
    (False, False, False)
    >>> is_safe_name("tables/con/scores.csv"), is_safe_name("tables/scores.")
    (False, False)
    """
    if len(name) > LONGEST_NAME or _NAME.fullmatch(name) is None or ".." in name:
        return False
    return not any(_DEVICE.match(part) or part.endswith(".") for part in name.split("/"))


def slug(text: str) -> str:
    """Turn a text into words for a file name.

    >>> slug("Bäume & Hitze (2)"), slug("気温")
    ('b-ume-hitze-2', 'version')
    """
    return _SLUG.sub("-", text.lower())[:40].strip("-") or "version"


def table_file(report: str, table: str) -> str:
    return f"tables/{report}/{table}.csv"


def figure_file(report: str, figure: str) -> str:
    return f"figures/{report}/{figure}.svg"


def report_file(report: str) -> str:
    return f"reports/{report}.md"


# Facts as JSON and arrays: every field of every dataclass under its name, numbers at full precision.

ARRAY_TYPES: Mapping[str, str] = {
    "bool": "|b1",
    "uint8": "|u1",
    "int16": "<i2",
    "float32": "<f4",
    "float64": "<f8",
}
"""Array types, with their names in .npy files."""
ARRAY, TYPE, SHAPE = "array", "type", "shape"
NUMBER = "number"
"""Replaces a number that JSON can't represent: NaN or infinity."""
_MAGIC = b"\x93NUMPY\x01\x00"
_ALIGNED = 64


def json_bytes(value: object) -> bytes:
    """Return canonical JSON: keys in order, everything in ASCII, so that lone surrogates survive."""
    return (json.dumps(value, ensure_ascii=True, allow_nan=False, indent=1) + "\n").encode("ascii")


def npy_header(kind: str, shape: tuple[int, ...]) -> bytes:
    """Return the header of a .npy file (format 1.0), independent of the installed numpy."""
    text = f"{{'descr': '{ARRAY_TYPES[kind]}', 'fortran_order': False, 'shape': {shape}, }}"
    filled = text + " " * (-(len(_MAGIC) + 2 + len(text) + 1) % _ALIGNED) + "\n"
    return _MAGIC + len(filled).to_bytes(2, "little") + filled.encode("ascii")


def npy_bytes(array: npt.NDArray[Any]) -> bytes:
    kind = array.dtype.name
    if kind not in ARRAY_TYPES:
        raise InputError(f"a bundle can't contain an array of {kind}")
    return npy_header(kind, array.shape) + array.astype(ARRAY_TYPES[kind]).tobytes("C")


class Encoder:
    """A converter of facts to JSON values; arrays become separate files."""

    def __init__(self, *, shared: str = "") -> None:
        """Create an encoder. In the folder `shared`, identical arrays are stored once."""
        self.files: dict[str, bytes] = {}
        """The arrays, by file name."""
        self._shared = shared
        self._known: dict[bytes, str] = {}

    def encode(self, value: object, folder: str, *path: str) -> object:
        """Encode a value. `folder` and `path` name the files of its arrays: results/1/similarities.npy."""
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, np.generic):
            return self.encode(value.item(), folder, *path)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else {NUMBER: repr(float(value))}
        if isinstance(value, np.ndarray):
            return self._array(value, f"{folder}/{'-'.join(path)}.npy")
        if is_dataclass(value):
            return {f.name: self.encode(getattr(value, f.name), folder, *path, f.name) for f in fields(value)}
        if isinstance(value, Mapping):
            return {str(key): self.encode(each, folder, *path, str(key)) for key, each in value.items()}
        if isinstance(value, tuple | list):
            return [self.encode(each, folder, *path, str(n)) for n, each in enumerate(value, start=1)]
        raise InputError(f"a bundle can't contain {type(value).__name__}, found at {'.'.join(path)}")

    def _array(self, array: npt.NDArray[Any], name: str) -> dict[str, object]:
        content = npy_bytes(array)
        kept = self._known.setdefault(content, name)
        kept = kept if name.startswith(f"{self._shared}/") else name
        self.files.setdefault(kept, content)
        return {ARRAY: kept, TYPE: array.dtype.name, SHAPE: list(array.shape)}


# Facts from JSON and arrays: every value is checked against its field's type, and nothing is executed.

T = TypeVar("T")
LARGEST_WHOLE = 2**63
MOST_VALUES = 5_000_000
"""Limit per JSON file: a few bytes can become a hundred in memory."""
_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def parsed_json(content: bytes, file: str) -> object:
    """Parse the JSON of a file; duplicate keys are an error."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise FormatError(f"{file}: the same key appears twice")
        return found

    def no_number(name: str) -> NoReturn:
        raise FormatError(f"{file}: {name} is not a valid JSON number")

    if sum(map(content.count, (b"[", b"{", b","))) > MOST_VALUES:
        raise FormatError(f"{file}: it contains more than {MOST_VALUES:,} values, more than a bundle has")
    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=once, parse_constant=no_number)
    except (ValueError, RecursionError) as e:
        raise FormatError(f"{file}: this is not valid JSON ({str(e)[:80]})") from e


class BundleReader(DocumentReader):
    """A reader of one file's facts. `files` holds the arrays."""

    def __init__(self, file: str, files: Mapping[str, bytes]) -> None:
        super().__init__(file)
        self._files = files
        # An array is in memory once, however often the facts refer to it.
        self._arrays: dict[tuple[str, str, tuple[int, ...]], npt.NDArray[Any]] = {}

    def read_list(self, value: object, cls: type[T]) -> tuple[T, ...]:
        return cast(tuple[T, ...], self.value(value, tuple[cls, ...], ""))  # type: ignore[valid-type]

    def read_texts(self, value: object) -> dict[str, str]:
        return cast(dict[str, str], self.value(value, dict[str, str], ""))

    def place(self, path: str) -> str:
        return f"{self.name}: {path.lstrip('.') or 'the whole'}"

    def value(self, value: object, hint: Any, path: str) -> object:
        hint = without_alias(hint)
        if get_origin(hint) is np.ndarray:
            return self._array(value, np.dtype(get_args(get_args(hint)[1])[0]).name, path)
        return super().value(value, hint, path)

    def plain(self, value: object, hint: Any, path: str) -> object:
        if hint is float and isinstance(value, dict) and list(value) == [NUMBER]:
            if isinstance(value[NUMBER], str) and value[NUMBER] in _NOT_FINITE:
                return _NOT_FINITE[value[NUMBER]]
            raise self.wrong(path, "a number", value)
        if isinstance(value, int) and not -LARGEST_WHOLE < value < LARGEST_WHOLE:
            raise self.wrong(path, "a whole number of at most 64 bits", value)
        return super().plain(value, hint, path)

    def _array(self, value: object, kind: str, path: str) -> npt.NDArray[Any]:
        if not isinstance(value, dict) or set(value) != {ARRAY, TYPE, SHAPE}:
            raise self.wrong(path, f"an array with {ARRAY}, {TYPE} and {SHAPE}", value)
        name, shape = value[ARRAY], value[SHAPE]
        if value[TYPE] != kind:
            raise self.wrong(f"{path}.{TYPE}", kind, value[TYPE])
        if not isinstance(shape, list) or len(shape) not in (1, 2) or any(type(n) is not int or n < 0 for n in shape):
            raise self.wrong(f"{path}.{SHAPE}", "one or two whole numbers", shape)
        content = self._files.get(name) if isinstance(name, str) else None
        if content is None:
            raise self.wrong(f"{path}.{ARRAY}", "a file of this bundle", name)
        key = (name, kind, tuple(shape))
        if key not in self._arrays:
            self._arrays[key] = self._read(content, kind, shape, name)
        return self._arrays[key]

    def _read(self, content: bytes, kind: str, shape: Sequence[int], name: str) -> npt.NDArray[Any]:
        head, data_type = npy_header(kind, tuple(shape)), np.dtype(ARRAY_TYPES[kind])
        size = math.prod(shape) * data_type.itemsize
        # With zero rows, the other dimension could still be huge.
        fits = max(shape) <= len(content) == len(head) + size and content.startswith(head)
        if not fits:
            raise FormatError(f"{name}: this is not the array of {kind}, {shape}, described in {self.name}")
        if kind == "bool" and content[len(head) :].strip(b"\x00\x01"):
            raise FormatError(f"{name}: a Boolean must be 0 or 1")
        array = np.frombuffer(content, dtype=data_type, offset=len(head)).reshape(shape)
        return array.astype(kind)


# The zip file: written reproducibly, and read as untrusted input.

_NEVER = (1980, 1, 1, 0, 0, 0)
"""The earliest time a zip can hold: the same content has the same bytes, whenever it is written."""
_MANY = 5
_AGAIN = "ask for a new copy of the bundle"


def manifest(files: Mapping[str, bytes]) -> bytes:
    """Return the manifest: every file with its size and checksum."""
    entries = [
        {"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in sorted(files.items())
    ]
    return json_bytes({"format": FORMAT, "version": VERSION, "files": entries})


def write_archive(file: BinaryIO, files: Mapping[str, bytes]) -> None:
    """Write the manifest first, then every file by name."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in [(MANIFEST, manifest(files)), *sorted(files.items())]:
            info = zipfile.ZipInfo(name, _NEVER)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # otherwise the bytes would depend on the system
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(info, content, compresslevel=6)


def read_archive(file: BinaryIO, name: str) -> dict[str, bytes]:
    """Return every file except the manifest, each checked against it; `name` is the bundle's name in messages."""
    size = _size(file, name)
    limits = ArchiveLimits(
        *(_AGAIN, "a Queryscape bundle"),
        most_files=MOST_FILES,
        most_bytes=LARGEST_BUNDLE,
        harmless=HARMLESS,
        most_ratio=LARGEST_RATIO,
    )
    with opened_archive(file, name, limits) as archive:
        _check_names(archive)
        if MANIFEST not in archive:
            raise FormatError(f"{name} is not a Queryscape bundle: it has no {MANIFEST}")
        entries = _entries(archive.read(MANIFEST, LARGEST_MANIFEST), name)
        members = [member for member in archive.names if member != MANIFEST]
        _same_names(entries, members, name)
        _not_too_much(entries, size, name)
        return _contents(archive, members, entries, name)


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
        raise FormatError(f"{name} is not a bundle: it is not a zip file")
    if size > LARGEST_ZIP:
        raise FormatError(f"{name} is larger than a bundle may be ({LARGEST_ZIP:,} bytes)")
    return size


def _check_names(archive: CheckedArchive) -> None:
    """Raise an error for a name that bundle files never have, or that is another one on some systems."""
    found: set[str] = set()
    for member in (*archive.folders, *archive.names):
        if not is_safe_name(member):
            raise archive.refusal(f"contains the file {quoted(member)}, a name that bundle files never have")
        if member.casefold() in found:
            raise archive.refusal(f"contains the file {quoted(member)} twice")
        found.add(member.casefold())


def _entries(content: bytes, name: str) -> dict[str, FileEntry]:
    told = parsed_json(content, MANIFEST)
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise FormatError(f"{name} is not a Queryscape bundle, according to its {MANIFEST}")
    version = told.get("version")
    if type(version) is not int or version < 1:
        raise FormatError(f"{MANIFEST}: version must be a whole number from 1, got {str(version)[:20]}")
    if version > VERSION:
        raise NewerBundleError(
            f"{name} was written by a later Queryscape (bundle version {str(version)[:20]}, "
            f"this one reads up to {VERSION}): update Queryscape to open it"
        )
    if set(told) != {"format", "version", "files"}:
        raise FormatError(f"{MANIFEST} must contain format, version and files, and nothing else")
    entries = BundleReader(MANIFEST, {}).read_list(told["files"], FileEntry)
    found = {entry.name: entry for entry in entries}
    if len(found) != len(entries):
        raise FormatError(f"{MANIFEST} lists a file twice")
    if odd := [entry for entry in entries if entry.size < 0 or not is_safe_name(entry.name)]:
        raise FormatError(f"{MANIFEST} lists a file that bundles never have: {quoted(odd[0].name)}")
    return found


def _same_names(entries: Mapping[str, FileEntry], members: Sequence[str], name: str) -> None:
    wrong = []
    if missing := sorted(set(entries) - set(members)):
        wrong.append(f"missing: {first_of(missing, _MANY)}")
    if extra := sorted(set(members) - set(entries)):
        wrong.append(f"not in its {MANIFEST}: {first_of(extra, _MANY)}")
    if wrong:
        raise FormatError(f"{name} was changed after it was written ({'; '.join(wrong)}): {_AGAIN}")


def _not_too_much(entries: Mapping[str, FileEntry], size: int, name: str) -> None:
    total = sum(entry.size for entry in entries.values())
    if total > min(LARGEST_BUNDLE, max(HARMLESS, LARGEST_RATIO * size)):
        raise FormatError(f"{name} would unpack to {total:,} bytes, too many for a bundle of its size")


def _contents(
    archive: CheckedArchive, members: Sequence[str], entries: Mapping[str, FileEntry], name: str
) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    edited = []
    for member in members:
        entry = entries[member]
        try:
            content = archive.read(member, entry.size)
        except FormatError:
            edited.append(member)
            continue
        if len(content) != entry.size or hashlib.sha256(content).hexdigest() != entry.sha256:
            edited.append(member)
        files[member] = content
    if edited:
        raise FormatError(f"{name} was changed after it was written: {first_of(edited, _MANY)} differs: {_AGAIN}")
    return files
