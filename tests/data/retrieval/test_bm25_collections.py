"""BM25 on the collections that the field measures itself by."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from core.collections import Collection, is_misnumbered, renumbered
from core.protocols import silent
from core.retrieval.specs import Spec, read_spec
from data.collections import documents_key
from data.importers.collection_files import read_collection
from data.retrieval.bm25 import open_bm25
from data.retrieval.collections import RetrievalCorpus

pytestmark = pytest.mark.collections


def ndcg_at_10(grades: Mapping[str, int], ranked: Sequence[str]) -> float:
    """Linear gain, from the definition."""
    discounts = [1 / math.log2(place + 2) for place in range(10)]
    given = [grades.get(doc_id, 0) for doc_id in ranked[:10]]
    ideal = sorted(grades.values(), reverse=True)
    worth, most = (sum(g * d for g, d in zip(gs, discounts, strict=False)) for gs in (given, ideal))
    return worth / most


def mean_ndcg(collection: Collection, spec: Spec, folder: Path) -> float:
    """Over the queries with a positive judgment."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for judgment in collection.judgments:
        if judgment.relevance > 0:
            grades[judgment.query_id][judgment.doc_id] = judgment.relevance
    documents = collection.documents
    retriever = open_bm25(RetrievalCorpus(documents, documents_key(documents), folder), spec, silent).retriever
    answers = {query.query_id: retriever.search(query, 10) for query in collection.queries if query.query_id in grades}
    return float(
        np.mean([ndcg_at_10(grades[i], [documents[row].doc_id for row in hits.rows]) for i, hits in answers.items()])
    )


@pytest.mark.parametrize(
    ("name", "spec", "published"),
    [
        ("medline", "bm25", 0.699),
        ("medline", "bm25:analysis=words", 0.6643),
        ("cranfield_trec", "bm25", 0.385),
        ("cranfield_trec", "bm25:k1=1.5", 0.3879),
        ("cranfield_trec", "bm25:analysis=words", 0.3608),
    ],
)
def test_as_good_as_measured_elsewhere(
    name: str, spec: str, published: float, collections_dir: Path, tmp_path: Path
) -> None:
    collection = read_collection(collections_dir / name).collection
    collection = renumbered(collection) if is_misnumbered(collection) else collection
    assert mean_ndcg(collection, read_spec(spec), tmp_path) == pytest.approx(published, abs=0.02)


def test_the_numbers_of_cranfield_as_they_stand_are_worth_nothing(collections_dir: Path, tmp_path: Path) -> None:
    collection = read_collection(collections_dir / "cranfield_trec").collection
    assert mean_ndcg(collection, Spec("bm25"), tmp_path) == pytest.approx(0.009, abs=0.005)


def test_rounded_lengths_hardly_matter(collections_dir: Path, tmp_path: Path) -> None:
    collection = renumbered(read_collection(collections_dir / "cranfield_trec").collection)
    by_tantivy = mean_ndcg(collection, Spec("bm25"), tmp_path)
    # As good as k1 1.2, but beyond tantivy.
    exactly = mean_ndcg(collection, Spec("bm25", k1=1.2 + 1e-9), tmp_path)
    assert exactly != by_tantivy
    assert exactly == pytest.approx(by_tantivy, abs=0.01)
