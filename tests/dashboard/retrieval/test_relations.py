"""Relations on the page Retrievers and in its commands: graph is offered, and what meets a requirement is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.retrieval.specs import read_spec
from dashboard import cache
from dashboard.kit.theme import THEMES
from dashboard.retrieval.rankings import RankingColumn, RankingLine, ranking_rows, rankings_html
from dashboard.retrieval.retrievers import called
from data.explore.workspace import Workspace
from data.retrieval.collections import open_collection
from data.retrieval.runs import run_retriever
from tests.dashboard.apps import clean, messages, open_alone, settled, shown
from tests.dashboard.retrieval.test_opened import rankings_of
from tests.dashboard.runs import Runner
from tests.data.papers import keep_papers

GRAPH = "graph:first=bm25"


def keep(root: Path) -> None:
    keep_papers(root)
    with Workspace.open(root) as workspace:
        opened = open_collection(workspace, "papers")
        for text in ("bm25", GRAPH):
            run_retriever(workspace, opened, read_spec(text))


def open_page(**link: Any) -> AppTest:
    return settled(settled(open_alone("retrieval/page.py", **{"collection": "papers", **link})))


@pytest.mark.slow
def test_an_opened_query_tells_who_meets_its_requirement(root: Path) -> None:
    keep(root)
    link = {"retrievers": ["bm25", GRAPH], "ranking": "One query", "queries_by": "As in the collection"}
    app = open_page(**link, opened="q1")
    assert "template: mag-author · kind: asked" in shown(app), "what fills the blanks is said in words instead"
    assert "written by Mina Roy?" in shown(app)
    assert "3 papers meet it." in shown(app)
    assert "Given with" in shown(app)
    body = rankings_of(app)
    assert "met by 1 of these 2." in body
    assert "met by 3 of these 4." in body
    assert body.count("meets the relations") == 4
    (left,) = (each.label for each in app.expander if each.label.startswith("Of the 3"))
    assert clean(left).endswith(" 10: BM25 2, Graph (first bm25) 0")
    app = open_page(**link, opened="q2")
    assert "Read from" in shown(app)
    app = open_page(**link, opened="q3")
    assert "Relational requirement" not in shown(app)
    assert "only the text" in rankings_of(app)


@pytest.mark.slow
def test_graph_is_offered_where_a_base_holds_the_documents(root: Path) -> None:
    keep(root)
    app = open_page()
    assert "Graph" in app.multiselect(key="retrievers").options
    cache.workspace().knowledge.delete("papers")
    app = open_page(retrievers=["bm25", GRAPH], ranking="One query", opened="q1")
    assert "needs a knowledge" in shown(app).replace("\n", " ")
    assert "Relational requirement" not in shown(app)
    assert not messages(app)
    app = open_page()
    assert "Graph" not in app.multiselect(key="retrievers").options


def test_it_is_called_by_its_base_and_embedder() -> None:
    names = [called(read_spec(text)) for text in ("graph", "graph:demo", "graph:demo,embedder=lsa", GRAPH)]
    assert names == ["Graph", "Graph (demo)", "Graph (demo, lsa)", "Graph (first bm25)"]


@pytest.mark.parametrize("theme", THEMES)
def test_marks_are_told_by_sign_and_word(theme: Any) -> None:
    lines = (
        RankingLine(1, "a", "Both", 2.0, 1, is_met=True),
        RankingLine(2, "b", "Relations only", 1.0, 0, is_met=True),
    )
    column = RankingColumn("BM25", lines, 1, "nDCG 1")
    body = rankings_html([column], theme, all_names=["BM25"])
    beside = replace(column, name="Graph", remark="Met by 1 of these 2.")
    both = rankings_html([column, beside], theme, all_names=["BM25", "Graph"])
    assert [part.count("<p>") for part in both.split("<section")[1:]] == [2, 2], "first ranks stand beside each other"
    assert body.count("◆") == 2
    assert "<b>answer, grade 1, meets the relations</b>" in body
    assert "<b>meets the relations</b>" in body
    assert [row["Meets the relations"] for row in ranking_rows([column], has_met=True)] == ["yes", "yes"]
    assert "Meets the relations" not in ranking_rows([column])[0]


def test_the_commands_search_and_benchmark_know_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep_papers(tmp_path)
    run = Runner(tmp_path, capsys)
    asked = "papers by Mina Roy on air temperature"
    found = run("search", asked, "--collection", "papers", "--retriever", GRAPH, "--json").document
    assert [each["doc_id"] for each in found["results"]] == ["p3", "p2", "p4", "p1"]
    assert any("Mina Roy (3 documents)" in note for note in found["notes"])
    board = run("benchmark", "--collection", "papers", "--retrievers", "bm25", GRAPH, "--json").document
    assert board["retrievers"][GRAPH]["hit@1"] == 1.0
    shown = run("benchmark", "--collection", "papers", "--retrievers", GRAPH)
    assert "1 of 3 queries" in " ".join((shown.out + shown.err).split())
    assert (
        "graph needs the knowledge base"
        in run("search", "x", "--collection", "papers", "--retriever", "graph:none").mistake
    )
