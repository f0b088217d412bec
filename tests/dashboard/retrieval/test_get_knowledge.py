"""`get knowledge`: what is kept, what was left out, and mistakes in one line."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from data.explore.workspace import Workspace
from tests.dashboard.runs import Runner, ordered
from tests.data.stark_files import write_stark

KEYS = [
    "knowledge_base",
    "folder",
    "n_entities",
    "n_relations",
    "templates",
    "types",
    "relations",
    "n_dangling",
    "n_twice",
    "n_same_id",
    "notes",
    "rejected",
]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(tmp_path / "ws", capsys)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    own = tmp_path / "own [b]base"
    own.mkdir()
    (own / "entities.csv").write_text("id,type,title\np1,paper,Trees\np1,paper,Again\na1,author,Ito\n,author,Nobody\n")
    (own / "relations.csv").write_text("source,relation,target\na1,writes,p1\na1,writes,p1\na1,writes,p7\n")
    return own


def test_a_knowledge_base_is_kept_and_described(run: Runner, folder: Path) -> None:
    document = run("get", "knowledge", "--from", folder, "--name", "mine", "--answers", "paper", "--json").document
    ordered(document, KEYS)
    assert (document["knowledge_base"], document["folder"]) == ("mine", str(folder))
    assert document["types"] == [
        {"type": "paper", "n": 1, "is_answer": True},
        {"type": "author", "n": 1, "is_answer": False},
    ]
    assert document["relations"] == [{"relation": "writes", "source": "author", "target": "paper", "n": 1}]
    assert [document[key] for key in ("n_dangling", "n_twice", "n_same_id")] == [1, 1, 0]
    assert [line["line"] for line in document["rejected"]] == [5]
    assert any('"p1" in line 3' in note for note in document["notes"])
    with Workspace.open(run.root) as workspace:
        assert workspace.knowledge.open("mine").answer_types == ("paper",)


def test_people_are_told_what_was_left_out(run: Runner, folder: Path) -> None:
    shown = run("get", "knowledge", folder, "--answers", "paper", "author")
    assert shown.status == 0, shown.err
    for fact in (
        "own [b]base 2 entities, 1 relations, from",
        "relations.csv that match no entity: 1",
        "1 line was",
        "entities.csv, line 5: an entity",
        "page Knowledge",
    ):
        assert fact in shown.out, shown.out
    ask = ("get", "knowledge", "--from", folder)
    assert 'a knowledge base "own [b]base" already exists' in run(*ask).mistake
    assert run(*ask, "--replace").status == 0


def test_mistakes_are_one_line(run: Runner, folder: Path, tmp_path: Path) -> None:
    ask = ("get", "knowledge", "--from")
    assert "no folder" in run(*ask, tmp_path / "nowhere").mistake
    assert 'type "papr"; there are paper, author' in run(*ask, folder, "--answers", "papr").mistake
    assert '"paper" is unexpected' in run(*ask, folder, "paper").mistake
    infos = {0: {"title": "Trees"}}
    evil = write_stark(tmp_path / "evil", infos, [3], [])
    (evil / "node_info.pkl").write_bytes(pickle.dumps({0: {"title": print}}))
    assert "node_info.pkl wants to run builtins.print" in run(*ask, evil).mistake
