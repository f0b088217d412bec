"""Names of rubrics and triples: the same texts have the same one, whoever found them."""

from __future__ import annotations

import json
from dataclasses import asdict

from core.judging.types import Candidate, Rubric, Triple
from core.ranking.check import Query
from data.store import content_hash


def rubric_key(rubric: Rubric) -> str:
    """Changes with any word of it."""
    return content_hash([json.dumps(asdict(rubric), sort_keys=True)])


def triple_key(triple: Triple) -> str:
    """The same for the same texts."""
    return content_hash([sound(triple.query), sound(triple.title), sound(triple.abstract)])


def triple_of(query: Query, candidate: Candidate) -> Triple:
    """What is graded of a candidate."""
    return Triple(query.text, candidate.title, candidate.abstract)


def sound(text: str) -> str:
    """Without halves of characters, which no store takes."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
