"""What the lab of decay needs beyond the formula itself."""

from __future__ import annotations

import math

import numpy as np

from core.metrics import decay, f_beta
from core.settings import EvaluationSettings
from core.sweep import Counts
from core.types import Floats

REFERENCE_SIZES = (1_000, 5_000, 10_000, 17_573, 20_000, 30_000)
"""Sizes whose decay under the default settings is written down, to check any program against."""


def half_size(*, limit: float, onset: float, steepness: float) -> float:
    """Number of relevant publications at which the decay is 0.5.

    >>> round(half_size(limit=50_000, onset=1.5, steepness=10), 1)
    8245.4
    """
    return float(limit * (-math.expm1(math.log(0.5) / steepness)) ** (1 / onset))


def published_decay(n_relevant: float, *, limit: float, onset: float, steepness: float) -> float | None:
    """The decay as the source prints it, without a floor at 0, so that it rises again beyond the limit.

    Undefined, None: a negative number to a broken power, or a value too large to write down.

    >>> round(published_decay(100_000, limit=50_000, onset=1.5, steepness=10), 1)
    417.6
    >>> published_decay(100_000, limit=50_000, onset=1.5, steepness=2.5) is None
    True
    """
    try:
        base = 1 - (n_relevant / limit) ** onset
        return float(base**steepness) if base >= 0 or float(steepness).is_integer() else None
    except OverflowError:
        return None


def saturated_f_beta(n_relevant: Counts, *, n_retrieved: int, settings: EvaluationSettings) -> Floats:
    """F-beta by the number of relevant publications, once every core publication is accepted.

    Recall is 1 there, precision is relevant / retrieved. 0 where more would be relevant than were retrieved.

    >>> saturated_f_beta(np.array([0, 10, 30]), n_retrieved=20, settings=EvaluationSettings()).round(3).tolist()
    [0.0, 0.833, 0.0]
    """
    precision = np.where(n_relevant <= n_retrieved, n_relevant / n_retrieved, 0.0)
    price = decay(n_relevant, **settings.decay_curve)
    return f_beta(precision * price, np.ones_like(precision), beta=settings.beta)
