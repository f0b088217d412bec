"""The live landscape of a report: what the browser needs so that the similarity threshold can be dragged offline.

Everything that could be asked of Python while the hand moves goes with it, computed at every threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.audit.quality.summary import QualityFacts, Rows, VersionFacts
from core.projection import Landscape, split_curve
from core.regions import DEFAULT_REGIONS
from core.types import Points
from dashboard.components.documents import scores_document
from dashboard.components.payload import finite
from dashboard.components.points import curve_payload, masks_payload, points_payload, threshold_marks
from dashboard.tuning import Tuning, browser_values
from data.store import Headlines

HEIGHT = 640
GRID = 2**13
"""Places are rounded to this many steps per side, which no eye can see and which halves their size."""
MOST_SOURCES = 8
"""Versions that "found by" tells apart."""


@dataclass(frozen=True, slots=True)
class LiveLandscape:
    """One landscape that is drawn by the browser where the picture of the same name stands."""

    figure: str
    """The name of the figure that it takes the place of: "landscape-1" for version number 1."""
    payloads: dict[str, bytes]
    """Points, curve and regions by these names, as the landscape of the app takes them."""
    document: dict[str, Any]
    """What each part is told: which region and threshold stand at first, and the scores as they were reported."""


def live_landscape(version: VersionFacts, facts: QualityFacts) -> LiveLandscape:
    """The landscape of one version. It is never asked for anything: every number that it shows goes with it."""
    figure = f"landscape-{version.number}"
    landscape = _landscape(version)
    named = {"payload_id": figure, "scape": figure}
    settings = version.evaluation.settings
    curve = split_curve(landscape, settings)
    points = points_payload(
        landscape,
        Headlines(version.rows.titles, version.rows.years, version.rows.dois),
        version.rows.groups,
        _found_by(version.rows, facts.versions),
        {},
        topic=facts.topic_id,
        version=version.label,
        embedder=facts.embedder.embedder,
        made_up=facts.made_up,
        **named,
    )
    payloads = {
        "points": points,
        "curve": curve_payload(curve, **named),
        "regions": masks_payload(version.evaluation, version.rows.masks, version.rows.outlines, **named),
    }
    marks = threshold_marks(landscape, curve)
    return LiveLandscape(figure, payloads, _document(version, facts, figure, marks))


def _landscape(version: VersionFacts) -> Landscape:
    """The rows as the app's own landscape has them; they stand in its order already."""
    rows = version.rows
    return Landscape(
        ids=rows.ids,
        n_retrieved=rows.n_retrieved,
        n_core=len(version.evaluation.core_ids),
        order=np.arange(rows.n_retrieved, dtype=np.intp),
        similarities=rows.similarities,
        points=None if rows.points is None else _rounded(rows.points),
        core_mask=rows.core_mask,
    )


def _rounded(points: Points) -> Points:
    """Places on a grid whose steps are a power of two, so that most bits of each number are zero."""
    extent = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    if not extent:
        return points
    step = 2.0 ** np.floor(np.log2(extent / GRID))
    rounded: Points = np.round(points / step) * step
    return rounded


def _found_by(rows: Rows, versions: tuple[VersionFacts, ...]) -> tuple[tuple[str, ...], npt.NDArray[np.uint8]]:
    """Which of the reported versions retrieve each row, one bit for each."""
    told_apart = versions[:MOST_SOURCES]
    bits = np.zeros(len(rows.ids), dtype=np.uint8)
    for place, version in enumerate(told_apart):
        retrieved = {*version.rows.ids[: version.rows.n_retrieved], *version.unscored_ids}
        bits |= np.array([i in retrieved for i in rows.ids], dtype=np.uint8) << place
    return tuple(version.label for version in told_apart), bits


def _document(version: VersionFacts, facts: QualityFacts, figure: str, marks: list[dict[str, Any]]) -> dict[str, Any]:
    """What the parts are told once, instead of by Python whenever something moves."""
    evaluation = version.evaluation
    kinds = [kind for kind in DEFAULT_REGIONS if kind in evaluation.regions]
    cosine = evaluation.regions.get("cosine")
    threshold = cosine.defines.get("min_similarity") if cosine is not None else None
    in_force = float(threshold) if threshold is not None else None
    region = facts.region if facts.region in kinds else kinds[0] if kinds else "cosine"
    values = browser_values(Tuning(region, evaluation.settings), min_similarity=in_force)
    reported = [{"at": in_force, "label": "As reported"}] if in_force is not None else []
    landscape = {
        "scape": figure,
        "dataset": {"points": figure, "curve": figure, "regions": figure},
        "echo": 0,
        "tuning": values,
        "defaults": values,
        "marks": [*reported, *marks],
        "height": HEIGHT,
        "no_landscape": None if version.rows.points is not None else "There is no landscape of this version.",
    }
    scores = scores_document(evaluation, kinds, waiting={}, ranges=evaluation.sensitivity)
    table = {"n_without_vector": evaluation.n_unscorable}
    said: dict[str, Any] = finite({"landscape": landscape, "scores": {**scores, "echo": 0}, "table": table})
    return said
