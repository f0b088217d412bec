"""Queries that models write: as a command, and on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from streamlit.testing.v1 import AppTest

from core.knowledge.synthesis import SynthesizedQuery
from dashboard import cache
from dashboard.knowledge.synthesis import answers_group
from data.collections import load_collection
from data.explore.workspace import Workspace
from data.importers.collection_files import read_collection
from data.knowledge.demo_writer import NOTE
from data.knowledge.synthesis_runs import StoreSynthesisLog, list_syntheses, load_made
from tests.dashboard.apps import messages, open_alone, ran, settled, shown
from tests.dashboard.runs import Runner
from tests.data.knowledge_bases import parts_of

TOPICS = ("street trees", "night shifts", "battery cells")
ODD = "Ito <b>Kenji</b> *x* [y](z)"


def fill(root: Path) -> None:
    """Six authors of twelve papers, two each."""
    entities = {f"a{n}": ("author", f"Author {n}x" if n else ODD) for n in range(6)}
    papers = {}
    relations = []
    for n in range(12):
        topic = TOPICS[n % 3]
        text = f"We look at {topic}. <script>alert({n})</script> We count {topic} in many places. So {topic} matter."
        papers[f"p{n}"] = ("paper", f"Paper {n}z", text)
        relations += [(f"a{who % 6}", "author___writes___paper", f"p{n}") for who in (n, n + 2)]
    parts = parts_of({**entities, **papers}, relations, answer_types=("paper",), templates="mag")
    with Workspace.open(root) as workspace:
        workspace.knowledge.save("small", parts, origin="by hand")


@pytest.fixture
def small(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    fill(tmp_path / "ws")
    return Runner(tmp_path / "ws", capsys)


def synthesize(run: Runner, *more: object) -> tuple[object, ...]:
    return ("knowledge", "synthesize", "small", "--n", 4, *more)


# The command


def test_a_dry_run_sends_and_keeps_nothing(small: Runner) -> None:
    plan = small(*synthesize(small, "--dry-run", "--fuse", "m-1", "--price", "m-1=1,2", "--json")).document
    by_step = {load["step"]: load for load in plan["loads"]}
    assert (by_step["fuse"]["model"], by_step["fuse"]["n_calls"], by_step["fuse"]["most_calls"]) == ("m-1", 4, 12)
    assert by_step["filter"]["n_calls"] >= 4
    fuse = by_step["fuse"]
    assert fuse["cost"][0] == pytest.approx((fuse["n_prompt_tokens"] + 2 * fuse["n_answer_tokens"]) / 1e6)
    assert plan["cost"] == fuse["cost"]
    assert "divided by 4" in plan["how"]
    shown = small(*synthesize(small, "--dry-run", "--fuse", "m-1"))
    assert "--price m-1=IN,OUT" in shown.out
    with Workspace.open(small.root) as workspace:
        assert list_syntheses(workspace.store) == ()


def test_queries_are_written_saved_and_exported_once(small: Runner, tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = small(*synthesize(small, "--save-as", "mine", "--export", out, "--json")).document
    assert (found["n"], found["collection"]) == (4, "mine")
    assert found["verification"]["n"] == 4
    assert sum(found["states"].values()) == 4
    assert found["notes"][-1] == NOTE
    complete = {each["id"]: each for each in found["queries"] if each["state"] == "complete"}
    with Workspace.open(small.root) as workspace:
        kept = load_collection(workspace.store, "mine")
    assert {query.query_id: query.text for query in kept.queries} == {k: each["query"] for k, each in complete.items()}
    read = read_collection(out).collection
    assert {(j.query_id, j.doc_id) for j in read.judgments} == {
        (k, doc_id) for k, each in complete.items() for doc_id in each["answers"]
    }
    again = small(*synthesize(small, "--json")).document
    assert again["n_asked"] == 0
    assert again["queries"] == found["queries"]
    shown = small(*synthesize(small, "--save-as", "mine", "--replace"))
    assert "accepted by demo: " in shown.out
    assert 'the collection "mine".' in shown.out


@pytest.mark.parametrize(
    ("flags", "mistake"),
    [
        (("--templates", "mag-autor"), "no template"),
        (("--templates", "mag-author=x"), "with a weight"),
        (("--price", "m=1"), "not a price"),
        (("--n", "0"), "must be from 1"),
        (("--fuse", "gpt-x"), "demo"),
        (("--filter", "demo", "--filter", "demo"), "named twice"),
    ],
)
def test_mistakes_are_one_line(
    small: Runner, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...], mistake: str
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    assert mistake in small(*synthesize(small, *flags)).mistake


def test_a_service_that_answers_nothing_is_no_success(
    small: Runner, monkeypatch: pytest.MonkeyPatch, httpserver: HTTPServer
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-made-up")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    httpserver.expect_request("/v1/chat/completions").respond_with_data("no", status=400)
    asked = synthesize(small, "--extract", "m-1", "--base-url", httpserver.url_for("/v1"))
    host, mistake = small(*asked).err.splitlines()
    assert httpserver.host in host
    assert "sk-made-up" not in host + mistake
    assert "nothing was answered" in mistake


# The page


def open_page(**link: str) -> AppTest:
    return open_alone("knowledge/page.py", **{"kb": "Synthesis", **link})


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label == label).click()
    ran(app)


def written(app: AppTest) -> AppTest:
    """After the dry run and the writing."""
    press(app, "Dry run")
    assert "About $0.00" in shown(settled(app))
    press(app, "Write the queries")
    assert not settled(app).error
    return app


def group_size(made: SynthesizedQuery, column: str) -> int:
    group = answers_group(cache.workspace().knowledge.open("small"), made, column)
    assert group is not None
    assert len(group.rows) == len(group)
    return len(group)


def test_queries_are_written_opened_and_saved(root: Path) -> None:
    fill(root)
    app = open_page()
    assert "dry run first" in shown(app)
    assert all(button.label != "Write the queries" for button in app.button)
    app.number_input(key="synthesis-n").set_value(5)
    app = written(app)
    table = next(frame.value for frame in app.dataframe if "By relation" in frame.value)
    assert len(table) == 5
    store = cache.workspace().store
    made = load_made(StoreSynthesisLog(store, list_syntheses(store)[0].synthesis_id), list_syntheses(store)[0].settings)
    for each, row in zip(made, table.to_dict("records"), strict=True):
        for column in ("Answers", "By relation"):
            assert group_size(each, column) == row[column]
        assert answers_group(cache.workspace().knowledge.open("small"), each, "No.") is None
    assert any(metric.label == "Gold answers accepted" for metric in app.metric)
    prompts = [code.value for code in app.code]
    assert any("[document " in prompt for prompt in prompts)
    assert any("<script>" in prompt for prompt in prompts)
    assert not any("<script>" in html.proto.body for html in app.get("html"))
    app.text_input(key=next(w.key for w in app.text_input if w.label == "Collection")).set_value("mine")
    app.run()
    press(app, "Save as a collection")
    assert load_collection(cache.workspace().store, "mine").queries
    (row,) = list_syntheses(cache.workspace().store)
    link = open_page(synthesis=row.synthesis_id, **{"synthesis-item": "3"})
    assert link.selectbox(key="synthesis-item").value == "3"


def test_user_text_is_never_markup(root: Path) -> None:
    fill(root)
    app = open_page()
    app.number_input(key="synthesis-n").set_value(12)
    app = written(app)
    table = next(frame.value for frame in app.dataframe if "By relation" in frame.value)
    place = next(n for n, query in enumerate(table["Query"]) if "Kenji" in query)
    app.selectbox(key="synthesis-item").set_value(str(place))
    app.run()
    shown = [part.value for part in (*app.markdown, *app.caption) if "Kenji" in str(part.value)]
    assert shown
    assert all("\\<b\\>Kenji" in value and "\\*x\\*" in value and "\\[y\\]" in value for value in shown)


def test_a_paid_model_needs_a_price_and_a_key(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    fill(root)
    app = open_page()
    app.text_input(key="synthesis-fuse").set_value("gpt-x")
    app.run()
    press(app, "Dry run")
    settled(app)
    assert "Enter the prices" in shown(app)
    app.number_input(key="price-in-gpt-x").set_value(1000.0)
    app.number_input(key="price-out-gpt-x").set_value(1000.0)
    app.run()
    assert "At most" not in messages(app)
    assert "About $" in shown(app)
    press(app, "Write the queries")
    assert "OPENAI_API_KEY" in messages(app)
    assert list_syntheses(cache.workspace().store) == ()


def test_what_was_stopped_goes_on(root: Path) -> None:
    fill(root)
    app = open_page()
    app.number_input(key="synthesis-n").set_value(3)
    app = written(app)
    (row,) = list_syntheses(cache.workspace().store)
    store = cache.workspace().store
    store.execute("DELETE FROM synthesis_calls WHERE item = 1 AND step = 'filter'")
    store.execute("DELETE FROM synthesis_items WHERE item = 2")
    keeper = StoreSynthesisLog(store, row.synthesis_id)
    keeper.keep_item(keeper.items()[1][0])
    app = open_page(synthesis=row.synthesis_id)
    assert any("2 queries are unfinished" in each.label for each in app.expander)
    press(app, "Dry run")
    settled(app)
    press(app, "Resume")
    settled(app)
    assert any("Write more queries" in each.label for each in app.expander)
    assert list_syntheses(store)[0].n_over == 3
    press(app, "Delete")
    assert list_syntheses(store) == ()


def test_a_base_without_templates_says_so(root: Path) -> None:
    parts = parts_of({"p1": ("paper", "A"), "p2": ("paper", "B")}, [("p1", "x", "p2")])
    with Workspace.open(root) as workspace:
        workspace.knowledge.save("bare", parts, origin="by hand")
    app = open_page()
    assert "has no templates" in messages(app)
