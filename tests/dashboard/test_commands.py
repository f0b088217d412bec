"""The headless face: tables for people, one JSON document for programs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.dashboard.runs import EVALUATION, Runner, ordered
from tests.data.workspaces import CORE, MODEL, TOPIC, VERSIONS, Version, fill, ids_of

REGION = [
    "status",
    "degenerate",
    "n_relevant",
    "n_accepted_core",
    "semantic_precision",
    "decay",
    "core_accepted",
    "recall_used",
    "f_beta",
]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("filled")
    fill(root, versions=(*VERSIONS, Version("none", 4, ()), Version("no core", 5, ids_of(20, 30))))
    return root


def test_topics(run: Runner) -> None:
    (topic,) = run("topics", "--json").document["topics"]
    ordered(topic, ["topic", "n_core", "embedders", "versions"])
    assert (topic["topic"], topic["n_core"], topic["embedders"]) == (TOPIC, 8, [MODEL])
    assert topic["versions"][0] == {"version": "baseline", "origin": "baseline", "n_retrieved": 27}
    assert [v["version"] for v in topic["versions"]] == ["baseline", "review", "none", "no core"]
    table = run("topics")
    assert (table.status, table.err) == (0, "")
    for fact in (TOPIC, "8", MODEL, "baseline (27)", "review (40)", "not run: predicted"):
        assert fact in table.out


def test_an_empty_workspace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Runner(tmp_path / "new", capsys)
    assert run("topics", "--json").document == {"topics": []}
    table = run("topics")
    assert (table.status, table.out) == (0, "")
    assert "workspace is empty" in table.err


def test_evaluate_gives_one_document(run: Runner) -> None:
    asked = run("evaluate", "--topic", TOPIC, "--version", "baseline", "--json")
    assert asked.err == ""
    document = asked.document
    assert list(document) == EVALUATION
    assert list(document["regions"]) == ["cosine", "nearest_core", "mvee", "hull", "cluster"]
    for region in document["regions"].values():
        assert list(region)[: len(REGION)] == REGION
        assert region["status"] == "ok"
    assert (document["topic"], document["version"], document["embedder"]) == (TOPIC, "baseline", MODEL)
    assert document["projection_id"].startswith("pca-")
    assert (document["n_retrieved"], document["n_core"], document["n_found"]) == (27, 8, 5)
    assert document["found_core_ids"] == list(CORE[3:])
    assert document["missed_core_ids"] == list(CORE[:3])
    assert document["recall"] == 5 / 8
    assert "min_similarity" in document["regions"]["cosine"]
    assert {"k", "min_core_share"} <= set(document["regions"]["cluster"])
    assert asked.out == run("evaluate", "--topic", TOPIC, "--version", "baseline", "--json").out


@pytest.mark.parametrize("label", ["none", "no core"])
def test_what_is_undefined_is_null_with_a_reason(run: Runner, label: str) -> None:
    document = run("evaluate", "--topic", TOPIC, "--version", label, "--intervals", "--json").document
    assert (document["n_found"], document["recall"], document["attainable_recall"]) == (0, 0, 0)
    hull = document["regions"]["hull"]
    assert hull["status"] == ("nothing was retrieved" if label == "none" else "needs 3 found core publications")
    assert [hull[key] for key in REGION[2:]] == [None] * 7
    for region in document["regions"].values():
        assert {"semantic_precision_range", "f_beta_range"} <= set(region)
    table = run("evaluate", "--topic", TOPIC, "--version", label, "--intervals")
    assert table.status == 0
    assert all(word in table.out for word in hull["status"].split())
    assert "nan" not in table.out.lower()


def test_intervals_are_pairs_around_the_recall(run: Runner) -> None:
    document = run("evaluate", "--topic", TOPIC, "--version", "review", "--intervals", "--json").document
    low, high = document["recall_interval"]
    assert low < document["recall"] <= high
    low, high = document["regions"]["cosine"]["f_beta_range"]
    assert 0 <= low < high <= 1


def test_ranges_are_columns_and_only_of_regions_that_have_them(run: Runner) -> None:
    arguments = ("evaluate", "--topic", TOPIC, "--version", "review", "--intervals")
    regions = run(*arguments, "--json").document["regions"]
    lines = run(*arguments).out.splitlines()
    table = [line for line in lines if " to " in line and not line.startswith("Core recall")]
    having = [region for region in regions.values() if region["semantic_precision_range"] or region["f_beta_range"]]
    assert 0 < len(table) == len(having) < len(regions)
    assert all(len(line) <= 80 for line in table)
    for line, region in zip(table, having, strict=True):
        assert "{:.3f} to {:.3f}".format(*region["f_beta_range"]) in line


def test_evaluate_for_people(run: Runner) -> None:
    table = run("evaluate", "--topic", TOPIC, "--version", "baseline")
    assert table.status == 0
    for fact in (f"{TOPIC} · baseline · {MODEL}", "Retrieved 27", "Core recall 0.625", "5 of 8", "p0, p1, p2"):
        assert fact in table.out
    for label in ("Cosine", "Nearest core", "Ellipsoid (MVEE)", "Convex hull", "Cluster"):
        assert label in table.out
    assert table.err.startswith("Note: only 8 core publications")


FLAGS = {
    "cosine_mode": "best",
    "min_similarity": 0.5,
    "quantile": 0.25,
    "min_core_share": 0.5,
    "max_k": 7,
    "decay_limit": 100.0,
    "decay_onset": 2.0,
    "decay_steepness": 3.0,
    "beta": 1.0,
    "seed": 5,
    "compat": "litqeval-2024",
}


@pytest.mark.parametrize("name", FLAGS)
def test_every_setting_is_a_flag(run: Runner, name: str) -> None:
    ask = ["evaluate", "--topic", TOPIC, "--version", "review", "--regions", "cosine,cluster", "--json"]
    before = run(*ask).document
    assert set(before["settings"]) == set(FLAGS)
    after = run(*ask, f"--{name.replace('_', '-')}", FLAGS[name]).document
    changed = {key for key, value in after["settings"].items() if value != before["settings"][key]}
    implied = {"min_similarity": {"cosine_mode"}, "quantile": {"cosine_mode"}, "compat": {"cosine_mode"}}
    assert changed == {name} | implied.get(name, set())
    assert after["settings"][name] == FLAGS[name]
    if name in ("min_similarity", "quantile", "decay_limit", "beta"):
        assert after["regions"]["cosine"]["f_beta"] != before["regions"]["cosine"]["f_beta"]


def test_a_threshold_implies_its_mode(run: Runner) -> None:
    ask = ["evaluate", "--topic", TOPIC, "--version", "review", "--regions", "cosine", "--json"]
    document = run(*ask, "--min-similarity", 0.5).document
    assert document["settings"]["cosine_mode"] == "fixed"
    assert document["regions"]["cosine"]["min_similarity"] == 0.5
    assert document["projection_id"] is None
    assert run(*ask, "--quantile", 0.25).document["settings"]["cosine_mode"] == "quantile"
    assert run(*ask, "--quantile", 0.25, "--cosine-mode", "quantile").status == 0
    for flags in (["--min-similarity", 0.5, "--cosine-mode", "best"], ["--min-similarity", 0.5, "--quantile", 0.2]):
        assert "needs --cosine-mode" in run(*ask, *flags).mistake


def test_compare(run: Runner) -> None:
    ask = ["compare", "--topic", TOPIC, "--versions", "baseline", "review", "--regions", "cosine,hull"]
    document = run(*ask, "--json").document
    ordered(document, ["versions", "differences", "core_gained", "core_lost"])
    assert [v["version"] for v in document["versions"]] == ["baseline", "review"]
    assert all(list(version) == EVALUATION for version in document["versions"])
    assert (document["core_gained"], document["core_lost"]) == (["p0", "p1", "p2"], [])
    ordered(document["differences"][0], ["a", "b", "metric", "region", "difference", "interval", "sentence"])
    (recall,) = [d for d in document["differences"] if d["metric"] == "recall"]
    assert (recall["a"], recall["b"], recall["difference"]) == ("baseline", "review", pytest.approx(3 / 8))
    table = run(*ask)
    for fact in (
        "review minus baseline",
        "Core gained: p0, p1, p2. Core lost: none.",
        "In both 27",
        recall["sentence"],
    ):
        assert fact in table.out.replace("\n", " ")
    reversed_document = run(*ask[:4], "review", "baseline", "--json").document
    assert reversed_document["core_lost"] == ["p0", "p1", "p2"]


def test_the_module_runs_from_the_outside(filled: Path) -> None:
    command = [sys.executable, "-m", "dashboard", "topics", "--json", "--data-dir", str(filled)]
    top = Path(__file__).parents[2]
    ended = subprocess.run(command, cwd=top, capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout.startswith('{\n  "topics": [')
    assert ended.stderr == ""
