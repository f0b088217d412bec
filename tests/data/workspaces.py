"""Small workspaces that tests fill as they need: two made-up themes, tea and nets, with known vectors."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.explore.evaluate import RegionScores
from core.settings import ProjectionSettings
from core.types import Ids, Origin, Publication
from data.explore.workspace import Workspace
from data.models.embedders import EmbedderFactory
from data.models.embedding_model import EmbeddingEstimate, Mishaps, estimate

TOPIC = "Tea Brewing"
MODEL = "toy"
N = 40
CORE: Ids = tuple(f"p{i}" for i in range(8))
_WORDS = ("tea leaves steep water kettle cup", "petri nets model process workflow places")


@dataclass(frozen=True)
class Version:
    """A version as collections hand it over."""

    label: str
    number: int
    retrieved_ids: Ids | None
    origin: Origin = "manual"
    text: str = "tea OR leaf"


def ids_of(start: int, stop: int) -> Ids:
    """Publications by number."""
    return tuple(f"p{i}" for i in range(start, stop))


VERSIONS = (
    Version("baseline", 1, ids_of(3, 30), "baseline"),
    Version("predicted", 2, None, "generated"),
    Version("review", 3, ids_of(0, N), "review"),
)


def publications(ids: Sequence[str] = ids_of(0, N)) -> list[Publication]:
    """The first half of the ids is about tea, the rest about nets; no two texts are alike."""
    words = [_WORDS[2 * n >= len(ids)].split() for n in range(len(ids))]
    return [
        Publication(i, f"{w[n % 6]} {w[(n + 1) % 6]}", f"{w[(n + 2) % 6]} of {w[n % 6]} word{n}", 1990 + n)
        for n, (i, w) in enumerate(zip(ids, words, strict=True))
    ]


def toy_vectors(ids: Sequence[str], *, width: int = 6, seed: int = 0) -> npt.NDArray[np.float32]:
    """One row per id, the same wherever it is asked for: numbers below 20 around one axis, the rest around another."""
    rows = []
    for i in ids:
        number = int(i[1:])
        rng = np.random.default_rng([seed, number])
        row = rng.normal(size=width) * 0.3
        row[int(number >= 20)] += 2
        rows.append(row)
    return np.array(rows, dtype=np.float32).reshape(len(ids), width)


def write_npz(path: Path, ids: Sequence[str], vectors: npt.ArrayLike) -> Path:
    """Vectors as `vectors FILE` takes them."""
    np.savez(path, ids=np.array(ids, dtype=np.str_), vectors=np.asarray(vectors))
    return path


def fill(
    root: Path,
    *,
    topic_id: str = TOPIC,
    core_ids: Ids = CORE,
    versions: Sequence[Version] = VERSIONS,
    models: Sequence[str] = (MODEL,),
    landscape: bool = True,
    relevant_ids: Iterable[str] = (),
) -> None:
    """A workspace with one topic, vectors of these models, and a PCA landscape of each.

    Building one takes a hundred times as long as copying it, so each is built once in a process.
    """
    topic = (topic_id, tuple(core_ids), tuple(versions), tuple(models), landscape, tuple(relevant_ids))
    if root.exists() and any(root.iterdir()):
        _build(root, *topic)
    else:
        shutil.copytree(_built(*topic), root, dirs_exist_ok=True)


@cache
def _built(*topic: Any) -> Path:
    root = Path(tempfile.mkdtemp(prefix="queryscape-tests-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    _build(root, *topic)
    return root


def _build(
    root: Path,
    topic_id: str,
    core_ids: Ids,
    versions: Sequence[Version],
    models: Sequence[str],
    landscape: bool,
    relevant_ids: Iterable[str],
) -> None:
    with Workspace.open(root) as workspace:
        with workspace.store.transaction():
            workspace.store.save_publications(publications())
            workspace.save_topic(topic_id, core_ids, versions, relevant_ids=relevant_ids)
        for seed, model in enumerate(models):
            file = write_npz(root / f"vectors-{seed}.npz", ids_of(0, N), toy_vectors(ids_of(0, N), seed=seed))
            workspace.add_vectors(file, model)
            if landscape:
                workspace.project(topic_id, model, settings=ProjectionSettings(method="pca"))


@dataclass
class FakeEmbedder:
    """Vectors from a hash of the text; remembers what it was asked, and fails when told to."""

    model_id: str = "fake"
    asked: list[str] = field(default_factory=list)
    n_calls: int = 0
    before_call: Callable[[int], None] = lambda n_calls: None

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.before_call(self.n_calls)
        self.n_calls += 1
        self.asked.extend(texts)
        digests = [hashlib.sha256(text.encode()).digest() if text else bytes(32) for text in texts]
        return np.array([list(digest) for digest in digests], dtype=np.float32)

    @property
    def factory(self) -> EmbedderFactory:
        """What EMBEDDERS holds."""
        return lambda model_path, texts: self


@dataclass
class SharedFake(FakeEmbedder):
    """The same for any topic, as PROVIDERS open it."""

    fingerprint: str = "a model of its own"
    first_batch: int = 16
    mishaps: Mishaps = field(default_factory=Mishaps)

    def estimate(self, texts: Sequence[str]) -> EmbeddingEstimate:
        return estimate(texts, self.model_id)


def same_fields(a: Any, b: Any) -> None:
    """Asserts that two evaluations are equal in every field, arrays and all."""
    assert type(a) is type(b)
    for part in fields(a):
        x, y = getattr(a, part.name), getattr(b, part.name)
        if isinstance(x, np.ndarray):
            assert x.dtype == y.dtype
            np.testing.assert_array_equal(x, y)
        elif part.name == "regions":
            assert list(x) == list(y)
            for kind in x:
                same_fields(x[kind], y[kind])
        else:
            assert x == y, part.name
            assert type(x) is type(y) or isinstance(x, RegionScores) or part.name == "defines", part.name


def add_vectors(workspace: Workspace, start: int, stop: int, *, seed: int = 0, model: str = MODEL) -> None:
    """Bring vectors of these publications from a file."""
    ids = ids_of(start, stop)
    workspace.add_vectors(write_npz(workspace.paths.root / "more.npz", ids, toy_vectors(ids, seed=seed)), model)


def save_versions(workspace: Workspace, *versions: Version, core_ids: Ids = CORE) -> None:
    """Add versions to the topic, or put other ones in the place of those of their labels."""
    with workspace.store.transaction():
        workspace.save_topic(TOPIC, core_ids, versions)
