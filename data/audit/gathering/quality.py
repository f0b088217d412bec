"""What a quality report is built from: the versions scored with ranges, their rows, their core and their terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256

import numpy as np

from core.audit.quality.summary import EmbedderFacts, LandscapeFacts, QualityFacts, VersionFacts
from core.comparing.compare import Comparison, Entrant, Pair, compare
from core.errors import InputError
from core.evaluate import Evaluation, evaluate
from core.projection import TWINS, Honesty, Landscape, lay_out
from core.protocols import OnStage, silent
from core.regions import REGIONS
from core.regions.base import Scene, Undefined
from core.settings import EvaluationSettings
from core.types import EmbeddedSet, Ids, Points, RegionKind, RetrievedSet
from data.audit.gathering.quality_rows import rows_of
from data.audit.gathering.quality_text import desk_of, read_text
from data.desk import Desk
from data.lookup import check_topic
from data.store import VersionRow
from data.vectors import Embedding
from data.versions.comparing import comparability, compare_in_full
from data.workspace import Workspace

QUICK_TWINS = tuple(pair for pair in TWINS if "cluster" not in pair)
NO_VECTORS = EmbedderFacts("", "", 0, fitted_here=False)
"""There is no embedder that could score anything."""


@dataclass(frozen=True, eq=False)
class _Scored:
    """A version with its scores and all that they were made from."""

    row: VersionRow
    evaluation: Evaluation
    scene: Scene
    landscape: Landscape
    retrieved_ids: Ids
    outlines: dict[RegionKind, Points]


def gather_quality(
    workspace: Workspace,
    topic_id: str,
    labels: Sequence[str],
    *,
    embedder: str | None = None,
    settings: EvaluationSettings | None = None,
    on_stage: OnStage = silent,
) -> QualityFacts:
    """Everything known about these versions; what is slow is remembered, so the second time it is quick.

    A topic without vectors is reported all the same: what was found of the core needs none.
    """
    check_topic(workspace.store, topic_id)
    if not labels:
        raise InputError("a quality report needs at least one version: name it with --version LABEL")
    if repeated := [label for label in dict.fromkeys(labels) if labels.count(label) > 1]:
        raise InputError(f"a version is reported once: {', '.join(repeated)} is named more than once")
    embedding = _embedding(workspace, topic_id, embedder)
    asked = settings or EvaluationSettings()
    resolved = asked.resolved(embedding.embedder if embedding else "")
    if embedding is None:
        scored = [_without_vectors(workspace, topic_id, label, resolved) for label in labels]
    else:
        scored = [_with_vectors(workspace, topic_id, label, embedding, resolved, on_stage) for label in labels]
    comparison, why_not = _comparison(workspace, topic_id, scored, embedding, resolved, on_stage)
    on_stage("explaining what is found and missed")
    desk = desk_of(workspace, topic_id, embedding, resolved)
    versions = [_version(workspace, each, desk) for each in scored]
    summary = next(topic for topic in workspace.store.topics() if topic.topic_id == topic_id)
    searched = workspace.corpora.searched(topic_id)
    projection_id = scored[-1].scene.projection.projection_id if scored[-1].scene.projection else None
    return QualityFacts(
        topic_id=topic_id,
        made_up=summary.made_up,
        core_hash=workspace.store.core_hash(topic_id),
        corpus_hash=searched.state,
        n_corpus=searched.n,
        embedder=_embedder_facts(workspace, topic_id, embedding),
        landscape=_landscape_facts(workspace, projection_id),
        honesty=_honesty(workspace, topic_id, embedding, projection_id),
        changed_decisions=_changed(scored[-1], resolved),
        versions=tuple(versions),
        comparison=comparison,
        notes=(*_notes(scored, comparison.pairs if comparison else ()), *why_not),
    )


def _embedding(workspace: Workspace, topic_id: str, embedder: str | None) -> Embedding | None:
    """None: nothing was asked for, and nothing covers the topic."""
    if embedder is None and not any(found.covers for found in workspace.catalogue.coverage(topic_id)):
        return None
    return workspace.embedding(topic_id, embedder)


def _with_vectors(
    workspace: Workspace,
    topic_id: str,
    label: str,
    embedding: Embedding,
    settings: EvaluationSettings,
    on_stage: OnStage,
) -> _Scored:
    with_ranges = settings.compat is None  # published scores have none
    evaluation = workspace.evaluate(
        topic_id, label, embedder=embedding.embedder, settings=settings, intervals=with_ranges, on_stage=on_stage
    )
    view = workspace.view(topic_id, label, embedding.embedder)
    outlines = view.outlines() if view.scene.projection is not None and len(view.scene.retrieved) else {}
    return _Scored(view.case.row, evaluation, view.scene, view.landscape, view.retrieved_ids, outlines)


def _without_vectors(workspace: Workspace, topic_id: str, label: str, settings: EvaluationSettings) -> _Scored:
    row = workspace.version(topic_id, label)
    core = workspace.store.load_core(topic_id)
    retrieved = RetrievedSet.of(row.version.query_id, workspace.store.load_retrieved_ids(row.version.query_id))
    nothing = EmbeddedSet((), np.zeros((0, 2), dtype=np.float32), "")
    scene = Scene.of(retrieved, core, nothing)
    evaluation = evaluate(retrieved, core, nothing, settings=settings)
    return _Scored(row, evaluation, scene, lay_out(scene), retrieved.ids, {})


def _comparison(
    workspace: Workspace,
    topic_id: str,
    scored: Sequence[_Scored],
    embedding: Embedding | None,
    settings: EvaluationSettings,
    on_stage: OnStage,
) -> tuple[Comparison | None, Ids]:
    """Every pair of versions with its ranges; and why there is none where one was to be expected."""
    if len(scored) < 2:
        return None, ()
    if settings.compat:
        return None, ("versions are not compared: compat reproduces the published scores of one version",)
    labels = [each.row.version.label for each in scored]
    if embedding is not None:
        found = compare_in_full(
            workspace, topic_id, labels, embedder=embedding.embedder, settings=settings, on_stage=on_stage
        )
        return found, ()
    entrants = [
        Entrant(label, each.scene, each.retrieved_ids, each.evaluation, each.row.corpus_state)
        for label, each in zip(labels, scored, strict=True)
    ]
    return compare(entrants, settings=settings), ()


def _version(workspace: Workspace, scored: _Scored, desk: Desk) -> VersionFacts:
    row, version = scored.row, scored.row.version
    read = read_text(workspace, desk, scored.row, scored.scene)
    scorable = set(scored.scene.retrieved.ids)
    return VersionFacts(
        label=version.label,
        number=version.number,
        name=version.name,
        note=version.note,
        made_at=version.made_at,
        text=version.text,
        dialect=version.dialect,
        semantics=version.semantics,
        origin=version.origin,
        retrieved_hash=row.retrieved_hash or "",
        n_searched=row.n_searched,
        evaluation=scored.evaluation,
        rows=rows_of(workspace.store, scored.scene, scored.landscape, scored.evaluation, scored.outlines),
        core=read.core,
        terms=read.terms,
        findings=read.findings,
        unscored_ids=tuple(i for i in scored.retrieved_ids if i not in scorable),
    )


def _embedder_facts(workspace: Workspace, topic_id: str, embedding: Embedding | None) -> EmbedderFacts:
    if embedding is None:
        return NO_VECTORS
    return EmbedderFacts(
        embedder=embedding.embedder,
        fingerprint=_fingerprint(workspace, topic_id, embedding),
        n_dimensions=embedding.n_dimensions,
        fitted_here=embedding.topic_id is not None,
    )


def _fingerprint(workspace: Workspace, topic_id: str, embedding: Embedding) -> str:
    """The same wherever the model gives the same vectors to the topic's publications."""
    embedded = workspace.catalogue.load(embedding, sorted(workspace.store.topic_publication_ids(topic_id)))
    digest = sha256("\0".join((embedding.embedder, *embedded.ids)).encode(errors="surrogatepass"))
    digest.update(embedded.vectors.astype("<f4").tobytes())
    return digest.hexdigest()[:16]


def _landscape_facts(workspace: Workspace, projection_id: str | None) -> LandscapeFacts | None:
    if projection_id is None:
        return None
    return LandscapeFacts(projection_id, asdict(workspace.landscapes.settings(projection_id)))


def _honesty(
    workspace: Workspace, topic_id: str, embedding: Embedding | None, projection_id: str | None
) -> Honesty | None:
    if embedding is None or projection_id is None:
        return None
    try:
        return workspace.honesty(topic_id, embedding.embedder)
    except InputError:  # too few publications for such figures
        return None


def _changed(scored: _Scored, settings: EvaluationSettings) -> dict[RegionKind, int]:
    """As `core.projection.changed_decisions`, without the clusters, whose sweeps take long."""
    scene = scored.scene
    if scene.projection is None or not len(scene.retrieved):
        return {}
    changed: dict[RegionKind, int] = {}
    for on_landscape, in_embedding in QUICK_TWINS:
        seen, true = REGIONS[on_landscape](scene, settings), REGIONS[in_embedding](scene, settings)
        if not isinstance(seen, Undefined) and not isinstance(true, Undefined):
            changed[on_landscape] = int(np.count_nonzero(seen.relevant_mask != true.relevant_mask))
    return changed


def _notes(scored: Sequence[_Scored], pairs: Sequence[Pair]) -> Ids:
    return comparability([each.row for each in scored], pairs).notes if len(scored) > 1 else ()
