"""What the scores are worth where the truth is known: they estimate from the core set what this counts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from core.evaluate import Evaluation
from core.metrics import true_precision, true_recall
from core.types import Ids, Mask, RegionKind


@dataclass(frozen=True, slots=True)
class RegionTruth:
    """How one region's decisions compare with the truth."""

    error: float
    """Semantic precision less true precision: above 0, the region flatters the query."""
    right: float | None
    """Share of what the region accepts that is truly relevant; None if it accepts nothing."""
    caught: float | None
    """Share of the truly relevant that the region accepts; None if none was retrieved."""


@dataclass(frozen=True, eq=False)
class Truth:
    """True precision and recall of one query version, and each region beside them."""

    true_precision: float | None
    """Over the retrieved publications with a vector, as semantic precision is."""
    true_recall: float | None
    regions: Mapping[RegionKind, RegionTruth]
    """Of the regions that are defined."""


def against_truth(evaluation: Evaluation, retrieved_ids: Ids, relevant_ids: Collection[str]) -> Truth:
    """An evaluation beside the publications that are truly relevant to its topic."""
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
