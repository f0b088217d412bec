"""Runs that say whether a judge is to be believed: samples of a run, asked again or changed on purpose.

They are judged runs like any other, so nothing is paid twice and they go on where they stopped. Their document says
what they are for, and lists leave them out by that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from core.errors import InputError, SettingsError
from core.judging.trust.belief import (
    ABOUT,
    CHANGES,
    DEMANDS,
    Change,
    demanding,
    has_room,
    made_longer,
    swapped,
    swapped_query,
)
from core.judging.types import Candidate, Field, Judged, Triple
from core.knowledge.synthesis.steps import Price
from core.protocols import JsonModel, OnStage, silent
from core.ranking.check import Query
from data.judging.keeping.keys import triple_of
from data.judging.keeping.runs import SAMPLE, Judge, JudgeRunRow, list_judge_runs, save_run
from data.judging.planning import Plan, plan
from data.judging.presets import open_judge_model
from data.judging.running.run import Done, judge_run
from data.store import Store, content_hash

OF_RUN = "of run"
"""A label of its queries: the same sample of another run is another run."""
ProbeKind = Literal["repeat", Change]
KINDS: tuple[ProbeKind, ...] = ("repeat", *CHANGES)
NOTE = "a sample of another run, to see whether to believe its judge"
MOST_SAMPLED, MOST_REPEATS = 2_000, 9


def trust_runs(store: Store, run_id: str) -> tuple[JudgeRunRow, ...]:
    """Those of one run, the newest first."""
    return tuple(row for row in list_judge_runs(store, samples=True) if about_trust(row).get("of") == run_id)


def about_trust(row: JudgeRunRow) -> Mapping[str, Any]:
    """What such a run is for: kind, of, n, seed, repeat; empty for any other run."""
    found = row.document.get(SAMPLE)
    return found if isinstance(found, Mapping) else {}


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be tried, on how many triples."""

    kinds: tuple[ProbeKind, ...] = KINDS
    n: int = 50
    """Of each kind; a triple is drawn by the seed alone, so a larger sample holds the smaller one."""
    n_repeats: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        if unknown := [kind for kind in self.kinds if kind not in KINDS]:
            raise SettingsError(f'there is no check "{unknown[0]}"; there are {", ".join(KINDS)}')
        if not 1 <= self.n <= MOST_SAMPLED:
            raise SettingsError(f"n must be from 1 to {MOST_SAMPLED:,}, got {self.n}")
        if not 1 <= self.n_repeats <= MOST_REPEATS:
            raise SettingsError(f"n_repeats must be from 1 to {MOST_REPEATS}, got {self.n_repeats}")


@dataclass(frozen=True, eq=False)
class Probe:
    """One run that is to be made."""

    kind: ProbeKind
    name: str
    judge: Judge
    field: Field
    document: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Probes:
    """Everything that a wish comes to."""

    probes: tuple[Probe, ...]
    n_graded: int
    """Different triples of the run with a grade by the judge: what samples are drawn from."""
    n_fit: Mapping[ProbeKind, int]
    """How many of them can be tried so."""
    n_sampled: Mapping[ProbeKind, int]


@dataclass(frozen=True, slots=True)
class _Graded:
    """A triple with its grade."""

    key: str
    query: Query
    triple: Triple


def make_probes(row: JudgeRunRow, judge: Judge, field: Field, judged: Sequence[Judged], wish: Wish) -> Probes:
    """Samples of what the judge graded. Nothing is kept or asked yet."""
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


def _repeats(kind: ProbeKind, wish: Wish) -> Sequence[int]:
    return range(1, wish.n_repeats + 1) if kind == "repeat" else (0,)


def _graded(field: Field, judged: Sequence[Judged]) -> list[_Graded]:
    """Each triple once, if the judge itself gave it a grade."""
    query_of = {query.query_id: query for query in field.queries}
    found: dict[str, _Graded] = {}
    for each in judged:
        if each.verdict is not None and each.verdict.is_valid and each.triple_key not in found:
            query = query_of[each.candidate.query_id]
            found[each.triple_key] = _Graded(each.triple_key, query, triple_of(query, each.candidate))
    return list(found.values())


def _fits(kind: ProbeKind, graded: _Graded, can_swap: Collection[str], roomy: Collection[str]) -> bool:
    """Whether it can be changed so."""
    if kind == "repeat":
        return True
    return graded.query.text in can_swap if kind == "swapped" else graded.key in roomy


def _twins(kind: ProbeKind, triple: Triple, judge: Judge) -> dict[str, Triple]:
    """What is asked in a triple's place, by the engine's name that it bears."""
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
    wish: Wish,
    repeat: int,
) -> Probe:
    """A candidate's id is the key of the triple that it stands beside."""
    queries: dict[str, Query] = {}
    candidates: list[Candidate] = []
    for each, twins in sample:
        query_id = each.query.query_id
        for engine, twin in twins.items():
            queries[query_id] = Query(query_id, twin.query, ((OF_RUN, row.run_id),))
            candidates.append(Candidate(engine, query_id, 1, each.key, twin.title, twin.abstract))
    places = {query_id: place for place, query_id in enumerate(queries)}
    engines = {engine: place for place, engine in enumerate(dict.fromkeys(each.engine for each in candidates))}
    candidates.sort(key=lambda each: (engines[each.engine], places[each.query_id]))
    name = f"{row.name}: asked again, {repeat}" if kind == "repeat" else f"{row.name}: {ABOUT[kind].label.lower()}"
    asked = replace(judge, settings=replace(judge.settings, repeat=judge.settings.repeat + repeat))
    about = {"kind": kind, "of": row.run_id, "n": wish.n, "seed": wish.seed, "repeat": repeat}
    kept = {key: row.document.get(key) for key in ("preset", "base_url", "n_workers", "per_minute")}
    field = Field(name, tuple(queries.values()), _ranked(candidates), (NOTE,))
    return Probe(kind, name, asked, field, {SAMPLE: about, **kept})


def _ranked(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """With ranks from 1 for each engine and query."""
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
    price: Price | None,
    n_workers: int = 16,
    per_minute: float | None = None,
    seconds_per_call: float | None = None,
) -> tuple[Plan, ...]:
    """The dry run of each; nothing is sent."""
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
    """The model that a run was judged by, at the address that the run names; an error if another one is there now."""
    model = open_judge_model(
        row.settings.model, preset=row.document.get("preset"), base_url=row.document.get("base_url")
    )
    if model.fingerprint != judge.fingerprint:
        raise InputError(
            f'"{row.settings.model}" is asked at another address, or in another way, than when this was judged: set '
            "up Queryscape as it was then, or judge anew"
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
) -> tuple[Done, ...]:
    """Ask all that was not asked yet. What is stopped goes on when it is asked for again."""
    done = []
    for probe in probes:
        on_stage(probe.name)
        run_id = save_run(store, probe.name, probe.judge, probe.field, probe.document)
        done.append(judge_run(store, run_id, model, n_workers=n_workers, per_minute=per_minute, on_stage=on_stage))
    return tuple(done)
