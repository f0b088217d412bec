"""Names for places on a landscape: where publications gather, and the words of their titles that set them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt
from scipy.ndimage import gaussian_filter, maximum_filter
from scipy.spatial import cKDTree

from core.text import tokens
from core.types import Points

GRID = 96
LEVELS = (7.0, 3.5, 1.8)
"""Blur of the density in grid cells: wide finds few large groups, narrow many small ones."""
MOST_GROUPS = (10, 24, 60)
COLOURED_LEVEL = 0
"""The level whose groups can be told apart by colour."""
NO_GROUP = 255
FEWEST = 8
"""A group of fewer publications gets no name."""
MOST_READ = 20_000
"""Titles that are read at most; names do not change with more."""
WORDS_IN_NAME = 2
_SMALL_WORDS = frozenset(
    """
    a about across after against all among an analysis and approach approaches are as at based be before below
    beneath between beyond by can case data different do does during effect effects evidence first for from has
    have high how if in into is it its low made method methods model models more most new not of on one or over
    results review role some study survey systematic than that the their them there these they this through to
    toward towards two under up use used using via was were what when where which who why with within without
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Group:
    """A named place on the landscape."""

    name: str
    x: float
    y: float
    n: int
    level: int
    """0: shown from afar; higher levels as one comes closer."""


@dataclass(frozen=True, eq=False)
class Groups:
    """The named places, and which of the widest ones each publication belongs to."""

    named: tuple[Group, ...]
    coloured: tuple[str, ...]
    """Names of the groups that publications are coloured by, the largest first."""
    group_of: npt.NDArray[np.uint8]
    """Index into `coloured`, per row; 255: none."""


def name_groups(points: Points, titles: Sequence[str]) -> Groups:
    """Find where publications gather, at three widths, and name each gathering."""
    n = len(points)
    group_of = np.full(n, NO_GROUP, dtype=np.uint8)
    if n < FEWEST:
        return Groups((), (), group_of)
    low, extent = points.min(axis=0), np.maximum(np.ptp(points, axis=0), 1e-12)
    cells = np.minimum(((points - low) / extent * GRID).astype(int), GRID - 1)
    density = np.zeros((GRID, GRID))
    np.add.at(density, (cells[:, 0], cells[:, 1]), 1.0)
    step = max(1, n // MOST_READ)
    words = [set(_words(title)) for title in titles[::step]]
    overall = Counter(word for of_title in words for word in of_title)
    named: list[Group] = []
    coloured: tuple[str, ...] = ()
    for level, (blur, most) in enumerate(zip(LEVELS, MOST_GROUPS, strict=True)):
        nearest = _nearest_peak(cells, density, blur, most)
        groups = _named(points, words, step, overall, nearest, level)
        named += [group for _, group in groups]
        if level == COLOURED_LEVEL:
            coloured = tuple(group.name for _, group in groups)
            for index, (peak, _) in enumerate(groups):
                group_of[nearest == peak] = index
    return Groups(tuple(named), coloured, group_of)


def _words(title: str) -> list[str]:
    return [word for word in tokens(title) if len(word) > 2 and not word.isdigit() and word not in _SMALL_WORDS]


def _nearest_peak(
    cells: npt.NDArray[np.int_], density: npt.NDArray[np.float64], blur: float, most: int
) -> npt.NDArray[np.intp]:
    """For each point the density peak it is nearest to."""
    smooth = gaussian_filter(density, blur)
    is_peak = (smooth == maximum_filter(smooth, size=max(3, int(2 * blur) | 1))) & (smooth > 0.02 * smooth.max())
    peaks = np.argwhere(is_peak)
    peaks = peaks[np.argsort(-smooth[tuple(peaks.T)], kind="stable")][:most]
    _, nearest = cKDTree(peaks).query(cells)
    return np.asarray(nearest, dtype=np.intp)


def _named(
    points: Points,
    words: list[set[str]],
    step: int,
    overall: Counter[str],
    nearest: npt.NDArray[np.intp],
    level: int,
) -> list[tuple[int, Group]]:
    """The groups of one level with a name, the largest first; a name is given once."""
    sizes = np.bincount(nearest)
    found: list[tuple[int, Group]] = []
    taken: set[str] = set()
    for peak in np.argsort(-sizes, kind="stable"):
        members = nearest == peak
        if sizes[peak] < FEWEST:
            break
        within = Counter(word for row in np.flatnonzero(members[::step]) for word in words[row])
        n_read = max(1, int(members[::step].sum()))
        name = _name(within, n_read, overall, len(words))
        if not name or name in taken:
            continue
        taken.add(name)
        middle = np.median(points[members], axis=0)
        found.append((int(peak), Group(name, float(middle[0]), float(middle[1]), int(sizes[peak]), level)))
    return found


def _name(within: Counter[str], n_read: int, overall: Counter[str], n_all: int) -> str:
    """The words that are common here and rare elsewhere."""

    def set_apart(word: str) -> float:
        here, everywhere = within[word] / n_read, overall[word] / n_all
        return here * log(1 + here / everywhere)

    common = [word for word, n in within.items() if n >= max(2, 0.04 * n_read)]
    best = sorted(common, key=lambda word: (-set_apart(word), word))
    chosen: list[str] = []
    for word in best:
        if not any(word.startswith(other[:5]) or other.startswith(word[:5]) for other in chosen):
            chosen.append(word)
        if len(chosen) == WORDS_IN_NAME:
            break
    return " · ".join(chosen)
