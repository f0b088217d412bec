"""All findings so far on whether a judged run's judge can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.judge.judgments import JudgedCandidate
from core.judge.reliability import (
    GradeAgreement,
    Judges,
    Scale,
    agreement_with_people,
    compare_judges,
    suggested_scale,
)
from core.judge.scores import default_cut
from core.judge.trust import Findings
from data.explore.workspace import Workspace
from data.judge.demo_judge import DEMO_MODEL
from data.judge.runs import Judge, JudgeRunRow
from data.judge.trust import (
    BesideRegions,
    Decisions,
    OtherJudge,
    PeopleSource,
    ProbeResults,
    RankingPlace,
    beside_regions,
    core_beside,
    embedders_of,
    graded_twice,
    judges_of,
    measured,
    people_sources,
    places_of,
    state_of,
)
from data.store import content_hash

OVERRULED = "overruled"
"""Name of the grades with which people overruled the judge."""


@dataclass(frozen=True, eq=False)
class TrustReport:
    findings: Findings
    cut: int
    measured: ProbeResults
    sources: Mapping[str, PeopleSource]
    """Sources of human grades: by collection, or `OVERRULED`."""
    source: str | None
    """The selected source."""
    people: GradeAgreement | None
    others: tuple[OtherJudge, ...]
    """The run's own judge comes first."""
    judges: Judges | None
    placed: tuple[RankingPlace, ...]
    embedders: tuple[str, ...]
    embedder: str | None
    decisions_key: str
    beside: BesideRegions | None
    """None: the regions were not computed."""

    @property
    def n_waiting(self) -> int:
        """Number of samples without an answer."""
        return self.measured.n_waiting


ScaleOf = Callable[[PeopleSource], Scale | None]
DecisionsOf = Callable[[str, Sequence[RankingPlace], str], tuple[Decisions, ...] | None]


def found_of(
    workspace: Workspace,
    row: JudgeRunRow,
    judge: Judge,
    judged: Sequence[JudgedCandidate],
    *,
    cut: int | None = None,
    source: str | None = None,
    embedder: str | None = None,
    scale_of: ScaleOf = lambda source: None,
    decisions_of: DecisionsOf = lambda key, placed, embedder: None,
) -> TrustReport:
    """Collect the findings without any request. An unknown or missing source or embedder becomes the first available.

    `scale_of`: maps human values to grades; None: as proposed. `decisions_of`: returns decisions of regions, given
    their cache key, places and embedder; None: not computed.
    """
    store = workspace.store
    cut = default_cut(judge.rubric) if cut is None else cut
    came = measured(store, row.run_id, judge, judged)
    sources = {each.collection or OVERRULED: each for each in people_sources(store, row.run_id, judged)}
    source = source if source in sources else next(iter(sources), None)
    people = None
    if source is not None:
        scale = scale_of(sources[source])
        scale = usual_scale(judge, sources[source]) if scale is None else scale
        people = agreement_with_people(graded_twice(store, row.run_id, judged, sources[source]), scale, cut=cut)
    others = judges_of(store, judge, judged)
    judges = None
    if len(others) > 1:
        query_of = {each.triple_key: each.candidate.query_id for each in judged}
        judges = compare_judges({each.name: each.grades for each in others}, query_of)
    placed = places_of(workspace, row, judged)
    embedders = embedders_of(workspace, placed)
    embedder = embedder if embedder in embedders else next(iter(embedders), None)
    key = content_hash(["decisions", state_of(workspace, placed, embedder)]) if embedder else ""
    decided = decisions_of(key, placed, embedder) if embedder else None
    beside = None if decided is None else beside_regions(workspace, judged, placed, decided, cut=cut)
    core = beside.core if beside is not None else core_beside(workspace, judged, placed)
    findings = Findings(
        lowest=judge.rubric.points[0],
        highest=judge.rubric.points[-1],
        shown_factor=judge.rubric.shown_factor,
        people=people,
        people_source="" if source is None else sources[source].label,
        people_biased=source is not None and sources[source].is_overruled,
        people_made_up=source is not None and sources[source].made_up,
        repeats=came.repeats,
        shifts=came.shifts,
        judges=judges,
        judges_one_model=len({each.judge.settings.model for each in others}) == 1,
        regions={} if beside is None else beside.regions,
        core=core,
        similarity=None if beside is None else beside.similarity,
        is_model=judge.settings.model != DEMO_MODEL,
    )
    return TrustReport(
        findings, cut, came, sources, source, people, others, judges, placed, embedders, embedder, key, beside
    )


def usual_scale(judge: Judge, source: PeopleSource) -> Scale:
    """Return the default mapping of human values to grades."""
    if source.is_overruled:
        return {value: value for value in source.values}
    return suggested_scale(source.values, judge.rubric.points)
