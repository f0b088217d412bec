"""One query version to be scored: what its scores depend on, and the way from the store to an evaluation.

Slow results are remembered under keys that name everything they depend on.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from core.errors import DiskFullError
from core.evaluate import Evaluation, evaluate_scene, fit_regions
from core.protocols import OnStage, silent
from core.regions.base import Fit, Scene
from core.resampling import sensitivity
from core.settings import EvaluationSettings
from core.types import CoreSet, RegionKind
from data.memory import (
    decode_cluster,
    decode_evaluation,
    encode_cluster,
    encode_evaluation,
    key_for,
    settings_key,
)
from data.scenes import LoadedVersion, load_scene
from data.store import Store, VersionRow
from data.vectors import Embedding, VectorCatalogue

CLUSTERS: tuple[RegionKind, ...] = ("cluster", "cluster_projection")


@dataclass(frozen=True, slots=True)
class Case:
    """Everything that names one version's scores, before anything large is loaded."""

    row: VersionRow
    core: CoreSet
    core_hash: str
    embedding: Embedding
    projection_id: str | None
    topic_state: str = ""
    """Changes with the topic's texts: scores don't depend on them, what is shown does."""

    @property
    def depends_on(self) -> tuple[str, ...]:
        """What any score of this version depends on, settings aside."""
        return (
            self.row.version.query_id,
            self.row.retrieved_hash or "",
            self.core_hash,
            self.embedding.fingerprint,
            self.projection_id or "",
        )

    @property
    def state(self) -> str:
        """One word for all of that."""
        return key_for("view", *self.depends_on, self.topic_state)

    def load(self, store: Store, catalogue: VectorCatalogue) -> LoadedVersion:
        """The version with its vectors and its place on the landscape."""
        return load_scene(
            store,
            catalogue,
            query_id=self.row.version.query_id,
            core=self.core,
            embedding=self.embedding,
            projection_id=self.projection_id,
        )


def cluster_key(case: Case, kind: RegionKind, settings: EvaluationSettings) -> str:
    """Under which a cluster sweep is remembered: it depends on few settings, so it outlives a change of the others."""
    of_settings = (settings.min_core_share, settings.max_k, settings.seed, settings.compat)
    of_landscape = case.projection_id if kind == "cluster_projection" else None
    return key_for(kind, *replace(case, projection_id=of_landscape).depends_on, *of_settings)


def _cluster(
    store: Store, case: Case, scene: Scene, settings: EvaluationSettings, kind: RegionKind, on_stage: OnStage
) -> Fit:
    """A cluster sweep takes seconds, so it is remembered."""
    key = cluster_key(case, kind, settings)
    if kept := store.recall(key):
        return decode_cluster(*kept)
    watched = replace(scene, on_step=on_stage("splitting into clusters"))
    fit = fit_regions(watched, settings, (kind,))[kind]
    with suppress(DiskFullError):  # the scores are worth more than their memory; the evaluation says so
        store.remember(key, kind, *encode_cluster(fit))
    return fit


def score(
    store: Store,
    case: Case,
    scene: Scene,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind],
    *,
    intervals: bool = False,
    on_stage: OnStage = silent,
) -> Evaluation:
    """Score a version that is loaded; cluster fits are taken over where they are known."""
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
    """Those of these keys that there is a result for, without loading any."""
    asked = {"keys": list(keys)}
    found = store.rows("SELECT key FROM remembered WHERE key IN (SELECT unnest($keys::VARCHAR[]))", asked)
    return frozenset(key for (key,) in found)


def evaluation_key(
    case: Case, settings: EvaluationSettings, regions: Sequence[RegionKind], *, intervals: bool = False
) -> str:
    """Under which an evaluation is remembered."""
    return key_for("evaluation", *case.depends_on, settings_key(settings), *regions, intervals)


def recalled_score(
    store: Store,
    case: Case,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind],
    *,
    intervals: bool = False,
) -> Evaluation | None:
    """A version's scores, if they are remembered."""
    kept = store.recall(evaluation_key(case, settings, regions, intervals=intervals))
    return decode_evaluation(kept[0], kept[1]) if kept and kept[1] is not None else None


def remembered_score(
    store: Store,
    catalogue: VectorCatalogue,
    case: Case,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind],
    *,
    intervals: bool = False,
    on_stage: OnStage = silent,
) -> Evaluation:
    """Score a version; the same question is answered from the store the second time."""
    if known := recalled_score(store, case, settings, regions, intervals=intervals):
        return known
    scene = case.load(store, catalogue).scene
    evaluation = score(store, case, scene, settings, regions, intervals=intervals, on_stage=on_stage)
    try:
        key = evaluation_key(case, settings, regions, intervals=intervals)
        store.remember(key, "evaluation", *encode_evaluation(evaluation))
    except DiskFullError:
        return replace(evaluation, warnings=(*evaluation.warnings, "no room left to remember this result"))
    return evaluation
