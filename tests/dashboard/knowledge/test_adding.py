"""Knowledge bases brought in and deleted on the page Knowledge, without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import cache
from dashboard.knowledge import bases
from data.collections import list_collections
from data.demo.knowledge import DEMO_BASE
from data.demo.loading import DEMO_RELATIONS
from data.demo.publications import DEMO_COLLECTION
from data.files import READ_ONLY
from data.knowledge.base import FILE
from data.knowledge.bases import KnowledgeBases
from tests.dashboard.apps import SECONDS, messages, open_alone, press, settled, shown
from tests.dashboard.knowledge.knowledge_pages import keep, open_page


def tables(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "entities.csv").write_text("id,type,title\np1,paper,Trees\np2,paper,Ponds\na1,author,Ito\n")
    (folder / "relations.csv").write_text("source,relation,target\na1,writes,p1\na1,writes,p7\n")
    return folder


def ask_for(app: AppTest, where: str, *, name: str = "", answers: str = "") -> AppTest:
    fields = {field.label: field for field in app.text_input}
    fields["Folder or file"].set_value(where)
    fields["Name"].set_value(name)
    fields["Answer types"].set_value(answers)
    return next(button for button in app.button if button.label == "Add").click().run()


@pytest.mark.slow
def test_an_empty_workspace_offers_the_made_up_base(root: Path) -> None:
    app = open_page()
    assert "no knowledge base" in messages(app)
    press(app, "add-demo-knowledge")
    assert cache.workspace().knowledge.names() == (DEMO_BASE,)
    assert {row.name for row in list_collections(cache.workspace().store)} == {DEMO_COLLECTION, DEMO_RELATIONS}
    assert app.selectbox(key="knowledge").value == DEMO_BASE
    assert "Demo data" in shown(app)


def test_tables_are_added_and_what_was_left_out_is_said(root: Path, tmp_path: Path) -> None:
    keep(root)
    app = open_page()
    settled(ask_for(app, str(tables(tmp_path / "own")), answers="paper, "))
    assert app.selectbox(key="knowledge").value == "own"
    assert cache.workspace().knowledge.open("own").answer_types == ("paper",)
    assert "own is added: 3 entities and 1 relation" in shown(app).replace("**", "")
    assert "p7" in shown(app)
    app.selectbox(key="knowledge").set_value("small").run()
    assert "is added" not in shown(app)
    app.selectbox(key="knowledge").set_value("own").run()
    press(app, "close-added")
    assert "is added" not in shown(app)


@pytest.mark.parametrize(
    ("where", "name", "said"),
    [
        ("", "", "Enter a folder"),
        ("https://example.org/mag.zip", "", "from the web"),
        ("~/nobody/has/this", "", "No such folder"),
        ("\0", "", "No such folder"),
        (".", "small", 'A knowledge base "small" already exists'),
    ],
)
def test_what_can_not_be_added_is_said_at_once(root: Path, where: str, name: str, said: str) -> None:
    keep(root)
    app = ask_for(open_page(), where, name=name)
    assert said in messages(app)
    assert bases.ADDING_JOBS.find() is None


def test_what_fails_while_it_is_read_is_said(root: Path, tmp_path: Path) -> None:
    app = settled(ask_for(open_page(), str(tables(tmp_path / "own")), answers="*book*"))
    assert 'of type "*book*"; there are' in messages(app)
    assert cache.workspace().knowledge.names() == ()


def asking() -> AppTest:
    """The dialog alone: the page draws it for one click, a browser until it is closed."""

    def draw() -> None:
        from dashboard.knowledge.bases import ask_before_deleting

        ask_before_deleting("small")

    return AppTest.from_function(draw, default_timeout=SECONDS).run()


def test_deleting_says_what_goes_and_what_stays(root: Path) -> None:
    keep(root)
    app = open_page()
    app.button(key="ask-delete-base").click().run()
    assert "65 entities of 3 types and 72 relations" in shown(app)
    assert "ratings are kept" in shown(app)
    asking().button(key="delete-not").click().run()
    assert cache.workspace().knowledge.names() == ("small",)
    asking().button(key="delete-now").click().run()
    assert cache.workspace().knowledge.names() == ()
    assert "no knowledge base" in messages(open_page())


@pytest.mark.parametrize("deleted", [None, "gone"])
def test_the_link_of_what_was_just_deleted_is_no_surprise(root: Path, deleted: str | None) -> None:
    keep(root)
    app = open_alone("knowledge/page.py", {bases.GONE: deleted}, knowledge="gone")
    assert ("in the link" in messages(app)) == (deleted is None)


def test_one_that_can_not_be_read_can_be_deleted(root: Path) -> None:
    keep(root)
    (root / "knowledge" / "small" / FILE).write_bytes(b"nothing")
    app = open_page()
    assert "damaged" in messages(app)
    app.button(key="ask-delete-base").click().run()
    assert "can't be read" in shown(app)
    asking().button(key="delete-now").click().run()
    assert cache.workspace().knowledge.names() == ()


def test_in_a_copy_nothing_is_added_or_deleted(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(root)
    monkeypatch.setenv(READ_ONLY, "1")
    app = open_page()
    assert "Read-only" in shown(app)
    assert not [button for button in app.button if button.key == "ask-delete-base"]
    KnowledgeBases(root / "knowledge").delete("small")
    app.run()
    assert app.button(key="add-demo-knowledge").disabled
    assert next(button for button in app.button if button.label == "Add").disabled
