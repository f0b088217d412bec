"""Random clustered unit vectors of any size, for benchmarks: themes that overlap, as in a topic's embeddings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BLOCK_ROWS = 4096
_N_SHARED = 64


def cluster_of_rows(n: int, n_clusters: int = 40, seed: int = 0) -> NDArray[np.intp]:
    """Which cluster each row of `clustered_unit_vectors` is drawn around; cluster 0 is the largest."""
    shares = 1.0 / np.arange(4, n_clusters + 4)
    return np.random.default_rng([seed, 1]).choice(n_clusters, size=n, p=shares / shares.sum())


def clustered_unit_vectors(
    n: int, d: int, n_clusters: int = 40, spread: float = 2.0, seed: int = 0
) -> NDArray[np.float32]:
    """Unit rows around `n_clusters` directions, float32 (n, d).

    `spread` is the length of the noise beside a direction of length 1. Half of it runs along a few directions
    that all rows share, with falling strength: in many dimensions even noise alone would leave no overlap.
    """
    rng = np.random.default_rng([seed, 2])
    shared = rng.standard_normal((_N_SHARED, d), dtype=np.float32) / np.sqrt(d)
    strengths = (1.0 / np.arange(1, _N_SHARED + 1)) ** 0.5
    shared *= (spread * np.sqrt(0.5) * strengths / np.linalg.norm(strengths))[:, None]
    themes = rng.standard_normal((n_clusters, _N_SHARED), dtype=np.float32) @ shared
    themes += rng.standard_normal((n_clusters, d), dtype=np.float32) / np.sqrt(d)
    common = rng.standard_normal(d, dtype=np.float32) / np.sqrt(d) * 0.6
    clusters = cluster_of_rows(n, n_clusters, seed)
    rows = np.empty((n, d), dtype=np.float32)
    for start in range(0, n, _BLOCK_ROWS):
        part = slice(start, start + _BLOCK_ROWS)
        block = rng.standard_normal(rows[part].shape, dtype=np.float32) * np.float32(spread * np.sqrt(0.5 / d))
        block += rng.standard_normal((len(block), _N_SHARED), dtype=np.float32) @ shared
        block += themes[clusters[part]] + common
        rows[part] = block / np.linalg.norm(block, axis=1, keepdims=True)
    return rows


def core_rows(
    n: int, n_core: int, *, from_clusters: tuple[int, ...] = (0, 1), n_clusters: int = 40, seed: int = 0
) -> NDArray[np.intp]:
    """Row numbers of `n_core` core publications, all drawn from one or two clusters, in rising order."""
    among = np.flatnonzero(np.isin(cluster_of_rows(n, n_clusters, seed), from_clusters))
    if len(among) < n_core:
        raise ValueError(f"{n_core} core rows asked for, but the clusters {from_clusters} hold {len(among)} of {n}")
    return np.sort(np.random.default_rng([seed, 3]).choice(among, size=n_core, replace=False))
