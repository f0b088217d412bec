"""What holds for every retriever: the one suite that each is run through, in the test file that stands beside it.

    class TestBm25(RetrieverLaws):
        def make(self, documents, folder):
            return Bm25Retriever.of(documents)

        def exact(self, documents, text):  # where there is a slow and simple one to compare with
            return bm25_by_hand(documents, text)

Every law is a test of the class. One that can't hold for a kind is switched off by an attribute that says why.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from core.collections import Document, Query
from core.retrieval.retriever import Hits, Retriever, ranked_among

DOCUMENTS = (
    Document("d07", "Green warehouses", "Energy use of automated warehouses and their cold stores."),
    Document("d02", "Cold stores", "A survey of energy use in cold stores; energy, energy, energy."),
    Document("d11", "Laminar flow over wings", "Boundary layers and heat transfer at high speed."),
    Document("d04", "", "Heat transfer in laminar boundary layers without any title at all."),
    Document("d09", "Ménière’s disease", "Naïve β-lactams do not help; hearing loss does not stop."),
    Document("d01", "", ""),
    Document("d10", "Petri nets", "Process models are checked with Petri nets. Models of models are meta-models."),
    Document("d03", "Petri nets", "Process models are checked with Petri nets. Models of models are meta-models."),
    Document("d08", "Warehouses", ""),
    Document("d06", "Zebra fish", "Development of the zebra fish under heat."),
    Document("d05", "Flow of goods", "Goods flow through warehouses; flow of heat is another matter."),
)
"""Twins (d03, d10), one that is empty, one without a title, ids that are not in order."""
TWINS = ("d03", "d10")
TEXTS = (
    "energy use",
    "heat transfer in boundary layers",
    "warehouses",
    "process models checked with petri nets",
    "flow",
    "meniere disease hearing",
    "zebra fish under heat",
)
"""Words that the documents hold, so that a Boolean retriever and one of vectors have something to say."""
NOTHING = ("", " \t\n ", ". , ; !", "—")
HOSTILE = (
    *('"unclosed phrase', "((((energy", "energy AND", "NOT", "AND OR NOT", "energy* ?heat", "title:energy^2 ~3 [1 TO"),
    *("\x00 energy \x07", "\udcff energy", "😀 Ω", "energy' OR 1=1; DROP TABLE x", "<b>energy</b>", "\u202eenergy"),
    *("(" * 300 + "energy" + ")" * 300, "energy " + "x" * 100_000, "NEAR(energy,use,99999999999999999999)"),
)
"""Texts that break readers of search strings, databases, and screens."""


def answered(hits: Hits, documents: Sequence[Document]) -> dict[str, float]:
    """The score of each document that was found."""
    return {documents[row].doc_id: score for row, score in zip(hits.rows.tolist(), hits.scores.tolist(), strict=True)}


def ask(retriever: Retriever, text: str, k: int = 100) -> Hits:
    """Search for a text."""
    return retriever.search(Query("q", text), k)


def assert_ordered(hits: Hits, documents: Sequence[Document], k: int) -> None:
    """Score descending, then doc_id ascending; no document twice; nothing that is not a number."""
    assert len(hits) <= k
    assert hits.rows.dtype.kind == "i"
    assert hits.scores.dtype == np.float64
    assert np.isfinite(hits.scores).all()
    found = [(-score, documents[row].doc_id) for row, score in zip(hits.rows, hits.scores, strict=True)]
    assert found == sorted(found)
    assert len({doc_id for _, doc_id in found}) == len(found)


class RetrieverLaws:
    """The laws. `make` is all that a kind has to give."""

    tolerance = 1e-9
    """By how much two ways to the same score may differ, as a share of it."""
    twins_score_alike = True
    """False where a score depends on ranks, of which no two are the same."""

    scores_stand_alone = True
    """False where a score depends on what other documents there are."""

    def make(self, documents: Sequence[Document], folder: Path) -> Retriever:
        """A retriever over these documents; `folder` is there for what it keeps."""
        raise NotImplementedError

    def exact(self, documents: Sequence[Document], text: str) -> dict[str, float] | None:
        """The score of every document that is found, by the slowest and simplest way; None: there is none."""
        return None

    @pytest.fixture(scope="class")
    @classmethod
    def made(cls, tmp_path_factory: pytest.TempPathFactory) -> Retriever:
        """One over all the documents, for laws that need no other."""
        return cls().make(DOCUMENTS, tmp_path_factory.mktemp("retriever"))

    def assert_same(self, one: dict[str, float], other: dict[str, float]) -> None:
        """The same documents with the same scores."""
        assert one.keys() == other.keys()
        assert one == pytest.approx(other, rel=self.tolerance, abs=self.tolerance)

    @pytest.mark.parametrize("text", TEXTS)
    def test_best_comes_first_and_ties_go_by_id(self, made: Retriever, text: str) -> None:
        everything = ask(made, text)
        assert len(everything) > 0
        assert_ordered(everything, DOCUMENTS, len(DOCUMENTS))
        for k in (1, 2, 3, 5, 1_000_000):
            cut = ask(made, text, k)
            assert cut.rows.tolist() == everything.rows[:k].tolist()
            assert cut.scores.tolist() == pytest.approx(everything.scores[:k].tolist(), rel=self.tolerance)

    @pytest.mark.parametrize("text", TEXTS)
    def test_scores_are_those_of_the_simple_way(self, made: Retriever, text: str) -> None:
        expected = self.exact(DOCUMENTS, text)
        found = answered(ask(made, text), DOCUMENTS)
        self.assert_same(found, found if expected is None else expected)

    @pytest.mark.parametrize("text", [*TEXTS, "", HOSTILE[0]])
    def test_some_alone_are_ranked_as_among_all(self, made: Retriever, text: str) -> None:
        every = ask(made, text)
        for rows in (np.array([8, 1, 3, 6, 0]), np.arange(len(DOCUMENTS)), np.zeros(0, np.int64)):
            some = ranked_among(made, Query("q", text), rows)
            assert_ordered(some, DOCUMENTS, len(rows))
            assert set(some.rows) == set(rows) & set(every.rows)
            if self.scores_stand_alone:
                assert some.rows.tolist() == [row for row in every.rows.tolist() if row in rows]
                kept = np.isin(every.rows, rows)
                assert some.scores.tolist() == pytest.approx(every.scores[kept].tolist(), rel=self.tolerance)

    def test_none_asked_none_given(self, made: Retriever) -> None:
        assert len(ask(made, TEXTS[0], 0)) == 0

    @pytest.mark.parametrize("text", NOTHING)
    def test_nothing_to_look_for_finds_nothing(self, made: Retriever, text: str) -> None:
        assert len(ask(made, text)) == 0

    @pytest.mark.parametrize("text", HOSTILE)
    def test_any_text_is_answered(self, made: Retriever, text: str) -> None:
        assert_ordered(ask(made, text, 5), DOCUMENTS, 5)

    def test_ten_thousand_words_are_answered(self, made: Retriever) -> None:
        rng = random.Random(3)
        known = " ".join(TEXTS).split()
        some = [rng.choice(known) if i % 2 else f"word{rng.randrange(6_000)}" for i in range(10_000)]
        assert_ordered(ask(made, " ".join(some), 5), DOCUMENTS, 5)

    def test_one_answer_leaves_no_trace_in_the_next(self, made: Retriever) -> None:
        before = answered(ask(made, TEXTS[0]), DOCUMENTS)
        for text in (*TEXTS, *HOSTILE[:3], ""):
            ask(made, text, 3)
        assert answered(ask(made, TEXTS[0]), DOCUMENTS) == before

    def test_many_at_once_are_answered_like_one_by_one(self, made: Retriever) -> None:
        texts = (*TEXTS, "", *TEXTS[:2])
        queries = [Query(f"q{i}", text) for i, text in enumerate(texts)]
        together = made.search_many(queries, 100)
        assert len(together) == len(queries)
        for query, hits in zip(queries, together, strict=True):
            assert_ordered(hits, DOCUMENTS, 100)
            self.assert_same(answered(hits, DOCUMENTS), answered(made.search(query, 100), DOCUMENTS))
        assert made.search_many([], 100) == []

    def test_stages_that_begin_also_end(self, made: Retriever) -> None:
        told: list[str] = []

        @contextmanager
        def timing(stage: str) -> Iterator[None]:
            told.append(stage)
            yield
            told.append(f"{stage} is over")

        made.search(Query("q", TEXTS[0]), 5, timing)
        made.search_many([Query("q", text) for text in TEXTS], 5, timing)
        stages = [stage for stage in told if not stage.endswith(" is over")]
        assert all(stages)
        assert sorted(told) == sorted([*stages, *(f"{stage} is over" for stage in stages)])

    def test_a_document_is_found_by_its_own_words(self, made: Retriever) -> None:
        for document in DOCUMENTS:
            text = " ".join(document.whole.replace(".", " ").replace(";", " ").split())
            assert (document.doc_id in answered(ask(made, text), DOCUMENTS)) == bool(text)

    def test_the_same_text_has_the_same_score(self, made: Retriever) -> None:
        found = answered(ask(made, "process models checked with petri nets"), DOCUMENTS)
        assert found.keys() >= set(TWINS)
        if self.twins_score_alike:
            assert math.isclose(*(found[twin] for twin in TWINS), rel_tol=self.tolerance)

    def test_the_order_of_documents_does_not_matter(self, made: Retriever, tmp_path: Path) -> None:
        shuffled = random.Random(5).sample(DOCUMENTS, len(DOCUMENTS))
        other = self.make(shuffled, tmp_path)
        for text in TEXTS:
            self.assert_same(answered(ask(other, text), shuffled), answered(ask(made, text), DOCUMENTS))

    @pytest.mark.parametrize("documents", [(), (Document("empty", "", " "),), (Document("one", "Energy use", ""),)])
    def test_hardly_any_documents(self, documents: tuple[Document, ...], tmp_path: Path) -> None:
        hits = ask(self.make(documents, tmp_path), "energy use")
        assert_ordered(hits, documents, 1)
        assert (len(hits) > 0) == any(document.title for document in documents)
