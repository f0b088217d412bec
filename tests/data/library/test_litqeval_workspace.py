"""The real LitQEval in a workspace: published recalls, and what the published code finds on given vectors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.settings import EvaluationSettings
from data.demo.loading import bring_litqeval
from data.explore.workspace import Workspace

pytestmark = pytest.mark.collections

FIXED = EvaluationSettings(cosine_mode="fixed", min_similarity=0.69)


@pytest.fixture
def litqeval(collections_dir: Path, tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path) as workspace:
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
