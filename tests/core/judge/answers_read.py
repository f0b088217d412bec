"""The shapes that an answer may have, and the reading of one on a scale from 0 to 5."""

from __future__ import annotations

from core.judge.judgments import TripleVerdict
from core.judge.prompts import read_answer
from tests.core.judge.runs_judged import RUBRIC

FLAT = '{"score": 4, "confidence": 8, "reason": "It is about that."}'
PUBLISHED = '{"relevanceScore": 4, "confidenceLevel": 8, "summaryStatement": "It is about that."}'
ENVELOPED = f'{{"paper_query_relevance": {PUBLISHED}}}'
FOUR = TripleVerdict("ok", 4, 8, "It is about that.")


def read(text: str) -> TripleVerdict:
    """With an abstract."""
    return read_answer(text, RUBRIC, has_abstract=True)
