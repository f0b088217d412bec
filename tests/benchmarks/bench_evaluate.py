"""`evaluate` through the workspace: first call, second call, and what it adds to the process."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.explore.regions import DEFAULT_REGIONS
from core.settings import EvaluationSettings
from data.explore.workspace import Workspace
from tests.benchmarks.timing import median_seconds
from tests.benchmarks.workspace import EMBEDDER, QUICK, TOPIC, WIDTH, build

GROWTH = """
import json, sys
from pathlib import Path
from data.explore.workspace import Workspace

def kilobytes(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(name)))

folder, label, regions = Path(sys.argv[1]), sys.argv[2], tuple(sys.argv[3].split(","))
with Workspace.open(folder) as workspace:
    before = kilobytes("VmRSS")
    workspace.evaluate("Random clusters", label, regions=regions, embedder="random")
    print(json.dumps({"before": before, "peak": kilobytes("VmHWM")}))
"""


@pytest.mark.parametrize("label", ["in_file_order", "shuffled"])
def test_evaluate(label: str, tmp_path_factory: pytest.TempPathFactory, benchmark: BenchmarkFixture) -> None:
    folder = tmp_path_factory.mktemp("bench") / "topic"
    build(folder, 17_573)
    with Workspace.open(folder / "workspace") as workspace:
        numbers = count()

        def first() -> object:
            settings = EvaluationSettings(beta=2 + next(numbers) * 1e-3)  # never asked before
            return workspace.evaluate(TOPIC, label, embedder=EMBEDDER, settings=settings, regions=QUICK)

        benchmark.pedantic(first, rounds=9, warmup_rounds=1)
        workspace.evaluate(TOPIC, label, embedder=EMBEDDER, regions=QUICK)
        again, evaluation = median_seconds(
            lambda: workspace.evaluate(TOPIC, label, embedder=EMBEDDER, regions=QUICK), rounds=9
        )
    assert evaluation.n_scorable == 17_570
    first_ms = benchmark.stats["median"] * 1e3
    print(f"\nevaluate 17,573 x {WIDTH} ({label}): first {first_ms:,.0f} ms, again {again * 1e3:,.1f} ms")


@pytest.mark.parametrize("label", ["in_file_order", "shuffled"])
def test_memory(label: str, tmp_path: Path) -> None:
    build(tmp_path / "topic", 50_000)
    regions = ",".join(DEFAULT_REGIONS)
    done = subprocess.run(
        [sys.executable, "-c", GROWTH, str(tmp_path / "topic" / "workspace"), label, regions],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    measured = json.loads(done.stdout)
    growth, vectors = (measured["peak"] - measured["before"]) / 1024, 50_000 * WIDTH * 4 / 2**20
    assert growth > 0
    print(
        f"\nevaluate 50,000 x {WIDTH}, all regions ({label}): +{growth:,.0f} MiB, {growth / vectors:.2f} x the vectors"
    )
