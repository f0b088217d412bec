"""Laws over all readers: a sentence or a result, whatever the bytes are; time and memory grow with the file."""

from __future__ import annotations

import gc
import time
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import QueryscapeError
from tests.data.mutated import mutations, problem_of
from tests.data.readers import READERS, FileReader

EVERY = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
N_FAST, N_SLOW = 3, 25
REPEATED = (" \n", '"', "(", "{[", "<a>", "a\n", "a.", "ER  - \n")
"""Signs that a file may consist of."""
IN_PARTS = frozenset({"xlsx", "parquet", "stark", "pickle", "tensor", "vectors", "points", "bundle", "word document"})
N_SIGNS = 4_000
NOTICED = 0.05
"""CPU seconds below which growth can't be measured."""
MOST_GROWTH = 9.0
"""Largest growth of the time for a file four times as long; a square would be 16."""
MOST_MEMORY, FREE_MEMORY = 20, 16_000_000
TRIES = 3


@EVERY
def test_a_sample_is_read(reader: FileReader, tmp_path: Path) -> None:
    reader.read(reader.sample(3), tmp_path)


@EVERY
def test_a_changed_file_is_read_or_refused_with_a_sentence(reader: FileReader) -> None:
    for data in mutations(reader, N_FAST, seed=0):
        assert problem_of(reader, data) is None, data


@given(st.sampled_from(READERS), st.integers(0, 60), st.binary(max_size=300))
@settings(max_examples=250)
def test_any_bytes_are_read_or_refused_with_a_sentence(reader: FileReader, n_kept: int, more: bytes) -> None:
    assert problem_of(reader, reader.sample(1)[:n_kept] + more) is None


@pytest.mark.slow
@EVERY
def test_many_changed_files_are_read_or_refused_with_a_sentence(reader: FileReader) -> None:
    for data in mutations(reader, N_SLOW, seed=1):
        assert problem_of(reader, data) is None, data


@pytest.mark.slow
@EVERY
def test_time_grows_with_the_number_of_records(reader: FileReader, tmp_path: Path) -> None:
    assert _growth(reader, reader.sample(reader.unit), reader.sample(reader.unit * 4), tmp_path) < MOST_GROWTH


@pytest.mark.slow
@pytest.mark.parametrize("reader", [r for r in READERS if r.name not in IN_PARTS], ids=lambda reader: reader.name)
def test_time_grows_with_repeated_signs(reader: FileReader, tmp_path: Path) -> None:
    head = reader.sample(2)
    place = len(head) * 2 // 3
    for signs in REPEATED:
        short, long = (head[:place] + signs.encode() * (n // len(signs)) + head[place:] for n in (N_SIGNS, 4 * N_SIGNS))
        assert _growth(reader, short, long, tmp_path) < MOST_GROWTH, signs


@pytest.mark.slow
@EVERY
def test_memory_is_a_multiple_of_the_file(reader: FileReader, tmp_path: Path) -> None:
    data = reader.sample(reader.unit * 3)
    gc.collect()
    tracemalloc.start()
    try:
        reader.read(data, tmp_path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MOST_MEMORY * len(data) + FREE_MEMORY


def _seconds(reader: FileReader, data: bytes, folder: Path) -> float:
    """CPU seconds, whatever else the machine does."""
    begun = time.process_time()
    with suppress(QueryscapeError):
        reader.read(data, folder)
    return time.process_time() - begun


def _growth(reader: FileReader, short: bytes, long: bytes, folder: Path) -> float:
    """How many times longer the long file takes; the smallest of a few tries."""
    growth = 0.0
    for _ in range(TRIES):
        after = _seconds(reader, long, folder)
        if after < NOTICED * 4:
            return 0.0
        growth = after / max(_seconds(reader, short, folder), NOTICED / 4)
        if growth < MOST_GROWTH:
            return growth
    return growth
