"""The view "Queries" of the page Judge: judgments side by side, overruling, what needs a look, files."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import cache
from dashboard.judge import queries
from dashboard.judge.judgments import TRIPLE
from data.collections import list_collections, load_collection
from data.explore.workspace import Workspace
from data.files import READ_ONLY
from data.judge.runs import find_judge_run, load_field, load_judged
from tests.dashboard.apps import click, messages, open_alone, press, settled, shown
from tests.data.judged_runs import JUDGE, key_of, make_judged_run

FAILED = key_of("q1", "d4")
ZERO = key_of("q2", "d4")
BY_TITLE = key_of("q1", "d3")


@pytest.fixture(autouse=True)
def made(root: Path) -> None:
    """A workspace with a judged run, which the app opens."""
    with Workspace.open(root) as workspace:
        make_judged_run(workspace.store)


def page(**link: str) -> AppTest:
    """The view alone."""
    return open_alone("judge/page.py", **{"judge": "Queries", **link})


def options(box: Any) -> list[str]:
    return [str(option) for option in box.options]


def label_of(app: AppTest, key: str) -> str:
    """What the browser is told to show as chosen."""
    box = app.selectbox(key=key).proto
    assert box.set_value
    return str(box.raw_value)


def judged_points(engine: str, query_id: str) -> list[int | None]:
    store = cache.workspace().store
    row = find_judge_run(store, "two engines")
    rows = load_judged(store, row, load_field(store, row))
    return [each.points for each in rows if (each.candidate.engine, each.candidate.query_id) == (engine, query_id)]


def overrule_by_hand(app: AppTest, key: str, points: int, who: str, why: str) -> AppTest:
    app.selectbox(key=f"overrule-points-{key}").set_value(points)
    app.session_state["your-name"] = who
    app.text_input(key=f"overrule-why-{key}").set_value(why)
    (send,) = [button for button in app.button if button.label == "Overrule"]
    send.click().run()
    assert not app.exception
    return app


def test_every_judgment_of_a_query_is_shown_with_what_it_is_worth() -> None:
    told = shown(page(judged_query="q1"))
    assert "Mean <b>53.3</b> · 3 of 3 graded" in told
    assert "by =Ada; the judge: no grade" in told
    assert "level 2 · graded on" in told
    assert "level 1 · confidence 3 · title only" in told
    assert "&lt;b&gt;Order&lt;/b&gt;" in told
    assert "<b>Order</b>" not in told.replace("<b>Order</b> *here*", "")


def test_what_failed_or_waits_has_a_dash_and_no_zero() -> None:
    told = shown(page(judged_query="q2"))
    assert "the service failed" in told
    assert "not judged yet" in told
    assert told.count("<b>–</b>") == 2
    assert "Mean <b>0.0</b> · 1 of 2 graded" in told


def test_overruling_moves_the_mean_and_is_taken_back() -> None:
    app = page(judged_query="q2", judged_triple=ZERO)
    assert "a 26.7, =b 60.0" in shown(app)
    overrule_by_hand(app, ZERO, 5, "Cy", "It is about tin.")
    assert judged_points("a", "q2") == [None, 5]
    assert "a 76.7, =b 60.0" in shown(app)
    assert label_of(app, "judged_query").startswith("q2: ")
    assert "(80, " in label_of(app, "judged_query")
    assert label_of(app, TRIPLE).startswith("100 · ")
    assert "of a: 26.7, now 76.7" in " ".join(t.value for t in app.toast).replace("\\", "")
    assert "Cy: 100 of 100, level 5" in shown(app)
    app.button(key=f"take-back-{ZERO}").click().run()
    assert judged_points("a", "q2") == [None, 0]
    assert "Cy, withdraws it" in shown(app)


def test_a_name_and_a_reason_are_asked_for() -> None:
    app = page(judged_query="q2", judged_triple=ZERO)
    overrule_by_hand(app, ZERO, 5, "", "It fits.")
    assert "Enter your name" in messages(app)
    assert JUDGE.prompt in [code.value for code in app.code], "what stands beneath the form stays"
    overrule_by_hand(app, ZERO, 5, "Cy", " ")
    assert "Give a reason" in messages(app)
    assert judged_points("a", "q2") == [None, 0]


def test_a_judgment_shows_every_attempt_and_what_was_asked() -> None:
    app = page(judged_query="q1", judged_triple=key_of("q1", "d1"))
    told = shown(app)
    assert "by the title" not in shown(page(judged_query="q1", judged_triple=BY_TITLE))
    assert "Attempt 1" in told
    assert "Attempt 2" in told
    assert JUDGE.prompt in [code.value for code in app.code]


def test_what_needs_a_look_is_one_click_away() -> None:
    app = page(judged_kind="length=few words", judged_query="q1")
    assert any("4 judgments need checking" in box.label for box in app.expander)
    app.button(key=f"look-{key_of('q2', 'd5')}").click().run()
    assert app.selectbox(key="judged_query").value == "q2"
    assert app.selectbox(key="judged_triple").value == key_of("q2", "d5")
    assert app.selectbox(key="judged_kind").value == ""


def test_queries_are_found_by_words_kind_and_status() -> None:
    app = page()
    assert options(app.selectbox(key="judged_query"))[0] == "q1: tin lakes (57, 5 of 5 graded)"
    app.text_input(key="judged-find").set_value("LAKES").run()
    assert len(options(app.selectbox(key="judged_query"))) == 2
    app.text_input(key="judged-find").set_value("").run()
    app.selectbox(key="judged_with").set_value("http_error").run()
    assert [each[:2] for each in options(app.selectbox(key="judged_query"))] == ["q2"]
    app.selectbox(key="judged_with").set_value("all").run()
    app.selectbox(key="judged_by").set_value("Engines furthest apart").run()
    assert [each[:2] for each in options(app.selectbox(key="judged_query"))] == ["q2", "q1", "q3"]
    app.selectbox(key="judged_kind").set_value("aim=survey").run()
    assert [each[:2] for each in options(app.selectbox(key="judged_query"))] == ["q2"]
    app.text_input(key="judged-find").set_value("nowhere").run()
    assert "No queries match" in messages(app)


def test_a_query_without_an_answer_says_so() -> None:
    assert "No engine found" in messages(page(judged_query="q3"))


def test_grades_are_saved_as_a_collection() -> None:
    app = page()
    app.selectbox(key="export-map").set_value("3").run()
    assert "relevance is 1 from grade 3 up, else 0" in shown(app).lower()
    app.text_input(key="judged-name").set_value("graded").run()
    press(app, "judged-collect")
    found = load_collection(cache.workspace().store, "graded")
    assert sorted(each.relevance for each in found.judgments) == [0, 0, 0, 0, 1, 1]
    app.run()
    assert "graded was added" in shown(app)


def test_a_copy_to_look_at_takes_no_grade(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(READ_ONLY, "1")
    app = page(judged_query="q1")
    assert "Read-only" in messages(app)
    assert not [button for button in app.button if button.label in ("Overrule", "Withdraw")]
    assert not [button for button in app.button if button.key == "judged-collect"]


def test_two_collections_are_saved_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Event()
    save = queries.save_judged_collection

    def slowly(*args: Any, **options: Any) -> Any:
        assert gate.wait(30)
        return save(*args, **options)

    monkeypatch.setattr(queries, "save_judged_collection", slowly)
    app = page()
    app.text_input(key="judged-name").set_value("first").run()
    click(app, "judged-collect")
    app.text_input(key="judged-name").set_value("second").run()
    click(app, "judged-collect")
    gate.set()
    settled(app)
    app.run()
    store = cache.workspace().store
    assert {"first", "second"} <= {row.name for row in list_collections(store)}
    assert "second was added" in shown(app)
