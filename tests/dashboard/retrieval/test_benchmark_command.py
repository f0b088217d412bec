"""`search` and `benchmark` on a small collection in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.retrieval.specs import KINDS
from tests.dashboard.beir import write_beir
from tests.dashboard.runs import Runner, ordered

TEXTS = {
    "d1": ("Tea leaves", "Steeping green leaves in hot water."),
    "d2": ("Kettles", "Boiling water for tea quickly."),
    "d3": ("Petri nets", "Places and transitions of a process model."),
    "d4": ("Workflow", "A process model with places for every task."),
    "d5": ("", ""),
}
QUERIES = {"q1": "boiling water for tea", "q2": "process model places", "q3": "nobody judged this"}
JUDGED = [("q1", "d2", 2), ("q1", "d1", 1), ("q2", "d3", 1), ("q2", "d9", 1)]
KEYS = ["collection", "n_queries", "n_without_judgments", "warnings", "retrievers", "comparisons"]
METRICS = ["hit@1", "hit@5", "recall@20", "precision@10", "mrr", "map", "ndcg@10", "rprec"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    queries = [{"_id": i, "text": text} for i, text in QUERIES.items()]
    return write_beir(tmp_path_factory.mktemp("collection") / "tea", TEXTS, queries, JUDGED)


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(tmp_path / "workspace", capsys)


def test_retrievers_side_by_side_as_a_document(run: Runner, folder: Path) -> None:
    document = run("benchmark", "--collection", folder, "--retrievers", "bm25", "boolean", "dense", "--json").document
    ordered(document, KEYS)
    assert (document["collection"], document["n_queries"], document["n_scored"]) == ("tea", 3, 2)
    assert document["n_without_judgments"] == 1
    assert any("corpus" in warning or "collection" in warning for warning in document["warnings"])  # d9 is not there
    assert list(document["retrievers"]) == ["bm25", "boolean", "dense"]
    bm25 = document["retrievers"]["bm25"]
    ordered(bm25, [*METRICS, "latency_ms"])
    # q1: both found, best first; q2: d4 and d3 are both found, d9 never can be.
    assert bm25["recall@20"] == pytest.approx((1 + 1 / 2) / 2)
    assert bm25["precision@10"] == pytest.approx((2 / 10 + 1 / 10) / 2)
    assert 0 < bm25["latency_ms"]["p50"] <= bm25["latency_ms"]["p95"]
    assert (bm25["index_seconds"], bm25["index_bytes"]) > (0, 0)
    assert len(document["comparisons"]) == 3 * len(METRICS)
    assert list(document["comparisons"][0]) == [
        *("a", "b", "metric", "difference", "interval", "p", "p_holm"),
        *("over", "n"),
    ]
    assert {pair["n"] for pair in document["comparisons"]} == {document["n_scored"]}
    assert bm25["n_answered"] + bm25["n_unanswered"] == document["n_scored"]
    for c in document["comparisons"]:
        a, b = (document["retrievers"][name][c["metric"]] for name in (c["a"], c["b"]))
        assert c["difference"] == pytest.approx(b - a, abs=1e-12)
        assert c["p"] <= c["p_holm"] <= 1


def test_a_run_goes_out_and_comes_back_with_the_same_scores(run: Runner, folder: Path, tmp_path: Path) -> None:
    ours = tmp_path / "ours.run"
    asked = ("benchmark", "--collection", folder, "--json")
    first = run(*asked, "--retrievers", "bm25", "--export-run", ours).document["retrievers"]["bm25"]
    both = run(*asked, "--retrievers", "bm25:k1=0", "--run", ours).document
    assert {metric: both["retrievers"]["bm25"][metric] for metric in METRICS} == {m: first[m] for m in METRICS}
    assert both["retrievers"]["bm25"]["latency_ms"] == {"p50": None, "p95": None}
    assert {(c["a"], c["b"]) for c in both["comparisons"]} == {("bm25:k1=0", "bm25")}
    with ours.open("a") as file:
        file.write("q1 Q0 d1 9 nan mine\nno run\nq77 Q0 d1 1 3.0 mine\n")
    odd = run(*asked, "--run", ours).document
    told = [warning for warning in odd["warnings"] if "ours.run" in warning]
    assert len(told) >= 2
    assert all(warning.count("ours.run") == 1 for warning in told)
    assert odd["retrievers"]["bm25"]["map"] == first["map"]


def test_the_table_says_what_is_scored_and_which_differences_are_clear(run: Runner, folder: Path) -> None:
    asked = ("benchmark", "--collection", folder, "--retrievers", "bm25", "dense", "--metrics", "mrr,ndcg@3")
    said = run(*asked)
    assert said.status == 0, said.err
    assert "2 of 3 queries scored" in said.out
    assert "not clear" in said.out
    assert "English stop words" in said.out
    assert "nDCG@3" in said.out
    assert ".." not in said.err.replace("...", "")


def test_one_query_over_a_collection(run: Runner, folder: Path) -> None:
    document = run("search", "boiling tea water", "--collection", folder, "--k", 2, "--json").document
    ordered(document, ["retriever", "results", "elapsed_ms"])
    assert document["retriever"] == "bm25"
    assert [(r["rank"], r["doc_id"], r["title"]) for r in document["results"]] == [
        (1, "d2", "Kettles"),
        (2, "d1", "Tea leaves"),
    ]
    assert document["results"][0]["score"] > document["results"][1]["score"] > 0
    assert run("search", "", "--collection", folder, "--json").document["results"] == []
    long = " ".join(f"word{n}" for n in range(10_000)) + " kettles"
    assert [r["doc_id"] for r in run("search", long, "--collection", folder, "--json").document["results"]] == ["d2"]
    assert "No documents found" in run("search", "zebra", "--collection", folder).out


def test_a_scripted_model_says_that_it_is_none(run: Runner, folder: Path) -> None:
    asked = ("search", "process places", "--collection", folder, "--retriever", "llm_reranker:demo", "--json")
    document = run(*asked).document
    assert {r["doc_id"] for r in document["results"]} == {"d3", "d4"}
    assert any("not a language" in note for note in document["notes"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--collection", "nowhere", "--retrievers", "bm25"), "nowhere"),
        (("--retrievers", "bmm"), 'no retriever "bmm"'),
        (("--retrievers", "QAGNN"), "QAGNN needs"),
        (("--retrievers", "bm25:k1=x"), "k1 must be"),
        (("--retrievers", "bm25:b=2"), "b must be from 0 to 1"),
        (("--retrievers", "late_interaction"), "late_interaction:st:NAME_OR_FOLDER"),
        (("--retrievers", "llm_reranker:gpt-4o"), "OPENAI_API_KEY"),
        (("--retrievers", "bm25", "--metrics", "wisdom@3"), "wisdom@3"),
        (("--retrievers", "bm25", "--split", "dev"), "dev"),
        (("--retrievers", "bm25", "--depth", "0"), "from 1 to 10,000"),
        (("--retrievers", "bm25", "--seed", "-1"), "--seed"),
        (("--retrievers", "bm25", "--metrics", " , "), "least one metric"),
        (("--retrievers", "bm25", "dense", "--export-run", __file__), "name a folder, not the file"),
        (("--retrievers", "llm_reranker:gpt-4o", "QAGNN"), "QAGNN needs"),
        (("--retrievers", "llm_reranker:m", "--price", "m=cheap"), "not a price"),
        ((), "least one retriever"),
    ],
)
def test_mistakes_say_what_to_do(
    run: Runner, folder: Path, arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    where = () if "--collection" in arguments else ("--collection", folder)
    assert said in run("benchmark", *where, *arguments).mistake


def test_search_asks_for_one_place(run: Runner, folder: Path) -> None:
    assert "--topic NAME or --collection" in run("search", "tea").mistake
    assert "--k must be" in run("search", "tea", "--collection", folder, "--k", 0).mistake


def test_two_names_for_one_retriever_are_one_run(run: Runner, folder: Path) -> None:
    asked = ("--retrievers", "bm25", "BM25", "dense", "dense:lsa")
    document = run("benchmark", "--collection", folder, *asked, "--json").document
    assert list(document["retrievers"]) == ["bm25", "dense"]
    assert {(c["a"], c["b"]) for c in document["comparisons"]} == {("bm25", "dense")}
    told = [warning for warning in document["warnings"] if "it runs only once" in warning]
    first, second = (warning.split(":")[0] for warning in told)
    assert (first.split()[0], first.split()[-1], second) == ("BM25", "bm25", "dense")


PAID = ("llm_reranker:gpt-4o-mini", "dense:openai:some-model")


@pytest.fixture
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.usefixtures("_no_key")
def test_what_cannot_run_is_listed_with_what_it_needs_and_the_others_run(run: Runner, folder: Path) -> None:
    asked = ("benchmark", "--collection", folder, "--retrievers", "bm25", *PAID, "graph", "QAGNN", "boolean")
    document = run(*asked, "--json").document
    assert list(document["retrievers"]) == ["bm25", "boolean"]
    needed = {each["retriever"]: each["needs"] for each in document["not_run"]}
    assert set(needed) == {*PAID, "graph", "QAGNN"}
    assert all("OPENAI_API_KEY" in needed[name] for name in PAID)
    assert "knowledge base" in needed["graph"]
    said = run(*asked)
    assert said.status == 0
    assert "Not run: QAGNN needs" in said.out


@pytest.mark.usefixtures("_no_key")
def test_one_that_stops_on_the_way_does_not_end_the_others(
    run: Runner, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    document = run("benchmark", "--collection", folder, "--retrievers", PAID[1], "bm25", "--json").document
    assert list(document["retrievers"]) == ["bm25"]
    assert [each["retriever"] for each in document["not_run"]] == [PAID[1]]
    assert "stopped" in document["not_run"][0]["needs"]


@pytest.mark.usefixtures("_no_key")
def test_a_dry_run_says_what_paid_retrievers_cost_and_needs_no_key(run: Runner, folder: Path) -> None:
    asked = ("benchmark", "--collection", folder, "--retrievers", "bm25", *PAID)
    document = run(*asked, "--dry-run", "--json").document
    plans = document["retrievers"]
    assert (plans["bm25"]["models"], plans["bm25"]["dollars"]) == ([], {"expected": 0, "most": 0})
    reranker, dense = (plans[name] for name in PAID)
    assert reranker["n_calls"] == 3 * 5, "every document of a small collection, for each of three queries"
    assert 0 < reranker["dollars"]["expected"] <= reranker["dollars"]["most"]
    assert (dense["dollars"], document["dollars"]) == (None, None)
    assert "OPENAI_API_KEY" in reranker["needs"]
    priced = run(*asked, "--dry-run", "--price", "some-model=1,0", "--json").document
    assert priced["dollars"]["expected"] > reranker["dollars"]["expected"]
    dated = f"{PAID[0]}-2024-07-18"
    same = run("benchmark", "--collection", folder, "--retrievers", dated, "--dry-run", "--json").document
    assert same["dollars"] == reranker["dollars"]
    assert ["gpt-4o-mini" in note for note in same["notes"]] == [True]
    table = run(*asked, "--dry-run").out
    assert "nothing was sent" in table
    assert "no known price" in table


@pytest.mark.usefixtures("_no_key")
def test_nothing_is_begun_above_the_budget(run: Runner, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    monkeypatch.setenv("QUERYSCAPE_OFFLINE", "1")
    asked = ("benchmark", "--collection", folder, "--retrievers", "bm25")
    assert "budget of $0.00" in run(*asked, PAID[0], "--budget", 0).mistake
    assert "a price for some-model" in run(*asked, PAID[1], "--budget", 5).mistake
    assert list(run(*asked, "--budget", 0, "--json").document["retrievers"]) == ["bm25"]


def test_each_of_several_runs_has_a_file_of_its_own(run: Runner, folder: Path, tmp_path: Path) -> None:
    runs = tmp_path / "new" / "runs"
    asked = ("benchmark", "--collection", folder, "--retrievers", "bm25", "bm25:k1=0.9,b=0.4", "boolean")
    said = run(*asked, "--export-run", runs)
    assert said.status == 0
    assert sorted(file.name for file in runs.iterdir()) == ["bm25-k1=0.9-b=0.4.run", "bm25.run", "boolean.run"]
    assert all(str(file) in said.err for file in runs.iterdir())
    again = run("benchmark", "--collection", folder, "--run", runs / "bm25.run", "--json").document
    first = run(*asked, "--json").document
    assert again["retrievers"]["bm25"]["map"] == first["retrievers"]["bm25"]["map"]


def test_recall_shows_the_highest_value_that_it_can_have(run: Runner, folder: Path) -> None:
    asked = ("benchmark", "--collection", folder, "--retrievers", "bm25", "--metrics", "recall@1,recall@20,mrr")
    ceilings = run(*asked, "--json").document["ceilings"]
    # q1 has two relevant documents; q2 has two, one of which the collection does not hold.
    assert ceilings == {"recall@1": pytest.approx((1 / 2 + 1 / 2) / 2), "recall@20": pytest.approx((1 + 1 / 2) / 2)}
    assert "highest possible" in run(*asked).out


def test_help_says_how_retrievers_are_written(run: Runner) -> None:
    for command in ("benchmark", "search", "judge"):
        said = run(command, "--help").out
        assert all(kind in said for kind in KINDS), command
        assert "fusion=rrf|weighted" in said
