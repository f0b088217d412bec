"""Two versions of a query: what differs, and whether the difference would survive another core set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.errors import InputError, SettingsError
from core.evaluate import Evaluation
from core.metrics import METRICS
from core.regions.base import Scene
from core.regions.hull import hull_around, lies_on_a_line
from core.regions.mvee import ellipsoid_around
from core.resampling import RESAMPLERS, Counts, columns, resample_area
from core.settings import EvaluationSettings
from core.types import Floats, Ids, RegionKind
from core.uncertainty import (
    Interval,
    Samples,
    n_resamples_for,
    percentile_range,
    resample_weights,
    sample_scores,
)

N_RESAMPLES_RECALL = 2000
REGION_METRICS = ("semantic_precision", "f_beta")
SHARED_AREAS: frozenset[RegionKind] = frozenset({"mvee", "hull"})
"""Differences are taken between areas around the full core set, so they need not equal those of the scores."""
REGION_LABELS: dict[RegionKind, str] = {
    "cosine": "Cosine",
    "nearest_core": "Nearest core",
    "mvee": "Ellipsoid (MVEE)",
    "hull": "Convex hull",
    "cluster": "Cluster",
    "mvee_embedding": "Ellipsoid in the embedding space",
    "hull_embedding": "Hull in the embedding space",
    "cluster_projection": "Cluster on the landscape",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """B minus A of one metric. None where it is undefined, and the sentence says why."""

    a: str
    b: str
    metric: str
    region: RegionKind | None
    difference: float | None
    interval: Interval | None
    """Middle 95 % over paired resamples of the core set."""
    sentence: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two versions as sets."""

    a: str
    b: str
    n_both: int
    n_only_a: int
    n_only_b: int
    core_gained: Ids
    """Core publications that B finds and A misses."""
    core_lost: Ids


@dataclass(frozen=True, eq=False)
class Comparison:
    """Versions side by side, every pair of them with its differences."""

    versions: tuple[Evaluation, ...]
    pairs: tuple[Pair, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, eq=False)
class Entrant:
    """One version as `compare` takes it: its name, its scene and what it retrieved."""

    label: str
    scene: Scene
    retrieved_ids: Ids
    evaluation: Evaluation


def _named(metric: str, region: RegionKind | None) -> str:
    name = METRICS[metric].label
    name = name if name.startswith("F-") else name.lower()
    if region is None:
        return name
    shared = " around the full core set" if region in SHARED_AREAS else ""
    return f"{name} ({REGION_LABELS[region]}{shared})"


def sentence_for(metric: str, region: RegionKind | None, a: str, b: str, value: float, interval: Interval) -> str:
    """The difference in plain words; "not clear" when it may be none.

    >>> sentence_for("recall", None, "baseline", "slr", 0.35, Interval(0.15, 0.54))
    'slr has 0.350 more core recall than baseline (0.150 to 0.540).'
    """
    name = _named(metric, region)
    # The value belongs to what fits, even where the resamples leave it outside their range.
    low, high = min(interval.low, value), max(interval.high, value)
    if low <= 0 <= high:
        return (
            f"It is not clear whether {a} and {b} differ in {name}: {value:+.3f}, "
            f"anything from {low:+.3f} to {high:+.3f} fits."
        )
    more, ends = ("more", (low, high)) if value > 0 else ("less", (-high, -low))
    return f"{b} has {abs(value):.3f} {more} {name} than {a} ({ends[0]:.3f} to {ends[1]:.3f})."


def _undefined(metric: str, region: RegionKind | None, a: str, b: str, reason: str) -> Difference:
    return Difference(a, b, metric, region, None, None, f"No difference is given: {reason}.")


def _difference(metric: str, region: RegionKind | None, a: str, b: str, value: float, drawn: Floats) -> Difference:
    interval = percentile_range(drawn)
    if interval is None:
        why = "the region seldom exists when the core set is resampled"
        sentence = f"{b} minus {a} is {value:+.3f} in {_named(metric, region)}, but without a range: {why}."
        return Difference(a, b, metric, region, value, None, sentence)
    return Difference(a, b, metric, region, value, interval, sentence_for(metric, region, a, b, value, interval))


def _recall_difference(a: Entrant, b: Entrant, settings: EvaluationSettings) -> Difference:
    weights = resample_weights(a.scene.n_core, N_RESAMPLES_RECALL, seed=settings.seed)
    drawn = [weights[:, columns(e.scene, e.scene.all_found_ids)].sum(axis=1) for e in (a, b)]
    value = b.evaluation.recall - a.evaluation.recall
    return _difference("recall", None, a.label, b.label, value, (drawn[1] - drawn[0]) / a.scene.n_core)


def _counts(kind: RegionKind, scene: Scene, weights: Floats, settings: EvaluationSettings) -> Counts:
    """Ellipsoid and hull around the full core set, found or not, so that both versions meet the same area."""
    if kind not in SHARED_AREAS or scene.projection is None:
        return RESAMPLERS[kind](scene, weights, settings)
    around = ellipsoid_around if kind == "mvee" else hull_around
    points = scene.projection.take(scene.core.ids).points
    return resample_area(scene, weights, around, points, weights[:, columns(scene, scene.core.ids)])


def _reason_against(kind: RegionKind, a: Entrant, b: Entrant) -> str | None:
    if kind not in RESAMPLERS:
        return f"{REGION_LABELS[kind].lower()} has no region that both versions share"
    for entrant in (a, b):
        status = entrant.evaluation.regions[kind].status
        scene = entrant.scene
        if kind in SHARED_AREAS and len(scene.retrieved) and scene.projection is not None:
            if any(i not in scene.projection for i in scene.core.ids):
                return "the landscape does not hold every core publication"
            if lies_on_a_line(scene.projection.take(scene.core.ids).points):
                return "the core publications lie on one line of the landscape"
        elif status != "ok":
            return f"{entrant.label}: {status}"
    return None


class _Sampler:
    """Scores under resampled core sets, the same for every version; the last sample is the core set itself."""

    def __init__(self, settings: EvaluationSettings) -> None:
        self._settings = settings
        self._kept: dict[tuple[str, RegionKind], Samples] = {}

    def of(self, entrant: Entrant, kind: RegionKind) -> Samples:
        """Each version is resampled once, however many pairs it is in."""
        name = (entrant.label, kind)
        if name not in self._kept:
            scene, settings = entrant.scene, self._settings
            drawn = resample_weights(scene.n_core, n_resamples_for(kind, settings), seed=settings.seed)
            weights = np.vstack([drawn, np.ones((1, scene.n_core))])
            self._kept[name] = sample_scores(scene, _counts(kind, scene, weights, settings), weights, settings)
        return self._kept[name]


def _region_differences(kind: RegionKind, a: Entrant, b: Entrant, sampler: _Sampler) -> list[Difference]:
    if reason := _reason_against(kind, a, b):
        return [_undefined(metric, kind, a.label, b.label, reason) for metric in REGION_METRICS]
    of_a, of_b = sampler.of(a, kind), sampler.of(b, kind)
    out = []
    for metric in REGION_METRICS:
        moves = getattr(of_b, metric) - getattr(of_a, metric)
        value = float(moves[-1])
        if kind not in SHARED_AREAS:
            value = getattr(b.evaluation.regions[kind], metric) - getattr(a.evaluation.regions[kind], metric)
        out.append(_difference(metric, kind, a.label, b.label, value, moves[:-1]))
    return out


def _pair(a: Entrant, b: Entrant) -> Pair:
    ids_a, ids_b = set(a.retrieved_ids), set(b.retrieved_ids)
    found_a, found_b = set(a.scene.all_found_ids), set(b.scene.all_found_ids)
    return Pair(
        a=a.label,
        b=b.label,
        n_both=len(ids_a & ids_b),
        n_only_a=len(ids_a - ids_b),
        n_only_b=len(ids_b - ids_a),
        core_gained=tuple(i for i in b.scene.all_found_ids if i not in found_a),
        core_lost=tuple(i for i in a.scene.all_found_ids if i not in found_b),
    )


def compare(entrants: Sequence[Entrant], *, settings: EvaluationSettings) -> Comparison:
    """Every pair of versions: sets, differences of every score with a paired range, one sentence each.

    The scores are those of `evaluate`. Ellipsoid and hull differences are taken between areas around the full core
    set; cosine and nearest core meet the same core in both versions anyway. A cluster belongs to one list: no
    difference.
    """
    if len(entrants) < 2:
        raise InputError(f"a comparison needs two versions or more, got {len(entrants)}")
    if len({tuple(e.evaluation.regions) for e in entrants}) > 1:
        raise InputError("versions can be compared only if the same regions were evaluated for each")
    if len({e.scene.core_ids for e in entrants}) > 1:
        raise InputError("versions of different topics can't be compared: their core publications differ")
    settings = settings.resolved(entrants[0].scene.retrieved.model_id)
    if settings.compat:
        raise SettingsError("compat reproduces the published scores of one version: compare without it")
    sampler = _Sampler(settings)
    differences: list[Difference] = []
    for a, b in combinations(entrants, 2):
        differences.append(_recall_difference(a, b, settings))
        for kind in a.evaluation.regions:
            differences.extend(_region_differences(kind, a, b, sampler))
    return Comparison(
        versions=tuple(e.evaluation for e in entrants),
        pairs=tuple(_pair(a, b) for a, b in combinations(entrants, 2)),
        differences=tuple(differences),
    )
