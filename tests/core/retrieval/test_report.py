"""A leaderboard: values, intervals, comparisons and what it warns of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.collections import Collection, Run
from core.errors import InputError, SettingsError
from core.retrieval.leaderboard import score_runs
from core.retrieval.metrics import DEFAULT_METRICS
from tests.core.retrieval.ranked import collection_of, run_of
from tests.messages import refusal

N = 40


def topical(n=N) -> Collection:
    """Each query has one relevant document."""
    truth = {f"q{i}": {f"d{i}": 1} for i in range(n)}
    return replace(collection_of(truth, [f"d{i}" for i in range(n)]), name="topical")


TOPICAL = topical()


def placing(name, ranks, doc_ids=TOPICAL.doc_ids) -> Run:
    """The relevant document of query i stands at this rank; 0: nothing is answered."""
    answers = {}
    for i, rank in enumerate(ranks):
        if rank:
            others = [d for d in doc_ids[:20] if d != f"d{i}"][: rank - 1]
            answers[f"q{i}"] = [(d, -float(place)) for place, d in enumerate([*others, f"d{i}"])]
    return run_of(answers, doc_ids, name)


def test_values_intervals_and_comparisons():
    good = placing("good", [1] * N)
    poor = placing("poor", [2] * 30 + [1] * 10)
    board = score_runs([good, poor, placing("same", [1] * N)], TOPICAL, metric_ids=["MRR", "hit@1"])
    assert board.query_ids == TOPICAL.query_ids
    assert [run.values for run in board.scores] == [
        {"mrr": 1.0, "hit@1": 1.0},
        {"mrr": 0.625, "hit@1": 0.25},
        {"mrr": 1.0, "hit@1": 1.0},
    ]
    assert board.scores[0].intervals["mrr"] == pytest.approx((1, 1))
    low, high = board.scores[1].intervals["hit@1"]
    assert 0.05 < low < 0.25 < high < 0.45
    assert [(c.a, c.b, c.metric) for c in board.comparisons[:3]] == [
        ("good", "poor", "mrr"),
        ("good", "same", "mrr"),
        ("poor", "same", "mrr"),
    ]
    first, itself, _ = board.comparisons[:3]
    assert first.difference == -0.375
    assert first.interval.low < -0.375 < first.interval.high < 0
    assert first.p == pytest.approx(1 / 10_001)
    assert first.p_holm == pytest.approx(3 / 10_001)
    assert (itself.difference, itself.interval, itself.p, itself.p_holm) == (0, (0, 0), 1, 1)
    assert board.warnings == ()


def test_each_metric_has_its_own_p():
    runs = [placing(name, [rank] * N) for name, rank in (("a", 1), ("b", 2))]
    board = score_runs(runs, TOPICAL, metric_ids=["hit@5", "mrr", "hit@2"])
    assert {c.metric: c.p for c in board.comparisons} == pytest.approx({"hit@5": 1, "mrr": 1 / 10_001, "hit@2": 1})


def test_the_interval_of_a_difference_is_paired():
    """Two runs that differ by the same on every query: each is uncertain, their difference is not."""
    ranks = np.random.default_rng(0).integers(1, 10, N)
    board = score_runs([placing("a", ranks), placing("b", ranks)], TOPICAL, metric_ids=["mrr"])
    low, high = board.scores[0].intervals["mrr"]
    assert high - low > 0.1
    assert board.comparisons[0].interval == (0, 0)


def test_only_some_metrics_are_compared():
    runs = [placing(name, [1] * N) for name in "ab"]
    board = score_runs(runs, TOPICAL, compared=["nDCG@10"])
    assert [c.metric for c in board.comparisons] == ["ndcg@10"]
    assert tuple(board.scores[0].values) == DEFAULT_METRICS
    assert tuple(board.scores[0].intervals) == DEFAULT_METRICS
    assert score_runs(runs, TOPICAL, compared=[]).comparisons == ()
    with refusal(SettingsError):
        score_runs(runs, TOPICAL, compared=["hit@9"])


def test_seeds():
    runs = [placing("a", [1, 2] * 20), placing("b", [3, 1] * 20)]
    boards = [score_runs(runs, TOPICAL, metric_ids=["mrr"], seed=seed) for seed in (1, 1, 2)]
    assert boards[0].comparisons == boards[1].comparisons
    assert boards[0].scores[0].intervals == boards[1].scores[0].intervals
    assert boards[0].comparisons != boards[2].comparisons


def test_what_is_not_answered_counts_0():
    run = placing("half", [1, 0] * 20)
    board = score_runs([run], TOPICAL, metric_ids=["hit@1"])
    assert board.scores[0].values["hit@1"] == 0.5
    assert board.scores[0].n_unanswered == 20
    assert board.comparisons == ()
    (warning,) = board.warnings
    assert '"half"' in warning
    assert "20 of 40 judged" in warning


def test_a_split():
    collection = replace(TOPICAL, splits={"test": TOPICAL.query_ids[30:]})
    run = placing("r", [1] * 30 + [2] * 10)
    board = score_runs([run], collection, split="test", metric_ids=["hit@1"])
    assert (board.n_queries, len(board.query_ids), board.scores[0].values["hit@1"]) == (10, 10, 0)
    (warning,) = board.warnings
    assert warning.startswith("Only 10 queries ")
    with refusal(InputError):
        score_runs([run], collection, split="dev")


def test_warnings_of_judgments():
    truth = {"q1": {"d2": 1, "gone": 2, "lost": 1}, "q2": {"é": 1}, "q10": {"d2": 0}, "Q1": {}}
    collection = collection_of(truth)
    repeated = Collection("twice", collection.documents, collection.queries, collection.judgments * 2)
    run = run_of({"q1": [("d2", 1.0)], "q2": [("d2", 1.0)], "q9": [("d2", 1.0)]})
    board = score_runs([run], repeated, metric_ids=["recall@5"])
    assert (board.n_queries, board.n_without_judgments) == (4, 2)
    assert board.scores[0].values["recall@5"] == pytest.approx(1 / 6)
    facts = (
        "2 of 4 queries",
        "Only 2 queries",
        "2 relevant documents of 1 query",
        "5 repeated",
        '"run" answers 1 query',
    )
    for warning, fact in zip(board.warnings, facts, strict=True):
        assert warning.startswith(fact)


def test_documents_that_the_collection_does_not_have():
    collection = topical(2)
    run = run_of({"q0": [("new", 2.0), ("d0", 1.0)], "q1": [("d1", 1.0), ("new", 0.5)]}, ("new", "d0", "d1", "unused"))
    board = score_runs([run], collection, metric_ids=["mrr"])
    assert board.scores[0].values["mrr"] == 0.75
    assert any("has 2 places" in each for each in board.warnings)


def test_nothing_to_score():
    collection = collection_of({"q1": {"d2": 0}})
    runs = [run_of({"q1": [("d2", 1.0)]}, name=name) for name in "ab"]
    board = score_runs(runs, collection)
    assert set(board.scores[0].values.values()) == {None}
    assert (board.comparisons, board.scores[0].intervals, board.query_ids) == ((), {}, ())
    assert any("nothing to score" in each for each in board.warnings)
    assert score_runs([], topical()).scores == ()


def test_one_query_has_a_value_and_no_interval():
    board = score_runs([run_of({"q1": [("d2", 1.0)]}, name=n) for n in "ab"], collection_of({"q1": {"d2": 1}}))
    assert board.scores[0].values["mrr"] == 1
    assert (board.scores[0].intervals, board.comparisons) == ({}, ())
    (warning,) = board.warnings
    assert warning.startswith("Only 1 query ")


def test_two_runs_of_one_name():
    with refusal(InputError):
        score_runs([run_of({}), run_of({})], collection_of({"q1": {"d2": 1}}))


def test_compat_is_said():
    board = score_runs([run_of({"q1": [("d2", 1.0)]})], collection_of({"q1": {"zz": 1}}), compat="stark-2024")
    assert any("Scored as stark-2024 does" in each for each in board.warnings)
    assert board.scores[0].values["mrr"] == pytest.approx(1 / 7)


def test_every_mean_is_over_all_scored_queries_or_says_over_which():
    """The law of leaderboards: silence counts 0, and what is over fewer queries is apart, with their number."""
    always = placing("always", [2] * N)
    seldom = placing("seldom", [1] * 11 + [0] * (N - 11))
    board = score_runs([always, seldom, placing("never", [0] * N)], TOPICAL)
    for run in board.scores:
        assert run.n_answered + run.n_unanswered == len(board.query_ids) == N
        assert run.answered == run.n_answered / N
        for metric, value in run.values.items():
            assert value == pytest.approx(run.per_query[metric].mean())
            over = run.over_answered[metric]
            if over is None:
                assert (run.n_answered, value) == (0, 0)
            else:
                assert over * run.n_answered == pytest.approx(value * N)
    of_always, of_seldom, of_never = board.scores
    assert (of_seldom.values["mrr"], of_seldom.over_answered["mrr"], of_seldom.answered) == (11 / 40, 1, 11 / 40)
    assert of_always.over_answered == of_always.values
    assert set(of_never.over_answered.values()) == {None}
    pair = next(c for c in board.comparisons if (c.b, c.metric) == ("seldom", "mrr"))
    assert pair.difference == pytest.approx(11 / 40 - 1 / 2), "over all queries, as the means"


def test_no_run_is_above_the_ceiling_of_recall_and_a_perfect_one_reaches_it():
    rng = np.random.default_rng(0)
    doc_ids = tuple(f"d{i}" for i in range(30))
    relevant = {f"q{n}": rng.permutation(30)[: 1 + 4 * n] for n in range(6)}
    truth = {q: dict.fromkeys([doc_ids[row] for row in rows], 1) for q, rows in relevant.items()}
    truth["q0"]["elsewhere"] = 1
    collection = collection_of(truth, doc_ids)
    perfect = {q: [(doc_ids[row], -float(n)) for n, row in enumerate(rows)] for q, rows in relevant.items()}
    random = {q: [(d, -float(n)) for n, d in enumerate(rng.permutation(doc_ids))] for q in relevant}
    for compat in (None, "stark-2024"):
        board = score_runs(
            [run_of(perfect, doc_ids, "perfect"), run_of(random, doc_ids, "random")],
            collection,
            metric_ids=["recall@3", "recall@20", "precision@3"],
            compat=compat,
        )
        assert set(board.ceilings) == {"recall@3", "recall@20"}
        for metric, ceiling in board.ceilings.items():
            assert board.scores[0].values[metric] == pytest.approx(ceiling)
            assert board.scores[1].values[metric] <= ceiling + 1e-12
