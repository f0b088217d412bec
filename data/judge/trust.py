"""Test a judge: repeated and changed samples, other judges, people, and regions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from core.collections import Query
from core.errors import InputError, SettingsError
from core.explore.regions import DEFAULT_REGIONS, REGION_LABELS
from core.judge.judgments import JudgeCandidate, JudgedCandidate, JudgeField, Triple
from core.judge.reliability import (
    Consistency,
    CoreAgreement,
    GradePair,
    RegionAgreement,
    RepeatedTriple,
    consistency,
    core_agreement,
    rank_correlation,
    region_agreement,
)
from core.judge.trust import (
    ABOUT,
    CHANGES,
    DEMANDS,
    Change,
    GradeBeforeAfter,
    Shift,
    demanding,
    has_room,
    made_longer,
    shift_of,
    swapped,
    swapped_query,
)
from core.knowledge.synthesis_steps import TokenPrice
from core.protocols import JsonModel, OnStage, silent
from core.stats import Estimate
from core.types import RegionKind
from data.collections import TOPIC_PREFIX
from data.explore.workspace import Workspace
from data.judge.export import ORIGIN
from data.judge.plan import JudgePlan, plan
from data.judge.runner import JudgeRunSummary, judge_run
from data.judge.runs import (
    SAMPLE,
    Judge,
    JudgeRunRow,
    last_answers,
    list_judge_runs,
    load_field,
    load_judge,
    save_run,
    triple_key,
    triple_of,
)
from data.judge.services import open_judge_model
from data.store import Store, content_hash

# Human grades next to those of a judge: judgments of a collection, or overruled grades.


@dataclass(frozen=True, slots=True)
class PeopleSource:
    collection: str | None
    """None: overruled grades."""
    label: str
    n: int
    """Publications graded by both."""
    values: Mapping[int, int]
    """Frequency of each value, on the people's own scale."""
    note: str = ""
    """Remark for the user."""
    made_up: bool = False
    """True: made by a script together with the texts."""

    @property
    def is_overruled(self) -> bool:
        """True: only grades that someone reviewed and changed, which is not a fair sample."""
        return self.collection is None


OVERRULED_NOTE = (
    "Only overruled grades are compared, and most of those looked wrong: true agreement is higher than this."
)
MADE_UP = "This collection and its judgments are synthetic: no person gave them."
ONLY_POSITIVE = (
    "All judgments are positive: unmarked publications are unknown, so agreement can't be separated "
    "from generous grading."
)


def people_sources(store: Store, run_id: str, judged: Sequence[JudgedCandidate]) -> tuple[PeopleSource, ...]:
    """Return collections with judgments of the same queries and publications, most first; then overruled grades.

    Queries are the same if their ids and words are. Collections made of a judge's grades are left out.
    """
    found: dict[str, Counter[int]] = {}
    made_up: set[str] = set()
    for collection, is_made_up, value, n in store.rows(_COUNTS, {"run": run_id, "made": ORIGIN}):
        found.setdefault(collection, Counter())[value] = n
        made_up |= {collection} if is_made_up else set()
    sources = [
        PeopleSource(
            name,
            f'judgments of "{name}"',
            values.total(),
            dict(sorted(values.items())),
            _note(values, name in made_up),
            name in made_up,
        )
        for name, values in found.items()
    ]
    sources.sort(key=lambda source: (-source.n, source.label))
    values = Counter(pair.human for pair in _overruled(judged))
    if values:
        sources.append(
            PeopleSource(None, "overruled grades", values.total(), dict(sorted(values.items())), OVERRULED_NOTE)
        )
    return tuple(sources)


def _note(values: Mapping[int, int], is_made_up: bool) -> str:
    parts = [MADE_UP] if is_made_up else []
    return " ".join([*parts, ONLY_POSITIVE] if len(values) == 1 and min(values) > 0 else parts)


def graded_twice(
    store: Store, run_id: str, judged: Sequence[JudgedCandidate], source: PeopleSource
) -> tuple[GradePair, ...]:
    """Pair the grades of judge and people. The judge's own grade is used even if it was overruled."""
    if source.collection is None:
        return _overruled(judged)
    human = values_of(store, run_id, source.collection)
    pairs: dict[tuple[str, str], GradePair] = {}
    for each in judged:
        at = each.candidate.query_id, each.candidate.doc_id
        if at in human and at not in pairs and each.verdict is not None and each.verdict.points is not None:
            pairs[at] = GradePair(at[0], each.verdict.points, human[at], each.triple_key)
    return tuple(pairs.values())


def values_of(store: Store, run_id: str, collection: str) -> dict[tuple[str, str], int]:
    """Return the human values in a collection, on their own scale, by query and publication of a run."""
    found = store.rows(_VALUES, {"run": run_id, "collection": collection})
    return {(query_id, doc_id): value for query_id, doc_id, value in found}


def _overruled(judged: Sequence[JudgedCandidate]) -> tuple[GradePair, ...]:
    pairs: dict[str, GradePair] = {}
    for each in judged:
        person = each.overruled.points if each.overruled is not None else None
        if person is not None and each.verdict is not None and each.verdict.points is not None:
            key = each.triple_key
            pairs[key] = GradePair(each.candidate.query_id, each.verdict.points, person, key)
    return tuple(pairs.values())


_COUNTS = """
    WITH asked AS (
        SELECT DISTINCT c.query_id, c.doc_id, q.text
        FROM judge_run_candidates AS c JOIN judge_run_queries AS q ON q.run_id = c.run_id AND q.query_id = c.query_id
        WHERE c.run_id = $run
    )
    SELECT j.collection, owner.made_up, j.relevance, count(DISTINCT (j.query_id, j.doc_id))
    FROM collection_judgments AS j
    JOIN asked ON asked.query_id = j.query_id AND asked.doc_id = j.doc_id
    JOIN collection_queries AS q ON q.collection = j.collection AND q.query_id = j.query_id AND q.text = asked.text
    JOIN collections AS owner ON owner.name = j.collection AND NOT starts_with(owner.origin, $made)
    GROUP BY j.collection, owner.made_up, j.relevance ORDER BY j.collection, j.relevance
"""
_VALUES = """
    SELECT j.query_id, j.doc_id, arg_max(j.relevance, j.position)
    FROM collection_judgments AS j
    JOIN collection_queries AS q ON q.collection = j.collection AND q.query_id = j.query_id
    JOIN judge_run_queries AS asked ON asked.run_id = $run AND asked.query_id = j.query_id AND asked.text = q.text
    WHERE j.collection = $collection
    GROUP BY j.query_id, j.doc_id
"""


# Other judges that graded the same triples, in any run.

ORDERS = {"score_first": "grade first", "reason_first": "reason first"}
MOST_JUDGES = 8


@dataclass(frozen=True, eq=False)
class OtherJudge:
    judge_key: str
    name: str
    judge: Judge
    grades: Mapping[str, int]
    """Grade of each triple."""


def judges_of(store: Store, judge: Judge, judged: Sequence[JudgedCandidate]) -> tuple[OtherJudge, ...]:
    """Return the run's own judge, and those with the same grades in their rubric, by number of shared triples.

    Repeated runs of the same judge are not another judge.
    """
    keys = list(dict.fromkeys(each.triple_key for each in judged))
    found = store.rows(
        """
        SELECT judge_key, count(DISTINCT triple_key) AS n FROM judge_answers
        WHERE triple_key IN (SELECT unnest($keys::VARCHAR[])) AND points IS NOT NULL AND judge_key != $own
        GROUP BY judge_key ORDER BY n DESC, judge_key
        """,
        {"keys": keys, "own": judge.judge_key},
    )
    chosen, seen = [(judge.judge_key, judge)], {_once(judge)}
    for key, _ in found:
        other = load_judge(store, key)
        if other.rubric.points != judge.rubric.points or _once(other) in seen:
            continue
        seen.add(_once(other))
        chosen.append((key, other))
        if len(chosen) == MOST_JUDGES:
            break
    names = _names([each for _, each in chosen])
    return tuple(
        OtherJudge(key, name, each, _grades(store, key, keys)) for (key, each), name in zip(chosen, names, strict=True)
    )


def _once(judge: Judge) -> str:
    return replace(judge, settings=replace(judge.settings, repeat=0)).judge_key


def _grades(store: Store, judge_key: str, keys: Sequence[str]) -> dict[str, int]:
    found = store.rows(
        """
        SELECT triple_key, points FROM judge_answers
        WHERE judge_key = $judge AND triple_key IN (SELECT unnest($keys::VARCHAR[]))
        QUALIFY attempt = max(attempt) OVER (PARTITION BY triple_key)
        """,
        {"judge": judge_key, "keys": list(keys)},
    )
    return {key: points for key, points in found if points is not None}


def _names(judges: Sequence[Judge]) -> list[str]:
    names = [each.settings.model for each in judges]
    for more in (
        [ORDERS[each.settings.order] for each in judges],
        [each.rubric.name for each in judges],
        [f"temperature {each.settings.temperature:g}" for each in judges],
        [f"{number}" for number in range(1, len(judges) + 1)],
    ):
        taken = [name for name in names if names.count(name) > 1]
        same = {name for name in taken if len({m for n, m in zip(names, more, strict=True) if n == name}) > 1}
        names = [f"{name}, {m}" if name in same else name for name, m in zip(names, more, strict=True)]
    return names


# Runs that test a judge: samples of a run, repeated or deliberately changed.
#
# They are ordinary judged runs, so nothing is paid for twice and they can be resumed. Their document states their
# purpose; lists leave them out for it.

OF_RUN = "of run"
"""Label of their queries: the same sample of another run is another run."""
ProbeKind = Literal["repeat", Change]
KINDS: tuple[ProbeKind, ...] = ("repeat", *CHANGES)
NOTE = "a sample of another run, to see whether to believe its judge"
MOST_SAMPLED, MOST_REPEATS = 2_000, 9


def trust_runs(store: Store, run_id: str) -> tuple[JudgeRunRow, ...]:
    """Return the test runs of one run, newest first."""
    return tuple(row for row in list_judge_runs(store, samples=True) if about_trust(row).get("of") == run_id)


def about_trust(row: JudgeRunRow) -> Mapping[str, Any]:
    """Return the purpose of a test run: kind, of, n, seed, repeat; empty for any other run."""
    found = row.document.get(SAMPLE)
    return found if isinstance(found, Mapping) else {}


@dataclass(frozen=True, slots=True)
class ProbeSettings:
    kinds: tuple[ProbeKind, ...] = KINDS
    n: int = 50
    """Triples of each kind. Only the seed determines the draw, so a larger sample contains the smaller one."""
    n_repeats: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        if unknown := [kind for kind in self.kinds if kind not in KINDS]:
            raise SettingsError(f'no check "{unknown[0]}"; available: {", ".join(KINDS)}')
        if not 1 <= self.n <= MOST_SAMPLED:
            raise SettingsError(f"n must be from 1 to {MOST_SAMPLED:,}, got {self.n}")
        if not 1 <= self.n_repeats <= MOST_REPEATS:
            raise SettingsError(f"n_repeats must be from 1 to {MOST_REPEATS}, got {self.n_repeats}")


@dataclass(frozen=True, eq=False)
class Probe:
    kind: ProbeKind
    name: str
    judge: Judge
    field: JudgeField
    document: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Probes:
    probes: tuple[Probe, ...]
    n_graded: int
    """Distinct triples of the run with a grade by the judge, from which samples are drawn."""
    n_fit: Mapping[ProbeKind, int]
    """Number of triples that each kind can be applied to."""
    n_sampled: Mapping[ProbeKind, int]


@dataclass(frozen=True, slots=True)
class _Graded:
    key: str
    query: Query
    triple: Triple


def make_probes(
    row: JudgeRunRow, judge: Judge, field: JudgeField, judged: Sequence[JudgedCandidate], wish: ProbeSettings
) -> Probes:
    """Draw samples of graded triples and build their probes. Nothing is saved or sent yet."""
    graded = sorted(_graded(field, judged), key=lambda each: content_hash([str(wish.seed), each.key]))
    can_swap = {text for text in {each.query.text for each in graded} if swapped_query(text) is not None}
    roomy = {each.key for each in graded if has_room(each.triple)}
    made: list[Probe] = []
    n_fit: dict[ProbeKind, int] = {}
    n_sampled: dict[ProbeKind, int] = {}
    for kind in dict.fromkeys(wish.kinds):
        fit = [each for each in graded if _fits(kind, each, can_swap, roomy)]
        sample = [(each, _twins(kind, each.triple, judge)) for each in fit[: wish.n]]
        n_fit[kind], n_sampled[kind] = len(fit), len(sample)
        if not sample:
            continue
        made += [_probe(row, judge, kind, sample, wish, repeat) for repeat in _repeats(kind, wish)]
    return Probes(tuple(made), len(graded), n_fit, n_sampled)


def _repeats(kind: ProbeKind, wish: ProbeSettings) -> Sequence[int]:
    return range(1, wish.n_repeats + 1) if kind == "repeat" else (0,)


def _graded(field: JudgeField, judged: Sequence[JudgedCandidate]) -> list[_Graded]:
    query_of = {query.query_id: query for query in field.queries}
    found: dict[str, _Graded] = {}
    for each in judged:
        if each.verdict is not None and each.verdict.is_valid and each.triple_key not in found:
            query = query_of[each.candidate.query_id]
            found[each.triple_key] = _Graded(each.triple_key, query, triple_of(query, each.candidate))
    return list(found.values())


def _fits(kind: ProbeKind, graded: _Graded, can_swap: Collection[str], roomy: Collection[str]) -> bool:
    if kind == "repeat":
        return True
    return graded.query.text in can_swap if kind == "swapped" else graded.key in roomy


def _twins(kind: ProbeKind, triple: Triple, judge: Judge) -> dict[str, Triple]:
    if kind == "repeat":
        return {kind: triple}
    if kind == "longer" or kind == "swapped":
        twin = made_longer(triple) if kind == "longer" else swapped(triple)
        return {} if twin is None else {kind: twin}
    top = judge.rubric.grades[-1]
    made = {each.demand_id: demanding(triple, each, highest=top.points, name=top.name) for each in DEMANDS}
    return {name: twin for name, twin in made.items() if twin is not None}


def _probe(
    row: JudgeRunRow,
    judge: Judge,
    kind: ProbeKind,
    sample: Sequence[tuple[_Graded, dict[str, Triple]]],
    wish: ProbeSettings,
    repeat: int,
) -> Probe:
    """Build one probe. A candidate's id is the key of the original triple."""
    queries: dict[str, Query] = {}
    candidates: list[JudgeCandidate] = []
    for each, twins in sample:
        query_id = each.query.query_id
        for engine, twin in twins.items():
            queries[query_id] = Query(query_id, twin.query, ((OF_RUN, row.run_id),))
            candidates.append(JudgeCandidate(engine, query_id, 1, each.key, twin.title, twin.abstract))
    places = {query_id: place for place, query_id in enumerate(queries)}
    engines = {engine: place for place, engine in enumerate(dict.fromkeys(each.engine for each in candidates))}
    candidates.sort(key=lambda each: (engines[each.engine], places[each.query_id]))
    name = f"{row.name}: repeat {repeat}" if kind == "repeat" else f"{row.name}: {ABOUT[kind].label.lower()}"
    asked = replace(judge, settings=replace(judge.settings, repeat=judge.settings.repeat + repeat))
    about = {"kind": kind, "of": row.run_id, "n": wish.n, "seed": wish.seed, "repeat": repeat}
    kept = {key: row.document.get(key) for key in ("preset", "base_url", "n_workers", "per_minute")}
    field = JudgeField(name, tuple(queries.values()), _ranked(candidates), (NOTE,))
    return Probe(kind, name, asked, field, {SAMPLE: about, **kept})


def _ranked(candidates: Sequence[JudgeCandidate]) -> tuple[JudgeCandidate, ...]:
    n: dict[tuple[str, str], int] = {}
    ranked = []
    for each in candidates:
        at = n[each.engine, each.query_id] = n.get((each.engine, each.query_id), 0) + 1
        ranked.append(replace(each, rank=at))
    return tuple(ranked)


def plan_probes(
    store: Store,
    probes: Sequence[Probe],
    *,
    price: TokenPrice | None,
    n_workers: int = 16,
    per_minute: float | None = None,
    seconds_per_call: float | None = None,
) -> tuple[JudgePlan, ...]:
    """Estimate each probe; nothing is sent."""
    return tuple(
        plan(
            store,
            probe.judge,
            probe.field,
            price=price,
            n_workers=n_workers,
            per_minute=per_minute,
            seconds_per_call=seconds_per_call,
        )
        for probe in probes
    )


def open_model(row: JudgeRunRow, judge: Judge) -> JsonModel:
    """Open the model of a judged run at its stored address; raise an error if it is a different one now."""
    model = open_judge_model(
        row.settings.model, preset=row.document.get("preset"), base_url=row.document.get("base_url")
    )
    if model.fingerprint != judge.fingerprint:
        raise InputError(
            f'"{row.settings.model}" now has another address or other settings than when this was judged: restore '
            "the old setup, or judge again"
        )
    return model


def run_probes(
    store: Store,
    probes: Sequence[Probe],
    model: JsonModel,
    *,
    n_workers: int = 16,
    per_minute: float | None = None,
    on_stage: OnStage = silent,
) -> tuple[JudgeRunSummary, ...]:
    """Judge all probes without an answer. A stopped run is resumed by the next call."""
    done = []
    for probe in probes:
        on_stage(probe.name)
        run_id = save_run(store, probe.name, probe.judge, probe.field, probe.document)
        done.append(judge_run(store, run_id, model, n_workers=n_workers, per_minute=per_minute, on_stage=on_stage))
    return tuple(done)


# Results of repeated or changed samples.

Answers = dict[tuple[str, str], int | None]
"""Grade by engine and triple of the run; None: the judge gave none."""
Graded = Mapping[str, tuple[str, int]]
"""Query and grade, by triple."""


@dataclass(frozen=True, eq=False)
class ProbeResults:
    """Results of a run's probes. Missing: not measured."""

    repeats: Consistency | None
    shifts: Mapping[Change, Shift]
    by_demand: Mapping[str, Shift]
    """Shift for the demanded grade, by the form of the demand."""
    n_waiting: int
    """Triples without an answer, or with a service error."""


def measured(store: Store, run_id: str, judge: Judge, judged: Sequence[JudgedCandidate]) -> ProbeResults:
    """Compare the judge's grades of samples with those of the run itself; human grades are ignored."""
    before: Graded = {
        each.triple_key: (each.candidate.query_id, each.verdict.points)
        for each in judged
        if each.verdict is not None and each.verdict.points is not None
    }
    times: dict[int, dict[str, int | None]] = {}
    after: dict[Change, Answers] = {}
    waiting: set[tuple[str, str]] = set()
    for row in trust_runs(store, run_id):
        found, n_open = _answered(store, row)
        waiting |= n_open
        kind = about_trust(row).get("kind")
        if kind == "repeat":
            times.setdefault(row.settings.repeat, {}).update({key: points for (_, key), points in found.items()})
        elif kind in CHANGES:
            after.setdefault(kind, {}).update(found)
    ends = judge.rubric.points[0], judge.rubric.points[-1]
    return ProbeResults(
        _steadiness(before, times),
        {kind: _shift(after[kind], before, *ends) for kind in CHANGES if after.get(kind)},
        _by_demand(after.get("demanded", {}), before, *ends),
        len(waiting),
    )


def _shift(answers: Answers, before: Graded, lowest: int, highest: int) -> Shift:
    pairs = [GradeBeforeAfter(*before[key], points, key) for (_, key), points in answers.items() if key in before]
    return shift_of(pairs, lowest=lowest, highest=highest)


def _by_demand(answers: Answers, before: Graded, lowest: int, highest: int) -> dict[str, Shift]:
    parts = {each.demand_id: {at: p for at, p in answers.items() if at[0] == each.demand_id} for each in DEMANDS}
    return {demand_id: _shift(part, before, lowest, highest) for demand_id, part in parts.items() if part}


def _answered(store: Store, row: JudgeRunRow) -> tuple[Answers, set[tuple[str, str]]]:
    """Return grades by engine and triple (None: no grade), and the triples without an answer."""
    field = load_field(store, row)
    query_of = {query.query_id: query for query in field.queries}
    keys = [triple_key(triple_of(query_of[each.query_id], each)) for each in field.candidates]
    answers = last_answers(store, row.judge_key, dict.fromkeys(keys))
    found: Answers = {}
    waiting: set[tuple[str, str]] = set()
    for each, key in zip(field.candidates, keys, strict=True):
        verdict = answers[key].verdict if key in answers else None
        if verdict is None or verdict.status == "http_error":
            waiting.add((row.judge_key, key))
        else:
            found[each.engine, each.doc_id] = verdict.points
    return found, waiting


def _steadiness(before: Graded, times: Mapping[int, Mapping[str, int | None]]) -> Consistency | None:
    """Measure consistency over the triples asked in every repeat."""
    begun = [there for there in times.values() if there]
    common = [key for key in before if all(key in there for there in begun)]
    if not begun or not common:
        return None
    return consistency(
        [RepeatedTriple(before[key][0], (before[key][1], *(there[key] for there in begun))) for key in common]
    )


# Regions and core set compared with the grades, for judged publications that belong to a topic.

T = TypeVar("T")
Place = tuple[str, str]
"""A topic and the label of one of its versions."""


@dataclass(frozen=True, slots=True)
class RankingPlace:
    query_id: str
    engine: str
    place: Place


@dataclass(frozen=True, eq=False)
class Decisions:
    place: Place
    embedder: str
    accepted: Mapping[RegionKind, Mapping[str, bool]]
    """By publication; regions that can't be fitted are missing."""
    undefined: Mapping[RegionKind, str]
    """Reason for each region that can't be fitted."""
    similarity: Mapping[str, float]
    """Cosine of each publication to the core's centroid."""


@dataclass(frozen=True, eq=False)
class BesideRegions:
    regions: Mapping[str, RegionAgreement]
    """Keyed by the region's label."""
    core: CoreAgreement | None
    similarity: Estimate | None
    notes: tuple[str, ...]


def places_of(workspace: Workspace, row: JudgeRunRow, judged: Sequence[JudgedCandidate]) -> tuple[RankingPlace, ...]:
    """Return where candidates belong to a topic with a core set: as its version, or because the topic was searched."""
    with_core = {topic.topic_id: topic for topic in workspace.topics() if topic.n_core}
    searched = str(row.document.get("documents") or row.document.get("collection") or "")
    over = searched.removeprefix(TOPIC_PREFIX).strip() if searched.startswith(TOPIC_PREFIX) else None
    found: dict[tuple[str, str], RankingPlace] = {}
    for each in judged:
        at = each.candidate.query_id, each.candidate.engine
        if at in found:
            continue
        topic, label = (over, at[0]) if over is not None else at
        if topic in with_core and any(version.version.label == label for version in with_core[topic].versions):
            found[at] = RankingPlace(*at, (topic, label))
    return tuple(found.values())


def embedders_of(workspace: Workspace, placed: Sequence[RankingPlace]) -> tuple[str, ...]:
    topics = {each.place[0] for each in placed}
    cover = [set(topic.embedders) for topic in workspace.topics() if topic.topic_id in topics]
    return tuple(sorted(set.intersection(*cover))) if cover else ()


def state_of(workspace: Workspace, placed: Sequence[RankingPlace], embedder: str) -> str:
    """Return a key that changes with everything the decisions depend on."""
    store = workspace.store
    topics = dict.fromkeys(each.place[0] for each in placed)
    states = [part for topic in topics for part in (topic, store.topic_state(topic), store.core_hash(topic))]
    labels = sorted({f"{topic}\0{label}" for topic, label in (each.place for each in placed)})
    return content_hash([embedder, *states, *labels])


def decide(
    workspace: Workspace, placed: Sequence[RankingPlace], embedder: str, *, on_stage: OnStage = silent
) -> tuple[Decisions, ...]:
    """Apply every region to every version, with the default settings for these vectors. Slow the first time."""
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


def core_beside(
    workspace: Workspace, judged: Sequence[JudgedCandidate], placed: Sequence[RankingPlace]
) -> CoreAgreement | None:
    """Compare grades of core and other publications, once per query; None if nothing belongs to a topic."""
    topic_of = {(each.query_id, each.engine): each.place[0] for each in placed}
    core_of = {topic: set(workspace.store.load_core(topic).ids) for topic in dict.fromkeys(topic_of.values())}
    points: dict[tuple[str, str], int] = {}
    is_core: dict[tuple[str, str], bool] = {}
    for each, given, topic in _graded_at(judged, topic_of):
        at = each.candidate.query_id, each.candidate.doc_id
        if at not in points:
            points[at], is_core[at] = given, at[1] in core_of[topic]
    return core_agreement(list(points.values()), list(is_core.values())) if points else None


def beside_regions(
    workspace: Workspace,
    judged: Sequence[JudgedCandidate],
    placed: Sequence[RankingPlace],
    decided: Sequence[Decisions],
    *,
    cut: int,
) -> BesideRegions:
    """Compare the judge's own grades with every region. A publication counts once per version that retrieved it."""
    by_place = {each.place: each for each in decided}
    place_of = {(each.query_id, each.engine): each.place for each in placed}
    graded: dict[tuple[Place, str], int] = {}
    for each, given, place in _graded_at(judged, place_of):
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


def _graded_at(
    judged: Sequence[JudgedCandidate], known: Mapping[tuple[str, str], T]
) -> Iterator[tuple[JudgedCandidate, int, T]]:
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
