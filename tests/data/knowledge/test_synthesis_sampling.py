"""Requirements are found for every published template, negations and shared blanks included."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.knowledge.synthesis import SynthesisSettings
from core.knowledge.templates import Template
from data.knowledge.base import KnowledgeBase
from data.knowledge.bases import KnowledgeBases
from data.knowledge.synthesis import Sampler, documents_of
from data.knowledge.templates import compositions, template_set
from tests.data.knowledge.template_scenes import SCENES
from tests.data.knowledge_bases import base_of, parts_of

EVERY = [(name, template) for name in SCENES for template in (*template_set(name), *compositions(name))]


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, KnowledgeBase]]:
    """Those of which the answers are known by hand, with a text for each entity."""
    kept = KnowledgeBases(tmp_path_factory.mktemp("sets"))
    for name, (entities, relations, _) in SCENES.items():
        told = {key: (*about[:2], f"{about[1]} is told of in a text of its own.") for key, about in entities.items()}
        kept.save(name, parts_of(told, relations, templates=name), origin="by hand")
    yield {name: kept.open(name) for name in kept.names()}
    kept.forget()


@pytest.mark.parametrize(("name", "template"), EVERY, ids=lambda each: getattr(each, "template_id", each))
def test_every_published_template_gives_a_requirement(
    bases: dict[str, KnowledgeBase], name: str, template: Template
) -> None:
    base = bases[name]
    sampled = Sampler(base, [(template, 1.0)], SynthesisSettings()).next(0)
    assert sampled is not None
    given = {slot: list(base.rows_of(ids).values()) for slot, ids in sampled.given.items()}
    found = {entity.entity_id for entity in base.entities(base.answers(template, given))}
    assert found == {sampled.gold_id, *sampled.others}
    assert {base.type_of(rows[0]) for rows in given.values()} <= set(template.slots.values())
    assert set(documents_of(base, [sampled.gold_id, *sampled.others])) == found
    assert "{" not in sampled.relation


def test_what_nobody_could_name_is_not_given(tmp_path: Path) -> None:
    text = "A text that properties can be read out of."
    entities = {
        "long": ("author", "word " * 500),
        "none": ("author", "—"),
        "ito": ("author", "Ito"),
        **{f"p{n}": ("paper", f"Paper {n}", text) for n in range(6)},
    }
    relations = [(who, "author___writes___paper", f"p{n}") for n in range(6) for who in ("long", "none", "ito")]
    base = base_of(tmp_path, parts_of(entities, relations, templates="mag"))
    sampler = Sampler(base, [(template_set("mag")[0], 1.0)], SynthesisSettings())
    found = [sampled for item in range(3) if (sampled := sampler.next(item)) is not None]
    assert [sampled.given for sampled in found] == [{"author": ("ito",)}]
    base.close()


def test_an_answer_that_says_nothing_is_not_the_gold_answer(tmp_path: Path) -> None:
    entities = {
        "ito": ("author", "Ito"),
        "p0": ("paper", "Bare"),
        "p1": ("paper", "Told", "A text that properties can be read out of."),
        "p2": ("paper", "Ito", "A text of one who is called as what is given."),
    }
    relations = [("ito", "author___writes___paper", each) for each in ("p0", "p1", "p2")]
    base = base_of(tmp_path, parts_of(entities, relations, templates="mag"))
    sampled = Sampler(base, [(template_set("mag")[0], 1.0)], SynthesisSettings()).next(0)
    assert sampled is not None
    assert (sampled.gold_id, sorted(sampled.others), sampled.n_answers) == ("p1", ["p0", "p2"], 3)
    base.close()
