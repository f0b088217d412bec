"""Digests: a flipped byte is found before its block is used, and a damaged digest does not hide sound vectors."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from core.errors import CorruptStoreError
from core.types import EmbeddedSet
from core.vectors import embedded_set
from data import digests
from data.digests import check_bytes, check_rows, damaged_blocks, digests_of, read_digests, record_digests
from data.store import Store
from data.vectors import VectorCatalogue
from tests.data.workspaces import ids_of, toy_vectors
from tests.messages import refusal


def flip(path: Path, at: int, bit: int = 4) -> None:
    """Change one bit of a file in place."""
    content = bytearray(path.read_bytes())
    content[at] ^= 1 << bit
    path.write_bytes(content)


def toy(n: int) -> EmbeddedSet:
    ids = ids_of(0, n)
    return embedded_set(ids, toy_vectors(ids, width=6), "toy")[0]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of three and a half blocks with digests."""
    monkeypatch.setattr(digests, "BLOCK", 64)
    path = tmp_path / "numbers.bin"
    path.write_bytes(random.Random(1).randbytes(64 * 3 + 32))
    record_digests(path)
    return path


def test_only_blocks_that_are_used_are_compared(file: Path) -> None:
    flip(file, 130)
    check_bytes(file, 0, 128)
    check_bytes(file, 192)
    for start, stop in ((128, 129), (191, 192), (0, None)):
        with pytest.raises(CorruptStoreError, match="128 and 192"):
            check_bytes(file, start, stop)
    check_rows(file, 0, 8, [0, 5, 26])
    with pytest.raises(CorruptStoreError):
        check_rows(file, 0, 8, [0, 16, 26])
    with pytest.raises(CorruptStoreError):
        check_rows(file, 4, 8, [15])  # begins in one block and ends in the next
    assert damaged_blocks(file) == (2,)


def test_every_flip_in_a_file_is_found(file: Path) -> None:
    content = file.read_bytes()
    for at in range(len(content)):
        flip(file, at, at % 8)
        with pytest.raises(CorruptStoreError):
            check_bytes(file)
        file.write_bytes(content)
    check_bytes(file)


def test_a_flip_in_the_digests_does_not_make_a_sound_file_unreadable(file: Path) -> None:
    beside = digests_of(file)
    content = beside.read_bytes()
    for at in range(len(content)):
        flip(beside, at, at % 7)
        check_bytes(file)
        assert damaged_blocks(file) in (None, ())
        beside.write_bytes(content)
    assert read_digests(file) is not None


def test_a_file_without_digests_is_readable(file: Path) -> None:
    digests_of(file).unlink()
    flip(file, 3)
    check_bytes(file)
    assert damaged_blocks(file) is None


def test_damaged_vectors_are_never_used_and_can_be_embedded_again(store: Store, tmp_path: Path) -> None:
    catalogue, embedded = VectorCatalogue(store, tmp_path / "vectors"), toy(100)
    embedding = catalogue.add("toy", None, embedded, (), dict.fromkeys(embedded.ids, "text"))
    (path,) = (tmp_path / "vectors").rglob("*.npy")
    assert digests_of(path).is_file()
    flip(path, path.stat().st_size - 5)
    for wanted in (embedded.ids, embedded.ids[::-1], embedded.ids[::7]):
        with refusal(CorruptStoreError) as caught:
            catalogue.load(embedding, wanted)
        assert str(path) in str(caught.value)
    assert catalogue.made_from(embedding.embedding_id) == {}
    again = catalogue.add("toy", None, embedded, ())
    assert np.array_equal(catalogue.load(again, embedded.ids).vectors, embedded.vectors)
    assert not path.exists()
    assert not digests_of(path).exists()
