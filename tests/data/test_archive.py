"""A saved workspace: complete and consistent, and refused with one sentence if anybody changed a byte of it."""

from __future__ import annotations

import io
import json
import random
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import CorruptStoreError, FileError, FormatError, InputError
from data import archive
from data.archive import MANIFEST, load_workspace, save_workspace
from data.explore.workspace import Workspace
from data.upkeep import check_workspace
from tests.data.test_digests import flip
from tests.data.workspaces import MODEL, TOPIC, fill, same_fields


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved")
    fill(folder / "ws")
    with Workspace.open(folder / "ws") as workspace:
        workspace.evaluate(TOPIC, "review", embedder="lsa", regions=("cosine",))
        save_workspace(workspace, folder / "ws.zip")
    return folder / "ws.zip"


@pytest.mark.slow
def test_a_loaded_workspace_is_the_saved_one(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    load_workspace(saved, tmp_path / "new")
    assert check_workspace(tmp_path / "new").problems == ()
    with Workspace.open(tmp_path / "new") as new, Workspace.open(saved.parent / "ws") as old:
        for table in ("publications", "retrieved", "vector_rows", "projection_points", "remembered"):
            assert new.store.rows(f"FROM {table} ORDER BY ALL") == old.store.rows(f"FROM {table} ORDER BY ALL")
        for embedder in (MODEL, "lsa"):
            scores = [each.evaluate(TOPIC, "review", embedder=embedder) for each in (new, old)]
            same_fields(scores[0].regions["cosine"], scores[1].regions["cosine"])
    assert not list(tmp_path.rglob("*.part"))


def test_nothing_is_overwritten(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for load in (lambda: load_workspace(saved, tmp_path), lambda: load_workspace(saved, tmp_path / "mine.txt")):
        with pytest.raises(InputError):
            load()
    with Workspace.open(saved.parent / "ws") as workspace, pytest.raises(FileError):
        save_workspace(workspace, saved)
    for missing in (tmp_path / "no.zip", tmp_path):
        with pytest.raises(FileError):
            load_workspace(missing, tmp_path / "new")
    assert {path.name for path in tmp_path.iterdir()} == {"mine.txt"}


def test_damaged_vectors_are_not_saved(saved: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(saved.parent / "ws", tmp_path / "ws"))
    flip(next((root / "vectors").rglob("*.npy")), 400)
    with Workspace.open(root) as workspace, pytest.raises(CorruptStoreError):
        save_workspace(workspace, tmp_path / "ws.zip")
    assert {path.name for path in tmp_path.iterdir()} == {"ws"}


def test_a_file_that_is_replaced_meanwhile_is_saved_as_it_is_then(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, copy, calls = Path(shutil.copytree(saved.parent / "ws", tmp_path / "ws")), archive.copy_store, []
    with Workspace.open(root) as workspace:

        def replaced(*given: object) -> None:
            copy(*given)  # type: ignore[arg-type]
            if not calls:
                embedding = workspace.embedding(TOPIC, MODEL)
                embedded = workspace.catalogue.load(embedding, workspace.store.topic_publication_ids(TOPIC))
                workspace.catalogue.add(MODEL, None, embedded.take(embedded.ids[::-1]), ("another",))
            calls.append(1)

        monkeypatch.setattr(archive, "copy_store", replaced)
        save_workspace(workspace, tmp_path / "ws.zip")
    assert len(calls) == 2
    load_workspace(tmp_path / "ws.zip", tmp_path / "new")
    assert check_workspace(tmp_path / "new").problems == ()


Attack = Callable[[zipfile.ZipFile], None]


def _entry(name: str, mode: int = stat.S_IFREG | 0o644) -> Attack:
    def add(archive: zipfile.ZipFile) -> None:
        info = zipfile.ZipInfo("x")
        info.filename = info.orig_filename = name
        info.external_attr = mode << 16
        archive.writestr(info, b"/etc/passwd")

    return add


def _bomb(archive: zipfile.ZipFile) -> None:
    with archive.open(zipfile.ZipInfo("bomb"), "w", force_zip64=True) as out:
        for _ in range(80):
            out.write(bytes(1 << 20))


ATTACKS: dict[str, Attack] = {
    **{
        name: _entry(name)
        for name in (
            *(
                "../x",
                "a/../../x",
                "/etc/x",
                "a//b",
                "a\\..\\x",
                "C:x",
                "a\nb",
                "",
                ".",
                "..",
                "a/",
                "con",
                "a/NUL.txt",
            ),
            *("x.", " x", "QUERYSCAPE.duckdb", "n" * 500, "unlisted", "vectors/../../x", "x\x7f"),
        )
    },
    "symlink": _entry("link", stat.S_IFLNK | 0o777),
    "device": _entry("device", stat.S_IFCHR | 0o644),
    "bomb": _bomb,
}


def packed_again(saved: Path, target: Path, attack: Attack, *, compress: int = zipfile.ZIP_DEFLATED) -> Path:
    """The same workspace with one more member."""
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(target, "w", compress) as new:
        for info in old.infolist():
            new.writestr(info, old.read(info))
        attack(new)
    return target


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_refused(saved: Path, tmp_path: Path, attack: str) -> None:
    file = packed_again(saved, tmp_path / "bad.zip", ATTACKS[attack])
    with pytest.raises(FormatError) as caught:
        load_workspace(file, tmp_path / "in" / "new")
    assert "\n" not in str(caught.value)
    assert list((tmp_path / "in").rglob("*")) == []


def test_a_manifest_that_lies_is_refused(saved: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(saved) as old:
        members = {name: old.read(name) for name in old.namelist()}
    document = json.loads(members[MANIFEST])
    first = document["files"][0]
    lies: list[object] = [
        {**document, "files": [{**first, "sha256": "0" * 64}, *document["files"][1:]]},
        {**document, "files": [{**first, "size": first["size"] + 1}, *document["files"][1:]]},
        {**document, "files": document["files"][1:]},
        {**document, "format": "zip"},
        {**document, "version": 2},
        {"format": document["format"]},
        [],
        None,
    ]
    for lie in lies:
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as new:
            for name, part in (members | {MANIFEST: json.dumps(lie).encode()}).items():
                new.writestr(name, part)
        (tmp_path / "bad.zip").write_bytes(content.getvalue())
        with pytest.raises(FormatError):
            load_workspace(tmp_path / "bad.zip", tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.slow
def test_a_flipped_or_truncated_zip_is_refused_or_harmless(saved: Path, tmp_path: Path) -> None:
    content, rng = saved.read_bytes(), random.Random(5)
    file, n_refused = tmp_path / "bad.zip", 0
    tries = [content[: rng.randrange(len(content))] for _ in range(15)]
    for at in (*(rng.randrange(len(content)) for _ in range(40)), *range(len(content) - 300, len(content), 9)):
        tries.append(content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :])
    for number, bad in enumerate(tries):
        file.write_bytes(bad)
        try:
            load_workspace(file, tmp_path / f"new{number}")
        except FormatError:
            n_refused += 1
        else:
            assert check_workspace(tmp_path / f"new{number}").problems == ()
    assert n_refused > 50
