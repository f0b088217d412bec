"""Vectors from a file: what is taken, and what is refused in one line."""

from __future__ import annotations

import os
import random
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import FileError, FormatError, InputError
from data.explore.workspace import Workspace
from data.vectors import load_vectors
from tests.data.workspaces import MODEL, TOPIC, fill, ids_of, publications, toy_vectors, write_npz
from tests.messages import refusal


class Trap:
    """Leaves a mark if it is ever unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.mark),)


def refused(path: Path, match: str, error: type[FileError] = FormatError) -> None:
    with pytest.raises(error, match=match) as caught:
        load_vectors(path, "m")
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", ">f8", "int8", "uint16", "int64"])
def test_any_kind_of_number_is_taken(tmp_path: Path, kind: str) -> None:
    brought = load_vectors(write_npz(tmp_path / "v.npz", ["a", "b"], np.array([[3, 4], [0, 2]], dtype=kind)), "m")
    assert (brought.embedded.ids, brought.embedded.model_id) == (("a", "b"), "m")
    assert brought.embedded.vectors.dtype == np.float32
    np.testing.assert_allclose(brought.embedded.vectors, [[0.6, 0.8], [0, 1]], atol=1e-7)
    assert (brought.unscorable_ids, brought.n_repeated) == ((), 0)


def test_ids_may_be_bytes_and_anything_in_text(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "v.npz", ids=np.array(["ä".encode(), b"b"]), vectors=np.eye(2), more=np.ones(3))
    assert load_vectors(tmp_path / "v.npz", "m").embedded.ids == ("ä", "b")
    hostile = ["'; DROP TABLE x", "☕", "two\nlines", ""]
    path = write_npz(tmp_path / "w.npz", hostile, np.eye(4))
    assert load_vectors(path, "m").embedded.ids == tuple(hostile)


def test_rows_without_direction_and_repeated_ids_are_counted(tmp_path: Path) -> None:
    rows = [[1, 0], [np.nan, 1], [0, 0], [0, 1], [np.inf, 0], [-np.inf, np.nan]]
    brought = load_vectors(write_npz(tmp_path / "v.npz", ["a", "b", "c", "a", "d", "b"], rows), "m")
    assert brought.embedded.ids == ("a",)
    assert brought.embedded.vectors.tolist() == [[1, 0]]
    assert brought.unscorable_ids == ("b", "c", "d")
    assert brought.n_repeated == 2


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    refused(tmp_path / "none.npz", "no file .*np.savez", FileError)
    refused(tmp_path, "no file", FileError)


IDS, ROWS = np.array(["a", "b"]), np.eye(2)


@pytest.mark.parametrize(
    ("arrays", "match"),
    [
        ({"ids": IDS}, "holds ids; it needs"),
        ({"vectors": ROWS, "id": IDS}, "holds id, vectors; it needs"),
        ({}, "holds nothing; it needs"),
        ({"ids": np.array([1, 2]), "vectors": ROWS}, r"ids must .* got int64 \(2,\)"),
        ({"ids": IDS[:, None], "vectors": ROWS}, r"ids must .* got <U1 \(2, 1\)"),
        ({"ids": np.array("a"), "vectors": ROWS}, r"ids must .* got <U1 \(\)"),
        ({"ids": np.array([b"\xff", b"b"]), "vectors": ROWS}, "can't be read"),
        ({"ids": IDS, "vectors": np.ones(2)}, r"vectors must .* got float64 \(2,\)"),
        ({"ids": IDS, "vectors": np.ones((2, 2, 2))}, r"vectors must .* got float64 \(2, 2, 2\)"),
        ({"ids": IDS, "vectors": np.array([["1", "2"]] * 2)}, "vectors must .* got <U1"),
        ({"ids": IDS, "vectors": ROWS.astype(complex)}, "vectors must .* got complex128"),
        ({"ids": IDS, "vectors": ROWS > 0}, "vectors must .* got bool"),
        ({"ids": IDS, "vectors": np.eye(3)}, "2 ids but 3 vectors"),
    ],
)
def test_arrays_that_do_not_fit(tmp_path: Path, arrays: dict[str, Any], match: str) -> None:
    np.savez(tmp_path / "v.npz", **arrays)
    refused(tmp_path / "v.npz", match)


@pytest.mark.parametrize("content", [b"", b"id,vector\na,1\n", b"PK\x03\x04", b"\x93NUMPY", bytes(1000)])
def test_a_file_that_is_no_npz(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "v.npz").write_bytes(content)
    refused(tmp_path / "v.npz", "can't be read")


def test_a_lone_array_and_a_zip_of_texts(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", ROWS)
    refused(tmp_path / "v.npy", "can't be read")
    with zipfile.ZipFile(tmp_path / "z.npz", "w") as archive:
        archive.writestr("ids", "a")
        archive.writestr("vectors", "b")
    refused(tmp_path / "z.npz", "it needs ids")


@pytest.mark.parametrize("trapped", ["ids", "vectors"])
def test_objects_are_refused_and_never_unpickled(tmp_path: Path, trapped: str) -> None:
    mark = tmp_path / "unpickled"
    arrays: dict[str, Any] = {"ids": IDS, "vectors": ROWS}
    arrays[trapped] = np.array([Trap(mark), Trap(mark)], dtype=object)
    np.savez(tmp_path / "v.npz", **arrays)
    refused(tmp_path / "v.npz", "without objects")
    (tmp_path / "p.npz").write_bytes(b"\x80\x04K\x01.")
    refused(tmp_path / "p.npz", "can't be read")
    assert not mark.exists()


def test_damage_is_noticed_or_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "v.npz"
    np.savez_compressed(path, ids=np.array(ids_of(0, 30)), vectors=toy_vectors(ids_of(0, 30)))
    content, whole = path.read_bytes(), load_vectors(path, "m").embedded
    rng, refusals = random.Random(0), []
    for place in range(0, len(content), 3):
        path.write_bytes(content[:place] + bytes([content[place] ^ rng.randrange(1, 256)]) + content[place + 1 :])
        try:
            loaded = load_vectors(path, "m").embedded
        except FormatError as e:
            refusals.append(str(e))
        else:
            assert (loaded.ids, loaded.vectors.tobytes()) == (whole.ids, whole.vectors.tobytes())
    assert len(refusals) > 100
    assert not [refusal for refusal in refusals if "\n" in refusal]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    fill(tmp_path, models=(), landscape=False)
    return tmp_path


def test_vectors_of_nothing_here_are_refused(root: Path) -> None:
    with Workspace.open(root) as workspace:
        with refusal(InputError):
            workspace.add_vectors(write_npz(root / "v.npz", ["W123", "W4"], ROWS), "m")
        with refusal(InputError):
            workspace.add_vectors(write_npz(root / "v.npz", ["p1", "p2"], np.zeros((2, 2))), "m")
        assert workspace.catalogue.find("m", TOPIC) is None


def test_what_was_brought_is_reported(root: Path) -> None:
    ids = [*ids_of(0, 40), "p3", "W1", "W2", "p40"]
    rows = np.vstack([toy_vectors(ids_of(0, 40)), np.eye(6)[:3], np.zeros((1, 6))])
    with Workspace.open(root) as workspace:
        report = workspace.add_vectors(write_npz(root / "v.npz", ids, rows), MODEL)
        assert (report.embedder, report.topics, report.n_with_vectors) == (MODEL, (TOPIC,), 42)
        assert (report.n_unscorable, report.n_unmatched, report.n_repeated) == (1, 2, 1)
        few = workspace.add_vectors(write_npz(root / "w.npz", ids_of(0, 19), toy_vectors(ids_of(0, 19))), "few")
        assert few.topics == ()
        assert workspace.topics()[0].embedders == (MODEL,)


def test_publications_may_be_named_by_their_doi(root: Path) -> None:
    with Workspace.open(root) as workspace:
        some = [replace(p, doi=f"10.1234/Tea.{p.publication_id}") for p in publications(ids_of(0, 40))[:38]]
        workspace.store.save_publications([*some, replace(publications()[38], publication_id="10.1234/tea.p1")])
        names = [f"https://doi.org/10.1234/TEA.P{n}" for n in range(3)] + list(ids_of(2, 38))
        rows = toy_vectors(ids_of(0, 3) + ids_of(2, 38))
        report = workspace.add_vectors(write_npz(root / "v.npz", [*names, "10.1234/tea.p1"], [*rows, rows[9]]), MODEL)
        assert (report.n_with_vectors, report.n_unmatched, report.n_repeated) == (39, 0, 1)
        found = workspace.embedding(TOPIC, MODEL)
        loaded = workspace.catalogue.load(found, ["p0", "p1", "p2", "10.1234/tea.p1"])
        expected = rows[[0, 1, 2, 9]] / np.linalg.norm(rows[[0, 1, 2, 9]], axis=1, keepdims=True)
        np.testing.assert_allclose(loaded.vectors, expected, atol=1e-6)


@pytest.mark.parametrize(("model", "match"), [("lsa", '"lsa" is a built-in embedder'), (" ", "needs a name")])
def test_names_that_can_not_be_taken(root: Path, model: str, match: str) -> None:
    path = write_npz(root / "v.npz", ids_of(0, 40), toy_vectors(ids_of(0, 40)))
    with Workspace.open(root) as workspace, pytest.raises(InputError, match=match):
        workspace.add_vectors(path, model)
