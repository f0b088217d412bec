"""`query apart`: the lists of a string, for people and for programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.writer.sheets import IN_STRING, Keyword, Sheet, text_of
from data.explore.workspace import Workspace
from tests.dashboard.runs import Runner, ordered
from tests.data.workspaces import TOPIC

TEXT = '("urban forest" OR ((shade OR cool*) AND (tree AND heat wave))) NOT orchard'
KEYS = ["specific", "general", "overarching", "excluded", "joined", "left", "is_whole", "text"]


def test_apart_gives_one_document(run: Runner) -> None:
    document = run("query", "apart", TEXT, "--json").document
    ordered(document, KEYS)
    assert list(document) == KEYS
    assert document["specific"] == [{"text": "urban forest", "phrase": True, "fields": []}]
    assert [keyword["text"] for keyword in document["general"]] == ["shade", "cool*"]
    assert document["overarching"][1] == {"text": "heat wave", "phrase": False, "fields": []}
    assert [keyword["text"] for keyword in document["excluded"]] == ["orchard"]
    assert (document["joined"], document["left"], document["is_whole"]) == ("AND", [], True)
    lists = {
        name: tuple(Keyword(one["text"], one["phrase"], tuple(one["fields"])) for one in document[name])
        for name in IN_STRING
    }
    sheet = Sheet(**lists, joined=document["joined"])
    assert text_of(sheet).text == document["text"]
    assert run("query", "apart", document["text"], "--json").document == document


def test_apart_takes_files_versions_and_dialects(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "search.txt"
    file.write_text("1. heat.ti.\n2. exp Trees/ or tree*.tw.\n3. 1 and 2", "utf-8")
    document = run("query", "apart", "--file", file, "--json").document
    assert document["general"] == [{"text": "heat", "phrase": True, "fields": ["title"]}]
    assert [keyword["text"] for keyword in document["overarching"]] == ["tree*"]
    (left,) = document["left"]
    assert left["text"] == "exp Trees/"
    assert "subject heading" in left["why"]
    assert not document["is_whole"]
    version = run("query", "apart", "--topic", TOPIC, "--version", "review", "--json").document
    assert [keyword["text"] for keyword in version["specific"]] == ["tea", "leaf"]
    told = run("query", "apart", "heat wave OR tree", "--dialect", "pubmed", "--json").document
    assert [keyword["text"] for keyword in told["specific"]] == ["heat wave", "tree"]


def test_a_version_is_read_in_its_own_dialect(run: Runner) -> None:
    with Workspace.open(run.root) as workspace:
        label = workspace.run_query(TOPIC, "exp tea/ OR leaf", dialect="plain").version.label
    version = ("query", "apart", "--topic", TOPIC, "--version", label, "--json")
    document = run(*version).document
    assert [keyword["text"] for keyword in document["specific"]] == ["exp tea/", "leaf"]
    assert document["is_whole"]
    assert not run(*version, "--dialect", "ovid").document["is_whole"]


def test_apart_for_people(run: Runner) -> None:
    printed = run("query", "apart", TEXT).out
    for fact in ("Specific", "Overarching, joined by AND (2)", "heat wave (words anywhere)", "Excluded (1)"):
        assert fact in printed
    assert printed.rstrip().endswith(" the search string.")
    waiting = "tree OR ((title:shade OR cool) AND tree) OR heat NEAR/3 wave"
    printed = run("query", "apart", waiting, "--dialect", "plain").out
    assert "shade in title" in printed
    assert "no overarching keyword." in printed
    assert "heat NEAR/3 wave" in printed
    assert "lists don't cover" in printed
    assert "[bold]" in run("query", "apart", '"[bold]heat[/bold]"').out


def test_what_was_mended_while_reading_is_said(run: Runner) -> None:
    said = run("query", "apart", "(heat OR tree")
    assert "never closed" in said.err
    assert "never closed" not in run("query", "apart", "(heat OR tree)").err


def test_a_question_has_no_lists(run: Runner) -> None:
    document = run("query", "apart", "Which trees cool a street in summer?", "--json").document
    assert (document["specific"], document["text"], document["is_whole"]) == ([], "", False)
    assert "ranked" in document["left"][0]["why"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--file FILE"),
        (("tea", "--topic", TOPIC), "both --topic and --version"),
        (("--version", "review"), "both --topic and --version"),
        (("tea", "--topic", TOPIC, "--version", "review"), "text and --file"),
        (("--topic", TOPIC, "--version", "nowhere"), "nowhere"),
        (("--topic", "Nothing", "--version", "review"), "Nothing"),
        (("--file", "/nowhere/at/all"), "can't be read"),
        (("",), "nothing to split"),
        (("( )",), "nothing to split"),
    ],
)
def test_mistakes_are_one_line(run: Runner, arguments: tuple[str, ...], said: str) -> None:
    assert said in run("query", "apart", *arguments).mistake
