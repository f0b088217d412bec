"""Workspaces with one large random topic each, in which everything slow is remembered, as on a second visit."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.settings import EvaluationSettings, ProjectionSettings
from core.types import Publication
from data.explore.workspace import Workspace
from tests.benchmarks.clustered import cluster_of_rows, clustered_unit_vectors, core_rows
from tests.benchmarks.workspace import EMBEDDER, N_CORE, N_MISSED, TOPIC, Version

LABEL = "large"
WORDS = """
adaptive archive balance boundary carbon cell change clinical cluster coastal complex control cost decision density
design detection early effect energy estimate exposure field flow forest gene growth health heat human image impact
learning level light long management marine measure memory method mobile model network neural noise outcome pattern
policy population prediction pressure process quality rapid rate region response review risk river scale sensor signal
social soil spatial species stress structure study surface survey system term theory time tissue transport trial urban
value variation vascular water wave weather work
""".split()  # noqa: SIM905
WIDTHS = {17_573: 1536, 50_000: 1536}
"""Dimensions of the vectors; fewer for larger topics, whose cluster sweep would take an hour."""
FEWER = 128


def remembered_topic(folder: Path, n: int) -> Path:
    """A workspace in which a topic of n publications has been looked at before. Built once, then kept."""
    workspace_folder = folder / f"topic-{n}"
    if (workspace_folder / "ready").exists():
        return workspace_folder
    vectors = clustered_unit_vectors(n, WIDTHS.get(n, FEWER))
    ids = tuple(f"pub.{1_000_000 + i}" for i in range(n))
    core_ids = tuple(ids[i] for i in core_rows(n, N_CORE))
    missed = set(core_ids[:N_MISSED])
    with Workspace.open(workspace_folder) as workspace:
        with workspace.store.transaction():
            workspace.store.save_publications(_publications(ids, n))
            kept = tuple(i for i in ids if i not in missed)
            workspace.save_topic(TOPIC, core_ids, [Version(LABEL, 1, "random words", "baseline", kept)])
        np.savez(folder / "vectors.npz", ids=np.array(ids), vectors=vectors)
        workspace.add_vectors(folder / "vectors.npz", EMBEDDER)
        (folder / "vectors.npz").unlink()
        workspace.project(TOPIC, EMBEDDER, settings=ProjectionSettings(method="pca"))
        _remember(workspace)
    (workspace_folder / "ready").touch()
    return workspace_folder


def _publications(ids: tuple[str, ...], n: int) -> list[Publication]:
    rng = np.random.default_rng(7)
    themes = cluster_of_rows(n)
    theme_words = rng.choice(WORDS, size=(themes.max() + 1, 12))
    publications = []
    for i, publication_id in enumerate(ids):
        words = [*rng.choice(theme_words[themes[i]], 4), *rng.choice(WORDS, 6)]
        title = " ".join(words).capitalize()
        publications.append(
            Publication(publication_id, title, year=1980 + int(i % 45), doi=f"10.5555/{publication_id}")
        )
    return publications


def _remember(workspace: Workspace) -> None:
    view = workspace.view(TOPIC, LABEL, EMBEDDER)
    settings = EvaluationSettings()
    workspace.fit_clusters(view, settings)
    evaluation, _ = workspace.evaluate_view(view, settings)
    kinds = [kind for kind, scores in evaluation.regions.items() if scores.status == "ok" and kind != "cluster"]
    workspace.sensitivity(view, settings, kinds)
    workspace.honesty(TOPIC, EMBEDDER)
