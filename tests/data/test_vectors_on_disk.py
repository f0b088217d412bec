"""Vectors on disk: bit-equal, mapped where that is possible, and never half-listed."""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np
import pytest

from core.errors import CorruptStoreError, InputError
from core.types import EmbeddedSet
from core.vectors import embedded_set
from data.store import Store
from data.vectors import Embedding, VectorCatalogue, embedding_id_for
from tests.data.workspaces import ids_of, toy_vectors
from tests.messages import refusal


@pytest.fixture
def catalogue(store: Store, tmp_path: Path) -> VectorCatalogue:
    return VectorCatalogue(store, tmp_path / "vectors")


def toy(start: int, stop: int, *, seed: int = 0, width: int = 6) -> EmbeddedSet:
    ids = ids_of(start, stop)
    return embedded_set(ids, toy_vectors(ids, seed=seed, width=width), "toy")[0]


def npy_files(folder: Path) -> list[Path]:
    return sorted(p for p in (folder / "vectors").rglob("*.npy*") if p.suffix != ".digests")


def is_mapped(array: np.ndarray | None) -> bool:
    base: object = array
    while isinstance(base, np.ndarray):
        base = base.base
    return isinstance(base, mmap.mmap)


def test_vectors_come_back_bit_equal_in_the_order_asked(catalogue: VectorCatalogue) -> None:
    embedded = toy(0, 50)
    embedding = catalogue.add("toy", None, embedded, ("u1", "u2"))
    assert catalogue.find("toy", "any topic") == embedding
    wanted = ["p49", "u1", "not there", "p0", "p7", "p6"]
    loaded = catalogue.load(embedding, wanted)
    assert (loaded.ids, loaded.model_id) == (("p49", "p0", "p7", "p6"), "toy")
    assert loaded.vectors.tobytes() == embedded.take(loaded.ids).vectors.tobytes()
    assert len(catalogue.load(embedding, ["not there", "u2"])) == 0
    assert catalogue.load(embedding, []).vectors.shape == (0, 6)


def test_an_unbroken_run_is_mapped_and_anything_else_is_read(catalogue: VectorCatalogue) -> None:
    embedded = toy(0, 300)
    embedding = catalogue.add("toy", None, embedded, ())
    for wanted, mapped in [
        (ids_of(0, 300), True),
        (ids_of(17, 200), True),
        (ids_of(5, 6), True),
        (ids_of(0, 300)[::-1], False),
        (ids_of(0, 300)[::2], False),
        (ids_of(0, 300)[::50], False),
        (ids_of(290, 300) + ids_of(0, 3) + ids_of(100, 102), False),
    ]:
        loaded = catalogue.load(embedding, wanted)
        assert loaded.ids == wanted
        assert is_mapped(loaded.vectors) is mapped
        assert loaded.vectors.tobytes() == embedded.take(wanted).vectors.tobytes()


def test_rows_over_many_gaps_and_blocks(catalogue: VectorCatalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.vectors.READ_ROWS", 8)
    embedded = toy(0, 1000)
    embedding = catalogue.add("toy", None, embedded, ())
    rng = np.random.default_rng(0)
    for n in (1, 5, 40, 500, 1000):
        wanted = [f"p{i}" for i in rng.permutation(1000)[:n]]
        assert catalogue.load(embedding, wanted).vectors.tobytes() == embedded.take(wanted).vectors.tobytes()


def test_two_files_of_one_embedding_and_replaced_rows(catalogue: VectorCatalogue, tmp_path: Path) -> None:
    first, second, third = toy(0, 20), toy(10, 30, seed=1), toy(0, 10, seed=2)
    one = catalogue.add("toy", None, first, ("u1",))
    two = catalogue.add("toy", None, second, ())
    assert (two.embedding_id, two.revision) == (one.embedding_id, one.revision + 1)
    assert two.fingerprint != one.fingerprint
    assert len(npy_files(tmp_path)) == 2
    wanted = ids_of(5, 30)[::-1]
    expected = np.vstack([second.vectors[::-1], first.vectors[5:10][::-1]])
    assert catalogue.load(two, wanted).vectors.tobytes() == expected.tobytes()
    # p15 and p16 turn out unscorable, u1 not; nothing of the first file is left, so it goes
    three = catalogue.add("toy", None, third, ("p15", "p16"))
    assert len(npy_files(tmp_path)) == 2
    loaded = catalogue.load(three, ids_of(0, 30))
    assert loaded.ids == ids_of(0, 15) + ids_of(17, 30)
    assert loaded.vectors[:10].tobytes() == third.vectors.tobytes()


def test_two_widths_under_one_name_are_refused_with_both(catalogue: VectorCatalogue, tmp_path: Path) -> None:
    embedding = catalogue.add("toy", None, toy(0, 5), ())
    with refusal(InputError):
        catalogue.add("toy", None, toy(5, 9, width=9), ())
    assert catalogue.find("toy", "t") == embedding
    assert len(npy_files(tmp_path)) == 1


def test_a_model_fitted_anew_with_another_width_drops_what_it_gave_before(catalogue: VectorCatalogue) -> None:
    catalogue.add("lsa", "t", toy(0, 9), ("u1",), {"u1": "x"})
    wider = toy(0, 5, width=9)
    embedding = catalogue.add("lsa", "t", wider, (), {"p0": "y"})
    assert (embedding.n_dimensions, embedding.revision) == (9, 2)
    assert catalogue.load(embedding, ids_of(0, 9)).vectors.tobytes() == wider.vectors.tobytes()
    assert catalogue.made_from(embedding.embedding_id) == {"p0": "y"}


def test_one_name_for_any_topic_and_for_one(catalogue: VectorCatalogue) -> None:
    everywhere = catalogue.add("toy", None, toy(0, 5), ())
    of_topic = catalogue.add("toy", "t", toy(0, 5, seed=1), ())
    catalogue.add("lsa", "t", toy(0, 5), ())
    assert everywhere.embedding_id != of_topic.embedding_id
    assert (catalogue.find("toy", "t"), catalogue.find("toy", "u")) == (of_topic, everywhere)
    assert (catalogue.find("lsa", "u"), catalogue.find("other", "t")) == (None, None)


def test_a_kill_between_writing_and_listing_leaves_nothing_listed(
    catalogue: VectorCatalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(catalogue, "_list", killed)
        with pytest.raises(KeyboardInterrupt):
            catalogue.add("toy", None, toy(0, 5), ())
    assert catalogue.find("toy", "t") is None
    (stray,) = npy_files(tmp_path)
    half = stray.with_name("half.npy.0123.part")
    half.write_bytes(b"\x93NUMPY")
    embedding = catalogue.add("toy", None, toy(0, 5), ())
    (listed,) = npy_files(tmp_path)
    assert listed not in (stray, half)
    assert len(catalogue.load(embedding, ids_of(0, 5))) == 5


def test_files_of_another_embedding_are_not_swept_away(catalogue: VectorCatalogue) -> None:
    first = catalogue.add("toy", None, toy(0, 5), ())
    catalogue.add("toy-2", None, toy(0, 5, seed=1), ())
    catalogue.add("toy-2", None, toy(0, 5, seed=2), ())
    assert catalogue.load(first, ids_of(0, 5)).vectors.tobytes() == toy(0, 5).vectors.tobytes()


@pytest.mark.parametrize("damage", ["cut", "empty", "missing", "other", "wide", "folder"])
@pytest.mark.parametrize("step", [1, 2])
def test_a_damaged_file_says_what_to_do(catalogue: VectorCatalogue, tmp_path: Path, damage: str, step: int) -> None:
    embedding = catalogue.add("toy", None, toy(0, 50), (), dict.fromkeys(ids_of(0, 50), "text"))
    assert len(catalogue.made_from(embedding.embedding_id)) == 50
    (path,) = npy_files(tmp_path)
    content = path.read_bytes()
    path.unlink()
    if damage == "wide":
        np.save(path, np.ones((50, 7), dtype=np.float32))
    elif damage == "folder":
        path.mkdir()
    elif damage != "missing":
        path.write_bytes({"cut": content[:-10], "empty": b"", "other": b"PK\x03\x04" * 500}[damage])
    with refusal(CorruptStoreError) as caught:
        catalogue.load(embedding, ids_of(0, 50)[::step])
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert catalogue.made_from(embedding.embedding_id) == {}
    again = catalogue.add("toy", None, toy(0, 50), ())
    assert catalogue.load(again, ids_of(0, 50)).vectors.tobytes() == toy(0, 50).vectors.tobytes()


HOSTILE = ["../../x", "a/b", "a\\b", "", "...", "/etc/passwd", "CON", "n" * 5000, "modèle ☕", "a\nb", "-rf", "a:b"]


def test_hostile_names_make_folders_that_stay_inside(catalogue: VectorCatalogue, tmp_path: Path) -> None:
    for name in HOSTILE:
        embedding = catalogue.add(name, None, toy(0, 3), ())
        assert isinstance(embedding, Embedding)
        assert (embedding.embedder, len(catalogue.load(embedding, ids_of(0, 3)))) == (name, 3)
    folders = {path.name for path in (tmp_path / "vectors").iterdir()}
    assert folders == {embedding_id_for(name, None) for name in HOSTILE}
    assert len(folders) == len(HOSTILE)
    assert all(len(folder) < 80 and folder.isascii() for folder in folders)
    assert {path.name for path in tmp_path.iterdir()} <= {"vectors", "queryscape.duckdb", "queryscape.duckdb.wal"}


def test_a_name_differs_by_topic_and_by_what_is_not_plain() -> None:
    names = [("a", None), ("a", "t"), ("a", "u"), ("a/", None), ("a_", None)]
    assert len({embedding_id_for(embedder, topic) for embedder, topic in names}) == len(names)
