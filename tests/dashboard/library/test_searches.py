"""Searches on the page Library and by the command: both show what the store has, and change it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.audit.searches import Search
from dashboard import cache
from dashboard.library.searches import _row, _with
from dashboard.library.searches_command import changed
from data.explore.workspace import Workspace
from data.library.searches import load_searches, yields_of
from tests.dashboard.library.test_page import open_library, ris
from tests.dashboard.runs import Runner

TEA = "Tea"
HISTORY = "1. tea.ti. (30)\n2. cup.ti. (20)\n3. 1 and 2 (10)"


@pytest.fixture
def tea(run: Runner, tmp_path: Path) -> Runner:
    (tmp_path / "medline.ris").write_bytes(ris("Green tea in towns", "Black tea in gardens"))
    (tmp_path / "embase.ris").write_bytes(ris("Black tea in gardens"))
    for name in ("medline.ris", "embase.ris"):
        assert run("import", tmp_path / name, "--topic", TEA, "--as", "corpus").status == 0
    return run


def test_the_command_lists_and_changes_them(tea: Runner, tmp_path: Path) -> None:
    (tmp_path / "history.txt").write_text(HISTORY, "utf-8")
    told = tea(
        *("searches", "--topic", TEA, "--set", "1", "hits=1,204", "--set", "1", "date=2026-11-04"),
        *("--set", "2", f"string=@{tmp_path / 'history.txt'}", "--add", "Trial register", "--json"),
    ).document
    first, second, third = told["searches"]
    assert (first["n_hits"], first["searched_on"], first["files"]) == (1_204, "2026-11-04", ["medline.ris"])
    assert (second["n_hits"], second["text"], second["brought"]["n_publications"]) == (10, HISTORY, 1)
    assert (third["name"], third["brought"]) == ("Trial register", None)
    assert told["problems"] == []
    with Workspace.open(tea.root) as workspace:
        assert [each.n_unique for each in yields_of(workspace.store, TEA)] == [1, 0]
    left = tea("searches", "--topic", TEA, "--join", "1", "2", "--delete", "3", "--json").document
    assert [each["files"] for each in left["searches"]] == [["medline.ris", "embase.ris"]]


@pytest.mark.parametrize(
    "change", ["hits=many", "date=4.11.2026", "kind=guess", "colour=red", "hits", "string=@nothing.txt"]
)
def test_a_mistake_changes_nothing(tea: Runner, change: str) -> None:
    before = tea("searches", "--topic", TEA, "--json").document
    assert tea("searches", "--topic", TEA, "--set", "1", change).status == 2
    assert tea("searches", "--topic", TEA, "--set", "7", "hits=1").status == 2
    assert tea("searches", "--topic", TEA, "--json").document == before


def test_a_table_fills_in_strings_dates_and_hits(tea: Runner, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("File,Date,Hits,String,Colour\nmedline.ris,4 Nov 2026,40,tea,red\nno.ris,,1,,\n")
    told = tea("searches", "--topic", TEA, "--from", tmp_path / "s.csv", "--json").document
    first, second = told["searches"]
    assert (first["searched_on"], first["n_hits"], first["text"]) == ("2026-11-04", 40, "tea")
    assert (second["text"], len(told["problems"])) == ("", 2)
    assert tea("searches", "--topic", TEA, "--from", tmp_path / "nothing.csv").status == 2


def test_a_pasted_table_shows_its_changes_before_they_are_applied(tea: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYSCAPE_DATA_DIR", str(tea.root))
    app = open_library("Searches", topic=TEA)
    key = next(one.key for one in app.text_area if str(one.key).startswith("search-table-"))
    app.text_area(key=key).set_value("No\tHits\tSearch string\n1\t12\ttea\n2\tmany\tcup").run()
    assert load_searches(cache.workspace().store, TEA)[0].n_hits is None
    assert any("Line 3" in str(one.value) for one in app.warning)
    app.button(key="apply-search-table").click().run()
    first, second = load_searches(cache.workspace().store, TEA)
    assert (first.n_hits, first.text, second.text) == (12, "tea", "")


def test_a_row_that_was_not_edited_changes_nothing() -> None:
    for search in (
        Search("a", 1),
        Search("a", 1, database="MEDLINE", searched_on="2026-11-04", n_hits=3, label="v1"),
        Search("a", 1, text=HISTORY),
    ):
        assert _with(search, _row(search, {})) == search
    of_history = Search("a", 1, text=HISTORY)
    assert _with(of_history, {**_row(of_history, {}), "Hits": 12}).n_hits == 12
    assert changed(of_history, "hits=").n_hits is None


def test_the_page_shows_them_and_adds_one(tea: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUERYSCAPE_DATA_DIR", str(tea.root))
    app = open_library("Searches", topic=TEA)
    assert not app.exception
    assert not app.error
    app.button(key="add-search").click().run()
    assert [search.number for search in load_searches(cache.workspace().store, TEA)] == [1, 2, 3]
    app.selectbox(key=f"one-search-{TEA}").select(3).run()
    app.button(key="delete-search").click().run()
    assert len(load_searches(cache.workspace().store, TEA)) == 2
