"""Runs by groups of queries, and two runs query by query."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import NotFoundError, SettingsError
from core.retrieval.leaderboard import score_runs
from core.retrieval.query_results import MOST_GROUPS, OTHERS, group_scores, groupings, per_query_pairs
from tests.core.retrieval.ranked import DOC_IDS, collection_of, run_of
from tests.messages import refusal

TRUTH = {
    "q1": {"d2": 1, "é": -1},
    "q2": {"d2": 1, "d10": 2, "é": -1},
    "q3": {"9": 1},
    "q4": dict.fromkeys(DOC_IDS, 1),
    "q5": {"d2": 0},
}
TEXTS = {"q1": "green", "q2": "green-house gas", "q3": "one two three four", "q4": " ".join(["word"] * 30), "q5": "x"}
COLLECTION = collection_of(TRUTH, texts=TEXTS)
A = run_of({q: [("d2", 1.0)] for q in TRUTH}, name="a")
B = run_of({"q1": [("d2", 1.0)], "q3": [("9", 1.0)]}, name="b")
BOARD = score_runs([A, B], COLLECTION, metric_ids=["hit@1", "recall@5"])


def labelled(labels):
    queries = tuple(replace(query, labels=labels.get(query.query_id, ())) for query in COLLECTION.queries)
    return replace(COLLECTION, queries=queries)


def test_by_length():
    groups = group_scores(BOARD, COLLECTION, by="length", metric="hit@1")
    assert [(group.name, group.query_ids, group.values) for group in groups] == [
        ("1 to 3 words", ("q1", "q2"), (1.0, 0.5)),
        ("4 to 8 words", ("q3",), (0.0, 1.0)),
        ("17 words or more", ("q4",), (1.0, 0.0)),
    ]
    assert groups[0].intervals == ((1, 1), (0, 1))
    assert (groups[1].n, groups[1].intervals) == (1, (None, None))


def test_by_number_of_answers():
    groups = group_scores(BOARD, COLLECTION, by="answers", metric="recall@5")
    assert [(group.name, group.n, group.values) for group in groups] == [
        ("1 answer", 2, (0.5, 1.0)),
        ("2 to 5 answers", 1, (0.5, 0.0)),
        ("6 to 20 answers", 1, (1 / 8, 0.0)),
    ]


def test_a_query_without_words_is_in_a_group_of_its_own():
    collection = collection_of(TRUTH, texts=TEXTS | {"q1": "?!"})
    assert group_scores(BOARD, collection, by="length", metric="hit@1")[0].name == "no words"


def test_by_label():
    collection = labelled(
        {"q1": (("area", "x"), ("kind", "k")), "q2": (("area", "y"), ("area", "x")), "q5": (("z", "1"),)}
    )
    assert groupings(collection) == {
        "length": "Query length",
        "answers": "Number of answers",
        "label:area": "area",
        "label:kind": "kind",
        "label:z": "z",
    }
    groups = group_scores(BOARD, collection, by="label:area", metric="hit@1")
    assert [(group.name, group.query_ids) for group in groups] == [
        ("x", ("q1", "q2")),
        ("y", ("q2",)),
        ("without this label", ("q3", "q4")),
    ]


def test_a_label_with_many_values_has_its_rarest_together():
    truth = {f"q{i}": {"d2": 1} for i in range(50)}
    plain = collection_of(truth)
    queries = tuple(
        replace(query, labels=(("id", "common" if i < 5 else f"v{i:02}"),)) for i, query in enumerate(plain.queries)
    )
    board = score_runs([run_of({"q7": [("d2", 1.0)]})], plain, metric_ids=["mrr"])
    groups = group_scores(board, replace(plain, queries=queries), by="label:id", metric="mrr")
    assert len(groups) == MOST_GROUPS
    assert [(group.name, group.n) for group in (groups[0], groups[1], groups[-1])] == [
        ("common", 5),
        ("v05", 1),
        (OTHERS, 35),
    ]
    assert sum(group.n for group in groups) == 50


def test_groups_make_up_the_whole():
    for by in ("length", "answers"):
        groups = group_scores(BOARD, COLLECTION, by=by, metric="recall@5")
        for place, run in enumerate(BOARD.scores):
            whole = sum(group.n * group.values[place] for group in groups) / len(BOARD.query_ids)
            assert whole == pytest.approx(run.values["recall@5"])


def test_what_queries_cannot_be_grouped_by():
    with refusal(NotFoundError):
        group_scores(BOARD, COLLECTION, by="label:area", metric="hit@1")
    with refusal(SettingsError):
        group_scores(BOARD, COLLECTION, by="length", metric="map")


def test_without_runs_groups_have_no_values():
    groups = group_scores(score_runs([], COLLECTION), COLLECTION, by="length", metric="mrr")
    assert [(group.n, group.values) for group in groups] == [(2, ()), (1, ()), (1, ())]


def test_two_runs_query_by_query():
    pairs = per_query_pairs(BOARD, "a", "b", "hit@1")
    assert pairs.query_ids == ("q1", "q2", "q3", "q4")
    assert (pairs.a.tolist(), pairs.b.tolist()) == ([1, 1, 0, 1], [1, 0, 1, 0])
    assert (pairs.n_a_better, pairs.n_b_better, pairs.n_tied) == (2, 1, 1)
    with refusal(NotFoundError):
        per_query_pairs(BOARD, "a", "c", "hit@1")
