"""A rubric from 0 to 5, the shapes that an answer may have, and the reading of one."""

from __future__ import annotations

from core.judge.judgments import TripleVerdict
from core.judge.prompts import read_answer
from core.judge.rubric import check_rubric

RUBRIC = check_rubric(
    {
        "rubric_id": "fit",
        "name": "Fit",
        "task": "Grade it.",
        "grades": [{"points": n, "name": f"level {n}", "text": "So it is."} for n in range(6)],
        "shown_factor": 20,
    }
)
FLAT = '{"score": 4, "confidence": 8, "reason": "It is about that."}'
PUBLISHED = '{"relevanceScore": 4, "confidenceLevel": 8, "summaryStatement": "It is about that."}'
ENVELOPED = f'{{"paper_query_relevance": {PUBLISHED}}}'
FOUR = TripleVerdict("ok", 4, 8, "It is about that.")


def read(text: str) -> TripleVerdict:
    """With an abstract."""
    return read_answer(text, RUBRIC, has_abstract=True)
