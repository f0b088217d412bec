"""The view "Rubric" of the page Judge: what grades mean, the whole prompt, rubrics of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.judge.prompts import VERSION, prompt_text, system_prompt
from core.judge.rubric import check_rubric
from dashboard import cache
from dashboard.judge.rubric import levels_html
from data.judge.export import prompt_hash
from data.judge.rubric import DEFAULT_RUBRIC, load_rubrics, our_rubrics, read_rubric, rubric_text
from tests.dashboard.apps import click, messages, open_alone, shown

OURS = our_rubrics()[0]
ODD = check_rubric(
    {
        "rubric_id": "odd",
        "name": "<b>Odd</b> *one*",
        "task": "Grade [it](http://example.org).",
        "grades": [{"points": n, "name": f"<i>{n}</i>", "text": "<script>alert(1)</script>"} for n in (1, 2)],
        "shown_factor": 50,
    }
)


@pytest.fixture(autouse=True)
def _root(root: Path) -> None:
    """An empty workspace, which the page opens."""


def page(**link: str) -> AppTest:
    return open_alone("judge/page.py", **{"judge": "Rubric", **link})


def add(app: AppTest, text: str) -> AppTest:
    (box,) = [area for area in app.text_area if area.label == "Or as text"]
    box.set_value(text).run()
    return click(app, "rubric-add")


def test_rubric_and_prompt_are_shown_whole() -> None:
    app = page(rubric_order="reason_first")
    told = shown(app)
    for grade in OURS.grades:
        assert f"<b>{OURS.shown(grade.points):g}</b>" in told
        assert grade.text in told
    assert all(rule in told for rule in OURS.weigh)
    assert "from 0 to 5." in told
    assert "grade × 20: 0 to 100." in told
    text = prompt_text(OURS, "reason_first")
    assert text.strip() in [code.value.strip() for code in app.code]
    assert f"Version {VERSION}, hash {prompt_hash(text)}." in told
    assert not [button for button in app.button if button.key == "rubric-delete"]


def test_one_of_your_own_is_added_chosen_deleted_and_brought_back() -> None:
    app = click(page(), "rubric-begin")
    (box,) = [area for area in app.text_area if area.label == "Or as text"]
    copied = read_rubric(str(box.value))
    assert (copied.rubric_id, copied.grades) == (f"my-{DEFAULT_RUBRIC}", OURS.grades)
    assert copied.name != OURS.name
    click(app, "rubric-add")
    store = cache.workspace().store
    assert list(load_rubrics(store)) == [DEFAULT_RUBRIC, copied.rubric_id]
    assert app.selectbox(key="rubric").value == copied.rubric_id
    assert app.query_params["rubric"] == copied.rubric_id
    click(app, "rubric-begin")
    (box,) = [area for area in app.text_area if area.label == "Or as text"]
    assert read_rubric(str(box.value)).rubric_id == f"{copied.rubric_id}-2"
    click(app, "rubric-delete")
    assert list(load_rubrics(store)) == [DEFAULT_RUBRIC]
    assert app.selectbox(key="rubric").value == DEFAULT_RUBRIC
    assert f"{copied.name} was deleted." in shown(app)
    click(app, "rubric-undo")
    assert load_rubrics(store)[copied.rubric_id] == copied
    assert app.query_params["rubric"] == app.selectbox(key="rubric").value == copied.rubric_id
    assert "was deleted" not in shown(app)


def test_a_mistake_is_said_and_nothing_is_kept() -> None:
    ours, app = rubric_text(OURS), page()
    for text, said in (
        (ours.replace("points = 4", "points = 3"), '2 grades have points 3: "substantial" and "primary focus"'),
        (ours.replace("shown_factor = 20", "shown_factor = 21"), "at most 100, got 21 times 5"),
        ("hello", "valid TOML or JSON"),
        (ours.replace('task = "You', 'task = "Now'), "Another rubric"),
    ):
        assert said in messages(add(app, text))
    assert list(load_rubrics(cache.workspace().store)) == [DEFAULT_RUBRIC]


def test_words_of_a_rubric_are_only_words_and_judging_with_it_opens_the_form() -> None:
    app = add(page(), rubric_text(ODD))
    told = shown(app)
    assert "Grade [it](http://example.org)." in told
    assert "grade × 50: 50 to 100." in told
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in told
    assert "<script>" not in told.replace(system_prompt(ODD, "score_first"), "")
    click(app, "rubric-use")
    assert app.segmented_control(key="judge").value == "Run"
    assert app.selectbox(key="judge_rubric").value == "odd"


def test_the_ladder_escapes_and_fills_its_bars() -> None:
    html = levels_html(ODD, "light")
    assert 'aria-label="Grades of &lt;b&gt;Odd&lt;/b&gt; *one*"' in html
    assert html.index('width:100%"></i>') < html.index('width:0%"></i>')
    assert "<i>1</i>" not in html
