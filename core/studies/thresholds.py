"""One similarity threshold for many topics: the best of each topic, the best for all of them, and what that costs each.

Every topic gives a curve: what each threshold accepts. All curves are scored alike, in one of two ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from core.errors import InputError
from core.metrics import decay, f_beta
from core.settings import EvaluationSettings
from core.sweep import Counts
from core.types import Floats

StudyScore = Literal["source", "ours"]
"""`source`: what the source maximised, F-beta of inverse precision, scaled to [0, 1] over all points of all topics.
`ours`: F-beta with decay."""


@dataclass(frozen=True, eq=False)
class ThresholdCurve:
    """What each similarity threshold accepts of what one topic's query retrieved."""

    topic_id: str
    min_similarity: Floats
    """Thresholds, rising."""
    n_relevant: Counts
    n_accepted_core: Counts
    n_retrieved: int
    """Over which inverse precision is taken."""
    n_scorable: int
    """Over which semantic precision is taken."""
    n_core: int
    """Every core publication of the topic."""

    def __post_init__(self) -> None:
        n = len(self.min_similarity)
        if not n or len(self.n_relevant) != n or len(self.n_accepted_core) != n:
            raise InputError(
                f'the curve of "{self.topic_id}" needs as many counts as thresholds, and one at least: {n} thresholds, '
                f"{len(self.n_relevant)} counts of relevant publications, {len(self.n_accepted_core)} of core ones"
            )
        if not np.isfinite(self.min_similarity).all() or (np.diff(self.min_similarity) <= 0).any():
            raise InputError(f'the thresholds of the curve of "{self.topic_id}" must rise')
        if self.n_core < 1 or min(self.n_relevant.min(), self.n_accepted_core.min()) < 0:
            raise InputError(f'the curve of "{self.topic_id}" needs a core publication and counts of 0 or more')


@dataclass(frozen=True, eq=False)
class ScoredCurve:
    """A topic's curve with its score at every threshold."""

    curve: ThresholdCurve
    scores: Floats
    """NaN where nothing is accepted and the score is no number."""

    @property
    def topic_id(self) -> str:
        return self.curve.topic_id

    @cached_property
    def best(self) -> int | None:
        """Position of the highest score, of several the loosest threshold; None if no threshold accepts any core."""
        if not (self.curve.n_accepted_core > 0).any() or not np.isfinite(self.scores).any():
            return None
        return int(np.nanargmax(self.scores))

    @property
    def best_threshold(self) -> float | None:
        return None if self.best is None else float(self.curve.min_similarity[self.best])

    @property
    def best_score(self) -> float | None:
        return None if self.best is None else float(self.scores[self.best])

    def scores_at(self, thresholds: Floats) -> Floats:
        """Scores at any thresholds: those of the next stricter one on the curve; 0 where nothing is accepted."""
        with_none = np.append(np.nan_to_num(self.scores, nan=0.0), 0.0)
        return with_none[np.searchsorted(self.curve.min_similarity, thresholds, side="left")]


@dataclass(frozen=True, slots=True)
class Cost:
    """What one threshold for all costs one topic."""

    topic_id: str
    best_threshold: float
    best_score: float
    score: float
    """At the single threshold."""

    @property
    def cost(self) -> float:
        """The score there minus the topic's best: 0 or less."""
        return self.score - self.best_score


@dataclass(frozen=True, eq=False)
class ThresholdStudy:
    """Curves of several topics under one score. A topic whose best is undefined counts nowhere."""

    score: StudyScore
    topics: tuple[ScoredCurve, ...]
    thresholds: Floats
    """Every threshold of any topic, rising."""
    mean_scores: Floats
    """Mean over the topics at each of them."""

    @property
    def counted(self) -> tuple[ScoredCurve, ...]:
        """The topics that have a best threshold."""
        return tuple(topic for topic in self.topics if topic.best is not None)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Those of which no core publication is accepted at any threshold."""
        return tuple(topic.topic_id for topic in self.topics if topic.best is None)

    @property
    def mean_of_best(self) -> float | None:
        """Mean of the topics' best thresholds: how the source chose its 0.69. None without any."""
        best = [topic.best_threshold for topic in self.counted]
        return float(np.mean([b for b in best if b is not None])) if best else None

    @property
    def single(self) -> float | None:
        """The threshold with the highest mean score, of several the loosest. None without any."""
        return float(self.thresholds[int(np.argmax(self.mean_scores))]) if len(self.thresholds) else None

    def mean_score_at(self, threshold: float) -> float | None:
        """Mean over the topics at one threshold."""
        found = [float(topic.scores_at(np.array([threshold]))[0]) for topic in self.counted]
        return float(np.mean(found)) if found else None

    def costs(self, threshold: float) -> tuple[Cost, ...]:
        """What this threshold costs each topic, the dearest first."""
        found = [
            Cost(topic.topic_id, topic.best_threshold, topic.best_score, float(score))
            for topic in self.counted
            for score in topic.scores_at(np.array([threshold]))
            if topic.best_threshold is not None and topic.best_score is not None
        ]
        return tuple(sorted(found, key=lambda one: (one.cost, one.topic_id)))


def study_thresholds(
    curves: Sequence[ThresholdCurve], *, score: StudyScore, settings: EvaluationSettings
) -> ThresholdStudy:
    """Score every curve, and look for one threshold for all of them.

    >>> grid = np.array([0.2, 0.4, 0.6])
    >>> curves = [
    ...     ThresholdCurve("a", grid, np.array([90, 20, 4]), np.array([4, 4, 2]), 100, 100, 4),
    ...     ThresholdCurve("b", grid, np.array([90, 60, 30]), np.array([5, 5, 5]), 100, 100, 5),
    ... ]
    >>> study = study_thresholds(curves, score="source", settings=EvaluationSettings())
    >>> study.mean_of_best, study.single
    (0.5, 0.4)
    """
    if len({curve.topic_id for curve in curves}) != len(curves):
        raise InputError("a topic has two curves: give one of each")
    scores = scores_of_source(curves, settings) if score == "source" else [our_scores(c, settings) for c in curves]
    topics = tuple(ScoredCurve(curve, of_topic) for curve, of_topic in zip(curves, scores, strict=True))
    counted = [topic for topic in topics if topic.best is not None]
    if not counted:
        return ThresholdStudy(score, topics, np.empty(0), np.empty(0))
    thresholds = np.unique(np.concatenate([topic.curve.min_similarity for topic in counted]))
    total = np.zeros(len(thresholds))
    for topic in counted:
        total += topic.scores_at(thresholds)
    return ThresholdStudy(score, topics, thresholds, total / len(counted))


def our_scores(curve: ThresholdCurve, settings: EvaluationSettings) -> Floats:
    """F-beta with decay at every threshold; 0 where nothing is accepted."""
    precision = curve.n_relevant / max(curve.n_scorable, 1)
    return f_beta(
        precision * decay(curve.n_relevant, **settings.decay_curve),
        curve.n_accepted_core / curve.n_core,
        beta=settings.beta,
    )


def scores_of_source(curves: Sequence[ThresholdCurve], settings: EvaluationSettings) -> list[Floats]:
    """F-beta of inverse precision, scaled so that the lowest finite point of all curves is 0 and the highest 1.

    NaN where nothing is accepted, as there the inverse precision is infinite.
    """
    raw = []
    for curve in curves:
        inverse = curve.n_retrieved / np.maximum(curve.n_relevant, 1)
        of_curve = f_beta(inverse, curve.n_accepted_core / curve.n_core, beta=settings.beta)
        raw.append(np.where(curve.n_relevant > 0, of_curve, np.nan))
    every = np.concatenate([*raw, np.empty(0)])
    finite = every[np.isfinite(every)]
    if not len(finite):
        return raw
    low, high = float(finite.min()), float(finite.max())
    return [(of_curve - low) / ((high - low) or 1.0) for of_curve in raw]
