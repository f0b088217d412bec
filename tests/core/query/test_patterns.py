"""Words with wildcards against regular expressions, and against a vocabulary."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.query.match import CorpusTexts, StemLexicon, matches, numbers_of
from core.query.tree import ANY_ENDING, Gap, Pieces, Word

ANY = Gap(0, None)
ONE = Gap(1, 1)
gaps = st.builds(
    lambda least, more: Gap(least, None if more is None else least + more),
    st.integers(0, 3),
    st.none() | st.integers(0, 3),
)
patterns = st.lists(st.text("ab", min_size=1, max_size=3) | gaps, min_size=1, max_size=6).map(tuple)
short_words = st.text("abc", min_size=1, max_size=8)


def as_expression(pieces: Pieces) -> str:
    """The same as a regular expression."""
    return "".join(
        re.escape(p) if isinstance(p, str) else f".{{{p.least},{'' if p.most is None else p.most}}}" for p in pieces
    )


def texts_of(vocabulary: list[str], stems: list[int] | None = None) -> CorpusTexts:
    ordered = tuple(sorted(set(vocabulary)))
    return CorpusTexts(
        vocabulary=ordered,
        stems=np.array(range(len(ordered)) if stems is None else stems, dtype=np.int32),
        tokens=np.zeros(0, dtype=np.int32),
        starts=np.zeros(1, dtype=np.int64),
        fields=("title",),
    )


def found(pieces: Pieces, texts: CorpusTexts) -> list[str] | None:
    numbers = numbers_of(Word(pieces), texts)
    return None if numbers is None else [texts.vocabulary[i] for i in numbers]


@given(patterns, short_words)
def test_a_pattern_fits_what_its_regular_expression_fits(pieces: Pieces, word: str) -> None:
    assert matches(pieces, word) == (re.fullmatch(as_expression(pieces), word) is not None)


@given(patterns, st.lists(short_words, max_size=20))
def test_a_word_stands_for_every_word_that_fits_and_no_other(pieces: Pieces, vocabulary: list[str]) -> None:
    texts = texts_of(vocabulary)
    if not any(isinstance(piece, str) for piece in pieces):
        assert found(pieces, texts) is None
    else:
        assert found(pieces, texts) == [w for w in texts.vocabulary if re.fullmatch(as_expression(pieces), w)]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (("heat",), ["heat"]),
        (("heats",), []),
        (("heat", ANY_ENDING), ["heat", "heater", "heat\U0001d400"]),
        (("wom", ONE, "n"), ["woman", "women"]),
        (("colo", Gap(0, 1), "r"), ["color", "colour"]),
        ((ANY, "ology"), ["ecology", "ology"]),
        ((ANY, "eat", ANY), ["heat", "heater", "heat\U0001d400"]),
        (("h", Gap(1, 2), "t"), ["heat", "hot"]),
        (("β", ANY), ["β", "βeta"]),
        (("heat", Gap(5, 2)), []),
        (("heat", Gap(10**12, None)), []),
        (("heat", Gap(0, 10**12)), ["heat", "heater", "heat\U0001d400"]),
    ],
)
def test_wildcards(pieces: Pieces, expected: list[str]) -> None:
    words = ["heat", "heater", "woman", "women", "color", "colour", "ecology", "ology", "β", "βeta", "heat𝐀", "hot"]
    assert sorted(found(pieces, texts_of(words)) or []) == sorted(expected)


def test_many_wildcards_against_long_words_take_one_pass() -> None:
    """Trying out where each * ends would take longer than the universe is old."""
    pieces = (*(ANY, "a") * 40, ANY, "b")
    words = ["a" * 3000, "a" * 3000 + "b", "ab" * 1500]
    assert found(pieces, texts_of(words)) == ["a" * 3000 + "b", "ab" * 1500]
    assert not matches((*(Gap(0, 50), "a") * 40, "b"), "a" * 3000)


def test_a_plain_word_stands_for_all_words_with_its_stem_and_a_wildcard_for_what_is_written() -> None:
    texts = texts_of(["heat", "heated", "heats", "tree"], stems=[0, 0, 0, 1])
    lexicon = StemLexicon(texts, lambda word: 0 if word.startswith("heat") else -1)

    def stand_for(word: Word, stemmed: bool) -> list[str]:
        return [texts.vocabulary[i] for i in lexicon.numbers(word, stemmed=stemmed)]

    assert stand_for(Word(("heating",)), True) == ["heat", "heated", "heats"]
    assert stand_for(Word(("heating",)), False) == []
    assert stand_for(Word(("heat", ONE)), True) == ["heats"]
    assert stand_for(Word(("winter",)), True) == []
