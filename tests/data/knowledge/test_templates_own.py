"""Templates that users add to a knowledge base."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import CorruptStoreError, InputError, NotFoundError
from core.knowledge.templates import Leg, Template, TemplateStep
from data.knowledge.base import KnowledgeBase
from data.knowledge.templates import (
    delete_template,
    own_templates,
    save_template,
    template_of,
    template_set,
    templates_of,
)
from data.store import Store
from tests.data.knowledge.template_scenes import MAG, MAG_RELATIONS
from tests.data.knowledge_bases import base_of, parts_of
from tests.messages import refusal

WRITES = "author___writes___paper"
CITING = Template(
    "citing",
    (Leg((TemplateStep(("paper___cites___paper",), "paper", "back"),), "paper", "paper"),),
    "Which papers cite {paper}?",
    ("cite",),
    note="The other way round.",
)


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    return base_of(tmp_path, parts_of(MAG, MAG_RELATIONS, templates="mag"))


def test_ones_own_stands_after_the_published(base: KnowledgeBase, store: Store) -> None:
    assert templates_of(base, store) == template_set("mag")
    save_template(store, base, CITING)
    assert own_templates(store, "small") == (CITING,)
    assert own_templates(store, "other") == ()
    every = templates_of(base, store)
    assert every == (*template_set("mag"), CITING)
    found = base.entities(base.answers(template_of(every, "citing"), {"paper": [base.entity("p1").row]}))
    assert [entity.entity_id for entity in found] == ["p2", "p3"]
    delete_template(store, "small", "citing")
    assert own_templates(store, "small") == ()
    with refusal(NotFoundError):
        delete_template(store, "small", "citing")
    with refusal(NotFoundError):
        template_of(templates_of(base, store), "citing")


def test_an_id_is_taken_once(base: KnowledgeBase, store: Store) -> None:
    save_template(store, base, CITING)
    for taken in ("citing", "mag-author"):
        with pytest.raises(InputError, match=f'"{taken}" already'):
            save_template(store, base, replace(CITING, template_id=taken))
    assert own_templates(store, "small") == (CITING,)


def test_what_the_base_lacks_is_named(base: KnowledgeBase, store: Store) -> None:
    leg = Leg((TemplateStep((WRITES, "reads"), "paper"),), "author", "author")
    with refusal(InputError):
        save_template(store, base, Template("x", (leg,), "by {author}"))
    with refusal(InputError):
        save_template(store, base, Template("x", (Leg((TemplateStep((WRITES,), "paper"),), "robot", "r"),), "by {r}"))
    with refusal(InputError):
        save_template(store, base, replace(CITING, question="{b}"))
    assert own_templates(store, "small") == ()


def test_one_that_no_longer_fits_is_not_offered(base: KnowledgeBase, store: Store, tmp_path: Path) -> None:
    save_template(store, base, CITING)
    without = [each for each in MAG_RELATIONS if "cites" not in each[1]]
    later = base_of(tmp_path / "later", parts_of(MAG, without), "small")
    assert templates_of(later, store) == ()


def test_a_damaged_one_is_said_to_be(base: KnowledgeBase, store: Store) -> None:
    store.execute("INSERT INTO knowledge_templates VALUES ('small', 'x', '{\"id\": 1}')")
    with refusal(CorruptStoreError):
        templates_of(base, store)
