"""Scores and threshold curves of many topics: made once, looked up after that, anew where what they rest on changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.explore.regions import DEFAULT_REGIONS
from core.explore.studies import TopicScoreColumn, TopicScores, columns_of
from core.settings import EvaluationSettings
from core.types import Origin
from data.explore.studies import (
    THRESHOLDS,
    bare_scores,
    known_curves,
    known_scores,
    make_curves,
    make_scores,
    runs_by_origin,
    want,
    without_origin,
)
from data.explore.workspace import Workspace
from tests.data.workspaces import CORE, MODEL, TOPIC, Version, fill, ids_of
from tests.messages import refusal

SETTINGS = EvaluationSettings()
BOTH: tuple[Origin, Origin] = ("baseline", "review")


def test_what_is_made_is_looked_up_and_is_what_evaluate_says(workspace: Workspace) -> None:
    wanted = want(workspace, [TOPIC], BOTH, MODEL)
    assert [w.origin for w in wanted] == list(BOTH)
    assert list(known_scores(workspace, wanted, SETTINGS).values()) == [None, None]
    stages: list[str] = []
    make_scores(workspace, wanted, SETTINGS, on_stage=lambda stage: stages.append(stage) or (lambda done, total: None))
    assert stages[0] == f"1 of 2: {TOPIC}, baseline"
    known = known_scores(workspace, wanted, SETTINGS)
    for w in wanted:
        evaluation = workspace.evaluate(TOPIC, w.row.version.label, embedder=MODEL)
        assert known[w] == TopicScores.of(evaluation, w.row.version.label)
        for column in columns_of(("semantic_precision", "f_beta", "decay", "n_relevant"), DEFAULT_REGIONS):
            assert column.region is not None
            scores = known[w]
            assert scores is not None
            assert scores.value(column) == getattr(evaluation.regions[column.region], column.metric)
    other = replace(SETTINGS, beta=1.0)
    assert list(known_scores(workspace, wanted, other).values()) == [None, None]


def test_another_list_or_core_set_is_another_key(workspace: Workspace) -> None:
    make_scores(workspace, want(workspace, [TOPIC], ["review"], MODEL), SETTINGS, ("cosine",))
    make_curves(workspace, want(workspace, [TOPIC], ["review"], MODEL))

    def known() -> tuple[bool, bool]:
        (w,) = want(workspace, [TOPIC], ["review"], MODEL)
        scores, curves = known_scores(workspace, [w], SETTINGS, ("cosine",)), known_curves(workspace, [w])
        return scores[w] is not None, curves[w] is not None

    assert known() == (True, True)
    with workspace.store.transaction():
        workspace.store.save_topic(TOPIC, CORE[:5])
    assert known() == (False, False)


def test_without_vectors_recall_and_sizes_are_there_at_once(tmp_path: Path) -> None:
    fill(tmp_path, models=())
    with Workspace.open(tmp_path) as workspace:
        wanted = want(workspace, [TOPIC], BOTH, None)
        known = known_scores(workspace, wanted, SETTINGS)
        assert known == bare_scores(workspace, wanted)
        assert [(s.n_found, s.n_core, s.n_retrieved) for s in known.values() if s] == [(5, 8, 27), (8, 8, 40)]
        assert known[wanted[0]].recall == 5 / 8
        assert list(known_curves(workspace, wanted).values()) == [None, None]
        make_curves(workspace, wanted)


def test_the_latest_version_of_an_origin_counts_and_the_others_have_reasons(tmp_path: Path) -> None:
    versions = (Version("a", 1, ids_of(0, 9)), Version("b", 2, ids_of(3, 20)), Version("c", 3, None))
    fill(tmp_path, versions=versions)
    with Workspace.open(tmp_path) as workspace:
        with workspace.store.transaction():
            workspace.save_topic("Empty", (), [Version("a", 1, ids_of(0, 9))])
        assert runs_by_origin(workspace, [TOPIC])[TOPIC]["manual"].version.label == "b"
        assert want(workspace, [TOPIC, "Empty"], ["manual", "review"], MODEL) == ()
        reasons = without_origin(workspace, [TOPIC, "Empty"], ["manual", "review"])
        assert [topic for topic, _ in reasons] == [TOPIC, "Empty"]
        assert all(reason.endswith("of origin review") for _, reason in reasons)
        assert without_origin(workspace, [TOPIC, "Empty"], ["manual"]) == (("Empty", "no core publications"),)
        assert [w.topic_id for w in want(workspace, [TOPIC, "Empty"], ["manual"], MODEL)] == [TOPIC]


def test_a_curve_counts_what_a_loop_counts(workspace: Workspace) -> None:
    (w,) = want(workspace, [TOPIC], ["baseline"], MODEL)
    make_curves(workspace, [w])
    curve = known_curves(workspace, [w])[w]
    assert curve is not None
    scene, _ = workspace.case(TOPIC, "baseline", MODEL, ()).load(workspace.store, workspace.catalogue)
    similarities = scene.similarities_to_centre.astype(float)
    core = set(CORE)
    for at, n_relevant, n_accepted in zip(curve.min_similarity, curve.n_relevant, curve.n_accepted_core, strict=True):
        inside = [i for i, s in zip(scene.retrieved.ids, similarities, strict=True) if s >= at - 1e-6]
        assert (n_relevant, n_accepted) == (len(inside), len(core & set(inside)))
    assert (curve.n_scorable, curve.n_core) == (27, 8)
    assert (curve.n_relevant[0], curve.n_relevant[-1]) == (27, 0)
    assert set(curve.min_similarity) <= set(THRESHOLDS)
    assert np.diff(curve.n_relevant).max() <= 0


def test_one_version_that_fails_does_not_keep_the_others_from_being_made(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluate = workspace.evaluate

    def fails_once(topic_id: str, label: str, **how: object) -> object:
        if label == "baseline":
            raise InputError("not today")
        return evaluate(topic_id, label, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(workspace, "evaluate", fails_once)
    wanted = want(workspace, [TOPIC], BOTH, MODEL)
    with refusal(InputError):
        make_scores(workspace, wanted, SETTINGS, ("cosine",))
    known = known_scores(workspace, wanted, SETTINGS, ("cosine",))
    assert [scores is None for scores in known.values()] == [True, False]
    assert known[wanted[1]].value(TopicScoreColumn("recall")) == 1.0  # type: ignore[union-attr]
