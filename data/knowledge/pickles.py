"""Read pickles and saved tensors without running anything in them."""

from __future__ import annotations

import gc
import math
import pickle
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import IO, Any, ClassVar, Literal, NoReturn

import numpy as np
import numpy.typing as npt

from core.errors import FileError, FormatError, QueryscapeError
from data.archives import ArchiveLimits, CheckedArchive, opened_archive

# The grammar of pickles, checked before one is opened.
#
# A small file can demand all memory (by the number of a memo), an endless stack (by tuples in tuples, which are hashed
# recursively) or hours (by integers with equal hashes, or of a million digits). None of them needs a forbidden name, so
# they are detected here, in the bytes. One regular expression skips the instructions that fill honest files.

MOST_ODD = 2_000
"""Largest number of integers of more than 60 bits."""
LONGEST_NUMBER = 64
"""Largest size of an integer in bytes; it is hashed again whenever it is a key."""
LONGEST_LINE = 1_000_000
"""Largest size in bytes of an argument that ends with its line."""
_SHORT = b"|".join(re.escape(bytes([n])) + b".{%d}" % n for n in range(256))
_SMALL = b"|".join([*(re.escape(bytes([n])) + b".{%d}" % n for n in range(8)), rb"\x08.{7}[\x00-\x1e\xe1-\xff]"])
_LONG = {ord("X"): 4, ord("T"): 4, ord("B"): 4, 0x8D: 8, 0x8E: 8, 0x96: 8}
"""Instructions for texts and bytes, and the number of bytes of their length field."""
_LINES = {**dict.fromkeys(b"FSVPgIL", 1), **dict.fromkeys(b"ci", 2)}
_FIXED = b"Khq\x80\x82UC\x8cJj\x84M\x83G\x95r"
_PUT, _STOP = ord("p"), ord(".")
_TUPLES = b"t\x85\x86\x87"
_HUGE = {0x8A: 1, 0x8B: 4}
_FROZEN_SET = 0x91
_CALL = 7
"""Largest number of bytes of a tuple, its memo and a call."""


def _usual(n_bytes: int) -> re.Pattern[bytes]:
    """Match instructions that are harmless in a file of so many bytes. Memo numbers go up to about its length."""
    highest = re.escape(bytes([min(n_bytes >> 24, 255)]))
    memo = rb"r..." + rb"[\x00-" + highest + rb"]"
    return re.compile(
        rb"(?:[(012NRabd}el\]osu)Q\x81\x88\x89\x8f\x90\x92\x93\x94\x97\x98]++"
        rb"|[Khq\x80\x82].|[UC\x8c](?:" + _SHORT + rb")|[Jj\x84].{4}|[M\x83]..|[G\x95].{8}"
        rb"|\x8a(?:" + _SMALL + rb")|" + memo + rb"|[t\x85\x86\x87](?:\x94|q.|" + memo + rb")?[Rb])*+",
        re.DOTALL,
    )


class TupleFound(Exception):
    """A tuple that is not an argument of a call: it must be checked when it is created."""


class PickleGuard:
    """A check of the instructions of one pickle as its bytes arrive, which stops at the first forbidden one.

    `tuples`: accept tuples that are not arguments, because the reader itself checks them.
    """

    def __init__(self, name: str, n_bytes: int, *, tuples: bool = False) -> None:
        self._name = name
        self._tuples = tuples
        self._n_bytes = n_bytes
        self._usual = _usual(n_bytes)
        self._rest = b""
        self._skip = 0
        self._n_odd = 0
        self.has_ended = False

    def take(self, data: bytes) -> None:
        """Check the next bytes. Raises an error before any of their instructions is executed."""
        if self.has_ended:
            return
        if self._skip >= len(data):
            self._skip -= len(data)
            return
        data = self._rest + data[self._skip :]
        self._skip, place = 0, 0
        while not self.has_ended and place < len(data):
            found = self._usual.match(data, place)
            place = found.end() if found else place
            if place < len(data):
                behind = self._behind(data, place)
                if behind is None:
                    break
                place = behind
        if place > len(data):
            self._skip, place = place - len(data), len(data)
        self._rest = b"" if self.has_ended else data[place:]
        if len(self._rest) > LONGEST_LINE:
            raise self._refused(f"has a line of more than {LONGEST_LINE:,} bytes")

    def _behind(self, data: bytes, place: int) -> int | None:
        """Return the end of an unusual instruction; None: its end has not arrived yet."""
        code, left = data[place], len(data) - place
        if code in _LONG:
            size = _LONG[code]
            if left <= size:
                return None
            length = int.from_bytes(data[place + 1 : place + 1 + size], "little")
            if length > self._n_bytes:
                raise FormatError(f"{self._name} ends before it is complete: download it again")
            return place + 1 + size + length
        if code == _STOP:
            self.has_ended = True
            return place
        if code in _TUPLES:  # the call with this tuple as arguments may follow
            if left < _CALL:
                return None
            if not self._tuples:
                raise TupleFound
            return place + 1
        if code == _FROZEN_SET:
            raise self._refused("holds sets that are keys, as no table of entities does")
        if code in _HUGE:
            size = _HUGE[code]
            if left < _CALL + 3:
                return None
            length = int.from_bytes(data[place + 1 : place + 1 + size], "little")
            if length > LONGEST_NUMBER:
                raise self._refused("holds numbers longer than any table of entities has")
            return self._odd(place + 1 + size + length)
        if code in _LINES or code == _PUT:
            return self._behind_lines(data, place, code)
        if code == ord("r") and left > 4:
            raise self._refused("numbers its parts beyond its own length")
        if code in _FIXED and left < 260:
            return None
        raise FormatError(f"{self._name} is damaged, or no pickle: download it again")

    def _behind_lines(self, data: bytes, place: int, code: int) -> int | None:
        end = place
        for _ in range(_LINES.get(code, 1)):
            end = data.find(b"\n", end + 1)
            if end < 0:
                return None
        if code == _PUT and not (end - place <= 11 and data[place + 1 : end].isdigit()):
            raise self._refused("numbers its parts beyond its own length")
        if code == _PUT and int(data[place + 1 : end]) > self._n_bytes:
            raise self._refused("numbers its parts beyond its own length")
        return self._odd(end + 1) if code in b"IL" and end - place > 18 else end + 1

    def _odd(self, place: int) -> int:
        self._n_odd += 1
        if self._n_odd > MOST_ODD:
            raise self._refused("holds more huge numbers than any table of entities does")
        return place

    def _refused(self, why: str) -> FormatError:
        return FormatError(f"{self._name} {why}: it was not read")


# Substitutes for the few foreign names that a pickle of STaRK may use. None of them runs code from the file.
#
# Pickles call the names they use and set attributes on objects. So every name resolves to an object without attributes
# that accepts exactly the arguments of an honest file; values of numpy and pandas become plain ones.

Names = Mapping[tuple[str, str], Any]
"""The names that a pickle may use, by module and name."""
_CODE = re.compile(r"(?:[biufM][1248]|[US]\d{1,9})")
_ORDERS: Mapping[str, Literal["<", ">", "|", "="]] = {"<": "<", ">": ">", "|": "|", "=": "="}
_UNITS = frozenset({"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns"})
_PER_SECOND = {7: 1, 8: 10**3, 9: 10**6, 10: 10**9}
"""Units per second in pandas, by its own number for them."""


MOST_ARGUMENTS = 10
SPARE = 1_000_000


class PickleBudget:
    """Number of values and bytes that calls may create.

    An honest file holds each of them itself; a greedy one references the same text a thousand times, to be copied.
    """

    __slots__ = ("_left",)

    def __init__(self, n_bytes: int) -> None:
        self._left = n_bytes + SPARE

    def spend(self, n: int) -> None:
        self._left -= n
        if self._left < 0:
            raise _refuse("calls that make more than the file itself has")


def fixed(call: Callable[..., Any]) -> Any:
    """Wrap a callable so that its attributes can't be set. Arguments must be few and flat: they may be hashed."""

    def called(*arguments: Any) -> Any:
        if len(arguments) > MOST_ARGUMENTS or not all(type(each) is not tuple or _flat(each) for each in arguments):
            raise _refuse("a call with arguments that no table of entities has")
        return call(*arguments)

    return type(call.__name__, (), {"__slots__": (), "__call__": staticmethod(called)})()


def _flat(values: tuple[Any, ...]) -> bool:
    return len(values) <= MOST_ARGUMENTS and not any(type(value) is tuple for value in values)


def _refuse(what: str) -> FormatError:
    return FormatError(f"it holds {what}")


class NumpyType:
    """The type of numpy values. Objects are rejected: numpy would unpickle them without any check."""

    __slots__ = ("_code", "dtype")

    def __init__(self, code: str) -> None:
        self._code = code
        self.dtype = np.dtype("M8[ns]" if code == "M8" else code)

    def __setstate__(self, state: Any) -> None:
        dated = (9,) if self._code == "M8" else ()
        if type(state) is not tuple or len(state) not in (8, *dated) or any(part is not None for part in state[2:5]):
            raise _refuse("numpy values of an unknown type")
        if not all(type(part) is int for part in (state[0], *state[5:8])):
            raise _refuse("numpy values of an unknown type")
        code = self._code
        if code == "M8":
            code = f"M8[{_unit(state)}]"
        if type(state[1]) is not str or state[1] not in _ORDERS:
            raise _refuse("numpy values of an unknown type")
        self.dtype = np.dtype(code).newbyteorder(_ORDERS[state[1]])


def _unit(state: tuple[Any, ...]) -> str:
    dtype_state = state[8] if len(state) == 9 else None
    pair = (
        dtype_state
        if type(dtype_state) is tuple and len(dtype_state) == 2 and dtype_state[0] in (None, {})
        else (None, ())
    )
    parts = pair[1] if type(pair[1]) is tuple and _flat(pair[1]) else ()
    unit = parts[0] if len(parts) == 4 else None
    name = unit.decode("ascii", "replace") if type(unit) is bytes else unit
    if type(name) is not str or name not in _UNITS or parts[1:] != (1, 1, 1):
        raise _refuse("dates of an unknown unit")
    return name


def _kind(code: Any = None, align: Any = False, copy: Any = True) -> NumpyType:
    if type(code) is not str or not _CODE.fullmatch(code):
        what = code if type(code) is str and len(code) <= 20 else "unknown"
        raise _refuse(f"numpy values of type {what!r}, in which code could hide")
    return NumpyType(code)


def _scalar(kind: Any = None, data: Any = b"") -> Any:
    if type(kind) is not NumpyType or type(data) is not bytes or len(data) != kind.dtype.itemsize:
        raise _refuse("a numpy value that does not fit its type")
    return _plain(np.frombuffer(data, kind.dtype)).pop() if data else ""


def _plain(values: npt.NDArray[Any]) -> list[Any]:
    if values.dtype.kind == "M":
        return [str(value) for value in values]
    return [v.decode("utf-8", "replace") if isinstance(v, bytes) else v for v in values.tolist()]


class Values(list[Any]):
    __slots__ = ("_budget",)

    def __init__(self, budget: PickleBudget) -> None:
        super().__init__()
        self._budget = budget

    def __setstate__(self, state: Any) -> None:
        if type(state) is not tuple or len(state) != 5:
            raise _refuse("a damaged array")
        version, shape, kind, order, data = state
        if type(version) is not int or type(order) not in (int, bool):
            raise _refuse("a damaged array")
        self._fill(data, kind, shape)

    def _fill(self, data: Any, kind: Any, shape: Any) -> None:
        if type(kind) is not NumpyType or type(data) not in (bytes, bytearray) or not kind.dtype.itemsize:
            raise _refuse("an array of Python objects, in which code could hide")
        if type(shape) is not tuple or not all(type(n) is int and 0 <= n < 2**40 for n in shape) or len(shape) > 8:
            raise _refuse("a damaged array")
        if math.prod(shape) * kind.dtype.itemsize != len(data):
            raise _refuse("an array of another length than it says")
        self._budget.spend(len(data))
        self[:] = _plain(np.frombuffer(data, kind.dtype))


def _object_of(*nothing: Any) -> Any:
    raise _refuse("an array that is made in an unknown way")


def _no_bytes(*nothing: Any) -> bytes:
    if nothing:
        raise _refuse("bytes that are made in an unknown way")
    return b""


def _ordered(*pairs: Any) -> dict[Any, Any]:
    if pairs:
        raise _refuse("a dictionary that is made in an unknown way")
    return {}


def _time(count: Any = None, freq: Any = None, zone: Any = None, unit: Any = 10) -> str:
    if type(count) is not int or zone is not None or type(unit) is not int or unit not in _PER_SECOND:
        raise _refuse("a time that is written in an unknown way")
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=count // _PER_SECOND[unit])
    except OverflowError as e:
        raise _refuse("a time out of all bounds") from e
    return moment.strftime("%Y-%m-%d %H:%M:%S").removesuffix(" 00:00:00")


def _no_time(*nothing: Any) -> None:
    return None


def _spending(budget: PickleBudget) -> Mapping[str, Callable[..., Any]]:
    def encode(text: Any = "", encoding: Any = "latin1") -> bytes:
        if type(text) is not str or encoding not in ("latin1", "latin-1"):
            raise _refuse("bytes in an unknown encoding")
        budget.spend(len(text))
        return text.encode("latin-1")

    def set_of(values: Any = ()) -> set[Any]:
        if type(values) is not list:
            raise _refuse("a set that is made in an unknown way")
        budget.spend(len(values))
        return set(values)

    def reconstruct(kind: Any = None, shape: Any = (), code: Any = b"b") -> Values:
        return Values(budget)

    def from_buffer(data: Any = b"", kind: Any = None, shape: Any = (), order: Any = "C") -> Values:
        values = Values(budget)
        values._fill(data, kind, shape)
        return values

    def scalar(kind: Any = None, data: Any = b"") -> Any:
        budget.spend(len(data) if type(data) is bytes else 0)
        return _scalar(kind, data)

    return {
        "_codecs.encode": encode,
        **{f"{module}.set": set_of for module in ("builtins", "__builtin__")},
        **{f"numpy.{core}.multiarray.scalar": scalar for core in ("core", "_core")},
        **{f"numpy.{core}.multiarray._reconstruct": reconstruct for core in ("core", "_core")},
        **{f"numpy.{core}.numeric._frombuffer": from_buffer for core in ("core", "_core")},
    }


_NAMED: Mapping[str, Callable[..., Any]] = {
    "numpy.dtype": _kind,
    "numpy.ndarray": _object_of,
    "collections.OrderedDict": _ordered,
    "pandas._libs.tslibs.timestamps._unpickle_timestamp": _time,
    "pandas._libs.tslibs.timestamps.Timestamp": _time,
    "pandas._libs.tslibs.nattype._nat_unpickle": _no_time,
    **{f"{module}.bytes": _no_bytes for module in ("builtins", "__builtin__")},
}


def named(calls: Mapping[str, Callable[..., Any]]) -> Names:
    return {(whole.rpartition(".")[0], whole.rpartition(".")[2]): fixed(call) for whole, call in calls.items()}


_PLAIN = named(_NAMED)
Allowed = Callable[[PickleBudget], Names]
"""Returns the names that one file may use, for a budget of its calls."""


def plain(budget: PickleBudget) -> Names:
    """Return the names for tables of entities: containers, and values of numpy and pandas."""
    return {**_PLAIN, **named(_spending(budget))}


# Read pickles from strangers: containers, numbers and texts. Every other name is rejected, and nothing runs.

BLOCK = 1_000_000
LONGEST_NAME = 80
MOST_IN_TUPLES = 1_000
"""Largest number of values in a tuple and its nested tuples, which are hashed again whenever it is a key."""
Kept = Callable[[Any], Any]
"""Resolves a pickle's reference to an object outside it."""
_DAMAGED = (
    *(pickle.UnpicklingError, EOFError, ValueError, TypeError, AttributeError, LookupError, OverflowError),
    *(ImportError, RecursionError, zlib.error, zipfile.BadZipFile, NotImplementedError),
)


def read_pickle(
    stream: IO[bytes], n_bytes: int, name: str, *, allowed: Allowed = plain, kept: Kept | None = None
) -> Any:
    """Return the content of a pickle. `n_bytes`: its length; `name`: its name in messages."""
    was_collecting = gc.isenabled()
    gc.disable()  # millions of small dictionaries would be traversed again and again
    try:
        return _read(stream, n_bytes, name, allowed, kept)
    except MemoryError as e:
        raise FormatError(f"{name} asks for more memory than there is: it was not read") from e
    except QueryscapeError as e:
        raise e if str(e).startswith(name) else FormatError(f"{name} can't be read: {e}") from e
    except OSError as e:
        raise FileError(f"can't read {name} ({e.strerror or e}): check its permissions") from e
    except _DAMAGED as e:
        raise FormatError(f"{name} is damaged, or no pickle ({_first_line(e)}): download it again") from e
    finally:
        if was_collecting:
            gc.enable()


def _read(stream: IO[bytes], n_bytes: int, name: str, allowed: Allowed, kept: Kept | None) -> Any:
    """Read fast if tuples are only arguments, as in nearly all files; otherwise check each tuple."""
    try:
        watch = PickleGuard(name, n_bytes)
        return _Reader(_Checked(stream, n_bytes, name, watch), name, allowed(PickleBudget(n_bytes)), kept).load()
    except TupleFound:
        stream.seek(0)
        watch = PickleGuard(name, n_bytes, tuples=True)
        return _CarefulReader(_Checked(stream, n_bytes, name, watch), name, allowed(PickleBudget(n_bytes)), kept).load()


def _first_line(e: BaseException) -> str:
    lines = str(e).strip().splitlines()
    return _visible(lines[0])[:120] if lines else type(e).__name__


def _visible(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


class _NamesOnly:
    """Both readers: a name that is not allowed, or a reference out of the file, ends the reading."""

    def __init__(self, file: _Checked, name: str, allowed: Names, kept: Kept | None) -> None:
        super().__init__(file)  # type: ignore[call-arg]
        self._named = name
        self._allowed = allowed
        self._kept = kept

    def find_class(self, module: str, name: str, /) -> Any:
        found = self._allowed.get((module, name))
        if found is None:
            wanted = _visible(f"{module}.{name}"[:LONGEST_NAME])
            raise FormatError(f"{self._named} wants to run {wanted}: it was not read")
        return found

    def persistent_load(self, pid: Any) -> Any:
        if self._kept is None:
            raise FormatError(f"{self._named} names something outside itself: it was not read")
        return self._kept(pid)


class _Reader(_NamesOnly, pickle.Unpickler):
    pass


class _CarefulReader(_NamesOnly, pickle._Unpickler):
    """A reader for files with tuples, many times slower: no tuple may hold so much that hashing it takes long."""

    dispatch: ClassVar[dict[int, Callable[[Any], None]]] = dict(pickle._Unpickler.dispatch)

    def check_last(self) -> None:
        inside, n = [vars(self)["stack"][-1]], 0
        while inside:
            values = inside.pop()
            n += len(values)
            inside += [value for value in values if type(value) is tuple]
            if n > MOST_IN_TUPLES or len(inside) > MOST_IN_TUPLES:
                raise FormatError(f"{self._named} nests tuples as no table of entities does: it was not read")


def _checking(load: Callable[[Any], None]) -> Callable[[Any], None]:
    def checked(reader: _CarefulReader) -> None:
        load(reader)
        reader.check_last()

    return checked


for _code in b"t\x85\x86\x87":
    _CarefulReader.dispatch[_code] = _checking(_CarefulReader.dispatch[_code])


class _Checked:
    """A file whose bytes are checked before they are passed on, and that never returns more than it has."""

    def __init__(self, stream: IO[bytes], n_bytes: int, name: str, watch: PickleGuard) -> None:
        self._stream = stream
        self._left = n_bytes
        self._name = name
        self._watch = watch
        self._ahead = memoryview(b"")

    def _fill(self, n: int) -> None:
        wanted = min(self._left, max(n - len(self._ahead), BLOCK))
        if wanted <= 0:
            return
        data = self._stream.read(wanted)
        self._left = self._left - len(data) if data else 0
        self._watch.take(data)
        self._ahead = memoryview(bytes(self._ahead) + data if self._ahead else data)

    def peek(self, n: int, /) -> bytes:
        if not self._ahead:
            self._fill(n)
        return bytes(self._ahead[:n])

    def read(self, n: int = -1, /) -> bytes:
        """Read the next bytes. Reading past the end is an error, before memory is allocated."""
        if n < 0 or n > len(self._ahead) + self._left:
            self._cut_off()
        while len(self._ahead) < n:
            before = len(self._ahead)
            self._fill(n)
            if len(self._ahead) == before:
                self._cut_off()
        data, self._ahead = bytes(self._ahead[:n]), self._ahead[n:]
        return data

    def readline(self) -> bytes:
        if not self._ahead:
            self._fill(BLOCK)
        line = bytes(self._ahead[: 2 * BLOCK])
        end = line.find(b"\n") + 1
        if not end and self._left:
            self._fill(len(self._ahead) + BLOCK)
            line = bytes(self._ahead[: 3 * BLOCK])
            end = line.find(b"\n") + 1
        if not end:
            self._cut_off()
        self._ahead = self._ahead[end:]
        return line[:end]

    def _cut_off(self) -> NoReturn:
        raise FormatError(f"{self._name} ends before it is complete: download it again")


# Read tensors saved by torch, without torch: a zip archive with a small pickle and the raw numbers.

STORAGES = {
    "LongStorage": "i8",
    "IntStorage": "i4",
    "ShortStorage": "i2",
    "CharStorage": "i1",
    "ByteStorage": "u1",
    "FloatStorage": "f4",
    "DoubleStorage": "f8",
}
_LIMITS = ArchiveLimits("download it again", "a tensor of torch", most_bytes=1 << 40)
MOST_PICKLE = 1_000_000
"""Largest size of the pickle in bytes; the layout of a tensor takes a few hundred."""
_LEGACY = (b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", b"\x80\x02")
_BYTE_ORDERS: Mapping[bytes, Literal["<", ">"]] = {b"little": "<", b"big": ">"}


@dataclass(frozen=True, slots=True)
class _Storage:
    key: str
    code: str
    n: int

    def __setstate__(self, state: Any) -> None:
        raise _changed()


@dataclass(frozen=True, slots=True)
class _Lie:
    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def __setstate__(self, state: Any) -> None:
        raise _changed()


def _changed() -> FormatError:
    return FormatError("it changes a tensor after making it")


def read_tensor(stream: IO[bytes], name: str) -> npt.NDArray[Any]:
    """Read the only tensor of a file. `name`: its name in messages."""
    head = stream.read(14)
    stream.seek(0)
    if head.startswith(_LEGACY):
        raise FormatError(
            f"{name} is in the form that torch wrote before version 1.6: load it with torch and save it again, "
            "or download the processed files again"
        )
    with opened_archive(stream, name, _LIMITS) as archive:
        root = _root(archive, name)
        lie = _lie(archive, f"{root}/data.pkl", name)
        order = _order(archive, f"{root}/byteorder", name)
        return _laid(_numbers(archive, f"{root}/data/{lie.storage.key}", lie.storage, order, name), lie, name)


def _root(archive: CheckedArchive, name: str) -> str:
    found = [entry.removesuffix("/data.pkl") for entry in archive.names if entry.endswith("/data.pkl")]
    if len(found) != 1:
        raise FormatError(f"{name} is a zip archive but no tensor of torch: download it again")
    return found[0]


def _lie(archive: CheckedArchive, entry: str, name: str) -> _Lie:
    info = archive.info(entry)
    if info.file_size > MOST_PICKLE:
        raise FormatError(f"{name} holds more than a tensor: it was not read")
    with archive.opened(entry) as stream:
        found = read_pickle(stream, info.file_size, name, allowed=_names_of_tensors, kept=_storage)
    if not isinstance(found, _Lie):
        raise FormatError(f"{name} holds no tensor but a {type(found).__name__}")
    return found


def _rebuilt(storage: Any = None, offset: Any = 0, shape: Any = (), strides: Any = (), *_: Any) -> _Lie:
    sizes = (*shape, *strides) if type(shape) is tuple and type(strides) is tuple else (None,)
    fits = isinstance(storage, _Storage) and type(offset) is int and offset >= 0 and len(shape) == len(strides) <= 8
    if not fits or not all(type(size) is int and 0 <= size < 2**48 for size in sizes):
        raise FormatError("it holds a tensor that lies in no known way")
    return _Lie(storage, offset, shape, strides)


def _parameter(tensor: Any = None, *_: Any) -> Any:
    if not isinstance(tensor, _Lie):
        raise FormatError("it holds a parameter that is no tensor")
    return tensor


_KINDS = {kind: fixed(lambda *_: None) for kind in STORAGES}
_CODES = {id(_KINDS[kind]): code for kind, code in STORAGES.items()}
_OF_TORCH = {
    **named({"torch._utils._rebuild_tensor_v2": _rebuilt, "torch._utils._rebuild_parameter": _parameter}),
    **{("torch", kind): standin for kind, standin in _KINDS.items()},
}


def _names_of_tensors(budget: PickleBudget) -> Names:
    return {**plain(budget), **_OF_TORCH}


def _storage(text: Any) -> _Storage:
    if type(text) is not tuple or len(text) != 5 or text[0] != "storage":
        raise FormatError("it holds a tensor that is stored in no known way")
    _, kind, key, _, n = text
    code = _CODES.get(id(kind))
    if code is None or type(key) is not str or not key.isdigit() or type(n) is not int or not 0 <= n < 2**48:
        raise FormatError("it holds a tensor that is stored in no known way")
    return _Storage(key, code, n)


def _order(archive: CheckedArchive, entry: str, name: str) -> Literal["<", ">"]:
    if entry not in archive:
        return "<"  # before torch 2 the order was not stored, and always little-endian
    text = archive.read(entry) if archive.info(entry).file_size < 20 else b""
    if text.strip() not in _BYTE_ORDERS:
        raise FormatError(f"{name} is damaged: it does not say in which order its bytes are")
    return _BYTE_ORDERS[text.strip()]


def _numbers(
    archive: CheckedArchive, entry: str, storage: _Storage, order: Literal["<", ">"], name: str
) -> npt.NDArray[Any]:
    if entry not in archive:
        raise FormatError(f"{name} lacks its numbers: download it again")
    info = archive.info(entry)
    kind = np.dtype(storage.code).newbyteorder(order)
    if info.compress_type != zipfile.ZIP_STORED or info.file_size != storage.n * kind.itemsize:
        raise FormatError(f"{name} has {info.file_size:,} bytes of numbers where {storage.n * kind.itemsize:,} belong")
    return np.frombuffer(archive.read(entry), dtype=kind)


def _laid(numbers: npt.NDArray[Any], lie: _Lie, name: str) -> npt.NDArray[Any]:
    """Return the tensor as a view of its storage; it must not reach beyond that."""
    if 0 in lie.shape:
        return np.zeros(lie.shape, numbers.dtype)
    last = lie.offset + sum((size - 1) * stride for size, stride in zip(lie.shape, lie.strides, strict=True))
    if last >= len(numbers) or math.prod(lie.shape) > len(numbers):
        raise FormatError(f"{name} says that it has more numbers than there are: it was not read")
    strides = tuple(stride * numbers.itemsize for stride in lie.strides)
    return np.lib.stride_tricks.as_strided(numbers[lie.offset :], lie.shape, strides, writeable=False)
