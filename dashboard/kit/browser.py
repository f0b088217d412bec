"""Bundle the browser code, and pack binary payloads for it."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

# The browser code that esbuild made of dashboard/browser. After a change there: `npm run build` in that folder.

SCAPE = "explore"
"""Parts of the same name share their data in the browser."""
DIST = Path(__file__).parents[1] / "browser" / "dist"


def browser_code() -> str:
    """Return the code of every part, with its style."""
    return _built("main.js")


def report_code() -> str:
    """Return the code of a report that opens without Queryscape: the parts of a landscape, without Python to query."""
    return _built("report.js")


def stub_code() -> str:
    """Return the short code that mounts a part. Streamlit sends it with every change of the part's data."""
    return _built("stub.js")


def follow_theme_code() -> str:
    """Return the code that reports a change of theme to Python while a page is open."""
    return _built("follow_theme.js")


def navigation_code() -> str:
    """Return the code around every page: the history of Back, and links within the open page."""
    return _built("navigation.js")


def visitors_code() -> str:
    """Return the code of the parts of many visitors, which are on every page."""
    return _built("visitors.js")


@cache
def _built(name: str) -> str:
    return (DIST / name).read_text(encoding="utf-8")


# Binary payloads for the browser: a JSON header, then arrays, each aligned to eight bytes.
#
# Sent once and cached there, so that changing a setting sends next to nothing. `browser/payload.js` reads them.

MAGIC = 0x31505351
"""QSP1."""
ALIGNMENT = 8
TYPES: dict[np.dtype[Any], str] = {
    np.dtype(np.float32): "f32",
    np.dtype(np.float64): "f64",
    np.dtype(np.uint8): "u8",
    np.dtype(np.int16): "i16",
    np.dtype(np.uint16): "u16",
    np.dtype(np.uint32): "u32",
}


def pack(header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Pack one payload. Little-endian, as every browser reads it."""
    contents = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    listed: list[dict[str, Any]] = [
        {"name": n, "type": TYPES[a.dtype], "length": int(a.size)} for n, a in contents.items()
    ]
    # The header holds the offset of each array, which depends on its own length: offsets are padded to a fixed width.
    reserved = [{**entry, "offset": 10**12} for entry in listed]
    size = len(json.dumps({**header, "arrays": reserved}).encode())
    start = _aligned(8 + size)
    for entry, array in zip(listed, contents.values(), strict=True):
        entry["offset"] = start
        start = _aligned(start + array.nbytes)
    head = json.dumps({**header, "arrays": listed}).encode().ljust(size)
    parts = [struct.pack("<II", MAGIC, len(head)), head]
    written = 8 + len(head)
    for entry, array in zip(listed, contents.values(), strict=True):
        parts += [b"\0" * (entry["offset"] - written), array.astype(array.dtype.newbyteorder("<")).tobytes()]
        written = entry["offset"] + array.nbytes
    return b"".join(parts)


def _aligned(position: int) -> int:
    return -(-position // ALIGNMENT) * ALIGNMENT


def lines(texts: list[str]) -> npt.NDArray[np.uint8]:
    """Encode texts as UTF-8, one per line: the browser decodes them when needed."""
    joined = "\n".join(text.replace("\n", " ") for text in texts)
    return np.frombuffer(joined.encode(errors="replace"), dtype=np.uint8)


def finite(value: Any) -> Any:
    """Return the same document with null for NaN and infinity, as JSON requires."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [finite(entry) for entry in value]
    return value
