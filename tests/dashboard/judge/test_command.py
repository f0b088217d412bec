"""`judge` on a small collection: the dry run, the demo judge, a service that fails, going on, files."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.judge.judgments import STATUSES
from dashboard.judge.commands import NOT_A_MODEL
from data.explore.workspace import Workspace
from data.judge.fields import retriever_field
from tests.dashboard.beir import write_beir
from tests.dashboard.runs import Run, Runner, ordered
from tests.data.judge_server import JudgeServer, judge_server
from tests.data.services import KEY

TEXTS = {
    "d1": ("Tea leaves", "Steeping green leaves in hot water."),
    "d2": ("Kettles", "Boiling water for tea quickly."),
    "d3": ("Petri nets", "Places and transitions of a process model."),
    "d4": ("Workflow", "A process model with places for every task."),
    "d5": ("Tea and process", ""),
}
QUERIES = {"q1": "boiling water for tea", "q2": "process model places", "q3": "green tea leaves", "q4": "workflow task"}
KEYS = ["n", "valid", "coverage", "statuses", "mean_score", "interval", "by_dimension"]
PLAN = ["n_candidates", "n_triples", "n_known", "n_calls", "most_calls", "minutes", "dollars", "how"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In BEIR's layout; what kind a query is stands in its metadata."""
    kinds = {"q1": "drink", "q2": "model", "q3": "drink", "q4": "model"}
    queries = [{"_id": i, "text": text, "metadata": {"kind": kinds[i]}} for i, text in QUERIES.items()]
    return write_beir(tmp_path_factory.mktemp("collection") / "tea", TEXTS, queries, [("q1", "d2", 1)])


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Path:
    """A workspace that has asked the retrievers before."""
    root = tmp_path_factory.mktemp("known")
    with Workspace.open(root) as workspace:
        retriever_field(workspace, str(folder), ["bm25", "boolean"], k=3)
    return root


@pytest.fixture
def run(known: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    shutil.copytree(known, tmp_path / "workspace")
    return Runner(tmp_path / "workspace", capsys)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with judge_server(lambda request: "good") as served:
        yield served


def asked(run: Runner, folder: Path, *more: object) -> Run:
    return run("judge", "--collection", folder, "--retrievers", "bm25", "boolean", "--k", 3, *more)


def test_the_demo_judge_grades_offline(run: Runner, folder: Path) -> None:
    document = asked(run, folder, "--model", "demo", "--json").document
    ordered(document, [*KEYS, "engines", "comparisons", "run_id", "judge"])
    assert list(document["engines"]) == ["bm25", "boolean"]
    assert document["n"] == sum(engine["n"] for engine in document["engines"].values())
    assert (document["valid"], document["coverage"]) == (document["n"], 1.0)
    assert list(document["statuses"]) == list(STATUSES)
    assert sum(document["statuses"].values()) == document["n"]
    assert 0 <= document["interval"][0] <= document["mean_score"] <= document["interval"][1] <= 100
    assert set(document["by_dimension"]["kind"]) == {"drink", "model"}
    assert document["judge"]["is_language_model"] is False
    assert NOT_A_MODEL in document["warnings"]
    again = asked(run, folder, "--model", "demo", "--json").document
    assert again["asked"]["n_calls"] == 0
    assert (again["run_id"], again["mean_score"]) == (document["run_id"], document["mean_score"])
    table = asked(run, folder, "--model", "demo")
    for fact in (
        "bm25",
        "boolean",
        "Answered",
        "Graded",
        "By kind, over answered queries",
        "not clear",
        document["run_id"],
    ):
        assert fact in table.out
    assert "compares words" in table.err


def test_a_retriever_that_cant_run_is_listed_and_the_others_are_judged(
    run: Runner, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    paid = "dense:openai:a-model"
    who = ("judge", "--collection", folder, "--retrievers", paid, "bm25", "--k", 3, "--model", "demo")
    planned, document = run(*who, "--dry-run", "--json").document, run(*who, "--json").document
    assert list(document["engines"]) == ["bm25"]
    for each in (planned, document):
        assert [left_out["retriever"] for left_out in each["not_run"]] == [paid]
        assert "OPENAI_API_KEY" in each["not_run"][0]["needs"]
    resumed = run("judge", "--resume", document["run_id"], "--json").document
    assert resumed["not_run"] == document["not_run"]
    assert f"{paid} was not run: needs" in " ".join(run(*who).err.split())


@pytest.mark.slow
def test_known_judgments_stand_beside_the_headline(run: Runner) -> None:
    run("demo", "--json")
    who = ("judge", "--collection", "demo", "--retrievers", "bm25", "dense:lsa", "--model", "demo", "--k", 10)
    document = run(*who, "--json").document
    assert "for this judge" in document["headline"]
    truth = document["truth"]
    assert (truth["collection"], truth["over"], truth["n_queries"]) == ("demo", "whole rankings", document["n_queries"])
    benchmark = run("benchmark", "--collection", "demo", "--retrievers", "bm25", "dense:lsa", "--json").document
    for engine, values in truth["engines"].items():
        assert values == {metric: pytest.approx(benchmark["retrievers"][engine][metric]) for metric in values}
    (pair,) = truth["pairs"]
    assert (pair["clear_for_judge"], pair["says"]["ndcg@10"], pair["says"]["map"]) == (
        True,
        "not clear",
        "the opposite",
    )
    said = run(*who).out
    assert "weighted kappa" in said
    assert "opposite by MAP" in " ".join(said.split())


def test_a_dry_run_sends_nothing_needs_no_key_and_counts_what_is_then_asked(
    run: Runner, folder: Path, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = ("--model", "m", "--base-url", server.url, "--price", "m=1,2")
    monkeypatch.delenv("OPENAI_API_KEY")
    planned = asked(run, folder, *who, "--dry-run", "--json").document
    ordered(planned, PLAN)
    assert (server.asked, planned["n_known"]) == ([], 0)
    assert 0 < planned["dollars"]["expected"] < planned["dollars"]["most"]
    assert "Dry run: nothing was sent" in asked(run, folder, *who, "--dry-run").out
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert "budget of $0.00" in asked(run, folder, *who, "--budget", 0).mistake
    assert "a price for m" in asked(run, folder, *who[:-2], "--budget", 5).mistake
    assert server.asked == []
    document = asked(run, folder, *who, "--budget", 5, "--json").document
    assert len(server.asked) == server.n_questions == planned["n_calls"] == document["asked"]["n_calls"]
    assert document["n"] == planned["n_candidates"] > planned["n_triples"] == planned["n_calls"]
    later = asked(run, folder, *who, "--dry-run", "--json").document
    assert (later["n_known"], later["n_calls"], later["dollars"]["most"]) == (planned["n_triples"], 0, 0)


def test_failures_are_no_grades_and_are_asked_again_by_the_same_command(
    run: Runner, folder: Path, server: JudgeServer
) -> None:
    who = ("--model", "m", "--base-url", server.url)
    server.script = lambda request: "too long" if "workflow task" in request.user else "good"
    first = asked(run, folder, *who, "--json").document
    failed = first["statuses"]["http_error"]
    assert failed > 0
    assert (first["valid"], first["state"]) == (first["n"] - failed, "paused")
    assert any("resume the run" in warning for warning in first["warnings"])
    table = run("judge", "--resume", first["run_id"]).out
    assert "only that share" in table
    assert re.search(r"model +2 +\([0-9.]+\) [0-9.]+%", table), "coverage stands beside a mean that is not of all"
    server.script, n_before = (lambda request: "good"), len(server.asked)
    resumed = run("judge", "--resume", first["run_id"], "--json").document
    assert (resumed["valid"], resumed["coverage"], resumed["state"]) == (first["n"], 1.0, "done")
    assert resumed["asked"]["n_calls"] == len(server.asked) - n_before < first["asked"]["n_asked"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("wrong key", "check the variable QUERYSCAPE_KEY_127_0_0_1___"),
        ("no quota", "no credit left"),
        ("too long", "nothing was graded"),
    ],
)
def test_what_ends_a_run_is_said_in_one_line(
    run: Runner, folder: Path, server: JudgeServer, name: str, words: str
) -> None:
    server.script = lambda request: name
    said = asked(run, folder, "--model", "m", "--base-url", server.url, "--json")
    assert (said.status, said.out) == (2, "")
    assert words in said.err.splitlines()[-1]
    assert KEY not in said.err
    kept = [file for file in run.root.rglob("*") if file.is_file() and KEY.encode() in file.read_bytes()]
    assert kept == [], "the server quotes the key in its errors, and nothing of that is kept"


def test_every_judgment_goes_into_a_file(run: Runner, folder: Path, tmp_path: Path) -> None:
    lines, grades = tmp_path / "out.jsonl", tmp_path / "grades"
    document = asked(run, folder, "--model", "demo", "--out", lines, "--json").document
    assert len(lines.read_text("utf-8").splitlines()) == document["n"] + 1
    said = run("judge", "--resume", document["run_id"], "--out", grades, "--format", "qrels")
    assert str(lines.with_name("grades")) in "".join(said.err.splitlines())
    assert {line.split()[0] for line in grades.read_text("utf-8").splitlines()} <= set(QUERIES)
    assert "choose one with --format" in run("judge", "--resume", document["run_id"], "--out", grades).mistake


def test_results_of_a_search_engine_and_a_sample(run: Runner, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "found.csv"
    file.write_text("engine,query,rank,title,abstract\nours,cold tea,1,Iced tea,Tea with ice.\n", "utf-8")
    both = asked(run, folder, "--results", file, "--sample", 2, "--model", "demo", "--json").document
    assert list(both["engines"]) == ["bm25", "boolean", "ours"]
    assert both["n_queries"] == 3
    assert set(both["engines"]["bm25"]["by_dimension"]["kind"]) >= {"drink", "model"}


@pytest.mark.slow
def test_a_rubric_from_a_file_is_checked_before_anything_is_asked(run: Runner, folder: Path, tmp_path: Path) -> None:
    grades = [{"points": points, "name": f"level {points}", "text": "When it is so."} for points in (0, 1, 1)]
    own = {"rubric_id": "own", "name": "Own", "task": "Say how good it is.", "weigh": [], "grades": grades}
    file = tmp_path / "own.json"
    file.write_text(json.dumps(own), "utf-8")
    assert "2 grades have points 1" in asked(run, folder, "--model", "demo", "--rubric", file).mistake
    grades[2] |= {"points": 2, "name": "level 2"}
    file.write_text(json.dumps(own), "utf-8")
    document = asked(run, folder, "--model", "demo", "--rubric", file, "--json").document
    assert (document["judge"]["rubric"], document["judge"]["shown_max"]) == ("Own", 2)
    assert document["judge"]["rubric_id"] == "own"
    assert asked(run, folder, "--model", "demo", "--rubric", "own", "--json").document["run_id"] == document["run_id"]


@pytest.mark.slow
def test_more_calls_than_anybody_means_are_confirmed(
    run: Runner, folder: Path, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.judge.plan.MOST_UNASKED", 3)
    who = ("--model", "m", "--base-url", server.url)
    refused = asked(run, folder, *who).mistake
    assert "an unknown price" in refused
    assert "--yes" in refused
    assert server.asked == []
    assert asked(run, folder, *who, "--yes", "--json").document["coverage"] == 1.0


MISTAKES: list[tuple[tuple[str, ...], str]] = [
    ((), "choose a judge: --model demo"),
    (("--model", "demo"), "--collection"),
    (("--model", "demo", "--collection", "tea"), "--retrievers"),
    (("--model", "demo", "--retrievers", "bm25"), "a collection"),
    (("--model", "demo", "--versions", "a"), "need a --topic"),
    (("--model", "demo", "--topic", "a", "--question", "b", "--question", "c"), "1 --topic but 2 --question"),
    (("--model", "demo", "--topic", "a", "--sample", "3"), "--sample needs a --collection"),
    (("--model", "demo", "--collection", "a", "--retrievers", "bm25", "--by", "kind"), "--by needs a --sample"),
    (("--resume", "x", "--topic", "a"), "--resume continues"),
    (("--resume", "x", "--preset", "gemini"), "--resume continues"),
    (("--resume", "x", "--repeat", "2"), "--resume continues"),
    (("--resume", "x", "--rubric", "mine"), "--resume continues"),
    (("--model", "demo", "--topic", "a", "--name", "x" * 121), "120 printable characters"),
    (("--model", "demo", "--topic", "a", "--name", "x\x1b[31m"), "120 printable characters"),
    (("--model", "demo", "--results", "nowhere.csv"), "nowhere.csv"),
    (("--model", "demo", "--topic", "a", "--rubric", "nowhere.toml"), "nowhere.toml"),
    (("--model", "demo", "--topic", "a", "--rubric", "nowhere"), 'no rubric "nowhere"'),
    (("--resume", "nowhere"), 'no judged run "nowhere"'),
    (("stray", "--model", "demo"), 'unexpected argument "stray"'),
    (("--model", "m", "--price", "m=cheap", "--topic", "a"), "not a price"),
]


def test_mistakes_are_one_line(run: Runner) -> None:
    for arguments, words in MISTAKES:
        assert words in run("judge", *arguments).mistake


def test_a_key_that_is_missing_and_a_cut_that_no_rubric_has(
    run: Runner, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    who = ("--model", "gemini-2.5-flash-lite", "--preset", "gemini")
    assert "GEMINI_API_KEY" in asked(run, folder, *who).mistake
    said = asked(run, folder, "--model", "demo", "--cut", 84).mistake
    assert "--cut" in said
    assert "0 to 5, got 84" in said
