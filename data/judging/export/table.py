"""A judged run as a table: one line for each judgment, safe in spreadsheets."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence

from core.judging.types import STATUS_WORDS, Judged
from core.ranking.check import Query
from core.text import harmless
from data.judging.export.judged_run import JudgedRun

DIMENSION = "dimension: "
"""Begins the name of a column that says what kind of query it is."""
MARK = b"\xef\xbb\xbf"
FIRST = ("engine", "query_id", "query")
LAST = (
    *("rank", "doc_id", "title", "abstract", "grade", "shown", "grade_name", "graded_by", "status", "status_words"),
    *("judge_grade", "confidence", "reason", "overruled_grade", "overruled_by", "overruled_why", "overruled_at"),
    *("n_answers", "triple_key", "run_id", "run", "model", "rubric", "prompt_hash", "judge_key"),
)


def csv_bytes(run: JudgedRun) -> bytes:
    """A line for each judgment. A cell that a spreadsheet would run has an apostrophe before it."""
    dimensions = _dimensions(run.field.queries)
    cells_of = {query.query_id: _labels_in(query, dimensions) for query in run.field.queries}
    text_of = {query.query_id: query.text for query in run.field.queries}
    about = _about(run)
    out = io.StringIO(newline="")
    lines = csv.writer(out, lineterminator="\r\n")
    lines.writerow([*FIRST, *(harmless(column) for column in dimensions), *LAST])
    for each in run.judged:
        query_id = each.candidate.query_id
        front = [harmless(each.candidate.engine), harmless(query_id), harmless(text_of[query_id])]
        known = _cells(run, each) | about
        lines.writerow([*front, *cells_of[query_id], *(known[name] for name in LAST)])
    # Excel takes a file without the mark for cp1252; half a character is in no encoding.
    return MARK + out.getvalue().encode("utf-8", "replace")


def _dimensions(queries: Sequence[Query]) -> tuple[str, ...]:
    """A column for each name; a name that a query carries several times has as many."""
    most: dict[str, int] = {}
    for query in queries:
        for name, n in Counter(name for name, _ in query.labels).items():
            most[name] = max(n, most.get(name, 0))
    return tuple(_column(name, number) for name, n in most.items() for number in range(n))


def _column(name: str, number: int) -> str:
    return f"{DIMENSION}{name}" + (f" ({number + 1})" if number else "")


def _labels_in(query: Query, dimensions: Sequence[str]) -> list[str]:
    seen: Counter[str] = Counter()
    found: dict[str, str] = {}
    for name, value in query.labels:
        found[_column(name, seen[name])] = harmless(value)
        seen[name] += 1
    return [found.get(column, "") for column in dimensions]


def _about(run: JudgedRun) -> dict[str, str]:
    """What is the same in every line."""
    return {
        "run_id": run.row.run_id,
        "run": harmless(run.row.name),
        "model": harmless(run.judge.settings.model),
        "rubric": harmless(run.judge.rubric.rubric_id),
        "prompt_hash": run.prompt_hash,
        "judge_key": run.row.judge_key,
    }


def _cells(run: JudgedRun, judged: Judged) -> dict[str, str]:
    candidate, verdict, said, points = judged.candidate, judged.verdict, judged.overruled, judged.points
    rubric = run.judge.rubric
    by = "" if points is None else "judge" if said is None or said.points is None else "person"
    name = next((grade.name for grade in rubric.grades if grade.points == points), "")
    return {
        "rank": str(candidate.rank),
        "doc_id": harmless(candidate.doc_id),
        "title": harmless(candidate.title),
        "abstract": harmless(candidate.abstract),
        "grade": _number(points),
        "shown": "" if points is None else f"{rubric.shown(points):g}",
        "grade_name": harmless(name),
        "graded_by": by,
        "status": "" if verdict is None else verdict.status,
        "status_words": "not asked yet" if verdict is None else STATUS_WORDS[verdict.status],
        "judge_grade": _number(None if verdict is None else verdict.points),
        "confidence": _number(None if verdict is None else verdict.confidence),
        "reason": "" if verdict is None else harmless(verdict.reason),
        "overruled_grade": _number(None if said is None else said.points),
        "overruled_by": "" if said is None else harmless(said.who),
        "overruled_why": "" if said is None else harmless(said.why),
        "overruled_at": "" if said is None else harmless(said.made_at),
        "n_answers": str(sum(len(kept.answers) for kept in run.answers.get(judged.triple_key, ()))),
        "triple_key": judged.triple_key,
    }


def _number(value: int | None) -> str:
    return "" if value is None else str(value)
