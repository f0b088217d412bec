"""What samples that were asked again or changed say of a judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.judging.trust.belief import CHANGES, DEMANDS, BeforeAfter, Change, Shift, shift_of
from core.judging.trust.regions import Consistency, Repeated, consistency
from core.judging.types import Judged
from data.judging.keeping.answers import last_answers
from data.judging.keeping.keys import triple_key, triple_of
from data.judging.keeping.runs import Judge, JudgeRunRow, load_field
from data.judging.trust.probes import about_trust, trust_runs
from data.store import Store

Answers = dict[tuple[str, str], int | None]
"""By engine and triple of the run: the grade, or None where the judge gave none."""
Graded = Mapping[str, tuple[str, int]]
"""Query and grade by triple."""


@dataclass(frozen=True, eq=False)
class Measured:
    """What the probes of a run say. Missing: not measured."""

    repeats: Consistency | None
    shifts: Mapping[Change, Shift]
    by_demand: Mapping[str, Shift]
    """The demanded grade, by the way in which it is demanded."""
    n_waiting: int
    """Triples that were to be asked and have no answer, or one that the service failed to give."""


def measured(store: Store, run_id: str, judge: Judge, judged: Sequence[Judged]) -> Measured:
    """Grades of samples beside those of the run itself; grades of people don't come into it."""
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
    return Measured(
        _steadiness(before, times),
        {kind: _shift(after[kind], before, *ends) for kind in CHANGES if after.get(kind)},
        _by_demand(after.get("demanded", {}), before, *ends),
        len(waiting),
    )


def _shift(answers: Answers, before: Graded, lowest: int, highest: int) -> Shift:
    pairs = [BeforeAfter(*before[key], points, key) for (_, key), points in answers.items() if key in before]
    return shift_of(pairs, lowest=lowest, highest=highest)


def _by_demand(answers: Answers, before: Graded, lowest: int, highest: int) -> dict[str, Shift]:
    parts = {each.demand_id: {at: p for at, p in answers.items() if at[0] == each.demand_id} for each in DEMANDS}
    return {demand_id: _shift(part, before, lowest, highest) for demand_id, part in parts.items() if part}


def _answered(store: Store, row: JudgeRunRow) -> tuple[Answers, set[tuple[str, str]]]:
    """By engine and triple of the run: the grade, or None where there is none; and what has no answer yet."""
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
    """Of the triples that were asked in every repeat there is."""
    begun = [there for there in times.values() if there]
    common = [key for key in before if all(key in there for there in begun)]
    if not begun or not common:
        return None
    return consistency([Repeated(before[key][0], (before[key][1], *(there[key] for there in begun))) for key in common])
