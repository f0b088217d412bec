"""All that is known by now of whether a judged run's judge can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.judge.judgments import Judged
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
    Measured,
    OtherJudge,
    PeopleSource,
    Placed,
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
"""What the grades are called that people gave in the judge's place."""


@dataclass(frozen=True, eq=False)
class Found:
    findings: Findings
    cut: int
    measured: Measured
    sources: Mapping[str, PeopleSource]
    """Whose grades there are: by collection, or `OVERRULED`."""
    source: str | None
    """The chosen one."""
    people: GradeAgreement | None
    others: tuple[OtherJudge, ...]
    """The run's own judge first."""
    judges: Judges | None
    placed: tuple[Placed, ...]
    embedders: tuple[str, ...]
    embedder: str | None
    decisions_key: str
    beside: BesideRegions | None
    """None: the regions were not computed."""

    @property
    def n_waiting(self) -> int:
        """Samples without an answer."""
        return self.measured.n_waiting


ScaleOf = Callable[[PeopleSource], Scale | None]
DecisionsOf = Callable[[str, Sequence[Placed], str], tuple[Decisions, ...] | None]


def found_of(
    workspace: Workspace,
    row: JudgeRunRow,
    judge: Judge,
    judged: Sequence[Judged],
    *,
    cut: int | None = None,
    source: str | None = None,
    embedder: str | None = None,
    scale_of: ScaleOf = lambda source: None,
    decisions_of: DecisionsOf = lambda key, placed, embedder: None,
) -> Found:
    """Nothing is asked. A source or an embedder that is not there, or none: the first that there is.

    `scale_of`: what people's values count as; None: as proposed. `decisions_of`: what regions decide, by the key, the
    places and the embedder that they depend on; None: not computed.
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
    return Found(findings, cut, came, sources, source, people, others, judges, placed, embedders, embedder, key, beside)


def usual_scale(judge: Judge, source: PeopleSource) -> Scale:
    """What people's values count as until somebody says otherwise."""
    if source.is_overruled:
        return {value: value for value in source.values}
    return suggested_scale(source.values, judge.rubric.points)
