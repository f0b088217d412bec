"""Settings that change a result. They are frozen, validated once, and part of the key of a cached result."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from numbers import Real
from typing import Literal, get_args

from core.errors import SettingsError

CosineMode = Literal["fixed", "least_similar_core", "quantile", "leave_one_out", "best"]
Compat = Literal["litqeval-2024"]
ProjectionMethod = Literal["umap", "pca"]

PUBLISHED_MODEL = "text-embedding-3-small"
"""The model for which the similarity threshold of 0.69 was published."""
PUBLISHED_MIN_SIMILARITY = 0.69
LARGEST_SEED = 2**32 - 1
LARGEST_BETA = 1e6


def _check_range(name: str, value: float, low: float, high: float, *, open_ends: bool = False) -> None:
    _check_number(name, value)
    inside = low < value < high if open_ends else low <= value <= high
    if not (math.isfinite(value) and inside):
        bounds = f"({low:g}, {high:g})" if open_ends else f"[{low:g}, {high:g}]"
        raise SettingsError(f"{name} must be in {bounds}, got {value:.12g}")


def _check_number(name: str, value: object) -> None:
    if not isinstance(value, Real):
        raise SettingsError(f"{name} must be a number, got {value!r:.40}")


def _check_positive(name: str, value: float) -> None:
    _check_number(name, value)
    if not (math.isfinite(value) and value > 0):
        raise SettingsError(f"{name} must be a number above 0, got {value:.12g}")


def _check_whole(name: str, value: object, low: int, high: int | None = None) -> None:
    if not (isinstance(value, int) and value >= low and (high is None or value <= high)):
        bounds = f"{low} or more" if high is None else f"in [{low}, {high}]"
        raise SettingsError(f"{name} must be {bounds}, a whole number, got {value}")


def _as_floats(settings: object, *names: str) -> None:
    """Store the named settings as floats, because 2 and 2.0 are the same setting."""
    for name in names:
        object.__setattr__(settings, name, float(getattr(settings, name)))


def _check_choice(name: str, value: object, choices: tuple[object, ...]) -> None:
    if value not in choices:
        raise SettingsError(f"{name} must be one of {', '.join(map(str, choices))}, got {value}")


@dataclass(frozen=True, slots=True)
class EvaluationSettings:
    """The choices that change the scores of a query version."""

    cosine_mode: CosineMode | None = None
    """The source of the similarity threshold. None: `fixed` for text-embedding-3-small, else `leave_one_out`."""
    min_similarity: float = PUBLISHED_MIN_SIMILARITY
    """The threshold of mode `fixed`, in [-1, 1]. -1 accepts everything."""
    quantile: float = 0.1
    """Mode `quantile`: the share of core publications that may fall outside, in [0, 1]. 0 equals `leave_one_out`."""
    min_core_share: float = 0.7
    """A cluster must hold more than this share of the found core publications, in (0, 1)."""
    max_k: int = 100
    """Largest number of clusters to try."""
    decay_limit: float = 50_000.0
    """Number of relevant publications at which the decay reaches 0."""
    decay_onset: float = 1.5
    """Onset of the decay; larger is later."""
    decay_steepness: float = 10.0
    """Steepness of the decay after its onset."""
    beta: float = 2.0
    """Weight of recall against precision in F-beta; 1 weighs both equally."""
    seed: int = 0
    """Seed of every random choice."""
    compat: Compat | None = None
    """`litqeval-2024`: the choices of the published code, for reproduction only."""

    def __post_init__(self) -> None:
        if self.cosine_mode is not None:
            _check_choice("cosine_mode", self.cosine_mode, get_args(CosineMode))
        if self.compat is not None:
            _check_choice("compat", self.compat, get_args(Compat))
        _check_range("min_similarity", self.min_similarity, -1, 1)
        _check_range("quantile", self.quantile, 0, 1)
        _check_range("min_core_share", self.min_core_share, 0, 1, open_ends=True)
        _check_whole("max_k", self.max_k, 2)
        _check_whole("seed", self.seed, 0, LARGEST_SEED)
        _check_positive("decay_limit", self.decay_limit)
        _check_positive("decay_onset", self.decay_onset)
        _check_positive("decay_steepness", self.decay_steepness)
        _check_positive("beta", self.beta)
        if self.beta > LARGEST_BETA:
            raise SettingsError(
                f"beta must be at most {LARGEST_BETA:g}, got {self.beta:.12g}: recall alone counts there"
            )
        _as_floats(self, "min_similarity", "quantile", "min_core_share")
        _as_floats(self, "decay_limit", "decay_onset", "decay_steepness", "beta")

    @property
    def decay_curve(self) -> dict[str, float]:
        return {"limit": self.decay_limit, "onset": self.decay_onset, "steepness": self.decay_steepness}

    def resolved(self, model_id: str) -> EvaluationSettings:
        """Return the settings with an explicit cosine mode for this embedder.

        >>> EvaluationSettings().resolved("lsa").cosine_mode
        'leave_one_out'
        """
        if self.cosine_mode is not None:
            return self
        published = self.compat is not None or model_id == PUBLISHED_MODEL
        return replace(self, cosine_mode="fixed" if published else "leave_one_out")


@dataclass(frozen=True, slots=True)
class ProjectionSettings:
    """The settings of a landscape's layout. It is fitted once per topic and embedder, then stored."""

    method: ProjectionMethod = "umap"
    n_neighbors: int = 15
    """UMAP: number of neighbours that count as near; smaller shows finer detail."""
    min_dist: float = 0.1
    """UMAP: minimum distance between points, in [0, 0.99]."""
    n_dimensions_before: int = 50
    """Wider vectors are first reduced to this many dimensions: as good, and faster."""
    seed: int = 0

    def __post_init__(self) -> None:
        _check_choice("method", self.method, get_args(ProjectionMethod))
        _check_whole("n_neighbors", self.n_neighbors, 2)
        _check_whole("n_dimensions_before", self.n_dimensions_before, 2)
        _check_whole("seed", self.seed, 0, LARGEST_SEED)
        _check_range("min_dist", self.min_dist, 0, 0.99)
        _as_floats(self, "min_dist")
