"""What regions and similarity say of publications: taken from evaluations, so that it is what the app shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress

from core.comparing.compare import REGION_LABELS
from core.errors import InputError, NoCoreError, NotFoundError
from core.evaluate import Evaluation
from core.protocols import OnStage
from core.settings import EvaluationSettings
from core.types import Ids, RegionKind
from core.vectors import centroid, cosine
from data.vectors import Embedding
from data.workspace import Workspace

ROWS = 20_000
"""Vectors that are looked at together."""


@dataclass(frozen=True, eq=False)
class Judged:
    """Similarities and decisions. All empty where there are no vectors to judge by."""

    embedder: str | None = None
    similarities: Mapping[str, float] = field(default_factory=dict)
    """Cosine to the centre of the core."""
    accepted: Mapping[RegionKind, frozenset[str]] = field(default_factory=dict)
    """What each region accepts, for the regions that could be fitted."""
    scorable: frozenset[str] = frozenset()
    """What a region has judged at all: retrieved, with a vector."""
    why_not: str | None = None
    """Why nothing is said."""

    def verdict(self, kind: RegionKind, publication_id: str) -> bool | None:
        """Relevant or not; None where the region does not judge it."""
        if publication_id not in self.scorable:
            return None
        return publication_id in self.accepted.get(kind, frozenset())

    def relevant_by(self, publication_id: str) -> tuple[RegionKind, ...]:
        """The kinds of region that accept it."""
        return tuple(kind for kind, accepted in self.accepted.items() if publication_id in accepted)


def judge(
    workspace: Workspace,
    topic_id: str,
    ids: Ids,
    labels: Sequence[str],
    *,
    embedder: str | None,
    settings: EvaluationSettings,
    regions: Sequence[RegionKind],
    asked: RegionKind | None,
    every_version: bool,
    is_needed: bool,
    on_stage: OnStage,
) -> Judged:
    """What is said of these publications by the regions of these versions.

    Several versions: a region accepts what it accepts in any of them, or with `every_version` in each of them.
    `asked`: the region that must be there.
    """
    try:
        core = workspace.store.load_core(topic_id)
        embedding = workspace.embedding(topic_id, embedder)
    except (NotFoundError, InputError) as e:
        if is_needed or (embedder is not None and not isinstance(e, NoCoreError)):
            raise
        return Judged(why_not=str(e))
    evaluations = [
        workspace.evaluate(
            topic_id, label, embedder=embedding.embedder, settings=settings, regions=regions, on_stage=on_stage
        )
        for label in labels
    ]
    accepted = _accepted(evaluations, regions, every_version=every_version)
    if asked is not None and evaluations and asked not in accepted:
        reason = evaluations[0].regions[asked].status
        raise InputError(f"{REGION_LABELS[asked]} can't say what is relevant: {reason}. Choose another region")
    return Judged(
        embedder=embedding.embedder,
        similarities=_similarities(workspace, embedding, ids, core.ids),
        accepted=accepted,
        scorable=frozenset().union(*(evaluation.scorable_ids for evaluation in evaluations)),
    )


def _similarities(workspace: Workspace, embedding: Embedding, ids: Ids, core_ids: Ids) -> dict[str, float]:
    """Cosine to the centre of the core; a publication without a vector has none, and none has one without a centre."""
    centre = centroid(core) if len(core := workspace.catalogue.load(embedding, core_ids).vectors) else None
    if centre is None or not centre.any():
        return {}
    similar: dict[str, float] = {}
    for start in range(0, len(ids), ROWS):
        embedded = workspace.catalogue.load(embedding, ids[start : start + ROWS])
        similar |= zip(embedded.ids, cosine(embedded.vectors, centre).tolist(), strict=True)
    return similar


def _accepted(
    evaluations: Sequence[Evaluation], regions: Sequence[RegionKind], *, every_version: bool
) -> dict[RegionKind, frozenset[str]]:
    accepted: dict[RegionKind, frozenset[str]] = {}
    for kind in regions:
        sets = [_relevant_ids(e, kind) for e in evaluations if e.regions[kind].relevant_mask is not None]
        if sets:
            accepted[kind] = frozenset.intersection(*sets) if every_version else frozenset().union(*sets)
    return accepted


def _relevant_ids(evaluation: Evaluation, kind: RegionKind) -> frozenset[str]:
    mask = evaluation.regions[kind].relevant_mask
    return frozenset() if mask is None else frozenset(compress(evaluation.scorable_ids, mask.tolist()))
