"""Whether a string is better than another on core publications that nobody who wrote it has seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import t as student

from core.metrics import decay, f_beta
from core.query.matching.bits import Bits, count, rows_of
from core.query.weighing.stakes import Stakes
from core.types import Floats
from core.uncertainty import LEVEL, Interval, percentile_range, resample_weights
from core.writer.types import Gain

N_RESAMPLES = 2000
FEWEST_CORE = 3
FEWEST_SPLITS = 3


def gain(stakes: Stakes | None, retrieved: Bits, baseline: Bits, *, seed: int = 0) -> Gain:
    """F-beta of one retrieved set minus that of another, with what fits if other core publications had been drawn."""
    if stakes is None:
        return Gain(None, None)
    first, second = stakes.f_beta(retrieved), stakes.f_beta(baseline)
    if first is None or second is None:
        return Gain(None, None)
    weights = resample_weights(stakes.n_core, N_RESAMPLES, seed=seed)
    drawn = _f_betas(stakes, retrieved, weights) - _f_betas(stakes, baseline, weights)
    return Gain(first - second, percentile_range(drawn) if stakes.n_core >= FEWEST_CORE else None)


def gain_over_splits(values: Sequence[float | None]) -> Gain:
    """The mean of the gains of several splits of one core set, with an interval."""
    known = np.array([value for value in values if value is not None])
    if not len(known):
        return Gain(None, None)
    mean = float(known.mean())
    if len(known) < FEWEST_SPLITS:
        return Gain(mean, None)
    half = float(student.ppf((1 + LEVEL) / 2, len(known) - 1) * known.std(ddof=1) * np.sqrt(1 / len(known) + 1))
    return Gain(mean, Interval(mean - half, mean + half))


def _f_betas(stakes: Stakes, retrieved: Bits, weights: Floats) -> Floats:
    scorable = retrieved & stakes.scorable
    relevant = scorable & stakes.accepted
    n_relevant = count(relevant)
    precision = n_relevant / count(scorable) * decay(n_relevant, **stakes.settings.decay_curve)
    rows = rows_of(stakes.core)
    found = np.isin(rows, rows_of(relevant & stakes.core))
    recall = weights[:, : len(rows)] @ found / stakes.n_core
    return f_beta(np.full(len(weights), precision), recall, beta=stakes.settings.beta)
