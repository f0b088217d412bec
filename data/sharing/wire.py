"""Turn statements, rows, columns and errors into bytes and back. No value is ever run, as with pickle."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from core import errors
from core.errors import QueryscapeError, StoreError

# A message is the length of a JSON document, the document, and then the bytes of its blobs and arrays. In the document,
# a value that JSON has no type for is an object with one key, the name of its type.

_LENGTH = struct.Struct(">Q")
_PLAIN = frozenset({str, int, float, bool, type(None)})
"""JSON keeps these as they are; float includes NaN and the infinities."""
_BUILT_IN = {kind.__name__: kind for kind in (ValueError, TypeError, OverflowError, RuntimeError, MemoryError)}
"""Other errors that DuckDB's Python package raises."""


class WireError(ValueError):
    """Bytes that are no message."""


def to_bytes(value: object) -> bytes:
    blobs: list[bytes | memoryview] = []
    document = json.dumps(_packed(value, blobs), separators=(",", ":"), check_circular=False).encode("ascii")
    return b"".join((_LENGTH.pack(len(document)), document, *blobs))


def from_bytes(data: bytes | bytearray) -> Any:
    try:
        view = memoryview(data).toreadonly()
        end = _LENGTH.size + _LENGTH.unpack_from(view)[0]
        if end > len(view):
            raise WireError("the message is cut short")
        return _unpacked(json.loads(bytes(view[_LENGTH.size : end])), _Blobs(view[end:]))
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError, struct.error) as e:
        raise e if isinstance(e, WireError) else WireError(f"not a message: {e}") from e
    except (RecursionError, MemoryError) as e:
        raise WireError("not a message: nested too deeply or too large") from e


class _Blobs:
    """The bytes after the document, taken in order."""

    def __init__(self, view: memoryview) -> None:
        self._view = view

    def take(self, n: int) -> memoryview:
        if not 0 <= n <= len(self._view):
            raise WireError("the message is cut short")
        taken, self._view = self._view[:n], self._view[n:]
        return taken


def _packed(value: Any, blobs: list[bytes | memoryview]) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    pack = _PACKERS.get(kind)
    if pack is not None:
        return {kind.__name__: pack(value, blobs)}
    if isinstance(value, np.generic):
        return _packed(value.item(), blobs)
    for base, pack in _PACKERS.items():  # subclasses travel as their base
        if isinstance(value, base):
            return {base.__name__: pack(value, blobs)}
    for plain in (str, int, float):
        if isinstance(value, plain):
            return plain.__str__(value) if plain is str else plain(value)
    raise TypeError(f"a value of type {kind.__name__} can't be sent to another process")


def _list(values: Sequence[Any], blobs: list[bytes | memoryview]) -> list[Any]:
    if set(map(type, values)) <= _PLAIN:
        return list(values)
    return [_packed(value, blobs) for value in values]


def _dict(value: dict[Any, Any], blobs: list[bytes | memoryview]) -> list[Any]:
    return [_list(tuple(value), blobs), _list(tuple(value.values()), blobs)]


def _bytes(value: bytes | bytearray | memoryview, blobs: list[bytes | memoryview]) -> int:
    blobs.append(bytes(value))
    return len(value)


def _datetime(value: datetime, blobs: list[bytes | memoryview]) -> list[Any]:
    zone = getattr(value.tzinfo, "key", None) or getattr(value.tzinfo, "zone", None)
    if not isinstance(zone, str):
        return [value.isoformat(), None, value.fold]
    return [value.replace(tzinfo=None).isoformat(), zone, value.fold]


def _array(value: np.ndarray[Any, Any], blobs: list[bytes | memoryview]) -> list[Any]:
    shape = list(value.shape)
    if value.dtype.hasobject:
        return ["O", shape, _list(value.ravel().tolist(), blobs)]
    blobs.append(value.tobytes())
    return [value.dtype.str, shape, value.nbytes]


def _masked(value: np.ma.MaskedArray[Any, Any], blobs: list[bytes | memoryview]) -> list[Any]:
    mask = None if value.mask is np.ma.nomask else _array(np.asarray(value.mask), blobs)
    return [mask, _array(np.asarray(value.data), blobs)]


def _rows(value: Rows, blobs: list[bytes | memoryview]) -> list[Any]:
    return [len(value), *(_list(column, blobs) for column in zip(*value, strict=True))]


class Rows(list[tuple[Any, ...]]):
    """Rows of one width, sent column by column, which is several times as fast."""


_PACKERS: dict[type, Any] = {
    Rows: _rows,
    list: _list,
    tuple: _list,
    dict: _dict,
    bytes: _bytes,
    bytearray: _bytes,
    memoryview: _bytes,
    np.ma.MaskedArray: _masked,
    np.ndarray: _array,
    datetime: _datetime,
    date: lambda value, _: value.isoformat(),
    time: lambda value, _: [value.isoformat(), value.fold],
    timedelta: lambda value, _: [value.days, value.seconds, value.microseconds],
    Decimal: lambda value, _: str(value),
    UUID: lambda value, _: value.hex,
}


def _unpacked(value: Any, blobs: _Blobs) -> Any:
    if type(value) is not dict:
        if type(value) in _PLAIN:
            return value
        raise WireError("not a message: a list without its type")
    ((name, content),) = value.items()
    return _UNPACKERS[name](content, blobs)


def _values(content: list[Any], blobs: _Blobs) -> list[Any]:
    if type(content) is not list:
        raise WireError("not a message: no list")
    if set(map(type, content)) <= _PLAIN:
        return content
    return [_unpacked(value, blobs) for value in content]


def _unpacked_rows(content: list[Any], blobs: _Blobs) -> list[tuple[Any, ...]]:
    columns = [_values(column, blobs) for column in content[1:]]
    return list(zip(*columns, strict=True)) if columns else [()] * min(content[0], 1_000)


def _unpacked_array(content: list[Any], blobs: _Blobs) -> np.ndarray[Any, Any]:
    kind, shape, values = content
    if kind != "O":
        dtype = np.dtype(kind)
        if dtype.hasobject:
            raise WireError("not a message: an array of objects")
        return np.frombuffer(blobs.take(values), dtype).reshape(shape).copy()
    found = _values(values, blobs)
    array = np.empty(len(found), dtype=object)
    for i, value in enumerate(found):  # numpy would turn lists of one length into a second axis
        array[i] = value
    return array.reshape(shape)


def _unpacked_masked(content: list[Any], blobs: _Blobs) -> np.ma.MaskedArray[Any, Any]:
    mask = np.ma.nomask if content[0] is None else _unpacked_array(content[0], blobs)
    return np.ma.MaskedArray(_unpacked_array(content[1], blobs), mask)


def _unpacked_datetime(content: list[Any], _: _Blobs) -> datetime:
    text, zone, fold = content
    found = datetime.fromisoformat(text).replace(fold=fold)
    return found if zone is None else found.replace(tzinfo=ZoneInfo(zone))


_UNPACKERS: dict[str, Any] = {
    "Rows": _unpacked_rows,
    "list": _values,
    "tuple": lambda content, blobs: tuple(_values(content, blobs)),
    "dict": lambda content, blobs: dict(
        zip(_values(content[0], blobs), _values(content[1], blobs), strict=True),
    ),
    "bytes": lambda content, blobs: bytes(blobs.take(content)),
    "bytearray": lambda content, blobs: bytearray(blobs.take(content)),
    "memoryview": lambda content, blobs: bytes(blobs.take(content)),
    "MaskedArray": _unpacked_masked,
    "ndarray": _unpacked_array,
    "datetime": _unpacked_datetime,
    "date": lambda content, _: date.fromisoformat(content),
    "time": lambda content, _: time.fromisoformat(content[0]).replace(fold=content[1]),
    "timedelta": lambda content, _: timedelta(*content),
    "Decimal": lambda content, _: Decimal(content),
    "UUID": lambda content, _: UUID(content),
}


# Errors, by the name of their class and their message.


def error_to_parts(e: BaseException) -> list[str]:
    if isinstance(e, QueryscapeError):  # a class of one module alone travels as its base in core.errors
        name = next(kind.__name__ for kind in type(e).__mro__ if hasattr(errors, kind.__name__))
        return [name, str(e)]
    return [type(e).__name__, str(e)]


def error_of_parts(name: str, message: str) -> Exception:
    kind = _BUILT_IN.get(name) or getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception):
        try:
            return kind(message)
        except TypeError:  # it needs more than a message
            return StoreError(message)
    return StoreError(f"{name}: {message}")
