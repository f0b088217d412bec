"""The openai embedder through the workspace: one set of vectors for every topic, and no key anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import ServiceError
from data.explore.embedding import EmbedRequest
from data.explore.workspace import Workspace
from tests.data.services import KEY, Service, as_json, refuses
from tests.data.workspaces import TOPIC, N, Version, fill, ids_of, publications
from tests.messages import refusal


@pytest.fixture
def root(tmp_path: Path) -> Path:
    fill(tmp_path, models=(), landscape=False)
    return tmp_path


def test_from_the_texts_to_a_score(service: Service, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also: a second topic embeds only what is new, and the key is in no file of the workspace."""
    monkeypatch.setenv("OPENAI_BASE_URL", service.url)
    service.odd = [refuses("word7")] * 100
    with Workspace.open(root) as workspace:
        before = workspace.preview_embedding(TOPIC, EmbedRequest("openai"))
        assert (before.n_new, before.estimate.n_texts, before.estimate.dollars) == (N, N, None)
        assert service.asked == []
        report = workspace.embed(TOPIC, "openai")
        assert (report.embedder, report.n_new, report.n_with_vectors) == ("text-embedding-3-small", N, N - 1)
        assert report.refused_ids == ("p7",)
        for spelling in (None, "openai", "text-embedding-3-small", "openai:text-embedding-3-small"):
            score = workspace.evaluate(TOPIC, "review", embedder=spelling, regions=("cosine",))
            assert (score.model_id, score.settings.cosine_mode) == ("text-embedding-3-small", "fixed")
        assert score.regions["cosine"].defines["min_similarity"] == 0.69
        service.asked.clear()
        assert workspace.embed(TOPIC, "text-embedding-3-small").n_new == 0
        with workspace.store.transaction():
            workspace.store.save_publications(publications(ids_of(0, N + 3))[N:])
            workspace.save_topic("Other", ids_of(0, 5), [Version("all", 1, ids_of(0, N + 3))])
        late = workspace.evaluate("Other", "all", embedder="openai", regions=("cosine",))
        assert late.warnings[-1].startswith("3 publications ")
        assert late.warnings[-1].endswith('embed --topic "Other" --embedder text-embedding-3-small')
        assert service.asked == [], "nothing that may cost money is done by itself"
        assert workspace.embed("Other", "openai").n_new == 3
        assert sum(map(len, service.asked)) == 3
        whole = workspace.evaluate("Other", "all", embedder="openai", regions=("cosine",))
        assert not [warning for warning in whole.warnings if "no vectors yet" in warning]
    files = [path for path in root.rglob("*") if path.is_file()]
    assert len(files) > 2
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def test_a_run_that_failed_is_gone_on_with(service: Service, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", service.url)
    monkeypatch.setattr("data.explore.embedding.BATCH", 10)
    service.odd = [lambda r: None, lambda r: None, lambda r: as_json({}, 401)]
    with Workspace.open(root) as workspace:
        with refusal(ServiceError):
            workspace.embed(TOPIC, "openai")
        n_sent = sum(map(len, service.asked[:2]))
        left = workspace.preview_embedding(TOPIC, EmbedRequest("openai"))
        assert (left.n_new, left.estimate.n_texts) == (N, N - n_sent)
        service.asked.clear()
        report = workspace.embed(TOPIC, "openai")
        assert (report.n_with_vectors, report.n_reused, sum(map(len, service.asked))) == (N, n_sent, N - n_sent)
