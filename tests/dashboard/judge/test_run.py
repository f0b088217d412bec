"""The page Judge, view Run: what is judged and by whom, the dry run, judging in the background, the list of runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.collections import Collection, Document, Query
from core.judge.judgments import JudgeSettings
from dashboard import cache
from dashboard.judge.runs import JUDGING_JOBS
from data.collections import save_collection
from data.explore.workspace import Workspace
from data.judge.fields import retriever_field
from data.judge.rubric import DEFAULT_RUBRIC
from data.judge.runner import judge_run, make_judge
from data.judge.runs import JudgeRunRow, find_judge_run, list_judge_runs, load_field, progress_of, save_run
from data.judge.services import open_judge_model
from data.models.prices import save_prices
from tests.dashboard.apps import keys, messages, open_alone, press, settled

ODD = "Tin <b>lakes</b> *x* [y](z)"
LAKES = "We look at tin in lakes. <script>alert(1)</script> Lakes hold tin."
KINDS = ("few words", "many words")


def made_up(name: str = "small") -> Collection:
    """Eight queries of two kinds over twelve documents."""
    documents = tuple(Document(f"d{n}", f"{ODD} {n}" if n else "Tin", LAKES if n % 3 else "") for n in range(12))
    queries = tuple(Query(f"q{n}", f"tin lakes {n}", (("length", KINDS[n // 4]),)) for n in range(8))
    return Collection(name, documents, queries, (), made_up=True)


@pytest.fixture
def small(root: Path) -> Path:
    """A workspace with one collection."""
    with Workspace.open(root) as workspace:
        save_collection(workspace.store, made_up(), origin="by hand")
    return root


def open_page(**link: str | list[str]) -> AppTest:
    return open_alone("judge/page.py", **{"retrievers": "bm25", **link})


def dry_run(app: AppTest) -> dict[str, str]:
    """The numbers that it gives."""
    press(app, "judge-dry-run")
    return {metric.label: metric.value for metric in app.metric}


def judge(app: AppTest) -> JudgeRunRow:
    press(app, "judge-start")
    return list_judge_runs(cache.workspace().store)[0]


def test_a_dry_run_asks_and_keeps_nothing_and_judging_then_grades_each_triple_once(small: Path) -> None:
    app = open_page(judge_k="3")
    counts = dry_run(app)
    assert (counts["To grade"], counts["Cached"], counts["Dollars"]) == ("24", "0", "0")
    store = cache.workspace().store
    assert list_judge_runs(store) == ()
    assert store.rows("SELECT count(*) FROM judge_answers") == [(0,)]
    row = judge(app)
    progress = progress_of(store)[row.run_id]
    assert (row.state, progress.n_waiting, progress.n_triples) == ("done", 0, int(counts["Distinct"]))
    assert row.document["retrievers"] == ["bm25"]
    assert {"preset": None, "base_url": None}.items() <= row.document.items()
    assert "graded" in " ".join(caption.value for caption in app.caption)
    assert dry_run(app)["Calls"] == "0"
    app.button(key="judge-start").click().run()
    assert app.session_state["judge"] == "Results"
    assert app.session_state["judged"] == row.run_id


def test_the_link_opens_the_same_choice_and_nonsense_in_it_is_left_out(small: Path) -> None:
    link = {"judge_k": "7", "judge_n": "4", "judge_by": "length", "judge_order": "reason_first", "judge_repeat": "2"}
    app = open_page(**link, judge_rate="abc", judge_workers="9999", judge_temperature_demo="nan")
    assert app.number_input(key="judge_temperature_demo").value == 0.01
    assert app.number_input(key="judge_k").value == 7
    assert app.multiselect(key="judge_by").value == ["length"]
    assert app.selectbox(key="judge_order").value == "reason_first"
    assert app.number_input(key="judge_rate").value == 0
    assert app.number_input(key="judge_workers").value == 256
    app.number_input(key="judge_n").set_value(2).run()
    assert app.query_params["judge_n"] in ("2", ["2"])
    assert dry_run(app)["To grade"] == "14"
    row = judge(app)
    assert (row.settings.order, row.settings.repeat) == ("reason_first", 2)
    labels = {query.labels for query in load_field(cache.workspace().store, row).queries}
    assert len(labels) == 2, "a sample of two holds both kinds, though the first two queries are of one kind"


@pytest.mark.slow
def test_what_is_chosen_stays_while_the_rubric_is_looked_at(small: Path) -> None:
    app = open_page()
    app.number_input(key="judge_k").set_value(5).run()
    app.session_state["judge"] = "Rubric"
    app.run()
    app.session_state["judge"] = "Run"
    app.run()
    assert app.number_input(key="judge_k").value == 5


def test_a_missing_key_is_named_before_anything_is_asked(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    app = open_page(judge_service="gemini")
    counts = dry_run(app)
    assert counts["To grade"] == "80"
    assert "GEMINI_API_KEY" in messages(app)
    assert app.button(key="judge-start").disabled


def test_no_link_says_to_which_address_a_key_is_sent(small: Path) -> None:
    app = open_page(
        judge_service="own",
        judge_model_own="m" * 900,
        **{"judge-address-own": "http://evil.example/v1", "base_url": "http://evil/"},
    )
    assert app.text_input(key="judge-address-own").value == ""
    assert app.text_input(key="judge_model_own").value == "m" * 200


def test_more_calls_than_anybody_means_are_confirmed_once_more(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.judge.plan.MOST_UNASKED", 10)
    app = open_page(judge_k="3")
    dry_run(app)
    assert app.button(key="judge-start").disabled
    sure = next(box for box in app.checkbox if box.key and box.key.startswith("judge-sure"))
    sure.check().run()
    assert not app.button(key="judge-start").disabled
    sure.uncheck().run()
    assert app.button(key="judge-start").disabled
    assert list_judge_runs(cache.workspace().store) == ()


@pytest.mark.slow
def test_pasted_queries_are_asked_of_the_documents_that_are_chosen(small: Path) -> None:
    app = open_page(judge_source="Own queries", judge_k="2")
    assert "Paste queries" in messages(app)
    app.text_area(key="judge-pasted").set_value(f"tin lakes\n\ntin  lakes\n{ODD}").run()
    app.number_input(key="judge_n").set_value(2).run()
    assert int(dry_run(app)["To grade"]) > 0
    row = judge(app)
    field = load_field(cache.workspace().store, row)
    assert ODD in {query.text for query in field.queries}
    assert row.document["source"] == "own"


@pytest.fixture
def judged(small: Path) -> JudgeRunRow:
    """A run of the demo judge that is done."""
    workspace = cache.workspace()
    field = retriever_field(workspace, "small", ["bm25"], k=2)
    model = open_judge_model("demo")
    settings = JudgeSettings("demo", DEFAULT_RUBRIC)
    run_id = save_run(workspace.store, "mine", make_judge(workspace.store, settings, model), field, {})
    judge_run(workspace.store, run_id, model)
    return find_judge_run(workspace.store, run_id)


def test_results_of_a_file_are_judged_and_rejected_rows_are_spoken_of(small: Path) -> None:
    app = open_page(judge_source="A file of results")
    rows = [
        "engine,query,rank,title,abstract",
        f"A,tin lakes,1,{ODD},{LAKES}",
        f"B,tin lakes,1,{ODD},{LAKES}",
        "B,x,no,y,",
    ]
    app.file_uploader(key="judge-result-files").set_value([("found.csv", "\n".join(rows).encode(), "text/csv")]).run()
    counts = dry_run(app)
    assert (counts["To grade"], counts["Distinct"]) == ("2", "1")
    assert "rejected" in " ".join(each.value for each in app.markdown)
    row = judge(app)
    assert load_field(cache.workspace().store, row).engines == ("A", "B")
    assert row.document["files"] == ["found.csv"]


@pytest.mark.slow
def test_queries_of_a_file_are_sampled_by_their_kinds(small: Path) -> None:
    app = open_page(judge_source="Own queries", judge_k="1")
    table = "query,length\n" + "".join(f"tin lakes {n},{KINDS[n // 4]}\n" for n in range(8))
    app.file_uploader(key="judge-query-file").set_value(("mine.csv", table.encode(), "text/csv")).run()
    app.number_input(key="judge_n").set_value(2).run()
    shown = next(each.value for each in app.dataframe if "Sampled" in each.value)
    assert list(shown["Sampled"]) == [1, 1]
    assert dry_run(app)["To grade"] == "2"


def test_a_name_is_changed_and_a_deleted_run_comes_back(judged: JudgeRunRow) -> None:
    app = open_page()
    row, store = judged, cache.workspace().store
    app.text_input(key=f"judge-name-{row.run_id}").set_value(ODD).run()
    assert find_judge_run(store, row.run_id).name == ODD
    app.text_input(key=f"judge-name-{row.run_id}").set_value(" ").run()
    assert "printable" in messages(app)
    app.button(key=f"judge-delete-{row.run_id}").click().run()
    assert list_judge_runs(store) == ()
    app.button(key="judge-undo").click().run()
    assert [(each.run_id, each.name) for each in list_judge_runs(store)] == [(row.run_id, ODD)]
    assert "judge-undo" not in keys(app)


def test_a_run_that_was_killed_is_called_interrupted_and_goes_on(judged: JudgeRunRow) -> None:
    row, store = judged, cache.workspace().store
    n = progress_of(store)[row.run_id].n_triples
    store.execute("UPDATE judge_runs SET state = 'running'")
    store.execute("DELETE FROM judge_answers WHERE triple_key = (SELECT min(triple_key) FROM judge_answers)")
    app = open_page()
    said = " ".join(caption.value for caption in app.caption)
    assert "Interrupted" in said
    assert f"{n - 1:,} of {n:,} graded" in said
    settled(app.button(key=f"judge-resume-{row.run_id}").click().run())
    assert find_judge_run(store, row.run_id).state == "done"
    assert f"judge-resume-{row.run_id}" not in keys(app)


def test_failures_say_why_and_what_helps(judged: JudgeRunRow) -> None:
    row, store = judged, cache.workspace().store
    store.execute("UPDATE judge_answers SET status = 'http_error', points = NULL, reason = ? WHERE true", [ODD])
    app = open_page()
    assert "Resume to retry" in messages(app)
    captions = " ".join(caption.value for caption in app.caption)
    assert "0 of" in captions
    assert "<b>" not in captions.replace("\\<b\\>", "")
    store.execute("UPDATE judge_answers SET status = 'invalid_scale', reason = '84'")
    app.run()
    settled(app.button(key=f"judge-again-{row.run_id}").click().run())
    progress = progress_of(store)[row.run_id]
    assert progress.n_valid == progress.n_triples


def test_a_key_that_went_missing_is_named_where_a_run_is_resumed(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    workspace = cache.workspace()
    field = retriever_field(workspace, "small", ["bm25"], k=1)
    model = open_judge_model("gemini-2.5-flash-lite", preset="gemini", only_plan=True)
    judge = make_judge(workspace.store, JudgeSettings("gemini-2.5-flash-lite", DEFAULT_RUBRIC), model)
    run_id = save_run(workspace.store, "mine", judge, field, {"preset": "gemini"})
    app = open_page()
    app.button(key=f"judge-resume-{run_id}").click().run()
    assert "GEMINI_API_KEY" in messages(app)
    assert JUDGING_JOBS.find(run_id) is None


@pytest.mark.slow
def test_dollars_follow_the_price_table(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nothing")
    save_prices(cache.workspace().store, [{"model": "gpt-4.1-mini", "prompt": "1000", "answer": "1000"}])
    app = open_page(judge_service="openai")
    assert float(dry_run(app)["Dollars"].replace(",", "")) > 1
    assert "sk-nothing" not in repr([app.main, app.query_params])


@pytest.mark.slow
def test_versions_of_a_topic_are_drawn_and_asked_about_in_a_question(root: Path, filled: Path) -> None:
    shutil.copytree(filled, root)
    app = open_page(judge_source="Query versions", judge_k="3")
    topic = app.multiselect(key="judge_topics").value[0]
    app.text_input(key=f"judge-question-{topic}").set_value("Does shade cool streets?").run()
    dry_run(app)
    row = judge(app)
    field = load_field(cache.workspace().store, row)
    assert [query.text for query in field.queries] == ["Does shade cool streets?"]
    assert (row.document["take"], row.document["topics"]) == ("sample", [topic])


@pytest.mark.slow
def test_one_click_judges_the_made_up_collection_and_shows_the_results(root: Path) -> None:
    app = open_page()
    app.button(key="judge-demo").click().run()
    for _ in range(3):
        settled(app)
    (row,) = list_judge_runs(cache.workspace().store)
    assert (row.state, row.settings.model) == ("done", "demo")
    assert app.session_state["judge"] == "Results"
    assert json.loads(json.dumps(dict(row.document)))["collection"] == "demo"
