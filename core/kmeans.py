"""k-means for k = 2, 3, ... in one sweep: scikit-learn's labels (float64, one init), several times sooner.

What saves the time, and why the labels stay the same:
- The k-means++ seeds for k are the first k of those for k + 1 while both try the same number of candidates, and
  the distances that the seeding takes are the first Lloyd step.
- Scores come from a float32 product whose rounding is bounded. Only rows inside the bound are worked out in float64.
- A row keeps a bound on its distance to its own and to every other center (Hamerly 2010). As long as the two can't
  have crossed, the row is not looked at.
- Sums of clusters are float64 and change only by the rows that moved.

Everything happens in coordinates with the mean at the origin, without a centred copy of the float32 rows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.types import Floats
from core.vectors import BLOCK_ROWS

Rows = NDArray[np.float32] | NDArray[np.float64]
Index = NDArray[np.intp]
Labels = NDArray[np.int32]

_EXACT_ROWS = 512
"""Rows that are turned into float64 at once: small enough to stay in the processor's cache."""
_MAX_ITERATIONS = 300
_TOLERANCE = 1e-4
_SLACK = 1e-9
"""Share of the data's reach by which bounds must differ: far above what adding up shifts can round."""


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
    for start in range(0, len(rows), _EXACT_ROWS):
        # Adding zero turns -0.0 into 0.0.
        for row in rows[start : start + _EXACT_ROWS] + 0.0:
            if len(seen) >= at_most:
                return len(seen)
            seen.add(hashlib.blake2b(row.tobytes(), digest_size=16).digest())
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
        labels, centers = _lloyd(data, seeding.start(), data.centred(np.array(seeding.ids)))
        yield Clustering(k, labels, centers + data.mean)


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
        self.squares = np.empty(self.n)
        self.total = np.zeros(self.d)
        longest = 0.0
        for part, block in self.centred_blocks(np.arange(self.n)):
            self.squares[part] = np.einsum("ij,ij->i", block, block)
            self.total += block.sum(axis=0)
            raw = self.values[part]
            longest = max(longest, float(np.einsum("ij,ij->i", raw, raw).max()))
        self.length = float(np.sqrt(longest)) * (1 + 1e-3)
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

    def gather(self, index: Index) -> Rows:
        """These rows as they are, in a buffer that the next call overwrites."""
        return self.values.take(index, axis=0, out=self.buffer[: len(index)], mode="clip")


class _Scores:
    """Score of rows against centers: x·c - |c|²/2, the higher the nearer. |x - c|² = |x|² - 2 score."""

    def __init__(self, data: _Data, centers: Floats) -> None:
        self.centers = centers
        self.halves = np.einsum("ij,ij->i", centers, centers) / 2
        kind = data.values.dtype
        # The rows are not centred: their offset's share of the product goes into the constant.
        constant = self.halves + centers @ data.offset
        self._columns = centers.astype(kind).T
        self._constant = constant.astype(kind)
        longest = float(np.sqrt(2 * self.halves.max()))
        rounding = float(np.finfo(kind).eps) / 2
        self.error = rounding * ((data.d + 5) * data.length * longest + 4 * float(np.abs(constant).max()))
        """No score is further off than this, in whatever order the product was summed."""

    def fast(self, rows: Rows) -> Rows:
        scores: Rows = rows @ self._columns
        scores -= self._constant
        return scores

    def exact(self, centred_rows: Floats) -> Floats:
        scores: Floats = centred_rows @ self.centers.T - self.halves
        return scores


@dataclass(eq=False)
class _Assignment:
    """Which cluster each row is in, what is known of its distances, and the sums that follow."""

    labels: Labels
    upper: Floats
    """Distance to the own center is at most this."""
    lower: Floats
    """Distance to any other center is at least this."""
    sums: Floats
    counts: NDArray[np.intp] = field()

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
    """Greedy k-means++ that can go on from where it stopped."""

    def __init__(self, data: _Data, n_trials: int, seed: int) -> None:
        self.data, self.n_trials = data, n_trials
        # scikit-learn draws from the legacy generator, and the seeds have to be its own.
        self._random = np.random.RandomState(seed)
        self.ids = [int(self._random.choice(data.n, p=np.full(data.n, 1 / data.n)))]
        self._nearest = self._distances(self.ids[0], np.arange(data.n))
        self._second = np.full(data.n, np.inf)
        self._moved = _Assignment(
            np.zeros(data.n, dtype=np.int32), self._nearest, self._second, data.total[None], np.array([data.n])
        )

    def _distances(self, seed_id: int, index: Index) -> Floats:
        """Squared distances of these rows to one row, in float64."""
        out, center = np.empty(len(index)), self.data.centred(np.array([seed_id]))[0]
        for part, block in self.data.centred_blocks(index):
            out[part] = -2 * (block @ center) + center @ center + self.data.squares[index[part]]
        return np.maximum(out, 0, out=out)

    def _candidates(self) -> tuple[Index, Floats, float]:
        """Rows drawn by squared distance, about how far every row is from each, and how far off that may be."""
        draws = self._random.uniform(size=self.n_trials) * self._nearest.sum()
        drawn = np.searchsorted(np.cumsum(self._nearest), draws).clip(max=self.data.n - 1)
        scores = _Scores(self.data, self.data.centred(drawn))
        out = np.empty((self.n_trials, self.data.n))
        for start in range(0, self.data.n, BLOCK_ROWS):
            part = slice(start, start + BLOCK_ROWS)
            out[:, part] = scores.fast(self.data.values[part]).T
        out *= -2
        out += self.data.squares
        return drawn, out, 2 * scores.error

    def add(self) -> None:
        """Choose one more seed: of the candidates, the one that leaves the smallest sum of squared distances."""
        drawn, distances, error = self._candidates()
        maybe_closer = distances < self._nearest + error
        left = np.minimum(self._nearest, distances).sum(axis=1)
        unsure = maybe_closer.sum(axis=1) * error + 1e-12 * left
        best = int(left.argmin())
        rivals = np.flatnonzero(left - unsure <= left[best] + unsure[best])
        for j in rivals if len(set(drawn[rivals])) > 1 else [best]:
            index = np.flatnonzero(maybe_closer[j])
            distances[j, index] = self._distances(int(drawn[j]), index)
            left[j] = np.minimum(self._nearest, distances[j]).sum()
        best = int(rivals[left[rivals].argmin()])
        self._take(int(drawn[best]), distances[best], np.flatnonzero(maybe_closer[best]), error)

    def _take(self, seed_id: int, distances: Floats, index: Index, error: float) -> None:
        closer = index[distances[index] < self._nearest[index]]
        np.minimum(self._second, np.maximum(distances - error, 0), out=self._second)
        self._second[closer] = self._nearest[closer]
        self._nearest[closer] = distances[closer]
        moved = self._moved
        moved.sums, moved.counts = np.vstack([moved.sums, np.zeros(self.data.d)]), np.append(moved.counts, 0)
        moved.move(self.data, closer, np.full(len(closer), len(self.ids), dtype=np.int32))
        self.ids.append(seed_id)

    def start(self) -> _Assignment:
        """Every row with its nearest seed: what Lloyd's first step would find."""
        moved = self._moved
        rounding = 4 * (self.data.d + 5) * float(np.finfo(np.float64).eps) * self.data.reach**2
        upper, lower = np.sqrt(self._nearest + rounding), np.sqrt(np.maximum(self._second - rounding, 0))
        return _Assignment(moved.labels.copy(), upper, lower, moved.sums.copy(), moved.counts.copy())


def _lloyd(data: _Data, now: _Assignment, centers: Floats) -> tuple[Labels, Floats]:
    """Lloyd's algorithm from the seeds on, with scikit-learn's rules for when to stop."""
    for iteration in range(_MAX_ITERATIONS):
        n_moved = _assign(data, now, centers) if iteration else data.n
        old, centers = centers, _means(data, now, centers)
        if n_moved == 0:
            return now.labels, centers
        shifts = np.sqrt(((centers - old) ** 2).sum(axis=1))
        now.upper += shifts[now.labels]
        rest, most = np.sort(shifts)[-2:]
        now.lower -= np.where(now.labels == shifts.argmax(), rest, most)
        if (shifts**2).sum() <= data.tolerance:
            break
    _assign(data, now, centers)
    return now.labels, centers


def _assign(data: _Data, now: _Assignment, centers: Floats) -> int:
    """Give every row the label of its nearest center; how many labels changed."""
    scores = _Scores(data, centers)
    active_mask = now.upper + _SLACK * data.reach >= now.lower
    moved, to = [], []
    for start in range(0, data.n, BLOCK_ROWS):
        block = data.values[start : start + BLOCK_ROWS]
        index = np.flatnonzero(active_mask[start : start + BLOCK_ROWS]) + start
        if not len(index):
            continue
        # Picking rows out costs about as much as multiplying them, so a block that is mostly active is taken whole.
        if len(index) > len(block) // 2:
            index = np.arange(start, start + len(block))
        else:
            block = data.gather(index)
        labels = _nearest(data, now, scores, block, index)
        changed = np.flatnonzero(labels != now.labels[index])
        moved.append(index[changed])
        to.append(labels[changed])
    if moved:
        now.move(data, np.concatenate(moved), np.concatenate(to))
    return sum(map(len, moved))


def _nearest(data: _Data, now: _Assignment, scores: _Scores, block: Rows, index: Index) -> Labels:
    """Nearest center of these rows; their bounds are renewed."""
    table = scores.fast(block)
    labels = table.argmax(axis=1).astype(np.int32)
    each = np.arange(len(index))
    best = table[each, labels].astype(np.float64)
    table[each, labels] = -np.inf
    second = table.max(axis=1).astype(np.float64)
    squares = data.squares[index]
    now.upper[index] = np.sqrt(np.maximum(squares - 2 * (best - scores.error), 0))
    now.lower[index] = np.sqrt(np.maximum(squares - 2 * (second + scores.error), 0))
    close = np.flatnonzero(best - second <= 2 * scores.error)
    for part, rows in data.centred_blocks(index[close]):
        labels[close[part]] = scores.exact(rows).argmax(axis=1)
    now.upper[index[close]] = np.inf
    return labels


def _means(data: _Data, now: _Assignment, old: Floats) -> Floats:
    """Centers of the clusters. An empty cluster gets the row that is furthest from its own center."""
    sums, counts = now.sums, now.counts
    if counts.all():
        return sums * (1 / counts)[:, None]
    sums, counts = sums.copy(), counts.copy()
    empty = np.flatnonzero(counts == 0)
    distances = np.empty(data.n)
    for part, block in data.centred_blocks(np.arange(data.n)):
        distances[part] = ((block - old[now.labels[part]]) ** 2).sum(axis=1)
    furthest = np.argpartition(distances, -len(empty))[: -len(empty) - 1 : -1]
    for cluster, row in zip(empty, furthest, strict=True) if distances.max() > 0 else ():
        sums[cluster] = data.centred(np.array([row]))[0]
        sums[now.labels[row]] -= sums[cluster]
        counts[cluster], counts[now.labels[row]] = 1, counts[now.labels[row]] - 1
    # What is still empty sits on the largest cluster, or on its sum if that comes later: scikit-learn's order.
    largest = int(counts.argmax())
    for cluster, count in enumerate(counts):
        sums[cluster] = sums[cluster] * (1 / count) if count else sums[largest]
    return sums
