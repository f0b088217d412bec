"""Vectors: normalise, centroid, cosine. A single kernel, so that core and publications are rounded alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.errors import InputError, MisalignedError
from core.types import EmbeddedSet, Ids, Mask, Points, Vectors

BLOCK_ROWS = 4096
"""Rows processed at once where a second copy of the vectors would not fit in memory."""


def normalise(vectors: npt.ArrayLike) -> tuple[Vectors, Mask]:
    """Scale rows to unit length as float32, and return the mask of rows for which this was possible.

    A zero row, or one with NaN or infinity, has no direction: it is returned as zeros, marked False.
    The length is computed in float64, so that rows of very small or large numbers survive.

    >>> rows, scorable_mask = normalise([[3.0, 0.0], [0.0, 0.0]])
    >>> rows.tolist(), scorable_mask.tolist()
    ([[1.0, 0.0], [0.0, 0.0]], [True, False])
    """
    raw = np.asarray(vectors)
    if raw.ndim != 2:
        raise InputError(f"vectors must be a matrix with one row per publication, got shape {raw.shape}")
    if raw.dtype.kind not in "fiu":
        raise InputError(f"vectors must be numbers, got {raw.dtype}")
    out = np.zeros(raw.shape, dtype=np.float32)
    scorable_mask = np.zeros(len(raw), dtype=np.bool_)
    for start in range(0, len(raw), BLOCK_ROWS):
        rows = slice(start, start + BLOCK_ROWS)
        block = raw[rows].astype(np.float64)
        finite = np.isfinite(block).all(axis=1)
        block[~finite] = 0.0
        # Dividing by the largest entry first keeps the squares inside the range of float64.
        largest = np.abs(block).max(axis=1, keepdims=True, initial=0.0)
        block /= np.where(largest > 0, largest, 1.0)
        length = np.sqrt(np.einsum("ij,ij->i", block, block))
        scorable_mask[rows] = length > 0
        out[rows] = block / np.where(length > 0, length, 1.0)[:, None]
    return out, scorable_mask


def embedded_set(ids: Sequence[str], vectors: npt.ArrayLike, model_id: str) -> tuple[EmbeddedSet, Ids]:
    """Normalise vectors and return them with their ids, and the ids of the unscorable ones, which are left out."""
    raw = np.asarray(vectors)
    if len(ids) != len(raw):
        raise MisalignedError(f"{len(ids)} ids but {len(raw)} vectors")
    if n_repeated := len(ids) - len(set(ids)):
        raise InputError(f"{n_repeated} of {len(ids)} ids are repeated: give each publication one vector")
    rows, scorable_mask = normalise(raw)
    kept = tuple(i for i, ok in zip(ids, scorable_mask, strict=True) if ok)
    left_out = tuple(i for i, ok in zip(ids, scorable_mask, strict=True) if not ok)
    return EmbeddedSet(kept, rows if not left_out else rows[scorable_mask], model_id), left_out


def centroid(vectors: Vectors) -> Vectors:
    """Return the direction of the mean vector, with unit length; all zeros if the vectors cancel out.

    >>> centroid(np.array([[4, 0], [0, 3]], dtype=np.float32)).tolist()
    [0.800000011920929, 0.6000000238418579]
    """
    mean = vectors.mean(axis=0, dtype=np.float64)
    length = float(np.sqrt(mean @ mean))
    unit: Vectors = (mean / length if length > 1e-12 else np.zeros_like(mean)).astype(np.float32)
    return unit


def cosine(vectors: Vectors, direction: Vectors) -> npt.NDArray[np.float32]:
    """Return the cosine similarity of unit rows to one unit direction, in a single pass over memory.

    >>> cosine(np.eye(2, dtype=np.float32), np.array([1, 0], dtype=np.float32)).tolist()
    [1.0, 0.0]
    """
    if vectors.shape[1] != direction.shape[0]:
        raise InputError(f"vectors have {vectors.shape[1]} dimensions but the direction has {direction.shape[0]}")
    return vectors @ direction


def similarities(vectors: Vectors | Points, core_vectors: Vectors) -> Vectors:
    """Return the cosine similarity of every row to every core publication, shape (n, n_core)."""
    if vectors.shape[1] != core_vectors.shape[1]:
        raise InputError(f"vectors have {vectors.shape[1]} dimensions but the core has {core_vectors.shape[1]}")
    return vectors.astype(np.float32, copy=False) @ core_vectors.T
