"""Questions of one's own are kept as queries of a collection, all of it or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError
from core.knowledge.templates import Leg, Template, TemplateStep, compose, requirement_of
from data.collections import is_stored, load_collection, save_collection
from data.explore.workspace import Workspace
from data.knowledge import people
from data.knowledge.base import KnowledgeBase
from data.knowledge.people import OwnQuery, keep_query, own_collections
from data.knowledge.templates import own_templates, requirement_met
from tests.data.knowledge_bases import parts_of
from tests.messages import refusal

ENTITIES = {
    "p1": ("paper", "Trees and heat", "On shade."),
    "p2": ("paper", "Night work"),
    "ito": ("author", "Ito"),
    "uni": ("institution", "Elm"),
}
RELATIONS = [("ito", "writes", "p1"), ("ito", "writes", "p2"), ("ito", "at", "uni")]
WRITES = TemplateStep(("writes",), "paper", "forward")
BY = Template("walk-1", (Leg((WRITES,), "author", "start"),), "Which papers are by {start}?")
FROM = Template(
    "walk-2", (Leg((TemplateStep(("at",), "author", "back"), WRITES), "institution", "start"),), "Of {start}?"
)
QUERY = OwnQuery("  Which papers\nare by Ito? ", BY, {"start": ("ito",)}, ("p1", "p2", "p1"))


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path) as workspace:
        workspace.knowledge.save("small", parts_of(ENTITIES, RELATIONS, answer_types=("paper",)), origin="by hand")
        yield workspace


@pytest.fixture
def base(workspace: Workspace) -> KnowledgeBase:
    return workspace.knowledge.open("small")


def test_a_collection_is_begun_and_added_to(workspace: Workspace, base: KnowledgeBase) -> None:
    store = workspace.store
    kept = keep_query(store, base, " mine ", QUERY)
    assert (kept.collection, kept.query_id, kept.n_queries, kept.is_new) == ("mine", "1", 1, True)
    again = keep_query(store, base, "mine", replace(QUERY, text="another", answers=("p2",)))
    assert (again.query_id, again.n_queries, again.is_new) == ("2", 2, False)
    found = load_collection(store, "mine")
    assert found.doc_ids == ("p1", "p2")
    assert [query.text for query in found.queries] == ["Which papers are by Ito?", "another"]
    assert [(j.query_id, j.doc_id, j.relevance) for j in found.judgments] == [
        ("1", "p1", 1),
        ("1", "p2", 1),
        ("2", "p2", 1),
    ]
    assert own_collections(store, base) == ("mine",)
    assert [template.template_id for template in own_templates(store, "small")] == ["walk-1"]


def test_what_a_kept_query_demands_can_be_looked_up(workspace: Workspace, base: KnowledgeBase) -> None:
    keep_query(workspace.store, base, "mine", QUERY)
    (query,) = load_collection(workspace.store, "mine").queries
    assert requirement_of(query) is not None
    met = requirement_met(base, workspace.store, query)
    assert met is not None
    assert (met.how, met.among(["p2", "p1", "gone"])) == ("given", ("p2", "p1"))


def test_templates_put_together_of_known_ones_are_not_kept_again(workspace: Workspace, base: KnowledgeBase) -> None:
    for name, template in (("a", BY), ("b", FROM)):
        keep_query(workspace.store, base, name, replace(QUERY, template=template))
    both = compose([BY, FROM])
    keep_query(
        workspace.store, base, "c", replace(QUERY, template=both, given={"start": ("ito",), "start_2": ("uni",)})
    )
    assert [each.template_id for each in own_templates(workspace.store, "small")] == ["walk-1", "walk-2"]
    (query,) = load_collection(workspace.store, "c").queries
    met = requirement_met(base, workspace.store, query)
    assert met is not None
    assert met.rows.tolist() == [0, 1]


def test_what_can_not_be_kept_leaves_nothing_behind(
    workspace: Workspace, base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = workspace.store
    for wrong, why in (
        (replace(QUERY, text=" \n"), "no words"),
        (replace(QUERY, text="long " * 2_000), "9,999 characters"),
        (replace(QUERY, answers=()), "no answer"),
        (replace(QUERY, answers=("p1", "p9")), "1 answers are not"),
    ):
        with pytest.raises(InputError, match=why):
            keep_query(store, base, "mine", wrong)
    with refusal(InputError):
        keep_query(store, base, "topic:x", QUERY)

    def full(*asked: object, **more: object) -> None:
        raise InputError("no room")

    monkeypatch.setattr(people, "save_collection", full)
    with pytest.raises(InputError, match="no room"):
        keep_query(store, base, "mine", QUERY)
    assert not is_stored(store, "mine")
    assert own_templates(store, "small") == ()


def test_collections_of_others_are_left_alone(workspace: Workspace, base: KnowledgeBase) -> None:
    keep_query(workspace.store, base, "mine", QUERY)
    found = replace(load_collection(workspace.store, "mine"), name="theirs")
    save_collection(workspace.store, found, origin="elsewhere")
    with refusal(InputError):
        keep_query(workspace.store, base, "theirs", QUERY)
    assert load_collection(workspace.store, "theirs").queries == found.queries
