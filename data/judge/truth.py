"""A collection's judgments of the judged publications, and the engines' rankings by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.collections import Collection, Run
from core.judge.judgments import JudgedCandidate, JudgeField, Rubric
from core.judge.reliability import Scale, agreement_with_people, suggested_scale
from core.judge.truth import KnownTruth
from core.retrieval.leaderboard import score_runs
from core.types import unique_ids
from data.collections import load_collection
from data.explore.workspace import Workspace
from data.judge.fields import known_answers
from data.judge.runs import JudgeRunRow
from data.judge.trust import PeopleSource, graded_twice, people_sources

WHOLE_METRICS = ("ndcg@10", "map")
WHOLE, JUDGED_ONLY = "whole rankings", "what was judged"
MOST_K = 10


def truth_source(workspace: Workspace, row: JudgeRunRow, judged: Sequence[JudgedCandidate]) -> PeopleSource | None:
    """Return the collection whose judgments serve as truth: the one searched, or the one with the most judgments."""
    sources = [each for each in people_sources(workspace.store, row.run_id, judged) if each.collection is not None]
    own = str(row.document.get("collection") or "")
    return next((each for each in sources if each.collection == own), sources[0] if sources else None)


def truth_of(
    workspace: Workspace,
    row: JudgeRunRow,
    field: JudgeField,
    judged: Sequence[JudgedCandidate],
    rubric: Rubric,
    *,
    cut: int,
    scale: Scale | None = None,
) -> KnownTruth | None:
    """Compare the run with known judgments; None if no collection judges the same queries and publications.

    `scale`: maps the judgments' values to grades of the rubric; None: as proposed.
    """
    source = truth_source(workspace, row, judged)
    if source is None or source.collection is None:
        return None
    pairs = graded_twice(workspace.store, row.run_id, judged, source)
    agreement = agreement_with_people(
        pairs, suggested_scale(source.values, rubric.points) if scale is None else scale, cut=cut
    )
    collection = _of_field(load_collection(workspace.store, source.collection), field)
    runs: Mapping[str, Run] = {name: saved.run for name, saved in known_answers(workspace, row.document, field).items()}
    is_whole = bool(runs)
    if not is_whole:
        runs = _judged_runs(field)
    k = min(MOST_K, max((each.rank for each in field.candidates), default=1))
    metrics = WHOLE_METRICS if is_whole else (f"ndcg@{k}", f"precision@{k}")
    board = score_runs(
        [_called(engine, runs[engine]) for engine in field.engines if engine in runs],
        collection,
        metric_ids=metrics,
    )
    over = WHOLE if is_whole else JUDGED_ONLY
    only_relevant = min(source.values) > 0
    return KnownTruth(source.collection, source.made_up, agreement, board, over, source.note, only_relevant)


def _of_field(collection: Collection, field: JudgeField) -> Collection:
    """Reduce the collection to the judged queries with the same wording."""
    texts = {query.query_id: query.text for query in field.queries}
    queries = tuple(query for query in collection.queries if texts.get(query.query_id) == query.text)
    return replace(collection, queries=queries, splits={})


def _called(name: str, run: Run) -> Run:
    return Run(name, run.query_ids, run.doc_ids, run.starts, run.rows, run.scores)


def _judged_runs(field: JudgeField) -> Mapping[str, Run]:
    doc_ids = unique_ids(each.doc_id for each in field.candidates)
    row_of = {doc_id: row for row, doc_id in enumerate(doc_ids)}
    answers: dict[str, dict[str, list[tuple[int, int]]]] = {engine: {} for engine in field.engines}
    for each in field.candidates:
        answers[each.engine].setdefault(each.query_id, []).append((row_of[each.doc_id], each.rank))
    return {
        engine: Run.of(
            engine,
            doc_ids,
            [
                (query_id, np.array([row for row, _ in found]), np.array([-float(rank) for _, rank in found]))
                for query_id, found in queries.items()
            ],
        )
        for engine, queries in answers.items()
    }
