"""Two large versions side by side: values at once, again from the store, then the ranges and the sensitivity report."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from core.settings import EvaluationSettings, ProjectionSettings
from core.types import Publication
from data.explore.versions import compare_in_full, compare_now, known_comparison, known_robustness, robustness_of
from data.explore.workspace import Workspace
from tests.benchmarks.clustered import clustered_unit_vectors, core_rows
from tests.benchmarks.timing import median_seconds
from tests.benchmarks.workspace import EMBEDDER, N_CORE, QUICK, TOPIC, WIDTH, Version

N_A, N_B, N_BOTH = 17_573, 22_890, 12_000
LABELS = ("a", "b")


def build_two(folder: Path) -> None:
    """A topic whose two versions share some of what they retrieve; each lists it in an order of its own."""
    n = N_A + N_B - N_BOTH
    vectors, rng = clustered_unit_vectors(n, WIDTH), np.random.default_rng(0)
    ids = tuple(f"pub.{1_000_000 + i}" for i in range(n))
    core_ids = tuple(ids[i] for i in core_rows(n, N_CORE))
    lists = (ids[:N_A], ids[n - N_B :])
    folder.mkdir(parents=True)
    np.savez(folder / "vectors.npz", ids=np.array(ids), vectors=vectors)
    with Workspace.open(folder / "workspace") as workspace:
        with workspace.store.transaction():
            workspace.store.save_publications([Publication(i, f"Publication {i}") for i in ids])
            versions = [
                Version(label, number, "", "manual", tuple(there[i] for i in rng.permutation(len(there))))
                for number, (label, there) in enumerate(zip(LABELS, lists, strict=True), start=1)
            ]
            workspace.save_topic(TOPIC, core_ids, versions)
        workspace.add_vectors(folder / "vectors.npz", EMBEDDER)
        workspace.project(TOPIC, EMBEDDER, settings=ProjectionSettings(method="pca"))
    (folder / "vectors.npz").unlink()


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("bench") / "topic"
    build_two(folder)
    with Workspace.open(folder / "workspace") as opened:
        yield opened


def test_compare(workspace: Workspace) -> None:
    numbers = count()

    def scored() -> EvaluationSettings:
        settings = EvaluationSettings(beta=2 + next(numbers) * 1e-3)  # never compared before
        for label in LABELS:
            workspace.evaluate(TOPIC, label, settings=settings, regions=QUICK)
        return settings

    asked = iter([scored() for _ in range(10)])
    compare_now(workspace, TOPIC, LABELS, settings=next(asked), regions=QUICK)
    first, _ = median_seconds(
        lambda: compare_now(workspace, TOPIC, LABELS, settings=next(asked), regions=QUICK), rounds=9
    )
    settings = scored()
    now, _ = compare_now(workspace, TOPIC, LABELS, settings=settings, regions=QUICK)
    again, _ = median_seconds(
        lambda: compare_now(workspace, TOPIC, LABELS, settings=settings, regions=QUICK), rounds=15
    )
    waits, (_, waiting) = median_seconds(lambda: compare_now(workspace, TOPIC, LABELS, settings=settings), rounds=15)
    assert waiting == ("cluster",)
    ranges, full = median_seconds(
        lambda: compare_in_full(workspace, TOPIC, LABELS, settings=settings, regions=QUICK), rounds=1
    )
    known, _ = median_seconds(
        lambda: known_comparison(workspace, TOPIC, LABELS, settings=settings, regions=QUICK), rounds=9
    )
    assert [d.difference for d in now.differences] == [d.difference for d in full.differences]
    print(f"\nwhile the clusters are not known, again: {waits * 1e3:,.0f} ms", end="")
    print(f"\ncompare {N_A:,} and {N_B:,} x {WIDTH}, scores remembered: values {first * 1e3:,.0f} ms", end="")
    print(f", again {again * 1e3:,.0f} ms; ranges {ranges:,.1f} s, again {known * 1e3:,.0f} ms")


def test_sensitivity_report(workspace: Workspace) -> None:
    seconds, found = median_seconds(lambda: robustness_of(workspace, TOPIC, LABELS), rounds=1)
    again, known = median_seconds(lambda: known_robustness(workspace, TOPIC, LABELS), rounds=9)
    assert known == found
    print(f"\nsensitivity report of both, {len(found.outcomes)} choices: {seconds:,.1f} s, again {again * 1e3:,.0f} ms")
