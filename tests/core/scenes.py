"""Small made-up topics that the tests of core share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.explore.evaluate import Evaluation, evaluate
from core.explore.regions import REGIONS
from core.explore.scene import Scene
from core.settings import EvaluationSettings
from core.types import CoreSet, EmbeddedSet, Ids, Projection, RegionKind, RetrievedSet
from core.vectors import embedded_set

ALL_KINDS: tuple[RegionKind, ...] = tuple(REGIONS)
SETTINGS = EvaluationSettings()


@dataclass(frozen=True, eq=False)
class Topic:
    """Everything `evaluate` takes."""

    embedded: EmbeddedSet
    projection: Projection
    core_ids: Ids
    retrieved_ids: Ids
    topic_id: str = "topic"

    @property
    def core(self) -> CoreSet:
        return CoreSet(self.topic_id, self.core_ids)

    @property
    def retrieved(self) -> RetrievedSet:
        return RetrievedSet.of("query", self.retrieved_ids)

    @property
    def scene(self) -> Scene:
        return Scene.of(self.retrieved, self.core, self.embedded, self.projection)

    def evaluate(
        self, settings: EvaluationSettings = SETTINGS, regions: Sequence[RegionKind] = ALL_KINDS
    ) -> Evaluation:
        return evaluate(
            self.retrieved, self.core, self.embedded, projection=self.projection, settings=settings, regions=regions
        )

    def with_(self, **changes: object) -> Topic:
        return replace(self, **changes)  # type: ignore[arg-type]


def topic_of(
    vectors: npt.ArrayLike,
    *,
    n_core: int,
    found: Sequence[int],
    points: npt.ArrayLike | None = None,
    model_id: str = "toy",
) -> Topic:
    """A topic whose first `n_core` rows are its core (c0, c1, ...), of which `found` are retrieved with all others."""
    raw = np.asarray(vectors, dtype=np.float64)
    ids = tuple(f"c{i}" if i < n_core else f"p{i}" for i in range(len(raw)))
    embedded, _ = embedded_set(ids, raw, model_id)
    places = np.asarray(raw[:, :2] if points is None else points, dtype=np.float64)
    retrieved = tuple(ids[i] for i in found) + ids[n_core:]
    return Topic(embedded, Projection(ids, places, "map"), ids[:n_core], retrieved)


def random_topic(
    seed: int = 0,
    *,
    n: int = 90,
    n_core: int = 12,
    n_found: int = 9,
    d: int = 10,
    spread: float = 0.6,
    model_id: str = "toy",
) -> Topic:
    """Core publications around one theme among others of every direction, and a landscape that follows the theme."""
    rng = np.random.default_rng(seed)
    theme = np.eye(d)[0]
    core = theme + spread * rng.normal(size=(n_core, d)) / np.sqrt(d)
    nearness = rng.uniform(0, 1, size=(n - n_core, 1))
    others = nearness * theme + rng.normal(size=(n - n_core, d)) / np.sqrt(d)
    vectors = np.vstack([core, others])
    points = 6 * vectors @ rng.normal(size=(d, 2)) + rng.normal(size=(n, 2))
    return topic_of(vectors, n_core=n_core, found=range(n_found), points=points, model_id=model_id)


def version(topic: Topic, found: Iterable[int], others: Iterable[int]) -> Topic:
    """The topic's version that retrieves these core publications and these others."""
    return topic.with_(retrieved_ids=(*(f"c{i}" for i in found), *(f"p{i}" for i in others)))


def unit(vectors: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Rows of unit length in float64."""
    rows = np.asarray(vectors, dtype=np.float64)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def f_beta_of(n_relevant: int, n_scorable: int, recall: float, settings: EvaluationSettings = SETTINGS) -> float:
    """The formula of METRICS.md, written out."""
    inside = 1 - (n_relevant / settings.decay_limit) ** settings.decay_onset
    precision = n_relevant / n_scorable * (inside**settings.decay_steepness if inside > 0 else 0.0)
    weight = settings.beta**2
    return (1 + weight) * precision * recall / (weight * precision + recall) if precision > 0 and recall > 0 else 0.0
