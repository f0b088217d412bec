"""Phrases and Near on the words of publications, against an oracle that tries every combination."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.query import match
from core.query.match import (
    MOST_IN_WHOLE,
    CorpusTexts,
    NearSearch,
    Numbers,
    Postings,
    Spans,
    StemLexicon,
    together,
    without_untestable,
)
from core.query.tree import ANY_ENDING, Gap, Group, Heading, Near, Node, Not, Term
from tests.core.query_oracle import Fields, fields_of, holds
from tests.core.query_scenes import texts_of as scene_texts

FIELDS = ("title", "abstract", "keywords")
LETTERS = "abcd"


def first_letter(word: str) -> str:
    """A stem as simple as can be."""
    return word[0]


def texts_of(publications: list[Fields]) -> CorpusTexts:
    """The same publications as numbers, words with one first letter as one stem."""
    texts = scene_texts([{field: "; ".join(parts) for field, parts in p.items()} for p in publications])
    return replace(texts, stems=np.array([LETTERS.index(word[0]) for word in texts.vocabulary], dtype=np.int32))


def rows_of(near: Near, publications: list[Fields], *, stemmed: bool = False) -> list[int] | None:
    """Where it holds, or None."""
    texts, known = texts_of(publications), fields_of(publications)
    part = without_untestable(near, known)
    if part is None:
        return None
    assert isinstance(part, Near)
    stems = {known_word[0]: int(stem) for known_word, stem in zip(texts.vocabulary, texts.stems, strict=True)}
    lexicon = StemLexicon(texts, lambda word: stems.get(word[0], -1))

    def meaning(term: Term) -> list[Numbers | None]:
        of_stem = stemmed and not term.exact
        return [lexicon.numbers(word, stemmed=of_stem) for chunk in term.chunks for word in chunk]

    return np.flatnonzero(NearSearch(Postings.of(texts), meaning, known).rows(part)).tolist()


plain_words = st.sampled_from(["a", "b", "c", "d", "ab", "ac"])
texts = st.lists(plain_words, max_size=8).map(" ".join)
publications = st.fixed_dictionaries(
    {"title": st.lists(texts, min_size=1, max_size=1), "abstract": st.lists(texts, min_size=1, max_size=1)},
    optional={"keywords": st.lists(texts, max_size=3)},
)
corpora = st.lists(publications, min_size=1, max_size=4)
pieces = st.one_of(
    plain_words.map(lambda w: (w,)),
    st.lists(plain_words, min_size=2, max_size=3).map(lambda w: (" ".join(w),)),
    plain_words.map(lambda w: (w, ANY_ENDING)),
    st.sampled_from([(ANY_ENDING,), ("a ", Gap(1, 1)), (Gap(0, 1), "b c")]),
)
terms = st.builds(
    Term,
    pieces,
    quoted=st.booleans(),
    fields=st.sampled_from([(), (), ("title",), ("abstract", "keywords"), ("author",)]),
    exact=st.booleans(),
)
distances = st.integers(0, 4)


def nears(parts: st.SearchStrategy[Node]) -> st.SearchStrategy[Near]:
    return st.builds(
        Near,
        st.lists(parts, min_size=1, max_size=3).map(tuple),
        distances,
        ordered=st.booleans(),
        whole=st.booleans(),
    )


def ors(parts: st.SearchStrategy[Node]) -> st.SearchStrategy[Group]:
    return st.builds(Group, st.just("OR"), st.lists(parts, min_size=2, max_size=3).map(tuple))


near_trees = nears(st.one_of(terms, terms, ors(terms), nears(st.one_of(terms, ors(terms)))))


@given(near_trees, corpora, st.booleans())
def test_a_near_holds_where_the_oracle_finds_places_for_its_parts(
    near: Near, corpus: list[Fields], stemmed: bool
) -> None:
    known = fields_of(corpus)
    told = [holds(near, p, "stemmed" if stemmed else "literal", first_letter, known) for p in corpus]
    expected = None if told[0] is None else [row for row, held in enumerate(told) if held]
    assert rows_of(near, corpus, stemmed=stemmed) == expected


def t(text: str, **more: object) -> Term:
    return Term((text,), quoted=True, **more)  # type: ignore[arg-type]


def near(*parts: Node, distance: int, ordered: bool = False, whole: bool = False) -> Near:
    return Near(parts, distance, ordered=ordered, whole=whole)


A, B, C, D = (t(letter) for letter in LETTERS)


@pytest.mark.parametrize(
    ("title", "asked", "expected"),
    [
        ("a b", near(A, B, distance=0), True),
        ("b a", near(A, B, distance=0), True),
        ("b a", near(A, B, distance=0, ordered=True), False),
        ("a c b", near(A, B, distance=0), False),
        ("a c b", near(A, B, distance=1), True),
        ("a", near(A, A, distance=9), False),
        ("a a", near(A, A, distance=0), True),
        ("a b", near(t("a b"), B, distance=9), False),
        ("a b b", near(t("a b"), B, distance=0), True),
        # Pair after pair: the distance counts anew for each part.
        ("a d b d c", near(A, B, C, distance=1), True),
        ("a d b d c", near(A, B, C, distance=1, whole=True), False),
        ("a d b d c", near(A, B, C, distance=2, whole=True), True),
        ("c b a", near(A, B, C, distance=0, whole=True), True),
        ("c b a", near(A, B, C, distance=0, whole=True, ordered=True), False),
        # The first pair may reach further to the right than its closest one.
        ("a b d b c", near(near(A, B, distance=2), C, distance=0), True),
        ("a b d b c", near(near(A, B, distance=1), C, distance=0), False),
        # One place can't serve two parts.
        ("a b", near(A, B, A, distance=9, whole=True), False),
        ("a b a", near(A, B, A, distance=0, whole=True), True),
        ("a", near(A, B, distance=10**15), False),
    ],
)
def test_near(title: str, asked: Near, expected: bool) -> None:
    assert rows_of(asked, [{"title": [title]}]) == ([0] if expected else [])


def test_nothing_is_near_across_fields_keywords_or_publications() -> None:
    apart = [{"title": ["a"], "abstract": ["b"], "keywords": ["a", "b"]}, {"title": ["b"], "keywords": ["c", "", "b"]}]
    assert rows_of(near(A, B, distance=10**9), apart) == []
    assert rows_of(near(A, B, distance=10**9), [*apart, {"keywords": ["c", "b d a"]}]) == [2]
    postings = Postings.of(texts_of(apart))
    a, b = (np.array([postings.texts.number_of[w]], dtype=np.int32) for w in "ab")
    assert postings.side_by_side([a, b]).tolist() == []
    assert postings.side_by_side([None, b]).tolist() == []


def test_what_can_not_be_tested_is_left_out_of_an_or_and_stops_a_near() -> None:
    corpus = [{"title": ["a b"]}]
    author = Term(("a",), fields=("author",))
    assert rows_of(near(Group("OR", (A, author)), B, distance=0), corpus) == [0]
    for part in (author, Group("OR", (author, author)), Group("AND", (A, B)), Not(A), Heading("a"), Term(("-",))):
        assert rows_of(near(part, B, distance=0), corpus) is None
    assert rows_of(near(*[A] * (MOST_IN_WHOLE + 1), distance=0, whole=True), corpus) is None
    assert rows_of(near(*[A] * (MOST_IN_WHOLE + 1), distance=0), corpus) == []


def test_small_batches_and_pairs_written_out_in_parts_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus: list[Fields] = [
        {"title": ["a b " * (i % 5)], "abstract": ["c a d b " * (i % 3)], "keywords": ["a c", "b"] * (i % 2)}
        for i in range(40)
    ]
    asked = [near(near(A, B, distance=3), C, near(A, D, distance=9, whole=True), distance=5), near(A, B, distance=1)]
    before = [rows_of(one, corpus) for one in asked]
    assert all(rows and len(rows) < 40 for rows in before)
    monkeypatch.setattr(match, "MOST_AT_ONCE", 7)
    monkeypatch.setattr(match, "MOST_PAIRS", 3)
    assert [rows_of(one, corpus) for one in asked] == before


def test_any_word_near_any_word_over_a_long_text_does_not_grow_out_of_memory() -> None:
    anything = Term((ANY_ENDING,))
    corpus: list[Fields] = [{"title": [" ".join("abcd"[i % 4] for i in range(1500))]}]
    assert rows_of(near(anything, anything, distance=10**6), corpus) == [0]
    assert rows_of(near(near(anything, anything, distance=100), anything, distance=10**6), corpus) == [0]


def test_spans_together_are_each_there_once() -> None:
    one = Spans(np.array([3, 1]), np.array([4, 2]))
    both = together([one, Spans.none(), Spans(np.array([1, 1]), np.array([3, 2]))])
    assert list(zip(both.starts.tolist(), both.ends.tolist(), strict=True)) == [(1, 2), (1, 3), (3, 4)]
