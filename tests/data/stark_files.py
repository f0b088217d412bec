"""Files as STaRK publishes them: pickled dictionaries, and tensors as torch saves them."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

STORAGES = {"i8": "Long", "i4": "Int", "i2": "Short", "u1": "Byte", "f4": "Float", "f8": "Double"}


def _text(text: str) -> bytes:
    return b"X" + struct.pack("<I", len(text.encode())) + text.encode()


def _whole(number: int) -> bytes:
    if 0 <= number < 256:
        return b"K" + bytes([number])
    if -(2**31) <= number < 2**31:
        return b"J" + struct.pack("<i", number)
    data = number.to_bytes(8, "little", signed=True)
    return b"\x8a\x08" + data


def _tuple(*parts: bytes) -> bytes:
    return b"(" + b"".join(parts) + b"t"


def described(
    kind: str, n: int, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], key: str = "0"
) -> bytes:
    """What says how a tensor lies in its storage, instruction by instruction as torch writes it."""
    storage = _tuple(_text("storage"), f"ctorch\n{kind}Storage\n".encode(), _text(key), _text("cpu"), _whole(n)) + b"Q"
    sizes = (_tuple(*map(_whole, numbers)) for numbers in (shape, strides))
    hooks = b"ccollections\nOrderedDict\n)R"
    arguments = _tuple(storage, _whole(offset), *sizes, b"\x89", hooks)
    return b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n" + arguments + b"R."


def tensor_bytes(
    values: npt.NDArray[Any],
    *,
    description: bytes | None = None,
    byteorder: str | None = "little",
    root: str = "archive",
    left_out: str = "",
) -> bytes:
    """A tensor as torch.save writes it."""
    kind = STORAGES[values.dtype.str[1:]]
    strides = tuple(stride // values.itemsize for stride in values.strides)
    numbers = values.astype(values.dtype.newbyteorder(">")) if byteorder == "big" else values
    entries: dict[str, bytes] = {
        "data.pkl": description or described(kind, values.size, 0, values.shape, strides),
        "byteorder": (byteorder or "").encode(),
        "data/0": numbers.tobytes(),
        "version": b"3\n",
    }
    if byteorder is None:
        del entries["byteorder"]
    entries.pop(left_out, None)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in entries.items():
            archive.writestr(f"{root}/{name}", data)
    return out.getvalue()


def write_tensor(path: Path, values: npt.NDArray[Any]) -> None:
    """A file of a tensor."""
    path.write_bytes(tensor_bytes(values))


def write_stark(
    folder: Path,
    infos: Mapping[int, Mapping[str, Any]],
    types: list[int],
    relations: list[tuple[int, int, int]],
    *,
    type_names: Mapping[int, str] | None = None,
    relation_names: Mapping[int, str] | None = None,
    protocol: int = 4,
) -> Path:
    """A processed folder. `relations`: source, number of the relation, target."""
    folder.mkdir(parents=True, exist_ok=True)
    index = np.array([[s, t] for s, _, t in relations], dtype=np.int64).reshape(-1, 2).T.copy()
    write_tensor(folder / "edge_index.pt", index)
    write_tensor(folder / "edge_types.pt", np.array([kind for _, kind, _ in relations], dtype=np.int64))
    write_tensor(folder / "node_types.pt", np.array(types, dtype=np.int64))
    dictionaries = {"node_info": infos, "node_type_dict": type_names, "edge_type_dict": relation_names}
    for name, value in dictionaries.items():
        if value is not None:
            (folder / f"{name}.pkl").write_bytes(pickle.dumps(value, protocol))
    return folder
