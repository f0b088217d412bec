"""Reads tensors that torch saved, without torch: a zip archive with a small pickle and the numbers as they are."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, Literal

import numpy as np
import numpy.typing as npt

from core.errors import FormatError
from data.knowledge.loading.pickles import read_pickle
from data.knowledge.loading.standins import Budget, Names, fixed, named, plain

STORAGES = {
    "LongStorage": "i8",
    "IntStorage": "i4",
    "ShortStorage": "i2",
    "CharStorage": "i1",
    "ByteStorage": "u1",
    "FloatStorage": "f4",
    "DoubleStorage": "f8",
}
MOST_PICKLE = 1_000_000
"""Bytes. What says how a tensor lies in its storage takes some hundred."""
_LEGACY = (b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", b"\x80\x02")
_ORDERS: Mapping[bytes, Literal["<", ">"]] = {b"little": "<", b"big": ">"}


@dataclass(frozen=True, slots=True)
class _Storage:
    """Numbers in a row, as the archive names them."""

    key: str
    code: str
    n: int

    def __setstate__(self, state: Any) -> None:
        raise _changed()


@dataclass(frozen=True, slots=True)
class _Lie:
    """How a tensor lies in its storage."""

    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def __setstate__(self, state: Any) -> None:
        raise _changed()


def _changed() -> FormatError:
    """Pickles could set the fields of what was checked already."""
    return FormatError("it changes a tensor after making it")


def read_tensor(stream: IO[bytes], name: str) -> npt.NDArray[Any]:
    """The only tensor of a file. `name`: what people call it."""
    head = stream.read(14)
    stream.seek(0)
    if head.startswith(_LEGACY):
        raise FormatError(
            f"{name} is in the form that torch wrote before version 1.6: load it with torch and save it again, "
            "or download the processed files again"
        )
    with _in_words(name), zipfile.ZipFile(stream) as archive:
        root = _root(archive, name)
        lie = _lie(archive, f"{root}/data.pkl", name)
        order = _order(archive, f"{root}/byteorder", name)
        return _laid(_numbers(archive, f"{root}/data/{lie.storage.key}", lie.storage, order, name), lie, name)


@contextmanager
def _in_words(name: str) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as e:
        raise FormatError(f"{name} is damaged, cut off, or no tensor of torch ({e}): download it again") from e
    except RuntimeError as e:  # what zipfile says of an encrypted file
        raise FormatError(f"{name} is encrypted or damaged: download it again") from e


def _root(archive: zipfile.ZipFile, name: str) -> str:
    """The folder that everything in the archive lies in."""
    found = [entry.removesuffix("/data.pkl") for entry in archive.namelist() if entry.endswith("/data.pkl")]
    if len(found) != 1:
        raise FormatError(f"{name} is a zip archive but no tensor of torch: download it again")
    return found[0]


def _lie(archive: zipfile.ZipFile, entry: str, name: str) -> _Lie:
    info = archive.getinfo(entry)
    if info.file_size > MOST_PICKLE:
        raise FormatError(f"{name} holds more than a tensor: it was not read")
    with archive.open(info) as stream:
        found = read_pickle(stream, info.file_size, name, allowed=_allowed, kept=_storage)
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


def _allowed(budget: Budget) -> Names:
    return {**plain(budget), **_OF_TORCH}


def _storage(said: Any) -> _Storage:
    """What a pickle says of a storage: its kind, name, place and length."""
    if type(said) is not tuple or len(said) != 5 or said[0] != "storage":
        raise FormatError("it holds a tensor that is stored in no known way")
    _, kind, key, _, n = said
    code = _CODES.get(id(kind))
    if code is None or type(key) is not str or not key.isdigit() or type(n) is not int or not 0 <= n < 2**48:
        raise FormatError("it holds a tensor that is stored in no known way")
    return _Storage(key, code, n)


def _order(archive: zipfile.ZipFile, entry: str, name: str) -> Literal["<", ">"]:
    if entry not in archive.namelist():
        return "<"  # before torch 2 nothing was said, and nothing else was written
    said = archive.read(entry) if archive.getinfo(entry).file_size < 20 else b""
    if said.strip() not in _ORDERS:
        raise FormatError(f"{name} is damaged: it does not say in which order its bytes are")
    return _ORDERS[said.strip()]


def _numbers(
    archive: zipfile.ZipFile, entry: str, storage: _Storage, order: Literal["<", ">"], name: str
) -> npt.NDArray[Any]:
    try:
        info = archive.getinfo(entry)
    except KeyError as e:
        raise FormatError(f"{name} lacks its numbers: download it again") from e
    kind = np.dtype(storage.code).newbyteorder(order)
    if info.compress_type != zipfile.ZIP_STORED or info.file_size != storage.n * kind.itemsize:
        raise FormatError(f"{name} has {info.file_size:,} bytes of numbers where {storage.n * kind.itemsize:,} belong")
    return np.frombuffer(archive.read(info), dtype=kind)


def _laid(numbers: npt.NDArray[Any], lie: _Lie, name: str) -> npt.NDArray[Any]:
    """The tensor over its storage; it may not reach beyond that."""
    if 0 in lie.shape:
        return np.zeros(lie.shape, numbers.dtype)
    n = 1
    for size in lie.shape:
        n *= size
    last = lie.offset + sum((size - 1) * stride for size, stride in zip(lie.shape, lie.strides, strict=True))
    if last >= len(numbers) or n > len(numbers):
        raise FormatError(f"{name} says that it has more numbers than there are: it was not read")
    strides = tuple(stride * numbers.itemsize for stride in lie.strides)
    return np.lib.stride_tricks.as_strided(numbers[lie.offset :], lie.shape, strides, writeable=False)
