"""Files that would fill the memory, the disk or the day are refused in words, before they do."""

from __future__ import annotations

import json
import os
import pickle
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.errors import CorruptStoreError, FormatError, InputError
from data.explore.workspace import Workspace
from data.knowledge import load_values
from data.knowledge.base import FILE, KnowledgeBase
from data.knowledge.builder import EntityPart
from data.knowledge.load_values import MOST_CHARACTERS, LoaderOmissions, value_text
from data.knowledge.loaders import PlainLayout, bring_knowledge, read_plain
from tests.data.stark_files import tensor_bytes
from tests.messages import refusal


def files(n: int, name: str) -> dict[str, bytes]:
    """A knowledge base of so many entities of one name."""
    none = np.zeros((2, 0), dtype=np.int64)
    return {
        "node_info.pkl": pickle.dumps({place: {"name": name} for place in range(n)}),
        "node_types.pt": tensor_bytes(np.zeros(n, dtype=np.int64)),
        "edge_index.pt": tensor_bytes(none),
        "edge_types.pt": tensor_bytes(none[0]),
        "node_type_dict.pkl": pickle.dumps({0: "gene/protein"}),
        "edge_type_dict.pkl": pickle.dumps({0: "ppi"}),
    }


def tables(folder: Path, entities: str = "id,type\n1,paper\n") -> Path:
    folder.mkdir()
    (folder / "entities.csv").write_text(entities)
    return folder


def refused(path: Path, workspace: Path) -> str:
    with Workspace.open(workspace) as opened:
        with pytest.raises(FormatError) as caught:
            bring_knowledge(opened.knowledge, str(path), name="x")
        assert opened.knowledge.names() == ()
    assert not list((workspace / "knowledge").glob("*"))
    return str(caught.value)


def test_one_text_for_all_entities_does_not_fill_the_disk(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name, data in files(2_000, "x" * 100_000).items():
        (source / name).write_bytes(data)
    assert "again and again" in refused(source, tmp_path / "workspace")


def test_a_value_that_names_a_text_often_is_cut() -> None:
    text = "x" * 1_000_000
    assert len(value_text([text] * 5_000)) < 2 * MOST_CHARACTERS
    assert len(value_text([[text] * 70] * 70)) < 2 * MOST_CHARACTERS


def test_an_archive_that_unpacks_to_a_thousand_times_its_size_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load_values, "SMALL", 100_000)
    path = tmp_path / "processed.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files(2, "x").items():
            if name != "node_info.pkl":
                archive.writestr(f"processed/{name}", data)
        with archive.open("processed/node_info.pkl", "w") as info:
            info.write(b"]" * 1_000_000)
    assert "would unpack" in refused(path, tmp_path / "workspace")


def test_swapped_columns_are_no_thousand_types(tmp_path: Path) -> None:
    rows = (f"{n},title {n},paper" for n in range(1_001))
    source = tables(tmp_path / "source", "\n".join(("id,type,title", *rows, "")))
    assert "1,000 types of entities: " in refused(source, tmp_path / "workspace")


def test_a_name_that_means_unfinished_is_refused(tmp_path: Path) -> None:
    source = tables(tmp_path / "source")
    with Workspace.open(tmp_path / "workspace") as workspace:
        with refusal(InputError):
            bring_knowledge(workspace.knowledge, str(source), name="mine.part")
        bring_knowledge(workspace.knowledge, str(source), name="mine.parts")
        assert workspace.knowledge.names() == ("mine.parts",)


def read_all(folder: Path) -> tuple[object, ...]:
    with KnowledgeBase.open(folder) as base:
        return base.types, base.entities([0]), base.text(0), base.entity("1"), base.relation_numbers


def test_a_cut_file_is_damaged_whenever_that_shows(tmp_path: Path) -> None:
    """Its head says that all is well; what is missing shows when it is asked for."""
    source = tables(tmp_path / "source")
    with Workspace.open(tmp_path / "workspace") as workspace:
        bring_knowledge(workspace.knowledge, str(source), name="mine")
        file = workspace.knowledge.root / "mine" / FILE
        data = file.read_bytes()
        for n in range(0, len(data), len(data) // 12):
            file.write_bytes(data[:n])
            with pytest.raises(CorruptStoreError):
                read_all(file.parent)


def test_a_first_work_longer_than_what_is_looked_at_is_seen(tmp_path: Path) -> None:
    authors = [{"author": {"id": f"https://openalex.org/A{n}", "display_name": "x" * 30}} for n in range(10_000)]
    work = {"id": "https://openalex.org/W1", "display_name": "Many", "authorships": authors}
    (tmp_path / "works.jsonl").write_text(json.dumps(work) + "\n")
    with Workspace.open(tmp_path / "workspace") as workspace:
        assert (
            bring_knowledge(workspace.knowledge, str(tmp_path / "works.jsonl"), name="many").about.n_entities == 10_001
        )


def test_what_a_killed_run_left_is_taken_away_and_what_is_being_written_is_not(tmp_path: Path) -> None:
    source = tables(tmp_path / "source")
    with Workspace.open(tmp_path / "workspace") as workspace:
        root = workspace.knowledge.root
        (root / "mag.1.part").mkdir(parents=True)
        (root / "mag.1.part" / FILE).write_bytes(b"half")
        os.utime(root / "mag.1.part", (0, 0))
        parts = read_plain(PlainLayout(source, (source / "entities.csv",), ()), LoaderOmissions([]), [])
        inner = iter(parts.entities)

        def meanwhile() -> Iterator[EntityPart]:
            bring_knowledge(workspace.knowledge, str(source), name="second")
            yield from inner

        parts.entities = meanwhile()
        workspace.knowledge.save("first", parts, origin="a test")
        assert sorted(path.name for path in root.iterdir()) == ["first", "second"]
