"""k-means for k = 2, 3, ... in one sweep: scikit-learn's labels (float64, one init), several times faster.

The k-means++ seeds for k are the first k of those for k + 1 as long as both try the same number of candidates, and the
distances of the seeding are the first step of Lloyd's algorithm. Scores come from a float32 product with a bounded
rounding error; rows within the bound are recomputed in float64. Each row has a bound on its distance to its own center
and one to all others (Hamerly 2010), and is skipped while the bounds can't have crossed. Sums are float64 and change
only by the rows that moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.types import Floats
from core.vectors import BLOCK_ROWS

Rows = NDArray[np.float32] | NDArray[np.float64]
Index = NDArray[np.intp]
Labels = NDArray[np.int32]

_FEW_ROWS = BLOCK_ROWS // 2
_EXACT_ROWS = 256  # converted to float64 at once: few enough to stay in the processor's cache


@dataclass(frozen=True, eq=False)
class Clustering:
    k: int
    labels: Labels
    """Cluster of each row, 0 to k - 1."""
    centers: Floats
    """Mean of each cluster, shape (k, d)."""


def n_distinct_rows(rows: Rows, *, at_most: int) -> int:
    """Count the distinct rows, up to `at_most`; -0.0 equals 0.0.

    >>> n_distinct_rows(np.array([[0.0, 1.0], [-0.0, 1.0], [2.0, 1.0]]), at_most=10)
    2
    """
    seen: set[bytes] = set()
    for row in rows:
        if len(seen) >= at_most:
            break
        seen.add(blake2b((row + 0.0).tobytes(), digest_size=16).digest())  # adding zero turns -0.0 into 0.0
    return len(seen)


def solutions(rows: Rows, *, max_k: int, seed: int = 0) -> Iterator[Clustering]:
    """Yield the k-means solutions for k = 2, 3, ... up to `max_k` or the number of distinct rows, lazily.

    Labels equal those of scikit-learn's `KMeans(n_clusters=k, random_state=seed)` on float64 rows, except where a row
    is equally far from two centers to the last digit. Fewer than two distinct rows have no solution: nothing is
    yielded.

    >>> [s.labels.tolist() for s in solutions(np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 9.0]]), max_k=5)]
    [[0, 0, 1], [2, 0, 1]]
    """
    if rows.ndim != 2 or rows.dtype not in (np.float32, np.float64):
        raise InputError(f"rows to cluster must be a float32 or float64 matrix, got {rows.dtype} {rows.shape}")
    last_k = n_distinct_rows(rows, at_most=max_k)
    return _sweep(_Data(rows), last_k, seed) if last_k >= 2 else iter(())


def _sweep(data: _Data, last_k: int, seed: int) -> Iterator[Clustering]:
    for n_trials, band in groupby(range(2, last_k + 1), key=lambda k: 2 + int(np.log(k))):
        seeding = _Seeding(data, n_trials, seed)
        for k in band:
            while len(seeding.ids) < k:
                seeding.add()
            clusters = deepcopy(seeding.clusters)
            centers = _lloyd(data, clusters, data.centred(np.array(seeding.ids)))
            yield Clustering(k, clusters.labels, centers + data.mean)


class _Data:
    """The rows and the values that every step needs. "Centred" means with the mean subtracted."""

    def __init__(self, rows: Rows) -> None:
        self.mean: Floats = rows.mean(axis=0, dtype=np.float64)
        if not np.isfinite(self.mean).all():
            raise InputError("rows to cluster hold NaN or infinity")
        # Data with few columns may lie far from the origin, where float32 has no digits left. With few rows, seeds
        # often tie, and then scikit-learn's own rounding decides. Both cases are small enough to be centred as
        # scikit-learn does.
        self.exact = rows.dtype == np.float64 or len(rows) <= _FEW_ROWS or rows.shape[1] <= 8
        self.values: Rows = rows - self.mean if self.exact else rows
        self.offset: Floats = np.zeros_like(self.mean) if self.exact else self.mean
        self.n, self.d = rows.shape
        blocks = self.centred_blocks(np.arange(self.n))
        self.squares = np.concatenate([np.einsum("ij,ij->i", block, block) for _, block in blocks])
        self.reach = float(np.sqrt(self.squares.max()))
        self.tolerance = 1e-4 * float(self.squares.mean()) / self.d
        self.buffer = np.empty((min(self.n, BLOCK_ROWS // 2), self.d), dtype=self.values.dtype)

    def centred(self, index: Index) -> Floats:
        return np.subtract(self.values[index], self.offset, dtype=np.float64)

    def centred_blocks(self, index: Index) -> Iterator[tuple[slice, Floats]]:
        """Yield centred rows in small blocks, each with its slice of `index`."""
        for start in range(0, len(index), _EXACT_ROWS):
            part = slice(start, start + _EXACT_ROWS)
            yield part, self.centred(index[part])


def _scorer(data: _Data, centers: Floats) -> tuple[Callable[[Rows], Rows], float]:
    """Return a function that scores rows against each center, and the largest error of a score for any summation order.

    A score is x·c - |c|²/2, higher if nearer, because |x - c|² = |x|² - 2 score.
    """
    # The rows are not centred: the offset's share of the product is part of the constant.
    constant, kind = np.einsum("ij,ij->i", centers, centers) / 2 + centers @ data.offset, data.values.dtype
    columns, rounded = centers.astype(kind).T, constant.astype(kind)
    longest = (data.reach + np.linalg.norm(data.offset)) * np.linalg.norm(centers, axis=1).max()
    size = (data.d / 2 + 4) * longest + 4 * np.abs(constant).max() + data.reach**2
    return lambda rows: np.matmul(rows, columns) - rounded, float(np.finfo(kind).eps * size)


@dataclass(eq=False)
class _Clusters:
    labels: Labels
    sums: Floats
    counts: Index

    def move(self, data: _Data, index: Index, to: Labels) -> int:
        """Move these rows to other clusters and return their number."""
        k, old = len(self.counts), self.labels[index]
        for part, block in data.centred_blocks(index):
            change, column = np.zeros((k, len(block))), np.arange(len(block))
            change[to[part], column], change[old[part], column] = 1.0, -1.0
            self.sums += change @ block
        self.counts += np.bincount(to, minlength=k) - np.bincount(old, minlength=k)
        self.labels[index] = to
        return len(index)


class _Seeding:
    """Greedy k-means++ that can be continued, with every row assigned to the cluster of its nearest seed."""

    def __init__(self, data: _Data, n_trials: int, seed: int) -> None:
        self._data, self._n_trials = data, n_trials
        # scikit-learn draws from the legacy generator, and the seeds have to be identical.
        self._random = np.random.RandomState(seed)
        self.ids = [int(self._random.choice(data.n, p=np.full(data.n, 1 / data.n)))]
        self._nearest = self._distances(self.ids[0], np.arange(data.n))
        total = np.array([sum(block.sum(axis=0) for _, block in data.centred_blocks(np.arange(data.n)))])
        self.clusters = _Clusters(np.zeros(data.n, dtype=np.int32), total, np.array([data.n]))

    def _distances(self, seed_id: int, index: Index) -> Floats:
        """Return the squared distances of these rows to one row, in float64."""
        squares, center = self._data.squares, self._data.centred(np.array([seed_id]))[0]
        products = np.concatenate([block @ center for _, block in self._data.centred_blocks(index)])
        distances: Floats = -2 * products + squares[seed_id] + squares[index]
        return np.maximum(distances, 0, out=distances)

    def add(self) -> None:
        """Add the drawn row that leaves the smallest sum of squared distances as a seed."""
        data, ones = self._data, np.ones(self._data.n)
        draws = self._random.uniform(size=self._n_trials) * (self._nearest @ ones)
        drawn = np.searchsorted(np.cumsum(self._nearest), draws).clip(max=data.n - 1)
        (scores_of, error), distances = _scorer(data, data.centred(drawn)), np.empty((self._n_trials, data.n))
        for start in range(0, data.n, BLOCK_ROWS):
            part = slice(start, start + BLOCK_ROWS)
            distances[:, part] = np.maximum(data.squares[part] - 2 * scores_of(data.values[part]).T, 0)
        # Rows that may be nearer to a new seed are recomputed in float64, if that can change the choice.
        closer_mask = distances < self._nearest + 2 * error
        left = np.minimum(self._nearest, distances) @ ones
        unsure = 0 if data.exact else closer_mask.sum(axis=1) * 2 * error
        rivals = np.flatnonzero(left - unsure <= (left + unsure).min())
        for j in rivals if not data.exact else ():
            index = np.flatnonzero(closer_mask[j])
            distances[j, index] = self._distances(int(drawn[j]), index)
            left[j] = np.minimum(self._nearest, distances[j]) @ ones
        best = int(rivals[left[rivals].argmin()])
        index = np.flatnonzero(closer_mask[best] & (distances[best] < self._nearest))
        self._nearest[index] = distances[best, index]
        self.clusters.sums = np.vstack([self.clusters.sums, np.zeros(data.d)])
        self.clusters.counts = np.append(self.clusters.counts, 0)
        self.clusters.move(data, index, np.full(len(index), len(self.ids), dtype=np.int32))
        self.ids.append(int(drawn[best]))


def _lloyd(data: _Data, clusters: _Clusters, centers: Floats) -> Floats:
    """Run Lloyd's algorithm from the seeds with scikit-learn's stopping rules, and return the last centers."""
    # Upper bound of each row's distance to its own center, and lower bound of its distance to any other.
    bounds = np.full(data.n, np.inf), np.zeros(data.n)
    for iteration in range(300):
        n_moved = _assign(data, clusters, bounds, centers) if iteration else data.n
        old, centers = centers, _means(data, clusters, centers)
        if n_moved == 0:
            return centers
        shifts = np.sqrt(((centers - old) ** 2).sum(axis=1))
        rest, most = np.sort(shifts)[-2:]
        bounds[0][:] += shifts[clusters.labels]
        bounds[1][:] -= np.where(clusters.labels == shifts.argmax(), rest, most)
        if (shifts**2).sum() <= data.tolerance:
            break
    _assign(data, clusters, bounds, centers)
    return centers


def _assign(data: _Data, clusters: _Clusters, bounds: tuple[Floats, Floats], centers: Floats) -> int:
    """Label every row with its nearest center, update its bounds, and return the number of changed labels."""
    upper, lower = bounds
    (scores_of, error), labels = _scorer(data, centers), clusters.labels.copy()
    # The slack is far above the rounding error of the summed shifts.
    undecided_mask = upper + 1e-9 * data.reach >= lower
    for start in range(0, data.n, BLOCK_ROWS):
        block = data.values[start : start + BLOCK_ROWS]
        index = np.flatnonzero(undecided_mask[start : start + BLOCK_ROWS]) + start
        # Selecting rows costs about as much as multiplying them, so a mostly undecided block is used whole.
        if len(index) > len(block) // 2:
            index = np.arange(start, start + len(block))
        else:
            block = data.values.take(index, axis=0, out=data.buffer[: len(index)], mode="clip")
        table, each = scores_of(block), np.arange(len(index))
        nearest = table.argmax(axis=1)
        best = table[each, nearest].astype(np.float64)
        table[each, nearest] = -np.inf
        second = table.max(axis=1).astype(np.float64)
        close = np.flatnonzero(best - second <= 2 * error)
        for part, rows in data.centred_blocks(index[close]):
            nearest[close[part]] = (rows @ centers.T - (centers**2).sum(axis=1) / 2).argmax(axis=1)
        labels[index] = nearest
        upper[index] = np.sqrt(np.maximum(data.squares[index] - 2 * (best - error), 0))
        lower[index] = np.sqrt(np.maximum(data.squares[index] - 2 * (second + error), 0))
        upper[index[close]] = np.inf
    moved = np.flatnonzero(labels != clusters.labels)
    return clusters.move(data, moved, labels[moved])


def _means(data: _Data, clusters: _Clusters, old: Floats) -> Floats:
    """Return the centers of the clusters. An empty cluster gets the row furthest from its own center."""
    labels, sums, counts = clusters.labels, clusters.sums.copy(), clusters.counts.copy()
    empty = np.flatnonzero(counts == 0)
    if len(empty):
        blocks = data.centred_blocks(np.arange(data.n))
        distances = np.concatenate([((block - old[labels[part]]) ** 2).sum(axis=1) for part, block in blocks])
        furthest = np.argpartition(distances, -len(empty))[: -len(empty) - 1 : -1]
        for cluster, row in zip(empty, furthest, strict=True):
            sums[cluster] = data.centred(np.array([row]))[0]
            sums[labels[row]] -= sums[cluster]
            counts[cluster], counts[labels[row]] = 1, counts[labels[row]] - 1
    # A cluster that is still empty takes the center of the largest one, or its sum if that comes later: scikit-learn's
    # order.
    largest = counts.argmax()
    for j, count in enumerate(counts.tolist()):
        sums[j] = sums[j] * (1 / count) if count else sums[largest]
    return sums
