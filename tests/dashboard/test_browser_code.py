"""The browser's code, run by node: its own tests, and its counting against a file that numpy wrote."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from core.explore.evaluate import evaluate_scene
from core.explore.landscape import Landscape, lay_out, name_groups, split_curve
from core.explore.regions import DEFAULT_REGIONS
from core.explore.scene import Scene
from core.metrics import SIMILARITY_TOLERANCE, sweep_at
from core.settings import EvaluationSettings
from dashboard.explore.payloads import curve_payload, points_payload, regions_payload
from data.store import Headlines
from tests.core.scenes import Topic, random_topic, topic_of

TESTS = Path(__file__).parent / "browser_code"
SETTINGS = EvaluationSettings(decay_limit=60)
NAMES = {"payload_id": "x", "scape": "explore"}


def node_test(node: str, *files: Path, golden: Path | None = None) -> None:
    """Runs them, and shows what node says if one fails."""
    environment = {k: v for k, v in os.environ.items() if k not in ("QUERYSCAPE_GOLDEN", "NODE_OPTIONS")}
    if golden:
        environment["QUERYSCAPE_GOLDEN"] = str(golden)
    ran = subprocess.run(
        [node, "--test", *map(str, files)], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_tests_of_the_browsers_code(node: str) -> None:
    files = sorted(TESTS.glob("*.test.mjs"))
    assert files
    node_test(node, *files)


def test_the_browser_counts_as_numpy_does(node: str, tmp_path: Path) -> None:
    golden = tmp_path / "golden.json"
    golden.write_text(json.dumps([scene(name, topic) for name, topic in topics().items()]), encoding="utf-8")
    node_test(node, TESTS / "golden.test.mjs", golden=golden)


def topics() -> dict[str, Topic]:
    """Usual ones, and those at the ends."""
    rng = np.random.default_rng(0)
    coarse = np.round(rng.normal(size=(70, 2)) * 2) + np.array([3, 0.5])
    near = [[1, 0], [1, 1e-4], *([1, 1 + step * 2e-6] for step in range(-8, 9))]
    return {
        **{f"random {seed}": random_topic(seed, n=60 + seed) for seed in range(8)},
        "ties": topic_of(coarse, n_core=8, found=range(6)),
        "near ties": topic_of(near, n_core=2, found=[0]),
        "nothing found": random_topic(20, n_found=0),
        "everything is core": random_topic(21, n=12, n_found=12),
        "nothing retrieved": random_topic(22).with_(retrieved_ids=()),
        "a core that cancels out": topic_of([[1, 0], [-1, 0], [1, 2], [0, 1]], n_core=2, found=[0]),
        "one publication": topic_of([[1.0, 0]], n_core=1, found=[0]),
    }


def thresholds_of(landscape: Landscape) -> np.ndarray:
    """Every similarity, both sides of the tolerance around it, the ends, and a few between."""
    own = landscape.similarities[: landscape.n_retrieved].astype(np.float64)
    around = [own + SIMILARITY_TOLERANCE * step for step in (-1, -0.5, 0, 0.5, 0.999999, 1, 1.000001, 2)]
    return np.concatenate([*around, np.linspace(-1, 1, 41), [-1 - 1e-6, 1 + 1e-6]])


def scene(name: str, topic: Topic) -> dict[str, Any]:
    """Payloads as they are sent, and what has to come of them."""
    laid: Scene = topic.scene
    landscape = lay_out(laid)
    n = landscape.n_retrieved
    titles = [f"Title {row} ☕ {'é' * (row % 3)}" if row % 5 else "" for row in range(len(landscape))]
    headlines = Headlines(tuple(titles), np.zeros(len(landscape), dtype=np.int16), ("",) * len(landscape))
    evaluation = evaluate_scene(laid, topic_id="t", query_id="q", settings=SETTINGS)
    points = points_payload(
        landscape,
        headlines,
        name_groups(landscape.points if landscape.points is not None else np.zeros((0, 2)), titles),
        ((), np.zeros(len(landscape), dtype=np.uint8)),
        {},
        topic="t",
        version="v",
        embedder="toy",
        made_up=True,
        **NAMES,
    )
    curve = split_curve(landscape, SETTINGS)
    return {
        "name": name,
        "points": sent(points),
        "curve": sent(curve_payload(curve, **NAMES)),
        "regions": sent(regions_payload(landscape, evaluation, {}, **NAMES)),
        "thresholds": expected_at(landscape),
        "masks": {kind: expected_in(evaluation, landscape, kind) for kind in DEFAULT_REGIONS if kind != "cosine"},
        "core_found": np.flatnonzero(landscape.core_mask[:n]).tolist(),
        "core_missed": list(range(n, len(landscape))),
        "titles": titles,
    }


def sent(payload: bytes) -> str:
    return base64.b64encode(payload).decode("ascii")


def expected_at(landscape: Landscape) -> list[dict[str, float]]:
    """What the sweep says at each threshold."""
    own = landscape.similarities[: landscape.n_retrieved]
    sweep = sweep_at(
        thresholds_of(landscape),
        similarities=own,
        core_similarities=own[landscape.core_mask[: landscape.n_retrieved]],
        n_core=landscape.n_core,
        settings=SETTINGS,
    )
    columns = (
        "min_similarity",
        "n_relevant",
        "n_accepted_core",
        "core_accepted",
        "semantic_precision",
        "decay",
        "f_beta",
    )
    return [{name: getattr(sweep, name)[at].item() for name in columns} for at in range(len(sweep))]


def expected_in(evaluation: Any, landscape: Landscape, kind: str) -> dict[str, Any]:
    """Which rows a region accepts, found by id."""
    scores = evaluation.regions[kind]
    if scores.relevant_mask is None:
        return {"rows": None, "status": scores.status}
    inside = {i for i, ok in zip(evaluation.scorable_ids, scores.relevant_mask, strict=True) if ok}
    return {
        "rows": [row for row in range(landscape.n_retrieved) if landscape.ids[row] in inside],
        "n_relevant": scores.n_relevant,
        "n_accepted": len(scores.accepted_core_ids),
    }
