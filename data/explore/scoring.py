"""Score one query version under any settings, caching slow results in the store."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Lock

import numpy as np

from core.errors import DiskFullError
from core.explore.evaluate import Evaluation, evaluate_scene, fit_regions
from core.explore.landscape import Landscape, lay_out
from core.explore.regions.cluster import cluster_curve
from core.explore.scene import Fit, FittedRegion, Scene
from core.explore.uncertainty import Sensitivity, sensitivity
from core.protocols import OnStage, silent
from core.settings import EvaluationSettings
from core.types import CoreSet, EmbeddedSet, Ids, Points, Projection, RegionKind, RetrievedSet
from data.database import as_positions
from data.memory import (
    decode_cluster,
    decode_evaluation,
    decode_sensitivity,
    encode_cluster,
    encode_evaluation,
    encode_sensitivity,
    key_for,
    settings_key,
)
from data.store import Store, VersionRow
from data.vectors import Embedding, VectorCatalogue

# From the store to a scene: one query version with its vectors and landscape points, in one join.


def load_scene(
    store: Store,
    catalogue: VectorCatalogue,
    *,
    query_id: str,
    core: CoreSet,
    embedding: Embedding,
    projection_id: str | None,
) -> tuple[Scene, Ids]:
    """Load what was retrieved, in its order, then the missed core, so that retrieved vectors are adjacent rows.

    Returns also the ids of everything that was retrieved, with or without a vector.
    """
    found = store.columns(
        """
        WITH got AS (SELECT publication_id, position FROM retrieved WHERE query_id = $query),
        wanted AS (
            SELECT publication_id, TRUE AS was_retrieved, position AS place FROM got
            UNION ALL
            SELECT publication_id, FALSE, position FROM core_publications
            WHERE topic_id = $topic AND publication_id NOT IN (SELECT publication_id FROM got)
        )
        SELECT w.publication_id AS id, was_retrieved, v.file_id AS file, v.position AS position, p.x AS x, p.y AS y
        FROM wanted AS w
        LEFT JOIN vector_rows AS v ON v.publication_id = w.publication_id AND v.embedding_id = $embedding
        LEFT JOIN projection_points AS p ON p.publication_id = w.publication_id AND p.projection_id = $projection
        ORDER BY was_retrieved DESC, place
        """,
        {
            "query": query_id,
            "topic": core.topic_id,
            "embedding": embedding.embedding_id,
            "projection": projection_id,
        },
    )
    ids = found["id"]
    positions = as_positions(found["position"])
    scorable = positions >= 0
    embedded = EmbeddedSet(
        tuple(ids[scorable].tolist()),
        catalogue.read(embedding, as_positions(found["file"])[scorable], positions[scorable]),
        embedding.embedder,
    )
    projection = None
    if projection_id is not None:
        points = np.column_stack([np.ma.filled(found["x"].astype(float), np.nan), np.ma.filled(found["y"], np.nan)])
        placed = ~np.isnan(points).any(axis=1)
        projection = Projection(tuple(ids[placed].tolist()), points[placed], projection_id)
    retrieved_ids = tuple(ids[found["was_retrieved"].astype(bool)].tolist())
    return Scene.of(RetrievedSet(query_id, retrieved_ids), core, embedded, projection), retrieved_ids


# One query version to be scored: what its scores depend on, and the steps from the store to an evaluation.
#
# Slow results are cached under keys that list everything they depend on.

CLUSTERS: tuple[RegionKind, ...] = ("cluster", "cluster_projection")


@dataclass(frozen=True, slots=True)
class ScoringCase:
    """Everything that identifies one version's scores, before anything large is loaded."""

    row: VersionRow
    core: CoreSet
    core_hash: str
    embedding: Embedding
    projection_id: str | None
    topic_state: str = ""
    """Changes with the topic's texts: scores don't depend on them, displayed texts do."""

    @property
    def depends_on(self) -> tuple[str, ...]:
        return (
            self.row.version.query_id,
            self.row.retrieved_hash or "",
            self.core_hash,
            self.embedding.fingerprint,
            self.projection_id or "",
        )

    @property
    def state(self) -> str:
        return key_for("view", *self.depends_on, self.topic_state)

    def load(self, store: Store, catalogue: VectorCatalogue) -> tuple[Scene, Ids]:
        return load_scene(
            store,
            catalogue,
            query_id=self.row.version.query_id,
            core=self.core,
            embedding=self.embedding,
            projection_id=self.projection_id,
        )


def cluster_key(case: ScoringCase, kind: RegionKind, settings: EvaluationSettings) -> str:
    """Return the cache key of a cluster sweep. It depends on few settings, so it survives changes of the others."""
    of_settings = (settings.min_core_share, settings.max_k, settings.seed, settings.compat)
    of_landscape = case.projection_id if kind == "cluster_projection" else None
    return key_for(kind, *replace(case, projection_id=of_landscape).depends_on, *of_settings)


def _cluster(
    store: Store, case: ScoringCase, scene: Scene, settings: EvaluationSettings, kind: RegionKind, on_stage: OnStage
) -> Fit:
    """Return a cluster fit from the cache, or compute and cache it: a sweep takes seconds."""
    key = cluster_key(case, kind, settings)
    if kept := store.recall(key):
        return decode_cluster(*kept)
    watched = replace(scene, on_step=on_stage("splitting into clusters"))
    fit = fit_regions(watched, settings, (kind,))[kind]
    with suppress(DiskFullError):  # scores are returned even if they can't be cached; the evaluation warns
        store.remember(key, kind, *encode_cluster(fit))
    return fit


def score(
    store: Store,
    case: ScoringCase,
    scene: Scene,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind],
    *,
    intervals: bool = False,
    on_stage: OnStage = silent,
) -> Evaluation:
    """Score a loaded version; cached cluster fits are reused."""
    known = {kind: _cluster(store, case, scene, settings, kind, on_stage) for kind in regions if kind in CLUSTERS}
    if intervals:
        on_stage("resampling the core set")
    return evaluate_scene(
        scene,
        topic_id=case.core.topic_id,
        query_id=case.row.version.query_id,
        settings=settings,
        regions=regions,
        known=known,
        sensitivity=sensitivity(scene, regions, settings) if intervals else {},
    )


def remembered_keys(store: Store, keys: Sequence[str]) -> frozenset[str]:
    """Return the keys that have a cached result, without loading any."""
    asked = {"keys": list(keys)}
    found = store.rows("SELECT key FROM remembered WHERE key IN (SELECT unnest($keys::VARCHAR[]))", asked)
    return frozenset(key for (key,) in found)


def evaluation_key(
    case: ScoringCase, settings: EvaluationSettings, regions: Sequence[RegionKind], *, intervals: bool = False
) -> str:
    return key_for("evaluation", *case.depends_on, settings_key(settings), *regions, intervals)


def recalled_score(
    store: Store,
    case: ScoringCase,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind],
    *,
    intervals: bool = False,
) -> Evaluation | None:
    kept = store.recall(evaluation_key(case, settings, regions, intervals=intervals))
    return decode_evaluation(kept[0], kept[1]) if kept and kept[1] is not None else None


def remembered_score(
    store: Store,
    catalogue: VectorCatalogue,
    case: ScoringCase,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind],
    *,
    intervals: bool = False,
    on_stage: OnStage = silent,
) -> Evaluation:
    """Score a version; a repeated request is answered from the store."""
    if known := recalled_score(store, case, settings, regions, intervals=intervals):
        return known
    scene, _ = case.load(store, catalogue)
    evaluation = score(store, case, scene, settings, regions, intervals=intervals, on_stage=on_stage)
    try:
        key = evaluation_key(case, settings, regions, intervals=intervals)
        store.remember(key, "evaluation", *encode_evaluation(evaluation))
    except DiskFullError:
        return replace(evaluation, warnings=(*evaluation.warnings, "no disk space left to cache this result"))
    return evaluation


def score_on_points(
    store: Store,
    catalogue: VectorCatalogue,
    case: ScoringCase,
    points: Projection,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind],
    *,
    intervals: bool = False,
    on_stage: OnStage = silent,
) -> Evaluation:
    """Score a version on external coordinates instead of the topic's landscape. Only clusters are cached."""
    loaded, _ = case.load(store, catalogue)
    scene = loaded.on(points)
    placed = replace(case, projection_id=points.projection_id)
    return score(store, placed, scene, settings, regions, intervals=intervals, on_stage=on_stage)


# One query version for interactive use: loaded once, then scored under any settings in milliseconds.
#
# Only what a changed setting affects is fitted again. Cluster sweeps take seconds, so they are only looked up here;
# `fit_clusters` computes them.

SHARES = tuple(share / 100 for share in range(50, 100, 5))
"""Core shares computed in one sweep, so that moving the slider waits only once."""
MOST_FITS = 64


@dataclass(frozen=True, slots=True)
class Neighbour:
    publication_id: str
    similarity: float


@dataclass(frozen=True, eq=False)
class VersionView:
    """A version with its vectors and points, and the regions fitted for it so far."""

    case: ScoringCase
    scene: Scene
    retrieved_ids: Ids
    landscape: Landscape
    _fits: OrderedDict[tuple[object, ...], Fit] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def recalled(self, kind: RegionKind, settings: EvaluationSettings) -> Fit | None:
        with self._lock:
            return self._fits.get(_fit_key(kind, settings))

    def keep(self, kind: RegionKind, settings: EvaluationSettings, fit: Fit) -> None:
        """Store a fit; the oldest are dropped."""
        with self._lock:
            self._fits[_fit_key(kind, settings)] = fit
            while len(self._fits) > MOST_FITS:
                self._fits.popitem(last=False)

    def fit(self, kind: RegionKind, settings: EvaluationSettings) -> Fit:
        """Return this region under these settings, fitted if unknown; that is fast for every kind except clusters."""
        known = self.recalled(kind, settings)
        if known is None:
            known = fit_regions(self.scene, settings, (kind,))[kind]
            # A slider passes through every threshold once: storing those fits would push out all others.
            if kind != "cosine":
                self.keep(kind, settings, known)
        return known

    def outlines(self) -> dict[RegionKind, Points]:
        drawn: dict[RegionKind, Points] = {}
        kinds: tuple[RegionKind, ...] = ("mvee", "hull")
        for kind in kinds:
            fit = self.fit(kind, EvaluationSettings())
            outline = fit.region.outline() if isinstance(fit, FittedRegion) else None
            if outline is not None:
                drawn[kind] = outline
        return drawn

    def nearest(self, publication_id: str, n: int = 10) -> tuple[Neighbour, ...]:
        """Return the publications with the highest cosine to this one, by their vectors and not by the picture."""
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
    of_kind: dict[str, tuple[object, ...]] = {
        "cosine": (settings,),
        "cluster": (settings.min_core_share, settings.max_k, settings.seed),
    }
    return (kind, settings.compat, *of_kind.get(kind, ()))


def view_of(case: ScoringCase, scene: Scene, retrieved_ids: Ids) -> VersionView:
    return VersionView(case, scene, retrieved_ids, lay_out(scene))


def evaluate_view(
    store: Store, view: VersionView, settings: EvaluationSettings, regions: Sequence[RegionKind]
) -> tuple[Evaluation, tuple[RegionKind, ...]]:
    """Score the regions that are available at once; also return the kinds that first need `fit_clusters`."""
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


def _needs_no_sweep(view: VersionView) -> bool:
    return len(view.scene.found_ids) < 2 or not len(view.scene.retrieved)


def _known_cluster(store: Store, view: VersionView, settings: EvaluationSettings) -> Fit | None:
    if _needs_no_sweep(view):
        return view.fit("cluster", settings)
    if known := view.recalled("cluster", settings):
        return known
    if kept := store.recall(cluster_key(view.case, "cluster", settings)):
        fit = decode_cluster(*kept)
        view.keep("cluster", settings, fit)
        return fit
    return None


def fit_clusters(store: Store, view: VersionView, settings: EvaluationSettings, on_stage: OnStage = silent) -> None:
    """Fit and cache the cluster of these settings and, from the same sweep, those of higher core shares."""
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
    """Return the settings with those reset that this region's sensitivity does not depend on."""
    if kind == "cosine":
        return replace(settings, min_core_share=0.7)
    return replace(settings, min_core_share=0.7, cosine_mode="leave_one_out", min_similarity=0.0, quantile=0.0)


def remembered_sensitivity(
    store: Store, view: VersionView, settings: EvaluationSettings, regions: Sequence[RegionKind], *, only_known: bool
) -> dict[RegionKind, Sensitivity]:
    """Return how much each region's scores vary with the core set. Each kind is cached separately."""
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
