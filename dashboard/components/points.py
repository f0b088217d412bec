"""The payloads of the landscape: what is sent once and stays in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from core.comparing.compare import REGION_LABELS
from core.evaluate import Evaluation
from core.metrics import SimilaritySweep
from core.projection import Groups, Landscape, split_curve
from core.query.matching.matched import mask_of
from core.regions import DEFAULT_REGIONS, PROJECTION_REGIONS
from core.settings import EvaluationSettings
from core.types import Mask, Points, RegionKind
from dashboard.components.documents import DEFINITIONS, LABELS, Document
from dashboard.components.payload import lines, pack
from dashboard.controls import CONTROLS
from dashboard.figures.theme import browser_colours
from data.desk import Desk
from data.store import Headlines

KIND_HELP: dict[RegionKind, str] = {
    "cosine": "Close enough to the centre of the core publications, by cosine of their vectors.",
    "nearest_core": "Close to some core publications: the mean similarity to the three nearest decides.",
    "mvee": "Within the smallest ellipse around the found core publications on the landscape.",
    "hull": "Between the found core publications on the landscape.",
    "cluster": "In the k-means cluster that still holds most of the found core publications together.",
}


def points_payload(
    landscape: Landscape,
    headlines: Headlines,
    groups: Groups,
    found_by: tuple[tuple[str, ...], npt.NDArray[np.uint8]],
    core: Document,
    *,
    payload_id: str,
    scape: str,
    topic: str,
    version: str,
    embedder: str,
    made_up: bool,
) -> bytes:
    """Every publication of one version, with whatever never changes while it is looked at."""
    n = landscape.n_retrieved
    rows = len(landscape)
    points = landscape.points if landscape.points is not None else np.zeros((rows, 2))
    low, high = (points.min(axis=0), points.max(axis=0)) if rows else (np.zeros(2), np.ones(2))
    curve = split_curve(landscape, EvaluationSettings())
    header: dict[str, Any] = {
        "kind": "points",
        "id": payload_id,
        "scape": scape,
        "n": n,
        "n_missed": rows - n,
        "n_core": landscape.n_core,
        "topic": topic,
        "version": version,
        "embedder": embedder,
        "made_up": made_up,
        "has_landscape": landscape.points is not None,
        "bounds": [*low.tolist(), *high.tolist()],
        "sources": list(found_by[0]),
        "groups": [{"text": g.name, "x": g.x, "y": g.y, "n": g.n, "level": g.level} for g in groups.named],
        "group_names": list(groups.coloured),
        **core,
        "texts": DEFINITIONS,
        "labels": LABELS,
        "kinds": [
            {
                "kind": kind,
                "label": REGION_LABELS[kind],
                "help": KIND_HELP[kind],
                "space": "projection" if kind in PROJECTION_REGIONS else "embedding",
            }
            for kind in DEFAULT_REGIONS
        ],
        "controls": CONTROLS,
        **browser_colours(),
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        "x": points[:, 0].astype(np.float32),
        "y": points[:, 1].astype(np.float32),
        "similarity": landscape.similarities,
        "year": headlines.years,
        "group": groups.group_of,
        "source": found_by[1],
        "core": landscape.core_mask.astype(np.uint8),
        "titles": lines(list(headlines.titles)),
        "dois": lines(list(headlines.dois)),
        "recall": curve.recall.astype(np.float32),
        "semantic_precision": curve.semantic_precision.astype(np.float32),
    }
    return pack(header, arrays)


CORE, ACCEPTED = 1, 2
"""Bits of what a publication of a corpus is."""


def corpus_payload(desk: Desk, *, payload_id: str, scape: str) -> bytes:
    """Where every publication of a topic stands, and what it is; what is retrieved comes with each answer."""
    n = len(desk.corpus.ids)
    core, accepted = (mask_of(bits, n) for bits in (desk.stakes.core, desk.stakes.accepted))
    header = {"kind": "corpus", "id": payload_id, "scape": scape, "n": n, **browser_colours()}
    arrays: dict[str, npt.NDArray[Any]] = {
        "x": desk.points[:, 0].astype(np.float32),
        "y": desk.points[:, 1].astype(np.float32),
        "flags": (core * CORE + accepted * ACCEPTED).astype(np.uint8),
    }
    return pack(header, arrays)


def curve_payload(curve: SimilaritySweep, *, payload_id: str, scape: str) -> bytes:
    """What depends on decay and beta, at every threshold."""
    header = {"kind": "curve", "id": payload_id, "scape": scape}
    return pack(header, {"decay": curve.decay.astype(np.float32), "f_beta": curve.f_beta.astype(np.float32)})


def regions_payload(
    landscape: Landscape,
    evaluation: Evaluation,
    outlines: Mapping[RegionKind, Points],
    *,
    payload_id: str,
    scape: str,
) -> bytes:
    """Who is inside each region but cosine, whose threshold the browser applies itself."""
    masks = {
        kind: landscape.in_order(scores.relevant_mask)
        for kind, scores in evaluation.regions.items()
        if scores.relevant_mask is not None
    }
    return masks_payload(evaluation, masks, outlines, payload_id=payload_id, scape=scape)


def masks_payload(
    evaluation: Evaluation,
    masks: Mapping[RegionKind, Mask],
    outlines: Mapping[RegionKind, Points],
    *,
    payload_id: str,
    scape: str,
) -> bytes:
    """The same from masks that stand in the order of the rows already. Where there is none, the status says why."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    undefined: dict[str, str] = {}
    for kind, scores in evaluation.regions.items():
        if kind == "cosine":
            continue
        if kind in masks:
            arrays[f"mask_{kind}"] = np.packbits(masks[kind])
        else:
            undefined[kind] = scores.status
    for kind, outline in outlines.items():
        arrays[f"outline_{kind}"] = outline.astype(np.float32).ravel()
    return pack({"kind": "regions", "id": payload_id, "scape": scape, "undefined": undefined}, arrays)


def threshold_marks(landscape: Landscape, curve: SimilaritySweep) -> list[Document]:
    """Thresholds worth knowing: where the least similar core publication lies, and where F-beta is highest."""
    marks: list[Document] = []
    if landscape.core_mask.any():
        marks.append(
            {"at": float(landscape.similarities[landscape.core_mask].min()), "label": "Least similar core publication"}
        )
    best = curve.best
    if best < landscape.n_retrieved and curve.f_beta[best] > 0:
        marks.append({"at": float(curve.min_similarity[best]), "label": f"Best F-beta, {curve.f_beta[best]:.3f}"})
    return marks
