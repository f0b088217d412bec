"""What each browser part is told, as JSON: core types in, plain values out. `browser/` draws them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core.comparing.compare import REGION_LABELS
from core.evaluate import Evaluation, RegionScores
from core.judging.agreement import Interval
from core.metrics import METRICS, read_per_core
from core.projection import Landscape
from core.resampling import Sensitivity, coverage_sentence
from core.types import Publication, RegionKind
from data.views import Neighbour

DEFINITIONS = {metric_id: f"{m.sentence} {m.formula}. {m.undefined}" for metric_id, m in METRICS.items()}
LABELS = {metric_id: m.label for metric_id, m in METRICS.items()}
Document = dict[str, Any]


def _ends(interval: Interval | None) -> list[float] | None:
    return list(interval) if interval is not None else None


def scores_document(
    evaluation: Evaluation,
    kinds: Sequence[RegionKind],
    *,
    waiting: Mapping[RegionKind, str],
    ranges: Mapping[RegionKind, Sensitivity],
) -> Document:
    """Every score of one version. `waiting`: regions that are still being computed, and how far that is."""
    n_found = len(evaluation.found_core_ids)
    return {
        "n_retrieved": evaluation.n_retrieved,
        "n_scorable": evaluation.n_scorable,
        "n_unscorable": evaluation.n_unscorable,
        "recall": {
            "value": evaluation.recall,
            "low": evaluation.recall_interval.low,
            "high": evaluation.recall_interval.high,
            "n_found": n_found,
            "n_core": len(evaluation.core_ids),
            "attainable": evaluation.attainable_recall,
            "read_per_core": read_per_core(n_retrieved=evaluation.n_retrieved, n_found=n_found),
        },
        "regions": [_region(kind, evaluation.regions.get(kind), ranges.get(kind), waiting.get(kind)) for kind in kinds],
        "beta": evaluation.settings.beta,
        "coverage": coverage_sentence(evaluation.settings.cosine_mode),
        "warnings": list(evaluation.warnings),
    }


def _region(kind: RegionKind, scores: RegionScores | None, ranges: Sensitivity | None, pending: str | None) -> Document:
    if scores is None:
        scores = RegionScores(kind, pending or "not computed")
    defined = scores.status == "ok"
    return {
        "kind": kind,
        "label": REGION_LABELS[kind],
        "status": scores.status,
        "degenerate": scores.degenerate,
        "n_relevant": scores.n_relevant,
        "n_accepted": len(scores.accepted_core_ids) if defined else None,
        "semantic_precision": scores.semantic_precision,
        "decay": scores.decay,
        "recall_used": scores.recall_used,
        "f_beta": scores.f_beta,
        "f_beta_range": _ends(ranges.f_beta_range) if ranges else None,
        "semantic_precision_range": _ends(ranges.semantic_precision_range) if ranges else None,
        "pending": pending,
        "defines": _defines(scores),
    }


def _defines(scores: RegionScores) -> str:
    """The number that makes the region what it is, in words."""
    numbers = scores.defines
    if "min_similarity" in numbers:
        return f"similarity ≥ {numbers['min_similarity']:.3f}"
    if "k" in numbers:
        return f"one of {numbers['k']} clusters"
    if "n_corners" in numbers:
        return f"{numbers['n_corners']} corners"
    return ""


def why(evaluation: Evaluation, landscape: Landscape, publication_id: str) -> list[Document]:
    """For each region whether it accepts this publication, and what decided."""
    row = landscape.row_of.get(publication_id)
    retrieved = row is not None and row < landscape.n_retrieved
    out: list[Document] = []
    for kind, scores in evaluation.regions.items():
        inside: bool | None = None
        if scores.relevant_mask is None:
            text = scores.status
        elif row is None or not retrieved:
            text = "not retrieved, so no region decides about it"
        else:
            inside = bool(scores.relevant_mask[landscape.order[row]])
            text = _reason(kind, scores, float(landscape.similarities[row]), inside)
        out.append({"kind": kind, "label": REGION_LABELS[kind], "inside": inside, "text": text})
    return out


def _reason(kind: RegionKind, scores: RegionScores, similarity: float, inside: bool) -> str:
    if kind == "cosine":
        cut = scores.defines["min_similarity"]
        return f"similarity {similarity:.3f} to the core, {'at least' if inside else 'below'} {cut:.3f}"
    if kind == "nearest_core":
        of_mean = f"{scores.defines['min_similarity']:.3f}"
        return f"mean of the three nearest core is {'at least' if inside else 'below'} {of_mean}"
    if kind == "mvee":
        return f"{'within' if inside else 'outside'} the ellipse around the found core"
    if kind == "hull":
        return f"{'between' if inside else 'not between'} the found core on the landscape"
    return f"{'in' if inside else 'not in'} the cluster that holds most of the found core"


def record_document(
    publication: Publication,
    landscape: Landscape,
    evaluation: Evaluation,
    neighbours: Sequence[tuple[Neighbour, Publication]],
) -> Document:
    """One publication: what it is, why it is in or out, and what is nearest to it."""
    row = landscape.row_of.get(publication.publication_id)
    retrieved = row is not None and row < landscape.n_retrieved
    is_core = publication.publication_id in set(evaluation.core_ids)
    found = publication.publication_id in set(evaluation.found_core_ids)
    return {
        "row": row,
        "title": publication.title,
        "abstract": publication.abstract,
        "year": publication.year,
        "doi": publication.doi,
        "times_cited": publication.times_cited,
        "similarity": float(landscape.similarities[row]) if row is not None else None,
        "rank": landscape.n_retrieved - row if row is not None and retrieved else None,
        "role": ("core found" if found else "core missed") if is_core else "retrieved",
        "why": why(evaluation, landscape, publication.publication_id),
        "nearest": [_neighbour(neighbour, known, landscape) for neighbour, known in neighbours],
    }


def _neighbour(neighbour: Neighbour, publication: Publication, landscape: Landscape) -> Document:
    row = landscape.row_of.get(neighbour.publication_id)
    return {
        "row": row,
        "title": publication.title,
        "year": publication.year,
        "similarity": neighbour.similarity,
        "core": row is not None and bool(landscape.core_mask[row]),
        "retrieved": row is not None and row < landscape.n_retrieved,
    }


def core_document(publications: Sequence[Publication], found_ids: Collection[str], landscape: Landscape) -> Document:
    """The core publications, found and missed, the missed ones first."""
    listed: list[Document] = [
        {
            "row": landscape.row_of.get(p.publication_id),
            "title": p.title,
            "year": p.year,
            "found": p.publication_id in found_ids,
            "similarity": _similarity(landscape, p.publication_id),
        }
        for p in publications
    ]
    listed.sort(key=lambda entry: (entry["found"], entry["similarity"] is None, -(entry["similarity"] or 0.0)))
    return {"core_list": listed, "n_core_missed": sum(not entry["found"] for entry in listed)}


def _similarity(landscape: Landscape, publication_id: str) -> float | None:
    row = landscape.row_of.get(publication_id)
    return float(landscape.similarities[row]) if row is not None else None
