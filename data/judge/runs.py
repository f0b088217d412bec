"""Judged runs in the store: judges, answers, overruled grades, and progress."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal

from core.collections import Query
from core.errors import CorruptStoreError, InputError, MisalignedError, NotFoundError
from core.judge.judgments import (
    Grade,
    GradeOverride,
    JudgeCandidate,
    JudgedCandidate,
    JudgeField,
    JudgeSettings,
    Rubric,
    Status,
    Triple,
    TripleVerdict,
)
from data.access import check_allowed
from data.store import Clock, Store, content_hash, sound, utc_now

# Keys of rubrics and triples: identical texts have the same key, whichever engine found them.


def rubric_key(rubric: Rubric) -> str:
    return content_hash([json.dumps(asdict(rubric), sort_keys=True)])


def triple_key(triple: Triple) -> str:
    return content_hash([sound(triple.query), sound(triple.title), sound(triple.abstract)])


def triple_of(query: Query, candidate: JudgeCandidate) -> Triple:
    return Triple(query.text, candidate.title, candidate.abstract)


# Answers of judges in the store: each is stored once and never changed.


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    triple_key: str
    attempt: int
    verdict: TripleVerdict
    answers: tuple[str, ...]
    """Raw texts."""
    model: str
    n_prompt_tokens: int | None
    n_answer_tokens: int | None
    n_calls: int
    ms: float
    made_at: str


_ANSWER = (
    "triple_key, attempt, status, points, confidence, reason, answers::VARCHAR, model, n_prompt_tokens, "
    "n_answer_tokens, n_calls, ms, made_at"
)


def keep_answers(store: Store, judge_key: str, some: Sequence[StoredAnswer]) -> None:
    """Add answers, all or none; existing ones are not changed."""
    if not some:
        return
    store.execute(
        """
        INSERT OR IGNORE INTO judge_answers
        SELECT $judge, unnest($keys::VARCHAR[]), unnest($attempts::INTEGER[]), unnest($statuses::VARCHAR[]),
               unnest($points::INTEGER[]), unnest($confidences::INTEGER[]), unnest($reasons::VARCHAR[]),
               unnest($answers::VARCHAR[])::JSON, unnest($models::VARCHAR[]), unnest($prompt_tokens::BIGINT[]),
               unnest($answer_tokens::BIGINT[]), unnest($calls::INTEGER[]), unnest($ms::DOUBLE[]),
               unnest($made_at::VARCHAR[])
        """,
        {
            "judge": judge_key,
            "keys": [kept.triple_key for kept in some],
            "attempts": [kept.attempt for kept in some],
            "statuses": [kept.verdict.status for kept in some],
            "points": [kept.verdict.points for kept in some],
            "confidences": [kept.verdict.confidence for kept in some],
            "reasons": [sound(kept.verdict.reason) for kept in some],
            "answers": [json.dumps([sound(answer) for answer in kept.answers]) for kept in some],
            "models": [sound(kept.model) for kept in some],
            "prompt_tokens": [kept.n_prompt_tokens for kept in some],
            "answer_tokens": [kept.n_answer_tokens for kept in some],
            "calls": [kept.n_calls for kept in some],
            "ms": [kept.ms for kept in some],
            "made_at": [kept.made_at for kept in some],
        },
    )


def last_answers(store: Store, judge_key: str, keys: Iterable[str] | None = None) -> dict[str, StoredAnswer]:
    """Return the latest answer by triple, for these triples or for all."""
    wanted = None if keys is None else list(keys)
    found = store.rows(
        f"""
        SELECT {_ANSWER} FROM judge_answers
        WHERE judge_key = $judge AND ($keys IS NULL OR triple_key IN (SELECT unnest($keys::VARCHAR[])))
        QUALIFY attempt = max(attempt) OVER (PARTITION BY triple_key)
        """,
        {"judge": judge_key, "keys": wanted},
    )
    return {row[0]: _kept(row) for row in found}


def last_verdicts(store: Store, judge_key: str, run_id: str) -> dict[str, TripleVerdict]:
    """Return the latest verdicts of a run's triples, without the texts of the answers."""
    found = store.rows(
        """
        SELECT triple_key, status, points, confidence, reason FROM judge_answers
        WHERE judge_key = $judge AND triple_key IN (SELECT triple_key FROM judge_run_candidates WHERE run_id = $run)
        QUALIFY attempt = max(attempt) OVER (PARTITION BY triple_key)
        """,
        {"judge": judge_key, "run": run_id},
    )
    return {key: TripleVerdict(*rest) for key, *rest in found}


def answers_to(store: Store, judge_key: str, keys: Iterable[str]) -> dict[str, tuple[StoredAnswer, ...]]:
    """Return all answers of a judge by triple, oldest first."""
    found = store.rows(
        f"""
        SELECT {_ANSWER} FROM judge_answers
        WHERE judge_key = $judge AND triple_key IN (SELECT unnest($keys::VARCHAR[])) ORDER BY triple_key, attempt
        """,
        {"judge": judge_key, "keys": list(keys)},
    )
    return {key: tuple(map(_kept, rows)) for key, rows in groupby(found, key=itemgetter(0))}


def _kept(row: Sequence[Any]) -> StoredAnswer:
    key, attempt, status, points, confidence, reason, answers, *rest = row
    return StoredAnswer(
        key, attempt, TripleVerdict(status, points, confidence, reason), tuple(json.loads(answers)), *rest
    )


# Human grades that overrule a judge's, in the store: all are stored, the latest counts.


def overrule(
    store: Store, rubric: Rubric, key: str, points: int | None, *, who: str, why: str, clock: Clock = utc_now
) -> GradeOverride:
    """Record a person's grade for a triple; None withdraws it. Earlier grades stay stored."""
    if points is not None and points not in rubric.points:
        raise InputError(f"a grade of this rubric is from {rubric.points[0]} to {rubric.points[-1]}, got {points}")
    if not who.strip():
        raise InputError("enter a name or initials for the overruling")
    if points is not None and not why.strip():
        raise InputError("give a reason for the overruling: one sentence is enough")
    made = GradeOverride(key, points, sound(who.strip()), sound(why.strip()), clock())
    store.execute(
        "INSERT INTO judge_overrules SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ? FROM judge_overrules",
        [rubric_key(rubric), key, points, made.who, made.why, made.made_at],
    )
    return made


def overrules(store: Store, rubric_key: str) -> dict[str, GradeOverride]:
    """Return the grades in effect under a rubric, by triple, without withdrawn ones."""
    found = store.rows(
        """
        SELECT triple_key, points, who, why, made_at FROM judge_overrules WHERE rubric_key = ?
        QUALIFY number = max(number) OVER (PARTITION BY triple_key)
        """,
        [rubric_key],
    )
    return {row[0]: GradeOverride(*row) for row in found if row[1] is not None}


def overrules_of(store: Store, rubric_key: str, keys: Iterable[str]) -> dict[str, tuple[GradeOverride, ...]]:
    """Return all grades that people gave, by triple, oldest first, including withdrawn ones."""
    found = store.rows(
        """
        SELECT triple_key, points, who, why, made_at FROM judge_overrules
        WHERE rubric_key = $rubric AND triple_key IN (SELECT unnest($keys::VARCHAR[])) ORDER BY triple_key, number
        """,
        {"rubric": rubric_key, "keys": list(keys)},
    )
    return {key: tuple(GradeOverride(*row) for row in rows) for key, rows in groupby(found, key=itemgetter(0))}


# Judges in the store, runs that refer to them, and human grades.

SAMPLE = "trust"
"""Key in a run's document: the run is a sample of another one, to test its judge."""
NOT_ASKED = "not_asked"
"""Key in a run's document: by engine, the queries that it was never asked."""
NOT_RUN = "not_run"
"""Key in a run's document: engines that could not run, with reasons."""
RunState = Literal["planned", "running", "paused", "done"]


@dataclass(frozen=True, slots=True)
class Judge:
    settings: JudgeSettings
    rubric: Rubric
    prompt: str
    """Instructions to the judge, the same for every triple."""
    fingerprint: str
    """Fingerprint of the service and model, or of the demo judge."""

    @property
    def rubric_key(self) -> str:
        return rubric_key(self.rubric)

    @property
    def judge_key(self) -> str:
        settings = json.dumps(asdict(self.settings), sort_keys=True)
        return content_hash([self.rubric_key, self.prompt, self.fingerprint, settings])


@dataclass(frozen=True, slots=True)
class JudgeRunRow:
    run_id: str
    name: str
    judge_key: str
    settings: JudgeSettings
    document: Mapping[str, Any]
    """The settings chosen for the run."""
    notes: tuple[str, ...]
    state: RunState
    made_at: str


def save_judge(store: Store, judge: Judge, clock: Clock = utc_now) -> None:
    store.execute(
        "INSERT OR IGNORE INTO judges VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            *(judge.judge_key, judge.rubric_key, json.dumps(asdict(judge.settings)), json.dumps(asdict(judge.rubric))),
            *(judge.prompt, judge.fingerprint, clock()),
        ],
    )


def load_judge(store: Store, judge_key: str) -> Judge:
    found = store.rows(
        "SELECT document::VARCHAR, rubric::VARCHAR, prompt, fingerprint FROM judges WHERE judge_key = ?", [judge_key]
    )
    if not found:
        raise NotFoundError(f'no judge "{judge_key[:80]}"')
    document, rubric, prompt, fingerprint = found[0]
    try:
        return Judge(JudgeSettings(**json.loads(document)), rubric_of(json.loads(rubric)), prompt, fingerprint)
    except (ValueError, KeyError, TypeError) as e:
        raise CorruptStoreError(f"judge {judge_key} can't be read") from e


def rubric_of(document: Mapping[str, Any]) -> Rubric:
    """Rebuild a rubric from its `asdict` form."""
    grades = tuple(Grade(**grade) for grade in document["grades"])
    return Rubric(**{**document, "weigh": tuple(document["weigh"]), "grades": grades})


def save_run(
    store: Store, name: str, judge: Judge, field: JudgeField, document: Mapping[str, Any], clock: Clock = utc_now
) -> str:
    """Save the items to judge and the judge. The same judge over the same field is the same run: return its id."""
    query_of = {query.query_id: query for query in field.queries}
    if strange := {each.query_id for each in field.candidates} - query_of.keys():
        raise MisalignedError(f'there are candidates for the query "{min(strange)[:80]}", but not the query itself')
    keys = [triple_key(triple_of(query_of[each.query_id], each)) for each in field.candidates]
    labels = [json.dumps([query.query_id, query.text, query.labels]) for query in field.queries]
    places = (
        part
        for each, key in zip(field.candidates, keys, strict=True)
        for part in (each.engine, each.query_id, str(each.rank), each.doc_id, key)
    )
    run_id = content_hash([judge.judge_key, *labels, *places])
    left_out = {NOT_ASKED: dict(field.not_asked), NOT_RUN: dict(field.not_run)}
    document = {**document, **{name: found for name, found in left_out.items() if found}}
    with store.transaction():
        save_judge(store, judge, clock)
        if store.rows("SELECT 1 FROM judge_runs WHERE run_id = ?", [run_id]):
            store.execute("UPDATE judge_runs SET name = ? WHERE run_id = ?", [name, run_id])
            return run_id
        store.execute(
            "INSERT INTO judge_runs VALUES (?, ?, ?, ?, ?, ?, ?)",
            [run_id, name, judge.judge_key, json.dumps(dict(document)), json.dumps(field.notes), "planned", clock()],
        )
        _insert_queries(store, run_id, field.queries)
        _insert_candidates(store, run_id, field.candidates, keys)
    return run_id


def _insert_queries(store: Store, run_id: str, queries: Sequence[Query]) -> None:
    columns = {
        "ids": [sound(query.query_id) for query in queries],
        "texts": [sound(query.text) for query in queries],
        "labels": [json.dumps(query.labels) for query in queries],
    }
    store.execute(
        """
        INSERT INTO judge_run_queries
        SELECT $run, unnest(range($n::BIGINT)), unnest($ids::VARCHAR[]), unnest($texts::VARCHAR[]),
               unnest($labels::VARCHAR[])
        """,
        {"run": run_id, "n": len(queries), **columns},
    )


def _insert_candidates(store: Store, run_id: str, candidates: Sequence[JudgeCandidate], keys: Sequence[str]) -> None:
    columns: dict[str, list[Any]] = {
        "engines": [sound(each.engine) for each in candidates],
        "queries": [sound(each.query_id) for each in candidates],
        "ranks": [each.rank for each in candidates],
        "docs": [sound(each.doc_id) for each in candidates],
        "titles": [sound(each.title) for each in candidates],
        "abstracts": [sound(each.abstract) for each in candidates],
        "keys": list(keys),
    }
    store.execute(
        """
        INSERT INTO judge_run_candidates
        SELECT $run, unnest(range($n::BIGINT)), unnest($engines::VARCHAR[]), unnest($queries::VARCHAR[]),
               unnest($ranks::INTEGER[]), unnest($docs::VARCHAR[]), unnest($titles::VARCHAR[]),
               unnest($abstracts::VARCHAR[]), unnest($keys::VARCHAR[])
        """,
        {"run": run_id, "n": len(candidates), **columns},
    )


def list_judge_runs(store: Store, *, samples: bool = False) -> tuple[JudgeRunRow, ...]:
    """Return all runs, newest first. `samples`: include those that only test the judge of another run."""
    found = store.rows(
        """
        SELECT r.run_id, r.name, r.judge_key, j.document::VARCHAR, r.document::VARCHAR, r.notes::VARCHAR, r.state,
               r.made_at
        FROM judge_runs AS r JOIN judges AS j ON j.judge_key = r.judge_key
        ORDER BY r.made_at DESC, r.name, r.run_id
        """
    )
    return tuple(
        JudgeRunRow(
            run_id,
            name,
            key,
            JudgeSettings(**json.loads(settings)),
            json.loads(chosen),
            tuple(json.loads(notes)),
            *rest,
        )
        for run_id, name, key, settings, chosen, notes, *rest in found
        if samples or SAMPLE not in json.loads(chosen)
    )


def find_judge_run(store: Store, name_or_id: str) -> JudgeRunRow:
    """Return the run with this id, or the newest with this name."""
    rows = list_judge_runs(store, samples=True)
    for row in (*(row for row in rows if row.run_id == name_or_id), *rows):
        if name_or_id in (row.run_id, row.name):
            return row
    raise NotFoundError(f'no judged run "{name_or_id[:80]}"')


def load_field(store: Store, row: JudgeRunRow) -> JudgeField:
    queries = store.rows(
        "SELECT query_id, text, labels::VARCHAR FROM judge_run_queries WHERE run_id = ? ORDER BY position", [row.run_id]
    )
    candidates = store.rows(
        """
        SELECT engine, query_id, rank, doc_id, title, abstract FROM judge_run_candidates
        WHERE run_id = ? ORDER BY position
        """,
        [row.run_id],
    )
    return JudgeField(
        row.name,
        tuple(Query(q, text, tuple((a, b) for a, b in json.loads(labels))) for q, text, labels in queries),
        tuple(JudgeCandidate(*each) for each in candidates),
        row.notes,
        {engine: tuple(ids) for engine, ids in row.document.get(NOT_ASKED, {}).items()},
        row.document.get(NOT_RUN, {}),
    )


def load_judged(store: Store, row: JudgeRunRow, field: JudgeField) -> tuple[JudgedCandidate, ...]:
    keys = store.columns(
        "SELECT triple_key FROM judge_run_candidates WHERE run_id = ? ORDER BY position", [row.run_id]
    )["triple_key"].tolist()
    verdicts = last_verdicts(store, row.judge_key, row.run_id)
    people = overrules(store, load_judge(store, row.judge_key).rubric_key)
    return tuple(
        JudgedCandidate(candidate, key, verdicts.get(key), people.get(key))
        for candidate, key in zip(field.candidates, keys, strict=True)
    )


def keep_state(store: Store, run_id: str, state: RunState) -> None:
    store.execute("UPDATE judge_runs SET state = ? WHERE run_id = ?", [state, run_id])


def delete_judge_run(store: Store, run_id: str) -> None:
    """Delete a run from the lists. Answers, which were paid for, stay."""
    check_allowed("delete")
    with store.transaction():
        for table in ("judge_run_candidates", "judge_run_queries", "judge_runs"):
            store.execute(f"DELETE FROM {table} WHERE run_id = ?", [run_id])


# The remaining work of a run, and its progress.


@dataclass(frozen=True, slots=True)
class PendingTriple:
    triple_key: str
    attempt: int
    """Number of the next attempt, from 1."""
    position: int
    """Position of the first candidate with this triple."""


@dataclass(frozen=True, slots=True)
class PendingTriples:
    n_triples: int
    """Triples of the whole run, each once."""
    wanted: tuple[PendingTriple, ...]
    """Triples to ask about, in the order of the run."""

    @property
    def n_known(self) -> int:
        return self.n_triples - len(self.wanted)


def waiting_triples(store: Store, run_id: str, judge_key: str, *, again: bool = False) -> PendingTriples:
    """Return the triples without an answer, and those whose service failed. `again`: also all other ungraded ones.

    Triples skipped by choice, for lack of an abstract, count as answered.
    """
    found = store.rows(
        """
        WITH mine AS (
            SELECT triple_key, min(position) AS position FROM judge_run_candidates WHERE run_id = $run
            GROUP BY triple_key
        ), answered AS (
            SELECT triple_key, max(attempt) AS attempt, arg_max(status, attempt) AS status,
                   arg_max(points IS NOT NULL, attempt) AS is_valid
            FROM judge_answers
            WHERE judge_key = $judge AND triple_key IN (SELECT triple_key FROM mine)
            GROUP BY triple_key
        )
        SELECT mine.triple_key, coalesce(answered.attempt, 0) + 1, mine.position,
               answered.status IS NULL OR answered.status = 'http_error'
               OR ($again AND NOT answered.is_valid AND answered.status != 'no_abstract')
        FROM mine LEFT JOIN answered ON answered.triple_key = mine.triple_key
        ORDER BY mine.position
        """,
        {"run": run_id, "judge": judge_key, "again": again},
    )
    return PendingTriples(len(found), tuple(PendingTriple(*row) for *row, is_wanted in found if is_wanted))


def load_triples(store: Store, run_id: str, wanted: Sequence[PendingTriple]) -> dict[str, Triple]:
    found = store.rows(
        """
        WITH texts AS (
            SELECT query_id, arg_max(text, position) AS text FROM judge_run_queries WHERE run_id = $run
            GROUP BY query_id
        )
        SELECT c.triple_key, texts.text, c.title, c.abstract
        FROM judge_run_candidates AS c JOIN texts ON texts.query_id = c.query_id
        WHERE c.run_id = $run AND c.position IN (SELECT unnest($positions::INTEGER[]))
        """,
        {"run": run_id, "positions": [each.position for each in wanted]},
    )
    triples = {key: Triple(*texts) for key, *texts in found}
    if any(each.triple_key not in triples for each in wanted):
        raise NotFoundError("the run was deleted while running: existing answers are kept")
    return triples


def count_statuses(store: Store, run_id: str, judge_key: str) -> dict[Status, int]:
    """Count the statuses of the latest answers to a run's triples, most frequent first."""
    found = store.rows(
        """
        SELECT status, count(*) FROM (
            SELECT arg_max(status, attempt) AS status FROM judge_answers
            WHERE judge_key = $judge
              AND triple_key IN (SELECT triple_key FROM judge_run_candidates WHERE run_id = $run)
            GROUP BY triple_key
        ) GROUP BY status ORDER BY count(*) DESC, status
        """,
        {"run": run_id, "judge": judge_key},
    )
    return dict(found)


# Judged runs in a list: their progress, their results, and changes to the list itself.

LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Progress:
    n_triples: int
    """Distinct triples: a publication found by two engines is judged once."""
    statuses: Mapping[Status, int]
    """Statuses of the latest answers, most frequent first."""
    n_valid: int
    """Triples with a grade."""
    n_skipped: int = 0
    """Skipped by choice, for lack of an abstract."""

    @property
    def n_answered(self) -> int:
        """Triples with an answer of any status."""
        return sum(self.statuses.values())

    @property
    def n_waiting(self) -> int:
        """Triples not asked yet, or with a service error: resuming asks about them."""
        return self.n_triples - self.n_answered + self.statuses.get("http_error", 0)

    @property
    def n_without_grade(self) -> int:
        """Answered without a grade, except those skipped by choice."""
        return self.n_answered - self.n_valid - self.n_skipped - self.statuses.get("http_error", 0)


NOTHING = Progress(0, {}, 0)


def progress_of(store: Store) -> dict[str, Progress]:
    totals = dict(
        store.rows(
            "SELECT run_id, count(DISTINCT triple_key) FROM judge_run_candidates GROUP BY run_id ORDER BY run_id"
        )
    )
    found = store.rows(
        """
        WITH last AS (
            SELECT judge_key, triple_key, arg_max(status, attempt) AS status, arg_max(points, attempt) AS points
            FROM (SELECT judge_key, triple_key, status, coalesce(points, -1) AS points, attempt FROM judge_answers)
            GROUP BY judge_key, triple_key
        ), asked AS (
            SELECT DISTINCT c.run_id, r.judge_key, c.triple_key
            FROM judge_run_candidates AS c JOIN judge_runs AS r ON r.run_id = c.run_id
        )
        SELECT run_id, status, count(*) AS n, count(*) FILTER (points >= 0)
        FROM asked JOIN last ON last.judge_key = asked.judge_key AND last.triple_key = asked.triple_key
        GROUP BY run_id, status ORDER BY run_id, n DESC, status
        """
    )
    statuses: dict[str, dict[Status, int]] = {run_id: {} for run_id in totals}
    valid, skipped = dict.fromkeys(totals, 0), dict.fromkeys(totals, 0)
    for run_id, status, n, n_valid in found:
        statuses[run_id][status] = n
        valid[run_id] += n_valid
        skipped[run_id] += n - n_valid if status == "no_abstract" else 0
    return {run_id: Progress(n, statuses[run_id], valid[run_id], skipped[run_id]) for run_id, n in totals.items()}


def failures_of(store: Store, row: JudgeRunRow) -> tuple[tuple[Status, str, int], ...]:
    """Return why triples of a run have no grade: status, reason and count, the five most frequent first."""
    found = store.rows(
        """
        SELECT status, reason, count(*) AS n FROM (
            SELECT triple_key, arg_max(status, attempt) AS status, arg_max(reason, attempt) AS reason,
                   arg_max(coalesce(points, -1), attempt) AS points
            FROM judge_answers WHERE judge_key = ? GROUP BY triple_key
        )
        WHERE points < 0 AND triple_key IN (SELECT triple_key FROM judge_run_candidates WHERE run_id = ?)
        GROUP BY status, reason ORDER BY n DESC, status, reason LIMIT 5
        """,
        [row.judge_key, row.run_id],
    )
    return tuple((status, reason, n) for status, reason, n in found)


def checked_name(name: str) -> str:
    plain = " ".join(name.split())
    if not plain or len(plain) > LONGEST_NAME or not plain.isprintable():
        raise InputError(f"give the run a name of up to {LONGEST_NAME} printable characters")
    return plain


def rename_judge_run(store: Store, run_id: str, name: str) -> str:
    plain = checked_name(name)
    store.execute("UPDATE judge_runs SET name = ? WHERE run_id = ?", [plain, run_id])
    return plain


def keep_choice(store: Store, run_id: str, document: Mapping[str, Any]) -> None:
    """Save the latest settings of a run, such as the rate of requests; resuming uses them."""
    store.execute("UPDATE judge_runs SET document = ? WHERE run_id = ?", [json.dumps(dict(document)), run_id])


@dataclass(frozen=True, eq=False)
class DeletedJudgeRun:
    """A deleted run with all its data, so that it can be restored."""

    row: JudgeRunRow
    judge: Judge
    field: JudgeField


def take_away(store: Store, row: JudgeRunRow) -> DeletedJudgeRun:
    """Remove a run from the list. Answers of judges stay; `bring_back` undoes it."""
    deleted = DeletedJudgeRun(row, load_judge(store, row.judge_key), load_field(store, row))
    delete_judge_run(store, row.run_id)
    return deleted


def bring_back(store: Store, deleted: DeletedJudgeRun) -> None:
    row = deleted.row
    save_run(store, row.name, deleted.judge, deleted.field, row.document, clock=lambda: row.made_at)
    keep_state(store, row.run_id, "paused" if row.state == "running" else row.state)
