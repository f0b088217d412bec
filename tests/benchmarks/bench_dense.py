"""Dense retrieval over 100,000 vectors beside a plain product and full sort; late interaction per query."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.collections import Query, Rows
from core.retrieval.dense import DenseRetriever
from core.retrieval.late_interaction import LateInteraction
from core.retrieval.multi_vector import MultiVectorRetriever
from core.retrieval.retriever import NO_HITS, Hits, SequentialRetriever, Timing, id_ranks, untimed
from core.types import Vectors
from core.vectors import normalise
from tests.benchmarks.timing import median_seconds, report

N, WIDTH, DEPTH, MANY = 100_000, 384, 100, 512


def unit(n: int, seed: int) -> Vectors:
    """Random directions."""
    return normalise(np.random.default_rng(seed).normal(size=(n, WIDTH)).astype(np.float32))[0]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Vectors:
    """As a retriever has them: mapped from a file."""
    path = tmp_path_factory.mktemp("bench") / "vectors.npy"
    np.save(path, unit(N, 0))
    return np.load(path, mmap_mode="r").view(np.ndarray)


@pytest.fixture(scope="module")
def queries() -> list[Query]:
    return [Query(str(place), f"query {place}") for place in range(MANY)]


@pytest.fixture(scope="module")
def directions() -> Vectors:
    return unit(MANY, 1)


def retrieved(vectors: Vectors, directions: Vectors) -> DenseRetriever:
    """A retriever whose query vectors cost nothing."""

    def embed(texts: Sequence[str]) -> Vectors:
        return directions[[int(text.split()[1]) for text in texts]]

    ranks = id_ranks([f"{row:07}" for row in range(len(vectors))])
    return DenseRetriever(vectors, ranks, embed, scorable_mask=np.ones(len(vectors), dtype=np.bool_))


def test_dense(vectors: Vectors, queries: list[Query], directions: Vectors) -> None:
    retriever = retrieved(vectors, directions)

    def plain(query: Vectors) -> list[int]:
        return np.argsort(-(vectors @ query), kind="stable")[:DEPTH].tolist()

    one, hits = median_seconds(lambda: retriever.search(queries[0], DEPTH), rounds=31)
    other, expected = median_seconds(lambda: plain(directions[0]), rounds=31)
    product, _ = median_seconds(lambda: vectors @ directions[0], rounds=31)
    assert hits.rows.tolist() == expected
    report(f"dense, one query, {N:,} x {WIDTH}", one, other, "product and full sort")
    report("  the product alone", product, one, "dense")
    many, answers = median_seconds(lambda: retriever.search_many(queries, DEPTH), rounds=5)
    sorted_all, lists = median_seconds(lambda: [plain(direction) for direction in directions[:64]], rounds=1)
    assert [hits.rows.tolist() for hits in answers[:64]] == lists
    report(f"dense, per query in batches of {MANY}", many / MANY, sorted_all / 64, "product and full sort")
    print(f"dense in batches: {MANY / many:,.0f} queries/s")


@pytest.mark.parametrize("aggregate", ["top3", "max"])
def test_multi_vector(aggregate: str, vectors: Vectors, queries: list[Query], directions: Vectors) -> None:
    lengths = np.random.default_rng(2).integers(1, 8, size=N)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    starts = starts[: np.searchsorted(starts, N, side="right")]
    ranks = id_ranks([f"{row:07}" for row in range(len(starts) - 1)])
    n_chunks, n_best = int(starts[-1]), 3 if aggregate == "top3" else 1
    retriever = MultiVectorRetriever(
        vectors[:n_chunks], starts, ranks, lambda texts: directions[:1], aggregate=aggregate
    )

    def plain() -> list[int]:
        near = vectors[:n_chunks] @ directions[0]
        parts = np.split(near, starts[1:-1])
        scores = np.array([np.sort(part)[-n_best:].mean() for part in parts])
        return np.argsort(-scores, kind="stable")[:DEPTH].tolist()

    ours, hits = median_seconds(lambda: retriever.search(queries[0], DEPTH), rounds=15)
    other, expected = median_seconds(plain, rounds=3)
    assert hits.rows.tolist() == expected
    report(f"multi-vector, {aggregate}, {n_chunks:,} chunks of {len(ranks):,} documents", ours, other, "a loop")


class Anything(SequentialRetriever):
    """Finds the first documents, in no time."""

    def search(self, query: Query, k: int, timing: Timing = untimed) -> Hits:
        return Hits(np.arange(k), -np.arange(k, dtype=np.float64)) if k else NO_HITS


def test_late_interaction(tmp_path: Path) -> None:
    n_documents, n_tokens, depth = 50, 200, 50
    tokens = unit(n_documents * n_tokens, 3).reshape(n_documents, n_tokens, WIDTH)
    query = unit(15, 4)

    def known(rows: Rows) -> list[Vectors]:
        return [tokens[row] for row in rows.tolist()]

    retriever = LateInteraction(Anything(), depth, np.arange(n_documents), lambda text: query, known)

    def plain() -> list[int]:
        scores = np.array([(document @ query.T).max(axis=0).sum() for document in tokens])
        return np.argsort(-scores, kind="stable").tolist()

    ours, hits = median_seconds(lambda: retriever.search(Query("q", "some words"), depth), rounds=31)
    other, expected = median_seconds(plain, rounds=31)
    assert hits.rows.tolist() == expected
    report(f"late interaction, {depth} documents of {n_tokens} tokens, in float64", ours, other, "float32, one by one")
