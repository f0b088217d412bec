"""What an embedding service answered, checked: one vector for each text, in order, of one width, all finite."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float32]


class BadAnswer(Exception):
    """An answer that can't be used, in words that follow "the service sent"."""


def read_answer(content: bytes, n_texts: int, n_dimensions: int | None) -> Rows:
    """The vectors in the order of the texts, whatever order they came in. `n_dimensions`: what came before."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as e:
        what = "a web page" if content.lstrip()[:1] == b"<" else "an answer that is cut off or no JSON"
        raise BadAnswer(what) from e
    items = document.get("data") if isinstance(document, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise BadAnswer("JSON without a list of vectors")
    if len(items) != n_texts:
        raise BadAnswer(f"{len(items)} vectors for {n_texts} texts")
    rows: list[Rows | None] = [None] * n_texts
    for item in items:
        index = item.get("index")
        if type(index) is not int or not 0 <= index < n_texts or rows[index] is not None:
            raise BadAnswer(f"vectors whose numbers are not those of the texts ({str(index)[:20]})")
        rows[index] = _vector(item.get("embedding"))
    widths = {len(row) for row in rows if row is not None}
    if len(widths) != 1 or widths == {0} or (n_dimensions is not None and widths != {n_dimensions}):
        expected = f" where {n_dimensions} were expected" if n_dimensions else ""
        raise BadAnswer(f"vectors of {' and '.join(map(str, sorted(widths)[:3]))} dimensions{expected}")
    matrix = np.array(rows, dtype=np.float32)
    if not np.isfinite(matrix).all():
        raise BadAnswer("numbers that are not finite")
    return matrix


def _vector(value: Any) -> Rows:
    """A list of numbers, or the bytes of float32 numbers in base64."""
    if isinstance(value, str):
        try:
            return np.frombuffer(base64.b64decode(value, validate=True), dtype="<f4").astype(np.float32)
        except (ValueError, binascii.Error) as e:
            raise BadAnswer("a vector that can't be decoded") from e
    if not isinstance(value, list) or not all(type(number) in (int, float) for number in value):
        raise BadAnswer("a vector that is no list of numbers")
    try:
        with np.errstate(over="ignore"):  # becomes infinite, which is refused by name
            return np.array(value, dtype=np.float64).astype(np.float32)
    except OverflowError as e:
        raise BadAnswer("numbers that are not finite") from e
