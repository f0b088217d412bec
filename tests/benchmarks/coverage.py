"""How often a resampled range holds the truth: core sets drawn from a population that is known."""

from __future__ import annotations

import numpy as np

from core.explore.evaluate import evaluate_scene
from core.explore.scene import Scene
from core.explore.uncertainty import N_CORE_SIMULATED, resample_cosine, resample_weights, sample_scores
from core.settings import CosineMode, EvaluationSettings
from core.stats import percentile_range
from core.types import CoreSet, EmbeddedSet, RetrievedSet
from tests.benchmarks.clustered import cluster_of_rows, clustered_unit_vectors

N_PUBLICATIONS, N_RESAMPLES = 3000, 200


def scene_of(vectors: np.ndarray, rows: np.ndarray) -> Scene:
    """A version that retrieves every row, of a topic whose core publications are these rows."""
    ids = tuple(f"p{i}" for i in range(len(vectors)))
    core = CoreSet("t", tuple(ids[row] for row in rows))
    return Scene.of(RetrievedSet("q", ids), core, EmbeddedSet(ids, vectors, "random"))


def simulated_coverage(mode: CosineMode, n_sets: int) -> tuple[float, float]:
    """In what share of the core sets the range of semantic precision holds the truth, and its own score.

    The truth is the mean score over all of these core sets.
    """
    settings = EvaluationSettings(cosine_mode=mode, min_similarity=0.35)
    vectors = clustered_unit_vectors(N_PUBLICATIONS, 64)
    population = np.flatnonzero(cluster_of_rows(N_PUBLICATIONS) == 0)
    scores, ranges = [], []
    for seed in range(n_sets):
        scene = scene_of(vectors, np.random.default_rng(seed).choice(population, N_CORE_SIMULATED, replace=False))
        evaluation = evaluate_scene(scene, topic_id="t", query_id="q", settings=settings, regions=("cosine",))
        scores.append(evaluation.regions["cosine"].semantic_precision)
        weights = resample_weights(N_CORE_SIMULATED, N_RESAMPLES, seed=seed)
        drawn = sample_scores(scene, resample_cosine(scene, weights, settings), weights, settings)
        ranges.append(percentile_range(drawn.semantic_precision))
    truth = np.mean(scores)
    held = [low <= truth <= high for low, high in ranges]
    own = [low <= score <= high for score, (low, high) in zip(scores, ranges, strict=True)]
    return float(np.mean(held)), float(np.mean(own))
