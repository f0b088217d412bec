"""The real LitQEval in a workspace: published recalls, and what the published code finds on given vectors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.explore.reproduction import count_results
from core.settings import EvaluationSettings
from data.demo.loading import bring_litqeval
from data.explore.workspace import Workspace
from data.library.reproduction import read_points, reproduce_folder, reproduce_workspace
from tests.core.published import Published

pytestmark = pytest.mark.collections

FIXED = EvaluationSettings(cosine_mode="fixed", min_similarity=0.69)


@pytest.fixture(scope="module")
def litqeval(collections_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with Workspace.open(tmp_path_factory.mktemp("litqeval")) as workspace:
        bring_litqeval(workspace, str(collections_dir / "litqeval"))
        workspace.add_vectors(collections_dir / "litqeval/vectors_minilm384.npz", "minilm")
        yield workspace


def test_topics_and_versions_keep_their_names(litqeval: Workspace) -> None:
    topics = {t.topic_id: t for t in litqeval.topics()}
    assert len(topics) == 21
    models = topics["Business Process Meta Models"]
    assert (models.n_core, models.embedders, models.made_up) == (26, ("minilm",), False)
    assert [(v.version.label, v.version.origin, v.n_retrieved) for v in models.versions] == [
        ("baseline", "baseline", 974),
        ("predicted", "generated", None),
        ("slr", "review", 1266),
    ]


@pytest.mark.parametrize(
    ("topic_id", "label", "n_found", "n_core"),
    [
        ("Business Process Meta Models", "baseline", 8, 26),
        ("Business Process Meta Models", "slr", 17, 26),
        ("Green Warehousing", "baseline", 6, 38),
        ("Multicore Performance Prediction", "baseline", 0, 33),
        ("Software Process Line", "slr", 16, 43),
    ],
)
def test_published_recalls(litqeval: Workspace, topic_id: str, label: str, n_found: int, n_core: int) -> None:
    result = litqeval.evaluate(topic_id, label, settings=FIXED, regions=("cosine",))
    assert (len(result.found_core_ids), len(result.core_ids)) == (n_found, n_core)
    assert result.recall == n_found / n_core
    assert len(result.missed_core_ids) == n_core - n_found
    assert not set(result.missed_core_ids) & set(result.found_core_ids)
    assert result.regions["cosine"].f_beta == pytest.approx(0) if not n_found else result.regions["cosine"].f_beta


def test_what_the_published_code_finds_on_these_vectors(litqeval: Workspace, collections_dir: Path) -> None:
    reference = json.loads((collections_dir / "litqeval/reference_minilm384.json").read_text("utf-8"))
    counts = {}
    for case in reference:
        result = litqeval.evaluate(case["topic"], case["version"], settings=FIXED, regions=("cosine",))
        cosine = result.regions["cosine"]
        assert cosine.n_relevant == case["cosine_at_069"]["n"]
        assert cosine.semantic_precision == pytest.approx(case["cosine_at_069"]["P"], abs=1e-12)
        assert (result.n_retrieved, result.n_core_with_vectors) == (case["n_retrieved"], case["n_core_with_vectors"])
        counts[case["topic"], case["version"]] = cosine.n_relevant
    assert counts["Business Process Meta Models", "baseline"] == 234
    assert len(counts) == 4


def test_published_coordinates_give_what_the_published_code_found(litqeval: Workspace, collections_dir: Path) -> None:
    folder = collections_dir / "litqeval"
    for case in json.loads((folder / "reference_minilm384.json").read_text("utf-8")):
        topic, label = case["topic"], case["version"]
        result = litqeval.evaluate(
            topic,
            label,
            settings=EvaluationSettings(compat="litqeval-2024"),
            regions=("cosine", "mvee", "hull"),
            points=read_points(folder / "reference_points.npz", topic, label),
        )
        for kind, name in (("cosine", "cosine_at_069"), ("mvee", "mvee"), ("hull", "hull")):
            ours, theirs = result.regions[kind], case[name]
            assert (ours.n_relevant, ours.f_beta) == (theirs["n"], theirs["F2"])
            assert ours.recall_used == theirs["R"]
            assert ours.semantic_precision == pytest.approx(theirs["P"], abs=1e-12)
    assert litqeval.landscapes.current_id(topic, litqeval.embedding(topic, "minilm")) is None


def test_the_workspace_and_the_folder_give_the_same_numbers(litqeval: Workspace, collections_dir: Path) -> None:
    of_folder = reproduce_folder(collections_dir / "litqeval")
    of_workspace = reproduce_workspace(litqeval.store)
    assert set(of_folder.numbers) == set(of_workspace.numbers)
    results = {group: dict(counts) for group, counts in count_results(of_folder.numbers).items()}
    assert results["F2 (results.xlsx)"] == {"equal": 102, "possible": 66}
    assert results["Threshold curves (published_threshold_curves.csv)"] == {"equal": 21}
    assert results["Similarity threshold"] == {"equal": 1}
    (threshold,) = [n for n in of_folder.numbers if n.group == "Similarity threshold"]
    assert round(threshold.ours or 0, 5) == 0.68946
    reviews = [n for n in of_folder.numbers if n.group == "F2 (slr_results.xlsx)" and n.region == "cosine"]
    assert (len(reviews), {n.result for n in reviews}) == (14, {"equal", "possible"})


def test_the_f2_values_that_are_equal_are_those_without_a_free_number(collections_dir: Path) -> None:
    folder = collections_dir / "litqeval"
    known, published = set(), Published(folder)
    regions = {"cosine": "cosine", "cluster": "cluster", "ellipsoid": "mvee", "hull": "hull"}
    for row in published.results:
        for score in row.scores:
            if score.method == "cosine" or (score.method != "cluster" and published.n_found(row, score) is not None):
                known.add((row.topic, row.origin.lower(), regions[score.method]))
    numbers = [n for n in reproduce_folder(folder).numbers if n.group == "F2 (results.xlsx)"]
    assert {(n.subject, n.part, n.region) for n in numbers if n.result == "equal"} == known
