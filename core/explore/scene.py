"""The interface of regions, and the scene of vectors and points that they are fitted to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.protocols import OnProgress
from core.settings import EvaluationSettings
from core.types import CoreSet, EmbeddedSet, Ids, Mask, Points, Projection, RegionKind, RetrievedSet, Space, Vectors
from core.vectors import centroid, cosine, similarities

Rows = Vectors | Points


@dataclass(frozen=True, eq=False)
class Scene:
    """One query version and its topic's core: all data that a region may use."""

    core_ids: Ids
    """Every core publication of the topic, including those without a vector."""
    n_retrieved: int
    all_found_ids: Ids
    """Core publications among the retrieved, with or without a vector."""
    retrieved: EmbeddedSet
    """Retrieved publications with a vector, which can be scored."""
    core: EmbeddedSet
    """Core publications with a vector, found or not."""
    found_ids: Ids
    """Found core publications with a vector."""
    projection: Projection | None
    """A landscape that holds at least every retrieved publication with a vector."""
    on_step: OnProgress | None = None
    """Called with the progress of a slow fit and its maximum."""

    def __repr__(self) -> str:
        return f"Scene({self.n_retrieved:,} retrieved, {self.n_found:,} of {self.n_core:,} core found)"

    @classmethod
    def of(
        cls, retrieved: RetrievedSet, core: CoreSet, embedded: EmbeddedSet, projection: Projection | None = None
    ) -> Scene:
        retrieved_members = set(retrieved.ids)
        scorable = tuple(i for i in retrieved.ids if i in embedded)
        scene = cls(
            core_ids=core.ids,
            n_retrieved=len(retrieved),
            all_found_ids=tuple(i for i in core.ids if i in retrieved_members),
            retrieved=embedded.take(scorable),
            core=embedded.take([i for i in core.ids if i in embedded]),
            found_ids=tuple(i for i in core.ids if i in retrieved_members and i in embedded),
            projection=None,
        )
        return scene if projection is None else scene.on(projection)

    def on(self, projection: Projection) -> Scene:
        """Return the scene with this landscape."""
        if missing := sum(i not in projection for i in self.retrieved.ids):
            raise InputError(f"projection {projection.projection_id} lacks {missing} of the retrieved publications")
        return replace(self, projection=projection)

    @property
    def n_core(self) -> int:
        return len(self.core_ids)

    @property
    def n_found(self) -> int:
        return len(self.all_found_ids)

    @property
    def missed_ids(self) -> Ids:
        found = set(self.all_found_ids)
        return tuple(i for i in self.core_ids if i not in found)

    @cached_property
    def found_rows(self) -> npt.NDArray[np.intp]:
        """The positions of the found core publications among the retrieved, in the order of `found_ids`."""
        row_of = {publication_id: row for row, publication_id in enumerate(self.retrieved.ids)}
        return np.array([row_of[i] for i in self.found_ids], dtype=np.intp)

    @cached_property
    def centre(self) -> Vectors:
        """The direction of the core's mean, found or not; all zeros if there is no core vector, or they cancel out."""
        if len(self.core):
            return centroid(self.core.vectors)
        return np.zeros(self.core.vectors.shape[1], dtype=np.float32)

    @cached_property
    def similarities_to_centre(self) -> npt.NDArray[np.float32]:
        return cosine(self.retrieved.vectors, self.centre)

    @cached_property
    def similarities_to_core(self) -> npt.NDArray[np.float32]:
        return similarities(self.retrieved.vectors, self.core.vectors)

    @cached_property
    def core_gram(self) -> npt.NDArray[np.float64]:
        vectors = self.core.vectors.astype(np.float64)
        gram: npt.NDArray[np.float64] = vectors @ vectors.T
        return gram

    @cached_property
    def points(self) -> Points:
        if self.projection is None:
            raise InputError("this region needs a projection, and none was given")
        return self.projection.take(self.retrieved.ids).points

    @property
    def found_points(self) -> Points:
        return self.points[self.found_rows]

    @property
    def found_vectors(self) -> Vectors:
        return self.retrieved.vectors[self.found_rows]

    def rows(self, space: Space) -> Rows:
        return self.retrieved.vectors if space == "embedding" else self.points


class Region(ABC):
    kind: ClassVar[RegionKind]
    space: ClassVar[Space]
    recall_counts: ClassVar[Literal["accepted", "found"]] = "accepted"
    """The core publications in F-beta's recall: those inside the region, or all that were found."""

    @abstractmethod
    def contains(self, rows: Rows) -> Mask:
        """Return a mask of the rows inside the region."""

    @abstractmethod
    def defines(self) -> Mapping[str, float | int | str]:
        """Return the numbers that define this region."""

    @property
    def degenerate(self) -> str | None:
        """The reason why this region is meaningless although it could be fitted; None if it is not."""
        return None

    def outline(self) -> Points | None:
        """Return the boundary on the landscape as a polygon, or None if the region has none there."""
        return None


@dataclass(frozen=True, eq=False)
class FittedRegion:
    region: Region
    relevant_mask: Mask
    warnings: tuple[str, ...] = ()
    n_core_reported: int | None = None
    """Compat only: the count that the published code reports, if it differs from the core publications inside."""


@dataclass(frozen=True, slots=True)
class UndefinedRegion:
    """A region that can't be fitted, with the reason."""

    reason: str


Fit = FittedRegion | UndefinedRegion
RegionFit = Callable[[Scene, EvaluationSettings], Fit]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionDefinition:
    """A kind of region: its fit, and all that people read about it."""

    region: type[Region]
    fit: RegionFit
    label: str
    head: str = ""
    """A shorter label for narrow columns."""
    accepts: str
    """A sentence."""
    inside: str
    """The reason why it accepts a publication, which may name its {similarity} and the {threshold}."""
    outside: str
    outline_role: Literal["relevant", "ellipsoid", "hull", "cluster"]
    """The colour and dash of its outline."""
    is_default: bool = False
    """It is evaluated by default and listed on the pages."""


def fitted(region: Region, scene: Scene, warnings: tuple[str, ...] = ()) -> FittedRegion:
    return FittedRegion(region, region.contains(scene.rows(region.space)), warnings)


def needs(n: int, what: str) -> UndefinedRegion:
    """Return the usual reason: too few publications for a fit."""
    return UndefinedRegion(f"needs {n} {what}")
