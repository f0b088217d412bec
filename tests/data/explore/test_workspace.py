"""The workspace: the same question is answered from the store, another one is not, and nothing that was drawn moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import FileError, InputError, NoCoreError, NotFoundError
from core.explore.regions import DEFAULT_REGIONS, REGIONS
from core.settings import EvaluationSettings, ProjectionSettings
from core.types import Publication
from data.explore import scoring
from data.explore import workspace as workspace_module
from data.explore.versions import compare_in_full
from data.explore.workspace import Workspace
from tests.data.workspaces import (
    MODEL,
    TOPIC,
    VERSIONS,
    Version,
    add_vectors,
    fill,
    ids_of,
    same_fields,
    save_versions,
    write_npz,
)

PCA = ProjectionSettings(method="pca")


def forbid(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def called(*_: object, **__: object) -> None:
        raise AssertionError(f"{name} was called")

    monkeypatch.setattr(scoring if hasattr(scoring, name) else workspace_module, name, called)


ALL = tuple(REGIONS)


@pytest.mark.parametrize(("label", "intervals"), [("baseline", True), ("review", False)])
def test_the_second_answer_comes_from_the_store_and_is_equal(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, label: str, intervals: bool
) -> None:
    first = workspace.evaluate(TOPIC, label, regions=ALL, intervals=intervals)
    assert {kind for kind, scores in first.regions.items() if scores.status == "ok"} >= {"cosine", "hull", "cluster"}
    for name in ("evaluate_scene", "load_scene", "fit_regions", "sensitivity"):
        forbid(monkeypatch, name)
    same_fields(workspace.evaluate(TOPIC, label, regions=ALL, intervals=intervals), first)
    workspace.close()
    with Workspace.open(workspace.paths.root) as again:
        same_fields(again.evaluate(TOPIC, label, regions=ALL, intervals=intervals), first)
    with pytest.raises(AssertionError, match="was called"), Workspace.open(workspace.paths.root) as again:
        again.evaluate(TOPIC, label, regions=DEFAULT_REGIONS, intervals=intervals)


def test_odd_evaluations_are_remembered_as_they_are(workspace: Workspace) -> None:
    odd = ("a\nb", "\n", "☕'; DROP", "a", "b", "")
    save_versions(
        workspace, Version("none", 1, ()), Version("odd", 2, odd), Version("few", 3, ("p0", "a\nb")), core_ids=odd[:3]
    )
    workspace.store.save_publications([Publication(i, "title") for i in odd])
    file = write_npz(workspace.paths.root / "odd.npz", odd, np.vstack([np.eye(5), np.ones((1, 5))]))
    workspace.add_vectors(file, "odd")
    workspace.project(TOPIC, "odd", settings=PCA)
    for label in ("none", "odd", "few"):
        first = workspace.evaluate(TOPIC, label, embedder="odd", regions=ALL)
        assert first.scorable_ids == {"none": (), "odd": odd, "few": ("a\nb",)}[label]
        same_fields(workspace.evaluate(TOPIC, label, embedder="odd", regions=ALL), first)


def change_retrieved(workspace: Workspace) -> None:
    save_versions(workspace, Version("baseline", 1, ids_of(3, 31), "baseline"))


def change_core(workspace: Workspace) -> None:
    save_versions(workspace, core_ids=ids_of(0, 9))


def change_vectors(workspace: Workspace) -> None:
    add_vectors(workspace, 10, 12, seed=7)


@pytest.mark.parametrize("change", [change_retrieved, change_core, change_vectors])
def test_a_change_of_what_it_depends_on_gives_a_new_answer(
    workspace: Workspace, change: Callable[[Workspace], None]
) -> None:
    old = workspace.evaluate(TOPIC, "baseline", regions=("cosine", "cluster"))
    change(workspace)
    new = workspace.evaluate(TOPIC, "baseline", regions=("cosine", "cluster"))
    if change is change_retrieved:
        assert (old.n_retrieved, new.n_retrieved) == (27, 28)
    elif change is change_core:
        assert (old.recall, new.recall) == (5 / 8, 6 / 9)
    else:
        assert not np.array_equal(old.regions["cosine"].relevant_mask, new.regions["cosine"].relevant_mask)


def test_other_settings_give_other_answers_and_keep_the_cluster(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    regions = ("cosine", "cluster")
    first = workspace.evaluate(TOPIC, "review", regions=regions)
    with monkeypatch.context() as patch:
        forbid(patch, "fit_regions")
        other = EvaluationSettings(cosine_mode="fixed", min_similarity=0.99, beta=1, decay_limit=30)
        second = workspace.evaluate(TOPIC, "review", regions=regions, settings=other)
        compare_in_full(workspace, TOPIC, ["review", "baseline"], settings=other, regions=("cosine",))
        with pytest.raises(AssertionError, match="fit_regions was called"):
            workspace.evaluate(TOPIC, "review", regions=regions, settings=EvaluationSettings(min_core_share=0.5))
    assert second.regions["cosine"].n_relevant != first.regions["cosine"].n_relevant
    a, b = first.regions["cluster"], second.regions["cluster"]
    np.testing.assert_array_equal(a.relevant_mask, b.relevant_mask)
    assert (a.n_relevant, a.accepted_core_ids, a.defines) == (b.n_relevant, b.accepted_core_ids, b.defines)
    assert a.f_beta != b.f_beta


def test_a_landscape_takes_up_what_comes_later_and_moves_nothing(workspace: Workspace) -> None:
    projection_id = workspace.project(TOPIC)
    before = workspace.landscapes.load(projection_id)
    scores = workspace.evaluate(TOPIC, "baseline", regions=("hull", "mvee"))
    assert len(before) == 40
    with workspace.store.transaction():
        workspace.store.save_publications([Publication(f"p{i}", "later") for i in range(40, 50)])
    save_versions(workspace, Version("later", 4, ids_of(5, 48)))
    add_vectors(workspace, 40, 46)
    later = workspace.evaluate(TOPIC, "later", regions=("hull",))
    assert later.projection_id == scores.projection_id == projection_id == workspace.project(TOPIC)
    assert (later.n_scorable, later.n_unscorable) == (41, 2)
    after = workspace.landscapes.load(projection_id)
    assert set(after.ids) == set(ids_of(0, 46))
    assert after.take(before.ids).points.tobytes() == before.points.tobytes()
    assert np.isfinite(after.points).all()
    assert workspace.landscapes.load(projection_id, fitted_only=True).ids == before.ids
    same = workspace.evaluate(TOPIC, "baseline", regions=("hull", "mvee"))
    assert same.regions["hull"].n_relevant == scores.regions["hull"].n_relevant


def test_a_refit_is_another_landscape_and_the_old_one_stays(workspace: Workspace) -> None:
    old_id = workspace.project(TOPIC)
    old = workspace.landscapes.load(old_id)
    on_old = workspace.evaluate(TOPIC, "baseline", regions=("hull",))
    new_id = workspace.project(TOPIC, settings=ProjectionSettings(method="pca", seed=3), refit=True)
    assert new_id != old_id
    assert workspace.project(TOPIC) == new_id
    assert workspace.landscapes.settings(new_id).seed == 3
    assert workspace.evaluate(TOPIC, "baseline", regions=("hull",)).projection_id == new_id
    assert on_old.projection_id == old_id
    assert workspace.landscapes.load(old_id).points.tobytes() == old.points.tobytes()


def test_honesty_is_remembered(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    first = workspace.honesty(TOPIC)
    assert 0.5 < first.trustworthiness <= 1
    forbid(monkeypatch, "honesty")
    assert workspace.honesty(TOPIC, MODEL) == first


def test_what_a_score_owes_to_the_picture_is_remembered(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    first = workspace.landscape_effect(TOPIC, "review")
    assert set(first.changed_decisions) >= {"mvee", "hull"}
    low, high = first.seed_ranges["hull"]
    assert 0 <= low <= high <= 1
    forbid(monkeypatch, "over_seeds")
    assert workspace.landscape_effect(TOPIC, "review") == first


def test_no_landscape_is_laid_out_unless_a_region_asks(tmp_path: Path) -> None:
    fill(tmp_path, landscape=False)
    with Workspace.open(tmp_path) as workspace:
        assert workspace.evaluate(TOPIC, "review", regions=("cosine", "nearest_core", "cluster")).projection_id is None
        assert workspace.store.rows("SELECT count(*) FROM projections") == [(0,)]


def raises(error: type[Exception], match: str, ask: Callable[..., object], *args: object, **kw: Any) -> None:
    with pytest.raises(error, match=match) as caught:
        ask(*args, **kw)
    assert "\n" not in str(caught.value)


def test_which_embedder_is_meant(tmp_path: Path) -> None:
    fill(tmp_path, models=("toy", "other"), landscape=False)
    with Workspace.open(tmp_path) as workspace:
        evaluate = workspace.evaluate
        raises(InputError, r"several embedders.*--embedder \(other, toy\)", evaluate, TOPIC, "review")
        raises(
            NotFoundError, 'no vectors of "gpt"; available: other, toy, lsa', evaluate, TOPIC, "review", embedder="gpt"
        )
        for model in ("toy", "other"):
            assert evaluate(TOPIC, "review", embedder=model, regions=("cosine",)).model_id == model
    fill(tmp_path / "none", models=())
    with Workspace.open(tmp_path / "none") as workspace:
        evaluate = workspace.evaluate
        raises(NotFoundError, r'has no vectors: .*--embedder lsa.*"vectors FILE\.npz', evaluate, TOPIC, "review")
        assert evaluate(TOPIC, "review", embedder="lsa", regions=("cosine",)).model_id == "lsa"
        assert evaluate(TOPIC, "review", regions=("cosine",)).model_id == "lsa"


def test_unknown_names_say_what_there_is(workspace: Workspace, tmp_path: Path) -> None:
    evaluate = workspace.evaluate
    raises(NotFoundError, f'no topic "Coffee"; available: {TOPIC}', evaluate, "Coffee", "review")
    raises(NotFoundError, f'no topic "Tea"; did you mean "{TOPIC}"', evaluate, "Tea", "review")
    raises(NotFoundError, 'no version "slr"; available: baseline, review', evaluate, TOPIC, "slr")
    raises(NotFoundError, 'no version "reviw"; did you mean "review"?', evaluate, TOPIC, "reviw")
    raises(NotFoundError, 'version "predicted".*no results', evaluate, TOPIC, "predicted")
    with Workspace.open(tmp_path / "empty") as empty:
        raises(NotFoundError, "workspace is empty", empty.evaluate, TOPIC, "review")
    raises(FileError, "not a folder", Workspace.open, write_npz(tmp_path / "x.npz", ["a"], [[1]]))


def test_a_topic_without_core_is_listed_and_not_scored(workspace: Workspace) -> None:
    save_versions(workspace, *VERSIONS, core_ids=())
    (topic,) = workspace.topics()
    assert (topic.n_core, topic.embedders, len(topic.versions)) == (0, (MODEL,), 3)
    raises(NoCoreError, f'"{TOPIC}" has no core', workspace.evaluate, TOPIC, "review")


def test_a_comparison_scores_as_evaluate_does(workspace: Workspace) -> None:
    comparison = compare_in_full(workspace, TOPIC, ["baseline", "review"])
    for label, compared in zip(["baseline", "review"], comparison.versions, strict=True):
        same_fields(compared, workspace.evaluate(TOPIC, label))
    (pair,) = comparison.pairs
    assert (pair.core_gained, pair.core_lost) == (("p0", "p1", "p2"), ())
    assert (pair.n_both, pair.n_only_a, pair.n_only_b) == (27, 0, 13)
