"""A list of queries comes in on the page Retrievers, with documents that are here already."""

from __future__ import annotations

from pathlib import Path

from core.collections import Collection, Document, Query
from dashboard import cache
from data.collections import list_collections, save_collection
from data.explore.workspace import Workspace
from tests.dashboard.apps import open_alone

DOCUMENTS = (Document("d1", "Green tea", "Leaves."), Document("d2", "Black tea", "Kettles."))


def test_queries_alone_come_in_with_the_documents_of_another_collection(root: Path, tmp_path: Path) -> None:
    with Workspace.open(root) as workspace:
        save_collection(workspace.store, Collection("teas", DOCUMENTS, (Query("q1", "tea"),), ()), origin="made up")
    file = tmp_path / "mine.csv"
    file.write_text("query,kind\ngreen tea,x\nblack tea,y\n", "utf-8")
    app = open_alone("retrieval/page.py")
    app.text_input[0].set_value(str(file))
    next(box for box in app.selectbox if box.label == "Documents").set_value("teas")
    next(button for button in app.button if button.label == "Add").click().run()
    cache.jobs().wait()
    row = next(row for row in list_collections(cache.workspace().store) if row.name == "mine")
    assert (row.n_queries, row.labels, row.n_documents) == (2, ("kind",), 2)
    (note,) = row.notes
    assert (note[:11], note[-6:]) == ("2 documents", '"teas"')
