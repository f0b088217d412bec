"""Scores by kind of query over Paper Lantern's two files: every kind with its queries, and pairs that are compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.judge.judgments import JudgeCandidate, JudgedCandidate, JudgeField, TripleVerdict
from core.judge.sampling import dimension_counts, paired
from core.judge.scores import engine_scores, paired_groups_scores
from data.importers.collection_files import read_collection
from tests.core.judge.runs_judged import RUBRIC

pytestmark = pytest.mark.collections


def test_every_kind_rests_on_its_queries_and_sets_are_compared_in_pairs(collections_dir: Path) -> None:
    collection = read_collection(collections_dir / "paperlantern").collection
    judged = tuple(
        JudgedCandidate(
            JudgeCandidate("a", query.query_id, 1, "d", "Title", "Text."), query.query_id, TripleVerdict("ok", grade)
        )
        for query in collection.queries
        for grade in [4 if "non_ai" in query.query_id else 3]
    )
    scores = engine_scores(
        JudgeField("all", collection.queries, tuple(each.candidate for each in judged)), judged, RUBRIC, seed=1
    )
    counts = {
        dimension: {value: cells["a"].mean.n for value, cells in values.items()}
        for dimension, values in scores.dimensions.items()
    }
    assert counts == dimension_counts(collection.queries)
    assert sum(counts["length"].values()) == 400
    first, second = (collection.of_split(split) for split in collection.splits)
    pairs = [(a.query_id, b.query_id) for a, b in paired(first, second).alike]
    found = paired_groups_scores(scores, scores, {"": pairs}, names=("AI", "other"))[""]["a"]
    assert (found.n_queries, abs(found.difference or 0)) == (200, 20)
    assert found.is_clear
