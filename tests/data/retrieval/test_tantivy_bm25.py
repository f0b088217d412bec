"""BM25 by tantivy and by our own counts on disk: the same ranking, kept, and made again when it is damaged."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
import tantivy
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collections import Document, Query
from core.protocols import silent
from core.retrieval.bm25 import Bm25Index, Bm25Retriever
from core.retrieval.retriever import Retriever
from core.retrieval.specs import Spec
from core.text import STOP_WORDS, words
from data.collections import documents_key
from data.query.index import prepared
from data.retrieval.bm25 import (
    LONGEST,
    Analysis,
    TantivyBm25,
    kept_length,
    open_bm25,
    read_counts,
    write_counts,
    write_index,
)
from data.retrieval.collections import OpenedRetriever, RetrievalCorpus
from tests.core.retrieval.retriever_laws import DOCUMENTS, RetrieverLaws, answered, ask
from tests.data.stopping import Stopped, stop_from

BM25 = Spec("bm25")
COUNTED = Spec("bm25", k1=0.9, b=0.4)


def corpus_of(documents: Sequence[Document], folder: Path) -> RetrievalCorpus:
    return RetrievalCorpus(tuple(documents), documents_key(documents), folder)


def opened(documents: Sequence[Document], folder: Path, spec: Spec = BM25) -> OpenedRetriever:
    return open_bm25(corpus_of(documents, folder), spec, silent)


def counted(documents: Sequence[Document], spec: Spec = BM25, *, as_kept: bool = False) -> Bm25Index:
    """The exact index; `as_kept`: with lengths as tantivy keeps them, the mean being that of the true ones."""
    cut = Analysis(spec.analysis).cut
    index = Bm25Index.of([cut(document.whole) for document in documents], k1=spec.k1, b=spec.b)
    if not as_kept:
        return index
    kept = replace(index, lengths=np.array([kept_length(int(n)) for n in index.lengths], dtype=np.int32))
    kept.__dict__["mean_length"] = index.mean_length
    return kept


def random_documents(n: int, n_words: tuple[int, int], seed: int, vocabulary: int = 300) -> list[Document]:
    """Words as often as in texts: the second half as often as the first, and so on; ids in no order."""
    rng = random.Random(seed)
    known = [f"w{i}" for i in range(vocabulary)]
    weights = [1 / (i + 3) for i in range(vocabulary)]
    ids = rng.sample(range(10 * n), n)
    return [
        Document(f"d{doc_id}", "", " ".join(rng.choices(known, weights, k=rng.randint(*n_words)))) for doc_id in ids
    ]


class OfBm25(RetrieverLaws):
    tolerance = 2e-5
    spec = BM25

    def make(self, documents: Sequence[Document], folder: Path) -> Retriever:
        return opened(documents, folder, self.spec).retriever

    def exact(self, documents: Sequence[Document], text: str) -> dict[str, float]:
        scores = counted(documents, self.spec).scores(Analysis(self.spec.analysis).cut(text))
        return {document.doc_id: score for document, score in zip(documents, scores.tolist(), strict=True) if score}


class TestTantivy(OfBm25):
    """All documents are short, so that tantivy keeps their lengths as they are."""


class TestTantivyWords(OfBm25):
    spec = Spec("bm25", analysis="words")


class TestCounted(OfBm25):
    tolerance = 1e-12
    spec = COUNTED


LETTERS = st.text(st.characters(exclude_categories=()), max_size=40)


@given(LETTERS | st.text("aA1_-’é \t\n\x00Å", max_size=40))
@settings(max_examples=100, deadline=None)
def test_terms_are_words_without_stop_words_with_stems(text: str) -> None:
    assert Analysis("words").cut(text) == words(text)
    left = [word for word in words(text) if word not in STOP_WORDS]
    assert len(Analysis("english").cut(text)) == len(left)
    for word in left:
        assert len(Analysis("english").cut(word)) == 1


def test_stems_are_those_of_snowball() -> None:
    terms = Analysis("english").cut("The modelling of models, modelled; generalisations are general. Ménière’s")
    assert terms == ["model", "model", "model", "generalis", "general", "menier", "s"]


def test_a_word_without_end_is_cut() -> None:
    assert Analysis("words").cut("x" * 100_000) == ["x" * LONGEST]


def test_remembered_words_are_forgotten_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.retrieval.bm25.MOST_KEPT", 3)
    analysis = Analysis("english")
    for _ in range(2):
        assert analysis.cut("trees of cities and of streets in green parks") == [
            *("tree", "citi", "street", "green", "park")
        ]
    assert len(analysis._terms) <= 3


@pytest.mark.parametrize("seed", [1, 2])
def test_long_documents_score_as_with_rounded_lengths(seed: int, tmp_path: Path) -> None:
    documents = random_documents(300, (1, 400), seed)
    retriever = opened(documents, tmp_path).retriever
    as_kept, exact = counted(documents, as_kept=True), counted(documents)
    for text in ("w0 w17", "w3 w40 w41 w3", "w250", "w9 w8 w7 w6 w5"):
        found = answered(ask(retriever, text, 300), documents)
        terms = Analysis("english").cut(text)
        scores = as_kept.scores(terms)
        expected = {documents[row].doc_id: scores[row] for row in np.flatnonzero(scores)}
        assert found == pytest.approx(expected, rel=2e-5)
        # Rounded lengths change a score by a few hundredths of itself at most, and the ranking hardly.
        true = exact.scores(terms)
        assert found == pytest.approx({documents[row].doc_id: true[row] for row in np.flatnonzero(true)}, rel=0.06)
        top = set(sorted(found, key=found.__getitem__)[-20:])
        true_top = {documents[row].doc_id for row in np.argsort(-true, kind="stable")[: len(top)]}
        assert len(top & true_top) >= 0.8 * len(top)


@pytest.mark.parametrize("text", ["w0", "w0 w1", "w0 w1 w2 w3 w4 w5"])
@pytest.mark.parametrize("k", [1, 3, 10, 150])
def test_ties_go_by_id_however_many_there_are(text: str, k: int, tmp_path: Path) -> None:
    rng = random.Random(k)
    texts = ["w0 w1 w2 x y z", "w0 w1 w3 x z y", "w4 w5 w1 z w0 y", "x y z"]
    ids = rng.sample(range(1000), 400)
    documents = [Document(f"d{doc_id}", "", rng.choice(texts)) for doc_id in ids]
    everything = ask(opened(documents, tmp_path).retriever, text, 400)
    scores = answered(everything, documents)
    hits = ask(opened(documents, tmp_path).retriever, text, k)
    ordered = sorted(scores, key=lambda doc_id: (-scores[doc_id], doc_id))
    assert [documents[row].doc_id for row in hits.rows] == ordered[:k]
    assert len(set(scores.values())) <= 3


@pytest.mark.parametrize(("text", "n_matching"), [("heat", 101), ("heat flow", 101), ("flow", 67)])
@pytest.mark.parametrize("k", [1, 5, 40, 80, 101])
def test_ties_go_by_id_where_the_index_is_in_another_order(text: str, n_matching: int, k: int, tmp_path: Path) -> None:
    """As when tantivy wrote it in several pieces."""
    documents = [Document(f"d{(i * 37) % 101:03}", "", "heat flow" if i % 3 else "heat heat") for i in range(101)]
    ranks, analysis = corpus_of(documents, tmp_path).id_ranks, Analysis("english")
    facts = write_index(tmp_path, ((row, document.text) for row, document in enumerate(documents)), analysis, ranks)
    assert not facts["in_order"]
    index = prepared(tantivy.Index.open(str(tmp_path)))
    hits = ask(TantivyBm25(index, analysis, documents, ranks, facts), text, k)
    expected = counted(documents).search(analysis.cut(text), k, ranks)
    assert len(hits) == min(k, n_matching)
    assert hits.rows.tolist() == expected.rows.tolist()


def test_a_repeated_word_counts_as_often(tmp_path: Path) -> None:
    retriever = opened(DOCUMENTS, tmp_path).retriever
    once, thrice = ask(retriever, "energy heat"), ask(retriever, "energy heat energies energy")
    exact = counted(DOCUMENTS).scores(["energi", "heat", "energi", "energi"])
    assert answered(thrice, DOCUMENTS) == pytest.approx(
        {DOCUMENTS[row].doc_id: exact[row] for row in np.flatnonzero(exact)}, rel=2e-5
    )
    assert answered(once, DOCUMENTS) != answered(thrice, DOCUMENTS)


@pytest.mark.parametrize("spec", [BM25, COUNTED])
def test_a_query_of_stop_words_finds_nothing(spec: Spec, tmp_path: Path) -> None:
    assert len(ask(opened(DOCUMENTS, tmp_path, spec).retriever, "which of those are in the")) == 0


@pytest.mark.parametrize("spec", [BM25, COUNTED])
def test_shares_add_up_to_the_score(spec: Spec, tmp_path: Path) -> None:
    documents = [*DOCUMENTS, *random_documents(20, (30, 200), 4)]
    retriever = opened(documents, tmp_path, spec).retriever
    assert isinstance(retriever, TantivyBm25 | Bm25Retriever)
    query = Query("q", "energy in cold stores, energy of unicorns, w0 w1 w7")
    hits = retriever.search(query, 100)
    assert len(hits) > 10
    for row, score in zip(hits.rows.tolist(), hits.scores.tolist(), strict=True):
        told = retriever.explain(query, row)
        assert sum(one.share for one in told) == pytest.approx(score, rel=2e-5)
        assert {one.term: one.n_in_query for one in told}["energi"] == 2
        assert {one.term: one.n_documents for one in told}["unicorn"] == 0


# What is kept


def mtimes(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.suffix != ".lock"}


@pytest.mark.parametrize("spec", [BM25, COUNTED])
def test_an_index_is_made_once_and_says_what_it_took(spec: Spec, tmp_path: Path) -> None:
    first = opened(DOCUMENTS, tmp_path, spec)
    made = mtimes(tmp_path)
    second = opened(DOCUMENTS, tmp_path, spec)
    assert mtimes(tmp_path) == made
    assert first.index_seconds == second.index_seconds
    assert first.index_seconds is not None
    assert first.index_seconds > 0
    assert first.index_bytes == second.index_bytes
    assert first.index_bytes is not None
    assert first.index_bytes > 1000
    assert "stop words" in " ".join(first.notes)
    assert "stems" in " ".join(first.notes)
    assert not list(tmp_path.glob("*.part"))


def kind_of(path: Path) -> str:
    """Pieces of tantivy's index have names of their own, but the same endings."""
    return path.suffix if len(path.stem) == 32 or path.suffix == ".lock" else path.name


@pytest.mark.parametrize("spec", [BM25, COUNTED])
def test_a_damaged_index_is_made_again(spec: Spec, tmp_path: Path) -> None:
    expected = answered(ask(opened(DOCUMENTS, tmp_path, spec).retriever, "energy use"), DOCUMENTS)
    (folder,) = tmp_path.iterdir()
    kinds = {kind_of(path) for path in folder.iterdir()} - {".lock"}
    assert len(kinds) >= 5
    damages = cycle([lambda whole: whole[: len(whole) // 2], lambda whole: whole[:-1] + b"\x07", None])
    for kind, damage in zip(sorted(kinds), damages, strict=False):
        path = next(path for path in folder.iterdir() if kind_of(path) == kind)
        whole = path.read_bytes()
        path.unlink()  # the file of before stays whole for the threads that have it mapped: cutting it would kill them
        if damage is not None:
            path.write_bytes(damage(whole))
        again = opened(DOCUMENTS, tmp_path, spec)
        assert answered(ask(again.retriever, "energy use"), DOCUMENTS) == expected, kind
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_the_index_of_other_documents_is_not_taken(tmp_path: Path) -> None:
    opened(DOCUMENTS, tmp_path)
    others = DOCUMENTS[::-1]
    assert answered(ask(opened(others, tmp_path).retriever, "zebra"), others).keys() == {"d06"}


def test_a_file_in_the_place_of_the_folder_gives_way(tmp_path: Path) -> None:
    (tmp_path / "bm25-english").write_text("no folder")
    assert len(ask(opened(DOCUMENTS, tmp_path).retriever, "zebra")) == 1


def test_a_run_that_was_stopped_leaves_nothing(tmp_path: Path) -> None:
    for spec in (BM25, COUNTED):
        with pytest.raises(Stopped):
            open_bm25(corpus_of(DOCUMENTS, tmp_path), spec, stop_from(0))
    assert list(tmp_path.iterdir()) == []


def test_counts_come_back_as_they_were(tmp_path: Path) -> None:
    index = counted(DOCUMENTS, COUNTED)
    write_counts(tmp_path, index)
    again = read_counts(tmp_path, index.k1, index.b)
    assert again.numbers == index.numbers
    for name in ("starts", "rows", "counts", "lengths"):
        assert np.array_equal(getattr(again, name), getattr(index, name))
