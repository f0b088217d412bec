"""Grades by kind of query and by rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collections import Query
from core.judge.grades import Dimensions, by_rank, cells_of, dimension_cells, dimension_values
from core.judge.judgments import JudgedCandidate, JudgeField, TripleVerdict
from core.judge.scores import engine_scores
from tests.core.judge.runs_judged import RUBRIC, Said, judged_run, slow_mean

KINDS = {
    "q1": [("kind", "long"), ("stage", "first")],
    "q2": [("kind", "long"), ("stage", "last"), ("stage", "first")],
    "q3": [("kind", "short")],
}
SAID: dict[str, dict[str, list[Said]]] = {
    "a": {"q1": [5, 1], "q2": [3, "refused"], "q3": [0, 2]},
    "b": {"q1": [4], "q2": ["truncated", "filtered"], "q3": [1, None]},
}


def on_values(field: JudgeField, judged: Sequence[JudgedCandidate]) -> Dimensions:
    cells = cells_of(field, judged, cut=RUBRIC.points[0], judge_alone=False)
    return dimension_cells(field.queries, cells, RUBRIC, seed=0)


def test_values_come_by_how_many_queries_carry_them() -> None:
    field, _ = judged_run(SAID, KINDS)
    assert dimension_values(field.queries) == {
        "kind": {"long": ("q1", "q2"), "short": ("q3",)},
        "stage": {"first": ("q1", "q2"), "last": ("q2",), "without this label": ("q3",)},
    }


def test_what_fills_a_template_is_no_dimension() -> None:
    assert dimension_values([Query("q", "text", (("given", "tin"),))]) == {}


def test_a_cell_has_its_own_mean_queries_and_coverage() -> None:
    field, judged = judged_run(SAID, KINDS)
    found = on_values(field, judged)
    a, b = (found["kind"]["long"][engine] for engine in "ab")
    assert (a.mean.value, a.mean.n, a.n_queries, a.coverage) == (60, 2, 2, 0.75)
    assert (b.mean.value, b.mean.n, b.n_queries, b.coverage) == (80, 1, 2, 1 / 3)
    assert a.is_small
    assert b.mean.interval is None
    assert found["stage"]["last"]["b"].mean.value is None


def test_small_is_below_ten_queries_with_a_grade() -> None:
    said: dict[str, dict[str, list[Said]]] = {"a": {f"q{n}": [n % 6] for n in range(10)}}
    kinds = {f"q{n}": [("kind", "one")] for n in range(10)}
    assert not on_values(*judged_run(said, kinds))["kind"]["one"]["a"].is_small
    said["a"]["q9"] = ["refused"]
    assert on_values(*judged_run(said, kinds))["kind"]["one"]["a"].is_small


def test_ranks_have_the_mean_of_what_stands_there() -> None:
    found = by_rank(*judged_run(SAID), RUBRIC)
    assert [found["a"][rank].mean.value for rank in (1, 2)] == [pytest.approx(20 * 8 / 3), 30]
    assert (found["a"][2].mean.n, found["a"][2].n_queries, found["a"][2].coverage) == (2, 3, 2 / 3)
    assert (found["b"][2].mean.value, found["b"][2].n_candidates) == (None, 2)


def test_ranks_beyond_fifty_are_left_out() -> None:
    found = by_rank(*judged_run({"a": {"q1": [1] * 60}}), RUBRIC)
    assert list(found["a"]) == list(range(1, 51))


GRADES = st.lists(st.one_of(st.integers(0, 5), st.just("refused")), min_size=1, max_size=3)
LABELLED = st.lists(st.tuples(st.sampled_from(["long", "short"]), GRADES), min_size=1, max_size=8)


@settings(max_examples=30, deadline=None)
@given(LABELLED)
def test_a_value_is_scored_as_a_run_over_its_queries_alone(answers: list[tuple[str, list[Said]]]) -> None:
    said = {"a": {f"q{n}": row for n, (_, row) in enumerate(answers)}}
    labels = {f"q{n}": [("kind", kind)] for n, (kind, _) in enumerate(answers)}
    field, judged = judged_run(said, labels)
    for value, cells in on_values(field, judged)["kind"].items():
        part = [each for each in judged if labels[each.candidate.query_id] == [("kind", value)]]
        slow = slow_mean(part, "a")
        cell = cells["a"]
        assert cell.mean.value == (None if slow is None else pytest.approx(slow))
        assert cell.n_queries == len({each.candidate.query_id for each in part})
        only = {"a": {query: row for query, row in said["a"].items() if labels[query] == [("kind", value)]}}
        assert engine_scores(*judged_run(only), RUBRIC).engines[0].mean == cell.mean


def test_the_document_of_a_verdict_by_title_alone_counts_it_apart() -> None:
    field, judged = judged_run({"a": {"q1": ["no_abstract", 2]}})
    by_title = [replace(judged[0], verdict=TripleVerdict("no_abstract", 4, 3, "By its title.")), judged[1]]
    for rows, expected in ((by_title, (60, 1, 1, 1)), (judged, (40, 0, 1, 0.5))):
        found = engine_scores(field, rows, RUBRIC).engines[0]
        assert (found.mean.value, found.n_by_title, found.statuses["no_abstract"], found.coverage) == expected
