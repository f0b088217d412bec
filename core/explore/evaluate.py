"""Evaluate a query version in all regions, and compare the scores with known relevance."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from core.errors import SettingsError
from core.explore.compat import COMPAT_FITS, compat_f_beta
from core.explore.regions import DEFAULT_REGIONS, PROJECTION_REGIONS, REGIONS
from core.explore.scene import Fit, RegionFit, Scene, UndefinedRegion
from core.explore.uncertainty import Sensitivity
from core.metrics import (
    attainable_recall,
    core_accepted,
    decay,
    f_beta,
    recall,
    semantic_precision,
    true_precision,
    true_recall,
)
from core.settings import EvaluationSettings
from core.stats import Interval, wilson
from core.text import many
from core.types import CoreSet, EmbeddedSet, Ids, Mask, Projection, RegionKind, RetrievedSet

# The direct path through core: from retrieved publications, core and vectors to every score, in one call.

FEW_CORE = 10
"""With fewer core publications, every number carries a warning."""


@dataclass(frozen=True, eq=False)
class RegionScores:
    """The scores of one region for one query version. Undefined scores are None, and `status` gives the reason."""

    kind: RegionKind
    status: str
    """"ok", or the reason why there is no region."""
    relevant_mask: Mask | None = field(default=None, repr=False)
    """Over the retrieved publications with a vector."""
    n_relevant: int | None = None
    accepted_core_ids: Ids = field(default=(), repr=False)
    semantic_precision: float | None = None
    decay: float | None = None
    recall_used: float | None = None
    """The recall inside F-beta: core accepted, or core recall for ellipsoid and hull."""
    f_beta: float | None = None
    degenerate: str | None = None
    """The reason why the scores are meaningless although they exist."""
    defines: Mapping[str, float | int | str] = field(default_factory=dict)
    """The numbers that define the region."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """All scores and decisions for one query version with one choice of settings."""

    topic_id: str
    query_id: str
    model_id: str
    projection_id: str | None
    settings: EvaluationSettings
    n_retrieved: int
    scorable_ids: Ids
    """Retrieved publications with a vector, in the order of the region masks."""
    core_ids: Ids
    n_core_with_vectors: int
    found_core_ids: Ids
    missed_core_ids: Ids
    recall: float
    recall_interval: Interval
    """Wilson, 95 %."""
    attainable_recall: float | None
    warnings: tuple[str, ...]
    regions: Mapping[RegionKind, RegionScores]
    sensitivity: Mapping[RegionKind, Sensitivity] = field(default_factory=dict)
    """Sensitivity of the scores to the core set, if requested."""

    def __repr__(self) -> str:
        scores = {kind: scores.f_beta for kind, scores in self.regions.items()}
        return (
            f"Evaluation({self.topic_id!r}, {self.query_id!r}, {self.model_id!r}, n_retrieved={self.n_retrieved}, "
            f"n_core={len(self.core_ids)}, recall={self.recall:.3f}, f_beta={scores})"
        )

    @property
    def n_scorable(self) -> int:
        return len(self.scorable_ids)

    @property
    def n_unscorable(self) -> int:
        return self.n_retrieved - self.n_scorable

    def core_accepted(self, kind: RegionKind) -> float | None:
        """Return the share of core publications that a region accepts; None if undefined or not evaluated."""
        scores = self.regions.get(kind)
        if scores is None or scores.status != "ok":
            return None
        return core_accepted(n_accepted=len(scores.accepted_core_ids), n_core=len(self.core_ids))


def fit_regions(
    scene: Scene,
    settings: EvaluationSettings,
    kinds: Sequence[RegionKind] = DEFAULT_REGIONS,
    known: Mapping[RegionKind, Fit] = MappingProxyType({}),
) -> dict[RegionKind, Fit]:
    """Fit each requested region, or give the reason why it can't be fitted. Fits in `known` are reused."""
    fits: dict[RegionKind, Fit] = {}
    for kind in kinds:
        if kind not in REGIONS:
            raise SettingsError(f'no region "{kind}"; there are {", ".join(REGIONS)}')
        if kind in known:
            fits[kind] = known[kind]
        elif not scene.n_retrieved:
            fits[kind] = UndefinedRegion("nothing was retrieved")
        elif not len(scene.retrieved):
            fits[kind] = UndefinedRegion("no retrieved publication has a vector")
        elif kind in PROJECTION_REGIONS and scene.projection is None:
            fits[kind] = UndefinedRegion("needs a projection")
        else:
            fits[kind] = fit_of(kind, settings)(scene, settings)
    return fits


def fit_of(kind: RegionKind, settings: EvaluationSettings) -> RegionFit:
    """Return the fit of a region: ours, or the published code's if the settings ask for it."""
    ours = REGIONS[kind].fit
    return COMPAT_FITS.get(kind, ours) if settings.compat else ours


def _scores(kind: RegionKind, fit: Fit, scene: Scene, settings: EvaluationSettings) -> RegionScores:
    if isinstance(fit, UndefinedRegion):
        return RegionScores(kind, fit.reason)
    n_relevant = int(fit.relevant_mask.sum())
    inside = fit.relevant_mask[scene.found_rows]
    accepted = tuple(i for i, ok in zip(scene.found_ids, inside, strict=True) if ok)
    n_counted = scene.n_found if fit.region.recall_counts == "found" else len(accepted)
    if fit.n_core_reported is not None:
        n_counted = fit.n_core_reported
    precision = semantic_precision(n_relevant=n_relevant, n_scorable=len(scene.retrieved))
    price = decay(n_relevant, **settings.decay_curve)
    recall_used = recall(n_found=n_counted, n_core=scene.n_core)
    score = f_beta((precision or 0.0) * price, recall_used, beta=settings.beta)
    return RegionScores(
        kind=kind,
        status="ok",
        relevant_mask=fit.relevant_mask,
        n_relevant=n_relevant,
        accepted_core_ids=accepted,
        semantic_precision=precision,
        decay=price,
        recall_used=recall_used,
        f_beta=compat_f_beta(score) if settings.compat else score,
        degenerate=fit.region.degenerate,
        defines=MappingProxyType(dict(fit.region.defines())),
    )


def _warnings(scene: Scene, fits: Mapping[RegionKind, Fit]) -> tuple[str, ...]:
    notes: list[str] = []
    if scene.n_core < FEW_CORE:
        notes.append(f"only {many(scene.n_core, 'core publication')}: every number here rests on few")
    if scene.n_retrieved and not scene.n_found:
        notes.append("no core publication was found: F-beta is 0 wherever a region is defined")
    if missing := scene.n_core - len(scene.core):
        notes.append(f"{missing} of {scene.n_core} core publications have no vector and shape no region")
    for fit in fits.values():
        notes.extend(() if isinstance(fit, UndefinedRegion) else fit.warnings)
    return tuple(dict.fromkeys(notes))


def evaluate(
    retrieved: RetrievedSet,
    core: CoreSet,
    embedded: EmbeddedSet,
    *,
    projection: Projection | None = None,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind] = DEFAULT_REGIONS,
) -> Evaluation:
    """Score one query version.

    `embedded` holds the vectors of all publications of `retrieved` and `core` that could be embedded; the others are
    unscorable. `projection` is needed only by regions on the landscape.

    >>> import numpy as np
    >>> from core.vectors import embedded_set
    >>> ids = [f"p{i}" for i in range(8)]
    >>> embedded, _ = embedded_set(ids, np.array([[9, i] for i in range(8)]), "toy")
    >>> result = evaluate(
    ...     RetrievedSet.of("q", ids[:6]), CoreSet("t", ("p0", "p1", "p2", "p7")), embedded,
    ...     settings=EvaluationSettings(cosine_mode="fixed", min_similarity=0.98), regions=["cosine"],
    ... )
    >>> result.recall, result.regions["cosine"].n_relevant
    (0.75, 4)
    """
    return evaluate_scene(
        Scene.of(retrieved, core, embedded, projection),
        topic_id=core.topic_id,
        query_id=retrieved.query_id,
        settings=settings,
        regions=regions,
    )


def evaluate_scene(
    scene: Scene,
    *,
    topic_id: str,
    query_id: str,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind] = DEFAULT_REGIONS,
    known: Mapping[RegionKind, Fit] = MappingProxyType({}),
    sensitivity: Mapping[RegionKind, Sensitivity] = MappingProxyType({}),
) -> Evaluation:
    """Score a prepared scene. `known` holds slow fits from a cache."""
    settings = settings.resolved(scene.retrieved.model_id)
    fits = fit_regions(scene, settings, regions, known)
    on_landscape = scene.projection is not None and any(kind in PROJECTION_REGIONS for kind in regions)
    return Evaluation(
        topic_id=topic_id,
        query_id=query_id,
        model_id=scene.retrieved.model_id,
        projection_id=scene.projection.projection_id if on_landscape and scene.projection else None,
        settings=settings,
        n_retrieved=scene.n_retrieved,
        scorable_ids=scene.retrieved.ids,
        core_ids=scene.core_ids,
        n_core_with_vectors=len(scene.core),
        found_core_ids=scene.all_found_ids,
        missed_core_ids=scene.missed_ids,
        recall=recall(n_found=scene.n_found, n_core=scene.n_core),
        recall_interval=wilson(scene.n_found, scene.n_core),
        attainable_recall=attainable_recall(
            n_found_with_vectors=len(scene.found_ids), n_core_with_vectors=len(scene.core)
        ),
        warnings=_warnings(scene, fits),
        regions={kind: _scores(kind, fit, scene, settings) for kind, fit in fits.items()},
        sensitivity=dict(sensitivity),
    )


# Validation of the scores where the truth is known: they estimate from the core set what is counted here.


@dataclass(frozen=True, slots=True)
class RegionTruth:
    """A comparison of one region's decisions with the truth."""

    error: float
    """Semantic precision minus true precision: above 0, the region overestimates the query."""
    right: float | None
    """Share of the publications accepted by the region that are truly relevant; None if it accepts none."""
    caught: float | None
    """Share of the truly relevant publications that the region accepts; None if none was retrieved."""


@dataclass(frozen=True, eq=False)
class Truth:
    """True precision and recall of one query version, with a comparison for each region."""

    true_precision: float | None
    """Over the retrieved publications with a vector, like semantic precision."""
    true_recall: float | None
    regions: Mapping[RegionKind, RegionTruth]
    """Only regions that are defined."""


def against_truth(evaluation: Evaluation, retrieved_ids: Ids, relevant_ids: Collection[str]) -> Truth:
    """Compare an evaluation with the publications that are truly relevant to its topic."""
    relevant = frozenset(relevant_ids)
    mask = np.array([i in relevant for i in evaluation.scorable_ids], dtype=bool)
    precision = true_precision(n_relevant=int(mask.sum()), n_scorable=len(mask))
    regions: dict[RegionKind, RegionTruth] = {}
    for kind, scores in evaluation.regions.items():
        accepted, estimate = scores.relevant_mask, scores.semantic_precision
        if precision is not None and accepted is not None and estimate is not None:
            regions[kind] = _of_region(accepted, mask, estimate - precision)
    found = len(relevant.intersection(retrieved_ids))
    return Truth(precision, true_recall(n_found=found, n_relevant=len(relevant)), regions)


def _of_region(accepted: Mask, truth: Mask, error: float) -> RegionTruth:
    both, n_accepted, n_true = int((accepted & truth).sum()), int(accepted.sum()), int(truth.sum())
    return RegionTruth(error, both / n_accepted if n_accepted else None, both / n_true if n_true else None)
