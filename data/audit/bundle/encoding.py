"""Facts as JSON and arrays: every field of every dataclass under its name, numbers to the last digit."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import InputError

ARRAY_TYPES: Mapping[str, str] = {
    "bool": "|b1",
    "uint8": "|u1",
    "int16": "<i2",
    "float32": "<f4",
    "float64": "<f8",
}
"""What an array may hold, and how a .npy file names it."""
ARRAY, TYPE, SHAPE = "array", "type", "shape"
NUMBER = "number"
"""Stands for a number that JSON can't write: not a number, or infinite."""
_MAGIC = b"\x93NUMPY\x01\x00"
_ALIGNED = 64


def json_bytes(value: object) -> bytes:
    """JSON in its one form here: keys in their order, every sign in ASCII, so that halves of characters survive."""
    return (json.dumps(value, ensure_ascii=True, allow_nan=False, indent=1) + "\n").encode("ascii")


def npy_header(kind: str, shape: tuple[int, ...]) -> bytes:
    """The head of a .npy file (format 1.0), the same whichever numpy is installed."""
    said = f"{{'descr': '{ARRAY_TYPES[kind]}', 'fortran_order': False, 'shape': {shape}, }}"
    filled = said + " " * (-(len(_MAGIC) + 2 + len(said) + 1) % _ALIGNED) + "\n"
    return _MAGIC + len(filled).to_bytes(2, "little") + filled.encode("ascii")


def npy_bytes(array: npt.NDArray[Any]) -> bytes:
    """An array as a .npy file."""
    kind = array.dtype.name
    if kind not in ARRAY_TYPES:
        raise InputError(f"a bundle can't hold an array of {kind}")
    return npy_header(kind, array.shape) + array.astype(ARRAY_TYPES[kind]).tobytes("C")


class Encoder:
    """Turns facts into what JSON holds; arrays become files of their own."""

    def __init__(self, *, shared: str = "") -> None:
        """In the folder `shared` no array is written that is there already: the one that is there is meant."""
        self.files: dict[str, bytes] = {}
        """The arrays, by the name of their file."""
        self._shared = shared
        self._known: dict[bytes, str] = {}

    def encode(self, value: object, folder: str, *path: str) -> object:
        """`folder` and `path` name the files of the arrays within: results/1/similarities.npy."""
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
        raise InputError(f"a bundle can't hold {type(value).__name__}, found at {'.'.join(path)}")

    def _array(self, array: npt.NDArray[Any], name: str) -> dict[str, object]:
        content = npy_bytes(array)
        kept = self._known.setdefault(content, name)
        kept = kept if name.startswith(f"{self._shared}/") else name
        self.files.setdefault(kept, content)
        return {ARRAY: kept, TYPE: array.dtype.name, SHAPE: list(array.shape)}
