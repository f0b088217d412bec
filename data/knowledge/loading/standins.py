"""What stands in for the few foreign things that a pickle of STaRK may name. None of it runs anything of the file.

Pickles call what they name and set attributes of what they are given. So every name is given as an object without
attributes, which takes exactly the arguments that an honest file has; values of numpy and pandas become plain ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from core.errors import FormatError

Names = Mapping[tuple[str, str], Any]
"""What a pickle may name, by module and name."""
_CODE = re.compile(r"(?:[biufM][1248]|[US]\d{1,9})")
_ORDERS: Mapping[str, Literal["<", ">", "|", "="]] = {"<": "<", ">": ">", "|": "|", "=": "="}
_UNITS = frozenset({"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns"})
_PER_SECOND = {7: 1, 8: 10**3, 9: 10**6, 10: 10**9}
"""Units in which pandas counts time, by its own number for them."""


MOST_ARGUMENTS = 10
SPARE = 1_000_000


class Budget:
    """Values and bytes that calls may make.

    An honest file holds each of them itself; a greedy one names one of its texts a thousand times, to be copied.
    """

    __slots__ = ("_left",)

    def __init__(self, n_bytes: int) -> None:
        self._left = n_bytes + SPARE

    def spend(self, n: int) -> None:
        """So many more."""
        self._left -= n
        if self._left < 0:
            raise _refuse("calls that make more than the file itself has")


def fixed(call: Callable[..., Any]) -> Any:
    """A callable that nothing can be set on. Its arguments are few and flat: they could be kept and hashed."""

    def called(*arguments: Any) -> Any:
        if len(arguments) > MOST_ARGUMENTS or not all(type(each) is not tuple or _flat(each) for each in arguments):
            raise _refuse("a call with arguments that no table of entities has")
        return call(*arguments)

    return type(call.__name__, (), {"__slots__": (), "__call__": staticmethod(called)})()


def _flat(values: tuple[Any, ...]) -> bool:
    return len(values) <= MOST_ARGUMENTS and not any(type(value) is tuple for value in values)


def _refuse(what: str) -> FormatError:
    return FormatError(f"it holds {what}")


class Kind:
    """The type of numpy values. Objects are refused: numpy would unpickle them without asking anybody."""

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
    """Of a date: the last part of its type's state says it."""
    said = state[8] if len(state) == 9 else None
    pair = said if type(said) is tuple and len(said) == 2 and said[0] in (None, {}) else (None, ())
    parts = pair[1] if type(pair[1]) is tuple and _flat(pair[1]) else ()
    unit = parts[0] if len(parts) == 4 else None
    name = unit.decode("ascii", "replace") if type(unit) is bytes else unit
    if type(name) is not str or name not in _UNITS or parts[1:] != (1, 1, 1):
        raise _refuse("dates of an unknown unit")
    return name


def _kind(code: Any = None, align: Any = False, copy: Any = True) -> Kind:
    if type(code) is not str or not _CODE.fullmatch(code):
        what = code if type(code) is str and len(code) <= 20 else "unknown"
        raise _refuse(f"numpy values of type {what!r}, in which code could hide")
    return Kind(code)


def _scalar(kind: Any = None, data: Any = b"") -> Any:
    if type(kind) is not Kind or type(data) is not bytes or len(data) != kind.dtype.itemsize:
        raise _refuse("a numpy value that does not fit its type")
    return _plain(np.frombuffer(data, kind.dtype)).pop() if data else ""


def _plain(values: npt.NDArray[Any]) -> list[Any]:
    if values.dtype.kind == "M":
        return [str(value) for value in values]
    return [v.decode("utf-8", "replace") if isinstance(v, bytes) else v for v in values.tolist()]


class Values(list[Any]):
    """An array, as the list of its values in their order."""

    __slots__ = ("_budget",)

    def __init__(self, budget: Budget) -> None:
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
        if type(kind) is not Kind or type(data) not in (bytes, bytearray) or not kind.dtype.itemsize:
            raise _refuse("an array of Python objects, in which code could hide")
        if type(shape) is not tuple or not all(type(n) is int and 0 <= n < 2**40 for n in shape) or len(shape) > 8:
            raise _refuse("a damaged array")
        n = 1
        for size in shape:
            n *= size
        if n * kind.dtype.itemsize != len(data):
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


def _spending(budget: Budget) -> Mapping[str, Callable[..., Any]]:
    """Those that make something as large as what they are given."""

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
    """Stand-ins by module and name."""
    return {(whole.rpartition(".")[0], whole.rpartition(".")[2]): fixed(call) for whole, call in calls.items()}


_PLAIN = named(_NAMED)
Allowed = Callable[[Budget], Names]
"""What one file may name, given what its calls may make."""


def plain(budget: Budget) -> Names:
    """What tables of entities may name: containers, and values of numpy and pandas."""
    return {**_PLAIN, **named(_spending(budget))}
