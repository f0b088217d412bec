"""k-means for k = 2, 3, ... in one sweep: scikit-learn's labels (float64, one init), several times sooner.

What saves the time, and why the labels stay the same:
- The k-means++ seeds for k are the first k of those for k + 1 while both try the same number of candidates, and
  the distances that the seeding takes are the first Lloyd step.
- Scores come from a float32 product whose rounding is bounded; rows inside the bound are worked out in float64.
- A row keeps bounds on its distance to its own and to the other centers (Elkan 2003, Hamerly 2010). As long as
  they can't have crossed, the row is not looked at.
- Sums of clusters are float64 and change only by the rows that moved.

Everything happens in coordinates with the mean at the origin, without a centred copy of the float32 rows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.types import Floats
from core.vectors import BLOCK_ROWS

Rows = NDArray[np.float32] | NDArray[np.float64]
Index = NDArray[np.intp]
Labels = NDArray[np.int32]

_EXACT_ROWS = 512
"""Rows that are turned into float64 at once: few enough to stay in the processor's cache."""
_MAX_ITERATIONS = 300
_TOLERANCE = 1e-4


@dataclass(frozen=True, eq=False)
class Clustering:
    """Rows split into k clusters."""

    k: int
    labels: Labels
    """Cluster of each row, 0 to k - 1."""
    centers: Floats
    """Mean of each cluster, shape (k, d)."""


def n_distinct_rows(rows: Rows, *, at_most: int) -> int:
    """How many rows differ from each other, counted no further than `at_most`; -0.0 equals 0.0.

    >>> n_distinct_rows(np.array([[0.0, 1.0], [-0.0, 1.0], [2.0, 1.0]]), at_most=10)
    2
    """
    seen: set[bytes] = set()
    for row in rows:
        if len(seen) >= at_most:
            break
        # Adding zero turns -0.0 into 0.0.
        seen.add(hashlib.blake2b((row + 0.0).tobytes(), digest_size=16).digest())
    return len(seen)


def solutions(rows: Rows, *, max_k: int, seed: int = 0) -> Iterator[Clustering]:
    """The k-means solutions for k = 2, 3, ... up to `max_k` or the number of distinct rows, each when asked for.

    Labels are those of scikit-learn's `KMeans(n_clusters=k, random_state=seed)` on float64 rows, but where a row is
    as far from two centers to the last digit. One distinct row, or none, has no solution: nothing is yielded.

    >>> [s.labels.tolist() for s in solutions(np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 9.0]]), max_k=5)]
    [[0, 0, 1], [2, 1, 0]]
    """
    if rows.ndim != 2 or rows.dtype not in (np.float32, np.float64):
        raise InputError(f"rows to cluster must be a float32 or float64 matrix, got {rows.dtype} {rows.shape}")
    return _sweep(rows, n_distinct_rows(rows, at_most=max_k), seed)


def _sweep(rows: Rows, last_k: int, seed: int) -> Iterator[Clustering]:
    if last_k < 2:
        return
    data = _Data(rows)
    seeding = _Seeding(data, 2, seed)
    for k in range(2, last_k + 1):
        n_trials = 2 + int(np.log(k))
        if n_trials != seeding.n_trials:
            seeding = _Seeding(data, n_trials, seed)
        while len(seeding.ids) < k:
            seeding.add()
        start = seeding.clusters
        clusters = _Clusters(start.labels.copy(), start.sums.copy(), start.counts.copy())
        centers = _lloyd(data, clusters, data.centred(np.array(seeding.ids)))
        yield Clustering(k, clusters.labels, centers + data.mean)


class _Data:
    """The rows, and what every step needs to know about them. "Centred" is with the mean taken off."""

    def __init__(self, rows: Rows) -> None:
        self.mean: Floats = rows.mean(axis=0, dtype=np.float64)
        if not np.isfinite(self.mean).all():
            raise InputError("rows to cluster hold NaN or infinity")
        # Few columns may lie far from the origin, where float32 has no digits left; a centred copy is small then.
        copied = rows.dtype == np.float64 or rows.shape[1] <= 8
        self.values: Rows = rows - self.mean if copied else rows
        self.offset: Floats = np.zeros_like(self.mean) if copied else self.mean
        self.n, self.d = rows.shape
        self.eps = float(np.finfo(self.values.dtype).eps)
        self.squares = np.empty(self.n)
        self.total = np.zeros(self.d)
        for part, block in self.centred_blocks(np.arange(self.n)):
            self.squares[part] = np.einsum("ij,ij->i", block, block)
            self.total += block.sum(axis=0)
        self.reach = float(np.sqrt(self.squares.max()))
        self.tolerance = _TOLERANCE * float(self.squares.mean()) / self.d
        self.buffer = np.empty((min(self.n, BLOCK_ROWS // 2), self.d), dtype=self.values.dtype)

    def centred(self, index: Index) -> Floats:
        """These rows in float64 with the mean taken off."""
        rows: Floats = np.subtract(self.values[index], self.offset, dtype=np.float64)
        return rows

    def centred_blocks(self, index: Index) -> Iterator[tuple[slice, Floats]]:
        """The same a few rows at a time, with the part of `index` that they are."""
        for start in range(0, len(index), _EXACT_ROWS):
            part = slice(start, start + _EXACT_ROWS)
            yield part, self.centred(index[part])


class _Scores:
    """Score of rows against centers: x·c - |c|²/2, the higher the nearer. |x - c|² = |x|² - 2 score."""

    def __init__(self, data: _Data, centers: Floats) -> None:
        self._centers = centers
        self._halves = np.einsum("ij,ij->i", centers, centers) / 2
        # The rows are not centred: their offset's share of the product goes into the constant.
        constant = self._halves + centers @ data.offset
        self._columns = centers.astype(data.values.dtype).T
        self._constant = constant.astype(data.values.dtype)
        longest = (data.reach + float(np.linalg.norm(data.offset))) * float(np.sqrt(2 * self._halves.max()))
        self.error = data.eps * ((data.d / 2 + 4) * longest + 4 * float(np.abs(constant).max()) + 4 * data.reach**2)
        """No score is further off than this, in whatever order the product was summed."""

    def fast(self, rows: Rows) -> Rows:
        scores: Rows = np.matmul(rows, self._columns)
        scores -= self._constant
        return scores

    def exact(self, centred_rows: Floats) -> Floats:
        scores: Floats = centred_rows @ self._centers.T - self._halves
        return scores


@dataclass(eq=False)
class _Clusters:
    """Which cluster each row is in, and the sums and sizes that follow."""

    labels: Labels
    sums: Floats
    counts: Index

    def move(self, data: _Data, index: Index, to: Labels) -> None:
        """Put these rows into other clusters."""
        k, old = len(self.counts), self.labels[index]
        for part, block in data.centred_blocks(index):
            change, column = np.zeros((k, len(block))), np.arange(len(block))
            change[to[part], column] = 1.0
            change[old[part], column] = -1.0
            self.sums += change @ block
        self.counts += np.bincount(to, minlength=k) - np.bincount(old, minlength=k)
        self.labels[index] = to


class _Seeding:
    """Greedy k-means++ that can go on from where it stopped, with every row in the cluster of its nearest seed."""

    def __init__(self, data: _Data, n_trials: int, seed: int) -> None:
        self.data, self.n_trials = data, n_trials
        # scikit-learn draws from the legacy generator, and the seeds have to be its own.
        self._random = np.random.RandomState(seed)
        self.ids = [int(self._random.choice(data.n, p=np.full(data.n, 1 / data.n)))]
        self._nearest = self._distances(self.ids[0], np.arange(data.n))
        self.clusters = _Clusters(np.zeros(data.n, dtype=np.int32), data.total[None], np.array([data.n]))

    def _distances(self, seed_id: int, index: Index) -> Floats:
        """Squared distances of these rows to one row, in float64."""
        out, center = np.empty(len(index)), self.data.centred(np.array([seed_id]))[0]
        for part, block in self.data.centred_blocks(index):
            out[part] = -2 * (block @ center) + center @ center + self.data.squares[index[part]]
        return np.maximum(out, 0, out=out)

    def add(self) -> None:
        """Choose one more seed: of the rows drawn, the one that leaves the smallest sum of squared distances."""
        draws = self._random.uniform(size=self.n_trials) * self._nearest.sum()
        drawn = np.searchsorted(np.cumsum(self._nearest), draws).clip(max=self.data.n - 1)
        scores = _Scores(self.data, self.data.centred(drawn))
        distances = np.empty((self.n_trials, self.data.n))
        for start in range(0, self.data.n, BLOCK_ROWS):
            part = slice(start, start + BLOCK_ROWS)
            distances[:, part] = self.data.squares[part] - 2 * scores.fast(self.data.values[part]).T
        # Only rows that may be nearer to the new seed matter, and only they are worked out again in float64.
        closer_mask = distances < self._nearest + 2 * scores.error
        left = np.minimum(self._nearest, distances).sum(axis=1)
        unsure = closer_mask.sum(axis=1) * 2 * scores.error
        rivals = np.flatnonzero(left - unsure <= (left + unsure).min())
        for j in rivals:
            index = np.flatnonzero(closer_mask[j])
            distances[j, index] = self._distances(int(drawn[j]), index)
            left[j] = np.minimum(self._nearest, distances[j]).sum()
        best = int(rivals[left[rivals].argmin()])
        index = np.flatnonzero(closer_mask[best] & (distances[best] < self._nearest))
        self._nearest[index] = distances[best, index]
        self.clusters.sums = np.vstack([self.clusters.sums, np.zeros(self.data.d)])
        self.clusters.counts = np.append(self.clusters.counts, 0)
        self.clusters.move(self.data, index, np.full(len(index), len(self.ids), dtype=np.int32))
        self.ids.append(int(drawn[best]))


class _Bounds:
    """Between which distances a row's own center and the others can lie, so that most rows need no second look."""

    def __init__(self, data: _Data, k: int) -> None:
        self._upper = np.full(data.n, np.inf)
        self._lower = np.zeros(data.n)
        # A floor is the smallest distance when it was last worked out, plus the center's drift up to then.
        self._floors = np.zeros((data.n, k), dtype=data.values.dtype)
        self._drift = np.zeros(k)
        self._data = data

    def loosen(self, labels: Labels, shifts: Floats) -> None:
        """The centers have moved this far."""
        self._drift += shifts
        self._upper += shifts[labels]
        rest, most = np.sort(shifts)[-2:]
        self._lower -= np.where(labels == shifts.argmax(), rest, most)

    def undecided(self, labels: Labels, start: int) -> Index:
        """Rows of the block whose nearest center may have changed."""
        slack = 16 * self._data.eps * (self._data.reach + float(self._drift.max()))
        part = slice(start, start + BLOCK_ROWS)
        index = np.flatnonzero(self._upper[part] + slack >= self._lower[part]) + start
        floors = self._floors[index] - self._drift
        floors[np.arange(len(index)), labels[index]] = np.inf
        self._lower[index] = floors.min(axis=1)
        return index[self._upper[index] + slack >= self._lower[index]]

    def nearest(self, scores: _Scores, block: Rows, index: Index) -> Labels:
        """Nearest center of these rows, whose bounds are renewed."""
        table, each = scores.fast(block), np.arange(len(index))
        labels = table.argmax(axis=1).astype(np.int32)
        squares = self._data.squares[index]
        best = table[each, labels].astype(np.float64)
        self._upper[index] = np.sqrt(np.maximum(squares - 2 * (best - scores.error), 0))
        floors = table * -2
        floors += (squares - 2 * scores.error)[:, None].astype(table.dtype)
        self._floors[index] = np.sqrt(np.maximum(floors, 0, out=floors), out=floors) + self._drift
        table[each, labels] = -np.inf
        second = table.max(axis=1).astype(np.float64)
        self._lower[index] = np.sqrt(np.maximum(squares - 2 * (second + scores.error), 0))
        close = np.flatnonzero(best - second <= 2 * scores.error)
        for part, rows in self._data.centred_blocks(index[close]):
            labels[close[part]] = scores.exact(rows).argmax(axis=1)
        self._upper[index[close]] = np.inf
        return labels


def _lloyd(data: _Data, clusters: _Clusters, centers: Floats) -> Floats:
    """Lloyd's algorithm from the seeds on, with scikit-learn's rules for when to stop; the last centers."""
    bounds = _Bounds(data, len(centers))
    for iteration in range(_MAX_ITERATIONS):
        n_moved = _assign(data, clusters, bounds, centers) if iteration else data.n
        old, centers = centers, _means(data, clusters, centers)
        if n_moved == 0:
            return centers
        shifts = np.sqrt(((centers - old) ** 2).sum(axis=1))
        bounds.loosen(clusters.labels, shifts)
        if (shifts**2).sum() <= data.tolerance:
            break
    _assign(data, clusters, bounds, centers)
    return centers


def _assign(data: _Data, clusters: _Clusters, bounds: _Bounds, centers: Floats) -> int:
    """Give every row the label of its nearest center; how many labels changed."""
    scores, labels = _Scores(data, centers), clusters.labels.copy()
    for start in range(0, data.n, BLOCK_ROWS):
        block = data.values[start : start + BLOCK_ROWS]
        index = bounds.undecided(clusters.labels, start)
        # Picking rows out costs about as much as multiplying them: a block that is mostly undecided is taken whole.
        if len(index) > len(block) // 2:
            index = np.arange(start, start + len(block))
        else:
            block = data.values.take(index, axis=0, out=data.buffer[: len(index)], mode="clip")
        labels[index] = bounds.nearest(scores, block, index)
    moved = np.flatnonzero(labels != clusters.labels)
    clusters.move(data, moved, labels[moved])
    return len(moved)


def _means(data: _Data, clusters: _Clusters, old: Floats) -> Floats:
    """Centers of the clusters. An empty cluster gets the row that is furthest from its own center."""
    labels, sums, counts = clusters.labels, clusters.sums.copy(), clusters.counts.copy()
    empty = np.flatnonzero(counts == 0)
    if len(empty):
        distances = np.empty(data.n)
        for part, block in data.centred_blocks(np.arange(data.n)):
            distances[part] = ((block - old[labels[part]]) ** 2).sum(axis=1)
        furthest = np.argpartition(distances, -len(empty))[: -len(empty) - 1 : -1]
        for cluster, row in zip(empty, furthest if distances.max() > 0 else (), strict=False):
            sums[cluster] = data.centred(np.array([row]))[0]
            sums[labels[row]] -= sums[cluster]
            counts[cluster], counts[labels[row]] = 1, counts[labels[row]] - 1
    # What is still empty sits on the largest cluster, or on its sum if that comes later: scikit-learn's order.
    largest = int(counts.argmax())
    for cluster in range(len(counts)):
        sums[cluster] = sums[cluster] * (1 / counts[cluster]) if counts[cluster] else sums[largest]
    return sums
