"""Why a document was missed: one sentence that names what is true and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.bm25 import Bm25Index
from core.retrieval.misses import CollectionRank, DocumentRank, QueryWordMatches, why_missed
from core.retrieval.specs import KINDS

DEEP = st.builds(CollectionRank, st.none() | st.integers(1, 10**6), st.none() | st.floats(-1, 1), st.integers(1, 10**6))
LOST = DocumentRank("a", "bm25", None, 100)
DENSE = DocumentRank("dense", "dense", 14, 100)
SOME = QueryWordMatches((("heat", 3.0), ("flow", 1.0)), ("ablation", "nose"))


def test_words_that_are_missing_are_named() -> None:
    said = why_missed(LOST, [DENSE], first=20, words=SOME)
    assert said.startswith("a missed it: 2 of the query's 4 words ")
    assert said.endswith("(heat, flow), not ablation, nose; dense ranks it 14th.")


def test_words_are_sorted_by_what_bm25_says_of_them() -> None:
    index = Bm25Index.of([["heat", "heat", "flow"], ["flow", "nose"], ["flow", "nose", "ablation"]])
    words = QueryWordMatches.of(index.explain(["ablation", "flow", "heat", "nose", "typo"], 0))
    assert [word for word, _ in words.matched] == ["heat", "flow"]
    assert (words.absent, words.unknown, words.n) == (("ablation", "nose"), ("typo",), 5)
    said = why_missed(LOST, [], first=10, words=words)
    assert "2 of the query's 5 words" in said
    assert said.endswith("(heat, flow), not ablation, nose; no document has typo.")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (QueryWordMatches((), ()), "the query has no word to look for"),
        (QueryWordMatches((), ("heat", "flow")), "none of the query's words is in its text"),
        (QueryWordMatches((("heat", 1.0),), ()), "the query's one word is in its text"),
        (QueryWordMatches((("heat", 1.0), ("flow", 1.0)), ()), "all 2 words of the query are in its text"),
        (QueryWordMatches((("heat", 1.0),), tuple("abcdefgh")), "not a, b, c, d, e, f and 2 more"),
    ],
)
def test_bm25_is_explained_by_words(words: QueryWordMatches, said: str) -> None:
    assert said in why_missed(LOST, [], first=10, words=words)


def test_other_runs_count_only_within_what_is_looked_at() -> None:
    far = replace(DENSE, rank=14)
    for others, said in (([far], "; dense does not"), ([far, LOST], "; no other run")):
        assert f"{said} have it in its first 10".replace("run have", "run has") in why_missed(LOST, others, first=10, words=None)
    three = [DENSE, replace(DENSE, run="b", rank=1), replace(DENSE, run="c", rank=2)]
    assert why_missed(LOST, three, first=20, words=None).endswith(
        "; dense ranks it 14th, b ranks it 1st and c ranks it 2nd."
    )


def test_dense_is_explained_by_how_many_are_more_similar() -> None:
    standing = DocumentRank("dense", "dense", None, 100, (CollectionRank(812, 0.1234, 1400),))
    assert why_missed(standing, [], first=10, words=SOME) == (
        "dense missed it: its similarity of 0.123 is 812th of 1,400."
    )
    blind = replace(standing, deep=(CollectionRank(None, None, 1400),))
    assert "has no vector" in why_missed(blind, [], first=10, words=None)


def test_a_reranker_is_explained_by_its_first_stage() -> None:
    standing = DocumentRank("again", "late_interaction", None, 100, (CollectionRank(51, 2.0, 1400),), n_candidates=50)
    assert "51st, beyond the 50 candidates" in why_missed(standing, [], first=10, words=None)
    within = replace(standing, rank=40, deep=(CollectionRank(3, 2.0, 1400),))
    assert why_missed(within, [], first=10, words=None) == "again ranks it 40th: its first stage ranks it 3rd."
    assert "does not find it" in why_missed(
        replace(standing, deep=(CollectionRank(None, None, 9),)), [], first=10, words=None
    )
    unknown = replace(standing, deep=())
    assert "not among the 50 candidates" in why_missed(unknown, [], first=10, words=None)


def test_a_hybrid_is_explained_by_the_rankings_that_it_fuses() -> None:
    standing = DocumentRank(
        "both", "hybrid", 22, 100, (CollectionRank(None, None, 1400), CollectionRank(42, 0.3, 1400))
    )
    assert why_missed(standing, [], first=10, words=SOME) == (
        "both ranks it 22nd: by words it is without a score, by vectors 42nd of 1,400."
    )
    again = replace(standing, kind="late_interaction")
    assert "in its first stage by words it is without a score" in why_missed(again, [], first=10, words=SOME)


def test_what_the_collection_lacks_no_run_can_find() -> None:
    assert "does not contain this document" in why_missed(LOST, [], first=10, words=None, in_collection=False)


def test_a_run_from_a_file_claims_nothing_more() -> None:
    standing = DocumentRank("theirs", None, None, 7)
    assert why_missed(standing, [], first=10, words=SOME) == (
        "theirs missed it: it is not among the 7 documents of the run."
    )
    assert why_missed(replace(standing, rank=30, kept=50), [], first=10, words=SOME) == "theirs ranks it 30th."
    assert "found nothing for this query" in why_missed(replace(LOST, kept=0), [], first=10, words=SOME)


def test_boolean_answers_have_no_order() -> None:
    standing = DocumentRank("b", "boolean", None, 100)
    assert "does not match it; its text lacks ablation, nose" in why_missed(standing, [], first=10, words=SOME)
    assert "no order" in why_missed(replace(standing, rank=60), [], first=10, words=SOME)


@given(
    st.sampled_from([*KINDS, None]),
    st.none() | st.integers(1, 10_000),
    st.integers(0, 1000),
    st.lists(DEEP, max_size=2).map(tuple),
    st.none() | st.builds(QueryWordMatches, st.just((("heat", 0.0),)), st.just(("flow",))),
    st.lists(
        st.builds(DocumentRank, st.just("x"), st.just("dense"), st.none() | st.integers(1, 99), st.just(9)), max_size=3
    ),
)
def test_there_is_always_one_sentence(kind, rank, kept, deep, words, others) -> None:  # type: ignore[no-untyped-def]
    said = why_missed(DocumentRank("run", kind, rank, kept, deep, 20), others, first=10, words=words)
    assert said.startswith("run ")
    assert said.endswith(".")
    assert ": ." not in said
    assert "None" not in said
    assert ("missed it" in said) == (rank is None)


@given(st.lists(st.floats(0, 100), max_size=8))
def test_shares_add_up(parts: list[float]) -> None:
    shares = QueryWordMatches(tuple((str(i), part) for i, part in enumerate(parts)), ()).shares
    assert sum(share for _, share in shares) == pytest.approx(1.0 if sum(parts) > 0 else 0.0)
