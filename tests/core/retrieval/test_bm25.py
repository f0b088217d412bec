"""BM25 over counted words, against the formula worked out term by term."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collections import Document, Query
from core.retrieval.bm25 import Bm25Index, Bm25Retriever, idf
from core.retrieval.retriever import Retriever, id_ranks
from core.text import words
from tests.core.retrieval.retriever_laws import DOCUMENTS, RetrieverLaws


def by_hand(texts: Sequence[Sequence[str]], asked: Sequence[str], k1: float = 1.2, b: float = 0.75) -> list[float]:
    """The score of every document, straight from the formula."""
    n = len(texts)
    mean = sum(map(len, texts)) / n if n else 0
    scores = [0.0] * n
    for row, text in enumerate(texts):
        for term in asked:
            tf, n_holding = list(text).count(term), sum(term in other for other in texts)
            if tf:
                rarity = math.log(1 + (n - n_holding + 0.5) / (n_holding + 0.5))
                scores[row] += rarity * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(text) / mean))
    return scores


def in_english(document: Document) -> list[str]:
    return words(document.whole)


class TestBm25(RetrieverLaws):
    k1, b = 1.2, 0.75

    def make(self, documents: Sequence[Document], folder: Path) -> Retriever:
        index = Bm25Index.of(map(in_english, documents), k1=self.k1, b=self.b)
        return Bm25Retriever(index, words, id_ranks([document.doc_id for document in documents]))

    def exact(self, documents: Sequence[Document], text: str) -> dict[str, float]:
        scores = by_hand([in_english(document) for document in documents], words(text), self.k1, self.b)
        return {document.doc_id: score for document, score in zip(documents, scores, strict=True) if score}


class TestPresence(TestBm25):
    k1, b = 0.0, 0.75


class TestNoLength(TestBm25):
    k1, b = 0.9, 0.0


class TestOnlyLength(TestBm25):
    k1, b = 100.0, 1.0


TEXTS = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=12), max_size=12)
ASKED = st.lists(st.sampled_from("abcdefgxy"), max_size=8)
WEIGHTS = st.tuples(st.sampled_from([0.0, 0.5, 1.2, 100.0]), st.sampled_from([0.0, 0.4, 0.75, 1.0]))


@given(TEXTS, ASKED, WEIGHTS)
@settings(max_examples=80, deadline=None)
def test_scores_are_those_of_the_formula(
    texts: list[list[str]], asked: list[str], weights: tuple[float, float]
) -> None:
    k1, b = weights
    index = Bm25Index.of(iter(texts), k1=k1, b=b)
    expected = by_hand(texts, asked, k1, b)
    assert index.scores(asked).tolist() == pytest.approx(expected, rel=1e-12)
    ids = [f"d{(7 * row) % 12:02}" for row in range(len(texts))]
    hits = index.search(asked, 5, id_ranks(ids))
    # Terms in another order may add up to another last digit, so the order of ties is that of what was computed.
    scores = index.scores(asked)
    ordered = sorted((row for row in range(len(texts)) if expected[row]), key=lambda row: (-scores[row], ids[row]))
    assert hits.rows.tolist() == ordered[:5]


@given(TEXTS.filter(len), ASKED, WEIGHTS)
@settings(max_examples=60, deadline=None)
def test_shares_add_up_to_the_score(texts: list[list[str]], asked: list[str], weights: tuple[float, float]) -> None:
    index = Bm25Index.of(texts, k1=weights[0], b=weights[1])
    for row in range(len(texts)):
        told = index.explain(asked, row)
        assert sum(one.share for one in told) == pytest.approx(index.scores(asked)[row])
        assert [one.share for one in told] == sorted((one.share for one in told), reverse=True)
        for one in told:
            assert one.n_in_query == asked.count(one.term)
            assert one.n_in_document == texts[row].count(one.term)
            assert one.n_documents == sum(one.term in text for text in texts)
            assert (one.share > 0) == (one.n_in_document > 0)


def test_an_example_worked_out_on_paper() -> None:
    # Two of three documents hold "tea", their lengths are 1 and 3, the mean is 5 / 3.
    index = Bm25Index.of([["tea"], ["tea", "tea", "cup"], ["cup"]])
    rarity = math.log(1 + 1.5 / 2.5)
    assert idf(2, 3) == pytest.approx(rarity)
    short = rarity * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 1 / (5 / 3)))
    long = rarity * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / (5 / 3)))
    assert index.scores(["tea"]).tolist() == pytest.approx([short, long, 0.0])
    assert index.scores(["tea", "tea"]).tolist() == pytest.approx([2 * short, 2 * long, 0.0])


@pytest.mark.parametrize("texts", [[], [[]], [[], []]])
def test_documents_without_words(texts: list[list[str]]) -> None:
    index = Bm25Index.of(texts)
    assert (index.n, index.mean_length) == (len(texts), 0.0)
    assert len(index.search(["a"], 10, np.arange(len(texts)))) == 0


def test_what_a_retriever_explains_is_what_it_scores() -> None:
    retriever = TestBm25().make(DOCUMENTS, Path())
    assert isinstance(retriever, Bm25Retriever)
    query = Query("q", "energy of unicorns in cold stores: energy")
    told = retriever.explain(query, 1)
    hits = retriever.search(query, 20)
    assert sum(one.share for one in told) == pytest.approx(dict(zip(hits.rows, hits.scores, strict=True))[1])
    assert {one.term: (one.n_in_query, one.n_in_document) for one in told} == {
        "energy": (2, 4),
        "cold": (1, 2),
        "stores": (1, 2),
        "in": (1, 1),
        "of": (1, 1),
        "unicorns": (1, 0),
    }
    assert (told[-1].term, told[-1].n_documents, told[-1].share) == ("unicorns", 0, 0.0)
