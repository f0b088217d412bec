"""One query version to look at: loaded once, then scored under any settings in milliseconds.

What a change of settings leaves as it was is not fitted again. Cluster sweeps take seconds, so they are only looked up
here; `fit_clusters` makes them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Lock

import numpy as np

from core.errors import DiskFullError
from core.evaluate import Evaluation, evaluate_scene, fit_regions
from core.projection import Landscape, lay_out
from core.protocols import OnStage, silent
from core.regions.base import Fit, Fitted, Scene
from core.regions.cluster import cluster_curve
from core.resampling import Sensitivity, sensitivity
from core.settings import EvaluationSettings
from core.types import Ids, Points, RegionKind
from data.cases import Case, cluster_key
from data.memory import (
    decode_cluster,
    decode_sensitivity,
    encode_cluster,
    encode_sensitivity,
    key_for,
    settings_key,
)
from data.store import Store

SHARES = tuple(share / 100 for share in range(50, 100, 5))
"""Core shares that one sweep answers together, so that moving the share waits only once."""
MOST_FITS = 64


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A publication and how similar it is."""

    publication_id: str
    similarity: float


@dataclass(frozen=True, eq=False)
class View:
    """A version with its vectors and places, and the regions that were fitted for it so far."""

    case: Case
    scene: Scene
    retrieved_ids: Ids
    landscape: Landscape
    _fits: OrderedDict[tuple[object, ...], Fit] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def recalled(self, kind: RegionKind, settings: EvaluationSettings) -> Fit | None:
        """A fit that is known already."""
        with self._lock:
            return self._fits.get(_fit_key(kind, settings))

    def keep(self, kind: RegionKind, settings: EvaluationSettings, fit: Fit) -> None:
        """Keep a fit; the oldest ones go."""
        with self._lock:
            self._fits[_fit_key(kind, settings)] = fit
            while len(self._fits) > MOST_FITS:
                self._fits.popitem(last=False)

    def fit(self, kind: RegionKind, settings: EvaluationSettings) -> Fit:
        """This region under these settings, fitted if it is not known; for anything but clusters that is quick."""
        known = self.recalled(kind, settings)
        if known is None:
            known = fit_regions(self.scene, settings, (kind,))[kind]
            # A threshold under the hand takes every value once: keeping those would keep nothing else.
            if kind != "cosine":
                self.keep(kind, settings, known)
        return known

    def outlines(self) -> dict[RegionKind, Points]:
        """Boundaries of the regions that live on the landscape."""
        drawn: dict[RegionKind, Points] = {}
        kinds: tuple[RegionKind, ...] = ("mvee", "hull")
        for kind in kinds:
            fit = self.fit(kind, EvaluationSettings())
            outline = fit.region.outline() if isinstance(fit, Fitted) else None
            if outline is not None:
                drawn[kind] = outline
        return drawn

    def nearest(self, publication_id: str, n: int = 10) -> tuple[Neighbour, ...]:
        """The publications here with the highest cosine to this one, by their vectors and not by the picture."""
        scene = self.scene
        of_set = scene.retrieved if publication_id in scene.retrieved else scene.core
        if publication_id not in of_set:
            return ()
        vector = of_set.take([publication_id]).vectors[0]
        missed = [i for i in scene.core.ids if i not in scene.retrieved]
        ids = (*scene.retrieved.ids, *missed)
        similarities = np.concatenate([scene.retrieved.vectors @ vector, scene.core.take(missed).vectors @ vector])
        at_most = min(n + 1, len(ids))
        rows = np.argpartition(-similarities, at_most - 1)[:at_most]
        rows = rows[np.argsort(-similarities[rows], kind="stable")]
        found = (Neighbour(ids[row], float(similarities[row])) for row in rows if ids[row] != publication_id)
        return tuple(found)[:n]


def _fit_key(kind: RegionKind, settings: EvaluationSettings) -> tuple[object, ...]:
    """The settings that this region depends on."""
    of_kind: dict[str, tuple[object, ...]] = {
        "cosine": (settings,),
        "cluster": (settings.min_core_share, settings.max_k, settings.seed),
    }
    return (kind, settings.compat, *of_kind.get(kind, ()))


def view_of(case: Case, scene: Scene, retrieved_ids: Ids) -> View:
    """A version that is loaded, laid out."""
    return View(case, scene, retrieved_ids, lay_out(scene))


def evaluate_view(
    store: Store, view: View, settings: EvaluationSettings, regions: Sequence[RegionKind]
) -> tuple[Evaluation, tuple[RegionKind, ...]]:
    """Scores of the regions that can be had at once, and the kinds that first need `fit_clusters`."""
    settings = settings.resolved(view.case.embedding.embedder)
    known: dict[RegionKind, Fit] = {}
    waiting: list[RegionKind] = []
    for kind in regions:
        fit = _known_cluster(store, view, settings) if kind == "cluster" else view.fit(kind, settings)
        if fit is None:
            waiting.append(kind)
        else:
            known[kind] = fit
    evaluation = evaluate_scene(
        view.scene,
        topic_id=view.case.core.topic_id,
        query_id=view.case.row.version.query_id,
        settings=settings,
        regions=tuple(known),
        known=known,
    )
    return evaluation, tuple(waiting)


def _needs_no_sweep(view: View) -> bool:
    return len(view.scene.found_ids) < 2 or not len(view.scene.retrieved)


def _known_cluster(store: Store, view: View, settings: EvaluationSettings) -> Fit | None:
    if _needs_no_sweep(view):
        return view.fit("cluster", settings)
    if known := view.recalled("cluster", settings):
        return known
    if kept := store.recall(cluster_key(view.case, "cluster", settings)):
        fit = decode_cluster(*kept)
        view.keep("cluster", settings, fit)
        return fit
    return None


def fit_clusters(store: Store, view: View, settings: EvaluationSettings, on_stage: OnStage = silent) -> None:
    """Fit and remember the cluster of these settings and, from the same sweep, those of higher core shares."""
    if _needs_no_sweep(view) or _known_cluster(store, view, settings):
        return
    scene = replace(view.scene, on_step=on_stage("splitting into clusters"))
    fits: Mapping[float, Fit]
    if settings.compat:
        fits = {settings.min_core_share: fit_regions(scene, settings, ("cluster",))["cluster"]}
    else:
        shares = sorted({settings.min_core_share, *(s for s in SHARES if s > settings.min_core_share)})
        fits = cluster_curve(scene, settings, shares)
    for share, fit in fits.items():
        of_share = replace(settings, min_core_share=share)
        view.keep("cluster", of_share, fit)
        with suppress(DiskFullError):
            store.remember(cluster_key(view.case, "cluster", of_share), "cluster", *encode_cluster(fit))


def sensitivity_settings(kind: RegionKind, settings: EvaluationSettings) -> EvaluationSettings:
    """The same settings without those that this region's sensitivity does not depend on."""
    if kind == "cosine":
        return replace(settings, min_core_share=0.7)
    return replace(settings, min_core_share=0.7, cosine_mode="leave_one_out", min_similarity=0.0, quantile=0.0)


def remembered_sensitivity(
    store: Store, view: View, settings: EvaluationSettings, regions: Sequence[RegionKind], *, only_known: bool
) -> dict[RegionKind, Sensitivity]:
    """How far each region's scores move with the core set, each kind remembered by itself."""
    settings = settings.resolved(view.case.embedding.embedder)
    out: dict[RegionKind, Sensitivity] = {}
    for kind in regions:
        of_kind = sensitivity_settings(kind, settings)
        key = key_for("sensitivity", *view.case.depends_on, kind, settings_key(of_kind))
        if kept := store.recall(key):
            out |= decode_sensitivity(kept[0])
        elif not only_known:
            found = dict(sensitivity(view.scene, (kind,), of_kind))
            with suppress(DiskFullError):
                store.remember(key, "sensitivity", encode_sensitivity(found), None)
            out |= found
    return out
