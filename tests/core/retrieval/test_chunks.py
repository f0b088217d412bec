"""Chunks: overlapping, deterministic, nothing left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.multi_vector import OVERLAP, SIZE, chunks, n_chunks

TEXTS = st.lists(st.sampled_from(["a", "bb", "c-c", "ménière", "\n", "  ", "\t", "\u2003"]), max_size=60).map(" ".join)


@given(text=TEXTS, size=st.integers(1, 12), data=st.data())
def test_every_word_is_covered_in_order(text: str, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    found = [chunk.split() for chunk in chunks("", text, size=size, overlap=overlap)]
    whole = text.split()
    assert len(found) == (n_chunks(len(whole), size=size, overlap=overlap) if whole else 0)
    step, rebuilt = size - overlap, []
    for number, chunk in enumerate(found):
        assert chunk == whole[number * step : number * step + size]
        rebuilt += chunk if number == 0 else chunk[overlap:]
    assert rebuilt == whole
    assert all(len(chunk) > overlap for chunk in found[1:]), "a chunk brings words that none before has"


def test_the_title_goes_with_each_chunk_and_may_be_all_there_is() -> None:
    words = [f"w{i}" for i in range(3 * SIZE)]
    found = chunks(" Heat ", " ".join(words))
    assert len(found) == n_chunks(3 * SIZE) == 4
    assert all(chunk.startswith("Heat\nw") for chunk in found)
    assert found[1].split()[1] == f"w{SIZE - OVERLAP}"
    assert found[-1].endswith(words[-1])
    assert chunks("Heat", " \n ") == ("Heat",)
    assert chunks(" ", "\t") == ()


def test_white_space_inside_stays() -> None:
    assert chunks("", "one\ntwo   three ") == ("one\ntwo   three",)


@pytest.mark.parametrize("n", [10**5])
def test_a_long_text_takes_as_long_as_it_is(n: int) -> None:
    assert len(chunks("Title", "word " * n)) == n_chunks(n)
