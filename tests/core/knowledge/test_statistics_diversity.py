"""Entropy and type-token ratio: worked by hand, and laws that hold for any wording."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.knowledge.statistics import Wording, entropy, in_bits, type_token_ratio

WORDS = st.sampled_from(["tea", "cup", "leaf", "kettle", "the", "of"])
TEXTS = st.lists(st.lists(WORDS, max_size=8).map(" ".join), max_size=12)
SOME = TEXTS.filter(lambda texts: any(texts))
COUNTS = st.lists(st.integers(1, 50), min_size=1, max_size=30)


def test_entropy_by_hand() -> None:
    # "the tea of the cup": the 2, tea 1, of 1, cup 1; N = 5, V = 4.
    # H = -(2/5 ln 2/5 + 3 · 1/5 ln 1/5) = 0.4 · 0.916291 + 0.6 · 1.609438 = 0.366516 + 0.965663 = 1.332179
    # In bits: 0.4 · log2 2.5 + 0.6 · log2 5 = 0.4 · 1.321928 + 0.6 · 2.321928 = 1.921928
    wording = Wording.of(["The tea of", "the cup"])
    assert (wording.n_words, wording.n_types) == (5, 4)
    assert entropy(wording.counts) == pytest.approx(1.332179, abs=1e-6)
    assert in_bits(entropy(wording.counts)) == pytest.approx(1.921928, abs=1e-6)
    assert type_token_ratio(wording.n_types, wording.n_words) == 0.8  # 4 / 5


def test_where_there_is_no_word_nothing_is_defined() -> None:
    empty = Wording.of(["", "?!"])
    assert (entropy(empty.counts), in_bits(None), type_token_ratio(0, 0)) == (None, None, None)
    assert (empty.n_words, empty.n_types, empty.lengths.tolist()) == (0, 0, [0, 0])
    assert Wording.of([]).lengths.tolist() == []


def test_one_word_is_no_surprise() -> None:
    one = Wording.of(["tea"])
    assert (entropy(one.counts), type_token_ratio(one.n_types, one.n_words)) == (0.0, 1.0)
    assert math.copysign(1, entropy([7]) or 0.0) == 1  # not minus 0


@given(COUNTS)
def test_entropy_is_the_mean_surprise_at_a_word(counts: list[int]) -> None:
    shares = [count / sum(counts) for count in counts]
    plain = sum(-share * math.log(share) for share in shares)
    assert entropy(counts) == pytest.approx(plain, abs=1e-12)
    assert in_bits(entropy(counts)) == pytest.approx(plain / math.log(2), abs=1e-12)


@given(TEXTS)
def test_counts_are_those_of_a_plain_count(texts: list[str]) -> None:
    counted, wording = Counter(word for text in texts for word in text.split()), Wording.of(texts)
    n_types, n_words = len(counted), counted.total()
    assert sorted(wording.counts.tolist()) == sorted(counted.values())
    assert wording.lengths.tolist() == [len(text.split()) for text in texts]
    assert (wording.n_types, wording.n_words) == (n_types, n_words)
    assert type_token_ratio(n_types, n_words) == (n_types / n_words if n_words else None)


@given(SOME, st.integers(0, 5))
def test_at_its_own_length_nothing_changes(texts: list[str], seed: int) -> None:
    wording = Wording.of(texts)
    whole = wording.at_length(wording.n_words, seed=seed)
    assert whole.ratio == type_token_ratio(wording.n_types, wording.n_words)
    assert whole.entropy == pytest.approx(entropy(wording.counts))
    assert wording.at_length(1, seed=seed).ratio == 1.0
    assert wording.at_length(1, seed=seed).entropy == 0.0


@given(SOME, st.data())
def test_a_cut_text_knows_no_more_words(texts: list[str], data: st.DataObject) -> None:
    wording = Wording.of(texts)
    n = data.draw(st.integers(1, wording.n_words))
    cut = wording.at_length(n, seed=1)
    assert 1 / n <= cut.ratio <= 1
    assert cut.ratio * n <= wording.n_types + 1e-9
    assert 0 <= cut.entropy <= math.log(n) + 1e-12
    assert cut == wording.at_length(n, seed=1)


def test_a_common_length_takes_away_what_size_does() -> None:
    """Twenty words drawn evenly: of 2,000 nearly all are repeats, though they are worded as the 100 are."""
    random = np.random.default_rng(3)

    def drawn(n: int) -> Wording:
        return Wording.of(" ".join(f"w{k}" for k in random.integers(0, 20, 5)) for _ in range(n // 5))

    short, long = drawn(100), drawn(2_000)
    whole = [type_token_ratio(each.n_types, each.n_words) or 0 for each in (short, long)]
    assert whole[0] > 10 * whole[1]
    assert long.at_length(100, seed=0).ratio == pytest.approx(whole[0], abs=0.03)


def test_more_words_than_there_are_is_a_mistake() -> None:
    for n in (0, 2):
        with pytest.raises(ValueError, match="of 1 words"):
            Wording.of(["tea"]).at_length(n, seed=0)
