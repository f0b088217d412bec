"""Runs killed at random moments: the store opens, nothing is double, and only what was missing is embedded."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from core.text import publication_text
from data.explore.embedding import EmbedTarget
from data.explore.workspace import Workspace
from data.models.embedders import PROVIDERS
from tests.data.children import killed_child
from tests.data.workspaces import SharedFake, Version, ids_of, publications

N = 400
TEXTS = publications(ids_of(0, N))

RUN = """
import os, signal, sys, time
from pathlib import Path
from threading import Timer
from data.models.embedders import PROVIDERS
from data.explore.workspace import Workspace
from tests.data.workspaces import SharedFake

root, log = Path(sys.argv[1]), Path(sys.argv[2])

class Slow(SharedFake):
    def embed(self, texts):
        with log.open("a") as file:
            file.write("".join(f"{text!r}\\n" for text in texts))
        time.sleep(0.03)
        return super().embed(texts)

PROVIDERS["fake"] = lambda model, base_url: Slow(model, first_batch=4)
import data.explore.embedding
data.explore.embedding.BATCH = 8
with Workspace.open(root) as workspace:
    Timer(float(sys.argv[3]), os.kill, [os.getpid(), signal.SIGKILL]).start()
    workspace.embed("Large", "fake:m")
"""


def asked(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def finished(root: Path) -> set[str]:
    """Keys of the texts whose vectors are on disk: in parts, or listed."""
    with Workspace.open(root) as workspace:
        target = EmbedTarget("m", "Large", True, SharedFake("m").fingerprint)
        listed = workspace.catalogue.made_from(target.embedding_id)
        assert len(set(listed)) == len(listed)
        return {key for keys, _, _ in target.parts(workspace.paths).load() for key in keys} | set(listed.values())


@pytest.mark.slow
def test_ten_kills(tmp_path: Path) -> None:
    root, log, rng = tmp_path / "ws", tmp_path / "log", random.Random(7)
    with Workspace.open(root) as workspace, workspace.store.transaction():
        workspace.store.save_publications(TEXTS)
        workspace.save_topic("Large", ids_of(0, 5), [Version("all", 1, ids_of(3, N))])
    target = EmbedTarget("m", "Large", True, SharedFake("m").fingerprint)
    key_of = {repr(text): target.key(text) for p in TEXTS if (text := publication_text(p.title, p.abstract))}
    assert len(key_of) == N
    done: set[str] = set()
    for _ in range(10):
        n_before = len(asked(log))
        killed_child(RUN, root, log, rng.uniform(0, 0.35))
        now = finished(root)
        assert now >= done, "what was finished stays"
        new = asked(log)[n_before:]
        assert not {key_of[text] for text in new} & done, "nothing is embedded again"
        assert len(new) - len(now - done) <= 8, "no more is lost than the batch that was at work"
        done = now
    fake = SharedFake("m")
    with Workspace.open(root) as workspace, pytest.MonkeyPatch.context() as patch:
        patch.setitem(PROVIDERS, "fake", lambda model, base_url: fake)
        report = workspace.embed("Large", "fake:m")
        assert (report.n_with_vectors, len(fake.asked)) == (N, N - len(done))
        found = workspace.catalogue.find("m", "Large")
        assert found is not None
        vectors = workspace.catalogue.load(found, ids_of(0, N)).vectors
        n_rows = workspace.store.rows("SELECT count(*), count(DISTINCT publication_id) FROM vector_rows")[0]
    assert n_rows == (N, N)
    expected = SharedFake("m").embed([publication_text(p.title, p.abstract) for p in TEXTS])
    np.testing.assert_allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    assert {path.suffix for path in (root / "vectors").rglob("*") if path.is_file()} == {".npy", ".digests"}
