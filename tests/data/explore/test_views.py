"""A version to look at: the same scores as an evaluation gives, and nothing fitted that is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.errors import DiskFullError, NotFoundError
from core.explore.evaluate import Evaluation
from core.explore.regions import DEFAULT_REGIONS
from core.explore.regions.mvee import N_OUTLINE
from core.explore.scene import FittedRegion
from core.explore.uncertainty import sensitivity
from core.settings import EvaluationSettings, ProjectionSettings
from core.types import RegionKind
from data.explore import scoring
from data.explore.scoring import MOST_FITS, SHARES, VersionView
from data.explore.workspace import Workspace
from tests.data.workspaces import (
    CORE,
    MODEL,
    TOPIC,
    N,
    Version,
    ids_of,
    same_fields,
    save_versions,
    toy_vectors,
    write_npz,
)

QUICK: tuple[RegionKind, ...] = ("cosine", "nearest_core", "mvee", "hull")
SETTINGS = EvaluationSettings()
VARIED = (
    SETTINGS,
    EvaluationSettings(cosine_mode="fixed", min_similarity=0.9, decay_limit=30, beta=1),
    EvaluationSettings(cosine_mode="best", min_core_share=0.55, seed=3, max_k=5),
    EvaluationSettings(cosine_mode="quantile", quantile=0.5, min_core_share=0.95),
    EvaluationSettings(compat="litqeval-2024"),
)


def another_version(workspace: Workspace, *retrieved_ids: str) -> VersionView:
    save_versions(workspace, Version("other", 9, retrieved_ids))
    return workspace.view(TOPIC, "other", MODEL)


def same_scores(a: Evaluation, b: Evaluation) -> None:
    assert list(a.regions) == list(b.regions)
    same_fields(replace(a, projection_id=None), replace(b, projection_id=None))


@pytest.mark.parametrize("settings", VARIED, ids=range(len(VARIED)))
@pytest.mark.parametrize("label", ["baseline", "review"])
def test_a_view_scores_as_an_evaluation(workspace: Workspace, label: str, settings: EvaluationSettings) -> None:
    seen = workspace.view(TOPIC, label, MODEL)
    before, waiting = workspace.evaluate_view(seen, settings)
    assert waiting == ("cluster",)
    assert tuple(before.regions) == QUICK
    workspace.fit_clusters(seen, settings)
    after, waiting = workspace.evaluate_view(seen, settings)
    assert waiting == ()
    assert tuple(after.regions) == DEFAULT_REGIONS
    same_scores(after, workspace.evaluate(TOPIC, label, settings=settings))
    same_scores(before, workspace.evaluate(TOPIC, label, settings=settings, regions=QUICK))


def test_clusters_of_an_evaluation_are_known_to_a_view_and_the_other_way_round(
    workspace: Workspace, view: VersionView, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = workspace.evaluate(TOPIC, "baseline")
    got, waiting = workspace.evaluate_view(view, SETTINGS)
    assert waiting == ()
    same_scores(got, expected)
    other = EvaluationSettings(min_core_share=0.6)
    workspace.fit_clusters(view, other)
    monkeypatch.setattr("core.kmeans.solutions", None)
    again = workspace.evaluate(TOPIC, "baseline", settings=other, regions=["cluster"])
    same_fields(again.regions["cluster"], workspace.evaluate_view(view, other)[0].regions["cluster"])


def test_one_sweep_answers_every_higher_share(
    workspace: Workspace, view: VersionView, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = {
        share: workspace.evaluate(
            TOPIC, "baseline", settings=EvaluationSettings(min_core_share=share), regions=["cluster"]
        )
        for share in (0.5, 0.62, *SHARES)
    }
    workspace.store.execute("DELETE FROM remembered")
    workspace.fit_clusters(view, EvaluationSettings(min_core_share=0.62))
    monkeypatch.setattr("core.kmeans.solutions", None)
    for seen in (view, workspace.view(TOPIC, "baseline", MODEL)):  # the second one has only the store to ask
        for share, evaluation in expected.items():
            settings = EvaluationSettings(min_core_share=share)
            got, waiting = workspace.evaluate_view(seen, settings, ["cluster"])
            assert (waiting == ()) is (share >= 0.62)
            if not waiting:
                same_fields(got.regions["cluster"], evaluation.regions["cluster"])


def test_compat_clusters_are_not_mixed_up_with_ours(workspace: Workspace) -> None:
    """Here the published pick is another cluster than ours."""
    seen = another_version(workspace, *ids_of(0, 6), *ids_of(10, N))
    ours, compat = (
        EvaluationSettings(min_core_share=0.4),
        EvaluationSettings(min_core_share=0.4, compat="litqeval-2024"),
    )
    expected = {s: workspace.evaluate(TOPIC, "other", settings=s, regions=["cluster"]) for s in (ours, compat)}
    assert expected[ours].regions["cluster"].n_relevant != expected[compat].regions["cluster"].n_relevant
    workspace.store.execute("DELETE FROM remembered")
    workspace.fit_clusters(seen, ours)
    assert workspace.evaluate_view(seen, compat)[1] == ("cluster",)
    workspace.fit_clusters(seen, compat)
    for settings, evaluation in expected.items():
        same_scores(workspace.evaluate_view(seen, settings, ["cluster"])[0], evaluation)
        same_scores(workspace.evaluate(TOPIC, "other", settings=settings, regions=["cluster"]), evaluation)


def test_progress_of_a_cluster_sweep_is_told(workspace: Workspace, view: VersionView) -> None:
    told: list[tuple[str, int, int]] = []
    workspace.fit_clusters(view, SETTINGS, on_stage=lambda stage: lambda done, total: told.append((stage, done, total)))
    assert {stage for stage, _, _ in told} == {"splitting into clusters"}
    assert [done for _, done, _ in told] == list(range(2, 2 + len(told)))
    assert {total for _, _, total in told} == {SETTINGS.max_k}


@pytest.mark.parametrize("ids", [(), ("p0",), ("p20", "p21")])
def test_where_no_sweep_is_needed_nothing_waits(workspace: Workspace, ids: tuple[str, ...]) -> None:
    seen = another_version(workspace, *ids)
    got, waiting = workspace.evaluate_view(seen, SETTINGS)
    assert waiting == ()
    same_scores(got, workspace.evaluate(TOPIC, "other"))
    workspace.fit_clusters(seen, SETTINGS)
    assert got.regions["cluster"].status in ("needs 2 found core publications", "nothing was retrieved")


def test_a_change_of_settings_fits_nothing_that_does_not_depend_on_it(
    workspace: Workspace, view: VersionView, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.fit_clusters(view, SETTINGS)
    workspace.evaluate_view(view, SETTINGS)
    fitted: list[RegionKind] = []
    really = scoring.fit_regions

    def counted(scene: object, settings: EvaluationSettings, kinds: tuple[RegionKind, ...]) -> object:
        fitted.extend(kinds)
        return really(scene, settings, kinds)  # type: ignore[arg-type]

    monkeypatch.setattr(scoring, "fit_regions", counted)
    for min_similarity in np.linspace(-1, 1, 3 * MOST_FITS).tolist():
        threshold = EvaluationSettings(cosine_mode="fixed", min_similarity=min_similarity)
        assert workspace.evaluate_view(view, threshold)[1] == ()
    assert set(fitted) == {"cosine"}
    fitted.clear()
    workspace.evaluate_view(view, EvaluationSettings(decay_limit=10, decay_onset=2, decay_steepness=1, beta=3))
    assert set(fitted) == {"cosine"}
    fitted.clear()
    assert workspace.evaluate_view(view, EvaluationSettings(min_core_share=0.5))[1] == ("cluster",)
    assert workspace.evaluate_view(view, EvaluationSettings(seed=1))[1] == ("cluster",)
    assert workspace.evaluate_view(view, EvaluationSettings(max_k=7))[1] == ("cluster",)
    assert set(fitted) == {"cosine"}


def test_a_fit_is_kept_and_the_oldest_go(view: VersionView) -> None:
    hull = view.fit("hull", SETTINGS)
    assert view.fit("hull", EvaluationSettings(beta=5, min_core_share=0.9)) is hull
    assert view.recalled("cluster", SETTINGS) is None
    assert view.recalled("cosine", SETTINGS) is None
    cosine = view.fit("cosine", SETTINGS.resolved(MODEL))
    assert view.fit("cosine", SETTINGS.resolved(MODEL)) is not cosine
    for seed in range(MOST_FITS):
        view.keep("cluster", EvaluationSettings(seed=seed), hull)
    assert view.recalled("hull", SETTINGS) is None
    assert view.recalled("cluster", EvaluationSettings(seed=0)) is hull


def test_no_room_to_remember_is_no_reason_to_fail(
    workspace: Workspace, view: VersionView, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise DiskFullError("no room")

    monkeypatch.setattr(type(workspace.store), "remember", full)
    workspace.fit_clusters(view, SETTINGS)
    assert workspace.evaluate_view(view, SETTINGS)[1] == ()
    assert set(workspace.sensitivity(view, SETTINGS, ["hull"])) == {"hull"}


def by_hand(view: VersionView, publication_id: str) -> dict[str, float]:
    """The cosine of every other publication here to this one."""
    scene = view.scene
    vectors = dict(zip(scene.retrieved.ids, scene.retrieved.vectors, strict=True))
    vectors |= dict(zip(scene.core.ids, scene.core.vectors, strict=True))
    own = vectors.pop(publication_id)
    return {i: float(np.float64(vector) @ np.float64(own)) for i, vector in vectors.items()}


@pytest.mark.parametrize("n", [0, 1, 10, 29, 30, 100])
def test_nearest_are_those_of_the_highest_cosine(view: VersionView, n: int) -> None:
    assert len(view.landscape) == 30
    for publication_id in view.landscape.ids:
        near = view.nearest(publication_id, n)
        every = by_hand(view, publication_id)
        best = sorted(every, key=lambda i: -every[i])[:n]
        assert [neighbour.publication_id for neighbour in near] == best
        for neighbour in near:
            assert neighbour.similarity == pytest.approx(every[neighbour.publication_id], abs=1e-6)


def test_nearest_of_what_is_not_here_or_of_twins(workspace: Workspace, view: VersionView) -> None:
    assert view.nearest("p39") == ()
    assert view.nearest("nobody") == ()
    twins = ids_of(0, 40)
    workspace.add_vectors(write_npz(workspace.paths.root / "t.npz", twins, np.ones((40, 3))), "twins")
    workspace.project(TOPIC, "twins", settings=ProjectionSettings(method="pca"))
    same = workspace.view(TOPIC, "review", "twins")
    for publication_id in ("p0", "p39"):
        near = same.nearest(publication_id, 5)
        assert len({neighbour.publication_id for neighbour in near} - {publication_id}) == 5


def test_outlines_are_those_of_the_regions_on_the_landscape(workspace: Workspace, view: VersionView) -> None:
    outlines = view.outlines()
    assert set(outlines) == {"mvee", "hull"}
    assert outlines["mvee"].shape == (N_OUTLINE, 2)
    hull = view.fit("hull", SETTINGS)
    assert isinstance(hull, FittedRegion)
    assert len(outlines["hull"]) == hull.region.defines()["n_corners"]
    assert another_version(workspace, "p0", "p30").outlines() == {}
    workspace.add_vectors(write_npz(workspace.paths.root / "few.npz", ids_of(0, 4), toy_vectors(ids_of(0, 4))), "few")
    flat = workspace.view(TOPIC, "review", "few")
    assert flat.landscape.points is None
    assert flat.outlines() == {}
    assert workspace.evaluate_view(flat, SETTINGS)[0].regions["hull"].status == "needs a projection"


@pytest.mark.parametrize("settings", VARIED[:4], ids=range(4))
def test_sensitivity_is_remembered_by_itself(
    workspace: Workspace, view: VersionView, settings: EvaluationSettings
) -> None:
    assert workspace.sensitivity(view, settings, DEFAULT_REGIONS, only_known=True) == {}
    found = workspace.sensitivity(view, settings, DEFAULT_REGIONS)
    assert found == sensitivity(view.scene, DEFAULT_REGIONS, settings.resolved(MODEL))
    assert set(found) == set(QUICK)
    assert workspace.sensitivity(view, settings, DEFAULT_REGIONS, only_known=True) == found
    again = workspace.view(TOPIC, "baseline", MODEL)
    assert workspace.sensitivity(again, settings, DEFAULT_REGIONS, only_known=True) == found


def test_sensitivity_is_asked_for_again_only_where_it_may_differ(workspace: Workspace, view: VersionView) -> None:
    workspace.sensitivity(view, SETTINGS, QUICK)

    def known(**changes: object) -> set[RegionKind]:
        changed = replace(SETTINGS, **changes)  # type: ignore[arg-type]
        return set(workspace.sensitivity(view, changed, QUICK, only_known=True))

    rest = {"nearest_core", "mvee", "hull"}
    assert known(min_core_share=0.9) == set(QUICK)
    assert known(cosine_mode="leave_one_out") == set(QUICK)
    assert known(cosine_mode="fixed", min_similarity=0.8) == rest
    assert known(cosine_mode="quantile", quantile=0.3) == rest
    assert known(beta=1) == known(decay_limit=9) == known(seed=4) == set()
    seen = another_version(workspace, *ids_of(0, 20))
    assert workspace.sensitivity(seen, SETTINGS, QUICK, only_known=True) == {}


def test_the_state_of_a_view_changes_with_what_it_would_show(workspace: Workspace, view: VersionView) -> None:
    state = workspace.view_state(TOPIC, "baseline", MODEL)
    assert state == view.case.state
    assert workspace.view_state(TOPIC, "review", MODEL) != state
    workspace.fit_clusters(view, SETTINGS)
    assert workspace.view_state(TOPIC, "baseline", MODEL) == state
    workspace.project(TOPIC, MODEL, settings=ProjectionSettings(method="pca", seed=1), refit=True)
    refitted = workspace.view_state(TOPIC, "baseline", MODEL)
    assert refitted != state
    save_versions(workspace, core_ids=CORE[:-1])
    assert workspace.view_state(TOPIC, "baseline", MODEL) not in (state, refitted)
    with pytest.raises(NotFoundError, match="no version"):
        workspace.view(TOPIC, "nothing", MODEL)
