"""The page Knowledge without a browser: questions asked by template, made queries, and kept."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.collections import Collection, Document
from core.knowledge.templates import requirement_of
from core.retrieval.specs import read_spec
from dashboard import cache
from dashboard.knowledge import queries
from data.collections import load_collection, save_collection
from data.knowledge.people import own_collections
from data.knowledge.templates import own_templates
from data.retrieval.collections import open_collection
from data.retrieval.runs import run_retriever
from data.store import Store
from tests.dashboard.apps import click, messages, press, settled, shown
from tests.dashboard.knowledge.knowledge_pages import (
    BY_AUTHOR,
    BY_INSTITUTION,
    WRITES,
    buttons,
    head,
    htmls,
    keep,
    linked,
    open_page,
    row_of,
    step,
)


def test_a_question_is_filled_answered_and_explained(root: Path) -> None:
    keep(root, None, BY_AUTHOR, BY_INSTITUTION)
    app = open_page(kb="Questions", template="own-author")
    assert "find at least one author above" in shown(app)
    assert buttons(app, "offer-author-")[:2] == ["Ito", "Roy"], "an empty blank offers examples"
    settled(app.text_input(key="blank-author").set_value("ito").run())
    press(app, f"offer-author-{row_of('ito')}")
    assert "Which papers are by Ito?" in shown(app)
    assert "55 papers answer it" in shown(app)
    settled(app.text_input(key="blank-author").set_value("roy").run())
    press(app, f"offer-author-{row_of('roy')}")
    assert "Which papers are by Ito or Roy?" in shown(app)
    assert "60 papers answer it" in shown(app)
    assert "Ito – writes – Paper 0 on shade" in shown(app)
    assert linked(app, "given") == ['["author", "ito"]', '["author", "roy"]']
    app.multiselect(key="also").set_value(["own-place"]).run()
    assert "find at least one institution above" in shown(settled(app))


@pytest.mark.slow
def test_a_question_starts_at_the_entity_that_is_open(root: Path) -> None:
    keep(root, None, BY_AUTHOR, BY_INSTITUTION)
    app = open_page(entity="roy", look="Questions")
    assert buttons(app, "ask-own-") == ["Which papers are by Roy?"]
    press(app, "ask-own-author-author")
    assert app.session_state["kb"] == "Questions"
    assert "10 papers answer it" in shown(app)
    press(app, f"answer-{row_of('p50')}")
    assert (app.session_state["kb"], head(app)) == ("Entities", "Paper 50 on shade")


@pytest.mark.slow
def test_a_template_is_written_in_a_form(root: Path) -> None:
    keep(root)
    app = open_page(kb="Questions")
    app.number_input(key="own-legs").set_value(2).run()
    app.selectbox(key="own-from-0").set_value("author").run()
    app.selectbox(key="own-step-0-0-author").set_value(step(WRITES, "forward", "paper")).run()
    app.selectbox(key="own-from-1").set_value("author").run()
    app.selectbox(key="own-step-1-0-author").set_value(step(WRITES, "forward", "paper")).run()
    app.checkbox(key="own-negated-1").set_value(True).run()
    app.text_area(key="own-question").set_value("Which papers of {author} are not of {author_2}?").run()
    app.text_input(key="own-name").set_value("alone").run()
    press(app, "keep-own")
    (kept,) = own_templates(cache.workspace().store, "small")
    assert [leg.is_negated for leg in kept.legs] == [False, True]
    given = [json.dumps(pair) for pair in (["author", "ito"], ["author_2", "roy"])]
    app = open_page(kb="Questions", template="alone", given=given)
    assert "50 papers answer it" in shown(app)


@pytest.mark.slow
def test_a_template_that_does_not_fit_is_refused(root: Path) -> None:
    keep(root)
    app = open_page(kb="Questions")
    app.selectbox(key="own-step-0-0-paper").set_value(step(WRITES, "back", "author")).run()
    app.text_area(key="own-question").set_value("Who wrote it?").run()
    app.text_input(key="own-name").set_value("who").run()
    app.button(key="keep-own").click().run()
    assert "the question lacks {paper}" in messages(app)


# Made a query


@pytest.fixture
def asked(root: Path) -> AppTest:
    keep(root, None, BY_AUTHOR)
    return open_page(kb="Questions", template="own-author", given=json.dumps(["author", "roy"]))


@pytest.mark.slow
def test_a_query_is_asked_of_several_retrievers_at_once(asked: AppTest) -> None:
    app = press(asked, "ask-it")
    settled(app)
    shown = htmls(app)
    assert shown.count("<section>") == 3
    assert "met by 10 of these" in shown  # the graph retriever
    assert "meets the relations" in shown


def test_a_query_is_saved_with_its_answers_and_another_beside_it(asked: AppTest) -> None:
    app = asked
    (about,) = [each for each in app.text_input if each.label == "Also about"]
    assert [each.disabled for each in app.button if each.key == "save-query"] == [True]
    app.text_input(key="new-collection").set_value("mine").run()
    press(app, "save-query")
    settled(app)
    store = cache.workspace().store
    kept = load_collection(store, "mine")
    (query,) = kept.queries
    assert query.text == "Which papers are by Roy?"
    requirement = requirement_of(query)
    assert requirement is not None
    assert (requirement.template_id, dict(requirement.given)) == ("own-author", {"author": ("roy",)})
    assert {judgment.doc_id for judgment in kept.judgments} == {f"p{n}" for n in range(50, 60)}
    assert len(kept.documents) == 60
    about.set_value("street 51").run()
    (ticked,) = [each for each in app.multiselect if each.label == "Answers that fit the text too"]
    ticked.set_value([row_of("p51")]).run()
    press(app, "save-query")
    again = load_collection(store, "mine")
    assert [query.text for query in again.queries][1] == "Which papers are by Roy, about street 51?"
    assert [j.doc_id for j in again.judgments if j.query_id == again.queries[1].query_id] == ["p51"]
    assert own_collections(store, cache.workspace().knowledge.open("small")) == ("mine",)


@pytest.mark.slow
def test_a_query_is_not_added_to_a_collection_of_others(asked: AppTest) -> None:
    store = cache.workspace().store
    before = load_collection_of_others(store)
    asked.text_input(key="new-collection").set_value("theirs").run()
    press(asked, "save-query")
    assert "give another name" in messages(asked)
    assert load_collection(store, "theirs").queries == before


def load_collection_of_others(store: Store) -> object:
    save_collection(store, Collection("theirs", (Document("d", "t", ""),), (), ()), origin="elsewhere")
    return load_collection(store, "theirs").queries


@pytest.mark.slow
def test_a_walk_made_a_query_keeps_its_template(root: Path) -> None:
    keep(root)
    app = open_page(entity="roy", look="Walk", walk=[step(WRITES, "forward", "paper")])
    app.text_input(key="new-collection").set_value("walked").run()
    press(app, "save-query")
    (template,) = own_templates(cache.workspace().store, "small")
    (query,) = load_collection(cache.workspace().store, "walked").queries
    requirement = requirement_of(query)
    assert requirement is not None
    assert requirement.template_id == template.template_id


@pytest.mark.slow
def test_what_is_saved_can_be_benchmarked(asked: AppTest) -> None:
    asked.text_input(key="new-collection").set_value("mine").run()
    press(asked, "save-query")
    workspace = cache.workspace()
    opened = open_collection(workspace, "mine")
    saved = run_retriever(workspace, opened, read_spec("graph"), None)
    assert set(saved.run.ranking("1").doc_ids[:10]) == {f"p{n}" for n in range(50, 60)}


def test_two_queries_are_saved_one_after_the_other(asked: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Event()
    keep_one = queries.keep_query

    def slowly(*args: Any, **options: Any) -> Any:
        assert gate.wait(30)
        return keep_one(*args, **options)

    monkeypatch.setattr(queries, "keep_query", slowly)
    app = asked
    app.text_input(key="new-collection").set_value("first").run()
    click(app, "save-query")
    app.text_input(key="new-collection").set_value("second").run()
    click(app, "save-query")
    gate.set()
    settled(app)
    store = cache.workspace().store
    assert own_collections(store, cache.workspace().knowledge.open("small")) == ("first", "second")
    assert '"second"' in shown(app)
