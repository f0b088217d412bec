"""Retrievers with the real all-MiniLM-L6-v2 on the collections that the field measures itself by."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.collections import Collection, Query, Run, is_misnumbered, renumbered
from core.protocols import silent
from core.retrieval.leaderboard import score_runs
from core.retrieval.specs import read_spec
from core.vectors import normalise
from data.importers.collection_files import read_collection
from data.models.local_embedders import SentenceTransformersModel
from data.retrieval.retrievers import open_retriever
from tests.data.real_model import packaged_model
from tests.data.retrieval.counting_model import corpus_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.collections,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]

MEASURED = {
    ("medline", "dense:lsa"): 0.699,
    ("medline", "dense:st:MODEL"): 0.788,
    ("medline", "multi_vector:st:MODEL"): 0.788,
    ("medline", "multi_vector:st:MODEL,aggregate=max"): 0.773,
    ("medline", "late_interaction:st:MODEL"): 0.794,
    ("medline", "hybrid:st:MODEL"): 0.791,
    ("medline", "hybrid:st:MODEL,fusion=weighted"): 0.792,
    ("cranfield_trec", "dense:lsa"): 0.312,
    ("cranfield_trec", "dense:st:MODEL"): 0.400,
    ("cranfield_trec", "late_interaction:st:MODEL"): 0.406,
    ("cranfield_trec", "hybrid:st:MODEL"): 0.436,
    ("cranfield_trec", "hybrid:st:MODEL,fusion=weighted"): 0.440,
}
"""nDCG@10, of which a run may be off by 0.02: tokenizers and processors round differently."""


@pytest.fixture(scope="module")
def model() -> Iterator[Path]:
    """Where the model is; nothing may be asked of a hub."""
    folder = packaged_model()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield folder


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one retriever has made serves the next."""
    return tmp_path_factory.mktemp("retrieval")


def loaded(folder: Path) -> Collection:
    """With its queries numbered as its judgments are."""
    collection = read_collection(folder).collection
    return renumbered(collection) if is_misnumbered(collection) else collection


@pytest.mark.parametrize(("name", "spec"), list(MEASURED))
def test_as_good_as_measured(name: str, spec: str, model: Path, kept: Path, collections_dir: Path) -> None:
    collection = loaded(collections_dir / name)
    opened = open_retriever(corpus_of(collection.documents, kept), read_spec(spec.replace("MODEL", str(model))), silent)
    answers = opened.retriever.search_many(collection.queries, 100)
    pairs = zip(collection.queries, answers, strict=True)
    run = Run.of(spec, collection.doc_ids, [(query.query_id, hits.rows, hits.scores) for query, hits in pairs])
    (scores,) = score_runs([run], collection, metric_ids=("ndcg@10",)).scores
    assert scores.values["ndcg@10"] == pytest.approx(MEASURED[name, spec], abs=0.02)
    assert scores.n_unanswered == 0
    assert all(0 < len(hits) <= 100 for hits in answers)


def test_token_vectors_are_those_of_the_words_and_no_more(model: Path) -> None:
    real = SentenceTransformersModel(str(model))
    short, long, nothing = real.embed_tokens(["heat transfer", "heat " * 400, ""])
    assert (short.shape, long.shape, nothing.shape) == ((2, 384), (254, 384), (0, 384)), "256 with both marks"
    np.testing.assert_allclose(np.linalg.norm(long, axis=1), 1, atol=1e-5)
    assert real.mishaps.cut == {"heat " * 400}
    # In a group with longer texts the vectors are the same: what fills up is left out.
    np.testing.assert_allclose(real.embed_tokens(["heat transfer"])[0], short, atol=1e-4)


def test_odd_queries_are_answered(model: Path, kept: Path, collections_dir: Path) -> None:
    collection = loaded(collections_dir / "medline")
    corpus = corpus_of(collection.documents, kept)
    for spec in ("dense:st:MODEL", "late_interaction:st:MODEL"):
        retriever = open_retriever(corpus, read_spec(spec.replace("MODEL", str(model))), silent).retriever
        for text in ("word " * 10_000, "\udcff heart \x00", "心臓", "heart " + "x" * 100_000):
            hits = retriever.search(Query("q", text), 5)
            assert np.isfinite(hits.scores).all()
        assert len(retriever.search(Query("q", " ... "), 5)) == 0


def test_a_question_and_a_text_are_embedded_alike_where_the_model_wants_no_prompt(model: Path) -> None:
    real = SentenceTransformersModel(str(model))
    rows, _ = normalise(np.concatenate([real.embed(["heat transfer"]), real.embed_queries(["heat transfer"])]))
    assert float(rows[0] @ rows[1]) == pytest.approx(1.0, abs=1e-5)
