"""Two versions of a query: what differs, and whether the difference would survive another core set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.errors import InputError, SettingsError
from core.evaluate import Evaluation
from core.metrics import METRICS
from core.ranking.significance import Interval, percentile_range
from core.regions.base import Scene
from core.regions.hull import hull_around, lies_on_a_line
from core.regions.mvee import ellipsoid_around
from core.resampling import RESAMPLERS, Counts, columns, resample_area
from core.settings import EvaluationSettings
from core.types import Floats, Ids, RegionKind
from core.uncertainty import Samples, n_resamples_for, resample_weights, sample_scores

N_RESAMPLES_RECALL = 2000
REGION_METRICS = ("semantic_precision", "f_beta")
SHARED_AREAS: frozenset[RegionKind] = frozenset({"mvee", "hull"})
"""Differences are taken between areas around the full core set, so they need not equal those of the scores."""
NO_DIFFERENCE = "No difference is given: "
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

    @property
    def reason(self) -> str | None:
        """Why there is no difference; None where there is one."""
        return self.sentence.removeprefix(NO_DIFFERENCE).removesuffix(".") if self.difference is None else None


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
    has_ranges: bool = True
    """Whether the core set was resampled; without that no difference has an interval yet."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What the versions are called, in their order."""
        first = self.pairs[0].a
        return (first, *(pair.b for pair in self.pairs if pair.a == first))


@dataclass(frozen=True, eq=False)
class Entrant:
    """One version as `compare` takes it: its name, its scene and what it retrieved."""

    label: str
    scene: Scene
    retrieved_ids: Ids
    evaluation: Evaluation
    corpus_state: str | None = None
    """Names what its text was run over; None: not known."""


def over_different_corpora(a: str | None, b: str | None) -> bool:
    """Whether two versions are known to have been run over different publications.

    >>> over_different_corpora("x", "y"), over_different_corpora("x", None)
    (True, False)
    """
    return a is not None and b is not None and a != b


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
    return Difference(a, b, metric, region, None, None, f"{NO_DIFFERENCE}{reason}.")


def _difference(
    metric: str, region: RegionKind | None, a: str, b: str, value: float, drawn: Floats | None
) -> Difference:
    """`drawn`: the difference under every resampled core set; None while there are none."""
    said = f"{b} minus {a} is {value:+.3f} in {_named(metric, region)}"
    if drawn is None:
        return Difference(a, b, metric, region, value, None, f"{said}, so far without a range.")
    interval = percentile_range(drawn)
    if interval is None:
        why = "the region seldom exists when the core set is resampled"
        return Difference(a, b, metric, region, value, None, f"{said}, but without a range: {why}.")
    return Difference(a, b, metric, region, value, interval, sentence_for(metric, region, a, b, value, interval))


def _recall_difference(a: Entrant, b: Entrant, settings: EvaluationSettings, *, ranges: bool) -> Difference:
    value = b.evaluation.recall - a.evaluation.recall
    if not ranges:
        return _difference("recall", None, a.label, b.label, value, None)
    weights = resample_weights(a.scene.n_core, N_RESAMPLES_RECALL, seed=settings.seed)
    drawn = [weights[:, columns(e.scene, e.scene.all_found_ids)].sum(axis=1) for e in (a, b)]
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
    if over_different_corpora(a.corpus_state, b.corpus_state):
        return f"{a.label} and {b.label} were run over different publications"
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

    def __init__(self, settings: EvaluationSettings, *, ranges: bool) -> None:
        self._settings = settings
        self._ranges = ranges
        self._kept: dict[tuple[str, RegionKind], Samples] = {}

    def of(self, entrant: Entrant, kind: RegionKind) -> Samples:
        """Each version is resampled once, however many pairs it is in."""
        name = (entrant.label, kind)
        if name not in self._kept:
            scene, settings = entrant.scene, self._settings
            n = n_resamples_for(kind, settings) if self._ranges else 0
            drawn = resample_weights(scene.n_core, n, seed=settings.seed)
            weights = np.vstack([drawn, np.ones((1, scene.n_core))])
            self._kept[name] = sample_scores(scene, _counts(kind, scene, weights, settings), weights, settings)
        return self._kept[name]

    def differences(self, kind: RegionKind, a: Entrant, b: Entrant, metric: str) -> tuple[float, Floats | None]:
        """B minus A, and the same under every resample."""
        shared = kind in SHARED_AREAS
        value = 0.0
        if not shared:
            value = getattr(b.evaluation.regions[kind], metric) - getattr(a.evaluation.regions[kind], metric)
            if not self._ranges:
                return value, None
        moves = getattr(self.of(b, kind), metric) - getattr(self.of(a, kind), metric)
        return float(moves[-1]) if shared else value, moves[:-1] if self._ranges else None


def _region_differences(kind: RegionKind, a: Entrant, b: Entrant, sampler: _Sampler) -> list[Difference]:
    if reason := _reason_against(kind, a, b):
        return [_undefined(metric, kind, a.label, b.label, reason) for metric in REGION_METRICS]
    return [
        _difference(metric, kind, a.label, b.label, *sampler.differences(kind, a, b, metric))
        for metric in REGION_METRICS
    ]


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


def _check(entrants: Sequence[Entrant]) -> None:
    if len(entrants) < 2:
        raise InputError(f"a comparison needs two versions or more, got {len(entrants)}")
    labels = [e.label for e in entrants]
    if repeated := [label for label in dict.fromkeys(labels) if labels.count(label) > 1]:
        raise InputError(f"a version can't be compared with itself: {', '.join(repeated)}")
    if len({tuple(e.evaluation.regions) for e in entrants}) > 1:
        raise InputError("versions can be compared only if the same regions were evaluated for each")
    if len({e.scene.core_ids for e in entrants}) > 1:
        raise InputError("versions of different topics can't be compared: their core publications differ")


def compare(entrants: Sequence[Entrant], *, settings: EvaluationSettings, ranges: bool = True) -> Comparison:
    """Every pair of versions: sets, differences of every score with a paired range, one sentence each.

    The scores are those of `evaluate`. Ellipsoid and hull differences are taken between areas around the full core
    set; cosine and nearest core meet the same core in both versions anyway. A cluster belongs to one list: no
    difference. Without `ranges` nothing is resampled: the same values at once, and no sentence says what is clear.
    """
    _check(entrants)
    settings = settings.resolved(entrants[0].scene.retrieved.model_id)
    if settings.compat:
        raise SettingsError("compat reproduces the published scores of one version: compare without it")
    sampler = _Sampler(settings, ranges=ranges)
    differences: list[Difference] = []
    for a, b in combinations(entrants, 2):
        differences.append(_recall_difference(a, b, settings, ranges=ranges))
        for kind in a.evaluation.regions:
            differences.extend(_region_differences(kind, a, b, sampler))
    return Comparison(
        versions=tuple(e.evaluation for e in entrants),
        pairs=tuple(_pair(a, b) for a, b in combinations(entrants, 2)),
        differences=tuple(differences),
        has_ranges=ranges,
    )
