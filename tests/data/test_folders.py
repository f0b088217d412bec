"""A folder is whole or not there, also where its place is taken."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.errors import StoreError
from data import files
from data.files import put_in_place, written_aside


def a_folder(path: Path, word: str) -> Path:
    path.mkdir()
    (path / "word").write_text(word)
    return path


@pytest.mark.parametrize(("is_usable", "word"), [(False, "new"), (True, "old")])
def test_only_one_that_can_not_be_used_gives_way(tmp_path: Path, is_usable: bool, word: str) -> None:
    there = a_folder(tmp_path / "there", "old")
    put_in_place(a_folder(tmp_path / "aside", "new"), there, lambda: is_usable)
    assert (there / "word").read_text() == word
    assert [path.name for path in tmp_path.iterdir() if path.name != "aside" or not is_usable] == ["there"]


def test_the_old_one_comes_back_where_the_new_one_can_not_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there, aside = a_folder(tmp_path / "there", "old"), a_folder(tmp_path / "aside", "new")
    rename = os.rename

    def refuse(source: Path, target: Path) -> None:
        if source == aside:
            raise PermissionError(13, "not here")
        rename(source, target)

    monkeypatch.setattr(files.os, "rename", refuse)
    with pytest.raises(PermissionError):
        put_in_place(aside, there, lambda: False)
    assert (there / "word").read_text() == "old"


def test_an_error_names_the_file_and_not_the_temporary_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *_: object) -> None:
        raise PermissionError(13, "not here", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(StoreError) as told, written_aside(tmp_path / "mesh.json"):
        pass
    assert str(tmp_path / "mesh.json") in str(told.value)
    assert ".part" not in str(told.value)


def test_a_mapped_file_is_replaced_where_that_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows, played: a mapped file can be renamed, but not replaced or deleted."""
    path, replace = tmp_path / "vectors.npy", os.replace
    path.write_bytes(b"old")
    mapped = {path.stat().st_ino}

    def refuse(source: Path, target: Path) -> None:
        if Path(target).exists() and Path(target).stat().st_ino in mapped:
            raise PermissionError(13, "user-mapped section open", str(target))
        replace(source, target)

    monkeypatch.setattr("data.files.os.replace", refuse)
    monkeypatch.setattr("data.files.PAUSES", ())
    with pytest.raises(StoreError), written_aside(path) as file:
        file.write(b"new")
    assert path.read_bytes() == b"old"
    monkeypatch.setattr("data.files.MAPPED_FILES_STAY", True)
    with written_aside(path) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]
