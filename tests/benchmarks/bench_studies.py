"""21 made-up topics of realistic sizes: threshold curves made once, then looked up, studied and drawn."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from core.explore.studies import ThresholdCurve, study_thresholds
from core.settings import EvaluationSettings
from core.types import Publication
from dashboard.explore.figures.thresholds import costs_figure, threshold_curves_figure
from data.explore.studies import StudyVersion, known_curves, make_curves, want
from data.explore.workspace import Workspace
from tests.benchmarks.clustered import clustered_unit_vectors, core_rows
from tests.benchmarks.timing import median_seconds
from tests.benchmarks.workspace import Version

SIZES = [22_890, 17_573, 12_000, 9_000, 6_000, 5_000, 4_000, 3_500, 3_000, 2_500, 2_000, *[1_500] * 5, *[800] * 5]
WIDTH = 64
"""Fewer dimensions than a model's: making the curves reads vectors, looking them up does not."""
EMBEDDER = "random"
SETTINGS = EvaluationSettings()


def build(root: Path) -> list[str]:
    """The workspace; gives back its topics."""
    vectors = clustered_unit_vectors(sum(SIZES), WIDTH)
    ids = [f"pub.{i}" for i in range(sum(SIZES))]
    root.mkdir(parents=True)
    np.savez(root / "vectors.npz", ids=np.array(ids), vectors=vectors)
    topics, start = [f"Topic {number:02}" for number in range(len(SIZES))], 0
    with Workspace.open(root) as workspace:
        with workspace.store.transaction():
            workspace.store.save_publications([Publication(i, f"Publication {i}") for i in ids])
            for topic, size in zip(topics, SIZES, strict=True):
                own = tuple(ids[start : start + size])
                core = tuple(own[i] for i in core_rows(size, 30))
                workspace.save_topic(topic, core, [Version("generated", 1, "", "generated", own)])
                start += size
        workspace.add_vectors(root / "vectors.npz", EMBEDDER)
    return topics


def known(workspace: Workspace, wanted: tuple[StudyVersion, ...]) -> list[ThresholdCurve]:
    """All curves, none of them missing."""
    found = [curve for curve in known_curves(workspace, wanted).values() if curve is not None]
    assert len(found) == len(SIZES)
    return found


def main() -> None:
    """Print one line for each step."""
    with tempfile.TemporaryDirectory() as folder:
        topics = build(Path(folder) / "workspace")
        with Workspace.open(Path(folder) / "workspace") as workspace:
            start = time.perf_counter()
            make_curves(workspace, want(workspace, topics, ["generated"], EMBEDDER))
            print(f"curves of {len(SIZES)} topics made: {time.perf_counter() - start:.2f} s")
            wanting, wanted = median_seconds(lambda: want(workspace, topics, ["generated"], EMBEDDER), rounds=7)
            looking, curves = median_seconds(lambda: known(workspace, wanted), rounds=7)
            studying, study = median_seconds(
                lambda: study_thresholds(curves, score="ours", settings=SETTINGS), rounds=7
            )
            assert study.single is not None
            single = study.single
            drawing, _ = median_seconds(
                lambda: (
                    threshold_curves_figure(study, theme="light").to_json(),
                    costs_figure(study.costs(single), single, theme="light").to_json(),
                ),
                rounds=7,
            )
            for what, seconds in (
                ("chosen", wanting),
                ("looked up", looking),
                ("studied", studying),
                ("both figures built", drawing),
                ("together", wanting + looking + studying + drawing),
            ):
                print(f"{what}: {seconds * 1e3:,.0f} ms")


if __name__ == "__main__":
    main()
