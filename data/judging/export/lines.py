"""A judged run as JSON Lines: the first line says who judged and how, each of the others is one judgment, whole."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any

from core.judging.types import Judged, Overrule
from core.ranking.check import Query
from data.judging.export.judged_run import JudgedRun
from data.judging.keeping.answers import Kept
from data.judging.keeping.runs import JudgeRunRow

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
