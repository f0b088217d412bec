"""`query batch`: strings over topics in a terminal and for programs, what is missing, and how it refuses."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from data.explore.workspace import Workspace
from tests.dashboard.runs import Run, Runner, ordered
from tests.data.workspaces import MODEL, TOPIC, Version, ids_of

QUICK = ("--regions", "cosine")


@pytest.fixture
def both(run: Runner) -> Runner:
    """The workspace with a second topic, whose baseline was never run."""
    with Workspace.open(run.root) as workspace, workspace.store.transaction():
        workspace.save_topic("Nets", ids_of(20, 28), [Version("v1", 1, ids_of(18, 40), "review")])
    return run


def batch(run: Runner, *arguments: object) -> Run:
    return run("query", "batch", *arguments, *QUICK)


def experiment(run: Runner, *arguments: object) -> dict[str, Any]:
    document = batch(run, *arguments, "--json").document
    ordered(document, ["embedder", "made", "missing", "experiments"])
    found: dict[str, Any] = document["experiments"][0]
    return found


def test_both_experiments_are_one_document(both: Runner) -> None:
    document = batch(both, "--json").document
    assert document["embedder"] == MODEL
    assert [e["origins"] for e in document["experiments"]] == [
        ["baseline", "generated"],
        ["baseline", "review", "generated"],
    ]
    assert all(e["topics"] == [] for e in document["experiments"])
    assert {each["topic"]: each["lacks"] for each in document["missing"]} == {TOPIC: "run", "Nets": "string"}


def test_any_two_origins_with_what_evaluate_says(run: Runner) -> None:
    found = experiment(run, "--origins", "baseline,review")
    keys = ["origins", "regions", "topics", "means", "differences", "held_out_gain", "published", "left_out", "beware"]
    ordered(found, keys)
    (topic,) = found["topics"]
    for label in ("baseline", "review"):
        evaluated = run("evaluate", "--topic", TOPIC, "--version", label, *QUICK, "--json").document
        version = topic["versions"][label]
        assert (version["version"], version["n_retrieved"]) == (label, evaluated["n_retrieved"])
        assert version["recall"] == evaluated["recall"]
        assert version["regions"]["cosine"]["f_beta"] == evaluated["regions"]["cosine"]["f_beta"]
    recall = next(d for d in found["differences"] if d["metric"] == "recall")
    assert (recall["wins"], recall["losses"], recall["n_topics"], recall["is_clear"]) == (1, 0, 1, False)
    assert recall["mean_difference"] == 3 / 8
    assert recall["interval"] is None
    assert topic["held_out_gain"] is None


def test_what_is_missing_is_run_and_written(both: Runner) -> None:
    document = batch(both, "--write", "statistics", "--json").document
    made = {each["topic"]: each for each in document["made"]}
    assert set(made) == {TOPIC, "Nets"}
    assert made[TOPIC]["writing"] is None
    assert made["Nets"]["writing"]
    assert document["missing"] == []
    topics = {topic["topic"]: topic for topic in document["experiments"][0]["topics"]}
    assert topics[TOPIC]["versions"]["generated"]["version"] == made[TOPIC]["version"]
    assert topics["Nets"]["held_out_gain"] is not None
    again = batch(both, "--write", "statistics", "--json").document
    assert again["made"] == []
    anew = batch(both, "--topics", "Nets", "--write", "demo", "--anew", "--json").document
    assert [each["topic"] for each in anew["made"]] == ["Nets"]


def test_for_people_and_in_a_file(run: Runner, tmp_path: Path) -> None:
    out = tmp_path / "strings.md"
    printed = batch(run, "--origins", "baseline,review", "--out", out)
    for fact in (
        "Baseline, review, region Cosine",
        TOPIC,
        "Differences over topics",
        "Not clear: fewer than 6 topics.",
    ):
        assert fact in printed.out
    written = out.read_text("utf-8")
    assert written.startswith("# Search strings")
    assert f"| {TOPIC} | 8 |" in written
    batch(run, "--origins", "baseline,review", "--out", tmp_path / "strings.csv")
    head, line, mean = (tmp_path / "strings.csv").read_text("utf-8").splitlines()
    assert head.startswith("Topic,Core publications,Version: baseline")
    assert line.startswith(f"{TOPIC},8,baseline,review,27,40,0.625,1,")
    assert mean.startswith("Mean over 1 topic,")
    assert "--write statistics" in batch(run).out


def test_each_experiment_has_a_table_of_its_own(run: Runner, tmp_path: Path) -> None:
    batch(run, "--write", "statistics", "--out", tmp_path / "strings.csv")
    files = sorted(path.name for path in tmp_path.glob("*.csv"))
    assert files == ["strings-baseline-generated.csv", "strings-baseline-review-generated.csv"]
    for name in files:
        rows = list(csv.reader((tmp_path / name).read_text("utf-8").splitlines()))
        assert [row[0] for row in rows] == ["Topic", TOPIC, "Mean over 1 topic"]
        assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--topics", "Coffee"), "no topic"),
        (("--origins", "baseline"), "two or more"),
        (("--origins", "baseline,best"), "origin best"),
        (("--anew",), "add --write"),
        (("--embedder", "unheard"), 'no vectors of "unheard"'),
        (("--out", "strings.pdf"), "use .csv or .md"),
        (("--out", "strings.md"), "nothing to write"),
        (("--regions", "moon"), "region moon"),
    ],
)
def test_mistakes_are_one_line(run: Runner, arguments: tuple[str, ...], said: str) -> None:
    assert said in run("query", "batch", *arguments).mistake


def test_an_empty_workspace_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "demo" in Runner(tmp_path / "empty", capsys)("query", "batch").mistake
