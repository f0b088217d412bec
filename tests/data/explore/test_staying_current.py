"""What is remembered stays true: vectors that change, publications that come, threads that ask at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.errors import InputError
from core.settings import EvaluationSettings, ProjectionSettings
from data.explore import scoring
from data.explore.workspace import Workspace
from tests.data.workspaces import (
    CORE,
    MODEL,
    TOPIC,
    VERSIONS,
    Version,
    add_vectors,
    ids_of,
    publications,
    write_npz,
)
from tests.messages import refusal

PCA = ProjectionSettings(method="pca")


def widen(workspace: Workspace, start: int, stop: int) -> None:
    """Publications from the 40th on, and a version that retrieves them."""
    with workspace.store.transaction():
        workspace.store.save_publications(publications(ids_of(40, stop)))
        workspace.save_topic(TOPIC, CORE, [*VERSIONS, Version("wider", 4, ids_of(start, stop))])


def test_the_same_vectors_again_change_nothing(workspace: Workspace) -> None:
    add_vectors(workspace, 0, 40)
    before = workspace.embedding(TOPIC, MODEL)
    projection_id = workspace.project(TOPIC)
    add_vectors(workspace, 0, 40)
    assert workspace.embedding(TOPIC, MODEL) == before
    assert workspace.project(TOPIC) == projection_id


def test_a_landscape_of_replaced_vectors_is_laid_out_anew(workspace: Workspace) -> None:
    old = workspace.project(TOPIC)
    ids = ids_of(0, 40)
    other = np.random.default_rng(9).normal(size=(40, 6))
    workspace.add_vectors(write_npz(workspace.paths.root / "v.npz", ids, other), MODEL)
    new = workspace.project(TOPIC, settings=PCA)
    assert new != old
    assert not np.allclose(workspace.landscapes.load(new).points, workspace.landscapes.load(old).points)


def test_vectors_that_are_only_added_leave_the_landscape(workspace: Workspace) -> None:
    old = workspace.project(TOPIC)
    widen(workspace, 20, 50)
    add_vectors(workspace, 40, 50)
    assert workspace.project(TOPIC) == old
    assert len(workspace.landscapes.load(old)) == 50


def test_another_layout_is_asked_for_by_refitting(workspace: Workspace) -> None:
    current = workspace.project(TOPIC)
    assert workspace.project(TOPIC, settings=PCA) == current
    with refusal(InputError):
        workspace.project(TOPIC, settings=ProjectionSettings(method="pca", seed=3))
    assert workspace.project(TOPIC, settings=ProjectionSettings(method="pca", seed=3), refit=True) != current


def test_what_a_score_owes_to_the_picture_follows_new_publications(workspace: Workspace) -> None:
    before = workspace.landscape_effect(TOPIC, "review")
    widen(workspace, 0, 60)
    add_vectors(workspace, 40, 60)
    fresh = workspace.landscape_effect(TOPIC, "review")
    workspace.store.execute("DELETE FROM remembered")
    assert workspace.landscape_effect(TOPIC, "review") == fresh
    assert set(before.seed_ranges) == {"mvee", "hull", "cluster_projection"}


def test_the_cluster_does_not_depend_on_the_landscape(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    first = workspace.evaluate(TOPIC, "review", regions=("cosine", "cluster"))

    def fit_again(*_: object) -> None:
        raise AssertionError("the cluster was fitted again")

    monkeypatch.setattr(scoring, "fit_regions", fit_again)
    second = workspace.evaluate(TOPIC, "review", regions=("hull", "cluster"))
    assert second.regions["cluster"].n_relevant == first.regions["cluster"].n_relevant


def test_lsa_embeds_what_has_come_since(workspace: Workspace) -> None:
    assert workspace.evaluate(TOPIC, "review", embedder="lsa", regions=("cosine",)).n_unscorable == 0
    widen(workspace, 0, 60)
    assert workspace.evaluate(TOPIC, "wider", embedder="lsa", regions=("cosine",)).n_unscorable == 0


def test_threads_share_one_workspace(workspace: Workspace) -> None:
    """Every answer is the one that a single thread gets, also while another thread writes."""
    regions = ("cosine", "nearest_core", "hull")
    betas = [1 + n / 10 for n in range(12)]
    expected = {}
    for beta in betas:
        settings = EvaluationSettings(beta=beta)
        for label in ("baseline", "review"):
            found = workspace.evaluate(TOPIC, label, settings=settings, regions=regions)
            expected[label, beta] = [found.regions[kind].f_beta for kind in regions]
    workspace.store.execute("DELETE FROM remembered")

    def ask(case: tuple[str, float]) -> list[float | None]:
        with workspace.store.transaction():
            workspace.store.save_publications(publications(ids_of(0, 40)))
        found = workspace.evaluate(TOPIC, case[0], settings=EvaluationSettings(beta=case[1]), regions=regions)
        assert [t.topic_id for t in workspace.topics()] == [TOPIC]
        return [found.regions[kind].f_beta for kind in regions]

    with ThreadPoolExecutor(6) as threads:
        assert dict(zip(expected, threads.map(ask, expected), strict=True)) == expected


@pytest.mark.parametrize("label", ["baseline", "review"])
def test_each_version_and_the_rest_are_the_landscape_of_the_topic(workspace: Workspace, label: str) -> None:
    view = workspace.view(TOPIC, label, MODEL)
    topic = workspace.landscapes.of_topic(TOPIC, workspace.project(TOPIC))
    assert view.landscape.points is not None
    rest = topic.points_besides(view.landscape.ids)
    together = np.concatenate([view.landscape.points, rest]).tolist()
    assert sorted(together) == sorted(topic.projection.points.tolist())
    groups = topic.groups_of(view.landscape.ids)
    assert groups.named == topic.groups.named
    everywhere = dict(zip(topic.projection.ids, topic.groups.group_of, strict=True))
    assert groups.group_of.tolist() == [everywhere[i] for i in view.landscape.ids]


def test_what_has_left_a_topic_is_not_on_its_landscape(workspace: Workspace) -> None:
    projection_id = workspace.project(TOPIC)
    workspace.save_topic(TOPIC, CORE, [Version(v.label, v.number, ids_of(0, 12)) for v in VERSIONS])
    topic = workspace.landscapes.of_topic(TOPIC, projection_id)
    assert set(topic.projection.ids) == set(workspace.store.topic_publication_ids(TOPIC))
    assert len(topic.projection) < len(workspace.landscapes.load(projection_id))
