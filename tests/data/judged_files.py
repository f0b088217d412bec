"""Exported judged runs read back: JSON Lines are whole, the table holds queries and judgments."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from core.collections import Query
from core.judge.judgments import (
    STATUSES,
    GradeOverride,
    JudgeCandidate,
    JudgedCandidate,
    JudgeField,
    JudgeSettings,
    TripleVerdict,
)
from core.text import unguarded
from data.judge.export import DIMENSION, LAYOUT, MARK, ROW_KEYS, JudgedRun
from data.judge.runs import Judge, JudgeRunRow, StoredAnswer, rubric_of


def read_jsonl(content: bytes) -> JudgedRun:
    """Return what `jsonl_bytes` was given."""
    head, *rest = [json.loads(line) for line in content.splitlines()]
    assert (head["kind"], head["layout"]) == ("run", LAYOUT)
    settings = JudgeSettings(**head["settings"])
    judged = tuple(_judged(each) for each in rest)
    queries = tuple(Query(q["query_id"], q["query"], _labels(q["labels"])) for q in head["queries"])
    row = {**{key: head[key] for key in ROW_KEYS}, "settings": settings, "notes": tuple(head["notes"])}
    return JudgedRun(
        JudgeRunRow(**row),
        Judge(settings, rubric_of(head["rubric"]), head["prompt"], head["fingerprint"]),
        JudgeField(head["field"], queries, tuple(each.candidate for each in judged), tuple(head["field_notes"])),
        judged,
        {
            each["triple_key"]: tuple(_kept(each["triple_key"], one) for one in each["answers"])
            for each in rest
            if each["answers"]
        },
        {
            each["triple_key"]: tuple(GradeOverride(each["triple_key"], **one) for one in each["overrulings"])
            for each in rest
            if each["overrulings"]
        },
    )


def _labels(pairs: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in pairs)


def _judged(line: Mapping[str, Any]) -> JudgedCandidate:
    candidate = JudgeCandidate(**{field.name: line[field.name] for field in fields(JudgeCandidate)})
    status, key = line["status"], line["triple_key"]
    verdict = None
    if status is not None:
        verdict = TripleVerdict(status, line["judge_points"], line["confidence"], line["reason"])
    overruled = None if line["overruled"] is None else GradeOverride(key, **line["overruled"])
    return JudgedCandidate(candidate, key, verdict, overruled)


def _kept(key: str, answer: Mapping[str, Any]) -> StoredAnswer:
    said = {**answer, "verdict": TripleVerdict(**answer["verdict"]), "answers": tuple(answer["answers"])}
    return StoredAnswer(triple_key=key, **said)


def read_csv(content: bytes) -> tuple[tuple[Query, ...], tuple[JudgedCandidate, ...]]:
    """Return the queries and judgments of a table. A query without a judgment is not in it."""
    text = content.removeprefix(MARK).decode("utf-8")
    queries: dict[str, Query] = {}
    judged: list[JudgedCandidate] = []
    for cells in csv.DictReader(io.StringIO(text, newline=""), strict=True):
        line = {name: unguarded(cell) for name, cell in cells.items()}
        judged.append(_judged_of_cells(line))
        queries.setdefault(line["query_id"], _query_of_cells(line))
    return tuple(queries.values()), tuple(judged)


def _query_of_cells(line: Mapping[str, str]) -> Query:
    names = [(unguarded(column), value) for column, value in line.items() if unguarded(column).startswith(DIMENSION)]
    labels = tuple((_name(column, dict(names)), value) for column, value in names if value)
    return Query(line["query_id"], line["query"], labels)


def _name(column: str, columns: Mapping[str, str]) -> str:
    """Without the number of a name that comes several times."""
    name, bracket, number = column.rpartition(" (")
    is_numbered = bracket and number.endswith(")") and number[:-1].isdecimal() and name in columns
    return (name if is_numbered else column).removeprefix(DIMENSION)


def _judged_of_cells(line: Mapping[str, str]) -> JudgedCandidate:
    key = line["triple_key"]
    candidate = JudgeCandidate(
        line["engine"], line["query_id"], int(line["rank"]), line["doc_id"], line["title"], line["abstract"]
    )
    verdict = None
    if status := line["status"]:
        verdict = TripleVerdict(
            STATUSES[STATUSES.index(status)], _points(line["judge_grade"]), _points(line["confidence"]), line["reason"]
        )
    overruled = None
    if line["overruled_by"]:
        overruled = GradeOverride(
            key, _points(line["overruled_grade"]), line["overruled_by"], line["overruled_why"], line["overruled_at"]
        )
    return JudgedCandidate(candidate, key, verdict, overruled)


def _points(cell: str) -> int | None:
    return int(cell) if cell else None
