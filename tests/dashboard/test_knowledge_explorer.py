"""The page Knowledge without a browser: entities found, opened and walked from, questions asked and kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.knowledge.requirement import requirement_of
from core.knowledge.templates import Leg, Step, Template
from dashboard import cache
from data.collections.stored import load_collection, save_collection
from data.knowledge.base import SHOWN, KnowledgeBase
from data.knowledge.own_queries import own_collections
from data.knowledge.parts import EntityPart, Parts, RelationPart
from data.knowledge.templates import own_templates, save_template
from data.workspace import Workspace
from tests.dashboard.apps import SECONDS, messages
from tests.data.knowledge_bases import parts_of

PAGE = Path(__file__).parents[2] / "dashboard" / "app_pages" / "knowledge.py"
ODD = "*Odd* <img src=x onerror=alert(1)> $x$ :material/home: " + "word " * 400
PAPERS = {f"p{n}": ("paper", f"Paper {n} on shade", f"Shade of trees in street {n}.") for n in range(60)}
ENTITIES = PAPERS | {
    "ito": ("author", "Ito"),
    "roy": ("author", "Roy"),
    "elm": ("institution", "University of Elm", "long text " * 100_000),
    "mute": ("author", ""),
    "odd": ("author", ODD, "<script>alert(1)</script> **bold**"),
}
WRITES = "author___writes___paper"
AT = "author___affiliated_with___institution"
CITES = "paper___cites___paper"
RELATIONS = [
    *(("ito", WRITES, f"p{n}") for n in range(55)),
    *(("roy", WRITES, f"p{n}") for n in range(50, 60)),
    ("ito", AT, "elm"),
    ("roy", AT, "elm"),
    ("odd", WRITES, "p0"),
    ("p0", CITES, "p1"),
    ("p1", CITES, "p2"),
    ("p2", CITES, "p0"),
    ("p0", CITES, "p0"),
]
BY_AUTHOR = Template(
    "own-author",
    (Leg((Step((WRITES,), "paper", "forward"),), "author", "author"),),
    "Which papers are by {author}?",
)
BY_INSTITUTION = Template(
    "own-place",
    (Leg((Step((AT,), "author", "back"), Step((WRITES,), "paper", "forward")), "institution", "institution"),),
    "Which papers come from {institution}?",
)


def keep(root: Path, parts: Parts | None = None, *templates: Template) -> None:
    with Workspace.open(root) as workspace:
        made = parts or parts_of(ENTITIES, RELATIONS, answer_types=("paper",))
        workspace.knowledge.save("small", made, origin="by hand")
        base = workspace.knowledge.open("small")
        for template in templates:
            save_template(workspace.store, base, template)


def open_page(**link: str | Sequence[str]) -> AppTest:
    app = AppTest.from_file(str(PAGE), default_timeout=SECONDS)
    for name, value in link.items():
        app.query_params[name] = value
    return settle(app.run())


def settle(app: AppTest) -> AppTest:
    """Until nothing is in the background any more."""
    cache.jobs().wait()
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    return settle(app)


def buttons(app: AppTest, prefix: str) -> list[str]:
    """What buttons say whose keys begin so."""
    said = [button.label for button in app.button if (button.key or "").startswith(prefix)]
    return [text.replace("\\", "").replace("\u2060", "") for text in said]


def head(app: AppTest) -> str:
    return next(iter(app.subheader), app.title[0]).value.replace("\\", "")


def linked(app: AppTest, name: str) -> list[str]:
    """What the link holds under a name."""
    found = app.query_params.get(name, [])
    return [found] if isinstance(found, str) else list(found)


def texts(app: AppTest) -> str:
    return " ".join(each.value for each in (*app.markdown, *app.caption)).replace("\\", "").replace("\u2060", "")


def htmls(app: AppTest) -> str:
    return " ".join(html.proto.body for html in app.get("html"))


def step(relation: str, direction: str, kind: str) -> str:
    return json.dumps([relation, direction, kind], separators=(",", ":"))


def row_of(entity_id: str) -> int:
    return cache.workspace().knowledge.open("small").entity(entity_id).row


# Entities


def test_an_entity_is_found_opened_and_gone_back_from(root: Path) -> None:
    keep(root)
    app = open_page()
    app.text_input(key="find-entity").set_value("ito").run()
    settle(app)
    assert buttons(app, "found-")[0] == "Ito (author)"
    press(app, f"found-{row_of('ito')}")
    assert head(app) == "Ito"
    assert app.text_input(key="find-entity").value == ""
    assert linked(app, "entity") == ["ito"]
    app.radio(key="rel").set_value(step(WRITES, "forward", "paper")).run()
    assert len(buttons(app, "neighbour-")) == SHOWN
    assert "1 to 50 of 55" in texts(app)
    press(app, f"neighbour-{row_of('p3')}")
    assert head(app) == "Paper 3 on shade"
    assert linked(app, "trail") == ["ito"]
    press(app, "trail-back")
    assert head(app) == "Ito"
    assert linked(app, "trail") == []


@pytest.mark.slow
def test_a_link_opens_the_same_view(root: Path) -> None:
    keep(root)
    app = open_page(entity="p1", trail=["elm", "ito"], rel=step(WRITES, "back", "author"))
    assert head(app) == "Paper 1 on shade"
    assert buttons(app, "trail-") == ["Back", "University of Elm ›", "Ito ›"]
    assert buttons(app, "neighbour-") == ["Ito"]
    press(app, "trail-0")
    assert (head(app), linked(app, "entity")) == ("University of Elm", ["elm"])


@pytest.mark.slow
def test_the_last_page_of_neighbours(root: Path) -> None:
    keep(root)
    app = open_page(entity="ito", rel=step(WRITES, "forward", "paper"))
    (page,) = [each for each in app.number_input if each.label.startswith("Page")]
    page.set_value(2).run()
    assert buttons(app, "neighbour-") == [f"Paper {n} on shade" for n in range(50, 55)]


@pytest.mark.slow
@pytest.mark.parametrize("look", ["Neighbours", "Walk", "Questions", "Landscape"])
@pytest.mark.parametrize("entity", ["mute", "odd", "p0", "elm"])
def test_odd_entities_are_shown_as_they_are(root: Path, look: str, entity: str) -> None:
    keep(root)
    app = open_page(entity=entity, look=look)
    assert not app.error
    assert "<script>" not in htmls(app)
    if entity == "mute":
        assert head(app) == "mute"
        assert "It has no text" in texts(app)
    if entity == "odd":
        assert app.subheader[0].value.startswith(r"\*Odd\* \<img")
        assert len(head(app)) <= 400


@pytest.mark.slow
def test_a_long_text_is_cut_until_all_is_wanted(root: Path) -> None:
    keep(root)
    app = open_page(entity="elm")
    assert len(htmls(app)) < 10_000
    (toggle,) = [each for each in app.toggle if each.label == "Show all 1,000,000 characters"]
    toggle.set_value(True).run()
    assert len(htmls(app)) > 1_000_000


@pytest.mark.slow
def test_links_to_what_is_not_here_say_so(root: Path) -> None:
    keep(root)
    app = open_page(entity="gone")
    assert 'no entity "gone"' in messages(app)
    app = open_page(entity="ito", trail=["gone", "roy"], walk=[step("gone", "forward", "paper")], look="Walk")
    assert "a walk that this knowledge base does not have" in messages(app)
    assert buttons(app, "trail-") == ["Back", "Roy ›"]
    app = open_page(entity="ito", walk=["[" * 500, "{}", '["a"]'], rel="nonsense", look="Walk")
    assert not app.error
    app = AppTest.from_file(str(PAGE), default_timeout=SECONDS)
    app.query_params["knowledge"] = "deleted"
    app.query_params["entity"] = "ito"
    app.run()
    assert 'knowledge base "deleted" that is not here' in messages(app)
    assert head(settle(app)) == "Ito"


def test_walks_keep_sets_with_counts(root: Path) -> None:
    keep(root)
    app = open_page(entity="elm", look="Walk")
    for move in (step(AT, "back", "author"), step(WRITES, "forward", "paper"), step(CITES, "forward", "paper")):
        (choice,) = [each for each in app.selectbox if (each.key or "").startswith("next-")]
        choice.set_value(move).run()
        press(app, "walk-go")
    assert "1. has as researcher 2 authors" in texts(app)
    assert "2. writes 60 papers" in texts(app)
    assert "3. cites 3 papers" in texts(app)
    assert len(linked(app, "walk")) == 3
    assert buttons(app, "step-3-") == ["Paper 0 on shade", "Paper 1 on shade", "Paper 2 on shade"]
    press(app, "walk-back")
    assert "3. cites" not in texts(app)
    assert len(linked(app, "walk")) == 2


@pytest.mark.slow
def test_a_walk_in_circles_ends_after_six_steps(root: Path) -> None:
    keep(root)
    app = open_page(entity="p0", look="Walk", walk=[step(CITES, "forward", "paper")] * 6)
    assert "6. cites" in texts(app)
    assert "at most 6 steps" in texts(app)
    assert not [each for each in app.button if each.key == "walk-go"]


@pytest.mark.slow
def test_a_walk_is_kept_as_a_template_and_deleted(root: Path) -> None:
    keep(root)
    app = open_page(entity="elm", look="Walk", walk=[step(AT, "back", "author")])
    press(app, "keep-walk")
    (kept,) = own_templates(cache.workspace().store, "small")
    assert kept.slots == {"start": "institution"}
    assert kept.question == "Find every author that is affiliated with {start}."
    app = open_page(kb="Questions")
    assert kept.template_id in texts(app)
    press(app, f"delete-template-{kept.template_id}")
    assert own_templates(cache.workspace().store, "small") == ()


# A hub


class Counting:
    """What is asked of a knowledge base, and how many rows come back."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def over(self, monkeypatch: pytest.MonkeyPatch) -> Counting:
        rows, column = KnowledgeBase.rows, KnowledgeBase.column

        def counted_rows(base: KnowledgeBase, *asked: Any) -> Any:
            found = rows(base, *asked)
            self.calls.append(len(found))
            return found

        def counted_column(base: KnowledgeBase, *asked: Any) -> Any:
            found = column(base, *asked)
            self.calls.append(len(found))
            return found

        monkeypatch.setattr(KnowledgeBase, "rows", counted_rows)
        monkeypatch.setattr(KnowledgeBase, "column", counted_column)
        return self


def a_hub(n: int) -> Parts:
    ids = ["hub", *(f"p{place}" for place in range(n))]
    types = ["field", *["paper"] * n]
    part = EntityPart(ids, types, ids, [""] * len(ids), [""] * len(ids))
    return Parts([part], [RelationPart("topic", np.arange(1, n + 1), np.zeros(n, np.int64))], ("paper",))


@pytest.mark.slow
def test_a_hub_is_opened_without_reading_its_neighbours(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(root, a_hub(300_000))
    counting = Counting().over(monkeypatch)
    app = open_page(entity="hub")
    assert "topic: 300,000 papers" in str(app.radio(key="rel").options).replace("\\", "")
    assert len(buttons(app, "neighbour-")) == SHOWN
    assert max(counting.calls) <= SHOWN
    assert sum(counting.calls) < 500
    assert len(counting.calls) < 60


# Questions


def test_a_question_is_filled_answered_and_explained(root: Path) -> None:
    keep(root, None, BY_AUTHOR, BY_INSTITUTION)
    app = open_page(kb="Questions", template="own-author")
    assert "find at least one author above" in texts(app)
    app.text_input(key="blank-author").set_value("ito").run()
    settle(app)
    press(app, f"offer-author-{row_of('ito')}")
    assert "Which papers are by Ito?" in texts(app)
    assert "55 papers answer it" in texts(app)
    app.text_input(key="blank-author").set_value("roy").run()
    settle(app)
    press(app, f"offer-author-{row_of('roy')}")
    assert "Which papers are by Ito or Roy?" in texts(app)
    assert "60 papers answer it" in texts(app)
    assert "Ito – writes – Paper 0 on shade" in texts(app)
    assert linked(app, "given") == ['["author", "ito"]', '["author", "roy"]']
    app.multiselect(key="also").set_value(["own-place"]).run()
    assert "find at least one institution above" in texts(settle(app))


@pytest.mark.slow
def test_a_question_starts_at_the_entity_that_is_open(root: Path) -> None:
    keep(root, None, BY_AUTHOR, BY_INSTITUTION)
    app = open_page(entity="roy", look="Questions")
    assert buttons(app, "ask-") == ["Which papers are by Roy?"]
    press(app, "ask-own-author-author")
    assert app.session_state["kb"] == "Questions"
    assert "10 papers answer it" in texts(app)
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
    assert "50 papers answer it" in texts(app)


@pytest.mark.slow
def test_a_template_that_does_not_fit_is_refused(root: Path) -> None:
    keep(root)
    app = open_page(kb="Questions")
    app.selectbox(key="own-step-0-0-paper").set_value(step(WRITES, "back", "author")).run()
    app.text_area(key="own-question").set_value("Who wrote it?").run()
    app.text_input(key="own-name").set_value("who").run()
    app.button(key="keep-own").click().run()
    assert "the question does not say {paper}" in messages(app)


# Made a query


@pytest.fixture
def asked(root: Path) -> AppTest:
    keep(root, None, BY_AUTHOR)
    return open_page(kb="Questions", template="own-author", given=json.dumps(["author", "roy"]))


@pytest.mark.slow
def test_a_query_is_asked_of_several_retrievers_at_once(asked: AppTest) -> None:
    app = press(asked, "ask-it")
    settle(app)
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
    settle(app)
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


def load_collection_of_others(store: Any) -> object:
    from core.ranking.types import Collection, Document

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
