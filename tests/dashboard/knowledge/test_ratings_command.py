"""`knowledge ratings`, and a question that is made a query by `knowledge answers --save-as`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from core.collections import Collection, Document, Query
from core.knowledge.query_quality import (
    COMMON,
    QUALITIES,
    SHARES,
    counts,
    overall_agreement,
    pair_agreements,
    share_of,
    to_rate,
)
from core.knowledge.templates import Requirement
from data.collections import load_collection, save_collection
from data.explore.workspace import Workspace
from data.knowledge.people import ratings_csv, ratings_of
from data.knowledge.templates import save_template
from data.retrieval.asking import corpus_of_base, try_retriever
from tests.dashboard.knowledge.test_explorer_commands import ENTITIES, RELATIONS, TEMPLATES
from tests.dashboard.runs import Runner, in_json
from tests.data.knowledge_bases import parts_of

GIVEN = (("q1", "Ada", 5), ("q1", "Bo", 4), ("q2", "Ada", 2), ("q2", "Bo", 2), ("q3", "Bo", 3))


@pytest.fixture
def soups(run: Runner) -> Runner:
    with Workspace.open(run.root) as workspace:
        queries = tuple(Query(f"q{n}", f"=soup {n}") for n in range(1, 7))
        collection = Collection("soups", (Document("d1", "Soup", ""),), queries, ())
        save_collection(workspace.store, collection, origin="by hand")
    for query_id, rater, points in GIVEN:
        assert (
            run("knowledge", "ratings", "soups", "--rate", query_id, "naturalness", points, "--by", rater).status == 0
        )
    return run


def test_shares_and_agreement_are_those_of_the_page(soups: Runner) -> None:
    document = soups("knowledge", "ratings", "soups", "--json").document
    with Workspace.open(soups.root) as workspace:
        kept = ratings_of(workspace.store, "soups")
    assert [(r["query_id"], r["rater"], r["points"]) for r in document["ratings"]] == [*GIVEN]
    assert list(document["qualities"]) == list(QUALITIES)
    for quality, found in document["qualities"].items():
        given = [one.rating for one in kept if one.rating.quality == quality]
        for metric in SHARES:
            share = share_of(given, metric)
            assert found["shares"][metric] == in_json(asdict(share) | {"interval": share.interval})
        assert found["counts"] == list(counts(given))
        assert found["agreement"] == in_json(asdict(overall_agreement(given)))
        assert found["pairs"] == [in_json(asdict(pair)) for pair in pair_agreements(given)]
    by_bo = document["qualities"]["naturalness"]["by_rater"]["Bo"]["positive"]
    assert (by_bo["n"], by_bo["value"]) == (3, pytest.approx(1 / 3))
    assert "Bo" in soups("knowledge", "ratings", "soups").out


def test_what_is_written_is_read_again(soups: Runner, tmp_path: Path) -> None:
    table = tmp_path / "ratings.csv"
    soups("knowledge", "ratings", "soups", "--out", table)
    with Workspace.open(soups.root) as workspace:
        assert table.read_bytes() == ratings_csv("soups", ratings_of(workspace.store, "soups"))
        workspace.store.execute("DELETE FROM query_ratings")
    for n in (len(GIVEN), 0):
        document = soups("knowledge", "ratings", "soups", "--import", table, "--json").document
        assert (document["n_imported"], document["rejected"], len(document["ratings"])) == (n, [], len(GIVEN))


def test_ratings_that_do_not_fit_are_refused_line_by_line(soups: Runner, tmp_path: Path) -> None:
    table = tmp_path / "odd.csv"
    lines = ["q9,,Cy,diversity,3", "q1,other words,Cy,diversity,3", "q1,,Cy,beauty,3", "q1,,Cy,diversity,six"]
    table.write_text("\n".join(["query_id,query_text,rater,quality,points", *lines, "q1,,Cy,diversity,1"]))
    document = soups("knowledge", "ratings", "soups", "--import", table, "--json").document
    assert document["n_imported"] == 1
    assert [problem.partition(":")[0] for problem in document["rejected"]] == ["line 2", "line 3", "line 4", "line 5"]
    table.write_text("query_id,rater,quality,points,made_at\nq1,Ada,naturalness,1,2001-01-01\n")
    assert soups("knowledge", "ratings", "soups", "--import", table, "--json").document["n_imported"] == 0, "older"


def test_a_rater_is_given_the_queries_of_the_page(soups: Runner) -> None:
    document = soups("knowledge", "ratings", "soups", "--next", 3, "--by", "Ada", "--json").document
    ids = to_rate([f"q{n}" for n in range(1, 7)], rater="Ada", n=3, common=COMMON, seed="soups")
    assert [each["query_id"] for each in document["next"]] == list(ids)
    assert "add --by NAME" in soups("knowledge", "ratings", "soups", "--next", 3).mistake
    assert (
        "1 to 5 points" in soups("knowledge", "ratings", "soups", "--rate", "q1", "diversity", 9, "--by", "A").mistake
    )


@pytest.fixture
def small(run: Runner) -> Runner:
    with Workspace.open(run.root) as workspace:
        workspace.knowledge.save("small", parts_of(ENTITIES, RELATIONS, answer_types=("paper",)), origin="by hand")
        for template in TEMPLATES:
            save_template(workspace.store, workspace.knowledge.open("small"), template)
    return run


def test_a_question_becomes_a_query_with_its_answers(small: Runner) -> None:
    ask = ("knowledge", "answers", "small", "by", "--given", "author=ito")
    first = small(*ask, "--save-as", "mine", "--json").document
    assert first["saved"]["query"] == first["question"]
    assert first["saved"]["is_new"] is True
    about = ("--about", "shade", "--relevant", "p1")
    second = small(*ask, "--save-as", "mine", *about, "--json").document["saved"]
    assert (second["query"], second["n_queries"]) == ("Which papers are by Ito, about shade?", 2)
    with Workspace.open(small.root) as workspace:
        kept = load_collection(workspace.store, "mine")
    answers = [(judgment.query_id, judgment.doc_id) for judgment in kept.judgments]
    assert answers == [
        (first["saved"]["query_id"], "p1"),
        (first["saved"]["query_id"], "p2"),
        (second["query_id"], "p1"),
    ]
    assert set(Requirement("by", {"author": ("ito",)}).labels) <= set(kept.queries[0].labels)


def test_a_question_is_asked_of_retrievers_and_what_meets_it_is_marked(small: Runner) -> None:
    ask = ("knowledge", "answers", "small", "by", "--given", "author=roy", "--words", "night trees")
    asked = small(*ask, "--ask", "bm25", "--ask", "dense:nothing", "--json").document["asked"]
    with Workspace.open(small.root) as workspace:
        base = workspace.knowledge.open("small")
        tried = try_retriever(corpus_of_base(workspace, base), base, "night trees", "bm25")
    found, failed = asked["rankings"]
    assert [(hit["doc_id"], hit["score"]) for hit in found["hits"]] == [(hit.doc_id, hit.score) for hit in tried.hits]
    assert {hit["doc_id"]: hit["meets"] for hit in found["hits"]} == {"p1": False, "p2": True}
    assert (failed["hits"], bool(failed["error"])) == ([], True)
    assert "Night work" in small(*ask, "--ask", "bm25").out


def test_a_query_that_can_not_be_made(small: Runner) -> None:
    ask = ("knowledge", "answers", "small", "by", "--given", "author=roy")
    assert "add --ask RETRIEVER or --save-as" in small(*ask, "--about", "shade").mistake
    assert "needs --save-as" in small(*ask, "--relevant", "p2").mistake
    assert "with --relevant ID" in small(*ask, "--save-as", "mine", "--about", "shade").mistake
    assert '"p1" is not' in small(*ask, "--save-as", "mine", "--relevant", "p1").mistake
    assert "saved" not in small(*ask, "--json").document
