"""UMAP in a process of its own: the same points, progress on the way, and an end when nobody waits for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.errors import InputError, QueryscapeError
from core.explore.landscape import fit_projection
from core.settings import ProjectionSettings
from core.types import EmbeddedSet
from data.explore import layout_process
from data.explore.layout_process import POINTS, lay_out
from tests.data.stopping import Stopped, stop_from

N = 40
SETTINGS = ProjectionSettings(seed=3)
WORKS = f"""
import sys, numpy as np
print("1/2", flush=True)
print("2/2", flush=True)
np.save(sys.argv[1] + "/{POINTS}", np.ones(({N}, 2)))
"""
NEVER_ENDS = "print('1/2', flush=True); import time; time.sleep(600)"
Processes = list["subprocess.Popen[str]"]


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Processes]:
    """Those that were started; none is at work at the end."""
    started: Processes = []

    class Listened(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Listened)
    monkeypatch.setattr(layout_process, "FEWEST", N)
    yield started
    assert all(process.poll() is not None for process in started)


def runs(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """In the place of UMAP."""
    monkeypatch.setattr(layout_process, "COMMAND", (sys.executable, "-c", script))


def embedded(n: int) -> EmbeddedSet:
    vectors = np.random.default_rng(5).normal(size=(n, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return EmbeddedSet(tuple(f"p{i}" for i in range(n)), vectors, "toy")


@pytest.mark.slow
def test_many_are_laid_out_as_they_would_be_without_a_process(processes: Processes) -> None:
    steps: list[tuple[int, int]] = []
    found = lay_out(embedded(N), SETTINGS, projection_id="map", on_step=lambda *step: steps.append(step))
    here = fit_projection(embedded(N), SETTINGS, projection_id="map", on_step=lambda *_: None)
    assert len(processes) == 1
    assert np.array_equal(found.points, here.points)
    assert len(steps) > 1


def test_steps_and_points_come_back(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    runs(monkeypatch, WORKS)
    steps: list[tuple[int, int]] = []
    found = lay_out(embedded(N), SETTINGS, projection_id="map", on_step=lambda *step: steps.append(step))
    assert steps == [(1, 2), (2, 2)]
    assert (found.ids, found.points.tolist(), found.projection_id) == (embedded(N).ids, [[1, 1]] * N, "map")


def test_what_is_quick_needs_no_process(processes: Processes) -> None:
    found = lay_out(embedded(N), ProjectionSettings(method="pca"), projection_id="map")
    assert found.ids == embedded(N).ids
    with pytest.raises(InputError, match="got 4"):  # by what lays out here
        lay_out(embedded(4), SETTINGS, projection_id="map")
    assert processes == []


def test_a_layout_that_is_cancelled_ends_its_process(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    runs(monkeypatch, NEVER_ENDS)
    with pytest.raises(Stopped):
        lay_out(embedded(N), SETTINGS, projection_id="map", on_step=stop_from(0)(""))
    assert len(processes) == 1


def test_a_process_that_fails_is_reported(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    runs(monkeypatch, "raise SystemExit(3)")
    with pytest.raises(QueryscapeError, match="status 3"):
        lay_out(embedded(N), SETTINGS, projection_id="map")
