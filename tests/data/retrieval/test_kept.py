"""A folder that is made once: whole or not there, whoever is faster and whatever fails."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.errors import DiskFullError, StoreError
from data.files import ABOUT, CachedFolder, open_or_make
from data.parts import STALE


def writing(text: str) -> Any:
    def make(folder: Path) -> Mapping[str, Any]:
        (folder / "inner").mkdir()
        (folder / "inner" / "file").write_text(text)
        return {"n": len(text)}

    return make


def held(kept: CachedFolder) -> str:
    return (kept.folder / "inner" / "file").read_text()


def test_made_once_and_opened_with_what_was_said_of_it(tmp_path: Path) -> None:
    first = open_or_make(tmp_path / "x", "tea", writing("green"))
    second = open_or_make(tmp_path / "x", "tea", writing("black"))
    assert (held(second), second.facts, second.n_bytes) == ("green", {"n": 5}, 5)
    assert second.seconds == first.seconds > 0


def test_made_of_something_else_it_is_made_again(tmp_path: Path) -> None:
    open_or_make(tmp_path / "x", "tea", writing("green"))
    assert held(open_or_make(tmp_path / "x", "coffee", writing("black"))) == "black"
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize(
    "about", [b"", b"[]", b"null", b"{}", b'{"made_of": "tea", "files": 3}', b"\xff", b"[" * 99_999]
)
def test_with_a_broken_note_it_is_made_again(about: bytes, tmp_path: Path) -> None:
    open_or_make(tmp_path / "x", "tea", writing("green"))
    (tmp_path / "x" / ABOUT).write_bytes(about)
    assert held(open_or_make(tmp_path / "x", "tea", writing("black"))) == "black"


def test_whoever_is_faster_wins(tmp_path: Path) -> None:
    def slow(folder: Path) -> Mapping[str, Any]:
        open_or_make(tmp_path / "x", "tea", writing("fast"))
        return writing("slow")(folder)

    assert held(open_or_make(tmp_path / "x", "tea", slow)) == "fast"
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_link_in_its_place_is_taken_away_but_not_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "thesis").write_text("years of work")
    (tmp_path / "x").symlink_to(tmp_path / "theirs")
    assert held(open_or_make(tmp_path / "x", "tea", writing("green"))) == "green"
    assert (tmp_path / "theirs" / "thesis").read_text() == "years of work"


@pytest.mark.parametrize(
    ("failure", "becomes"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), DiskFullError),
        (PermissionError(errno.EACCES, "Permission denied"), StoreError),
        (ValueError("an index that is not to be written"), StoreError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
def test_what_fails_leaves_nothing(failure: BaseException, becomes: type[BaseException], tmp_path: Path) -> None:
    def make(folder: Path) -> Mapping[str, Any]:
        (folder / "half").write_text("half")
        raise failure

    with pytest.raises(becomes):
        open_or_make(tmp_path / "x", "tea", make)
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_taken_away_after_a_day(tmp_path: Path) -> None:
    for name, age in (("old.part", 2 * STALE), ("new.part", 0.0)):
        (tmp_path / name).mkdir()
        then = (tmp_path / name).stat().st_mtime - age
        os.utime(tmp_path / name, (then, then))
    open_or_make(tmp_path / "x", "tea", writing("green"))
    assert {path.name for path in tmp_path.iterdir()} == {"x", "new.part"}
