"""F-beta over any two parameters at once, and over each one alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from core.labs.topics import LabTopic
from core.metrics import decay, f_beta
from core.settings import EvaluationSettings
from core.types import Floats

Parameter = Literal["min_similarity", "decay_limit", "decay_onset", "decay_steepness", "beta"]
PARAMETERS: tuple[Parameter, ...] = get_args(Parameter)


@dataclass(frozen=True, slots=True)
class Reach:
    """Lowest and highest F-beta while one parameter takes every value and the others stay."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """How far F-beta moves."""
        return self.high - self.low


def f_beta_grid(
    topic: LabTopic, settings: EvaluationSettings, varied: Mapping[Parameter, Floats], *, times: int = 1
) -> Floats:
    """F-beta where these parameters take these values, which broadcast against each other; the others are as set.

    The formula is that of `core.metrics`, asked once for each distinct onset and beta: what is relevant depends on the
    threshold alone, the limit only scales the size, and the steepness is a power of what is left.
    """
    values = {name: np.asarray(varied.get(name, getattr(settings, name)), dtype=np.float64) for name in PARAMETERS}
    shape = np.broadcast_shapes(*(of.shape for of in values.values()))
    thresholds, limit, onset, steepness, beta = (values[name] for name in PARAMETERS)
    n_relevant = topic.n_relevant(thresholds)
    recall = np.broadcast_to(topic.n_accepted(thresholds) / topic.n_core, shape)
    share = np.broadcast_to(n_relevant * times / limit, shape)
    price = np.empty(shape)
    for one in np.unique(onset):
        here = np.broadcast_to(onset == one, shape)
        price[here] = decay(share[here], limit=1.0, onset=float(one), steepness=1.0)
    precision = n_relevant / max(topic.n, 1) * price**steepness
    out = np.empty(shape)
    for one in np.unique(beta):
        here = np.broadcast_to(beta == one, shape)
        out[here] = f_beta(precision[here], recall[here], beta=float(one))
    return out


def f_beta_map(
    topic: LabTopic,
    settings: EvaluationSettings,
    *,
    x: tuple[Parameter, Floats],
    y: tuple[Parameter, Floats],
    times: int = 1,
) -> Floats:
    """F-beta over two parameters, shape (values of y, values of x)."""
    varied: dict[Parameter, Floats] = {x[0]: x[1][None, :], y[0]: y[1][:, None]}
    return f_beta_grid(topic, settings, varied, times=times)


def reach(topic: LabTopic, settings: EvaluationSettings, name: Parameter, values: Floats, *, times: int = 1) -> Reach:
    """How far F-beta moves if this parameter alone takes every one of these values."""
    scores = f_beta_grid(topic, settings, {name: values}, times=times)
    return Reach(float(scores.min()), float(scores.max()))
