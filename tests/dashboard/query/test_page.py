"""The Query page in the app, without a browser: what it tells the workbench, and what it does when asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import welcome
from tests.dashboard.apps import open_page, ran, settled, told
from tests.data.workspaces import CORE, TOPIC, N, fill

QUERY = "(tea OR leaves) AND kettle"


def open_query(**link: str) -> AppTest:
    return open_page("workbench/page.py", **link)


def ask(app: AppTest, seq: int, kind: str, **more: Any) -> dict[str, Any]:
    """What the workbench sends; gives back what it is told then."""
    app.session_state["workbench"] = {"ask": {"seq": seq, "kind": kind, **more}}
    return told(ran(app))["workbench"]


def test_an_empty_workspace_offers_an_example(root: Path) -> None:
    app = open_query()
    assert "workbench" not in told(app)
    assert [button.label for button in app.button if "example" in button.label.lower()]


def test_a_large_topic_is_indexed_first(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(root)
    monkeypatch.setattr(welcome, "LARGE", 1)
    app = open_query()
    settled(app)
    assert told(app)["workbench"]["topic"] == TOPIC


def test_the_page_shows_the_text_of_the_version(root: Path) -> None:
    fill(root)
    document = told(open_query(version="review"))["workbench"]
    assert (document["topic"], document["text"], document["seq"]) == (TOPIC, "tea OR leaf", 0)
    assert document["summary"]["n_core"] == len(CORE)


def test_the_list_of_the_version_decides_until_the_text_is_edited(root: Path) -> None:
    fill(root)
    app = open_query(version="review")
    opened = told(app)["workbench"]
    assert (opened["summary"]["n_retrieved"], opened["summary"]["n_found"]) == (N, len(CORE))
    assert all(each["found"] for each in opened["core"])
    assert opened["n_disagreeing"] == len(opened["disagrees"]) > 0
    assert all(each["title"] for each in opened["disagrees"])
    edited = ask(app, 1, "edit", text="tea OR leaves")
    assert edited["summary"]["n_retrieved"] < N
    assert edited["disagrees"] == []
    assert f"{N} publications" in edited["version_note"]
    assert edited["before"] != opened["summary"]
    undone = ask(app, 2, "undo")
    assert (undone["summary"], undone["disagrees"]) == (opened["summary"], opened["disagrees"])


def test_the_board_beside_the_landscape_sorts_the_draft(root: Path) -> None:
    fill(root)
    app = open_query()
    ask(app, 1, "edit", text=QUERY)
    opened = ask(app, 2, "board")
    assert opened["board"]["scores"]["n_retrieved"] == opened["summary"]["n_retrieved"]
    key = next(each["rows"][0]["key"] for each in opened["board"]["lists"] if len(each["rows"]) > 1)
    after = ask(app, 3, "sort", turn={"kind": "move", "key": key, "to": "aside"})
    assert after["text"] != opened["text"]
    assert after["board"]["scores"]["n_retrieved"] == after["summary"]["n_retrieved"]
    assert [row["key"] for row in after["board"]["lists"][-1]["rows"]] == [key]
    assert ask(app, 4, "undo")["board"] is None


def test_a_run_makes_a_version_that_the_other_pages_show(root: Path) -> None:
    fill(root)
    app = open_query()
    ask(app, 1, "edit", text="leaf OR kettles")
    ask(app, 2, "semantics", semantics="stemmed")
    document = ask(app, 3, "run")
    assert app.selectbox(key="version").value == "v4"
    assert (document["text"], document["semantics"]) == ("leaf OR kettles", "stemmed")
    assert document["before"] == document["summary"]
    app.switch_page("audit/page.py").run()
    assert any("stemmed words" in caption.value for caption in app.caption)
    app.switch_page("workbench/page.py").run()
    assert not app.exception
    assert told(app)["scores"]


def test_a_run_without_what_is_switched_off_saves_the_text_without_it(root: Path) -> None:
    fill(root)
    app = open_query()
    nodes = ask(app, 1, "edit", text="tea OR leaves OR nets")["nodes"]
    off = ask(app, 2, "switch", off=[next(n["number"] for n in nodes if n["text"] == "nets")])
    document = ask(app, 3, "run")
    assert document["text"] == "tea OR leaves"
    assert document["summary"]["n_retrieved"] == off["summary"]["n_retrieved"]


def test_a_dialect_that_was_chosen_stays_chosen(root: Path) -> None:
    fill(root)
    app = open_query()
    ask(app, 1, "edit", text="tea OR cup AND kettle")
    before = ask(app, 2, "dialect", dialect="scopus")
    document = ask(app, 3, "run")
    assert (document["dialect"], document["chosen"]) == ("scopus", "scopus")
    assert document["summary"] == before["summary"]


def test_a_question_is_saved_as_a_ranking(root: Path) -> None:
    fill(root)
    app = open_query()
    ask(app, 1, "edit", text="Which tea leaves steep best in a kettle?")
    document = ask(app, 2, "run")
    assert document["kind"] == "question"
    assert "tea" in document["ranked"]["items"][0]["title"]
    app.switch_page("audit/page.py").run()
    assert any("of a ranking" in caption.value for caption in app.caption)


def test_each_version_keeps_its_own_work(root: Path) -> None:
    fill(root)
    app = open_query(version="baseline")
    ask(app, 1, "edit", text="kettle")
    app.selectbox(key="version").set_value("review").run()
    assert told(app)["workbench"]["text"] == "tea OR leaf"
    app.selectbox(key="version").set_value("baseline").run()
    assert told(app)["workbench"]["text"] == "kettle"
