"""One query of a benchmark, opened: what each run answers to it, in the order in which metrics read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.ranking.types import Judgment, Run


@dataclass(frozen=True, slots=True)
class Entry:
    """One document in one answer."""

    rank: int
    doc_id: str
    score: float


def entries(run: Run, query_id: str) -> tuple[Entry, ...]:
    """The answer as metrics read it: score descending, then doc_id ascending; a document that comes twice counts once.

    >>> import numpy as np
    >>> run = Run.of("a", ["x", "y"], [("1", np.array([1, 0, 1]), np.array([2.0, 2.0, 5.0]))])
    >>> [(entry.rank, entry.doc_id, entry.score) for entry in entries(run, "1")]
    [(1, 'y', 5.0), (2, 'x', 2.0)]
    """
    rows, scores = run.answer(query_id)
    pairs = sorted(
        ((run.doc_ids[row], score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True)),
        key=lambda pair: (-pair[1], pair[0]),
    )
    first: dict[str, float] = {}
    for doc_id, score in pairs:
        first.setdefault(doc_id, score)
    return tuple(Entry(rank, doc_id, score) for rank, (doc_id, score) in enumerate(first.items(), 1))


def answers_of(judgments: Iterable[Judgment]) -> Mapping[str, Mapping[str, int]]:
    """The relevant documents of every query with their grades, the most relevant first."""
    found: dict[str, dict[str, int]] = {}
    for judgment in judgments:
        if judgment.relevance > 0:
            grades = found.setdefault(judgment.query_id, {})
            grades[judgment.doc_id] = max(judgment.relevance, grades.get(judgment.doc_id, 0))
    return {
        query_id: dict(sorted(grades.items(), key=lambda each: (-each[1], each[0])))
        for query_id, grades in found.items()
    }
