"""What was finished for a text is taken over, whatever has come or gone, in any order, and by any topic."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError, MisalignedError
from data.explore.embedding import BATCH, EmbedRequest, EmbedTarget, VectorParts, embed_texts
from data.explore.workspace import Workspace
from data.models.embedders import PROVIDERS
from tests.data.stopping import Stopped, stop_from
from tests.data.workspaces import SharedFake, Version, ids_of, publications
from tests.messages import refusal

ROUNDS = st.lists(st.tuples(st.permutations(range(12)), st.integers(0, 12), st.integers(0, 3)), min_size=1, max_size=4)


@settings(max_examples=25, deadline=None)
@given(ROUNDS)
def test_only_what_is_missing_is_asked(rounds: list[tuple[list[int], int, int]]) -> None:
    """Runs over any texts in any order, stopped after any batch: each text is embedded at most once."""
    with tempfile.TemporaryDirectory() as folder:
        parts = VectorParts(Path(folder, "parts"), "f" * 16, "t")
        asked: list[str] = []
        for order, n_texts, n_calls in rounds:
            texts = {f"k{n}": f"text {n}" for n in order[:n_texts]}

            def stop(n: int, limit: int = n_calls) -> None:
                if n == limit:
                    raise ConnectionError

            fake = SharedFake(before_call=stop)
            try:
                done = embed_texts(texts, fake, parts, first_batch=2, clock=lambda: 0.0)
            except ConnectionError:
                pass
            else:
                rows = SharedFake().embed(list(texts.values()))
                for key, row in zip(texts, rows, strict=True):
                    np.testing.assert_allclose(done.row_of[key], row / np.linalg.norm(row), atol=1e-6)
                assert done.n_from_parts == len(texts) - len(fake.asked)
            asked += fake.asked
        assert len(asked) == len(set(asked))


def test_batches_follow_the_speed(tmp_path: Path) -> None:
    """A model that takes half a second for a text is heard of every few seconds; a fast one is not held up."""
    now = [0.0]

    class Timed(SharedFake):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            now[0] += len(texts) * seconds
            return super().embed(texts)

    seen: list[tuple[float, int]] = []
    for seconds, n_texts, longest in ((0.5, 100, 8.0), (0.1, 300, 4.0), (20.0, 40, 320.0), (0.0001, 1500, 1.0)):
        texts = {f"{seconds} {n}": f"text {n}" for n in range(n_texts)}
        seen[:] = [(0.0, 0)]
        embed_texts(
            texts,
            Timed(),
            VectorParts(tmp_path, f"{seconds}", "t"),
            first_batch=16,
            clock=lambda: now[0],
            on_progress=lambda done, total: seen.append((now[0], done)),
        )
        gaps = np.diff([time for time, _ in seen[1:]])
        assert (seen[-1][1], max(gaps) <= longest) == (n_texts, True)
        assert max(np.diff([done for _, done in seen])) <= BATCH
        late = gaps[len(gaps) // 2 :]
        assert max(late) <= max(4.0, seconds + 1e-6), "after a while no more than seconds"
    assert len(seen) < 12, "a fast model has large batches"


def test_what_a_model_gives_is_checked(tmp_path: Path) -> None:
    parts = VectorParts(tmp_path, "f", "t")

    class Odd(SharedFake):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            return np.ones((len(texts) - 1, 4), dtype=np.float32)

    with refusal(MisalignedError):
        embed_texts({"a": "a", "b": "b"}, Odd("odd"), parts)
    embed_texts({"a": "a", "b": "b", "c": "c"}, SharedFake(), parts, first_batch=1)

    class Narrow(SharedFake):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            return np.ones((len(texts), 4), dtype=np.float32)

    with refusal(InputError):
        embed_texts({"a": "a", "d": "d"}, Narrow("narrow"), parts)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two topics that share ten publications."""
    with Workspace.open(tmp_path / "ws") as workspace, workspace.store.transaction():
        workspace.store.save_publications(publications(ids_of(0, 50)))
        workspace.save_topic("A", ids_of(0, 5), [Version("all", 1, ids_of(0, 30))])
        workspace.save_topic("B", ids_of(20, 25), [Version("all", 1, ids_of(20, 50))])
    return tmp_path / "ws"


def run(root: Path, topic: str, fake: SharedFake, **options: object) -> object:
    with Workspace.open(root) as workspace, pytest.MonkeyPatch.context() as patch:
        patch.setitem(PROVIDERS, "fake", lambda model, base_url: fake)
        return workspace.embed(topic, "fake:m", **options)  # type: ignore[arg-type]


def stopping(n_calls: int, *, first_batch: int) -> SharedFake:
    """A model that gives up after so many batches."""
    stop = stop_from(n_calls)("")
    return SharedFake("m", first_batch=first_batch, before_call=lambda n: stop(n, n))


def files(root: Path) -> list[str]:
    return sorted(path.suffix for path in (root / "vectors").rglob("*") if path.is_file())


def test_cancelling_keeps_what_was_finished(root: Path) -> None:
    first, second = SharedFake("m", first_batch=4), SharedFake("m")
    with pytest.raises(Stopped):
        run(root, "A", first, on_progress=stop_from(0)(""))
    assert (len(first.asked), files(root)) == (4, [".npz"])
    seen: list[tuple[int, int]] = []
    report = run(root, "A", second, on_progress=lambda done, total: seen.append((done, total)))
    assert (len(second.asked), report.n_reused) == (26, 4)  # type: ignore[attr-defined]
    assert seen[0] == (4, 30), "a rate is counted from here"
    assert seen[-1] == (30, 30)
    assert files(root) == [".digests", ".npy"]


def test_another_topic_takes_over_and_leaves_the_rest(root: Path) -> None:
    with pytest.raises(Stopped):
        run(root, "A", stopping(2, first_batch=8))
    with Workspace.open(root) as workspace:
        target = EmbedTarget("m", "A", True, SharedFake("m").fingerprint)
        kept = {key for keys, _, _ in target.parts(workspace.paths).load() for key in keys}
    other, last = SharedFake("m"), SharedFake("m")
    run(root, "B", other)
    n_shared = 30 - len(other.asked)
    assert 0 < n_shared < 10 + 1
    assert ".npz" in files(root), "what B does not need waits for A"
    run(root, "A", last)
    assert len(last.asked) == 30 - len(kept) - (10 - n_shared)
    assert set(files(root)) == {".digests", ".npy"}
    with Workspace.open(root) as workspace:
        counts = workspace.store.rows("SELECT count(*), count(DISTINCT publication_id) FROM vector_rows")
    assert counts == [(50, 50)]


def test_publications_that_come_between_two_runs_lose_nothing(root: Path) -> None:
    with pytest.raises(Stopped):
        run(root, "A", stopping(1, first_batch=16))
    with Workspace.open(root) as workspace, workspace.store.transaction():
        new = [replace(p, publication_id=f"n{k}") for k, p in enumerate(publications(ids_of(0, 90))[50:])]
        workspace.store.save_publications(new)
        ids = (*(p.publication_id for p in new), *ids_of(0, 30)[::-1])
        workspace.save_topic("A", ids_of(3, 6), [Version("all", 1, ids)])
    fake = SharedFake("m")
    report = run(root, "A", fake)
    assert (report.n_with_vectors, len(fake.asked)) == (70, 70 - 16)  # type: ignore[attr-defined]


def test_a_preview_counts_without_embedding(root: Path) -> None:
    fake = stopping(1, first_batch=4)
    with pytest.raises(Stopped):
        run(root, "A", fake)
    with Workspace.open(root) as workspace, pytest.MonkeyPatch.context() as patch:
        patch.setitem(PROVIDERS, "fake", lambda model, base_url: fake)
        preview = workspace.preview_embedding("A", EmbedRequest("fake:m"))
    assert (preview.n_publications, preview.n_new, preview.estimate.n_texts, len(fake.asked)) == (30, 30, 26, 4)
