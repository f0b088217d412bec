"""The page Retrievers without a browser: choose, run, resume, what fails, what can be told apart, runs from files."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.collections import Collection, Document, Judgment, Query, check
from core.errors import ServiceError
from core.retrieval.leaderboard import score_runs
from core.retrieval.specs import PRESETS, Spec, read_spec
from dashboard import cache
from dashboard.kit.figure_frame import look_at
from dashboard.retrieval import runs
from dashboard.retrieval.collection import ADDING_JOBS
from dashboard.retrieval.leaderboard import table_html, table_of
from dashboard.retrieval.retrievers import BASE, called
from data.collections import list_runs, load_collection, save_collection, save_run
from data.explore.workspace import Workspace
from data.retrieval.collections import open_collection
from data.retrieval.runs import known_run, run_retriever
from tests.core.leaderboards import a_leaderboard
from tests.dashboard.apps import click, messages, open_alone, press
from tests.data.workspaces import fill

TEAS = ("green", "black", "white", "oolong", "herbal", "smoky")
N = len(TEAS)
ODD = "*Odd* <img src=x onerror=alert(1)> $x$"


def a_collection(name: str = "teas", *, first: int = 1) -> Collection:
    """One document about each tea, some about two, and a question for each."""
    documents = [Document(f"d{n}", f"{tea} tea", f"steeping {tea} leaves in a kettle") for n, tea in enumerate(TEAS)]
    documents += [Document(f"e{n}", f"cups for {tea} tea", "porcelain and clay") for n, tea in enumerate(TEAS)]
    queries = [
        Query(f"{first + n}", f"how to steep {tea} leaves", (("kind", "short" if n % 2 else "long"),))
        for n, tea in enumerate(TEAS)
    ]
    judgments = [Judgment(f"{n + 1}", f"d{n}", 1) for n in range(N)]
    halves = {"dev": ("1", "2", "3"), "test": ("4", "5", "6")} if first == 1 else {}
    return Collection(name, tuple(documents), tuple(queries), tuple(judgments), halves)


def keep(root: Path, *collections: Collection) -> None:
    with Workspace.open(root) as workspace:
        for collection in collections:
            save_collection(workspace.store, collection, origin="made up", oddities=check(collection))


def open_page(**link: Any) -> AppTest:
    """The page alone, as a link opens it."""
    return open_alone("retrieval/page.py", **link)


def board_of(app: AppTest) -> str:
    """The leaderboard's HTML; empty where there is none."""
    return next((html.proto.body for html in app.get("html") if "qs-board" in html.proto.body), "")


def names_on(app: AppTest) -> list[str]:
    return re.findall(r'<th scope="row"><i [^>]*></i>([^<]*)(?:<small.*?</small>)?</th>', board_of(app))


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption).replace("\\", "")


def test_an_empty_workspace_says_what_a_collection_is(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def bring(workspace: Workspace) -> bool:
        save_collection(workspace.store, a_collection("demo"), origin="made up")
        return True

    monkeypatch.setattr("dashboard.retrieval.collection.bring_benchmark", bring)
    app = open_page()
    assert "no collection yet" in messages(app)
    press(app, "add-demo")
    assert app.selectbox(key="collection").value == "demo"
    assert f"{2 * N} documents, {N} queries" in captions(app)


def test_what_is_run_stands_on_the_leaderboard_with_the_numbers_of_a_direct_call(root: Path) -> None:
    keep(root, a_collection())
    app = open_page(retrievers=["bm25", "bm25:k1=0,b=0"])
    assert "nothing to compare" in messages(app)
    press(app, "run-retrievers")
    assert sorted(names_on(app)) == ["BM25", "BM25 (k1 0, b 0)"]
    workspace = cache.workspace()
    opened = open_collection(workspace, "teas")
    saved = known_run(workspace, opened, Spec("bm25"))
    assert saved is not None
    value = score_runs([saved.run], opened.collection).scores[0].values["ndcg@10"]
    assert f"{value:.3f}" in board_of(app)
    assert app.button(key="run-retrievers").disabled
    assert f"{N} queries scored" in captions(app)
    assert "don't differ clearly" in app.header[0].value.replace("\\", "")


def test_the_choice_comes_from_the_link_and_stands_in_it(root: Path) -> None:
    keep(root, a_collection(), a_collection("more"))
    app = open_page(collection="teas", split="test", retrievers=["boolean"], rank_by="map", kept="10")
    assert app.selectbox(key="collection").value == "teas"
    assert app.selectbox(key="split").value == "test"
    press(app, "run-retrievers")
    (run,) = list_runs(cache.workspace().store, "teas", "test")
    assert run.spec_text == "boolean"
    assert "3 queries scored" in captions(app)
    assert app.selectbox(key="rank_by").value == "map"
    app.multiselect(key="retrievers").set_value(["bm25", "bm25:k1=2"]).run()
    assert app.query_params["retrievers"] == ["bm25", "bm25:k1=2"]
    assert app.query_params["split"] == "test"
    assert app.query_params["kept"] == "10"


def test_what_makes_no_sense_is_said_and_the_rest_is_run(root: Path) -> None:
    keep(root, a_collection())
    app = open_page(collection="gone", retrievers=["bm25", "bm25:k1=much", f"nothing{ODD}", "QAGNN"])
    said = messages(app)
    assert 'in the link: "gone"' in said
    assert "k1 must be" in said.lower()
    assert "is no retriever" in said.lower()
    assert "QAGNN can't run here" in said
    press(app, "run-retrievers")
    assert names_on(app) == ["BM25"]


def test_one_that_can_not_run_here_says_what_it_needs(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    keep(root, a_collection())
    app = open_page(retrievers=["ada-002"])
    assert "OPENAI_API_KEY" in captions(app)
    assert "under Literature" in captions(app)
    assert app.button(key="run-retrievers").disabled


def test_a_retriever_that_fails_names_itself_and_stops_no_other(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(workspace: Any, opened: Any, spec: Spec, *rest: Any, **more: Any) -> Any:
        if spec.kind == "boolean":
            raise ServiceError(f"the service said {ODD}")
        if spec.k1 == 2:
            raise ZeroDivisionError
        return run_retriever(workspace, opened, spec, *rest, **more)

    monkeypatch.setattr(runs, "run_retriever", run)
    keep(root, a_collection())
    app = press(open_page(retrievers=["boolean", "bm25:k1=2", "bm25"]), "run-retrievers")
    assert names_on(app) == ["BM25"]
    assert f"Boolean: the service said {ODD}" in messages(app)
    assert "BM25 (k1 2): failed unexpectedly" in messages(app)
    assert app.button(key="run-retrievers").label == "Run 2 retrievers"


def test_a_run_that_was_stopped_is_told_and_goes_on(root: Path) -> None:
    keep(root, a_collection())
    with Workspace.open(root) as workspace:
        opened = open_collection(workspace, "teas")
        whole = run_retriever(workspace, opened, read_spec("bm25"))
        part = whole.run.of("bm25", whole.run.doc_ids, [(i, *whole.run.answer(i)) for i in whole.run.query_ids[:2]])
        times = {stage: ms[:2] for stage, ms in whole.stages_ms.items()}
        save_run(workspace.store, replace(whole, run=part, stages_ms=times))
    app = open_page(retrievers=["bm25"])
    assert f"BM25: 2 of {N} queries answered" in captions(app)
    assert board_of(app) == ""
    assert app.button(key="run-retrievers").label == "Resume BM25"
    press(app, "run-retrievers")
    assert names_on(app) == ["BM25"]


def test_the_numbering_trap_is_told_and_mended(root: Path) -> None:
    keep(root, a_collection(first=101))
    app = open_page(retrievers=["bm25"])
    assert any("from 1 to 6" in text.value for text in app.markdown)
    press(app, "repair")
    assert load_collection(cache.workspace().store, "teas").query_ids == tuple(str(n) for n in range(1, N + 1))
    assert not [button for button in app.button if button.key == "repair"]
    press(app, "run-retrievers")
    assert f"{N} queries scored" in captions(app)


def write_beir(folder: Path, collection: Collection) -> Path:
    """As BEIR lays a collection out."""
    (folder / "qrels").mkdir(parents=True)
    documents = [{"_id": d.doc_id, "title": d.title, "text": d.text} for d in collection.documents]
    queries = [{"_id": q.query_id, "text": q.text} for q in collection.queries]
    for name, rows in (("corpus", documents), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    lines = [f"{j.query_id}\t{j.doc_id}\t{j.relevance}\n" for j in collection.judgments]
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(lines), "utf-8")
    return folder


def add(app: AppTest, where: str, name: str = "") -> AppTest:
    app.text_input[0].set_value(where)
    app.text_input[1].set_value(name)
    next(button for button in app.button if button.label == "Add").click().run()
    cache.jobs().wait()
    return app.run()


def test_a_folder_comes_in_is_shown_and_can_be_deleted_again(root: Path, tmp_path: Path) -> None:
    keep(root, a_collection("aaa"))
    folder = write_beir(tmp_path / "files", a_collection())
    app = open_page()
    assert app.selectbox(key="collection").value == "aaa"
    add(app, str(folder), "mine")
    assert app.selectbox(key="collection").value == "mine"
    assert app.success[0].value.replace("\\", "") == "mine: added."
    add(app, str(folder), "mine")
    assert "already" in messages(app)
    assert app.button(key="delete-collection").disabled
    app.checkbox(key="sure-mine").check().run()
    click(app, "delete-collection")
    assert app.selectbox(key="collection").options == [f"aaa ({N} queries)"]


@pytest.mark.parametrize(
    ("where", "said"),
    [("", "Enter a folder"), ("/no/such\0folder", "No such folder"), ("https://x.org", "Choose the layout")],
)
def test_a_place_that_can_not_be_is_refused_at_once(root: Path, where: str, said: str) -> None:
    app = open_page()
    app.text_input[0].set_value(where)
    next(button for button in app.button if button.label == "Add").click().run()
    assert said in messages(app)
    assert ADDING_JOBS.find() is None


def test_a_run_with_failed_candidates_says_so_and_can_be_made_again(root: Path) -> None:
    keep(root, a_collection())
    with Workspace.open(root) as workspace:
        whole = run_retriever(workspace, open_collection(workspace, "teas"), read_spec("bm25"))
        save_run(workspace.store, replace(whole, n_failed=3))
    app = open_page(retrievers=["bm25"])
    assert "3 candidates" in messages(app)
    press(app, f"again-{whole.run_id}")
    assert "candidates could not" not in messages(app)


def test_a_run_from_a_file_stands_beside_and_can_be_removed(root: Path) -> None:
    keep(root, a_collection())
    app = press(open_page(retrievers=["bm25"]), "run-retrievers")
    lines = "".join(f"{n} Q0 e{n - 1} 1 1.0 BM25\n" for n in range(1, 4))
    app.file_uploader[0].set_value(("other.run", lines.encode(), "text/plain")).run()
    press(app, "add-run")
    assert names_on(app) == ["BM25", "BM25 (2)"]
    assert "document for 3 of 6" in messages(app)
    (row,) = [row for row in list_runs(cache.workspace().store, "teas", None) if not row.spec_text]
    press(app, f"remove-{row.run_id}")
    assert names_on(app) == ["BM25"]


def test_a_file_that_is_no_run_is_refused(root: Path) -> None:
    keep(root, a_collection())
    app = open_page(retrievers=["bm25"])
    app.file_uploader[0].set_value(("x.run", b"this is no run\n", "text/plain")).run()
    app.button(key="add-run").click().run()
    assert app.error
    assert not list_runs(cache.workspace().store, "teas", None)


@pytest.mark.slow
def test_rules_of_stark_are_another_leaderboard_that_says_so(root: Path) -> None:
    keep(root, a_collection())
    app = press(open_page(retrievers=["bm25"], scored_as="stark-2024"), "run-retrievers")
    assert "Scored as stark-2024 does" in messages(app)
    app.selectbox(key="scored_as").set_value("").run()
    assert "stark-2024" not in messages(app)


def test_signs_are_held_to_the_run_that_is_chosen(root: Path) -> None:
    keep(root, a_collection())
    app = press(open_page(retrievers=["boolean", "bm25"], baseline="Boolean"), "run-retrievers")
    assert app.selectbox(key="baseline").value == "Boolean"
    assert "clearly worse than Boolean" in captions(app)


@pytest.mark.slow
@pytest.mark.parametrize("view", ["By k and query", "By kind of query", "Speed", "Literature"])
def test_every_view_is_drawn(root: Path, view: str) -> None:
    keep(root, a_collection())
    app = press(open_page(retrievers=["boolean", "bm25"], ranking=view), "run-retrievers")
    assert not app.error
    assert board_of(app) == ""


@pytest.mark.slow
def test_a_topic_is_a_collection_of_its_versions(root: Path) -> None:
    fill(root)
    app = press(open_page(retrievers=["bm25"]), "run-retrievers")
    assert app.selectbox(key="collection").value == "topic:Tea Brewing"
    assert names_on(app) == ["BM25"]
    assert "lower bound" in " ".join(text.value for text in app.markdown)


@pytest.mark.slow
def test_own_settings_join_the_choice(root: Path) -> None:
    keep(root, a_collection())
    app = open_page(retrievers=["bm25"])
    app.selectbox(key="own-kind").set_value("bm25").run()
    app.number_input(key="own-bm25-k1").set_value(0.9).run()
    press(app, "add-own")
    assert app.multiselect(key="retrievers").value == ["bm25", "bm25:k1=0.9"]


def test_retrievers_are_called_what_people_call_them() -> None:
    assert [called(read_spec(text)) for text in BASE[:2]] == ["BM25", "Dense"]
    assert called(Spec("hybrid", embedder="lsa", fusion="weighted", weight=0.7)) == (
        "Hybrid (lsa, fusion weighted, weight 0.7)"
    )
    assert called(Spec("llm_reranker", model="demo")).startswith("LLM reranker (demo, not")


def cells_of(html: str, name: str) -> Sequence[str]:
    row = re.search(rf"{re.escape(name)}(?:<small.*?</small>)?</th>(.*?)</tr>", html)
    assert row is not None
    return re.findall(r"<td>(.*?)</td>", row[1])


def test_runs_have_the_colours_of_the_figures() -> None:
    board = a_leaderboard({name: {"ndcg@10": 0.5} for name in "abcdef"})
    html = table_html(table_of(board, "ndcg@10"), "light", caption="x")
    for place in range(6):
        assert html.count(f"background:{look_at(place, 'light').colour}") == 1


def test_the_table_marks_the_best_and_what_is_clearly_worse() -> None:
    values: dict[str, dict[str, float | None]] = {
        "a": {"ndcg@10": 0.5, "map": 0.4},
        ODD: {"ndcg@10": 0.7, "map": None},
    }
    board = a_leaderboard(values, clear=(("a", ODD),))
    html = table_html(table_of(board, "ndcg@10"), "light", caption="x")
    assert "<img" not in html
    odd = "*Odd* &lt;img src=x onerror=alert(1)&gt; $x$"
    assert html.index(odd) < html.index("</i>a<small")
    best, nothing = cells_of(html, odd)
    assert "answers 100 %" in html
    assert "<b>0.700" in best
    assert "–" in nothing
    worse, alone = cells_of(html, "</i>a")
    assert "▼" in worse
    assert "0.400 to 0.600" in worse
    assert "▼" not in alone
    held = cells_of(table_html(table_of(board, "ndcg@10", against="a"), "dark", caption="x"), odd)
    assert "▲" in held[0]


def test_a_mean_over_fewer_queries_has_a_line_of_its_own_that_says_so() -> None:
    board = a_leaderboard({"a": {"map": 0.25}, "b": {"map": 0.5}})
    silent = replace(board.scores[0], n_unanswered=3, over_answered={"map": 1.0})
    html = table_html(table_of(replace(board, scores=(silent, board.scores[1])), "map"), "light", caption="x")
    assert re.search("</i>a<small[^>]*>answers 25 %", html)
    assert cells_of(html, "a, over 1 answered query") == ["1.000"]
    assert "b, over" not in html


def test_recall_says_how_high_it_can_be() -> None:
    board = replace(a_leaderboard({"a": {"recall@20": 0.1, "map": 0.2}}), ceilings={"recall@20": 0.125})
    html = table_html(table_of(board, "map"), "light", caption="x")
    assert "Recall@20<small>at most 0.125</small>" in html
    assert html.count("<small>at most") == 1
    assert "<small>at most" not in table_html(
        table_of(replace(board, ceilings={"recall@20": 1.0}), "map"), "dark", caption="x"
    )


def test_the_scripted_model_is_not_called_a_language_model(root: Path) -> None:
    keep(root, a_collection())
    app = open_page(collection="teas", retrievers=["llm_reranker:demo"])
    assert "script that compares" in captions(app)


def test_what_was_published_has_the_same_digits_in_every_row_and_no_none(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    keep(root, a_collection())
    needs = {preset.name: preset.needs for preset in PRESETS}
    table = open_page(collection="teas", ranking="Literature").dataframe[0].value.set_index("Retriever")
    published = table[[column for column in table.columns if column.endswith("published")]]
    assert published.map(lambda text: re.fullmatch(r"–|\d+\.\d{2}|\d\.\d{4}", text) is not None).all(axis=None)
    assert table.loc["GPT-4 reranker", "Here"] == f"needs {needs['GPT-4 reranker']}"


def test_a_folder_without_a_collection_does_not_lead_to_a_topic(root: Path, tmp_path: Path) -> None:
    fill(root)
    keep(root, a_collection())
    (tmp_path / "nonsense").mkdir()
    app = add(open_page(collection="teas"), str(tmp_path / "nonsense"))
    assert "has no collection" in messages(app)
    assert app.selectbox(key="collection").value == "teas"
    assert not app.success


def test_a_collection_for_evaluation_programs(root: Path) -> None:
    odd = replace(a_collection("odd"), judgments=(Judgment("1", "d 0", 1), Judgment("1", "d%200", 1)))
    keep(root, a_collection(), odd, replace(a_collection("unjudged"), judgments=()))
    for name, is_disabled in (
        ("teas", [False, False]),
        ("odd", [False, True]),
        ("unjudged", [False, True]),
    ):
        app = open_page(collection=name)
        assert not app.exception
        buttons = {each.proto.label: each.proto.disabled for each in app.get("download_button")}
        assert [buttons["BEIR (.zip)"], buttons["Qrels (TREC)"]] == is_disabled, name
