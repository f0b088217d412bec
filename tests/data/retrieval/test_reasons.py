"""Where documents of one query stand in the whole collection, and their places on a plane."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.collections import Document, Query
from core.retrieval.bm25 import Bm25Index
from core.retrieval.retriever import id_ranks
from core.retrieval.specs import Spec, read_spec
from data.collections import documents_key
from data.retrieval.bm25 import Analysis
from data.retrieval.collections import RetrievalCorpus
from data.retrieval.plane import fit_axes, open_plane
from data.retrieval.retrievers import asked_specs, open_retriever, reasons_for

TEXTS = ("heat flow in plates", "heat heat", "the flow of tea", "nothing of it", "plates of steel", "")
QUERY = Query("q", "the heat of flow zzz")
IDS = ("e", "d", "c", "b", "a", "f")


@pytest.fixture
def corpus(tmp_path: Path) -> RetrievalCorpus:
    documents = tuple(Document(doc_id, "", text) for doc_id, text in zip(IDS, TEXTS, strict=True))
    return RetrievalCorpus(documents, documents_key(documents), tmp_path / "made")


def specs(*texts: str) -> list[Spec]:
    return [read_spec(text) for text in texts]


def test_bm25_places_are_those_of_the_plain_scorer(corpus: RetrievalCorpus) -> None:
    found = reasons_for(corpus, QUERY, [*IDS, "not there"], specs("bm25"))
    cut = Analysis("english").cut
    hits = Bm25Index.of([cut(text) for text in TEXTS]).search(cut(QUERY.text), len(TEXTS), id_ranks(IDS))
    wanted = {IDS[row]: rank for rank, row in enumerate(hits.rows.tolist(), 1)}
    assert {doc_id: each[0].rank for doc_id, each in found.deep["bm25"].items()} == {
        doc_id: wanted.get(doc_id) for doc_id in IDS
    }
    assert found.deep["bm25"]["b"][0].score is None
    words = found.words["d"]
    assert ([word for word, _ in words.matched], words.absent, words.unknown) == (["heat"], ("flow",), ("zzz",))
    assert found.not_asked == ()


def test_a_hybrid_is_asked_by_words_and_by_vectors_and_a_reranker_by_its_first_stage(corpus: RetrievalCorpus) -> None:
    found = reasons_for(corpus, QUERY, IDS, specs("bm25", "dense:lsa", "hybrid:lsa", "llm_reranker:demo", "boolean"))
    for doc_id in IDS:
        by_words, by_vectors = found.deep["hybrid:lsa"][doc_id]
        assert (by_words,) == found.deep["bm25"][doc_id] == found.deep["llm_reranker:demo"][doc_id]
        assert (by_vectors,) == found.deep["dense:lsa"][doc_id]
    assert "boolean" not in found.deep
    assert found.not_asked == ()


def test_dense_places_are_those_of_a_search(corpus: RetrievalCorpus) -> None:
    spec = read_spec("dense:lsa")
    hits = open_retriever(corpus, spec).retriever.search(QUERY, len(IDS))
    found = reasons_for(corpus, QUERY, IDS, [spec]).deep["dense:lsa"]
    ranked = [(found[IDS[row]][0].rank, found[IDS[row]][0].score) for row in hits.rows.tolist()]
    assert ranked == list(enumerate(hits.scores.tolist(), 1))
    assert found["f"][0].rank is None, "a document without words has no vector"


def test_no_service_is_asked_behind_a_persons_back(corpus: RetrievalCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    paid = Spec("dense", name="ada-002", embedder="openai:text-embedding-ada-002")
    found = reasons_for(
        corpus, QUERY, IDS, [paid, Spec("llm_reranker", model="gpt", first="dense", embedder=paid.embedder)]
    )
    assert found.deep == {}
    assert next(said.split(" was")[0] for said in found.not_asked) == "ada-002"
    assert found.words
    assert asked_specs(Spec("llm_reranker", model="gpt")) == (Spec("bm25"),)


def test_the_plane_is_made_once_and_places_a_document_where_its_text_is(
    corpus: RetrievalCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    plane = open_plane(corpus, "lsa")
    assert plane.points.shape == (len(IDS), 2)
    assert np.isnan(plane.points[5]).all(), "it has no words"
    for row, text in enumerate(TEXTS[:5]):
        if not np.isnan(plane.points[row]).any():
            assert plane.place(text) == pytest.approx(tuple(plane.points[row]), abs=1e-5)
    assert plane.place(" ... ") is None
    assert 0 < plane.kept_share <= 1
    monkeypatch.setattr("data.retrieval.plane._make", lambda *_: pytest.fail("it is there"))
    np.testing.assert_array_equal(open_plane(corpus, "lsa").points, plane.points)


def axes_by_svd(vectors: np.ndarray) -> float:
    values = np.linalg.svd(vectors - vectors.mean(axis=0), compute_uv=False) ** 2
    return float(values[:2].sum() / values.sum())


def test_directions_are_those_in_which_vectors_differ_most() -> None:
    vectors = np.random.default_rng(0).normal(size=(60, 7)).astype(np.float32) * np.arange(1, 8, dtype=np.float32)
    mean, axes, share = fit_axes(vectors)
    assert share == pytest.approx(axes_by_svd(vectors), rel=1e-6)
    assert axes.T @ axes == pytest.approx(np.eye(2), abs=1e-9)
    assert mean == pytest.approx(vectors.mean(axis=0), abs=1e-5)


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (4, 1), (3, 0)])
def test_too_little_to_lay_out_is_no_error(shape: Sequence[int]) -> None:
    _, axes, share = fit_axes(np.ones(tuple(shape), dtype=np.float32))
    assert axes.shape == (shape[1], 2)
    assert share == 0.0
