"""A workspace with one large random topic, for benchmarks of the whole way."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.settings import ProjectionSettings
from core.types import Ids, Origin, Publication
from data.explore.workspace import Workspace
from tests.benchmarks.clustered import clustered_unit_vectors, core_rows

TOPIC, EMBEDDER, WIDTH, N_CORE, N_MISSED = "Random clusters", "random", 1536, 47, 3
QUICK = ("cosine", "nearest_core", "mvee", "hull")


@dataclass(frozen=True)
class Version:
    """A query version to save."""

    label: str
    number: int
    text: str
    origin: Origin
    retrieved_ids: Ids


def build(folder: Path, n: int) -> None:
    """A topic of n publications; `in_file_order` retrieves them as they lie on disk, `shuffled` does not."""
    vectors = clustered_unit_vectors(n, WIDTH)
    ids = tuple(f"pub.{1_000_000 + i}" for i in range(n))
    core_ids = tuple(ids[i] for i in core_rows(n, N_CORE))
    kept = [i for i in ids if i not in core_ids[:N_MISSED]]
    shuffled = [kept[i] for i in np.random.default_rng(0).permutation(len(kept))]
    folder.mkdir(parents=True)
    np.savez(folder / "vectors.npz", ids=np.array(ids), vectors=vectors)
    with Workspace.open(folder / "workspace") as workspace:
        with workspace.store.transaction():
            workspace.store.save_publications([Publication(i, f"Publication {i}") for i in ids])
            versions = [
                Version("in_file_order", 1, "", "baseline", tuple(kept)),
                Version("shuffled", 2, "", "manual", tuple(shuffled)),
            ]
            workspace.save_topic(TOPIC, core_ids, versions)
        workspace.add_vectors(folder / "vectors.npz", EMBEDDER)
        workspace.project(TOPIC, EMBEDDER, settings=ProjectionSettings(method="pca"))
    (folder / "vectors.npz").unlink()
