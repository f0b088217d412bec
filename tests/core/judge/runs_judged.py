"""Judged runs of a few made-up queries, and the same means worked out the long way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from core.collections import Query
from core.judge.judgments import (
    Grade,
    GradeOverride,
    JudgeCandidate,
    JudgedCandidate,
    JudgeField,
    Rubric,
    Status,
    TripleVerdict,
)

RUBRIC = Rubric(
    "six", "Six grades", "Grade.", ("Meaning.",), tuple(Grade(n, f"grade {n}", "when") for n in range(6)), 20
)
Said = int | Status | None
"""A grade, what went wrong, or not asked."""


def judged_run(
    said: Mapping[str, Mapping[str, Sequence[Said]]], labels: Mapping[str, Sequence[tuple[str, str]]] | None = None
) -> tuple[JudgeField, tuple[JudgedCandidate, ...]]:
    """By engine and query: what was said of each rank."""
    ids = dict.fromkeys(query_id for answers in said.values() for query_id in answers)
    queries = tuple(Query(query_id, f"about {query_id}", tuple((labels or {}).get(query_id, ()))) for query_id in ids)
    judged = tuple(
        JudgedCandidate(
            JudgeCandidate(engine, query_id, rank, f"d{rank}", "Title", "Text."),
            f"{query_id}-{rank}-{engine}",
            of(each),
        )
        for engine, answers in said.items()
        for query_id, row in answers.items()
        for rank, each in enumerate(row, 1)
    )
    return JudgeField("made up", queries, tuple(each.candidate for each in judged)), judged


def of(said: Said) -> TripleVerdict | None:
    """A verdict of a grade or of a mishap."""
    if said is None:
        return None
    return (
        TripleVerdict("ok", said, 8, "Near.") if isinstance(said, int) else TripleVerdict(said, reason="it went wrong")
    )


def overruled(judged: JudgedCandidate, points: int) -> JudgedCandidate:
    """The same with a person's grade."""
    return replace(judged, overruled=GradeOverride(judged.triple_key, points, "Ada", "It is near.", "2026-01-01"))


def slow_mean(
    judged: Sequence[JudgedCandidate], engine: str, worth: Callable[[int], float] = lambda points: 20 * points
) -> float | None:
    """Mean over queries of the means of what their grades are worth, word for word."""
    by_query: dict[str, list[float]] = {}
    for each in judged:
        if each.candidate.engine == engine and each.points is not None:
            by_query.setdefault(each.candidate.query_id, []).append(worth(each.points))
    return fmean(map(fmean, by_query.values())) if by_query else None
