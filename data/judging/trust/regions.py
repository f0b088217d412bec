"""What regions and core set say of the publications that a judge graded, where these belong to a topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.comparing.compare import REGION_LABELS
from core.judging.trust.regions import (
    CoreAgreement,
    RankCorrelation,
    RegionAgreement,
    core_agreement,
    rank_correlation,
    region_agreement,
)
from core.judging.types import Judged
from core.protocols import OnStage, silent
from core.regions import DEFAULT_REGIONS
from core.types import RegionKind
from data.collections.stored import TOPIC_PREFIX
from data.judging.keeping.runs import JudgeRunRow
from data.store import content_hash
from data.workspace import Workspace

T = TypeVar("T")
Place = tuple[str, str]
"""A topic and the label of one of its versions."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Which version of which topic a candidate belongs to."""

    query_id: str
    engine: str
    place: Place


@dataclass(frozen=True, eq=False)
class Decisions:
    """What is known of one version's publications."""

    place: Place
    embedder: str
    accepted: Mapping[RegionKind, Mapping[str, bool]]
    """By publication; regions that can't be fitted are missing."""
    undefined: Mapping[RegionKind, str]
    """Why."""
    similarity: Mapping[str, float]
    """To the core's centroid."""


@dataclass(frozen=True, eq=False)
class BesideRegions:
    """Grades beside regions, core set and similarity."""

    regions: Mapping[str, RegionAgreement]
    """By what the region is called."""
    core: CoreAgreement | None
    similarity: RankCorrelation | None
    notes: tuple[str, ...]


def places_of(workspace: Workspace, row: JudgeRunRow, judged: Sequence[Judged]) -> tuple[Placed, ...]:
    """Where candidates belong to a topic with a core set: as its version, or as what was searched in it."""
    with_core = {topic.topic_id: topic for topic in workspace.topics() if topic.n_core}
    searched = str(row.document.get("documents") or row.document.get("collection") or "")
    over = searched.removeprefix(TOPIC_PREFIX).strip() if searched.startswith(TOPIC_PREFIX) else None
    found: dict[tuple[str, str], Placed] = {}
    for each in judged:
        at = each.candidate.query_id, each.candidate.engine
        if at in found:
            continue
        topic, label = (over, at[0]) if over is not None else at
        if topic in with_core and any(version.version.label == label for version in with_core[topic].versions):
            found[at] = Placed(*at, (topic, label))
    return tuple(found.values())


def embedders_of(workspace: Workspace, placed: Sequence[Placed]) -> tuple[str, ...]:
    """Whose vectors cover every topic that is concerned."""
    topics = {each.place[0] for each in placed}
    cover = [set(topic.embedders) for topic in workspace.topics() if topic.topic_id in topics]
    return tuple(sorted(set.intersection(*cover))) if cover else ()


def state_of(workspace: Workspace, placed: Sequence[Placed], embedder: str) -> str:
    """Changes with everything that the decisions depend on."""
    store = workspace.store
    topics = dict.fromkeys(each.place[0] for each in placed)
    states = [part for topic in topics for part in (topic, store.topic_state(topic), store.core_hash(topic))]
    labels = sorted({f"{topic}\0{label}" for topic, label in (each.place for each in placed)})
    return content_hash([embedder, *states, *labels])


def decide(
    workspace: Workspace, placed: Sequence[Placed], embedder: str, *, on_stage: OnStage = silent
) -> tuple[Decisions, ...]:
    """Every region of every version, with the settings that are usual for these vectors. Slow the first time."""
    found = []
    for topic, label in dict.fromkeys(each.place for each in placed):
        on_stage(f"regions of {label} of {topic}")
        workspace.prepare(topic, embedder, on_stage=on_stage)
        evaluation = workspace.evaluate(topic, label, embedder=embedder, on_stage=on_stage)
        view = workspace.view(topic, label, embedder)
        accepted: dict[RegionKind, dict[str, bool]] = {}
        undefined: dict[RegionKind, str] = {}
        for kind in DEFAULT_REGIONS:
            scores = evaluation.regions[kind]
            if scores.relevant_mask is None:
                undefined[kind] = scores.status
            else:
                accepted[kind] = dict(zip(evaluation.scorable_ids, map(bool, scores.relevant_mask), strict=True))
        similar = dict(zip(view.landscape.ids, map(float, view.landscape.similarities), strict=True))
        found.append(Decisions((topic, label), embedder, accepted, undefined, similar))
    return tuple(found)


def core_beside(workspace: Workspace, judged: Sequence[Judged], placed: Sequence[Placed]) -> CoreAgreement | None:
    """Grades of the core beside the others; None: nothing belongs to a topic. Each publication of a query once."""
    topic_of = {(each.query_id, each.engine): each.place[0] for each in placed}
    core_of = {topic: set(workspace.store.load_core(topic).ids) for topic in dict.fromkeys(topic_of.values())}
    points: dict[tuple[str, str], int] = {}
    is_core: dict[tuple[str, str], bool] = {}
    for each, given, topic in _graded(judged, topic_of):
        at = each.candidate.query_id, each.candidate.doc_id
        if at not in points:
            points[at], is_core[at] = given, at[1] in core_of[topic]
    return core_agreement(list(points.values()), list(is_core.values())) if points else None


def beside_regions(
    workspace: Workspace, judged: Sequence[Judged], placed: Sequence[Placed], decided: Sequence[Decisions], *, cut: int
) -> BesideRegions:
    """Grades of the judge itself beside every region. A publication counts once for each version that retrieved it."""
    by_place = {each.place: each for each in decided}
    place_of = {(each.query_id, each.engine): each.place for each in placed}
    graded: dict[tuple[Place, str], int] = {}
    for each, given, place in _graded(judged, place_of):
        graded.setdefault((place, each.candidate.doc_id), given)
    regions: dict[str, RegionAgreement] = {}
    for kind in DEFAULT_REGIONS:
        pairs = [
            (points, decision)
            for (place, doc_id), points in graded.items()
            if (decision := by_place[place].accepted.get(kind, {}).get(doc_id)) is not None
        ]
        if pairs:
            regions[REGION_LABELS[kind]] = region_agreement([p for p, _ in pairs], [d for _, d in pairs], cut=cut)
    similar = {
        (place[0], doc_id): (points, by_place[place].similarity[doc_id])
        for (place, doc_id), points in graded.items()
        if doc_id in by_place[place].similarity
    }
    return BesideRegions(
        regions,
        core_beside(workspace, judged, placed),
        rank_correlation([float(p) for p, _ in similar.values()], [s for _, s in similar.values()]),
        _notes(graded, by_place, decided),
    )


def _graded(judged: Sequence[Judged], known: Mapping[tuple[str, str], T]) -> Iterator[tuple[Judged, int, T]]:
    """What the judge itself graded, with its grade and what is known of its query and engine."""
    for each in judged:
        at = known.get((each.candidate.query_id, each.candidate.engine))
        if at is not None and each.verdict is not None and each.verdict.points is not None:
            yield each, each.verdict.points, at


def _notes(
    graded: Mapping[tuple[Place, str], int], by_place: Mapping[Place, Decisions], decided: Sequence[Decisions]
) -> tuple[str, ...]:
    notes = []
    n_without = sum(doc_id not in by_place[place].similarity for place, doc_id in graded)
    if n_without:
        notes.append(f"{n_without:,} graded publications are left out: no vector, or not retrieved by the version")
    for each in decided:
        for kind, reason in each.undefined.items():
            notes.append(f"{each.place[1]} of {each.place[0]} has no {REGION_LABELS[kind]}: {reason}")
    return tuple(dict.fromkeys(notes))
