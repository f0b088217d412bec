"""The commands that bring something in: demo, get, vectors, embed and project."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from core.settings import ProjectionSettings
from data.collections import list_collections
from data.demo.loading import bring_demo
from data.explore.workspace import Workspace
from tests.dashboard.apps import numbers
from tests.dashboard.runs import EVALUATION, Runner, ordered
from tests.data.collections import SOUPS, write_litqeval
from tests.data.workspaces import MODEL, TOPIC, ids_of, toy_vectors, write_npz


def test_vectors(run: Runner, tmp_path: Path) -> None:
    rows = np.vstack([toy_vectors(ids_of(0, 40), seed=9), np.full((1, 6), np.nan)])
    file = write_npz(tmp_path / "v.npz", [*ids_of(0, 40), "W1"], rows)
    document = run("vectors", file, "--model", "mine", "--json").document
    assert (document["embedder"], document["topics"]) == ("mine", [TOPIC])
    assert (document["n_with_vectors"], document["n_unscorable"]) == (40, 1)
    table = run("vectors", file, "--model", "[bold]:tea:[/]")
    assert table.out.strip() == f"40 vectors of [bold]:tea:[/]; they cover {TOPIC}."
    assert table.err.startswith("Note: 1 rows")
    assert run("evaluate", "--topic", TOPIC, "--version", "review", "--regions", "cosine").status == 2
    ask = ["evaluate", "--topic", TOPIC, "--version", "review", "--regions", "cosine", "--json"]
    assert run(*ask, "--embedder", "mine").document["embedder"] == "mine"


def test_embed(run: Runner) -> None:
    document = run("embed", "--topic", TOPIC, "--embedder", "lsa", "--json").document
    assert (document["embedder"], document["topics"]) == ("lsa", [TOPIC])
    assert (document["n_with_vectors"], document["n_new"], document["n_unscorable"]) == (40, 40, 0)
    again = run("embed", "--topic", TOPIC, "--embedder", "lsa")
    assert (numbers(again.out), "lsa" in again.out, again.err) == (["40", "0"], True, "")
    assert run("topics", "--json").document["topics"][0]["embedders"] == ["lsa", MODEL]


def test_project(run: Runner) -> None:
    first = run("project", "--topic", TOPIC, "--json").document
    ordered(first, ["topic", "projection_id", "trustworthiness", "continuity", "variance_explained"])
    assert run("project", "--topic", TOPIC, "--json").document == first
    again = run("project", "--topic", TOPIC, "--refit", "--method", "pca", "--seed", 4)
    assert again.status == 0
    assert "Trustworthiness" in again.out
    assert run("project", "--topic", TOPIC, "--json").document["projection_id"] in again.out
    effect = run("project", "--topic", TOPIC, "--version", "review", "--json").document
    assert effect["projection_id"] != first["projection_id"]
    assert {"mvee", "hull"} <= set(effect["seed_ranges"])


def check_soups(document: dict[str, Any], run: Runner) -> None:
    (topic,) = document["topics"]
    assert (topic["topic"], topic["n_core"]) == (SOUPS, 3)
    assert topic["versions"] == [{"version": "baseline", "origin": "baseline", "n_retrieved": 11}]
    assert (topic["versions_not_run"], document["n_publications"]) == (["predicted"], 12)
    assert [name.rsplit("/")[-1] for name in document["missing_files"]] == ["predicted_pubs.csv"]
    (there,) = run("topics", "--json").document["topics"]
    assert (there["topic"], there["n_core"], there["embedders"]) == (SOUPS, 3, [])


def test_get_litqeval_from_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Runner(tmp_path / "ws", capsys)
    folder = write_litqeval(tmp_path / "collection/data").parent
    check_soups(run("get", "litqeval", "--from", folder, "--json").document, run)
    table = run("get", "litqeval", "--from", folder)
    assert table.status == 0
    for fact in (SOUPS, "baseline (11)", "12 publications, 1 topics", "1 files are missing", "predicted_pubs.csv"):
        assert fact in table.out


def test_get_litqeval_from_an_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], httpserver: HTTPServer
) -> None:
    folder = write_litqeval(tmp_path / "served")

    def answer(request: Request) -> Response:
        path = folder / request.path.removeprefix("/base/")
        return Response(path.read_bytes()) if path.is_file() else Response(status=404)

    httpserver.expect_request(re.compile("^/base/")).respond_with_handler(answer)
    run = Runner(tmp_path / "ws", capsys)
    asked = run("get", "litqeval", "--from", httpserver.url_for("/base"), "--json")
    check_soups(asked.document, run)
    assert f"metadata.xlsx ({(folder / 'metadata.xlsx').stat().st_size:,} bytes)" in asked.err


def check_demo(run: Runner) -> None:
    document = run("demo", "--json").document
    evaluations = document["evaluations"]
    assert document["topics"] == [evaluation["topic"] for evaluation in evaluations]
    with Workspace.open(run.root) as workspace:
        rows = list_collections(workspace.store)
        assert [row.name for row in rows] == [document["collection"], document["questions"]]
        assert all(row.made_up for row in rows)
        assert workspace.knowledge.open(document["knowledge_base"]).about.made_up
    table = run("demo")
    for evaluation in evaluations:
        assert list(evaluation) == EVALUATION
        assert evaluation["topic"].endswith("(made up)")
        assert all(region["status"] == "ok" for region in evaluation["regions"].values())
        assert f"{evaluation['topic']} · review · lsa" in table.out
    assert 'the collection "demo"' in table.out
    assert run("demo", "--json").document == document
    assert [t["made_up"] for t in run("topics", "--json").document["topics"]] == [True] * 3


@pytest.mark.slow
def test_the_demo_on_a_landscape_that_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Workspace.open(tmp_path) as workspace:
        bring_demo(workspace, landscape=ProjectionSettings(method="pca"))
    check_demo(Runner(tmp_path, capsys))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ImportWarning")  # umap says that it does without tensorflow
def test_the_demo_from_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_demo(Runner(tmp_path, capsys))
