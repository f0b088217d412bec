"""A judged run as JSON Lines: the first line says who judged and how, each of the others is one judgment, whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from core.errors import FormatError, InputError
from core.judging.types import Candidate, Field, Judged, JudgeSettings, Overrule, Verdict
from core.ranking.types import Query
from data.judging.export.judged_run import JudgedRun
from data.judging.keeping.answers import Kept
from data.judging.keeping.runs import Judge, JudgeRunRow, rubric_of

LAYOUT = 1
ROW_KEYS = tuple(field.name for field in fields(JudgeRunRow) if field.name != "settings")


def jsonl_bytes(run: JudgedRun) -> bytes:
    """Every key in every line, null where nothing is known."""
    query_of = {query.query_id: query for query in run.field.queries}
    documents = [_head(run), *(_judgment(run, each, query_of[each.candidate.query_id]) for each in run.judged)]
    lines = (json.dumps(document, ensure_ascii=False, allow_nan=False) for document in documents)
    # Half a character is in no encoding: it stands as JSON writes it.
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


def _head(run: JudgedRun) -> dict[str, Any]:
    row = {key: getattr(run.row, key) for key in ROW_KEYS}
    return {
        "kind": "run",
        "layout": LAYOUT,
        **row,
        "field": run.field.name,
        "field_notes": run.field.notes,
        "queries": [{"query_id": q.query_id, "query": q.text, "labels": q.labels} for q in run.field.queries],
        "settings": asdict(run.judge.settings),
        "rubric": asdict(run.judge.rubric),
        "prompt": run.judge.prompt,
        "prompt_hash": run.prompt_hash,
        "fingerprint": run.judge.fingerprint,
    }


def _judgment(run: JudgedRun, judged: Judged, query: Query) -> dict[str, Any]:
    verdict, rubric = judged.verdict, run.judge.rubric
    return {
        "kind": "judgment",
        **asdict(judged.candidate),
        "query": query.text,
        "labels": query.labels,
        "triple_key": judged.triple_key,
        "points": judged.points,
        "shown": None if judged.points is None else rubric.shown(judged.points),
        "status": None if verdict is None else verdict.status,
        "judge_points": None if verdict is None else verdict.points,
        "confidence": None if verdict is None else verdict.confidence,
        "reason": None if verdict is None else verdict.reason,
        "model": run.judge.settings.model,
        "prompt_hash": run.prompt_hash,
        "overruled": None if judged.overruled is None else _said(judged.overruled),
        "overrulings": [_said(each) for each in run.overrules.get(judged.triple_key, ())],
        "answers": [_answer(each) for each in run.answers.get(judged.triple_key, ())],
    }


def _said(overrule: Overrule) -> dict[str, Any]:
    return {name: value for name, value in asdict(overrule).items() if name != "triple_key"}


def _answer(kept: Kept) -> dict[str, Any]:
    return {name: value for name, value in asdict(kept).items() if name != "triple_key"}


# Reading


def read_jsonl(content: bytes) -> JudgedRun:
    """What `jsonl_bytes` was given."""
    lines = [line for line in content.split(b"\n") if line.strip()]
    if not lines:
        raise FormatError("the file is empty: it should begin with a line that says who judged")
    try:
        return _run_of([json.loads(line) for line in lines])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, InputError) as e:
        raise FormatError(f"this is no judged run as Queryscape writes it ({type(e).__name__}: {str(e)[:80]})") from e


def _run_of(documents: list[dict[str, Any]]) -> JudgedRun:
    head, *rest = documents
    if head.get("kind") != "run" or head["layout"] != LAYOUT:
        raise FormatError(f"the first line should say who judged, in layout {LAYOUT}")
    settings = JudgeSettings(**head["settings"])
    judged = tuple(_judged(each) for each in rest)
    queries = tuple(Query(q["query_id"], q["query"], _labels(q["labels"])) for q in head["queries"])
    row = {**{key: head[key] for key in ROW_KEYS}, "settings": settings, "notes": tuple(head["notes"])}
    return JudgedRun(
        JudgeRunRow(**row),
        Judge(settings, rubric_of(head["rubric"]), head["prompt"], head["fingerprint"]),
        Field(head["field"], queries, tuple(each.candidate for each in judged), tuple(head["field_notes"])),
        judged,
        {
            each["triple_key"]: tuple(_kept(each["triple_key"], one) for one in each["answers"])
            for each in rest
            if each["answers"]
        },
        {
            each["triple_key"]: tuple(Overrule(each["triple_key"], **one) for one in each["overrulings"])
            for each in rest
            if each["overrulings"]
        },
    )


def _labels(pairs: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in pairs)


def _judged(line: Mapping[str, Any]) -> Judged:
    candidate = Candidate(**{field.name: line[field.name] for field in fields(Candidate)})
    status, key = line["status"], line["triple_key"]
    verdict = None
    if status is not None:
        verdict = Verdict(status, line["judge_points"], line["confidence"], line["reason"])
    overruled = None if line["overruled"] is None else Overrule(key, **line["overruled"])
    return Judged(candidate, key, verdict, overruled)


def _kept(key: str, answer: Mapping[str, Any]) -> Kept:
    said = {**answer, "verdict": Verdict(**answer["verdict"]), "answers": tuple(answer["answers"])}
    return Kept(triple_key=key, **said)
