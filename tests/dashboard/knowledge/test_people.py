"""The view "People": writing, confirming, rating and results, as a visitor does them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.collections import Collection, Document, Query
from core.knowledge.query_quality import QUALITIES, Rating
from dashboard import cache
from dashboard.knowledge import contributions
from dashboard.knowledge.contributions import answers_group
from data.collections import delete_collection, list_collections, load_collection, save_collection
from data.explore.workspace import Workspace
from data.files import READ_ONLY
from data.knowledge.people import find_query, queries_of, rate, ratings_of
from tests.dashboard.apps import click, messages, open_alone, press, ran, settled, shown
from tests.data.people_bases import make_base

TEXTS = ("who sleeps badly?", "<b>hot</b> streets *", "old cells", "shade")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a knowledge base and a collection of four queries."""
    folder = tmp_path_factory.mktemp("people") / "workspace"
    with Workspace.open(folder) as workspace:
        make_base(workspace.paths.knowledge)
        queries = tuple(Query(str(n), text) for n, text in enumerate(TEXTS))
        collection = Collection("mine", (Document("d", "A title", ""),), queries, ())
        save_collection(workspace.store, collection, origin="by hand")
    return folder


@pytest.fixture
def own(made: Path, root: Path) -> Path:
    """A copy of it, which the app opens."""
    shutil.copytree(made, root)
    return root


def page(part: str, person: str = "Ada", **link: str) -> AppTest:
    """The page alone, as somebody sees it who has said who it is."""
    return open_alone("knowledge/page.py", {"your-name": person} if person else {}, kb="People", people=part, **link)


def keys(elements: Iterable[Any], beginning: str) -> list[str]:
    return [element.key for element in elements if str(element.key).startswith(beginning)]


def progress(app: AppTest) -> str:
    return str(app.get("progress")[0].proto)


def write(app: AppTest, text: str) -> None:
    (key,) = keys(app.text_area, "written-")
    settled(app.text_area(key=key).set_value(text).run())


def test_a_query_is_written_confirmed_collected_and_taken_back(own: Path) -> None:
    app = page("Write", person="")
    assert "Enter your name" in shown(app)
    app.session_state["your-name"] = "  Ada "
    ran(app)
    app.button(key="give-entity").click().run()
    store = cache.workspace().store
    (draft,) = queries_of(store, "small")
    entity = cache.workspace().knowledge.open("small").entity(draft.entity_id)
    write(app, f"<i>where</i> is {draft.entity_id} named")
    assert "holds an id" in shown(app).lower()
    assert f":red-background[**{draft.entity_id}**]" in " ".join(one.value for one in app.markdown)
    assert not keys(app.checkbox, "tick-")
    write(app, "what is hot in the streets?")
    assert queries_of(store, "small")[0].text == "what is hot in the streets?"
    ticks = keys(app.checkbox, "tick-")
    assert ticks[0].endswith(f"-{entity.row}")
    assert app.button(key=f"confirm-{draft.query_id}").disabled
    app.checkbox(key=ticks[0]).check().run()
    app.checkbox(key=ticks[1]).check().run()
    again = page("Write", "Ada")
    assert again.text_area(key=f"written-{draft.query_id}").value == "what is hot in the streets?"
    assert again.checkbox(key=ticks[1]).value, "what was ticked is there after a reload"
    app.button(key=f"confirm-{draft.query_id}").click().run()
    (made,) = queries_of(store, "small", state="confirmed")
    assert (made.writer, made.answers[0], len(made.answers)) == ("Ada", draft.entity_id, 2)
    answers = answers_group(cache.workspace().knowledge.open("small"), made)
    assert {row["Id"] for row in answers.rows} == set(made.answers)
    press(app, "people-collect")
    assert load_collection(store, "small-human").splits == {"human": (draft.query_id,)}
    assert '"small-human" is ready' in shown(app)
    app.button(key="take-back").click().run()
    assert queries_of(store, "small")[0].state == "drafted"
    assert app.text_area(key=f"written-{draft.query_id}").value == "what is hot in the streets?"


@pytest.mark.slow
def test_an_entity_is_walked_from_and_skipped(own: Path) -> None:
    app = page("Write", "Bo")
    app.button(key="give-entity").click().run()
    store = cache.workspace().store
    while not (walks := keys(app.selectbox, "walk-")):
        (draft,) = queries_of(store, "small", state="drafted")
        app.button(key=f"skip-{draft.query_id}").click().run()
    assert "written by" in shown(app) or "cites" in shown(app)
    first = app.selectbox(key=walks[0])
    first.set_value(first.options[1] if first.options[1].isdigit() else first.value).run()
    (draft,) = queries_of(store, "small", state="drafted")
    app.text_input(key=f"reason-{draft.query_id}").set_value("not my field").run()
    click(app, f"skip-{draft.query_id}")
    assert "not my field" in {one.reason for one in queries_of(store, "small")}
    (after,) = queries_of(store, "small", state="drafted")
    assert after.entity_id != draft.entity_id


@pytest.mark.slow
def test_a_second_tab_shows_what_the_first_wrote(own: Path) -> None:
    """And the answers of relations are proposed once a template is filled."""
    first, second = page("Write"), page("Write")
    first.button(key="give-entity").click().run()
    store, base = cache.workspace().store, cache.workspace().knowledge.open("small")
    while (draft := queries_of(store, "small", state="drafted")[0]).entity_id != "p1":
        first.button(key=f"skip-{draft.query_id}").click().run()
    write(first, "what cools a city?")
    second.run()
    assert second.text_area(key=f"written-{draft.query_id}").value == "what cools a city?"
    second.selectbox(key=f"template-{draft.query_id}").select("mag-author").run()
    ito = base.entity("ito")
    second.button(key=f"in-{draft.query_id}-author-{ito.row}").click().run()
    assert not second.exception
    kept = find_query(store, draft.query_id)
    assert (kept.template, dict(kept.given), kept.text) == ("mag-author", {"author": ("ito",)}, "what cools a city?")
    assert "elations. " in shown(second)
    second.button(key=f"out-{draft.query_id}-author-{ito.row}").click().run()
    assert find_query(store, draft.query_id).given == {"author": ()}
    write(second, "what else cools a city?")
    first.run()
    assert first.text_area(key=f"written-{draft.query_id}").value == "what else cools a city?"


@pytest.mark.slow
def test_a_name_of_any_kind_is_no_trouble(own: Path) -> None:
    app = page("Write", "<script>alert(1)</script>")
    app.button(key="give-entity").click().run()
    store = cache.workspace().store
    assert queries_of(store, "small")[0].writer == "<script>alert(1)</script>"
    for impossible in ("A\u202eda", "x" * 10_000):
        app.session_state["your-name"] = impossible
        assert "Enter your name" in shown(ran(app))
    assert len(queries_of(store, "small")) == 1, "nothing was given under such a name"


def test_queries_are_rated_by_hand_and_by_key(own: Path) -> None:
    app = page("Rate", rated="mine")
    assert "0 of 4 rated" in progress(app)
    controls = keys(app.segmented_control, "points-")
    assert len(controls) == len(QUALITIES)
    app.segmented_control(key=controls[1]).set_value(3).run()
    app.button(key="key-5").click().run()
    app.button(key="key-4").click().run()
    store = cache.workspace().store
    given = {kept.rating.quality: kept.rating.points for kept in ratings_of(store, "mine")}
    assert given == {"naturalness": 5, "diversity": 3, "practicality": 4}
    assert app.button(key="key-1").disabled, "everything shown is rated"
    assert "1 of 4 rated" in progress(app)
    app.segmented_control(key=controls[1]).set_value(1).run()
    assert {kept.rating.points for kept in ratings_of(store, "mine")} == {5, 1, 4}
    app.button(key="rate-next").click().run()
    assert not app.button(key="key-1").disabled
    assert not app.exception


def test_fewer_queries_than_a_page_and_then_none(own: Path) -> None:
    """And the collection is deleted while it is rated."""
    app = page("Rate", rated="mine", rate_layout="Five per page")
    assert len(keys(app.segmented_control, "points-")) == 4 * len(QUALITIES)
    assert app.button(key="rate-next").disabled
    assert app.button(key="rate-back").disabled
    delete_collection(cache.workspace().store, "mine")
    click(app, "key-5")
    said = shown(app)
    assert 'no collection "mine"' in said.lower()
    assert 'Collection "mine" no longer exists' in said


def test_results_say_how_much_they_are_worth(own: Path) -> None:
    app = page("Results", "", rated="mine")
    assert "No ratings" in messages(app)
    store = cache.workspace().store
    for rater, points in (("Ada", 5), ("Bo <i>", 4)):
        for query_id in "012":
            rate(store, "mine", Rating(query_id, rater, "naturalness", points - int(query_id)))
    ran(app)
    by_label: dict[str, list[Any]] = {}
    for metric in app.metric:
        by_label.setdefault(metric.label, []).append(metric.value)
    # 5 4 3 and 4 3 2: three of six are 4 or more, five are 3 or more.
    assert by_label["Positive"][0] == "50.0 %"
    assert by_label["Non-negative"][0] == "83.3 %"
    assert by_label["Positive"][1] == "–"
    # In a row the values 2, 3, 4, 5 stand at 0.5, 2, 4, 5.5: 1 - 5 * 2 * (2.25 + 4 + 2.25) / (2 * 99).
    assert by_label["Krippendorff's alpha: naturalness"] == ["0.57"]
    said = shown(app)
    assert "only 6 ratings" in said.lower()
    assert "Wu et al. (2024), STaRK, Table 10" in said


@pytest.mark.slow
def test_in_a_copy_nothing_can_be_written(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(READ_ONLY, "1")
    app = page("Rate", rated="mine")
    assert "Read-only" in messages(app)
    assert all(app.button(key=f"key-{points}").disabled for points in range(1, 6))
    app.segmented_control(key="people").set_value("Write").run()
    assert app.button(key="give-entity").disabled


def test_two_collections_are_saved_one_after_the_other(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Event()
    save = contributions.save_human_collection

    def slowly(*args: Any, **options: Any) -> Any:
        assert gate.wait(30)
        return save(*args, **options)

    app = page("Write")
    app.button(key="give-entity").click().run()
    store = cache.workspace().store
    (draft,) = queries_of(store, "small")
    write(app, "what is hot in the streets?")
    ticks = keys(app.checkbox, "tick-")
    app.checkbox(key=ticks[0]).check().run()
    app.button(key=f"confirm-{draft.query_id}").click().run()
    monkeypatch.setattr(contributions, "save_human_collection", slowly)
    app.text_input(key="people-name").set_value("first").run()
    click(app, "people-collect")
    app.text_input(key="people-name").set_value("second").run()
    click(app, "people-collect")
    gate.set()
    settled(app)
    assert {"first", "second"} <= {row.name for row in list_collections(store)}
    assert '"second" is ready' in shown(app)
