"""Frozen records. Ids and rows belong together; their lengths are checked once, here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.errors import InputError, MisalignedError, NoCoreError

Ids = tuple[str, ...]
Vectors = npt.NDArray[np.float32]
"""Rows of unit length, shape (n, d)."""
Points = npt.NDArray[np.float64]
"""2-D coordinates, shape (n, 2)."""
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

Origin = Literal["baseline", "generated", "manual", "review"]
Space = Literal["embedding", "projection"]
RegionKind = Literal[
    "cosine",
    "nearest_core",
    "mvee",
    "hull",
    "cluster",
    "mvee_embedding",
    "hull_embedding",
    "cluster_projection",
]


def unique_ids(ids: Iterable[str]) -> Ids:
    """Remove repeated ids; the first occurrence stays.

    >>> unique_ids(["b", "a", "b"])
    ('b', 'a')
    """
    return tuple(dict.fromkeys(ids))


@dataclass(frozen=True, slots=True)
class Publication:
    publication_id: str
    title: str
    abstract: str | None = None
    """None if the source has no abstract; an empty text is never stored."""
    year: int | None = None
    doi: str | None = None
    times_cited: int | None = None
    keywords: tuple[str, ...] = ()
    """Keywords of the authors and of the source, as written there."""


@dataclass(frozen=True, slots=True)
class CoreSet:
    """The known relevant publications of a topic: the truth that recall is measured against."""

    topic_id: str
    ids: Ids

    def __post_init__(self) -> None:
        if not self.ids:
            raise NoCoreError(f'topic "{self.topic_id}" has no core publications: recall needs at least one')
        if len(set(self.ids)) != len(self.ids):
            raise InputError(f'topic "{self.topic_id}" lists a core publication twice')

    def __repr__(self) -> str:
        return f"CoreSet({self.topic_id!r}, {len(self.ids):,} ids)"

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class QueryVersion:
    """One immutable wording of a topic's search. A change creates a new version."""

    query_id: str
    topic_id: str
    label: str
    """Unique within the topic; the value of `--version`."""
    number: int
    """Position in the topic's history, from 1."""
    text: str
    origin: Origin
    dialect: str | None = None
    """The dialect in which the text was run here; None: not run."""
    semantics: str | None = None
    """The word matching (as written or by stem) when it was run here; None: not run."""
    name: str | None = None
    """The author's name for it; the label does not change."""
    note: str | None = None
    """The author's note."""
    made_at: str | None = None
    """Time of the run or import, as ISO 8601 in UTC; None: unknown."""
    parent_id: str | None = None
    """The `query_id` of the version it was derived from, if any."""


@dataclass(frozen=True, slots=True)
class RetrievedSet:
    """The publications that a query version returned. A set: a repeated id counts once, and order has no meaning.

    The one exception: k-means draws its first seeds by position, so a cluster can depend on the order. The order is
    therefore preserved, so that the same list gives the same cluster.
    """

    query_id: str
    ids: Ids

    @classmethod
    def of(cls, query_id: str, ids: Iterable[str]) -> RetrievedSet:
        """Build a set from a list that may contain repeated ids."""
        return cls(query_id, unique_ids(ids))

    def __post_init__(self) -> None:
        if len(set(self.ids)) != len(self.ids):
            raise InputError(f'"{self.query_id}" holds an id more than once: build it with RetrievedSet.of')

    def __repr__(self) -> str:
        return f"RetrievedSet({self.query_id!r}, {len(self.ids):,} ids)"

    def __len__(self) -> int:
        return len(self.ids)


def _is_run(rows: npt.NDArray[np.intp]) -> bool:
    return rows.size > 0 and bool(rows[-1] - rows[0] == rows.size - 1) and bool(np.all(np.diff(rows) == 1))


class _Rows:
    ids: Ids

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, publication_id: object) -> bool:
        return publication_id in self._row_of

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {publication_id: row for row, publication_id in enumerate(self.ids)}

    def _check_ids(self, n_rows: int, what: str) -> None:
        if len(self.ids) != n_rows:
            raise MisalignedError(f"{len(self.ids)} ids but {n_rows} {what}")

    def _rows_of(self, ids: Sequence[str], what: str) -> npt.NDArray[np.intp]:
        try:
            return np.fromiter((self._row_of[i] for i in ids), dtype=np.intp, count=len(ids))
        except KeyError as e:
            raise InputError(f"{what} has no row for publication {e.args[0]!r}") from None


@dataclass(frozen=True, eq=False)
class EmbeddedSet(_Rows):
    """Publications with their vectors. Every row has unit length: publications that can't be scored have no row."""

    ids: Ids
    vectors: Vectors
    model_id: str

    def __post_init__(self) -> None:
        if self.vectors.ndim != 2 or self.vectors.dtype != np.float32:
            raise InputError(f"vectors must be a float32 matrix, got {self.vectors.dtype} {self.vectors.shape}")
        self._check_ids(len(self.vectors), "vectors")

    def __repr__(self) -> str:
        n, n_dimensions = self.vectors.shape
        return f"EmbeddedSet({n:,} vectors of {n_dimensions:,} dimensions, {self.model_id!r})"

    def take(self, ids: Sequence[str]) -> EmbeddedSet:
        """Return these publications, in this order. Adjacent rows are a view, all others a copy."""
        rows = self._rows_of(ids, f"the {self.model_id} embedding")
        vectors = self.vectors[rows[0] : rows[-1] + 1] if _is_run(rows) else self.vectors[rows]
        return EmbeddedSet(tuple(ids), vectors, self.model_id)


@dataclass(frozen=True, eq=False)
class Projection(_Rows):
    """Publications with their coordinates on the landscape. No point moves after fitting."""

    ids: Ids
    points: Points
    projection_id: str

    def __post_init__(self) -> None:
        if self.points.ndim != 2 or self.points.shape[1] != 2:
            raise InputError(f"points must have two columns, got shape {self.points.shape}")
        self._check_ids(len(self.points), "points")

    def __repr__(self) -> str:
        return f"Projection({len(self.ids):,} points, {self.projection_id!r})"

    def rows_of(self, ids: Sequence[str]) -> npt.NDArray[np.intp]:
        return self._rows_of(ids, f"projection {self.projection_id}")

    def take(self, ids: Sequence[str]) -> Projection:
        return Projection(tuple(ids), self.points[self.rows_of(ids)], self.projection_id)
