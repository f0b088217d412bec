"""Plain implementations: slow and simple. Tests use them as oracles, benchmarks as what to beat."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.metrics import decay, f_beta
from core.settings import EvaluationSettings

Floats = npt.NDArray[np.float64]


def plain_sweep(
    thresholds: Floats,
    similarities: npt.NDArray[np.float32],
    core_similarities: npt.NDArray[np.float32],
    n_core: int,
    settings: EvaluationSettings,
) -> list[tuple[int, int, float]]:
    """Relevant, accepted core and F-beta at every threshold, one at a time."""
    of_all, of_core = similarities.astype(np.float64), core_similarities.astype(np.float64)
    out = []
    for threshold in thresholds:
        n_relevant = int(np.count_nonzero(of_all >= threshold - 1e-6))
        n_accepted = int(np.count_nonzero(of_core >= threshold - 1e-6))
        price = decay(
            n_relevant, limit=settings.decay_limit, onset=settings.decay_onset, steepness=settings.decay_steepness
        )
        score = f_beta(n_relevant / len(of_all) * price, n_accepted / n_core, beta=settings.beta)
        out.append((n_relevant, n_accepted, score))
    return out


def plain_ellipsoid(points: Floats, *, tolerance: float = 1e-4) -> tuple[Floats, Floats]:
    """Khachiyan's algorithm as textbooks print it: centre and shape of the smallest ellipsoid around points.

    It stops when the weights move by less than the tolerance, so it leaves points outside by about as much.
    """
    n, d = points.shape
    lifted = np.column_stack([points, np.ones(n)]).T
    weights = np.ones(n) / n
    moved = tolerance + 1
    while moved > tolerance:
        moments = lifted @ np.diag(weights) @ lifted.T
        radii = np.diag(lifted.T @ np.linalg.inv(moments) @ lifted)
        outermost = int(np.argmax(radii))
        step = (radii[outermost] - d - 1.0) / ((d + 1) * (radii[outermost] - 1.0))
        following = (1 - step) * weights
        following[outermost] += step
        moved = float(np.linalg.norm(following - weights))
        weights = following
    centre = points.T @ weights
    shape = np.linalg.inv(points.T @ np.diag(weights) @ points - np.outer(centre, centre)) / d
    return centre, shape
