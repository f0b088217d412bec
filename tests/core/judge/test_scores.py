"""Means rest on grades that were given, and say what is missing."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import product
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collections import Collection, Document, Judgment, Run
from core.errors import MisalignedError, SettingsError
from core.judge.judgments import STATUSES
from core.judge.scores import (
    best_engines,
    default_cut,
    engine_scores,
    judge_verdict,
    paired_groups_scores,
    results_document,
)
from core.retrieval.leaderboard import score_runs
from core.stats import wilson
from tests.core.judge.runs_judged import RUBRIC, Said, judged_run, overruled, slow_mean
from tests.messages import refusal

MISHAPS = tuple(status for status in STATUSES if status not in ("ok", "repaired"))
SAID = st.one_of(st.integers(0, 5), st.sampled_from(MISHAPS), st.none())
ANSWERS = st.dictionaries(st.sampled_from(["q1", "q2", "q3", "q4"]), st.lists(SAID, min_size=1, max_size=4), min_size=1)
RUNS = st.dictionaries(st.sampled_from(["a", "b", "c"]), ANSWERS, min_size=1)
TWO: dict[str, dict[str, list[Said]]] = {
    "a": {"q1": [5, 3, "invalid_scale"], "q2": [0, "refused"], "q3": ["http_error"]},
    "b": {"q1": [1, 1, 1], "q2": [2, None], "q3": [4]},
}
KIND = {"q1": [("kind", "long"), ("field", "tin")], "q2": [("kind", "long")], "q3": [("kind", "short")]}


def test_a_mean_is_that_of_the_queries_and_leaves_out_what_has_no_grade() -> None:
    field, judged = judged_run(TWO)
    a, b = engine_scores(field, judged, RUBRIC).engines
    assert a.mean.value == (80 + 0) / 2
    assert (a.n, a.n_valid, a.coverage, a.n_without) == (6, 3, 0.5, 1)
    assert a.statuses["invalid_scale"] == a.statuses["refused"] == a.statuses["http_error"] == 1
    assert a.levels == {0: 1, 1: 0, 2: 0, 3: 1, 4: 0, 5: 1}
    assert a.share_at_cut.value == 0.5
    assert b.mean.value == pytest.approx((20 + 40 + 80) / 3)
    assert (b.n_waiting, b.coverage) == (1, 5 / 6)


def test_all_engines_together_are_every_grade_of_a_query() -> None:
    field, judged = judged_run(TWO)
    overall = engine_scores(field, judged, RUBRIC).overall
    assert overall.mean.value == pytest.approx(20 * ((5 + 3 + 1 + 1 + 1) / 5 + (0 + 2) / 2 + 4) / 3)
    assert (overall.n, overall.n_valid) == (12, 8)


def test_what_is_missing_is_said() -> None:
    field, judged = judged_run({**TWO, "c": {"q1": [4]}})
    warnings = engine_scores(field, judged, RUBRIC).warnings
    for facts in (
        ("a: 3 of 6 judged", "for 1 query"),
        ("b: 1 of 6 publications", "not judged yet"),
        ("c: 2 of 3 queries unanswered",),
        ("differs", "from 50 to 100 %"),
    ):
        assert any(all(fact in warning for fact in facts) for warning in warnings), facts


def test_a_grade_of_a_person_counts_and_the_judge_alone_can_be_seen() -> None:
    field, judged = judged_run({"a": {"q1": [1], "q2": ["invalid_json"]}})
    corrected = (overruled(judged[0], 4), overruled(judged[1], 2))
    with_people = engine_scores(field, corrected, RUBRIC).engines[0]
    assert (with_people.mean.value, with_people.coverage, with_people.n_overruled) == (60, 1, 2)
    alone = engine_scores(field, corrected, RUBRIC, judge_alone=True).engines[0]
    assert (alone.mean.value, alone.coverage, alone.n_overruled) == (20, 0.5, 0)
    assert alone.statuses == with_people.statuses


def test_one_query_has_no_range_and_none_has_no_mean() -> None:
    field, judged = judged_run({"a": {"q1": [2, 3]}, "b": {"q1": ["filtered"]}})
    scores = engine_scores(field, judged, RUBRIC)
    a, b = scores.engines
    assert a.mean.interval is None
    assert "needs two queries" in a.mean.reason
    assert b.mean.value is None
    assert "no query" in b.mean.reason
    assert scores.comparisons[0].difference is None
    assert scores.comparisons[0].sentence.startswith("a and b can't be compared: ")


def test_nothing_judged_gives_no_number() -> None:
    field, judged = judged_run({"a": {"q1": [None]}})
    only = engine_scores(field, judged, RUBRIC).engines[0]
    assert (only.mean.value, only.coverage, only.n_waiting) == (None, 0, 1)
    empty_field, nothing = judged_run({})
    empty = engine_scores(empty_field, nothing, RUBRIC)
    assert (empty.engines, empty.overall.mean.value, empty.overall.coverage, empty.ranks) == ((), None, None, {})


def test_the_cut_is_a_grade() -> None:
    assert default_cut(RUBRIC) == 3
    field, judged = judged_run(TWO)
    with pytest.raises(SettingsError, match="0 to 5, got 7"):
        engine_scores(field, judged, RUBRIC, cut=7)
    assert engine_scores(field, judged, RUBRIC, cut=0).engines[0].share_at_cut.value == 1


def test_what_is_not_in_the_field_is_not_counted_silently() -> None:
    field, judged = judged_run(TWO)
    with refusal(MisalignedError):
        engine_scores(replace(field, queries=field.queries[1:]), judged, RUBRIC)


@settings(max_examples=30, deadline=None)
@given(RUNS, st.randoms(use_true_random=False))
def test_means_are_as_the_long_way_and_the_order_of_candidates_does_not_matter(
    said: dict[str, dict[str, list[Said]]], shuffler: random.Random
) -> None:
    field, judged = judged_run(said)
    scores = engine_scores(field, judged, RUBRIC)
    for each in scores.engines:
        slow, slow_share = slow_mean(judged, each.engine), slow_mean(judged, each.engine, lambda points: points >= 3)
        assert each.mean.value == (None if slow is None else pytest.approx(slow))
        assert each.share_at_cut.value == (None if slow_share is None else pytest.approx(slow_share))
        assert each.levels.keys() == set(RUBRIC.points)
        assert sum(each.levels.values()) == each.n_valid
        if each.mean.interval:
            assert each.mean.interval.low <= each.mean.value <= each.mean.interval.high  # type: ignore[operator]
            assert each.mean.interval.low >= 0
            assert each.mean.interval.high <= 100
    mixed = list(judged)
    shuffler.shuffle(mixed)
    assert results_document(engine_scores(field, mixed, RUBRIC)) == results_document(scores)


@settings(max_examples=30, deadline=None)
@given(RUNS, st.sampled_from(MISHAPS))
def test_an_answer_without_a_grade_changes_no_mean_but_the_coverage(
    said: dict[str, dict[str, list[Said]]], mishap: Said
) -> None:
    before = engine_scores(*judged_run(said), RUBRIC)
    more = {engine: {query: [*row, mishap] for query, row in answers.items()} for engine, answers in said.items()}
    after = engine_scores(*judged_run(more), RUBRIC)
    for old, new in zip(before.engines, after.engines, strict=True):
        assert (new.mean, new.share_at_cut, new.levels) == (old.mean, old.share_at_cut, old.levels)
        assert old.coverage is not None
        assert new.coverage is not None
        assert new.coverage < old.coverage or old.coverage == new.coverage == 0
    assert [each.difference for each in after.comparisons] == [each.difference for each in before.comparisons]


def test_a_clear_difference_is_told_from_one_that_is_not() -> None:
    many = {f"q{n}": [n % 3] for n in range(12)}
    said: dict[str, dict[str, list[Said]]] = {
        "low": dict(many),
        "high": {query: [row[0] + 3] for query, row in many.items()},
        "mixed": {query: [row[0] + (1 if place % 2 else 0)] for place, (query, row) in enumerate(many.items())},
        "alike": {query: [(row[0] + place) % 3] for place, (query, row) in enumerate(many.items())},
    }
    pairs = {(c.a, c.b): c for c in engine_scores(*judged_run(said), RUBRIC).comparisons}
    clear = pairs["low", "high"]
    assert (clear.difference, clear.n_queries, clear.is_clear) == (60, 12, True)
    assert clear.sentence.endswith("higher for high than for low, by 60.0 (60.0 to 60.0; 12 queries).")
    turned = pairs["high", "mixed"]
    assert turned.is_clear
    assert turned.sentence.partition(" (")[0].endswith("for high than for mixed, by 50.0")
    unclear = pairs["low", "alike"]
    assert not unclear.is_clear
    assert unclear.sentence.startswith("Not clear ")
    assert ": alike − low is 0.0 (−" in unclear.sentence


def test_two_sets_are_compared_pair_by_pair() -> None:
    first = engine_scores(*judged_run({"a": {"q1": [1], "q2": [2]}, "b": {"q1": [5]}}), RUBRIC)
    second = engine_scores(*judged_run({"a": {"p1": [3], "p2": [5]}, "c": {"p1": [5]}}), RUBRIC)
    pairs = [("q1", "p1"), ("q2", "p2"), ("q3", "p3")]
    found = paired_groups_scores(first, second, {"": pairs}, names=("AI", "other"))[""]
    assert list(found) == ["a"]
    assert (found["a"].difference, found["a"].n_queries) == (50, 2)
    assert "for AI or for other" in found["a"].sentence
    assert "2 pairs of queries" in found["a"].sentence
    other = engine_scores(*judged_run({"a": {"p1": [3]}}), replace(RUBRIC, shown_factor=1))
    with refusal(SettingsError):
        paired_groups_scores(first, other, {"": pairs}, names=("AI", "other"))


def test_the_document_has_the_keys_that_others_read() -> None:
    document = results_document(engine_scores(*judged_run(TWO, KIND), RUBRIC))
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert {"n", "valid", "coverage", "statuses", "mean_score", "interval", "by_dimension"} <= document.keys()
    assert (document["n"], document["valid"], document["statuses"]["refused"]) == (12, 8, 1)
    cell = document["by_dimension"]["kind"]["long"]
    assert cell["n"] == 2
    assert cell["mean"] == pytest.approx(20 * (11 / 5 + 1) / 2)
    assert cell["is_small"]
    assert document["engines"]["a"]["by_dimension"]["kind"]["short"]["mean"] is None
    assert document["comparisons"][0].keys() >= {"a", "b", "metric", "difference", "interval", "p", "p_holm"}


def test_the_range_of_two_queries_is_from_one_to_the_other() -> None:
    # A resample holds either of them twice with probability 1/4 each, so both lie within the middle 95 %.
    found = engine_scores(*judged_run({"a": {"q1": [1, 2], "q2": [4]}}), RUBRIC).engines[0].mean
    assert found.interval == (30, 80)


def test_a_pair_is_tested_as_its_common_queries_alone_would_be() -> None:
    said: dict[str, dict[str, list[Said]]] = {
        "a": {f"q{n}": [n % 4, n % 3] for n in range(9)},
        "b": {f"q{n}": [(n + 2) % 5, n % 2] for n in range(9)} | {"q3": ["refused"]},
        "c": {f"q{n}": [n % 6] for n in range(6)},
    }
    found = {(c.a, c.b): c for c in engine_scores(*judged_run(said), RUBRIC).comparisons}
    for (first, second), c in found.items():
        common = [
            (fmean(a), fmean(b))
            for query, row in said[first].items()
            if (a := [each for each in row if isinstance(each, int)])
            and (b := [each for each in said[second].get(query, []) if isinstance(each, int)])
        ]
        assert c.n_queries == len(common)
        differences = [20 * (b - a) for a, b in common]
        assert c.difference == pytest.approx(fmean(differences))
        total = abs(sum(differences)) - 1e-9
        signs = list(product((-1, 1), repeat=len(common)))
        as_large = sum(abs(sum(s * d for s, d in zip(row, differences, strict=True))) >= total for row in signs)
        assert c.p == pytest.approx(as_large / len(signs))
    worst = max(found.values(), key=lambda c: c.p or 0)
    assert worst.p_holm is not None
    assert min((c.p or 0) * 3 for c in found.values()) == pytest.approx(min(c.p_holm or 0 for c in found.values()))


def test_one_query_has_ranges_over_its_publications() -> None:
    said: dict[str, dict[str, list[Said]]] = {"a": {"q1": [5, 0, 3, 1, "refused"]}, "b": {"q1": [2]}}
    a, b = engine_scores(*judged_run(said), RUBRIC).engines
    assert a.within is not None
    assert a.within.mean.low < 45 < a.within.mean.high
    assert a.within.share == wilson(2, 4)
    assert b.within is None
    more = engine_scores(*judged_run({"a": {"q1": [5, 0], "q2": [1, 1]}}), RUBRIC).engines[0]
    assert more.within is None


def test_that_means_rest_on_little_is_said_once() -> None:
    both = engine_scores(*judged_run({"a": {"q1": [1], "q2": [1]}, "b": {"q1": [2], "q2": [3]}}), RUBRIC)
    one = engine_scores(*judged_run({"a": {"q1": [1]}}), RUBRIC)
    for (warning,), fact in ((both.warnings, "on 2 queries at most"), (one.warnings, "on only 1 query")):
        assert fact in warning
    assert one.warnings[0].startswith("a: ")


@settings(max_examples=60, deadline=None)
@given(RUNS)
def test_every_mean_is_over_all_queries_or_says_over_which(said: dict[str, dict[str, list[Said]]]) -> None:
    """The law of leaderboards: silence counts 0 in the mean over all, and no mean hides what it rests on."""
    field, judged = judged_run(said)
    document = results_document(engine_scores(field, judged, RUBRIC))
    n = len(field.queries)
    for engine, row in document["engines"].items():
        answered = {q for q in said[engine] if said[engine][q]}
        assert row["n_asked_queries"] == n
        assert row["n_answered"] + row["n_unanswered"] == n
        assert row["answered"] == len(answered) / n
        assert row["n_scored_queries"] + row["n_queries_without_grade"] == row["n_answered"]
        if row["mean_score"] is None:
            assert row["mean_score_all"] is None
            continue
        assert row["n_scored_queries_all"] + row["n_queries_without_grade"] == n
        total = row["mean_score"] * row["n_scored_queries"]
        assert row["mean_score_all"] * row["n_scored_queries_all"] == pytest.approx(total)
    for pair in (*document["comparisons"], *document["comparisons_all"]):
        assert pair["over"] in ("shared queries", "all queries")
        assert pair["n"] <= n
        said_over = pair["sentence"]
        if pair["interval"] is not None and pair["n"] < n:
            assert "grades for both" in said_over or "unanswered ones as 0" in said_over
    for values in (row["by_dimension"] for row in document["engines"].values()):
        assert all({"n", "n_all", "n_answered", "n_queries"} <= cell.keys() for of in values.values() for cell in of)


def test_an_engine_that_answers_eleven_of_twenty_queries_is_not_the_best_for_it() -> None:
    run: dict[str, dict[str, list[Said]]] = {
        "always": {f"q{n}": [3] for n in range(20)},
        "seldom": {f"q{n}": [5] for n in range(11)},
    }
    scores = engine_scores(*judged_run(run), RUBRIC)
    always, seldom = scores.engines
    assert (seldom.coverage, seldom.answered, seldom.mean.value, seldom.mean_all.value) == (1, 0.55, 100, 55)
    assert (always.answered, always.mean.value, always.mean_all.value) == (1, 60, 60)
    assert (seldom.share_at_cut.value, seldom.share_at_cut_all.value) == (1, 0.55)
    assert [each.engine for each in best_engines(scores)] == ["always", "seldom"]
    assert judge_verdict(scores).startswith("With 0 for unanswered queries, always has the highest")
    (shared,), (over_all,) = scores.comparisons, scores.comparisons_all
    assert (shared.n_queries, shared.difference, over_all.n_queries, over_all.difference) == (11, 40, 20, -5)
    assert "the 11 queries" in shared.sentence
    assert "all 20 queries, unanswered ones as 0" in over_all.sentence


def test_a_query_that_an_engine_was_not_asked_is_no_silence() -> None:
    field, judged = judged_run({"a": {"q1": [4], "q2": [2]}, "b": {"q1": [4]}})
    b = engine_scores(replace(field, not_asked={"b": ("q2",)}), judged, RUBRIC).engines[1]
    assert (b.n_asked, b.n_unanswered, b.mean_all.value) == (1, 0, 80)


@settings(max_examples=30, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["q1", "q2", "q3", "q4", "q5"]), st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=1
    )
)
def test_benchmark_and_judge_agree_on_what_silence_costs(answers: dict[str, list[int]]) -> None:
    """Grades as judgments: precision at k is the share at the cut over all queries, and both count the unanswered."""
    everything: dict[str, dict[str, list[Said]]] = {"all": {f"q{n}": [0, 0, 0] for n in range(1, 6)}}
    everything["some"] = {query_id: list(row) for query_id, row in answers.items()}
    field, judged = judged_run(everything)
    some = engine_scores(field, judged, RUBRIC).engines[1]
    doc_ids = ("d1", "d2", "d3", "elsewhere")
    truth = [Judgment(q.query_id, "elsewhere", 1) for q in field.queries]  # so that none is left out
    truth += [
        Judgment(q, f"d{rank}", int(given >= 3)) for q, row in answers.items() for rank, given in enumerate(row, 1)
    ]
    collection = Collection("c", tuple(Document(each, each, "") for each in doc_ids), field.queries, tuple(truth))
    ranked = [(q, np.arange(3), np.array([3.0, 2.0, 1.0])) for q in answers]
    (row,) = score_runs([Run.of("some", doc_ids, ranked)], collection, metric_ids=["precision@3"]).scores
    assert row.values["precision@3"] == pytest.approx(some.share_at_cut_all.value)
    assert row.over_answered["precision@3"] == pytest.approx(some.share_at_cut.value)
    assert (row.n_unanswered, row.answered) == (some.n_unanswered, some.answered)
