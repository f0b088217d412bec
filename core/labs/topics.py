"""A topic as labs look at it, and one that is made up so that labs work with nothing loaded."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.regions.base import Scene
from core.regions.cosine import leave_one_out_similarities
from core.settings import EvaluationSettings
from core.sweep import SIMILARITY_TOLERANCE, Counts, SimilaritySweep, curve
from core.types import CoreSet, Floats, Mask, RetrievedSet
from core.vectors import embedded_set

MADE_UP = "A made-up topic"
N_MADE_UP = 400
N_DIMENSIONS = 16
THEMES: tuple[tuple[int, int, float], ...] = ((90, 12, 1.3), (60, 6, 1.2), (80, 2, 1.3), (70, 0, 1.2), (100, 0, 1.8))
"""Publications of each theme, how many of them are core, and how far it spreads. The last is everything else."""
N_MISSED = 2
"""Core publications that the made-up query does not retrieve."""


@dataclass(frozen=True, eq=False)
class LabTopic:
    """One version of one topic, its publications by rising similarity to the core."""

    name: str
    scene: Scene
    similarities: npt.NDArray[np.float32]
    """Of the retrieved publications that have a vector, rising."""
    core_mask: Mask
    """Which of them are core."""
    made_up: bool = False

    @classmethod
    def of(cls, name: str, scene: Scene, *, made_up: bool = False) -> LabTopic:
        """Bring a scene into the order of its similarities."""
        similarities = scene.similarities_to_centre
        order = np.argsort(similarities, kind="stable")
        is_core = np.zeros(len(order), dtype=np.bool_)
        is_core[scene.found_rows] = True
        return cls(name, scene, similarities[order], is_core[order], made_up)

    @property
    def n(self) -> int:
        """Retrieved publications with a vector."""
        return len(self.similarities)

    @property
    def n_core(self) -> int:
        """All core publications, found or not."""
        return self.scene.n_core

    @cached_property
    def ascending(self) -> Floats:
        """The similarities as they are compared."""
        return self.similarities.astype(np.float64)

    @cached_property
    def core_ascending(self) -> Floats:
        """Those of the found core publications."""
        return self.ascending[self.core_mask]

    @cached_property
    def span(self) -> tuple[float, float]:
        """Lowest and highest similarity; all of it if nothing was retrieved."""
        return (float(self.ascending[0]), float(self.ascending[-1])) if self.n else (-1.0, 1.0)

    @cached_property
    def left_out(self) -> float | None:
        """The similarity threshold that the app takes for most embedders; None with fewer than 2 core vectors."""
        if len(self.scene.core) < 2:
            return None
        lowest = float(leave_one_out_similarities(self.scene.core_gram)[0].min())
        return lowest if np.isfinite(lowest) else None

    def n_relevant(self, thresholds: Floats) -> Counts:
        """How many publications reach each similarity threshold."""
        return _at_least(self.ascending, thresholds)

    def n_accepted(self, thresholds: Floats) -> Counts:
        """How many found core publications reach each similarity threshold."""
        return _at_least(self.core_ascending, thresholds)

    def scores(self, thresholds: Floats, settings: EvaluationSettings, *, times: int = 1) -> SimilaritySweep:
        """Scores at these similarity thresholds: the counts are looked up, nothing is sorted again.

        `times`: each publication stands for so many alike, so that the decay can be seen at work on a short list.
        """
        return curve(
            thresholds,
            n_relevant=self.n_relevant(thresholds) * times,
            n_accepted_core=self.n_accepted(thresholds),
            n_scorable=self.n * times,
            n_core=self.n_core,
            settings=settings,
        )

    def best(self, settings: EvaluationSettings, *, times: int = 1) -> float | None:
        """The strictest similarity threshold at which F-beta is highest; None if it is 0 everywhere."""
        if not self.n:
            return None
        sweep = self.scores(self.ascending, settings, times=times)
        return float(self.ascending[sweep.best]) if sweep.f_beta.any() else None


def _at_least(ascending: Floats, thresholds: Floats) -> Counts:
    return len(ascending) - np.searchsorted(ascending, thresholds - SIMILARITY_TOLERANCE, side="left").astype(np.int64)


def made_up_scene(seed: int = 0) -> Scene:
    """A query over a made-up corpus: five themes in 16 dimensions, the core in three of them, two core missed."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(len(THEMES), N_DIMENSIONS))
    centres[1] += 1.1 * centres[0]  # the themes of the core lie near each other
    centres[2] += 0.7 * centres[0]
    rows, core = [], []
    for (n, n_core, spread), centre in zip(THEMES, centres, strict=True):
        # Core publications are typical of their theme.
        spreads = np.concatenate([np.full(n_core, 0.75 * spread), np.full(n - n_core, spread)])
        rows.append(centre + rng.normal(size=(n, N_DIMENSIONS)) * spreads[:, None])
        core.append(np.arange(n) < n_core)
    ids = tuple(f"m{number:03}" for number in range(N_MADE_UP))
    order = rng.permutation(N_MADE_UP)
    embedded, _ = embedded_set(ids, np.concatenate(rows)[order], "made-up")
    core_ids = tuple(i for i, is_core in zip(ids, np.concatenate(core)[order], strict=True) if is_core)
    retrieved = RetrievedSet.of("made-up", (i for i in ids if i not in core_ids[:N_MISSED]))
    return Scene.of(retrieved, CoreSet(MADE_UP, core_ids), embedded)


def made_up_topic(seed: int = 0) -> LabTopic:
    """The made-up query, ready for a lab. The same seed gives the same topic."""
    return LabTopic.of(MADE_UP, made_up_scene(seed), made_up=True)
