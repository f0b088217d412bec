"""What a path holds is seen by its content; a knowledge base is there as a whole, or not at all."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import FileError, FormatError, InputError
from data.explore.workspace import Workspace
from data.knowledge.bases import KnowledgeBases
from data.knowledge.loaders import bring_knowledge
from tests.data.children import child
from tests.data.notes import assert_notes
from tests.data.stark_files import write_stark
from tests.data.test_disk_full import run
from tests.messages import refusal


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path / "ws") as opened:
        yield opened


def tables(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "entities.csv").write_text("id,type,title\np1,paper,Trees\na1,author,Ito\n")
    (folder / "relations.csv").write_text("source,relation,target\na1,writes,p1\na1,writes,p7\n")
    return folder


def stark(folder: Path) -> Path:
    infos = {0: {"DisplayName": "Ito", "type": "author"}, 1: {"title": "Trees", "abstract": "", "type": "paper"}}
    return write_stark(folder, infos, [0, 3], [(0, 3, 1)])


def works(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "w.json").write_text(json.dumps([{"id": "https://openalex.org/W1", "title": "Trees"}]))
    return folder


def test_each_kind_is_recognised(workspace: Workspace, tmp_path: Path) -> None:
    for make, place, templates in ((tables, "own", ""), (stark, "mag/processed", "mag"), (works, "alex", "mag")):
        brought = bring_knowledge(workspace.knowledge, str(make(tmp_path / place)))
        assert brought.about.name == place.partition("/")[0]
        assert brought.about.templates == templates
        base = workspace.knowledge.open(brought.about.name)
        assert "Trees" in {entity.title for entity in base.entities(range(base.about.n_entities))}
    assert workspace.knowledge.names() == ("alex", "mag", "own")


def test_files_inside_a_folder_name_it_too(workspace: Workspace, tmp_path: Path) -> None:
    tables(tmp_path / "own")
    assert bring_knowledge(workspace.knowledge, str(tmp_path / "own/entities.csv"), name="a").about.n_entities == 2
    stark(tmp_path / "mag/processed")
    assert (
        bring_knowledge(workspace.knowledge, str(tmp_path / "mag/processed/node_info.pkl"), name="b").about.templates
        == "mag"
    )
    assert bring_knowledge(workspace.knowledge, str(tmp_path / "mag"), name="c").about.n_entities == 2


def test_an_archive_in_a_folder_is_found(workspace: Workspace, tmp_path: Path) -> None:
    folder = stark(tmp_path / "mag")
    (tmp_path / "down").mkdir()
    with zipfile.ZipFile(tmp_path / "down/processed.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in folder.iterdir():
            archive.write(path, f"processed/{path.name}")
    for where in ("down", "down/processed.zip"):
        brought = bring_knowledge(workspace.knowledge, str(tmp_path / where), replace=True)
        assert (brought.about.name, brought.about.n_relations) == ("down", 1)


def test_what_was_left_out_is_said(workspace: Workspace, tmp_path: Path) -> None:
    folder = tables(tmp_path / "own")
    with (folder / "entities.csv").open("a") as file:
        file.write(",paper,No id\n")
    brought = bring_knowledge(workspace.knowledge, str(folder), answers=("paper",))
    assert (brought.built.n_dangling, brought.built.n_relations) == (1, 1)
    assert_notes(brought.rejected, ("entities.csv, line 4: ", "without an id"))
    assert brought.notes == brought.about.notes
    assert len(brought.notes) == 2
    assert workspace.knowledge.open("own").answer_types == ("paper",)


def test_mistakes_are_said_before_anything_is_read(workspace: Workspace, tmp_path: Path) -> None:
    folder = tables(tmp_path / "own")
    bring_knowledge(workspace.knowledge, str(folder))
    (folder / "entities.csv").write_text("nothing")
    with pytest.raises(InputError, match="already"):
        bring_knowledge(workspace.knowledge, str(folder))
    with refusal(FormatError):
        bring_knowledge(workspace.knowledge, str(folder), replace=True)
    assert workspace.knowledge.open("own").about.n_entities == 2
    for where, error, said in (
        ("https://example.org/kb", InputError, "from the web"),
        (str(tmp_path / "nowhere"), FileError, "no folder"),
        ("a\0b", FileError, "check its name"),
    ):
        with pytest.raises(error, match=said):
            bring_knowledge(workspace.knowledge, where)
    with pytest.raises(InputError, match="name"):
        bring_knowledge(workspace.knowledge, str(folder), name="a/b")


def test_what_is_none_is_told_what_there_could_be(workspace: Workspace, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG")
    packed = tmp_path / "other.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "a")
    for where in (empty, picture, packed):
        with refusal(FormatError):
            bring_knowledge(workspace.knowledge, str(where))
    packed.write_bytes(packed.read_bytes()[:40])
    with refusal(FormatError):
        bring_knowledge(workspace.knowledge, str(packed))
    assert workspace.knowledge.names() == ()


KILLED = """
import os, sys
from pathlib import Path
from data.knowledge import builder as building
from data.knowledge.loaders import bring_knowledge
from data.explore.workspace import Workspace

def stage(what):
    if what == sys.argv[3]:
        os._exit(9)
    return lambda done, total: None

with Workspace.open(Path(sys.argv[1])) as workspace:
    bring_knowledge(workspace.knowledge, sys.argv[2], name="it", replace=True, on_stage=stage)
"""


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["reading entities", "sorting entities", "reading relations", "sorting relations"])
def test_a_kill_leaves_what_was_there(tmp_path: Path, stage: str) -> None:
    folder = tables(tmp_path / "own")
    with Workspace.open(tmp_path / "ws") as workspace:
        bring_knowledge(workspace.knowledge, str(folder), name="it")
    (folder / "entities.csv").write_text("id\nanother\n")
    assert child(KILLED, tmp_path / "ws", folder, stage).returncode == 9
    bases = KnowledgeBases(tmp_path / "ws/knowledge")
    assert bases.names() == ("it",)
    assert bases.open("it").about.n_entities == 2
    bases.forget()


@pytest.mark.slow
def test_a_full_disk_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    folder, root = tables(tmp_path / "own"), tmp_path / "ws"
    text = "".join(f"p{n},paper,{n * 7919}\n" for n in range(100_000))
    (folder / "entities.csv").write_text("id,type,title\n" + text)
    ask = ["get", "knowledge", "--from", str(folder), "--data-dir", str(root)]
    (full, free), said = run((1_500_000, ask), (-1, ask))
    assert (full, free) == (2, 0)
    assert "Error: no room left" in said[0]
    assert [path.name for path in (root / "knowledge").iterdir()] == ["own"]
