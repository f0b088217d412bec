"""What judges said, in the store: every answer once, runs that name them, and the grades of people beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from core.errors import CorruptStoreError, MisalignedError, NotFoundError
from core.judging.types import Candidate, Field, Grade, Judged, JudgeSettings, Rubric
from core.ranking.check import Query
from data.clock import Clock, utc_now
from data.judging.keeping.answers import last_verdicts
from data.judging.keeping.keys import rubric_key, triple_key, triple_of
from data.judging.keeping.keys import sound as _sound
from data.judging.keeping.overruling import overrules
from data.store import Store, content_hash

SAMPLE = "trust"
"""What the document of a run holds that is a sample of another one, to see whether to believe its judge."""
RunState = Literal["planned", "running", "paused", "done"]


@dataclass(frozen=True, slots=True)
class Judge:
    """Whoever grades, whole: nothing else changes what it says."""

    settings: JudgeSettings
    rubric: Rubric
    prompt: str
    """What it is told to do, the same for every triple."""
    fingerprint: str
    """Of the service and model, or of the demo judge."""

    @property
    def rubric_key(self) -> str:
        """Grades under the same rubric mean the same."""
        return rubric_key(self.rubric)

    @property
    def judge_key(self) -> str:
        """Changes with all that changes what it says."""
        settings = json.dumps(asdict(self.settings), sort_keys=True)
        return content_hash([self.rubric_key, self.prompt, self.fingerprint, settings])


@dataclass(frozen=True, slots=True)
class JudgeRunRow:
    """A run as a list shows it."""

    run_id: str
    name: str
    judge_key: str
    settings: JudgeSettings
    document: Mapping[str, Any]
    """What was chosen."""
    notes: tuple[str, ...]
    state: RunState
    made_at: str


# Judges


def save_judge(store: Store, judge: Judge, clock: Clock = utc_now) -> None:
    """Keep who is asked; once."""
    store.execute(
        "INSERT OR IGNORE INTO judges VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            *(judge.judge_key, judge.rubric_key, json.dumps(asdict(judge.settings)), json.dumps(asdict(judge.rubric))),
            *(judge.prompt, judge.fingerprint, clock()),
        ],
    )


def load_judge(store: Store, judge_key: str) -> Judge:
    """Who was asked."""
    found = store.rows(
        "SELECT document::VARCHAR, rubric::VARCHAR, prompt, fingerprint FROM judges WHERE judge_key = ?", [judge_key]
    )
    if not found:
        raise NotFoundError(f'there is no judge "{judge_key[:80]}"')
    document, rubric, prompt, fingerprint = found[0]
    try:
        return Judge(JudgeSettings(**json.loads(document)), rubric_of(json.loads(rubric)), prompt, fingerprint)
    except (ValueError, KeyError, TypeError) as e:
        raise CorruptStoreError(f"judge {judge_key} can't be read") from e


def rubric_of(document: Mapping[str, Any]) -> Rubric:
    """A rubric from what `asdict` made of it."""
    grades = tuple(Grade(**grade) for grade in document["grades"])
    return Rubric(**{**document, "weigh": tuple(document["weigh"]), "grades": grades})


# Runs


def save_run(
    store: Store, name: str, judge: Judge, field: Field, document: Mapping[str, Any], clock: Clock = utc_now
) -> str:
    """Keep what is to be judged and by whom. The same judge over the same field is the same run: its id comes back."""
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
        "ids": [_sound(query.query_id) for query in queries],
        "texts": [_sound(query.text) for query in queries],
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


def _insert_candidates(store: Store, run_id: str, candidates: Sequence[Candidate], keys: Sequence[str]) -> None:
    columns: dict[str, list[Any]] = {
        "engines": [_sound(each.engine) for each in candidates],
        "queries": [_sound(each.query_id) for each in candidates],
        "ranks": [each.rank for each in candidates],
        "docs": [_sound(each.doc_id) for each in candidates],
        "titles": [_sound(each.title) for each in candidates],
        "abstracts": [_sound(each.abstract) for each in candidates],
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
    """All of them, the newest first. `samples`: also those that only serve to see whether to believe another one."""
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
    """One by its id, or the newest of a name."""
    rows = list_judge_runs(store, samples=True)
    for row in (*(row for row in rows if row.run_id == name_or_id), *rows):
        if name_or_id in (row.run_id, row.name):
            return row
    raise NotFoundError(f'there is no judged run "{name_or_id[:80]}"')


def load_field(store: Store, row: JudgeRunRow) -> Field:
    """What a run is over."""
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
    return Field(
        row.name,
        tuple(Query(q, text, tuple((a, b) for a, b in json.loads(labels))) for q, text, labels in queries),
        tuple(Candidate(*each) for each in candidates),
        row.notes,
    )


def load_judged(store: Store, row: JudgeRunRow, field: Field) -> tuple[Judged, ...]:
    """Every candidate of a run, in its order, with what counts of it now."""
    keys = store.columns(
        "SELECT triple_key FROM judge_run_candidates WHERE run_id = ? ORDER BY position", [row.run_id]
    )["triple_key"].tolist()
    verdicts = last_verdicts(store, row.judge_key, row.run_id)
    people = overrules(store, load_judge(store, row.judge_key).rubric_key)
    return tuple(
        Judged(candidate, key, verdicts.get(key), people.get(key))
        for candidate, key in zip(field.candidates, keys, strict=True)
    )


def keep_state(store: Store, run_id: str, state: RunState) -> None:
    """Said of a run in lists."""
    store.execute("UPDATE judge_runs SET state = ? WHERE run_id = ?", [state, run_id])


def delete_judge_run(store: Store, run_id: str) -> None:
    """It goes from the lists. What was paid for stays."""
    with store.transaction():
        for table in ("judge_run_candidates", "judge_run_queries", "judge_runs"):
            store.execute(f"DELETE FROM {table} WHERE run_id = ?", [run_id])
