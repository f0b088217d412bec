"""Versions and layouts that labs take from a workspace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.explore.evaluate import evaluate_scene
from core.explore.labs import LAYOUTS, laid_out_of, made_up_topic
from core.explore.landscape import honesty
from core.protocols import OnStage, silent
from core.settings import EvaluationSettings, ProjectionSettings
from core.types import Projection
from data.explore.labs import (
    FRESH_SECONDS,
    WorkspaceLayouts,
    WorkspaceTopics,
    decode_layouts,
    encode_layouts,
    made_up_layouts,
)
from data.explore.workspace import Workspace
from tests.core.lab_layouts import quick_layouts
from tests.data.workspaces import MODEL, TOPIC, fill

BASELINE = f"{TOPIC} · baseline · {MODEL}"


class Started:
    """Work that was asked for, not begun."""

    def __init__(self) -> None:
        self.work: dict[str, Callable[[OnStage], None]] = {}
        self.n_asked = 0

    def __call__(self, key: str, title: str, work: Callable[[OnStage], None]) -> None:
        self.n_asked += 1
        self.work.setdefault(key, work)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    fill(tmp_path, landscape=False)
    return tmp_path


def test_versions_with_vectors_that_were_run_can_be_chosen(workspace: Workspace) -> None:
    found = WorkspaceTopics(workspace)
    assert found.options() == ((BASELINE, BASELINE), (f"{TOPIC} · review · {MODEL}",) * 2)
    assert found.topic("gone · baseline · toy") is None


def test_a_version_of_the_workspace_is_scored_as_everywhere(workspace: Workspace) -> None:
    topic = WorkspaceTopics(workspace).topic(BASELINE)
    assert topic is not None
    of = EvaluationSettings(cosine_mode="fixed", min_similarity=0.8)
    there = workspace.evaluate(TOPIC, "baseline", settings=of, regions=("cosine",)).regions["cosine"]
    here = topic.scores(np.array([0.8]), of)
    assert here.n_relevant[0] == there.n_relevant
    assert here.f_beta[0] == pytest.approx(there.f_beta)
    again = evaluate_scene(topic.scene, topic_id=TOPIC, query_id="q", settings=of, regions=("cosine",))
    assert again.regions["cosine"].f_beta == there.f_beta


def test_a_version_is_loaded_once_until_it_changes(workspace: Workspace) -> None:
    now = [0.0]
    found = WorkspaceTopics(workspace, clock=lambda: now[0])
    first = found.topic(BASELINE)
    now[0] = 2 * FRESH_SECONDS
    assert found.topic(BASELINE) is first
    with workspace.store.transaction():
        workspace.store.save_topic(TOPIC, ("p3", "p4"))
    now[0] = 2.5 * FRESH_SECONDS
    assert found.topic(BASELINE) is first
    now[0] = 3 * FRESH_SECONDS
    changed = found.topic(BASELINE)
    assert changed is not None
    assert changed.n_core == 2


def test_layouts_are_made_in_the_background_once_and_remembered(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.explore.labs.fit_layouts", quick_layouts)
    started = Started()
    with Workspace.open(root) as workspace:
        shelf = WorkspaceLayouts(workspace, started)
        topic = shelf.topic(BASELINE)
        assert topic is not None
        assert shelf.layouts(topic) is None
        assert shelf.layouts(topic) is None
        (work,) = started.work.values()
        work(silent)
        made = shelf.layouts(topic)
        assert made is not None
        assert shelf.layouts(topic) is made
    started.work.clear()
    with Workspace.open(root) as workspace:
        shelf = WorkspaceLayouts(workspace, started)
        topic = shelf.topic(BASELINE)
        assert topic is not None
        known = shelf.layouts(topic)
        assert started.work == {}
        assert known is not None
        for name, layout in known.layouts.items():
            assert layout.points.tolist() == made.layouts[name].points.tolist()
            assert known.areas[name, "hull"].relevant_mask.tolist() == made.areas[name, "hull"].relevant_mask.tolist()


def test_the_layouts_of_the_made_up_topic_are_there_at_once_and_are_those_of_its_vectors(workspace: Workspace) -> None:
    started = Started()
    layouts = WorkspaceLayouts(workspace, started).layouts(made_up_topic())
    assert started.work == {}
    assert layouts is not None
    assert list(layouts.layouts) == list(LAYOUTS)
    for name, layout in layouts.layouts.items():
        judged = honesty(layouts.embedded, Projection(layouts.embedded.ids, layout.points, name))
        assert judged.trustworthiness == pytest.approx(layout.trustworthiness, abs=1e-5)
        assert judged.continuity == pytest.approx(layout.continuity, abs=1e-5)


def test_stored_layouts_of_other_publications_or_settings_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = laid_out_of(made_up_topic().scene).ids
    assert made_up_layouts(ids) is not None
    assert made_up_layouts(ids[::-1]) is None
    monkeypatch.setattr("data.explore.labs.LAYOUTS", {"pca": ("PCA", ProjectionSettings(method="pca"))})
    assert made_up_layouts.__wrapped__(ids) is None


def test_layouts_come_back_as_they_were() -> None:
    topic = made_up_topic()
    made = quick_layouts(topic.scene.retrieved)
    back = decode_layouts(*encode_layouts(made))
    assert list(back) == list(made)
    for name in made:
        assert back[name].points.tolist() == made[name].points.tolist()
        assert back[name].trustworthiness == made[name].trustworthiness
