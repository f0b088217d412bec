"""Embedding a topic: what was finished is kept through a crash or a kill, and only what changed is done again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import CorruptStoreError, NotFoundError
from core.types import EmbeddedSet
from data.explore.embedding import BATCH, EmbedReport
from data.explore.workspace import Workspace
from data.models.embedders import EMBEDDERS
from tests.data.children import killed_child
from tests.data.workspaces import FakeEmbedder, Version, ids_of, publications
from tests.messages import refusal

TOPIC = "Large"
N = 2 * BATCH + 100
TEXTS = publications(ids_of(0, N))


def fill_large(root: Path) -> None:
    with Workspace.open(root) as workspace, workspace.store.transaction():
        workspace.store.save_publications(TEXTS)
        workspace.save_topic(TOPIC, ids_of(0, 5), [Version("all", 1, ids_of(3, N))])


def embed(root: Path, fake: FakeEmbedder) -> EmbedReport:
    with Workspace.open(root) as workspace, pytest.MonkeyPatch.context() as patch:
        patch.setitem(EMBEDDERS, "fake", fake.factory)
        return workspace.embed(TOPIC, "fake")


def vectors(root: Path, ids: Sequence[str] = ids_of(0, N), embedder: str = "fake") -> EmbeddedSet:
    with Workspace.open(root) as workspace:
        found = workspace.catalogue.find(embedder, TOPIC)
        assert found is not None
        return workspace.catalogue.load(found, ids)


def stop_at(n_calls: int) -> FakeEmbedder:
    def stop(n: int) -> None:
        if n == n_calls:
            raise ConnectionError("the service went away")

    return FakeEmbedder(before_call=stop)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    fill_large(tmp_path / "ws")
    return tmp_path / "ws"


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedSet:
    root = tmp_path_factory.mktemp("uninterrupted")
    fill_large(root)
    report = embed(root, FakeEmbedder())
    assert (report.n_with_vectors, report.n_new, report.n_unscorable, report.topics) == (N, N, 0, (TOPIC,))
    return vectors(root)


def check_resumed(root: Path, uninterrupted: EmbeddedSet, n_left: int) -> None:
    """Nothing is listed yet; the next run embeds what is missing, and the one after that nothing."""
    with Workspace.open(root) as workspace:
        assert workspace.catalogue.find("fake", TOPIC) is None
        assert workspace.topics()[0].embedders == ()
    fake = FakeEmbedder()
    assert embed(root, fake).n_with_vectors == N
    assert len(fake.asked) == n_left
    resumed = vectors(root)
    assert resumed.ids == uninterrupted.ids
    assert resumed.vectors.tobytes() == uninterrupted.vectors.tobytes()
    assert {path.suffix for path in (root / "vectors").rglob("*") if path.is_file()} == {".npy", ".digests"}
    assert (embed(root, fake).n_new, fake.n_calls) == (0, -(-n_left // BATCH))


@pytest.mark.parametrize("n_finished", [0, 1, 2])
def test_a_run_that_fails_is_gone_on_with(root: Path, uninterrupted: EmbeddedSet, n_finished: int) -> None:
    with pytest.raises(ConnectionError):
        embed(root, stop_at(n_finished))
    check_resumed(root, uninterrupted, N - n_finished * BATCH)


KILLED = """
import os, signal, sys
from pathlib import Path
from data.models.embedders import EMBEDDERS
from data.explore.workspace import Workspace
from tests.data.workspaces import FakeEmbedder

def kill(n_calls):
    if n_calls == 1:
        os.kill(os.getpid(), signal.SIGKILL)

EMBEDDERS["fake"] = FakeEmbedder(before_call=kill).factory
Workspace.open(Path(sys.argv[1])).embed("Large", "fake")
"""


def test_a_run_that_is_killed_is_gone_on_with(root: Path, uninterrupted: EmbeddedSet) -> None:
    killed_child(KILLED, root)
    check_resumed(root, uninterrupted, N - BATCH)


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "other"])
def test_a_damaged_part_is_made_anew(root: Path, uninterrupted: EmbeddedSet, damage: str) -> None:
    with pytest.raises(ConnectionError):
        embed(root, stop_at(2))
    part = sorted((root / "vectors").rglob("parts/**/*.npz"))[0]
    content = part.read_bytes()
    half = len(content) // 2
    flipped = content[:half] + bytes([content[half] ^ 1]) + content[half + 1 :]
    part.write_bytes({"cut": content[:half], "flipped": flipped, "empty": b"", "other": b"PK\x03\x04"}[damage])
    check_resumed(root, uninterrupted, N - BATCH)


def test_a_text_that_changed_is_embedded_anew(root: Path, uninterrupted: EmbeddedSet) -> None:
    embed(root, FakeEmbedder())
    with Workspace.open(root) as workspace:
        workspace.store.save_publications([replace(TEXTS[7], abstract="Another abstract."), replace(TEXTS[8], year=1)])
    fake = FakeEmbedder()
    report = embed(root, fake)
    assert fake.asked == [f"{TEXTS[7].title}\nAnother abstract."]
    assert (report.n_new, report.n_with_vectors) == (1, N)
    changed = vectors(root)
    same = (changed.vectors == uninterrupted.vectors).all(axis=1)
    assert [i for i, ok in zip(changed.ids, same, strict=True) if not ok] == ["p7"]


def test_a_text_that_changed_before_a_run_is_gone_on_with(root: Path) -> None:
    with pytest.raises(ConnectionError):
        embed(root, stop_at(1))
    with Workspace.open(root) as workspace:
        workspace.store.save_publications([replace(TEXTS[0], title="Another title")])
    fake = FakeEmbedder()
    embed(root, fake)
    assert len(fake.asked) == N - (BATCH - 1), "what was finished holds for every text that is still there"
    assert vectors(root, ["p0"]).vectors.tobytes() != vectors(root, ["p1"]).vectors.tobytes()


def test_what_came_later_is_added_and_what_can_not_be_scored_is_not_tried_again(root: Path) -> None:
    embed(root, FakeEmbedder())
    before = vectors(root)
    with Workspace.open(root) as workspace, workspace.store.transaction():
        workspace.save_topic(TOPIC, ids_of(0, 5), [Version("later", 2, ("p1", "no text", "unknown", "late"))])
        workspace.store.save_publications([replace(TEXTS[1], publication_id="late")])
        workspace.store.save_publications([replace(TEXTS[1], publication_id="no text", title=" ", abstract=None)])
    fake = FakeEmbedder()
    report = embed(root, fake)
    assert (report.n_new, report.n_unscorable, report.n_with_vectors) == (3, 2, N + 1)
    assert (report.n_reused, fake.n_calls) == (1, 0), "its text is another's, and nothing can't be embedded"
    again = embed(root, fake)
    assert (again.n_new, again.n_with_vectors, fake.n_calls) == (0, N + 1, 0)
    assert vectors(root).vectors.tobytes() == before.vectors.tobytes()
    assert vectors(root, ["late", "no text", "unknown"]).ids == ("late",)


def test_a_damaged_vector_file_is_mended_by_embedding_again(root: Path, uninterrupted: EmbeddedSet) -> None:
    embed(root, FakeEmbedder())
    (path,) = (root / "vectors").rglob("*.npy")
    path.write_bytes(path.read_bytes()[:-1])
    with refusal(CorruptStoreError):
        vectors(root)
    assert embed(root, FakeEmbedder()).n_new == N
    assert vectors(root).vectors.tobytes() == uninterrupted.vectors.tobytes()
    assert not path.exists()


def test_a_model_that_is_lost_takes_its_vectors_with_it(root: Path) -> None:
    """Vectors of two fits of a model must never stand side by side."""
    with Workspace.open(root) as workspace:
        assert workspace.embed(TOPIC, "lsa").n_new == N
    first = vectors(root, embedder="lsa")
    (model,) = (root / "models").glob("*.npz")
    model.unlink()
    with Workspace.open(root) as workspace:
        assert workspace.embed(TOPIC, "lsa").n_new == 0, "the same texts give the same model"
        assert model.exists()
        model.write_bytes(b"damaged")
        with refusal(CorruptStoreError):
            workspace.embed(TOPIC, "lsa")
        model.unlink()
        workspace.store.save_publications([replace(TEXTS[0], abstract="Leaves leaves leaves and more leaves.")])
        assert workspace.embed(TOPIC, "lsa").n_new == N
    assert vectors(root, embedder="lsa").vectors.tobytes() != first.vectors.tobytes()


def test_progress_is_told_and_unknown_embedders_are_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EMBEDDERS, "fake", FakeEmbedder().factory)
    seen: list[tuple[int, int]] = []
    with Workspace.open(root) as workspace:
        workspace.embed(TOPIC, "fake", on_progress=lambda done, total: seen.append((done, total)))
        assert seen == [(BATCH, N), (2 * BATCH, N), (N, N)]
        with refusal(NotFoundError):
            workspace.embed(TOPIC, "gpt")
        with refusal(NotFoundError):
            workspace.embed("Small", "fake")
