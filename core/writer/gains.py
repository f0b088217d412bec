"""Whether a string is better than another on core publications that nobody who wrote it knew to be core."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.metrics import decay, f_beta
from core.query.matching.bits import Bits, count, rows_of
from core.query.weighing.stakes import Stakes
from core.ranking.significance import Interval, percentile_range
from core.types import Floats
from core.uncertainty import resample_weights
from core.writer.types import Gain

N_RESAMPLES = 2000
FEWEST_CORE = 6
"""Held-out core publications from which there is an interval. Where one string finds all of fewer and the other none,
resamples can't differ, and a sign test finds nothing either (2 / 2^5 > 0.05)."""


def gain(stakes: Stakes | None, retrieved: Bits, baseline: Bits, *, seed: int = 0) -> Gain:
    """F-beta of one retrieved set minus that of another, on the held-out side.

    Interval: the middle 95 % of the same difference over 2,000 resamples of the held-out core publications, each drawn
    for both sets at once. Two more are drawn with them, one that only the first set finds and one that only the second
    does: resamples of some ten publications vary too little, and not at all where both sets find the same ones, so
    that a hair of precision would be clear. The region, and so the precision of both, stays as it is. Simulated with 6
    to 20 core publications, it held the true difference in 95 % and more; without the two, in 44 to 100 %.

    Undefined: nothing is held out, or nothing of one of the sets can be scored; without an interval: fewer than 6 core
    publications. Reference: Bonett and Price (2012), doi 10.3102/1076998611411915, for the two more.
    """
    if stakes is None:
        return Gain(None, None)
    first, second = stakes.f_beta(retrieved), stakes.f_beta(baseline)
    if first is None or second is None:
        return Gain(None, None)
    if stakes.n_core < FEWEST_CORE:
        return Gain(first - second, None)
    if not (retrieved ^ baseline).any():
        return Gain(0.0, Interval(0.0, 0.0))
    weights = resample_weights(stakes.n_core + 2, N_RESAMPLES // 2, seed=seed)
    mirrored = np.hstack([weights[:, :-2], weights[:, :-3:-1]])  # the two exchanged: turned round, a gain is a loss
    weights = np.vstack([weights, mirrored])
    drawn = resampled(stakes, retrieved, weights, (1, 0)) - resampled(stakes, baseline, weights, (0, 1))
    return Gain(first - second, percentile_range(drawn))


def resampled(stakes: Stakes, retrieved: Bits, weights: Floats, more: Sequence[int] = ()) -> Floats:
    """F-beta with each core publication counted as often as a row of weights says; the rows are the resamples, and
    columns beyond the core publications of the corpus are those that are not in it.

    `more`: of core publications that were added, the last columns, whether each is found.
    """
    scorable = retrieved & stakes.scorable
    relevant = scorable & stakes.accepted
    n_relevant = count(relevant)
    precision = n_relevant / count(scorable) * decay(n_relevant, **stakes.settings.decay_curve)
    rows = rows_of(stakes.core)
    found = np.isin(rows, rows_of(relevant & stakes.core))
    n_found = weights[:, : len(rows)] @ found + weights[:, weights.shape[1] - len(more) :] @ np.array(more, dtype=float)
    recall = n_found / weights.sum(axis=1)
    return f_beta(np.full(len(weights), precision), recall, beta=stakes.settings.beta)
