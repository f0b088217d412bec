"""The page Judge, view Run: what is judged and by whom, the dry run, judging in the background, the list of runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.ranking.types import Collection, Document, Query
from dashboard import cache
from data.collections.stored import save_collection
from data.judging.keeping import JudgeRunRow, find_judge_run, list_judge_runs, load_field
from data.judging.listing import progress_of
from data.workspace import Workspace
from tests.dashboard.apps import SECONDS, messages

PAGE = Path(__file__).parents[2] / "dashboard" / "app_pages" / "judge.py"
ODD = "Tin <b>lakes</b> *x* [y](z)"
LAKES = "We look at tin in lakes. <script>alert(1)</script> Lakes hold tin."
KINDS = ("few words", "many words")


def small(name: str = "small") -> Collection:
    """Eight queries of two kinds over twelve documents."""
    documents = tuple(Document(f"d{n}", f"{ODD} {n}" if n else "Tin", LAKES if n % 3 else "") for n in range(12))
    queries = tuple(Query(f"q{n}", f"tin lakes {n}", (("length", KINDS[n // 4]),)) for n in range(8))
    return Collection(name, documents, queries, (), made_up=True)


@pytest.fixture
def filled(root: Path) -> Path:
    """A workspace with one collection."""
    with Workspace.open(root) as workspace:
        save_collection(workspace.store, small(), origin="by hand")
    return root


def open_page(**link: str | list[str]) -> AppTest:
    app = AppTest.from_file(str(PAGE), default_timeout=SECONDS)
    for name, value in ({"retrievers": "bm25"} | link).items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def waited(app: AppTest) -> AppTest:
    cache.jobs().wait()
    app.run()
    assert not app.exception
    return app


def dry_run(app: AppTest) -> dict[str, str]:
    """The numbers that it gives."""
    app.button(key="judge-dry-run").click().run()
    waited(app)
    return {metric.label: metric.value for metric in app.metric}


def judge(app: AppTest) -> JudgeRunRow:
    app.button(key="judge-start").click().run()
    waited(app)
    return list_judge_runs(cache.workspace().store)[0]


def keys(app: AppTest) -> set[str]:
    return {button.key for button in app.button if button.key}


def test_a_dry_run_asks_and_keeps_nothing_and_judging_then_grades_each_triple_once(filled: Path) -> None:
    app = open_page(judge_k="3")
    counts = dry_run(app)
    assert (counts["To grade"], counts["Known"], counts["Dollars"]) == ("24", "0", "0")
    store = cache.workspace().store
    assert list_judge_runs(store) == ()
    assert store.rows("SELECT count(*) FROM judge_answers") == [(0,)]
    row = judge(app)
    progress = progress_of(store)[row.run_id]
    assert (row.state, progress.n_waiting, progress.n_triples) == ("done", 0, int(counts["Different"]))
    assert row.document["retrievers"] == ["bm25"]
    assert {"preset": None, "base_url": None}.items() <= row.document.items()
    assert "graded" in " ".join(caption.value for caption in app.caption)
    assert dry_run(app)["Calls"] == "0"


def test_the_link_opens_the_same_choice_and_nonsense_in_it_is_left_out(filled: Path) -> None:
    link = {"judge_k": "7", "judge_n": "4", "judge_by": "length", "judge_order": "reason_first", "judge_repeat": "2"}
    app = open_page(**link, judge_rate="abc", judge_workers="9999")
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


def test_what_is_chosen_stays_while_the_rubric_is_looked_at(filled: Path) -> None:
    app = open_page()
    app.number_input(key="judge_k").set_value(5).run()
    app.session_state["judge"] = "Rubric"
    app.run()
    app.session_state["judge"] = "Run"
    app.run()
    assert app.number_input(key="judge_k").value == 5


def test_a_missing_key_is_named_before_anything_is_asked(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    app = open_page(judge_service="gemini")
    counts = dry_run(app)
    assert counts["To grade"] == "80"
    assert "GEMINI_API_KEY" in messages(app)
    assert app.button(key="judge-start").disabled


def test_no_link_says_to_which_address_a_key_is_sent(filled: Path) -> None:
    app = open_page(judge_service="own", **{"judge-address-own": "http://evil.example/v1", "base_url": "http://evil/"})
    assert app.text_input(key="judge-address-own").value == ""


def test_more_calls_than_anybody_means_are_confirmed_once_more(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.judging.planning.MOST_UNASKED", 10)
    app = open_page(judge_k="3")
    dry_run(app)
    assert app.button(key="judge-start").disabled
    sure = next(box for box in app.checkbox if box.key and box.key.startswith("judge-sure"))
    sure.check().run()
    assert not app.button(key="judge-start").disabled
    sure.uncheck().run()
    assert app.button(key="judge-start").disabled
    assert list_judge_runs(cache.workspace().store) == ()


def test_pasted_queries_are_asked_of_the_documents_that_are_chosen(filled: Path) -> None:
    app = open_page(judge_source="Own queries", judge_k="2")
    assert "Paste queries" in messages(app)
    app.text_area(key="judge-pasted").set_value(f"tin lakes\n\ntin  lakes\n{ODD}").run()
    app.number_input(key="judge_n").set_value(2).run()
    assert int(dry_run(app)["To grade"]) > 0
    row = judge(app)
    field = load_field(cache.workspace().store, row)
    assert ODD in {query.text for query in field.queries}
    assert row.document["source"] == "own"


def test_a_name_is_changed_and_a_deleted_run_comes_back(filled: Path) -> None:
    app = open_page(judge_k="2")
    dry_run(app)
    row = judge(app)
    store = cache.workspace().store
    app.text_input(key=f"judge-name-{row.run_id}").set_value(ODD).run()
    assert find_judge_run(store, row.run_id).name == ODD
    app.text_input(key=f"judge-name-{row.run_id}").set_value(" ").run()
    assert "printable" in messages(app)
    app.button(key=f"judge-delete-{row.run_id}").click().run()
    assert list_judge_runs(store) == ()
    app.button(key="judge-undo").click().run()
    assert [(each.run_id, each.name) for each in list_judge_runs(store)] == [(row.run_id, ODD)]
    assert not [key for key in keys(app) if key == "judge-undo"]


def test_a_run_that_was_killed_is_called_interrupted_and_goes_on(filled: Path) -> None:
    app = open_page(judge_k="2")
    dry_run(app)
    row = judge(app)
    store = cache.workspace().store
    store.execute("UPDATE judge_runs SET state = 'running'")
    n = progress_of(store)[row.run_id].n_triples
    store.execute("DELETE FROM judge_answers WHERE triple_key = (SELECT min(triple_key) FROM judge_answers)")
    cache.jobs().forget(f"judging:{row.run_id}")
    app.run()
    said = " ".join(caption.value for caption in app.caption)
    assert "Interrupted" in said
    assert f"{n - 1:,} of {n:,} graded" in said
    app.button(key=f"judge-resume-{row.run_id}").click().run()
    waited(app)
    assert find_judge_run(store, row.run_id).state == "done"
    assert f"judge-resume-{row.run_id}" not in keys(app)


def test_failures_say_why_and_what_helps(filled: Path) -> None:
    app = open_page(judge_k="2")
    dry_run(app)
    row = judge(app)
    store = cache.workspace().store
    store.execute("UPDATE judge_answers SET status = 'http_error', points = NULL, reason = ? WHERE true", [ODD])
    app.run()
    assert "Resume asks them again" in messages(app)
    captions = " ".join(caption.value for caption in app.caption)
    assert "0 of" in captions
    assert "<b>" not in captions.replace("\\<b\\>", "")
    store.execute("UPDATE judge_answers SET status = 'invalid_scale', reason = '84'")
    app.run()
    app.button(key=f"judge-again-{row.run_id}").click().run()
    waited(app)
    progress = progress_of(store)[row.run_id]
    assert progress.n_valid == progress.n_triples


def test_prices_are_kept_and_text_among_them_is_named(filled: Path) -> None:
    store = cache.workspace().store
    store.execute("INSERT INTO judge_prices VALUES ('gpt-4.1-mini', 1000, 1000, '2026-01-01')")
    app = open_page(judge_service="openai")
    dollars = dry_run(app)["Dollars"]
    assert float(dollars.replace(",", "")) > 1


@pytest.mark.slow
def test_one_click_judges_the_made_up_collection_and_shows_the_results(root: Path) -> None:
    app = open_page()
    app.button(key="judge-demo").click().run()
    for _ in range(3):
        waited(app)
    (row,) = list_judge_runs(cache.workspace().store)
    assert (row.state, row.settings.model) == ("done", "demo")
    assert app.session_state["judge"] == "Results"
    assert json.loads(json.dumps(dict(row.document)))["collection"] == "demo"
