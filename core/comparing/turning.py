"""Where the order of two versions turns round: the smallest change of a setting that puts the other one ahead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.comparing.compare import Entrant
from core.comparing.variations import FORMULA, VARIATIONS
from core.evaluate import RegionScores
from core.settings import EvaluationSettings
from core.sweep import SIMILARITY_TOLERANCE, FormulaSetting, sweep_at, sweep_formula
from core.types import Floats, RegionKind

EQUAL = 1e-12
"""F-beta that differ by no more are equal."""
N_STEPS, N_BISECTIONS = 48, 40


@dataclass(frozen=True, slots=True)
class Turn:
    """The smallest change of one setting that turns the order of two versions round."""

    setting: str
    as_set: float
    at: float


def hangs_on_formula(kind: RegionKind, settings: EvaluationSettings) -> bool:
    """Whether the region itself hangs on the formula: the best threshold does."""
    return kind == "cosine" and settings.cosine_mode == "best"


def _bisected(turned: Callable[[float], bool], before: float, after: float) -> float:
    """Where the order turns between a value that keeps it and one that does not; the first that does not."""
    for _ in range(N_BISECTIONS):
        middle = (before + after) / 2
        if turned(middle):
            after = middle
        else:
            before = middle
    return after


def _formula_turn(
    name: FormulaSetting, a: RegionScores, b: RegionScores, ahead: float, settings: EvaluationSettings
) -> Turn | None:
    def difference(values: Floats) -> Floats:
        return _swept(name, values, b, settings) - _swept(name, values, a, settings)

    def turned(value: float) -> bool:
        return bool(difference(np.array([value]))[0] * ahead < -EQUAL * abs(ahead))

    as_set = float(getattr(settings, name))
    found = []
    for end in (min(VARIATIONS[name].values), max(VARIATIONS[name].values)):
        steps = np.geomspace(as_set, float(end), N_STEPS + 1)
        beyond = np.flatnonzero(difference(steps) * ahead < -EQUAL * abs(ahead))
        if len(beyond):
            found.append(_bisected(turned, float(steps[beyond[0] - 1]), float(steps[beyond[0]])))
    if not found:
        return None
    return Turn(name, as_set, min(found, key=lambda value: abs(np.log(value / as_set))))


def _swept(name: FormulaSetting, values: Floats, scores: RegionScores, settings: EvaluationSettings) -> Floats:
    return sweep_formula(
        name,
        values,
        n_relevant=scores.n_relevant or 0,
        precision=scores.semantic_precision or 0.0,
        recall=scores.recall_used or 0.0,
        settings=settings,
    )


def _threshold_turn(
    a: Entrant, b: Entrant, ahead: float, threshold: float, settings: EvaluationSettings
) -> Turn | None:
    """The similarity threshold nearest to the one in force at which the other version is ahead."""
    reach = max(float(step) for step in VARIATIONS["min_similarity"].values)
    near = [e.scene.similarities_to_centre.astype(np.float64) for e in (a, b)]
    at_each = np.unique(np.concatenate([s[np.abs(s - threshold) <= reach] for s in near]))
    candidates = np.concatenate([at_each, at_each + 2 * SIMILARITY_TOLERANCE])  # accepts it, just excludes it
    curves = [
        sweep_at(
            candidates,
            similarities=e.scene.similarities_to_centre,
            core_similarities=e.scene.similarities_to_centre[e.scene.found_rows],
            n_core=e.scene.n_core,
            settings=settings,
        ).f_beta
        for e in (a, b)
    ]
    turned = candidates[(curves[1] - curves[0]) * ahead < -EQUAL * abs(ahead)]
    if not len(turned):
        return None
    return Turn("min_similarity", threshold, float(turned[np.abs(turned - threshold).argmin()]))


def turns_of(
    a: Entrant, b: Entrant, ahead: float, region: RegionKind, threshold: float | None, settings: EvaluationSettings
) -> tuple[Turn, ...]:
    """For every setting that moves without a step, the smallest change after which the other version is ahead.

    `ahead` is F-beta of B minus that of A as set, and not 0; both have the region. Where the region itself hangs on the
    formula, nothing is searched: it would have to be fitted at every step.
    """
    if hangs_on_formula(region, settings):
        return ()
    of_a, of_b = a.evaluation.regions[region], b.evaluation.regions[region]
    found = [_formula_turn(name, of_a, of_b, ahead, settings) for name in FORMULA]
    if region == "cosine" and threshold is not None:
        found.append(_threshold_turn(a, b, ahead, threshold, settings))
    return tuple(turn for turn in found if turn)
