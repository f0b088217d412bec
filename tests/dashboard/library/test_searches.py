"""Searches on the page Library and by the command: both show what the store has, and change it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.audit.searches import Search
from core.library.overlap import overlap
from dashboard import cache
from dashboard.library.figures import overlap_heat_figure, overlap_heat_rows
from dashboard.library.overlap import publications_by_search
from dashboard.library.searches import _row, _with, counted_in_search
from dashboard.library.searches_command import changed
from data.explore.workspace import Workspace
from data.library.records import load_sources
from data.library.searches import brought_by, load_searches, phase_ids, yields_of
from tests.dashboard.apps import serving
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
    app.text_area(key=key).set_value("No\tHits\tSearch string\tDate\n1\t12\ttea\t2999-01-01\n2\tmany\tcup").run()
    assert load_searches(cache.workspace().store, TEA)[0].n_hits is None
    assert any("Line 3" in str(one.value) for one in app.warning)
    assert any("is in the future" in str(one.value) for one in app.warning)
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


def test_the_page_shows_them_and_adds_one(tea: Runner) -> None:
    with serving(tea.root):
        _add_and_delete_one()


def _add_and_delete_one() -> None:
    app = open_library("Searches", topic=TEA)
    assert not app.exception
    assert not app.error
    app.button(key="add-search").click().run()
    assert [search.number for search in load_searches(cache.workspace().store, TEA)] == [1, 2, 3]
    app.selectbox(key=f"one-search-{TEA}").select(3).run()
    app.button(key="delete-search").click().run()
    assert len(load_searches(cache.workspace().store, TEA)) == 2


def test_roles_and_phases_by_command(tea: Runner, tmp_path: Path) -> None:
    (tmp_path / "passed.ris").write_bytes(ris("Black tea in gardens", "Tea from nowhere"))
    done = tea("import", tmp_path / "passed.ris", "--topic", TEA, "--as", "screened", "--json").document
    assert [each["title"] for each in done["files"][0]["unfound"]] == ["Tea from nowhere"]
    told = tea("searches", "--topic", TEA, "--role", "passed.ris", "Included", "--json").document
    assert told["phases"] == {"included": 2}
    assert [each["title"] for each in told["unfound"]["included"]] == ["Tea from nowhere"]
    assert [search["brought"]["n_included"] for search in told["searches"]] == [1, 1]
    assert told["suggested_drop"]["searches"] == [1]
    assert told["versions"][0]["searches"] == [1, 2]
    shown = tea("searches", "--topic", TEA, "--role", "embase.ris", "v1", "--set", "1,2", "version=v1")
    assert "v1: " in shown.out
    assert '--role "embase.ris" "corpus"' in shown.out
    assert tea("searches", "--topic", TEA, "--role", "nothing.ris", "core").status == 2
    assert tea("searches", "--topic", TEA, "--labels", "embase.ris", "screened").status == 2


def test_files_without_a_search_get_one_by_command(tea: Runner) -> None:
    assert "--add-missing" in tea("searches", "--topic", TEA, "--delete", "1").out
    told = tea("searches", "--topic", TEA, "--add-missing", "--json").document
    assert sorted(name for search in told["searches"] for name in search["files"]) == ["embase.ris", "medline.ris"]


def test_labels_by_command(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("title,abstract,asreview_label\nGreen tea,x,1\nBlack tea,x,0\n", "utf-8")
    assert "ASReview" in run("import", path, "--topic", TEA, "--as", "corpus").out
    told = run("searches", "--topic", TEA, "--labels", "labels.csv", "screened", "--json").document
    assert told["phases"] == {"screened": 1}
    told = run("import", path, "--topic", "Other", "--as", "corpus", "--labels-as", "included", "--json").document
    assert told["files"][0]["labels"]
    assert run("searches", "--topic", "Other", "--json").document["phases"] == {"included": 1}


@pytest.fixture
def reviewed(tea: Runner, tmp_path: Path) -> Iterator[Runner]:
    for name, role, titles in (
        ("passed.ris", "screened", ("Black tea in gardens", "Tea from nowhere")),
        ("last.ris", "included", ("Black tea in gardens",)),
    ):
        (tmp_path / name).write_bytes(ris(*titles))
        assert tea("import", tmp_path / name, "--topic", TEA, "--as", role).status == 0
    with serving(tea.root):
        yield tea


def test_the_page_shows_phases_and_drops(reviewed: Runner) -> None:
    app = open_library("Searches", topic=TEA)
    assert not app.exception
    assert list(app.radio(key=f"phase-{TEA}").options) == ["Searched", "Screened", "Included"]
    app.radio(key=f"phase-{TEA}").set_value("Included").run()
    assert not app.exception
    assert {name: len(ids) for name, ids in publications_by_search(TEA, "Included").items()} == {
        "MEDLINE": 1,
        "Embase": 1,
    }
    assert len(publications_by_search(TEA)["MEDLINE"]) == 2


def test_a_role_is_changed_and_undone_on_the_page(reviewed: Runner) -> None:
    app = open_library("Files", topic=TEA)
    store = cache.workspace().store
    source = next(s for s in load_sources(store, TEA) if s.name == "embase.ris")
    app.selectbox(key=f"one-file-{TEA}").select(source.number).run()
    app.selectbox(key=f"role-{source.source_id}").select("screened").run()
    app.button(key="change-role").click().run()
    assert not app.exception
    assert [str(s.role) for s in load_sources(store, TEA)] == ["corpus", "screened", "screened", "included"]
    app.button(key="undo-role").click().run()
    assert [str(s.role) for s in load_sources(store, TEA)] == ["corpus", "corpus", "screened", "included"]


def test_every_count_of_a_search_leads_to_as_many_publications(reviewed: Runner) -> None:
    store = cache.workspace().store
    brought = {i: each.publication_ids for i, each in brought_by(store, TEA).items()}
    lists = {"core": store.load_core_ids(TEA), **phase_ids(store, TEA)}
    counts = {"Publications": "n_publications", "Only here": "n_unique", "Screened": "n_screened"}
    counts |= {"Included": "n_included", "Included only here": "n_included_unique", "Core found": "n_core"}
    for each in yields_of(store, TEA):
        for column, name in counts.items():
            ids = counted_in_search(each.search_id, column, brought, lists)
            assert ids is not None
            assert len(ids) == getattr(each, name), column
        assert counted_in_search(each.search_id, "Hits", brought, lists) is None


def test_the_heat_map_shows_the_share_of_the_row() -> None:
    shared = overlap({"a": ["1", "2", "3", "4"], "b": ["4"], "none": []})
    rows = overlap_heat_rows(shared)
    shares = {(row["Search"], row["Also found by"]): row["Share (%)"] for row in rows}
    assert shares["a", "b"] == 25
    assert shares["b", "a"] == 100
    assert shares["none", "a"] is None
    figure = overlap_heat_figure(shared, theme="light")
    assert figure.data[0].z[0][1] == 0.25
    assert "b also found 1 of 4 of a" in figure.layout.meta["description"]
