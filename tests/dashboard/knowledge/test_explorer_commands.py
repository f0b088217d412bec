"""`knowledge entity` and `knowledge answers`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.knowledge.templates import Leg, Template, TemplateStep
from dashboard.cli import main
from data.explore.workspace import Workspace
from data.knowledge.templates import save_template
from tests.data.knowledge_bases import parts_of

ENTITIES = {
    "p1": ("paper", "Trees and heat", "On shade."),
    "p2": ("paper", "Night work"),
    "ito": ("author", "Ito"),
    "roy": ("author", "[red]Roy[/red]"),
    "uni": ("institution", "University of Elm"),
}
RELATIONS = [
    ("ito", "writes", "p1"),
    ("ito", "writes", "p2"),
    ("roy", "writes", "p2"),
    ("ito", "at", "uni"),
    ("roy", "at", "uni"),
]
WRITES = TemplateStep(("writes",), "paper", "forward")
TEMPLATES = (
    Template("by", (Leg((WRITES,), "author", "author"),), "Which papers are by {author}?"),
    Template(
        "from",
        (Leg((TemplateStep(("at",), "author", "back"), WRITES), "institution", "place"),),
        "Which come from {place}?",
    ),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Workspace.open(tmp_path) as workspace:
        workspace.knowledge.save("small", parts_of(ENTITIES, RELATIONS, answer_types=("paper",)), origin="by hand")
        for template in TEMPLATES:
            save_template(workspace.store, workspace.knowledge.open("small"), template)
    return tmp_path


def ask(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> Any:
    main(["knowledge", *words, "--data-dir", str(folder), "--json"])
    return json.loads(capsys.readouterr().out)


def told(capsys: pytest.CaptureFixture[str], folder: Path, *words: str, status: int = 0) -> str:
    if status:
        with pytest.raises(SystemExit) as stopped:
            main(["knowledge", *words, "--data-dir", str(folder)])
        assert stopped.value.code == status
        return capsys.readouterr().err
    main(["knowledge", *words, "--data-dir", str(folder)])
    return capsys.readouterr().out


def test_an_entity_by_id_or_title(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = ask(capsys, folder, "entity", "small", "trees and heat")
    assert (found["entity_id"], found["text"], found["attributes"]) == ("p1", "On shade.", {"name": "Trees and heat"})
    assert found["neighbours"] == [{"relation": "writes", "direction": "back", "type": "author", "n": 1}]
    assert ask(capsys, folder, "entity", "small", "ito")["entity_id"] == "ito"
    shown = told(capsys, folder, "entity", "small", "roy")
    assert "[red]Roy[/red]" in shown
    assert "writes" in shown
    assert 'no entity called "zzz"' in told(capsys, folder, "entity", "small", "zzz", status=2)
    assert "paper, author" in told(capsys, folder, "entity", "small", "ito", "--type", "sea", status=2)
    assert "no knowledge base" in told(capsys, folder, "entity", "large", "ito", status=2)


def test_answers_and_the_ways_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = ask(capsys, folder, "answers", "small", "by", "--given", "author=Ito", "--ways")
    assert found["n_answers"] == 2
    assert [each["entity_id"] for each in found["answers"]] == ["p1", "p2"]
    assert found["answers"][0]["ways"] == ["Ito – writes – Trees and heat"]
    assert found["question"] == "Which papers are by Ito?"
    either = ask(capsys, folder, "answers", "small", "by", "--given", "author=ito", "--given", "author=roy", "--k", "1")
    assert (either["n_answers"], len(either["answers"]), either["given"]) == (2, 1, {"author": ["ito", "roy"]})
    both = ask(capsys, folder, "answers", "small", "by+from", "--given", "author=roy", "--given", "place=uni")
    assert [each["entity_id"] for each in both["answers"]] == ["p2"]
    assert "Night work" in told(capsys, folder, "answers", "small", "by", "--given", "author=roy", "--ways")


def test_templates_are_listed_and_blanks_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = ask(capsys, folder, "answers", "small")["templates"]
    assert [(each["template"], each["slots"]) for each in listed] == [
        ("by", {"author": "author"}),
        ("from", {"place": "institution"}),
    ]
    assert "Which papers are by [author]?" in told(capsys, folder, "answers", "small")
    assert "--given author=" in told(capsys, folder, "answers", "small", "by", "--given", "x=1", status=2)
    assert "also needs --given author=" in told(capsys, folder, "answers", "small", "by", status=2)
    assert 'no template "none"' in told(capsys, folder, "answers", "small", "none", status=2)
