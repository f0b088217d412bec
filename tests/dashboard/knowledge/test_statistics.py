"""Statistics of knowledge bases and query sets: as a command, and on the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.collections import Collection, Document, Judgment, Query
from core.knowledge.statistics import NO_JUDGMENT, NOT_TOLD, SET_STATISTICS
from core.knowledge.templates import Requirement
from dashboard import cache
from dashboard.knowledge.base_statistics import type_group
from data.collections import save_collection
from data.explore.workspace import Workspace
from tests.dashboard.apps import messages, open_alone, press, ran, settled
from tests.dashboard.runs import Runner
from tests.data.knowledge_bases import parts_of

ENTITIES = {
    "p1": ("paper", "Trees and heat", "On shade."),
    "p2": ("paper", "Night work"),
    "ito": ("author", "Ito <b>Kenji</b>"),
}
RELATIONS = [("ito", "author___writes___paper", "p1"), ("ito", "author___writes___paper", "p2")]
ASKED = Collection(
    "asked",
    (Document("p1", "Trees and heat", "On shade."),),
    (
        Query("1", "papers on shade by Ito Kenji", Requirement("mag-author", {"author": ("ito",)}).labels),
        Query("2", "night work"),
    ),
    (Judgment("1", "p1", 1),),
    {"test-0.1": ("2",)},
)


@pytest.fixture
def small(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    with Workspace.open(tmp_path / "ws") as workspace:
        _fill(workspace)
    return Runner(tmp_path / "ws", capsys)


def _fill(workspace: Workspace) -> None:
    parts = parts_of(ENTITIES, RELATIONS, answer_types=("paper",), templates="mag")
    workspace.knowledge.save("small", parts, origin="by hand")
    save_collection(workspace.store, ASKED, origin="made up")


def test_a_base_in_numbers(small: Runner) -> None:
    found = small("knowledge", "statistics", "small", "--json").document
    base = found["knowledge_base"]
    assert (base["n_entities"], base["n_relations"], base["average_degree"]) == (3, 2, pytest.approx(4 / 3))
    assert base["n_tokens"] == 11  # 5, 2 and 4
    assert [kind["name"] for kind in base["types"]] == ["paper", "author"]
    assert base["types"][1]["hubs"] == [{"entity_id": "ito", "title": "Ito <b>Kenji</b>", "degree": 2}]
    assert base["relations"][0]["n"] == 2
    assert {each["name"] for each in found["published"]} == {f"{n}, published" for n in ("Amazon", "MAG", "Prime")}
    assert [each["n_tokens"] for each in found["published"]] == [592_067_882, 212_602_571, 31_844_769]
    assert found["sets"] == []


def test_sets_side_by_side_and_a_reference(small: Runner, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("Shade is cool. Night falls.")
    asked = ("knowledge", "statistics", "--collection", "asked", "--splits", "--reference", text)
    sets = small(*asked, "--json").document["sets"]
    assert [one["name"] for one in sets] == ["asked", "asked, 10 % sample of test", "text.txt"]
    assert list(sets[0]["values"]) == list(SET_STATISTICS)
    assert sets[0]["told_by"]["labels"] == 1
    assert sets[0]["n_at_length"] == 2
    assert (sets[0]["words"]["most"], sets[0]["answers"]["mean"]) == (6, 1.0)
    assert sets[1]["answers"] is None
    assert sets[1]["reasons"] == {"answers_per_query": NO_JUDGMENT}
    assert sets[2]["is_reference"]
    shown = small(*asked)
    assert "Type-token ratio" in shown.out
    assert "common length is 2 words" in shown.err


def test_bases_are_listed(small: Runner) -> None:
    (found,) = small("knowledge", "list", "--json").document["knowledge_bases"]
    assert found["types"] == {"paper": 2, "author": 1}
    assert (found["name"], found["made_up"], found["origin"]) == ("small", False, "by hand")
    assert "by hand" in small("knowledge", "list").out


def test_mistakes_say_what_to_do(small: Runner, tmp_path: Path) -> None:
    assert 'no knowledge base "other"' in small("knowledge", "statistics", "other").mistake
    assert "no file" in small("knowledge", "statistics", "--collection", "asked", "--reference", tmp_path / "x").mistake
    text = tmp_path / "text.txt"
    text.write_text("shade")
    assert "--collection" in small("knowledge", "statistics", "small", "--reference", text).mistake
    with Workspace.open(small.root) as workspace:
        workspace.knowledge.save("second", parts_of({"a": ("paper", "A")}, []), origin="by hand")
    assert "second, small" in small("knowledge", "statistics").mistake
    alone = small("knowledge", "statistics", "--collection", "asked", "--json").document
    assert alone["knowledge_base"] is None
    assert alone["sets"][0]["reasons"]["relational_share"] == NOT_TOLD


def test_without_a_base_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Runner(tmp_path / "empty", capsys)
    assert "none yet" in run("knowledge", "statistics").mistake
    assert run("knowledge", "list", "--json").document == {"knowledge_bases": [], "damaged": []}


# The page


def open_view(**link: Any) -> AppTest:
    """The view, when all is counted."""
    return settled(open_alone("knowledge/page.py", **{"kb": "Statistics", **link}))


def table(app: AppTest, column: str) -> Any:
    """The one that has this column."""
    (found,) = [frame.value for frame in app.dataframe if column in frame.value.columns]
    return found


def test_the_page_counts_by_itself_and_shows_both(root: Path) -> None:
    with Workspace.open(root) as workspace:
        _fill(workspace)
    app = open_view()
    assert not app.error
    assert table(app, "Tokens")["Tokens"].tolist() == ["11", "592,067,882", "212,602,571", "31,844,769"]
    assert table(app, "Degree, maximum")["Degree, maximum"].tolist() == ["1", "2"]
    base = cache.workspace().knowledge.open("small")
    counts = {name: len(type_group(base, name).rows) for name in base.types}
    assert list(map(str, counts.values())) == table(app, "Degree, maximum")["Entities"].tolist()
    assert table(app, "Queries")["Set"].tolist() == ["asked", "asked, 10 % sample of test"]
    assert table(app, "Queries")["Queries"].tolist() == ["2", "1"]
    assert "–" not in table(app, "Queries")["Relational words"].tolist()
    said = " ".join(caption.value for caption in app.caption).replace("\\", "")
    assert "1 query by their" in said
    assert "common length is 2 words" in said


def test_the_link_says_which_sets_and_what_they_are_held_against(root: Path) -> None:
    with Workspace.open(root) as workspace:
        _fill(workspace)
    app = open_view(sets="asked/test-0.1", reference="documents:asked")
    assert table(app, "Queries")["Set"].tolist() == ["asked, 10 % sample of test", "documents of asked"]
    app.selectbox(key="reference").select("text").run()
    ran(app.text_area(key="reference-text").input("Night falls. *Night* again."))
    assert table(app, "Queries")["Words"].tolist() == ["2", "4"]
    app.multiselect(key="sets").set_value([]).run()
    assert "Choose a set" in messages(app)


@pytest.mark.slow
def test_large_bases_are_counted_when_asked(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.knowledge.base_statistics.SMALL", 1)
    monkeypatch.setattr("dashboard.knowledge.base_statistics.FEW", 1)
    with Workspace.open(root) as workspace:
        _fill(workspace)
    app = open_view()
    assert table(app, "Tokens")["Tokens"].tolist()[0] == "–"
    app.button(key="count-base").click().run()
    press(app, "tell-words")
    settled(app)
    assert table(app, "Tokens")["Tokens"].tolist()[0] == "11"
    assert "–" not in table(app, "Queries")["Relational words"].tolist()


def test_without_queries_the_base_is_shown_all_the_same(root: Path) -> None:
    with Workspace.open(root) as workspace:
        workspace.knowledge.save("bare", parts_of({"a": ("paper", "A")}, []), origin="by hand")
    app = open_view()
    assert "no queries yet" in messages(app)
    assert table(app, "Tokens")["Average degree"].tolist()[0] == "0.0"
