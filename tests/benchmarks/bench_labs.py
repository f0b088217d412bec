"""A move of the hand in each lab: what its bench takes, against the 30 ms that a move may take."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.explore.labs import LabTopic
from core.explore.scene import Scene
from core.types import CoreSet, EmbeddedSet, RetrievedSet
from dashboard.explore.labs import LABS
from dashboard.explore.labs.bench import read_values
from tests.benchmarks.clustered import clustered_unit_vectors, core_rows
from tests.core.lab_layouts import MadeUpLayouts, layouts_of_made_up

MOST_SECONDS = 0.03
N, N_CORE = 22_890, 47


class LargeTopic:
    """A workspace whose one version is as large as the largest of the source."""

    def __init__(self) -> None:
        ids = tuple(f"p{i}" for i in range(N))
        embedded = EmbeddedSet(ids, clustered_unit_vectors(N, 64), "random")
        core = CoreSet("large", tuple(ids[row] for row in core_rows(N, N_CORE)))
        self._topic = LabTopic.of("large", Scene.of(RetrievedSet.of("q", ids), core, embedded))

    def options(self) -> tuple[tuple[str, str], ...]:
        return (("large", "large"),)

    def topic(self, value: str) -> LabTopic:
        return self._topic


MATERIAL: dict[str, Any] = {"projection": MadeUpLayouts(layouts_of_made_up())}


@pytest.mark.parametrize("lab_id", ["decay", "f_beta", "threshold", "projection", "sensitivity"])
def test_move(lab_id: str, benchmark: BenchmarkFixture) -> None:
    _measure(lab_id, MATERIAL.get(lab_id), {}, benchmark)


@pytest.mark.parametrize("lab_id", ["threshold", "sensitivity"])
def test_move_over_a_large_version(lab_id: str, benchmark: BenchmarkFixture) -> None:
    _measure(lab_id, LargeTopic(), {"topic": "large"}, benchmark)


def test_move_over_the_slowest_map(benchmark: BenchmarkFixture) -> None:
    _measure("sensitivity", None, {"x": "decay_onset", "y": "beta"}, benchmark)


def _measure(lab_id: str, material: Any, sent: dict[str, str], benchmark: BenchmarkFixture) -> None:
    lab = LABS[lab_id]
    values = read_values(lab.controls(material), sent)
    bench = benchmark(lambda: lab.bench(material, values))
    assert bench.charts
    seconds = benchmark.stats["median"]
    print(f"\n{lab_id} {sent}: {seconds * 1e3:.1f} ms a move; may take {MOST_SECONDS * 1e3:.0f} ms")
