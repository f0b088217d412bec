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
        (SOME, "2 of the query's 4 words are in its text (heat, flow), not ablation, nose"),
        (QueryWordMatches((), ()), "no word to"),
        (QueryWordMatches((), ("heat", "flow")), "none of the query's words"),
        (QueryWordMatches((("heat", 1.0),), ()), "the query's one word"),
        (QueryWordMatches((("heat", 1.0), ("flow", 1.0)), ()), "all 2 words"),
        (QueryWordMatches((("heat", 1.0),), tuple("abcdefgh")), "1 of the query's 9 words is"),
        (QueryWordMatches((("heat", 1.0),), tuple("abcdefgh")), "not a, b, c, d, e, f and 2 more"),
    ],
)
def test_bm25_is_explained_by_words(words: QueryWordMatches, said: str) -> None:
    assert said in why_missed(LOST, [], first=10, words=words)


@pytest.mark.parametrize(
    ("others", "first", "said"),
    [
        ([DENSE], 13, "; dense does not"),
        ([DENSE, LOST], 13, "; no other run"),
        ([DENSE], 14, "; dense ranks it 14th."),
        (
            [DENSE, replace(DENSE, run="b", rank=1), replace(DENSE, run="c", rank=2)],
            20,
            "; dense ranks it 14th, b ranks it 1st and c ranks it 2nd.",
        ),
    ],
    ids=["one beyond it", "all beyond it", "one within it", "three within it"],
)
def test_other_runs_count_only_within_what_is_looked_at(others: list[DocumentRank], first: int, said: str) -> None:
    whole = why_missed(LOST, others, first=first, words=None)
    assert said in whole
    assert ("in its first 13" in whole) == (first == 13)


SIMILAR = DocumentRank("dense", "dense", None, 100, (CollectionRank(812, 0.1234, 1400),))
AGAIN = DocumentRank("again", "late_interaction", None, 100, (CollectionRank(51, 2.0, 1400),), n_candidates=50)
BOTH = DocumentRank("both", "hybrid", 22, 100, (CollectionRank(None, None, 1400), CollectionRank(42, 0.3, 1400)))
THEIRS = DocumentRank("theirs", None, None, 7)
UNORDERED = DocumentRank("b", "boolean", None, 100)


@pytest.mark.parametrize(
    ("standing", "facts"),
    [
        (SIMILAR, ("dense missed it: ", "similarity of 0.123 is 812th of 1,400.")),
        (replace(SIMILAR, deep=(CollectionRank(None, None, 1400),)), ("has no vector",)),
        (AGAIN, ("again missed it: ", "51st, beyond the 50 candidates")),
        (replace(AGAIN, rank=40, deep=(CollectionRank(3, 2.0, 1400),)), ("again ranks it 40th: ", "ranks it 3rd.")),
        (replace(AGAIN, deep=(CollectionRank(50, 2.0, 1400),)), ("ranks it 50th.",)),
        (replace(AGAIN, deep=(CollectionRank(None, None, 9),)), ("does not find",)),
        (replace(AGAIN, deep=()), ("not among the 50 candidates",)),
        (BOTH, ("both ranks it 22nd: by words ", "without a score, by vectors 42nd of 1,400.")),
        (replace(BOTH, kind="late_interaction"), ("first stage by words ", "without a score")),
        (THEIRS, ("theirs missed it: ", "not among the 7 documents")),
        (replace(LOST, kept=0), ("a missed it: ", "found nothing")),
        (UNORDERED, ("b missed it: ", "does not match", "lacks ablation, nose.")),
        (replace(UNORDERED, rank=60), ("b ranks it 60th: ", "no order")),
    ],
    ids=[
        *(
            "dense",
            "dense without a vector",
            "beyond the candidates",
            "reranked",
            "the last candidate",
            "unfound",
            "no candidate",
        ),
        *("hybrid", "hybrid first", "from a file", "no answer", "boolean", "boolean beyond"),
    ],
)
def test_each_kind_is_explained_by_what_it_goes_by(standing: DocumentRank, facts: tuple[str, ...]) -> None:
    said = why_missed(standing, [], first=10, words=SOME)
    for fact in facts:
        assert fact in said


def test_a_run_from_a_file_claims_nothing_more() -> None:
    assert why_missed(replace(THEIRS, rank=30, kept=50), [], first=10, words=SOME) == "theirs ranks it 30th."


def test_what_the_collection_lacks_no_run_can_find() -> None:
    assert "does not contain" in why_missed(LOST, [], first=10, words=None, in_collection=False)


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
