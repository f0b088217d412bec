"""Binary payloads read back in Python, as browser/payload.js reads them."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from dashboard.kit.browser import MAGIC, TYPES


def unpack(payload: bytes) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return header and arrays of a payload."""
    magic, size = struct.unpack_from("<II", payload)
    if magic != MAGIC:
        raise ValueError("not a Queryscape payload")
    header = json.loads(payload[8 : 8 + size])
    of_type: dict[str, np.dtype[Any]] = {name: dtype for dtype, name in TYPES.items()}
    arrays = {
        entry["name"]: np.frombuffer(payload, of_type[entry["type"]], entry["length"], entry["offset"])
        for entry in header["arrays"]
    }
    return header, arrays
