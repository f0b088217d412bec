"""Facts out of JSON and arrays: every value is checked against the type of its field, and nothing is run."""

from __future__ import annotations

import json
import math
import types
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, NoReturn, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from core.errors import FormatError, InputError
from data.audit.bundle.encoding import ARRAY, ARRAY_TYPES, NUMBER, SHAPE, TYPE, npy_header

T = TypeVar("T")
LARGEST_WHOLE = 2**63
MOST_VALUES = 5_000_000
"""In one file of JSON: a few bytes of it can be a hundred in memory."""
_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_KINDS: Mapping[type, str] = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "an object",
    type(None): "nothing",
}


def parsed_json(content: bytes, file: str) -> object:
    """What the JSON of a file holds; a key that stands there twice is refused."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise FormatError(f"{file}: a key stands there twice")
        return found

    def no_number(name: str) -> NoReturn:
        raise FormatError(f"{file}: {name} is no number of JSON")

    if sum(map(content.count, (b"[", b"{", b","))) > MOST_VALUES:
        raise FormatError(f"{file}: it holds more than {MOST_VALUES:,} values, more than a bundle does")
    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=once, parse_constant=no_number)
    except (ValueError, RecursionError) as e:
        raise FormatError(f"{file}: this is no JSON ({str(e)[:80]})") from e


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


class Decoder:
    """Reads the facts of one file. `files` holds the arrays."""

    def __init__(self, file: str, files: Mapping[str, bytes]) -> None:
        self._file = file
        self._files = files
        # However often the facts name an array, it is in memory once.
        self._arrays: dict[tuple[str, str, tuple[int, ...]], npt.NDArray[Any]] = {}

    def decode(self, value: object, cls: type[T]) -> T:
        """The object of this dataclass, or an error that names file and key."""
        return cast(T, self._any(value, cls, ""))

    def decode_list(self, value: object, cls: type[T]) -> tuple[T, ...]:
        """Several of them."""
        return cast(tuple[T, ...], self._tuple(value, (cls, ...), ""))

    def decode_texts(self, value: object) -> dict[str, str]:
        """Texts by their names."""
        return cast(dict[str, str], self._any(value, dict[str, str], ""))

    def _wrong(self, path: str, expected: str, value: object) -> FormatError:
        found = _KINDS.get(type(value), "something else")
        if isinstance(value, str) and len(value) <= 40:
            found = f"“{value}”"
        return FormatError(f"{self._file}: {path.lstrip('.') or 'the whole'} must be {expected}, got {found}")

    def _any(self, value: object, hint: Any, path: str) -> object:
        origin = get_origin(hint)
        if origin in (Union, types.UnionType):
            return self._one_of(value, get_args(hint), path)
        if origin is Literal:
            if not any(type(value) is type(each) and value == each for each in get_args(hint)):
                raise self._wrong(path, f"one of {', '.join(map(str, get_args(hint)))}", value)
            return value
        if origin is np.ndarray:
            return self._array(value, np.dtype(get_args(get_args(hint)[1])[0]).name, path)
        if origin is tuple:
            return self._tuple(value, get_args(hint), path)
        if origin is not None and issubclass(origin, Mapping):
            return self._mapping(value, get_args(hint), path)
        if is_dataclass(hint):
            return self._object(value, cast(type, hint), path)
        if isinstance(hint, type) and issubclass(hint, tuple):
            of_fields = tuple(_hints(hint)[name] for name in hint._fields)  # type: ignore[attr-defined]
            return cast(Any, hint)(*self._tuple(value, of_fields, path))
        return self._plain(value, hint, path)

    def _plain(self, value: object, hint: Any, path: str) -> object:
        if hint is type(None) and value is None:
            return None
        if hint is float and isinstance(value, dict) and list(value) == [NUMBER]:
            if isinstance(value[NUMBER], str) and value[NUMBER] in _NOT_FINITE:
                return _NOT_FINITE[value[NUMBER]]
            raise self._wrong(path, "a number", value)
        wanted = (int, float) if hint is float else hint
        if not isinstance(value, wanted) or (isinstance(value, bool) and hint is not bool):
            raise self._wrong(path, _KINDS.get(hint, "nothing"), value)
        if isinstance(value, float) and not math.isfinite(value):
            raise self._wrong(path, "a number that can be counted with", value)
        if isinstance(value, int) and not -LARGEST_WHOLE < value < LARGEST_WHOLE:
            raise self._wrong(path, "a whole number of at most 64 bits", value)
        return value

    def _one_of(self, value: object, hints: tuple[Any, ...], path: str) -> object:
        """The first type that fits: whole numbers stay whole, as they stand before fractions here."""
        first: FormatError | None = None
        for hint in sorted(hints, key=lambda each: each is float):
            try:
                return self._any(value, hint, path)
            except FormatError as e:
                # Of "X or nothing" the error about X is the one that helps.
                first = first if first is not None or hint is type(None) else e
        raise first or self._wrong(path, "nothing", value)

    def _tuple(self, value: object, hints: tuple[Any, ...], path: str) -> tuple[object, ...]:
        if not isinstance(value, list):
            raise self._wrong(path, "a list", value)
        if len(hints) == 2 and hints[1] is Ellipsis:
            if hints[0] is str and all(type(each) is str for each in value):
                return tuple(value)
            hints = (hints[0],) * len(value)
        if len(value) != len(hints):
            raise self._wrong(path, f"a list of {len(hints)}", value)
        pairs = enumerate(zip(value, hints, strict=True), start=1)
        return tuple(self._any(each, hint, f"{path}[{n}]") for n, (each, hint) in pairs)

    def _mapping(self, value: object, hints: tuple[Any, ...], path: str) -> dict[object, object]:
        if not isinstance(value, dict):
            raise self._wrong(path, "an object", value)
        return {
            self._any(key, hints[0], path): self._any(each, hints[1], f"{path}.{key[:40]}")
            for key, each in value.items()
        }

    def _object(self, value: object, cls: type, path: str) -> object:
        if not isinstance(value, dict):
            raise self._wrong(path, "an object", value)
        hints, where = _hints(cls), path.lstrip(".") or "the whole"
        known = [field for field in fields(cls) if field.init]
        if missing := [field.name for field in known if field.name not in value]:
            raise FormatError(f"{self._file}: {where} lacks “{missing[0]}”")
        if unknown := sorted(set(value) - {field.name for field in known}):
            raise FormatError(f"{self._file}: {where} has “{unknown[0][:40]}”, which is not known here")
        found = {name: self._any(each, hints[name], f"{path}.{name}") for name, each in value.items()}
        try:
            return cls(**found)
        except InputError as e:
            raise FormatError(f"{self._file}: {where}: {e}") from e

    def _array(self, value: object, kind: str, path: str) -> npt.NDArray[Any]:
        if not isinstance(value, dict) or set(value) != {ARRAY, TYPE, SHAPE}:
            raise self._wrong(path, f"an array with {ARRAY}, {TYPE} and {SHAPE}", value)
        name, shape = value[ARRAY], value[SHAPE]
        if value[TYPE] != kind:
            raise self._wrong(f"{path}.{TYPE}", kind, value[TYPE])
        if not isinstance(shape, list) or len(shape) not in (1, 2) or any(type(n) is not int or n < 0 for n in shape):
            raise self._wrong(f"{path}.{SHAPE}", "one or two whole numbers", shape)
        content = self._files.get(name) if isinstance(name, str) else None
        if content is None:
            raise self._wrong(f"{path}.{ARRAY}", "a file of this bundle", name)
        key = (name, kind, tuple(shape))
        if key not in self._arrays:
            self._arrays[key] = self._read(content, kind, shape, name)
        return self._arrays[key]

    def _read(self, content: bytes, kind: str, shape: Sequence[int], name: str) -> npt.NDArray[Any]:
        head, data_type = npy_header(kind, tuple(shape)), np.dtype(ARRAY_TYPES[kind])
        size = math.prod(shape) * data_type.itemsize
        # Without a row, the other number could still be larger than anything.
        fits = max(shape) <= len(content) == len(head) + size and content.startswith(head)
        if not fits:
            raise FormatError(f"{name}: this is not the array of {kind}, {shape}, that {self._file} tells of")
        if kind == "bool" and content[len(head) :].strip(b"\x00\x01"):
            raise FormatError(f"{name}: a yes or no must be 0 or 1")
        array = np.frombuffer(content, dtype=data_type, offset=len(head)).reshape(shape)
        return array.astype(kind)
