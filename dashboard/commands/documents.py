"""Results as JSON documents. The keys are stable: other programs read them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.comparing.compare import Comparison, Difference
from core.evaluate import Evaluation, RegionScores
from core.types import RegionKind


def region_document(evaluation: Evaluation, kind: RegionKind) -> dict[str, Any]:
    """One region of `evaluate --json`."""
    scores: RegionScores = evaluation.regions[kind]
    document = {
        "status": scores.status,
        "degenerate": scores.degenerate is not None,
        "n_relevant": scores.n_relevant,
        "n_accepted_core": len(scores.accepted_core_ids) if scores.status == "ok" else None,
        "semantic_precision": scores.semantic_precision,
        "decay": scores.decay,
        "recall_used": scores.recall_used,
        "f_beta": scores.f_beta,
        **scores.defines,
    }
    if kind in evaluation.sensitivity:
        document |= asdict(evaluation.sensitivity[kind])
    return document


def evaluation_document(evaluation: Evaluation, label: str, *, intervals: bool = False) -> dict[str, Any]:
    """`evaluate --json`."""
    regions = {kind: region_document(evaluation, kind) for kind in evaluation.regions}
    if intervals:
        for region in regions.values():
            region.setdefault("semantic_precision_range", None)
            region.setdefault("f_beta_range", None)
    return {
        "topic": evaluation.topic_id,
        "version": label,
        "embedder": evaluation.model_id,
        "projection_id": evaluation.projection_id,
        "n_retrieved": evaluation.n_retrieved,
        "n_scorable": evaluation.n_scorable,
        "n_unscorable": evaluation.n_unscorable,
        "n_core": len(evaluation.core_ids),
        "n_core_with_vectors": evaluation.n_core_with_vectors,
        "n_found": len(evaluation.found_core_ids),
        "found_core_ids": list(evaluation.found_core_ids),
        "missed_core_ids": list(evaluation.missed_core_ids),
        "recall": evaluation.recall,
        "recall_interval": list(evaluation.recall_interval),
        "attainable_recall": evaluation.attainable_recall,
        "warnings": list(evaluation.warnings),
        "settings": asdict(evaluation.settings),
        "regions": regions,
    }


def _difference(d: Difference) -> dict[str, Any]:
    return asdict(d) | {"interval": list(d.interval) if d.interval else None}


def comparison_document(comparison: Comparison, labels: tuple[str, ...], notes: tuple[str, ...] = ()) -> dict[str, Any]:
    """`compare --json`. A difference is B minus A; core gained and lost: the last version against the first.

    `notes`: what to know before comparing, such as versions that were run over different publications.
    """
    ends = next(p for p in comparison.pairs if p.a == labels[0] and p.b == labels[-1])
    return {
        "versions": [evaluation_document(e, label) for e, label in zip(comparison.versions, labels, strict=True)],
        "differences": [_difference(d) for d in comparison.differences],
        "core_gained": list(ends.core_gained),
        "core_lost": list(ends.core_lost),
        "pairs": [asdict(p) for p in comparison.pairs],
        "notes": list(notes),
    }
